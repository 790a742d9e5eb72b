//! The voice of a session: the mouth that the markers or the sound say, as a take that plays below the keys.

use std::cell::RefCell;
use std::sync::Arc;

use crate::{FileRef, Revision, Session, SoundTrack, TakeId, TakesMut};
use smirk_analysis::voice::{Heard, ReadLabels, Speech, Voice, VoiceSource};
use smirk_face::head::Head;
use smirk_face::motion::{ColumnMatching, Markers, Take, TakeMap};

/// What a session knows of its voice besides the edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct VoiceInput {
    /// What was heard in a sound file.
    heard: Option<(FileRef, Arc<Heard>)>,
    made: RefCell<Option<Made>>,
}

/// The mouth over time.
#[derive(Clone, Debug)]
pub struct Spoken {
    pub take: Arc<Take>,
    pub(crate) map: Arc<TakeMap>,
    pub said: Said,
}

impl Spoken {
    /// Which channels its columns drive.
    pub fn map(&self) -> &TakeMap {
        &self.map
    }
}

/// What is said, before the artist's choices.
#[derive(Clone, Debug)]
pub struct Said {
    pub speech: Arc<Speech>,
    /// How the labels were read; none if it is from the sound.
    pub labels: Option<ReadLabels>,
}

/// What was made last, and of what.
#[derive(Clone, Debug)]
struct Made {
    edits: Revision,
    from: MadeFrom,
    said: Option<Said>,
    spoken: Option<Spoken>,
}

#[derive(Clone, Debug)]
struct MadeFrom {
    head: Arc<Head>,
    heard: Option<Arc<Heard>>,
    offset_secs: f32,
    markers: Markers,
    voice: Voice,
    matching: ColumnMatching,
}

impl MadeFrom {
    fn is_heard_as(&self, heard: Option<&Arc<Heard>>) -> bool {
        self.heard.as_ref().map(Arc::as_ptr) == heard.map(Arc::as_ptr)
    }

    fn said(&self) -> Option<Said> {
        match self.voice.source {
            VoiceSource::Labels => {
                let (speech, labels) = Speech::of_labels(self.markers.all(), self.voice.phones, self.voice.lead_secs)?;
                Some(Said { speech: Arc::new(speech), labels: Some(labels) })
            }
            VoiceSource::Sound => {
                let speech = self.heard.as_ref()?.speech.clone().moved(self.offset_secs, self.voice.lead_secs);
                Some(Said { speech: Arc::new(speech), labels: None })
            }
        }
    }
}

impl Session {
    /// What was heard in a sound file. It counts while this is the sound of what plays.
    pub fn hear(&mut self, file: FileRef, heard: Arc<Heard>) {
        self.evaluation.get_mut().forget_stack();
        self.voice.heard = Some((file, heard));
    }

    /// What is heard in the sound of what plays; none until somebody has listened to it.
    pub fn heard(&self) -> Option<&Arc<Heard>> {
        let (file, heard) = self.voice.heard.as_ref()?;
        self.sound().filter(|track| track.file == *file).map(|_| heard)
    }

    /// The sound that the voice needs and that nobody has listened to.
    pub fn unheard(&self) -> Option<&FileRef> {
        let voice = &self.edits.voice;
        let needs = voice.enabled && voice.source == VoiceSource::Sound && self.heard().is_none();
        self.sound().filter(|_| needs).map(|track| &track.file)
    }

    /// The mouth of the voice, if it is on and something is said. It is made once, and again only after something has
    /// changed that it depends on.
    pub fn spoken(&self) -> Option<Spoken> {
        let edits = &*self.edits;
        if !edits.voice.enabled {
            return None;
        }
        let (revision, heard) = (self.edits.revision(), self.heard());
        let mut made = self.voice.made.borrow_mut();
        let same_inputs = |made: &Made| Arc::ptr_eq(&made.from.head, &self.head) && made.from.is_heard_as(heard);
        if let Some(made) = made.as_ref().filter(|made| made.edits == revision && same_inputs(made)) {
            return made.spoken.clone();
        }
        let offset_secs = self.sound().map_or(0.0, |track| track.offset_secs);
        let said = made.take().filter(|made| {
            let (before, now) = (&made.from.voice, &edits.voice);
            (before.source, before.lead_secs) == (now.source, now.lead_secs)
                && match now.source {
                    VoiceSource::Labels => before.phones == now.phones && made.from.markers == edits.markers,
                    VoiceSource::Sound => made.from.is_heard_as(heard) && made.from.offset_secs == offset_secs,
                }
        });
        let known = said
            .as_ref()
            .filter(|made| same_inputs(made) && made.from.voice == edits.voice && made.from.matching == edits.matching);
        let known = known.map(|made| made.spoken.clone());
        let from = MadeFrom {
            head: self.head.clone(),
            heard: heard.cloned(),
            offset_secs,
            markers: edits.markers.clone(),
            voice: edits.voice.clone(),
            matching: edits.matching.clone(),
        };
        let said = said.map_or_else(|| from.said(), |made| made.said);
        let spoken = known.unwrap_or_else(|| {
            let said = said.clone()?;
            let take = Arc::new(said.speech.take(&from.voice));
            let map = Arc::new(from.matching.map_of(take.column_names(), &from.head));
            Some(Spoken { take, map, said })
        });
        *made = Some(Made { edits: revision, from, said, spoken: spoken.clone() });
        spoken
    }

    /// When the voice is over; 0 if it is off.
    pub(crate) fn voice_end_secs(&self) -> f32 {
        if !self.edits.voice.enabled {
            return 0.0;
        }
        let said_secs = self.spoken().map_or(0.0, |spoken| spoken.said.speech.end_secs());
        said_secs.max(self.edits.attachments_end_secs()).max(self.sound().map_or(0.0, SoundTrack::end_secs))
    }
}

impl TakesMut<'_> {
    /// Adds a take that the voice was written into, with the sound of what plays, and switches the voice off, which the
    /// take replaces. Returns which take it is.
    pub fn add_baked_voice(&mut self, take: Take) -> TakeId {
        let sound = self.session.sound().cloned();
        let id = self.list(take);
        if let Some(entry) = self.session.edits.take_mut(id) {
            entry.sound = sound;
        }
        self.select(Some(id));
        self.session.edits.voice.enabled = false;
        id
    }
}
