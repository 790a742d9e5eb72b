//! What an export will write, in words.

use crate::widgets::text::counted;
use smirk_export::{ExportForecast, ExportKind, ExportRequest, bytes_in_words};
use smirk_session::Session;

/// A time in words: `a few seconds`, `about 3 minutes`.
pub(super) fn duration(secs: f64) -> String {
    match secs {
        ..5.0 => "a few seconds".into(),
        ..55.0 => format!("about {} seconds", (secs / 5.0).round() * 5.0),
        ..90.0 => "about a minute".into(),
        ..3300.0 => format!("about {} minutes", (secs / 60.0).round()),
        ..5400.0 => "about an hour".into(),
        _ => format!("about {} hours", (secs / 3600.0).round()),
    }
}

/// What will be written, in one line: `240 PNG pictures of 1280×720, about 96 MB`.
pub(super) fn forecast(request: &ExportRequest, forecast: &ExportForecast) -> String {
    let [width, height] = request.size;
    let kind = request.file_kind().name;
    let what = match request.kind {
        ExportKind::Animation => format!("1 {} file, {}", request.animation.label(), counted(forecast.frames, "frame")),
        ExportKind::Head => format!("1 {kind} file"),
        ExportKind::Mesh if forecast.files > 1 => format!("{} {} files, a frame each", forecast.files, kind),
        ExportKind::Mesh => format!("1 {} file, {}", request.mesh.label(), counted(forecast.frames, "frame")),
        ExportKind::Pictures => {
            let pictures =
                counted(forecast.files, "picture").replacen(' ', &format!(" {} ", request.picture.label()), 1);
            format!("{pictures} of {width}×{height}")
        }
        ExportKind::Film => {
            let frames = counted(forecast.frames, "frame");
            format!("1 {} film of {width}×{height}, {frames}", request.film.label())
        }
        ExportKind::Sheet => format!("1 {kind} with {}", counted(forecast.frames, "picture")),
    };
    // How much smaller a head within an error is, is found by writing it.
    let is_within = request.kind == ExportKind::Head && request.max_error_mm.is_some();
    let about = if is_within { "less than" } else { "about" };
    forecast.bytes.map_or_else(|| what.clone(), |bytes| format!("{what}, {about} {}", bytes_in_words(bytes)))
}

/// The frames in words: `Frames 0 to 239 at 30 a second, 8.0 s`.
pub(super) fn frames(request: &ExportRequest, forecast: &ExportForecast, session: &Session) -> String {
    match forecast.span {
        None if matches!(request.kind, ExportKind::Head | ExportKind::Sheet) => String::new(),
        None => format!("The face as it is now, at {:.2} s", session.clock.timeline.time_secs),
        Some(span) => {
            let secs = span.count() as f64 / span.rate.frames_per_sec();
            format!("Frames {} to {} at {} a second, {secs:.1} s", span.first, span.last, span.rate.label())
        }
    }
}

pub(super) fn secs(forecast: &ExportForecast, megasamples_per_sec: Option<f64>) -> Option<f64> {
    /// Frames that are evaluated, and bytes that are written, in a second by a machine of four slow cores.
    const FRAMES_PER_SEC: f64 = 2_000.0;
    const BYTES_PER_SEC: f64 = 40e6;
    if forecast.megasamples > 0.0 {
        return megasamples_per_sec.filter(|rate| *rate > 0.0).map(|rate| forecast.megasamples / rate);
    }
    Some(forecast.frames as f64 / FRAMES_PER_SEC + forecast.bytes.unwrap_or(0) as f64 / BYTES_PER_SEC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_round() {
        let times = [0.0, 23.0, 70.0, 170.0, 3500.0, 9000.0].map(duration);
        let expected = [
            "a few seconds",
            "about 25 seconds",
            "about a minute",
            "about 3 minutes",
            "about an hour",
            "about 3 hours",
        ];
        assert_eq!(times, expected);
    }
}
