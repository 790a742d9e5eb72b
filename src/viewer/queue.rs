//! Files that are opened one after the other, and what there is to say of them: all of it, once the last is in.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::readout::Loading;

/// What happens next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// This file is opened.
    Open(PathBuf),
    /// This is said.
    Say(Loading),
}

/// Files still to be opened.
#[derive(Debug, Default)]
pub(super) struct Queue {
    files: VecDeque<PathBuf>,
    /// Title and message.
    said: Vec<(String, String)>,
    /// Whether any of it is a mishap.
    has_failed: bool,
}

impl Queue {
    pub(super) fn new(files: &[PathBuf]) -> Self {
        Self { files: files.iter().cloned().collect(), ..Self::default() }
    }

    /// Whether no file waits.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn push(&mut self, file: PathBuf) {
        self.files.push_back(file);
    }

    /// The files that wait are not opened after all. What there is to say stays.
    pub(super) fn clear(&mut self) {
        self.files.clear();
    }

    /// Has something said that is no mishap.
    pub(super) fn mention(&mut self, title: String, message: String) {
        self.said.push((title, message));
    }

    /// Has a mishap told.
    pub(super) fn tell(&mut self, title: String, message: String) {
        self.said.push((title, message));
        self.has_failed = true;
    }

    /// Whose turn it is. A failure is read before the next file may take its place, and so is what is being said before
    /// anything else is.
    pub(super) fn next(&mut self, loading: &Loading, is_saying: bool) -> Option<Turn> {
        if *loading != Loading::Idle {
            return None;
        }
        match self.files.pop_front() {
            Some(file) => Some(Turn::Open(file)),
            None if is_saying || self.said.is_empty() => None,
            None => Some(Turn::Say(self.take_said())),
        }
    }

    fn take_said(&mut self) -> Loading {
        let mut said = std::mem::take(&mut self.said);
        let (title, message) = match said.len() {
            1 => said.remove(0),
            count => {
                let lines: Vec<String> =
                    said.into_iter().map(|(title, message)| format!("{title}. {message}")).collect();
                (format!("{count} things about these files"), lines.join("\n"))
            }
        };
        match std::mem::take(&mut self.has_failed) {
            true => Loading::Failed { title, message },
            false => Loading::Told { title, message },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(queue: &mut Queue, title: &str) {
        queue.mention(title.into(), "More.".into());
    }

    #[test]
    fn what_is_said_of_several_files_is_said_together_when_the_last_is_in() {
        let mut queue = Queue::new(&["a".into(), "b".into()]);
        assert_eq!(queue.next(&Loading::Idle, false), Some(Turn::Open("a".into())));
        mention(&mut queue, "On a");
        assert_eq!(queue.next(&Loading::Idle, false), Some(Turn::Open("b".into())));
        let failed = Loading::Failed { title: "b did not open".into(), message: String::new() };
        assert_eq!(queue.next(&failed, false), None, "read first");
        queue.tell("On b".into(), "Less.".into());
        assert_eq!(queue.next(&Loading::Idle, true), None, "after what is being said");
        let Some(Turn::Say(Loading::Failed { message, .. })) = queue.next(&Loading::Idle, false) else {
            panic!("nothing is said");
        };
        assert_eq!(message, "On a. More.\nOn b. Less.");
        assert_eq!(queue.next(&Loading::Idle, false), None, "once");
        mention(&mut queue, "On c");
        let alone = Loading::Told { title: "On c".into(), message: "More.".into() };
        assert_eq!(queue.next(&Loading::Idle, false), Some(Turn::Say(alone)), "and alone in its own words");
    }

    #[test]
    fn files_that_are_given_up_take_nothing_with_them_that_was_to_be_said() {
        let mut queue = Queue::new(&["a".into()]);
        mention(&mut queue, "On another");
        queue.clear();
        assert!(matches!(queue.next(&Loading::Idle, false), Some(Turn::Say(_))));
    }
}
