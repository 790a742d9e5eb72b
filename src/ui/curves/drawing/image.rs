//! The image of all curves. Points are computed again only for curves that have changed, and the image is drawn again
//! only if anything in it has changed.

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use rayon::prelude::*;

use crate::ui::curves::extent::Extent;
use crate::ui::theme;

use super::polyline::{EMPTY, Polyline, Span};
use super::raster::{self, Pen};
use super::sources::{CurveItem, LineStyle, PlotCurve};

/// A curve with its points.
#[derive(Debug)]
struct DrawnCurve {
    curve: PlotCurve,
    points: Polyline,
    range: Span,
    /// One span of values per pixel column of the image.
    outline: Vec<Span>,
}

/// The image, with the curves and the range that it was drawn from.
#[derive(Default)]
pub(crate) struct CurveImage {
    curves: Vec<DrawnCurve>,
    /// A range of seconds that is marked behind the curves.
    band_secs: Option<[f32; 2]>,
    extent: Option<(Extent, [usize; 2], f32)>,
    texture: Option<TextureHandle>,
    times_drawn: usize,
}

impl std::fmt::Debug for CurveImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CurveImage")
            .field("curves", &self.curves.len())
            .field("times_drawn", &self.times_drawn)
            .finish_non_exhaustive()
    }
}

impl CurveImage {
    /// The number of times that the image was drawn.
    pub(crate) fn times_drawn(&self) -> usize {
        self.times_drawn
    }

    /// Sets the curves to show. Points of unchanged curves are kept.
    pub(crate) fn set_curves(&mut self, curves: Vec<PlotCurve>) {
        let is_same = self.curves.len() == curves.len()
            && self.curves.iter().zip(&curves).all(|(drawn, curve)| drawn.curve == *curve);
        if is_same {
            return;
        }
        self.extent = None;
        let mut old = std::mem::take(&mut self.curves);
        let curves = curves.into_iter().map(|curve| {
            let same = old.iter().position(|drawn| drawn.curve.source == curve.source);
            (curve, same.map(|index| old.swap_remove(index)))
        });
        let curves: Vec<_> = curves.collect();
        self.curves = curves
            .into_par_iter()
            .map(|(curve, old)| match old {
                Some(old) => DrawnCurve { curve, ..old },
                None => {
                    let points = curve.source.polyline();
                    DrawnCurve { range: points.range(), curve, points, outline: Vec::new() }
                }
            })
            .collect();
    }

    /// Sets the range of seconds that is marked behind the curves.
    pub(crate) fn set_band(&mut self, band_secs: Option<[f32; 2]>) {
        if self.band_secs != band_secs {
            self.band_secs = band_secs;
            self.extent = None;
        }
    }

    /// The smallest and the largest value of all curves.
    pub(crate) fn range(&self) -> Span {
        self.curves.iter().fold(EMPTY, |all, drawn| [all[0].min(drawn.range[0]), all[1].max(drawn.range[1])])
    }

    /// Whether no curve has a point.
    pub(crate) fn is_empty(&self) -> bool {
        self.curves.iter().all(|drawn| drawn.range == EMPTY)
    }

    /// A texture of the curves in a visible range.
    pub(crate) fn texture(&mut self, ctx: &Context, extent: Extent, size_px: [usize; 2]) -> &TextureHandle {
        let wanted = (extent, size_px, ctx.pixels_per_point());
        if self.extent != Some(wanted) || self.texture.is_none() {
            self.extent = Some(wanted);
            self.times_drawn += 1;
            let image = self.draw(extent, size_px, ctx.pixels_per_point());
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::NEAREST),
                None => self.texture = Some(ctx.load_texture("curves", image, TextureOptions::NEAREST)),
            }
        }
        self.texture.get_or_insert_with(|| ctx.load_texture("curves", raster::blank([1, 1]), TextureOptions::NEAREST))
    }

    fn draw(&mut self, extent: Extent, size_px: [usize; 2], pixels_per_point: f32) -> ColorImage {
        self.curves.par_iter_mut().for_each(|drawn| drawn.outline = drawn.points.outline(extent.secs, size_px[0]));
        let mut image = raster::blank(size_px);
        if let Some(band_secs) = self.band_secs {
            let column = |secs: f32| (secs - extent.secs[0]) / (extent.secs[1] - extent.secs[0]) * size_px[0] as f32;
            raster::fill_columns(&mut image, band_secs.map(column), theme::RANGE);
        }
        // With many curves, opaque ones would hide each other.
        let opacity_of_many = if self.curves.len() > 12 { 0.7 } else { 1.0 };
        for drawn in &self.curves {
            let (opacity, width, dash) = match drawn.curve.style {
                LineStyle::Solid => (opacity_of_many, 1.6, None),
                LineStyle::Faint | LineStyle::Ghost => (0.35, 1.2, None),
                LineStyle::Dashed => (0.75 * opacity_of_many, 1.2, Some(5.0 * pixels_per_point)),
            };
            let color = theme::curve_color(drawn.curve.item.index());
            raster::draw(
                &mut image,
                &drawn.outline,
                extent.values,
                &Pen { color, opacity, width: width * pixels_per_point, dash },
            );
        }
        image
    }

    /// The spans per pixel column of an item's solid curves, from which the hovered curve is painted in bold.
    pub(crate) fn outlines_of(&self, item: CurveItem) -> impl Iterator<Item = &[Span]> {
        let own =
            self.curves.iter().filter(move |drawn| drawn.curve.item == item && drawn.curve.style == LineStyle::Solid);
        own.map(|drawn| drawn.outline.as_slice())
    }

    /// The curve nearest to a value in a pixel column, at most `reach` away.
    pub(crate) fn nearest(&self, column: usize, value: f32, reach: f32) -> Option<(CurveItem, LineStyle)> {
        let distance = |drawn: &DrawnCurve| {
            let [low, high] = drawn.outline.get(column).copied().filter(|span| span[0] <= span[1])?;
            Some((low - value).max(value - high).max(0.0))
        };
        let near = self.curves.iter().filter_map(|drawn| Some((distance(drawn)?, drawn)));
        let nearest = near.filter(|(distance, _)| *distance <= reach).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, drawn)| (drawn.curve.item, drawn.curve.style))
    }

    /// The value of a curve at a time.
    pub(crate) fn value(&self, item: CurveItem, style: LineStyle, secs: f32) -> Option<f32> {
        let drawn = self.curves.iter().find(|drawn| (drawn.curve.item, drawn.curve.style) == (item, style))?;
        drawn.points.at(secs)
    }
}
