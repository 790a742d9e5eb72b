//! A project applied to a session of its head.

use std::collections::HashSet;
use std::sync::Arc;

use super::format::{Project, Timeline};
use super::reference::ReferenceRecord;
use super::takes::{SoundRecord, TakeFiles, TakeRecord};
use super::unresolved::{MissingTakeRecord, Unresolved};
use crate::session::{Edits, Session, Slider, TakeEntry, TakeId, Transition, pair_of};
use smirk_base::names::{natural_order, printable};
use smirk_face::head::{Head, Kind, Note, Subject, nth_by_name};
use smirk_face::motion::{
    FIRST_OWN_POSE, FrameRate, HeadAndEyes, Markers, PlayHead, Pose, PoseId, TakeEdit, TakeMap, TimelineSettings,
};
use smirk_picture::scene::LitBy;

/// Larger ids in a file are replaced, which leaves room for the ids of new poses.
const LAST_POSE_ID: u32 = 1 << 30;
/// How many missing things of a kind the notes name; the others are counted.
const SHOWN: usize = 12;

impl Project {
    /// Sets a session of the project's head to what was saved; undo does not go back beyond this. Returns what the head or the
    /// disk does not have, which is to be saved again, and notes on it.
    pub fn apply(&self, session: &mut Session, takes: &TakeFiles) -> (Unresolved, Vec<Note>) {
        let head = session.head.clone();
        let mut resolver = Resolver { unresolved: Unresolved::default(), notes: self.lost.clone() };
        let mut edits = Edits::at_rest(&head, self.look.renewed().within_reason());
        edits.aliases.clone_from(&session.edits.aliases);
        resolver.apply_sliders(self, &head, &mut edits);
        self.apply_poses(&mut edits);
        resolver.note_unknown_names(&edits, &head);
        resolver.apply_takes(self, takes, &head, &mut edits);
        resolver.note_more_takes();
        resolver.apply_look(self, &head, &mut edits);
        edits.rule = self.rule;
        edits.plays_correctives = self.plays_correctives;
        edits.transition = Transition {
            duration_secs: self.transition.duration_secs.clamp(0.0, Transition::LONGEST_SECS),
            ..self.transition
        };
        edits.blink = self.blink.clone();
        edits.gaze = self.gaze.clone();
        edits.head_and_eyes = self.head_and_eyes.clone().unwrap_or(HeadAndEyes::OFF);
        edits.live = self.live.within_reason();
        edits.keys = self.keys.sorted().on(&head);
        edits.sound = self.sound.as_ref().map(SoundRecord::track);
        edits.markers = Markers::new(self.markers.all().to_vec());
        resolver.note_missing_sounds(&edits);
        let of_take = || edits.takes.iter().find_map(|entry| entry.take.frames_per_sec);
        edits.timeline = match self.timeline {
            Some(timeline) => timeline.within_reason(),
            None => TimelineSettings {
                rate: of_take().map_or_else(FrameRate::default, |rate| FrameRate::nearest(rate.into())),
                ..TimelineSettings::default()
            },
        };
        edits.reference = self.reference.as_ref().map(ReferenceRecord::reference);
        session.start_from(edits);
        session.shapes = self.shape_files();
        session.mode = self.mode.unwrap_or(session.mode);
        if let Some(viewpoint) = &self.camera {
            viewpoint.apply(&mut session.camera);
        }
        if let Some(timeline) = &self.playback {
            resolver.apply_playback(timeline, session);
        }
        (resolver.unresolved, resolver.notes)
    }

    /// Gives every pose an id of its own, and leaves out amounts and steps of the sequence whose pose does not exist.
    fn apply_poses(&self, edits: &mut Edits) {
        if let Some(poses) = &self.poses {
            let mut used = HashSet::new();
            let last = poses.iter().map(|pose| pose.id.0).filter(|&id| id <= LAST_POSE_ID).max().unwrap_or(0);
            let mut next = last.max(FIRST_OWN_POSE);
            let with_own_id = |pose: &Pose| {
                let mut id = pose.id;
                if id.0 > LAST_POSE_ID || !used.insert(id) {
                    next += 1;
                    id = PoseId(next);
                }
                Arc::new(Pose { id, ..pose.clone() })
            };
            edits.poses = poses.iter().map(with_own_id).collect();
        }
        let ids: HashSet<PoseId> = edits.poses.iter().map(|pose| pose.id).collect();
        let exists = |id: PoseId| ids.contains(&id);
        let posing = self.posing.iter().filter(|posing| exists(posing.pose) && posing.amount.is_finite());
        edits.applied_poses = posing.map(|posing| (posing.pose, posing.amount)).collect();
        edits.sequence = self.sequence.clone();
        edits.sequence.steps.retain(|step| exists(step.pose));
    }
}

/// Finds what a project names on a head, and collects what the head does not have.
struct Resolver {
    unresolved: Unresolved,
    notes: Vec<Note>,
}

impl Resolver {
    fn apply_sliders(&mut self, project: &Project, head: &Head, edits: &mut Edits) {
        for (name, slider) in &project.sliders {
            let Some(channel) = head.channel_named(name) else {
                self.unresolved.sliders.insert(name.clone(), slider.clone());
                continue;
            };
            let without_mesh = slider.apply(head, channel, edits);
            if !without_mesh.is_empty() {
                let rest = Slider { targets: without_mesh, ..Slider::default() };
                self.unresolved.sliders.insert(head.channels[channel].full_name.clone(), rest);
            }
        }
        for names in &project.linked {
            match pair_of(head, names) {
                Some(pair) => edits.linked[pair] = true,
                None => self.unresolved.linked.push(names.clone()),
            }
        }
        self.note_lacking("sliders", self.unresolved.sliders.keys().cloned().collect());
        self.note_lacking("linked pairs", self.unresolved.linked.iter().map(|pair| pair.join(" + ")).collect());
    }

    fn apply_look(&mut self, project: &Project, head: &Head, edits: &mut Edits) {
        let has = |name: &&String| head.materials.iter().any(|material| material.name == **name);
        edits.roles.clone_from(&project.roles);
        self.note_lacking("materials", project.roles.keys().filter(|name| !has(name)).cloned().collect());
        let has = |name: &&String| head.meshes.iter().any(|mesh| mesh.name == **name);
        edits.hidden_meshes.clone_from(&project.hidden_meshes);
        self.note_lacking("hidden meshes", project.hidden_meshes.iter().filter(|name| !has(name)).cloned().collect());
        edits.heat_channel.clone_from(&project.heat_channel);
        edits.look.lit_by = if project.lit_by_file { LitBy::File } else { LitBy::Smirk };
        let Some(name) = &project.variant else { return };
        edits.look.variant = nth_by_name(head.variant_names(), name, project.variant_turn);
        if edits.look.variant.is_none() {
            self.unresolved.variant = Some((name.clone(), project.variant_turn));
            self.note_lacking("variant", vec![name.clone()]);
        }
    }

    fn note_unknown_names(&mut self, edits: &Edits, head: &Head) {
        let mut unknown: Vec<&str> = edits.poses.iter().flat_map(|pose| pose.unknown_names(head)).collect();
        unknown.sort_unstable_by(|a, b| natural_order(a, b));
        unknown.dedup();
        self.note_lacking("poses", unknown.into_iter().map(str::to_owned).collect());
    }

    fn note_lacking(&mut self, what: &'static str, names: Vec<String>) {
        if !names.is_empty() {
            let message = format!("this head lacks {}. They are kept, and saved again", list(&names));
            self.notes.push(Note::warning(Subject::field(what), message));
        }
    }

    fn apply_takes(&mut self, project: &Project, files: &TakeFiles, head: &Head, edits: &mut Edits) {
        for (index, record) in project.takes.iter().enumerate() {
            let (is_chosen, is_compared) = (project.take == Some(index), project.compared_take == Some(index));
            match files.find(&project.takes, index) {
                Ok(take) => {
                    let id = TakeId(edits.takes.len() as u32);
                    let mut entry = TakeEntry::new(id, take, TakeMap::default());
                    record.apply(&mut entry, head, &edits.aliases);
                    entry.sound = files.sound(record);
                    self.note_more_edits(record);
                    edits.takes.push(entry);
                    edits.take = edits.take.or(is_chosen.then_some(id));
                    edits.compared_take = edits.compared_take.or(is_compared.then_some(id));
                }
                Err(problem) => {
                    let missing = self.unresolved.takes.len();
                    if missing < SHOWN {
                        let message = format!("{problem}. Its mapping is kept: import the take again to use it");
                        self.notes.push(Note::warning(Subject::named(Kind::Take, &record.name), message));
                    }
                    self.unresolved.takes.push(MissingTakeRecord::new(record.clone(), problem));
                    self.unresolved.take = self.unresolved.take.or(is_chosen.then_some(missing));
                    self.unresolved.compared_take = self.unresolved.compared_take.or(is_compared.then_some(missing));
                }
            }
        }
    }

    fn note_more_edits(&mut self, record: &TakeRecord) {
        if record.edits.len() > TakeEdit::MOST {
            let message = format!("only the first {} of its {} edits are used", TakeEdit::MOST, record.edits.len());
            self.notes.push(Note::warning(Subject::named(Kind::Take, &record.name), message));
        }
    }

    fn note_missing_sounds(&mut self, edits: &Edits) {
        let sounds = edits.takes.iter().filter_map(|entry| entry.sound.as_ref()).chain(&edits.sound);
        let missing = sounds.filter(|sound| !sound.file.is_file());
        let mut paths: Vec<String> = missing.map(|sound| sound.file.display().to_string()).collect();
        paths.dedup();
        if !paths.is_empty() {
            let message = format!("{} was not found. Its offset is kept: locate it on the Motion page", list(&paths));
            self.notes.push(Note::warning(Subject::field("sound"), message));
        }
    }

    fn note_more_takes(&mut self) {
        let more = self.unresolved.takes.len().saturating_sub(SHOWN);
        if more > 0 {
            let message = format!("{more} more could not be read. Their mappings are kept");
            self.notes.push(Note::warning(Subject::All(Kind::Take), message));
        }
    }

    fn apply_playback(&mut self, timeline: &Timeline, session: &mut Session) {
        let mut clips = Vec::new();
        for clip in timeline.clips() {
            match nth_by_name(session.head.clip_names(), &clip.name, clip.turn) {
                Some(found) => clips.push(found),
                None => self.unresolved.clips.push(clip),
            }
        }
        let lacking: Vec<String> = self.unresolved.clips.iter().map(|clip| clip.name.clone()).collect();
        self.note_lacking(if lacking.len() > 1 { "clips" } else { "clip" }, lacking);
        let speed = if timeline.speed.is_finite() { timeline.speed.clamp(0.1, 2.0) } else { 1.0 };
        session.select_clips(clips);
        if !self.unresolved.clips.is_empty() {
            self.unresolved.clips_beside.clone_from(&session.playing_clips);
        }
        session.clock.timeline = PlayHead { looping: timeline.looping, speed, time_secs: 0.0, playing: false };
    }
}

/// `a, b, c and 12 more`.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).map(|name| printable(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
