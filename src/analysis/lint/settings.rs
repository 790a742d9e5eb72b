//! What a check asks of a head: per rule how serious its findings are, its limit, and what it does not concern. A file
//! beside the head says it.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use super::finding::Finding;
use super::rule::{Rule, Severity};
use crate::toml_file::{self, TomlError};
use smirk_base::regular_file;
use smirk_face::head::{Channel, Level};

/// The rules with what was set for them. Without a file, each has its own level and limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    rules: BTreeMap<Rule, RuleSettings>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSettings {
    level: Option<Severity>,
    limit: Option<f32>,
    #[serde(default)]
    allow: Vec<String>,
}

const MOST_BYTES: u64 = 1 << 20;

impl Settings {
    /// The name of the file that holds the rules for the heads of its folder.
    pub const FILE_NAME: &'static str = "smirk-check.toml";

    /// Reads a file of rules: a table for each rule, with `level`, `limit` and `allow`.
    pub fn parse(text: &str) -> Result<Self, TomlError> {
        let rules: BTreeMap<Rule, RuleSettings> = toml_file::parse(text)?;
        for (&rule, settings) in &rules {
            let Some(value) = settings.limit else { continue };
            let keyword = rule.keyword();
            let limit = rule.limit().ok_or_else(|| TomlError::new(format!("the rule {keyword} has no limit")))?;
            if !value.is_finite() || value < 0.0 {
                let unit = limit.unit;
                return Err(TomlError::new(format!(
                    "the limit of the rule {keyword} is {value}; it has to be a number of {unit}, 0 or more"
                )));
            }
        }
        Ok(Self { rules })
    }

    pub fn read(path: &Path) -> Result<Self, TomlError> {
        toml_file::parse_file(path, regular_file::read(path, MOST_BYTES), Self::parse)
    }

    /// Reads the file of rules in the folder of a head; without one, the rules as they are.
    pub fn beside(head: &Path) -> Result<Self, TomlError> {
        let path = head.with_file_name(Self::FILE_NAME);
        match regular_file::read(&path, MOST_BYTES) {
            Err(problem) if problem.kind() == ErrorKind::NotFound => Ok(Self::default()),
            read => toml_file::parse_file(&path, read, Self::parse),
        }
    }

    pub fn severity(&self, rule: Rule) -> Severity {
        self.rules.get(&rule).and_then(|settings| settings.level).unwrap_or(rule.severity())
    }

    pub fn is_on(&self, rule: Rule) -> bool {
        self.severity(rule) != Severity::Off
    }

    /// Gives a finding the level that its rule has here, if it is bad news.
    pub(super) fn apply_level(&self, finding: &mut Finding) {
        if finding.is_fault() {
            finding.level = if self.severity(finding.rule) >= Severity::Warning { Level::Warning } else { Level::Info };
        }
    }

    /// The limit of a rule, in its unit; 0 for a rule without one.
    pub fn limit(&self, rule: Rule) -> f32 {
        let set = self.rules.get(&rule).and_then(|settings| settings.limit);
        set.or_else(|| rule.limit().map(|limit| limit.value)).unwrap_or(0.0)
    }

    pub fn allows(&self, rule: Rule, name: &str) -> bool {
        self.rules.get(&rule).is_some_and(|settings| settings.allow.iter().any(|allowed| allowed == name))
    }

    pub(super) fn allows_channel(&self, rule: Rule, channel: &Channel) -> bool {
        self.allows(rule, &channel.name) || self.allows(rule, &channel.full_name)
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{Rule, Severity};

    use super::*;

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let text = "# A scanned face.\n[asymmetry]\nlevel = \"off\"\n[crack]\nlevel = \"error\"\nlimit = 0.1\n\
                    [coverage]\nallow = [\"tongueOut\"]\n";
        let settings = Settings::parse(text).unwrap();
        assert_eq!((settings.severity(Rule::Asymmetry), settings.is_on(Rule::Asymmetry)), (Severity::Off, false));
        assert_eq!((settings.severity(Rule::Crack), settings.limit(Rule::Crack)), (Severity::Error, 0.1));
        assert_eq!((settings.severity(Rule::Coverage), settings.limit(Rule::Noise)), (Severity::Warning, 50.0));
        assert!(settings.allows(Rule::Coverage, "tongueOut") && !settings.allows(Rule::Empty, "tongueOut"));
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
    }

    #[test]
    fn a_file_with_a_mistake_is_refused_with_the_line() {
        for (text, message) in [
            (
                "[crack]\nlevel = \"fatal\"",
                "line 2, column 9: unknown variant `fatal`, expected one of `off`, `note`, `warning`, `error`",
            ),
            ("\n[craks]\n", "line 2, column 2: unknown variant `craks`, expected one of `import`, `coverage`"),
            (
                "[crack]\nlimits = 1",
                "line 2, column 1: unknown field `limits`, expected one of `level`, `limit`, `allow`",
            ),
            ("[empty]\nlimit = 1.0", "the rule empty has no limit"),
            ("[crack]\nlimit = -1.0", "the limit of the rule crack is -1; it has to be a number of mm, 0 or more"),
            ("[crack", "line 1, column "),
        ] {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn the_word_of_each_rule_and_level_is_that_of_the_file() {
        let written = |value: serde_json::Value| value.as_str().unwrap().to_owned();
        for &rule in Rule::ALL {
            assert_eq!(written(serde_json::to_value(rule).unwrap()), rule.keyword());
        }
        for level in [Severity::Off, Severity::Note, Severity::Warning, Severity::Error] {
            assert_eq!(written(serde_json::to_value(level).unwrap()), level.keyword());
        }
    }

    #[test]
    fn rules_are_read_from_the_folder_of_the_head() {
        let folder = tempfile::tempdir().unwrap();
        let (head, rules) = (folder.path().join("ada.glb"), folder.path().join(Settings::FILE_NAME));
        assert_eq!(Settings::beside(&head).unwrap(), Settings::default());
        std::fs::write(&rules, "[noise]\nlevel = \"error\"\n").unwrap();
        assert_eq!(Settings::beside(&head).unwrap().severity(Rule::Noise), Severity::Error);
        for (bytes, problem) in [(&b"[noise"[..], "line 1"), (b"\xff", "is not text in UTF-8")] {
            std::fs::write(&rules, bytes).unwrap();
            let error = Settings::beside(&head).unwrap_err().to_string();
            assert!(error.contains(Settings::FILE_NAME) && error.contains(problem), "{error}");
        }
    }
}
