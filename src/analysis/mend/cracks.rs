//! Vertices that are at one place at rest and part when a shape moves them.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::field::{Field, Row, fields, with_fields};
use super::plan::{Place, Plan, Scope};
use crate::lint;
use smirk_face::head::{Target, pieces_of};

/// The vertices on both sides of a seam that is closed at rest move together. Lips and lids, which touch at rest and
/// open, stay apart: a gap that is wider than any error of an exporter is an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cracks {
    pub to: Together,
}

/// Where the vertices of one place move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Together {
    /// To the mean of where they moved.
    #[default]
    Mean,
    /// To where that on the largest connected piece of the surface moved.
    Larger,
}

/// A vertex of a mesh.
type Vertex = (usize, u32);

impl Cracks {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let (pairs, wider) = lint::cracks(scope.head);
        let mut plan = Plan { unmatched: wider, ..Plan::default() };
        let groups = groups(scope, &pairs);
        if groups.is_empty() {
            return plan;
        }
        let sizes = match self.to {
            Together::Mean => BTreeMap::new(),
            Together::Larger => piece_sizes(scope, &groups),
        };
        // A vertex on a mesh that has no target of the shape cannot move.
        let mut fixed: BTreeSet<Vertex> = BTreeSet::new();
        for &channel in &scope.shapes {
            let targets: BTreeMap<usize, (Place, &Target)> =
                scope.targets(channel).map(|(place, target)| (place.0, (place, target))).collect();
            let mut new: BTreeMap<usize, Vec<Field>> =
                targets.iter().map(|(&mesh, (_, target))| (mesh, fields(target).collect())).collect();
            for group in &groups {
                let members: Vec<Vertex> = group.iter().copied().filter(|(mesh, _)| new.contains_key(mesh)).collect();
                fixed.extend(group.iter().filter(|member| !members.contains(member) && !members.is_empty()));
                let shapes = members.iter().map(|(mesh, _)| new[mesh].len()).min().unwrap_or(0);
                for shape in 0..shapes {
                    weld(scope, &mut new, &members, shape, &sizes);
                }
            }
            for (mesh, fields) in new {
                let (place, target) = targets[&mesh];
                plan.change(place, target, with_fields(target, fields));
            }
        }
        plan.unmatched += fixed.len();
        plan
    }
}

/// Moves the members of a group together in one shape.
fn weld(
    scope: &Scope<'_>,
    new: &mut BTreeMap<usize, Vec<Field>>,
    members: &[Vertex],
    shape: usize,
    sizes: &BTreeMap<Vertex, usize>,
) {
    let row_of = |new: &BTreeMap<usize, Vec<Field>>, (mesh, vertex): Vertex| {
        let field = &new[&mesh][shape];
        field.rows.binary_search(&vertex).map_or([Vec3::ZERO; 3], |at| field.values[at])
    };
    let rows: Vec<Row> = members.iter().map(|&member| row_of(new, member)).collect();
    if rows.iter().all(|row| *row == rows[0]) {
        return;
    }
    let matrices: Vec<_> = members.iter().map(|&(mesh, row)| scope.surface.world_from_delta(mesh, row)).collect();
    let is_one_space = matrices.iter().all(|matrix| *matrix == matrices[0]);
    let largest = members.iter().filter_map(|member| sizes.get(member)).max();
    let leads = |at: usize| largest.is_none() || sizes.get(&members[at]) == largest;
    let count = (0..members.len()).filter(|&at| leads(at)).count() as f32;
    let mean = |column: usize| -> Vec3 {
        let in_world = |at: usize| if is_one_space { rows[at][column] } else { matrices[at] * rows[at][column] };
        (0..members.len()).filter(|&at| leads(at)).map(in_world).sum::<Vec3>() / count
    };
    // Across a hard edge the normals stay different, and turn each on its own.
    let normal = |(mesh, vertex): Vertex| scope.head.meshes[mesh].vertices.normals[vertex as usize];
    let is_smooth = is_one_space && members.iter().all(|&member| normal(member).dot(normal(members[0])) > 0.9998);
    let (position, turned) = (mean(0), is_smooth.then(|| mean(1)));
    for (at, &(mesh, vertex)) in members.iter().enumerate() {
        let own = if is_one_space { position } else { matrices[at].inverse() * position };
        let row = [own, turned.unwrap_or(rows[at][1]), rows[at][2]];
        let field =
            &mut new.get_mut(&mesh).unwrap_or_else(|| unreachable!("members are on meshes with targets"))[shape];
        field.columns[0] |= row[0] != Vec3::ZERO;
        field.columns[1] |= row[1] != Vec3::ZERO;
        match field.rows.binary_search(&vertex) {
            Ok(at) => field.values[at] = row,
            Err(at) => {
                field.rows.insert(at, vertex);
                field.values.insert(at, row);
            }
        }
    }
}

/// The vertices of each place, of which pairs say that they belong together.
fn groups(scope: &Scope<'_>, pairs: &[[usize; 2]]) -> Vec<Vec<Vertex>> {
    let mut vertices: Vec<usize> = pairs.as_flattened().to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    let slot = |vertex: usize| vertices.binary_search(&vertex).unwrap_or_else(|at| at);
    let lowest = pieces_of(vertices.len(), pairs.iter().map(|&[a, b]| [slot(a), slot(b), slot(b)]));
    let mut groups: BTreeMap<usize, Vec<Vertex>> = BTreeMap::new();
    for (&vertex, lowest) in vertices.iter().zip(lowest) {
        groups.entry(lowest).or_default().push(scope.surface.local(vertex));
    }
    groups.into_values().collect()
}

/// Per vertex of the groups, how many vertices are on its piece of the surface.
fn piece_sizes(scope: &Scope<'_>, groups: &[Vec<Vertex>]) -> BTreeMap<Vertex, usize> {
    let members: BTreeSet<Vertex> = groups.iter().flatten().copied().collect();
    let meshes: BTreeSet<usize> = members.iter().map(|(mesh, _)| *mesh).collect();
    let mut sizes = BTreeMap::new();
    for mesh in meshes {
        let of_mesh = &scope.head.meshes[mesh];
        let triangles = of_mesh.valid_triangles().map(|corners| corners.map(|corner| corner as usize));
        let pieces = pieces_of(of_mesh.vertices.len(), triangles);
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        pieces.iter().for_each(|&piece| *counts.entry(piece).or_default() += 1);
        let own = members.iter().filter(|(of, _)| *of == mesh);
        sizes.extend(own.map(|&member| (member, counts[&pieces[member.1 as usize]])));
    }
    sizes
}
