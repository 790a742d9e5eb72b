//! The differences of two heads, as tables for a terminal and as JSON.

use std::path::PathBuf;

use serde::Serialize;

use crate::cli::text::{padded, widest};
use smirk_base::names::printable;
use smirk_face::head::{Head, HeadChanges, MatchedMesh, MatchedVertices, MovedTarget};

#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    old: String,
    new: String,
    summary: String,
    meshes: Vec<ComparedMesh<'a>>,
    changes: &'a HeadChanges,
}

#[derive(Debug, Serialize)]
struct ComparedMesh<'a> {
    name: &'a str,
    /// Before and now.
    vertices: [usize; 2],
    triangles: [usize; 2],
    targets: [usize; 2],
    /// How the vertices were matched: `order`, `uv` or `position`; none if they could not be.
    matched_by: Option<&'static str>,
    matched: usize,
    #[serde(skip)]
    matched_text: String,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        paths: [&PathBuf; 2],
        heads: [&'a Head; 2],
        meshes: &[MatchedMesh],
        changes: &'a HeadChanges,
    ) -> Self {
        let [old, new] = paths.map(|path| path.display().to_string());
        let meshes = meshes.iter().map(|matched| ComparedMesh::new(heads, matched)).collect();
        Self { old, new, summary: changes.summary(), meshes, changes }
    }

    /// One line, then the meshes, the targets that moved most, and everything else that changed.
    pub(super) fn table(&self) -> String {
        let names: Vec<_> = self.meshes.iter().map(|mesh| printable(mesh.name)).collect();
        let width = widest(names.iter().map(|name| &**name)).max(4);
        let mesh = padded("mesh", width);
        let mut lines = vec![
            self.summary.clone(),
            String::new(),
            format!("{mesh}         vertices        triangles    targets  matched"),
        ];
        for (mesh, name) in self.meshes.iter().zip(&names) {
            let [vertices, triangles, targets] = [mesh.vertices, mesh.triangles, mesh.targets].map(change);
            let (name, matched) = (padded(name, width), &mesh.matched_text);
            lines.push(format!("{name}  {vertices:>15}  {triangles:>15}  {targets:>9}  {matched}"));
        }
        self.add_moved(&mut lines);
        let rest = self.changes.details();
        let mut rest = rest.lines().filter(|line| !line.starts_with("Targets moved")).peekable();
        if rest.peek().is_some() {
            lines.push(String::new());
            lines.extend(rest.map(str::to_owned));
        }
        lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// The targets that moved, those that moved most first.
    fn add_moved(&self, lines: &mut Vec<String>) {
        let mut moved: Vec<&MovedTarget> = self.changes.moved.iter().collect();
        moved.sort_by(|a, b| b.largest_mm.total_cmp(&a.largest_mm));
        if moved.is_empty() {
            return;
        }
        let names: Vec<_> =
            moved.iter().map(|target| [&target.channel, &target.mesh].map(|name| printable(name))).collect();
        let [first, second] = [0, 1].map(|column| widest(names.iter().map(|names| &*names[column])).max(6));
        let (target, mesh) = (padded("target", first), padded("mesh", second));
        lines.extend([String::new(), format!("{target}  {mesh}     largest         RMS")]);
        for (moved, [channel, mesh]) in moved.iter().zip(&names) {
            let (channel, mesh) = (padded(channel, first), padded(mesh, second));
            lines.push(format!("{channel}  {mesh}  {:>7.2} mm  {:>7.2} mm", moved.largest_mm, moved.rms_mm));
        }
    }
}

impl<'a> ComparedMesh<'a> {
    fn new([old, new]: [&'a Head; 2], matched: &MatchedMesh) -> Self {
        let meshes = [&old.meshes[matched.old], &new.meshes[matched.new]];
        let (matched_by, count) = match &matched.vertices {
            MatchedVertices::Unknown => (None, 0),
            MatchedVertices::InOrder => (Some("order"), meshes[1].vertices.len()),
            MatchedVertices::Found { old_of_new, by } => {
                (Some(by.keyword()), old_of_new.iter().filter(|old| old.is_some()).count())
            }
        };
        Self {
            name: &meshes[1].name,
            vertices: meshes.map(|mesh| mesh.vertices.len()),
            triangles: meshes.map(|mesh| mesh.indices.len() / 3),
            targets: meshes.map(|mesh| mesh.targets.len()),
            matched_by,
            matched: count,
            matched_text: matched.text(new),
        }
    }
}

/// A number, or both if it has changed.
fn change([old, new]: [usize; 2]) -> String {
    if old == new { new.to_string() } else { format!("{old} → {new}") }
}
