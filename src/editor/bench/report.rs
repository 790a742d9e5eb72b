//! The result of a measurement. The keys of its JSON are an interface, which must not change.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use smirk_graphics::blend::Precision;
use smirk_picture::render::TimingClock;
use smirk_scene::BlendMode;

/// The time of multi-pass mode divided by that of vertex mode on the GeForce 8800 of 2007, by active targets (GPU Gems
/// 3, chapter 3).
pub(super) const GEFORCE_8800: [(usize, f64); 2] = [(6, 1.34), (50, 2.4)];

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name and backend of the adapter; `None` if only CPU mode was measured.
    pub adapter: Option<String>,
    pub head: HeadFacts,
    pub threads: usize,
    /// The bytes that a copy on all threads of the processor reads and writes, in gigabytes (10⁹ bytes) per second.
    pub copy_gb_per_s: f64,
    /// The same for a copy in the adapter's own memory; `None` if the adapter has none.
    pub copy_gb_per_s_gpu: Option<f64>,
    /// The time of an empty submit, which is subtracted from times of GPU modes that are measured on the CPU.
    pub submit_ms: Option<f64>,
    /// The time of a draw at rest, which is subtracted from the times of vertex mode.
    pub draw_ms: Option<f64>,
    /// The times, ordered by layout, mode, threads and active channels.
    pub rows: Vec<Row>,
    /// The time of multi-pass mode divided by that of vertex mode, by active targets.
    pub paper: BTreeMap<String, Ratio>,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeadFacts {
    pub name: String,
    pub vertices: usize,
    pub targets: usize,
    /// The number of channels, each of which drives one or more targets.
    pub channels: usize,
    /// The number of deltas: the sum over all targets of the vertices that each moves.
    pub deltas: usize,
    /// The memory of the first of [`Self::layouts`].
    pub bytes_cpu: u64,
    /// The memory of the first of [`Self::layouts`] on the adapter; `None` without an adapter.
    pub bytes_gpu: Option<u64>,
    /// The layouts, in the order of measurement.
    pub layouts: Vec<LayoutFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutFacts {
    #[serde(serialize_with = "layout_keyword")]
    pub layout: Precision,
    pub bytes_cpu: u64,
    /// The memory that it takes on the adapter; `None` without an adapter.
    pub bytes_gpu: Option<u64>,
}

/// The times of one mode and layout with a number of active channels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub mode: BlendMode,
    #[serde(serialize_with = "layout_keyword")]
    pub layout: Precision,
    /// The number of threads; `None` if the adapter blends.
    pub threads: Option<usize>,
    /// The number of channels whose weight is not 0.
    pub active: usize,
    /// How many of them change between evaluations: all, or one.
    pub changed: usize,
    /// The minimum time, averaged over several choices of channels.
    pub ms_min: f64,
    /// The median time, averaged likewise.
    pub ms_median: f64,
    /// How much the minimum may be off: a shorter time is not told from none.
    pub ms_noise: f64,
    #[serde(serialize_with = "clock_keyword")]
    pub clock: TimingClock,
    /// The bytes that must be read and written at least: lists, deltas, vertices at rest and blended vertices.
    /// Multi-pass mode also reads and writes its sums.
    pub bytes: u64,
    /// The speed for these bytes, as a fraction of that of a copy; `None` if the time is too short.
    pub bandwidth_fraction: Option<f64>,
    /// The largest distance from the f64 reference, as a fraction of the head's size; only if all active weights
    /// change.
    pub max_error_relative: Option<f64>,
}

/// The time of multi-pass mode divided by that of vertex mode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The measured ratio of the blends alone; `None` unless both modes were measured.
    pub measured: Option<f64>,
    /// The measured ratio of blend and draw together.
    pub measured_with_draw: Option<f64>,
    pub paper: f64,
}

impl Row {
    /// Whether the time is longer than what it may be off.
    pub fn is_known(&self) -> bool {
        self.ms_min > self.ms_noise
    }

    /// Whether the median is so far above the minimum that one number is not the time.
    pub fn is_spread(&self) -> bool {
        const MOST: f64 = 1.5;
        self.ms_median > MOST * self.ms_min
    }
}

impl Report {
    /// That the machine had other work while it was measured, if the times say so.
    pub(super) fn note_of_noise(&self) -> Option<String> {
        let spread = self.rows.iter().filter(|row| row.is_spread() || !row.is_known()).count();
        (spread * 4 > self.rows.len()).then(|| {
            format!(
                "a shared machine: {spread} of {} times varied by half or more, also when measured again, as beside other work; \
                 they are shown from the least to the median, or as less than what can be told",
                self.rows.len()
            )
        })
    }

    /// Rows in which every active weight changes.
    pub fn full_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.changed == row.active)
    }

    pub(super) fn compare_with_paper(&mut self) {
        let Some(layout) = self.head.layouts.first().map(|facts| facts.layout) else { return };
        let ratios = GEFORCE_8800.into_iter().map(|(active, paper)| {
            let times = [BlendMode::Multipass, BlendMode::Vertex].map(|mode| {
                let mut rows = self.full_rows().filter(|row| row.layout == layout && row.mode == mode);
                rows.find(|row| row.active == active).map(|row| row.ms_min)
            });
            let with_more = |more_ms: f64| {
                let [multipass_ms, vertex_ms] = times;
                Some((multipass_ms? + more_ms) / (vertex_ms? + more_ms)).filter(|ratio| ratio.is_finite())
            };
            let measured_with_draw = self.draw_ms.and_then(with_more);
            (active.to_string(), Ratio { measured: with_more(0.0), measured_with_draw, paper })
        });
        self.paper = ratios.collect();
    }
}

fn layout_keyword<S: Serializer>(precision: &Precision, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(precision.keyword())
}

fn clock_keyword<S: Serializer>(clock: &TimingClock, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match clock {
        TimingClock::Cpu => "cpu",
        TimingClock::Gpu => "gpu",
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A made-up report with rows for 1 and 6 of 60 channels.
    pub(crate) fn report() -> Report {
        let row = |mode: BlendMode, threads, active: usize, changed: usize, ms_min: f64| Row {
            mode,
            layout: Precision::Packed,
            threads,
            active,
            changed,
            ms_min,
            ms_median: ms_min * 1.1,
            ms_noise: 0.0,
            clock: TimingClock::Cpu,
            bytes: 2_000_000,
            bandwidth_fraction: Some(0.5),
            max_error_relative: (active == changed).then_some(2e-7),
        };
        let layouts = vec![LayoutFacts { layout: Precision::Packed, bytes_cpu: 3 << 20, bytes_gpu: Some(4 << 20) }];
        let mut report = Report {
            adapter: Some("llvmpipe, Vulkan".into()),
            head: HeadFacts {
                name: "ada".into(),
                vertices: 26_719,
                targets: 60,
                channels: 60,
                deltas: 600_000,
                bytes_cpu: 3 << 20,
                bytes_gpu: Some(4 << 20),
                layouts,
            },
            threads: 2,
            copy_gb_per_s: 12.5,
            copy_gb_per_s_gpu: None,
            submit_ms: Some(0.1),
            draw_ms: Some(6.0),
            rows: vec![
                row(BlendMode::Cpu, Some(2), 1, 1, 0.02),
                row(BlendMode::Cpu, Some(2), 6, 6, 0.05),
                row(BlendMode::Cpu, Some(2), 6, 1, 0.012),
                row(BlendMode::Multipass, None, 6, 6, 4.0),
                row(BlendMode::Vertex, None, 6, 6, 2.0),
            ],
            paper: BTreeMap::new(),
            notes: Vec::new(),
        };
        report.compare_with_paper();
        report
    }

    #[test]
    fn there_is_a_ratio_if_both_modes_were_measured() {
        let paper = report().paper;
        assert_eq!(paper["6"], Ratio { measured: Some(2.0), measured_with_draw: Some(1.25), paper: 1.34 });
        assert_eq!(paper["50"], Ratio { measured: None, measured_with_draw: None, paper: 2.4 });
    }

    #[test]
    fn a_shared_machine_is_named_by_its_times() {
        let mut report = report();
        assert_eq!(report.note_of_noise(), None);
        report.rows.iter_mut().take(2).for_each(|row| row.ms_median = row.ms_min * 2.0);
        assert!(report.note_of_noise().unwrap().starts_with("a shared machine: 2 of 5 times"));
    }

    #[test]
    fn the_keys_are_those_that_scripts_read() {
        let json = serde_json::to_value(report()).unwrap();
        for key in ["adapter", "head", "copy_gb_per_s", "rows", "paper"] {
            assert!(!json[key].is_null(), "{key}");
        }
        let row = &json["rows"][0];
        assert_eq!(
            (row["mode"].as_str(), row["layout"].as_str(), row["clock"].as_str()),
            (Some("cpu"), Some("packed"), Some("cpu"))
        );
    }
}
