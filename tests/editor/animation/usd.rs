//! USD files. No reader of USD is at hand here, so their text is compared.

use smirk_support::in_betweens;

use super::*;

#[test]
fn the_stage_has_the_shapes_of_each_mesh_and_one_animation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let session = performing(Arc::new(two_meshes()), 3);
    let span = FrameSpan::new(rate(24.0), 0, 48).unwrap();
    export(&session, span, AnimationSettings::new(AnimationFormat::Usd), &path);
    let text = std::fs::read_to_string(&path).unwrap();
    for expected in [
        "#usda 1.0\n",
        "defaultPrim = \"two_meshes\"",
        "endTimeCode = 48",
        "timeCodesPerSecond = 24",
        "uniform token[] blendShapes = [\"jawOpen\", \"jawOpen teeth\", \"smile, left\", \"tongueOut\"]",
        "uniform token[] skel:blendShapes = [\"tongueOut\", \"jawOpen teeth\"]",
        "rel skel:blendShapeTargets = [</two_meshes/teeth/tongueOut>, </two_meshes/teeth/jawOpen>]",
        "def Mesh \"face__one_\"",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    // Brackets and braces are closed, outside of strings.
    for pair in ["{}", "[]", "()"] {
        let count = |letter: char| text.split('"').step_by(2).flat_map(str::chars).filter(|c| *c == letter).count();
        let [open, close] = [0, 1].map(|at| count(pair.chars().nth(at).unwrap()));
        assert_eq!(open, close, "{pair}");
    }
    // The last sample of the animation is what plays at the last frame.
    let samples: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("48: [")).collect();
    assert_eq!(samples.len(), 1);
    let list = samples[0].split(['[', ']']).nth(1).unwrap();
    let weights: Vec<f32> = list.split(", ").map(|weight| weight.parse().unwrap()).collect();
    let expected = performance(&session, span);
    let expected = expected.frame_of_targets(48);
    assert_eq!(weights.len(), 4);
    // The second mesh has its targets in another order, and jawOpen has another weight at rest there.
    for (weight, target) in weights.iter().zip([0, 4, 1, 2]) {
        assert!((weight - expected[target]).abs() < EXACT);
    }
}

#[test]
fn without_the_head_only_names_and_weights_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let size = |with_head| {
        let path = folder.path().join("a.usda");
        let session = performing(bundled(), 3);
        let settings = AnimationSettings { with_head, ..AnimationSettings::new(AnimationFormat::Usd) };
        export(&session, FrameSpan::new(rate(24.0), 0, 48).unwrap(), settings, &path).bytes
    };
    assert!(size(false) * 5 < size(true));
}

#[test]
fn in_betweens_are_those_of_usd() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let session = performing(Arc::new(in_betweens::head(5)), 3);
    export(&session, FrameSpan::new(rate(24.0), 0, 48).unwrap(), AnimationSettings::new(AnimationFormat::Usd), &path);
    let text = std::fs::read_to_string(&path).unwrap();
    let shape = text.split("def BlendShape").find(|shape| shape.starts_with(" \"target_5\"")).unwrap();
    let line = |start: &str| shape.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
    let points = |line: &str| line.matches("(").count() - usize::from(line.contains("weight = "));
    let count = line("uniform int[] pointIndices").matches(',').count() + 1;
    for (name, weight) in [("_0_25_of_5", 0.25), ("_0_75_of_5", 0.75), ("_2_of_5", 2.0)] {
        let offsets = line(&format!("uniform point3f[] inbetweens:{name} = "));
        assert!(offsets.ends_with(&format!("(weight = {weight})")), "{offsets}");
        assert_eq!(points(offsets), count, "all shapes have the points of pointIndices");
        assert_eq!(points(line(&format!("vector3f[] inbetweens:{name}:normalOffsets"))), count);
    }
    assert_eq!(points(line("uniform vector3f[] offsets")), count);
    // The weights stay those of the targets: USD knows what is between the shapes.
    assert!(text.contains("uniform token[] skel:blendShapes = [\"target 0\", "));
}
