//! Point caches: the positions of all points at every frame.
//!
//! - **PC2** (3ds Max Point Cache 2), little-endian: the text `POINTCACHE2` with a zero, version 1, the number of points, the first
//!   frame and the frames per sample as floats, the number of samples; then three floats per point, sample by sample. As in the
//!   3ds Max SDK, and as Blender's *Mesh Cache* modifier reads it (`source/blender/modifiers/intern/MOD_meshcache_pc2.cc`).
//! - **MDD** (LightWave), big-endian: the number of frames and of points, the time of each frame in seconds; then three floats per
//!   point, frame by frame. As Blender's modifier reads it (`MOD_meshcache_mdd.cc`).

use glam::Vec3;

/// The two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheFormat {
    Pc2,
    Mdd,
}

impl CacheFormat {
    /// The bytes before the first sample. `first_frame` is its number, `secs_of` the time of a sample after the first one.
    pub(super) fn header(self, points: i32, samples: i32, first_frame: i64, secs_of: impl Fn(i32) -> f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Pc2 => {
                bytes.extend(b"POINTCACHE2\0");
                bytes.extend(1_i32.to_le_bytes());
                bytes.extend(points.to_le_bytes());
                bytes.extend((first_frame as f32).to_le_bytes());
                // One frame per sample.
                bytes.extend(1.0_f32.to_le_bytes());
                bytes.extend(samples.to_le_bytes());
            }
            Self::Mdd => {
                bytes.extend(samples.to_be_bytes());
                bytes.extend(points.to_be_bytes());
                (0..samples).for_each(|sample| bytes.extend((secs_of(sample) as f32).to_be_bytes()));
            }
        }
        bytes
    }

    /// The bytes of one sample.
    pub(super) fn sample(self, positions: impl Iterator<Item = Vec3>) -> Vec<u8> {
        let numbers = positions.flat_map(|position| position.to_array());
        match self {
            Self::Pc2 => numbers.flat_map(f32::to_le_bytes).collect(),
            Self::Mdd => numbers.flat_map(f32::to_be_bytes).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_as_specified() {
        let pc2 = CacheFormat::Pc2.header(258, 3, 12, |_| 0.0);
        assert_eq!(pc2.len(), 32);
        assert_eq!(&pc2[..16], b"POINTCACHE2\0\x01\0\0\0");
        assert_eq!(&pc2[16..24], &[2, 1, 0, 0, 0, 0, 0x40, 0x41], "258 points, from frame 12.0");
        assert_eq!(&pc2[24..], &[0, 0, 0x80, 0x3f, 3, 0, 0, 0], "1.0 frame per sample, 3 samples");
        let mdd = CacheFormat::Mdd.header(258, 2, 12, |sample| f64::from(sample) * 0.5);
        assert_eq!(mdd, [0, 0, 0, 2, 0, 0, 1, 2, 0, 0, 0, 0, 0x3f, 0, 0, 0]);
        let position = [Vec3::new(1.0, -2.0, 0.5)];
        assert_eq!(CacheFormat::Pc2.sample(position.into_iter())[..8], [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        assert_eq!(CacheFormat::Mdd.sample(position.into_iter())[..8], [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]);
    }
}
