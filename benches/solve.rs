//! The weights of 1,895 frames of 26,719 vertices and 57 shapes, once they are in memory. `cargo bench -p smirk-benches --bench solve`.

use divan::Bencher;
use glam::{Mat4, Vec3};
use smirk_analysis::solve::{FrameFault, Frames, MatchedPoints, SolveSettings, Solver};
use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_face::head::{Asset, Head, Mesh, Points, Target, Vertices};

const VERTICES: usize = 26_719;
const SHAPES: usize = 57;
const FRAMES: usize = 1895;
/// So many are in memory, and come again.
const KEPT: usize = 96;

fn main() {
    divan::main();
}

fn vector(seed: usize, index: usize) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| random::signed(seed as u32, (index * 3 + axis) as u64)))
}

/// A cloud of which each shape moves two fifths, as many as a shape of a face does.
fn head() -> Head {
    let positions: Vec<Vec3> = (0..VERTICES).map(|vertex| vector(0, vertex) * 0.1).collect();
    let target = |shape: usize| {
        let first = shape * (VERTICES / 2) / SHAPES;
        let moved = first + VERTICES / 20..first + VERTICES * 9 / 20;
        let delta = |vertex| if moved.contains(&vertex) { vector(shape + 1, vertex) * 0.01 } else { Vec3::ZERO };
        let deltas: Vec<Vec3> = (0..VERTICES).map(delta).collect();
        Target::from_dense(format!("shape{shape}"), 0.0, &deltas, &[], &[])
    };
    let mesh = Mesh {
        targets: (0..SHAPES).map(target).collect(),
        vertices: Vertices { normals: vec![Vec3::Z; VERTICES], positions, ..Vertices::default() },
        ..Mesh::default()
    };
    Head::new(Asset { meshes: vec![mesh], ..Asset::default() })
}

/// Frames in memory.
struct Kept(Vec<Vec<Vec3>>);

impl Frames for Kept {
    fn count(&self) -> usize {
        FRAMES
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        positions.extend_from_slice(&self.0[frame % KEPT]);
        Ok(())
    }
}

fn kept(head: &Head) -> Kept {
    let points = Points::new(head, &[0]);
    let frame = |frame: usize| {
        let weight = |shape: usize| random::signed(frame as u32 + 99, shape as u64).clamp(0.0, 1.0);
        let weights: Vec<f32> = (0..SHAPES).map(weight).collect();
        let mut positions = Vec::new();
        head.add_positions(&points, &weights, &head.rest_pose, &mut positions);
        positions
    };
    Kept((0..KEPT).map(frame).collect())
}

#[divan::bench(sample_count = 5)]
fn solve(bencher: Bencher) {
    let head = head();
    let frames = kept(&head);
    let of_vertices = vec![(0..VERTICES as u32).map(Some).collect()];
    let matched = MatchedPoints { of_vertices, head_from_frames: Mat4::IDENTITY };
    let settings = SolveSettings::default();
    bencher.bench_local(|| {
        let solver = Solver::new(&head, &matched, &settings, Progress::NONE).expect("a head with shapes");
        solver.solve(&frames, Progress::NONE).expect("nobody cancels")
    });
}
