//! The edits with all names resolved on a head.

use std::sync::Arc;

use super::{Edits, NotedLook, Revision, pair_named};
use smirk_face::head::{Head, PairKind, Role};
use smirk_face::motion::Sliders;
use smirk_scene::{Heat, LitBy, Look, MeshSet};

/// What the edits say about the parts of a head, by their indices. It is made anew when the head or the edits change:
/// playback looks up no name.
#[derive(Clone, Debug)]
pub struct BoundEdits {
    head: Arc<Head>,
    revision: Revision,
    /// Of correctives, all are silent if they are switched off, else those that are muted.
    pub sliders: Sliders,
    /// Per pair, whether both sliders move together.
    pub linked: Vec<bool>,
    /// What each material shows; empty if the artist has chosen nothing, so that the head's own roles apply.
    pub roles: Arc<[Role]>,
    /// The look with the hidden meshes, the channel of the heat map, the variant and the lights.
    pub look: Look,
}

impl BoundEdits {
    pub(super) fn new(head: &Arc<Head>, revision: Revision, edits: &Edits) -> Self {
        let mut rest = head.default_weights();
        if edits.rests_at_zero {
            rest.fill(0.0);
        }
        let mut sliders = Sliders::at_rest(head, rest);
        for (name, slider) in &edits.sliders {
            let Some(channel) = head.channel_named(name) else { continue };
            let full_name = &head.channels[channel].full_name;
            if name != full_name && edits.sliders.contains_key(full_name) {
                continue; // Of two spellings of a channel, its full name counts.
            }
            let own = slider.weights(head, channel, &sliders.rest);
            let targets = head.channels[channel].targets.iter();
            targets.zip(own).for_each(|(&target, weight)| sliders.weights[target] = weight);
            sliders.manual[channel] = slider.held;
            sliders.muted[channel] = slider.muted;
            sliders.soloed[channel] = slider.soloed;
        }
        let pairs = head.pairs.iter();
        let mut linked: Vec<bool> = pairs.map(|pair| edits.links_sides && pair.kind == PairKind::Sides).collect();
        edits.linked.iter().filter_map(|names| pair_named(head, names)).for_each(|pair| linked[pair] ^= true);
        let driven = head.correctives.driven();
        sliders.silent_correctives =
            driven.filter(|&channel| !edits.plays_correctives || sliders.muted[channel]).collect();
        Self { head: head.clone(), revision, sliders, linked, roles: roles_on(edits, head), look: look_on(edits, head) }
    }

    /// Moves the slider of a channel, which is what has changed up to this revision.
    pub(super) fn move_slider(&mut self, channel: usize, value: f32, revision: Revision) {
        self.revision = revision;
        self.head.channels[channel].targets.iter().for_each(|&target| self.sliders.weights[target] = value);
    }

    pub(super) fn is_of(&self, head: &Arc<Head>, revision: Revision) -> bool {
        self.revision == revision && Arc::ptr_eq(&self.head, head)
    }
}

/// What each material of a head shows; empty if the artist has chosen nothing.
pub(super) fn roles_on(edits: &Edits, head: &Head) -> Arc<[Role]> {
    if edits.roles.is_empty() {
        return Arc::default();
    }
    let materials = head.materials.iter().zip(&head.roles);
    materials.map(|(material, &own)| edits.roles.get(&material.name).copied().unwrap_or(own)).collect()
}

impl NotedLook {
    pub(crate) fn of_edits(edits: &Edits) -> Self {
        Self {
            look: edits.look.without_comparison(),
            variant: edits.variant.clone(),
            variant_turn: edits.variant_turn,
            lit_by_file: edits.lit_by_file,
            hidden_meshes: edits.hidden_meshes.clone(),
            heat_channel: edits.heat_channel.clone(),
        }
    }

    /// The look on a head that rests at the weights of its file, or at 0.
    pub(super) fn on(&self, head: &Head, rests_at_zero: bool) -> Look {
        let Self { look, variant, variant_turn, lit_by_file, hidden_meshes, heat_channel } = self.clone();
        let edits = Edits {
            rests_at_zero,
            look,
            variant,
            variant_turn,
            lit_by_file,
            hidden_meshes,
            heat_channel,
            ..Edits::default()
        };
        look_on(&edits, head)
    }
}

/// The look with the indices of what the edits name of a head.
fn look_on(edits: &Edits, head: &Head) -> Look {
    let meshes = head.meshes.iter().enumerate();
    let hidden = meshes.filter(|(_, mesh)| edits.hidden_meshes.contains(&mesh.name)).map(|(index, _)| index);
    let channel = edits.heat_channel.as_ref().and_then(|name| head.channel_named(name));
    Look {
        hidden: hidden.collect::<MeshSet>(),
        heat: Heat { channel, rests_at_zero: edits.rests_at_zero, ..edits.look.heat },
        variant: edits.variant_of(head),
        lit_by: if edits.lit_by_file { LitBy::File } else { LitBy::Smirk },
        ..edits.look
    }
}
