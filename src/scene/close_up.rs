//! A camera for thumbnails and contact sheets, which shows the face alone, or another part of the head, as large as
//! possible.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::{Camera, View};
use smirk_face::head::{Bounds, Frame, Head, Mesh, Region, RigPose, ShapeDeltas, Target};

impl Camera {
    /// A camera that fills a picture of the given aspect (width / height) with the part of the head that targets move,
    /// as it is at rest and at weight 1 of each target, and with the head to both sides of it. The camera is the same
    /// for every pose of a head, so that pictures can be compared.
    pub fn close_up(head: &Head, view: View, aspect: f32) -> Self {
        Self::close_up_of(head, Frame::Face, view, aspect, [])
    }

    /// [`Self::close_up`] of a part of a head whose nodes move, so that the part is in every picture: `moments` are the
    /// transforms of the nodes in each, none of them where all are at rest.
    pub fn close_up_of<'n>(
        head: &Head,
        part: Frame,
        view: View,
        aspect: f32,
        moments: impl IntoIterator<Item = &'n [Mat4]>,
    ) -> Self {
        let shown = match part {
            Frame::Face => shown_points(head),
            part => points_within(head, head.framed(part)),
        };
        let mut points = moved_with_nodes(head, &shown, moments);
        if points.is_empty() {
            points = shown.iter().map(|point| point.in_world).collect();
        }
        let camera = Self::framing(head.focus, head.character, view, aspect);
        if points.is_empty() { camera } else { camera.filled_with(points, aspect) }
    }

    /// A camera from the front that shows brows, eyes and mouth as large as possible in a picture of the given aspect:
    /// the middles of what the channels of these regions move, and as much around them as an open mouth needs. Of a
    /// head without such channels, it is that of [`Self::close_up`].
    pub fn eyes_and_mouth(head: &Head, aspect: f32) -> Self {
        let mut points = middles_of_regions(head, &[Region::Brows, Region::Eyes, Region::Mouth]);
        let near_face = head.focus.grown(head.focus.size().max_element() * FOLLOWED);
        points.retain(|point| near_face.contains(*point));
        let has = |region| head.channels.iter().any(|channel| channel.region == region);
        let are_apart =
            Bounds::around(points.iter().copied()).size().max_element() > LEAST_APART * near_face.size().max_element();
        if !has(Region::Eyes) || !has(Region::Mouth) || !are_apart {
            return Self::close_up(head, View::Front, aspect);
        }
        let mut camera = Self::framing(head.focus, head.character, View::Front, aspect).filled_with(points, aspect);
        camera.distance *= AROUND_MIDDLES;
        camera
    }

    /// The camera moved, without turning it, so that the points fill the picture.
    pub(super) fn filled_with(self, mut points: Vec<Vec3>, aspect: f32) -> Self {
        let mut camera = self;
        let view_from_world = camera.world_from_view_rotation().inverse();
        points.iter_mut().for_each(|point| *point = view_from_world * *point);
        let seen = Bounds::around(points.iter().copied());
        // The field of view is so narrow that the middle of the points in space is almost the middle of their picture.
        let center = seen.center();
        let slope = (self.fov_y * 0.5).tan() * (1.0 - MARGIN);
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

/// Whether points reach from the brows to the chin. A picture of lids alone, or of a mouth, would not show whose they
/// are.
fn show_face(points: &[ShownPoint], head: &Head) -> bool {
    const LEAST_HEIGHT: f32 = 0.7;
    let size = Bounds::around(points.iter().map(|point| point.in_world)).size();
    size.max_element() > 0.0 && size.y >= LEAST_HEIGHT * head.focus.size().y
}

/// For each target of the channels of some regions, the middle of the vertices that it moves, each counted by how far
/// it moves.
fn middles_of_regions(head: &Head, regions: &[Region]) -> Vec<Vec3> {
    let channels = head.channels.iter().filter(|channel| regions.contains(&channel.region));
    let targets = channels.flat_map(|channel| &channel.targets).filter_map(|&target| head.target(target));
    let middle = |(mesh, target): (&Mesh, &Target)| {
        let mut sum = Vec4::ZERO;
        for shape in target.shapes() {
            for (&row, delta) in shape.rows.iter().zip(shape.positions) {
                let world_from_vertex = head.rest_pose.world_from_vertex(mesh, row as usize);
                let at = world_from_vertex.transform_point3(mesh.vertices.positions[row as usize]);
                sum += at.extend(1.0) * delta.length();
            }
        }
        let middle = sum.truncate() / sum.w;
        middle.is_finite().then_some(middle)
    };
    targets.filter_map(middle).collect()
}

/// Eyes and mouth are at least so far apart, in sizes of the face.
const LEAST_APART: f32 = 0.1;

/// How much more than the middles of eyes and mouth a picture of them shows, in widths of these.
const AROUND_MIDDLES: f32 = 1.16;

/// The margin on each side, as a fraction of half the picture.
const MARGIN: f32 = 0.08;

/// Moved points are included up to this distance from the face at rest, as a fraction of its size: one target that
/// moves something far away must not make the face small in all pictures.
const FOLLOWED: f32 = 0.2;

/// A point that the picture must show.
#[derive(Clone, Copy, Debug)]
struct ShownPoint {
    mesh: usize,
    vertex: usize,
    in_world: Vec3,
}

/// The points that a picture of the face must show: for each target the vertices that it moves most, both at rest and
/// moved; and the head to both sides of them, such as the ears of a wide head. Parts that move only a little (scalp,
/// neck) may be cut off. Where targets move only a part of the face, all of the head.
fn shown_points(head: &Head) -> Vec<ShownPoint> {
    let near_face = head.focus.grown(head.focus.size().max_element() * FOLLOWED);
    let shown = |mesh: usize, vertex: usize, in_world: Vec3| {
        let in_world = in_world.is_finite().then(|| in_world.clamp(near_face.min, near_face.max))?;
        Some(ShownPoint { mesh, vertex, in_world })
    };
    let mut points = Vec::new();
    for (index, mesh) in head.meshes.iter().enumerate() {
        let shapes = mesh.targets.iter().flat_map(Target::shapes);
        let moved = shapes.flat_map(|shape| moved_points(&head.rest_pose, mesh, shape));
        let of_face = moved.filter(|(_, [rest, _])| near_face.contains(*rest));
        points.extend(of_face.flat_map(|(vertex, places)| places.map(|point| shown(index, vertex, point))).flatten());
    }
    if !show_face(&points, head) {
        return points_within(head, head.framed(Frame::Head));
    }
    let band = Bounds::around(points.iter().map(|point| point.in_world));
    for (index, mesh) in head.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.targets.is_empty()) {
        let beside = head.rest_pose.positions_in_world(mesh).enumerate();
        // Only to the sides: what is behind the face is not looked at.
        let beside = beside.filter(|(_, point)| (band.min.y..=band.max.y).contains(&point.y) && point.z >= band.min.z);
        points.extend(beside.filter_map(|(vertex, point)| shown(index, vertex, point)));
    }
    points
}

/// The vertices in a box.
fn points_within(head: &Head, bounds: Bounds) -> Vec<ShownPoint> {
    let of_mesh = |(mesh, of): (usize, &Mesh)| {
        let places = head.rest_pose.positions_in_world(of).enumerate();
        let within = places.filter(|(_, in_world)| bounds.contains(*in_world));
        within.map(|(vertex, in_world)| ShownPoint { mesh, vertex, in_world }).collect::<Vec<_>>()
    };
    head.meshes.iter().enumerate().flat_map(of_mesh).collect()
}

/// The vertices that a shape of a target moves most, each with its place at rest and with its place in the shape.
fn moved_points<'a>(
    rest: &'a RigPose,
    mesh: &'a Mesh,
    shape: ShapeDeltas<'a>,
) -> impl Iterator<Item = (usize, [Vec3; 2])> + 'a {
    let most = shape.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max) * 0.5;
    let moved = shape.rows.iter().zip(shape.positions).filter(move |(_, delta)| delta.length() > most);
    moved.map(|(&row, &delta)| {
        let (world_from_vertex, point) =
            (rest.world_from_vertex(mesh, row as usize), mesh.vertices.positions[row as usize]);
        (row as usize, [point, point + delta].map(|point| world_from_vertex.transform_point3(point)))
    })
}

/// Where the outermost of the points are in each moment.
fn moved_with_nodes<'n>(head: &Head, shown: &[ShownPoint], moments: impl IntoIterator<Item = &'n [Mat4]>) -> Vec<Vec3> {
    let mut moments = moments.into_iter().peekable();
    if moments.peek().is_none() {
        return Vec::new();
    }
    let outermost = outermost(shown);
    let rest_from: Vec<Mat4> = outermost
        .iter()
        .map(|point| head.rest_pose.world_from_vertex(&head.meshes[point.mesh], point.vertex).inverse())
        .collect();
    let mut points = Vec::new();
    let mut is_at_rest = false;
    for nodes in moments {
        if nodes.is_empty() {
            is_at_rest = true;
            continue;
        }
        let pose = RigPose::new(&head.rig, nodes.to_vec());
        let moved = outermost.iter().zip(&rest_from).map(|(point, vertex_from_rest)| {
            let world_from_vertex = pose.world_from_vertex(&head.meshes[point.mesh], point.vertex);
            (world_from_vertex * *vertex_from_rest).transform_point3(point.in_world)
        });
        points.extend(moved.filter(|point| point.is_finite()));
    }
    if is_at_rest {
        points.extend(shown.iter().map(|point| point.in_world));
    }
    points
}

/// The points that are farthest in some direction. They hold all others between them, but for a margin that is not
/// visible.
fn outermost(shown: &[ShownPoint]) -> Vec<ShownPoint> {
    const DIRECTIONS: usize = 256;
    // A spiral of even density around the sphere.
    const GOLDEN_ANGLE: f32 = 2.399_963;
    let direction = |index: usize| {
        let y = 1.0 - (2 * index + 1) as f32 / DIRECTIONS as f32;
        let (radius, angle) = ((1.0 - y * y).max(0.0).sqrt(), GOLDEN_ANGLE * index as f32);
        Vec3::new(radius * angle.cos(), y, radius * angle.sin())
    };
    let farthest = |direction: Vec3| {
        let along = |point: &&ShownPoint| point.in_world.dot(direction);
        shown.iter().max_by(|a, b| along(a).total_cmp(&along(b)))
    };
    (0..DIRECTIONS).filter_map(|index| farthest(direction(index))).copied().collect()
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use smirk_face::head::{Asset, LocalTransform, Node, Trs, Vertices};

    /// A grid of points 2 × 3, of which a target moves all but the outermost, downwards by `drop`.
    fn head(drop: f32) -> Head {
        Head::new(asset(drop))
    }

    fn asset(drop: f32) -> Asset {
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
        Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() }
    }

    /// How much of the picture's half width and half height a box around the origin's plane takes, lowest and highest.
    fn reach(camera: &Camera, aspect: f32, low: Vec2, high: Vec2) -> (Vec2, Vec2) {
        let matrix = camera.projection_from_view(aspect) * camera.view_from_world();
        let seen = |point: Vec2| matrix.project_point3(point.extend(0.0)).truncate();
        (seen(low), seen(high))
    }

    #[test]
    fn moved_points_fill_the_picture_at_rest_and_moved() {
        // So wide that the height counts.
        let camera = Camera::close_up(&head(0.2), View::Front, 1.6);
        let (low, high) = reach(&camera, 1.6, Vec2::new(0.5, 0.3), Vec2::new(1.5, 2.5));
        assert!((high.y - (1.0 - MARGIN)).abs() < 1e-3 && (low.y + high.y).abs() < 1e-3, "{low} {high}");
        assert!((low.x + high.x).abs() < 1e-3 && high.x < 1.0, "{low} {high}");
    }

    #[test]
    fn the_head_to_both_sides_of_what_moves_is_not_cut() {
        // The grid reaches from 0 to 2; a fifth of the height of what moves is followed beyond it.
        let camera = Camera::close_up(&head(0.2), View::Front, 0.5);
        let (low, high) = reach(&camera, 0.5, Vec2::new(0.1, 0.3), Vec2::new(1.9, 2.5));
        assert!((high.x - (1.0 - MARGIN)).abs() < 1e-3 && (low.x + high.x).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn eyes_and_mouth_fill_the_picture_and_what_other_regions_move_may_be_cut() {
        let positions: Vec<Vec3> = (0..=40).map(|y| Vec3::new(0.0, y as f32 * 0.1, 0.0)).collect();
        let moving = |name: &str, range: std::ops::RangeInclusive<f32>| {
            let deltas = positions.iter().map(|point| if range.contains(&point.y) { Vec3::X } else { Vec3::ZERO });
            Target::from_dense(name.into(), 0.0, &deltas.collect::<Vec<_>>(), &[], &[])
        };
        let targets = vec![
            moving("jawOpen", 0.0..=0.45),
            moving("mouthPucker", 0.95..=1.25),
            moving("eyeBlinkLeft", 2.95..=3.05),
        ];
        let with = |targets: &[Target]| {
            let vertices = Vertices { positions: positions.clone(), ..Default::default() };
            let mesh = Mesh { name: "face".into(), vertices, targets: targets.to_vec(), ..Mesh::default() };
            Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() })
        };
        let camera = Camera::eyes_and_mouth(&with(&targets), 1.0);
        let (low, high) = reach(&camera, 1.0, Vec2::new(0.0, 1.1), Vec2::new(0.0, 3.0));
        let expected = (1.0 - MARGIN) / AROUND_MIDDLES;
        assert!((high.y - expected).abs() < 1e-3 && (low.y + high.y).abs() < 1e-3, "{low} {high}");
        let without_mouth = with(&targets[2..]);
        assert_eq!(Camera::eyes_and_mouth(&without_mouth, 1.0), Camera::close_up(&without_mouth, View::Front, 1.0));
    }

    #[test]
    fn a_head_that_is_moved_is_in_every_picture() {
        let mut asset = asset(0.2);
        let rest = Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
        asset.rig.nodes = vec![Node { name: "head".into(), parent: None, rest: LocalTransform::Trs(rest) }];
        asset.meshes[0].node = Some(0);
        let head = Head::new(asset);
        let at = |x: f32, turn: f32| vec![Mat4::from_translation(Vec3::X * x) * Mat4::from_rotation_z(turn)];
        for moments in
            [vec![at(0.0, 0.0), at(5.0, 0.0)], vec![at(-3.0, 1.0), Vec::new(), at(2.0, -0.5)], vec![at(9.0, 0.3)]]
        {
            let camera = Camera::close_up_of(&head, Frame::Face, View::Front, 0.8, moments.iter().map(Vec::as_slice));
            let matrix = camera.projection_from_view(0.8) * camera.view_from_world();
            let mut reach: f32 = 0.0;
            for moment in &moments {
                let world = moment.first().copied().unwrap_or_default();
                for corner in [[0.5, 0.5], [1.5, 0.5], [0.5, 2.5], [1.5, 2.5]] {
                    let point = world.transform_point3(Vec3::new(corner[0], corner[1], 0.0));
                    let seen = matrix.project_point3(point).truncate().abs().max_element();
                    assert!(seen < 1.0, "{corner:?} is at {seen}");
                    reach = reach.max(seen);
                }
            }
            assert!(reach > 0.5, "the face is too small: {reach}");
        }
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
        let mut single = head(0.0).asset.meshes;
        single[0].targets = vec![Target { rows: vec![0], positions: vec![Vec3::X], ..Target::default() }];
        let single = Head::new(Asset { name: "single".into(), meshes: single, ..Asset::default() });
        let camera = Camera::close_up(&single, View::Front, 1.0);
        let (low, high) = reach(&camera, 1.0, Vec2::ZERO, Vec2::new(2.0, 3.0));
        assert!((high.y - (1.0 - MARGIN)).abs() < 1e-3 && (low.y + high.y).abs() < 1e-3, "{low} {high}");
        let nothing = Head::new(Asset { name: "nothing".into(), ..Asset::default() });
        let camera = Camera::close_up(&nothing, View::Front, 1.0);
        assert_eq!(camera, Camera::framing(Bounds::EMPTY, Bounds::EMPTY, View::Front, 1.0));
    }
}
