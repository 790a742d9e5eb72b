//! The number of active channels in a measurement.

use std::fmt;
use std::str::FromStr;

/// A number of active channels, which may be that of all channels of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Amount {
    /// This number.
    Number(usize),
    /// All channels of the head.
    All,
}

impl Amount {
    /// The amounts that are measured by default.
    pub const DEFAULT: [Self; 6] =
        [Self::Number(1), Self::Number(6), Self::Number(12), Self::Number(25), Self::Number(50), Self::All];

    /// The number of channels on a head; `None` if the head has fewer.
    pub fn of(self, channel_count: usize) -> Option<usize> {
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

    #[test]
    fn amounts_are_read_and_left_out_beyond_those_of_a_head() {
        assert_eq!(" 12".parse(), Ok(Amount::Number(12)));
        assert_eq!("all".parse(), Ok(Amount::All));
        assert!("0".parse::<Amount>().is_err() && "some".parse::<Amount>().is_err());
        let on = |channels| Amount::DEFAULT.into_iter().filter_map(|amount| amount.of(channels)).collect::<Vec<_>>();
        assert_eq!(on(57), [1, 6, 12, 25, 50, 57]);
        assert_eq!(on(12), [1, 6, 12, 12]);
        assert_eq!(on(11), [1, 6, 11]);
        assert!(on(0).is_empty());
    }
}
