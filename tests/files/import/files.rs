//! Files as a whole: containers, URIs, required extensions, limits, and progress.

use serde_json::json;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Level};

use smirk_support::gltf_builder::GltfBuilder;

#[test]
fn required_extensions_are_read_or_ignored_or_refused_by_name() {
    let message = |name: &str| {
        let mut file = GltfBuilder::triangle();
        file.json["extensionsRequired"] = json!([name]);
        let warnings = |head: Head| head.notes.iter().filter(|note| note.level == Level::Warning).count();
        file.open().map(warnings).map_err(|error| error.to_string())
    };
    assert_eq!(message("KHR_mesh_quantization"), Ok(0));
    for read in [
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "KHR_draco_mesh_compression",
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "MSFT_texture_dds",
    ] {
        assert_eq!(message(read), Ok(0), "{read}");
    }
    assert_eq!(message("KHR_texture_transform"), Ok(0));
    assert_eq!((message("VRMC_vrm"), message("VRMC_springBone")), (Ok(0), Ok(1)));
    assert!(message("ACME_secret").unwrap_err().contains("ACME_secret"));
}

#[test]
fn small_files_cannot_need_gigabytes() {
    let mut file = GltfBuilder::triangle();
    let bare = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 4_000_000_000_u64}));
    file.primitive()["targets"] = json!([{"POSITION": bare}]);
    assert!(file.refusal().contains("claims 4000000000 elements and stores none"));

    // 60,000 vertices, each moved by 2,000 targets that are one and the same accessor: 2 GB from under 1 MB.
    let mut file = GltfBuilder::triangle();
    let positions = file.floats("VEC3", &vec![1.0; 180_000]);
    *file.primitive() =
        json!({"attributes": {"POSITION": positions}, "targets": vec![json!({"POSITION": positions}); 2000]});
    assert!(file.refusal().contains("MiB of memory"));
}

#[test]
fn gltf_files_find_buffers_in_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let positions: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];
    let length = 36;
    std::fs::write(folder.path().join("my buffer.bin"), bytemuck::bytes_of(&positions)).unwrap();
    let open = |uri: &str| {
        let text = json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": length, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": length}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]});
        let path = folder.path().join("face.gltf");
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        smirk_files::import::open(&path)
    };
    let head = open("my%20buffer.bin").unwrap();
    assert_eq!((head.name.as_str(), head.triangle_count()), ("face", 1));
    assert!(open("../my%20buffer.bin").unwrap_err().to_string().contains(".."));
    assert!(open("gone.bin").unwrap_err().to_string().contains("\"gone.bin\" was not found"));
    assert!(open("data:application/octet-stream;base64,AAAA").unwrap_err().to_string().contains("there are 3"));
}

#[test]
fn files_that_are_not_models_are_refused_with_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        smirk_files::import::open(&path).unwrap_err().to_string()
    };
    assert!(message("a.glb", b"").contains("is empty"));
    assert!(message("b.glb", b"\x89PNG\r\n").contains("PNG"));
    assert!(message("c.gltf", b"{\"asset\": ").contains("line 1 column"));
    assert!(message("d.gltf", b"[]").contains("not an object"));
    assert!(message("e.gltf", b"{\"asset\":{\"version\":\"1.0\"}}").contains("Smirk reads 2.0"));
    let directory = smirk_files::import::open(folder.path()).unwrap_err().to_string();
    assert!(directory.contains("is a folder"), "{directory}");
    assert!(smirk_files::import::open(&folder.path().join("none.glb")).unwrap_err().to_string().contains("none.glb"));
}

#[test]
fn progress_only_grows_and_can_cancel() {
    let path = smirk_support::bundled_head();
    let fractions = std::cell::RefCell::new(vec![0.0]);
    let watch = |_: &str, fraction: f32| {
        fractions.borrow_mut().push(fraction);
        Ok(())
    };
    smirk_files::import::open_with(&path, Progress::new(&watch)).unwrap();
    let fractions = fractions.into_inner();
    assert!(fractions.len() > 100 && fractions.is_sorted() && fractions.iter().all(|f| (0.0..=1.0).contains(f)));
    for stop_at in [0.0, 0.1, 0.5, 0.95] {
        let stop = |_: &str, fraction| if fraction >= stop_at { Err(Cancelled) } else { Ok(()) };
        let error = smirk_files::import::open_with(&path, Progress::new(&stop)).unwrap_err();
        assert!(matches!(error, smirk_files::import::ImportError::Cancelled(_)), "{error}");
    }
}
