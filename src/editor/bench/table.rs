//! A report as text: one line per mode and layout, one column per number of active channels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Arguments, Write};

use super::measurement::Subject;
use super::report::{Report, Row};
use smirk_scene::BlendMode;

const NAME_WIDTH: usize = 34;
const CELL_WIDTH: usize = 10;

/// The report as text: its tables with their headings.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    head_lines(&mut out, report);
    line(&mut out, format_args!("\nMilliseconds per evaluation, least (and median), by active channels"));
    table(&mut out, report, CELL_WIDTH + 5, name_of, |row| {
        let known = row.is_known();
        Some(if known { format!("{} ({})", ms_text(row.ms_min), ms_text(row.ms_median)) } else { row_text(row) })
    });
    line(&mut out, format_args!("\nSpeed, as part of that of a copy"));
    table(&mut out, report, CELL_WIDTH, name_of, |row| {
        let part = row.bandwidth_fraction.filter(|_| row.changed == row.active)?;
        Some(format!("{:.0} %", part * 100.0))
    });
    line(&mut out, format_args!("\nMegabytes that must move"));
    table(
        &mut out,
        report,
        CELL_WIDTH,
        |row| format!("{}{}", row.layout.keyword(), what_moves(row)),
        |row| Some(format!("{:.2}", row.bytes as f64 * 1e-6)),
    );
    line(&mut out, format_args!("\nLargest error against the f64 reference, as part of the head's size"));
    table(
        &mut out,
        report,
        CELL_WIDTH,
        |row| format!("{}, {}", row.mode.label(), row.layout.keyword()),
        |row| row.max_error_relative.map(|error| format!("{error:.0e}")),
    );
    paper_lines(&mut out, report);
    for note in &report.notes {
        line(&mut out, format_args!("\nNote: {note}."));
    }
    out
}

fn head_lines(out: &mut String, report: &Report) {
    let head = &report.head;
    line(
        out,
        format_args!(
            "{}: {} vertices, {} targets in {} channels, {} deltas",
            head.name, head.vertices, head.targets, head.channels, head.deltas
        ),
    );
    for layout in &head.layouts {
        let on_gpu = layout.bytes_gpu.map(|bytes| format!(", {} on the adapter", mebibytes(bytes)));
        let name = layout.layout.keyword();
        line(out, format_args!("  {name:8}{} in memory{}", mebibytes(layout.bytes_cpu), on_gpu.unwrap_or_default()));
    }
    line(out, format_args!("Adapter: {}", report.adapter.as_deref().unwrap_or("none")));
    let on_gpu = report.copy_gb_per_s_gpu.map(|rate| format!("; {rate:.0} GB/s on the adapter"));
    line(
        out,
        format_args!(
            "Memory: {:.1} GB/s read and written by a copy on {} threads{}",
            report.copy_gb_per_s,
            report.threads,
            on_gpu.unwrap_or_default()
        ),
    );
}

/// One line per name of rows, one column per number of active channels. A cell has the value of the first row that has
/// one; a name without values has no line.
fn table(
    out: &mut String,
    report: &Report,
    width: usize,
    name_of: impl Fn(&Row) -> String,
    cell: impl Fn(&Row) -> Option<String>,
) {
    let mut names: Vec<String> = Vec::new();
    let mut cells: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for row in &report.rows {
        let Some(text) = cell(row) else { continue };
        let name = name_of(row);
        let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        cells.entry((place, row.active)).or_insert(text);
    }
    let amounts: BTreeSet<usize> = report.rows.iter().map(|row| row.active).collect();
    let header: String = amounts.iter().map(|amount| format!("{amount:>width$}")).collect();
    line(out, format_args!("{:NAME_WIDTH$}{header}", ""));
    for (place, name) in names.iter().enumerate() {
        let cells = amounts.iter().map(|&amount| cells.get(&(place, amount)).map_or("–", String::as_str));
        let cells: String = cells.map(|cell| format!("{cell:>width$}")).collect();
        line(out, format_args!("{name:NAME_WIDTH$}{cells}"));
    }
}

fn name_of(row: &Row) -> String {
    let subject = Subject { mode: row.mode, precision: row.layout, threads: row.threads, clock: row.clock };
    subject.name() + what_moves(row)
}

/// What is added to a name where not all channels change.
fn what_moves(row: &Row) -> &'static str {
    if row.changed == row.active { "" } else { ", one moved" }
}

fn paper_lines(out: &mut String, report: &Report) {
    if report.paper.values().all(|ratio| ratio.measured.is_none()) {
        return;
    }
    line(
        out,
        format_args!(
            "\nMulti-pass ÷ {}, compared with GPU Gems 3, chapter 3 (GeForce 8800, 2007)",
            BlendMode::Vertex.label()
        ),
    );
    line(
        out,
        format_args!(
            "{:NAME_WIDTH$}{:>CELL_WIDTH$}{:>CELL_WIDTH$}{:>CELL_WIDTH$}",
            "", "blend", "with draw", "GPU Gems"
        ),
    );
    let mut ratios: Vec<_> = report.paper.iter().collect();
    ratios.sort_by_key(|(active, _)| active.parse::<usize>().unwrap_or(usize::MAX));
    for (active, ratio) in ratios {
        let [blend, draw] = [ratio.measured, ratio.measured_with_draw]
            .map(|ratio| ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}")));
        let name = format!("{active} active");
        line(
            out,
            format_args!("{name:NAME_WIDTH$}{blend:>CELL_WIDTH$}{draw:>CELL_WIDTH$}{:>CELL_WIDTH$.2}", ratio.paper),
        );
    }
    line(
        out,
        format_args!(
            "Above 1 the vertex stage is ahead, as in the paper, which reads and writes all sums again for every four targets."
        ),
    );
    if report.adapter.as_deref().is_some_and(|adapter| adapter.contains("llvmpipe")) {
        line(
            out,
            format_args!("This adapter is software: its vertex stage runs on one thread, its compute passes on all."),
        );
    }
}

/// The time of a row: the least, or from the least to the median if they are far apart, or less than what can be told.
pub fn row_text(row: &Row) -> String {
    match row.is_known() {
        // At least what three digits show.
        false => format!("< {}", ms_text(row.ms_noise.max(0.001))),
        true if row.is_spread() => format!("{}–{}", ms_text(row.ms_min), ms_text(row.ms_median)),
        true => ms_text(row.ms_min),
    }
}

/// Milliseconds with three digits that count; never 0.
fn ms_text(ms: f64) -> String {
    /// Three digits after the point show no less.
    const LEAST: f64 = 0.001;
    if ms < LEAST {
        return format!("< {LEAST}");
    }
    let digits = match ms {
        ms if ms < 1.0 => 3,
        ms if ms < 10.0 => 2,
        ms if ms < 100.0 => 1,
        _ => 0,
    };
    format!("{ms:.digits$}")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn line(out: &mut String, arguments: Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{arguments}");
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::report;
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let text = text(&report());
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("Milliseconds")).unwrap();
        let table = &lines[at + 1..at + 6];
        assert!(table.iter().all(|line| line.chars().count() == table[0].chars().count()), "{text}");
        assert!(table[1].starts_with("CPU, packed, 2 threads") && table[1].contains("0.050 (0.055)"), "{text}");
        assert!(table[2].contains("one moved") && table[2].contains('–'), "{text}");
    }

    #[test]
    fn the_ratios_of_the_paper_are_shown_with_those_measured() {
        let text = text(&report());
        let line = text.lines().find(|line| line.starts_with("6 active")).unwrap();
        assert!(line.contains("2.00") && line.contains("1.25") && line.contains("1.34"), "{line}");
    }

    #[test]
    fn a_noisy_time_is_shown_with_its_spread_and_none_as_0() {
        let row = report().rows.remove(0);
        let text = |ms_min, ms_median, ms_noise| row_text(&Row { ms_min, ms_median, ms_noise, ..row.clone() });
        assert_eq!(text(0.02, 0.022, 0.001), "0.020");
        assert_eq!(text(0.02, 0.055, 0.001), "0.020–0.055");
        assert_eq!(text(0.0, 0.1, 0.3), "< 0.300");
        assert_eq!(text(0.0, 0.0, 0.0), "< 0.001");
    }

    #[test]
    fn times_have_three_digits_that_count() {
        assert_eq!([0.0, 0.0004, 0.001].map(ms_text), ["< 0.001", "< 0.001", "0.001"]);
        assert_eq!([0.01234, 1.234, 12.34, 123.4].map(ms_text), ["0.012", "1.23", "12.3", "123"]);
    }
}
