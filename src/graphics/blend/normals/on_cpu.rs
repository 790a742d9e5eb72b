//! Recomputes normals on the CPU, for the blocks around those that moved. Allocates nothing.

use glam::{Vec3, Vec3A, Vec4};

use super::rings::FAN;
use super::tables::{NO_RING, NormalTables, SmoothVertex};
use crate::blend::{BLOCK_SIZE, FADING_AREA, VANISHING_LENGTH};

/// A parallel task has at most this many blocks. If there are no more than that, starting work on other cores takes
/// longer than the work itself.
const PARALLEL_BLOCKS: usize = 16;

impl NormalTables {
    /// Recomputes the normals of `blocks` (ascending, each once) from all of `positions`, and adapts the tangents.
    ///
    /// Head-wide slices: `positions[place][3]`, `normals[place][3]`, `tangents[place][4]` or empty. Normals and
    /// tangents must hold the result of this blend; normals are overwritten, tangents are made perpendicular to them.
    pub fn recompute(&self, blocks: &[u32], positions: &[f32], normals: &mut [f32], tangents: &mut [f32]) {
        let (normals, _) = normals.as_chunks_mut::<3>();
        let (tangents, _) = tangents.as_chunks_mut::<4>();
        self.recompute_blocks(blocks, positions, Directions { first_block: 0, normals, tangents });
    }

    fn recompute_blocks(&self, blocks: &[u32], positions: &[f32], directions: Directions<'_>) {
        if blocks.len() > PARALLEL_BLOCKS {
            let (low, high) = blocks.split_at(blocks.len() / 2);
            let (below, above) = directions.split_at(high[0]);
            rayon::join(
                || self.recompute_blocks(low, positions, below),
                || self.recompute_blocks(high, positions, above),
            );
            return;
        }
        for &block in blocks {
            let vertices = &self.vertices()[block as usize * BLOCK_SIZE..][..BLOCK_SIZE];
            let computed = self.block_normals(vertices, block as usize * BLOCK_SIZE, positions);
            let first = (block - directions.first_block) as usize * BLOCK_SIZE;
            for (lane, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.ring != NO_RING) {
                let normal = computed.direction(lane).unwrap_or(Vec3::from(vertex.base_normal));
                directions.normals[first + lane] = normal.to_array();
                if let Some(tangent) = directions.tangents.get_mut(first + lane) {
                    make_perpendicular(tangent, normal);
                }
            }
        }
    }

    /// The normals of a block with these vertices, the first of them at `first_place`.
    fn block_normals(&self, vertices: &[SmoothVertex], first_place: usize, positions: &[f32]) -> Lanes {
        let mut lanes = Lanes::NOTHING;
        for (lane, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.ring != NO_RING) {
            let shown = self.area_around(first_place + lane, vertex.ring, positions) * vertex.per_area;
            (lanes.x[lane], lanes.y[lane], lanes.z[lane]) = (shown.x, shown.y, shown.z);
        }
        let mut shown = [0.0; BLOCK_SIZE];
        lanes.shorten_to(FADING_AREA as f32, &mut shown);
        for (lane, vertex) in vertices.iter().enumerate() {
            let (shown, rest) = (shown[lane], 1.0 - shown[lane]);
            lanes.x[lane] += shown * vertex.correction[0] + rest * vertex.base_normal[0];
            lanes.y[lane] += shown * vertex.correction[1] + rest * vertex.base_normal[1];
            lanes.z[lane] += shown * vertex.correction[2] + rest * vertex.base_normal[2];
        }
        lanes.normalize(VANISHING_LENGTH as f32);
        lanes
    }

    /// Twice the sum of the area vectors around a vertex.
    fn area_around(&self, place: usize, ring: u32, positions: &[f32]) -> Vec3A {
        let center = position(positions, place);
        let (mut area, mut before) = (Vec3A::ZERO, Vec3A::ZERO);
        for &entry in self.ring(ring) {
            let edge = position(positions, (entry & !FAN) as usize) - center;
            if entry & FAN == 0 {
                area += before.cross(edge);
            }
            before = edge;
        }
        area
    }
}

/// Loads four floats where possible: one instruction instead of three.
fn position(positions: &[f32], place: usize) -> Vec3A {
    let first = place * 3;
    positions.get(first..first + 4).map_or_else(
        || Vec3A::new(positions[first], positions[first + 1], positions[first + 2]),
        |four| Vec3A::from_vec4(Vec4::from_slice(four)),
    )
}

/// The directions of a block, one array per axis, so that the compiler turns loops over them into vector instructions.
struct Lanes {
    x: [f32; BLOCK_SIZE],
    y: [f32; BLOCK_SIZE],
    z: [f32; BLOCK_SIZE],
    /// Whether a vector was long enough to have a direction: 0 or 1, as wide as the other numbers so that loops are
    /// vectorised.
    is_direction: [u32; BLOCK_SIZE],
}

impl Lanes {
    const NOTHING: Self =
        Self { x: [0.0; BLOCK_SIZE], y: [0.0; BLOCK_SIZE], z: [0.0; BLOCK_SIZE], is_direction: [0; BLOCK_SIZE] };

    /// Scales vectors longer than `fading` to unit length, and shorter ones to the length `(length / fading)²`. Writes
    /// the new length of each vector to `shown`.
    fn shorten_to(&mut self, fading: f32, shown: &mut [f32; BLOCK_SIZE]) {
        for (lane, shown) in shown.iter_mut().enumerate() {
            let (x, y, z) = (self.x[lane], self.y[lane], self.z[lane]);
            let length = (x * x + y * y + z * z).sqrt();
            let part = length / length.max(fading);
            let scale = part / length.max(fading);
            *shown = part * part;
            (self.x[lane], self.y[lane], self.z[lane]) = (x * scale, y * scale, z * scale);
        }
    }

    /// Scales vectors longer than `vanishing` to unit length. NaN counts as shorter.
    fn normalize(&mut self, vanishing: f32) {
        for lane in 0..BLOCK_SIZE {
            let (x, y, z) = (self.x[lane], self.y[lane], self.z[lane]);
            let length = (x * x + y * y + z * z).sqrt();
            self.is_direction[lane] = u32::from(length > vanishing);
            let scale = 1.0 / length;
            (self.x[lane], self.y[lane], self.z[lane]) = (x * scale, y * scale, z * scale);
        }
    }

    /// The direction of one vertex; `None` if its vector was too short.
    fn direction(&self, lane: usize) -> Option<Vec3> {
        (self.is_direction[lane] != 0).then(|| Vec3::new(self.x[lane], self.y[lane], self.z[lane]))
    }
}

/// Makes a tangent perpendicular to the normal. A tangent parallel to the normal stays; so does w.
fn make_perpendicular(tangent: &mut [f32; 4], normal: Vec3) {
    let along = Vec3::new(tangent[0], tangent[1], tangent[2]);
    let upright = along - normal * normal.dot(along);
    let length = upright.length();
    if length > VANISHING_LENGTH as f32 {
        [tangent[0], tangent[1], tangent[2]] = (upright / length).to_array();
    }
}

/// The part of the head-wide arrays that one task writes.
struct Directions<'a> {
    first_block: u32,
    normals: &'a mut [[f32; 3]],
    /// As many as normals, or empty if the head has no tangents.
    tangents: &'a mut [[f32; 4]],
}

impl<'a> Directions<'a> {
    fn split_at(self, block: u32) -> (Self, Self) {
        let vertices = (block - self.first_block) as usize * BLOCK_SIZE;
        let (normals, normals_above) = self.normals.split_at_mut(vertices);
        let (tangents, tangents_above) = self.tangents.split_at_mut(vertices.min(self.tangents.len()));
        let above = Self { first_block: block, normals: normals_above, tangents: tangents_above };
        (Self { first_block: self.first_block, normals, tangents }, above)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::BlockList;
    use super::*;
    use crate::blend::{Layout, Precision, reference};
    use smirk_face::head::{Head, Mesh, Target, Vertices};
    use smirk_scene::Normals;

    /// A wavy sheet of `side`² vertices in columns, split along its middle by a seam of the texture; a target bends it.
    fn sheet(side: u32) -> Head {
        let height = |x: f32, y: f32| 0.1 * (9.0 * x).sin() * (7.0 * y).cos();
        let normal = |x: f32, y: f32| {
            let slopes = (0.9 * (9.0 * x).cos() * (7.0 * y).cos(), -0.7 * (9.0 * x).sin() * (7.0 * y).sin());
            Vec3::new(-slopes.0, -slopes.1, 1.0).normalize_or_zero()
        };
        let half = |first: u32, last: u32| (first..=last).flat_map(move |x| (0..side).map(move |y| (x, y)));
        let places: Vec<(u32, u32)> = half(0, side / 2).chain(half(side / 2, side - 1)).collect();
        let at = |(x, y): (u32, u32)| (x as f32 / side as f32, y as f32 / side as f32);
        let columns = places.len() as u32 / side;
        let quads = (0..columns - 1).filter(|&column| column != side / 2);
        let quads = quads.flat_map(|column| (0..side - 1).map(move |y| column * side + y));
        let indices = quads.flat_map(|v| [v, v + side, v + side + 1, v, v + side + 1, v + 1]).collect();
        let deltas = |(x, y): (f32, f32)| Vec3::new(0.0, 0.02 * x, 0.3 * (5.0 * x + 3.0 * y).sin());
        let vertices = Vertices {
            positions: places.iter().map(|&place| at(place)).map(|(x, y)| Vec3::new(x, y, height(x, y))).collect(),
            normals: places.iter().map(|&place| at(place)).map(|(x, y)| normal(x, y)).collect(),
            tangents: vec![Vec3::X.extend(-1.0); places.len()],
            ..Default::default()
        };
        let deltas: Vec<Vec3> = places.iter().map(|&place| deltas(at(place))).collect();
        let targets = vec![Target::from_dense("bend".into(), 0.0, &deltas, &[], &[])];
        head(Mesh { vertices, indices, targets, ..Mesh::default() })
    }

    fn head(mesh: Mesh) -> Head {
        Head::from_meshes(vec![mesh])
    }

    /// Head-wide slices: positions under `weights`, directions at rest.
    struct Slices {
        positions: Vec<f32>,
        normals: Vec<f32>,
        tangents: Vec<f32>,
    }

    impl Slices {
        fn under(head: &Head, layout: &Layout, weights: &[f32]) -> Self {
            let count = layout.order.block_count() * BLOCK_SIZE;
            let (mut positions, mut normals, mut tangents) =
                (vec![0.0; count * 3], vec![0.0; count * 3], vec![0.0; count * 4]);
            for (vertex, blended) in reference(head, weights, Normals::Authored).into_iter().enumerate() {
                let place = layout.order.place_of(0, vertex);
                positions[place * 3..][..3].copy_from_slice(&blended.position.as_vec3().to_array());
                normals[place * 3..][..3].copy_from_slice(&blended.normal.as_vec3().to_array());
                tangents[place * 4..][..4].copy_from_slice(&blended.tangent.as_vec4().to_array());
            }
            Self { positions, normals, tangents }
        }

        fn recompute(&mut self, tables: &NormalTables, blocks: &[u32]) {
            tables.recompute(blocks, &self.positions, &mut self.normals, &mut self.tangents);
        }
    }

    fn all_blocks(layout: &Layout) -> Vec<u32> {
        (0..layout.order.block_count() as u32).collect()
    }

    #[test]
    fn the_result_is_that_of_the_reference() {
        let head = sheet(60);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = NormalTables::new(&head, &layout.order, Normals::Auto).unwrap();
        for weight in [0.0, 1.0, -2.0] {
            let mut slices = Slices::under(&head, &layout, &[weight]);
            slices.recompute(&tables, &all_blocks(&layout));
            for (vertex, expected) in reference(&head, &[weight], Normals::Auto).into_iter().enumerate() {
                let place = layout.order.place_of(0, vertex);
                let normal = Vec3::from_slice(&slices.normals[place * 3..]).as_dvec3();
                let tangent = Vec4::from_slice(&slices.tangents[place * 4..]).as_dvec4();
                assert!(normal.distance(expected.normal) < 1e-4, "{weight}, {vertex}: {normal}, {}", expected.normal);
                assert!(tangent.distance(expected.tangent) < 1e-4, "{weight}, {vertex}");
                assert!(tangent.truncate().dot(normal).abs() < 1e-5);
                let base = head.meshes[0].vertices.normals[vertex].as_dvec3();
                assert_eq!(weight == 0.0, normal.distance(base) < 1e-6, "{weight}, {vertex}");
            }
        }
    }

    #[test]
    fn both_sides_of_a_seam_have_the_same_normal() {
        let head = sheet(30);
        let bent = reference(&head, &[1.0], Normals::Auto);
        let base = &head.meshes[0].vertices;
        let seam: Vec<usize> = (15 * 30..16 * 30).collect();
        assert!(seam.iter().all(|&vertex| base.positions[vertex] == base.positions[vertex + 30]));
        assert!(seam.iter().all(|&vertex| bent[vertex].normal == bent[vertex + 30].normal));
    }

    #[test]
    fn exactly_the_blocks_around_moved_blocks_are_listed() {
        let head = sheet(80);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = NormalTables::new(&head, &layout.order, Normals::Auto).unwrap();
        let mut slices = Slices::under(&head, &layout, &[0.5]);
        slices.recompute(&tables, &all_blocks(&layout));
        let mut block_list = BlockList::new(layout.order.block_count());
        for changed in [vec![7], vec![0, 40, 41], vec![layout.order.block_count() as u32 - 1], vec![]] {
            let before = slices.normals.clone();
            for &block in &changed {
                let first = block as usize * BLOCK_SIZE * 3;
                slices.positions[first..first + BLOCK_SIZE * 3].iter_mut().for_each(|value| *value = value.sin());
            }
            let mut complete = Slices { positions: slices.positions.clone(), ..Slices::under(&head, &layout, &[0.5]) };
            complete.recompute(&tables, &all_blocks(&layout));
            tables.list_dependents(&changed, &mut block_list);
            slices.recompute(&tables, block_list.blocks());
            assert!(slices.normals == complete.normals, "{changed:?}");
            let is_changed = |block: &usize| {
                let block = block * BLOCK_SIZE * 3..(block + 1) * BLOCK_SIZE * 3;
                before[block.clone()] != complete.normals[block]
            };
            let expected: Vec<u32> =
                (0..layout.order.block_count()).filter(is_changed).map(|block| block as u32).collect();
            assert_eq!(block_list.blocks(), expected, "{changed:?}");
        }
    }

    #[test]
    fn a_collapsed_surface_keeps_the_normal_of_the_file() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let collapse = Target::from_dense(
            "collapse".into(),
            0.0,
            &positions.clone().into_iter().map(|at| -at).collect::<Vec<_>>(),
            &[],
            &[],
        );
        let vertices = Vertices { positions, normals: vec![Vec3::Z; 3], ..Default::default() };
        let mesh = Mesh { vertices, indices: vec![0, 2, 1], targets: vec![collapse], ..Mesh::default() };
        let head = head(mesh);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = NormalTables::new(&head, &layout.order, Normals::Auto).unwrap();
        for weight in [1.0, 2.0, 0.0, f32::NAN] {
            let mut slices = Slices::under(&head, &layout, &[weight]);
            slices.recompute(&tables, &[0]);
            assert_eq!(slices.normals[..9], [0.0, 0.0, 1.0].repeat(3), "{weight}: wound the wrong way, and collapsed");
            assert_eq!(slices.normals[9..], vec![0.0; (BLOCK_SIZE - 3) * 3]);
        }
    }

    #[test]
    fn the_normal_of_a_folded_surface_hardly_turns() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        // At weight 1 the area is a hundredth of the area at rest, and its vector is perpendicular to the one at rest.
        let deltas = [Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, -1.0, 0.01)];
        let fold = Target::from_dense("fold".into(), 0.0, &deltas, &[], &[]);
        let vertices = Vertices { positions, normals: vec![Vec3::Z; 3], ..Default::default() };
        let mesh = Mesh { vertices, indices: vec![0, 1, 2], targets: vec![fold], ..Mesh::default() };
        let head = head(mesh);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = NormalTables::new(&head, &layout.order, Normals::Auto).unwrap();
        let mut slices = Slices::under(&head, &layout, &[1.0]);
        slices.recompute(&tables, &[0]);
        // The area is a tenth of the area below which normals fade, so they fade to (1/10)²: a hundredth of the way to
        // the normal of the folded triangle.
        let expected = Vec3::new(0.0, -0.01, 0.99).normalize_or(Vec3::Z);
        for (vertex, reference) in reference(&head, &[1.0], Normals::Auto).into_iter().enumerate() {
            let normal = Vec3::from_slice(&slices.normals[layout.order.place_of(0, vertex) * 3..]);
            assert!(normal.distance(expected) < 1e-5, "{normal}");
            assert!(reference.normal.as_vec3().distance(expected) < 1e-5, "{}", reference.normal);
        }
    }

    #[test]
    fn flat_shading_is_not_recomputed() {
        let mut flat = sheet(10).asset.meshes.remove(0);
        flat.vertices.normals.fill(Vec3::ZERO);
        let head = head(flat);
        let tables =
            NormalTables::new(&head, &Layout::new(&head, Precision::Exact).order, Normals::Recomputed).unwrap();
        assert!(tables.vertices().iter().all(|vertex| *vertex == SmoothVertex::NOT_RECOMPUTED));
        let mut block_list = BlockList::new(tables.block_count());
        tables.list_dependents(&[0, 1], &mut block_list);
        assert!(block_list.blocks().is_empty());
        assert!(reference(&head, &[1.0], Normals::Recomputed).iter().all(|vertex| vertex.normal == glam::DVec3::ZERO));
    }

    #[test]
    fn nothing_to_recompute_makes_no_tables() {
        let head = sheet(10);
        assert!(NormalTables::new(&head, &Layout::new(&head, Precision::Exact).order, Normals::Authored).is_none());
    }
}
