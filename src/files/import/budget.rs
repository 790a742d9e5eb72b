//! A limit on the memory that a file can claim. A few bytes of JSON can refer to the same accessor a million times; a
//! valid file needs a small multiple of its own size.

use super::error::Fault;
use smirk_face::head::Subject;

/// The memory that vertices and deltas of one file may take, in bytes.
pub(super) struct Budget {
    total: u64,
    spent: u64,
}

impl Budget {
    /// The bytes that every file may claim, whatever its size.
    const BASE_BYTES: u64 = 32 << 20;
    /// A small file may also claim this many times its own size, because compressed, quantised and shared data grow
    /// when decoded.
    const TIMES_SMALL_FILE: u64 = 64;
    /// The limit of what a small file may claim; larger files contain their data uncompressed.
    const MOST_FOR_SMALL_FILES: u64 = 512 << 20;
    /// A file above that limit may claim this many times its own size in addition to it.
    const TIMES_LARGE_FILE: u64 = 8;

    /// The budget of a file, `bytes` long with its buffers.
    pub(super) fn for_file(bytes: u64) -> Self {
        let small = Self::BASE_BYTES.saturating_add(bytes.saturating_mul(Self::TIMES_SMALL_FILE));
        let large = Self::MOST_FOR_SMALL_FILES.saturating_add(bytes.saturating_mul(Self::TIMES_LARGE_FILE));
        Self { total: small.min(large), spent: 0 }
    }

    /// The budget of the typed lists of a JSON text of `bytes` bytes.
    pub(super) fn for_lists(bytes: u64) -> Self {
        const BASE_BYTES: u64 = 128 << 20;
        const TIMES_TEXT: u64 = 4;
        Self { total: BASE_BYTES.saturating_add(bytes.saturating_mul(TIMES_TEXT)), spent: 0 }
    }

    pub(super) fn left(&self) -> u64 {
        self.total.saturating_sub(self.spent)
    }

    /// Claims `bytes` before they are allocated; an error about `subject` if the budget is exceeded.
    pub(super) fn spend(&mut self, bytes: u64, subject: &Subject) -> Result<(), Fault> {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > self.total {
            return Err(Fault::invalid(
                subject,
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
    fn a_budget_is_spent_up_to_its_total() {
        let mesh = |number| Subject::Numbered(smirk_face::head::Kind::Mesh, number);
        let mut budget = Budget::for_file(0);
        assert!(budget.spend(Budget::BASE_BYTES, &mesh(0)).is_ok());
        assert!(budget.spend(1, &mesh(1)).unwrap_err().to_string().starts_with("mesh 1: "));
        assert!(budget.spend(u64::MAX, &mesh(2)).is_err());
    }
}
