//! Writes glTF 2.0 as one binary file: sparse targets, metres, textures embedded (glTF 2.0 §3.6.2.3, §3.7.2.2, §4).

use serde_json::{Value, json};

use super::expressions::Expression;
use super::part::{Guides, Material, Part};
use super::writer::{SCALE, Writer, single};

/// An encoded image.
pub struct Image {
    /// The name in the file.
    pub name: &'static str,
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// The properties of a material in glTF.
pub struct Look {
    /// The surface that it is the material of.
    pub material: Material,
    /// The name in the file.
    pub name: &'static str,
    /// Roughness: 0 = mirror, 1 = fully rough.
    pub roughness: f64,
    /// Whether back faces are drawn.
    pub is_double_sided: bool,
    /// Whether it is alpha-blended.
    pub is_transparent: bool,
    /// Index of its base-colour texture.
    pub image: Option<usize>,
    /// Indices of its normal map and its roughness texture.
    pub maps: Option<[usize; 2]>,
    /// Emission, linear.
    pub emissive: [f64; 3],
}

impl Look {
    /// Whether back faces are drawn.
    pub const fn double_sided(mut self) -> Self {
        self.is_double_sided = true;
        self
    }

    /// Whether it is alpha-blended.
    pub const fn transparent(mut self) -> Self {
        self.is_transparent = true;
        self
    }

    /// Sets the normal map and the roughness texture.
    pub const fn with_maps(mut self, normals: usize, roughness: usize) -> Self {
        self.maps = Some([normals, roughness]);
        self
    }

    /// Sets a little emission, which replaces the light that shines through enamel and that shadow maps remove.
    pub const fn emitting(mut self, red: f64, green: f64, blue: f64) -> Self {
        self.emissive = [red, green, blue];
        self
    }
}

/// A clip: key times in seconds and, per key, one weight per expression.
pub struct Clip {
    /// The name in the file.
    pub name: &'static str,
    /// In seconds, ascending.
    pub times: Vec<f64>,
    /// `[key][expression]`.
    pub weights: Vec<Vec<f64>>,
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
            attributes["TEXCOORD_0"] = json!(writer.uvs(&part.uvs));
        }
        if !part.tangents.is_empty() {
            let tangents: Vec<[f32; 4]> = part.tangents.iter().map(|t| t.as_vec4().to_array()).collect();
            attributes["TANGENT"] = json!(writer.bytes(&tangents));
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
        primitives.extend(part.guides.iter().map(|guides| lines(&mut writer, guides, looks)));
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

/// Guides of hair as a primitive of lines, with how strands are grown between them.
fn lines(writer: &mut Writer, guides: &Guides, looks: &[Look]) -> Value {
    let points = &guides.points;
    let positions: Vec<[f32; 3]> = points.positions.iter().map(|p| single(*p * SCALE)).collect();
    let unit: Vec<[f32; 3]> = points.normals.iter().map(|n| single(*n)).collect();
    let growth: serde_json::Map<String, Value> =
        guides.growth.iter().map(|&(name, number)| (name.to_owned(), json!(number))).collect();
    json!({
        "attributes": {
            "POSITION": writer.vectors(&positions, true),
            "NORMAL": writer.vectors(&unit, false),
            "COLOR_0": writer.colors(points),
        },
        "indices": writer.lines(&guides.ends),
        "material": looks.iter().position(|look| look.material == Material::Strands),
        "mode": 1,
        "extras": {"strands": growth},
    })
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
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0,
        "scenes": [{"nodes": [parts.len()]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": looks.iter().map(material).collect::<Vec<_>>(),
        "textures": textures,
        "images": pictures,
        // Linear filtering, no mirroring: u already increases towards both sides of the middle.
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
    if look.emissive != [0.0; 3] {
        material["emissiveFactor"] = json!(look.emissive);
    }
    if look.is_double_sided {
        material["doubleSided"] = json!(true);
    }
    if look.is_transparent {
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
