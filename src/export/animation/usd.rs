//! A clip as a USD stage in text: `UsdSkel` blend shapes, and an animation of their weights.
//!
//! The schema is that of OpenUSD (UsdSkel: `SkelRoot`, `Skeleton`, `SkelAnimation`, `BlendShape`). Points are in metres
//! and in world space, y is up. Frame 0 of the stage is the first frame of the clip.

use std::fmt::{Display, Write};

use glam::Vec3;

use super::clip::Recording;
use super::scene::ShapeScene;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Material, Mesh, Target};
use smirk_files::import::UniqueNames;

pub(super) fn text(
    recording: &Recording,
    head: &Head,
    with_head: bool,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    progress.report("writing", 0.0)?;
    let scene = ShapeScene::new(std::slice::from_ref(recording), head, with_head);
    let mut names = Names::default();
    let root = names.unique(&head.name);
    let mut text = Text::default();
    let rate = recording.performance.span.rate.frames_per_sec();
    text.line("#usda 1.0");
    text.open("(");
    text.line(format!("defaultPrim = {}", quoted(&root)));
    text.line(format!("endTimeCode = {}", recording.frame_count() - 1));
    text.line(format!("framesPerSecond = {rate}"));
    text.line("metersPerUnit = 1");
    text.line("startTimeCode = 0");
    text.line(format!("timeCodesPerSecond = {rate}"));
    text.line("upAxis = \"Y\"");
    text.close(")");
    text.line("");
    text.open(format!("def SkelRoot {} (\n    prepend apiSchemas = [\"SkelBindingAPI\"]\n)\n{{", quoted(&root)));
    animation(recording, &scene, &root, tolerance, &mut text, progress.part_of(0, 1 + scene.head.meshes.len()))?;
    meshes(&scene, &root, &mut text, progress)?;
    text.close("}");
    Ok(text.finish().into_bytes())
}

/// The skeleton, which has one joint that stands still, since some programs look for one, and the animation of the
/// weights.
fn animation(
    recording: &Recording,
    scene: &ShapeScene,
    root: &str,
    tolerance: Option<f32>,
    text: &mut Text,
    progress: Progress<'_>,
) -> Result<(), Cancelled> {
    let identity = "[( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )]";
    text.open("def Skeleton \"Skeleton\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {");
    text.line(format!("uniform matrix4d[] bindTransforms = {identity}"));
    text.line("uniform token[] joints = [\"root\"]");
    text.line(format!("uniform matrix4d[] restTransforms = {identity}"));
    text.line(format!("rel skel:animationSource = </{root}/Skeleton/Animation>"));
    text.line("");
    text.open("def SkelAnimation \"Animation\"\n        {");
    text.line(format!(
        "uniform token[] blendShapes = [{}]",
        joined(scene.shapes.iter().map(|shape| quoted(&shape.name)))
    ));
    text.open("float[] blendShapeWeights.timeSamples = {");
    let width = scene.shapes.len();
    let keys = recording.keys(scene.weights(recording), width, tolerance);
    let rows = keys.frames.iter().zip(keys.values.chunks_exact(width.max(1)));
    for (index, (frame, weights)) in rows.enumerate() {
        progress.step("writing", index, keys.frames.len())?;
        text.line(format!("{frame}: [{}],", joined(weights.iter())));
    }
    text.close("}");
    text.line("uniform token[] joints = [\"root\"]");
    text.line("quatf[] rotations = [(1, 0, 0, 0)]");
    text.line("half3[] scales = [(1, 1, 1)]");
    text.line("float3[] translations = [(0, 0, 0)]");
    text.close("}");
    text.close("}");
    Ok(())
}

fn meshes(scene: &ShapeScene, root: &str, text: &mut Text, progress: Progress<'_>) -> Result<(), Cancelled> {
    let mut names = Names::default();
    names.unique("Skeleton");
    let looks = names.unique("Looks");
    let mut material_names = Names::default();
    let materials: Vec<String> =
        scene.head.materials.iter().map(|material| material_names.unique(&material.name)).collect();
    let material_paths: Vec<String> = materials.iter().map(|name| format!("/{root}/{looks}/{name}")).collect();
    for (index, mesh) in scene.head.meshes.iter().enumerate() {
        let progress = progress.part_of(1 + index, 1 + scene.head.meshes.len());
        let path = format!("/{root}/{}", names.unique(&mesh.name));
        write_mesh(mesh, scene, root, &path, &material_paths, text, progress)?;
    }
    text.line("");
    text.open(format!("def Scope {}\n    {{", quoted(&looks)));
    for (material, path) in scene.head.materials.iter().zip(&material_paths) {
        write_material(material, path, text);
    }
    text.close("}");
    Ok(())
}

fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn write_mesh(
    mesh: &Mesh,
    scene: &ShapeScene,
    root: &str,
    path: &str,
    materials: &[String],
    text: &mut Text,
    progress: Progress<'_>,
) -> Result<(), Cancelled> {
    let vertices = &mesh.vertices;
    let triangles: Vec<u32> = mesh.parts.iter().flat_map(|part| mesh.triangles_of(part)).copied().collect();
    let mut names = Names::default();
    let shapes: Vec<(usize, &Target, String)> = mesh
        .targets
        .iter()
        .enumerate()
        .map(|(index, target)| (scene.shape_of_target[mesh.first_target + index], target))
        .map(|(shape, target)| (shape, target, names.unique(&target.name)))
        .collect();
    text.line("");
    text.open(format!(
        "def Mesh {} (\n        prepend apiSchemas = [\"MaterialBindingAPI\", \"SkelBindingAPI\"]\n    )\n    {{",
        quoted(last_of(path))
    ));
    let is_double_sided =
        mesh.parts.iter().any(|part| scene.head.materials.get(part.material).is_some_and(|it| it.double_sided));
    text.line(format!("uniform bool doubleSided = {}", u8::from(is_double_sided)));
    let (least, most) = vertices
        .positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(least, most), point| (least.min(*point), most.max(*point)));
    if least.is_finite() && most.is_finite() {
        text.line(format!("float3[] extent = [{}]", points([least, most].iter())));
    }
    text.line(format!("int[] faceVertexCounts = [{}]", joined(triangles.chunks_exact(3).map(|_| 3))));
    text.line(format!("int[] faceVertexIndices = [{}]", joined(triangles.iter())));
    text.line(format!("point3f[] points = [{}]", points(vertices.positions.iter())));
    let per_vertex = "interpolation = \"vertex\"";
    if vertices.normals.iter().all(|normal| *normal != Vec3::ZERO) {
        text.line(format!("normal3f[] normals = [{}] ({per_vertex})", points(vertices.normals.iter())));
    }
    if !vertices.uvs.is_empty() {
        // USD counts v from the bottom of an image, glTF from its top.
        let uvs = vertices.uvs.iter().map(|uv| format!("({}, {})", uv.x, 1.0 - uv.y));
        text.line(format!("texCoord2f[] primvars:st = [{}] ({per_vertex})", joined(uvs)));
    }
    let still = joined(vertices.positions.iter().map(|_| 0));
    text.line(format!("int[] primvars:skel:jointIndices = [{still}] (elementSize = 1; {per_vertex})"));
    let whole = joined(vertices.positions.iter().map(|_| 1));
    text.line(format!("float[] primvars:skel:jointWeights = [{whole}] (elementSize = 1; {per_vertex})"));
    text.line(format!("rel skel:skeleton = </{root}/Skeleton>"));
    text.line("uniform token subdivisionScheme = \"none\"");
    if !shapes.is_empty() {
        let tokens = shapes.iter().map(|(shape, ..)| quoted(&scene.shapes[*shape].name));
        text.line(format!("uniform token[] skel:blendShapes = [{}]", joined(tokens)));
        let targets = shapes.iter().map(|(.., name)| format!("<{path}/{name}>"));
        text.line(format!("rel skel:blendShapeTargets = [{}]", joined(targets)));
    }
    if let [part] = mesh.parts[..]
        && let Some(material) = materials.get(part.material)
    {
        text.line(format!("rel material:binding = <{material}>"));
    } else {
        write_parts(mesh, materials, &mut names, text);
    }
    for (index, (_, target, name)) in shapes.iter().enumerate() {
        progress.step("writing", index, shapes.len())?;
        write_shape(target, name, text);
    }
    text.close("}");
    Ok(())
}

fn write_parts(mesh: &Mesh, materials: &[String], names: &mut Names, text: &mut Text) {
    text.line("uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"");
    let mut first_face = 0;
    for part in &mesh.parts {
        let faces = mesh.triangles_of(part).len() / 3;
        let name = names.unique("part");
        text.line("");
        text.open(format!(
            "def GeomSubset {} (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n        {{",
            quoted(&name)
        ));
        text.line("uniform token elementType = \"face\"");
        text.line("uniform token familyName = \"materialBind\"");
        text.line(format!("int[] indices = [{}]", joined(first_face..first_face + faces)));
        if let Some(material) = materials.get(part.material) {
            text.line(format!("rel material:binding = <{material}>"));
        }
        text.close("}");
        first_face += faces;
    }
}

fn write_shape(target: &Target, name: &str, text: &mut Text) {
    text.line("");
    text.open(format!("def BlendShape {}\n        {{", quoted(name)));
    // All shapes of a blend shape have the same points.
    let mut rows: Vec<u32> = target.shapes().flat_map(|shape| shape.rows).copied().collect();
    rows.sort_unstable();
    rows.dedup();
    let mut names = Names::default();
    for in_between in &target.in_betweens {
        let name = names.unique(if in_between.name.is_empty() { "inbetween" } else { &in_between.name });
        let (shape, weight) = (in_between.deltas(), in_between.full_weight);
        let offsets = offsets_at(&rows, shape.rows, shape.positions);
        text.line(format!("uniform point3f[] inbetweens:{name} = [{offsets}] (weight = {weight})"));
        if !shape.normals.is_empty() {
            let offsets = offsets_at(&rows, shape.rows, shape.normals);
            text.line(format!("vector3f[] inbetweens:{name}:normalOffsets = [{offsets}]"));
        }
    }
    if !target.normals.is_empty() {
        let offsets = offsets_at(&rows, &target.rows, &target.normals);
        text.line(format!("uniform vector3f[] normalOffsets = [{offsets}]"));
    }
    text.line(format!("uniform vector3f[] offsets = [{}]", offsets_at(&rows, &target.rows, &target.positions)));
    text.line(format!("uniform int[] pointIndices = [{}]", joined(rows.iter())));
    text.close("}");
}

/// The offsets at `rows` of a shape that moves `moved`, which are among them; zero at the others, or where it has none.
fn offsets_at(rows: &[u32], moved: &[u32], offsets: &[Vec3]) -> String {
    points(rows.iter().map(|row| moved.binary_search(row).ok().and_then(|at| offsets.get(at)).unwrap_or(&Vec3::ZERO)))
}

/// A material without its textures, which are images that a text cannot hold.
fn write_material(material: &Material, path: &str, text: &mut Text) {
    let [red, green, blue, alpha] = material.base_color;
    text.line("");
    text.open(format!("def Material {}\n        {{", quoted(last_of(path))));
    text.line(format!("token outputs:surface.connect = <{path}/Surface.outputs:surface>"));
    text.line("");
    text.open("def Shader \"Surface\"\n            {");
    text.line("uniform token info:id = \"UsdPreviewSurface\"");
    text.line(format!("color3f inputs:diffuseColor = ({red}, {green}, {blue})"));
    text.line(format!("float inputs:metallic = {}", material.metallic));
    text.line(format!("float inputs:opacity = {alpha}"));
    text.line(format!("float inputs:roughness = {}", material.roughness));
    text.line("token outputs:surface");
    text.close("}");
    text.close("}");
}

fn points<'a>(points: impl Iterator<Item = &'a Vec3>) -> String {
    joined(points.map(|point| format!("({}, {}, {})", point.x, point.y, point.z)))
}

#[derive(Default)]
struct Text {
    text: String,
    depth: usize,
}

impl Text {
    fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text += line;
        }
        self.text.push('\n');
    }

    /// Adds a line after which lines are indented.
    fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends the indentation, and adds a line.
    fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    fn finish(self) -> String {
        self.text
    }
}

#[derive(Default)]
struct Names(UniqueNames);

impl Names {
    /// A name of letters, digits and underscores (the identifiers of USD) that no other prim has.
    fn unique(&mut self, name: &str) -> String {
        let mut plain: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        if !plain.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            plain.insert(0, '_');
        }
        self.0.make_between(plain, "_", "")
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn joined<T: Display>(elements: impl Iterator<Item = T>) -> String {
    let mut text = String::new();
    for (index, element) in elements.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{element}", if index > 0 { ", " } else { "" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_unique() {
        let mut names = Names::default();
        let made = ["jaw Open", "jaw-Open", "2nd", "", "口"].map(|name| names.unique(name));
        assert_eq!(made, ["jaw_Open", "jaw_Open_2", "_2nd", "_", "__2"]);
        assert_eq!(quoted("a\"b\\"), "\"a\\\"b\\\\\"");
    }
}
