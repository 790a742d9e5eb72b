//! A is the session as it is edited, B is what it is compared with: other edits of the same head, or another version of
//! the head.

mod over_time;
mod version;

pub use over_time::{ErrorsFrom, ErrorsOverTime, PlayedFrames};
pub use version::{OpenVersion, VersionProblem};

use std::sync::Arc;

use strum::VariantArray;

use super::{Edits, Revision, Session, TakeEntry};
use smirk_analysis::voice::Heard;
use smirk_face::head::Head;

/// B of a session.
#[derive(Clone, Copy)]
pub struct B<'a>(&'a Session);

impl Session {
    pub fn b(&self) -> B<'_> {
        B(self)
    }
}

impl<'a> B<'a> {
    /// Looks at the session with what it is compared with, at the same moment and through the same camera. None if
    /// there is nothing to compare with, or another version, whose edits are those of A ([`Self::scene`]).
    pub fn with<R>(self, look: impl FnOnce(&Session) -> R) -> Option<R> {
        let Self(a) = self;
        if !self.exists() || a.compared_with == ComparedWith::Version {
            return None;
        }
        let mut made = a.made_b.borrow_mut();
        let from = self.made_from();
        if made.as_ref().is_none_or(|(of, _)| *of != from) {
            let b = self.edits().map(|edits| {
                let mut b = Session::new(a.head.clone(), a.source.clone(), edits.look, a.mode);
                b.start_from(edits);
                b.voice = a.voice.clone();
                b.clips_mut().select_named(a.clip_names.clone());
                Box::new(b)
            });
            *made = Some((from, b));
        }
        let b = made.as_mut()?.1.as_mut()?;
        (b.clock, b.camera, b.mode) = (a.clock, a.camera, a.mode);
        Some(look(b))
    }

    fn made_from(self) -> MadeFrom {
        let Self(a) = self;
        MadeFrom {
            with: a.compared_with,
            edits: a.edits.revision(),
            saved: a.saved_edits.clone(),
            head: a.head.clone(),
            clips: a.playing_clips.clone(),
            heard: a.heard().cloned(),
        }
    }

    /// Whether there is something to compare with.
    pub fn exists(self) -> bool {
        let Self(a) = self;
        match a.compared_with {
            ComparedWith::Take => a.edits.compared_take.is_some_and(|id| a.edits.take_entry(id).is_some()),
            ComparedWith::Recording => a.take().is_some(),
            ComparedWith::Saved => a.saved_edits.is_some(),
            ComparedWith::Version => a.version().is_some(),
        }
    }

    /// Its take, if B is a take or its recording.
    pub fn take(self) -> Option<&'a TakeEntry> {
        let Self(a) = self;
        match a.compared_with {
            ComparedWith::Take => a.edits.take_entry(a.edits.compared_take?),
            ComparedWith::Recording => a.take(),
            ComparedWith::Saved | ComparedWith::Version => None,
        }
    }

    /// What it is called, with a take named by `name`.
    pub fn name(self, name: impl Fn(&TakeEntry) -> String) -> String {
        match (self.0.compared_with, self.take()) {
            (ComparedWith::Take, Some(entry)) => name(entry),
            (ComparedWith::Recording, Some(entry)) => format!("{}, untouched", name(entry)),
            (ComparedWith::Version, _) => self.0.version().map_or_else(String::new, |open| open.source.name()),
            (with, _) => with.label().to_owned(),
        }
    }

    fn edits(self) -> Option<Edits> {
        let edits = &*self.0.edits;
        match self.0.compared_with {
            ComparedWith::Take => Some(Edits { take: edits.compared_take, ..edits.clone() }),
            ComparedWith::Recording => {
                let entry = self.0.take()?;
                Some(Edits {
                    take: Some(entry.id),
                    takes: vec![entry.untouched()],
                    rule: edits.rule,
                    variant: edits.variant.clone(),
                    variant_turn: edits.variant_turn,
                    lit_by_file: edits.lit_by_file,
                    head_and_eyes: edits.head_and_eyes.clone(),
                    roles: edits.roles.clone(),
                    hidden_meshes: edits.hidden_meshes.clone(),
                    heat_channel: edits.heat_channel.clone(),
                    ..Edits::at_rest(&self.0.head, edits.look)
                })
            }
            ComparedWith::Saved => self.0.saved_edits.as_deref().cloned(),
            ComparedWith::Version => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray)]
pub enum ComparedWith {
    /// The take whose curves are drawn for comparison, in the place of the take that plays.
    #[default]
    Take,
    /// The take that plays as it was recorded: without gain, calibration and keys, and with nothing else that moves the
    /// face.
    Recording,
    /// The session as it was saved last; before that, as it was opened.
    Saved,
    Version,
}

impl ComparedWith {
    /// All of them, in the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Take => "Compared take",
            Self::Recording => "Untouched recording",
            Self::Saved => "State at the last save",
            Self::Version => "Another version of the head",
        }
    }

    /// Why there is nothing to compare with, and what to do.
    pub fn why_none(self) -> &'static str {
        match self {
            Self::Take => "No take to compare with: choose one in the menu of A/B",
            Self::Recording => "No take plays: choose one in the transport bar",
            Self::Saved => "No saved state of this head: save the project first",
            Self::Version => "No version to compare with: choose File › Compare with…",
        }
    }
}

/// What B was made from. It is made again when one of them differs.
#[derive(Clone, Debug)]
pub(crate) struct MadeFrom {
    with: ComparedWith,
    edits: Revision,
    saved: Option<Arc<Edits>>,
    head: Arc<Head>,
    clips: Vec<usize>,
    /// What was heard in the sound of A, whose voice B has too.
    heard: Option<Arc<Heard>>,
}

impl PartialEq for MadeFrom {
    fn eq(&self, other: &Self) -> bool {
        let is_same_save = self.saved.as_ref().map(Arc::as_ptr) == other.saved.as_ref().map(Arc::as_ptr);
        let is_same_head = Arc::ptr_eq(&self.head, &other.head);
        let is_heard_alike = self.heard.as_ref().map(Arc::as_ptr) == other.heard.as_ref().map(Arc::as_ptr);
        let is_set_alike = (self.with, self.edits, &self.clips) == (other.with, other.edits, &other.clips);
        is_set_alike && is_same_save && is_same_head && is_heard_alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeadSource;
    use smirk_face::head::{Curve, Interpolation, Mesh};
    use smirk_face::motion::{DrivenChannel, Key, Take};
    use smirk_scene::{BlendMode, Look};

    fn take(name: &str, value: f32) -> Take {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, value], 1).unwrap();
        Take { name: name.into(), ..Take::of_curve(["jawOpen"], curve) }
    }

    fn session() -> Session {
        let head = Head::from_meshes(vec![Mesh::with_targets(["jawOpen", "pout"])]);
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.takes_mut().add(vec![take("first", 0.5), take("second", 1.0)]);
        session.clock.timeline.playing = false;
        session
    }

    fn b(session: &Session) -> Option<Vec<f32>> {
        session.b().with(|b| b.weights().to_vec())
    }

    #[test]
    fn b_is_the_compared_take_at_the_same_moment() {
        let mut session = session();
        assert_eq!((b(&session), session.b().exists()), (None, false));
        session.edits.compared_take = Some(session.edits.takes[1].id);
        session.channel_mut(1).set(0.25);
        session.seek(1.0);
        assert_eq!(b(&session), Some(vec![1.0, 0.25]), "all but the take is as in A");
        session.seek(0.5);
        assert_eq!((b(&session), session.weights().to_vec()), (Some(vec![0.5, 0.25]), vec![0.25, 0.25]));
        assert_eq!(session.b().take().unwrap().take.name, "second");
        session.edits.takes[1].map.columns[0].gain = 0.5;
        assert_eq!(b(&session), Some(vec![0.25, 0.25]), "an edit is seen");
        let second = session.edits.takes[1].id;
        session.takes_mut().remove(second);
        assert_eq!(b(&session), None);
    }

    #[test]
    fn b_is_the_recording_without_anything_on_top() {
        let mut session = session();
        session.compared_with = ComparedWith::Recording;
        session.edits.takes[0].map.columns[0].gain = 3.0;
        session.edits.takes[0].map.columns[0].channels = vec![DrivenChannel::new("pout")];
        session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(0.0, 0.7)));
        session.seek(1.0);
        assert_eq!(session.weights().to_vec(), [0.7, 1.5]);
        assert_eq!(b(&session), Some(vec![0.0, 0.5]), "the choice of channels stays");
        assert_eq!(session.b().take().unwrap().take.name, "first");
        session.takes_mut().select(None);
        assert_eq!(b(&session), None);
    }

    #[test]
    fn b_is_what_was_saved() {
        let mut session = session();
        session.compared_with = ComparedWith::Saved;
        session.takes_mut().select(None);
        session.channel_mut(1).set(0.25);
        assert_eq!(b(&session), None);
        session.saved_edits = Some(session.edits.snapshot());
        session.channel_mut(1).set(0.75);
        assert_eq!((b(&session), session.weights()[1]), (Some(vec![0.0, 0.25]), 0.75));
        let other = Head::from_meshes(Vec::new());
        session.replace_head(Arc::new(other), HeadSource::Embedded);
        assert_eq!(b(&session), None, "edits of another head");
    }
}
