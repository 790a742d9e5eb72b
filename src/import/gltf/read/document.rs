//! The file's JSON as typed lists. Each element is typed by itself, so that an error can name the element.

use gltf::json::{self, Index};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::uv_color_targets::{UvColorTargets, find_uv_color_targets};
use crate::head::{Kind, Subject};
use crate::import::Fault;

/// The lists of a file that Smirk reads. The indices in them are not checked: use [`lookup`].
pub(crate) struct GltfDocument {
    pub accessors: Vec<json::Accessor>,
    /// Untyped: the animation reader types each channel by itself, so that only a channel with an error is left out.
    pub animations: Vec<Value>,
    pub buffers: Vec<json::Buffer>,
    pub buffer_views: Vec<json::buffer::View>,
    /// Untyped, so that a head with an invalid camera can still be read.
    pub cameras: Vec<Value>,
    pub images: Vec<json::Image>,
    pub materials: Vec<json::Material>,
    pub meshes: Vec<json::Mesh>,
    pub nodes: Vec<json::Node>,
    pub samplers: Vec<json::texture::Sampler>,
    pub scenes: Vec<json::Scene>,
    pub skins: Vec<json::Skin>,
    pub textures: Vec<json::Texture>,
    /// The index of the default scene; not checked.
    pub scene: Option<u64>,
    /// Attributes of morph targets that the typed meshes lack.
    pub uv_color_targets: UvColorTargets,
    /// The extensions of the whole file, by name.
    pub extensions: Map<String, Value>,
}

impl GltfDocument {
    /// Types the JSON that [`prepare`](super::prepare()) has checked.
    pub(crate) fn from_value(mut root: Map<String, Value>) -> Result<Self, Fault> {
        let uv_color_targets = find_uv_color_targets(&root);
        let animations: Vec<Value> = list(&mut root, "animations")?;
        check_samplers(&animations)?;
        Ok(Self {
            uv_color_targets,
            accessors: list(&mut root, "accessors")?,
            animations,
            buffers: list(&mut root, "buffers")?,
            buffer_views: list(&mut root, "bufferViews")?,
            cameras: match root.remove("cameras") {
                Some(Value::Array(cameras)) => cameras,
                _ => Vec::new(),
            },
            images: list(&mut root, "images")?,
            materials: list(&mut root, "materials")?,
            meshes: list(&mut root, "meshes")?,
            nodes: list(&mut root, "nodes")?,
            samplers: list(&mut root, "samplers")?,
            scenes: list(&mut root, "scenes")?,
            skins: list(&mut root, "skins")?,
            textures: list(&mut root, "textures")?,
            scene: root.get("scene").and_then(Value::as_u64),
            extensions: match root.remove("extensions") {
                Some(Value::Object(extensions)) => extensions,
                _ => Map::new(),
            },
        })
    }
}

fn list<T: DeserializeOwned>(root: &mut Map<String, Value>, key: &'static str) -> Result<Vec<T>, Fault> {
    let elements = match root.remove(key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(elements)) => elements,
        Some(_) => return Err(Fault::invalid(Subject::field(key), "is not a list")),
    };
    let typed = |(index, element)| {
        serde_json::from_value(element)
            .map_err(|error| Fault::invalid(Subject::field(format!("{key}[{index}]")), error.to_string()))
    };
    elements.into_iter().enumerate().map(typed).collect()
}

/// Channels must refer to existing samplers of their animation, also in animations that are not played.
fn check_samplers(animations: &[Value]) -> Result<(), Fault> {
    for (index, animation) in animations.iter().enumerate() {
        let parts = |key: &str| animation.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let count = parts("samplers").len();
        for (number, channel) in parts("channels").iter().enumerate() {
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
