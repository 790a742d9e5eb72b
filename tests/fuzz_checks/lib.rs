//! One function per fuzz target, which reads the fuzzer's bytes. The ordinary tests call the same functions with the
//! inputs that once made them fail.

pub mod own_files;

use std::path::Path;

use serde_json::{Value, json};
use smirk_analysis::voice::{Heard, PhoneSet, Speech, Voice};
use smirk_face::motion::Marker;
use smirk_files::audio;
use smirk_files::import::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt, open_bytes, open_markers_bytes};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::{head_checks, live_checks};

/// Reads bytes; panics if the result is neither valid nor a good error.
type Run = fn(&[u8]);

/// The fuzz targets, with the names of their folders of inputs.
pub const TARGETS: [(&str, Run); 15] = [
    ("glb", glb),
    ("json", json),
    ("accessors", accessors),
    ("images", images),
    ("ktx2", ktx2),
    ("meshopt", meshopt),
    ("obj", obj),
    ("fbx", fbx),
    ("live", live_checks::packets),
    ("project", own_files::project),
    ("poses", own_files::poses),
    ("settings", own_files::settings),
    ("takes", own_files::takes),
    ("sounds", sounds),
    ("markers", markers),
];

/// The fuzzer's panic hook ends the process at any panic, including those of other crates' decoders that the importer
/// catches. This hook only prints them, so that the process ends at panics that are not caught.
pub fn print_panics_only() {
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
}

/// The bytes are a GLB file.
pub fn glb(bytes: &[u8]) {
    head_checks::check_outcome(&open_bytes(bytes, "fuzz.glb"));
}

/// The bytes are the text of a `.gltf`.
pub fn json(bytes: &[u8]) {
    head_checks::check_outcome(&open_bytes(bytes, "fuzz.gltf"));
}

/// The bytes are a sound.
pub fn sounds(bytes: &[u8]) {
    match audio::open_bytes(bytes.to_vec(), Path::new("fuzz")) {
        // What a damaged header makes minutes of is not listened to as a whole.
        Ok(sound) => {
            let samples = sound.mono();
            let heard = Heard::new(&samples[..samples.len().min(48_000)], sound.frames_per_sec());
            check_mouth(&heard.speech);
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

/// The bytes are a file of markers.
pub fn markers(bytes: &[u8]) {
    match open_markers_bytes(bytes, Path::new("fuzz.txt")) {
        Ok(read) => {
            assert!(!read.markers.is_empty() && read.markers.iter().all(|marker| marker.time_secs.is_finite()));
            // A label at the end of a day would be said after a day of silence.
            let early: Vec<Marker> = read.markers.into_iter().filter(|marker| marker.time_secs < 60.0).collect();
            for set in [None, Some(PhoneSet::Words)] {
                Speech::of_labels(&early, set, 0.1).into_iter().for_each(|(speech, _)| check_mouth(&speech));
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

/// Every weight of the mouth is within its range.
fn check_mouth(speech: &Speech) {
    let take = speech.take(&Voice { brows: true, blinks: true, ..Voice::default() });
    assert!(take.tracks.iter().all(|track| track.values().iter().all(|value| (0.0..=1.0).contains(value))));
}

/// The bytes are a KTX2 image without its identifier, which is put before them.
pub fn ktx2(bytes: &[u8]) {
    images(&[b"\xabKTX 20\xbb\r\n\x1a\n", bytes].concat());
}

/// The first bytes choose the layout; the rest are the compressed elements.
pub fn meshopt(bytes: &[u8]) {
    const MODES: [MeshoptMode; 3] = [MeshoptMode::Attributes, MeshoptMode::Triangles, MeshoptMode::Indices];
    const FILTERS: [MeshoptFilter; 5] = [
        MeshoptFilter::None,
        MeshoptFilter::Octahedral,
        MeshoptFilter::Quaternion,
        MeshoptFilter::Exponential,
        MeshoptFilter::Color,
    ];
    let mut numbers = Numbers(bytes);
    let mode = MODES[(numbers.next() % 3) as usize];
    let filter = FILTERS[(numbers.next() % 5) as usize];
    let stride = numbers.next();
    let count = numbers.count().as_u64().unwrap_or_default();
    let layout = MeshoptLayout { count, stride, mode, filter };
    if let Ok(decompressed) = decode_meshopt(numbers.0, &layout) {
        assert_eq!(Some(decompressed.len() as u64), layout.decompressed_bytes());
    }
}

/// The bytes are the text of a Wavefront OBJ.
pub fn obj(bytes: &[u8]) {
    head_checks::check_outcome(&open_bytes(bytes, "fuzz.obj"));
}

/// The bytes are an FBX file, as text or binary.
pub fn fbx(bytes: &[u8]) {
    head_checks::check_outcome(&open_bytes(bytes, "fuzz.fbx"));
}

/// The first bytes describe five accessors over the rest. A mesh, its targets and an animation use them.
pub fn accessors(bytes: &[u8]) {
    let mut numbers = Numbers(bytes);
    let mut file = GltfBuilder::empty();
    file.json["accessors"] = (0..5).map(|_| numbers.accessor()).collect();
    file.json["bufferViews"] = (0..4).map(|_| numbers.view()).collect();
    let mode = numbers.next() % 7;
    file.view(numbers.0);
    let primitive = json!({"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 3, "COLOR_0": 3, "TANGENT": 4},
        "indices": 2, "mode": mode, "targets": [{"POSITION": 1, "NORMAL": 0}, {"POSITION": 4}]});
    file.push("meshes", json!({"primitives": [primitive]}));
    file.push("nodes", json!({"mesh": 0}));
    file.push(
        "animations",
        json!({"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": 3, "output": 4}]}),
    );
    head_checks::check_outcome(&open_bytes(&file.glb(), "fuzz.glb"));
}

/// The bytes are an image in the binary chunk, which is used as colour texture and as normal map.
pub fn images(bytes: &[u8]) {
    let mut file = GltfBuilder::textured_triangle();
    let view = file.view(bytes);
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
    head_checks::check_outcome(&open_bytes(&file.glb(), "fuzz.glb"));
}

/// Numbers made of the fuzzer's bytes: mostly small ones, and some that are huge or invalid.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> u64 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first.into()
    }

    /// A number in JSON: 0 to 199, or one that no file should have.
    fn count(&mut self) -> Value {
        match self.next() {
            small @ 0..200 => json!(small),
            200..240 => json!(self.next() << 8 | self.next()),
            240..243 => json!(u32::MAX),
            243..246 => json!(u64::MAX),
            246..249 => json!(1_u64 << 31),
            249..252 => json!(-1),
            252..254 => json!(1.5),
            _ => Value::Null,
        }
    }

    fn index(&mut self) -> Value {
        match self.next() {
            view @ 0..250 => json!(view % 5),
            _ => self.count(),
        }
    }

    fn accessor(&mut self) -> Value {
        const COMPONENTS: [u32; 7] = [5120, 5121, 5122, 5123, 5125, 5126, 5127];
        const KINDS: [&str; 8] = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC5"];
        let flags = self.next();
        let mut accessor = json!({
            "componentType": COMPONENTS[(self.next() % 7) as usize],
            "type": KINDS[(self.next() % 8) as usize],
            "count": self.count(),
            "normalized": flags & 1 != 0,
        });
        if flags & 2 == 0 {
            accessor["bufferView"] = self.index();
            accessor["byteOffset"] = self.count();
        }
        if flags & 4 != 0 {
            let part = |numbers: &mut Self| json!({"bufferView": numbers.index(), "byteOffset": numbers.count()});
            let (mut indices, values) = (part(self), part(self));
            indices["componentType"] = COMPONENTS[(self.next() % 7) as usize].into();
            accessor["sparse"] = json!({"count": self.count(), "indices": indices, "values": values});
        }
        accessor
    }

    fn view(&mut self) -> Value {
        let mut view = json!({"buffer": 0, "byteOffset": self.count(), "byteLength": self.count()});
        if self.next() & 1 != 0 {
            view["byteStride"] = self.count();
        }
        view
    }
}
