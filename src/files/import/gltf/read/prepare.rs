//! Checks the JSON before it is typed: its version, its required extensions, and what is legal but refused or dropped
//! by the typed structs.
//!
//! The TEXCOORD_n and COLOR_n accessors of morph targets (glTF 2.0 §3.7.2.2). The `gltf` crate's morph target has
//! fields for POSITION, NORMAL and TANGENT only, so the other attributes are collected from the JSON before it is
//! typed.

use std::collections::{BTreeMap, HashMap};

use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde_json::{Map, Value, json};

use crate::import::json_tree::JsonTree;
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Notes, Subject, listed};

/// Required extensions that do not change the shape. The file is opened, with a warning that they are not shown.
const IGNORED: [&str; 3] = ["KHR_xmp", "KHR_xmp_json_ld", "EXT_texture_avif"];
const IGNORED_PREFIXES: [&str; 4] = ["KHR_materials_", "VRMC_", "EXT_lights_", "EXT_materials_"];

/// Extensions that Smirk reads; of a material, that it draws.
pub(crate) const SUPPORTED: [&str; 30] = [
    "KHR_draco_mesh_compression",
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "MSFT_texture_dds",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "KHR_materials_emissive_strength",
    "KHR_materials_specular",
    "KHR_materials_ior",
    "KHR_materials_clearcoat",
    "KHR_materials_sheen",
    "KHR_materials_transmission",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_variants",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_character",
    "KHR_character_expression",
    "KHR_character_expression_joint",
    "KHR_character_expression_mapping",
    "KHR_character_expression_mask",
    "KHR_character_expression_morphtarget",
    "KHR_character_expression_texture",
    "VRM",
    "VRMC_vrm",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
];

pub(crate) fn prepare(text: &[u8], import: &mut Import<'_>) -> Result<Map<String, Value>, Fault> {
    let tree = JsonTree::of_text(text.len(), ("reading the structure", 0.05), import.progress);
    let parsed = tree.parse(text);
    let value =
        parsed.map_err(|fault| fault.about(Subject::field("JSON"), |error| describe_parse_error(text, error)))?;
    let Value::Object(mut root) = value else {
        let problem = Problem::new("its outermost value is not an object").advise("this is not a glTF file");
        return Err(Fault::invalid(Subject::field("JSON"), problem));
    };
    check_version(&root, &mut import.notes)?;
    check_required_extensions(&root, &mut import.notes)?;
    note_unread_targets(&root, import)?;
    fill_what_may_be_missing(&mut root);
    Ok(root)
}

fn describe_parse_error(text: &[u8], error: &serde_json::Error) -> String {
    let line = text.split(|&byte| byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let around = error.column().saturating_sub(8).min(line.len())..(error.column() + 8).min(line.len());
    let near = String::from_utf8_lossy(&line[around]);
    format!("cannot be parsed: {error}, near {}", quoted(&near))
}

fn check_version(root: &Map<String, Value>, notes: &mut Notes) -> Result<(), Fault> {
    let Some(asset) = root.get("asset").and_then(Value::as_object) else {
        let problem = Problem::new("is missing").advise("this is not a glTF 2.0 file");
        return Err(Fault::invalid(Subject::field("asset"), problem));
    };
    for key in ["minVersion", "version"] {
        let subject = Subject::field(format!("asset.{key}"));
        let version = match asset.get(key) {
            Some(Value::String(version)) => version.clone(),
            Some(Value::Number(number)) => {
                notes.warn(&subject, format!("is the number {number}; glTF needs a text, \"2.0\""));
                number.to_string()
            }
            Some(_) => {
                let problem = Problem::new("is neither a text nor a number").advise("glTF needs the text \"2.0\"");
                return Err(Fault::invalid(subject, problem));
            }
            None if key == "version" => {
                return Err(Fault::invalid(subject, Problem::new("is missing").advise("glTF 2.0 needs it")));
            }
            None => continue,
        };
        // A reader of 2.0 can read a later 2.x, unless the file says that it needs one of 2.x.
        let is_read = match key {
            "minVersion" => version == "2" || version == "2.0",
            _ => version == "2" || version.starts_with("2."),
        };
        if !is_read {
            let problem = Problem::new(format!("{}, Smirk reads 2.0", quoted(&version)));
            return Err(Fault::invalid(subject, problem.advise("export it as glTF 2.0")));
        }
    }
    Ok(())
}

fn check_required_extensions(root: &Map<String, Value>, notes: &mut Notes) -> Result<(), Fault> {
    let required: Vec<&str> = array(root, "extensionsRequired").iter().filter_map(Value::as_str).collect();
    for name in required {
        if SUPPORTED.contains(&name) {
            continue;
        }
        let is_ignored = IGNORED.contains(&name) || IGNORED_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        if !is_ignored {
            return Err(Fault::Unsupported {
                feature: format!("marked as unreadable without the extension {}", quoted(name)),
                advice: "re-export without it",
            });
        }
        notes.warn(Subject::field("extensionsRequired"), format!("{name} is not read: {}", without_extension(name)));
    }
    Ok(())
}

/// How the picture differs from what the author meant, without a required extension.
fn without_extension(name: &str) -> &'static str {
    match name {
        "KHR_xmp" | "KHR_xmp_json_ld" => "it describes the file and changes nothing in the picture",
        "VRMC_springBone" | "VRMC_springBone_extended_collider" => "hair and clothes do not swing",
        name if name.starts_with("EXT_lights_") => "the shape is right, the light may look different",
        name if name.starts_with("VRMC_") && !name.starts_with("VRMC_materials_") => "what it moves stays where it is",
        _ => "the shape is right, the surface may look different",
    }
}

/// Notes targets without any attribute, and attributes of targets that are not read, such as an exporter's own.
fn note_unread_targets(root: &Map<String, Value>, import: &mut Import<'_>) -> Result<(), Fault> {
    import.begin("reading the structure", 0.06);
    for (index, mesh) in array(root, "meshes").iter().enumerate() {
        import.tick()?;
        let primitives = mesh.get("primitives").and_then(Value::as_array).into_iter().flatten();
        let targets = primitives.filter_map(|p| p.get("targets")).filter_map(Value::as_array).flatten();
        let empty = targets.clone().filter(|target| target.as_object().is_some_and(Map::is_empty)).count();
        if empty > 0 {
            let message = format!("{empty} of its targets are empty: they move nothing");
            import.notes.inform(Subject::Numbered(Kind::Mesh, index), message);
        }
        let mut ignored: Vec<&str> = targets
            .filter_map(Value::as_object)
            .flat_map(Map::keys)
            .map(String::as_str)
            .filter(|key| !matches!(*key, "POSITION" | "NORMAL" | "TANGENT"))
            .filter(|key| !key.starts_with("TEXCOORD_") && !key.starts_with("COLOR_"))
            .collect();
        ignored.sort_unstable();
        ignored.dedup();
        if !ignored.is_empty() {
            let list = listed(&ignored, 8).escape_debug().to_string();
            let message = format!("its targets also change {list}, which is not shown");
            import.notes.warn(Subject::Numbered(Kind::Mesh, index), message);
        }
    }
    Ok(())
}

/// The typed primitive requires `attributes`; a primitive without them is skipped later, with a note that has its
/// number. The typed scene requires `nodes`, which a scene without nodes lacks.
fn fill_what_may_be_missing(root: &mut Map<String, Value>) {
    let scenes = root.get_mut("scenes").and_then(Value::as_array_mut).into_iter().flatten();
    for scene in scenes.filter_map(Value::as_object_mut) {
        scene.entry("nodes").or_insert_with(|| json!([]));
    }
    let meshes = root.get_mut("meshes").and_then(Value::as_array_mut).into_iter().flatten();
    let primitives = meshes.filter_map(|mesh| mesh.get_mut("primitives")?.as_array_mut()).flatten();
    for primitive in primitives.filter_map(Value::as_object_mut) {
        primitive.entry("attributes").or_insert_with(|| json!({}));
    }
}

fn array<'a>(root: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    root.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The accessors of the texture coordinates and colours that one target of a primitive changes.
#[derive(Debug, Default)]
pub(crate) struct UvColorTarget {
    pub uvs: HashMap<u32, Index<Accessor>>,
    pub color: Option<Index<Accessor>>,
    /// It also changes COLOR_1 or a later set, which glTF does not draw.
    pub has_other_colors: bool,
}

/// By the index of the mesh and of the primitive in it: the primitive's targets in the file's order. Primitives whose
/// targets change neither texture coordinates nor colours are absent.
pub(super) type UvColorTargets = HashMap<(usize, usize), Vec<UvColorTarget>>;

pub(super) fn find_uv_color_targets(
    root: &Map<String, Value>,
    import: &mut Import<'_>,
) -> Result<UvColorTargets, Fault> {
    fn list(value: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> + Clone {
        value.and_then(Value::as_array).into_iter().flatten().enumerate()
    }
    let mut found = UvColorTargets::new();
    for (mesh_index, mesh) in list(root.get("meshes")) {
        for (primitive_index, primitive) in list(mesh.get("primitives")) {
            import.tick()?;
            let targets = list(primitive.get("targets")).map(|(_, target)| UvColorTarget::from_json(target));
            // Most targets change neither, and there may be a million of them.
            if targets.clone().any(|target| !target.is_empty()) {
                found.insert((mesh_index, primitive_index), targets.collect());
            }
        }
    }
    Ok(found)
}

impl UvColorTarget {
    fn from_json(target: &Value) -> Self {
        let mut found = Self::default();
        for (name, accessor) in target.as_object().into_iter().flatten() {
            let Some(accessor) = accessor.as_u64().and_then(|index| u32::try_from(index).ok()).map(Index::new) else {
                continue;
            };
            if let Some(set) = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse().ok()) {
                found.uvs.insert(set, accessor);
            } else if name == "COLOR_0" {
                found.color = Some(accessor);
            } else if name.starts_with("COLOR_") {
                found.has_other_colors = true;
            }
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.color.is_none() && !self.has_other_colors && self.uvs.is_empty()
    }

    /// Numbers that are equal for two targets that name the same accessors.
    pub(crate) fn key(&self) -> impl Iterator<Item = u32> {
        let uvs: BTreeMap<u32, u32> = self.uvs.iter().map(|(set, accessor)| (*set, accessor.value() as u32)).collect();
        let color = self.color.map_or(u32::MAX, |color| color.value() as u32);
        uvs.into_iter().flat_map(|(set, accessor)| [set, accessor]).chain([color])
    }
}
