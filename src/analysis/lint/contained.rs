//! Shapes that contain another one, whole: exported against a face on which that one was not at 0.

use glam::Vec3;

use super::displacements::{Displacements, Similarity};
use super::finding::{Finding, Measure};
use super::rule::Rule;
use super::rules;
use smirk_face::head::Level;

/// The part of a channel's movement, by its squares, that another one has to have to contain it.
const CONTAINED: f64 = 0.75;

/// Two movements of a vertex are the same if they differ by less than this part.
const SAME: f32 = 0.05;

/// Smaller movements than this part of a channel's largest do not count.
const SMALL: f32 = 0.05;

/// What a sum of contained channels may leave, as a part of the movement of the whole.
const REMAINDER: f64 = 0.1;

/// The most channels that are compared, each with all others.
const MOST_CHANNELS: usize = 1024;

/// The most vertices that are looked at before two channels are compared as a whole.
const SAMPLES: usize = 16;

/// A finding per channel that others contain, with these others.
///
/// A shape that was exported with the jaw open, or against a base with the jaw open, has all of the jaw's movement,
/// once or with the opposite sign, and its own besides. A shape that is only a sum of others, such as the smile of both
/// sides, is no fault.
pub(super) fn contained(displacements: &Displacements<'_>, similarity: &Similarity) -> Vec<Finding> {
    let examined: Vec<usize> = displacements
        .examined(Rule::Contained)
        .filter(|&channel| displacements.is_visible(channel) && displacements.is_linear(channel))
        .take(MOST_CHANNELS)
        .collect();
    // Per containing channel, what it contains.
    let mut found: Vec<(usize, Vec<ContainedChannel>)> = Vec::new();
    let mut parts_of: Vec<Vec<ContainedChannel>> = vec![Vec::new(); examined.len()];
    for &part in &examined {
        let samples = samples(displacements, part);
        for (at, &whole) in examined.iter().enumerate() {
            if whole != part && displacements.norm[whole] > displacements.norm[part] {
                parts_of[at].extend(contained_in(displacements, &samples, part, whole));
            }
        }
    }
    for (&whole, parts) in examined.iter().zip(parts_of) {
        if !parts.is_empty()
            && has_its_own(displacements, whole, &parts)
            && !rules::is_sum(displacements, similarity, whole)
        {
            found.push((whole, parts));
        }
    }
    let mut findings = Vec::new();
    for (part, weight) in examined.iter().flat_map(|&part| [(part, 1.0), (part, -1.0)]) {
        let wholes = found.iter().filter_map(|(whole, parts)| {
            let same = parts.iter().find(|other| other.channel == part && other.weight == weight)?;
            Some((*whole, same.share))
        });
        let wholes: Vec<(usize, f32)> = wholes.collect();
        let Some(&(_, share)) = wholes.first() else { continue };
        let channels = std::iter::once(part).chain(wholes.into_iter().map(|(whole, _)| whole)).collect();
        findings.push(displacements.finding(Level::Warning, channels, Measure::Contained { weight, share }));
    }
    findings
}

#[derive(Clone, Copy)]
struct ContainedChannel {
    channel: usize,
    /// 1 or −1.
    weight: f32,
    /// The part of its movement that is there.
    share: f32,
}

/// A vertex of a mesh, and how a channel moves it.
type Sample = (usize, u32, Vec3);

/// Some of the vertices that a channel moves, evenly over its rows.
fn samples(displacements: &Displacements<'_>, channel: usize) -> Vec<Sample> {
    let least = displacements.largest[channel] * SMALL;
    let moved = displacements.targets(channel).flat_map(|(mesh, _, target)| {
        let rows = target.rows.iter().zip(&target.positions);
        rows.map(move |(&row, &delta)| (mesh, row, delta))
    });
    let moved = moved
        .filter(|&(mesh, row, delta)| displacements.direction_in_world(mesh, row as usize, delta).length() > least);
    let moved: Vec<Sample> = moved.collect();
    let step = moved.len().div_ceil(SAMPLES).max(1);
    moved.into_iter().step_by(step).collect()
}

/// Whether a movement is that of a part, once or with the opposite sign.
fn is_same(whole: Vec3, part: Vec3, weight: f32) -> bool {
    whole.distance(part * weight) <= part.length() * SAME
}

/// Whether one channel contains another one. Few vertices decide about most of them.
fn contained_in(
    displacements: &Displacements<'_>,
    samples: &[Sample],
    part: usize,
    whole: usize,
) -> Option<ContainedChannel> {
    let mut alike = [0, 0];
    for (at, &(mesh, row, delta)) in samples.iter().enumerate() {
        let target = displacements.targets(whole).find(|(other, ..)| *other == mesh).map(|(.., target)| target);
        let of_whole = target.and_then(|target| Some(target.positions[target.rows.binary_search(&row).ok()?]));
        for (weight, count) in [1.0, -1.0].into_iter().zip(&mut alike) {
            *count += usize::from(is_same(of_whole.unwrap_or_default(), delta, weight));
        }
        if at == SAMPLES / 4 && alike == [0, 0] {
            return None;
        }
    }
    let (weight, count) = if alike[0] >= alike[1] { (1.0, alike[0]) } else { (-1.0, alike[1]) };
    if count * 2 < samples.len() {
        return None;
    }
    let least = displacements.largest[part] * SMALL;
    let (mut all, mut there) = (0.0_f64, 0.0_f64);
    displacements.for_each_vertex(&[part, whole], |_, deltas| {
        let square = f64::from(deltas[0].length_squared());
        all += square;
        if deltas[0].length() > least && is_same(deltas[1], deltas[0], weight) {
            there += square;
        }
    });
    let share = (there / all) as f32;
    (there > CONTAINED * all).then_some(ContainedChannel { channel: part, weight, share })
}

/// Whether a channel moves something besides its parts.
fn has_its_own(displacements: &Displacements<'_>, whole: usize, parts: &[ContainedChannel]) -> bool {
    let channels: Vec<usize> = std::iter::once(whole).chain(parts.iter().map(|part| part.channel)).collect();
    let (mut all, mut left, mut largest) = (0.0_f64, 0.0_f64, 0.0_f32);
    displacements.for_each_vertex(&channels, |_, deltas| {
        let of_parts = parts.iter().zip(&deltas[1..]).map(|(part, delta)| *delta * part.weight);
        // Where one part contains another one, their common movement is there once only.
        let own = of_parts.fold(deltas[0], |left, delta| {
            let without = left - delta;
            if without.length_squared() < left.length_squared() { without } else { left }
        });
        all += f64::from(deltas[0].length_squared());
        left += f64::from(own.length_squared());
        largest = largest.max(own.length());
    });
    left > REMAINDER * REMAINDER * all && largest > displacements.visible_threshold()
}
