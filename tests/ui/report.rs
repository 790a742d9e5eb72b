//! The Report page.

use std::sync::mpsc::channel;

use egui_kittest::kittest::Queryable;
use smirk_analysis::judge::{Combination, FaceIntersections, Judged, Through};
use smirk_analysis::lint::{Measure, Rule, Settings};
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Cancelled;
use smirk_face::head::{Asset, Head, Level};
use smirk_scene::ViewMode;

use crate::harness::*;
use crate::other_heads::picture_of;

#[test]
fn a_name_in_the_report_reveals_its_slider_even_if_filtered_out() {
    let mut app = App::new(head());
    let channel = app.channel("tongueOut");
    let message = "move every vertex alike; one is too many".to_owned();
    let channels = vec![app.channel("jawOpen"), channel];
    app.find(vec![Finding {
        rule: Rule::Duplicate,
        level: Level::Warning,
        channels,
        measure: Measure::Duplicate { error: 0.0 },
        message: message.clone(),
    }]);
    app.state.panels.page = smirk_ui::Page::Report;
    app.list_mut().search = "brow".into();
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    harness.get_by_label("Duplicate shapes");
    harness.get_by_label(&message);
    harness.get_all_by_label("tongueOut").next().unwrap().click();
    // Scrolling to the row takes several frames.
    harness.run_steps(80);
    assert_eq!(harness.state().list().search, "");
    let focused = harness.get_all_by_label("tongueOut").filter(|node| node.is_focused()).count();
    assert_eq!(focused, 1);
    harness.get_by_label("Copy").click();
    let mut copied = String::new();
    for _ in 0..4 {
        harness.step();
        for command in &harness.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                copied.clone_from(text);
            }
        }
    }
    assert!(copied.contains(&format!("warning: Duplicate shapes: jawOpen and tongueOut: {message}")), "{copied}");
}

#[test]
fn weights_at_rest_are_zeroed_by_one_click_and_come_back_by_the_next() {
    let mut meshes = head().meshes.clone();
    meshes[0].targets[0].default_weight = 0.75;
    let mut app = App::new(Arc::new(Head::new(Asset { name: "head".into(), meshes, ..Asset::default() })));
    let mut findings = smirk_analysis::lint::lint(&app.session.head, &Settings::default());
    findings.retain(|finding| finding.rule == Rule::RestWeight);
    let name = app.session.head.channels[findings[0].channels[0]].name.clone();
    app.find(findings);
    app.state.panels.page = smirk_ui::Page::Report;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    harness.get_by_label("Weights at rest");
    assert_eq!(harness.state().weight(&name), 0.75);
    harness.get_by_label("Zero all").click();
    harness.run_steps(3);
    assert_eq!(harness.state().weight(&name), 0.0);
    harness.get_by_label("Rest as in the file").click();
    harness.run_steps(3);
    assert_eq!(harness.state().weight(&name), 0.75);
}

/// A smile with the mouth open, whose lips go through the teeth.
fn intersection_smile(app: &App) -> Judged {
    Judged {
        combination: Combination { channels: vec![app.channel("mouthSmileLeft"), app.channel("jawOpen")] },
        intersections: Arc::new(FaceIntersections::new(vec![], vec![(Through::LipsAndTeeth, 31, 24.4)])),
        added_mm: 20.0,
        stretch: 1.2,
        added_stretch: 1.0,
        lost_cm3: 0.0,
    }
}

#[test]
fn a_listed_combination_has_a_picture_which_shows_it_on_the_face() {
    let mut app = App::new(head());
    app.state.panels.page = smirk_ui::Page::Report;
    let judged = intersection_smile(&app);
    app.try_combinations(vec![judged.clone()]);
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    let asked = &harness.state().visible_pictures().channels;
    let expected =
        (judged.combination.channels.clone(), ViewMode::Intersections, Some(judged.intersections.marked.clone()));
    assert_eq!(*asked, [expected], "its picture is asked for");
    let name = harness.get_by_label("mouthSmileLeft + jawOpen").rect();
    let picture = name.left_top() + Vec2::new(-30.0, 30.0);
    let color = [40, 200, 40, 255];
    harness
        .state_mut()
        .thumbnails_mut()
        .insert(picture_of(&judged), image::RgbaImage::from_pixel(8, 8, image::Rgba(color)));
    harness.run_ok();
    assert_eq!(harness.render().unwrap().get_pixel(picture.x as u32, picture.y as u32).0, color);
    click(&mut harness, picture);
    assert_eq!(harness.state().weight("jawOpen"), 1.0);
    press(&mut harness, "Readout");
    assert!(harness.state().visible_pictures().channels.is_empty());
}

#[test]
fn combinations_are_tried_cancelled_listed_and_shown_on_the_face() {
    let mut app = App::new(head());
    app.state.panels.page = smirk_ui::Page::Report;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    harness.get_by_label("Test combinations…").click();
    harness.run_steps(1);
    let open = HeadId::new(&harness.state().session.head);
    assert_ne!(harness.state_mut().tried().status(&open), Status::Idle, "it has begun");
    // One whose end the test decides.
    let (has_begun, begun) = channel();
    let (end, may_end) = channel::<()>();
    harness.state_mut().tried().forget();
    harness.state_mut().tried().start(open.clone(), || {
        Job::spawn(
            "test",
            OnDrop::Detach,
            || {},
            move |control| {
                control.progress().report("Combination 7 of 90", 0.07)?;
                has_begun.send(())?;
                may_end.recv()?;
                Err(Cancelled.into())
            },
        )
    });
    begun.recv().unwrap();
    harness.run_steps(3);
    harness.get_by_label_contains("Combination 7 of 90");
    harness.get_by_label("Cancel").click();
    harness.run_steps(3);
    let status = harness.state_mut().tried().status(&open);
    assert!(matches!(status, Status::Busy { is_stopping: true, .. }), "{status:?}");
    end.send(()).unwrap();
    let judged = intersection_smile(harness.state());
    harness.state_mut().try_combinations(vec![judged]);
    harness.run_steps(3);
    harness.get_by_label("lips through teeth along 24 mm (31 pairs of triangles); 20 mm more than alone");
    harness.get_by_label("mouthSmileLeft + jawOpen").click();
    harness.run_steps(3);
    let weight = |name: &str| harness.state().weight(name);
    assert_eq!(["mouthSmileLeft", "jawOpen", "mouthSmileRight", "eyeBlinkLeft"].map(weight), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(harness.state().session.edits.look.view, ViewMode::Intersections, "what crosses is coloured");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(3);
    let app = harness.state();
    assert_eq!((app.weight("jawOpen"), app.session.edits.look.view), (0.0, ViewMode::Shaded), "one step takes it back");
}
