//! Accessors of a file that is stored within an error.

use serde_json::{Value, json};

use super::bin::{BYTE, Bin, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT, bounds_of, type_of};
use super::precision::{Grid, Packing, Precision};
use super::streams::{Elements, Filter, Place};

/// The bits of each of the two numbers of an octahedral normal: a 30th of a degree.
const OCTAHEDRAL_BITS: i32 = 12;

/// The exponent of two of the steps of deltas of normals that go beyond -1..1, which shorter numbers cannot hold.
const TURN_EXPONENT: i32 = -7;

/// The exponent of two of the steps in which texture coordinates and colours are compressed that are not numbers of 16
/// bits.
const FINE_EXPONENT: i32 = -16;

/// The bytes that a sparse accessor takes more of the JSON than a dense one, about.
const SPARSE_JSON: usize = 120;

/// The deltas that a normal may lose: half of a step of a byte.
const LEAST_TURN: f32 = 0.5 / 127.0;

/// A component of a number: its type, and how it is written.
#[derive(Clone, Copy)]
enum Component {
    Float,
    Byte,
    Short,
    /// A whole number times a power of two.
    Exponential {
        exponent: i32,
        shift: u32,
    },
    /// A float in steps of [`TURN_EXPONENT`]; one beyond -1..1 has steps twice as long, so that a byte holds them.
    Turn,
}

impl Component {
    fn code(self) -> u32 {
        match self {
            Self::Float | Self::Exponential { .. } | Self::Turn => FLOAT,
            Self::Byte => BYTE,
            Self::Short => SHORT,
        }
    }

    fn size(self) -> usize {
        match self {
            Self::Float | Self::Exponential { .. } | Self::Turn => 4,
            Self::Byte => 1,
            Self::Short => 2,
        }
    }

    fn push(self, value: f32, bytes: &mut Vec<u8>) {
        match self {
            Self::Float => bytes.extend(value.to_le_bytes()),
            Self::Byte => bytes.extend((value as i8).to_le_bytes()),
            Self::Short => bytes.extend((value as i16).to_le_bytes()),
            Self::Exponential { exponent, shift } => bytes.extend(exponential(value, exponent, shift)),
            Self::Turn => {
                let (mut value, mut exponent) = (value, TURN_EXPONENT);
                while value.abs() > f32::from(i8::MAX) {
                    (value, exponent) = ((value / 2.0).round(), exponent + 1);
                }
                bytes.extend(exponential(value, exponent, 16));
            }
        }
    }

    fn filter(self) -> Filter {
        match self {
            Self::Float | Self::Byte | Self::Short => Filter::None,
            Self::Exponential { .. } | Self::Turn => Filter::Exponential,
        }
    }

    /// The float that a number of 1 is in the file.
    fn unit(self) -> f32 {
        match self {
            Self::Float | Self::Byte | Self::Short => 1.0,
            Self::Exponential { exponent, .. } => 2_f32.powi(exponent),
            Self::Turn => 2_f32.powi(TURN_EXPONENT),
        }
    }

    /// Whole numbers times a power of two, unless the 24 bits of the exponential filter are too few for them.
    ///
    /// Short numbers take the upper bytes of the 24 bits: the lower ones are then 0 and compress to nothing, where the
    /// upper bytes of a number that changes its sign would not.
    fn exponential<const N: usize>(values: &[[f32; N]], exponent: i32) -> Option<Self> {
        let most = largest(values);
        let bits = [(127.0, 16), (32767.0, 8), (8388607.0, 0)];
        let shift = bits.iter().find(|(largest, _)| most <= *largest)?.1;
        Some(Self::Exponential { exponent, shift })
    }

    fn values<const N: usize>(self, values: &[[f32; N]]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(values.len() * N * self.size());
        values.as_flattened().iter().for_each(|&value| self.push(value, &mut bytes));
        bytes
    }

    /// With every element on a multiple of four bytes, as vertex attributes have to be.
    fn vertices<const N: usize>(self, values: &[[f32; N]]) -> (Elements, Vec<u8>) {
        let stride = (N * self.size()).next_multiple_of(4);
        let mut bytes = Vec::with_capacity(values.len() * stride);
        for value in values {
            value.iter().for_each(|&value| self.push(value, &mut bytes));
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        (Elements::Vertices { stride, filter: self.filter() }, bytes)
    }
}

/// The deltas of a target of one attribute, in the numbers that are written.
struct Steps {
    rows: Vec<u32>,
    values: Vec<[f32; 3]>,
    component: Component,
    is_normalised: bool,
    has_bounds: bool,
    /// The bytes that the deltas take as floats.
    as_floats: usize,
}

impl Bin {
    pub(super) fn positions(&mut self, values: &[[f32; 3]]) -> usize {
        let Some((precision, grid)) = self.precision.zip(self.grid) else { return self.vertices(values, true) };
        if precision.packing == Packing::Compressed
            && let Some(exponent) = grid.exponent()
            && let Some(accessor) = self.exponential(values, grid.unit(), exponent + Grid::REST_EXPONENT, true)
        {
            return accessor;
        }
        let in_file: Vec<[f32; 3]> =
            values.iter().map(|value| value.map(|x| finite_quotient(x, grid.unit()))).collect();
        self.float_vertices(&in_file, true)
    }

    /// Adds vertex attributes as whole numbers times a power of two, in a unit. Nothing if they do not fit.
    fn exponential<const N: usize>(
        &mut self,
        values: &[[f32; N]],
        unit: f32,
        exponent: i32,
        bounds: bool,
    ) -> Option<usize> {
        let step = 2_f32.powi(exponent);
        let whole = whole_numbers(values, unit * step);
        let component = Component::exponential(&whole, exponent)?;
        let (elements, bytes) = component.vertices(&whole);
        let place = self.stream(elements, &bytes);
        let mut accessor = accessor(&place, FLOAT, N, values.len());
        if bounds {
            add_bounds(&mut accessor, whole.iter().map(|value| value.map(|x| x * step)));
        }
        Some(self.accessor(accessor))
    }

    pub(super) fn normals(&mut self, values: &[[f32; 3]]) -> usize {
        if !self.is_quantised() {
            return self.vertices(values, false);
        }
        let as_shorts = scaled(values, i16::MAX);
        self.directions(&as_shorts, values.iter().map(|&[x, y, z]| [x, y, z, 0.0]))
    }

    pub(super) fn tangents(&mut self, values: &[[f32; 4]]) -> usize {
        if !self.is_quantised() {
            return self.vertices(values, false);
        }
        self.directions(&scaled(values, i16::MAX), values.iter().copied())
    }

    /// Adds unit vectors: as normalised numbers of 16 bits, or, compressed, as points of an octahedron.
    fn directions<const N: usize>(
        &mut self,
        as_shorts: &[[f32; N]],
        directions: impl Iterator<Item = [f32; 4]>,
    ) -> usize {
        let (elements, bytes) = if self.is_compressed() {
            let directions: Vec<[f32; 4]> = directions.collect();
            let points = meshopt::encode_filter_oct::<i16>(&directions, OCTAHEDRAL_BITS);
            let bytes = bytemuck::cast_slice(points.as_slice()).to_vec();
            (Elements::Vertices { stride: 8, filter: Filter::Octahedral }, bytes)
        } else {
            Component::Short.vertices(as_shorts)
        };
        let place = self.stream(elements, &bytes);
        let mut accessor = accessor(&place, SHORT, N, as_shorts.len());
        accessor["normalized"] = json!(true);
        self.accessor(accessor)
    }

    pub(super) fn uvs(&mut self, values: &[[f32; 2]]) -> usize {
        if self.precision.is_none_or(|precision| precision.packing == Packing::Floats) {
            return self.vertices(values, false);
        }
        if are_parts(values) {
            return self.parts(values);
        }
        self.fine_floats(values)
    }

    /// Adds vertex attributes as floats, compressed in fine steps.
    fn fine_floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let compressed = if self.is_compressed() { self.exponential(values, 1.0, FINE_EXPONENT, false) } else { None };
        compressed.unwrap_or_else(|| self.vertices(values, false))
    }

    pub(super) fn colors<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        // An element of three shorter numbers would not be a multiple of four bytes.
        if self.precision.is_some() && N == 4 && are_parts(values) {
            self.parts(values)
        } else {
            self.fine_floats(values)
        }
    }

    /// Adds numbers from 0 to 1 as normalised ones of 8 bits, if that loses nothing, or of 16.
    fn parts<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let is_small = N == 4
            && values
                .as_flattened()
                .iter()
                .all(|x| (x * 255.0 - (x * 255.0).round()).abs() < 255.0 / f32::from(u16::MAX));
        let (component, size, most) = if is_small { (UNSIGNED_BYTE, 1, 255.0) } else { (UNSIGNED_SHORT, 2, 65535.0) };
        let mut bytes = Vec::with_capacity(values.len() * N * size);
        for x in values.as_flattened() {
            bytes.extend(&((x * most).round() as u16).to_le_bytes()[..size]);
        }
        let place = self.stream(Elements::Vertices { stride: N * size, filter: Filter::None }, &bytes);
        let mut accessor = accessor(&place, component, N, values.len());
        accessor["normalized"] = json!(true);
        self.accessor(accessor)
    }

    /// Adds weights of joints, whose sum at a vertex stays 1.
    pub(super) fn weights(&mut self, sets: &[Vec<[f32; 4]>]) -> Vec<usize> {
        let count = sets.first().map_or(0, Vec::len);
        let of_vertex = |vertex: usize| sets.iter().flat_map(move |set| set[vertex]);
        let is_whole = (0..count).all(|vertex| {
            let sum: f32 = of_vertex(vertex).sum();
            (sum - 1.0).abs() < 1e-3 && of_vertex(vertex).all(|weight| (0.0..=1.0).contains(&weight))
        });
        if self.precision.is_none_or(|precision| precision.packing == Packing::Floats) || !is_whole {
            return sets.iter().map(|set| self.vertices(set, false)).collect();
        }
        let mut bytes = vec![Vec::with_capacity(count * 8); sets.len()];
        for vertex in 0..count {
            let mut weights: Vec<u16> = of_vertex(vertex).map(|weight| (weight * 65535.0).round() as u16).collect();
            let sum: u32 = weights.iter().map(|&weight| u32::from(weight)).sum();
            if let Some(largest) = weights.iter_mut().max() {
                *largest = (u32::from(*largest) + 65535).saturating_sub(sum) as u16;
            }
            for (set, weights) in bytes.iter_mut().zip(weights.chunks(4)) {
                set.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
            }
        }
        let accessors = bytes.iter().map(|bytes| {
            let place = self.stream(Elements::Vertices { stride: 8, filter: Filter::None }, bytes);
            let mut accessor = accessor(&place, UNSIGNED_SHORT, 4, count);
            accessor["normalized"] = json!(true);
            self.accessor(accessor)
        });
        accessors.collect()
    }

    pub(super) fn position_deltas(&mut self, count: usize, rows: &[u32], values: &[[f32; 3]]) -> usize {
        let Some((_, grid)) = self.precision.zip(self.grid) else { return self.deltas(count, rows, values, true) };
        let as_floats = bytes_as_floats(count, values);
        let kept = rows.iter().zip(values).filter(|(_, value)| length(value) > grid.least);
        let (rows, values): (Vec<u32>, Vec<[f32; 3]>) = kept.map(|(row, value)| (*row, *value)).unzip();
        let exponent = grid.exponent().filter(|_| self.is_compressed() && !grid.is_in_steps);
        let whole = whole_numbers(&values, grid.unit() * 2_f32.powi(exponent.unwrap_or(0)));
        let most = largest(&whole);
        let (values, component) = match exponent.and_then(|exponent| Component::exponential(&whole, exponent)) {
            Some(component) => (whole, component),
            None if !grid.is_in_steps => (values, Component::Float),
            None if most <= 127.0 => (whole, Component::Byte),
            None if most <= 32767.0 => (whole, Component::Short),
            None => (whole, Component::Float),
        };
        self.smallest(count, Steps { rows, values, component, is_normalised: false, has_bounds: true, as_floats })
    }

    /// Adds deltas of normals or tangents.
    pub(super) fn direction_deltas(&mut self, count: usize, rows: &[u32], values: &[[f32; 3]]) -> usize {
        if self.precision.is_none() {
            return self.deltas(count, rows, values, false);
        }
        let as_floats = bytes_as_floats(count, values);
        let kept = rows.iter().zip(values).filter(|(_, value)| value.iter().any(|x| x.abs() > LEAST_TURN));
        let (rows, values): (Vec<u32>, Vec<[f32; 3]>) = kept.map(|(row, value)| (*row, *value)).unzip();
        let most = largest(&values);
        let fits = self.is_quantised() && most <= 1.0;
        let (values, component) = match most {
            _ if fits => (scaled(&values, i8::MAX.into()), Component::Byte),
            _ if self.is_compressed() && most < 1e3 => {
                (whole_numbers(&values, 2_f32.powi(TURN_EXPONENT)), Component::Turn)
            }
            _ => (values, Component::Float),
        };
        self.smallest(count, Steps { rows, values, component, is_normalised: fits, has_bounds: false, as_floats })
    }

    /// Adds deltas as a dense or a sparse accessor, whichever adds less to the file.
    fn smallest(&mut self, count: usize, steps: Steps) -> usize {
        let Steps { rows, values, component, is_normalised, has_bounds, as_floats } = steps;
        let kept = rows.into_iter().zip(values).filter(|(_, value)| *value != [0.0; 3]);
        let (rows, values): (Vec<u32>, Vec<[f32; 3]>) = kept.unzip();
        if rows.is_empty() {
            self.delta_bytes[0] += as_floats;
            return self.deltas::<3>(count, &[], &[], has_bounds);
        }
        let mut all = vec![[0.0; 3]; count];
        rows.iter().zip(&values).for_each(|(&row, &value)| all[row as usize] = value);
        let (vertices, dense) = component.vertices(&all);
        let (row_bytes, row_component) = self.unsigned(&rows);
        let of_rows = Elements::Rows { size: row_bytes.len() / rows.len() };
        let of_values = Elements::Values { size: component.size(), filter: component.filter() };
        let sparse = component.values(&values);
        let is_compressed = self.is_compressed();
        let dense_cost = vertices.cost(&dense, is_compressed);
        let sparse_cost =
            SPARSE_JSON + of_rows.cost(&row_bytes, is_compressed) + of_values.cost(&sparse, is_compressed);
        let mut json = json!({"componentType": component.code(), "type": "VEC3", "count": count});
        if is_normalised {
            json["normalized"] = json!(true);
        }
        if has_bounds {
            add_bounds(&mut json, all.iter().map(|value| value.map(|x| x * component.unit())));
        }
        let is_new;
        if sparse_cost < dense_cost {
            let [rows_at, values_at] =
                [(of_rows, &row_bytes), (of_values, &sparse)].map(|(of, bytes)| self.stream(of, bytes));
            is_new = values_at.is_new || rows_at.is_new;
            json["sparse"] = json!({
                "count": rows.len(),
                "indices": {
                    "bufferView": rows_at.view, "byteOffset": rows_at.offset, "componentType": row_component
                },
                "values": {"bufferView": values_at.view, "byteOffset": values_at.offset}
            });
        } else {
            let place = self.stream(vertices, &dense);
            is_new = place.is_new;
            (json["bufferView"], json["byteOffset"]) = (json!(place.view), json!(place.offset));
        }
        let cost = if is_new { dense_cost.min(sparse_cost) } else { 0 };
        let [plain, stored] = &mut self.delta_bytes;
        (*plain, *stored) = (*plain + as_floats, *stored + cost);
        self.accessor(json)
    }

    /// Adds vertex attributes of floats to the buffer view of its width.
    pub(super) fn float_vertices<const N: usize>(&mut self, values: &[[f32; N]], bounds: bool) -> usize {
        let (elements, bytes) = Component::Float.vertices(values);
        let place = self.stream(elements, &bytes);
        let mut accessor = accessor(&place, FLOAT, N, values.len());
        if bounds {
            add_bounds(&mut accessor, values.iter().copied());
        }
        self.accessor(accessor)
    }

    pub(super) fn stream(&mut self, elements: Elements, bytes: &[u8]) -> Place {
        self.streams.add(elements, bytes, &mut self.views)
    }

    fn is_quantised(&self) -> bool {
        let allowed = self.precision.is_some_and(|precision| precision.packing != Packing::Floats);
        allowed && self.grid.is_some_and(|grid| grid.step.is_normal())
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.precision.is_some_and(|Precision { packing, .. }| packing == Packing::Compressed)
    }
}

/// How often a unit goes into each number; 0 where that is not a finite number.
fn finite_quotient(x: f32, unit: f32) -> f32 {
    let quotient = x / unit;
    if quotient.is_finite() { quotient } else { 0.0 }
}

fn whole_numbers<const N: usize>(values: &[[f32; N]], unit: f32) -> Vec<[f32; N]> {
    values.iter().map(|value| value.map(|x| finite_quotient(x, unit).round())).collect()
}

fn largest<const N: usize>(values: &[[f32; N]]) -> f32 {
    values.as_flattened().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// The bytes of deltas as floats, dense or sparse.
fn bytes_as_floats(count: usize, values: &[[f32; 3]]) -> usize {
    let moved = values.iter().filter(|value| **value != [0.0; 3]).count();
    (count * 12).min(moved * if count < usize::from(u16::MAX) { 14 } else { 16 })
}

fn length(value: &[f32; 3]) -> f32 {
    value.iter().map(|x| x * x).sum::<f32>().sqrt()
}

fn are_parts<const N: usize>(values: &[[f32; N]]) -> bool {
    values.as_flattened().iter().all(|x| (0.0..=1.0).contains(x))
}

/// Numbers from -1 to 1 as whole ones up to the largest that a type has.
fn scaled<const N: usize>(values: &[[f32; N]], most: i16) -> Vec<[f32; N]> {
    values.iter().map(|value| value.map(|x| (x.clamp(-1.0, 1.0) * f32::from(most)).round())).collect()
}

/// A whole number times a power of two, as the exponential filter has it: 8 bits of exponent, 24 of the number, whose
/// lowest ones are 0 where it is shifted.
fn exponential(value: f32, exponent: i32, shift: u32) -> [u8; 4] {
    let number = (value as i32) << shift;
    ((exponent - shift as i32) << 24 | (number & 0xff_ffff)).to_le_bytes()
}

fn accessor(place: &Place, component: u32, components: usize, count: usize) -> Value {
    json!({
        "bufferView": place.view, "byteOffset": place.offset, "componentType": component, "type": type_of(components),
        "count": count
    })
}

fn add_bounds<const N: usize>(accessor: &mut Value, values: impl Iterator<Item = [f32; N]>) {
    let (least, most) = bounds_of(values);
    (accessor["min"], accessor["max"]) = (json!(least.to_vec()), json!(most.to_vec()));
}
