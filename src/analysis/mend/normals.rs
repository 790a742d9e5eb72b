//! Normals and tangents that follow the surface.

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::field::{Field, fields, with_fields};
use super::plan::{Plan, Scope};
use smirk_face::head::{Groups, Mesh, canonical_name};

/// The normals and tangents of shapes that have none are computed anew: those at rest turn as the surface turns about
/// them. What is smooth at rest stays smooth, and a hard edge stays hard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Normals {
    /// Also those of shapes that have normals.
    pub all: bool,
}

impl Normals {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let open_jaw = scope.shape_named("jawOpen");
        let changes_normals: Vec<bool> = scope.head.meshes.iter().map(Mesh::changes_normals).collect();
        let surfaces: Vec<OnceLock<RestNormals>> = scope.head.meshes.iter().map(|_| OnceLock::new()).collect();
        plan.change_each(scope, |channel, (index, _), target| {
            let mesh = &scope.head.meshes[index];
            if !self.all && !mesh.lacks_normals(target, changes_normals[index]) {
                return None;
            }
            let surface = surfaces[index].get_or_init(|| RestNormals::new(mesh));
            let jaw = open_jaw.filter(|_| closes_mouth(scope.name(channel)));
            let jaw = jaw.and_then(|jaw| scope.target_on(jaw, index)).map(|(_, jaw)| Field::new(jaw.deltas()));
            let turned = fields(target).map(|field| match &jaw {
                Some(jaw) => surface.turned_beyond(mesh, jaw, &field),
                None => surface.turned(mesh, &field),
            });
            Some(with_fields(target, turned))
        });
        plan
    }
}

/// Whether a shape is made for an open jaw, as `mouthClose` of ARKit is: alone it pushes the lips through each other,
/// so that the normals of its own surface mean nothing.
fn closes_mouth(name: &str) -> bool {
    canonical_name(name) == canonical_name("mouthClose")
}

/// The normals of the surface of a mesh at rest.
pub(super) struct RestNormals {
    /// The vertices that shade as one surface.
    groups: Groups,
    /// Per group, the sum of the normals of its triangles, each twice as long as its area.
    areas: Vec<Vec3>,
}

impl RestNormals {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let groups = Groups::new(&mesh.vertices);
        let mut areas = vec![Vec3::ZERO; groups.count()];
        for corners in mesh.valid_triangles() {
            let area = area_of(corners.map(|corner| mesh.vertices.positions[corner as usize]));
            corners.iter().for_each(|&corner| areas[groups.of_vertex(corner as usize)] += area);
        }
        Self { groups, areas }
    }

    /// A shape that is added to another one, with the normals and tangents by which the sum of both differs from that
    /// one.
    fn turned_beyond(&self, mesh: &Mesh, other: &Field, field: &Field) -> Field {
        let both = other.zip(field, |_, a, b| [a[0] + b[0], Vec3::ZERO, Vec3::ZERO]);
        let [both, other] = [&both, other].map(|of| self.turned(mesh, of));
        let turned = both.zip(&other, |_, both, other| [Vec3::ZERO, both[1] - other[1], both[2] - other[2]]);
        let columns = both.columns;
        let joined = turned.zip(field, |_, turned, field| [field[0], turned[1], turned[2]]);
        Field { columns, ..joined }
    }

    /// A shape with the normals and tangents of its surface.
    pub(super) fn turned(&self, mesh: &Mesh, field: &Field) -> Field {
        let mut moved = mesh.vertices.positions.clone();
        let mut moves = vec![false; moved.len()];
        for (row, [position, ..]) in field.iter().filter(|(_, row)| row[0] != Vec3::ZERO) {
            moved[row as usize] += position;
            moves[row as usize] = true;
        }
        let mut areas = self.areas.clone();
        let mut is_turned = vec![false; areas.len()];
        for corners in mesh.valid_triangles().filter(|corners| corners.iter().any(|&corner| moves[corner as usize])) {
            let [rest, now] = [&mesh.vertices.positions, &moved]
                .map(|positions| area_of(corners.map(|corner| positions[corner as usize])));
            for group in corners.map(|corner| self.groups.of_vertex(corner as usize)) {
                areas[group] += now - rest;
                is_turned[group] = true;
            }
        }
        let tangents = &mesh.vertices.tangents;
        let mut new = Field { columns: [field.columns[0], true, !tangents.is_empty()], ..Field::default() };
        for (vertex, &normal) in mesh.vertices.normals.iter().enumerate() {
            let group = self.groups.of_vertex(vertex);
            let ends = [self.areas[group], areas[group]].map(Vec3::normalize_or_zero);
            if is_turned[group] && !ends.contains(&Vec3::ZERO) {
                let turn = Quat::from_rotation_arc(ends[0], ends[1]);
                let tangent = tangents.get(vertex).map(|tangent| tangent.truncate()).unwrap_or_default();
                new.rows.push(vertex as u32);
                new.values.push([Vec3::ZERO, turn * normal - normal, turn * tangent - tangent]);
            }
        }
        let positions = field.clone().map(|_, row| [row[0], Vec3::ZERO, Vec3::ZERO]);
        let columns = new.columns;
        let joined = new.zip(&positions, |_, directions, positions| [positions[0], directions[1], directions[2]]);
        Field { columns, ..joined }
    }
}

fn area_of([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
