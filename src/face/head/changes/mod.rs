//! What is different in a head that was read again, or in another version of it.

mod matched;
mod rig;
#[cfg(test)]
mod tests;
mod text;
mod version;

pub use matched::{MatchedMesh, MatchedVertices, paired_meshes};
pub use version::{MovedChannel, Version};

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::Vec3;
use serde::Serialize;

use super::painted::TargetValues;
use super::{Channel, Head, Material, Mesh};
use matched::{Compared, Deltas, DeltasOfMesh, for_each_vertex};
use rig::{SAME_WEIGHT, animates_the_same, have_other_nodes, have_other_skins, have_other_weights};

/// The differences of a head from an earlier state of it. Parts are compared by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HeadChanges {
    /// The targets that move vertices otherwise than before, in the order of the channel list.
    pub moved: Vec<MovedTarget>,
    /// The channels that have another name now, the most alike first.
    pub renamed: Vec<RenamedChannel>,
    /// The channels whose targets have another weight at rest.
    pub rest_weights: Vec<String>,
    /// The channels whose targets move vertices as before, and turn their normals otherwise.
    pub normals: Vec<String>,
    /// The channels whose targets change texture coordinates or colours otherwise than before.
    pub uvs_and_colors: Vec<String>,
    /// The names of channels that the head did not have before.
    pub new: Vec<String>,
    /// The names of channels that it no longer has.
    pub gone: Vec<String>,
    /// The meshes whose number of vertices is another one: the name, and how many there are more.
    pub vertices: Vec<(String, i64)>,
    /// The meshes that have another name now: the old and the new one.
    pub renamed_meshes: Vec<[String; 2]>,
    pub new_meshes: Vec<String>,
    pub gone_meshes: Vec<String>,
    /// The meshes whose vertices are elsewhere at rest.
    pub moved_at_rest: Vec<String>,
    /// The meshes whose normals, texture coordinates, colours or triangles differ.
    pub surfaces: Vec<String>,
    /// The meshes whose vertices follow other joints, or follow them more or less.
    pub skin_weights: Vec<String>,
    /// The meshes with targets that were not compared, because it is not known which vertices are the same.
    pub not_compared: Vec<String>,
    /// The materials that are new, gone or changed.
    pub materials: Vec<String>,
    /// What has changed of the toon shading of materials of the same name: "Face: shading toony 0.9 is now 0.5".
    pub toon: Vec<String>,
    /// The textures that are new, gone or changed.
    pub textures: Vec<String>,
    /// The clips that are new, gone or changed.
    pub clips: Vec<String>,
    /// Whether any of `others` differs.
    pub has_others: bool,
    /// What else differs: skins, nodes, expressions, correctives, variants, cameras or lights.
    pub others: Vec<&'static str>,
    /// How many times as long lengths are in the new file, because it is in another unit.
    pub unit: Option<f32>,
}

/// A target that moves vertices otherwise than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovedTarget {
    pub channel: String,
    pub mesh: String,
    /// The largest distance between where it moves a vertex now and before, in millimetres of a human head.
    pub largest_mm: f32,
    /// The root of the mean squared distance, over the vertices that it moves now or moved before.
    pub rms_mm: f32,
    /// The index of its mesh among the matched ones.
    #[serde(skip)]
    matched: usize,
    /// The indices of the target in the old and in the new mesh.
    #[serde(skip)]
    targets: [usize; 2],
}

impl MovedTarget {
    /// How far at weight 1 each vertex of the new head is from where it was moved before, in millimetres. `meshes` are
    /// those that the heads were compared with.
    pub fn distances_mm(&self, old: &Head, new: &Head, meshes: &[MatchedMesh]) -> Option<TargetValues> {
        let matched = meshes.get(self.matched)?;
        let unit = change_of_unit(old, new).unwrap_or(1.0).recip();
        let deltas = DeltasOfMesh::new(old, new, matched, unit)?;
        let [before, now] = self.targets;
        let before = deltas.old(old.meshes.get(matched.old)?.targets.get(before)?, 1.0);
        let after = deltas.new_of(new.meshes.get(matched.new)?.targets.get(now)?, 1.0);
        let (mm, mut values) = (old.mm_per_unit(), Vec::new());
        for_each_vertex(&before, &after, |vertex, a, b| values.push((vertex, a.distance(b) * mm)));
        Some(TargetValues { mesh: matched.new, target: now, values })
    }
}

/// Smaller distances, as parts of the head's largest extent, are the rounding of exporters.
const TOLERANCE: f32 = 2e-5;

impl HeadChanges {
    /// The differences of `new` from `old`, whose meshes have the same vertices if they have equally many.
    pub fn between(old: &Head, new: &Head) -> Self {
        Self::between_matched(old, new, &MatchedMesh::in_order(old, new))
    }

    /// The differences of `new` from `old`, with the meshes that both have.
    pub fn between_matched(old: &Head, new: &Head, meshes: &[MatchedMesh]) -> Self {
        let mut changes = Self { unit: change_of_unit(old, new), ..Self::default() };
        let unit = changes.unit.unwrap_or(1.0).recip();
        let deltas: Vec<Option<DeltasOfMesh<'_>>> =
            meshes.iter().map(|matched| DeltasOfMesh::new(old, new, matched, unit)).collect();
        let renamed_targets = changes.compare_channels(old, new, &deltas);
        changes.compare_meshes(old, new, meshes);
        for (index, of_mesh) in deltas.iter().enumerate() {
            let MatchedMesh { old: before, new: now, .. } = meshes[index];
            match of_mesh {
                Some(of_mesh) => changes.compare_mesh([old, new], (index, of_mesh), &renamed_targets),
                None if old.meshes[before].targets.is_empty() || new.meshes[now].targets.is_empty() => {}
                None => changes.not_compared.push(new.meshes[now].name.clone()),
            }
        }
        let targets = common_targets([old, new], meshes, &renamed_targets);
        let rest = [old, new].map(Head::default_weights);
        let changed = targets.iter().filter(|[before, now]| (rest[0][*before] - rest[1][*now]).abs() > SAME_WEIGHT);
        let named = changed.filter_map(|[_, now]| Some(new.target(*now)?.1.name.clone()));
        changes.rest_weights = named.collect();
        changes.name_channels(new);
        changes.materials = differing(&old.materials, &new.materials, |material| &material.name, PartialEq::eq);
        changes.toon = toon_changes(&old.materials, &new.materials);
        changes.textures = differing(&old.textures, &new.textures, |texture| &texture.name, PartialEq::eq);
        changes.clips = differing(
            &old.clips,
            &new.clips,
            |clip| &clip.name,
            |before, now| animates_the_same([old, new], [before, now], &targets),
        );
        let others = [
            (old.carried != new.carried, "extensions that are not read"),
            (have_other_skins(&old.rig, &new.rig), "skins"),
            (changes.unit.is_none() && have_other_nodes(&old.rig, &new.rig), "nodes"),
            (old.rig.humanoid.eye_range != new.rig.humanoid.eye_range, "range of the eyes"),
            (old.expressions != new.expressions, "expressions"),
            (old.declared_correctives != new.declared_correctives, "correctives"),
            (old.variants != new.variants, "variants"),
            (old.cameras != new.cameras, "cameras"),
            (old.lights != new.lights, "lights"),
        ];
        changes.others = others.into_iter().filter(|(differ, _)| *differ).map(|(_, what)| what).collect();
        changes.has_others = !changes.others.is_empty();
        changes
    }

    /// Finds the channels that are new, gone or renamed. Returns the full names of the latter, old and new.
    fn compare_channels(&mut self, old: &Head, new: &Head, deltas: &[Option<DeltasOfMesh<'_>>]) -> Vec<[String; 2]> {
        let mut added = channels_missing_in(old, new);
        let mut gone = channels_missing_in(new, old);
        let pairs = renamed((old, &gone), (new, &added), deltas);
        gone.retain(|index| pairs.iter().all(|(old, ..)| old != index));
        added.retain(|index| pairs.iter().all(|(_, new, _)| new != index));
        self.new = added.iter().map(|&index| new.channels[index].name.clone()).collect();
        self.gone = gone.iter().map(|&index| old.channels[index].name.clone()).collect();
        let mut full_names = Vec::with_capacity(pairs.len());
        for (before, now, likeness) in pairs {
            let (a, b) = (&old.channels[before], &new.channels[now]);
            full_names.push([a.full_name.clone(), b.full_name.clone()]);
            let channels = [before, now];
            self.renamed.push(RenamedChannel { old: a.name.clone(), new: b.name.clone(), likeness, channels });
        }
        full_names
    }

    /// Compares everything of the meshes but their targets.
    fn compare_meshes(&mut self, old: &Head, new: &Head, meshes: &[MatchedMesh]) {
        self.gone_meshes = meshes_but(old, &meshes.iter().map(|matched| matched.old).collect());
        self.new_meshes = meshes_but(new, &meshes.iter().map(|matched| matched.new).collect());
        for matched in meshes {
            let (a, b) = (&old.meshes[matched.old], &new.meshes[matched.new]);
            if a.name != b.name {
                self.renamed_meshes.push([a.name.clone(), b.name.clone()]);
            }
            let (count, old_count) = (b.vertices.len(), a.vertices.len());
            if count != old_count {
                self.vertices.push((b.name.clone(), count as i64 - old_count as i64));
            }
        }
    }

    fn compare_mesh(
        &mut self,
        [old, new]: [&Head; 2],
        (index, of_mesh): (usize, &DeltasOfMesh<'_>),
        renamed: &[[String; 2]],
    ) {
        let matched = of_mesh.matched();
        let (a, b) = (&old.meshes[matched.old], &new.meshes[matched.new]);
        let tolerance = old.bounds.size().max_element().max(f32::MIN_POSITIVE) * TOLERANCE;
        if have_other_weights([old, new], of_mesh) {
            self.skin_weights.push(b.name.clone());
        }
        if of_mesh.apart_at_rest(old, new) > tolerance {
            self.moved_at_rest.push(b.name.clone());
        } else if matched.vertices != MatchedVertices::InOrder || has_other_surface(a, b) {
            self.surfaces.push(b.name.clone());
        }
        let mm = old.mm_per_unit();
        for targets in common_targets_of(a, b, renamed) {
            let [before, now] = targets;
            let (other, target) = (&a.targets[before], &b.targets[now]);
            let apart = of_mesh.apart(other, target, Compared::Positions);
            if apart.largest > tolerance {
                let (channel, mesh) = (target.name.clone(), b.name.clone());
                let [largest_mm, rms_mm] = [apart.largest, apart.rms].map(|distance| distance * mm);
                self.moved.push(MovedTarget { channel, mesh, largest_mm, rms_mm, matched: index, targets });
            } else if of_mesh.apart(other, target, Compared::Normals).largest > SAME_NORMAL {
                self.normals.push(target.name.clone());
            }
            if of_mesh.have_other_uvs_or_colors(other, target, b.vertices.len()) {
                self.uvs_and_colors.push(target.name.clone());
            }
        }
    }

    /// Sorts the targets that differ in the order of the channel list, and shows the names that it shows.
    fn name_channels(&mut self, new: &Head) {
        let place: HashMap<&str, usize> =
            new.channels.iter().enumerate().map(|(index, channel)| (channel.full_name.as_str(), index)).collect();
        self.moved.sort_by_cached_key(|moved| place.get(moved.channel.as_str()).copied());
        for moved in &mut self.moved {
            if let Some(&index) = place.get(moved.channel.as_str()) {
                moved.channel.clone_from(&new.channels[index].name);
            }
        }
        for names in [&mut self.rest_weights, &mut self.normals, &mut self.uvs_and_colors] {
            let mut channels: Vec<usize> = names.iter().filter_map(|name| place.get(name.as_str()).copied()).collect();
            channels.sort_unstable();
            channels.dedup();
            *names = channels.into_iter().map(|channel| new.channels[channel].name.clone()).collect();
        }
    }
}

/// See [`HeadChanges::toon`].
fn toon_changes(old: &[Material], new: &[Material]) -> Vec<String> {
    let before: HashMap<&str, &Material> = old.iter().map(|material| (material.name.as_str(), material)).collect();
    let changed = new.iter().filter_map(|now| {
        let before = before.get(now.name.as_str())?;
        let words = match (&before.toon, &now.toon) {
            (Some(before), Some(now)) => {
                let differences = now.differences(before).into_iter();
                let words: Vec<String> =
                    differences.map(|(name, before, now)| format!("{name} {before} is now {now}")).collect();
                words.join(", ")
            }
            (None, Some(_)) => "new".into(),
            (Some(_), None) => "gone".into(),
            (None, None) => String::new(),
        };
        (!words.is_empty()).then(|| format!("{}: {words}", now.name))
    });
    changed.collect()
}

/// How many times as long lengths are in the new file because it is in another unit, such as centimetres: a power of
/// ten.
pub fn change_of_unit(old: &Head, new: &Head) -> Option<f32> {
    let ratio = old.mm_per_unit() / new.mm_per_unit();
    let unit = 10.0_f32.powf(ratio.log10().round());
    ((ratio / unit - 1.0).abs() < 0.05 && unit.is_normal() && unit != 1.0).then_some(unit)
}

fn has_other_surface(old: &Mesh, new: &Mesh) -> bool {
    let (a, b) = (&old.vertices, &new.vertices);
    old.indices != new.indices
        || old.parts != new.parts
        || old.strands != new.strands
        || (a.uvs != b.uvs || a.second_uvs != b.second_uvs || a.colors != b.colors)
        || are_apart(&a.normals, &b.normals)
}

/// Smaller differences of normals are the rounding of exporters.
const SAME_NORMAL: f32 = 3e-3;

/// Whether normals differ by more than the rounding of exporters.
fn are_apart(old: &[Vec3], new: &[Vec3]) -> bool {
    old.len() != new.len() || old.iter().zip(new).any(|(old, new)| old.distance(*new) > SAME_NORMAL)
}

/// Things by their names; several of one name are counted.
fn by_name<T>(things: &[T], name: impl Fn(&T) -> &String) -> BTreeMap<(String, usize), &T> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for thing in things {
        let count = counts.entry(name(thing)).or_default();
        found.insert((name(thing).clone(), *count), thing);
        *count += 1;
    }
    found
}

/// The names of things that are new, gone or changed.
fn differing<T>(
    old: &[T],
    new: &[T],
    name: impl Fn(&T) -> &String + Copy,
    is_same: impl Fn(&T, &T) -> bool,
) -> Vec<String> {
    let (before, mut after) = (by_name(old, name), by_name(new, name));
    let mut found: Vec<String> = Vec::new();
    for (key, thing) in before {
        if !after.remove(&key).is_some_and(|other| is_same(thing, other)) {
            found.push(key.0);
        }
    }
    found.extend(after.into_keys().map(|(name, _)| name));
    found
}

/// The channels of `head` whose full names no channel of `other` has.
fn channels_missing_in(other: &Head, head: &Head) -> Vec<usize> {
    let known: HashSet<&String> = other.channels.iter().map(|channel| &channel.full_name).collect();
    let channels = head.channels.iter().enumerate();
    channels.filter(|(_, channel)| !known.contains(&channel.full_name)).map(|(index, _)| index).collect()
}

/// The names of the meshes that are not `matched`.
fn meshes_but(head: &Head, matched: &HashSet<usize>) -> Vec<String> {
    let meshes = head.meshes.iter().enumerate().filter(|(index, _)| !matched.contains(index));
    meshes.map(|(_, mesh)| mesh.name.clone()).collect()
}

/// The old and the new index among all targets of those that both heads have. `renamed` has full names, old and new.
fn common_targets([old, new]: [&Head; 2], meshes: &[MatchedMesh], renamed: &[[String; 2]]) -> Vec<[usize; 2]> {
    let mut targets = Vec::new();
    for matched in meshes {
        let (a, b) = (&old.meshes[matched.old], &new.meshes[matched.new]);
        let of_mesh = common_targets_of(a, b, renamed).into_iter();
        targets.extend(of_mesh.map(|[before, now]| [a.first_target + before, b.first_target + now]));
    }
    targets
}

/// [`common_targets`] of one mesh, by their indices in it.
fn common_targets_of(old: &Mesh, new: &Mesh, renamed: &[[String; 2]]) -> Vec<[usize; 2]> {
    let before: Vec<(String, usize)> = old.targets.iter().map(|target| target.name.clone()).zip(0..).collect();
    let now = new.targets.iter().map(|target| {
        let renamed = renamed.iter().find(|[_, new]| *new == target.name);
        renamed.map_or(&target.name, |[old, _]| old).clone()
    });
    let now: Vec<(String, usize)> = now.zip(0..).collect();
    let before = by_name(&before, |(name, _)| name);
    let now = by_name(&now, |(name, _)| name).into_iter();
    now.filter_map(|(key, (_, now))| Some([before.get(&key)?.1, *now])).collect()
}

/// A channel that has another name now.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RenamedChannel {
    pub old: String,
    pub new: String,
    /// How alike the movements are: 1 if they are equal, 0 if they have nothing in common.
    pub likeness: f32,
    /// Its indices among the channels of the old and of the new head.
    #[serde(skip)]
    channels: [usize; 2],
}

/// Less alike channels are two channels. A shape that is half as strong again has 0.92.
const LEAST_LIKENESS: f64 = 0.9;

/// The most channels of either head that are compared, all with all.
const MOST: usize = 200;

/// The movement of a channel on the meshes that both heads have.
struct Movement {
    /// Per mesh of both heads, the deltas of the vertices.
    deltas: Vec<Deltas>,
    /// The sum of their squared lengths.
    square: f64,
}

/// Of channels that are gone and channels that are new, those that are one channel, the most alike first: their indices
/// in both heads, and how alike they are.
fn renamed(
    (old, gone): (&Head, &[usize]),
    (new, added): (&Head, &[usize]),
    meshes: &[Option<DeltasOfMesh<'_>>],
) -> Vec<(usize, usize, f32)> {
    let before = Movement::of_channels(old, gone, meshes, true);
    let after = Movement::of_channels(new, added, meshes, false);
    let mut alike: Vec<(f64, usize, usize)> = Vec::new();
    for (gone, a) in &before {
        alike.extend(after.iter().filter_map(|(added, b)| Some((a.likeness(b)?, *gone, *added))));
    }
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut found: Vec<(usize, usize, f32)> = Vec::new();
    for (likeness, gone, added) in alike {
        if found.iter().all(|(old, new, _)| *old != gone && *new != added) {
            found.push((gone, added, likeness as f32));
        }
    }
    found
}

impl Movement {
    /// The movements of the channels that move anything, at most [`MOST`].
    fn of_channels(
        head: &Head,
        channels: &[usize],
        meshes: &[Option<DeltasOfMesh<'_>>],
        is_old: bool,
    ) -> Vec<(usize, Self)> {
        let moving = channels.iter().filter_map(|&index| {
            let movement = Self::new(head, &head.channels[index], meshes, is_old)?;
            Some((index, movement))
        });
        moving.take(MOST).collect()
    }

    /// None for a channel that moves nothing.
    fn new(head: &Head, channel: &Channel, meshes: &[Option<DeltasOfMesh<'_>>], is_old: bool) -> Option<Self> {
        let deltas = meshes.iter().flatten().map(|of_mesh| {
            let index = if is_old { of_mesh.matched().old } else { of_mesh.matched().new };
            let mesh = &head.meshes[index];
            let mut targets = channel.targets.iter();
            match targets.find_map(|target| mesh.targets.get(target.checked_sub(mesh.first_target)?)) {
                Some(target) if is_old => of_mesh.old(target, 1.0),
                Some(target) => of_mesh.new_of(target, 1.0),
                None => Deltas::new(),
            }
        });
        let deltas: Vec<Deltas> = deltas.collect();
        let square: f64 = deltas.iter().flatten().map(|(_, delta)| f64::from(delta.length_squared())).sum();
        (square > 0.0 && square.is_finite()).then_some(Self { deltas, square })
    }

    /// Twice the dot product over the sum of the squares; none if the two are not alike.
    fn likeness(&self, other: &Self) -> Option<f64> {
        // By Cauchy and Schwarz, the dot product is at most the root of the product of the squares.
        let squares = self.square + other.square;
        if 2.0 * (self.square * other.square).sqrt() / squares < LEAST_LIKENESS {
            return None;
        }
        let mut dot = 0.0;
        for (a, b) in self.deltas.iter().zip(&other.deltas) {
            for_each_vertex(a, b, |_, a, b| dot += f64::from(a.dot(b)));
        }
        Some(2.0 * dot / squares).filter(|likeness| *likeness >= LEAST_LIKENESS)
    }
}
