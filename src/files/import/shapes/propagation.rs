//! Propagates a match along triangles: where two surfaces have the same triangles, and both ends of an edge are matched, the
//! corner opposite that edge is matched too.

use super::control_points::ControlPoints;

/// Stands for "no control point" in lists of matches.
pub(super) const UNMATCHED: u32 = u32::MAX;

/// The directed edges of a surface, each with the opposite corner: (from, to, opposite), sorted.
struct Edges(Vec<(u32, u32, u32)>);

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let mut edges: Vec<_> = triangles.iter().flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]).collect();
        edges.sort_unstable();
        Self(edges)
    }

    /// The corner opposite the edge from `a` to `b`; none where no triangle or several have that edge.
    fn opposite(&self, a: u32, b: u32) -> Option<u32> {
        let first = self.0.partition_point(|&(from, to, _)| (from, to) < (a, b));
        let is_edge = |at: usize| self.0.get(at).is_some_and(|&(from, to, _)| (from, to) == (a, b));
        (is_edge(first) && !is_edge(first + 1)).then(|| self.0[first].2)
    }
}

/// The triangles around each control point.
struct TrianglesAround {
    /// Per control point the start of its triangles in `triangles`, and the end of the last.
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl TrianglesAround {
    fn of(triangles: &[[u32; 3]], point_count: usize) -> Self {
        let mut first = vec![0_u32; point_count + 1];
        triangles.iter().flatten().for_each(|&point| first[point as usize + 1] += 1);
        for point in 0..point_count {
            first[point + 1] += first[point];
        }
        let mut cursors = first.clone();
        let mut around = vec![0; triangles.len() * 3];
        for (number, point) in triangles.iter().enumerate().flat_map(|(number, corners)| corners.map(|at| (number, at)))
        {
            around[cursors[point as usize] as usize] = number as u32;
            cursors[point as usize] += 1;
        }
        Self { first, triangles: around }
    }

    fn point(&self, point: u32) -> &[u32] {
        &self.triangles[self.first[point as usize] as usize..self.first[point as usize + 1] as usize]
    }
}

/// Extends `matches` (per control point of `neutral`, one of `shape` or [`UNMATCHED`]) and returns how many were added.
/// Returns 0 and changes nothing if the two surfaces turn out to have different triangles.
pub(super) fn propagate(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut Vec<u32>) -> usize {
    /// The part of the fully matched triangles that must be triangles of the shape too.
    const SAME_TRIANGLES: f32 = 0.95;
    let edges = Edges::of(&shape.triangles);
    let around = TrianglesAround::of(&neutral.triangles, neutral.positions.len());
    let mut found = matches.clone();
    let mut is_taken = vec![false; shape.positions.len()];
    for &matched in matches.iter().filter(|&&matched| matched != UNMATCHED) {
        is_taken[matched as usize] = true;
    }
    // Triangles to look at: those with two matched corners determine the third.
    let mut open: Vec<u32> = (0..neutral.triangles.len() as u32).collect();
    let mut count = 0;
    while let Some(number) = open.pop() {
        let corners = neutral.triangles[number as usize];
        let mut unmatched = (0..3).filter(|&at| found[corners[at] as usize] == UNMATCHED);
        let (Some(at), None) = (unmatched.next(), unmatched.next()) else { continue };
        let [a, b] = [1, 2].map(|on| found[corners[(at + on) % 3] as usize]);
        let Some(matched) = edges.opposite(a, b) else { continue };
        if !std::mem::replace(&mut is_taken[matched as usize], true) {
            found[corners[at] as usize] = matched;
            count += 1;
            open.extend(around.point(corners[at]));
        }
    }
    let mapped = neutral.triangles.iter().map(|triangle| triangle.map(|point| found[point as usize]));
    let whole: Vec<[u32; 3]> = mapped.filter(|corners| corners.iter().all(|&matched| matched != UNMATCHED)).collect();
    let same = whole.iter().filter(|&&[a, b, c]| edges.opposite(a, b) == Some(c)).count();
    if count == 0 || (same as f32) < SAME_TRIANGLES * whole.len() as f32 {
        return 0;
    }
    *matches = found;
    count
}
