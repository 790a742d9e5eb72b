//! Decodes bytes to numbers: every component type of glTF, with any stride between elements.

use gltf::json::accessor::ComponentType;

/// Elements of equal length in a buffer, at equal distances.
pub(super) struct StridedBytes<'a> {
    /// From the first byte of the first element to at least the last byte of the last one.
    pub bytes: &'a [u8],
    /// Bytes from one element to the next.
    pub stride: usize,
    /// Number of elements.
    pub count: usize,
}

/// Elements as floats (glTF 2.0 §3.6.2.2).
pub(super) fn decode_floats<const N: usize>(
    elements: &StridedBytes<'_>,
    component: ComponentType,
    normalized: bool,
) -> Vec<[f32; N]> {
    // `max(-1.0)`: the most negative signed integer would become less than -1.
    match (component, normalized) {
        (ComponentType::F32, _) => gather(elements, f32::from_le_bytes),
        (ComponentType::I8, false) => gather(elements, |b| f32::from(i8::from_le_bytes(b))),
        (ComponentType::U8, false) => gather(elements, |b| f32::from(u8::from_le_bytes(b))),
        (ComponentType::I16, false) => gather(elements, |b| f32::from(i16::from_le_bytes(b))),
        (ComponentType::U16, false) => gather(elements, |b| f32::from(u16::from_le_bytes(b))),
        (ComponentType::U32, false) => gather(elements, |b| u32::from_le_bytes(b) as f32),
        (ComponentType::I8, true) => gather(elements, |b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0)),
        (ComponentType::U8, true) => gather(elements, |b| f32::from(u8::from_le_bytes(b)) / 255.0),
        (ComponentType::I16, true) => gather(elements, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0)),
        (ComponentType::U16, true) => gather(elements, |b| f32::from(u16::from_le_bytes(b)) / 65535.0),
        (ComponentType::U32, true) => {
            gather(elements, |b| (f64::from(u32::from_le_bytes(b)) / f64::from(u32::MAX)) as f32)
        }
    }
}

/// Elements as unsigned integers; none if their components are signed or floats.
pub(super) fn decode_integers<const N: usize>(
    elements: &StridedBytes<'_>,
    component: ComponentType,
) -> Option<Vec<[u32; N]>> {
    Some(match component {
        ComponentType::U8 => gather(elements, |b| u32::from(u8::from_le_bytes(b))),
        ComponentType::U16 => gather(elements, |b| u32::from(u16::from_le_bytes(b))),
        ComponentType::U32 => gather(elements, u32::from_le_bytes),
        ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => return None,
    })
}

/// All elements, each of `N` components of `SIZE` bytes.
fn gather<T: Copy + Default, const N: usize, const SIZE: usize>(
    elements: &StridedBytes<'_>,
    decode: impl Fn([u8; SIZE]) -> T,
) -> Vec<[T; N]> {
    let element = |index: usize| {
        let bytes = &elements.bytes[index * elements.stride..][..N * SIZE];
        let mut values = [T::default(); N];
        for (value, component) in values.iter_mut().zip(bytes.as_chunks::<SIZE>().0) {
            *value = decode(*component);
        }
        values
    };
    if elements.stride == N * SIZE {
        // Without gaps between elements, the compiler turns this into a copy.
        let (components, _) = elements.bytes[..elements.count * N * SIZE].as_chunks::<SIZE>();
        return components.as_chunks::<N>().0.iter().map(|element| element.map(&decode)).collect();
    }
    (0..elements.count).map(element).collect()
}
