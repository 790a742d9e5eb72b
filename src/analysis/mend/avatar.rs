//! A head becomes a VRM avatar, or says other things of itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Reason;
use super::plan::{Plan, Scope};
use smirk_face::head::{Avatar, Head, VrmVersion, bones_by_name, missing_bones};

/// What an avatar says of itself; a head whose bones have usual names becomes one of VRM 1.0. What is empty stays as it
/// is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MakeAvatar {
    pub name: String,
    pub authors: Vec<String>,
    pub licence_url: String,
}

impl MakeAvatar {
    /// The licence of the VRM consortium, with permissions in the file; those that are not given forbid.
    pub const LICENCE: &'static str = "https://vrm.dev/licenses/1.0/";

    /// What a head says of itself already.
    pub fn said_by(head: &Head) -> Self {
        let Some(avatar) = &head.avatar else { return Self::default() };
        let said = |key: &str| match avatar.meta.get(key) {
            Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            text => text.and_then(Value::as_str).map(str::to_owned).into_iter().collect::<Vec<String>>(),
        };
        let [name, authors, licence] = match avatar.version {
            VrmVersion::V0 => ["title", "author", "otherLicenseUrl"],
            VrmVersion::V1 => ["name", "authors", "licenseUrl"],
        };
        Self { name: said(name).concat(), authors: said(authors), licence_url: said(licence).concat() }
    }

    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let head = scope.head;
        let mut avatar = match &head.avatar {
            Some(avatar) => avatar.clone(),
            None => {
                let bones = bones_by_name(&head.rig);
                let missing = missing_bones(&bones);
                if !missing.is_empty() {
                    return Plan::refusing(Reason::MissingBones(missing));
                }
                Avatar { version: VrmVersion::V1, meta: Map::new(), bones, look_at: None, first_person: Vec::new() }
            }
        };
        let authors: Vec<&str> = self.authors.iter().map(|author| author.trim()).filter(|it| !it.is_empty()).collect();
        let (name, licence) = (self.name.trim(), self.licence_url.trim());
        let facts: Vec<(&str, Value)> = match avatar.version {
            VrmVersion::V1 => vec![("name", json!(name)), ("authors", json!(authors)), ("licenseUrl", json!(licence))],
            VrmVersion::V0 => {
                let kind = if licence.is_empty() { "" } else { "Other" };
                let author = authors.join(", ");
                vec![
                    ("title", json!(name)),
                    ("author", json!(author)),
                    ("licenseName", json!(kind)),
                    ("otherLicenseUrl", json!(licence)),
                ]
            }
        };
        let is_said = |value: &Value| *value != json!("") && *value != json!([]);
        for (key, value) in facts.into_iter().filter(|(_, value)| is_said(value)) {
            avatar.meta.insert(key.to_owned(), value);
        }
        let lacks = avatar.lacks();
        let mut plan = Plan { avatar: Some(avatar), ..Plan::default() };
        if let Some(lacks) = lacks {
            plan.avatar.take_if(|_| head.avatar.is_none());
            plan.refused.extend(Plan::refusing(Reason::Lacks(lacks)).refused);
        }
        plan
    }
}
