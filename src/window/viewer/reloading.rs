//! Reads the head again when its files change, and replaces the one that is shown.

use std::time::Instant;

use super::Viewer;
use crate::window::hot_reload::{Busy, NextStep};
use smirk_base::date::clock_time;
use smirk_base::names::printable;
use smirk_base::watch::FilesRead;
use smirk_editor::document::{LoadRequest, Reloaded};
use smirk_editor::session::Session;
use smirk_face::head::{Head, listed};

impl Viewer {
    /// Reads the head again if its files have changed, and shows it once it is read.
    pub(super) fn follow_files(&mut self, now: Instant) {
        if !self.ui.reloads_head {
            self.hot_reload.stop();
            self.notices.clear_problem();
            return;
        }
        let session = &self.document.session;
        if !self.hot_reload.is_following(&session.head) {
            self.notices.clear_problem();
            if let Err(problem) = self.hot_reload.follow(session, now) {
                let name = session.source.name();
                let text =
                    format!("Changes of {name} are noticed when this window gets the focus, not at once: {problem}");
                self.notices.show_status(text, now);
            }
        }
        let reloads = self.jobs.loader.is_reloading();
        let busy = Busy {
            loads: (self.jobs.loader.is_busy() && !reloads)
                || !self.file_queue.is_empty()
                || self.viewport.gpu.is_lost(),
            reloads,
            interacts: self.ui.is_interacting,
        };
        match self.hot_reload.step(session, busy, now) {
            NextStep::Wait => {}
            NextStep::Read(reload) => {
                self.jobs.load(LoadRequest::Reload(reload), &self.document.session, &self.viewport.gpu)
            }
            NextStep::Show(reloaded) => self.show_reloaded(*reloaded, now),
        }
    }

    /// Reports why the head could not be read again from these files.
    pub(super) fn keep_head(&mut self, problem: &str, read: &FilesRead) {
        self.hot_reload.fail(read, Instant::now());
        let (name, time) = (self.document.session.source.name(), clock_time(self.hot_reload.read_at()));
        let line = format!("{name} is being written or broken: {problem}; the head on screen is the one from {time}");
        log::info!("{line}");
        self.notices.set_problem(line);
    }

    fn show_reloaded(&mut self, reloaded: Reloaded, now: Instant) {
        let Reloaded { head: loaded, before, changes } = reloaded;
        let head = loaded.head().clone();
        self.document.reload_head(head.clone());
        self.panels.follow_reload(&before, &head, &mut self.ui);
        self.viewport.set_head(loaded);
        self.choose_mode();
        let session = &self.document.session;
        // The files beside it may have changed. If they cannot be watched, that was reported when the head was opened.
        let _ = self.hot_reload.follow(session, now);
        self.notices.clear_problem();
        let line = format!("{} reloaded: {}", session.source.name(), changes.summary());
        log::info!("{line}");
        let mut lines = vec![line];
        lines.extend(Some(changes.details()).filter(|details| !details.is_empty()));
        let kept = kept_for(&before, session);
        if !kept.is_empty() {
            lines.push(format!("Sliders and keys are kept until the target is there again: {}", listed(&kept, 12)));
        }
        self.notices.show_status(lines.join("\n"), now);
    }
}

/// The names of channels that the head has lost, and that the artist has moved or keyed.
fn kept_for(before: &Head, session: &Session) -> Vec<String> {
    let is_gone = |name: &str| session.head.channel_named(name).is_none();
    let is_kept = |name: &str| session.edits.sliders.contains_key(name) || session.edits.has_keys_of(name);
    let gone = before.channels.iter().filter(|channel| is_gone(&channel.full_name) && is_kept(&channel.full_name));
    gone.map(|channel| printable(&channel.name).into_owned()).collect()
}
