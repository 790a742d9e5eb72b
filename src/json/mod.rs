//! Reading JSON files that were damaged, edited by hand or written by other programs.
//!
//! The syntax is checked first; broken syntax is an error with line and column. Then the text is read into a type in passes. A
//! value that does not fit its type is recorded, something stands in for it, and the next pass leaves it out, as if the file did
//! not have it: a member of an object gets its default value, an element of a list is removed. Where a type cannot be made
//! without the value, the whole object is left out in the same way. The last pass finds nothing more.
//!
//! No tree of the file is made. The memory of what is read is counted, and limited in proportion to the file.

mod fault;
mod lost;
mod path_text;
mod reader;
mod scan;
mod stand_in;
mod text;
mod value;

use std::cell::{Cell, RefCell};

use serde::de::DeserializeOwned;
use thiserror::Error;

use self::fault::Fault;
pub(crate) use self::lost::{LostValue, LostValues};
use self::lost::{Misfit, outermost};
pub(crate) use self::path_text::{PathText, optional_path, path_list};
use self::reader::{Place, Reader};
use self::scan::value_at;
pub(crate) use self::text::Text;
use self::value::Value;

/// Why a file was not read at all.
#[derive(Debug, Error)]
pub(crate) enum JsonError {
    /// The syntax is broken, with line and column; or the whole is of another type.
    #[error("{0}")]
    Broken(String),
    /// What it holds would take too much memory.
    #[error("its {} MB of text would take more than {} MB of memory, the most that Smirk uses for a file of its size", megabytes(*.bytes), megabytes(memory_of(*.bytes)))]
    TooLarge {
        /// The length of the text.
        bytes: usize,
    },
}

/// How much memory the content of a file may take. What Smirk writes takes less than three times the bytes of the file.
fn memory_of(bytes: usize) -> usize {
    bytes.saturating_mul(4).saturating_add(64 << 20)
}

fn megabytes(bytes: usize) -> usize {
    bytes.div_ceil(1_000_000)
}

/// How many times reading may begin again because a type refused a value that had the right form.
const MAX_REFUSED: usize = 64;

impl Text<'_> {
    /// Reads the text into a type, and returns what had to be left out.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<(T, LostValues), JsonError> {
        let text: &str = &self.text;
        let too_large = || JsonError::TooLarge { bytes: text.len() };
        u32::try_from(text.len()).map_err(|_| too_large())?;
        let mut reader = Reader {
            text,
            left_out: Vec::new(),
            required: Vec::new(),
            found: RefCell::default(),
            max_bytes: memory_of(text.len()),
            used_bytes: Cell::new(0),
        };
        let range = value_at(text, 0);
        let mut misfits: Vec<Misfit> = Vec::new();
        let mut refused = 0;
        loop {
            reader.used_bytes.set(misfits.len() * 2 * size_of::<Misfit>());
            let outcome = T::deserialize(Value { reader: &reader, place: &Place::Root, range: range.clone() });
            let mut found = std::mem::take(&mut *reader.found.borrow_mut());
            if let Some(whole) = found.iter_mut().find(|misfit| misfit.range.start as usize == range.start) {
                let problem = whole.words.take().map_or_else(String::new, |(_, problem)| problem);
                return Err(JsonError::Broken(problem));
            }
            match outcome {
                Ok(value) if found.is_empty() => {
                    let mut lost = outermost(text, misfits);
                    lost.count += usize::from(self.damage.is_some());
                    lost.listed.splice(0..0, self.damage.clone());
                    return Ok((value, lost));
                }
                Ok(_) => leave_out(&mut reader, &mut misfits, found),
                Err(Fault::Refused) if refused < MAX_REFUSED => {
                    refused += 1;
                    leave_out(&mut reader, &mut misfits, found);
                }
                Err(Fault::Required { owner, field }) if !reader.required.contains(&(owner, field)) => {
                    reader.required.push((owner, field));
                }
                Err(Fault::TooLarge) => return Err(too_large()),
                Err(fault) => return Err(JsonError::Broken(fault.to_string())),
            }
        }
    }
}

/// Reads a file into a type, and returns what had to be left out.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, LostValues), JsonError> {
    Text::of(bytes)?.read()
}

/// Reads a file into a type; a value that does not fit is an error.
pub(crate) fn read_all<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    let (value, lost) = read(bytes)?;
    lost.listed.first().map_or(Ok(value), |lost| Err(JsonError::Broken(lost.to_string())))
}

fn leave_out(reader: &mut Reader<'_>, misfits: &mut Vec<Misfit>, found: Vec<Misfit>) {
    reader.left_out.extend(found.iter().map(|misfit| misfit.range.start));
    reader.left_out.sort_unstable();
    misfits.extend(found);
}

#[cfg(test)]
mod tests;
