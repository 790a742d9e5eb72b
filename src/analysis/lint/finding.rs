//! The finding of a check: the rule, the channels and the measured numbers; and the text that is made of them.

use std::borrow::Cow;

use super::rule::Rule;
use smirk_base::names::{one_line, printable};
use smirk_face::head::{Head, Level};

/// The numbers of a finding. Lengths are in world units.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// The rules beside the head cannot be read.
    UnreadableRules {
        /// The file, and what is wrong with it.
        problem: String,
    },
    Coverage {
        found: usize,
        missing: Vec<&'static str>,
    },
    /// Channels that are not at 0 when nothing plays.
    RestWeights {
        /// The weight of each at rest; of several targets, the one farthest from 0.
        weights: Vec<f32>,
    },
    /// Channels that move nothing visibly.
    Empty {
        /// The longest displacement of any vertex.
        largest: f32,
    },
    /// In-betweens that move nothing visibly, of channels that do.
    RestingInBetween {
        /// The full weights of those of the first channel, ascending.
        full_weights: Vec<f32>,
    },
    Duplicate {
        /// The largest difference at a vertex.
        error: f32,
    },
    Opposite {
        /// The largest difference at a vertex.
        error: f32,
    },
    /// The second channel is the first times a factor.
    Multiple {
        factor: f64,
        /// The largest difference at a vertex.
        error: f32,
    },
    /// The first channel is the sum of the others, each times its weight.
    Sum {
        /// One weight per channel but the first.
        weights: Vec<f64>,
        /// The largest difference at a vertex.
        error: f32,
    },
    /// The first channel is part of all others.
    Contained {
        /// The weight that it has in the second one: 1 or −1.
        weight: f32,
        /// How much of its movement the second one has, as a part of all.
        share: f32,
    },
    /// Stored movements that are invisible.
    Noise {
        /// The smallest and the largest part of a channel's stored vertices that do not move visibly.
        shares: [f32; 2],
        /// The movement below which nothing is visible.
        threshold: f32,
        /// The memory of these vertices.
        bytes: usize,
        visible_channels: usize,
    },
    /// Left and right channels that are no mirror images. The first two channels differ most.
    Asymmetry {
        /// The difference of the worst pair, as a part of its movement.
        share: f32,
        /// Pairs that differ by more than this part are reported.
        threshold: f32,
        /// The largest difference of the worst pair at a vertex.
        largest: f32,
        /// The number of pairs that were compared.
        pairs: usize,
    },
    /// Surfaces that turn without their normals.
    Unturned {
        /// The angle between normal and surface in the worst channel.
        degrees: f32,
        mesh: Option<usize>,
        visible_channels: usize,
    },
    Crack {
        gap: f32,
        /// The number of places where a seam opens.
        places: usize,
    },
}

impl Measure {
    fn rule(&self) -> Rule {
        match self {
            Self::UnreadableRules { .. } => Rule::Import,
            Self::Coverage { .. } => Rule::Coverage,
            Self::RestWeights { .. } => Rule::RestWeight,
            Self::Empty { .. } => Rule::Empty,
            Self::RestingInBetween { .. } => Rule::InBetween,
            Self::Duplicate { .. } => Rule::Duplicate,
            Self::Opposite { .. } => Rule::Opposite,
            Self::Multiple { .. } | Self::Sum { .. } => Rule::Mix,
            Self::Contained { .. } => Rule::Contained,
            Self::Noise { .. } => Rule::Noise,
            Self::Asymmetry { .. } => Rule::Asymmetry,
            Self::Unturned { .. } => Rule::Unturned,
            Self::Crack { .. } => Rule::Crack,
        }
    }
}

/// One remark about the shapes of a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub rule: Rule,
    /// A warning if the picture shows the fault; else information.
    pub level: Level,
    /// Indices into [`Head::channels`], the worst first; empty if the finding is about the whole head.
    pub channels: Vec<usize>,
    pub measure: Measure,
    /// The finding in words, with the numbers and what to do. One line.
    pub message: String,
}

impl Finding {
    /// A finding about channels of a head with a scale, in millimetres of a human head per unit.
    pub(super) fn new(head: &Head, mm_per_unit: f32, level: Level, channels: Vec<usize>, measure: Measure) -> Self {
        let message = one_line(Words { head, mm_per_unit, channels: &channels }.message(&measure));
        Self { rule: measure.rule(), level, channels, measure, message }
    }

    /// The rules beside a head cannot be read.
    pub fn unreadable_rules(head: &Head, problem: String) -> Self {
        Self::new(head, 1.0, Level::Warning, Vec::new(), Measure::UnreadableRules { problem })
    }

    /// Whether it says that something is wrong. That all of ARKit's shapes are there is no fault.
    pub fn is_fault(&self) -> bool {
        !matches!(&self.measure, Measure::Coverage { missing, .. } if missing.is_empty())
    }

    /// The names of the channels it is about: some names, and how many more.
    pub fn object(&self, head: &Head) -> String {
        const NAMED: usize = 4;
        let named = self.channels.iter().take(NAMED);
        let names = named.map(|&channel| head.channels.get(channel).map_or("?", |channel| channel.name.as_str()));
        let names = names.map(|name| printable(name).into_owned());
        let mut names: Vec<String> = names.collect();
        match self.channels.len() {
            0 => return one_line(head.name.clone()),
            count if count > NAMED => names.push(format!("{} more", count - NAMED)),
            _ => {}
        }
        one_line(match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        })
    }
}

struct Words<'a> {
    head: &'a Head,
    mm_per_unit: f32,
    channels: &'a [usize],
}

impl Words<'_> {
    fn message(&self, measure: &Measure) -> String {
        let count = self.channels.len();
        match measure {
            Measure::UnreadableRules { problem } => format!("{problem}; the rules apply as if there were no such file"),
            Measure::Coverage { missing, .. } if missing.is_empty() => "52/52: all of them".to_owned(),
            Measure::Coverage { found, missing } => {
                let names = missing.join(", ");
                format!(
                    "{found}/52 move something, missing {names}; captures of the missing shapes have no effect on this head"
                )
            }
            Measure::RestWeights { weights } => {
                let shapes = if count == 1 { "1 shape is".to_owned() } else { format!("{count} shapes are") };
                format!(
                    "{shapes} not at 0 at rest, most of all {} at {}: the face is deformed before anything plays, and captures start \
                     from there; if that is not meant, export with all weights at 0",
                    self.name(0),
                    weights.first().map_or_else(String::new, |weight| rounded(f64::from(*weight))),
                )
            }
            Measure::Empty { largest } => {
                let limit =
                    if *largest > 0.0 { format!(" further than {}", self.length(*largest)) } else { String::new() };
                match count {
                    1 => format!("moves nothing{limit} at weight 1; model the shape, or delete it"),
                    count => format!("{count} shapes move nothing{limit} at weight 1; model them, or delete them"),
                }
            }
            Measure::RestingInBetween { full_weights } => {
                let full_weights: Vec<String> = full_weights.iter().map(f32::to_string).collect();
                let others =
                    if count > 1 { format!(", and {} other channels alike", count - 1) } else { String::new() };
                format!(
                    "{} moves at weight 1, but its in-between at {} moves nothing, so that the face is at rest there{others}; model \
                     the in-between, or delete it",
                    self.name(0),
                    full_weights.join(" and "),
                )
            }
            Measure::Duplicate { error } => format!(
                "move every vertex alike{}; one was copied and not modelled, or one is too many",
                self.error(*error)
            ),
            Measure::Opposite { error } => {
                format!("each undoes the other{}; one of them at a weight below 0 does for both", self.error(*error))
            }
            Measure::Multiple { factor, error } => {
                format!("{} is {} × {}{}", self.name(1), rounded(*factor), self.name(0), self.error(*error))
            }
            Measure::Sum { weights, error } => format!(
                "{} is {}, to {}; moved together they add up twice",
                self.name(0),
                self.sum(weights),
                self.length(*error)
            ),
            Measure::Contained { weight, share } => {
                let (contained, base) = (self.name(0), if *weight > 0.0 { "at 1" } else { "at 1 in the base" });
                let shapes = match count {
                    2 => format!("{} contains", self.name(1)),
                    _ => format!("{} and {} more contain", self.name(1), count - 2),
                };
                let sign = if *weight > 0.0 { "" } else { "−" };
                format!(
                    "{shapes} {sign}{contained}, {:.0} % of its movement, beside what is new; that is an export with {contained} \
                     {base}: export again with it at 0",
                    share * 100.0,
                )
            }
            Measure::Noise { shares: [least, most], threshold, bytes, visible_channels } => {
                let shares = match (least * 100.0, most * 100.0) {
                    (least, most) if most - least < 1.0 => format!("{most:.0} %"),
                    (least, most) => format!("{least:.0} to {most:.0} %"),
                };
                let mebibytes = *bytes as f32 / f32::from(1_u16 << 10) / 1024.0;
                format!(
                    "in {count} of {visible_channels} shapes {shares} of the vertices stored move by less than {}: rounding, \
                     {mebibytes:.1} MiB of it; remove such small deltas when exporting",
                    self.length(*threshold)
                )
            }
            Measure::Asymmetry { share, threshold, largest, pairs } => {
                let uneven = count / 2;
                let advice = if uneven * 2 > *pairs {
                    "as it should be if the face was scanned, else mirror the better side"
                } else {
                    "if that is not meant, mirror the better side"
                };
                format!(
                    "{uneven} of {pairs} pairs differ from their mirror image by more than {:.0} % of their movement, most of \
                     all {} and {}: by {:.0} %, and by {} at most; {advice}",
                    threshold * 100.0,
                    self.name(0),
                    self.name(1),
                    share * 100.0,
                    self.length(*largest),
                )
            }
            Measure::Unturned { degrees, mesh, visible_channels } => {
                let mesh =
                    mesh.map_or(String::new(), |mesh| format!(" on {}", printable(&self.head.meshes[mesh].name)));
                format!(
                    "{count} of {visible_channels} shapes move the surface and not its normals, which are then off by up to \
                     {degrees:.0}° ({}{mesh}); Smirk recomputes them (Look › Normals), other programs may not: export shape \
                     keys with normals",
                    self.name(0),
                )
            }
            Measure::Crack { gap, places } => {
                let shapes = if count == 1 { "1 shape opens".into() } else { format!("{count} shapes open") };
                format!(
                    "{shapes} seams that are closed at rest, most of all {}: {places} places by up to {}; give both sides of a seam \
                     the same deltas, e.g. by merging vertices before sculpting",
                    self.name(0),
                    self.length(*gap),
                )
            }
        }
    }

    fn name(&self, index: usize) -> Cow<'_, str> {
        printable(&self.head.channels[self.channels[index]].name)
    }

    /// How exact an equality is: nothing if it is exact.
    fn error(&self, error: f32) -> String {
        if error > 0.0 { format!(", to {}", self.length(error)) } else { String::new() }
    }

    /// `a + 0.50 × b − c`.
    fn sum(&self, weights: &[f64]) -> String {
        let mut sum = String::new();
        for (at, weight) in weights.iter().enumerate() {
            let sign = match (at, *weight < 0.0) {
                (0, false) => "",
                (0, true) => "−",
                (_, false) => " + ",
                (_, true) => " − ",
            };
            let is_one = (weight.abs() - 1.0).abs() < 0.01;
            let factor = if is_one { String::new() } else { format!("{} × ", rounded(weight.abs())) };
            sum += &format!("{sign}{factor}{}", self.name(at + 1));
        }
        sum
    }

    /// A length in the world, in millimetres of a human head.
    fn length(&self, world: f32) -> String {
        format!("{} mm", rounded(f64::from(world) * f64::from(self.mm_per_unit)))
    }
}

/// A number with about two significant digits.
fn rounded(number: f64) -> String {
    match number.abs() {
        huge if huge >= 1e6 => format!("{number:.0e}"),
        large if large >= 10.0 => format!("{number:.0}"),
        middle if middle >= 1.0 => format!("{number:.1}"),
        small if small >= 0.1 => format!("{number:.2}"),
        tiny if tiny >= 0.0005 => format!("{number:.3}"),
        0.0 => "0".into(),
        _ => "less than 0.001".into(),
    }
}
