//! Reading files from the disk, and the names that follow from a path.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::Fault;
use super::progress::{Progress, report};

/// A GLB states its length in 32 bits, and no head needs a larger file.
pub(super) const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// The bytes without the byte order mark that some programs write before UTF-8 text.
pub(super) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The folder that contains a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file's name, and the name of its content: the file's name without the extension.
pub(super) fn names_of(path: &Path) -> (String, String) {
    let file_name =
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| file_name.clone(), |stem| stem.to_string_lossy().into_owned());
    (file_name, name)
}

/// Reads a regular file of at most `max_bytes`. Devices and pipes may never end, so they are refused before they are opened.
/// `wanted` completes the error's advice, "choose … in it".
pub(super) fn read_file(path: &Path, max_bytes: u64, wanted: &str, progress: &Progress<'_>) -> Result<Vec<u8>, Fault> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Fault::Unfit(format!("is a folder; choose {wanted} in it")));
    }
    if !metadata.is_file() {
        return Err(Fault::Unfit(format!("is not a regular file; choose {wanted}")));
    }
    if metadata.len() > max_bytes {
        return Err(Fault::Unfit(format!(
            "has {} bytes, more than the {max_bytes} Smirk reads; export a smaller file",
            metadata.len()
        )));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // `take`, because the file may grow between the check and the read.
    let mut file = File::open(path)?.take(max_bytes);
    // In pieces, so that a file of gigabytes or on a slow disk can be cancelled.
    const PIECE_BYTES: u64 = 8 << 20;
    while file.by_ref().take(PIECE_BYTES).read_to_end(&mut bytes)? > 0 {
        report(progress, "reading the file", 0.0)?;
    }
    Ok(bytes)
}
