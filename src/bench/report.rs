//! What a measurement found. The JSON keys are an interface: they do not change.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::blend::{BlendMode, Precision};
use crate::render::TimingClock;

/// Multi-pass ÷ vertex on the GeForce 8800 of 2007, by active targets (GPU Gems 3, chapter 3).
pub const GEFORCE_8800: [(usize, f64); 2] = [(6, 1.34), (50, 2.4)];

/// Everything that was measured, and of what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name and backend; none where only the processor was measured.
    pub adapter: Option<String>,
    /// What was blended.
    pub head: HeadFacts,
    /// Threads of the processor.
    pub threads: usize,
    /// Bytes read and written per second by a copy on all threads, in 10⁹.
    pub copy_gb_per_s: f64,
    /// The same in the adapter's own memory, if it has such.
    pub copy_gb_per_s_gpu: Option<f64>,
    /// What a submit of nothing takes; taken off the times of GPU modes that are read from the processor's clock.
    pub submit_ms: Option<f64>,
    /// What the draw takes that vertex mode is measured in, at rest; taken off its times.
    pub draw_ms: Option<f64>,
    /// By layout, mode, threads, active.
    pub rows: Vec<Row>,
    /// Multi-pass ÷ vertex, by active targets.
    pub paper: BTreeMap<String, Ratio>,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

/// A head in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeadFacts {
    /// Its name.
    pub name: String,
    /// Over all meshes.
    pub vertices: usize,
    /// Over all meshes.
    pub targets: usize,
    /// What an artist moves; each drives one target or several.
    pub channels: usize,
    /// Vertices that targets move, over all targets.
    pub deltas: usize,
    /// Memory of the layout, in the first of [`Self::layouts`].
    pub bytes_cpu: u64,
    /// Memory on the adapter, in the first of [`Self::layouts`]; none without one.
    pub bytes_gpu: Option<u64>,
    /// In the order they were measured.
    pub layouts: Vec<LayoutFacts>,
}

/// What a layout takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutFacts {
    /// Which.
    #[serde(serialize_with = "layout_keyword")]
    pub layout: Precision,
    /// Memory of the layout.
    pub bytes_cpu: u64,
    /// Memory on the adapter; none without one.
    pub bytes_gpu: Option<u64>,
}

/// One mode with one layout at one number of active channels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Who blends.
    pub mode: BlendMode,
    /// How deltas are kept.
    #[serde(serialize_with = "layout_keyword")]
    pub layout: Precision,
    /// Of the processor; none where the adapter blends.
    pub threads: Option<usize>,
    /// Channels whose weight is not 0.
    pub active: usize,
    /// How many of them change from evaluation to evaluation: all, or one.
    pub changed: usize,
    /// The least, averaged over the choices of channels.
    pub ms_min: f64,
    /// The middle, likewise.
    pub ms_median: f64,
    /// Whose clock that is.
    #[serde(serialize_with = "clock_keyword")]
    pub clock: TimingClock,
    /// What must move at least: lists, deltas, vertices at rest and blended. Multi-pass mode moves its sums besides.
    pub bytes: u64,
    /// Those bytes in that time, as part of what a copy moves; none where no time was left to measure.
    pub bandwidth_fraction: Option<f64>,
    /// Largest distance from the f64 reference, as part of the head's size; only where all active weights change.
    pub max_error_relative: Option<f64>,
}

/// Multi-pass mode's time over vertex mode's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Of the blends alone; none where not both were measured.
    pub measured: Option<f64>,
    /// Of blend and draw together.
    pub measured_with_draw: Option<f64>,
    /// What the paper has.
    pub paper: f64,
}

impl Report {
    /// Rows in which every active weight changes.
    pub fn full_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.changed == row.active)
    }

    /// The ratios that can be made of the rows, in the layout measured first.
    pub(super) fn compare_with_paper(&mut self) {
        let Some(layout) = self.head.layouts.first().map(|facts| facts.layout) else { return };
        let ms = |mode: BlendMode, active: usize| {
            let mut rows = self.full_rows().filter(|row| row.layout == layout && row.mode == mode);
            rows.find(|row| row.active == active).map(|row| row.ms_min)
        };
        let ratio = |(active, paper): (usize, f64)| {
            let times = ms(BlendMode::Multipass, active).zip(ms(BlendMode::Vertex, active));
            let of = |more_ms: f64| {
                let ratio = times.map(|(multipass, vertex)| (multipass + more_ms) / (vertex + more_ms));
                ratio.filter(|ratio| ratio.is_finite())
            };
            let measured_with_draw = self.draw_ms.and_then(of);
            (active.to_string(), Ratio { measured: of(0.0), measured_with_draw, paper })
        };
        self.paper = GEFORCE_8800.into_iter().map(ratio).collect();
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

    /// A report with rows at 1 and 6 of 60 active channels, made up.
    pub fn report() -> Report {
        let row = |mode: BlendMode, threads, active: usize, changed: usize, ms_min: f64| Row {
            mode,
            layout: Precision::Packed,
            threads,
            active,
            changed,
            ms_min,
            ms_median: ms_min * 1.1,
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
    fn ratios_are_made_where_both_were_measured() {
        let paper = report().paper;
        assert_eq!(paper["6"], Ratio { measured: Some(2.0), measured_with_draw: Some(1.25), paper: 1.34 });
        assert_eq!(paper["50"], Ratio { measured: None, measured_with_draw: None, paper: 2.4 });
    }

    #[test]
    fn keys_are_those_scripts_read() {
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
