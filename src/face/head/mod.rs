//! A head as plain data: importers make it, everything else reads it.
//!
//! Contains the asset (meshes, targets, nodes, skins, materials, textures), the controls derived from it (channels,
//! pairs) and its clips. Depends on no file format, no GPU and no window. A `Head` never changes after [`Head::new`]:
//! share it through an `Arc`.
//!
//! The weights of a head are one flat slice with one number per target: those of mesh 0 first, then those of mesh 1, …
//! ([`Mesh::first_target`] is where the weights of a mesh begin). While motion is mixed, one number per expression
//! follows them; [`Head::resolve`] converts these to weights of targets just before blending, and sets the weights of
//! [`Correctives`].

mod avatar;
mod body;
mod bounds;
mod carried;
mod changes;
mod channel;
mod clip;
mod corrective;
mod edit;
mod eyes;
mod facing;
mod file_light;
mod framed;
mod landmark;
mod lash_cards;
mod material;
mod material_bind;
mod mesh;
mod mouth;
mod neck;
mod note;
mod of_head;
mod painted;
mod points;
mod posed;
mod response;
mod rig;
mod role;
mod shape_file;
mod source;
mod standing;
mod surface_point;
mod toon;

pub use avatar::{
    Avatar, LookAtExpressions, MeshAnnotation, REQUIRED_BONES, RangeMap, VrmVersion, bones_by_name, listed_bones,
    missing_bones,
};
pub use body::{BodyMotion, BoneMotion};
pub use bounds::Bounds;
pub use carried::{Carried, CarriedImage, CarriedTexture, Extensions};
pub use changes::{
    HeadChanges, MatchedMesh, MatchedVertices, MovedChannel, MovedTarget, RenamedChannel, Version, change_of_unit,
    paired_meshes,
};
pub(crate) use channel::Opposites;
pub use channel::{
    ACTION_UNITS, ARKIT_NAMES, ARKIT_SHAPES, Bind, Channel, ChannelNames, Dialect, Expression, Override, Pair,
    PairKind, Preset, Region, add_dialects, canonical_name, channels_and_pairs, is_compound_in_name, is_part_in_name,
    side_in_name,
};
pub use clip::{Clip, Curve, Interpolation, NodePath, NodeTrack, Track};
pub use corrective::{CombinationMethod, Corrective, Correctives, Drive, Driver};
pub use edit::NewTarget;
pub use eyes::Eyes;
pub use file_light::{Beam, FileCamera, FileLight, Lens};
pub use framed::Frame;
pub use landmark::Landmark;
pub use lash_cards::LashCards;
pub use material::{
    AlphaMode, BlockFormat, Blocks, Decode, Encoding, Image, Material, Sampler, Texture, TextureRef, UvSet, Variant,
    Wrap,
};
pub use material_bind::{ChangedByExpressions, MaterialBind, MaterialProperty, MaterialValue};
pub use mesh::{
    Groups, GrownStrands, Growth, GuidePoint, InBetween, Influence, Influences, Mesh, Part, ShapeDeltas, ShapeMix,
    StrandPoint, Strands, Target, UvColorDeltas, Vertices, pieces_of,
};
pub use mouth::{MouthOpener, MouthOpeners};
pub use note::{Kind, Level, Note, Notes, Subject, listed};
pub use of_head::{HeadId, OfHead};
pub use painted::TargetValues;
pub use points::Points;
pub use response::{ExpressionForm, FileAnimation, FileChannel, FileProperty, Mask, MaskKind, MaterialTrack, Response};
pub use rig::{
    ConstraintKind, EyeRange, FaceJoints, FaceTurns, Humanoid, Joint, LocalTransform, Node, NodeConstraint, Rig,
    RigPose, Skin, Trs, Turn, normal_matrix,
};
pub use role::Role;
pub use shape_file::{Matching, SculptedOn, ShapeFile};
pub use source::HeadSource;
pub use standing::{Axis, ChosenAxes, Standing};
pub use surface_point::{BoundPoint, SurfacePoint};
pub use toon::{Outline, OutlineWidth, Toon, ToonColor, UvAnimation};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::PathBuf;

use glam::Vec3;

/// What a file says: the input of [`Head::new`], which an importer has read.
#[derive(Clone, Debug, Default)]
pub struct Asset {
    /// The file's name without its extension.
    pub name: String,
    /// Mesh instances, one per glTF node that has a mesh.
    pub meshes: Vec<Mesh>,
    /// The nodes of the meshes, and their skins. Empty for a file that has none.
    pub rig: Rig,
    /// Materials; [`Part::material`] points here. Those of a head are never empty.
    pub materials: Vec<Material>,
    /// Images with their samplers; [`Material::base_color_texture`] and the other texture references point here.
    pub textures: Vec<Texture>,
    pub clips: Vec<Clip>,
    /// The expressions of a VRM file or of one with `KHR_character_expression`, in the order of the channel list.
    pub expressions: Vec<Expression>,
    pub expression_form: ExpressionForm,
    /// The expressions that the file has in the other form, which are not shown, for saving.
    pub unshown_expressions: Vec<Expression>,
    /// The correctives as they are declared, also those that the head cannot have.
    pub declared_correctives: Vec<Corrective>,
    /// The names of channels by those that they had when the head was read: keys, takes and poses may still have these.
    pub former_names: BTreeMap<String, String>,
    /// What makes the head a VRM avatar besides its expressions; none for other files.
    pub avatar: Option<Avatar>,
    pub variants: Vec<Variant>,
    pub cameras: Vec<FileCamera>,
    /// Lights, which can replace Smirk's own. Those of a head are at most [`FileLight::MOST`].
    pub lights: Vec<FileLight>,
    /// Extensions of a glTF file that are not read, for saving.
    pub carried: Carried,
    /// What the importer converted, skipped or repaired.
    pub notes: Vec<Note>,
    /// The files beside the head's own that hold parts of it: buffers, images, files of materials.
    pub side_files: Vec<PathBuf>,
}

/// One loaded head: what its file says, whose fields it has too, and what is derived from it by [`Head::new`].
#[derive(Debug)]
pub struct Head {
    pub asset: Asset,
    /// What each material shows, found by [`role`]; the artist may choose otherwise.
    pub roles: Vec<Role>,
    /// One control per target name, over all meshes, in order of first appearance; then one per expression.
    pub channels: Vec<Channel>,
    /// The channels in pairs, in the order of the channel list. Every channel is in exactly one pair.
    pub pairs: Vec<Pair>,
    pub correctives: Correctives,
    pub rest_pose: RigPose,
    /// World-space bounds of everything, at rest.
    pub bounds: Bounds,
    /// World-space bounds of the character at rest: of everything but what stands around it, such as a floor.
    pub character: Bounds,
    /// World-space bounds of the face, which a camera frames: what targets move at rest, without the body that some
    /// move too, and as far down as the jaw opens. All of the head when nothing morphs.
    pub focus: Bounds,
    /// The width of what targets move, in the world; that of the head when nothing morphs. Unlike that of
    /// [`Self::focus`], it does not depend on how far they move it.
    moved_width: f32,
    /// The parts that are plain bands of lashes.
    pub lash_cards: LashCards,
    /// Whether the texture coordinates of any material move over time.
    pub animates_uvs: bool,
    /// The nodes that turn the head and the eyes, as far as they are known.
    pub face_joints: FaceJoints,
    /// The point that the whole head turns about if it has no joint: an estimate, in world space.
    pub neck: Vec3,
    channel_names: ChannelNames,
}

impl Deref for Head {
    type Target = Asset;

    fn deref(&self) -> &Asset {
        &self.asset
    }
}

impl Head {
    /// The role of each material: those of `chosen` where it has one for each material, else the head's own.
    pub fn roles_or<'a>(&'a self, chosen: &'a [Role]) -> &'a [Role] {
        if chosen.len() == self.materials.len() { chosen } else { &self.roles }
    }

    /// The names of meshes that are not shown at first, because only the eyes of the avatar itself see them.
    pub fn hidden_at_first(&self) -> BTreeSet<String> {
        let annotations = self.avatar.iter().flat_map(|avatar| &avatar.first_person);
        let hidden = annotations.filter(|annotation| annotation.is_hidden_from_others());
        hidden.filter_map(|annotation| Some(self.meshes.get(annotation.mesh)?.name.clone())).collect()
    }

    /// A head with these meshes and nothing else.
    pub fn from_meshes(meshes: Vec<Mesh>) -> Self {
        Self::new(Asset { meshes, ..Asset::default() })
    }

    /// Derives channels, pairs, clip-driven channels and bounds from what an importer read.
    ///
    /// Sets [`Mesh::first_target`] of each mesh, [`Mesh::world_from_mesh`] of those on nodes, and
    /// [`Material::changed_by_expressions`].
    pub fn new(asset: Asset) -> Self {
        Self::framed_as(asset, None)
    }

    /// [`Self::new`] with the bounds of the face and of the character of the same head with other shapes. To find them
    /// takes longer than all else.
    pub fn framed_as(mut asset: Asset, frame: Option<[Bounds; 2]>) -> Self {
        asset.lights.truncate(FileLight::MOST);
        if asset.materials.is_empty() {
            asset.materials.push(Material::default());
        }
        let Asset {
            meshes,
            materials,
            textures,
            clips,
            rig,
            expressions,
            unshown_expressions,
            carried,
            former_names,
            declared_correctives,
            ..
        } = &mut asset;
        let animates = |material: &Material| material.toon.as_ref().is_some_and(|toon| !toon.uv_animation.is_none());
        let animates_uvs = materials.iter().any(animates);
        let rest_pose = RigPose::at_rest(rig);
        let mut first_target = 0;
        for mesh in &mut *meshes {
            mesh.world_from_mesh = rest_pose.world_from_mesh(mesh);
            mesh.first_target = first_target;
            first_target += mesh.targets.len();
        }
        ChangedByExpressions::set(materials, expressions);
        let (channels, pairs) = channels_and_pairs(meshes, expressions);
        let roles = role::roles(meshes, rig, (materials, textures), &channels);
        let rest_weights = default_weights(meshes, expressions.len());
        for clip in clips {
            clip.find_driven_channels(&channels, &rest_weights);
        }
        let of_meshes: Vec<Bounds> = meshes.iter().map(|mesh| rest_pose.bounds_in_world(mesh)).collect();
        let bounds = Bounds::union(of_meshes.iter().copied());
        let moved = Bounds::union(meshes.iter().map(|mesh| rest_pose.moved_bounds_in_world(mesh)));
        let mut channel_names = ChannelNames::new(&channels, |channel| {
            expressions.get((channel + expressions.len()).checked_sub(channels.len())?)
        });
        let first_expression = channels.len() - expressions.len();
        for (name, moved) in response::mapped_names(&carried.root, expressions.iter().chain(&*unshown_expressions)) {
            let place = |name: &str| expressions.iter().position(|expression| expression.name == name);
            let moved = moved.into_iter().filter_map(|(name, weight)| Some((first_expression + place(name)?, weight)));
            channel_names.add_mapped(name, moved.collect());
        }
        channel_names.add_former(former_names);
        let correctives = Correctives::bind(declared_correctives, &channels[..first_expression], meshes);
        let face_joints = FaceJoints::find(rig, meshes, &rest_pose);
        let mut head = Self {
            asset,
            roles,
            channels,
            pairs,
            correctives,
            rest_pose,
            bounds,
            character: bounds,
            focus: bounds,
            moved_width: if moved.is_empty() { bounds } else { moved }.size().x,
            lash_cards: LashCards::default(),
            animates_uvs,
            face_joints,
            neck: Vec3::ZERO,
            channel_names,
        };
        let find = || framed::face_and_character(&head, &of_meshes, moved);
        [head.focus, head.character] = frame.unwrap_or_else(find);
        head.neck = head.estimate_neck();
        head.lash_cards = LashCards::find(&head);
        // An edited copy has the notes of the head that it was made of.
        let note = head.lash_cards.note(&head).filter(|note| !head.notes.contains(note));
        head.asset.notes.extend(head.correctives.problems.iter().cloned().chain(note));
        head
    }

    /// The material of a part of a mesh in a variant; always a valid index.
    pub fn material_of(&self, mesh: usize, part: usize, variant: Option<usize>) -> usize {
        let variant = variant.and_then(|variant| self.variants.get(variant));
        let own = variant.and_then(|variant| variant.materials.get(&(mesh, part)).copied());
        own.unwrap_or(self.meshes[mesh].parts[part].material).min(self.materials.len() - 1)
    }

    /// Number of targets over all meshes: the length of every weight slice that is blended.
    pub fn target_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.targets.len()).sum()
    }

    pub fn clip_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.clips.iter().map(|clip| clip.name.as_str())
    }

    pub fn variant_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.variants.iter().map(|variant| variant.name.as_str())
    }

    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertices.len()).sum()
    }

    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()
    }

    /// The weights at rest, in the layout that motion mixes: one per target (in the file the node's weight, else the
    /// mesh's, else 0), then 0 for each expression.
    pub fn default_weights(&self) -> Vec<f32> {
        default_weights(&self.meshes, self.expressions.len())
    }

    /// Converts a mix of motion to what is blended, as the additive rule does: resolves the expressions, and sets the
    /// weights of the targets that correctives drive. Returns the output of each expression.
    pub fn resolve(&self, weights: &mut Vec<f32>) -> Vec<f32> {
        let outputs = self.resolve_expressions(weights);
        self.correctives.drive(weights, &[]);
        outputs
    }

    /// Removes the numbers of the expressions from a mix of motion, and adds what they contribute to the weights of the
    /// targets. Returns the output of each expression.
    pub fn resolve_expressions(&self, weights: &mut Vec<f32>) -> Vec<f32> {
        if self.expressions.is_empty() {
            return Vec::new();
        }
        let values = weights.split_off(self.target_count().min(weights.len()));
        channel::resolve(&self.expressions, &values, weights)
    }

    /// Whether any of its materials has toon shading, as those of avatars do. All others are then lit as they are.
    pub fn has_toon(&self) -> bool {
        self.materials.iter().any(|material| material.toon.is_some())
    }

    /// The materials that expressions change, as they are at these outputs, by their indices in [`Asset::materials`];
    /// also those that are at rest. The output of an expression that is missing is 0.
    pub fn materials_under(&self, outputs: &[f32]) -> BTreeMap<usize, Material> {
        material_bind::materials_under(&self.expressions, &self.materials, outputs)
    }

    /// Sets the weights of a mix of motion that show a channel: those of its targets, or, of a channel that a
    /// corrective drives which is not in `silent`, those of its drivers.
    pub fn show_channel(&self, channel: usize, weight: f32, silent: &[usize], mix: &mut [f32]) {
        for (channel, weight) in self.correctives.shown_by(channel, weight, silent) {
            for &target in self.channels.get(channel).iter().flat_map(|channel| &channel.targets) {
                if let Some(place) = mix.get_mut(target) {
                    *place = weight;
                }
            }
        }
    }

    /// The channels of targets: all but those of expressions, which come last.
    pub fn target_channels(&self) -> &[Channel] {
        &self.channels[..self.channels.len() - self.expressions.len()]
    }

    /// The expression of a channel; none for a channel of targets.
    pub fn expression_of(&self, channel: usize) -> Option<&Expression> {
        self.expressions.get(channel.checked_sub(self.target_channels().len())?)
    }

    /// The name of a channel where it is shown. An expression and a target of one name are told apart by a tag.
    pub fn shown_name(&self, channel: usize) -> Cow<'_, str> {
        let name = &self.channels[channel].name;
        let (targets, expressions) = self.channels.split_at(self.target_channels().len());
        let is_expression = self.expression_of(channel).is_some();
        let (others, tag) = if is_expression { (targets, "expression") } else { (expressions, "shape") };
        match others.iter().any(|other| other.name == *name) {
            true => Cow::Owned(format!("{name} ({tag})")),
            false => Cow::Borrowed(name),
        }
    }

    /// The value of a channel's expression after other expressions have overridden it; none for a channel of targets.
    /// `weights` is a mix of motion.
    pub fn expression_output(&self, channel: usize, weights: &[f32]) -> Option<f32> {
        let index = channel.checked_sub(self.target_channels().len())?;
        let values = weights.get(self.target_count()..)?;
        channel::outputs(&self.expressions, values).get(index).copied()
    }

    /// The value that a channel's slider shows at these weights of a mix of motion: that of the channel's first target.
    pub fn channel_value(&self, channel: usize, weights: &[f32]) -> f32 {
        self.channels[channel].targets.first().map_or(0.0, |&target| weights[target])
    }

    /// Whether the targets of a channel have different weights.
    pub fn is_mixed(&self, channel: usize, weights: &[f32]) -> bool {
        let value = self.channel_value(channel, weights);
        self.channels[channel].targets.iter().any(|&target| (weights[target] - value).abs() > 1e-5)
    }

    /// Whether a channel has a visible effect at these weights. A weight that is shown as 0.00 has none: solved takes
    /// hold values such as 0.000002.
    pub fn is_active(&self, channel: usize, weights: &[f32]) -> bool {
        self.channels[channel].targets.iter().any(|&target| weights[target].abs() >= 0.005)
    }

    pub fn moves_any(&self, channel: usize) -> bool {
        self.expression_of(channel).is_none_or(Expression::moves)
    }

    /// The mesh and the target of a head-wide target index.
    pub fn target(&self, index: usize) -> Option<(&Mesh, &Target)> {
        let mesh = &self.meshes[self.mesh_of_target(index)?];
        Some((mesh, &mesh.targets[index - mesh.first_target]))
    }

    pub fn mesh_of_target(&self, index: usize) -> Option<usize> {
        // Of the meshes that begin at or before the target, only the last can have it: those before have none or end
        // earlier.
        let mesh = self.meshes.partition_point(|mesh| mesh.first_target <= index).checked_sub(1)?;
        (index - self.meshes[mesh].first_target < self.meshes[mesh].targets.len()).then_some(mesh)
    }

    /// The targets of a channel that are not empty, with their meshes; all of them if all are empty. Exporters write a
    /// target for every mesh of a head, including meshes that it does not move.
    pub fn moving_targets(&self, channel: usize) -> Vec<(usize, &Mesh)> {
        let targets = self.channels[channel].targets.iter();
        let all: Vec<_> =
            targets.filter_map(|&index| self.target(index).map(|(mesh, target)| (index, mesh, target))).collect();
        let any_moves = all.iter().any(|(.., target)| !target.is_empty());
        let moving = all.into_iter().filter(|(.., target)| !any_moves || !target.is_empty());
        moving.map(|(index, mesh, _)| (index, mesh)).collect()
    }

    pub fn pair_of(&self, channel: usize) -> Option<usize> {
        self.pairs.iter().position(|pair| pair.first == channel || pair.second == Some(channel))
    }

    /// The channel that does the same on the other side of the face; the channel itself if there is none.
    pub fn mirror_of(&self, channel: usize) -> usize {
        match self.pair_of(channel).map(|pair| &self.pairs[pair]) {
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

    /// The full name of the channel on the other side of the face; the same name for a channel in the middle.
    pub fn mirrored_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.channel_named(name).map_or(name, |channel| &self.channels[self.mirror_of(channel)].full_name)
    }

    /// Whether a channel's name contains a side, left or right.
    fn is_to_a_side(&self, channel: usize) -> bool {
        channel::lowercase_words(&self.channels[channel].name).iter().any(|word| channel::side_of(word).is_some())
    }

    /// The channel of that name: of that full name, else an exact match, else one that ignores case.
    pub fn channel_named(&self, name: &str) -> Option<usize> {
        self.channel_names.named(name)
    }

    /// The channels of this head that mean the same as `name`: of exactly that name; else ignoring case; else of the
    /// same [`canonical_name`]; else, where only one of both names has a side, the left and right channels of a name
    /// without a side, or the channel without a side. Empty if there is none.
    pub fn channel_alike(&self, name: &str) -> Vec<usize> {
        self.channel_names.alike(name)
    }

    /// The channels that [`Self::channel_alike`] leaves out because they go the other way: of `eyeClosed_max` and
    /// `eyeClosed_min`, the latter for `eyeBlink`.
    pub fn channel_opposite(&self, name: &str) -> Vec<usize> {
        self.channel_names.opposite(name)
    }

    /// The channels of the movements that are most like that of `name`, such as the vowel `aa` for `jawOpen`, where the
    /// head has no channel like it, with the weight of each. Empty if there are none.
    pub fn channel_nearest(&self, name: &str) -> Vec<(usize, f32)> {
        if self.channel_alike(name).is_empty() { self.channel_names.nearest(name) } else { Vec::new() }
    }

    /// The channels that show what `name` means, with the weight of each: those like it, at 1; where there are none,
    /// the nearest.
    pub fn channels_showing(&self, name: &str) -> Vec<(usize, f32)> {
        let alike = self.channel_alike(name);
        if alike.is_empty() {
            return self.channel_names.nearest(name);
        }
        alike.into_iter().map(|channel| (channel, 1.0)).collect()
    }

    /// The channels whose names are spelled most like `name`, the nearest first: at most three.
    pub fn channels_spelled_nearly(&self, name: &str) -> Vec<usize> {
        self.channel_names.spelled_nearly(name)
    }
}

fn default_weights(meshes: &[Mesh], expression_count: usize) -> Vec<f32> {
    let of_targets = meshes.iter().flat_map(|mesh| &mesh.targets).map(|target| target.default_weight);
    of_targets.chain(std::iter::repeat_n(0.0, expression_count)).collect()
}

/// The name at `index`, and its number among equal names.
///
/// Some files have several clips or variants of the same name: such an object is identified by its name and its number
/// among those of that name, counted from 0.
pub fn name_and_nth<'n>(names: impl Iterator<Item = &'n str> + Clone, index: usize) -> Option<(&'n str, usize)> {
    let name = names.clone().nth(index)?;
    Some((name, names.take(index).filter(|other| *other == name).count()))
}

/// The index of the `nth` of all equal names; the last one if there are fewer.
pub fn nth_by_name<'n>(names: impl Iterator<Item = &'n str>, name: &str, nth: usize) -> Option<usize> {
    names.enumerate().filter(|(_, other)| *other == name).map(|(index, _)| index).take(nth + 1).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_is_found_again() {
        let names = ["talk", "idle", "talk", "talk"];
        for index in 0..4 {
            let (name, nth) = name_and_nth(names.into_iter(), index).unwrap();
            assert_eq!(nth_by_name(names.into_iter(), name, nth), Some(index));
        }
        assert_eq!(name_and_nth(names.into_iter(), 4), None);
        assert_eq!(nth_by_name(["idle", "talk"].into_iter(), "talk", 2), Some(1), "fewer than there were");
        assert_eq!(nth_by_name(["idle"].into_iter(), "talk", 0), None);
    }
}
