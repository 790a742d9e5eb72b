//! Files that are opened one after the other, and what there is to say of them: all of it, once the last is in.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::document::Notice;
use crate::file_kind;

/// What happens next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// This file is opened.
    Open(PathBuf),
    /// These are opened together: separate meshes of one head.
    OpenSet(Vec<PathBuf>),
    /// This is said.
    Say(Notice),
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

    /// Has one or the other said.
    pub(super) fn say(&mut self, said: Notice) {
        match said {
            Notice::Told { title, message } => self.mention(title, message),
            Notice::Failed { title, message } => self.tell(title, message),
            _ => {}
        }
    }

    /// Whose turn it is. A failure is read before the next file may take its place, and so is what is being said before
    /// anything else is.
    pub(super) fn next(&mut self, loading: &Notice, is_saying: bool) -> Option<Turn> {
        if *loading != Notice::Idle {
            return None;
        }
        match self.files.pop_front() {
            Some(file) if is_separate_mesh(&file) && self.files.iter().any(|other| is_separate_mesh(other)) => {
                let (others, rest): (Vec<_>, Vec<_>) = self.files.drain(..).partition(|file| is_separate_mesh(file));
                self.files = rest.into();
                Some(Turn::OpenSet([vec![file], others].concat()))
            }
            Some(file) => Some(Turn::Open(file)),
            None if is_saying || self.said.is_empty() => None,
            None => Some(Turn::Say(self.take_said())),
        }
    }

    fn take_said(&mut self) -> Notice {
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
            true => Notice::Failed { title, message },
            false => Notice::Told { title, message },
        }
    }
}

/// OBJ holds a mesh and no shapes of it.
fn is_separate_mesh(file: &Path) -> bool {
    file_kind::OBJ.matches(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_meshes_are_opened_together() {
        let mut queue = Queue::new(&["a.obj".into(), "poses.json".into(), "b.OBJ".into()]);
        let turns = [(); 3].map(|()| queue.next(&Notice::Idle, false));
        let together = Turn::OpenSet(vec!["a.obj".into(), "b.OBJ".into()]);
        assert_eq!(turns, [Some(together), Some(Turn::Open("poses.json".into())), None]);
        let alone = Queue::new(&["a.obj".into()]).next(&Notice::Idle, false);
        assert_eq!(alone, Some(Turn::Open("a.obj".into())));
    }

    fn mention(queue: &mut Queue, title: &str) {
        queue.mention(title.into(), "More.".into());
    }

    #[test]
    fn what_is_said_of_several_files_is_said_together_when_the_last_is_in() {
        let mut queue = Queue::new(&["a".into(), "b".into()]);
        assert_eq!(queue.next(&Notice::Idle, false), Some(Turn::Open("a".into())));
        mention(&mut queue, "On a");
        assert_eq!(queue.next(&Notice::Idle, false), Some(Turn::Open("b".into())));
        let failed = Notice::Failed { title: "b did not open".into(), message: String::new() };
        assert_eq!(queue.next(&failed, false), None, "read first");
        queue.tell("On b".into(), "Less.".into());
        assert_eq!(queue.next(&Notice::Idle, true), None, "after what is being said");
        let Some(Turn::Say(Notice::Failed { message, .. })) = queue.next(&Notice::Idle, false) else {
            panic!("nothing is said");
        };
        assert_eq!(message, "On a. More.\nOn b. Less.");
        assert_eq!(queue.next(&Notice::Idle, false), None, "once");
        mention(&mut queue, "On c");
        let alone = Notice::Told { title: "On c".into(), message: "More.".into() };
        assert_eq!(queue.next(&Notice::Idle, false), Some(Turn::Say(alone)), "and alone in its own words");
    }

    #[test]
    fn files_that_are_given_up_take_nothing_with_them_that_was_to_be_said() {
        let mut queue = Queue::new(&["a".into()]);
        mention(&mut queue, "On another");
        queue.clear();
        assert!(matches!(queue.next(&Notice::Idle, false), Some(Turn::Say(_))));
    }
}
