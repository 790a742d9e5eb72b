//! One pass over the text of a file: what was found in earlier passes, what this one finds, and how much memory it has used.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::error::Fault;
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

/// A value of the text, and where it is.
#[derive(Clone)]
pub(super) struct Value<'r, 't> {
    pub reader: &'r Reader<'t>,
    pub place: &'r Place<'r>,
    pub range: Range<usize>,
}

impl<'t> Value<'_, 't> {
    pub(super) fn text(&self) -> &'t str {
        &self.reader.text[self.range.clone()]
    }

    pub(super) fn begins_with(&self, byte: u8) -> bool {
        self.text().as_bytes().first() == Some(&byte)
    }

    /// Records that the value is not what its type wants.
    pub(super) fn is_not(&self, wanted: &str) -> Result<(), Fault> {
        self.misfit(|| format!("{} is not {wanted}", self.reader.excerpt(&self.range)))
    }

    pub(super) fn misfit(&self, problem: impl FnOnce() -> String) -> Result<(), Fault> {
        self.reader.misfit(&self.range, self.place, problem)
    }

    /// Gives the position to an error of the type itself.
    pub(super) fn located<T>(&self, outcome: Result<T, Fault>) -> Result<T, Fault> {
        outcome.map_err(|fault| match fault {
            Fault::Other(problem) => {
                // An error here means that the memory is used up, which the caller notices too.
                let refused = self.misfit(|| shortened(&problem, 120));
                refused.err().unwrap_or(Fault::Refused)
            }
            fault => fault,
        })
    }

    pub(super) fn number<T: FromStr + Default>(&self, is_fit: impl Fn(&T) -> bool, range: &str) -> Result<T, Fault> {
        let text = self.text();
        match text.parse() {
            Ok(number) if is_fit(&number) => return Ok(number),
            _ if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                self.is_not(&format!("a number {range}"))?
            }
            _ => self.is_not("a number")?,
        }
        Ok(T::default())
    }

    pub(super) fn string(&self) -> Result<Cow<'t, str>, Fault> {
        let text = if self.begins_with(b'"') { self.reader.string(&self.range) } else { None };
        match text {
            Some(text) => self.reader.charge(text.len() + 32).map(|()| text),
            None => self.is_not("a text").map(|()| "".into()),
        }
    }
}
