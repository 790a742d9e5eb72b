//! The slider of a channel by the names of the meshes that the channel moves.

use super::named_edits::{MeshWeight, Slider};
use crate::session::Edits;
use smirk_face::head::Head;

/// The names of the meshes that targets are on.
pub fn mesh_names<'a>(head: &'a Head, targets: &'a [usize]) -> impl Iterator<Item = &'a str> {
    targets.iter().map(|&target| head.target(target).map_or("", |(mesh, _)| mesh.name.as_str()))
}

impl Slider {
    /// The slider of a channel; `rest` has the head's weights at rest. It is the default if it is as it was when the head was
    /// opened.
    pub(super) fn of(head: &Head, channel: usize, edits: &Edits, rest: &[f32]) -> Self {
        let targets = &head.channels[channel].targets;
        let mut slider = Self {
            held: edits.manual[channel],
            muted: edits.muted[channel],
            soloed: edits.soloed[channel],
            ..Self::default()
        };
        let is_at_rest = targets.iter().all(|&target| edits.weights[target] == rest[target]);
        if slider.held || !is_at_rest {
            let weights: Vec<f32> = targets.iter().map(|&target| edits.weights[target]).collect();
            if weights.windows(2).all(|pair| pair[0] == pair[1]) {
                slider.value = weights.first().copied();
            } else {
                let meshes = mesh_names(head, targets);
                slider.targets =
                    meshes.zip(weights).map(|(mesh, value)| MeshWeight { mesh: mesh.to_owned(), value }).collect();
            }
        }
        slider
    }

    /// Sets a channel of the head to this state. Returns the weights of meshes that the channel has no target on.
    pub fn apply(&self, head: &Head, channel: usize, edits: &mut Edits) -> Vec<MeshWeight> {
        let targets = &head.channels[channel].targets;
        if let Some(value) = self.value.filter(|value| value.is_finite()) {
            for &target in targets {
                edits.weights[target] = value;
            }
        }
        let mut free_targets: Vec<(&str, usize)> = mesh_names(head, targets).zip(targets.iter().copied()).collect();
        let mut without_mesh = Vec::new();
        for weight in self.targets.iter().filter(|weight| weight.value.is_finite()) {
            match free_targets.iter().position(|(mesh, _)| *mesh == weight.mesh) {
                Some(index) => edits.weights[free_targets.remove(index).1] = weight.value,
                None => without_mesh.push(weight.clone()),
            }
        }
        edits.manual[channel] = self.held;
        edits.muted[channel] = self.muted;
        edits.soloed[channel] = self.soloed;
        without_mesh
    }
}
