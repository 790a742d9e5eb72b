//! What the window has drawn on the side, while it has nothing better to do: pictures of poses, and contact sheets.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use super::viewer::Viewer;
use crate::document::Notice;
use crate::export::{PictureQueue, SheetContent, SheetProgress, SheetSettings, SheetWork, Shot};
use crate::head::Head;
use crate::motion::{Pose, PoseId};
use crate::render::Renderer;
use crate::scene::{Camera, Look, View};
use crate::session::{Session, SheetOf};
use crate::ui::Thumbnails;

/// The queue and what came out of it.
#[derive(Default)]
pub(super) struct Pictures {
    queue: PictureQueue,
    pub(super) thumbnails: Thumbnails,
    /// What each picture was taken of, or is to be.
    taken: HashMap<PoseId, Taken>,
    head: Weak<Head>,
    /// How that head's pictures are framed.
    camera: Option<Camera>,
}

/// What a pose's picture depends on, but for what all pictures of a head have in common.
#[derive(Clone, Debug, PartialEq)]
struct Taken {
    weights: Vec<f32>,
    look: Look,
}

impl Pictures {
    /// Asks for the pictures that the poses in sight lack, and makes one.
    pub(super) fn work(&mut self, session: &Session, in_sight: &[PoseId], renderer: &mut Renderer) {
        self.follow(session);
        for pose in in_sight.iter().filter_map(|&id| session.edits.pose(id)) {
            self.want(session, pose);
        }
        self.queue.step(renderer);
        for (key, picture) in self.queue.take_finished() {
            // What was drawn while the adapter was lost is empty.
            if let (Ok(id), false) = (u32::try_from(key), picture.is_empty()) {
                self.thumbnails.insert(PoseId(id), picture);
            }
        }
    }

    /// Asks for all pictures again, after some were drawn by an adapter that was lost. Whether a contact sheet was among them:
    /// it is given up.
    pub(super) fn start_over(&mut self) -> bool {
        self.taken.clear();
        let was_drawing = matches!(self.queue.sheet_progress(), Some(SheetProgress::Drawing { .. }));
        self.queue.cancel_sheet();
        was_drawing
    }

    /// Whether there is more to make.
    pub(super) fn is_busy(&self) -> bool {
        self.queue.is_busy()
    }

    /// How far the contact sheet is, as the window shows it.
    pub(super) fn sheet(&self) -> Option<Notice> {
        self.queue.sheet_progress().map(|progress| match progress {
            SheetProgress::Drawing { done, total } => Notice::Sheet { done, total },
            SheetProgress::Saving => Notice::Sheet { done: 1, total: 1 },
        })
    }

    /// Another head has other faces.
    fn follow(&mut self, session: &Session) {
        if std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(&session.head)) {
            self.thumbnails.retain(|id| session.edits.pose(id).is_some());
            self.taken.retain(|&id, _| session.edits.pose(id).is_some());
            return;
        }
        self.head = Arc::downgrade(&session.head);
        self.camera = None;
        self.taken.clear();
        self.thumbnails.retain(|_| false);
    }

    fn want(&mut self, session: &Session, pose: &Pose) {
        let edits = &session.edits;
        let mut weights = pose.weights_on(&session.head);
        edits.rule.apply(&session.head, &mut weights);
        let wanted = Taken { weights, look: edits.look };
        if self.taken.get(&pose.id) == Some(&wanted) {
            return;
        }
        let camera = *self.camera.get_or_insert_with(|| Camera::close_up(&session.head, View::Front, 1.0));
        let shot = Shot {
            head: session.head.clone(),
            weights: wanted.weights.clone(),
            // A pose is a face, whatever the clip does with the neck.
            world_from_nodes: Vec::new(),
            // Another mode would have the whole head blended anew for every picture, and once more for the window.
            mode: session.mode,
            camera,
            look: wanted.look,
            size: [Thumbnails::SIDE_PX; 2],
        };
        self.queue.request(u64::from(pose.id.0), shot);
        self.taken.insert(pose.id, wanted);
    }
}

impl Viewer {
    /// Begins a contact sheet of what the window shows, from where it shows it.
    pub(super) fn start_sheet(&mut self, of: SheetOf, path: PathBuf) {
        let session = &self.document.session;
        let content = match of {
            SheetOf::Poses => SheetContent::poses(session),
            SheetOf::Expressions => SheetContent::expressions(&session.head, 1.0, session.edits.rule),
            SheetOf::Moments => SheetContent::moments(session, SheetContent::USUAL_MOMENTS),
        };
        let (yaw_degrees, pitch_degrees) = (session.camera.yaw.to_degrees(), session.camera.pitch.to_degrees());
        let settings = SheetSettings {
            view: View::Angles { yaw_degrees, pitch_degrees },
            look: session.edits.look,
            mode: session.mode,
            ..SheetSettings::default()
        };
        let notify = self.notifier();
        let started = match SheetWork::start(session.head.clone(), content, &settings) {
            Ok(work) => self.pictures.queue.start_sheet(work, path, notify),
            Err(error) => return self.tell("Cannot save the contact sheet", error.to_string()),
        };
        if !started {
            self.tell("The last contact sheet is still being written", "Try again in a moment.".into());
        }
    }

    /// Gives the contact sheet up.
    pub(super) fn cancel_sheet(&mut self) {
        self.pictures.queue.cancel_sheet();
    }

    /// Makes a picture while no hand is at work, and says how a contact sheet ended.
    pub(super) fn work_on_pictures(&mut self) {
        if !self.state.is_interacting && !self.gpu.is_lost() {
            self.pictures.work(&self.document.session, &self.state.visible_poses, &mut self.renderer);
        }
        match self.pictures.queue.take_sheet() {
            None => {}
            Some(Ok(path)) => self.mention("Contact sheet saved", path.display().to_string()),
            Some(Err(error)) => self.tell("Cannot save the contact sheet", error.to_string()),
        }
    }
}
