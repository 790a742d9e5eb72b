//! Channels that have another name now and move the vertices as before.

use super::deltas::{Deltas, DeltasOfMesh, for_each_vertex};
use crate::head::{Channel, Head};

/// A channel that has another name now.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RenamedChannel {
    /// Its name before.
    pub old: String,
    /// Its name now.
    pub new: String,
    /// How alike the movements are: 1 if they are equal, 0 if they have nothing in common.
    pub likeness: f32,
    /// Its indices among the channels of the old and of the new head.
    #[serde(skip)]
    pub(super) channels: [usize; 2],
}

/// Less alike channels are two channels. A shape that is half as strong again has 0.92.
const LEAST_LIKENESS: f64 = 0.9;

/// The most channels of either head that are compared, all with all.
const MOST: usize = 200;

/// The movement of a channel on the meshes that both heads have.
struct Movement {
    /// Per mesh of both heads, the deltas of the vertices.
    deltas: Vec<Deltas>,
    /// The sum of their squared lengths.
    square: f64,
}

/// Of channels that are gone and channels that are new, those that are one channel, the most alike first: their indices in both heads,
/// and how alike they are.
pub(super) fn renamed(
    (old, gone): (&Head, &[usize]),
    (new, added): (&Head, &[usize]),
    meshes: &[Option<DeltasOfMesh<'_>>],
) -> Vec<(usize, usize, f32)> {
    let movements = |head: &Head, channels: &[usize], is_old: bool| -> Vec<(usize, Movement)> {
        let moving =
            channels.iter().filter_map(|&at| Some((at, Movement::of(head, head.channels.get(at)?, meshes, is_old)?)));
        moving.take(MOST).collect()
    };
    let (before, after) = (movements(old, gone, true), movements(new, added, false));
    let mut alike: Vec<(f64, usize, usize)> = Vec::new();
    for (gone, a) in &before {
        alike.extend(after.iter().filter_map(|(added, b)| Some((a.likeness(b)?, *gone, *added))));
    }
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut found: Vec<(usize, usize, f32)> = Vec::new();
    for (likeness, gone, added) in alike {
        if found.iter().all(|(old, new, _)| *old != gone && *new != added) {
            found.push((gone, added, likeness as f32));
        }
    }
    found
}

impl Movement {
    /// None for a channel that moves nothing.
    fn of(head: &Head, channel: &Channel, meshes: &[Option<DeltasOfMesh<'_>>], is_old: bool) -> Option<Self> {
        let deltas_on = |of_mesh: &DeltasOfMesh<'_>| {
            let index = if is_old { of_mesh.matched().old } else { of_mesh.matched().new };
            let mesh = &head.meshes[index];
            let own =
                channel.targets.iter().find_map(|target| mesh.targets.get(target.checked_sub(mesh.first_target)?));
            match own {
                Some(target) if is_old => of_mesh.old(target, 1.0),
                Some(target) => of_mesh.new_of(target, 1.0),
                None => Deltas::new(),
            }
        };
        let deltas: Vec<Deltas> = meshes.iter().flatten().map(deltas_on).collect();
        let square: f64 = deltas.iter().flatten().map(|(_, delta)| f64::from(delta.length_squared())).sum();
        (square > 0.0 && square.is_finite()).then_some(Self { deltas, square })
    }

    /// Twice the dot product over the sum of the squares; none if the two are not alike.
    fn likeness(&self, other: &Self) -> Option<f64> {
        // By Cauchy and Schwarz, the dot product is at most the root of the product of the squares.
        let part_of_squares = |dot: f64| 2.0 * dot / (self.square + other.square);
        if part_of_squares((self.square * other.square).sqrt()) < LEAST_LIKENESS {
            return None;
        }
        let mut dot = 0.0;
        for (a, b) in self.deltas.iter().zip(&other.deltas) {
            for_each_vertex(a, b, |_, a, b| dot += f64::from(a.dot(b)));
        }
        Some(part_of_squares(dot)).filter(|likeness| *likeness >= LEAST_LIKENESS)
    }
}
