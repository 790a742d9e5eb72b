//! Channels that are others over again: equal, opposite, or a weighted sum of at most three.
//!
//! Candidates come from the cosines of [`Products`]: of the channels most like one, the few best are tried together with every
//! other (a beam search in the manner of orthogonal matching pursuit), which takes time with the square of the channels, not with
//! their cube. What looks like a mix there is solved for exactly, on every vertex, and counts if nothing is off by more than can
//! be seen.

use std::collections::HashSet;

use glam::Vec3;

use super::finding::{Finding, Rule};
use super::movement::{Movement, rounded};
use super::products::Products;
use crate::head::Level;

/// The part of a channel's movement (its length as one vector) that a mix may leave unexplained.
const UNEXPLAINED: f64 = 0.01;

/// No vertex may be off by more than this part of the face: a fifth of a millimetre.
const MOST_OFF: f32 = 1e-3;

/// What the sketches may leave unexplained before anybody looks closer.
const CANDIDATE: f32 = 0.02;

/// A mix of more says little to anybody.
const MOST_SOURCES: usize = 3;

/// How many of the likeliest are followed.
const BEAM: usize = 4;

/// More findings of a kind than this are no news.
const MOST_FINDINGS: usize = 40;

/// `channel` is the sum of its sources, each times its weight.
struct Mix {
    channel: usize,
    /// Channels and weights.
    sources: Vec<(usize, f64)>,
    /// How far any vertex is off, in world units.
    off: f32,
}

/// A finding per group of equal channels, per opposite pair and per mix.
pub fn check(movement: &Movement<'_>, products: &Products) -> Vec<Finding> {
    let copies = copies(movement, products);
    let mut findings = tell_copies(movement, &copies);
    let is_copy: HashSet<usize> = copies.iter().map(|copy| copy.channel).collect();
    // What is equal to another, or to its opposite, is looked at once.
    let own: Vec<usize> =
        (0..products.channels.len()).filter(|&at| !is_copy.contains(&products.channels[at])).collect();
    let mut told = HashSet::new();
    for &at in &own {
        let Some(mix) = find_mix(movement, products, &own, at) else { continue };
        let mix = led_by_the_largest(movement, mix);
        let mut members: Vec<usize> = mix.sources.iter().map(|source| source.0).chain([mix.channel]).collect();
        members.sort_unstable();
        if told.len() < MOST_FINDINGS && told.insert(members) {
            findings.push(tell_mix(movement, &mix));
        }
    }
    findings
}

/// Channels that are an earlier one, times a number.
fn copies(movement: &Movement<'_>, products: &Products) -> Vec<Mix> {
    let mut copies: Vec<Mix> = Vec::new();
    let mut originals: Vec<usize> = Vec::new();
    for at in 0..products.channels.len() {
        let alike = |&other: &usize| products.cosine(at, other).abs() > 1.0 - CANDIDATE * CANDIDATE;
        let candidates = originals.iter().copied().filter(alike).take(BEAM);
        let found = candidates.into_iter().find_map(|other| solve(movement, products, at, &[other]));
        match found {
            Some(copy) => copies.push(copy),
            None => originals.push(at),
        }
    }
    copies
}

fn tell_copies(movement: &Movement<'_>, copies: &[Mix]) -> Vec<Finding> {
    let is_about = |weight: f64, one: f64| (weight - one).abs() < 0.01;
    let mut findings: Vec<Finding> = Vec::new();
    for copy in copies {
        let (original, weight) = copy.sources[0];
        let rule = match weight {
            weight if is_about(weight, 1.0) => Rule::Duplicate,
            weight if is_about(weight, -1.0) => Rule::Opposite,
            _ => Rule::Mix,
        };
        let same = |finding: &&mut Finding| finding.rule == Rule::Duplicate && finding.channels[0] == original;
        if rule == Rule::Duplicate
            && let Some(group) = findings.iter_mut().find(same)
        {
            group.channels.push(copy.channel);
            continue;
        }
        let how_equal = if copy.off > 0.0 { format!(", to {}", movement.length(copy.off)) } else { String::new() };
        let name = |channel: usize| &movement.head.channels[channel].name;
        let (level, message) = match rule {
            Rule::Duplicate => (
                Level::Warning,
                format!("move every vertex alike{how_equal}; one was copied and not modelled, or one is too many"),
            ),
            Rule::Opposite => (
                Level::Info,
                format!("each undoes the other{how_equal}; one of them at a weight below 0 does for both"),
            ),
            _ => {
                (Level::Info, format!("{} is {} × {}{how_equal}", name(copy.channel), rounded(weight), name(original)))
            }
        };
        findings.push(Finding { rule, level, channels: vec![original, copy.channel], message });
    }
    findings
}

/// Channels that may make up another, as indices into [`Products::channels`].
#[derive(Clone, Copy)]
struct Candidate {
    /// The part of the other's squared length that their best mix leaves.
    left: f32,
    sources: [usize; MOST_SOURCES],
    count: usize,
}

impl Candidate {
    fn sources(&self) -> &[usize] {
        &self.sources[..self.count]
    }

    /// The same with one more, if that is not among them.
    fn and(&self, products: &Products, at: usize, other: usize) -> Option<Self> {
        let mut longer = *self;
        longer.sources[self.count] = other;
        longer.count += 1;
        longer.left = unexplained(products, at, longer.sources());
        (!self.sources().contains(&other)).then_some(longer)
    }
}

/// Whether a channel is a mix of two or three of `own`; the fewest.
fn find_mix(movement: &Movement<'_>, products: &Products, own: &[usize], at: usize) -> Option<Mix> {
    let others = || own.iter().copied().filter(|&other| other != at);
    let nobody = Candidate { left: 1.0, sources: [0; MOST_SOURCES], count: 0 };
    let mut beam: Vec<Candidate> = others().filter_map(|other| nobody.and(products, at, other)).collect();
    keep_best(&mut beam);
    for _ in 1..MOST_SOURCES {
        let longer = |shorter: &Candidate| {
            let shorter = *shorter;
            others().filter_map(move |other| shorter.and(products, at, other))
        };
        beam = beam.iter().flat_map(longer).collect();
        keep_best(&mut beam);
        let likely = beam.iter().filter(|candidate| candidate.left < CANDIDATE * CANDIDATE).take(2);
        if let Some(mix) = likely.filter_map(|candidate| solve(movement, products, at, candidate.sources())).next() {
            return Some(mix);
        }
    }
    None
}

fn keep_best(beam: &mut Vec<Candidate>) {
    if beam.len() > BEAM {
        beam.select_nth_unstable_by(BEAM, |a, b| a.left.total_cmp(&b.left));
        beam.truncate(BEAM);
    }
    beam.sort_by(|a, b| a.left.total_cmp(&b.left));
}

/// The part of a sketch's squared length that the best mix of its sources leaves.
fn unexplained(products: &Products, at: usize, sources: &[usize]) -> f32 {
    let gram = |a: usize, b: usize| f64::from(products.cosine(sources[a], sources[b]));
    let with = |a: usize| f64::from(products.cosine(at, sources[a]));
    match weights_of(sources.len(), gram, with) {
        Some(weights) => {
            let explained: f64 = (0..sources.len()).map(|a| weights[a] * with(a)).sum();
            (1.0 - explained).max(0.0) as f32
        }
        None => 1.0,
    }
}

/// Least squares by the normal equations, eliminated in turn. None if the sources hang together.
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

/// The mix on all vertices, if it is one.
fn solve(movement: &Movement<'_>, products: &Products, at: usize, sources: &[usize]) -> Option<Mix> {
    let channel = products.channels[at];
    let sources: Vec<usize> = sources.iter().map(|&source| products.channels[source]).collect();
    let all = [&[channel], &sources[..]].concat();
    let count = all.len();
    let mut gram = vec![0.0_f64; count * count];
    movement.side_by_side(&all, |_, deltas| {
        for a in 0..count {
            for b in a..count {
                gram[a * count + b] += deltas[a].as_dvec3().dot(deltas[b].as_dvec3());
            }
        }
    });
    let product = |a: usize, b: usize| gram[a.min(b) * count + a.max(b)];
    let weights = weights_of(sources.len(), |a, b| product(a + 1, b + 1), |a| product(0, a + 1))?;
    let (mut left, mut off) = (0.0_f64, 0.0_f32);
    movement.side_by_side(&all, |_, deltas| {
        let mixed: Vec3 = deltas[1..].iter().zip(&weights).map(|(delta, &weight)| *delta * weight as f32).sum();
        let distance = (deltas[0] - mixed).length();
        left += f64::from(distance).powi(2);
        off = off.max(distance);
    });
    let is_mix = left <= UNEXPLAINED.powi(2) * product(0, 0) && off <= MOST_OFF * movement.size;
    let counts = |(a, weight): (usize, &f64)| weight.abs() * product(a + 1, a + 1).sqrt() > 0.05 * product(0, 0).sqrt();
    let all_count = weights[..sources.len()].iter().enumerate().all(counts);
    (is_mix && all_count).then(|| Mix { channel, sources: sources.into_iter().zip(weights).collect(), off })
}

/// `a = b − c` is `b = a + c`: the one that moves most is the mix.
fn led_by_the_largest(movement: &Movement<'_>, mix: Mix) -> Mix {
    let share = |&(channel, weight): &(usize, f64)| weight.abs() * f64::from(movement.whole[channel]);
    let most = (0..mix.sources.len()).max_by(|&a, &b| share(&mix.sources[a]).total_cmp(&share(&mix.sources[b])));
    let Some(lead) = most.filter(|&lead| share(&mix.sources[lead]) > 1.01 * f64::from(movement.whole[mix.channel]))
    else {
        return mix;
    };
    let (channel, weight) = mix.sources[lead];
    let mut sources = vec![(mix.channel, weight.recip())];
    let rest = mix.sources.iter().enumerate().filter(|(at, _)| *at != lead);
    sources.extend(rest.map(|(_, &(source, own))| (source, -own / weight)));
    Mix { channel, sources, off: mix.off / weight.abs() as f32 }
}

fn tell_mix(movement: &Movement<'_>, mix: &Mix) -> Finding {
    let name = |channel: usize| movement.head.channels[channel].name.as_str();
    let mut sum = String::new();
    for (at, &(channel, weight)) in mix.sources.iter().enumerate() {
        let sign = match (at, weight < 0.0) {
            (0, false) => "",
            (0, true) => "−",
            (_, false) => " + ",
            (_, true) => " − ",
        };
        let is_one = (weight.abs() - 1.0).abs() < 0.01;
        let factor = if is_one { String::new() } else { format!("{} × ", rounded(weight.abs())) };
        sum += &format!("{sign}{factor}{}", name(channel));
    }
    let message =
        format!("{} is {sum}, to {}; moved together they add up twice", name(mix.channel), movement.length(mix.off));
    let channels = std::iter::once(mix.channel).chain(mix.sources.iter().map(|source| source.0)).collect();
    Finding { rule: Rule::Mix, level: Level::Info, channels, message }
}
