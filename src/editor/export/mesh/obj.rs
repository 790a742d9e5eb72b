//! Baked meshes as a Wavefront OBJ file: one object, one group per mesh, the names of the materials, texture coordinates and
//! normals. Numbers are written with as many digits as it takes to read the same 32 bits again.

use std::fmt::Write;

use super::baked::BakedMesh;
use super::points::Points;
use crate::export::generator::generator;
use smirk_base::names::printable;
use smirk_face::head::{Head, Mesh, Part};

/// The text of the file.
pub(super) fn obj(head: &Head, baked: &[BakedMesh], points: &Points) -> String {
    let mut out = format!("# {}\no {}\n", generator(), name(&head.name));
    // Writing to a string cannot fail, here and below.
    for position in points.positions(baked) {
        let _ = writeln!(out, "v {} {} {}", position.x, position.y, position.z);
    }
    let (mut first_uv, mut first_normal) = (1, 1);
    for (baked, of_vertices) in baked.iter().zip(&points.of_vertices) {
        let mesh = &head.meshes[baked.mesh];
        let _ = writeln!(out, "g {}", name(&mesh.name).replace(char::is_whitespace, "_"));
        for uv in &mesh.vertices.uvs {
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

/// A name on one line. A name that would be empty is `_`, and a backslash at the end, which would join the next line, gets a `_`.
fn name(name: &str) -> String {
    let mut name = printable(name.trim()).into_owned();
    if name.is_empty() || name.ends_with('\\') {
        name.push('_');
    }
    name
}
