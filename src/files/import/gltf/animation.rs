//! Reads animations of weights and nodes (glTF 2.0 §3.11, `KHR_animation_pointer`) as [`Clip`]s. The tracks of an
//! invalid sampler are left out; the rest of the file is read. Channels and samplers are typed here because the `gltf`
//! crate refuses a file with a channel without a node, which the specification says to ignore.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use gltf::json::Index;
use gltf::json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf::json::validation::Checked;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Context;
use super::carried;
use super::mesh::Meshes;
use super::read::lookup;
use super::surface::emissive_strength;
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{
    Clip, Curve, FileAnimation, FileChannel, FileProperty, Interpolation, Kind, LocalTransform, MaterialProperty,
    MaterialTrack, NodePath, NodeTrack, Note, Response, Subject, Track, listed,
};

/// The clips of a file: its animations but for those of expressions.
pub(crate) fn read_clips(
    context: &Context<'_>,
    meshes: &Meshes,
    of_expressions: &HashSet<usize>,
    import: &mut Import<'_>,
) -> Result<Vec<Clip>, Fault> {
    import.begin("reading animations", 0.95);
    let mut clips = Vec::new();
    for index in (0..context.document.animations.len()).filter(|index| !of_expressions.contains(index)) {
        import.tick()?;
        clips.extend(read_animation(context, meshes, index, false, import)?.map(|response| response.clip));
    }
    Ok(clips)
}

/// Reads the animation of a clip, or of an expression, which may also animate materials; none if nothing of it is left.
pub(super) fn read_animation(
    context: &Context<'_>,
    meshes: &Meshes,
    index: usize,
    is_of_expression: bool,
    import: &mut Import<'_>,
) -> Result<Option<Response>, Fault> {
    let value = &context.document.animations[index];
    let animation = match Animation::from_json(value) {
        Ok(animation) => animation,
        Err(why) => {
            import.notes.warn(Subject::Numbered(Kind::Animation, index), format!("{why}; left out"));
            return Ok(None);
        }
    };
    let name = animation.name.map_or_else(|| format!("clip {index}"), str::to_owned);
    let subject = Subject::named(Kind::Animation, &name);
    let mut reader = ClipReader {
        context,
        meshes,
        animation: &animation,
        subject: &subject,
        import,
        is_of_expression,
        tracks: BTreeMap::new(),
        node_tracks: BTreeMap::new(),
        materials: Vec::new(),
        file_channels: Vec::new(),
        end_secs: 0.0,
        channel: 0,
        replaced: BTreeSet::new(),
    };
    let (mut unsupported, mut missing_count, mut broken_count) = (BTreeSet::new(), 0, 0);
    for (number, channel) in animation.channels.iter().enumerate() {
        reader.import.tick()?;
        reader.channel = number;
        let why = match AnimationChannel::from_json(channel) {
            Err(why) => Err(why),
            Ok(channel) => match channel.target() {
                None => Err("moves a property glTF does not have".into()),
                Some(ChannelTarget::Missing) => {
                    missing_count += 1;
                    continue;
                }
                Some(target) => match target.unsupported(is_of_expression) {
                    Some(pointer) => {
                        let pointer = pointer.into_owned();
                        let kept = is_of_expression.then(|| reader.keep_unshown(&pointer, channel.sampler));
                        unsupported.insert(pointer);
                        kept.unwrap_or(Ok(()))
                    }
                    None => reader.read(&target, channel.target.path == "pointer", channel.sampler),
                },
            },
        };
        if let Err(why) = why {
            broken_count += 1;
            let subject = subject.part(Subject::Numbered(Kind::Channel, number));
            reader.import.notes.warn(subject, format!("{why}; left out"));
        }
    }
    let ClipReader { import, tracks, node_tracks, materials, file_channels, end_secs, replaced, .. } = reader;
    if !replaced.is_empty() {
        let named: Vec<&String> = replaced.iter().collect();
        let message =
            format!("several channels move the same property, of which the last counts: {}", listed(&named, 8));
        import.notes.warn(&subject, message);
    }
    if missing_count > 0 {
        import.notes.inform(&subject, format!("{missing_count} channels name no node and were ignored"));
    }
    if !unsupported.is_empty() {
        import.notes.warn(&subject, unsupported_message(&unsupported));
    }
    if tracks.is_empty() && node_tracks.is_empty() && materials.is_empty() {
        let is_incomplete = broken_count > 0 || !unsupported.is_empty();
        import.notes.push(if is_incomplete {
            Note::warning(&subject, "has nothing left to play; left out")
        } else {
            Note::info(&subject, "moves nothing; left out")
        });
        return Ok(None);
    }
    // In the order of the channels.
    let mut tracks: Vec<_> =
        tracks.into_iter().map(|(first_target, (at, curve))| (at, Track { first_target, curve })).collect();
    tracks.sort_by_key(|(at, _)| *at);
    let mut node_tracks: Vec<_> =
        node_tracks.into_iter().map(|((node, path), (at, curve))| (at, NodeTrack { node, path, curve })).collect();
    node_tracks.sort_by_key(|(at, _)| *at);
    let tracks = tracks.into_iter().map(|(_, track)| track).collect();
    let node_tracks = node_tracks.into_iter().map(|(_, track)| track).collect();
    // A channel that is left out, and one of a mesh on several nodes, cannot be written again as it was.
    let is_whole = file_channels.len() == animation.channels.len();
    let of_file = FileAnimation { number: index, name: name.clone(), channels: file_channels };
    let mut clip = Clip::new(name, tracks).with_node_tracks(node_tracks);
    clip.carried = carried::of_animation(value);
    if is_of_expression {
        clip.duration_secs = end_secs;
    }
    Ok(Some(Response { clip, materials, of_file: Some(of_file).filter(|_| is_whole) }))
}

/// Lists the JSON pointers that are not played.
fn unsupported_message(pointers: &BTreeSet<String>) -> String {
    let named: Vec<String> = pointers.iter().map(|pointer| quoted(pointer)).collect();
    format!("has channels of KHR_animation_pointer that are not played: {}", listed(&named, 8))
}

struct ClipReader<'r, 'a, 'i> {
    context: &'r Context<'a>,
    meshes: &'r Meshes,
    animation: &'r Animation<'r>,
    subject: &'r Subject,
    import: &'r mut Import<'i>,
    is_of_expression: bool,
    /// By their first target, with the number of their channel.
    tracks: BTreeMap<usize, (usize, Curve)>,
    node_tracks: BTreeMap<(usize, NodePath), (usize, Curve)>,
    materials: Vec<MaterialTrack>,
    /// The channels of an expression as the file has them.
    file_channels: Vec<FileChannel>,
    /// The last key of any channel.
    end_secs: f32,
    channel: usize,
    /// The properties that an earlier channel moves too.
    replaced: BTreeSet<String>,
}

impl ClipReader<'_, '_, '_> {
    /// Adds the tracks of a channel. The error is the reason why it cannot be played.
    fn read(&mut self, target: &ChannelTarget, is_pointer: bool, sampler: usize) -> Result<(), Problem> {
        let (property, curve) = match *target {
            ChannelTarget::NodeWeights { node, element } => self.read_weights(&[node], element, sampler)?,
            ChannelTarget::MeshWeights { mesh, element } => {
                let document = self.context.document;
                lookup(&document.meshes, Index::new(mesh as u32), &Subject::field("target"), "mesh")?;
                let nodes = self.meshes.nodes_with_weights_of_mesh(mesh);
                if nodes.is_empty() {
                    return Err(format!(
                        "moves the weights of mesh {mesh}, which no node shows without weights of its own"
                    )
                    .into());
                }
                if self.is_of_expression && nodes.len() > 1 {
                    return Err(format!("moves the weights of mesh {mesh}, which several nodes show").into());
                }
                self.read_weights(nodes, element, sampler)?
            }
            ChannelTarget::Transform { node, path } => self.read_transform(node, path, sampler)?,
            ChannelTarget::Material { material, property } => self.read_material(material, property, sampler)?,
            ChannelTarget::Unsupported(_) | ChannelTarget::Missing => unreachable!("the caller has left them out"),
        };
        if self.is_of_expression {
            self.spend(size_of::<FileChannel>())?;
            self.end_secs = self.end_secs.max(curve.end_secs());
            self.file_channels.push(FileChannel { property, is_pointer, curve });
        }
        Ok(())
    }

    /// Keeps a channel of an expression that is not shown, for saving, if what it names keeps its number; else only its
    /// last key is read, which counts for the length.
    fn keep_unshown(&mut self, pointer: &str, sampler: usize) -> Result<(), Problem> {
        let read: AnimationSampler = self.animation.sampler(sampler)?;
        let output = self.context.document.accessors.get(read.output.value());
        let floats = output
            .filter(|output| matches!(output.component_type, Checked::Valid(GenericComponentType(ComponentType::F32))));
        let width = floats.and_then(|output| match output.type_ {
            Checked::Valid(Type::Scalar) => Some(1),
            Checked::Valid(Type::Vec2) => Some(2),
            Checked::Valid(Type::Vec3) => Some(3),
            Checked::Valid(Type::Vec4) => Some(4),
            _ => None,
        });
        let is_kept = ["/nodes/", "/materials/"].iter().any(|list| pointer.starts_with(list));
        let Some(width) = width.filter(|_| is_kept) else {
            let times = self.context.accessors.read::<1>(read.input, &Subject::field("input"))?.into_flattened();
            let end_secs = times.last().copied().filter(|secs| secs.is_finite());
            self.end_secs = self.end_secs.max(end_secs.ok_or("has no keys at finite times")?);
            return Ok(());
        };
        let curve = self.read_curve_of_width(sampler, width)?;
        self.spend(curve.bytes() + pointer.len() + size_of::<FileChannel>())?;
        self.end_secs = self.end_secs.max(curve.end_secs());
        let property = FileProperty::Pointer(pointer.to_owned());
        self.file_channels.push(FileChannel { property, is_pointer: true, curve });
        Ok(())
    }

    fn read_curve_of_width(&mut self, sampler: usize, width: usize) -> Result<Curve, Problem> {
        match width {
            4 => self.read_curve::<4>(sampler, 4),
            3 => self.read_curve::<3>(sampler, 3),
            2 => self.read_curve::<2>(sampler, 2),
            _ => self.read_curve::<1>(sampler, 1),
        }
    }

    fn read_material(
        &mut self,
        material: usize,
        property: MaterialProperty,
        sampler: usize,
    ) -> Result<(FileProperty, Curve), Problem> {
        let materials = &self.context.document.materials;
        let of_file = materials
            .get(material)
            .ok_or_else(|| format!("refers to material {material}, the file has {} of them", materials.len()))?;
        let curve = self.read_curve_of_width(sampler, property.width())?;
        self.spend(2 * curve.bytes() + size_of::<MaterialTrack>())?;
        let mut shown = curve.clone();
        if property == MaterialProperty::Emissive {
            shown.scale(emissive_strength(of_file));
        }
        let has_same = |track: &MaterialTrack| (track.material, track.property) == (material, property);
        if let Some(before) = self.materials.iter().position(has_same) {
            self.materials.remove(before);
            self.replaced.insert(property.pointer(material));
        }
        self.materials.push(MaterialTrack { material, property, curve: shown });
        Ok((FileProperty::Pointer(property.pointer(material)), curve))
    }

    /// Adds the tracks of a channel of weights, one for each of `nodes`, which all show the same mesh.
    fn read_weights(
        &mut self,
        nodes: &[usize],
        element: Option<usize>,
        sampler: usize,
    ) -> Result<(FileProperty, Curve), Problem> {
        self.spend(nodes.len() * size_of::<Track>())?;
        let mut ranges = Vec::with_capacity(nodes.len());
        for &node in nodes {
            self.rig_index(node)?;
            let Some((first_target, count)) = self.meshes.targets_of_node(node) else {
                return Err(format!("moves the weights of node {node}, which shows no mesh").into());
            };
            if count == 0 {
                return Err(format!("moves the weights of node {node}, whose mesh has no targets").into());
            }
            ranges.push(match element {
                None => (first_target, count),
                Some(element) if element < count => (first_target + element, 1),
                Some(element) => return Err(format!("moves weight {element} of node {node}, which has {count}").into()),
            });
        }
        let &(first_target, width) = ranges.first().ok_or("moves the weights of no node")?;
        let property = FileProperty::Weights { first_target, is_single: element.is_some() };
        let curve = self.read_curve::<1>(sampler, width)?;
        for (&node, (first_target, _)) in nodes.iter().zip(ranges) {
            self.spend(curve.bytes())?;
            self.leave_out(first_target..first_target + width, node)?;
            self.tracks.insert(first_target, (self.channel, curve.clone()));
        }
        Ok((property, curve))
    }

    /// Leaves targets out of the tracks of earlier channels: a target has one track.
    fn leave_out(&mut self, targets: Range<usize>, node: usize) -> Result<(), Problem> {
        let reaches =
            |(&start, (_, curve)): (&usize, &(usize, Curve))| (start + curve.width() > targets.start).then_some(start);
        let first = self.tracks.range(..targets.start).next_back().and_then(reaches).unwrap_or(targets.start);
        let overlapping: Vec<usize> = self.tracks.range(first..targets.end).map(|(&start, _)| start).collect();
        if !overlapping.is_empty() {
            self.replaced.insert(format!("weights of node {node}"));
        }
        for start in overlapping {
            let Some((channel, curve)) = self.tracks.remove(&start) else { continue };
            let end = start + curve.width();
            for kept in
                [start..targets.start.max(start), targets.end.min(end)..end].into_iter().filter(|it| !it.is_empty())
            {
                let rest = curve.with_elements(&(kept.start - start..kept.end - start).collect::<Vec<usize>>());
                self.spend(rest.bytes())?;
                self.tracks.insert(kept.start, (channel, rest));
            }
        }
        Ok(())
    }

    fn read_transform(
        &mut self,
        node: usize,
        path: NodePath,
        sampler: usize,
    ) -> Result<(FileProperty, Curve), Problem> {
        let rig_index = self.rig_index(node)?;
        if let LocalTransform::Matrix(_) = self.context.graph.rig_node(rig_index).rest {
            return Err(format!(
                "moves node {node}, which has a matrix; export it with translation, rotation and scale"
            )
            .into());
        }
        let curve = self.read_curve_of_width(sampler, path.width())?;
        self.spend(curve.bytes() + size_of::<NodeTrack>())?;
        if self.node_tracks.insert((rig_index, path), (self.channel, curve.clone())).is_some() {
            self.replaced.insert(format!("{} of node {node}", path.name()));
        }
        Ok((FileProperty::Node { node: rig_index, path }, curve))
    }

    fn rig_index(&self, node: usize) -> Result<usize, Problem> {
        let count = self.context.document.nodes.len();
        let rig_index = self.context.graph.rig_index(node);
        rig_index.ok_or_else(|| format!("target: refers to node {node}, the file has {count} of them").into())
    }

    /// The keys of a sampler, `width` numbers each. The elements of its output have `N` numbers.
    fn read_curve<const N: usize>(&mut self, index: usize, width: usize) -> Result<Curve, Problem> {
        let sampler: AnimationSampler = self.animation.sampler(index)?;
        let subject = self.subject.part(Subject::Numbered(Kind::Sampler, index));
        let interpolation = sampler
            .interpolation()
            .ok_or_else(|| format!("sampler {index} has an interpolation glTF does not have"))?;
        let (accessors, owner) = (self.context.accessors, Subject::Numbered(Kind::Sampler, index));
        self.spend(0)?;
        let times = accessors.read::<1>(sampler.input, &owner)?.into_flattened();
        let values = accessors.read::<N>(sampler.output, &owner)?.into_flattened();
        if times.first().is_some_and(|&time| time < 0.0) {
            self.import.notes.warn(&subject, format!("begins at {} s; a clip is played from 0", times[0]));
        }
        if times.windows(2).any(|pair| pair[0] == pair[1]) {
            self.import.notes.inform(&subject, "has two keys at the same time; the value jumps there");
        }
        if self.is_of_expression && times.len() == 1 {
            self.import.notes.warn(&subject, "has one key, where the draft asks for two: it moves nothing");
        }
        let bytes = (times.len() + values.len()) * size_of::<f32>();
        Curve::new(interpolation, times, values, width).or_else(|error| {
            // Any number of channels may use keys that are refused: reading them over and over must end.
            self.spend(bytes)?;
            Err(format!("sampler {index}: {error}").into())
        })
    }

    /// Counts memory: any number of channels may share keys, and any number of nodes may show one mesh.
    fn spend(&mut self, bytes: usize) -> Result<(), Problem> {
        self.import.budget.spend(bytes as u64, &Subject::field("its keys")).map_err(Problem::from)
    }
}

/// An animation. Its channels and samplers are typed one by one, so that only those with an error are left out.
struct Animation<'a> {
    pub name: Option<&'a str>,
    pub channels: &'a [Value],
    samplers: &'a [Value],
}

#[derive(Deserialize)]
struct AnimationSampler {
    pub input: Index<Accessor>,
    pub output: Index<Accessor>,
    interpolation: Option<String>,
}

#[derive(Deserialize)]
struct AnimationChannel {
    pub sampler: usize,
    target: JsonTarget,
}

#[derive(Deserialize)]
struct JsonTarget {
    node: Option<usize>,
    path: String,
    #[serde(default)]
    extensions: Value,
}

/// The property that a channel animates. Indices are those of the file; they are not checked.
#[derive(Clone, Debug, PartialEq)]
enum ChannelTarget {
    NodeWeights {
        node: usize,
        element: Option<usize>,
    },
    MeshWeights {
        mesh: usize,
        element: Option<usize>,
    },
    Transform {
        node: usize,
        path: NodePath,
    },
    /// Only expressions animate materials.
    Material {
        material: usize,
        property: MaterialProperty,
    },
    /// A JSON pointer to something that Smirk does not animate.
    Unsupported(String),
    /// A channel with neither node nor pointer, which glTF says to ignore.
    Missing,
}

impl ChannelTarget {
    /// The pointer of what is not played.
    fn unsupported(&self, is_of_expression: bool) -> Option<Cow<'_, str>> {
        match self {
            Self::Unsupported(pointer) => Some(pointer.into()),
            Self::Material { material, property } if !is_of_expression => Some(property.pointer(*material).into()),
            _ => None,
        }
    }
}

impl<'a> Animation<'a> {
    /// Reads an animation without its channels and samplers. The error is the reason why that fails.
    fn from_json(value: &'a Value) -> Result<Self, Problem> {
        let fields = value.as_object().ok_or("is not an object")?;
        let [channels, samplers] = ["channels", "samplers"].map(|key| match fields.get(key) {
            None => Ok(&[][..]),
            Some(value) => value.as_array().map(Vec::as_slice).ok_or_else(|| format!("its {key} are not a list")),
        });
        let name = match fields.get("name") {
            None | Some(Value::Null) => None,
            Some(name) => Some(name.as_str().ok_or("its name is not text")?),
        };
        Ok(Self { name, channels: channels?, samplers: samplers? })
    }

    fn sampler(&self, index: usize) -> Result<AnimationSampler, Problem> {
        let found = self.samplers.get(index);
        let value =
            found.ok_or_else(|| format!("refers to sampler {index}, it has {} of them", self.samplers.len()))?;
        typed(value).map_err(|error| format!("sampler {index}: {error}").into())
    }
}

impl AnimationSampler {
    /// How values between keys are interpolated; none for a method that glTF does not have.
    fn interpolation(&self) -> Option<Interpolation> {
        match self.interpolation.as_deref() {
            None | Some("LINEAR") => Some(Interpolation::Linear),
            Some("STEP") => Some(Interpolation::Step),
            Some("CUBICSPLINE") => Some(Interpolation::CubicSpline),
            Some(_) => None,
        }
    }
}

impl AnimationChannel {
    /// Types a channel. The error is the reason why that fails.
    fn from_json(value: &Value) -> Result<Self, Problem> {
        typed(value)
    }

    /// The animated property; none for a property that glTF does not have.
    fn target(&self) -> Option<ChannelTarget> {
        let JsonTarget { node, path, extensions } = &self.target;
        if path == "pointer" {
            let pointer = extensions.pointer("/KHR_animation_pointer/pointer").and_then(Value::as_str);
            return Some(pointer.map_or(ChannelTarget::Missing, target_of_pointer));
        }
        let Some(node) = *node else { return Some(ChannelTarget::Missing) };
        if path == "weights" {
            return Some(ChannelTarget::NodeWeights { node, element: None });
        }
        node_path(path).map(|path| ChannelTarget::Transform { node, path })
    }
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Problem> {
    T::deserialize(value).map_err(|error| error.to_string().into())
}

fn node_path(name: &str) -> Option<NodePath> {
    match name {
        "translation" => Some(NodePath::Translation),
        "rotation" => Some(NodePath::Rotation),
        "scale" => Some(NodePath::Scale),
        _ => None,
    }
}

fn target_of_pointer(pointer: &str) -> ChannelTarget {
    let steps: Vec<&str> = pointer.split('/').collect();
    let target = match steps.as_slice() {
        ["", "nodes", node, "weights"] => number(node).map(|node| ChannelTarget::NodeWeights { node, element: None }),
        ["", "nodes", node, "weights", element] => {
            number(node).zip(number(element)).map(|(node, at)| ChannelTarget::NodeWeights { node, element: Some(at) })
        }
        ["", "meshes", mesh, "weights"] => number(mesh).map(|mesh| ChannelTarget::MeshWeights { mesh, element: None }),
        ["", "meshes", mesh, "weights", element] => {
            number(mesh).zip(number(element)).map(|(mesh, at)| ChannelTarget::MeshWeights { mesh, element: Some(at) })
        }
        ["", "nodes", node, path] => {
            number(node).zip(node_path(path)).map(|(node, path)| ChannelTarget::Transform { node, path })
        }
        ["", "materials", ..] => MaterialProperty::of_pointer(pointer)
            .map(|(material, property)| ChannelTarget::Material { material, property }),
        _ => None,
    };
    target.unwrap_or_else(|| ChannelTarget::Unsupported(pointer.to_owned()))
}

fn number(step: &str) -> Option<usize> {
    step.parse::<usize>().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn target_of(target: Value) -> Option<ChannelTarget> {
        AnimationChannel::from_json(&json!({"sampler": 0, "target": target})).unwrap().target()
    }

    fn pointer(pointer: &str) -> ChannelTarget {
        target_of(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})).unwrap()
    }

    #[test]
    fn pointers_name_the_same_properties_as_plain_channels_and_single_weights() {
        assert_eq!(target_of(json!({"node": 3, "path": "weights"})), Some(pointer("/nodes/3/weights")));
        assert_eq!(target_of(json!({"node": 3, "path": "scale"})), Some(pointer("/nodes/3/scale")));
        assert_eq!(pointer("/nodes/3/weights/1"), ChannelTarget::NodeWeights { node: 3, element: Some(1) });
        assert_eq!(pointer("/meshes/2/weights"), ChannelTarget::MeshWeights { mesh: 2, element: None });
        assert_eq!(pointer("/meshes/2/weights/0"), ChannelTarget::MeshWeights { mesh: 2, element: Some(0) });
        for unsupported in
            ["/nodes/3/matrix", "/nodes/x/scale", "/nodes/-1/scale", "nodes/3/scale", "", "/materials/0/x"]
        {
            assert_eq!(pointer(unsupported), ChannelTarget::Unsupported(unsupported.into()));
        }
        assert_eq!(target_of(json!({"path": "rotation"})), Some(ChannelTarget::Missing));
        assert_eq!(
            target_of(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": 7}})),
            Some(ChannelTarget::Missing)
        );
        assert_eq!(target_of(json!({"node": 3, "path": "colour"})), None);
        assert!(AnimationChannel::from_json(&json!({"sampler": 0, "target": {"node": -1, "path": "scale"}})).is_err());
    }
}
