//! Poses from JSON: files that Smirk exported, several named poses as `{"smile": {"mouthSmileLeft": 0.8}}`, or a single pose as
//! `{"mouthSmileLeft": 0.8}`. A weight or a pose that cannot be read is left out, with a note.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{Fault, Problem};
use smirk_base::json::{JsonError, LostValue, LostValues, Text};
use smirk_face::head::{Note, Subject};
use smirk_face::motion::POSES_FILE_VERSION;

/// The name of a pose, and its weights by channel name.
pub type NamedWeights = (String, BTreeMap<String, f32>);

/// The poses of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedPoses {
    /// The poses.
    pub poses: Vec<NamedWeights>,
    /// What could not be read.
    pub notes: Vec<Note>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Header {
    smirk: Option<String>,
    version: Option<u64>,
}

/// A file that Smirk exported.
#[derive(Deserialize)]
struct OwnFile {
    poses: Option<Vec<OwnPose>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnPose {
    name: Option<String>,
    weights: BTreeMap<String, f32>,
}

/// The poses of a file; a single pose without a name is called `name`.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<ImportedPoses, Fault> {
    let text = Text::of(bytes).map_err(|error| Fault::Unfit(format!("is not valid JSON: {error}")))?;
    let (header, _) = text.read::<Header>().map_err(|_| not_poses())?;
    let (poses, lost): (Vec<NamedWeights>, LostValues) = match header.smirk.as_deref() {
        Some("poses") => read_own_format(&text, header.version.unwrap_or(1))?,
        Some(_) => return Err(not_poses()),
        None => {
            let members = text.members();
            if members.others >= members.numbers + members.objects {
                return Err(not_poses());
            }
            if members.numbers >= members.objects {
                let (weights, lost) = text.read().map_err(unfit)?;
                (vec![(name.to_owned(), weights)], lost)
            } else {
                let (poses, lost) = text.read::<BTreeMap<_, _>>().map_err(unfit)?;
                (poses.into_iter().collect(), lost)
            }
        }
    };
    if !lost.is_empty() && poses.iter().all(|(_, weights)| weights.is_empty()) {
        return Err(not_poses());
    }
    Ok(ImportedPoses { poses, notes: notes(&lost) })
}

fn not_poses() -> Fault {
    Fault::Unfit(r#"holds no poses: Smirk reads {"smile": {"mouthSmileLeft": 0.8}} and what it exports itself"#.into())
}

fn unfit(error: JsonError) -> Fault {
    match error {
        JsonError::Broken(_) => not_poses(),
        error => Fault::Unfit(format!("is too large: {error}")),
    }
}

fn read_own_format(text: &Text<'_>, version: u64) -> Result<(Vec<NamedWeights>, LostValues), Fault> {
    check_version(version, POSES_FILE_VERSION)?;
    let (file, lost) = text.read::<OwnFile>().map_err(unfit)?;
    let poses = file.poses.ok_or_else(|| Fault::invalid(Subject::field("poses"), "is not a list of poses"))?;
    let named =
        |(index, pose): (usize, OwnPose)| (pose.name.unwrap_or_else(|| format!("Pose {}", index + 1)), pose.weights);
    Ok((poses.into_iter().enumerate().map(named).collect(), lost))
}

/// Refuses a file of a later version of Smirk.
pub(super) fn check_version(version: u64, latest: u32) -> Result<(), Fault> {
    if version <= u64::from(latest) {
        return Ok(());
    }
    let advice = format!("this Smirk reads up to {latest}. Open it with a newer one");
    Err(Fault::invalid(Subject::field("version"), Problem::new(format!("is {version}")).advise(advice)))
}

/// What could not be read of a file.
pub(super) fn notes(lost: &LostValues) -> Vec<Note> {
    let note = |value: &LostValue| Note::warning(Subject::field(value.place.clone()), value.message());
    let more = (lost.unlisted() > 0).then(|| format!("{} more values could not be read", lost.unlisted()));
    lost.listed.iter().map(note).chain(more.map(|more| Note::warning(Subject::File, more))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poses(text: &str) -> Vec<NamedWeights> {
        let read = read(text.as_bytes(), "file").unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(read.notes, [], "{text}");
        read.poses
    }

    fn pose(name: &str, weights: &[(&str, f32)]) -> NamedWeights {
        (name.into(), weights.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect())
    }

    #[test]
    fn all_three_forms_are_read() {
        let smile = pose("smile", &[("mouthSmileLeft", 0.8)]);
        let own =
            r#"{"smirk":"poses","version":1,"poses":[{"name":"smile","weights":{"mouthSmileLeft":0.8},"mood":3}]}"#;
        assert_eq!(poses(own), std::slice::from_ref(&smile));
        assert_eq!(poses("\u{feff}{\"smile\":{\"mouthSmileLeft\":0.8},\"rest\":{}}"), [pose("rest", &[]), smile],);
        assert_eq!(poses(r#"{"jawOpen":1}"#), [pose("file", &[("jawOpen", 1.0)])]);
    }

    #[test]
    fn errors_contain_the_name_of_their_object() {
        for (text, words) in [
            ("{", "JSON"),
            ("[]", "no poses"),
            ("{}", "no poses"),
            (r#"{"smile":{"jawOpen":"wide"}}"#, "no poses"),
            (r#"{"jawOpen":1e99}"#, "no poses"),
            (r#"{"name":"x","size":3}"#, "no poses"),
            (r#"{"smirk":"project","version":1}"#, "no poses"),
            (r#"{"smirk":"poses","version":2,"poses":[]}"#, "newer"),
            (r#"{"smirk":"poses"}"#, "list"),
        ] {
            let fault = read(text.as_bytes(), "file").expect_err(text).to_string();
            assert!(fault.contains(words), "{text}: {fault}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_named() {
        let smile = || pose("smile", &[("mouthSmileLeft", 0.8)]);
        for (text, kept, place) in [
            (r#"{"smile":{"mouthSmileLeft":0.8,"jawOpen":"wide"}}"#, vec![smile()], "smile.jawOpen"),
            (r#"{"smile":{"mouthSmileLeft":0.8},"sad":{"x":1e99}}"#, vec![pose("sad", &[]), smile()], "sad.x"),
            (r#"{"smile":{"mouthSmileLeft":0.8},"sad":7}"#, vec![pose("file", &[("sad", 7.0)])], "smile"),
            (r#"{"smile":{"mouthSmileLeft":0.8},"a":{},"sad":7}"#, vec![pose("a", &[]), smile()], "sad"),
            (r#"{"jawOpen":1,"blink":null,"pout":2}"#, vec![pose("file", &[("jawOpen", 1.0), ("pout", 2.0)])], "blink"),
            (
                r#"{"smirk":"poses","poses":[{"name":7,"weights":{"mouthSmileLeft":0.8}},{"weights":{}}]}"#,
                vec![pose("Pose 1", &[("mouthSmileLeft", 0.8)]), pose("Pose 2", &[])],
                "poses[0].name",
            ),
            (
                r#"{"smirk":"poses","poses":[7,{"name":"smile","weights":{"mouthSmileLeft":0.8}}]}"#,
                vec![smile()],
                "poses[0]",
            ),
        ] {
            let read = read(text.as_bytes(), "file").unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(read.poses, kept, "{text}");
            assert!(read.notes.len() == 1 && read.notes[0].to_string().starts_with(place), "{text}: {:?}", read.notes);
        }
    }
}
