//! A project onto the session of its head.

use std::collections::HashSet;
use std::sync::Arc;

use super::unresolved::UnresolvedTake;
use super::{Project, Slider, TakeFiles, Timeline, Unresolved, sliders};
use crate::head::{Head, Kind, Note, Subject, nth_by_name};
use crate::motion::{Keys, PlayHead, Pose, PoseId};
use crate::scene::LitBy;
use crate::session::{Edits, Session, TakeEntry, TakeId, Transition};

/// Ids beyond this are nobody's: room for new ones is left above.
const LAST_POSE_ID: u32 = 1 << 30;

impl Project {
    /// Makes a session of the project's head what it was, as the point undo goes back to. What head or disk lack is told, and
    /// handed over to be saved again.
    pub fn apply(&self, session: &mut Session, takes: &TakeFiles) -> (Unresolved, Vec<Note>) {
        let head = session.head.clone();
        let mut home = Home { unresolved: Unresolved::default(), notes: Vec::new() };
        let mut edits = Edits::at_rest(&head, self.look.within_reason());
        edits.aliases.clone_from(&session.edits.aliases);
        home.put_sliders(self, &head, &mut edits);
        self.put_poses(&mut edits);
        home.list_unknown_names(&edits, &head);
        home.put_takes(self, takes, &head, &mut edits);
        home.put_look(self, &head, &mut edits);
        edits.rule = self.rule;
        edits.transition = Transition {
            duration_secs: self.transition.duration_secs.clamp(0.0, Transition::LONGEST_SECS),
            ..self.transition
        };
        edits.blink = self.blink.clone();
        edits.gaze = self.gaze.clone();
        edits.keys = sorted(&self.keys).on(&head);
        session.start_from(edits);
        session.shapes = self.shape_files();
        session.mode = self.mode.unwrap_or(session.mode);
        if let Some(viewpoint) = &self.camera {
            viewpoint.put_on(&mut session.camera);
        }
        if let Some(timeline) = &self.playback {
            home.put_playback(timeline, session);
        }
        (home.unresolved, home.notes)
    }

    /// Every pose gets an id of its own; amounts and sequence keep to poses that are there.
    fn put_poses(&self, edits: &mut Edits) {
        if let Some(poses) = &self.poses {
            let mut taken = HashSet::new();
            let last = poses.iter().map(|pose| pose.id.0).filter(|&id| id <= LAST_POSE_ID).max().unwrap_or(0);
            let mut next = last.max(crate::motion::FIRST_OWN_POSE);
            let with_own_id = |pose: &Pose| {
                let mut id = pose.id;
                if id.0 > LAST_POSE_ID || !taken.insert(id) {
                    next += 1;
                    id = PoseId(next);
                }
                Arc::new(Pose { id, ..pose.clone() })
            };
            edits.poses = poses.iter().map(with_own_id).collect();
        }
        let is_there = |id: PoseId| edits.poses.iter().any(|pose| pose.id == id);
        let posing = self.posing.iter().filter(|posing| is_there(posing.pose) && posing.amount.is_finite());
        edits.posing = posing.map(|posing| (posing.pose, posing.amount)).collect();
        edits.sequence = self.sequence.clone();
        edits.sequence.poses.retain(|&id| is_there(id));
    }
}

/// Keys in order of time, one at a time: a hand may have written them otherwise.
fn sorted(keys: &Keys) -> Keys {
    let mut sorted = Keys::default();
    for channel in keys.channels() {
        for &key in keys.of(channel) {
            sorted.set(channel, key);
        }
    }
    sorted
}

/// Where names find a channel, or do not.
struct Home {
    unresolved: Unresolved,
    notes: Vec<Note>,
}

impl Home {
    fn put_sliders(&mut self, project: &Project, head: &Head, edits: &mut Edits) {
        for (name, slider) in &project.sliders {
            let Some(channel) = head.channel_named(name) else {
                self.unresolved.sliders.insert(name.clone(), slider.clone());
                continue;
            };
            let homeless = slider.put_on(head, channel, edits);
            if !homeless.is_empty() {
                let stray = Slider { targets: homeless, ..Slider::default() };
                self.unresolved.sliders.insert(head.channels[channel].full_name.clone(), stray);
            }
        }
        for names in &project.linked {
            match sliders::pair_of(head, names) {
                Some(pair) => edits.linked[pair] = true,
                None => self.unresolved.linked.push(names.clone()),
            }
        }
        self.note_lacking("sliders", self.unresolved.sliders.keys().cloned().collect());
        self.note_lacking("linked pairs", self.unresolved.linked.iter().map(|pair| pair.join(" + ")).collect());
    }

    fn put_look(&mut self, project: &Project, head: &Head, edits: &mut Edits) {
        edits.look.lit_by = if project.lit_by_file { LitBy::File } else { LitBy::Smirk };
        let Some(name) = &project.variant else { return };
        edits.look.variant = nth_by_name(head.variant_names(), name, project.variant_turn);
        if edits.look.variant.is_none() {
            self.unresolved.variant = Some((name.clone(), project.variant_turn));
            self.note_lacking("variant", vec![name.clone()]);
        }
    }

    fn list_unknown_names(&mut self, edits: &Edits, head: &Head) {
        let mut unknown: Vec<&str> = edits.poses.iter().flat_map(|pose| pose.unknown_names(head)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        self.note_lacking("poses", unknown.into_iter().map(str::to_owned).collect());
    }

    fn note_lacking(&mut self, what: &'static str, names: Vec<String>) {
        if !names.is_empty() {
            let message = format!("this head lacks {}. They are kept, and saved again", list(&names));
            self.notes.push(Note::warning(Subject::field(what), message));
        }
    }

    fn put_takes(&mut self, project: &Project, files: &TakeFiles, head: &Head, edits: &mut Edits) {
        for (place, record) in project.takes.iter().enumerate() {
            let (is_chosen, is_compared) = (project.take == Some(place), project.compared_take == Some(place));
            match files.find(&project.takes, place) {
                Ok(take) => {
                    let id = TakeId(edits.takes.len() as u32);
                    let map = record.map.fitted(&take, head, &edits.aliases);
                    edits.takes.push(TakeEntry { id, take, map });
                    edits.take = edits.take.or(is_chosen.then_some(id));
                    edits.compared_take = edits.compared_take.or(is_compared.then_some(id));
                }
                Err(problem) => {
                    let message = format!("{problem}. How it was mapped is kept: import it again to go on with it");
                    self.notes.push(Note::warning(Subject::named(Kind::Take, &record.name), message));
                    let place = self.unresolved.takes.len();
                    self.unresolved.takes.push(UnresolvedTake::new(record.clone(), problem));
                    self.unresolved.take = self.unresolved.take.or(is_chosen.then_some(place));
                    self.unresolved.compared_take = self.unresolved.compared_take.or(is_compared.then_some(place));
                }
            }
        }
    }

    fn put_playback(&mut self, timeline: &Timeline, session: &mut Session) {
        let clip = timeline.clip.as_ref().and_then(|name| {
            let place = nth_by_name(session.head.clip_names(), name, timeline.clip_turn);
            if place.is_none() {
                self.unresolved.clip = Some((name.clone(), timeline.clip_turn));
                self.note_lacking("clip", vec![name.clone()]);
            }
            place
        });
        let speed = if timeline.speed.is_finite() { timeline.speed.clamp(0.1, 2.0) } else { 1.0 };
        session.clip_index = clip;
        session.clock.timeline = PlayHead { looping: timeline.looping, speed, time_secs: 0.0, playing: false };
    }
}

/// `a, b, c and 12 more`.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
