//! The message about shapes that were added to a head.

use crate::window::notices::Message;
use smirk_files::import::ShapesReport;

/// A message about shapes that were added to `head`; `None` if there is nothing unusual to report. `neutral` is the file that
/// was taken for the neutral face, where several files were opened together.
pub(super) fn shapes_message(report: &ShapesReport, head: &str, neutral: Option<&str>) -> Option<Message> {
    let mut files: Vec<&str> = report.added.iter().map(|shape| shape.file.as_str()).collect();
    files.dedup();
    let count = match files.len() {
        1 => "1 shape".to_owned(),
        count => format!("{count} shapes"),
    };
    let mut lines = Vec::new();
    if let Some(neutral) = neutral {
        lines.push(format!("{neutral} is the neutral face, by its name; the other files are shapes of it."));
    }
    let odd = report.added.iter().filter(|shape| !shape.is_plain());
    lines.extend(odd.map(|shape| format!("{}: {}.", shape.name, shape.text())));
    lines.extend(report.refused.iter().map(|refused| format!("Skipped: {}.", refused.problem)));
    // A file that is refused while others are added is a line of the message: its title is what was done.
    let message = Message {
        title: format!("{count} added to {head}"),
        text: lines.join("\n"),
        is_failure: report.added.is_empty(),
    };
    (!lines.is_empty()).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_files::import::{AddedShape, RefusedShape};

    #[test]
    fn a_file_that_is_refused_among_others_does_not_make_a_failure() {
        let added = AddedShape { name: "smile".into(), file: "smile.obj".into(), moved: 3, ..AddedShape::default() };
        let refused = RefusedShape { file: "bad.obj".into(), problem: "bad.obj: it is empty".into() };
        let both = ShapesReport { added: vec![added.clone()], refused: vec![refused.clone()] };
        let expected = Message {
            title: "1 shape added to ada".into(),
            text: "Skipped: bad.obj: it is empty.".into(),
            is_failure: false,
        };
        assert_eq!(shapes_message(&both, "ada", None), Some(expected));
        let none = ShapesReport { added: Vec::new(), refused: vec![refused] };
        assert!(shapes_message(&none, "ada", None).unwrap().is_failure);
        assert_eq!(shapes_message(&ShapesReport { added: vec![added], refused: Vec::new() }, "ada", None), None);
    }
}
