//! Heads that lie: they are found to, however they lie, and no other head is turned.

use std::path::Path;

use smirk_base::file_kind::Content;
use smirk_face::head::{Asset, Axis, Head, Role, Standing};
use smirk_files::import;
use smirk_support::test_files::real_heads;

fn every_standing() -> impl Iterator<Item = Standing> {
    Axis::EACH.iter().flat_map(|up| Axis::EACH.iter().filter_map(|front| Standing::new(*up, *front)))
}

/// Meshes that share a name share the number too.
fn without_names(asset: &mut Asset) {
    let mut names = Vec::new();
    for target in asset.meshes.iter_mut().flat_map(|mesh| &mut mesh.targets) {
        let number = names.iter().position(|name| *name == target.name).unwrap_or_else(|| {
            names.push(target.name.clone());
            names.len() - 1
        });
        target.name = format!("shape {number}");
    }
}

/// The bundled head, changed, without clips and correctives, which belong to its own targets.
fn changed(change: impl Fn(&Head, &mut Asset)) -> Asset {
    let head = import::embedded().unwrap();
    let mut asset = head.to_asset();
    change(&head, &mut asset);
    asset.declared_correctives.clear();
    asset.clips.clear();
    asset
}

fn without_eyes(head: &Head, asset: &mut Asset) {
    for mesh in &mut asset.meshes {
        mesh.parts.retain(|part| head.roles[part.material] != Role::Eye);
    }
}

fn of_one_side(asset: &mut Asset) {
    for mesh in &mut asset.meshes {
        mesh.targets.retain(|target| !target.name.contains("Right"));
    }
}

#[test]
fn the_bundled_head_is_found_however_it_stands() {
    let with = |change: &dyn Fn(&Head, &mut Asset)| changed(change);
    let heads = [
        ("as it is", true, with(&|_, _| {})),
        ("without eyes", true, with(&without_eyes)),
        ("with channels of the left alone", true, with(&|_, asset| of_one_side(asset))),
        (
            "with channels of the left alone, without eyes",
            true,
            with(&|head, asset| {
                without_eyes(head, asset);
                of_one_side(asset);
            }),
        ),
        ("without names", true, with(&|_, asset| without_names(asset))),
        (
            "without names and eyes",
            false,
            with(&|head, asset| {
                without_eyes(head, asset);
                without_names(asset);
            }),
        ),
    ];
    for (name, is_found, asset) in heads {
        for standing in every_standing() {
            let mut turned = asset.clone();
            turned.rig.world_from_file = standing.upright_from_file().transpose();
            let head = Head::new(turned).turned_as_found();
            let expected = is_found.then_some(standing);
            assert_eq!((head.rig.found, head.rig.stands), (expected, expected.unwrap_or_default()), "{name}");
        }
    }
}

/// Checks the heads in a folder, and returns how many have a face.
fn check_heads_in(folder: &Path) -> usize {
    let lying = [(Axis::PlusZ, Axis::MinusY), (Axis::MinusX, Axis::PlusZ), (Axis::PlusY, Axis::PlusX)];
    let lying = lying.map(|(up, front)| Standing::new(up, front).unwrap());
    let mut count = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.display();
        if path.is_dir() {
            count += check_heads_in(&path);
        } else if Content::Head.extensions().iter().any(|it| path.extension().is_some_and(|own| own == *it))
            && let Ok(head) = import::open(&path)
        {
            assert_eq!(head.rig.stands, Standing::UPRIGHT, "{name}");
            count += usize::from(head.rig.found.is_some());
            // A format that says which way its heads look is believed.
            let is_found = head.rig.found.is_some() && head.rig.world_from_format.is_none();
            for standing in lying.into_iter().filter(|_| is_found) {
                let mut asset = head.to_asset();
                let turn = standing.upright_from_file().transpose();
                asset.rig.add_nodes_for(&mut asset.meshes);
                asset.rig.world_from_file = turn * asset.rig.world_from_file;
                assert_eq!(Head::new(asset).turned_as_found().rig.found, Some(standing), "{name}");
            }
        }
    }
    count
}

#[test]
fn real_heads_stay_upright_and_are_found_where_they_lie() {
    if let Some(folder) = real_heads() {
        assert!(check_heads_in(&folder) > 0, "no head has a face");
    }
}
