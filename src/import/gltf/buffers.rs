//! Where a file's bytes are: in its binary chunk, in `data:` URIs, or in files beside it.

use std::borrow::Cow;
use std::path::Path;

pub use super::super::beside::fetch;
use super::super::{Fault, MAX_FILE_BYTES};
use super::document::Document;

/// All buffers of a file, each at least as long as it says.
pub fn load<'a>(
    document: &Document,
    bin: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Vec<Cow<'a, [u8]>>, Fault> {
    let mut bytes_left = MAX_FILE_BYTES;
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let object = format!("buffer {index}");
        let data = match (&buffer.uri, bin) {
            (Some(uri), _) => {
                let data = fetch(uri, folder, bytes_left, &object)?;
                bytes_left = bytes_left.saturating_sub(data.len() as u64);
                Cow::Owned(data)
            }
            (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
            (None, _) => return Err(Fault::invalid(object, "has neither a URI nor a binary chunk to be in")),
        };
        if (data.len() as u64) < buffer.byte_length.0 {
            return Err(Fault::invalid(
                object,
                format!("says {} bytes, there are {}; it was cut off", buffer.byte_length.0, data.len()),
            ));
        }
        buffers.push(data);
    }
    Ok(buffers)
}
