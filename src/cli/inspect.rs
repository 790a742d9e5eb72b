//! `smirk inspect`: lists the contents of a file, and what the importer converted or repaired.
//!
//! The keys of the JSON are an interface, which must not change.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::input::open_head;
use super::text::{self, counted, level_name, padded, widest};
use smirk_analysis::lint::{Rule, Settings, lint};
use smirk_base::names::{natural_order, printable};
use smirk_face::head::{Clip, Head, Level, Note, Pair, Target};

/// Arguments of `smirk inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Head to inspect; without it, the bundled head
    file: Option<PathBuf>,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Writes the inspection of a head to standard output.
pub fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let inspection = report(&open_head(args.file.as_ref())?);
    if args.json { text::print_json(&inspection) } else { text::print(&table(&inspection)) }
}

/// The contents of a head.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// The meshes, in the file's order.
    pub meshes: Vec<InspectedMesh>,
    /// Names of the channels, in order of first appearance.
    pub channels: Vec<String>,
    /// The rows of the channel list: the names of a pair, or a single name.
    pub pairs: Vec<Vec<String>>,
    /// The targets that follow others, in the order of the channels.
    pub correctives: Vec<InspectedCorrective>,
    /// The clips, in the file's order.
    pub clips: Vec<InspectedClip>,
    /// What was converted, skipped or repaired, and why.
    pub notes: Vec<Note>,
    /// The findings of the lint.
    pub lint: Vec<InspectedFinding>,
}

/// A finding of the lint, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InspectedFinding {
    /// The rule that was broken.
    pub rule: Rule,
    /// How serious it is.
    pub level: Level,
    /// A short description of the subject.
    pub object: String,
    /// Names of the affected channels, the worst first.
    pub channels: Vec<String>,
    /// The finding in words and numbers, with advice.
    pub message: String,
}

/// The contents of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedMesh {
    /// The name of the mesh in the file.
    pub name: String,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of triangles.
    pub triangles: usize,
    /// Names of its targets, in the file's order.
    pub targets: Vec<String>,
    /// Its targets whose weight at rest is not 0.
    pub rest_weights: Vec<InspectedRestWeight>,
    /// The in-betweens of its targets, in the order of the targets and ascending by their full weight.
    pub in_betweens: Vec<InspectedInBetween>,
}

/// The weight of a target at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedRestWeight {
    /// The name of the target.
    pub target: String,
    /// Its weight when nothing plays.
    pub weight: f32,
}

/// An in-between of a target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedInBetween {
    /// The name of its target.
    pub target: String,
    /// Its name in the file; may be empty.
    pub name: String,
    /// The weight of the target at which it is shown fully.
    pub full_weight: f32,
}

/// A target that follows others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedCorrective {
    /// The name of its channel.
    pub target: String,
    /// What drives it, in a few words.
    pub follows: String,
}

/// The contents of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedClip {
    /// The name of the clip in the file.
    pub name: String,
    /// The time of its last key.
    pub duration_secs: f32,
    /// Names of the channels it drives.
    pub channels: Vec<String>,
    /// Names of the nodes it moves, sorted.
    pub nodes: Vec<String>,
}

/// Lists the contents of a head.
pub fn report(head: &Head) -> Inspection {
    let channel = |index: usize| head.channels[index].name.clone();
    let row = |pair: &Pair| std::iter::once(pair.first).chain(pair.second).map(channel).collect();
    Inspection {
        meshes: head
            .meshes
            .iter()
            .map(|mesh| InspectedMesh {
                name: mesh.name.clone(),
                vertices: mesh.vertices.len(),
                triangles: mesh.indices.len() / 3,
                targets: mesh.targets.iter().map(|target| target.name.clone()).collect(),
                rest_weights: mesh.targets.iter().filter_map(rest_weight_of).collect(),
                in_betweens: mesh.targets.iter().flat_map(in_betweens_of).collect(),
            })
            .collect(),
        channels: head.channels.iter().map(|channel| channel.name.clone()).collect(),
        pairs: head.pairs.iter().map(row).collect(),
        correctives: head
            .correctives
            .driven()
            .filter_map(|index| {
                let follows = head.correctives.of_channel(index)?.drive_in_words();
                Some(InspectedCorrective { target: channel(index), follows })
            })
            .collect(),
        clips: head
            .clips
            .iter()
            .map(|clip| InspectedClip {
                name: clip.name.clone(),
                duration_secs: clip.duration_secs,
                channels: clip.driven_channels().map(channel).collect(),
                nodes: nodes_of(clip, head),
            })
            .collect(),
        notes: head.notes.clone(),
        lint: lint(head, &Settings::default())
            .into_iter()
            .map(|finding| InspectedFinding {
                rule: finding.rule,
                level: finding.level,
                object: finding.object(head),
                channels: finding.channels.iter().copied().map(channel).collect(),
                message: finding.message,
            })
            .collect(),
    }
}

fn rest_weight_of(target: &Target) -> Option<InspectedRestWeight> {
    let weight = target.default_weight;
    (weight != 0.0).then(|| InspectedRestWeight { target: target.name.clone(), weight })
}

fn in_betweens_of(target: &Target) -> impl Iterator<Item = InspectedInBetween> {
    target.in_betweens.iter().map(|in_between| InspectedInBetween {
        target: target.name.clone(),
        name: in_between.name.clone(),
        full_weight: in_between.full_weight,
    })
}

/// Names of the nodes that a clip moves, without repetition.
fn nodes_of(clip: &Clip, head: &Head) -> Vec<String> {
    let nodes = clip.node_tracks.iter().filter_map(|track| head.rig.nodes.get(track.node));
    let mut names: Vec<String> = nodes.map(|node| node.name.clone()).collect();
    names.sort_by(|a, b| natural_order(a, b));
    names.dedup();
    names
}

/// The text form: a table of meshes, the rows of channels, the clips, notes and findings.
pub fn table(inspection: &Inspection) -> String {
    let mut out = String::new();
    let names: Vec<_> = inspection.meshes.iter().map(|mesh| printable(&mesh.name)).collect();
    let width = widest(names.iter().map(|name| &**name)).max(4);
    line(&mut out, format_args!("{:width$}  {:>8}  {:>9}  {:>7}", "mesh", "vertices", "triangles", "targets"));
    for (mesh, name) in inspection.meshes.iter().zip(&names) {
        let (name, targets) = (padded(name, width), mesh.targets.len());
        line(&mut out, format_args!("{name}  {:>8}  {:>9}  {targets:>7}", mesh.vertices, mesh.triangles));
    }
    let in_betweens: Vec<_> =
        inspection.meshes.iter().flat_map(|mesh| mesh.in_betweens.iter().map(move |it| (mesh, it))).collect();
    if !in_betweens.is_empty() {
        line(&mut out, format_args!("\n{}", counted(in_betweens.len(), "in-between")));
    }
    for (mesh, InspectedInBetween { target, name, full_weight }) in in_betweens {
        let (mesh, target, name) = (printable(&mesh.name), printable(target), printable(name));
        line(&mut out, format_args!("{}", format!("  {mesh}  {target} at {full_weight}  {name}").trim_end()));
    }
    line(
        &mut out,
        format_args!(
            "\n{} in {}",
            counted(inspection.channels.len(), "channel"),
            counted(inspection.pairs.len(), "pair")
        ),
    );
    let column = |index: usize| {
        let names = inspection.pairs.iter().map(move |pair| pair.get(index).map(|name| printable(name)));
        names.map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let (first, second) = (column(0), column(1));
    let first_width = widest(first.iter().map(|name| &**name));
    for (first, second) in first.iter().zip(&second) {
        line(&mut out, format_args!("{}", format!("  {}  {second}", padded(first, first_width)).trim_end()));
    }
    if !inspection.correctives.is_empty() {
        line(&mut out, format_args!("\n{}", counted(inspection.correctives.len(), "corrective")));
    }
    for InspectedCorrective { target, follows } in &inspection.correctives {
        line(&mut out, format_args!("  {} follows {}", printable(target), printable(follows)));
    }
    line(&mut out, format_args!("\n{}", counted(inspection.clips.len(), "clip")));
    for clip in &inspection.clips {
        let what = match (clip.channels.len(), clip.nodes.len()) {
            (channels, 0) => format!("drives {}", counted(channels, "channel")),
            (0, nodes) => format!("moves {}", counted(nodes, "node")),
            (channels, nodes) => format!("drives {}, moves {}", counted(channels, "channel"), counted(nodes, "node")),
        };
        line(&mut out, format_args!("  {}  {:.2} s, {what}", printable(&clip.name), clip.duration_secs));
    }
    if !inspection.notes.is_empty() {
        line(&mut out, format_args!("\n{}", counted(inspection.notes.len(), "note")));
    }
    for note in &inspection.notes {
        line(&mut out, format_args!("  {}", text::note(note)));
    }
    if !inspection.lint.is_empty() {
        line(&mut out, format_args!("\n{} in the shapes", counted(inspection.lint.len(), "finding")));
    }
    for finding in &inspection.lint {
        let (level, title) = (level_name(finding.level), finding.rule.title());
        line(&mut out, format_args!("  {level:7}  {title}: {}: {}", finding.object, finding.message));
    }
    out
}

fn line(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{arguments}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, InBetween, Mesh};

    #[test]
    fn correctives_are_named_with_what_they_follow() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let mesh = Mesh { targets: ["jawOpen", "pout", "mend"].map(target).into(), ..Mesh::default() };
        let driver = |name: &str| Driver { name: name.into(), full_weight: 1.0 };
        let drive = Drive::Combination(CombinationMethod::Product, vec![driver("jawOpen"), driver("pout")]);
        let correctives = vec![Corrective { target: "mend".into(), drive }];
        let table = table(&report(&Head::new(Asset {
            meshes: vec![mesh],
            declared_correctives: correctives,
            ..Asset::default()
        })));
        assert!(table.contains("\n1 corrective\n  mend follows jawOpen × pout\n"), "{table}");
    }

    #[test]
    fn in_betweens_are_named() {
        let mut lift = Target { name: "lift".into(), ..Target::default() };
        let in_between =
            |full_weight: f32, name: &str| InBetween { full_weight, name: name.into(), ..InBetween::default() };
        lift.set_in_betweens(vec![in_between(0.5, "liftHalf"), in_between(-0.249, "")]);
        let mesh = Mesh { name: "face".into(), targets: vec![lift], ..Mesh::default() };
        let inspection = report(&Head::new(Asset { meshes: vec![mesh], ..Asset::default() }));
        let found = &inspection.meshes[0].in_betweens;
        assert_eq!(
            found.iter().map(|it| (it.name.as_str(), it.full_weight)).collect::<Vec<_>>(),
            [("", -0.249), ("liftHalf", 0.5)]
        );
        let table = table(&inspection);
        assert!(table.contains("\n2 in-betweens\n  face  lift at -0.249\n  face  lift at 0.5  liftHalf\n"), "{table}");
    }
}
