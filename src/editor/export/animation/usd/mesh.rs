//! Meshes with blend shapes and plain materials, as prims of USD.

use glam::Vec3;

use super::super::scene::ShapeScene;
use super::text::{Names, Text, joined, quoted};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Material, Mesh, Target};

/// Writes all meshes below the root, and their materials.
pub(super) fn meshes(scene: &ShapeScene, root: &str, text: &mut Text, progress: Progress<'_>) -> Result<(), Cancelled> {
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

/// The faces of each material.
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
    let at = |row: &u32| moved.binary_search(row).ok().and_then(|at| offsets.get(at)).unwrap_or(&Vec3::ZERO);
    points(rows.iter().map(at))
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
