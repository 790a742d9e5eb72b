//! The blend modes. Every place matches on [`BlendMode`] exhaustively, so that the compiler lists as errors what a new
//! mode needs.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// Which part of the computer sums the targets of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum BlendMode {
    /// Rust code on the CPU sums the targets, and the blended vertices are uploaded.
    Cpu,
    /// The vertex stage sums the targets while drawing, in a loop over the active ones.
    Vertex,
    /// One compute pass sums the targets and writes the vertex buffer.
    Compute,
    /// Several compute passes sum four targets each, reading and writing two buffers of sums by turns, like Dawn's
    /// Stream Out method.
    Multipass,
}

impl BlendMode {
    /// All modes, in the order of the combo box and of the keys that select them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the combo box and in tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Vertex => "Vertex shader",
            Self::Compute => "Compute",
            Self::Multipass => "Multi-pass",
        }
    }

    /// The name on the command line and in files.
    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// Whether the mode needs a graphics adapter.
    pub fn needs_adapter(self) -> bool {
        match self {
            Self::Cpu => false,
            Self::Vertex | Self::Compute | Self::Multipass => true,
        }
    }

    /// Whether the targets are summed in the vertex stage of the draw, and not in a step of their own before it.
    pub fn blends_while_drawing(self) -> bool {
        match self {
            Self::Vertex => true,
            Self::Cpu | Self::Compute | Self::Multipass => false,
        }
    }

    /// Whether the mode keeps the sum of all targets that are not moving, so that a few moving ones cost little.
    pub fn caches_sums(self) -> bool {
        match self {
            Self::Cpu | Self::Compute => true,
            Self::Vertex | Self::Multipass => false,
        }
    }
}
