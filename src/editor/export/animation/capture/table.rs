//! A table with a column of times and one per channel.

use super::super::recording::Recording;
use super::columns::Columns;
use super::number::{Number, joined};
use smirk_base::progress::{Cancelled, Progress};

/// The text of the table. Times are in seconds from the first frame.
pub(in crate::export::animation) fn table(recording: &Recording, progress: Progress<'_>) -> Result<Vec<u8>, Cancelled> {
    let columns = Columns::of(recording);
    let mut text = String::from("time");
    columns.names.iter().for_each(|name| text += &format!(",{}", cell(name)));
    for frame in 0..recording.frame_count() {
        progress.step("writing", frame, recording.frame_count())?;
        text += &format!("\n{},{}", Number(recording.performance.secs_of(frame)), joined(columns.frame(frame)));
    }
    Ok((text + "\n").into_bytes())
}

/// A name as a cell (RFC 4180). A cell has one line.
fn cell(name: &str) -> String {
    let line: String = name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if line.contains([',', ';', '"', '\t']) { format!("\"{}\"", line.replace('"', "\"\"")) } else { line }
}
