//! What the window asks the system's file dialogs, and what it does with the answers.

use std::path::PathBuf;

use super::event::Event;
use super::file_dialog::{self, Picked, Question};
use super::viewer::Viewer;
use crate::document::LoadRequest;
use crate::export::save_poses;
use crate::session::SheetOf;

impl Viewer {
    pub(super) fn ask(&mut self, question: Question) {
        let suggestion = self.suggestion(question);
        let proxy = self.proxy.clone();
        file_dialog::ask(&self.window, question, &suggestion, move |picked| {
            let _ = proxy.send_event(Event::Picked(question, picked));
        });
    }

    /// A file to save, or a folder to look in.
    fn suggestion(&self, question: Question) -> PathBuf {
        match question {
            Question::SaveProject => self.document.suggested_project_path(),
            Question::ExportPoses => self.document.suggested_path(" poses.json"),
            Question::ContactSheet(SheetOf::Poses) => self.document.suggested_path(" poses.png"),
            Question::ContactSheet(SheetOf::Expressions) => self.document.suggested_path(" expressions.png"),
            Question::ContactSheet(SheetOf::Moments) => self.document.suggested_path(" over time.png"),
            _ => self.document.suggested_path("").parent().map(PathBuf::from).unwrap_or_default(),
        }
    }

    /// A dialog was answered.
    pub(super) fn on_picked(&mut self, question: Question, picked: Picked) {
        match (picked, question.saves()) {
            (Picked::Cancelled, _) => {}
            (Picked::File(path), _) => self.answer(question, path),
            (Picked::Files(files), _) => self.offer_shapes(files),
            (Picked::NoDialog, Some(kind)) => {
                // Work must not be lost for want of a dialog.
                let path = kind.unused(&self.suggestion(question).with_extension(""));
                let message = format!("This system has no file dialog. Saved to {}", path.display());
                self.answer(question, path);
                // A contact sheet is not saved yet, and says where it is when it is.
                if self.notice.is_none() && !matches!(question, Question::ContactSheet { .. }) {
                    self.mention("Saved", message);
                }
            }
            (Picked::NoDialog, None) => self.tell(
                "No file dialog",
                "This system has none (xdg-desktop-portal or zenity brings one). Drop the file on the window instead, or \
                 name it on the command line."
                    .into(),
            ),
        }
    }

    fn answer(&mut self, question: Question, path: PathBuf) {
        match question {
            Question::Open | Question::OpenProject => self.load(LoadRequest::File(path)),
            Question::ImportTakes => self.load(LoadRequest::Takes(path)),
            Question::ImportPoses => self.load(LoadRequest::Poses(path)),
            Question::ImportShapes => self.offer_shapes(vec![path]),
            Question::LocateHead => {
                if let Some(draft) = self.document.project_without_head().cloned() {
                    self.load(LoadRequest::Project(Box::new(draft.with_head(&path))));
                }
            }
            Question::SaveProject => self.save_project(path),
            Question::ContactSheet(of) => self.start_sheet(of, path),
            Question::ExportPoses => match save_poses(&path, &self.document.session.edits.poses) {
                Ok(()) => self.mention("Poses exported", path.display().to_string()),
                Err(error) => self.tell("Cannot export the poses", error.to_string()),
            },
        }
    }
}
