//! A session whose head is replaced by another state of the same head: with added targets, or read from its file again. All
//! edits stay and can still be undone.

mod by_name;
mod named_edits;
mod slider;

use std::sync::Arc;

pub use by_name::pair_of;
pub use named_edits::NamedEdits;
pub use named_edits::{MeshWeight, Slider};
pub use slider::mesh_names;

use super::{Edits, Session, Tracked};
use smirk_face::head::{Head, ShapeFile, name_and_nth, nth_by_name};
use smirk_face::motion::{Pose, TakeMap, starter_poses};

impl Session {
    /// Replaces the head with the same head whose meshes have additional targets from `added`. New channels are at
    /// rest. The undo steps are adjusted and stay.
    pub fn retarget(&mut self, head: Arc<Head>, added: Vec<ShapeFile>) {
        let on_head = |edits: &mut Edits| edits.keys = edits.keys.on(&head);
        on_head(&mut self.edits);
        self.history.each(on_head);
        self.shapes.retain(|shape| !added.iter().any(|other| other.path == shape.path));
        self.shapes.extend(added);
        self.reload(head);
    }

    /// Replaces the head with the same head read again. Everything is kept by name, and the undo steps are adjusted. What the
    /// artist did to channels that the head lacks now is kept in each step, and is there again when a channel of that name is.
    pub fn reload(&mut self, head: Arc<Head>) {
        let retarget = Retarget::new(&self.head, &head);
        retarget.apply(&mut self.edits);
        self.history.each(|edits| retarget.apply(edits));
        let mut fades = vec![None; head.channels.len()];
        for (fade, channel) in self.fades.iter_mut().zip(&self.head.channels) {
            let Some(new) = head.channel_named(&channel.full_name) else { continue };
            let count = head.channels[new].targets.len();
            fades[new] = fade.take().filter(|fade| fade.from.len() == count);
        }
        self.fades = Tracked::new(fades);
        let clips = self.playing_clips.iter().filter_map(|&clip| {
            let (name, nth) = name_and_nth(self.head.clip_names(), clip)?;
            nth_by_name(head.clip_names(), name, nth)
        });
        let clips: Vec<usize> = clips.collect();
        self.camera.follow(self.head.focus, head.focus);
        self.camera.scene_bounds = head.bounds;
        self.rest = head.default_weights();
        self.head = head;
        self.select_clips(clips);
        self.stay_on_timeline();
    }
}

/// Moves edits from one head to another state of the same head.
pub struct Retarget<'a> {
    from: &'a Head,
    to: &'a Head,
    /// Starter poses that only the other head has the channels for.
    poses: Vec<Arc<Pose>>,
}

impl<'a> Retarget<'a> {
    /// From a head to another state of it.
    pub fn new(from: &'a Head, to: &'a Head) -> Self {
        let old_poses = starter_poses(from);
        let is_new = |pose: &Pose| !old_poses.iter().any(|other| other.id == pose.id);
        let poses = starter_poses(to).into_iter().filter(is_new).map(Arc::new).collect();
        Self { from, to, poses }
    }

    /// Gives edits of the one head to the other.
    pub fn apply(&self, edits: &mut Edits) {
        let mut new = Edits::at_rest(self.to, edits.look);
        NamedEdits::of(self.from, edits).apply(self.to, &mut new);
        let is_new = |pose: &&Arc<Pose>| edits.poses.iter().all(|other| other.id != pose.id);
        edits.poses.extend(self.poses.iter().filter(is_new).cloned().collect::<Vec<_>>());
        for entry in &mut edits.takes {
            // Columns that matched no channel of the old head may match one of the new head.
            let matched = TakeMap::matched(&entry.take, self.to, &edits.aliases);
            for (column, new) in entry.map.columns.iter_mut().zip(matched.columns) {
                if column.channels.is_empty() {
                    column.channels = new.channels;
                }
            }
        }
        edits.look.variant = new.look.variant;
        (edits.weights, edits.manual, edits.muted, edits.soloed, edits.linked, edits.absent) =
            (new.weights, new.manual, new.muted, new.soloed, new.linked, new.absent);
    }
}
