//! TextGrid files of Praat, in the long and the short form. Both hold the same values in the same order; the long form
//! has words between them, which are not read, as Praat does.

use super::EXPECTED;
use crate::import::error::{Fault, Problem};
use smirk_base::names::one_line;
use smirk_face::head::{Notes, Subject};
use smirk_face::motion::Marker;

/// Whether the text begins like a file of Praat.
pub(super) fn is_text_grid(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.contains("ooTextFile"))
}

#[derive(Debug, PartialEq)]
enum Value {
    Number(f64),
    Text(String),
    Flag(String),
}

/// The values of a file, one after the other. Numbers, texts and flags count where they stand alone.
struct Values<'a> {
    rest: &'a str,
}

impl Values<'_> {
    fn next(&mut self) -> Option<Value> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with('"') {
                return self.text();
            }
            let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(end);
            if word.is_empty() {
                return None;
            }
            if word.starts_with('!') {
                // A comment reaches to the end of its line.
                self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            self.rest = rest;
            if let Some(flag) = word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
                return Some(Value::Flag(flag.to_owned()));
            }
            if let Some(number) = word.parse().ok().filter(|number: &f64| number.is_finite()) {
                return Some(Value::Number(number));
            }
        }
    }

    /// A text between quotation marks; two of them within stand for one.
    fn text(&mut self) -> Option<Value> {
        let (mut text, mut rest) = (String::new(), self.rest.strip_prefix('"')?);
        loop {
            let (part, after) = rest.split_once('"')?;
            text.push_str(part);
            match after.strip_prefix('"') {
                Some(after) => {
                    text.push('"');
                    rest = after;
                }
                None => {
                    self.rest = after;
                    return Some(Value::Text(text));
                }
            }
        }
    }

    fn expect_number(&mut self, what: &str) -> Result<f64, Fault> {
        match self.next() {
            Some(Value::Number(number)) => Ok(number),
            found => Err(wrong(what, "a number", found)),
        }
    }

    fn expect_text(&mut self, what: &str) -> Result<String, Fault> {
        match self.next() {
            Some(Value::Text(text)) => Ok(one_line(text)),
            found => Err(wrong(what, "a text", found)),
        }
    }
}

fn wrong(what: &str, wanted: &str, found: Option<Value>) -> Fault {
    let found = match found {
        None => "the file ends".to_owned(),
        Some(Value::Number(number)) => format!("{number} stands"),
        Some(Value::Text(text)) => format!("\"{text}\" stands"),
        Some(Value::Flag(flag)) => format!("<{flag}> stands"),
    };
    let problem = Problem::new(format!("{found} where {wanted} is expected"));
    Fault::invalid(Subject::field(what.to_owned()), problem.advise("save the TextGrid again as a text file"))
}

pub(super) fn read(text: &str, notes: &mut Notes) -> Result<Vec<Marker>, Fault> {
    let mut values = Values { rest: text };
    values.expect_text("file type")?;
    let class = values.expect_text("object class")?;
    if class != "TextGrid" {
        return Err(Fault::Unfit(format!("holds a {class} of Praat; {}", EXPECTED)));
    }
    values.expect_number("xmin")?;
    values.expect_number("xmax")?;
    match values.next() {
        Some(Value::Flag(flag)) if flag == "exists" => {}
        Some(Value::Flag(_)) => return Ok(Vec::new()),
        found => return Err(wrong("tiers", "<exists>", found)),
    }
    let tiers = values.expect_number("number of tiers")?;
    let mut markers = Vec::new();
    // Counts of the file are not trusted with memory: each label is read before it is kept.
    for _ in 0..tiers as u64 {
        let class = values.expect_text("class of a tier")?;
        let name = values.expect_text("name of a tier")?;
        let is_interval = match class.as_str() {
            "IntervalTier" => true,
            "TextTier" => false,
            other => return Err(Fault::Unfit(format!("has a tier of the unknown class \"{other}\""))),
        };
        let what = format!("tier \"{name}\"");
        values.expect_number(&what)?;
        values.expect_number(&what)?;
        let count = values.expect_number(&what)?;
        let before = markers.len();
        for _ in 0..count as u64 {
            let time_secs = values.expect_number(&what)? as f32;
            let end_secs = if is_interval { values.expect_number(&what)? as f32 } else { time_secs };
            let text = values.expect_text(&what)?.trim().to_owned();
            if !text.is_empty() {
                markers.push(Marker { time_secs, text, lasts_secs: end_secs - time_secs });
            }
        }
        if markers.len() == before && count > 0.0 {
            notes.inform(Subject::field(what), "has no labels");
        }
    }
    Ok(markers)
}
