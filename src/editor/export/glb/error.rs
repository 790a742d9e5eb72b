//! Why a head cannot be written as a GLB.

use thiserror::Error;

use smirk_base::progress::Cancelled;

/// Why a head cannot be written as a GLB.
#[derive(Debug, Error)]
pub enum GlbError {
    /// A texture is too large for a PNG, or its bytes are not as many as its size says.
    #[error("texture {name} cannot be encoded as PNG: {source}")]
    Texture {
        /// Its name.
        name: String,
        /// What the encoder says.
        source: image::ImageError,
    },
    /// A GLB states its length in 32 bits.
    #[error("it would have {0} bytes, and a .glb has at most {max}", max = u32::MAX)]
    TooLarge(usize),
    /// glTF counts the joints of a skin in 16 bits.
    #[error("skin {name} has {joints} joints, and a skin of a .glb has at most 65536")]
    TooManyJoints {
        /// The name of the skin.
        name: String,
        /// The number of its joints.
        joints: usize,
    },
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
