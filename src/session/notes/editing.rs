//! Notes are added, changed, answered and deleted.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::merge::{MergedNotes, TooManyNotes};
use super::{
    NoteId, NotePicture, NoteReply, NoteState, NoteStroke, NotedFinding, NotedLook, NotedMoment, NotedTime, ReviewNote,
};
use crate::Session;
use glam::Vec2;
use smirk_base::date::Date;
use smirk_face::head::SurfacePoint;
use smirk_face::motion::{Pose, PoseId};
use smirk_scene::Viewpoint;

/// What a note is pinned to: any of these, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PinnedTo {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<SurfacePoint>,
    /// Channels by their full names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<NotedTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<NotedFinding>,
}

/// The notes of a session.
pub struct NotesMut<'a> {
    session: &'a mut Session,
}

impl Session {
    pub fn notes_mut(&mut self) -> NotesMut<'_> {
        NotesMut { session: self }
    }

    /// The moment or the range of the timeline that a note of now is pinned to: from in to out, if both are set around
    /// the play head; `None` without a timeline.
    pub fn noted_time(&self) -> Option<NotedTime> {
        (self.timeline_secs() > 0.0).then(|| {
            let (now, timeline) = (self.clock.timeline.time_secs, self.timeline());
            let range = timeline.in_secs.zip(timeline.out_secs).filter(|(start, end)| (*start..=*end).contains(&now));
            let (start_secs, end_secs) = range.unwrap_or((now, now));
            NotedTime { plays: self.noted_name(), start_secs, end_secs }
        })
    }

    /// What is seen now, in a picture of an aspect.
    fn noted_moment(&self, aspect: f32) -> NotedMoment {
        let mix = self.mix();
        let turns = self.edits.head_and_eyes.switched_on(mix.turns);
        let pose = Pose::of_mix(PoseId(0), String::new(), &self.head, &self.bound().sliders.rest, &mix.weights);
        NotedMoment {
            camera: Viewpoint::from_camera(&self.camera),
            aspect,
            weights: pose.weights,
            turns: [turns.head, turns.eyes[0], turns.eyes[1]].map(|turn| [turn.yaw, turn.pitch, turn.roll]),
            look: Some(NotedLook::of_edits(&self.edits)),
            point: None,
        }
    }
}

impl NotesMut<'_> {
    /// Adds an open note on what is seen now, in a picture of an aspect.
    pub fn add(&mut self, author: &str, text: &str, pinned_to: PinnedTo, aspect: f32) -> NoteId {
        let (id, now) = (NoteId::random(), Date::now());
        let moment = Some(self.session.noted_moment(aspect));
        let edits = &mut *self.session.edits;
        edits.last_note_number += 1;
        edits.notes.push(Arc::new(ReviewNote {
            id,
            number: edits.last_note_number,
            text: text.to_owned(),
            author: author.to_owned(),
            created: now,
            edited: now,
            state: NoteState::Open,
            state_set: now,
            replies: Vec::new(),
            pinned_to,
            strokes: Vec::new(),
            moment,
            picture: None,
        }));
        id
    }

    fn change(&mut self, id: NoteId, change: impl FnOnce(&mut ReviewNote)) {
        if let Some(note) = self.session.edits.notes.iter_mut().find(|note| note.id == id) {
            change(Arc::make_mut(note));
        }
    }

    pub fn set_text(&mut self, id: NoteId, text: &str) {
        self.change(id, |note| {
            if note.text != text {
                (note.text, note.edited) = (text.chars().take(ReviewNote::LONGEST_TEXT).collect(), Date::now());
            }
        });
    }

    pub fn pin_to(&mut self, id: NoteId, pin: impl FnOnce(&mut PinnedTo)) {
        self.change(id, |note| {
            let mut pinned_to = note.pinned_to.clone();
            pin(&mut pinned_to);
            if pinned_to != note.pinned_to {
                (note.pinned_to, note.edited) = (pinned_to, Date::now());
            }
        });
    }

    /// Pins a note to a point of the surface, which is at `in_picture` in picture heights from the middle. If it was
    /// made from another view, or on another face, it shows this one from now on.
    pub fn pin_to_point(&mut self, id: NoteId, point: SurfacePoint, in_picture: Vec2, aspect: f32) {
        let now = self.session.noted_moment(aspect);
        self.pin_to(id, |pins| pins.point = Some(point));
        self.change(id, |note| {
            let is_same = note.moment.as_ref().is_some_and(|moment| moment.shows_face_of(&now));
            if !is_same && note.strokes.is_empty() {
                (note.moment, note.picture) = (Some(now), None);
            }
            if let Some(moment) = note.moment.as_mut().filter(|_| is_same || note.strokes.is_empty()) {
                moment.point = Some(in_picture.to_array());
            }
        });
    }

    /// Draws a stroke over the picture. A note has strokes of one view: those of another are replaced, and the note
    /// shows this view from now on.
    pub fn draw(&mut self, id: NoteId, stroke: NoteStroke, aspect: f32) {
        let (now, camera) = (self.session.noted_moment(aspect), self.session.camera);
        self.change(id, |note| {
            if note.moment.as_ref().is_none_or(|moment| !moment.camera.is_that_of(&camera)) {
                (note.moment, note.picture) = (Some(now), None);
                note.strokes.clear();
            }
            note.strokes.push(stroke.within_reason());
            note.edited = Date::now();
        });
    }

    pub fn clear_strokes(&mut self, id: NoteId) {
        self.change(id, |note| {
            note.strokes.clear();
            note.edited = Date::now();
        });
    }

    pub fn set_state(&mut self, id: NoteId, state: NoteState) {
        self.change(id, |note| {
            if note.state != state {
                (note.state, note.state_set) = (state, Date::now());
            }
        });
    }

    /// Answers a note. An empty text is no answer.
    pub fn reply(&mut self, id: NoteId, author: &str, text: &str) {
        let text: String = text.trim().chars().take(ReviewNote::LONGEST_TEXT).collect();
        if !text.is_empty() {
            let reply = NoteReply { id: NoteId::random(), date: Date::now(), author: author.to_owned(), text };
            self.change(id, |note| note.replies.push(reply));
        }
    }

    pub fn delete(&mut self, id: NoteId) {
        self.session.edits.notes.retain(|note| note.id != id);
    }

    /// Adds the notes and replies of others, and takes over what is newer.
    pub fn merge(&mut self, others: impl IntoIterator<Item = ReviewNote>) -> Result<MergedNotes, TooManyNotes> {
        self.session.edits.merge_notes(others)
    }

    /// Shows the view in which a note was made, and its moment of the timeline, if that plays.
    pub fn go_to(&mut self, id: NoteId) {
        let Some(note) = self.session.edits.note(id).cloned() else { return };
        if let Some(moment) = &note.moment {
            moment.camera.apply(&mut self.session.camera);
        }
        let Some(time) = &note.pinned_to.time else { return };
        if !self.session.plays_noted(time) {
            let take = self.session.edits.playable_takes().find(|entry| entry.name == time.plays).map(|entry| entry.id);
            let clip = self.session.head.clips.iter().position(|clip| clip.name == time.plays);
            if take.is_some() {
                self.session.takes_mut().select(take);
            } else if clip.is_some() {
                self.session.takes_mut().select(None);
                self.session.clips_mut().select(clip);
            }
        }
        if self.session.plays_noted(time) {
            self.session.clock.timeline.playing = false;
            self.session.seek(time.start_secs);
        }
    }

    /// Holds the channels of a face as they were at the moment of a note, whatever drives them.
    pub fn show_face(&mut self, id: NoteId) {
        let Some(moment) = self.session.edits.note(id).and_then(|note| note.moment.clone()) else { return };
        let (head, rest) = (self.session.head.clone(), self.session.bound().sliders.rest.clone());
        let weights = moment.pose().weights_on(&head, &rest);
        for channel in 0..head.channels.len() {
            let value = head.channel_value(channel, &weights);
            self.session.channels_mut([channel]).set(value);
        }
    }

    /// Gives a note its picture, which is no step of undo: also the steps before and after get it, where the note has
    /// none and shows the same moment.
    pub fn give_picture(&mut self, id: NoteId, moment: &NotedMoment, picture: &NotePicture) {
        let give = |notes: &mut Vec<Arc<ReviewNote>>| {
            let note = notes.iter_mut().find(|note| {
                let moment_of = note.moment.as_ref();
                note.id == id && note.picture.is_none() && moment_of.is_some_and(|of| of.shows_face_of(moment))
            });
            if let Some(note) = note {
                Arc::make_mut(note).picture = Some(picture.clone());
            }
        };
        give(&mut self.session.edits.notes);
        self.session.history.each(|edits| give(&mut edits.notes));
    }
}

impl NotedMoment {
    /// Whether its picture is that of another moment, up to where the note is pinned.
    pub fn shows_face_of(&self, other: &Self) -> bool {
        let of = |moment: &Self| Self { point: None, ..moment.clone() };
        of(self) == of(other)
    }
}
