//! A tree of bounding boxes over triangles, which finds those whose boxes overlap.

use glam::Vec3;

/// A box around some triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    min: Vec3,
    max: Vec3,
}

impl Extent {
    const NOTHING: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub(super) fn of(points: [Vec3; 3]) -> Self {
        let [a, b, c] = points;
        Self { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    extent: Extent,
    /// A leaf: its first place in the order of the triangles. Else the index of its second child; its first comes right after it.
    first: u32,
    /// The number of triangles of a leaf; 0 for a node with children.
    count: u32,
}

/// The most triangles of a leaf.
const LEAF: usize = 4;

/// A tree over triangles. It splits them at the middle of the longest side of their box, by their number.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The triangles in the order of the leaves.
    order: Vec<u32>,
    extents: Vec<Extent>,
}

impl Tree {
    pub(super) fn new(extents: Vec<Extent>) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..extents.len() as u32).collect(), extents };
        if !tree.order.is_empty() {
            tree.build(0, tree.order.len());
        }
        tree
    }

    fn build(&mut self, from: usize, to: usize) {
        let extent_of = |triangle: &u32| self.extents[*triangle as usize];
        let extent = self.order[from..to].iter().map(extent_of).fold(Extent::NOTHING, Extent::union);
        let index = self.nodes.len();
        self.nodes.push(Node { extent, first: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let axis = (extent.max - extent.min).max_position();
        let middle = (to - from) / 2;
        let extents = &self.extents;
        let center = |triangle: &u32| {
            let Extent { min, max } = extents[*triangle as usize];
            min[axis] + max[axis]
        };
        self.order[from..to].select_nth_unstable_by(middle, |a, b| center(a).total_cmp(&center(b)));
        self.build(from, from + middle);
        let second = self.nodes.len() as u32;
        self.build(from + middle, to);
        (self.nodes[index].first, self.nodes[index].count) = (second, 0);
    }

    /// Calls `visit` with every two triangles whose boxes overlap, once.
    pub(super) fn for_each_pair(&self, mut visit: impl FnMut(u32, u32)) {
        let mut open: Vec<(u32, u32)> = if self.nodes.is_empty() { Vec::new() } else { vec![(0, 0)] };
        while let Some((a, b)) = open.pop() {
            let (first, second) = (self.nodes[a as usize], self.nodes[b as usize]);
            if !first.extent.overlaps(&second.extent) {
                continue;
            }
            match (first.count > 0, second.count > 0) {
                (true, true) => self.for_each_pair_of(first, second, a == b, &mut visit),
                _ if a == b => open.extend([(a + 1, a + 1), (first.first, first.first), (a + 1, first.first)]),
                (true, false) => open.extend([(a, b + 1), (a, second.first)]),
                (false, _) => open.extend([(a + 1, b), (first.first, b)]),
            }
        }
    }

    fn for_each_pair_of(&self, first: Node, second: Node, is_one: bool, visit: &mut impl FnMut(u32, u32)) {
        let triangles = |node: Node| &self.order[node.first as usize..(node.first + node.count) as usize];
        for (place, &a) in triangles(first).iter().enumerate() {
            // Of one leaf, each two are visited once.
            let skipped = if is_one { place + 1 } else { 0 };
            for &b in &triangles(second)[skipped..] {
                if self.extents[a as usize].overlaps(&self.extents[b as usize]) {
                    visit(a.min(b), a.max(b));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    #[test]
    fn it_finds_the_pairs_that_a_comparison_of_all_with_all_finds() {
        for count in [0, 1, 3, 5, 400] {
            let at = |index: u64| (random::bits(3, index) % 1000) as f32 / 100.0;
            let extent = |index: u64| {
                let corner = Vec3::new(at(index * 3), at(index * 3 + 1), at(index * 3 + 2));
                Extent::of([corner, corner + Vec3::ONE * 0.7, corner])
            };
            let extents: Vec<Extent> = (0..count).map(extent).collect();
            let mut expected = Vec::new();
            for a in 0..count as usize {
                expected.extend(
                    (a + 1..count as usize).filter(|&b| extents[a].overlaps(&extents[b])).map(|b| (a as u32, b as u32)),
                );
            }
            let mut found = Vec::new();
            Tree::new(extents).for_each_pair(|a, b| found.push((a, b)));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
