//! Broken and unusual files, each with its expected outcome: those made here, and those of a folder outside the
//! repository, which `SMIRK_BAD` names.

use std::path::Path;

use serde_json::Value;
use smirk_face::head::Level;
use smirk_files::import::open;

use smirk_support::test_files::bad_files;
use smirk_support::{good_files, head_checks, watch};

/// Words that the error, or the warnings and notes of a file that opens, must contain: the object, the numbers, the
/// advice.
const WORDS: &[(&str, &[&str])] = &[
    ("glb_truncated_bin.glb", &["7232 bytes", "has 6532", "cut off"]),
    ("glb_truncated_json.glb", &["7232 bytes", "has 200", "cut off"]),
    ("glb_truncated_header.glb", &["8 bytes", "12", "cut off"]),
    ("glb_wrong_magic.glb", &["not a glTF file", "glTF"]),
    ("glb_version1.glb", &["version 1", "export it as glTF 2.0"]),
    ("glb_length_too_big.glb", &["11328", "7232", "cut off"]),
    ("glb_chunk_len_4g.glb", &["4294967280", "7212", "cut off"]),
    ("glb_trailing_garbage.glb", &["256 bytes after"]),
    ("glb_png_renamed.glb", &["PNG image", "export"]),
    ("zero_size.glb", &["is empty", "export"]),
    ("zero_size.gltf", &["is empty", "export"]),
    ("a_directory.glb/", &["is a folder", "choose"]),
    ("symlink_loop.glb", &["symbolic links"]),
    ("does_not_exist.glb", &["was not found"]),
    ("json_garbage.gltf", &["line 1 column 43", "near", "export it again"]),
    ("json_array.gltf", &["not an object"]),
    ("json_binary_noise.gltf", &["not a glTF file"]),
    ("json_garbage_in.glb", &["line 1 column 38", "export it again"]),
    ("json_deep_nesting_100k.gltf", &["no mesh to show", "export the head"]),
    ("json_utf8_bom.gltf", &["byte order mark"]),
    ("json_no_asset.gltf", &["asset", "is missing"]),
    ("asset_version3.gltf", &["asset.minVersion", "3.0", "export it as glTF 2.0"]),
    ("json_nan_literal.glb", &["line 1 column", "NaN", "export it again"]),
    ("morph_count_63_vs_64.glb", &["mesh \"Grid\", primitive 0, target 0 \"bulge\"", "63", "64", "left out"]),
    ("morph_count_70_vs_64.glb", &["mesh \"Grid\", primitive 0, target 0 \"bulge\"", "70", "64", "left out"]),
    ("accessor_out_of_buffer.glb", &["accessor 0", "bufferView 0", "768", "export it again"]),
    ("bufferview_out_of_buffer.glb", &["bufferView 0", "16777216", "5232"]),
    ("huge_count_4e9.glb", &["accessor 0", "4000000000", "768"]),
    ("huge_count_no_bufferview.glb", &["accessor 9", "4000000000", "65536"]),
    ("huge_count_all_zero_valid.glb", &["accessor 0", "4000000002", "65536"]),
    ("offset_u64_max.glb", &["accessor 0", "18446744073709551615"]),
    ("count_negative.glb", &["accessors[0]", "-5"]),
    ("count_zero.glb", &["mesh \"Grid\", primitive 0", "0 elements"]),
    ("target_accessor_999.glb", &["target 0 \"bulge\"", "accessor 999", "9"]),
    ("position_accessor_999.glb", &["mesh \"Grid\", primitive 0", "accessor 999", "9"]),
    ("target_vec2.glb", &["target 0 \"bulge\"", "Vec2", "3"]),
    ("bufferview_77.glb", &["accessor 0", "bufferView 77", "9"]),
    ("no_position.glb", &["mesh \"Grid\", primitive 0", "no POSITION"]),
    ("nan_position.glb", &["mesh \"Grid\"", "1 of 64 positions"]),
    ("inf_position.glb", &["mesh \"Grid\"", "1 of 64 positions"]),
    ("nan_all_positions.glb", &["64 of 64 positions"]),
    ("nan_delta.glb", &["target 0 \"bulge\"", "1 of 64 deltas"]),
    ("coords_1e30.glb", &["mesh \"Grid\"", "5e29"]),
    ("coords_1e-25.glb", &["mesh \"Grid\"", "1e-25"]),
    ("all_vertices_same_point.glb", &["mesh \"Grid\"", "one place"]),
    ("mesh_weights_5_for_2.glb", &["mesh \"Grid\"", "5 weights for 2 targets"]),
    ("mesh_weights_1_for_2.glb", &["mesh \"Grid\"", "1 weights for 2 targets"]),
    ("node_weights_3_for_2.glb", &["its node has 3 weights for 2 targets"]),
    ("targetnames_3_for_2.glb", &["3 target names for 2 targets"]),
    ("targetnames_1_for_2.glb", &["1 target names for 2 targets"]),
    ("targetnames_not_strings.glb", &["2 of its target names are not text"]),
    ("extras_is_string.glb", &["extras are not an object"]),
    ("targets_empty_array.glb", &["no morph targets"]),
    ("target_empty_object.glb", &["1 of its targets are empty"]),
    ("prims_unequal_targets.glb", &["from 1 to 2 targets"]),
    ("empty_mesh.glb", &["mesh \"Empty\"", "no triangle"]),
    ("sparse_index_out_of_range.glb", &["accessor 9", "5000", "64"]),
    ("sparse_not_increasing.glb", &["accessor 9", "9 after 27"]),
    ("sparse_count_too_big.glb", &["accessor 9", "60000", "bufferView 9"]),
    ("anim_output_too_short.glb", &["animation \"A\"", "6 numbers", "has 4"]),
    ("anim_output_not_multiple.glb", &["animation \"A\"", "6 numbers", "has 7"]),
    ("anim_times_not_increasing.glb", &["animation \"A\"", "key 2"]),
    ("anim_times_duplicate.glb", &["two keys at the same time"]),
    ("anim_time_nan.glb", &["animation \"A\"", "key 1"]),
    ("anim_times_negative.glb", &["-1 s"]),
    ("anim_weight_nan.glb", &["animation \"A\"", "value 2"]),
    ("anim_cubicspline_short.glb", &["animation \"A\"", "18 numbers", "has 6"]),
    ("anim_unknown_interpolation.glb", &["animation \"A\"", "interpolation", "left out"]),
    ("anim_sampler_9.glb", &["animation 0, channel 0", "sampler 9", "has 1"]),
    ("anim_on_node_without_mesh.glb", &["animation \"A\"", "node 1"]),
    ("index_out_of_range.glb", &["index 5 is vertex 999", "64 vertices"]),
    ("index_count_not_multiple_of_3.glb", &["293 indices", "last 2"]),
    ("ok_points.glb", &["Points"]),
    ("ok_lines.glb", &["Lines"]),
    ("mode_9.glb", &["mesh \"Grid\", primitive 0", "mode"]),
    ("material_42.glb", &["material 42", "has 1"]),
    ("nodes_cycle.glb", &["node 0", "cycle"]),
    ("node_own_child.glb", &["node 0", "cycle"]),
    ("node_two_parents.glb", &["both node 1 and node 2"]),
    ("node_child_77.glb", &["node 0", "node 77"]),
    ("node_mesh_5.glb", &["node 0", "mesh 5"]),
    ("node_scale_zero.glb", &["scale 0"]),
    ("node_matrix_zero.glb", &["scale 0"]),
    ("scene_3.glb", &["scene: 3", "has 1"]),
    ("ok_only_asset.gltf", &["no mesh to show"]),
    ("uri_missing.gltf", &["no_such_file.bin", "bad", "put it there"]),
    ("uri_path_traversal.gltf", &["climbs out"]),
    ("uri_parent_folder.gltf", &["climbs out"]),
    ("uri_absolute.gltf", &["absolute path"]),
    ("uri_file_scheme.gltf", &["scheme"]),
    ("uri_http.gltf", &["scheme"]),
    ("uri_bad_base64.gltf", &["buffer 0", "base64"]),
    ("uri_buffer_too_short.gltf", &["5232 bytes", "3"]),
    ("uri_dev_zero.gltf", &["climbs out"]),
    ("ext_required_draco.glb", &["KHR_draco_mesh_compression", "0 elements"]),
    ("ext_required_unknown.glb", &["VENDOR_not_invented_yet", "re-export"]),
    ("stride_smaller_than_element.glb", &["accessor 0", "12 bytes", "every 8"]),
    ("texture_missing.glb", &["nope.png"]),
    ("texture_corrupt.glb", &["image 0", "does not decode"]),
    ("texture_header_60000x60000.glb", &["image 0", "larger than"]),
    ("texture_ktx2_as_png.glb", &["image 0", "KTX2"]),
];

/// Broken files that open with a warning, because the rest of the file is valid; `EXPECT.md` allows that.
const OPENED_WITH_A_WARNING: [&str; 4] =
    ["morph_count_63_vs_64.glb", "morph_count_70_vs_64.glb", "anim_unknown_interpolation.glb", "scene_3.glb"];

/// Files made here: name, content, expected outcome, and words that the error or a warning must contain.
fn made_files() -> Vec<(&'static str, Vec<u8>, &'static str, &'static [&'static str])> {
    let (_, plain) = good_files::all().swap_remove(0);
    let (glb, gltf) = (plain.glb(), plain.gltf().into_bytes());
    let with_bytes = |at: usize, bytes: &[u8]| {
        let mut broken = glb.clone();
        broken[at..at + bytes.len()].copy_from_slice(bytes);
        broken
    };
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(2, 2).write_to(&mut png, image::ImageFormat::Png).unwrap();
    vec![
        ("good.glb", glb.clone(), "ok", &[]),
        ("good.gltf", gltf.clone(), "ok", &[]),
        ("truncated.glb", glb[..glb.len() - 40].to_vec(), "error", &["cut off"]),
        ("truncated_json.glb", glb[..200].to_vec(), "error", &["has 200", "cut off"]),
        ("truncated_header.glb", glb[..8].to_vec(), "error", &["8 bytes", "12", "cut off"]),
        ("wrong_magic.glb", with_bytes(0, b"fTlg"), "error", &["not a glTF file", "glTF"]),
        ("version_1.glb", with_bytes(4, &[1]), "error", &["version 1", "export it as glTF 2.0"]),
        ("length_too_big.glb", with_bytes(8, &11_328_u32.to_le_bytes()), "error", &["11328", "cut off"]),
        ("chunk_of_4_gb.glb", with_bytes(12, &4_294_967_280_u32.to_le_bytes()), "error", &["4294967280", "cut off"]),
        ("garbage_behind.glb", [glb.as_slice(), &[7; 256]].concat(), "warn", &["256 bytes after"]),
        ("picture.glb", png.into_inner(), "error", &["PNG image", "export"]),
        ("empty.glb", Vec::new(), "error", &["is empty", "export"]),
        ("empty.gltf", Vec::new(), "error", &["is empty", "export"]),
        ("garbage.gltf", b"{\"asset\": {\"version\": two}}".to_vec(), "error", &["line 1 column", "export it again"]),
        ("array.gltf", b"[1, 2]".to_vec(), "error", &["not an object"]),
        ("noise.gltf", vec![0xFE; 300], "error", &["not a glTF file"]),
        ("deep.gltf", [b"{\"a\":".to_vec(), vec![b'['; 100_000]].concat(), "error", &["recursion limit"]),
        ("byte_order_mark.gltf", [b"\xEF\xBB\xBF".to_vec(), gltf].concat(), "warn", &["byte order mark"]),
    ]
}

/// Creates a directory and a link to itself, both with names of models, in `folder`.
fn make_directory_and_link(folder: &Path) {
    std::fs::create_dir(folder.join("a_directory.glb")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("symlink_loop.glb"), folder.join("symlink_loop.glb")).unwrap();
}

/// The files made here that do not have the expected outcome.
fn failures_of_made_files() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    make_directory_and_link(folder.path());
    let mut wrong = Vec::new();
    let mut expect = |file: &str, expected: &str, words: Option<&[&str]>| {
        if let Err(why) = judge(&folder.path().join(file), file, expected, words) {
            wrong.push(format!("{file} ({expected}): {why}"));
        }
    };
    for (file, bytes, expected, words) in made_files() {
        std::fs::write(folder.path().join(file), bytes).unwrap();
        expect(file, expected, Some(words));
    }
    expect("a_directory.glb/", "error", words_of("a_directory.glb/"));
    expect("does_not_exist.glb", "error", words_of("does_not_exist.glb"));
    if cfg!(unix) {
        expect("symlink_loop.glb", "error", words_of("symlink_loop.glb"));
    }
    wrong
}

#[test]
fn every_bad_file_has_the_expected_outcome() {
    let wrong = failures_of_made_files();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let Some(folder) = bad_files() else { return };
    let list: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("expect.json")).unwrap()).unwrap();
    assert!(list.len() > 100, "{} files", list.len());
    let scratch = tempfile::tempdir().unwrap();
    make_directory_and_link(scratch.path());
    let mut wrong = Vec::new();
    for entry in &list {
        let (file, expected) = (entry["file"].as_str().unwrap(), entry["expect"].as_str().unwrap());
        let is_made_here = ["a_directory.glb/", "symlink_loop.glb"].contains(&file);
        let path = if is_made_here { scratch.path() } else { folder.as_path() }.join(file);
        if let Err(why) = judge(&path, file, expected, words_of(file)) {
            wrong.push(format!("{file} ({expected}): {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), list.len(), wrong.join("\n"));
}

/// The words of [`WORDS`] for a file.
fn words_of(file: &str) -> Option<&'static [&'static str]> {
    WORDS.iter().find(|(name, _)| *name == file).map(|(_, words)| *words)
}

/// Checks the outcome of a file; the error describes the actual outcome.
fn judge(path: &Path, file: &str, expected: &str, words: Option<&[&str]>) -> Result<(), String> {
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len() as usize);
    let owned = path.to_owned();
    let outcome = watch::watch(file, watch::justified_bytes(bytes), move || open(&owned));
    head_checks::check_outcome(&outcome);
    let says_all = |text: &str| match words.unwrap_or_default().iter().find(|word| !text.contains(**word)) {
        Some(word) => Err(format!("no {word:?} in {text:?}")),
        None => Ok(()),
    };
    match outcome {
        Err(error) if expected != "ok" => {
            let message = error.to_string();
            let (name, _) = message.split_once(": ").ok_or("an error without a file name")?;
            if name != file.trim_end_matches('/') {
                return Err(format!("an error about another file: {message}"));
            }
            words.ok_or("words to find in it are not listed")?;
            says_all(&message)
        }
        Err(error) => Err(format!("does not open: {error}")),
        Ok(head) if expected == "ok" => {
            let warnings: Vec<_> = head.notes.iter().filter(|note| note.level == Level::Warning).collect();
            if warnings.is_empty() { Ok(()) } else { Err(format!("opens with {warnings:?}")) }
        }
        Ok(_) if expected == "error" && !OPENED_WITH_A_WARNING.contains(&file) => Err("opens".into()),
        Ok(head) => {
            words.ok_or("words to find in it are not listed")?;
            let notes: Vec<String> = head.notes.iter().map(|note| note.to_string()).collect();
            says_all(&notes.join("\n"))
        }
    }
}

/// Files outside the folder of a model are not read. Each model of this test would open if they were.
#[test]
fn nothing_outside_the_folder_is_read() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("model");
    std::fs::create_dir(&folder).unwrap();
    // A buffer with the three corners of a triangle.
    let canary = outside.path().join("canary.bin");
    std::fs::write(&canary, [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].map(f32::to_le_bytes).concat()).unwrap();
    std::fs::copy(&canary, folder.join("own.bin")).unwrap();
    let absolute = canary.display().to_string();
    let mut uris = vec![
        "../canary.bin".to_owned(),
        "%2e%2e/canary.bin".into(),
        "..%2Fcanary.bin".into(),
        "..\\canary.bin".into(),
        "./x/../../canary.bin".into(),
        format!("file://{absolute}"),
        absolute.replace('/', "%2F"),
        absolute,
        "http://127.0.0.1:9/canary.bin".into(),
        "//127.0.0.1/canary.bin".into(),
        "/dev/zero".into(),
        "/proc/self/mem".into(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&canary, folder.join("link.bin")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.join("linked")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.join("endless.bin")).unwrap();
        uris.extend(["link.bin", "linked/canary.bin", "endless.bin", "own.bin/../link.bin"].map(String::from));
    }
    let open = |uri: &str| {
        let text = serde_json::json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]});
        let path = folder.join("face.gltf");
        std::fs::write(&path, text.to_string()).unwrap();
        watch::watch(uri, watch::justified_bytes(1000), move || open(&path))
    };
    assert_eq!(open("own.bin").unwrap().triangle_count(), 1);
    for uri in uris {
        let message = open(&uri).expect_err(&uri).to_string();
        assert!(message.contains("only files in the model's own folder"), "{uri}: {message}");
    }
}
