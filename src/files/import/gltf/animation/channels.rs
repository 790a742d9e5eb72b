//! The channels of an animation: which sampler animates which property (glTF 2.0 §3.11, `KHR_animation_pointer`). They are typed
//! here because the `gltf` crate refuses a file with a channel without a node, which the specification says to ignore.

use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use smirk_face::head::{Interpolation, NodePath};

/// An animation. Its channels and samplers are typed one by one, so that only those with an error are left out.
pub(super) struct Animation<'a> {
    pub name: Option<&'a str>,
    pub channels: &'a [Value],
    samplers: &'a [Value],
}

/// The keys of one or more channels.
#[derive(Deserialize)]
pub(super) struct AnimationSampler {
    /// The times of the keys.
    pub input: Index<Accessor>,
    /// The values of the keys.
    pub output: Index<Accessor>,
    interpolation: Option<String>,
}

/// A sampler and the property it animates.
#[derive(Deserialize)]
pub(super) struct AnimationChannel {
    pub sampler: usize,
    target: JsonTarget,
}

#[derive(Deserialize)]
struct JsonTarget {
    node: Option<usize>,
    path: String,
    #[serde(default)]
    extensions: Value,
}

/// The property that a channel animates. Indices are those of the file; they are not checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ChannelTarget {
    /// The weights of a node's mesh: all of them, or one.
    NodeWeights { node: usize, element: Option<usize> },
    /// The weights of a mesh, on every node that shows it and has no weights of its own: all of them, or one.
    MeshWeights { mesh: usize, element: Option<usize> },
    /// Translation, rotation or scale of a node.
    Transform { node: usize, path: NodePath },
    /// A JSON pointer to something that Smirk does not animate.
    Unsupported(String),
    /// A channel with neither node nor pointer, which glTF says to ignore.
    Missing,
}

impl<'a> Animation<'a> {
    /// Reads an animation without its channels and samplers. The error is the reason why that fails.
    pub(super) fn of(value: &'a Value) -> Result<Self, String> {
        let fields = value.as_object().ok_or("is not an object")?;
        let list = |key: &str| match fields.get(key) {
            None => Ok(&[][..]),
            Some(value) => value.as_array().map(Vec::as_slice).ok_or_else(|| format!("its {key} are not a list")),
        };
        let name = match fields.get("name") {
            None | Some(Value::Null) => None,
            Some(name) => Some(name.as_str().ok_or("its name is not text")?),
        };
        Ok(Self { name, channels: list("channels")?, samplers: list("samplers")? })
    }

    /// A sampler, or why it cannot be used.
    pub(super) fn sampler(&self, index: usize) -> Result<AnimationSampler, String> {
        let found = self.samplers.get(index);
        let value =
            found.ok_or_else(|| format!("refers to sampler {index}, it has {} of them", self.samplers.len()))?;
        typed(value).map_err(|error| format!("sampler {index}: {error}"))
    }
}

impl AnimationSampler {
    /// How values between keys are interpolated; none for a method that glTF does not have.
    pub(super) fn interpolation(&self) -> Option<Interpolation> {
        match self.interpolation.as_deref() {
            None | Some("LINEAR") => Some(Interpolation::Linear),
            Some("STEP") => Some(Interpolation::Step),
            Some("CUBICSPLINE") => Some(Interpolation::CubicSpline),
            Some(_) => None,
        }
    }
}

impl AnimationChannel {
    /// Types a channel. The error is the reason why that fails.
    pub(super) fn of(value: &Value) -> Result<Self, String> {
        typed(value)
    }

    /// The animated property; none for a property that glTF does not have.
    pub(super) fn target(&self) -> Option<ChannelTarget> {
        let JsonTarget { node, path, extensions } = &self.target;
        if path == "pointer" {
            let pointer = extensions.pointer("/KHR_animation_pointer/pointer").and_then(Value::as_str);
            return Some(pointer.map_or(ChannelTarget::Missing, target_of_pointer));
        }
        let Some(node) = *node else { return Some(ChannelTarget::Missing) };
        if path == "weights" {
            return Some(ChannelTarget::NodeWeights { node, element: None });
        }
        node_path(path).map(|path| ChannelTarget::Transform { node, path })
    }
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

fn node_path(name: &str) -> Option<NodePath> {
    match name {
        "translation" => Some(NodePath::Translation),
        "rotation" => Some(NodePath::Rotation),
        "scale" => Some(NodePath::Scale),
        _ => None,
    }
}

/// The property at a JSON pointer.
fn target_of_pointer(pointer: &str) -> ChannelTarget {
    let steps: Vec<&str> = pointer.split('/').collect();
    let number = |step: &str| step.parse::<usize>().ok();
    let target = match steps.as_slice() {
        ["", "nodes", node, "weights"] => number(node).map(|node| ChannelTarget::NodeWeights { node, element: None }),
        ["", "nodes", node, "weights", element] => {
            number(node).zip(number(element)).map(|(node, at)| ChannelTarget::NodeWeights { node, element: Some(at) })
        }
        ["", "meshes", mesh, "weights"] => number(mesh).map(|mesh| ChannelTarget::MeshWeights { mesh, element: None }),
        ["", "meshes", mesh, "weights", element] => {
            number(mesh).zip(number(element)).map(|(mesh, at)| ChannelTarget::MeshWeights { mesh, element: Some(at) })
        }
        ["", "nodes", node, path] => {
            number(node).zip(node_path(path)).map(|(node, path)| ChannelTarget::Transform { node, path })
        }
        _ => None,
    };
    target.unwrap_or_else(|| ChannelTarget::Unsupported(pointer.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn target_of(target: Value) -> Option<ChannelTarget> {
        AnimationChannel::of(&json!({"sampler": 0, "target": target})).unwrap().target()
    }

    fn pointer(pointer: &str) -> ChannelTarget {
        target_of(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})).unwrap()
    }

    #[test]
    fn pointers_name_the_same_properties_as_plain_channels_and_single_weights() {
        assert_eq!(target_of(json!({"node": 3, "path": "weights"})), Some(pointer("/nodes/3/weights")));
        assert_eq!(target_of(json!({"node": 3, "path": "scale"})), Some(pointer("/nodes/3/scale")));
        assert_eq!(pointer("/nodes/3/weights/1"), ChannelTarget::NodeWeights { node: 3, element: Some(1) });
        assert_eq!(pointer("/meshes/2/weights"), ChannelTarget::MeshWeights { mesh: 2, element: None });
        assert_eq!(pointer("/meshes/2/weights/0"), ChannelTarget::MeshWeights { mesh: 2, element: Some(0) });
        for unsupported in
            ["/nodes/3/matrix", "/nodes/x/scale", "/nodes/-1/scale", "nodes/3/scale", "", "/materials/0/x"]
        {
            assert_eq!(pointer(unsupported), ChannelTarget::Unsupported(unsupported.into()));
        }
        assert_eq!(target_of(json!({"path": "rotation"})), Some(ChannelTarget::Missing));
        assert_eq!(
            target_of(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": 7}})),
            Some(ChannelTarget::Missing)
        );
        assert_eq!(target_of(json!({"node": 3, "path": "colour"})), None);
        assert!(AnimationChannel::of(&json!({"sampler": 0, "target": {"node": -1, "path": "scale"}})).is_err());
    }
}
