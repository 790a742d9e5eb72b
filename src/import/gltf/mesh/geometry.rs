//! From one glTF mesh to vertices, triangles and targets, before a node places it.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;

use super::meshes::Context;
use super::primitive::{Attributes, read_attributes, read_triangles};
use super::skins::InfluenceRun;
use super::tangents::{self, MadeTangents};
use super::target_names::target_names;
use super::targets::Deltas;
use super::unit_directions;
use super::uv_color_deltas::{self, PaintTarget};
use super::vertex_range::{Range, note_baseless};
use crate::head::{Material, Mesh, Note, Part, Target, TextureRef, Vertices};
use crate::import::budget::Budget;
use crate::import::error::quoted;
use crate::import::gltf::read::{Document, lookup};
use crate::import::gltf::surface::{Kept, UvSets, of_primitives};
use crate::import::gltf::variants::other_materials;
use crate::import::{Fault, report};

/// A mesh of the file before a node places it.
#[derive(Clone)]
pub struct Geometry {
    /// Unplaced; weights at rest are 0.
    pub mesh: Mesh,
    /// What skins pull on.
    pub influences: Vec<InfluenceRun>,
    /// Per part, which of the file's primitives it is.
    pub primitives: Vec<usize>,
}

impl Geometry {
    /// About what it takes in memory.
    pub fn bytes(&self) -> u64 {
        const VERTEX_BYTES: usize = size_of::<[f32; 16]>();
        let delta = size_of::<Vec3>();
        let target_bytes = |target: &Target| {
            size_of::<Target>()
                + target.name.len()
                + target.uv_color_deltas.rows.len() * size_of::<[f32; 7]>()
                + target.rows.len() * 4
                + (target.positions.len() + target.normals.len() + target.tangents.len()) * delta
        };
        let targets: usize = self.mesh.targets.iter().map(target_bytes).sum();
        let influences: usize = self.influences.iter().map(InfluenceRun::bytes).sum();
        (self.mesh.vertices.len() * VERTEX_BYTES + self.mesh.indices.len() * 4 + targets + influences) as u64
    }
}

/// About what a target takes that moves nothing: its name in several lists, its place in a channel, its row in the window.
const TARGET_BYTES: usize = 1024;

/// Reads meshes of one file.
pub struct GeometryReader<'r, 'a> {
    pub context: &'r Context<'a>,
    pub deltas: &'r mut Deltas<'a>,
    pub materials: &'r mut Vec<Material>,
    pub made_tangents: &'r mut MadeTangents,
    pub budget: &'r mut Budget,
    pub notes: &'r mut Vec<Note>,
}

impl<'a> GeometryReader<'_, 'a> {
    /// A mesh of the file; none, with a note, if it has no triangle. `share` turns the part done into overall progress.
    pub fn read(&mut self, index: usize, share: &dyn Fn(f32) -> f32) -> Result<Option<Geometry>, Fault> {
        let json_mesh: &'a json::Mesh = &self.context.document.meshes[index];
        let name = json_mesh.name.clone().unwrap_or_else(|| format!("mesh {index}"));
        let object = format!("mesh {}", quoted(&name));
        let mut build = Build::default();
        // Primitives that name the same accessors share their vertices, as the author meant.
        let mut shared: HashMap<Vec<u32>, usize> = HashMap::new();
        let kept = of_primitives(self.context.document, json_mesh);
        for ((number, primitive), kept) in json_mesh.primitives.iter().enumerate().zip(kept) {
            let part_object = format!("{object}, primitive {number}");
            self.read_primitive(primitive, (index, number, kept), &part_object, &mut build, &mut shared)?;
        }
        if build.indices.is_empty() {
            self.notes.push(Note::warning(&*object, "has no triangle; left out"));
            return Ok(None);
        }
        let counts = || build.ranges.iter().map(|range| range.targets.len());
        let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
        if most != least {
            self.notes.push(Note::warning(
                &*object,
                format!("its primitives have from {least} to {most} targets; missing ones move nothing"),
            ));
        }
        self.budget.spend((most * TARGET_BYTES) as u64, &object)?;
        let mut targets = Vec::with_capacity(most);
        for (at, name) in target_names(json_mesh, most, &object, self.notes).into_iter().enumerate() {
            report(self.context.progress, "reading targets", share(at as f32 / most as f32))?;
            targets.push(self.deltas.read(&build.ranges, at, name, self.notes)?);
            let target = &targets[at];
            let columns = target.positions.len() + target.normals.len() + target.tangents.len();
            let paint = target.uv_color_deltas.rows.len() * size_of::<[f32; 7]>();
            self.budget.spend((columns * size_of::<Vec3>() + target.rows.len() * 4 + paint) as u64, &object)?;
        }
        let ranges = std::mem::take(&mut build.ranges);
        let mut geometry = build.finish(name, targets);
        // First: tangents are made at normals that are whole.
        unit_directions::make_whole(&mut geometry.mesh);
        self.make_tangents(&ranges, &mut geometry)?;
        Ok(Some(geometry))
    }

    /// For normal maps whose primitives bring no tangents.
    fn make_tangents(&mut self, ranges: &[Range<'_>], geometry: &mut Geometry) -> Result<(), Fault> {
        let mut makes_any = false;
        for (index, range) in ranges.iter().enumerate() {
            let Some(map) = range.wants_tangents() else { continue };
            let first_twin = geometry.mesh.vertices.len();
            let vertices = range.first as u32..(range.first + range.count) as u32;
            let made = tangents::make(&mut geometry.mesh, vertices, map, self.budget, &range.object, self.notes)?;
            let Some(twins) = made else { continue };
            let bytes = twins.len() * geometry.influences[index].sets.len() * size_of::<[f32; 8]>();
            self.budget.spend(bytes as u64, &range.object)?;
            let influences = geometry.influences[index].of(&twins, first_twin);
            geometry.influences.push(influences);
            self.made_tangents.split_vertices += twins.len();
            makes_any = true;
        }
        self.made_tangents.meshes += usize::from(makes_any);
        Ok(())
    }

    fn read_primitive(
        &mut self,
        primitive: &'a json::mesh::Primitive,
        (mesh, number, kept): (usize, usize, Kept),
        object: &str,
        build: &mut Build<'a>,
        shared: &mut HashMap<Vec<u32>, usize>,
    ) -> Result<(), Fault> {
        let document = self.context.document;
        let material = match primitive.material {
            Some(index) => Some((index, lookup(&document.materials, index, object, "material")?)),
            None => None,
        };
        let Kept { sets: uv_sets, is_read_elsewhere } = kept;
        let paint = document.paint.get(&(mesh, number)).map_or(&[][..], Vec::as_slice);
        let key = vertex_key(primitive, uv_sets, paint);
        let range = match shared.get(&key) {
            Some(&range) => range,
            None => {
                let read =
                    read_attributes(self.context.accessors, primitive, uv_sets, object, self.budget, self.notes)?;
                let Some(attributes) = read else { return Ok(()) };
                self.budget.spend((attributes.positions.len() * size_of::<[f32; 24]>()) as u64, object)?;
                shared.insert(key, build.ranges.len());
                build.append(attributes, primitive.targets.as_deref().unwrap_or_default(), (uv_sets, paint), object);
                let range = build.ranges.len() - 1;
                note_baseless(&build.ranges[range], self.notes);
                uv_color_deltas::note_vain(&build.ranges[range], self.notes);
                range
            }
        };
        let (first, count) = (build.ranges[range].first, build.ranges[range].count);
        let Some(triangles) = read_triangles(self.context.accessors, primitive, count, object, self.notes)? else {
            return Ok(());
        };
        self.budget.spend((triangles.len() * 4) as u64, object)?;
        let first_index = build.indices.len();
        let is_whole = |triangle: &&[u32; 3]| triangle.iter().all(|&corner| !build.broken[first + corner as usize]);
        let whole = triangles.as_chunks::<3>().0.iter().filter(is_whole).flatten();
        build.indices.extend(whole.map(|&corner| corner + first as u32));
        if build.indices.len() == first_index {
            return Ok(());
        }
        let material = match material {
            Some((index, _)) => index.value(),
            None => *build.plain_material.get_or_insert_with(|| plain_material(self.materials, document)),
        };
        let surface = &self.materials[material];
        let range = &mut build.ranges[range];
        let others = other_materials(primitive).filter_map(|material| self.materials.get(material));
        let normal_map = std::iter::once(surface).chain(others).find_map(|material| material.normal_texture);
        range.normal_map = range.normal_map.or(normal_map);
        if is_read_elsewhere {
            let set = uv_sets.first;
            let message =
                format!("in some variants its textures are read at another set than TEXCOORD_{set}; shown at that");
            self.notes.push(Note::warning(object, message));
        }
        let lacks = |map: &TextureRef| !range.has_uv_set(map.uv_set);
        if let Some(map) = surface.textures().iter().flatten().find(|map| lacks(map)) {
            let set = uv_sets.number_of(map.uv_set);
            let all = surface.textures().iter().flatten().all(lacks);
            let which = if all { "its textures" } else { "some of its textures" };
            self.notes.push(Note::warning(
                object,
                format!("shown without {which}: it has no TEXCOORD_{set} to read them at"),
            ));
        } else if surface.normal_texture.is_some() && !range.has_normals {
            self.notes.push(Note::warning(object, "shown without its normal map: it has no NORMAL to bend"));
        }
        build.primitives.push(number);
        build.parts.push(Part {
            first_index: first_index as u32,
            index_count: (build.indices.len() - first_index) as u32,
            material,
            flat_shaded: !range.has_normals,
        });
        Ok(())
    }
}

/// The default material, put behind the file's own the first time it is needed.
fn plain_material(materials: &mut Vec<Material>, document: &Document) -> usize {
    if materials.len() == document.materials.len() {
        materials.push(Material::default());
    }
    document.materials.len()
}

/// Equal for primitives whose vertices and deltas are the same accessors.
fn vertex_key(primitive: &json::mesh::Primitive, uv_sets: UvSets, paint: &[PaintTarget]) -> Vec<u32> {
    let number = |index: Option<json::Index<json::Accessor>>| index.map_or(u32::MAX, |index| index.value() as u32);
    let mut key = vec![uv_sets.first, uv_sets.second.unwrap_or(u32::MAX)];
    key.extend(primitive.attributes.values().map(|&index| number(Some(index))));
    // Attributes are sorted by name; two primitives with different names at equal accessors differ here.
    key.extend(primitive.attributes.keys().flat_map(|name| name.to_string().into_bytes()).map(u32::from));
    for target in primitive.targets.iter().flatten() {
        key.extend([number(target.positions), number(target.normals), number(target.tangents)]);
    }
    key.extend(paint.iter().flat_map(PaintTarget::key));
    key
}

/// A mesh while its primitives are joined.
#[derive(Default)]
struct Build<'a> {
    vertices: Vertices,
    broken: Vec<bool>,
    indices: Vec<u32>,
    parts: Vec<Part>,
    primitives: Vec<usize>,
    ranges: Vec<Range<'a>>,
    influences: Vec<InfluenceRun>,
    plain_material: Option<usize>,
}

impl<'a> Build<'a> {
    /// Puts vertices behind those there. An attribute that only some primitives have is filled up for the others.
    fn append(
        &mut self,
        attributes: Attributes,
        targets: &'a [json::mesh::MorphTarget],
        (uv_sets, paint): (UvSets, &'a [PaintTarget]),
        object: &str,
    ) {
        let (first, count) = (self.vertices.len(), attributes.positions.len());
        self.ranges.push(Range {
            first,
            count,
            has_normals: attributes.normals.is_some(),
            has_tangents: attributes.tangents.is_some(),
            has_uvs: attributes.uvs.each_ref().map(Option::is_some),
            normal_map: None,
            has_colors: attributes.colors.is_some(),
            uv_sets,
            paint,
            targets,
            object: object.to_owned(),
        });
        self.influences.push(InfluenceRun { first, count, sets: attributes.influences });
        self.broken.extend(attributes.broken);
        self.vertices.positions.extend(attributes.positions);
        self.vertices.normals.extend(attributes.normals.unwrap_or_else(|| vec![Vec3::ZERO; count]));
        extend(&mut self.vertices.tangents, first, attributes.tangents, count, Vec4::W);
        let [uvs, second_uvs] = attributes.uvs;
        extend(&mut self.vertices.uvs, first, uvs, count, Vec2::ZERO);
        extend(&mut self.vertices.second_uvs, first, second_uvs, count, Vec2::ZERO);
        extend(&mut self.vertices.colors, first, attributes.colors, count, [1.0; 4]);
    }

    fn finish(self, name: String, targets: Vec<Target>) -> Geometry {
        let mesh = Mesh {
            name,
            vertices: self.vertices,
            indices: self.indices,
            parts: self.parts,
            targets,
            ..Mesh::default()
        };
        Geometry { mesh, influences: self.influences, primitives: self.primitives }
    }
}

/// Appends `count` values to a list that is empty while nobody has the attribute, and whole once somebody does.
fn extend<T: Clone>(list: &mut Vec<T>, first: usize, values: Option<Vec<T>>, count: usize, filler: T) {
    match values {
        Some(values) => {
            list.resize(first, filler);
            list.extend(values);
        }
        None if !list.is_empty() => list.resize(first + count, filler),
        None => {}
    }
}
