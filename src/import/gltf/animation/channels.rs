//! What the channels of an animation move (glTF 2.0 §3.11, `KHR_animation_pointer`). Read by hand: the typed structs refuse
//! a file for a channel that is to be ignored.

use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::head::{Interpolation, NodePath};

/// An animation, its parts still to be read one by one.
#[derive(Deserialize)]
pub struct Animation {
    pub name: Option<String>,
    #[serde(default)]
    pub channels: Vec<Value>,
    #[serde(default)]
    samplers: Vec<Value>,
}

/// Keys.
#[derive(Deserialize)]
pub struct Sampler {
    /// Their times.
    pub input: Index<Accessor>,
    /// Their values.
    pub output: Index<Accessor>,
    interpolation: Option<String>,
}

/// Who moves what.
#[derive(Deserialize)]
pub struct Channel {
    pub sampler: usize,
    target: Target,
}

#[derive(Deserialize)]
struct Target {
    node: Option<usize>,
    path: String,
    #[serde(default)]
    extensions: Value,
}

/// What a channel moves. Indices are the file's, unchecked.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// Weights of the mesh that a node shows: all of them, or one.
    NodeWeights { node: usize, element: Option<usize> },
    /// Likewise, on every node that shows a mesh and has no weights of its own.
    MeshWeights { mesh: usize, element: Option<usize> },
    /// A part of where a node stands.
    Place { node: usize, path: NodePath },
    /// Something that Smirk keeps still.
    Foreign(String),
    /// No node: to be ignored.
    Nowhere,
}

impl Animation {
    /// An animation as far as its outermost shape goes, or what is wrong with that.
    pub fn of(value: &Value) -> Result<Self, String> {
        typed(value)
    }

    /// A sampler, or why there is none.
    pub fn sampler(&self, index: usize) -> Result<Sampler, String> {
        let found = self.samplers.get(index);
        let value =
            found.ok_or_else(|| format!("refers to sampler {index}, it has {} of them", self.samplers.len()))?;
        typed(value).map_err(|error| format!("sampler {index}: {error}"))
    }
}

impl Sampler {
    /// How values between keys are found; none for a way that glTF does not have.
    pub fn interpolation(&self) -> Option<Interpolation> {
        match self.interpolation.as_deref() {
            None | Some("LINEAR") => Some(Interpolation::Linear),
            Some("STEP") => Some(Interpolation::Step),
            Some("CUBICSPLINE") => Some(Interpolation::CubicSpline),
            Some(_) => None,
        }
    }
}

impl Channel {
    /// A channel, or what is wrong with it.
    pub fn of(value: &Value) -> Result<Self, String> {
        typed(value)
    }

    /// What it moves; none for a property that glTF does not have.
    pub fn aim(&self) -> Option<Aim> {
        let Target { node, path, extensions } = &self.target;
        if path == "pointer" {
            let pointer = extensions.pointer("/KHR_animation_pointer/pointer").and_then(Value::as_str);
            return Some(pointer.map_or(Aim::Nowhere, aim_of_pointer));
        }
        let Some(node) = *node else { return Some(Aim::Nowhere) };
        if path == "weights" {
            return Some(Aim::NodeWeights { node, element: None });
        }
        node_path(path).map(|path| Aim::Place { node, path })
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

/// What a JSON pointer leads to.
fn aim_of_pointer(pointer: &str) -> Aim {
    let steps: Vec<&str> = pointer.split('/').collect();
    let number = |step: &str| step.parse::<usize>().ok();
    let aim = match steps.as_slice() {
        ["", "nodes", node, "weights"] => number(node).map(|node| Aim::NodeWeights { node, element: None }),
        ["", "nodes", node, "weights", element] => {
            number(node).zip(number(element)).map(|(node, at)| Aim::NodeWeights { node, element: Some(at) })
        }
        ["", "meshes", mesh, "weights"] => number(mesh).map(|mesh| Aim::MeshWeights { mesh, element: None }),
        ["", "meshes", mesh, "weights", element] => {
            number(mesh).zip(number(element)).map(|(mesh, at)| Aim::MeshWeights { mesh, element: Some(at) })
        }
        ["", "nodes", node, path] => number(node).zip(node_path(path)).map(|(node, path)| Aim::Place { node, path }),
        _ => None,
    };
    aim.unwrap_or_else(|| Aim::Foreign(pointer.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn aim(target: Value) -> Option<Aim> {
        Channel::of(&json!({"sampler": 0, "target": target})).unwrap().aim()
    }

    fn pointer(pointer: &str) -> Aim {
        aim(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})).unwrap()
    }

    #[test]
    fn pointers_lead_where_plain_channels_do_and_further() {
        assert_eq!(aim(json!({"node": 3, "path": "weights"})), Some(pointer("/nodes/3/weights")));
        assert_eq!(aim(json!({"node": 3, "path": "scale"})), Some(pointer("/nodes/3/scale")));
        assert_eq!(pointer("/nodes/3/weights/1"), Aim::NodeWeights { node: 3, element: Some(1) });
        assert_eq!(pointer("/meshes/2/weights"), Aim::MeshWeights { mesh: 2, element: None });
        assert_eq!(pointer("/meshes/2/weights/0"), Aim::MeshWeights { mesh: 2, element: Some(0) });
        for foreign in ["/nodes/3/matrix", "/nodes/x/scale", "/nodes/-1/scale", "nodes/3/scale", "", "/materials/0/x"] {
            assert_eq!(pointer(foreign), Aim::Foreign(foreign.into()));
        }
        assert_eq!(aim(json!({"path": "rotation"})), Some(Aim::Nowhere));
        assert_eq!(aim(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": 7}})), Some(Aim::Nowhere));
        assert_eq!(aim(json!({"node": 3, "path": "colour"})), None);
        assert!(Channel::of(&json!({"sampler": 0, "target": {"node": -1, "path": "scale"}})).is_err());
    }
}
