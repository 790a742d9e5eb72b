//! The commands that write a file, each with small inputs of every kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use serde_json::json;
use smirk_editor::document::Project;
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::gltf_builder::GltfBuilder;

use crate::process::command;

/// A command that writes a file.
pub struct Case {
    pub name: &'static str,
    /// Everything but the output.
    arguments: Vec<PathBuf>,
    /// The option that names the output.
    option: &'static str,
    /// The files that it reads.
    pub inputs: Vec<PathBuf>,
    /// The extension of what it writes.
    pub extension: &'static str,
    /// What it writes begins with this.
    pub magic: &'static [u8],
}

impl Case {
    /// The command with an output.
    pub fn command(&self, output: &Path) -> std::process::Command {
        let mut command = command(&[]);
        command.args(&self.arguments).arg(self.option).arg(output);
        command
    }

    pub fn run(&self, output: &Path) -> Output {
        self.command(output).output().unwrap()
    }
}

/// The commands that need no window, with their inputs in `folder`.
pub fn commands(folder: &Path) -> Vec<Case> {
    let files = Files::write(folder);
    let drawn = ["--size", "16x16"];
    let sheet = ["--cell", "48", "--frames", "2"];
    let head = [&files.head, &files.buffer, &files.image];
    let obj = [&files.obj, &files.mtl, &files.image];
    let case = |name, command: &str, read: &[&PathBuf], options: &[&str], inputs: &[&PathBuf], glb: bool| Case {
        name,
        arguments: std::iter::once(PathBuf::from(command))
            .chain(read.iter().map(|&path| path.clone()))
            .chain(options.iter().map(PathBuf::from))
            .collect(),
        option: "-o",
        inputs: inputs.iter().map(|&path| path.clone()).collect(),
        extension: if glb { "glb" } else { "png" },
        magic: if glb { b"glTF" } else { b"\x89PNG" },
    };
    let (take, animation) = (PathBuf::from("--take"), PathBuf::from("animation"));
    let as_glb = ["--format", "glb"];
    vec![
        case(
            "render",
            "render",
            &[&files.head, &take, &files.take],
            &drawn,
            &[&head[..], &[&files.take]].concat(),
            false,
        ),
        case("render of an OBJ", "render", &[&files.obj], &drawn, &obj, false),
        case(
            "render of a project",
            "render",
            &[&files.project],
            &drawn,
            &[&head[..], &[&files.project, &files.take]].concat(),
            false,
        ),
        case(
            "sheet",
            "sheet",
            &[&files.head, &take, &files.take],
            &sheet,
            &[&head[..], &[&files.take]].concat(),
            false,
        ),
        case(
            "export of an animation",
            "export",
            &[&animation, &files.head, &take, &files.take],
            &as_glb,
            &[&head[..], &[&files.take]].concat(),
            true,
        ),
        case(
            "export of a project's animation",
            "export",
            &[&animation, &files.project],
            &as_glb,
            &[&head[..], &[&files.project, &files.take]].concat(),
            true,
        ),
        case("convert", "convert", &[&files.head, &files.obj], &[], &[&head[..], &obj[..2]].concat(), true),
    ]
}

/// The window with `--screenshot`, which is refused before it opens.
pub fn screenshot(folder: &Path) -> Case {
    let files = Files::write(folder);
    let inputs = vec![files.head, files.project, files.take, files.poses];
    Case {
        name: "screenshot",
        arguments: inputs.clone(),
        option: "--screenshot",
        inputs,
        extension: "png",
        magic: b"\x89PNG",
    }
}

struct Files {
    head: PathBuf,
    buffer: PathBuf,
    image: PathBuf,
    obj: PathBuf,
    mtl: PathBuf,
    take: PathBuf,
    poses: PathBuf,
    project: PathBuf,
}

impl Files {
    fn write(folder: &Path) -> Self {
        let at = |name: &str| folder.join(name);
        let files = Self {
            head: at("face.gltf"),
            buffer: at("face.bin"),
            image: at("skin.png"),
            obj: at("face_smile.obj"),
            mtl: at("face.mtl"),
            take: at("take.csv"),
            poses: at("poses.json"),
            project: at("walk.smirk"),
        };
        image::RgbaImage::from_pixel(2, 2, image::Rgba([200, 150, 120, 255])).save(&files.image).unwrap();
        write_head(&files.head, &files.buffer);
        let obj = "mtllib face.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0.2\nvt 0 0\nf 1/1 2/1 3/1\n";
        fs::write(&files.obj, obj).unwrap();
        fs::write(&files.mtl, "newmtl skin\nmap_Kd skin.png\n").unwrap();
        fs::write(&files.take, "Timecode,BlendShapeCount,jawOpen\n00:00:00:00.000,1,0.1\n00:00:01:00.000,1,0.9\n")
            .unwrap();
        fs::write(&files.poses, r#"{"Open":{"jawOpen":1.0}}"#).unwrap();
        let head = Arc::new(import::open(&files.head).unwrap());
        let mut session = Session::new(head, HeadSource::File(files.head.clone()), Look::default(), BlendMode::Cpu);
        session.takes_mut().add(import::open_takes(&files.take).unwrap());
        Project::from_session(&session).write(&files.project).unwrap();
        files
    }
}

/// A triangle with one target, whose buffer and image are files beside it.
fn write_head(head: &Path, buffer: &Path) {
    let mut builder = GltfBuilder::triangle();
    let deltas = builder.floats("VEC3", &[0., 0., 0.1, 0., 0., 0., 0., 0., 0.]);
    let uvs = builder.floats("VEC2", &[0., 0., 1., 0., 0., 1.]);
    builder.primitive()["targets"] = json!([{"POSITION": deltas}]);
    builder.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    builder.primitive()["material"] = json!(0);
    builder.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen"]});
    builder.json["images"] = json!([{"uri": "skin.png"}]);
    builder.json["textures"] = json!([{"source": 0}]);
    builder.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    let glb = builder.glb();
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let json_end = 20 + word(12);
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..json_end]).unwrap();
    json["buffers"][0]["uri"] = json!("face.bin");
    fs::write(buffer, &glb[json_end + 8..]).unwrap();
    fs::write(head, json.to_string()).unwrap();
}
