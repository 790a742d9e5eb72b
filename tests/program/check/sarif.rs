//! The SARIF log against the rules of the schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json) for the objects that it has: their
//! properties, which of them are required, and their values.

use serde_json::Value;

use crate::check::{check, folder_with_an_empty_shape};

/// What a value may be.
enum Schema {
    Text,
    Uri,
    /// Of the properties with these values only.
    OneOf(&'static [&'static str]),
    Bool,
    /// An integer of at least -1, which says "none".
    Index,
    List(&'static Schema),
    /// Any names, with text.
    Texts,
    /// Any names, with any values.
    Bag,
    Object {
        required: &'static [&'static str],
        properties: &'static [(&'static str, &'static Schema)],
    },
}

use Schema::{Bag, Bool, Index, List, Object, OneOf, Text, Texts, Uri};

const LEVEL: Schema = OneOf(&["none", "note", "warning", "error"]);
const MESSAGE: Schema = Object { required: &[], properties: &[("text", &Text), ("markdown", &Text), ("id", &Text)] };
const ARTIFACT_LOCATION: Schema =
    Object { required: &[], properties: &[("uri", &Uri), ("uriBaseId", &Text), ("index", &Index)] };
const LOCATION: Schema = Object {
    required: &[],
    properties: &[
        ("id", &Index),
        (
            "physicalLocation",
            &Object {
                // The schema asks for one of `address` and `artifactLocation`.
                required: &["artifactLocation"],
                properties: &[("artifactLocation", &ARTIFACT_LOCATION)],
            },
        ),
        (
            "logicalLocations",
            &List(&Object {
                required: &[],
                properties: &[("name", &Text), ("fullyQualifiedName", &Text), ("kind", &Text), ("index", &Index)],
            }),
        ),
        ("message", &MESSAGE),
    ],
};
const RULE: Schema = Object {
    required: &["id"],
    properties: &[
        ("id", &Text),
        ("name", &Text),
        ("shortDescription", &Object { required: &["text"], properties: &[("text", &Text), ("markdown", &Text)] }),
        (
            "defaultConfiguration",
            &Object { required: &[], properties: &[("enabled", &Bool), ("level", &LEVEL), ("properties", &Bag)] },
        ),
        ("helpUri", &Uri),
        ("properties", &Bag),
    ],
};
const RESULT: Schema = Object {
    required: &["message"],
    properties: &[
        ("ruleId", &Text),
        ("ruleIndex", &Index),
        ("level", &LEVEL),
        ("message", &MESSAGE),
        ("locations", &List(&LOCATION)),
        ("partialFingerprints", &Texts),
        ("properties", &Bag),
    ],
};
const LOG: Schema = Object {
    required: &["version", "runs"],
    properties: &[
        ("$schema", &Uri),
        ("version", &OneOf(&["2.1.0"])),
        (
            "runs",
            &List(&Object {
                required: &["tool"],
                properties: &[
                    (
                        "tool",
                        &Object {
                            required: &["driver"],
                            properties: &[(
                                "driver",
                                &Object {
                                    required: &["name"],
                                    properties: &[
                                        ("name", &Text),
                                        ("version", &Text),
                                        ("semanticVersion", &Text),
                                        ("informationUri", &Uri),
                                        ("rules", &List(&RULE)),
                                    ],
                                },
                            )],
                        },
                    ),
                    (
                        "invocations",
                        &List(&Object {
                            required: &["executionSuccessful"],
                            properties: &[
                                ("executionSuccessful", &Bool),
                                (
                                    "toolExecutionNotifications",
                                    &List(&Object {
                                        required: &["message"],
                                        properties: &[
                                            ("message", &MESSAGE),
                                            ("level", &LEVEL),
                                            ("locations", &List(&LOCATION)),
                                        ],
                                    }),
                                ),
                            ],
                        }),
                    ),
                    (
                        "artifacts",
                        &List(&Object {
                            required: &[],
                            properties: &[
                                ("location", &ARTIFACT_LOCATION),
                                ("roles", &List(&OneOf(&["analysisTarget"]))),
                            ],
                        }),
                    ),
                    ("results", &List(&RESULT)),
                ],
            }),
        ),
    ],
};

/// What of a value the schema does not allow, one line each.
fn faults(value: &Value, schema: &Schema, path: &str) -> Vec<String> {
    let is = |is_allowed: bool| if is_allowed { Vec::new() } else { vec![format!("{path}: {value}")] };
    match schema {
        Text => is(value.is_string()),
        Uri => is(value.as_str().is_some_and(|uri| !uri.contains([' ', '\\', '"', '<', '>']) && uri.is_ascii())),
        OneOf(values) => is(value.as_str().is_some_and(|text| values.contains(&text))),
        Bool => is(value.is_boolean()),
        Index => is(value.as_i64().is_some_and(|index| index >= -1)),
        Bag => is(value.is_object()),
        Texts => is(value.as_object().is_some_and(|texts| texts.values().all(Value::is_string))),
        List(of) => match value.as_array() {
            Some(list) => {
                list.iter().zip(0..).flat_map(|(one, at)| faults(one, of, &format!("{path}[{at}]"))).collect()
            }
            None => is(false),
        },
        Object { required, properties } => {
            let Some(object) = value.as_object() else { return is(false) };
            let missing = required.iter().filter(|name| !object.contains_key(**name));
            let mut found: Vec<String> = missing.map(|name| format!("{path} lacks {name}")).collect();
            for (name, value) in object {
                let path = format!("{path}.{name}");
                match properties.iter().find(|(known, _)| known == name) {
                    Some((_, schema)) => found.extend(faults(value, schema, &path)),
                    None => found.push(format!("{path} is no property of the schema")),
                }
            }
            found
        }
    }
}

/// The log of a head with an empty shape, one whose name needs encoding, and a missing file.
fn log() -> Value {
    let (folder, head) = folder_with_an_empty_shape();
    let odd = folder.path().join("ä b#%.glb");
    std::fs::copy(&head, &odd).unwrap();
    let missing = folder.path().join("gone.glb");
    let output = check(&[head.to_str().unwrap(), odd.to_str().unwrap(), missing.to_str().unwrap(), "--sarif"]);
    assert_eq!(output.status.code(), Some(1));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_log_follows_the_schema() {
    let log = log();
    assert_eq!(faults(&log, &LOG, "log"), [""; 0]);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for (result, at) in results.iter().zip(0..) {
        // §3.52.4 and §3.4.5: an index and what it stands for agree.
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((&rule["id"], &result["ruleId"]), (&"empty".into(), &"empty".into()));
        let location = &result["locations"][0];
        assert_eq!(location["logicalLocations"][0]["name"], "puff");
        let artifact = &location["physicalLocation"]["artifactLocation"];
        assert_eq!((&artifact["index"], &artifact["uri"]), (&at.into(), &run["artifacts"][at]["location"]["uri"]));
    }
    let uri = results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/%C3%A4%20b%23%25.glb"), "{uri}");
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert!(notification["message"]["text"].as_str().unwrap().contains("gone.glb"), "{notification}");
    // §3.49.3: rules are named once.
    let mut ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn faults_of_a_log_are_seen() {
    let faults_of = |edit: &dyn Fn(&mut Value)| {
        let mut log = log();
        edit(&mut log);
        faults(&log, &LOG, "log").len()
    };
    assert_eq!(faults_of(&|log| log["version"] = "2.0.0".into()), 1);
    assert_eq!(faults_of(&|log| log["runs"][0]["results"][0]["level"] = "info".into()), 1);
    assert_eq!(faults_of(&|log| log["runs"][0]["results"][0]["message"] = Value::Null), 1);
    assert_eq!(faults_of(&|log| log["runs"][0]["results"][0]["file"] = "ada.glb".into()), 1);
    assert_eq!(faults_of(&|log| log["runs"][0]["artifacts"][0]["location"]["uri"] = "a b.glb".into()), 1);
    assert_eq!(faults_of(&|log| drop(log["runs"][0].as_object_mut().unwrap().remove("tool"))), 1);
}
