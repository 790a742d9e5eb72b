//! Mappings from JSON, as Smirk exports them: which channels the columns of a capture drive, and how.

use serde::Deserialize;

use super::error::Fault;
use super::poses::{Header, unfit};
use smirk_base::json;
use smirk_face::head::Subject;
use smirk_face::motion::{ColumnMap, MAPPING_FILE_VERSION, TakeMap};

#[derive(Deserialize)]
struct OwnFile {
    columns: Option<Vec<ColumnMap>>,
}

pub(super) fn read(bytes: &[u8]) -> Result<TakeMap, Fault> {
    const WHAT: &str = "mapping: Smirk reads what *Motion › Mapping › Save* writes";
    let header = Header::read(bytes, "mapping")?;
    if header.kind() != Some("mapping") {
        return Err(Fault::Unfit(format!("holds no {WHAT}")));
    }
    header.check_version(MAPPING_FILE_VERSION)?;
    let file: OwnFile = json::read(bytes).map_err(|error| unfit("mapping that can be read", &error))?;
    let columns = file.columns.ok_or_else(|| Fault::invalid(Subject::field("columns"), "is not a list of columns"))?;
    Ok(TakeMap { columns: columns.into_iter().filter(|column| !column.column.is_empty()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::motion::DrivenChannel;

    #[test]
    fn columns_are_read_and_what_does_not_fit_is_an_error_with_its_line() {
        let text = r#"{"smirk":"mapping","version":1,"columns":[
            {"column":"mouthPucker","channels":["ou",{"channel":"aa","weight":-0.7}],"gain":2}, {"channels":["ou"]}]}"#;
        let map = read(text.as_bytes()).unwrap();
        let [column] = &map.columns[..] else { panic!("{map:?}") };
        let weighted = DrivenChannel { channel: "aa".into(), weight: Some(-0.7) };
        assert_eq!((column.gain, &column.channels[..]), (2.0, &[DrivenChannel::new("ou"), weighted][..]));
        for (wrong, words) in
            [("-0.7", "\"much\""), ("-0.7", "1e300"), ("2}", "[]}"), ("\"ou\",{", "7,{"), ("\"channel\":\"aa\",", "")]
        {
            let said = read(text.replacen(wrong, words, 1).as_bytes()).unwrap_err().to_string();
            assert!(said.contains("at line 2 column"), "{said}");
            assert!(!said.contains("enum") && !said.contains("Channel"), "{said}");
        }
    }

    #[test]
    fn what_is_no_mapping_is_refused_with_the_reason() {
        for (text, words) in [
            ("{", "JSON"),
            ("[]", "holds no mapping"),
            ("{}", "holds no mapping"),
            (r#"{"smirk":"poses","poses":[]}"#, "holds no mapping"),
            (r#"{"smirk":"mapping","version":99,"columns":[]}"#, "newer"),
            (r#"{"smirk":"mapping","version":1}"#, "not a list of columns"),
        ] {
            let said = read(text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
