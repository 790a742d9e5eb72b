//! Which vertex of a shape each vertex of the neutral goes to: the one of the same number, of the same place in the texture,
//! or of the same place in space.

use glam::Vec3;

use super::Matching;
use super::kd_tree::KdTree;
use super::points::Points;
use super::spread::{NOBODY, spread};

/// Who goes where, and how that was found out.
#[derive(Debug)]
pub struct Partners {
    /// Per vertex of the neutral, a vertex of the shape.
    pub of_vertex: Vec<Option<u32>>,
    /// Points of the neutral matched by their number,
    pub by_order: usize,
    /// by texture coordinates,
    pub by_uv: usize,
    /// by position, and by triangles that begin there.
    pub by_position: usize,
    /// Points of the neutral without a partner: they do not move.
    pub unmatched: usize,
    /// Points of the shape that are nobody's partner.
    pub unused: usize,
    /// Why not by order, or what is odd about it; empty if nothing is.
    pub remark: String,
}

/// Edges in common that make two meshes of equally many points the same: quads may be cut along either diagonal.
const SAME_EDGES: f32 = 0.6;

/// A movement larger than this part of the head is none: the texture has the same place for both.
const FARTHEST: f32 = 0.25;

impl Partners {
    /// Finds partners, or says why there are none. Both meshes are in one space.
    pub fn find(meshes: &Pair<'_>, matching: Matching) -> Result<Self, String> {
        let why_not_order = match matching {
            Matching::Auto | Matching::Order => match by_order(meshes, matching == Matching::Order) {
                Ok(partners) => return Ok(partners),
                Err(problem) if matching == Matching::Order => return Err(problem),
                Err(problem) => problem,
            },
            Matching::Uv | Matching::Position => String::new(),
        };
        let (neutral, shape) = (&meshes.neutral, &meshes.shape);
        check_sizes(neutral, shape)?;
        let mut partners = vec![NOBODY; neutral.positions.len()];
        let count = |partners: &[u32]| partners.iter().filter(|&&partner| partner != NOBODY).count();
        let has_uvs = !neutral.mesh.vertices.uvs.is_empty() && !shape.mesh.vertices.uvs.is_empty();
        if matching == Matching::Uv && !has_uvs {
            let whose = if shape.mesh.vertices.uvs.is_empty() { "it" } else { "the head" };
            return Err(format!("{whose} has no texture coordinates to match by; match by position"));
        }
        if has_uvs && matching != Matching::Position {
            match_uvs(neutral, shape, &mut partners);
        }
        let by_uv = count(&partners);
        if matching != Matching::Uv {
            match_positions(neutral, shape, &mut partners);
        }
        let matched = count(&partners);
        let least = neutral.count.min(shape.count) / 10;
        if matched <= least {
            let remark = if why_not_order.is_empty() { String::new() } else { format!("{why_not_order}; ") };
            return Err(format!(
                "{remark}only {matched} of its {} vertices have a partner among the head's {}: it is another mesh",
                shape.count, neutral.count
            ));
        }
        let mut used: Vec<u32> = partners.iter().copied().filter(|&partner| partner != NOBODY).collect();
        used.sort_unstable();
        used.dedup();
        let of_point = |vertex: usize| {
            let partner = partners[neutral.of_vertex[vertex] as usize];
            (partner != NOBODY).then(|| meshes.most_alike(vertex, shape.vertices_of(partner)))?
        };
        Ok(Self {
            of_vertex: (0..neutral.of_vertex.len()).map(of_point).collect(),
            by_order: 0,
            by_uv,
            by_position: matched - by_uv,
            unmatched: neutral.count - matched,
            unused: shape.count - used.len(),
            remark: why_not_order,
        })
    }
}

/// The meshes to be brought together, in one space.
pub struct Pair<'a> {
    /// Points joined, of the head.
    pub neutral: Points<'a>,
    /// Points joined, of the shape.
    pub shape: Points<'a>,
}

impl Pair<'_> {
    /// Of vertices of the shape that stand in one place, the one with the texture and the normal of a vertex of the neutral.
    fn most_alike(&self, vertex: usize, candidates: &[u32]) -> Option<u32> {
        let (own, others) = (&self.neutral.mesh.vertices, &self.shape.mesh.vertices);
        let difference = |&candidate: &u32| {
            let candidate = candidate as usize;
            let uv = match (own.uvs.get(vertex), others.uvs.get(candidate)) {
                (Some(a), Some(b)) => a.distance(*b),
                _ => 0.0,
            };
            // Texture first: a seam's halves have one normal, a hard edge's have one place in the texture.
            1000.0 * uv + own.normals[vertex].distance(others.normals[candidate])
        };
        candidates.iter().copied().min_by(|a, b| difference(a).total_cmp(&difference(b)))
    }
}

/// By number. Where both files number their own vertices, by those; else by those of the meshes.
fn by_order(meshes: &Pair<'_>, is_wanted: bool) -> Result<Partners, String> {
    let (own, others) = (meshes.neutral.mesh, meshes.shape.mesh);
    let numbers = |mesh: &crate::head::Mesh| !mesh.vertices.control_points.is_empty();
    let (unjoined_neutral, unjoined_shape);
    let (neutral, shape) = match (numbers(own), numbers(others)) {
        (true, true) => (&meshes.neutral, &meshes.shape),
        (false, false) => {
            unjoined_neutral = Points::unjoined(own, glam::Mat4::IDENTITY);
            unjoined_shape = Points::unjoined(others, glam::Mat4::IDENTITY);
            (&unjoined_neutral, &unjoined_shape)
        }
        _ => return Err("one of the files numbers its vertices, the other has them split".into()),
    };
    let counts = [neutral, shape].map(|points| points.positions.len());
    if counts[0] != counts[1] {
        let (more, difference) =
            if counts[1] > counts[0] { ("more", counts[1] - counts[0]) } else { ("fewer", counts[0] - counts[1]) };
        return Err(format!("it has {} vertices, {difference} {more} than the head's {}", counts[1], counts[0]));
    }
    let shared = neutral.shared_edges(shape);
    if shared < SAME_EDGES && !is_wanted {
        let percent = shared * 100.0;
        return Err(format!("it has as many vertices as the head, in another order ({percent:.0} % of edges agree)"));
    }
    check_sizes(&meshes.neutral, &meshes.shape)?;
    let of_vertex = if numbers(own) {
        (0..neutral.of_vertex.len())
            .map(|vertex| meshes.most_alike(vertex, shape.vertices_of(neutral.of_vertex[vertex])))
            .collect()
    } else {
        (0..own.vertices.len() as u32).map(Some).collect::<Vec<_>>()
    };
    let remark = if shared < 0.999 {
        format!("{:.0} % of its edges are not the head's: is it the same mesh?", (1.0 - shared) * 100.0)
    } else {
        String::new()
    };
    // A file may hold points that no face uses.
    let pairs = || neutral.positions.iter().zip(&shape.positions);
    let by_order = pairs().filter(|(a, b)| !a.is_nan() && !b.is_nan()).count();
    let (unmatched, unused) = (neutral.count - by_order, shape.count - by_order);
    Ok(Partners { of_vertex, by_order, by_uv: 0, by_position: 0, unmatched, unused, remark })
}

/// A head in metres and a shape in centimetres have nothing to do with each other, whatever else agrees.
fn check_sizes(neutral: &Points<'_>, shape: &Points<'_>) -> Result<(), String> {
    let is_about_as_many = neutral.count.abs_diff(shape.count) <= neutral.count / 5;
    let ratio = shape.size() / neutral.size();
    if is_about_as_many && ratio.is_finite() && !(0.2..=5.0).contains(&ratio) {
        let (times, what) = if ratio > 1.0 { (ratio, "size") } else { (1.0 / ratio, "smallness") };
        return Err(format!("it is {times:.0} times the head's {what}: export both in one unit"));
    }
    Ok(())
}

/// Points whose vertices have the same texture coordinates. Halves of a face often share one half of a picture: of several,
/// the nearest.
fn match_uvs(neutral: &Points<'_>, shape: &Points<'_>, partners: &mut [u32]) {
    /// Four decimals in one file and six in the other.
    const RADIUS: f32 = 2e-4;
    /// As far as rounding alone goes.
    const ROUNDING: f32 = 1e-5;
    /// A place of the texture where more vertices are says nothing.
    const MOST: usize = 64;
    let farthest = neutral.size() * FARTHEST;
    let (own, others) = (&neutral.mesh.vertices.uvs, &shape.mesh.vertices.uvs);
    let tree = KdTree::new(others.iter().zip(0..).map(|(uv, vertex)| (uv.to_array(), vertex)));
    // What the partner of each point was found with: apart in the texture, apart in space.
    let mut best = vec![(f32::INFINITY, f32::INFINITY); partners.len()];
    for (vertex, uv) in own.iter().enumerate() {
        let found = tree.within(uv.to_array(), RADIUS, MOST);
        if found.is_empty() || found.len() == MOST {
            continue;
        }
        let point = neutral.of_vertex[vertex] as usize;
        let apart = |vertex: u32| -> f32 {
            shape.positions[shape.of_vertex[vertex as usize] as usize].distance(neutral.positions[point])
        };
        let least = found.iter().map(|&(_, distance)| distance).fold(f32::INFINITY, f32::min);
        let alike = found.iter().filter(|(_, distance)| *distance <= least + ROUNDING);
        let nearest = alike.map(|&(vertex, _)| (vertex, apart(vertex))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((partner, apart)) = nearest.filter(|(_, apart)| *apart <= farthest) else { continue };
        let is_rounding = (least / ROUNDING).floor();
        if (is_rounding, apart) < best[point] {
            best[point] = (is_rounding, apart);
            partners[point] = shape.of_vertex[partner as usize];
        }
    }
    // Where the shape lacks a vertex, another with its place in the texture was found: that is somebody else's.
    let mut owner = vec![NOBODY; shape.positions.len()];
    for (point, &partner) in partners.iter().enumerate().filter(|(_, partner)| **partner != NOBODY) {
        let owner = &mut owner[partner as usize];
        if *owner == NOBODY || best[point] < best[*owner as usize] {
            *owner = point as u32;
        }
    }
    let position_of = |point: u32| neutral.positions[point as usize];
    for (point, partner) in partners.iter_mut().enumerate().filter(|(_, partner)| **partner != NOBODY) {
        let owner = owner[*partner as usize];
        if owner as usize != point && position_of(owner).distance(neutral.positions[point]) > neutral.size_of_a_place()
        {
            *partner = NOBODY;
        }
    }
}

/// Points that stand in one place, and from there on along triangles; where the surfaces differ, the nearest.
fn match_positions(neutral: &Points<'_>, shape: &Points<'_>, partners: &mut Vec<u32>) {
    /// Of the head's size: what counts as near.
    const NEAR: f32 = 0.02;
    let size = neutral.size();
    let tree_of = |points: &Points<'_>| {
        KdTree::new(points.positions.iter().zip(0..).map(|(position, point)| (position.to_array(), point)))
    };
    let (own_tree, tree) = (tree_of(neutral), tree_of(shape));
    let alone = |tree: &KdTree<3>, at: Vec3| match tree.within(at.to_array(), neutral.size_of_a_place(), 2)[..] {
        [(point, _)] => Some(point),
        _ => None,
    };
    let mut is_taken = vec![false; shape.positions.len()];
    for &partner in partners.iter().filter(|&&partner| partner != NOBODY) {
        is_taken[partner as usize] = true;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if partners[point] != NOBODY {
            continue;
        }
        let Some(other) = alone(&tree, *position).filter(|&other| !is_taken[other as usize]) else { continue };
        if alone(&own_tree, shape.positions[other as usize]) == Some(point as u32) {
            partners[point] = other;
            is_taken[other as usize] = true;
        }
    }
    if spread(neutral, shape, partners) > 0
        || partners.iter().filter(|&&partner| partner != NOBODY).count() * 2 > neutral.count
    {
        return;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if partners[point] == NOBODY
            && let Some((other, _)) = tree.nearest(position.to_array(), size * NEAR)
        {
            partners[point] = other;
        }
    }
}
