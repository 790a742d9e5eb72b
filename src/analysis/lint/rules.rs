//! The rules: one function each, with its measure and its threshold.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use crate::lint::displacements::{Displacements, Similarity};
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;
use crate::lint::settings::Settings;
use crate::mirror::{Images, Plane};
use smirk_face::head::{ARKIT_NAMES, Head, InBetween, Level, Mesh, PairKind, ShapeDeltas};

/// One finding, or none for a head that follows another scheme.
pub(in crate::lint) fn coverage(displacements: &Displacements<'_>) -> Option<Finding> {
    let head = displacements.head;
    // A shape that moves nothing is as good as none.
    let shapes = ARKIT_NAMES.into_iter();
    let missing =
        shapes.filter(|shape| head.channel_alike(shape).iter().all(|&channel| displacements.is_empty(channel)));
    let mut missing: Vec<&str> = missing.collect();
    if missing.len() > ARKIT_NAMES.len() / 2 {
        return None;
    }
    missing.retain(|shape| !displacements.settings.allows(Rule::Coverage, shape));
    let level = if missing.is_empty() { Level::Info } else { Level::Warning };
    let found = ARKIT_NAMES.len() - missing.len();
    Some(displacements.finding(level, Vec::new(), Measure::Coverage { found, missing }))
}

/// One finding for all of them, that farthest from 0 first. Correctives have no weight of their own.
pub(in crate::lint) fn rest_weights(displacements: &Displacements<'_>) -> Option<Finding> {
    let head = displacements.head;
    let weights = head.default_weights();
    let examined = displacements.examined(Rule::RestWeight).filter(|&it| head.correctives.of_channel(it).is_none());
    let found = examined.map(|channel| {
        let of_targets = head.channels[channel].targets.iter().filter_map(|&target| weights.get(target).copied());
        (channel, of_targets.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or_default())
    });
    let mut found: Vec<(usize, f32)> = found.filter(|(_, weight)| *weight != 0.0).collect();
    found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    if found.is_empty() {
        return None;
    }
    let (channels, weights) = found.into_iter().unzip();
    Some(displacements.finding(Level::Warning, channels, Measure::RestWeights { weights }))
}

/// One finding for all of them, but for those whose deltas were left out with a warning when the file was read.
pub(in crate::lint) fn empty(displacements: &Displacements<'_>) -> Option<Finding> {
    let warned = displacements.head.notes.iter().filter(|note| note.level == Level::Warning);
    let examined = displacements.examined(Rule::Empty);
    let empty = examined.filter(|&channel| displacements.is_empty(channel));
    let unexplained = empty.filter(|&channel| {
        let mut targets = displacements.targets(channel);
        !targets.any(|(.., target)| warned.clone().any(|note| note.subject.is_about_target(&target.name)))
    });
    let channels: Vec<usize> = unexplained.collect();
    if channels.is_empty() {
        return None;
    }
    let largest = channels.iter().map(|&channel| displacements.largest[channel]).fold(0.0, f32::max);
    Some(displacements.finding(Level::Warning, channels, Measure::Empty { largest }))
}

/// Those of some channels that move nothing visibly.
pub(crate) fn empty_shapes(head: &Head, channels: &[usize]) -> Vec<usize> {
    let settings = Settings::default();
    let displacements = Displacements::new(head, &settings);
    channels.iter().copied().filter(|&channel| displacements.is_empty(channel)).collect()
}

/// One finding for all channels with such an in-between.
pub(in crate::lint) fn in_betweens(displacements: &Displacements<'_>) -> Option<Finding> {
    let visible = displacements.examined(Rule::InBetween).filter(|&channel| displacements.is_visible(channel));
    let found = visible.map(|channel| (channel, resting_in_betweens(displacements, channel)));
    let found: Vec<(usize, Vec<f32>)> = found.filter(|(_, resting)| !resting.is_empty()).collect();
    let full_weights = found.first()?.1.clone();
    let channels = found.into_iter().map(|(channel, _)| channel).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::RestingInBetween { full_weights }))
}

/// The full weights of the in-betweens of a channel that move nothing: an in-between is on every mesh that the channel
/// drives, and rests if it moves none of them.
fn resting_in_betweens(displacements: &Displacements<'_>, channel: usize) -> Vec<f32> {
    let targets = displacements.targets(channel);
    let in_betweens: Vec<(usize, &InBetween)> =
        targets.flat_map(|(mesh, _, target)| target.in_betweens.iter().map(move |it| (mesh, it))).collect();
    let mut full_weights: Vec<f32> = in_betweens.iter().map(|(_, it)| it.full_weight).collect();
    full_weights.sort_by(f32::total_cmp);
    full_weights.dedup();
    full_weights.retain(|full_weight| {
        let mut same = in_betweens.iter().filter(|(_, it)| it.full_weight == *full_weight);
        same.all(|(mesh, it)| !displacements.moves_visibly(*mesh, it.deltas()))
    });
    full_weights
}

/// Channels with fewer stored vertices are not reported.
const FEWEST_ROWS: usize = 200;

/// A rotation of a normal by less is not visible: a fifteenth of a degree.
const INVISIBLE_TURN: f32 = 1.2e-3;

/// One finding for all of them, the noisiest first.
pub(in crate::lint) fn noise(displacements: &Displacements<'_>) -> Option<Finding> {
    // Per noisy channel: its index, the part of its vertices that is noise, and their bytes.
    let mut noisy: Vec<(usize, f32, usize)> = Vec::new();
    let noisy_share = displacements.settings.limit(Rule::Noise) / 100.0;
    for channel in displacements.examined(Rule::Noise) {
        let (mut rows, mut invisible, mut bytes) = (0, 0, 0);
        for (mesh, _, target) in displacements.targets(channel) {
            for shape in target.shapes() {
                let invisible_here = invisible_rows(displacements, mesh, shape);
                rows += shape.rows.len();
                invisible += invisible_here;
                bytes += invisible_here * bytes_per_row(shape);
            }
        }
        let share = invisible as f32 / rows.max(1) as f32;
        if rows >= FEWEST_ROWS && share > noisy_share && displacements.is_visible(channel) {
            noisy.push((channel, share, bytes));
        }
    }
    noisy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (most, least) = (noisy.first()?.1, noisy.last()?.1);
    let measure = Measure::Noise {
        shares: [least, most],
        threshold: displacements.visible_threshold(),
        bytes: noisy.iter().map(|noise| noise.2).sum(),
        visible_channels: displacements.visible_channels(),
    };
    let channels = noisy.into_iter().map(|noise| noise.0).collect();
    Some(displacements.finding(Level::Info, channels, measure))
}

/// How many rows of a shape do not move visibly.
fn invisible_rows(displacements: &Displacements<'_>, mesh: usize, shape: ShapeDeltas<'_>) -> usize {
    let threshold = displacements.visible_threshold();
    let invisible = (0..shape.rows.len()).filter(|&row| {
        let [position, normal, tangent] =
            [shape.positions, shape.normals, shape.tangents].map(|deltas| deltas.get(row).copied().unwrap_or_default());
        displacements.direction_in_world(mesh, shape.rows[row] as usize, position).length() < threshold
            && normal.length() < INVISIBLE_TURN
            && tangent.length() < INVISIBLE_TURN
    });
    invisible.count()
}

fn bytes_per_row(shape: ShapeDeltas<'_>) -> usize {
    let columns = [shape.positions, shape.normals, shape.tangents];
    size_of::<u32>() + columns.into_iter().filter(|column| !column.is_empty()).count() * size_of::<Vec3>()
}

/// The part of a channel's displacements (by length as one vector) that a combination may leave unexplained.
const UNEXPLAINED: f64 = 0.01;

/// The largest error at a vertex, in millimetres.
const MOST_ERROR_MM: f32 = 0.2;

/// The part that a combination of sketches may leave unexplained to be solved exactly.
const CANDIDATE: f32 = 0.02;

/// The most channels in a combination; larger combinations are of no use to an artist.
const MOST_SOURCES: usize = 3;

const BEAM: usize = 4;

const MOST_FINDINGS: usize = 40;

/// `channel` is the sum of its sources, each times its weight.
struct WeightedSum {
    channel: usize,
    sources: Vec<(usize, f64)>,
    /// The largest error at a vertex, in world units.
    error: f32,
}

/// A finding per group of equal channels, per opposite pair and per weighted sum.
///
/// Candidates come from the cosines of [`Similarity`]: of the channels most similar to one, the few best are tried
/// together with every other (a beam search in the manner of orthogonal matching pursuit), which takes time with the
/// square of the number of channels, not with its cube. Each candidate is solved exactly, on every vertex, and counts
/// if no vertex differs visibly.
pub(in crate::lint) fn relations(displacements: &Displacements<'_>, similarity: &Similarity) -> Vec<Finding> {
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
fn multiples(displacements: &Displacements<'_>, similarity: &Similarity) -> Vec<WeightedSum> {
    let mut multiples: Vec<WeightedSum> = Vec::new();
    let mut originals: Vec<usize> = Vec::new();
    for at in 0..similarity.channels.len() {
        let alike =
            originals.iter().copied().filter(|&other| similarity.cosine(at, other).abs() > 1.0 - CANDIDATE * CANDIDATE);
        let candidates = alike.take(BEAM);
        let found = candidates.into_iter().find_map(|other| solve(displacements, similarity, at, &[other]));
        match found {
            Some(multiple) => multiples.push(multiple),
            None => originals.push(at),
        }
    }
    multiples
}

fn findings_of_multiples(displacements: &Displacements<'_>, multiples: &[WeightedSum]) -> Vec<Finding> {
    let mut groups: Vec<(Level, Vec<usize>, Measure)> = Vec::new();
    for multiple in multiples {
        let (original, weight) = multiple.sources[0];
        let error = multiple.error;
        let (level, measure) = if (weight - 1.0).abs() < 0.01 {
            (Level::Warning, Measure::Duplicate { error })
        } else if (weight + 1.0).abs() < 0.01 {
            (Level::Info, Measure::Opposite { error })
        } else {
            (Level::Info, Measure::Multiple { factor: weight, error })
        };
        // All that equal one channel are one finding.
        let group = groups.iter_mut().find(|(_, channels, other)| {
            matches!((&measure, other), (Measure::Duplicate { .. }, Measure::Duplicate { .. }))
                && channels[0] == original
        });
        match group {
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
        if self.sources().contains(&other) {
            return None;
        }
        let mut longer = *self;
        longer.sources[self.count] = other;
        longer.count += 1;
        longer.unexplained = unexplained(similarity, at, longer.sources());
        Some(longer)
    }
}

/// Whether a channel is a weighted sum of two or three others.
pub(in crate::lint) fn is_sum(displacements: &Displacements<'_>, similarity: &Similarity, channel: usize) -> bool {
    let all: Vec<usize> = (0..similarity.channels.len()).collect();
    let at = similarity.channels.iter().position(|&other| other == channel);
    at.is_some_and(|at| find_combination(displacements, similarity, &all, at).is_some())
}

/// The combination of two or three of `independent` that is a channel, with as few sources as possible.
fn find_combination(
    displacements: &Displacements<'_>,
    similarity: &Similarity,
    independent: &[usize],
    at: usize,
) -> Option<WeightedSum> {
    let others = independent.iter().copied().filter(|&other| other != at);
    let none = Candidate { unexplained: 1.0, sources: [0; MOST_SOURCES], count: 0 };
    let mut beam: Vec<Candidate> = others.clone().filter_map(|other| none.and(similarity, at, other)).collect();
    keep_best(&mut beam);
    for _ in 1..MOST_SOURCES {
        let mut longer = Vec::new();
        for shorter in &beam {
            longer.extend(others.clone().filter_map(|other| shorter.and(similarity, at, other)));
        }
        beam = longer;
        keep_best(&mut beam);
        let mut likely = beam.iter().filter(|candidate| candidate.unexplained < CANDIDATE * CANDIDATE).take(2);
        if let Some(found) = likely.find_map(|candidate| solve(displacements, similarity, at, candidate.sources())) {
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
    let mut with = [0.0; MOST_SOURCES];
    with.iter_mut().zip(sources).for_each(|(with, &source)| *with = f64::from(similarity.cosine(at, source)));
    let weights = weights_of(sources.len(), |a, b| f64::from(similarity.cosine(sources[a], sources[b])), |a| with[a]);
    let Some(weights) = weights else { return 1.0 };
    let explained: f64 = weights.iter().zip(&with).map(|(weight, with)| weight * with).sum();
    (1.0 - explained).max(0.0) as f32
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
) -> Option<WeightedSum> {
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
    let mut parts = weights[..sources.len()].iter().enumerate();
    let all_count = parts.all(|(a, weight)| weight.abs() * product(a + 1, a + 1).sqrt() > 0.05 * product(0, 0).sqrt());
    (is_exact && all_count).then(|| WeightedSum { channel, sources: sources.into_iter().zip(weights).collect(), error })
}

/// Solves a combination for its largest member: `a = b − c` becomes `b = a + c`.
fn solved_for_the_largest(displacements: &Displacements<'_>, found: WeightedSum) -> WeightedSum {
    let movements = found
        .sources
        .iter()
        .map(|&(channel, weight)| weight.abs() * f64::from(displacements.norm[channel]))
        .enumerate();
    let Some((lead, most)) = movements.max_by(|a, b| a.1.total_cmp(&b.1)) else { return found };
    if most <= 1.01 * f64::from(displacements.norm[found.channel]) {
        return found;
    }
    let (channel, weight) = found.sources[lead];
    let mut sources = vec![(found.channel, weight.recip())];
    let rest = found.sources.iter().enumerate().filter(|(at, _)| *at != lead);
    sources.extend(rest.map(|(_, &(source, own))| (source, -own / weight)));
    WeightedSum { channel, sources, error: found.error / weight.abs() as f32 }
}

fn finding_of_sum(displacements: &Displacements<'_>, found: WeightedSum) -> Finding {
    let (sources, weights): (Vec<usize>, Vec<f64>) = found.sources.into_iter().unzip();
    let channels = std::iter::once(found.channel).chain(sources).collect();
    displacements.finding(Level::Info, channels, Measure::Sum { weights, error: found.error })
}

/// A gap above this, in millimetres, is an opening mouth or eye.
const MOST_MM: f32 = 4.0;

/// Vertices closer than this part of the face are at the same position.
const SAME_POSITION: f32 = 1e-6;

/// The most pairs that are compared. Of a larger number an even sample is compared, which is enough to find a seam that
/// opens.
const MOST_PAIRS: usize = 20_000;

/// One finding for all channels that open a seam, the worst first.
///
/// A seam is where two border edges coincide: each belongs to one triangle only, and their ends are at the same two
/// positions. Closed lips and eyelids may coincide like this too: a gap that is wider than any error of an exporter is
/// taken for such an opening, unless one side never moves.
pub(in crate::lint) fn seams(displacements: &Displacements<'_>) -> Option<Finding> {
    let mut pairs = seam_pairs(displacements);
    let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
    pairs = pairs.into_iter().step_by(step).collect();
    let (_, openings) = openings(displacements, &pairs);
    let cracked =
        displacements.examined(Rule::Crack).filter_map(|channel| Some((channel, openings.widest_of(channel)?)));
    let mut worst: Vec<(usize, f32)> = cracked.collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(_, gap) = worst.first()?;
    let channels = worst.into_iter().map(|(channel, _)| channel).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::Crack { gap, places: openings.count }))
}

/// The pairs of vertices at one place that part in some channel by too little for an opening, as indices among those of
/// all meshes; and the number of places where one side never moves, which may be wider.
pub(crate) fn cracks(head: &Head) -> (Vec<[usize; 2]>, usize) {
    let settings = Settings::default();
    let displacements = Displacements::new(head, &settings);
    let pairs = seam_pairs(&displacements);
    let (widest, openings) = openings(&displacements, &pairs);
    let is_crack = |gap: f32| gap > openings.least && gap < displacements.in_world(MOST_MM);
    let cracks: Vec<[usize; 2]> =
        pairs.into_iter().zip(widest).filter(|(_, gap)| is_crack(*gap)).map(|(pair, _)| pair).collect();
    let wider = openings.count - cracks.len();
    (cracks, wider)
}

/// How far pairs of vertices part: each in the channel in which it parts most, and the cracks among them by channel.
fn openings(displacements: &Displacements<'_>, pairs: &[[usize; 2]]) -> (Vec<f32>, Openings) {
    let mut slots = Slots { of_vertex: vec![None; displacements.vertex_count()], count: 0 };
    let pairs: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|vertex| slots.add(vertex))).collect();
    Openings::find(displacements, &slots, &pairs)
}

/// A compact list of vertices.
struct Slots {
    /// Per vertex of all meshes, its index in the list.
    of_vertex: Vec<Option<usize>>,
    count: usize,
}

impl Slots {
    fn add(&mut self, vertex: usize) -> usize {
        *self.of_vertex[vertex].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
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
    /// `pairs` are indices into the list of `slots`.
    fn find(displacements: &Displacements<'_>, slots: &Slots, pairs: &[[usize; 2]]) -> (Vec<f32>, Self) {
        let channel_count = displacements.head.channels.len();
        let least = displacements.in_world(displacements.settings.limit(Rule::Crack));
        let mut openings = Self { least, widest: vec![0.0; channel_count], count: 0 };
        if pairs.is_empty() {
            return (Vec::new(), openings);
        }
        let mut ever_moves = vec![false; slots.count];
        let mut widest_of_pair = vec![0.0_f32; pairs.len()];
        for_each_touching(displacements, slots, |_, deltas| {
            for (widest, &[a, b]) in widest_of_pair.iter_mut().zip(pairs) {
                *widest = widest.max(deltas[a].distance(deltas[b]));
                for slot in [a, b] {
                    ever_moves[slot] |= deltas[slot].length() > displacements.visible_threshold();
                }
            }
        });
        let mut cracked = pairs.to_vec();
        let mut widest = widest_of_pair.iter();
        cracked.retain(|&[a, b]| {
            let only_one_side_moves = ever_moves[a] != ever_moves[b];
            widest.next().is_some_and(|&widest| {
                widest > least && (widest < displacements.in_world(MOST_MM) || only_one_side_moves)
            })
        });
        openings.count = cracked.len();
        if cracked.is_empty() {
            return (widest_of_pair, openings);
        }
        for_each_touching(displacements, slots, |channel, deltas| {
            let gaps = cracked.iter().map(|&[a, b]| deltas[a].distance(deltas[b]));
            openings.widest[channel] = gaps.fold(0.0, f32::max);
        });
        (widest_of_pair, openings)
    }

    /// The widest crack of a channel, if it is visible.
    fn widest_of(&self, channel: usize) -> Option<f32> {
        Some(self.widest[channel]).filter(|&gap| gap > self.least)
    }
}

/// Calls `visit` with every channel that moves any vertex of a list, and their deltas in the order of the list.
fn for_each_touching(displacements: &Displacements<'_>, slots: &Slots, mut visit: impl FnMut(usize, &[Vec3])) {
    let mut deltas = vec![Vec3::ZERO; slots.count];
    for channel in 0..displacements.head.channels.len() {
        let mut touched: Vec<usize> = Vec::new();
        for (vertex, delta) in displacements.deltas(channel) {
            if let Some(slot) = slots.of_vertex[vertex] {
                deltas[slot] = delta;
                touched.push(slot);
            }
        }
        if !touched.is_empty() {
            visit(channel, &deltas);
        }
        touched.into_iter().for_each(|slot| deltas[slot] = Vec3::ZERO);
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
    pairs
}

/// Edges that belong to one triangle only.
fn border_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let triangles = mesh.indices.as_chunks::<3>().0.iter();
    let mut edges: Vec<[u32; 2]> = triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
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

/// A difference of less, in millimetres, is not visible.
const LEAST_MM: f32 = 0.1;

/// The most that vertices without a mirror image may move, as a part of the movement of the others.
const MOST_UNMATCHED: f64 = 0.3;

/// The difference of a pair of channels from mirror symmetry.
struct Unevenness {
    left: usize,
    right: usize,
    /// The difference as a part of the movement.
    share: f32,
    /// The largest difference at a vertex, in world units.
    most: f32,
}

/// One finding for all uneven pairs, the worst first.
///
/// The measure of a pair is the length of the difference, as one vector over all vertices, divided by the mean length
/// of both sides' displacements. Only heads whose moving vertices are symmetric at rest are checked.
pub(in crate::lint) fn sides(displacements: &Displacements<'_>) -> Option<Finding> {
    let pairs = displacements.head.pairs.iter().filter(|pair| pair.kind == PairKind::Sides);
    let examined: HashSet<usize> = displacements.examined(Rule::Asymmetry).collect();
    let pairs: Vec<(usize, usize)> = pairs
        .filter_map(|pair| Some((pair.first, pair.second?)))
        .filter(|&(left, right)| {
            [left, right].iter().all(|side| displacements.is_visible(*side) && examined.contains(side))
        })
        .collect();
    let mut is_moved = vec![false; displacements.vertex_count()];
    for channel in pairs.iter().flat_map(|&(left, right)| [left, right]) {
        displacements.deltas(channel).for_each(|(vertex, _)| is_moved[vertex] = true);
    }
    let moved: Vec<usize> = (0..is_moved.len()).filter(|&vertex| is_moved[vertex]).collect();
    let (plane, images) = displacements.mirror(&moved)?;
    let mut scratch = Scratch { left: vec![Vec3::ZERO; is_moved.len()], right: vec![Vec3::ZERO; is_moved.len()] };
    let measured =
        pairs.iter().filter_map(|&(left, right)| scratch.measure(displacements, (plane, &images), left, right));
    let threshold = displacements.settings.limit(Rule::Asymmetry) / 100.0;
    let least = displacements.in_world(LEAST_MM);
    let uneven = measured.filter(|pair| pair.share > threshold && pair.most > least);
    let mut uneven: Vec<Unevenness> = uneven.collect();
    uneven.sort_by(|a, b| b.share.total_cmp(&a.share));
    let worst = uneven.first()?;
    let measure = Measure::Asymmetry { share: worst.share, threshold, largest: worst.most, pairs: pairs.len() };
    let channels = uneven.iter().flat_map(|pair| [pair.left, pair.right]).collect();
    Some(displacements.finding(Level::Info, channels, measure))
}

/// Deltas by vertex; all zero between the measurements of two pairs.
struct Scratch {
    left: Vec<Vec3>,
    right: Vec<Vec3>,
}

impl Scratch {
    /// The difference of a pair; none if too much of the movement is in vertices without a mirror image: eyes may be
    /// copies and not mirror images.
    fn measure(
        &mut self,
        displacements: &Displacements<'_>,
        (plane, images): (Plane, &Images),
        left: usize,
        right: usize,
    ) -> Option<Unevenness> {
        displacements.deltas(left).for_each(|(vertex, delta)| self.left[vertex] = delta);
        displacements.deltas(right).for_each(|(vertex, delta)| self.right[vertex] = delta);
        let (mut differs, mut moves, mut unmatched, mut most) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f32);
        for &(vertex, image) in images {
            let Some(image) = image else {
                unmatched += f64::from(self.left[vertex].length_squared() + self.right[vertex].length_squared()) * 0.5;
                continue;
            };
            let (own, mirrored) = (self.left[vertex], self.right[image] * plane.flip());
            let distance = own.distance(mirrored);
            differs += f64::from(distance).powi(2);
            moves += f64::from(own.length_squared() + mirrored.length_squared()) * 0.5;
            most = most.max(distance);
        }
        displacements.deltas(left).for_each(|(vertex, _)| self.left[vertex] = Vec3::ZERO);
        displacements.deltas(right).for_each(|(vertex, _)| self.right[vertex] = Vec3::ZERO);
        let share = if moves > 0.0 { (differs / moves).sqrt() as f32 } else { 0.0 };
        (unmatched < MOST_UNMATCHED * moves).then_some(Unevenness { left, right, share, most })
    }
}

/// The most triangles that are examined; the channels that move most come first.
const MOST_TRIANGLES: usize = 100_000_000;

/// One finding for all channels, the worst first.
///
/// The measure is the angle by which the surface turns at weight 1, or in an in-between, computed from triangles
/// weighted by area. The 99th percentile of the moving vertices is reported, so that a thin triangle that flips over
/// does not determine the result.
pub(in crate::lint) fn stale_normals(displacements: &Displacements<'_>) -> Option<Finding> {
    let changes_normals: Vec<bool> = displacements.head.meshes.iter().map(Mesh::changes_normals).collect();
    let lacking = |channel: usize| {
        let targets = displacements.targets(channel);
        targets.filter(|&(index, mesh, target)| mesh.lacks_normals(target, changes_normals[index]))
    };
    let examined = displacements.examined(Rule::Unturned).filter(|&channel| displacements.is_visible(channel));
    let mut stale: Vec<usize> = examined.filter(|&channel| lacking(channel).next().is_some()).collect();
    stale.sort_by(|&a, &b| displacements.largest[b].total_cmp(&displacements.largest[a]));
    let mut triangles_left = MOST_TRIANGLES;
    let mut turns: Vec<(usize, f32)> = Vec::new();
    for channel in stale {
        let degrees = lacking(channel).map(|(_, mesh, target)| {
            let count = mesh.indices.len() / 3 * (1 + target.in_betweens.len());
            let is_affordable = triangles_left >= count;
            triangles_left = triangles_left.saturating_sub(count);
            if is_affordable { target.shapes().map(|it| turn_degrees(mesh, it)).fold(0.0, f32::max) } else { 0.0 }
        });
        turns.push((channel, degrees.fold(0.0, f32::max)));
    }
    turns.retain(|turn| turn.1 > displacements.settings.limit(Rule::Unturned));
    turns.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(worst, degrees) = turns.first()?;
    let mesh = lacking(worst).next().map(|(index, ..)| index);
    let visible_channels = displacements.visible_channels();
    let channels = turns.into_iter().map(|turn| turn.0).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::Unturned { degrees, mesh, visible_channels }))
}

/// The angle, in degrees, by which a shape turns the surface: the 99th percentile over the vertices that it moves.
fn turn_degrees(mesh: &Mesh, shape: ShapeDeltas<'_>) -> f32 {
    let mut moved = mesh.vertices.positions.clone();
    let mut moves = vec![false; moved.len()];
    for (&row, &delta) in shape.rows.iter().zip(shape.positions) {
        moved[row as usize] += delta;
        moves[row as usize] = delta != Vec3::ZERO;
    }
    let mut sums = vec![[Vec3::ZERO; 2]; moved.len()];
    for corners in mesh.indices.as_chunks::<3>().0 {
        let corners = corners.map(|corner| corner as usize);
        if !corners.iter().any(|&corner| moves[corner]) {
            continue;
        }
        let areas = [&mesh.vertices.positions, &moved].map(|positions| {
            let [a, b, c] = corners.map(|corner| positions[corner]);
            (b - a).cross(c - a)
        });
        for corner in corners {
            sums[corner][0] += areas[0];
            sums[corner][1] += areas[1];
        }
    }
    let moved = sums.iter().zip(&moves).filter(|(_, moves)| **moves);
    let degrees = moved.filter_map(|([rest, moved], _)| {
        let angle = rest.try_normalize()?.dot(moved.try_normalize()?).clamp(-1.0, 1.0).acos();
        Some(angle.to_degrees())
    });
    let mut degrees: Vec<f32> = degrees.collect();
    if degrees.is_empty() {
        return 0.0;
    }
    let percentile = (degrees.len() - 1) * 99 / 100;
    *degrees.select_nth_unstable_by(percentile, f32::total_cmp).1
}
