//! CPU mode: the morph sum on all cores of the CPU.
//!
//! `pulp` compiles the [kernel](super::kernel) once per instruction set (SSE2, AVX2, AVX-512, NEON) and selects one at run time;
//! threads share the blocks. An evaluation allocates nothing.

use super::kernel::{BlockOut, POSITIONS, TANGENTS, blend_block};
use crate::blend::{ActiveTargets, BLOCK_SIZE, Layout, MorphedVertex, NormalTables};

/// If fewer bytes than this are read and written, one thread is quicker than several, because starting work on another core takes
/// longer than the work.
const PARALLEL_BYTES: u64 = 256 * 1024;

/// The blended vertices in main memory.
#[derive(Debug)]
pub struct CpuBlend {
    arch: pulp::Arch,
    /// `[place][3]`, in mesh space.
    positions: Vec<f32>,
    /// `[place][3]`.
    normals: Vec<f32>,
    /// `[place][4]`; empty if the head has no tangents.
    tangents: Vec<f32>,
    /// Per block, the sum of all active targets that are not moving. It is computed again whenever the moving set changes, so that
    /// rounding errors do not accumulate.
    cached_sums: Vec<f32>,
    /// Per block, the [`ActiveTargets::moving_set_version`] for which the cached sum is valid.
    cached_versions: Vec<u64>,
}

/// The parts of all outputs that belong to some blocks.
struct Written<'a> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
    tangents: &'a mut [f32],
    cached_sums: &'a mut [f32],
    cached_versions: &'a mut [u64],
}

impl<'a> Written<'a> {
    fn split_at(self, blocks: usize, column_numbers: usize) -> (Self, Self) {
        let (positions, right_positions) = self.positions.split_at_mut(blocks * POSITIONS);
        let (normals, right_normals) = self.normals.split_at_mut(blocks * POSITIONS);
        let (tangents, right_tangents) = self.tangents.split_at_mut((blocks * TANGENTS).min(self.tangents.len()));
        let (cached_sums, right_cached_sums) = self.cached_sums.split_at_mut(blocks * column_numbers);
        let (cached_versions, right_cached_versions) = self.cached_versions.split_at_mut(blocks);
        let right = Written {
            positions: right_positions,
            normals: right_normals,
            tangents: right_tangents,
            cached_sums: right_cached_sums,
            cached_versions: right_cached_versions,
        };
        (Written { positions, normals, tangents, cached_sums, cached_versions }, right)
    }

    #[inline(always)]
    fn block(&mut self, at: usize, column_numbers: usize) -> BlockOut<'_> {
        BlockOut {
            positions: &mut self.positions[at * POSITIONS..][..POSITIONS],
            normals: &mut self.normals[at * POSITIONS..][..POSITIONS],
            tangents: self.tangents.get_mut(at * TANGENTS..(at + 1) * TANGENTS).unwrap_or_default(),
            cached_sums: &mut self.cached_sums[at * column_numbers..][..column_numbers],
            cached_version: &mut self.cached_versions[at],
        }
    }
}

impl CpuBlend {
    /// The vertices at rest.
    pub fn new(layout: &Layout) -> Self {
        let places = layout.place_count();
        let (positions, rest) = layout.base().split_at(places * 3);
        let (normals, tangents) = rest.split_at(places * 3);
        Self {
            arch: pulp::Arch::new(),
            positions: positions.to_vec(),
            normals: normals.to_vec(),
            tangents: tangents.to_vec(),
            cached_sums: vec![0.0; layout.block_count() * layout.deltas().column_numbers()],
            cached_versions: vec![0; layout.block_count()],
        }
    }

    /// Blends the changed blocks from the base, so that no rounding error accumulates from one evaluation to the next.
    pub fn evaluate(&mut self, layout: &Layout, active: &ActiveTargets) {
        let threads =
            if active.bytes_with_cached_sums(layout) < PARALLEL_BYTES { 1 } else { rayon::current_num_threads() };
        let written = Written {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
            cached_sums: &mut self.cached_sums,
            cached_versions: &mut self.cached_versions,
        };
        BlockRange { layout, active, first_block: 0, written }.blend(self.arch, threads);
    }

    /// Recomputes the normals of some of the blocks that were blended last.
    pub fn recompute(&mut self, layout: &Layout, tables: &NormalTables, blocks: &[u32]) {
        if !layout.deltas().moves_tangents() {
            // The blend does not write tangents that no delta changes: they are still those of the last recomputation.
            self.restore_tangents(layout, blocks);
        }
        tables.recompute(blocks, &self.positions, &mut self.normals, &mut self.tangents);
    }

    fn restore_tangents(&mut self, layout: &Layout, blocks: &[u32]) {
        let base = &layout.base()[layout.place_count() * 6..];
        for block in blocks.iter().map(|&block| block as usize * TANGENTS..(block as usize + 1) * TANGENTS) {
            if let (Some(tangents), Some(base)) = (self.tangents.get_mut(block.clone()), base.get(block)) {
                tangents.copy_from_slice(base);
            }
        }
    }

    /// Puts normals and tangents back to rest.
    pub fn restore_directions(&mut self, layout: &Layout) {
        let (normals, tangents) = layout.directions().split_at(self.normals.len());
        self.normals.copy_from_slice(normals);
        self.tangents.copy_from_slice(tangents);
    }

    /// Bytes of all vertices and cached sums.
    pub fn bytes(&self) -> u64 {
        let vertices: u64 = self.sections().into_iter().map(|section| size_of_val(section) as u64).sum();
        vertices + (size_of_val(self.cached_sums.as_slice()) + size_of_val(self.cached_versions.as_slice())) as u64
    }

    /// The blended vertices in the order of the file.
    pub fn vertices(&self, layout: &Layout) -> Vec<MorphedVertex> {
        layout.vertices_of(&self.sections().concat())
    }

    /// The blended positions `[place][3]`, normals `[place][3]` and tangents, `[place][4]` or empty.
    pub fn sections(&self) -> [&[f32]; 3] {
        [&self.positions, &self.normals, &self.tangents]
    }
}

/// Neighbouring blocks that one thread blends. Everything that `with_simd` calls must be inlined into it: what is not inlined is
/// compiled for the baseline instruction set.
struct BlockRange<'a> {
    layout: &'a Layout,
    active: &'a ActiveTargets,
    first_block: usize,
    written: Written<'a>,
}

impl BlockRange<'_> {
    /// Blends on `threads` threads. The cuts are the same each time, so that a thread finds its blocks in its core's cache.
    fn blend(self, arch: pulp::Arch, threads: usize) {
        if threads < 2 {
            arch.dispatch(self);
            return;
        }
        let BlockRange { layout, active, first_block, written } = self;
        let blocks = first_block..first_block + written.cached_versions.len();
        let left_threads = threads / 2;
        let cut = active.cut(blocks, left_threads, threads);
        let (left, right) = written.split_at(cut - first_block, layout.deltas().column_numbers());
        rayon::join(
            || BlockRange { layout, active, first_block, written: left }.blend(arch, left_threads),
            || BlockRange { layout, active, first_block: cut, written: right }.blend(arch, threads - left_threads),
        );
    }
}

impl pulp::WithSimd for BlockRange<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _simd: S) {
        for at in 0..self.written.cached_versions.len() {
            let block = self.first_block + at;
            if self.active.is_changed(block) {
                let out = self.written.block(at, self.layout.deltas().column_numbers());
                match self.layout.deltas().components() {
                    3 => blend_block::<{ 3 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                    6 => blend_block::<{ 6 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                    _ => blend_block::<{ 10 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::blend::Precision;
    use smirk_face::head::{Asset, Head, Mesh, Target, Vertices};

    /// Three blocks, and a target that moves each alone.
    fn layout() -> Layout {
        let target = |first: u32| Target {
            rows: (first..first + 64).collect(),
            positions: vec![Vec3::X; 64],
            normals: vec![Vec3::Y; 64],
            ..Target::default()
        };
        let mesh = Mesh {
            vertices: Vertices { positions: vec![Vec3::ZERO; 192], normals: vec![Vec3::Z; 192], ..Vertices::default() },
            targets: [0, 64, 128].map(target).into(),
            ..Mesh::default()
        };
        Layout::new(&Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() }), Precision::Exact)
    }

    #[test]
    fn only_blocks_of_changed_targets_are_written() {
        let layout = layout();
        let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
        let mut weights = [0.5; 3];
        active.update(&layout, &weights);
        cpu.evaluate(&layout, &active);
        let moved = layout.columns_of_target(1)[0].block as usize;
        for weight in [0.25, 0.75, 0.0] {
            cpu.positions.fill(f32::NAN);
            cpu.normals.fill(f32::NAN);
            weights[1] = weight;
            assert!(active.update(&layout, &weights));
            cpu.evaluate(&layout, &active);
            for floats in [&cpu.positions, &cpu.normals] {
                let is_written =
                    |block: usize| floats[block * POSITIONS..][..POSITIONS].iter().all(|it| it.is_finite());
                let written: Vec<usize> = (0..3).filter(|&block| is_written(block)).collect();
                assert_eq!(written, [moved], "at {weight}");
            }
        }
        assert!(!active.update(&layout, &weights), "nothing changed, so nothing is to be blended");
    }

    #[test]
    fn a_head_without_columns_stays_at_rest() {
        let vertices = Vertices { positions: vec![Vec3::ONE; 70], normals: vec![Vec3::Z; 70], ..Vertices::default() };
        let mesh = Mesh { vertices, targets: vec![Target::default()], ..Mesh::default() };
        let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() });
        for precision in [Precision::Exact, Precision::Packed] {
            let layout = Layout::new(&head, precision);
            let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
            active.update(&layout, &[1.0]);
            active.change_also(&[0, 1]);
            cpu.evaluate(&layout, &active);
            assert!(cpu.sections().concat() == layout.base());
        }
    }
}
