//! The settings of animations, meshes and contact sheets.

use smirk_editor::export::{AnimationFormat, ExistingFiles, ExportKind, ExportRequest, FrameChoice, MeshFormat};
use smirk_editor::session::{Session, SheetOf};
use smirk_face::motion::FrameRate;

use super::rows::{choice_ui, number_ui};

/// The settings of an animation.
pub(super) fn animation_ui(ui: &mut egui::Ui, session: &Session, request: &mut ExportRequest) {
    choice_ui(ui, "Format", &mut request.animation, &AnimationFormat::ALL, |format| {
        (format.label().to_owned(), about(format))
    });
    frames_ui(ui, session, request);
    if request.animation.can_hold_head() {
        ui.checkbox(&mut request.with_head, "With the head")
            .on_hover_text("Otherwise the file has the names of the shapes and their weights only");
    }
    if request.animation.can_hold_clips() && session.edits.takes.len() > 1 {
        ui.checkbox(&mut request.all_takes, "Every take as a clip")
            .on_hover_text("All takes of the project in one file; otherwise what plays");
    }
    if request.animation.can_hold_sparse_keys() {
        ui.checkbox(&mut request.is_sampled, "A key at every frame")
            .on_hover_text("Otherwise as few keys as stay within the tolerance");
        if !request.is_sampled {
            tolerance_ui(ui, &mut request.tolerance);
        }
    }
}

fn tolerance_ui(ui: &mut egui::Ui, tolerance: &mut f32) {
    let choices = [ExportRequest::LEAST_TOLERANCE, 1e-4, 1e-3, 1e-2];
    choice_ui(ui, "Tolerance", tolerance, &choices, |value| {
        let words = if value == ExportRequest::LEAST_TOLERANCE { "Exact".to_owned() } else { format!("{value}") };
        (words, "How far a weight may be from what plays; a larger tolerance has fewer keys")
    });
}

fn about(format: AnimationFormat) -> &'static str {
    match format {
        AnimationFormat::Gltf => "Blender, Unreal, Unity, three.js and most other programs",
        AnimationFormat::Fbx => "Maya, MotionBuilder, Unreal, Unity",
        AnimationFormat::Usd => "Omniverse, Houdini, Blender: UsdSkel, as text",
        AnimationFormat::LiveLink => "Unreal: ARKit's 52 shapes and nine angles, with timecode",
        AnimationFormat::Audio2Face => "NVIDIA Audio2Face",
        AnimationFormat::MediaPipe => "Frames with scores, as MediaPipe Face Landmarker gives them",
        AnimationFormat::Table => "A column for each channel and a row for each frame, for spreadsheets",
        AnimationFormat::Keys => "A list of keys for each channel",
    }
}

/// The settings of a mesh.
pub(super) fn mesh_ui(ui: &mut egui::Ui, session: &Session, request: &mut ExportRequest) {
    choice_ui(ui, "Format", &mut request.mesh, &MeshFormat::ALL, |format| {
        let about = match format {
            MeshFormat::Obj => "One file, or one for each frame",
            MeshFormat::Glb => "The current frame, with its materials",
            MeshFormat::Pc2 => "The points at every frame: 3ds Max, Blender, Houdini",
            MeshFormat::Mdd => "The points at every frame: LightWave, Blender, Maya",
        };
        (format.label().to_owned(), about)
    });
    if request.mesh != MeshFormat::Glb {
        frames_ui(ui, session, request);
    }
    ui.checkbox(&mut request.only_visible, "Only visible meshes")
        .on_hover_text("Leave out meshes whose materials are wholly transparent");
    existing_ui(ui, session, request);
}

/// What happens with files that are there, if there are several to write.
pub(super) fn existing_ui(ui: &mut egui::Ui, session: &Session, request: &mut ExportRequest) {
    if !request.is_sequence(session) {
        return;
    }
    let can_keep = request.kind == ExportKind::Pictures;
    let all = [ExistingFiles::Stop, ExistingFiles::Replace, ExistingFiles::Keep];
    let choices = if can_keep { &all[..] } else { &all[..2] };
    choice_ui(ui, "Files that are there", &mut request.existing, choices, |existing| match existing {
        ExistingFiles::Replace => ("Replace".to_owned(), "Files of the same names are replaced"),
        ExistingFiles::Keep if can_keep => {
            ("Keep".to_owned(), "Only frames are drawn whose files are not there, whole")
        }
        ExistingFiles::Stop | ExistingFiles::Keep => ("Stop".to_owned(), "Write nothing if a file is there"),
    });
}

/// Which frames, and how many a second.
pub(super) fn frames_ui(ui: &mut egui::Ui, session: &Session, request: &mut ExportRequest) {
    if session.timeline_secs() == 0.0 {
        // There is only the current frame, a turn of the camera, or nothing, as the forecast says.
        return;
    }
    let can_be_one = match request.kind {
        ExportKind::Pictures => true,
        ExportKind::Mesh => request.mesh == MeshFormat::Obj,
        ExportKind::Animation | ExportKind::Head | ExportKind::Film | ExportKind::Sheet => false,
    };
    let choices = [Some(FrameChoice::InToOut), Some(FrameChoice::All), None];
    let mut chosen = (!(can_be_one && request.is_one_moment)).then_some(request.frames);
    choice_ui(ui, "Frames", &mut chosen, &choices[..if can_be_one { 3 } else { 2 }], |choice| match choice {
        Some(FrameChoice::InToOut) => ("From in to out".to_owned(), "What plays: I and O set its ends"),
        Some(FrameChoice::All) => ("Whole timeline".to_owned(), "Whatever in and out are"),
        None => ("Current frame".to_owned(), "The face as it is now"),
    });
    if can_be_one {
        request.is_one_moment = chosen.is_none();
    }
    request.frames = chosen.unwrap_or(request.frames);
    if !request.is_still(session) {
        rate_ui(ui, session, &mut request.rate);
    }
}

fn rate_ui(ui: &mut egui::Ui, session: &Session, rate: &mut Option<FrameRate>) {
    let own = session.edits.timeline.rate;
    let choices: Vec<Option<FrameRate>> = std::iter::once(None).chain(FrameRate::USUAL.map(Some)).collect();
    choice_ui(ui, "Frame rate", rate, &choices, |rate| match rate {
        None => (format!("Timeline ({})", own.label()), "That of the timeline"),
        Some(rate) => (format!("{} fps", rate.label()), "Frames per second"),
    });
}

/// The settings of a contact sheet.
pub(super) fn sheet_ui(ui: &mut egui::Ui, request: &mut ExportRequest) {
    let choices = [SheetOf::Expressions, SheetOf::Poses, SheetOf::Moments];
    choice_ui(ui, "Pictures of", &mut request.sheet, &choices, |of| match of {
        SheetOf::Expressions => ("Expressions".to_owned(), "Every expression alone"),
        SheetOf::Poses => ("Poses".to_owned(), "Every saved pose"),
        SheetOf::Moments => ("The timeline".to_owned(), "Moments from in to out, evenly spaced"),
    });
    choice_ui(ui, "Format", &mut request.is_pdf, &[false, true], |is_pdf| match is_pdf {
        false => ("PNG".to_owned(), "A picture"),
        true => ("PDF, one page".to_owned(), "For printing and reviews"),
    });
}

/// A number of seconds for a turn of the camera.
pub(super) fn turn_ui(ui: &mut egui::Ui, request: &mut ExportRequest) {
    ui.checkbox(&mut request.is_turning, "Turntable").on_hover_text("The camera goes around the head");
    if request.is_turning {
        let [least, most] = ExportRequest::TURN_SECS;
        number_ui(
            ui,
            "One turn",
            "Seconds in which the camera goes around once",
            &mut request.turn_secs,
            least..=most,
            " s",
        );
    }
}
