//! Resolves the names of declared correctives on one head. What this head cannot have is left out, with a note that says why.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::correctives::{BentTarget, BoundCombination, BoundDriver, BoundInBetween};
use super::{Corrective, Correctives, Drive, DriveRule, Driver};
use crate::head::{Channel, ChannelNames, InBetween, Kind, Mesh, Note, Notes, Subject, Target};
use smirk_base::names::quoted;

/// What is wrong with a declaration, as the end of a sentence about it.
type Refusal = String;

impl Correctives {
    /// Binds declarations to a head, given its channels of targets.
    pub(in crate::head) fn bind(declared: Vec<Corrective>, channels: &[Channel], meshes: &[Mesh]) -> Self {
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
        let note = |declared: &Corrective, refusal: Refusal| {
            Note::warning(Subject::named(Kind::Corrective, &declared.target), refusal + ". It was left out")
        };
        // In-betweens first: they cannot drive a combination.
        let (in_betweens, combinations): (Vec<_>, Vec<_>) =
            declared.iter().enumerate().partition(|(_, each)| matches!(each.drive, Drive::InBetween { .. }));
        for (index, corrective) in in_betweens.into_iter().chain(combinations) {
            if let Err(refusal) = binding.add(index, corrective) {
                problems.push(note(corrective, refusal));
            }
        }
        let (combinations, circles) = in_order(std::mem::take(&mut binding.combinations));
        for circle in circles {
            let again = circle.iter().chain(circle.first()).map(|&channel| quoted(&channels[channel].name));
            let names = again.collect::<Vec<_>>().join(" by ");
            for &channel in &circle {
                let Some(index) = binding.driven.remove(&channel) else { continue };
                let refusal = format!("is driven by itself in a circle: {names}");
                problems.push(note(&declared[index], refusal));
            }
        }
        let Binding { driven, bent, .. } = binding;
        Self {
            combinations,
            bent: bent.into_values().collect(),
            driven: driven.into_iter().collect(),
            problems: problems.into_list(),
            declared,
        }
    }
}

/// A head while declarations are bound to it.
struct Binding<'a> {
    channels: &'a [Channel],
    meshes: &'a [Mesh],
    names: ChannelNames,
    /// The index of the declaration of each driven channel.
    driven: BTreeMap<usize, usize>,
    combinations: Vec<BoundCombination>,
    /// The channel that each in-between belongs to.
    in_betweens: HashMap<usize, usize>,
    /// The full weights of the in-betweens of each channel that has some.
    corners: HashMap<usize, Vec<f32>>,
    /// By their targets.
    bent: BTreeMap<usize, BentTarget>,
}

impl Binding<'_> {
    fn add(&mut self, index: usize, corrective: &Corrective) -> Result<(), Refusal> {
        let channel = self.names.named(&corrective.target).ok_or("is no target of this head")?;
        if self.driven.contains_key(&channel) {
            return Err("is declared already".into());
        }
        match &corrective.drive {
            Drive::Combination(rule, drivers) => self.add_combination(channel, *rule, drivers)?,
            Drive::InBetween { of, at } => self.add_in_between(channel, of, *at)?,
        }
        self.driven.insert(channel, index);
        Ok(())
    }

    /// The channel of a name that drives `driven`.
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

    fn add_combination(&mut self, channel: usize, rule: DriveRule, drivers: &[Driver]) -> Result<(), Refusal> {
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
        let by = |target: usize| bound.iter().map(|driver| self.on_mesh_of(target, driver.channel)).collect();
        let targets = self.channels[channel].targets.iter().map(|&target| (target, by(target))).collect();
        self.combinations.push(BoundCombination { channel, rule, drivers: bound, targets });
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
        let has_own = |channel: usize| {
            let targets = self.channels[channel].targets.iter();
            targets.filter_map(|&target| self.target(target)).any(|target| !target.in_betweens.is_empty())
        };
        if let Some(channel) = [channel, base].into_iter().find(|&channel| has_own(channel)) {
            return Err(format!(
                "cannot be used: the file has in-betweens of {} already",
                quoted(&self.channels[channel].name)
            ));
        }
        let mut taken = self.corners.get(&base).into_iter().flatten().copied().chain([0.0, 1.0]);
        let is_free = |taken: f32| (taken - full_weight).abs() >= InBetween::SMALLEST_STEP;
        if !full_weight.is_finite() || !taken.all(is_free) {
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
            let new = || BentTarget { channel: base, target: base_target, in_betweens: Vec::new() };
            let in_betweens = &mut self.bent.entry(base_target).or_insert_with(new).in_betweens;
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

/// Combinations in an order in which each comes after those that drive it, and the circles of those that drive themselves, which
/// are left out.
fn in_order(combinations: Vec<BoundCombination>) -> (Vec<BoundCombination>, Vec<Vec<usize>>) {
    let mut left: HashMap<usize, (usize, BoundCombination)> =
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
                    let begin = path.iter().position(|&channel| channel == driver).unwrap_or_default();
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
