//! Vertices and triangles in the order in which they compress best: neighbours on the surface become neighbours in the
//! file.

use smirk_face::head::{AlphaMode, Head, Influences, Mesh, Target};

/// A head with its triangles one beside the other, and its vertices as these need them. Triangles that are blended keep
/// their order, in which they are drawn.
pub(super) fn in_fetch_order(head: &Head) -> Head {
    let mut sorted = head.to_asset();
    for (index, mesh) in sorted.meshes.iter_mut().enumerate() {
        let count = mesh.vertices.len();
        if mesh.indices.iter().any(|&vertex| vertex as usize >= count) {
            continue;
        }
        for (number, part) in mesh.parts.clone().iter().enumerate() {
            let material = head.materials.get(head.material_of(index, number, None));
            if material.is_none_or(|material| material.alpha != AlphaMode::Blend) {
                let first = part.first_index as usize;
                let end = first + mesh.triangles_of(part).len();
                meshopt::optimize_vertex_cache_strip_in_place(&mut mesh.indices[first..end], count);
            }
        }
        let new_of = fetch_order(mesh);
        mesh.indices.iter_mut().for_each(|vertex| *vertex = new_of[*vertex as usize]);
        sort_vertices(mesh, &new_of);
        mesh.targets.iter_mut().for_each(|target| sort_target(target, &new_of));
    }
    Head::new(sorted)
}

/// The new place of each vertex; those that no triangle has come last.
fn fetch_order(mesh: &Mesh) -> Vec<u32> {
    let mut new_of = vec![u32::MAX; mesh.vertices.len()];
    let all = 0..mesh.vertices.len() as u32;
    let mut next = 0;
    for vertex in mesh.indices.iter().copied().chain(all) {
        let place = &mut new_of[vertex as usize];
        if *place == u32::MAX {
            *place = next;
            next += 1;
        }
    }
    new_of
}

fn sort_vertices(mesh: &mut Mesh, new_of: &[u32]) {
    let mut old_of = vec![0; new_of.len()];
    new_of.iter().zip(0..).for_each(|(&new, old)| old_of[new as usize] = old);
    let vertices = &mut mesh.vertices;
    gather(&mut vertices.positions, &old_of);
    gather(&mut vertices.normals, &old_of);
    gather(&mut vertices.tangents, &old_of);
    gather(&mut vertices.uvs, &old_of);
    gather(&mut vertices.second_uvs, &old_of);
    gather(&mut vertices.colors, &old_of);
    gather(&mut vertices.control_points, &old_of);
    if !vertices.influences.is_empty() {
        let mut influences = Influences::default();
        for &old in &old_of {
            influences.push(vertices.influences.of_vertex(old as usize).iter().copied(), 0);
        }
        vertices.influences = influences;
    }
}

fn sort_target(target: &mut Target, new_of: &[u32]) {
    let order = sort_rows(&mut target.rows, new_of);
    gather(&mut target.positions, &order);
    gather(&mut target.normals, &order);
    gather(&mut target.tangents, &order);
    let painted = &mut target.uv_color_deltas;
    let order = sort_rows(&mut painted.rows, new_of);
    gather(&mut painted.uvs, &order);
    gather(&mut painted.colors, &order);
}

/// Puts rows into their new places. Returns the index that each had before.
fn sort_rows(rows: &mut [u32], new_of: &[u32]) -> Vec<u32> {
    let mut sorted: Vec<(u32, u32)> = rows.iter().map(|&row| new_of[row as usize]).zip(0..).collect();
    sorted.sort_unstable();
    rows.iter_mut().zip(&sorted).for_each(|(row, (new, _))| *row = *new);
    sorted.into_iter().map(|(_, before)| before).collect()
}

/// Takes elements in an order, unless the list is empty.
fn gather<T: Copy>(list: &mut Vec<T>, order: &[u32]) {
    if !list.is_empty() {
        *list = order.iter().map(|&at| list[at as usize]).collect();
    }
}
