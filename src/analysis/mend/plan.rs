//! What a mend is about to change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use glam::Vec3;
use rayon::prelude::*;

use super::change::ExpressionChange;
use super::field::{fields, have_same_in_betweens, mapped, rows_of, with_each, with_fields};
use super::{Change, Mask, Mend, Reason, Refused, Surface};
use smirk_face::head::{Asset, Avatar, Expression, Head, NewTarget, Response, Target, Vertices, side_in_name};

/// A target by its mesh and its index there.
pub(super) type Place = (usize, usize);

/// The head that a mend works on, and the shapes that it works on.
pub(super) struct Scope<'a> {
    pub head: &'a Head,
    pub surface: &'a Surface,
    /// Channels of targets, ascending.
    pub shapes: Vec<usize>,
    /// The same in the order in which they were named; all if none were.
    pub named: Vec<usize>,
    /// Whether the mend names its shapes.
    pub names_shapes: bool,
    pub mask: Option<&'a Mask>,
}

impl<'a> Scope<'a> {
    /// The shapes of a mend that the head has, and those that it lacks.
    pub(super) fn new(head: &'a Head, surface: &'a Surface, mend: &'a Mend) -> (Self, Vec<Refused>) {
        let count = head.target_channels().len();
        let mut refused = Vec::new();
        let named: Vec<usize> = match &mend.shapes {
            None => (0..count).collect(),
            Some(names) => {
                let mut known = BTreeSet::new();
                let found = names.iter().filter_map(|name| {
                    let shape = shape_named(head, name);
                    if shape.is_none() {
                        refused.push(Refused { shape: Some(name.clone()), reason: Reason::NoShape });
                    }
                    shape.filter(|shape| known.insert(*shape))
                });
                found.collect()
            }
        };
        let mut shapes = named.clone();
        shapes.sort_unstable();
        (Self { head, surface, shapes, named, names_shapes: mend.shapes.is_some(), mask: mend.mask.as_ref() }, refused)
    }

    pub(super) fn name(&self, channel: usize) -> &'a str {
        &self.head.channels[channel].full_name
    }

    pub(super) fn shape_named(&self, name: &str) -> Option<usize> {
        shape_named(self.head, name)
    }

    /// The targets of a channel, with their places.
    pub(super) fn targets(&self, channel: usize) -> impl Iterator<Item = (Place, &'a Target)> + '_ {
        let head = self.head;
        head.channels[channel].targets.iter().filter_map(move |&target| {
            let mesh = head.mesh_of_target(target)?;
            let index = target - head.meshes[mesh].first_target;
            Some(((mesh, index), &head.meshes[mesh].targets[index]))
        })
    }

    /// The target of a channel on a mesh.
    pub(super) fn target_on(&self, channel: usize, mesh: usize) -> Option<(Place, &'a Target)> {
        self.targets(channel).find(|((of, _), _)| *of == mesh)
    }

    /// Whether a corrective follows a channel or drives it.
    pub(super) fn is_in_corrective(&self, channel: usize) -> bool {
        let correctives = &self.head.correctives;
        correctives.of_channel(channel).is_some()
            || correctives.driven().any(|driven| correctives.drivers_of(driven).iter().any(|(it, _)| *it == channel))
    }

    /// Whether some clip has curves of a channel that leave its weight at rest.
    pub(super) fn is_in_clip(&self, channel: usize) -> bool {
        self.head.clips.iter().any(|clip| clip.drives(channel))
    }

    /// Whether the animation of an expression moves targets of a channel.
    pub(super) fn is_in_response(&self, channel: usize) -> bool {
        let expressions = self.head.expressions.iter().chain(&self.head.unshown_expressions);
        let mut binds = expressions.filter_map(|it| it.response.as_ref()).flat_map(Response::binds);
        binds.any(|bind| self.head.channels[channel].targets.contains(&bind.target))
    }

    /// The shape of the other side of the face, of one that moves one side.
    pub(super) fn other_side(&self, channel: usize) -> Option<usize> {
        let name = self.name(channel);
        side_in_name(name)?;
        let other = self.shape_named(self.head.mirrored_name(name))?;
        (other != channel).then_some(other)
    }
}

/// The channel of targets of that name.
fn shape_named(head: &Head, name: &str) -> Option<usize> {
    let found = head.channel_named(name).filter(|channel| *channel < head.target_channels().len());
    // An expression may have the name too, and is found first.
    found.or_else(|| head.target_channels().iter().position(|channel| channel.name == name))
}

/// A target that is new on its mesh.
pub(super) struct Added {
    pub mesh: usize,
    /// The index on the mesh before which it is inserted.
    pub before: usize,
    /// See [`NewTarget::weight_of`].
    pub weight_of: Option<usize>,
    pub target: Target,
}

type Finish = Box<dyn FnOnce(&mut Asset)>;

/// The changes of one mend.
#[derive(Default)]
pub(super) struct Plan {
    /// Targets that stay, with what they become.
    pub changed: BTreeMap<Place, Target>,
    pub removed: BTreeSet<Place>,
    pub added: Vec<Added>,
    /// By mesh, its vertices in another face at rest.
    pub vertices: BTreeMap<usize, Vertices>,
    /// The names of the shapes that come first, in this order.
    pub order: Vec<String>,
    /// All expressions, if some change.
    pub expressions: Option<Vec<Expression>>,
    pub avatar: Option<Avatar>,
    /// What else changes in the head, before its targets are replaced.
    pub first: Option<Finish>,
    pub unmatched: usize,
    /// See [`Change::crossed_mm`].
    pub crossed_mm: Option<[f32; 2]>,
    /// See [`Change::weights`].
    pub weights: BTreeMap<String, f32>,
    pub refused: Vec<Refused>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { changed, removed, refused, .. } = self;
        f.debug_struct("Plan").field("changed", changed).field("removed", removed).field("refused", refused).finish()
    }
}

impl Plan {
    /// A plan that changes nothing.
    pub(super) fn refusing(reason: Reason) -> Self {
        Self { refused: vec![Refused { shape: None, reason }], ..Self::default() }
    }

    pub(super) fn refuse(&mut self, scope: &Scope<'_>, channel: usize, reason: Reason) {
        self.refused.push(Refused { shape: Some(scope.name(channel).to_owned()), reason });
    }

    /// Keeps a target as it becomes, unless it is as it was.
    pub(super) fn change(&mut self, place: Place, before: &Target, after: Target) {
        if !is_same(before, &after) {
            self.changed.insert(place, after);
        }
    }

    /// Changes each target of the shapes to what it becomes, which `becomes` says for a target of a channel at a place;
    /// none for one that stays.
    pub(super) fn change_each(
        &mut self,
        scope: &Scope<'_>,
        becomes: impl Fn(usize, Place, &Target) -> Option<Target> + Sync,
    ) {
        let shapes = scope.shapes.iter();
        let targets = shapes.flat_map(|&shape| scope.targets(shape).map(move |(place, target)| (shape, place, target)));
        let targets: Vec<(usize, Place, &Target)> = targets.collect();
        let changed = targets.into_par_iter().filter_map(|(channel, place, target)| {
            let after = becomes(channel, place, target)?;
            (!is_same(target, &after)).then_some((place, after))
        });
        self.changed.par_extend(changed);
    }

    /// Changes targets only where a mask says so.
    pub(super) fn limit_to(&mut self, mask: &Mask, head: &Head, surface: &Surface) {
        let amount = |mesh: usize, row: u32| mask.amount(surface.place(mesh, row), surface.mm_per_unit);
        // The parts of a shape are as the mask divided them.
        for Added { mesh, target, .. } in self.added.iter_mut().filter(|added| added.weight_of.is_none()) {
            *target = mapped(target, |row, deltas| deltas.map(|delta| delta * amount(*mesh, row)));
        }
        self.added.retain(|added| added.weight_of.is_some() || !added.target.is_empty());
        let changed = std::mem::take(&mut self.changed);
        for ((mesh, index), after) in changed {
            let before = &head.meshes[mesh].targets[index];
            let limited = fields(before).zip(fields(&after)).map(|(before, after)| {
                before.zip(&after, |row, before, after| {
                    let amount = amount(mesh, row);
                    std::array::from_fn(|at| match amount {
                        0.0 => before[at],
                        1.0 => after[at],
                        amount => before[at].lerp(after[at], amount),
                    })
                })
            });
            let limited = with_fields(&after, limited);
            self.change((mesh, index), before, limited);
        }
    }

    /// What the plan changes, in numbers.
    pub(super) fn measured(&self, head: &Head, surface: &Surface) -> Change {
        let mut is_moved = vec![false; surface.vertex_count()];
        let (mut squares, mut count, mut largest) = (0.0_f64, 0_usize, 0.0_f32);
        let mut stored = [0; 2];
        let rows = |target: &Target| target.shapes().map(|shape| shape.rows.len()).sum::<usize>();
        let mut changed: BTreeSet<&str> = BTreeSet::new();
        for (&(mesh, index), after) in &self.changed {
            let before = &head.meshes[mesh].targets[index];
            changed.insert(&before.name);
            stored[0] += rows(before);
            stored[1] += rows(after);
        }
        let rests = self.vertices.is_empty();
        let shapes = self.changed.par_iter().filter(|_| rests);
        let moved: Vec<Moved> = shapes.map(|(&place, after)| Moved::between(head, surface, place, after)).collect();
        for Moved { mesh, rows, lengths_mm } in moved {
            rows.iter().for_each(|row| is_moved[surface.first_vertex[mesh] + *row as usize] = true);
            squares += lengths_mm.iter().map(|length| f64::from(*length).powi(2)).sum::<f64>();
            largest = lengths_mm.into_iter().fold(largest, f32::max);
            count += rows.len();
        }
        for (&mesh, vertices) in &self.vertices {
            let before = &head.meshes[mesh].vertices.positions;
            for (row, (before, after)) in (0..).zip(before.iter().zip(&vertices.positions)) {
                if before != after {
                    is_moved[surface.first_vertex[mesh] + row as usize] = true;
                    let length = surface.length_mm(mesh, row, *after - *before);
                    largest = largest.max(length);
                    squares += f64::from(length).powi(2);
                    count += 1;
                }
            }
        }
        let of_head = |place: &Place| &head.meshes[place.0].targets[place.1];
        stored[0] += self.removed.iter().map(|place| rows(of_head(place))).sum::<usize>();
        stored[1] += self.added.iter().map(|added| rows(&added.target)).sum::<usize>();
        let removed: BTreeSet<&str> = self.removed.iter().map(|place| of_head(place).name.as_str()).collect();
        let added: BTreeSet<&str> = self.added.iter().map(|added| added.target.name.as_str()).collect();
        let reorders = head.meshes.iter().enumerate().any(|(mesh, of_mesh)| {
            let name = |(index, before)| &self.changed.get(&(mesh, index)).unwrap_or(before).name;
            !of_mesh.targets.iter().enumerate().map(name).is_sorted_by_key(|name| place_in(&self.order, name))
        });
        let names = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        let expressions = self.expressions.as_ref().map(|new| ExpressionChange::between(&head.expressions, new));
        Change {
            expressions: expressions.unwrap_or_default(),
            changes_avatar: self.avatar.as_ref().is_some_and(|avatar| head.avatar.as_ref() != Some(avatar)),
            changed: names(changed),
            reorders,
            moves_rest: !self.vertices.is_empty(),
            added: names(added),
            removed: names(removed),
            vertices: is_moved.into_iter().filter(|is_moved| *is_moved).count(),
            largest_mm: largest,
            rms_mm: (squares / count.max(1) as f64).sqrt() as f32,
            stored,
            unmatched: self.unmatched,
            crossed_mm: self.crossed_mm,
            weights: self.weights.clone(),
            refused: self.refused.clone(),
        }
    }

    pub(super) fn applied_to(self, mut asset: Asset) -> Asset {
        let Self { mut changed, removed, mut added, vertices, order, first, expressions, avatar, .. } = self;
        if let Some(expressions) = expressions {
            asset.expressions = expressions;
        }
        asset.avatar = avatar.or(asset.avatar);
        if let Some(first) = first {
            first(&mut asset);
        }
        for (mesh, vertices) in vertices {
            asset.meshes[mesh].vertices = vertices;
        }
        if removed.is_empty() && added.is_empty() && order.is_empty() {
            for ((mesh, index), target) in changed {
                asset.meshes[mesh].targets[index] = target;
            }
            return asset;
        }
        added.sort_by_key(|added| (added.mesh, added.before));
        let mut added = added.into_iter().peekable();
        asset.replace_targets(|mesh, before| {
            let mut targets = Vec::new();
            let mut insert = |targets: &mut Vec<NewTarget>, up_to: usize| {
                while let Some(it) = added.next_if(|it| it.mesh == mesh && it.before <= up_to) {
                    targets.push(NewTarget { target: it.target, weight_of: it.weight_of });
                }
            };
            for (index, target) in before.into_iter().enumerate() {
                insert(&mut targets, index);
                if !removed.contains(&(mesh, index)) {
                    let target = changed.remove(&(mesh, index)).unwrap_or(target);
                    targets.push(NewTarget { target, weight_of: Some(index) });
                }
            }
            insert(&mut targets, usize::MAX);
            targets.sort_by_key(|new| place_in(&order, &new.target.name));
            targets
        });
        asset
    }
}

/// The place of a name in [`Plan::order`]; those that it lacks come last.
fn place_in(order: &[String], name: &str) -> usize {
    order.iter().position(|it| it == name).unwrap_or(usize::MAX)
}

/// The vertices that a target moves otherwise than before, and by how much.
struct Moved {
    mesh: usize,
    rows: Vec<u32>,
    lengths_mm: Vec<f32>,
}

impl Moved {
    fn between(head: &Head, surface: &Surface, (mesh, index): Place, after: &Target) -> Self {
        let mut moved = Self { mesh, rows: Vec::new(), lengths_mm: Vec::new() };
        let before = &head.meshes[mesh].targets[index];
        let weights = [before.default_weight, after.default_weight];
        for (before, after) in before.shapes().zip(after.shapes()) {
            with_each(rows_of(before), rows_of(after), |row, before, after| {
                // A shape with a weight at rest moves the face at rest by it.
                let at_rest = after[0] * weights[1] - before[0] * weights[0];
                let difference = if weights[0] == weights[1] { after[0] - before[0] } else { at_rest };
                if after != before || difference != Vec3::ZERO {
                    moved.rows.push(row);
                    moved.lengths_mm.push(surface.length_mm(mesh, row, difference));
                }
            });
        }
        moved
    }
}

/// Whether two targets are the same to the last bit, also in the sign of a zero.
fn is_same(a: &Target, b: &Target) -> bool {
    let bits = |a: &[Vec3], b: &[Vec3]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits))
    };
    let shapes = a.shapes().zip(b.shapes());
    a.name == b.name
        && a.default_weight.to_bits() == b.default_weight.to_bits()
        && a.uv_color_deltas == b.uv_color_deltas
        && have_same_in_betweens(a, b)
        && shapes.into_iter().all(|(a, b)| {
            a.rows == b.rows
                && bits(a.positions, b.positions)
                && bits(a.normals, b.normals)
                && bits(a.tangents, b.tangents)
        })
}
