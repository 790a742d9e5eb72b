//! The shapes that are blended: those of the targets, each with the index of its target, and after them all
//! in-betweens.
//!
//! A blend is a sum over shapes, each times its weight. The weight of a target with in-betweens is divided among its
//! shapes here, before any mode sees it, so that kernels, shaders and buffers need not know in-betweens. Everywhere
//! else in this room a *target* is one such shape. A head without in-betweens has one shape per target, and its weights
//! are used as they are.

use crate::blend::usable_weight;
use smirk_face::head::{Head, Mesh, ShapeDeltas, ShapeMix, Target};

#[derive(Clone, Debug)]
struct BentTarget {
    /// Its head-wide index.
    target: usize,
    /// The index of the shape of its first in-between.
    first_in_between: usize,
    full_weights: Vec<f32>,
}

/// The indices of all shapes of a head.
#[derive(Clone, Debug, Default)]
pub(in crate::blend) struct ShapeTable {
    target_count: usize,
    shape_count: usize,
    /// In the order of the targets.
    bent: Vec<BentTarget>,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::blend) struct Shape<'a> {
    /// Counted over the whole head.
    pub index: usize,
    pub deltas: ShapeDeltas<'a>,
    /// The largest weight of the shape while that of its target is in -1..1. It is above 1 where the line through two
    /// shapes is continued.
    pub largest_weight: f32,
}

impl ShapeTable {
    pub(super) fn new(head: &Head) -> Self {
        let target_count = head.target_count();
        let mut shape_count = target_count;
        let mut bent = Vec::new();
        let targets = head.meshes.iter().flat_map(|mesh| &mesh.targets).enumerate();
        for (index, target) in targets.filter(|(_, target)| !target.in_betweens.is_empty()) {
            let full_weights = target.in_betweens.iter().map(|in_between| in_between.full_weight).collect();
            bent.push(BentTarget { target: index, first_in_between: shape_count, full_weights });
            shape_count += target.in_betweens.len();
        }
        Self { target_count, shape_count, bent }
    }

    pub(super) fn count(&self) -> usize {
        self.shape_count
    }

    pub(super) fn bytes(&self) -> usize {
        let full_weights = self.bent.iter().map(|bent| size_of_val(bent.full_weights.as_slice()));
        size_of_val(self.bent.as_slice()) + full_weights.sum::<usize>()
    }

    /// The weights of all shapes, from those of the targets (missing, infinite and NaN ones count as 0). They are
    /// written to `of_shapes`; for a head without in-betweens they are the weights of the targets themselves, and
    /// nothing is written.
    pub(in crate::blend) fn weights<'a>(&self, of_targets: &'a [f32], of_shapes: &'a mut Vec<f32>) -> &'a [f32] {
        if self.bent.is_empty() {
            return of_targets;
        }
        of_shapes.resize(self.shape_count, 0.0);
        for (target, of_shape) in of_shapes.iter_mut().take(self.target_count).enumerate() {
            *of_shape = usable_weight(of_targets, target);
        }
        for bent in &self.bent {
            let mix = ShapeMix::new(bent.full_weights.iter().copied(), of_shapes[bent.target]);
            of_shapes[bent.target] = mix.of_own_shape();
            let of_in_betweens = &mut of_shapes[bent.first_in_between..][..bent.full_weights.len()];
            of_in_betweens
                .iter_mut()
                .zip(&bent.full_weights)
                .for_each(|(of, &full_weight)| *of = mix.weight_of(full_weight));
        }
        of_shapes
    }

    pub(in crate::blend) fn of_mesh<'a>(&self, mesh: &'a Mesh) -> Vec<Shape<'a>> {
        let largest_weight = |target: &Target, full_weight: f32| {
            let of_shape = |weight: f32| target.mix(weight).weight_of(full_weight).abs();
            of_shape(-1.0).max(of_shape(1.0)).max(1.0)
        };
        let own = mesh.targets.iter().zip(mesh.first_target..).map(|(target, index)| Shape {
            index,
            deltas: target.deltas(),
            largest_weight: largest_weight(target, 1.0),
        });
        let bent = self.bent.iter().filter_map(|bent| {
            Some((bent.first_in_between, mesh.targets.get(bent.target.checked_sub(mesh.first_target)?)?))
        });
        let in_betweens = bent.flat_map(|(first, target)| {
            target.in_betweens.iter().zip(first..).map(move |(in_between, index)| Shape {
                index,
                deltas: in_between.deltas(),
                largest_weight: largest_weight(target, in_between.full_weight),
            })
        });
        own.chain(in_betweens).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::InBetween;

    /// Mesh 0 has targets without, with two and with one in-between; mesh 1 has one with one.
    fn head() -> Head {
        let target = |full_weights: &[f32]| {
            let mut target = Target::default();
            let in_betweens = full_weights.iter().map(|&full_weight| InBetween { full_weight, ..InBetween::default() });
            assert!(target.set_in_betweens(in_betweens.collect()).is_empty());
            target
        };
        let mesh = |targets: Vec<Target>| Mesh { targets, ..Mesh::default() };
        let meshes = vec![mesh(vec![target(&[]), target(&[-0.5, 0.5]), target(&[0.25])]), mesh(vec![target(&[0.5])])];
        Head::from_meshes(meshes)
    }

    #[test]
    fn in_betweens_come_after_all_targets() {
        let head = head();
        let table = ShapeTable::new(&head);
        assert_eq!(table.count(), 8);
        let of_mesh = |mesh: usize| table.of_mesh(&head.meshes[mesh]).into_iter().map(|shape| shape.index);
        assert_eq!(of_mesh(0).collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
        assert_eq!(of_mesh(1).collect::<Vec<_>>(), [3, 7]);
        let largest = |mesh: usize| table.of_mesh(&head.meshes[mesh]).into_iter().map(|shape| shape.largest_weight);
        assert_eq!(largest(0).collect::<Vec<_>>(), [1.0, 1.0, 1.0, 2.0, 1.0, 4.0]);
    }

    #[test]
    fn weights_are_divided_among_the_shapes() {
        let (table, mut buffer) = (ShapeTable::new(&head()), Vec::new());
        assert_eq!(table.weights(&[3.0, -0.25, 0.625], &mut buffer), [3.0, 0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 0.0]);
        let weights = table.weights(&[f32::NAN, f32::INFINITY, 1.0, 0.75, 9.0], &mut buffer);
        assert_eq!(weights, [0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.5]);
    }

    #[test]
    fn a_head_without_in_betweens_keeps_its_weights() {
        let mesh = Mesh { targets: vec![Target::default(); 2], ..Mesh::default() };
        let table = ShapeTable::new(&Head::from_meshes(vec![mesh]));
        let (weights, mut buffer) = ([0.5, 2.0], Vec::new());
        assert!(std::ptr::eq(table.weights(&weights, &mut buffer), &raw const weights[..]));
        assert_eq!((buffer.capacity(), table.count(), table.bytes()), (0, 2, 0));
    }
}
