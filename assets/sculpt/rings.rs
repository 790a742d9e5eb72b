//! The surfaces inside the openings: the rims of the eyelids on the eyeball, the walls of the nostrils, the lining of the lips, and the
//! mouth cavity behind it. Built as rings of vertices, inwards from the loops of the openings.

use glam::{DVec2, DVec3};

use super::anatomy::{EYE, EYE_RADIUS};
use super::eyes::WHITE_RADIUS;
use super::grid::Grid;
use super::nostril;
use super::numbers::{cos, fourth, mix, sin, step, v};

/// Where the lids touch the eyeball's sphere.
pub const RIM_RADIUS: f64 = EYE_RADIUS + 0.08;

/// The tissue of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tissue {
    /// Outer skin.
    Skin,
    /// Edge and inside of a lid, 0 at the skin, 1 at its end behind the lid or under the eyeball.
    LidRim(f64),
    /// The wall of the nostril, 0 at its rim, 1 at its end.
    Nostril(f64),
    /// Inside of the lips, 0 at the lip line, 1 where the mouth cavity begins.
    Lining(f64),
    /// The mouth cavity, 0 in front, 1 at its end.
    Bag(f64),
    /// The ear.
    Ear,
}

/// The lip that a vertex moves with, where its position does not determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LipSide {
    /// Determined by its height over the lip line.
    ByPosition,
    /// The upper lip and its lining.
    Upper,
    /// The lower lip and its lining.
    Lower,
    /// The corner: half upper, half lower.
    Corner,
}

/// The colouring of a polygon, which determines its material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// On the grid: coloured by the texture.
    Grid,
    /// Rims and linings: coloured by vertex.
    Rings,
    /// The mouth cavity: coloured by vertex, matt.
    Bag,
    /// The ear and its seam: coloured by vertex.
    Ear,
}

/// A vertex of the skin at rest.
#[derive(Clone, Copy, Debug)]
pub struct SkinVertex {
    /// In centimetres.
    pub position: DVec3,
    /// Column and row on the grid, with fractions between its vertices.
    pub place: Option<DVec2>,
    /// Its tissue.
    pub tissue: Tissue,
    /// The lip it moves with.
    pub lip: LipSide,
}

/// Vertices and quads of half a head.
pub struct Half {
    /// All vertices; the grid's come first.
    pub vertices: Vec<SkinVertex>,
    /// All quads.
    pub quads: Vec<([usize; 4], Chart)>,
}

/// The direction, from the centre of the eyeball, in which the wall behind a point of the edge of a lid meets the eyeball, and how
/// much the point belongs to the inner and the outer corner, 0..1. `ends` are the x of the corners.
///
/// In the corners the wall goes back rather than towards the middle of the eyeball, which it meets so far aside that the iris of an
/// eye that looks there stays whole.
pub fn inwards(edge: DVec3, ends: [f64; 2]) -> (DVec3, [f64; 2]) {
    let (inner, outer) = (step(0.60, 0.20, edge.x - ends[0]), step(0.50, 0.15, ends[1] - edge.x));
    let aside = edge - EYE - DVec3::Z * (0.70 * inner + 0.24 * outer);
    (aside.normalize_or(DVec3::Z), [inner, outer])
}

/// Builds everything behind the slits.
pub fn build(grid: &Grid) -> Half {
    let skin = |(&position, &[column, row]): (&DVec3, &[usize; 2])| SkinVertex {
        position,
        place: Some(DVec2::new(column as f64, row as f64)),
        tissue: Tissue::Skin,
        lip: LipSide::ByPosition,
    };
    let mut half = Half {
        vertices: grid.positions.iter().zip(&grid.places).map(skin).collect(),
        quads: (0..grid.quads.len())
            .filter(|quad| !grid.in_nostril.contains(quad))
            .map(|quad| (grid.quads[quad], Chart::Grid))
            .collect(),
    };
    let [upper, lower] = &grid.lips;
    upper.iter().for_each(|&vertex| half.vertices[vertex].lip = LipSide::Upper);
    lower.iter().for_each(|&vertex| half.vertices[vertex].lip = LipSide::Lower);
    half.vertices[upper[upper.len() - 1]].lip = LipSide::Corner;
    half.add_lid_rims(&grid.lids);
    half.add_nostril(&grid.nostril);
    half.add_mouth(&grid.lips, &grid.layout.mouth_x());
    half
}

impl Half {
    fn add(&mut self, position: DVec3, tissue: Tissue, lip: LipSide) -> usize {
        self.vertices.push(SkinVertex { position, place: None, tissue, lip });
        self.vertices.len() - 1
    }

    /// Joins two rings of equal length, clockwise seen from outside, with quads; `is_closed` also joins their ends.
    fn bridge(&mut self, outer: &[usize], inner: &[usize], is_closed: bool, chart: Chart) {
        let count = outer.len();
        for i in 0..if is_closed { count } else { count - 1 } {
            let next = (i + 1) % count;
            self.quads.push(([outer[next], outer[i], inner[i], inner[next]], chart));
        }
    }

    fn add_lid_rims(&mut self, [upper, lower]: &[Vec<usize>; 2]) {
        let outer_corner = upper.len() - 1;
        let mut edge = upper.clone();
        edge.extend(lower[1..lower.len() - 1].iter().rev());
        let count = edge.len();
        let ends = [upper[0], upper[outer_corner]].map(|vertex| self.vertices[vertex].position.x);
        let mut ring = edge.clone();
        for depth in 1..=5i32 {
            let mut next = Vec::new();
            for (i, &vertex) in edge.iter().enumerate() {
                let from = self.vertices[vertex].position;
                let away = (from - EYE).normalize_or(DVec3::Z);
                // Out of the opening.
                let out = match i {
                    0 => DVec3::NEG_X,
                    _ if i == outer_corner => DVec3::X,
                    _ if i < outer_corner => DVec3::Y,
                    _ => DVec3::NEG_Y,
                };
                let (aside, [inner, outer]) = inwards(from, ends);
                let corner = inner.max(outer);
                let rim = EYE + aside * RIM_RADIUS;
                let from_corner = i.min(count - i).min(i.abs_diff(outer_corner));
                let plump = (from_corner as f64 / 3.0).min(1.0);
                let caruncle = v(0.05, 0.0, 0.03) * inner;
                let position = match depth {
                    1 => from.lerp(EYE + away * RIM_RADIUS, 0.35) - out * (0.020 * plump) + caruncle * 0.6,
                    // At the outer corner the edge of the upper lid has to cover that of the lower one in a blink.
                    2 if outer > 0.0 => from.lerp(EYE + away * RIM_RADIUS, 0.75) - out * (0.022 * plump),
                    2 => from.lerp(rim, 0.75) - out * (0.022 * plump) + caruncle,
                    3 => rim,
                    _ => {
                        let deep = f64::from(depth - 3);
                        // Along the lids the rings go on behind the lid, in the corners through the surface of the eyeball.
                        let behind = aside + out * (0.25 * deep);
                        let hidden = EYE + behind.normalize_or(DVec3::Z) * (RIM_RADIUS + 0.03);
                        let floor = EYE + aside * (WHITE_RADIUS + 0.04 - 0.07 * deep);
                        hidden.lerp(floor, step(0.62, 0.85, corner))
                    }
                };
                next.push(self.add(position, Tissue::LidRim(f64::from(depth) / 5.0), LipSide::ByPosition));
            }
            self.bridge(&ring, &next, true, Chart::Rings);
            ring = next;
        }
    }

    fn add_nostril(&mut self, rim: &[usize]) {
        let points: Vec<DVec3> = rim.iter().map(|&vertex| self.vertices[vertex].position).collect();
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let deepest = nostril::WALLS[nostril::WALLS.len() - 1][0];
        let mut ring = rim.to_vec();
        for at in nostril::WALLS {
            let tissue = Tissue::Nostril(at[0] / deepest);
            let next: Vec<usize> = points
                .iter()
                .map(|&point| self.add(nostril::wall(point, middle, at), tissue, LipSide::ByPosition))
                .collect();
            self.bridge(&ring, &next, true, Chart::Rings);
            ring = next;
        }
    }

    fn add_mouth(&mut self, [upper, lower]: &[Vec<usize>; 2], mouth_x: &[f64]) {
        let corner = upper.len() - 1;
        let half_width = mouth_x[corner];
        let mut edge = upper.clone();
        edge.extend(lower[..corner].iter().rev());
        let count = edge.len();
        let side = |i: usize| match i.cmp(&corner) {
            std::cmp::Ordering::Less => LipSide::Upper,
            std::cmp::Ordering::Equal => LipSide::Corner,
            std::cmp::Ordering::Greater => LipSide::Lower,
        };
        // The profile of the lining: height over the lip line, and distance behind it.
        const PROFILE: [[f64; 2]; 6] =
            [[0.012, -0.10], [0.03, -0.22], [0.10, -0.36], [0.28, -0.50], [0.60, -0.62], [0.98, -0.74]];
        let mut ring = edge.clone();
        for (depth, [rise, back]) in PROFILE.into_iter().enumerate() {
            let mut next = Vec::new();
            for (i, &vertex) in edge.iter().enumerate() {
                let from = self.vertices[vertex].position;
                let t = from.x / half_width;
                let fall = (1.0 - t * t * fourth(t)).max(0.0).sqrt();
                let sign = match side(i) {
                    LipSide::Upper => 1.0,
                    LipSide::Lower => -1.0,
                    _ => 0.0,
                };
                let step = (depth + 1) as f64;
                // Behind the corner the lining turns outwards, into the cheek.
                let x = from.x * (1.0 - 0.05 * step / 6.0 * t) + 0.02 * (step - 1.0) * fourth(t);
                let position = v(x, from.y + sign * rise * fall, from.z + back * (0.75 + 0.25 * fall));
                next.push(self.add(position, Tissue::Lining(step / 6.0), side(i)));
            }
            self.bridge(&ring, &next, false, Chart::Rings);
            ring = next;
        }
        let front: Vec<DVec3> = ring.iter().map(|&vertex| self.vertices[vertex].position).collect();
        // The rings of the cavity: half width, half height, depth, and the share of the distance from the lining.
        const BAG: [[f64; 4]; 6] = [
            [2.60, 1.5, 9.3, 0.6],
            [2.95, 1.85, 8.3, 1.0],
            [3.20, 2.0, 7.0, 1.0],
            [2.8, 1.8, 5.6, 1.0],
            [1.5, 1.1, 4.7, 1.0],
            [0.0, 0.0, 4.4, 1.0],
        ];
        for (depth, [half_width, half_height, z, share]) in BAG.into_iter().enumerate() {
            let mut next = Vec::new();
            for (i, from) in front.iter().enumerate() {
                let turn = std::f64::consts::PI * (0.5 - i as f64 / (count - 1) as f64);
                let sag = if z > 5.0 { 0.9 * cos(turn) * cos(turn) } else { 0.0 };
                let wall = v(half_width * cos(turn), -3.08 + half_height * sin(turn), z - sag);
                let mut position = from.lerp(wall, share);
                if i == 0 || i == count - 1 {
                    position.x = 0.0;
                }
                let lip = if half_width == 0.0 { LipSide::Corner } else { side(i) };
                let tissue = Tissue::Bag(mix(0.0, 1.0, depth as f64 / 5.0));
                next.push(self.add(position, tissue, lip));
            }
            self.bridge(&ring, &next, false, Chart::Bag);
            ring = next;
        }
    }
}
