//! Shapes of one head on another: against the truth on made persons, and by checks on real heads.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::{DVec3, Mat4, Vec3};
use meshopt::{SimplifyOptions, VertexDataAdapter, simplify};
use smirk_analysis::transfer::{
    Face, Settings, Source, TransferError, Transferred, completed, counterparts, landmarks, transfer, with_pose,
};
use smirk_base::progress::Progress;
use smirk_face::head::{CombinationMethod, Corrective, Drive, Driver, Head, Landmark, Mesh, Role, Target};
use smirk_files::import;
use smirk_support::test_files::real_heads;

fn bundled() -> Head {
    import::embedded().unwrap()
}

/// The shapes of a source on a head, of which these features are known.
fn carried(
    source: &Source<'_>,
    head: &Head,
    settings: &Settings,
    points: &[(Landmark, DVec3)],
) -> Result<Transferred, TransferError> {
    let face = Face::new(head, &points.iter().copied().collect())?;
    transfer(source, &face, settings, Progress::NONE)
}

fn without_shapes(head: &Head) -> Head {
    head.with_targets_alone(vec![Vec::new(); head.meshes.len()])
}

/// Another person's face: the size changes along each axis, and waves of some millimetres go through it.
struct Person {
    scale: DVec3,
    waves: [(DVec3, DVec3); 3],
}

impl Person {
    fn new(number: usize) -> Self {
        let turn = number as f64 * 0.7;
        let wave = |at: f64, millimetres: f64| {
            let along = DVec3::new(0.6 * (at + turn).sin(), (at * 1.7 + turn).cos(), 0.4 * (at - turn).sin());
            let moves = DVec3::new(0.0, (at + 2.0 * turn).sin(), (at * 2.3 + turn).cos());
            (along * TAU / 0.16, moves * millimetres * 1e-3)
        };
        Self {
            scale: [
                DVec3::new(1.06, 0.96, 1.02),
                DVec3::new(0.94, 1.05, 0.98),
                DVec3::new(1.03, 1.03, 1.1),
                DVec3::new(0.97, 0.94, 0.95),
            ][number],
            waves: [wave(0.3, 1.6), wave(1.9, 1.3), wave(4.1, 1.0)],
        }
    }

    /// Faces stay symmetric: waves depend on how far a place is from the middle.
    fn place(&self, place: DVec3) -> DVec3 {
        let folded = DVec3::new(place.x.abs(), place.y, place.z);
        let wave: DVec3 = self.waves.iter().map(|(along, moves)| *moves * along.dot(folded).sin()).sum();
        place * self.scale + wave
    }
}

/// The bundled head as that person, with a part of the triangles of its skin and without shapes; and the true
/// displacement of each vertex of its skin, per shape of the bundled head.
fn made(source: &Head, person: &Person, part: f64) -> (Head, usize, Vec<(String, Vec<DVec3>)>) {
    let skin = source.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let world = |mesh: &Mesh, place: Vec3| mesh.world_from_mesh.transform_point3(place).as_dvec3();
    let of_skin = &source.meshes[skin];
    let truth = of_skin.targets.iter().map(|target| {
        let mut moved = vec![DVec3::ZERO; of_skin.vertices.len()];
        for (&row, &delta) in target.rows.iter().zip(&target.positions) {
            let rest = of_skin.vertices.positions[row as usize];
            let ends = [rest, rest + delta].map(|place| person.place(world(of_skin, place)));
            moved[row as usize] = ends[1] - ends[0];
        }
        (target.name.clone(), moved)
    });
    let truth = truth.collect();
    let mut asset = without_shapes(source).to_asset();
    for (index, mesh) in asset.meshes.iter_mut().enumerate() {
        let is_eye = mesh.parts.iter().any(|part| source.roles[part.material] == Role::Eye);
        let places: Vec<DVec3> = mesh.vertices.positions.iter().map(|&place| world(mesh, place)).collect();
        // Eyeballs stay balls: each is moved as its middle is.
        let middle = |left: bool| {
            let own: Vec<DVec3> = places.iter().copied().filter(|place| (place.x > 0.0) == left).collect();
            own.iter().sum::<DVec3>() / own.len().max(1) as f64
        };
        let middles = [middle(false), middle(true)];
        let back = mesh.world_from_mesh.inverse();
        for (position, place) in mesh.vertices.positions.iter_mut().zip(&places) {
            let middle = middles[usize::from(place.x > 0.0)];
            let new = if is_eye { *place + person.place(middle) - middle } else { person.place(*place) };
            *position = back.transform_point3(new.as_vec3());
        }
        if index == skin {
            simplify_parts(mesh, part);
        }
    }
    (Head::new(asset), skin, truth)
}

/// Leaves a part of the triangles of a mesh, over some of its vertices.
fn simplify_parts(mesh: &mut Mesh, part: f64) {
    let positions: Vec<[f32; 3]> = mesh.vertices.positions.iter().map(|place| place.to_array()).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&positions);
    let adapter = VertexDataAdapter::new(bytes, 12, 0).unwrap();
    let mut indices = Vec::new();
    for part_of in &mut mesh.parts {
        let start = part_of.first_index as usize;
        let own = &mesh.indices[start..start + part_of.index_count as usize];
        let count = (own.len() as f64 * part) as usize / 3 * 3;
        let simple = simplify(own, &adapter, count, 1.0, SimplifyOptions::None, None);
        (part_of.first_index, part_of.index_count) = (indices.len() as u32, simple.len() as u32);
        indices.extend(simple);
    }
    mesh.indices = indices;
}

/// The vertices of the skin that face the front, each with a third of the area of its triangles.
fn seen_skin(head: &Head, mesh: &Mesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.vertices.len()];
    for part in mesh.parts.iter().filter(|part| head.roles[part.material] == Role::Skin) {
        for corners in mesh.triangles_of(part).as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| mesh.vertices.positions[corner as usize].as_dvec3());
            let area = (b - a).cross(c - a);
            if area.z > 0.2 * area.length() {
                corners.iter().for_each(|&corner| areas[corner as usize] += area.length() / 6.0);
            }
        }
    }
    areas
}

/// The relative error and the cosine of displacements against the true ones, of vertices that count by these areas.
fn compared(mesh: &Mesh, areas: &[f64], target: Option<&Target>, truth: &[DVec3]) -> [f64; 2] {
    let mut own = vec![DVec3::ZERO; truth.len()];
    if let Some(target) = target {
        for (&row, &delta) in target.rows.iter().zip(&target.positions) {
            own[row as usize] = mesh.world_from_mesh.transform_vector3(delta).as_dvec3();
        }
    }
    let mut sums = [0.0; 4];
    for ((own, truth), area) in own.iter().zip(truth).zip(areas) {
        let products = [own.distance_squared(*truth), truth.length_squared(), own.length_squared(), own.dot(*truth)];
        sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += area * product);
    }
    [(sums[0] / sums[1]).sqrt(), sums[3] / (sums[1] * sums[2]).sqrt().max(f64::MIN_POSITIVE)]
}

/// Of the places that count, the nearest vertex of the source.
fn nearest(source: &Mesh, mesh: &Mesh, areas: &[f64]) -> Vec<Option<u32>> {
    let of_place = |place: Vec3| {
        let vertices = (0..).zip(&source.vertices.positions);
        vertices.min_by(|a, b| a.1.distance_squared(place).total_cmp(&b.1.distance_squared(place))).map(|it| it.0)
    };
    let places = mesh.vertices.positions.iter().zip(areas);
    places.map(|(&place, &area)| if area > 0.0 { of_place(place) } else { None }).collect()
}

/// A shape of the source on other vertices, each of which moves as the nearest one of the source.
fn copied(target: &Target, nearest: &[Option<u32>]) -> Target {
    let delta = |vertex: u32| target.rows.binary_search(&vertex).map(|row| target.positions[row]).unwrap_or_default();
    let positions: Vec<Vec3> = nearest.iter().map(|vertex| vertex.map(delta).unwrap_or_default()).collect();
    Target::from_dense(target.name.clone(), 0.0, &positions, &[], &[])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn made_persons_get_the_true_shapes() {
    let source_head = bundled();
    let source = Source::new(&source_head).unwrap();
    for number in 0..4 {
        let (head, skin, truth) = made(&source_head, &Person::new(number), 0.5);
        let done = carried(&source, &head, &Settings::default(), &[]).unwrap();
        let areas = seen_skin(&head, &head.meshes[skin]);
        let figures: Vec<[f64; 2]> = truth
            .iter()
            .filter(|(name, moved)| name != "tongueOut" && moved.iter().any(|delta| delta.length() > 0.5e-3))
            .map(|(name, moved)| {
                let own = done.targets.iter().find(|(mesh, target)| *mesh == skin && target.name == *name);
                compared(&head.meshes[skin], &areas, own.map(|(_, target)| target), moved)
            })
            .collect();
        let [error, cosine] = [0, 1].map(|at| median(figures.iter().map(|figure| figure[at]).collect()));
        // What is copied from the nearest vertex alone, at some of the places.
        let some_areas: Vec<f64> =
            areas.iter().enumerate().map(|(at, area)| if at % 16 == 0 { *area } else { 0.0 }).collect();
        let nearest = nearest(&source_head.meshes[skin], &head.meshes[skin], &some_areas);
        let of_copies = median(
            truth
                .iter()
                .filter(|(name, moved)| name != "tongueOut" && moved.iter().any(|delta| delta.length() > 0.5e-3))
                .map(|(name, moved)| {
                    let own = source_head.meshes[skin].targets.iter().find(|target| target.name == *name).unwrap();
                    compared(&head.meshes[skin], &some_areas, Some(&copied(own, &nearest)), moved)[0]
                })
                .collect(),
        );
        println!(
            "person {number}: relative error {error:.3}, copied {of_copies:.3}, cosine {cosine:.4}, {:?}",
            done.quality
        );
        assert!(error < 0.75 * of_copies, "person {number}: {error:.3}, {of_copies:.3}");
        assert!(figures.len() > 40, "{}", figures.len());
        assert!(error <= 0.16 && cosine >= 0.985, "person {number}: {error:.3}, {cosine:.4}");
        let failed: Vec<String> =
            done.checks.iter().filter(|check| !check.is_passed()).map(|check| check.in_words()).collect();
        assert!(failed.len() <= 1, "person {number}: {failed:?}");
    }
}

#[test]
fn the_corners_of_the_mouth_are_the_ends_of_its_slit() {
    let head = bundled();
    let face = head.meshes.iter().find(|mesh| mesh.name == "face").unwrap();
    let open = face.targets.iter().find(|target| target.name == "jawOpen").unwrap();
    // The outermost vertices at one place that jawOpen parts; the ends are the next ones.
    let mut moves: BTreeMap<[u32; 3], [f32; 2]> = BTreeMap::new();
    for (vertex, place) in (0..).zip(&face.vertices.positions) {
        let y = open.rows.binary_search(&vertex).map(|row| open.positions[row].y).unwrap_or_default();
        let range = moves.entry(place.to_array().map(f32::to_bits)).or_insert([y; 2]);
        *range = [range[0].min(y), range[1].max(y)];
    }
    let parted = moves.iter().filter(|(_, range)| range[1] - range[0] > 1e-3);
    let last = parted.map(|(place, _)| f64::from(f32::from_bits(place[0]))).fold(0.0, f64::max);
    let found = landmarks(&without_shapes(&head)).unwrap();
    for (corner, sign) in [(Landmark::MouthLeft, 1.0), (Landmark::MouthRight, -1.0)] {
        let x = found.point(corner).unwrap().x * sign;
        assert!(last > 0.02 && (last..last + 2e-3).contains(&x), "{corner:?}: {x}, {last}");
    }
}

#[test]
fn lips_are_told_apart_where_their_slit_goes_on_beyond_the_corners() {
    let source_head = bundled();
    let source = Source::new(&source_head).unwrap();
    let (head, skin, truth) = made(&source_head, &Person::new(1), 0.1);
    let found = landmarks(&head).unwrap();
    let corners = [(Landmark::MouthLeft, -3.5e-3), (Landmark::MouthRight, 3.5e-3)];
    let points = corners.map(|(corner, inward)| (corner, found.point(corner).unwrap() + DVec3::X * inward));
    let settings = Settings { shapes: Some(vec!["jawOpen".into()]), ..Settings::default() };
    let done = carried(&source, &head, &settings, &points).unwrap();
    let (_, open) = done.targets.iter().find(|(mesh, _)| *mesh == skin).unwrap();
    let mesh = &head.meshes[skin];
    let end = found.point(Landmark::MouthLeft).unwrap();
    let (_, truth) = truth.iter().find(|(name, _)| name == "jawOpen").unwrap();
    // What hangs down is the upper lip, where it is taken for the lower one.
    let (mut near, mut most) = (0, 0.0_f64);
    for (row, &vertex) in open.rows.iter().enumerate().filter(|(_, vertex)| mesh.indices.contains(vertex)) {
        let place = mesh.world_from_mesh.transform_point3(mesh.vertices.positions[vertex as usize]).as_dvec3();
        if place.distance(end) < 6e-3 {
            near += 1;
            let moved = mesh.world_from_mesh.transform_vector3(open.positions[row]).as_dvec3();
            most = most.max(truth[vertex as usize].y - moved.y);
        }
    }
    assert!(near > 5 && most < 5e-3, "{near} vertices, {:.1} mm", most * 1e3);
}

/// Half of a mesh: the triangles on one side of its middle.
fn half(mesh: &Mesh, is_left: bool) -> Mesh {
    let mut half = mesh.clone();
    half.indices.clear();
    for part in &mut half.parts {
        let first = half.indices.len() as u32;
        let triangles = mesh.triangles_of(part).as_chunks::<3>().0.iter();
        let own = triangles.filter(|corners| {
            let sum: f32 = corners.iter().map(|&corner| mesh.vertices.positions[corner as usize].x).sum();
            (sum > 0.0) == is_left
        });
        half.indices.extend(own.flatten());
        (part.first_index, part.index_count) = (first, half.indices.len() as u32 - first);
    }
    half
}

#[test]
fn halves_that_were_mirrored_and_not_merged_are_one_skin() {
    let bare = without_shapes(&bundled());
    let whole = landmarks(&bare).unwrap();
    let with_gap = |gap: f32, shares_top: bool| {
        let mut asset = bare.to_asset();
        let is_skin = |mesh: &Mesh| mesh.parts.iter().any(|part| bare.roles[part.material] == Role::Skin);
        let (skin, mut others): (Vec<Mesh>, Vec<Mesh>) = asset.meshes.into_iter().partition(is_skin);
        for mesh in &skin {
            let mut right = half(mesh, false);
            let places = &mut right.vertices.positions;
            let middle = places.iter().filter(|place| place.x.abs() < 1e-6);
            let top = middle.map(|place| place.y).fold(f32::MIN, f32::max);
            let moved = places.iter_mut().filter(|place| !shares_top || place.y < top);
            moved.for_each(|place| place.x -= gap);
            others.extend([half(mesh, true), right]);
        }
        asset.meshes = others;
        landmarks(&Head::new(asset))
    };
    // Also where they share the highest point of the seam.
    for found in [false, true].map(|shares_top| with_gap(0.03e-3, shares_top).unwrap()) {
        for landmark in [Landmark::EyeOuterLeft, Landmark::EyeOuterRight, Landmark::MouthLeft, Landmark::MouthRight] {
            let [before, after] = [&whole, &found].map(|of| of.point(landmark).unwrap());
            assert!(before.distance(after) < 1e-3, "{landmark:?}: {before} {after}");
        }
    }
    assert!(with_gap(2e-3, false).is_err(), "a slit through the face is none");
}

#[test]
fn what_is_no_face_is_refused_in_one_sentence() {
    let source_head = bundled();
    let source = Source::new(&source_head).unwrap();
    let refusal = |head: &Head| carried(&source, head, &Settings::default(), &[]).map(drop).unwrap_err();
    let bare = without_shapes(&source_head);
    let keeping = |keep: &dyn Fn(&Mesh) -> bool| {
        let mut asset = bare.to_asset();
        asset.meshes.retain(keep);
        asset.clips.clear();
        Head::new(asset)
    };
    let is_eye = |mesh: &Mesh| mesh.parts.iter().any(|part| source_head.roles[part.material] == Role::Eye);
    // A body without eyes, a face with painted eyes.
    let blind = keeping(&|mesh| !is_eye(mesh));
    assert_eq!(refusal(&blind), TransferError::NoEyeballs);
    // Eyes alone.
    assert!(matches!(refusal(&keeping(&is_eye)), TransferError::NoSkin | TransferError::EyeClosed(_)));
    // Nothing.
    assert_eq!(refusal(&keeping(&|_| false)), TransferError::NoEyeballs);
    // Eyes that are stuck onto the face, and not in it.
    let mut asset = bare.to_asset();
    for mesh in asset.meshes.iter_mut().filter(|mesh| is_eye(mesh)) {
        mesh.vertices.positions.iter_mut().for_each(|place| place.z += 0.03);
    }
    let stuck = Head::new(asset);
    assert!(matches!(refusal(&stuck), TransferError::NoLids(_)));
    // Eyes that are closed at rest.
    let blink = |weight: f32| {
        let mut asset = source_head.to_asset();
        for mesh in &mut asset.meshes {
            for target in mesh.targets.iter().filter(|target| target.name.starts_with("eyeBlink")) {
                for (&row, &delta) in target.rows.iter().zip(&target.positions) {
                    mesh.vertices.positions[row as usize] += delta * weight;
                }
            }
            mesh.targets.clear();
        }
        asset.clips.clear();
        Head::new(asset)
    };
    assert!(matches!(refusal(&blink(1.0)), TransferError::EyeClosed(_)));
    // Points on the wrong sides.
    let found = landmarks(&bare).unwrap();
    let swapped = [(Landmark::MouthLeft, Landmark::MouthRight), (Landmark::MouthRight, Landmark::MouthLeft)];
    let points = swapped.map(|(to, from)| (to, found.point(from).unwrap()));
    let with_points = |points: &[(Landmark, DVec3)]| carried(&source, &bare, &Settings::default(), points).map(drop);
    assert_eq!(with_points(&points), Err(TransferError::Swapped("mouthLeft")));
    // A mouth that is clicked on the brows.
    let up = DVec3::Y * 1.2 * found.unit;
    let corners = [Landmark::MouthLeft, Landmark::MouthRight];
    let wrong = with_points(&corners.map(|corner| (corner, found.point(corner).unwrap() + up)));
    assert!(matches!(wrong, Err(TransferError::Refused(_))), "{wrong:?}");
    // Eyes on the brows: the faces fit, but the lids do not close.
    let eyes = [Landmark::EyeInnerLeft, Landmark::EyeInnerRight, Landmark::EyeOuterLeft, Landmark::EyeOuterRight];
    let brow = DVec3::new(0.0, 14.0, 3.0) * found.unit / 63.0;
    let on_brows = with_points(&eyes.map(|corner| (corner, found.point(corner).unwrap() + brow))).unwrap_err();
    let text = on_brows.to_string();
    assert!(text.starts_with("eyeball seen at ") && text.ends_with("put the corners of the eyes where the lids meet"));
    // A shape that the source lacks, and shapes that the head has.
    let settings = Settings { shapes: Some(vec!["wink".into()]), ..Settings::default() };
    let wink = carried(&source, &bare, &settings, &[]).map(drop);
    assert_eq!(wink, Err(TransferError::NoShape("wink".into())));
    assert!(matches!(refusal(&source_head), TransferError::Refused(_)));
    assert!(matches!(Source::new(&bare).map(drop), Err(TransferError::NoShapes)));
}

#[test]
fn a_mirrored_head_is_refused_with_what_to_do() {
    let bare = without_shapes(&bundled());
    let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let with = |change: &dyn Fn(&mut Mesh)| {
        let mut asset = bare.to_asset();
        asset.clips.clear();
        asset.meshes.iter_mut().for_each(change);
        landmarks(&Head::new(asset))
    };
    let flip = |mesh: &mut Mesh| mesh.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
    let scale = |mesh: &mut Mesh| {
        (mesh.node, mesh.world_from_mesh) = (None, mirror * bare.rest_pose.world_from_mesh(mesh));
    };
    let of_points = |mesh: &mut Mesh| {
        let back = mesh.world_from_mesh.inverse() * mirror * mesh.world_from_mesh;
        mesh.vertices.positions.iter_mut().for_each(|place| *place = back.transform_point3(*place));
        mesh.vertices.normals.iter_mut().for_each(|normal| *normal = back.transform_vector3(*normal));
    };
    assert_eq!(with(&flip).unwrap_err(), TransferError::WindsInward);
    assert_eq!(with(&scale).unwrap_err(), TransferError::NegativeScale);
    assert_eq!(with(&of_points).unwrap_err(), TransferError::WindsInward);
    // An eyeball may be the mirror image of the other one.
    let eye = |mesh: &mut Mesh| {
        if mesh.name == "eyes" {
            flip(mesh);
            of_points(mesh);
            scale(mesh);
        }
    };
    assert!(with(&eye).is_ok());
    // With its triangles flipped, a mirrored head is a face, but its sides have the wrong names.
    let named = |mesh: &mut Mesh, left: &str, right: &str, others: &mut Vec<Mesh>| {
        others.push(Mesh { name: right.into(), ..half(mesh, false) });
        *mesh = Mesh { name: left.into(), ..half(mesh, true) };
    };
    let halves = |left: &str, right: &str| {
        let mut asset = bare.to_asset();
        asset.clips.clear();
        let mut others = Vec::new();
        asset
            .meshes
            .iter_mut()
            .filter(|mesh| mesh.name == "eyes")
            .for_each(|mesh| named(mesh, left, right, &mut others));
        assert_eq!(others.len(), 1);
        asset.meshes.extend(others);
        landmarks(&Head::new(asset)).map(drop)
    };
    assert_eq!(halves("EyeLeft", "EyeRight"), Ok(()));
    assert_eq!(halves("eye_R", "eye_L"), Err(TransferError::Mirrored("eye_R".into())));
}

#[test]
fn counterparts_are_at_the_same_places_of_both_faces() {
    let source = bundled();
    let (head, skin, _) = made(&source, &Person::new(1), 0.5);
    let [of_source, of_made] = counterparts([&source, &head], Progress::NONE).unwrap();
    // The made head has the vertices of the bundled one, so that each should find itself, or a neighbour.
    let places = &source.meshes[skin].vertices.positions;
    let areas = seen_skin(&head, &head.meshes[skin]);
    for found in [&of_made[skin], &of_source[skin]] {
        let (mut errors_mm, mut lost) = (Vec::new(), 0);
        for (vertex, _) in areas.iter().enumerate().filter(|(_, area)| **area > 0.0) {
            match found[vertex] {
                Some((mesh, other)) if mesh == skin => {
                    errors_mm.push(places[vertex].distance(places[other as usize]) * 1e3);
                }
                // At its border, the face goes on as the neck.
                Some(_) => {}
                None => lost += 1,
            }
        }
        errors_mm.sort_unstable_by(f32::total_cmp);
        let at = |share: f64| errors_mm[(errors_mm.len() as f64 * share) as usize];
        assert!(at(0.5) < 2.0 && at(0.95) < 6.0, "{} {}", at(0.5), at(0.95));
        assert!(lost * 10 < areas.iter().filter(|area| **area > 0.0).count(), "{lost}");
    }
}

#[test]
fn a_pose_becomes_one_shape() {
    let head = bundled();
    let names = ["jawOpen", "mouthPucker"];
    let channels = names.map(|name| head.channel_named(name).unwrap());
    let mut weights = head.default_weights();
    for (channel, weight) in channels.into_iter().zip([0.5, 0.25]) {
        head.channels[channel].targets.iter().for_each(|&target| weights[target] = weight);
    }
    let posed = with_pose(&head, "kiss", &weights);
    let skin = head.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let bare = without_shapes(&head);
    let shapes = ["kiss", "jawOpen", "mouthPucker"].map(String::from);
    let settings = Settings { shapes: Some(shapes.into()), ..Settings::default() };
    let done = carried(&Source::new(&posed).unwrap(), &bare, &settings, &[]).unwrap();
    let delta = |name: &str, vertex: u32| {
        let (_, target) = done.targets.iter().find(|(mesh, it)| *mesh == skin && it.name == name).unwrap();
        target.rows.binary_search(&vertex).map(|row| target.positions[row]).unwrap_or_default()
    };
    let (mut worst, mut largest) = (0.0_f32, 0.0_f32);
    for vertex in 0..bare.meshes[skin].vertices.len() as u32 {
        let sum = delta("jawOpen", vertex) * 0.5 + delta("mouthPucker", vertex) * 0.25;
        (worst, largest) = (worst.max(delta("kiss", vertex).distance(sum)), largest.max(sum.length()));
    }
    // Lids are kept off the eyeballs, and the jaw turns, per shape.
    assert!(largest > 5e-3 && worst < 0.1 * largest, "{worst} {largest}");
}

#[test]
fn a_shape_that_is_named_replaces_the_one_that_means_the_same() {
    let head = bundled();
    let source = Source::new(&head).unwrap();
    let skin = head.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let moved: Vec<Vec3> = head.meshes[skin].vertices.positions.iter().map(|place| *place * 0.01).collect();
    let own = ["eyeBlink_L", "mouthSmile", "jawOpen_wide"]
        .map(|name| (skin, Target::from_dense(name.into(), 0.0, &moved, &[], &[])));
    let before = without_shapes(&head).with_targets(own.to_vec(), Vec::new());
    // One smile of both sides is not that of the left alone, and a wide jawOpen is another shape.
    let shapes = Some(["eyeBlinkLeft", "mouthSmileLeft", "jawOpen"].map(String::from).to_vec());
    let done = carried(&source, &before, &Settings { shapes, ..Settings::default() }, &[]).unwrap();
    let carried: Vec<&str> = done.shapes.iter().map(|shape| &*shape.name).collect();
    assert_eq!(carried, ["eyeBlink_L", "mouthSmileLeft", "jawOpen"]);
    let after = before.with_targets(done.targets, Vec::new());
    let names: Vec<&str> = after.meshes[skin].targets.iter().map(|target| &*target.name).collect();
    assert_eq!(names, ["eyeBlink_L", "mouthSmile", "jawOpen_wide", "mouthSmileLeft", "jawOpen"]);
    assert!(after.meshes[skin].targets[0].rows.len() < moved.len(), "a blink moves a part of the face");
}

#[test]
fn correctives_come_with_the_shapes_that_drive_them() {
    let mut source = bundled();
    let skin = source.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let pucker = source.meshes[skin].targets.iter().find(|target| target.name == "mouthPucker").unwrap();
    let [follows, left_out] =
        ["open_pucker", "open_nowhere"].map(|name| Target { name: name.into(), ..pucker.clone() });
    source = source.with_targets(vec![(skin, follows), (skin, left_out)], Vec::new());
    let corrective = |target: &str, other: &str| {
        let drivers = ["jawOpen", other].map(|name| Driver { name: name.into(), full_weight: 1.0 });
        let drive = Drive::Combination(CombinationMethod::Product, drivers.into());
        Corrective { target: target.into(), drive }
    };
    let correctives = [corrective("open_pucker", "mouthPucker"), corrective("open_nowhere", "tongueOut")];
    let source = source.with_correctives(correctives);
    // The target has all shapes but one already, and will never have the tongue's.
    let (made, mesh, _) = made(&source, &Person::new(0), 0.5);
    let names = source.meshes[skin].targets.iter().map(|target| target.name.as_str());
    let own = names.filter(|name| !["jawOpen", "tongueOut", "open_pucker", "open_nowhere"].contains(name));
    let mut deltas = vec![Vec3::ZERO; made.meshes[mesh].vertices.len()];
    deltas[0] = Vec3::X * 1e-3;
    let own = own.map(|name| (mesh, Target::from_dense(name.into(), 0.0, &deltas, &[], &[])));
    let target = made.with_targets(own.collect(), Vec::new());
    let done = carried(&Source::new(&source).unwrap(), &target, &Settings::default(), &[]).unwrap();
    let names: Vec<&str> = done.shapes.iter().map(|shape| shape.name.as_str()).collect();
    assert_eq!(
        (names, &done.correctives[..]),
        (vec!["jawOpen", "open_pucker"], &[corrective("open_pucker", "mouthPucker")][..])
    );
    let head = completed(target.with_targets(done.targets, Vec::new()), done.correctives, []);
    let driven: Vec<&str> = head.correctives.driven().map(|channel| head.channels[channel].name.as_str()).collect();
    assert_eq!(driven, ["open_pucker"]);
}

#[test]
fn real_heads_pass_the_checks() {
    let Some(heads) = real_heads() else { return };
    let source_head = bundled();
    let source = Source::new(&source_head).unwrap();
    for name in
        ["ict/ict_facekit.glb", "avatars/rpm_brunette-t.glb", "threejs/facecap.glb", "makehuman/mh_expressions.glb"]
    {
        let head = without_shapes(&import::open(&heads.join(name)).unwrap());
        let done = carried(&source, &head, &Settings::default(), &[]).unwrap();
        let failed = done.checks.iter().filter(|check| !check.is_passed()).map(|check| check.in_words());
        let warnings: Vec<String> = done.warnings.iter().cloned().chain(failed).collect();
        assert!(warnings.len() <= 1, "{name}: {warnings:?}");
        assert!(done.shapes.len() >= 51, "{name}: {}", done.shapes.len());
        // Its tongue is named as its teeth, and higher than the slit of the mouth: only the upper teeth stay.
        if let Some(teeth) = head.meshes.iter().position(|mesh| mesh.name == "Wolf3D_Teeth") {
            let open = done.targets.iter().find(|(mesh, target)| *mesh == teeth && target.name == "jawOpen");
            assert_eq!(open.map(|(_, target)| target.rows.len()), Some(53));
        }
    }
}
