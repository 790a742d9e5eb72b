//! Notes about meshes that cannot be drawn well: those that are too large, too small or too far away, and those whose
//! vertex colours hide their textures.

use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Material, Mesh, Notes, Rig, RigPose, Subject};

pub(crate) fn note_unusual_sizes(meshes: &[Mesh], rig: &Rig, import: &mut Import<'_>) -> Result<(), Fault> {
    import.begin("finishing", 0.985);
    let rig_pose = RigPose::at_rest(rig);
    for mesh in meshes {
        import.tick()?;
        note_unusual_size(mesh, &rig_pose, &Subject::named(Kind::Mesh, &mesh.name), &mut import.notes);
    }
    Ok(())
}

pub(crate) fn note_unusual_size(mesh: &Mesh, rig_pose: &RigPose, subject: &Subject, notes: &mut Notes) {
    /// Sums of squares of coordinates must stay finite.
    const LARGEST: f32 = 1e15;
    /// Squares of coordinates must not become 0.
    const SMALLEST: f32 = 1e-15;
    let bounds = rig_pose.bounds_in_world(mesh);
    let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
    let size = bounds.size().max_element();
    let is_flattened = mesh.skin.is_none() && rig_pose.world_from_mesh(mesh).determinant() == 0.0;
    // A node may do both: flatten a mesh along one axis, and scale it beyond measure along another.
    if farthest > LARGEST {
        notes.warn(subject, format!("reaches {farthest:e} from the origin, too far to be drawn well"));
    } else if is_flattened {
        notes.warn(subject, "its node flattens it to nothing (scale 0)");
    } else if size == 0.0 {
        notes.warn(subject, "has all its vertices in one place: there is nothing to see");
    } else if size < SMALLEST {
        notes.warn(subject, format!("is {size:e} in size, too small to be drawn well"));
    }
}

/// A channel that is nowhere brighter than this is black: linear, about 5 of 255 in sRGB.
const BLACK: f32 = 0.0015;

/// Notes each mesh whose textures cannot be seen, because the colours of most of its vertices are black.
pub(crate) fn note_black_colors(meshes: &[Mesh], materials: &[Material], notes: &mut Notes) {
    for mesh in meshes.iter().filter(|mesh| is_textured(mesh, materials)) {
        let colors = &mesh.vertices.colors;
        let black = colors.iter().filter(|[r, g, b, _]| r.max(*g).max(*b) <= BLACK).count();
        if black * 2 > colors.len() {
            let message = format!(
                "the colours of {black} of its {} vertices are black and hide its texture; Look › Vertex colours › Ignored \
                 shows it without them",
                colors.len()
            );
            notes.warn(Subject::named(Kind::Mesh, &mesh.name), message);
        }
    }
}

fn is_textured(mesh: &Mesh, materials: &[Material]) -> bool {
    mesh.parts
        .iter()
        .filter_map(|part| materials.get(part.material))
        .any(|material| material.base_color_texture.is_some())
}
