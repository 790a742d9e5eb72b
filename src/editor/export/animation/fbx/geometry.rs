//! Meshes, materials and blend shapes as objects of FBX.

use glam::Vec3;

use super::node::{Node, property};
use super::objects::{ObjectId, Objects, named};
use crate::export::animation::scene::ShapeScene;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Material, Mesh, ShapeDeltas};

/// A blend shape of one mesh.
pub(super) struct ShapeChannel {
    /// The object whose `DeformPercent` is the weight.
    pub id: ObjectId,
    /// Index into [`ShapeScene::shapes`].
    pub shape: usize,
}

/// Writes all meshes, and returns their blend shapes.
pub(super) fn write(
    scene: &ShapeScene,
    objects: &mut Objects,
    progress: Progress<'_>,
) -> Result<Vec<ShapeChannel>, Cancelled> {
    let materials: Vec<ObjectId> = scene.head.materials.iter().map(|it| material(it, objects)).collect();
    let mut channels = Vec::new();
    for (index, mesh) in scene.head.meshes.iter().enumerate() {
        let progress = progress.part_of(index, scene.head.meshes.len());
        let geometry = objects.add("Geometry", &named(&mesh.name, "Geometry"), "Mesh", geometry(mesh));
        let transform = Node::new("Properties70")
            .with(property("Lcl Translation", "Lcl Translation", "", "A").double(0.0).double(0.0).double(0.0))
            .with(property("Lcl Rotation", "Lcl Rotation", "", "A").double(0.0).double(0.0).double(0.0))
            .with(property("Lcl Scaling", "Lcl Scaling", "", "A").double(1.0).double(1.0).double(1.0));
        let inside = vec![
            Node::new("Version").int(232),
            transform,
            Node::new("Shading").boolean(true),
            Node::new("Culling").text("CullingOff"),
        ];
        let model = objects.add("Model", &named(&mesh.name, "Model"), "Mesh", inside);
        objects.connect(model, ObjectId::ROOT);
        objects.connect(geometry, model);
        for material in materials_of(mesh) {
            if let Some(&id) = materials.get(material) {
                objects.connect(id, model);
            }
        }
        if !mesh.targets.is_empty() {
            channels.extend(shapes(mesh, geometry, scene, objects, progress)?);
        }
    }
    Ok(channels)
}

/// The materials of a mesh, each once, in the order of its parts.
fn materials_of(mesh: &Mesh) -> Vec<usize> {
    let mut materials = Vec::new();
    for part in &mesh.parts {
        if !materials.contains(&part.material) {
            materials.push(part.material);
        }
    }
    materials
}

fn xyz(points: &[Vec3]) -> impl Iterator<Item = f64> {
    points.iter().flat_map(|point| point.to_array()).map(f64::from)
}

fn geometry(mesh: &Mesh) -> Vec<Node> {
    let vertices = &mesh.vertices;
    let corners: Vec<u32> = mesh.parts.iter().flat_map(|part| mesh.triangles_of(part)).copied().collect();
    let (materials, parts) = (materials_of(mesh), &mesh.parts);
    // The last corner of a polygon is stored as its complement.
    let polygons =
        corners.iter().enumerate().map(|(at, &corner)| if at % 3 == 2 { !(corner as i32) } else { corner as i32 });
    let layer = |name: &'static str, kind: &str, mapping: &str, reference: &str| {
        Node::new(name)
            .int(0)
            .with(Node::new("Version").int(101))
            .with(Node::new("Name").text(kind))
            .with(Node::new("MappingInformationType").text(mapping))
            .with(Node::new("ReferenceInformationType").text(reference))
    };
    let mut nodes = vec![
        Node::new("GeometryVersion").int(124),
        Node::new("Vertices").doubles(xyz(&vertices.positions)),
        Node::new("PolygonVertexIndex").ints(polygons),
    ];
    let mut layers = Vec::new();
    if vertices.normals.iter().all(|normal| *normal != Vec3::ZERO) {
        let of_corners = corners.iter().filter_map(|&corner| vertices.normals.get(corner as usize));
        let normals = of_corners.flat_map(|normal| normal.to_array()).map(f64::from);
        let normals =
            layer("LayerElementNormal", "", "ByPolygonVertex", "Direct").with(Node::new("Normals").doubles(normals));
        nodes.push(normals);
        layers.push("LayerElementNormal");
    }
    if !vertices.uvs.is_empty() {
        // FBX counts v from the bottom of an image, glTF from its top.
        let uvs = vertices.uvs.iter().flat_map(|uv| [uv.x, 1.0 - uv.y]).map(f64::from);
        nodes.push(
            layer("LayerElementUV", "UVMap", "ByPolygonVertex", "IndexToDirect")
                .with(Node::new("UV").doubles(uvs))
                .with(Node::new("UVIndex").ints(corners.iter().map(|&corner| corner as i32))),
        );
        layers.push("LayerElementUV");
    }
    let of_faces = parts.iter().flat_map(|part| {
        let material = materials.iter().position(|material| *material == part.material).unwrap_or(0);
        std::iter::repeat_n(material as i32, mesh.triangles_of(part).len() / 3)
    });
    nodes.push(
        layer("LayerElementMaterial", "", "ByPolygon", "IndexToDirect").with(Node::new("Materials").ints(of_faces)),
    );
    layers.push("LayerElementMaterial");
    let elements = layers.into_iter().map(|layer| {
        Node::new("LayerElement").with(Node::new("Type").text(layer)).with(Node::new("TypedIndex").int(0))
    });
    nodes.push(Node::new("Layer").int(0).with(Node::new("Version").int(100)).with_all(elements));
    nodes
}

fn material(material: &Material, objects: &mut Objects) -> ObjectId {
    let [red, green, blue, alpha] = material.base_color.map(f64::from);
    let properties = Node::new("Properties70")
        .with(property("DiffuseColor", "Color", "", "A").double(red).double(green).double(blue))
        .with(property("Opacity", "double", "Number", "").double(alpha));
    let inside = vec![
        Node::new("Version").int(102),
        Node::new("ShadingModel").text("Phong"),
        Node::new("MultiLayer").int(0),
        properties,
    ];
    objects.add("Material", &named(&material.name, "Material"), "", inside)
}

/// The blend shapes of a mesh: a deformer, and for each target a channel with its shapes, the last of them at 100 % unless an
/// in-between is above.
fn shapes(
    mesh: &Mesh,
    geometry: ObjectId,
    scene: &ShapeScene,
    objects: &mut Objects,
    progress: Progress<'_>,
) -> Result<Vec<ShapeChannel>, Cancelled> {
    let deformer =
        objects.add("Deformer", &named(&mesh.name, "Deformer"), "BlendShape", vec![Node::new("Version").int(100)]);
    objects.connect(deformer, geometry);
    let mut channels = Vec::with_capacity(mesh.targets.len());
    for (index, target) in mesh.targets.iter().enumerate() {
        progress.step("writing", index, mesh.targets.len())?;
        // The full weight, the name and the deltas of each shape, ascending.
        let in_betweens =
            target.in_betweens.iter().map(|it| (f64::from(it.full_weight), it.name.as_str(), it.deltas()));
        let mut shapes_of_target: Vec<_> = in_betweens.chain([(1.0, target.name.as_str(), target.deltas())]).collect();
        shapes_of_target.sort_by(|a, b| a.0.total_cmp(&b.0));
        let inside = vec![
            Node::new("Version").int(100),
            Node::new("DeformPercent").double(f64::from(target.default_weight) * 100.0),
            Node::new("FullWeights").doubles(shapes_of_target.iter().map(|(full_weight, ..)| full_weight * 100.0)),
        ];
        let channel = objects.add("Deformer", &named(&target.name, "SubDeformer"), "BlendShapeChannel", inside);
        objects.connect(channel, deformer);
        for (_, name, deltas) in shapes_of_target {
            let shape = objects.add("Geometry", &named(name, "Geometry"), "Shape", shape(deltas));
            objects.connect(shape, channel);
        }
        channels.push(ShapeChannel { id: channel, shape: scene.shape_of_target[mesh.first_target + index] });
    }
    Ok(channels)
}

fn shape(shape: ShapeDeltas<'_>) -> Vec<Node> {
    // Readers expect at least one vertex: a shape that moves nothing moves the first one by nothing.
    let moves_none = shape.rows.is_empty();
    let rows: &[u32] = if moves_none { &[0] } else { shape.rows };
    let still = vec![Vec3::ZERO; rows.len()];
    let or_still = |deltas: &[Vec3]| if deltas.len() == rows.len() { deltas.to_vec() } else { still.clone() };
    vec![
        Node::new("Version").int(100),
        Node::new("Indexes").ints(rows.iter().map(|&row| row as i32)),
        Node::new("Vertices").doubles(xyz(&or_still(shape.positions))),
        Node::new("Normals").doubles(xyz(&or_still(shape.normals))),
    ]
}
