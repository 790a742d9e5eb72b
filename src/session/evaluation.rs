//! The evaluation of the stack, once per frame. The panels, the sliders and the viewport share the result.

use std::sync::Arc;

use super::{Revision, Session, Tracked};
use smirk_face::motion::{BlendRule, BoundStack, FaceRevision, Fade, Layer, Mix, Moment, StackInputs};

/// A cache of the last bound stack and the last mix, each with the inputs that it was computed from. They are computed
/// again when the inputs change.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    bound: Option<Bound>,
    shown: Option<(EvaluatedFrom, Evaluated)>,
}

#[derive(Clone, Debug)]
struct Bound {
    edits: Revision,
    clips: Vec<usize>,
    /// The names of the live columns, if the live face drives.
    live: Option<Arc<[String]>>,
    stack: Arc<BoundStack>,
}

/// All inputs of a mix. The blend rule needs no field of its own: it is part of the edits, which the stack is bound to.
#[derive(Clone, Debug)]
struct EvaluatedFrom {
    stack: Arc<BoundStack>,
    moment: Moment,
    fades: Revision,
    face: FaceRevision,
}

/// The weights at one moment.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// The weights of all layers together.
    pub mix: Arc<Mix>,
    /// The weights that are blended: one per target, after the blend rule.
    pub weights: Arc<[f32]>,
    /// The output of each expression.
    pub expression_outputs: Arc<[f32]>,
}

impl Evaluation {
    /// The stack for a head and a revision of the edits.
    pub(super) fn stack(&mut self, edits: Revision, inputs: &StackInputs<'_>) -> Arc<BoundStack> {
        let is_current = |bound: &&Bound| {
            bound.edits == edits
                && bound.clips == inputs.clips
                && bound.live.as_ref() == inputs.live.map(|(_, names, _)| names)
                && Arc::ptr_eq(bound.stack.head(), inputs.head)
        };
        if let Some(bound) = self.bound.as_ref().filter(is_current) {
            return bound.stack.clone();
        }
        let stack = Arc::new(BoundStack::new(inputs));
        let live = inputs.live.map(|(_, names, _)| names.clone());
        self.bound = Some(Bound { edits, clips: inputs.clips.to_vec(), live, stack: stack.clone() });
        stack
    }

    /// The weights of a stack at a moment.
    pub(super) fn shown(
        &mut self,
        stack: Arc<BoundStack>,
        moment: Moment,
        face: FaceRevision,
        fades: &Tracked<Vec<Option<Fade>>>,
        rule: BlendRule,
    ) -> Evaluated {
        let from = EvaluatedFrom { stack, moment, fades: fades.revision(), face };
        let is_current = |(other, _): &&(EvaluatedFrom, Evaluated)| {
            Arc::ptr_eq(&other.stack, &from.stack)
                && (other.moment, other.fades, other.face) == (from.moment, from.fades, from.face)
        };
        if let Some((_, shown)) = self.shown.as_ref().filter(is_current) {
            return shown.clone();
        }
        let mut mix = from.stack.mix(moment, fades);
        let mut weights = mix.weights.clone();
        let (head, silent) = (from.stack.head(), from.stack.silent());
        let expression_outputs = rule.apply(head, &mut weights, silent);
        for channel in head.correctives.driven().filter(|channel| silent.binary_search(channel).is_err()) {
            mix.layers[channel] = Layer::Corrective;
            head.channels[channel].targets.iter().for_each(|&target| mix.weights[target] = weights[target]);
        }
        let shown =
            Evaluated { mix: Arc::new(mix), weights: weights.into(), expression_outputs: expression_outputs.into() };
        self.shown = Some((from, shown.clone()));
        shown
    }
}

impl Session {
    /// Whether a channel follows others as a corrective that plays. Nothing else sets its weight then.
    pub fn follows_others(&self, channel: usize) -> bool {
        self.edits.plays_correctives && !self.is_muted(channel) && self.head.correctives.of_channel(channel).is_some()
    }

    /// The value of each channel in [`Self::mix`], divided as the blend rule does. The value of a corrective is not
    /// divided: it is computed from weights that already are.
    pub fn values_after_rule(&self, mix: &Mix) -> Vec<f32> {
        let bound = self.bound();
        let divisor = self.edits.rule.divisor(&self.head, &mix.weights, &bound.silent_correctives);
        let value = |channel: usize| match (self.channel_value(channel, &mix.weights), mix.layers[channel]) {
            (value, Layer::Corrective) => value,
            (value, _) => (f64::from(value) / divisor) as f32,
        };
        (0..self.head.channels.len()).map(value).collect()
    }
}
