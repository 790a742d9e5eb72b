//! Which points of frames are which vertices of a head: by order where they are equally many, else as shapes of a head
//! are matched.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use super::space::{self, Space};
use super::{ImportError, MeshFrames, in_file};
use crate::import::error::Fault;
use crate::import::shapes::{is_no_more_strained, match_points, match_surfaces, strain};
use smirk_analysis::solve::{Frames, MatchedPoints};
use smirk_face::head::{Head, Matching, Mesh, Note, Points, Subject};

#[derive(Clone, Debug, PartialEq)]
pub struct MatchedFrames {
    pub points: MatchedPoints,
    pub notes: Vec<Note>,
}

/// Frames and a head whose points are apart by more than this part of the head's size, once one is laid on the other,
/// may not be in the same order.
const SAME_ORDER: f64 = 0.12;

/// An order that changes the lengths of edges by more than this ([`strain`]) is not that of the head. Faces that move
/// far stay below the half of it; an order by chance is far above.
const MOST_STRAIN: f64 = 0.25;

/// The part of the points of frames that has to lie on the head.
const LEAST_SHARE: f64 = 0.5;

struct Found {
    /// Per mesh of the head and vertex, its point.
    of_vertices: Vec<Vec<Option<u32>>>,
    space: Space,
    /// How far the points are apart once the frame is laid on the head, as a part of the head's size.
    apart: f64,
    /// How much the lengths of the head's edges differ in the frame ([`strain`]).
    strain: f64,
    how: &'static str,
}

impl Found {
    fn count(&self) -> usize {
        self.of_vertices.iter().flatten().flatten().count()
    }
}

impl MeshFrames {
    pub fn match_with(&self, head: &Head, matching: Matching) -> Result<MatchedFrames, ImportError> {
        self.find_match(head, matching).map_err(|fault| in_file(&self.path, fault))
    }

    fn find_match(&self, head: &Head, matching: Matching) -> Result<MatchedFrames, Fault> {
        self.check_amount(head)?;
        let mut first = Vec::new();
        let is_there = (0..self.count()).any(|frame| {
            first.clear();
            self.read(frame, &mut first).is_ok() && first.iter().filter(|it| it.is_finite()).count() * 2 > first.len()
        });
        if !is_there {
            let text = format!("none of its {} frames has positions that are numbers; export it again", self.count());
            return Err(Fault::Unfit(text));
        }
        let at_rest = Rest::from_head(head);
        let found = match matching {
            Matching::Auto | Matching::Order => match self.by_order(head, &at_rest, &first) {
                Some(found) if found.apart < SAME_ORDER => Some(found),
                by_order if matching == Matching::Auto => {
                    better_of(by_order, self.by_surface(head, &at_rest, &first, matching))
                }
                by_order => better_of(by_order, None),
            },
            Matching::Uv | Matching::Position | Matching::Face => self.by_surface(head, &at_rest, &first, matching),
        };
        let Some(found) = found else { return Err(Fault::Unfit(self.refusal(head, &at_rest, matching))) };
        let matched = found.count();
        let all = head.vertex_count();
        let mut notes = Vec::new();
        if matched < all || found.how != "in order" {
            let message = format!("{matched} of the {all} vertices of {} are in it, matched {}", head.name, found.how);
            notes.push(Note::info(Subject::File, message));
        }
        notes.extend(found.space.in_words().into_iter().map(|words| Note::info(Subject::File, words)));
        let points = MatchedPoints { of_vertices: found.of_vertices, head_from_frames: found.space.matrix() };
        Ok(MatchedFrames { points, notes })
    }

    fn refusal(&self, head: &Head, at_rest: &Rest, matching: Matching) -> String {
        let (points, all) = (self.point_count(), at_rest.points.len());
        let advice = match matching {
            Matching::Auto | Matching::Position if self.surface().is_none() => {
                "a cache has no faces to match by: its first frame has to be the face at rest, or its points those of the head"
            }
            Matching::Order => "export the head with its vertices in their order, or match by position",
            _ => "open the head that the frames were made with",
        };
        format!("its {points} points are not those of {} ({all} points): {advice}", head.name)
    }

    /// The points of the head in the order in which files of it have them: of all meshes, of those that can be seen, of
    /// those with targets, or of one mesh.
    fn by_order(&self, head: &Head, at_rest: &Rest, first: &[Vec3]) -> Option<Found> {
        let all: Vec<usize> = (0..head.meshes.len()).collect();
        let with_targets = all.iter().copied().filter(|&mesh| !head.meshes[mesh].targets.is_empty()).collect();
        let mut choices = vec![all.clone(), head.visible_meshes(), with_targets];
        choices.extend(all.iter().map(|&mesh| vec![mesh]));
        let mut best: Option<Found> = None;
        for meshes in choices {
            let points = Points::new(head, &meshes);
            let vertex_count: usize = meshes.iter().map(|&mesh| head.meshes[mesh].vertices.len()).sum();
            let of_chosen: Vec<Vec<u32>> = match first.len() {
                0 => return None,
                count if count == points.len() => points.of_vertices,
                count if count == vertex_count => {
                    let mut next = 0..;
                    meshes.iter().map(|&mesh| next.by_ref().take(head.meshes[mesh].vertices.len()).collect()).collect()
                }
                _ => continue,
            };
            let mut of_vertices: Vec<Vec<Option<u32>>> =
                head.meshes.iter().map(|mesh| vec![None; mesh.vertices.len()]).collect();
            for (&mesh, points) in meshes.iter().zip(of_chosen) {
                of_vertices[mesh] = points.into_iter().map(Some).collect();
            }
            let Some(found) = aligned(of_vertices, at_rest, first, "in order") else { continue };
            if best.as_ref().is_none_or(|best| found.apart < best.apart) {
                best = Some(found);
            }
        }
        let by_mesh = self.by_order_of_meshes(head, at_rest, first);
        if let Some(found) = by_mesh.filter(|found| best.as_ref().is_none_or(|best| found.apart < best.apart)) {
            best = Some(found);
        }
        best
    }

    /// The vertices of each mesh of a model by their numbers in the mesh of the head that has its name, and at least as
    /// many. A file that was converted may lack vertices that no triangle has.
    fn by_order_of_meshes(&self, head: &Head, at_rest: &Rest, first: &[Vec3]) -> Option<Found> {
        let (own, points) = self.surface()?;
        let mut of_vertices: Vec<Vec<Option<u32>>> =
            head.meshes.iter().map(|mesh| vec![None; mesh.vertices.len()]).collect();
        for (mesh, of_points) in own.meshes.iter().zip(points) {
            let own_numbers: Vec<u32> = numbers(mesh);
            let Some(last) = own_numbers.iter().max() else { continue };
            let point_of: HashMap<u32, u32> = own_numbers.iter().copied().zip(of_points.iter().copied()).collect();
            let others = head.meshes.iter().enumerate().filter(|(at, other)| {
                let count = numbers(other).iter().max().map_or(0, |last| *last as usize + 1);
                let is_same = other.name == mesh.name || own.meshes.len() == 1 || count == *last as usize + 1;
                is_same
                    && count > *last as usize
                    && point_of.len() * 2 > count
                    && of_vertices[*at].iter().all(Option::is_none)
            });
            // The first one of the same name, else the first.
            let Some((at, other)) = others.min_by_key(|(_, other)| other.name != mesh.name) else { continue };
            of_vertices[at] = numbers(other).iter().map(|number| point_of.get(number).copied()).collect();
        }
        aligned(of_vertices, at_rest, first, "in order")
    }

    fn by_surface(&self, head: &Head, at_rest: &Rest, first: &[Vec3], matching: Matching) -> Option<Found> {
        let (space, share) = space::by_position(first, &at_rest.point_positions())?;
        let Some((own, points)) = self.surface() else {
            if share < LEAST_SHARE || matching == Matching::Uv {
                return None;
            }
            let of_points = match_points(&at_rest.point_positions(), first, space.placed())?;
            let of_vertices: Vec<Vec<Option<u32>>> = at_rest
                .points
                .of_vertices
                .iter()
                .map(|points| points.iter().map(|&point| of_points[point as usize]).collect())
                .collect();
            return aligned(of_vertices, at_rest, first, "by position");
        };
        // Without a place where both lie on each other, texture coordinates have to do, in the space of the head.
        let placed = if share < LEAST_SHARE { Space::SAME.placed() } else { space.placed() };
        // The mesh of the first frame, with its vertices where they are then.
        let mut meshes: Vec<Mesh> = own.meshes.iter().map(still).collect();
        for (mesh, of_vertices) in meshes.iter_mut().zip(&points) {
            for (position, &point) in mesh.vertices.positions.iter_mut().zip(*of_vertices) {
                *position = first[point as usize];
            }
        }
        let matched = match_surfaces(head, &meshes, placed, matching)?;
        let of_vertices = matched.into_iter().map(|of_mesh| {
            of_mesh.into_iter().map(|found| found.map(|(mesh, vertex)| points[mesh][vertex as usize])).collect()
        });
        let how = "by texture coordinates and position";
        aligned(of_vertices.collect(), at_rest, first, how)
    }
}

fn numbers(mesh: &Mesh) -> Vec<u32> {
    match mesh.vertices.control_points.is_empty() {
        true => (0..mesh.vertices.len() as u32).collect(),
        false => mesh.vertices.control_points.clone(),
    }
}

/// Of two matches the one by order, unless the other one has as many points, brings them nearer to the head and changes
/// the lengths of edges no more. A face that moves far is apart from the head at rest, but its edges are not.
fn better_of(by_order: Option<Found>, other: Option<Found>) -> Option<Found> {
    let Some(by_order) = by_order else { return other };
    let is_possible = by_order.strain <= MOST_STRAIN;
    match other {
        Some(other) if !is_possible || is_better(&other, &by_order) => Some(other),
        _ => Some(by_order).filter(|_| is_possible),
    }
}

fn is_better(other: &Found, by_order: &Found) -> bool {
    let is_nearer = other.count() * 20 >= by_order.count() * 19 && other.apart < by_order.apart * 0.5;
    is_nearer && is_no_more_strained(other.strain, by_order.strain)
}

fn aligned(of_vertices: Vec<Vec<Option<u32>>>, at_rest: &Rest, first: &[Vec3], how: &'static str) -> Option<Found> {
    let pairs: Vec<(Vec3, Vec3)> = of_vertices
        .iter()
        .zip(&at_rest.positions)
        .flat_map(|(points, positions)| points.iter().zip(positions))
        .filter_map(|(point, &position)| Some((first[(*point)? as usize], position)))
        .collect();
    let edges = at_rest.edges.iter().filter_map(|&(mesh, side)| {
        let of_mesh = (&of_vertices[mesh], &at_rest.positions[mesh]);
        let [a, b] = side.map(|vertex| Some((first[of_mesh.0[vertex as usize]? as usize], of_mesh.1[vertex as usize])));
        let ((found_a, rest_a), (found_b, rest_b)) = (a?, b?);
        Some([found_a.distance(found_b), rest_a.distance(rest_b)])
    });
    let edges: Vec<[f32; 2]> = edges.collect();
    let (space, apart) = space::of_pairs(&pairs, &edges)?;
    let strain = strain(edges.iter().map(|&[found, rest]| [found * space.scale as f32, rest]));
    Some(Found { of_vertices, space, apart, strain, how })
}

fn still(mesh: &Mesh) -> Mesh {
    let mut vertices = mesh.vertices.clone();
    vertices.influences = Default::default();
    Mesh { node: None, skin: None, world_from_mesh: Mat4::IDENTITY, vertices, targets: Vec::new(), ..mesh.clone() }
}

struct Rest {
    positions: Vec<Vec<Vec3>>,
    points: Points,
    /// The sides of triangles: a mesh and two of its vertices.
    edges: Vec<(usize, [u32; 2])>,
}

impl Rest {
    fn from_head(head: &Head) -> Self {
        let positions = head.meshes.iter().map(|mesh| head.rest_pose.positions_in_world(mesh).collect()).collect();
        let edges = head
            .meshes
            .iter()
            .enumerate()
            .flat_map(|(at, mesh): (usize, &Mesh)| -> Vec<(usize, [u32; 2])> {
                let triangles = mesh.indices.as_chunks::<3>().0.iter();
                triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|side| (at, side)).collect()
            })
            .collect();
        Self { positions, points: Points::new(head, &(0..head.meshes.len()).collect::<Vec<_>>()), edges }
    }

    fn point_positions(&self) -> Vec<Vec3> {
        self.points.places.iter().map(|&(mesh, vertex)| self.positions[mesh][vertex as usize]).collect()
    }
}
