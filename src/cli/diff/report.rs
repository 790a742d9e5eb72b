//! The differences of two heads, as tables for a terminal and as JSON.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::cli::text::{padded, widest};
use smirk_base::names::printable;
use smirk_face::head::{Head, HeadChanges, MatchedMesh, MatchedVertices, MovedTarget};

/// The differences of two heads.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    old: String,
    new: String,
    /// The differences in one line.
    summary: String,
    meshes: Vec<ComparedMesh<'a>>,
    changes: &'a HeadChanges,
}

/// A mesh that both heads have.
#[derive(Debug, Serialize)]
struct ComparedMesh<'a> {
    name: &'a str,
    /// Before and now.
    vertices: [usize; 2],
    triangles: [usize; 2],
    targets: [usize; 2],
    /// How the vertices were matched: `order`, `uv` or `position`; none if they could not be.
    matched_by: Option<&'static str>,
    /// The number of vertices that were matched.
    matched: usize,
    /// Both in words.
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
        let compared = |matched: &MatchedMesh| ComparedMesh::new(heads, matched);
        Self { old, new, summary: changes.summary(), meshes: meshes.iter().map(compared).collect(), changes }
    }

    /// One line, then the meshes, the targets that moved most, and everything else that changed.
    pub(super) fn table(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        let names: Vec<_> = self.meshes.iter().map(|mesh| printable(mesh.name)).collect();
        let width = widest(names.iter().map(|name| &**name)).max(4);
        let heading = ["vertices", "triangles", "targets", "matched"];
        let [vertices, triangles, targets, matched] = heading;
        line(
            &mut out,
            format_args!("\n{}  {vertices:>15}  {triangles:>15}  {targets:>9}  {matched}", padded("mesh", width)),
        );
        for (mesh, name) in self.meshes.iter().zip(&names) {
            let [vertices, triangles, targets] = [mesh.vertices, mesh.triangles, mesh.targets].map(change);
            let matched = &mesh.matched_text;
            let name = padded(name, width);
            line(&mut out, format_args!("{name}  {vertices:>15}  {triangles:>15}  {targets:>9}  {matched}"));
        }
        self.moved_table(&mut out);
        let rest = self.changes.details();
        let rest: Vec<&str> = rest.lines().filter(|line| !line.starts_with("Targets moved")).collect();
        if !rest.is_empty() {
            line(&mut out, format_args!("\n{}", rest.join("\n")));
        }
        out
    }

    /// The targets that moved, those that moved most first.
    fn moved_table(&self, out: &mut String) {
        let mut moved: Vec<&MovedTarget> = self.changes.moved.iter().collect();
        moved.sort_by(|a, b| b.largest_mm.total_cmp(&a.largest_mm));
        if moved.is_empty() {
            return;
        }
        let column =
            |name: &dyn Fn(&MovedTarget) -> &str| moved.iter().map(|it| printable(name(it))).collect::<Vec<_>>();
        let (channels, meshes) = (column(&|it| &it.channel), column(&|it| &it.mesh));
        let [first, second] = [&channels, &meshes].map(|names| widest(names.iter().map(|name| &**name)).max(6));
        let heading = ["largest", "RMS"];
        line(
            out,
            format_args!(
                "\n{}  {}  {:>10}  {:>10}",
                padded("target", first),
                padded("mesh", second),
                heading[0],
                heading[1]
            ),
        );
        for ((moved, channel), mesh) in moved.iter().zip(&channels).zip(&meshes) {
            let (channel, mesh) = (padded(channel, first), padded(mesh, second));
            line(out, format_args!("{channel}  {mesh}  {:>7.2} mm  {:>7.2} mm", moved.largest_mm, moved.rms_mm));
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

fn line(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", arguments.to_string().trim_end());
}
