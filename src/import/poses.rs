//! Poses from JSON: files that Smirk exported, several named poses as `{"smile": {"mouthSmileLeft": 0.8}}`, or a single pose as
//! `{"mouthSmileLeft": 0.8}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::error::{Fault, Problem};
use crate::head::{Kind, Subject};
use crate::motion::POSES_FILE_VERSION;
use crate::names::quoted;

/// The name of a pose, and its weights by channel name.
pub(crate) type NamedWeights = (String, BTreeMap<String, f32>);

/// The poses of a file; a single pose without a name is called `name`.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Vec<NamedWeights>, Fault> {
    let value: Value = serde_json::from_slice(super::file::without_byte_order_mark(bytes))
        .map_err(|error| Fault::Unfit(format!("is not valid JSON: {error}")))?;
    let fields = value.as_object().ok_or_else(not_poses)?;
    if fields.get("smirk").and_then(Value::as_str) == Some("poses") {
        return read_own_format(fields);
    }
    if fields.is_empty() || !fields.values().all(|value| value.is_number() || value.is_object()) {
        return Err(not_poses());
    }
    if fields.values().any(Value::is_number) {
        return Ok(vec![(name.to_owned(), weights(name, fields)?)]);
    }
    let named = fields.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
    named.map(|(name, fields)| Ok((name.clone(), weights(name, fields)?))).collect()
}

fn not_poses() -> Fault {
    Fault::Unfit(r#"holds no poses: Smirk reads {"smile": {"mouthSmileLeft": 0.8}} and what it exports itself"#.into())
}

fn read_own_format(fields: &Map<String, Value>) -> Result<Vec<NamedWeights>, Fault> {
    let version = fields.get("version").and_then(Value::as_u64).unwrap_or(1);
    if version > u64::from(POSES_FILE_VERSION) {
        let advice = format!("this Smirk reads up to {POSES_FILE_VERSION}. Open it with a newer one");
        let problem = Problem::new(format!("is {version}")).advise(advice);
        return Err(Fault::invalid(Subject::field("version"), problem));
    }
    let poses = fields.get("poses").and_then(Value::as_array);
    let poses = poses.ok_or_else(|| Fault::invalid(Subject::field("poses"), "is not a list of poses"))?;
    let read = |(index, pose): (usize, &Value)| {
        let subject = Subject::Numbered(Kind::Pose, index);
        let name = pose.get("name").and_then(Value::as_str).ok_or_else(|| Fault::invalid(&subject, "has no name"))?;
        let fields = pose.get("weights").and_then(Value::as_object);
        let fields = fields.ok_or_else(|| {
            Fault::invalid(Subject::NumberedAndNamed(Kind::Pose, index, name.to_owned()), "has no weights")
        })?;
        Ok((name.to_owned(), weights(name, fields)?))
    };
    poses.iter().enumerate().map(read).collect()
}

fn weights(pose: &str, fields: &Map<String, Value>) -> Result<BTreeMap<String, f32>, Fault> {
    let weight = |(channel, value): (&String, &Value)| {
        let number = value.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
        let number = number.ok_or_else(|| {
            let subject = Subject::named(Kind::Pose, pose).part(Subject::field(quoted(channel)));
            Fault::invalid(subject, format!("the weight is {}, not a number Smirk can use", quoted(&value.to_string())))
        })?;
        Ok((channel.clone(), number))
    };
    fields.iter().map(weight).collect()
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
            (r#"{"smile":{"jawOpen":"wide"}}"#, "jawOpen"),
            (r#"{"smile":{"jawOpen":1},"jawOpen":1}"#, "smile"),
            (r#"{"jawOpen":1e99}"#, "jawOpen"),
            (r#"{"smirk":"poses","version":2,"poses":[]}"#, "newer"),
            (r#"{"smirk":"poses"}"#, "list"),
            (r#"{"smirk":"poses","poses":[{"name":"a","weights":{}},{"weights":{}}]}"#, "pose 1"),
        ] {
            let fault = read(text.as_bytes(), "file").expect_err(text).to_string();
            assert!(fault.contains(words), "{text}: {fault}");
        }
    }
}
