//! The blend modes. A new mode is added as one line in `blend_modes!`. Every other place matches on [`BlendMode`] exhaustively, so
//! that the compiler then lists as errors what else the mode needs.

use serde::{Deserialize, Serialize};

/// Declares [`BlendMode`] together with the list of all modes, so that none is missing from the list.
macro_rules! blend_modes {
    ($($(#[$doc:meta])* $mode:ident,)*) => {
        /// Which part of the computer sums the targets of a head.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum BlendMode {
            $($(#[$doc])* $mode,)*
        }

        impl BlendMode {
            /// All modes, in the order of the combo box and of the keys that select them.
            pub const ALL: [Self; [$(Self::$mode),*].len()] = [$(Self::$mode),*];
        }
    };
}

blend_modes! {
    /// Rust code on the CPU sums the targets, and the blended vertices are uploaded.
    Cpu,
    /// The vertex stage sums the targets while drawing, in a loop over the active ones.
    Vertex,
    /// One compute pass sums the targets and writes the vertex buffer.
    Compute,
    /// Several compute passes sum four targets each, reading and writing two buffers of sums by turns, like Dawn's Stream Out
    /// method.
    Multipass,
}

impl BlendMode {
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
        match self {
            Self::Cpu => "cpu",
            Self::Vertex => "vertex",
            Self::Compute => "compute",
            Self::Multipass => "multipass",
        }
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
