//! Reading JSON files that were damaged, edited by hand or written by other programs.
//!
//! The syntax is checked first; broken syntax is an error with line and column. Then the text is read into a type in passes. A
//! value that does not fit its type is recorded, something stands in for it, and the next pass leaves it out, as if the file did
//! not have it: a member of an object gets its default value, an element of a list is removed. Where a type cannot be made
//! without the value, the whole object is left out in the same way. The last pass finds nothing more.
//!
//! No tree of the file is made. The memory of what is read is counted, and limited in proportion to the file.

mod deserializer;
mod error;
mod lost;
mod path_text;
mod reader;
mod scan;
mod stand_in;
mod text;

use serde::de::DeserializeOwned;

pub use self::error::JsonError;
pub use self::lost::{LostValue, LostValues};
pub use self::path_text::{PathText, optional_path, path_list};
pub use self::text::Text;

/// Reads a file into a type, and returns what had to be left out.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, LostValues), JsonError> {
    Text::of(bytes)?.read()
}

/// Reads a file into a type; a value that does not fit is an error.
pub fn read_all<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    let (value, lost) = read(bytes)?;
    lost.listed.first().map_or(Ok(value), |lost| Err(JsonError::Broken(lost.to_string())))
}

#[cfg(test)]
mod tests;
