//! The files of baked meshes.
//!
//! - **OBJ** (Wavefront): one object, one group per mesh, the names of the materials, texture coordinates and
//!   normals. Numbers are written with as many digits as it takes to read the same 32 bits again.
//! - Point caches have the positions of all points at every frame:
//!
//! - **PC2** (3ds Max Point Cache 2), little-endian: the text `POINTCACHE2` with a zero, version 1, the number of
//!   points, the first frame and the frames per sample as floats, the number of samples; then three floats per point,
//!   sample by sample. As in the 3ds Max SDK, and as Blender's *Mesh Cache* modifier reads it
//!   (`source/blender/modifiers/intern/MOD_meshcache_pc2.cc`).
//! - **MDD** (LightWave), big-endian: the number of frames and of points, the time of each frame in seconds; then three
//!   floats per point, frame by frame. As Blender's modifier reads it (`MOD_meshcache_mdd.cc`).

use std::fmt::Write;

use glam::Vec3;

use super::baked::{BakedMesh, Moment, positions_of, uvs_and_colors};
use crate::generator;
use smirk_base::names::printable;
use smirk_face::head::{Head, Mesh, Part, Points};

pub(super) fn obj(head: &Head, baked: &[BakedMesh], moment: &Moment, points: &Points) -> String {
    let mut out = format!("# {}\no {}\n", generator(), name(&head.name));
    // Writing to a string cannot fail, here and below.
    for position in positions_of(points, baked) {
        let _ = writeln!(out, "v {} {} {}", position.x, position.y, position.z);
    }
    let (mut first_uv, mut first_normal) = (1, 1);
    for (baked, of_vertices) in baked.iter().zip(&points.of_vertices) {
        let mesh = &head.meshes[baked.mesh];
        let _ = writeln!(out, "g {}", name(&mesh.name).replace(char::is_whitespace, "_"));
        for uv in uvs_and_colors(mesh, moment).uvs {
            // OBJ counts v from the bottom. In 64 bits the difference is exact enough to be turned back.
            let _ = writeln!(out, "vt {} {}", uv.x, 1.0 - f64::from(uv.y));
        }
        let has_normals = mesh.parts.iter().any(|part| !part.flat_shaded);
        for normal in baked.normals.iter().filter(|_| has_normals) {
            let _ = writeln!(out, "vn {} {} {}", normal.x, normal.y, normal.z);
        }
        for part in &mesh.parts {
            let corners = Corners {
                of_vertices,
                first_uv: (!mesh.vertices.uvs.is_empty()).then_some(first_uv),
                first_normal: (!part.flat_shaded).then_some(first_normal),
            };
            part_faces(&mut out, head, (mesh, baked), part, &corners);
        }
        first_uv += mesh.vertices.uvs.len();
        first_normal += if has_normals { baked.normals.len() } else { 0 };
    }
    out
}

/// The numbers of corners of faces, which OBJ counts from 1 over the whole file.
struct Corners<'a> {
    of_vertices: &'a [u32],
    first_uv: Option<usize>,
    first_normal: Option<usize>,
}

impl Corners<'_> {
    fn write(&self, out: &mut String, vertex: usize) {
        let point = self.of_vertices[vertex] + 1;
        let _ = match (self.first_uv, self.first_normal) {
            (None, None) => write!(out, " {point}"),
            (Some(uv), None) => write!(out, " {point}/{}", uv + vertex),
            (None, Some(normal)) => write!(out, " {point}//{}", normal + vertex),
            (Some(uv), Some(normal)) => write!(out, " {point}/{}/{}", uv + vertex, normal + vertex),
        };
    }
}

fn part_faces(out: &mut String, head: &Head, (mesh, baked): (&Mesh, &BakedMesh), part: &Part, corners: &Corners<'_>) {
    let range = part.first_index as usize..part.first_index as usize + mesh.triangles_of(part).len();
    let Some(triangles) = baked.indices.get(range).filter(|indices| !indices.is_empty()) else { return };
    if let Some(material) = head.materials.get(part.material) {
        let _ = writeln!(out, "usemtl {}", name(&material.name));
    }
    out.push_str(if part.flat_shaded { "s off\n" } else { "s 1\n" });
    for triangle in triangles.as_chunks::<3>().0 {
        out.push('f');
        triangle.iter().for_each(|&vertex| corners.write(out, vertex as usize));
        out.push('\n');
    }
}

/// A name on one line. A name that would be empty is `_`, and a backslash at the end, which would join the next line,
/// gets a `_`.
fn name(name: &str) -> String {
    let mut name = printable(name.trim()).into_owned();
    if name.is_empty() || name.ends_with('\\') {
        name.push('_');
    }
    name
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheFormat {
    Pc2,
    Mdd,
}

impl CacheFormat {
    /// The bytes before the first sample. `first_frame` is its number, `secs_of` the time of a sample after the first
    /// one.
    pub(super) fn header(self, points: i32, samples: i32, first_frame: i64, secs_of: impl Fn(i32) -> f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Pc2 => {
                bytes.extend(b"POINTCACHE2\0");
                bytes.extend(1_i32.to_le_bytes());
                bytes.extend(points.to_le_bytes());
                bytes.extend((first_frame as f32).to_le_bytes());
                // One frame per sample.
                bytes.extend(1.0_f32.to_le_bytes());
                bytes.extend(samples.to_le_bytes());
            }
            Self::Mdd => {
                bytes.extend(samples.to_be_bytes());
                bytes.extend(points.to_be_bytes());
                (0..samples).for_each(|sample| bytes.extend((secs_of(sample) as f32).to_be_bytes()));
            }
        }
        bytes
    }

    pub(super) fn sample(self, positions: impl Iterator<Item = Vec3>) -> Vec<u8> {
        let numbers = positions.flat_map(|position| position.to_array());
        match self {
            Self::Pc2 => numbers.flat_map(f32::to_le_bytes).collect(),
            Self::Mdd => numbers.flat_map(f32::to_be_bytes).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_as_specified() {
        let pc2 = CacheFormat::Pc2.header(258, 3, 12, |_| 0.0);
        assert_eq!(pc2.len(), 32);
        assert_eq!(&pc2[..16], b"POINTCACHE2\0\x01\0\0\0");
        assert_eq!(&pc2[16..24], &[2, 1, 0, 0, 0, 0, 0x40, 0x41], "258 points, from frame 12.0");
        assert_eq!(&pc2[24..], &[0, 0, 0x80, 0x3f, 3, 0, 0, 0], "1.0 frame per sample, 3 samples");
        let mdd = CacheFormat::Mdd.header(258, 2, 12, |sample| f64::from(sample) * 0.5);
        assert_eq!(mdd, [0, 0, 0, 2, 0, 0, 1, 2, 0, 0, 0, 0, 0x3f, 0, 0, 0]);
        let position = [Vec3::new(1.0, -2.0, 0.5)];
        assert_eq!(CacheFormat::Pc2.sample(position.into_iter())[..8], [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        assert_eq!(CacheFormat::Mdd.sample(position.into_iter())[..8], [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]);
    }
}
