//! Every composed shader module is valid WGSL, and agrees with Rust about sizes, offsets and workgroups.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::mem::offset_of;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Module, ShaderStage, TypeInner};
use smirk::blend::{BLOCK_SIZE, Entry, MorphBlock, Run, TARGETS_PER_PASS, shaders};

fn parse(source: &str) -> Module {
    naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)))
}

fn validate(name: &str, module: &Module) {
    let result = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
    assert!(result.is_ok(), "{name}: {:?}", result.err());
}

/// What a pipeline is made of, by name.
fn modules() -> Vec<(&'static str, Module)> {
    let read_back = |tables: &str| parse(&[tables, shaders::READ_BACK].concat());
    vec![
        ("one page", parse(shaders::ONE_PAGE)),
        ("many pages", parse(shaders::MANY_PAGES)),
        ("compute", parse(shaders::COMPUTE)),
        ("multi-pass", parse(shaders::MULTIPASS)),
        ("resolve", parse(shaders::RESOLVE)),
        ("read back, one page", read_back(shaders::ONE_PAGE)),
        ("read back, many pages", read_back(shaders::MANY_PAGES)),
    ]
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
        validate(name, &module);
    }
}

#[test]
fn structs_lie_as_in_rust() {
    let block = named(&[
        ("first_entry", offset_of!(MorphBlock, first_entry)),
        ("entry_count", offset_of!(MorphBlock, entry_count)),
        ("page", offset_of!(MorphBlock, page)),
        ("first_column", offset_of!(MorphBlock, first_column)),
    ]);
    let entry = named(&[("column", offset_of!(Entry, column)), ("weight", offset_of!(Entry, weight))]);
    let run = named(&[("first", offset_of!(Run, first)), ("count", offset_of!(Run, count))]);
    let mut run_modules = 0;
    for (name, module) in modules() {
        let expected_block = (size_of::<MorphBlock>(), block.clone());
        let expected_entry = (size_of::<Entry>(), entry.clone());
        assert_eq!(layout_of(&module, "MorphBlock"), Some(expected_block), "{name}");
        assert_eq!(layout_of(&module, "MorphEntry"), Some(expected_entry), "{name}");
        if let Some(layout) = layout_of(&module, "Run") {
            assert_eq!(layout, (size_of::<Run>(), run.clone()), "{name}");
            run_modules += 1;
        }
    }
    assert_eq!(run_modules, 3, "compute, multi-pass, resolve");
}

#[test]
fn workgroups_are_blocks() {
    let compute: Vec<_> = modules()
        .into_iter()
        .flat_map(|(_, module)| module.entry_points)
        .filter(|entry_point| entry_point.stage == ShaderStage::Compute)
        .collect();
    assert_eq!(compute.len(), 3);
    for entry_point in compute {
        assert_eq!(entry_point.workgroup_size, [BLOCK_SIZE as u32, 1, 1], "{}", entry_point.name);
    }
}

#[test]
fn constants_are_as_in_rust() {
    let module = parse(shaders::MULTIPASS);
    let constant = |name: &str| {
        let (_, constant) = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap();
        match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(value)) => value as usize,
            ref other => panic!("{name} is {other:?}"),
        }
    };
    assert_eq!(constant("MORPH_BLOCK_SIZE"), BLOCK_SIZE);
    assert_eq!(constant("TARGETS_PER_PASS"), TARGETS_PER_PASS);
}

#[test]
fn all_pages_are_bound_in_group_one() {
    let deltas_bound = |source: &str| {
        let module = parse(source);
        let bindings = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
        bindings.filter(|binding| binding.group == 1 && binding.binding >= 2).count()
    };
    assert_eq!(deltas_bound(shaders::ONE_PAGE), 1);
    assert_eq!(deltas_bound(shaders::MANY_PAGES), shaders::MAX_PAGES);
}
