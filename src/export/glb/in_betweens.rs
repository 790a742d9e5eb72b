//! In-betweens, which glTF does not have: each becomes a morph target of its own, and clips animate its weight, so that
//! they play as before. What is lost is the piecewise linear path of a slider that another program shows for the
//! target.

use super::bin::finite;
use smirk_face::head::{Asset, Bind, Curve, Head, InBetween, Interpolation, Mesh, ShapeMix, Target, Track};
use smirk_files::import::UniqueNames;

/// A cubic curve is divided into so many straight lines from key to key.
const LINES_PER_SPAN: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlattenedInBetweens {
    pub count: usize,
    pub first: String,
}

impl FlattenedInBetweens {
    pub fn in_head(head: &Head) -> Option<Self> {
        let mesh = head.meshes.iter().find(|mesh| in_between_count(mesh) > 0)?;
        let (_, first) = targets_of_in_betweens(mesh).into_iter().next()?;
        Some(Self { count: head.meshes.iter().map(in_between_count).sum(), first: first.name })
    }

    pub fn in_words(&self) -> String {
        let Self { count, first } = self;
        let are = if *count == 1 { "in-between is a target" } else { "in-betweens are targets" };
        format!(
            "glTF has no in-betweens: {count} {are} of the file's own, such as \"{first}\". Clips play as before; a slider alone \
             moves its shape in a straight line."
        )
    }
}

fn in_between_count(mesh: &Mesh) -> usize {
    mesh.targets.iter().map(|target| target.in_betweens.len()).sum::<usize>()
}

/// The head with its in-betweens as targets, after the other targets of their meshes; none if it has no in-betweens. It
/// is to be written only: channels and pairs are those of the targets.
pub(super) fn as_targets(head: &Head) -> Option<Head> {
    FlattenedInBetweens::in_head(head)?;
    let added = head
        .meshes
        .iter()
        .enumerate()
        .flat_map(|(mesh, of)| targets_of_in_betweens(of).into_iter().map(move |(_, target)| (mesh, target)));
    let flat = head.with_targets(added.collect(), Vec::new());
    let bent: Vec<BentTarget> = flat.meshes.iter().flat_map(bent_targets).collect();
    let mut flat = flat.into_asset();
    for (mesh, of) in flat.meshes.iter_mut().zip(&head.meshes) {
        for (target, own) in mesh.targets.iter_mut().zip(&of.targets) {
            target.default_weight = own.mix(finite(own.default_weight)).of_own_shape();
            target.in_betweens.clear();
        }
    }
    let Asset { clips, expressions, unshown_expressions, .. } = &mut flat;
    for expression in expressions.iter_mut().chain(&mut *unshown_expressions) {
        expression.binds = expression.binds.iter().flat_map(|bind| binds_of(bind, &bent)).collect();
    }
    let of_both = expressions.iter_mut().chain(unshown_expressions);
    let responses = of_both.filter_map(|expression| expression.response.as_mut());
    for clip in clips.iter_mut().chain(responses.map(|response| &mut response.clip)) {
        clip.tracks = clip.tracks.iter().flat_map(|track| tracks_of(track, &bent)).collect();
    }
    Some(Head::framed_as(flat, Some([head.focus, head.character])))
}

/// The targets that a mesh's in-betweens become, with the index of the target that each belongs to.
fn targets_of_in_betweens(mesh: &Mesh) -> Vec<(usize, Target)> {
    let mut names = UniqueNames::default();
    for target in &mesh.targets {
        names.make(target.name.clone());
    }
    let mut targets = Vec::new();
    for (index, target) in mesh.targets.iter().enumerate() {
        let mix = target.mix(finite(target.default_weight));
        for InBetween { full_weight, rows, positions, normals, tangents, .. } in &target.in_betweens {
            let name = names.make_between(format!("{} in-between {full_weight}", target.name), " ", "");
            let target = Target {
                name,
                default_weight: mix.weight_of(*full_weight),
                rows: rows.clone(),
                positions: positions.clone(),
                normals: normals.clone(),
                tangents: tangents.clone(),
                ..Target::default()
            };
            targets.push((index, target));
        }
    }
    targets
}

/// A target with in-betweens in the head that has them as targets too. Indices are head-wide.
struct BentTarget {
    target: usize,
    /// The full weights of its in-betweens, ascending, and the targets that these have become.
    in_betweens: Vec<(f32, usize)>,
}

impl BentTarget {
    fn at(&self, weight: f32) -> impl Iterator<Item = (usize, f32)> {
        let mix = ShapeMix::new(self.in_betweens.iter().map(|(full_weight, _)| *full_weight), weight);
        let in_betweens =
            self.in_betweens.iter().map(move |&(full_weight, target)| (target, mix.weight_of(full_weight)));
        std::iter::once((self.target, mix.of_own_shape())).chain(in_betweens)
    }

    /// The weights at which its path turns: all corners but the two outermost.
    fn turns(&self) -> Vec<f32> {
        let full_weights = self.in_betweens.iter().map(|(full_weight, _)| *full_weight);
        let mut corners: Vec<f32> = full_weights.chain([0.0, 1.0]).collect();
        corners.sort_by(f32::total_cmp);
        corners[1..corners.len() - 1].to_vec()
    }
}

/// The targets with in-betweens of a mesh, behind whose targets those of the in-betweens were added.
fn bent_targets(mesh: &Mesh) -> Vec<BentTarget> {
    let count: usize = mesh.targets.iter().map(|target| target.in_betweens.len()).sum();
    let mut next = mesh.first_target + mesh.targets.len() - count;
    let mut bent = Vec::new();
    for (target, of) in (mesh.first_target..).zip(&mesh.targets).filter(|(_, it)| !it.in_betweens.is_empty()) {
        let in_betweens: Vec<(f32, usize)> = of.in_betweens.iter().map(|it| it.full_weight).zip(next..).collect();
        next += in_betweens.len();
        bent.push(BentTarget { target, in_betweens });
    }
    bent
}

/// What a bind does at full strength. On the way there, it moves in a straight line.
fn binds_of(bind: &Bind, bent: &[BentTarget]) -> Vec<Bind> {
    let Some(of) = bent.iter().find(|of| of.target == bind.target) else { return vec![*bind] };
    of.at(bind.weight).filter(|(_, weight)| *weight != 0.0).map(|(target, weight)| Bind { target, weight }).collect()
}

fn tracks_of(track: &Track, bent: &[BentTarget]) -> Vec<Track> {
    let own: Vec<(usize, &BentTarget)> = bent
        .iter()
        .filter_map(|of| Some((of.target.checked_sub(track.first_target).filter(|at| *at < track.curve.width())?, of)))
        .collect();
    if own.is_empty() {
        return vec![track.clone()];
    }
    let Keys { interpolation, times, mut rows } = keys_of(&track.curve, &own);
    let mut columns: Vec<(usize, Vec<f32>)> = Vec::new();
    for (element, of) in own {
        let mut of_in_betweens = vec![Vec::with_capacity(rows.len()); of.in_betweens.len()];
        for row in &mut rows {
            let mut weights = of.at(row[element]).map(|(_, weight)| weight);
            row[element] = weights.next().unwrap_or(0.0);
            of_in_betweens.iter_mut().zip(weights).for_each(|(column, weight)| column.push(weight));
        }
        columns.extend(of.in_betweens.iter().map(|(_, target)| *target).zip(of_in_betweens));
    }
    let all = std::iter::once((track.first_target, rows.concat(), track.curve.width()));
    let all = all.chain(columns.into_iter().map(|(target, values)| (target, values, 1)));
    all.map(|(first_target, values, width)| {
        // Sums of very large keys overflow.
        let finite = |value: f32| if value.is_finite() { value } else { f32::MAX.copysign(value) };
        let values = values.into_iter().map(finite).collect();
        match Curve::new(interpolation, times.clone(), values, width) {
            Ok(curve) => Track { first_target, curve },
            Err(error) => unreachable!("keys among those of a curve make a curve: {error}"),
        }
    })
    .collect()
}

struct Keys {
    interpolation: Interpolation,
    times: Vec<f32>,
    rows: Vec<Vec<f32>>,
}

/// The keys of a curve, with a key more wherever the path of a target turns between two keys. Cubic curves become
/// straight lines.
fn keys_of(curve: &Curve, bent: &[(usize, &BentTarget)]) -> Keys {
    let (times, width) = (curve.times(), curve.width());
    let key_rows: Vec<Vec<f32>> =
        (0..times.len()).map(|key| (0..width).map(|element| curve.key_value(key, element)).collect()).collect();
    let interpolation = match curve.interpolation() {
        Interpolation::Step => Interpolation::Step,
        Interpolation::Linear | Interpolation::CubicSpline => Interpolation::Linear,
    };
    let lines = if curve.interpolation() == Interpolation::CubicSpline { LINES_PER_SPAN } else { 1 };
    let turns: Vec<(usize, Vec<f32>)> = bent.iter().map(|(element, of)| (*element, of.turns())).collect();
    let mut keys = Keys { interpolation, times: Vec::new(), rows: Vec::new() };
    for key in 0..times.len() {
        let (from, first) = (times[key], key_rows[key].clone());
        let to = times.get(key + 1).copied().filter(|to| *to > from && interpolation != Interpolation::Step);
        keys.times.push(from);
        keys.rows.push(first.clone());
        let Some(to) = to else { continue };
        let (mut start, mut row) = (from, first);
        for line in 1..=lines {
            let (end, next) = if line == lines {
                (to, key_rows[key + 1].clone())
            } else {
                let time = from + (to - from) * (line as f32 / lines as f32);
                (time, (0..width).map(|element| curve.sample(time, element)).collect())
            };
            for (time, at) in crossings(&turns, &row, &next).into_iter().map(|at| (start + (end - start) * at, at)) {
                if time > start && time < end {
                    keys.times.push(time);
                    keys.rows.push(row.iter().zip(&next).map(|(from, to)| from + (to - from) * at).collect());
                }
            }
            if line < lines {
                keys.times.push(end);
                keys.rows.push(next.clone());
            }
            (start, row) = (end, next);
        }
    }
    keys
}

/// Where between two rows of values some element passes one of its turns: 0..1, ascending.
fn crossings(turns: &[(usize, Vec<f32>)], from: &[f32], to: &[f32]) -> Vec<f32> {
    let mut crossings: Vec<f32> = Vec::new();
    for (element, turns) in turns {
        let (from, to) = (from[*element], to[*element]);
        let passed = turns.iter().filter(|turn| (from < **turn) != (to < **turn));
        crossings.extend(passed.map(|turn| (turn - from) / (to - from)));
    }
    crossings.sort_by(f32::total_cmp);
    crossings.dedup();
    crossings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent(full_weights: &[f32]) -> BentTarget {
        BentTarget { target: 0, in_betweens: full_weights.iter().copied().zip(2..).collect() }
    }

    /// The largest difference between the weights of all shapes in the tracks of a curve and those that the curve's
    /// weight mixes.
    fn error_of(curve: &Curve, full_weights: &[f32]) -> f32 {
        let bent = bent(full_weights);
        let tracks = tracks_of(&Track { first_target: 0, curve: curve.clone() }, std::slice::from_ref(&bent));
        assert_eq!(tracks.len(), 1 + full_weights.len());
        let error_at = |secs: f32| {
            let expected = bent.at(curve.sample(secs, 0));
            let errors = expected.map(|(target, weight)| {
                let track = tracks.iter().find(|track| track.first_target == target).unwrap();
                (track.curve.sample(secs, 0) - weight).abs()
            });
            let other = (tracks[0].curve.sample(secs, 1) - curve.sample(secs, 1)).abs();
            errors.fold(other, f32::max)
        };
        (0..=1000).map(|at| error_at(at as f32 * 0.003)).fold(0.0, f32::max)
    }

    #[test]
    fn very_large_keys_lose_no_track() {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, f32::MAX], 1).unwrap();
        assert_eq!(tracks_of(&Track { first_target: 0, curve }, &[bent(&[0.5])]).len(), 2);
    }

    #[test]
    fn tracks_of_all_shapes_play_what_the_weight_mixes() {
        let (times, full_weights) = (vec![0.0, 1.0, 1.0, 2.0, 3.0], [-0.499, -0.249, 0.5]);
        let values = vec![-1.0, 0.0, 2.0, 1.0, 0.1, 5.0, 0.9, 2.0, -0.3, 3.0];
        let linear = Curve::new(Interpolation::Linear, times.clone(), values.clone(), 2).unwrap();
        assert!(error_of(&linear, &full_weights) < 1e-4, "{}", error_of(&linear, &full_weights));
        let steps = Curve::new(Interpolation::Step, times.clone(), values.clone(), 2).unwrap();
        assert_eq!(error_of(&steps, &full_weights), 0.0);
        let spline: Vec<f32> = values.chunks(2).flat_map(|row| [&[1.0, -1.0], row, &[1.0, -1.0]].concat()).collect();
        let spline = Curve::new(Interpolation::CubicSpline, times, spline, 2).unwrap();
        assert!(error_of(&spline, &full_weights) < 2e-2, "{}", error_of(&spline, &full_weights));
    }

    #[test]
    fn names_are_unique_and_the_loss_is_told() {
        let mut lift = Target { name: "lift".into(), default_weight: 0.25, ..Target::default() };
        lift.set_in_betweens(vec![InBetween { full_weight: 0.5, ..InBetween::default() }]);
        let taken = Target { name: "lift in-between 0.5".into(), ..Target::default() };
        let mesh = Mesh { targets: vec![lift, taken], ..Mesh::default() };
        let head = Head::new(Asset { meshes: vec![mesh], ..Default::default() });
        let flat = as_targets(&head).unwrap();
        let targets: Vec<(&str, f32)> =
            flat.meshes[0].targets.iter().map(|target| (target.name.as_str(), target.default_weight)).collect();
        assert_eq!(targets, [("lift", 0.0), ("lift in-between 0.5", 0.0), ("lift in-between 0.5 2", 0.5)]);
        let words = FlattenedInBetweens::in_head(&head).unwrap().in_words();
        assert!(words.contains("1 in-between is a target") && words.contains("\"lift in-between 0.5 2\""), "{words}");
        assert!(as_targets(&flat).is_none());
    }

    #[test]
    fn a_bind_has_the_shapes_of_its_weight() {
        let bent = [bent(&[0.5])];
        let binds = binds_of(&Bind { target: 0, weight: 0.75 }, &bent);
        assert_eq!(binds, [Bind { target: 0, weight: 0.5 }, Bind { target: 2, weight: 0.5 }]);
        assert_eq!(binds_of(&Bind { target: 1, weight: 0.75 }, &bent), [Bind { target: 1, weight: 0.75 }]);
    }
}
