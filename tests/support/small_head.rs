//! A head of a few hundred vertices, for tests that start the program many times: it is opened, and its pipelines are built, in a
//! small part of the time that the bundled head takes.

use std::f32::consts::PI;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::NamedTempFile;

use crate::gltf_builder::GltfBuilder;

/// Vertices along the equator and from pole to pole.
const SIZE: [usize; 2] = [24, 16];
/// The radius of the sphere in metres.
const RADIUS: f32 = 0.1;

/// Writes a sphere that faces +z, in two colours, as `small_head.glb`, and returns its path. `jawOpen` lowers its chin,
/// `eyeBlinkLeft` pushes its upper left in, `mouthSmileLeft` widens its lower left.
pub fn write(folder: &Path) -> PathBuf {
    let path = folder.join("small_head.glb");
    // In one step: other processes of the tests may read the file in this folder.
    let mut written = NamedTempFile::new_in(folder).expect("a folder that can be written to");
    written.write_all(&file().glb()).expect("space for a small file");
    written.persist(&path).expect("a folder that can be written to");
    path
}

/// The file of [`write()`]; node 0 has the mesh.
pub fn file() -> GltfBuilder {
    let [across, down] = SIZE;
    let directions: Vec<[f32; 3]> = (0..down)
        .flat_map(|row| (0..across).map(move |column| (row, column)))
        .map(|(row, column)| {
            let (polar, around) = (PI * row as f32 / (down - 1) as f32, 2.0 * PI * column as f32 / (across - 1) as f32);
            [polar.sin() * around.sin(), polar.cos(), polar.sin() * around.cos()]
        })
        .collect();
    let deltas = |delta: fn([f32; 3]) -> [f32; 3]| directions.iter().flat_map(|&at| delta(at)).collect::<Vec<f32>>();
    let jaw = deltas(|[_, y, z]| if y < -0.2 && z > 0.0 { [0.0, 0.05 * y, 0.0] } else { [0.0; 3] });
    let blink = deltas(|[x, y, z]| if x > 0.1 && y > 0.1 && z > 0.0 { [0.0, 0.0, -0.04] } else { [0.0; 3] });
    let smile = deltas(|[x, y, z]| if x > 0.1 && y < 0.0 && z > 0.0 { [0.04, 0.01, 0.0] } else { [0.0; 3] });
    let positions: Vec<f32> = directions.iter().flatten().map(|value| value * RADIUS).collect();
    let normals: Vec<f32> = directions.iter().flatten().copied().collect();
    let colors = directions.iter().flat_map(|at| if at[1] > 0.0 { [0.8, 0.5, 0.4, 1.0] } else { [0.3, 0.5, 0.7, 1.0] });
    let corners = (0..down - 1).flat_map(|row| {
        (0..across - 1).flat_map(move |column| {
            let at = row * across + column;
            [at, at + across, at + 1, at + 1, at + across, at + across + 1]
        })
    });
    let mut file = GltfBuilder::empty();
    let attributes = json!({
        "POSITION": file.floats("VEC3", &positions),
        "NORMAL": file.floats("VEC3", &normals),
        "COLOR_0": file.floats("VEC4", &colors.collect::<Vec<f32>>()),
    });
    let indices = file.indices(&corners.map(|corner| corner as u16).collect::<Vec<u16>>());
    let targets = [jaw, blink, smile].map(|deltas| json!({"POSITION": file.floats("VEC3", &deltas)}));
    file.push(
        "materials",
        json!({"name": "plain", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.4}}),
    );
    file.push(
        "meshes",
        json!({
            "name": "face",
            "primitives": [{"attributes": attributes, "indices": indices, "targets": targets, "material": 0}],
            "extras": {"targetNames": ["jawOpen", "eyeBlinkLeft", "mouthSmileLeft"]},
        }),
    );
    file.push("nodes", json!({"name": "face", "mesh": 0}));
    // Its clip opens the jaw within four seconds.
    file.animate(0, "LINEAR", &[0.0, 4.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    file
}
