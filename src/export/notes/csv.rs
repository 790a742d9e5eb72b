//! Notes as a table (RFC 4180), a row for every note and for every reply. A reviewer changes it in a spreadsheet, and
//! it is read again: a row without an id is a new note or reply.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};
use thiserror::Error;

use smirk_base::date::Date;
use smirk_base::names::{one_line, printable_path};
use smirk_base::regular_file;
use smirk_session::{NoteId, NoteReply, NoteState, NotedFinding, NotedTime, PinnedTo, ReviewNote, SurfacePoint};

const MAX_FILE_BYTES: u64 = 1 << 26;
/// As many as a project has at most.
const MOST_ROWS: usize = 100_000;

const COLUMNS: [&str; 18] = [
    "number",
    "id",
    "reply_to",
    "state",
    "state_set",
    "author",
    "created",
    "edited",
    "text",
    "mesh",
    "triangle",
    "weights",
    "channels",
    "plays",
    "start_secs",
    "end_secs",
    "rule",
    "finding",
];
/// The columns of what a note is pinned to.
const PINS: &[&str] = COLUMNS.split_at(9).1;

/// Why a table of notes is not read.
#[derive(Debug, Error)]
pub enum NotesTableError {
    #[error("{}: cannot be read: {source}", printable_path(.file))]
    Unreadable { file: PathBuf, source: std::io::Error },
    #[error("{}: is no table of notes: it has no column `text`. Smirk writes one with `smirk notes --format csv`", printable_path(.0))]
    NotNotes(PathBuf),
    #[error("{}: line {line}: {}", printable_path(.file), one_line(.problem.clone()))]
    Row { file: PathBuf, line: u64, problem: String },
    #[error("{}: has more than {MOST_ROWS} rows", printable_path(.0))]
    TooMany(PathBuf),
}

pub(super) fn table(notes: &[Arc<ReviewNote>]) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let mut write = |row: &[String]| {
        if let Err(error) = writer.write_record(row.iter().map(|field| guarded(field))) {
            unreachable!("a list takes all rows, and they have as many fields: {error}");
        }
    };
    write(&COLUMNS.map(str::to_owned));
    for note in notes {
        let PinnedTo { point, channels, time, finding } = &note.pinned_to;
        let point = point.as_ref().map(|point| {
            let joined = |numbers: &[String]| numbers.join(" ");
            let SurfacePoint { mesh, vertices, weights } = point;
            [mesh.clone(), joined(&vertices.map(|it| it.to_string())), joined(&weights.map(|it| it.to_string()))]
        });
        let [mesh, triangle, weights] = point.unwrap_or_default();
        let channels: Vec<String> =
            channels.iter().map(|name| name.replace('\\', "\\\\").replace(';', "\\;")).collect();
        let time = time.as_ref();
        let secs = |secs: Option<f32>| secs.map(|secs| secs.to_string()).unwrap_or_default();
        let finding = finding.as_ref().map(|finding| [finding.rule.clone(), finding.of.clone()]);
        let [rule, of] = finding.unwrap_or_default();
        write(&[
            note.number.to_string(),
            note.id.to_string(),
            String::new(),
            note.state.to_string(),
            note.state_set.to_string(),
            note.author.clone(),
            note.created.to_string(),
            note.edited.to_string(),
            note.text.clone(),
            mesh,
            triangle,
            weights,
            channels.join("; "),
            time.map(|time| time.plays.clone()).unwrap_or_default(),
            secs(time.map(|time| time.start_secs)),
            secs(time.map(|time| time.end_secs)),
            rule,
            of,
        ]);
        for reply in &note.replies {
            let mut row = [const { String::new() }; COLUMNS.len()];
            (row[0], row[1], row[2]) = (note.number.to_string(), reply.id.to_string(), note.id.to_string());
            (row[5], row[6], row[8]) = (reply.author.clone(), reply.date.to_string(), reply.text.clone());
            write(&row);
        }
    }
    match writer.into_inner().map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) | Err(_) => unreachable!("a list takes all fields, and each of them is text"),
    }
}

/// What a spreadsheet would run as a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The text of a cell. What a spreadsheet would run as a formula has an apostrophe before it, and so has what begins
/// with one, so that it is taken off again.
fn guarded(text: &str) -> String {
    if text.starts_with(FORMULA) || text.starts_with('\'') { format!("'{text}") } else { text.to_owned() }
}

fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA) || rest.starts_with('\'') => rest,
        _ => text,
    }
}

/// A cell that does not hold what belongs into its column.
#[derive(Debug, Error)]
#[error("`{text}` in the column {column} is not {wanted}")]
struct CellError {
    text: String,
    column: &'static str,
    wanted: &'static str,
}

/// The rows of a table whose columns are found by their names.
struct Row<'a> {
    columns: &'a HashMap<String, usize>,
    record: &'a StringRecord,
}

impl Row<'_> {
    fn text(&self, column: &str) -> String {
        let field = self.columns.get(column).and_then(|&index| self.record.get(index)).unwrap_or_default();
        unguarded(field).to_owned()
    }

    /// `None` if the cell is empty.
    fn parsed<T: FromStr>(&self, column: &'static str, wanted: &'static str) -> Result<Option<T>, CellError> {
        let text = self.text(column).trim().to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| CellError { text, column, wanted })
    }

    fn numbers<T: FromStr, const N: usize>(
        &self,
        column: &'static str,
        wanted: &'static str,
    ) -> Result<[T; N], CellError> {
        let text = self.text(column);
        let numbers: Option<Vec<T>> = text.split_whitespace().map(|part| with_point(part).parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or(CellError { text, column, wanted })
    }

    fn date(&self, column: &'static str) -> Result<Option<Date>, CellError> {
        self.parsed(column, "a date such as 2026-11-29T10:30:00Z")
    }

    fn id(&self, column: &'static str) -> Result<Option<NoteId>, CellError> {
        self.parsed(column, "an id of 16 hexadecimal digits")
    }

    fn secs(&self, column: &'static str) -> Result<Option<f32>, CellError> {
        let text = self.text(column).trim().to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        let secs = with_point(&text).parse::<f32>().ok().filter(|secs| secs.is_finite());
        secs.map(Some).ok_or(CellError { text, column, wanted: "a number of seconds" })
    }

    fn pinned_to(&self) -> Result<PinnedTo, CellError> {
        let mesh = self.text("mesh");
        let point = if mesh.is_empty() {
            None
        } else {
            let vertices = self.numbers("triangle", "three numbers of vertices")?;
            Some(SurfacePoint { mesh, vertices, weights: self.numbers("weights", "three weights")? })
        };
        let start_secs = self.secs("start_secs")?;
        let end_secs = self.secs("end_secs")?;
        if start_secs.is_none() && end_secs.is_some() {
            let wanted = "the end of a time, because start_secs is empty";
            return Err(CellError { text: self.text("end_secs"), column: "end_secs", wanted });
        }
        let time = start_secs.map(|start_secs| NotedTime {
            plays: self.text("plays"),
            start_secs,
            end_secs: end_secs.map_or(start_secs, |end_secs| end_secs.max(start_secs)),
        });
        let rule = self.text("rule");
        let finding = (!rule.is_empty()).then(|| NotedFinding { rule, of: self.text("finding") });
        Ok(PinnedTo { point, channels: split_channels(&self.text("channels")), time, finding })
    }
}

/// A number as Rust reads it. Spreadsheets of some languages write a comma before the decimals; a comma that is left in
/// a cell does not divide columns, because these are divided by something else, or the cell is quoted.
fn with_point(number: &str) -> String {
    number.replace(',', ".")
}

/// Names between semicolons; a backslash is before one that belongs to a name.
fn split_channels(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, names.last_mut()) {
            (';', _) => names.push(String::new()),
            (letter, Some(name)) => name.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter }),
            (_, None) => unreachable!("there is a name from the start"),
        }
    }
    let names = names.into_iter().enumerate();
    let names = names.map(|(index, name)| match name.strip_prefix(' ').filter(|_| index > 0) {
        Some(name) => name.to_owned(),
        None => name,
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Reads a table of notes, for [`merge`](smirk_session::NotesMut::merge). A reply to a note that the table lacks comes
/// as a note without a text, older than any other.
pub fn read_notes(path: &Path) -> Result<Vec<ReviewNote>, NotesTableError> {
    let bytes = regular_file::read(path, MAX_FILE_BYTES)
        .map_err(|source| NotesTableError::Unreadable { file: path.to_owned(), source })?;
    notes_of_table(&bytes, path)
}

fn notes_of_table(bytes: &[u8], path: &Path) -> Result<Vec<ReviewNote>, NotesTableError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Spreadsheets of some languages write semicolons or tabs.
    let heading = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = heading.iter().copied().find(|byte| b",;\t".contains(byte)).unwrap_or(b',');
    let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let failed = |line: u64, problem: String| NotesTableError::Row { file: path.to_owned(), line, problem };
    let line_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
    let headers = reader.headers().map_err(|error| failed(line_of(&error), error.to_string()))?;
    let named = headers.iter().enumerate().map(|(index, name)| (name.trim().to_lowercase(), index));
    let columns: HashMap<String, usize> = named.collect();
    if !columns.contains_key("text") {
        return Err(NotesTableError::NotNotes(path.to_owned()));
    }
    let now = Date::now();
    let mut notes: Vec<ReviewNote> = Vec::new();
    let mut places: HashMap<NoteId, usize> = HashMap::new();
    let mut replies: Vec<(NoteId, NoteReply)> = Vec::new();
    let mut places_of_replies: HashMap<(NoteId, NoteId), usize> = HashMap::new();
    for (index, record) in reader.records().enumerate() {
        if index == MOST_ROWS {
            return Err(NotesTableError::TooMany(path.to_owned()));
        }
        let record = record.map_err(|error| failed(line_of(&error), error.to_string()))?;
        let line = record.position().map_or(1, csv::Position::line);
        let row = Row { columns: &columns, record: &record };
        match row_of(&row, now).map_err(|error| failed(line, error.to_string()))? {
            None => {}
            Some(RowOf::Note(mut note)) => {
                // A row that was copied and changed is a new note, or a new reply.
                if places.get(&note.id).is_some_and(|&place| notes[place].text != note.text) {
                    (note.id, note.number) = (id_of_content(None, &note.author, &note.text), 0);
                }
                places.entry(note.id).or_insert_with(|| {
                    notes.push(*note);
                    notes.len() - 1
                });
            }
            Some(RowOf::Reply(to, mut reply)) => {
                if places_of_replies.get(&(to, reply.id)).is_some_and(|&place| replies[place].1.text != reply.text) {
                    reply.id = id_of_content(Some(to), &reply.author, &reply.text);
                }
                places_of_replies.entry((to, reply.id)).or_insert_with(|| {
                    replies.push((to, reply));
                    replies.len() - 1
                });
            }
        }
    }
    for (to, reply) in replies {
        let place = *places.entry(to).or_insert_with(|| {
            notes.push(ReviewNote { created: now, ..empty(to) });
            notes.len() - 1
        });
        notes[place].replies.push(reply);
    }
    Ok(notes)
}

enum RowOf {
    Note(Box<ReviewNote>),
    Reply(NoteId, NoteReply),
}

fn empty(id: NoteId) -> ReviewNote {
    let date = Date::default();
    ReviewNote {
        id,
        number: 0,
        text: String::new(),
        author: String::new(),
        created: date,
        edited: date,
        state: NoteState::Open,
        state_set: date,
        replies: Vec::new(),
        pinned_to: PinnedTo::default(),
        strokes: Vec::new(),
        moment: None,
        picture: None,
    }
}

/// The id of what came without one.
fn id_of_content(reply_to: Option<NoteId>, author: &str, text: &str) -> NoteId {
    NoteId::of_content(&[&reply_to.map(|id| id.to_string()).unwrap_or_default(), author, text])
}

/// The note or the reply of a row; none of an empty row. What has no date is as new as this moment. Of a note with an
/// id, what the table leaves out has the first of all dates, so that it changes nothing of the note.
fn row_of(row: &Row<'_>, now: Date) -> Result<Option<RowOf>, CellError> {
    let (text, author, reply_to) = (row.text("text"), row.text("author"), row.id("reply_to")?);
    let (created, edited) = (row.date("created")?, row.date("edited")?);
    let given = row.id("id")?;
    let made = || (!text.trim().is_empty()).then(|| id_of_content(reply_to, &author, &text));
    let Some(id) = given.or_else(made) else {
        return Ok(None);
    };
    if let Some(to) = reply_to {
        return Ok(Some(RowOf::Reply(to, NoteReply { id, date: created.unwrap_or(now), author, text })));
    }
    let state: Option<NoteState> = row.parsed("state", "open or done")?;
    let date = |date: Option<Date>, is_there: bool| match given.is_none() || is_there {
        true => date.unwrap_or(now),
        false => Date::default(),
    };
    Ok(Some(RowOf::Note(Box::new(ReviewNote {
        text,
        author,
        created: created.unwrap_or(now),
        // Whatever was typed there, it is only a wish.
        number: row.text("number").trim().parse().unwrap_or(0),
        edited: date(edited, PINS.iter().all(|column| row.columns.contains_key(*column))),
        state: state.unwrap_or_default(),
        state_set: date(row.date("state_set")?, state.is_some()),
        pinned_to: row.pinned_to()?,
        ..empty(id)
    }))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ReviewNote>, NotesTableError> {
        notes_of_table(text.as_bytes(), Path::new("notes.csv"))
    }

    fn note() -> ReviewNote {
        let date = |text: &str| text.parse().unwrap();
        ReviewNote {
            number: 12,
            text: "=1+1, \"the\r\ncorner\"; '@".into(),
            author: "-Ada; Lovelace".into(),
            created: date("2026-11-29T09:00:00Z"),
            edited: date("2026-11-29T09:00:01.5Z"),
            state: NoteState::Done,
            state_set: date("2026-11-30T09:00:00Z"),
            replies: vec![NoteReply {
                id: NoteId(3),
                date: date("2026-11-29T10:00:00Z"),
                author: "'b".into(),
                text: "+ yes".into(),
            }],
            pinned_to: PinnedTo {
                point: Some(SurfacePoint { mesh: "face".into(), vertices: [1, 20, 3], weights: [0.1, 0.2, 0.7] }),
                channels: vec!["jawOpen".into(), "a; b\\".into()],
                time: Some(NotedTime { plays: "walk".into(), start_secs: 0.1, end_secs: 1e-7 + 0.3 }),
                finding: Some(NotedFinding { rule: "asymmetry".into(), of: "a + b".into() }),
            },
            ..empty(NoteId(u64::MAX))
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_is_a_formula() {
        let notes = [Arc::new(note()), Arc::new(ReviewNote { text: "second".into(), ..empty(NoteId(2)) })];
        let table = table(&notes);
        let read = read(&table).unwrap();
        assert_eq!(read, notes.each_ref().map(|note| (**note).clone()));
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let fields: Vec<String> =
            reader.records().flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()).collect();
        assert!(fields.iter().all(|field| !field.starts_with(FORMULA)), "{fields:?}");
        assert!(table.lines().count() > 3 && table.contains("\r\n"));
    }

    #[test]
    fn a_row_that_was_added_by_hand_is_a_new_note_with_the_same_id_each_time() {
        let of_excel = "text;author;reply_to\r\nToo wide;Ada;\r\n;;\r\nRight;Bo;00000000000000ff\r\n";
        let notes = read(of_excel).unwrap();
        assert_eq!((notes.len(), notes[0].text.as_str(), notes[0].author.as_str()), (2, "Too wide", "Ada"));
        assert_eq!((notes[1].id, notes[1].replies[0].text.as_str()), (NoteId(255), "Right"));
        assert_eq!(read(of_excel).unwrap()[0].id, notes[0].id);
        assert_eq!(read("\u{feff}Text\tid\nx\t\n").unwrap().len(), 1);
    }

    #[test]
    fn a_copied_row_is_a_note_of_its_own_and_what_is_left_out_changes_nothing() {
        let of_one_id = "id,number,text,author\n00000000000000ff,3,a,Ada\n00000000000000ff,3,b,Ada\n\
            00000000000000ff,3,a,Ada\n00000000000000ff,x,b,Ada\n";
        let notes = read(of_one_id).unwrap();
        let shown: Vec<_> = notes.iter().map(|note| (note.number, note.text.as_str())).collect();
        assert_eq!((shown, notes[0].id), (vec![(3, "a"), (0, "b")], NoteId(255)));
        assert_ne!(notes[1].id, NoteId(255));
        // Without the columns of pins, of states and of texts.
        let [known, new] = &read("id,text,state\n00000000000000ff,a,\n,b,done\n").unwrap()[..] else { panic!() };
        assert_eq!((known.edited, known.state_set), (Date::default(), Date::default()));
        assert!(new.edited > Date::default() && new.state_set > Date::default() && !new.is_open());
    }

    #[test]
    fn a_copied_reply_is_one_of_its_own() {
        let of_one_id = "id,reply_to,text\n00000000000000ff,,a\n0000000000000001,00000000000000ff,b\n\
            0000000000000001,00000000000000ff,c\n0000000000000001,00000000000000ff,b\n\
            0000000000000001,00000000000000ff,c\n";
        let notes = read(of_one_id).unwrap();
        let texts: Vec<&str> = notes[0].replies.iter().map(|reply| reply.text.as_str()).collect();
        assert_eq!((notes.len(), texts, notes[0].replies[0].id), (1, vec!["b", "c"], NoteId(1)));
        assert_eq!(notes[0].replies[1].id, read(of_one_id).unwrap()[0].replies[1].id, "the same each time");
        assert_ne!(notes[0].replies[1].id, NoteId(1));
    }

    #[test]
    fn decimals_after_a_comma_are_read_where_it_divides_no_columns() {
        for table in [
            "text;start_secs;end_secs;mesh;triangle;weights\nx;17,467;19,5;face;1 2 3;0,25 0,5 0,25\n",
            "text\tstart_secs\tend_secs\tmesh\ttriangle\tweights\nx\t17,467\t19.5\tface\t1 2 3\t0.25 0,5 0.25\n",
            "text,start_secs,end_secs,mesh,triangle,weights\nx,\"17,467\",19.5,face,1 2 3,\"0,25 0,5 0,25\"\n",
        ] {
            let pinned_to = read(table).unwrap().remove(0).pinned_to;
            let time = pinned_to.time.unwrap();
            assert_eq!([time.start_secs, time.end_secs], [17.467, 19.5], "{table}");
            assert_eq!(pinned_to.point.unwrap().weights, [0.25, 0.5, 0.25], "{table}");
        }
        let error = read("text;start_secs\nx;1,000,5\n").unwrap_err().to_string();
        assert!(error.contains("line 2: `1,000,5` in the column start_secs is not a number of seconds"), "{error}");
    }

    #[test]
    fn what_does_not_fit_is_one_line_with_its_place() {
        for (text, words) in [
            ("", "no column `text`"),
            ("time,jawOpen\n0,1\n", "no column `text`"),
            ("id,text\n7,x\n", "line 2: `7` in the column id is not an id"),
            ("text,state\nx,maybe\n", "is not open or done"),
            ("text,mesh,triangle,weights\nx,face,1 2,0 0 1\n", "is not three numbers of vertices"),
            ("text,created\nx,y\nz,yesterday\n", "line 2"),
            ("text,start_secs\nx,inf\n", "`inf` in the column start_secs is not a number of seconds"),
            ("text,start_secs,end_secs\nx,,2.5\n", "`2.5` in the column end_secs is not the end of a time, because"),
            ("text\n\u{1}\n\"", ""),
        ] {
            match read(text).map_err(|error| error.to_string()) {
                Ok(_) => assert!(words.is_empty(), "{text}"),
                Err(error) => assert!(error.contains(words) && !error.contains('\n'), "{text}: {error}"),
            }
        }
        assert!(notes_of_table(b"text\n\xff\xfe\n", Path::new("a")).is_err());
    }
}
