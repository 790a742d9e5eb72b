//! Surfaces that are shaded by what they show: eyes, lashes, skin.

use crate::pictures::*;
use smirk_face::head::Role;
use smirk_scene::LashStyle;

fn named(name: &str, base_color: [f32; 4]) -> Material {
    Material { name: name.into(), base_color, roughness: 0.6, ..Material::default() }
}

/// A globe of 12 mm whose middle is at `center`.
fn globe(center: Vec3, material: usize) -> Mesh {
    let (rows, columns) = (32_u32, 32_u32);
    let mut vertices = Vertices::default();
    for (row, column) in (0..=rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let polar = std::f32::consts::PI * row as f32 / rows as f32;
        let around = std::f32::consts::TAU * column as f32 / columns as f32;
        let normal = Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
        vertices.positions.push(center + normal * 0.012);
        vertices.normals.push(normal);
    }
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let corners = cells.flat_map(|(row, column)| {
        let [a, b] = [row * columns + column, row * columns + (column + 1) % columns];
        [a, a + columns, b, b, a + columns, b + columns]
    });
    let indices: Vec<u32> = corners.collect();
    let parts = vec![Part { first_index: 0, index_count: indices.len() as u32, material, flat_shaded: false }];
    Mesh { vertices, indices, parts, ..Mesh::default() }
}

/// A band over the upper half of the eye around `center`: its root is on the globe, and it leads up and forward.
fn lashes(center: Vec3, material: usize) -> Mesh {
    let mut vertices = Vertices::default();
    let columns = 16_u32;
    for column in 0..=columns {
        let x = -0.010 + 0.020 * column as f32 / columns as f32;
        for out in [0.0, 0.006] {
            vertices.positions.push(center + Vec3::new(x * (1.0 + out * 40.0), 0.004 + out, 0.013 + 0.3 * out));
            vertices.normals.push(Vec3::Z);
        }
    }
    let indices: Vec<u32> =
        (0..columns).map(|column| 2 * column).flat_map(|a| [a, a + 2, a + 1, a + 1, a + 2, a + 3]).collect();
    let parts = vec![Part { first_index: 0, index_count: indices.len() as u32, material, flat_shaded: false }];
    Mesh { vertices, indices, parts, ..Mesh::default() }
}

fn eyes_with_lashes() -> Arc<Head> {
    let centers = [Vec3::new(-0.0315, 0.0, 0.0), Vec3::new(0.0315, 0.0, 0.0)];
    let eyes = centers.map(|center| globe(center, 0));
    let bands = centers.map(|center| lashes(center, 1));
    let materials = vec![named("Eye", [0.9, 0.9, 0.9, 1.0]), named("Lashes", [0.01, 0.01, 0.01, 1.0])];
    head_of(eyes.into_iter().chain(bands).collect(), materials, vec![])
}

/// The head from the front, around the left eye.
fn drawn(head: &Arc<Head>, look: &Look, quality: Quality) -> RgbaImage {
    let mut camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    camera.target_in_world = Vec3::new(0.0315, 0.0, 0.0);
    camera.distance *= 0.4;
    drawn_from(&camera, head, (look, &[]), quality)
}

fn drawn_from(camera: &Camera, head: &Arc<Head>, (look, roles): (&Look, &[Role]), quality: Quality) -> RgbaImage {
    let scene = Scene {
        weights: head.default_weights().into(),
        mode: BlendMode::Cpu,
        roles: roles.into(),
        quality,
        ..Scene::at_rest(head, camera, look, SIZE)
    };
    renderer().picture(&scene)
}

/// The whole head with plain lashes as in the file, and as strands.
fn as_in_file_and_strands(head: &Arc<Head>, roles: &[Role]) -> [RgbaImage; 2] {
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    [LashStyle::AsInFile, LashStyle::AsLashes]
        .map(|lashes| drawn_from(&camera, head, (&Look { lashes, ..Look::default() }, roles), Quality::FULL))
}

/// The mean brightness of the pixels of a picture within a box, 0..255.
fn brightness(picture: &RgbaImage, [left, top, right, bottom]: [u32; 4]) -> f64 {
    let pixels = (top..bottom).flat_map(|y| (left..right).map(move |x| picture.get_pixel(x, y).0));
    let sum: f64 = pixels.map(|[r, g, b, _]| (f64::from(r) + f64::from(g) + f64::from(b)) / 3.0).sum();
    sum / f64::from((right - left) * (bottom - top))
}

#[test]
fn eyes_of_one_colour_get_an_iris_by_choice() {
    let head = eyes_with_lashes();
    let pupil = [SIZE[0] / 2 - 3, SIZE[1] / 2 - 1, SIZE[0] / 2 + 3, SIZE[1] / 2 + 5];
    for samples in [0, 4] {
        let with = drawn(&head, &Look::default(), Quality::refined(samples));
        let without = drawn(&head, &Look { gives_iris: false, ..Look::default() }, Quality::refined(samples));
        let [with, without] = [with, without].map(|picture| brightness(&picture, pupil));
        assert!(with < 60.0 && without > 110.0, "{samples} samples: {with}, {without}");
    }
}

#[test]
fn plain_cards_of_lashes_are_strands_or_hidden_or_bands_by_choice() {
    let head = eyes_with_lashes();
    for samples in [0, 4] {
        let styles = [LashStyle::AsInFile, LashStyle::AsLashes, LashStyle::Hidden];
        let pictures =
            styles.map(|lashes| drawn(&head, &Look { lashes, ..Look::default() }, Quality::refined(samples)));
        let [band, strands, hidden] = pictures.map(|picture| brightness(&picture, [0, 0, SIZE[0], SIZE[1]]));
        let shown = format!("{samples} samples: {band}, {strands}, {hidden}");
        assert!(band + 0.1 < strands && strands + 0.1 < hidden, "{shown}");
    }
}

/// A mesh of the triangles of several, in a material.
fn joined(meshes: &[Mesh], name: &str, material: usize) -> Mesh {
    let mut whole = Mesh { name: name.into(), ..Mesh::default() };
    for mesh in meshes {
        let first = whole.vertices.len() as u32;
        whole.vertices.positions.extend(&mesh.vertices.positions);
        whole.vertices.normals.extend(&mesh.vertices.normals);
        whole.indices.extend(mesh.indices.iter().map(|vertex| first + vertex));
    }
    let index_count = whole.indices.len() as u32;
    whole.parts = vec![Part { first_index: 0, index_count, material, flat_shaded: false }];
    whole
}

/// The surface of a rod whose middle goes along `path`; without `caps`, it is open at both ends.
fn rod(path: &[Vec3], radius: f32, caps: bool) -> Mesh {
    const SIDES: u32 = 8;
    let mut vertices = Vertices::default();
    for center in path {
        for side in 0..SIDES {
            let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
            let normal = Vec3::new(0.0, angle.cos(), angle.sin());
            vertices.positions.push(*center + normal * radius);
            vertices.normals.push(normal);
        }
    }
    let rings = path.len() as u32;
    let cells = (0..rings - 1).flat_map(|ring| (0..SIDES).map(move |side| (ring, side)));
    let mut indices: Vec<u32> = cells
        .flat_map(|(ring, side)| {
            let [a, b] = [ring * SIDES + side, ring * SIDES + (side + 1) % SIDES];
            [a, b, a + SIDES, a + SIDES, b, b + SIDES]
        })
        .collect();
    if caps {
        for ring in [0, rings - 1] {
            indices
                .extend((1..SIDES - 1).flat_map(|side| [ring * SIDES, ring * SIDES + side, ring * SIDES + side + 1]));
        }
    }
    Mesh { vertices, indices, ..Mesh::default() }
}

/// A bent line over the eye around `center`, `up` above its middle.
fn arch(center: Vec3, up: f32) -> Vec<Vec3> {
    let at = |column: i32| {
        let x = column as f32 * 0.0012;
        center + Vec3::new(x, up - x * x * 15.0, 0.0125)
    };
    (-8..=8).map(at).collect()
}

/// Where both sides of a sheet are modelled, every triangle is there twice.
fn both_sides(mut mesh: Mesh) -> Mesh {
    let backs: Vec<u32> = mesh.indices.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| [a, c, b]).collect();
    mesh.indices.extend(backs);
    mesh
}

#[test]
fn only_thin_sheets_beside_the_eyes_are_cards_and_everything_else_is_drawn_as_the_file_has_it() {
    let centers = [Vec3::new(-0.0315, 0.0, 0.0), Vec3::new(0.0315, 0.0, 0.0)];
    let shapes = |shape: &dyn Fn(Vec3) -> Mesh| centers.map(shape);
    let bands = shapes(&|center| lashes(center, 1));
    let solid_brows = shapes(&|center| rod(&arch(center, 0.016), 0.0015, true));
    let flat_brows = shapes(&|center| lashes(center + Vec3::Y * 0.012, 1));
    let solid_lashes = shapes(&|center| rod(&arch(center, 0.008), 0.001, true));
    let open_tubes = shapes(&|center| rod(&arch(center, 0.008), 0.001, false));
    let brim = rod(&arch(Vec3::Y * 0.03, 0.0), 0.002, true);
    // Meshes with their names, the name of their material, whether there are eyes, and whether they are cards.
    for (case, meshes, material, has_eyes, are_cards) in [
        ("bands", vec![joined(&bands, "Lashes", 1)], "Lashes", true, true),
        ("bands of two sides", vec![both_sides(joined(&bands, "Lashes", 1))], "Lashes", true, true),
        ("bands in the material of the brows", vec![joined(&bands, "Lashes", 1)], "Eyebrows", true, true),
        (
            "a mesh for each eye",
            bands.iter().map(|band| joined(std::slice::from_ref(band), "", 1)).collect(),
            "Lash",
            true,
            true,
        ),
        ("bands without eyes", vec![joined(&bands, "Lashes", 1)], "Lashes", false, false),
        ("bands with the name of brows", vec![joined(&bands, "Brows", 1)], "Lashes", true, false),
        ("solid brows", vec![joined(&solid_brows, "Face", 1)], "Eyebrows", true, false),
        ("solid brows without eyes", vec![joined(&solid_brows, "Face", 1)], "Eyebrows", false, false),
        ("flat brows", vec![joined(&flat_brows, "Face", 1)], "Eyebrows", true, false),
        ("flat brows in the material of the lashes", vec![joined(&flat_brows, "Face", 1)], "Lashes", true, false),
        ("solid lashes", vec![joined(&solid_lashes, "Lashes", 1)], "Lashes", true, false),
        ("lashes that are open tubes", vec![joined(&open_tubes, "Lashes", 1)], "Lashes", true, false),
        ("the brim of a hat", vec![joined(std::slice::from_ref(&brim), "Hat", 1)], "Lashes", true, false),
    ] {
        let eyes = if has_eyes { centers.map(|center| globe(center, 0)).to_vec() } else { Vec::new() };
        let materials = vec![named("Eye", [0.9, 0.9, 0.9, 1.0]), named(material, [0.01, 0.01, 0.01, 1.0])];
        let head = head_of(eyes.into_iter().chain(meshes).collect(), materials, vec![]);
        assert_eq!(!head.lash_cards.parts().is_empty(), are_cards, "{case}");
        let said = head.notes.iter().filter(|note| note.to_string().contains("strands are drawn there"));
        assert_eq!(said.count(), usize::from(are_cards), "{case}: {:?}", head.notes);
        let [as_in_file, strands] = as_in_file_and_strands(&head, &[]);
        assert_eq!(as_in_file != strands, are_cards, "{case}");
    }
}

#[test]
fn roles_that_the_artist_chooses_make_no_strands_of_what_is_no_card() {
    let center = Vec3::new(0.0315, 0.0, 0.0);
    let eyes = [-1.0, 1.0].map(|side| globe(center * Vec3::new(side, 1.0, 1.0), 0));
    let solid = joined(&[rod(&arch(center, 0.016), 0.0015, true)], "Horn", 1);
    let materials = vec![named("Eye", [0.9, 0.9, 0.9, 1.0]), named("Horn", [0.01, 0.01, 0.01, 1.0])];
    let head = head_of(eyes.into_iter().chain([solid]).collect(), materials, vec![]);
    let [as_in_file, strands] = as_in_file_and_strands(&head, &[Role::Eye, Role::Lash]);
    assert_eq!(as_in_file, strands);
}

/// How much strands darken the picture, as a part of what bands of the same shape do.
fn strand_coverage(head: &Arc<Head>, quality: Quality) -> f64 {
    let styles = [LashStyle::AsInFile, LashStyle::AsLashes, LashStyle::Hidden];
    let pictures = styles.map(|lashes| drawn(head, &Look { lashes, ..Look::default() }, quality));
    let [band, strands, hidden] =
        pictures.map(|picture| brightness(&picture, [0, 0, picture.width(), picture.height()]));
    (hidden - strands) / (hidden - band)
}

#[test]
fn lashes_cover_about_as_much_while_something_moves_as_at_rest() {
    let head = eyes_with_lashes();
    let at_rest = strand_coverage(&head, Quality::refined(16));
    for (msaa, scale) in [(4, 1.0), (1, 1.0), (1, 0.5)] {
        let moving = strand_coverage(&head, Quality { msaa, scale, samples: 0 });
        let shown = format!("{msaa} samples at scale {scale}: {moving}, at rest {at_rest}");
        assert!((0.75 * at_rest..1.25 * at_rest).contains(&moving), "{shown}");
    }
}

/// A sheet of skin, which its target moves sideways, and two eyes, which make it a head of human size.
fn sheet_of_skin() -> Arc<Head> {
    sheet_of(named("Skin", [0.7, 0.5, 0.4, 1.0]), Vec::new())
}

/// The same of another material.
fn sheet_of(skin: Material, textures: Vec<Texture>) -> Arc<Head> {
    let mut sheet = square(Mat4::IDENTITY, 0);
    sheet.vertices.positions.iter_mut().for_each(|position| *position *= 0.04);
    let target = Target::from_dense("aside".into(), 0.0, &[Vec3::new(0.013, 0.007, 0.0); 4], &[], &[]);
    sheet.targets = vec![target];
    sheet.vertices.uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v)).into();
    sheet.vertices.tangents = vec![glam::Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
    let eyes = [-0.0315, 0.0315].map(|x| globe(Vec3::new(x, 0.06, 0.0), 1));
    let materials = vec![skin, named("Eye", [0.9; 4])];
    head_of([sheet].into_iter().chain(eyes).collect(), materials, textures)
}

/// The sheet from close by, with the camera moved as the sheet is.
fn skin_at(head: &Arc<Head>, weight: f32, moved: f32, mode: BlendMode) -> RgbaImage {
    let mut camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    camera.target_in_world = Vec3::new(0.013, 0.007, 0.0) * moved;
    camera.distance = 0.05;
    skin_through(&camera, head, weight, mode)
}

/// The sheet through a camera, with strong highlights.
fn skin_through(camera: &Camera, head: &Arc<Head>, weight: f32, mode: BlendMode) -> RgbaImage {
    let look = Look { gloss: 2.0, ..Look::default() };
    let scene = Scene {
        weights: [weight].into(),
        mode,
        quality: Quality::refined(2),
        ..Scene::at_rest(head, camera, &look, SIZE)
    };
    renderer().picture(&scene)
}

#[test]
fn pores_move_with_the_skin() {
    let head = sheet_of_skin();
    for mode in [BlendMode::Cpu, BlendMode::Vertex] {
        let at_rest = skin_at(&head, 0.0, 0.0, mode);
        let moved = skin_at(&head, 1.0, 1.0, mode);
        let share = share_that_differs(&at_rest, &moved, 1);
        assert!(share < 0.05, "{mode:?}: the pores swim: {share}");
        let elsewhere = skin_at(&head, 0.0, 0.4, mode);
        let share = share_that_differs(&at_rest, &elsewhere, 1);
        assert!(share > 0.1, "{mode:?}: no pores are visible: {share}");
    }
}

/// The sheet with and without its furrows, from a distance in metres, turned away by an angle: a normal map of fine texels
/// takes their place, and it is flat.
fn with_and_without_relief(distance: f32, yaw_degrees: f32) -> [RgbaImage; 2] {
    const SIDE: u32 = 512;
    let flat = Texture {
        name: "flat".into(),
        image: Arc::new(Image::new(SIDE, SIDE, [128, 128, 255, 255].repeat((SIDE * SIDE) as usize))),
        encoding: Encoding::Linear,
        sampler: Sampler::default(),
    };
    let skin = named("Skin", [0.7, 0.5, 0.4, 1.0]);
    let mapped = Material { normal_texture: Some(0.into()), ..skin.clone() };
    [sheet_of(skin, Vec::new()), sheet_of(mapped, vec![flat])].map(|head| {
        let view = View::Angles { yaw_degrees, pitch_degrees: 0.0 };
        let mut camera = Camera::framing(head.focus, head.bounds, view, 1.0);
        (camera.target_in_world, camera.distance) = (Vec3::ZERO, distance);
        skin_through(&camera, &head, 0.0, BlendMode::Cpu)
    })
}

/// The standard deviation of the brightness in the middle of a picture, 0..255.
fn unevenness(picture: &RgbaImage, half_side: u32) -> f64 {
    let middle = [SIZE[0] / 2 - half_side, SIZE[1] / 2 - half_side, SIZE[0] / 2 + half_side, SIZE[1] / 2 + half_side];
    let mean = brightness(picture, middle);
    let squares = (middle[1]..middle[3])
        .flat_map(|y| (middle[0]..middle[2]).map(move |x| [x, y, x + 1, y + 1]))
        .map(|pixel| (brightness(picture, pixel) - mean).powi(2));
    (squares.sum::<f64>() / f64::from(4 * half_side * half_side)).sqrt()
}

#[test]
fn the_relief_of_skin_is_seen_from_nearby_and_makes_no_noise_from_afar() {
    // The sheet is 40 mm wide; a pixel is 0.07 mm, 0.8 mm and 5 mm wide.
    // In the few pixels from afar it is by chance where a pore lies: therefore from some distances.
    // A difference of 0.8 of 255 is not seen; pores of the few pixels alone differ by 0.5.
    let afar = [2.6, 2.8, 3.0, 3.2, 3.4].as_slice();
    let cases = [(&[0.04][..], 100, 0.8..30.0), (&[0.5], 20, -0.5..2.5), (afar, 2, -1.0..0.8)];
    for (distances, half_side, changes) in cases {
        let change = |&distance: &f32| {
            let [with, without] = with_and_without_relief(distance, 0.0).map(|picture| unevenness(&picture, half_side));
            with - without
        };
        let found: Vec<f64> = distances.iter().map(change).collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        assert!(changes.contains(&mean), "from {distances:?} m: relief adds {found:?}");
    }
}

#[test]
fn the_relief_of_skin_leaves_no_pixel_without_light() {
    for yaw_degrees in [0.0, 50.0, 80.0, 89.0] {
        let [with, without] = with_and_without_relief(0.1, yaw_degrees);
        let lost = with.pixels().zip(without.pixels()).filter(|(with, without)| with[0] < 20 && without[0] > 60);
        assert_eq!(lost.count(), 0, "{yaw_degrees}°");
    }
}

/// A ball of a material in a preview, where light is computed for its vertices unless both of its sides are drawn.
fn ball(name: &str, double_sided: bool) -> RgbaImage {
    let material = Material { double_sided, ..named(name, [0.7, 0.5, 0.4, 1.0]) };
    let head = head_of(vec![globe(Vec3::ZERO, 0)], vec![material], vec![]);
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    renderer().picture(&Scene { mode: BlendMode::Cpu, ..Scene::at_rest(&head, &camera, &Look::default(), SIZE) })
}

#[test]
fn light_computed_for_vertices_is_that_of_fragments() {
    for name in ["Skin", "Teeth", "Hair", "Shirt"] {
        let (by_vertex, by_fragment) = (ball(name, false), ball(name, true));
        let share = share_that_differs(&by_vertex, &by_fragment, 3);
        assert!(share < 0.01, "{name}: {share}");
        let share = share_that_differs(&by_fragment, &ball("Skin", true), 3);
        assert!(name == "Skin" || share > 0.01, "{name} looks like skin: {share}");
    }
}
