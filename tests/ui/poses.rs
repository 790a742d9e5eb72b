//! The Poses page: save, apply, mix and reorder poses, and their effect on the channel list.

use crate::harness::*;
use crate::takes::capture;
use smirk_base::file_kind::Content;
use smirk_face::motion::Layer;
use smirk_ui::OpenAs;

fn names(harness: &Harness<'static, App>) -> Vec<String> {
    harness.state().session.edits.poses.iter().map(|pose| pose.name.clone()).collect()
}

/// Waits for the end of a transition.
fn wait(harness: &mut Harness<'static, App>) {
    harness.run_ok();
    harness.state_mut().session.advance(1.0);
    harness.run();
}

fn choose(harness: &mut Harness<'static, App>, label: &str, item: &str) {
    let over = at(harness, label, 0.3);
    right_click(harness, over);
    harness.get_by_label_contains(item).click();
    harness.run_ok();
    harness.remove_cursor();
    harness.run_ok();
}

fn press(harness: &mut Harness<'static, App>, key: Key) {
    harness.key_press(key);
    harness.run_ok();
}

#[test]
fn a_saved_face_gets_a_card_and_a_name_and_can_be_applied() {
    let mut harness = window(head());
    harness.state_mut().session.clips_mut().select(None);
    let count = names(&harness).len();
    drag_slider(&mut harness, "jawOpen", 0.1, 0.6);
    drag_slider(&mut harness, "browInnerUp", 0.1, 0.8);
    harness.get_by_label("Save pose").click();
    harness.run_ok();
    harness.event(Event::Text("Gasp".into()));
    press(&mut harness, Key::Enter);
    assert_eq!((names(&harness).len(), names(&harness).last().unwrap().as_str()), (count + 1, "Gasp"));
    harness.get_by_label("Clear").click();
    wait(&mut harness);
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
    harness.get_by_label("Pose Gasp").click();
    harness.run_ok();
    assert!(harness.state().weight("jawOpen") < 0.1, "the transition takes time");
    wait(&mut harness);
    assert!(near(harness.state().weight("jawOpen"), 0.6) && near(harness.state().weight("browInnerUp"), 0.8));
    assert!(harness.query_by_label("Take over jawOpen").is_some(), "the channel is marked as driven by a pose");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run_ok();
    press(&mut harness, Key::Escape);
    assert_eq!(names(&harness).last().unwrap(), "Pose 1", "without a typed name, poses are numbered");
}

#[test]
fn an_interrupted_transition_does_not_jump() {
    let mut harness = window(head());
    harness.get_by_label("Pose Surprise").click();
    harness.run_ok();
    let mut last = harness.state().session.weights();
    for frame in 0..90 {
        if frame == 12 {
            harness.get_by_label("Pose Smile").click();
        }
        if frame == 20 {
            harness.get_by_label("Clear").click();
        }
        harness.run_ok();
        let weights = harness.state().session.weights();
        let step = last.iter().zip(weights.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(step < 0.08, "frame {frame} moves by {step}");
        harness.state_mut().session.advance(1.0 / 60.0);
        last = weights;
    }
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
}

#[test]
fn amounts_mix_poses_and_go_beyond_one_with_shift() {
    let mut harness = window(head());
    drag_slider(&mut harness, "Amount of Surprise", 0.1, 0.5);
    let half = harness.state().session.edits.pose_amount(harness.state().pose("Surprise"));
    assert!((half - 0.5).abs() < 0.02, "{half}");
    assert!(near(harness.state().weight("jawOpen"), 0.45 * half), "without a transition");
    drag_slider(&mut harness, "Amount of Fear", 0.1, 1.0);
    let both = harness.state().weight("jawOpen");
    assert!(near(both, 0.45 * half + 0.22), "added to the other: {both}");
    let (from, to) = (at(&harness, "Amount of Fear", 0.2), at(&harness, "Amount of Fear", 0.7));
    drag(&mut harness, from, to, Modifiers::SHIFT);
    let beyond = harness.state().session.edits.pose_amount(harness.state().pose("Fear"));
    assert!((beyond - 1.5).abs() < 0.03, "{beyond}");
}

#[test]
fn cards_are_renamed_in_place() {
    let mut harness = window(head());
    harness.get_by_label("Pose Anger").focus();
    harness.run_ok();
    press(&mut harness, Key::F2);
    harness.event(Event::Text("Fury".into()));
    press(&mut harness, Key::Enter);
    assert!(harness.query_by_label("Pose Fury").is_some() && harness.query_by_label("Pose Anger").is_none());
    let rect = harness.get_by_label("Pose Fear").rect();
    let name = egui::pos2(rect.center().x, rect.bottom() - 6.0);
    click(&mut harness, name);
    let fear = harness.state().pose("Fear");
    assert_eq!(harness.state().session.edits.applied_poses[0].pose, fear, "a click on the name applies the pose");
    click(&mut harness, name);
    harness.event(Event::Text("Dread".into()));
    let elsewhere = harness.get_by_label("Viewport").rect().center();
    click(&mut harness, elsewhere);
    assert!(names(&harness).contains(&"Dread".to_owned()));
    choose(&mut harness, "Pose Dread", "Rename");
    harness.event(Event::Text("Nothing".into()));
    press(&mut harness, Key::Escape);
    assert!(names(&harness).contains(&"Dread".to_owned()), "Esc keeps the name");
}

#[test]
fn a_clicked_card_keeps_the_focus_for_its_keys() {
    let mut harness = window(head());
    harness.get_by_label("Pose Fear").click();
    harness.run_ok();
    press(&mut harness, Key::Delete);
    assert!(!names(&harness).contains(&"Fear".to_owned()));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert!(names(&harness).contains(&"Fear".to_owned()), "undo brings it back");
}

#[test]
fn digits_apply_the_first_nine_poses() {
    let mut harness = window(head());
    let name_of = |harness: &Harness<'static, App>| {
        let session = &harness.state().session;
        let applied = session.edits.applied_poses.last().map(|applied| applied.pose);
        applied.and_then(|id| Some(session.edits.pose(id)?.name.clone()))
    };
    for (key, pose) in [(Key::Num2, "Smile"), (Key::Num4, "Anger"), (Key::Num3, "Surprise")] {
        press(&mut harness, key);
        assert_eq!(name_of(&harness).as_deref(), Some(pose));
        assert_eq!(harness.state().session.mode, BlendMode::Compute, "digits are no blend modes");
    }
    // Typed into a field, they are text.
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    press(&mut harness, Key::Num2);
    assert_eq!(name_of(&harness).as_deref(), Some("Surprise"));
}

#[test]
fn a_dragged_card_moves_to_the_gap_under_the_pointer() {
    let mut harness = window(head());
    assert_eq!(names(&harness)[..4], ["Neutral", "Smile", "Surprise", "Anger"]);
    let from = harness.get_by_label("Pose Neutral").rect().center();
    let to = harness.get_by_label("Pose Surprise").rect().right_center();
    drag(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(names(&harness)[..4], ["Smile", "Surprise", "Neutral", "Anger"]);
    let from = harness.get_by_label("Pose Anger").rect().center();
    let to = harness.get_by_label("Pose Smile").rect().left_center();
    drag(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(names(&harness)[..4], ["Anger", "Smile", "Surprise", "Neutral"]);
    assert!(harness.state().session.edits.applied_poses.is_empty(), "a drag does not apply the pose");
    choose(&mut harness, "Pose Anger", "Move later");
    assert_eq!(names(&harness)[..2], ["Smile", "Anger"]);
}

#[test]
fn a_deleted_pose_is_removed_from_the_face_and_undo_restores_it() {
    let mut harness = window(head());
    let before = names(&harness);
    harness.get_by_label("Pose Smile").click();
    wait(&mut harness);
    choose(&mut harness, "Pose Smile", "Add to sequence");
    choose(&mut harness, "Pose Smile", "Delete");
    wait(&mut harness);
    let app = harness.state();
    assert_eq!(app.weight("mouthSmileLeft"), 0.0);
    assert!(app.session.edits.sequence.steps.is_empty() && harness.query_by_label("Pose Smile").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(names(&harness), before);
    assert!(near(harness.state().weight("mouthSmileLeft"), 0.75));
    assert_eq!(harness.state().session.edits.sequence.steps.len(), 1);
}

#[test]
fn poses_are_mirrored_copied_and_replaced() {
    let mut harness = window(head());
    choose(&mut harness, "Pose Wink", "Duplicate");
    choose(&mut harness, "Pose Wink 2", "Mirror pose");
    let app = harness.state();
    let weights = |name: &str| app.session.edits.pose(app.pose(name)).unwrap().weights.clone();
    let (wink, mirrored) = (weights("Wink"), weights("Wink 2"));
    assert_eq!((wink["mouthSmileLeft"], wink["mouthSmileRight"]), (0.5, 0.2));
    assert_eq!((mirrored["mouthSmileLeft"], mirrored["mouthSmileRight"]), (0.2, 0.5));
    assert!(mirrored.contains_key("eyeBlinkRight") && !mirrored.contains_key("eyeBlinkLeft"));
    drag_slider(&mut harness, "jawLeft", 0.1, 0.7);
    choose(&mut harness, "Pose Wink 2", "Update pose");
    let app = harness.state();
    let replaced = app.session.edits.pose(app.pose("Wink 2")).unwrap().weights.clone();
    assert!(near(replaced["jawLeft"], 0.7) && !replaced.contains_key("mouthSmileRight"), "{replaced:?}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    wait(&mut harness);
    assert!(near(harness.state().weight("jawRight"), 0.7) && harness.state().weight("jawLeft") == 0.0);
}

#[test]
fn the_card_lists_channels_that_the_head_lacks() {
    let mut app = App::new(head());
    let weights = [("jawOpen", 0.4), ("tailWag", 1.0), ("earTwitch", 0.5)];
    let weights = weights.map(|(name, weight)| (name.to_owned(), weight)).into();
    app.session.edits.poses.clear();
    app.session.poses_mut().add([("Dog".to_owned(), weights)]);
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    let over = harness.get_by_label("Pose Dog").rect().center();
    harness.hover_at(over);
    harness.run_steps(90);
    assert!(harness.query_by_label("2 channels missing in this head: earTwitch, tailWag").is_some());
    harness.get_by_label("Pose Dog").click();
    wait(&mut harness);
    assert!(near(harness.state().weight("jawOpen"), 0.4), "the other channels are applied");
}

#[test]
fn a_focused_card_is_applied_and_deleted_by_keys() {
    let mut harness = window(head());
    harness.get_by_label("Pose Anger").focus();
    harness.run_ok();
    press(&mut harness, Key::Enter);
    wait(&mut harness);
    assert!(near(harness.state().weight("browDownLeft"), 1.0));
    press(&mut harness, Key::Delete);
    assert!(!names(&harness).contains(&"Anger".to_owned()));
    let says = |command: &Command| matches!(command, Command::ShowStatus(text) if text.contains("“Anger” is deleted"));
    assert!(harness.state().commands.iter().any(says), "what was deleted, and how it comes back");
}

#[test]
fn of_two_hundred_poses_only_visible_cards_are_laid_out() {
    let mut app = App::new(head());
    app.session
        .poses_mut()
        .add((0..200).map(|number| (format!("shape {number:03}"), [("jawOpen".into(), 0.5)].into())));
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    let visible = harness.state().visible_pictures().poses.clone();
    assert!(visible.len() >= 6 && visible.len() < 20, "{} cards", visible.len());
    assert!(harness.query_by_label("Pose shape 000").is_some() && harness.query_by_label("Pose Neutral").is_none());
    harness.get_by_label("Save pose").click();
    harness.run_ok();
    let last = harness.state().session.edits.poses.last().unwrap().id;
    harness.run_ok();
    assert!(harness.state().visible_pictures().poses.contains(&last), "a new card is scrolled into view");
    harness.get_by_label("Readout").click();
    harness.run_ok();
    assert!(harness.state().visible_pictures().poses.is_empty());
}

#[test]
fn a_thumbnail_is_shown_when_it_was_rendered_or_replaced() {
    let mut harness = window(head());
    let smile = harness.state().pose("Smile");
    let middle = harness.get_by_label("Pose Smile").rect().center();
    let color_at_middle = |harness: &mut Harness<'static, App>| {
        harness.run_ok();
        harness.render().unwrap().get_pixel(middle.x as u32, middle.y as u32).0
    };
    for color in [[200, 40, 40, 255], [40, 200, 40, 255]] {
        let picture = image::RgbaImage::from_pixel(160, 160, image::Rgba(color));
        harness.state_mut().thumbnails_mut().insert(smile, picture);
        assert_eq!(color_at_middle(&mut harness), color);
    }
    harness.state_mut().thumbnails_mut().retain(|_| false);
    assert_eq!(color_at_middle(&mut harness), theme::WELL.to_array());
}

#[test]
fn an_empty_page_explains_itself_and_import_and_export_are_commands() {
    let other = Head::new(Asset { name: "o".into(), meshes: vec![mesh("face", &["a"])], ..Asset::default() });
    let mut harness = window(Arc::new(other));
    assert!(harness.query_by_label_contains("No poses yet").is_some());
    harness.get_by_label("Import…").click();
    harness.get_by_label("Export…").click();
    harness.run_ok();
    assert_eq!(
        harness.state().commands,
        [Command::Choose(OpenAs::File(Some(Content::Poses)))],
        "there is nothing to export"
    );
    harness.get_by_label("Save pose").click();
    harness.run_ok();
    harness.get_by_label("Export…").click();
    harness.run_ok();
    assert_eq!(harness.state().commands.last(), Some(&Command::ExportPoses));
}

#[test]
fn shortcuts_solo_mute_and_key_the_channel_under_the_pointer() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.1, 0.6);
    drag_slider(&mut harness, "cheekPuff", 0.1, 0.8);
    let over = at(&harness, "jawOpen", 0.5);
    harness.hover_at(over);
    harness.run_ok();
    press(&mut harness, Key::S);
    assert_eq!(harness.state().weight("cheekPuff"), 0.0);
    assert!(near(harness.state().weight("jawOpen"), 0.6), "the pointer takes precedence over the focus");
    assert!(harness.query_by_label("Unsolo jawOpen").is_some());
    press(&mut harness, Key::M);
    assert_eq!(harness.state().weight("jawOpen"), 0.0, "mute overrides solo");
    harness.get_by_label("Clear 1 muted").click();
    harness.run_ok();
    harness.get_by_label("Clear 1 soloed").click();
    harness.run_ok();
    assert!(near(harness.state().weight("jawOpen"), 0.6) && near(harness.state().weight("cheekPuff"), 0.8));
    harness.remove_cursor();
    harness.get_by_label("cheekPuff").focus();
    harness.run_ok();
    press(&mut harness, Key::K);
    let app = harness.state();
    let keys = app.session.keys().keys_of("cheekPuff");
    assert_eq!((keys.len(), keys[0].time_secs), (1, 2.0), "without a pointer, the focused channel");
    assert_eq!(app.session.mix().layers[app.channel("cheekPuff")], Layer::Keys);
}

#[test]
fn the_menu_of_a_channel_takes_it_over_keys_it_and_gives_it_back() {
    let mut harness = window(head());
    let blink = harness.state().channel("eyeBlinkLeft");
    let layer = |harness: &Harness<'static, App>| harness.state().session.mix().layers[blink];
    choose(&mut harness, "eyeBlinkLeft", "Take over from clip");
    assert_eq!(layer(&harness), Layer::Manual);
    assert!(harness.query_by_label("Clear 1 taken over").is_some());
    choose(&mut harness, "eyeBlinkLeft", "Set key at");
    assert_eq!(layer(&harness), Layer::Keys);
    choose(&mut harness, "eyeBlinkLeft", "Take over from keys");
    drag_slider(&mut harness, "eyeBlinkLeft", 0.2, 0.9);
    choose(&mut harness, "eyeBlinkLeft", "Give back to keys");
    assert!(layer(&harness) == Layer::Keys && near(harness.state().weight("eyeBlinkLeft"), 0.25));
    choose(&mut harness, "eyeBlinkLeft", "Delete its keys");
    assert_eq!(layer(&harness), Layer::Clip);
}

#[test]
fn a_channel_taken_over_from_a_pose_is_given_back_to_it() {
    let mut harness = window(head());
    harness.get_by_label("Pose Surprise").click();
    wait(&mut harness);
    drag_slider(&mut harness, "jawOpen", 0.5, 0.9);
    harness.get_by_label("Clear 1 taken over").click();
    wait(&mut harness);
    assert!(near(harness.state().weight("jawOpen"), 0.45));
}

#[test]
fn own_poses_emotions_and_mouth_shapes_stand_under_headings() {
    let mut app = App::new(Arc::new(smirk_files::import::embedded().unwrap()));
    app.session.poses_mut().store("Grin");
    let harness = window_of(Vec2::new(1280.0, 2600.0), app);
    let texts = crate::names::drawn_texts(&harness);
    let top = |label: &str| harness.get_by_label(label).rect().top();
    assert!(["Mine", "Emotions", "Mouth shapes"].iter().all(|heading| texts.iter().any(|text| text == heading)));
    assert!(top("Pose Grin") < top("Pose Neutral") && top("Pose Wink") < top("Pose PP"));
}

#[test]
fn mirroring_a_face_of_which_a_clip_drives_one_side_swaps_both_sides_and_says_so() {
    let mut harness = window(head());
    drag_slider(&mut harness, "eyeBlinkLeft", 0.3, 1.0);
    assert!(near(harness.state().weight("eyeBlinkRight"), 0.25), "the clip drives the other side");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    wait(&mut harness);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.25));
    assert!(near(harness.state().weight("eyeBlinkRight"), 1.0), "nothing is lost");
    let said = |harness: &Harness<'static, App>| {
        let said = |command: &Command| match command {
            Command::ShowStatus(text) => Some(text.clone()),
            _ => None,
        };
        harness.state().commands.iter().rev().find_map(said)
    };
    assert_eq!(said(&harness).as_deref(), Some("Face mirrored. 1 channel taken over from Clip: Blink"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    wait(&mut harness);
    assert!(near(harness.state().weight("eyeBlinkRight"), 0.25), "one step of undo gives it back");
    let session = &mut harness.state_mut().session;
    session.reset_all();
    session.clips_mut().select(None);
    session.takes_mut().add(vec![capture()]);
    session.clock.timeline.playing = false;
    session.seek(4.0);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    wait(&mut harness);
    assert!(near(harness.state().weight("eyeBlinkRight"), 0.4), "what a take alone drives is left to it");
    assert_eq!(harness.state().weight("eyeBlinkLeft"), 0.0);
    assert_eq!(said(&harness).as_deref(), Some("Nothing mirrored. 1 channel left to Take: capture"));
    harness.state_mut().session.takes_mut().select(None);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    wait(&mut harness);
    assert_eq!(said(&harness).as_deref(), Some("Nothing to mirror: both sides are alike"));
}

#[test]
fn numbers_of_poses_stay_and_a_new_pose_gets_the_next_free_one() {
    let mut harness = window(head());
    let number = |harness: &Harness<'static, App>, pose: &str| {
        let edits = &harness.state().session.edits;
        edits.key_of_pose(edits.poses.iter().find(|other| other.name == pose).unwrap().id)
    };
    assert_eq!(["Neutral", "Smile"].map(|pose| number(&harness, pose)), [Some(1), Some(2)]);
    let next = (1..=9).find(|digit| !harness.state().session.edits.pose_keys.contains_key(digit)).unwrap();
    drag_slider(&mut harness, "jawOpen", 0.1, 0.6);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run_ok();
    press(&mut harness, Key::Escape);
    assert_eq!(number(&harness, "Pose 1"), Some(next));
    assert_eq!(number(&harness, "Neutral"), Some(1), "the numbers of others stay");

    let over = at(&harness, "Pose Pose 1", 0.3);
    right_click(&mut harness, over);
    for item in ["Number key", "2  Smile"] {
        harness.get_by_label_contains(item).click();
        harness.run_ok();
    }
    assert_eq!(["Pose 1", "Smile"].map(|pose| number(&harness, pose)), [Some(2), None]);
    harness.remove_cursor();
    press(&mut harness, Key::Num2);
    let applied = harness.state().session.edits.applied_poses[0].pose;
    assert_eq!(harness.state().session.edits.pose(applied).unwrap().name, "Pose 1");
}
