//! `KHR_character_expression`, a draft of Khronos and the VRM Consortium (KhronosGroup/glTF#2512): expressions that are
//! animations sampled at their values, with masks. Which of the draft's typed extensions lists a channel of an
//! animation changes nothing: all channels count.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::Context;
use super::animation::read_animation;
use super::mesh::Meshes;
use super::read::GltfDocument;
use crate::import::unique_names::UniqueNames;
use crate::import::{Fault, Import};
use smirk_face::head::{
    Bind, Expression, ExpressionForm, Kind, Mask, MaskKind, Notes, Preset, Response, Subject, listed,
};

const EXTENSION: &str = "KHR_character_expression";

fn entries(document: &GltfDocument) -> &[Value] {
    let list = document.extensions.get(EXTENSION).and_then(|extension| extension.get("expressions"));
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn index_of(entry: &Value, key: &str, count: usize) -> Option<usize> {
    entry.get(key).and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok()).filter(|index| *index < count)
}

/// The animations that are those of expressions, and no clips.
pub(super) fn animations(document: &GltfDocument) -> HashSet<usize> {
    let count = document.animations.len();
    entries(document).iter().filter_map(|entry| index_of(entry, "animation", count)).collect()
}

/// Says which expressions of a file are shown that has them in both forms.
pub(super) fn note_unshown(shown: ExpressionForm, notes: &mut Notes) {
    let message = match shown {
        ExpressionForm::Vrm => "the expressions of VRM are shown; these, a draft, are kept for saving",
        ExpressionForm::Khr => "these, a draft, are shown; the expressions of VRM do nothing, and are kept for saving",
    };
    notes.inform(Subject::field(EXTENSION), message);
}

/// Reads the expressions in the order of the file. One that cannot be shown is left out, with a note.
pub(super) fn read_expressions(
    context: &Context<'_>,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Result<Vec<Expression>, Fault> {
    let (entries, animations) = (entries(context.document), context.document.animations.len());
    let mut names = UniqueNames::default();
    let rest: Vec<f32> =
        meshes.instances.iter().flat_map(|mesh| &mesh.targets).map(|target| target.default_weight).collect();
    // Any number of expressions may sample an animation.
    let mut responses: BTreeMap<usize, Option<(Response, Vec<Bind>)>> = BTreeMap::new();
    let mut read: Vec<Option<Expression>> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        import.tick()?;
        let label = entry.get("expression").and_then(Value::as_str).filter(|label| !label.trim().is_empty());
        let name = names.make(label.map_or_else(|| format!("expression {number}"), str::to_owned));
        let subject = Subject::named(Kind::Expression, &name);
        let (Some(fields), Some(animation)) = (entry.as_object(), index_of(entry, "animation", animations)) else {
            let message = format!("names none of the {animations} animations of the file; left out");
            import.notes.warn(subject, message);
            read.push(None);
            continue;
        };
        if let Entry::Vacant(place) = responses.entry(animation) {
            let response = read_animation(context, meshes, animation, true, import)?;
            let response = response.filter(|response| response.clip.duration_secs > 0.0);
            if let Some(response) = &response {
                note_start(response, &rest, &subject, &mut import.notes);
            }
            place.insert(response.map(|response| (response.clone(), response.binds())));
        }
        let Some((response, binds)) = responses.get(&animation).and_then(Option::as_ref) else {
            import.notes.warn(subject, "its animation has nothing that can be sampled; left out");
            read.push(None);
            continue;
        };
        let tracks = response.clip.tracks.len() + response.clip.node_tracks.len() + response.materials.len();
        let bytes = size_of::<Expression>() + 256 * tracks + size_of_val(binds.as_slice());
        import.lists.spend(bytes as u64, &subject)?;
        read.push(Some(Expression {
            preset: label.and_then(Preset::named),
            binds: binds.clone(),
            response: Some(response.clone()),
            file_index: Some(number),
            carried: fields.clone(),
            name,
            ..Expression::default()
        }));
    }
    read_masks(&mut read, import)?;
    Ok(read.into_iter().flatten().collect())
}

/// Says where the first moment of an animation is not the head at rest, as the draft requires.
fn note_start(response: &Response, rest: &[f32], subject: &Subject, notes: &mut Notes) {
    let starts = response.clip.tracks.iter().flat_map(|track| {
        (0..track.curve.width()).map(|element| (track.first_target + element, track.curve.sample(0.0, element)))
    });
    let off = starts.filter(|&(target, start)| rest.get(target).is_some_and(|rest| (rest - start).abs() > 1e-3));
    let count = off.count();
    if count > 0 {
        let message = format!("{count} weights do not begin at rest, as the draft requires: the differences are shown");
        notes.inform(subject, message);
    }
}

fn read_masks(read: &mut [Option<Expression>], import: &mut Import<'_>) -> Result<(), Fault> {
    let names: Vec<Option<String>> = read.iter().map(|each| each.as_ref().map(|each| each.name.clone())).collect();
    let number = |mask: &Map<String, Value>, key: &str, default: f32| {
        let number = mask.get(key).and_then(Value::as_f64).map_or(default, |number| number as f32);
        if number.is_finite() { number.clamp(0.0, 1.0) } else { default }
    };
    for expression in read.iter_mut().flatten() {
        let of_entry = expression.carried.get("extensions").and_then(|all| all.get("KHR_character_expression_mask"));
        let masks = of_entry.and_then(|extension| extension.get("masks")).and_then(Value::as_array);
        let masks = masks.map_or(&[][..], Vec::as_slice);
        let subject = Subject::named(Kind::Expression, &expression.name);
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        for (index, mask) in masks.iter().enumerate() {
            import.tick()?;
            let target = index_of(mask, "target", names.len()).and_then(|target| names[target].clone());
            let (Some(mask), Some(target)) = (mask.as_object(), target) else {
                left_out.push(index);
                continue;
            };
            import.lists.spend((size_of::<Mask>() + target.len()) as u64, &subject)?;
            let kind = match mask.get("type").map_or(Some("blend"), Value::as_str) {
                Some("blend") => MaskKind::Blend,
                Some("block") => MaskKind::Block { threshold: number(mask, "threshold", 0.0) },
                _ => MaskKind::Unknown,
            };
            let amount = number(mask, "amount", 1.0);
            let carried = mask.iter().filter(|(key, _)| *key != "target");
            let carried = carried.map(|(key, value)| (key.clone(), value.clone())).collect();
            kept.push(Mask { target, kind, amount, carried });
        }
        if !left_out.is_empty() {
            let left_out = listed(&left_out, 8);
            import.notes.warn(subject, format!("masks of no expression of the file; left out: {left_out}"));
        }
        expression.masks = kept;
    }
    Ok(())
}
