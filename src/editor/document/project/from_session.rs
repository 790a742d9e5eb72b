//! A project made of a session.

use super::file_ref::{FileRef, HeadRef};
use super::format::{ClipRecord, PoseAmount, Project, ShapeRecord, Timeline};
use super::reference::ReferenceRecord;
use super::takes;
use super::takes::{SoundRecord, TakeRecord};
use super::unresolved::Unresolved;
use super::viewpoint::Viewpoint;
use crate::session::{NamedEdits, Session};
use smirk_face::head::{ShapeFile, name_and_nth};
use smirk_picture::scene::LitBy;

impl Project {
    /// Everything of a session that is saved, with what its project named and could not be resolved.
    pub fn of(session: &Session, unresolved: &Unresolved) -> Self {
        let (head, edits) = (&session.head, &session.edits);
        let NamedEdits { sliders, linked, variant } = NamedEdits::of(head, edits);
        let clips = session.playing_clips.iter().filter_map(|&clip| {
            let (name, turn) = name_and_nth(head.clip_names(), clip)?;
            Some(ClipRecord { name: name.to_owned(), turn })
        });
        let mut timeline = Timeline {
            looping: session.clock.timeline.looping,
            speed: session.clock.timeline.speed,
            ..Timeline::default()
        };
        timeline.set_clips(clips.collect());
        let shape = |shape: &ShapeFile| ShapeRecord { file: FileRef::new(&shape.path), matching: shape.matching };
        let mut project = Self {
            head: HeadRef::of(&session.source),
            shapes: session.shapes.iter().map(shape).collect(),
            sliders,
            linked,
            rule: edits.rule,
            plays_correctives: edits.plays_correctives,
            poses: Some(edits.poses.iter().map(|pose| pose.as_ref().clone()).collect()),
            posing: edits.applied_poses.iter().map(|&(pose, amount)| PoseAmount { pose, amount }).collect(),
            transition: edits.transition,
            sequence: edits.sequence.clone(),
            blink: edits.blink.clone(),
            gaze: edits.gaze.clone(),
            head_and_eyes: Some(edits.head_and_eyes.clone()),
            takes: edits.takes.iter().map(TakeRecord::of).collect(),
            take: takes::index_of(edits, edits.take),
            compared_take: takes::index_of(edits, edits.compared_take),
            sound: edits.sound.as_ref().map(SoundRecord::of),
            markers: edits.markers.clone(),
            live: edits.live.clone(),
            keys: edits.keys.clone(),
            timeline: Some(edits.timeline),
            look: edits.look.of_any_head(),
            variant_turn: variant.as_ref().map_or(0, |(_, nth)| *nth),
            variant: variant.map(|(name, _)| name),
            lit_by_file: edits.look.lit_by == LitBy::File,
            roles: edits.roles.clone(),
            hidden_meshes: edits.hidden_meshes.clone(),
            heat_channel: edits.heat_channel.clone(),
            reference: edits.reference.as_ref().map(ReferenceRecord::of),
            camera: Some(Viewpoint::of(&session.camera)),
            mode: Some(session.mode),
            playback: Some(timeline),
            ..Self::default()
        };
        unresolved.write_back(session, &mut project);
        project
    }
}
