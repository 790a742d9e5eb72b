//! Time that is inserted into the timeline, or deleted from it.

use super::TimelineSettings;

/// Time that is inserted into everything on the timeline, or deleted from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeChange {
    /// Everything from a time on comes later.
    Insert {
        /// The time.
        at_secs: f32,
        /// By how many seconds.
        secs: f32,
    },
    /// What is between two times is removed, and everything after it comes earlier.
    Delete {
        /// The earlier time.
        from_secs: f32,
        /// The later time.
        to_secs: f32,
    },
}

impl TimeChange {
    /// The change after which what is at `from_secs` is at `to_secs`, and everything later moves along.
    pub fn moving(from_secs: f32, to_secs: f32) -> Self {
        if to_secs < from_secs {
            Self::Delete { from_secs: to_secs, to_secs: from_secs }
        } else {
            Self::Insert { at_secs: from_secs, secs: to_secs - from_secs }
        }
    }

    /// Where a point of the timeline is afterwards. A point in deleted time is at the cut; one at the moment of an insertion
    /// stays.
    pub fn of_point(self, secs: f32) -> f32 {
        match self {
            Self::Insert { at_secs, secs: longer } => {
                if secs > at_secs {
                    secs + longer
                } else {
                    secs
                }
            }
            Self::Delete { from_secs, to_secs } => secs.min(from_secs).max(secs - (to_secs - from_secs)),
        }
    }
}

impl TimelineSettings {
    /// The settings with the in and the out point where they are afterwards. If nothing is left between them, both are
    /// unset.
    #[must_use]
    pub fn rippled(self, change: TimeChange) -> Self {
        let [in_secs, out_secs] = [self.in_secs, self.out_secs].map(|secs| secs.map(|secs| change.of_point(secs)));
        let is_empty = matches!((in_secs, out_secs), (Some(start), Some(end)) if start >= end);
        if is_empty { Self { in_secs: None, out_secs: None, ..self } } else { Self { in_secs, out_secs, ..self } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_move_with_what_they_mark() {
        let insert = TimeChange::moving(2.0, 5.0);
        assert_eq!([1.0, 2.0, 3.0].map(|secs| insert.of_point(secs)), [1.0, 2.0, 6.0]);
        let delete = TimeChange::moving(5.0, 2.0);
        assert_eq!(delete, TimeChange::Delete { from_secs: 2.0, to_secs: 5.0 });
        assert_eq!([1.0, 2.0, 3.0, 5.0, 7.0].map(|secs| delete.of_point(secs)), [1.0, 2.0, 2.0, 2.0, 4.0]);
    }

    #[test]
    fn the_range_moves_along_and_is_unset_when_it_is_deleted() {
        let settings = TimelineSettings { in_secs: Some(3.0), out_secs: Some(6.0), ..TimelineSettings::default() };
        let ends = |change| {
            let settings = settings.rippled(change);
            (settings.in_secs, settings.out_secs)
        };
        assert_eq!(ends(TimeChange::moving(1.0, 2.0)), (Some(4.0), Some(7.0)));
        assert_eq!(ends(TimeChange::moving(4.0, 2.0)), (Some(2.0), Some(4.0)));
        assert_eq!(ends(TimeChange::moving(7.0, 2.0)), (None, None));
    }
}
