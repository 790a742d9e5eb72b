//! Dates and times in words: in coordinated universal time, unless they say otherwise.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in universal time, to a millisecond. As text it is that of RFC 3339, such as `2026-11-29T09:30:00Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(Timestamp);

impl Date {
    pub fn now() -> Self {
        Self::rounded(Timestamp::now())
    }

    fn rounded(time: Timestamp) -> Self {
        Self(time.round(Unit::Millisecond).unwrap_or(time))
    }

    /// The next moment, a millisecond later.
    pub fn just_after(self) -> Self {
        self.0.checked_add(Duration::from_millis(1)).map_or(self, Self)
    }

    /// Date and time as the clock of the user shows them, e.g. `2026-11-29 10:30`.
    pub fn local_text(self) -> String {
        self.0.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Date {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::rounded)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The clock of the system, in seconds since 1970; 0 if it is before that.
pub fn now_unix_secs() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

pub fn date_and_time(unix_secs: u64) -> String {
    // Times beyond the year 9999, which only a damaged file names, are as far as dates go.
    let time =
        i64::try_from(unix_secs).ok().and_then(|secs| Timestamp::from_second(secs).ok()).unwrap_or(Timestamp::MAX);
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A time of today as the clock of the user shows it, e.g. `12:03`.
pub fn clock_time(time: SystemTime) -> String {
    let zoned = Timestamp::try_from(time).map(|time| time.to_zoned(TimeZone::system()));
    zoned.map_or_else(|_| "an unknown time".into(), |time| time.strftime("%H:%M").to_string())
}

/// How long ago a time was, in words. `None` if the clock was wrong then, or is wrong now.
pub fn age_text(unix_secs: u64, now_unix_secs: u64) -> Option<String> {
    /// Smirk did not exist before 2020.
    const EARLIEST: u64 = 1_577_836_800;
    /// The clocks of two computers that share a folder differ a little.
    const TOLERANCE_SECS: u64 = 120;
    if unix_secs < EARLIEST || unix_secs > now_unix_secs.saturating_add(TOLERANCE_SECS) {
        return None;
    }
    let minutes = now_unix_secs.saturating_sub(unix_secs) / 60;
    let (count, unit) = match minutes {
        0 => return Some("a moment ago".into()),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    Some(format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates =
            [(0, "1970-01-01 00:00:00"), (951_782_399, "2000-02-28 23:59:59"), (951_868_800, "2000-03-01 00:00:00")];
        let more = [(951_782_400, "2000-02-29 00:00:00"), (1_795_333_568, "2026-11-22 07:46:08")];
        for (secs, date) in dates.into_iter().chain(more) {
            assert_eq!(date_and_time(secs), date);
        }
    }

    #[test]
    fn a_moment_is_written_in_universal_time_and_read_in_any() {
        let text = |text: &str| text.parse::<Date>().map(|date| date.to_string());
        assert_eq!(text("2026-11-29T10:30:00.1234567+01:00").unwrap(), "2026-11-29T09:30:00.123Z");
        assert!(text("yesterday").is_err() && text("2026-11-29").is_err());
        let now = Date::now();
        assert_eq!(now.to_string().parse::<Date>().unwrap(), now);
    }

    #[test]
    fn the_time_of_the_clock_has_hours_and_minutes() {
        let text = clock_time(UNIX_EPOCH + Duration::from_secs(1_795_333_568));
        // Time zones differ from universal time by whole quarters of an hour.
        assert!(
            text.len() == 5 && [":46", ":01", ":16", ":31"].iter().any(|minutes| text.ends_with(minutes)),
            "{text}"
        );
    }

    #[test]
    fn the_age_is_given_in_the_largest_unit_and_only_if_the_clock_makes_sense() {
        let now = 1_795_333_568;
        let texts = [0, 61, 3 * 3600 + 5, 49 * 3600].map(|ago| age_text(now - ago, now).unwrap());
        assert_eq!(texts, ["a moment ago", "1 minute ago", "3 hours ago", "2 days ago"]);
        assert_eq!([0, 86_400, now + 3600, u64::MAX].map(|secs| age_text(secs, now)), [None, None, None, None]);
        assert_eq!(date_and_time(u64::MAX), "9999-12-30 22:00:00", "the last time that the calendar knows");
    }
}
