//! What is measured of shapes and what is under the pointer, against the reference and against pictures in every blend mode.

use crate::pictures::*;
use glam::DVec3;
use smirk_analysis::Marked;
use smirk_analysis::judge::IntersectionFinder;
use smirk_analysis::measure::{Measure, MeasuredHead};
use smirk_files::import::version_of;
use smirk_graphics::blend::reference;
use smirk_picture::pick::{Picker, movers};
use smirk_scene::{Compared, Heat, HeatAgainst, Normals, ViewMode};

const POSE: [(&str, f32); 3] = [("jawOpen", 0.7), ("mouthSmileLeft", 0.9), ("browInnerUpRight", 1.0)];

/// The positions of the reference in millimetres, for each mesh.
fn reference_mm(head: &Head, weights: &[f32]) -> Vec<Vec<DVec3>> {
    let vertices = reference(head, weights, Normals::Auto);
    let mut vertices = vertices.iter().map(|vertex| vertex.position);
    let mm_per_unit = f64::from(head.mm_per_unit());
    let of_mesh = |mesh: &Mesh| -> Vec<DVec3> {
        let world = mesh.world_from_mesh.as_dmat4();
        let in_mm = |point| world.transform_point3(point) * mm_per_unit;
        vertices.by_ref().take(mesh.vertices.len()).map(in_mm).collect()
    };
    head.meshes.iter().map(of_mesh).collect()
}

/// What the reference says of a measure, for each vertex; across the seams where positions are equal, like the surface.
fn of_reference(head: &Head, measure: Measure, weights: &[f32]) -> Vec<Vec<f64>> {
    let (from, to) = (reference_mm(head, &[]), reference_mm(head, weights));
    let meshes = head.meshes.iter().zip(from.iter().zip(&to));
    let of_mesh = |(mesh, (from, to)): (&Mesh, (&Vec<DVec3>, &Vec<DVec3>))| {
        let mut values = vec![0.0_f64; from.len()];
        let triangles = mesh.indices.as_chunks::<3>().0;
        match measure {
            Measure::Displacement => values = from.iter().zip(to).map(|(a, b)| a.distance(*b)).collect(),
            Measure::EdgeLength => {
                for &[a, b, c] in triangles {
                    for [a, b] in [[a, b], [b, c], [c, a]].map(|edge| edge.map(|vertex| vertex as usize)) {
                        let change = (to[a].distance(to[b]) / from[a].distance(from[b]) - 1.0) * 100.0;
                        for vertex in [a, b] {
                            if change.abs() > values[vertex].abs() {
                                values[vertex] = change;
                            }
                        }
                    }
                }
            }
            _ => panic!("not compared"),
        }
        values
    };
    meshes.map(of_mesh).collect()
}

/// The largest difference of two lists of values.
fn largest_difference(values: &[Vec<f32>], expected: &[Vec<f64>]) -> f64 {
    let pairs = values.iter().flatten().zip(expected.iter().flatten());
    pairs.map(|(value, expected)| (f64::from(*value) - expected).abs()).fold(0.0, f64::max)
}

#[test]
fn displacement_is_that_of_the_reference_and_an_error_is_seen() {
    let head = bundled_head();
    let weights = pose(&head, &POSE);
    let measured = MeasuredHead::new(&head).values(&head, Measure::Displacement, &[], &weights);
    let expected = of_reference(&head, Measure::Displacement, &weights);
    let largest = expected.iter().flatten().copied().fold(0.0, f64::max);
    assert!(largest > 10.0, "the pose moves the chin by centimetres: {largest}");
    assert!(largest_difference(&measured, &expected) < 1e-3, "{} mm", largest_difference(&measured, &expected));
    let planted = pose(&head, &[("jawOpen", 0.7), ("mouthSmileLeft", 0.91), ("browInnerUpRight", 1.0)]);
    let wrong = of_reference(&head, Measure::Displacement, &planted);
    assert!(largest_difference(&measured, &wrong) > 0.05, "one hundredth of a smile is seen");
}

#[test]
fn stretch_is_that_of_the_reference_within_a_surface() {
    // Without seams, so that every edge is one of the file.
    let mut mesh = square(Mat4::from_scale(Vec3::splat(0.5)), 0);
    let deltas = [Vec3::ZERO, Vec3::X, Vec3::X, Vec3::Y * 0.25];
    mesh.targets = vec![Target::from_dense("wide".into(), 0.0, &deltas, &[], &[])];
    let head = head_of(vec![mesh], vec![Material::default()], vec![]);
    for weight in [0.0, 0.4, 1.0, -0.5] {
        let measured = MeasuredHead::new(&head).values(&head, Measure::EdgeLength, &[], &[weight]);
        let expected = of_reference(&head, Measure::EdgeLength, &[weight]);
        assert!(largest_difference(&measured, &expected) < 1e-3, "{weight}: {measured:?} is not {expected:?}");
    }
    let area = MeasuredHead::new(&head).values(&head, Measure::Area, &[], &[1.0]);
    // The first triangle is twice as wide; the second becomes (0, 0), (2, 1), (0, 1.25): 1.25 instead of 0.5.
    let expected = [(2.25 - 1.0) * 100.0, 100.0, (2.25 - 1.0) * 100.0, 150.0];
    let is_near = |(value, expected): (&f32, f32)| (value - expected).abs() < 0.01;
    assert!(area[0].iter().zip(expected).all(is_near), "{area:?} is not {expected:?}");
    let mut folded = square(Mat4::IDENTITY, 0);
    folded.targets = vec![Target::from_dense(
        "fold".into(),
        0.0,
        &[Vec3::ZERO, Vec3::new(-1.0, 0.0, 1.0), Vec3::new(-1.0, 0.0, 1.0), Vec3::ZERO],
        &[],
        &[],
    )];
    let head = head_of(vec![folded], vec![Material::default()], vec![]);
    let turned = MeasuredHead::new(&head).values(&head, Measure::Normal, &[], &[1.0]);
    assert!(turned[0].iter().all(|degrees| (degrees - 90.0).abs() < 0.01), "a quarter turn: {turned:?}");
}

fn scene(head: &Arc<Head>, weights: &[f32], camera: &Camera, look: &Look, mode: BlendMode) -> Scene {
    Scene { weights: weights.into(), mode, ..Scene::at_rest(head, camera, look, SIZE) }
}

/// The middle of a pixel, in picture heights from the middle.
fn middle_of_pixel(x: u32, y: u32) -> Vec2 {
    (Vec2::new(x as f32, y as f32) + 0.5 - Vec2::new(SIZE[0] as f32, SIZE[1] as f32) * 0.5) / SIZE[1] as f32
}

/// The number on a scale whose colour, darkened by at most a quarter, is nearest to that of a pixel.
fn read_off(heat: &Heat, pixel: &[u8; 4]) -> f32 {
    let linear =
        |encoded: f32| if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
    let mut best = (f32::INFINITY, 0.0);
    for step in 0..=400 {
        let color = heat.scale().color(step as f32 / 400.0).map(linear);
        for shade in 0..=25 {
            let shown = color.map(|channel| f32::from(linear_to_srgb(channel * (0.75 + shade as f32 / 100.0))));
            let apart: f32 = shown.iter().zip(pixel).map(|(a, b)| (a - f32::from(*b)).powi(2)).sum();
            if apart < best.0 {
                best = (apart, step as f32 / 400.0);
            }
        }
    }
    best.1
}

#[test]
fn the_heat_map_shows_the_numbers_of_the_reference_in_every_mode() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let most = 30.0;
    let (weights, heat) = (pose(&head, &POSE), Heat { most: Some(most), ..Heat::default() });
    let look = Look { view: ViewMode::Heat, heat, isolates_face: true, ..Look::default() };
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let expected = of_reference(&head, Measure::Displacement, &weights);
    let other = of_reference(&head, Measure::Displacement, &pose(&head, &[("jawOpen", 0.5)]));
    let mut picker = Picker::default();
    picker.place(&head, (&look, &[]), &weights, &[]);
    for &mode in BlendMode::ALL {
        let picture = renderer.picture(&scene(&head, &weights, &camera, &look, mode));
        let (mut errors, mut planted, mut count) = (0.0, 0.0, 0);
        for (x, y) in (48..208).step_by(16).flat_map(|x| (64..208).step_by(16).map(move |y| (x, y))) {
            let Some(hit) = picker.pick(&head, &camera.ray(middle_of_pixel(x, y))) else { continue };
            if head.meshes[hit.mesh].name != "face" {
                continue;
            }
            let at = |values: &[Vec<f64>]| -> f32 {
                let corners = hit.vertices.iter().zip(hit.weights.to_array());
                corners.map(|(&vertex, share)| values[hit.mesh][vertex as usize] as f32 * share).sum()
            };
            let shown = read_off(&heat, &picture.get_pixel(x, y).0) * most;
            errors += (shown - at(&expected)).abs();
            planted += (shown - at(&other)).abs();
            count += 1;
        }
        let (error, planted) = (errors / count as f32, planted / count as f32);
        assert!(count > 30 && error < 0.25, "{mode:?}: {error} mm off at {count} points");
        assert!(planted > 3.0 * error && planted > 0.5, "{mode:?}: another pose would be {planted} mm off");
    }
}

#[test]
fn two_modes_are_compared_by_what_they_make_of_the_weights() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let weights = pose(&head, &POSE);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let heat = |most| Heat { against: HeatAgainst::Mode(BlendMode::Cpu), most: Some(most), ..Heat::default() };
    let mut of = |mode, most| {
        let look = Look { view: ViewMode::Heat, heat: heat(most), ..Look::default() };
        let picture = renderer.picture(&scene(&head, &weights, &camera, &look, mode));
        read_off(&look.heat, &picture.get_pixel(SIZE[0] / 2, SIZE[1] * 3 / 5).0)
    };
    for &mode in BlendMode::ALL {
        assert!(of(mode, 0.1) < 0.01, "{mode:?} differs by more than a thousandth of a millimetre");
    }
}

/// The bundled head with a target of the face whose vertices are all moved by so many millimetres of the head more, along x.
fn with_planted_move(head: &Arc<Head>, name: &str, mm: f32) -> Arc<Head> {
    let target = head.meshes[0].targets.iter().find(|target| target.name == name).unwrap();
    let to_mesh = head.meshes[0].world_from_mesh.inverse();
    let by = to_mesh.transform_vector3(Vec3::X * mm / head.mm_per_unit());
    let moved = Target { positions: target.positions.iter().map(|delta| *delta + by).collect(), ..target.clone() };
    Arc::new(head.with_targets(vec![(0, moved)], Vec::new()))
}

#[test]
fn the_difference_of_two_versions_shows_a_planted_move_in_every_mode() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let version = Arc::new(version_of(&head, with_planted_move(&head, "jawOpen", 4.0)));
    assert_eq!(version.moved.len(), 1);
    let heat = Heat { against: HeatAgainst::Compared, most: Some(5.0), ..Heat::default() };
    let look = Look { view: ViewMode::Heat, heat, isolates_face: true, ..Look::default() };
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let compared = Compared::Version { version, plays_correctives: true, time_secs: 0.0 };
    let (mut picker, channel) = (Picker::default(), head.channel_named("jawOpen").unwrap());
    let target = &head.meshes[0].targets[head.channels[channel].targets[0]];
    for &mode in BlendMode::ALL {
        for weight in [0.25, 1.0] {
            let weights = pose(&head, &[("jawOpen", weight), ("browInnerUpRight", 1.0)]);
            picker.place(&head, (&look, &[]), &weights, &[]);
            let scene = Scene { compared: Some(compared.clone()), ..scene(&head, &weights, &camera, &look, mode) };
            let picture = renderer.picture(&scene);
            // The errors in millimetres at points that moved, and at others.
            let (mut moved, mut still) = (Vec::new(), Vec::new());
            for (x, y) in (48..208).step_by(8).flat_map(|x| (64..220).step_by(8).map(move |y| (x, y))) {
                let Some(hit) = picker.pick(&head, &camera.ray(middle_of_pixel(x, y))).filter(|hit| hit.mesh == 0)
                else {
                    continue;
                };
                let shown = read_off(&heat, &picture.get_pixel(x, y).0) * 5.0;
                match hit.vertices.iter().filter(|vertex| target.rows.contains(vertex)).count() {
                    0 => still.push(shown),
                    3 => moved.push((shown - 4.0 * weight).abs()),
                    _ => {}
                }
            }
            assert!(moved.len() > 20 && still.len() > 20, "{} points that moved, {} others", moved.len(), still.len());
            let mean = |errors: &[f32]| errors.iter().sum::<f32>() / errors.len() as f32;
            let (moved, still) = (mean(&moved), mean(&still));
            assert!(
                moved < 0.1 && still < 0.05,
                "{mode:?} at {weight}: {moved} mm off where it moved, {still} elsewhere"
            );
        }
    }
}

#[test]
fn two_faces_of_one_head_are_measured_against_each_other() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let [a, b] = [0.6, 0.2].map(|jaw| pose(&head, &[("jawOpen", jaw)]));
    let heat = |against| Heat { against, most: Some(20.0), ..Heat::default() };
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let compared = Compared::Weights(b.into());
    let mut of = |weights: &[f32], against, compared: Option<&Compared>| {
        let look = Look { view: ViewMode::Heat, heat: heat(against), ..Look::default() };
        renderer.picture(&Scene {
            compared: compared.cloned(),
            ..scene(&head, weights, &camera, &look, BlendMode::Compute)
        })
    };
    // The jaw moves in a straight line: it is 0.4 of its way at weight 1 farther open.
    let (apart, alone) = (
        of(&a, HeatAgainst::Compared, Some(&compared)),
        of(&pose(&head, &[("jawOpen", 0.4)]), HeatAgainst::Rest, None),
    );
    let colors = |picture: &RgbaImage| -> Vec<f32> {
        let heat = heat(HeatAgainst::Rest);
        let chin = (110..146).step_by(6).map(|x| picture.get_pixel(x, 195).0);
        chin.map(|pixel| read_off(&heat, &pixel) * 20.0).collect()
    };
    let largest = |values: Vec<f32>| values.into_iter().fold(0.0, f32::max);
    let (apart, alone) = (largest(colors(&apart)), largest(colors(&alone)));
    assert!(apart > 5.0 && (apart - alone).abs() < 1.5, "{apart} mm apart, {alone} mm at that weight from rest");
    let same = Compared::Weights(a.clone().into());
    assert!(largest(colors(&of(&a, HeatAgainst::Compared, Some(&same)))) < 0.2, "a face and itself");
    assert!(largest(colors(&of(&a, HeatAgainst::Compared, None))) > apart, "without a B it is measured from rest");
}

#[test]
fn the_surface_under_a_pixel_is_what_is_drawn_there_in_every_mode() {
    let mut small = square(Mat4::from_scale(Vec3::splat(0.2)), 1);
    small.targets = vec![Target::from_dense("up".into(), 0.0, &[Vec3::new(1.0, 1.5, 0.5); 4], &[], &[])];
    let back = square(Mat4::from_translation(Vec3::Z * -0.1), 0);
    let head = head_of(vec![back, small], vec![unlit([1.0, 0.0, 0.0, 1.0]), unlit([0.0, 1.0, 0.0, 1.0])], vec![]);
    let camera = Camera::framing(head.bounds, head.bounds, View::Front, 1.0);
    let (mut renderer, mut picker, look) = (renderer(), Picker::default(), Look::default());
    for &mode in BlendMode::ALL {
        for weights in [[0.0], [1.0], [-0.6]] {
            let picture = renderer.picture(&scene(&head, &weights, &camera, &look, mode));
            picker.place(&head, (&look, &[]), &weights, &[]);
            let mut greens = 0;
            for (x, y) in (0..SIZE[0]).step_by(7).flat_map(|x| (0..SIZE[1]).step_by(7).map(move |y| (x, y))) {
                let hit = picker.pick(&head, &camera.ray(middle_of_pixel(x, y))).map(|hit| hit.mesh);
                let expected = match picture.get_pixel(x, y).0 {
                    [250..=255, 0..5, 0..5, _] => Some(0),
                    [0..5, 250..=255, 0..5, _] => Some(1),
                    [red, green, ..] if red.max(green) < 100 => None,
                    // A pixel at an edge shows both.
                    _ => continue,
                };
                assert_eq!(hit, expected, "{mode:?}, {weights:?} at {x}, {y}");
                greens += usize::from(expected == Some(1));
            }
            assert!(greens > 5, "{mode:?}, {weights:?}: {greens}");
        }
    }
}

#[test]
fn a_known_vertex_is_under_its_pixel_and_its_movers_are_those_of_the_file() {
    let head = bundled_head();
    let weights = pose(&head, &POSE);
    let turned: Vec<Mat4> = {
        let nodes = head.rest_pose.world_from_node().iter();
        nodes.map(|world| Mat4::from_rotation_y(0.3) * Mat4::from_translation(Vec3::X * 0.02) * *world).collect()
    };
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let blended = reference(&head, &weights, Normals::Auto);
    let rig_pose = smirk_face::head::RigPose::new(&head.rig, turned.clone());
    let mut picker = Picker::default();
    picker.place(&head, (&Look::default(), &[]), &weights, &turned);
    let face = head.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let mesh = &head.meshes[face];
    let first: usize = head.meshes[..face].iter().map(|mesh| mesh.vertices.len()).sum();
    let mut seen = 0;
    for vertex in (0..mesh.vertices.len()).step_by(97) {
        let world = rig_pose.world_from_vertex(mesh, vertex);
        let point = world.transform_point3(blended[first + vertex].position.as_vec3());
        let Some(hit) = picker.pick(&head, &camera.ray(camera.in_picture(point).unwrap())) else { continue };
        if hit.mesh != face || hit.point.distance(point) > 1e-5 {
            // Something lies before it.
            continue;
        }
        seen += 1;
        let nearest = hit.weights.max_element();
        assert!(nearest > 0.98, "vertex {vertex}: {hit:?}");
        let found = movers(&head, &hit, &weights, &turned);
        assert!(found.windows(2).all(|pair| pair[0].whole_mm >= pair[1].whole_mm));
        let mm_per_unit = head.mm_per_unit();
        for mover in found.iter().take(2) {
            let channel = &head.channels[mover.channel];
            let target =
                channel.targets.iter().find_map(|&index| mesh.targets.get(index.checked_sub(mesh.first_target)?));
            let target = target.unwrap();
            let delta = target.rows.binary_search(&(vertex as u32)).map_or(Vec3::ZERO, |row| target.positions[row]);
            let whole_mm = world.transform_vector3(delta).length() * mm_per_unit;
            assert!(
                (whole_mm - mover.whole_mm).abs() < 0.05 * whole_mm + 0.02,
                "{}: {whole_mm}, {mover:?}",
                channel.name
            );
            let weight = weights[channel.targets[0]];
            assert!((mover.now_mm - mover.whole_mm * weight.abs()).abs() < 1e-3, "{}: {mover:?}", channel.name);
        }
    }
    assert!(seen > 25, "only {seen} vertices were seen");
}

/// The positions of the reference in the world, for each mesh.
fn reference_in_world(head: &Head, weights: &[f32]) -> Vec<Vec<Vec3>> {
    let mm = f64::from(head.mm_per_unit());
    let of_mesh = |points: Vec<DVec3>| points.into_iter().map(|point| (point / mm).as_vec3()).collect();
    reference_mm(head, weights).into_iter().map(of_mesh).collect()
}

/// Whether a pixel shows the colour of what crosses, and not clay.
fn is_intersection([red, green, ..]: [u8; 4]) -> bool {
    red > 150 && f32::from(green) < f32::from(red) * 0.5
}

#[test]
fn intersections_are_coloured_where_they_are_found_in_every_mode_and_nowhere_at_rest() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let look = Look { view: ViewMode::Intersections, isolates_face: true, ..Look::default() };
    let camera = Camera::close_up(&head, View::Front, 1.0);
    let finder = IntersectionFinder::new(&head);
    let rest = head.default_weights();
    assert_eq!(finder.find(&head, &rest).length_mm(), 0.0);
    // Lids that are pressed together, and lips that are closed while the jaw is.
    let weights = pose(&head, &CROSSED);
    let found = finder.find(&head, &weights);
    assert!(found.length_mm() > 20.0, "{} mm", found.length_mm());
    let other = finder.find(&head, &pose(&head, &[("jawOpen", 1.0), ("mouthPucker", 1.0)]));
    let mut picker = Picker::default();
    picker.place(&head, (&look, &[]), &weights, &[]);
    // What crosses is seen through what hides it: where its vertices are in the picture.
    let of_meshes = reference_in_world(&head, &weights);
    let vertices = of_meshes.iter().zip(&found.marked.vertices);
    let vertices = vertices.flat_map(|(points, vertices)| vertices.iter().map(|&vertex| points[vertex as usize]));
    let seen: Vec<Vec2> = vertices.filter_map(|point| camera.in_picture(point)).collect();
    let is_near = |x, y| seen.iter().any(|at| at.distance(middle_of_pixel(x, y)) < 8.0 / SIZE[1] as f32);
    let pixels = (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y)));
    let hits = pixels.filter_map(|(x, y)| Some(((x, y), picker.pick(&head, &camera.ray(middle_of_pixel(x, y)))?)));
    let hits: Vec<_> = hits.collect();
    for &mode in BlendMode::ALL {
        let at_rest = renderer.picture(&scene(&head, &rest, &camera, &look, mode));
        assert!(at_rest.pixels().all(|pixel| !is_intersection(pixel.0)), "{mode:?} colours a face at rest");
        let picture = renderer.picture(&scene(&head, &weights, &camera, &look, mode));
        let (mut right, mut wrong, mut planted) = (0, 0, 0);
        for &((x, y), ref hit) in &hits {
            let corners_in = |vertices: &[Vec<u32>]| {
                hit.vertices.iter().filter(|&&vertex| vertices[hit.mesh].binary_search(&vertex).is_ok()).count()
            };
            let is_shown = is_intersection(picture.get_pixel(x, y).0);
            match corners_in(&found.marked.vertices) {
                3 if is_shown => right += 1,
                3 => wrong += 1,
                0 => wrong += usize::from(is_shown && !is_near(x, y)),
                // The colour ends within the triangle.
                _ => continue,
            }
            planted += usize::from(is_shown != (corners_in(&other.marked.vertices) == 3));
        }
        assert!(right > 30 && wrong * 20 < right, "{mode:?}: {right} pixels are right, {wrong} wrong");
        assert!(planted > right / 2, "{mode:?}: the intersections of another face would be as good");
    }
}

#[test]
fn a_picture_shows_the_intersections_that_its_scene_has() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let look = Look { view: ViewMode::Intersections, ..Look::default() };
    let camera = Camera::close_up(&head, View::Front, 1.0);
    let (rest, weights) = (head.default_weights(), pose(&head, &CROSSED));
    let nothing = Arc::<Marked>::default();
    let found = IntersectionFinder::new(&head).find(&head, &weights).marked;
    let mut coloured = |weights: &[f32], marked: Option<&Arc<Marked>>| {
        let marked = marked.cloned();
        let scene = Scene { marked, ..scene(&head, weights, &camera, &look, BlendMode::Compute) };
        assert!(renderer.draw(&scene), "other intersections are another picture");
        assert!(!renderer.draw(&scene), "the same intersections are the same picture");
        renderer.read_pixels().pixels().filter(|pixel| is_intersection(pixel.0)).count()
    };
    assert_eq!(coloured(&weights, Some(&nothing)), 0, "nothing is found yet");
    let shown = coloured(&weights, Some(&found));
    assert!(shown > 30 && coloured(&weights, None) == shown, "{shown} pixels");
    assert!(coloured(&rest, Some(&found)) > 0, "until those of this face are found, the last ones are shown");
}

const CROSSED: [(&str, f32); 3] = [("mouthClose", 0.2), ("eyeBlinkLeft", 1.8), ("eyeBlinkRight", 1.8)];
