//! The file of correctives beside a head: `ada.correctives.json` beside `ada.glb`. Nothing in it keeps the head from
//! being opened. A file with an error in its form is not used at all, because a combination that lacks a driver would
//! play wrongly; a corrective that the head cannot have is left out alone. Both are notes of the head.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::error::Problem;
use super::file::without_byte_order_mark;
use super::sidecar::{ModelFolder, fetch_path};
use smirk_base::names::quoted;
use smirk_base::regular_file;
use smirk_base::watch::before_reading;
use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, Note, Subject};

const MOST_BYTES: u64 = 1 << 20;
const MOST_CORRECTIVES: usize = 4096;
const MOST_DRIVERS: usize = 32;

/// Where the file of correctives of a head is, whether or not there is one.
pub fn correctives_beside(head: &Path) -> PathBuf {
    head.with_extension("correctives.json")
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CorrectivesFile {
    combinations: Vec<CombinationRecord>,
    in_betweens: Vec<InBetweenRecord>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CombinationRecord {
    target: String,
    drivers: Vec<DriverRecord>,
    #[serde(default, rename = "rule")]
    method: CombinationMethod,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InBetweenRecord {
    target: String,
    of: String,
    at: f32,
}

/// A driver: the name of a channel, or an object with its full weight.
struct DriverRecord {
    target: String,
    full_weight: f32,
}

impl<'de> Deserialize<'de> for DriverRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DriverVisitor)
    }
}

struct DriverVisitor;

impl<'de> Visitor<'de> for DriverVisitor {
    type Value = DriverRecord;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a target's name, or {\"target\": NAME, \"full_weight\": NUMBER}")
    }

    fn visit_str<E>(self, name: &str) -> Result<DriverRecord, E> {
        Ok(DriverRecord { target: name.to_owned(), full_weight: 1.0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<DriverRecord, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            target: String,
            full_weight: f32,
        }
        let Fields { target, full_weight } = Fields::deserialize(MapAccessDeserializer::new(fields))?;
        Ok(DriverRecord { target, full_weight })
    }
}

/// Reads the file beside a head, if there is one. `folder` is that of the head.
pub(super) fn read_beside(path: &Path, folder: &ModelFolder, asset: &mut Asset) {
    let beside = correctives_beside(path);
    before_reading(&beside);
    let Some(name) = beside.file_name().and_then(|name| name.to_str()).filter(|_| beside.symlink_metadata().is_ok())
    else {
        return;
    };
    let subject = Subject::NamedFile(name.to_owned());
    let read = fetch_path(name, Some(folder), MOST_BYTES, &subject);
    let parsed = read.map_err(Problem::from).and_then(|bytes| parse(&bytes));
    match parsed {
        Ok(correctives) => asset.declared_correctives = correctives,
        Err(problem) => asset.notes.push(Note::warning(subject, format!("{problem}. No corrective plays"))),
    }
}

/// Whether the file of correctives beside a head that is written declares these. Without a file that can be used, there
/// are none.
pub fn declares_correctives(head: &Path, correctives: &[Corrective]) -> bool {
    let mut bytes = Vec::new();
    let file = regular_file::open_output(&correctives_beside(head));
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    let declared = read.ok().and_then(|_| parse(&bytes).ok());
    declared.unwrap_or_default() == correctives
}

/// The text of a file of correctives.
pub fn correctives_text(correctives: &[Corrective]) -> String {
    let (mut combinations, mut in_betweens) = (Vec::new(), Vec::new());
    for Corrective { target, drive } in correctives {
        match drive {
            Drive::Combination(method, drivers) => {
                let drivers = drivers.iter().map(|Driver { name, full_weight }| match *full_weight {
                    1.0 => json!(name),
                    full_weight => json!({"target": name, "full_weight": full_weight}),
                });
                let mut record = json!({"target": target, "drivers": drivers.collect::<Vec<_>>()});
                if *method == CombinationMethod::Lowest {
                    record["rule"] = json!("lowest");
                }
                combinations.push(record);
            }
            Drive::InBetween { of, at } => in_betweens.push(json!({"target": target, "of": of, "at": at})),
        }
    }
    let mut file = Map::new();
    for (name, list) in [("combinations", combinations), ("in_betweens", in_betweens)] {
        if !list.is_empty() {
            file.insert(name.into(), list.into());
        }
    }
    format!("{:#}\n", Value::Object(file))
}

fn parse(bytes: &[u8]) -> Result<Vec<Corrective>, Problem> {
    let file: CorrectivesFile = serde_json::from_slice(without_byte_order_mark(bytes))
        .map_err(|problem| format!("cannot be used: {problem}"))?;
    let all = file
        .combinations
        .into_iter()
        .map(|CombinationRecord { target, drivers, method }| {
            if drivers.len() > MOST_DRIVERS {
                let (target, count) = (quoted(&target), drivers.len());
                return Err(Problem::new(format!("{target} has {count} drivers, and at most {MOST_DRIVERS} are read")));
            }
            Ok(Corrective {
                target,
                drive: Drive::Combination(
                    method,
                    drivers
                        .into_iter()
                        .map(|DriverRecord { target, full_weight }| Driver { name: target, full_weight })
                        .collect(),
                ),
            })
        })
        .chain(
            file.in_betweens.into_iter().map(|InBetweenRecord { target, of, at }| {
                Ok(Corrective { target, drive: Drive::InBetween { of, at } })
            }),
        );
    let correctives = all.collect::<Result<Vec<_>, _>>()?;
    match correctives.len() {
        0 => Err("has no correctives: neither combinations nor in_betweens".into()),
        count if count > MOST_CORRECTIVES => {
            Err(format!("has {count} correctives, and at most {MOST_CORRECTIVES} are read").into())
        }
        _ => Ok(correctives),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_and_in_betweens_are_read() {
        let correctives = parse(
            br#"{
            "combinations": [
                {"target": "jawOpen_mouthClose", "drivers": ["jawOpen", {"target": "mouthClose", "full_weight": 0.8}]},
                {"target": "wide", "drivers": ["a", "b"], "rule": "lowest"}
            ],
            "in_betweens": [{"target": "smile_50", "of": "smile", "at": 0.5}]
        }"#,
        );
        let correctives = correctives.unwrap();
        let words: Vec<String> = correctives.iter().map(Corrective::drive_in_words).collect();
        assert_eq!(words, ["jawOpen × mouthClose at 0.8", "lowest of a and b", "smile at 0.5"]);
        assert_eq!(correctives[2].target, "smile_50");
        assert_eq!(parse(correctives_text(&correctives).as_bytes()), Ok(correctives));
    }

    #[test]
    fn a_file_with_an_error_is_not_used_and_the_error_is_said() {
        let combination = |rest: &str| format!(r#"{{"combinations": [{{"target": "a", {rest}}}]}}"#);
        let many_drivers = format!(r#""drivers": [{}"b"]"#, r#""b","#.repeat(MOST_DRIVERS));
        let many = format!(r#"{{"in_betweens": [{}]}}"#, vec![r#"{"target":"a","of":"b","at":0.5}"#; 5000].join(","));
        for (text, said) in [
            ("{", "line 1"),
            ("[7]", "line 1"),
            ("{}", "has no correctives"),
            (r#"{"combos": []}"#, "combos"),
            (r#"{"in_betweens": {"target": "a"}}"#, "expected a sequence"),
            (r#"{"in_betweens": [{"target": "a", "of": "b", "at": "half"}]}"#, "expected f32 at line 1"),
            (&combination(r#""driver": ["c"]"#), "driver"),
            (&combination(r#""drivers": ["c"], "rul": "lowest""#), "rul"),
            (&combination(r#""drivers": ["c"], "rule": "sum""#), "`sum`"),
            (&combination(r#""drivers": ["c", 7, "d"]"#), "a target's name"),
            (&combination(r#""drivers": [{"target": "c", "weight": 1}]"#), "weight"),
            (&combination(&many_drivers), "33 drivers"),
            (&many, "5000 correctives"),
        ] {
            let problem = parse(text.as_bytes()).expect_err(text).to_string();
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }
}
