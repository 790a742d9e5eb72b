//! A head's nodes at one moment, and what that makes of its meshes and their vertices.

use glam::{DMat3, Mat3, Mat4, Vec3};

use super::Rig;
use crate::head::{Bounds, Mesh};

/// Where every node stands, and what each joint makes of what hangs on it.
///
/// Whoever needs a vertex in the world asks here: meshes on nodes, skinned meshes and meshes of files without nodes answer
/// alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigPose {
    /// One per node of the rig.
    world_from_node: Vec<Mat4>,
    /// Per skin, per joint: mesh space to world.
    palettes: Vec<Vec<Mat4>>,
}

impl RigPose {
    /// With every node where it is at rest.
    pub fn at_rest(rig: &Rig) -> Self {
        Self::new(rig, rig.world_from_nodes_at_rest())
    }

    /// With nodes where they are said to be, one per node of the rig.
    pub fn new(rig: &Rig, world_from_node: Vec<Mat4>) -> Self {
        let palettes = rig.skins.iter().map(|skin| skin.palette(&world_from_node).collect()).collect();
        Self { world_from_node, palettes }
    }

    /// Where each node stands.
    pub fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// What each joint of a skin makes of a vertex that hangs on it alone; nothing for a skin that is not there.
    pub fn palette(&self, skin: usize) -> &[Mat4] {
        self.palettes.get(skin).map_or(&[], Vec::as_slice)
    }

    /// Where a mesh stands. For a skinned one see [`Self::world_from_vertex`].
    pub fn world_from_mesh(&self, mesh: &Mesh) -> Mat4 {
        let on_node = mesh.node.and_then(|node| self.world_from_node.get(node));
        on_node.copied().unwrap_or(mesh.world_from_mesh)
    }

    /// What puts a vertex, morphed, into the world.
    pub fn world_from_vertex(&self, mesh: &Mesh, vertex: usize) -> Mat4 {
        let Some(skin) = mesh.skin else { return self.world_from_mesh(mesh) };
        let (palette, pulls) = (self.palette(skin), mesh.vertices.influences.of(vertex));
        if pulls.is_empty() {
            return self.world_from_mesh(mesh);
        }
        let world_from_joint = |joint: u32| palette.get(joint as usize).copied().unwrap_or(Mat4::IDENTITY);
        pulls.iter().fold(Mat4::ZERO, |sum, pull| sum + world_from_joint(pull.joint) * pull.weight)
    }

    /// A mesh's vertices, unmorphed, in the world.
    pub fn positions_in_world<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = Vec3> + 'a {
        let positions = mesh.vertices.positions.iter().enumerate();
        positions.map(|(vertex, &point)| self.world_from_vertex(mesh, vertex).transform_point3(point))
    }

    /// Bounds of a mesh, unmorphed.
    pub fn bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        Bounds::of(self.positions_in_world(mesh))
    }

    /// Bounds, unmorphed, of the vertices some target moves visibly; empty when none does.
    pub fn moved_bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        let moved = mesh.visibly_moved();
        Bounds::of(self.positions_in_world(mesh).zip(moved).filter(|(_, moved)| *moved).map(|(point, _)| point))
    }

    /// How much longer the mesh's longest axis is in the world than in its own space.
    pub fn largest_scale(&self, mesh: &Mesh) -> f32 {
        let scale_of = |matrix: &Mat4| {
            let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
            axes.iter().map(|axis| axis.truncate().length()).fold(0.0, f32::max)
        };
        match mesh.skin {
            None => scale_of(&self.world_from_mesh(mesh)),
            Some(skin) => self.palette(skin).iter().map(scale_of).fold(0.0, f32::max),
        }
    }

    /// Whether the mesh is seen mirrored: counter-clockwise triangles turn clockwise. Of a skinned one, whether most of it is.
    pub fn is_mirrored(&self, mesh: &Mesh) -> bool {
        let Some(skin) = mesh.skin else { return Self::mirrors(&self.world_from_mesh(mesh)) };
        let mirrors: Vec<bool> = self.palette(skin).iter().map(Self::mirrors).collect();
        if !mirrors.contains(&true) {
            return false;
        }
        let strongest = (0..mesh.vertices.len()).filter_map(|vertex| mesh.vertices.influences.of(vertex).first());
        let (mut mirrored, mut all) = (0, 0);
        for pull in strongest {
            all += 1;
            mirrored += usize::from(mirrors.get(pull.joint as usize).copied().unwrap_or(false));
        }
        mirrored * 2 > all
    }

    /// Whether a matrix mirrors. In f64: what a head in micrometres has for a determinant is no number of f32.
    pub fn mirrors(matrix: &Mat4) -> bool {
        DMat3::from_mat4(matrix.as_dmat4()).determinant() < 0.0
    }
}

/// The cofactors: the inverse transpose up to a positive factor, and still right where there is no inverse, as when a
/// mesh is squashed flat. A mirrored mesh keeps its normals' side.
pub fn normal_matrix(world_from_mesh: Mat4) -> Mat3 {
    let matrix = Mat3::from_mat4(world_from_mesh);
    let largest = matrix.to_cols_array().iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if !(largest.is_finite() && largest > 0.0) {
        return Mat3::IDENTITY;
    }
    // Scaled to about 1 first: products of a head in micrometres would underflow.
    let matrix = matrix * largest.recip();
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let side = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * side
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn normals_stay_upright_under_uneven_scale_and_mirroring() {
        for scale in [Vec3::new(3.0, 1.0, 0.5), Vec3::new(-2.0, 1.0, 1.0), Vec3::splat(1e-6), Vec3::splat(1e6)] {
            let world_from_mesh = Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_y(0.7), Vec3::X);
            let (normal, along) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, -1.0, 0.0));
            let turned = normal_matrix(world_from_mesh) * normal;
            let along = world_from_mesh.transform_vector3(along);
            let cosine = turned.normalize_or_zero().dot(along.normalize_or_zero());
            assert!(cosine.abs() < 1e-5, "scale {scale}: {cosine}");
            let outwards = world_from_mesh.transform_vector3(normal);
            assert!(turned.dot(outwards) > 0.0, "scale {scale}: turned inside out");
        }
    }

    #[test]
    fn a_squashed_mesh_keeps_the_one_normal_it_has() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!((normal_matrix(flat) * Vec3::Y).normalize_or_zero(), Vec3::Y);
        assert_eq!(normal_matrix(Mat4::ZERO), Mat3::IDENTITY);
    }
}
