//! The file's JSON as typed lists. Each element is typed by itself, so that an error can name the element.

use std::collections::BTreeMap;

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;
use gltf::json::{self, Index};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::prepare::{UvColorTargets, find_uv_color_targets};
use crate::import::budget::Budget;
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Subject};

/// The lists of a file that Smirk reads. The indices in them are not checked: use [`lookup`].
pub(crate) struct GltfDocument {
    pub accessors: Vec<Accessor>,
    /// Untyped: the animation reader types each channel by itself, so that only a channel with an error is left out.
    pub animations: Vec<Value>,
    pub buffers: Vec<json::Buffer>,
    pub buffer_views: Vec<json::buffer::View>,
    /// Untyped, so that a head with an invalid camera can still be read.
    pub cameras: Vec<Value>,
    pub images: Vec<json::Image>,
    pub materials: Vec<json::Material>,
    /// Those that are drawn otherwise than the file has them as materials of glTF, by their index: those of VRM 0.x
    /// with toon shading.
    pub drawn_materials: BTreeMap<usize, json::Material>,
    pub meshes: Vec<json::Mesh>,
    pub nodes: Vec<json::Node>,
    pub samplers: Vec<json::texture::Sampler>,
    pub scenes: Vec<json::Scene>,
    pub skins: Vec<json::Skin>,
    pub textures: Vec<json::Texture>,
    /// The index of the default scene; not checked.
    pub scene: Option<u64>,
    pub uv_color_targets: UvColorTargets,
    pub extensions: Map<String, Value>,
    /// The names of the extensions that the file says to have; not checked.
    pub extensions_used: Vec<Value>,
}

impl GltfDocument {
    /// Types the JSON of `text_bytes` bytes that [`prepare`](super::prepare()) has checked.
    pub(crate) fn from_value(
        mut root: Map<String, Value>,
        text_bytes: usize,
        import: &mut Import<'_>,
    ) -> Result<Self, Fault> {
        import.begin("reading the structure", 0.08);
        let uv_color_targets = find_uv_color_targets(&root, import)?;
        let animations = match root.remove("animations") {
            None => Vec::new(),
            Some(Value::Array(animations)) => animations,
            Some(_) => return Err(not_a_list("animations")),
        };
        check_samplers(&animations, import)?;
        import.lists = Budget::for_lists(text_bytes as u64);
        let mut lists = Lists { root, import };
        Ok(Self {
            uv_color_targets,
            accessors: lists.take("accessors")?,
            animations,
            buffers: lists.take("buffers")?,
            buffer_views: lists.take("bufferViews")?,
            cameras: match lists.root.remove("cameras") {
                Some(Value::Array(cameras)) => cameras,
                _ => Vec::new(),
            },
            images: lists.take("images")?,
            materials: lists.take("materials")?,
            drawn_materials: BTreeMap::new(),
            meshes: lists.take("meshes")?,
            nodes: lists.take("nodes")?,
            samplers: lists.take("samplers")?,
            scenes: lists.take("scenes")?,
            skins: lists.take("skins")?,
            textures: lists.take("textures")?,
            scene: lists.root.get("scene").and_then(Value::as_u64),
            extensions: match lists.root.remove("extensions") {
                Some(Value::Object(extensions)) => extensions,
                _ => Map::new(),
            },
            extensions_used: match lists.root.remove("extensionsUsed") {
                Some(Value::Array(names)) => names,
                _ => Vec::new(),
            },
        })
    }
}

struct Lists<'i, 'a> {
    root: Map<String, Value>,
    import: &'i mut Import<'a>,
}

impl Lists<'_, '_> {
    /// A list with its elements typed. An element takes up to two hundred times the memory of its text, `{}`.
    fn take<T: DeserializeOwned>(&mut self, key: &'static str) -> Result<Vec<T>, Fault> {
        let elements = match self.root.remove(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(elements)) => elements,
            Some(_) => return Err(not_a_list(key)),
        };
        self.import.lists.spend((elements.len() * size_of::<T>()) as u64, &Subject::field(key))?;
        let mut typed = Vec::with_capacity(elements.len());
        for (index, element) in elements.into_iter().enumerate() {
            self.import.tick()?;
            let wrong =
                |error: serde_json::Error| Fault::invalid(Subject::field(format!("{key}[{index}]")), error.to_string());
            typed.push(serde_json::from_value(element).map_err(wrong)?);
        }
        Ok(typed)
    }
}

fn not_a_list(key: &'static str) -> Fault {
    Fault::invalid(Subject::field(key), "is not a list")
}

/// Channels must refer to existing samplers of their animation, also in animations that are not played.
fn check_samplers(animations: &[Value], import: &mut Import<'_>) -> Result<(), Fault> {
    for (index, animation) in animations.iter().enumerate() {
        import.tick()?;
        let [samplers, channels] = ["samplers", "channels"]
            .map(|key| animation.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice));
        let count = samplers.len();
        for (number, channel) in channels.iter().enumerate() {
            import.tick()?;
            let sampler = channel.get("sampler").and_then(Value::as_u64);
            if let Some(sampler) = sampler.filter(|&sampler| sampler >= count as u64) {
                let problem = format!("refers to sampler {sampler}, the animation has {count} of them");
                return Err(Fault::invalid(
                    Subject::Numbered(Kind::Animation, index).part(Subject::Numbered(Kind::Channel, number)),
                    problem,
                ));
            }
        }
    }
    Ok(())
}

/// The element at an index, or an error that names the `owner` of the index. `kind` is the singular, e.g. `accessor`.
pub(crate) fn lookup<'d, T>(list: &'d [T], index: Index<T>, owner: &Subject, kind: &str) -> Result<&'d T, Fault> {
    list.get(index.value()).ok_or_else(|| {
        Fault::invalid(owner, format!("refers to {kind} {}, the file has {} of them", index.value(), list.len()))
    })
}
pub(super) fn kind(accessor: &Accessor, index: Index<Accessor>) -> Result<Type, Fault> {
    match accessor.type_ {
        Checked::Valid(kind) => Ok(kind),
        Checked::Invalid => {
            Err(Fault::invalid(Subject::Numbered(Kind::Accessor, index.value()), "has an unknown type"))
        }
    }
}

pub(super) fn component(accessor: &Accessor, index: Index<Accessor>) -> Result<ComponentType, Fault> {
    match accessor.component_type {
        Checked::Valid(component) => Ok(component.0),
        Checked::Invalid => {
            Err(Fault::invalid(Subject::Numbered(Kind::Accessor, index.value()), "has an unknown component type"))
        }
    }
}
