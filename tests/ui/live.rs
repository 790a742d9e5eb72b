//! The Live section of the Motion page.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use crate::harness::*;
use crate::names::drawn_texts;
use crate::takes::open_page;
use smirk_face::motion::{Layer, LiveFace};
use smirk_files::audio::Microphone;
use smirk_files::live::{
    CalibrationKind, LatencyReading, ListenError, Listening, LiveStatus, Protocol, SenderId, SenderStatus, Transport,
};
use smirk_session::{LiveSetup, MicrophoneChoice};
use smirk_ui::RecordingView;

const COLUMNS: [&str; 4] = ["JawOpen", "mouthSmile_L", "HeadYaw", "Sneeze"];

fn address(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

/// A sender whose last frame arrived some seconds ago; with 0 it goes on sending, however long the test takes.
fn sender(subject: &str, protocol: Protocol, age_secs: u64) -> SenderStatus {
    SenderStatus {
        id: SenderId { protocol, transport: Transport::Udp, address: address(50_000), subject: subject.into() },
        is_heard: true,
        is_tracked: true,
        columns: COLUMNS.map(str::to_owned).into(),
        frames: 1200,
        frames_per_sec: 59.9,
        lost_frames: 12,
        late_frames: 0,
        jitter_secs: 0.002,
        last_frame: match age_secs {
            0 => Instant::now().checked_add(Duration::from_secs(3600)),
            _ => Instant::now().checked_sub(Duration::from_secs(age_secs)),
        },
        refused_packets: 0,
        last_refusal: None,
    }
}

fn status(senders: Vec<SenderStatus>) -> LiveStatus {
    let ports = [(Protocol::LiveLinkFace, 11111), (Protocol::Vmc, 39539)];
    let listening =
        ports.map(|(protocol, port)| Listening { protocol, transport: Transport::Udp, address: address(port) });
    LiveStatus { listening: listening.into(), failures: Vec::new(), senders, waiting_frames: 0, dropped_frames: 0 }
}

/// The page of a window that listens, with a face of these values.
pub fn listening(size: Vec2, senders: Vec<SenderStatus>, values: Option<[f32; 4]>) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select_together([]);
    app.state.live.is_on = true;
    app.state.live.view = LiveView { status: Some(status(senders)), next_take: "Take 3".into(), ..LiveView::default() };
    app.session.show_live(values.map(|values| LiveFace {
        columns: COLUMNS.map(str::to_owned).into(),
        values: values.into(),
        presence: 1.0,
    }));
    let mut harness = window_of(size, app);
    open_page(&mut harness);
    harness
}

/// All texts of the window as one.
fn text(harness: &Harness<'static, App>) -> String {
    drawn_texts(harness).join(" ¦ ")
}

#[test]
fn nothing_is_listened_for_until_the_artist_asks_and_the_network_is_allowed_apart() {
    let mut harness = window(head());
    open_page(&mut harness);
    assert!(!harness.state().state.live.is_on && !harness.state().state.live.setup.allows_network);
    press(&mut harness, "Listen for live faces");
    assert!(harness.state().state.live.is_on);
    assert!(text(&harness).contains("Only programs on this machine are heard"), "{}", text(&harness));
    press(&mut harness, "Allow other machines");
    assert!(harness.state().state.live.setup.allows_network);
    assert!(text(&harness).contains("Everyone in your network can send a face"));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::T);
    harness.run_ok();
    assert!(!harness.state().state.live.is_on, "a key does the same");
}

#[test]
fn a_face_that_is_listened_for_is_on_the_face_or_one_click_away_from_it() {
    let mut harness =
        listening(Vec2::new(1600.0, 1000.0), vec![sender("Ada", Protocol::LiveLinkFace, 0)], Some([0.7; 4]));
    assert!(near(harness.state().weight("jawOpen"), 0.7));
    assert!(harness.query_by_label("Show it on the face").is_none());
    harness.state_mut().session.takes_mut().add(vec![crate::takes::capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.run_ok();
    assert!(harness.state().weight("jawOpen") < 0.5, "the take that was chosen plays");
    assert!(text(&harness).contains("Not on the face: the take capture plays"), "{}", text(&harness));
    press(&mut harness, "Show it on the face");
    assert!(near(harness.state().weight("jawOpen"), 0.7));
    let take = harness.state().session.take().unwrap().id;
    harness.state_mut().session.takes_mut().remove(take);
    press(&mut harness, "Live drives the face");
    assert!(text(&harness).contains("Not on the face ¦"), "{}", text(&harness));

    // To listen anew is to ask for the face, with the key and with the check box.
    for by_key in [true, false] {
        harness.state_mut().session.set_live_drives(false);
        for _ in 0..2 {
            match by_key {
                true => harness.key_press_modifiers(Modifiers::SHIFT, Key::T),
                false => harness.get_by_label("Listen for live faces").click(),
            }
            harness.run_ok();
        }
        assert!(harness.state().state.live.is_on && near(harness.state().weight("jawOpen"), 0.7), "{by_key}");
    }
}

#[test]
fn what_arrives_is_said_in_plain_words() {
    let mut harness = listening(Vec2::new(1600.0, 1000.0), vec![], None);
    assert!(
        text(&harness).contains("Nothing arrives yet") && text(&harness).contains("Listening at 127.0.0.1, 2 ports")
    );
    harness = listening(Vec2::new(1600.0, 1000.0), vec![sender("Ada", Protocol::LiveLinkFace, 0)], Some([0.5; 4]));
    for words in ["live", "Ada · Live Link Face", "60 frames per second, 1.0 % lost", "1 unmapped name", "Delay: 0 ms"]
    {
        assert!(text(&harness).contains(words), "{words}: {}", text(&harness));
    }
    let lost = SenderStatus { is_tracked: false, ..sender("Ada", Protocol::Vmc, 0) };
    harness = listening(Vec2::new(1600.0, 1000.0), vec![lost], Some([0.5; 4]));
    assert!(text(&harness).contains("no face") && text(&harness).contains("sees no face"), "{}", text(&harness));
    let other = SenderStatus { is_heard: false, ..sender("Bob", Protocol::Vmc, 0) };
    harness = listening(Vec2::new(1600.0, 1000.0), vec![sender("", Protocol::Vmc, 10), other], None);
    for words in ["silent", "silent since", "A sender · VMC", "1 other sends too and is not heard"] {
        assert!(text(&harness).contains(words), "{words}: {}", text(&harness));
    }
    let (protocol, transport) = (Protocol::Vmc, Transport::Udp);
    let taken = ListenError::PortTaken { protocol, transport, port: 39539 };
    harness.state_mut().state.live.view.status.as_mut().unwrap().failures.push(taken.clone());
    harness.run_ok();
    assert!(text(&harness).contains("is used by another program"), "{}", text(&harness));
    harness.state_mut().state.live.view = LiveView { problem: Some(taken.to_string()), ..LiveView::default() };
    harness.run_ok();
    assert!(text(&harness).contains("is used by another program"), "nothing could be opened");
}

#[test]
fn a_sender_is_fixed_and_the_phone_is_asked_once_its_address_is_typed() {
    let senders = vec![sender("Ada", Protocol::LiveLinkFace, 0), sender("Bob", Protocol::Vmc, 0)];
    let mut harness = listening(Vec2::new(1600.0, 1000.0), senders, None);
    press(&mut harness, "Sender that is heard");
    press(&mut harness, "Bob, VMC at 127.0.0.1");
    let fixed = harness.state().state.live.setup.sender.clone().unwrap();
    assert_eq!((fixed.protocol, fixed.subject.as_str()), (Protocol::Vmc, "Bob"));
    harness.get_by_label("Address of the phone").focus();
    harness.run_ok();
    harness.get_by_label("Address of the phone").type_text("192.168.0.");
    harness.run_ok();
    assert_eq!(harness.state().state.live.setup.phone, "", "half an address is not asked");
    harness.get_by_label("Address of the phone").type_text("12");
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().state.live.setup.phone, "192.168.0.12");
    harness.state_mut().state.live.setup.phone = "my phone".into();
    harness.run_ok();
    assert!(text(&harness).contains("is no address such as"), "{}", text(&harness));
}

#[test]
fn a_recording_begins_and_ends_with_a_key_or_the_button() {
    let mut harness = listening(Vec2::new(1600.0, 1000.0), vec![sender("Ada", Protocol::Vmc, 0)], Some([0.5; 4]));
    assert!(text(&harness).contains("Record Take 3"));
    let records = |harness: &Harness<App>| harness.state().state.live.records;
    press(&mut harness, "Record");
    assert!(records(&harness));
    harness.key_press(Key::T);
    harness.run_ok();
    assert!(!records(&harness));
    harness.state_mut().state.live.records = true;
    harness.state_mut().state.live.view.recording = RecordingView::Countdown { secs: 2.4 };
    harness.run_ok();
    assert!(text(&harness).contains("In 3"), "{}", text(&harness));
    harness.state_mut().state.live.view.recording =
        RecordingView::Running { name: "Take 3".into(), secs: 4.25, frames: 255 };
    harness.run_ok();
    assert!(text(&harness).contains("Stop Take 3  4.2 s"), "{}", text(&harness));
    press(&mut harness, "Stop recording");
    assert!(!records(&harness));
}

#[test]
fn a_microphone_is_chosen_and_what_is_wrong_with_it_is_said() {
    let mut harness = listening(Vec2::new(1280.0, 720.0), vec![sender("Ada", Protocol::Vmc, 0)], Some([0.5; 4]));
    let chosen = |harness: &Harness<App>| harness.state().state.live.setup.microphone.clone();
    assert_eq!(chosen(&harness), MicrophoneChoice::None);
    press(&mut harness, "Microphone of recordings");
    assert!(harness.state().state.live.finds_microphones);
    let headset = Microphone { id: "alsa_input.usb-1".into(), name: "Headset".into() };
    harness.state_mut().state.live.view.microphone.found = vec![headset.clone()];
    harness.run_ok();
    press(&mut harness, "Headset");
    let expected = MicrophoneChoice::Named { id: headset.id, name: headset.name };
    assert_eq!(chosen(&harness), expected);
    harness.state_mut().state.live.view.microphone.found.clear();
    harness.state_mut().state.live.view.microphone.recording_problem = Some("the microphone sends nothing".into());
    harness.run_ok();
    assert!(text(&harness).contains("Headset"), "one that was unplugged stays chosen");
    assert!(text(&harness).contains("No sound is recorded: the microphone sends nothing"), "{}", text(&harness));
    press(&mut harness, "Microphone of recordings");
    press(&mut harness, "The default one");
    assert_eq!(chosen(&harness), MicrophoneChoice::Default);
}

#[test]
fn buffer_smoothing_calibration_and_columns_are_set() {
    let mut harness = listening(Vec2::new(1600.0, 1000.0), vec![sender("Ada", Protocol::Vmc, 0)], Some([0.5; 4]));
    assert_eq!(harness.state().session.mix().layers[harness.state().channel("jawOpen")], Layer::Live);
    press(&mut harness, "Buffer of 2 frames");
    assert_eq!(harness.state().state.live.setup.buffer_frames, 2);
    drag_slider(&mut harness, "Live smoothing", 0.0, 0.2);
    assert!(near(harness.state().session.edits.live.smoothing.secs, 0.1));
    harness.state_mut().state.live.view.latency =
        LatencyReading { still_secs: 0.1, fastest_secs: 0.012, buffer_secs: 1.0 / 30.0 };
    harness.run_ok();
    assert!(
        text(&harness).contains("Delay: 45 ms for what moves fastest, 133 ms for what is still"),
        "{}",
        text(&harness)
    );
    press(&mut harness, "Calibrate rest face");
    let live = &mut harness.state_mut().state.live;
    assert_eq!(live.calibrates, Some(CalibrationKind::Neutral));
    (live.calibrates, live.view.calibrated) = (Some(CalibrationKind::Reach), 0.5);
    harness.run_ok();
    assert!(text(&harness).contains("Make every expression as large"));
    press(&mut harness, "Cancel");
    assert_eq!(harness.state().state.live.calibrates, None);
    harness.run_ok();
    harness.get_by_label_contains("Mapping:").click();
    harness.run_ok();
    harness.get_by_label_contains("JawOpen drives").click();
    harness.run_ok();
    drag_slider(&mut harness, "Column gain", 0.5, 0.75);
    assert!(near(harness.state().weight("jawOpen"), 0.75), "{}", harness.state().weight("jawOpen"));
    press(&mut harness, "Clear the live calibration");
    assert!(harness.state().session.edits.live.columns.is_empty());
    press(&mut harness, "Live drives the face");
    assert!(!harness.state().session.live_drives());
    assert_eq!(harness.state().state.live.setup, LiveSetup { buffer_frames: 2, ..LiveSetup::default() });
}
