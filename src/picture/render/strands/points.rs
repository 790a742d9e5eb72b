//! The points of strands as the vertex stage reads them.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use smirk_face::head::{GrownStrands, StrandPoint};

/// A point of a strand: two elements of `strand_points` in `strands.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct StrandVertex {
    position: [f32; 3],
    width: f32,
    /// The direction towards the tip and the direction away from the body, each folded into two numbers of 16 bits.
    along: [i16; 2],
    outwards: [i16; 2],
    /// The square roots of linear RGB.
    color: [u8; 4],
    /// 0..1, one number per strand.
    random: f32,
}

/// The points of all strands.
pub(super) fn strand_vertices(grown: &GrownStrands) -> Vec<StrandVertex> {
    let strands = grown.points.chunks_exact(GrownStrands::POINTS).enumerate();
    strands.flat_map(|(strand, points)| vertices_of(points, random_of(strand))).collect()
}

fn vertices_of(points: &[StrandPoint], random: f32) -> impl Iterator<Item = StrandVertex> {
    let last = points.len() - 1;
    points.iter().enumerate().map(move |(at, point)| {
        let along = points[(at + 1).min(last)].position - points[at.saturating_sub(1)].position;
        let root = |part: f32| (part.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8;
        let [r, g, b] = point.color.to_array().map(root);
        StrandVertex {
            position: point.position.to_array(),
            width: point.width,
            along: folded(along.normalize_or(Vec3::Z)),
            outwards: folded(point.normal.normalize_or(Vec3::Y)),
            color: [r, g, b, 255],
            random,
        }
    })
}

/// A number of a sequence that is spread evenly, however many of its numbers are used (the golden ratio's multiples).
fn random_of(strand: usize) -> f32 {
    (strand as f64 * 0.618_033_988_749_894_9).fract() as f32
}

/// A unit vector, folded as an octahedron into a square.
fn folded(unit: Vec3) -> [i16; 2] {
    let on_octahedron = unit / (unit.x.abs() + unit.y.abs() + unit.z.abs());
    let above = Vec2::new(on_octahedron.x, on_octahedron.y);
    let sign = |x: f32| if x >= 0.0 { 1.0 } else { -1.0 };
    let place = if unit.z >= 0.0 {
        above
    } else {
        Vec2::new((1.0 - above.y.abs()) * sign(above.x), (1.0 - above.x.abs()) * sign(above.y))
    };
    place.to_array().map(|part| (part.clamp(-1.0, 1.0) * 32767.0).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `unit_vector` of `strands.wgsl`.
    fn unfolded([x, y]: [i16; 2]) -> Vec3 {
        let (x, y) = (f32::from(x) / 32767.0, f32::from(y) / 32767.0);
        let z = 1.0 - x.abs() - y.abs();
        let under = (-z).max(0.0);
        let back = |part: f32| if part >= 0.0 { part - under } else { part + under };
        Vec3::new(back(x), back(y), z).normalize_or(Vec3::Z)
    }

    #[test]
    fn directions_survive_folding() {
        for index in 0..500 {
            let angle = index as f32 * 2.4;
            let z = index as f32 / 249.5 - 1.0;
            let across = (1.0 - z * z).max(0.0).sqrt();
            let unit = Vec3::new(across * angle.cos(), across * angle.sin(), z).normalize_or(Vec3::Z);
            let off = unit.angle_between(unfolded(folded(unit)));
            assert!(off < 1e-3, "{unit}: {off}");
        }
    }

    #[test]
    fn a_vertex_is_two_elements() {
        assert_eq!(size_of::<StrandVertex>(), 32);
    }
}
