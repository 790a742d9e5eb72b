//! The clip of the head as a source of weights.

use std::sync::Arc;

use super::{Moment, StackWeights, WeightSource};
use crate::head::{Clip, Head};

/// A clip of a head, with the curve of each target found.
#[derive(Debug)]
pub(super) struct BoundClip {
    head: Arc<Head>,
    clip: usize,
    channels: Vec<(usize, Vec<BoundTarget>)>,
}

/// A target of the head, and the track and element of the curve that drives it.
#[derive(Debug)]
struct BoundTarget {
    target: usize,
    track: usize,
    element: usize,
}

impl BoundClip {
    pub(super) fn bind(head: &Arc<Head>, clip: usize) -> Option<Box<dyn WeightSource>> {
        let of_head = head.clips.get(clip)?;
        let targets = |channel: usize| -> Vec<BoundTarget> {
            head.channels[channel].targets.iter().filter_map(|&target| bind_target(of_head, target)).collect()
        };
        let channels = of_head.driven_channels().map(|channel| (channel, targets(channel))).collect();
        Some(Box::new(Self { head: head.clone(), clip, channels }))
    }
}

fn bind_target(clip: &Clip, target: usize) -> Option<BoundTarget> {
    clip.tracks.iter().enumerate().find_map(|(track, of)| {
        let element = target.checked_sub(of.first_target)?;
        (element < of.curve.width()).then_some(BoundTarget { target, track, element })
    })
}

impl WeightSource for BoundClip {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        let clip = &self.head.clips[self.clip];
        let time_secs = clip.time_within(moment.timeline_secs);
        // All elements of a curve share one list of key times, so it is searched once.
        let next_keys: Vec<usize> = clip.tracks.iter().map(|track| track.curve.next_key(time_secs)).collect();
        for (channel, targets) in &self.channels {
            weights.set(*channel, |target, below| {
                let Some(bound) = targets.iter().find(|bound| bound.target == target) else { return below };
                clip.tracks[bound.track].curve.sample_before(next_keys[bound.track], time_secs, bound.element)
            });
        }
    }
}
