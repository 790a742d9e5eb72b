//! What is read, for the errors of files that are something else.

/// What to do when a file is none of these.
pub(super) const EXPECTED: &str = "Smirk reads label files of Audacity and TextGrid files of Praat, saved as text";
