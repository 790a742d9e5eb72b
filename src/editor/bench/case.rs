//! The weights of a measurement: pseudo-random ones, or those of a file, so that another program can be measured with
//! the same weights.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::BenchError;
use smirk_base::{json, random, regular_file};
use smirk_face::head::Head;

/// Weight vectors with the same number of active channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub active: usize,
    /// Several weight vectors with one weight per target. They have different active channels, because some channels
    /// move more of a face than others.
    pub sets: Vec<Vec<f32>>,
}

/// The number of weight vectors if all channels are active. Few are needed, because only the weights differ.
const SETS_OF_ALL: usize = 2;

/// Random channels with random weights from 0.1 to 1, the same on every machine. Amounts that exceed the channels of
/// the head are left out. An active channel drives its targets on all meshes, as it does for an artist.
pub fn random_cases(head: &Head, amounts: &[Amount], set_count: usize) -> Vec<Case> {
    let channel_count = head.target_channels().len();
    let mut amounts: Vec<usize> = amounts.iter().filter_map(|amount| amount.count_on(channel_count)).collect();
    amounts.sort_unstable();
    amounts.dedup();
    let cases = amounts.into_iter().map(|active| {
        let set_count = if active == channel_count { set_count.min(SETS_OF_ALL) } else { set_count };
        Case { active, sets: (0..set_count).map(|set| random_set(head, active, set)).collect() }
    });
    cases.collect()
}

fn random_set(head: &Head, active: usize, set: usize) -> Vec<f32> {
    let seed = (active * 1000 + set) as u32;
    let mut channels: Vec<usize> = (0..head.target_channels().len()).collect();
    let mut weights = vec![0.0; head.target_count()];
    for place in 0..active {
        // The first steps of a Fisher–Yates shuffle choose the channels; the rest is not needed.
        let last = channels.len() - 1;
        let other = place + (random::unit(seed, place as u64) * (channels.len() - place) as f32) as usize;
        channels.swap(place, other.min(last));
        let weight = 0.1 + 0.9 * random::unit(!seed, place as u64);
        for &target in &head.channels[channels[place]].targets {
            weights[target] = weight;
        }
    }
    weights
}

const MAX_BYTES: u64 = 256 << 20;

/// Reads `{"1": [[…], …], "6": …, "all": …}`: for each amount, lists of one weight per target. Without `amounts`, all
/// of them are read.
pub fn read_cases(path: &Path, head: &Head, amounts: Option<&[Amount]>) -> Result<Vec<Case>, BenchError> {
    let wrong = |reason: String| BenchError::NoWeights { file: path.display().to_string(), reason };
    let bytes = regular_file::read(path, MAX_BYTES)
        .map_err(|source| BenchError::Unreadable { file: path.display().to_string(), source })?;
    let lists: BTreeMap<String, Vec<Vec<f32>>> = json::read(&bytes).map_err(|error| wrong(error.to_string()))?;
    let mut cases = Vec::new();
    for (key, sets) in lists {
        let amount: Amount = key.parse().map_err(|_| wrong(format!("{key:?} is neither a number nor \"all\"")))?;
        if amounts.is_some_and(|amounts| !amounts.contains(&amount)) {
            continue;
        }
        if sets.is_empty() {
            return Err(wrong(format!("{key:?} holds no list of weights")));
        }
        for (index, set) in sets.iter().enumerate() {
            if set.len() != head.target_count() {
                let (found, expected) = (set.len(), head.target_count());
                return Err(wrong(format!("{key:?}[{index}] has {found} weights, and the head {expected} targets")));
            }
        }
        let active = match amount {
            Amount::Number(number) => number,
            Amount::All => head.target_channels().len(),
        };
        cases.push(Case { active, sets });
    }
    cases.sort_by_key(|case| case.active);
    match cases.is_empty() {
        true => Err(wrong("it holds no weights for what is asked".into())),
        false => Ok(cases),
    }
}

/// A number of active channels, which may be that of all channels of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Amount {
    Number(usize),
    All,
}

impl Amount {
    pub const DEFAULT: [Self; 6] =
        [Self::Number(1), Self::Number(6), Self::Number(12), Self::Number(25), Self::Number(50), Self::All];

    /// The number of channels on a head; `None` if the head has fewer.
    pub fn count_on(self, channel_count: usize) -> Option<usize> {
        match self {
            Self::Number(number) => (number <= channel_count).then_some(number),
            Self::All => (channel_count > 0).then_some(channel_count),
        }
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "all" => Ok(Self::All),
            number => match number.parse() {
                Ok(number) if number > 0 => Ok(Self::Number(number)),
                _ => Err("numbers of 1 or more, or all, such as 1,6,all".into()),
            },
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::All => f.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Mesh, Target, Vertices};

    /// A head with ten expressions on a face, three of which also move the lashes.
    fn head() -> Head {
        let mesh = |name: &str, targets: usize| Mesh {
            name: name.into(),
            vertices: Vertices { positions: vec![glam::Vec3::ZERO; 3], ..Vertices::default() },
            targets: (0..targets).map(|index| Target { name: format!("t{index}"), ..Target::default() }).collect(),
            ..Mesh::default()
        };
        let meshes = vec![mesh("face", 10), mesh("lashes", 3)];
        Head::new(Asset { name: "head".into(), meshes, ..Asset::default() })
    }

    #[test]
    fn a_random_case_has_so_many_channels_with_all_their_targets() {
        let head = head();
        let cases = random_cases(&head, &Amount::DEFAULT, 4);
        assert_eq!(
            cases.iter().map(|case| (case.active, case.sets.len())).collect::<Vec<_>>(),
            [(1, 4), (6, 4), (10, 2)]
        );
        for set in cases.iter().flat_map(|case| case.sets.iter().map(move |set| (case.active, set))) {
            let (active, weights) = set;
            assert_eq!(weights[..10].iter().filter(|&&weight| (0.1..=1.0).contains(&weight)).count(), active);
            assert_eq!(weights[..3], weights[10..], "a channel moves all its targets");
        }
        assert_ne!(cases[1].sets[0], cases[1].sets[1]);
        assert_eq!(cases, random_cases(&head, &Amount::DEFAULT, 4));
    }

    #[test]
    fn weights_from_a_file_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("weights.json");
        let read = |text: &str, amounts: Option<&[Amount]>| {
            std::fs::write(&file, text).unwrap();
            read_cases(&file, &head(), amounts)
        };
        let thirteen = format!("{:?}", [0.5; 13]);
        let cases = read(&format!(r#"{{"all":[{thirteen}],"2":[{thirteen},{thirteen}]}}"#), None).unwrap();
        assert_eq!(cases.iter().map(|case| (case.active, case.sets.len())).collect::<Vec<_>>(), [(2, 2), (10, 1)]);
        for (text, word) in [
            (r#"{"6":[[1,2]]}"#, "has 2 weights, and the head 13"),
            (r#"{"some":[]}"#, "some"),
            (r#"{"6":[]}"#, "no list"),
            (r#"{"6":[["a"]]}"#, "weights.json"),
            ("{}", "no weights"),
        ] {
            let error = read(text, None).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("weights.json"), "{error}");
        }
        assert!(read(&format!(r#"{{"2":[{thirteen}]}}"#), Some(&[Amount::All])).is_err());
    }

    #[test]
    fn amounts_are_read_and_left_out_beyond_those_of_a_head() {
        assert_eq!(" 12".parse(), Ok(Amount::Number(12)));
        assert_eq!("all".parse(), Ok(Amount::All));
        assert!("0".parse::<Amount>().is_err() && "some".parse::<Amount>().is_err());
        let on =
            |channels| Amount::DEFAULT.into_iter().filter_map(|amount| amount.count_on(channels)).collect::<Vec<_>>();
        assert_eq!(on(57), [1, 6, 12, 25, 50, 57]);
        assert_eq!(on(12), [1, 6, 12, 12]);
        assert_eq!(on(11), [1, 6, 11]);
        assert!(on(0).is_empty());
    }
}
