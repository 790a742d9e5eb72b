//! Reading files from the disk, and the names that follow from a path.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use rayon::prelude::*;

use super::error::Fault;
use super::foreign;
use smirk_base::progress::Progress;
use smirk_base::regular_file;
use smirk_base::watch::before_reading;

/// A GLB states its length in 32 bits, and no head needs a larger file.
pub(super) const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// The bytes without the byte order mark that some programs write before UTF-8 text.
pub(super) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A file's name, and the name of its content: the file's name without the extension.
pub(super) fn names_of(path: &Path) -> (String, String) {
    let file_name =
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| file_name.clone(), |stem| stem.to_string_lossy().into_owned());
    (file_name, name)
}

/// Reads a regular file of at most `max_bytes`. Devices and pipes may never end, so they are refused before they are
/// opened. `wanted` completes the error's advice, "choose … in it".
pub(super) fn read_file(path: &Path, max_bytes: u64, wanted: &str, progress: Progress<'_>) -> Result<Vec<u8>, Fault> {
    before_reading(path);
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
    let mut file = regular_file::open(path)?;
    let mut bytes = read_first(&file, metadata.len() as usize, progress)?;
    // The file may have grown since the check, but no more than `max_bytes` are read.
    file.seek(SeekFrom::Start(bytes.len() as u64))?;
    let mut rest = file.take(max_bytes - bytes.len() as u64);
    while rest.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut bytes)? > 0 {
        progress.report("reading the file", 0.0)?;
    }
    Ok(bytes)
}

/// [`read_file`] for one that is opened by its own name: files of other programs are refused by it.
pub(super) fn read_opened(path: &Path, max_bytes: u64, wanted: &str, progress: Progress<'_>) -> Result<Vec<u8>, Fault> {
    match foreign::refused_by_name(path).filter(|_| path.is_file()) {
        Some(fault) => Err(fault),
        None => read_file(path, max_bytes, wanted, progress),
    }
}

/// Files are read in pieces of this size, so that one of gigabytes or on a slow disk can be cancelled.
const PIECE_BYTES: usize = 8 << 20;

/// The first `count` bytes of a file, or all of it if it has become shorter. Several cores read, because the system
/// clears new memory and copies to it on the core that asks.
fn read_first(file: &File, count: usize, progress: Progress<'_>) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; count];
    let mut end = 0;
    for pieces in bytes.chunks_mut(PIECE_BYTES * rayon::current_num_threads()) {
        let read = pieces
            .par_chunks_mut(PIECE_BYTES)
            .enumerate()
            .map(|(index, piece)| read_piece(file, piece, (end + index * PIECE_BYTES) as u64));
        let read = read.try_reduce(|| 0, |a, b| Ok(a + b))?;
        end += read;
        if read < pieces.len() {
            break;
        }
        progress.report("reading the file", 0.0)?;
    }
    bytes.truncate(end);
    Ok(bytes)
}

/// Fills `piece` with the bytes of a file from `offset` on, and returns how many there are.
pub(super) fn read_piece(file: &File, piece: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut end = 0;
    while end < piece.len() {
        match read_at(file, &mut piece[end..], offset + end as u64) {
            Ok(0) => break,
            Ok(count) => end += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(end)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

const FBX_BINARY: &[u8] = b"Kaydara FBX";
const FBX_TEXT: &[u8] = b"; FBX";

pub(super) fn is_fbx(bytes: &[u8]) -> bool {
    bytes.starts_with(FBX_BINARY) || bytes.starts_with(FBX_TEXT)
}

/// What a file is, in words that follow "it": `is a PNG image`. None if it is not known.
pub(super) fn kind_of(bytes: &[u8]) -> Option<String> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"glTF", "a glTF binary"),
        (b"\x89PNG", "a PNG image"),
        (b"\xFF\xD8\xFF", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"8BPS", "a Photoshop document"),
        (b"\x76\x2F\x31\x01", "an OpenEXR picture"),
        (b"#?RADIANCE", "a Radiance picture"),
        (FBX_BINARY, "an FBX scene"),
        (FBX_TEXT, "an FBX scene"),
    ];
    let known = KNOWN.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what);
    known.or_else(|| foreign::kind_of(bytes)).map(|what| format!("is {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::progress::Cancelled;

    #[test]
    fn a_file_of_several_pieces_is_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..PIECE_BYTES * 9 + 5).map(|at| (at / 1000 % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let progress = Progress::NONE;
        assert!(read_file(&path, bytes.len() as u64, "a file", progress).unwrap() == bytes);
        assert!(read_file(&path, bytes.len() as u64 - 1, "a file", progress).is_err());
        let file = File::open(&path).unwrap();
        assert!(read_first(&file, bytes.len() + PIECE_BYTES, progress).unwrap() == bytes, "a file that was cut");
        let cancelled = read_first(&file, bytes.len(), Progress::new(&|_, _| Err(Cancelled)));
        assert!(matches!(cancelled, Err(Fault::Cancelled(Cancelled))));
    }
}
