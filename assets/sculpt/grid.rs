//! The grid of the skin, projected onto the head: slits are fixed to the edges of eyelids and lips, the columns between them are
//! distributed like a membrane, then every vertex slides along the surface until the quads are even.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::anatomy::head;
use super::field::gradient;
use super::layout::{ARC, Caster, Layout, angle, lid_edge, parting};
use super::membrane::Membrane;
use super::nostril;
use super::numbers::v;
use super::skin::border;

/// The quads of the left half of the head.
pub struct Grid {
    /// The layout.
    pub layout: Layout,
    /// In centimetres.
    pub positions: Vec<DVec3>,
    /// Column and row of each vertex.
    pub places: Vec<[usize; 2]>,
    /// Counter-clockwise seen from outside.
    pub quads: Vec<[usize; 4]>,
    /// Lid edges from the inner to the outer corner: upper, lower. Ends are shared.
    pub lids: [Vec<usize>; 2],
    /// Lip lines from the middle to the corner: upper, lower. The corner is shared.
    pub lips: [Vec<usize>; 2],
    /// The rim of the nostril, clockwise seen from outside.
    pub nostril: Vec<usize>,
    /// The quads in the opening of the nostril, as indices; they are not part of the surface.
    pub in_nostril: BTreeSet<usize>,
}

/// The topology of the grid, without positions.
struct Plan {
    layout: Layout,
    places: Vec<[usize; 2]>,
    quads: Vec<[usize; 4]>,
    below_slit: BTreeMap<[usize; 2], usize>,
}

impl Plan {
    fn new(layout: Layout) -> Self {
        let (width, height) = (layout.columns.len(), layout.rows.len());
        let mut places: Vec<[usize; 2]> = (0..width * height).map(|i| [i % width, i / width]).collect();
        let mut below_slit = BTreeMap::new();
        let (eye_row, first, last) = layout.eye;
        let (mouth_row, corner) = layout.mouth;
        let slits = (first + 1..last).map(|c| [c, eye_row]).chain((0..corner).map(|c| [c, mouth_row]));
        for place in slits {
            below_slit.insert(place, places.len());
            places.push(place);
        }
        let mut plan = Self { layout, places, quads: Vec::new(), below_slit };
        for row in 0..height - 1 {
            for column in 0..width - 1 {
                let (a, d) = (plan.below([column, row]), plan.below([column + 1, row]));
                plan.quads.push([a, plan.above([column, row + 1]), plan.above([column + 1, row + 1]), d]);
            }
        }
        plan
    }

    /// The vertex at a grid position, as used by quads above it.
    fn above(&self, [column, row]: [usize; 2]) -> usize {
        row * self.layout.columns.len() + column
    }

    /// The vertex at a grid position, as used by quads below it.
    fn below(&self, place: [usize; 2]) -> usize {
        self.below_slit.get(&place).copied().unwrap_or_else(|| self.above(place))
    }

    /// Lid and lip loops: upper, lower.
    fn loops(&self) -> ([Vec<usize>; 2], [Vec<usize>; 2]) {
        let (eye_row, first, last) = self.layout.eye;
        let (mouth_row, corner) = self.layout.mouth;
        let eye = [
            (first..=last).map(|c| self.above([c, eye_row])).collect(),
            (first..=last).map(|c| self.below([c, eye_row])).collect(),
        ];
        let mouth = [
            (0..=corner).map(|c| self.above([c, mouth_row])).collect(),
            (0..=corner).map(|c| self.below([c, mouth_row])).collect(),
        ];
        (eye, mouth)
    }
}

/// Builds the grid with these numbers of columns and rows of quads.
pub fn build(column_count: usize, row_count: usize) -> Grid {
    let plan = Plan::new(Layout::new(column_count, row_count));
    let (lids, lips) = plan.loops();
    let caster = Caster::default();

    // The positions of the slits: vertex, x, row height.
    let mut pins: Vec<(usize, f64, f64)> = Vec::new();
    for (side, edge) in lids.iter().enumerate() {
        for (i, &vertex) in edge.iter().enumerate() {
            let [x, y] = lid_edge(i as f64 / (edge.len() - 1) as f64, side == 0);
            pins.push((vertex, x, y));
        }
    }
    for line in &lips {
        pins.extend(line.iter().zip(plan.layout.mouth_x()).map(|(&vertex, x)| (vertex, x, parting(x))));
    }
    pins.sort_by_key(|pin| pin.0);
    pins.dedup_by_key(|pin| pin.0);
    let pinned: Vec<(usize, f64, f64, DVec3)> = pins
        .par_iter()
        .map(|&(vertex, x, y)| {
            let (theta, point) = caster.at_x(x, y);
            (vertex, theta, y, point)
        })
        .collect();

    let rest: Vec<DVec2> = plan
        .places
        .iter()
        .map(|&[column, row]| DVec2::new(plan.layout.columns[column], plan.layout.rows[row]))
        .collect();
    let mut is_fixed: Vec<bool> = rest.iter().map(|p| p.y > 8.2 || p.y < -7.5 || p.x > angle(6.4, 4.5)).collect();
    let mut shift = vec![DVec2::ZERO; rest.len()];
    for &(vertex, theta, y, _) in &pinned {
        is_fixed[vertex] = true;
        shift[vertex] = DVec2::new(theta, y) - rest[vertex];
    }
    let membrane = Membrane::new(&rest.iter().map(|p| *p * DVec2::new(ARC, 1.0)).collect::<Vec<_>>(), &plan.quads);
    membrane.spread(&mut shift, &is_fixed, |vertex| plan.places[vertex][0] == 0);
    let mut positions: Vec<DVec3> =
        rest.par_iter().zip(&shift).map(|(rest, shift)| caster.point(rest.x + shift.x, rest.y + shift.y)).collect();
    for &(vertex, _, _, point) in &pinned {
        positions[vertex] = point;
    }

    let last_column = plan.layout.columns.len() - 1;
    let is_middle = |vertex: usize| plan.places[vertex][0] == 0 || plan.places[vertex][0] == last_column;
    for (vertex, position) in positions.iter_mut().enumerate() {
        if is_middle(vertex) {
            position.x = 0.0;
        }
    }
    let mut is_locked = vec![false; rest.len()];
    pinned.iter().for_each(|pin| is_locked[pin.0] = true);
    let last_row = plan.layout.rows.len() - 1;
    for (vertex, place) in plan.places.iter().enumerate() {
        is_locked[vertex] |= place[1] < 2 || place[1] + 2 > last_row;
    }
    let free: Vec<usize> = (0..rest.len()).filter(|&vertex| !is_locked[vertex]).collect();
    relax(&mut positions, &membrane, &free, &is_middle, 24, 0.5);
    // Neck and shoulders start from rays at grazing angles and need more iterations.
    let low: Vec<usize> = free.into_iter().filter(|&vertex| rest[vertex].y < -9.0).collect();
    relax(&mut positions, &membrane, &low, &is_middle, 80, 0.8);
    let middle = |quad: &[usize; 4]| 0.25 * quad.iter().map(|&vertex| positions[vertex]).sum::<DVec3>();
    let is_opening = |quad: &[usize; 4]| nostril::from_middle(middle(quad)) < 1.0;
    let in_nostril: BTreeSet<usize> = (0..plan.quads.len()).filter(|&quad| is_opening(&plan.quads[quad])).collect();
    let mut nostril = border(in_nostril.iter().map(|&quad| &plan.quads[quad][..]), |_| true);
    nostril.reverse();
    let near: Vec<DVec3> = nostril.iter().map(|&vertex| positions[vertex]).collect();
    nostril.iter().zip(nostril::rim(&near)).for_each(|(&vertex, place)| positions[vertex] = place);
    let inside: BTreeSet<usize> = in_nostril.iter().flat_map(|&quad| plan.quads[quad]).collect();
    let around: Vec<usize> = (0..positions.len())
        .filter(|vertex| !is_locked[*vertex] && !inside.contains(vertex))
        .filter(|&vertex| nostril::from_middle(positions[vertex]) < 2.6)
        .collect();
    relax(&mut positions, &membrane, &around, &is_middle, 12, 0.5);
    Grid { layout: plan.layout, positions, places: plan.places, quads: plan.quads, lids, lips, nostril, in_nostril }
}

/// Slides `vertices` along the skin towards the middle of their neighbours.
fn relax(
    positions: &mut [DVec3],
    membrane: &Membrane,
    vertices: &[usize],
    is_middle: &(impl Fn(usize) -> bool + Sync),
    rounds: usize,
    strength: f64,
) {
    for _ in 0..rounds {
        let before: &[DVec3] = positions;
        let moved: Vec<DVec3> = vertices
            .par_iter()
            .map(|&vertex| {
                let p = before[vertex];
                let normal = gradient(head, p, 0.004).normalize_or(DVec3::Y);
                let pull = membrane.middle(vertex, before) - p;
                let mut q = p + (pull - normal * pull.dot(normal)) * strength;
                if is_middle(vertex) {
                    q.x = 0.0;
                }
                let slope = gradient(head, q, 0.004);
                q -= slope * (head(q) / slope.length_squared().max(0.1)).clamp(-0.15, 0.15);
                if is_middle(vertex) { v(0.0, q.y, q.z) } else { q }
            })
            .collect();
        for (&vertex, position) in vertices.iter().zip(moved) {
            positions[vertex] = position;
        }
    }
}
