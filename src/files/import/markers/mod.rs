//! Markers from label files: what speech tools write as texts at times.

mod speech;
mod text_grid;

use std::collections::HashMap;

use super::capture::decode_text;
use crate::import::error::{Fault, Problem};
use smirk_face::head::{Note, Notes, Subject};
use smirk_face::motion::{Marker, Markers};

#[derive(Clone, Debug, PartialEq)]
pub struct ImportedMarkers {
    /// The markers, the earliest first. What several tiers have at one time is one marker.
    pub markers: Vec<Marker>,
    pub notes: Vec<Note>,
}

/// Whether the start of a file looks like one of markers, rather than a table of numbers.
pub(super) fn is_markers(start: &[u8]) -> bool {
    let text = decode_text(start, EXPECTED, &mut Notes::default());
    text.is_ok_and(|text| text_grid::is_text_grid(&text) || speech::is_speech(&text) || is_labels(&text))
}

pub(super) fn read(bytes: &[u8]) -> Result<ImportedMarkers, Fault> {
    if bytes.starts_with(b"ooBinaryFile") {
        return Err(Fault::Unfit("is a binary file of Praat: save it with Save › Save as text file".into()));
    }
    let mut notes = Notes::default();
    let text = decode_text(bytes, EXPECTED, &mut notes)?;
    let mut markers = if text_grid::is_text_grid(&text) {
        text_grid::read(&text, &mut notes)?
    } else if speech::is_speech(&text) {
        speech::read(&text, &mut notes)?
    } else {
        labels(&text, &mut notes)?
    };
    markers.retain(|marker| !marker.text.trim().is_empty());
    if markers.is_empty() {
        return Err(Fault::Unfit(format!("holds no labels; {EXPECTED}")));
    }
    let count = markers.len();
    let markers = Markers::new(joined(markers)).all().to_vec();
    if markers.len() == Markers::MOST {
        notes.warn(Subject::File, format!("has {count} labels; the first {} are used", Markers::MOST));
    }
    Ok(ImportedMarkers { markers, notes: notes.into_list() })
}

/// The markers with those of one time as one: in a TextGrid, a word begins with the first of its sounds.
fn joined(markers: Vec<Marker>) -> Vec<Marker> {
    let mut by_time: HashMap<u32, usize> = HashMap::new();
    let mut joined: Vec<Marker> = Vec::with_capacity(markers.len());
    for marker in markers {
        match by_time.get(&marker.time_secs.to_bits()).and_then(|&index| joined.get_mut(index)) {
            Some(first) => {
                first.text = format!("{} · {}", first.text, marker.text);
                first.lasts_secs = first.lasts_secs.max(marker.lasts_secs);
            }
            None => {
                by_time.insert(marker.time_secs.to_bits(), joined.len());
                joined.push(marker);
            }
        }
    }
    joined
}

const EXPECTED: &str = "Smirk reads label files of Audacity, TextGrid files of Praat, saved as text, mouth cues of Rhubarb Lip Sync, \
                        speech marks of Amazon Polly and visemes of Azure";

fn is_labels(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).and_then(label).is_some()
}

/// The labels. A line that is none is left out with a note, unless it is the first.
fn labels(text: &str, notes: &mut Notes) -> Result<Vec<Marker>, Fault> {
    let mut markers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // A line that begins with a backslash holds the frequencies of the label before.
        if line.trim().is_empty() || line.starts_with('\\') {
            continue;
        }
        let subject = Subject::field(format!("line {}", index + 1));
        match label(line) {
            Some(marker) => markers.push(marker),
            None if markers.is_empty() => {
                return Err(Fault::invalid(subject, Problem::new("is no label").advise(EXPECTED)));
            }
            None => notes.warn(subject, "is no label and is left out"),
        }
    }
    // Cues of Rhubarb have no end: each lasts until the next one.
    let are_cues =
        markers.iter().all(|marker| marker.lasts_secs == 0.0) && text.lines().any(|line| cue(line).is_some());
    Ok(if are_cues { speech::until_next(markers) } else { markers })
}

/// A line of Rhubarb's TSV: a start and a shape.
fn cue(line: &str) -> Option<Marker> {
    let (start, shape) = line.split_once('\t')?;
    let time_secs = start.trim().parse::<f32>().ok().filter(|secs| secs.is_finite())?;
    let shape = shape.trim();
    matches!(shape.as_bytes(), [b'A'..=b'H' | b'X']).then(|| Marker {
        time_secs,
        text: shape.to_owned(),
        lasts_secs: 0.0,
    })
}

fn label(line: &str) -> Option<Marker> {
    if let Some(cue) = cue(line) {
        return Some(cue);
    }
    let mut fields = line.splitn(3, '\t');
    let [time_secs, end_secs] = [fields.next()?, fields.next()?]
        .map(|field| field.trim().replace(',', ".").parse::<f32>().ok().filter(|secs| secs.is_finite()));
    let (time_secs, end_secs) = (time_secs?, end_secs?);
    let text = fields.next().unwrap_or_default().trim();
    // A table of numbers has more columns.
    (!text.contains('\t')).then(|| Marker { time_secs, text: text.to_owned(), lasts_secs: end_secs - time_secs })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<(f32, String)> {
        let read = read(bytes).unwrap();
        assert_eq!(read.notes, []);
        read.markers.into_iter().map(|marker| (marker.time_secs, marker.text)).collect()
    }

    const LONG: &str = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0 \nxmax = 2 \ntiers? <exists> \nsize = 2 \n\
        item []: \n    item [1]:\n        class = \"IntervalTier\" \n        name = \"words\" \n        xmin = 0 \n        xmax = 2 \n\
        intervals: size = 2 \n        intervals [1]:\n            xmin = 0 \n            xmax = 0.5 \n            text = \"\" \n\
        intervals [2]:\n            xmin = 0.5 \n            xmax = 2 \n            text = \"say \"\"mâ\"\"\" \n    item [2]:\n\
        class = \"TextTier\" \n        name = \"notes\" \n        xmin = 0 \n        xmax = 2 \n        points: size = 1 \n\
        points [1]:\n            number = 0.5 \n            mark = \"blink\" \n";
    const SHORT: &str = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n2\n<exists>\n2\n\"IntervalTier\"\n\"words\"\n0\n2\n2\n0\n0.5\n\"\"\n\
        0.5\n2\n\"say \"\"mâ\"\"\"\n\"TextTier\"\n\"notes\"\n0\n2\n1\n0.5\n\"blink\"\n";

    #[test]
    fn both_forms_of_a_text_grid_are_read_in_every_encoding() {
        let utf16 = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        let expected = [(0.5, "say \"mâ\" · blink".to_owned())];
        for text in [LONG, SHORT] {
            let with_mark = format!("\u{feff}{text}");
            let windows = text.replace('\n', "\r\n");
            for bytes in [text.as_bytes().to_vec(), windows.into_bytes(), with_mark.clone().into_bytes()] {
                assert_eq!(texts(&bytes), expected);
            }
            assert_eq!(texts(&utf16(&with_mark, u16::to_le_bytes)), expected);
            assert_eq!(texts(&utf16(&with_mark, u16::to_be_bytes)), expected);
            assert!(is_markers(text.as_bytes()) && is_markers(&utf16(&with_mark, u16::to_be_bytes)));
        }
    }

    #[test]
    fn labels_last_as_long_as_the_file_says() {
        let ends = |bytes: &[u8]| read(bytes).unwrap().markers.iter().map(Marker::end_secs).collect::<Vec<_>>();
        assert_eq!(ends(LONG.as_bytes()), [2.0]);
        assert_eq!(ends(SHORT.as_bytes()), [2.0]);
        assert_eq!(ends(b"0.5\t1.25\tma\n2\t2\tpoint\n3\t1\tbackwards\n"), [1.25, 2.0, 3.0]);
    }

    #[test]
    fn labels_of_audacity_are_read() {
        let file = "0.500000\t0.750000\tma\n\\\t100.0\t200.0\n1,25\t1,25\tpa pa\r\n2.0\t2.5\t\n";
        assert_eq!(texts(file.as_bytes()), [(0.5, "ma".into()), (1.25, "pa pa".into())]);
        assert!(is_markers(file.as_bytes()));
        assert_eq!(texts(b"0.00\tX\n0.50\tB\n"), [(0.0, "X".into()), (0.5, "B".into())]);
        assert!(!is_markers(b"Timecode,BlendShapeCount,EyeBlinkLeft\n00:00:00:01,61,0.5\n"));
        assert!(!is_markers(b"0.5\t0.5\t0.25\t0.75\t1\n"), "a table of numbers");
        let read = read(b"0.5\t1\tma\nhello\n2\t3\tpa\n").unwrap();
        assert_eq!((read.markers.len(), read.notes.len()), (2, 1));
        assert!(read.notes[0].to_string().contains("line 2"), "{:?}", read.notes);
    }

    #[test]
    fn the_rate_of_moho_is_assumed_and_said() {
        let read = read(b"MorphSwitch\n1 rest\n13 MBP\n").unwrap();
        assert_eq!(read.markers.last().map(|marker| marker.time_secs), Some(0.5));
        let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes, ["file: states no rate; 24 frames per second were assumed"]);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let cut = &LONG[..LONG.len() - 40];
        for (bytes, words) in [
            (&b"hello\nworld\n"[..], "line 1"),
            (b"", "empty"),
            (b"0\t1\t \n", "no labels"),
            (b"ooBinaryFile\x08TextGrid", "binary file of Praat"),
            (b"\x89PNG\r\n\x1a\n\0", "is not text"),
            (cut.as_bytes(), "ends"),
            (b"File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n0 2 <exists> 1 \"Odd\" \"x\" 0 2 0", "\"Odd\""),
            (b"File type = \"ooTextFile\"\nObject class = \"Pitch 1\"\n0 2", "Pitch 1"),
        ] {
            let message = read(bytes).unwrap_err().to_string();
            assert!(message.contains(words), "{message} should contain {words}");
        }
    }
}
