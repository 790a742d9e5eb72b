//! Keys as Smirk exports them: `{smirk: "keys", version, name, frames_per_sec, duration_secs, curves: [{channel, keys:
//! [{time_secs, value, tangents}]}]}`. The keys of a channel are stored as in a project.

use serde::Deserialize;

use super::CaptureFile;
use super::audio2face::frames_per_sec;
use super::frames::check_columns;
use super::json::Root;
use crate::import::{Fault, Import, Problem, UniqueNames};
use smirk_face::head::{Curve, Interpolation, Kind, Subject};
use smirk_face::motion::{Key, KeyCurve, Take, TakeColumn, Tangents};

const VERSION: f64 = 1.0;

pub(super) const KEYS: [&str; 5] = ["smirk", "version", "frames_per_sec", "duration_secs", "curves"];

#[derive(Deserialize)]
struct NamedCurve {
    channel: String,
    keys: KeyCurve,
}

pub(super) fn read(root: &Root<'_>, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let progress = import.progress;
    let version = root.parse("version", progress)?.and_then(|version| version.as_f64()).unwrap_or(VERSION);
    if version > VERSION {
        let problem = Problem::new(format!("is {version}, Smirk reads {VERSION}"));
        return Err(Fault::invalid(Subject::field("version"), problem.advise("open it with a newer Smirk")));
    }
    let list = root.list("curves")?;
    let (mut columns, mut tracks, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
    let mut unique_names = UniqueNames::default();
    list.each(progress, |index, curve| {
        check_columns(index)?;
        let curve = curve.parse_as(&Subject::field(format!("curves[{index}]")), progress)?;
        let read: Option<NamedCurve> = serde_json::from_value(curve).ok();
        match read.and_then(|read| Some((track(read.keys)?, read.channel))) {
            Some((curve, name)) => {
                columns.push(TakeColumn { name: unique_names.make(name), track: tracks.len(), element: 0 });
                tracks.push(curve);
            }
            None => damaged.push(index),
        }
        Ok(())
    })?;
    if !damaged.is_empty() {
        let subject = Subject::numbered(Kind::Column, &damaged);
        import.notes.warn(subject, "no channel or no key that can be read; left out");
    }
    let Some(end_secs) = tracks.iter().map(Curve::end_secs).reduce(f32::max) else {
        return Err(Fault::Unfit("has no keys; export it again".into()));
    };
    let stated = root.parse("duration_secs", progress)?.and_then(|secs| secs.as_f64()).map(|secs| secs as f32);
    let rate = root.parse("frames_per_sec", progress)?;
    Ok(Take {
        name: file.name.to_owned(),
        source: Some(file.path.to_owned()),
        frames_per_sec: rate.map(|rate| frames_per_sec(Some(&rate), "frames_per_sec", &mut import.notes) as f32),
        start_timecode: None,
        columns,
        tracks,
        duration_secs: stated.filter(|secs| (end_secs..=Key::LATEST_SECS).contains(secs)).unwrap_or(end_secs),
        notes: import.take_notes(),
        ..Take::default()
    })
}

/// Keys as the curve that they draw; none if there are none. Where a value is held, a second key stands at the time of
/// the next.
fn track(curve: KeyCurve) -> Option<Curve> {
    let curve = if curve.is_in_order() { curve } else { curve.sorted() };
    let keys = curve.keys();
    if keys.iter().all(|key| key.tangents == Tangents::Linear) {
        let (times, values) = keys.iter().map(|key| (key.time_secs, key.value)).unzip();
        return Curve::new(Interpolation::Linear, times, values, 1).ok();
    }
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (index, key) in keys.iter().enumerate() {
        let [mut incoming, mut outgoing] = curve.slopes_at(index);
        let before = index.checked_sub(1).map(|before| keys[before]);
        if let Some(held) = before.filter(|before| before.tangents == Tangents::Step) {
            times.push(key.time_secs);
            values.extend([0.0, held.value, 0.0]);
            incoming = 0.0;
        }
        if key.tangents == Tangents::Step {
            outgoing = 0.0;
        }
        times.push(key.time_secs);
        values.extend([incoming, key.value, outgoing]);
    }
    Curve::new(Interpolation::CubicSpline, times, values, 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_draw_the_curve_that_they_draw_in_a_project() {
        let key = |time_secs: f32, value: f32, tangents| Key { time_secs, value, tangents };
        let keys = [
            key(0.0, 0.0, Tangents::Linear),
            key(1.0, 0.5, Tangents::Linear),
            key(1.5, 0.25, Tangents::Auto),
            key(2.0, 1.0, Tangents::Step),
            key(3.0, 0.25, Tangents::Free(0.5)),
            key(4.0, 0.75, Tangents::Broken { incoming: -1.0, outgoing: 2.0 }),
            key(5.0, 0.0, Tangents::Auto),
        ];
        for first in 0..keys.len() {
            let text = serde_json::to_string(&keys[first..]).unwrap();
            let curve: KeyCurve = serde_json::from_str(&text).unwrap();
            let track = track(curve.clone()).unwrap();
            for step in 0..=520 {
                let time_secs = step as f32 / 100.0;
                let (expected, found) = (curve.value_at(time_secs).unwrap(), track.sample(time_secs, 0));
                assert!((expected - found).abs() < 1e-5, "{first}, {time_secs} s: {found}, not {expected}");
            }
        }
        let shuffled =
            r#"[{"time_secs":2,"value":1,"tangents":"linear"},{"time_secs":1,"value":0.5,"tangents":"linear"}]"#;
        assert_eq!(track(serde_json::from_str(shuffled).unwrap()).unwrap().times(), [1.0, 2.0]);
        assert!(track(KeyCurve::default()).is_none());
    }
}
