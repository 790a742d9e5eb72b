//! Tables of numbers in text files beside the code. Each row begins with the name of its table; comments begin with `#`.

/// The rows of a table, in the order of the file. A number that is missing or is none becomes NaN, which no test lets pass.
pub fn rows<const N: usize>(text: &str, table: &str) -> Vec<[f64; N]> {
    named_rows(text).filter(|(name, _)| *name == table).map(|(_, row)| row).collect()
}

/// All rows of a file whose tables have the same columns, each with the name of its table.
pub fn named_rows<const N: usize>(text: &str) -> impl Iterator<Item = (&str, [f64; N])> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, values) = line.split_once(',')?;
        let mut values = values.split(',').map(|value| value.parse().unwrap_or(f64::NAN));
        Some((name, std::array::from_fn(|_| values.next().unwrap_or(f64::NAN))))
    })
}
