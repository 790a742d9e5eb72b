//! The numbers and the indices in the statements of an OBJ file.

use std::borrow::Cow;

use super::super::error::{Fault, Problem};
use super::model::NONE;
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Subject};

/// Parses up to `N` numbers, and returns how many there were. Missing ones are 0; fewer than `least` are an error.
pub(super) fn numbers<'w, const N: usize>(
    words: impl Iterator<Item = &'w [u8]>,
    line: usize,
    what: &str,
    least: usize,
) -> Result<([f32; N], usize), Fault> {
    let mut found = [0.0; N];
    let mut count = 0;
    for (slot, word) in found.iter_mut().zip(words) {
        let word = text(word);
        *slot = word.parse().map_err(|_| {
            let problem = Problem::new(format!("{what} has {} for a number", quoted(&word)));
            let has_comma = word.contains(',');
            let problem =
                if has_comma { problem.advise("numbers need a point, not a comma: export it again") } else { problem };
            Fault::invalid(Subject::Numbered(Kind::Line, line), problem)
        })?;
        count += 1;
    }
    if count < least {
        let problem = Problem::new(format!("{what} has {count} numbers, it needs {least}"))
            .advise("the file was cut off, or export it again");
        return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), problem));
    }
    Ok((found, count))
}

/// Converts an index of OBJ, which counts from 1, or backwards from the end of the list if negative.
pub(super) fn index_of(word: &[u8], count: usize) -> Result<u32, Problem> {
    let index: i64 = text(word).parse().map_err(|_| Problem::new("is not a whole number"))?;
    let from_start = match index {
        0 => return Err(Problem::new("is 0").advise("OBJ counts from 1")),
        1.. => index - 1,
        _ => count as i64 + index,
    };
    if from_start < 0 {
        return Err(Problem::new(format!("counts back further than the {count} before it")));
    }
    u32::try_from(from_start).ok().filter(|&index| index != NONE).ok_or_else(|| Problem::new("is beyond any list"))
}

/// A word as text; bytes that are not UTF-8 are replaced.
pub(super) fn text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}
