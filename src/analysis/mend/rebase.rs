//! Another face at rest.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::field::{Field, Row, fields, mapped, with_fields};
use super::normals::RestNormals;
use super::plan::{Place, Plan, Scope};
use super::{Reason, Refused};
use smirk_face::head::{Asset, InBetween, Mesh, Target, Vertices};

/// A face becomes the one at rest. Each weight then counts from that of the face: a weight less that of the face gives
/// the points that it gave before, and clips are shifted by as much, so that they play as before. Normals follow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rebase {
    /// The weights of the face, by the names of shapes; all others are at 0.
    pub face: BTreeMap<String, f32>,
}

impl Rebase {
    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        // By mesh and index, the weights of the face.
        let mut weights: BTreeMap<Place, f32> = BTreeMap::new();
        // What is refused keeps its weight at rest.
        let mut left: BTreeSet<Place> = BTreeSet::new();
        for (name, &weight) in self.face.iter().filter(|(_, weight)| **weight != 0.0 && weight.is_finite()) {
            let Some(channel) = scope.shape_named(name) else {
                plan.refused.push(Refused { shape: Some(name.clone()), reason: Reason::NoShape });
                continue;
            };
            let refused = if scope.is_in_corrective(channel) {
                Some(Reason::InCorrective)
            } else {
                let mut targets = scope.targets(channel);
                targets.any(|(_, target)| !target.uv_color_deltas.rows.is_empty()).then_some(Reason::Paints)
            };
            let places = scope.targets(channel).map(|(place, _)| place);
            match refused {
                Some(reason) => {
                    left.extend(places);
                    plan.refuse(scope, channel, reason);
                }
                None => weights.extend(places.map(|place| (place, weight))),
            }
        }
        for (index, mesh) in scope.head.meshes.iter().enumerate() {
            let moved: Vec<(&Target, f32)> = weights
                .range((index, 0)..(index + 1, 0))
                .map(|(&(_, target), &weight)| (&mesh.targets[target], weight))
                .collect();
            let rested = (!moved.is_empty()).then(|| rested(mesh, &moved));
            for (at, target) in mesh.targets.iter().enumerate() {
                let place = (index, at);
                let default_weight = if left.contains(&place) { target.default_weight } else { 0.0 };
                let weight = weights.get(&place).copied();
                let mut new = weight.map_or_else(|| target.clone(), |weight| rebased(target, weight));
                if let Some((_, lengths)) = &rested {
                    // The normal at rest has been made a unit again, and all deltas of it are in its scale.
                    new = mapped(&new, |row, [position, normal, tangent]: Row| {
                        let [of_normal, of_tangent] = lengths[row as usize];
                        [position, normal / of_normal, tangent / of_tangent]
                    });
                }
                plan.change(place, target, Target { default_weight, ..new });
            }
            plan.vertices.extend(rested.map(|(vertices, _)| (index, vertices)));
        }
        let first_target: Vec<usize> = scope.head.meshes.iter().map(|mesh| mesh.first_target).collect();
        plan.first = Some(Box::new(move |asset: &mut Asset| {
            for track in asset.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
                for (&(mesh, index), &weight) in &weights {
                    let element = (first_target[mesh] + index).checked_sub(track.first_target);
                    if let Some(element) = element.filter(|element| *element < track.curve.width()) {
                        track.curve.offset_element(element, -weight);
                    }
                }
            }
        }));
        plan
    }
}

/// The vertices of a mesh at some weights, and per vertex how long its normal and its tangent were before they were
/// made units again.
fn rested(mesh: &Mesh, moved: &[(&Target, f32)]) -> (Vertices, Vec<[f32; 2]>) {
    let mut vertices = mesh.vertices.clone();
    let widened = |points: &[Vec3]| points.iter().map(|point| point.as_dvec3()).collect::<Vec<DVec3>>();
    let (mut positions, mut normals) = (widened(&vertices.positions), widened(&vertices.normals));
    let mut tangents: Vec<DVec3> = vertices.tangents.iter().map(|tangent| tangent.truncate().as_dvec3()).collect();
    for (shape, weight) in moved.iter().flat_map(|(target, weight)| target.shapes_at(*weight)) {
        for (at, &row) in shape.rows.iter().enumerate() {
            let columns =
                [(&mut positions, shape.positions), (&mut normals, shape.normals), (&mut tangents, shape.tangents)];
            for (column, deltas) in columns {
                if let (Some(place), Some(delta)) = (column.get_mut(row as usize), deltas.get(at)) {
                    *place += delta.as_dvec3() * f64::from(weight);
                }
            }
        }
    }
    // Normals that no shape changes turn with the surface.
    let changes_normals = mesh.changes_normals();
    let lacks_normals = |target: &Target| {
        let mut normals = target.shapes().flat_map(|shape| shape.normals);
        mesh.lacks_normals(target, changes_normals) && normals.all(|delta| *delta == Vec3::ZERO)
    };
    let lacking = moved.iter().filter(|(target, _)| lacks_normals(target));
    let lacking = lacking.map(|(target, weight)| offset(target, *weight));
    if let Some(sum) = lacking.reduce(|a, b| a.zip(&b, |_, a, b| std::array::from_fn(|at| a[at] + b[at]))) {
        for (row, [_, normal, tangent]) in RestNormals::new(mesh).turned(mesh, &sum).iter() {
            normals[row as usize] += normal.as_dvec3();
            if let Some(place) = tangents.get_mut(row as usize) {
                *place += tangent.as_dvec3();
            }
        }
    }
    let length = |direction: DVec3| if direction.length() > 0.0 { direction.length() } else { 1.0 };
    let lengths = (0..positions.len()).map(|vertex| {
        let tangent = tangents.get(vertex).copied().unwrap_or(DVec3::X);
        [length(normals[vertex]) as f32, length(tangent) as f32]
    });
    let lengths: Vec<[f32; 2]> = lengths.collect();
    vertices.positions = positions.into_iter().map(DVec3::as_vec3).collect();
    vertices.normals = normals.into_iter().map(|normal| (normal / length(normal)).as_vec3()).collect();
    let sides = vertices.tangents.iter().map(|tangent| tangent.w);
    vertices.tangents = tangents
        .into_iter()
        .zip(sides)
        .map(|(it, side)| (it / length(it)).as_vec3().extend(side))
        .collect::<Vec<Vec4>>();
    (vertices, lengths)
}

/// A target whose weight counts from another one. With in-betweens, it bends at the same weights as before.
fn rebased(target: &Target, from: f32) -> Target {
    if target.in_betweens.is_empty() {
        return target.clone();
    }
    let base = offset(target, from);
    let beyond = |weight: f32| offset(target, weight).zip(&base, |_, a, b| std::array::from_fn(|at| a[at] - b[at]));
    let corners = target.in_betweens.iter().map(|it| it.full_weight).chain([0.0, 1.0]);
    let in_betweens: Vec<InBetween> = corners
        .map(|corner| InBetween { full_weight: corner - from, name: corner.to_string(), ..InBetween::default() })
        .collect();
    let mut template = Target { name: target.name.clone(), default_weight: target.default_weight, ..Target::default() };
    // Those at 0 and at 1, and of several at one weight all but the first, are not needed.
    template.set_in_betweens(in_betweens);
    let weights: Vec<f32> = template.in_betweens.iter().map(|it| it.full_weight).collect();
    with_fields(&template, [1.0].into_iter().chain(weights).map(|weight| beyond(weight + from)))
}

/// What a target adds at a weight.
fn offset(target: &Target, weight: f32) -> Field {
    let mix = target.mix(weight);
    let shares =
        [mix.of_own_shape()].into_iter().chain(target.in_betweens.iter().map(|it| mix.weight_of(it.full_weight)));
    let mut columns = [false; 3];
    let mut sum = Field::default();
    for (field, share) in fields(target).zip(shares) {
        columns = std::array::from_fn(|at| columns[at] || field.columns[at]);
        if share != 0.0 {
            sum = sum.zip(&field, |_, sum, own| std::array::from_fn(|at| sum[at] + own[at] * share));
        }
    }
    Field { columns, ..sum }
}
