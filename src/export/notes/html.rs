//! Notes as one page of HTML. Everything is in it: the pictures, the style, and no script, so that it may be sent by
//! mail, opened from a disk and printed.

use std::fmt::Write;

use super::{Heading, plain_lines};
use smirk_session::{NoteStroke, NotedMoment, ReviewNote};

pub(super) fn page(heading: &Heading<'_>) -> String {
    let title = escaped(heading.title);
    let (mut list, mut articles) = (String::new(), String::new());
    for note in heading.notes {
        let (number, class) = (note.number, class(note));
        // Writing to a string does not fail.
        let _ = writeln!(
            list,
            "<li class=\"{class}\"><span class=\"number\">{number}</span><a href=\"#n{number}\">{}</a>\
             <span class=\"state\">{}</span></li>",
            escaped(if note.title().is_empty() { "No text" } else { note.title() }),
            state(note)
        );
        articles += &article(note, &heading.place(note));
    }
    let (counts, written, style) = (heading.counts(), escaped(&heading.written), include_str!("page.css"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <title>Notes on {title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
         <h1>Notes on {title}</h1>\n<p class=\"facts\">{counts} · {written}</p>\n\
         <input class=\"show\" type=\"radio\" name=\"show\" id=\"all\" checked>\
         <input class=\"show\" type=\"radio\" name=\"show\" id=\"open\">\
         <input class=\"show\" type=\"radio\" name=\"show\" id=\"done\">\n\
         <div class=\"choice\"><label for=\"all\">All</label><label for=\"open\">Open</label>\
         <label for=\"done\">Done</label></div>\n\
         <ol class=\"list\">\n{list}</ol>\n<div>\n{articles}</div>\n\
         <footer>Written by {}</footer>\n</main>\n</body>\n</html>\n",
        crate::generator()
    )
}

fn class(note: &ReviewNote) -> &'static str {
    if note.is_open() { "is-open" } else { "is-done" }
}

fn state(note: &ReviewNote) -> &'static str {
    if note.is_open() { "Open" } else { "Done" }
}

fn article(note: &ReviewNote, place: &str) -> String {
    let (number, figure) = (note.number, figure(note));
    let plain = if figure.is_empty() { " plain" } else { "" };
    let place = if place.is_empty() { String::new() } else { format!("<p class=\"place\">{}</p>\n", escaped(place)) };
    let mut replies = String::new();
    for reply in &note.replies {
        let by = by(&reply.author, &reply.date.local_text());
        let _ = writeln!(replies, "<li>{by}\n{}</li>", escaped(&reply.text));
    }
    if !replies.is_empty() {
        replies = format!("<ul class=\"replies\">\n{replies}</ul>\n");
    }
    format!(
        "<article id=\"n{number}\" class=\"{}{plain}\">\n<div>\n<header><span class=\"number\">{number}</span>\
         <span class=\"state\">{}</span>{}</header>\n<p class=\"text\">{}</p>\n{place}{replies}</div>\n{figure}</article>\n",
        class(note),
        state(note),
        by(&note.author, &note.created.local_text()),
        escaped(&note.text),
    )
}

fn by(author: &str, date: &str) -> String {
    format!("<span class=\"by\">{} · {date}</span>", escaped(author))
}

/// The picture with the strokes and the number of the note over it.
fn figure(note: &ReviewNote) -> String {
    let Some(picture) = &note.picture else { return String::new() };
    let number = note.number;
    let [width, height] = note.moment.as_ref().map_or([4, 3], NotedMoment::size_px);
    let half = width as f32 / height as f32 / 2.0;
    let mut drawn = String::new();
    for class in ["edge", "stroke"] {
        for stroke in &note.strokes {
            let _ = write!(drawn, "<path class=\"{class}\" d=\"{}\"/>", path(stroke));
        }
    }
    if let Some([x, y]) = note.moment.as_ref().and_then(|moment| moment.point) {
        let color = if note.is_open() { "#b3541e" } else { "#2f7d4f" };
        let _ = write!(
            drawn,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\".034\" fill=\"{color}\" stroke=\"#fff\" stroke-width=\".006\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\".04\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#fff\">{number}</text>",
            y + 0.014
        );
    }
    format!(
        "<figure><img src=\"data:image/png;base64,{}\" width=\"{width}\" height=\"{height}\" alt=\"The face of note {number}\">\
         <svg viewBox=\"{} -0.5 {} 1\" aria-hidden=\"true\">{drawn}</svg></figure>\n",
        picture.base64(),
        -half,
        2.0 * half
    )
}

fn path(stroke: &NoteStroke) -> String {
    let line = |points: &[[f32; 2]]| {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.4} {y:.4}")).collect();
        format!("M{}", points.join("L"))
    };
    let mut path = line(&stroke.points);
    if let (Some([a, b]), Some(&end)) = (stroke.arrow_head(0.05), stroke.points.last()) {
        path += &line(&[a, end, b]);
    }
    path
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let text = plain_lines(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_and_an_arrow_has_a_head() {
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(escaped("\u{202e}gnp\tx\ny"), "&lt;U+202E&gt;gnp    x\ny");
        let arrow = NoteStroke { is_arrow: true, points: vec![[0.0, 0.0], [0.2, 0.0]] };
        assert_eq!(path(&arrow).matches('M').count(), 2);
        assert_eq!(path(&NoteStroke { is_arrow: false, ..arrow }), "M0.0000 0.0000L0.2000 0.0000");
    }
}
