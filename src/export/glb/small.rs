//! A file that is stored within an error, which is measured after it was read back.

use glam::{Mat4, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Map;

use super::fetch_order::in_fetch_order;
use super::precision::{Packing, Precision, StoredDeltas};
use super::{Written, in_betweens, written};
use crate::ExportError;
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Mesh, Target};
use smirk_files::import;

/// A file, and how it differs from the head.
#[derive(Clone, Debug)]
pub struct SmallGlb {
    pub bytes: Vec<u8>,
    /// One for each name of a target.
    pub shapes: Vec<StoredShape>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredShape {
    pub name: String,
    /// The bytes of its deltas as floats, dense or sparse.
    pub bytes_before: usize,
    /// Those that it adds to the file, about, since what is compressed is compressed together; 0 for one that is equal
    /// to one before it.
    pub bytes: usize,
    /// How far a vertex is off, at any weight from 0 to 1.
    pub worst_mm: f32,
    /// How far a normal is turned, at weight 0 or 1.
    pub worst_degrees: f32,
}

impl SmallGlb {
    /// The shape that is furthest off.
    pub fn worst(&self) -> Option<&StoredShape> {
        self.shapes.iter().max_by(|a, b| a.worst_mm.total_cmp(&b.worst_mm))
    }
}

/// The bytes of a head within an error, with what they lose.
pub fn small_glb(head: &Head, precision: Precision, progress: Progress<'_>) -> Result<SmallGlb, ExportError> {
    /// Rounding of the numbers of large scenes, and of the weights of joints, may take more than was left for it.
    const ATTEMPTS: usize = 4;
    let flat = in_betweens::as_targets(head);
    let head = flat.as_ref().unwrap_or(head);
    let sorted = (precision.packing == Packing::Compressed).then(|| in_fetch_order(head));
    let head = sorted.as_ref().unwrap_or(head);
    let (mut used, mut worst) = (precision, 0.0);
    for _ in 0..ATTEMPTS {
        let file = written(head, StoredDeltas::Within(used), Map::new(), progress.part(0.0..0.8))?;
        progress.report("reading it back", 0.8)?;
        let read = import::open_bytes(&file.bytes, "small.glb")
            .map_err(|error| failed!("what was written does not open again: {error}"))?;
        let shapes = measured(head, &read, &file)?;
        worst = shapes.iter().map(|shape| shape.worst_mm).fold(0.0, f32::max);
        if worst <= precision.max_error_mm {
            return Ok(SmallGlb { bytes: file.bytes, shapes });
        }
        used.max_error_mm *= 0.9 * precision.max_error_mm / worst;
    }
    let said = precision.max_error_mm;
    Err(failed!("floats of this head are too coarse for an error of {said} mm: it would be {worst:.6} mm"))
}

/// The space of a file, which is that of its scene.
struct Scene<'a> {
    head: &'a Head,
    file_from_world: Mat4,
}

impl Scene<'_> {
    fn matrices(&self, mesh: &Mesh) -> Vec<Mat4> {
        let vertices = 0..mesh.vertices.len();
        vertices.map(|vertex| self.file_from_world * self.head.rest_pose.world_from_vertex(mesh, vertex)).collect()
    }
}

/// A mesh in the file and in the head, with the transforms of their vertices into the space of the file.
struct Pair<'a> {
    of_head: (&'a Mesh, Vec<Mat4>),
    of_file: (&'a Mesh, Vec<Mat4>),
}

fn measured(head: &Head, read: &Head, file: &Written) -> Result<Vec<StoredShape>, ExportError> {
    let in_head = Scene { head, file_from_world: file.file_from_world };
    let in_file = Scene { head: read, file_from_world: read.rig.world_from_file.inverse() };
    let mut pairs = Vec::with_capacity(file.meshes.len());
    for (at, &index) in file.meshes.iter().enumerate() {
        let mesh = &head.meshes[index];
        let same = read.meshes.get(at).filter(|same| same.vertices.len() == mesh.vertices.len());
        let Some(same) = same.filter(|same| same.targets.len() == mesh.targets.len()) else {
            return Err(failed!("mesh {} has not come back, so that no error can be stated", mesh.name));
        };
        let pair = Pair { of_head: (mesh, in_head.matrices(mesh)), of_file: (same, in_file.matrices(same)) };
        pairs.push((index, pair));
    }
    let mm = head.mm_per_unit();
    let mut shapes: Vec<StoredShape> = Vec::new();
    let mut numbered = std::collections::HashMap::new();
    for (index, pair) in &pairs {
        let errors = (0..pair.of_head.0.targets.len()).into_par_iter().map(|target| errors(pair, target));
        let errors: Vec<[f32; 2]> = errors.collect();
        for ((target, errors), bytes) in pair.of_head.0.targets.iter().zip(errors).zip(&file.target_bytes[*index]) {
            let at = *numbered.entry(target.name.as_str()).or_insert_with(|| {
                let name = target.name.clone();
                shapes.push(StoredShape { name, bytes_before: 0, bytes: 0, worst_mm: 0.0, worst_degrees: 0.0 });
                shapes.len() - 1
            });
            let shape = &mut shapes[at];
            shape.bytes_before += bytes[0];
            shape.bytes += bytes[1];
            shape.worst_mm = shape.worst_mm.max(errors[0] * mm);
            shape.worst_degrees = shape.worst_degrees.max(errors[1].to_degrees());
        }
    }
    Ok(shapes)
}

/// How far a target is off, in the unit of the world and in radians. A position is a linear function of the weight, so
/// that it is furthest off at 0 or 1.
fn errors(pair: &Pair<'_>, target: usize) -> [f32; 2] {
    let Pair { of_head: (mesh, matrices), of_file: (same, same_matrices) } = pair;
    let [deltas, same_deltas] = [mesh, same].map(|mesh| dense(&mesh.targets[target], mesh.vertices.len()));
    let mut worst = [0.0_f32; 2];
    for vertex in 0..mesh.vertices.len() {
        let [own, other] =
            [(mesh, matrices, &deltas), (same, same_matrices, &same_deltas)].map(|(mesh, matrices, deltas)| {
                let position = mesh.vertices.positions[vertex];
                let positions =
                    [position, position + deltas[vertex][0]].map(|point| matrices[vertex].transform_point3(point));
                let normal = mesh.vertices.normals.get(vertex).copied().unwrap_or_default();
                (positions, [normal, normal + deltas[vertex][1]])
            });
        for (point, same) in own.0.into_iter().zip(other.0) {
            worst[0] = worst[0].max(point.distance(same));
        }
        for (normal, same) in own.1.into_iter().zip(other.1) {
            if normal.length_squared() > 1e-4 && same.length_squared() > 1e-4 {
                worst[1] = worst[1].max(normal.angle_between(same));
            }
        }
    }
    worst
}

/// The deltas of position and normal of all vertices.
fn dense(target: &Target, count: usize) -> Vec<[Vec3; 2]> {
    let mut all = vec![[Vec3::ZERO; 2]; count];
    for (at, &row) in target.rows.iter().enumerate() {
        let of = |deltas: &[Vec3]| deltas.get(at).copied().unwrap_or_default();
        all[row as usize] = [of(&target.positions), of(&target.normals)];
    }
    all
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use smirk_base::random;
    use smirk_face::head::{
        AlphaMode, Asset, Clip, Curve, GuidePoint, HeadChanges, Influence, Influences, Interpolation, Joint,
        LocalTransform, Matching, Material, MovedTarget, Node, NodePath, NodeTrack, Part, Rig, Skin, Strands, Trs,
        Vertices,
    };

    /// Vertices along a side.
    const SIDE: usize = 40;

    /// A curved sheet of 140 units, so that a unit is about a millimetre, with shapes that move parts of it, on every
    /// node otherwise; the last but one is a copy of the first under another name, the last moves nothing.
    fn sheet(name: &str, node: usize) -> Mesh {
        let at = |index: usize| index as f32 / (SIDE - 1) as f32 - 0.5;
        let positions: Vec<Vec3> = (0..SIDE * SIDE)
            .map(|index| {
                let [x, y] = [at(index % SIDE), at(index / SIDE)];
                Vec3::new(x, y, -x * x - y * y) * 140.0
            })
            .collect();
        let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (y * SIDE + x) as u32));
        let row = SIDE as u32;
        let indices: Vec<u32> = cells.flat_map(|a| [a, a + 1, a + row + 1, a, a + row + 1, a + row]).collect();
        let mut targets: Vec<Target> = (0..6)
            .map(|number| {
                let middle = positions[(number * 271 + 300) % positions.len()];
                let deltas: Vec<Vec3> = (0..)
                    .zip(&positions)
                    .map(|(index, place)| {
                        let noise = |axis: u64| random::signed((number + 10 * node) as u32, index * 3 + axis);
                        let amount = (1.0 - place.distance(middle) / (20.0 + 20.0 * number as f32)).max(0.0);
                        (Vec3::new(3.0, -9.0, 5.0) + Vec3::new(noise(0), noise(1), noise(2)) * 0.4) * amount
                    })
                    .collect();
                // Those of every third shape go beyond -1..1.
                let turn = if number % 3 == 0 { 0.2 } else { 0.05 };
                let normals: Vec<Vec3> = deltas.iter().map(|delta| *delta * turn).collect();
                Target::from_dense(format!("shape{number}"), 0.0, &deltas, &normals, &[])
            })
            .collect();
        targets.push(Target { name: "copy".into(), ..targets[0].clone() });
        targets.push(Target { name: "nothing".into(), ..Target::default() });
        Mesh {
            name: name.into(),
            node: Some(node),
            parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
            vertices: Vertices {
                normals: positions
                    .iter()
                    .map(|place| Vec3::new(place.x, place.y, 90.0).normalize_or(Vec3::Z))
                    .collect(),
                uvs: positions.iter().map(|place| place.truncate() / 150.0 + 0.5).collect(),
                positions,
                ..Vertices::default()
            },
            indices,
            targets,
            ..Mesh::default()
        }
    }

    /// A sheet on a node that an animation moves, one on a node of its own, one that two joints move, and one with
    /// hair.
    fn head() -> Head {
        let node = |name: &str, parent, translation, scale| Node {
            name: name.into(),
            parent,
            rest: LocalTransform::Trs(Trs {
                translation,
                rotation: Quat::from_rotation_y(0.3),
                scale: Vec3::splat(scale),
            }),
        };
        let nodes = vec![
            node("root", None, Vec3::ZERO, 1.0),
            node("moved", Some(0), Vec3::X, 1.0),
            node("alone", Some(0), Vec3::Y * 2.0, 0.5),
            node("joint", Some(0), Vec3::Z * 3.0, 1.2),
            node("tip", Some(3), Vec3::Z, 1.0),
            node("skinned", Some(0), Vec3::ZERO, 1.0),
            node("hairy", Some(0), Vec3::ZERO, 1.0),
        ];
        let mut skinned = sheet("skinned", 5);
        let mut influences = Influences::default();
        for vertex in 0..SIDE * SIDE {
            let weight = (vertex % SIDE) as f32 / SIDE as f32;
            influences.push([Influence { joint: 0, weight: 1.0 - weight }, Influence { joint: 1, weight }], 0);
        }
        skinned.vertices.influences = influences;
        skinned.skin = Some(0);
        let joint = |node, by: f32| Joint { node, joint_from_mesh: Mat4::from_translation(Vec3::splat(by)) };
        let skin = Skin { name: "skin".into(), joints: vec![joint(3, -1.0), joint(4, -2.0)] };
        let mut hairy = sheet("hairy", 6);
        let guide = |number: u32| GuidePoint {
            position: Vec3::new(number as f32 * 0.37, 90.0, -(number as f32)),
            normal: Vec3::new(1.0, number as f32, 3.0).normalize_or(Vec3::Z),
            color: [0.2, 0.1 + number as f32 / 100.0, 0.0],
        };
        let points: Vec<GuidePoint> = (0..40).map(guide).collect();
        hairy.strands = vec![Strands { points, ends: vec![20, 40], ..Strands::default() }];
        let turn = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 0.0, 5.0, 0.0, 0.0], 3).unwrap();
        let track = NodeTrack { node: 1, path: NodePath::Translation, curve: turn };
        let clip = Clip::new("clip".into(), Vec::new()).with_node_tracks(vec![track]);
        Head::new(Asset {
            meshes: vec![sheet("moved", 1), sheet("alone", 2), skinned, hairy],
            materials: vec![Material { name: "skin".into(), ..Material::default() }],
            rig: Rig { nodes, skins: vec![skin], ..Rig::default() },
            clips: vec![clip],
            ..Asset::default()
        })
    }

    #[test]
    fn no_vertex_is_further_off_than_said_and_less_precision_takes_less() {
        let head = head();
        let plain = written(&head, StoredDeltas::Smallest, Map::new(), Progress::NONE).unwrap().bytes.len();
        let mut sizes = Vec::new();
        for packing in [Packing::Floats, Packing::Quantised, Packing::Compressed] {
            for max_error_mm in [0.01, 0.3] {
                let file = small_glb(&head, Precision { max_error_mm, packing }, Progress::NONE).unwrap();
                let worst = file.worst().unwrap();
                assert!(worst.worst_mm <= max_error_mm, "{packing:?}, {max_error_mm}: {worst:?}");
                // An error that is much smaller than the one allowed is bytes that were not saved.
                let is_used = packing == Packing::Floats || worst.worst_mm > 0.6 * max_error_mm;
                assert!(is_used, "{packing:?}, {max_error_mm}: {worst:?}");
                assert!(file.shapes.iter().all(|shape| shape.worst_degrees < 0.5), "{:?}", file.shapes);
                let names: Vec<&str> = file.shapes.iter().map(|shape| shape.name.as_str()).collect();
                assert_eq!(names[5..], ["shape5", "copy", "nothing"]);
                assert_eq!((file.shapes[6].bytes, file.shapes[7].bytes), (0, 0), "equal ones once");
                let read = import::open_bytes(&file.bytes, "small.glb").unwrap();
                let changes =
                    HeadChanges::between_matched(&head, &read, &import::match_heads(&head, &read, Matching::Auto));
                assert!(changes.not_compared.is_empty() && !changes.others.contains(&"skins"), "{changes:?}");
                let apart = |moved: &MovedTarget| moved.largest_mm <= 2.0 * max_error_mm;
                assert!(changes.moved.iter().all(apart), "{packing:?}: {:?}", changes.moved);
                let [guides, same] = [&head, &read].map(|head| {
                    let mut strands = head.meshes.iter().flat_map(|mesh| &mesh.strands);
                    &strands.next().unwrap().points
                });
                assert_eq!(guides.len(), same.len());
                for (guide, same) in guides.iter().zip(same) {
                    assert!(guide.position.distance(same.position) <= max_error_mm, "{guide:?} {same:?}");
                    assert!(guide.normal.angle_between(same.normal) < 1e-3, "{guide:?} {same:?}");
                    assert!(Vec3::from(guide.color).distance(same.color.into()) < 2e-5, "{guide:?} {same:?}");
                }
                sizes.push(file.bytes.len());
            }
        }
        // Without an extension, little is gained where few deltas are small.
        assert!(sizes[..2].iter().all(|size| *size < plain * 21 / 20), "{plain}: {sizes:?}");
        assert!(sizes[1..].windows(2).all(|pair| pair[1] < pair[0]) && sizes[2] < plain, "{plain}: {sizes:?}");
    }

    /// The corners of all triangles of a mesh, each where it is at rest and with its first target.
    fn triangles(mesh: &Mesh) -> Vec<[[u32; 6]; 3]> {
        let deltas = dense(&mesh.targets[0], mesh.vertices.len());
        let corner = |vertex: u32| {
            let (at, delta) = (mesh.vertices.positions[vertex as usize], deltas[vertex as usize][0]);
            let [[x, y, z], [dx, dy, dz]] = [at, delta].map(|of| of.to_array().map(f32::to_bits));
            [x, y, z, dx, dy, dz]
        };
        let from_least = mesh.indices.as_chunks::<3>().0.iter().map(|&[a, b, c]| {
            let turns = [[a, b, c], [b, c, a], [c, a, b]].map(|turn| turn.map(corner));
            turns.into_iter().min().unwrap()
        });
        let mut triangles: Vec<_> = from_least.collect();
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn sorting_vertices_keeps_the_surface_and_its_joints_and_blended_triangles_keep_their_order() {
        let mut asset = head().to_asset();
        asset.meshes[0].vertices.positions.push(Vec3::splat(500.0));
        asset.meshes[0].vertices.normals.push(Vec3::Z);
        asset.meshes[0].vertices.uvs.push(glam::Vec2::ZERO);
        let head = Head::new(asset);
        let sorted = in_fetch_order(&head);
        for (mesh, same) in head.meshes.iter().zip(&sorted.meshes) {
            assert!(mesh.indices != same.indices && triangles(mesh) == triangles(same), "{}", mesh.name);
            for vertex in 0..mesh.vertices.len() {
                let at = mesh.vertices.positions[vertex];
                let new = same.vertices.positions.iter().position(|position| *position == at).unwrap();
                assert_eq!(same.vertices.uvs[new], mesh.vertices.uvs[vertex]);
                assert_eq!(same.vertices.influences.of_vertex(new), mesh.vertices.influences.of_vertex(vertex));
            }
        }
        assert_eq!(sorted.meshes[0].vertices.positions.last(), Some(&Vec3::splat(500.0)), "no triangle has it");
        let mut asset = head.to_asset();
        asset.materials[0].alpha = AlphaMode::Blend;
        let sorted = in_fetch_order(&Head::new(asset));
        let middles = |mesh: &Mesh| {
            let of = |corners: &[u32; 3]| corners.map(|vertex| mesh.vertices.positions[vertex as usize]);
            mesh.indices.as_chunks::<3>().0.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(middles(&sorted.meshes[1]), middles(&head.meshes[1]));
    }

    #[test]
    fn an_error_is_seen_wherever_it_is() {
        let head = head();
        let precision = Precision { max_error_mm: 0.05, packing: Packing::Compressed };
        let file = written(&head, StoredDeltas::Within(precision), Map::new(), Progress::NONE).unwrap();
        let read = import::open_bytes(&file.bytes, "small.glb").unwrap();
        let worst = |head: &Head| {
            let shapes = measured(head, &read, &file).unwrap();
            shapes.into_iter().max_by(|a, b| a.worst_mm.total_cmp(&b.worst_mm)).unwrap()
        };
        assert!(worst(&head).worst_mm <= 0.05);
        for mesh in 0..head.meshes.len() {
            let mut asset = head.to_asset();
            asset.meshes[mesh].targets[3].positions[7].y += 1.0;
            let found = worst(&Head::new(asset));
            assert!(found.name == "shape3" && found.worst_mm > 0.3, "{mesh}: {found:?}");
        }
    }
}
