//! Views of the surface that show something else than its materials.

use crate::pictures::*;
use smirk_scene::{Matcap, ViewMode};

fn view(view: ViewMode) -> Look {
    Look { view, ..Look::default() }
}

fn drawn(renderer: &mut TestRenderer, (head, look): (&Arc<Head>, &Look), mode: BlendMode, samples: u32) -> RgbaImage {
    let weights = pose(head, if head.target_count() > 0 { &[("jawOpen", 0.6)] } else { &[] });
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let quality = Quality { samples, ..Quality::FULL };
    let scene = Scene { weights: weights.into(), mode, quality, ..Scene::at_rest(head, &camera, look, SIZE) };
    renderer.picture(&scene)
}

#[test]
fn every_view_is_a_picture_of_its_own_and_the_same_in_every_mode_and_at_rest() {
    let (mut renderer, head) = (renderer(), small_head());
    let matcaps = Matcap::ALL.iter().map(|&matcap| Look { matcap, ..view(ViewMode::Matcap) });
    let others = ViewMode::ALL.iter().copied().filter(|&mode| mode != ViewMode::Matcap).map(view);
    let mut before: Vec<(Look, RgbaImage)> = Vec::new();
    for look in others.chain(matcaps) {
        let shown = drawn(&mut renderer, (&head, &look), BlendMode::Cpu, 0);
        for (other, picture) in &before {
            let differs = share_that_differs(&shown, picture, 12);
            assert!(differs > 0.02, "{:?} {:?} is {:?}: {differs}", look.view, look.matcap, other.view);
        }
        for mode in [BlendMode::Vertex, BlendMode::Compute, BlendMode::Multipass] {
            let differs = share_that_differs(&shown, &drawn(&mut renderer, (&head, &look), mode, 0), 12);
            assert!(differs < 0.002, "{:?} in {mode:?}: {differs}", look.view);
        }
        if !matches!(look.view, ViewMode::Shaded | ViewMode::Clay) {
            let refined = drawn(&mut renderer, (&head, &look), BlendMode::Compute, 4);
            let differs = share_that_differs(&shown, &refined, 40);
            assert!(differs < 0.03, "{:?} {:?} at rest: {differs}", look.view, look.matcap);
        }
        before.push((look, shown));
    }
}

/// What the picture of a square shows in the middle.
fn of_square(look: &Look, world_from_mesh: Mat4, material: Material) -> [u8; 4] {
    let head = head_of(vec![square(world_from_mesh, 0)], vec![material], vec![]);
    middle_in(look, &head, View::Front)
}

#[test]
fn normals_are_colours_of_their_directions() {
    let material = || Material { double_sided: true, ..Material::default() };
    let of = |turn: f32| of_square(&view(ViewMode::Normals), Mat4::from_rotation_y(turn), material());
    let near = |color: [u8; 4], expected: [u8; 3]| {
        let apart = color.iter().zip(expected).map(|(a, b)| a.abs_diff(b)).max();
        assert!(apart <= Some(2), "{color:?} is not {expected:?}");
    };
    near(of(0.0), [128, 128, 255]);
    // cos 45° / 2 + 1/2 of 255.
    near(of(std::f32::consts::FRAC_PI_4), [218, 128, 218]);
    // The back of a surface with two sides faces the eye as well.
    near(of(std::f32::consts::PI), [128, 128, 255]);
}

#[test]
fn backs_of_triangles_are_red_whatever_the_material_culls() {
    for double_sided in [false, true] {
        let of = |turn: f32| {
            let material = Material { double_sided, ..Material::default() };
            of_square(&view(ViewMode::Backfaces), Mat4::from_rotation_y(turn), material)
        };
        let (front, back) = (of(0.0), of(std::f32::consts::PI));
        assert!(front[0] == front[1] && front[1] == front[2] && front[0] > 100, "{front:?}");
        assert!(back[0] > 200 && back[1] < 60 && back[2] < 60, "{back:?}");
    }
}

#[test]
fn clay_has_no_colour_of_the_material_and_keeps_its_holes() {
    let red = Material { base_color: [0.9, 0.0, 0.0, 1.0], emissive: [0.0, 0.5, 0.0], ..Material::default() };
    let plain = of_square(&view(ViewMode::Clay), Mat4::IDENTITY, Material::default());
    assert_eq!(of_square(&view(ViewMode::Clay), Mat4::IDENTITY, red.clone()), plain);
    assert_ne!(of_square(&Look::default(), Mat4::IDENTITY, red), plain);
    let nothing = head_of(vec![], vec![], vec![]);
    let clear = |alpha| Material { alpha, base_color: [1.0, 1.0, 1.0, 0.1], ..Material::default() };
    for (view_mode, alpha) in [ViewMode::Clay, ViewMode::Matcap, ViewMode::Normals]
        .into_iter()
        .flat_map(|view| [(view, AlphaMode::Blend), (view, AlphaMode::Mask { cutoff: 0.5 })])
    {
        let background = middle_in(&view(view_mode), &nothing, View::Front);
        let hole = of_square(&view(view_mode), Mat4::IDENTITY, clear(alpha));
        assert!(largest_step(&hole, &background) < 12, "{view_mode:?} {alpha:?}: {hole:?}, not {background:?}");
    }
}

/// How many pixels of a row of the picture are darker in the wireframe, and where: in parts of the picture's width.
fn lines_in_row(head: &Arc<Head>, row: f32, mode: BlendMode) -> Vec<f32> {
    let mut renderer = renderer();
    let mut of = |look: &Look| picture_in(look, &mut renderer, (head, &[]), mode, View::Front);
    let (without, with) = (of(&Look::default()), of(&view(ViewMode::Wireframe)));
    let y = (row * SIZE[1] as f32) as u32;
    let is_darker = |x: &u32| {
        let [before, after] = [&without, &with].map(|picture| i32::from(picture.get_pixel(*x, y)[1]));
        before - after > 40
    };
    (0..SIZE[0]).filter(is_darker).map(|x| x as f32 / SIZE[0] as f32).collect()
}

#[test]
fn edges_are_lines_of_one_pixel_and_hidden_ones_are_not_drawn() {
    let material = || Material { unlit: true, ..Material::default() };
    let near = square(Mat4::IDENTITY, 0);
    let alone = head_of(vec![near.clone()], vec![material()], vec![]);
    let small = |z: f32| square(Mat4::from_translation(Vec3::new(0.2, 0.0, z)) * Mat4::from_scale(Vec3::splat(0.2)), 0);
    let with_hidden = head_of(vec![near.clone(), small(-0.1)], vec![material()], vec![]);
    let in_front = head_of(vec![near, small(0.1)], vec![material()], vec![]);
    for &mode in BlendMode::ALL {
        // A row above the middle crosses the diagonal right of the middle; the sides lie against the dark background.
        let lines = lines_in_row(&alone, 0.42, mode);
        assert!((1..=2).contains(&lines.len()) && (0.5..0.7).contains(&lines[0]), "{mode:?}: {lines:?}");
        let (shown, hidden) = (lines_in_row(&in_front, 0.5, mode), lines_in_row(&with_hidden, 0.5, mode));
        assert!(shown.len() > hidden.len() && hidden.len() <= 2, "{mode:?}: {shown:?}, {hidden:?}");
    }
}

#[test]
fn a_hidden_mesh_leaves_the_picture_with_its_shadow() {
    let materials = || vec![Material::default(), unlit([0.0, 1.0, 0.0, 1.0])];
    let front = square(Mat4::from_translation(Vec3::Z * 0.2) * Mat4::from_scale(Vec3::splat(0.5)), 1);
    let head = head_of(vec![square(Mat4::IDENTITY, 0), front], materials(), vec![]);
    let hidden = Look { hidden: [1].into_iter().collect(), ..Look::default() };
    let [shown, without] = [Look::default(), hidden].map(|look| middle_in(&look, &head, View::Front));
    assert_eq!(shown, [0, 255, 0, 255]);
    assert!(without[0].abs_diff(without[1]) < 40, "{without:?} is not the grey square behind");
    let mut renderer = renderer();
    let back_and_forth: Vec<RgbaImage> = [Look::default(), hidden, Look::default()]
        .iter()
        .map(|look| picture_in(look, &mut renderer, (&head, &[]), BlendMode::Compute, View::Front))
        .collect();
    assert!(back_and_forth[0] == back_and_forth[2] && back_and_forth[0] != back_and_forth[1]);
}

#[test]
fn an_isolated_face_has_neither_strands_nor_lashes_and_a_closed_skull() {
    let (mut renderer, head) = (renderer(), bundled_head());
    let isolated = Look { isolates_face: true, ..Look::default() };
    let named = |names: &[&str]| {
        let is_named = |(_, mesh): &(usize, &Mesh)| names.contains(&mesh.name.as_str());
        let hidden = head.meshes.iter().enumerate().filter(is_named).map(|(index, _)| index).collect();
        Look { hidden, ..Look::default() }
    };
    let mut of = |look: &Look| drawn(&mut renderer, (&head, look), BlendMode::Compute, 0);
    let whole = of(&Look::default());
    let isolated = of(&isolated);
    let differs = |other: &RgbaImage| share_that_differs(&isolated, other, 20);
    // The surface lies close under the strands, so that few pixels differ by much.
    assert!(differs(&whole) > 0.004, "{}", differs(&whole));
    // The strands are gone, and the surface on which they grow closes the skull.
    let [open, with_strands] = [&["hair", "lashes", "brows"][..], &["lashes", "brows"]].map(|names| of(&named(names)));
    assert!(differs(&open) > 0.03, "{}", differs(&open));
    assert!((0.003..0.2).contains(&differs(&with_strands)), "{}", differs(&with_strands));
}
