//! The differences in words: one line, and the details.

use super::{HeadChanges, MatchedMesh, MatchedVertices, MovedTarget};
use crate::head::{Head, listed};
use smirk_base::names::printable;

/// How many names a line lists, and how many the details.
const NAMES_IN_LINE: usize = 3;
const NAMES_IN_DETAILS: usize = 12;

impl HeadChanges {
    /// The differences in one line, such as "3 targets moved, 1 new: cheekPuff, 120 vertices more".
    pub fn summary(&self) -> String {
        let mut clauses: Vec<String> = Vec::new();
        let mut moved: Vec<&str> = self.moved.iter().map(|moved| moved.channel.as_str()).collect();
        moved.dedup();
        for (count, what, names) in [
            (moved.len(), "moved", None),
            (self.renamed.len(), "renamed", None),
            (self.new.len(), "new", Some(&self.new)),
            (self.gone.len(), "gone", Some(&self.gone)),
        ] {
            if count > 0 {
                // The word is said once: the clauses that follow are about targets too.
                let targets = match (clauses.is_empty(), count) {
                    (false, _) => "",
                    (true, 1) => " target",
                    (true, _) => " targets",
                };
                let names = names.map(|names| format!(": {}", named(names, NAMES_IN_LINE))).unwrap_or_default();
                clauses.push(format!("{count}{targets} {what}{names}"));
            }
        }
        let vertices: i64 = self.vertices.iter().map(|(_, more)| more).sum();
        match vertices {
            0 if self.vertices.is_empty() => {}
            0 => clauses.push("other vertices".into()),
            more => clauses.push(more_vertices(more)),
        }
        for (names, what) in [
            (&self.rest_weights, "weight at rest"),
            (&self.normals, "normals"),
            (&self.uvs_and_colors, "texture coordinates or colours"),
        ] {
            if !names.is_empty() {
                clauses.push(format!("{what} of {} changed", counted(names, "target")));
            }
        }
        for (names, what, happened) in [
            (&self.renamed_meshes.iter().map(|[_, new]| new.clone()).collect(), "mesh", "renamed"),
            (&self.new_meshes, "mesh", "new"),
            (&self.gone_meshes, "mesh", "gone"),
            (&self.moved_at_rest, "mesh", "moved at rest"),
            (&self.surfaces, "surface", "changed"),
            (&self.materials, "material", "changed"),
            (&self.textures, "texture", "changed"),
            (&self.clips, "clip", "changed"),
        ] {
            if !names.is_empty() {
                clauses.push(format!("{} {happened}", counted(names, what)));
            }
        }
        if !self.skin_weights.is_empty() {
            clauses.push(format!("skin weights of {} changed", counted(&self.skin_weights, "mesh")));
        }
        if !self.not_compared.is_empty() {
            clauses.push(format!("targets of {} not compared", counted(&self.not_compared, "mesh")));
        }
        if self.has_others {
            clauses.push(format!("{} changed", self.others.join(", ")));
        }
        if let Some(unit) = self.unit {
            clauses.push(format!("another unit: lengths are {unit} times as long"));
        }
        if clauses.is_empty() { "nothing that Smirk reads has changed".into() } else { clauses.join(", ") }
    }

    /// The differences with the names of all parts, one line for each kind.
    pub fn details(&self) -> String {
        let moved: Vec<String> = self.moved.iter().map(MovedTarget::text).collect();
        let channels = self.renamed.iter().map(|it| renaming(&it.old, &it.new));
        let meshes = self.renamed_meshes.iter().map(|[old, new]| renaming(old, new));
        let vertices = self.vertices.iter();
        let vertices = vertices.map(|(mesh, more)| format!("{} ({})", printable(mesh), more_vertices(*more)));
        let mut lines = vec![
            ("Targets moved, by at most so many millimetres of a head", listed(&moved, NAMES_IN_DETAILS)),
            ("Targets renamed", listed(&channels.collect::<Vec<_>>(), NAMES_IN_DETAILS)),
            ("Meshes renamed", listed(&meshes.collect::<Vec<_>>(), NAMES_IN_DETAILS)),
            ("Other vertices", listed(&vertices.collect::<Vec<_>>(), NAMES_IN_DETAILS)),
        ];
        for (what, names) in [
            ("Targets new", &self.new),
            ("Targets gone", &self.gone),
            ("Weights at rest changed", &self.rest_weights),
            ("Targets with other normals", &self.normals),
            ("Targets with other texture coordinates or colours", &self.uvs_and_colors),
            ("Meshes new", &self.new_meshes),
            ("Meshes gone", &self.gone_meshes),
            ("Meshes moved at rest", &self.moved_at_rest),
            ("Normals, texture coordinates or triangles changed", &self.surfaces),
            ("Skin weights changed", &self.skin_weights),
            ("Targets not compared, because the vertices are not known to be the same", &self.not_compared),
            ("Materials new, gone or changed", &self.materials),
            ("Toon shading", &self.toon),
            ("Textures new, gone or changed", &self.textures),
            ("Clips new, gone or changed", &self.clips),
        ] {
            lines.push((what, named(names, NAMES_IN_DETAILS)));
        }
        if self.has_others {
            lines.push(("Other parts changed", self.others.join(", ")));
        }
        lines.retain(|(_, names)| !names.is_empty());
        let lines: Vec<String> = lines.into_iter().map(|(what, names)| format!("{what}: {names}")).collect();
        lines.join("\n")
    }
}

impl MatchedMesh {
    /// How many vertices of the new head's mesh were matched, and how.
    pub fn text(&self, new: &Head) -> String {
        let all = new.meshes.get(self.new).map_or(0, |mesh| mesh.vertices.len());
        match &self.vertices {
            MatchedVertices::Unknown => "not matched".into(),
            MatchedVertices::InOrder => "in order".into(),
            MatchedVertices::Found { old_of_new, by } => {
                let matched = old_of_new.iter().filter(|old| old.is_some()).count();
                format!("{matched} of {all} by {}", by.keyword())
            }
        }
    }
}

impl MovedTarget {
    fn text(&self) -> String {
        format!("{} on {} ({:.2} mm)", printable(&self.channel), printable(&self.mesh), self.largest_mm)
    }
}

/// The number of names, with the word for one of what they name.
fn counted(names: &[String], one: &str) -> String {
    match names.len() {
        1 => format!("1 {one}"),
        count => format!("{count} {one}{}", if one.ends_with('h') { "es" } else { "s" }),
    }
}

fn renaming(old: &str, new: &str) -> String {
    format!("{} is now {}", printable(old), printable(new))
}

fn named(names: &[String], most: usize) -> String {
    listed(&names.iter().map(|name| printable(name)).collect::<Vec<_>>(), most)
}

fn more_vertices(more: i64) -> String {
    let count = more.unsigned_abs();
    let vertices = if count == 1 { "vertex" } else { "vertices" };
    format!("{count} {vertices} {}", if more > 0 { "more" } else { "fewer" })
}
