//! Bytes to numbers: every component type of glTF, in elements that lie apart as they like.

use gltf::json::accessor::ComponentType;

/// A run of equally long elements in a buffer.
pub struct Run<'a> {
    /// From the first element's first byte to at least the last one's last.
    pub bytes: &'a [u8],
    /// Bytes from one element to the next.
    pub stride: usize,
    /// How many.
    pub count: usize,
}

/// Elements as floats (glTF 2.0 §3.6.2.2).
pub fn decode_floats<const N: usize>(run: &Run<'_>, component: ComponentType, normalized: bool) -> Vec<[f32; N]> {
    // The most negative signed value would be below -1.
    match (component, normalized) {
        (ComponentType::F32, _) => gather(run, f32::from_le_bytes),
        (ComponentType::I8, false) => gather(run, |b| f32::from(i8::from_le_bytes(b))),
        (ComponentType::U8, false) => gather(run, |b| f32::from(u8::from_le_bytes(b))),
        (ComponentType::I16, false) => gather(run, |b| f32::from(i16::from_le_bytes(b))),
        (ComponentType::U16, false) => gather(run, |b| f32::from(u16::from_le_bytes(b))),
        (ComponentType::U32, false) => gather(run, |b| u32::from_le_bytes(b) as f32),
        (ComponentType::I8, true) => gather(run, |b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0)),
        (ComponentType::U8, true) => gather(run, |b| f32::from(u8::from_le_bytes(b)) / 255.0),
        (ComponentType::I16, true) => gather(run, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0)),
        (ComponentType::U16, true) => gather(run, |b| f32::from(u16::from_le_bytes(b)) / 65535.0),
        (ComponentType::U32, true) => gather(run, |b| (f64::from(u32::from_le_bytes(b)) / f64::from(u32::MAX)) as f32),
    }
}

/// Elements as unsigned integers; none if they are of another kind.
pub fn decode_integers<const N: usize>(run: &Run<'_>, component: ComponentType) -> Option<Vec<[u32; N]>> {
    Some(match component {
        ComponentType::U8 => gather(run, |b| u32::from(u8::from_le_bytes(b))),
        ComponentType::U16 => gather(run, |b| u32::from(u16::from_le_bytes(b))),
        ComponentType::U32 => gather(run, u32::from_le_bytes),
        ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => return None,
    })
}

/// Every element of a run, each of `N` components of `SIZE` bytes.
fn gather<T: Copy + Default, const N: usize, const SIZE: usize>(
    run: &Run<'_>,
    decode: impl Fn([u8; SIZE]) -> T,
) -> Vec<[T; N]> {
    let element = |index: usize| {
        let bytes = &run.bytes[index * run.stride..][..N * SIZE];
        let mut values = [T::default(); N];
        for (value, component) in values.iter_mut().zip(bytes.as_chunks::<SIZE>().0) {
            *value = decode(*component);
        }
        values
    };
    (0..run.count).map(element).collect()
}
