//! Meshes compressed by Draco (`KHR_draco_mesh_compression`).

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, FaceIndex, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
    PointIndex,
};
use serde_json::{Value, json};

use crate::gltf_builder::{FLOAT, GltfBuilder, UNSIGNED_BYTE, UNSIGNED_SHORT};

/// How the triangles are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connectivity {
    /// Indices as they are: vertices keep their order, which targets need.
    Sequential,
    /// By their edges: the decoder gives the vertices an order of its own.
    Edgebreaker,
}

/// A wavy square of `side`² vertices, 1 wide, with normals, texture coordinates and joints.
#[derive(Clone, Debug)]
pub struct Grid {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub joints: Vec<[u8; 4]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Grid {
    pub fn new(side: u32) -> Self {
        let part = |index: u32| index as f32 / (side - 1) as f32;
        let cells = (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
        let places: Vec<[f32; 2]> = (0..side * side).map(|at| [part(at % side), part(at / side)]).collect();
        Self {
            positions: places.iter().map(|[x, y]| [*x, *y, 0.1 * (7.0 * x).sin() * (5.0 * y).cos()]).collect(),
            normals: vec![[0.0, 0.6, 0.8]; places.len()],
            uvs: places,
            joints: (0..side * side).map(|at| [(at % 7) as u8, (at % 3) as u8, 0, 255]).collect(),
            triangles: cells.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect(),
        }
    }

    /// The compressed mesh: positions have id 0, normals 1, texture coordinates 2 and joints 3. `bits` is the precision of positions,
    /// normals and texture coordinates; with 0 they are stored as floats.
    pub fn compressed(&self, connectivity: Connectivity, bits: i32) -> Vec<u8> {
        let mut mesh = Mesh::new();
        mesh.set_num_points(self.positions.len());
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let attributes = [
            (GeometryAttributeType::Position, DataType::Float32, 3, floats(self.positions.as_flattened())),
            (GeometryAttributeType::Normal, DataType::Float32, 3, floats(self.normals.as_flattened())),
            (GeometryAttributeType::TexCoord, DataType::Float32, 2, floats(self.uvs.as_flattened())),
            (GeometryAttributeType::Generic, DataType::Uint8, 4, self.joints.as_flattened().to_vec()),
        ];
        for (kind, data_type, width, bytes) in attributes {
            let mut attribute = PointAttribute::new();
            attribute.init(kind, width, data_type, false, self.positions.len());
            attribute.buffer_mut().write(0, &bytes);
            mesh.add_attribute(attribute);
        }
        mesh.set_num_faces(self.triangles.len());
        for (index, triangle) in self.triangles.iter().enumerate() {
            mesh.set_face(FaceIndex(index as u32), triangle.map(PointIndex));
        }
        let mut options = EncoderOptions::new();
        options.set_encoding_method(if connectivity == Connectivity::Sequential { 0 } else { 1 });
        for id in 0..3 {
            if bits > 0 {
                options.set_attribute_quantization(id, bits);
            }
        }
        let mut encoder = MeshEncoder::new();
        encoder.set_mesh(mesh);
        let mut buffer = EncoderBuffer::new();
        encoder.encode(&options, &mut buffer).expect("a compressed mesh");
        buffer.data().to_vec()
    }

    /// A file that shows the mesh, compressed, with one target that is not compressed and moves every vertex up by its number.
    pub fn file(&self, connectivity: Connectivity, bits: i32) -> GltfBuilder {
        let mut file = GltfBuilder::empty();
        let view = file.view(&self.compressed(connectivity, bits));
        let count = self.positions.len();
        let mut accessor = |kind: &str, component: u32, count: usize| {
            file.push("accessors", json!({"componentType": component, "type": kind, "count": count}))
        };
        let attributes = json!({"POSITION": accessor("VEC3", FLOAT, count), "NORMAL": accessor("VEC3", FLOAT, count),
            "TEXCOORD_0": accessor("VEC2", FLOAT, count), "JOINTS_0": accessor("VEC4", UNSIGNED_BYTE, count)});
        let indices = accessor("SCALAR", UNSIGNED_SHORT, 3 * self.triangles.len());
        let moved: Vec<f32> = (0..count).flat_map(|index| [0.0, 0.0, index as f32]).collect();
        let target = file.floats("VEC3", &moved);
        let ids = json!({"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3});
        let extension: Value = json!({"bufferView": view, "attributes": ids});
        let primitive = json!({"attributes": attributes, "indices": indices, "targets": [{"POSITION": target}],
            "extensions": {"KHR_draco_mesh_compression": extension}});
        file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        file.push("meshes", json!({"primitives": [primitive]}));
        file.push("nodes", json!({"mesh": 0}));
        file
    }
}
