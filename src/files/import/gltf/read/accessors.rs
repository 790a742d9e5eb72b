//! Accessors (glTF 2.0 §3.6.2): every component type, normalised or not, with stride, sparse, or without data (which
//! means zeros). All ranges are checked in 64 bits before anything is allocated.

use gltf::json::Index;
use gltf::json::accessor::{Accessor, ComponentType, IndexComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::validation::Checked;

use super::document::{GltfDocument, component, kind, lookup};
use super::draco::DecodedAccessors;
use super::views::Views;
use crate::import::{Fault, Problem};
use smirk_face::head::{Kind, Subject};

pub(crate) struct Accessors<'a> {
    document: &'a GltfDocument,
    views: &'a Views<'a>,
    decoded: &'a DecodedAccessors,
    /// An accessor without data may have as many elements as the longest with data.
    max_count_without_data: u64,
}

/// The elements of an accessor: all of them, or, if it has no base data, those that are stored.
pub(crate) enum Elements<const N: usize, T = f32> {
    Dense(Vec<[T; N]>),
    /// Zeros except for some elements, whose indices are strictly increasing.
    Sparse {
        count: usize,
        rows: Vec<u32>,
        /// One per row.
        values: Vec<[T; N]>,
    },
}

impl<const N: usize, T: Copy + Default> Elements<N, T> {
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Dense(values) => values.len(),
            Self::Sparse { count, .. } => *count,
        }
    }

    fn into_dense(self) -> Vec<[T; N]> {
        match self {
            Self::Dense(values) => values,
            Self::Sparse { count, rows, values } => {
                let mut all = vec![[T::default(); N]; count];
                for (row, value) in rows.into_iter().zip(values) {
                    all[row as usize] = value;
                }
                all
            }
        }
    }
}

impl<'a> Accessors<'a> {
    /// Any file may have accessors without data of this many elements.
    const MIN_COUNT_WITHOUT_DATA: u64 = 1 << 16;

    pub(crate) fn new(document: &'a GltfDocument, views: &'a Views<'a>, decoded: &'a DecodedAccessors) -> Self {
        let stored = document.accessors.iter().filter(|accessor| accessor.buffer_view.is_some());
        // A count that the bytes cannot hold is an error when the accessor is read; here it must not raise the limit.
        let of_decoded = decoded.keys().filter_map(|&index| Some(document.accessors.get(index)?.count.0));
        let max_count_without_data = stored
            .map(|accessor| {
                let bytes = accessor.buffer_view.and_then(|view| views.bytes(view, &Subject::field("accessor")).ok());
                bytes.map_or(0, |bytes| accessor.count.0.min(bytes.len() as u64 / element_bytes(accessor)))
            })
            .chain(of_decoded)
            .max()
            .unwrap_or(0)
            .max(Self::MIN_COUNT_WITHOUT_DATA);
        Self { document, views, decoded, max_count_without_data }
    }

    pub(crate) fn len(&self) -> usize {
        self.document.accessors.len()
    }

    pub(crate) fn exists(&self, index: Index<Accessor>) -> bool {
        index.value() < self.len()
    }

    pub(crate) fn width(&self, index: Index<Accessor>, owner: &Subject) -> Result<usize, Fault> {
        let accessor = lookup(&self.document.accessors, index, owner, "accessor")?;
        Ok(width(kind(accessor, index)?))
    }

    /// Number of elements of `N` numbers, before they are read: their type and their place in the buffer are checked.
    pub(crate) fn count<const N: usize>(&self, index: Index<Accessor>, owner: &Subject) -> Result<u64, Fault> {
        let accessor = self.of_width::<N>(index, owner)?;
        let (count, size) = (accessor.count.0, N * component(accessor, index)?.size());
        self.base(index, accessor, size, &Subject::Numbered(Kind::Accessor, index.value()))?;
        Ok(count)
    }

    /// Number of elements that are stored, and not zero by default; 0 for an accessor that does not exist.
    pub(crate) fn stored_count(&self, index: Index<Accessor>) -> u64 {
        let Some(accessor) = self.document.accessors.get(index.value()) else { return 0 };
        let is_sparse = accessor.buffer_view.is_none() && !self.decoded.contains_key(&index.value());
        let stored = accessor.sparse.as_ref().filter(|_| is_sparse).map(|sparse| sparse.count.0);
        stored.unwrap_or(accessor.count.0)
    }

    /// Checks the indices of the stored elements, for an accessor that is not read.
    pub(crate) fn check_sparse_rows(&self, index: Index<Accessor>, owner: &Subject) -> Result<(), Fault> {
        let accessor = lookup(&self.document.accessors, index, owner, "accessor")?;
        self.sparse_rows(accessor, &Subject::Numbered(Kind::Accessor, index.value())).map(drop)
    }

    /// The accessor at an index, whose elements must have `N` numbers.
    fn of_width<const N: usize>(&self, index: Index<Accessor>, owner: &Subject) -> Result<&Accessor, Fault> {
        let accessor = lookup(&self.document.accessors, index, owner, "accessor")?;
        let kind = kind(accessor, index)?;
        if width(kind) != N {
            let problem = format!("has {} numbers per element ({kind:?}), {N} are needed", width(kind));
            return Err(Fault::invalid(owner.part(Subject::Numbered(Kind::Accessor, index.value())), problem));
        }
        Ok(accessor)
    }

    /// All elements as floats; normalised integers become 0..1 or -1..1.
    pub(crate) fn read<const N: usize>(&self, index: Index<Accessor>, owner: &Subject) -> Result<Vec<[f32; N]>, Fault> {
        Ok(self.read_sparsely(index, owner)?.into_dense())
    }

    /// Like [`Self::read`], without the zeros of an accessor that has no base data.
    pub(crate) fn read_sparsely<const N: usize>(
        &self,
        index: Index<Accessor>,
        owner: &Subject,
    ) -> Result<Elements<N>, Fault> {
        let accessor = self.of_width::<N>(index, owner)?;
        let component = component(accessor, index)?;
        self.elements(
            (index, accessor),
            N * component.size(),
            &Subject::Numbered(Kind::Accessor, index.value()),
            |bytes: &StridedBytes<'_>| Ok(decode_floats::<N>(bytes, component, accessor.normalized)),
        )
    }

    /// All elements as unsigned integers: indices and joints.
    pub(crate) fn read_integers<const N: usize>(
        &self,
        index: Index<Accessor>,
        owner: &Subject,
    ) -> Result<Vec<[u32; N]>, Fault> {
        let accessor = lookup(&self.document.accessors, index, owner, "accessor")?;
        let subject = Subject::Numbered(Kind::Accessor, index.value());
        let (kind, component) = (kind(accessor, index)?, component(accessor, index)?);
        if width(kind) != N {
            let problem = format!("{owner} needs {N} numbers per element, it has {}", width(kind));
            return Err(Fault::invalid(subject, problem));
        }
        Ok(self
            .elements((index, accessor), N * component.size(), &subject, |bytes| {
                decode_integers(bytes, component).ok_or_else(|| {
                    Fault::invalid(&subject, format!("{owner} needs unsigned integers, it has {component:?}"))
                })
            })?
            .into_dense())
    }

    /// The elements of an accessor, of `size` bytes each, with its sparse elements applied.
    fn elements<const N: usize, T: Copy + Default>(
        &self,
        (index, accessor): (Index<Accessor>, &Accessor),
        size: usize,
        subject: &Subject,
        decode: impl Fn(&StridedBytes<'_>) -> Result<Vec<[T; N]>, Fault>,
    ) -> Result<Elements<N, T>, Fault> {
        let count = accessor.count.0;
        let base = self.base(index, accessor, size, subject)?.map(|bytes| decode(&bytes)).transpose()?;
        let (rows, values) = match &accessor.sparse {
            None => (Vec::new(), Vec::new()),
            Some(sparse) => {
                let rows = self.sparse_rows(accessor, subject)?;
                let values = &sparse.values;
                let bytes = self.strided(values.buffer_view, values.byte_offset.0, sparse.count.0, size, subject)?;
                (rows, decode(&bytes)?)
            }
        };
        Ok(match base {
            Some(mut all) => {
                for (row, value) in rows.into_iter().zip(values) {
                    all[row as usize] = value;
                }
                Elements::Dense(all)
            }
            None => Elements::Sparse { count: count as usize, rows, values },
        })
    }

    /// The elements before sparse ones are applied; none if nothing is stored.
    fn base(
        &self,
        index: Index<Accessor>,
        accessor: &Accessor,
        size: usize,
        subject: &Subject,
    ) -> Result<Option<StridedBytes<'a>>, Fault> {
        let count = accessor.count.0;
        if let Some(bytes) = self.decoded.get(&index.value()) {
            return Ok(Some(StridedBytes { bytes, stride: size, count: count as usize }));
        }
        if let Some(view) = accessor.buffer_view {
            let offset = accessor.byte_offset.unwrap_or_default().0;
            return self.strided(view, offset, count, size, subject).map(Some);
        }
        if count > self.max_count_without_data {
            return Err(Fault::invalid(
                subject,
                Problem::new(format!("claims {count} elements and stores none"))
                    .advise(format!("without data at most {} are read", self.max_count_without_data)),
            ));
        }
        Ok(None)
    }

    fn sparse_rows(&self, accessor: &Accessor, subject: &Subject) -> Result<Vec<u32>, Fault> {
        let Some(sparse) = &accessor.sparse else { return Ok(Vec::new()) };
        let subject = subject.part(Subject::field("sparse indices"));
        let Checked::Valid(IndexComponentType(component)) = sparse.indices.component_type else {
            return Err(Fault::invalid(subject, "have an unknown component type"));
        };
        let indices = &sparse.indices;
        let bytes =
            self.strided(indices.buffer_view, indices.byte_offset.0, sparse.count.0, component.size(), &subject)?;
        let rows: Vec<u32> = decode_integers::<1>(&bytes, component).unwrap_or_default().into_flattened();
        if let Some(row) = rows.iter().find(|&&row| u64::from(row) >= accessor.count.0) {
            return Err(Fault::invalid(subject, format!("name element {row}, there are {}", accessor.count.0)));
        }
        if let Some(at) = rows.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(Fault::invalid(
                subject,
                Problem::new("must increase").advise(format!(
                    "number {} is {} after {}",
                    at + 1,
                    rows[at + 1],
                    rows[at]
                )),
            ));
        }
        Ok(rows)
    }

    /// The bytes of `count` elements of `size` bytes in a view, checked against view and buffer.
    fn strided(
        &self,
        index: Index<View>,
        offset: u64,
        count: u64,
        size: usize,
        subject: &Subject,
    ) -> Result<StridedBytes<'a>, Fault> {
        let bytes = self.views.bytes(index, subject)?;
        let view = lookup(&self.document.buffer_views, index, subject, "bufferView")?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if count == 0 {
            return Ok(StridedBytes { bytes: &[], stride: size, count: 0 });
        }
        if stride < size {
            return Err(Fault::invalid(
                subject,
                format!("its elements have {size} bytes, bufferView {} puts one every {stride}", index.value()),
            ));
        }
        let end = (count - 1)
            .checked_mul(stride as u64)
            .and_then(|bytes| bytes.checked_add(size as u64))
            .and_then(|bytes| bytes.checked_add(offset))
            .filter(|&end| end <= bytes.len() as u64);
        if end.is_none() {
            return Err(Fault::invalid(
                subject,
                format!(
                    "{count} elements of {size} bytes from byte {offset} end past bufferView {}, which has {} bytes",
                    index.value(),
                    bytes.len()
                ),
            ));
        }
        Ok(StridedBytes { bytes: &bytes[offset as usize..], stride, count: count as usize })
    }
}

/// The size of an element in bytes; more than any view has if its type is unknown.
fn element_bytes(accessor: &Accessor) -> u64 {
    match (accessor.type_, accessor.component_type) {
        (Checked::Valid(kind), Checked::Valid(component)) => (width(kind) * component.0.size()) as u64,
        _ => u64::MAX,
    }
}

fn width(kind: Type) -> usize {
    kind.multiplicity()
}

/// Elements of equal length in a buffer, at equal distances.
pub(super) struct StridedBytes<'a> {
    /// From the first byte of the first element to at least the last byte of the last one.
    pub bytes: &'a [u8],
    pub stride: usize,
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

fn gather<T: Copy + Default, const N: usize, const SIZE: usize>(
    elements: &StridedBytes<'_>,
    decode: impl Fn([u8; SIZE]) -> T,
) -> Vec<[T; N]> {
    if elements.stride == N * SIZE {
        // Without gaps between elements, the compiler turns this into a copy.
        let (components, _) = elements.bytes[..elements.count * N * SIZE].as_chunks::<SIZE>();
        return components.as_chunks::<N>().0.iter().map(|element| element.map(&decode)).collect();
    }
    (0..elements.count)
        .map(|index| {
            let bytes = &elements.bytes[index * elements.stride..][..N * SIZE];
            let mut values = [T::default(); N];
            for (value, component) in values.iter_mut().zip(bytes.as_chunks::<SIZE>().0) {
                *value = decode(*component);
            }
            values
        })
        .collect()
}
