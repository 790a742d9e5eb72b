//! Normals recomputed from the deformed surface: the tables, the same for the processor and the GPU, and the processor's
//! kernel. Knows no wgpu.
//!
//! What [`reference`](super::reference) defines, made quick: what the surface at rest says is worked out beforehand
//! ([`SmoothVertex::correction`]), vertices go by their places in the head-wide array, and only the blocks around what
//! moved are done again ([`Recompute::list_after`]).

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3, Vec3A, Vec4};
use rayon::prelude::*;

use super::reference::{VANISHING_AREA, VANISHING_LENGTH};
use super::smoothing::{FAN, Groups, Rings};
use super::{BLOCK_SIZE, Layout, Normals};
use crate::head::{Head, Mesh};

/// Below so many blocks, waking the other cores takes longer than doing it here.
const PARALLEL_BLOCKS: usize = 16;

/// In the place of a ring: this vertex is not recomputed.
const NO_RING: u32 = u32::MAX;

/// What is known of a vertex beforehand. `SmoothVertex` in `normals.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SmoothVertex {
    /// The file's, unit length.
    pub base_normal: [f32; 3],
    /// 1 ÷ twice the area the fan around it shows at rest; negative where the file's normal is on the fan's back.
    pub per_area: f32,
    /// The file's normal less what the surface at rest would say.
    pub correction: [f32; 3],
    /// Which ring is around it; `u32::MAX` where normals are left alone.
    pub ring: u32,
}

impl SmoothVertex {
    const LEFT_ALONE: Self = Self { base_normal: [0.0; 3], per_area: 0.0, correction: [0.0; 3], ring: NO_RING };
}

/// The tables for the meshes that are recomputed.
#[derive(Clone, Debug)]
pub struct Recompute {
    /// Per place of the head-wide array.
    vertices: Vec<SmoothVertex>,
    /// Where each ring begins, and where the last one ends.
    first_entries: Vec<u32>,
    /// Places; the top bit is set where a fan begins. See [`Rings`].
    entries: Vec<u32>,
    /// Where each block's dependents begin, and where the last one's end.
    first_dependents: Vec<u32>,
    /// Blocks with vertices whose rings reach into a block, itself included; ascending.
    dependents: Vec<u32>,
}

impl Recompute {
    /// Tables for `head`, none if `normals` leaves all its meshes alone.
    pub fn new(head: &Head, layout: &Layout, normals: Normals) -> Option<Self> {
        let recomputed = |(_, mesh): &(usize, &Mesh)| normals.recomputes(mesh);
        let surrounded: Vec<_> = head.meshes.par_iter().enumerate().filter(recomputed).map(Surrounded::of).collect();
        if surrounded.is_empty() {
            return None;
        }
        let mut tables = Self {
            vertices: vec![SmoothVertex::LEFT_ALONE; layout.block_count() * BLOCK_SIZE],
            first_entries: vec![0],
            entries: Vec::with_capacity(surrounded.iter().map(|mesh| mesh.rings.entry_count()).sum()),
            first_dependents: Vec::new(),
            dependents: Vec::new(),
        };
        surrounded.iter().for_each(|mesh| tables.place(layout, mesh));
        tables.find_dependents(layout.block_count());
        Some(tables)
    }

    /// Adds a mesh's vertices and rings, the rings in the order of the vertices: what is read together lies together.
    fn place(&mut self, layout: &Layout, mesh: &Surrounded) {
        let place_of = |vertex: u32| layout.place_of(mesh.index, vertex as usize) as u32;
        let mut vertices: Vec<(u32, u32)> =
            (0..mesh.vertices.len() as u32).map(|vertex| (place_of(vertex), vertex)).collect();
        vertices.par_sort_unstable();
        let mut ring_of = vec![NO_RING; mesh.groups.count()];
        for (place, vertex) in vertices {
            let smooth = mesh.vertices[vertex as usize];
            if smooth.ring == NO_RING {
                continue;
            }
            let ring = &mut ring_of[smooth.ring as usize];
            if *ring == NO_RING {
                *ring = self.first_entries.len() as u32 - 1;
                let entries = mesh.rings.of_group(smooth.ring as usize).iter();
                self.entries.extend(entries.map(|entry| place_of(entry & !FAN) | (entry & FAN)));
                self.first_entries.push(self.entries.len() as u32);
            }
            self.vertices[place as usize] = SmoothVertex { ring: *ring, ..smooth };
        }
    }

    fn find_dependents(&mut self, block_count: usize) {
        let mut pairs = Vec::new();
        let mut last_reader = vec![u32::MAX; block_count];
        for (reader, vertices) in self.vertices.chunks_exact(BLOCK_SIZE).enumerate() {
            let reader = reader as u32;
            let mut note = |read: u32| {
                if std::mem::replace(&mut last_reader[read as usize], reader) != reader {
                    pairs.push((read, reader));
                }
            };
            for vertex in vertices.iter().filter(|vertex| vertex.ring != NO_RING) {
                note(reader);
                self.ring(vertex.ring).iter().for_each(|entry| note((entry & !FAN) / BLOCK_SIZE as u32));
            }
        }
        pairs.par_sort_unstable();
        self.first_dependents =
            (0..=block_count).map(|block| pairs.partition_point(|(read, _)| (*read as usize) < block) as u32).collect();
        self.dependents = pairs.into_iter().map(|(_, reader)| reader).collect();
    }

    /// Per place of the head-wide array.
    pub fn vertices(&self) -> &[SmoothVertex] {
        &self.vertices
    }

    /// Where each ring begins among [`Self::entries`], and where the last one ends.
    pub fn first_entries(&self) -> &[u32] {
        &self.first_entries
    }

    /// All rings one after the other: places, the top bit set where a fan begins.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// How many blocks the head has.
    pub fn block_count(&self) -> usize {
        self.vertices.len() / BLOCK_SIZE
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> u64 {
        let lists = [&self.first_entries, &self.entries, &self.first_dependents, &self.dependents];
        (size_of_val(self.vertices()) + lists.map(|list| size_of_val(list.as_slice())).iter().sum::<usize>()) as u64
    }

    fn ring(&self, ring: u32) -> &[u32] {
        &self.entries[self.first_entries[ring as usize] as usize..self.first_entries[ring as usize + 1] as usize]
    }

    /// Lists the blocks whose normals change when positions change in `changed` blocks.
    pub fn list_after(&self, changed: &[u32], listed: &mut Listed) {
        listed.clear();
        for &block in changed {
            let block = block as usize;
            let range = self.first_dependents[block] as usize..self.first_dependents[block + 1] as usize;
            self.dependents[range].iter().for_each(|&dependent| listed.add(dependent));
        }
        listed.blocks.sort_unstable();
    }

    /// Recomputes the normals of `blocks` (ascending, each once) from all of `positions`, and turns tangents with them.
    ///
    /// Head-wide slices: `positions[place][3]`, `normals[place][3]`, `tangents[place][4]` or empty. What is there already
    /// must be this evaluation's blend; normals are overwritten, tangents made to stand upright on them.
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
            let vertices = &self.vertices[block as usize * BLOCK_SIZE..][..BLOCK_SIZE];
            let computed = self.block_normals(vertices, block as usize * BLOCK_SIZE, positions);
            let first = (block - directions.first_block) as usize * BLOCK_SIZE;
            for (lane, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.ring != NO_RING) {
                let normal = computed.direction(lane).unwrap_or(Vec3::from(vertex.base_normal));
                directions.normals[first + lane] = normal.to_array();
                if let Some(tangent) = directions.tangents.get_mut(first + lane) {
                    stand_upright(tangent, normal);
                }
            }
        }
    }

    /// The block whose vertices these are, the first of them at `first_place`.
    fn block_normals(&self, vertices: &[SmoothVertex], first_place: usize, positions: &[f32]) -> Lanes {
        let mut lanes = Lanes::NOTHING;
        for (lane, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.ring != NO_RING) {
            let shown = self.area_around(first_place + lane, vertex.ring, positions) * vertex.per_area;
            (lanes.x[lane], lanes.y[lane], lanes.z[lane]) = (shown.x, shown.y, shown.z);
        }
        lanes.normalize(VANISHING_AREA as f32);
        for (lane, vertex) in vertices.iter().enumerate() {
            lanes.x[lane] += vertex.correction[0];
            lanes.y[lane] += vertex.correction[1];
            lanes.z[lane] += vertex.correction[2];
        }
        lanes.normalize(VANISHING_LENGTH as f32);
        lanes
    }

    /// Twice the areas around a vertex.
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

/// Loads four floats where there are four: one instruction instead of three.
fn position(positions: &[f32], place: usize) -> Vec3A {
    let first = place * 3;
    positions.get(first..first + 4).map_or_else(
        || Vec3A::new(positions[first], positions[first + 1], positions[first + 2]),
        |four| Vec3A::from_vec4(Vec4::from_slice(four)),
    )
}

/// A block's directions, each axis by itself: so the compiler makes vector instructions of what is done to all.
struct Lanes {
    x: [f32; BLOCK_SIZE],
    y: [f32; BLOCK_SIZE],
    z: [f32; BLOCK_SIZE],
    /// Whether every vector so far was long enough to have one. Numbers of the width of the others', for the compiler's sake.
    is_direction: [u32; BLOCK_SIZE],
}

impl Lanes {
    const NOTHING: Self =
        Self { x: [0.0; BLOCK_SIZE], y: [0.0; BLOCK_SIZE], z: [0.0; BLOCK_SIZE], is_direction: [1; BLOCK_SIZE] };

    /// To unit length what is longer than `vanishing`. NaN is not longer than anything.
    fn normalize(&mut self, vanishing: f32) {
        for lane in 0..BLOCK_SIZE {
            let (x, y, z) = (self.x[lane], self.y[lane], self.z[lane]);
            let length = (x * x + y * y + z * z).sqrt();
            self.is_direction[lane] &= u32::from(length > vanishing);
            let scale = 1.0 / length;
            (self.x[lane], self.y[lane], self.z[lane]) = (x * scale, y * scale, z * scale);
        }
    }

    /// None where it vanished.
    fn direction(&self, lane: usize) -> Option<Vec3> {
        (self.is_direction[lane] != 0).then(|| Vec3::new(self.x[lane], self.y[lane], self.z[lane]))
    }
}

/// What is left of a tangent in the plane of the normal; the tangent itself where nothing is. w stays.
fn stand_upright(tangent: &mut [f32; 4], normal: Vec3) {
    let along = Vec3::new(tangent[0], tangent[1], tangent[2]);
    let upright = along - normal * normal.dot(along);
    let length = upright.length();
    if length > VANISHING_LENGTH as f32 {
        [tangent[0], tangent[1], tangent[2]] = (upright / length).to_array();
    }
}

/// A run of the head-wide array that one core may write.
struct Directions<'a> {
    first_block: u32,
    normals: &'a mut [[f32; 3]],
    /// As long, or empty.
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

/// A list of blocks, each once, that allocates nothing once warm.
#[derive(Clone, Debug)]
pub struct Listed {
    is_listed: Vec<bool>,
    blocks: Vec<u32>,
}

impl Listed {
    /// Empty, with room for all blocks of a head.
    pub fn new(block_count: usize) -> Self {
        Self { is_listed: vec![false; block_count], blocks: Vec::with_capacity(block_count) }
    }

    /// Ascending.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Whether a block is on it.
    pub fn contains(&self, block: usize) -> bool {
        self.is_listed[block]
    }

    fn clear(&mut self) {
        for block in self.blocks.drain(..) {
            self.is_listed[block as usize] = false;
        }
    }

    fn add(&mut self, block: u32) {
        if !std::mem::replace(&mut self.is_listed[block as usize], true) {
            self.blocks.push(block);
        }
    }
}

/// A mesh with what surrounds its vertices; rings are still counted by group.
struct Surrounded {
    index: usize,
    groups: Groups,
    rings: Rings,
    vertices: Vec<SmoothVertex>,
}

impl Surrounded {
    fn of((index, mesh): (usize, &Mesh)) -> Self {
        let groups = Groups::of(&mesh.vertices);
        let rings = Rings::of(mesh, &groups);
        let at_rest = |vertex| smooth_vertex(mesh, vertex, groups.of_vertex(vertex), &rings);
        let vertices = (0..mesh.vertices.len()).into_par_iter().map(at_rest).collect();
        Self { index, groups, rings, vertices }
    }
}

fn smooth_vertex(mesh: &Mesh, vertex: usize, group: usize, rings: &Rings) -> SmoothVertex {
    let positions = &mesh.vertices.positions;
    let base = mesh.vertices.normals.get(vertex).copied().unwrap_or_default().as_dvec3().normalize_or_zero();
    let center = positions[vertex].as_dvec3();
    let (mut area, mut total) = (DVec3::ZERO, 0.0);
    let mut before = DVec3::ZERO;
    for &entry in rings.of_group(group) {
        let edge = positions[(entry & !FAN) as usize].as_dvec3() - center;
        if entry & FAN == 0 {
            let cross = before.cross(edge);
            area += cross;
            total += cross.length();
        }
        before = edge;
    }
    let side = if area.dot(base) < 0.0 { -1.0 } else { 1.0 };
    let per_area = side / area.length();
    let says_something = area.length() > total * VANISHING_AREA && (per_area as f32).is_finite();
    if base == DVec3::ZERO || !says_something {
        return SmoothVertex::LEFT_ALONE;
    }
    SmoothVertex {
        base_normal: base.as_vec3().to_array(),
        per_area: per_area as f32,
        correction: (base - area * per_area).as_vec3().to_array(),
        ring: group as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::{Precision, reference};
    use crate::head::{Target, Vertices};

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
        Head::new("head".into(), vec![mesh], Vec::new(), Vec::new(), Vec::new(), Vec::new())
    }

    /// Head-wide slices: positions under `weights`, directions at rest.
    struct Slices {
        positions: Vec<f32>,
        normals: Vec<f32>,
        tangents: Vec<f32>,
    }

    impl Slices {
        fn of(head: &Head, layout: &Layout, weights: &[f32]) -> Self {
            let count = layout.block_count() * BLOCK_SIZE;
            let (mut positions, mut normals, mut tangents) =
                (vec![0.0; count * 3], vec![0.0; count * 3], vec![0.0; count * 4]);
            for (vertex, blended) in reference(head, weights, Normals::Authored).into_iter().enumerate() {
                let place = layout.place_of(0, vertex);
                positions[place * 3..][..3].copy_from_slice(&blended.position.as_vec3().to_array());
                normals[place * 3..][..3].copy_from_slice(&blended.normal.as_vec3().to_array());
                tangents[place * 4..][..4].copy_from_slice(&blended.tangent.as_vec4().to_array());
            }
            Self { positions, normals, tangents }
        }

        fn recompute(&mut self, tables: &Recompute, blocks: &[u32]) {
            tables.recompute(blocks, &self.positions, &mut self.normals, &mut self.tangents);
        }
    }

    fn all_blocks(layout: &Layout) -> Vec<u32> {
        (0..layout.block_count() as u32).collect()
    }

    #[test]
    fn the_kernel_does_what_the_reference_says() {
        let head = sheet(60);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = Recompute::new(&head, &layout, Normals::Auto).unwrap();
        for weight in [0.0, 1.0, -2.0] {
            let mut slices = Slices::of(&head, &layout, &[weight]);
            slices.recompute(&tables, &all_blocks(&layout));
            for (vertex, expected) in reference(&head, &[weight], Normals::Auto).into_iter().enumerate() {
                let place = layout.place_of(0, vertex);
                let normal = Vec3::from_slice(&slices.normals[place * 3..]).as_dvec3();
                let tangent = glam::Vec4::from_slice(&slices.tangents[place * 4..]).as_dvec4();
                assert!(normal.distance(expected.normal) < 1e-4, "{weight}, {vertex}: {normal}, {}", expected.normal);
                assert!(tangent.distance(expected.tangent) < 1e-4, "{weight}, {vertex}");
                assert!(tangent.truncate().dot(normal).abs() < 1e-5);
                let base = head.meshes[0].vertices.normals[vertex].as_dvec3();
                assert_eq!(weight == 0.0, normal.distance(base) < 1e-6, "{weight}, {vertex}");
            }
        }
    }

    #[test]
    fn both_sides_of_a_seam_stay_one() {
        let head = sheet(30);
        let bent = reference(&head, &[1.0], Normals::Auto);
        let base = &head.meshes[0].vertices;
        let seam: Vec<usize> = (15 * 30..16 * 30).collect();
        assert!(seam.iter().all(|&vertex| base.positions[vertex] == base.positions[vertex + 30]));
        assert!(seam.iter().all(|&vertex| bent[vertex].normal == bent[vertex + 30].normal));
    }

    #[test]
    fn only_the_blocks_around_what_moved_are_listed_and_they_are_all_it_takes() {
        let head = sheet(80);
        let layout = Layout::new(&head, Precision::Exact);
        let tables = Recompute::new(&head, &layout, Normals::Auto).unwrap();
        let mut slices = Slices::of(&head, &layout, &[0.5]);
        slices.recompute(&tables, &all_blocks(&layout));
        let mut listed = Listed::new(layout.block_count());
        for changed in [vec![7], vec![0, 40, 41], vec![layout.block_count() as u32 - 1], vec![]] {
            let before = slices.normals.clone();
            for &block in &changed {
                let first = block as usize * BLOCK_SIZE * 3;
                slices.positions[first..first + BLOCK_SIZE * 3].iter_mut().for_each(|value| *value = value.sin());
            }
            let mut complete = Slices { positions: slices.positions.clone(), ..Slices::of(&head, &layout, &[0.5]) };
            complete.recompute(&tables, &all_blocks(&layout));
            tables.list_after(&changed, &mut listed);
            slices.recompute(&tables, listed.blocks());
            assert!(slices.normals == complete.normals, "{changed:?}");
            let is_changed = |block: &usize| {
                let block = block * BLOCK_SIZE * 3..(block + 1) * BLOCK_SIZE * 3;
                before[block.clone()] != complete.normals[block]
            };
            let expected: Vec<u32> = (0..layout.block_count()).filter(is_changed).map(|block| block as u32).collect();
            assert_eq!(listed.blocks(), expected, "{changed:?}");
        }
    }

    #[test]
    fn what_collapses_keeps_the_files_normal() {
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
        let tables = Recompute::new(&head, &layout, Normals::Auto).unwrap();
        for weight in [1.0, 2.0, 0.0, f32::NAN] {
            let mut slices = Slices::of(&head, &layout, &[weight]);
            slices.recompute(&tables, &[0]);
            assert_eq!(slices.normals[..9], [0.0, 0.0, 1.0].repeat(3), "{weight}: wound the wrong way, and collapsed");
            assert_eq!(slices.normals[9..], vec![0.0; (BLOCK_SIZE - 3) * 3]);
        }
    }

    #[test]
    fn what_is_shaded_flat_is_left_alone() {
        let mut flat = sheet(10).meshes.remove(0);
        flat.vertices.normals.fill(Vec3::ZERO);
        let head = head(flat);
        let tables = Recompute::new(&head, &Layout::new(&head, Precision::Exact), Normals::Recomputed).unwrap();
        assert!(tables.vertices().iter().all(|vertex| *vertex == SmoothVertex::LEFT_ALONE));
        assert!(tables.first_dependents.iter().all(|first| *first == 0));
        assert!(reference(&head, &[1.0], Normals::Recomputed).iter().all(|vertex| vertex.normal == DVec3::ZERO));
    }

    #[test]
    fn nothing_to_recompute_makes_no_tables() {
        let head = sheet(10);
        assert!(Recompute::new(&head, &Layout::new(&head, Precision::Exact), Normals::Authored).is_none());
    }
}
