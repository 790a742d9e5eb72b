//! The high-contrast window: another colour for each colour of the theme, put in its place after all panels have drawn.
//! The pictures of heads keep theirs.

use egui::epaint::shape_transform::adjust_colors;
use egui::layers::ShapeIdx;
use egui::{Color32, Context, LayerId, Theme};

use crate::theme;

const BLACK: Color32 = Color32::from_rgb(0, 0, 0);
const WELL: Color32 = Color32::from_rgb(18, 18, 19);
const EDGE: Color32 = Color32::from_rgb(150, 150, 154);
const WHITE: Color32 = Color32::from_rgb(255, 255, 255);

/// The colours of the theme, each with what takes its place. Hues of sources keep theirs: they are bright enough on
/// black.
const COLORS: [(Color32, Color32); 20] = [
    (theme::BACKDROP, BLACK),
    (theme::PANEL, BLACK),
    (theme::RAISED, BLACK),
    (theme::WELL, WELL),
    (theme::WELL_QUIET, WELL),
    (theme::WELL_HOVERED, Color32::from_rgb(52, 52, 55)),
    (theme::WELL_EDGE, EDGE),
    (theme::WELL_EDGE_QUIET, EDGE),
    (theme::LINE, EDGE),
    (theme::TEXT, WHITE),
    (theme::TEXT_WEAK, Color32::from_rgb(224, 224, 228)),
    (theme::ICON_WEAK, Color32::from_rgb(190, 190, 196)),
    (theme::ICON_FAINT, Color32::from_rgb(160, 160, 166)),
    (theme::ACCENT, Color32::from_rgb(20, 84, 156)),
    (theme::ACCENT_HOVERED, Color32::from_rgb(28, 94, 172)),
    (theme::ACCENT_BRIGHT, Color32::from_rgb(150, 205, 255)),
    (theme::WARNING, Color32::from_rgb(255, 206, 92)),
    (theme::ERROR, Color32::from_rgb(255, 160, 150)),
    (theme::OVERLAY, Color32::from_rgba_premultiplied(0, 0, 0, 244)),
    (theme::PLAY_HEAD, WHITE),
];

/// The colour that takes the place of one of the theme; any other colour stays.
pub(crate) fn replaced(color: Color32) -> Color32 {
    COLORS.iter().find(|(normal, _)| *normal == color).map_or(color, |(_, replacement)| *replacement)
}

/// Switches high contrast on or off. Call it in every frame after everything was drawn, of which it replaces the
/// colours.
pub(crate) fn follow(ctx: &Context, is_on: bool) {
    // The window is cleared to the fill of the panels, which draw none themselves.
    let fill = if is_on { replaced(theme::PANEL) } else { theme::PANEL };
    if ctx.style_of(Theme::Dark).visuals.panel_fill != fill {
        ctx.style_mut_of(Theme::Dark, |style| style.visuals.panel_fill = fill);
    }
    if is_on {
        replace_colors(ctx);
    }
}

fn replace_colors(ctx: &Context) {
    let mut layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    layers.push(LayerId::background());
    layers.sort_by_key(|layer| (layer.order, layer.id.value()));
    layers.dedup();
    ctx.graphics_mut(|graphics| {
        for layer in layers {
            let Some(shapes) = graphics.get_mut(layer) else { continue };
            for index in 0..shapes.next_idx().0 {
                shapes.mutate_shape(ShapeIdx(index), |clipped| {
                    adjust_colors(&mut clipped.shape, |color| *color = replaced(*color));
                });
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::motion::Layer;
    use theme::contrast;

    #[test]
    fn text_and_the_edges_of_controls_have_the_contrast_that_wcag_asks_for_at_its_highest_level() {
        let on_panels = [theme::BACKDROP, theme::PANEL, theme::RAISED, theme::WELL, theme::WELL_QUIET].map(replaced);
        // WCAG 2.2, 1.4.6 for text: 7:1; 1.4.11 for edges and icons: 3:1.
        let texts =
            [theme::TEXT, theme::TEXT_WEAK, theme::WARNING, theme::ERROR, theme::ACCENT_BRIGHT, theme::PLAY_HEAD];
        let marks = [theme::LINE, theme::WELL_EDGE, theme::WELL_EDGE_QUIET, theme::ICON_WEAK, theme::ICON_FAINT];
        let tints = Layer::DRIVING.into_iter().chain([Layer::Manual, Layer::Corrective]).map(theme::layer_tint);
        let bright = tints.clone().map(|tint| (tint.bright, 4.5));
        let fills = tints.flat_map(|tint| [tint.fill, tint.fill_hovered]).map(|fill| (fill, theme::TEXT));
        let pairs = texts.map(|color| (color, 7.0)).into_iter().chain(marks.map(|color| (color, 3.0))).chain(bright);
        for (color, least) in pairs {
            for background in on_panels {
                let ratio = contrast(replaced(color), background);
                assert!(ratio >= least, "{color:?} on {background:?}: {ratio:.2}:1");
            }
        }
        for (fill, text) in fills.chain([(theme::WELL_HOVERED, theme::TEXT), (theme::WELL_HOVERED, theme::TEXT_WEAK)]) {
            let ratio = contrast(replaced(fill), replaced(text));
            assert!(ratio >= 4.5, "{text:?} on {fill:?}: {ratio:.2}:1");
        }
    }

    #[test]
    fn every_colour_of_the_theme_stands_once_and_gains_contrast() {
        for (index, (normal, _)) in COLORS.iter().enumerate() {
            assert!(!COLORS[..index].iter().any(|(other, _)| other == normal), "{normal:?} stands twice");
        }
        let ratio = |of: fn(Color32) -> Color32| contrast(of(theme::TEXT_WEAK), of(theme::PANEL));
        assert!(ratio(replaced) > 1.8 * ratio(|color| color));
    }
}
