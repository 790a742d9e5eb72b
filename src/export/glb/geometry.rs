//! Meshes of a head as glTF meshes. The parts of a mesh become primitives that share its vertices and targets.

use std::ops::Range;

use glam::{Vec2, Vec3};
use serde_json::{Map, Value, json};

use super::bin::{Bin, finite};
use super::nodes::is_skinned;
use smirk_face::head::{Head, Influence, Mesh, Part, Rig, Strands, Target, UvSet};

/// The name of the extension for alternative sets of materials, on the file and on its primitives.
pub(super) const VARIANTS: &str = "KHR_materials_variants";

struct VertexAccessors {
    range: Range<usize>,
    flat: Map<String, Value>,
    /// The attributes that parts with smooth shading have in addition.
    smooth: Map<String, Value>,
    targets: Vec<TargetAccessors>,
}

/// Writes a mesh of a head, and returns its element of `meshes`; none for a mesh without triangles and guides, which
/// glTF cannot hold.
///
/// `target_bytes` counts, per target, what its deltas take as floats and as they are stored.
pub(super) fn mesh(head: &Head, index: usize, bin: &mut Bin, target_bytes: &mut [[usize; 2]]) -> Option<Value> {
    let mesh = &head.meshes[index];
    let parts: Vec<(usize, &Part)> =
        mesh.parts.iter().enumerate().filter(|(_, part)| !mesh.triangles_of(part).is_empty()).collect();
    let strands: Vec<&Strands> = mesh.strands.iter().filter(|strands| !lines(strands).is_empty()).collect();
    if parts.is_empty() && strands.is_empty() {
        return None;
    }
    let ranges = if parts.is_empty() { Vec::new() } else { vertex_ranges(mesh) };
    let ranges: Vec<VertexAccessors> =
        ranges.into_iter().map(|range| vertex_accessors(mesh, &head.rig, range, bin, target_bytes)).collect();
    let mut primitives = Vec::with_capacity(parts.len() + strands.len());
    for (number, part) in parts {
        let mut primitive = primitive(part, mesh.triangles_of(part), &ranges, bin);
        primitive["material"] = json!(head.material_of(index, number, None));
        let mappings = mappings(head, index, number);
        if !mappings.is_empty() {
            primitive["extensions"] = json!({VARIANTS: {"mappings": mappings}});
        }
        primitives.push(primitive);
    }
    primitives.extend(strands.into_iter().map(|strands| guides(strands, mesh.targets.len(), bin)));
    let mut json = json!({"name": mesh.name, "primitives": primitives});
    if !mesh.targets.is_empty() {
        json["weights"] = mesh.targets.iter().map(|target| finite(target.default_weight)).collect();
        let names: Vec<&str> = mesh.targets.iter().map(|target| target.name.as_str()).collect();
        json["extras"] = json!({"targetNames": names});
    }
    Some(json)
}

/// The vertices that are written together. A primitive without normals cannot share its attributes with one that has
/// some; where a mesh has both, the vertices of its parts are written apart as far as the parts do not share any, so
/// that none is written twice.
fn vertex_ranges(mesh: &Mesh) -> Vec<Range<usize>> {
    let count = mesh.vertices.len();
    let is_mixed = mesh.parts.iter().any(|part| part.flat_shaded) && mesh.parts.iter().any(|part| !part.flat_shaded);
    if !is_mixed {
        return std::iter::once(0..count).collect();
    }
    let used = mesh.parts.iter().filter_map(|part| {
        let indices = mesh.triangles_of(part).iter().map(|&index| index as usize);
        indices.clone().min().zip(indices.max())
    });
    let mut spans: Vec<(usize, usize)> = used.collect();
    spans.sort_unstable();
    let mut starts = vec![0];
    let mut end = spans.first().map_or(0, |span| span.1);
    for &(first, last) in spans.iter().skip(1) {
        if first > end {
            starts.push(first);
        }
        end = end.max(last);
    }
    let ends = starts.iter().skip(1).copied().chain([count]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn vertex_accessors(
    mesh: &Mesh,
    rig: &Rig,
    range: Range<usize>,
    bin: &mut Bin,
    target_bytes: &mut [[usize; 2]],
) -> VertexAccessors {
    let vertices = &mesh.vertices;
    let (mut flat, mut smooth) = (Map::new(), Map::new());
    let positions: Vec<[f32; 3]> =
        vertices.positions[range.clone()].iter().map(|position| position.to_array()).collect();
    flat.insert("POSITION".into(), json!(bin.positions(&positions)));
    let is_used =
        |part: &&Part| mesh.triangles_of(part).first().is_some_and(|&vertex| range.contains(&(vertex as usize)));
    // Without normals, glTF shades every part flat.
    let has_normals = vertices.normals.len() == vertices.len();
    let is_shaded = has_normals && mesh.parts.iter().filter(is_used).any(|part| !part.flat_shaded);
    if is_shaded {
        // Normals of unit length are written bit for bit. A vertex that only flat-shaded parts use has no normal.
        let normals: Vec<[f32; 3]> = vertices.normals[range.clone()]
            .iter()
            .map(|normal| match normal.length() {
                length if (length - 1.0).abs() < 0.005 => normal.to_array(),
                _ => normal.try_normalize().unwrap_or(Vec3::Z).to_array(),
            })
            .collect();
        smooth.insert("NORMAL".into(), json!(bin.normals(&normals)));
    }
    if is_shaded && !vertices.tangents.is_empty() {
        let tangents: Vec<[f32; 4]> = vertices.tangents[range.clone()]
            .iter()
            .map(|tangent| {
                let along = tangent.truncate();
                let unit = along.try_normalize().unwrap_or(Vec3::X);
                let along = if (along.length() - 1.0).abs() < 0.005 { along } else { unit };
                along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 }).to_array()
            })
            .collect();
        smooth.insert("TANGENT".into(), json!(bin.tangents(&tangents)));
    }
    for (name, set) in [("TEXCOORD_0", UvSet::First), ("TEXCOORD_1", UvSet::Second)] {
        if let Some(uvs) = vertices.uv_set(set).get(range.clone()).filter(|uvs| !uvs.is_empty()) {
            let uvs: Vec<[f32; 2]> = uvs.iter().map(Vec2::to_array).collect();
            flat.insert(name.into(), json!(bin.uvs(&uvs)));
        } else if set == UvSet::First && !vertices.second_uvs.is_empty() {
            // There is no second set without a first one.
            flat.insert(name.into(), json!(bin.uvs(&vec![[0.0; 2]; range.len()])));
        }
    }
    if !vertices.colors.is_empty() {
        flat.insert("COLOR_0".into(), json!(bin.colors(&vertices.colors[range.clone()])));
    }
    if is_skinned(mesh, rig) {
        influences(mesh, range.clone(), &mut flat, bin);
    }
    let has_tangents = smooth.contains_key("TANGENT");
    let targets = mesh.targets.iter().zip(target_bytes).map(|(it, bytes)| {
        let before = bin.delta_bytes;
        let accessors = target(it, mesh, range.clone(), (is_shaded, has_tangents), bin);
        for (bytes, (now, before)) in bytes.iter_mut().zip(bin.delta_bytes.into_iter().zip(before)) {
            *bytes += now - before;
        }
        accessors
    });
    let targets = targets.collect();
    VertexAccessors { range, flat, smooth, targets }
}

fn influences(mesh: &Mesh, range: Range<usize>, attributes: &mut Map<String, Value>, bin: &mut Bin) {
    let of_vertices: Vec<Vec<Influence>> =
        range.map(|vertex| joined(mesh.vertices.influences.of_vertex(vertex))).collect();
    let most = of_vertices.iter().map(Vec::len).max().unwrap_or(0);
    let mut weights = Vec::with_capacity(most.div_ceil(4));
    for set in 0..most.div_ceil(4) {
        let sets: Vec<[Influence; 4]> = of_vertices
            .iter()
            .map(|influences| {
                // The joint of a weight of 0 is 0 (§3.7.3.3).
                std::array::from_fn(|index| influences.get(set * 4 + index).copied().unwrap_or_default())
            })
            .collect();
        let joints: Vec<[u16; 4]> = sets.iter().map(|set| set.map(|each| each.joint as u16)).collect();
        weights.push(sets.iter().map(|set| set.map(|each| each.weight)).collect());
        attributes.insert(format!("JOINTS_{set}"), json!(bin.joints(&joints)));
    }
    for (set, accessor) in bin.weights(&weights).into_iter().enumerate() {
        attributes.insert(format!("WEIGHTS_{set}"), json!(accessor));
    }
}

/// The influences on a vertex with every joint once, as glTF requires.
fn joined(influences: &[Influence]) -> Vec<Influence> {
    let mut joined: Vec<Influence> = Vec::with_capacity(influences.len());
    for each in influences {
        match joined.iter_mut().find(|other| other.joint == each.joint) {
            Some(other) => other.weight += each.weight,
            None => joined.push(*each),
        }
    }
    joined
}

fn primitive(part: &Part, indices: &[u32], ranges: &[VertexAccessors], bin: &mut Bin) -> Value {
    let first = indices.iter().min().map_or(0, |&index| index as usize);
    let accessors = &ranges[ranges.partition_point(|accessors| accessors.range.start <= first).saturating_sub(1)];
    let mut attributes = accessors.flat.clone();
    if !part.flat_shaded {
        attributes.extend(accessors.smooth.clone());
    }
    let start = accessors.range.start as u32;
    let indices: Vec<u32> = indices.iter().map(|index| index - start).collect();
    let mut primitive = json!({"attributes": attributes, "indices": bin.indices(&indices, false)});
    if !accessors.targets.is_empty() {
        primitive["targets"] = accessors.targets.iter().map(|target| target.json(part.flat_shaded)).collect();
    }
    primitive
}

/// The materials that a part has in variants, each with the variants that it is for.
fn mappings(head: &Head, mesh: usize, part: usize) -> Vec<Value> {
    let mut of_material: Vec<(usize, Vec<usize>)> = Vec::new();
    for (variant, materials) in head.variants.iter().map(|variant| &variant.materials).enumerate() {
        let Some(&material) = materials.get(&(mesh, part)) else { continue };
        match of_material.iter_mut().find(|(other, _)| *other == material) {
            Some((_, variants)) => variants.push(variant),
            None => of_material.push((material, vec![variant])),
        }
    }
    of_material.into_iter().map(|(material, variants)| json!({"material": material, "variants": variants})).collect()
}

fn lines(strands: &Strands) -> Vec<u32> {
    let firsts = (0..strands.points.len().saturating_sub(1) as u32)
        .filter(|index| strands.ends.binary_search(&(index + 1)).is_err());
    firsts.flat_map(|index| [index, index + 1]).collect()
}

/// The guides of hair as lines, with the numbers by which strands grow between them.
fn guides(strands: &Strands, target_count: usize, bin: &mut Bin) -> Value {
    let points = &strands.points;
    let position = bin.positions(&points.iter().map(|point| point.position.to_array()).collect::<Vec<_>>());
    let normal = bin.normals(&points.iter().map(|point| point.normal.to_array()).collect::<Vec<_>>());
    let color = bin.colors(&points.iter().map(|point| point.color).collect::<Vec<_>>());
    let growth: Map<String, Value> =
        strands.growth.named().into_iter().map(|(name, number)| (name.to_owned(), json!(number))).collect();
    let mut primitive = json!({
        "attributes": {"POSITION": position, "NORMAL": normal, "COLOR_0": color},
        "indices": bin.indices(&lines(strands), true),
        "material": strands.material,
        // 1: lines.
        "mode": 1,
        "extras": {"strands": growth},
    });
    if target_count > 0 {
        // All primitives of a mesh have equally many targets (glTF 2.0 §3.7.2.2). No target moves the guides.
        let still = json!({"POSITION": bin.deltas::<3>(points.len(), &[], &[], true)});
        primitive["targets"] = vec![still; target_count].into();
    }
    primitive
}

struct TargetAccessors {
    flat: Map<String, Value>,
    smooth: Map<String, Value>,
}

impl TargetAccessors {
    pub(super) fn json(&self, is_flat: bool) -> Value {
        let mut attributes = self.flat.clone();
        if !is_flat {
            attributes.extend(self.smooth.clone());
        }
        attributes.into()
    }
}

/// Writes what a target changes of the vertices of a range, which have normals and tangents or do not.
fn target(
    target: &Target,
    mesh: &Mesh,
    range: Range<usize>,
    (normals, tangents): (bool, bool),
    bin: &mut Bin,
) -> TargetAccessors {
    let (mut flat, mut smooth) = (Map::new(), Map::new());
    let (count, first) = (range.len(), range.start as u32);
    let rows = within(&target.rows, &range);
    let local_rows = local(&target.rows[rows.clone()], first);
    for (name, has_base, deltas) in [
        ("POSITION", true, &target.positions),
        ("NORMAL", normals && !target.normals.is_empty(), &target.normals),
        ("TANGENT", tangents && !target.tangents.is_empty(), &target.tangents),
    ] {
        if has_base {
            let own = deltas.get(rows.clone()).unwrap_or_default();
            let own: Vec<[f32; 3]> = own.iter().map(|delta| delta.to_array()).collect();
            if name == "POSITION" {
                flat.insert(name.into(), json!(bin.position_deltas(count, &local_rows, &own)));
            } else {
                smooth.insert(name.into(), json!(bin.direction_deltas(count, &local_rows, &own)));
            }
        }
    }
    let painted = &target.uv_color_deltas;
    let rows = within(&painted.rows, &range);
    let local_rows = local(&painted.rows[rows.clone()], first);
    for (name, set) in [("TEXCOORD_0", UvSet::First), ("TEXCOORD_1", UvSet::Second)] {
        let uvs: Vec<[f32; 2]> = painted.uvs[rows.clone()].iter().map(|uvs| uvs[set as usize].to_array()).collect();
        if !mesh.vertices.uv_set(set).is_empty() && uvs.iter().any(|uv| *uv != [0.0; 2]) {
            flat.insert(name.into(), json!(bin.deltas(count, &local_rows, &uvs, false)));
        }
    }
    let colors: Vec<[f32; 4]> = painted.colors[rows].iter().map(|color| color.to_array()).collect();
    if !mesh.vertices.colors.is_empty() && colors.iter().any(|color| *color != [0.0; 4]) {
        flat.insert("COLOR_0".into(), json!(bin.deltas(count, &local_rows, &colors, false)));
    }
    TargetAccessors { flat, smooth }
}

fn local(rows: &[u32], first: u32) -> Vec<u32> {
    rows.iter().map(|row| row - first).collect::<Vec<u32>>()
}

fn within(rows: &[u32], range: &Range<usize>) -> Range<usize> {
    let [start, end] = [range.start, range.end].map(|end| rows.partition_point(|&row| (row as usize) < end));
    start..end
}
