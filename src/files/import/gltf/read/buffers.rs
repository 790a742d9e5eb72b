//! Buffers (glTF 2.0 §3.6.1): the bytes of the binary chunk, of `data:` URIs, or of files next to the model.

use std::collections::HashMap;
use std::path::PathBuf;

use super::document::GltfDocument;
use crate::import::sidecar::{ModelFolder, locate};
pub(crate) use crate::import::sidecar::{fetch, is_data};
use crate::import::{Fault, Import, MAX_FILE_BYTES, Problem};
use smirk_face::head::{Kind, Subject};

/// The extensions that compress buffer views. Their properties are the same.
pub(super) const COMPRESSION_EXTENSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// All buffers of a file, each at least as long as its byteLength. Fallback buffers are empty. Files may have buffers
/// that nothing uses, so that one which cannot be loaded is an error where it is used.
pub(crate) struct Buffers<'a> {
    bin: &'a [u8],
    /// Bytes of files and `data:` URIs; those that several buffers name are here once.
    fetched: Vec<Vec<u8>>,
    locations: Vec<BufferLocation>,
}

enum BufferLocation {
    Fallback,
    BinaryChunk,
    /// Index into [`Buffers::fetched`].
    Fetched(usize),
    Missing(Problem),
}

#[derive(PartialEq, Eq, Hash)]
enum BufferSource<'a> {
    Data(&'a str),
    File(PathBuf),
}

impl<'a> Buffers<'a> {
    /// Loads the buffers that are not in `bin`, the binary chunk.
    pub(crate) fn load(
        document: &GltfDocument,
        bin: Option<&'a [u8]>,
        folder: Option<&ModelFolder>,
        import: &mut Import<'_>,
    ) -> Result<Self, Fault> {
        let mut buffers = Self { bin: bin.unwrap_or_default(), fetched: Vec::new(), locations: Vec::new() };
        let mut known: HashMap<BufferSource<'_>, usize> = HashMap::new();
        import.begin("reading buffers", 0.1);
        let mut bytes_left = MAX_FILE_BYTES;
        for (index, buffer) in document.buffers.iter().enumerate() {
            import.tick()?;
            let location = match &buffer.uri {
                _ if is_fallback(buffer) => Ok(BufferLocation::Fallback),
                Some(uri) => buffers.fetch(uri, index, &mut known, folder, &mut bytes_left),
                None if index == 0 && bin.is_some() => Ok(BufferLocation::BinaryChunk),
                None => Err(Fault::invalid(subject(index), "has neither a URI nor a binary chunk to be in")),
            };
            let location = location.or_else(|fault| match fault {
                Fault::Invalid { problem, .. } => Ok(BufferLocation::Missing(problem)),
                fault => Err(fault),
            })?;
            buffers.locations.push(location);
            let available = buffers.get(index).map_or(0, <[u8]>::len) as u64;
            if let (Some(location), false) = (buffers.locations.last_mut(), available >= buffer.byte_length.0)
                && matches!(location, BufferLocation::BinaryChunk | BufferLocation::Fetched(_))
            {
                let problem = Problem::new(format!("says {} bytes, there are {available}", buffer.byte_length.0));
                *location = BufferLocation::Missing(problem.advise("it was cut off"));
            }
        }
        Ok(buffers)
    }

    /// Loads the bytes of a URI, unless another buffer has them already.
    fn fetch<'d>(
        &mut self,
        uri: &'d str,
        index: usize,
        known: &mut HashMap<BufferSource<'d>, usize>,
        folder: Option<&ModelFolder>,
        bytes_left: &mut u64,
    ) -> Result<BufferLocation, Fault> {
        let source = match is_data(uri) {
            true => BufferSource::Data(uri),
            false => BufferSource::File(locate(uri, folder, &subject(index))?),
        };
        if let Some(&fetched) = known.get(&source) {
            return Ok(BufferLocation::Fetched(fetched));
        }
        let data = fetch(uri, folder, *bytes_left, &subject(index))?;
        *bytes_left = bytes_left.saturating_sub(data.len() as u64);
        self.fetched.push(data);
        known.insert(source, self.fetched.len() - 1);
        Ok(BufferLocation::Fetched(self.fetched.len() - 1))
    }

    /// A buffer's bytes, or why there are none.
    pub(crate) fn get(&self, index: usize) -> Result<&[u8], Fault> {
        match self.locations.get(index) {
            Some(BufferLocation::Fallback) => Ok(&[]),
            Some(BufferLocation::BinaryChunk) => Ok(self.bin),
            Some(BufferLocation::Fetched(fetched)) => Ok(&self.fetched[*fetched]),
            Some(BufferLocation::Missing(problem)) => Err(Fault::invalid(subject(index), problem.clone())),
            None => Err(Fault::invalid(subject(index), "does not exist")),
        }
    }

    pub(crate) fn is_missing(&self, index: usize) -> bool {
        matches!(self.locations.get(index), Some(BufferLocation::Missing(_)))
    }

    /// The size of all buffers in bytes; shared bytes count once.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bin.len() + self.fetched.iter().map(Vec::len).sum::<usize>()) as u64
    }
}

fn subject(index: usize) -> Subject {
    Subject::Numbered(Kind::Buffer, index)
}

/// Whether a buffer is a fallback for programs that cannot decompress; its views have their compressed bytes elsewhere.
fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let extensions = buffer.extensions.as_ref().map(|extensions| &extensions.others);
    COMPRESSION_EXTENSIONS.iter().any(|name| {
        let fallback = extensions.and_then(|extensions| extensions.get(*name)?.get("fallback")?.as_bool());
        fallback == Some(true)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::import::budget::Budget;
    use smirk_base::progress::Progress;

    #[test]
    fn a_file_that_many_buffers_name_is_fetched_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a b.bin"), b"12345678").unwrap();
        let uris = ["a b.bin", "a%20b.bin", "./a%20b.bin", "data:x/y;base64,eHl6IQ", "data:x/y;base64,eHl6IQ"];
        let list: Vec<Value> = uris.iter().map(|uri| json!({"byteLength": 3, "uri": uri})).collect();
        let Value::Object(root) = json!({"buffers": list}) else { panic!() };
        let mut import = Import::new(Budget::for_lists(0), Progress::NONE);
        let document = GltfDocument::from_value(root, 0, &mut import).unwrap();
        let folder = ModelFolder::containing(&folder.path().join("model.gltf"));
        let buffers = Buffers::load(&document, None, Some(&folder), &mut import).unwrap();
        assert_eq!(buffers.bytes(), 12);
        assert_eq!((buffers.get(2).unwrap(), buffers.get(4).unwrap()), (&b"12345678"[..], &b"xyz!"[..]));
        assert!(buffers.get(5).is_err());
    }
}
