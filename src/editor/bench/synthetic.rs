//! Enlarged heads for measurements: several copies of a head side by side, and additional targets that move as many
//! vertices as those of the head.

use glam::{Mat4, Vec3};

use super::BenchError;
use smirk_base::random;
use smirk_face::head::{Asset, Head, InBetween, Mesh, Part, RigPose, ShapeDeltas, Target, Vertices};

/// The distance between the middles of neighbouring copies, as a multiple of the size of the head.
const COPY_SPACING: f32 = 1.05;
const MOST_VERTICES: u64 = 4_000_000;
/// The largest number of deltas: about 10 GB with normals in both layouts.
const MOST_DELTAS: u64 = 300_000_000;

/// `tiles` copies of a head side by side, with `channel_count` channels: those of the head, followed by synthetic ones.
/// Each of these moves the vertices of a random real one, by other distances. Materials and clips are left out.
pub fn enlarge(head: Head, tiles: usize, channel_count: usize) -> Result<Head, BenchError> {
    let originals = head.target_channels().len();
    if originals == 0 {
        return Err(BenchError::NothingMorphs { head: head.name.clone() });
    }
    let sources: Vec<usize> = (0..channel_count)
        .map(|channel| if channel < originals { channel } else { source_of(channel, originals) })
        .collect();
    check_size(&head, tiles, &sources)?;
    let size = head.bounds.size() * COPY_SPACING;
    let columns = (tiles as f64).sqrt().ceil() as usize;
    let places: Vec<Vec3> = (0..tiles)
        .map(|tile| Vec3::new((tile % columns) as f32 * size.x, (tile / columns) as f32 * size.y, 0.0))
        .collect();
    let mut meshes = Vec::new();
    for mesh in &head.meshes {
        let mut tiled = tile_mesh(mesh, &head.rest_pose, &places);
        for (channel, &source) in sources.iter().enumerate() {
            let of_mesh = mesh.first_target..mesh.first_target + mesh.targets.len();
            let local = head.channels[source].targets.iter().filter(|target| of_mesh.contains(target));
            for &target in local {
                let mut target = mesh.targets[target - mesh.first_target].clone();
                if channel >= originals {
                    perturb(&mut target, channel as u32);
                }
                tiled.targets.push(tile_target(&target, tiles, mesh.vertices.len()));
            }
        }
        meshes.push(tiled);
    }
    let name = format!("{} ×{tiles}, {channel_count} targets", head.name);
    Ok(Head::new(Asset { name, meshes, rig: head.into_asset().rig, ..Asset::default() }))
}

/// The head with positions only, for comparison with programs that blend nothing else.
pub fn positions_only(head: Head) -> Head {
    let mut asset = head.into_asset();
    for mesh in &mut asset.meshes {
        mesh.vertices.tangents = Vec::new();
        mesh.vertices.normals.fill(Vec3::ZERO);
        for target in &mut mesh.targets {
            let own = moving_rows(target.deltas());
            let in_betweens = target.in_betweens.iter().map(|it| {
                let (rows, positions) = moving_rows(it.deltas());
                InBetween {
                    name: it.name.clone(),
                    full_weight: it.full_weight,
                    rows,
                    positions,
                    ..InBetween::default()
                }
            });
            let in_betweens = in_betweens.collect();
            *target = Target {
                name: std::mem::take(&mut target.name),
                default_weight: target.default_weight,
                rows: own.0,
                positions: own.1,
                in_betweens,
                ..Target::default()
            };
        }
    }
    Head::new(asset)
}

/// The rows of a shape whose positions move, and their deltas.
fn moving_rows(shape: ShapeDeltas<'_>) -> (Vec<u32>, Vec<Vec3>) {
    let rows = shape.rows.iter().copied().zip(shape.positions.iter().copied());
    rows.filter(|(_, delta)| *delta != Vec3::ZERO).unzip()
}

fn source_of(channel: usize, originals: usize) -> usize {
    ((random::unit(1, channel as u64) * originals as f32) as usize).min(originals - 1)
}

fn check_size(head: &Head, tiles: usize, sources: &[usize]) -> Result<(), BenchError> {
    let targets = sources.iter().flat_map(|&source| &head.channels[source].targets);
    let shapes = targets.filter_map(|&target| head.target(target)).flat_map(|(_, target)| target.shapes());
    let deltas: u64 = shapes.map(|shape| shape.rows.len() as u64).sum();
    let (vertices, deltas) =
        ((head.vertex_count() as u64).saturating_mul(tiles as u64), deltas.saturating_mul(tiles as u64));
    if vertices <= MOST_VERTICES && deltas <= MOST_DELTAS {
        return Ok(());
    }
    Err(BenchError::TooLarge { vertices, deltas, most_vertices: MOST_VERTICES, most_deltas: MOST_DELTAS })
}

/// Copies of a mesh without its targets, one per position.
fn tile_mesh(mesh: &Mesh, rest: &RigPose, places_in_world: &[Vec3]) -> Mesh {
    let mesh_from_world: Vec<Mat4> =
        (0..mesh.vertices.len()).map(|vertex| rest.world_from_vertex(mesh, vertex).inverse()).collect();
    let tiles = places_in_world.len();
    let mut positions: Vec<Vec3> = Vec::with_capacity(mesh.vertices.len() * tiles);
    for &place in places_in_world {
        for (&position, mesh_from_world) in mesh.vertices.positions.iter().zip(&mesh_from_world) {
            // A mesh that is scaled to zero has no inverse; its copies may overlap.
            let offset = Some(mesh_from_world.transform_vector3(place)).filter(|offset| offset.is_finite());
            positions.push(position + offset.unwrap_or_default());
        }
    }
    let vertex_count = mesh.vertices.len() as u32;
    let mut indices = Vec::with_capacity(mesh.indices.len() * tiles);
    let mut parts = Vec::with_capacity(mesh.parts.len());
    for part in &mesh.parts {
        let first_index = indices.len() as u32;
        let own = &mesh.indices[part.first_index as usize..][..part.index_count as usize];
        for tile in 0..tiles as u32 {
            indices.extend(own.iter().map(|index| index + tile * vertex_count));
        }
        let index_count = indices.len() as u32 - first_index;
        parts.push(Part { first_index, index_count, material: 0, flat_shaded: part.flat_shaded });
    }
    Mesh {
        name: mesh.name.clone(),
        world_from_mesh: mesh.world_from_mesh,
        vertices: Vertices {
            positions,
            normals: mesh.vertices.normals.repeat(tiles),
            tangents: mesh.vertices.tangents.repeat(tiles),
            uvs: mesh.vertices.uvs.repeat(tiles),
            second_uvs: mesh.vertices.second_uvs.repeat(tiles),
            colors: mesh.vertices.colors.repeat(tiles),
            influences: mesh.vertices.influences.repeat(tiles),
            control_points: Vec::new(),
        },
        indices,
        parts,
        node: mesh.node,
        skin: mesh.skin,
        ..Mesh::default()
    }
}

fn tile_target(target: &Target, tiles: usize, vertex_count: usize) -> Target {
    let rows_of = |rows: &[u32]| -> Vec<u32> {
        (0..tiles).flat_map(|tile| rows.iter().map(move |row| row + (tile * vertex_count) as u32)).collect()
    };
    let in_betweens = target.in_betweens.iter().map(|it| InBetween {
        name: it.name.clone(),
        full_weight: it.full_weight,
        rows: rows_of(&it.rows),
        positions: it.positions.repeat(tiles),
        normals: it.normals.repeat(tiles),
        tangents: it.tangents.repeat(tiles),
    });
    Target {
        name: target.name.clone(),
        default_weight: target.default_weight,
        rows: rows_of(&target.rows),
        positions: target.positions.repeat(tiles),
        normals: target.normals.repeat(tiles),
        tangents: target.tangents.repeat(tiles),
        in_betweens: in_betweens.collect(),
        ..Target::default()
    }
}

/// Another expression of the same vertices: the deltas are scaled or negated per axis, and varied a little per vertex.
fn perturb(target: &mut Target, channel: u32) {
    let gain = Vec3::from([0, 1, 2].map(|axis| random::signed(channel, u64::MAX - axis) * 1.2));
    target.name = format!("synthetic {channel}");
    for (rows, columns) in target.shapes_mut() {
        for (delta, &row) in columns.into_iter().flat_map(|deltas| deltas.iter_mut().zip(rows)) {
            *delta *= gain * (0.8 + 0.4 * random::unit(channel, u64::from(row)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        let target = |name: &str, rows: &[u32]| Target {
            name: name.into(),
            rows: rows.to_vec(),
            positions: vec![Vec3::X; rows.len()],
            normals: vec![Vec3::Y; rows.len()],
            ..Target::default()
        };
        let mesh = |name: &str, targets: Vec<Target>| Mesh {
            name: name.into(),
            vertices: Vertices {
                positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
                normals: vec![Vec3::Z; 3],
                ..Vertices::default()
            },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 4, flat_shaded: false }],
            targets,
            ..Mesh::default()
        };
        let meshes = vec![
            mesh("face", vec![target("jawOpen", &[0, 2]), target("blink", &[1])]),
            mesh("teeth", vec![target("jawOpen", &[1])]),
        ];
        Head::new(Asset { name: "head".into(), meshes, ..Asset::default() })
    }

    #[test]
    fn copies_stand_side_by_side_with_their_triangles_and_targets() {
        let large = enlarge(head(), 3, 2).unwrap();
        assert_eq!((large.vertex_count(), large.triangle_count(), large.target_count()), (18, 6, 3));
        let face = &large.meshes[0];
        assert_eq!(face.indices, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!((face.parts[0].index_count, face.parts[0].material), (9, 0));
        assert_eq!(face.vertices.positions[3], Vec3::X * COPY_SPACING);
        assert_eq!(face.vertices.positions[6], Vec3::Y * COPY_SPACING);
        assert_eq!(face.targets[0].rows, [0, 2, 3, 5, 6, 8]);
        assert_eq!(face.targets[0].positions, [Vec3::X; 6]);
        assert_eq!(large.channels[0].targets.len(), 2, "jawOpen still drives both meshes");
    }

    #[test]
    fn more_targets_reach_as_far_as_real_ones_and_move_otherwise() {
        let large = enlarge(head(), 2, 40).unwrap();
        assert_eq!(large.channels.len(), 40);
        for channel in &large.channels[2..] {
            for &target in &channel.targets {
                let (mesh, target) = large.target(target).unwrap();
                assert!(mesh.targets[..2].iter().any(|real| real.rows == target.rows), "{}", target.name);
                assert!(target.positions.iter().all(|delta| *delta != Vec3::X && delta.is_finite()));
                assert!(target.rows.windows(2).all(|rows| rows[0] < rows[1]));
            }
        }
        let fewer = enlarge(head(), 1, 1).unwrap();
        assert_eq!((fewer.channels.len(), fewer.target_count()), (1, 2));
    }

    #[test]
    fn what_no_memory_holds_is_refused_with_its_numbers() {
        let error = enlarge(head(), 10_000_000, 2).unwrap_err().to_string();
        assert!(error.contains("60000000 vertices") && error.contains("4000000"), "{error}");
    }

    #[test]
    fn positions_only_keeps_no_normals_and_no_rows_that_do_not_move() {
        let mut full = head();
        full.asset.meshes[0].targets[0].positions[1] = Vec3::ZERO;
        let bare = positions_only(full);
        let target = &bare.meshes[0].targets[0];
        assert_eq!((target.rows.as_slice(), target.normals.len()), (&[0][..], 0));
        assert_eq!(bare.meshes[0].vertices.normals, [Vec3::ZERO; 3]);
    }
}
