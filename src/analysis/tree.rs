//! A tree of bounding boxes: which of many things overlap, and which is nearest to a point.

use glam::Vec3;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    min: Vec3,
    max: Vec3,
}

impl Extent {
    const NOTHING: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub(crate) fn around<const N: usize>(points: [Vec3; N]) -> Self {
        points.iter().fold(Self::NOTHING, |extent, &point| extent.union(Self { min: point, max: point }))
    }

    fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    fn distance_squared(&self, point: Vec3) -> f32 {
        point.distance_squared(point.clamp(self.min, self.max))
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    extent: Extent,
    /// A leaf: its first place in the order of the items. Else the index of its second child; its first comes right
    /// after it.
    first: u32,
    /// The number of items of a leaf; 0 for a node with children.
    count: u32,
}

/// The most items of a leaf.
const LEAF: usize = 4;

/// A tree over things in space, such as triangles. It splits them at the middle of the longest side of their box, by
/// their number.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The items in the order of the leaves.
    order: Vec<u32>,
    extents: Vec<Extent>,
}

impl Tree {
    pub(crate) fn new(extents: Vec<Extent>) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..extents.len() as u32).collect(), extents };
        if !tree.order.is_empty() {
            tree.build(0, tree.order.len());
        }
        tree
    }

    fn build(&mut self, from: usize, to: usize) {
        let extents = self.order[from..to].iter().map(|&triangle| self.extents[triangle as usize]);
        let extent = extents.fold(Extent::NOTHING, Extent::union);
        let index = self.nodes.len();
        self.nodes.push(Node { extent, first: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let axis = (extent.max - extent.min).max_position();
        let middle = (to - from) / 2;
        let extents = &self.extents;
        self.order[from..to].select_nth_unstable_by(middle, |&a, &b| {
            let [a, b] = [a, b].map(|triangle| {
                let Extent { min, max } = extents[triangle as usize];
                min[axis] + max[axis]
            });
            a.total_cmp(&b)
        });
        self.build(from, from + middle);
        let second = self.nodes.len() as u32;
        self.build(from + middle, to);
        (self.nodes[index].first, self.nodes[index].count) = (second, 0);
    }

    /// Calls `visit` with every two items whose boxes overlap, once.
    pub(crate) fn for_each_pair(&self, mut visit: impl FnMut(u32, u32)) {
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

    /// The item that is nearest to a point, of those at less than `limit` squared: `distance_squared` gives the square
    /// of the distance of an item, or none for an item that is not wanted.
    pub(crate) fn nearest(
        &self,
        point: Vec3,
        limit: f64,
        mut distance_squared: impl FnMut(u32) -> Option<f64>,
    ) -> Option<(u32, f64)> {
        // The boxes are in 32 bits: what a box rounds must not leave its items out.
        const ROUNDING: f64 = 1.0 - 1e-5;
        let mut best: Option<(u32, f64)> = None;
        let mut least = limit;
        let mut open: Vec<(u32, f64)> = if self.nodes.is_empty() { Vec::new() } else { vec![(0, 0.0)] };
        while let Some((index, distance)) = open.pop() {
            if distance * ROUNDING >= least {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.count > 0 {
                for &item in &self.order[node.first as usize..(node.first + node.count) as usize] {
                    if f64::from(self.extents[item as usize].distance_squared(point)) * ROUNDING < least
                        && let Some(distance) = distance_squared(item).filter(|distance| *distance < least)
                    {
                        (best, least) = (Some((item, distance)), distance);
                    }
                }
                continue;
            }
            let mut children = [index + 1, node.first]
                .map(|child| (child, f64::from(self.nodes[child as usize].extent.distance_squared(point))));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            open.extend(children);
        }
        best
    }

    fn for_each_pair_of(&self, first: Node, second: Node, is_one: bool, visit: &mut impl FnMut(u32, u32)) {
        let [first, second] =
            [first, second].map(|node| &self.order[node.first as usize..(node.first + node.count) as usize]);
        for (place, &a) in first.iter().enumerate() {
            // Of one leaf, each two are visited once.
            let skipped = if is_one { place + 1 } else { 0 };
            for &b in &second[skipped..] {
                if self.extents[a as usize].overlaps(&self.extents[b as usize]) {
                    visit(a.min(b), a.max(b));
                }
            }
        }
    }
}
