//! Edits by names, and names back to edits.

use super::named_edits::{NamedEdits, Slider};
use crate::session::Edits;
use smirk_face::head::{Head, Pair, name_and_nth, nth_by_name};

impl NamedEdits {
    /// The edits of a head, and those that are kept for parts that it lacks.
    pub fn of(head: &Head, edits: &Edits) -> Self {
        let rest = head.default_weights();
        let mut sliders = edits.absent.sliders.clone();
        for (index, channel) in head.channels.iter().enumerate() {
            let mut slider = Slider::of(head, index, edits, &rest);
            if let Some(absent) = sliders.remove(&channel.full_name) {
                slider.targets.extend(absent.targets);
            }
            if slider != Slider::default() {
                sliders.insert(channel.full_name.clone(), slider);
            }
        }
        let name = |channel: usize| head.channels[channel].full_name.clone();
        let pairs = head.pairs.iter().zip(&edits.linked).filter(|(_, linked)| **linked);
        let linked = pairs.filter_map(|(pair, _)| Some([name(pair.first), name(pair.second?)]));
        let variant = edits.look.variant.and_then(|variant| name_and_nth(head.variant_names(), variant));
        Self {
            sliders,
            linked: linked.chain(edits.absent.linked.iter().cloned()).collect(),
            variant: variant.map(|(name, nth)| (name.to_owned(), nth)).or_else(|| edits.absent.variant.clone()),
        }
    }

    /// Applies them to edits of a head that are at rest. What the head lacks is kept in them.
    pub(super) fn apply(self, head: &Head, edits: &mut Edits) {
        let mut absent = Self::default();
        for (name, slider) in self.sliders {
            match head.channel_named(&name) {
                None => drop(absent.sliders.insert(name, slider)),
                Some(channel) => {
                    let targets = slider.apply(head, channel, edits);
                    if !targets.is_empty() {
                        let name = head.channels[channel].full_name.clone();
                        absent.sliders.insert(name, Slider { targets, ..Slider::default() });
                    }
                }
            }
        }
        for names in self.linked {
            match pair_of(head, &names) {
                Some(pair) => edits.linked[pair] = true,
                None => absent.linked.push(names),
            }
        }
        if let Some((name, nth)) = self.variant {
            edits.look.variant = nth_by_name(head.variant_names(), &name, nth);
            absent.variant = edits.look.variant.is_none().then_some((name, nth));
        }
        edits.absent = absent;
    }
}

impl Edits {
    /// When a file is read again, copies from the edits before what [`Self::moved_to`] does not keep: sliders and
    /// links, by channel name, the blend rule, the variant, the choice of lights, the roles of materials,
    /// the hidden meshes and the channel of the heat map.
    pub(in crate::session) fn copy_sliders(&mut self, old: &Self, from: &Head, head: &Head) {
        self.rule = old.rule;
        self.applied_poses.clone_from(&old.applied_poses);
        self.look.lit_by = old.look.lit_by;
        self.roles.clone_from(&old.roles);
        self.hidden_meshes.clone_from(&old.hidden_meshes);
        self.heat_channel.clone_from(&old.heat_channel);
        NamedEdits::of(from, old).apply(head, self);
    }
}

/// The pair of two channels, by their names. None if the head lacks a channel, or pairs them otherwise.
pub fn pair_of(head: &Head, names: &[String; 2]) -> Option<usize> {
    let [first, second] = [&names[0], &names[1]].map(|name| head.channel_named(name));
    let holds = |channel: Option<usize>, pair: &Pair| {
        channel.is_some_and(|channel| pair.first == channel || pair.second == Some(channel))
    };
    head.pairs.iter().position(|pair| holds(first, pair) && holds(second, pair))
}
