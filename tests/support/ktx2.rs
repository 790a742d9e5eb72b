//! Writes small KTX2 pictures, valid or broken.

/// A picture of one level or more.
#[derive(Clone)]
pub struct Ktx2 {
    pub format: u32,
    pub width: u32,
    pub height: u32,
    pub faces: u32,
    /// The number of levels that the file states.
    pub levels: u32,
    pub supercompression: u32,
    /// The largest level.
    pub level: Vec<u8>,
    /// The length of the largest level before supercompression that the file states.
    pub level_bytes: u64,
    /// The other levels, each with its length before supercompression.
    pub mipmaps: Vec<(Vec<u8>, u64)>,
    /// Whether the descriptor of UASTC says that there is alpha.
    pub has_alpha: bool,
}

impl Ktx2 {
    /// Plain texels (VK_FORMAT_R8G8B8A8_SRGB).
    pub fn rgba8(width: u32, height: u32, rgba: &[u8]) -> Self {
        Self {
            format: 43,
            width,
            height,
            faces: 1,
            levels: 1,
            supercompression: 0,
            level: rgba.to_vec(),
            level_bytes: rgba.len() as u64,
            mipmaps: Vec::new(),
            has_alpha: false,
        }
    }

    /// One colour in UASTC blocks.
    pub fn uastc(width: u32, height: u32, color: [u8; 4]) -> Self {
        Self::uastc_of(width, height, &plain_blocks(width, height, color), color[3] < 255)
    }

    /// UASTC blocks, in rows from the top.
    pub fn uastc_of(width: u32, height: u32, blocks: &[u128], has_alpha: bool) -> Self {
        Self { format: 0, has_alpha, ..Self::rgba8(width, height, &bytes_of(blocks)) }
    }

    /// The same picture in UASTC with levels below the first, each in one colour.
    pub fn with_mipmaps(self, colors: &[[u8; 4]]) -> Self {
        let mipmaps = (1..).zip(colors).map(|(level, &color)| {
            let size = [self.width, self.height].map(|side: u32| (side >> level).max(1));
            let blocks = bytes_of(&plain_blocks(size[0], size[1], color));
            let length = blocks.len() as u64;
            (blocks, length)
        });
        Self { levels: 1 + colors.len() as u32, mipmaps: mipmaps.collect(), ..self }
    }

    /// The same picture with each level inside a Zstandard frame that does not compress: one segment with one raw block.
    pub fn zstandard(self) -> Self {
        let frame_of = |level: &[u8]| {
            let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
            frame.extend((level.len() as u32).to_le_bytes());
            frame.extend(&((level.len() as u32) << 3 | 1).to_le_bytes()[..3]);
            frame.extend(level);
            frame
        };
        let mipmaps = self.mipmaps.iter().map(|(level, length)| (frame_of(level), *length)).collect();
        Self { supercompression: 2, level: frame_of(&self.level), mipmaps, ..self }
    }

    /// The file as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        // The data format descriptor with one sample: UASTC (166) in sRGB, blocks of 4×4.
        let mut descriptor = [0; 44];
        descriptor[0] = 44;
        descriptor[8..12].copy_from_slice(&[2, 0, 40, 0]);
        descriptor[12..18].copy_from_slice(&[166, 1, 2, 0, 3, 3]);
        descriptor[30] = 127;
        descriptor[31] = if self.has_alpha { 3 } else { 0 };
        let levels: Vec<(&[u8], u64)> = std::iter::once((&*self.level, self.level_bytes))
            .chain(self.mipmaps.iter().map(|(level, length)| (&**level, *length)))
            .collect();
        let descriptor_at = 80 + 24 * levels.len() as u32;
        let mut bytes = vec![0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
        let Self { format, width, height, faces, levels: stated, supercompression, .. } = *self;
        for word in
            [format, 1, width, height, 0, 0, faces, stated, supercompression, descriptor_at, 44, 0, 0, 0, 0, 0, 0]
        {
            bytes.extend(word.to_le_bytes());
        }
        let first_at = (u64::from(descriptor_at) + 44).next_multiple_of(16);
        let mut level_at = first_at;
        for (level, length) in &levels {
            for word in [level_at, level.len() as u64, *length] {
                bytes.extend(word.to_le_bytes());
            }
            level_at += level.len() as u64;
        }
        bytes.extend(descriptor);
        bytes.resize(first_at as usize, 0);
        levels.iter().for_each(|(level, _)| bytes.extend(*level));
        bytes
    }
}

/// Blocks of UASTC in one colour: mode 8, whose code is 0x17 in five bits, then a byte for each channel.
fn plain_blocks(width: u32, height: u32, color: [u8; 4]) -> Vec<u128> {
    let blocks = width.div_ceil(4) * height.div_ceil(4);
    vec![0x17 | u128::from(u32::from_le_bytes(color)) << 5; blocks as usize]
}

fn bytes_of(blocks: &[u128]) -> Vec<u8> {
    blocks.iter().flat_map(|block| block.to_le_bytes()).collect()
}

/// [`ETC1S`] with all levels, and with alpha or without. The smaller levels have the first block of the largest, and its colours as
/// alphas too.
pub fn etc1s_with_mipmaps(has_alpha: bool) -> Vec<u8> {
    const LEVELS: u32 = 4;
    let word = |at: usize| u32::from_le_bytes(ETC1S[at..at + 4].try_into().unwrap());
    let part = |offset: usize, length: usize| &ETC1S[word(offset) as usize..][..word(length) as usize];
    // One sample describes the colours, another the alphas.
    let mut descriptor = part(48, 52)[..if has_alpha { 60 } else { 44 }].to_vec();
    descriptor[0] = descriptor.len() as u8;
    descriptor[10] = descriptor.len() as u8 - 4;
    // Counts and lengths of the codebooks, where the image of each level is, the codebooks.
    let codebooks = part(64, 72);
    let (counts, (image, codebooks)) = (&codebooks[..20], codebooks[20..].split_at(20));
    let smaller = [&image[..12], &image[4..12]].concat();
    let codebooks = [counts, image, &smaller.repeat(LEVELS as usize - 1), codebooks].concat();
    let level = part(80, 88);

    let descriptor_at = 80 + 24 * LEVELS;
    let codebooks_at = descriptor_at + 60;
    let level_at = codebooks_at + codebooks.len() as u32;
    let mut bytes = ETC1S[..80].to_vec();
    for (at, value) in [
        (40, LEVELS),
        (48, descriptor_at),
        (52, descriptor.len() as u32),
        (64, codebooks_at),
        (72, codebooks.len() as u32),
    ] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    for _ in 0..LEVELS {
        [u64::from(level_at), level.len() as u64, 0].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    }
    bytes.extend(descriptor);
    bytes.resize(codebooks_at as usize, 0);
    bytes.extend(codebooks);
    bytes.extend(level);
    bytes
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
