//! The accumulated picture: pictures that are the mean of many samples.

use std::sync::LazyLock;

use crate::pictures::*;

const SMALL: [u32; 2] = [120, 150];

static LOOK: LazyLock<Look> = LazyLock::new(Look::default);

fn scene(head: &Arc<Head>, weights: &[f32], camera: &Camera, samples: u32) -> Scene {
    Scene { weights: weights.into(), quality: Quality::refined(samples), ..Scene::at_rest(head, camera, &LOOK, SMALL) }
}

/// The root of the mean squared difference of all channels, in steps of 255.
fn rms_error(picture: &RgbaImage, reference: &RgbaImage) -> f64 {
    let squares = picture.iter().zip(reference.iter()).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    (squares.sum::<f64>() / picture.len() as f64).sqrt()
}

#[test]
fn more_samples_come_closer_to_the_reference() {
    let errors = errors_of(&small_head(), [1, 2, 4, 8], 32);
    assert!(errors[3] < 1.5, "{errors:?}");
}

#[test]
#[ignore = "long: ./dev soak"]
fn very_many_samples_come_closer_to_the_reference() {
    let errors = errors_of(&bundled_head(), [1, 2, 4, 8, 16, 64], 256);
    assert!(errors[3] < 7.0 && errors[5] < 2.5, "{errors:?}");
}

/// How far pictures of so many samples are from one of very many. Each is nearer than the one before.
fn errors_of<const COUNT: usize>(head: &Arc<Head>, counts: [u32; COUNT], reference: u32) -> [f64; COUNT] {
    let mut renderer = renderer();
    let weights = pose(head, &[("jawOpen", 0.5)]);
    let camera = Camera::close_up(head, View::ThreeQuarter, 0.8);
    let mut picture = |samples| renderer.picture(&scene(head, &weights, &camera, samples));
    let reference = picture(reference);
    let errors = counts.map(|samples| rms_error(&picture(samples), &reference));
    assert!(errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
    errors
}

#[test]
fn all_modes_refine_to_the_same_picture_each_time() {
    let head = small_head();
    let weights = pose(&head, &[("jawOpen", 0.4), ("mouthSmileLeft", 0.7), ("eyeBlinkLeft", 0.3)]);
    let camera = Camera::close_up(&head, View::ThreeQuarter, 0.8);
    let mut renderers = [renderer(), new_renderer()];
    let mut drawn = |&mode: &BlendMode| {
        let scene = Scene { mode, ..scene(&head, &weights, &camera, 2) };
        let [first, second] = renderers.each_mut().map(|renderer| renderer.picture(&scene));
        assert!(first == second, "{mode:?} is not deterministic");
        first
    };
    let pictures: Vec<RgbaImage> = BlendMode::ALL.iter().map(&mut drawn).collect();
    for (mode, picture) in BlendMode::ALL.iter().zip(&pictures) {
        let share = share_that_differs(&pictures[0], picture, 4);
        assert!(share < 0.005, "{mode:?}: {share}");
    }
}

#[test]
fn unlit_colours_stay_as_they_are() {
    let mut renderer = renderer();
    for color in [[0.5, 0.02, 0.9, 1.0], [1.0, 1.0, 1.0, 1.0], [0.001, 0.0, 0.2, 1.0]] {
        let head = head_of(vec![square(Mat4::IDENTITY, 0)], vec![unlit(color)], vec![]);
        let camera = Camera::framing(head.focus, head.bounds, View::Front, 0.8);
        let picture = renderer.picture(&scene(&head, &[], &camera, 16));
        let [r, g, b, _] = color.map(linear_to_srgb);
        let inside = |x: u32, y: u32| picture.get_pixel(SMALL[0] / 2 + x - 10, SMALL[1] / 2 + y - 10).0;
        for (x, y) in (0..20).flat_map(|x| (0..20).map(move |y| (x, y))) {
            // The mean of the samples has half-precision numbers, which may round to the next step of the picture.
            assert!(largest_step(&inside(x, y), &[r, g, b, 255]) <= 1, "{color:?} at {x}, {y}");
        }
    }
}

#[test]
fn a_refined_picture_has_the_background_of_a_picture_that_moves() {
    let (head, mut renderer) = (small_head(), renderer());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let weights = head.default_weights();
    let mut picture = |samples| renderer.picture(&Scene { size: SIZE, ..scene(&head, &weights, &camera, samples) });
    let (moving, refined) = (picture(0), picture(4));
    for (x, y) in [(3, 3), (SIZE[0] - 4, 3), (20, SIZE[1] / 2)] {
        assert_eq!(moving.get_pixel(x, y), refined.get_pixel(x, y));
    }
    assert!(share_that_differs(&moving, &refined, 3) > 0.01, "nothing was refined");
    assert!(share_that_differs(&moving, &refined, 90) < 0.02, "the tiers are too different");
}
