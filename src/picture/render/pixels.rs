//! What the pixels of a picture are.

use super::target;

/// What the pixels of a picture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pixels {
    /// As a screen shows them: 8 bits a channel, sRGB, straight alpha.
    #[default]
    Screen,
    /// The light of the scene, before tone mapping: 16-bit floats, linear, with the primaries of sRGB, multiplied by alpha.
    Light,
}

impl Pixels {
    /// The format of the image that they are drawn into.
    pub(super) fn format(self) -> wgpu::TextureFormat {
        match self {
            Self::Screen => target::COLOR_FORMAT,
            Self::Light => wgpu::TextureFormat::Rgba16Float,
        }
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Screen => 4,
            Self::Light => 8,
        }
    }
}
