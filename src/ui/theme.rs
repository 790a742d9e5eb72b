//! The only home of colours, type sizes and spacing: neutral greys that leave the judgement of skin to the picture,
//! one accent, and amber for what a clip drives. Text keeps at least 4.5:1 against what it stands on.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Theme, Vec2, vec2};

use crate::blend::BlendMode;

/// Behind the picture.
pub const BACKDROP: Color32 = Color32::from_rgb(20, 20, 21);
/// Side panels and bars.
pub const PANEL: Color32 = Color32::from_rgb(30, 30, 32);
/// Menus, cards, tooltips: one step above the panels.
pub const RAISED: Color32 = Color32::from_rgb(39, 39, 42);
/// Lines between areas.
pub const LINE: Color32 = Color32::from_rgb(58, 58, 62);
/// The empty part of a bar, a field's inside.
pub const WELL: Color32 = Color32::from_rgb(46, 46, 50);
/// The same under the pointer.
pub const WELL_HOVERED: Color32 = Color32::from_rgb(58, 58, 63);
/// Text.
pub const TEXT: Color32 = Color32::from_rgb(226, 226, 229);
/// Text of second rank.
pub const TEXT_WEAK: Color32 = Color32::from_rgb(160, 160, 167);
/// Marks that only wait to be found.
pub const MARK: Color32 = Color32::from_rgb(112, 112, 120);
/// Marks that stand in every row and must not shout.
pub const MARK_FAINT: Color32 = Color32::from_rgb(82, 82, 89);
/// The filled part of a bar; carries [`TEXT`].
pub const ACCENT: Color32 = Color32::from_rgb(44, 94, 148);
/// The same under the pointer.
pub const ACCENT_HOVERED: Color32 = Color32::from_rgb(50, 103, 161);
/// Focus, links, what is beyond a bar's range.
pub const ACCENT_BRIGHT: Color32 = Color32::from_rgb(116, 180, 246);
/// The empty part of a bar that a clip drives.
pub const DRIVEN_WELL: Color32 = Color32::from_rgb(48, 42, 30);
/// Its filled part; carries [`DRIVEN_TEXT`].
pub const DRIVEN: Color32 = Color32::from_rgb(112, 79, 20);
/// Text and marks of a driven row.
pub const DRIVEN_TEXT: Color32 = Color32::from_rgb(246, 222, 170);
/// The lock that a click opens.
pub const DRIVEN_BRIGHT: Color32 = Color32::from_rgb(236, 178, 72);
/// The filled part of a bar that a pose holds; carries [`TEXT`].
pub const POSED: Color32 = Color32::from_rgb(50, 98, 88);
/// The same under the pointer.
pub const POSED_HOVERED: Color32 = Color32::from_rgb(56, 108, 97);
/// The mark of a pose.
pub const POSED_BRIGHT: Color32 = Color32::from_rgb(122, 208, 186);
/// Warnings.
pub const WARNING: Color32 = Color32::from_rgb(236, 178, 72);
/// Failures.
pub const ERROR: Color32 = Color32::from_rgb(244, 128, 118);
/// Behind controls that lie on the picture.
pub const OVERLAY: Color32 = Color32::from_rgba_premultiplied(26, 26, 28, 224);
/// Over the picture while a file hovers.
pub const DROP_VEIL: Color32 = Color32::from_rgba_premultiplied(14, 26, 40, 200);

/// The colour of curve `index`: neighbours in a list are far apart on the wheel.
pub fn curve_color(index: usize) -> Color32 {
    const GOLDEN_RATIO: f32 = 0.618_034;
    let hue = (index as f32 * GOLDEN_RATIO).fract();
    egui::ecolor::Hsva::new(hue, 0.66, 0.95, 1.0).into()
}

/// The colour of a blend mode: apart from each other for any eye, and none of them a warning.
pub fn mode_color(mode: BlendMode) -> Color32 {
    match mode {
        BlendMode::Cpu => Color32::from_rgb(236, 178, 72),
        BlendMode::Vertex => Color32::from_rgb(116, 180, 246),
        BlendMode::Compute => Color32::from_rgb(122, 208, 186),
        BlendMode::Multipass => Color32::from_rgb(202, 158, 250),
    }
}

/// Half a step.
pub const GAP_SMALL: f32 = 4.0;
/// One step of the grid.
pub const GAP: f32 = 8.0;
/// Between groups.
pub const GAP_LARGE: f32 = 16.0;
/// A bar in a list.
pub const BAR_HEIGHT: f32 = 24.0;
/// A bar of second rank: one mesh's target.
pub const BAR_HEIGHT_THIN: f32 = 18.0;
/// From one list row to the next.
pub const ROW_HEIGHT: f32 = BAR_HEIGHT + GAP_SMALL;
/// A drop-down list on a page.
pub const COMBO_WIDTH: f32 = 128.0;
/// A square button that holds a mark.
pub const MARK_SIZE: f32 = 20.0;
/// Corners of bars and buttons.
pub const ROUNDING: CornerRadius = CornerRadius::same(4);
/// Corners of cards and menus.
pub const ROUNDING_LARGE: CornerRadius = CornerRadius::same(6);

/// Type for names and buttons.
pub fn body_font() -> FontId {
    FontId::new(13.5, FontFamily::Proportional)
}

/// Type for numbers: the default font's digits are all equally wide, so columns of them stand still while they change.
pub fn number_font() -> FontId {
    FontId::new(13.0, FontFamily::Proportional)
}

/// Type of second rank.
pub fn small_font() -> FontId {
    FontId::new(12.0, FontFamily::Proportional)
}

/// Type for the one sentence on an empty picture.
pub fn hint_font() -> FontId {
    FontId::new(18.0, FontFamily::Proportional)
}

/// A card on the picture.
pub fn card() -> egui::Frame {
    egui::Frame::new()
        .fill(RAISED)
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(ROUNDING_LARGE)
        .inner_margin(Margin::same(12))
}

/// A panel at the window's edge. It has no ground of its own: the window is cleared to [`PANEL`], which costs a software
/// adapter nothing, while a filled rectangle costs it as much as a picture of that size.
pub fn panel(margin: Margin) -> egui::Frame {
    egui::Frame::new().inner_margin(margin)
}

/// Dresses a context; once, before the first frame.
pub fn install(ctx: &egui::Context) {
    ctx.set_theme(Theme::Dark);
    ctx.style_mut_of(Theme::Dark, |style| {
        style.text_styles = [
            (TextStyle::Small, small_font()),
            (TextStyle::Body, body_font()),
            (TextStyle::Button, body_font()),
            (TextStyle::Monospace, number_font()),
            (TextStyle::Heading, FontId::new(15.0, FontFamily::Proportional)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(GAP, GAP_SMALL);
        spacing.button_padding = vec2(GAP, 3.0);
        spacing.interact_size = Vec2::new(36.0, BAR_HEIGHT);
        spacing.menu_margin = Margin::same(6);
        spacing.window_margin = Margin::same(12);
        spacing.combo_width = 64.0;
        spacing.icon_width = 14.0;
        spacing.scroll = egui::style::ScrollStyle {
            bar_width: 8.0,
            floating_allocated_width: 10.0,
            floating_width: 4.0,
            dormant_handle_opacity: 0.35,
            ..egui::style::ScrollStyle::floating()
        };
        // Long enough not to cover the face when a hand has just let go of a slider.
        style.interaction.tooltip_delay = 0.9;
        style.visuals = visuals();
        // A blinking cursor would keep an idle window drawing.
        style.visuals.text_cursor.blink = false;
        style.animation_time = 0.1;
    });
}

fn visuals() -> egui::Visuals {
    let mut visuals = egui::Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = RAISED;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = ROUNDING_LARGE;
    visuals.menu_corner_radius = ROUNDING_LARGE;
    let shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(110) };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.extreme_bg_color = BACKDROP;
    visuals.text_edit_bg_color = Some(WELL);
    visuals.faint_bg_color = WELL;
    visuals.weak_text_color = Some(TEXT_WEAK);
    visuals.hyperlink_color = ACCENT_BRIGHT;
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = ERROR;
    visuals.selection.bg_fill = ACCENT;
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_fill = PANEL;
    widgets.noninteractive.weak_bg_fill = PANEL;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    let clickable = [
        (&mut widgets.inactive, WELL, Stroke::new(1.0, LINE)),
        (&mut widgets.hovered, WELL_HOVERED, Stroke::new(1.0, MARK)),
        (&mut widgets.active, ACCENT, Stroke::new(1.0, ACCENT_BRIGHT)),
        (&mut widgets.open, WELL_HOVERED, Stroke::new(1.0, MARK)),
    ];
    for (widget, fill, stroke) in clickable {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = stroke;
        widget.fg_stroke = Stroke::new(1.0, TEXT);
        widget.corner_radius = ROUNDING;
        widget.expansion = 0.0;
    }
    // egui paints strong text in the colour of what is pressed.
    widgets.active.fg_stroke = Stroke::new(1.0, Color32::WHITE);
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: Color32) -> f32 {
        let [r, g, b, _] = egui::Rgba::from(color).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_stands_out_from_what_it_stands_on() {
        let grounds = [BACKDROP, PANEL, RAISED, WELL, WELL_HOVERED];
        let mut pairs: Vec<_> = grounds.iter().map(|&ground| (TEXT, ground)).collect();
        pairs.extend([PANEL, RAISED, WELL].map(|ground| (TEXT_WEAK, ground)));
        pairs.extend([PANEL, RAISED].map(|ground| (ERROR, ground)));
        pairs.extend([PANEL, RAISED].map(|ground| (WARNING, ground)));
        pairs.extend([(TEXT, ACCENT), (TEXT, ACCENT_HOVERED), (DRIVEN_TEXT, DRIVEN), (DRIVEN_TEXT, DRIVEN_WELL)]);
        for (text, ground) in pairs {
            let ratio = contrast(text, ground);
            assert!(ratio >= 4.5, "{text:?} on {ground:?}: {ratio:.2}:1");
        }
    }
}
