//! The order of names in a list: `Shape2` before `Shape10`.

use std::cmp::Ordering;

use super::search::folded;

/// Compares names as a reader sorts them: regardless of case, with numbers by their value. Names that are the same to the reader
/// are in the order of their characters, so that the order never depends on where they came from.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (folded_a, folded_b) = (folded(a), folded(b));
    let (mut left, mut right) = (folded_a.as_str(), folded_b.as_str());
    while let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) {
        let (digits_left, digits_right) = (digits(left), digits(right));
        let order = if digits_left > 0 && digits_right > 0 {
            let (number_left, number_right) = (&left[..digits_left], &right[..digits_right]);
            (left, right) = (&left[digits_left..], &right[digits_right..]);
            by_value(number_left, number_right)
        } else {
            (left, right) = (&left[x.len_utf8()..], &right[y.len_utf8()..]);
            x.cmp(&y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// How many digits a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Compares numbers of any length.
fn by_value(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_by_their_value_and_case_does_not() {
        let mut names = [
            "Shape10",
            "shape2",
            "Shape1",
            "shape02",
            "笑い10",
            "笑い９",
            "Äpfel",
            "apfel",
            "99999999999999999999999",
            "1",
        ];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(
            names,
            [
                "1",
                "99999999999999999999999",
                "apfel",
                "Shape1",
                "shape02",
                "shape2",
                "Shape10",
                "Äpfel",
                "笑い９",
                "笑い10"
            ]
        );
    }
}
