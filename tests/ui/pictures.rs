//! Tests of the drawn image of the window.

use crate::harness::*;
use crate::takes::capture;
use smirk_face::motion::{Layer, SequenceStep};

/// Compares colours at points of the drawn window with those of the theme.
#[test]
fn bars_show_their_values_in_the_picture() {
    let mut app = App::new(head());
    let (jaw, smile) = (app.channel("jawForward"), app.channel("mouthSmileLeft"));
    app.session.channel_mut(jaw).set(0.6);
    app.session.channel_mut(smile).set(-1.0);
    let mut harness = window_of(Vec2::new(1280.0, 900.0), app);
    let picture = harness.render().unwrap();
    let shown = |label: &str, fraction: f32| {
        let rect = harness.get_by_label(label).rect();
        let (x, y) = (egui::lerp(rect.x_range(), fraction), rect.top() + 3.0);
        picture.get_pixel(x as u32, y as u32).0
    };
    let expected = [
        ("jawForward", 0.55, theme::ACCENT),
        ("jawForward", 0.65, theme::WELL),
        ("mouthSmileLeft", 0.1, theme::ACCENT),
        ("mouthSmileLeft", 0.45, theme::ACCENT),
        ("mouthSmileLeft", 0.55, theme::WELL),
        ("eyeBlinkLeft", 0.2, theme::layer_tint(Layer::Clip).fill),
        ("eyeBlinkLeft", 0.3, theme::WELL),
        ("eyeWideLeft", 0.02, theme::WELL_QUIET),
    ];
    for (label, fraction, color) in expected {
        let found = shown(label, fraction);
        let off = found.iter().zip(color.to_array()).map(|(a, b)| a.abs_diff(b)).max();
        assert!(off <= Some(3), "{label} at {fraction}: {found:?}, expected {color:?}");
    }
}

/// Shows one row for each layer that can set a channel. The icons must differ in shape, not only in colour.
#[test]
fn every_layer_has_its_own_icon() {
    let mut app = App::new(head());
    let column = TakeColumn { name: "cheekPuff".into(), track: 0, element: 0 };
    let track = Curve::new(Interpolation::Linear, vec![0.0, 9.0], vec![0.4, 0.6], 1).unwrap();
    let take = Take {
        name: "take 7".into(),
        source: None,
        frames_per_sec: None,
        start_timecode: None,
        columns: vec![column],
        tracks: vec![track],
        body: None,
        duration_secs: 9.0,
        notes: Vec::new(),
    };
    app.session.takes_mut().add(vec![take]);
    app.session.clock.timeline.playing = false;
    let [pucker, funnel, stretch, tongue] =
        ["mouthPucker", "mouthFunnel", "mouthStretchLeft", "tongueOut"].map(|name| app.channel(name));
    app.session
        .poses_mut()
        .add(["browInnerUp", "jawForward"].map(|name| (name.to_owned(), [(name.into(), 0.7)].into())));
    let [brow, jaw] = ["browInnerUp", "jawForward"].map(|name| app.pose(name));
    app.session.edits.sequence.steps = vec![SequenceStep::new(brow); 2];
    app.session.edits.sequence.enabled = true;
    app.session.poses_mut().set_amount(jaw, 1.0);
    app.session.channel_mut(pucker).set(0.5);
    app.session.keys_mut().key(pucker);
    app.session.channel_mut(funnel).toggle_mute();
    app.session.edits.gaze.enabled = true;
    app.session.edits.blink.enabled = true;
    app.session.edits.blink.channels = vec!["browOuterUpLeft".into()];
    app.session.channel_mut(app.channel("eyeBlinkRight")).take_over();
    let mut harness = window_of(Vec2::new(1280.0, 1000.0), app);
    let mut shapes: Vec<(&str, Vec<bool>)> = Vec::new();
    let mut look = |harness: &mut Harness<'static, App>, label: &'static str| {
        harness.run_ok();
        let rect = harness.get_by_label(label).rect();
        let picture = harness.render().unwrap();
        let ground = picture.get_pixel(rect.left() as u32, rect.top() as u32).0;
        let pixels = (0..20).flat_map(|y| (0..20).map(move |x| (x, y)));
        let is_drawn = |(x, y)| {
            let pixel = picture.get_pixel(rect.left() as u32 + x, rect.top() as u32 + y).0;
            pixel.iter().zip(&ground).any(|(a, b)| a.abs_diff(*b) > 40)
        };
        let shape: Vec<bool> = pixels.map(is_drawn).collect();
        for (other, known) in &shapes {
            let differing = shape.iter().zip(known).filter(|(a, b)| a != b).count();
            assert!(differing >= 20, "{label} looks like {other}: {differing} pixels differ");
        }
        shapes.push((label, shape));
    };
    for label in [
        "Take over eyeBlinkLeft",
        "Take over cheekPuff",
        "Take over mouthPucker",
        "Take over browInnerUp",
        "Take over eyeLookDownLeft",
        "Take over browOuterUpLeft",
        "Take over jawForward",
        "Unmute mouthFunnel",
        "Give back eyeBlinkRight",
    ] {
        look(&mut harness, label);
    }
    harness.state_mut().session.channel_mut(stretch).toggle_solo();
    harness.state_mut().session.channel_mut(tongue).toggle_solo();
    look(&mut harness, "Unsolo tongueOut");
}

/// Renders the window in many states, each of which must look different from the one before. The images are written to
/// `ui` in cargo's
/// temporary folder, to be looked at.
#[test]
fn every_state_of_the_window_looks_different() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ui");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, size) in [("large", Vec2::new(1600.0, 1000.0)), ("small", Vec2::new(1280.0, 720.0))] {
        let mut app = App::new(head());
        let (jaw, smile) = (app.channel("jawOpen"), app.channel("mouthSmileLeft"));
        app.session.channel_mut(jaw).set(0.62);
        app.session.channel_mut(smile).set(1.5);
        let funnel = app.channel("mouthFunnel");
        app.session.channel_mut(funnel).set(-0.4);
        app.session.channel_mut(app.channel("eyeBlinkRight")).take_over();
        let teeth = app.session.head.channels[jaw].targets[1];
        app.session.channel_mut(jaw).set_target(teeth, 0.3);
        let linked = app.session.head.pair_of(app.channel("cheekSquintLeft")).unwrap();
        app.session.edits.link_pair(&app.session.head, linked, true);
        app.session
            .poses_mut()
            .add([("A smile with quite a long name".to_owned(), [("mouthSmileLeft".into(), 0.8)].into())]);
        let [surprise, smile] = ["Surprise", "Smile"].map(|name| app.pose(name));
        app.session.poses_mut().set_amount(surprise, 0.6);
        app.thumbnails_mut().insert(smile, image::RgbaImage::from_pixel(160, 160, image::Rgba([168, 132, 112, 255])));
        let mut harness = window_of(size, app);
        harness.state_mut().list_mut().expanded_channels.insert(jaw);
        harness
            .state_mut()
            .list_mut()
            .collapsed_groups
            .insert(smirk_ui::Group::Region(smirk_face::head::Region::Brows));
        let mut last = None;
        let mut take = |harness: &mut Harness<'static, App>, what: &str| {
            harness.run_ok();
            let picture = harness.render().unwrap();
            picture.save(folder.join(format!("{name}-{what}.png"))).unwrap();
            assert!(last.as_ref() != Some(&picture), "{name}-{what} looks like the state before it");
            last = Some(picture);
        };
        take(&mut harness, "poses");
        let card = harness.get_by_label("Pose Neutral").rect().center();
        harness.state_mut().session.channel_mut(jaw).toggle_solo();
        harness.state_mut().session.channel_mut(funnel).toggle_mute();
        drag_towards(&mut harness, card, card - Vec2::new(0.0, 110.0));
        take(&mut harness, "dragged_card");
        harness.key_press(Key::Escape);
        harness.drop_at(card);
        harness.get_by_label("Pose Neutral").focus();
        harness.key_press(Key::F2);
        take(&mut harness, "naming");
        harness.state_mut().session.channel_mut(jaw).toggle_solo();
        harness.state_mut().session.channel_mut(funnel).toggle_mute();
        let session = &mut harness.state_mut().session;
        session.takes_mut().add(vec![capture(), capture()]);
        session.edits.compared_take = Some(smirk_session::TakeId(1));
        session.takes_mut().edit_map(smirk_session::TakeId(1), |map, _| map.columns[0].gain = 0.7);
        session.clock.timeline.playing = false;
        session.edits.blink.enabled = true;
        let sequenced = [surprise, smile].map(SequenceStep::new).to_vec();
        session.sequence_mut().edit(0.0, |sequence| sequence.steps = sequenced);
        harness.state_mut().state.panels.page = smirk_ui::Page::Motion;
        take(&mut harness, "motion");
        harness.key_press(Key::C);
        take(&mut harness, "curves");
        press(&mut harness, "Curve jawOpen");
        let over = at(&harness, "Curves", 0.502);
        harness.hover_at(over);
        take(&mut harness, "curve");
        press(&mut harness, "List columns");
        harness.get_by_label("Column Kiss").click();
        take(&mut harness, "columns");
        let session = &mut harness.state_mut().session;
        session.takes_mut().remove(smirk_session::TakeId(0));
        session.takes_mut().remove(smirk_session::TakeId(1));
        session.edits.blink.enabled = false;
        harness.key_press(Key::C);
        harness.run_ok();
        harness.state_mut().state.panels.page = smirk_ui::Page::Look;
        take(&mut harness, "look");
        harness.set_pixels_per_point(2.0);
        take(&mut harness, "fine");
        harness.set_pixels_per_point(1.0);
        harness.run_ok();
        harness.state_mut().state.panels.page = smirk_ui::Page::Readout;
        harness.state_mut().readout.error = Some(smirk_ui::ErrorReading {
            mode: BlendMode::Compute,
            max_distance: 1.2e-8,
            max_normal_degrees: 0.001,
            head_size: 0.23,
        });
        harness.state_mut().notice =
            Notice::Loading { name: "ict_facekit.glb".into(), stage: "reading targets".into(), fraction: 0.4 };
        take(&mut harness, "readout");
        harness.state_mut().readout.measuring = Status::Done(crate::bench::report());
        harness.run_ok();
        harness.get_by_label("Measure again").scroll_to_me();
        harness.run_ok();
        let over = at(&harness, "Milliseconds by active channels", 0.6);
        harness.hover_at(over);
        take(&mut harness, "modes");
        harness.state_mut().state.panels.page = smirk_ui::Page::Report;
        let message = "ict.glb: mesh \"face\", primitive 0: 26719 positions but 26718 normals. The file is damaged; export it again.";
        harness.state_mut().notice = Notice::Failure { title: "ict.glb did not open".into(), message: message.into() };
        harness.get_by_label("Blend mode").click();
        take(&mut harness, "notes");
        harness.key_press(Key::Escape);
        harness.state_mut().notice = Notice::Idle;
        harness.run_ok();
        harness.state_mut().is_file_hovering = true;
        harness.state_mut().list_mut().search = "smile".into();
        harness.get_by_label("mouthSmileRight").focus();
        take(&mut harness, "drop");
        harness.state_mut().is_file_hovering = false;
        harness.state_mut().state.overlay = Some(smirk_ui::Overlay::Shortcuts);
        take(&mut harness, "keys");
        harness.state_mut().state.overlay = None;
        harness.state_mut().list_mut().search.clear();
        harness.run_ok();
        harness.get_by_label("File").click();
        take(&mut harness, "menu");
        harness.key_press(Key::Escape);
        harness.state_mut().state.panels.page = smirk_ui::Page::Look;
        harness.run_ok();
        let over = at(&harness, "jawOpen", 0.3);
        harness.hover_at(over);
        harness.run_steps(90);
        take(&mut harness, "tooltip");
        let number = at(&harness, "mouthPucker", 0.93);
        click(&mut harness, number);
        let lock = at(&harness, "Take over eyeBlinkLeft", 0.5);
        harness.hover_at(lock);
        harness.run_steps(90);
        take(&mut harness, "typing");
        let over = at(&harness, "jawLeft", 0.3);
        right_click(&mut harness, over);
        take(&mut harness, "context");
        let names = [
            "CTRL_expressions_mouthCornerPullL",
            "CTRL_expressions_mouthCornerPullR",
            "a",
            "Fcl_EYE_Close_With_A_Very_Long_Suffix_Left",
        ];
        let mut other = Arc::into_inner(head()).unwrap();
        other = Head::new(Asset {
            name: "a_head_with_quite_a_long_name_v0123_final".into(),
            meshes: vec![mesh("face", &names)],
            notes: other.asset.notes,
            ..Asset::default()
        });
        harness.state_mut().session.replace_head(Arc::new(other), HeadSource::Embedded);
        harness.state_mut().state.panels.page = smirk_ui::Page::Poses;
        harness.state_mut().session.channel_mut(1).set(123.456);
        harness.state_mut().session.channel_mut(0).set(-1.5);
        take(&mut harness, "long");
    }
}
