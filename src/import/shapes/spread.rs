//! From a few points whose partners are known to all that hang together with them: where two surfaces have the same
//! triangles, the third corner behind a known edge is known too.

use super::points::Points;

/// Marks a point without a partner.
pub const NOBODY: u32 = u32::MAX;

/// What lies behind the edges of a surface.
struct Edges(Vec<(u32, u32, u32)>);

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let mut edges: Vec<_> = triangles.iter().flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]).collect();
        edges.sort_unstable();
        Self(edges)
    }

    /// The third corner of the one triangle that goes from `a` to `b`.
    fn third(&self, a: u32, b: u32) -> Option<u32> {
        let first = self.0.partition_point(|&(from, to, _)| (from, to) < (a, b));
        let is_it = |at: usize| self.0.get(at).is_some_and(|&(from, to, _)| (from, to) == (a, b));
        (is_it(first) && !is_it(first + 1)).then(|| self.0[first].2)
    }
}

/// Triangles by corner.
struct Around {
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
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

/// Spreads `partners` (per point of `neutral`, a point of `shape` or [`NOBODY`]). How many were found; none, and nothing
/// changed, if the surfaces turn out not to be alike.
pub fn spread(neutral: &Points<'_>, shape: &Points<'_>, partners: &mut Vec<u32>) -> usize {
    /// Triangles that go over into triangles, of those whose corners all have partners.
    const ALIKE: f32 = 0.95;
    let behind = Edges::of(&shape.triangles);
    let around = Around::of(&neutral.triangles, neutral.positions.len());
    let mut found = partners.clone();
    let mut is_taken = vec![false; shape.positions.len()];
    for &partner in partners.iter().filter(|&&partner| partner != NOBODY) {
        is_taken[partner as usize] = true;
    }
    // Triangles that two known corners may give the third.
    let mut open: Vec<u32> = (0..neutral.triangles.len() as u32).collect();
    let mut count = 0;
    while let Some(number) = open.pop() {
        let corners = neutral.triangles[number as usize];
        let mut unknown = (0..3).filter(|&at| found[corners[at] as usize] == NOBODY);
        let (Some(at), None) = (unknown.next(), unknown.next()) else { continue };
        let [a, b] = [1, 2].map(|on| found[corners[(at + on) % 3] as usize]);
        let Some(partner) = behind.third(a, b) else { continue };
        if !std::mem::replace(&mut is_taken[partner as usize], true) {
            found[corners[at] as usize] = partner;
            count += 1;
            open.extend(around.point(corners[at]));
        }
    }
    let known = neutral.triangles.iter().map(|triangle| triangle.map(|point| found[point as usize]));
    let whole: Vec<[u32; 3]> = known.filter(|corners| corners.iter().all(|&partner| partner != NOBODY)).collect();
    let alike = whole.iter().filter(|&&[a, b, c]| behind.third(a, b) == Some(c)).count();
    if count == 0 || (alike as f32) < ALIKE * whole.len() as f32 {
        return 0;
    }
    *partners = found;
    count
}
