//! A head as plain data: what an importer makes and everything else reads.
//!
//! Owns the asset (meshes, targets, nodes, skins, materials, textures), the controls derived from it (channels, pairs)
//! and its clips. Knows no file format, no GPU and no window. A `Head` never changes once it is whole: share it
//! through an `Arc`.
//!
//! Weights travel as one flat slice for the whole head, one number per target: mesh 0's targets first, then
//! mesh 1's, … ([`Mesh::first_target`] says where a mesh begins). While motion mixes them, one number per expression
//! follows; [`Head::resolve_expressions`] makes weights of targets of those, just before they are blended.

mod bounds;
mod channel;
mod clip;
mod edit;
mod file_camera;
mod file_light;
mod material;
mod mesh;
mod note;
mod nth_by_name;
mod rig;
mod shape_file;

pub use bounds::Bounds;
pub use channel::{
    Bind, Channel, EXPRESSION_PREFIX, Expression, Override, Pair, PairKind, Preset, Procedure, Region, canonical_name,
    channels_and_pairs,
};
pub use clip::{Clip, Curve, CurveError, Interpolation, NodePath, NodeTrack, Track};
pub use file_camera::{FileCamera, Lens};
pub use file_light::{Beam, FileLight};
pub use material::{AlphaMode, Encoding, Material, Sampler, Texture, TextureRef, UvSet, Variant, Wrap};
pub use mesh::{Influence, Influences, Mesh, Part, Target, UvColorDeltas, Vertices};
pub use note::{Kind, Level, Note, Subject, listed, one_line, quoted};
pub use nth_by_name::{name_and_nth, nth_by_name};
pub use rig::{Joint, LocalTransform, Node, Rig, RigPose, Skin, Trs, normal_matrix};
pub use shape_file::{Matching, ShapeFile};

use self::channel::ChannelNames;

/// What an importer has read: what [`Head::new`] makes a head of. The fields are those of [`Head`].
#[derive(Debug, Default)]
#[expect(missing_docs, reason = "said once, at Head")]
pub struct Asset {
    pub name: String,
    pub meshes: Vec<Mesh>,
    pub rig: Rig,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub clips: Vec<Clip>,
    pub expressions: Vec<Expression>,
    pub variants: Vec<Variant>,
    pub cameras: Vec<FileCamera>,
    pub lights: Vec<FileLight>,
    pub notes: Vec<Note>,
}

/// One loaded head. Build it with [`Head::new`], which derives channels, pairs and bounds.
#[derive(Debug)]
pub struct Head {
    /// What to call it: the file's name without its extension.
    pub name: String,
    /// Mesh instances, one per glTF node that has a mesh.
    pub meshes: Vec<Mesh>,
    /// The nodes they stand on, and their skins. Empty for a file that has none.
    pub rig: Rig,
    /// Materials; [`Part::material`] points here. Never empty.
    pub materials: Vec<Material>,
    /// Decoded images with their samplers; [`Material::base_color_texture`] and its like point here.
    pub textures: Vec<Texture>,
    /// One control per target name, over all meshes, in order of first appearance; then one per expression.
    pub channels: Vec<Channel>,
    /// The channels two by two, in the order they are shown. Every channel is in exactly one pair.
    pub pairs: Vec<Pair>,
    /// Animations of weights and nodes.
    pub clips: Vec<Clip>,
    /// What the file's author meant to be moved, in the order it is shown; empty but for VRM.
    pub expressions: Vec<Expression>,
    /// Other materials to wear.
    pub variants: Vec<Variant>,
    /// Somewhere to look from.
    pub cameras: Vec<FileCamera>,
    /// What may shine in the place of Smirk's lights; at most [`FileLight::MOST`].
    pub lights: Vec<FileLight>,
    /// What the importer converted, skipped or repaired.
    pub notes: Vec<Note>,
    /// Where all of it stands at rest_pose.
    pub rest_pose: RigPose,
    /// World-space bounds of everything, at rest_pose.
    pub bounds: Bounds,
    /// World-space bounds of what any target can move (all of the head when nothing morphs): what a camera frames.
    pub focus: Bounds,
    /// Finds [`Head::channels`] by name.
    channel_names: ChannelNames,
}

impl Head {
    /// Derives channels, pairs, clip-driven channels and bounds from what an importer read.
    ///
    /// Sets [`Mesh::first_target`] of each mesh, and [`Mesh::world_from_mesh`] of those on nodes.
    pub fn new(asset: Asset) -> Self {
        let Asset { name, mut meshes, mut materials, textures, mut clips, rig, .. } = asset;
        let Asset { expressions, variants, cameras, mut lights, notes, .. } = asset;
        lights.truncate(FileLight::MOST);
        let rest_pose = RigPose::at_rest(&rig);
        let mut first_target = 0;
        for mesh in &mut meshes {
            mesh.world_from_mesh = rest_pose.world_from_mesh(mesh);
            mesh.first_target = first_target;
            first_target += mesh.targets.len();
        }
        if materials.is_empty() {
            materials.push(Material::default());
        }
        let (channels, pairs) = channels_and_pairs(&meshes, &expressions);
        let rest_weights = default_weights(&meshes, expressions.len());
        for clip in &mut clips {
            clip.find_driven_channels(&channels, &rest_weights);
        }
        let bounds = Bounds::union(meshes.iter().map(|mesh| rest_pose.bounds_in_world(mesh)));
        let moved = Bounds::union(meshes.iter().map(|mesh| rest_pose.moved_bounds_in_world(mesh)));
        let focus = if moved.is_empty() { bounds } else { moved };
        let expression_of =
            |channel: usize| expressions.get((channel + expressions.len()).checked_sub(channels.len())?);
        let channel_names = ChannelNames::new(&channels, expression_of);
        Self {
            name,
            meshes,
            rig,
            materials,
            textures,
            channels,
            pairs,
            clips,
            expressions,
            variants,
            cameras,
            lights,
            notes,
            rest_pose,
            bounds,
            focus,
            channel_names,
        }
    }

    /// What a part of a mesh wears in a variant; an index that any material has.
    pub fn material_of(&self, mesh: usize, part: usize, variant: Option<usize>) -> usize {
        let variant = variant.and_then(|variant| self.variants.get(variant));
        let worn = variant.and_then(|variant| variant.materials.get(&(mesh, part)).copied());
        worn.unwrap_or(self.meshes[mesh].parts[part].material).min(self.materials.len() - 1)
    }

    /// Number of targets over all meshes: the length of every weight slice that is blended.
    pub fn target_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.targets.len()).sum()
    }

    /// What the clips are called, in their order.
    pub fn clip_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.clips.iter().map(|clip| clip.name.as_str())
    }

    /// What the variants are called, in their order.
    pub fn variant_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.variants.iter().map(|variant| variant.name.as_str())
    }

    /// Number of vertices over all meshes.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertices.len()).sum()
    }

    /// Number of triangles over all meshes.
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()
    }

    /// What motion mixes, at rest_pose. One per target, as the file asks for: node's weight, else mesh's, else 0; then one per
    /// expression, 0.
    pub fn default_weights(&self) -> Vec<f32> {
        default_weights(&self.meshes, self.expressions.len())
    }

    /// Makes of what motion mixed what is blended: one weight per target, with those that expressions add.
    pub fn resolve_expressions(&self, weights: &mut Vec<f32>) {
        if !self.expressions.is_empty() {
            let values = weights.split_off(self.target_count().min(weights.len()));
            channel::resolve(&self.expressions, &values, weights);
        }
    }

    /// The channels that stand for targets: all but the expressions', which come last.
    pub fn target_channels(&self) -> &[Channel] {
        &self.channels[..self.channels.len() - self.expressions.len()]
    }

    /// The expression that a channel stands for, if it does.
    pub fn expression_of(&self, channel: usize) -> Option<&Expression> {
        self.expressions.get(channel.checked_sub(self.target_channels().len())?)
    }

    /// How much of a channel's expression is shown, once others have held it back; none for other channels. `weights` is
    /// what motion mixed.
    pub fn shown_of_expression(&self, channel: usize, weights: &[f32]) -> Option<f32> {
        let index = channel.checked_sub(self.target_channels().len())?;
        let values = weights.get(self.target_count()..)?;
        channel::shown(&self.expressions, values).get(index).copied()
    }

    /// Whether a channel moves any target.
    pub fn moves_any(&self, channel: usize) -> bool {
        self.expression_of(channel).is_none_or(|expression| !expression.binds.is_empty())
    }

    /// The mesh and the target a head-wide target index stands for.
    pub fn target(&self, index: usize) -> Option<(&Mesh, &Target)> {
        self.meshes.iter().find_map(|mesh| {
            let local = index.checked_sub(mesh.first_target)?;
            Some((mesh, mesh.targets.get(local)?))
        })
    }

    /// The targets of a channel that move something, with their meshes; all of them where none does. Exporters write a
    /// target for every mesh of a head, however far from where it acts.
    pub fn moving_targets(&self, channel: usize) -> Vec<(usize, &Mesh)> {
        let of = |&index: &usize| self.target(index).map(|(mesh, target)| (index, mesh, target));
        let all: Vec<_> = self.channels[channel].targets.iter().filter_map(of).collect();
        let any_moves = all.iter().any(|(.., target)| !target.is_empty());
        let moving = all.into_iter().filter(|(.., target)| !any_moves || !target.is_empty());
        moving.map(|(index, mesh, _)| (index, mesh)).collect()
    }

    /// The channel that does on the other side of the face what this one does on its own; itself in the middle.
    pub fn mirror_of(&self, channel: usize) -> usize {
        let holds = |pair: &&Pair| pair.first == channel || pair.second == Some(channel);
        match self.pairs.iter().find(holds) {
            Some(&Pair { first, second: Some(second), kind, .. })
                if kind == PairKind::Sides || self.is_to_a_side(first) =>
            {
                if first == channel {
                    second
                } else {
                    first
                }
            }
            _ => channel,
        }
    }

    /// Whether a channel's name says left or right.
    fn is_to_a_side(&self, channel: usize) -> bool {
        channel::lowercase_words(&self.channels[channel].name).iter().any(|word| channel::side_of(word).is_some())
    }

    /// The channel of that name: exact first, then ignoring case.
    pub fn channel_named(&self, name: &str) -> Option<usize> {
        self.channel_names.named(name)
    }

    /// The channels that mean what `name` says, in this head's words: of exactly that name; else ignoring case; else of
    /// the same [`canonical_name`]; else, where one has sides and the other has none, both halves of a whole or the
    /// whole of a half. Empty if there is none.
    pub fn channel_alike(&self, name: &str) -> Vec<usize> {
        self.channel_names.alike(name)
    }
}

fn default_weights(meshes: &[Mesh], expression_count: usize) -> Vec<f32> {
    let of_targets = meshes.iter().flat_map(|mesh| &mesh.targets).map(|target| target.default_weight);
    of_targets.chain(std::iter::repeat_n(0.0, expression_count)).collect()
}
