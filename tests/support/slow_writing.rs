//! Files that are written slowly, as exporters do.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// A file that has not changed for so long is read.
const REST: Duration = Duration::from_millis(300);

/// Writes a file in pieces. Returns whether it never rested before it was complete. On a busy machine it may have.
///
/// # Errors
/// If the file cannot be written.
pub fn write_in_pieces(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let (mut began, mut longest) = (Instant::now(), Duration::ZERO);
    let mut file = std::fs::File::create(path)?;
    for (number, piece) in bytes.chunks(bytes.len() / 4 + 1).enumerate() {
        if number > 0 {
            std::thread::sleep(REST * 2 / 5);
        }
        let next = Instant::now();
        file.write_all(piece)?;
        longest = longest.max(began.elapsed());
        began = next;
    }
    Ok(longest < REST)
}
