//! How much memory a file may ask for. A few bytes of JSON can name the same accessor a million times; a sound file
//! stays within a small multiple of its own size.

use super::error::Fault;
use crate::head::Subject;

/// Bytes left to spend on vertices and deltas.
pub struct Budget {
    total: u64,
    spent: u64,
}

impl Budget {
    /// Any file may have this much.
    const BASE_BYTES: u64 = 32 << 20;
    /// And this many times its own size: compressed, quantised and shared data grow when unpacked …
    const TIMES_SMALL_FILE: u64 = 64;
    /// … up to here; what is larger holds data of its own.
    const MOST_FOR_SMALL_FILES: u64 = 512 << 20;
    /// How often a large file may be unpacked.
    const TIMES_LARGE_FILE: u64 = 8;

    /// For a file with its buffers.
    pub fn for_file(bytes: u64) -> Self {
        let small = Self::BASE_BYTES.saturating_add(bytes.saturating_mul(Self::TIMES_SMALL_FILE));
        let large = Self::MOST_FOR_SMALL_FILES.saturating_add(bytes.saturating_mul(Self::TIMES_LARGE_FILE));
        Self { total: small.min(large), spent: 0 }
    }

    /// Takes `bytes` before they are allocated, or says who wanted too much.
    pub fn spend(&mut self, bytes: u64, object: &Subject) -> Result<(), Fault> {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > self.total {
            return Err(Fault::invalid(
                object,
                format!(
                    "with it the file would need {} MiB of memory, more than the {} MiB its size justifies",
                    self.spent >> 20,
                    self.total >> 20
                ),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spends_up_to_its_total_and_no_byte_more() {
        let mesh = |number| Subject::Numbered(crate::head::Kind::Mesh, number);
        let mut budget = Budget::for_file(0);
        assert!(budget.spend(Budget::BASE_BYTES, &mesh(0)).is_ok());
        assert!(budget.spend(1, &mesh(1)).unwrap_err().to_string().starts_with("mesh 1: "));
        assert!(budget.spend(u64::MAX, &mesh(2)).is_err());
    }
}
