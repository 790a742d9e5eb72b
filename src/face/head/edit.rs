//! Edited copies of a head: with added or changed targets, or in another unit.

use glam::Vec4;

use super::{Asset, Beam, Bind, Corrective, ExpressionForm, Head, Lens, LocalTransform, Note, Target, Track};
use crate::head::{Clip, NodePath};

/// A target of an edited copy of a head.
#[derive(Clone, Debug)]
pub struct NewTarget {
    pub target: Target,
    /// The target of the same mesh before, by its index there, whose weight moves this one: in clips and expressions.
    /// None for a target that they do not move.
    pub weight_of: Option<usize>,
}

impl Asset {
    /// Replaces the targets of each mesh: `change` gets the index of a mesh and its targets. A target whose weight
    /// moves several new ones moves all of them, and clips and expressions forget one whose weight moves none.
    pub fn replace_targets(&mut self, mut change: impl FnMut(usize, Vec<Target>) -> Vec<NewTarget>) {
        // Per target before, the head-wide indices of those that it moves now.
        let mut after: Vec<Vec<usize>> = Vec::new();
        let mut count = 0;
        for (index, mesh) in self.meshes.iter_mut().enumerate() {
            let before = std::mem::take(&mut mesh.targets);
            mesh.first_target = after.len();
            after.resize(after.len() + before.len(), Vec::new());
            let targets = change(index, before);
            for new in &targets {
                if let Some(index) = new.weight_of {
                    after[mesh.first_target + index].push(count);
                }
                count += 1;
            }
            mesh.targets = targets.into_iter().map(|new| new.target).collect();
        }
        let is_same = count == after.len() && after.iter().enumerate().all(|(at, moved)| *moved == [at]);
        for clip in &mut self.clips {
            clip.tracks = clip.tracks.iter().flat_map(|track| tracks_of_new_targets(track, &after)).collect();
        }
        for expression in self.expressions.iter_mut().chain(&mut self.unshown_expressions) {
            let binds = expression.binds.iter().flat_map(|bind| {
                let moved = after.get(bind.target).into_iter().flatten();
                moved.map(|&target| Bind { target, weight: bind.weight })
            });
            expression.binds = binds.collect();
            let Some(response) = &mut expression.response else { continue };
            let tracks = &mut response.clip.tracks;
            *tracks = tracks.iter().flat_map(|track| tracks_of_new_targets(track, &after)).collect();
            response.of_file = response.of_file.take().filter(|_| is_same);
        }
    }

    /// Adds targets to the meshes. `added` has the index of the mesh and the target, which is appended, or replaces a
    /// target of the same name. Clips and expressions refer to the same targets as before.
    pub fn add_targets(&mut self, added: Vec<(usize, Target)>) {
        let mut added: Vec<(usize, Option<Target>)> = added.into_iter().map(|(mesh, it)| (mesh, Some(it))).collect();
        self.replace_targets(|mesh, before| {
            let own = before.into_iter().zip(0..).map(|(target, at)| NewTarget { target, weight_of: Some(at) });
            let mut targets: Vec<NewTarget> = own.collect();
            for target in added.iter_mut().filter(|(of, _)| *of == mesh).filter_map(|(_, target)| target.take()) {
                match targets.iter_mut().find(|other| other.target.name == target.name) {
                    Some(NewTarget { target: other, .. }) => {
                        *other = Target { default_weight: other.default_weight, ..target };
                    }
                    None => targets.push(NewTarget { target, weight_of: None }),
                }
            }
            targets
        });
        if self.meshes.iter().any(|mesh| !mesh.targets.is_empty()) {
            self.notes.retain(|note| !note.is_about_missing_targets);
        }
    }

    /// The same whose meshes have these targets and no others, without clips, expressions and correctives.
    #[must_use]
    pub fn with_targets_alone(mut self, targets: Vec<Vec<Target>>) -> Self {
        for (mesh, targets) in self.meshes.iter_mut().zip(targets) {
            mesh.targets = targets;
        }
        Self {
            clips: Vec::new(),
            expressions: Vec::new(),
            unshown_expressions: Vec::new(),
            declared_correctives: Vec::new(),
            ..self
        }
    }
}

/// The tracks that move the new targets as a track moved those before: one for each run of neighbouring targets.
fn tracks_of_new_targets(track: &Track, after: &[Vec<usize>]) -> Vec<Track> {
    let elements = after.iter().skip(track.first_target).take(track.curve.width()).enumerate();
    let mut moved: Vec<(usize, usize)> =
        elements.flat_map(|(element, after)| after.iter().map(move |&new| (new, element))).collect();
    moved.sort_unstable();
    let runs = moved.chunk_by(|a, b| a.0 + 1 == b.0);
    let tracks = runs.map(|run| {
        let elements: Vec<usize> = run.iter().map(|(_, element)| *element).collect();
        Track { first_target: run[0].0, curve: track.curve.with_elements(&elements) }
    });
    tracks.collect()
}

impl Head {
    /// A copy of the head with targets added to its meshes, as [`Asset::add_targets`] does.
    pub fn with_targets(&self, added: Vec<(usize, Target)>, notes: Vec<Note>) -> Self {
        let mut asset = self.to_asset();
        asset.add_targets(added);
        asset.notes.extend(notes.into_iter().filter(|note| !self.notes.contains(note)));
        Self::new(asset)
    }

    pub fn with_targets_alone(&self, targets: Vec<Vec<Target>>) -> Self {
        Self::new(self.to_asset().with_targets_alone(targets))
    }

    pub fn with_clips(&self, clips: Vec<Clip>) -> Self {
        Self::new(Asset { clips, ..self.to_asset() })
    }

    /// A copy of the head whose expressions are saved in a form, without others that the file had in it.
    pub fn with_expression_form(&self, expression_form: ExpressionForm) -> Self {
        let asset = Asset { expression_form, unshown_expressions: Vec::new(), ..self.to_asset() };
        Self::framed_as(asset, Some([self.focus, self.character]))
    }

    /// The head with more correctives.
    #[must_use]
    pub fn with_correctives(self, added: impl IntoIterator<Item = Corrective>) -> Self {
        let frame = [self.focus, self.character];
        let mut asset = self.into_asset();
        asset.declared_correctives.extend(added);
        Self::framed_as(asset, Some(frame))
    }

    /// A copy of the head in another unit: `factor` times as large.
    pub fn rescaled(&self, factor: f32) -> Self {
        let mut asset = self.to_asset();
        asset.notes.extend(asset.carried.rescale(factor));
        asset.materials.iter_mut().filter_map(|material| material.toon.as_mut()).for_each(|toon| toon.rescale(factor));
        // Every space is in the new unit: transforms between them keep their rotation and scale, and their translation
        // is scaled.
        let translation_factor = Vec4::new(factor, factor, factor, 1.0);
        for mesh in &mut asset.meshes {
            mesh.world_from_mesh.w_axis *= translation_factor;
            let shapes = mesh.targets.iter_mut().flat_map(Target::shapes_mut);
            let deltas = shapes.flat_map(|(_, [positions, ..])| positions);
            mesh.vertices.positions.iter_mut().chain(deltas).for_each(|position| *position *= factor);
            mesh.strands.iter_mut().for_each(|strands| strands.scale(factor));
        }
        asset.rig.world_from_file.w_axis *= translation_factor;
        for node in &mut asset.rig.nodes {
            match &mut node.rest {
                LocalTransform::Trs(trs) => trs.translation *= factor,
                LocalTransform::Matrix(matrix) => matrix.w_axis *= translation_factor,
            }
        }
        for joint in asset.rig.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
            joint.joint_from_mesh.w_axis *= translation_factor;
        }
        let expressions = asset.expressions.iter_mut().chain(&mut asset.unshown_expressions);
        let responses = expressions.filter_map(|expression| expression.response.as_mut());
        let of_expressions = responses.map(|response| {
            response.of_file = None;
            &mut response.clip
        });
        let node_tracks = asset.clips.iter_mut().chain(of_expressions).flat_map(|clip| &mut clip.node_tracks);
        for track in node_tracks.filter(|track| track.path == NodePath::Translation) {
            track.curve.scale(factor);
        }
        for camera in &mut asset.cameras {
            camera.world_from_camera.w_axis *= translation_factor;
            if let Lens::Orthographic { half_height } = &mut camera.lens {
                *half_height *= factor;
            }
        }
        for light in &mut asset.lights {
            light.world_from_light.w_axis *= translation_factor;
            light.range = light.range.map(|range| range * factor);
            if light.beam != Beam::Directional {
                // The same illuminance arrives from a distance that is `factor` times as long.
                light.intensity *= factor * factor;
            }
        }
        Self::new(asset)
    }

    /// The input from which [`Head::new`] makes this head.
    pub fn to_asset(&self) -> Asset {
        self.without_problems(self.asset.clone())
    }

    /// The same, of a head that is no longer needed: nothing is copied.
    pub fn into_asset(mut self) -> Asset {
        let asset = std::mem::take(&mut self.asset);
        self.without_problems(asset)
    }

    /// Whether the head can have its correctives is found again.
    fn without_problems(&self, mut asset: Asset) -> Asset {
        asset.notes.retain(|note| !self.correctives.problems.contains(note));
        asset
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat, Vec3};

    use super::*;
    use crate::head::{
        Bind, Curve, Expression, FileCamera, FileLight, InBetween, Influence, Interpolation, Joint, Mesh, Node,
        NodeTrack, Rig, Skin, Track, Trs, Vertices,
    };

    #[test]
    fn file_lights_light_a_smaller_head_as_brightly() {
        let light = |beam| FileLight {
            name: "l".into(),
            node: None,
            world_from_light: Mat4::from_translation(Vec3::Z * 4.0),
            color: [1.0; 3],
            intensity: 8.0,
            range: None,
            beam,
        };
        let lights = vec![light(Beam::Directional), light(Beam::Point)];
        let head = Head::new(Asset { lights, ..Asset::default() });
        let scaled = head.rescaled(0.5);
        for (light, scaled) in head.lights.iter().zip(&scaled.lights) {
            assert_eq!(scaled.lux_at(Vec3::ZERO, 0.0), light.lux_at(Vec3::ZERO, 0.0), "{:?}", light.beam);
        }
    }

    #[test]
    fn a_head_in_another_unit_is_as_much_larger_in_the_world() {
        let mut moved = Target::from_dense("moved".into(), 0.0, &[Vec3::X], &[], &[]);
        moved.set_in_betweens(vec![InBetween::from_dense("half".into(), 0.5, &[Vec3::Y], &[], &[])]);
        let world_from_mesh = Mat4::from_scale_rotation_translation(Vec3::splat(3.0), Quat::IDENTITY, Vec3::Y);
        let vertices = Vertices { positions: vec![Vec3::ONE], normals: vec![Vec3::Z], ..Vertices::default() };
        let alone = Mesh { vertices, world_from_mesh, targets: vec![moved], ..Mesh::default() };
        let on_node = Mesh { node: Some(1), ..alone.clone() };
        let mut skinned = Mesh { node: Some(0), skin: Some(0), ..alone.clone() };
        skinned.vertices.influences.push([Influence { joint: 0, weight: 1.0 }], 0);
        let trs = Trs { translation: Vec3::new(1.0, 2.0, 3.0), scale: Vec3::splat(3.0), ..Trs::IDENTITY };
        let nodes = vec![
            Node { name: "neck".into(), parent: None, rest: LocalTransform::Trs(trs) },
            Node { name: "head".into(), parent: Some(0), rest: LocalTransform::Matrix(world_from_mesh) },
        ];
        let joint = Joint { node: 1, joint_from_mesh: world_from_mesh };
        let skins = vec![Skin { name: "skin".into(), joints: vec![joint] }];
        let rig = Rig { world_from_file: world_from_mesh, nodes, skins, ..Rig::default() };
        let keys = |width: usize| Curve::new(Interpolation::Linear, vec![0.0], vec![0.25; width], width).unwrap();
        let moving = |path: NodePath| NodeTrack { node: 0, path, curve: keys(path.width()) };
        let node_tracks = vec![moving(NodePath::Translation), moving(NodePath::Scale)];
        let clips = vec![Clip::new("walk".into(), vec![]).with_node_tracks(node_tracks)];
        let lens = Lens::Orthographic { half_height: 2.0 };
        let cameras = vec![FileCamera { name: "front".into(), node: None, world_from_camera: world_from_mesh, lens }];
        let lights = vec![FileLight {
            name: "light".into(),
            node: None,
            world_from_light: world_from_mesh,
            color: [1.0; 3],
            intensity: 1.0,
            range: Some(4.0),
            beam: Beam::Point,
        }];
        let meshes = vec![alone, on_node, skinned];
        let head = Head::new(Asset { meshes, rig, clips, cameras, lights, ..Asset::default() });
        let scaled = head.rescaled(0.5);
        for (own, scaled_mesh) in head.meshes.iter().zip(&scaled.meshes) {
            let [own, half] = [(&head, own), (&scaled, scaled_mesh)]
                .map(|(head, mesh)| head.rest_pose.positions_in_world(mesh).next().unwrap());
            assert!(half.distance(own * 0.5) < 1e-4, "{half} is not half of {own}");
        }
        assert_eq!(scaled.meshes[0].targets[0].positions, [Vec3::X * 0.5]);
        assert_eq!(scaled.meshes[0].targets[0].in_betweens[0].positions, [Vec3::Y * 0.5]);
        let moved =
            |head: &Head| head.clips[0].world_from_nodes(&head.rig, 0.0).unwrap()[1].transform_point3(Vec3::ZERO);
        assert!(
            moved(&scaled).distance(moved(&head) * 0.5) < 1e-4,
            "the clip moves as far as the smaller head requires"
        );
        assert_eq!(scaled.cameras[0].lens, Lens::Orthographic { half_height: 1.0 });
        assert_eq!(scaled.cameras[0].world_from_camera.w_axis.truncate(), Vec3::Y * 0.5);
        assert_eq!((scaled.lights[0].range, scaled.lights[0].position_in_world()), (Some(2.0), Vec3::Y * 0.5));
    }

    #[test]
    fn clips_follow_their_targets() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 1.0, 2.0], 2).unwrap();
        let clips = vec![Clip::new("clip".into(), vec![Track { first_target: 1, curve }])];
        let meshes =
            [&["a"] as &[&str], &["b", "c"], &[]].map(|names| Mesh::with_targets(names.iter().copied())).into();
        let binds = vec![Bind { target: 2, weight: 1.0 }];
        let expressions = vec![Expression { name: "cry".into(), binds, ..Expression::default() }];
        let head = Head::new(Asset { meshes, clips, expressions, ..Asset::default() });
        let again = Target { default_weight: 0.5, ..target("c") };
        let edited = head.with_targets(vec![(0, target("d")), (2, target("d")), (1, again)], Vec::new());
        assert_eq!(
            edited.channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>(),
            ["a", "d", "b", "c", "cry"]
        );
        assert_eq!(edited.channels[1].targets, [1, 4]);
        assert_eq!(edited.expressions[0].binds[0].target, 3);
        assert_eq!((edited.clips[0].sample(1.0, 2), edited.clips[0].sample(1.0, 3)), (Some(1.0), Some(2.0)));
        assert_eq!(edited.default_weights(), [0.0; 6], "a replaced target keeps its weight at rest");
        assert!(edited.clips[0].drives(2) && !edited.clips[0].drives(1));
    }

    #[test]
    fn new_targets_move_with_the_one_whose_weight_they_take() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0], 3).unwrap();
        let clips = vec![Clip::new("clip".into(), vec![Track { first_target: 0, curve }])];
        let binds = vec![Bind { target: 1, weight: 0.5 }, Bind { target: 2, weight: 1.0 }];
        let expressions = vec![Expression { name: "cry".into(), binds, ..Expression::default() }];
        let meshes = vec![Mesh::with_targets(["a", "b", "c"])];
        let head = Head::new(Asset { meshes, clips, expressions, ..Asset::default() });
        let mut asset = head.into_asset();
        let new = |name: &str, weight_of| NewTarget { target: target(name), weight_of };
        asset.replace_targets(|_, _| {
            vec![new("bLeft", Some(1)), new("bRight", Some(1)), new("alone", None), new("a", Some(0))]
        });
        let edited = Head::new(asset);
        let at_end = |target| edited.clips[0].sample(1.0, target);
        assert_eq!([0, 1, 2, 3].map(at_end), [Some(2.0), Some(2.0), None, Some(1.0)]);
        let binds: Vec<(usize, f32)> = edited.expressions[0].binds.iter().map(|it| (it.target, it.weight)).collect();
        assert_eq!(binds, [(0, 0.5), (1, 0.5)], "that of a target that is gone is gone");
    }
}
