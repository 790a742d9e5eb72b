//! The center of a blended draw. Blended draws are sorted back to front by their centers.

use glam::{Mat4, Vec3};

use smirk_face::head::{Mesh, RigPose, ShapeDeltas, ShapeMix};

/// The center of the triangles of a part of a mesh. Nodes and targets move it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Center {
    /// Its position when all weights are 0.
    in_world: Vec3,
    /// The transform of the triangles' vertices; for a skinned part, that of the first vertex.
    world_from_mesh: Mat4,
    /// The head-wide indices of the targets that move the center, and how far weight 1 of each moves it, in mesh space.
    drift: Vec<(usize, Vec3)>,
    /// The same for targets with in-betweens.
    bent_drift: Vec<BentDrift>,
}

/// How far a target with in-betweens moves the center, in mesh space.
#[derive(Clone, Debug, PartialEq)]
struct BentDrift {
    /// Its head-wide index.
    target: usize,
    /// How far its own shape moves the center.
    own: Vec3,
    /// How far each in-between does, with its full weight.
    in_betweens: Vec<(f32, Vec3)>,
}

impl BentDrift {
    fn at(&self, weight: f32) -> Vec3 {
        let mix = ShapeMix::new(self.in_betweens.iter().map(|(full_weight, _)| *full_weight), weight);
        let in_betweens = self.in_betweens.iter().map(|&(full_weight, drift)| drift * mix.of(full_weight));
        self.own * mix.of_own_shape() + in_betweens.sum::<Vec3>()
    }
}

impl Center {
    /// The center of some triangles of a mesh in a rig pose.
    pub(crate) fn of(mesh: &Mesh, triangles: &[u32], rig_pose: &RigPose) -> Self {
        let mut uses = vec![0.0_f32; mesh.vertices.len()];
        for &vertex in triangles {
            if let Some(uses) = uses.get_mut(vertex as usize) {
                *uses += 1.0;
            }
        }
        let share = 1.0 / triangles.len().max(1) as f32;
        let drift_of = |shape: ShapeDeltas<'_>| {
            let rows = shape.rows.iter().zip(shape.positions);
            let sum: Vec3 = rows.map(|(&row, &delta)| delta * uses.get(row as usize).copied().unwrap_or(0.0)).sum();
            sum * share
        };
        let (mut drift, mut bent_drift) = (Vec::new(), Vec::new());
        for (target, of) in (mesh.first_target..).zip(&mesh.targets) {
            let own = drift_of(of.deltas());
            let in_betweens: Vec<(f32, Vec3)> =
                of.in_betweens.iter().map(|it| (it.full_weight, drift_of(it.deltas()))).collect();
            if !in_betweens.is_empty() {
                bent_drift.push(BentDrift { target, own, in_betweens });
            } else if own != Vec3::ZERO {
                drift.push((target, own));
            }
        }
        let mut center = Self { in_world: Vec3::ZERO, world_from_mesh: Mat4::IDENTITY, drift, bent_drift };
        center.place(mesh, triangles, rig_pose);
        center
    }

    /// Moves the center to its position in another rig pose. `mesh` and `triangles` must be those it was made of.
    pub(crate) fn place(&mut self, mesh: &Mesh, triangles: &[u32], rig_pose: &RigPose) {
        let in_world = |&vertex: &u32| {
            let point = mesh.vertices.positions.get(vertex as usize)?;
            Some(rig_pose.world_from_vertex(mesh, vertex as usize).transform_point3(*point))
        };
        self.in_world = triangles.iter().filter_map(in_world).sum::<Vec3>() / triangles.len().max(1) as f32;
        self.world_from_mesh = match triangles.first() {
            Some(&vertex) if (vertex as usize) < mesh.vertices.len() => {
                rig_pose.world_from_vertex(mesh, vertex as usize)
            }
            _ => rig_pose.world_from_mesh(mesh),
        };
    }

    /// Its position in world space under `weights`, one per target of the head.
    pub(crate) fn under(&self, weights: &[f32]) -> Vec3 {
        let weight_of = |target: usize| weights.get(target).copied().unwrap_or(0.0);
        let moved = self.drift.iter().map(|&(target, drift)| drift * weight_of(target));
        let bent = self.bent_drift.iter().map(|bent| bent.at(weight_of(bent.target)));
        self.in_world + self.world_from_mesh.transform_vector3(moved.chain(bent).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{InBetween, Target, Vertices};

    #[test]
    fn targets_move_the_middle() {
        let positions = vec![Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0, Vec3::splat(90.0)];
        let target = |rows: Vec<u32>| Target { positions: vec![Vec3::Z * 3.0; rows.len()], rows, ..Target::default() };
        let mesh = Mesh {
            vertices: Vertices { positions, ..Vertices::default() },
            targets: vec![target(vec![3]), target(vec![0, 2])],
            first_target: 5,
            world_from_mesh: Mat4::from_scale(Vec3::splat(2.0)),
            ..Mesh::default()
        };
        let center = Center::of(&mesh, &[0, 1, 2], &RigPose::default());
        assert!(center.under(&[]).distance(Vec3::new(2.0, 2.0, 0.0)) < 1e-6);
        let mut weights = [9.0; 7];
        weights[6] = 0.5;
        assert!(
            center.under(&weights).distance(Vec3::splat(2.0)) < 1e-6,
            "a target that moves other vertices had an effect"
        );
    }

    #[test]
    fn in_betweens_move_the_middle_on_a_path_with_corners() {
        let mut target = Target::from_dense("up".into(), 0.0, &[Vec3::Z; 3], &[], &[]);
        target.set_in_betweens(vec![InBetween::from_dense("beside".into(), 0.5, &[Vec3::X; 3], &[], &[])]);
        let vertices = Vertices { positions: vec![Vec3::ZERO; 3], ..Vertices::default() };
        let mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        let center = Center::of(&mesh, &[0, 1, 2], &RigPose::default());
        for (weight, expected) in [(0.0, Vec3::ZERO), (0.5, Vec3::X), (0.75, (Vec3::X + Vec3::Z) * 0.5), (1.0, Vec3::Z)]
        {
            assert!(center.under(&[weight]).distance(expected) < 1e-6, "at {weight}: {}", center.under(&[weight]));
        }
    }
}
