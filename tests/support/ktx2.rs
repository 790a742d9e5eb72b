//! Writes small KTX2 pictures, valid or broken.

/// A picture of one level.
#[derive(Clone)]
pub struct Ktx2 {
    pub format: u32,
    pub width: u32,
    pub height: u32,
    pub faces: u32,
    pub levels: u32,
    pub supercompression: u32,
    pub level: Vec<u8>,
    /// The length of the level before supercompression that the file states.
    pub level_bytes: u64,
}

impl Ktx2 {
    /// Plain texels (VK_FORMAT_R8G8B8A8_SRGB).
    pub fn rgba8(width: u32, height: u32, rgba: &[u8]) -> Self {
        let (faces, levels, level_bytes) = (1, 1, rgba.len() as u64);
        Self { format: 43, width, height, faces, levels, supercompression: 0, level: rgba.to_vec(), level_bytes }
    }

    /// One colour in UASTC blocks: mode 8, whose code is 0x17 in five bits, then a byte for each channel.
    pub fn uastc(width: u32, height: u32, color: [u8; 4]) -> Self {
        let block = (0x17 | u128::from(u32::from_le_bytes(color)) << 5).to_le_bytes();
        let blocks = width.div_ceil(4) * height.div_ceil(4);
        Self { format: 0, ..Self::rgba8(width, height, &block.repeat(blocks as usize)) }
    }

    /// The same picture inside a Zstandard frame that does not compress: one segment with one raw block.
    pub fn zstandard(self) -> Self {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
        frame.extend((self.level.len() as u32).to_le_bytes());
        frame.extend(&((self.level.len() as u32) << 3 | 1).to_le_bytes()[..3]);
        frame.extend(&self.level);
        Self { supercompression: 2, level: frame, ..self }
    }

    /// The file as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        // The data format descriptor with one sample: UASTC (166) with colour alone, sRGB, blocks of 4×4.
        let mut descriptor = [0; 44];
        descriptor[0] = 44;
        descriptor[8..12].copy_from_slice(&[2, 0, 40, 0]);
        descriptor[12..18].copy_from_slice(&[166, 1, 2, 0, 3, 3]);
        descriptor[30] = 127;
        let (descriptor_at, level_at) = (104_u32, 160_u64);
        let mut bytes = vec![0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
        let Self { format, width, height, faces, levels, supercompression, .. } = *self;
        for word in
            [format, 1, width, height, 0, 0, faces, levels, supercompression, descriptor_at, 44, 0, 0, 0, 0, 0, 0]
        {
            bytes.extend(word.to_le_bytes());
        }
        for word in [level_at, self.level.len() as u64, self.level_bytes] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(descriptor);
        bytes.resize(level_at as usize, 0);
        bytes.extend(&self.level);
        bytes
    }
}

/// 8×8 texels in ETC1S, made with Basis Universal's encoder: the left half red, the right half blue, alpha 255 above
/// and 128 below.
#[rustfmt::skip]
pub const ETC1S: [u8; 318] = [
    171, 75, 84, 88, 32, 50, 48, 187, 13, 10, 26, 10, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 104, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    168, 0, 0, 0, 0, 0, 0, 0, 147, 0, 0, 0, 0, 0, 0, 0, 59, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0, 2, 0, 56, 0, 163, 1, 2, 0, 3, 3, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 64, 0, 63, 15, 0, 0, 0, 0, 0, 0, 0, 0,
    255, 255, 255, 255, 0, 0, 0, 0, 4, 0, 3, 0, 48, 0, 0, 0, 13, 0, 0, 0, 46, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 30, 192, 148, 0, 0, 0, 0, 0, 0, 114, 66, 5, 2, 76, 4, 0,
    0, 0, 0, 0, 32, 11, 14, 120, 0, 113, 3, 4, 0, 0, 0, 32, 155, 228, 7, 8, 64, 4, 128, 0, 0, 0, 0, 136, 42, 62, 164, 83,
    84, 85, 85, 85, 5, 0, 0, 0, 168, 170, 170, 170, 2, 96, 192, 68, 0, 0, 0, 0, 0, 0, 18, 37, 8, 1, 48, 1, 32, 0, 0, 0,
    0, 128, 40, 17, 16, 33, 64, 0, 0, 0, 16, 68, 93, 209, 39, 10, 0, 19, 0, 2, 0, 0, 0, 0, 136, 64, 0, 239, 17, 36,
];
