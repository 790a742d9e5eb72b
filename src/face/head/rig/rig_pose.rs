//! The pose of a rig: the transforms of its nodes at one moment, and of meshes and vertices that follow from them.

use glam::{DMat3, Mat3, Mat4, Vec3};

use super::Rig;
use crate::head::{Bounds, Mesh};

/// The world transforms of all nodes, and the joint matrices of all skins.
///
/// This is the one place that transforms vertices into the world, for meshes on nodes, skinned meshes and meshes of files without
/// nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigPose {
    /// One per node of the rig.
    world_from_node: Vec<Mat4>,
    /// Per skin, per joint: mesh space to world.
    palettes: Vec<Vec<Mat4>>,
}

impl RigPose {
    /// The pose at rest.
    pub fn at_rest(rig: &Rig) -> Self {
        Self::new(rig, rig.world_from_nodes_at_rest())
    }

    /// The pose with these world transforms, one per node of the rig.
    pub fn new(rig: &Rig, world_from_node: Vec<Mat4>) -> Self {
        let palettes = rig.skins.iter().map(|skin| skin.palette(&world_from_node).collect()).collect();
        Self { world_from_node, palettes }
    }

    /// The world transform of each node.
    pub fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// The joint matrices of a skin; empty for a skin that does not exist.
    pub fn palette(&self, skin: usize) -> &[Mat4] {
        self.palettes.get(skin).map_or(&[], Vec::as_slice)
    }

    /// The world transform of a mesh without a skin. For skinned meshes see [`Self::world_from_vertex`].
    pub fn world_from_mesh(&self, mesh: &Mesh) -> Mat4 {
        let on_node = mesh.node.and_then(|node| self.world_from_node.get(node));
        on_node.copied().unwrap_or(mesh.world_from_mesh)
    }

    /// The transform of a morphed vertex into the world.
    pub fn world_from_vertex(&self, mesh: &Mesh, vertex: usize) -> Mat4 {
        let Some(skin) = mesh.skin else { return self.world_from_mesh(mesh) };
        let (palette, influences) = (self.palette(skin), mesh.vertices.influences.of(vertex));
        if influences.is_empty() {
            return self.world_from_mesh(mesh);
        }
        let world_from_joint = |joint: u32| palette.get(joint as usize).copied().unwrap_or(Mat4::IDENTITY);
        influences.iter().fold(Mat4::ZERO, |sum, each| sum + world_from_joint(each.joint) * each.weight)
    }

    /// The positions of a mesh's vertices in the world, without targets.
    pub fn positions_in_world<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = Vec3> + 'a {
        let positions = mesh.vertices.positions.iter().enumerate();
        positions.map(|(vertex, &point)| self.world_from_vertex(mesh, vertex).transform_point3(point))
    }

    /// The bounds of a mesh in the world, without targets.
    pub fn bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        Bounds::of(self.positions_in_world(mesh))
    }

    /// The bounds in the world, without targets, of the vertices that some target moves visibly; empty if there are none.
    pub fn moved_bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        let moved = mesh.visibly_moved();
        Bounds::of(self.positions_in_world(mesh).zip(moved).filter(|(_, moved)| *moved).map(|(point, _)| point))
    }

    /// The largest scale of a mesh along an axis, from mesh space to world.
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

    /// Whether the transform of a mesh mirrors it, so that counter-clockwise triangles become clockwise. Of a skinned mesh: whether
    /// most of its vertices are mirrored.
    pub fn is_mirrored(&self, mesh: &Mesh) -> bool {
        let Some(skin) = mesh.skin else { return Self::mirrors(&self.world_from_mesh(mesh)) };
        let mirrors: Vec<bool> = self.palette(skin).iter().map(Self::mirrors).collect();
        if !mirrors.contains(&true) {
            return false;
        }
        let strongest = (0..mesh.vertices.len()).filter_map(|vertex| mesh.vertices.influences.of(vertex).first());
        let (mut mirrored, mut all) = (0, 0);
        for influence in strongest {
            all += 1;
            mirrored += usize::from(mirrors.get(influence.joint as usize).copied().unwrap_or(false));
        }
        mirrored * 2 > all
    }

    /// Whether a matrix mirrors. Computed in f64, because the determinant for a head in micrometres underflows in f32.
    pub fn mirrors(matrix: &Mat4) -> bool {
        DMat3::from_mat4(matrix.as_dmat4()).determinant() < 0.0
    }
}

/// The matrix of normals: the cofactors, which are the inverse transpose up to a positive factor and are right even for a matrix
/// without an inverse, which flattens the mesh. Under mirroring, normals keep pointing out of the surface.
pub fn normal_matrix(world_from_mesh: Mat4) -> Mat3 {
    let matrix = Mat3::from_mat4(world_from_mesh);
    let largest = matrix.to_cols_array().iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if !(largest.is_finite() && largest > 0.0) {
        return Mat3::IDENTITY;
    }
    // Scaled to about 1 first: for a head in micrometres the products would underflow.
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
    fn a_flattened_mesh_keeps_its_one_normal() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!((normal_matrix(flat) * Vec3::Y).normalize_or_zero(), Vec3::Y);
        assert_eq!(normal_matrix(Mat4::ZERO), Mat3::IDENTITY);
    }
}
