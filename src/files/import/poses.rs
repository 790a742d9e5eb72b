//! Poses from JSON: files that Smirk exported, several named poses as `{"smile": {"mouthSmileLeft": 0.8}}`, or a single
//! pose as `{"mouthSmileLeft": 0.8}`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::error::{Fault, Problem};
use smirk_base::json::{self, BoundedList, JsonError};
use smirk_face::head::Subject;
use smirk_face::motion::POSES_FILE_VERSION;

pub type NamedWeights = (String, BTreeMap<String, f32>);

/// What tells what a file of Smirk holds. In files of other programs, poses may have these names.
#[derive(Deserialize)]
pub(super) struct Header {
    #[serde(default)]
    smirk: Value,
    #[serde(default)]
    version: Value,
}

impl Header {
    pub(super) fn read(bytes: &[u8], what: &str) -> Result<Self, Fault> {
        json::read_header(bytes).map_err(|error| match error.0.is_data() {
            true => unfit(what, &error),
            false => Fault::Unfit(format!("is not valid JSON: {error}")),
        })
    }

    /// What the file holds, if Smirk wrote it.
    pub(super) fn kind(&self) -> Option<&str> {
        self.smirk.as_str()
    }

    /// Refuses a file of a later version of Smirk.
    pub(super) fn check_version(&self, latest: u32) -> Result<(), Fault> {
        match self.version.as_u64() {
            Some(version) if version > u64::from(latest) => {
                let advice = format!("this Smirk reads up to {latest}. Open it with a newer one");
                Err(Fault::invalid(Subject::field("version"), Problem::new(format!("is {version}")).advise(advice)))
            }
            _ => Ok(()),
        }
    }
}

/// The fault of a file in which something does not fit its type.
pub(super) fn unfit(what: &str, error: &JsonError) -> Fault {
    Fault::Unfit(format!("holds no {what}: {error}"))
}

#[derive(Deserialize)]
struct OwnFile {
    poses: Option<BoundedList<OwnPose>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnPose {
    name: Option<String>,
    weights: BTreeMap<String, f32>,
}

/// The poses of a file; a single pose without a name is called `name`.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Vec<NamedWeights>, Fault> {
    const WHAT: &str = r#"poses as {"smile": {"mouthSmileLeft": 0.8}} or as Smirk exports them"#;
    let header = Header::read(bytes, WHAT)?;
    match header.kind() {
        Some("poses") => {
            header.check_version(POSES_FILE_VERSION)?;
            let file: OwnFile = json::read(bytes).map_err(|error| unfit("poses that can be read", &error))?;
            let poses = file.poses.ok_or_else(|| Fault::invalid(Subject::field("poses"), "is not a list of poses"))?;
            let named = (1..)
                .zip(poses.0)
                .map(|(number, OwnPose { name, weights })| (name.unwrap_or_else(|| format!("Pose {number}")), weights));
            Ok(named.collect())
        }
        Some(_) => Err(Fault::Unfit(format!("holds no {WHAT}"))),
        None => match (json::read::<BTreeMap<_, _>>(bytes), json::read::<BTreeMap<_, _>>(bytes)) {
            (Ok(weights), _) if !weights.is_empty() => Ok(vec![(name.to_owned(), weights)]),
            (_, Ok(poses)) if poses.len() > BoundedList::<OwnPose>::MOST => {
                Err(Fault::Unfit(format!("holds more than {} poses", BoundedList::<OwnPose>::MOST)))
            }
            (_, Ok(poses)) if !poses.is_empty() => Ok(poses.into_iter().collect()),
            (Err(one), Err(several)) => {
                // What was read further is what is meant.
                let [of_one, of_several] = [&one, &several].map(|error| (error.0.line(), error.0.column()));
                Err(unfit(WHAT, if of_one > of_several { &one } else { &several }))
            }
            _ => Err(Fault::Unfit(format!("holds no {WHAT}"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poses(text: &str) -> Vec<NamedWeights> {
        read(text.as_bytes(), "file").unwrap_or_else(|fault| panic!("{text}: {fault}"))
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
            (r#"{"smile":{"jawOpen":1,"pout":"wide"}}"#, "string \"wide\", expected f32 at line 1 column 3"),
            (r#"{"jawOpen":1,"pout":[]}"#, "expected f32 at line 1 column 2"),
            (r#"{"jawOpen":1e99}"#, "no poses"),
            (r#"{"name":"x","size":3}"#, "no poses"),
            (r#"{"smirk":"project","version":1}"#, "no poses"),
            (r#"{"smirk":"poses","version":2,"poses":[]}"#, "newer"),
            (r#"{"smirk":"poses"}"#, "list"),
            ("{\"smirk\":\"poses\",\n\"poses\":[{\"weights\":7}]}", "at line 2 column 2"),
        ] {
            let fault = read(text.as_bytes(), "file").expect_err(text).to_string();
            assert!(fault.contains(words), "{text}: {fault}");
        }
    }
}
