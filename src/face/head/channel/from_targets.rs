//! Derives the channels of a head and their pairs from the names of its targets and from its expressions.

use std::collections::{HashMap, HashSet};

use super::expression::Expression;
use super::pairing::pair_up;
use super::region::Region;
use super::{Channel, EXPRESSION_PREFIX, Pair};
use crate::head::Mesh;

/// Groups the targets of all meshes by name, appends the expressions, and pairs the result.
pub fn channels_and_pairs(meshes: &[Mesh], expressions: &[Expression]) -> (Vec<Channel>, Vec<Pair>) {
    let mut names: Vec<&str> = Vec::new();
    let mut targets: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (index, target) in meshes.iter().flat_map(|mesh| &mesh.targets).enumerate() {
        let channel = *known.entry(&target.name).or_insert_with(|| {
            names.push(&target.name);
            targets.push(Vec::new());
            names.len() - 1
        });
        targets[channel].push(index);
    }
    let hidden = common_prefix(&names);
    let is_unnamed = names.iter().all(|name| is_number_only(name));
    let target_count: usize = targets.iter().map(Vec::len).sum();
    let mut channels: Vec<Channel> = names
        .into_iter()
        .zip(targets)
        .enumerate()
        .map(|(index, (name, targets))| Channel {
            name: name[hidden..].to_owned(),
            full_name: name.to_owned(),
            targets,
            region: if is_unnamed { group(index) } else { Region::of_name(name) },
        })
        .collect();
    let mut taken: HashSet<String> = known.into_keys().map(str::to_owned).collect();
    channels.extend(expressions.iter().enumerate().map(|(index, expression)| Channel {
        name: expression.name.clone(),
        full_name: unique_name(&mut taken, &expression.name),
        targets: vec![target_count + index],
        region: Region::Expressions,
    }));
    let pairs = pair_up(&channels);
    (channels, pairs)
}

/// A full name for an expression that no target and no expression before it has.
fn unique_name(taken: &mut HashSet<String>, name: &str) -> String {
    let mut full_name = format!("{EXPRESSION_PREFIX}{name}");
    while !taken.insert(full_name.clone()) {
        full_name.insert_str(0, EXPRESSION_PREFIX);
    }
    full_name
}

/// Whether a name is one that importers give to a target without a name, `target N`.
fn is_number_only(name: &str) -> bool {
    name.strip_prefix("target ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The numbered group of a channel, for heads whose targets have no names. Each group has eight rows of the channel
/// list.
fn group(channel: usize) -> Region {
    const CHANNELS: usize = 16;
    Region::Group(u16::try_from(channel / CHANNELS + 1).unwrap_or(u16::MAX))
}

/// The length of the prefix that all names have in common, up to their last common `.` or `:`. 0 if a name without the
/// prefix would be empty or only a side: `smile.L` and `smile.R` stay as they are.
fn common_prefix(names: &[&str]) -> usize {
    let Some((first, rest)) = names.split_first().filter(|(_, rest)| !rest.is_empty()) else { return 0 };
    let length = rest.iter().fold(first.len(), |length, name| {
        first.bytes().zip(name.bytes()).take(length).take_while(|(a, b)| a == b).count()
    });
    // In UTF-8 the bytes of `.` and `:` are never part of a longer character.
    let Some(end) = first.as_bytes()[..length].iter().rposition(|byte| matches!(byte, b'.' | b':')) else { return 0 };
    let have_meaning = names.iter().all(|name| {
        let rest = &name[end + 1..];
        !(rest.is_empty() || ["l", "r", "left", "right"].iter().any(|side| rest.eq_ignore_ascii_case(side)))
    });
    if have_meaning { end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(names: &[&str]) -> Mesh {
        Mesh::with_targets(names.iter().copied())
    }

    /// The pairs as `first second kind label`, after a check that each channel is in exactly one.
    fn rows(names: &[&str]) -> Vec<String> {
        let (channels, pairs) = channels_and_pairs(&[mesh(names)], &[]);
        let mut seen: Vec<usize> = pairs.iter().flat_map(|pair| [Some(pair.first), pair.second]).flatten().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..channels.len()).collect::<Vec<_>>());
        let name = |index: usize| channels[index].name.as_str();
        let row = |pair: &Pair| {
            format!("{} {} {:?} {}", name(pair.first), pair.second.map_or("-", name), pair.kind, pair.label)
        };
        pairs.iter().map(row).collect()
    }

    #[test]
    fn one_channel_drives_the_targets_of_that_name_on_every_mesh() {
        let (channels, pairs) = channels_and_pairs(&[mesh(&["jawOpen", "browUp"]), mesh(&["browUp", "jawOpen"])], &[]);
        assert_eq!(channels[0].targets, [0, 3]);
        assert_eq!(channels[1].targets, [1, 2]);
        assert_eq!(pairs.len(), 2);
    }

    #[test]
    fn sides_are_paired_in_every_naming_scheme_left_first() {
        for (right, left, label) in [
            ("eyeBlinkRight", "eyeBlinkLeft", "eyeBlink"),
            ("eyeBlink_R", "eyeBlink_L", "eyeBlink"),
            ("eyeblink_r", "eyeblink_l", "eyeblink"),
            ("EyeBlink.R", "EyeBlink.L", "EyeBlink"),
            ("eyeBlink-R", "eyeBlink-L", "eyeBlink"),
            ("Eye Blink R", "Eye Blink L", "Eye Blink"),
            ("R_eyeBlink", "L_eyeBlink", "eyeBlink"),
            ("right_eye_blink", "left_eye_blink", "eye_blink"),
            ("Fcl_EYE_Close_R", "Fcl_EYE_Close_L", "Fcl_EYE_Close"),
            ("CTRL_expressions_eyeBlinkR", "CTRL_expressions_eyeBlinkL", "CTRL_expressions_eyeBlink"),
            ("eye-right-closure", "eye-left-closure", "eye-closure"),
            ("EYE_BLINK_RIGHT", "EYE_BLINK_LEFT", "EYE_BLINK"),
        ] {
            assert_eq!(rows(&[right, left]), [format!("{left} {right} Sides {label}")]);
        }
    }

    #[test]
    fn sides_of_other_dialects_are_paired() {
        let paired = "ウィンク２ ウィンク２右 Sides ウィンク２ / ウィンク２右";
        assert!(rows(&["ウィンク２右", "あ", "ウィンク２"]).contains(&paired.to_owned()));
    }

    #[test]
    fn left_and_right_of_jaw_and_mouth_are_opposites() {
        for (left, right) in [
            ("jawLeft", "jawRight"),
            ("mouthLeft", "mouthRight"),
            ("jaw_l", "jaw_r"),
            ("LookLeft", "LookRight"),
            ("CTRL_expressions_jawLeft", "CTRL_expressions_jawRight"),
            ("headTurnLeft", "headTurnRight"),
            ("facs_jnt_JawLeft", "facs_jnt_JawRight"),
            ("shape_max", "shape_min"),
        ] {
            assert!(rows(&[left, right])[0].contains(" Opposites "), "{left}");
        }
        assert!(rows(&["mouthSmileLeft", "mouthSmileRight"])[0].contains(" Sides "));
    }

    #[test]
    fn sides_come_before_opposites() {
        assert_eq!(
            rows(&["eyeLookUp_L", "eyeLookDown_L", "eyeLookUp_R", "eyeLookDown_R", "headUp", "headDown"]),
            [
                "eyeLookUp_L eyeLookUp_R Sides eyeLookUp",
                "eyeLookDown_L eyeLookDown_R Sides eyeLookDown",
                "headUp headDown Opposites head"
            ]
        );
    }

    #[test]
    fn other_channels_are_paired_within_their_region() {
        assert_eq!(
            rows(&["browInnerUp", "mouthA", "noseB", "mouthB", "tongueOut", "mouthC", "other"]),
            [
                "browInnerUp - Neighbours browInnerUp",
                "noseB - Neighbours noseB",
                "mouthA mouthB Neighbours mouthA / mouthB",
                "mouthC tongueOut Neighbours mouthC / tongueOut",
                "other - Neighbours other"
            ]
        );
    }

    #[test]
    fn a_prefix_of_all_names_is_hidden() {
        assert_eq!(
            rows(&["blendShape1.eyeWide_L", "blendShape1.eyeWide_R", "blendShape1.jawOpen"]),
            ["eyeWide_L eyeWide_R Sides eyeWide", "jawOpen - Neighbours jawOpen"]
        );
        assert_eq!(rows(&["smile.L", "smile.R"]), ["smile.L smile.R Sides smile"]);
        assert_eq!(rows(&["é.a", "è.a"]), ["é.a è.a Neighbours é.a / è.a"]);
    }

    #[test]
    fn unnamed_targets_are_in_groups_of_eight_rows() {
        let names: Vec<String> = (0..40).map(|index| format!("target {index}")).collect();
        let (_, pairs) = channels_and_pairs(&[mesh(&names.iter().map(String::as_str).collect::<Vec<_>>())], &[]);
        let rows_in = |group| pairs.iter().filter(|pair| pair.region == Region::Group(group)).count();
        assert_eq!((rows_in(1), rows_in(2), rows_in(3), pairs.len()), (8, 8, 4, 20));
    }

    #[test]
    fn thousands_of_channels_are_paired() {
        let names: Vec<String> = (0..2500)
            .flat_map(|n| [format!("shape{n}_L_mouthUpDown_L"), format!("shape{n}_L_mouthUpDown_R")])
            .collect();
        let mesh = mesh(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let (_, pairs) = channels_and_pairs(&[mesh], &[]);
        assert_eq!(pairs.len(), 2500);
    }

    #[test]
    fn full_names_are_unique_whatever_expressions_are_called() {
        let expressions = ["happy", "expression:happy", "happy"];
        let expressions = expressions.map(|name| Expression { name: name.into(), ..Expression::default() });
        let (channels, _) = channels_and_pairs(&[mesh(&["expression:happy"])], &expressions);
        let names: HashSet<&str> = channels.iter().map(|channel| channel.full_name.as_str()).collect();
        assert_eq!(names.len(), 4, "{names:?}");
    }

    #[test]
    fn expressions_are_stored_after_all_targets_and_listed_above_them() {
        let names = ["happy", "angry", "surprised", "aa", "blink", "blinkLeft", "blinkRight", "lookUp", "lookDown"];
        let expression = |name: &str| Expression { name: name.into(), ..Expression::default() };
        let meshes = [mesh(&["browUp", "expression:happy"]), mesh(&["browUp"])];
        let (channels, pairs) = channels_and_pairs(&meshes, &names.map(expression));
        assert_eq!(
            (channels[2].full_name.as_str(), &channels[2].targets[..]),
            ("expression:expression:happy", &[3][..])
        );
        assert_eq!((channels[10].full_name.as_str(), &channels[10].targets[..]), ("expression:lookDown", &[11][..]));
        let labels: Vec<&str> = pairs.iter().map(|pair| pair.label.as_str()).collect();
        assert_eq!(labels[..5], ["happy / angry", "surprised / aa", "blink", "blink", "look"]);
        assert!(pairs[..5].iter().all(|pair| pair.region == Region::Expressions), "{pairs:?}");
    }
}
