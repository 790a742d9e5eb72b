//! The image of all curves. Points are computed and columns of pixels are drawn again only where a curve has changed.

use std::ops::Range;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};
use rayon::prelude::*;

use crate::curves::extent::Extent;
use crate::theme;

use super::points::CurvePoints;
use super::polyline::{EMPTY, Polyline, Span, Window, columns_within, is_farther, united};
use super::raster::{self, Pen};
use super::source::PointSource;
use super::sources::{LineStyle, PlotCurve};
use crate::curve_selection::CurveItem;

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

    pub(crate) fn height(self, value: f32) -> f32 {
        self.offset + self.factor * value
    }
}

#[derive(Debug)]
struct DrawnCurve {
    item: CurveItem,
    style: LineStyle,
    color: Color32,
    points: CurvePoints,
    scale: ValueScale,
    /// One span of heights per pixel column of the image.
    outline: Vec<Span>,
    /// Where the points have changed since the outline was found.
    changed: Option<Window>,
}

impl DrawnCurve {
    /// Whether the same curve is drawn in the same way, apart from its points.
    fn looks_like(&self, curve: &PlotCurve) -> bool {
        (self.item, self.style, self.color) == (curve.item, curve.style, curve.color)
    }

    fn update(&mut self, source: PointSource) {
        self.changed = self.changed.into_iter().chain(self.points.update(source)).reduce(united);
    }

    /// Finds the outline, all of it or where it has changed. Returns the columns in which it was found.
    fn trace(&mut self, secs: [f32; 2], columns: usize, scale: ValueScale, is_whole: bool) -> Range<usize> {
        let changed = self.changed.take();
        let traced = if is_whole || scale != self.scale {
            0..columns
        } else {
            changed.map_or(0..0, |window| columns_within(window, secs, columns))
        };
        self.scale = scale;
        self.outline.resize(columns, EMPTY);
        self.points.line().trace(secs, &mut self.outline, traced.clone());
        if scale != ValueScale::PLAIN {
            let heights = self.outline[traced.clone()].iter_mut().flatten();
            heights.for_each(|value| *value = scale.height(*value));
        }
        traced
    }
}

#[derive(Default)]
pub(crate) struct CurveImage {
    curves: Vec<DrawnCurve>,
    band_secs: Option<[f32; 2]>,
    /// What the image shows, its size in pixels, and how many pixels a point has; `None` if all of it has to be drawn.
    shown: Option<(Extent, [usize; 2], f32)>,
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
    pub(crate) fn times_drawn(&self) -> usize {
        self.times_drawn
    }

    pub(crate) fn set_normalised(&mut self, is_normalised: bool) {
        if self.is_normalised != is_normalised {
            (self.is_normalised, self.shown) = (is_normalised, None);
        }
    }

    pub(crate) fn scale_of(&self, item: CurveItem) -> ValueScale {
        self.scale_of_curve(item, LineStyle::Solid)
    }

    /// How the values of one of an item's curves are drawn. Those of its difference have a scale of their own.
    pub(crate) fn scale_of_curve(&self, item: CurveItem, style: LineStyle) -> ValueScale {
        if !self.is_normalised {
            return ValueScale::PLAIN;
        }
        let is_difference = style == LineStyle::Difference;
        let range = self.curves.iter().fold(EMPTY, |all, drawn| {
            let is_own = drawn.item == item && (drawn.style == LineStyle::Difference) == is_difference;
            if is_own { united(all, drawn.points.line().range()) } else { all }
        });
        if is_difference { ValueScale::around_zero(range) } else { ValueScale::normalising(range) }
    }

    /// The difference that is farthest from 0, with its seconds and its value; the first one where several are. `None`
    /// if no difference is drawn.
    pub(crate) fn largest_difference(&self) -> Option<(CurveItem, [f32; 2])> {
        let differences = self.curves.iter().filter(|drawn| drawn.style == LineStyle::Difference);
        let farthest = differences.filter_map(|drawn| Some((drawn.item, drawn.points.line().farthest_from_zero()?)));
        farthest.reduce(|largest, other| if is_farther(other.1[1], largest.1[1]) { other } else { largest })
    }

    /// Sets the curves to show. Points that have not changed are kept.
    pub(crate) fn set_curves(&mut self, curves: Vec<PlotCurve>) {
        let is_same_look = self.curves.len() == curves.len()
            && self.curves.iter().zip(&curves).all(|(drawn, curve)| drawn.looks_like(curve));
        if is_same_look {
            if self.curves.iter().zip(&curves).any(|(drawn, curve)| *drawn.points.source() != curve.source) {
                self.curves.par_iter_mut().zip(curves).for_each(|(drawn, curve)| drawn.update(curve.source));
            }
            return;
        }
        self.shown = None;
        let mut old = std::mem::take(&mut self.curves);
        let curves = curves.into_iter().map(|curve| {
            let same = old.iter().position(|drawn| *drawn.points.source() == curve.source);
            (curve, same.map(|index| old.swap_remove(index)))
        });
        let curves: Vec<_> = curves.collect();
        let curves = curves.into_par_iter().map(|(PlotCurve { item, style, color, source }, old)| {
            let points = old.map_or_else(|| CurvePoints::compute(source), |old: DrawnCurve| old.points);
            DrawnCurve { item, style, color, points, scale: ValueScale::PLAIN, outline: Vec::new(), changed: None }
        });
        self.curves = curves.collect();
    }

    pub(crate) fn set_band(&mut self, band_secs: Option<[f32; 2]>) {
        if self.band_secs != band_secs {
            (self.band_secs, self.shown) = (band_secs, None);
        }
    }

    /// The lowest and the greatest height of all curves: their values, or, if they are normalised, 0 and 1, and -1 for
    /// differences.
    pub(crate) fn range(&self) -> Span {
        if self.is_normalised {
            [if self.largest_difference().is_some() { -1.0 } else { 0.0 }, 1.0]
        } else {
            self.curves.iter().fold(EMPTY, |all, drawn| united(all, drawn.points.line().range()))
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.curves.iter().all(|drawn| drawn.points.line().is_empty())
    }

    /// A texture of the curves in a visible range. What shows the same as before is not drawn again.
    pub(crate) fn texture(&mut self, ctx: &Context, extent: Extent, size_px: [usize; 2]) -> &TextureHandle {
        let columns = self.trace(extent, size_px, ctx.pixels_per_point());
        if !columns.is_empty() {
            self.times_drawn += 1;
            let image = self.draw(columns.clone(), extent, size_px, ctx.pixels_per_point());
            match &mut self.texture {
                Some(texture) if columns.len() < size_px[0] => {
                    texture.set_partial([columns.start, 0], image, TextureOptions::NEAREST);
                }
                Some(texture) => texture.set(image, TextureOptions::NEAREST),
                None => self.texture = Some(ctx.load_texture("curves", image, TextureOptions::NEAREST)),
            }
        }
        self.texture.get_or_insert_with(|| {
            let blank = ColorImage::filled([1, 1], Color32::TRANSPARENT);
            ctx.load_texture("curves", blank, TextureOptions::NEAREST)
        })
    }

    /// Finds the outlines of the curves where they have changed. Returns the columns that have to be drawn.
    fn trace(&mut self, extent: Extent, size_px: [usize; 2], pixels_per_point: f32) -> Range<usize> {
        let wanted = Some((extent, size_px, pixels_per_point));
        let is_whole = self.shown != wanted || self.texture.is_none();
        self.shown = wanted;
        if !is_whole && self.curves.iter().all(|drawn| drawn.changed.is_none()) {
            return 0..0;
        }
        let scales = self.curves.iter().map(|drawn| self.scale_of_curve(drawn.item, drawn.style));
        let scales: Vec<ValueScale> = scales.collect();
        let traced = self.curves.par_iter_mut().zip(scales);
        let traced = traced.map(|(drawn, scale)| drawn.trace(extent.secs, size_px[0], scale, is_whole));
        let traced = traced.filter(|columns| !columns.is_empty());
        let all = traced.reduce_with(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0);
        if is_whole { 0..size_px[0] } else { all }
    }

    fn draw(&self, columns: Range<usize>, extent: Extent, size_px: [usize; 2], pixels_per_point: f32) -> ColorImage {
        // With many curves, opaque ones would hide each other.
        let solid = self.curves.iter().filter(|drawn| drawn.style == LineStyle::Solid).count();
        let opacity_of_many = if solid > 12 { 0.7 } else { 1.0 };
        let [start, end] = extent.secs;
        let band = self.band_secs.map(|secs| secs.map(|secs| (secs - start) / (end - start) * size_px[0] as f32));
        raster::draw_columns(columns, size_px, |strip| {
            if let Some(band) = band {
                strip.fill_columns(band, theme::RANGE);
            }
            for drawn in &self.curves {
                let (opacity, width, dash) = match drawn.style {
                    LineStyle::Solid => (opacity_of_many, 1.6, None),
                    LineStyle::Faint | LineStyle::Ghost => (0.35, 1.2, None),
                    LineStyle::Dashed => (0.75 * opacity_of_many, 1.2, Some(5.0 * pixels_per_point)),
                    LineStyle::Difference => (0.9 * opacity_of_many, 1.2, None),
                };
                let pen = Pen { color: drawn.color, opacity, width: width * pixels_per_point, dash, fills: false };
                if drawn.style == LineStyle::Difference {
                    let area = Pen { opacity: 0.3 * opacity_of_many, width: 0.0, fills: true, ..pen };
                    strip.draw(&drawn.outline, extent.values, &area);
                }
                strip.draw(&drawn.outline, extent.values, &pen);
            }
        })
    }

    /// The points of an item's solid curve, which sets its channel.
    pub(crate) fn line_of(&self, item: CurveItem) -> Option<&Polyline> {
        let mut curves = self.curves.iter();
        let solid = curves.find(|drawn| (drawn.item, drawn.style) == (item, LineStyle::Solid))?;
        Some(solid.points.line())
    }

    /// The spans per pixel column of an item's solid curves, from which the hovered curve is painted in bold.
    pub(crate) fn outlines_of(&self, item: CurveItem) -> impl Iterator<Item = &[Span]> {
        let own = self.curves.iter().filter(move |drawn| drawn.item == item && drawn.style == LineStyle::Solid);
        own.map(|drawn| drawn.outline.as_slice())
    }

    /// The curve nearest to a height in a pixel column, at most `reach` away. Of several, the one that is drawn on top.
    pub(crate) fn nearest(&self, column: usize, value: f32, reach: f32) -> Option<(CurveItem, LineStyle)> {
        let near = self.curves.iter().rev().filter_map(|drawn| {
            let [low, high] = drawn.outline.get(column).copied().filter(|span| span[0] <= span[1])?;
            Some(((low - value).max(value - high).max(0.0), drawn))
        });
        let nearest = near.filter(|(distance, _)| *distance <= reach).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, drawn)| (drawn.item, drawn.style))
    }

    pub(crate) fn value(&self, item: CurveItem, style: LineStyle, secs: f32) -> Option<f32> {
        let drawn = self.curves.iter().find(|drawn| (drawn.item, drawn.style) == (item, style))?;
        drawn.points.line().at(secs)
    }
}
