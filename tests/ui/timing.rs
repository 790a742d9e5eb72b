//! Keys, in and out points belong to the clip or the take that they were made for, or are for all by choice.

use crate::harness::*;
use crate::takes::capture;
use smirk_session::{TakeId, TimingOf};

/// A window with a clip of eight seconds that plays, at two seconds, and with a take of ten that does not.
fn clip_and_take() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![capture()]);
    app.session.takes_mut().select(None);
    app.session.clock.timeline.playing = false;
    app.session.seek(2.0);
    app.session.commit();
    app.state.panels.curves_open = true;
    window_of(Vec2::new(1600.0, 1400.0), app)
}

fn choose(harness: &mut Harness<'static, App>, menu: &str, entry: &str) {
    let submenu = (menu == "Edit").then_some("Keys and play range");
    for name in [Some(menu), submenu, Some(entry)].into_iter().flatten() {
        press(harness, name);
    }
    harness.key_press(Key::Escape);
    harness.run_ok();
}

/// Sets a key on the jaw and the out point at the play head.
fn key_and_cut(harness: &mut Harness<'static, App>) {
    harness.get_by_label("jawOpen").hover();
    harness.run_ok();
    for key in [Key::K, Key::O] {
        harness.key_press(key);
        harness.run_ok();
    }
}

/// The end of what plays, and the number of keys of the jaw.
fn state(harness: &Harness<'static, App>) -> (f32, usize) {
    let session = &harness.state().session;
    (session.range_secs()[1], session.keys().keys_of("jawOpen").len())
}

fn said(harness: &Harness<'static, App>) -> String {
    let texts = harness.state().commands.iter().filter_map(|command| match command {
        Command::ShowStatus(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("; ")
}

#[test]
fn keys_and_out_points_stay_with_the_clip_or_the_take_they_were_made_for() {
    let mut harness = clip_and_take();
    key_and_cut(&mut harness);
    assert_eq!(state(&harness), (2.0, 1));
    choose(&mut harness, "Take", "Play take capture");
    assert_eq!(state(&harness), (10.0, 0), "the take is whole and has no keys");
    assert!(said(&harness).starts_with("1 keyed channel, an out point stay with Blink"), "{}", said(&harness));
    harness.state_mut().session.seek(4.0);
    key_and_cut(&mut harness);
    assert_eq!(state(&harness), (4.0, 1));
    choose(&mut harness, "Take", "No take");
    assert_eq!((state(&harness), harness.state().session.keys().keys_of("jawOpen")[0].time_secs), ((2.0, 1), 2.0));
    choose(&mut harness, "Clip", "No clip");
    assert_eq!(harness.state().session.keys().keys_of("jawOpen").len(), 0, "nothing plays");
    // What one step has set is undone with that step, whatever plays.
    choose(&mut harness, "Take", "Play take capture");
    harness.state_mut().session.takes_mut().remove(TakeId(0));
    harness.run_ok();
    assert_eq!(state(&harness).1, 0);
    harness.state_mut().session.undo();
    assert_eq!(state(&harness), (4.0, 1), "the take is back with its keys");
}

#[test]
fn one_choice_makes_keys_and_out_points_those_of_all_and_gives_each_its_own_back() {
    let mut harness = clip_and_take();
    key_and_cut(&mut harness);
    choose(&mut harness, "Edit", "Shared by all clips and takes");
    choose(&mut harness, "Take", "Play take capture");
    assert_eq!(state(&harness), (2.0, 1), "those of the clip");
    choose(&mut harness, "Edit", "For capture alone");
    assert_eq!(state(&harness), (10.0, 0));
    for name in ["Edit", "Keys and play range"] {
        press(&mut harness, name);
    }
    choose(&mut harness, "Copy from", "Blink: 1 keyed channel, an out point");
    assert_eq!(state(&harness), (2.0, 1), "a copy");
    harness.state_mut().session.timeline_mut().set_out(false);
    choose(&mut harness, "Take", "No take");
    assert_eq!(state(&harness), (2.0, 1), "of which the clip knows nothing");
    // A take that goes leaves what is for all.
    choose(&mut harness, "Take", "Play take capture");
    choose(&mut harness, "Edit", "Shared by all clips and takes");
    harness.state_mut().session.takes_mut().remove(TakeId(0));
    harness.run_ok();
    assert_eq!(state(&harness), (8.0, 1));
    assert_eq!(harness.state().session.timing_of(), TimingOf::Head);
}

#[test]
fn a_range_that_leaves_something_out_says_so_and_a_click_ends_it() {
    let mut harness = clip_and_take();
    assert!(harness.query_by_label_contains(" of 8.00 s").is_none());
    harness.key_press(Key::O);
    harness.run_ok();
    press(&mut harness, "Plays 0.00 to 2.00 of 8.00 s");
    assert!(harness.query_by_label_contains(" of 8.00 s").is_none() && state(&harness).0 == 8.0);
    // A range of all there is leaves nothing out.
    harness.state_mut().session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(9.0)));
    harness.run_ok();
    assert!(harness.query_by_label_contains(" of 8.00 s").is_none());
}

#[test]
fn a_clip_that_is_added_to_another_leaves_the_keys_where_they_are() {
    let plain = head();
    let clips = ["Nod", "Blink"].map(|name| Clip::new(name.into(), plain.clips[0].tracks.clone()));
    let mut app = App::new(Arc::new(plain.with_clips(clips.into())));
    app.session.clips_mut().select(Some(1));
    app.session.clock.timeline.playing = false;
    let jaw = app.channel("jawOpen");
    app.session.keys_mut().key(jaw);
    app.session.clips_mut().toggle(0);
    assert_eq!(app.session.keys().keys_of("jawOpen").len(), 1, "the first that was chosen plays on");
    app.session.clips_mut().toggle(1);
    assert_eq!(app.session.keys().keys_of("jawOpen").len(), 0);
    app.session.clips_mut().select(Some(1));
    assert_eq!(app.session.keys().keys_of("jawOpen").len(), 1);
}
