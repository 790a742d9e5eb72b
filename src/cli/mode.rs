//! `--mode`: who adds up the targets.

use crate::blend::BlendMode;

/// Reads a mode's keyword.
pub fn mode(text: &str) -> Result<BlendMode, String> {
    let named = BlendMode::ALL.into_iter().find(|mode| mode.keyword() == text);
    named.ok_or_else(|| format!("one of {}", BlendMode::ALL.map(BlendMode::keyword).join(", ")))
}
