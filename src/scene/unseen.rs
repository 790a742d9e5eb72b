//! Why a picture shows nothing of the head, or not its face.

use std::fmt;

use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

use super::{Scene, ViewMode};
use smirk_face::head::{Bounds, Head, Mesh, RigPose};

/// Why nothing of the head is seen in a picture, or not its face, which is there at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unseen {
    /// It has no triangles and no hair.
    Empty,
    Hidden,
    Transparent,
    /// What plays has moved it out of the picture.
    Moved {
        /// From where it is at rest, in world units.
        distance: f32,
        sizes: f32,
    },
    /// What plays has moved the face out of the picture, and something else of the head may be seen.
    FaceMoved {
        /// From where it is at rest, in world units.
        distance: f32,
        sizes: f32,
    },
    Behind,
    /// It is beside the picture.
    Aside,
    /// It is smaller than a pixel.
    Tiny,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it has no triangles"),
            Self::Hidden => write!(f, "all of its meshes are hidden"),
            Self::Transparent => write!(f, "all of its materials are transparent"),
            Self::Moved { distance, sizes } | Self::FaceMoved { distance, sizes } => {
                write!(f, "what plays moves it {distance:.3} units from where it is at rest, {sizes:.1} times its size")
            }
            Self::Behind => write!(f, "the camera looks away from it"),
            Self::Aside => write!(f, "the camera looks past it"),
            Self::Tiny => write!(f, "it is smaller than a pixel"),
        }
    }
}

impl Unseen {
    /// What is not in the picture, with the verb.
    pub fn subject(&self) -> &'static str {
        match self {
            Self::FaceMoved { .. } => "the face is not",
            _ => "nothing of the head is",
        }
    }

    /// Why nothing is seen of a head that is in these boxes, in world space, with its rig in a pose; none if something
    /// of the face may be seen, or of what the camera looks at otherwise. `projection_from_world` is that of the
    /// scene's camera.
    pub fn find(
        scene: &Scene,
        projection_from_world: Mat4,
        rig_pose: &RigPose,
        boxes: impl Iterator<Item = (Mat4, Bounds)> + Clone,
    ) -> Option<Self> {
        let head = &scene.head;
        let mut shown = head.meshes.iter().enumerate().filter(|(_, mesh)| has_surface(mesh)).peekable();
        if shown.peek().is_none() {
            return Some(Self::Empty);
        }
        if !shown.any(|(mesh, _)| !scene.look.hidden.contains(mesh)) {
            return Some(Self::Hidden);
        }
        if scene.look.view == ViewMode::Shaded && !is_opaque_somewhere(scene) {
            return Some(Self::Transparent);
        }
        let corners =
            |(world_from_box, bounds): &(Mat4, Bounds)| clip_corners(projection_from_world * *world_from_box, *bounds);
        let mut seen = boxes.clone().filter(|(_, bounds)| !bounds.is_empty()).map(|it| corners(&it));
        if seen.any(|corners| may_be_seen(&corners)) {
            let is_tiny = is_tiny(scene, boxes.map(|it| corners(&it)));
            return if is_tiny { Some(Self::Tiny) } else { face_moved(head, projection_from_world, rig_pose) };
        }
        let world = Bounds::union(boxes.map(|(world_from_box, bounds)| {
            Bounds::around(bounds.corners().map(|corner| world_from_box.transform_point3(corner)))
        }));
        if may_be_seen(&clip_corners(projection_from_world, head.character)) {
            let distance = world.center().distance(head.bounds.center());
            return Some(Self::Moved { distance, sizes: distance / head.character.size().max_element() });
        }
        let is_behind = clip_corners(projection_from_world, world).iter().all(|corner| corner.w <= 0.0);
        Some(if is_behind { Self::Behind } else { Self::Aside })
    }
}

/// How far a pose of the rig has moved the face, if that takes it out of a picture that shows its middle at rest.
fn face_moved(head: &Head, projection_from_world: Mat4, rig_pose: &RigPose) -> Option<Unseen> {
    /// So many vertices of the head tell where its face is.
    const SAMPLES: usize = 1024;
    /// If less than one in so many is in the picture, the face is not.
    const MUCH: u32 = 20;
    let is_seen = |point: Vec3| {
        let at = projection_from_world * point.extend(1.0);
        at.w > 0.0 && at.z >= 0.0 && at.x.abs() <= at.w && at.y.abs() <= at.w
    };
    if rig_pose.world_from_node() == head.rest_pose.world_from_node() || !is_seen(head.focus.center()) {
        return None;
    }
    let step = head.vertex_count().div_ceil(SAMPLES).max(1);
    let (mut count, mut seen, mut way) = (0, 0, Vec3::ZERO);
    for mesh in &head.meshes {
        for (vertex, &position) in mesh.vertices.positions.iter().enumerate().step_by(step) {
            let [rest, posed] =
                [&head.rest_pose, rig_pose].map(|pose| pose.world_from_vertex(mesh, vertex).transform_point3(position));
            if head.focus.contains(rest) {
                (count, seen, way) = (count + 1, seen + u32::from(is_seen(posed)), way + posed - rest);
            }
        }
    }
    let distance = (way / count.max(1) as f32).length();
    (seen * MUCH < count).then(|| Unseen::FaceMoved { distance, sizes: distance / head.focus.size().max_element() })
}

fn has_surface(mesh: &Mesh) -> bool {
    !mesh.indices.is_empty() || !mesh.strands.is_empty()
}

/// Whether any part of a mesh that is shown has a material that is not wholly transparent.
fn is_opaque_somewhere(scene: &Scene) -> bool {
    let head: &Head = &scene.head;
    let shown = head.meshes.iter().enumerate().filter(|(mesh, _)| !scene.look.hidden.contains(*mesh));
    let materials = shown.flat_map(|(index, mesh)| {
        let parts = (0..mesh.parts.len()).filter(|&part| mesh.parts[part].index_count > 0);
        parts.map(move |part| head.material_of(index, part, scene.look.variant))
    });
    let (mut materials, has_hair) = (materials, head.meshes.iter().any(|mesh| !mesh.strands.is_empty()));
    let is_visible_at_rest = |&material: &usize| {
        let material = &head.materials[material];
        !material.changed_by_expressions.alpha && !material.is_invisible()
    };
    if has_hair || materials.clone().any(|material| is_visible_at_rest(&material)) {
        return true;
    }
    let changed = head.materials_under(&scene.expression_outputs);
    materials.any(|material| !changed.get(&material).unwrap_or(&head.materials[material]).is_invisible())
}

/// The corners of a box in clip space.
fn clip_corners(projection_from_box: Mat4, bounds: Bounds) -> [Vec4; 8] {
    bounds.corners().map(|corner| projection_from_box * corner.extend(1.0))
}

/// Whether a part of a box may be in the picture: its corners are not all beyond one side of what the camera sees.
fn may_be_seen(corners: &[Vec4; 8]) -> bool {
    let are_all = |is_beyond: &dyn Fn(&Vec4) -> bool| corners.iter().all(is_beyond);
    !(are_all(&|it| it.x < -it.w)
        || are_all(&|it| it.x > it.w)
        || are_all(&|it| it.y < -it.w)
        || are_all(&|it| it.y > it.w)
        || are_all(&|it| it.z < 0.0 || it.w <= 0.0))
}

/// Whether boxes take less than a pixel together.
fn is_tiny(scene: &Scene, boxes: impl Iterator<Item = [Vec4; 8]>) -> bool {
    let half = glam::vec2(scene.size[0] as f32, scene.size[1] as f32) * 0.5;
    let (mut least, mut most) = (glam::Vec2::INFINITY, glam::Vec2::NEG_INFINITY);
    for corner in boxes.flatten() {
        if corner.w <= 0.0 || !corner.is_finite() {
            return false;
        }
        let at = corner.xy() / corner.w * half;
        (least, most) = (least.min(at), most.max(at));
        if (most - least).max_element() >= 1.0 {
            return false;
        }
    }
    true
}
