//! Builds small GLB files, valid or broken, for tests of the importer.

use base64::Engine;
use serde_json::{Value, json};
use smirk_face::head::Head;
use smirk_files::import::{ImportError, open};

pub const UNSIGNED_BYTE: u32 = 5121;
pub const BYTE: u32 = 5120;
pub const SHORT: u32 = 5122;
pub const UNSIGNED_SHORT: u32 = 5123;
pub const FLOAT: u32 = 5126;

/// A glTF file that is being built. Tests may change `json` directly.
#[derive(Clone)]
pub struct GltfBuilder {
    pub json: Value,
    bin: Vec<u8>,
}

impl GltfBuilder {
    /// A file without any objects.
    pub fn empty() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bin: Vec::new() }
    }

    /// A file with one node that shows one triangle in the xy plane, with normals along z (accessors 0 and 1).
    pub fn triangle() -> Self {
        let mut file = Self::empty();
        let positions = file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
        let normals = file.floats("VEC3", &[0., 0., 1., 0., 0., 1., 0., 0., 1.]);
        let primitive = json!({"attributes": {"POSITION": positions, "NORMAL": normals}});
        file.push("meshes", json!({"name": "tri", "primitives": [primitive]}));
        file.push("nodes", json!({"mesh": 0}));
        file
    }

    /// The same triangle with texture coordinates and a material. Texture 0, which uses image 0, is its colour texture and its
    /// normal map. The image itself is missing.
    pub fn textured_triangle() -> Self {
        let mut file = Self::triangle();
        let uvs = file.floats("VEC2", &[0., 0., 1., 0., 0., 1.]);
        file.push("textures", json!({"source": 0}));
        let (color, bumps) = (json!({"baseColorTexture": {"index": 0}}), json!({"index": 0}));
        file.push("materials", json!({"pbrMetallicRoughness": color, "normalTexture": bumps}));
        let primitive = file.primitive();
        primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
        primitive["material"] = json!(0);
        file
    }

    /// The first primitive of the first mesh.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// Appends to one of the file's lists and returns the new element's index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// Appends bytes to the binary chunk and returns the index of a view of them.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    /// The length of the binary chunk so far.
    pub fn bin_bytes(&self) -> usize {
        self.bin.len()
    }

    /// Appends bytes and an accessor to them, and returns the accessor's index.
    pub fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.push("accessors", json!({"bufferView": view, "componentType": component, "type": kind, "count": count}))
    }

    /// Appends floats and an accessor to them.
    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => panic!("{kind}"),
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(kind, FLOAT, values.len() / width, &bytes)
    }

    /// Appends 16-bit indices and an accessor to them.
    pub fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor("SCALAR", UNSIGNED_SHORT, values.len(), &bytes)
    }

    /// Adds an animation of the weights of `node` with one sampler.
    pub fn animate(&mut self, node: usize, interpolation: &str, times: &[f32], values: &[f32]) {
        let (input, output) = (self.floats("SCALAR", times), self.floats("SCALAR", values));
        self.push(
            "animations",
            json!({
                "channels": [{"sampler": 0, "target": {"node": node, "path": "weights"}}],
                "samplers": [{"input": input, "output": output, "interpolation": interpolation}]
            }),
        );
    }

    /// The file as a GLB.
    pub fn glb(&self) -> Vec<u8> {
        let mut root = self.json.clone();
        if root["buffers"].is_null() {
            root["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        self.glb_with(&root.to_string())
    }

    /// A GLB of this JSON text and the binary chunk of this file.
    pub fn glb_with(&self, text: &str) -> Vec<u8> {
        let mut text = text.as_bytes().to_vec();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        glb.extend((12 + 8 + text.len() as u32 + 8 + bin.len() as u32).to_le_bytes());
        for (kind, data) in [(b"JSON", text), (b"BIN\0", bin)] {
            glb.extend((data.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(data);
        }
        glb
    }

    /// The file as the text of a `.gltf`, with its buffer as `data:` URI.
    pub fn gltf(&self) -> String {
        let mut root = self.json.clone();
        let data = base64::engine::general_purpose::STANDARD.encode(&self.bin);
        root["buffers"] =
            json!([{"byteLength": self.bin.len(), "uri": format!("data:application/octet-stream;base64,{data}")}]);
        root.to_string()
    }

    /// Opens the file.
    pub fn open(&self) -> Result<Head, ImportError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.glb");
        std::fs::write(&path, self.glb()).unwrap();
        open(&path)
    }

    /// The error of opening the file, as one line.
    pub fn refusal(&self) -> String {
        let message = self.open().expect_err("the file opened").to_string();
        assert!(message.starts_with("test.glb: ") && !message.contains('\n'), "{message}");
        message
    }
}
