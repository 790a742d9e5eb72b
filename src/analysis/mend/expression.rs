//! An expression that is made, changed or deleted.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::plan::{Plan, Scope};
use super::{Reason, Refused};
use smirk_face::head::{
    Asset, Bind, Expression, Head, MaterialBind, MaterialValue, Override, Preset, ToonColor, VrmVersion,
};

/// An expression of a head, which may be that of a VRM avatar or get its first. What is not said stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetExpression {
    /// Its name, or that of its preset; one that the head lacks is made.
    pub name: String,
    #[serde(default, skip_serializing_if = "is_no")]
    pub delete: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rename: Option<String>,
    /// Without it, a new name that is that of a preset makes it this preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<PresetChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_binary: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_blink: Option<Override>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_look_at: Option<Override>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_mouth: Option<Override>,
    /// Shapes by their names, with the weights that it adds at 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_finite")]
    pub binds: Option<BTreeMap<String, f32>>,
    /// What it does to materials, of what is shown; the rest stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub materials: Option<Vec<MaterialEffect>>,
}

fn is_no(delete: &bool) -> bool {
    !*delete
}

fn some_finite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BTreeMap<String, f32>>, D::Error> {
    let weights = BTreeMap::<String, f32>::deserialize(deserializer)?;
    match weights.iter().find(|(_, weight)| !weight.is_finite()) {
        Some((name, weight)) => Err(de::Error::custom(format!("{name}: {weight} is no weight"))),
        None => Ok(Some(weights)),
    }
}

/// The preset that an expression is, or none: by its name, `custom` for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetChoice(pub Option<Preset>);

impl PresetChoice {
    pub const CUSTOM: &'static str = "custom";
}

impl Serialize for PresetChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.map_or(Self::CUSTOM, Preset::name))
    }
}

impl<'de> Deserialize<'de> for PresetChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match Preset::named(&name) {
            None if name != Self::CUSTOM => Err(de::Error::custom(format!("{name:?} is neither a preset nor custom"))),
            preset => Ok(Self(preset)),
        }
    }
}

/// What an expression at 1 makes of the materials of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialEffect {
    pub material: String,
    pub effect: Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Linear, with alpha.
    #[serde(deserialize_with = "finite")]
    Color([f32; 4]),
    /// Linear; may be above 1.
    #[serde(deserialize_with = "finite")]
    Emission([f32; 3]),
    TextureTransform {
        #[serde(deserialize_with = "finite")]
        scale: [f32; 2],
        #[serde(deserialize_with = "finite")]
        offset: [f32; 2],
    },
    /// A colour of toon shading, linear.
    Toon {
        which: ToonColor,
        #[serde(deserialize_with = "finite")]
        color: [f32; 3],
    },
}

fn finite<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<[f32; N], D::Error>
where
    [f32; N]: Deserialize<'de>,
{
    let numbers = <[f32; N]>::deserialize(deserializer)?;
    let are_numbers = numbers.iter().all(|number| number.is_finite());
    are_numbers.then_some(numbers).ok_or_else(|| de::Error::custom("a number is not finite"))
}

impl Effect {
    pub fn new(value: MaterialValue) -> Self {
        match value {
            MaterialValue::BaseColor(color) => Self::Color(color.to_array()),
            MaterialValue::Emissive(light) => Self::Emission(light.to_array()),
            MaterialValue::TextureTransform { scale, offset } => {
                Self::TextureTransform { scale: scale.to_array(), offset: offset.to_array() }
            }
            MaterialValue::Toon(which, color) => Self::Toon { which, color: color.to_array() },
        }
    }

    fn value(self) -> MaterialValue {
        match self {
            Self::Color(color) => MaterialValue::BaseColor(Vec4::from_array(color)),
            Self::Emission(light) => MaterialValue::Emissive(Vec3::from_array(light)),
            Self::TextureTransform { scale, offset } => {
                MaterialValue::TextureTransform { scale: Vec2::from_array(scale), offset: Vec2::from_array(offset) }
            }
            Self::Toon { which, color } => MaterialValue::Toon(which, Vec3::from_array(color)),
        }
    }
}

impl SetExpression {
    /// A new expression that shows a face: weights by the names of shapes.
    pub fn of_face(name: impl Into<String>, face: BTreeMap<String, f32>) -> Self {
        Self { name: name.into(), binds: Some(face), ..Self::default() }
    }

    /// The name that the expression has afterwards, without regard to whether that is possible.
    pub fn final_name(&self, head: &Head) -> &str {
        match self.preset {
            Some(PresetChoice(Some(preset))) if version(head) == VrmVersion::V1 => preset.name(),
            _ => self.rename.as_ref().unwrap_or(&self.name),
        }
    }

    /// Which expression is meant: that of the name, else the preset of that name, which a VRM 0.x may call otherwise.
    fn place(&self, expressions: &[Expression]) -> Option<usize> {
        let preset = Preset::named(&self.name);
        let of_preset = || expressions.iter().position(|other| preset.is_some() && other.preset == preset);
        expressions.iter().position(|other| other.name == self.name).or_else(of_preset)
    }

    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let head = scope.head;
        let mut expressions = head.expressions.clone();
        let place = self.place(&expressions);
        let mut plan = Plan::default();
        if self.delete {
            let Some(place) = place else { return Plan::refusing(Reason::NoExpression(self.name.clone())) };
            expressions.remove(place);
            plan.expressions = Some(expressions);
            return plan;
        }
        let own = place.map(|place| expressions.remove(place));
        let before = own.as_ref().map(|own| own.name.clone());
        let mut new = match self.named(head, own.as_ref(), &expressions) {
            Ok((name, preset)) => Expression { name, preset, ..own.unwrap_or_default() },
            Err(reason) => return Plan::refusing(reason),
        };
        new.is_binary = self.is_binary.unwrap_or(new.is_binary);
        new.override_blink = self.override_blink.unwrap_or(new.override_blink);
        new.override_look_at = self.override_look_at.unwrap_or(new.override_look_at);
        new.override_mouth = self.override_mouth.unwrap_or(new.override_mouth);
        if let Some(named) = &self.binds {
            let mut binds = Vec::new();
            for (name, &weight) in named {
                match scope.shape_named(name) {
                    Some(channel) => binds.extend(binds_of(head, channel, weight)),
                    None => plan.refused.push(Refused { shape: Some(name.clone()), reason: Reason::NoShape }),
                }
            }
            new.set_binds(binds);
        }
        if let Some(effects) = &self.materials {
            let mut binds = Vec::new();
            for MaterialEffect { material: name, effect } in effects {
                let named = head.materials.iter().enumerate().filter(|(_, material)| material.name == *name);
                let before = binds.len();
                binds.extend(named.map(|(material, _)| MaterialBind { material, value: effect.value() }));
                if binds.len() == before {
                    let reason = Reason::NoMaterial(name.clone());
                    plan.refused.push(Refused { shape: None, reason });
                }
            }
            new.set_materials(binds, version(head), &head.materials);
        }
        let place = place.unwrap_or(expressions.len());
        if let Some(before) = before {
            let renamed = new.name.clone();
            if before != renamed {
                let names = [(before.clone(), renamed.clone())];
                plan.first = Some(Box::new(|asset: &mut Asset| asset.former_names.extend(names)));
            }
            let masks = expressions.iter_mut().chain([&mut new]).flat_map(|expression| &mut expression.masks);
            masks.filter(|mask| mask.target == before).for_each(|mask| mask.target.clone_from(&renamed));
        }
        expressions.insert(place, new);
        plan.expressions = Some(in_order(expressions));
        plan
    }

    /// The name and the preset afterwards, beside the other expressions of the head. In VRM 1.0, a preset has its own
    /// name, and no other expression has that of a preset.
    fn named(
        &self,
        head: &Head,
        own: Option<&Expression>,
        others: &[Expression],
    ) -> Result<(String, Option<Preset>), Reason> {
        let known = own.map_or(&self.name, |own| &own.name);
        let name = self.rename.as_ref().unwrap_or(known).trim();
        let is_new_name = own.is_none_or(|own| own.name != name);
        let preset = match (self.preset, own) {
            (Some(PresetChoice(preset)), _) => preset,
            (None, Some(own)) if !is_new_name => own.preset,
            (None, _) => Preset::named(name),
        };
        let is_v1 = version(head) == VrmVersion::V1;
        let name = preset.filter(|_| is_v1).map_or(name, |preset| preset.name());
        let of_preset = |preset| others.iter().find(|other| other.preset == Some(preset));
        if name.is_empty() {
            Err(Reason::NoName)
        } else if is_v1 && preset.is_none() && Preset::named(name).is_some() {
            Err(Reason::NameOfPreset(name.to_owned()))
        } else if let Some(other) = preset.and_then(of_preset) {
            Err(Reason::PresetTaken(other.name.clone()))
        } else if others.iter().any(|other| other.name == name) {
            Err(Reason::ExpressionNamed(name.to_owned()))
        } else {
            Ok((name.to_owned(), preset))
        }
    }
}

/// The version whose rules the expressions of a head follow.
pub(super) fn version(head: &Head) -> VrmVersion {
    head.avatar.as_ref().map_or(VrmVersion::V1, |avatar| avatar.version)
}

/// Binds to the targets of a shape, in the range of weights that VRM has.
pub(super) fn binds_of(head: &Head, channel: usize, weight: f32) -> impl Iterator<Item = Bind> {
    let weight = weight.clamp(0.0, 1.0);
    head.moving_targets(channel).into_iter().map(move |(target, _)| Bind { target, weight })
}

/// Presets in the order of the specification, then the others as they are: that of a head's channels.
pub(super) fn in_order(mut expressions: Vec<Expression>) -> Vec<Expression> {
    expressions.sort_by_key(|expression| (expression.preset.is_none(), expression.preset));
    expressions
}
