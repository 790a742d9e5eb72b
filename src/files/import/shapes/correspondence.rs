//! The correspondence of the vertices of the neutral and of a shape: vertices of the same number, of the same texture
//! coordinates, or at the same position.
//!
//! Propagates a match along triangles: where two surfaces have the same triangles, and both ends of an edge are
//! matched, the corner opposite that edge is matched too.

use std::collections::HashSet;

use glam::{Mat4, Vec3};

use super::control_points::ControlPoints;
use super::kd_tree::KdTree;
use super::report::{Mismatch, Remark};
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Head, Matching, Mesh};

#[derive(Debug)]
pub(super) struct Correspondence {
    /// Per vertex of the neutral, a vertex of the shape.
    pub of_vertex: Vec<Option<u32>>,
    /// Control points of the neutral that were matched by their number.
    pub by_order: usize,
    /// Control points of the neutral that were matched by texture coordinates.
    pub by_uv: usize,
    /// Control points of the neutral that were matched by position, or along triangles from there.
    pub by_position: usize,
    /// Control points of the neutral without a match: they do not move.
    pub unmatched: usize,
    /// Control points of the shape that nothing was matched with.
    pub unused: usize,
    /// Why the match is not by order, or what is unusual about one that is.
    pub remark: Option<Remark>,
}

/// Meshes with equally many control points are the same mesh if this part of their edges agrees. Not all: quads may be
/// cut along either diagonal.
const SAME_EDGES: f32 = 0.6;

/// Closed lids and lips put few vertices exactly where others are: a larger part of the control points is another
/// numbering.
const MOST_EXCHANGED: f32 = 0.02;

/// An edge that is longer than this part of the mesh, and so many times as long as at rest, joins vertices that do not
/// belong together.
const TORN_LENGTH: f32 = 0.1;
const TORN_STRETCH: f32 = 5.0;

pub(super) struct MeshPair<'a> {
    pub neutral: ControlPoints<'a>,
    pub shape: ControlPoints<'a>,
}

impl<'a> MeshPair<'a> {
    /// Two meshes, each with the transform into the space in which they are compared.
    pub(super) fn new(neutral: (&'a Mesh, Mat4), shape: (&'a Mesh, Mat4)) -> Self {
        let [neutral, shape] = [neutral, shape].map(|(mesh, space)| ControlPoints::welded(mesh, space));
        Self { neutral, shape }
    }

    pub(super) fn match_by(&self, matching: Matching) -> Result<Correspondence, Mismatch> {
        match matching {
            Matching::Order => self.by_order(true),
            Matching::Auto => match self.by_order(false) {
                Ok(by_order) => self.unless_renumbered(by_order),
                Err(mismatch) => self.by_place(matching, Some(mismatch)),
            },
            Matching::Uv | Matching::Position | Matching::Face => self.by_place(matching, None),
        }
    }

    /// A match by number, unless the numbers are another file's: a mesh that was mirrored or turned has the edges of
    /// the original, with every vertex in the place of another one. Then the match by texture coordinates and position
    /// is taken, if it moves much less and changes the lengths of edges no more: a shape that moves far has most of its
    /// vertices near the place of another one too.
    fn unless_renumbered(&self, by_order: Correspondence) -> Result<Correspondence, Mismatch> {
        let movement = Movement::measure(self, &by_order.of_vertex);
        if !movement.is_doubtful() {
            return Ok(by_order);
        }
        let renumbered = Mismatch::Renumbered {
            exchanged: movement.exchanged,
            torn_edges: movement.torn_edges,
            mean: movement.mean,
        };
        let found = self.by_place(Matching::Auto, Some(renumbered.clone()));
        match found {
            Ok(found) if self.is_better(&found, &movement) => Ok(found),
            _ if movement.is_torn() => Err(renumbered),
            _ => Ok(by_order),
        }
    }

    /// Whether a match by place is better than one by order, with its movement.
    fn is_better(&self, found: &Correspondence, by_order: &Movement) -> bool {
        let without_partner = found.unmatched.max(found.unused);
        let other = Movement::measure(self, &found.of_vertex);
        without_partner * 20 <= self.neutral.count
            && other.mean < by_order.mean * 0.5
            && is_no_more_strained(other.strain, by_order.strain)
    }

    fn by_place(&self, matching: Matching, not_by_order: Option<Mismatch>) -> Result<Correspondence, Mismatch> {
        let Self { neutral, shape } = self;
        check_sizes(neutral, shape)?;
        let mut matches = vec![UNMATCHED; neutral.positions.len()];
        let [neutral_has_uvs, shape_has_uvs] = [neutral, shape].map(|points| !points.mesh.vertices.uvs.is_empty());
        if matching == Matching::Uv && !(neutral_has_uvs && shape_has_uvs) {
            return Err(if shape_has_uvs { Mismatch::HeadWithoutUvs } else { Mismatch::ShapeWithoutUvs });
        }
        if neutral_has_uvs && shape_has_uvs && matching != Matching::Position {
            match_uvs(neutral, shape, &mut matches);
        }
        let by_uv = matched_count(&matches);
        if matching != Matching::Uv {
            match_positions(neutral, shape, &mut matches);
        }
        let matched = matched_count(&matches);
        let least = neutral.count.min(shape.count) / 10;
        if matched <= least {
            let not_by_order = not_by_order.map(Box::new);
            return Err(Mismatch::OtherMesh { not_by_order, matched, shape: shape.count, head: neutral.count });
        }
        let mut used: Vec<u32> = matches.iter().copied().filter(|&matched| matched != UNMATCHED).collect();
        used.sort_unstable();
        used.dedup();
        Ok(Correspondence {
            of_vertex: (0..neutral.of_vertex.len())
                .map(|vertex| {
                    let matched = matches[neutral.of_vertex[vertex] as usize];
                    (matched != UNMATCHED).then(|| self.most_alike(vertex, shape.vertices_of(matched)))?
                })
                .collect(),
            by_order: 0,
            by_uv,
            by_position: matched - by_uv,
            unmatched: neutral.count - matched,
            unused: shape.count - used.len(),
            remark: not_by_order.map(Remark::NotByOrder),
        })
    }

    /// Matches by number: that of the control points where both files have them, else that of the vertices. With
    /// `is_forced` the edges need not agree.
    fn by_order(&self, is_forced: bool) -> Result<Correspondence, Mismatch> {
        let (own, others) = (self.neutral.mesh, self.shape.mesh);
        let [is_numbered, is_shape_numbered] = [own, others].map(|mesh| !mesh.vertices.control_points.is_empty());
        // A file that was converted has the same triangles, and no control points any more. A mesh that has none may
        // also have been written with its vertices as the control points.
        let is_split = is_numbered != is_shape_numbered && own.indices == others.indices;
        let by_control_point = (is_numbered || is_shape_numbered) && !is_split;
        let (split_neutral, split_shape);
        let (neutral, shape) = if is_numbered && is_shape_numbered {
            (&self.neutral, &self.shape)
        } else {
            (split_neutral, split_shape) = (points(own, by_control_point), points(others, by_control_point));
            (&split_neutral, &split_shape)
        };
        let [head_count, shape_count] = [neutral, shape].map(|points| points.positions.len());
        if head_count != shape_count && is_numbered != is_shape_numbered {
            return Err(Mismatch::Numbering);
        }
        if head_count != shape_count {
            return Err(Mismatch::VertexCount { shape: shape_count, head: head_count });
        }
        let shared_edges = neutral.shared_edges(shape);
        if shared_edges < SAME_EDGES && !is_forced {
            return Err(Mismatch::Order { shared_edges });
        }
        check_sizes(&self.neutral, &self.shape)?;
        let of_vertex = if by_control_point {
            (0..neutral.of_vertex.len())
                .map(|vertex| self.most_alike(vertex, shape.vertices_of(neutral.of_vertex[vertex])))
                .collect()
        } else {
            (0..own.vertices.len() as u32).map(Some).collect::<Vec<_>>()
        };
        let remark = (shared_edges < 0.999).then_some(Remark::OtherEdges { share: 1.0 - shared_edges });
        // A file may have control points that no face uses: their position is NaN.
        let pairs = neutral.positions.iter().zip(&shape.positions);
        let by_order = pairs.filter(|(a, b)| !a.is_nan() && !b.is_nan()).count();
        let (unmatched, unused) = (neutral.count - by_order, shape.count - by_order);
        Ok(Correspondence { of_vertex, by_order, by_uv: 0, by_position: 0, unmatched, unused, remark })
    }

    /// Of the vertices of one control point of the shape, the one whose texture coordinates and normal are most like
    /// those of a vertex of the neutral.
    fn most_alike(&self, vertex: usize, candidates: &[u32]) -> Option<u32> {
        let (own, others) = (&self.neutral.mesh.vertices, &self.shape.mesh.vertices);
        let with_difference = candidates.iter().map(|&candidate| {
            let other = candidate as usize;
            let uv = match (own.uvs.get(vertex), others.uvs.get(other)) {
                (Some(a), Some(b)) => a.distance(*b),
                _ => 0.0,
            };
            // Texture coordinates weigh more: they distinguish the two sides of a texture seam, which have equal
            // normals. At a hard edge the texture coordinates are equal, and the normals make the difference.
            (candidate, 1000.0 * uv + own.normals[vertex].distance(others.normals[other]))
        });
        with_difference.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(candidate, _)| candidate)
    }
}

fn points(mesh: &Mesh, by_control_point: bool) -> ControlPoints<'_> {
    match by_control_point {
        true => ControlPoints::ranked(mesh),
        false => ControlPoints::one_per_vertex(mesh, Mat4::IDENTITY),
    }
}

fn matched_count(matches: &[u32]) -> usize {
    matches.iter().filter(|&&matched| matched != UNMATCHED).count()
}

/// How a match moves the vertices of the neutral. Lengths are parts of the neutral's size, counts are parts of all.
struct Movement {
    mean: f32,
    /// The control points at rest that another one is moved to exactly.
    exchanged: f32,
    /// The edges that become so long that they cross the mesh.
    torn_edges: f32,
    /// How much the lengths of edges change: see [`strain`].
    strain: f64,
}

/// How much the lengths of edges change from one to the other: the mean of the part of their sum by which they differ,
/// from 0, if none changes, to 1.
pub(crate) fn strain(lengths: impl Iterator<Item = [f32; 2]>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for [a, b] in lengths.map(|pair| pair.map(f64::from)).filter(|[a, b]| a + b > 0.0 && (a + b).is_finite()) {
        sum += (a - b).abs() / (a + b);
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Whether one of two orders changes the lengths of edges no more than the other, but for rounding.
pub(crate) fn is_no_more_strained(order: f64, other: f64) -> bool {
    order <= other * 1.01 + 1e-3
}

impl Movement {
    fn measure(pair: &MeshPair<'_>, of_vertex: &[Option<u32>]) -> Self {
        let MeshPair { neutral, shape } = pair;
        let moved = |vertex: u32| Some(shape.position_of((*of_vertex.get(vertex as usize)?)?));
        let size = neutral.size().max(f32::MIN_POSITIVE);
        // Where each vertex that moves goes, and how far.
        let moves: Vec<(Vec3, f32)> = (0..of_vertex.len() as u32)
            .filter_map(|vertex| moved(vertex).map(|to| (to, to.distance(neutral.position_of(vertex)))))
            .filter(|(_, distance)| *distance > neutral.same_position_distance())
            .collect();
        let sum: f32 = moves.iter().map(|(_, distance)| *distance).filter(|it| it.is_finite()).sum();
        let edges = neutral.mesh.indices.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let at_rest = edges.clone().map(|[a, b]| neutral.position_of(a).distance(neutral.position_of(b)));
        let afterwards = edges.clone().map(|[a, b]| Some(moved(a)?.distance(moved(b)?)));
        let lengths = at_rest.zip(afterwards);
        let strain = strain(lengths.clone().filter_map(|(at_rest, afterwards)| Some([at_rest, afterwards?])));
        let mean = sum / of_vertex.len().max(1) as f32 / size;
        let (mut exchanged, mut torn_edges) = (0, 0);
        // What hardly moves is not worth a search.
        if moves.len() as f32 > MOST_EXCHANGED * of_vertex.len() as f32 {
            let tree = tree_of(neutral);
            exchanged = moves
                .iter()
                .filter_map(|(to, _)| tree.nearest(to.to_array(), neutral.same_position_distance()))
                .map(|(point, _)| point)
                .collect::<HashSet<u32>>()
                .len();
            torn_edges = lengths
                .filter(|(at_rest, length)| {
                    length.is_some_and(|length| length > TORN_LENGTH * size && length > TORN_STRETCH * at_rest)
                })
                .count();
        }
        Self {
            mean,
            exchanged: exchanged as f32 / neutral.count.max(1) as f32,
            torn_edges: torn_edges as f32 / edges.count().max(1) as f32,
            strain,
        }
    }

    /// Whether the vertices may be those of another numbering.
    fn is_doubtful(&self) -> bool {
        /// Shapes of a face move few vertices far.
        const FAR: f32 = 0.03;
        self.mean > FAR || self.exchanged > MOST_EXCHANGED || self.is_torn()
    }

    fn is_torn(&self) -> bool {
        const MOST_TORN: f32 = 0.05;
        self.torn_edges > MOST_TORN
    }
}

/// Refuses a shape that has about as many control points as the head and a very different size: its file is in another
/// unit.
fn check_sizes(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>) -> Result<(), Mismatch> {
    let is_about_as_many = neutral.count.abs_diff(shape.count) <= neutral.count / 5;
    let ratio = shape.size() / neutral.size();
    if is_about_as_many && ratio.is_finite() && !(0.2..=5.0).contains(&ratio) {
        return Err(Mismatch::Size { ratio });
    }
    Ok(())
}

/// Completes `matches`, which has one entry per control point of the neutral. If the surfaces have different triangles
/// and most control points are still unmatched, each of these is matched with the nearest.
pub(super) fn match_positions(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut Vec<u32>) {
    /// The largest distance of a nearest match, as a part of the head's size.
    const NEAR: f32 = 0.02;
    let (own_tree, tree) = (tree_of(neutral), tree_of(shape));
    // The control point at a position, if it is the only one there.
    let mut is_taken = vec![false; shape.positions.len()];
    for &matched in matches.iter().filter(|&&matched| matched != UNMATCHED) {
        is_taken[matched as usize] = true;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if matches[point] != UNMATCHED {
            continue;
        }
        let found = only_one_at(&tree, *position, neutral).filter(|&other| !is_taken[other as usize]);
        let Some(other) = found else { continue };
        if only_one_at(&own_tree, shape.positions[other as usize], neutral) == Some(point as u32) {
            matches[point] = other;
            is_taken[other as usize] = true;
        }
    }
    if propagate(neutral, shape, matches) > 0 || matched_count(matches) * 2 > neutral.count {
        return;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if matches[point] == UNMATCHED
            && let Some((other, _)) = tree.nearest(position.to_array(), neutral.size() * NEAR)
        {
            matches[point] = other;
        }
    }
}

fn only_one_at(tree: &KdTree<3>, position: Vec3, neutral: &ControlPoints<'_>) -> Option<u32> {
    match tree.within(position.to_array(), neutral.same_position_distance(), 2)[..] {
        [(point, _)] => Some(point),
        _ => None,
    }
}

fn tree_of(points: &ControlPoints<'_>) -> KdTree<3> {
    KdTree::new(points.positions.iter().zip(0..).map(|(position, point)| (position.to_array(), point)))
}

/// The longest displacement that a match may have, as a part of the head's size. At a longer distance, two places of
/// the surface share the texture coordinates.
const FARTHEST: f32 = 0.25;

/// Fills `matches`, which has one entry per control point of the neutral. The halves of a face often share one half of
/// the texture: of several candidates the nearest in space is taken.
pub(super) fn match_uvs(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut [u32]) {
    /// The largest distance of matching texture coordinates: one file may have four decimals and the other six.
    const RADIUS: f32 = 2e-4;
    const ROUNDING: f32 = 1e-5;
    /// The most candidates. If more vertices share texture coordinates, these identify none of them.
    const MOST: usize = 64;
    let farthest = neutral.size() * FARTHEST;
    let (own, others) = (&neutral.mesh.vertices.uvs, &shape.mesh.vertices.uvs);
    let tree = KdTree::new(others.iter().zip(0..).map(|(uv, vertex)| (uv.to_array(), vertex)));
    // Per control point the distances of its match: in texture coordinates, in steps of `ROUNDING`, then in space.
    let mut best = vec![(f32::INFINITY, f32::INFINITY); matches.len()];
    for (vertex, uv) in own.iter().enumerate() {
        let found = tree.within(uv.to_array(), RADIUS, MOST);
        if found.is_empty() || found.len() == MOST {
            continue;
        }
        let point = neutral.of_vertex[vertex] as usize;
        let least = found.iter().map(|&(_, uv_distance)| uv_distance).fold(f32::INFINITY, f32::min);
        let alike = found.iter().filter(|(_, uv_distance)| *uv_distance <= least + ROUNDING);
        let nearest = alike
            .map(|&(vertex, _)| (vertex, shape.position_of(vertex).distance(neutral.positions[point])))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((matched, distance)) = nearest.filter(|(_, distance)| *distance <= farthest) else { continue };
        let uv_steps = (least / ROUNDING).floor();
        if (uv_steps, distance) < best[point] {
            best[point] = (uv_steps, distance);
            matches[point] = shape.of_vertex[matched as usize];
        }
    }
    // Where the shape lacks a vertex, a neighbour with nearly the same texture coordinates was found, which is the
    // match of another control point: each control point of the shape stays with the best one, and with those at the
    // same position.
    let mut owner = vec![UNMATCHED; shape.positions.len()];
    for (point, &matched) in matches.iter().enumerate().filter(|(_, matched)| **matched != UNMATCHED) {
        let owner = &mut owner[matched as usize];
        if *owner == UNMATCHED || best[point] < best[*owner as usize] {
            *owner = point as u32;
        }
    }
    let same_position = neutral.same_position_distance();
    for (point, matched) in matches.iter_mut().enumerate().filter(|(_, matched)| **matched != UNMATCHED) {
        let owner = owner[*matched as usize];
        if owner as usize != point
            && (neutral.positions[owner as usize]).distance(neutral.positions[point]) > same_position
        {
            *matched = UNMATCHED;
        }
    }
}

pub(super) struct MeshMatch {
    /// Index into the head's meshes.
    pub of_head: usize,
    /// Index into the shape's meshes.
    pub of_shape: usize,
    /// Whether it was chosen only because it is the largest of several.
    pub is_guess: bool,
}

/// Matches the meshes of a shape with those of the head: by name and number of vertices, else by number of vertices,
/// else by name. Of several that fit equally well the nearest is taken: two eyes differ in nothing else. The only mesh
/// of a shape that is still without a match belongs to the largest mesh of the head, which is a guess where the head
/// has several.
pub(super) fn match_meshes(head: &Head, shape: &Head) -> Vec<MeshMatch> {
    let own: Vec<usize> = head.meshes.iter().map(point_count_of).collect();
    let others: Vec<usize> = shape.meshes.iter().map(point_count_of).collect();
    let mut is_taken = vec![false; own.len()];
    let mut matches = Vec::new();
    let mut left: Vec<usize> = (0..others.len()).collect();
    let (own_centers, other_centers) = (centers(head), centers(shape));
    for (by_count, by_name) in [(true, true), (true, false), (false, true)] {
        left.retain(|&other| {
            let fitting = (0..own.len()).filter(|&mesh| {
                let (of_head, of_shape) = (&head.meshes[mesh], &shape.meshes[other]);
                let same_count = own[mesh] == others[other] || of_head.vertices.len() == of_shape.vertices.len();
                let same_name = of_head.name.eq_ignore_ascii_case(&of_shape.name);
                !is_taken[mesh] && (same_count || !by_count) && (same_name || !by_name)
            });
            let found = fitting.min_by(|&a, &b| {
                own_centers[a].distance(other_centers[other]).total_cmp(&own_centers[b].distance(other_centers[other]))
            });
            if let Some(mesh) = found {
                is_taken[mesh] = true;
                matches.push(MeshMatch { of_head: mesh, of_shape: other, is_guess: false });
            }
            found.is_none()
        });
    }
    let largest = (0..own.len()).max_by_key(|&mesh| (own[mesh], std::cmp::Reverse(mesh)));
    if let ([other], [_], Some(largest)) = (&left[..], &others[..], largest) {
        matches.push(MeshMatch { of_head: largest, of_shape: *other, is_guess: own.len() > 1 });
    }
    matches
}

fn centers(head: &Head) -> Vec<Vec3> {
    head.meshes.iter().map(|mesh| head.rest_pose.bounds_in_world(mesh).center()).collect()
}

fn point_count_of(mesh: &Mesh) -> usize {
    ControlPoints::welded(mesh, Mat4::IDENTITY).count
}

/// Stands for "no control point" in lists of matches.
pub(super) const UNMATCHED: u32 = u32::MAX;

/// The directed edges of a surface, each with the opposite corner: (from, to, opposite), sorted.
struct Edges(Vec<(u32, u32, u32)>);

impl Edges {
    fn from_triangles(triangles: &[[u32; 3]]) -> Self {
        let mut edges: Vec<_> = triangles.iter().flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]).collect();
        edges.sort_unstable();
        Self(edges)
    }

    /// The corner opposite the edge from `a` to `b`; none where no triangle or several have that edge.
    fn opposite(&self, a: u32, b: u32) -> Option<u32> {
        let first = self.0.partition_point(|&(from, to, _)| (from, to) < (a, b));
        let mut same = self.0[first..].iter().take_while(|&&(from, to, _)| (from, to) == (a, b));
        match (same.next(), same.next()) {
            (Some(&(.., opposite)), None) => Some(opposite),
            _ => None,
        }
    }
}

/// Extends `matches` (per control point of `neutral`, one of `shape` or [`UNMATCHED`]) and returns how many were added.
/// Returns 0 and changes nothing if the two surfaces turn out to have different triangles.
pub(super) fn propagate(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut Vec<u32>) -> usize {
    /// The part of the fully matched triangles that must be triangles of the shape too.
    const SAME_TRIANGLES: f32 = 0.95;
    let edges = Edges::from_triangles(&shape.triangles);
    let corners = neutral.triangles.iter().zip(0_u32..).flat_map(|(corners, number)| corners.map(|at| (at, number)));
    // Per control point of the neutral where its triangles begin, and the end of the last.
    let (firsts, around) = by_key(neutral.positions.len(), corners);
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
            let point = corners[at] as usize;
            open.extend(&around[firsts[point] as usize..firsts[point + 1] as usize]);
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
