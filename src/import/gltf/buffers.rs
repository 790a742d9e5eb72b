//! Where a file's bytes are: in its binary chunk, in `data:` URIs, or in files beside it.

use std::borrow::Cow;
use std::path::Path;

pub use super::super::beside::fetch;
use super::super::{Fault, MAX_FILE_BYTES};
use super::document::Document;

/// The extensions that pack views. The newer one has the older one's words.
pub const PACKINGS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// All buffers of a file, each at least as long as it says; those that only stand in for packed views are left empty.
pub fn load<'a>(
    document: &Document,
    bin: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Vec<Cow<'a, [u8]>>, Fault> {
    let mut bytes_left = MAX_FILE_BYTES;
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let object = format!("buffer {index}");
        if is_fallback(buffer) {
            buffers.push(Cow::Borrowed(&[][..]));
            continue;
        }
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

/// Whether a buffer is there for programs that cannot unpack, with bytes or without: views in it are packed elsewhere.
fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let extensions = buffer.extensions.as_ref().map(|extensions| &extensions.others);
    let says_so = |name: &&str| extensions?.get(*name)?.get("fallback")?.as_bool();
    PACKINGS.iter().any(|name| says_so(name) == Some(true))
}
