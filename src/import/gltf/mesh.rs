//! From glTF meshes and the nodes that show them to [`Mesh`] instances.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;

use super::super::error::quoted;
use super::super::{Fault, Progress, report};
use super::accessor::Accessors;
use super::budget::Budget;
use super::deltas::{Deltas, Range};
use super::document::{Document, lookup};
use super::material::uv_set;
use super::names::target_names;
use super::node::{Graph, Placement};
use super::primitive::{Attributes, read_attributes, read_triangles};
use super::skin::{self, Influences};
use crate::head::{Material, Mesh, Note, Part, Target, Vertices};

/// What reading meshes looks things up in.
pub struct Context<'a> {
    pub document: &'a Document,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a Graph,
    pub progress: &'a Progress<'a>,
}

/// The meshes to show.
pub struct Meshes {
    /// One per node that shows one.
    pub instances: Vec<Mesh>,
    /// By node, the instance's head-wide first target and its number of targets.
    targets_of_node: HashMap<usize, (usize, usize)>,
}

impl Meshes {
    /// The head-wide index of a node's first target, and how many it has; none if the node shows nothing.
    pub fn targets_of_node(&self, node: usize) -> Option<(usize, usize)> {
        self.targets_of_node.get(&node).copied()
    }
}

/// A mesh of the file before a node places it.
#[derive(Clone)]
struct Geometry {
    mesh: Mesh,
    influences: Vec<Influences>,
}

impl Geometry {
    fn bytes(&self) -> u64 {
        const VERTEX_BYTES: usize = size_of::<[f32; 16]>();
        let delta = size_of::<Vec3>();
        let target_bytes = |target: &Target| {
            target.rows.len() * 4 + (target.positions.len() + target.normals.len() + target.tangents.len()) * delta
        };
        let targets: usize = self.mesh.targets.iter().map(target_bytes).sum();
        (self.mesh.vertices.len() * VERTEX_BYTES + self.mesh.indices.len() * 4 + targets) as u64
    }
}

/// Reads each mesh once and places a copy for each node that shows it.
pub fn read_all(
    context: &Context<'_>,
    placements: &[Placement],
    materials: &mut Vec<Material>,
    budget: &mut Budget,
    notes: &mut Vec<Note>,
) -> Result<Meshes, Fault> {
    let mut meshes = Meshes { instances: Vec::new(), targets_of_node: HashMap::new() };
    let mut deltas = Deltas::new(context.accessors);
    let mut uses: HashMap<usize, usize> = HashMap::new();
    for placement in placements {
        *uses.entry(placement.mesh).or_default() += 1;
    }
    let mut known: HashMap<usize, Option<Geometry>> = HashMap::new();
    let mut first_target = 0;
    for (number, placement) in placements.iter().enumerate() {
        let share = |part: f32| 0.3 + 0.65 * (number as f32 + part) / placements.len() as f32;
        report(context.progress, "reading meshes", share(0.0))?;
        let geometry = match known.get(&placement.mesh) {
            Some(geometry) => {
                budget.spend(geometry.as_ref().map_or(0, Geometry::bytes), &format!("mesh {}", placement.mesh))?;
                geometry.clone()
            }
            None => {
                let mut reader = GeometryReader { context, deltas: &mut deltas, materials, budget, notes };
                let geometry = reader.read(placement.mesh, &share)?;
                if uses.get(&placement.mesh).is_some_and(|&uses| uses > 1) {
                    known.insert(placement.mesh, geometry.clone());
                }
                geometry
            }
        };
        let Some(geometry) = geometry else { continue };
        let mesh = place(context, placement, geometry, uses.get(&placement.mesh).is_some_and(|&uses| uses > 1), notes)?;
        if let Some(node) = placement.node {
            meshes.targets_of_node.insert(node, (first_target, mesh.targets.len()));
        }
        first_target += mesh.targets.len();
        meshes.instances.push(mesh);
    }
    Ok(meshes)
}

/// Gives a mesh its node's name if it needs one, transform, weights and skin.
fn place(
    context: &Context<'_>,
    placement: &Placement,
    geometry: Geometry,
    is_shared: bool,
    notes: &mut Vec<Note>,
) -> Result<Mesh, Fault> {
    let Geometry { mut mesh, influences } = geometry;
    let json_mesh = &context.document.meshes[placement.mesh];
    let node = placement.node.map(|node| &context.document.nodes[node]);
    let node_name = node.and_then(|node| node.name.as_ref());
    if let Some(node_name) = node_name.filter(|_| is_shared || json_mesh.name.is_none()) {
        mesh.name.clone_from(node_name);
    }
    let object = format!("mesh {}", quoted(&mesh.name));
    let node_weights = node.and_then(|node| node.weights.as_ref()).map(|weights| (weights, "its node"));
    let weights = node_weights.or_else(|| json_mesh.weights.as_ref().map(|weights| (weights, "it")));
    if let Some((weights, whose)) = weights {
        if weights.len() != mesh.targets.len() {
            let (found, needed) = (weights.len(), mesh.targets.len());
            let repair = if found > needed { "the last ones are ignored" } else { "the missing ones are 0" };
            notes.push(Note::warning(&*object, format!("{whose} has {found} weights for {needed} targets; {repair}")));
        }
        for (target, &weight) in mesh.targets.iter_mut().zip(weights).filter(|(_, weight)| weight.is_finite()) {
            target.default_weight = weight;
        }
    }
    mesh.world_from_mesh = context.graph.world_from_node(placement.node);
    if let Some(index) = node.and_then(|node| node.skin) {
        let skin = lookup(&context.document.skins, index, &object, "skin")?;
        skin::bake(context, skin, &influences, &mut mesh, &object, notes)?;
    }
    note_odd_size(&mesh, &object, notes);
    Ok(mesh)
}

/// Says why there may be nothing to see.
fn note_odd_size(mesh: &Mesh, object: &str, notes: &mut Vec<Note>) {
    /// Squares of coordinates, and sums of them, must stay finite.
    const LARGEST: f32 = 1e15;
    /// And must not vanish.
    const SMALLEST: f32 = 1e-15;
    let bounds = mesh.bounds_in_world();
    let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
    let size = bounds.size().max_element();
    if mesh.world_from_mesh.determinant() == 0.0 {
        notes.push(Note::warning(object, "its node flattens it to nothing (scale 0)"));
    } else if farthest > LARGEST {
        notes.push(Note::warning(object, format!("reaches {farthest:e} from the origin, too far to be drawn well")));
    } else if size < SMALLEST {
        notes.push(Note::warning(object, format!("is {size:e} in size, too small to be drawn well")));
    }
}

struct GeometryReader<'r, 'a> {
    context: &'r Context<'a>,
    deltas: &'r mut Deltas<'a>,
    materials: &'r mut Vec<Material>,
    budget: &'r mut Budget,
    notes: &'r mut Vec<Note>,
}

impl<'a> GeometryReader<'_, 'a> {
    /// A mesh of the file; none, with a note, if it has no triangle. `share` turns the part done into overall progress.
    fn read(&mut self, index: usize, share: &dyn Fn(f32) -> f32) -> Result<Option<Geometry>, Fault> {
        let json_mesh: &'a json::Mesh = &self.context.document.meshes[index];
        let name = json_mesh.name.clone().unwrap_or_else(|| format!("mesh {index}"));
        let object = format!("mesh {}", quoted(&name));
        let mut build = Build::default();
        // Primitives that name the same accessors share their vertices, as the author meant.
        let mut shared: HashMap<Vec<u32>, usize> = HashMap::new();
        for (number, primitive) in json_mesh.primitives.iter().enumerate() {
            let part_object = format!("{object}, primitive {number}");
            self.read_primitive(primitive, &part_object, &mut build, &mut shared)?;
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
        let mut targets = Vec::with_capacity(most);
        for (at, name) in target_names(json_mesh, most, &object, self.notes).into_iter().enumerate() {
            report(self.context.progress, "reading targets", share(at as f32 / most as f32))?;
            targets.push(self.deltas.read(&build.ranges, at, name, self.notes)?);
            let target = &targets[at];
            let columns = target.positions.len() + target.normals.len() + target.tangents.len();
            self.budget.spend((columns * size_of::<Vec3>() + target.rows.len() * 4) as u64, &object)?;
        }
        Ok(Some(build.finish(name, targets)))
    }

    fn read_primitive(
        &mut self,
        primitive: &'a json::mesh::Primitive,
        object: &str,
        build: &mut Build<'a>,
        shared: &mut HashMap<Vec<u32>, usize>,
    ) -> Result<(), Fault> {
        let document = self.context.document;
        let material = match primitive.material {
            Some(index) => Some((index, lookup(&document.materials, index, object, "material")?)),
            None => None,
        };
        let uv_set = uv_set(material.map(|(_, material)| material));
        let key = vertex_key(primitive, uv_set);
        let range = match shared.get(&key) {
            Some(&range) => range,
            None => {
                let read = read_attributes(self.context.accessors, primitive, uv_set, object, self.notes)?;
                let Some(attributes) = read else { return Ok(()) };
                self.budget.spend((attributes.positions.len() * size_of::<[f32; 24]>()) as u64, object)?;
                shared.insert(key, build.ranges.len());
                build.append(attributes, primitive.targets.as_deref().unwrap_or_default(), object);
                build.ranges.len() - 1
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
        build.parts.push(Part {
            first_index: first_index as u32,
            index_count: (build.indices.len() - first_index) as u32,
            material,
            flat_shaded: !build.ranges[range].has_normals,
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
fn vertex_key(primitive: &json::mesh::Primitive, uv_set: u32) -> Vec<u32> {
    let number = |index: Option<json::Index<json::Accessor>>| index.map_or(u32::MAX, |index| index.value() as u32);
    let mut key = vec![uv_set];
    key.extend(primitive.attributes.values().map(|&index| number(Some(index))));
    // Attributes are sorted by name; two primitives with different names at equal accessors differ here.
    key.extend(primitive.attributes.keys().flat_map(|name| name.to_string().into_bytes()).map(u32::from));
    for target in primitive.targets.iter().flatten() {
        key.extend([number(target.positions), number(target.normals), number(target.tangents)]);
    }
    key
}

/// A mesh while its primitives are joined.
#[derive(Default)]
struct Build<'a> {
    vertices: Vertices,
    broken: Vec<bool>,
    indices: Vec<u32>,
    parts: Vec<Part>,
    ranges: Vec<Range<'a>>,
    influences: Vec<Influences>,
    plain_material: Option<usize>,
}

impl<'a> Build<'a> {
    /// Puts vertices behind those there. An attribute that only some primitives have is filled up for the others.
    fn append(&mut self, attributes: Attributes, targets: &'a [json::mesh::MorphTarget], object: &str) {
        let (first, count) = (self.vertices.len(), attributes.positions.len());
        self.ranges.push(Range {
            first,
            count,
            has_normals: attributes.normals.is_some(),
            has_tangents: attributes.tangents.is_some(),
            targets,
            object: object.to_owned(),
        });
        self.influences.push(Influences { first, count, sets: attributes.influences });
        self.broken.extend(attributes.broken);
        self.vertices.positions.extend(attributes.positions);
        self.vertices.normals.extend(attributes.normals.unwrap_or_else(|| vec![Vec3::ZERO; count]));
        extend(&mut self.vertices.tangents, first, attributes.tangents, count, Vec4::W);
        extend(&mut self.vertices.uvs, first, attributes.uvs, count, Vec2::ZERO);
        extend(&mut self.vertices.colors, first, attributes.colors, count, [1.0; 4]);
    }

    fn finish(self, name: String, targets: Vec<Target>) -> Geometry {
        let mesh = Mesh {
            name,
            world_from_mesh: glam::Mat4::IDENTITY,
            vertices: self.vertices,
            indices: self.indices,
            parts: self.parts,
            targets,
            first_target: 0,
        };
        Geometry { mesh, influences: self.influences }
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
