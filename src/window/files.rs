//! What the window does with files: opens, saves, imports, and says how it went.

use std::path::PathBuf;

use super::file_dialog::Question;
use super::queue::Turn;
use super::viewer::Viewer;
use crate::document::{LoadRequest, Loaded, Notice, PendingProject, TakeFiles};
use crate::head::{Head, Note};
use crate::import::NamedWeights;
use crate::render::HeadOnGpu;
use crate::session::{Command, Session, Source};

impl Viewer {
    /// Does what is about files; gives any other command back.
    pub(super) fn execute_on_files(&mut self, command: Command) -> Option<Command> {
        match command {
            Command::OpenDialog => self.ask(Question::Open),
            Command::OpenProjectDialog => self.ask(Question::OpenProject),
            Command::LocateHead => self.ask(Question::LocateHead),
            Command::ImportTakesDialog => self.ask(Question::ImportTakes),
            Command::ImportPosesDialog => self.ask(Question::ImportPoses),
            Command::ImportShapesDialog => self.ask(Question::ImportShapes),
            Command::ImportShapes(files) => self.load(LoadRequest::Shapes(self.document.session.head.clone(), files)),
            Command::SaveProjectAs => self.ask(Question::SaveProject),
            Command::ExportPoses => self.ask(Question::ExportPoses),
            Command::ContactSheet(of) => self.ask(Question::ContactSheet(of)),
            Command::SaveProject => match self.document.file() {
                Some(file) => self.save_project(file.to_owned()),
                None => self.ask(Question::SaveProject),
            },
            Command::Open(path) => self.load(LoadRequest::File(path)),
            Command::OpenEmbedded => self.load(LoadRequest::Head(Source::Embedded)),
            Command::ImportTakes(path) => self.load(LoadRequest::Takes(path)),
            Command::ForgetTake(place) => self.document.forget_take(place),
            Command::CancelLoad => {
                self.queue.clear();
                self.loader.cancel();
            }
            Command::DismissFailure => self.dismiss(),
            Command::ClearRecent => self.remembered.recent.clear(),
            Command::RestoreWork => {
                if let Some(draft) = self.document.newest_offer() {
                    self.load(LoadRequest::Project(Box::new(draft)));
                }
            }
            Command::DiscardWork => self.document.discard_newest_offer(),
            other => return Some(other),
        }
        None
    }

    /// Begins to load; what is said of something else is put away.
    pub(super) fn load(&mut self, request: LoadRequest) {
        self.notice = None;
        self.start_load(request);
    }

    fn start_load(&mut self, request: LoadRequest) {
        let notify = self.notifier();
        self.loader.start(request, &self.gpu, notify);
        self.request_frame();
    }

    /// Takes up what the loader has finished. Of files dropped together, the next one's turn comes.
    pub(super) fn take_loaded(&mut self) {
        match self.loader.take() {
            None => {}
            Some(Loaded::Head(head, source)) => {
                self.show_head(*head, source);
            }
            Some(Loaded::Project { head, source, draft, takes, lost_shapes }) => {
                self.show_project(*head, source, &draft, &takes, lost_shapes);
            }
            Some(Loaded::Shaped { head, shapes, report }) => self.show_shapes(*head, shapes, &report),
            Some(Loaded::Set { head, source, shapes, report }) => self.show_set(*head, source, shapes, &report),
            Some(Loaded::HeadGone(draft, problem)) => self.document.set_project_without_head(*draft, problem),
            Some(Loaded::Takes(takes, path)) if takes.is_empty() => {
                let message = "The file has no blend-shape animation.".to_owned();
                self.queue.tell(format!("No takes in {}", Source::File(path).name()), message);
            }
            Some(Loaded::Takes(takes, _)) => self.document.import_takes(takes),
            Some(Loaded::Poses(poses, path)) => self.import_poses(poses, path),
        }
        match self.queue.next(&self.loader.status(), self.notice.is_some()) {
            None => {}
            Some(Turn::Open(path)) => self.start_load(LoadRequest::File(path)),
            Some(Turn::OpenSet(files)) => self.start_load(LoadRequest::Set(self.document.session.head.clone(), files)),
            Some(Turn::Say(said)) => self.notice = Some(said),
        }
    }

    /// False, and the head before stays, if its unsaved work cannot be kept.
    pub(super) fn show_head(&mut self, loaded: HeadOnGpu, source: Source) -> bool {
        if let Err(error) = self.document.open_head(loaded.head().clone(), source.clone()) {
            self.queue.tell(format!("Cannot open {}", source.name()), error.to_string());
            return false;
        }
        if let Source::File(path) = &source {
            self.remembered.remember(path);
        }
        self.renderer.set_head(loaded);
        self.error = None;
        self.wants_framing = true;
        self.choose_mode(None);
        true
    }

    fn show_project(
        &mut self,
        loaded: HeadOnGpu,
        source: Source,
        draft: &PendingProject,
        takes: &TakeFiles,
        lost_shapes: Vec<Note>,
    ) {
        let look = draft.project.look;
        let session = Session::new(loaded.head().clone(), source, look, self.document.session.mode)
            .with_aliases(self.document.session.edits.aliases.clone());
        let notes = match self.document.open_project(draft, session, takes) {
            Ok(notes) => [lost_shapes, notes].concat(),
            Err(error) => return self.queue.tell(format!("Cannot open {}", draft.name()), error.to_string()),
        };
        if let Some(file) = &draft.file {
            self.remembered.remember(file);
        }
        self.renderer.set_head(loaded);
        self.error = None;
        self.wants_framing = draft.project.leaves_framing(&self.document.session.head);
        self.choose_mode(draft.project.mode);
        if !notes.is_empty() {
            self.queue.mention(format!("Parts of {} could not be restored", draft.name()), lines(&notes));
        }
    }

    fn import_poses(&mut self, poses: Vec<NamedWeights>, path: PathBuf) {
        let unknown = unknown_names(&poses, &self.document.session.head);
        let (count, name) = (poses.len(), Source::File(path).name());
        self.document.session.add_poses(poses);
        if !unknown.is_empty() {
            let title = format!("{count} {} imported from {name}", if count == 1 { "pose" } else { "poses" });
            let message = format!("Missing in this head: {}. The poses keep these channels for other heads.", unknown);
            self.queue.mention(title, message);
        }
    }

    pub(super) fn save_project(&mut self, path: PathBuf) {
        match self.document.save(&path) {
            Ok(()) => {
                self.remembered.remember(&path);
                self.notice = None;
            }
            Err(error) => self.tell("Cannot save the project", error.to_string()),
        }
    }

    /// Puts away the message on top.
    fn dismiss(&mut self) {
        if self.notice.take().is_some() {
            return;
        }
        match self.loader.status() {
            Notice::Failed { .. } => self.loader.dismiss_failure(),
            _ => self.document.dismiss_project_without_head(),
        }
    }
}

/// Channel names in imported poses that the head lacks, as one text.
fn unknown_names(poses: &[NamedWeights], head: &Head) -> String {
    let names = poses.iter().flat_map(|(_, weights)| weights.keys());
    let mut unknown: Vec<&str> = names.map(String::as_str).filter(|name| head.channel_alike(name).is_empty()).collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown.join(", ")
}

fn lines(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("{note}.")).collect::<Vec<_>>().join("\n")
}
