//! The pose of a rig: the transforms of its nodes at one moment, and of meshes and vertices that follow from them.
//! Baking applies the transforms of joints and nodes at rest to vertices and deltas, for exports whose formats hold
//! neither skins nor nodes as Smirk has them.

use glam::{DMat3, Mat3, Mat4, Vec3};

use super::Rig;
use crate::head::{Bounds, Head, Influences, Mesh, Standing, Target};

/// The world transforms of all nodes, and the joint matrices of all skins.
///
/// This is the one place that transforms vertices into the world, for meshes on nodes, skinned meshes and meshes of
/// files without nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigPose {
    world_from_node: Vec<Mat4>,
    /// Per skin, per joint: mesh space to world.
    palettes: Vec<Vec<Mat4>>,
}

impl RigPose {
    pub fn at_rest(rig: &Rig) -> Self {
        Self::new(rig, rig.world_from_nodes_at_rest())
    }

    /// The pose with these world transforms, one per node of the rig.
    pub fn new(rig: &Rig, world_from_node: Vec<Mat4>) -> Self {
        let palettes = rig.skins.iter().map(|skin| skin.palette(&world_from_node).collect()).collect();
        Self { world_from_node, palettes }
    }

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
        let (palette, influences) = (self.palette(skin), mesh.vertices.influences.of_vertex(vertex));
        if influences.is_empty() {
            return self.world_from_mesh(mesh);
        }
        influences.iter().fold(Mat4::ZERO, |sum, each| {
            let world_from_joint = palette.get(each.joint as usize).copied().unwrap_or(Mat4::IDENTITY);
            sum + world_from_joint * each.weight
        })
    }

    /// The transforms of all vertices of a mesh into the world: one for all, or, of a skinned mesh, one each.
    pub fn world_from_vertices(&self, mesh: &Mesh) -> Vec<Mat4> {
        if mesh.skin.is_none() {
            return vec![self.world_from_mesh(mesh)];
        }
        (0..mesh.vertices.len()).map(|vertex| self.world_from_vertex(mesh, vertex)).collect()
    }

    /// The positions of a mesh's vertices in the world, without targets.
    pub fn positions_in_world<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = Vec3> + 'a {
        let positions = mesh.vertices.positions.iter().enumerate();
        positions.map(|(vertex, &point)| self.world_from_vertex(mesh, vertex).transform_point3(point))
    }

    /// The bounds of a mesh in the world, without targets.
    pub fn bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        Bounds::around(self.positions_in_world(mesh))
    }

    /// The bounds in the world, without targets, of the vertices that some target moves visibly; empty if there are
    /// none.
    pub fn moved_bounds_in_world(&self, mesh: &Mesh) -> Bounds {
        let moved = mesh.visibly_moved();
        Bounds::around(self.positions_in_world(mesh).zip(moved).filter(|(_, moved)| *moved).map(|(point, _)| point))
    }

    /// The largest scale of a mesh along an axis, from mesh space to world.
    pub fn largest_scale(&self, mesh: &Mesh) -> f32 {
        match mesh.skin {
            None => largest_axis(&self.world_from_mesh(mesh)),
            Some(skin) => self.palette(skin).iter().map(largest_axis).fold(0.0, f32::max),
        }
    }

    /// Whether the transform of a mesh mirrors it, so that counter-clockwise triangles become clockwise. Of a skinned
    /// mesh: whether most of its vertices are mirrored.
    pub fn is_mirrored(&self, mesh: &Mesh) -> bool {
        let Some(skin) = mesh.skin else { return Self::mirrors(&self.world_from_mesh(mesh)) };
        let mirrors: Vec<bool> = self.palette(skin).iter().map(Self::mirrors).collect();
        if !mirrors.contains(&true) {
            return false;
        }
        let vertices = 0..mesh.vertices.len();
        let strongest = vertices.filter_map(|vertex| mesh.vertices.influences.of_vertex(vertex).first());
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

/// The length of the longest axis of a matrix.
fn largest_axis(matrix: &Mat4) -> f32 {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    axes.iter().map(|axis| axis.truncate().length()).fold(0.0, f32::max)
}

/// The matrix of normals: the cofactors, which are the inverse transpose up to a positive factor and are right even for
/// a matrix without an inverse, which flattens the mesh. Under mirroring, normals keep pointing out of the surface.
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

impl Head {
    /// A copy of the head whose meshes are all in world space, in the rest pose, without nodes and skins. One that is
    /// turned is as in its file.
    pub fn in_world_space(&self) -> Self {
        if self.rig.is_turned() {
            return self.turned_to(Standing::UPRIGHT).in_world_space();
        }
        let mut asset = self.to_asset();
        asset.meshes.iter_mut().for_each(|mesh| bake(mesh, &self.rest_pose));
        asset.rig.skins.clear();
        Self::new(asset)
    }
}

/// Transforms a mesh's vertices and deltas into the world at rest.
fn bake(mesh: &mut Mesh, rest: &RigPose) {
    let matrices: Vec<Mat4> = (0..mesh.vertices.len()).map(|vertex| rest.world_from_vertex(mesh, vertex)).collect();
    let linear: Vec<Mat3> = matrices.iter().map(|matrix| Mat3::from_mat4(*matrix)).collect();
    let is_mirrored: Vec<bool> = matrices.iter().map(RigPose::mirrors).collect();
    let normals = matrices.iter().zip(&mesh.vertices.normals);
    let normal_from_mesh: Vec<Mat3> =
        normals.map(|(matrix, normal)| keeping_length(normal_matrix(*matrix), *normal)).collect();
    let vertices = &mut mesh.vertices;
    for (position, matrix) in vertices.positions.iter_mut().zip(&matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in vertices.normals.iter_mut().zip(&normal_from_mesh) {
        *normal = *matrix * *normal;
    }
    let mut tangent_from_mesh = Vec::with_capacity(vertices.tangents.len());
    for ((tangent, matrix), is_mirrored) in vertices.tangents.iter_mut().zip(&linear).zip(&is_mirrored) {
        let matrix = keeping_length(*matrix, tangent.truncate());
        let side = if *is_mirrored { -tangent.w } else { tangent.w };
        *tangent = (matrix * tangent.truncate()).extend(side);
        tangent_from_mesh.push(matrix);
    }
    for (rows, [positions, normals, tangents]) in mesh.targets.iter_mut().flat_map(Target::shapes_mut) {
        let turned = [(positions, &linear), (normals, &normal_from_mesh), (tangents, &tangent_from_mesh)];
        for (deltas, matrices) in turned {
            for (delta, &row) in deltas.iter_mut().zip(rows) {
                *delta = matrices.get(row as usize).map_or(*delta, |matrix| *matrix * *delta);
            }
        }
    }
    // Mirrored triangles have the other winding.
    for triangle in mesh.indices.as_chunks_mut::<3>().0 {
        if triangle.iter().filter(|&&vertex| is_mirrored[vertex as usize]).count() > 1 {
            triangle.swap(1, 2);
        }
    }
    vertices.influences = Influences::default();
    (mesh.skin, mesh.node, mesh.world_from_mesh) = (None, None, Mat4::IDENTITY);
}

/// `matrix`, scaled so that a direction keeps its length: deltas of the direction then keep their ratio to it.
fn keeping_length(matrix: Mat3, direction: Vec3) -> Mat3 {
    let length = (matrix * direction).length();
    if length > 0.0 { matrix * (direction.length() / length) } else { matrix }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use crate::head::{Asset, InBetween, Influence, Joint, LocalTransform, Node, Rig, Skin, Trs, Vertices};

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

    /// A slanted triangle bound to a joint, with tangents along its first side.
    fn skinned(rest: LocalTransform) -> Head {
        let node = Node { name: "jaw".into(), parent: None, rest };
        let joint = Joint { node: 0, joint_from_mesh: Mat4::from_translation(Vec3::Y) };
        let rig =
            Rig { nodes: vec![node], skins: vec![Skin { name: String::new(), joints: vec![joint] }], ..Rig::default() };
        let mut influences = Influences::default();
        for _ in 0..3 {
            influences.push([Influence { joint: 0, weight: 1.0 }], 0);
        }
        let normal = Vec3::new(1.0, 1.0, 1.0).normalize_or_zero();
        let vertices = Vertices {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
            normals: vec![normal; 3],
            tangents: vec![(Vec3::Y - Vec3::X).normalize_or_zero().extend(1.0); 3],
            influences,
            ..Vertices::default()
        };
        let deltas = [Vec3::ZERO, Vec3::X, Vec3::ZERO];
        let mut target = Target::from_dense("open".into(), 0.0, &deltas, &[Vec3::X; 3], &[Vec3::Z; 3]);
        let half = InBetween::from_dense("half".into(), 0.5, &deltas, &[Vec3::X; 3], &[Vec3::Z; 3]);
        target.set_in_betweens(vec![half]);
        let mesh = Mesh { skin: Some(0), vertices, indices: vec![0, 1, 2], targets: vec![target], ..Mesh::default() };
        Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() })
    }

    /// Checks that a baked head has the same positions, and the normals and tangents that follow from `matrix`.
    fn check_baked(head: &Head, matrix: Mat4) {
        let baked = head.in_world_space();
        let (mesh, own) = (&baked.meshes[0], &head.meshes[0]);
        assert!(baked.rig.skins.is_empty() && mesh.skin.is_none() && mesh.world_from_mesh == Mat4::IDENTITY);
        for (before, after) in head.rest_pose.positions_in_world(own).zip(&mesh.vertices.positions) {
            assert!(before.distance(*after) < 1e-5, "{before} {after}");
        }
        let corner = |at: usize| mesh.vertices.positions[mesh.indices[at] as usize];
        let facing = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalize_or_zero();
        let normal = mesh.vertices.normals[0];
        assert!(normal.distance(facing) < 1e-5, "{normal} is not upright on the triangle, {facing}");
        let tangent = mesh.vertices.tangents[0];
        let along = matrix.transform_vector3(Vec3::Y - Vec3::X).normalize_or_zero();
        assert!(tangent.truncate().distance(along) < 1e-5, "{tangent}");
        // The bitangent is transformed by the matrix: it stays on the same side of the tangent.
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        let own_bitangent = own.vertices.normals[0].cross(own.vertices.tangents[0].truncate());
        assert!(bitangent.dot(matrix.transform_vector3(own_bitangent)) > 0.0, "{tangent}");
        let (target, own_target) = (&mesh.targets[0], &own.targets[0]);
        assert!(target.positions[1].distance(matrix.transform_vector3(Vec3::X)) < 1e-5);
        let in_between = &target.in_betweens[0];
        assert_eq!((&in_between.positions, &in_between.normals), (&target.positions, &target.normals));
        assert_eq!(in_between.tangents, target.tangents);
        let turned = (normal_matrix(matrix) * (own.vertices.normals[0] + own_target.normals[0])).normalize_or_zero();
        assert!((normal + target.normals[0]).normalize_or_zero().distance(turned) < 1e-5);
        let turned =
            matrix.transform_vector3(own.vertices.tangents[0].truncate() + own_target.tangents[0]).normalize_or_zero();
        assert!((tangent.truncate() + target.tangents[0]).normalize_or_zero().distance(turned) < 1e-5);
    }

    #[test]
    fn a_baked_skin_has_the_same_positions_and_normals() {
        for scale in [Vec3::new(2.0, 1.0, 1.0), Vec3::new(-1.0, 3.0, 1.0)] {
            let rest = Trs { translation: Vec3::X, rotation: Quat::from_rotation_z(0.5), scale };
            check_baked(&skinned(LocalTransform::Trs(rest)), rest.matrix());
        }
    }

    #[test]
    fn a_mesh_on_a_shearing_node_is_baked() {
        let sheared = Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0)) * Mat4::from_rotation_z(0.5);
        let on_node = |matrix: Mat4| {
            let mut asset = skinned(LocalTransform::Matrix(matrix)).to_asset();
            (asset.meshes[0].skin, asset.meshes[0].node) = (None, Some(0));
            asset.meshes[0].vertices.influences = Influences::default();
            Head::new(asset)
        };
        check_baked(&on_node(sheared), sheared);
    }
}
