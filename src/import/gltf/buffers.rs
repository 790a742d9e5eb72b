//! Where a file's bytes are: in its binary chunk, in `data:` URIs, or in files beside it.
//!
//! A model from the internet must not be able to read the artist's disk: a URI leads to a regular file inside the
//! model's own folder tree, or nowhere.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use super::super::error::quoted;
use super::super::{Fault, MAX_FILE_BYTES, read_file};
use super::document::Document;

/// Exporters disagree about the `=` at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

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

/// The bytes a URI stands for.
pub fn fetch(uri: &str, folder: Option<&Path>, max_bytes: u64, object: &str) -> Result<Vec<u8>, Fault> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let Some((_, text)) = rest.split_once(";base64,") else {
            return Err(Fault::invalid(object, "its data: URI is not base64; export it again"));
        };
        return BASE64
            .decode(text)
            .map_err(|error| Fault::invalid(object, format!("its base64 does not decode: {error}")));
    }
    let path = resolve(uri, folder, object)?;
    read_file(&path, max_bytes, "a file").map_err(|fault| Fault::invalid(object, format!("{} {fault}", quoted(uri))))
}

/// The file a relative URI leads to, links followed, if it is inside `folder`.
fn resolve(uri: &str, folder: Option<&Path>, object: &str) -> Result<PathBuf, Fault> {
    let refuse = |why: &str| {
        Fault::invalid(object, format!("{} {why}; Smirk reads only files in the model's own folder", quoted(uri)))
    };
    let folder = folder.ok_or_else(|| refuse("is a file beside a model that is in memory"))?;
    let decoded =
        percent_decode_str(uri).decode_utf8().map_err(|_| refuse("does not decode to UTF-8"))?.replace('\\', "/");
    let before_slash = decoded.split('/').next().unwrap_or_default();
    if before_slash.contains(':') {
        return Err(refuse("has a scheme or a drive"));
    }
    let relative = Path::new(&decoded);
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(refuse(if relative.has_root() { "is an absolute path" } else { "climbs out with \"..\"" }));
    }
    let folder = folder.canonicalize()?;
    let missing = |error: std::io::Error| {
        let place = folder.display();
        let advice = "put it there, or export as .glb, which holds all its parts";
        Fault::invalid(object, format!("{} was not found in {place} ({error}); {advice}", quoted(uri)))
    };
    let path = folder.join(relative).canonicalize().map_err(missing)?;
    if !path.starts_with(&folder) {
        return Err(refuse("is a link that leads out"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(uri: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        fetch(uri, Some(folder.path()), 100, "buffer 0").unwrap_err().to_string()
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        for (uri, why) in [
            ("../x.bin", ".."),
            ("a/%2E%2e/../x.bin", ".."),
            ("%2Fetc%2Fpasswd", "absolute"),
            ("/dev/zero", "absolute"),
            ("\\\\server\\x", "absolute"),
            ("file:///etc/passwd", "scheme"),
            ("http://localhost/x", "scheme"),
            ("C:\\x", "drive"),
            ("nope.bin", "not found"),
        ] {
            let message = message(uri);
            assert!(message.contains(why), "{uri}: {message}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_and_folders_are_refused() {
        let outside = tempfile::NamedTempFile::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link.bin")).unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let fetch = |uri| fetch(uri, Some(folder.path()), 100, "buffer 0").unwrap_err().to_string();
        assert!(fetch("link.bin").contains("leads out"));
        assert!(fetch("sub").contains("folder"));
    }

    #[test]
    fn percent_encoding_and_base64_decode() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a é.bin"), b"xyz").unwrap();
        assert_eq!(fetch("a%20%C3%A9.bin", Some(folder.path()), 100, "").unwrap(), b"xyz");
        assert_eq!(fetch("data:x/y;base64,eHl6IQ", None, 100, "").unwrap(), b"xyz!");
        assert_eq!(fetch("data:x/y;base64,eHl6IQ==", None, 100, "").unwrap(), b"xyz!");
        assert!(fetch("data:x/y;base64,?", None, 100, "").is_err());
    }
}
