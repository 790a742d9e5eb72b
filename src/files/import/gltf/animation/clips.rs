//! Reads animations of weights and nodes (glTF 2.0 §3.11) as [`Clip`]s. The tracks of an invalid sampler are left
//! out; the rest of the file is read.

use std::collections::BTreeSet;

use gltf::json::Index;
use serde_json::Value;

use super::channels::{Animation, AnimationChannel, AnimationSampler, ChannelTarget};
use crate::import::Fault;
use crate::import::Import;
use crate::import::gltf::context::Context;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::read::lookup;
use smirk_base::names::quoted;
use smirk_face::head::{Clip, Curve, Kind, LocalTransform, NodePath, NodeTrack, Note, Subject, Track, listed};

/// All animations that move weights or nodes.
pub(crate) fn read_clips(context: &Context<'_>, meshes: &Meshes, import: &mut Import<'_>) -> Result<Vec<Clip>, Fault> {
    import.begin("reading animations", 0.95);
    let mut clips = Vec::new();
    for (index, value) in context.document.animations.iter().enumerate() {
        import.tick()?;
        clips.extend(read_clip(context, meshes, (index, value), import)?);
    }
    Ok(clips)
}

fn read_clip(
    context: &Context<'_>,
    meshes: &Meshes,
    (index, value): (usize, &Value),
    import: &mut Import<'_>,
) -> Result<Option<Clip>, Fault> {
    let animation = match Animation::of(value) {
        Ok(animation) => animation,
        Err(why) => {
            import.notes.push(Note::warning(Subject::Numbered(Kind::Animation, index), format!("{why}; left out")));
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
        tracks: vec![],
        node_tracks: vec![],
    };
    let (mut unsupported, mut missing_count, mut broken_count) = (BTreeSet::new(), 0, 0);
    for (number, channel) in animation.channels.iter().enumerate() {
        reader.import.tick()?;
        let why = match AnimationChannel::of(channel).map(|channel| (channel.target(), channel.sampler)) {
            Err(why) => Err(why),
            Ok((None, _)) => Err("moves a property glTF does not have".into()),
            Ok((Some(ChannelTarget::Unsupported(pointer)), _)) => {
                unsupported.insert(pointer);
                continue;
            }
            Ok((Some(ChannelTarget::Missing), _)) => {
                missing_count += 1;
                continue;
            }
            Ok((Some(target), sampler)) => reader.read(&target, sampler),
        };
        if let Err(why) = why {
            broken_count += 1;
            let subject = subject.part(Subject::Numbered(Kind::Channel, number));
            reader.import.notes.push(Note::warning(subject, format!("{why}; left out")));
        }
    }
    let ClipReader { import, tracks, node_tracks, .. } = reader;
    if missing_count > 0 {
        import.notes.push(Note::info(&subject, format!("{missing_count} channels name no node and were ignored")));
    }
    if !unsupported.is_empty() {
        import.notes.push(Note::warning(&subject, unsupported_message(&unsupported)));
    }
    if tracks.is_empty() && node_tracks.is_empty() {
        let is_incomplete = broken_count > 0 || !unsupported.is_empty();
        import.notes.push(if is_incomplete {
            Note::warning(&subject, "has nothing left to play; left out")
        } else {
            Note::info(&subject, "moves nothing; left out")
        });
        return Ok(None);
    }
    Ok(Some(Clip::new(name, tracks).with_node_tracks(node_tracks)))
}

/// Lists the JSON pointers that are not played.
fn unsupported_message(pointers: &BTreeSet<String>) -> String {
    let named: Vec<String> = pointers.iter().map(|pointer| quoted(pointer)).collect();
    format!("has channels of KHR_animation_pointer that are not played: {}", listed(&named, 8))
}

/// Reads the channels of one animation as tracks.
struct ClipReader<'r, 'a, 'i> {
    context: &'r Context<'a>,
    meshes: &'r Meshes,
    animation: &'r Animation<'r>,
    /// The animation, for notes.
    subject: &'r Subject,
    import: &'r mut Import<'i>,
    tracks: Vec<Track>,
    node_tracks: Vec<NodeTrack>,
}

impl ClipReader<'_, '_, '_> {
    /// Adds the tracks of a channel. The error is the reason why it cannot be played.
    fn read(&mut self, target: &ChannelTarget, sampler: usize) -> Result<(), String> {
        match *target {
            ChannelTarget::NodeWeights { node, element } => self.read_weights(&[node], element, sampler),
            ChannelTarget::MeshWeights { mesh, element } => {
                let document = self.context.document;
                lookup(&document.meshes, Index::new(mesh as u32), &Subject::field("target"), "mesh")
                    .map_err(|why| why.to_string())?;
                let nodes = self.meshes.nodes_with_weights_of_mesh(mesh);
                if nodes.is_empty() {
                    return Err(format!(
                        "moves the weights of mesh {mesh}, which no node shows without weights of its own"
                    ));
                }
                self.read_weights(nodes, element, sampler)
            }
            ChannelTarget::Transform { node, path } => self.read_transform(node, path, sampler),
            ChannelTarget::Unsupported(_) | ChannelTarget::Missing => Ok(()),
        }
    }

    /// Adds the tracks of a channel of weights, one for each of `nodes`, which all show the same mesh.
    fn read_weights(&mut self, nodes: &[usize], element: Option<usize>, sampler: usize) -> Result<(), String> {
        self.spend(nodes.len() * size_of::<Track>())?;
        let mut ranges = Vec::with_capacity(nodes.len());
        for &node in nodes {
            self.rig_index(node)?;
            let Some((first_target, count)) = self.meshes.targets_of_node(node) else {
                return Err(format!("moves the weights of node {node}, which shows no mesh"));
            };
            if count == 0 {
                return Err(format!("moves the weights of node {node}, whose mesh has no targets"));
            }
            ranges.push(match element {
                None => (first_target, count),
                Some(element) if element < count => (first_target + element, 1),
                Some(element) => return Err(format!("moves weight {element} of node {node}, which has {count}")),
            });
        }
        let width = ranges.first().map_or(0, |&(_, width)| width);
        let curve = self.read_curve::<1>(sampler, width)?;
        for (first_target, _) in ranges {
            self.spend(curve.bytes())?;
            self.tracks.push(Track { first_target, curve: curve.clone() });
        }
        Ok(())
    }

    fn read_transform(&mut self, node: usize, path: NodePath, sampler: usize) -> Result<(), String> {
        let rig_index = self.rig_index(node)?;
        if let LocalTransform::Matrix(_) = self.context.graph.rig_node(rig_index).rest {
            return Err(format!(
                "moves node {node}, which has a matrix; export it with translation, rotation and scale"
            ));
        }
        let curve = match path.width() {
            4 => self.read_curve::<4>(sampler, 4)?,
            _ => self.read_curve::<3>(sampler, 3)?,
        };
        self.spend(curve.bytes() + size_of::<NodeTrack>())?;
        self.node_tracks.push(NodeTrack { node: rig_index, path, curve });
        Ok(())
    }

    /// The index in the rig of a node of the file.
    fn rig_index(&self, node: usize) -> Result<usize, String> {
        let count = self.context.document.nodes.len();
        let rig_index = self.context.graph.rig_index(node);
        rig_index.ok_or_else(|| format!("target: refers to node {node}, the file has {count} of them"))
    }

    /// The keys of a sampler, `width` numbers each. The elements of its output have `N` numbers.
    fn read_curve<const N: usize>(&mut self, index: usize, width: usize) -> Result<Curve, String> {
        let sampler: AnimationSampler = self.animation.sampler(index)?;
        let subject = self.subject.part(Subject::Numbered(Kind::Sampler, index));
        let interpolation = sampler
            .interpolation()
            .ok_or_else(|| format!("sampler {index} has an interpolation glTF does not have"))?;
        let (accessors, owner) = (self.context.accessors, Subject::Numbered(Kind::Sampler, index));
        self.spend(0)?;
        let times = accessors.read::<1>(sampler.input, &owner).map_err(|why| why.to_string())?.into_flattened();
        let values = accessors.read::<N>(sampler.output, &owner).map_err(|why| why.to_string())?.into_flattened();
        if times.first().is_some_and(|&time| time < 0.0) {
            self.import
                .notes
                .push(Note::warning(&subject, format!("begins at {} s; a clip is played from 0", times[0])));
        }
        if times.windows(2).any(|pair| pair[0] == pair[1]) {
            self.import.notes.push(Note::info(&subject, "has two keys at the same time; the value jumps there"));
        }
        let bytes = (times.len() + values.len()) * size_of::<f32>();
        Curve::new(interpolation, times, values, width).or_else(|error| {
            // Any number of channels may use keys that are refused: reading them over and over must end.
            self.spend(bytes)?;
            Err(format!("sampler {index}: {error}"))
        })
    }

    /// Counts memory: any number of channels may share keys, and any number of nodes may show one mesh.
    fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.import.budget.spend(bytes as u64, &Subject::field("its keys")).map_err(|why| why.to_string())
    }
}
