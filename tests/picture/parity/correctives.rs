//! Correctives: every mode shows the shapes of the weights that they get.

use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver};

use super::*;

/// Two meshes with the targets 0 to 5. Target 3 is the product of 0 and 1 at 0.5, target 4 the lowest of 3 and 2, and target 5 an
/// in-between of 0 at 0.4.
fn head(correctives: &[Corrective]) -> Head {
    let mut meshes = synthetic::head(21, &[Recipe::new(60, 6), Recipe::new(40, 6)]).asset.meshes;
    for mesh in &mut meshes {
        for (index, target) in mesh.targets.iter_mut().enumerate() {
            target.name = index.to_string();
        }
    }
    Head::new(Asset { name: "head".into(), meshes, declared_correctives: correctives.to_vec(), ..Asset::default() })
}

fn combination(target: &str, method: CombinationMethod, drivers: &[(&str, f32)]) -> Corrective {
    let driver = |&(name, full_weight): &(&str, f32)| Driver { name: name.into(), full_weight };
    Corrective { target: target.into(), drive: Drive::Combination(method, drivers.iter().map(driver).collect()) }
}

fn declared() -> Vec<Corrective> {
    vec![
        combination("4", CombinationMethod::Lowest, &[("3", 1.0), ("2", 1.0)]),
        combination("3", CombinationMethod::Product, &[("0", 1.0), ("1", 0.5)]),
        Corrective { target: "5".into(), drive: Drive::InBetween { of: "0".into(), at: 0.4 } },
    ]
}

/// Sliders of one mesh, and the weights that are blended, computed by hand.
const EXPECTED: [([f32; 6], [f32; 6]); 6] = [
    ([0.0; 6], [0.0; 6]),
    ([0.4, 0.25, 0.1, 0.9, 0.9, 0.9], [0.0, 0.25, 0.1, 0.2, 0.1, 1.0]),
    ([0.2, 0.5, 1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 1.0, 0.2, 0.2, 0.5]),
    ([0.7, 0.5, 0.5, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.7, 0.5, 0.5]),
    ([1.0, 0.5, 2.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0, 1.0, 1.0, 0.0]),
    ([1.6, 2.0, -1.0, 0.0, 0.0, 0.0], [2.0, 2.0, -1.0, 1.0, 0.0, -1.0]),
];

#[test]
fn all_modes_blend_what_a_person_computes() {
    let head = head(&declared());
    assert_eq!(head.notes, []);
    let mut vectors = Vec::new();
    for (sliders, expected) in EXPECTED {
        let mut weights = [sliders, sliders].concat();
        head.resolve(&mut weights);
        for (weight, expected) in weights.iter().zip([expected, expected].concat()) {
            assert!((weight - expected).abs() < 1e-5, "{sliders:?}: {weights:?}");
        }
        vectors.push(weights);
    }
    assert_parity(&software_gpu(), &head, &vectors);
}

#[test]
fn a_wrong_method_order_or_place_is_caught() {
    let (gpu, right) = (software_gpu(), head(&declared()));
    let sliders = [EXPECTED[1].0, EXPECTED[1].0].concat();
    let resolved = |head: &Head| {
        let mut weights = sliders.clone();
        head.resolve(&mut weights);
        weights
    };
    let expected = resolved(&right);
    let [lowest, product, in_between] = declared().try_into().unwrap();
    let method = combination("3", CombinationMethod::Lowest, &[("0", 1.0), ("1", 0.5)]);
    let full_weight = combination("3", CombinationMethod::Product, &[("0", 1.0), ("1", 1.0)]);
    let place = Corrective { target: "5".into(), drive: Drive::InBetween { of: "0".into(), at: 0.6 } };
    for planted in [
        vec![lowest.clone(), method, in_between.clone()],
        vec![lowest.clone(), full_weight, in_between.clone()],
        vec![lowest.clone(), product.clone(), place],
        vec![lowest, product],
        vec![in_between],
    ] {
        let weights = resolved(&head(&planted));
        let mut blender = blender(&gpu, &right, Precision::Exact);
        for &mode in BlendMode::ALL {
            let blended = blender.read_back(&gpu, &weights, mode, Normals::Authored).unwrap();
            let deviation = compare(&right, &expected, Normals::Authored, &blended);
            assert!(!is_within(Precision::Exact, &expected, &deviation), "{} hides {planted:?}", mode.label());
        }
    }
}
