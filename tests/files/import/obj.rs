//! Wavefront OBJ and MTL.

use glam::{Vec2, Vec3};
use smirk_face::head::{AlphaMode, Head, Level};
use smirk_files::import::{open, open_bytes};

use smirk_support::head_checks::says;

/// A roof: two quads that meet at a ridge (vertices 2 and 3), with a texture seam along it.
const ROOF: &str = "\
v -1 0 0\nv -1 0 2\nv 0 1 2\nv 0 1 0\nv 1 0 2\nv 1 0 0
vt 0 0\nvt 0 1\nvt 0.4 1\nvt 0.4 0\nvt 0.6 1\nvt 0.6 0\nvt 1 1\nvt 1 0
f 1/1 2/2 3/3 4/4\nf 4/6 3/5 5/7 6/8\n";

fn read(text: &str) -> Head {
    open_bytes(text.as_bytes(), "roof.obj").unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    let message = open_bytes(bytes, "roof.obj").unwrap_err().to_string();
    assert!(message.starts_with("roof.obj: ") && !message.contains('\n'), "{message}");
    message
}

#[test]
fn vertices_are_split_at_seams_and_keep_their_control_points() {
    let head = read(ROOF);
    let mesh = &head.meshes[0];
    assert_eq!((head.name.as_str(), mesh.name.as_str()), ("roof", "roof"));
    assert_eq!(mesh.vertices.control_points, [0, 1, 2, 3, 3, 2, 4, 5]);
    assert_eq!(mesh.indices, [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
    assert_eq!(mesh.vertices.positions[7], Vec3::new(1.0, 0.0, 0.0));
    assert_eq!((mesh.vertices.uvs[2], mesh.vertices.uvs[5]), (Vec2::new(0.4, 0.0), Vec2::new(0.6, 0.0)));
    assert!(says(&head, Level::Info, "6 vertices became 8"));
    assert!(says(&head, Level::Info, "no morph targets"));
}

#[test]
fn generated_normals_are_smooth_across_seams_and_hard_between_smoothing_groups() {
    let smooth = read(ROOF);
    let normals = &smooth.meshes[0].vertices.normals;
    let near = |a: Vec3, b: Vec3| a.distance(b) < 1e-6;
    assert!(near(normals[2], Vec3::Y) && normals[2] == normals[5], "at the ridge, on both sides of the seam");
    assert!(says(&smooth, Level::Info, "normals were made from its faces, smooth"));
    let (left, right) = (Vec3::new(-1.0, 1.0, 0.0).normalize_or_zero(), Vec3::new(1.0, 1.0, 0.0).normalize_or_zero());
    for hard in ["s off\n".to_owned() + ROOF, ROOF.replace("f 1/1", "s 1\nf 1/1").replace("f 4/6", "s 2\nf 4/6")] {
        let normals = read(&hard).meshes[0].vertices.normals.clone();
        assert!(near(normals[2], left) && near(normals[5], right), "{normals:?}");
    }
}

#[test]
fn normals_of_the_file_are_kept_and_equal_ones_do_not_split_vertices() {
    let corner = |n: usize| format!("vn 0 0 2\nf {n}//-1 {}//-1 {}//-1\n", n + 1, n + 2);
    let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n{}{}", corner(1), corner(2));
    let mesh = &read(&text).meshes[0];
    assert_eq!(mesh.vertices.normals, [Vec3::Z; 4]);
    assert!(mesh.vertices.uvs.is_empty());
}

#[test]
fn only_faces_with_broken_vertices_are_left_out() {
    let head = read(&format!("{ROOF}v nan 0 0\nf 7 1 2\nf 1 2 3\n"));
    assert_eq!(head.triangle_count(), 5);
    assert!(head.bounds.size().is_finite());
    assert!(says(&head, Level::Warning, "1 of 7 are not finite; faces that use them are left out (line 17)"));
}

#[test]
fn vertex_colours_are_made_linear() {
    let head = read("v 0 0 0 1 0.5 0\nv 1 0 0\nv 0 1 0 0 0 0\nf 1 2 3\n");
    let colors = &head.meshes[0].vertices.colors;
    assert!((colors[0][1] - 0.2140).abs() < 1e-4, "{colors:?}");
    assert_eq!((colors[0][0], colors[1], colors[2][3]), (1.0, [1.0; 4], 1.0));
}

#[test]
fn files_without_a_model_are_refused_with_the_reason() {
    assert!(refusal(b"").contains("is empty"));
    assert!(refusal(b"glTF\x02\0\0\0").contains("is no text"));
    assert!(refusal(b"# only words\n").contains("no mesh to show (vertices: 0, faces: 0)"));
    assert!(refusal(b"v 1 2 3\n").contains("(vertices: 1, faces: 0)"));
    assert!(refusal(b"v nan 2 3\nf 1 1 1\n").contains("(vertices: 1, faces: 1, none of them with finite"));
    // Cut off in the middle of its faces, of its vertices.
    assert!(refusal(b"v 0 0 0\nv 1 0 0\nf 1 2 3\n").contains("line 3: corner 3 of the face wants v 3, the file has 2"));
    assert!(refusal(b"v 0 0 0\nv 1 0").contains("line 2: v has 2 numbers, it needs 3"));
}

#[test]
fn a_file_cut_off_anywhere_is_read_or_refused() {
    for length in 0..ROOF.len() {
        let _ = open_bytes(&ROOF.as_bytes()[..length], "roof.obj").map(|head| head.triangle_count());
    }
}

#[test]
fn materials_come_from_the_folder_and_are_not_required() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let picture = image::RgbaImage::from_pixel(2, 1, image::Rgba([9, 8, 7, 255]));
    picture.save(folder.path().join("my skin.png")).unwrap();
    let faces = ROOF.replace("f 1/1", "usemtl skin\nf 1/1").replace("f 4/6", "usemtl glass\nf 4/6");
    write("roof.obj", &format!("mtllib roof.mtl\n{faces}"));
    let open = || open(&folder.path().join("roof.obj")).unwrap();

    let bare = open();
    assert_eq!(bare.materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>(), ["skin", "glass"]);
    assert!(says(&bare, Level::Warning, "roof.mtl\" was not found"));

    write("roof.mtl", "newmtl skin\nKd 1 1 1\nmap_Kd C:\\Work\\my skin.png\nnewmtl glass\nKd 0 1 0\nd 0.25\n");
    let with_materials = open();
    assert_eq!(with_materials.materials[0].base_color_texture, Some(0.into()));
    assert_eq!(
        (with_materials.textures[0].image.width(), with_materials.textures[0].image.rgba()[..3].to_vec()),
        (2, vec![9, 8, 7])
    );
    assert_eq!(with_materials.materials[1].base_color, [0.0, 1.0, 0.0, 0.25]);
    assert_eq!(with_materials.materials[1].alpha, AlphaMode::Blend);
    assert_eq!(with_materials.meshes[0].parts.iter().map(|part| part.material).collect::<Vec<_>>(), [0, 1]);

    write("roof.mtl", "newmtl skin\nmap_Kd ../../../../../../../etc/hostname\n");
    assert!(says(&open(), Level::Warning, "Smirk reads only files in the model's own folder"));

    // Two files in one statement, and a material that neither has.
    write("roof.obj", &format!("mtllib one.mtl two.mtl\n{faces}"));
    write("one.mtl", "newmtl skin\nKd 1 0 0\n");
    write("two.mtl", "newmtl gold\n");
    let incomplete = open();
    assert_eq!(incomplete.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
    assert!(
        says(&incomplete, Level::Warning, "usemtl: \"glass\" are in no file of materials"),
        "{:?}",
        incomplete.notes
    );
    std::fs::remove_file(folder.path().join("two.mtl")).unwrap();
    assert!(says(&open(), Level::Warning, "mtllib: \"two.mtl\" was not found"), "{:?}", open().notes);
}

#[test]
fn textures_of_every_format_are_found_however_the_statement_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let picture = image::RgbImage::from_fn(2, 1, |x, _| image::Rgb([255 * x as u8, 0, 0]));
    for name in ["my skin.tga", "skin.tif", "skin.bmp", "skin.gif"] {
        picture.save(folder.path().join(name)).unwrap();
    }
    write("roof.obj", &format!("mtllib \"my roof.mtl\"\n{}", ROOF.replace("f 1/1", "usemtl skin\nf 1/1")));
    for statement in [
        "map_kd \"my skin.tga\"",
        "map_KD -mm 0 1 my skin.tga",
        "MAP_KD -imfchan r skin.tif",
        "map_Kd -clamp on -mm 0 2 skin.bmp",
        "map_Kd skin.gif",
    ] {
        write("my roof.mtl", &format!("newmtl skin\n{statement}\n"));
        let head = open(&folder.path().join("roof.obj")).unwrap();
        let texture = head.materials[0].base_color_texture.unwrap_or_else(|| panic!("{statement}: {:?}", head.notes));
        let image = &head.textures[texture.texture].image;
        assert_eq!(image.rgba()[..], [0, 0, 0, 255, 255, 0, 0, 255], "{statement}");
        assert_eq!(says(&head, Level::Warning, "(-mm)"), statement.contains("0 2"), "{:?}", head.notes);
    }
}

#[test]
fn udim_tiles_are_drawn_each_on_its_own_triangles() {
    /// Ten in the first row, and two in the second.
    const TILES: u32 = 12;
    let folder = tempfile::tempdir().unwrap();
    let mut text = "mtllib a.mtl\nusemtl plain\n".to_owned();
    for tile in 0..=TILES {
        let (column, row) = (tile % 10, tile / 10);
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)] {
            let (u, v) = (column as f32 + 0.2 + x * 0.5, row as f32 + 0.2 + y * 0.5);
            text += &format!("v {u} {v} 0\nvt {u} {v}\n");
        }
    }
    for tile in (0..TILES).rev() {
        let first = tile * 3 + 1;
        text += &format!("usemtl skin\nf {first}/{first} {0}/{0} {1}/{1}\n", first + 1, first + 2);
        let color = image::Rgb([tile as u8 * 20, 9, 7]);
        image::RgbImage::from_pixel(2, 2, color).save(folder.path().join(format!("skin.{}.png", 1001 + tile))).unwrap();
    }
    let first = TILES * 3 + 1;
    text += &format!("usemtl plain\nf {first}/{first} {0}/{0} {1}/{1}\n", first + 1, first + 2);
    std::fs::write(folder.path().join("a.obj"), &text).unwrap();
    std::fs::write(folder.path().join("a.mtl"), "newmtl skin\nmap_Kd skin.<UDIM>.png\nnewmtl plain\nKd 1 0 0\n")
        .unwrap();
    let head = open(&folder.path().join("a.obj")).unwrap();
    assert_eq!((head.materials.len(), head.textures.len()), (TILES as usize + 1, TILES as usize), "{:?}", head.notes);
    let mesh = &head.meshes[0];
    let mut triangles = 0;
    for part in &mesh.parts {
        let material = &head.materials[part.material];
        let Some(texture) = material.base_color_texture else {
            assert_eq!((material.name.as_str(), part.index_count), ("plain", 3));
            continue;
        };
        let red = u32::from(head.textures[texture.texture].image.rgba()[0]);
        let name = if red == 0 { "skin".to_owned() } else { format!("skin {}", 1001 + red / 20) };
        assert_eq!(material.name, name);
        for &vertex in &mesh.indices[part.first_index as usize..][..part.index_count as usize] {
            let uv = mesh.vertices.uvs[vertex as usize];
            assert_eq!(uv.x.floor() as u32 + 10 * (1.0 - uv.y).floor() as u32, red / 20, "{uv}");
            triangles += 1;
        }
    }
    assert_eq!(triangles, TILES * 3);
    // The first tile may stand for all.
    let named = |map: &str| {
        std::fs::write(folder.path().join("a.mtl"), format!("newmtl skin\nmap_Kd {map}\nnewmtl plain\nKd 1 0 0\n"))
            .unwrap();
        open(&folder.path().join("a.obj")).unwrap()
    };
    assert_eq!(named("C:\\maps\\SKIN.1001.png").textures.len(), TILES as usize);
    assert_eq!(named("skin.1003.png").textures.len(), 1, "one image for all");
    named("skin.<UDIM>.png");
    std::fs::remove_file(folder.path().join("skin.1005.png")).unwrap();
    let head = open(&folder.path().join("a.obj")).unwrap();
    assert!(
        says(&head, Level::Warning, "material \"skin 1005\": shown without its colour texture"),
        "{:?}",
        head.notes
    );
    assert_eq!(head.textures.len(), TILES as usize - 1);
}

#[test]
fn corners_without_their_normal_are_shown() {
    let head = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/0 3/1/4\nf 2/1/1 4/9/1 3/1/1\n");
    assert_eq!(head.triangle_count(), 2);
    assert!(head.meshes[0].vertices.normals.iter().all(|normal| normal.distance(Vec3::Z) < 1e-6));
    assert!(says(&head, Level::Warning, "vn: 2 corners name a vn that the file does not have"), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "vt: 1 corners name a vt that the file does not have"), "{:?}", head.notes);
}

#[test]
fn concave_faces_are_triangulated_without_overlap() {
    let head = read("v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\n");
    let mesh = &head.meshes[0];
    let facing = mesh.indices.as_chunks::<3>().0.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|vertex| mesh.vertices.positions[vertex as usize]);
        (b - a).cross(c - a).z
    });
    assert!(facing.clone().all(|z| z < 0.0) || facing.clone().all(|z| z > 0.0), "{:?}", facing.collect::<Vec<_>>());
}

#[test]
fn too_many_parts_lose_their_materials_with_a_note() {
    let faces: String = (0..5000).map(|number| format!("usemtl m{number}\nf 1 2 3\n")).collect();
    let head = read(&format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}"));
    assert!(
        says(&head, Level::Warning, "usemtl: the file has more parts than are drawn apart: 904 runs"),
        "{:?}",
        head.notes
    );
}
