//! Builds FBX files: a tree of nodes, written as text or binary, and a file that has everything that Smirk reads.

use std::io::Cursor;

use base64::Engine;

/// Ticks per second, in which FBX counts time.
const TICKS_PER_SEC: f64 = 46_186_158_000.0;

/// A property of a node.
#[derive(Clone, Debug)]
pub enum Property {
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
    Floats(Vec<f32>),
}

/// A node with its properties and the nodes inside.
#[derive(Clone, Debug)]
pub struct FbxNode {
    pub name: String,
    pub properties: Vec<Property>,
    pub children: Vec<FbxNode>,
}

/// A node with properties and nodes inside.
pub fn node(name: &str, properties: Vec<Property>, children: Vec<FbxNode>) -> FbxNode {
    FbxNode { name: name.into(), properties, children }
}

fn text(text: &str) -> Property {
    Property::Text(text.into())
}

fn int(name: &str, value: i64) -> FbxNode {
    node(name, vec![Property::Int(value)], vec![])
}

fn reals(name: &str, values: &[f64]) -> FbxNode {
    node(name, vec![Property::Reals(values.to_vec())], vec![])
}

fn ints(name: &str, values: &[i32]) -> FbxNode {
    node(name, vec![Property::Ints(values.to_vec())], vec![])
}

/// A row of `Properties70`.
fn row(name: &str, kind: &str, values: Vec<Property>) -> FbxNode {
    node("P", [vec![text(name), text(kind), text(""), text("A")], values].concat(), vec![])
}

fn vector(name: &str, kind: &str, values: [f64; 3]) -> FbxNode {
    row(name, kind, values.map(Property::Real).to_vec())
}

fn rows(rows: Vec<FbxNode>) -> FbxNode {
    node("Properties70", vec![], rows)
}

/// A file while it is built.
#[derive(Clone, Debug)]
pub struct FbxBuilder {
    /// The version that the file says it has: 7400 or 7500.
    pub version: u32,
    /// Rows of `GlobalSettings`.
    pub settings: Vec<FbxNode>,
    pub objects: Vec<FbxNode>,
    pub connections: Vec<FbxNode>,
}

impl FbxBuilder {
    /// A file without objects, in centimetres, with y up, at 24 frames per second.
    pub fn empty() -> Self {
        let axes = [("UpAxis", 1), ("FrontAxis", 2), ("CoordAxis", 0)];
        let axes = axes.into_iter().flat_map(|(name, axis)| [(name.to_owned(), axis), (format!("{name}Sign"), 1)]);
        let mut settings: Vec<FbxNode> =
            axes.map(|(name, axis)| row(&name, "int", vec![Property::Int(axis)])).collect();
        settings.push(row("UnitScaleFactor", "double", vec![Property::Real(1.0)]));
        settings.push(row("TimeMode", "enum", vec![Property::Int(11)]));
        Self { version: 7400, settings, objects: Vec::new(), connections: Vec::new() }
    }

    /// Adds an object and returns its number.
    pub fn object(&mut self, kind: &str, name: &str, subclass: &str, children: Vec<FbxNode>) -> i64 {
        let id = 1000 + self.objects.len() as i64;
        // Binary files have the class after the name, text has it before.
        let class = match (kind, subclass) {
            ("Deformer", "BlendShapeChannel" | "Cluster") => "SubDeformer",
            ("AnimationStack", _) => "AnimStack",
            ("AnimationLayer", _) => "AnimLayer",
            ("AnimationCurveNode", _) => "AnimCurveNode",
            ("AnimationCurve", _) => "AnimCurve",
            _ => kind,
        };
        let properties = vec![Property::Int(id), text(&format!("{class}::{name}")), text(subclass)];
        self.objects.push(node(kind, properties, children));
        id
    }

    /// Makes an object a part of another.
    pub fn connect(&mut self, part: i64, whole: i64) {
        self.connections.push(node("C", vec![text("OO"), Property::Int(part), Property::Int(whole)], vec![]));
    }

    /// Makes an object drive a property of another.
    pub fn connect_to(&mut self, part: i64, whole: i64, property: &str) {
        let properties = vec![text("OP"), Property::Int(part), Property::Int(whole), text(property)];
        self.connections.push(node("C", properties, vec![]));
    }

    /// Adds a model at a place, below another or the root (0).
    pub fn model(&mut self, name: &str, subclass: &str, parent: i64, translation: [f64; 3]) -> i64 {
        let place = rows(vec![vector("Lcl Translation", "Lcl Translation", translation)]);
        let id = self.object("Model", name, subclass, vec![int("Version", 232), place]);
        self.connect(id, parent);
        id
    }

    /// Adds a cube of 2 cm, with 8 control points, normals and texture coordinates of its corners, shown by a model at the origin.
    /// Returns the numbers of the geometry and of the model.
    pub fn cube(&mut self, name: &str) -> (i64, i64) {
        self.cube_on_tiles(name, [0; 6])
    }

    /// Adds a cube as [`Self::cube`] does, with the texture coordinates of each side moved to the right by as many tiles.
    pub fn cube_on_tiles(&mut self, name: &str, tiles: [u8; 6]) -> (i64, i64) {
        let points: Vec<f64> =
            (0..8).flat_map(|at| [0, 1, 2].map(|axis| if at >> axis & 1 == 1 { 1.0 } else { -1.0 })).collect();
        let faces: [([i32; 4], [f64; 3]); 6] = [
            ([0, 4, 6, 2], [-1., 0., 0.]),
            ([1, 3, 7, 5], [1., 0., 0.]),
            ([0, 1, 5, 4], [0., -1., 0.]),
            ([2, 6, 7, 3], [0., 1., 0.]),
            ([0, 2, 3, 1], [0., 0., -1.]),
            ([4, 5, 7, 6], [0., 0., 1.]),
        ];
        let polygons: Vec<i32> = faces.iter().flat_map(|([a, b, c, d], _)| [*a, *b, *c, !*d]).collect();
        let normals: Vec<f64> = faces.iter().flat_map(|(_, normal)| [*normal; 4]).flatten().collect();
        let layer = |name: &str, mapping: &str, reference: &str, data: Vec<FbxNode>| {
            let how = [
                int("Version", 101),
                node("Name", vec![text("map1")], vec![]),
                node("MappingInformationType", vec![text(mapping)], vec![]),
                node("ReferenceInformationType", vec![text(reference)], vec![]),
            ];
            node(name, vec![Property::Int(0)], how.into_iter().chain(data).collect())
        };
        let most = tiles.iter().copied().max().unwrap_or(0);
        let corners = |tile: u8| {
            let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
            corners.into_iter().flat_map(move |[u, v]| [u + f64::from(tile), v])
        };
        let indices: Vec<i32> =
            tiles.iter().flat_map(|tile| [0, 1, 2, 3].map(|corner| i32::from(*tile) * 4 + corner)).collect();
        let uvs = vec![reals("UV", &(0..=most).flat_map(corners).collect::<Vec<f64>>()), ints("UVIndex", &indices)];
        let layers = ["LayerElementNormal", "LayerElementUV", "LayerElementMaterial"].map(|name| {
            node("LayerElement", vec![], vec![node("Type", vec![text(name)], vec![]), int("TypedIndex", 0)])
        });
        let geometry = self.object(
            "Geometry",
            name,
            "Mesh",
            vec![
                reals("Vertices", &points),
                ints("PolygonVertexIndex", &polygons),
                layer("LayerElementNormal", "ByPolygonVertex", "Direct", vec![reals("Normals", &normals)]),
                layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", uvs),
                layer("LayerElementMaterial", "AllSame", "IndexToDirect", vec![ints("Materials", &[0])]),
                node("Layer", vec![Property::Int(0)], layers.to_vec()),
            ],
        );
        let model = self.model(name, "Mesh", 0, [0.0; 3]);
        self.connect(geometry, model);
        (geometry, model)
    }

    /// Adds a blend shape deformer to a geometry.
    pub fn deformer(&mut self, geometry: i64, name: &str) -> i64 {
        let deformer = self.object("Deformer", name, "BlendShape", vec![int("Version", 101)]);
        self.connect(deformer, geometry);
        deformer
    }

    /// Adds a channel with shapes that move control point 7 by an offset, each with its full weight in percent. Offsets of normals are
    /// zero, as many programs write them.
    pub fn channel(&mut self, deformer: i64, name: &str, percent: f64, shapes: &[(f64, [f64; 3])]) -> i64 {
        let full: Vec<f64> = shapes.iter().map(|(weight, _)| *weight).collect();
        let inside = vec![
            int("Version", 100),
            node("DeformPercent", vec![Property::Real(percent)], vec![]),
            reals("FullWeights", &full),
            rows(vec![row("DeformPercent", "Number", vec![Property::Real(percent)])]),
        ];
        let channel = self.object("Deformer", name, "BlendShapeChannel", inside);
        self.connect(channel, deformer);
        for (number, (_, offset)) in shapes.iter().enumerate() {
            let data = vec![ints("Indexes", &[7]), reals("Vertices", offset), reals("Normals", &[0.0; 3])];
            let shape = self.object("Geometry", &format!("{name} {number}"), "Shape", data);
            self.connect(shape, channel);
        }
        channel
    }

    /// Adds a skin to a geometry: per joint its model, the place of that model, and the control points that follow it alone.
    pub fn skin(&mut self, geometry: i64, joints: &[(i64, [f64; 3], &[i32])]) -> i64 {
        let skin = self.object("Deformer", "body", "Skin", vec![int("Version", 101)]);
        self.connect(skin, geometry);
        let place = |[x, y, z]: [f64; 3]| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.];
        for (joint, translation, points) in joints {
            let inside = vec![
                int("Version", 100),
                ints("Indexes", points),
                reals("Weights", &vec![1.0; points.len()]),
                // From the mesh, which is at the origin, to the joint.
                reals("Transform", &place(translation.map(|number| -number))),
                reals("TransformLink", &place(*translation)),
            ];
            let cluster = self.object("Deformer", "", "Cluster", inside);
            self.connect(cluster, skin);
            self.connect(*joint, cluster);
        }
        skin
    }

    /// Adds a material with a colour to a model.
    pub fn material(&mut self, model: i64, name: &str, color: [f64; 3]) -> i64 {
        let properties = rows(vec![
            vector("DiffuseColor", "Color", color),
            row("DiffuseFactor", "Number", vec![Property::Real(1.0)]),
        ]);
        let shading = node("ShadingModel", vec![text("phong")], vec![]);
        let material = self.object("Material", name, "", vec![int("Version", 102), shading, properties]);
        self.connect(material, model);
        material
    }

    /// Adds a texture to a property of a material: with the bytes of its image, or the path of a file.
    pub fn texture(&mut self, material: i64, property: &str, path: &str, content: Option<Vec<u8>>) {
        let names =
            || vec![node("FileName", vec![text(path)], vec![]), node("RelativeFilename", vec![text(path)], vec![])];
        let texture = self.object("Texture", "skin", "", names());
        let bytes = content.map(|bytes| node("Content", vec![Property::Bytes(bytes)], vec![]));
        let video = self.object("Video", "skin", "Clip", names().into_iter().chain(bytes).collect());
        self.connect_to(texture, material, property);
        self.connect(video, texture);
    }

    /// Adds an animation stack with one layer, and returns the number of the layer.
    pub fn stack(&mut self, name: &str) -> i64 {
        let stack = self.object("AnimationStack", name, "", vec![]);
        let layer = self.object("AnimationLayer", "base", "", vec![]);
        self.connect(layer, stack);
        layer
    }

    /// Adds a stack from one time to another, with one layer, and returns the number of the layer.
    pub fn stack_between(&mut self, name: &str, from_secs: f64, to_secs: f64) -> i64 {
        let times = [("LocalStart", from_secs), ("LocalStop", to_secs)]
            .map(|(name, secs)| row(name, "KTime", vec![Property::Int((secs * TICKS_PER_SEC) as i64)]));
        let stack = self.object("AnimationStack", name, "", vec![rows(times.to_vec())]);
        let layer = self.object("AnimationLayer", "base", "", vec![]);
        self.connect(layer, stack);
        layer
    }

    /// Adds curves of a property: one for each name, with the same keys.
    pub fn curves(&mut self, layer: i64, object: i64, property: &str, names: &[&str], keys: &[Key]) {
        self.curves_that_go_on(layer, object, property, names, keys, 'C');
    }

    /// Adds curves as [`Self::curves`] does, with what happens after the last key: `C` is constant, `R` repeats, `A` repeats relative to
    /// the last value, `M` mirrors, `K` keeps the slope.
    pub fn curves_that_go_on(
        &mut self,
        layer: i64,
        object: i64,
        property: &str,
        names: &[&str],
        keys: &[Key],
        after: char,
    ) {
        let values = rows(names.iter().map(|name| row(name, "Number", vec![Property::Real(0.0)])).collect());
        let node_id = self.object("AnimationCurveNode", property, "", vec![values]);
        self.connect(node_id, layer);
        self.connect_to(node_id, object, property);
        let longs = |values: Vec<i64>| vec![Property::Longs(values)];
        for name in names {
            let inside = vec![
                node("KeyTime", longs(keys.iter().map(|key| (key.secs * TICKS_PER_SEC) as i64).collect()), vec![]),
                node("KeyValueFloat", vec![Property::Floats(keys.iter().map(|key| key.value).collect())], vec![]),
                ints("KeyAttrFlags", &keys.iter().map(|key| key.kind).collect::<Vec<_>>()),
                node(
                    "KeyAttrDataFloat",
                    vec![Property::Floats(
                        keys.iter().flat_map(|key| [key.slopes[0], key.slopes[1], 0.0, 0.0]).collect(),
                    )],
                    vec![],
                ),
                ints("KeyAttrRefCount", &vec![1; keys.len()]),
                node("Post-Extrapolation", vec![], vec![int("Type", u32::from(after).into()), int("Repetition", -1)]),
            ];
            let curve = self.object("AnimationCurve", "", "", inside);
            self.connect_to(curve, node_id, name);
        }
    }

    /// Everything that Smirk reads: a cube with the channels `jawOpen` (at rest 0.35, with shapes at −0.5 and 0.5) and `smile`, a skin of
    /// two joints, a material with an embedded texture, and the clip `talk`.
    pub fn everything() -> Self {
        let mut file = Self::empty();
        let (geometry, model) = file.cube("face");
        let deformer = file.deformer(geometry, "blendShape1");
        let shapes = [(-50.0, [0.0, -1.0, 0.0]), (50.0, [0.0, 0.0, 1.0]), (100.0, [0.0, 2.0, 0.0])];
        let jaw = file.channel(deformer, "blendShape1.jawOpen", 35.0, &shapes);
        let smile = file.channel(deformer, "blendShape1.smile", 0.0, &[(100.0, [1.0, 0.0, 0.0])]);
        let root = file.model("root", "LimbNode", 0, [0.0, -1.0, 0.0]);
        let tip = file.model("tip", "LimbNode", root, [0.0, 2.0, 0.0]);
        file.skin(geometry, &[(root, [0.0, -1.0, 0.0], &[0, 1, 4, 5]), (tip, [0.0, 1.0, 0.0], &[2, 3, 6, 7])]);
        let material = file.material(model, "skin", [0.5, 0.25, 0.125]);
        file.texture(material, "DiffuseColor", "C:\\work\\Maps\\skin.png", Some(png()));
        let layer = file.stack("talk");
        let key = |secs, value| Key { secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
        file.curves(
            layer,
            jaw,
            "DeformPercent",
            &["d|DeformPercent"],
            &[key(0.0, 0.0), key(1.0, 100.0), key(1.5, -50.0)],
        );
        let cubic = |secs, value| Key { kind: Key::CUBIC, slopes: [100.0, -50.0], ..key(secs, value) };
        let held = |secs, value| Key { kind: Key::CONSTANT, ..key(secs, value) };
        let keys = [cubic(0.0, 0.0), held(1.0, 100.0), key(2.0, 50.0), key(3.0, 0.0)];
        file.curves(layer, smile, "DeformPercent", &["d|DeformPercent"], &keys);
        file.curves(layer, tip, "Lcl Rotation", &["d|X"], &[key(0.0, 0.0), key(2.0, 90.0)]);
        file
    }

    fn nodes(&self) -> Vec<FbxNode> {
        vec![
            node(
                "FBXHeaderExtension",
                vec![],
                vec![int("FBXHeaderVersion", 1003), int("FBXVersion", self.version.into())],
            ),
            node("GlobalSettings", vec![], vec![int("Version", 1000), rows(self.settings.clone())]),
            node("Objects", vec![], self.objects.clone()),
            node("Connections", vec![], self.connections.clone()),
        ]
    }

    /// The file as text.
    pub fn text(&self) -> String {
        let mut text = format!("; FBX {}.{}.0 project file\n", self.version / 1000, self.version / 100 % 10);
        self.nodes().iter().for_each(|node| node.write_text(&mut text));
        text
    }

    /// The file in binary.
    pub fn binary(&self) -> Vec<u8> {
        let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
        file.extend(self.version.to_le_bytes());
        self.nodes().iter().for_each(|node| node.write_binary(&mut file, self.version >= 7500));
        file.extend(vec![0; end_bytes(self.version >= 7500)]);
        file
    }
}

/// A key of a curve.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub secs: f64,
    pub value: f32,
    /// The interpolation from this key to the next.
    pub kind: i32,
    /// After this key and before the next, per second.
    pub slopes: [f32; 2],
}

impl Key {
    pub const CONSTANT: i32 = 2;
    pub const LINEAR: i32 = 4;
    /// Cubic, with the slopes as the user set them.
    pub const CUBIC: i32 = 8 | 0x400;
}

/// A picture of 2 × 2 texels.
pub fn png() -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_fn(2, 2, |x, y| image::Rgba([x as u8 * 200, y as u8 * 200, 90, 255]));
    picture.write_to(&mut png, image::ImageFormat::Png).expect("a picture");
    png.into_inner()
}

fn end_bytes(is_wide: bool) -> usize {
    if is_wide { 25 } else { 13 }
}

impl FbxNode {
    fn write_text(&self, out: &mut String) {
        let list = |values: Vec<String>| format!("*{} {{\na: {}\n}}", values.len(), values.join(","));
        let property = |property: &Property| match property {
            Property::Int(value) => value.to_string(),
            Property::Real(value) => format!("{value:?}"),
            Property::Text(text) => format!("\"{}\"", text.replace('"', "&quot;")),
            Property::Bytes(bytes) => format!(",\n\"{}\"", base64::engine::general_purpose::STANDARD.encode(bytes)),
            Property::Ints(values) => list(values.iter().map(i32::to_string).collect()),
            Property::Longs(values) => list(values.iter().map(i64::to_string).collect()),
            Property::Reals(values) => list(values.iter().map(|value| format!("{value:?}")).collect()),
            // Some of these are integers in the place of floats, so that text has the bits of all of them.
            Property::Floats(values) if self.name == "KeyAttrDataFloat" => {
                list(values.iter().map(|value| value.to_bits().cast_signed().to_string()).collect())
            }
            Property::Floats(values) => list(values.iter().map(|value| format!("{value:?}")).collect()),
        };
        let properties: Vec<String> = self.properties.iter().map(property).collect();
        *out += &format!("{}: {}", self.name, properties.join(", "));
        if !self.children.is_empty() || self.properties.is_empty() {
            *out += " {\n";
            self.children.iter().for_each(|child| child.write_text(out));
            *out += "}";
        }
        *out += "\n";
    }

    fn write_binary(&self, file: &mut Vec<u8>, is_wide: bool) {
        let start = file.len();
        let mut properties = Vec::new();
        for property in &self.properties {
            let mut list = |kind: u8, bytes: Vec<u8>, width: usize| {
                properties.push(kind);
                properties.extend(((bytes.len() / width) as u32).to_le_bytes());
                properties.extend(0_u32.to_le_bytes());
                properties.extend((bytes.len() as u32).to_le_bytes());
                properties.extend(bytes);
            };
            match property {
                Property::Ints(values) => list(b'i', values.iter().flat_map(|value| value.to_le_bytes()).collect(), 4),
                Property::Longs(values) => list(b'l', values.iter().flat_map(|value| value.to_le_bytes()).collect(), 8),
                Property::Reals(values) => list(b'd', values.iter().flat_map(|value| value.to_le_bytes()).collect(), 8),
                Property::Floats(values) => {
                    list(b'f', values.iter().flat_map(|value| value.to_le_bytes()).collect(), 4)
                }
                Property::Int(value) => {
                    properties.push(b'L');
                    properties.extend(value.to_le_bytes());
                }
                Property::Real(value) => {
                    properties.push(b'D');
                    properties.extend(value.to_le_bytes());
                }
                Property::Text(text) => {
                    let stored = match text.split_once("::") {
                        Some((class, name)) => format!("{name}\0\u{1}{class}"),
                        None => text.clone(),
                    };
                    properties.push(b'S');
                    properties.extend((stored.len() as u32).to_le_bytes());
                    properties.extend(stored.as_bytes());
                }
                Property::Bytes(bytes) => {
                    properties.push(b'R');
                    properties.extend((bytes.len() as u32).to_le_bytes());
                    properties.extend(bytes);
                }
            }
        }
        let number = |value: usize| {
            let wide = (value as u64).to_le_bytes();
            if is_wide { wide.to_vec() } else { wide[..4].to_vec() }
        };
        let width = number(0).len();
        file.extend(number(0));
        file.extend(number(self.properties.len()));
        file.extend(number(properties.len()));
        file.push(self.name.len() as u8);
        file.extend(self.name.as_bytes());
        file.extend(properties);
        if !self.children.is_empty() || self.properties.is_empty() {
            self.children.iter().for_each(|child| child.write_binary(file, is_wide));
            file.extend(vec![0; end_bytes(is_wide)]);
        }
        let end = number(file.len());
        file[start..start + width].copy_from_slice(&end);
    }
}
