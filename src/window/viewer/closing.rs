//! Saving the project and closing the window: what the artist is asked before work or a file would be lost, and what
//! follows.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::window::UserAttentionType;

use super::{Closing, Viewer};
use crate::window::jobs::file_dialog::{Question, Save};
use smirk_editor::document::{Found, LoadRequest, ProjectError, WorkPicture, WorkProblems};
use smirk_scene::Scene;
use smirk_session::WorkCommand;
use smirk_ui::{Answer, Prompt};

/// The title of messages on files of unsaved work.
pub(super) const UNREAD_WORK: &str = "Some unsaved work cannot be read";

impl Viewer {
    /// Closes the window if nothing is unsaved. Otherwise says what is kept, or asks about work that would be lost. A
    /// run that only takes a screenshot has no work.
    pub(in crate::window) fn request_close(&mut self) {
        self.closing = Closing::No;
        self.with_services(Instant::now(), |service, cx| service.end(cx));
        let problem = self.document.close().err().map(|problem| problem.to_string());
        // Whoever closes it a second time knows what is kept.
        let is_known = problem.is_none() && matches!(self.prompt, Some(Prompt::Quit { problem: None, .. }));
        if is_known {
            self.document.go_on_next();
        }
        if self.screenshot.is_some() || is_known || !self.document.is_unsaved() {
            return self.closing = Closing::Now;
        }
        let project = self.document.file().map(Path::to_owned);
        self.prompt = Some(Prompt::Quit { name: self.document.name(), project, problem, failure: None });
        // The window may have been closed from a list of windows.
        self.window.set_minimized(false);
        self.window.request_user_attention(Some(UserAttentionType::Informational));
        self.request_frame();
    }

    /// Writes unsaved work before the program ends in another way than by [`Self::request_close`].
    pub(in crate::window) fn end(&mut self) {
        self.jobs.cancel_all();
        self.with_services(Instant::now(), |service, cx| service.end(cx));
        // A run that only takes a screenshot has no work.
        if self.closing == Closing::Now || self.screenshot.is_some() {
            return;
        }
        if let Err(problem) = self.document.close() {
            log::warn!("Unsaved work is lost. {problem}");
        }
    }

    /// Notices edits and writes them when that is due, also while the system asks for no frames since the window is
    /// hidden. Returns how long the next call can wait.
    pub(in crate::window) fn keep_work(&mut self, now: Instant) -> Option<Duration> {
        self.draw_work_picture(now);
        // A run that only takes a screenshot has no work to keep.
        if self.screenshot.is_none() {
            let WorkProblems { not_kept, unread } = self.document.update(now);
            if let Some(problem) = not_kept {
                self.fail("Autosave failed", problem);
            }
            if !unread.is_empty() {
                self.report_failure(UNREAD_WORK, unread.join("\n"));
            }
        }
        self.document.next_update_in(now)
    }

    pub(super) fn save_project(&mut self) {
        match self.document.file().map(Path::to_owned) {
            Some(file) => {
                let outcome = self.document.save(&file);
                self.take_save(&file, outcome);
            }
            None => self.ask_where_to_save(),
        }
    }

    /// Asks what to do about a project file that has changed; one that is gone is saved again.
    pub(super) fn resolve_file_change(&mut self) {
        let Some(file) = self.document.file().map(Path::to_owned) else { return };
        match Found::at(&file) {
            Found::Nothing => self.save_project(),
            found => self.prompt = Some(Prompt::ChangedOnDisk { file, found, failure: None }),
        }
    }

    pub(super) fn save_project_as(&mut self, path: &Path) {
        let outcome = self.document.save_as(path);
        self.take_save(path, outcome);
    }

    /// Saves the project to a file that does not exist yet, since there is no dialog to choose one.
    pub(super) fn save_project_without_dialog(&mut self, path: PathBuf) {
        let is_closing = self.closing == Closing::OnceSaved;
        let outcome = self.document.save(&path);
        if outcome.as_ref().is_ok_and(Vec::is_empty) && is_closing {
            // The artist has to know where it is before the window closes.
            self.closing = Closing::No;
            self.settings.add_recent(&path);
            self.prompt = Some(Prompt::SavedElsewhere { file: path });
            return;
        }
        let is_saved = outcome.is_ok();
        self.take_save(&path, outcome);
        if is_saved {
            let message = format!("This system has no file dialog. Saved to {}", path.display());
            self.notices.show_status(message, Instant::now());
        }
    }

    /// Follows up an attempt to save, with the recordings that could not be copied beside the project if it was saved.
    fn take_save(&mut self, path: &Path, outcome: Result<Vec<String>, ProjectError>) {
        match outcome {
            Ok(left_behind) => {
                self.settings.add_recent(path);
                self.notices.dismiss();
                self.prompt = None;
                if !left_behind.is_empty() {
                    // The artist has to know it before the window closes.
                    self.closing = Closing::No;
                    let reasons = left_behind.join(".\n");
                    let message = format!(
                        "{reasons}.\nThey stay in the folder of unsaved work. Save again once they can be written."
                    );
                    self.notices.fail("Some recordings were not saved beside the project", message);
                }
                if self.closing == Closing::OnceSaved {
                    self.request_close();
                }
            }
            Err(ProjectError::Changed { file, found }) => {
                self.prompt = Some(Prompt::ChangedOnDisk { file, found, failure: None });
            }
            Err(error) => match &mut self.prompt {
                Some(Prompt::Quit { failure, .. } | Prompt::ChangedOnDisk { failure, .. }) => {
                    *failure = Some(error.to_string());
                }
                _ => self.notices.fail("Cannot save the project", error.to_string()),
            },
        }
        self.request_frame();
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        match (answer, self.prompt.clone()) {
            (Answer::SaveAs, prompt) => {
                if matches!(prompt, Some(Prompt::Quit { .. })) {
                    self.closing = Closing::OnceSaved;
                }
                // The question stays until the project is saved: a dialog that is cancelled changes nothing.
                self.ask_where_to_save();
            }
            (Answer::Save, _) => {
                self.closing = Closing::OnceSaved;
                self.save_project();
            }
            (Answer::Quit, prompt) => {
                if matches!(prompt, Some(Prompt::Quit { problem: None, .. })) {
                    self.document.go_on_next();
                }
                self.closing = Closing::Now;
            }
            (Answer::StartAnew | Answer::KeepWork, _) => {
                self.prompt = None;
                if let Some(read) = self.asked_head.take() {
                    self.show_read(read, answer == Answer::KeepWork);
                }
            }
            (Answer::LoadTheirs, Some(Prompt::ChangedOnDisk { file, .. })) => {
                (self.prompt, self.closing) = (None, Closing::No);
                self.load(LoadRequest::File(file, None));
            }
            (Answer::Overwrite, Some(Prompt::ChangedOnDisk { file, found, .. })) => {
                let outcome = self.document.save_over(&file, found);
                self.take_save(&file, outcome);
            }
            (Answer::Cancel, Some(Prompt::ChangedOnDisk { .. })) if self.closing == Closing::OnceSaved => {
                self.prompt = None;
                self.request_close();
            }
            (Answer::LoadTheirs | Answer::Overwrite | Answer::Cancel, _) => {
                (self.prompt, self.closing) = (None, Closing::No);
            }
        }
    }

    /// Asks for the project's file, unless that dialog is open already.
    pub(super) fn ask_where_to_save(&mut self) {
        if !self.jobs.is_asking(Question::Save(Save::Project)) {
            self.ask(Question::Save(Save::Project));
        }
    }
}

impl Viewer {
    pub(super) fn execute_work(&mut self, command: WorkCommand) {
        if command == WorkCommand::Later {
            // Work that was declined once is in the list.
            self.settings.works_seen = self.document.newest_work();
        }
        if let Err(error) = self.document.change_works(command) {
            return self.fail_work(error.to_string());
        }
        match command {
            WorkCommand::List => {
                let problems = self.document.refresh_works();
                self.panels.work_list.open(self.document.works());
                if !problems.is_empty() {
                    self.fail_work(problems.join("\n"));
                }
            }
            WorkCommand::Restore(id) => match self.document.unsaved_project(id) {
                Ok(project) => {
                    self.panels.work_list.close();
                    self.load(LoadRequest::Project(Box::new(project)));
                }
                Err(error) => self.fail_work(error.to_string()),
            },
            _ => self.panels.work_list.problem = None,
        }
    }

    /// Shows why something cannot be done with unsaved work: in the list, which covers the notices, if it is open.
    fn fail_work(&mut self, problem: String) {
        if self.panels.work_list.is_open {
            self.panels.work_list.problem = Some(problem);
        } else {
            self.fail("Unsaved work", problem);
        }
    }

    /// Draws a small picture of unsaved work that is about to be written, unless the artist is dragging: a picture of
    /// low resolution takes less time than a frame, but it would come on top of one.
    pub(super) fn draw_work_picture(&mut self, now: Instant) {
        let Self { document, viewport, ui, .. } = self;
        if ui.is_interacting || viewport.gpu.is_lost() || !document.wants_picture(now) {
            return;
        }
        let session = &document.session;
        let scene = session.scene(WorkPicture::SIZE_PX);
        let scene = Scene { look: scene.look.of_materials(), ..scene };
        if let Ok(picture) = viewport.renderer.picture(&scene) {
            document.set_picture(&picture);
        }
    }
}
