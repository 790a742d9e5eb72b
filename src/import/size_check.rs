//! Meshes of a size at which there is nothing to see.

use crate::head::{Kind, Mesh, Note, Rig, RigPose, Subject};

/// Says of each mesh on a rig why there may be nothing to see.
pub fn note_unusual_sizes(meshes: &[Mesh], rig: &Rig, notes: &mut Vec<Note>) {
    let rig_pose = RigPose::at_rest(rig);
    for mesh in meshes {
        note_unusual_size(mesh, &rig_pose, &Subject::named(Kind::Mesh, &mesh.name), notes);
    }
}

/// Says of a mesh why there may be nothing to see.
pub fn note_unusual_size(mesh: &Mesh, rig_pose: &RigPose, object: &Subject, notes: &mut Vec<Note>) {
    /// Squares of coordinates, and sums of them, must stay finite.
    const LARGEST: f32 = 1e15;
    /// And must not vanish.
    const SMALLEST: f32 = 1e-15;
    let bounds = rig_pose.bounds_in_world(mesh);
    let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
    let size = bounds.size().max_element();
    let is_flattened = mesh.skin.is_none() && rig_pose.world_from_mesh(mesh).determinant() == 0.0;
    if is_flattened {
        notes.push(Note::warning(object, "its node flattens it to nothing (scale 0)"));
    } else if farthest > LARGEST {
        notes.push(Note::warning(object, format!("reaches {farthest:e} from the origin, too far to be drawn well")));
    } else if size == 0.0 {
        notes.push(Note::warning(object, "has all its vertices in one place: there is nothing to see"));
    } else if size < SMALLEST {
        notes.push(Note::warning(object, format!("is {size:e} in size, too small to be drawn well")));
    }
}
