//! Pictures in batches.

use std::sync::LazyLock;

use glam::{Vec3, Vec4};

use super::*;
use crate::render::Pixels;
use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_face::head::{AlphaMode, Asset, Material, Mesh, Part, Target, Vertices};
use smirk_graphics::blend::{Layout, Precision, VertexOrder};
use smirk_graphics::gpu::Prefer;
use smirk_scene::{Camera, Look, Normals, Quality, View, ViewMode};

fn software_gpu() -> Gpu {
    static GPU: LazyLock<Gpu> = LazyLock::new(|| Gpu::headless(Prefer::Software).unwrap());
    GPU.clone()
}

/// In all parts together.
const TRIANGLES: u32 = 3000;

/// Triangles that cross each other, in three parts: opaque, masked and blended. Small ones are drawn in a small part of
/// the time.
fn head() -> Arc<Head> {
    head_of(0.2)
}

/// The same with triangles whose size is a part of that of the head.
fn head_of(triangle_size: f32) -> Arc<Head> {
    let number = |at: u32| random::signed(3, u64::from(at));
    let random = |at: u32| Vec3::new(number(3 * at), number(3 * at + 1), number(3 * at + 2));
    let corner = |at: u32| random(at / 3 * 3).lerp(random(at), triangle_size);
    let positions: Vec<Vec3> = (0..TRIANGLES * 3).map(corner).collect();
    let vertices = Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() };
    let part = |material: usize| Part {
        first_index: material as u32 * TRIANGLES,
        index_count: TRIANGLES,
        material,
        flat_shaded: false,
    };
    let parts = (0..3).map(part).collect();
    let mesh = Mesh { vertices, indices: (0..TRIANGLES * 3).collect(), parts, ..Mesh::default() };
    let material = |alpha, color| Material { alpha, base_color: color, double_sided: true, ..Material::default() };
    let materials = vec![
        material(AlphaMode::Opaque, [0.8, 0.2, 0.1, 1.0]),
        material(AlphaMode::Mask { cutoff: 0.5 }, [0.1, 0.8, 0.1, 0.7]),
        material(AlphaMode::Blend, [0.1, 0.2, 0.8, 0.5]),
    ];
    Arc::new(Head::new(Asset { name: "head".into(), meshes: vec![mesh], materials, ..Asset::default() }))
}

/// A square picture of a head by the CPU, in the default look.
fn scene(head: &Arc<Head>, camera: &Camera, look: &Look, side: u32, quality: Quality) -> Scene {
    Scene { mode: BlendMode::Cpu, quality, ..Scene::at_rest(head, camera, look, [side; 2]) }
}

/// A renderer with the head, which draws it in batches or as a whole.
fn renderer(gpu: &Gpu, head: &Arc<Head>, batch_size: Option<BatchSize>) -> Renderer {
    let layout = Arc::new(Layout::new(head, Precision::Exact));
    let mut renderer = Renderer::new(gpu);
    let mut on_gpu = HeadOnGpu::new(gpu, head.clone(), layout).unwrap();
    assert!(on_gpu.build_ahead(gpu, None));
    renderer.set_head(on_gpu);
    renderer.batch_size = batch_size;
    renderer
}

fn for_window(gpu: &Gpu, head: &Arc<Head>) -> HeadOnGpu {
    let order = Arc::new(VertexOrder::new(head));
    HeadOnGpu::for_window(gpu, head.clone(), order, Precision::Exact, Progress::NONE).unwrap()
}

/// The sum of the differences of all channels.
fn difference(a: &RgbaImage, b: &RgbaImage) -> u64 {
    a.iter().zip(b.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum()
}

#[test]
fn a_picture_in_batches_is_the_same_and_is_shown_only_when_it_is_finished() {
    let (gpu, head, look) = (software_gpu(), head(), Look::default());
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    for quality in [Quality::FULL, Quality { msaa: 1, scale: 0.5, samples: 0 }] {
        let scene = scene(&head, &camera, &look, 96, quality);
        let picture = |batch_size: Option<BatchSize>| {
            let mut renderer = renderer(&gpu, &head, batch_size);
            let mut batches = 1;
            while renderer.draw_for(&scene, Duration::ZERO).unwrap() != Drawn::Finished {
                assert!(renderer.image().is_none() && renderer.first_picture().is_some());
                batches += 1;
            }
            assert!(!renderer.is_unfinished() && renderer.shows(&scene));
            (renderer.read_pixels(), batches)
        };
        let ((whole, one), (divided, several)) = (picture(None), picture(Some(BatchSize::new())));
        assert!(one == 1 && several > 3, "{several} batches");
        assert!(whole == divided, "at {quality:?}");
    }
}

#[test]
fn a_coarse_picture_takes_the_place_of_an_unfinished_fine_one() {
    let (gpu, head, look) = (software_gpu(), head(), Look::default());
    let mut renderer = renderer(&gpu, &head, Some(BatchSize::new()));
    let mut camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let scene = |camera, quality| scene(&head, camera, &look, 64, quality);
    let before = camera;
    assert_eq!(renderer.draw_for(&scene(&before, Quality::FULL), Duration::ZERO).unwrap(), Drawn::Unfinished);
    camera.zoom(1.5, glam::Vec2::ZERO);
    let coarse = scene(&camera, Quality { msaa: 1, scale: 0.5, samples: 0 });
    assert!(renderer.draw(&coarse).unwrap() && renderer.shows(&coarse));
    renderer.batch_size = Some(BatchSize::new());
    assert_eq!(renderer.draw_for(&scene(&before, coarse.quality), Duration::ZERO).unwrap(), Drawn::Unfinished);
    assert!(renderer.draw(&coarse).is_ok_and(|has_drawn| !has_drawn) && renderer.shows(&coarse));
}

/// Calls `draw_for` until the picture is complete, and returns the pictures that were shown meanwhile.
fn shown_until_done(renderer: &mut Renderer, scene: &Scene) -> Vec<RgbaImage> {
    let mut shown = Vec::<RgbaImage>::new();
    for _ in 0..10_000 {
        let drawn = renderer.draw_for(scene, Duration::ZERO).unwrap();
        if renderer.image().is_some() {
            let picture = renderer.read_pixels();
            if shown.last() != Some(&picture) {
                shown.push(picture);
            }
        }
        if drawn == Drawn::Nothing {
            return shown;
        }
    }
    panic!("the picture is never complete");
}

#[test]
fn a_picture_that_rests_turns_gradually_into_the_mean_of_its_samples_and_then_nothing_is_drawn() {
    let (gpu, head, look) = (software_gpu(), head(), Look::default());
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let scene = scene(&head, &camera, &look, 96, Quality { samples: 8, ..Quality::FULL });
    for batch_size in [None, Some(BatchSize::new())] {
        let mut renderer = renderer(&gpu, &head, batch_size);
        let shown = shown_until_done(&mut renderer, &scene);
        assert!(!renderer.is_refining() && renderer.shows(&scene));
        assert_eq!(shown.len(), 9, "the preview, and one for each sample");
        let (first, last) = (&shown[0], &shown[8]);
        let whole = difference(first, last);
        for pair in shown.windows(2) {
            assert!(difference(&pair[0], &pair[1]) * 2 < whole, "a visible step");
        }
        assert!(difference(first, &shown[1]) * 8 < whole, "one sample alone is never shown");
        assert!(renderer.picture(&Scene { quality: Quality::refined(8), ..scene.clone() }).unwrap() == *last);
        assert_eq!(renderer.draw_for(&scene, Duration::ZERO).unwrap(), Drawn::Nothing);
    }
}

#[test]
fn pipelines_are_built_in_pieces_and_once_all_rests_every_mode_is_drawn_at_once() {
    let (gpu, look) = (software_gpu(), Look::default());
    let head = with_target(Vec::new());
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let mut renderer = Renderer::new(&gpu);
    renderer.set_head(for_window(&gpu, &head));
    let scene = |weights: &[f32], mode, msaa| {
        let quality = Quality { msaa, ..Quality::FULL };
        Scene { weights: weights.into(), mode, ..scene(&head, &camera, &look, 64, quality) }
    };
    let first = scene(&[0.0], BlendMode::Cpu, 1);
    assert_eq!(
        renderer.draw_for(&first, Duration::ZERO).unwrap(),
        Drawn::Finished,
        "the first picture waits for nothing"
    );
    let shown = renderer.read_pixels();
    let fine = scene(&[1.0], BlendMode::Cpu, 4);
    let mut pieces = 0;
    while renderer.draw_for(&fine, Duration::ZERO).unwrap() == Drawn::Unfinished {
        assert!(renderer.is_refining() && renderer.read_pixels() == shown, "the picture from before stays");
        pieces += 1;
        assert!(pieces < 100, "the pipelines are never there");
    }
    assert!(pieces > 0, "all were built in one frame");
    let mut frames = 0;
    while renderer.is_refining() || frames == 0 {
        assert_eq!(renderer.draw_for(&fine, Duration::ZERO).unwrap(), Drawn::Nothing);
        frames += 1;
        assert!(frames < 100, "the pipelines are never there");
    }
    for &mode in BlendMode::ALL {
        for msaa in [1, 4] {
            let other = scene(&[0.5], mode, msaa);
            assert_eq!(renderer.draw_for(&other, Duration::ZERO).unwrap(), Drawn::Finished, "{mode:?} {msaa}");
        }
    }
}

#[test]
fn a_change_while_a_picture_is_refined_is_drawn_at_once() {
    let (gpu, head, look) = (software_gpu(), head(), Look::default());
    let mut renderer = renderer(&gpu, &head, None);
    let mut camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let scene = |camera, quality| Scene { mode: BlendMode::Compute, ..scene(&head, camera, &look, 64, quality) };
    let before = camera;
    let resting = Quality { samples: 16, ..Quality::FULL };
    assert_eq!(renderer.draw_for(&scene(&before, resting), Duration::ZERO).unwrap(), Drawn::Finished);
    for _ in 0..40 {
        assert_eq!(renderer.draw_for(&scene(&before, resting), Duration::ZERO).unwrap(), Drawn::Unfinished);
    }
    assert!(renderer.is_refining());
    camera.zoom(1.5, glam::Vec2::ZERO);
    let moved = scene(&camera, Quality::FULL);
    assert_eq!(renderer.draw_for(&moved, Duration::ZERO).unwrap(), Drawn::Finished);
    assert!(!renderer.is_refining() && renderer.shows(&moved));
    let shown = renderer.read_pixels();
    assert!(renderer.picture(&moved).unwrap() == shown, "the picture has samples of the one before");
}

#[test]
fn a_picture_that_was_refined_while_it_changed_is_refined_further_at_rest() {
    let (gpu, head, look) = (software_gpu(), head(), Look::default());
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let mut renderer = renderer(&gpu, &head, None);
    let scene = |samples| scene(&head, &camera, &look, 96, Quality { samples, ..Quality::FULL });
    assert!(renderer.draw(&scene(4)).unwrap());
    let moving = renderer.read_pixels();
    assert!(renderer.picture(&scene(4)).unwrap() == moving);
    assert!(!renderer.draw(&scene(4)).unwrap(), "it has all its samples");
    let shown = shown_until_done(&mut renderer, &scene(16));
    let last = shown.last().unwrap();
    assert!(renderer.picture(&scene(16)).unwrap() == *last);
    assert!(*last != moving);
    let unrefined = difference(&renderer.picture(&scene(0)).unwrap(), last);
    for pair in [moving].iter().chain(&shown).collect::<Vec<_>>().windows(2) {
        assert!(difference(pair[0], pair[1]) * 2 < unrefined, "a visible step");
        assert!(difference(pair[1], last) * 3 < unrefined * 2, "the picture without refinement is shown again");
    }
}

#[test]
fn two_pictures_side_by_side_are_those_that_each_scene_has_alone() {
    let (gpu, look) = (software_gpu(), Look::default());
    let up = vec![Vec3::Y * 0.3; TRIANGLES as usize * 3];
    let target = Target::from_dense("up".into(), 0.0, &up, &[], &[]);
    let head = Arc::new(head().with_targets(vec![(0, target)], Vec::new()));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    for in_batches in [false, true] {
        let quality = Quality { samples: 2, ..Quality::FULL };
        let plain = scene(&head, &camera, &look, 48, quality);
        let scenes =
            [Scene { weights: [0.0].into(), ..plain.clone() }, Scene { weights: [1.0].into(), ..plain.clone() }];
        let new = || renderer(&gpu, &head, in_batches.then(BatchSize::new));
        let alone = scenes.each_ref().map(|scene| shown_until_done(&mut new(), scene).pop().unwrap());
        assert!(difference(&alone[0], &alone[1]) > 0);
        let mut both = new();
        let mut rounds = 0;
        loop {
            let drawn = both.draw_for(&scenes[0], Duration::ZERO).unwrap();
            let beside = both.draw_beside_for(&scenes[1], Duration::ZERO).unwrap();
            if [drawn, beside] == [Drawn::Nothing; 2] && !both.is_unfinished() {
                break;
            }
            rounds += 1;
            assert!(rounds < 10_000, "the pictures are never complete");
        }
        assert!(both.shows(&scenes[0]) && both.shows_beside(&scenes[1]) && !both.is_refining());
        let beside = both.beside.as_ref().and_then(RenderOutput::image).map(|target| both.read(target)).unwrap();
        assert!(both.read_pixels() == alone[0] && beside == alone[1], "in batches: {in_batches}");
        both.draw_alone();
        assert!(both.image_beside().is_none() && both.read_pixels() == alone[0]);
    }
}

#[test]
fn a_picture_in_pieces_is_the_same_whatever_is_drawn_in_between() {
    let (gpu, look) = (software_gpu(), Look::default());
    let up = vec![Vec3::Y * 0.3; TRIANGLES as usize * 3];
    let target = Target::from_dense("up".into(), 0.0, &up, &[], &[]);
    for (mode, samples, pixels, triangle_size) in [
        (BlendMode::Cpu, 0, Pixels::Screen, 0.2),
        (BlendMode::Vertex, 3, Pixels::Screen, 0.2),
        (BlendMode::Vertex, 3, Pixels::Light, 0.2),
        (BlendMode::Cpu, 3, Pixels::Light, 1.0),
    ] {
        let head = Arc::new(head_of(triangle_size).with_targets(vec![(0, target.clone())], Vec::new()));
        let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
        let plain = scene(&head, &camera, &look, 96, Quality { samples, ..Quality::FULL });
        let [ours, others] = [[0.0], [1.0]];
        let ours = Scene { weights: ours.into(), mode, ..plain.clone() };
        let (of_window, small) =
            (Scene { weights: others.into(), ..plain.clone() }, Scene { size: [40, 48], ..plain.clone() });
        let small = Scene { weights: others.into(), ..small };
        let whole = {
            let mut renderer = renderer(&gpu, &head, None);
            // Where other weights were blended before, vertices may differ in the last bit from those that are blended
            // first.
            renderer.picture(&of_window).unwrap();
            renderer.begin_picture(&ours, pixels).unwrap().bytes().unwrap()
        };
        for batch_size in [None, Some(BatchSize::new())] {
            let mut renderer = renderer(&gpu, &head, batch_size);
            let shown = {
                while renderer.draw_for(&of_window, Duration::ZERO).unwrap() != Drawn::Nothing {}
                renderer.read_pixels()
            };
            // What was learned from the window's picture is forgotten, so that several batches are drawn on any
            // machine.
            renderer.batch_size = batch_size;
            let mut picture = renderer.new_picture(&ours, pixels);
            let mut pieces = 0;
            while !renderer.draw_picture(&mut picture, &ours, Some(Instant::now())).unwrap() {
                pieces += 1;
                assert!(!picture.is_there() && pieces < 10_000);
                if pieces % 4 == 1 {
                    renderer.picture(&small).unwrap();
                }
                assert_eq!(renderer.draw_for(&of_window, Duration::ZERO).unwrap(), Drawn::Nothing);
            }
            // One for the preview, and for each sample that of the picture and those of its depth maps.
            let least = if samples > 0 { 2 * samples } else { 0 };
            assert!(pieces >= if batch_size.is_some() { least + 2 } else { least }, "{samples}: {pieces}");
            picture.wait();
            assert!(picture.is_there());
            assert!(picture.bytes().unwrap() == whole, "{mode:?} {samples} {pixels:?}");
            assert!(renderer.read_pixels() == shown, "the picture of the window stays");
        }
    }
}

/// The head with a target that moves all of it, and with normals that turn and tangents, if it has them.
fn with_target(tangents: Vec<Vec4>) -> Arc<Head> {
    let count = TRIANGLES as usize * 3;
    let up = Target::from_dense("up".into(), 0.0, &vec![Vec3::Y * 0.3; count], &vec![Vec3::X; count], &[]);
    let mut head = head().with_targets(vec![(0, up)], Vec::new());
    head.asset.meshes[0].vertices.tangents = tangents;
    Arc::new(head)
}

#[test]
fn a_head_is_drawn_at_rest_without_its_deltas_and_then_as_one_that_had_them_from_the_start() {
    let (gpu, look, head) = (software_gpu(), Look::default(), with_target(Vec::new()));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let scene = |weights: &[f32], mode| {
        let quality = Quality { msaa: 4, ..Quality::FULL };
        Scene { weights: weights.into(), mode, ..scene(&head, &camera, &look, 64, quality) }
    };
    let drawn = |renderer: &mut Renderer, scene: &Scene| {
        renderer.draw(scene).unwrap();
        renderer.read_pixels()
    };
    for &mode in BlendMode::ALL {
        let mut whole = renderer(&gpu, &head, None);
        for works_ahead in [false, true] {
            let mut late = Renderer::new(&gpu);
            assert!(late.work_ahead().is_none());
            late.set_head(for_window(&gpu, &head));
            assert!(late.work_ahead().is_none(), "there is no picture");
            let at_rest = drawn(&mut late, &scene(&[0.0], mode));
            assert!(at_rest == drawn(&mut whole, &scene(&[0.0], mode)), "{mode:?}");
            let bounds = |renderer: &mut Renderer, weight| renderer.head.as_mut().unwrap().bounds.under(&[weight]);
            assert_eq!(bounds(&mut late, 0.0), bounds(&mut whole, 0.0));
            let work = late.work_ahead().expect("the deltas are not there");
            assert!(late.memory().delta_bytes == 0 && late.memory().precision == Precision::Exact);
            assert!(!late.needs_work(&scene(&[0.0], mode)) && late.needs_work(&scene(&[0.5], mode)));
            if works_ahead {
                std::thread::spawn(work).join().unwrap();
                assert!(late.work_ahead().is_none(), "it is done once");
                assert!(!late.needs_work(&scene(&[0.5], mode)), "taking the deltas is no work");
                late.take_deltas();
            }
            for weights in [&[1.0], &[0.0], &[0.5]] {
                let [late_picture, picture] =
                    [&mut late, &mut whole].map(|renderer| drawn(renderer, &scene(weights, mode)));
                assert!(late_picture == picture, "{mode:?} {weights:?}");
                assert_eq!(bounds(&mut late, weights[0]), bounds(&mut whole, weights[0]), "{mode:?} {weights:?}");
                assert_eq!(late_picture == at_rest, weights[0] == 0.0, "{mode:?} {weights:?}");
            }
            assert!(late.has_deltas() && late.memory() == whole.memory());
        }
    }
}

#[test]
fn deltas_are_there_from_the_start_where_recomputing_normals_changes_the_tangents_at_rest() {
    let (gpu, look) = (software_gpu(), Look::default());
    let recomputed = Look { normals: Normals::Recomputed, ..Look::default() };
    for (tangents, look, is_needed) in [
        (vec![Vec4::ONE; TRIANGLES as usize * 3], &recomputed, true),
        (vec![Vec4::ONE; TRIANGLES as usize * 3], &look, false),
        (Vec::new(), &recomputed, false),
    ] {
        let head = with_target(tangents);
        let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
        let (mut late, mut whole) = (Renderer::new(&gpu), renderer(&gpu, &head, None));
        late.set_head(for_window(&gpu, &head));
        for weights in [[0.0], [0.5]] {
            let scene = Scene { weights: weights.into(), ..scene(&head, &camera, look, 64, Quality::FULL) };
            let [drawn_late, drawn] = [&mut late, &mut whole].map(|renderer| -> Vec<f32> {
                renderer.draw(&scene).unwrap();
                let buffer = renderer.head.as_ref().unwrap().blender.buffer();
                bytemuck::pod_collect_to_vec(&gpu.read_buffer(buffer).unwrap())
            });
            // Recomputed normals at rest are those of the file up to rounding.
            let distance = drawn_late.iter().zip(&drawn).map(|(late, whole)| (late - whole).abs()).fold(0.0, f32::max);
            assert!(distance < 1e-5 && drawn_late.len() == drawn.len(), "{weights:?} {distance}");
            assert_eq!(late.has_deltas(), is_needed || weights[0] != 0.0);
        }
    }
}

#[test]
fn a_coarse_preview_on_a_software_adapter_has_fewer_triangles_and_looks_the_same() {
    let (gpu, look) = (software_gpu(), Look::default());
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let (coarse, full) = (Quality { msaa: 1, scale: 0.5, samples: 0 }, Quality { msaa: 1, ..Quality::FULL });
    let weights: Vec<f32> = (0..head.default_weights().len())
        .map(|target| if random::unit(5, target as u64) < 0.1 { 0.7 } else { 0.0 })
        .collect();
    let mut whole = renderer(&gpu, &head, None);
    let mut simplified = renderer(&gpu, &head, None);
    simplified.draw(&scene(&head, &camera, &look, 32, full)).unwrap();
    simplified.work_ahead().expect("nothing is simplified yet")();
    assert!(simplified.work_ahead().is_none(), "it is done once");
    let mut pictures = |camera: &Camera, look: &Look, quality: Quality, side: u32| {
        let scene = Scene { weights: weights.clone().into(), ..scene(&head, camera, look, side, quality) };
        [&mut whole, &mut simplified].map(|renderer| {
            renderer.draw(&scene).unwrap();
            renderer.read_pixels()
        })
    };
    for view in [ViewMode::Shaded, ViewMode::Clay] {
        let look = Look { view, ..look };
        let [of_whole, of_simplified] = pictures(&camera, &look, coarse, 800);
        let bytes = of_whole.as_raw().len() as u64;
        let mean = difference(&of_whole, &of_simplified) as f32 / bytes as f32;
        assert!(mean > 0.0 && mean < 0.6, "{mean} {view:?}");
    }
    // Not where it would be seen: at the full size, close to the face, and in views that show triangles.
    let close = Camera { distance: camera.distance * 0.2, ..camera };
    let edges = Look { view: ViewMode::Wireframe, ..look };
    for (camera, look, quality, side) in
        [(&camera, &look, full, 400), (&close, &look, coarse, 800), (&camera, &edges, coarse, 800)]
    {
        let [of_whole, of_simplified] = pictures(camera, look, quality, side);
        assert!(of_whole == of_simplified, "{:?} {quality:?}", look.view);
    }
}

#[test]
fn outside_the_changed_part_a_picture_is_as_the_one_before() {
    let (gpu, look) = (software_gpu(), Look::default());
    let bundled = Arc::new(smirk_files::import::embedded().unwrap());
    for head in [with_target(Vec::new()), bundled] {
        let mut camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
        camera.zoom(0.4, glam::Vec2::ZERO);
        let quality = Quality { msaa: 1, scale: 0.5, samples: 0 };
        let mut renderer = renderer(&gpu, &head, None);
        let shown = [400, 400];
        let mut draw = |weights: &[f32], camera: &Camera, look: &Look| {
            renderer.draw(&Scene { weights: weights.into(), ..scene(&head, camera, look, 400, quality) }).unwrap();
            (renderer.read_pixels(), renderer.changed_part(shown))
        };
        let whole = PixelRect { min: [0; 2], size: shown };
        let (mut before, changed) = draw(&[0.0], &camera, &look);
        assert_eq!(changed, whole, "there was none before");
        let moved = Camera { target_in_world: camera.target_in_world + Vec3::X * 0.1 * camera.distance, ..camera };
        let mut turned = camera;
        turned.orbit(glam::vec2(0.9, 0.3));
        for (weight, camera) in [(1.0, &camera), (1.0, &moved), (0.0, &turned), (0.0, &camera)] {
            let (picture, changed) = draw(&[weight], camera, &look);
            assert!(changed.size[0] < 320 && changed.size[1] < 320, "{changed:?}");
            let is_inside = |[x, y]: [u32; 2]| {
                let pixel = [2 * x, 2 * y];
                let is_along =
                    |axis: usize| (changed.min[axis]..changed.min[axis] + changed.size[axis]).contains(&pixel[axis]);
                is_along(0) && is_along(1)
            };
            let differs =
                |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| (pixel != before.get_pixel(x, y)).then_some([x, y]);
            let differing: Vec<[u32; 2]> = picture.enumerate_pixels().filter_map(differs).collect();
            assert!(!differing.is_empty() && differing.into_iter().all(is_inside), "{changed:?}");
            before = picture;
        }
        let brighter = Look { exposure: look.exposure + 1.0, ..look };
        assert_eq!(draw(&[0.0], &camera, &brighter).1, whole);
    }
}
