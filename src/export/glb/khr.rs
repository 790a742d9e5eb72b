//! The expressions of a head as `KHR_character_expression`, a draft (KhronosGroup/glTF#2512): an animation for each.
//! What was read in this form and not changed is written as it was, with its numbers.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::add_extensions;
use super::bin::Bin;
use super::clips::{self, Animation};
use super::nodes::Nodes;
use smirk_face::head::{
    Clip, Curve, Expression, ExpressionForm, FileAnimation, FileProperty, Head, Interpolation, Mask, MaskKind,
    MaterialProperty, Response,
};

const TYPED: [&str; 3] =
    ["KHR_character_expression_joint", "KHR_character_expression_morphtarget", "KHR_character_expression_texture"];
const MASK: &str = "KHR_character_expression_mask";
pub(super) const MAPPING: &str = "KHR_character_expression_mapping";

/// The animations of a file, and the extensions that it uses without one of that name at its root.
pub(super) struct Written {
    pub animations: Vec<Value>,
    pub used: Vec<String>,
}

/// Writes the clips and the expressions of a head, these into the extensions of the file. Of a head that shows those of
/// VRM, the others that its file has are written.
pub(super) fn write(head: &Head, extensions: &mut Map<String, Value>, nodes: &mut Nodes, bin: &mut Bin) -> Written {
    let mut clips = clips::write(head, nodes, bin);
    let rest = head.default_weights();
    let expressions = match head.expression_form {
        ExpressionForm::Vrm => &head.unshown_expressions,
        ExpressionForm::Khr => &head.expressions,
    };
    let all = expressions.iter().filter_map(|each| Some((each, each.to_response(&rest, &head.materials)?)));
    let responses: Vec<(&Expression, Response)> = all.collect();
    if responses.is_empty() {
        return Written { animations: clips, used: Vec::new() };
    }
    // Several expressions may sample one animation of the file.
    let mut distinct: Vec<(&Response, Value)> = Vec::new();
    let mut of_response = Vec::with_capacity(responses.len());
    for (_, response) in &responses {
        let known = distinct.iter().position(|(other, _)| *other == response && response.of_file.is_some());
        of_response.push(known.unwrap_or_else(|| {
            distinct.push((response, animation(response, head, nodes, bin)));
            distinct.len() - 1
        }));
    }
    // Each at its number in the file of the head, where that is possible.
    let mut animations = vec![None; clips.len() + distinct.len()];
    let wanted = |response: &Response| response.of_file.as_ref().map(|animation| animation.number);
    let mut numbers = vec![0; distinct.len()];
    let mut later = Vec::new();
    for (at, (response, _)) in distinct.iter().enumerate() {
        match wanted(response).filter(|&number| animations.get(number).is_some_and(Option::is_none)) {
            Some(number) => {
                animations[number] = Some(at);
                numbers[at] = number;
            }
            None => later.push(at),
        }
    }
    let mut of_expressions: Vec<Option<Value>> = distinct.into_iter().map(|(_, value)| Some(value)).collect();
    let (mut later, mut clips) = (later.into_iter(), clips.drain(..));
    let mut list = Vec::with_capacity(animations.len());
    for (number, place) in animations.into_iter().enumerate() {
        let value = match place {
            Some(at) => of_expressions[at].take(),
            None => clips.next().or_else(|| {
                let at = later.next()?;
                numbers[at] = number;
                of_expressions[at].take()
            }),
        };
        list.extend(value);
    }
    let written: Vec<&Expression> = responses.iter().map(|(expression, _)| *expression).collect();
    let labels: Vec<&str> = written.iter().map(|expression| label(expression, &written)).collect();
    let entries: Vec<Value> = of_response
        .iter()
        .enumerate()
        .map(|(index, &at)| {
            let number = numbers[at];
            entry(index, &responses[index].1, number, &list[number], (expressions, &written, &labels))
        })
        .collect();
    let mut used = vec!["KHR_xmp_json_ld".to_owned()];
    for entry in &entries {
        let of_entry = entry.get("extensions").and_then(Value::as_object);
        used.extend(of_entry.into_iter().flat_map(Map::keys).cloned());
    }
    extensions.insert("KHR_character_expression".into(), json!({"expressions": entries}));
    if let Some(mapping) = head.carried.root.get(MAPPING) {
        extensions.insert(MAPPING.into(), mapping_to(mapping, &written, &labels));
    }
    if !head.carried.root.contains_key("KHR_character") {
        if nodes.roots.len() > 1 {
            nodes.join_roots(&head.name);
        }
        extensions.insert("KHR_character".into(), json!({"rootNode": nodes.roots.first().copied().unwrap_or(0)}));
    }
    Written { animations: list, used }
}

/// What an expression is called in the file: a name that several expressions of the file have was made unique.
fn label<'a>(expression: &'a Expression, written: &[&'a Expression]) -> &'a str {
    let label = expression.carried.get("expression").and_then(Value::as_str).unwrap_or_default();
    let is_shared = written.iter().any(|other| other.name == label && other.name != expression.name);
    if is_shared && expression.name.starts_with(label) { label } else { &expression.name }
}

/// The mapping to other vocabularies, with the places and labels that expressions have now. What mapped one that is
/// gone is left out.
fn mapping_to(mapping: &Value, written: &[&Expression], labels: &[&str]) -> Value {
    let (mut by_index, mut by_label) = (HashMap::new(), HashMap::new());
    for (at, expression) in written.iter().enumerate() {
        by_index.extend(expression.file_index.map(|index| (index as u64, at)));
        if let Some(label) = expression.carried.get("expression").and_then(Value::as_str) {
            by_label.entry(label).or_insert(at);
        }
    }
    let mut mapping = mapping.clone();
    for (key, of) in [("expressionSetMappings", "source"), ("expressionSetInputMappings", "target")] {
        let sets = mapping.get_mut(key).and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
        let names = sets.filter_map(Value::as_object_mut).flat_map(Map::values_mut).filter_map(Value::as_array_mut);
        for entries in names {
            entries.retain_mut(|entry| {
                let Some(entry) = entry.as_object_mut() else { return true };
                match entry.get_mut(of) {
                    Some(Value::String(label)) => {
                        if let Some(&at) = by_label.get(label.as_str()) {
                            labels[at].clone_into(label);
                        }
                    }
                    Some(Value::Number(index)) => {
                        let Some(&at) = index.as_u64().and_then(|index| by_index.get(&index)) else { return false };
                        *index = at.into();
                        set_name(entry, labels[at]);
                    }
                    _ => {}
                }
                true
            });
        }
    }
    mapping
}

/// Sets the copy of a label that an entry may have beside an index.
fn set_name(entry: &mut Map<String, Value>, label: &str) {
    if let Some(name) = entry.get_mut("name") {
        *name = json!(label);
    }
}

/// An entry for the expression at `index` of those that are `written`, with their `labels`. Masks count those that are
/// `written`.
fn entry(
    index: usize,
    response: &Response,
    number: usize,
    animation: &Value,
    (all, written, labels): (&[Expression], &[&Expression], &[&str]),
) -> Value {
    let expression = written[index];
    // What was read of VRM has other words.
    let mut entry = expression.carried.clone();
    if !entry.contains_key("animation") {
        entry.clear();
    }
    entry.insert("expression".into(), json!(labels[index]));
    entry.insert("animation".into(), json!(number));
    let mut own = entry.remove("extensions").and_then(|own| own.as_object().cloned()).unwrap_or_default();
    if response.of_file.is_none() {
        TYPED.iter().for_each(|name| drop(own.remove(*name)));
        let channels = animation["channels"].as_array().map_or(&[][..], Vec::as_slice);
        for (at, channel) in channels.iter().enumerate() {
            if let Some(name) = type_of(&channel["target"]) {
                let typed = own.entry(name).or_insert_with(|| json!({"channels": []}));
                typed["channels"].as_array_mut().into_iter().for_each(|list| list.push(json!(at)));
            }
        }
    }
    let masks = expression.masks_and_overrides(all);
    let masks = masks.iter().filter_map(|mask| {
        let target = written.iter().position(|other| other.name == mask.target)?;
        Some(words_of(mask, target, labels[target]))
    });
    let masks: Vec<Value> = masks.collect();
    own.remove(MASK);
    if !masks.is_empty() {
        own.insert(MASK.into(), json!({"masks": masks}));
    }
    if !own.is_empty() {
        entry.insert("extensions".into(), own.into());
    }
    Value::Object(entry)
}

/// The typed extension that lists a channel; none for a property of no type.
fn type_of(target: &Value) -> Option<&'static str> {
    let path = target["path"].as_str()?;
    let pointer = target.pointer("/extensions/KHR_animation_pointer/pointer").and_then(Value::as_str);
    match (path, pointer) {
        ("weights", _) => Some(TYPED[1]),
        ("translation" | "rotation" | "scale", _) => Some(TYPED[0]),
        (_, Some(pointer)) if pointer.contains("/KHR_texture_transform/") => Some(TYPED[2]),
        _ => None,
    }
}

fn words_of(mask: &Mask, target: usize, label: &str) -> Value {
    let mut words = mask.carried.clone();
    if words.is_empty() {
        let kind = if mask.kind == MaskKind::Blend { "blend" } else { "block" };
        words.insert("type".into(), json!(kind));
        words.insert("amount".into(), json!(mask.amount));
        if let MaskKind::Block { threshold } = mask.kind {
            words.insert("threshold".into(), json!(threshold));
        }
    }
    words.insert("target".into(), json!(target));
    set_name(&mut words, label);
    Value::Object(words)
}

/// The animation of an expression: as in its file, or made anew.
fn animation(response: &Response, head: &Head, nodes: &Nodes, bin: &mut Bin) -> Value {
    if let Some(mut written) = response.of_file.as_ref().and_then(|of_file| as_in_file(of_file, head, nodes, bin)) {
        add_extensions(&mut written, Some(&response.clip.carried));
        return written;
    }
    let mut clip = response.clip.clone();
    reach_end(&mut clip);
    let mut animation = clips::animation(&clip, head, nodes, bin).unwrap_or_else(|| json!({"name": clip.name}));
    let lists = ["channels", "samplers"].map(|key| animation[key].as_array().cloned().unwrap_or_default());
    let [channels, samplers] = lists;
    let mut of_materials = Animation { bin, channels, samplers };
    for track in &response.materials {
        let mut curve = track.curve.clone();
        if track.property == MaterialProperty::Emissive
            && let Some(material) = head.materials.get(track.material)
        {
            curve.scale(1.0 / material.emissive.iter().fold(1.0, |most: f32, &channel| most.max(channel)));
        }
        of_materials.add_pointer(&track.property.pointer(track.material), &curve, track.property.width());
    }
    let Animation { channels, samplers, .. } = of_materials;
    (animation["channels"], animation["samplers"]) = (channels.into(), samplers.into());
    animation
}

/// Adds a key where no track of a clip reaches its end, so that it stays as long as it was.
fn reach_end(clip: &mut Clip) {
    let end_secs = clip.duration_secs;
    let of_nodes = clip.node_tracks.iter_mut().map(|track| &mut track.curve);
    let mut curves: Vec<&mut Curve> = clip.tracks.iter_mut().map(|track| &mut track.curve).chain(of_nodes).collect();
    if curves.iter().any(|curve| curve.end_secs() >= end_secs) {
        return;
    }
    for curve in &mut curves {
        let (width, keys) = (curve.width(), curve.times().len());
        let times = curve.times().iter().copied().chain([end_secs]).collect();
        let last: Vec<f32> = (0..width).map(|element| curve.key_value(keys - 1, element)).collect();
        let mut values = curve.values().to_vec();
        if curve.interpolation() == Interpolation::CubicSpline {
            let out_tangents = values.len() - width;
            values[out_tangents..].fill(0.0);
            values.extend(vec![0.0; width].into_iter().chain(last).chain(vec![0.0; width]));
        } else {
            values.extend(last);
        }
        match Curve::new(curve.interpolation(), times, values, width) {
            Ok(longer) => **curve = longer,
            Err(error) => unreachable!("a key after the last one leaves a curve valid: {error}"),
        }
    }
}

/// An animation with the channels of its file; none if a node or a mesh of it is written otherwise.
fn as_in_file(of_file: &FileAnimation, head: &Head, nodes: &Nodes, bin: &mut Bin) -> Option<Value> {
    let mut animation = Animation { bin, channels: Vec::new(), samplers: Vec::new() };
    for channel in &of_file.channels {
        let (numbers, pointer, plain) = match &channel.property {
            FileProperty::Weights { first_target, is_single } => {
                let mesh = head.mesh_of_target(*first_target)?;
                nodes.mesh_of_file(mesh)?;
                let node = nodes.of_meshes[mesh];
                let place = first_target - head.meshes[mesh].first_target;
                let element = if *is_single { format!("/{place}") } else { String::new() };
                (1, format!("/nodes/{node}/weights{element}"), json!({"node": node, "path": "weights"}))
            }
            FileProperty::Node { node, path } => {
                let node = nodes.index_of_moving(*node)?;
                let pointer = format!("/nodes/{node}/{}", path.name());
                (path.width(), pointer, json!({"node": node, "path": path.name()}))
            }
            FileProperty::Pointer(pointer) => (channel.curve.width(), pointer.clone(), Value::Null),
        };
        if channel.is_pointer {
            animation.add_pointer(&pointer, &channel.curve, numbers);
        } else {
            animation.add_curve(plain, &channel.curve, numbers);
        }
    }
    let Animation { channels, samplers, .. } = animation;
    Some(json!({"name": of_file.name, "channels": channels, "samplers": samplers}))
}
