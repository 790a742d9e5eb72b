//! The evaluation of the stack, once per frame. The panels, the sliders and the viewport share the result.

use std::sync::Arc;

use super::{Revision, Session, Tracked};
use smirk_face::head::Head;
use smirk_face::motion::{BlendRule, BoundStack, Fade, Layer, Mix, Moment, PoseAmount, WeightSource};

/// A cache of the last bound stack and the last mix, each with the inputs that it was computed from. They are computed
/// again when the inputs change.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    bound: Option<Bound>,
    /// What the bound stack shows; `None` when the stack has changed since.
    shown: Option<(EvaluatedFrom, Evaluated)>,
}

#[derive(Clone, Debug)]
struct Bound {
    edits: Revision,
    clips: Vec<usize>,
    stack: Arc<BoundStack>,
}

/// The inputs of a mix besides the stack. The blend rule needs no field of its own: it is part of the edits, which the
/// stack is bound to.
#[derive(Clone, Debug, PartialEq)]
struct EvaluatedFrom {
    moment: Moment,
    fades: Revision,
}

#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// The weights of all layers together.
    pub mix: Arc<Mix>,
    /// The weights that are blended: one per target, after the blend rule.
    pub weights: Arc<[f32]>,
    pub expression_outputs: Arc<[f32]>,
}

impl Evaluation {
    /// The stack for a head, a revision of the edits and the clips that play, which `bind` makes.
    fn stack(
        &mut self,
        head: &Arc<Head>,
        edits: Revision,
        clips: &[usize],
        bind: impl FnOnce() -> BoundStack,
    ) -> Arc<BoundStack> {
        if let Some(bound) = &self.bound
            && bound.edits == edits
            && bound.clips == clips
            && Arc::ptr_eq(bound.stack.head(), head)
        {
            return bound.stack.clone();
        }
        let stack = Arc::new(bind());
        self.shown = None;
        self.bound = Some(Bound { edits, clips: clips.to_vec(), stack: stack.clone() });
        stack
    }

    /// Has the stack bound anew, since what it is bound to besides the head, its clips and the edits has changed.
    pub(super) fn forget_stack(&mut self) {
        self.bound = None;
    }

    /// Moves a slider in the stack that is bound to a head and to the first of these revisions, so that it is bound to
    /// the second one.
    pub(super) fn move_slider(&mut self, head: &Arc<Head>, [before, after]: [Revision; 2], channel: usize, value: f32) {
        self.shown = None;
        let bound = self.bound.take().filter(|bound| bound.edits == before && Arc::ptr_eq(bound.stack.head(), head));
        self.bound = bound.and_then(|mut bound| {
            // A copy of the session may have the same stack.
            Arc::get_mut(&mut bound.stack)?.move_slider(channel, value);
            Some(Bound { edits: after, ..bound })
        });
    }

    /// What the stack that is bound shows at a moment.
    pub(super) fn shown(
        &mut self,
        stack: &BoundStack,
        moment: Moment,
        fades: &Tracked<Vec<Option<Fade>>>,
        rule: BlendRule,
    ) -> Evaluated {
        let from = EvaluatedFrom { moment, fades: fades.revision() };
        if let Some((_, shown)) = self.shown.as_ref().filter(|(other, _)| *other == from) {
            return shown.clone();
        }
        let mut mix = stack.mix(&from.moment, fades);
        let mut weights = mix.weights.clone();
        let (head, silent) = (stack.head(), &stack.sliders().silent_correctives);
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
    pub(super) fn stack(&self) -> Arc<BoundStack> {
        let mut evaluation = self.evaluation.borrow_mut();
        evaluation.stack(&self.head, self.edits.revision(), &self.playing_clips, || {
            let sliders = self.bound().sliders.clone();
            BoundStack::new(&self.head, self.sources(&sliders.rest), sliders)
        })
    }

    /// What moves the channels, from the lowest to the highest layer. Of two clips that drive a channel, the later one
    /// counts.
    fn sources(&self, rest: &[f32]) -> Vec<(Layer, Box<dyn WeightSource>)> {
        let (head, edits) = (&self.head, &*self.edits);
        let clips = self.playing_clips.iter().map(|&clip| (Layer::Clip, head.clip_source(clip)));
        let take = self.take().map(|entry| entry.edited().source(head, &entry.map, edits.head_and_eyes.eyes));
        let others = [
            (Layer::Take, take),
            (Layer::Live, self.live_source()),
            (Layer::Voice, self.spoken().map(|spoken| spoken.take.source(head, &spoken.map, false))),
            (Layer::Keys, self.keys().source(head)),
            (Layer::Sequence, edits.sequence.source(head, &edits.poses, rest)),
            (Layer::Blink, edits.blink.source(head)),
            (Layer::Gaze, edits.gaze.source(head)),
            (Layer::Pose, PoseAmount::source(&edits.applied_poses, &edits.poses, head)),
        ];
        clips.chain(others).filter_map(|(layer, source)| Some((layer, source?))).collect()
    }

    /// Whether a channel follows others as a corrective that plays. Nothing else sets its weight then.
    pub fn follows_others(&self, channel: usize) -> bool {
        self.edits.plays_correctives
            && !self.bound().sliders.muted[channel]
            && self.head.correctives.of_channel(channel).is_some()
    }

    /// The value of each channel in [`Self::mix`], divided as the blend rule does. The value of a corrective is not
    /// divided: it is computed from weights that already are.
    pub fn values_after_rule(&self, mix: &Mix) -> Vec<f32> {
        let bound = self.bound();
        let divisor = self.edits.rule.divisor(&self.head, &mix.weights, &bound.sliders.silent_correctives);
        let channels = mix.layers.iter().enumerate();
        channels
            .map(|(channel, layer)| match (self.head.channel_value(channel, &mix.weights), layer) {
                (value, Layer::Corrective) => value,
                (value, _) => (f64::from(value) / divisor) as f32,
            })
            .collect()
    }
}
