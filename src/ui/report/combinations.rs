//! The section of the Report page with the combinations of expressions that break the face.

use std::sync::Arc;

use egui::{Link, Sense, Stroke, StrokeKind, Vec2, vec2};

use crate::command::Command;
use crate::context::PanelContext;
use crate::notes;
use crate::theme;
use crate::thumbnails::{PictureOf, paint_thumbnail};
use crate::widgets::{Icon, WorkAction, WorkTexts, text, title_ui, work_ui, wrapped_ui};
use smirk_analysis::judge::{Judged, judge};
use smirk_analysis::lint::Rule;
use smirk_analysis::mend::{Kind, Mend, Pinch};
use smirk_base::derived::Derived;
use smirk_base::job::{Job, OnDrop};
use smirk_export::{ExportKind, ExportRequest, MeshFormat};
use smirk_face::head::{HeadId, OfHead};
use smirk_scene::ViewMode;
use smirk_session::Session;

const MOST: usize = 12;
const PICTURE: f32 = 76.0;
const SHOW: &str = "Show on the face";
const PUSH: &str = "Adds a mend: a corrective that pushes what crosses apart. All are tested again then";
const SCULPT: &str = "Shows this face and saves it as a mesh. Sculpt it, drop it on the window while the face is shown, and choose \
                      \"Sculpted on the face that is shown\": it becomes a corrective of these shapes";

/// The combinations that were tried of a head.
pub(super) type Tried = Derived<HeadId, Arc<OfHead<Vec<Judged>>>>;

/// `pushed` is the head of which a combination was pushed apart: the head that comes of it is tried at once.
pub(super) fn combinations_ui(
    ui: &mut egui::Ui,
    cx: &mut PanelContext<'_>,
    tried: &mut Tried,
    pushed: &mut Option<HeadId>,
) {
    title_ui(ui, "Combinations", |_| {});
    let head = cx.session.head.clone();
    let id = HeadId::new(&head);
    let status = tried.status(&id);
    let mut is_pushed = false;
    let action = work_ui(ui, &status, &TEXTS, |ui, judged| match judged.get(&head) {
        Some(judged) => is_pushed = list_ui(ui, cx, judged),
        None => drop(ui.weak(TEXTS.not_done)),
    });
    if is_pushed {
        *pushed = Some(HeadId::new(&head));
    }
    let is_new = pushed.as_ref().is_some_and(|pushed| *pushed != id) && !cx.session.needs_mending();
    let action = if is_new { Some(WorkAction::Begin) } else { action };
    match action {
        None => {}
        Some(WorkAction::Begin) => {
            *pushed = None;
            tried.start(id, || {
                Job::spawn("combinations", OnDrop::Detach, (cx.readings.notifier)(), move |control| {
                    Ok(Arc::new(OfHead::with(&head, judge(&head, control.progress())?)))
                })
            });
        }
        Some(WorkAction::Cancel) => tried.cancel(),
    }
}

const TEXTS: WorkTexts = WorkTexts {
    begin: "Test combinations…",
    again: "Test again",
    not_done: "Not tested yet.",
    about: "Put expressions together that often break a face, and look for lids, lips, teeth and eyes that go through each other. Takes some \
            seconds",
};

/// Shows the worst combinations. Returns whether one is to be pushed apart.
fn list_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, judged: &[Judged]) -> bool {
    let mut is_pushed = false;
    cx.state.thumbnail_textures.remove_outdated(cx.readings.thumbnails_of(&cx.session.head));
    let worst: Vec<&Judged> = judged.iter().filter(|judged| judged.severity() > 0.0).take(MOST).collect();
    if worst.is_empty() {
        ui.weak(format!("{} tested: nothing intersects.", text::counted(judged.len(), "combination")));
        return false;
    }
    ui.weak(format!("The worst of the {} tested", judged.len()));
    ui.add_space(theme::GAP_SMALL);
    let mix = cx.session.mix();
    for judged in worst {
        let is_shown = is_shown(cx.session, &mix.weights, judged);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::GAP, 2.0);
            let is_picture_clicked = picture_ui(ui, cx, judged, is_shown);
            ui.vertical(|ui| {
                let link = ui.add(Link::new(text::shown(&judged.combination.name(&cx.session.head))));
                if link.on_hover_text(SHOW).clicked() || is_picture_clicked {
                    show(cx.session, judged);
                }
                let facts = judged.facts();
                if !facts.is_empty() {
                    wrapped_ui(ui, facts, theme::TEXT_WEAK);
                }
                let (rule, channels) = (Rule::Combination.keyword(), &judged.combination.channels);
                notes::finding_link_ui(ui, cx, rule, &judged.combination.name(&cx.session.head.clone()), channels);
                ui.horizontal(|ui| {
                    if judged.added_mm > 0.0 && ui.button("Push apart").on_hover_text(PUSH).clicked() {
                        let names = channels.iter().map(|&channel| cx.session.head.channels[channel].full_name.clone());
                        cx.marks.new_mend = Some(Mend::of_shapes(Kind::Pinch(Pinch::default()), names));
                        is_pushed = true;
                    }
                    if ui.button("Sculpt…").on_hover_text(SCULPT).clicked() {
                        show(cx.session, judged);
                        cx.commands.push(Command::Export(ExportRequest {
                            kind: ExportKind::Mesh,
                            mesh: MeshFormat::Obj,
                            is_one_moment: true,
                            ..ExportRequest::default()
                        }));
                    }
                });
            });
        });
        ui.add_space(theme::GAP_SMALL);
    }
    is_pushed
}

/// Shows the picture of a combination, with a frame if the face shows it. Returns whether it was clicked.
fn picture_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, judged: &Judged, is_shown: bool) -> bool {
    // The link beside it takes the keyboard focus.
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(PICTURE), Sense::CLICK);
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let (channels, view) = (judged.combination.channels.clone(), ViewMode::Intersections);
    cx.visible_pictures().channels.push((channels.clone(), view, Some(judged.intersections.marked.clone())));
    ui.painter().rect_filled(rect, theme::ROUNDING, if response.hovered() { theme::WELL_HOVERED } else { theme::WELL });
    let textures = &mut cx.state.thumbnail_textures;
    match textures.texture(ui.ctx(), PictureOf::Channels(channels, view), cx.readings.thumbnails_of(&cx.session.head)) {
        Some(texture) => paint_thumbnail(ui.painter(), rect, texture, 1.0),
        None => Icon::Face.paint(ui.painter(), rect, theme::ICON_FAINT),
    }
    if is_shown {
        let frame = Stroke::new(2.0, theme::ACCENT_BRIGHT);
        ui.painter().rect_stroke(rect, theme::ROUNDING, frame, StrokeKind::Inside);
    }
    response.on_hover_text(SHOW).clicked()
}

fn value_in(session: &Session, judged: &Judged, channel: usize) -> f32 {
    if judged.combination.channels.contains(&channel) { 1.0 } else { session.channel_default(channel) }
}

/// Whether the face with these weights shows a combination.
fn is_shown(session: &Session, weights: &[f32], judged: &Judged) -> bool {
    (0..session.head.channels.len())
        .all(|channel| (session.head.channel_value(channel, weights) - value_in(session, judged, channel)).abs() < 1e-3)
}

/// Holds the channels of a combination at full weight and all others at rest, whatever drives them, and colours the
/// intersections.
fn show(session: &mut Session, judged: &Judged) {
    for channel in 0..session.head.channels.len() {
        let value = value_in(session, judged, channel);
        session.channels_mut([channel]).set(value);
    }
    session.edits.look.view = ViewMode::Intersections;
}
