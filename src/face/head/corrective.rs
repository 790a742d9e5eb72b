//! Correctives: targets whose weight follows from the weights of other targets. The artist does not move them.
//!
//! A **combination** is shown where several targets are on at once, such as a shape that mends what `jawOpen` and
//! `mouthClose` do together. An **in-between** that the file has as a target of its own is shown while another target
//! passes a weight. Both are declared by the names of channels, in a file beside the head; [`Correctives`] are the same
//! bound to the indices of one head.
//!
//! The methods are those of Maya's combination targets (*Multiplication* and *Lowest Weighting* of `combinationShape`)
//! and of the correctives of MetaHumans (RigLogic's `PSDNet`, which limits a product to 0 to 1).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use crate::head::{Channel, ChannelNames, InBetween, Kind, Mesh, Note, Notes, ShapeMix, Subject, Target};
use smirk_base::names::quoted;

/// A target that follows others, as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrective {
    /// The channel that is driven, by its full name or the name on the screen.
    pub target: String,
    pub drive: Drive,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Several channels that are on at once.
    Combination(CombinationMethod, Vec<Driver>),
    /// Another channel on its way to its own shape.
    InBetween {
        of: String,
        /// The weight of that channel at which the in-between is shown fully. See [`super::InBetween::full_weight`].
        at: f32,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// Its full name or the name on the screen.
    pub name: String,
    /// The weight at which it counts as fully on. Finite, and at least [`Driver::SMALLEST_FULL_WEIGHT`] from 0 to
    /// either side.
    pub full_weight: f32,
}

impl Driver {
    /// The smallest distance of a full weight to 0. Below it, a corrective would be switched rather than moved.
    pub const SMALLEST_FULL_WEIGHT: f32 = 1e-3;

    /// How far a driver is on at a weight: from 0 at weight 0 to 1 at its full weight, and neither less nor more beyond
    /// these.
    fn part_at(full_weight: f32, weight: f32) -> f32 {
        let part = weight / full_weight;
        // NaN compares as not greater, and becomes 0.
        if part > 0.0 { part.min(1.0) } else { 0.0 }
    }
}

/// How the weight of a combination follows from how far each of its drivers is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombinationMethod {
    /// The product. Maya calls it *Multiplication*.
    #[default]
    Product,
    /// The smallest. Maya calls it *Lowest Weighting*.
    Lowest,
}

impl CombinationMethod {
    fn weight(self, parts: impl Iterator<Item = f32>) -> f32 {
        match self {
            Self::Product => parts.product(),
            Self::Lowest => parts.fold(1.0, f32::min),
        }
    }
}

impl Corrective {
    /// What drives it, in a few words: `jawOpen × mouthClose`, `lowest of jawOpen and mouthClose at 0.8`, `smile at
    /// 0.5`.
    pub fn drive_in_words(&self) -> String {
        match &self.drive {
            Drive::Combination(method, drivers) => {
                let drivers = drivers.iter().map(|driver| match driver.full_weight {
                    1.0 => driver.name.clone(),
                    full_weight => format!("{} at {full_weight}", driver.name),
                });
                let drivers: Vec<String> = drivers.collect();
                match method {
                    CombinationMethod::Product => drivers.join(" × "),
                    CombinationMethod::Lowest => format!("lowest of {}", drivers.join(" and ")),
                }
            }
            Drive::InBetween { of, at } => format!("{of} at {at}"),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correctives {
    /// Why this head cannot have some of those that are declared.
    pub problems: Vec<Note>,
    /// In an order in which every combination comes after those that drive it.
    combinations: Vec<BoundCombinationShape>,
    bent: Vec<BentTarget>,
    /// The channels that are driven, ascending, each with its declaration.
    driven: Vec<(usize, Corrective)>,
}

#[derive(Clone, Debug, PartialEq)]
struct BoundCombinationShape {
    pub channel: usize,
    pub method: CombinationMethod,
    pub drivers: Vec<BoundDriver>,
    /// The driven target of each mesh that has one, with the targets that drive it: one per driver.
    pub targets: Vec<(usize, Vec<usize>)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct BoundDriver {
    pub channel: usize,
    pub full_weight: f32,
}

/// A target on one mesh with in-betweens that are targets of their own.
#[derive(Clone, Debug, PartialEq)]
struct BentTarget {
    pub channel: usize,
    pub target: usize,
    /// In ascending order of their full weights.
    pub in_betweens: Vec<BoundInBetween>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct BoundInBetween {
    pub channel: usize,
    pub target: usize,
    pub full_weight: f32,
}

impl Correctives {
    pub fn is_empty(&self) -> bool {
        self.driven.is_empty()
    }

    /// The channels that are driven, ascending.
    pub fn driven(&self) -> impl Iterator<Item = usize> + Clone {
        self.driven.iter().map(|(channel, _)| *channel)
    }

    pub fn of_channel(&self, channel: usize) -> Option<&Corrective> {
        let at = self.driven.binary_search_by_key(&channel, |(channel, _)| *channel).ok()?;
        Some(&self.driven[at].1)
    }

    /// Whether in-betweens change the weight of a channel's own shape.
    pub(crate) fn has_in_betweens(&self, channel: usize) -> bool {
        self.bent.iter().any(|bent| bent.channel == channel)
    }

    /// Sets the weights of the targets that are driven, one weight per target of the head. The correctives of the
    /// channels in `silent`, in ascending order, do not play: their targets keep the weights that they have, like those
    /// that nothing drives.
    pub fn drive(&self, weights: &mut [f32], silent: &[usize]) {
        for combination in self.combinations.iter().filter(|combination| plays(silent, combination.channel)) {
            for (target, driven_by) in &combination.targets {
                let drivers = combination.drivers.iter().zip(driven_by);
                let parts = drivers.map(|(driver, &by)| Driver::part_at(driver.full_weight, weights[by]));
                weights[*target] = combination.method.weight(parts);
            }
        }
        // In-betweens come last, because they change the weight of the target that they belong to, which drives
        // combinations.
        for bent in &self.bent {
            let playing = bent.in_betweens.iter().filter(|each| plays(silent, each.channel));
            let weight = weights[bent.target];
            if !weight.is_finite() {
                continue;
            }
            let mix = ShapeMix::new(playing.clone().map(|each| each.full_weight), weight);
            let shares = playing.map(|each| (each.target, mix.weight_of(each.full_weight)));
            // Far outside of the corners, a share may be beyond the largest number.
            for (target, share) in shares.chain([(bent.target, mix.of_own_shape())]) {
                weights[target] = share.clamp(f32::MIN, f32::MAX);
            }
        }
    }

    /// The channels that show a driven channel at a weight while everything else is at rest, with their weights; the
    /// channel itself if nothing drives it, or its corrective is in `silent`.
    pub(crate) fn shown_by(&self, channel: usize, weight: f32, silent: &[usize]) -> Vec<(usize, f32)> {
        let mut shown: BTreeMap<usize, f32> = BTreeMap::new();
        // Drivers that are driven themselves are followed down to channels that an artist moves, each once.
        let (mut open, mut followed) = (vec![(channel, weight)], BTreeSet::new());
        while let Some((channel, weight)) = open.pop() {
            if self.of_channel(channel).is_some() && plays(silent, channel) {
                let drivers = self.drivers_of(channel).into_iter().map(|(driver, at)| (driver, at * weight));
                if followed.insert(channel) {
                    open.extend(drivers);
                }
            } else {
                let before = shown.entry(channel).or_default();
                if weight.abs() > before.abs() {
                    *before = weight;
                }
            }
        }
        shown.into_iter().collect()
    }

    /// The weights of a channel at which what follows it begins, ends or turns: between two of them it is smooth.
    pub fn corners_of(&self, channel: usize) -> Vec<f32> {
        let drivers = self.combinations.iter().flat_map(|combination| &combination.drivers);
        let ends = drivers.filter(|driver| driver.channel == channel).flat_map(|driver| [0.0, driver.full_weight]);
        let bent = self.bent.iter().filter(|bent| bent.channel == channel);
        let in_betweens = bent.flat_map(|bent| &bent.in_betweens).flat_map(|each| [0.0, each.full_weight, 1.0]);
        ends.chain(in_betweens).collect()
    }

    /// The channels that drive a channel directly, each with the weight at which the driven one is shown fully.
    pub fn drivers_of(&self, channel: usize) -> Vec<(usize, f32)> {
        let combination = self.combinations.iter().find(|combination| combination.channel == channel);
        let drivers = combination.iter().flat_map(|combination| &combination.drivers);
        let in_between = self.bent.iter().find_map(|bent| {
            let in_between = bent.in_betweens.iter().find(|each| each.channel == channel)?;
            Some((bent.channel, in_between.full_weight))
        });
        drivers.map(|driver| (driver.channel, driver.full_weight)).chain(in_between).collect()
    }
}

/// Whether the corrective of a channel plays. `silent` has the channels whose correctives do not, ascending.
fn plays(silent: &[usize], channel: usize) -> bool {
    debug_assert!(silent.is_sorted(), "silent channels are searched");
    silent.binary_search(&channel).is_err()
}

/// What is wrong with a declaration, as the end of a sentence about it.
type Refusal = String;

impl Correctives {
    pub(in crate::head) fn bind(declared: &[Corrective], channels: &[Channel], meshes: &[Mesh]) -> Self {
        let mut binding = Binding {
            channels,
            meshes,
            names: ChannelNames::new(channels, |_| None),
            driven: BTreeMap::new(),
            combinations: Vec::new(),
            in_betweens: HashMap::new(),
            corners: HashMap::new(),
            bent: BTreeMap::new(),
        };
        let mut problems = Notes::default();
        // In-betweens first: they cannot drive a combination.
        let (in_betweens, combinations): (Vec<_>, Vec<_>) =
            declared.iter().enumerate().partition(|(_, each)| matches!(each.drive, Drive::InBetween { .. }));
        for (index, corrective) in in_betweens.into_iter().chain(combinations) {
            if let Err(refusal) = binding.add(index, corrective) {
                problems.push(refusal_note(corrective, refusal));
            }
        }
        let (combinations, circles) = in_order(std::mem::take(&mut binding.combinations));
        for circle in circles {
            let again = circle.iter().chain(circle.first()).map(|&channel| quoted(&channels[channel].name));
            let names = again.collect::<Vec<_>>().join(" by ");
            for &channel in &circle {
                let Some(index) = binding.driven.remove(&channel) else { continue };
                let refusal = format!("is driven by itself in a circle: {names}");
                problems.push(refusal_note(&declared[index], refusal));
            }
        }
        let Binding { driven, bent, .. } = binding;
        Self {
            combinations,
            bent: bent.into_values().collect(),
            driven: driven.into_iter().map(|(channel, index)| (channel, declared[index].clone())).collect(),
            problems: problems.into_list(),
        }
    }
}

fn refusal_note(declared: &Corrective, refusal: Refusal) -> Note {
    Note::warning(Subject::named(Kind::Corrective, &declared.target), refusal + ". It was left out")
}

/// A head while declarations are bound to it.
struct Binding<'a> {
    channels: &'a [Channel],
    meshes: &'a [Mesh],
    names: ChannelNames,
    /// The index of the declaration of each driven channel.
    driven: BTreeMap<usize, usize>,
    combinations: Vec<BoundCombinationShape>,
    /// The channel that each in-between belongs to.
    in_betweens: HashMap<usize, usize>,
    /// The full weights of the in-betweens of each channel that has some.
    corners: HashMap<usize, Vec<f32>>,
    bent: BTreeMap<usize, BentTarget>,
}

impl Binding<'_> {
    fn add(&mut self, index: usize, corrective: &Corrective) -> Result<(), Refusal> {
        let channel = self.names.named(&corrective.target).ok_or("is no target of this head")?;
        if self.driven.contains_key(&channel) {
            return Err("is declared already".into());
        }
        match &corrective.drive {
            Drive::Combination(method, drivers) => self.add_combination(channel, *method, drivers)?,
            Drive::InBetween { of, at } => self.add_in_between(channel, of, *at)?,
        }
        self.driven.insert(channel, index);
        Ok(())
    }

    fn driver(&self, driven: usize, name: &str) -> Result<usize, Refusal> {
        let channel = self.names.named(name);
        let channel =
            channel.ok_or_else(|| format!("is driven by {}, which is no target of this head", quoted(name)))?;
        if channel == driven {
            Err("is driven by itself".into())
        } else if self.in_betweens.contains_key(&channel) {
            Err(format!("is driven by {}, which is an in-between. Name the target that it belongs to", quoted(name)))
        } else {
            Ok(channel)
        }
    }

    fn add_combination(
        &mut self,
        channel: usize,
        method: CombinationMethod,
        drivers: &[Driver],
    ) -> Result<(), Refusal> {
        if drivers.is_empty() {
            return Err("has no drivers".into());
        }
        let mut bound: Vec<BoundDriver> = Vec::with_capacity(drivers.len());
        for Driver { name, full_weight } in drivers {
            let driver = self.driver(channel, name)?;
            if bound.iter().any(|other| other.channel == driver) {
                return Err(format!("is driven twice by {}", quoted(name)));
            }
            if !full_weight.is_finite() || full_weight.abs() < Driver::SMALLEST_FULL_WEIGHT {
                return Err(format!(
                    "is driven by {} with the full weight {full_weight}, which is too small",
                    quoted(name)
                ));
            }
            bound.push(BoundDriver { channel: driver, full_weight: *full_weight });
        }
        let targets = self.channels[channel]
            .targets
            .iter()
            .map(|&target| (target, bound.iter().map(|driver| self.on_mesh_of(target, driver.channel)).collect()));
        let targets = targets.collect();
        self.combinations.push(BoundCombinationShape { channel, method, drivers: bound, targets });
        Ok(())
    }

    /// The target of a channel on the mesh of another target; on a mesh that lacks it, the first target of the channel.
    fn on_mesh_of(&self, target: usize, channel: usize) -> usize {
        let targets = &self.channels[channel].targets;
        let own = self.mesh_of(target).and_then(|mesh| self.on_mesh(mesh, channel));
        own.or(targets.first().copied()).unwrap_or(target)
    }

    fn mesh_of(&self, target: usize) -> Option<&Mesh> {
        self.meshes.get(self.meshes.partition_point(|mesh| mesh.first_target <= target).checked_sub(1)?)
    }

    fn on_mesh(&self, mesh: &Mesh, channel: usize) -> Option<usize> {
        let own = mesh.first_target..mesh.first_target + mesh.targets.len();
        let targets = &self.channels[channel].targets;
        // Targets are in ascending order.
        let first = targets.partition_point(|target| *target < own.start);
        targets.get(first).copied().filter(|target| own.contains(target))
    }

    fn add_in_between(&mut self, channel: usize, of: &str, full_weight: f32) -> Result<(), Refusal> {
        let base = self.driver(channel, of)?;
        if self.corners.contains_key(&channel) {
            return Err("has in-betweens itself".into());
        }
        for channel in [channel, base] {
            let mut targets = self.channels[channel].targets.iter().filter_map(|&target| self.target(target));
            if targets.any(|target| !target.in_betweens.is_empty()) {
                let name = quoted(&self.channels[channel].name);
                return Err(format!("cannot be used: the file has in-betweens of {name} already"));
            }
        }
        let mut taken = self.corners.get(&base).into_iter().flatten().copied().chain([0.0, 1.0]);
        if !full_weight.is_finite() || taken.any(|taken| (taken - full_weight).abs() < InBetween::SMALLEST_STEP) {
            return Err(format!("is at {full_weight} of {}, where another shape is", quoted(of)));
        }
        let targets = self.channels[channel].targets.clone();
        let on_meshes: Vec<(usize, usize)> = targets
            .into_iter()
            .filter_map(|target| Some((target, self.on_mesh(self.mesh_of(target)?, base)?)))
            .collect();
        if on_meshes.is_empty() {
            return Err(format!("is on no mesh that has {}", quoted(of)));
        }
        self.in_betweens.insert(channel, base);
        self.corners.entry(base).or_default().push(full_weight);
        for (target, base_target) in on_meshes {
            let bent = self.bent.entry(base_target);
            let bent =
                bent.or_insert_with(|| BentTarget { channel: base, target: base_target, in_betweens: Vec::new() });
            let in_betweens = &mut bent.in_betweens;
            let place = in_betweens.partition_point(|other| other.full_weight < full_weight);
            in_betweens.insert(place, BoundInBetween { channel, target, full_weight });
        }
        Ok(())
    }

    fn target(&self, target: usize) -> Option<&Target> {
        let mesh = self.mesh_of(target)?;
        mesh.targets.get(target - mesh.first_target)
    }
}

/// Combinations in an order in which each comes after those that drive it, and the circles of those that drive
/// themselves, which are left out.
fn in_order(combinations: Vec<BoundCombinationShape>) -> (Vec<BoundCombinationShape>, Vec<Vec<usize>>) {
    let mut left: HashMap<usize, (usize, BoundCombinationShape)> =
        combinations.into_iter().enumerate().map(|(at, each)| (each.channel, (at, each))).collect();
    let mut places: Vec<usize> = left.values().map(|(_, each)| each.channel).collect();
    places.sort_by_key(|channel| left.get(channel).map(|(at, _)| *at));
    let (mut ordered, mut circles) = (Vec::new(), Vec::new());
    // From each combination down its drivers: a combination is added when all of its drivers are.
    for start in places {
        let (mut path, mut on_path) = (vec![start], HashSet::from([start]));
        while let Some(&channel) = path.last() {
            let next = left.get(&channel).and_then(|(_, each)| {
                each.drivers.iter().map(|driver| driver.channel).find(|driver| left.contains_key(driver))
            });
            match next {
                Some(driver) if on_path.contains(&driver) => {
                    let Some(begin) = path.iter().position(|&channel| channel == driver) else {
                        unreachable!("what is in `on_path` is in `path`");
                    };
                    let circle = path.split_off(begin);
                    for channel in &circle {
                        left.remove(channel);
                        on_path.remove(channel);
                    }
                    circles.push(circle);
                }
                Some(driver) => {
                    path.push(driver);
                    on_path.insert(driver);
                }
                None => {
                    ordered.extend(left.remove(&channel).map(|(_, each)| each));
                    path.pop();
                    on_path.remove(&channel);
                }
            }
        }
    }
    (ordered, circles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Head, InBetween, Mesh, Target};

    fn combination(target: &str, method: CombinationMethod, drivers: &[(&str, f32)]) -> Corrective {
        let driver = |&(name, full_weight): &(&str, f32)| Driver { name: name.into(), full_weight };
        Corrective { target: target.into(), drive: Drive::Combination(method, drivers.iter().map(driver).collect()) }
    }

    fn product(target: &str, drivers: &[&str]) -> Corrective {
        let drivers: Vec<(&str, f32)> = drivers.iter().map(|name| (*name, 1.0)).collect();
        combination(target, CombinationMethod::Product, &drivers)
    }

    fn in_between(target: &str, of: &str, at: f32) -> Corrective {
        Corrective { target: target.into(), drive: Drive::InBetween { of: of.into(), at } }
    }

    fn mesh(targets: &[&str]) -> Mesh {
        Mesh::with_targets(targets.iter().copied())
    }

    fn head(targets: &[&str], correctives: Vec<Corrective>) -> Head {
        Head::new(Asset { meshes: vec![mesh(targets)], declared_correctives: correctives, ..Asset::default() })
    }

    fn resolved(head: &Head, weights: &[f32]) -> Vec<f32> {
        let mut weights = weights.to_vec();
        head.resolve(&mut weights);
        weights
    }

    fn notes(head: &Head) -> Vec<String> {
        head.notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_combination_is_the_product_or_the_lowest_of_its_drivers_within_0_and_1() {
        for (method, expected) in [
            (CombinationMethod::Product, [0.125, 0.5, 0.0, 0.0, 1.0]),
            (CombinationMethod::Lowest, [0.25, 0.5, 0.0, 0.0, 1.0]),
        ] {
            let head = head(&["a", "b", "ab"], vec![combination("ab", method, &[("a", 1.0), ("b", 1.0)])]);
            let driven = |a: f32, b: f32| resolved(&head, &[a, b, 0.9])[2];
            let found =
                [driven(0.5, 0.25), driven(0.5, 7.0), driven(-1.0, -1.0), driven(f32::NAN, 1.0), driven(2.0, 1.0)];
            assert_eq!(found, expected, "{method:?}; its own weight, 0.9, never counts");
        }
        let head =
            head(&["a", "b", "ab"], vec![combination("ab", CombinationMethod::Product, &[("a", 0.5), ("b", -0.8)])]);
        let driven = |a: f32, b: f32| resolved(&head, &[a, b, 0.0])[2];
        assert_eq!([driven(0.5, -0.8), driven(0.25, -0.8), driven(0.5, 0.8), driven(1.0, -1.0)], [1.0, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn a_combination_of_combinations_does_not_depend_on_the_order_of_the_file() {
        let declared = vec![product("abc", &["ab", "c"]), product("ab", &["a", "b"])];
        for declared in [declared.clone(), declared.into_iter().rev().collect()] {
            let head = head(&["abc", "ab", "a", "b", "c"], declared);
            assert_eq!(resolved(&head, &[9.0, 9.0, 0.5, 0.5, 0.5]), [0.125, 0.25, 0.5, 0.5, 0.5]);
            assert_eq!(head.correctives.shown_by(0, 1.0, &[]), [(2, 1.0), (3, 1.0), (4, 1.0)]);
            assert_eq!(head.correctives.shown_by(0, 1.0, &[1]), [(1, 1.0), (4, 1.0)], "ab is a slider like others");
            let mut weights = vec![0.0; 5];
            head.show_channel(0, 1.0, &[], &mut weights);
            assert_eq!(resolved(&head, &weights), [1.0; 5]);
            let mut weights = vec![9.0, 7.0, 0.5, 0.5, 0.5];
            head.correctives.drive(&mut weights, &[1]);
            assert_eq!(weights[..2], [0.5, 7.0], "a silent one keeps its weight, which drives others");
        }
    }

    #[test]
    fn in_betweens_share_the_weight_with_their_target() {
        let declared = vec![product("ab", &["a", "b"]), in_between("a25", "a", 0.25), in_between("a75", "A", 0.75)];
        let head = head(&["a", "a25", "a75", "b", "ab"], declared);
        assert_eq!(notes(&head), [""; 0]);
        let at = |a: f32| resolved(&head, &[a, 9.0, 9.0, 1.0, 9.0]);
        assert_eq!(at(0.0), [0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(at(0.125), [0.0, 0.5, 0.0, 1.0, 0.125]);
        assert_eq!(at(0.25), [0.0, 1.0, 0.0, 1.0, 0.25]);
        assert_eq!(at(0.5), [0.0, 0.5, 0.5, 1.0, 0.5], "the combination follows the slider, not the share");
        assert_eq!(at(1.0), [1.0, 0.0, 0.0, 1.0, 1.0]);
        let mut weights = vec![0.5, 3.0, 0.0, 0.0, 0.0];
        head.correctives.drive(&mut weights, &[1, 4]);
        assert_eq!(
            weights,
            [0.0, 3.0, 2.0 / 3.0, 0.0, 0.0].map(|weight: f32| weight),
            "without the first, which is a slider"
        );
        assert_eq!(head.correctives.shown_by(2, 1.0, &[]), [(0, 0.75)]);
    }

    #[test]
    fn each_mesh_is_driven_by_its_own_targets_and_else_by_the_first() {
        let meshes = vec![mesh(&["jaw", "mend", "pout"]), mesh(&["jaw", "mend"])];
        let head = Head::new(Asset {
            meshes,
            declared_correctives: vec![product("mend", &["jaw", "pout"])],
            ..Asset::default()
        });
        assert_eq!(resolved(&head, &[1.0, 0.0, 0.5, 0.5, 0.0]), [1.0, 0.5, 0.5, 0.5, 0.25]);
    }

    #[test]
    fn what_a_head_cannot_have_is_left_out_and_said() {
        let names = ["a", "b", "c", "d"];
        for (declared, said) in [
            (product("nose", &["a"]), "corrective \"nose\": is no target of this head. It was left out"),
            (product("a", &["b", "nose"]), "is driven by \"nose\", which is no target"),
            (product("a", &["b", "A"]), "is driven by itself"),
            (product("a", &[]), "has no drivers"),
            (product("a", &["b", "B"]), "is driven twice by \"B\""),
            (combination("a", CombinationMethod::Product, &[("b", 0.0)]), "full weight 0"),
            (combination("a", CombinationMethod::Product, &[("b", f32::NAN)]), "full weight NaN"),
            (in_between("a", "b", 1.0), "is at 1 of \"b\", where another shape is"),
            (in_between("a", "b", f32::INFINITY), "is at inf"),
            (in_between("a", "a", 0.5), "is driven by itself"),
        ] {
            let head = head(&names, vec![declared]);
            assert!(notes(&head).len() == 1 && notes(&head)[0].contains(said), "{said}: {:?}", notes(&head));
            assert!(head.correctives.is_empty());
            assert_eq!(resolved(&head, &[0.1, 0.2, 0.3, 0.4]), [0.1, 0.2, 0.3, 0.4]);
        }
        let head = head(
            &names,
            vec![
                product("a", &["b"]),
                product("a", &["c"]),
                in_between("d", "c", 0.5),
                product("b", &["d"]),
                in_between("c", "d", 0.5),
            ],
        );
        let found = notes(&head).join("\n");
        for said in [
            "\"a\": is declared already",
            "\"b\": is driven by \"d\", which is an in-between",
            "\"c\": is driven by \"d\", which is an in-between",
        ] {
            assert!(found.contains(said), "{said}: {found}");
        }
        assert_eq!(head.correctives.driven().collect::<Vec<_>>(), [0, 3]);
    }

    #[test]
    fn correctives_in_a_circle_are_left_out_and_those_that_follow_them_play() {
        let declared =
            vec![product("d", &["a", "e"]), product("a", &["b"]), product("b", &["c"]), product("c", &["a"])];
        let head = head(&["a", "b", "c", "d", "e"], declared);
        let found = notes(&head).join("\n");
        assert!(found.contains("is driven by itself in a circle: \"a\" by \"b\" by \"c\" by \"a\""), "{found}");
        assert_eq!(notes(&head).len(), 3, "{found}");
        assert_eq!(head.correctives.driven().collect::<Vec<_>>(), [3]);
        assert_eq!(resolved(&head, &[0.5, 0.2, 0.3, 0.0, 0.5]), [0.5, 0.2, 0.3, 0.25, 0.5]);
    }

    #[test]
    fn in_betweens_of_the_file_are_not_mixed_with_declared_ones() {
        let mut bent = Target { name: "a".into(), ..Target::default() };
        bent.set_in_betweens(vec![InBetween { full_weight: 0.5, ..InBetween::default() }]);
        let mut mesh = mesh(&["b"]);
        mesh.targets.push(bent);
        let head = Head::new(Asset {
            meshes: vec![mesh],
            declared_correctives: vec![in_between("b", "a", 0.3)],
            ..Asset::default()
        });
        assert!(notes(&head)[0].contains("the file has in-betweens of \"a\" already"), "{:?}", notes(&head));
    }

    #[test]
    fn a_shape_that_is_added_later_is_found_and_the_note_about_it_goes() {
        let before = head(&["a", "b"], vec![product("ab", &["a", "b"])]);
        assert_eq!(notes(&before).len(), 1);
        let added = Target { name: "ab".into(), ..Target::default() };
        let after = before.with_targets(vec![(0, added)], Vec::new());
        assert_eq!(notes(&after), [""; 0]);
        assert_eq!(resolved(&after, &[0.5, 0.5, 0.0]), [0.5, 0.5, 0.25]);
    }

    #[test]
    fn long_chains_and_many_circles_are_bound_in_time() {
        let names: Vec<String> = (0..4096).map(|index| format!("t{index}")).collect();
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        let chain = (1..4096).map(|index| product(all[index], &[all[index - 1]])).collect();
        let head_of_chain = head(&all, chain);
        let mut weights = vec![0.0; 4096];
        weights[0] = 0.5;
        assert!(resolved(&head_of_chain, &weights).iter().all(|weight| *weight == 0.5));
        let circles = (0..4096).map(|index| product(all[index], &[all[index ^ 1]])).collect();
        assert!(head(&all, circles).correctives.is_empty());
        // Each is driven by both of the two before it: following the drivers of each driver would never end.
        let ladder = (2..4096).map(|index| product(all[index], &[all[index - 1], all[index - 2]])).collect();
        assert_eq!(head(&all, ladder).correctives.shown_by(4095, 1.0, &[]), [(0, 1.0), (1, 1.0)]);
    }
}
