//! Left and right shapes that are not each other's mirror image: a slip of the hand, or a face that is not even.
//!
//! The measure of a pair is the length of what differs, as one long vector, over the length of the movement, both sides' mean.
//! Asked only of heads that are symmetric at rest where they move.

use glam::Vec3;

use super::finding::{Finding, Rule};
use super::mirror::Mirror;
use super::movement::Movement;
use crate::head::{Level, PairKind};

/// Less than this part of the movement is the modeller's freedom.
const UNEVEN: f32 = 0.1;

/// And less than this part of the face is not seen: a tenth of a millimetre.
const LEAST: f32 = 5e-4;

/// Vertices without a mirror image may do this part of what the others do.
const MOST_UNMATCHED: f64 = 0.3;

/// How far a pair is from even.
struct Unevenness {
    left: usize,
    right: usize,
    /// Of the movement.
    share: f32,
    /// Of any vertex, in world units.
    most: f32,
}

/// One finding for all uneven pairs, the worst first.
pub fn check(movement: &Movement<'_>) -> Option<Finding> {
    let pairs = movement.head.pairs.iter().filter(|pair| pair.kind == PairKind::Sides);
    let pairs: Vec<(usize, usize)> = pairs
        .filter_map(|pair| Some((pair.first, pair.second?)))
        .filter(|&(left, right)| movement.is_seen(left) && movement.is_seen(right))
        .collect();
    let mut is_moved = vec![false; movement.vertex_count()];
    for channel in pairs.iter().flat_map(|&(left, right)| [left, right]) {
        movement.deltas(channel).for_each(|(vertex, _)| is_moved[vertex] = true);
    }
    let moved: Vec<usize> = (0..is_moved.len()).filter(|&vertex| is_moved[vertex]).collect();
    let mirror = Mirror::of(movement, &moved)?;
    let mut scratch = Scratch { left: vec![Vec3::ZERO; is_moved.len()], right: vec![Vec3::ZERO; is_moved.len()] };
    let measured = pairs.iter().filter_map(|&(left, right)| scratch.measure(movement, &mirror, left, right));
    let is_uneven = |pair: &Unevenness| pair.share > UNEVEN && pair.most > LEAST * movement.size;
    let mut uneven: Vec<Unevenness> = measured.filter(is_uneven).collect();
    uneven.sort_by(|a, b| b.share.total_cmp(&a.share));
    let worst = uneven.first()?;
    let name = |channel: usize| movement.head.channels[channel].name.as_str();
    let mut message = format!(
        "{} of {} pairs differ from their mirror image by more than {:.0} % of their movement, most of all {} and {}: by {:.0} %, \
         and by {} at most",
        uneven.len(),
        pairs.len(),
        UNEVEN * 100.0,
        name(worst.left),
        name(worst.right),
        worst.share * 100.0,
        movement.length(worst.most),
    );
    message += if uneven.len() * 2 > pairs.len() {
        "; as it should be if the face was scanned, else mirror the better side"
    } else {
        "; if that is not meant, mirror the better side"
    };
    let channels = uneven.iter().flat_map(|pair| [pair.left, pair.right]).collect();
    Some(Finding { rule: Rule::Asymmetry, level: Level::Info, channels, message })
}

/// Deltas by vertex; all zero between two pairs.
struct Scratch {
    left: Vec<Vec3>,
    right: Vec<Vec3>,
}

impl Scratch {
    /// None where too much of the movement is in vertices without a mirror image, as of eyes that are each other's copies.
    fn measure(&mut self, movement: &Movement<'_>, mirror: &Mirror, left: usize, right: usize) -> Option<Unevenness> {
        movement.deltas(left).for_each(|(vertex, delta)| self.left[vertex] = delta);
        movement.deltas(right).for_each(|(vertex, delta)| self.right[vertex] = delta);
        let (mut differs, mut moves, mut unmatched, mut most) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f32);
        for &(vertex, image) in &mirror.images {
            let Some(image) = image else {
                unmatched += f64::from(self.left[vertex].length_squared() + self.right[vertex].length_squared()) * 0.5;
                continue;
            };
            let (own, theirs) = (self.left[vertex], self.right[image] * mirror.flip);
            let distance = own.distance(theirs);
            differs += f64::from(distance).powi(2);
            moves += f64::from(own.length_squared() + theirs.length_squared()) * 0.5;
            most = most.max(distance);
        }
        movement.deltas(left).for_each(|(vertex, _)| self.left[vertex] = Vec3::ZERO);
        movement.deltas(right).for_each(|(vertex, _)| self.right[vertex] = Vec3::ZERO);
        let share = if moves > 0.0 { (differs / moves).sqrt() as f32 } else { 0.0 };
        (unmatched < MOST_UNMATCHED * moves).then_some(Unevenness { left, right, share, most })
    }
}
