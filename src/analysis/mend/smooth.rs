//! A smoother movement.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::field::{Field, fields, with_fields};
use super::net::Net;
use super::plan::{Plan, Scope};

/// The movement of a shape is smoothed over the surface, not the surface: what bends in it becomes even, and what is
/// linear stays (a bilaplacian). The borders of a mesh and slits, such as those of lids and lips, move as before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Smooth {
    /// How much of each pass is done, 1 at most.
    #[serde(deserialize_with = "super::not_negative")]
    pub strength: f32,
    /// At most [`Self::MOST_PASSES`].
    pub passes: u32,
}

impl Default for Smooth {
    fn default() -> Self {
        Self { strength: 1.0, passes: 5 }
    }
}

/// A movement that a still vertex gets is left out if it is smaller, in millimetres.
const LEAST_MM: f32 = 1e-4;

impl Smooth {
    pub const MOST_PASSES: u32 = 200;

    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let meshes = scope.shapes.iter().flat_map(|&shape| scope.targets(shape)).map(|((mesh, _), _)| mesh);
        let meshes: BTreeSet<usize> = meshes.collect();
        let nets: BTreeMap<usize, Arc<Net>> =
            meshes.into_iter().map(|mesh| (mesh, scope.surface.net(mesh, &scope.head.meshes[mesh]))).collect();
        plan.change_each(scope, |_, (mesh, _), target| {
            let smooth = fields(target).map(|field| self.smoothed(scope, mesh, &nets[&mesh], &field));
            Some(with_fields(target, smooth))
        });
        plan
    }

    fn smoothed(self, scope: &Scope<'_>, mesh: usize, net: &Net, field: &Field) -> Field {
        let mut change = [vec![Vec3::ZERO; net.count()], vec![Vec3::ZERO; net.count()]];
        for (column, change) in change.iter_mut().enumerate().filter(|(column, _)| field.columns[*column]) {
            let mut movement = vec![Vec3::ZERO; net.count()];
            for (row, value) in field.iter() {
                let point = net.point_of[row as usize] as usize;
                movement[point] += value[column] / net.members[point] as f32;
            }
            let before = movement.clone();
            // The eigenvalues of the umbrella operator are 2 at most, so that a quarter of its square is stable.
            let step = 0.25 * self.strength.min(1.0);
            let passes = self.passes.min(Self::MOST_PASSES);
            // A pass moves what is up to two edges away.
            let reached = net.within(2 * passes, &movement);
            let [mut bent, mut twice] = [vec![Vec3::ZERO; net.count()], vec![Vec3::ZERO; net.count()]];
            for _ in 0..passes {
                net.umbrella(&movement, &reached, &mut bent);
                reached.iter().filter(|&&it| net.is_border[it as usize]).for_each(|&it| bent[it as usize] = Vec3::ZERO);
                net.umbrella(&bent, &reached, &mut twice);
                for &point in reached.iter().filter(|&&point| !net.is_border[point as usize]) {
                    movement[point as usize] -= twice[point as usize] * step;
                }
            }
            *change = movement.into_iter().zip(before).map(|(after, before)| after - before).collect();
        }
        let mut changed = Field { columns: field.columns, ..Field::default() };
        for (vertex, &point) in net.point_of.iter().enumerate() {
            let row = [change[0][point as usize], change[1][point as usize], Vec3::ZERO];
            let moves = scope.surface.length_mm(mesh, vertex as u32, row[0]) > LEAST_MM || row[1].length() > LEAST_MM;
            if moves || (row != [Vec3::ZERO; 3] && field.rows.binary_search(&(vertex as u32)).is_ok()) {
                changed.rows.push(vertex as u32);
                changed.values.push(row);
            }
        }
        field.zip(&changed, |_, before, change| std::array::from_fn(|at| before[at] + change[at]))
    }
}
