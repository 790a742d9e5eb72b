//! Writes the seed inputs of fuzzing into `tests/fuzz/corpus`: a small valid file of every kind.

use std::path::Path;

use smirk_support::fbx_builder::FbxBuilder;
use smirk_support::{good_files, ktx2, live_checks, sounds};

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target))?;
        std::fs::write(corpus.join(target).join(name), bytes)
    };
    for (name, file) in good_files::all() {
        write("glb", name, &file.glb())?;
        write("json", name, file.gltf().as_bytes())?;
    }
    for (target, name, text) in own_files() {
        write(target, name, text.as_bytes())?;
    }
    for (name, bytes) in live_checks::seeds() {
        write("live", name, &bytes)?;
    }
    for (name, bytes) in sounds::all() {
        write("sounds", name, &bytes)?;
    }
    write("markers", "audacity", b"0.5\t1.0\tma\n1.5\t2.0\tpa\n")?;
    let grid = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n2\n<exists>\n1\n\"IntervalTier\"\n\"w\"\n0\n2\n1\n0\n2\n\"a\"\n";
    write("markers", "text_grid", grid.as_bytes())?;
    write("takes", "head", &good_files::all()[0].1.glb())?;
    write("obj", "pyramid", good_files::OBJ.as_bytes())?;
    write("fbx", "binary", &FbxBuilder::everything().binary())?;
    write("fbx", "text", FbxBuilder::everything().text().as_bytes())?;
    let picture = |format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbImage::from_fn(5, 3, |x, y| image::Rgb([x as u8 * 40, y as u8 * 80, 7]));
        picture.write_to(&mut bytes, format).map(|()| bytes.into_inner()).map_err(std::io::Error::other)
    };
    write("images", "png", &picture(image::ImageFormat::Png)?)?;
    write("images", "jpeg", &picture(image::ImageFormat::Jpeg)?)?;
    // The fuzz target puts the signature in front.
    let after_magic = |bytes: &[u8]| bytes[12..].to_vec();
    let uastc = ktx2::Ktx2::uastc(5, 3, [9, 80, 200, 255]);
    write("ktx2", "plain", &after_magic(&ktx2::Ktx2::rgba8(2, 1, &[1, 2, 3, 4, 5, 6, 7, 8]).bytes()))?;
    write("ktx2", "uastc", &after_magic(&uastc.bytes()))?;
    write("ktx2", "zstandard", &after_magic(&uastc.zstandard().bytes()))?;
    write("ktx2", "etc1s", &after_magic(&ktx2::ETC1S))?;
    let mipmapped = ktx2::Ktx2::uastc(4, 4, [9, 80, 200, 255]).with_mipmaps(&[[7; 4]; 2]);
    write("ktx2", "uastc mipmaps", &after_magic(&mipmapped.bytes()))?;
    write("ktx2", "etc1s mipmaps", &after_magic(&ktx2::etc1s_with_mipmaps(false)))?;
    // Mode, filter, stride, count; see `smirk_fuzz_checks::meshopt`.
    let pack = |rows: &[[i16; 4]]| meshopt::encode_vertex_buffer(rows).map_err(std::io::Error::other);
    let rows = pack(&[[0, 0, 0, 0], [100, 0, 0, 0], [0, 100, 7, 0]])?;
    let triangles = meshopt::encode_index_buffer(&[0, 1, 2, 2, 1, 3], 4).map_err(std::io::Error::other)?;
    for (name, head, packed) in [
        ("rows", [0, 0, 8, 3], &rows),
        ("octahedral", [0, 1, 8, 3], &rows),
        ("quaternion", [0, 2, 8, 3], &rows),
        ("exponential", [0, 3, 8, 3], &rows),
        ("color", [0, 4, 8, 3], &rows),
        ("triangles", [1, 0, 2, 6], &triangles),
        ("indices", [2, 0, 4, 6], &triangles),
    ] {
        write("meshopt", name, &[&head[..], packed].concat())?;
    }
    // Five accessors of three floats and bytes each, four views of 64 bytes, triangles; see
    // `smirk_fuzz_checks::accessors`.
    let floats = [0, 5, 2, 3, 0, 0];
    let mut bytes = [floats, floats, [0, 1, 0, 3, 0, 0], [0, 5, 1, 3, 0, 0], [0, 5, 3, 3, 0, 0]].concat();
    (0..4).for_each(|_| bytes.extend([0, 64, 0]));
    bytes.push(4);
    bytes.extend((0..64_u8).map(|at| at % 3));
    write("accessors", "floats", &bytes)
}

/// A file of every kind that Smirk writes or reads as text.
fn own_files() -> Vec<(&'static str, &'static str, String)> {
    let project = r#"{"smirk":"project","version":1,"head":{"file":{"path":"/a.glb","relative":"a.glb"}},
        "shapes":[{"file":{"path":"/b.obj"},"matching":"uv"}],
        "sliders":{"jawOpen":{"value":0.5,"held":true},"x":{"targets":[{"mesh":"face","value":-1}],"muted":true}},
        "linked":[["mouthSmileLeft","mouthSmileRight"]],"rule":"normalised",
        "poses":[{"id":1000,"name":"Smirk","weights":{"jawOpen":0.25,"gone":3.4028235e38}}],
        "posing":[{"pose":1000,"amount":0.5}],"transition":{"duration_secs":1.5,"ease":"out"},
        "sequence":{"enabled":true,"poses":[1000,1000],"loop_secs":4,"wrap":"ping_pong"},
        "blink":{"enabled":true,"wait_secs":6,"seed":3,"channels":["eyeBlinkLeft"]},
        "gaze":{"enabled":true,"pause_secs":1.2,"reach":0.2,"seed":1},
        "takes":[{"file":{"path":"file:/caf%E9.csv"},"name":"walk","map":{"routes":[{"column":"jaw","channels":["jawOpen"],
        "enabled":true,"gain":1.75,"offset":0,"clamp":[0,1],"smoothing_secs":0.1,"neutral":0}]}}],
        "take":0,"compared_take":null,"keys":{"jawOpen":[{"time_secs":1,"value":0.1},{"time_secs":2,"value":-0.0}]},
        "look":{"key":{"intensity":1,"color":[1,1,1],"yaw_degrees":40,"pitch_degrees":30},"gloss":1.7,"normals":"auto"},
        "variant":"winter","variant_turn":1,"lit_by_file":true,
        "camera":{"target_in_world":[0,0,0],"yaw_radians":0.5,"pitch_radians":0,"distance":3,"roll_radians":0},
        "mode":"multipass","playback":{"clip":"Talk","clip_turn":1,"looping":false,"speed":0.5}}"#;
    let settings = r#"{"window_size":[1600,1000],"maximized":true,"look":{"gloss":1.25,"normals":"recomputed"},"mode":"cpu",
        "suited":{"adapter":"a","backend":"vulkan","mode":"compute"},
        "panels":{"left_width":464,"right_open":false,"page":"motion"},
        "recent":["/a.glb","file:/caf%E9.smirk"],"aliases":{"eye_blink_l":["Fcl_EYE_Close_L"]}}"#;
    let poses = r#"{"smirk":"poses","version":1,"poses":[{"name":"smile","weights":{"mouthSmileLeft":0.8,"x":-0.0}},{}]}"#;
    let table = "Timecode,BlendshapeCount,EyeBlinkLeft,JawOpen\n01:02:03:04.500,2,0.5,1\n01:02:03:05.500,2,0.25,0\n";
    let audio2face = r#"{"exportFps":30,"facsNames":["jawOpen","x"],"weightMat":[[0.0,0.0],[0.5,1.0],[1.0,NaN]]}"#;
    let mediapipe = r#"[{"timestamp_ms":0,"blendshapes":{"jawOpen":0.5}},{"timestamp_ms":33,"blendshapes":{"jawOpen":1}}]"#;
    [
        ("project", "full", project),
        ("settings", "full", settings),
        ("poses", "own", poses),
        ("poses", "named", r#"{"smile":{"mouthSmileLeft":0.8},"rest":{}}"#),
        ("poses", "single", "\u{feff}{\"mouthSmileLeft\":0.8}"),
        ("takes", "live_link", table),
        ("takes", "table", "time,jawOpen,x\n0,0.5,\n0.033,1,2\n"),
        ("takes", "audio2face", audio2face),
        ("takes", "mediapipe", mediapipe),
    ]
    .map(|(target, name, text)| (target, name, text.to_owned()))
    .into()
}
