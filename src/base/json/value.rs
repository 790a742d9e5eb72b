//! A value of the text, and the problems that are recorded about it.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use super::fault::Fault;
use super::reader::{Place, Reader, shortened};

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
