//! Tables: CSV with any delimiter, and times as timecode, as numbers, or none. A table without a header row is read if
//! it has as many columns as ARKit has shapes.

use std::borrow::Cow;

use csv::{ByteRecord, ReaderBuilder};

use super::action_units::ActionUnits;
use super::capture_times::{ASSUMED_FRAMES_PER_SEC, CaptureTimes, OTHER_RATE};
use super::frames::Frames;
use super::live_link;
use super::text::is_key;
use crate::import::capture::{CaptureFile, EXPECTED_FORMATS};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{ARKIT_SHAPES, Kind, Notes, Subject};
use smirk_face::motion::{ANGLE_COLUMNS, Take};

/// Headers of the column of times, in the form that [`is_key`] compares; the first in this list that is present is
/// used.
const TIMES: &str = "timecode time timestamp timestampms timems frametimeinms timesecs timesec seconds timeseconds times secs sec t ts ms";
/// Headers of columns that count frames, which tell when they were where there are no times.
const FRAME_NUMBERS: [&str; 7] = ["frame", "frameidx", "frameindex", "framenumber", "index", "unnamed0", ""];
/// Headers of other columns with counters, which are not expressions either.
const COUNTERS: [&str; 2] = ["blendshapecount", "count"];

/// The largest number of lines of a name in the header, as spreadsheets break them.
const MAX_LINES_OF_NAME: usize = 8;

/// The largest number of cells of the header, empty ones included. Spreadsheets have up to 16384 columns.
const MAX_CELLS: usize = 1 << 16;

/// The largest number of faces in one table: each makes a take.
const MAX_PEOPLE: usize = 1024;

/// Reads a table. A header row that comes again begins another take.
pub(super) fn read(text: &str, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Vec<Take>, Fault> {
    let text = with_line_feeds(text);
    let layout = Layout::find(&text);
    if layout.header_cells > MAX_CELLS {
        let problem = Problem::new(format!("has {} cells, Smirk reads {MAX_CELLS}", layout.header_cells));
        return Err(Fault::invalid(Subject::field("header"), problem.advise("export fewer columns")));
    }
    let mut reader =
        ReaderBuilder::new().delimiter(layout.delimiter).has_headers(false).flexible(true).from_reader(layout.body);
    let mut record = ByteRecord::new();
    // The CSV reader gives the line number of the end of the previous record, before any blank lines, so lines are
    // counted here.
    let (mut counted_to, mut line) = (0, 1 + layout.lines_before);
    let mut next = |record: &mut ByteRecord| -> Result<Option<usize>, Fault> {
        let has_record = reader
            .read_byte_record(record)
            .map_err(|error| Fault::invalid(Subject::field("table"), error.to_string()))?;
        let ends = record.position().map_or(counted_to, |position| position.byte() as usize);
        let blank = layout.body[ends..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += layout.body[counted_to..ends + blank].iter().filter(|byte| **byte == b'\n').count();
        counted_to = ends + blank;
        Ok(has_record.then_some(line))
    };
    // A frame has one line, and a name in the header a few. A longer cell begins with a quotation mark that is closed
    // only lines below.
    let header_line = next(&mut record)?.unwrap_or(line_of_header(&layout));
    check_lines(&record, header_line, MAX_LINES_OF_NAME)?;
    let mut headers: Vec<String> = record.iter().map(name_of).collect();
    let has_header = !headers.iter().all(|cell| number(cell).is_some());
    // The first line of a table without a header is a frame.
    let mut first_frame = (!has_header).then_some((record.clone(), line_of_header(&layout)));
    if !has_header {
        headers = usual_names(headers.len(), line_of_header(&layout))?;
        let message = "no header: the columns are taken for ARKit's shapes, in the order of Live Link Face";
        import.notes.warn(Subject::Numbered(Kind::Line, line_of_header(&layout)), message);
    }
    let columns = TableColumns::from_headers(&headers, &mut import.notes)?;
    import.begin("reading frames", 0.5);
    let mut takes = vec![Rows::new(&headers, &columns, file)];
    loop {
        let line = match first_frame.take() {
            Some((first, line)) => {
                record = first;
                line
            }
            None => match next(&mut record)? {
                Some(line) => line,
                None => break,
            },
        };
        import.tick()?;
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        if has_header
            && record.len() == headers.len()
            && record.iter().zip(&headers).all(|(cell, name)| is_name(cell, name))
        {
            let message = "the header comes again: what follows is another take";
            import.notes.inform(Subject::Numbered(Kind::Line, line), message);
            takes.push(Rows::new(&headers, &columns, file));
            continue;
        }
        check_lines(&record, line, 1)?;
        let person = columns.action_units.as_ref().and_then(|units| record.get(units.person?)).map_or("", text_of);
        let at = match takes.iter().rposition(|rows| rows.times.is_empty() || rows.person == person) {
            Some(at) => at,
            None if takes.len() < MAX_PEOPLE => {
                takes.push(Rows::new(&headers, &columns, file));
                takes.len() - 1
            }
            None => {
                let problem = Problem::new(format!("is the frame of another face than {MAX_PEOPLE} before"));
                return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), problem.advise("split the table")));
            }
        };
        person.clone_into(&mut takes[at].person);
        takes[at].push(line, &record)?;
    }
    takes.iter_mut().for_each(|rows| ActionUnits::note_lost(&rows.lost, &mut import.notes));
    let is_lost = takes.iter().any(|rows| !rows.lost.is_empty());
    takes.retain(|rows| !rows.times.is_empty());
    if takes.is_empty() {
        let problem =
            if is_lost { "has no frame in which its tracker had the face" } else { "has a header and no frames" };
        return Err(Fault::Unfit(format!("{problem}; record or export it again")));
    }
    let several = takes.len() > 1;
    let read = takes
        .into_iter()
        .enumerate()
        .map(|(index, rows)| {
            let name = match (several, rows.person.as_str()) {
                (false, _) => file.name.to_owned(),
                (true, "") => format!("{} {}", file.name, index + 1),
                (true, person) => format!("{} face {person}", file.name),
            };
            rows.into_take(&CaptureFile { name: &name, ..*file }, import)
        })
        .collect::<Result<Vec<Take>, Fault>>();
    let mut read = read?;
    if let Some(units) = &columns.action_units {
        units.find_scale(&mut read);
    }
    Ok(read)
}

fn check_lines(record: &ByteRecord, line: usize, most: usize) -> Result<(), Fault> {
    if record.iter().any(|cell| cell.iter().filter(|byte| **byte == b'\n').count() >= most) {
        return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), "a quotation mark in it is never closed"));
    }
    Ok(())
}

fn line_of_header(layout: &Layout<'_>) -> usize {
    1 + layout.lines_before
}

/// The names of columns without a header: the shapes of ARKit, and the angles of Live Link Face after them.
fn usual_names(count: usize, line: usize) -> Result<Vec<String>, Fault> {
    let shapes = ARKIT_SHAPES.iter().map(|name| (*name).to_owned());
    let angles = ANGLE_COLUMNS.iter().map(|name| (*name).to_owned());
    let names: Vec<String> = shapes.chain(angles).collect();
    if [ARKIT_SHAPES.len(), names.len()].contains(&count) {
        return Ok(names.into_iter().take(count).collect());
    }
    let problem = Problem::new(format!("has {count} numbers and no names"));
    let advice = format!(
        "write the names of the columns into a first line. Without one, Smirk reads {} columns in ARKit's order, or {} with angles",
        ARKIT_SHAPES.len(),
        names.len()
    );
    Err(Fault::invalid(Subject::Numbered(Kind::Line, line), problem.advise(advice)))
}

struct Rows<'a> {
    headers: &'a [String],
    columns: &'a TableColumns,
    frames: Frames,
    /// The cell with the time or the number of each frame; empty without such a column.
    times: Vec<String>,
    too_long: Vec<usize>,
    has_text: bool,
    /// The cell that says whose face it is, in tables of several.
    person: String,
    /// The lines in which the tracker had lost the face.
    lost: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(headers: &'a [String], columns: &'a TableColumns, file: &CaptureFile<'_>) -> Self {
        let names = match &columns.action_units {
            Some(units) => units.names(),
            None => columns.values.iter().map(|&at| headers[at].clone()).collect(),
        };
        let frames = Frames::new(Kind::Line, names, file.bytes.len());
        let (times, too_long, has_text, person, lost) = Default::default();
        Self { headers, columns, frames, times, too_long, has_text, person, lost }
    }

    fn push(&mut self, line: usize, record: &ByteRecord) -> Result<(), Fault> {
        // Missing cells are noted later, together with values that are not numbers.
        if record.iter().skip(self.headers.len()).any(|cell| !cell.trim_ascii().is_empty()) {
            self.too_long.push(line);
        }
        let time = self.columns.clock.column().and_then(|at| record.get(at)).map_or("", text_of);
        if let Some(units) = &self.columns.action_units {
            let value = |at: usize| record.get(at).and_then(|cell| number(text_of(cell))).unwrap_or(f64::NAN) as f32;
            // Without times, the number of frames tells when they were.
            let (is_lost, is_timed) = (units.is_lost(value), !time.is_empty());
            if is_lost {
                self.lost.push(line);
            }
            if is_lost && is_timed {
                return Ok(());
            }
            self.times.push(time.to_owned());
            let values = if is_lost { Vec::new() } else { units.values(value) };
            return self.frames.push(line, values.into_iter());
        }
        let cells = self.columns.values.iter().map(|&at| record.get(at).map_or("", text_of));
        if self.times.is_empty() {
            self.has_text = cells.clone().any(|cell| !cell.is_empty() && number(cell).is_none());
        }
        self.times.push(time.to_owned());
        self.frames.push(line, cells.map(|cell| number(cell).unwrap_or(f64::NAN) as f32))
    }

    fn into_take(self, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
        let Self { headers, columns, frames, times, too_long, has_text, .. } = self;
        let notes = &mut import.notes;
        if !too_long.is_empty() {
            let message =
                format!("more cells than the {} columns of the header; the last ones are ignored", headers.len());
            notes.warn(Subject::numbered(Kind::Line, &too_long), message);
        }
        let capture_times = match columns.clock {
            Clock::Times(_) if times.iter().any(|time| time.contains(':')) => {
                live_link::times_of_timecodes(&times, frames.positions(), notes)?
            }
            Clock::Times(at) => CaptureTimes::from_numbers(
                &headers[at],
                times.iter().map(|time| number(time)).collect(),
                (Kind::Line, frames.positions()),
                notes,
            ),
            Clock::FrameNumbers(_) | Clock::None if has_text => return Err(no_times(headers)),
            Clock::FrameNumbers(_) => {
                note_assumed_rate(notes);
                CaptureTimes::of_frame_numbers(ASSUMED_FRAMES_PER_SEC, times.iter().map(|time| number(time)))
            }
            Clock::None => {
                note_assumed_rate(notes);
                CaptureTimes::at_rate(ASSUMED_FRAMES_PER_SEC, 0..times.len())
            }
        };
        frames.into_take(capture_times, file, import)
    }
}

fn note_assumed_rate(notes: &mut Notes) {
    let message = format!("no times: {ASSUMED_FRAMES_PER_SEC} frames per second were assumed; {OTHER_RATE}");
    notes.warn(Subject::field("table"), message);
}

fn no_times(headers: &[String]) -> Fault {
    let first = headers.iter().take(3).map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    Fault::Unfit(format!("its first line ({first} …) names no column of times such as Timecode; {EXPECTED_FORMATS}"))
}

#[derive(Clone, Copy)]
enum Clock {
    Times(usize),
    FrameNumbers(usize),
    /// Nothing: one row is one frame.
    None,
}

impl Clock {
    fn column(self) -> Option<usize> {
        match self {
            Self::Times(at) | Self::FrameNumbers(at) => Some(at),
            Self::None => None,
        }
    }
}

struct TableColumns {
    clock: Clock,
    values: Vec<usize>,
    /// If they are those of a tracker of action units.
    action_units: Option<ActionUnits>,
}

impl TableColumns {
    fn from_headers(headers: &[String], notes: &mut Notes) -> Result<Self, Fault> {
        let clock = match first_of(TIMES.split(' '), headers) {
            Some(at) => Clock::Times(at),
            None => first_of(FRAME_NUMBERS.into_iter(), headers).map_or(Clock::None, Clock::FrameNumbers),
        };
        let values: Vec<usize> = (0..headers.len())
            .filter(|&at| {
                Some(at) != clock.column()
                    && !FRAME_NUMBERS.iter().chain(&COUNTERS).any(|key| is_key(&headers[at], key))
            })
            .collect();
        match clock {
            _ if !values.is_empty() => {
                let action_units = ActionUnits::from_headers(headers, &values, notes);
                Ok(Self { clock, values, action_units })
            }
            Clock::Times(_) => {
                Err(Fault::Unfit(format!("its header has a column of times and no expression; {EXPECTED_FORMATS}")))
            }
            Clock::FrameNumbers(_) | Clock::None => Err(no_times(headers)),
        }
    }
}

/// The column of the first key that is the header of one.
fn first_of<'k>(mut keys: impl Iterator<Item = &'k str>, headers: &[String]) -> Option<usize> {
    keys.find_map(|key| headers.iter().position(|header| is_key(header, key)))
}

struct Layout<'a> {
    delimiter: u8,
    body: &'a [u8],
    lines_before: usize,
    header_cells: usize,
}

impl<'a> Layout<'a> {
    /// The delimiter is the one of `,`, `;` and tab that occurs most often in the header.
    fn find(text: &'a str) -> Self {
        // Some spreadsheet programs write the delimiter in a line `sep=…` before the header.
        let (body, lines_before) = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with("sep=") => (rest, 1),
            _ => (text, 0),
        };
        let header = first_row(body.trim_start());
        let counted = [b'\t', b';', b','].map(|it| (it, header.bytes().filter(|byte| *byte == it).count()));
        // `max_by_key` returns the last of equals, which is the comma.
        let (delimiter, count) = counted.into_iter().max_by_key(|(_, count)| *count).unwrap_or((b',', 0));
        Self { delimiter, body: body.as_bytes(), lines_before, header_cells: count + 1 }
    }
}

/// A cell as a number. A comma in it is a decimal point: were it the delimiter, it would not be in the cell.
fn number(cell: &str) -> Option<f64> {
    let parsed = cell.parse().ok().or_else(|| cell.replacen(',', ".", 1).parse().ok());
    parsed.filter(|number: &f64| number.is_finite())
}

/// The text of a table whose rows end in carriage returns alone, with line feeds in their place; any other as it is.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let after_row = &text[first_row(text).len()..];
    let is_alone = after_row.starts_with('\r') && !after_row.starts_with("\r\n");
    if is_alone { text.replace('\r', "\n").into() } else { text.into() }
}

/// The first row of a table, whose cells may have line ends in quotation marks; its first line if these are never
/// closed.
fn first_row(table: &str) -> &str {
    let mut is_quoted = false;
    let ends = table.match_indices(['"', '\n', '\r']).find_map(|(at, found)| {
        is_quoted ^= found == "\"";
        (found != "\"" && !is_quoted).then_some(at)
    });
    let is_closed = ends.is_some() || !is_quoted;
    let first_line = table.split(['\n', '\r']).next().unwrap_or_default();
    if is_closed { &table[..ends.unwrap_or(table.len())] } else { first_line }
}

fn name_of(cell: &[u8]) -> String {
    let lines = text_of(cell).lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn is_name(cell: &[u8], name: &str) -> bool {
    let text = text_of(cell);
    text == name || (text.contains('\n') && name_of(cell) == name)
}

/// A cell without surrounding blanks. It is valid UTF-8, because the text is, and delimiters are ASCII.
fn text_of(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default().trim()
}
