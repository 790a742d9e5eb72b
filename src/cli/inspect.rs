//! `smirk inspect`: lists the contents of a file, and what the importer converted or repaired.
//!
//! The keys of the JSON are an interface, which must not change.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::input::open_head;
use super::text::{self, channel_names, counted, level_name, padded, widest};
use smirk_analysis::lint::{Rule, Settings, lint};
use smirk_base::names::{natural_order, printable};
use smirk_face::head::{Clip, Head, Level, Note, Target, Toon};

#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Head to inspect; without it, the bundled head
    file: Option<PathBuf>,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let inspection = report(&open_head(args.file.as_ref())?);
    if args.json { text::print_json(&inspection) } else { text::print(&table(&inspection)) }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    pub meshes: Vec<InspectedMesh>,
    /// In order of first appearance.
    pub channels: Vec<String>,
    /// The rows of the channel list: the names of a pair, or a single name.
    pub pairs: Vec<Vec<String>>,
    /// The targets that follow others, in the order of the channels.
    pub correctives: Vec<InspectedCorrective>,
    pub expressions: Vec<InspectedExpression>,
    /// The materials with toon shading.
    pub toon: Vec<InspectedToon>,
    pub clips: Vec<InspectedClip>,
    /// What was converted, skipped or repaired, and why.
    pub notes: Vec<Note>,
    pub lint: Vec<InspectedFinding>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InspectedFinding {
    pub rule: Rule,
    pub level: Level,
    /// A short description of the subject.
    pub object: String,
    /// The affected channels, the worst first.
    pub channels: Vec<String>,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedMesh {
    pub name: String,
    pub vertices: usize,
    pub triangles: usize,
    pub targets: Vec<String>,
    /// Its targets whose weight at rest is not 0.
    pub rest_weights: Vec<InspectedRestWeight>,
    /// The in-betweens of its targets, in the order of the targets and ascending by their full weight.
    pub in_betweens: Vec<InspectedInBetween>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedRestWeight {
    pub target: String,
    pub weight: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedInBetween {
    pub target: String,
    /// Its name in the file; may be empty.
    pub name: String,
    /// The weight of the target at which it is shown fully.
    pub full_weight: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedCorrective {
    /// The name of its channel.
    pub target: String,
    /// What drives it, in a few words.
    pub follows: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedExpression {
    pub name: String,
    /// The extension that it is in: `VRM`, or `KHR_character_expression, a draft`.
    pub form: &'static str,
    /// The targets that it moves.
    pub targets: Vec<String>,
    /// The nodes it moves, sorted.
    pub nodes: Vec<String>,
    pub materials: Vec<String>,
    /// The expressions that it reduces.
    pub masks: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedToon {
    pub material: String,
    /// By their names, the parameters that are not those that the specification takes where a file says nothing.
    pub parameters: BTreeMap<&'static str, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedClip {
    pub name: String,
    /// The time of its last key.
    pub duration_secs: f32,
    pub channels: Vec<String>,
    /// The nodes it moves, sorted.
    pub nodes: Vec<String>,
}

pub fn report(head: &Head) -> Inspection {
    let meshes = head.meshes.iter().map(|mesh| InspectedMesh {
        name: mesh.name.clone(),
        vertices: mesh.vertices.len(),
        triangles: mesh.indices.len() / 3,
        targets: mesh.targets.iter().map(|target| target.name.clone()).collect(),
        rest_weights: mesh.targets.iter().filter_map(rest_weight_of).collect(),
        in_betweens: mesh.targets.iter().flat_map(in_betweens_of).collect(),
    });
    let pairs = head.pairs.iter().map(|pair| {
        let channels: Vec<usize> = std::iter::once(pair.first).chain(pair.second).collect();
        channel_names(head, &channels)
    });
    let correctives = head.correctives.driven().filter_map(|index| {
        let follows = head.correctives.of_channel(index)?.drive_in_words();
        Some(InspectedCorrective { target: head.channels[index].name.clone(), follows })
    });
    let clips = head.clips.iter().map(|clip| InspectedClip {
        name: clip.name.clone(),
        duration_secs: clip.duration_secs,
        channels: clip.driven_channels().map(|channel| head.channels[channel].name.clone()).collect(),
        nodes: nodes_of(clip, head),
    });
    let expressions = head.expressions.iter().map(|expression| {
        let named = |name: Option<&String>, names: &mut Vec<String>| {
            names.extend(name.filter(|name| !names.contains(name)).cloned());
        };
        let (mut targets, mut materials) = (Vec::new(), Vec::new());
        for bind in &expression.binds {
            named(head.target(bind.target).map(|(_, target)| &target.name), &mut targets);
        }
        let response = expression.response.as_ref();
        let tracks = response.into_iter().flat_map(|response| &response.materials).map(|track| track.material);
        for material in expression.materials.iter().map(|bind| bind.material).chain(tracks) {
            named(head.materials.get(material).map(|material| &material.name), &mut materials);
        }
        let masks = expression.masks_and_overrides(&head.expressions);
        InspectedExpression {
            name: expression.name.clone(),
            form: head.expression_form.label(),
            targets,
            nodes: response.map(|response| nodes_of(&response.clip, head)).unwrap_or_default(),
            materials,
            masks: masks.into_iter().map(|mask| mask.target).collect(),
        }
    });
    let usual = Toon::default();
    let toon = head.materials.iter().filter_map(|material| {
        let parameters = material.toon.as_ref()?.differences(&usual).into_iter();
        let parameters = parameters.map(|(name, _, value)| (name, value)).collect();
        Some(InspectedToon { material: material.name.clone(), parameters })
    });
    let findings = lint(head, &Settings::default()).into_iter().map(|finding| InspectedFinding {
        rule: finding.rule,
        level: finding.level,
        object: finding.object(head),
        channels: channel_names(head, &finding.channels),
        message: finding.message,
    });
    Inspection {
        meshes: meshes.collect(),
        channels: head.channels.iter().map(|channel| channel.name.clone()).collect(),
        pairs: pairs.collect(),
        correctives: correctives.collect(),
        expressions: expressions.collect(),
        toon: toon.collect(),
        clips: clips.collect(),
        notes: head.notes.clone(),
        lint: findings.collect(),
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

fn nodes_of(clip: &Clip, head: &Head) -> Vec<String> {
    let nodes = clip.node_tracks.iter().filter_map(|track| head.rig.nodes.get(track.node));
    let mut names: Vec<String> = nodes.map(|node| node.name.clone()).collect();
    names.sort_by(|a, b| natural_order(a, b));
    names.dedup();
    names
}

/// The text form: a table of meshes, the rows of channels, the clips, notes and findings.
pub fn table(inspection: &Inspection) -> String {
    let Inspection { meshes, channels, pairs, correctives, expressions, toon, clips, notes, lint } = inspection;
    let names: Vec<_> = meshes.iter().map(|mesh| printable(&mesh.name)).collect();
    let width = widest(names.iter().map(|name| &**name)).max(4);
    let mut lines = vec![format!("{:width$}  vertices  triangles  targets", "mesh")];
    for (mesh, name) in meshes.iter().zip(&names) {
        let (name, targets) = (padded(name, width), mesh.targets.len());
        lines.push(format!("{name}  {:>8}  {:>9}  {targets:>7}", mesh.vertices, mesh.triangles));
    }
    let in_betweens = meshes.iter().flat_map(|mesh| {
        mesh.in_betweens.iter().map(|InspectedInBetween { target, name, full_weight }| {
            let (mesh, target, name) = (printable(&mesh.name), printable(target), printable(name));
            format!("{mesh}  {target} at {full_weight}  {name}").trim_end().to_owned()
        })
    });
    section(&mut lines, "in-between", "", in_betweens.collect());
    lines.push(format!("\n{} in {}", counted(channels.len(), "channel"), counted(pairs.len(), "pair")));
    let pairs: Vec<Vec<_>> = pairs.iter().map(|pair| pair.iter().map(|name| printable(name)).collect()).collect();
    let width = widest(pairs.iter().map(|pair| &*pair[0]));
    lines.extend(pairs.iter().map(|pair| match &pair[..] {
        [first, second] => format!("  {}  {second}", padded(first, width)),
        single => format!("  {}", single[0]),
    }));
    let correctives =
        correctives.iter().map(|it| format!("{} follows {}", printable(&it.target), printable(&it.follows)));
    section(&mut lines, "corrective", "", correctives.collect());
    let form = expressions.first().map_or_else(String::new, |it| format!(" of {}", it.form));
    let expressions = expressions.iter().map(|expression| {
        let InspectedExpression { name, targets, nodes, materials, masks, .. } = expression;
        let what = [("moves", targets, "target"), ("moves", nodes, "node"), ("changes", materials, "material")];
        let what = what.into_iter().filter(|(_, names, _)| !names.is_empty());
        let what = what.map(|(does, names, noun)| format!("{does} {}", counted(names.len(), noun)));
        let masks = Some(masks).filter(|masks| !masks.is_empty());
        let masks = masks.map(|masks| format!("reduces {}", counted(masks.len(), "expression")));
        let what: Vec<String> = what.chain(masks).collect();
        let what = if what.is_empty() { "changes nothing".to_owned() } else { what.join(", ") };
        format!("{}  {what}", printable(name))
    });
    section(&mut lines, "expression", &form, expressions.collect());
    let toon = toon.iter().map(|InspectedToon { material, parameters }| {
        let parameters: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!("{}  {}", printable(material), parameters.join(", ")).trim_end().to_owned()
    });
    section(&mut lines, "toon material", "", toon.collect());
    lines.push(format!("\n{}", counted(clips.len(), "clip")));
    for clip in clips {
        let what = match (clip.channels.len(), clip.nodes.len()) {
            (channels, 0) => format!("drives {}", counted(channels, "channel")),
            (0, nodes) => format!("moves {}", counted(nodes, "node")),
            (channels, nodes) => format!("drives {}, moves {}", counted(channels, "channel"), counted(nodes, "node")),
        };
        lines.push(format!("  {}  {:.2} s, {what}", printable(&clip.name), clip.duration_secs));
    }
    section(&mut lines, "note", "", notes.iter().map(text::note).collect());
    let findings = lint.iter().map(|finding| {
        let (level, title) = (level_name(finding.level), finding.rule.title());
        format!("{level:7}  {title}: {}: {}", finding.object, finding.message)
    });
    section(&mut lines, "finding", " in the shapes", findings.collect());
    lines.join("\n") + "\n"
}

/// A part of the table that is left out if there is nothing in it: how many there are, and a line for each.
fn section(lines: &mut Vec<String>, noun: &str, place: &str, rows: Vec<String>) {
    if !rows.is_empty() {
        lines.push(format!("\n{}{place}", counted(rows.len(), noun)));
        lines.extend(rows.iter().map(|row| format!("  {row}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, InBetween, Material, Mesh};

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
    fn parameters_of_toon_materials_are_listed_where_they_are_not_the_usual_ones() {
        let toon = Toon { shading_toony: 0.5, ..Toon::default() };
        let material = Material { name: "Face".into(), toon: Some(Box::new(toon)), ..Material::default() };
        let head = Head::new(Asset { materials: vec![material, Material::default()], ..Asset::default() });
        let table = table(&report(&head));
        assert!(table.contains("\n1 toon material\n  Face  shading toony 0.5\n"), "{table}");
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
