//! Tables with a header row: CSV with any delimiter, and times as timecode or as numbers.

use csv::{ByteRecord, ReaderBuilder};

use super::capture_times::CaptureTimes;
use super::frames::Frames;
use super::live_link;
use super::text::is_key;
use crate::import::Import;
use crate::import::capture::{CaptureFile, EXPECTED_FORMATS};
use crate::import::error::{Fault, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Note, Subject};
use smirk_face::motion::Take;

/// Headers of the column of times, in the form that [`is_key`] compares; the first in this list that is present is used.
const TIMES: [&str; 9] =
    ["timecode", "time", "timestamp", "timestampms", "timems", "timesecs", "timesec", "seconds", "timeseconds"];
/// Headers of columns with counters, which are not expressions.
const COUNTERS: [&str; 8] = ["", "index", "unnamed0", "frame", "frameindex", "framenumber", "blendshapecount", "count"];

/// The largest number of cells of the header, empty ones included. Spreadsheets have up to 16384 columns.
const MAX_CELLS: usize = 1 << 16;

/// Reads a table.
pub(super) fn read(text: &str, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let dialect = Dialect::of(text);
    if dialect.header_cells > MAX_CELLS {
        let problem = Problem::new(format!("has {} cells, Smirk reads {MAX_CELLS}", dialect.header_cells));
        return Err(Fault::invalid(Subject::field("header"), problem.advise("export fewer columns")));
    }
    let mut reader =
        ReaderBuilder::new().delimiter(dialect.delimiter).has_headers(false).flexible(true).from_reader(dialect.body);
    let mut record = ByteRecord::new();
    // The CSV reader gives the line number of the end of the previous record, before any blank lines, so lines are counted here.
    let (mut counted_to, mut line) = (0, 1 + dialect.lines_before);
    let mut next = |record: &mut ByteRecord| -> Result<Option<usize>, Fault> {
        let has_record = reader
            .read_byte_record(record)
            .map_err(|error| Fault::invalid(Subject::field("table"), error.to_string()))?;
        let ends = record.position().map_or(counted_to, |position| position.byte() as usize);
        let blank = dialect.body[ends..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += dialect.body[counted_to..ends + blank].iter().filter(|byte| **byte == b'\n').count();
        counted_to = ends + blank;
        // A cell of a capture has one line. A longer cell begins with a quotation mark that is closed only lines below.
        if has_record && record.iter().any(|cell| cell.contains(&b'\n')) {
            return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), "a quotation mark in it is never closed"));
        }
        Ok(has_record.then_some(line))
    };
    next(&mut record)?;
    let headers: Vec<String> = record.iter().map(|cell| text_of(cell).to_owned()).collect();
    let columns = TableColumns::of(&headers)?;

    let mut frames =
        Frames::new(Kind::Line, columns.values.iter().map(|&at| headers[at].clone()).collect(), file.bytes.len());
    import.begin("reading frames", 0.5);
    let mut times: Vec<String> = Vec::new();
    let mut too_long: Vec<usize> = Vec::new();
    while let Some(line) = next(&mut record)? {
        import.tick()?;
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        // Missing cells are noted later, together with values that are not numbers.
        if record.iter().skip(headers.len()).any(|cell| !cell.trim_ascii().is_empty()) {
            too_long.push(line);
        }
        let cell = |at: usize| record.get(at).map_or("", text_of);
        times.push(cell(columns.time).to_owned());
        frames.push(line, columns.values.iter().map(|&at| dialect.number(cell(at)).unwrap_or(f64::NAN) as f32))?;
    }
    if times.is_empty() {
        return Err(Fault::Unfit("has a header and no frames; record or export it again".into()));
    }
    if !too_long.is_empty() {
        let message = format!("more cells than the {} columns of the header; the last ones are ignored", headers.len());
        import.notes.push(Note::warning(Subject::numbered(Kind::Line, &too_long), message));
    }
    let capture_times = if times.iter().any(|time| time.contains(':')) {
        live_link::times_of_timecodes(&times, frames.positions(), &mut import.notes)?
    } else {
        let times = times.iter().map(|time| dialect.number(time)).collect();
        CaptureTimes::from_numbers(&headers[columns.time], times, &mut import.notes)
    };
    frames.into_take(capture_times, file, import)
}

/// The columns of times and of values.
struct TableColumns {
    time: usize,
    values: Vec<usize>,
}

impl TableColumns {
    fn of(headers: &[String]) -> Result<Self, Fault> {
        let position = |key: &&str| headers.iter().position(|header| is_key(header, key));
        let time = TIMES.iter().find_map(position).ok_or_else(|| {
            let first = headers.iter().take(3).map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
            Fault::Unfit(format!(
                "its first line ({first} …) names no column of times such as Timecode; {EXPECTED_FORMATS}"
            ))
        })?;
        let is_counter = |header: &str| COUNTERS.iter().any(|key| is_key(header, key));
        let values: Vec<usize> = (0..headers.len()).filter(|&at| at != time && !is_counter(&headers[at])).collect();
        if values.is_empty() {
            return Err(Fault::Unfit(format!(
                "its header has a column of times and no expression; {EXPECTED_FORMATS}"
            )));
        }
        Ok(Self { time, values })
    }
}

/// The delimiter of a table.
struct Dialect<'a> {
    delimiter: u8,
    /// The table without a `sep=` line.
    body: &'a [u8],
    /// Number of lines before the table.
    lines_before: usize,
    header_cells: usize,
}

impl<'a> Dialect<'a> {
    /// The delimiter is the one of `,`, `;` and tab that occurs most often in the header.
    fn of(text: &'a str) -> Self {
        // Some spreadsheet programs write the delimiter in a line `sep=…` before the header.
        let (body, lines_before) = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with("sep=") => (rest, 1),
            _ => (text, 0),
        };
        let header = body.trim_start().lines().next().unwrap_or_default();
        let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
        // `max_by_key` returns the last of equals, which is the comma.
        let delimiter = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
        Self { delimiter, body: body.as_bytes(), lines_before, header_cells: count(&delimiter) + 1 }
    }

    /// A cell as a number. A comma is read as a decimal point if it is not the delimiter.
    fn number(&self, cell: &str) -> Option<f64> {
        let parsed = cell
            .parse()
            .ok()
            .or_else(|| (self.delimiter != b',').then(|| cell.replacen(',', ".", 1).parse().ok()).flatten());
        parsed.filter(|number: &f64| number.is_finite())
    }
}

/// A cell without surrounding blanks. It is valid UTF-8, because the text is, and delimiters are ASCII.
fn text_of(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default().trim()
}
