//! Mappings from JSON, as Smirk exports them: which channels the columns of a capture drive, and how. A column that cannot be read is
//! left out, with a note.

use serde::Deserialize;

use super::error::Fault;
use super::poses::{check_version, notes};
use smirk_base::json::{JsonError, Text};
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
    let (file, lost) = text.read::<OwnFile>().map_err(|error| match error {
        JsonError::Broken(_) => not_a_mapping(),
        error => Fault::Unfit(format!("is too large: {error}")),
    })?;
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
    fn a_weight_that_is_damaged_is_named_in_words_and_each_alone() {
        let bad = ["1e300", "-1e39", "\"much\"", "[1]", "{}"];
        let channels: Vec<String> = bad.iter().map(|it| format!(r#"{{"channel":"ou","weight":{it}}}"#)).collect();
        let many = vec![channels.join(","); 40].join(",");
        let text = format!(
            r#"{{"smirk":"mapping","columns":[{{"column":"a","channels":[{many},{{"channel":"aa","weight":0.5}}]}}]}}"#
        );
        let ImportedMapping { map, notes } = read(text.as_bytes()).unwrap();
        let [others @ .., last] = &map.columns[0].channels[..] else { panic!("{map:?}") };
        assert_eq!(*last, DrivenChannel { channel: "aa".into(), weight: Some(0.5) });
        assert!(others.len() == 200 && others.iter().all(|it| *it == DrivenChannel::of("ou")), "{others:?}");
        let words: Vec<String> = notes.iter().map(Note::to_string).collect();
        let first =
            "columns[0].channels[0].weight: 1e300 is not a number from -3.4e38 to 3.4e38 (line 1). It was left out";
        assert!(words[0] == first && words.last().unwrap().contains("188 more values"), "{words:?}");
        // What is no channel at all is left out.
        for (wrong, problem) in [("7", "expected the name of a channel"), (r#"{"weight":1}"#, "channel")] {
            let text = format!(r#"{{"smirk":"mapping","columns":[{{"column":"a","channels":["ou",{wrong}]}}]}}"#);
            let ImportedMapping { map, notes } = read(text.as_bytes()).unwrap();
            assert_eq!(map.columns.iter().map(|it| it.channels.len()).collect::<Vec<_>>(), [1], "{wrong}: {notes:?}");
            let said = notes[0].to_string();
            assert!(said.contains(problem) && !said.contains("enum") && !said.contains("Channel"), "{said}");
        }
    }

    #[test]
    fn a_mapping_that_takes_too_much_memory_says_so() {
        let text = format!(r#"{{"smirk":"mapping","columns":[{}{{}}]}}"#, "{},".repeat(1_000_000));
        let said = read(text.as_bytes()).unwrap_err().to_string();
        assert!(said.contains("is too large") && said.contains("MB"), "{said}");
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
