//! Expressions of `KHR_character_expression`, a draft of Khronos and the VRM Consortium (KhronosGroup/glTF#2512): an
//! animation that is sampled at the value of the expression, and masks that reduce other expressions.
//!
//! The draft leaves open how the samples of several expressions are combined. Each adds the difference between its
//! sample and that of its first moment, which is the head at rest, as the viewer of 0b5vr/khr-character-testbed does.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value};
use strum::{IntoStaticStr, VariantArray};

use super::VrmVersion;
use super::carried::Extensions;
use super::channel::{Bind, Expression, Override, Preset, Procedure};
use super::clip::{Clip, Curve, Interpolation, NodePath, Track};
use super::material::{Material, TextureRef};
use super::material_bind::{MaterialBind, MaterialProperty, MaterialValue};

/// How a file has the expressions of a head, and how they are saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ExpressionForm {
    /// In the extension of VRM.
    #[default]
    Vrm,
    /// `KHR_character_expression`.
    Khr,
}

impl ExpressionForm {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// The name of the extension, as a page of a head has it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Vrm => "VRM",
            Self::Khr => "KHR_character_expression, a draft",
        }
    }
}

/// The animation of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// What moves targets and nodes. A value of 1 samples it at the end of its duration.
    pub clip: Clip,
    pub materials: Vec<MaterialTrack>,
    /// The animation as the file has it, for saving; none if the head was changed since.
    pub of_file: Option<FileAnimation>,
}

/// What moves a property of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialTrack {
    /// Index into [`super::Asset::materials`].
    pub material: usize,
    pub property: MaterialProperty,
    pub curve: Curve,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileAnimation {
    /// Its index among the animations of the file.
    pub number: usize,
    pub name: String,
    pub channels: Vec<FileChannel>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileChannel {
    pub property: FileProperty,
    /// Whether `KHR_animation_pointer` names the property.
    pub is_pointer: bool,
    pub curve: Curve,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FileProperty {
    /// All weights of a mesh, or the one of a single target, by the head-wide index of the first.
    Weights {
        first_target: usize,
        is_single: bool,
    },
    Node {
        node: usize,
        path: NodePath,
    },
    /// Anything else, by its JSON pointer, also what is not shown.
    Pointer(String),
}

/// How an expression reduces another one (`KHR_character_expression_mask`).
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// The name of the other expression.
    pub target: String,
    pub kind: MaskKind,
    /// 0 to 1.
    pub amount: f32,
    /// The mask as the file has it, but for its target.
    pub carried: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaskKind {
    /// In proportion to the value of its own expression.
    Blend,
    /// As soon as the value of its own expression is above a threshold.
    Block { threshold: f32 },
    /// A kind that an application has defined, which is kept and does nothing.
    Unknown,
}

impl Mask {
    /// The factor that is left of the other expression, given the value of its own.
    pub(super) fn remainder(&self, value: f32) -> f32 {
        1.0 - match self.kind {
            MaskKind::Blend => self.amount * value,
            MaskKind::Block { threshold } if value > threshold => self.amount,
            MaskKind::Block { .. } | MaskKind::Unknown => 0.0,
        }
    }
}

impl Response {
    /// The moment of its clip that a value shows.
    fn secs_at(&self, value: f32) -> f32 {
        value * self.clip.duration_secs
    }

    /// What an expression at 1 adds to the weights of targets.
    pub fn binds(&self) -> Vec<Bind> {
        let end_secs = self.clip.duration_secs;
        let tracks = self.clip.tracks.iter().flat_map(|track| {
            (0..track.curve.width()).filter_map(move |element| {
                let start = track.curve.sample(0.0, element);
                let bind = Bind {
                    target: track.first_target + element,
                    weight: track.curve.sample(end_secs, element) - start,
                };
                (!track.curve.rests_at(start, element, 1e-6)).then_some(bind)
            })
        });
        tracks.collect()
    }

    pub(super) fn add_weights(&self, value: f32, weights: &mut [f32]) {
        let secs = self.secs_at(value);
        for track in &self.clip.tracks {
            let next = track.curve.next_key(secs);
            for (element, weight) in weights.iter_mut().skip(track.first_target).take(track.curve.width()).enumerate() {
                *weight += track.curve.sample_before(next, secs, element) - track.curve.sample(0.0, element);
            }
        }
    }

    pub fn moves_nodes(&self) -> bool {
        self.clip.moves_nodes()
    }

    pub(super) fn change_materials(&self, value: f32, at_rest: &[Material], changed: &mut BTreeMap<usize, Material>) {
        let secs = self.secs_at(value);
        for MaterialTrack { material, property, curve } in &self.materials {
            let Some(rest) = at_rest.get(*material) else { continue };
            let material = changed.entry(*material).or_insert_with(|| rest.clone());
            let mut difference = Vec4::ZERO;
            for element in (0..curve.width().min(4)).filter(|_| value > 0.0) {
                difference[element] = curve.sample(secs, element) - curve.sample(0.0, element);
            }
            material.add_to(*property, difference);
        }
    }

    /// Forgets how the weights of targets grow, so that the binds of the expression alone say what it moves.
    fn forget_tracks(&mut self) {
        self.clip.tracks.clear();
        self.of_file = None;
    }
}

impl Expression {
    /// The animation of the weights of its targets; none where its binds say all.
    pub(super) fn animated_weights(&self) -> Option<&Response> {
        self.response.as_ref().filter(|response| !response.clip.tracks.is_empty())
    }

    pub fn moves_nodes(&self) -> bool {
        self.response.as_ref().is_some_and(Response::moves_nodes)
    }

    /// Whether it moves targets or nodes.
    pub fn moves(&self) -> bool {
        !self.binds.is_empty() || self.moves_nodes()
    }

    /// Its masks, and its overrides of blinks, gaze and speech in the form of masks of these `expressions`.
    pub fn masks_and_overrides(&self, expressions: &[Self]) -> Vec<Mask> {
        let overridden = expressions.iter().filter(|other| other.name != self.name).filter_map(|other| {
            let kind = match self.override_of(other.preset?.procedure()?) {
                Override::None => return None,
                Override::Blend if !self.is_binary => MaskKind::Blend,
                Override::Blend | Override::Block => {
                    MaskKind::Block { threshold: if self.is_binary { 0.5 } else { 0.0 } }
                }
            };
            Some(Mask { target: other.name.clone(), kind, amount: 1.0, carried: Map::new() })
        });
        self.masks.iter().cloned().chain(overridden).collect()
    }

    /// The animation of what it moves and changes; of one that grows in proportion, from 0 to 1 s. None if it does
    /// nothing. `rest` are the weights of targets at rest.
    pub fn to_response(&self, rest: &[f32], materials: &[Material]) -> Option<Response> {
        let mut response = self.response.clone().unwrap_or_else(|| Response {
            clip: Clip::new(self.name.clone(), Vec::new()),
            materials: Vec::new(),
            of_file: None,
        });
        if response.clip.duration_secs == 0.0 {
            response.clip.duration_secs = 1.0;
        }
        let end_secs = response.clip.duration_secs;
        let grown = |start: &[f32], end: &[f32]| {
            let (interpolation, times) = match self.is_binary {
                // A binary expression is on above 0.5.
                true => (Interpolation::Step, vec![0.0, (0.5 * end_secs).next_up(), end_secs]),
                false => (Interpolation::Linear, vec![0.0, end_secs]),
            };
            let values = times.iter().flat_map(|&time| if time == 0.0 { start } else { end }).copied().collect();
            Curve::new(interpolation, times, values, start.len()).ok()
        };
        if response.clip.tracks.is_empty() {
            let mut added: BTreeMap<usize, f32> = BTreeMap::new();
            for bind in &self.binds {
                *added.entry(bind.target).or_default() += bind.weight;
            }
            response.clip.tracks = added
                .into_iter()
                .filter_map(|(first_target, weight)| {
                    let start = *rest.get(first_target)?;
                    Some(Track { first_target, curve: grown(&[start], &[start + weight])? })
                })
                .collect();
        }
        if response.materials.is_empty() {
            for bind in &self.materials {
                let Some(at_rest) = materials.get(bind.material) else { continue };
                for (property, start, end) in bind.value.properties(at_rest) {
                    if let Some(curve) = grown(&start, &end) {
                        response.materials.push(MaterialTrack { material: bind.material, property, curve });
                    }
                }
            }
        }
        let is_idle = response.clip.tracks.is_empty() && !response.moves_nodes() && response.materials.is_empty();
        (!is_idle).then_some(response)
    }

    /// What of it an expression of VRM can have: what it does at 1, and masks of all expressions of a procedure.
    pub fn in_vrm(&self, all: &[Self], version: VrmVersion, materials: &[Material]) -> Cow<'_, Self> {
        if self.response.is_none() && self.masks.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut own = Self { response: None, masks: Vec::new(), carried: Map::new(), ..self.clone() };
        let overrides = [
            (Procedure::Blink, &mut own.override_blink),
            (Procedure::LookAt, &mut own.override_look_at),
            (Procedure::Mouth, &mut own.override_mouth),
        ];
        for (procedure, place) in overrides {
            *place = self.override_by_masks(all, procedure).unwrap_or(*place);
        }
        let mut binds = self.materials.clone();
        let tracks = self.response.iter().flat_map(|response| &response.materials);
        let end_secs = self.response.as_ref().map_or(1.0, |response| response.clip.duration_secs);
        for MaterialTrack { material, property, curve } in tracks {
            let Some(rest) = materials.get(*material) else { continue };
            let end: Vec<f32> = (0..curve.width()).map(|element| curve.sample(end_secs, element)).collect();
            let map = rest.base_color_texture.unwrap_or(TextureRef::from(0)).texture_from_uv;
            let (scale, _, offset) = map.to_scale_angle_translation();
            let known = binds.iter().position(|bind| {
                bind.material == *material && matches!(bind.value, MaterialValue::TextureTransform { .. })
            });
            let value = match (property, known.map(|at| binds[at].value)) {
                (MaterialProperty::BaseColor, _) => MaterialValue::BaseColor(Vec4::from_slice(&end)),
                (MaterialProperty::Emissive, _) => MaterialValue::Emissive(Vec3::from_slice(&end)),
                (MaterialProperty::TextureOffset(0), Some(MaterialValue::TextureTransform { scale, .. })) => {
                    MaterialValue::TextureTransform { scale, offset: Vec2::from_slice(&end) }
                }
                (MaterialProperty::TextureScale(0), Some(MaterialValue::TextureTransform { offset, .. })) => {
                    MaterialValue::TextureTransform { scale: Vec2::from_slice(&end), offset }
                }
                (MaterialProperty::TextureOffset(0), _) => {
                    MaterialValue::TextureTransform { scale, offset: Vec2::from_slice(&end) }
                }
                (MaterialProperty::TextureScale(0), _) => {
                    MaterialValue::TextureTransform { scale: Vec2::from_slice(&end), offset }
                }
                (MaterialProperty::Toon(which), _) => MaterialValue::Toon(*which, Vec3::from_slice(&end)),
                // VRM moves all textures of a material together, and turns none.
                (
                    MaterialProperty::TextureOffset(_)
                    | MaterialProperty::TextureScale(_)
                    | MaterialProperty::TextureRotation(_),
                    _,
                ) => continue,
            };
            let bind = MaterialBind { material: *material, value };
            let is_transform = matches!(value, MaterialValue::TextureTransform { .. });
            match known.filter(|_| is_transform) {
                Some(at) => binds[at] = bind,
                None => binds.push(bind),
            }
        }
        own.set_materials(binds, version, materials);
        Cow::Owned(own)
    }

    /// The override that says the same as its masks of the expressions of a procedure; none if no override does.
    fn override_by_masks(&self, all: &[Self], procedure: Procedure) -> Option<Override> {
        let mut kinds = all
            .iter()
            .filter(|other| other.name != self.name && other.preset.and_then(Preset::procedure) == Some(procedure));
        let kind_of = |other: &Self| {
            let mask = self.masks.iter().find(|mask| mask.target == other.name && mask.amount == 1.0)?;
            match mask.kind {
                MaskKind::Blend => Some(Override::Blend),
                MaskKind::Block { .. } => Some(Override::Block),
                MaskKind::Unknown => None,
            }
        };
        let first = kind_of(kinds.next()?)?;
        kinds.all(|other| kind_of(other) == Some(first)).then_some(first)
    }

    /// Whether VRM has no words for a part of it: joints, curves, or masks of some expressions.
    pub fn loses_in_vrm(&self, all: &[Self]) -> bool {
        let said = [Procedure::Blink, Procedure::LookAt, Procedure::Mouth]
            .map(|procedure| (procedure, self.override_by_masks(all, procedure).is_some()));
        let is_said = |mask: &Mask| {
            let masked = all.iter().find(|other| other.name == mask.target);
            let procedure = masked.and_then(|other| other.preset?.procedure());
            said.iter().any(|(of, is_said)| *is_said && Some(*of) == procedure)
        };
        self.moves_nodes() || !self.is_linear() || !self.masks.iter().all(is_said)
    }

    /// Whether what it moves and changes grows in proportion to its value.
    pub fn is_linear(&self) -> bool {
        let is_straight = |curve: &Curve| curve.interpolation() == Interpolation::Linear && curve.times().len() == 2;
        self.response.as_ref().is_none_or(|response| {
            let of_targets = response.clip.tracks.iter().map(|track| &track.curve);
            let of_materials = response.materials.iter().map(|track| &track.curve);
            of_targets.chain(of_materials).all(is_straight)
        })
    }

    /// Replaces what it does to targets by binds alone.
    pub fn set_binds(&mut self, binds: Vec<Bind>) {
        if self.binds != binds {
            self.binds = binds;
            self.response.iter_mut().for_each(Response::forget_tracks);
        }
    }
}

/// What an asset says that a name of another vocabulary moves: the name, and the names of expressions with their
/// weights (`KHR_character_expression_mapping`). Of a vocabulary whose input mapping the file has, that counts. Of the
/// others the mapping to the vocabulary counts in reverse: drafts before July 2026 have no other, and give names of
/// expressions in the place of their indices.
pub(super) fn mapped_names<'a>(
    root: &'a Extensions,
    expressions: impl Iterator<Item = &'a Expression>,
) -> Vec<(&'a str, Vec<(&'a str, f32)>)> {
    let indexed = expressions.filter_map(|expression| Some((expression.file_index? as u64, expression.name.as_str())));
    let by_index: HashMap<u64, &str> = indexed.collect();
    let mapping = root.get("KHR_character_expression_mapping");
    let [inputs, outputs] = ["expressionSetInputMappings", "expressionSetMappings"].map(|key| {
        let sets = mapping.and_then(|mapping| mapping.get(key)).and_then(Value::as_object);
        sets.into_iter().flatten().filter_map(|(set, names)| Some((set, names.as_object()?)))
    });
    let input_sets: BTreeMap<_, _> = inputs.collect();
    let others: Vec<_> = outputs.filter(|(set, _)| !input_sets.contains_key(set)).collect();
    let of_inputs = input_sets.into_values().map(|names| (names, "target"));
    let inputs_and_others = of_inputs.chain(others.into_iter().map(|(_, names)| (names, "source")));
    let mut mapped = Vec::new();
    for (names, key) in inputs_and_others {
        for (name, entries) in names {
            let entries = entries.as_array().into_iter().flatten().filter_map(|entry| {
                let weight = entry.get("weight").map_or(Some(1.0), Value::as_f64)? as f32;
                let own = match entry.get(key)? {
                    Value::String(own) => own.as_str(),
                    index => by_index.get(&index.as_u64()?)?,
                };
                Some((own, weight)).filter(|_| weight.is_finite())
            });
            mapped.push((name.as_str(), entries.collect()));
        }
    }
    mapped
}
