//! The same head with more shapes: whatever the artist did to it stays, and can still be undone.

use std::sync::Arc;

use super::{Edits, Session, Tracked};
use crate::head::{Head, ShapeFile};
use crate::motion::{Pose, TakeMap, starter_poses};

impl Session {
    /// Puts the head on screen with targets added to its meshes. New channels rest; steps of undo lead to what they led to.
    pub fn grow_head(&mut self, head: Arc<Head>, added: Vec<ShapeFile>) {
        let growth = Growth::new(&self.head, &head);
        growth.grow(&mut self.edits);
        self.history.each(|edits| growth.grow(edits));
        let mut fades = Tracked::new(vec![None; head.channels.len()]);
        for (fade, &new) in self.fades.iter_mut().zip(&growth.channels) {
            let count = head.channels[new].targets.len();
            fades[new] = fade.take().filter(|fade| fade.from.len() == count);
        }
        self.fades = fades;
        self.camera.scene_bounds = head.bounds;
        self.rest = head.default_weights();
        self.shapes.retain(|shape| !added.iter().any(|other| other.path == shape.path));
        self.shapes.extend(added);
        self.head = head;
    }
}

/// Where things of a head are on the one it has grown to.
struct Growth<'a> {
    from: &'a Head,
    to: &'a Head,
    /// Per target, then per expression.
    targets: Vec<usize>,
    /// Per channel.
    channels: Vec<usize>,
    /// Poses that the new channels bring.
    poses: Vec<Arc<Pose>>,
}

impl<'a> Growth<'a> {
    fn new(from: &'a Head, to: &'a Head) -> Self {
        let meshes = from.meshes.iter().zip(&to.meshes);
        let targets = meshes.flat_map(|(old, new)| (0..old.targets.len()).map(|target| new.first_target + target));
        let expressions = (0..from.expressions.len()).map(|expression| to.target_count() + expression);
        let targets = targets.chain(expressions).collect();
        let new_of = |name: &String| to.channels.iter().position(|channel| channel.full_name == *name).unwrap_or(0);
        let channels = from.channels.iter().map(|channel| new_of(&channel.full_name)).collect();
        let had = starter_poses(from);
        let poses = starter_poses(to).into_iter().filter(|pose| !had.iter().any(|other| other.id == pose.id));
        Self { from, to, targets, channels, poses: poses.map(Arc::new).collect() }
    }

    fn grow(&self, edits: &mut Edits) {
        let mut grown = Edits::at_rest(self.to, edits.look);
        for (old, &new) in self.targets.iter().enumerate() {
            grown.weights[new] = edits.weights[old];
        }
        for (old, &new) in self.channels.iter().enumerate() {
            grown.held[new] = edits.held[old];
            grown.muted[new] = edits.muted[old];
            grown.soloed[new] = edits.soloed[old];
        }
        let new_of = |channel: usize| self.channels[channel];
        for (pair, _) in self.from.pairs.iter().zip(&edits.linked).filter(|(_, linked)| **linked) {
            let (first, second) = (new_of(pair.first), pair.second.map(new_of));
            if let Some(at) = self.to.pairs.iter().position(|other| other.first == first && other.second == second) {
                grown.linked[at] = true;
            }
        }
        let is_new = |pose: &&Arc<Pose>| edits.poses.iter().all(|other| other.id != pose.id);
        edits.poses.extend(self.poses.iter().filter(is_new).cloned().collect::<Vec<_>>());
        edits.keys = edits.keys.on(self.to);
        for entry in &mut edits.takes {
            // Columns that went nowhere may have a channel now.
            let matched = TakeMap::matched(&entry.take, self.to, &edits.aliases);
            for (route, new) in entry.map.routes.iter_mut().zip(matched.routes) {
                if route.channels.is_empty() {
                    route.channels = new.channels;
                }
            }
        }
        (edits.weights, edits.held, edits.muted, edits.soloed, edits.linked) =
            (grown.weights, grown.held, grown.muted, grown.soloed, grown.linked);
    }
}
