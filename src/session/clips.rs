//! The clips of the head that play.

use super::edits::clip_rate;
use super::{ClipName, Session};
use smirk_face::head::Clip;

/// Which clips play.
pub struct ClipsMut<'a> {
    session: &'a mut Session,
}

impl Session {
    pub fn clips_mut(&mut self) -> ClipsMut<'_> {
        ClipsMut { session: self }
    }

    /// The clips that play, in the order of the head's list.
    pub fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.playing_clips.iter().filter_map(|&clip| self.head.clips.get(clip))
    }

    /// The names of the clips that play, in the order in which they were chosen, also of those that the head lacks.
    pub fn clip_names(&self) -> &[ClipName] {
        &self.clip_names
    }

    pub fn plays_clip(&self, clip: usize) -> bool {
        self.playing_clips.contains(&clip)
    }
}

impl ClipsMut<'_> {
    /// Selects the one clip that plays, and starts it from its beginning. With `None`, no clip drives the head. If the
    /// rate of the timeline is that of the clip before, it becomes that of this one: a rate that a take has set or the
    /// artist has chosen stays.
    pub fn select(&mut self, clip: Option<usize>) {
        let Session { head, edits, playing_clips, .. } = &mut *self.session;
        let before = playing_clips.first().and_then(|&clip| clip_rate(head, clip)).unwrap_or_default();
        let rate = clip.and_then(|clip| clip_rate(head, clip)).filter(|_| edits.takes.is_empty());
        if let Some(rate) = rate.filter(|rate| before == edits.timeline.rate && *rate != before) {
            edits.timeline.rate = rate;
        }
        self.select_together(clip);
        self.session.clock.timeline.time_secs = 0.0;
    }

    /// Selects the clips that play together. Of two that drive a channel or a node, the one that comes later in the
    /// head's list counts.
    pub fn select_together(&mut self, clips: impl IntoIterator<Item = usize>) {
        self.select_named(clips.into_iter().filter_map(|clip| ClipName::at(&self.session.head, clip)).collect());
    }

    /// Selects the clips of these names. Those that the head lacks play when it has them again.
    pub fn select_named(&mut self, names: Vec<ClipName>) {
        let Session { head, clip_names, playing_clips, .. } = &mut *self.session;
        clip_names.clear();
        for name in names {
            if !clip_names.contains(&name) {
                clip_names.push(name);
            }
        }
        *playing_clips = clip_names.iter().filter_map(|name| name.index_on(head)).collect();
        playing_clips.sort_unstable();
        playing_clips.dedup();
    }

    /// Adds a clip to those that play, or takes it away. The play head stays where it is.
    pub fn toggle(&mut self, clip: usize) {
        let Session { head, clip_names, .. } = &*self.session;
        let added = if self.session.plays_clip(clip) { None } else { ClipName::at(head, clip) };
        let others = clip_names.iter().filter(|name| name.index_on(head) != Some(clip)).cloned();
        self.select_named(others.chain(added).collect());
        self.session.stay_on_timeline();
    }
}
