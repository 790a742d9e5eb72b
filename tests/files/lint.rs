//! The lint: each rule on a head with the fault that it looks for, and all rules on a head without faults.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use glam::{Mat4, Vec2, Vec3};
use smirk_analysis::lint::{Finding, Measure, Rule, Settings, Severity};
use smirk_face::head::{Asset, Head, InBetween, Level, Mesh, Part, Target, Vertices};
use smirk_support::HANGS_AFTER;

/// Vertices along a side of the sheet; odd, so that some are in the middle.
const SIDE: usize = 21;
/// The side of the sheet, in metres: the size of a face.
const SIZE: f32 = 0.14;

/// A sheet in the xy plane that faces along z, a little curved.
fn sheet() -> Mesh {
    let at = |index: usize| index as f32 / (SIDE - 1) as f32 - 0.5;
    let places = (0..SIDE * SIDE).map(|index| Vec2::new(at(index % SIDE), at(index / SIDE)));
    let positions: Vec<Vec3> = places.map(|place| place.extend(-place.length_squared()) * SIZE).collect();
    let corner = |x: usize, y: usize| (y * SIDE + x) as u32;
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)));
    let square = |(x, y)| {
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        [a, b, c, a, c, d]
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

/// The height, 1 at most, of a bump around `center` at a position.
fn bump(place: Vec3, center: Vec2) -> f32 {
    (1.0 - place.truncate().distance(center * SIZE) / (SIZE * 0.3)).max(0.0)
}

/// Adds a shape with deltas of normals, so that the rule for missing ones finds nothing.
fn add(mesh: &mut Mesh, name: &str, delta: impl Fn(Vec3) -> Vec3) {
    let positions: Vec<Vec3> = mesh.vertices.positions.iter().map(|&place| delta(place)).collect();
    let normals: Vec<Vec3> = positions.iter().map(|delta| Vec3::X * delta.length() * 10.0).collect();
    mesh.targets.push(Target::from_dense(name.into(), 0.0, &positions, &normals, &[]));
}

const LEFT: Vec2 = Vec2::new(0.25, 0.1);
const RIGHT: Vec2 = Vec2::new(-0.25, 0.1);

/// A sheet whose shapes have no faults.
fn mesh_without_faults() -> Mesh {
    let mut mesh = sheet();
    add(&mut mesh, "smileLeft", |place| Vec3::new(0.3, 0.5, 1.0) * bump(place, LEFT) * 0.01);
    add(&mut mesh, "smileRight", |place| Vec3::new(-0.3, 0.5, 1.0) * bump(place, RIGHT) * 0.01);
    add(&mut mesh, "jawOpen", |place| Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03);
    mesh
}

fn head(meshes: Vec<Mesh>) -> Head {
    Head::new(Asset { name: "test".into(), meshes, ..Asset::default() })
}

/// All rules, also those that are off by default.
fn all_rules() -> Settings {
    let off = Rule::ALL.iter().copied().filter(|rule| rule.severity() == Severity::Off);
    let tables: String = off.map(|rule| format!("[{}]\nlevel = \"note\"\n", rule.keyword())).collect();
    Settings::parse(&tables).unwrap()
}

fn lint(head: &Head) -> Vec<Finding> {
    smirk_analysis::lint::lint(head, &all_rules())
}

fn findings(mesh: Mesh) -> Vec<(Rule, String)> {
    let head = head(vec![mesh]);
    lint(&head)
        .into_iter()
        .map(|finding| (finding.rule, format!("{}: {}", finding.object(&head), finding.message)))
        .collect()
}

/// The text of the only finding, which is of that rule.
fn finding(rule: Rule, mesh: Mesh) -> String {
    let found = findings(mesh);
    assert!(found.len() == 1 && found[0].0 == rule, "{found:?}");
    found[0].1.clone()
}

#[test]
fn a_head_without_faults_has_no_findings() {
    assert_eq!(findings(mesh_without_faults()), []);
    let mut far = mesh_without_faults();
    far.world_from_mesh = Mat4::from_scale_rotation_translation(
        Vec3::splat(100.0),
        glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        Vec3::new(5.0, 9.0, -3.0),
    );
    assert_eq!(findings(far), []);
    assert_eq!(findings(sheet()), []);
}

#[test]
fn the_bundled_head_is_clean() {
    let head = smirk_files::import::embedded().unwrap();
    let found: Vec<Finding> = lint(&head).into_iter().filter(|finding| finding.level == Level::Warning).collect();
    assert_eq!(found, []);
    assert!(lint(&head).iter().any(|finding| finding.message.starts_with("52/52")));
}

#[test]
fn shapes_that_move_nothing_are_reported() {
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "puff", |_| Vec3::ZERO);
    add(&mut mesh, "sneer", |place| Vec3::Z * bump(place, LEFT) * 1e-7);
    let text = finding(Rule::Empty, mesh);
    assert!(text.starts_with("puff and sneer: 2 shapes move nothing further than less than 0.001 mm"), "{text}");
}

/// Gives the last shape of a mesh an in-between at 0.5 that moves as `delta` says.
fn add_in_between(mesh: &mut Mesh, delta: impl Fn(Vec3) -> Vec3) {
    let positions: Vec<Vec3> = mesh.vertices.positions.iter().map(|&place| delta(place)).collect();
    let normals: Vec<Vec3> = positions.iter().map(|delta| Vec3::X * delta.length() * 10.0).collect();
    let half = InBetween::from_dense("half".into(), 0.5, &positions, &normals, &[]);
    assert!(mesh.targets.last_mut().unwrap().set_in_betweens(vec![half]).is_empty());
}

#[test]
fn in_betweens_that_move_nothing_are_reported() {
    let mut mesh = mesh_without_faults();
    add_in_between(&mut mesh, |_| Vec3::ZERO);
    let text = finding(Rule::InBetween, mesh);
    assert!(text.starts_with("jawOpen: jawOpen moves at weight 1, but its in-between at 0.5 moves nothing"), "{text}");
    let mut mesh = mesh_without_faults();
    add_in_between(&mut mesh, |place| Vec3::NEG_Z * bump(place, Vec2::new(0.0, -0.3)) * 0.01);
    assert_eq!(findings(mesh), []);
}

#[test]
fn a_shape_with_in_betweens_is_no_copy_of_one_without_and_is_not_empty_where_they_move() {
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "drop", |place| Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03);
    assert_eq!(findings(mesh.clone())[0].0, Rule::Duplicate);
    let beside = |place: Vec3| Vec3::NEG_Z * bump(place, Vec2::new(0.0, -0.3)) * 0.01;
    add_in_between(&mut mesh, beside);
    assert_eq!(findings(mesh), []);
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "pulse", |_| Vec3::ZERO);
    add_in_between(&mut mesh, beside);
    assert_eq!(findings(mesh), []);
}

#[test]
fn equal_opposite_and_scaled_shapes_are_distinguished() {
    for (factor, rule, words) in [
        (1.0, Rule::Duplicate, "jawOpen and other: move every vertex alike"),
        (-1.0, Rule::Opposite, "each undoes the other"),
        (0.5, Rule::Mix, "other is 0.50 × jawOpen"),
    ] {
        let mut mesh = mesh_without_faults();
        add(&mut mesh, "other", |place| Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03 * factor);
        let text = finding(rule, mesh);
        assert!(text.contains(words), "{text}");
    }
    // A shape that differs by half a millimetre at one vertex is another shape.
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "other", |place| {
        let corner = if place.distance(mesh_corner()) < 1e-3 { Vec3::Z * 5e-4 } else { Vec3::ZERO };
        Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03 + corner
    });
    assert_eq!(findings(mesh), []);
}

fn mesh_corner() -> Vec3 {
    sheet().vertices.positions[0]
}

#[test]
fn sums_of_two_and_three_shapes_are_found_and_solved_for_the_largest() {
    let left = |place: Vec3| Vec3::new(0.3, 0.5, 1.0) * bump(place, LEFT) * 0.01;
    let right = |place: Vec3| Vec3::new(-0.3, 0.5, 1.0) * bump(place, RIGHT) * 0.01;
    let jaw = |place: Vec3| Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03;
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "both", |place| left(place) + right(place));
    let text = finding(Rule::Mix, mesh);
    assert!(text.contains("both is smileLeft + smileRight"), "{text}");
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "grin", |place| left(place) + right(place) - 0.5 * jaw(place));
    let text = finding(Rule::Mix, mesh);
    assert!(
        text.contains("0.50 × ") && ["smileLeft", "smileRight", "jawOpen", "grin"].iter().all(|it| text.contains(it)),
        "{text}"
    );
}

#[test]
fn invisible_movements_are_noise() {
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "frown", |place| Vec3::Y * (bump(place, LEFT * -1.0) * 0.01 + 3e-9));
    let text = finding(Rule::Noise, mesh);
    assert!(text.contains("frown: in 1 of 4 shapes"), "{text}");
}

#[test]
fn asymmetric_pairs_are_measured() {
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "eyeBlinkLeft", |place| Vec3::NEG_Y * bump(place, Vec2::new(0.35, 0.1)) * 0.01);
    add(&mut mesh, "eyeBlinkRight", |place| Vec3::NEG_Y * bump(place, Vec2::new(-0.35, 0.1)) * 0.012);
    let text = finding(Rule::Asymmetry, mesh.clone());
    assert!(text.contains("1 of 2 pairs") && text.contains("by 18 %") && text.contains("2.0 mm"), "{text}");
    // A head that is not symmetric at rest is not checked.
    mesh.vertices.positions.iter_mut().for_each(|place| place.x += place.x.max(0.0) * 0.5 + place.y * 0.3);
    assert!(findings(mesh).iter().all(|(rule, _)| *rule != Rule::Asymmetry));
}

#[test]
fn positions_that_move_without_their_normals_are_measured_in_degrees() {
    let mut mesh = mesh_without_faults();
    mesh.targets.iter_mut().for_each(|target| target.normals.clear());
    let measured = lint(&head(vec![mesh.clone()]));
    let text = finding(Rule::Unturned, mesh);
    // A bump of 1 cm over 6 cm leans by about atan(1/6).
    assert!(
        text.contains("3 of 3 shapes") && text.contains('°') && text.contains("export shape keys with normals"),
        "{text}"
    );
    let Measure::Unturned { degrees, .. } = measured[0].measure else { panic!("{measured:?}") };
    assert!((5.0..60.0).contains(&degrees), "{text}");
}

/// The sheet, cut along the middle row: its upper half has vertices of its own there.
fn cut(mut mesh: Mesh) -> Mesh {
    let middle = (SIDE / 2) * SIDE;
    let first_twin = mesh.vertices.positions.len() as u32;
    for vertex in middle..middle + SIDE {
        mesh.vertices.positions.push(mesh.vertices.positions[vertex]);
        mesh.vertices.normals.push(mesh.vertices.normals[vertex]);
    }
    for triangle in mesh.indices.as_chunks_mut::<3>().0 {
        if triangle.iter().all(|&corner| corner as usize >= middle) {
            for corner in triangle.iter_mut().filter(|corner| (**corner as usize) < middle + SIDE) {
                *corner = *corner - middle as u32 + first_twin;
            }
        }
    }
    mesh
}

#[test]
fn seams_that_open_are_cracks_and_mouths_are_not() {
    let mut closed = cut(sheet());
    add(&mut closed, "smileLeft", |place| Vec3::Z * bump(place, Vec2::new(0.2, 0.0)) * 0.01);
    let mut open = closed.clone();
    assert_eq!(findings(closed), []);
    // The vertices above the cut move 2 % less.
    let rows = open.targets[0].rows.clone();
    for (&row, delta) in rows.iter().zip(&mut open.targets[0].positions) {
        if row as usize >= SIDE * SIDE {
            *delta *= 0.98;
        }
    }
    let text = finding(Rule::Crack, open);
    assert!(text.contains("smileLeft") && text.contains("by up to 0.40 mm"), "{text}");
    let mut mouth = cut(sheet());
    add(&mut mouth, "smileLeft", |place| Vec3::Z * bump(place, Vec2::new(0.2, 0.0)) * 0.01);
    add(&mut mouth, "smileRight", |place| Vec3::Z * bump(place, Vec2::new(-0.2, 0.0)) * 0.01);
    add(&mut mouth, "jawOpen", |place| Vec3::NEG_Y * 0.01 * f32::from(u8::from(place.y <= 0.0)));
    let upper: Vec<Vec3> = mouth.targets[2]
        .rows
        .iter()
        .map(|&row| if row as usize >= SIDE * SIDE { Vec3::Z * 1e-3 } else { Vec3::NEG_Y * 0.02 })
        .collect();
    mouth.targets[2].positions = upper;
    assert!(findings(mouth).iter().all(|(rule, _)| *rule != Rule::Crack));
}

#[test]
fn missing_arkit_shapes_are_listed() {
    let mut mesh = smirk_files::import::embedded().unwrap().meshes[0].clone();
    mesh.targets.retain(|target| !["tongueOut", "jawForward"].contains(&target.name.as_str()));
    let head = head(vec![mesh]);
    let found = lint(&head).into_iter().find(|finding| finding.rule == Rule::Coverage).unwrap();
    assert!(found.message.starts_with("50/52 move something, missing jawForward, tongueOut;"), "{}", found.message);
}

#[test]
fn an_arkit_shape_that_moves_nothing_is_missing() {
    let mut mesh = smirk_files::import::embedded().unwrap().meshes[0].clone();
    let tongue = mesh.targets.iter_mut().find(|target| target.name == "tongueOut").unwrap();
    *tongue = Target { name: tongue.name.clone(), ..Target::default() };
    let head = head(vec![mesh]);
    let found = lint(&head).into_iter().find(|finding| finding.rule == Rule::Coverage).unwrap();
    assert!(found.message.starts_with("51/52 move something, missing tongueOut;"), "{}", found.message);
}

#[test]
fn neighbouring_shapes_are_found_to_be_sums_of_each_other() {
    assert!(findings_of_bumps(225) > 0);
}

#[test]
#[ignore = "long: ./dev soak"]
fn two_thousand_shapes_of_one_mesh_are_compared_in_seconds() {
    let start = Instant::now();
    assert!(findings_of_bumps(2000) > 0);
    assert!(start.elapsed() < HANGS_AFTER, "{:?}", start.elapsed());
}

/// How much is found about so many shapes of one mesh, each of which is nearly a sum of its neighbours.
fn findings_of_bumps(count: usize) -> usize {
    let mut mesh = sheet();
    for shape in 0..count {
        let center = Vec2::new((shape % 45) as f32 / 45.0 - 0.5, (shape / 45) as f32 / 45.0 - 0.5);
        add(&mut mesh, &format!("shape {shape}"), |place| Vec3::Z * bump(place, center) * 0.01);
    }
    findings(mesh).len()
}

#[test]
fn weights_at_rest_are_reported_the_largest_first() {
    let mut mesh = mesh_without_faults();
    for (target, weight) in [(0, 0.25), (2, -1.0)] {
        mesh.targets[target].default_weight = weight;
    }
    let text = finding(Rule::RestWeight, mesh.clone());
    assert!(
        text.starts_with("jawOpen and smileLeft: 2 shapes are not at 0 at rest, most of all jawOpen at -1.0"),
        "{text}"
    );
    // On one of two meshes is enough, and what is allowed is left out.
    let mut teeth = Mesh { name: "teeth".into(), ..mesh_without_faults() };
    teeth.targets.truncate(1);
    teeth.targets[0].default_weight = 1.0;
    let of_rest = |settings: &Settings| -> Vec<Finding> {
        let found = smirk_analysis::lint::lint(&head(vec![mesh_without_faults(), teeth.clone()]), settings);
        found.into_iter().filter(|finding| finding.rule == Rule::RestWeight).collect()
    };
    let found = of_rest(&Settings::default());
    assert!(
        matches!(&found[..], [Finding { measure: Measure::RestWeights { weights }, .. }] if *weights == [1.0]),
        "{found:?}"
    );
    let allowed = Settings::parse("[rest_weight]\nallow = [\"smileLeft\"]\n").unwrap();
    assert_eq!(of_rest(&allowed), []);
}

#[test]
fn shapes_that_contain_another_one_are_found_and_sums_are_not() {
    let brow = |place: Vec3| Vec3::Z * bump(place, Vec2::new(0.0, 0.35)) * 0.01;
    let jaw = |place: Vec3| Vec3::NEG_Y * bump(place, Vec2::new(0.0, -0.3)) * 0.03;
    let near = |place: Vec3| Vec3::X * bump(place, Vec2::new(0.0, 0.1)) * 0.01;
    // With the jaw open in the shape, in its base, and under a shape of the same place.
    for (sign, own, shape) in
        [("", "brow", &brow as &dyn Fn(Vec3) -> Vec3), ("−", "brow", &brow), ("", "lips", &near), ("−", "lips", &near)]
    {
        let weight = if sign.is_empty() { 1.0 } else { -1.0 };
        let mut mesh = mesh_without_faults();
        add(&mut mesh, own, |place| shape(place) + jaw(place) * weight);
        let settings = Settings::default();
        let head = head(vec![mesh]);
        let found: Vec<String> =
            smirk_analysis::lint::lint(&head, &settings).into_iter().map(|it| it.message).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("{own} contains {sign}jawOpen, ")), "{found:?}");
    }
    // Several are one finding.
    let mut mesh = mesh_without_faults();
    add(&mut mesh, "brow", |place| brow(place) + jaw(place));
    add(&mut mesh, "lips", |place| near(place) + jaw(place));
    let contained: Vec<(Rule, String)> =
        findings(mesh).into_iter().filter(|(rule, _)| *rule == Rule::Contained).collect();
    assert_eq!(contained.len(), 1, "{contained:?}");
    assert!(contained[0].1.starts_with("jawOpen, brow and lips: brow and 1 more contain jawOpen"), "{contained:?}");
    // Both sides together, all together, and a shape that has half of the jaw are no fault.
    let mut mesh = mesh_without_faults();
    let sum = |parts: &[usize]| -> Vec<Vec3> {
        let targets = parts.iter().map(|&part| mesh_without_faults().targets[part].clone()).collect::<Vec<_>>();
        let mut deltas = vec![Vec3::ZERO; mesh_without_faults().vertices.len()];
        for target in &targets {
            target.rows.iter().zip(&target.positions).for_each(|(&row, &delta)| deltas[row as usize] += delta);
        }
        deltas
    };
    for (name, parts) in [("smile", &[0, 1][..]), ("all", &[0, 1, 2])] {
        let deltas = sum(parts);
        mesh.targets.push(Target::from_dense(name.into(), 0.0, &deltas, &deltas, &[]));
    }
    add(&mut mesh, "ah", |place| near(place) + jaw(place) * 0.5);
    assert!(!findings(mesh).iter().any(|(rule, _)| *rule == Rule::Contained));
}
