//! No vertex stage branches by a uniform value alone: see `frame.wgsl`.

use std::collections::HashSet;

use naga::{AddressSpace, Block, Expression, Function, Handle, Module, ShaderStage, Statement};

use super::tests::{MORPH, parse};
use super::*;

/// What a condition is computed from.
#[derive(Clone, Copy, Default)]
struct Sources {
    has_uniform: bool,
    /// Values that differ from vertex to vertex, or that no driver knows before the stage runs. The counter of a loop
    /// is none.
    has_other: bool,
}

impl Sources {
    fn find(module: &Module, function: &Function, at: Handle<Expression>) -> Self {
        let of_all = |parts: &[Handle<Expression>]| {
            parts.iter().map(|&part| Self::find(module, function, part)).fold(Self::default(), |sum, part| Self {
                has_uniform: sum.has_uniform || part.has_uniform,
                has_other: sum.has_other || part.has_other,
            })
        };
        match function.expressions[at] {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_)
            | Expression::LocalVariable(_) => Self::default(),
            Expression::GlobalVariable(variable) => {
                let is_uniform = module.global_variables[variable].space == AddressSpace::Uniform;
                Self { has_uniform: is_uniform, has_other: !is_uniform }
            }
            Expression::Load { pointer: part }
            | Expression::AccessIndex { base: part, .. }
            | Expression::Splat { value: part, .. }
            | Expression::Swizzle { vector: part, .. }
            | Expression::Unary { expr: part, .. }
            | Expression::As { expr: part, .. }
            | Expression::Relational { argument: part, .. } => of_all(&[part]),
            Expression::Access { base, index } => of_all(&[base, index]),
            Expression::Binary { left, right, .. } => of_all(&[left, right]),
            Expression::Select { condition, accept, reject } => of_all(&[condition, accept, reject]),
            Expression::Compose { ref components, .. } => of_all(components),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                of_all(&[Some(arg), arg1, arg2, arg3].into_iter().flatten().collect::<Vec<_>>())
            }
            _ => Self { has_uniform: false, has_other: true },
        }
    }
}

/// Adds the names of the functions called from here that branch by a uniform value alone.
fn find(module: &Module, function: &Function, seen: &mut HashSet<Handle<Function>>, found: &mut Vec<String>) {
    let name = function.name.clone().unwrap_or_default();
    let mut blocks: Vec<&Block> = vec![&function.body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            let condition = match statement {
                Statement::Block(inner) => {
                    blocks.push(inner);
                    None
                }
                Statement::If { condition, accept, reject } => {
                    blocks.extend([accept, reject]);
                    Some(*condition)
                }
                Statement::Switch { selector, cases } => {
                    blocks.extend(cases.iter().map(|case| &case.body));
                    Some(*selector)
                }
                Statement::Loop { body, continuing, break_if } => {
                    blocks.extend([body, continuing]);
                    *break_if
                }
                Statement::Call { function, .. } => {
                    if seen.insert(*function) {
                        find(module, &module.functions[*function], seen, found);
                    }
                    None
                }
                _ => None,
            };
            let sources = condition.map(|condition| Sources::find(module, function, condition)).unwrap_or_default();
            if sources.has_uniform && !sources.has_other {
                found.push(name.clone());
            }
        }
    }
}

/// The functions of vertex stages that branch by a uniform value alone.
fn branches(source: &str) -> Vec<String> {
    let module = parse(source);
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for entry in module.entry_points.iter().filter(|entry| entry.stage == ShaderStage::Vertex) {
        find(&module, &entry.function, &mut seen, &mut found);
    }
    found
}

#[test]
fn no_vertex_stage_branches_by_a_uniform_alone() {
    for is_skinned in [false, true] {
        for source in [
            surface_from_buffer(is_skinned),
            surface_from_morph(MORPH, is_skinned),
            view_from_buffer(is_skinned),
            view_from_morph(MORPH, is_skinned),
            toon_from_buffer(is_skinned),
            toon_from_morph(MORPH, is_skinned),
        ] {
            assert_eq!(branches(&source), Vec::<String>::new());
        }
    }
    for source in [strands(), background(), finish(), accumulate()] {
        assert_eq!(branches(&source), Vec::<String>::new());
    }
}

#[test]
fn such_branches_are_found() {
    let planted = |before: &str, after: &str| {
        let source = strands();
        assert!(source.contains(before), "{before}");
        branches(&source.replacen(before, after, 1))
    };
    assert_eq!(
        planted("let shift = (strand", "if frame.tone == 1u { return vec3f(); } let shift = (strand"),
        ["lit_strand"]
    );
    assert_eq!(planted("index < FILE_LIGHTS", "index < frame.file_light_count"), ["lit_strand"]);
    let by_vertex = "if strand.width > frame.shadow_texel { light = vec3f(); } return max(light + frame";
    assert_eq!(planted("return max(light + frame", by_vertex), [""; 0], "this one differs from vertex to vertex");
}
