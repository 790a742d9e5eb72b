//! Which vertices of two heads are at the same place of the face, whatever their topology.

use std::collections::BTreeMap;

use glam::DVec3;
use rayon::prelude::*;

use super::closest::Surface;
use super::registration::Registration;
use super::sheet::normals;
use super::skin::Skin;
use super::welded::Welded;
use super::{Face, TransferError};
use smirk_base::progress::Progress;
use smirk_face::head::Head;

/// Per mesh and vertex of a head, the mesh and the vertex of another one; none where that has nothing, and where the
/// skin is not seen.
pub type Counterparts = Vec<Vec<Option<(usize, u32)>>>;

/// Counterparts on a surface that is farther away, in units, are none.
const FAR: f64 = 0.05;

/// The counterparts of the vertices of the first head, and of those of the second.
pub fn counterparts(heads: [&Head; 2], progress: Progress<'_>) -> Result<[Counterparts; 2], TransferError> {
    progress.report("looking for the features of both faces", 0.0)?;
    let face = |head| Face::new(head, &BTreeMap::new());
    let (first, second) = rayon::join(|| face(heads[0]), || face(heads[1]));
    let [first, second] = [first?, second?];
    let skins = [&first.skin, &second.skin];
    let moves = vec![true; skins[0].points.len()];
    let registration = Registration::new(skins[0], skins[1], &moves, progress.part(0.2..0.9))?;
    if let Some(reason) = registration.quality.refusal() {
        return Err(TransferError::Refused(reason));
    }
    progress.report("looking for counterparts", 0.9)?;
    // Both on the second head.
    let warped = Placed { welded: &first.welded, skin: skins[0], points: &registration.warped };
    let plain = Placed { welded: &second.welded, skin: skins[1], points: &skins[1].points };
    let far = FAR * skins[1].landmarks.unit;
    Ok([warped.on(&plain, far), plain.on(&warped, far)])
}

/// The skin of a head, with its points where they are compared.
struct Placed<'a> {
    welded: &'a Welded,
    skin: &'a Skin,
    points: &'a [DVec3],
}

impl Placed<'_> {
    fn on(&self, other: &Self, far: f64) -> Counterparts {
        let (skin, others) = (self.skin, other.skin);
        let surface = Surface::new(other.points, &others.triangles, &others.sides, |it| others.is_seen_triangle[it]);
        let normals = normals(self.points, &skin.triangles);
        let vertices = other.welded.first_vertices();
        let counterpart = |at: usize| {
            let on = surface.nearest(self.points[at], normals[at], skin.sides[at], 0.2, far)?;
            let corners = others.triangles[on.triangle as usize].into_iter().zip(on.shares);
            let (corner, _) = corners.max_by(|a, b| a.1.total_cmp(&b.1))?;
            vertices[others.of_head[corner as usize] as usize]
        };
        let of_skin: Vec<_> = (0..self.points.len())
            .into_par_iter()
            .map(|at| if skin.is_seen[at] { counterpart(at) } else { None })
            .collect();
        let mut of_points = vec![None; self.welded.points.len()];
        skin.of_head.iter().zip(of_skin).for_each(|(&point, found)| of_points[point as usize] = found);
        let of_mesh = |points: &Vec<Option<u32>>| points.iter().map(|point| of_points[(*point)? as usize]).collect();
        self.welded.point_of.iter().map(of_mesh).collect()
    }
}
