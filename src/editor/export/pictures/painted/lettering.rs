//! Text on images, in the typeface of the window: egui lays it out, and its glyphs are copied from egui's atlas.

use egui::epaint::text::{FontDefinitions, Fonts, LayoutJob, TextOptions, ViewportKey};
use egui::{Align, Color32, FontId};
use image::{Rgba, RgbaImage};

use crate::fonts::searching_provider;
use smirk_base::names::{elide_middle_until, in_drawing_order, printable};

/// Lays out text and paints it.
pub(in crate::export) struct Lettering {
    fonts: Fonts,
}

/// One line of text that fits.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::export) struct TextLine {
    /// The text, shortened in its middle if necessary.
    pub text: String,
    /// The size of the font in pixels.
    pub size_px: f32,
}

impl Default for Lettering {
    fn default() -> Self {
        let fonts = Fonts::new(TextOptions::default(), FontDefinitions::default());
        Self { fonts: fonts.with_font_providers(vec![searching_provider()]) }
    }
}

impl Lettering {
    /// The largest font size between `size_px` and `least_px`, in whole pixels, at which `text` is at most `width_px`
    /// wide. If the text is too wide even at `least_px`, its middle is left out.
    pub(in crate::export) fn fit(&mut self, text: &str, size_px: f32, least_px: f32, width_px: f32) -> TextLine {
        let text = printable(text);
        let mut size_px = size_px.round();
        while size_px > least_px && self.width_px(&text, size_px) > width_px {
            size_px -= 1.0;
        }
        let text = elide_middle_until(&text, |text| self.width_px(text, size_px) <= width_px);
        TextLine { text, size_px }
    }

    /// The width of a line of text.
    pub(in crate::export) fn width_px(&mut self, text: &str, size_px: f32) -> f32 {
        self.galley(text, size_px).rect.width()
    }

    /// The height of a line of text.
    pub(in crate::export) fn height_px(&mut self, size_px: f32) -> f32 {
        self.fonts.with_pixels_per_point(1.0).row_height(&FontId::proportional(size_px)).ceil()
    }

    /// Paints a line. `at` is its top edge and, depending on `align`, its left end, middle or right end. Text beyond
    /// the edges of the picture is clipped.
    pub(in crate::export) fn paint(
        &mut self,
        picture: &mut RgbaImage,
        line: &TextLine,
        at: [f32; 2],
        align: Align,
        color: Color32,
    ) {
        let galley = self.galley(&line.text, line.size_px);
        let left = at[0] - galley.rect.width() * align.to_factor();
        let atlas = self.fonts.texture_atlas().image();
        for row in &galley.rows {
            for glyph in &row.glyphs {
                let corner = row.pos + glyph.pos.to_vec2() + glyph.uv_rect.offset;
                let [x, y] = [(left.round() + corner.x).round() as i64, (at[1].round() + corner.y).round() as i64];
                let (min, max) = (glyph.uv_rect.min.map(usize::from), glyph.uv_rect.max.map(usize::from));
                for (down, texel_y) in (min[1]..max[1]).enumerate() {
                    for (across, texel_x) in (min[0]..max[0]).enumerate() {
                        let ink = atlas[(texel_x, texel_y)];
                        let ink = if glyph.is_color { ink } else { tinted(color, ink.a()) };
                        cover(picture, [x + across as i64, y + down as i64], ink);
                    }
                }
            }
        }
    }

    fn galley(&mut self, text: &str, size_px: f32) -> egui::epaint::Galley {
        // Empties the atlas once it is almost full. Without it, new glyphs would be drawn over those that are in use.
        self.fonts.begin_pass(TextOptions::default(), ViewportKey::default());
        let job = LayoutJob::simple_singleline(
            in_drawing_order(text).into_owned(),
            FontId::proportional(size_px),
            Color32::WHITE,
        );
        self.fonts.layout_uncached(1.0, job.into())
    }
}

/// A colour with its opacity multiplied by coverage, premultiplied.
fn tinted(color: Color32, coverage: u8) -> Color32 {
    color.gamma_multiply_u8(coverage)
}

/// Blends as egui does, on sRGB-encoded bytes: `ink` is premultiplied. The alpha of the picture is straight.
pub(in crate::export::pictures) fn cover(picture: &mut RgbaImage, [x, y]: [i64; 2], ink: Color32) {
    let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
    let Some(pixel) = picture.get_pixel_mut_checked(x, y) else { return };
    let Rgba([r, g, b, a]) = *pixel;
    // How much of the pixel is left, and how much of the result is covered.
    let left = (u32::from(a) * (255 - u32::from(ink.a())) + 127) / 255;
    let covered = u32::from(ink.a()) + left;
    if covered == 0 {
        return;
    }
    let mix = |over: u8, under: u8| {
        let sum = u32::from(over) * 255 + u32::from(under) * left;
        ((sum + covered / 2) / covered).min(255) as u8
    };
    *pixel = Rgba([mix(ink.r(), r), mix(ink.g(), g), mix(ink.b(), b), covered as u8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_made_smaller_and_then_loses_its_middle() {
        let mut lettering = Lettering::default();
        let name = "mouthUpperUpLeft";
        let whole = lettering.fit(name, 20.0, 10.0, 1000.0);
        assert_eq!(whole, TextLine { text: name.into(), size_px: 20.0 });
        let shrunk = lettering.fit(name, 20.0, 10.0, 110.0);
        assert!(shrunk.text == name && shrunk.size_px < 20.0 && shrunk.size_px >= 10.0, "{shrunk:?}");
        let elided = lettering.fit(name, 20.0, 10.0, 60.0);
        assert!(
            elided.text.starts_with("mou") && elided.text.contains('…') && elided.text.ends_with("eft"),
            "{elided:?}"
        );
        for line in [&whole, &shrunk, &elided] {
            assert!(lettering.width_px(&line.text, line.size_px) <= 1000.0);
        }
        assert!(lettering.width_px(&shrunk.text, shrunk.size_px) <= 110.0);
        assert!(lettering.width_px(&elided.text, elided.size_px) <= 60.0);
        assert_eq!(lettering.fit("two\nlines", 12.0, 10.0, 1000.0).text, "two lines");
    }

    /// The columns and rows that contain non-black pixels.
    fn inked(picture: &RgbaImage) -> (Vec<u32>, Vec<u32>) {
        let inked = picture.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[0] > 0);
        inked.map(|(x, y, _)| (x, y)).unzip()
    }

    #[test]
    fn text_is_painted_at_its_position_in_its_colour_and_antialiased() {
        let mut lettering = Lettering::default();
        let line = TextLine { text: "jawOpen".into(), size_px: 24.0 };
        let (width, height) = (lettering.width_px(&line.text, 24.0), lettering.height_px(24.0));
        let color = super::super::style::TEXT;
        for (align, left) in [(Align::LEFT, 100.0), (Align::Center, 100.0 - width / 2.0), (Align::RIGHT, 100.0 - width)]
        {
            let mut picture = RgbaImage::from_pixel(240, 80, Rgba([0, 0, 0, 255]));
            lettering.paint(&mut picture, &line, [100.0, 20.0], align, color);
            let (columns, rows) = inked(&picture);
            let (first, last) = (*columns.iter().min().unwrap() as f32, *columns.iter().max().unwrap() as f32);
            assert!((first - left).abs() < 4.0 && (last - left - width).abs() < 4.0, "{align:?}: {first}..{last}");
            assert!(rows.iter().all(|&row| (20.0..20.0 + height).contains(&(row as f32))));
            let brightest = picture.pixels().map(|pixel| pixel.0[0]).max().unwrap();
            assert_eq!(brightest, color.r());
            assert!(picture.pixels().any(|pixel| (40..160).contains(&pixel.0[0])), "no soft edge");
        }
    }

    #[test]
    fn text_stays_legible_after_more_glyphs_than_the_atlas_holds() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789";
        let painted = |lettering: &mut Lettering, size_px: f32| {
            let line = TextLine { text: letters.into(), size_px };
            let mut picture = RgbaImage::new(3000, 120);
            lettering.paint(&mut picture, &line, [4.0, 4.0], Align::LEFT, Color32::WHITE);
            picture
        };
        let mut lettering = Lettering::default();
        let sizes: Vec<f32> = (20..100_u8).map(f32::from).collect();
        sizes.iter().for_each(|&size_px| _ = lettering.width_px(letters, size_px));
        for size_px in sizes.into_iter().step_by(13) {
            assert!(
                painted(&mut lettering, size_px) == painted(&mut Lettering::default(), size_px),
                "{size_px} pixels"
            );
        }
    }

    #[test]
    fn ink_on_a_transparent_picture_keeps_its_colour() {
        let mut picture = RgbaImage::new(1, 1);
        cover(&mut picture, [0, 0], Color32::from_rgba_premultiplied(50, 25, 0, 100));
        assert_eq!(picture.get_pixel(0, 0).0, [128, 64, 0, 100]);
        let mut picture = RgbaImage::from_pixel(1, 1, Rgba([200, 0, 40, 255]));
        cover(&mut picture, [0, 0], Color32::from_rgba_premultiplied(50, 25, 0, 102));
        assert_eq!(picture.get_pixel(0, 0).0, [170, 25, 24, 255]);
    }

    #[test]
    fn text_beyond_the_edge_is_clipped() {
        let mut picture = RgbaImage::new(20, 10);
        let line = TextLine { text: "a long line".into(), size_px: 18.0 };
        Lettering::default().paint(&mut picture, &line, [-8.0, -6.0], Align::LEFT, Color32::WHITE);
        assert!(picture.pixels().any(|pixel| pixel.0[3] > 0));
    }
}
