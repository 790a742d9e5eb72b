//! The binary chunk of a GLB, with its buffer views and accessors (glTF 2.0 §3.6).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use serde_json::{Value, json};

use super::precision::{Grid, Precision, StoredDeltas};
use super::streams::{Elements, Filter, Streams};

pub(super) const BYTE: u32 = 5120;
pub(super) const UNSIGNED_BYTE: u32 = 5121;
pub(super) const SHORT: u32 = 5122;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
pub(super) const FLOAT: u32 = 5126;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    /// No GPU buffer: read through the accessor.
    None,
    /// `ARRAY_BUFFER`, with the bytes from one vertex to the next.
    Vertices { stride: usize },
    /// `ELEMENT_ARRAY_BUFFER`.
    Indices,
}

/// A binary chunk under construction. What is equal is written once.
#[derive(Default)]
pub(super) struct Bin {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    is_dense: bool,
    /// How exact and small the numbers are; none for floats as they are.
    pub precision: Option<Precision>,
    /// The grid of the mesh that is written, within an error.
    pub grid: Option<Grid>,
    pub streams: Streams,
    /// The bytes of all deltas that were written within an error, about: as floats, and as they are stored.
    pub delta_bytes: [usize; 2],
    known_views: HashMap<(u64, Target), Vec<KnownView>>,
    known_accessors: HashMap<String, usize>,
}

struct KnownView {
    view: usize,
    place: Range<usize>,
}

impl Bin {
    pub(super) fn new(deltas: StoredDeltas) -> Self {
        let precision = match deltas {
            StoredDeltas::Within(precision) => Some(precision),
            StoredDeltas::Smallest | StoredDeltas::Dense => None,
        };
        Self { is_dense: deltas == StoredDeltas::Dense, precision, ..Self::default() }
    }

    /// Writes what is in streams behind the other bytes. Returns the size of what is compressed, once it is
    /// decompressed.
    pub(super) fn write_streams(&mut self) -> usize {
        let is_compressed = self.is_compressed();
        std::mem::take(&mut self.streams).write(is_compressed, &mut self.bytes, &mut self.views)
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) -> usize {
        self.view(bytes, Target::None)
    }

    /// Adds a buffer view of numbers. Those that are not finite, which glTF does not allow, become 0.
    fn view_of_floats<const N: usize>(&mut self, values: &[[f32; N]], target: Target) -> usize {
        let numbers = values.as_flattened();
        if numbers.iter().all(|number| number.is_finite()) {
            return self.view(bytemuck::cast_slice(numbers), target);
        }
        let finite: Vec<f32> = numbers.iter().map(|&number| finite(number)).collect();
        self.view(bytemuck::cast_slice(&finite), target)
    }

    fn view(&mut self, bytes: &[u8], target: Target) -> usize {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let known = self.known_views.entry((hasher.finish(), target)).or_default();
        if let Some(known) = known.iter().find(|known| self.bytes[known.place.clone()] == *bytes) {
            return known.view;
        }
        // A multiple of 4 is a valid offset for every component type.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        known.push(KnownView { view: self.views.len(), place: start..self.bytes.len() });
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": bytes.len()});
        match target {
            Target::None => {}
            // glTF requires the stride where several accessors read the vertices.
            Target::Vertices { stride } => (view["target"], view["byteStride"]) = (json!(34962), json!(stride)),
            Target::Indices => view["target"] = json!(34963),
        }
        self.views.push(view);
        self.views.len() - 1
    }

    pub(super) fn accessor(&mut self, accessor: Value) -> usize {
        *self.known_accessors.entry(accessor.to_string()).or_insert_with(|| {
            self.accessors.push(accessor);
            self.accessors.len() - 1
        })
    }

    /// Adds vertex attributes of floats. `bounds` adds their minimum and maximum, which glTF requires for positions.
    pub(super) fn vertices<const N: usize>(&mut self, values: &[[f32; N]], bounds: bool) -> usize {
        if self.precision.is_some() {
            let finite: Vec<[f32; N]> = values.iter().map(|value| value.map(finite)).collect();
            return self.float_vertices(&finite, bounds);
        }
        let view = self.view_of_floats(values, Target::Vertices { stride: size_of::<[f32; N]>() });
        self.floats(view, values, bounds)
    }

    pub(super) fn key_times(&mut self, times: &[f32]) -> usize {
        let values: Vec<[f32; 1]> = times.iter().map(|&time| [time]).collect();
        let view = self.view_of_floats(&values, Target::None);
        self.floats(view, &values, true)
    }

    pub(super) fn key_values<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let view = self.view_of_floats(values, Target::None);
        self.floats(view, values, false)
    }

    pub(super) fn matrices(&mut self, matrices: &[[f32; 16]]) -> usize {
        let view = self.view_of_floats(matrices, Target::None);
        self.floats(view, matrices, false)
    }

    /// Adds four joints per vertex, as numbers of 8 bits if these are sufficient.
    pub(super) fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let is_small = joints.iter().flatten().all(|&joint| joint <= u16::from(u8::MAX));
        let (bytes, stride, component): (Vec<u8>, usize, u32) = if is_small {
            (joints.iter().flatten().map(|&joint| joint as u8).collect(), 4, UNSIGNED_BYTE)
        } else {
            (joints.iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect(), 8, UNSIGNED_SHORT)
        };
        let mut accessor = json!({"componentType": component, "type": "VEC4", "count": joints.len()});
        if self.precision.is_some() {
            let place = self.stream(Elements::Vertices { stride, filter: Filter::None }, &bytes);
            (accessor["bufferView"], accessor["byteOffset"]) = (json!(place.view), json!(place.offset));
        } else {
            accessor["bufferView"] = json!(self.view(&bytes, Target::Vertices { stride }));
        }
        self.accessor(accessor)
    }

    fn floats<const N: usize>(&mut self, view: usize, values: &[[f32; N]], bounds: bool) -> usize {
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "type": type_of(N), "count": values.len()
        });
        if bounds {
            let (least, most) = bounds_of(values.iter().copied());
            (accessor["min"], accessor["max"]) = (json!(least.to_vec()), json!(most.to_vec()));
        }
        self.accessor(accessor)
    }

    /// Adds the vertices of triangles or lines, as 16-bit numbers if these are sufficient.
    pub(super) fn indices(&mut self, indices: &[u32], are_lines: bool) -> usize {
        let (bytes, component) = self.unsigned(indices);
        let mut accessor = json!({"componentType": component, "type": "SCALAR", "count": indices.len()});
        if self.precision.is_some() {
            let size = if component == UNSIGNED_SHORT { 2 } else { 4 };
            let elements = if are_lines { Elements::Lines { size } } else { Elements::Triangles { size } };
            let place = self.stream(elements, &bytes);
            (accessor["bufferView"], accessor["byteOffset"]) = (json!(place.view), json!(place.offset));
        } else {
            accessor["bufferView"] = json!(self.view(&bytes, Target::Indices));
        }
        self.accessor(accessor)
    }

    /// The values in little-endian order, and their component type. 16 bits are not used for an index of 65535, which
    /// is the primitive restart value.
    pub(super) fn unsigned(&self, values: &[u32]) -> (Vec<u8>, u32) {
        if values.iter().all(|&value| value < u32::from(u16::MAX)) {
            (values.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect(), UNSIGNED_SHORT)
        } else {
            (values.iter().flat_map(|value| value.to_le_bytes()).collect(), UNSIGNED_INT)
        }
    }

    /// Adds the deltas of `count` vertices, of which only those of the vertices `rows` are not zero: as a dense or as a
    /// sparse accessor, whichever is smaller.
    pub(super) fn deltas<const N: usize>(
        &mut self,
        count: usize,
        rows: &[u32],
        values: &[[f32; N]],
        bounds: bool,
    ) -> usize {
        let moved = rows.iter().copied().zip(values.iter().copied()).filter(|(_, value)| *value != [0.0; N]);
        let (rows, values): (Vec<u32>, Vec<[f32; N]>) = moved.unzip();
        let is_dense = self.is_dense;
        if rows.is_empty() && !is_dense {
            return self.zero_deltas::<N>(count);
        }
        let (row_bytes, component) = self.unsigned(&rows);
        if is_dense || row_bytes.len() + size_of_val(values.as_slice()) >= count * size_of::<[f32; N]>() {
            let mut all = vec![[0.0; N]; count];
            rows.iter().zip(values).for_each(|(&row, value)| all[row as usize] = value);
            return self.vertices(&all, bounds);
        }
        let mut accessor = json!({"componentType": FLOAT, "type": type_of(N), "count": count});
        if bounds {
            let zero = (rows.len() < count).then_some([0.0; N]);
            let (least, most) = bounds_of(values.iter().copied().chain(zero));
            (accessor["min"], accessor["max"]) = (json!(least.to_vec()), json!(most.to_vec()));
        }
        accessor["sparse"] = self.sparse(&row_bytes, component, &values);
        self.accessor(accessor)
    }

    /// Adds deltas that are all zero. glTF allows an accessor without any data for that, but some programs reject an
    /// accessor with neither a buffer view nor sparse values. It is therefore sparse, with a single zero.
    fn zero_deltas<const N: usize>(&mut self, count: usize) -> usize {
        let zero = [[0.0; N]];
        let (row_bytes, component) = self.unsigned(&[0]);
        let sparse = self.sparse(&row_bytes, component, &zero);
        let bounds = zero[0].to_vec();
        self.accessor(json!({
            "componentType": FLOAT, "type": type_of(N), "count": count, "min": bounds, "max": bounds, "sparse": sparse
        }))
    }

    fn sparse<const N: usize>(&mut self, row_bytes: &[u8], component: u32, values: &[[f32; N]]) -> Value {
        let indices = self.view(row_bytes, Target::None);
        let view = self.view_of_floats(values, Target::None);
        json!({
            "count": values.len(),
            "indices": {"bufferView": indices, "componentType": component},
            "values": {"bufferView": view}
        })
    }
}

/// The type of an accessor whose elements have so many components.
pub(super) fn type_of(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

/// A number, or 0 if it is not finite.
pub(super) fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

pub(super) fn bounds_of<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> ([f32; N], [f32; N]) {
    let mut bounds = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values {
        for (axis, x) in value.into_iter().map(finite).enumerate() {
            (bounds.0[axis], bounds.1[axis]) = (bounds.0[axis].min(x), bounds.1[axis].max(x));
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_is_written_once() {
        let mut bin = Bin::default();
        let [x, y] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let first = bin.vertices(&[x, y], true);
        assert_eq!((bin.vertices(&[x, y], true), bin.accessors.len(), bin.views.len()), (first, 1, 1));
        assert_eq!(bin.views[0]["byteStride"], 12);
        // Without bounds it is another accessor of the same bytes; as indices, as keys or of another width it is
        // another view.
        assert_ne!(bin.vertices(&[x, y], false), first);
        assert_eq!((bin.accessors.len(), bin.views.len(), bin.bytes.len()), (2, 1, 24));
        bin.key_values(&[x, y]);
        bin.vertices(&[[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]], false);
        assert_eq!(
            (bin.views.len(), bin.views[1].get("byteStride"), &bin.views[2]["byteStride"]),
            (3, None, &json!(8))
        );
        for row in 0..100 {
            bin.deltas(1000, &[row % 3], &[x], true);
        }
        assert_eq!(bin.accessors.len(), 4 + 3);
        let times = [bin.key_times(&[0.0, 1.0]), bin.key_times(&[0.0, 1.0]), bin.key_times(&[0.0, 2.0])];
        assert!(times[0] == times[1] && times[1] != times[2]);
    }

    #[test]
    fn dense_deltas_are_never_sparse() {
        let mut bin = Bin::new(StoredDeltas::Dense);
        let few = bin.deltas(100, &[7], &[[1.0, 0.0, 0.0]], true);
        let none = bin.deltas::<3>(100, &[], &[], true);
        assert!(bin.accessors.iter().all(|accessor| accessor.get("sparse").is_none()), "{:?}", bin.accessors);
        assert_eq!((bin.bytes.len(), &bin.accessors[few]["max"]), (2400, &json!([1.0, 0.0, 0.0])));
        assert_eq!(bin.accessors[none]["max"], json!([0.0, 0.0, 0.0]));
    }

    #[test]
    fn few_deltas_are_sparse_and_many_are_dense() {
        let mut bin = Bin::default();
        let [zero, x] = [[0.0; 3], [1.0, 0.0, 0.0]];
        let few = bin.deltas(100, &[7, 9], &[x, zero], true);
        assert_eq!(bin.accessors[few]["sparse"]["count"], 1);
        assert_eq!(
            (&bin.accessors[few]["min"], &bin.accessors[few]["max"]),
            (&json!([0.0, 0.0, 0.0]), &json!([1.0, 0.0, 0.0]))
        );
        assert_eq!(bin.bytes.len(), 4 + 12, "an index of 16 bits, padded to 4 bytes");
        let none = bin.deltas(100, &[3], &[zero], true);
        assert_eq!((&bin.accessors[none]["sparse"]["count"], bin.bytes.len()), (&json!(1), 16 + 16), "one zero");
        assert_eq!(bin.deltas::<3>(100, &[], &[], true), none, "shared by all targets");
        let many = bin.deltas(3, &[0, 1, 2], &[x, x, x], true);
        assert_eq!(bin.accessors[many]["min"], json!([1.0, 0.0, 0.0]));
        assert_eq!(bin.bytes.len(), 32 + 36);
    }
}
