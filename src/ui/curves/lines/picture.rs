//! The lines as they were last drawn: points are made anew for lines that changed, the image when anything in it did.

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use rayon::prelude::*;

use crate::ui::curves::extent::Extent;
use crate::ui::theme;

use super::polyline::{EMPTY, Polyline, Span};
use super::raster::{self, Pen};
use super::sources::{Item, Line, Style};

/// A line with its points.
#[derive(Debug)]
struct Made {
    line: Line,
    points: Polyline,
    range: Span,
    /// One span per pixel column of the image.
    outline: Vec<Span>,
}

/// The image and what it was made from.
#[derive(Default)]
pub struct Picture {
    made: Vec<Made>,
    extent: Option<(Extent, [usize; 2], f32)>,
    texture: Option<TextureHandle>,
    drawn: usize,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture").field("lines", &self.made.len()).field("drawn", &self.drawn).finish_non_exhaustive()
    }
}

impl Picture {
    /// How often it was drawn.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// Takes over the lines to show. Points of lines that are as they were are kept.
    pub fn set_lines(&mut self, lines: Vec<Line>) {
        let is_same =
            self.made.len() == lines.len() && self.made.iter().zip(&lines).all(|(made, line)| made.line == *line);
        if is_same {
            return;
        }
        self.extent = None;
        let mut old = std::mem::take(&mut self.made);
        let kept = lines.into_iter().map(|line| {
            let same = old.iter().position(|made| made.line.recipe == line.recipe);
            (line, same.map(|index| old.swap_remove(index)))
        });
        let kept: Vec<_> = kept.collect();
        self.made = kept
            .into_par_iter()
            .map(|(line, old)| match old {
                Some(old) => Made { line, ..old },
                None => {
                    let points = line.recipe.polyline();
                    Made { range: points.range(), line, points, outline: Vec::new() }
                }
            })
            .collect();
    }

    /// The least and the greatest value of all lines.
    pub fn range(&self) -> Span {
        self.made.iter().fold(EMPTY, |all, made| [all[0].min(made.range[0]), all[1].max(made.range[1])])
    }

    /// Whether there is no line with a point.
    pub fn is_empty(&self) -> bool {
        self.made.iter().all(|made| made.range == EMPTY)
    }

    /// The lines at that extent, as a texture of so many pixels.
    pub fn texture(&mut self, ctx: &Context, extent: Extent, size_px: [usize; 2]) -> &TextureHandle {
        let wanted = (extent, size_px, ctx.pixels_per_point());
        if self.extent != Some(wanted) || self.texture.is_none() {
            self.extent = Some(wanted);
            self.drawn += 1;
            let image = self.draw(extent, size_px, ctx.pixels_per_point());
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::NEAREST),
                None => self.texture = Some(ctx.load_texture("curves", image, TextureOptions::NEAREST)),
            }
        }
        self.texture.get_or_insert_with(|| ctx.load_texture("curves", raster::blank([1, 1]), TextureOptions::NEAREST))
    }

    fn draw(&mut self, extent: Extent, size_px: [usize; 2], pixels_per_point: f32) -> ColorImage {
        self.made.par_iter_mut().for_each(|made| made.outline = made.points.outline(extent.secs, size_px[0]));
        let mut image = raster::blank(size_px);
        // Sixty lines at full strength are a wall.
        let crowd = if self.made.len() > 12 { 0.7 } else { 1.0 };
        for made in &self.made {
            let (opacity, width, dash) = match made.line.style {
                Style::Whole => (crowd, 1.6, None),
                Style::Faint => (0.35, 1.2, None),
                Style::Dashed => (0.75 * crowd, 1.2, Some(5.0 * pixels_per_point)),
            };
            let color = theme::curve_color(made.line.item.index());
            raster::draw(
                &mut image,
                &made.outline,
                extent.values,
                &Pen { color, opacity, width: width * pixels_per_point, dash },
            );
        }
        image
    }

    /// The spans of a row's own lines, column by column: to draw it once more, bold.
    pub fn outlines_of(&self, item: Item) -> impl Iterator<Item = &[Span]> {
        let own = self.made.iter().filter(move |made| made.line.item == item && made.line.style == Style::Whole);
        own.map(|made| made.outline.as_slice())
    }

    /// The line that comes nearest to a value in a pixel column, not further away than `reach`.
    pub fn nearest(&self, column: usize, value: f32, reach: f32) -> Option<(Item, Style)> {
        let distance = |made: &Made| {
            let [low, high] = made.outline.get(column).copied().filter(|span| span[0] <= span[1])?;
            Some((low - value).max(value - high).max(0.0))
        };
        let near = self.made.iter().filter_map(|made| Some((distance(made)?, made)));
        let nearest = near.filter(|(distance, _)| *distance <= reach).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, made)| (made.line.item, made.line.style))
    }

    /// The exact value of a line at a time.
    pub fn value(&self, item: Item, style: Style, secs: f32) -> Option<f32> {
        let made = self.made.iter().find(|made| (made.line.item, made.line.style) == (item, style))?;
        made.points.at(secs)
    }
}
