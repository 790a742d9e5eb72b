//! Weight animations (glTF 2.0 §3.11) to [`Clip`]s. A broken sampler costs its track, not the file.

use gltf::json;
use gltf::json::animation::{Interpolation as JsonInterpolation, Property};
use gltf::json::validation::Checked;

use super::super::error::quoted;
use super::accessor::Accessors;
use super::document::{Document, lookup};
use super::mesh::Meshes;
use crate::head::Note;
use crate::motion::{Clip, Curve, Interpolation, Track};

/// All animations that move weights.
pub fn read_all(document: &Document, accessors: &Accessors<'_>, meshes: &Meshes, notes: &mut Vec<Note>) -> Vec<Clip> {
    let mut clips = Vec::new();
    for (index, animation) in document.animations.iter().enumerate() {
        let name = animation.name.clone().unwrap_or_else(|| format!("clip {index}"));
        let object = format!("animation {}", quoted(&name));
        let (mut tracks, mut weight_channels, mut node_channels) = (Vec::new(), 0, 0);
        for (number, channel) in animation.channels.iter().enumerate() {
            match channel.target.path {
                Checked::Valid(Property::MorphTargetWeights) => {
                    weight_channels += 1;
                    match read_track(document, accessors, meshes, animation, channel, notes) {
                        Ok(track) => tracks.push(track),
                        Err(why) => {
                            notes
                                .push(Note::warning(format!("{object}, channel {number}"), format!("{why}; left out")));
                        }
                    }
                }
                Checked::Valid(_) => node_channels += 1,
                Checked::Invalid => notes.push(Note::warning(
                    format!("{object}, channel {number}"),
                    "moves a property glTF does not have; left out",
                )),
            }
        }
        if weight_channels == 0 && node_channels > 0 {
            notes.push(Note::info(object, "moves nodes only; not played yet"));
            continue;
        }
        if node_channels > 0 {
            notes.push(Note::info(&*object, format!("{node_channels} channels move nodes; not played yet")));
        }
        if weight_channels == 0 {
            notes.push(Note::info(object, "moves nothing; left out"));
            continue;
        }
        if tracks.is_empty() {
            notes.push(Note::warning(object, "has nothing left to play; left out"));
            continue;
        }
        clips.push(Clip::new(name, tracks));
    }
    clips
}

/// One weights channel, or why it cannot be played.
fn read_track(
    document: &Document,
    accessors: &Accessors<'_>,
    meshes: &Meshes,
    animation: &json::Animation,
    channel: &json::animation::Channel,
    notes: &mut Vec<Note>,
) -> Result<Track, String> {
    let say = |fault: super::super::Fault| fault.to_string();
    let node = channel.target.node;
    lookup(&document.nodes, node, "target", "node").map_err(say)?;
    let Some((first_target, width)) = meshes.targets_of_node(node.value()) else {
        return Err(format!("moves the weights of node {}, which shows no mesh", node.value()));
    };
    if width == 0 {
        return Err(format!("moves the weights of node {}, whose mesh has no targets", node.value()));
    }
    let sampler = lookup(&animation.samplers, channel.sampler, "channel", "sampler").map_err(say)?;
    let object = format!("animation sampler {}", channel.sampler.value());
    let interpolation = match sampler.interpolation {
        Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
        Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
        Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => return Err(format!("{object} has an interpolation glTF does not have")),
    };
    let times = accessors.read::<1>(sampler.input, &object).map_err(say)?.into_flattened();
    let values = accessors.read::<1>(sampler.output, &object).map_err(say)?.into_flattened();
    if times.first().is_some_and(|&time| time < 0.0) {
        notes.push(Note::warning(&*object, format!("begins at {} s; a clip is played from 0", times[0])));
    }
    if times.windows(2).any(|pair| pair[0] == pair[1]) {
        notes.push(Note::info(&*object, "has two keys at the same time; the value jumps there"));
    }
    let curve = Curve::new(interpolation, times, values, width).map_err(|error| format!("{object}: {error}"))?;
    Ok(Track { first_target, curve })
}
