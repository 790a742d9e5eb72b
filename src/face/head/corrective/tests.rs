//! Binding and weights of correctives, on heads of names alone.

use super::*;
use crate::head::{Asset, Head, InBetween, Mesh, Target};

fn combination(target: &str, rule: DriveRule, drivers: &[(&str, f32)]) -> Corrective {
    let driver = |&(name, full_weight): &(&str, f32)| Driver { name: name.into(), full_weight };
    Corrective { target: target.into(), drive: Drive::Combination(rule, drivers.iter().map(driver).collect()) }
}

fn product(target: &str, drivers: &[&str]) -> Corrective {
    let drivers: Vec<(&str, f32)> = drivers.iter().map(|name| (*name, 1.0)).collect();
    combination(target, DriveRule::Product, &drivers)
}

fn in_between(target: &str, of: &str, at: f32) -> Corrective {
    Corrective { target: target.into(), drive: Drive::InBetween { of: of.into(), at } }
}

fn mesh(targets: &[&str]) -> Mesh {
    let target = |name: &&str| Target { name: (*name).into(), ..Target::default() };
    Mesh { targets: targets.iter().map(target).collect(), ..Mesh::default() }
}

fn head(targets: &[&str], correctives: Vec<Corrective>) -> Head {
    Head::new(Asset { meshes: vec![mesh(targets)], correctives, ..Asset::default() })
}

fn resolved(head: &Head, weights: &[f32]) -> Vec<f32> {
    let mut weights = weights.to_vec();
    head.resolve(&mut weights);
    weights
}

fn notes(head: &Head) -> Vec<String> {
    head.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_combination_is_the_product_or_the_lowest_of_its_drivers_within_0_and_1() {
    for (rule, expected) in
        [(DriveRule::Product, [0.125, 0.5, 0.0, 0.0, 1.0]), (DriveRule::Lowest, [0.25, 0.5, 0.0, 0.0, 1.0])]
    {
        let head = head(&["a", "b", "ab"], vec![combination("ab", rule, &[("a", 1.0), ("b", 1.0)])]);
        let driven = |a: f32, b: f32| resolved(&head, &[a, b, 0.9])[2];
        let found = [driven(0.5, 0.25), driven(0.5, 7.0), driven(-1.0, -1.0), driven(f32::NAN, 1.0), driven(2.0, 1.0)];
        assert_eq!(found, expected, "{rule:?}; its own weight, 0.9, never counts");
    }
    let head = head(&["a", "b", "ab"], vec![combination("ab", DriveRule::Product, &[("a", 0.5), ("b", -0.8)])]);
    let driven = |a: f32, b: f32| resolved(&head, &[a, b, 0.0])[2];
    assert_eq!([driven(0.5, -0.8), driven(0.25, -0.8), driven(0.5, 0.8), driven(1.0, -1.0)], [1.0, 0.5, 0.0, 1.0]);
}

#[test]
fn a_combination_of_combinations_does_not_depend_on_the_order_of_the_file() {
    let declared = vec![product("abc", &["ab", "c"]), product("ab", &["a", "b"])];
    for declared in [declared.clone(), declared.into_iter().rev().collect()] {
        let head = head(&["abc", "ab", "a", "b", "c"], declared);
        assert_eq!(resolved(&head, &[9.0, 9.0, 0.5, 0.5, 0.5]), [0.125, 0.25, 0.5, 0.5, 0.5]);
        assert_eq!(head.correctives.shown_by(0, 1.0, &[]), [(2, 1.0), (3, 1.0), (4, 1.0)]);
        assert_eq!(head.correctives.shown_by(0, 1.0, &[1]), [(1, 1.0), (4, 1.0)], "ab is a slider like others");
        let mut weights = vec![0.0; 5];
        head.show_channel(0, 1.0, &[], &mut weights);
        assert_eq!(resolved(&head, &weights), [1.0; 5]);
        let mut weights = vec![9.0, 7.0, 0.5, 0.5, 0.5];
        head.correctives.drive(&mut weights, &[1]);
        assert_eq!(weights[..2], [0.5, 7.0], "a silent one keeps its weight, which drives others");
    }
}

#[test]
fn in_betweens_share_the_weight_with_their_target() {
    let declared = vec![product("ab", &["a", "b"]), in_between("a25", "a", 0.25), in_between("a75", "A", 0.75)];
    let head = head(&["a", "a25", "a75", "b", "ab"], declared);
    assert_eq!(notes(&head), [""; 0]);
    let at = |a: f32| resolved(&head, &[a, 9.0, 9.0, 1.0, 9.0]);
    assert_eq!(at(0.0), [0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(at(0.125), [0.0, 0.5, 0.0, 1.0, 0.125]);
    assert_eq!(at(0.25), [0.0, 1.0, 0.0, 1.0, 0.25]);
    assert_eq!(at(0.5), [0.0, 0.5, 0.5, 1.0, 0.5], "the combination follows the slider, not the share");
    assert_eq!(at(1.0), [1.0, 0.0, 0.0, 1.0, 1.0]);
    let mut weights = vec![0.5, 3.0, 0.0, 0.0, 0.0];
    head.correctives.drive(&mut weights, &[1, 4]);
    assert_eq!(
        weights,
        [0.0, 3.0, 2.0 / 3.0, 0.0, 0.0].map(|weight: f32| weight),
        "without the first, which is a slider"
    );
    assert_eq!(head.correctives.shown_by(2, 1.0, &[]), [(0, 0.75)]);
}

#[test]
fn each_mesh_is_driven_by_its_own_targets_and_else_by_the_first() {
    let meshes = vec![mesh(&["jaw", "mend", "pout"]), mesh(&["jaw", "mend"])];
    let head = Head::new(Asset { meshes, correctives: vec![product("mend", &["jaw", "pout"])], ..Asset::default() });
    assert_eq!(resolved(&head, &[1.0, 0.0, 0.5, 0.5, 0.0]), [1.0, 0.5, 0.5, 0.5, 0.25]);
}

#[test]
fn what_a_head_cannot_have_is_left_out_and_said() {
    let names = ["a", "b", "c", "d"];
    for (declared, said) in [
        (product("nose", &["a"]), "corrective \"nose\": is no target of this head. It was left out"),
        (product("a", &["b", "nose"]), "is driven by \"nose\", which is no target"),
        (product("a", &["b", "A"]), "is driven by itself"),
        (product("a", &[]), "has no drivers"),
        (product("a", &["b", "B"]), "is driven twice by \"B\""),
        (combination("a", DriveRule::Product, &[("b", 0.0)]), "full weight 0"),
        (combination("a", DriveRule::Product, &[("b", f32::NAN)]), "full weight NaN"),
        (in_between("a", "b", 1.0), "is at 1 of \"b\", where another shape is"),
        (in_between("a", "b", f32::INFINITY), "is at inf"),
        (in_between("a", "a", 0.5), "is driven by itself"),
    ] {
        let head = head(&names, vec![declared]);
        assert!(notes(&head).len() == 1 && notes(&head)[0].contains(said), "{said}: {:?}", notes(&head));
        assert!(head.correctives.is_empty());
        assert_eq!(resolved(&head, &[0.1, 0.2, 0.3, 0.4]), [0.1, 0.2, 0.3, 0.4]);
    }
    let head = head(
        &names,
        vec![
            product("a", &["b"]),
            product("a", &["c"]),
            in_between("d", "c", 0.5),
            product("b", &["d"]),
            in_between("c", "d", 0.5),
        ],
    );
    let found = notes(&head).join("\n");
    for said in [
        "\"a\": is declared already",
        "\"b\": is driven by \"d\", which is an in-between",
        "\"c\": is driven by \"d\", which is an in-between",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
    assert_eq!(head.correctives.driven().collect::<Vec<_>>(), [0, 3]);
}

#[test]
fn correctives_in_a_circle_are_left_out_and_those_that_follow_them_play() {
    let declared = vec![product("d", &["a", "e"]), product("a", &["b"]), product("b", &["c"]), product("c", &["a"])];
    let head = head(&["a", "b", "c", "d", "e"], declared);
    let found = notes(&head).join("\n");
    assert!(found.contains("is driven by itself in a circle: \"a\" by \"b\" by \"c\" by \"a\""), "{found}");
    assert_eq!(notes(&head).len(), 3, "{found}");
    assert_eq!(head.correctives.driven().collect::<Vec<_>>(), [3]);
    assert_eq!(resolved(&head, &[0.5, 0.2, 0.3, 0.0, 0.5]), [0.5, 0.2, 0.3, 0.25, 0.5]);
}

#[test]
fn in_betweens_of_the_file_are_not_mixed_with_declared_ones() {
    let mut bent = Target { name: "a".into(), ..Target::default() };
    bent.set_in_betweens(vec![InBetween { full_weight: 0.5, ..InBetween::default() }]);
    let mut mesh = mesh(&["b"]);
    mesh.targets.push(bent);
    let head =
        Head::new(Asset { meshes: vec![mesh], correctives: vec![in_between("b", "a", 0.3)], ..Asset::default() });
    assert!(notes(&head)[0].contains("the file has in-betweens of \"a\" already"), "{:?}", notes(&head));
}

#[test]
fn a_shape_that_is_added_later_is_found_and_the_note_about_it_goes() {
    let before = head(&["a", "b"], vec![product("ab", &["a", "b"])]);
    assert_eq!(notes(&before).len(), 1);
    let added = Target { name: "ab".into(), ..Target::default() };
    let after = before.with_targets(vec![(0, added)], Vec::new());
    assert_eq!(notes(&after), [""; 0]);
    assert_eq!(resolved(&after, &[0.5, 0.5, 0.0]), [0.5, 0.5, 0.25]);
}

#[test]
fn long_chains_and_many_circles_are_bound_in_time() {
    let names: Vec<String> = (0..4096).map(|index| format!("t{index}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let chain = (1..4096).map(|index| product(all[index], &[all[index - 1]])).collect();
    let head_of_chain = head(&all, chain);
    let mut weights = vec![0.0; 4096];
    weights[0] = 0.5;
    assert!(resolved(&head_of_chain, &weights).iter().all(|weight| *weight == 0.5));
    let circles = (0..4096).map(|index| product(all[index], &[all[index ^ 1]])).collect();
    assert!(head(&all, circles).correctives.is_empty());
    // Each is driven by both of the two before it: following the drivers of each driver would never end.
    let ladder = (2..4096).map(|index| product(all[index], &[all[index - 1], all[index - 2]])).collect();
    assert_eq!(head(&all, ladder).correctives.shown_by(4095, 1.0, &[]), [(0, 1.0), (1, 1.0)]);
}
