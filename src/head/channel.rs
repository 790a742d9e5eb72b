//! Channels: what an artist moves. One per expression name, over all meshes; and their pairs.

use super::{Mesh, Region};

/// One control: every target of that name, on every mesh that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Shown: the name with a prefix common to all channels (`blendShape1.`) stripped.
    pub name: String,
    /// As in the file.
    pub full_name: String,
    /// Head-wide indices of the targets it drives; never empty.
    pub targets: Vec<usize>,
    /// Where on the face it acts, guessed from its name.
    pub region: Region,
}

/// What two channels of a pair are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The same expression on the face's own left and right.
    Sides,
    /// Two directions of one movement (jawLeft/jawRight, eyeLookUp/eyeLookDown …).
    Opposites,
    /// Neighbours that share a row only for want of a partner.
    Neighbours,
}

/// A row of the channel list: two channels, or a last one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What both have in common (`eyeBlink`), or both names.
    pub label: String,
    /// Index into [`super::Head::channels`].
    pub first: usize,
    /// Likewise.
    pub second: Option<usize>,
    /// What they are to each other.
    pub kind: PairKind,
    /// Where the row is listed.
    pub region: Region,
}

/// Groups the targets of all meshes by name and pairs the result.
pub fn channels_and_pairs(meshes: &[Mesh]) -> (Vec<Channel>, Vec<Pair>) {
    let mut channels: Vec<Channel> = Vec::new();
    for mesh in meshes {
        for (local, target) in mesh.targets.iter().enumerate() {
            let index = mesh.first_target + local;
            match channels.iter_mut().find(|channel| channel.name == target.name) {
                Some(channel) => channel.targets.push(index),
                None => {
                    let named = |part: &str| target.name.starts_with(part);
                    let region = if named("brow") {
                        Region::Brows
                    } else if named("eye") {
                        Region::Eyes
                    } else if named("cheek") {
                        Region::Cheeks
                    } else if named("nose") {
                        Region::Nose
                    } else if named("mouth") {
                        Region::Mouth
                    } else if named("jaw") {
                        Region::Jaw
                    } else if named("tongue") {
                        Region::Tongue
                    } else {
                        Region::Other
                    };
                    channels.push(Channel {
                        name: target.name.clone(),
                        full_name: target.name.clone(),
                        targets: vec![index],
                        region,
                    });
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..channels.len()).collect();
    order.sort_by_key(|&index| channels[index].region);
    let mut pairs = Vec::new();
    let mut rest = order.into_iter().peekable();
    while let Some(first) = rest.next() {
        let region = channels[first].region;
        let second = rest.next_if(|&next| channels[next].region == region);
        let stem = |index: usize| channels[index].name.trim_end_matches("Left").trim_end_matches("Right").to_owned();
        let sides = second.is_some_and(|second| stem(first) == stem(second));
        let kind = match (sides, stem(first).as_str()) {
            (true, "jaw" | "mouth") => PairKind::Opposites,
            (true, _) => PairKind::Sides,
            _ => PairKind::Neighbours,
        };
        pairs.push(Pair { label: stem(first), first, second, kind, region });
    }
    (channels, pairs)
}
