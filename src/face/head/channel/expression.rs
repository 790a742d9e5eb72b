//! Expressions of VRM files and of `KHR_character_expression`. Each adds to the weights of targets, may change
//! materials, and may override blinks, gaze and speech, or mask others.
//!
//! The rules are VRM 1.0's (`VRMC_vrm.expressions`: expression control, procedural override, interaction between
//! override and isBinary, expression update algorithm). Where its texts differ, Smirk does what three-vrm does: a
//! binary expression is on above 0.5, and off at exactly 0.5; overrides of several expressions add up, to 1 at most.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::head::{Mask, MaterialBind, Response};

/// One expression. Its value is kept between 0 and 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// The name in the file; unique within a head.
    pub name: String,
    /// The preset of VRM that it is, if any.
    pub preset: Option<Preset>,
    /// Whether its value is rounded to 0 or 1.
    pub is_binary: bool,
    pub override_blink: Override,
    pub override_look_at: Override,
    pub override_mouth: Override,
    pub binds: Vec<Bind>,
    pub materials: Vec<MaterialBind>,
    /// How what it moves follows its value; none where that grows in proportion. Where it animates weights, `binds`
    /// says what it adds to them at 1.
    pub response: Option<Response>,
    pub masks: Vec<Mask>,
    /// Its index in the list of `KHR_character_expression`; none if it is not of such a list.
    pub file_index: Option<usize>,
    /// What else the file says of it, and what it does to materials in the words of the file; kept for saving.
    pub carried: Map<String, Value>,
}

/// A target and the weight that an expression at 1 adds to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bind {
    /// Head-wide index.
    pub target: usize,
    /// Usually 0 to 1.
    pub weight: f32,
}

/// How an expression overrides the expressions of a procedure (blink, gaze or speech).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Override {
    #[default]
    None,
    /// Switches them off as soon as its value is above 0.
    Block,
    Blend,
}

impl Override {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in VRM 1.0.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The part by which it reduces other expressions, given the output of its own expression.
    fn amount(self, output: f32) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Block => f32::from(u8::from(output > 0.0)),
            Self::Blend => output,
        }
    }
}

impl Expression {
    /// Whether the expression has no effect in Smirk.
    pub fn is_idle(&self) -> bool {
        let overrides = [self.override_blink, self.override_look_at, self.override_mouth];
        let changes = !self.materials.is_empty() || self.response.is_some() || !self.masks.is_empty();
        self.binds.is_empty() && !changes && overrides.iter().all(|each| *each == Override::None)
    }

    /// Its output at a value, before other expressions override it.
    fn output(&self, value: f32) -> f32 {
        if self.is_binary {
            return f32::from(u8::from(value > 0.5));
        }
        // NaN compares as not greater, and becomes 0.
        if value > 0.0 { value.min(1.0) } else { 0.0 }
    }

    pub(crate) fn override_of(&self, procedure: Procedure) -> Override {
        // An expression does not override those of its own procedure.
        if self.preset.and_then(Preset::procedure) == Some(procedure) {
            return Override::None;
        }
        match procedure {
            Procedure::Blink => self.override_blink,
            Procedure::LookAt => self.override_look_at,
            Procedure::Mouth => self.override_mouth,
        }
    }
}

/// The output of each of `expressions` at `values`, after they have overridden each other.
pub(crate) fn outputs(expressions: &[Expression], values: &[f32]) -> Vec<f32> {
    let mut outputs: Vec<f32> = expressions.iter().zip(values).map(|(each, &value)| each.output(value)).collect();
    let values = outputs.clone();
    let [blink, look_at, mouth] = [Procedure::Blink, Procedure::LookAt, Procedure::Mouth].map(|procedure| {
        let outputs = expressions.iter().zip(&outputs);
        let overridden = outputs.map(|(each, &output)| each.override_of(procedure).amount(output));
        1.0 - overridden.sum::<f32>().min(1.0)
    });
    for (expression, output) in expressions.iter().zip(&mut outputs) {
        let remainder = match expression.preset.and_then(Preset::procedure) {
            None => 1.0,
            Some(Procedure::Blink) => blink,
            Some(Procedure::LookAt) => look_at,
            Some(Procedure::Mouth) => mouth,
        };
        // A binary expression is never partly on.
        *output *= if expression.is_binary && remainder < 1.0 { 0.0 } else { remainder };
    }
    if expressions.iter().any(|expression| !expression.masks.is_empty()) {
        let places = expressions.iter().enumerate().map(|(index, expression)| (expression.name.as_str(), index));
        let places: HashMap<&str, usize> = places.collect();
        // Masks go by the values before others have reduced them.
        for (expression, value) in expressions.iter().zip(values) {
            for mask in &expression.masks {
                if let Some(&masked) = places.get(mask.target.as_str()) {
                    outputs[masked] *= mask.remainder(value);
                }
            }
        }
    }
    outputs
}

/// Adds what `expressions` at `values` contribute to the weights of their targets, and returns the output of each.
pub(crate) fn resolve(expressions: &[Expression], values: &[f32], weights: &mut [f32]) -> Vec<f32> {
    let outputs = outputs(expressions, values);
    for (expression, &output) in expressions.iter().zip(&outputs).filter(|(_, output)| **output != 0.0) {
        if let Some(response) = expression.animated_weights() {
            response.add_weights(output, weights);
            continue;
        }
        for bind in &expression.binds {
            if let Some(weight) = weights.get_mut(bind.target) {
                *weight += output * bind.weight;
            }
        }
    }
    outputs
}

/// An expression whose meaning VRM defines, whatever its name in the file.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    VariantArray,
    IntoStaticStr,
    EnumString,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Preset {
    Happy,
    Angry,
    Sad,
    Relaxed,
    Surprised,
    Aa,
    Ih,
    Ou,
    Ee,
    Oh,
    Blink,
    BlinkLeft,
    BlinkRight,
    LookUp,
    LookDown,
    LookLeft,
    LookRight,
    Neutral,
}

/// A kind of expression that programs animate procedurally, and that other expressions may override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    Blink,
    LookAt,
    Mouth,
}

impl Preset {
    /// In the specification's order.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in VRM 1.0.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The preset of that name in VRM 1.0.
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Its name in VRM 0.x; none for the one that was added in 1.0.
    pub fn vrm0_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Happy => "joy",
            Self::Angry => "angry",
            Self::Sad => "sorrow",
            Self::Relaxed => "fun",
            Self::Surprised => return None,
            Self::Aa => "a",
            Self::Ih => "i",
            Self::Ou => "u",
            Self::Ee => "e",
            Self::Oh => "o",
            Self::Blink => "blink",
            Self::BlinkLeft => "blink_l",
            Self::BlinkRight => "blink_r",
            Self::LookUp => "lookup",
            Self::LookDown => "lookdown",
            Self::LookLeft => "lookleft",
            Self::LookRight => "lookright",
            Self::Neutral => "neutral",
        })
    }

    /// The preset of that name in VRM 0.x, in any case.
    pub fn named_in_vrm0(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|preset| preset.vrm0_name().is_some_and(|own| own.eq_ignore_ascii_case(name)))
    }

    /// The kind of override that applies to it.
    pub fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Aa | Self::Ih | Self::Ou | Self::Ee | Self::Oh => Some(Procedure::Mouth),
            Self::Blink | Self::BlinkLeft | Self::BlinkRight => Some(Procedure::Blink),
            Self::LookUp | Self::LookDown | Self::LookLeft | Self::LookRight => Some(Procedure::LookAt),
            Self::Happy | Self::Angry | Self::Sad | Self::Relaxed | Self::Surprised | Self::Neutral => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Target n is moved by expression n alone.
    fn resolved<const N: usize>(expressions: [Expression; N], values: [f32; N]) -> [f32; N] {
        let mut weights = [0.0; N];
        let bound =
            |(target, each): (usize, Expression)| Expression { binds: vec![Bind { target, weight: 1.0 }], ..each };
        let expressions: Vec<Expression> = expressions.into_iter().enumerate().map(bound).collect();
        resolve(&expressions, &values, &mut weights);
        weights
    }

    fn of(preset: Preset) -> Expression {
        Expression { name: preset.name().into(), preset: Some(preset), ..Expression::default() }
    }

    fn overriding(preset: Preset, override_blink: Override) -> Expression {
        Expression { override_blink, ..of(preset) }
    }

    #[test]
    fn values_are_clamped_to_0_and_1_and_binary_ones_rounded() {
        let binary = |value| resolved([Expression { is_binary: true, ..of(Preset::Happy) }], [value])[0];
        assert_eq!([0.0, 0.5, 0.5001, 1.0, 7.0, f32::NAN].map(binary), [0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        let plain = |value| resolved([of(Preset::Happy)], [value])[0];
        assert_eq!([-1.0, 0.3, 1.5, f32::NAN].map(plain), [0.0, 0.3, 1.0, 0.0]);
    }

    /// happy × blink, as in the tables of the specification's samples.
    #[test]
    fn overrides_reduce_blinks() {
        let shown = |override_blink, happy, blink| {
            resolved([overriding(Preset::Happy, override_blink), of(Preset::Blink)], [happy, blink])[1]
        };
        for (override_blink, expected) in
            [(Override::None, [1.0, 1.0, 1.0]), (Override::Block, [1.0, 0.0, 0.0]), (Override::Blend, [1.0, 0.75, 0.0])]
        {
            assert_eq!([0.0, 0.25, 1.0].map(|happy| shown(override_blink, happy, 1.0)), expected, "{override_blink:?}");
        }
        assert_eq!(shown(Override::Blend, 0.5, 0.5), 0.25);
    }

    #[test]
    fn a_binary_expression_overrides_by_its_output() {
        for each in [Override::Block, Override::Blend] {
            let happy = Expression { is_binary: true, ..overriding(Preset::Happy, each) };
            let blink = |value| resolved([happy.clone(), of(Preset::Blink)], [value, 1.0])[1];
            assert_eq!([0.3, 0.5, 0.6].map(blink), [1.0, 1.0, 0.0], "{each:?}");
        }
    }

    #[test]
    fn a_binary_expression_is_off_as_soon_as_it_is_overridden() {
        for each in [Override::Block, Override::Blend] {
            let blink = Expression { is_binary: true, ..of(Preset::Blink) };
            let shown = |value| resolved([overriding(Preset::Happy, each), blink.clone()], [value, 1.0])[1];
            assert_eq!([0.0, 0.01, 1.0].map(shown), [1.0, 0.0, 0.0], "{each:?}");
        }
    }

    #[test]
    fn overrides_of_several_add_up_and_reach_their_own_kind_only() {
        let [happy, angry] = [Preset::Happy, Preset::Angry].map(|preset| overriding(preset, Override::Blend));
        let weights = resolved(
            [happy, angry, of(Preset::BlinkLeft), of(Preset::Aa), of(Preset::LookUp)],
            [0.25, 0.5, 1.0, 1.0, 1.0],
        );
        assert_eq!(weights, [0.25, 0.5, 0.25, 1.0, 1.0]);
        let blinks = resolved([overriding(Preset::BlinkLeft, Override::Block), of(Preset::BlinkRight)], [1.0, 1.0]);
        assert_eq!(blinks, [1.0, 1.0], "a blink of one eye does not override that of the other");
        let custom = Expression { preset: None, override_mouth: Override::Block, ..Expression::default() };
        assert_eq!(
            resolved([custom, of(Preset::Oh)], [1.0, 1.0]),
            [1.0, 0.0],
            "an expression without a preset may override speech"
        );
    }

    #[test]
    fn expressions_add_to_each_other_and_to_the_weights() {
        let bind = |weight| Expression { binds: vec![Bind { target: 0, weight }; 2], ..Expression::default() };
        let mut weights = [0.5];
        resolve(&[bind(0.25), bind(1.0)], &[1.0, 0.5], &mut weights);
        assert_eq!(weights, [2.0]);
        resolve(
            &[Expression { binds: vec![Bind { target: 9, weight: 1.0 }], ..Expression::default() }],
            &[1.0],
            &mut weights,
        );
        assert_eq!(weights, [2.0], "a target that does not exist");
    }
}
