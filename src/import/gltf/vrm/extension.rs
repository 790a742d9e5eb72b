//! VRM, an avatar in a GLB: 0.x (the extension `VRM`) and 1.0 (`VRMC_vrm`). Of either its expressions, which way it faces
//! and whose it is.

use glam::{Mat4, Quat};
use serde_json::{Map, Value};

use super::expressions::{self, Read};
use crate::head::{Expression, Note, listed};
use crate::import::budget::Budget;
use crate::import::error::quoted;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::read::Document;

/// What kind of VRM a file is, and its extension.
pub enum Vrm<'d> {
    /// Version 0.x.
    Zero(&'d Map<String, Value>),
    /// Version 1.0.
    One(&'d Map<String, Value>),
    /// None at all.
    None,
}

impl<'d> Vrm<'d> {
    /// Looks for either; a file with both, which can be made, is the newer.
    pub fn of(document: &'d Document) -> Self {
        let find = |name: &str| document.extensions.get(name).and_then(Value::as_object);
        match (find("VRMC_vrm"), find("VRM")) {
            (Some(one), _) => Self::One(one),
            (None, Some(zero)) => Self::Zero(zero),
            (None, None) => Self::None,
        }
    }

    /// VRM 0.x faces -z; 1.0, like glTF, +z.
    pub fn world_from_file(&self) -> Mat4 {
        match self {
            Self::Zero(_) => Mat4::from_quat(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
            Self::One(_) | Self::None => Mat4::IDENTITY,
        }
    }

    /// Its expressions: presets in the specification's order, then the others.
    pub fn expressions(&self, meshes: &Meshes, budget: &mut Budget, notes: &mut Vec<Note>) -> Vec<Expression> {
        let read = match self {
            Self::Zero(zero) => expressions::read_zero(zero, meshes, budget, notes),
            Self::One(one) => expressions::read_one(one, meshes, budget, notes),
            Self::None => return Vec::new(),
        };
        note_unshown(&read, notes);
        let mut expressions: Vec<Expression> = read.into_iter().map(|read| read.expression).collect();
        // Stable: the others keep the file's order.
        expressions.sort_by_key(|expression| (expression.preset.is_none(), expression.preset));
        expressions
    }

    /// Says whose it is, and that it was turned.
    pub fn note(&self, notes: &mut Vec<Note>) {
        match self {
            Self::Zero(zero) => {
                note_meta("VRM 0.x", zero, &["title"], &["author"], &["licenseName", "otherLicenseUrl"], notes);
                notes.push(Note::info("VRM 0.x", "faces backwards (-z), as VRM 0.x does; it was turned to the front"));
            }
            Self::One(one) => note_meta("VRM 1.0", one, &["name"], &["authors"], &["licenseUrl"], notes),
            Self::None => {}
        }
    }
}

/// Title, author and licence, as far as the file tells.
fn note_meta(
    object: &str,
    vrm: &Map<String, Value>,
    title: &[&str],
    author: &[&str],
    licence: &[&str],
    notes: &mut Vec<Note>,
) {
    let Some(meta) = vrm.get("meta").and_then(Value::as_object) else { return };
    let text = |keys: &[&str]| {
        let values = keys.iter().filter_map(|key| meta.get(*key));
        let texts = values.flat_map(|value| match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<_>>(),
        });
        let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).take(MOST_TEXTS).map(quoted).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let facts = [("title", text(title)), ("by", text(author)), ("licence", text(licence))];
    let facts: Vec<String> = facts.into_iter().filter_map(|(what, text)| Some(format!("{what} {}", text?))).collect();
    if !facts.is_empty() {
        notes.push(Note::info(object, facts.join("; ")));
    }
}

/// Of a list of authors that never ends.
const MOST_TEXTS: usize = 6;

/// Names the expressions that also change materials, and those that change nothing.
fn note_unshown(read: &[Read], notes: &mut Vec<Note>) {
    let names = |is_meant: &dyn Fn(&Read) -> bool| {
        let meant = read.iter().filter(|read| is_meant(read)).map(|read| quoted(&read.expression.name));
        let meant: Vec<String> = meant.collect();
        (!meant.is_empty()).then(|| listed(&meant, 12))
    };
    if let Some(names) = names(&|read| read.changes_materials) {
        notes.push(Note::warning("expressions", format!("{names} also change materials; that is not shown")));
    }
    let is_idle = |read: &Read| read.expression.is_idle() && !read.changes_materials;
    if let Some(names) = names(&is_idle) {
        notes.push(Note::info("expressions", format!("{names} move nothing")));
    }
}
