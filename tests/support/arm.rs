//! A synthetic skinned arm, and a reference implementation of skinning in f64.

use glam::{DMat3, DMat4, DVec3, Mat4, Vec2, Vec3, Vec4};
use smirk_face::head::{
    Asset, Head, Influence, Influences, Joint, LocalTransform, Material, Mesh, Node, Part, Rig, RigPose, Skin, Target,
    Texture, Trs, Vertices,
};

const RINGS: usize = 40;
const SEGMENTS: usize = 48;

/// The indices of the joints; node 0 is the root and node 4 shows the mesh.
pub const JOINTS: [usize; 3] = [1, 2, 3];

/// An upright tube with three joints, one above the other, and a target that makes it thicker. Its mesh's node is
/// elsewhere, which must have no effect on a skinned mesh.
pub fn arm(material: Material, textures: Vec<Texture>) -> Head {
    let trs = |translation| LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY });
    let node = |name: &str, parent, translation| Node { name: name.into(), parent, rest: trs(translation) };
    let nodes = vec![
        node("root", None, Vec3::new(0.1, 0.0, 0.0)),
        node("shoulder", Some(0), Vec3::NEG_Y * 0.8),
        node("elbow", Some(1), Vec3::Y * 0.8),
        node("wrist", Some(2), Vec3::Y * 0.6),
        node("arm", None, Vec3::splat(40.0)),
    ];
    let mut rig = Rig { nodes, ..Rig::default() };
    let worlds = rig.world_from_nodes_at_rest();
    // The bind pose is the rest pose without the root's offset.
    let bound = Mat4::from_translation(Vec3::new(0.1, 0.0, 0.0));
    let joints = JOINTS.map(|node| Joint { node, joint_from_mesh: worlds[node].inverse() * bound });
    rig.skins.push(Skin { name: "arm".into(), joints: joints.to_vec() });
    Head::new(Asset {
        name: "arm".into(),
        meshes: vec![tube()],
        rig,
        materials: vec![material],
        textures,
        ..Asset::default()
    })
}

fn tube() -> Mesh {
    let mut vertices = Vertices::default();
    let (mut swell, mut swell_normals) = (Vec::new(), Vec::new());
    for ring in 0..=RINGS {
        let height = ring as f32 / RINGS as f32;
        for segment in 0..=SEGMENTS {
            let angle = segment as f32 / SEGMENTS as f32 * std::f32::consts::TAU;
            let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
            vertices.positions.push(normal * 0.25 + Vec3::Y * (height * 2.0 - 1.0));
            vertices.normals.push(normal);
            vertices.tangents.push(Vec4::new(angle.cos(), 0.0, -angle.sin(), 1.0));
            vertices.uvs.push(Vec2::new(segment as f32 / SEGMENTS as f32 * 4.0, height * 4.0));
            // The influence changes gradually from joint to joint; a vertex between two joints has both.
            let along = (height * 2.0).clamp(0.0, 2.0);
            let below = (along as u32).min(1);
            let share = along - below as f32;
            let influences =
                [Influence { joint: below, weight: 1.0 - share }, Influence { joint: below + 1, weight: share }];
            vertices.influences.push(influences, 0);
            let bump = (-((height - 0.3) * 8.0).powi(2)).exp();
            swell.push(normal * bump * 0.2);
            swell_normals.push(Vec3::Y * (height - 0.3) * bump * 2.0);
        }
    }
    let row = SEGMENTS as u32 + 1;
    let quad = |at: u32| [at, at + 1, at + row, at + 1, at + row + 1, at + row];
    let corners = (0..RINGS as u32).flat_map(|ring| (0..SEGMENTS as u32).map(move |segment| ring * row + segment));
    let indices: Vec<u32> = corners.flat_map(quad).collect();
    Mesh {
        name: "arm".into(),
        node: Some(4),
        skin: Some(0),
        vertices,
        parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
        indices,
        targets: vec![Target::from_dense("swell".into(), 0.0, &swell, &swell_normals, &[])],
        ..Mesh::default()
    }
}

/// The arm's nodes with its joints rotated and scaled relative to their parents.
pub fn bent(head: &Head, angle: f32) -> Vec<Mat4> {
    head.rig.world_from_nodes(|node| {
        let rest = head.rig.nodes[node].rest.matrix();
        match JOINTS.iter().position(|&joint| joint == node) {
            Some(0) => rest * Mat4::from_rotation_z(angle * 0.4),
            Some(1) => rest * Mat4::from_rotation_z(-angle) * Mat4::from_scale(Vec3::new(1.3, 0.9, 0.8)),
            Some(_) => rest * Mat4::from_rotation_x(angle),
            None => rest,
        }
    })
}

/// The matrices of a mesh's vertices in f64, computed from the nodes, the inverse bind matrices and the influences.
pub fn matrices(head: &Head, mesh: &Mesh, world_from_nodes: &[Mat4]) -> Vec<DMat4> {
    let Some(skin) = mesh.skin.map(|skin| &head.rig.skins[skin]) else {
        let world = mesh.node.map_or(mesh.world_from_mesh, |node| world_from_nodes[node]);
        return vec![world.as_dmat4(); mesh.vertices.len()];
    };
    let palette: Vec<DMat4> = skin
        .joints
        .iter()
        .map(|joint| world_from_nodes[joint.node].as_dmat4() * joint.joint_from_mesh.as_dmat4())
        .collect();
    let blend = |vertex| {
        let influences = mesh.vertices.influences.of_vertex(vertex).iter();
        influences
            .fold(DMat4::ZERO, |sum, influence| sum + palette[influence.joint as usize] * f64::from(influence.weight))
    };
    (0..mesh.vertices.len()).map(blend).collect()
}

/// The inverse transpose of a matrix, which transforms normals.
pub fn normal_matrix(world_from_mesh: DMat4) -> DMat3 {
    DMat3::from_mat4(world_from_mesh).inverse().transpose()
}

/// The same head without nodes and skins: its vertices and deltas are transformed beforehand.
pub fn baked(head: &Head, world_from_nodes: &[Mat4]) -> Head {
    let meshes = head.meshes.iter().map(|mesh| baked_mesh(mesh, &matrices(head, mesh, world_from_nodes))).collect();
    Head::new(Asset {
        name: head.name.clone(),
        meshes,
        materials: head.materials.clone(),
        textures: head.textures.clone(),
        ..Asset::default()
    })
}

fn baked_mesh(mesh: &Mesh, matrices: &[DMat4]) -> Mesh {
    let mut baked = mesh.clone();
    (baked.node, baked.skin, baked.world_from_mesh) = (None, None, Mat4::IDENTITY);
    baked.vertices.influences = Influences::default();
    let turn = |matrix: DMat3, vector: Vec3| matrix * vector.as_dvec3();
    for (vertex, matrix) in matrices.iter().enumerate() {
        let vertices = &mut baked.vertices;
        vertices.positions[vertex] = matrix.transform_point3(vertices.positions[vertex].as_dvec3()).as_vec3();
        vertices.normals[vertex] = turn(normal_matrix(*matrix), vertices.normals[vertex]).normalize().as_vec3();
        if let Some(tangent) = vertices.tangents.get_mut(vertex) {
            let along = turn(DMat3::from_mat4(*matrix), tangent.truncate()).normalize();
            let side = f64::from(tangent.w) * matrix.determinant().signum();
            *tangent = along.extend(side).as_vec4();
        }
    }
    for target in &mut baked.targets {
        for (at, &row) in target.rows.iter().enumerate() {
            let matrix = matrices[row as usize];
            target.positions[at] = turn(DMat3::from_mat4(matrix), target.positions[at]).as_vec3();
            // The normal keeps its length.
            let length = turn(normal_matrix(matrix), mesh.vertices.normals[row as usize]).length();
            target.normals[at] = (turn(normal_matrix(matrix), target.normals[at]) / length).as_vec3();
        }
    }
    if matrices.first().is_some_and(|matrix| matrix.determinant() < 0.0) {
        baked.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    baked
}

/// The positions of all vertices in the world at weights of 0, in f64.
pub fn points(head: &Head, world_from_nodes: &[Mat4]) -> Vec<DVec3> {
    let of_mesh = |mesh: &Mesh| -> Vec<DVec3> {
        let positions = mesh.vertices.positions.iter().zip(matrices(head, mesh, world_from_nodes));
        positions.map(|(position, matrix)| matrix.transform_point3(position.as_dvec3())).collect()
    };
    head.meshes.iter().flat_map(of_mesh).collect()
}

/// The library's rig pose of the arm with these nodes.
pub fn rig_pose(head: &Head, world_from_nodes: &[Mat4]) -> RigPose {
    RigPose::new(&head.rig, world_from_nodes.to_vec())
}
