//! Mended heads: every mode shows what the list made of the head.

use smirk_analysis::mend::{
    Contained, Join, Kind, Mend, Mirror, Noise, Normals as MendNormals, Pinch, Rebase, Rename, Smooth, Split,
    Symmetrise, Tidy, apply,
};
use smirk_files::import;

use super::*;

#[test]
fn all_modes_agree_on_a_mended_head() {
    let head = import::embedded().unwrap();
    let names = [("tongueOut".to_owned(), "tongue".to_owned())];
    let mends = [
        Kind::Noise(Noise { below_mm: 0.02, below_degrees: 0.2 }).into(),
        Mend::of_shapes(Kind::Split(Split::default()), ["jawOpen", "mouthShrugLower"]),
        Mend::of_shapes(Kind::Join(Join { into: "shrug".into() }), ["mouthShrugLowerLeft", "mouthShrugLowerRight"]),
        Mend::of_shapes(Kind::Mirror(Mirror::default()), ["browDownLeft"]),
        Mend::of_shapes(Kind::Symmetrise(Symmetrise {}), ["mouthPucker"]),
        Mend::of_shapes(Kind::Smooth(Smooth { strength: 0.5, passes: 3 }), ["noseSneerLeft"]),
        Mend::of_shapes(Kind::Normals(MendNormals { all: true }), ["mouthFunnel"]),
        Mend::of_shapes(Kind::Contained(Contained { shape: "mouthPucker".into(), weight: Some(0.3) }), ["mouthFunnel"]),
        Mend::of_shapes(Kind::Pinch(Pinch::default()), ["mouthFunnel", "mouthClose"]),
        Kind::Rename(Rename { names: names.into(), ..Rename::default() }).into(),
        Kind::Rebase(Rebase { face: [("mouthFrownLeft".to_owned(), 0.5)].into() }).into(),
        Kind::Tidy(Tidy {}).into(),
    ];
    let mended = apply(&head, &mends);
    let refused: Vec<String> = mended.changes.iter().flatten().flat_map(|change| change.refusals()).collect();
    assert_eq!(refused, [""; 0]);
    let mended = mended.head.unwrap();
    let target_count = mended.target_count();
    let mut random = Random::new(31);
    let mut vectors = vec![mended.default_weights(), vec![0.7; target_count]];
    vectors.extend((0..2).map(|_| {
        let mut weights: Vec<f32> = (0..target_count).map(|_| random.between(-0.2, 1.2)).collect();
        mended.resolve(&mut weights);
        weights
    }));
    let gpu = software_gpu();
    assert_parity(&gpu, &mended, &vectors);
    assert_caught(&gpu, &mended, &with_shape_of(&mended, "mouthPucker", "mouthFunnel"), &vec![0.7; target_count]);
}

/// The head with the deltas of one shape in the place of those of another.
fn with_shape_of(head: &Head, from: &str, to: &str) -> Head {
    let mut asset = head.to_asset();
    let mesh = asset.meshes.iter_mut().find(|mesh| mesh.targets.iter().any(|target| target.name == to)).unwrap();
    let [from, to] = [from, to].map(|name| mesh.targets.iter().position(|target| target.name == name).unwrap());
    let name = mesh.targets[to].name.clone();
    mesh.targets[to] = Target { name, ..mesh.targets[from].clone() };
    Head::new(asset)
}
