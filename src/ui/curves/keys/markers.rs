//! The keys of the graph as diamonds. They are one mesh, which is built only if a key, the selection or the visible
//! range has changed.

use std::sync::Arc;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};

use crate::motion::KeySelection;
use crate::session::Revision;
use crate::ui::curves::extent::Extent;
use crate::ui::theme;

use super::pick::ShownCurve;

/// Keys closer together than this, in points, are drawn as one.
const LEAST_DISTANCE: f32 = 4.0;
/// Up to this many keys are drawn with an outline, and have a name for screen readers.
const MOST_IN_DETAIL: usize = 400;

/// What the markers depend on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarkerStyle {
    /// The edits.
    pub edits: Revision,
    /// Which curves are drawn and how, in numbers that change with it.
    pub curves: (Vec<usize>, usize, bool),
    /// The visible range.
    pub extent: Extent,
    /// Where it is.
    pub plot: Rect,
}

/// A key and its position in the plot.
#[derive(Clone, Copy, Debug)]
struct Marker {
    channel: usize,
    time_secs: f32,
    at: Pos2,
    color: Color32,
    is_selected: bool,
}

/// The visible keys.
#[derive(Debug, Default)]
pub(crate) struct Markers {
    from: Option<(MarkerStyle, KeySelection)>,
    markers: Vec<Marker>,
    mesh: Arc<Mesh>,
    /// The range of seconds and heights of the selected keys.
    bounds: Option<Extent>,
}

impl Markers {
    /// Builds the markers again if anything that they depend on has changed.
    pub(crate) fn update(&mut self, style: MarkerStyle, selection: &KeySelection, curves: &[ShownCurve<'_>]) {
        if self.from.as_ref().is_some_and(|(old, selected)| *old == style && selected == selection) {
            return;
        }
        let MarkerStyle { extent, plot, .. } = style;
        self.markers.clear();
        let secs = [plot.left() - 6.0, plot.right() + 6.0].map(|x| extent.secs_at(plot, x));
        for curve in curves {
            let mut last = pos2(f32::NEG_INFINITY, 0.0);
            let mut times = selection.times_of(curve.name).iter().copied().peekable();
            for &key in curve.keys_between(secs) {
                while times.next_if(|time| *time < key.time_secs).is_some() {}
                let is_selected = times.peek() == Some(&key.time_secs);
                // The height of a key that would be drawn over the one before is not needed.
                if !is_selected && extent.x(plot, key.time_secs) - last.x < 1.0 {
                    continue;
                }
                let at = curve.pos(plot, &extent, key);
                if is_selected || (plot.expand(6.0).contains(at) && at.distance(last) >= LEAST_DISTANCE) {
                    last = at;
                    let (channel, color) = (curve.channel, curve.color);
                    self.markers.push(Marker { channel, time_secs: key.time_secs, at, color, is_selected });
                }
            }
        }
        self.markers.sort_by_key(|marker| marker.is_selected);
        self.bounds = bounds_of(selection, curves);
        self.mesh = Arc::new(self.build());
        self.from = Some((style, selection.clone()));
    }

    fn build(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let in_detail = self.markers.len() <= MOST_IN_DETAIL;
        for marker in &self.markers {
            let (reach, color) = if marker.is_selected { (5.5, theme::TEXT) } else { (4.5, marker.color) };
            if in_detail {
                diamond(&mut mesh, marker.at, reach + 1.5, theme::BACKDROP);
            }
            if marker.is_selected {
                diamond(&mut mesh, marker.at, reach + 1.0, marker.color);
            }
            diamond(&mut mesh, marker.at, reach, color);
        }
        mesh
    }

    /// The range of seconds and heights of the selected keys.
    pub(crate) fn bounds(&self) -> Option<Extent> {
        self.bounds
    }

    /// Channel, time and position of each key, if there are not too many to be named.
    pub(crate) fn named(&self) -> impl Iterator<Item = (usize, f32, Pos2)> {
        let count = if self.markers.len() <= MOST_IN_DETAIL { self.markers.len() } else { 0 };
        self.markers[..count].iter().map(|marker| (marker.channel, marker.time_secs, marker.at))
    }

    /// Paints all keys.
    pub(crate) fn paint(&self, painter: &Painter) {
        painter.add(Shape::Mesh(self.mesh.clone()));
    }
}

fn bounds_of(selection: &KeySelection, curves: &[ShownCurve<'_>]) -> Option<Extent> {
    let mut bounds: Option<Extent> = None;
    for curve in curves {
        for &time_secs in selection.times_of(curve.name) {
            let found = curve.keys.binary_search_by(|key| key.time_secs.total_cmp(&time_secs));
            let Some(&key) = found.ok().and_then(|index| curve.keys.get(index)) else { continue };
            let height = curve.height(key);
            let all = bounds.get_or_insert(Extent { secs: [time_secs; 2], values: [height; 2] });
            all.secs = [all.secs[0].min(time_secs), all.secs[1].max(time_secs)];
            all.values = [all.values[0].min(height), all.values[1].max(height)];
        }
    }
    bounds
}

/// Adds a diamond to a mesh, with soft edges.
pub(crate) fn diamond(mesh: &mut Mesh, at: Pos2, reach: f32, color: Color32) {
    /// Width of the soft edge, in points.
    const SOFT: f32 = 1.0;
    let first = mesh.vertices.len() as u32;
    for (reach, color) in [(reach - SOFT, color), (reach, Color32::TRANSPARENT)] {
        for corner in [vec2(0.0, -reach), vec2(reach, 0.0), vec2(0.0, reach), vec2(-reach, 0.0)] {
            mesh.colored_vertex(at + corner, color);
        }
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
    for corner in 0..4 {
        let next = (corner + 1) % 4;
        mesh.add_triangle(first + corner, first + next, first + 4 + corner);
        mesh.add_triangle(first + next, first + 4 + next, first + 4 + corner);
    }
}
