//! Writes glTF 2.0 as one binary file: sparse targets, metres, textures embedded (glTF 2.0 §3.6.2.3, §3.7.2.2, §4).

use glam::DVec3;
use serde_json::{Value, json};

use super::expressions::Expression;
use super::numbers::step;
use super::part::{Material, Part, Target};

/// Centimetres to metres.
const SCALE: f64 = 0.01;
/// Displacements shorter than this are left out, centimetres; those a little longer are shortened, so that no edge shows.
const SHORTEST: f64 = 0.012;
/// Changes of normals smaller than this are left out.
const SMALLEST_TURN: f64 = 0.02;

/// An encoded picture.
pub struct Image {
    /// Its name in the file.
    pub name: &'static str,
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// A surface as glTF has it.
pub struct Look {
    /// Which.
    pub material: Material,
    /// Its name in the file.
    pub name: &'static str,
    /// 0 = mirror, 1 = chalk.
    pub roughness: f64,
    /// Drawn from behind too.
    pub is_double_sided: bool,
    /// Drawn over what is behind it.
    pub is_see_through: bool,
    /// Index of its base colour's picture.
    pub image: Option<usize>,
    /// Indices of its pictures of normals and of roughness.
    pub maps: Option<[usize; 2]>,
}

impl Look {
    /// Drawn from behind too.
    pub const fn double_sided(mut self) -> Self {
        self.is_double_sided = true;
        self
    }

    /// Drawn over what is behind it.
    pub const fn see_through(mut self) -> Self {
        self.is_see_through = true;
        self
    }

    /// With pictures of normals and of roughness.
    pub const fn with_maps(mut self, normals: usize, roughness: usize) -> Self {
        self.maps = Some([normals, roughness]);
        self
    }
}

/// A clip: key times in seconds and, per key, one weight per expression.
pub struct Clip {
    /// Its name in the file.
    pub name: &'static str,
    /// Ascending, seconds.
    pub times: Vec<f64>,
    /// `[key][expression]`.
    pub weights: Vec<Vec<f64>>,
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

impl Writer {
    fn view(&mut self, bytes: &[u8], usage: Option<u32>) -> usize {
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

    fn floats(&mut self, values: &[f32], kind: &str, usage: Option<u32>) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC4" => 4,
            _ => 3,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, usage);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len() / width, "type": kind,
        }))
    }

    fn vectors(&mut self, values: &[[f32; 3]], with_bounds: bool) -> usize {
        let index = self.floats(values.as_flattened(), "VEC3", Some(VERTICES));
        if with_bounds {
            let (low, high) = bounds(values.iter().copied());
            self.accessors[index]["min"] = json!(low);
            self.accessors[index]["max"] = json!(high);
        }
        index
    }

    /// Vectors that are zero except at `rows`.
    fn sparse(&mut self, rows: &[(usize, [f32; 3])], count: usize, with_bounds: bool) -> usize {
        let indices: Vec<u8> = rows.iter().flat_map(|(row, _)| (*row as u16).to_le_bytes()).collect();
        let values: Vec<u8> = rows.iter().flat_map(|(_, value)| value).flat_map(|x| x.to_le_bytes()).collect();
        let (indices, values) = (self.view(&indices, None), self.view(&values, None));
        let mut accessor = json!({
            "componentType": FLOAT, "count": count, "type": "VEC3",
            "sparse": {
                "count": rows.len(),
                "indices": {"bufferView": indices, "componentType": 5123},
                "values": {"bufferView": values},
            },
        });
        if with_bounds {
            let zero = (rows.len() < count).then_some([0.0; 3]);
            let (low, high) = bounds(rows.iter().map(|row| row.1).chain(zero));
            accessor["min"] = json!(low);
            accessor["max"] = json!(high);
        }
        self.accessor(accessor)
    }

    fn indices(&mut self, triangles: &[[usize; 3]]) -> usize {
        let bytes: Vec<u8> = triangles.as_flattened().iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(
            json!({"bufferView": view, "componentType": 5123, "count": triangles.len() * 3, "type": "SCALAR"}),
        )
    }

    fn colors(&mut self, part: &Part) -> usize {
        let quantized = |c: f64| ((c.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes();
        let alpha = |i: usize| part.alphas.get(i).copied().unwrap_or(1.0);
        let rgba = |(i, c): (usize, &DVec3)| [c.x, c.y, c.z, alpha(i)].map(quantized);
        let bytes: Vec<u8> = part.colors.iter().enumerate().flat_map(rgba).flatten().collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(json!({
            "bufferView": view, "componentType": 5123, "count": part.colors.len(), "type": "VEC4", "normalized": true,
        }))
    }

    /// A target's attributes; `still` is an all-zero accessor of this mesh, made when first needed.
    fn target(&mut self, target: &Target, still: &mut Option<usize>) -> Value {
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
            .map(|(row, d)| (row, single(*d)))
            .collect();
        let mut write = |writer: &mut Self, rows: &[(usize, [f32; 3])], with_bounds: bool| {
            if rows.is_empty() {
                return *still.get_or_insert_with(|| writer.sparse(&[(0, [0.0; 3])], count, true));
            }
            writer.sparse(rows, count, with_bounds)
        };
        let position = write(self, &moved, true);
        let normal = write(self, &turned, false);
        json!({"POSITION": position, "NORMAL": normal})
    }
}

fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array().map(unsigned_zero)
}

/// Zero without a sign: which one a minimum returns is up to the optimiser.
fn unsigned_zero(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { x }
}

fn bounds(values: impl Iterator<Item = [f32; 3]>) -> ([f32; 3], [f32; 3]) {
    let (low, high) = values.fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high): ([f32; 3], [f32; 3]), value| {
        (std::array::from_fn(|i| low[i].min(value[i])), std::array::from_fn(|i| high[i].max(value[i])))
    });
    (low.map(unsigned_zero), high.map(unsigned_zero))
}

/// The whole file.
pub fn write(parts: &[Part], looks: &[Look], images: &[Image], expressions: &[Expression], clip: &Clip) -> Vec<u8> {
    let mut writer = Writer::default();
    let names: Vec<String> = expressions.iter().map(Expression::name).collect();
    let mut meshes = Vec::new();
    for part in parts {
        let positions: Vec<[f32; 3]> = part.positions.iter().map(|p| single(*p * SCALE)).collect();
        let unit: Vec<[f32; 3]> = part.normals.iter().map(|n| single(*n)).collect();
        let mut attributes = json!({
            "POSITION": writer.vectors(&positions, true),
            "NORMAL": writer.vectors(&unit, false),
            "COLOR_0": writer.colors(part),
        });
        if !part.uvs.is_empty() {
            let uvs: Vec<f32> = part.uvs.iter().flat_map(|uv| [uv.x as f32, uv.y as f32]).collect();
            attributes["TEXCOORD_0"] = json!(writer.floats(&uvs, "VEC2", Some(VERTICES)));
        }
        if !part.tangents.is_empty() {
            let tangents: Vec<f32> =
                part.tangents.iter().flat_map(|t| t.as_vec4().to_array().map(unsigned_zero)).collect();
            attributes["TANGENT"] = json!(writer.floats(&tangents, "VEC4", Some(VERTICES)));
        }
        let mut still = None;
        let targets: Vec<Value> = part.targets.iter().map(|target| writer.target(target, &mut still)).collect();
        let mut primitives = Vec::new();
        for (material, triangles) in &part.triangles {
            let mut primitive = json!({
                "attributes": attributes,
                "indices": writer.indices(triangles),
                "material": looks.iter().position(|look| look.material == *material),
            });
            if !targets.is_empty() {
                primitive["targets"] = json!(targets);
            }
            primitives.push(primitive);
        }
        let mut mesh = json!({"name": part.name, "primitives": primitives});
        if !targets.is_empty() {
            mesh["weights"] = json!(vec![0.0; names.len()]);
            mesh["extras"] = json!({"targetNames": names});
        }
        meshes.push(mesh);
    }
    let document = document(&mut writer, parts, meshes, looks, images, expressions, clip);
    container(document, writer.bytes)
}

fn document(
    writer: &mut Writer,
    parts: &[Part],
    meshes: Vec<Value>,
    looks: &[Look],
    images: &[Image],
    expressions: &[Expression],
    clip: &Clip,
) -> Value {
    let times: Vec<f32> = clip.times.iter().map(|&t| t as f32).collect();
    let weights: Vec<f32> = clip.weights.iter().flatten().map(|&w| w as f32).collect();
    let input = writer.floats(&times, "SCALAR", None);
    writer.accessors[input]["min"] = json!([times[0]]);
    writer.accessors[input]["max"] = json!([times[times.len() - 1]]);
    let output = writer.floats(&weights, "SCALAR", None);
    let moving = parts.iter().enumerate().filter(|(_, part)| !part.targets.is_empty());
    let channels: Vec<Value> =
        moving.map(|(node, _)| json!({"sampler": 0, "target": {"node": node, "path": "weights"}})).collect();
    let mut nodes: Vec<Value> =
        parts.iter().enumerate().map(|(mesh, part)| json!({"name": part.name, "mesh": mesh})).collect();
    nodes.push(json!({"name": "bust", "children": (0..parts.len()).collect::<Vec<_>>()}));
    let pictures: Vec<Value> = images
        .iter()
        .map(|image| {
            let view = writer.view(&image.bytes, None);
            json!({"name": image.name, "mimeType": image.mime_type, "bufferView": view})
        })
        .collect();
    let textures: Vec<Value> = (0..images.len()).map(|source| json!({"sampler": 0, "source": source})).collect();
    let pairs: Vec<Value> = expressions.chunks(2).map(|pair| json!([pair[0].name(), pair[1].name()])).collect();
    json!({
        "asset": {"version": "2.0", "generator": "Smirk's sculpt", "extras": {"pairs": pairs}},
        "scene": 0,
        "scenes": [{"nodes": [parts.len()]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": looks.iter().map(material).collect::<Vec<_>>(),
        "textures": textures,
        "images": pictures,
        // Linear everywhere, mirrored nowhere: u runs to one side and back on the other by itself.
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "animations": [{
            "name": clip.name,
            "samplers": [{"input": input, "output": output, "interpolation": "LINEAR"}],
            "channels": channels,
        }],
        "accessors": writer.accessors,
        "bufferViews": writer.views,
        "buffers": [{"byteLength": writer.bytes.len().next_multiple_of(4)}],
    })
}

fn material(look: &Look) -> Value {
    let mut surface = json!({"metallicFactor": 0.0, "roughnessFactor": look.roughness});
    if let Some(image) = look.image {
        surface["baseColorTexture"] = json!({"index": image});
    }
    if let Some([_, roughness]) = look.maps {
        surface["metallicRoughnessTexture"] = json!({"index": roughness});
    }
    let mut material = json!({"name": look.name, "pbrMetallicRoughness": surface});
    if let Some([normals, _]) = look.maps {
        material["normalTexture"] = json!({"index": normals});
    }
    if look.is_double_sided {
        material["doubleSided"] = json!(true);
    }
    if look.is_see_through {
        material["alphaMode"] = json!("BLEND");
    }
    material
}

/// Header, JSON chunk, binary chunk.
fn container(document: Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut file = Vec::with_capacity(28 + text.len() + binary.len());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    word(&mut file, 0x4654_6C67);
    word(&mut file, 2);
    word(&mut file, (28 + text.len() + binary.len()) as u32);
    word(&mut file, text.len() as u32);
    word(&mut file, 0x4E4F_534A);
    file.extend(&text);
    word(&mut file, binary.len() as u32);
    word(&mut file, 0x004E_4942);
    file.extend(&binary);
    file
}
