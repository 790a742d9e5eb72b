//! What is different in a head that was read again.

mod by_name;
mod clips;
mod text;

use glam::Vec3;

use super::{Clip, Head, Mesh, Target};
use by_name::{by_name, differing, missing_in};
use clips::{animates_the_same, common_targets};

/// The differences of a head from an earlier state of it. Parts are compared by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadChanges {
    /// The targets that move vertices otherwise than before, in the order of the channel list.
    pub moved: Vec<MovedTarget>,
    /// The names of channels that the head did not have before.
    pub new: Vec<String>,
    /// The names of channels that it no longer has.
    pub gone: Vec<String>,
    /// The meshes whose number of vertices is another one: the name, and how many there are more.
    pub vertices: Vec<(String, i64)>,
    /// The meshes that are new.
    pub new_meshes: Vec<String>,
    /// The meshes that are gone.
    pub gone_meshes: Vec<String>,
    /// The meshes whose vertices are elsewhere at rest.
    pub moved_at_rest: Vec<String>,
    /// The meshes whose normals, texture coordinates, colours or triangles differ.
    pub surfaces: Vec<String>,
    /// The materials that are new, gone or changed.
    pub materials: Vec<String>,
    /// The textures that are new, gone or changed.
    pub textures: Vec<String>,
    /// The clips that are new, gone or changed.
    pub clips: Vec<String>,
    /// Whether skins, nodes, expressions, variants, cameras or lights differ.
    pub has_others: bool,
}

/// A target that moves vertices otherwise than before.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedTarget {
    /// The name of its channel.
    pub channel: String,
    /// The name of its mesh.
    pub mesh: String,
    /// The largest distance between where it moves a vertex now and before, as a part of the head's largest extent.
    pub distance: f32,
}

/// Smaller distances, as parts of the head's largest extent, are the rounding of exporters.
const TOLERANCE: f32 = 2e-5;

impl HeadChanges {
    /// The differences of `new` from `old`.
    pub fn between(old: &Head, new: &Head) -> Self {
        let mut changes = Self::default();
        let names = |head: &Head| head.channels.iter().map(|channel| channel.full_name.clone()).collect();
        let shown = |head: &Head, full_names: Vec<String>| -> Vec<String> {
            let channels = head.channels.iter().filter(|channel| full_names.contains(&channel.full_name));
            channels.map(|channel| channel.name.clone()).collect()
        };
        let (old_names, new_names): (Vec<String>, Vec<String>) = (names(old), names(new));
        changes.new = shown(new, missing_in(&old_names, &new_names));
        changes.gone = shown(old, missing_in(&new_names, &old_names));
        changes.compare_meshes(old, new);
        changes.materials = differing(&old.materials, &new.materials, |material| &material.name, PartialEq::eq);
        changes.textures = differing(&old.textures, &new.textures, |texture| &texture.name, PartialEq::eq);
        let targets = common_targets(old, new);
        let is_same = |old: &Clip, new: &Clip| animates_the_same(old, new, &targets);
        changes.clips = differing(&old.clips, &new.clips, |clip| &clip.name, is_same);
        changes.has_others = old.rig != new.rig
            || old.expressions != new.expressions
            || old.variants != new.variants
            || old.cameras != new.cameras
            || old.lights != new.lights;
        changes
    }

    fn compare_meshes(&mut self, old: &Head, new: &Head) {
        let extent = old.bounds.size().max_element().max(f32::MIN_POSITIVE);
        let before = by_name(&old.meshes, |mesh| &mesh.name);
        let mut after = by_name(&new.meshes, |mesh| &mesh.name);
        for (key, &mesh) in &before {
            let Some(other) = after.remove(key) else {
                self.gone_meshes.push(mesh.name.clone());
                continue;
            };
            // Deltas are in the space of the mesh, the extent is in that of the world.
            let scale = mesh.world_from_mesh.x_axis.truncate().length().max(f32::MIN_POSITIVE);
            self.compare_mesh(mesh, other, scale / extent);
        }
        self.new_meshes.extend(after.values().map(|mesh| mesh.name.clone()));
        let place = |moved: &MovedTarget| new.channels.iter().position(|channel| channel.full_name == moved.channel);
        self.moved.sort_by_cached_key(place);
        let shown = |moved: &mut MovedTarget| {
            if let Some(channel) = new.channels.iter().find(|channel| channel.full_name == moved.channel) {
                moved.channel.clone_from(&channel.name);
            }
        };
        self.moved.iter_mut().for_each(shown);
    }

    fn compare_mesh(&mut self, old: &Mesh, new: &Mesh, part_of_extent: f32) {
        let (count, old_count) = (new.vertices.len(), old.vertices.len());
        if count != old_count {
            self.vertices.push((new.name.clone(), count as i64 - old_count as i64));
            // Which vertex is which is not known.
            return;
        }
        let at_rest = old.vertices.positions.iter().zip(&new.vertices.positions);
        let moved = at_rest.map(|(old, new)| old.distance_squared(*new)).fold(0.0, f32::max).sqrt() * part_of_extent;
        if moved > TOLERANCE || old.world_from_mesh != new.world_from_mesh {
            self.moved_at_rest.push(new.name.clone());
        } else if has_other_surface(old, new) {
            self.surfaces.push(new.name.clone());
        }
        let before = by_name(&old.targets, |target| &target.name);
        for (key, target) in by_name(&new.targets, |target| &target.name) {
            let distance = before.get(&key).map_or(0.0, |old| distance_of_targets(old, target)) * part_of_extent;
            if distance > TOLERANCE {
                self.moved.push(MovedTarget { channel: target.name.clone(), mesh: new.name.clone(), distance });
            }
        }
    }
}

fn has_other_surface(old: &Mesh, new: &Mesh) -> bool {
    let (a, b) = (&old.vertices, &new.vertices);
    old.indices != new.indices
        || old.parts != new.parts
        || old.strands != new.strands
        || (a.uvs != b.uvs || a.second_uvs != b.second_uvs || a.colors != b.colors)
        || are_apart(&a.normals, &b.normals)
}

/// Whether normals differ by more than the rounding of exporters.
fn are_apart(old: &[Vec3], new: &[Vec3]) -> bool {
    old.len() != new.len() || old.iter().zip(new).any(|(old, new)| old.distance_squared(*new) > 1e-5)
}

/// The largest distance between where two targets of one mesh move a vertex, at the full weight of any of their shapes.
fn distance_of_targets(old: &Target, new: &Target) -> f32 {
    let weights = [old, new].into_iter().flat_map(|target| &target.in_betweens).map(|it| it.full_weight);
    weights
        .chain([1.0])
        .map(|weight| largest_distance(&deltas_at(old, weight), &deltas_at(new, weight)))
        .fold(0.0, f32::max)
}

/// The deltas of the vertices that a target moves at a weight.
fn deltas_at(target: &Target, weight: f32) -> Vec<(u32, Vec3)> {
    let mut deltas: Vec<(u32, Vec3)> = Vec::new();
    for (shape, weight) in target.shapes_at(weight) {
        deltas.extend(shape.rows.iter().copied().zip(shape.positions.iter().map(|delta| *delta * weight)));
    }
    deltas.sort_by_key(|(row, _)| *row);
    deltas.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            first.1 += next.1;
        }
        is_same
    });
    deltas
}

/// The largest distance between two lists of deltas, each in the order of its vertices.
fn largest_distance(old: &[(u32, Vec3)], new: &[(u32, Vec3)]) -> f32 {
    let (mut at, mut largest) = ([0, 0], 0.0_f32);
    loop {
        let (a, b) = (old.get(at[0]), new.get(at[1]));
        let apart = match (a, b) {
            (None, None) => return largest.sqrt(),
            (Some((row, delta)), Some((other, _))) if row < other => one(&mut at[0], *delta),
            (Some((row, _)), Some((other, delta))) if row > other => one(&mut at[1], *delta),
            (Some((_, delta)), Some((_, other))) => {
                at[1] += 1;
                one(&mut at[0], *delta - *other)
            }
            (Some((_, delta)), None) => one(&mut at[0], *delta),
            (None, Some((_, delta))) => one(&mut at[1], *delta),
        };
        largest = largest.max(apart);
    }
}

fn one(at: &mut usize, difference: Vec3) -> f32 {
    *at += 1;
    difference.length_squared()
}

#[cfg(test)]
mod tests;
