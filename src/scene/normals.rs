//! Where the normals of a deformed head come from.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use smirk_face::head::{Mesh, Target};

/// A movement smaller than this part of a vertex's distance from the origin is rounding noise of an exporter.
const NOISE: f32 = 1e-6;

/// Where normals come from, as chosen in the Look panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum Normals {
    /// From the file's deltas, except for a mesh with a target that moves positions and has no normals: its normals are
    /// recomputed.
    #[default]
    Auto,
    /// From the file's deltas. Where it has none, normals stay as they are at rest.
    Authored,
    /// Recomputed from the deformed surface: smooth except at the hard edges of the mesh at rest.
    Recomputed,
}

impl Normals {
    /// All sources, in the order of the Look panel.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the Look panel.
    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatic",
            Self::Authored => "From the file",
            Self::Recomputed => "Recomputed",
        }
    }

    /// Whether a mesh's normals are recomputed. Walks over the targets: to be called once a frame at most.
    pub fn recomputes(self, mesh: &Mesh) -> bool {
        match self {
            Self::Auto => {
                let turns_normals = mesh.changes_normals();
                mesh.targets.iter().any(|target| mesh.lacks_normals(target, turns_normals) && moves(mesh, target))
            }
            Self::Authored => false,
            Self::Recomputed => !mesh.targets.is_empty(),
        }
    }

    /// Whether a mesh's tangents change at rest: where its normals are recomputed, tangents are made perpendicular to
    /// them.
    pub fn turns_tangents(self, mesh: &Mesh) -> bool {
        !mesh.vertices.tangents.is_empty() && self.recomputes(mesh)
    }
}

/// Whether any vertex moves by more than rounding noise.
fn moves(mesh: &Mesh, target: &Target) -> bool {
    let goes = |(&row, delta): (&u32, &Vec3)| {
        let place = mesh.vertices.positions.get(row as usize).copied().unwrap_or_default();
        delta.abs().max_element() > place.abs().max_element() * NOISE
    };
    target.shapes().any(|shape| shape.rows.iter().zip(shape.positions).any(goes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Vertices;

    fn mesh(positions: Vec<Vec3>, normals: Vec<Vec3>) -> Mesh {
        let with_normals =
            Target { rows: vec![0], positions: vec![Vec3::X], normals: vec![Vec3::Y], ..Default::default() };
        let target = Target { rows: vec![1], positions, normals, ..Default::default() };
        let vertices = Vertices { positions: vec![Vec3::ONE; 2], normals: vec![Vec3::Z; 2], ..Default::default() };
        Mesh { vertices, targets: vec![with_normals, target], ..Mesh::default() }
    }

    #[test]
    fn automatic_recomputes_where_a_target_moves_but_has_no_normals() {
        for (positions, normals, expected) in [
            (vec![Vec3::X], vec![], true),
            (vec![Vec3::X], vec![Vec3::ZERO], false),
            (vec![Vec3::X], vec![Vec3::Y], false),
            (vec![Vec3::X * 1e-7], vec![], false),
            (vec![Vec3::ZERO], vec![], false),
            (vec![], vec![Vec3::Y], false),
            (vec![], vec![], false),
        ] {
            let mesh = mesh(positions, normals);
            assert_eq!(Normals::Auto.recomputes(&mesh), expected, "{:?}", mesh.targets[1]);
            assert!(Normals::Recomputed.recomputes(&mesh) && !Normals::Authored.recomputes(&mesh));
        }
        let mut zeros = mesh(vec![Vec3::X], vec![Vec3::ZERO]);
        zeros.targets.remove(0);
        assert!(Normals::Auto.recomputes(&zeros), "zeros of an exporter that writes no normals");
        zeros.vertices.normals.fill(Vec3::ZERO);
        assert!(!Normals::Auto.recomputes(&zeros), "no normals at rest");
        assert!(!Normals::Recomputed.recomputes(&Mesh::default()), "nothing moves");
    }
}
