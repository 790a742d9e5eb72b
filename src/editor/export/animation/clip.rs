//! What is exported as one clip: a session that plays, and the frames that are taken of it.

use crate::export::FrameSpan;
use crate::session::{Session, TakeId};

/// A session that plays, as one clip of an animation.
#[derive(Clone, Debug)]
pub struct AnimationClip {
    /// The name of the clip.
    pub name: String,
    /// What plays.
    pub session: Session,
    /// The frames of it.
    pub span: FrameSpan,
}

impl AnimationClip {
    /// What plays in a session. It is named after the take, else after the clips of the head, else after the head.
    pub fn of_session(session: &Session, span: FrameSpan) -> Self {
        let take = session.take().map(|entry| entry.take.name.clone());
        let clips = || session.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>().join(" + ");
        let name = take.unwrap_or_else(clips);
        let name = if name.is_empty() { session.head.name.clone() } else { name };
        Self { name, session: session.clone(), span }
    }

    /// A clip for each of some takes of a session, with everything else as it is. `span` chooses the frames of each.
    pub fn of_takes<E>(
        session: &Session,
        takes: &[TakeId],
        mut span: impl FnMut(&Session) -> Result<FrameSpan, E>,
    ) -> Result<Vec<Self>, E> {
        let clip = |&take: &TakeId| {
            let mut session = session.clone();
            session.select_take(Some(take));
            let span = span(&session)?;
            Ok(Self::of_session(&session, span))
        };
        takes.iter().map(clip).collect()
    }
}
