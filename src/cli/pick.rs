//! Something of a head, asked for by name or by number.

use anyhow::bail;

/// The index of what is `wanted` among `names`: the first of that name, else the one of that number from 0. `option` and
/// `kind` are for the message, as in `--clip` and `clips`.
pub fn by_name_or_number(option: &str, wanted: &str, head: &str, kind: &str, names: &[&str]) -> anyhow::Result<usize> {
    let by_name = names.iter().position(|name| *name == wanted);
    let by_number = || wanted.parse().ok().filter(|&index: &usize| index < names.len());
    let Some(index) = by_name.or_else(by_number) else {
        let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
        bail!("{option} {wanted}: {head} has {} {kind}: {}", names.len(), names.join(", "));
    };
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_before_numbers_and_the_rest_is_told() {
        let pick = |wanted| by_name_or_number("--clip", wanted, "Ada", "clips", &["smile", "0"]);
        assert_eq!((pick("smile").unwrap(), pick("0").unwrap(), pick("1").unwrap()), (0, 1, 1));
        assert_eq!(pick("2").unwrap_err().to_string(), r#"--clip 2: Ada has 2 clips: "smile", "0""#);
    }
}
