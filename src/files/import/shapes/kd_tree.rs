//! A k-d tree, which finds the nearest points (J. L. Bentley, "Multidimensional Binary Search Trees", 1975).

/// A tree over points of `N` coordinates, stored in one slice: the middle of a slice is the node, its halves are the
/// branches.
pub(crate) struct KdTree<const N: usize> {
    nodes: Vec<([f32; N], u32)>,
}

impl<const N: usize> KdTree<N> {
    /// Builds a tree of points and their indices. Points that are not finite are left out.
    pub(crate) fn new(points: impl Iterator<Item = ([f32; N], u32)>) -> Self {
        let mut nodes: Vec<_> = points.filter(|(at, _)| at.iter().all(|x| x.is_finite())).collect();
        sort(&mut nodes, 0);
        Self { nodes }
    }

    /// The index and the distance of the nearest point, if it is within `radius`.
    pub(crate) fn nearest(&self, at: [f32; N], radius: f32) -> Option<(u32, f32)> {
        let mut search = Search { at, radius, found: Vec::new(), keeps_all: false };
        search.visit(&self.nodes, 0, usize::MAX);
        search.found.pop()
    }

    /// The indices and the distances of points within `radius`, at most `most` of them.
    pub(crate) fn within(&self, at: [f32; N], radius: f32, most: usize) -> Vec<(u32, f32)> {
        let mut search = Search { at, radius, found: Vec::new(), keeps_all: true };
        search.visit(&self.nodes, 0, most);
        search.found
    }
}

fn sort<const N: usize>(nodes: &mut [([f32; N], u32)], axis: usize) {
    if nodes.len() > 1 {
        let middle = nodes.len() / 2;
        nodes.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
        let (low, high) = nodes.split_at_mut(middle);
        sort(low, (axis + 1) % N);
        sort(&mut high[1..], (axis + 1) % N);
    }
}

struct Search<const N: usize> {
    at: [f32; N],
    radius: f32,
    found: Vec<(u32, f32)>,
    /// Whether all points within `radius` are searched, or the nearest only.
    keeps_all: bool,
}

impl<const N: usize> Search<N> {
    fn visit(&mut self, nodes: &[([f32; N], u32)], axis: usize, most: usize) {
        if nodes.is_empty() || self.found.len() >= most {
            return;
        }
        let middle = nodes.len() / 2;
        let (place, number) = nodes[middle];
        let distance = place.iter().zip(self.at).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        if distance <= self.radius {
            if !self.keeps_all {
                self.found.clear();
                self.radius = distance;
            }
            self.found.push((number, distance));
        }
        let beyond = self.at[axis] - place[axis];
        let (low, high) = (&nodes[..middle], &nodes[middle + 1..]);
        let (near, far) = if beyond < 0.0 { (low, high) } else { (high, low) };
        self.visit(near, (axis + 1) % N, most);
        if beyond.abs() <= self.radius {
            self.visit(far, (axis + 1) % N, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_same_points_as_a_linear_search() {
        let place = |index: u32| [(index * 37 % 101) as f32, (index * 53 % 97) as f32, (index * 11 % 7) as f32];
        let tree = KdTree::new((0..500).map(|index| (place(index), index)));
        for query in (0..60).map(|index| [index as f32 * 1.7, 97.0 - index as f32, 3.3]) {
            let distance = |index: u32| {
                place(index).iter().zip(query).map(|(a, b): (&f32, f32)| (a - b) * (a - b)).sum::<f32>().sqrt()
            };
            let least = (0..500).map(distance).fold(f32::MAX, f32::min);
            assert_eq!(tree.nearest(query, 1000.0).unwrap().1, least);
            assert_eq!(tree.nearest(query, least * 0.999), None);
            let mut within: Vec<u32> = tree.within(query, 9.0, 1000).into_iter().map(|(index, _)| index).collect();
            within.sort_unstable();
            assert_eq!(within, (0..500).filter(|&index| distance(index) <= 9.0).collect::<Vec<_>>());
            assert_eq!(tree.within(query, 1000.0, 5).len(), 5);
        }
    }

    #[test]
    fn points_that_are_not_finite_are_not_found() {
        let tree = KdTree::new([([f32::NAN, 0.0], 0), ([1.0, 1.0], 1)].into_iter());
        assert_eq!(tree.within([1.0, 1.0], 1e30, 9).len(), 1);
        assert_eq!(KdTree::<2>::new(std::iter::empty()).nearest([0.0; 2], 1.0), None);
    }
}
