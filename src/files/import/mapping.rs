//! Mappings from JSON, as Smirk exports them: which channels the columns of a capture drive, and how. A column that cannot be read is
//! left out, with a note.

use serde::Deserialize;

use super::error::Fault;
use super::poses::{check_version, notes};
use smirk_base::json::Text;
use smirk_face::head::{Note, Subject};
use smirk_face::motion::{ColumnMap, MAPPING_FILE_VERSION, TakeMap};

/// The mapping of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedMapping {
    /// The mapping of columns by their names.
    pub map: TakeMap,
    /// What could not be read.
    pub notes: Vec<Note>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnFile {
    smirk: Option<String>,
    version: Option<u64>,
    columns: Option<Vec<ColumnMap>>,
}

/// The mapping of a file.
pub(super) fn read(bytes: &[u8]) -> Result<ImportedMapping, Fault> {
    let text = Text::of(bytes).map_err(|error| Fault::Unfit(format!("is not valid JSON: {error}")))?;
    let not_a_mapping = || Fault::Unfit("holds no mapping: Smirk reads what *Motion › Mapping › Save* writes".into());
    let (file, lost) = text.read::<OwnFile>().map_err(|_| not_a_mapping())?;
    if file.smirk.as_deref() != Some("mapping") {
        return Err(not_a_mapping());
    }
    check_version(file.version.unwrap_or(1), MAPPING_FILE_VERSION)?;
    let columns = file.columns.ok_or_else(|| Fault::invalid(Subject::field("columns"), "is not a list of columns"))?;
    let columns = columns.into_iter().filter(|column| !column.column.is_empty()).collect();
    Ok(ImportedMapping { map: TakeMap { columns }, notes: notes(&lost) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::motion::DrivenChannel;

    #[test]
    fn columns_are_read_and_what_is_damaged_is_left_out_with_a_note() {
        let text = r#"{"smirk":"mapping","version":1,"columns":[
            {"column":"mouthPucker","channels":["ou",{"channel":"aa","weight":-0.7}],"gain":2},
            {"column":"jawOpen","channels":["aa"],"gain":"much"}, {"channels":["ou"]}]}"#;
        let read = read(text.as_bytes()).unwrap();
        let columns = &read.map.columns;
        assert_eq!(columns.iter().map(|column| column.gain).collect::<Vec<_>>(), [2.0, 1.0]);
        let weighted = DrivenChannel { channel: "aa".into(), weight: Some(-0.7) };
        assert_eq!(columns[0].channels, [DrivenChannel::of("ou"), weighted]);
        assert!(read.notes.len() == 1 && read.notes[0].to_string().contains("gain"), "{:?}", read.notes);
    }

    #[test]
    fn what_is_no_mapping_is_refused_with_the_reason() {
        for (text, words) in [
            ("{", "JSON"),
            ("[]", "holds no mapping"),
            (r#"{"smirk":"poses","poses":[]}"#, "holds no mapping"),
            (r#"{"smirk":"mapping","version":99,"columns":[]}"#, "newer"),
            (r#"{"smirk":"mapping","version":1}"#, "not a list of columns"),
        ] {
            let said = read(text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
