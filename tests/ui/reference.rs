//! The pane of the reference: its picture, its controls, and its place over the face.

use crate::harness::*;
use smirk_face::head::Frame;
use smirk_session::{Reference, ReferencePlace};
use smirk_ui::OpenAs;

const ORANGE: [u8; 4] = [220, 120, 20, 255];

fn app_with_reference(count: usize) -> App {
    let mut app = App::new(head());
    app.session.edits.reference = Some(Reference::new("/shots/frame_0001.png".as_ref()));
    let image = image::RgbaImage::from_pixel(64, 48, image::Rgba(ORANGE));
    app.reference = Some((Ok(Arc::new(image)), count));
    app
}

fn reference(harness: &Harness<'static, App>) -> Reference {
    harness.state().session.edits.reference.clone().unwrap()
}

fn color_at(harness: &mut Harness<'static, App>, at: Pos2) -> [u8; 4] {
    harness.render().unwrap().get_pixel(at.x as u32, at.y as u32).0
}

fn turn_wheel(harness: &mut Harness<'static, App>, at: Pos2, points: f32) {
    harness.hover_at(at);
    harness.run_ok();
    harness.event(wheel(MouseWheelUnit::Point, points, Modifiers::NONE));
    harness.run_ok();
}

fn color_in(harness: &mut Harness<'static, App>, label: &str) -> [u8; 4] {
    harness.run_ok();
    let middle = harness.get_by_label(label).rect().center();
    color_at(harness, middle)
}

#[test]
fn the_reference_stands_beside_the_face_in_every_size_of_window() {
    assert!(window(head()).query_by_label("Reference").is_none(), "no reference, no pane");
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0), Vec2::new(1000.0, 600.0)] {
        let mut harness = window_of(size, app_with_reference(1));
        let (pane, face) = (harness.get_by_label("Reference").rect(), harness.get_by_label("Viewport").rect());
        assert!(pane.right() <= face.left() && pane.width() > 100.0 && face.width() > 100.0, "{pane:?} {face:?}");
        assert_eq!(color_in(&mut harness, "Reference"), ORANGE);
    }
}

#[test]
fn a_reference_beside_the_face_leaves_all_of_the_face_in_the_picture() {
    let mut harness = window_of(Vec2::new(1000.0, 600.0), App::new(head()));
    let framed = |harness: &Harness<'static, App>| {
        let (session, state) = (&harness.state().session, &harness.state().state);
        let [width, height] = state.viewport_size_px.map(|side| side as f32);
        let mut camera = session.camera;
        camera.frame_part(&session.head, Frame::Face, width / height);
        ((camera.distance - session.camera.distance).abs() < 1e-4 * camera.distance, width / height)
    };
    harness.key_press(Key::F);
    harness.run_ok();
    let (is_framed, wide) = framed(&harness);
    assert!(is_framed);
    let app = app_with_reference(1);
    harness.state_mut().session.edits.reference = app.session.edits.reference.clone();
    harness.state_mut().reference = app.reference;
    harness.run_ok();
    let (is_framed, narrow) = framed(&harness);
    assert!(is_framed && narrow < 0.7 * wide, "{narrow}, {wide}");
    press(&mut harness, "Close reference");
    assert_eq!(framed(&harness), (true, wide));
    // Where the artist has moved the camera, it stays.
    harness.state_mut().session.camera.distance *= 0.5;
    let camera = harness.state().session.camera;
    let app = app_with_reference(1);
    harness.state_mut().session.edits.reference = app.session.edits.reference.clone();
    harness.state_mut().reference = app.reference;
    harness.run_ok();
    assert_eq!(harness.state().session.camera, camera);
}

#[test]
fn rate_and_offset_are_those_of_a_sequence_and_can_be_undone() {
    let still = window_of(Vec2::new(1280.0, 720.0), app_with_reference(1));
    assert!(still.query_by_label("Reference rate").is_none(), "an image has no rate");
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app_with_reference(250));
    harness.state_mut().session.commit();
    assert!(harness.query_by_label("1 of 250").is_some());
    press(&mut harness, "Sequence");
    assert!(!reference(&harness).is_sequence && harness.query_by_label("Reference offset").is_none());
    assert!(harness.query_by_label("frame_0001.png").is_some(), "one image has its name");
    press(&mut harness, "Sequence");
    let offset = harness.get_by_label("Reference offset").rect().center();
    drag(&mut harness, offset, offset + Vec2::new(40.0, 0.0), Modifiers::NONE);
    assert!(reference(&harness).offset_frames > 0);
    harness.run_steps(60);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(reference(&harness).offset_frames, 0);
}

#[test]
fn over_the_face_it_is_as_opaque_as_is_chosen() {
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app_with_reference(1));
    let before = color_in(&mut harness, "Viewport");
    press(&mut harness, "Over the face");
    assert_eq!(reference(&harness).place, ReferencePlace::Over);
    let half = color_in(&mut harness, "Viewport");
    assert!(half != before && half[0] > 60 && half[0] < 200, "{half:?}");
    drag_slider(&mut harness, "Opacity", 0.5, 1.2);
    harness.remove_cursor();
    assert_eq!(color_in(&mut harness, "Viewport"), ORANGE);
}

#[test]
fn the_pane_has_its_own_zoom_and_moves_the_reference_over_the_face() {
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app_with_reference(1));
    let middle = harness.get_by_label("Reference").rect().center();
    let before = reference(&harness);
    turn_wheel(&mut harness, middle, 200.0);
    assert_eq!(reference(&harness), before, "the zoom of the pane is no edit");
    let near_its_edge = middle + Vec2::new(0.0, 180.0);
    assert_eq!(color_at(&mut harness, near_its_edge), ORANGE, "the picture is larger than the pane");
    press(&mut harness, "Fit reference");
    assert!(color_at(&mut harness, near_its_edge) != ORANGE);

    harness.key_press(Key::G);
    harness.run_ok();
    assert_eq!(reference(&harness).place, ReferencePlace::Over);
    drag(&mut harness, middle, middle + Vec2::new(0.0, -60.0), Modifiers::NONE);
    let height = harness.get_by_label("Viewport").rect().height();
    let [x, y] = reference(&harness).placement.pan;
    assert!(x.abs() < 1e-3 && (y * height + 60.0).abs() < 10.0, "it moves as far as the pointer: {x} {y}");
    harness.run_steps(60);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(reference(&harness).placement, before.placement);
    harness.key_press(Key::G);
    harness.run_ok();
    assert_eq!(reference(&harness).place, ReferencePlace::Beside);
}

#[test]
fn the_key_opens_a_reference_where_there_is_none() {
    let mut harness = window(head());
    harness.key_press(Key::G);
    harness.run_ok();
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::Reference)]);
}

#[test]
fn it_is_opened_by_the_menu_and_closed_by_its_button() {
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app_with_reference(1));
    press(&mut harness, "Open another reference");
    press(&mut harness, "File");
    press(&mut harness, "Open reference…");
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::Reference), Command::Choose(OpenAs::Reference)]);
    press(&mut harness, "Close reference");
    assert!(harness.state().session.edits.reference.is_none() && harness.query_by_label("Reference").is_none());
}

#[test]
fn what_is_wrong_with_an_image_stands_in_its_place() {
    let mut app = app_with_reference(3);
    let problem = "/shots/frame_0001.png: the image does not decode";
    app.reference = Some((Err(problem.into()), 3));
    let harness = window_of(Vec2::new(1280.0, 720.0), app);
    assert!(harness.query_by_label(problem).is_some() && harness.query_by_label("Reference offset").is_some());
}
