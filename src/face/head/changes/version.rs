//! Another version of a head, with what belongs together in both.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::{HeadChanges, MatchedMesh, MatchedVertices};
use crate::head::Head;

/// Another version of a head, which is shown at the weights of the head and measured against it.
#[derive(Debug)]
pub struct Version {
    pub head: Arc<Head>,
    /// What is different in it, seen from the head.
    pub changes: HeadChanges,
    /// The meshes that both have; those of the head are the old ones.
    pub meshes: Vec<MatchedMesh>,
    /// The channels of the head that move vertices otherwise in the other version, those that differ most first.
    pub moved: Vec<MovedChannel>,
    of: Weak<Head>,
    /// Per mesh of the head, that of the other version and its vertices, by those of the head.
    counterparts: Vec<Option<(usize, MatchedVertices)>>,
    /// Whether some vertex of the head has no counterpart.
    lacks_vertices: bool,
    /// Per target of the other version, where its weight comes from.
    weights: Vec<WeightFrom>,
    /// The channels of the other version whose correctives do not play, ascending.
    silent: Vec<usize>,
    /// The times of recorded frames, each of which is one target of every mesh; empty if it is shown at the weights of
    /// the head.
    frame_times_secs: Vec<f32>,
}

/// A channel of a head that moves vertices otherwise in another version.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedChannel {
    /// Its index in the head.
    pub channel: usize,
    /// The largest of [`MovedTarget::largest_mm`](super::MovedTarget::largest_mm) on any mesh.
    pub largest_mm: f32,
    /// The largest of [`MovedTarget::rms_mm`](super::MovedTarget::rms_mm).
    pub rms_mm: f32,
    pub meshes: Vec<String>,
}

/// Where the weight of a target comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum WeightFrom {
    Target(usize),
    /// Nowhere: the head has no such channel.
    Default(f32),
}

impl Version {
    /// Another version of `this`. `meshes` are matched from `this` to `other`, `back` the other way round.
    pub fn new(this: &Arc<Head>, other: Arc<Head>, meshes: Vec<MatchedMesh>, back: Vec<MatchedMesh>) -> Self {
        let changes = HeadChanges::between_matched(this, &other, &meshes);
        let mut counterparts = vec![None; this.meshes.len()];
        for matched in back {
            if let Some(place) = counterparts.get_mut(matched.new) {
                *place = Some((matched.old, matched.vertices));
            }
        }
        let weights = weights_from(this, &other, &changes, &meshes);
        let silent = silent_correctives(this, &other, &changes);
        let moved = moved_channels(this, &changes, &meshes);
        let of = Arc::downgrade(this);
        let mut version = Self {
            head: other,
            changes,
            meshes,
            moved,
            of,
            counterparts,
            lacks_vertices: false,
            weights,
            silent,
            frame_times_secs: Vec::new(),
        };
        version.lacks_vertices = this
            .meshes
            .iter()
            .enumerate()
            .any(|(mesh, own)| (0..own.vertices.len()).any(|vertex| version.counterpart(mesh, vertex).is_none()));
        version
    }

    /// Recorded frames of `this`, which are shown at their times: `frames` has its meshes, each with one target a
    /// frame.
    pub fn of_frames(this: &Arc<Head>, frames: Arc<Head>, frame_times_secs: Vec<f32>) -> Self {
        let (meshes, back) = (MatchedMesh::in_order(this, &frames), MatchedMesh::in_order(&frames, this));
        // The head has not changed: the targets are moments, and not shapes to compare.
        let changes = HeadChanges::between_matched(this, this, &meshes);
        Self { changes, moved: Vec::new(), frame_times_secs, ..Self::new(this, frames, meshes, back) }
    }

    /// The times of recorded frames, if it consists of these; else it is shown at the weights of the head.
    pub fn frame_times_secs(&self) -> &[f32] {
        &self.frame_times_secs
    }

    pub fn lacks_vertices(&self) -> bool {
        self.lacks_vertices
    }

    /// Whether it is another version of this head, and not of one that was open before.
    pub fn is_of(&self, head: &Arc<Head>) -> bool {
        std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(head))
    }

    /// The weights of the other version, one per target, at these weights of the head: those of the channels of the
    /// same name, or of the name that a channel had before it was renamed. Channels that the head lacks are at rest,
    /// unless `plays_correctives` and correctives drive them that the other version has alone. Recorded frames are
    /// shown at a time instead, between the two beside it.
    pub fn weights(&self, of_head: &[f32], plays_correctives: bool, time_secs: f32) -> Vec<f32> {
        if !self.frame_times_secs.is_empty() {
            return self.weights_at(time_secs);
        }
        let weights = self.weights.iter().map(|from| match *from {
            WeightFrom::Target(target) => of_head.get(target).copied().unwrap_or(0.0),
            WeightFrom::Default(weight) => weight,
        });
        let mut weights: Vec<f32> = weights.collect();
        if plays_correctives {
            self.head.correctives.drive(&mut weights, &self.silent);
        }
        weights
    }

    /// The output of each expression of the other version at these outputs of the expressions of the head: that of the
    /// expression of the same name.
    pub fn expression_outputs(&self, of_head: &Head, outputs: &[f32]) -> Vec<f32> {
        let own = self.head.expressions.iter().map(|own| {
            let index = of_head.expressions.iter().position(|expression| expression.name == own.name);
            index.and_then(|index| outputs.get(index).copied()).unwrap_or(0.0)
        });
        own.collect()
    }

    /// The channel of the other version that a channel of the head was renamed to, or that has its name.
    pub fn channel_of(&self, of_head: &Head, channel: usize) -> Option<usize> {
        let own = of_head.channels.get(channel)?;
        let renamed = self.changes.renamed.iter().find(|renamed| renamed.channels[0] == channel);
        renamed.map(|renamed| renamed.channels[1]).or_else(|| {
            let found = self.head.channel_named(&own.full_name).or_else(|| self.head.channel_named(&own.name));
            found.filter(|&found| channel_before(of_head, &self.head, &self.changes, found) == Some(channel))
        })
    }

    fn weights_at(&self, time_secs: f32) -> Vec<f32> {
        let times = &self.frame_times_secs;
        let next = times.partition_point(|time| *time <= time_secs);
        let (before, after) = (next.saturating_sub(1), next.min(times.len() - 1));
        let step = times[after] - times[before];
        let part = if step > 0.0 { ((time_secs - times[before]) / step).clamp(0.0, 1.0) } else { 0.0 };
        let mut weights = vec![0.0; self.head.target_count()];
        for mesh in self.head.meshes.iter().filter(|mesh| mesh.targets.len() == times.len()) {
            weights[mesh.first_target + before] = 1.0 - part;
            weights[mesh.first_target + after] += part;
        }
        weights
    }

    /// The mesh and the vertex of the other version that are those of the head; none if it lacks them.
    pub fn counterpart(&self, mesh: usize, vertex: usize) -> Option<(usize, usize)> {
        let (other, vertices) = self.counterparts.get(mesh)?.as_ref()?;
        let found = match vertices {
            MatchedVertices::Unknown => return None,
            MatchedVertices::InOrder => vertex,
            MatchedVertices::Found { old_of_new, .. } => old_of_new.get(vertex).copied().flatten()? as usize,
        };
        (found < self.head.meshes.get(*other)?.vertices.len()).then_some((*other, found))
    }

    /// How many units of the head one unit of the other version is.
    pub fn unit(&self) -> f32 {
        self.changes.unit.unwrap_or(1.0).recip()
    }

    /// How far the farthest vertex of any channel, or of one channel of the head, is from where the other version moves
    /// it at weight 1, in millimetres; 0 if no channel has moved.
    pub fn largest_mm(&self, channel: Option<usize>) -> f32 {
        let moved = self.moved.iter().filter(|moved| channel.is_none_or(|channel| moved.channel == channel));
        moved.map(|moved| moved.largest_mm).fold(0.0, f32::max)
    }
}

fn moved_channels(this: &Head, changes: &HeadChanges, meshes: &[MatchedMesh]) -> Vec<MovedChannel> {
    let channels = this.target_channels().iter().enumerate();
    let of_target: HashMap<usize, usize> =
        channels.flat_map(|(index, channel)| channel.targets.iter().map(move |&target| (target, index))).collect();
    let mut found: Vec<MovedChannel> = Vec::new();
    for moved in &changes.moved {
        let mesh = meshes.get(moved.matched).and_then(|matched| this.meshes.get(matched.old));
        let Some(&channel) = mesh.and_then(|mesh| of_target.get(&(mesh.first_target + moved.targets[0]))) else {
            continue;
        };
        let known = found.iter().position(|known| known.channel == channel).unwrap_or_else(|| {
            found.push(MovedChannel { channel, largest_mm: 0.0, rms_mm: 0.0, meshes: Vec::new() });
            found.len() - 1
        });
        let known = &mut found[known];
        known.largest_mm = known.largest_mm.max(moved.largest_mm);
        known.rms_mm = known.rms_mm.max(moved.rms_mm);
        known.meshes.push(moved.mesh.clone());
    }
    found.sort_by(|a, b| b.largest_mm.total_cmp(&a.largest_mm));
    found
}

/// The channel of the head that has the name of a channel of the other version, or that was renamed to it.
fn channel_before(this: &Head, other: &Head, changes: &HeadChanges, index: usize) -> Option<usize> {
    let channel = other.channels.get(index)?;
    let renamed = changes.renamed.iter().find(|renamed| renamed.channels[1] == index);
    renamed
        .map(|renamed| renamed.channels[0])
        .or_else(|| this.channel_named(&channel.full_name))
        .or_else(|| this.channel_named(&channel.name))
}

/// The channels of the other version whose correctives do not play: those that correctives of the head drive, whose
/// weights are known, and those that follow a channel whose weight in-betweens of the head have changed.
fn silent_correctives(this: &Head, other: &Head, changes: &HeadChanges) -> Vec<usize> {
    let silent = other.correctives.driven().filter(|&channel| {
        let before = channel_before(this, other, changes, channel);
        let is_driven = before.is_some_and(|before| this.correctives.of_channel(before).is_some());
        is_driven
            || other.correctives.drivers_of(channel).into_iter().any(|(driver, _)| {
                let before = channel_before(this, other, changes, driver);
                before.is_some_and(|before| this.correctives.has_in_betweens(before))
            })
    });
    silent.collect()
}

fn weights_from(this: &Head, other: &Head, changes: &HeadChanges, meshes: &[MatchedMesh]) -> Vec<WeightFrom> {
    let mut from: Vec<WeightFrom> =
        other.default_weights().into_iter().take(other.target_count()).map(WeightFrom::Default).collect();
    for (index, channel) in other.target_channels().iter().enumerate() {
        let before = channel_before(this, other, changes, index);
        let Some(before) = before.and_then(|before| this.target_channels().get(before)) else { continue };
        for &target in &channel.targets {
            let mesh = other.mesh_of_target(target);
            let matched = meshes.iter().find(|matched| Some(matched.new) == mesh);
            // A mesh that the head lacks moves as the channel does elsewhere.
            let on_it = before
                .targets
                .iter()
                .find(|target| this.mesh_of_target(**target) == matched.map(|matched| matched.old));
            let source = on_it.or(before.targets.first());
            if let (Some(place), Some(&source)) = (from.get_mut(target), source) {
                *place = WeightFrom::Target(source);
            }
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::head::{Matching, Mesh, Target};

    fn mesh(name: &str, targets: &[(&str, usize, f32)]) -> Mesh {
        super::super::tests::mesh(name, 9, targets)
    }

    fn head(meshes: Vec<Mesh>) -> Arc<Head> {
        Arc::new(Head::from_meshes(meshes))
    }

    fn version(this: &Arc<Head>, other: Arc<Head>) -> Version {
        let (meshes, back) = (MatchedMesh::in_order(this, &other), MatchedMesh::in_order(&other, this));
        Version::new(this, other, meshes, back)
    }

    #[test]
    fn weights_follow_names_meshes_and_renamed_channels() {
        let this = head(vec![
            mesh("face", &[("jawOpen", 0, 0.1), ("smile", 1, 0.1), ("pout", 2, 0.1)]),
            mesh("teeth", &[("jawOpen", 0, 0.1)]),
        ]);
        let mut rest_of_puff = mesh("face", &[("puff", 5, 0.1), ("mouthSmile", 1, 0.1), ("jawOpen", 0, 0.2)]);
        rest_of_puff.targets[0].default_weight = 0.25;
        let other =
            head(vec![mesh("teeth", &[("jawOpen", 0, 0.1)]), rest_of_puff, mesh("lip", &[("jawOpen", 0, 0.1)])]);
        let version = version(&this, other);
        // The jaw of the teeth is at 0.75 alone, that of the face at 0.5.
        let weights = version.weights(&[0.5, 1.0, 0.3, 0.75], true, 0.0);
        assert_eq!(weights, [0.75, 0.25, 1.0, 0.5, 0.5], "teeth, puff, smile, jaw, and the jaw of a new mesh");
        assert_eq!(version.weights(&[], true, 0.0), [0.0, 0.25, 0.0, 0.0, 0.0], "too few weights are no error");
        assert!(version.is_of(&this) && !version.is_of(&version.head));
    }

    #[test]
    fn vertices_have_counterparts_where_they_are_matched() {
        let this = head(vec![mesh("hat", &[]), mesh("face", &[("jawOpen", 0, 0.1)])]);
        let other = head(vec![mesh("face", &[("jawOpen", 0, 0.4)])]);
        let meshes = MatchedMesh::in_order(&this, &other);
        let old_of_new = (0..9).map(|vertex| (vertex != 3).then_some(8 - vertex)).collect();
        let vertices = MatchedVertices::Found { old_of_new, by: Matching::Position };
        let version = Version::new(&this, other, meshes, vec![MatchedMesh { old: 0, new: 1, vertices }]);
        let found = [0, 3, 8, 99].map(|vertex| version.counterpart(1, vertex));
        assert_eq!(found, [Some((0, 8)), None, Some((0, 0)), None]);
        assert_eq!(version.counterpart(0, 0), None, "a mesh that the other version lacks");
        let moved = &version.moved[0];
        assert_eq!((Some(moved.channel), &moved.meshes[..]), (this.channel_named("jawOpen"), &["face".to_owned()][..]));
        assert!((version.largest_mm(None) - version.changes.moved[0].largest_mm).abs() < 1e-6);
        assert_eq!(version.largest_mm(Some(7)), 0.0);
    }

    #[test]
    fn recorded_frames_are_shown_at_their_times() {
        let this = head(vec![mesh("hat", &[]), mesh("face", &[("jawOpen", 0, 0.1)])]);
        let frames = [("frame 1", 0, 0.0), ("frame 2", 0, 0.1), ("frame 3", 1, 0.2)].map(|(name, row, by)| {
            let mut deltas = vec![Vec3::ZERO; 9];
            deltas[row] = Vec3::X * by;
            Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
        });
        let recorded = Arc::new(this.with_targets_alone(vec![Vec::new(), frames.to_vec()]));
        let version = Version::of_frames(&this, recorded, vec![0.0, 0.5, 2.0]);
        let at = |time_secs| version.weights(&[0.7], true, time_secs);
        for (time_secs, expected) in [
            (-1.0, [1.0, 0.0, 0.0]),
            (0.0, [1.0, 0.0, 0.0]),
            (0.25, [0.5, 0.5, 0.0]),
            (0.5, [0.0, 1.0, 0.0]),
            (1.25, [0.0, 0.5, 0.5]),
            (9.0, [0.0, 0.0, 1.0]),
        ] {
            assert_eq!(at(time_secs), expected, "{time_secs} s");
        }
        assert!(
            version.changes.moved.is_empty()
                && version.changes.gone.is_empty()
                && version.moved.is_empty()
                && !version.lacks_vertices()
        );
    }
}
