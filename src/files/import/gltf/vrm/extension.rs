//! The extension that makes a GLB a VRM avatar: `VRM` (version 0.x) or `VRMC_vrm` (1.0). Its expressions, the
//! bones of its head, the direction it faces, and its title, author and licence are read.
//!
//! The bones of the head, and how far the eyes turn. VRM 0.x lists bones (`humanoid.humanBones`) and keeps the ranges
//! in `firstPerson`; VRM 1.0 has an object of bones and the ranges in `lookAt`.

use std::collections::BTreeMap;

use glam::Mat4;
use serde_json::{Map, Value, json};

use super::constraints::springs;
use super::expressions::{ReadExpression, read_vrm0_expressions, read_vrm1_expressions};
use super::toon_of_vrm0;
use crate::import::Import;
use crate::import::gltf::carried::Carrier;
use crate::import::gltf::mesh::{InstanceSource, Meshes};
use crate::import::gltf::nodes::NodeGraph;
use crate::import::gltf::read::GltfDocument;
use smirk_base::names::quoted;
use smirk_face::head::{
    Avatar, Expression, Extensions, EyeRange, Humanoid, Kind, LookAtExpressions, MeshAnnotation, Notes, RangeMap,
    Sampler, Subject, VrmVersion, listed,
};

/// The version of a VRM, with the extension's properties: those that are not read move from here into the head.
pub(crate) enum Vrm {
    V0(Map<String, Value>),
    V1(Map<String, Value>),
    None,
}

impl Vrm {
    /// Takes either extension out of a document; a file with both is read as 1.0.
    pub(crate) fn take_from(document: &mut GltfDocument) -> Self {
        let mut take = |name: &str| match document.extensions.remove(name) {
            Some(Value::Object(vrm)) => Some(vrm),
            Some(_) | None => None,
        };
        match take("VRMC_vrm") {
            Some(vrm) => Self::V1(vrm),
            None => take("VRM").map_or(Self::None, Self::V0),
        }
    }

    /// Has the materials of VRM 0.x drawn as its own list of them says.
    pub(crate) fn convert_materials(&self, document: &mut GltfDocument, notes: &mut Notes) {
        match self {
            Self::V0(vrm) => document.drawn_materials = toon_of_vrm0::convert(vrm, &document.materials, notes),
            Self::V1(_) | Self::None => {}
        }
    }

    /// Turns the avatar to face +z: VRM 0.x faces -z; VRM 1.0 faces +z, like glTF.
    pub(crate) fn world_from_file(&self) -> Mat4 {
        match self {
            Self::V0(_) => VrmVersion::V0.world_from_file(),
            Self::V1(_) => VrmVersion::V1.world_from_file(),
            Self::None => Mat4::IDENTITY,
        }
    }

    /// Takes its expressions: presets in the order of the specification, then the others.
    pub(crate) fn take_expressions(
        &mut self,
        document: &GltfDocument,
        meshes: &Meshes,
        import: &mut Import<'_>,
    ) -> Vec<Expression> {
        let read = match self {
            Self::V0(vrm) => read_vrm0_expressions(vrm, document, meshes, import),
            Self::V1(vrm) => read_vrm1_expressions(vrm, document, meshes, import),
            Self::None => return Vec::new(),
        };
        note_unshown(&read, &mut import.notes);
        let mut expressions: Vec<Expression> = read.into_iter().map(|read| read.expression).collect();
        // The stable sort keeps the file's order of the others.
        expressions.sort_by_key(|expression| (expression.preset.is_none(), expression.preset));
        expressions
    }

    /// What else makes the file an avatar; none for a file that is no VRM.
    pub(crate) fn avatar(&self, graph: &NodeGraph, meshes: &Meshes) -> Option<Avatar> {
        // The thumbnail is an image or a texture of the file: its number changes.
        let (version, vrm, thumbnail) = match self {
            Self::V0(vrm) => (VrmVersion::V0, vrm, "texture"),
            Self::V1(vrm) => (VrmVersion::V1, vrm, "thumbnailImage"),
            Self::None => return None,
        };
        let mut meta = vrm.get("meta").and_then(Value::as_object).cloned().unwrap_or_default();
        meta.remove(thumbnail);
        let bones = named_bones(vrm)
            .into_iter()
            .filter_map(|(name, node)| Some((name.to_owned(), graph.rig_index(usize::try_from(node.as_u64()?).ok()?)?)))
            .collect();
        let look_at = look_at_expressions(&version, vrm);
        let first_person = first_person(&version, vrm, meshes);
        Some(Avatar { version, meta, bones, look_at, first_person })
    }

    /// What is in the extension besides what is read of it. The first person's view of meshes goes by their numbers in
    /// VRM 0, which change: [`Avatar::first_person`] has it.
    fn into_unread(self) -> Map<String, Value> {
        // The ranges of the eyes are read, unless expressions turn them.
        let (mut rest, read, parts, (part, range, is_read)) = match self {
            Self::V0(vrm) => {
                let of_eyes = ("firstPerson", "yRange", vrm0_eye_range(&vrm).is_some());
                let parts = &[("humanoid", "humanBones"), ("firstPerson", "meshAnnotations")][..];
                (vrm, &["exporterVersion", "specVersion", "meta", "blendShapeMaster"][..], parts, of_eyes)
            }
            Self::V1(vrm) => {
                let of_eyes = ("lookAt", "outputScale", vrm1_eye_range(&vrm).is_some());
                (vrm, &["specVersion", "meta", "expressions"][..], &[("humanoid", "humanBones")][..], of_eyes)
            }
            Self::None => return Map::new(),
        };
        rest.retain(|key, _| !read.contains(&key.as_str()));
        for (part, key) in parts {
            if let Some(part) = rest.get_mut(*part).and_then(Value::as_object_mut) {
                part.remove(*key);
            }
        }
        let looks = rest.get_mut(part).and_then(Value::as_object_mut).filter(|_| is_read);
        for looks in looks.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
            looks.remove(range);
        }
        rest.retain(|_, value| value.as_object().is_none_or(|fields| !fields.is_empty()));
        rest
    }

    /// What is carried of the extension besides what is read of it, and the texture of the thumbnail.
    pub(crate) fn carry(self, carrier: &mut Carrier<'_>) -> (Extensions, Option<usize>) {
        let number = |key: &str, vrm: &Map<String, Value>| usize::try_from(vrm.get("meta")?.get(key)?.as_u64()?).ok();
        let (texture, image) = match &self {
            Self::V0(vrm) => (number("texture", vrm), None),
            Self::V1(vrm) => (None, number("thumbnailImage", vrm)),
            Self::None => (None, None),
        };
        let mut unread = self.into_unread();
        // The toon shading of VRM 0 is a list of materials, with numbers of textures by name.
        let materials = unread.get_mut("materialProperties").and_then(Value::as_array_mut).into_iter().flatten();
        for textures in materials.filter_map(|material| material.get_mut("textureProperties")?.as_object_mut()) {
            textures.retain(|name, texture| {
                let number = texture.as_u64().and_then(|index| usize::try_from(index).ok());
                let kept = number.and_then(|number| carrier.texture(number));
                if number.is_some() && kept.is_none() {
                    carrier.leave_out_part(&format!("the texture {} of materials", quoted(name)));
                }
                kept.map(|kept| *texture = json!(kept)).is_some()
            });
        }
        let thumbnail = texture.and_then(|texture| carrier.texture(texture));
        let thumbnail = thumbnail.or_else(|| carrier.image(image?, Sampler::default()));
        if thumbnail.is_none() && (texture.is_some() || image.is_some()) {
            carrier.leave_out_part("the thumbnail");
        }
        (unread, thumbnail)
    }

    /// The bones of its head, and how far its eyes turn.
    pub(crate) fn humanoid(&self, graph: &NodeGraph, notes: &mut Notes) -> Humanoid {
        match self {
            Self::V0(vrm) => humanoid(vrm, vrm0_eye_range(vrm), graph, notes),
            Self::V1(vrm) => humanoid(vrm, vrm1_eye_range(vrm), graph, notes),
            Self::None => Humanoid::default(),
        }
    }

    /// Notes what it says about itself, and what of it stays still. `root` has the extensions of the file.
    pub(crate) fn note(&self, root: &Map<String, Value>, notes: &mut Notes) {
        if let Self::V0(vrm) | Self::V1(vrm) = self {
            let springs: Vec<String> = springs(vrm, root).into_iter().map(quoted).collect();
            if !springs.is_empty() {
                notes.inform(Subject::All(Kind::Node), format!("spring bones stay still: {}", listed(&springs, 8)));
            }
        }
        match self {
            Self::V0(vrm) => {
                note_meta(
                    Subject::field("VRM 0.x"),
                    vrm,
                    &["title"],
                    &["author"],
                    &["licenseName", "otherLicenseUrl"],
                    notes,
                );
                notes.inform(
                    Subject::field("VRM 0.x"),
                    "faces backwards (-z), as VRM 0.x does; it was turned to the front",
                );
            }
            Self::V1(vrm) => note_meta(Subject::field("VRM 1.0"), vrm, &["name"], &["authors"], &["licenseUrl"], notes),
            Self::None => {}
        }
    }
}

fn note_meta(
    subject: Subject,
    vrm: &Map<String, Value>,
    title: &[&str],
    author: &[&str],
    licence: &[&str],
    notes: &mut Notes,
) {
    let Some(meta) = vrm.get("meta").and_then(Value::as_object) else { return };
    let facts = [("title", text(title, meta)), ("by", text(author, meta)), ("licence", text(licence, meta))];
    let facts: Vec<String> = facts.into_iter().filter_map(|(what, text)| Some(format!("{what} {}", text?))).collect();
    if !facts.is_empty() {
        notes.inform(subject, facts.join("; "));
    }
}

fn text(keys: &[&str], meta: &Map<String, Value>) -> Option<String> {
    let values = keys.iter().filter_map(|key| meta.get(*key));
    let texts = values.flat_map(|value| match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect::<Vec<_>>(),
    });
    let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).take(MAX_TEXTS).map(quoted).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The most authors that the note names.
const MAX_TEXTS: usize = 6;

/// Notes the expressions of which something is not shown, and those that change nothing.
fn note_unshown(read: &[ReadExpression], notes: &mut Notes) {
    let names = |is_listed: &dyn Fn(&ReadExpression) -> bool| {
        let listed_names = read.iter().filter(|read| is_listed(read)).map(|read| quoted(&read.expression.name));
        let listed_names: Vec<String> = listed_names.collect();
        (!listed_names.is_empty()).then(|| listed(&listed_names, 12))
    };
    if let Some(names) = names(&|read| read.changes_more) {
        let message =
            format!("{names} also change the colours of toon shading of materials without it; that is not shown");
        notes.warn(Subject::All(Kind::Expression), message);
    }
    if let Some(names) = names(&|read: &ReadExpression| read.expression.is_idle() && !read.changes_more) {
        notes.inform(Subject::All(Kind::Expression), format!("{names} change nothing"));
    }
}

type Object = Map<String, Value>;

/// How far the eyes turn in VRM 0.x, if bones turn them.
fn vrm0_eye_range(vrm: &Object) -> Option<EyeRange> {
    let looks = vrm.get("firstPerson").and_then(Value::as_object)?;
    let is_of_bones = looks.get("lookAtTypeName").and_then(Value::as_str) == Some("Bone");
    if is_of_bones { eye_range(looks, "lookAt", "yRange") } else { None }
}

/// The same in VRM 1.0.
fn vrm1_eye_range(vrm: &Object) -> Option<EyeRange> {
    let looks = vrm.get("lookAt").and_then(Value::as_object)?;
    let is_of_bones = looks.get("type").and_then(Value::as_str) == Some("bone");
    if is_of_bones { eye_range(looks, "rangeMap", "outputScale") } else { None }
}

/// How expressions show the gaze, if they do. VRM 0.x has a curve between the ends, which is taken as a straight line.
fn look_at_expressions(version: &VrmVersion, vrm: &Object) -> Option<LookAtExpressions> {
    let (part, kind, wanted, prefix, ends) = match version {
        VrmVersion::V0 => ("firstPerson", "lookAtTypeName", "BlendShape", "lookAt", ["xRange", "yRange"]),
        VrmVersion::V1 => ("lookAt", "type", "expression", "rangeMap", ["inputMaxValue", "outputScale"]),
    };
    let looks = vrm.get(part).and_then(Value::as_object)?;
    if looks.get(kind).and_then(Value::as_str) != Some(wanted) {
        return None;
    }
    // Both eyes are drawn by one expression, so that only the outer range counts.
    let [aside, down, up] = ["HorizontalOuter", "VerticalDown", "VerticalUp"].map(|direction| {
        let map = looks.get(&format!("{prefix}{direction}"));
        let [degrees, most] = ends.map(|key| map?.get(key)?.as_f64().filter(|number| number.is_finite()));
        RangeMap {
            most_radians: degrees.unwrap_or(90.0).to_radians() as f32,
            most: most.unwrap_or(1.0).clamp(0.0, 1.0) as f32,
        }
    });
    Some(LookAtExpressions { aside, down, up })
}

/// Who sees which mesh (`firstPerson.meshAnnotations`), in the order of the file. One of its meshes may be several.
fn first_person(version: &VrmVersion, vrm: &Object, meshes: &Meshes) -> Vec<MeshAnnotation> {
    let list = vrm.get("firstPerson").and_then(|first_person| first_person.get("meshAnnotations"));
    let list = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (part, kind) = match version {
        VrmVersion::V0 => ("mesh", "firstPersonFlag"),
        VrmVersion::V1 => ("node", "type"),
    };
    let number_of = |source: &InstanceSource| match version {
        VrmVersion::V0 => Some(source.mesh as u64),
        VrmVersion::V1 => source.node.map(|node| node as u64),
    };
    let mut meshes_of = BTreeMap::<u64, Vec<usize>>::new();
    for (mesh, source) in meshes.sources.iter().enumerate() {
        number_of(source).into_iter().for_each(|number| meshes_of.entry(number).or_default().push(mesh));
    }
    let read = list.iter().filter_map(|annotation| {
        let of_number = meshes_of.get(&annotation.get(part)?.as_u64()?)?;
        let seen_by = annotation.get(kind)?.as_str()?;
        Some(of_number.iter().map(|&mesh| MeshAnnotation { mesh, seen_by: seen_by.to_owned() }))
    });
    read.flatten().collect()
}

/// The names of all bones, and the numbers of their nodes: 1.0 has an object by name, 0.x a list of objects with names.
pub(super) fn named_bones(vrm: &Object) -> Vec<(&str, &Value)> {
    match vrm.get("humanoid").and_then(|humanoid| humanoid.get("humanBones")) {
        Some(Value::Object(bones)) => {
            bones.iter().filter_map(|(name, bone)| Some((name.as_str(), bone.get("node")?))).collect()
        }
        Some(Value::Array(bones)) => {
            bones.iter().filter_map(|bone| Some((bone.get("bone")?.as_str()?, bone.get("node")?))).collect()
        }
        _ => Vec::new(),
    }
}

fn humanoid(vrm: &Object, eye_range: Option<EyeRange>, graph: &NodeGraph, notes: &mut Notes) -> Humanoid {
    let bones = named_bones(vrm);
    let [head, neck, left, right] = ["head", "neck", "leftEye", "rightEye"].map(|name| {
        let (_, value) = bones.iter().find(|(bone, _)| *bone == name)?;
        // Exporters of VRM 0.x write -1 for a bone that the avatar lacks.
        if value.as_i64() == Some(-1) {
            return None;
        }
        let found = value.as_u64().and_then(|index| graph.rig_index(usize::try_from(index).ok()?));
        if found.is_none() {
            let message =
                format!("the bone {name} is node {value}, which does not exist; it is searched for by its name");
            notes.warn(Subject::All(Kind::Node), message);
        }
        found
    });
    Humanoid { head, neck, eyes: [left, right], eye_range }
}

/// The largest angles, which the file gives in degrees; none unless all four are there and make sense.
fn eye_range(looks: &Object, prefix: &str, field: &str) -> Option<EyeRange> {
    let directions = ["HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"];
    let [inwards, outwards, down, up] = directions.map(|direction| {
        let degrees = looks.get(&format!("{prefix}{direction}"))?.get(field)?.as_f64()?;
        (0.0..=180.0).contains(&degrees).then(|| degrees.to_radians() as f32)
    });
    Some(EyeRange { inwards: inwards?, outwards: outwards?, down: down?, up: up? })
}
