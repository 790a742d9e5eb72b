//! The search for fonts with letters that the window's own fonts lack.

use std::collections::BTreeSet;

use smirk_base::job::{Job, OnDrop};
use smirk_export::fonts::{FallbackFonts, FoundFonts, package_for, search};

/// Searches the fonts of the system, on a thread beside the window, when a text could not be drawn.
#[derive(Default)]
pub(crate) struct FontSearch {
    fonts: FallbackFonts,
    job: Option<Job<FoundFonts>>,
    has_reported: bool,
}

impl FontSearch {
    /// Has egui say which letters it cannot draw.
    pub(crate) fn install(&self, context: &egui::Context) {
        self.fonts.install(context);
    }

    /// Starts a search if the last frame held letters that could not be drawn.
    pub(crate) fn start(&mut self, notify: impl Fn() + Send + 'static) {
        let wanted = self.fonts.wanted();
        if self.job.is_none() && !wanted.is_empty() {
            self.job = Some(Job::spawn("font search", OnDrop::Detach, notify, move |_| search(&wanted)));
        }
    }

    /// Gives the fonts that were found to egui. Returns a message the first time that letters cannot be drawn.
    pub(crate) fn take(&mut self, context: &egui::Context) -> Option<String> {
        let result = self.job.as_mut()?.poll()?;
        self.job = None;
        // A search that failed is not repeated.
        let found = result.unwrap_or_else(|_| FoundFonts { missing: self.fonts.wanted(), ..FoundFonts::default() });
        let (has_found, message) = (!found.fonts.is_empty(), message(&found.missing));
        self.fonts.add(found);
        if has_found {
            self.fonts.install(context);
        }
        message.filter(|_| !std::mem::replace(&mut self.has_reported, true))
    }

    /// Whether names that are shown as boxes may still get a font.
    pub(crate) fn is_busy(&self) -> bool {
        self.job.is_some() || !self.fonts.wanted().is_empty()
    }
}

fn message(missing: &BTreeSet<char>) -> Option<String> {
    const NAMED: usize = 8;
    let first = *missing.first()?;
    let letters: String = missing.iter().take(NAMED).collect();
    let more = if missing.len() > NAMED { " and others" } else { "" };
    let package = if cfg!(target_os = "linux") {
        format!(" (on Debian and Ubuntu, the package {})", package_for(first))
    } else {
        String::new()
    };
    Some(format!(
        "No font on this system has {letters}{more}, so names show a box for each. Install a font for them{package} and \
         start Smirk again. The names themselves are kept as they are."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_letters_and_what_to_install() {
        let text = message(&"口を開ける笑い目鼻".chars().collect()).unwrap();
        assert!(text.contains("and others") && text.contains("Install a font"), "{text}");
        assert_eq!(text.contains("fonts-noto-cjk"), cfg!(target_os = "linux"));
        assert_eq!(message(&BTreeSet::new()), None);
    }
}
