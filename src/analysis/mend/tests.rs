//! Every mend on heads with known answers, and what holds for all of them.

use glam::{Mat4, Vec2, Vec3, Vec4};
use serde_json::{Value, json};

use super::*;
use crate::judge::{judge, two_sheets};
use crate::lint::{Rule, Settings, lint};
use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_face::head::{
    Asset, Avatar, Bind, Clip, Curve, Dialect, Expression, InBetween, Interpolation, LocalTransform, Material, Mesh,
    Node, Override, Part, Preset, Response, Target, Track, UvColorDeltas, Vertices, VrmVersion,
};

/// Vertices along a side of the sheet; odd, so that some are in the middle.
const SIDE: usize = 21;
/// A sheet as wide as a face, so that a unit is a millimetre.
const SIZE: f32 = 140.0;

/// A sheet in the xy plane that faces along z, a little curved.
fn sheet() -> Mesh {
    let at = |index: usize| index as f32 / (SIDE - 1) as f32 - 0.5;
    let places = (0..SIDE * SIDE).map(|index| Vec2::new(at(index % SIDE), at(index / SIDE)));
    let positions: Vec<Vec3> = places.map(|place| place.extend(-place.length_squared()) * SIZE).collect();
    let corner = |x: usize, y: usize| (y * SIDE + x) as u32;
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)));
    // The diagonals of both halves mirror each other too.
    let square = |(x, y)| {
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        if x < SIDE / 2 { [a, b, c, a, c, d] } else { [a, b, d, b, c, d] }
    };
    let indices: Vec<u32> = cells.flat_map(square).collect();
    Mesh {
        name: "sheet".into(),
        vertices: Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() },
        parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
        indices,
        ..Mesh::default()
    }
}

/// A bump of some height about a place, smooth at its edge.
fn bump(place: Vec3, at: Vec2, radius: f32) -> f32 {
    let part = (1.0 - place.truncate().distance(at) / radius).max(0.0);
    part * part * (3.0 - 2.0 * part)
}

fn target(mesh: &Mesh, name: &str, delta: impl Fn(Vec3) -> Vec3) -> Target {
    let positions: Vec<Vec3> = mesh.vertices.positions.iter().map(|&place| delta(place)).collect();
    let normals: Vec<Vec3> = positions.iter().map(|delta| Vec3::new(delta.x, delta.y, 0.0) * 0.01).collect();
    Target::from_dense(name.into(), 0.0, &positions, &normals, &[])
}

const LEFT: Vec2 = Vec2::new(35.0, 14.0);
const RIGHT: Vec2 = Vec2::new(-35.0, 14.0);

/// Moves the whole width, so that a unit is a millimetre.
fn stretch(mesh: &Mesh) -> Target {
    target(mesh, "widen", |place| Vec3::new(0.0, 0.0, 5.0 + place.x.abs() * 0.01))
}

fn mesh_with_shapes() -> Mesh {
    let mut mesh = sheet();
    let shapes = vec![
        stretch(&mesh),
        target(&mesh, "smile", |place| Vec3::new(place.x * 0.1, 3.0, 1.0) * bump(place, Vec2::ZERO, 60.0)),
        target(&mesh, "browLeft", |place| Vec3::new(0.3, 2.0, 1.0) * bump(place, LEFT, 30.0)),
        target(&mesh, "browRight", |place| Vec3::new(-0.5, 4.0, 1.0) * bump(place, RIGHT, 30.0)),
        target(&mesh, "jawOpen", |place| Vec3::new(0.0, -20.0, 0.0) * bump(place, Vec2::new(0.0, -50.0), 40.0)),
    ];
    mesh.targets = shapes;
    mesh
}

fn head(mesh: Mesh) -> Head {
    Head::new(Asset { name: "made".into(), meshes: vec![mesh], ..Asset::default() })
}

fn one(mend: Mend, head: &Head) -> (Head, Change) {
    let Mended { head: mended, mut changes } = apply(head, &[mend]);
    let change = changes.remove(0).unwrap();
    assert_eq!(mended.is_some(), change.is_any(), "{change:?}");
    (mended.unwrap_or_else(|| Head::new(head.to_asset())), change)
}

fn shape<'a>(head: &'a Head, name: &str) -> &'a Target {
    head.meshes[0].targets.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The movements of all vertices of the first mesh.
fn dense(target: &Target) -> Vec<Vec3> {
    let mut all = vec![Vec3::ZERO; SIDE * SIDE * 2];
    target.rows.iter().zip(&target.positions).for_each(|(&row, &delta)| all[row as usize] = delta);
    all
}

fn assert_same_targets(a: &Head, b: &Head, least: f32) {
    let names = |head: &Head| head.channels.iter().map(|channel| channel.full_name.clone()).collect::<Vec<_>>();
    assert_eq!(names(a), names(b));
    for (a, b) in a.meshes[0].targets.iter().zip(&b.meshes[0].targets) {
        let most = dense(a).iter().zip(dense(b)).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
        assert!(most <= least, "{} differs by {most}", a.name);
        assert_eq!((a.normals.is_empty(), a.tangents.is_empty()), (b.normals.is_empty(), b.tangents.is_empty()));
    }
}

#[test]
fn a_list_that_is_empty_off_or_of_shapes_that_are_not_there_leaves_the_head_alone() {
    let head = head(mesh_with_shapes());
    assert!((head.mm_per_unit() - 1.0).abs() < 1e-4, "{}", head.mm_per_unit());
    assert!(apply(&head, &[]).head.is_none());
    let noise = Mend::of_shapes(Kind::Noise(Noise { below_mm: 1.0, below_degrees: 0.0 }), ["gone", "gone too"]);
    let off = Mend { enabled: false, ..Kind::Noise(Noise { below_mm: 1.0, below_degrees: 0.0 }).into() };
    let mended = apply(&head, &[noise, off]);
    assert!(mended.head.is_none() && mended.changes[1].is_none());
    let change = mended.changes[0].as_ref().unwrap();
    assert_eq!(change.refusals().collect::<Vec<_>>()[1], "gone too: the head has no shape of that name");
    assert_eq!(change.in_words(), "changes nothing");
}

#[test]
fn noise_goes_what_is_left_is_continuous_and_nothing_moves_by_more_than_the_threshold() {
    let mut mesh = mesh_with_shapes();
    let noise = |at: usize| Vec3::from_array([0, 1, 2].map(|axis| random::signed(3, (at * 3 + axis) as u64))) * 0.001;
    let clean = dense(shape(&head(mesh.clone()), "browLeft"))[..SIDE * SIDE].to_vec();
    let noisy: Vec<Vec3> = clean.iter().enumerate().map(|(at, &delta)| delta + noise(at)).collect();
    mesh.targets[2] = Target::from_dense("browLeft".into(), 0.0, &noisy, &[], &[]);
    let before = head(mesh);
    let (after, change) = one(Mend::of_shapes(Kind::Noise(Noise::default()), ["browLeft"]), &before);
    assert!(change.largest_mm <= 0.00201 && change.largest_mm > 0.001, "{change:?}");
    assert_eq!((change.changed.as_slice(), change.stored[0]), (&["browLeft".to_owned()][..], SIDE * SIDE));
    let moved = clean.iter().filter(|delta| **delta != Vec3::ZERO).count();
    assert!(change.stored[1] <= moved, "{change:?}, {moved}");
    let differs = |a: &Head, b: &[Vec3]| {
        dense(shape(a, "browLeft")).iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    assert!(differs(&after, &noisy) < 0.00201 && differs(&after, &clean) < 0.004);
    // Neighbours part by no more than they did: no crack opens at the edge of what is left.
    let (old, new) = (dense(shape(&before, "browLeft")), dense(shape(&after, "browLeft")));
    for [a, b] in (0..SIDE * (SIDE - 1)).map(|at| [at, at + SIDE]) {
        assert!(new[a].distance(new[b]) <= old[a].distance(old[b]) + 0.0041);
    }
    for factor in 0..200 {
        let length = factor as f32 * 0.000_03;
        let part = |length: f32| (length / 0.002 - 1.0).clamp(0.0, 1.0) * length;
        assert!(part(length + 0.000_03) - part(length) <= 3.1 * 0.000_03, "continuous at {length}");
    }
}

#[test]
fn halves_add_up_to_the_whole_exactly_and_join_to_it_again() {
    let mut mesh = mesh_with_shapes();
    let half = InBetween::from_dense("half".into(), 0.5, &vec![Vec3::X; SIDE * SIDE], &[], &[]);
    mesh.targets[1].set_in_betweens(vec![half]);
    mesh.targets[1].uv_color_deltas =
        UvColorDeltas { rows: vec![3, 17], uvs: vec![[Vec2::X, Vec2::Y]; 2], colors: vec![Vec4::ONE * 0.1; 2] };
    let before = head(mesh);
    let split = Mend::of_shapes(Kind::Split(Split { falloff_mm: 20.0, ..Split::default() }), ["smile"]);
    let (halves, change) = one(split.clone(), &before);
    assert_eq!((change.added.len(), change.removed.as_slice()), (2, &["smile".to_owned()][..]));
    let [left, right] = ["smileLeft", "smileRight"].map(|name| shape(&halves, name));
    let (left_moves, right_moves, whole) = (dense(left), dense(right), dense(shape(&before, "smile")));
    for vertex in 0..SIDE * SIDE {
        assert_eq!(left_moves[vertex] + right_moves[vertex], whole[vertex], "to the last bit");
        let x = before.meshes[0].vertices.positions[vertex].x;
        if x > 10.0 {
            assert_eq!(right_moves[vertex], Vec3::ZERO);
        } else if x < -10.0 {
            assert_eq!(left_moves[vertex], Vec3::ZERO);
        } else if x == 0.0 {
            assert!(left_moves[vertex].distance(right_moves[vertex]) < 1e-6);
        }
    }
    let names: Vec<&str> = halves.channels.iter().map(|channel| channel.full_name.as_str()).collect();
    assert_eq!(names[..3], ["widen", "smileLeft", "smileRight"], "at the place of the whole");
    let join = Mend::of_shapes(Kind::Join(Join { into: "smile".into() }), ["smileLeft", "smileRight"]);
    let joined = apply(&before, &[split, join]).head.unwrap();
    assert_same_targets(&joined, &before, 0.0);
    let (own, whole) = (shape(&joined, "smile"), shape(&before, "smile"));
    assert_eq!((&own.uv_color_deltas, &own.in_betweens), (&whole.uv_color_deltas, &whole.in_betweens));
    assert_eq!((&own.rows, &own.normals), (&whole.rows, &whole.normals));
}

#[test]
fn clips_and_expressions_that_moved_the_whole_move_both_halves() {
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 0.0, 0.75, 0.0, 0.5], 3).unwrap();
    let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
    let binds = vec![Bind { target: 1, weight: 0.5 }];
    let expressions = vec![Expression { name: "happy".into(), binds, ..Expression::default() }];
    let before = Head::new(Asset { meshes: vec![mesh_with_shapes()], clips, expressions, ..Asset::default() });
    let (halves, _) = one(Mend::of_shapes(Kind::Split(Split::default()), ["smile"]), &before);
    let at_end = |target: usize| halves.clips[0].sample(1.0, target);
    assert_eq!([0, 1, 2, 3].map(at_end), [Some(0.75), Some(0.0), Some(0.0), Some(0.5)]);
    let binds: Vec<(usize, f32)> = halves.expressions[0].binds.iter().map(|bind| (bind.target, bind.weight)).collect();
    assert_eq!(binds, [(1, 0.5), (2, 0.5)]);
    let unequal = Mend::of_shapes(Kind::Join(Join { into: "all".into() }), ["widen", "browLeft"]);
    let (_, change) = one(unequal, &before);
    assert_eq!(
        change.refusals().collect::<Vec<_>>(),
        ["browLeft: a clip or an expression moves it otherwise than \"widen\""]
    );
}

#[test]
fn names_that_are_taken_or_needed_are_said() {
    let before = head(mesh_with_shapes());
    let taken = Split { suffixes: ["Left".into(), "Left".into()], ..Split::default() };
    for (mend, reason) in [
        (Kind::Split(Split::default()).into(), "it is done to shapes that are named, and none is"),
        (Mend::of_shapes(Kind::Split(taken), ["smile"]), "smile: another shape has the name \"smileLeft\""),
        (
            Mend::of_shapes(Kind::Join(Join { into: "x".into() }), ["smile"]),
            "it joins two shapes or more, and 1 of those named are there",
        ),
        (
            Mend::of_shapes(Kind::Join(Join { into: "jawOpen".into() }), ["browLeft", "browRight"]),
            "another shape has the name \"jawOpen\"",
        ),
        (Mend::of_shapes(Kind::Mirror(Mirror::default()), ["smile"]), "smile: it has no shape for the other side"),
        (
            Mend::of_shapes(Kind::Contained(Contained { shape: "jaw".into(), weight: None }), ["smile"]),
            "no shape is named \"jaw\"",
        ),
        (
            Mend::of_shapes(Kind::Contained(Contained { shape: "jawOpen".into(), weight: None }), ["smile"]),
            "smile: it does not contain \"jawOpen\"",
        ),
    ] {
        let (_, change) = one(mend, &before);
        assert_eq!((change.refusals().collect::<Vec<_>>(), change.is_any()), (vec![reason.to_owned()], false));
    }
}

#[test]
fn a_side_becomes_the_mirror_image_of_the_other_and_twice_is_the_side_itself() {
    let before = head(mesh_with_shapes());
    let onto = |name: &str| Mend::of_shapes(Kind::Mirror(Mirror::default()), [name]);
    let (mirrored, change) = one(onto("browLeft"), &before);
    assert_eq!((change.changed.as_slice(), change.unmatched), (&["browRight".to_owned()][..], 0));
    let (left, right) = (dense(shape(&mirrored, "browLeft")), dense(shape(&mirrored, "browRight")));
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (own, image) = (left[row * SIDE + column], right[row * SIDE + SIDE - 1 - column]);
            assert_eq!(image, own * Vec3::new(-1.0, 1.0, 1.0));
        }
    }
    let twice = apply(&before, &[onto("browLeft"), onto("browRight")]).head.unwrap();
    assert_same_targets(&twice, &mirrored, 0.0);
    let new = Mend::of_shapes(Kind::Mirror(Mirror { onto: Some("smileBack".into()) }), ["smile"]);
    let (added, change) = one(new, &before);
    assert_eq!(change.added, ["smileBack"]);
    let back = Mend::of_shapes(Kind::Mirror(Mirror { onto: Some("smile".into()) }), ["smileBack"]);
    let (again, change) = one(back, &added);
    assert!(!change.is_any(), "the image of the image is the shape: {change:?}");
    assert_same_targets(&again, &added, 0.0);
}

#[test]
fn the_mirror_map_follows_the_triangles_where_places_are_not_symmetric() {
    let mut mesh = mesh_with_shapes();
    // A scar on one side: some vertices are two millimetres from where their partners are.
    for vertex in [5 * SIDE + 4, 5 * SIDE + 5, 6 * SIDE + 4] {
        mesh.vertices.positions[vertex] += Vec3::new(1.5, 0.8, -1.0);
    }
    let before = head(mesh);
    let surface = Surface::new(&before);
    let map = surface.mirror(&before).unwrap();
    for row in 0..SIDE {
        for column in 0..SIDE {
            assert_eq!(map.image(row * SIDE + column), Some(row * SIDE + SIDE - 1 - column));
        }
    }
    // A vertex without a triangle has no partner when its place has none.
    let mut mesh = mesh_with_shapes();
    mesh.vertices.positions.push(Vec3::new(33.0, 14.0, 9.0));
    mesh.vertices.normals.push(Vec3::Z);
    let lonely = (mesh.vertices.len() - 1) as u32;
    mesh.targets[2].rows.push(lonely);
    mesh.targets[2].positions.push(Vec3::Y);
    mesh.targets[2].normals.push(Vec3::ZERO);
    let before = head(mesh);
    let (_, change) = one(Mend::of_shapes(Kind::Mirror(Mirror::default()), ["browLeft"]), &before);
    assert_eq!(change.unmatched, 1);
    assert!(change.in_words().ends_with("; 1 vertex left as they were"), "{}", change.in_words());
}

#[test]
fn symmetrised_shapes_have_no_asymmetry_left() {
    let before = head(mesh_with_shapes());
    let finding = |head: &Head| lint(head, &Settings::default()).into_iter().find(|it| it.rule == Rule::Asymmetry);
    let found = finding(&before).unwrap();
    let (after, change) = one(remedy(&before, &found).unwrap(), &before);
    assert!(finding(&after).is_none());
    assert_eq!(change.changed, ["browLeft", "browRight"]);
    let (left, old) = (dense(shape(&after, "browLeft")), dense(shape(&before, "browLeft")));
    let middle = (0..SIDE * SIDE).max_by(|&a, &b| left[a].length().total_cmp(&left[b].length())).unwrap();
    // The mean of 2 and 4 up.
    assert!((left[middle].y / old[middle].y - 1.5).abs() < 0.01, "{} {}", left[middle], old[middle]);
    let again = one(Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["browLeft"]), &after).1;
    assert!(again.largest_mm < 1e-6, "{again:?}");
    let uneven = Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["smile"]);
    assert!(one(uneven, &before).1.largest_mm < 1e-5, "the smile is symmetric already");
}

/// The sheet with a cut along the column in the middle, whose two sides part by a gap in `jawOpen`.
fn cut(gap: f32) -> Mesh {
    let mut mesh = mesh_with_shapes();
    let middle = SIDE / 2;
    let first = mesh.vertices.len() as u32;
    for row in 0..SIDE {
        mesh.vertices.positions.push(mesh.vertices.positions[row * SIDE + middle]);
        mesh.vertices.normals.push(Vec3::Z);
    }
    let is_right_of_cut = |triangle: &[u32; 3]| triangle.iter().any(|&it| it as usize % SIDE > middle);
    for triangle in mesh.indices.as_chunks_mut::<3>().0 {
        if is_right_of_cut(triangle) {
            for corner in triangle.iter_mut().filter(|corner| **corner as usize % SIDE == middle) {
                *corner = first + *corner / SIDE as u32;
            }
        }
    }
    for target in &mut mesh.targets {
        let all = dense(target);
        let mut positions = all[..SIDE * SIDE].to_vec();
        let extra = if target.name == "jawOpen" { gap } else { 0.0 };
        let copies = (0..SIDE).map(|row| positions[row * SIDE + middle]);
        let copies: Vec<Vec3> = copies.map(|it| if it == Vec3::ZERO { it } else { it + Vec3::X * extra }).collect();
        positions.extend(copies);
        *target = Target::from_dense(target.name.clone(), 0.0, &positions, &[], &[]);
    }
    mesh
}

#[test]
fn both_sides_of_a_crack_move_together_and_openings_stay() {
    let before = head(cut(1.0));
    let found = lint(&before, &Settings::default()).into_iter().find(|it| it.rule == Rule::Crack).unwrap();
    let (after, change) = one(remedy(&before, &found).unwrap(), &before);
    assert!(lint(&after, &Settings::default()).iter().all(|it| it.rule != Rule::Crack));
    assert!((change.largest_mm - 0.5).abs() < 1e-4, "each side gives half: {change:?}");
    let (jaw, old) = (dense(shape(&after, "jawOpen")), dense(shape(&before, "jawOpen")));
    for row in 0..SIDE {
        let [a, b] = [row * SIDE + SIDE / 2, SIDE * SIDE + row];
        assert_eq!(jaw[a], jaw[b]);
        assert!(jaw[a].distance((old[a] + old[b]) * 0.5) < 1e-5);
    }
    let untouched = (0..SIDE * SIDE).filter(|vertex| vertex % SIDE != SIDE / 2);
    assert!(untouched.into_iter().all(|vertex| jaw[vertex] == old[vertex]));
    // The piece on the left of the cut has the column in the middle and is the larger one by nothing: both are equal.
    let larger = Mend::of_shapes(Kind::Cracks(Cracks { to: Together::Larger }), ["jawOpen"]);
    let (after, _) = one(larger, &before);
    assert!(lint(&after, &Settings::default()).iter().all(|it| it.rule != Rule::Crack));
    let mouth = head(cut(8.0));
    let (_, change) = one(Kind::Cracks(Cracks::default()).into(), &mouth);
    assert!(!change.is_any(), "lips that open are no crack: {change:?}");
}

/// How far each point is from the mean of its neighbours, as the sum of squares over the sheet without its border.
fn energy(movement: &[Vec3]) -> f64 {
    let inside = (1..SIDE - 1).flat_map(|row| (1..SIDE - 1).map(move |column| row * SIDE + column));
    let bent = inside.map(|at| {
        let around = [at - 1, at + 1, at - SIDE, at + SIDE].map(|it| movement[it]);
        f64::from((movement[at] - around.iter().sum::<Vec3>() / 4.0).length_squared())
    });
    bent.sum()
}

#[test]
fn smoothing_makes_a_movement_even_and_keeps_borders_slits_and_what_is_linear() {
    let mut mesh = mesh_with_shapes();
    let rough = |at: usize| Vec3::from_array([0, 1, 2].map(|axis| random::signed(5, (at * 3 + axis) as u64))) * 0.4;
    let noisy: Vec<Vec3> =
        dense(&mesh.targets[4])[..SIDE * SIDE].iter().enumerate().map(|(at, it)| *it + rough(at)).collect();
    mesh.targets[4] = Target::from_dense("jawOpen".into(), 0.0, &noisy, &[], &[]);
    mesh.targets.push(target(&mesh, "shear", |place| Vec3::new(place.y * 0.1, place.x * 0.05, 0.0)));
    let before = head(mesh);
    let smooth = |shape: &str, passes| Mend::of_shapes(Kind::Smooth(Smooth { strength: 1.0, passes }), [shape]);
    let mut last = energy(&dense(shape(&before, "jawOpen")));
    for passes in [1, 3, 10, 40] {
        let after = one(smooth("jawOpen", passes), &before).0;
        let now = energy(&dense(shape(&after, "jawOpen")));
        assert!(now < last, "{passes} passes: {now} is not below {last}");
        last = now;
        let (old, new) = (dense(shape(&before, "jawOpen")), dense(shape(&after, "jawOpen")));
        let border =
            (0..SIDE * SIDE).filter(|at| [0, SIDE - 1].iter().any(|end| at % SIDE == *end || at / SIDE == *end));
        assert!(border.into_iter().all(|at| old[at].distance(new[at]) < 1e-6));
    }
    let (_, change) = one(smooth("shear", 10), &before);
    assert!(change.largest_mm < 0.03, "what is linear stays: {change:?}");
    // Both sides of a slit keep their distance, and do not pull at each other.
    let mouth = head(cut(8.0));
    let after = one(smooth("jawOpen", 10), &mouth).0;
    let (old, new) = (dense(shape(&mouth, "jawOpen")), dense(shape(&after, "jawOpen")));
    let sides = (0..SIDE).map(|row| [row * SIDE + SIDE / 2, SIDE * SIDE + row]);
    let open: Vec<[usize; 2]> = sides.filter(|[a, b]| old[*a].distance(old[*b]) > 1.0).collect();
    assert!(open.len() > 5);
    for sides in open {
        for at in sides {
            assert!(old[at].distance(new[at]) < 1e-6, "a side of the slit stays");
        }
    }
    // A seam that stays closed is no slit: it is smoothed like everything around it.
    let seam = head(cut(0.0));
    let after = one(smooth("jawOpen", 10), &seam).0;
    let (whole, cut) = (one(smooth("jawOpen", 10), &head(mesh_with_shapes())).0, dense(shape(&after, "jawOpen")));
    let whole = dense(shape(&whole, "jawOpen"));
    assert!((0..SIDE * SIDE).all(|at| whole[at].distance(cut[at]) < 1e-3));
    assert!((0..SIDE).all(|row| cut[row * SIDE + SIDE / 2].distance(cut[SIDE * SIDE + row]) < 1e-4));
}

#[test]
fn shapes_move_by_a_factor_and_the_others_as_before() {
    let head = head(mesh_with_shapes());
    let names: Vec<&str> = head.meshes[0].targets.iter().map(|target| target.name.as_str()).collect();
    let (scaled, change) = one(Mend::of_shapes(Kind::Scale(Scale { factor: 0.5 }), [names[0]]), &head);
    let half: Vec<Vec3> = dense(shape(&head, names[0])).iter().map(|delta| *delta * 0.5).collect();
    assert_eq!(dense(shape(&scaled, names[0])), half);
    assert_eq!(dense(shape(&scaled, names[1])), dense(shape(&head, names[1])));
    assert!(change.refused.is_empty());
}

#[test]
fn normals_turn_with_the_surface_and_hard_edges_stay_hard() {
    let mut mesh = sheet();
    for position in &mut mesh.vertices.positions {
        position.z = 0.0;
    }
    // The tangents, and a second normal at the copies along the cut, which make it a hard edge.
    mesh.vertices.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); mesh.vertices.len()];
    let tilt = glam::Quat::from_rotation_x(0.4);
    let tilted: Vec<Vec3> = mesh.vertices.positions.iter().map(|&place| tilt * place - place).collect();
    mesh.vertices.normals[SIDE * SIDE - 1] = Vec3::new(0.0, 0.6, 0.8);
    mesh.targets = vec![stretch(&mesh), Target::from_dense("tilt".into(), 0.0, &tilted, &[], &[])];
    mesh.targets[0].normals = Vec::new();
    let before = head(mesh);
    let found = lint(&before, &Settings::default()).into_iter().find(|it| it.rule == Rule::Unturned).unwrap();
    let (after, change) = one(remedy(&before, &found).unwrap(), &before);
    assert_eq!((change.changed.contains(&"tilt".to_owned()), change.largest_mm), (true, 0.0));
    assert!(change.in_words().contains(", the normals of 441 vertices"), "{}", change.in_words());
    assert!(lint(&after, &Settings::default()).iter().all(|it| it.rule != Rule::Unturned));
    let (vertices, tilted) = (&after.meshes[0].vertices, shape(&after, "tilt"));
    assert_eq!(tilted.rows.len(), SIDE * SIDE);
    for (at, &row) in tilted.rows.iter().enumerate() {
        let normal = vertices.normals[row as usize];
        assert!((normal + tilted.normals[at]).distance(tilt * normal) < 1e-5, "each turns from what it was");
        let tangent = vertices.tangents[row as usize].truncate();
        assert!((tangent + tilted.tangents[at]).distance(tilt * tangent) < 1e-5);
    }
    let again = one(Mend::of_shapes(Kind::Normals(Normals::default()), ["tilt"]), &after).1;
    assert!(!again.is_any(), "normals that are there stay: {again:?}");
}

#[test]
fn a_contained_shape_is_found_with_its_weight_and_taken_out() {
    for weight in [1.0, -1.0, 0.4] {
        let mut mesh = mesh_with_shapes();
        let own = target(&mesh, "funnel", |place| Vec3::new(0.0, 1.0, 6.0) * bump(place, Vec2::new(0.0, 10.0), 40.0));
        let jaw = dense(&mesh.targets[4]);
        let all: Vec<Vec3> = dense(&own).iter().zip(jaw).map(|(own, jaw)| *own + jaw * weight).collect();
        mesh.targets.push(Target::from_dense("funnel".into(), 0.0, &all[..SIDE * SIDE], &[], &[]));
        let before = head(mesh);
        let subtract = Contained { shape: "jawOpen".into(), weight: None };
        let (after, change) = one(Mend::of_shapes(Kind::Contained(subtract), ["funnel"]), &before);
        assert!((change.weights["funnel"] - weight).abs() < 1e-4, "{change:?}");
        let most =
            dense(shape(&after, "funnel")).iter().zip(dense(&own)).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
        assert!(most < 2e-3, "{most}");
        if weight != 0.4 {
            let found = lint(&before, &Settings::default()).into_iter().find(|it| it.rule == Rule::Contained).unwrap();
            let by_finding = one(remedy(&before, &found).unwrap(), &before).0;
            assert_same_targets(&by_finding, &after, 0.0);
            assert!(lint(&after, &Settings::default()).iter().all(|it| it.rule != Rule::Contained));
        }
    }
}

#[test]
fn each_shape_is_said_with_its_own_weight_of_what_it_contained() {
    let mut mesh = mesh_with_shapes();
    let jaw = dense(&mesh.targets[4]);
    for (name, weight) in [("pucker", 0.8), ("funnel", 0.4)] {
        let all: Vec<Vec3> = jaw[..SIDE * SIDE].iter().map(|delta| *delta * weight).collect();
        mesh.targets.push(Target::from_dense(name.into(), 0.0, &all, &[], &[]));
    }
    let subtract = Kind::Contained(Contained { shape: "jawOpen".into(), weight: None });
    let change = one(Mend::of_shapes(subtract, ["pucker", "funnel"]), &head(mesh)).1;
    let near = |name: &str, weight: f32| (change.weights[name] - weight).abs() < 1e-4;
    assert!(near("pucker", 0.8) && near("funnel", 0.4), "{change:?}");
    assert!(change.in_words().contains("; weights 0.400 to 0.800"), "{}", change.in_words());
}

#[test]
fn everything_rests_at_zero() {
    let mut mesh = mesh_with_shapes();
    mesh.targets[4].default_weight = 0.25;
    let before = head(mesh);
    let found = lint(&before, &Settings::default()).into_iter().find(|it| it.rule == Rule::RestWeight).unwrap();
    let (after, change) = one(remedy(&before, &found).unwrap(), &before);
    assert_eq!(after.default_weights(), [0.0; 5]);
    assert!((change.largest_mm - 5.0).abs() < 0.5, "a quarter of 20 mm: {change:?}");
}

#[test]
fn every_pose_gives_the_same_points_after_another_face_is_at_rest() {
    let mut mesh = mesh_with_shapes();
    let half: Vec<Vec3> = dense(&mesh.targets[1])[..SIDE * SIDE].iter().map(|it| *it * 0.2 + Vec3::Z).collect();
    let beyond: Vec<Vec3> = half.iter().map(|it| *it * 3.0).collect();
    mesh.targets[1].set_in_betweens(vec![
        InBetween::from_dense("half".into(), 0.5, &half, &[], &[]),
        InBetween::from_dense("beyond".into(), 1.5, &beyond, &[], &[]),
    ]);
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.25, 0.5, 1.0], 2).unwrap();
    let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 1, curve }])];
    let before = Head::new(Asset { meshes: vec![mesh], clips, ..Asset::default() });
    let face = [("smile", 0.3), ("jawOpen", 0.6), ("gone", 1.0)].map(|(name, weight)| (name.to_owned(), weight));
    let (after, change) = one(Kind::Rebase(Rebase { face: face.into() }).into(), &before);
    assert!(change.moves_rest && change.largest_mm > 10.0, "{change:?}");
    assert_eq!(change.refusals().collect::<Vec<_>>(), ["gone: the head has no shape of that name"]);
    let of_face = [0.0, 0.3, 0.0, 0.0, 0.6];
    let sum = |head: &Head, weights: &[f32], vertex: usize| {
        let mut normal = head.meshes[0].vertices.normals[vertex];
        for (shape, weight) in head.meshes[0].targets.iter().zip(weights).flat_map(|(it, weight)| it.shapes_at(*weight))
        {
            let at = shape.rows.binary_search(&(vertex as u32)).ok();
            normal += at.and_then(|at| shape.normals.get(at)).map_or(Vec3::ZERO, |delta| *delta * weight);
        }
        normal.normalize_or_zero()
    };
    for pose in 0..40_u64 {
        let old: Vec<f32> = (0..5).map(|at| random::signed(9, pose * 5 + at) * 1.8).collect();
        let new: Vec<f32> = old.iter().zip(of_face).map(|(weight, face)| weight - face).collect();
        let [old_points, new_points] = [(&before, &old), (&after, &new)]
            .map(|(head, weights)| crate::measure::deformed_positions(&head.meshes[0], weights));
        let most = old_points.iter().zip(&new_points).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(most < 1e-6 * SIZE, "{most} at {old:?}");
        for vertex in [5, 100, 220, 333] {
            assert!(sum(&before, &old, vertex).distance(sum(&after, &new, vertex)) < 1e-5);
        }
    }
    let plays = |head: &Head, target| head.clips[0].sample(1.0, target).unwrap();
    assert!((plays(&after, 1) - (plays(&before, 1) - 0.3)).abs() < 1e-6);
    assert_eq!(plays(&after, 2), plays(&before, 2));
    let split = Mend::of_shapes(Kind::Split(Split::default()), ["smile"]);
    let both = apply(&before, &[Kind::Rebase(Rebase { face: [("jawOpen".to_owned(), 0.6)].into() }).into(), split]);
    assert!(both.head.unwrap().channel_named("smileLeft").is_some(), "mends go on upon the new face");
}

#[test]
fn normals_that_no_shape_changes_turn_with_the_face_that_comes_to_rest() {
    let mut mesh = sheet();
    for position in &mut mesh.vertices.positions {
        position.z = 0.0;
    }
    mesh.vertices.tangents = vec![Vec4::new(0.0, 1.0, 0.0, 1.0); mesh.vertices.len()];
    let tilt = glam::Quat::from_rotation_x(0.8);
    let tilted: Vec<Vec3> = mesh.vertices.positions.iter().map(|&place| tilt * place - place).collect();
    mesh.targets = vec![Target::from_dense("tilt".into(), 0.0, &tilted, &[], &[])];
    let rest = Mend::from(Kind::Rebase(Rebase { face: [("tilt".to_owned(), 1.0)].into() }));
    let before = head(mesh);
    let after = one(rest.clone(), &before).0;
    let vertices = &after.meshes[0].vertices;
    assert!(vertices.normals.iter().all(|normal| normal.distance(tilt * Vec3::Z) < 1e-5));
    assert!(vertices.tangents.iter().all(|tangent| tangent.truncate().distance(tilt * Vec3::Y) < 1e-5));
    let stored = apply(&before, &[Kind::Normals(Normals::default()).into(), rest]).head.unwrap();
    let stored = &stored.meshes[0].vertices;
    assert!(vertices.normals.iter().zip(&stored.normals).all(|(a, b)| a.distance(*b) < 1e-5), "as if they were stored");
}

#[test]
fn shapes_that_are_not_in_the_face_rest_at_zero_in_it() {
    let mut mesh = mesh_with_shapes();
    mesh.targets[4].default_weight = 0.5;
    let before = head(mesh);
    for (face, weights) in [(vec![], [0.0; 5]), (vec![("smile".to_owned(), 0.3)], [0.0, 0.3, 0.0, 0.0, 0.0])] {
        let (after, _) = one(Kind::Rebase(Rebase { face: face.into_iter().collect() }).into(), &before);
        assert_eq!(after.default_weights(), [0.0; 5]);
        let [shown, rest] = [(&before, weights), (&after, [0.0; 5])]
            .map(|(head, weights)| crate::measure::deformed_positions(&head.meshes[0], &weights));
        assert!(shown.iter().zip(&rest).all(|(a, b)| a.distance(*b) < 1e-4));
    }
}

#[test]
fn shapes_can_get_another_order_alone() {
    let before = head(mesh_with_shapes());
    let order = ["jawOpen", "smile"].map(str::to_owned).to_vec();
    let rename = || Mend::from(Kind::Rename(Rename { order: order.clone(), ..Rename::default() }));
    let (after, change) = one(rename(), &before);
    let names: Vec<&str> = after.channels.iter().map(|channel| channel.full_name.as_str()).collect();
    assert_eq!(names, ["jawOpen", "smile", "widen", "browLeft", "browRight"]);
    assert_eq!(change.in_words(), "puts shapes in another order");
    assert_eq!(one(rename(), &after).1.in_words(), "changes nothing");
}

#[test]
fn names_of_a_dialect_are_proposed_taken_and_followed() {
    let mut mesh = mesh_with_shapes();
    for (target, name) in
        mesh.targets.iter_mut().zip(["extra", "Mouth_Smile_L", "Brow_Down_L", "Brow_Down_R", "Jaw_Open"])
    {
        target.name = name.into();
    }
    let before = head(mesh);
    let rename = Rename::to(Dialect::Metahuman, &before);
    let of_metahuman =
        ["browDownL", "browDownR", "jawOpen", "mouthCornerPullL"].map(|it| format!("CTRL_expressions_{it}"));
    assert_eq!((&rename.order[..], &rename.names["Brow_Down_R"]), (&of_metahuman[..], &of_metahuman[1]));
    let (renamed, _) = one(Kind::Rename(rename).into(), &before);
    assert_eq!(renamed.channels[2].full_name, of_metahuman[2]);
    let rename = Rename::to(Dialect::Arkit, &before);
    assert_eq!(rename.names["Jaw_Open"], "jawOpen");
    let (after, change) = one(Kind::Rename(rename).into(), &before);
    let names: Vec<&str> = after.channels.iter().map(|channel| channel.full_name.as_str()).collect();
    let mut sorted = names.clone();
    let place = |name: &&str| smirk_face::head::ARKIT_NAMES.iter().position(|it| it == name).unwrap_or(99);
    sorted.sort_by_key(place);
    assert_eq!((names.len(), &names), (5, &sorted), "in the order of ARKit");
    assert!(names.contains(&"jawOpen") && names.contains(&"browDownLeft") && names[4] == "extra", "{names:?}");
    assert_eq!((change.changed.len(), change.vertices), (4, 0));
    assert_eq!(shape(&after, "jawOpen").positions, shape(&before, "Jaw_Open").positions);
    let swap = Rename {
        names: [("jawOpen", "extra"), ("extra", "jawOpen")].map(|(a, b)| (a.into(), b.into())).into(),
        ..Rename::default()
    };
    let swapped = one(Kind::Rename(swap).into(), &after).0;
    assert_eq!(shape(&swapped, "extra").positions, shape(&after, "jawOpen").positions);
    let taken = Rename { names: [("extra".to_owned(), "jawOpen".to_owned())].into(), ..Rename::default() };
    let change = one(Kind::Rename(taken).into(), &after).1;
    assert_eq!(change.refusals().collect::<Vec<_>>(), ["extra: another shape has the name \"jawOpen\""]);
}

#[test]
fn what_is_safe_changes_nothing_that_is_seen() {
    let mut mesh = mesh_with_shapes();
    let still = target(&mesh, "puff", |_| Vec3::ZERO);
    let noisy: Vec<Vec3> = dense(&mesh.targets[2])[..SIDE * SIDE].iter().map(|it| *it + Vec3::Z * 0.0005).collect();
    let twin = Target { name: "smileAgain".into(), ..mesh.targets[1].clone() };
    let known = Target { name: "mouthFunnel".into(), ..mesh.targets[1].clone() };
    mesh.targets[2] = Target::from_dense("browLeft".into(), 0.0, &noisy, &[], &[]);
    mesh.targets[4].positions[0] *= Vec3::new(-0.0, 1.0, 1.0);
    mesh.targets.extend([still, twin, known]);
    let binds = vec![Bind { target: 6, weight: 0.5 }, Bind { target: 1, weight: 0.25 }];
    let expressions = vec![Expression { name: "happy".into(), binds, ..Expression::default() }];
    let before = Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() });
    let mends = safe_mends(&before, &lint(&before, &Settings::default()));
    let kinds: Vec<&str> = mends.iter().map(|mend| mend.kind.label()).collect();
    assert_eq!(kinds, ["Remove empty shapes", "Remove duplicates", "Remove noise", "Tidy numbers"]);
    let Mended { head: after, changes } = apply(&before, &mends);
    let after = after.unwrap();
    let names: Vec<&str> = after.target_channels().iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(names, ["widen", "smile", "browLeft", "browRight", "jawOpen", "mouthFunnel"]);
    let refused: Vec<String> = changes[1].as_ref().unwrap().refusals().collect();
    assert_eq!(refused, ["mouthFunnel: captures know its name"]);
    assert!(changes.iter().flatten().all(|change| change.largest_mm < 0.0021), "{changes:?}");
    let happy: Vec<(usize, f32)> = after.expressions[0].binds.iter().map(|bind| (bind.target, bind.weight)).collect();
    assert_eq!(happy, [(1, 0.75)], "the expression moves the one that is left as far as both");
    let has_negative_zero = after.meshes[0]
        .targets
        .iter()
        .flat_map(|it| &it.positions)
        .any(|delta| delta.to_array().iter().any(|x| *x == 0.0 && x.is_sign_negative()));
    assert!(!has_negative_zero);
    let rules: Vec<Rule> = lint(&after, &Settings::default()).iter().map(|finding| finding.rule).collect();
    assert!(!rules.contains(&Rule::Empty) && !rules.contains(&Rule::Noise), "{rules:?}");
    assert_eq!(safe_mends(&after, &lint(&after, &Settings::default())).len(), 1, "the duplicate that stays");
}

#[test]
fn a_duplicate_that_an_animation_moves_stays_and_expressions_that_are_not_shown_follow() {
    let mut mesh = mesh_with_shapes();
    let twins = ["first twin", "second twin"].map(|name| Target { name: name.into(), ..mesh.targets[1].clone() });
    mesh.targets.extend(twins);
    let curve = Curve::new(Interpolation::Step, vec![0.0, 0.5, 1.0], vec![0.0, 1.0, 1.0], 1).unwrap();
    let clip = Clip::new("happy".into(), vec![Track { first_target: 5, curve }]);
    let response = Response { clip, materials: Vec::new(), of_file: None };
    let binds = response.binds();
    let happy = Expression { name: "happy".into(), binds, response: Some(response), ..Expression::default() };
    let binds = vec![Bind { target: 6, weight: 0.5 }];
    let unshown = Expression { name: "sad".into(), binds, ..Expression::default() };
    let before = Head::new(Asset {
        meshes: vec![mesh],
        expressions: vec![happy.clone()],
        unshown_expressions: vec![unshown],
        ..Asset::default()
    });
    let (after, change) = one(Kind::Duplicates(Duplicates {}).into(), &before);
    assert_eq!(change.removed, ["second twin"]);
    assert_eq!(change.refusals().collect::<Vec<_>>(), ["first twin: the animation of an expression moves it"]);
    assert_eq!(after.expressions[0].response, happy.response);
    assert_eq!(after.unshown_expressions[0].binds, [Bind { target: 1, weight: 0.5 }]);
}

#[test]
fn a_side_that_lacks_a_mesh_of_the_other_gets_it_when_both_are_symmetrised() {
    let face = mesh_with_shapes();
    let mut lashes = sheet();
    lashes.vertices.positions.iter_mut().for_each(|position| position.z += 40.0);
    lashes.targets = vec![face.targets[3].clone()];
    let before = Head::new(Asset { meshes: vec![face, lashes], ..Asset::default() });
    let (after, change) = one(Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["browLeft"]), &before);
    assert_eq!((change.added.as_slice(), change.unmatched), (&["browLeft".to_owned()][..], 0));
    let of_lashes = |head: &Head, name: &str| {
        dense(head.meshes[1].targets.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no {name}")))
    };
    let (old, left, right) =
        (of_lashes(&before, "browRight"), of_lashes(&after, "browLeft"), of_lashes(&after, "browRight"));
    for row in 0..SIDE {
        for column in 0..SIDE {
            let [at, image] = [row * SIDE + column, row * SIDE + SIDE - 1 - column];
            assert_eq!(right[at], old[at] * 0.5, "the mean with a side that does not move");
            assert_eq!(left[image], right[at] * Vec3::new(-1.0, 1.0, 1.0));
        }
    }
    let point = MaskPoint { at: [RIGHT.x, RIGHT.y, 30.0], radius_mm: 38.0 };
    let near = Mend { mask: Some(Mask(vec![point])), ..Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["browLeft"]) };
    let (masked, change) = one(near, &before);
    assert!(change.added.is_empty(), "the left side is outside of the mask: {change:?}");
    assert_ne!(of_lashes(&masked, "browRight"), old);
}

#[test]
fn the_plane_of_symmetry_is_that_of_the_head_that_a_mend_is_applied_to() {
    let mut mesh = mesh_with_shapes();
    // Hair on one side, which an exporter moves by noise.
    for index in 0..300 {
        let place = Vec3::new(20.0 + 0.13 * index as f32, 30.0 + 0.07 * index as f32, -60.0 - 0.11 * index as f32);
        let row = mesh.vertices.positions.len() as u32;
        mesh.vertices.positions.push(place);
        mesh.vertices.normals.push(Vec3::Z);
        mesh.targets[0].rows.push(row);
        mesh.targets[0].positions.push(Vec3::X * 1e-7);
        mesh.targets[0].normals.push(Vec3::ZERO);
    }
    let before = head(mesh);
    let noise = Mend::from(Kind::Noise(Noise::default()));
    let mirror = Mend::of_shapes(Kind::Mirror(Mirror::default()), ["browLeft"]);
    let alone = apply(&before, &[noise.clone(), mirror.clone()]);
    let between = apply(&before, &[mirror.clone(), noise, mirror]);
    let refused = between.changes[0].as_ref().unwrap();
    assert_eq!(
        refused.refusals().collect::<Vec<_>>(),
        ["the head is not symmetric: no plane was found that mirrors it"]
    );
    assert!(alone.changes[1].as_ref().unwrap().is_any());
    assert_eq!(alone.changes[..], between.changes[1..]);
    let surface = Surface::new(&before);
    let after = alone.head.unwrap();
    let [first, again] = [(); 2].map(|()| surface.mirror(&after).unwrap());
    assert!(Arc::ptr_eq(&first, &again), "found once while the same vertices move");
    assert!(surface.mirror(&before).is_none());
}

#[test]
fn a_mask_does_not_mix_shapes_with_other_in_betweens() {
    let mut mesh = mesh_with_shapes();
    let half = InBetween::from_dense("half".into(), 0.5, &vec![Vec3::X; SIDE * SIDE], &[], &[]);
    mesh.targets[3].set_in_betweens(vec![half]);
    let before = head(mesh);
    let mirror = Mend::of_shapes(Kind::Mirror(Mirror::default()), ["browLeft"]);
    let point = MaskPoint { at: [RIGHT.x, RIGHT.y, 0.0], radius_mm: 40.0 };
    let change = one(Mend { mask: Some(Mask(vec![point])), ..mirror.clone() }, &before).1;
    let refused = "browLeft: its in-betweens are at other weights than those of \"browRight\"";
    assert_eq!((change.refusals().collect::<Vec<_>>(), change.is_any()), (vec![refused.to_owned()], false));
    assert!(one(mirror, &before).1.is_any(), "without a mask it becomes the image");
    let face = || Kind::Rebase(Rebase { face: [("browRight".to_owned(), 0.3)].into() });
    let masked = one(Mend { mask: Some(Mask(vec![point])), ..face().into() }, &before);
    assert_same_targets(&masked.0, &one(face().into(), &before).0, 0.0);
}

#[test]
fn a_mask_limits_a_mend_to_the_surface_near_its_points() {
    let before = head(mesh_with_shapes());
    let point = |radius_mm| MaskPoint { at: [35.0, 14.0, -10.0], radius_mm };
    let everywhere = Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["browLeft"]);
    let near = Mend { mask: Some(Mask(vec![point(40.0)])), ..everywhere.clone() };
    let nowhere = Mend { mask: Some(Mask(vec![point(0.0)])), ..everywhere.clone() };
    let (all, some) = (one(everywhere, &before).1, one(near, &before));
    assert!(!one(nowhere, &before).1.is_any());
    assert_eq!((some.1.changed.len(), all.changed.len()), (1, 2), "the other side is outside: {:?}", some.1);
    assert!(some.1.vertices < all.vertices && some.1.largest_mm > 0.0);
}

#[test]
fn a_shape_is_divided_by_a_mask_into_two_that_add_up_to_it() {
    let before = head(mesh_with_shapes());
    let by_mask = Split { by: Parts::Mask, suffixes: Parts::Mask.suffixes(), ..Split::default() };
    let split = Mend::of_shapes(Kind::Split(by_mask), ["widen"]);
    let point = MaskPoint { at: [35.0, 14.0, 0.0], radius_mm: 40.0 };
    let (parts, change) = one(Mend { mask: Some(Mask(vec![point])), ..split.clone() }, &before);
    assert_eq!((change.added.len(), change.removed.len()), (2, 1));
    let [inside, outside] = ["widenInside", "widenOutside"].map(|name| dense(shape(&parts, name)));
    let whole = dense(shape(&before, "widen"));
    for (vertex, place) in before.meshes[0].vertices.positions.iter().enumerate() {
        assert_eq!(inside[vertex] + outside[vertex], whole[vertex], "to the last bit");
        let away = place.distance(Vec3::from(point.at));
        assert!(away < 40.0 || inside[vertex] == Vec3::ZERO, "{vertex}");
        assert!(away > 20.0 || outside[vertex] == Vec3::ZERO, "{vertex}");
    }
    let refused: Vec<String> = one(split, &before).1.refusals().collect();
    assert_eq!(refused, ["it is done by a mask, and there is none"]);
}

#[test]
fn a_mask_of_values_covers_what_is_large_and_no_more() {
    let places: Vec<Vec3> = (0..1000).map(|index| Vec3::new((index % 100) as f32, (index / 100) as f32, 0.0)).collect();
    let value = |place: Vec3| {
        if place.x < 30.0 {
            -2.0
        } else if place.x < 60.0 {
            0.9
        } else {
            f32::NAN
        }
    };
    let mask = Mask::covering(places.iter().map(|&place| (place, value(place))), 8.0, 1.0);
    assert!((4..60).contains(&mask.0.len()), "{mask:?}");
    for place in places {
        let amount = mask.amount(place, 1.0);
        assert!(if place.x < 30.0 { amount == 1.0 } else { place.x < 38.0 || amount == 0.0 }, "{place}: {amount}");
    }
    for none in [0.0, f32::NAN] {
        assert_eq!(Mask::covering([(Vec3::ZERO, none)], 8.0, 1.0), Mask::default());
    }
}

#[test]
fn meshes_of_any_place_scale_and_turn_are_mended_alike() {
    let world = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.001),
        glam::Quat::from_rotation_y(0.5),
        Vec3::new(0.2, 1.6, 0.05),
    );
    let plain = mesh_with_shapes();
    let to_mesh = world.inverse();
    let scale = Mat4::from_scale(Vec3::splat(0.001));
    let mut placed = plain.clone();
    placed.world_from_mesh = world;
    let into = |at: Vec3| to_mesh.transform_point3(scale.transform_point3(at));
    let into_delta = |delta: Vec3| to_mesh.transform_vector3(scale.transform_vector3(delta));
    placed.vertices.positions.iter_mut().for_each(|position| *position = into(*position));
    placed
        .vertices
        .normals
        .iter_mut()
        .for_each(|normal| *normal = to_mesh.transform_vector3(*normal).normalize_or_zero());
    for target in &mut placed.targets {
        target.positions.iter_mut().for_each(|delta| *delta = into_delta(*delta));
    }
    let mends = [
        Mend::of_shapes(Kind::Mirror(Mirror::default()), ["browLeft"]),
        Mend::of_shapes(Kind::Split(Split::default()), ["smile"]),
        Mend::of_shapes(Kind::Noise(Noise { below_mm: 0.3, below_degrees: 0.0 }), ["jawOpen"]),
    ];
    let (plain, placed) = (apply(&head(plain), &mends), apply(&head(placed), &mends));
    for (plain, placed) in plain.changes.iter().flatten().zip(placed.changes.iter().flatten()) {
        assert_eq!((&plain.changed, plain.unmatched), (&placed.changed, placed.unmatched));
        let near = (plain.largest_mm - placed.largest_mm).abs() < 0.01 * plain.largest_mm.max(0.01);
        assert!(near, "{plain:?} {placed:?}");
    }
    let (plain, placed) = (plain.head.unwrap(), placed.head.unwrap());
    for (plain, placed) in plain.meshes[0].targets.iter().zip(&placed.meshes[0].targets) {
        let (plain, placed) = (dense(plain), dense(placed));
        let most = plain.iter().zip(placed).map(|(a, b)| into_delta(*a).distance(b) * 1.0).fold(0.0, f32::max);
        assert!(most < 0.01, "{most}");
    }
}

/// A head of the usual mesh that is an avatar of a version, with an expression of its own.
fn avatar(version: VrmVersion) -> Head {
    let carried = json!({"extras": 7, "materialColorBinds": [
        {"material": 0, "type": "shadeColor", "targetValue": [0, 0, 0, 1]},
        {"material": 0, "type": "color", "targetValue": [0.5, 0, 0, 1]},
    ]});
    let Value::Object(carried) = carried else { panic!() };
    let own = Expression { name: "blush".into(), override_blink: Override::Blend, carried, ..Expression::default() };
    let meta = serde_json::Map::new();
    let avatar = Some(Avatar { version, meta, bones: Vec::new(), look_at: None, first_person: Vec::new() });
    let materials = vec![Material { name: "Face".into(), ..Material::default() }];
    Head::new(Asset { meshes: vec![mesh_with_shapes()], expressions: vec![own], avatar, materials, ..Asset::default() })
}

fn binds(head: &Head, name: &str) -> Vec<(String, f32)> {
    let expression = head.expressions.iter().find(|it| it.name == name).unwrap();
    let named = expression.binds.iter().map(|bind| (head.target(bind.target).unwrap().1.name.clone(), bind.weight));
    named.collect()
}

#[test]
fn an_expression_is_made_changed_renamed_and_deleted_on_any_head() {
    let before = head(mesh_with_shapes());
    let face = [("smile", 1.0), ("jawOpen", 0.25), ("gone", 1.0)].map(|(name, weight)| (name.to_owned(), weight));
    let make = SetExpression::of_face("happy", face.into());
    let (made, change) = one(Kind::Expression(make.clone()).into(), &before);
    assert_eq!(binds(&made, "happy"), [("jawOpen".into(), 0.25), ("smile".into(), 1.0)]);
    assert_eq!(made.expressions[0].preset, Some(Preset::Happy), "by its name");
    assert_eq!((change.in_words(), change.vertices), ("makes the expression happy".into(), 0));
    assert_eq!(change.refusals().collect::<Vec<_>>(), ["gone: the head has no shape of that name"]);
    let mut weights = made.default_weights();
    weights[5] = 0.5;
    made.resolve(&mut weights);
    assert_eq!(weights, [0.0, 0.5, 0.0, 0.0, 0.125]);
    let set = SetExpression {
        name: "happy".into(),
        is_binary: Some(true),
        override_mouth: Some(Override::Block),
        rename: Some("glad".into()),
        ..SetExpression::default()
    };
    let (changed, change) = one(Kind::Expression(set).into(), &made);
    let glad = &changed.expressions[0];
    assert_eq!((glad.name.as_str(), glad.preset, glad.is_binary), ("glad", None, true));
    assert_eq!((glad.override_mouth, &glad.binds), (Override::Block, &made.expressions[0].binds), "the rest stays");
    assert_eq!(change.in_words(), "makes the expression glad; deletes the expression happy");
    let delete = |name: &str| SetExpression { name: name.into(), delete: true, ..SetExpression::default() };
    let deleted = one(Kind::Expression(delete("glad")).into(), &changed).0;
    assert!(deleted.expressions.is_empty());
    let change = one(Kind::Expression(delete("glad")).into(), &before).1;
    assert_eq!(change.refusals().collect::<Vec<_>>(), ["the head has no expression \"glad\""]);
    // All in one list, after a mend that gives the shapes other numbers.
    let mends = [Mend::of_shapes(Kind::Split(Split::default()), ["smile"]), Kind::Expression(make).into()];
    let split = apply(&before, &[mends[1].clone(), mends[0].clone()]).head.unwrap();
    let both = [("jawOpen".to_owned(), 0.25), ("smileLeft".into(), 1.0), ("smileRight".into(), 1.0)];
    assert_eq!(binds(&split, "happy"), both);
}

#[test]
fn names_and_presets_of_expressions_are_those_that_a_file_can_have() {
    let reason = |head: &Head, set: SetExpression| {
        let change = one(Kind::Expression(set).into(), head).1;
        assert!(!change.is_any());
        change.refused[0].reason.clone()
    };
    let named = |name: &str| SetExpression { name: name.into(), ..SetExpression::default() };
    let [v0, v1] = [VrmVersion::V0, VrmVersion::V1].map(avatar);
    assert_eq!(reason(&v1, named("  ")), Reason::NoName);
    let custom = SetExpression { preset: Some(PresetChoice(None)), ..named("happy") };
    assert_eq!(reason(&v1, custom.clone()), Reason::NameOfPreset("happy".into()));
    assert_eq!(one(Kind::Expression(custom).into(), &v0).0.expressions[1].preset, None, "VRM 0.x says which it is");
    let other = one(Kind::Expression(named("angry")).into(), &v1).0;
    let again = SetExpression { preset: Some(PresetChoice(Some(Preset::Angry))), ..named("blush") };
    assert_eq!(reason(&other, again), Reason::PresetTaken("angry".into()));
    let of_v0 =
        SetExpression { preset: Some(PresetChoice(Some(Preset::Angry))), is_binary: Some(true), ..named("blush") };
    let cross = one(Kind::Expression(of_v0).into(), &v0).0;
    let (found, change) = one(Kind::Expression(named("angry")).into(), &cross);
    assert!(!change.is_any() && found.expressions[0].name == "blush", "its preset is meant");
    let twin = SetExpression { rename: Some("blush".into()), ..named("angry") };
    assert_eq!(reason(&other, twin), Reason::ExpressionNamed("blush".into()));
    let of_preset = SetExpression { preset: Some(PresetChoice(Some(Preset::Sad))), ..named("blush") };
    let name = |head: &Head| one(Kind::Expression(of_preset.clone()).into(), head).0.expressions[0].name.clone();
    assert_eq!((name(&v1), name(&v0)), ("sad".into(), "blush".into()), "a preset of VRM 1.0 has its own name");
    assert_eq!((of_preset.final_name(&v1), of_preset.final_name(&v0)), ("sad", "blush"));
}

#[test]
fn what_an_expression_does_to_materials_is_set_in_the_words_of_its_file_and_the_rest_stays() {
    let effects = [
        Effect::Color([1.0, 0.5, 0.5, 1.0]),
        Effect::Emission([0.25, 0.0, 0.0]),
        Effect::TextureTransform { scale: [1.0, 0.5], offset: [0.25, 0.0] },
    ];
    let named = |material: &str, effect| MaterialEffect { material: material.into(), effect };
    let mut materials: Vec<MaterialEffect> = effects.map(|effect| named("Face", effect)).into();
    materials.push(named("Hair", effects[0]));
    let set = SetExpression { name: "blush".into(), materials: Some(materials), ..SetExpression::default() };
    let after = |version| one(Kind::Expression(set.clone()).into(), &avatar(version));
    let (v1, change) = after(VrmVersion::V1);
    assert_eq!(change.refused[0].reason, Reason::NoMaterial("Hair".into()));
    let blush = &v1.expressions[0];
    assert_eq!((blush.materials.len(), blush.override_blink), (3, Override::Blend));
    let expected = json!({
        "extras": 7,
        "materialColorBinds": [
            {"material": 0, "type": "shadeColor", "targetValue": [0, 0, 0, 1]},
            {"material": 0, "type": "color", "targetValue": [1.0, 0.5, 0.5, 1.0]},
            {"material": 0, "type": "emissionColor", "targetValue": [0.25, 0.0, 0.0, 1.0]},
        ],
        "textureTransformBinds": [{"material": 0, "scale": [1.0, 0.5], "offset": [0.25, 0.0]}],
    });
    assert_eq!(json!(blush.carried), expected);
    let v0 = after(VrmVersion::V0).0;
    let value = |property: &str, value: [f32; 4]| json!({"materialName": "Face", "propertyName": property, "targetValue": value});
    assert_eq!(
        v0.expressions[0].carried["materialValues"],
        json!([
            value("_Color", [1.0, 0.5, 0.5, 1.0]),
            value("_EmissionColor", [0.25, 0.0, 0.0, 1.0]),
            value("_MainTex_ST", [1.0, 0.5, 0.25, 0.5]),
        ])
    );
    let none = SetExpression { materials: Some(Vec::new()), ..set };
    let bare = one(Kind::Expression(none).into(), &v1).0;
    assert!(bare.expressions[0].materials.is_empty());
    assert_eq!(bare.expressions[0].carried["materialColorBinds"], json!([expected["materialColorBinds"][0]]));
    assert!(!bare.expressions[0].carried.contains_key("textureTransformBinds"));
}

#[test]
fn expressions_of_a_set_are_made_of_the_shapes_that_a_head_has() {
    let mut mesh = mesh_with_shapes();
    for (target, name) in
        mesh.targets.iter_mut().zip(["Mouth_Smile", "Jaw_Open", "EyeBlink_L", "EyeBlink_R", "mouthFunnel"])
    {
        target.name = name.into();
    }
    let blink = Expression { name: "blink".into(), preset: Some(Preset::Blink), ..Expression::default() };
    let own =
        Expression { name: "jawopen".into(), binds: vec![Bind { target: 4, weight: 1.0 }], ..Expression::default() };
    let before = Head::new(Asset { meshes: vec![mesh], expressions: vec![blink, own], ..Asset::default() });
    let make = |set| one(Kind::Expressions(MakeExpressions { set }).into(), &before);
    let (arkit, change) = make(ExpressionSet::Arkit);
    assert_eq!(binds(&arkit, "eyeBlinkLeft"), [("EyeBlink_L".into(), 1.0)]);
    assert_eq!(binds(&arkit, "mouthSmileLeft"), [("Mouth_Smile".into(), 0.5)], "both sides are one shape");
    assert_eq!(binds(&arkit, "mouthSmileRight"), binds(&arkit, "mouthSmileLeft"));
    assert!(
        arkit.expressions.iter().filter(|it| it.name.eq_ignore_ascii_case("jawOpen")).count() == 1,
        "its own stays"
    );
    let lacks: Vec<&Refused> = change.refused.iter().filter(|it| it.shape.as_deref() == Some("tongueOut")).collect();
    assert_eq!(lacks[0].reason, Reason::NoShapeShows);
    assert_eq!(change.expressions.added.len() + change.refused.len() + 1, 52);
    let (vrm, _) = make(ExpressionSet::Vrm);
    assert_eq!(binds(&vrm, "blink"), [("EyeBlink_L".into(), 1.0), ("EyeBlink_R".into(), 1.0)], "it moved nothing");
    assert_eq!(binds(&vrm, "aa"), [("Jaw_Open".into(), 0.7)], "the nearest");
    assert_eq!(vrm.expressions[0].preset, Some(Preset::Happy), "in the order of the specification");
    let (capitals, _) = make(ExpressionSet::PerfectSync);
    assert_eq!(binds(&capitals, "EyeBlinkRight"), [("EyeBlink_R".into(), 1.0)]);
    let again = one(Kind::Expressions(MakeExpressions { set: ExpressionSet::PerfectSync }).into(), &arkit).1;
    assert!(again.expressions.added.is_empty(), "{again:?}");
}

#[test]
fn a_head_with_the_bones_of_a_body_becomes_an_avatar_and_another_is_refused() {
    let make = MakeAvatar {
        name: "Ada".into(),
        authors: vec!["Eve".into(), " ".into()],
        licence_url: MakeAvatar::LICENCE.into(),
    };
    let mend = |make: &MakeAvatar| Mend::from(Kind::Avatar(make.clone()));
    let plain = head(mesh_with_shapes());
    let change = one(mend(&make), &plain).1;
    assert!(!change.is_any());
    let refusal = change.refusals().next().unwrap();
    assert!(
        refusal.contains("the head has no bones hips, spine, head, ") && refusal.ends_with("must have"),
        "{refusal}"
    );
    let names = [
        "Hips",
        "Spine",
        "Neck",
        "Head",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
        "RightArm",
        "RightForeArm",
        "RightHand",
    ];
    let parents = [0, 0, 1, 2, 0, 4, 5, 0, 7, 8, 1, 10, 11, 1, 13, 14];
    let node = |(at, name): (usize, &str)| Node {
        name: name.into(),
        parent: (at > 0).then(|| parents[at]),
        rest: LocalTransform::Matrix(Mat4::IDENTITY),
    };
    let mut asset = plain.into_asset();
    asset.rig.nodes = names.into_iter().enumerate().map(node).collect();
    let body = Head::new(asset);
    let (made, change) = one(mend(&make), &body);
    let avatar = made.avatar.as_ref().unwrap();
    assert_eq!((avatar.version, avatar.lacks()), (VrmVersion::V1, None));
    assert_eq!(json!(avatar.meta), json!({"name": "Ada", "authors": ["Eve"], "licenseUrl": MakeAvatar::LICENCE}));
    assert_eq!(change.in_words(), "sets what the avatar says of itself");
    let nameless = one(mend(&MakeAvatar { name: String::new(), ..make.clone() }), &body).1;
    assert!(!nameless.is_any());
    assert_eq!(nameless.refusals().collect::<Vec<_>>(), ["it does not say a name, which VRM requires"]);
    let renamed = MakeAvatar { name: "Eva".into(), ..MakeAvatar::default() };
    let meta = &one(mend(&renamed), &made).0.avatar.clone().unwrap().meta;
    assert_eq!((&meta["name"], &meta["authors"]), (&json!("Eva"), &json!(["Eve"])), "what is empty stays");
    let old = one(mend(&make), &self::avatar(VrmVersion::V0)).0.avatar.clone().unwrap().meta;
    assert_eq!((&old["title"], &old["otherLicenseUrl"]), (&json!("Ada"), &json!(MakeAvatar::LICENCE)));
}

#[test]
fn left_and_right_are_swapped_by_name_and_a_shape_of_the_middle_by_its_image() {
    let before = head(mesh_with_shapes());
    let swap = |shapes: &[&str]| Mend::of_shapes(Kind::Swap(Swap {}), shapes.iter().copied());
    let (swapped, change) = one(Kind::Swap(Swap {}).into(), &before);
    assert_eq!(change.changed, ["browLeft", "browRight"]);
    assert_eq!(shape(&swapped, "browLeft").positions, shape(&before, "browRight").positions);
    assert_eq!(shape(&swapped, "jawOpen").positions, shape(&before, "jawOpen").positions, "only what has a side");
    let one_side = one(swap(&["browRight"]), &before).0;
    assert_eq!(shape(&one_side, "browRight").positions, shape(&before, "browLeft").positions);
    let twice = one(Kind::Swap(Swap {}).into(), &swapped).0;
    assert_eq!(format!("{:?}", twice.meshes[0].targets), format!("{:?}", before.meshes[0].targets));
    let (image, change) = one(swap(&["widen"]), &before);
    assert_eq!(change.changed, ["widen"]);
    let (back, _) = one(swap(&["widen"]), &image);
    assert_eq!(dense(shape(&back, "widen")), dense(shape(&before, "widen")), "the image of the image");
    let binds = vec![Bind { target: 2, weight: 0.5 }];
    let expressions = vec![Expression { name: "frown".into(), binds, ..Expression::default() }];
    let playing = Head::new(Asset { expressions, ..before.into_asset() });
    let after = one(Kind::Swap(Swap {}).into(), &playing).0;
    assert_eq!(self::binds(&after, "frown"), [("browRight".into(), 0.5)], "it moves what it moved before");
}

#[test]
fn a_list_that_changes_at_its_end_is_not_done_from_its_beginning() {
    let read = Arc::new(head(mesh_with_shapes()));
    let noise = |below_mm| Mend::from(Kind::Noise(Noise { below_mm, below_degrees: 0.0 }));
    let rest = Kind::Rebase(Rebase { face: [("jawOpen".to_owned(), 0.5)].into() });
    let list = |below_mm| vec![Kind::Symmetrise(Symmetrise {}).into(), rest.clone().into(), noise(below_mm)];
    let mut cache = MendCache::default();
    let mut applied = Vec::new();
    let shorter = list(0.3)[..1].to_vec();
    let off = vec![Mend { enabled: false, ..list(0.3)[0].clone() }, list(0.3)[1].clone(), noise(0.4)];
    for mends in [list(0.1), list(0.2), list(0.3), list(0.3), shorter, off, Vec::new(), list(0.1)] {
        let before = cache.applied;
        let (head, changes) = cache.apply(&read, &mends);
        applied.push(cache.applied - before);
        let expected = apply(&read, &mends);
        assert_eq!(changes, expected.changes);
        let meshes = |head: Option<&Head>| head.map(|head| format!("{:?}", head.meshes));
        assert_eq!(meshes(head.as_deref()), meshes(expected.head.as_ref()));
    }
    assert_eq!(applied, [3, 3, 1, 1, 1, 3, 0, 3], "what comes before the changed one is kept from the second time on");
    let other = Arc::new(Head::new(read.to_asset()));
    let before = cache.applied;
    cache.apply(&other, &list(0.1));
    assert_eq!(cache.applied - before, 3, "another head");
}

#[test]
fn a_list_is_the_same_after_its_file_and_the_same_list_gives_the_same_head() {
    let list = vec![
        Mend::of_shapes(Kind::Noise(Noise { below_mm: 0.002, below_degrees: 0.1 }), ["a \"b\"\\\n\u{7f}é", "c"]),
        Mend {
            mask: Some(Mask(vec![MaskPoint { at: [1.0, -2.5, 3e-8], radius_mm: 7.1 }])),
            ..Kind::Tidy(Tidy {}).into()
        },
        Mend { enabled: false, ..Kind::Split(Split::default()).into() },
        Kind::Join(Join { into: "x".into() }).into(),
        Kind::Mirror(Mirror { onto: Some("y".into()) }).into(),
        Kind::Mirror(Mirror::default()).into(),
        Kind::Symmetrise(Symmetrise {}).into(),
        Kind::Smooth(Smooth { strength: 0.5, passes: 7 }).into(),
        Kind::Scale(Scale { factor: 0.75 }).into(),
        Kind::Normals(Normals { all: true }).into(),
        Kind::Cracks(Cracks { to: Together::Larger }).into(),
        Kind::Contained(Contained { shape: "z".into(), weight: Some(-0.5) }).into(),
        Kind::ZeroRest(ZeroRest {}).into(),
        Kind::Rebase(Rebase { face: [("a b".to_owned(), 0.5)].into() }).into(),
        Kind::Rename(Rename { names: [("a".to_owned(), "b".to_owned())].into(), order: vec!["b".into()] }).into(),
        Kind::Empty(Empty {}).into(),
        Kind::Duplicates(Duplicates {}).into(),
        Kind::Swap(Swap {}).into(),
        Kind::Expression(SetExpression {
            rename: Some("b".into()),
            preset: Some(PresetChoice(Some(Preset::BlinkLeft))),
            is_binary: Some(false),
            override_look_at: Some(Override::Block),
            materials: Some(vec![MaterialEffect {
                material: "m \"1\"".into(),
                effect: Effect::TextureTransform { scale: [1.0, 2.0], offset: [0.1, -0.25] },
            }]),
            ..SetExpression::of_face("a", [("jaw open".to_owned(), 0.7)].into())
        })
        .into(),
        Kind::Expression(SetExpression { delete: true, name: "c".into(), ..SetExpression::default() }).into(),
        Kind::Expressions(MakeExpressions { set: ExpressionSet::PerfectSync }).into(),
        Kind::Avatar(MakeAvatar { name: "Ada".into(), authors: vec!["Eve".into()], licence_url: "x".into() }).into(),
    ];
    let mends = Mends { list };
    let text = mends.to_toml();
    assert_eq!(Mends::parse(&text).unwrap(), mends, "{text}");
    let json = serde_json::to_string(&mends.list).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Mend>>(&json).unwrap(), mends.list);
    let head = head(mesh_with_shapes());
    let result = |_| {
        let mended = apply(
            &head,
            &[Kind::Symmetrise(Symmetrise {}).into(), Kind::Noise(Noise { below_mm: 0.5, below_degrees: 1.0 }).into()],
        );
        format!("{:?}", mended.head.map(|head| head.into_asset().meshes))
    };
    assert_eq!(result(0), result(1));
}

#[test]
fn a_file_with_a_mistake_is_refused_with_line_and_column() {
    for (text, message) in [
        ("[[mend]]\nkind.nois = {}", "line 2, column 6: unknown variant `nois`, expected one of `noise`, `split`"),
        ("[[mend]]\nkind.noise = { below_mm = -1.0 }", "line 2, column 27: -1 is not a number of 0 or more"),
        ("[[mend]]\nkind.noise = { below_mm = nan }", "line 2, column 27: NaN is not a number of 0 or more"),
        ("[[mend]]\nkind.noise = { below = 1.0 }", "line 2, column 16: unknown field `below`, expected `below_mm`"),
        ("[[mend]]\nshapes = [\"a\"]", "line 1, column 1: missing field `kind`"),
        ("[[mend]]\nkind.tidy = {}\nshapes = 3", "line 3, column 10: invalid type: integer `3`"),
        ("mends = 1", "line 1, column 1: unknown field `mends`, expected `mend`"),
        ("[[mend", "line 1, column "),
        ("[[mend]]\nkind.expression = { name = \"a\", binds = { b = nan } }", "line 2, column 41: b: NaN is no weight"),
        (
            "[[mend]]\nkind.expression = { name = \"a\", preset = \"joy\" }",
            "line 2, column 42: \"joy\" is neither a preset nor custom",
        ),
        ("[[mend]]\nkind.expression = {}", "line 2, column 19: missing field `name`"),
        (
            "[[mend]]\nkind.noise = {}\nmask = [{ at = [0.0, 1.0], radius_mm = 3.0 }]",
            "line 3, column 16: invalid length 2",
        ),
    ] {
        let error = Mends::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(message) && !error.contains('\n'), "{error}");
    }
    let many = "[[mend]]\nkind.tidy = {}\n".repeat(Mend::MOST + 1);
    assert_eq!(Mends::parse(&many).unwrap_err().to_string(), "201 mends; a list has at most 200");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mends.toml");
    std::fs::write(&path, b"\xff").unwrap();
    assert!(Mends::read(&path).unwrap_err().to_string().ends_with("mends.toml: is not text in UTF-8"));
    assert!(Mends::read(&folder.path().join("gone.toml")).is_err());
}

#[test]
fn what_crosses_together_is_pushed_apart_by_a_corrective_and_by_no_more_than_it_takes() {
    let head = two_sheets();
    let pinch = |shapes: &[&str]| Mend::of_shapes(Kind::Pinch(Pinch::default()), shapes.iter().copied());
    let mended = apply(&head, &[pinch(&["push", "lift"])]);
    let change = mended.changes[0].clone().unwrap();
    let [before, after] = change.crossed_mm.unwrap();
    assert!(before > 30.0 && after == 0.0, "{change:?}");
    let mended = mended.head.unwrap();
    let channel = mended.channel_named("push_lift").unwrap();
    assert_eq!(mended.correctives.of_channel(channel).unwrap().drive_in_words(), "push × lift");
    // Together they overlap by up to 2 mm, of which each sheet goes back by half; what only touches may stay.
    let target = mended.meshes[0].targets.iter().find(|target| target.name == "push_lift").unwrap();
    let largest = target.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max);
    assert!((0.6..1.6).contains(&largest), "{largest}");
    // It ends at contact: where the sheets overlapped most, less than what is visible lies between them.
    let mut heights: Vec<f32> = mended.meshes[0].vertices.positions.iter().map(|place| place.z).collect();
    for target in mended.meshes[0].targets.iter().filter(|it| ["push", "lift", "push_lift"].contains(&&*it.name)) {
        target.rows.iter().zip(&target.positions).for_each(|(row, delta)| heights[*row as usize] += delta.z);
    }
    let is_middle = |place: &Vec3| place.truncate().length() < 5.0;
    let of_sheet = |z: f32| {
        let places = mended.meshes[0].vertices.positions.iter().zip(&heights);
        places.filter(move |(place, _)| place.z == z && is_middle(place)).map(|(_, height)| *height)
    };
    let gap = of_sheet(0.0).fold(f32::INFINITY, f32::min) - of_sheet(-10.0).fold(f32::NEG_INFINITY, f32::max);
    assert!(gap.abs() < 0.2, "{gap}");
    assert_eq!(target.normals.len(), target.rows.len());
    // Ranked again, nothing crosses; each alone is as before.
    let judged = judge(&mended, Progress::NONE).unwrap();
    let of_both = judged.iter().find(|it| it.combination.name(&mended) == "push + lift").unwrap();
    assert_eq!(of_both.intersections.length_mm(), 0.0, "{of_both:?}");
    for name in ["push", "lift"] {
        let mut weights = mended.default_weights();
        weights[mended.channels[mended.channel_named(name).unwrap()].targets[0]] = 1.0;
        mended.resolve(&mut weights);
        assert_eq!(weights.iter().filter(|weight| **weight != 0.0).count(), 1, "{name} moves the corrective");
    }
    // A name may be taken, and what does not cross needs nothing.
    let named = Mend::of_shapes(Kind::Pinch(Pinch { into: "push_lift".into() }), ["push", "lift"]);
    let refused = apply(&mended, &[named]);
    let words: Vec<String> = refused.changes[0].iter().flat_map(Change::refusals).collect();
    assert_eq!(words, ["another shape has the name \"push_lift\""]);
    for (head, shapes) in [(&head, ["push", "grow"]), (&mended, ["push", "lift"])] {
        let harmless = apply(head, &[pinch(&shapes)]);
        let words = harmless.changes[0].as_ref().unwrap().in_words();
        assert!(harmless.head.is_none() && words.contains("nothing crosses"), "{words}");
    }
}

#[test]
fn a_pushed_combination_has_a_short_name() {
    let mesh = sheet();
    let names = ["blinkLeft", "blinkRight", "L_smile", "R_smile", "jawOpen", "puff.L", "puff.R", "frown"];
    let targets = names.map(|name| target(&mesh, name, |place| Vec3::Z * bump(place, LEFT, 30.0)));
    let head = head(Mesh { targets: targets.into(), ..mesh });
    let name = |channels: &[usize]| Pinch::usual_name(&head, channels);
    assert_eq!(name(&[0, 2, 1]), "blink_L_smile");
    assert_eq!(name(&[3, 2, 4, 5, 6]), "smile_jawOpen_puff");
    assert_eq!(name(&[0, 1, 2, 3, 4, 5, 6, 7]), "blink_smile_and_3_more");
    assert_eq!(name(&[]), "");
}

#[test]
fn what_is_renamed_is_still_found_by_the_names_that_it_had() {
    let mesh = sheet();
    let targets = ["grin", "puff"].map(|name| target(&mesh, name, |place| Vec3::Z * bump(place, LEFT, 30.0)));
    let head = head(Mesh { targets: targets.into(), ..mesh });
    let rename = |old: &str, new: &str| {
        Mend::from(Kind::Rename(Rename { names: [(old.to_owned(), new.to_owned())].into(), ..Rename::default() }))
    };
    let mended = |mends: &[Mend]| apply(&head, mends).head.unwrap();
    let twice = mended(&[rename("grin", "smile"), rename("smile", "mouthSmile")]);
    let found = ["grin", "smile", "mouthSmile", "puff"].map(|name| twice.channel_named(name));
    assert_eq!(found, [Some(0), Some(0), Some(0), Some(1)]);
    // A name that another one has got means that one.
    let other = mended(&[rename("grin", "smile"), rename("puff", "grin")]);
    assert_eq!(["grin", "smile", "puff"].map(|name| other.channel_named(name)), [Some(1), Some(0), Some(1)]);
}
