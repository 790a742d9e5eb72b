//! Every composed shader module of the blend modes is valid WGSL, and has the sizes, offsets and workgroup sizes of Rust. Shared
//! constants are compared in `blend/gpu/shaders.rs`, and the modules that draw in `render/shaders`.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::mem::offset_of;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Module, ShaderStage, TypeInner};
use smirk_graphics::blend::{BLOCK_SIZE, ChangedBlock, MorphBlock, MorphEntry, Precision, Run, SmoothVertex, shaders};

fn parse(source: &str) -> Module {
    naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)))
}

fn validate(name: &str, module: &Module) {
    let result = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
    assert!(result.is_ok(), "{name}: {:?}", result.err());
}

/// The modules of all pipelines, by name.
fn modules() -> Vec<(String, Module)> {
    let of = |precision: Precision| {
        let read_back = |pages| [&shaders::morph_one(precision, pages), smirk_shaders::morph::READ_BACK].concat();
        [
            ("one page", shaders::morph_one(precision, 1)),
            ("many pages", shaders::morph_one(precision, 2)),
            ("compute", shaders::compute(precision)),
            ("multi-pass", shaders::multipass(precision)),
            ("resolve", shaders::resolve(precision)),
            ("read back, one page", read_back(1)),
            ("read back, many pages", read_back(2)),
        ]
        .map(|(name, source)| (format!("{name}, {}", precision.keyword()), parse(&source)))
    };
    [Precision::Exact, Precision::Packed].into_iter().flat_map(of).collect()
}

/// Bytes of a struct and of where its members begin.
fn layout_of(module: &Module, name: &str) -> Option<(usize, Vec<(String, usize)>)> {
    let (_, found) = module.types.iter().find(|(_, of)| of.name.as_deref() == Some(name))?;
    let TypeInner::Struct { members, span } = &found.inner else { return None };
    let offsets = members.iter().map(|member| (member.name.clone().unwrap(), member.offset as usize)).collect();
    Some((*span as usize, offsets))
}

fn named(offsets: &[(&str, usize)]) -> Vec<(String, usize)> {
    offsets.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect()
}

#[test]
fn every_module_is_valid() {
    for (name, module) in modules() {
        validate(&name, &module);
    }
}

#[test]
fn structs_have_the_layout_of_rust() {
    let run = named(&[
        ("first", offset_of!(Run, first)),
        ("count", offset_of!(Run, count)),
        ("cached_sums", offset_of!(Run, cached_sums)),
        ("padding", offset_of!(Run, padding)),
    ]);
    let mut run_modules = 0;
    for (name, module) in modules() {
        if let Some(layout) = layout_of(&module, "Run") {
            assert_eq!(layout, (size_of::<Run>(), run.clone()), "{name}");
            run_modules += 1;
        }
    }
    assert_eq!(run_modules, 6, "compute, multi-pass, resolve");
}

/// The shaders read these rows as one vector each.
#[test]
fn rows_are_vectors_of_four_words() {
    assert_eq!((size_of::<MorphBlock>(), size_of::<MorphEntry>()), (16, 16));
    let block =
        [offset_of!(MorphBlock, first_entry), offset_of!(MorphBlock, entry_count), offset_of!(MorphBlock, page)];
    assert_eq!((block, offset_of!(MorphBlock, first_column)), ([0, 4, 8], 12));
    assert_eq!((offset_of!(MorphEntry, column), offset_of!(MorphEntry, weights)), (0, 4));
    let changed =
        [offset_of!(ChangedBlock, index), offset_of!(ChangedBlock, first_moving), offset_of!(ChangedBlock, end_moving)];
    assert_eq!((changed, size_of::<ChangedBlock>()), ([0, 4, 8], 16));
    for (name, module) in modules() {
        for table in ["morph_blocks", "morph_entries"] {
            let Some((_, variable)) = module.global_variables.iter().find(|(_, of)| of.name.as_deref() == Some(table))
            else {
                panic!("{name} has no {table}")
            };
            assert!(matches!(module.types[variable.ty].inner, TypeInner::Array { stride: 16, .. }), "{name}");
        }
    }
}

#[test]
fn workgroups_are_four_blocks_of_quads() {
    let compute: Vec<_> = modules()
        .into_iter()
        .flat_map(|(_, module)| module.entry_points)
        .filter(|entry_point| entry_point.stage == ShaderStage::Compute)
        .collect();
    assert_eq!(compute.len(), 6);
    for entry_point in compute {
        assert_eq!(entry_point.workgroup_size, [shaders::WORKGROUP_SIZE, 1, 1], "{}", entry_point.name);
    }
}

#[test]
fn all_pages_are_bound_in_group_one() {
    let deltas_bound = |source: &str| {
        let module = parse(source);
        let bindings = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
        bindings.filter(|binding| binding.group == 1 && binding.binding >= 2).count()
    };
    assert_eq!(deltas_bound(&shaders::morph_one(Precision::Exact, 1)), 1);
    assert_eq!(deltas_bound(&shaders::morph_one(Precision::Packed, 2)), shaders::MAX_PAGES);
}

#[test]
fn recomputed_normals_have_the_layout_of_rust() {
    let module = parse(smirk_shaders::morph::NORMALS);
    validate("normals", &module);
    let expected = named(&[
        ("base_normal", offset_of!(SmoothVertex, base_normal)),
        ("per_area", offset_of!(SmoothVertex, per_area)),
        ("correction", offset_of!(SmoothVertex, correction)),
        ("ring", offset_of!(SmoothVertex, ring)),
    ]);
    assert_eq!(layout_of(&module, "SmoothVertex"), Some((size_of::<SmoothVertex>(), expected)));
    assert_eq!(module.entry_points[0].workgroup_size, [shaders::WORKGROUP_SIZE, 1, 1]);
    assert_eq!(shaders::WORKGROUP_SIZE as usize, BLOCK_SIZE, "one block per workgroup");
    let bound = module.global_variables.iter().filter(|(_, variable)| variable.binding.is_some()).count();
    assert!(bound <= 8, "{bound} storage buffers: the least an adapter has is 8");
}
