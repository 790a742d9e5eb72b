//! Heads made of heads: with more targets, in another unit.

use glam::Vec4;

use super::{Asset, Beam, Head, Lens, Local, Mesh, Note, Target};
use crate::motion::{Clip, NodePath, Track};

impl Head {
    /// The same head with targets added to its meshes, by the mesh's index, behind those there; one that has the name of a
    /// target there takes its place. What knows targets by number follows them.
    pub fn with_targets(&self, added: Vec<(usize, Target)>, notes: Vec<Note>) -> Self {
        let mut asset = self.to_asset();
        for (mesh, target) in added {
            let targets = &mut asset.meshes[mesh].targets;
            match targets.iter_mut().find(|other| other.name == target.name) {
                Some(other) => *other = Target { default_weight: other.default_weight, ..target },
                None => targets.push(target),
            }
        }
        let place = Places { from: &self.meshes, to: &asset.meshes };
        asset.clips = self.clips.iter().map(|clip| place.of_clip(clip)).collect();
        for bind in asset.expressions.iter_mut().flat_map(|expression| &mut expression.binds) {
            bind.target = place.of_target(bind.target);
        }
        if asset.meshes.iter().any(|mesh| !mesh.targets.is_empty()) {
            asset.notes.retain(|note| *note != Note::no_targets());
        }
        let news = notes.into_iter().filter(|note| !self.notes.contains(note));
        asset.notes.extend(news);
        Self::new(asset)
    }

    /// The same head in another unit: `factor` times as large.
    pub fn scaled(&self, factor: f32) -> Self {
        let mut asset = self.to_asset();
        // Every space in the new unit: what leads from one to another keeps its turns and scales and goes `factor` as far.
        let further = Vec4::new(factor, factor, factor, 1.0);
        for mesh in &mut asset.meshes {
            mesh.world_from_mesh.w_axis *= further;
            let deltas = mesh.targets.iter_mut().flat_map(|target| &mut target.positions);
            mesh.vertices.positions.iter_mut().chain(deltas).for_each(|position| *position *= factor);
        }
        asset.rig.world_from_file.w_axis *= further;
        for node in &mut asset.rig.nodes {
            match &mut node.rest {
                Local::Trs(trs) => trs.translation *= factor,
                Local::Matrix(matrix) => matrix.w_axis *= further,
            }
        }
        for joint in asset.rig.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
            joint.joint_from_mesh.w_axis *= further;
        }
        let node_tracks = asset.clips.iter_mut().flat_map(|clip| &mut clip.node_tracks);
        for track in node_tracks.filter(|track| track.path == NodePath::Translation) {
            track.curve.scale(factor);
        }
        for camera in &mut asset.cameras {
            camera.world_from_camera.w_axis *= further;
            if let Lens::Orthographic { half_height } = &mut camera.lens {
                *half_height *= factor;
            }
        }
        for light in &mut asset.lights {
            light.world_from_light.w_axis *= further;
            light.range = light.range.map(|range| range * factor);
            if light.beam != Beam::Directional {
                // As many lux as before arrive from `factor` times as far.
                light.intensity *= factor * factor;
            }
        }
        Self::new(asset)
    }

    /// What [`Head::new`] makes this head of.
    pub(super) fn to_asset(&self) -> Asset {
        // All fields by name: one that is added must be thought of here.
        let Self {
            name,
            meshes,
            rig,
            materials,
            textures,
            channels: _,
            pairs: _,
            clips,
            expressions,
            variants,
            cameras,
            lights,
            notes,
            rest: _,
            bounds: _,
            focus: _,
            channel_names: _,
        } = self;
        Asset {
            name: name.clone(),
            meshes: meshes.clone(),
            rig: rig.clone(),
            materials: materials.clone(),
            textures: textures.clone(),
            clips: clips.clone(),
            expressions: expressions.clone(),
            variants: variants.clone(),
            cameras: cameras.clone(),
            lights: lights.clone(),
            notes: notes.clone(),
        }
    }
}

/// Where targets are once meshes have grown.
struct Places<'a> {
    from: &'a [Mesh],
    to: &'a [Mesh],
}

impl Places<'_> {
    /// The new head-wide index of a target.
    fn of_target(&self, target: usize) -> usize {
        let holds = |mesh: &Mesh| (mesh.first_target..mesh.first_target + mesh.targets.len()).contains(&target);
        let Some(mesh) = self.from.iter().position(holds) else { return target };
        let before: usize = self.to[..mesh].iter().map(|mesh| mesh.targets.len()).sum();
        before + target - self.from[mesh].first_target
    }

    fn of_clip(&self, clip: &Clip) -> Clip {
        let track =
            |track: &Track| Track { first_target: self.of_target(track.first_target), curve: track.curve.clone() };
        let tracks = clip.tracks.iter().map(track).collect();
        Clip::new(clip.name.clone(), tracks).with_node_tracks(clip.node_tracks.clone())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat, Vec3};

    use super::*;
    use crate::head::{Bind, Expression, FileLight, Vertices};
    use crate::motion::{Curve, Interpolation};

    #[test]
    fn a_head_in_another_unit_is_as_much_larger_in_the_world() {
        let moved = Target { rows: vec![0], positions: vec![Vec3::X], ..Target::default() };
        let world_from_mesh = Mat4::from_scale_rotation_translation(Vec3::splat(3.0), Quat::IDENTITY, Vec3::Y);
        let vertices = Vertices { positions: vec![Vec3::ONE], normals: vec![Vec3::Z], ..Vertices::default() };
        let mesh = Mesh { vertices, world_from_mesh, targets: vec![moved], ..Mesh::default() };
        let light = |beam| FileLight {
            name: "l".into(),
            world_from_light: Mat4::from_translation(Vec3::Z * 4.0),
            color: [1.0; 3],
            intensity: 8.0,
            range: None,
            beam,
        };
        let lights = vec![light(Beam::Directional), light(Beam::Point)];
        let head = Head::new(Asset { meshes: vec![mesh], lights, ..Asset::default() });
        let scaled = head.scaled(0.5);
        for (light, scaled) in head.lights.iter().zip(&scaled.lights) {
            assert_eq!(scaled.lux_at(Vec3::ZERO, 0.0), light.lux_at(Vec3::ZERO, 0.0), "{:?}", light.beam);
        }
        assert_eq!(scaled.bounds.min, head.bounds.min * 0.5);
        assert_eq!(scaled.meshes[0].targets[0].positions, [Vec3::X * 0.5]);
    }

    #[test]
    fn clips_follow_their_targets() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let mesh =
            |names: &[&str]| Mesh { targets: names.iter().map(|name| target(name)).collect(), ..Mesh::default() };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 1.0, 2.0], 2).unwrap();
        let clips = vec![Clip::new("clip".into(), vec![Track { first_target: 1, curve }])];
        let meshes = vec![mesh(&["a"]), mesh(&["b", "c"]), mesh(&[])];
        let binds = vec![Bind { target: 2, weight: 1.0 }];
        let expressions = vec![Expression { name: "cry".into(), binds, ..Expression::default() }];
        let head = Head::new(Asset { meshes, clips, expressions, ..Asset::default() });
        let again = Target { default_weight: 0.5, ..target("c") };
        let grown = head.with_targets(vec![(0, target("d")), (2, target("d")), (1, again)], Vec::new());
        assert_eq!(
            grown.channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>(),
            ["a", "d", "b", "c", "cry"]
        );
        assert_eq!(grown.channels[1].targets, [1, 4]);
        assert_eq!(grown.expressions[0].binds[0].target, 3);
        assert_eq!((grown.clips[0].sample(1.0, 2), grown.clips[0].sample(1.0, 3)), (Some(1.0), Some(2.0)));
        assert_eq!(grown.default_weights(), [0.0; 6], "a target that is replaced rests as it did");
        assert!(grown.clips[0].drives(2) && !grown.clips[0].drives(1));
    }
}
