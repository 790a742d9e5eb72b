//! Review notes as files: one page of HTML with its pictures, Markdown, a table of CSV, which is also read, and JSON.

mod csv;
mod html;
mod markdown;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

pub use self::csv::{NotesTableError, read_notes};
use crate::ExportError;
use smirk_base::date::Date;
use smirk_base::names::without_hidden_characters;
use smirk_face::motion::TimelineSettings;
use smirk_session::{Edits, ReviewNote};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum NotesFormat {
    #[default]
    Html,
    Md,
    Csv,
    Json,
}

impl NotesFormat {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// The format that the name of a file asks for.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "htm" => Some(Self::Html),
            "markdown" => Some(Self::Md),
            extension => extension.parse().ok(),
        }
    }
}

/// The text of who may be anybody, in lines, without characters that would turn or hide what stands around it.
fn plain_lines(text: &str) -> String {
    let lines = text.lines().map(|line| without_hidden_characters(&line.replace('\t', "    ")));
    lines.collect::<Vec<_>>().join("\n")
}

#[derive(Serialize)]
struct NotesFile<'a> {
    smirk: &'static str,
    version: u32,
    notes: Vec<&'a ReviewNote>,
}

/// What a document of notes says besides them.
struct Heading<'a> {
    /// The name of the project or the head.
    title: &'a str,
    notes: &'a [Arc<ReviewNote>],
    timeline: TimelineSettings,
    written: String,
}

impl Heading<'_> {
    fn counts(&self) -> String {
        let open = self.notes.iter().filter(|note| note.is_open()).count();
        let noun = if self.notes.len() == 1 { "note" } else { "notes" };
        format!("{} {noun}: {open} open, {} done", self.notes.len(), self.notes.len() - open)
    }

    fn place(&self, note: &ReviewNote) -> String {
        note.place_text(|secs| self.timeline.text(secs))
    }
}

/// The content of a file with the notes of some edits. `title` is the name of the project or the head.
pub fn notes_text(edits: &Edits, title: &str, format: NotesFormat) -> Result<String, ExportError> {
    let written = Date::now().local_text();
    let heading = Heading { title, notes: &edits.notes, timeline: edits.timeline, written };
    Ok(match format {
        NotesFormat::Html => html::page(&heading),
        NotesFormat::Md => markdown::document(&heading),
        NotesFormat::Csv => csv::table(&edits.notes),
        NotesFormat::Json => {
            let notes = edits.notes.iter().map(Arc::as_ref).collect();
            let file = NotesFile { smirk: "notes", version: 1, notes };
            serde_json::to_string_pretty(&file).map_err(|error| failed!("the notes cannot be written: {error}"))? + "\n"
        }
    })
}
