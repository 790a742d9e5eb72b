//! What `smirk check` found, as a SARIF log (OASIS Static Analysis Results Interchange Format 2.1.0).

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::report::{CheckedFile, Problem};
use smirk_analysis::lint::{Rule, Severity};

/// What a URI may hold unencoded in a path (RFC 3986, pchar without `:`, which could end a scheme).
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The log: one run with the rules, the files, the results and what could not be read.
pub(super) fn log(checked: &[CheckedFile]) -> Value {
    let results = checked.iter().enumerate();
    let results: Vec<Value> =
        results.flat_map(|(at, file)| file.problems.iter().map(move |problem| result(at, file, problem))).collect();
    let unread = checked.iter().enumerate().filter_map(|(at, file)| Some((at, file, file.error.as_ref()?)));
    let notifications: Vec<Value> = unread
        .map(|(at, file, error)| {
            json!({ "level": "error", "message": { "text": error }, "locations": [location(at, file, &[])] })
        })
        .collect();
    let artifacts: Vec<Value> = checked
        .iter()
        .map(|file| json!({ "location": { "uri": uri(file.path.as_deref()) }, "roles": ["analysisTarget"] }))
        .collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Smirk",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Rule::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": artifacts,
            "results": results,
        }],
    })
}

fn rule(rule: Rule) -> Value {
    let mut reported = json!({
        "id": rule.keyword(),
        "name": rule.title(),
        "shortDescription": { "text": rule.about() },
        "defaultConfiguration": { "enabled": rule.severity() != Severity::Off, "level": level(rule.severity()) },
    });
    if let Some(limit) = rule.limit() {
        reported["properties"] = json!({ "limit": limit.value, "unit": limit.unit });
    }
    reported
}

fn result(file_index: usize, file: &CheckedFile, problem: &Problem) -> Value {
    let Problem { rule, level: severity, object, channels, message } = problem;
    json!({
        "ruleId": rule.keyword(),
        "ruleIndex": Rule::ALL.iter().position(|other| other == rule),
        "level": level(*severity),
        "message": { "text": format!("{object}: {message}") },
        "locations": [location(file_index, file, channels)],
        // The same fault has the same fingerprint in another version of the head, whatever its numbers are.
        "partialFingerprints": BTreeMap::from([("shapes/v1", fingerprint(*rule, object, channels))]),
    })
}

/// A file, and the channels in it.
fn location(file_index: usize, file: &CheckedFile, channels: &[String]) -> Value {
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(file.path.as_deref()), "index": file_index } },
    });
    if !channels.is_empty() {
        let shapes: Vec<Value> = channels.iter().map(|channel| json!({ "name": channel, "kind": "member" })).collect();
        location["logicalLocations"] = shapes.into();
    }
    location
}

fn fingerprint(rule: Rule, object: &str, channels: &[String]) -> String {
    let mut names: Vec<&str> = channels.iter().map(String::as_str).collect();
    names.sort_unstable();
    let subject = if names.is_empty() { object.to_owned() } else { names.join("\n") };
    format!("{:08x}", crc32fast::hash(format!("{}\n{subject}", rule.keyword()).as_bytes()))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Off => "none",
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// A path as a URI: relative to the current folder as it is given, or with the scheme `file`.
fn uri(path: Option<&Path>) -> String {
    let Some(path) = path else { return "bundled-head.glb".into() };
    let text = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let encoded = utf8_percent_encode(&text, IN_PATH).to_string();
    match (path.is_absolute(), encoded.starts_with('/')) {
        (false, _) => encoded,
        (true, true) => format!("file://{encoded}"),
        (true, false) => format!("file:///{encoded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri(Some(Path::new("heads/ada v2.glb"))), "heads/ada%20v2.glb");
        assert_eq!(uri(Some(Path::new("C:ä#?.glb"))), "C%3A%C3%A4%23%3F.glb");
        #[cfg(unix)]
        assert_eq!(uri(Some(Path::new("/heads/ada.glb"))), "file:///heads/ada.glb");
    }

    #[test]
    fn a_fingerprint_depends_on_the_rule_and_the_shapes_alone() {
        let of = |channels: &[&str]| {
            let channels: Vec<String> = channels.iter().map(|name| (*name).to_owned()).collect();
            fingerprint(Rule::Crack, "in words", &channels)
        };
        assert_eq!(of(&["a", "b"]), of(&["b", "a"]));
        assert_ne!(of(&["a", "b"]), of(&["a"]));
        assert_ne!(of(&["a"]), fingerprint(Rule::Empty, "in words", &["a".to_owned()]));
    }
}
