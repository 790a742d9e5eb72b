//! Clips as a binary FBX file of version 7.4: meshes with blend shapes, and a stack of animation curves for each clip.
//!
//! Autodesk documents the SDK, not the file. The layout follows what Blender's exporter writes (`io_scene_fbx`), and
//! the description of the format by Blender's developers ("FBX binary file format specification", 2013). Points are in
//! metres and in world space, y is up. Every clip starts at 0.

use glam::Vec3;

use super::clip::Recording;
use super::scene::ShapeScene;
use crate::animation::clip::FrameKeys;
use crate::animation::scene::printable;
use crate::generator;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Material, Mesh, ShapeDeltas};

pub(super) fn bytes(
    recordings: &[Recording],
    head: &Head,
    with_head: bool,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    progress.report("writing", 0.0)?;
    let scene = ShapeScene::new(recordings, head, with_head);
    let mut objects = Objects::default();
    let channels = write_geometry(&scene, &mut objects, progress.part_of(0, 1 + recordings.len()))?;
    for (index, recording) in recordings.iter().enumerate() {
        let progress = progress.part_of(1 + index, 1 + recordings.len());
        write_animation(recording, &scene, &channels, tolerance, &mut objects, progress)?;
    }
    Ok(file(&nodes(recordings, objects)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ObjectId(pub i64);

impl ObjectId {
    const ROOT: Self = Self(0);
}

#[derive(Default)]
struct Objects {
    pub nodes: Vec<Node>,
    pub connections: Vec<Node>,
    /// The kind of each object, in the order of `nodes`.
    pub kinds: Vec<&'static str>,
}

impl Objects {
    const FIRST: i64 = 1_000_000;

    fn add(&mut self, kind: &'static str, name: &str, subclass: &str, inside: Vec<Node>) -> ObjectId {
        let id = ObjectId(Self::FIRST + self.nodes.len() as i64);
        self.nodes.push(Node::new(kind).long(id.0).text(name).text(subclass).with_all(inside));
        self.kinds.push(kind);
        id
    }

    fn connect(&mut self, part: ObjectId, whole: ObjectId) {
        self.connections.push(Node::new("C").text("OO").long(part.0).long(whole.0));
    }

    /// Makes an object drive a property of another.
    fn connect_to_property(&mut self, part: ObjectId, whole: ObjectId, property: &str) {
        self.connections.push(Node::new("C").text("OP").long(part.0).long(whole.0).text(property));
    }
}

/// The name of an object with its class, as FBX joins them.
fn named(name: &str, class: &str) -> String {
    format!("{}\0\u{1}{class}", printable(name))
}

/// Ticks per second, in which FBX counts time.
const TICKS_PER_SEC: f64 = 46_186_158_000.0;

/// The curve is straight from this key to the next.
const LINEAR: i32 = 4;

fn ticks(recording: &Recording, frame: usize) -> i64 {
    (recording.performance.secs_of(frame) * TICKS_PER_SEC).round() as i64
}

/// Writes a clip. Shapes that stay at their weight at rest get no curve.
fn write_animation(
    recording: &Recording,
    scene: &ShapeScene,
    channels: &[ShapeChannel],
    tolerance: Option<f32>,
    objects: &mut Objects,
    progress: Progress<'_>,
) -> Result<(), Cancelled> {
    let end = ticks(recording, recording.frame_count() - 1);
    let properties = Node::new("Properties70")
        .with(time_property("LocalStart", 0))
        .with(time_property("LocalStop", end))
        .with(time_property("ReferenceStart", 0))
        .with(time_property("ReferenceStop", end));
    let stack = objects.add("AnimationStack", &named(&recording.name, "AnimStack"), "", vec![properties]);
    let layer = objects.add("AnimationLayer", &named("BaseLayer", "AnimLayer"), "", Vec::new());
    objects.connect(layer, stack);
    let mut curves: Vec<Option<FrameKeys>> = Vec::with_capacity(scene.shapes.len());
    for (index, shape) in scene.shapes.iter().enumerate() {
        progress.step("writing", index, scene.shapes.len())?;
        let weights: Vec<f32> = recording.target(shape.target).collect();
        let moves = weights.iter().any(|weight| *weight != shape.default_weight);
        curves.push(moves.then(|| recording.keys(weights, 1, tolerance)));
    }
    for channel in channels {
        let Some(keys) = &curves[channel.shape] else { continue };
        let first = keys.values.first().copied().map_or(0.0, percent);
        let value = property("d|DeformPercent", "Number", "", "A").double(first);
        let inside = vec![Node::new("Properties70").with(value)];
        let node = objects.add("AnimationCurveNode", &named("DeformPercent", "AnimCurveNode"), "", inside);
        objects.connect(node, layer);
        objects.connect_to_property(node, channel.id, "DeformPercent");
        let inside = vec![
            Node::new("Default").double(first),
            Node::new("KeyVer").int(4008),
            Node::new("KeyTime").longs(keys.frames.iter().map(|&frame| ticks(recording, frame))),
            Node::new("KeyValueFloat").floats(keys.values.iter().map(|&weight| percent(weight) as f32)),
            Node::new("KeyAttrFlags").ints(std::iter::once(LINEAR)),
            Node::new("KeyAttrDataFloat").floats([0.0; 4].into_iter()),
            Node::new("KeyAttrRefCount").ints(std::iter::once(keys.frames.len() as i32)),
        ];
        let curve = objects.add("AnimationCurve", &named("", "AnimCurve"), "", inside);
        objects.connect_to_property(curve, node, "d|DeformPercent");
    }
    Ok(())
}

fn percent(weight: f32) -> f64 {
    f64::from(weight) * 100.0
}

fn time_property(name: &str, ticks: i64) -> Node {
    property(name, "KTime", "Time", "").long(ticks)
}

struct ShapeChannel {
    /// The object whose `DeformPercent` is the weight.
    pub id: ObjectId,
    pub shape: usize,
}

fn write_geometry(
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
    let mut nodes = vec![
        Node::new("GeometryVersion").int(124),
        Node::new("Vertices").doubles(xyz(&vertices.positions)),
        Node::new("PolygonVertexIndex").ints(polygons),
    ];
    let mut layers = Vec::new();
    if vertices.normals.iter().all(|normal| *normal != Vec3::ZERO) {
        let of_corners = corners.iter().filter_map(|&corner| vertices.normals.get(corner as usize));
        let normals = of_corners.flat_map(|normal| normal.to_array()).map(f64::from);
        let normals = layer_element("LayerElementNormal", "", "ByPolygonVertex", "Direct")
            .with(Node::new("Normals").doubles(normals));
        nodes.push(normals);
        layers.push("LayerElementNormal");
    }
    if !vertices.uvs.is_empty() {
        // FBX counts v from the bottom of an image, glTF from its top.
        let uvs = vertices.uvs.iter().flat_map(|uv| [uv.x, 1.0 - uv.y]).map(f64::from);
        nodes.push(
            layer_element("LayerElementUV", "UVMap", "ByPolygonVertex", "IndexToDirect")
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
        layer_element("LayerElementMaterial", "", "ByPolygon", "IndexToDirect")
            .with(Node::new("Materials").ints(of_faces)),
    );
    layers.push("LayerElementMaterial");
    let elements = layers.into_iter().map(|layer| {
        Node::new("LayerElement").with(Node::new("Type").text(layer)).with(Node::new("TypedIndex").int(0))
    });
    nodes.push(Node::new("Layer").int(0).with(Node::new("Version").int(100)).with_all(elements));
    nodes
}

fn layer_element(name: &'static str, kind: &str, mapping: &str, reference: &str) -> Node {
    Node::new(name)
        .int(0)
        .with(Node::new("Version").int(101))
        .with(Node::new("Name").text(kind))
        .with(Node::new("MappingInformationType").text(mapping))
        .with(Node::new("ReferenceInformationType").text(reference))
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

/// The blend shapes of a mesh: a deformer, and for each target a channel with its shapes, the last of them at 100 %
/// unless an in-between is above.
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
    let [positions, normals] = [shape.positions, shape.normals]
        .map(|deltas| if deltas.len() == rows.len() { deltas.to_vec() } else { vec![Vec3::ZERO; rows.len()] });
    vec![
        Node::new("Version").int(100),
        Node::new("Indexes").ints(rows.iter().map(|&row| row as i32)),
        Node::new("Vertices").doubles(xyz(&positions)),
        Node::new("Normals").doubles(xyz(&normals)),
    ]
}

/// The identification of the file and its creation time. Readers compare the two with the footer, so that both are
/// always those of the start of 1970, as Blender writes them.
const FILE_ID: [u8; 16] =
    [0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1];

const CREATION_TIME: &str = "1970-01-01 10:00:00:000";

/// Centimetres in the unit of the file, the metre.
const UNIT_CENTIMETRES: f64 = 100.0;

fn nodes(recordings: &[Recording], objects: Objects) -> Vec<Node> {
    let creator = generator();
    let header = Node::new("FBXHeaderExtension")
        .with(Node::new("FBXHeaderVersion").int(1003))
        .with(Node::new("FBXVersion").int(7400))
        .with(Node::new("EncryptionType").int(0))
        .with(Node::new("Creator").text(&creator));
    let document = Node::new("Document").long(999_999).text("Scene").text("Scene").with(Node::new("RootNode").long(0));
    vec![
        header,
        Node::new("FileId").raw(&FILE_ID),
        Node::new("CreationTime").text(CREATION_TIME),
        Node::new("Creator").text(&creator),
        settings(recordings),
        Node::new("Documents").with(Node::new("Count").int(1)).with(document),
        Node::new("References"),
        definitions(&objects),
        Node::new("Objects").with_all(objects.nodes),
        Node::new("Connections").with_all(objects.connections),
        takes(recordings),
    ]
}

fn settings(recordings: &[Recording]) -> Node {
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
        ("OriginalUpAxis", 1),
        ("OriginalUpAxisSign", 1),
    ];
    let end = recordings.iter().map(|recording| ticks(recording, recording.frame_count() - 1)).max().unwrap_or(0);
    let rate = recordings.first().map_or(30.0, |recording| recording.performance.span.rate.frames_per_sec());
    let properties = Node::new("Properties70")
        .with_all(axes.map(|(name, value)| property(name, "int", "Integer", "").int(value)))
        .with(double_property("UnitScaleFactor", UNIT_CENTIMETRES))
        .with(double_property("OriginalUnitScaleFactor", UNIT_CENTIMETRES))
        .with(property("TimeMode", "enum", "", "").int(time_mode(rate)))
        .with(property("TimeSpanStart", "KTime", "Time", "").long(0))
        .with(property("TimeSpanStop", "KTime", "Time", "").long(end))
        .with(double_property("CustomFrameRate", rate));
    Node::new("GlobalSettings").with(Node::new("Version").int(1000)).with(properties)
}

fn double_property(name: &str, value: f64) -> Node {
    property(name, "double", "Number", "").double(value)
}

/// The number by which FBX knows a frame rate (`FbxTime::EMode`); 14 for one that is given by itself.
fn time_mode(frames_per_sec: f64) -> i32 {
    const MODES: [(f64, i32); 10] = [
        (24.0, 11),
        (25.0, 10),
        (30_000.0 / 1001.0, 9),
        (30.0, 6),
        (48.0, 5),
        (50.0, 4),
        (60_000.0 / 1001.0, 17),
        (60.0, 3),
        (100.0, 2),
        (120.0, 1),
    ];
    MODES.iter().find(|(rate, _)| (rate - frames_per_sec).abs() < 1e-6).map_or(14, |(_, mode)| *mode)
}

fn definitions(objects: &Objects) -> Node {
    let mut kinds: Vec<(&'static str, i32)> = vec![("GlobalSettings", 1)];
    for kind in &objects.kinds {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let total = kinds.iter().map(|(_, count)| count).sum();
    let kinds =
        kinds.into_iter().map(|(kind, count)| Node::new("ObjectType").text(kind).with(Node::new("Count").int(count)));
    Node::new("Definitions").with(Node::new("Version").int(100)).with(Node::new("Count").int(total)).with_all(kinds)
}

/// The list of clips, for readers that look for it.
fn takes(recordings: &[Recording]) -> Node {
    Node::new("Takes").with(Node::new("Current").text("")).with_all(recordings.iter().map(|recording| {
        let (name, end) = (printable(&recording.name), ticks(recording, recording.frame_count() - 1));
        Node::new("Take")
            .text(&name)
            .with(Node::new("FileName").text(&format!("{name}.tak")))
            .with(Node::new("LocalTime").long(0).long(end))
            .with(Node::new("ReferenceTime").long(0).long(end))
    }))
}

const VERSION: u32 = 7400;

const END_OF_LIST: [u8; 13] = [0; 13];

/// What every file of the format ends with.
const FOOTER: [u8; 16] =
    [0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e];

const LAST_BYTES: [u8; 16] =
    [0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b];

#[derive(Clone, Debug, Default)]
struct Node {
    name: &'static str,
    property_count: u32,
    /// The properties, as the file has them: a letter for the type, and the value.
    properties: Vec<u8>,
    children: Vec<Self>,
}

impl Node {
    fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    fn property(mut self, kind: u8, bytes: &[u8]) -> Self {
        self.properties.push(kind);
        self.properties.extend(bytes);
        self.property_count += 1;
        self
    }

    fn int(self, value: i32) -> Self {
        self.property(b'I', &value.to_le_bytes())
    }

    fn long(self, value: i64) -> Self {
        self.property(b'L', &value.to_le_bytes())
    }

    fn double(self, value: f64) -> Self {
        self.property(b'D', &value.to_le_bytes())
    }

    fn boolean(self, value: bool) -> Self {
        self.property(b'C', &[u8::from(value)])
    }

    fn text(self, text: &str) -> Self {
        self.bytes_of(b'S', text.as_bytes())
    }

    fn raw(self, bytes: &[u8]) -> Self {
        self.bytes_of(b'R', bytes)
    }

    fn bytes_of(self, kind: u8, bytes: &[u8]) -> Self {
        let mut value = (bytes.len() as u32).to_le_bytes().to_vec();
        value.extend(bytes);
        self.property(kind, &value)
    }

    fn doubles(self, values: impl Iterator<Item = f64>) -> Self {
        self.list(b'd', values.map(f64::to_le_bytes))
    }

    fn floats(self, values: impl Iterator<Item = f32>) -> Self {
        self.list(b'f', values.map(f32::to_le_bytes))
    }

    fn ints(self, values: impl Iterator<Item = i32>) -> Self {
        self.list(b'i', values.map(i32::to_le_bytes))
    }

    fn longs(self, values: impl Iterator<Item = i64>) -> Self {
        self.list(b'l', values.map(i64::to_le_bytes))
    }

    /// A list is its length, 0 for no compression, its size and its bytes.
    fn list<const N: usize>(self, kind: u8, elements: impl Iterator<Item = [u8; N]>) -> Self {
        let bytes: Vec<u8> = elements.flatten().collect();
        let mut value = Vec::with_capacity(12 + bytes.len());
        value.extend(((bytes.len() / N) as u32).to_le_bytes());
        value.extend(0_u32.to_le_bytes());
        value.extend((bytes.len() as u32).to_le_bytes());
        value.extend(bytes);
        self.property(kind, &value)
    }

    fn with(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    fn with_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    fn write(&self, file: &mut Vec<u8>) {
        let start = file.len();
        // The end of the record is filled in once it is known.
        file.extend([0; 4]);
        file.extend(self.property_count.to_le_bytes());
        file.extend((self.properties.len() as u32).to_le_bytes());
        file.push(self.name.len() as u8);
        file.extend(self.name.as_bytes());
        file.extend(&self.properties);
        if !self.children.is_empty() || self.property_count == 0 {
            self.children.iter().for_each(|child| child.write(file));
            file.extend(END_OF_LIST);
        }
        let end = (file.len() as u32).to_le_bytes();
        file[start..start + 4].copy_from_slice(&end);
    }
}

/// A row of `Properties70`: a name, a type, a second type, flags and values.
fn property(name: &str, kind: &str, label: &str, flags: &str) -> Node {
    Node::new("P").text(name).text(kind).text(label).text(flags)
}

fn file(nodes: &[Node]) -> Vec<u8> {
    let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    file.extend(VERSION.to_le_bytes());
    nodes.iter().for_each(|node| node.write(&mut file));
    file.extend(END_OF_LIST);
    file.extend(FOOTER);
    file.extend([0; 4]);
    // At least one byte of padding up to a multiple of 16.
    file.resize((file.len() + 1).next_multiple_of(16), 0);
    file.extend(VERSION.to_le_bytes());
    file.extend([0; 120]);
    file.extend(LAST_BYTES);
    file
}
