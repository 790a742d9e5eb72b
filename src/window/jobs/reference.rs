//! The reference of the window: its folder is listed and its frames are decoded on threads beside it, as the play head
//! asks for them.

use std::path::{Path, PathBuf};

use smirk_base::file_kind::SOUND;
use smirk_base::job::{Job, OnDrop};
use smirk_files::reference::{Footage, Frames};
use smirk_session::Session;
use smirk_ui::ReferenceView;

type Opened = anyhow::Result<Footage>;

/// The reference that was followed last, and one that was chosen after it.
#[derive(Debug, Default)]
pub(crate) struct ReferenceJob {
    path: Option<PathBuf>,
    opening: Option<Job<Opened>>,
    followed: Followed,
    wanted: Option<usize>,
    chosen: Option<Job<Opened>>,
    /// A video that was chosen and has a sound, which is opened after it.
    pub(crate) sound: Option<PathBuf>,
}

#[derive(Debug, Default)]
enum Followed {
    /// It is being opened, or there is none.
    #[default]
    Nothing,
    Frames(Box<Frames>),
    Failed(String),
}

impl From<Opened> for Followed {
    fn from(opened: Opened) -> Self {
        match opened {
            Ok(footage) => Self::Frames(Box::new(Frames::new(footage))),
            Err(error) => Self::Failed(error.to_string()),
        }
    }
}

impl ReferenceJob {
    /// Begins to open an image, or the images of a folder, which [`Self::take_chosen`] gives.
    pub(crate) fn choose(&mut self, path: PathBuf, notify: impl Fn() + Send + 'static) {
        self.chosen = Some(open(path, notify));
    }

    /// The image or the video that was chosen, once it is opened, with the frames a second of a video; or one line that
    /// says why it is not. Its files are read anew even if they were open before. The sound of a video is left in
    /// [`Self::sound`] if it is of a kind that is read.
    pub(crate) fn take_chosen(&mut self) -> Option<anyhow::Result<(PathBuf, Option<f32>)>> {
        let opened = poll(&mut self.chosen)?;
        Some(opened.map(|footage| {
            let path = footage.file(footage.opened()).to_owned();
            let rate = footage.video().map(|video| video.frames_per_sec as f32);
            let has_sound = footage.video().is_some_and(|video| video.has_sound) && SOUND.matches(&path);
            let sound = has_sound.then(|| path.clone());
            *self = Self { path: Some(path.clone()), followed: Ok(footage).into(), sound, ..Self::default() };
            (path, rate)
        }))
    }

    /// Opens the reference of a session if it is another one, and decodes what the play head is at. `notify` is called
    /// on the thread of a job that is done.
    pub(crate) fn follow(&mut self, session: &Session, notify: impl Fn() + Clone + Send + 'static) {
        let reference = session.edits.reference.as_ref();
        let path = reference.map(|reference| &*reference.file);
        if self.path.as_deref() != path {
            self.path = path.map(Path::to_owned);
            self.followed = Followed::Nothing;
            self.opening = path.map(|path| open(path.to_owned(), notify));
            return;
        }
        if let Some(opened) = poll(&mut self.opening) {
            self.followed = opened.into();
        }
        self.wanted = self.wanted_in(session);
        if let (Some(reference), Followed::Frames(frames), Some(wanted)) = (reference, &mut self.followed, self.wanted)
        {
            frames.follow(wanted, reference.is_sequence, notify);
        }
    }

    /// Whether the session has changed so that it has to be followed again.
    pub(crate) fn is_behind(&self, session: &Session) -> bool {
        let path = session.edits.reference.as_ref().map(|reference| &*reference.file);
        path != self.path.as_deref() || self.wanted_in(session) != self.wanted
    }

    /// What the window shows of it. `None` if there is no reference.
    pub(crate) fn view(&self, session: &Session) -> Option<ReferenceView<'_>> {
        session.edits.reference.as_ref()?;
        Some(match (&self.followed, self.wanted_in(session)) {
            (Followed::Failed(problem), _) => ReferenceView { problem: Some(problem), ..ReferenceView::default() },
            (Followed::Frames(frames), Some(wanted)) => {
                let shown = frames.shown(wanted).map(|(_, frame)| frame.as_ref());
                let image = shown.and_then(Result::ok);
                let problem = shown.and_then(Result::err).map(String::as_str);
                ReferenceView { count: frames.footage.len(), frame: wanted, image, problem }
            }
            _ => ReferenceView::default(),
        })
    }

    /// Whether the frame at the play head is still to come.
    pub(crate) fn is_busy(&self, session: &Session) -> bool {
        let is_missing = match (&self.followed, self.wanted_in(session)) {
            (Followed::Failed(_), _) => false,
            (Followed::Frames(frames), Some(wanted)) => frames.shown(wanted).is_none_or(|(frame, _)| frame != wanted),
            _ => session.edits.reference.is_some(),
        };
        self.chosen.is_some() || self.sound.is_some() || is_missing
    }

    /// The index of the frame at the play head, or of the image that was opened if it does not follow the play head.
    fn wanted_in(&self, session: &Session) -> Option<usize> {
        let reference = session.edits.reference.as_ref()?;
        let Followed::Frames(frames) = &self.followed else { return None };
        let footage = &frames.footage;
        Some(reference.frame_at(session.clock.timeline.time_secs, footage.opened(), footage.len()))
    }
}

fn open(path: PathBuf, notify: impl Fn() + Send + 'static) -> Job<Opened> {
    // The program that is asked about a video is ended with the job.
    Job::spawn("reference", OnDrop::Join, notify, move |control| {
        Ok(Footage::open_while(&path, || !control.is_cancelled())?)
    })
}

/// The result of a job that has ended, which is taken away.
fn poll(job: &mut Option<Job<Opened>>) -> Option<Opened> {
    let result = job.as_mut()?.poll()?;
    *job = None;
    Some(result.map_err(anyhow::Error::from).flatten())
}
