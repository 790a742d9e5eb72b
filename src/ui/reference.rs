//! The reference: an image or an image sequence in a pane beside the face, or over it, under the play head.

use std::fmt;
use std::sync::Arc;

use egui::{
    Align, Button, Color32, ColorImage, DragValue, Label, Layout, Margin, Panel, Rangef, Rect, RichText, Role, Sense,
    TextureHandle, TextureOptions, Vec2, WidgetInfo, pos2, vec2,
};
use image::RgbaImage;

use smirk_session::{Placement, Reference, ReferencePlace};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::readings::ReferenceView;
use crate::shortcuts::{Action, keys_of};
use crate::widgets::{Bar, Icon, NumberField, PanelSize, TipSide, bar_ui, grip_ui, icon_button_inline_ui};
use crate::widgets::{keep_tips_off, mark_nudge, text};
use crate::{comparison, theme};

const NARROWEST: f32 = 232.0;
/// The opacity of the picture in the pane while it is also shown over the face.
const FAINT: f32 = 0.35;

/// The pane of the reference: its picture with a zoom and pan of its own, above its controls.
#[derive(Default)]
pub(crate) struct ReferencePane {
    texture: Option<(Arc<RgbaImage>, TextureHandle)>,
    placement: Placement,
    size: PanelSize,
}

impl ReferencePane {
    /// The texture of the shown image. There is one texture, which is replaced with the image.
    fn texture(&mut self, ctx: &egui::Context, view: &ReferenceView<'_>) -> Option<&TextureHandle> {
        let Some(image) = view.image else {
            self.free();
            return None;
        };
        let is_current = self.texture.as_ref().is_some_and(|(shown, _)| Arc::ptr_eq(shown, image));
        if !is_current {
            let size = [image.width() as usize, image.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
            match &mut self.texture {
                Some((shown, texture)) => {
                    *shown = image.clone();
                    texture.set(pixels, TextureOptions::LINEAR);
                }
                None => {
                    let texture = ctx.load_texture("reference", pixels, TextureOptions::LINEAR);
                    self.texture = Some((image.clone(), texture));
                }
            }
        }
        self.texture.as_ref().map(|(_, texture)| texture)
    }

    fn free(&mut self) {
        self.texture = None;
    }

    /// Shows the pane beside the viewport, if a reference is open. One that is over the picture has its controls here
    /// too.
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let (Some(before), Some(shown)) = (cx.session.edits.reference.clone(), cx.readings.reference) else {
            return self.free();
        };
        let mut edited = Some(before.clone());
        let width = cx.state.panels.reference_width;
        // At least half of the width stays for the face, if the controls leave so much.
        let range = Rangef::new(NARROWEST, (ui.available_width() * 0.5).max(NARROWEST));
        self.size.apply(ui, "reference", width, range);
        let panel = Panel::left("reference").frame(theme::panel(Margin::same(8))).default_size(width).size_range(range);
        let panel = panel.show(ui, |ui| {
            ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
                self.controls_ui(ui, &mut edited, shown, cx);
                self.picture_ui(ui, &mut edited, shown, cx);
            });
        });
        let rect = panel.response.rect;
        keep_tips_off(ui.ctx(), rect, TipSide::Right);
        cx.state.panels.reference_width = self.size.preferred(width, rect.width());
        grip_ui(
            ui,
            [rect.right_top(), rect.right_bottom()],
            "The reference takes at most half of the width beside the list",
        );
        if edited.as_ref() != Some(&before) {
            cx.session.edits.reference = edited.map(Reference::within_reason);
        }
    }

    /// The picture, or one line in its place. Over the face, drags and the wheel move it there.
    fn picture_ui(
        &mut self,
        ui: &mut egui::Ui,
        edited: &mut Option<Reference>,
        shown: &ReferenceView<'_>,
        cx: &mut PanelContext<'_>,
    ) {
        let Some(reference) = edited else { return };
        let rect = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Reference"));
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, theme::ROUNDING, theme::BACKDROP);
        if let Some(problem) = shown.problem {
            let label = Label::new(RichText::new(text::shown_message(problem)).color(theme::ERROR)).wrap();
            ui.put(rect.shrink(theme::GAP_LARGE), label);
            return;
        }
        let is_over = reference.place == ReferencePlace::Over;
        let in_pane = if is_over {
            let viewport_height = cx.state.viewport_size_px[1] as f32 / ui.pixels_per_point();
            if move_ui(ui, &response, &mut reference.placement, None, viewport_height) {
                mark_nudge(ui);
            }
            Placement::default()
        } else {
            let from_middle = response.hover_pos().map(|pointer| pointer - rect.center());
            move_ui(ui, &response, &mut self.placement, from_middle, rect.height());
            self.placement
        };
        let opacity = if is_over { FAINT } else { 1.0 };
        if let Some(texture) = self.texture(ui.ctx(), shown) {
            paint(&painter, texture, placed(in_pane, rect, size_of(texture)), opacity);
        }
        if is_over {
            let hint = Label::new("Drag and scroll here to move it over the face").selectable(false).wrap();
            ui.put(rect.shrink(theme::GAP_LARGE), hint);
        }
    }

    fn controls_ui(
        &mut self,
        ui: &mut egui::Ui,
        edited: &mut Option<Reference>,
        shown: &ReferenceView<'_>,
        cx: &mut PanelContext<'_>,
    ) {
        let Some(reference) = edited else { return };
        row_ui(ui, |ui| place_ui(ui, reference));
        if shown.count > 1 {
            row_ui(ui, |ui| sequence_ui(ui, reference));
        }
        if row_ui(ui, |ui| self.name_ui(ui, reference, shown, cx)) {
            *edited = None;
        }
    }

    /// The name or the frame of the picture, and its buttons. Returns whether it was closed.
    fn name_ui(
        &mut self,
        ui: &mut egui::Ui,
        reference: &mut Reference,
        shown: &ReferenceView<'_>,
        cx: &mut PanelContext<'_>,
    ) -> bool {
        let name = reference.file.file_name().unwrap_or(reference.file.as_os_str()).to_string_lossy();
        let frame = if shown.count > 1 && reference.is_sequence {
            format!("{} of {}", shown.frame + 1, shown.count)
        } else {
            text::shown(&name).into_owned()
        };
        let path = text::shown_message(&reference.file.display().to_string());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = (Icon::Close, theme::TEXT_WEAK);
            let is_closed = icon_button_inline_ui(ui, close, "Close reference", "Close the reference").clicked();
            let fit = (Icon::Fit, theme::TEXT_WEAK);
            if icon_button_inline_ui(ui, fit, "Fit reference", "Show all of it").clicked() {
                match reference.place {
                    ReferencePlace::Beside => self.placement = Placement::default(),
                    ReferencePlace::Over => reference.placement = Placement::default(),
                }
            }
            if ui.button("Open…").accessible_name("Open another reference").clicked() {
                cx.commands.push(Command::Choose(OpenAs::Reference));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(
                    Label::new(RichText::new(frame).color(theme::TEXT_WEAK)).truncate().show_tooltip_when_elided(false),
                )
                .on_hover_text(path);
            });
            is_closed
        })
        .inner
    }

    /// Draws the reference over the viewport, if that is its place; over both pictures while there are two side by
    /// side.
    pub(crate) fn over_ui(&mut self, ui: &egui::Ui, viewport: Rect, cx: &PanelContext<'_>) {
        let (Some(reference), Some(shown)) = (&cx.session.edits.reference, cx.readings.reference) else { return };
        if reference.place != ReferencePlace::Over {
            return;
        }
        let [left, right] = comparison::halves(viewport, cx.state);
        let right = (right != left).then_some(right);
        let Some(texture) = self.texture(ui.ctx(), shown) else { return };
        for picture in [left].into_iter().chain(right) {
            let rect = placed(reference.placement, picture, size_of(texture));
            paint(&ui.painter().with_clip_rect(picture), texture, rect, reference.opacity);
        }
    }
}

impl fmt::Debug for ReferencePane {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReferencePane").field("placement", &self.placement).finish_non_exhaustive()
    }
}

/// Where a picture of this size is drawn within a rectangle.
fn placed(placement: Placement, within: Rect, size: Vec2) -> Rect {
    let [min, max] = placement.corners_in([within.min.into(), within.max.into()], size.into());
    Rect::from_min_max(min.into(), max.into())
}

fn paint(painter: &egui::Painter, texture: &TextureHandle, rect: Rect, opacity: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(texture.id(), rect, whole, Color32::WHITE.gamma_multiply(opacity));
}

fn size_of(texture: &TextureHandle) -> Vec2 {
    let [width, height] = texture.size();
    vec2(width as f32, height as f32)
}

/// Moves and magnifies a picture by drags and the wheel, about a point that is given from the middle of what the
/// picture is shown in, whose height is `height`. A double-click shows all of the picture. Returns whether the wheel
/// changed something.
fn move_ui(
    ui: &egui::Ui,
    response: &egui::Response,
    placement: &mut Placement,
    about: Option<Vec2>,
    height: f32,
) -> bool {
    if height <= 0.0 {
        return false;
    }
    if response.dragged() {
        placement.move_by((response.drag_delta() / height).into());
    }
    if response.double_clicked() {
        *placement = Placement::default();
    }
    if !response.hovered() {
        return false;
    }
    let (scroll, pinch) = ui.input_mut(|input| {
        let scroll = input.smooth_scroll_delta.y + input.smooth_scroll_delta.x;
        input.smooth_scroll_delta = Vec2::ZERO;
        (scroll, input.zoom_delta())
    });
    let is_zoomed = scroll != 0.0 || pinch != 1.0;
    if is_zoomed {
        placement.zoom_about(scroll * 0.006 + pinch.log2(), (about.unwrap_or_default() / height).into());
    }
    is_zoomed
}

fn row_ui<T>(ui: &mut egui::Ui, contents: impl FnOnce(&mut egui::Ui) -> T) -> T {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let layout = Layout::left_to_right(Align::Center);
    contents(&mut ui.new_child(egui::UiBuilder::new().max_rect(row).layout(layout)))
}

fn place_ui(ui: &mut egui::Ui, reference: &mut Reference) {
    let is_over = reference.place == ReferencePlace::Over;
    let over = Button::selectable(is_over, "Over the face").frame_when_inactive(true);
    let keys = keys_of(Action::ReferencePlace);
    let tip = format!("Show it over the picture of the head instead of beside it ({keys})");
    if ui.add(over).on_hover_text(tip).clicked() {
        reference.toggle_place();
    }
    if is_over {
        let rect = ui.available_rect_before_wrap();
        bar_ui(ui, rect, Bar::named("Opacity"), &mut reference.opacity, Reference::OPACITY);
    }
}

/// Whether the picture follows the play head, and with which offset and rate.
fn sequence_ui(ui: &mut egui::Ui, reference: &mut Reference) {
    ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
    let sequence = Button::selectable(reference.is_sequence, "Sequence").frame_when_inactive(true);
    let tip =
        "The images that are numbered like it, or the frames of the video, follow the play head. Without, one is shown";
    if ui.add(sequence).on_hover_text(tip).clicked() {
        reference.is_sequence ^= true;
    }
    if reference.is_sequence {
        let rate = DragValue::new(&mut reference.frames_per_sec).range(Reference::RATES).speed(0.1).suffix(" fps");
        ui.add(NumberField(rate)).accessible_name("Reference rate").on_hover_text("Frames per second of the reference");
        let most = Reference::MOST_OFFSET;
        let offset = DragValue::new(&mut reference.offset_frames).range(-most..=most).prefix("offset ").suffix(" f");
        let tip =
            "How many frames of the reference come before the start of the timeline; below 0, how many later it begins";
        ui.add(NumberField(offset)).accessible_name("Reference offset").on_hover_text(tip);
    }
}
