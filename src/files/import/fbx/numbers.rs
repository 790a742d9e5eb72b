//! The numbers of `ufbx`, which are of 64 bits, as those of a head.

use glam::{Mat4, Quat, Vec2, Vec3};

use smirk_face::head::Trs;

pub(super) fn vec2(v: &ufbx::Vec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

pub(super) fn vec3(v: &ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

pub(super) fn quat(q: &ufbx::Quat) -> Quat {
    Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}

/// The identity if the rotation has no length.
pub(super) fn trs(transform: &ufbx::Transform) -> Trs {
    let rotation = quat(&transform.rotation);
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY };
    Trs { translation: vec3(&transform.translation), rotation, scale: vec3(&transform.scale) }
}

pub(super) fn mat4(m: &ufbx::Matrix) -> Mat4 {
    let columns = [[m.m00, m.m10, m.m20, 0.0], [m.m01, m.m11, m.m21, 0.0], [m.m02, m.m12, m.m22, 0.0]];
    let [x, y, z] = columns.map(|column| column.map(|number| number as f32));
    let origin = [m.m03, m.m13, m.m23, 1.0].map(|number| number as f32);
    Mat4::from_cols_array_2d(&[x, y, z, origin])
}
