//! Poses and mappings as JSON files, for other heads, the command line and other programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_face::motion::{ColumnMap, MAPPING_FILE_VERSION, POSES_FILE_VERSION, Pose, TakeMap};

#[derive(Serialize)]
struct PosesFile<'a> {
    smirk: &'static str,
    version: u32,
    poses: Vec<NamedWeights<'a>>,
}

#[derive(Serialize)]
struct NamedWeights<'a> {
    name: &'a str,
    weights: &'a BTreeMap<String, f32>,
}

pub fn save_poses(output: &OutputPath, poses: &[Arc<Pose>]) -> Result<(), WriteError> {
    let text = poses_text(poses.iter().map(|pose| (pose.name.as_str(), &pose.weights)));
    output.write(text.map_err(|error| WriteError::of_content(output.path(), error))?.as_bytes())
}

/// The content of a file of poses: their names, and their weights by channel name.
pub fn poses_text<'a>(poses: impl Iterator<Item = (&'a str, &'a BTreeMap<String, f32>)>) -> serde_json::Result<String> {
    let poses = poses.map(|(name, weights)| NamedWeights { name, weights }).collect();
    serde_json::to_string_pretty(&PosesFile { smirk: "poses", version: POSES_FILE_VERSION, poses })
}

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
    use smirk_face::motion::{DrivenChannel, PoseId};
    use smirk_files::import;

    #[test]
    fn poses_that_are_exported_are_imported_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("poses.json");
        let pose = |id: u32, name: &str, weight: f32| {
            let weights = [("mouthSmileLeft".to_owned(), weight), ("noSuchChannel".to_owned(), -1.5)].into();
            Arc::new(Pose { id: PoseId(id), name: name.into(), weights })
        };
        let poses = [pose(1000, "Smile", 0.8), pose(1001, "Anger \"2\"", 0.1)];
        save_poses(&OutputPath::new(&path), &poses).unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().contains(r#""mouthSmileLeft": 0.8"#));
        assert_eq!(import::content_of(&path), smirk_base::file_kind::Content::Poses);
        let read = import::open_poses(&path).unwrap();
        let expected: Vec<_> = poses.iter().map(|pose| (pose.name.clone(), pose.weights.clone())).collect();
        assert_eq!(read, expected);
        let message = save_poses(&OutputPath::new(folder.path().join("no/such.json")), &poses).unwrap_err().to_string();
        assert!(message.contains("no/such.json"), "{message}");
    }

    #[test]
    fn a_mapping_that_is_exported_is_imported_again() {
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
