//! Where a file's bytes are: in its binary chunk, in `data:` URIs, or in files beside it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::document::Document;
use crate::import::sidecar::locate;
pub use crate::import::sidecar::{fetch, is_data};
use crate::import::{Fault, MAX_FILE_BYTES};

/// The extensions that pack views. The newer one has the older one's words.
pub const PACKINGS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// All buffers of a file, each at least as long as it says; those that only stand in for packed views are left empty.
pub struct Buffers<'a> {
    bin: &'a [u8],
    /// What was fetched: a file that several buffers name is here once.
    fetched: Vec<Vec<u8>>,
    places: Vec<Place>,
}

/// Where a buffer's bytes are.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Bin,
    Fetched(usize),
}

impl<'a> Buffers<'a> {
    /// Fetches all that are not in `bin`.
    pub fn load(document: &Document, bin: Option<&'a [u8]>, folder: Option<&Path>) -> Result<Self, Fault> {
        let mut buffers = Self { bin: bin.unwrap_or_default(), fetched: Vec::new(), places: Vec::new() };
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        let mut bytes_left = MAX_FILE_BYTES;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let object = format!("buffer {index}");
            let place = match &buffer.uri {
                _ if is_fallback(buffer) => Place::Nowhere,
                Some(uri) => {
                    let source = if is_data(uri) { PathBuf::from(uri) } else { locate(uri, folder, &object)? };
                    let fetched = match known.get(&source) {
                        Some(&fetched) => fetched,
                        None => {
                            let data = fetch(uri, folder, bytes_left, &object)?;
                            bytes_left = bytes_left.saturating_sub(data.len() as u64);
                            buffers.fetched.push(data);
                            known.insert(source, buffers.fetched.len() - 1);
                            buffers.fetched.len() - 1
                        }
                    };
                    Place::Fetched(fetched)
                }
                None if index == 0 && bin.is_some() => Place::Bin,
                None => return Err(Fault::invalid(object, "has neither a URI nor a binary chunk to be in")),
            };
            buffers.places.push(place);
            let there = buffers.get(index).map_or(0, <[u8]>::len) as u64;
            if !matches!(place, Place::Nowhere) && there < buffer.byte_length.0 {
                return Err(Fault::invalid(
                    object,
                    format!("says {} bytes, there are {there}; it was cut off", buffer.byte_length.0),
                ));
            }
        }
        Ok(buffers)
    }

    /// A buffer's bytes; none if the file has no such buffer.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.places.get(index).map(|place| match *place {
            Place::Nowhere => &[],
            Place::Bin => self.bin,
            Place::Fetched(fetched) => &self.fetched[fetched],
        })
    }

    /// How many bytes all of them have, those of one file counted once.
    pub fn bytes(&self) -> u64 {
        (self.bin.len() + self.fetched.iter().map(Vec::len).sum::<usize>()) as u64
    }
}

/// Whether a buffer is there for programs that cannot unpack, with bytes or without: views in it are packed elsewhere.
fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let extensions = buffer.extensions.as_ref().map(|extensions| &extensions.others);
    let says_so = |name: &&str| extensions?.get(*name)?.get("fallback")?.as_bool();
    PACKINGS.iter().any(|name| says_so(name) == Some(true))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_file_that_many_buffers_name_is_fetched_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a b.bin"), b"12345678").unwrap();
        let uris = ["a b.bin", "a%20b.bin", "./a%20b.bin", "data:x/y;base64,eHl6IQ", "data:x/y;base64,eHl6IQ"];
        let list: Vec<Value> = uris.iter().map(|uri| json!({"byteLength": 3, "uri": uri})).collect();
        let Value::Object(root) = json!({"buffers": list}) else { panic!() };
        let document = Document::from_value(root).unwrap();
        let buffers = Buffers::load(&document, None, Some(folder.path())).unwrap();
        assert_eq!((buffers.bytes(), buffers.get(2), buffers.get(4)), (12, Some(&b"12345678"[..]), Some(&b"xyz!"[..])));
        assert_eq!(buffers.get(5), None);
    }
}
