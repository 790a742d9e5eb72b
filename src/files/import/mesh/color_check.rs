//! Notes on vertex colours that hide the textures of a head. Some programs store masks in them, and glTF multiplies by them.

use smirk_face::head::{Kind, Material, Mesh, Note, Notes, Subject};

/// A channel that is nowhere brighter than this is black: linear, about 5 of 255 in sRGB.
const BLACK: f32 = 0.0015;

/// Notes each mesh whose textures cannot be seen, because the colours of most of its vertices are black.
pub(crate) fn note_black_colors(meshes: &[Mesh], materials: &[Material], notes: &mut Notes) {
    let is_textured = |mesh: &Mesh| {
        let of = |part: &smirk_face::head::Part| materials.get(part.material);
        mesh.parts.iter().filter_map(of).any(|material| material.base_color_texture.is_some())
    };
    for mesh in meshes.iter().filter(|mesh| is_textured(mesh)) {
        let colors = &mesh.vertices.colors;
        let black = colors.iter().filter(|[r, g, b, _]| r.max(*g).max(*b) <= BLACK).count();
        if black * 2 > colors.len() {
            let message = format!(
                "the colours of {black} of its {} vertices are black and hide its texture; Look › Vertex colours › Ignored \
                 shows it without them",
                colors.len()
            );
            notes.push(Note::warning(Subject::named(Kind::Mesh, &mesh.name), message));
        }
    }
}
