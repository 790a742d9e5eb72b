//! Good files with one wrong value. The error, or the warning where the rest of the file is valid, names the object and
//! the numbers.

use serde_json::{Value, json};
use smirk_face::head::Level;

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::{good_files, head_checks};

/// The file with a value at a JSON pointer, whose last part may be new.
fn with(mut file: GltfBuilder, place: &str, value: Value) -> GltfBuilder {
    let (parent, key) = place.rsplit_once('/').unwrap();
    match file.json.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        fields => fields[key] = value,
    }
    file
}

/// Whether a file opens, and its warnings or its error.
fn outcome_of(file: &GltfBuilder) -> (bool, String) {
    let outcome = file.open();
    head_checks::check_outcome(&outcome);
    match outcome {
        Ok(head) => {
            let warnings = head.notes.iter().filter(|note| note.level == Level::Warning);
            (true, warnings.map(|note| format!("{note}\n")).collect())
        }
        Err(error) => (false, error.to_string()),
    }
}

fn good(kind: &str) -> GltfBuilder {
    good_files::all().into_iter().find(|(name, _)| *name == kind).unwrap().1
}

#[test]
fn missing_references_and_impossible_values_are_errors() {
    let primitive = "/meshes/0/primitives/0";
    for (kind, place, value, words) in [
        ("plain", "/asset/minVersion", json!("3.0"), &["asset.minVersion", "3.0"][..]),
        ("plain", "/asset", json!({}), &["asset.version", "missing"]),
        ("plain", "/accessors/0/count", json!(-5), &["accessors[0]", "-5"]),
        ("plain", "/accessors/0/count", json!(0), &["primitive 0", "0 elements"]),
        ("plain", "/accessors/0/count", json!(4_000_000_000_u32), &["accessor 0", "4000000000", "36"]),
        ("plain", "/accessors/0/byteOffset", json!(u64::MAX), &["accessor 0", "18446744073709551615"]),
        ("plain", "/accessors/0/bufferView", json!(77), &["accessor 0", "bufferView 77"]),
        ("plain", "/bufferViews/0/byteLength", json!(1 << 24), &["bufferView 0", "16777216"]),
        ("plain", "/bufferViews/0/byteStride", json!(8), &["accessor 0", "12 bytes", "every 8"]),
        ("plain", &format!("{primitive}/attributes/POSITION"), json!(999), &["primitive 0", "accessor 999"]),
        ("plain", &format!("{primitive}/targets/0/POSITION"), json!(999), &["\"jawOpen\"", "accessor 999"]),
        ("plain", &format!("{primitive}/targets/0/POSITION"), json!(2), &["\"jawOpen\"", "Scalar", "3 are needed"]),
        ("plain", &format!("{primitive}/material"), json!(42), &["primitive 0", "material 42"]),
        ("plain", &format!("{primitive}/mode"), json!(9), &["primitive 0", "mode"]),
        ("sparse", "/accessors/2/sparse/count", json!(60_000), &["accessor 2, sparse indices", "60000"]),
        ("sparse", "/accessors/2/count", json!(1), &["accessor 2, sparse indices", "element 1", "there are 1"]),
        ("scene", "/nodes/2/children", json!([77]), &["node 2", "node 77"]),
        ("scene", "/nodes/0/mesh", json!(5), &["node 0", "mesh 5"]),
        ("scene", "/nodes/0/children", json!([0]), &["node 0", "cycle"]),
        ("animated", "/animations/0/channels/0/sampler", json!(9), &["animation 0, channel 0", "sampler 9"]),
    ] {
        let (opened, text) = outcome_of(&with(good(kind), place, value));
        assert!(!opened, "{place} opened: {text}");
        words.iter().for_each(|word| assert!(text.contains(word), "{place}: no {word:?} in {text:?}"));
        assert!(text.contains("; "), "{place}: no advice in {text}");
    }
}

#[test]
fn wrong_values_that_do_not_affect_the_shape_are_warnings() {
    let primitive = "/meshes/0/primitives/0";
    for (kind, place, value, words) in [
        ("plain", "/meshes/0/extras", json!("text"), &["extras are not an object"][..]),
        ("plain", "/meshes/0/weights", json!([1, 2, 3]), &["3 weights for 2 targets"]),
        ("scene", "/scene", json!(3), &["scene", "3 does not exist"]),
        ("scene", "/nodes/1/children", json!([0]), &["node 0", "both node 1 and node 2"]),
        ("plain", "/nodes/0/scale", json!([0, 0, 0]), &["scale 0"]),
        ("plain", "/nodes/0/scale", json!([1e30, 1e30, 1e30]), &["1e30", "too far"]),
        ("plain", "/meshes/1", json!({"name": "none", "primitives": []}), &["\"none\"", "no triangle"]),
        ("animated", "/animations/0/samplers/0/interpolation", json!("WOBBLE"), &["interpolation"]),
        ("animated", "/animations/0/samplers/0/output", json!(0), &["animation", "numbers"]),
        ("textured", "/materials/0/normalTexture/index", json!(7), &["material", "texture 7"]),
        ("textured", "/images/0", json!({"uri": "nope.png"}), &["nope.png"]),
        ("textured", "/images/0/bufferView", json!(0), &["image 0"]),
        ("skinned", &format!("{primitive}/attributes/JOINTS_0"), json!(99), &["accessor 99"]),
    ] {
        let mut file = good(kind);
        if place == "/meshes/1" {
            file.push("meshes", json!({}));
            file.push("nodes", json!({"mesh": 1}));
        }
        let (opened, text) = outcome_of(&with(file, place, value));
        assert!(opened, "{place}: {text}");
        words.iter().for_each(|word| assert!(text.contains(word), "{place}: no {word:?} in {text:?}"));
    }
}

/// Found by fuzzing.
#[test]
fn matrices_of_a_skin_that_overflow_leave_finite_vertices() {
    let mut file = good("skinned");
    let integers = file.view(&[0xFF; 128]);
    let binds =
        file.push("accessors", json!({"bufferView": integers, "componentType": 5125, "type": "MAT4", "count": 2}));
    let (opened, text) = outcome_of(&with(file, "/skins/0/inverseBindMatrices", json!(binds)));
    assert!(opened, "{text}");
}
