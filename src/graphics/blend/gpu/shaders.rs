//! The WGSL of the blend modes, joined by plain concatenation. The text of the morph sum is part of every module.

use smirk_shaders::morph;

use crate::blend::{BLOCK_SIZE, Precision};

/// The number of pages of deltas that the vertex stage can bind.
pub const MAX_PAGES: usize = 8;

pub const WORKGROUP_SIZE: u32 = 64;

/// The number of vertices that one invocation of a dispatch blends.
const QUAD: u32 = 4;

/// The number of blocks that one workgroup blends. One block has too few quads to fill a workgroup.
pub const BLOCKS_PER_WORKGROUP: u32 = WORKGROUP_SIZE * QUAD / BLOCK_SIZE as u32;

/// The function `morphed_vertex` for the vertex stage, which computes the morph sum of one vertex, and its bindings in
/// group 1: deltas in one page, or in up to [`MAX_PAGES`].
pub fn morph_one(precision: Precision, page_count: usize) -> String {
    let numbers = match precision {
        Precision::Exact => morph::EXACT_ONE,
        Precision::Packed => morph::PACKED_ONE,
    };
    let pages = if page_count == 1 { morph::PAGE } else { morph::PAGES };
    [numbers, morph::ONE, pages, morph::SUM].concat()
}

/// The morph sum of four vertices at once, for a dispatch over blocks whose deltas are in one page.
fn quads(precision: Precision) -> String {
    let numbers = match precision {
        Precision::Exact => morph::EXACT_QUAD,
        Precision::Packed => morph::PACKED_QUAD,
    };
    [numbers, morph::QUAD, morph::PAGE, morph::SUM, morph::RUN].concat()
}

pub fn compute(precision: Precision) -> String {
    [&quads(precision), morph::OUTPUT, morph::SUMS_READ, morph::SUMS_WRITTEN, morph::COMPUTE].concat()
}

/// The module of multi-pass mode for a pass over four targets.
pub fn multipass(precision: Precision) -> String {
    [&quads(precision), morph::SUMS_READ, morph::SUMS_WRITTEN, morph::MULTIPASS].concat()
}

/// The module of multi-pass mode for the last step, which adds the base.
pub fn resolve(precision: Precision) -> String {
    [&quads(precision), morph::OUTPUT, morph::SUMS_READ, morph::RESOLVE].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::blend::gpu::modes::{READ_BACK_WIDTH, TARGETS_PER_PASS};
    use crate::blend::gpu::tables::CachedSums;
    use crate::blend::layout::POSITION_BITS;
    use crate::blend::normals::FAN;
    use crate::blend::normals::NO_RING;
    use crate::blend::{FADING_AREA, VANISHING_LENGTH};

    /// The constants that the shaders define and Rust does not.
    const IN_SHADERS_ALONE: [&str; 1] = ["NO_BLOCK"];

    fn constants_in_rust() -> BTreeMap<&'static str, f64> {
        let quad = f64::from(QUAD);
        let single = |number: f64| f64::from(number as f32);
        BTreeMap::from([
            ("BLOCKS_PER_WORKGROUP", f64::from(BLOCKS_PER_WORKGROUP)),
            ("CACHED_SUMS_READ", f64::from(CachedSums::Read as u32)),
            ("CACHED_SUMS_WRITE", f64::from(CachedSums::Write as u32)),
            ("FADING_AREA", single(FADING_AREA)),
            ("FAN", f64::from(FAN)),
            ("MORPH_BLOCK_SIZE", BLOCK_SIZE as f64),
            ("NORMALS_BLOCK_SIZE", BLOCK_SIZE as f64),
            ("NO_RING", f64::from(NO_RING)),
            ("POSITION_BITS", f64::from(POSITION_BITS)),
            ("QUADS_PER_BLOCK", BLOCK_SIZE as f64 / quad),
            ("READ_BACK_WIDTH", READ_BACK_WIDTH as f64),
            ("TARGETS_PER_PASS", TARGETS_PER_PASS as f64),
            ("VANISHING_LENGTH", single(VANISHING_LENGTH)),
            ("VANISHING_LENGTH_SQUARED", single(VANISHING_LENGTH * VANISHING_LENGTH)),
            ("WORKGROUP_SIZE", f64::from(WORKGROUP_SIZE)),
        ])
    }

    fn sources() -> Vec<String> {
        let of = |precision| {
            let read_back = [&morph_one(precision, 2), morph::READ_BACK].concat();
            [read_back, compute(precision), multipass(precision), resolve(precision)]
        };
        let mut sources: Vec<String> = [Precision::Exact, Precision::Packed].into_iter().flat_map(of).collect();
        sources.push(morph::NORMALS.to_owned());
        sources
    }

    fn constants_in_wgsl(source: &str) -> BTreeMap<String, f64> {
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let value = |constant: &naga::Constant| match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(value)) => f64::from(value),
            naga::Expression::Literal(naga::Literal::F32(value)) => f64::from(value),
            ref other => panic!("{:?} is {other:?}", constant.name),
        };
        module.constants.iter().filter_map(|(_, constant)| Some((constant.name.clone()?, value(constant)))).collect()
    }

    #[test]
    fn every_constant_has_the_value_it_has_in_rust() {
        let in_rust = constants_in_rust();
        let mut compared = BTreeMap::new();
        for source in sources() {
            let constants = constants_in_wgsl(&source).into_iter();
            for (name, value) in constants.filter(|(name, _)| !IN_SHADERS_ALONE.contains(&name.as_str())) {
                assert_eq!(in_rust.get(name.as_str()), Some(&value), "{name}");
                compared.insert(name, value);
            }
        }
        assert_eq!(compared.len(), in_rust.len(), "Rust lists a constant that no shader has");
    }

    #[test]
    fn a_constant_that_differs_is_seen() {
        let in_rust = constants_in_rust();
        for (source, planted) in [
            (compute(Precision::Packed), ["POSITION_BITS: u32 = 18u", "POSITION_BITS: u32 = 17u"]),
            (morph::NORMALS.to_owned(), ["FADING_AREA: f32 = 0.1", "FADING_AREA: f32 = 0.11"]),
        ] {
            assert!(source.contains(planted[0]), "{}", planted[0]);
            let constants = constants_in_wgsl(&source.replace(planted[0], planted[1]));
            let differs = |(name, value): &(&String, &f64)| in_rust.get(name.as_str()).is_some_and(|own| own != *value);
            assert_eq!(constants.iter().filter(differs).count(), 1, "{}", planted[1]);
        }
    }
}
