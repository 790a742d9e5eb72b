//! The named values of a packet as the columns and values of a frame.

use std::collections::HashMap;
use std::sync::Arc;

use super::PacketError;
use smirk_face::head::{FaceTurns, Turn};
use smirk_face::motion::{ANGLE_COLUMNS, angle_values};

/// The largest number of values of one face, without the angles. No app has as many.
pub(super) const MAX_COLUMNS: usize = 4096;
pub(super) const MAX_NAME_BYTES: usize = 255;

pub(super) const HEAD_ANGLES: [&str; 3] = [ANGLE_COLUMNS[0], ANGLE_COLUMNS[1], ANGLE_COLUMNS[2]];

pub(super) fn head_angles(head: Turn) -> [f32; 3] {
    let [yaw, pitch, roll, ..] = angle_values(&FaceTurns { head, ..FaceTurns::NONE });
    [yaw, pitch, roll]
}

#[derive(Debug, Default)]
pub(super) struct NamedValues<'a>(Vec<(&'a str, f32)>);

impl<'a> NamedValues<'a> {
    /// Adds a value. An error if it is not finite, or if there are too many.
    pub(super) fn push(&mut self, name: &'a str, value: f32) -> Result<(), PacketError> {
        limit("the length of a name", name.len(), MAX_NAME_BYTES)?;
        limit("the number of values", self.0.len() + 1, MAX_COLUMNS + ANGLE_COLUMNS.len())?;
        if !value.is_finite() {
            return Err(PacketError::NotFinite { column: name.to_owned() });
        }
        self.0.push((name, value));
        Ok(())
    }

    pub(super) fn push_head(&mut self, head: Turn) -> Result<(), PacketError> {
        self.push_angles(&FaceTurns { head, ..FaceTurns::NONE }, 0..3)
    }

    /// Adds the columns of the angles of the actor's own left eye and of the right one.
    pub(super) fn push_eyes(&mut self, eyes: [Turn; 2]) -> Result<(), PacketError> {
        self.push_angles(&FaceTurns { eyes, ..FaceTurns::NONE }, 3..9)
    }

    fn push_angles(&mut self, turns: &FaceTurns, columns: std::ops::Range<usize>) -> Result<(), PacketError> {
        let values = angle_values(turns);
        columns.into_iter().try_for_each(|column| self.push(ANGLE_COLUMNS[column], values[column]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[cfg(test)]
    pub(super) fn get(&self, name: &str) -> Option<f32> {
        self.0.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

fn limit(field: &'static str, found: usize, most: usize) -> Result<(), PacketError> {
    if found > most {
        return Err(PacketError::Limit { field, found: found as u64, most: most as u64 });
    }
    Ok(())
}

/// A turn whose angles are in degrees. An angle that is not finite is an error, since it would be lost in the
/// conversion.
pub(super) fn turn_of_degrees(pitch: f32, yaw: f32, roll: f32) -> Result<Turn, PacketError> {
    if [pitch, yaw, roll].iter().any(|angle| !angle.is_finite()) {
        return Err(PacketError::NotFinite { column: "angle".into() });
    }
    Ok(Turn { pitch: pitch.to_radians(), yaw: yaw.to_radians(), roll: roll.to_radians() })
}

/// The list of columns that the frames of one sender share for as long as its names stay the same.
#[derive(Debug, Default)]
pub(super) struct SharedColumns(Option<Arc<[String]>>);

impl SharedColumns {
    /// The columns and values of a frame. Of two values of one name the last counts.
    pub(super) fn share(&mut self, named: &NamedValues<'_>) -> (Arc<[String]>, Vec<f32>) {
        if let Some(columns) = &self.0
            && columns.iter().eq(named.0.iter().map(|(name, _)| *name))
        {
            return (columns.clone(), named.0.iter().map(|(_, value)| *value).collect());
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let mut known: HashMap<&str, usize> = HashMap::new();
        for &(name, value) in &named.0 {
            let at = *known.entry(name).or_insert(names.len());
            if at == names.len() {
                names.push(name);
                values.push(value);
            } else {
                values[at] = value;
            }
        }
        let columns = match self.0.take().filter(|columns| columns.iter().eq(&names)) {
            Some(columns) => columns,
            None => names.into_iter().map(str::to_owned).collect(),
        };
        self.0 = Some(columns.clone());
        (columns, values)
    }
}

/// A text that the frames of one sender share for as long as it stays the same.
#[derive(Debug)]
pub(super) struct SharedText(Arc<str>);

impl Default for SharedText {
    fn default() -> Self {
        Self("".into())
    }
}

impl SharedText {
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if *self.0 != *text {
            self.0 = text.into();
        }
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<'a>(pairs: &[(&'a str, f32)]) -> NamedValues<'a> {
        let mut named = NamedValues::default();
        pairs.iter().for_each(|(name, value)| named.push(name, *value).unwrap());
        named
    }

    #[test]
    fn frames_share_their_columns_until_the_names_change() {
        let mut columns = SharedColumns::default();
        let (first, values) = columns.share(&named(&[("a", 0.1), ("b", 0.2), ("a", 0.3)]));
        assert_eq!((&*first, values), (&["a".to_owned(), "b".into()][..], vec![0.3, 0.2]), "the last of a name counts");
        let (second, _) = columns.share(&named(&[("a", 0.5), ("b", 0.6)]));
        assert!(Arc::ptr_eq(&first, &second));
        let (doubled, _) = columns.share(&named(&[("a", 0.5), ("b", 0.6), ("b", 0.7)]));
        assert!(Arc::ptr_eq(&first, &doubled));
        let (other, _) = columns.share(&named(&[("b", 0.5), ("a", 0.6)]));
        assert!(!Arc::ptr_eq(&first, &other));
    }

    #[test]
    fn values_that_no_face_has_are_refused() {
        let mut values = NamedValues::default();
        assert_eq!(values.push("a", f32::NAN), Err(PacketError::NotFinite { column: "a".into() }));
        let long = "a".repeat(256);
        let limit = PacketError::Limit { field: "the length of a name", found: 256, most: 255 };
        assert_eq!(values.push(&long, 0.0), Err(limit));
        for _ in 0..MAX_COLUMNS + 9 {
            values.push("a", 0.0).unwrap();
        }
        assert!(matches!(values.push("a", 0.0), Err(PacketError::Limit { found: 4106, .. })));
        assert!(turn_of_degrees(0.0, f32::INFINITY, 0.0).is_err());
    }

    #[test]
    fn angles_have_the_units_and_signs_of_takes() {
        let mut values = NamedValues::default();
        let turn = turn_of_degrees(10.0, 20.0, 30.0).unwrap();
        values.push_head(turn).unwrap();
        values.push_eyes([turn, Turn::NONE]).unwrap();
        let get = |name| values.get(name).unwrap().to_degrees();
        let near = |is: f32, should: f32| assert!((is - should).abs() < 1e-4, "{is}, not {should}");
        near(get("HeadPitch"), -10.0);
        near(get("HeadYaw"), 20.0);
        near(get("LeftEyePitch"), 10.0);
        near(get("LeftEyeYaw"), -20.0);
        near(get("RightEyeYaw"), 0.0);
    }
}
