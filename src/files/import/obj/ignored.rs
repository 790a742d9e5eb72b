//! Counts the statements of an OBJ file that are ignored or repaired, and notes each kind once, with its first line.

use smirk_face::head::{Kind, Note, Notes, Subject};

/// The statements of a file that are ignored or repaired.
#[derive(Default)]
pub(super) struct IgnoredStatements {
    /// Positions that are not finite.
    pub broken_positions: Occurrences,
    /// Faces with fewer than three corners.
    pub too_few_corners: Occurrences,
    /// Points and lines.
    pub points_and_lines: Occurrences,
    /// Free-form curves and surfaces.
    pub free_form: Occurrences,
    /// Lines that are no OBJ statement.
    pub unknown: Occurrences,
    /// Names that are not UTF-8.
    pub repaired_names: Occurrences,
    /// Material libraries beyond those that are read.
    pub libraries: Occurrences,
    /// Runs of faces that lost their material, because the file has too many parts.
    pub merged_materials: Occurrences,
}

impl IgnoredStatements {
    /// Adds a note for each kind that occurs. `position_count` is the number of all positions of the file.
    pub(super) fn note(&self, position_count: usize, notes: &mut Notes) {
        self.broken_positions.note(notes, |count| {
            Note::warning(
                Subject::All(Kind::ObjPosition),
                format!("{count} of {position_count} are not finite; faces that use them are left out"),
            )
        });
        self.too_few_corners.note(notes, |count| {
            Note::warning(
                Subject::All(Kind::ObjFace),
                format!("{count} faces have fewer than 3 corners and were left out"),
            )
        });
        self.points_and_lines
            .note(notes, |count| Note::info(Subject::File, format!("{count} points and lines are not shown")));
        self.free_form.note(notes, |count| {
            Note::warning(
                Subject::File,
                format!("{count} free-form curves and surfaces are not shown; export polygons"),
            )
        });
        self.unknown
            .note(notes, |count| Note::info(Subject::File, format!("{count} lines are no OBJ and were passed over")));
        self.libraries.note(notes, |count| {
            let message = format!("{count} more files of materials are named than are read; materials may be missing");
            Note::warning(Subject::All(Kind::ObjMaterialLibrary), message)
        });
        self.merged_materials.note(notes, |count| {
            let message =
                format!("the file has more parts than are drawn apart: {count} runs of faces have no material");
            Note::warning(Subject::All(Kind::ObjMaterialUse), message)
        });
        self.repaired_names.note(notes, |count| {
            Note::warning(
                Subject::File,
                format!("{count} names are not UTF-8: what could not be read in them is shown as \u{FFFD}"),
            )
        });
    }
}

/// How often something occurs in a file, and the first line with it.
#[derive(Default)]
pub(super) struct Occurrences {
    count: usize,
    first_line: usize,
}

impl Occurrences {
    /// Counts an occurrence on a line.
    pub(super) fn count(&mut self, line: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }

    /// Adds the note that `note_of` makes of the number of occurrences, with the first line.
    fn note(&self, notes: &mut Notes, note_of: impl Fn(usize) -> Note) {
        if self.count > 0 {
            let mut note = note_of(self.count);
            let first = if self.count == 1 { "" } else { "the first is " };
            note.message = format!("{} ({first}line {})", note.message, self.first_line);
            notes.push(note);
        }
    }
}
