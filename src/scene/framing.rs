//! Where the camera stands so that the picture shows the face, or the whole head in profile.

use glam::Vec3;

use super::{Camera, View};
use smirk_face::head::{Bounds, Frame, Head};

impl Camera {
    /// Moves the camera so that a part of a head fills the picture with a small margin. The direction stays.
    pub fn frame_part(&mut self, head: &Head, part: Frame, aspect: f32) {
        match part {
            Frame::Face => self.frame(head.focus, aspect),
            part => *self = self.filled_with(head.framed(part).corners().into(), aspect),
        }
    }

    /// Moves the camera so that `focus` fills the picture with a small margin. The direction stays.
    ///
    /// The focus is the part of the face that targets move, which is its front. The picture also shows the head around
    /// it, as a portrait does: up to the crown, to the ears and the back of the head, and a little below the chin.
    pub fn frame(&mut self, focus: Bounds, aspect: f32) {
        if focus.is_empty() {
            (self.target_in_world, self.distance) = (Vec3::ZERO, 1.0 / (self.fov_y * 0.5).tan());
            return;
        }
        // If targets move a single vertex, the focus has no size; the picture then shows a part of the head around it.
        let least = self.scene_bounds.size().max_element() * 0.05;
        let size = focus.size().max_element().max(least).max(f32::MIN_POSITIVE);
        let portrait = Bounds {
            min: focus.min - size * Vec3::new(0.3, 0.1, 0.3),
            max: focus.max + size * Vec3::new(0.3, 0.5, 0.3),
        };
        let shown = portrait.intersection(self.scene_bounds).unwrap_or(portrait);
        self.target_in_world = shown.center();
        let half_height = shown.size().max_element().max(least).max(f32::MIN_POSITIVE) * 0.5 * 1.04;
        self.distance = half_height / (self.fov_y * 0.5).tan() / aspect.clamp(0.05, 1.0) + shown.size().z * 0.5;
        if self.yaw.sin().abs() > std::f32::consts::FRAC_1_SQRT_2 {
            self.show_depth(shown.max.z, self.scene_bounds.min.z.max(focus.min.z - size), aspect);
        }
    }

    /// Moves a camera that sees a head from its side so that the picture shows it from the nose to the back of the
    /// head, if it does not already. A profile is wider than the face that the camera frames.
    fn show_depth(&mut self, front: f32, back: f32, aspect: f32) {
        // The outline of a profile is in the plane of the target.
        const MARGIN: f32 = 0.05;
        let slope = (self.fov_y * 0.5).tan() * aspect.max(0.05) * (1.0 - MARGIN);
        self.distance = self.distance.max((front - back) * 0.5 / slope);
        let reach = self.distance * slope;
        let middle = (front + back) * 0.5;
        // Both limits are the middle where the head just fits; rounding must not swap them.
        let (least, most) = ((front - reach).min(middle), (back + reach).max(middle));
        self.target_in_world.z = self.target_in_world.z.clamp(least, most);
    }

    /// Keeps the view when a head is replaced by one of another size or at another place, such as the same file
    /// exported in other units. `from` is the focus of the old head and `to` that of the new one. After smaller
    /// changes, which the artist wants to see, the camera stays.
    pub fn follow(&mut self, from: Bounds, to: Bounds) {
        if from.is_empty() || to.is_empty() {
            return;
        }
        let (scale, distance) = (to.radius() / from.radius(), from.center().distance(to.center()));
        let is_near = (0.5..2.0).contains(&scale) && distance < from.radius();
        if is_near || !(scale * self.distance).is_normal() || !distance.is_finite() {
            return;
        }
        self.target_in_world = to.center() + (self.target_in_world - from.center()) * scale;
        self.distance *= scale;
    }

    /// Looks from a preset direction. A camera that frames a part of the head frames it from there, too; one that the
    /// user has moved nearer or aside keeps its target and distance.
    pub fn turn_to(&mut self, view: View, head: &Head, aspect: f32) {
        let framed = Frame::EACH
            .iter()
            .copied()
            .filter_map(|part| Some((self.distance_from_framing(head, part, aspect)?, part)));
        let framed = framed.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, part)| part);
        self.look_from(view);
        if let Some(part) = framed {
            self.frame_part(head, part, aspect);
        }
    }

    /// Frames the same part of the head in a picture of another shape. A camera that frames none, because the user has
    /// moved it, stays where it is.
    pub fn keep_framed(&mut self, head: &Head, aspect_before: f32, aspect: f32) {
        let framed = Frame::EACH.iter().copied().find(|&part| {
            let mut framed = *self;
            framed.frame_part(head, part, aspect_before);
            let apart =
                self.target_in_world.distance(framed.target_in_world).max((self.distance - framed.distance).abs());
            apart <= 1e-4 * framed.distance
        });
        if let Some(part) = framed {
            self.frame_part(head, part, aspect);
        }
    }

    /// How much the camera differs from one that frames a part of the head, as the logarithm of the ratio of their
    /// distances; none if too much to be called framed.
    fn distance_from_framing(&self, head: &Head, part: Frame, aspect: f32) -> Option<f32> {
        let mut framed = *self;
        framed.frame_part(head, part, aspect);
        let is_aside = self.target_in_world.distance(framed.target_in_world) > 0.01 * framed.distance;
        let ratio = self.distance / framed.distance;
        (!is_aside && (0.7..1.4).contains(&ratio)).then(|| ratio.ln().abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Mesh, Target, Vertices};

    const FACE: Bounds = Bounds { min: Vec3::new(-0.06, -0.1, 0.01), max: Vec3::new(0.06, 0.1, 0.13) };
    const HEAD: Bounds = Bounds { min: Vec3::new(-0.15, -0.25, -0.15), max: Vec3::new(0.15, 0.2, 0.14) };

    fn scaled(bounds: Bounds, unit: f32) -> Bounds {
        Bounds { min: bounds.min * unit, max: bounds.max * unit }
    }

    /// A head with the corners of a box, and with those of [`FACE`], which a target moves.
    fn head_of(bounds: Bounds) -> Head {
        let positions = [bounds.corners(), FACE.corners()].concat();
        let rows: Vec<u32> = (8..16).collect();
        let target =
            Target { name: "shape".into(), positions: vec![Vec3::X * 0.01; rows.len()], rows, ..Target::default() };
        let vertices = Vertices { positions, ..Vertices::default() };
        let mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() })
    }

    fn project(camera: &Camera, aspect: f32, point: Vec3) -> Vec3 {
        (camera.projection_from_view(aspect) * camera.view_from_world()).project_point3(point)
    }

    #[test]
    fn framing_shows_all_of_the_focus_in_any_unit_from_anywhere() {
        for unit in [1e-3, 1.0, 100.0, 1e6] {
            for view in [View::Front, View::ThreeQuarter, View::Left, View::Right] {
                for aspect in [0.4, 1.0, 2.5] {
                    let (face, head) = (scaled(FACE, unit), scaled(HEAD, unit));
                    let camera = Camera::framing(face, head, view, aspect);
                    for corner in face.corners() {
                        let seen = project(&camera, aspect, corner);
                        assert!(seen.truncate().abs().max_element() < 1.0, "{view:?}, {aspect}, unit {unit}: {seen}");
                    }
                    for corner in head.corners() {
                        let depth = project(&camera, aspect, corner).z;
                        assert!((0.0..=1.0).contains(&depth), "{view:?}, {aspect}, unit {unit}: depth {depth}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_profile_shows_the_head_from_the_nose_to_the_back() {
        // Hair that reaches far behind the face.
        let bounds = Bounds { min: Vec3::new(-0.12, -0.25, -0.18), ..HEAD };
        let head = head_of(bounds);
        for aspect in [0.4, 0.75, 0.92, 1.0, 1.6] {
            for view in [View::Left, View::Right] {
                let mut camera = Camera::framing(FACE, bounds, View::ThreeQuarter, aspect);
                camera.turn_to(view, &head, aspect);
                assert_eq!(camera, Camera::framing(FACE, bounds, view, aspect), "the window shows what commands draw");
                for point in [Vec3::new(0.0, 0.0, FACE.max.z), Vec3::new(0.0, 0.0, bounds.min.z)] {
                    let x = project(&camera, aspect, point).x;
                    assert!(x.abs() < 0.97, "{view:?}, {aspect}: {point} at {x}");
                }
                camera.turn_to(View::Front, &head, aspect);
                assert_eq!(
                    camera,
                    Camera::framing(FACE, bounds, View::Front, aspect),
                    "nothing remains of the profile"
                );
            }
        }
        let mut near = Camera::framing(FACE, bounds, View::Front, 1.0);
        near.zoom(3.0, glam::vec2(0.1, 0.2));
        let before = near;
        near.turn_to(View::Left, &head, 1.0);
        assert_eq!((near.target_in_world, near.distance), (before.target_in_world, before.distance));
    }

    #[test]
    fn the_camera_follows_a_head_in_other_units_and_stays_before_one_that_changed_a_little() {
        let mut camera = Camera::framing(FACE, HEAD, View::ThreeQuarter, 1.0);
        camera.zoom(2.0, glam::vec2(0.1, 0.2));
        for unit in [100.0, 0.01] {
            let mut other = camera;
            other.follow(FACE, scaled(FACE, unit));
            for corner in FACE.corners() {
                let [before, after] = [(&camera, corner), (&other, corner * unit)]
                    .map(|(camera, corner)| project(camera, 1.0, corner).truncate());
                assert!(before.distance(after) < 1e-3, "unit {unit}: {before} and {after}");
            }
        }
        let before = camera;
        camera.follow(FACE, Bounds { max: FACE.max + 0.01, ..FACE });
        camera.follow(FACE, Bounds::EMPTY);
        camera.follow(FACE, scaled(FACE, f32::MAX));
        assert_eq!(camera, before);
    }

    #[test]
    fn each_part_fills_the_picture_and_stays_framed_from_every_side() {
        // A character that stands on a floor of 40 m.
        let body = Bounds { min: Vec3::new(-0.4, -1.6, -0.2), max: Vec3::new(0.4, 0.2, 0.14) };
        let mut meshes = head_of(Bounds::union([body, HEAD])).asset.meshes;
        let around_head = HEAD.corners().to_vec();
        meshes.push(Mesh { vertices: Vertices { positions: around_head, ..Vertices::default() }, ..Mesh::default() });
        let floor = Bounds { min: Vec3::new(-20.0, -1.6, -20.0), max: Vec3::new(20.0, -1.6, 20.0) };
        let corners = floor.corners().to_vec();
        meshes.push(Mesh { vertices: Vertices { positions: corners, ..Vertices::default() }, ..Mesh::default() });
        let head = Head::new(Asset { name: "head".into(), meshes, ..Asset::default() });
        assert_eq!((head.focus, head.character), (FACE, Bounds::union([body, HEAD])));
        for aspect in [0.5, 1.0, 1.6] {
            let mut camera = Camera::framing(head.focus, head.character, View::Front, aspect);
            let mut distance = 0.0;
            for &part in Frame::EACH {
                camera.frame_part(&head, part, aspect);
                assert!(camera.distance > distance, "{part:?} is larger than the one before");
                distance = camera.distance;
                for view in [View::Left, View::ThreeQuarter, View::Front] {
                    camera.turn_to(view, &head, aspect);
                    let mut reach: f32 = 0.0;
                    for corner in head.framed(part).corners() {
                        reach = reach.max(project(&camera, aspect, corner).truncate().abs().max_element());
                    }
                    assert!((0.4..1.0).contains(&reach), "{part:?}, {aspect}, {view:?}: {reach}");
                }
            }
        }
    }

    #[test]
    fn a_profile_that_fits_is_framed_as_every_other_view() {
        let camera = Camera::framing(FACE, HEAD, View::Left, 1.6);
        let front = Camera::framing(FACE, HEAD, View::Front, 1.6);
        assert_eq!((camera.target_in_world, camera.distance), (front.target_in_world, front.distance));
    }
}
