//! Label files of Audacity: a line per label, with its start, its end and its text between tabs.

use super::EXPECTED;
use crate::import::error::{Fault, Problem};
use smirk_face::head::{Note, Notes, Subject};
use smirk_face::motion::Marker;

/// Whether the first line is a label.
pub(super) fn is_labels(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).and_then(label).is_some()
}

/// The labels. A line that is none is left out with a note, unless it is the first.
pub(super) fn read(text: &str, notes: &mut Notes) -> Result<Vec<Marker>, Fault> {
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
            None => notes.push(Note::warning(subject, "is no label and is left out")),
        }
    }
    Ok(markers)
}

fn label(line: &str) -> Option<Marker> {
    let mut fields = line.splitn(3, '\t');
    let mut secs = || fields.next()?.trim().replace(',', ".").parse::<f32>().ok().filter(|secs| secs.is_finite());
    let (time_secs, end_secs) = (secs()?, secs()?);
    let text = fields.next().unwrap_or_default().trim();
    // A table of numbers has more columns.
    (!text.contains('\t')).then(|| Marker { time_secs, text: text.to_owned(), lasts_secs: end_secs - time_secs })
}
