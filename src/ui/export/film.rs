//! The settings of films.

use egui::{Button, Checkbox, Label, RichText, vec2};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::text;
use smirk_export::{Dither, ExportKind, ExportRequest, FilmFormat, FilmQuality};

use super::choice;
use super::kinds::frames_ui;
use super::pictures::look_ui;

pub(super) fn film_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let request = &mut cx.state.export;
    choice("Format").row_ui(ui, &mut request.film, FilmFormat::ALL, |format| {
        let about = match format {
            FilmFormat::Apng => "Every colour exact; shown by browsers",
            FilmFormat::Gif => "256 colours; shown everywhere",
            FilmFormat::WebP => "Every colour exact, and smaller; shown by browsers",
            FilmFormat::Mp4 => "For players and reviews; made by ffmpeg",
            FilmFormat::ProRes => "For editing; made by ffmpeg",
            FilmFormat::WebM => "For the web, also transparent; made by ffmpeg",
        };
        (format.label().into(), about)
    });
    if request.film.needs_ffmpeg() {
        match &cx.readings.export.ffmpeg {
            None => drop(ui.weak("Looking for ffmpeg…")),
            Some(Ok(version)) => drop(ui.weak(format!("With ffmpeg {}", text::shown(version)))),
            Some(Err(problem)) => missing_ui(ui, request, problem),
        }
    }
    if request.film.has_quality() {
        choice("Quality").row_ui(ui, &mut request.quality, FilmQuality::ALL, |quality| {
            (quality.label().into(), about_quality(request.film, quality))
        });
    }
    if request.film == FilmFormat::Gif {
        choice("Dither").row_ui(ui, &mut request.dither, Dither::ALL, |dither| match dither {
            Dither::None => ("None".into(), "The nearest of 256 colours, which shows bands"),
            Dither::Pattern => ("Pattern".into(), "A regular pattern, which stands still where nothing moves"),
            Dither::Diffusion => ("Diffusion".into(), "Finest in a still picture; flickers a little"),
        });
    }
    if let Some(track) = cx.session.sound() {
        let name = track.file.file_name().unwrap_or(track.file.as_os_str()).to_string_lossy().into_owned();
        let can_have = request.film.needs_ffmpeg();
        let choice = ui.add_enabled(can_have, Checkbox::new(&mut request.with_sound, "With the sound"));
        choice
            .on_hover_text(format!("{}, from the first frame to the last", text::shown(&name)))
            .on_disabled_hover_text(format!("{} has no sound: choose MP4, MOV or WebM", request.film.label()));
    }
    frames_ui(ui, cx);
    look_ui(ui, cx);
}

fn about_quality(format: FilmFormat, quality: FilmQuality) -> &'static str {
    match (format, quality) {
        (FilmFormat::ProRes, FilmQuality::Low) => "ProRes 422 Proxy: for offline editing, a seventh of the size",
        (FilmFormat::ProRes, FilmQuality::Medium) => "ProRes 422 LT: half the size",
        (FilmFormat::ProRes, FilmQuality::High) => "ProRes 422 HQ: for editing and delivery",
        (FilmFormat::ProRes, FilmQuality::Highest) => "ProRes 4444: full colour at every pixel; half as large again",
        (_, FilmQuality::Low) => "For messages: fine detail is soft, a fifth of the size",
        (_, FilmQuality::Medium) => "For the web: soft where it moves fast, half the size",
        (_, FilmQuality::High) => "For reviews: no difference is seen at full size",
        (_, FilmQuality::Highest) => "For further work on it: nearly every detail; two to three times the size",
    }
}

/// Why ffmpeg does not make the film, and what can be exported instead.
fn missing_ui(ui: &mut egui::Ui, request: &mut ExportRequest, problem: &str) {
    let text = RichText::new(text::shown_message(problem)).color(theme::WARNING);
    ui.add(Label::new(text).selectable(true).wrap());
    let button = Button::new("Numbered pictures instead");
    if ui
        .add_sized(vec2(ui.available_width(), theme::BAR_HEIGHT), button)
        .on_hover_text("Every video program takes them")
        .clicked()
    {
        (request.kind, request.is_one_moment) = (ExportKind::Pictures, false);
    }
    ui.add_space(theme::GAP_SMALL);
}
