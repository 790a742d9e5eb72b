//! Unsaved work that can be restored, and what the artist is told about it.

use std::io;
use std::time::Instant;

use image::RgbaImage;

use smirk_session::{WorkCommand, WorkId};

use super::autosave::Snapshot;
use super::open_document::{Attention, Document, WorkHint};
use super::project::PendingProject;
use super::recovery::{RecoveryFolder, UnsavedWork, WorkPicture, WorkPlace};

impl Document {
    /// All unsaved work that can be restored, and what is in the trash.
    pub fn works(&self) -> &[UnsavedWork] {
        self.recovery.as_ref().map_or(&[], |recovery| recovery.works())
    }

    /// Reads unsaved work as a project that can be opened. Work in the trash is put back first.
    pub fn unsaved_project(&mut self, id: WorkId) -> io::Result<PendingProject> {
        match &mut self.recovery {
            Some(recovery) => recovery.project(id),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Lets the next start go on with the work that [`Self::close`] has written. If that cannot be noted, the work is
    /// only offered.
    pub fn go_on_next(&self) {
        if let Some(Err(error)) = self.recovery.as_ref().map(RecoveryFolder::go_on_next) {
            log::warn!("the next start will only offer the unsaved work: {error}");
        }
    }

    /// The work to go on with, since the last window was closed with it.
    pub fn take_next_work(&self) -> Option<WorkId> {
        self.recovery.as_ref()?.take_next()
    }

    /// The sequence number of the newest work that is offered; 0 if none is.
    pub fn newest_work(&self) -> u64 {
        let offered = self.works().iter().filter(|work| work.place == WorkPlace::Offered);
        offered.map(|work| work.summary.sequence).max().unwrap_or(0)
    }

    /// Offers work of earlier runs only in the list, unless some is newer than this.
    pub fn offer_newer_than(&mut self, sequence: u64) {
        if self.attention == Attention::Earlier && self.newest_work() <= sequence {
            self.attention = Attention::None;
        }
    }

    /// Looks for work that other runs have left meanwhile, and in the trash. Returns a message on each file that could
    /// not be read.
    pub fn refresh_works(&mut self) -> Vec<String> {
        self.recovery.as_mut().map(|recovery| recovery.refresh()).unwrap_or_default()
    }

    /// Does what the artist asks for, except to restore work.
    pub fn change_works(&mut self, command: WorkCommand) -> io::Result<()> {
        // Whatever the artist does with unsaved work, the notice has served its purpose.
        let attention = std::mem::replace(&mut self.attention, Attention::None);
        let Some(recovery) = &mut self.recovery else { return Ok(()) };
        match command {
            WorkCommand::List | WorkCommand::Restore(_) | WorkCommand::Later => Ok(()),
            WorkCommand::TrashAll => {
                let offered = recovery.works().iter().filter(|work| work.place == WorkPlace::Offered);
                // No more than the trash holds, the oldest first, so that none of them is deleted.
                let offered: Vec<WorkId> = offered.map(|work| work.id).take(RecoveryFolder::TRASH_WORKS).collect();
                let trashed = offered.iter().rev().try_for_each(|&id| recovery.trash(id));
                self.attention = Attention::Trashed(offered);
                trashed
            }
            WorkCommand::PutBackAll => match attention {
                Attention::Trashed(ids) => {
                    self.attention = Attention::Earlier;
                    ids.into_iter().try_for_each(|id| recovery.put_back(id))
                }
                Attention::None | Attention::Earlier | Attention::SetAside(_) => Ok(()),
            },
            WorkCommand::Trash(id) => recovery.trash(id),
            WorkCommand::PutBack(id) => recovery.put_back(id),
            WorkCommand::Delete(id) => recovery.delete(id),
            WorkCommand::EmptyTrash => recovery.empty_trash(),
        }
    }

    pub(super) fn work_hint(&self) -> Option<WorkHint> {
        match &self.attention {
            Attention::None => None,
            Attention::SetAside(name) => Some(WorkHint::SetAside(name.clone())),
            Attention::Trashed(ids) => Some(WorkHint::Trashed(ids.len())),
            Attention::Earlier => {
                self.works().iter().any(|work| work.place == WorkPlace::Offered).then_some(WorkHint::Earlier)
            }
        }
    }

    /// Whether unsaved work is about to be written whose picture is not of the present edits.
    pub fn wants_picture(&self, now: Instant) -> bool {
        self.recovery.is_some()
            && self.autosave.is_due(now)
            && self.picture.as_ref().is_none_or(|(_, shown)| !shown.is_in(&self.session))
            && self.is_unsaved()
    }

    /// Takes a picture of the work as it is now, for the list.
    pub fn set_picture(&mut self, picture: &RgbaImage) {
        let picture = WorkPicture::encode(picture).map(|picture| (picture, Snapshot::take(&self.session)));
        self.picture = picture.or(self.picture.take());
    }
}
