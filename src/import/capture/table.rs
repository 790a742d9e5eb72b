//! Tables with a header: CSV in any dialect, times as timecode or as seconds.

use csv::{ByteRecord, ReaderBuilder};

use super::super::Fault;
use super::frames::Frames;
use super::{EXPECTED, File, audio2face, is_key, live_link};
use crate::head::{Kind, Note, Subject, quoted};
use crate::motion::Take;

/// Headers of the column with the times, in small letters without separators; the first that is there is taken.
const TIMES: [&str; 9] =
    ["timecode", "time", "timestamp", "timestampms", "timems", "timesecs", "timesec", "seconds", "timeseconds"];
/// Headers of columns that count, and animate nothing.
const COUNTERS: [&str; 8] = ["", "index", "unnamed0", "frame", "frameindex", "framenumber", "blendshapecount", "count"];

/// Reads a table.
pub fn read(text: &str, file: &File<'_>, mut notes: Vec<Note>) -> Result<Take, Fault> {
    let dialect = Dialect::of(text);
    let mut reader =
        ReaderBuilder::new().delimiter(dialect.delimiter).has_headers(false).flexible(true).from_reader(dialect.body);
    let mut record = ByteRecord::new();
    // The reader's own count of lines begins before the line ends, and the blank lines, ahead of a record.
    let (mut counted_to, mut line) = (0, 1 + dialect.lines_before);
    let mut next = |record: &mut ByteRecord| -> Result<Option<usize>, Fault> {
        let is_there = reader
            .read_byte_record(record)
            .map_err(|error| Fault::invalid(Subject::field("table"), error.to_string()))?;
        let ends = record.position().map_or(counted_to, |position| position.byte() as usize);
        let blank = dialect.body[ends..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += dialect.body[counted_to..ends + blank].iter().filter(|byte| **byte == b'\n').count();
        counted_to = ends + blank;
        // No cell of a capture has lines: everything up to the next quotation mark became one.
        if is_there && record.iter().any(|cell| cell.contains(&b'\n')) {
            return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), "a quotation mark in it is never closed"));
        }
        Ok(is_there.then_some(line))
    };
    next(&mut record)?;
    let headers: Vec<String> = record.iter().map(|cell| text_of(cell).to_owned()).collect();
    let header = Header::of(&headers)?;

    let mut frames = Frames::new(Kind::Line, header.values.iter().map(|&at| headers[at].clone()).collect());
    let mut times: Vec<String> = Vec::new();
    let mut uneven: Vec<usize> = Vec::new();
    while let Some(line) = next(&mut record)? {
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        // Missing cells are told with the values that are missing.
        if record.iter().skip(headers.len()).any(|cell| !cell.trim_ascii().is_empty()) {
            uneven.push(line);
        }
        let cell = |at: usize| record.get(at).map_or("", text_of);
        times.push(cell(header.time).to_owned());
        frames.push(line, header.values.iter().map(|&at| dialect.number(cell(at)).unwrap_or(f64::NAN) as f32))?;
    }
    if times.is_empty() {
        return Err(Fault::Unfit("has a header and no frames; record or export it again".into()));
    }
    if !uneven.is_empty() {
        let message = format!("more cells than the {} columns of the header; the last ones are ignored", headers.len());
        notes.push(Note::warning(Subject::numbered(Kind::Line, &uneven), message));
    }
    let clock = if times.iter().any(|time| time.contains(':')) {
        live_link::clock(&times, frames.places(), &mut notes)?
    } else {
        let times = times.iter().map(|time| dialect.number(time)).collect();
        audio2face::table_clock(&headers[header.time], times, &mut notes)
    };
    frames.into_take(clock, file, notes)
}

/// Where the times and the values are.
struct Header {
    time: usize,
    values: Vec<usize>,
}

impl Header {
    fn of(headers: &[String]) -> Result<Self, Fault> {
        let place_of = |key: &&str| headers.iter().position(|header| is_key(header, key));
        let time = TIMES.iter().find_map(place_of).ok_or_else(|| {
            let first = headers.iter().take(3).map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
            Fault::Unfit(format!("its first line ({first} …) names no column of times such as Timecode; {EXPECTED}"))
        })?;
        let counts = |header: &str| COUNTERS.iter().any(|key| is_key(header, key));
        let values: Vec<usize> = (0..headers.len()).filter(|&at| at != time && !counts(&headers[at])).collect();
        if values.is_empty() {
            return Err(Fault::Unfit(format!("its header names times and no expression; {EXPECTED}")));
        }
        Ok(Self { time, values })
    }
}

/// How a program wrote its table.
struct Dialect<'a> {
    delimiter: u8,
    /// The table itself.
    body: &'a [u8],
    /// Lines ahead of it.
    lines_before: usize,
}

impl<'a> Dialect<'a> {
    /// Told by the header: what stands there most often of `,`, `;` and tab.
    fn of(text: &'a str) -> Self {
        // Spreadsheets write the delimiter into a first line of its own.
        let (body, lines_before) = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with("sep=") => (rest, 1),
            _ => (text, 0),
        };
        let header = body.trim_start().lines().next().unwrap_or_default();
        let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
        // Of equals the last wins: the comma.
        let delimiter = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
        Self { delimiter, body: body.as_bytes(), lines_before }
    }

    /// A cell as a number; decimal commas where the comma is free for it.
    fn number(&self, cell: &str) -> Option<f64> {
        let parsed = cell
            .parse()
            .ok()
            .or_else(|| (self.delimiter != b',').then(|| cell.replacen(',', ".", 1).parse().ok()).flatten());
        parsed.filter(|number: &f64| number.is_finite())
    }
}

/// A cell without the blanks around it. The text was UTF-8 and is cut at ASCII.
fn text_of(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default().trim()
}
