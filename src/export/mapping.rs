//! A mapping as a JSON file, for other heads and for the command line.

use serde::Serialize;

use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_face::motion::{ColumnMap, MAPPING_FILE_VERSION, TakeMap};

#[derive(Serialize)]
struct MappingFile<'a> {
    smirk: &'static str,
    version: u32,
    columns: &'a [ColumnMap],
}

pub fn save_mapping(output: &OutputPath, map: &TakeMap) -> Result<(), WriteError> {
    let file = MappingFile { smirk: "mapping", version: MAPPING_FILE_VERSION, columns: &map.columns };
    let text = serde_json::to_string_pretty(&file);
    output.write(text.map_err(|error| WriteError::of_content(output.path(), error))?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::motion::DrivenChannel;
    use smirk_files::import;

    #[test]
    fn what_is_exported_is_imported_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("face mapping.json");
        let channels = vec![DrivenChannel::new("ou"), DrivenChannel { channel: "aa".into(), weight: Some(-0.7) }];
        let column =
            ColumnMap { column: "mouthPucker".into(), channels, clamp: Some([0.0, 0.5]), ..ColumnMap::default() };
        let map = TakeMap { columns: vec![column, ColumnMap { column: "jawOpen".into(), ..ColumnMap::default() }] };
        save_mapping(&OutputPath::new(&path), &map).unwrap();
        assert_eq!(import::content_of(&path), smirk_base::file_kind::Content::Mapping);
        assert_eq!(import::open_mapping(&path).unwrap(), map);
    }
}
