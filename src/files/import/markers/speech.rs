//! What programs and services of speech write besides labels: Rhubarb Lip Sync's mouth cues (JSON, XML, TSV, and the
//! switch data of Moho), Amazon Polly's speech marks, and the viseme events of Azure's speech service.

use serde_json::Value;

use super::EXPECTED;
use crate::import::error::{Fault, Problem};
use smirk_face::head::{Notes, Subject};
use smirk_face::motion::Marker;

/// Whether the start of a text is one of these. Tables of Rhubarb are told by their lines.
pub(super) fn is_speech(start: &str) -> bool {
    let start = start.trim_start();
    let names = |name: &str| start.contains(name);
    match start.chars().next() {
        Some('{' | '[') => {
            names("\"mouthCues\"")
                || is_speech_mark(start)
                || VISEME_IDS.iter().any(|name| names(&format!("\"{name}\"")))
        }
        Some('<') => names("<rhubarbResult"),
        _ => start.lines().next().is_some_and(|line| line.trim() == MOHO),
    }
}

/// Whether a text begins with a speech mark of Amazon Polly.
fn is_speech_mark(text: &str) -> bool {
    let first: String = text.chars().take(200).filter(|letter| !letter.is_whitespace()).collect();
    ["sentence", "word", "viseme", "ssml"].iter().any(|kind| first.contains(&format!("\"type\":\"{kind}\"")))
}

/// The first line of a switch layer of Moho.
const MOHO: &str = "MorphSwitch";
/// The fields of a viseme event of Azure, as its libraries for several languages name them.
const VISEME_IDS: [&str; 3] = ["visemeId", "VisemeId", "viseme_id"];
const AUDIO_OFFSETS: [&str; 4] = ["audioOffset", "AudioOffset", "audio_offset", "offset"];

pub(super) fn read(text: &str, notes: &mut Notes) -> Result<Vec<Marker>, Fault> {
    let text = text.trim_start();
    match text.chars().next() {
        Some('<') => xml(text),
        Some('{' | '[') => json(text),
        _ => Ok(until_next(moho(text, notes)?)),
    }
}

fn unfit() -> Fault {
    Fault::Unfit(format!("holds no mouth cues, speech marks or visemes; {EXPECTED}"))
}

/// `<mouthCue start="0.00" end="0.05">X</mouthCue>`
fn xml(text: &str) -> Result<Vec<Marker>, Fault> {
    let mut markers = Vec::new();
    for (index, cue) in text.split("<mouthCue ").skip(1).enumerate() {
        let number = |name: &str| {
            let (_, rest) = cue.split_once(&format!("{name}=\""))?;
            rest.split_once('"')?.0.parse::<f32>().ok().filter(|secs| secs.is_finite())
        };
        let value = cue.split_once('>').and_then(|(_, rest)| Some(rest.split_once('<')?.0));
        let (Some(start), Some(end), Some(value)) = (number("start"), number("end"), value) else {
            let subject = Subject::field(format!("mouthCue {}", index + 1));
            return Err(Fault::invalid(subject, "lacks its start, its end or its shape"));
        };
        markers.push(Marker { time_secs: start, text: value.trim().to_owned(), lasts_secs: end - start });
    }
    Ok(markers)
}

/// Frames, counted from 1, with the names of Preston Blair's shapes. Rhubarb and Papagayo write 24 a second unless they
/// are told another rate.
fn moho(text: &str, notes: &mut Notes) -> Result<Vec<Marker>, Fault> {
    const FRAMES_PER_SEC: f32 = 24.0;
    const SHAPES: [(&str, &str); 10] = [
        ("MBP", "A"),
        ("etc", "B"),
        ("E", "C"),
        ("AI", "D"),
        ("O", "E"),
        ("U", "F"),
        ("WQ", "F"),
        ("FV", "G"),
        ("L", "H"),
        ("rest", "X"),
    ];
    notes.warn(Subject::File, format!("states no rate; {FRAMES_PER_SEC} frames per second were assumed"));
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    let markers = lines.map(|(index, line)| {
        let wrong = || Fault::invalid(Subject::field(format!("line {}", index + 1)), "is no frame with a shape");
        let (frame, name) = line.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let frame: f32 = frame.parse().map_err(|_| wrong())?;
        let name = name.trim();
        let shape = SHAPES.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map_or(name, |(_, shape)| shape);
        Ok(Marker { time_secs: (frame - 1.0) / FRAMES_PER_SEC, text: shape.to_owned(), lasts_secs: 0.0 })
    });
    markers.collect()
}

fn json(text: &str) -> Result<Vec<Marker>, Fault> {
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        match value.map_err(|error| Fault::invalid(Subject::field("JSON"), Problem::new(error.to_string())))? {
            Value::Array(list) => values.extend(list),
            other => values.push(other),
        }
    }
    if let Some(cues) = values.first().and_then(|root| root.get("mouthCues")).and_then(Value::as_array) {
        return cues.iter().enumerate().map(|(index, cue)| mouth_cue(index, cue)).collect();
    }
    let is_azure = values.iter().any(|value| VISEME_IDS.iter().any(|name| value.get(name).is_some()));
    let markers = if is_azure { azure(&values) } else { speech_marks(&values) };
    if markers.is_empty() { Err(unfit()) } else { Ok(markers) }
}

fn mouth_cue(index: usize, cue: &Value) -> Result<Marker, Fault> {
    let number = |name: &str| cue.get(name).and_then(Value::as_f64);
    let value = cue.get("value").and_then(Value::as_str);
    let (Some(start), Some(end), Some(value)) = (number("start"), number("end"), value) else {
        let subject = Subject::field(format!("mouthCues[{index}]"));
        return Err(Fault::invalid(subject, "lacks its start, its end or its value"));
    };
    Ok(Marker { time_secs: start as f32, text: value.to_owned(), lasts_secs: (end - start) as f32 })
}

/// Words and visemes, each of which lasts until the next of its kind. Sentences and marks of SSML are left out. Times
/// are in milliseconds.
fn speech_marks(values: &[Value]) -> Vec<Marker> {
    let of_kind = |kind: &str| {
        let marks = values.iter().filter(|mark| mark.get("type").and_then(Value::as_str) == Some(kind));
        let markers = marks.filter_map(|mark| {
            let (time, text) = (mark.get("time")?.as_f64()?, mark.get("value")?.as_str()?);
            Some(Marker { time_secs: (time * 1e-3) as f32, text: text.to_owned(), lasts_secs: 0.0 })
        });
        markers.collect::<Vec<_>>()
    };
    let mut markers = of_kind("word");
    markers.extend(until_next(of_kind("viseme")));
    markers
}

/// Viseme IDs at offsets: those of the audio are in ticks of 100 nanoseconds. Others are in milliseconds, unless the
/// last is later than an hour then.
fn azure(values: &[Value]) -> Vec<Marker> {
    const HOUR_MS: f64 = 3.6e6;
    let mut is_ticks = false;
    let events = values.iter().filter_map(|value| {
        let id = VISEME_IDS.iter().find_map(|name| value.get(name)?.as_u64())?;
        let (name, offset) = AUDIO_OFFSETS.iter().find_map(|name| Some((*name, value.get(name)?.as_f64()?)))?;
        is_ticks |= name != "offset" || offset > HOUR_MS;
        Some((offset, id))
    });
    let events: Vec<(f64, u64)> = events.collect();
    let secs = if is_ticks { 1e-7 } else { 1e-3 };
    let markers = events.into_iter().map(|(offset, id)| Marker {
        time_secs: (offset * secs) as f32,
        text: id.to_string(),
        lasts_secs: 0.0,
    });
    until_next(markers.collect())
}

/// The markers in the order of their times, each of which lasts until the next one.
pub(super) fn until_next(mut markers: Vec<Marker>) -> Vec<Marker> {
    markers.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    for index in 1..markers.len() {
        markers[index - 1].lasts_secs = markers[index].time_secs - markers[index - 1].time_secs;
    }
    markers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(f32, f32, String)> {
        assert!(is_speech(text), "{text}");
        let rounded = |secs: f32| (secs * 1000.0).round() / 1000.0;
        let markers = read(text, &mut Notes::default()).unwrap().into_iter();
        markers.map(|marker| (rounded(marker.time_secs), rounded(marker.lasts_secs), marker.text)).collect()
    }

    #[test]
    fn mouth_cues_of_rhubarb_are_read_in_all_its_formats() {
        let expected = [(0.0, 0.5, "X".to_owned()), (0.5, 0.25, "A".to_owned()), (0.75, 0.0, "D".to_owned())];
        let json = r#"{"metadata": {"soundFile": "a.wav"}, "mouthCues": [{"start": 0, "end": 0.5, "value": "X"},
            {"start": 0.5, "end": 0.75, "value": "A"}, {"start": 0.75, "end": 0.75, "value": "D"}]}"#;
        let xml = r#"<?xml version="1.0"?><rhubarbResult><mouthCues><mouthCue start="0.00" end="0.50">X</mouthCue>
            <mouthCue start="0.50" end="0.75">A</mouthCue><mouthCue start="0.75" end="0.75">D</mouthCue></mouthCues></rhubarbResult>"#;
        for text in [json, xml, "MorphSwitch\n1 rest\n13 MBP\n19 AI\n"] {
            assert_eq!(texts(text), expected);
        }
    }

    #[test]
    fn marks_of_services_are_read() {
        let polly = "{\"time\":0,\"type\":\"sentence\",\"start\":0,\"end\":4,\"value\":\"Mary.\"}\n\
            {\"time\":6,\"type\":\"word\",\"start\":0,\"end\":4,\"value\":\"Mary\"}\n\
            {\"time\":6,\"type\":\"viseme\",\"value\":\"p\"}\n{\"time\":73,\"type\":\"viseme\",\"value\":\"E\"}\n";
        let expected = [(0.006, 0.0, "Mary".to_owned()), (0.006, 0.067, "p".to_owned()), (0.073, 0.0, "E".to_owned())];
        assert_eq!(texts(polly), expected);
        let expected = [(0.05, 0.1, "0".to_owned()), (0.15, 0.0, "21".to_owned())];
        for text in [
            r#"[{"audioOffset": 500000, "visemeId": 0}, {"audioOffset": 1500000, "visemeId": 21}]"#,
            r#"[{"offset": 50, "viseme_id": 0}, {"offset": 150, "viseme_id": 21}]"#,
        ] {
            assert_eq!(texts(text), expected);
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        for (text, words) in [
            (r#"{"mouthCues": [{"start": 0}]}"#, "mouthCues[0]"),
            (r#"{"mouthCues": [{"start": 0}]"#, "line 1"),
            ("<rhubarbResult><mouthCue start=\"a\">", "mouthCue 1"),
            ("MorphSwitch\n1 rest\nrest\n", "line 3"),
            (r#"[{"visemeId": 3}]"#, "no mouth cues"),
        ] {
            let message = read(text, &mut Notes::default()).unwrap_err().to_string();
            assert!(message.contains(words), "{message} should contain {words}");
        }
        assert!(!is_speech(r#"[{"categoryName": "jawOpen"}]"#) && !is_speech("0\t1\tma\n"));
    }
}
