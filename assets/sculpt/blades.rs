//! Single hairs: thin tapered blades that bend from one direction to another.

use glam::DVec3;

use super::numbers::{Rgb, pow};
use super::part::{Material, Part};

/// One hair.
pub struct Blade {
    /// Position of the root.
    pub root: DVec3,
    /// Direction at the root and at the tip.
    pub bend: [DVec3; 2],
    /// In centimetres.
    pub length: f64,
    /// At the root, in centimetres.
    pub width: f64,
    /// Direction that its flat side faces.
    pub facing: DVec3,
    /// Normal for lighting: usually that of the skin.
    pub normal: DVec3,
    /// Linear RGB.
    pub color: Rgb,
    /// The number of straight pieces along it.
    pub segments: usize,
}

/// All hairs as one mesh, and the root of each vertex.
pub fn mesh(blades: &[Blade]) -> (Part, Vec<DVec3>) {
    let mut part = Part::default();
    let mut roots = Vec::new();
    for blade in blades {
        let across = blade.facing.cross(blade.bend[0]).normalize_or(DVec3::X);
        let first = part.positions.len();
        let mut p = blade.root;
        let segments = blade.segments;
        for segment in 0..segments {
            let t = segment as f64 / segments as f64;
            let half = across * (0.5 * blade.width * (1.0 - pow(t, 1.5)));
            part.push(p - half, blade.normal, blade.color);
            part.push(p + half, blade.normal, blade.color);
            let middle = (segment as f64 + 0.5) / segments as f64;
            p += blade.bend[0].lerp(blade.bend[1], middle).normalize_or(blade.bend[0])
                * (blade.length / segments as f64);
        }
        part.push(p, blade.normal, blade.color);
        for segment in 0..segments - 1 {
            let a = first + 2 * segment;
            part.triangles_of(Material::Fibre).extend([[a, a + 1, a + 3], [a, a + 3, a + 2]]);
        }
        let last = first + 2 * segments;
        part.triangles_of(Material::Fibre).push([last - 2, last - 1, last]);
        roots.extend(std::iter::repeat_n(blade.root, part.positions.len() - first));
    }
    (part, roots)
}

/// Left and right hairs as one mesh, with the roots of both.
pub fn both_sides((part, mut roots): (Part, Vec<DVec3>), name: &'static str) -> (Part, Vec<DVec3>) {
    let others: Vec<DVec3> = roots.iter().map(|&root| super::skin::mirrored(root)).collect();
    roots.extend(others);
    (Part { name, ..part.both_sides() }, roots)
}
