//! The measurement of blend modes on the Readout page.

use std::collections::BTreeMap;

use crate::harness::*;
use smirk_editor::bench::{HeadFacts, LayoutFacts, Ratio, Report, Row};
use smirk_graphics::blend::Precision;

/// A report with invented but realistic numbers.
pub fn report() -> Arc<Report> {
    let layout = LayoutFacts { layout: Precision::Packed, bytes_cpu: 5 << 20, bytes_gpu: Some(6 << 20) };
    let times = [
        (BlendMode::Cpu, Some(2), [0.021, 0.043, 0.07, 0.13, 0.21, 0.24]),
        (BlendMode::Vertex, None, [0.9, 2.6, 4.8, 9.1, 21.0, 24.3]),
        (BlendMode::Compute, None, [0.26, 0.61, 1.03, 1.8, 3.6, 4.1]),
        (BlendMode::Multipass, None, [0.4, 1.2, 2.4, 4.9, 10.4, 11.2]),
    ];
    let row = |mode, threads, active, ms_min| Row {
        mode,
        layout: Precision::Packed,
        threads,
        active,
        changed: active,
        ms_min,
        ms_median: ms_min * 1.2,
        ms_noise: 0.0,
        clock: TimingClock::Cpu,
        bytes: 1_000_000,
        bandwidth_fraction: Some(0.4),
        max_error_relative: Some(2e-7),
    };
    let rows = times.into_iter().flat_map(|(mode, threads, all_ms)| {
        [1, 6, 12, 25, 50, 54].into_iter().zip(all_ms).map(move |(active, ms)| row(mode, threads, active, ms))
    });
    let ratio = |measured, paper| Ratio { measured: Some(measured), measured_with_draw: Some(0.8), paper };
    Arc::new(Report {
        adapter: Some("llvmpipe".into()),
        head: HeadFacts {
            name: "ada_head".into(),
            vertices: 44_388,
            targets: 378,
            channels: 54,
            deltas: 184_696,
            bytes_cpu: 5 << 20,
            bytes_gpu: Some(6 << 20),
            layouts: vec![layout],
        },
        threads: 2,
        copy_gb_per_s: 15.6,
        copy_gb_per_s_gpu: None,
        submit_ms: Some(0.05),
        draw_ms: Some(6.2),
        rows: rows.collect(),
        paper: BTreeMap::from([("6".into(), ratio(0.46, 1.34)), ("50".into(), ratio(0.51, 2.4))]),
        notes: Vec::new(),
    })
}

#[test]
fn noisy_times_are_shown_with_their_spread_and_never_as_0() {
    let mut app = App::new(head());
    let mut measured = (*report()).clone();
    (measured.rows[0].ms_median, measured.rows[6].ms_min) = (0.055, 0.0);
    measured.rows[6].ms_noise = 0.3;
    measured.notes.push("a shared machine: 2 of 24 times varied".into());
    app.state.panels.page = smirk_ui::Page::Readout;
    app.readout.measuring = Status::Done(Arc::new(measured));
    let harness = window_of(Vec2::new(1600.0, 1000.0), app);
    for text in ["0.021–0.055", "< 0.300", "a shared machine: 2 of 24 times varied"] {
        harness.get_by_label(text);
    }
    assert!(harness.query_by_label("0.000").is_none());
}

#[test]
fn a_measurement_is_started_and_cancelled() {
    let mut app = App::new(head());
    app.state.panels.page = smirk_ui::Page::Readout;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    harness.get_by_label("Measure modes…").click();
    harness.run();
    let stage = "Compute, packed, 12 active".to_owned();
    harness.state_mut().readout.measuring = Status::Busy { stage: stage.clone(), fraction: 0.5, is_stopping: false };
    harness.run();
    harness.get_by_label(&stage);
    assert!(harness.query_by_label("Measure modes…").is_none(), "no second measurement can be started");
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::MeasureModes, Command::CancelMeasuring]);
    harness.state_mut().readout.measuring = Status::Busy { stage, fraction: 0.5, is_stopping: true };
    harness.run();
    harness.get_by_label("Stopping");
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands.len(), 2, "Cancel works once");
}

#[test]
fn a_report_shows_times_ratios_and_a_card_under_the_pointer() {
    let mut app = App::new(head());
    app.state.panels.page = smirk_ui::Page::Readout;
    app.readout.measuring = Status::Done(report());
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    for text in ["ada_head · packed, 16 bit", "Multi-pass", "0.021", "24.3", "0.46", "1.34", "2.40"] {
        harness.get_all_by_label(text).next().unwrap_or_else(|| panic!("{text} is not shown"));
    }
    let before = harness.render().unwrap();
    let over = harness.get_by_label("Milliseconds by active channels").rect().center();
    harness.hover_at(over);
    harness.run();
    assert_ne!(before, harness.render().unwrap(), "no card under the pointer");
    harness.get_by_label("Measure again").scroll_to_me();
    harness.run();
    harness.get_by_label("Measure again").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::MeasureModes]);
}
