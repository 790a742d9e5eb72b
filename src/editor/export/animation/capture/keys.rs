//! JSON with a list of keys per channel, each as keys are stored in a project.

use super::super::recording::Recording;
use super::columns::Columns;
use super::number::{Number, json};
use smirk_base::progress::{Cancelled, Progress};

/// The version of the format.
const VERSION: u32 = 1;

/// The text of the file: for every column the keys of straight lines, at every frame or as few as stay within `tolerance`.
pub(in crate::export::animation) fn keys(
    recording: &Recording,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let columns = Columns::of(recording);
    let performance = &recording.performance;
    let curve = |(column, name): (usize, &&str)| {
        let keys = recording.keys(columns.column(column), 1, tolerance);
        let key = |(&frame, &value): (&usize, &f32)| {
            let time = Number(performance.secs_of(frame));
            format!("{{\"time_secs\":{time},\"value\":{},\"tangents\":\"linear\"}}", Number(value))
        };
        let keys: Vec<String> = keys.frames.iter().zip(&keys.values).map(key).collect();
        format!("{{\"channel\":{},\"keys\":[{}]}}", json(name), keys.join(","))
    };
    let mut curves = Vec::with_capacity(columns.names.len());
    for named in columns.names.iter().enumerate() {
        progress.step("writing", named.0, columns.names.len())?;
        curves.push(curve(named));
    }
    let text = format!(
        "{{\n\"smirk\":\"keys\",\n\"version\":{VERSION},\n\"name\":{},\n\"frames_per_sec\":{},\n\"duration_secs\":{},\n\"curves\":[\n{}\n]\n}}\n",
        json(&recording.name),
        Number(performance.span.rate.frames_per_sec()),
        Number(performance.span.duration_secs()),
        curves.join(",\n")
    );
    Ok(text.into_bytes())
}
