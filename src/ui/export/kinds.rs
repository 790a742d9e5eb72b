//! The settings of animations, meshes and contact sheets.

use egui::DragValue;

use smirk_export::{AnimationFormat, ExistingFiles, ExportKind, ExportRequest, FrameChoice, MeshFormat};
use smirk_face::motion::FrameRate;
use smirk_session::SheetOf;

use super::choice;
use crate::context::PanelContext;
use crate::widgets::{Number, checkbox_ui};

pub(super) fn animation_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    choice("Format").row_ui(ui, &mut cx.state.export.animation, AnimationFormat::ALL, |format| {
        (format.label().into(), format.about())
    });
    frames_ui(ui, cx);
    let request = &mut cx.state.export;
    if request.animation.can_hold_head() {
        checkbox_ui(ui, &mut request.with_head, "With the head")
            .on_hover_text("Otherwise the file has the names of the shapes and their weights only");
        if request.with_head {
            as_shown_ui(ui, cx);
        }
    }
    let request = &mut cx.state.export;
    if request.animation.can_hold_clips() && cx.session.edits.playable_takes().count() > 1 {
        checkbox_ui(ui, &mut request.all_takes, "Every take as a clip")
            .on_hover_text("All takes of the project in one file; otherwise what plays");
    }
    if request.animation.can_hold_sparse_keys() {
        checkbox_ui(ui, &mut request.is_sampled, "A key at every frame")
            .on_hover_text("Otherwise as few keys as stay within the tolerance");
        if !request.is_sampled {
            tolerance_ui(ui, &mut request.tolerance);
        }
    }
}

fn tolerance_ui(ui: &mut egui::Ui, tolerance: &mut f32) {
    let choices = [ExportRequest::LEAST_TOLERANCE, 1e-4, 1e-3, 1e-2];
    choice("Tolerance").row_ui(ui, tolerance, choices, |value| {
        let words = if value == ExportRequest::LEAST_TOLERANCE { "Exact".into() } else { format!("{value}").into() };
        (words, "How far a weight may be from what plays; a larger tolerance has fewer keys")
    });
}

pub(super) fn mesh_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    choice("Format").row_ui(ui, &mut cx.state.export.mesh, MeshFormat::ALL, |format| {
        let about = match format {
            MeshFormat::Obj => "One file, or one for each frame",
            MeshFormat::Glb => "The current frame, with its materials",
            MeshFormat::Pc2 => "The points at every frame: 3ds Max, Blender, Houdini",
            MeshFormat::Mdd => "The points at every frame: LightWave, Blender, Maya",
        };
        (format.label().into(), about)
    });
    if cx.state.export.mesh != MeshFormat::Glb {
        frames_ui(ui, cx);
    }
    checkbox_ui(ui, &mut cx.state.export.only_visible, "Only visible meshes")
        .on_hover_text("Leave out meshes whose materials are wholly transparent");
    as_shown_ui(ui, cx);
    existing_ui(ui, cx);
}

pub(super) fn head_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let request = &mut cx.state.export;
    let mut is_small = request.max_error_mm.is_some();
    let tip = "As small as it can be while no vertex of a shape, at any weight from 0 to 1, is further off";
    if checkbox_ui(ui, &mut is_small, "Small, within an error").on_hover_text(tip).changed() {
        request.max_error_mm = is_small.then_some(ExportRequest::USUAL_ERROR_MM);
    }
    if let Some(error) = &mut request.max_error_mm {
        let [least, most] = ExportRequest::ERRORS_MM;
        let value = DragValue::new(error).range(least..=most).suffix(" mm").speed(0.001).max_decimals(3);
        let (name, tip) = ("Largest error", "Measured in the file that was written, and said when it is there");
        Number { label: name, name, tip, width: 80.0 }.row_ui(ui, value);
        checkbox_ui(ui, &mut request.is_compressed, "Compressed (meshopt)")
            .on_hover_text("Much smaller, with vertices in another order, for programs that read EXT_meshopt_compression; never in a .vrm");
    }
    as_shown_ui(ui, cx);
}

/// Whether a head that lies in its file is written as it is shown.
pub(super) fn as_shown_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let rig = &cx.session.head.rig;
    if rig.is_turned() {
        let tip =
            format!("+Y is up and +Z the front; otherwise {} is up, as in the head's file", rig.stands.up().label());
        checkbox_ui(ui, &mut cx.state.export.as_shown, "Upright, as shown").on_hover_text(tip);
    }
}

/// What happens with files that exist, if there are several to write.
pub(super) fn existing_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let request = &mut cx.state.export;
    if !request.is_sequence(cx.session) {
        return;
    }
    let can_keep = request.kind == ExportKind::Pictures;
    let all = [ExistingFiles::Stop, ExistingFiles::Replace, ExistingFiles::Keep];
    let choices = all.into_iter().take(if can_keep { 3 } else { 2 });
    choice("If files exist").row_ui(ui, &mut request.existing, choices, |existing| match existing {
        ExistingFiles::Replace => ("Overwrite".into(), "Files of the same names are replaced"),
        ExistingFiles::Keep if can_keep => ("Keep".into(), "Only frames are drawn whose files are not there, whole"),
        ExistingFiles::Stop | ExistingFiles::Keep => ("Stop".into(), "Write nothing if a file is there"),
    });
}

pub(super) fn frames_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    if cx.session.timeline_secs() == 0.0 {
        // Without a timeline there are no frames to choose from; the forecast shows what is exported.
        return;
    }
    let request = &mut cx.state.export;
    let can_be_one = request.has_file_for_each_frame();
    let choices = [Some(FrameChoice::InToOut), Some(FrameChoice::All), None];
    let choices = choices.into_iter().take(if can_be_one { 3 } else { 2 });
    let mut chosen = (!(can_be_one && request.is_one_moment)).then_some(request.frames);
    choice("Frames").row_ui(ui, &mut chosen, choices, |choice| match choice {
        Some(FrameChoice::InToOut) => ("From in to out".into(), "What plays: I and O set its ends"),
        Some(FrameChoice::All) => ("Whole timeline".into(), "Whatever in and out are"),
        None => ("Current frame".into(), "The face as it is now"),
    });
    if can_be_one {
        request.is_one_moment = chosen.is_none();
    }
    request.frames = chosen.unwrap_or(request.frames);
    if !request.is_still(cx.session) {
        rate_ui(ui, cx.session.edits.timeline.rate, &mut request.rate);
    }
}

fn rate_ui(ui: &mut egui::Ui, own: FrameRate, rate: &mut Option<FrameRate>) {
    let choices = std::iter::once(None).chain(FrameRate::USUAL.map(Some));
    choice("Frame rate").row_ui(ui, rate, choices, |rate| match rate {
        None => (format!("Timeline ({})", own.label()).into(), "That of the timeline"),
        Some(rate) => (format!("{} fps", rate.label()).into(), "Frames per second"),
    });
}

pub(super) fn sheet_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let request = &mut cx.state.export;
    let choices = [SheetOf::Expressions, SheetOf::Poses, SheetOf::Moments, SheetOf::Notes];
    choice("Pictures of").row_ui(ui, &mut request.sheet, choices, |of| match of {
        SheetOf::Expressions => ("Expressions".into(), "Every expression alone"),
        SheetOf::Poses => ("Poses".into(), "Every saved pose"),
        SheetOf::Moments => ("The timeline".into(), "Moments from in to out, evenly spaced"),
        SheetOf::Notes => ("Notes".into(), "The face of each review note, with its number and text"),
    });
    choice("Format").row_ui(ui, &mut request.is_pdf, [false, true], |is_pdf| match is_pdf {
        false => ("PNG".into(), "A picture"),
        true => ("PDF, one page".into(), "For printing and reviews"),
    });
}

pub(super) fn turn_ui(ui: &mut egui::Ui, request: &mut ExportRequest) {
    checkbox_ui(ui, &mut request.is_turning, "Turntable").on_hover_text("The camera goes around the head");
    if request.is_turning {
        let [least, most] = ExportRequest::TURN_SECS;
        let (name, tip) = ("One turn", "Seconds in which the camera goes around once");
        let value = DragValue::new(&mut request.turn_secs).range(least..=most).suffix(" s").speed(0.2);
        Number { label: name, name, tip, width: 64.0 }.row_ui(ui, value);
    }
}
