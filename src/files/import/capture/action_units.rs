//! Tables of action units of the Facial Action Coding System, as trackers of faces for research write them. They are
//! recognised by their columns (sources, read in November 2026):
//!
//! | tracker | intensity, 0 to 5 | presence | 0 to 1 |
//! |---|---|---|---|
//! | OpenFace (wiki, *Output Format*) | `AU01_r` | `AU01_c` | |
//! | LibreFace (its README) | `au_1_intensity` | `au_1` | |
//! | PyAFAR (wiki, *Output Format*) | `Int_au_6` | `Occ_au_6` | |
//! | py-feat (`feat/utils`), FACSvatar (its sample tables) | | | `AU01` |
//!
//! Of the other columns of a tracker (landmarks, gaze vectors, emotions) those are left out that name no movement; a
//! table in which nothing says that it is a tracker's keeps all of them. The angles of OpenFace and FACSvatar
//! turn the head and the eyes: `pose_Rx`, `pose_Ry`, `pose_Rz` are the angles of `Rx · Ry · Rz` in radians, in axes of
//! which x is to the right of the image, y is down and z goes away from the camera (`RotationHelpers.h`), so that the
//! head looks down, to the actor's own right, and tilts to the own left where they are positive. `gaze_angle_x` and
//! `gaze_angle_y` are `atan2(x, −z)` and `atan2(y, −z)` of the direction of both eyes in the same axes
//! (`GazeEstimation.cpp`): not relative to the head.
//!
//! py-feat has `Pitch`, `Roll` and `Yaw` in degrees, up, to the own left and to the own right where they are positive
//! (`facepose_detectors/utils.py`); a table that also has `X`, `Y` and `Z` has, under these names, the angles about x,
//! y and z of the same axes as OpenFace, in radians (`FEAT_FACEPOSE_COLUMNS_6D`). LibreFace has `pitch`, `yaw` and
//! `roll` in degrees, up, to the own left and to the own right (`detect_mediapipe_image.py`); how large they are is
//! only roughly right. The page of PyAFAR itself asks whether its `Pitch`, `Yaw` and `Roll` are "in degrees or
//! radians?", and its code is not public: they are left out.

use glam::{Quat, Vec3};

use super::text::is_key;
use smirk_base::names::quoted;
use smirk_face::head::{ARKIT_NAMES, ChannelNames, FaceTurns, Kind, Note, Notes, Subject, Turn};
use smirk_face::motion::{ANGLE_COLUMNS, Angle, Take, angle_values};

/// A table has action units if so many of its columns are.
const FEWEST: usize = 3;
/// The intensity of an action unit at its strongest.
const LARGEST_INTENSITY: f32 = 5.0;
/// A tracker that says only how confident it is has lost the face below this.
pub(super) const LEAST_CONFIDENCE: f32 = 0.5;
/// A value above this is an intensity of 0 to 5, and no weight that was overdriven.
const LARGEST_WEIGHT: f32 = 2.0;
/// Gaze angles beyond this, in radians, are those of no eye.
const LARGEST_GAZE: f32 = 1.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// 0 to 5.
    Intensity,
    /// 0 or 1, or how likely it is.
    Presence,
    /// 0 to 1, or 0 to 5 where a value is above [`LARGEST_WEIGHT`].
    Unknown,
}

/// How a tracker says how the head is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoseForm {
    /// `pose_Rx`, `pose_Ry`, `pose_Rz`.
    OpenFace,
    /// `Pitch`, `Roll`, `Yaw` in degrees.
    PyFeat,
    /// The angles about x, y and z in radians under the same names.
    PyFeatOfAxes,
    /// `pitch`, `yaw`, `roll` in degrees.
    LibreFace,
}

/// A column with an action unit.
#[derive(Debug)]
struct Unit {
    at: usize,
    /// `AU01`, or `AU01L` of one side.
    name: String,
    scale: Scale,
}

/// What the columns of a table of action units are.
#[derive(Debug)]
pub(super) struct ActionUnits {
    units: Vec<Unit>,
    /// Other columns of the take, with their names.
    others: Vec<(usize, String)>,
    /// The columns of the three angles of the head.
    pose: Option<([usize; 3], PoseForm)>,
    gaze: Option<[usize; 2]>,
    success: Option<usize>,
    confidence: Option<usize>,
    /// The number of a person, where several are in one table.
    pub person: Option<usize>,
}

impl ActionUnits {
    /// `None` if the columns are no action units. `values` are the columns that may have values of a face.
    pub(super) fn from_headers(headers: &[String], values: &[usize], notes: &mut Notes) -> Option<Self> {
        let has_left = headers.iter().any(|header| named_unit(header).is_some_and(|(_, rest)| rest == "l"));
        let named = headers.iter().enumerate().filter_map(|(at, header)| {
            let (number, rest) = named_unit(header)?;
            let (side, scale) = match rest.as_str() {
                "l" => ("L", Scale::Unknown),
                "r" if has_left => ("R", Scale::Unknown),
                "r" | "intensity" | "int" => ("", Scale::Intensity),
                "c" | "occ" => ("", Scale::Presence),
                "" => ("", Scale::Unknown),
                _ => return None,
            };
            Some(Unit { at, name: format!("AU{number:02}{side}"), scale })
        });
        let mut units: Vec<Unit> = named.collect();
        if units.len() < FEWEST {
            return None;
        }
        let intensities: Vec<String> =
            units.iter().filter(|unit| unit.scale == Scale::Intensity).map(|unit| unit.name.clone()).collect();
        if !intensities.is_empty() {
            let unknown = units.iter_mut().filter(|unit| unit.scale == Scale::Unknown);
            unknown.for_each(|unit| unit.scale = Scale::Presence);
        }
        let named: Vec<usize> = units.iter().map(|unit| unit.at).collect();
        units.retain(|unit| unit.scale != Scale::Presence || !intensities.contains(&unit.name));
        let find = |key: &str| headers.iter().position(|header| is_key(header, key));
        let all = |keys: [&str; 3]| Some([find(keys[0])?, find(keys[1])?, find(keys[2])?]);
        let mut found = Self {
            units,
            others: Vec::new(),
            pose: all(["poserx", "posery", "poserz"]).map(|at| (at, PoseForm::OpenFace)),
            gaze: find("gazeanglex").zip(find("gazeangley")).map(<[usize; 2]>::from),
            success: find("success"),
            confidence: find("confidence"),
            person: ["faceid", "personid", "face"].into_iter().find_map(find),
        };
        let is_libre_face =
            headers.iter().any(|header| named_unit(header).is_some_and(|(_, rest)| rest == "intensity"));
        let is_py_feat = find("facescore").or(find("facerectx")).is_some();
        if found.pose.is_none() && (is_libre_face || is_py_feat) {
            let (order, form) = match () {
                () if is_libre_face => (["pitch", "yaw", "roll"], PoseForm::LibreFace),
                () if all(["x", "y", "z"]).is_some() => (["pitch", "roll", "yaw"], PoseForm::PyFeatOfAxes),
                () => (["pitch", "roll", "yaw"], PoseForm::PyFeat),
            };
            found.pose = all(order).map(|at| (at, form));
        }
        let is_py_afar = headers.iter().any(|header| named_unit(header).is_some_and(|(_, rest)| rest == "occ"));
        if is_py_afar && found.pose.is_none() && all(["pitch", "yaw", "roll"]).is_some() {
            let message = "pitch, yaw and roll of PyAFAR have no unit and sign that are known; left out";
            notes.inform(Subject::field("columns"), message);
        }
        let angles = found.pose.into_iter().flat_map(|(at, _)| at).chain(found.gaze.into_iter().flatten());
        let of_tracker = [found.success, found.confidence, found.person, find("facescore")];
        let read: Vec<usize> = angles.chain(of_tracker.into_iter().flatten()).collect();
        let is_of_tracker = !read.is_empty() || found.units.iter().any(|unit| unit.scale != Scale::Unknown);
        let movements = ChannelNames::from_names(&ARKIT_NAMES.map(str::to_owned));
        let is_movement = |name: &str| Angle::of_column(name).is_some() || !movements.alike(name).is_empty();
        let others = values.iter().filter(|at| !read.contains(at) && !named.contains(at));
        let (kept, left_out) =
            others.map(|&at| (at, headers[at].clone())).partition(|(_, name)| !is_of_tracker || is_movement(name));
        found.others = kept;
        found.note_columns(left_out, notes);
        Some(found)
    }

    fn note_columns(&self, left_out: Vec<(usize, String)>, notes: &mut Notes) {
        let count = self.units.len();
        let scale = if self.units.iter().any(|unit| unit.scale == Scale::Intensity) {
            "; intensities are divided by 5"
        } else {
            ""
        };
        notes.inform(Subject::field("columns"), format!("{count} action units{scale}"));
        if let [(_, first), ..] = left_out.as_slice() {
            let first = quoted(first);
            let message = match left_out.len() {
                1 => format!("{first} is no action unit; left out"),
                count => format!("{count} others, {first} and so on, are no action units; left out"),
            };
            notes.inform(Subject::field("columns"), message);
        }
    }

    /// The names of the columns of the take: the action units, the others, and the angles in the form of Live Link
    /// Face.
    pub(super) fn names(&self) -> Vec<String> {
        let angles = self.angles().map(|index| ANGLE_COLUMNS[index].to_owned());
        let units = self.units.iter().map(|unit| unit.name.clone());
        units.chain(self.others.iter().map(|(_, name)| name.clone())).chain(angles).collect()
    }

    /// The indices in [`ANGLE_COLUMNS`] of the angles that the table has.
    fn angles(&self) -> impl Iterator<Item = usize> {
        let head = self.pose.map(|_| 0..3).into_iter().flatten();
        head.chain(self.gaze.map(|_| [3, 4, 6, 7]).into_iter().flatten())
    }

    /// Whether the tracker had lost the face; `number` has the numbers of the row's cells.
    pub(super) fn is_lost(&self, number: impl Fn(usize) -> f32) -> bool {
        match (self.success, self.confidence) {
            (Some(success), _) => number(success) == 0.0,
            (None, Some(confidence)) => number(confidence) < LEAST_CONFIDENCE,
            (None, None) => false,
        }
    }

    /// The values of a row in the order of [`Self::names`]; `number` has the numbers of its cells, NaN for a missing
    /// one.
    pub(super) fn values(&self, number: impl Fn(usize) -> f32) -> Vec<f32> {
        let units = self.units.iter().map(|unit| match unit.scale {
            Scale::Intensity => number(unit.at) / LARGEST_INTENSITY,
            Scale::Presence | Scale::Unknown => number(unit.at),
        });
        let head = self.pose.map_or(Quat::IDENTITY, |(at, form)| rotation(form, at.map(&number)));
        let angles = angle_values(&turns(head, self.gaze.map(|at| at.map(&number))));
        let is_known = |at: &[usize]| at.iter().all(|at| number(*at).is_finite());
        let knows_head = self.pose.is_none_or(|(at, _)| is_known(&at));
        let knows_eyes = knows_head && self.gaze.is_none_or(|at| is_known(&at));
        let angles = self.angles().map(|index| {
            let is_known = if index < 3 { knows_head } else { knows_eyes };
            if is_known { angles[index] } else { f32::NAN }
        });
        units.chain(self.others.iter().map(|(at, _)| number(*at))).chain(angles).collect()
    }

    /// Divides the action units of the takes of one table by 5 whose scale no name says, if one of their values is too
    /// large for a weight.
    pub(super) fn find_scale(&self, takes: &mut [Take]) {
        let unknown = self.units.iter().filter(|unit| unit.scale == Scale::Unknown);
        let names: Vec<&str> = unknown.map(|unit| unit.name.as_str()).collect();
        let columns = |take: &Take| -> Vec<usize> {
            take.column_names().enumerate().filter(|(_, name)| names.contains(name)).map(|(column, _)| column).collect()
        };
        let is_too_large = |take: &Take, column: usize| {
            let curve = take.curve_of(column);
            curve.is_some_and(|(curve, at)| {
                (0..curve.times().len()).any(|key| curve.key_value(key, at) > LARGEST_WEIGHT)
            })
        };
        if !takes.iter().any(|take| columns(take).into_iter().any(|column| is_too_large(take, column))) {
            return;
        }
        for take in takes {
            for column in columns(take) {
                let (track, element) = (take.columns[column].track, take.columns[column].element);
                take.tracks[track].scale_element(element, 1.0 / LARGEST_INTENSITY);
            }
            let message = "action units with values above 2 are intensities of 0 to 5; all are divided by 5";
            take.notes.push(Note::info(Subject::field("columns"), message));
        }
    }

    pub(super) fn note_lost(lost: &[usize], notes: &mut Notes) {
        if !lost.is_empty() {
            let message = "the tracker had lost the face; left out, and bridged by the frames around";
            notes.warn(Subject::numbered(Kind::Line, lost), message);
        }
    }
}

/// How the head is turned, by the angles of a tracker in the order of its columns.
fn rotation(form: PoseForm, [a, b, c]: [f32; 3]) -> Quat {
    // Half a turn about x leads from the tracker's axes to those of a head, which has its own left at x, up at y and
    // looks along z: it changes the signs of the angles about y and z.
    let [x, y, z] = match form {
        PoseForm::OpenFace | PoseForm::PyFeatOfAxes => [a, -b, -c],
        PoseForm::PyFeat => [-a, -c, -b].map(f32::to_radians),
        PoseForm::LibreFace => [-a, b, c].map(f32::to_radians),
    };
    let [x, y, z] = [Quat::from_rotation_x(x), Quat::from_rotation_y(y), Quat::from_rotation_z(z)];
    match form {
        PoseForm::OpenFace | PoseForm::PyFeat => x * y * z,
        PoseForm::PyFeatOfAxes => z * y * x,
        PoseForm::LibreFace => y * x * z,
    }
}

/// The angles of Live Link Face, in the order of [`ANGLE_COLUMNS`], by those of OpenFace.
pub(super) fn angles_of_openface(pose: [f32; 3], gaze: Option<[f32; 2]>) -> [f32; 9] {
    angle_values(&turns(rotation(PoseForm::OpenFace, pose), gaze))
}

/// The turns of the head and of the eyes relative to it, by OpenFace's angles of the gaze.
fn turns(head: Quat, gaze: Option<[f32; 2]>) -> FaceTurns {
    let eye = gaze.map_or(Turn::NONE, |angles| {
        let [x, y] = angles.map(|angle| angle.clamp(-LARGEST_GAZE, LARGEST_GAZE).tan());
        let to = head.inverse() * Vec3::new(x, -y, 1.0);
        Turn { yaw: to.x.atan2(to.z), pitch: (-to.y).atan2(to.x.hypot(to.z)), roll: 0.0 }
    });
    FaceTurns { head: Turn::of_rotation(head), eyes: [eye; 2] }
}

/// The number of the action unit that a header names, and what its name says besides, in lower case: `r` of `AU01_r`,
/// `intensity` of `au_1_intensity`, `int` of `Int_au_6`.
fn named_unit(header: &str) -> Option<(u8, String)> {
    let name: String = header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let (before, rest) = ["int", "occ", ""].into_iter().find_map(|before| {
        let rest = name.strip_prefix(before)?.strip_prefix("au")?;
        Some((before, rest))
    })?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok().filter(|_| digits <= 2)?;
    let after = &rest[digits..];
    match (before, after) {
        ("", after) => Some((number, after.to_owned())),
        (before, "") => Some((number, before.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(text: &str) -> Vec<String> {
        text.split(", ").map(str::to_owned).collect()
    }

    fn found(text: &str) -> (Option<ActionUnits>, Vec<String>) {
        let mut notes = Notes::default();
        let headers = headers(text);
        let values: Vec<usize> = (0..headers.len()).filter(|&at| headers[at] != "frame").collect();
        let units = ActionUnits::from_headers(&headers, &values, &mut notes);
        (units, notes.into_list().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn the_columns_of_every_tracker_are_known() {
        for (text, names) in [
            ("frame, AU01_r, AU02_r, AU45_r, AU01_c, AU02_c, AU28_c, AU45_c", "AU01 AU02 AU45 AU28"),
            ("frame, au_1, au_2, au_7, au_1_intensity, au_2_intensity, au_5_intensity", "AU07 AU01 AU02 AU05"),
            ("frame, Occ_au_1, Occ_au_6, Int_au_6, Occ_au_12", "AU01 AU06 AU12"),
            ("frame, AU01, AU02, AU43", "AU01 AU02 AU43"),
            ("frame, AU12L, AU12R, AU1", "AU12L AU12R AU01"),
            ("frame, AU12_L, AU12_R, AU1", "AU12L AU12R AU01"),
        ] {
            let units = found(text).0.unwrap_or_else(|| panic!("{text}"));
            // What the table says of one unit twice is taken once.
            let names: Vec<&str> = names.split(' ').collect();
            assert_eq!(units.names(), names, "{text}");
        }
        for none in ["frame, AU01_r, AU02_r", "frame, jawOpen, browDownLeft, aunt1, August12", "AUDIO, AU, AU123, AU1x"]
        {
            assert!(found(none).0.is_none(), "{none}");
        }
    }

    #[test]
    fn movements_beside_units_stay_and_so_does_all_that_is_no_trackers() {
        let names = |text: &str| found(text).0.unwrap().names();
        assert_eq!(names("frame, AU01_r, AU02_r, AU04_r, x_0, jawOpen, HeadYaw, anger")[3..], ["jawOpen", "HeadYaw"]);
        assert_eq!(names("frame, AU01, AU02, AU04, myShape, HeadYaw")[3..], ["myShape", "HeadYaw"], "our own tables");
        assert_eq!(names("frame, AU01, AU02, AU04, FaceScore, myShape, x_0").len(), 3);
    }

    #[test]
    fn angles_of_every_tracker_turn_the_head_the_same_way() {
        let turned = |text: &str, row: &[f32]| {
            let units = found(&format!("frame, {text}")).0.unwrap();
            let values = units.values(|at| at.checked_sub(1).and_then(|at| row.get(at)).copied().unwrap_or(0.0));
            let of = |name: &str| values[units.names().iter().position(|other| other == name).unwrap()];
            ["HeadYaw", "HeadPitch", "HeadRoll"].map(of)
        };
        let near = |found: [f32; 3], wanted: [f32; 3]| {
            let off = found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).abs()).fold(0.0, f32::max);
            assert!(off < 1e-5, "{found:?} is not {wanted:?}");
        };
        let ten = 10.0_f32.to_radians();
        // To the own left, up and to the own right are positive.
        let libre_face = "pitch, yaw, roll, au_1_intensity, au_2_intensity, au_4_intensity";
        near(turned(libre_face, &[10.0, 0.0, 0.0]), [0.0, ten, 0.0]);
        near(turned(libre_face, &[0.0, 10.0, 0.0]), [ten, 0.0, 0.0]);
        near(turned(libre_face, &[0.0, 0.0, 10.0]), [0.0, 0.0, ten]);
        let py_feat = "Pitch, Roll, Yaw, FaceScore, AU01, AU02, AU04";
        near(turned(py_feat, &[10.0, 0.0, 0.0]), [0.0, ten, 0.0]);
        near(turned(py_feat, &[0.0, 10.0, 0.0]), [0.0, 0.0, -ten]);
        near(turned(py_feat, &[0.0, 0.0, 10.0]), [-ten, 0.0, 0.0]);
        let of_axes = "Pitch, Roll, Yaw, X, Y, Z, FaceScore, AU01, AU02, AU04";
        near(turned(of_axes, &[ten, 0.0, 0.0]), [0.0, -ten, 0.0]);
        near(turned(of_axes, &[0.0, ten, 0.0]), [-ten, 0.0, 0.0]);
        near(turned(of_axes, &[0.0, 0.0, ten]), [0.0, 0.0, -ten]);
        assert!(found("frame, pitch, yaw, roll, AU01, AU02, AU04").0.unwrap().pose.is_none(), "no tracker is known");
        let (units, notes) = found("Frame, Pitch, Yaw, Roll, Occ_au_1, Occ_au_2, Int_au_6");
        assert!(units.unwrap().pose.is_none() && notes[0].contains("of PyAFAR have no unit"), "{notes:?}");
    }

    #[test]
    fn intensities_are_a_fifth_and_presence_is_as_it_is() {
        let (units, notes) = found("frame, AU01_r, AU02_r, AU02_c, AU28_c, x_0, x_1, success");
        let units = units.unwrap();
        let row = [0.0, 2.5, 5.0, 1.0, 1.0, 3.0, 3.0, 1.0];
        assert_eq!(units.values(|at| row[at]), [0.5, 1.0, 1.0]);
        assert!(!units.is_lost(|at| row[at]) && units.is_lost(|_| 0.0));
        assert_eq!(
            notes,
            [
                "columns: 3 action units; intensities are divided by 5",
                "columns: 2 others, \"x_0\" and so on, are no action units; left out"
            ]
        );
    }

    #[test]
    fn the_head_and_the_eyes_turn_as_the_tracker_saw_them() {
        let columns = "AU01_r, AU02_r, AU04_r, pose_Rx, pose_Ry, pose_Rz, gaze_angle_x, gaze_angle_y";
        let units = found(columns).0.unwrap();
        assert_eq!(
            units.names()[3..],
            ANGLE_COLUMNS.map(str::to_owned)[..]
                .iter()
                .enumerate()
                .filter(|(index, _)| ![5, 8].contains(index))
                .map(|(_, name)| name.clone())
                .collect::<Vec<_>>()
        );
        let near = |pose: [f32; 3], gaze: [f32; 2], expected: [f32; 7]| {
            let values = units.values(|at| match at {
                3..6 => pose[at - 3],
                6..8 => gaze[at - 6],
                _ => 0.0,
            });
            let off = values[3..].iter().zip(expected).map(|(value, expected)| (value - expected).abs());
            assert!(off.fold(0.0, f32::max) < 1e-5, "{values:?} is not {expected:?}");
        };
        // Down, to the own right and tilted to the own left: yaw to the own left, pitch up and roll to the own right
        // are positive for the head in Live Link Face, for eyes those to the own right and down. Eyes that look into
        // the camera turn back by as much as the head turns.
        near([0.2, 0.0, 0.0], [0.0, 0.2], [0.0, -0.2, 0.0, 0.0, 0.0, 0.0, 0.0]);
        near([0.0, 0.3, 0.0], [-0.3, 0.0], [-0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        near([0.0, 0.0, 0.1], [0.0, 0.0], [0.0, 0.0, -0.1, 0.0, 0.0, 0.0, 0.0]);
        near([0.0; 3], [0.25, 0.0], [0.0, 0.0, 0.0, -0.25, 0.0, -0.25, 0.0]);
        near([0.0; 3], [0.0, 0.15], [0.0, 0.0, 0.0, 0.0, 0.15, 0.0, 0.15]);
        near([0.0, 0.3, 0.0], [0.0, 0.0], [-0.3, 0.0, 0.0, -0.3, 0.0, -0.3, 0.0]);
        let unknown = units.values(|at| if at == 4 { f32::NAN } else { 0.0 });
        assert!(unknown[3..].iter().all(|angle| angle.is_nan()));
    }
}
