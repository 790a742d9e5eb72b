//! The heads that are benchmarked.

use std::fmt;

use smirk_editor::bench;
use smirk_face::head::Head;
use smirk_files::import;

/// A head, by name.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// The head that is part of the program.
    Bundled,
    /// The same head with 500 channels, most of which are inactive and must cost nothing.
    FiveHundred,
}

impl Subject {
    /// All subjects of the benchmarks.
    pub const ALL: [Self; 2] = [Self::Bundled, Self::FiveHundred];

    /// Reads the head or creates it.
    pub fn head(self) -> Head {
        let bundled = import::embedded().expect("the head inside the program");
        match self {
            Self::Bundled => bundled,
            Self::FiveHundred => bench::enlarge(bundled, 1, 500).expect("a head of 500 channels"),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bundled => "bundled head",
            Self::FiveHundred => "500 channels",
        })
    }
}
