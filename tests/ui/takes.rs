//! Takes for the tests of the Motion page and the curves.

use crate::harness::*;
use smirk::motion::{Take, TakeColumn};

/// A take of `frames` at 60 per second, whose columns go from 0 to 1 on slightly different curves.
pub fn take_of(name: &str, columns: &[&str], frames: usize) -> Take {
    let times: Vec<f32> = (0..frames).map(|frame| frame as f32 / 60.0).collect();
    let end = times[frames - 1];
    let value = |time: f32, column: usize| (time / end + 0.013 * column as f32 * (time * 3.0).sin()).clamp(0.0, 1.0);
    let values = times.iter().flat_map(|&time| (0..columns.len()).map(move |column| value(time, column))).collect();
    let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).to_owned(), track: 0, element };
    Take {
        name: name.into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: columns.iter().enumerate().map(column).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, times, values, columns.len()).unwrap()],
        duration_secs: end,
        notes: Vec::new(),
    }
}

/// Ten seconds in which the jaw opens and the right eye closes linearly, with a column that matches no channel, and a turned head.
pub fn capture() -> Take {
    let constant = [0.5, 0.25];
    let names = ["JawOpen", "EyeBlinkRight", "Kiss", "HeadYaw"];
    let values = [0.0, 1.0].iter().flat_map(|&ramp| [ramp, ramp, constant[0], constant[1]]).collect();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 10.0], values, names.len()).unwrap();
    Take { tracks: vec![curve], duration_secs: 10.0, ..take_of("capture", &names, 2) }
}

/// Opens the Motion page.
pub fn open_page(harness: &mut Harness<'static, App>) {
    harness.get_by_label("Motion").click();
    harness.run_ok();
}
