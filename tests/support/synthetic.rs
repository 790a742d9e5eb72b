//! Synthetic heads with any number of vertices and targets, and with the attributes that a test chooses.

use glam::{Mat4, Vec3};
use smirk_face::head::{Asset, Head, Mesh, Part, Target, Vertices};

use super::random::Random;

/// The properties of a synthetic mesh.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub vertex_count: usize,
    pub target_count: usize,
    pub has_tangents: bool,
    /// The fraction of the mesh's vertices that a target moves. They follow each other, as they do on a face.
    pub reach: f32,
    /// The offset of the mesh in mesh space. Far from the origin floats are less precise.
    pub offset: Vec3,
    pub world_from_mesh: Mat4,
}

impl Recipe {
    pub fn new(vertex_count: usize, target_count: usize) -> Self {
        Self {
            vertex_count,
            target_count,
            has_tangents: true,
            reach: 0.4,
            offset: Vec3::ZERO,
            world_from_mesh: Mat4::IDENTITY,
        }
    }
}

/// A head with one mesh for each recipe. The same seed gives the same head.
pub fn head(seed: u32, recipes: &[Recipe]) -> Head {
    let mut random = Random::new(seed);
    let meshes = recipes.iter().enumerate().map(|(index, recipe)| mesh(&mut random, index, recipe)).collect();
    head_of(meshes)
}

/// A head with these meshes.
pub fn head_of(meshes: Vec<Mesh>) -> Head {
    Head::new(Asset { name: "synthetic".into(), meshes, ..Asset::default() })
}

/// A square around the origin that faces +z, with its corners from the lower left one counter-clockwise.
pub fn square(side: f32) -> Mesh {
    let half = 0.5 * side;
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    Mesh {
        name: "square".into(),
        vertices: Vertices {
            positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            ..Vertices::default()
        },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material: 0, flat_shaded: false }],
        ..Mesh::default()
    }
}

fn mesh(random: &mut Random, index: usize, recipe: &Recipe) -> Mesh {
    let count = recipe.vertex_count;
    let normals: Vec<Vec3> = (0..count).map(|_| random.direction()).collect();
    let vertices = Vertices {
        // A rough sphere, 20 cm across.
        positions: normals.iter().map(|normal| recipe.offset + *normal * random.between(0.08, 0.1)).collect(),
        tangents: if recipe.has_tangents {
            (0..count).map(|at| random.direction().extend(if at % 2 == 0 { 1.0 } else { -1.0 })).collect()
        } else {
            Vec::new()
        },
        normals,
        ..Default::default()
    };
    let triangle_count = count / 3;
    Mesh {
        name: format!("mesh {index}"),
        world_from_mesh: recipe.world_from_mesh,
        vertices,
        indices: (0..3 * triangle_count as u32).collect(),
        parts: vec![Part { first_index: 0, index_count: 3 * triangle_count as u32, material: 0, flat_shaded: false }],
        targets: (0..recipe.target_count).map(|index| target(random, index, recipe)).collect(),
        ..Mesh::default()
    }
}

/// A target. By its index modulo 5 it has all attributes, positions, normals, positions and normals, or none.
fn target(random: &mut Random, index: usize, recipe: &Recipe) -> Target {
    let count = recipe.vertex_count;
    let touched = ((count as f32 * recipe.reach) as usize).clamp(1, count);
    let first = random.below(count - touched + 1);
    let mut dense = |extent: f32| -> Vec<Vec3> {
        (0..count)
            .map(|at| if (first..first + touched).contains(&at) { random.vector(extent) } else { Vec3::ZERO })
            .collect()
    };
    // Deltas are so small that directions do not vanish when a few dozen targets are active together.
    let (positions, normals, tangents) = (dense(0.01), dense(0.02), dense(0.02));
    let empty = Vec::new();
    let (positions, normals, tangents) = match index % 5 {
        0 => (&positions, &normals, &tangents),
        1 => (&positions, &empty, &empty),
        2 => (&empty, &normals, &empty),
        3 => (&positions, &normals, &empty),
        _ => (&empty, &empty, &empty),
    };
    let tangents = if recipe.has_tangents { tangents } else { &empty };
    Target::from_dense(format!("target {index}"), 0.0, positions, normals, tangents)
}
