//! Which keys, in point and out point apply, and edits of them.

use super::{ClipTiming, Edits, Session, TimelineMut, Timing, TimingOf};
use smirk_face::head::Head;
use smirk_face::motion::{Keys, TimelineSettings};

static NO_KEYS: Keys = Keys::NONE;

impl Edits {
    /// The keys of something, with its in and its out point.
    fn timing_parts(&self, of: &TimingOf) -> (&Keys, [Option<f32>; 2]) {
        let timing = match of {
            TimingOf::Head => return (&self.keys, [self.timeline.in_secs, self.timeline.out_secs]),
            TimingOf::Clip(clip) => self.clip_timings.iter().find(|of| of.clip == *clip).map(|of| &of.timing),
            TimingOf::Take(id) => self.takes.iter().find(|entry| entry.id == *id).map(|entry| &entry.timing),
        };
        timing.map_or((&NO_KEYS, [None; 2]), |timing| (&timing.keys, [timing.in_secs, timing.out_secs]))
    }

    /// The keys, in point and out point of something.
    pub fn timing(&self, of: &TimingOf) -> Timing {
        let (keys, [in_secs, out_secs]) = self.timing_parts(of);
        Timing { keys: keys.clone(), in_secs, out_secs }
    }

    /// Everything that has keys, an in point or an out point.
    pub fn timed(&self) -> Vec<TimingOf> {
        let clips = self.clip_timings.iter().map(|of| TimingOf::Clip(of.clip.clone()));
        let all = [TimingOf::Head].into_iter().chain(clips).chain(self.takes.iter().map(|of| TimingOf::Take(of.id)));
        all.filter(|of| !self.timing(of).is_empty()).collect()
    }

    /// Changes the keys, in point and out point of something.
    pub(super) fn edit_timing<R>(&mut self, of: &TimingOf, edit: impl FnOnce(&mut Timing) -> R) -> R {
        match of {
            TimingOf::Head => {
                let TimelineSettings { in_secs, out_secs, .. } = self.timeline;
                let mut timing = Timing { keys: std::mem::take(&mut self.keys), in_secs, out_secs };
                let result = edit(&mut timing);
                self.keys = timing.keys;
                (self.timeline.in_secs, self.timeline.out_secs) = (timing.in_secs, timing.out_secs);
                result
            }
            TimingOf::Clip(clip) => {
                let index = self.clip_timings.iter().position(|of| of.clip == *clip).unwrap_or_else(|| {
                    self.clip_timings.push(ClipTiming { clip: clip.clone(), timing: Timing::default() });
                    self.clip_timings.len() - 1
                });
                let result = edit(&mut self.clip_timings[index].timing);
                if self.clip_timings[index].timing.is_empty() {
                    self.clip_timings.remove(index);
                }
                result
            }
            TimingOf::Take(id) => match self.take_mut(*id) {
                Some(entry) => edit(&mut entry.timing),
                None => edit(&mut Timing::default()),
            },
        }
    }

    /// Changes all keys, in and out points, whatever they belong to.
    pub fn edit_each_timing(&mut self, edit: impl Fn(&mut Timing)) {
        self.edit_timing(&TimingOf::Head, &edit);
        self.clip_timings.iter_mut().map(|of| &mut of.timing).for_each(&edit);
        self.takes.iter_mut().map(|entry| &mut entry.timing).for_each(&edit);
    }

    /// Stores all keys under the names of the channels of a head.
    pub(crate) fn spell_keys_as(&mut self, head: &Head) {
        self.edit_each_timing(|timing| timing.keys = timing.keys.on(head));
    }

    pub fn has_keys_of(&self, channel: &str) -> bool {
        self.timed().iter().any(|of| self.timing_parts(of).0.curve(channel).is_some())
    }
}

impl Session {
    /// What plays: the take, else the clip that was chosen first, else the head alone.
    pub fn playing(&self) -> TimingOf {
        let on_head = self.clip_names().iter().find(|clip| clip.index_on(&self.head).is_some());
        match (self.take(), on_head.or(self.clip_names().first())) {
            (Some(entry), _) => TimingOf::Take(entry.id),
            (None, Some(clip)) => TimingOf::Clip(clip.clone()),
            (None, None) => TimingOf::Head,
        }
    }

    /// What the keys, in and out points that apply belong to: what plays, or what was chosen for all.
    pub fn timing_of(&self) -> TimingOf {
        self.edits.timing_for_all.clone().unwrap_or_else(|| self.playing())
    }

    /// Which clips play is no part of the edits: where undo has changed only the keys, in and out points of another clip
    /// or of the head alone, that plays from now on, so that the artist sees what is undone.
    pub(super) fn play_what_changed(&mut self, before: &Edits) {
        let Self { head, edits, clip_names, .. } = &*self;
        let has_changed = |of: &TimingOf| before.timing_parts(of) != edits.timing_parts(of);
        let is_shown = before.timing_for_all.is_some() || edits.timing_for_all.is_some() || edits.take.is_some();
        if is_shown || has_changed(&self.playing()) {
            return;
        }
        let clips = before.clip_timings.iter().chain(&edits.clip_timings).map(|of| &of.clip);
        let mut clips = clips.filter(|clip| clip.index_on(head).is_some());
        let changed = clips.find(|clip| has_changed(&TimingOf::Clip((*clip).clone()))).cloned();
        if let Some(clip) = changed {
            let others = if clip_names.contains(&clip) { clip_names.clone() } else { Vec::new() };
            self.clips_mut().select_named([vec![clip], others].concat());
        } else if has_changed(&TimingOf::Head) {
            self.clips_mut().select_named(Vec::new());
        }
    }

    pub fn keys(&self) -> &Keys {
        self.edits.timing_parts(&self.timing_of()).0
    }

    /// The settings of the timeline, with the in and the out point that apply.
    pub fn timeline(&self) -> TimelineSettings {
        let [in_secs, out_secs] = self.edits.timing_parts(&self.timing_of()).1;
        TimelineSettings { in_secs, out_secs, ..self.edits.timeline }
    }

    /// The name on the screen of what keys belong to.
    pub fn timing_name(&self, of: &TimingOf) -> String {
        match of {
            TimingOf::Head => "the head alone".into(),
            TimingOf::Clip(clip) => clip.name.clone(),
            TimingOf::Take(id) => {
                let entry = self.edits.takes.iter().find(|entry| entry.id == *id);
                entry.map(|entry| entry.name.clone()).unwrap_or_default()
            }
        }
    }
}

impl TimelineMut<'_> {
    pub fn edit_range(&mut self, edit: impl FnOnce(&mut TimelineSettings)) {
        let (of, mut timeline) = (self.session.timing_of(), self.session.timeline());
        edit(&mut timeline);
        self.session.edits.edit_timing(&of, |timing| {
            (timing.in_secs, timing.out_secs) = (timeline.in_secs, timeline.out_secs);
        });
    }

    /// Makes the keys, in and out points that apply those of everything, or gives everything its own again. Those of no
    /// clip or take become those of what plays then, if that has none.
    pub fn time_all_alike(&mut self, is_for_all: bool) {
        if is_for_all {
            self.session.edits.timing_for_all = Some(self.session.timing_of());
        } else if self.session.edits.timing_for_all.take() == Some(TimingOf::Head) {
            let playing = self.session.playing();
            if playing != TimingOf::Head && self.session.edits.timing(&playing).is_empty() {
                let of_head = self.session.edits.edit_timing(&TimingOf::Head, std::mem::take);
                self.session.edits.edit_timing(&playing, |timing| *timing = of_head);
            }
        }
        self.session.stay_on_timeline();
    }

    /// Replaces the keys, in and out points that apply by a copy of those of something else.
    pub fn copy_timing(&mut self, from: &TimingOf) {
        let (of, copied) = (self.session.timing_of(), self.session.edits.timing(from));
        self.session.edits.edit_timing(&of, |timing| *timing = copied);
        self.session.stay_on_timeline();
    }
}
