//! The image of all curves. Points are computed again only for curves that have changed, and the image is drawn again
//! only if anything in it has changed.

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use rayon::prelude::*;

use crate::ui::curves::extent::Extent;
use crate::ui::theme;

use super::polyline::{EMPTY, Polyline, Span, is_farther};
use super::raster::{self, Pen};
use super::sources::{CurveItem, LineStyle, PlotCurve};

/// How the values of an item are drawn: `offset + factor * value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ValueScale {
    /// The height of the value 0.
    pub offset: f32,
    /// The height of the value 1 above that.
    pub factor: f32,
}

impl ValueScale {
    const PLAIN: Self = Self { offset: 0.0, factor: 1.0 };
    /// Ranges of values below this are not stretched further.
    const LEAST_RANGE: f32 = 0.01;

    /// The scale that draws a range of values from 0 to 1.
    fn normalising([low, high]: Span) -> Self {
        let factor = 1.0 / (high - low).max(Self::LEAST_RANGE);
        if low <= high { Self { offset: -low * factor, factor } } else { Self::PLAIN }
    }

    /// The scale that draws differences from -1 to 1. All of them have their zero at the same height.
    fn around_zero([low, high]: Span) -> Self {
        let farthest = low.abs().max(high.abs());
        let farthest = if farthest.is_finite() { farthest.max(Self::LEAST_RANGE) } else { 1.0 };
        Self { offset: 0.0, factor: 1.0 / farthest }
    }

    /// The height at which a value is drawn.
    pub(crate) fn height(self, value: f32) -> f32 {
        self.offset + self.factor * value
    }
}

/// A curve with its points.
#[derive(Debug)]
struct DrawnCurve {
    curve: PlotCurve,
    points: Polyline,
    range: Span,
    /// Seconds and value of the largest difference, if the curve is one.
    farthest: Option<[f32; 2]>,
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
    /// Whether each item is drawn with its own range of values from 0 to 1.
    is_normalised: bool,
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

    /// Sets whether each item is drawn with its own range of values from 0 to 1.
    pub(crate) fn set_normalised(&mut self, is_normalised: bool) {
        if self.is_normalised != is_normalised {
            (self.is_normalised, self.extent) = (is_normalised, None);
        }
    }

    /// How the values of an item are drawn.
    pub(crate) fn scale_of(&self, item: CurveItem) -> ValueScale {
        self.scale_of_curve(item, LineStyle::Solid)
    }

    /// How the values of one of an item's curves are drawn. Those of its difference have a scale of their own.
    pub(crate) fn scale_of_curve(&self, item: CurveItem, style: LineStyle) -> ValueScale {
        if !self.is_normalised {
            return ValueScale::PLAIN;
        }
        let is_difference = style == LineStyle::Difference;
        let is_same_kind = |drawn: &&DrawnCurve| (drawn.curve.style == LineStyle::Difference) == is_difference;
        let own = self.curves.iter().filter(|drawn| drawn.curve.item == item).filter(is_same_kind);
        let range = own.fold(EMPTY, |all, drawn| union(all, drawn.range));
        if is_difference { ValueScale::around_zero(range) } else { ValueScale::normalising(range) }
    }

    /// The difference that is farthest from 0, with its seconds and its value; the first one where several are. `None` if no
    /// difference is drawn.
    pub(crate) fn largest_difference(&self) -> Option<(CurveItem, [f32; 2])> {
        let differences = self.curves.iter().filter_map(|drawn| Some((drawn.curve.item, drawn.farthest?)));
        differences.reduce(|largest, other| if is_farther(other.1[1], largest.1[1]) { other } else { largest })
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
                    let is_difference = curve.style == LineStyle::Difference;
                    let farthest = is_difference.then(|| points.farthest_from_zero()).flatten();
                    DrawnCurve { range: points.range(), farthest, curve, points, outline: Vec::new() }
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

    /// The lowest and the greatest height of all curves: their values, or 0 and 1 if they are normalised.
    pub(crate) fn range(&self) -> Span {
        if self.is_normalised {
            [if self.largest_difference().is_some() { -1.0 } else { 0.0 }, 1.0]
        } else {
            self.curves.iter().fold(EMPTY, |all, drawn| union(all, drawn.range))
        }
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
        let scale = |drawn: &DrawnCurve| self.scale_of_curve(drawn.curve.item, drawn.curve.style);
        let scales: Vec<ValueScale> = self.curves.iter().map(scale).collect();
        self.curves.par_iter_mut().zip(&scales).for_each(|(drawn, scale)| {
            drawn.outline = drawn.points.outline(extent.secs, size_px[0]);
            if *scale != ValueScale::PLAIN {
                drawn.outline.iter_mut().flatten().for_each(|value| *value = scale.height(*value));
            }
        });
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
                LineStyle::Difference => (0.9 * opacity_of_many, 1.2, None),
            };
            let color = drawn.curve.color;
            if drawn.curve.style == LineStyle::Difference {
                let area: Vec<Span> = drawn.outline.iter().map(|span| reaching_zero(*span)).collect();
                let pen = Pen { color, opacity: 0.3 * opacity_of_many, width: 0.0, dash: None };
                raster::draw(&mut image, &area, extent.values, &pen);
            }
            raster::draw(
                &mut image,
                &drawn.outline,
                extent.values,
                &Pen { color, opacity, width: width * pixels_per_point, dash },
            );
        }
        image
    }

    /// The points of an item's solid curve, which sets its channel.
    pub(crate) fn line_of(&self, item: CurveItem) -> Option<&Polyline> {
        let is_solid = |drawn: &&DrawnCurve| drawn.curve.item == item && drawn.curve.style == LineStyle::Solid;
        self.curves.iter().find(is_solid).map(|drawn| &drawn.points)
    }

    /// The spans per pixel column of an item's solid curves, from which the hovered curve is painted in bold.
    pub(crate) fn outlines_of(&self, item: CurveItem) -> impl Iterator<Item = &[Span]> {
        let own =
            self.curves.iter().filter(move |drawn| drawn.curve.item == item && drawn.curve.style == LineStyle::Solid);
        own.map(|drawn| drawn.outline.as_slice())
    }

    /// The curve nearest to a height in a pixel column, at most `reach` away.
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

/// A span with everything between it and 0.
fn reaching_zero([low, high]: Span) -> Span {
    if low <= high { [low.min(0.0), high.max(0.0)] } else { EMPTY }
}

fn union(a: Span, b: Span) -> Span {
    [a[0].min(b[0]), a[1].max(b[1])]
}
