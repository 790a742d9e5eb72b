//! Meshes that were sculpted on a posed face: each becomes a corrective, the shape that is missing in that pose.

use std::collections::BTreeSet;

use glam::{Mat4, Vec3};

use super::report::{AddedShape, Remark};
use crate::import::error::Problem;
use smirk_base::names::quoted;
use smirk_face::head::{
    Asset, CombinationMethod, Corrective, Drive, Driver, Head, InBetween, Mesh, SculptedOn, ShapeFile, Target,
};

/// A head in the pose that a file was sculpted on.
pub(super) struct Posed {
    /// The head whose vertices at rest are where the pose has them.
    pub head: Head,
    /// Of an in-between, the meshes without the shape that it belongs to.
    without: Vec<Mesh>,
    drivers: Vec<Driver>,
}

impl Posed {
    /// Poses a head as a file was sculpted on it, without the corrective that is to be made; or says why it cannot be.
    pub(super) fn new(head: &Head, file: &ShapeFile, name: &str) -> Result<Self, Problem> {
        let SculptedOn(pose) = &file.sculpted_on;
        let mut weights = head.default_weights();
        let mut drivers = Vec::with_capacity(pose.len());
        let mut known = BTreeSet::new();
        for (driver, weight) in pose {
            let channel = head.channel_named(driver).filter(|channel| *channel < head.target_channels().len());
            let Some(channel) = channel else {
                return Err(format!("it was sculpted on {}, which is no shape of the head", quoted(driver)).into());
            };
            if head.correctives.of_channel(channel).is_some() {
                return Err(format!("it was sculpted on {}, which follows other shapes", quoted(driver)).into());
            }
            if !known.insert(channel) {
                return Err(format!("it was sculpted on {} twice", quoted(driver)).into());
            }
            if !(weight.is_finite() && weight.abs() >= Driver::SMALLEST_FULL_WEIGHT) {
                return Err(format!("it was sculpted on {} at {weight}, where nothing moves", quoted(driver)).into());
            }
            head.channels[channel].targets.iter().for_each(|&target| weights[target] = *weight);
            drivers.push(Driver { name: head.channels[channel].full_name.clone(), full_weight: *weight });
        }
        if let [Driver { name: driver, full_weight }] = &drivers[..]
            && (full_weight - 1.0).abs() < InBetween::SMALLEST_STEP
        {
            let driver = quoted(driver);
            return Err(format!("it was sculpted on {driver} alone at 1: it is that shape, so import it as one").into());
        }
        if drivers.iter().any(|driver| driver.name == name) {
            return Err(
                format!("it has the name of {}, which it was sculpted on: name it otherwise", quoted(name)).into()
            );
        }
        let own = head.channel_named(name).filter(|&channel| head.correctives.of_channel(channel).is_some());
        head.resolve_expressions(&mut weights);
        head.correctives.drive(&mut weights, own.as_slice());
        for &target in own.iter().flat_map(|&channel| &head.channels[channel].targets) {
            weights[target] = 0.0;
        }
        let asset = Asset { meshes: posed_meshes(head, &weights), ..head.to_asset() };
        let without = if drivers.len() == 1 { posed_meshes(head, &head.default_weights()) } else { Vec::new() };
        Ok(Self { head: Head::new(asset), without, drivers })
    }

    /// What is added to the shapes of the pose so that a mesh is as it was sculpted: `target` is the difference from
    /// the posed mesh, by the transform of its first vertex. It says what the artist's file needs beside the shapes of
    /// an in-between. `shape` says how far that moves.
    pub(super) fn corrective(&self, head: &Head, index: usize, target: Target, shape: &mut AddedShape) -> Target {
        let (mesh, posed) = (&head.meshes[index], &self.head.meshes[index]);
        let count = mesh.vertices.len();
        let [mut positions, mut normals] = [&target.positions, &target.normals].map(|deltas| {
            let mut all = vec![Vec3::ZERO; if deltas.is_empty() { 0 } else { count }];
            target.rows.iter().zip(deltas).for_each(|(&row, &delta)| all[row as usize] = delta);
            all
        });
        positions.resize(count, Vec3::ZERO);
        let world_from_first = head.rest_pose.world_from_vertex(mesh, 0);
        for (vertex, delta) in positions.iter_mut().enumerate() {
            let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex);
            let is_known = shape.unmatched == 0 || *delta != Vec3::ZERO;
            if world_from_vertex != world_from_first && is_known {
                *delta = in_mesh(world_from_vertex, world_from_first, posed.vertices.positions[vertex], *delta);
            }
        }
        shape.moves(head, index, &mut positions);
        if let Some(without) = self.without.get(index) {
            // An in-between has the whole offset from the base, and its target no part of it there.
            let (posed, without) = (&posed.vertices, &without.vertices);
            for (delta, (now, before)) in positions.iter_mut().zip(posed.positions.iter().zip(&without.positions)) {
                *delta += *now - *before;
            }
            for (delta, (now, before)) in normals.iter_mut().zip(posed.normals.iter().zip(&without.normals)) {
                *delta += *now - *before;
            }
        }
        Target::from_dense(target.name, 0.0, &positions, &normals, &[])
    }

    pub(super) fn declared(&self, target: &str) -> Corrective {
        let drive = match &self.drivers[..] {
            [Driver { name, full_weight }] => Drive::InBetween { of: name.clone(), at: *full_weight },
            drivers => Drive::Combination(CombinationMethod::Product, drivers.to_vec()),
        };
        Corrective { target: target.to_owned(), drive }
    }
}

impl AddedShape {
    /// Says how far deltas of a mesh move, and leaves out those that are rounding.
    fn moves(&mut self, head: &Head, index: usize, deltas: &mut [Vec3]) {
        /// About that of the six digits of OBJ files, as a part of the size of the head.
        const ROUNDING: f32 = 2e-6;
        let size = head.bounds.size().max_element().max(f32::MIN_POSITIVE);
        let matched = self.matched().max(1) as f32;
        (self.moved, self.max_percent, self.mean_percent) = (0, 0.0, 0.0);
        for (vertex, delta) in deltas.iter_mut().enumerate() {
            let world_from_vertex = head.rest_pose.world_from_vertex(&head.meshes[index], vertex);
            let part = world_from_vertex.transform_vector3(*delta).length() / size;
            if part <= ROUNDING {
                *delta = Vec3::ZERO;
                continue;
            }
            self.moved += 1;
            self.max_percent = self.max_percent.max(part * 100.0);
            self.mean_percent += part * 100.0 / matched;
        }
        self.remarks.retain(|remark| !matches!(remark, Remark::Far { .. }) || self.mean_percent > super::FAR_PERCENT);
    }
}

/// A delta by the transform of one vertex as it is by that of another.
fn in_mesh(world_from_vertex: Mat4, world_from_first: Mat4, position: Vec3, delta: Vec3) -> Vec3 {
    let sculpted = world_from_first.transform_point3(position + delta);
    let back = world_from_vertex.inverse().transform_point3(sculpted);
    if back.is_finite() { back - position } else { delta }
}

fn posed_meshes(head: &Head, weights: &[f32]) -> Vec<Mesh> {
    let meshes = head.meshes.iter();
    meshes.map(|mesh| posed(mesh, weights.get(mesh.first_target..).unwrap_or_default())).collect()
}

/// A mesh as its targets move it, by their weights.
fn posed(mesh: &Mesh, weights: &[f32]) -> Mesh {
    let mut posed = mesh.clone();
    for (target, &weight) in mesh.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        for (shape, weight) in target.shapes_at(weight) {
            for (at, &row) in shape.rows.iter().enumerate() {
                let row = row as usize;
                posed.vertices.positions[row] += shape.positions.get(at).copied().unwrap_or_default() * weight;
                if let Some(normal) = posed.vertices.normals.get_mut(row) {
                    *normal += shape.normals.get(at).copied().unwrap_or_default() * weight;
                }
            }
        }
    }
    for normal in &mut posed.vertices.normals {
        *normal = normal.normalize_or_zero();
    }
    posed
}
