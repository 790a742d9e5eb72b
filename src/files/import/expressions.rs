//! The file of expressions beside a head: `ada.expressions.json` beside `ada.fbx`. It has the entries of
//! `KHR_character_expression` with their animations written out, for heads whose joints no shape moves, such as the jaw
//! of Character Creator. A file with an error is not used at all; the error is a note of the head.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::{Mat3, Quat};
use serde::Deserialize;

use super::error::Problem;
use super::file::without_byte_order_mark;
use super::sidecar::{ModelFolder, fetch_path};
use smirk_base::names::quoted;
use smirk_base::watch::before_reading;
use smirk_face::head::{
    Clip, Curve, Expression, ExpressionForm, Head, Interpolation, Mask, MaskKind, NodePath, NodeTrack, Note, Preset,
    Response, Subject, Track, Turn,
};

const MOST_BYTES: u64 = 1 << 20;
const MOST_EXPRESSIONS: usize = 1024;

/// Where the file of expressions of a head is, whether or not there is one.
pub(super) fn expressions_beside(head: &Path) -> PathBuf {
    head.with_extension("expressions.json")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpressionsFile {
    expressions: Vec<ExpressionRecord>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpressionRecord {
    expression: String,
    /// The weights at 1 of shapes, by their names.
    #[serde(default)]
    shapes: BTreeMap<String, f32>,
    #[serde(default)]
    joints: Vec<JointRecord>,
    #[serde(default)]
    masks: Vec<MaskRecord>,
}

/// What an expression at 1 does to a joint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JointRecord {
    node: String,
    /// How far it turns the joint, in degrees: about the axes of the face and not those of the joint.
    #[serde(default)]
    turn: TurnRecord,
    /// How far it moves the joint, in the axes and the unit of its parent.
    #[serde(default)]
    translation: [f32; 3],
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TurnRecord {
    /// Down.
    pitch: f32,
    /// To the own left.
    yaw: f32,
    /// To the own right shoulder.
    roll: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaskRecord {
    /// The name of the other expression.
    target: String,
    #[serde(default, rename = "type")]
    kind: MaskWord,
    #[serde(default = "one")]
    amount: f32,
    #[serde(default)]
    threshold: f32,
}

fn one() -> f32 {
    1.0
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MaskWord {
    #[default]
    Blend,
    Block,
}

/// Reads the file beside a head, if there is one, and adds its expressions.
pub(super) fn with_expressions_beside(path: &Path, head: Head) -> Head {
    let beside = expressions_beside(path);
    before_reading(&beside);
    let Some(name) = beside.file_name().and_then(|name| name.to_str()).filter(|_| beside.symlink_metadata().is_ok())
    else {
        return head;
    };
    let (subject, folder) = (Subject::NamedFile(name.to_owned()), ModelFolder::containing(path));
    let read = fetch_path(name, Some(&folder), MOST_BYTES, &subject);
    let parsed = read.map_err(Problem::from).and_then(|bytes| parse(&bytes, &head));
    let frame = [head.focus, head.character];
    let mut asset = head.into_asset();
    match parsed {
        Ok(expressions) => {
            if asset.expressions.is_empty() {
                asset.expression_form = ExpressionForm::Khr;
            }
            asset.expressions.extend(expressions);
        }
        Err(problem) => asset.notes.push(Note::warning(subject, format!("{problem}. No expression of it plays"))),
    }
    asset.side_files.extend(folder.into_files());
    Head::framed_as(asset, Some(frame))
}

fn parse(bytes: &[u8], head: &Head) -> Result<Vec<Expression>, Problem> {
    let file: ExpressionsFile = serde_json::from_slice(without_byte_order_mark(bytes))
        .map_err(|problem| format!("cannot be used: {problem}"))?;
    match file.expressions.len() {
        0 => return Err("has no expressions".into()),
        count if count > MOST_EXPRESSIONS => {
            return Err(format!("has {count} expressions, and at most {MOST_EXPRESSIONS} are read").into());
        }
        _ => {}
    }
    let mut names: Vec<String> = head.expressions.iter().map(|expression| expression.name.clone()).collect();
    names.extend(file.expressions.iter().map(|record| record.expression.clone()));
    let mut expressions = Vec::with_capacity(file.expressions.len());
    for record in file.expressions {
        let name = record.expression.clone();
        if name.trim().is_empty() || names.iter().filter(|other| **other == name).count() > 1 {
            return Err(format!("{} is no name of one expression", quoted(&name)).into());
        }
        let expression = expression(record, head, &names);
        expressions.push(expression.map_err(|problem| problem.of_part(&format!("{}:", quoted(&name))))?);
    }
    Ok(expressions)
}

fn expression(record: ExpressionRecord, head: &Head, names: &[String]) -> Result<Expression, Problem> {
    let mut tracks = Vec::new();
    for (name, weight) in &record.shapes {
        let targets = head.target_channels().iter().find(|channel| channel.full_name == *name);
        for &first_target in &targets.ok_or_else(|| format!("the head has no shape {}", quoted(name)))?.targets {
            let rest = head.target(first_target).map_or(0.0, |(_, target)| target.default_weight);
            tracks.push(Track { first_target, curve: line(vec![rest], vec![rest + weight])? });
        }
    }
    tracks.sort_by_key(|track| track.first_target);
    let mut node_tracks = Vec::new();
    for JointRecord { node: name, turn: TurnRecord { pitch, yaw, roll }, translation } in &record.joints {
        let node = head.rig.nodes.iter().position(|node| node.name == *name);
        let node = node.ok_or_else(|| format!("the head has no joint {}", quoted(name)))?;
        let rest = head.rig.nodes[node].rest.trs();
        let turn = Turn { pitch: pitch.to_radians(), yaw: yaw.to_radians(), roll: roll.to_radians() };
        if turn != Turn::NONE {
            let (_, axes, _) = head.rest_pose.world_from_node()[node].to_scale_rotation_translation();
            let turned = rest.rotation * (axes.inverse() * turn.rotation() * axes);
            let curve = line(unit(rest.rotation)?, unit(turned)?)?;
            node_tracks.push(NodeTrack { node, path: NodePath::Rotation, curve });
        }
        if *translation != [0.0; 3] {
            let end = (rest.translation + glam::Vec3::from_array(*translation)).to_array();
            let curve = line(rest.translation.to_array().to_vec(), end.to_vec())?;
            node_tracks.push(NodeTrack { node, path: NodePath::Translation, curve });
        }
    }
    if tracks.is_empty() && node_tracks.is_empty() {
        return Err("it moves neither shapes nor joints".into());
    }
    let masks = record.masks.into_iter().map(|MaskRecord { target, kind, amount, threshold }| {
        if !names.contains(&target) {
            return Err(Problem::new(format!("it masks {}, which is no expression", quoted(&target))));
        }
        if !(0.0..=1.0).contains(&amount) || !(0.0..=1.0).contains(&threshold) {
            return Err(format!("its mask of {} has numbers beyond 0 to 1", quoted(&target)).into());
        }
        let kind = match kind {
            MaskWord::Blend => MaskKind::Blend,
            MaskWord::Block => MaskKind::Block { threshold },
        };
        Ok(Mask { target, kind, amount, carried: serde_json::Map::new() })
    });
    let masks = masks.collect::<Result<Vec<Mask>, Problem>>()?;
    let clip = Clip::new(record.expression.clone(), tracks).with_node_tracks(node_tracks);
    let response = Response { clip, materials: Vec::new(), of_file: None };
    Ok(Expression {
        preset: Preset::named(&record.expression),
        binds: response.binds(),
        response: Some(response),
        masks,
        name: record.expression,
        ..Expression::default()
    })
}

fn unit(rotation: Quat) -> Result<Vec<f32>, Problem> {
    let rotation = rotation.normalize();
    if rotation.is_finite() && Mat3::from_quat(rotation).is_finite() {
        Ok(rotation.to_array().to_vec())
    } else {
        Err("its joint cannot be turned".into())
    }
}

/// A straight line from 0 to 1 s.
fn line(start: Vec<f32>, end: Vec<f32>) -> Result<Curve, Problem> {
    let width = start.len();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], [start, end].concat(), width);
    curve.map_err(|error| error.to_string().into())
}
