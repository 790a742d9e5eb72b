//! Meshes of a head as glTF meshes. The parts of a mesh become primitives that share its vertices and targets.

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::bin::Bin;
use crate::head::{Mesh, Part, Strands, Target};

struct TargetAccessors {
    position: usize,
    normal: Option<usize>,
    tangent: Option<usize>,
}

/// Writes a mesh, and returns its element of `meshes`.
pub(super) fn mesh(mesh: &Mesh, bin: &mut Bin) -> Value {
    let vertices = &mesh.vertices;
    let positions: Vec<[f32; 3]> = vertices.positions.iter().map(|position| position.to_array()).collect();
    let position = bin.vertices(&positions, true);
    let is_shaded = mesh.parts.iter().any(|part| !part.flat_shaded);
    let normal = is_shaded.then(|| {
        // Normals of unit length are written bit for bit. A vertex that only flat-shaded parts use has no normal.
        let unit = |normal: &Vec3| match normal.length() {
            length if (length - 1.0).abs() < 0.005 => normal.to_array(),
            _ => normal.try_normalize().unwrap_or(Vec3::Z).to_array(),
        };
        bin.vertices(&vertices.normals.iter().map(unit).collect::<Vec<_>>(), false)
    });
    let tangent = (is_shaded && !vertices.tangents.is_empty()).then(|| {
        let unit = |tangent: &Vec4| {
            let along = tangent.truncate();
            let unit = along.try_normalize().unwrap_or(Vec3::X);
            let along = if (along.length() - 1.0).abs() < 0.005 { along } else { unit };
            along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 }).to_array()
        };
        bin.vertices(&vertices.tangents.iter().map(unit).collect::<Vec<_>>(), false)
    });
    let mut uv_set = |uvs: &[Vec2]| {
        (!uvs.is_empty()).then(|| bin.vertices(&uvs.iter().map(|uv| uv.to_array()).collect::<Vec<_>>(), false))
    };
    let (uv, second_uv) = (uv_set(&vertices.uvs), uv_set(&vertices.second_uvs));
    let color = (!vertices.colors.is_empty()).then(|| bin.vertices(&vertices.colors, false));
    let targets: Vec<TargetAccessors> =
        mesh.targets.iter().map(|it| target(it, vertices.len(), normal.is_some(), tangent.is_some(), bin)).collect();
    let primitive = |part: &Part, bin: &mut Bin| {
        let mut attributes = Map::new();
        let shaded = |accessor: Option<usize>| accessor.filter(|_| !part.flat_shaded);
        for (name, accessor) in [
            ("POSITION", Some(position)),
            ("NORMAL", shaded(normal)),
            ("TANGENT", shaded(tangent)),
            ("TEXCOORD_0", uv),
            ("TEXCOORD_1", second_uv),
            ("COLOR_0", color),
        ] {
            if let Some(accessor) = accessor {
                attributes.insert(name.into(), json!(accessor));
            }
        }
        let indices = &mesh.indices[part.first_index as usize..][..part.index_count as usize];
        let mut primitive =
            json!({"attributes": attributes, "indices": bin.indices(indices), "material": part.material});
        if !targets.is_empty() {
            let target = |target: &TargetAccessors| {
                let mut deltas = json!({"POSITION": target.position});
                for (name, accessor) in [("NORMAL", shaded(target.normal)), ("TANGENT", shaded(target.tangent))] {
                    if let Some(accessor) = accessor {
                        deltas[name] = json!(accessor);
                    }
                }
                deltas
            };
            primitive["targets"] = targets.iter().map(target).collect();
        }
        primitive
    };
    let mut primitives: Vec<Value> = mesh.parts.iter().map(|part| primitive(part, bin)).collect();
    primitives.extend(mesh.strands.iter().map(|strands| guides(strands, mesh.targets.len(), bin)));
    let mut json = json!({"name": mesh.name, "primitives": primitives});
    if !mesh.targets.is_empty() {
        json["weights"] = mesh.targets.iter().map(|target| target.default_weight).collect();
        let names: Vec<&str> = mesh.targets.iter().map(|target| target.name.as_str()).collect();
        json["extras"] = json!({"targetNames": names});
    }
    json
}

/// The guides of hair as lines, with the numbers by which strands grow between them.
fn guides(strands: &Strands, target_count: usize, bin: &mut Bin) -> Value {
    let points = &strands.points;
    let of = |values: Vec<[f32; 3]>, bounds: bool, bin: &mut Bin| bin.vertices(&values, bounds);
    let position = of(points.iter().map(|point| point.position.to_array()).collect(), true, bin);
    let normal = of(points.iter().map(|point| point.normal.to_array()).collect(), false, bin);
    let color = of(points.iter().map(|point| point.color).collect(), false, bin);
    let ends_a_guide = |index: &u32| strands.ends.binary_search(&(index + 1)).is_ok();
    let lines = (0..points.len() as u32).filter(|index| !ends_a_guide(index)).flat_map(|index| [index, index + 1]);
    let growth: Map<String, Value> =
        strands.growth.named().into_iter().map(|(name, number)| (name.to_owned(), json!(number))).collect();
    let mut primitive = json!({
        "attributes": {"POSITION": position, "NORMAL": normal, "COLOR_0": color},
        "indices": bin.indices(&lines.collect::<Vec<_>>()),
        "material": strands.material,
        // 1: lines.
        "mode": 1,
        "extras": {"strands": growth},
    });
    if target_count > 0 {
        // All primitives of a mesh have equally many targets (glTF 2.0 §3.7.2.2). No target moves the guides.
        let still = json!({"POSITION": bin.deltas(points.len(), &[], &[], true)});
        primitive["targets"] = vec![still; target_count].into();
    }
    primitive
}

fn target(target: &Target, vertex_count: usize, normals: bool, tangents: bool, bin: &mut Bin) -> TargetAccessors {
    let mut deltas = |values: &[Vec3], bounds: bool| bin.deltas(vertex_count, &target.rows, values, bounds);
    TargetAccessors {
        position: deltas(&target.positions, true),
        normal: (normals && !target.normals.is_empty()).then(|| deltas(&target.normals, false)),
        tangent: (tangents && !target.tangents.is_empty()).then(|| deltas(&target.tangents, false)),
    }
}
