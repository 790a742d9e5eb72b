//! One pass over the text of a file: what was found in earlier passes, what this one finds, and how much memory it has used.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;

use super::fault::Fault;
use super::lost::Misfit;

/// How many misfits are described in words.
const MAX_DESCRIBED: usize = 1000;

/// What a pass knows and finds.
pub(super) struct Reader<'t> {
    /// The text: one valid JSON value.
    pub text: &'t str,
    /// Where the values begin that are left out, in ascending order.
    pub left_out: Vec<u32>,
    /// Fields without which a type cannot be made: the name of the type, and that of the field.
    pub required: Vec<(&'static str, &'static str)>,
    /// The values that were found not to fit in this pass.
    pub found: RefCell<Vec<Misfit>>,
    /// How many bytes of memory the content may take.
    pub max_bytes: usize,
    /// About how many bytes it takes so far.
    pub used_bytes: Cell<usize>,
}

impl<'t> Reader<'t> {
    /// Whether the value that begins at `start` is left out.
    pub(super) fn leaves_out(&self, start: usize) -> bool {
        !self.left_out.is_empty() && u32::try_from(start).is_ok_and(|start| self.left_out.binary_search(&start).is_ok())
    }

    /// Records a value that does not fit. `problem` follows its place.
    pub(super) fn misfit(
        &self,
        range: &Range<usize>,
        place: &Place<'_>,
        problem: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        self.charge(size_of::<Misfit>() * 2)?;
        let mut found = self.found.borrow_mut();
        let words = (found.len() < MAX_DESCRIBED).then(|| (place.to_string(), problem()));
        found.push(Misfit { range: range.start as u32..range.end as u32, words });
        Ok(())
    }

    /// Counts memory that the content takes.
    pub(super) fn charge(&self, bytes: usize) -> Result<(), Fault> {
        let used = self.used_bytes.get().saturating_add(bytes);
        self.used_bytes.set(used);
        if used > self.max_bytes { Err(Fault::TooLarge) } else { Ok(()) }
    }

    /// The content of the string whose range includes its quotation marks. None if it contains half of a UTF-16 pair.
    pub(super) fn string(&self, range: &Range<usize>) -> Option<Cow<'t, str>> {
        let inner = self.text.get(range.start + 1..range.end.checked_sub(1)?)?;
        if inner.contains('\\') {
            serde_json::from_str(&self.text[range.clone()]).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(inner))
        }
    }

    /// The beginning of a value, for messages.
    pub(super) fn excerpt(&self, range: &Range<usize>) -> String {
        shortened(&self.text[range.clone()], 40)
    }
}

/// Where a value is: the members and elements that lead to it.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Root,
    Member(&'p Place<'p>, &'p str),
    Element(&'p Place<'p>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Element(list, index) => write!(f, "{list}[{index}]"),
            Self::Member(object, name) => {
                let name = shortened(name, 60);
                match object {
                    Self::Root => f.write_str(&name),
                    object => write!(f, "{object}.{name}"),
                }
            }
        }
    }
}

/// The beginning of a text, on one line.
pub(super) fn shortened(text: &str, length: usize) -> String {
    let mut line: String = text.chars().take(length).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(length).is_some() {
        line.push('…');
    }
    line
}
