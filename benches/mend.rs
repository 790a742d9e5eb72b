//! What a mend costs while its number is dragged, on a face of 30,000 vertices with 53 shapes.

use divan::{Bencher, black_box};
use glam::Vec3;
use smirk_analysis::mend::{
    Contained, Cracks, Kind, Mend, Mirror, Noise, Normals, Smooth, Split, Surface, Symmetrise, Tidy, apply_on,
};
use smirk_face::head::{Head, Mesh, Part, Target, Vertices};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// Vertices along a side.
const SIDE: usize = 173;
const SHAPES: usize = 53;

/// A sheet whose shapes are bumps that move about a seventh of it, as those of a face do.
fn face() -> Head {
    let at = |index: usize| index as f32 / (SIDE - 1) as f32 - 0.5;
    let positions: Vec<Vec3> =
        (0..SIDE * SIDE).map(|index| Vec3::new(at(index % SIDE), at(index / SIDE), 0.0) * 0.14).collect();
    let corner = |x: usize, y: usize| (y * SIDE + x) as u32;
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)));
    let indices: Vec<u32> = cells
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            [a, b, c, a, c, d]
        })
        .collect();
    let target = |number: usize| {
        let middle = positions[(number * 7919 + 40 * SIDE) % positions.len()];
        let deltas: Vec<Vec3> = positions
            .iter()
            .map(|place| Vec3::new(0.001, -0.004, 0.002) * (1.0 - place.distance(middle) / 0.03).max(0.0))
            .collect();
        let name = match number {
            0 => "browLeft".into(),
            1 => "browRight".into(),
            number => format!("shape{number}"),
        };
        Target::from_dense(name, 0.0, &deltas, &deltas, &[])
    };
    let vertices =
        Vertices { normals: vec![Vec3::Z; positions.len()], positions: positions.clone(), ..Vertices::default() };
    Head::from_meshes(vec![Mesh {
        parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
        targets: (0..SHAPES).map(target).collect(),
        vertices,
        indices,
        ..Mesh::default()
    }])
}

/// A kind on the shapes that an artist gives it: one, or all where that is usual.
fn mends() -> Vec<Mend> {
    let one = |kind| Mend::of_shapes(kind, ["browLeft"]);
    vec![
        Kind::Noise(Noise { below_mm: 0.5, below_degrees: 0.1 }).into(),
        one(Kind::Split(Split::default())),
        one(Kind::Mirror(Mirror::default())),
        one(Kind::Symmetrise(Symmetrise::default())),
        one(Kind::Smooth(Smooth::default())),
        one(Kind::Normals(Normals { all: true })),
        Kind::Cracks(Cracks::default()).into(),
        one(Kind::Contained(Contained { shape: "browRight".into(), weight: Some(0.5) })),
        Kind::Tidy(Tidy::default()).into(),
    ]
}

#[divan::bench(args = mends().iter().map(|mend| mend.kind.label()).collect::<Vec<_>>())]
fn preview(bencher: Bencher<'_, '_>, label: &str) {
    let head = face();
    let surface = Surface::new(&head);
    let mend: Vec<Mend> = mends().into_iter().filter(|mend| mend.kind.label() == label).collect();
    // What belongs to the surface alone is found by the first.
    let _ = apply_on(&head, &surface, &mend);
    bencher.bench_local(|| apply_on(black_box(&head), &surface, &mend));
}
