//! What an export will write, told before it begins.

/// What an export will write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportPlan {
    /// The number of files.
    pub files: usize,
    /// The number of frames; 1 for what does not move.
    pub frames: usize,
    /// The size of all files in bytes, as far as it can be told without writing them.
    pub bytes: u64,
}

/// A size of files in words: `96 KB`, `3.2 GB`.
pub fn bytes_in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1000)),
        1_000_000..100_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        100_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_round() {
        let words = [0, 999, 45_600_000, 345_600_000, 3_210_000_000].map(bytes_in_words);
        assert_eq!(words, ["0 KB", "1 KB", "45.6 MB", "346 MB", "3.2 GB"]);
    }
}
