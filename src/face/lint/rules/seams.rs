//! Cracks: vertices that are at one position at rest, split at a seam of texture coordinates or normals, and that a shape moves
//! apart.
//!
//! A seam is where two border edges coincide: each belongs to one triangle only, and their ends are at the same two positions.
//! Closed lips and eyelids may coincide like this too: a gap that is wider than any error of an exporter is taken for such an
//! opening, unless one side never moves.

use std::collections::HashMap;

use glam::Vec3;

use crate::head::{Level, Mesh};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// A gap above this, in millimetres, is an opening mouth or eye.
const MOST_MM: f32 = 4.0;

/// Vertices closer than this part of the face are at the same position.
const SAME_POSITION: f32 = 1e-6;

/// The most pairs that are compared. Of a larger number an even sample is compared, which is enough to find a seam that opens.
const MOST_PAIRS: usize = 20_000;

/// One finding for all channels that open a seam, the worst first.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let pairs = seam_pairs(displacements);
    let mut slots: HashMap<usize, usize> = HashMap::new();
    for &vertex in pairs.iter().flatten() {
        let next = slots.len();
        slots.entry(vertex).or_insert(next);
    }
    let pairs: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|vertex| slots[&vertex])).collect();
    let openings = Openings::of(displacements, &slots, &pairs);
    let gap_of = |channel: usize| openings.widest_of(channel).map(|gap| (channel, gap));
    let mut worst: Vec<(usize, f32)> = displacements.examined(Rule::Crack).filter_map(gap_of).collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(_, gap) = worst.first()?;
    let channels = worst.into_iter().map(|(channel, _)| channel).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::Crack { gap, places: openings.count }))
}

/// The gaps that channels open between the vertices of pairs.
struct Openings {
    /// A narrower gap is no crack, in world units.
    least: f32,
    /// Per channel, its widest crack.
    widest: Vec<f32>,
    /// The number of pairs with a crack in some channel.
    count: usize,
}

impl Openings {
    /// `pairs` are indices into a compact list of vertices; `slots` is that index by vertex.
    fn of(displacements: &Displacements<'_>, slots: &HashMap<usize, usize>, pairs: &[[usize; 2]]) -> Self {
        let channel_count = displacements.head.channels.len();
        let least = displacements.in_world(displacements.settings.limit(Rule::Crack));
        let mut openings = Self { least, widest: vec![0.0; channel_count], count: 0 };
        if pairs.is_empty() {
            return openings;
        }
        let mut deltas = vec![Vec3::ZERO; slots.len()];
        let mut ever_moves = vec![false; slots.len()];
        let mut widest_of_pair = vec![0.0_f32; pairs.len()];
        let mut each_channel = |visit: &mut dyn FnMut(usize, &[Vec3])| {
            for channel in 0..channel_count {
                let mut touched: Vec<usize> = Vec::new();
                for (vertex, delta) in displacements.deltas(channel) {
                    if let Some(&slot) = slots.get(&vertex) {
                        deltas[slot] = delta;
                        touched.push(slot);
                    }
                }
                if !touched.is_empty() {
                    visit(channel, &deltas);
                }
                touched.into_iter().for_each(|slot| deltas[slot] = Vec3::ZERO);
            }
        };
        let gap = |deltas: &[Vec3], [a, b]: [usize; 2]| deltas[a].distance(deltas[b]);
        each_channel(&mut |_, deltas| {
            for (widest, &pair) in widest_of_pair.iter_mut().zip(pairs) {
                *widest = widest.max(gap(deltas, pair));
                for slot in pair {
                    ever_moves[slot] |= deltas[slot].length() > displacements.visible_threshold();
                }
            }
        });
        let is_crack = |(&widest, &[a, b]): (&f32, &[usize; 2])| {
            let only_one_side_moves = ever_moves[a] != ever_moves[b];
            widest > openings.least && (widest < displacements.in_world(MOST_MM) || only_one_side_moves)
        };
        let cracks: Vec<bool> = widest_of_pair.iter().zip(pairs).map(is_crack).collect();
        openings.count = cracks.iter().filter(|is_crack| **is_crack).count();
        let widest = &mut openings.widest;
        each_channel(&mut |channel, deltas| {
            let cracked = pairs.iter().zip(&cracks).filter(|(_, is_crack)| **is_crack);
            widest[channel] = cracked.map(|(&pair, _)| gap(deltas, pair)).fold(0.0, f32::max);
        });
        openings
    }

    /// The widest crack of a channel, if it is visible.
    fn widest_of(&self, channel: usize) -> Option<f32> {
        Some(self.widest[channel]).filter(|&gap| gap > self.least)
    }
}

/// Pairs of vertices, as indices among those of all meshes, that are at one position on both sides of a seam.
fn seam_pairs(displacements: &Displacements<'_>) -> Vec<[usize; 2]> {
    let mut positions = PositionIds { ids: HashMap::new(), grain: displacements.size * SAME_POSITION };
    // By the positions of both ends, ascending: the edges between them, each as the vertices at these ends.
    let mut edges: HashMap<[u32; 2], Vec<[usize; 2]>> = HashMap::new();
    for (index, mesh) in displacements.head.meshes.iter().enumerate() {
        let first = displacements.first_vertex(index);
        for edge in border_edges(mesh) {
            let [a, b] = edge.map(|vertex| positions.id(displacements.position(index, vertex as usize)));
            let [near, far] = edge.map(|vertex| first + vertex as usize);
            if a != b {
                let (key, ends) = if a < b { ([a, b], [near, far]) } else { ([b, a], [far, near]) };
                let there = edges.entry(key).or_default();
                // Among more than two edges it is unknown which two belong together.
                if there.len() < 3 {
                    there.push(ends);
                }
            }
        }
    }
    let seams = edges.into_values().filter_map(|there| <[[usize; 2]; 2]>::try_from(there).ok());
    let mut pairs: Vec<[usize; 2]> = seams.flat_map(|[a, b]| [[a[0], b[0]], [a[1], b[1]]]).collect();
    pairs.retain(|[a, b]| a != b);
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    pairs.dedup();
    let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
    pairs.into_iter().step_by(step).collect()
}

/// Edges that belong to one triangle only.
fn border_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let of_triangle = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut edges: Vec<[u32; 2]> = mesh.indices.as_chunks::<3>().0.iter().flat_map(of_triangle).collect();
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Numbers positions: equal positions, rounded to `grain`, have the same number.
struct PositionIds {
    ids: HashMap<[i64; 3], u32>,
    grain: f32,
}

impl PositionIds {
    fn id(&mut self, position: Vec3) -> u32 {
        let key = position.to_array().map(|x| (f64::from(x) / f64::from(self.grain)).round() as i64);
        let next = self.ids.len() as u32;
        *self.ids.entry(key).or_insert(next)
    }
}
