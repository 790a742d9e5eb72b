//! The name of this program in the files that it writes.

/// The name of the program with its version.
pub(super) fn generator() -> String {
    format!("Smirk {}", env!("CARGO_PKG_VERSION"))
}
