//! Retargeting a session to the same head with added targets: all edits stay and can still be undone.

use std::sync::Arc;

use super::{Edits, Session, Tracked};
use crate::head::{Head, Mesh, Pair, ShapeFile};
use crate::motion::{Pose, TakeMap, starter_poses};

impl Session {
    /// Replaces the head with the same head whose meshes have additional targets from `added`. New channels are at
    /// rest. The undo steps are adjusted and stay.
    pub fn retarget(&mut self, head: Arc<Head>, added: Vec<ShapeFile>) {
        let retarget = Retarget::new(&self.head, &head);
        retarget.apply(&mut self.edits);
        self.history.each(|edits| retarget.apply(edits));
        let mut fades = vec![None; head.channels.len()];
        for (fade, new) in self.fades.iter_mut().zip(&retarget.channels) {
            let Some(new) = *new else { continue };
            let count = head.channels[new].targets.len();
            fades[new] = fade.take().filter(|fade| fade.from.len() == count);
        }
        self.fades = Tracked::new(fades);
        self.camera.scene_bounds = head.bounds;
        self.rest = head.default_weights();
        self.shapes.retain(|shape| !added.iter().any(|other| other.path == shape.path));
        self.shapes.extend(added);
        self.head = head;
    }
}

/// Maps the targets and channels of one head to those of another.
struct Retarget<'a> {
    from: &'a Head,
    to: &'a Head,
    /// Per target, then per expression, its index on the other head; `None` if the other head lacks it.
    targets: Vec<Option<usize>>,
    /// Per channel, its index on the other head; `None` if the other head has no channel of that name.
    channels: Vec<Option<usize>>,
    /// Starter poses that only the other head has the channels for.
    poses: Vec<Arc<Pose>>,
}

impl<'a> Retarget<'a> {
    fn new(from: &'a Head, to: &'a Head) -> Self {
        let of_mesh = |(index, mesh): (usize, &'a Mesh)| {
            let new = to.meshes.get(index);
            (0..mesh.targets.len())
                .map(move |target| new.filter(|new| target < new.targets.len()).map(|new| new.first_target + target))
        };
        let of_meshes = from.meshes.iter().enumerate().flat_map(of_mesh);
        let of_expression = |index: usize| (index < to.expressions.len()).then_some(to.target_count() + index);
        let targets = of_meshes.chain((0..from.expressions.len()).map(of_expression)).collect();
        let new_of = |name: &String| to.channels.iter().position(|channel| channel.full_name == *name);
        let channels = from.channels.iter().map(|channel| new_of(&channel.full_name)).collect();
        let old_poses = starter_poses(from);
        let is_new = |pose: &Pose| !old_poses.iter().any(|other| other.id == pose.id);
        let poses = starter_poses(to).into_iter().filter(is_new).map(Arc::new).collect();
        Self { from, to, targets, channels, poses }
    }

    fn apply(&self, edits: &mut Edits) {
        let mut new_edits = Edits::at_rest(self.to, edits.look);
        for (old, new) in self.targets.iter().enumerate() {
            if let Some(new) = *new {
                new_edits.weights[new] = edits.weights[old];
            }
        }
        for (old, new) in self.channels.iter().enumerate() {
            if let Some(new) = *new {
                new_edits.manual[new] = edits.manual[old];
                new_edits.muted[new] = edits.muted[old];
                new_edits.soloed[new] = edits.soloed[old];
            }
        }
        for (pair, _) in self.from.pairs.iter().zip(&edits.linked).filter(|(_, linked)| **linked) {
            let (first, second) = (self.channels[pair.first], pair.second.map(|second| self.channels[second]));
            let is_same = |other: &Pair| Some(other.first) == first && other.second.map(Some) == second;
            if let Some(at) = self.to.pairs.iter().position(is_same) {
                new_edits.linked[at] = true;
            }
        }
        let is_new = |pose: &&Arc<Pose>| edits.poses.iter().all(|other| other.id != pose.id);
        edits.poses.extend(self.poses.iter().filter(is_new).cloned().collect::<Vec<_>>());
        edits.keys = edits.keys.on(self.to);
        for entry in &mut edits.takes {
            // Columns that matched no channel of the old head may match one of the new head.
            let matched = TakeMap::matched(&entry.take, self.to, &edits.aliases);
            for (column, new) in entry.map.columns.iter_mut().zip(matched.columns) {
                if column.channels.is_empty() {
                    column.channels = new.channels;
                }
            }
        }
        (edits.weights, edits.manual, edits.muted, edits.soloed, edits.linked) =
            (new_edits.weights, new_edits.manual, new_edits.muted, new_edits.soloed, new_edits.linked);
    }
}
