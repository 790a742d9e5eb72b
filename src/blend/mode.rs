//! The four blend modes.

use serde::{Deserialize, Serialize};

/// Who adds up the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlendMode {
    /// Rust code on the processor, uploaded.
    Cpu,
    /// The vertex stage, while drawing: a loop over the active targets.
    Vertex,
    /// One compute pass that writes the vertex buffer.
    Compute,
    /// Four targets a pass, back and forth between two buffers: what Dawn did with Stream Out.
    Multipass,
}

impl BlendMode {
    /// In the order of the combo box and of keys 1-4.
    pub const ALL: [Self; 4] = [Self::Cpu, Self::Vertex, Self::Compute, Self::Multipass];

    /// What the combo box says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Vertex => "Vertex shader",
            Self::Compute => "Compute",
            Self::Multipass => "Multi-pass",
        }
    }

    /// Its name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Vertex => "vertex",
            Self::Compute => "compute",
            Self::Multipass => "multipass",
        }
    }
}
