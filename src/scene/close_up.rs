//! A camera for thumbnails and contact sheets, which shows the face alone, as large as possible.

use glam::{Vec2, Vec3};

use super::{Camera, View};
use crate::head::{Bounds, Head, Mesh, RigPose, Target};

impl Camera {
    /// A camera that fills a picture of the given aspect (width / height) with the part of the head that targets move, as it
    /// is at rest and at weight 1 of each target. The camera is the same for every pose of a head, so that pictures can be compared.
    pub fn close_up(head: &Head, view: View, aspect: f32) -> Self {
        // Where the targets move only a few vertices, the whole head is shown.
        let mut camera = Self::framing(head.bounds, head.bounds, view, aspect);
        let view_from_world = camera.world_from_view_rotation().inverse();
        let points: Vec<Vec3> = shown_points(head).map(|point| view_from_world * point).collect();
        let seen = Bounds::of(points.iter().copied());
        if seen.size().max_element() <= head.bounds.size().max_element() * 0.02 {
            return camera;
        }
        // The field of view is so narrow that the middle of the points in space is almost the middle of their picture.
        let center = seen.center();
        let slope = (Self::FOV_Y * 0.5).tan() * (1.0 - MARGIN);
        let slopes = Vec2::new(slope * aspect.max(0.05), slope);
        let distance_for = |point: &Vec3| {
            let offset = *point - center;
            (offset.truncate().abs() / slopes).max_element() + offset.z
        };
        camera.target_in_world = view_from_world.inverse() * center;
        camera.distance = points.iter().map(distance_for).fold(f32::MIN_POSITIVE, f32::max);
        camera
    }
}

/// The margin on each side, as a fraction of half the picture.
const MARGIN: f32 = 0.08;

/// Moved points are included up to this distance from the face at rest, as a fraction of its size: one target that moves
/// something far away must not make the face small in all pictures.
const FOLLOWED: f32 = 0.2;

/// The points that the picture must show: for each target the vertices that it moves most, both at rest and moved. Parts that
/// move only a little (ears, scalp, neck) may be cut off.
fn shown_points(head: &Head) -> impl Iterator<Item = Vec3> {
    let margin = head.focus.size().max_element() * FOLLOWED;
    let (lowest, highest) = (head.focus.min - margin, head.focus.max + margin);
    let points = head
        .meshes
        .iter()
        .flat_map(|mesh| mesh.targets.iter().flat_map(|target| moved_points(&head.rest_pose, mesh, target)));
    points.filter(|point| point.is_finite()).map(move |point| point.clamp(lowest, highest))
}

fn moved_points<'a>(rest: &'a RigPose, mesh: &'a Mesh, target: &'a Target) -> impl Iterator<Item = Vec3> + 'a {
    let most = target.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max) * 0.5;
    let moved = target.rows.iter().zip(&target.positions).filter(move |(_, delta)| delta.length() > most);
    moved.flat_map(|(&row, &delta)| {
        let (world_from_vertex, point) =
            (rest.world_from_vertex(mesh, row as usize), mesh.vertices.positions[row as usize]);
        [point, point + delta].map(|point| world_from_vertex.transform_point3(point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Asset;
    use crate::head::Vertices;

    /// A grid of points 2 × 3, of which a target moves all but the outermost, downwards by `drop`.
    fn head(drop: f32) -> Head {
        let positions: Vec<Vec3> =
            (0..=20).flat_map(|x| (0..=30).map(move |y| Vec3::new(x as f32 * 0.1, y as f32 * 0.1, 0.0))).collect();
        let is_inner = |point: &Vec3| (0.45..1.55).contains(&point.x) && (0.45..2.55).contains(&point.y);
        let deltas: Vec<Vec3> =
            positions.iter().map(|point| if is_inner(point) { Vec3::NEG_Y * drop } else { Vec3::ZERO }).collect();
        let mesh = Mesh {
            name: "face".into(),
            vertices: Vertices { positions, ..Default::default() },
            targets: vec![Target::from_dense("drop".into(), 0.0, &deltas, &[], &[])],
            ..Mesh::default()
        };
        Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() })
    }

    /// How much of the picture's half width and half height a box around the origin's plane takes, lowest and highest.
    fn reach(camera: &Camera, aspect: f32, low: Vec2, high: Vec2) -> (Vec2, Vec2) {
        let matrix = camera.projection_from_view(aspect) * camera.view_from_world();
        let seen = |point: Vec2| matrix.project_point3(point.extend(0.0)).truncate();
        (seen(low), seen(high))
    }

    #[test]
    fn moved_points_fill_the_picture_at_rest_and_moved() {
        let camera = Camera::close_up(&head(0.2), View::Front, 0.8);
        let (low, high) = reach(&camera, 0.8, Vec2::new(0.5, 0.3), Vec2::new(1.5, 2.5));
        assert!((high.y - (1.0 - MARGIN)).abs() < 1e-3 && (low.y + high.y).abs() < 1e-3, "{low} {high}");
        assert!((low.x + high.x).abs() < 1e-3 && high.x < 1.0, "{low} {high}");
    }

    #[test]
    fn points_moved_far_away_are_not_followed() {
        let (near, far) =
            (Camera::close_up(&head(0.4), View::Front, 0.8), Camera::close_up(&head(50.0), View::Front, 0.8));
        assert!((near.distance - far.distance).abs() < near.distance * 0.01, "{} {}", near.distance, far.distance);
    }

    #[test]
    fn a_profile_is_framed_by_its_own_outline() {
        let side = Camera::close_up(&head(0.2), View::Left, 0.8);
        assert!(side.distance.is_finite() && side.distance > 0.0);
        assert!((side.target_in_world.z).abs() < 1e-3);
    }

    #[test]
    fn without_moved_points_the_whole_head_is_shown() {
        let mut single = head(0.0).meshes;
        single[0].targets = vec![Target { rows: vec![0], positions: vec![Vec3::X], ..Target::default() }];
        let single = Head::new(Asset { name: "single".into(), meshes: single, ..Asset::default() });
        let nothing = Head::new(Asset { name: "nothing".into(), ..Asset::default() });
        for head in [single, nothing] {
            let camera = Camera::close_up(&head, View::Front, 1.0);
            assert_eq!(camera, Camera::framing(head.bounds, head.bounds, View::Front, 1.0));
        }
    }
}
