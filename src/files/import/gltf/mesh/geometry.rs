//! Builds the vertices, triangles and targets of one glTF mesh, without the transforms of the nodes that show it.

use std::collections::HashMap;
use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use rayon::prelude::*;

use super::primitive::{Attributes, read_attributes, read_triangles};
use super::skins::InfluenceRun;
use super::strands::{growth_of, read_strands};
use super::targets::{TargetReader, target_names};
use super::unit_directions::normalize_directions;
use super::uv_color_deltas::note_ignored_uv_color_deltas;
use super::vertex_range::VertexRange;
use crate::import::gltf::Context;
use crate::import::gltf::read::{GltfDocument, UvColorTarget, lookup};
use crate::import::gltf::surface::{PrimitiveUvSets, UvSets, uv_sets_of_primitives, variant_materials};
use crate::import::mesh::{TARGET_BYTES, TangentRange};
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Material, Mesh, Part, Strands, Subject, Target, Vertices};

#[derive(Clone)]
pub(super) struct Geometry {
    /// Without node and skin; its default weights are 0.
    pub mesh: Mesh,
    /// Joints and weights of its vertices, for a skin.
    pub influences: Vec<InfluenceRun>,
    /// Per part, the index of its primitive in the file's mesh.
    pub primitives: Vec<usize>,
}

/// Vertices of a geometry that a normal map needs tangents for, which the file does not have.
pub(super) struct LackingTangents {
    pub mesh: usize,
    pub run: usize,
    pub range: TangentRange,
}

impl Geometry {
    pub(super) fn bytes(&self) -> u64 {
        const VERTEX_BYTES: usize = size_of::<[f32; 16]>();
        let delta = size_of::<Vec3>();
        let targets: usize = self
            .mesh
            .targets
            .iter()
            .map(|target| {
                size_of::<Target>()
                    + target.name.len()
                    + target.uv_color_deltas.rows.len() * size_of::<[f32; 7]>()
                    + target.rows.len() * 4
                    + (target.positions.len() + target.normals.len() + target.tangents.len()) * delta
            })
            .sum();
        let influences: usize = self.influences.iter().map(InfluenceRun::bytes).sum();
        let strands: usize = self.mesh.strands.iter().map(|strands| size_of_val(strands.points.as_slice())).sum();
        let parts = self.mesh.parts.len() * size_of::<Part>() + self.primitives.len() * size_of::<usize>();
        let mesh = size_of::<Mesh>() + self.mesh.name.len() + parts + self.mesh.indices.len() * 4;
        (mesh + self.mesh.vertices.len() * VERTEX_BYTES + targets + influences + strands) as u64
    }
}

pub(super) struct GeometryReader<'r, 'a, 'i> {
    pub context: &'r Context<'a>,
    pub target_reader: &'r TargetReader<'a>,
    pub materials: &'r mut Vec<Material>,
    pub lacking_tangents: &'r mut Vec<LackingTangents>,
    pub import: &'r mut Import<'i>,
}

impl<'a> GeometryReader<'_, 'a, '_> {
    /// A mesh of the file; none, with a note, if it has no triangle. `share` is the share that it has in the import.
    pub(super) fn read(&mut self, index: usize, share: Range<f32>) -> Result<Option<Geometry>, Fault> {
        let json_mesh: &'a json::Mesh = &self.context.document.meshes[index];
        let name = json_mesh.name.clone().unwrap_or_else(|| format!("mesh {index}"));
        let subject = Subject::named(Kind::Mesh, &name);
        let mut builder = MeshBuilder::default();
        self.import.begin("reading meshes", share.start);
        let uv_sets = uv_sets_of_primitives(self.context.document, json_mesh, self.import)?;
        for ((number, primitive), uv_sets) in json_mesh.primitives.iter().enumerate().zip(uv_sets) {
            self.import.tick()?;
            let part_subject = subject.part(Subject::Numbered(Kind::Primitive, number));
            self.read_primitive(primitive, (index, number, uv_sets), &part_subject, &mut builder)?;
        }
        if builder.indices.is_empty() {
            self.import.notes.warn(&subject, "has no triangle; left out");
            return Ok(None);
        }
        let counts = builder.ranges.iter().map(|range| range.targets.len());
        let (most, least) = (counts.clone().max().unwrap_or(0), counts.min().unwrap_or(0));
        if most != least {
            let message = format!("its primitives have from {least} to {most} targets; missing ones move nothing");
            self.import.notes.warn(&subject, message);
        }
        self.import.budget.spend((most * TARGET_BYTES) as u64, &subject)?;
        let mut targets = Vec::with_capacity(most);
        self.import.begin("reading targets", share.start);
        let names = target_names(json_mesh, most, &subject, &mut self.import.notes);
        while targets.len() < most {
            let at = targets.len();
            let (reader, ranges) = (self.target_reader, &builder.ranges);
            let indices = at..at + self.targets_at_once(ranges, at..most);
            let read = indices.into_par_iter().map(|index| reader.read(ranges, index, names[index].clone()));
            for target in read.collect::<Vec<_>>() {
                let part = targets.len() as f32 / most as f32;
                self.import.tick_at(share.start + part * (share.end - share.start))?;
                let (target, notes) = target?;
                self.import.notes.append(notes);
                let deltas = target.positions.len() + target.normals.len() + target.tangents.len();
                let uvs_and_colors = target.uv_color_deltas.rows.len() * size_of::<[f32; 7]>();
                let bytes = deltas * size_of::<Vec3>() + target.rows.len() * 4 + uvs_and_colors;
                self.import.budget.spend(bytes as u64, &subject)?;
                targets.push(target);
            }
        }
        let ranges = std::mem::take(&mut builder.ranges);
        let mut geometry = builder.finish(name, targets);
        // This comes before the tangents, which are generated from normals of unit length.
        normalize_directions(&mut geometry.mesh);
        self.add_lacking_tangents(index, &ranges, &geometry.mesh)?;
        Ok(Some(geometry))
    }

    /// How many of the targets are read at the same time: as many as keep all cores busy, if there is memory for them.
    fn targets_at_once(&self, ranges: &[VertexRange<'_>], left: Range<usize>) -> usize {
        let mut bytes = 0_u64;
        left.take(4 * rayon::current_num_threads())
            .take_while(|&index| {
                bytes = bytes.saturating_add(self.target_reader.most_bytes(ranges, index));
                bytes <= self.import.budget.left()
            })
            .count()
            .max(1)
    }

    fn add_lacking_tangents(&mut self, index: usize, ranges: &[VertexRange<'_>], mesh: &Mesh) -> Result<(), Fault> {
        if ranges.iter().all(|range| range.needs_tangents_for().is_none()) {
            return Ok(());
        }
        for (run, (range, triangles)) in ranges.iter().zip(triangles_of(ranges, &mesh.indices)).enumerate() {
            let Some(map) = range.needs_tangents_for() else { continue };
            let vertices = range.first as u32..(range.first + range.count) as u32;
            let range = TangentRange::new(mesh, vertices, &triangles, map, self.import, &range.subject)?;
            self.lacking_tangents.push(LackingTangents { mesh: index, run, range });
        }
        Ok(())
    }

    /// Adds a primitive to the mesh: its vertices, unless an earlier primitive has the same, its triangles and its
    /// part.
    fn read_primitive(
        &mut self,
        primitive: &'a json::mesh::Primitive,
        (mesh, number, uv_sets): (usize, usize, PrimitiveUvSets),
        subject: &Subject,
        builder: &mut MeshBuilder<'a>,
    ) -> Result<(), Fault> {
        let document = self.context.document;
        let material = match primitive.material {
            Some(index) => Some((index, lookup(&document.materials, index, subject, "material")?)),
            None => None,
        };
        if let Some(growth) = growth_of(primitive) {
            let material = match material {
                Some((index, _)) => index.value(),
                None => *builder.default_material.get_or_insert_with(|| default_material(self.materials, document)),
            };
            let grown = (material, growth);
            let accessors = self.context.accessors;
            builder.strands.extend(read_strands(accessors, primitive, grown, subject, self.import)?);
            return Ok(());
        }
        let PrimitiveUvSets { sets: uv_sets, lacks_set_of_variant } = uv_sets;
        let uv_color_targets = document.uv_color_targets.get(&(mesh, number)).map_or(&[][..], Vec::as_slice);
        let key = vertex_key(primitive, uv_sets, uv_color_targets);
        let range = match builder.range_of_key.get(&key) {
            Some(&range) => range,
            None => {
                let read = read_attributes(self.context.accessors, primitive, uv_sets, subject, self.import)?;
                let Some(attributes) = read else { return Ok(()) };
                self.import.budget.spend((attributes.positions.len() * size_of::<[f32; 24]>()) as u64, subject)?;
                let range = builder.ranges.len();
                builder.range_of_key.insert(key, range);
                let targets = primitive.targets.as_deref().unwrap_or_default();
                builder.append(attributes, targets, (uv_sets, uv_color_targets), subject);
                builder.ranges[range].note_deltas_without_base(&mut self.import.notes);
                note_ignored_uv_color_deltas(&builder.ranges[range], &mut self.import.notes);
                range
            }
        };
        let (first, count) = (builder.ranges[range].first, builder.ranges[range].count);
        let Some(triangles) =
            read_triangles(self.context.accessors, primitive, count, subject, &mut self.import.notes)?
        else {
            return Ok(());
        };
        self.import.budget.spend((triangles.len() * 4) as u64, subject)?;
        let first_index = builder.indices.len();
        let is_finite =
            |triangle: &&[u32; 3]| triangle.iter().all(|&corner| !builder.is_broken[first + corner as usize]);
        let finite = triangles.as_chunks::<3>().0.iter().filter(is_finite).flatten();
        builder.indices.extend(finite.map(|&corner| corner + first as u32));
        if builder.indices.len() == first_index {
            return Ok(());
        }
        let material = match material {
            Some((index, _)) => index.value(),
            None => *builder.default_material.get_or_insert_with(|| default_material(self.materials, document)),
        };
        let surface = &self.materials[material];
        let range = &mut builder.ranges[range];
        let of_variants = variant_materials(primitive).filter_map(|material| self.materials.get(material));
        let normal_map = std::iter::once(surface).chain(of_variants).find_map(|material| material.normal_texture);
        range.normal_map = range.normal_map.or(normal_map);
        if lacks_set_of_variant {
            let set = uv_sets.first;
            let message = format!(
                "some variants read its textures at another set than TEXCOORD_{set}; they are shown with TEXCOORD_{set}"
            );
            self.import.notes.warn(subject, message);
        }
        if let Some(map) = surface.uv_textures().find(|map| !range.has_uv_set(map.uv_set)) {
            let set = uv_sets.number_of(map.uv_set);
            let all = surface.uv_textures().all(|map| !range.has_uv_set(map.uv_set));
            let which = if all { "its textures" } else { "some of its textures" };
            self.import.notes.warn(subject, format!("shown without {which}: it has no TEXCOORD_{set} to read them at"));
        } else if surface.normal_texture.is_some() && !range.has_normals {
            self.import.notes.warn(subject, "shown without its normal map: it has no NORMAL");
        }
        builder.primitives.push(number);
        builder.parts.push(Part {
            first_index: first_index as u32,
            index_count: (builder.indices.len() - first_index) as u32,
            material,
            flat_shaded: !range.has_normals,
        });
        Ok(())
    }
}

/// Per vertex range, the positions in `indices` at which its triangles begin.
fn triangles_of(ranges: &[VertexRange<'_>], indices: &[u32]) -> Vec<Vec<usize>> {
    let mut triangles = vec![Vec::new(); ranges.len()];
    for (number, corners) in indices.as_chunks::<3>().0.iter().enumerate() {
        // The ranges are in the order of their vertices.
        let after = ranges.partition_point(|range| range.first <= corners[0] as usize);
        triangles[after - 1].push(number * 3);
    }
    triangles
}

/// The index of glTF's default material, which is added after the file's own at its first use.
fn default_material(materials: &mut Vec<Material>, document: &GltfDocument) -> usize {
    if materials.len() == document.materials.len() {
        materials.push(Material::default());
    }
    document.materials.len()
}

/// Numbers that are equal for primitives whose vertices and deltas are the same accessors.
fn vertex_key(primitive: &json::mesh::Primitive, uv_sets: UvSets, uv_color_targets: &[UvColorTarget]) -> Vec<u32> {
    let mut key = vec![uv_sets.first, uv_sets.second.unwrap_or(u32::MAX)];
    key.extend(primitive.attributes.values().map(|&index| key_number(Some(index))));
    // Two primitives may use the same accessors for different attributes.
    key.extend(primitive.attributes.keys().flat_map(|name| name.to_string().into_bytes()).map(u32::from));
    for target in primitive.targets.iter().flatten() {
        key.extend([key_number(target.positions), key_number(target.normals), key_number(target.tangents)]);
    }
    key.extend(uv_color_targets.iter().flat_map(UvColorTarget::key));
    key
}

fn key_number(index: Option<json::Index<json::Accessor>>) -> u32 {
    index.map_or(u32::MAX, |index| index.value() as u32)
}

#[derive(Default)]
struct MeshBuilder<'a> {
    vertices: Vertices,
    /// Per vertex, whether its position is not finite; no triangle may use such a vertex.
    is_broken: Vec<bool>,
    indices: Vec<u32>,
    parts: Vec<Part>,
    primitives: Vec<usize>,
    ranges: Vec<VertexRange<'a>>,
    /// Indices into `ranges`, by [`vertex_key`]: primitives with the same accessors share their vertices.
    range_of_key: HashMap<Vec<u32>, usize>,
    influences: Vec<InfluenceRun>,
    default_material: Option<usize>,
    strands: Vec<Strands>,
}

impl<'a> MeshBuilder<'a> {
    /// Appends vertices. An attribute that only some of the mesh's vertices have gets a neutral value for the others.
    fn append(
        &mut self,
        attributes: Attributes,
        targets: &'a [json::mesh::MorphTarget],
        (uv_sets, uv_color_targets): (UvSets, &'a [UvColorTarget]),
        subject: &Subject,
    ) {
        let (first, count) = (self.vertices.len(), attributes.positions.len());
        self.ranges.push(VertexRange {
            first,
            count,
            has_normals: attributes.normals.is_some(),
            has_tangents: attributes.tangents.is_some(),
            has_uvs: attributes.uvs.each_ref().map(Option::is_some),
            normal_map: None,
            has_colors: attributes.colors.is_some(),
            uv_sets,
            uv_color_targets,
            targets,
            subject: subject.clone(),
        });
        self.influences.push(InfluenceRun { first, count, sets: attributes.influences });
        self.is_broken.extend(attributes.is_broken);
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
            strands: self.strands,
            ..Mesh::default()
        };
        Geometry { mesh, influences: self.influences, primitives: self.primitives }
    }
}

/// Appends `count` values to the list of an optional attribute. The list is empty as long as no vertex has the
/// attribute; from the first that has it on, every vertex has a value, `neutral` where the file has none.
fn extend<T: Clone>(list: &mut Vec<T>, first: usize, values: Option<Vec<T>>, count: usize, neutral: T) {
    match values {
        Some(values) => {
            list.resize(first, neutral);
            list.extend(values);
        }
        None if !list.is_empty() => list.resize(first + count, neutral),
        None => {}
    }
}
