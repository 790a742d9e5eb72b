//! How far long work is, and whether it is still wanted.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use thiserror::Error;

/// Why work ended early: it is no longer wanted. Nothing is wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("it was cancelled")]
pub struct Cancelled;

pub(crate) trait Report {
    /// Takes the step that begins, in a few words, and the part of the work that is done (0..1); an error if the rest
    /// is not wanted.
    fn report(&self, stage: &str, fraction: f32) -> Result<(), Cancelled>;
}

impl<F: Fn(&str, f32) -> Result<(), Cancelled>> Report for F {
    fn report(&self, stage: &str, fraction: f32) -> Result<(), Cancelled> {
        self(stage, fraction)
    }
}

/// Where long work reports how far it is, and learns that it was cancelled. Its parts report to parts of it.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// None if the progress is not reported.
    report: Option<&'a dyn Report>,
    /// What is reported instead of the steps that are told.
    stage: Option<&'a str>,
    /// The parts of the whole work that are done when this part of it begins and ends.
    begin: f32,
    end: f32,
}

impl<'a> Progress<'a> {
    pub const NONE: Self = Self { report: None, stage: None, begin: 0.0, end: 1.0 };

    /// Progress that is reported to a function: it gets the step that begins and the part of the work that is done
    /// (0..1).
    pub fn new(report: &'a impl Fn(&str, f32) -> Result<(), Cancelled>) -> Self {
        Self::from_dyn(report)
    }

    pub(crate) fn from_dyn(report: &'a dyn Report) -> Self {
        Self { report: Some(report), ..Self::NONE }
    }

    /// The progress of a part of this work, which is a range of 0..1.
    pub fn part(self, range: Range<f32>) -> Self {
        let at = |part: f32| self.begin + (self.end - self.begin) * part;
        Self { begin: at(range.start), end: at(range.end), ..self }
    }

    /// The progress of one of `count` equal parts of this work.
    pub fn part_of(self, index: usize, count: usize) -> Self {
        let count = count.max(1) as f32;
        self.part(index as f32 / count..(index + 1) as f32 / count)
    }

    /// The same progress with the name of a step, whatever steps are told.
    pub fn named(self, stage: &'a str) -> Self {
        Self { stage: Some(stage), ..self }
    }

    /// Reports one of `count` quick steps; not all of them, but every sixteenth.
    pub fn step(self, stage: &str, index: usize, count: usize) -> Result<(), Cancelled> {
        if index.is_multiple_of(16) { self.report(stage, index as f32 / count.max(1) as f32) } else { Ok(()) }
    }

    /// Reports the step that begins now and the part of this work that is done (0..1); an error if the rest is not
    /// wanted.
    pub fn report(self, stage: &str, fraction: f32) -> Result<(), Cancelled> {
        let Some(report) = self.report else { return Ok(()) };
        report.report(self.stage.unwrap_or(stage), self.begin + (self.end - self.begin) * fraction)
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({}..{})", self.begin, self.end)
    }
}

/// Reports now and then within a long loop, whose steps are too quick to report each.
pub struct Ticks<'a> {
    progress: Progress<'a>,
    stage: &'static str,
    fraction: f32,
    last_report: Option<Instant>,
}

impl<'a> Ticks<'a> {
    /// Shares of the work that are closer together are not reported one by one.
    const LEAST_GROWTH: f32 = 1e-3;
    /// Short enough to cancel at once, long enough to cost nothing.
    const BETWEEN_REPORTS: Duration = Duration::from_millis(10);

    pub fn new(progress: Progress<'a>, stage: &'static str, fraction: f32) -> Self {
        Self { progress, stage, fraction, last_report: None }
    }

    /// Reports if the last report was a while ago; an error if the rest is not wanted.
    pub fn tick(&mut self) -> Result<(), Cancelled> {
        self.tick_at(self.fraction)
    }

    /// Like [`Self::tick`], at another share of the work.
    pub fn tick_at(&mut self, fraction: f32) -> Result<(), Cancelled> {
        let now = Instant::now();
        let is_recent = self.last_report.is_some_and(|last| now.duration_since(last) < Self::BETWEEN_REPORTS);
        if is_recent && fraction - self.fraction < Self::LEAST_GROWTH {
            return Ok(());
        }
        (self.last_report, self.fraction) = (Some(now), fraction);
        self.progress.report(self.stage, fraction)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn a_part_of_a_part_reports_where_it_is_in_the_whole() {
        let told = RefCell::new(Vec::new());
        let listen = |stage: &str, fraction: f32| {
            told.borrow_mut().push((stage.to_owned(), fraction));
            if fraction < 0.7 { Ok(()) } else { Err(Cancelled) }
        };
        let whole = Progress::new(&listen);
        assert_eq!(whole.report("a", 0.25), Ok(()));
        let part = whole.part(0.5..1.0);
        assert_eq!(part.part_of(1, 4).report("b", 0.5), Ok(()));
        assert_eq!(part.named("c").report("d", 0.5), Err(Cancelled));
        let expected = [("a", 0.25), ("b", 0.6875), ("c", 0.75)].map(|(stage, at)| (stage.to_owned(), at));
        assert_eq!(told.into_inner(), expected);
        assert_eq!(Progress::NONE.report("e", 1.0), Ok(()));
    }
}
