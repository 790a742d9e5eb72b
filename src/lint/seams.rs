//! Cracks: vertices that are one point of the surface at rest, split for texture or shading, and that a shape moves apart.
//!
//! A seam is where two edges of the surface lie on each other: each belongs to one triangle only, and both ends of both are in
//! one place. Lips and lids may lie on each other like that too; what parts further than any slip of an exporter is taken for one
//! of these, unless one side never moves at all.

use std::collections::HashMap;

use glam::Vec3;

use super::finding::{Finding, Rule};
use super::movement::Movement;
use crate::head::{Level, Mesh};

/// A gap below this part of the face is not seen: a twentieth of a millimetre.
const LEAST: f32 = 2.5e-4;

/// A gap above this part of the face is a mouth or an eye: four millimetres.
const MOST: f32 = 2e-2;

/// Points closer than this part of the face are one.
const SAME_PLACE: f32 = 1e-6;

/// More pairs than this are sampled evenly: enough to see whether a seam holds.
const MOST_PAIRS: usize = 20_000;

/// One finding for all channels that open a seam, the worst first.
pub fn check(movement: &Movement<'_>) -> Option<Finding> {
    let pairs = seam_pairs(movement);
    let mut slots: HashMap<usize, usize> = HashMap::new();
    for &vertex in pairs.iter().flatten() {
        let next = slots.len();
        slots.entry(vertex).or_insert(next);
    }
    let pairs: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|vertex| slots[&vertex])).collect();
    let openings = Openings::of(movement, &slots, &pairs);
    let mut worst: Vec<(usize, f32)> = (0..movement.head.channels.len())
        .filter_map(|channel| openings.widest_of(movement, channel).map(|gap| (channel, gap)))
        .collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(channel, gap) = worst.first()?;
    let message = format!(
        "{} shapes open seams that are closed at rest, most of all {}: {} places by up to {}; give both sides of a seam the same \
         deltas, e.g. by merging vertices before sculpting",
        worst.len(),
        movement.head.channels[channel].name,
        openings.count,
        movement.length(gap),
    );
    let channels = worst.into_iter().map(|(channel, _)| channel).collect();
    Some(Finding { rule: Rule::Crack, level: Level::Warning, channels, message })
}

/// How far the channels part the pairs.
struct Openings {
    /// Per channel, the widest gap that is a crack.
    widest: Vec<f32>,
    /// How many pairs some channel cracks.
    count: usize,
}

impl Openings {
    /// `pairs` name slots, which stand for vertices.
    fn of(movement: &Movement<'_>, slots: &HashMap<usize, usize>, pairs: &[[usize; 2]]) -> Self {
        let channel_count = movement.head.channels.len();
        let mut openings = Self { widest: vec![0.0; channel_count], count: 0 };
        if pairs.is_empty() {
            return openings;
        }
        let mut deltas = vec![Vec3::ZERO; slots.len()];
        let mut ever_moves = vec![false; slots.len()];
        let mut widest_of_pair = vec![0.0_f32; pairs.len()];
        let mut each_channel = |visit: &mut dyn FnMut(usize, &[Vec3])| {
            for channel in 0..channel_count {
                let mut touched: Vec<usize> = Vec::new();
                for (vertex, delta) in movement.deltas(channel) {
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
                    ever_moves[slot] |= deltas[slot].length() > movement.unseen();
                }
            }
        });
        let is_crack = |(&widest, &[a, b]): (&f32, &[usize; 2])| {
            let is_left_behind = ever_moves[a] != ever_moves[b];
            widest > LEAST * movement.size && (widest < MOST * movement.size || is_left_behind)
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

    /// How wide a channel opens seams, if it is seen.
    fn widest_of(&self, movement: &Movement<'_>, channel: usize) -> Option<f32> {
        Some(self.widest[channel]).filter(|&gap| gap > LEAST * movement.size)
    }
}

/// Vertices, among those of all meshes, that are one point of the surface.
fn seam_pairs(movement: &Movement<'_>) -> Vec<[usize; 2]> {
    let mut places = Places { ids: HashMap::new(), grain: movement.size * SAME_PLACE };
    // By the places of both ends, ascending: the edges there, each as the vertices at these ends.
    let mut edges: HashMap<[u32; 2], Vec<[usize; 2]>> = HashMap::new();
    for (index, mesh) in movement.head.meshes.iter().enumerate() {
        let first = movement.first_vertex(index);
        for edge in open_edges(mesh) {
            let [a, b] = edge.map(|vertex| places.id(movement.place(index, vertex as usize)));
            let [near, far] = edge.map(|vertex| first + vertex as usize);
            if a != b {
                let (key, ends) = if a < b { ([a, b], [near, far]) } else { ([b, a], [far, near]) };
                let there = edges.entry(key).or_default();
                // Of more than two, nobody can say which belong together.
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

/// Edges of one triangle only.
fn open_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let of_triangle = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut edges: Vec<[u32; 2]> = mesh.indices.as_chunks::<3>().0.iter().flat_map(of_triangle).collect();
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Numbers for places.
struct Places {
    ids: HashMap<[i64; 3], u32>,
    grain: f32,
}

impl Places {
    fn id(&mut self, place: Vec3) -> u32 {
        let key = place.to_array().map(|x| (f64::from(x) / f64::from(self.grain)).round() as i64);
        let next = self.ids.len() as u32;
        *self.ids.entry(key).or_insert(next)
    }
}
