//! Which mends a finding of the lint asks for.

use super::{Contained, Cracks, Duplicates, Empty, Kind, Mend, Noise, Normals, Symmetrise, Tidy, ZeroRest};
use crate::lint::{Finding, Measure, Rule};
use smirk_face::head::Head;

/// The mend of a finding; none for one that only an artist can mend.
pub fn remedy(head: &Head, finding: &Finding) -> Option<Mend> {
    let names = || finding.channels.iter().map(|&channel| head.channels[channel].full_name.clone());
    let kind = match finding.rule {
        Rule::RestWeight => Kind::ZeroRest(ZeroRest::default()),
        Rule::Empty => Kind::Empty(Empty::default()),
        Rule::Duplicate if is_exact(finding) => Kind::Duplicates(Duplicates::default()),
        Rule::Crack => Kind::Cracks(Cracks::default()),
        Rule::Asymmetry => Kind::Symmetrise(Symmetrise::default()),
        Rule::Noise => Kind::Noise(Noise::default()),
        Rule::Unturned => Kind::Normals(Normals::default()),
        Rule::Contained => {
            let shape = names().next()?;
            return Some(Mend::of_shapes(Kind::Contained(Contained { shape, weight: None }), names().skip(1)));
        }
        Rule::Import
        | Rule::Coverage
        | Rule::InBetween
        | Rule::Duplicate
        | Rule::Opposite
        | Rule::Mix
        | Rule::Combination
        | Rule::OpenNote => return None,
    };
    Some(Mend::of_shapes(kind, names()))
}

/// The mends that cannot change what is seen, of all that is found: shapes that move nothing, exact duplicates that
/// nothing else moves, movements that are not visible, and numbers that mean nothing.
pub fn safe_mends(head: &Head, findings: &[Finding]) -> Vec<Mend> {
    let is_safe = |finding: &&Finding| match finding.rule {
        Rule::Empty | Rule::Noise => true,
        Rule::Duplicate => is_exact(finding),
        _ => false,
    };
    let mut mends: Vec<Mend> = findings.iter().filter(is_safe).filter_map(|finding| remedy(head, finding)).collect();
    if Tidy::is_needed(head) {
        mends.push(Kind::Tidy(Tidy::default()).into());
    }
    mends
}

fn is_exact(finding: &Finding) -> bool {
    matches!(finding.measure, Measure::Duplicate { error: 0.0 })
}
