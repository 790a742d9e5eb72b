//! Animations of weights and nodes (glTF 2.0 §3.11) to [`Clip`]s. A broken sampler costs its track, not the file.

use std::collections::BTreeSet;

use gltf::json::Index;
use serde_json::Value;

use super::channels::{Aim, Animation, Channel, Sampler};
use crate::head::{Clip, Curve, LocalTransform, NodePath, NodeTrack, Note, Track, listed};
use crate::import::budget::Budget;
use crate::import::error::quoted;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::nodes::Graph;
use crate::import::gltf::read::Accessors;
use crate::import::gltf::read::{Document, lookup};

/// What animations are looked up in.
pub struct Sources<'a> {
    pub document: &'a Document,
    pub accessors: &'a Accessors<'a>,
    pub meshes: &'a Meshes,
    pub graph: &'a Graph,
}

/// All animations that move something.
pub fn read_all(sources: &Sources<'_>, budget: &mut Budget, notes: &mut Vec<Note>) -> Vec<Clip> {
    let animations = sources.document.animations.iter().enumerate();
    animations.filter_map(|(index, value)| read_clip(sources, index, value, budget, notes)).collect()
}

fn read_clip(
    sources: &Sources<'_>,
    index: usize,
    value: &Value,
    budget: &mut Budget,
    notes: &mut Vec<Note>,
) -> Option<Clip> {
    let animation = match Animation::of(value) {
        Ok(animation) => animation,
        Err(why) => {
            notes.push(Note::warning(format!("animation {index}"), format!("{why}; left out")));
            return None;
        }
    };
    let name = animation.name.clone().unwrap_or_else(|| format!("clip {index}"));
    let object = format!("animation {}", quoted(&name));
    let mut reading =
        Reading { sources, animation: &animation, object: &object, budget, notes, tracks: vec![], node_tracks: vec![] };
    let (mut foreign, mut nowhere, mut lost) = (BTreeSet::new(), 0, 0);
    for (number, channel) in animation.channels.iter().enumerate() {
        let why = match Channel::of(channel).map(|channel| (channel.aim(), channel.sampler)) {
            Err(why) => Err(why),
            Ok((None, _)) => Err("moves a property glTF does not have".into()),
            Ok((Some(Aim::Foreign(pointer)), _)) => {
                foreign.insert(pointer);
                continue;
            }
            Ok((Some(Aim::Nowhere), _)) => {
                nowhere += 1;
                continue;
            }
            Ok((Some(aim), sampler)) => reading.read(&aim, sampler),
        };
        if let Err(why) = why {
            lost += 1;
            let object = format!("{object}, channel {number}");
            reading.notes.push(Note::warning(object, format!("{why}; left out")));
        }
    }
    let Reading { notes, tracks, node_tracks, .. } = reading;
    if nowhere > 0 {
        notes.push(Note::info(&*object, format!("{nowhere} channels name no node and were ignored")));
    }
    if !foreign.is_empty() {
        notes.push(Note::warning(&*object, foreign_note(&foreign)));
    }
    if tracks.is_empty() && node_tracks.is_empty() {
        let has_lost = lost > 0 || !foreign.is_empty();
        notes.push(if has_lost {
            Note::warning(&*object, "has nothing left to play; left out")
        } else {
            Note::info(&*object, "moves nothing; left out")
        });
        return None;
    }
    Some(Clip::new(name, tracks).with_node_tracks(node_tracks))
}

/// Names what is pointed to and not played.
fn foreign_note(pointers: &BTreeSet<String>) -> String {
    let named: Vec<String> = pointers.iter().map(|pointer| quoted(pointer)).collect();
    format!("moves by KHR_animation_pointer what is not played: {}", listed(&named, 8))
}

/// The channels of one animation, on their way to tracks.
struct Reading<'r, 'a> {
    sources: &'r Sources<'a>,
    animation: &'r Animation,
    /// What it is, for notes.
    object: &'r str,
    budget: &'r mut Budget,
    notes: &'r mut Vec<Note>,
    tracks: Vec<Track>,
    node_tracks: Vec<NodeTrack>,
}

impl Reading<'_, '_> {
    /// Makes tracks of a channel, or says why it cannot be played.
    fn read(&mut self, aim: &Aim, sampler: usize) -> Result<(), String> {
        match *aim {
            Aim::NodeWeights { node, element } => self.read_weights(&[node], element, sampler),
            Aim::MeshWeights { mesh, element } => {
                let document = self.sources.document;
                lookup(&document.meshes, Index::new(mesh as u32), "target", "mesh").map_err(|why| why.to_string())?;
                let nodes = self.sources.meshes.nodes_with_weights_of_mesh(mesh);
                if nodes.is_empty() {
                    return Err(format!("moves the weights of mesh {mesh}, which no node shows with them"));
                }
                self.read_weights(nodes, element, sampler)
            }
            Aim::Place { node, path } => self.read_place(node, path, sampler),
            Aim::Foreign(_) | Aim::Nowhere => Ok(()),
        }
    }

    /// Weights of the meshes that nodes of the file show; they are the same mesh.
    fn read_weights(&mut self, nodes: &[usize], element: Option<usize>, sampler: usize) -> Result<(), String> {
        self.spend(nodes.len() * size_of::<Track>())?;
        let mut aims = Vec::with_capacity(nodes.len());
        for &node in nodes {
            self.place_of(node)?;
            let Some((first_target, count)) = self.sources.meshes.targets_of_node(node) else {
                return Err(format!("moves the weights of node {node}, which shows no mesh"));
            };
            if count == 0 {
                return Err(format!("moves the weights of node {node}, whose mesh has no targets"));
            }
            aims.push(match element {
                None => (first_target, count),
                Some(element) if element < count => (first_target + element, 1),
                Some(element) => return Err(format!("moves weight {element} of node {node}, which has {count}")),
            });
        }
        let width = aims.first().map_or(0, |&(_, width)| width);
        let curve = self.read_curve::<1>(sampler, width)?;
        for (first_target, _) in aims {
            self.spend(curve.bytes())?;
            self.tracks.push(Track { first_target, curve: curve.clone() });
        }
        Ok(())
    }

    fn read_place(&mut self, node: usize, path: NodePath, sampler: usize) -> Result<(), String> {
        let place = self.place_of(node)?;
        if let LocalTransform::Matrix(_) = self.sources.graph.node(place).rest {
            return Err(format!("moves node {node}, which stands by a matrix; export it with its parts"));
        }
        let curve = match path.width() {
            4 => self.read_curve::<4>(sampler, 4)?,
            _ => self.read_curve::<3>(sampler, 3)?,
        };
        self.spend(curve.bytes() + size_of::<NodeTrack>())?;
        self.node_tracks.push(NodeTrack { node: place, path, curve });
        Ok(())
    }

    /// A node's place in the rig.
    fn place_of(&self, node: usize) -> Result<usize, String> {
        let count = self.sources.document.nodes.len();
        let place = self.sources.graph.place(node);
        place.ok_or_else(|| format!("target: refers to node {node}, the file has {count} of them"))
    }

    /// The keys of a sampler whose elements have `N` numbers, `width` numbers a key.
    fn read_curve<const N: usize>(&mut self, index: usize, width: usize) -> Result<Curve, String> {
        let sampler: Sampler = self.animation.sampler(index)?;
        let object = format!("{}, sampler {index}", self.object);
        let interpolation = sampler
            .interpolation()
            .ok_or_else(|| format!("sampler {index} has an interpolation glTF does not have"))?;
        let (accessors, owner) = (self.sources.accessors, format!("sampler {index}"));
        let times = accessors.read::<1>(sampler.input, &owner).map_err(|why| why.to_string())?.into_flattened();
        let values = accessors.read::<N>(sampler.output, &owner).map_err(|why| why.to_string())?.into_flattened();
        if times.first().is_some_and(|&time| time < 0.0) {
            self.notes.push(Note::warning(&*object, format!("begins at {} s; a clip is played from 0", times[0])));
        }
        if times.windows(2).any(|pair| pair[0] == pair[1]) {
            self.notes.push(Note::info(&*object, "has two keys at the same time; the value jumps there"));
        }
        Curve::new(interpolation, times, values, width).map_err(|error| format!("sampler {index}: {error}"))
    }

    /// Any number of channels may name the same keys, and any number of nodes show one mesh.
    fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.budget.spend(bytes as u64, "its keys").map_err(|why| why.to_string())
    }
}
