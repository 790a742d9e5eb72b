//! The binary chunk of the file: buffer views and accessors, dense and sparse (glTF 2.0 §3.6.2). The positions of targets are in 16-bit
//! integers (`KHR_mesh_quantization`), as parts of a metre, and their normals in bytes, where all of them are at most 1.

use glam::{DVec2, DVec3};
use serde_json::{Value, json};

use super::numbers::step;
use super::part::{Part, Target};

/// Metres per centimetre.
pub const SCALE: f64 = 0.01;
/// Displacements shorter than this, in centimetres, are left out; those a little longer are shortened, so that no edge is visible.
const SHORTEST: f64 = 0.018;
/// Changes of normals smaller than this are left out, and those a little larger are made smaller.
const SMALLEST_TURN: f64 = 0.030;

/// The bytes of the chunk, and the JSON of the views and accessors in it.
#[derive(Default)]
pub struct Writer {
    /// The binary chunk.
    pub bytes: Vec<u8>,
    /// `bufferViews`.
    pub views: Vec<Value>,
    /// `accessors`.
    pub accessors: Vec<Value>,
}

const BYTE: u32 = 5120;
const SHORT: u32 = 5122;
const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;
/// Usage of a view: vertex attributes.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

impl Writer {
    /// Appends bytes to the chunk, aligned, and returns the index of their view.
    pub fn view(&mut self, bytes: &[u8], usage: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(usage) = usage {
            view["target"] = json!(usage);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Appends numbers and returns the index of their accessor, like the methods below.
    pub fn floats(&mut self, values: &[f32], kind: &str, usage: Option<u32>) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            _ => 3,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, usage);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len() / width, "type": kind,
        }))
    }

    /// Appends vectors, with the bounds that positions must have.
    pub fn vectors(&mut self, values: &[[f32; 3]], with_bounds: bool) -> usize {
        let index = self.floats(values.as_flattened(), "VEC3", Some(VERTICES));
        if with_bounds {
            let (low, high) = bounds(values.iter().copied());
            self.accessors[index]["min"] = json!(low);
            self.accessors[index]["max"] = json!(high);
        }
        index
    }

    /// Appends vectors that are zero except at `rows`.
    fn sparse(&mut self, rows: &[(usize, [f32; 3])], count: usize, is_position: bool) -> usize {
        let indices: Vec<u8> = rows.iter().flat_map(|(row, _)| (*row as u16).to_le_bytes()).collect();
        let numbers = || rows.iter().flat_map(|(_, value)| value).copied();
        let kind = match numbers().any(|x| x.abs() > 1.0) {
            true => FLOAT,
            false if is_position => SHORT,
            false => BYTE,
        };
        let values: Vec<u8> = match kind {
            FLOAT => numbers().flat_map(f32::to_le_bytes).collect(),
            SHORT => numbers().flat_map(|x| short(x).to_le_bytes()).collect(),
            _ => numbers().flat_map(|x| byte(x).to_le_bytes()).collect(),
        };
        let (indices, values) = (self.view(&indices, None), self.view(&values, None));
        let mut accessor = json!({
            "componentType": kind, "count": count, "type": "VEC3",
            "sparse": {
                "count": rows.len(),
                "indices": {"bufferView": indices, "componentType": UNSIGNED_SHORT},
                "values": {"bufferView": values},
            },
        });
        if kind != FLOAT {
            accessor["normalized"] = json!(true);
        }
        if is_position {
            let zero = (rows.len() < count).then_some([0.0; 3]);
            let (low, high) = bounds(rows.iter().map(|row| row.1).chain(zero));
            accessor["min"] = json!(low.map(short));
            accessor["max"] = json!(high.map(short));
        }
        self.accessor(accessor)
    }

    /// Appends vectors of numbers from -1 to 1 in bytes.
    pub fn bytes(&mut self, values: &[[f32; 4]]) -> usize {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|&x| byte(x).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(json!({
            "bufferView": view, "componentType": BYTE, "count": values.len(), "type": "VEC4", "normalized": true,
        }))
    }

    /// Appends triangles.
    pub fn indices(&mut self, triangles: &[[usize; 3]]) -> usize {
        let bytes: Vec<u8> = triangles.as_flattened().iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(
            json!({"bufferView": view, "componentType": UNSIGNED_SHORT, "count": triangles.len() * 3, "type": "SCALAR"}),
        )
    }

    /// Appends the lines of curves; `ends` has the end of each curve's vertices.
    pub fn lines(&mut self, ends: &[usize]) -> usize {
        let first = |curve: usize| if curve == 0 { 0 } else { ends[curve - 1] };
        let curves = (0..ends.len()).flat_map(|curve| first(curve)..ends[curve] - 1);
        let pairs: Vec<u16> = curves.flat_map(|vertex| [vertex as u16, vertex as u16 + 1]).collect();
        let bytes: Vec<u8> = pairs.iter().flat_map(|index| index.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(
            json!({"bufferView": view, "componentType": UNSIGNED_SHORT, "count": pairs.len(), "type": "SCALAR"}),
        )
    }

    /// Appends texture coordinates from 0 to 1 in 16 bits.
    pub fn uvs(&mut self, uvs: &[DVec2]) -> usize {
        let bytes: Vec<u8> = uvs.iter().flat_map(|uv| [uv.x, uv.y]).flat_map(|x| to_u16(x).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_SHORT, "count": uvs.len(), "type": "VEC2", "normalized": true,
        }))
    }

    /// Appends linear RGBA colours in 16 bits.
    pub fn colors(&mut self, part: &Part) -> usize {
        let quantized = |c: f64| to_u16(c).to_le_bytes();
        let alpha = |i: usize| part.alphas.get(i).copied().unwrap_or(1.0);
        let rgba = |(i, c): (usize, &DVec3)| [c.x, c.y, c.z, alpha(i)].map(quantized);
        let bytes: Vec<u8> = part.colors.iter().enumerate().flat_map(rgba).flatten().collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_SHORT, "count": part.colors.len(), "type": "VEC4", "normalized": true,
        }))
    }

    /// A target's attributes; `zeros` is an all-zero accessor of this mesh, made when first needed.
    pub fn target(&mut self, target: &Target, zeros: &mut Option<usize>) -> Value {
        let count = target.positions.len();
        let moved: Vec<(usize, [f32; 3])> = target
            .positions
            .iter()
            .enumerate()
            .filter(|(_, d)| d.length() > SHORTEST)
            .map(|(row, d)| (row, single(*d * (step(SHORTEST * 0.5, SHORTEST * 2.5, d.length()) * SCALE))))
            .collect();
        let turned: Vec<(usize, [f32; 3])> = target
            .normals
            .iter()
            .enumerate()
            .filter(|(_, d)| d.length() > SMALLEST_TURN)
            .map(|(row, d)| (row, single(*d * step(SMALLEST_TURN * 0.5, SMALLEST_TURN * 2.0, d.length()))))
            .collect();
        let mut write = |writer: &mut Self, rows: &[(usize, [f32; 3])], is_position: bool| {
            if rows.is_empty() {
                return *zeros.get_or_insert_with(|| writer.sparse(&[(0, [0.0; 3])], count, true));
            }
            writer.sparse(rows, count, is_position)
        };
        let position = write(self, &moved, true);
        let normal = write(self, &turned, false);
        json!({"POSITION": position, "NORMAL": normal})
    }
}

/// Converts a vector to the precision of the file.
pub fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array().map(unsigned_zero)
}

/// A number from 0 to 1 in 16 bits.
fn to_u16(x: f64) -> u16 {
    (x.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16
}

/// A number from -1 to 1 in the precision of directions.
fn byte(x: f32) -> i8 {
    (x * f32::from(i8::MAX)).round() as i8
}

/// A number from -1 to 1 in the precision of positions.
fn short(x: f32) -> i16 {
    (x * f32::from(i16::MAX)).round() as i16
}

/// Replaces -0 by 0, because the optimiser determines which of them a minimum returns.
fn unsigned_zero(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { x }
}

fn bounds(values: impl Iterator<Item = [f32; 3]>) -> ([f32; 3], [f32; 3]) {
    let (low, high) = values.fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high): ([f32; 3], [f32; 3]), value| {
        (std::array::from_fn(|i| low[i].min(value[i])), std::array::from_fn(|i| high[i].max(value[i])))
    });
    (low.map(unsigned_zero), high.map(unsigned_zero))
}
