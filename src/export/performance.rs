//! What plays, as numbers: the weights of every channel and target at every frame of a span.

use super::node_motion::{NodeMotion, NodeRecorder, is_shown_by, shown_turns};
use super::{ExportError, FrameSpan};
use smirk_base::progress::Progress;
use smirk_face::head::FaceTurns;
use smirk_session::Session;

/// The weights of a head at every frame of a span, after the take and its edits, keys, poses, sequence, blinks, gaze,
/// sliders, mute, solo and the blend rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Performance {
    pub span: FrameSpan,
    /// The full names of the head's channels: those of targets, then those of expressions.
    pub channels: Vec<String>,
    /// One weight per frame and channel, frame by frame. These weights show the same face on the same head with the
    /// additive rule and its correctives. Of a channel whose targets have different weights, that of its first target.
    pub weights: Vec<f32>,
    pub target_count: usize,
    /// One weight per frame and target of the head, frame by frame: what is blended, with expressions resolved.
    pub target_weights: Vec<f32>,
    /// How the head and the eyes are turned at each frame: by the session, and by clips of the head as far as its
    /// joints are known.
    pub turns: Vec<FaceTurns>,
    /// Whether clips move nodes otherwise than these turns do.
    pub has_other_motion: bool,
    /// The nodes that move: by clips of the head, and by these turns.
    pub nodes: Vec<NodeMotion>,
}

impl Performance {
    /// The most numbers that it holds: 1 GiB of them.
    const MOST_NUMBERS: usize = 1 << 28;

    pub fn evaluate(session: &Session, span: FrameSpan, progress: Progress<'_>) -> Result<Self, ExportError> {
        let mut session = session.clone();
        let head = session.head.clone();
        let target_count = head.target_count();
        let (frames, width) = (span.count(), head.channels.len() + target_count);
        if frames.saturating_mul(width) > Self::MOST_NUMBERS {
            return Err(failed!(
                "{frames} frames of {width} weights are too many at once: export them in parts, or with fewer frames per second"
            ));
        }
        let mut performance = Self {
            span,
            channels: head.channels.iter().map(|channel| channel.full_name.clone()).collect(),
            weights: Vec::with_capacity(frames * head.channels.len()),
            target_count,
            target_weights: Vec::with_capacity(frames * target_count),
            turns: Vec::with_capacity(frames),
            has_other_motion: false,
            nodes: Vec::new(),
        };
        let mut nodes = NodeRecorder::new(&head.rig);
        let joints = session.edits.head_and_eyes.joints_of(&head);
        let moves_nodes = session.moves_nodes();
        for (done, frame) in span.frames().enumerate() {
            span.show(&mut session, frame);
            let mix = session.mix();
            performance.weights.extend(session.values_after_rule(&mix));
            performance.target_weights.extend_from_slice(&session.weights());
            let (turns, world_from_nodes) =
                (session.edits.head_and_eyes.switched_on(mix.turns), session.world_from_nodes());
            performance.turns.push(if moves_nodes && !world_from_nodes.is_empty() {
                let shown = shown_turns(&head, &joints, turns, &world_from_nodes);
                performance.has_other_motion |= !is_shown_by(&head, &joints, &shown, &world_from_nodes);
                shown
            } else {
                turns
            });
            nodes.push(&world_from_nodes);
            progress.report(&format!("frame {} of {frames}", done + 1), (done + 1) as f32 / frames as f32)?;
        }
        performance.nodes = nodes.finish();
        Ok(performance)
    }

    pub fn frame_count(&self) -> usize {
        self.turns.len()
    }

    /// The weights of all channels at a frame, counted from the first of the span.
    pub fn frame(&self, index: usize) -> &[f32] {
        let width = self.channels.len();
        &self.weights[index * width..][..width]
    }

    pub fn frame_of_targets(&self, index: usize) -> &[f32] {
        &self.target_weights[index * self.target_count..][..self.target_count]
    }

    /// Seconds from the first frame of the span to a frame, counted from that one.
    pub fn secs_of(&self, index: usize) -> f64 {
        self.span.secs_of(index as i64)
    }
}
