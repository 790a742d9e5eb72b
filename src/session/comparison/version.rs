//! Another version of the head, which is compared with it at the same weights.

use std::sync::Arc;

use crate::bound_edits::roles_on;
use crate::{B, ComparedWith, HeadSource, Session};
use smirk_face::head::{Bounds, Head, Version};
use smirk_scene::{Camera, Compared, Look, Scene, ViewMode};

/// Another version of the head that is open beside it.
#[derive(Clone, Debug)]
pub struct OpenVersion {
    /// The head, and how it belongs to the one that it is compared with.
    pub version: Arc<Version>,
    pub source: HeadSource,
    /// What has happened to its file since it was read.
    pub problem: Option<VersionProblem>,
}

impl PartialEq for OpenVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.version, &other.version) && (&self.source, &self.problem) == (&other.source, &other.problem)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionProblem {
    Changed,
    Gone,
}

impl Session {
    /// Compares the head with another version of it from now on.
    pub fn compare_with(&mut self, version: Arc<Version>, source: HeadSource) {
        self.open_version = Some(OpenVersion { version, source, problem: None });
        self.compared_with = ComparedWith::Version;
    }

    /// Ends the comparison with another version. Returns its source, if there was one.
    pub fn close_version(&mut self) -> Option<HeadSource> {
        if self.compared_with == ComparedWith::Version {
            self.compared_with = ComparedWith::default();
            if self.edits.look.shows_comparison() {
                self.edits.look = self.edits.look.without_comparison();
            }
        }
        self.open_version.take().map(|open| open.source)
    }

    /// The version that the head is compared with. None while there is none, and until it is known how it belongs to a
    /// head that was read again.
    pub fn version(&self) -> Option<&OpenVersion> {
        self.open_version.as_ref().filter(|open| open.version.is_of(&self.head))
    }
}

impl<'a> B<'a> {
    pub fn version(self) -> Option<&'a OpenVersion> {
        self.0.version().filter(|_| self.0.compared_with == ComparedWith::Version)
    }

    /// What its picture shows, at full quality. None if there is nothing to compare with.
    pub fn scene(self, size: [u32; 2]) -> Option<Scene> {
        let scene = match self.version() {
            Some(open) => Some(self.scene_on(&open.version, size)),
            None => self.with(|b| b.scene_alone(size)),
        };
        scene.map(|scene| Scene { look: scene.look.without_comparison(), ..scene })
    }

    /// What the heat map of the difference measures against. None if there is nothing to compare with.
    pub fn compared(self) -> Option<Compared> {
        match self.version() {
            Some(open) => Some(Compared::Version {
                version: open.version.clone(),
                plays_correctives: self.0.edits.plays_correctives,
                time_secs: self.frame_secs(&open.version),
            }),
            None => self.with(|b| Compared::Weights(b.weights())),
        }
    }

    /// The time at which the recorded frames of a version are shown; 0 if it has none.
    fn frame_secs(self, version: &Version) -> f32 {
        if version.frame_times_secs().is_empty() { 0.0 } else { self.0.clock.timeline.time_secs }
    }

    /// The face on another version: weights, clips, joints, hidden meshes, roles of materials, the variant and the
    /// channel of the heat map by their names.
    fn scene_on(self, version: &Version, size: [u32; 2]) -> Scene {
        let (a, head) = (self.0, &version.head);
        let clips = a.clip_names.iter().filter_map(|name| head.clips.get(name.index_on(head)?));
        let outputs = version.expression_outputs(&a.head, &a.expression_outputs());
        Scene {
            weights: version.weights(&a.weights(), a.edits.plays_correctives, self.frame_secs(version)).into(),
            world_from_nodes: a.nodes_of(head, clips, &outputs).into(),
            expression_outputs: outputs.into(),
            mode: a.mode,
            roles: roles_on(&a.edits, head),
            ..Scene::at_rest(head, &self.camera_on(head, version.unit()), &self.look_on(version), size)
        }
    }

    fn look_on(self, version: &Version) -> Look {
        let meshes = version.head.meshes.iter().enumerate();
        let hidden = meshes.filter(|&(index, mesh)| {
            let matched = version.meshes.iter().find(|matched| matched.new == index);
            let own = matched.and_then(|matched| self.0.head.meshes.get(matched.old));
            self.0.edits.hidden_meshes.contains(&own.unwrap_or(mesh).name)
        });
        let hidden = hidden.map(|(index, _)| index).collect();
        let mut look = self.0.look();
        if let Some(channel) = look.heat.channel {
            look.heat.channel = version.channel_of(&self.0.head, channel);
            if look.heat.channel.is_none() && look.view == ViewMode::Heat {
                // Without the channel, the heat map would be that of the whole face.
                look.view = ViewMode::Shaded;
            }
        }
        Look { hidden, variant: self.0.edits.variant_of(&version.head), ..look }
    }

    /// The same camera, in the unit of another version: its unit is so many of the head's.
    fn camera_on(self, head: &Head, unit: f32) -> Camera {
        let camera = self.0.camera;
        let scale = unit.recip();
        if scale == 1.0 {
            return Camera { scene_bounds: Bounds::union([camera.scene_bounds, head.character]), ..camera };
        }
        let (target_in_world, distance) = (camera.target_in_world * scale, camera.distance * scale);
        Camera { target_in_world, distance, scene_bounds: head.character, ..camera }
    }
}
