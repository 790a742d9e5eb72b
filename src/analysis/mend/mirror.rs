//! The shape of one side, made of that of the other.

use std::collections::BTreeMap;

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::{Field, Row, fields, have_same_in_betweens, with_fields};
use super::plan::{Added, Plan, Scope};
use crate::mirror::MirrorMap;
use smirk_face::head::Target;

/// The shape of the other side becomes the mirror image of each shape. Vertices without a mirror image stay as they
/// were, and are counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mirror {
    /// The name of the image of a single shape, which may be new; without it, that of the same shape on the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onto: Option<String>,
}

impl Mirror {
    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let Some(map) = scope.surface.mirror(scope.head) else { return Plan::refusing(Reason::NoPlane) };
        let mut plan = Plan::default();
        for &channel in &scope.shapes {
            let (onto, name) = match &self.onto {
                Some(name) => (scope.shape_named(name), name.clone()),
                None => match scope.other_side(channel) {
                    Some(other) => (Some(other), scope.name(other).to_owned()),
                    None => {
                        plan.refuse(scope, channel, Reason::NoOtherSide);
                        continue;
                    }
                },
            };
            if onto == Some(channel) || plan.added.iter().any(|added| added.target.name == name) {
                plan.refuse(scope, channel, Reason::NameTaken(name));
                continue;
            }
            let shape = targets_of(scope, channel);
            if !have_one_set_of_in_betweens(&shape) {
                plan.refuse(scope, channel, Reason::OtherInBetweens(scope.name(channel).to_owned()));
                continue;
            }
            let mut before = onto.into_iter().flat_map(|onto| scope.targets(onto));
            let has_others = |before: &Target| shape.values().any(|target| !have_same_in_betweens(target, before));
            // A mask mixes what was there with the image.
            if scope.mask.is_some() && before.any(|(_, before)| has_others(before)) {
                plan.refuse(scope, channel, Reason::OtherInBetweens(name));
                continue;
            }
            let image = Image::new(scope, &map, &shape);
            plan.unmatched += image.unmatched;
            image.write(scope, &map, onto, &name, &mut plan);
        }
        plan
    }
}

/// A shape: its targets by the indices of their meshes.
pub(super) type Shape = BTreeMap<usize, Target>;

pub(super) fn targets_of(scope: &Scope<'_>, channel: usize) -> Shape {
    scope.targets(channel).map(|((mesh, _), target)| (mesh, target.clone())).collect()
}

pub(super) fn have_one_set_of_in_betweens(shape: &Shape) -> bool {
    let mut targets = shape.values();
    let first = targets.next();
    first.is_none_or(|first| targets.all(|target| have_same_in_betweens(first, target)))
}

/// The mirror image of a shape.
pub(super) struct Image {
    /// Per mesh, the field of its own shape, then of its in-betweens.
    fields: BTreeMap<usize, Vec<Field>>,
    /// A target with the in-betweens of the shape.
    template: Target,
    /// The vertices that the shape moves and that have no mirror image.
    pub unmatched: usize,
}

impl Image {
    pub(super) fn new(scope: &Scope<'_>, map: &MirrorMap, shape: &Shape) -> Self {
        let template = shape.values().next().cloned().unwrap_or_default();
        let mut fields_of: BTreeMap<usize, Vec<Field>> = BTreeMap::new();
        let mut unmatched = 0;
        for (&mesh, target) in shape {
            for (number, field) in fields(target).enumerate() {
                for (row, value) in field.iter().filter(|(_, value)| *value != [Vec3::ZERO; 3]) {
                    let vertex = scope.surface.first_vertex[mesh] + row as usize;
                    let Some(image) = map.image(vertex) else {
                        unmatched += usize::from(number == 0);
                        continue;
                    };
                    let (onto, onto_row) = scope.surface.local(image);
                    let of_mesh = fields_of.entry(onto).or_default();
                    of_mesh.resize(1 + template.in_betweens.len(), Field::default());
                    let image = &mut of_mesh[number];
                    image.columns = std::array::from_fn(|at| image.columns[at] || field.columns[at]);
                    image.rows.push(onto_row);
                    image.values.push(reflected(scope, map, ([mesh, onto], [row, onto_row]), value));
                }
            }
        }
        for field in fields_of.values_mut().flatten() {
            let mut both: Vec<(u32, Row)> = field.iter().collect();
            both.sort_unstable_by_key(|(row, _)| *row);
            (field.rows, field.values) = both.into_iter().unzip();
        }
        Self { fields: fields_of, template, unmatched }
    }

    /// The meshes that it moves.
    pub(super) fn meshes(&self) -> impl Iterator<Item = usize> + '_ {
        self.fields.keys().copied()
    }

    /// The image on a mesh, with what an earlier shape does to the vertices that have no image.
    pub(super) fn on_mesh(&self, scope: &Scope<'_>, map: &MirrorMap, mesh: usize, before: Option<&Target>) -> Target {
        let count = 1 + self.template.in_betweens.len();
        let none = vec![Field::default(); count];
        let new = self.fields.get(&mesh).unwrap_or(&none);
        let first = scope.surface.first_vertex[mesh];
        let before = before.filter(|before| have_same_in_betweens(before, &self.template));
        let old: Vec<Field> = before.map_or_else(|| none.clone(), |before| fields(before).collect());
        let joined = new.iter().zip(&old).map(|(new, old)| {
            new.zip(old, |row, new, old| if map.image(first + row as usize).is_some() { new } else { old })
        });
        with_fields(&self.template, joined)
    }

    /// Plans that a shape, which may be new, becomes the image.
    pub(super) fn write(&self, scope: &Scope<'_>, map: &MirrorMap, onto: Option<usize>, name: &str, plan: &mut Plan) {
        for mesh in 0..scope.head.meshes.len() {
            let before = onto.and_then(|onto| scope.target_on(onto, mesh)).map(|(_, before)| before);
            if before.is_some() || self.fields.contains_key(&mesh) {
                write(scope, mesh, onto, name, self.on_mesh(scope, map, mesh, before), plan);
            }
        }
    }
}

/// Plans that a shape moves a mesh like a target, which is added if the mesh lacks it.
pub(super) fn write(scope: &Scope<'_>, mesh: usize, onto: Option<usize>, name: &str, new: Target, plan: &mut Plan) {
    match onto.and_then(|onto| scope.target_on(onto, mesh)) {
        Some((place, before)) => {
            let (default_weight, uv_color_deltas) = (before.default_weight, before.uv_color_deltas.clone());
            let name = before.name.clone();
            plan.change(place, before, Target { name, default_weight, uv_color_deltas, ..new });
        }
        None => {
            let (name, uv_color_deltas) = (name.to_owned(), Default::default());
            let target = Target { name, default_weight: 0.0, uv_color_deltas, ..new };
            let before = scope.head.meshes[mesh].targets.len();
            plan.added.push(Added { mesh, before, weight_of: None, target });
        }
    }
}

/// The deltas of a vertex on the other side of the plane.
fn reflected(scope: &Scope<'_>, map: &MirrorMap, (meshes, rows): ([usize; 2], [u32; 2]), row: Row) -> Row {
    let flip = map.plane.flip();
    let [from, to] = [0, 1].map(|end| scope.surface.world_from_delta(meshes[end], rows[end]));
    let is_along_axes = from == Mat3::from_diagonal(Vec3::new(from.x_axis.x, from.y_axis.y, from.z_axis.z));
    let reflect = |delta: Vec3| match is_along_axes && from == to {
        // Without any rounding, so that the image of the image is the shape.
        true => delta * flip,
        false => to.inverse() * (from * delta * flip),
    };
    let [position, normal, tangent] = row.map(|delta| if delta == Vec3::ZERO { delta } else { reflect(delta) });
    // Texture coordinates may run the same way on both sides, or be mirrored too.
    let tangents = [0, 1].map(|end| {
        let tangents = &scope.head.meshes[meshes[end]].vertices.tangents;
        tangents.get(rows[end] as usize).map(|tangent| tangent.truncate()).unwrap_or_default()
    });
    let runs_back = reflect(tangents[0]).dot(tangents[1]) < 0.0;
    [position, normal, if runs_back { -tangent } else { tangent }]
}
