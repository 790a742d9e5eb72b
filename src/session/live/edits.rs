//! What the artist chooses about live faces, and can undo.

use serde::{Deserialize, Serialize};

use smirk_face::head::Head;
use smirk_face::motion::{ColumnMap, ColumnMatching, Smoothing, TakeMap, is_same_column};
use smirk_files::live::Calibration;

/// What the artist chooses about live faces: numbers of columns, and smoothing. Which channels a column drives is found
/// by name and by [`ColumnMatching`], as for takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveEdits {
    /// The columns whose numbers were changed. Their channels are not used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnMap>,
    pub smoothing: Smoothing,
}

impl LiveEdits {
    /// No face has more columns whose numbers are worth keeping.
    const MOST_COLUMNS: usize = 4096;

    /// The mapping of columns with these names: their channels as for takes, their numbers as they were chosen, for any
    /// spelling of the name.
    pub fn map_of(&self, names: &[String], head: &Head, matching: &ColumnMatching) -> TakeMap {
        let mut map = matching.map_of(names.iter().map(String::as_str), head);
        for column in &mut map.columns {
            if let Some(known) = self.find(&column.column) {
                *column = std::mem::take(column).with_numbers(known);
            }
        }
        map
    }

    /// Edits the numbers of a column: gain, offset, clamp, neutral, and whether it is used.
    pub fn edit(&mut self, name: &str, change: impl FnOnce(&mut ColumnMap)) {
        let mut column = self.find(name).cloned().unwrap_or_default();
        change(&mut column);
        self.columns.retain(|other| !is_same_column(&other.column, name));
        let column = column.numbers();
        if column != ColumnMap::default() && self.columns.len() < Self::MOST_COLUMNS {
            self.columns.push(ColumnMap { column: name.to_owned(), ..column });
        }
    }

    pub fn calibrate(&mut self, calibration: &Calibration) {
        for (column, name) in calibration.columns().iter().enumerate() {
            self.edit(name, |map| calibration.apply(column, map));
        }
    }

    fn find(&self, name: &str) -> Option<&ColumnMap> {
        self.columns.iter().find(|column| is_same_column(&column.column, name))
    }

    /// The same with numbers that make sense: those of a file may be any.
    pub fn within_reason(&self) -> Self {
        let mut columns = self.columns.clone();
        columns.retain(|column| {
            let clamp = column.clamp.unwrap_or_default();
            [column.gain, column.offset, column.neutral, clamp[0], clamp[1]].iter().all(|number| number.is_finite())
        });
        columns.truncate(Self::MOST_COLUMNS);
        Self { columns, smoothing: self.smoothing.within_reason() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Mesh, Target};
    use smirk_face::motion::DrivenChannel;

    #[test]
    fn numbers_hold_for_every_spelling_and_channels_are_found_by_name() {
        let target = Target { name: "jawOpen".into(), ..Target::default() };
        let meshes = vec![Mesh { targets: vec![target], ..Mesh::default() }];
        let head = Head::new(Asset { name: "test".into(), meshes, ..Asset::default() });
        let mut live = LiveEdits::default();
        live.edit("JawOpen", |column| column.gain = 2.0);
        live.edit("_neutral", |column| column.offset = 0.5);
        let map =
            live.map_of(&["jaw_open".into(), "_neutral".into(), "jawLeft".into()], &head, &ColumnMatching::default());
        assert_eq!(map.columns.iter().map(|column| column.gain).collect::<Vec<_>>(), [2.0, 1.0, 1.0]);
        assert_eq!((&map.columns[0].channels[..], map.columns[1].offset), (&[DrivenChannel::new("jawOpen")][..], 0.5));
        assert_eq!(map.columns[0].column, "jaw_open");
        live.edit("jawOpen", |column| column.gain = 1.0);
        assert_eq!(live.columns.len(), 1, "a column with the usual numbers is not kept");
        let text = serde_json::to_string(&live).unwrap();
        assert_eq!(serde_json::from_str::<LiveEdits>(&text).unwrap(), live);
        live.edit("jawOpen", |column| column.gain = f32::NAN);
        assert_eq!(live.within_reason().columns.len(), 1);
    }
}
