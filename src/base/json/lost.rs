//! Values of a file that could not be read and were left out.

use std::fmt;
use std::ops::Range;

/// A value that was left out: where it is in the file, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostValue {
    /// Where, as `poses[3].weights.jawOpen`.
    pub place: String,
    /// The line that it begins in, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl LostValue {
    /// What follows its place in a note.
    pub fn message(&self) -> String {
        format!("{} (line {}). It was left out", self.problem, self.line)
    }
}

impl fmt::Display for LostValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}): {}", self.place, self.line, self.problem)
    }
}

/// All values that were left out of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostValues {
    /// The first of them, in the order of the file.
    pub listed: Vec<LostValue>,
    /// How many there are in all.
    pub count: usize,
}

impl LostValues {
    /// How many are described; a file of another program may have millions.
    pub(super) const MAX_LISTED: usize = 12;

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// These and those that were left out when the same text was read into another type.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        let (mut listed, mut count) = (self.listed, self.count + others.count);
        for other in others.listed {
            if listed.contains(&other) {
                count -= 1;
            } else {
                listed.push(other);
            }
        }
        listed.sort_by_key(|lost| lost.line);
        listed.truncate(Self::MAX_LISTED);
        Self { listed, count }
    }

    /// How many are not described.
    pub fn unlisted(&self) -> usize {
        self.count - self.listed.len()
    }
}

/// A value that does not fit, while the file is examined.
#[derive(Debug)]
pub(super) struct Misfit {
    /// Its bytes.
    pub range: Range<u32>,
    /// Where it is and what is wrong. None if many were described already.
    pub words: Option<(String, String)>,
}

/// The values that were left out. Where one was left out because of a value inside it, the inner one is the problem.
pub(super) fn outermost(text: &str, mut misfits: Vec<Misfit>) -> LostValues {
    misfits.sort_by_key(|misfit| (misfit.range.start, std::cmp::Reverse(misfit.range.end)));
    let mut lost = LostValues::default();
    let (mut end, mut is_listed, mut has_cause) = (0, false, false);
    let (mut line, mut counted_to) = (1, 0);
    for Misfit { range, words } in misfits {
        if range.start < end {
            if let (Some(outer), Some((place, problem)), false) = (lost.listed.last_mut(), words, has_cause)
                && is_listed
            {
                let part = place.strip_prefix(outer.place.as_str()).unwrap_or(&place);
                outer.problem = format!("{}: {problem}", part.trim_start_matches('.'));
                has_cause = true;
            }
            continue;
        }
        (end, has_cause) = (range.end, false);
        lost.count += 1;
        let words = words.filter(|_| lost.listed.len() < LostValues::MAX_LISTED);
        is_listed = words.is_some();
        if let Some((place, problem)) = words {
            let start = range.start as usize;
            line += text.as_bytes()[counted_to..start].iter().filter(|&&byte| byte == b'\n').count();
            counted_to = start;
            lost.listed.push(LostValue { place, line, problem });
        }
    }
    lost
}
