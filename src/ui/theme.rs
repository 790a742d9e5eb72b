//! All colours, text sizes and spacing of the window: neutral greys that do not bias the eye's judgement of skin
//! colours, one accent colour, and a hue for each layer that drives channels. Text has a contrast of at least 4.5:1.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Theme, Vec2, vec2};

use smirk_face::motion::Layer;
use smirk_scene::BlendMode;

/// Background of plots and of text fields.
pub const BACKDROP: Color32 = Color32::from_rgb(20, 20, 21);
pub const PANEL: Color32 = Color32::from_rgb(30, 30, 32);
/// Background of menus, cards and tooltips.
pub const RAISED: Color32 = Color32::from_rgb(39, 39, 42);
pub const LINE: Color32 = Color32::from_rgb(58, 58, 62);
/// Background of sliders, buttons and fields.
pub const WELL: Color32 = Color32::from_rgb(46, 46, 50);
/// Background of sliders that are at zero, in lists of many.
pub const WELL_QUIET: Color32 = Color32::from_rgb(38, 38, 41);
pub const WELL_EDGE: Color32 = Color32::from_rgb(54, 54, 59);
/// Edge of sliders that are at zero, in lists of many.
pub const WELL_EDGE_QUIET: Color32 = Color32::from_rgb(43, 43, 46);
pub const WELL_HOVERED: Color32 = Color32::from_rgb(58, 58, 63);
pub const TEXT: Color32 = Color32::from_rgb(226, 226, 229);
pub const TEXT_WEAK: Color32 = Color32::from_rgb(160, 160, 167);
pub const ICON_WEAK: Color32 = Color32::from_rgb(112, 112, 120);
/// Icons that appear in every row of a list.
pub const ICON_FAINT: Color32 = Color32::from_rgb(82, 82, 89);
/// Fill of a slider, and the selection; [`TEXT`] is drawn on it.
pub const ACCENT: Color32 = Color32::from_rgb(44, 94, 148);
pub const ACCENT_HOVERED: Color32 = Color32::from_rgb(50, 103, 161);
/// Keyboard focus, links, and the part of a slider's value beyond its range.
pub const ACCENT_BRIGHT: Color32 = Color32::from_rgb(116, 180, 246);
/// The play head of the time bar, which belongs to no single layer.
pub const PLAY_HEAD: Color32 = Color32::from_rgb(205, 205, 210);
pub const SUCCESS: Color32 = Color32::from_rgb(122, 208, 186);
pub const WAVEFORM: Color32 = Color32::from_rgb(92, 138, 152);
pub const MARKER: Color32 = Color32::from_rgb(196, 158, 226);
pub const WARNING: Color32 = Color32::from_rgb(236, 178, 72);
pub const ERROR: Color32 = Color32::from_rgb(244, 128, 118);
pub const GOOD: Color32 = Color32::from_rgb(134, 208, 124);
/// Fill of the button that ends a recording; [`TEXT`] is drawn on it.
pub const RECORDING: Color32 = Color32::from_rgb(150, 40, 40);
pub const OVERLAY: Color32 = Color32::from_rgba_premultiplied(26, 26, 28, 224);
pub const PICTURE_IN_TRASH: Color32 = Color32::from_gray(110);
/// The range of the selected edit, behind the curves.
pub const RANGE: Color32 = Color32::from_rgba_premultiplied(17, 37, 58, 100);
/// Covers the viewport while a file is dragged over the window.
pub const DROP_OVERLAY: Color32 = Color32::from_rgba_premultiplied(14, 26, 40, 200);

/// A colour of a scale, of which the renderer draws with sRGB values from 0 to 1.
pub fn of_scale(color: [f32; 3]) -> Color32 {
    let [red, green, blue] = color.map(|value| (value * 255.0 + 0.5) as u8);
    Color32::from_rgb(red, green, blue)
}

/// The colour of the curves of row `index`; those of the other side of a pair are lighter. Multiples of the golden
/// ratio keep the hues of neighbours in a list far apart.
pub fn curve_color(index: usize, is_other_side: bool) -> Color32 {
    const GOLDEN_RATIO: f32 = 0.618_034;
    let hue = (index as f32 * GOLDEN_RATIO).fract();
    let (saturation, value) = if is_other_side { (0.4, 1.0) } else { (0.78, 0.9) };
    egui::ecolor::Hsva::new(hue, saturation, value, 1.0).into()
}

#[derive(Clone, Copy, Debug)]
pub struct Tint {
    /// Fill of the slider; [`TEXT`] is drawn on it.
    pub fill: Color32,
    pub fill_hovered: Color32,
    /// The mark beside the slider, and the part of its value beyond its range.
    pub bright: Color32,
}

/// The colours of all that a layer sets: a hue for each source of motion, wherever it is shown. They also differ in
/// lightness, so that they can be distinguished with protanopia and deuteranopia; and the layers have different icons.
pub fn layer_tint(layer: Layer) -> Tint {
    let rgb = Color32::from_rgb;
    let [fill, fill_hovered, bright] = match layer {
        Layer::Clip => [rgb(107, 78, 23), rgb(118, 86, 26), rgb(235, 171, 51)],
        Layer::Take => [rgb(88, 64, 168), rgb(97, 71, 187), rgb(157, 128, 255)],
        Layer::Live => [rgb(141, 54, 57), rgb(156, 59, 63), rgb(255, 120, 125)],
        Layer::Voice => [rgb(118, 36, 110), rgb(130, 40, 122), rgb(234, 90, 198)],
        Layer::Keys => [rgb(137, 52, 91), rgb(152, 58, 101), rgb(236, 134, 181)],
        Layer::Sequence => [rgb(116, 72, 44), rgb(128, 80, 49), rgb(254, 164, 105)],
        Layer::Blink => [rgb(86, 85, 33), rgb(96, 94, 36), rgb(247, 243, 121)],
        Layer::Gaze => [rgb(40, 94, 36), rgb(45, 104, 40), rgb(167, 248, 160)],
        Layer::Pose => [rgb(35, 92, 82), rgb(39, 102, 91), rgb(174, 244, 232)],
        Layer::Corrective => [rgb(28, 86, 106), rgb(32, 96, 118), rgb(150, 222, 252)],
        Layer::Rest | Layer::Manual | Layer::NotSoloed | Layer::Muted => [ACCENT, ACCENT_HOVERED, ACCENT_BRIGHT],
    };
    Tint { fill, fill_hovered, bright }
}

pub fn row_fill(is_selected: bool, is_hovered: bool) -> Color32 {
    match (is_selected, is_hovered) {
        (true, true) => ACCENT_HOVERED,
        (true, false) => ACCENT,
        (false, true) => WELL_HOVERED,
        (false, false) => WELL,
    }
}

/// The colour of a blend mode. The four can be distinguished with any kind of colour blindness, and none is the colour
/// of an error.
pub fn mode_color(mode: BlendMode) -> Color32 {
    match mode {
        BlendMode::Cpu => Color32::from_rgb(236, 178, 72),
        BlendMode::Vertex => Color32::from_rgb(116, 180, 246),
        BlendMode::Compute => Color32::from_rgb(122, 208, 186),
        BlendMode::Multipass => Color32::from_rgb(202, 158, 250),
    }
}

pub const GAP_SMALL: f32 = 4.0;
pub const GAP: f32 = 8.0;
pub const GAP_LARGE: f32 = 16.0;
pub const BAR_HEIGHT: f32 = 24.0;
/// Height of a secondary slider: the target of one mesh, the amount of a pose.
pub const BAR_HEIGHT_THIN: f32 = 18.0;
pub const ROW_HEIGHT: f32 = BAR_HEIGHT + GAP_SMALL;
pub const TABS_WIDTH: f32 = 300.0;
/// Width of a drop-down list on the pages of the right panel.
pub const COMBO_WIDTH: f32 = 128.0;
pub const ICON_BUTTON_SIZE: f32 = 20.0;
pub const ROUNDING: CornerRadius = CornerRadius::same(4);
pub const ROUNDING_LARGE: CornerRadius = CornerRadius::same(6);

pub fn body_font() -> FontId {
    FontId::new(13.5, FontFamily::Proportional)
}

/// Font for numbers. The default font's digits all have the same width, so numbers do not jitter while they change.
pub fn number_font() -> FontId {
    FontId::new(13.0, FontFamily::Proportional)
}

pub fn small_font() -> FontId {
    FontId::new(12.0, FontFamily::Proportional)
}

pub fn card() -> egui::Frame {
    egui::Frame::new()
        .fill(RAISED)
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(ROUNDING_LARGE)
        .inner_margin(Margin::same(12))
}

/// The frame of a panel. It has no fill because the window is cleared to [`PANEL`]: clearing costs a software adapter
/// almost nothing, while filling a rectangle takes it as long as drawing an image of that size.
pub fn panel(margin: Margin) -> egui::Frame {
    egui::Frame::new().inner_margin(margin)
}

/// Sets the style of an egui context. Call it once, before the first frame.
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
        // The delay is long enough that no tooltip appears right after a slider is released.
        style.interaction.tooltip_delay = 0.9;
        // Narrower than the viewport of a small window, beside whose panels they are.
        style.spacing.tooltip_width = 320.0;
        style.visuals = visuals();
        // A blinking cursor would make an idle window redraw.
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
        (&mut widgets.hovered, WELL_HOVERED, Stroke::new(1.0, ICON_WEAK)),
        (&mut widgets.active, ACCENT, Stroke::new(1.0, ACCENT_BRIGHT)),
        (&mut widgets.open, WELL_HOVERED, Stroke::new(1.0, ICON_WEAK)),
    ];
    for (widget, fill, stroke) in clickable {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = stroke;
        widget.fg_stroke = Stroke::new(1.0, TEXT);
        widget.corner_radius = ROUNDING;
        widget.expansion = 0.0;
    }
    // The boxes of ticks and choices. In menus they have no outline, and have to be seen on [`RAISED`].
    widgets.inactive.bg_fill = BACKDROP;
    // egui also uses this colour for strong text.
    widgets.active.fg_stroke = Stroke::new(1.0, Color32::WHITE);
    visuals
}

/// The contrast of two colours as the Web Content Accessibility Guidelines define it, from 1 to 21.
#[cfg(test)]
pub(crate) fn contrast(a: Color32, b: Color32) -> f32 {
    let [a, b] = [a, b].map(|color| {
        let [r, g, b, _] = egui::Rgba::from(color).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    });
    a.max(b) / a.min(b)
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Vec3, vec3};

    use super::*;

    #[test]
    fn text_has_enough_contrast_on_every_background() {
        let backgrounds = [BACKDROP, PANEL, RAISED, WELL, WELL_HOVERED];
        let mut pairs: Vec<_> = backgrounds.iter().map(|&background| (TEXT, background)).collect();
        pairs.extend([PANEL, RAISED, WELL, WELL_QUIET].map(|background| (TEXT_WEAK, background)));
        pairs.extend([PANEL, RAISED].map(|background| (ERROR, background)));
        pairs.extend([PANEL, RAISED].map(|background| (WARNING, background)));
        pairs.extend([(GOOD, PANEL), (TEXT, RECORDING)]);
        for tint in Layer::DRIVING.into_iter().chain([Layer::Manual, Layer::Corrective]).map(layer_tint) {
            pairs.extend([(TEXT, tint.fill), (TEXT, tint.fill_hovered), (tint.bright, PANEL), (tint.bright, RAISED)]);
        }
        for (text, background) in pairs {
            let ratio = contrast(text, background);
            assert!(ratio >= 4.5, "{text:?} on {background:?}: {ratio:.2}:1");
        }
    }

    /// How dichromats see linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
    /// Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009), at severity 1.
    /// Rows by columns.
    const PROTANOPIA: Mat3 = Mat3::from_cols_array(&[
        0.152_286, 0.114_503, -0.003_882, 1.052_583, 0.786_281, -0.048_116, -0.204_868, 0.099_216, 1.051_998,
    ]);
    const DEUTERANOPIA: Mat3 = Mat3::from_cols_array(&[
        0.367_322, 0.280_085, -0.011_820, 0.860_646, 0.672_501, 0.042_940, -0.227_968, 0.047_413, 0.968_881,
    ]);

    /// CIELAB of linear sRGB, whose white is D65.
    fn lab(rgb: Vec3) -> Vec3 {
        let rgb = rgb.clamp(Vec3::ZERO, Vec3::ONE);
        let xyz = vec3(
            vec3(0.412_456, 0.357_576, 0.180_437).dot(rgb) / 0.950_47,
            vec3(0.212_673, 0.715_152, 0.072_175).dot(rgb),
            vec3(0.019_334, 0.119_192, 0.950_304).dot(rgb) / 1.088_83,
        );
        let root = |part: f32| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 };
        let (x, y, z) = (root(xyz.x), root(xyz.y), root(xyz.z));
        vec3(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
    }

    /// The smallest distance in CIELAB between the colours of two layers, with the layers, as someone sees them.
    fn smallest_distance(colors: &[(Layer, Color32)], seen: Mat3) -> (f32, [Layer; 2]) {
        let lab_of = |color: Color32| {
            let [r, g, b, _] = egui::Rgba::from(color).to_array();
            lab(seen * vec3(r, g, b))
        };
        let pairs = colors.iter().enumerate().flat_map(|(index, a)| colors[..index].iter().map(move |b| (a, b)));
        let distances = pairs.map(|(a, b)| (lab_of(a.1).distance(lab_of(b.1)), [a.0, b.0]));
        distances.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    }

    #[test]
    fn the_colours_of_layers_can_be_told_apart_with_any_common_colour_vision() {
        let layers = Layer::DRIVING.into_iter().chain([Layer::Manual, Layer::Corrective]);
        let colors: Vec<_> = layers.map(|layer| (layer, layer_tint(layer).bright)).collect();
        for (vision, seen) in [("full", Mat3::IDENTITY), ("protanopia", PROTANOPIA), ("deuteranopia", DEUTERANOPIA)] {
            let (distance, layers) = smallest_distance(&colors, seen);
            assert!(distance >= 17.0, "{vision}: {layers:?} are {distance:.1} apart");
        }
        // Two hues of one lightness, which full vision distinguishes.
        let alike = [(Layer::Gaze, Color32::from_rgb(134, 208, 124)), (Layer::Clip, Color32::from_rgb(226, 186, 90))];
        assert!(smallest_distance(&alike, Mat3::IDENTITY).0 > 40.0);
        assert!(smallest_distance(&alike, PROTANOPIA).0 < 17.0 || smallest_distance(&alike, DEUTERANOPIA).0 < 17.0);
    }
}
