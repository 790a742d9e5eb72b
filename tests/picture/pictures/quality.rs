//! Pictures of all qualities, and pictures drawn into an image of their own between those of the window.

use smirk_picture::render::{DrawError, Renderer};

use crate::pictures::*;

#[test]
fn a_full_picture_does_not_depend_on_the_coarse_ones_before() {
    let (head, mut renderer) = (small_head(), new_renderer());
    let (rest, open) = (head.default_weights(), pose(&head, &[("jawOpen", 1.0)]));
    let direct = picture(&mut renderer, &head, &open, BlendMode::Compute, View::Front);
    picture(&mut renderer, &head, &rest, BlendMode::Compute, View::Front);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let (look, quality) = (&Look::default(), Quality { msaa: 1, scale: 0.5, samples: 0 });
    let coarse = Scene { weights: open.clone().into(), quality, ..Scene::at_rest(&head, &camera, look, SIZE) };
    assert!(renderer.draw(&coarse));
    assert_eq!(renderer.read_pixels().dimensions(), (SIZE[0] / 2, SIZE[1] / 2));
    let after = picture(&mut renderer, &head, &open, BlendMode::Compute, View::Front);
    assert_eq!(share_that_differs(&direct, &after, 0), 0.0);
}

#[test]
fn a_head_that_turns_takes_its_shadow_along() {
    let head = bundled_head();
    let turn = Mat4::from_translation(head.neck) * Mat4::from_rotation_y(0.5) * Mat4::from_translation(-head.neck);
    let turned: Vec<Mat4> = head.rest_pose.world_from_node().iter().map(|world| turn * *world).collect();
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let coarse = |renderer: &mut TestRenderer, world_from_nodes: &[Mat4]| {
        renderer.draw(&Scene {
            weights: head.default_weights().into(),
            world_from_nodes: world_from_nodes.into(),
            quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
            ..Scene::at_rest(&head, &camera, &Look::default(), SIZE)
        });
        renderer.read_pixels()
    };
    let direct = coarse(&mut new_renderer(), &turned);
    let mut moving = new_renderer();
    let rest = coarse(&mut moving, &[]);
    assert!(share_that_differs(&rest, &direct, 8) > 0.1, "the head does not turn");
    assert_eq!(share_that_differs(&coarse(&mut moving, &turned), &direct, 0), 0.0, "the shadow of another pose");
}

#[test]
fn the_scale_of_a_picture_stays_within_what_quality_promises() {
    let (head, mut renderer) = (small_head(), new_renderer());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let [least, most] = [*Quality::SCALES.start(), *Quality::SCALES.end()];
    for (scale, drawn) in [(0.05, least), (-1.0, least), (least, least), (3.0, most), (f32::NAN, most)] {
        renderer.draw(&Scene {
            weights: head.default_weights().into(),
            mode: BlendMode::Cpu,
            quality: Quality { msaa: 1, scale, samples: 0 },
            ..Scene::at_rest(&head, &camera, &Look::default(), [80, 120])
        });
        let expected = ((80.0 * drawn) as u32, (120.0 * drawn) as u32);
        assert_eq!(renderer.read_pixels().dimensions(), expected, "scale {scale}");
    }
}

#[test]
fn a_head_that_was_not_uploaded_is_an_error_and_the_uploaded_one_is_still_drawn() {
    let (head, other, mut renderer) = (small_head(), small_head(), new_renderer());
    let before = picture(&mut renderer, &head, &head.default_weights(), BlendMode::Cpu, View::Front);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let look = Look { exposure: 1.0, ..Look::default() };
    let weights = head.default_weights();
    let scene = |head| Scene {
        weights: weights.clone().into(),
        mode: BlendMode::Cpu,
        ..Scene::at_rest(head, &camera, &look, SIZE)
    };
    // `TestRenderer` uploads a head when it is needed. These calls use the renderer in it directly, which does not.
    let error = Renderer::draw(&mut renderer, &scene(&other)).unwrap_err();
    assert_eq!(error, DrawError::HeadNotUploaded { head: other.name.clone() });
    assert_eq!(Renderer::picture(&mut renderer, &scene(&other)), Err(error));
    assert!(renderer.read_pixels() == before, "the image changed");
    assert_eq!(Renderer::draw(&mut renderer, &scene(&head)), Ok(true));
}

#[test]
fn separate_pictures_are_right_and_do_not_change_the_windows() {
    let (head, mut renderer) = (small_head(), new_renderer());
    let (rest, open) = (head.default_weights(), pose(&head, &[("jawOpen", 1.0)]));
    let smile = pose(&head, &[("mouthSmileLeft", 1.0), ("eyeBlinkLeft", 1.0)]);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let look = Look::default();
    for &mode in BlendMode::ALL {
        let scene = |weights: &[f32], size| Scene {
            weights: weights.into(),
            mode,
            ..Scene::at_rest(&head, &camera, &look, size)
        };
        let coarse = Scene { quality: Quality { msaa: 1, scale: 1.0, samples: 0 }, ..scene(&open, SIZE) };
        let mut alone = |scene: &Scene| {
            renderer.draw(scene);
            renderer.read_pixels()
        };
        let small = [96, 120];
        let (alone_smile, alone_open, alone_rest) =
            (alone(&scene(&smile, small)), alone(&scene(&open, SIZE)), alone(&scene(&rest, SIZE)));
        // Its shadow is that of the previous picture, which shows the head at rest.
        let alone_coarse = alone(&coarse);
        alone(&scene(&rest, SIZE));

        let view = renderer.image().cloned();
        assert!(
            renderer.picture(&scene(&smile, small)) == alone_smile,
            "{mode:?}: not the picture the window would show"
        );
        assert!(
            renderer.image() == view.as_ref() && renderer.read_pixels() == alone_rest,
            "{mode:?}: the window changed"
        );
        assert!(!renderer.draw(&scene(&rest, SIZE)), "{mode:?}: the window was drawn again for nothing");
        assert!(
            renderer.draw(&coarse) && renderer.read_pixels() == alone_coarse,
            "{mode:?}: another shadow than the window's"
        );
        renderer.picture(&scene(&rest, small));
        assert!(
            renderer.draw(&scene(&open, SIZE)) && renderer.read_pixels() == alone_open,
            "{mode:?}: weights of a separate picture"
        );
        assert!(
            renderer.picture(&scene(&smile, small)) == alone_smile,
            "{mode:?}: a separate picture has the window's weights"
        );
    }
}

#[test]
fn a_separate_picture_measures_nothing_for_the_window() {
    let (head, mut renderer) = (small_head(), new_renderer());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let weights = pose(&head, &[("jawOpen", 1.0)]);
    let look = Look::default();
    let scene = Scene { weights: weights.clone().into(), ..Scene::at_rest(&head, &camera, &look, [64, 80]) };
    assert_eq!(renderer.picture(&scene).dimensions(), (64, 80));
    assert!(renderer.image().is_none(), "the window has a picture that was not drawn for it");
    assert_eq!(renderer.timing(), Default::default());
    assert!(renderer.head().is_some_and(|on_gpu| Arc::ptr_eq(on_gpu, &head)));
}

/// On a software adapter, blends are measured with the processor's clock.
#[test]
fn blend_durations_belong_to_one_head_and_mode_and_leave_out_setting_up() {
    let mut renderer = new_renderer();
    let mut blend = |head: &Arc<Head>, jaw: f32, mode| {
        picture(&mut renderer, head, &pose(head, &[("jawOpen", jaw)]), mode, View::Front);
        renderer.timing().blend.is_some()
    };
    let (one, other) = (small_head(), small_head());
    for (head, mode) in [(&one, BlendMode::Compute), (&other, BlendMode::Compute), (&other, BlendMode::Multipass)] {
        assert!(!blend(head, 0.2, mode), "{mode:?}: set up");
        assert!(blend(head, 0.4, mode), "{mode:?}: measured");
    }
}
