//! Good files with random damage: bytes changed, cut and spliced, values of their JSON replaced, deleted and swapped. A
//! seed makes the damage reproducible.

use serde_json::Value;
use smirk_files::import::open_bytes;
use smirk_support::draco::{Connectivity, Grid};
use smirk_support::fbx_builder::FbxBuilder;
use smirk_support::random::Random;
use smirk_support::strange::{places, strange_value};
use smirk_support::{good_files, head_checks, watch};

/// Opens a damaged file and returns whether it opened.
fn survives(name: &str, bytes: Vec<u8>, what: &str) -> bool {
    let file_name = name.to_owned();
    let most_bytes = watch::justified_bytes(bytes.len());
    watch::watch(&format!("{name}, {what}"), most_bytes, move || {
        let outcome = open_bytes(&bytes, &file_name);
        head_checks::check_outcome(&outcome);
        outcome.is_ok()
    })
}

fn broken_bytes(good: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            break;
        }
        // The JSON is at the beginning, and most changes there only make it unparsable: 70 % of changes are after it.
        let first = if random.chance(0.7) { bytes.len() * 3 / 4 } else { 0 };
        let at = first + random.below(bytes.len() - first);
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            2 => {
                let number = [0, 1, u32::MAX, 1 << 31, 0x7F80_0000, 0x7FC0_0000, 0xFF7F_FFFF][random.below(7)];
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            3 => bytes.truncate(at),
            4 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len());
                let end = (from + random.below(256)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn files_with_broken_bytes_open_or_give_an_error() {
    open_broken_bytes(100);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_files_with_broken_bytes_open_or_give_an_error() {
    open_broken_bytes(5_000);
}

fn open_broken_bytes(cases: usize) {
    let good: Vec<(String, Vec<u8>)> = good_files::all_bytes();
    let others: Vec<Vec<u8>> = good.iter().map(|(_, bytes)| bytes.clone()).collect();
    let mut random = Random::new(1);
    let (mut opened, mut total) = (0, 0);
    for (name, bytes) in &good {
        assert!(survives(name, bytes.clone(), "unbroken"), "{name} does not open undamaged");
        for case in 0..cases {
            let broken = broken_bytes(bytes, &others, &mut random);
            opened += usize::from(survives(name, broken, &format!("case {case}")));
            total += 1;
        }
    }
    assert!((total / 10..total * 9 / 10).contains(&opened), "{opened} of {total} opened");
}

#[test]
fn broken_draco_meshes_open_or_give_an_error() {
    open_broken_draco_meshes(250);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_broken_draco_meshes_open_or_give_an_error() {
    open_broken_draco_meshes(50_000);
}

/// Damage within the compressed mesh only, which damage anywhere in the file would seldom reach.
fn open_broken_draco_meshes(cases: usize) {
    let mut random = Random::new(3);
    let (mut opened, mut total) = (0, 0);
    for (connectivity, bits) in
        [(Connectivity::Edgebreaker, 0), (Connectivity::Edgebreaker, 12), (Connectivity::Sequential, 12)]
    {
        let grid = Grid::new(6);
        let (file, compressed) = (grid.file(connectivity, bits).glb(), grid.compressed(connectivity, bits));
        let first = file.windows(compressed.len()).position(|bytes| bytes == compressed).unwrap();
        for case in 0..cases {
            let mut broken = file.clone();
            for _ in 0..=random.below(3) {
                let at = first + random.below(compressed.len());
                broken[at] = [broken[at] ^ (1 << random.below(8)), 0, 0x7F, 0x80, 0xFF][random.below(5)];
            }
            opened +=
                usize::from(survives("draco.glb", broken, &format!("{connectivity:?}, {bits} bits, case {case}")));
            total += 1;
        }
    }
    assert!((total / 10..total * 9 / 10).contains(&opened), "{opened} of {total} opened");
}

#[test]
fn broken_fbx_files_open_or_give_an_error() {
    open_broken_fbx_files(250);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_broken_fbx_files_open_or_give_an_error() {
    open_broken_fbx_files(50_000);
}

/// FBX is damaged more often than the other files: its reader is C.
fn open_broken_fbx_files(cases: usize) {
    let mut random = Random::new(4);
    let mut file = FbxBuilder::everything();
    let text = file.text().into_bytes();
    let narrow = file.binary();
    file.version = 7500;
    let good = [text, narrow, file.binary()];
    let (mut opened, mut total) = (0, 0);
    for (number, bytes) in good.iter().enumerate() {
        for case in 0..cases {
            let mut broken = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(broken.len());
                match random.below(8) {
                    0 => broken.truncate(at.max(64)),
                    1 => {
                        let end = (at + random.below(64)).min(broken.len());
                        broken.drain(at..end);
                    }
                    2 => {
                        let end = (at + random.below(256)).min(broken.len());
                        let piece = broken[at..end].to_vec();
                        let to = random.below(broken.len());
                        broken.splice(to..to, piece);
                    }
                    // A number of 32 or 64 bits: lengths, counts, indices, and numbers that are none.
                    3 | 4 => {
                        let numbers =
                            [0, 1, 7, u64::MAX, 1 << 31, f64::NAN.to_bits(), f64::INFINITY.to_bits(), 1 << 20];
                        let bytes = numbers[random.below(numbers.len())].to_le_bytes();
                        let end = (at + [4, 8][random.below(2)]).min(broken.len());
                        broken[at..end].copy_from_slice(&bytes[..end - at]);
                    }
                    5 => broken[at] = b"0123456789-.,:{}*\"eEnN"[random.below(22)],
                    _ => broken[at] ^= 1 << random.below(8),
                }
            }
            opened += usize::from(survives("everything.fbx", broken, &format!("file {number}, case {case}")));
            total += 1;
        }
    }
    assert_eq!(total, 3 * cases);
    assert!((total / 10..total * 9 / 10).contains(&opened), "{opened} of {total} opened");
}

fn break_json(value: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    places(value, "", &mut all);
    let mut place = || all[1 + random.below(all.len() - 1)].clone();
    let (at, other) = (place(), place());
    match random.below(6) {
        0 => {
            let (parent, key) = at.rsplit_once('/').unwrap();
            match value.pointer_mut(parent) {
                Some(Value::Object(fields)) => drop(fields.remove(key)),
                Some(Value::Array(list)) => drop(list.remove(key.parse().unwrap())),
                _ => {}
            }
        }
        1 => {
            if let Some(Value::Array(list)) = value.pointer_mut(&at) {
                list.extend(list.clone());
            }
        }
        2 | 3 => {
            let theirs = value.pointer(&other).unwrap().clone();
            let mine = value.pointer(&at).unwrap().clone();
            *value.pointer_mut(&at).unwrap() = theirs;
            // If one value contains the other, the second pointer no longer exists.
            if let Some(spot) = value.pointer_mut(&other) {
                *spot = mine;
            }
        }
        _ => {
            let spot = value.pointer_mut(&at).unwrap();
            *spot = strange_value(random, spot);
        }
    }
}

#[test]
fn files_with_broken_json_open_or_give_an_error() {
    open_broken_json(100);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_files_with_broken_json_open_or_give_an_error() {
    open_broken_json(10_000);
}

fn open_broken_json(cases: usize) {
    let mut random = Random::new(2);
    let (mut opened, mut total) = (0, 0);
    for (name, file) in good_files::all() {
        for case in 0..cases {
            let mut broken = file.clone();
            for _ in 0..=random.below(3) {
                break_json(&mut broken.json, &mut random);
            }
            let is_text = random.chance(0.2);
            let (ending, bytes) = if is_text { ("gltf", broken.gltf().into_bytes()) } else { ("glb", broken.glb()) };
            let what = format!("case {case}: {}", broken.json);
            opened += usize::from(survives(&format!("{name}.{ending}"), bytes, &what));
            total += 1;
        }
    }
    assert!((total / 10..total * 9 / 10).contains(&opened), "{opened} of {total} opened");
}
