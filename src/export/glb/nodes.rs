//! The tree of nodes (glTF 2.0 §3.5). Nodes keep the order and, unless some have to be added, the numbers that they
//! have in the file of the head.

use std::collections::HashSet;
use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec3, Mat4, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::bin::Bin;
use super::precision::Grid;
use smirk_face::head::{Beam, FileCamera, FileLight, Head, Lens, LocalTransform, Mesh, Rig, Skin, Trs};

pub(super) struct Nodes {
    pub list: Vec<Value>,
    pub roots: Vec<usize>,
    pub of_meshes: Vec<usize>,
    /// Per node of the rig, its index in `list`.
    of_rig: Vec<usize>,
    /// The nodes of the rig that are written as two, which no animation moves.
    split: HashSet<usize>,
    pub file_from_world: Mat4,
}

impl Nodes {
    /// The nodes of a head, without its skins, cameras and lights.
    pub(super) fn from_head(head: &Head) -> Self {
        let rig = &head.rig;
        let mut nodes = Self {
            list: Vec::with_capacity(rig.nodes.len()),
            roots: Vec::new(),
            of_meshes: Vec::new(),
            of_rig: vec![0; rig.nodes.len()],
            split: HashSet::new(),
            file_from_world: rig.world_from_file.inverse(),
        };
        let order = rig.in_order_of_file();
        for &node in &order {
            nodes.of_rig[node] = nodes.list.len();
            nodes.list.push(json!({"name": rig.nodes[node].name}));
        }
        let moving: HashSet<usize> =
            head.clips.iter().flat_map(|clip| &clip.node_tracks).map(|track| track.node).collect();
        // The node to which the parent refers: the same, but for a matrix that needs two.
        let mut upper = nodes.of_rig.clone();
        for &node in &order {
            let index = nodes.of_rig[node];
            match rig.nodes[node].rest {
                LocalTransform::Trs(trs) => set_trs(&mut nodes.list[index], &trs),
                LocalTransform::Matrix(matrix) if is_decomposable(&matrix) => {
                    if moving.contains(&node) {
                        // A node that an animation moves has no matrix (§3.11).
                        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                        set_trs(&mut nodes.list[index], &Trs { translation, rotation: rotation.normalize(), scale });
                    } else {
                        set_matrix(&mut nodes.list[index], matrix);
                    }
                }
                LocalTransform::Matrix(matrix) => {
                    nodes.split.insert(node);
                    let [above, own] = two_transforms(&matrix);
                    set_trs(&mut nodes.list[index], &own);
                    upper[node] = nodes.list.len();
                    nodes.list.push(json!({"name": rig.nodes[node].name, "children": [index]}));
                    set_trs(&mut nodes.list[upper[node]], &above);
                }
            }
        }
        // In the order of the rig, which is that of the lists of children in the file.
        for (node, parent) in rig.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.parent?))) {
            add_to_list(&mut nodes.list[nodes.of_rig[parent]], "children", upper[node]);
        }
        nodes.roots = order.iter().filter(|&&node| rig.nodes[node].parent.is_none()).map(|&node| upper[node]).collect();
        for mesh in &head.meshes {
            let node = nodes.node_with_free(
                mesh.node,
                |nodes: &Self, node| !nodes.of_meshes.contains(&node),
                &mesh.name,
                mesh.world_from_mesh,
            );
            nodes.of_meshes.push(node);
        }
        nodes.turn_roots(head);
        nodes
    }

    pub(super) fn index_of(&self, node: usize) -> Option<usize> {
        self.of_rig.get(node).copied()
    }

    pub(super) fn index_of_moving(&self, node: usize) -> Option<usize> {
        self.index_of(node).filter(|_| !self.split.contains(&node))
    }

    /// The node for something that hangs on a node of the rig, under a key that a node can have once; else a node of
    /// its own.
    pub(super) fn node_with_free(
        &mut self,
        node: Option<usize>,
        is_free: impl Fn(&Self, usize) -> bool,
        name: &str,
        world_from_own: Mat4,
    ) -> usize {
        match node.and_then(|node| self.index_of(node)) {
            Some(node) if is_free(self, node) => node,
            Some(node) => self.add_child(node, json!({"name": name})),
            None => {
                let mut node = json!({"name": name});
                set_matrix(&mut node, self.file_from_world * world_from_own);
                self.list.push(node);
                self.roots.push(self.list.len() - 1);
                self.list.len() - 1
            }
        }
    }

    pub(super) fn add_child(&mut self, parent: usize, node: Value) -> usize {
        let child = self.list.len();
        self.list.push(node);
        add_to_list(&mut self.list[parent], "children", child);
        child
    }

    pub(super) fn join_roots(&mut self, name: &str) {
        let node = json!({"name": name, "children": self.roots});
        self.roots = vec![self.list.len()];
        self.list.push(node);
    }

    pub(super) fn show(&mut self, mesh_of_head: usize, mesh_of_file: usize) {
        let node = self.of_meshes[mesh_of_head];
        self.list[node]["mesh"] = json!(mesh_of_file);
    }

    /// Has the node of a mesh of the head scale it; a child of that node, if there is anything else on it or an
    /// animation may move it.
    pub(super) fn scale_mesh(&mut self, head: &Head, mesh_of_head: usize, factor: f32) {
        let mesh = &head.meshes[mesh_of_head];
        let responses = head.expressions.iter().filter_map(|expression| expression.response.as_ref());
        let clips = head.clips.iter().chain(responses.map(|response| &response.clip));
        let is_used = mesh.node.is_some_and(|node| {
            clips.flat_map(|clip| &clip.node_tracks).any(|track| track.node == node)
                || head.cameras.iter().any(|camera| camera.node == Some(node))
                || head.lights.iter().any(|light| light.node == Some(node))
                || head.carried.nodes.contains_key(&node)
        });
        let mut node = self.of_meshes[mesh_of_head];
        if is_used || self.list[node].get("children").is_some() {
            let shown = self.list[node]["mesh"].take();
            self.list[node].as_object_mut().map(|node| node.remove("mesh"));
            node = self.add_child(node, json!({"name": mesh.name, "mesh": shown}));
            self.of_meshes[mesh_of_head] = node;
        }
        let node = &mut self.list[node];
        if let Some(matrix) = node.get_mut("matrix").and_then(Value::as_array_mut) {
            for number in &mut matrix[..12] {
                *number = json!(number.as_f64().unwrap_or_default() as f32 * factor);
            }
            return;
        }
        let scale = node.get("scale").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let scale: [f32; 3] = std::array::from_fn(|axis| scale.get(axis).and_then(Value::as_f64).unwrap_or(1.0) as f32);
        node["scale"] = json!(scale.map(|scale| scale * factor));
    }

    /// The mesh of the file that stands for a mesh of the head; none for one without triangles.
    pub(super) fn mesh_of_file(&self, mesh_of_head: usize) -> Option<u64> {
        self.list.get(*self.of_meshes.get(mesh_of_head)?)?.get("mesh")?.as_u64()
    }

    /// Puts all roots below one that turns them, if the file is turned otherwise than its format says.
    fn turn_roots(&mut self, head: &Head) {
        let turned_by_format = head.rig.world_from_format.unwrap_or(Mat4::IDENTITY);
        if head.rig.is_turned() || head.rig.world_from_file == turned_by_format {
            return;
        }
        self.join_roots(&head.name);
        self.file_from_world = turned_by_format.inverse();
        let root = self.roots[0];
        set_matrix(&mut self.list[root], self.file_from_world * head.rig.world_from_file);
    }
}

fn add_to_list(object: &mut Value, key: &str, element: usize) {
    match object.get_mut(key).and_then(Value::as_array_mut) {
        Some(list) => list.push(json!(element)),
        None => object[key] = json!([element]),
    }
}

fn set_matrix(node: &mut Value, matrix: Mat4) {
    if matrix != Mat4::IDENTITY && matrix.is_finite() {
        node["matrix"] = json!(matrix.to_cols_array());
    }
}

fn set_trs(node: &mut Value, trs: &Trs) {
    if trs.translation != Trs::IDENTITY.translation && trs.translation.is_finite() {
        node["translation"] = json!(trs.translation.to_array());
    }
    if trs.rotation != Trs::IDENTITY.rotation && trs.rotation.is_finite() {
        node["rotation"] = json!(trs.rotation.to_array());
    }
    if trs.scale != Trs::IDENTITY.scale && trs.scale.is_finite() {
        node["scale"] = json!(trs.scale.to_array());
    }
}

/// Whether a matrix is a translation, a rotation and a scale, as glTF requires of the matrix of a node (§3.5.3): its
/// axes are perpendicular and longer than 0, and nothing is projected.
fn is_decomposable(matrix: &Mat4) -> bool {
    /// The deviation of a right angle that rounding of many products may cause.
    const ROUNDING: f64 = 1e-5;
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().as_dvec3());
    [x, y, z].iter().all(|axis| axis.length() > 0.0)
        && [(x, y), (y, z), (z, x)].iter().all(|&(a, b)| a.dot(b).abs() <= ROUNDING * a.length() * b.length())
        && matrix.row(3) == Vec4::W
}

/// Two transforms whose product is an affine matrix, which need not be decomposable: its singular value decomposition
/// U · S · Vᵀ, with U and S in the first and Vᵀ in the second.
fn two_transforms(matrix: &Mat4) -> [Trs; 2] {
    let linear = DMat3::from_mat4(matrix.as_dmat4());
    let v = eigenvectors(linear.transpose() * linear);
    let scaled = linear * v;
    let lengths = DVec3::new(scaled.x_axis.length(), scaled.y_axis.length(), scaled.z_axis.length());
    let u = completed([scaled.x_axis, scaled.y_axis, scaled.z_axis]);
    // A mirror becomes a negative scale, since a quaternion does not mirror.
    let side = if DMat3::from_cols(u[0], u[1], u[2]).determinant() < 0.0 { -1.0 } else { 1.0 };
    let back = v.transpose();
    [
        Trs {
            translation: matrix.w_axis.truncate(),
            rotation: rotation(u[0], u[1], u[2] * side),
            scale: (lengths * DVec3::new(1.0, 1.0, side)).as_vec3(),
        },
        Trs { rotation: rotation(back.x_axis, back.y_axis, back.z_axis), ..Trs::IDENTITY },
    ]
}

fn rotation(x: DVec3, y: DVec3, z: DVec3) -> glam::Quat {
    DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize().as_quat()
}

/// Perpendicular axes of unit length in the directions of perpendicular vectors, of which some may be 0.
fn completed(vectors: [DVec3; 3]) -> [DVec3; 3] {
    let largest = vectors.iter().fold(0.0, |most: f64, vector| most.max(vector.length()));
    let mut axes: Vec<DVec3> = Vec::with_capacity(3);
    let mut found = [None; 3];
    for (place, vector) in found.iter_mut().zip(vectors) {
        if vector.length() > largest * 1e-9 {
            *place = Some(vector.normalize());
            axes.extend(*place);
        }
    }
    found.map(|axis| {
        axis.unwrap_or_else(|| {
            let candidates = [DVec3::X, DVec3::Y, DVec3::Z]
                .map(|from| axes.iter().fold(from, |rest, axis| rest - *axis * axis.dot(rest)));
            let best = candidates.into_iter().fold(DVec3::ZERO, |a, b| if b.length() > a.length() { b } else { a });
            axes.push(best.normalize_or(DVec3::X));
            axes[axes.len() - 1]
        })
    })
}

/// The eigenvectors of a symmetric matrix as the columns of a rotation, by Jacobi's method.
fn eigenvectors(mut matrix: DMat3) -> DMat3 {
    /// Each sweep squares the remaining error; f64 is exact after five or six.
    const SWEEPS: usize = 12;
    let mut vectors = DMat3::IDENTITY;
    for (p, q) in std::iter::repeat_n([(0, 1), (1, 2), (2, 0)], SWEEPS).flatten() {
        let (of_p, of_q, shared) = (matrix.col(p)[p], matrix.col(q)[q], matrix.col(q)[p]);
        if shared != 0.0 {
            // At most an eighth of a turn: with larger ones the sweeps need not converge.
            let (sine, cosine) = (0.5 * (2.0 * shared / (of_q - of_p)).atan()).sin_cos();
            let mut turn = DMat3::IDENTITY;
            (turn.col_mut(p)[p], turn.col_mut(q)[q]) = (cosine, cosine);
            (turn.col_mut(q)[p], turn.col_mut(p)[q]) = (sine, -sine);
            matrix = turn.transpose() * matrix * turn;
            vectors *= turn;
        }
    }
    vectors
}

/// Writes the skins, and gives them to the nodes of the meshes. Returns the elements of `skins`. `grids` has the grids
/// of the meshes that are written in steps.
pub(super) fn write_skins(head: &Head, nodes: &mut Nodes, grids: &[Option<Grid>], bin: &mut Bin) -> Vec<Value> {
    let mut list = Vec::new();
    // A skin without a joint is none in glTF.
    let mut written = vec![None; head.rig.skins.len()];
    for (index, skin) in head.rig.skins.iter().enumerate().filter(|(_, skin)| !skin.joints.is_empty()) {
        written[index] = Some(list.len());
        // All meshes of a skin have the same grid.
        let own = head.meshes.iter().position(|mesh| is_skinned(mesh, &head.rig) && mesh.skin == Some(index));
        let step = own.and_then(|mesh| grids[mesh]).map_or(1.0, |grid| grid.step);
        list.push(element(skin, step, nodes, bin));
    }
    for (index, mesh) in head.meshes.iter().enumerate().filter(|(_, mesh)| is_skinned(mesh, &head.rig)) {
        let skin = mesh.skin.filter(|_| nodes.mesh_of_file(index).is_some());
        if let Some(skin) = skin.and_then(|skin| written.get(skin).copied().flatten()) {
            let node = nodes.of_meshes[index];
            nodes.list[node]["skin"] = json!(skin);
        }
    }
    if head.rig.skins.iter().any(|skin| root_count(skin, &head.rig) > 1) && nodes.roots.len() > 1 {
        // The joints of a skin have a common root (§3.7.3.1).
        nodes.join_roots(&head.name);
    }
    list
}

/// Whether joints move a mesh: it has influences, and a skin that has joints.
pub(super) fn is_skinned(mesh: &Mesh, rig: &Rig) -> bool {
    let skin = mesh.skin.and_then(|skin| rig.skins.get(skin));
    !mesh.vertices.influences.is_empty() && skin.is_some_and(|skin| !skin.joints.is_empty())
}

fn element(skin: &Skin, step: f32, nodes: &mut Nodes, bin: &mut Bin) -> Value {
    let mut used = HashSet::new();
    let mut joints = Vec::with_capacity(skin.joints.len());
    for joint in &skin.joints {
        let node = nodes.of_rig[joint.node];
        // A node is a joint of a skin once; a second one at the same place stands in for it.
        let is_new = used.insert(node);
        joints.push(if is_new { node } else { nodes.add_child(node, json!({"name": "joint"})) });
    }
    let mesh_from_file = Mat4::from_scale(Vec3::splat(step));
    let joints_from_file = skin.joints.iter().map(|joint| affine(joint.joint_from_mesh) * mesh_from_file);
    let matrices: Vec<[f32; 16]> = joints_from_file.map(|matrix| matrix.to_cols_array()).collect();
    json!({"name": skin.name, "joints": joints, "inverseBindMatrices": bin.matrices(&matrices)})
}

fn affine(joint_from_mesh: Mat4) -> Mat4 {
    let transposed = joint_from_mesh.transpose();
    Mat4::from_cols(transposed.x_axis, transposed.y_axis, transposed.z_axis, Vec4::W).transpose()
}

fn root_count(skin: &Skin, rig: &Rig) -> usize {
    skin.joints.iter().map(|joint| root_of(joint.node, rig)).collect::<HashSet<_>>().len()
}

fn root_of(mut node: usize, rig: &Rig) -> usize {
    while let Some(parent) = rig.nodes.get(node).and_then(|node| node.parent) {
        node = parent;
    }
    node
}

const LIGHTS: &str = "KHR_lights_punctual";

pub(super) fn write_cameras_and_lights(
    head: &Head,
    root: &mut Map<String, Value>,
    extensions: &mut Map<String, Value>,
    nodes: &mut Nodes,
) {
    for (index, camera) in head.cameras.iter().enumerate() {
        let node = nodes.node_with_free(
            camera.node,
            |nodes: &Nodes, node: usize| nodes.list[node].get("camera").is_none(),
            &camera.name,
            camera.world_from_camera,
        );
        nodes.list[node]["camera"] = json!(index);
    }
    for (index, light) in head.lights.iter().enumerate() {
        let node = nodes.node_with_free(
            light.node,
            |nodes: &Nodes, node: usize| nodes.list[node]["extensions"].get(LIGHTS).is_none(),
            &light.name,
            light.world_from_light,
        );
        nodes.list[node]["extensions"] = json!({LIGHTS: {"light": index}});
    }
    if !head.cameras.is_empty() {
        let radius = head.bounds.radius();
        root.insert("cameras".into(), head.cameras.iter().map(|camera| camera_json(camera, radius)).collect());
    }
    if !head.lights.is_empty() {
        let lights: Vec<Value> = head.lights.iter().map(light_json).collect();
        extensions.insert(LIGHTS.into(), json!({"lights": lights}));
    }
}

/// A camera. `radius` is that of the head: glTF asks for clipping planes, which Smirk's cameras do not have.
fn camera_json(camera: &FileCamera, radius: f32) -> Value {
    let (near, far) = (radius * 0.01, radius * 1000.0);
    match camera.lens {
        Lens::Perspective { fov_y_radians } => json!({
            "name": camera.name,
            "type": "perspective",
            "perspective": {"yfov": fov_y_radians, "znear": near}
        }),
        Lens::Orthographic { half_height } => json!({
            "name": camera.name,
            "type": "orthographic",
            "orthographic": {"xmag": half_height, "ymag": half_height, "znear": near, "zfar": far}
        }),
    }
}

fn light_json(light: &FileLight) -> Value {
    let kind = match light.beam {
        Beam::Directional => "directional",
        Beam::Point => "point",
        Beam::Spot { .. } => "spot",
    };
    let mut json = json!({"name": light.name, "type": kind, "color": light.color, "intensity": light.intensity});
    if let Some(range) = light.range.filter(|_| light.beam != Beam::Directional) {
        json["range"] = json!(range);
    }
    if let Beam::Spot { inner_radians, outer_radians } = light.beam {
        // The limit is a number of 64 bits, and the largest angle of 32 bits is above it. The inner angle is the
        // smaller one.
        let outer = f64::from(outer_radians).clamp(f64::from(f32::MIN_POSITIVE), FRAC_PI_2);
        let inner = f64::from(inner_radians).min(f64::from((outer as f32).next_down())).clamp(0.0, outer.next_down());
        json["spot"] = json!({"innerConeAngle": inner, "outerConeAngle": outer});
    }
    json
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn any_affine_matrix_is_the_product_of_two_transforms() {
        let turn = Mat4::from_quat(Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7));
        let stretch = |x, y, z| Mat4::from_scale(Vec3::new(x, y, z));
        let shear = Mat4::from_translation(Vec3::new(3.0, -2.0, 0.5)) * stretch(2.0, 0.5, 1.0) * turn;
        let noise = (0..200).map(|number| {
            let entry = |at: usize| 2.0 * smirk_base::random::signed(7, number * 16 + at as u64);
            let is_last_row = |at: usize| at % 4 == 3;
            Mat4::from_cols_array(&std::array::from_fn(
                |at| if is_last_row(at) { f32::from(at == 15) } else { entry(at) },
            ))
        });
        let special = [
            shear,
            stretch(-1.0, 2.0, 3.0) * turn,
            stretch(0.0, 1.0, 2.0) * turn,
            stretch(0.0, 0.0, 1.0),
            stretch(0.0, 0.0, 0.0),
        ];
        for matrix in special.into_iter().chain(noise) {
            let [outer, inner] = two_transforms(&matrix);
            assert!([outer, inner].iter().all(|trs| (trs.rotation.length() - 1.0).abs() < 1e-6));
            let product = outer.matrix() * inner.matrix();
            assert!(product.abs_diff_eq(matrix, 2e-6), "{product} is not {matrix}");
        }
    }

    #[test]
    fn rotations_and_scales_are_decomposable_and_shears_are_not() {
        let turn = Mat4::from_rotation_y(0.5) * Mat4::from_rotation_x(1.0);
        let scale = Mat4::from_scale(Vec3::new(-2.0, 1e-3, 3.0));
        assert!(is_decomposable(&(turn * scale)) && is_decomposable(&Mat4::IDENTITY));
        assert!(!is_decomposable(&(scale * turn)));
        assert!(!is_decomposable(&Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))), "a flat one has no rotation");
    }
}
