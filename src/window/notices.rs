//! Messages to the artist: one is shown over the picture until it is dismissed. Messages about files that are opened
//! together are collected, and shown as one when the last file is open. What was done as asked is a status text in the
//! top row, which goes by itself.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::jobs::Ended;
use smirk_ui::Notice;

#[derive(Debug, Default)]
pub(super) struct Notices {
    shown: Option<Notice>,
    pending: Vec<Message>,
    /// What was done last, and until when it is shown.
    status: Option<(String, Instant)>,
    problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Message {
    pub title: String,
    pub text: String,
    pub is_failure: bool,
}

impl Message {
    fn into_notice(self) -> Notice {
        let Self { title, text: message, is_failure } = self;
        if is_failure { Notice::Failure { title, message } } else { Notice::Info { title, message } }
    }
}

impl Notices {
    pub(super) fn shown(&self) -> Option<&Notice> {
        self.shown.as_ref()
    }

    pub(super) fn fail(&mut self, title: &str, message: String) {
        self.shown = Some(Notice::Failure { title: title.to_owned(), message });
    }

    /// Shows that the picture is wrong, unless a failure is shown already: one graphics error causes others, and the
    /// first names the cause.
    pub(super) fn fail_to_draw(&mut self, error: &impl ToString) {
        if !matches!(self.shown, Some(Notice::Failure { .. })) {
            self.fail("Rendering failed", error.to_string());
        }
    }

    pub(super) fn inform(&mut self, title: &str, message: String) {
        self.shown = Some(Notice::Info { title: title.to_owned(), message });
    }

    /// Shows a message about a job that has ended. A failure or a question that is shown is not replaced:
    /// the message waits until it is dismissed.
    pub(super) fn report(&mut self, message: Message) {
        if matches!(self.shown, Some(Notice::Failure { .. } | Notice::MatchShapes { .. })) {
            self.add(message);
        } else {
            self.shown = Some(message.into_notice());
        }
    }

    /// Shows what was done, from `now` on and long enough to be read.
    pub(super) fn show_status(&mut self, text: String, now: Instant) {
        const LEAST: Duration = Duration::from_secs(4);
        const PER_LETTER: Duration = Duration::from_millis(60);
        const MOST: Duration = Duration::from_secs(15);
        let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let shown = PER_LETTER.saturating_mul(letters).saturating_add(LEAST).min(MOST);
        self.status = Some((text, now + shown));
    }

    /// Shows what is wrong, until [`Self::clear_problem`].
    pub(super) fn set_problem(&mut self, text: String) {
        (self.status, self.problem) = (None, Some(text));
    }

    pub(super) fn clear_problem(&mut self) {
        self.problem = None;
    }

    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Reports that a job has saved something to a file, or why it has not. `what` begins a sentence,
    /// `the_what` is in the middle of one.
    pub(super) fn report_saved(&mut self, what: &str, the_what: &str, ended: anyhow::Result<PathBuf>, now: Instant) {
        match ended {
            Ok(path) => self.show_status(format!("{what} saved to {}", path.display()), now),
            Err(error) => {
                let (title, text) = (format!("Cannot save {the_what}"), error.to_string());
                self.report(Message { title, text, is_failure: true });
            }
        }
    }

    /// Reports that an export has ended: where its files are and what they lack, or why there are none.
    pub(super) fn report_exported(&mut self, ended: Ended, now: Instant) {
        let Ended { kind, path, outcome } = ended;
        match outcome {
            Ok(losses) => {
                self.show_status(format!("{} saved to {}", kind.label(), path.display()), now);
                if !losses.is_empty() {
                    let title = format!("{} saved, with losses", kind.label());
                    self.report(Message { title, text: losses.join(" "), is_failure: false });
                }
            }
            Err(error) => {
                let (title, text) = (format!("Cannot export {}", kind.in_sentence()), error.to_string());
                self.report(Message { title, text, is_failure: true });
            }
        }
    }

    pub(super) fn status(&self, now: Instant) -> Option<&str> {
        self.status.as_ref().filter(|(_, until)| now < *until).map(|(text, _)| text.as_str())
    }

    pub(super) fn status_ends_in(&self, now: Instant) -> Option<Duration> {
        self.status.as_ref().and_then(|(_, until)| until.checked_duration_since(now)).filter(|left| !left.is_zero())
    }

    pub(super) fn ask_for_matching(&mut self, files: Vec<PathBuf>) {
        if !files.is_empty() {
            self.shown = Some(Notice::MatchShapes { files });
        }
    }

    /// Hides the notice that is shown. False if there is none.
    pub(super) fn dismiss(&mut self) -> bool {
        self.shown.take().is_some()
    }

    /// Hides what was said about something that is undone.
    pub(super) fn dismiss_information(&mut self) {
        self.shown.take_if(|shown| matches!(shown, Notice::Info { .. }));
    }

    /// Adds a message about a file, which waits until the last file is open.
    pub(super) fn add(&mut self, message: Message) {
        self.pending.push(message);
    }

    pub(super) fn add_failure(&mut self, title: String, text: String) {
        self.add(Message { title, text, is_failure: true });
    }

    /// Adds a message about a file that needs no action.
    pub(super) fn add_information(&mut self, title: String, text: String) {
        self.add(Message { title, text, is_failure: false });
    }

    /// Shows the messages that wait, unless another notice is still shown.
    pub(super) fn show_pending(&mut self) {
        if self.shown.is_none() && !self.pending.is_empty() {
            self.shown = Some(merged(std::mem::take(&mut self.pending)).into_notice());
        }
    }
}

fn merged(mut messages: Vec<Message>) -> Message {
    if messages.len() == 1 {
        return messages.remove(0);
    }
    let lines: Vec<String> = messages.iter().map(|message| format!("{}. {}", message.title, message.text)).collect();
    Message {
        title: format!("{} messages about these files", messages.len()),
        text: lines.join("\n"),
        is_failure: messages.iter().any(|message| message.is_failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_messages_wait_for_the_notice_that_is_shown_and_are_shown_as_one() {
        let mut notices = Notices::default();
        notices.inform("Contact sheet saved", "sheet.png".into());
        notices.add_information("On a".into(), "More.".into());
        notices.add_failure("On b".into(), "Less.".into());
        notices.show_pending();
        assert!(matches!(notices.shown(), Some(Notice::Info { message, .. }) if message == "sheet.png"));
        assert!(notices.dismiss());
        notices.show_pending();
        assert!(
            matches!(notices.shown(), Some(Notice::Failure { message, .. }) if message == "On a. More.\nOn b. Less."),
            "{notices:?}"
        );
        notices.dismiss();
        notices.show_pending();
        assert_eq!(notices.shown(), None, "they are shown once");
        notices.fail("On b", "Less.".into());
        notices.dismiss_information();
        assert!(notices.shown().is_some() && notices.dismiss(), "a failure stays");
        notices.add_information("On c".into(), "More.".into());
        notices.show_pending();
        let alone = Notice::Info { title: "On c".into(), message: "More.".into() };
        assert_eq!(notices.shown(), Some(&alone), "a single message is shown as it is");
        notices.dismiss_information();
        assert_eq!(notices.shown(), None);
    }

    #[test]
    fn a_contact_sheet_that_fails_does_not_hide_another_failure() {
        let mut notices = Notices::default();
        let failed = || Message { title: "Cannot save".into(), text: "a.png".into(), is_failure: true };
        notices.fail("x.glb did not open", "It is empty.".into());
        notices.report(failed());
        assert!(matches!(notices.shown(), Some(Notice::Failure { message, .. }) if message == "It is empty."));
        notices.dismiss();
        notices.show_pending();
        let expected = Notice::Failure { title: "Cannot save".into(), message: "a.png".into() };
        assert_eq!(notices.shown(), Some(&expected));
        notices.dismiss();
        notices.report(Message { text: "b.png".into(), ..failed() });
        assert!(matches!(notices.shown(), Some(Notice::Failure { message, .. }) if message == "b.png"));
    }

    #[test]
    fn a_status_text_goes_by_itself_beside_notices_that_stay() {
        let (mut notices, start) = (Notices::default(), Instant::now());
        notices.fail("x.glb did not open", "It is empty.".into());
        notices.show_status("Contact sheet saved to a.png".into(), start);
        let left = notices.status_ends_in(start).unwrap();
        assert!((Duration::from_secs(4)..Duration::from_secs(10)).contains(&left), "{left:?}");
        assert_eq!(notices.status(start + left / 2), Some("Contact sheet saved to a.png"));
        assert_eq!((notices.status(start + left), notices.status_ends_in(start + left)), (None, None));
        assert!(matches!(notices.shown(), Some(Notice::Failure { .. })));
        notices.show_status("Saved".into(), start);
        notices.set_problem("x.glb is broken".into());
        assert_eq!((notices.status(start), notices.problem()), (None, Some("x.glb is broken")), "the latest is shown");
        notices.show_status("Saved".into(), start);
        assert_eq!((notices.status(start), notices.problem()), (Some("Saved"), Some("x.glb is broken")));
        notices.clear_problem();
        assert_eq!(notices.problem(), None);
        notices.show_status("x".repeat(10_000), start);
        assert_eq!(notices.status_ends_in(start), Some(Duration::from_secs(15)));
    }

    #[test]
    fn the_first_drawing_error_stays() {
        let mut notices = Notices::default();
        notices.fail_to_draw(&"the memory is full");
        notices.fail_to_draw(&"a buffer is invalid");
        assert!(matches!(notices.shown(), Some(Notice::Failure { message, .. }) if message == "the memory is full"));
    }
}
