//! Channels that are linear combinations of others: equal, opposite, a multiple, or a weighted sum of at most three.
//!
//! Candidates come from the cosines of [`Similarity`]: of the channels most similar to one, the few best are tried together with
//! every other (a beam search in the manner of orthogonal matching pursuit), which takes time with the square of the number of
//! channels, not with its cube. Each candidate is solved exactly, on every vertex, and counts if no vertex differs visibly.

use std::collections::HashSet;

use glam::Vec3;

use crate::head::Level;
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::similarity::Similarity;

/// The part of a channel's displacements (by length as one vector) that a combination may leave unexplained.
const UNEXPLAINED: f64 = 0.01;

/// The largest error at a vertex, in millimetres.
const MOST_ERROR_MM: f32 = 0.2;

/// The part that a combination of sketches may leave unexplained to be solved exactly.
const CANDIDATE: f32 = 0.02;

/// The most channels in a combination; larger combinations are of no use to an artist.
const MOST_SOURCES: usize = 3;

/// The number of candidates that are extended further.
const BEAM: usize = 4;

/// The most combinations that are reported.
const MOST_FINDINGS: usize = 40;

/// `channel` is the sum of its sources, each times its weight.
struct Combination {
    channel: usize,
    /// Channels and weights.
    sources: Vec<(usize, f64)>,
    /// The largest error at a vertex, in world units.
    error: f32,
}

/// A finding per group of equal channels, per opposite pair and per linear combination.
pub(in crate::lint) fn check(displacements: &Displacements<'_>, similarity: &Similarity) -> Vec<Finding> {
    let multiples = multiples(displacements, similarity);
    let mut findings = findings_of_multiples(displacements, &multiples);
    let is_multiple: HashSet<usize> = multiples.iter().map(|multiple| multiple.channel).collect();
    // Of channels that are multiples of each other only the first is examined further.
    let independent: Vec<usize> =
        (0..similarity.channels.len()).filter(|&at| !is_multiple.contains(&similarity.channels[at])).collect();
    let mut reported = HashSet::new();
    for &at in &independent {
        let Some(found) = find_combination(displacements, similarity, &independent, at) else { continue };
        let found = solved_for_the_largest(displacements, found);
        let mut members: Vec<usize> = found.sources.iter().map(|source| source.0).chain([found.channel]).collect();
        members.sort_unstable();
        if reported.len() < MOST_FINDINGS && reported.insert(members) {
            findings.push(finding_of_sum(displacements, found));
        }
    }
    findings
}

/// Channels that are multiples of an earlier one.
fn multiples(displacements: &Displacements<'_>, similarity: &Similarity) -> Vec<Combination> {
    let mut multiples: Vec<Combination> = Vec::new();
    let mut originals: Vec<usize> = Vec::new();
    for at in 0..similarity.channels.len() {
        let alike = |&other: &usize| similarity.cosine(at, other).abs() > 1.0 - CANDIDATE * CANDIDATE;
        let candidates = originals.iter().copied().filter(alike).take(BEAM);
        let found = candidates.into_iter().find_map(|other| solve(displacements, similarity, at, &[other]));
        match found {
            Some(multiple) => multiples.push(multiple),
            None => originals.push(at),
        }
    }
    multiples
}

fn findings_of_multiples(displacements: &Displacements<'_>, multiples: &[Combination]) -> Vec<Finding> {
    let is_about = |weight: f64, one: f64| (weight - one).abs() < 0.01;
    let mut groups: Vec<(Level, Vec<usize>, Measure)> = Vec::new();
    for multiple in multiples {
        let (original, weight) = multiple.sources[0];
        let error = multiple.error;
        let (level, measure) = match weight {
            weight if is_about(weight, 1.0) => (Level::Warning, Measure::Duplicate { error }),
            weight if is_about(weight, -1.0) => (Level::Info, Measure::Opposite { error }),
            factor => (Level::Info, Measure::Multiple { factor, error }),
        };
        let is_duplicate = |measure: &Measure| matches!(measure, Measure::Duplicate { .. });
        let group = groups.iter_mut().find(|(_, channels, other)| is_duplicate(other) && channels[0] == original);
        match group.filter(|_| is_duplicate(&measure)) {
            Some((_, channels, _)) => channels.push(multiple.channel),
            None => groups.push((level, vec![original, multiple.channel], measure)),
        }
    }
    groups.into_iter().map(|(level, channels, measure)| displacements.finding(level, channels, measure)).collect()
}

/// Channels whose combination may be another one, as indices into [`Similarity::channels`].
#[derive(Clone, Copy)]
struct Candidate {
    /// The part of the other's squared length that their best combination leaves unexplained.
    unexplained: f32,
    sources: [usize; MOST_SOURCES],
    count: usize,
}

impl Candidate {
    fn sources(&self) -> &[usize] {
        &self.sources[..self.count]
    }

    /// This candidate with one more source, unless it already has that source.
    fn and(&self, similarity: &Similarity, at: usize, other: usize) -> Option<Self> {
        let mut longer = *self;
        longer.sources[self.count] = other;
        longer.count += 1;
        longer.unexplained = unexplained(similarity, at, longer.sources());
        (!self.sources().contains(&other)).then_some(longer)
    }
}

/// The combination of two or three of `independent` that is a channel, with as few sources as possible.
fn find_combination(
    displacements: &Displacements<'_>,
    similarity: &Similarity,
    independent: &[usize],
    at: usize,
) -> Option<Combination> {
    let others = || independent.iter().copied().filter(|&other| other != at);
    let none = Candidate { unexplained: 1.0, sources: [0; MOST_SOURCES], count: 0 };
    let mut beam: Vec<Candidate> = others().filter_map(|other| none.and(similarity, at, other)).collect();
    keep_best(&mut beam);
    for _ in 1..MOST_SOURCES {
        let longer = |shorter: &Candidate| {
            let shorter = *shorter;
            others().filter_map(move |other| shorter.and(similarity, at, other))
        };
        beam = beam.iter().flat_map(longer).collect();
        keep_best(&mut beam);
        let likely = beam.iter().filter(|candidate| candidate.unexplained < CANDIDATE * CANDIDATE).take(2);
        if let Some(found) =
            likely.filter_map(|candidate| solve(displacements, similarity, at, candidate.sources())).next()
        {
            return Some(found);
        }
    }
    None
}

fn keep_best(beam: &mut Vec<Candidate>) {
    if beam.len() > BEAM {
        beam.select_nth_unstable_by(BEAM, |a, b| a.unexplained.total_cmp(&b.unexplained));
        beam.truncate(BEAM);
    }
    beam.sort_by(|a, b| a.unexplained.total_cmp(&b.unexplained));
}

/// The part of a sketch's squared length that the best combination of its sources leaves unexplained.
fn unexplained(similarity: &Similarity, at: usize, sources: &[usize]) -> f32 {
    let gram = |a: usize, b: usize| f64::from(similarity.cosine(sources[a], sources[b]));
    let with = |a: usize| f64::from(similarity.cosine(at, sources[a]));
    match weights_of(sources.len(), gram, with) {
        Some(weights) => {
            let explained: f64 = (0..sources.len()).map(|a| weights[a] * with(a)).sum();
            (1.0 - explained).max(0.0) as f32
        }
        None => 1.0,
    }
}

/// Least squares by the normal equations, with Gaussian elimination. None if the sources are linearly dependent.
fn weights_of(
    count: usize,
    gram: impl Fn(usize, usize) -> f64,
    with: impl Fn(usize) -> f64,
) -> Option<[f64; MOST_SOURCES]> {
    let mut rows = [[0.0; MOST_SOURCES + 1]; MOST_SOURCES];
    for (a, row) in rows[..count].iter_mut().enumerate() {
        for (b, number) in row[..count].iter_mut().enumerate() {
            *number = gram(a, b);
        }
        row[MOST_SOURCES] = with(a);
    }
    for pivot in 0..count {
        let (upper, lower) = rows.split_at_mut(pivot + 1);
        let own = upper[pivot];
        if own[pivot] <= 1e-6 * gram(pivot, pivot) {
            return None;
        }
        for row in &mut lower[..count - pivot - 1] {
            let factor = row[pivot] / own[pivot];
            row.iter_mut().zip(own).for_each(|(number, above)| *number -= factor * above);
        }
    }
    let mut weights = [0.0; MOST_SOURCES];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| rows[row][column] * weights[column]).sum();
        weights[row] = (rows[row][MOST_SOURCES] - known) / rows[row][row];
    }
    Some(weights)
}

/// The combination over all vertices, if its error is small enough.
fn solve(
    displacements: &Displacements<'_>,
    similarity: &Similarity,
    at: usize,
    sources: &[usize],
) -> Option<Combination> {
    let channel = similarity.channels[at];
    let sources: Vec<usize> = sources.iter().map(|&source| similarity.channels[source]).collect();
    let all = [&[channel], &sources[..]].concat();
    let count = all.len();
    let mut gram = vec![0.0_f64; count * count];
    displacements.for_each_vertex(&all, |_, deltas| {
        for a in 0..count {
            for b in a..count {
                gram[a * count + b] += deltas[a].as_dvec3().dot(deltas[b].as_dvec3());
            }
        }
    });
    let product = |a: usize, b: usize| gram[a.min(b) * count + a.max(b)];
    let weights = weights_of(sources.len(), |a, b| product(a + 1, b + 1), |a| product(0, a + 1))?;
    let (mut unexplained, mut error) = (0.0_f64, 0.0_f32);
    displacements.for_each_vertex(&all, |_, deltas| {
        let mixed: Vec3 = deltas[1..].iter().zip(&weights).map(|(delta, &weight)| *delta * weight as f32).sum();
        let distance = (deltas[0] - mixed).length();
        unexplained += f64::from(distance).powi(2);
        error = error.max(distance);
    });
    let is_exact = unexplained <= UNEXPLAINED.powi(2) * product(0, 0) && error <= displacements.in_world(MOST_ERROR_MM);
    let counts = |(a, weight): (usize, &f64)| weight.abs() * product(a + 1, a + 1).sqrt() > 0.05 * product(0, 0).sqrt();
    let all_count = weights[..sources.len()].iter().enumerate().all(counts);
    (is_exact && all_count).then(|| Combination { channel, sources: sources.into_iter().zip(weights).collect(), error })
}

/// Solves a combination for its largest member: `a = b − c` becomes `b = a + c`.
fn solved_for_the_largest(displacements: &Displacements<'_>, found: Combination) -> Combination {
    let share = |&(channel, weight): &(usize, f64)| weight.abs() * f64::from(displacements.norm[channel]);
    let most = (0..found.sources.len()).max_by(|&a, &b| share(&found.sources[a]).total_cmp(&share(&found.sources[b])));
    let Some(lead) =
        most.filter(|&lead| share(&found.sources[lead]) > 1.01 * f64::from(displacements.norm[found.channel]))
    else {
        return found;
    };
    let (channel, weight) = found.sources[lead];
    let mut sources = vec![(found.channel, weight.recip())];
    let rest = found.sources.iter().enumerate().filter(|(at, _)| *at != lead);
    sources.extend(rest.map(|(_, &(source, own))| (source, -own / weight)));
    Combination { channel, sources, error: found.error / weight.abs() as f32 }
}

fn finding_of_sum(displacements: &Displacements<'_>, found: Combination) -> Finding {
    let (sources, weights): (Vec<usize>, Vec<f64>) = found.sources.into_iter().unzip();
    let channels = std::iter::once(found.channel).chain(sources).collect();
    displacements.finding(Level::Info, channels, Measure::Sum { weights, error: found.error })
}
