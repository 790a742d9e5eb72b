//! Shader modules of single pipelines. The module of a head's surface has the shading of all roles in all tiers, and
//! overrides tell a pipeline which of it to run. wgpu replaces overrides by their values, but gives all branches to the
//! driver, which reads them to find that it may leave them out: on Mesa's software adapter, that takes longer than
//! anything else at the start of the program.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::mem::take;
use std::sync::OnceLock;

use naga::back::pipeline_constants::process_overrides;
use naga::compact::{KeepUnused, compact};
use naga::valid::ModuleInfo;
use naga::{
    Arena, BinaryOperator, Block, Constant, Expression, Function, Handle, Literal, LocalVariable, Module, Statement,
    UnaryOperator,
};

/// A WGSL text with overrides, of which modules for pipelines are made.
#[derive(Debug)]
pub(crate) struct Template {
    label: &'static str,
    text: String,
    /// None if the text is not valid.
    parsed: OnceLock<Option<Module>>,
}

/// A shader module of one pipeline, and those overrides that it still has.
pub(crate) struct PipelineModule<'a> {
    pub module: wgpu::ShaderModule,
    pub constants: &'a [(&'a str, f64)],
}

impl Template {
    /// The template with this text, which is parsed when the first module is made.
    pub(crate) fn new(label: &'static str, text: String) -> Self {
        Self { label, text, parsed: OnceLock::new() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The module of a pipeline with these entry points, in which overrides have the values `constants`: without what
    /// that leaves out.
    pub(crate) fn module<'a>(
        &self,
        device: &wgpu::Device,
        entries: &[&str],
        constants: &'a [(&'a str, f64)],
    ) -> PipelineModule<'a> {
        let parsed = self.parsed.get_or_init(|| naga::front::wgsl::parse_str(&self.text).ok());
        let (source, constants) = match parsed.as_ref().and_then(|module| specialized(module, entries, constants)) {
            Some(module) => (wgpu::ShaderSource::Naga(Cow::Owned(module)), [].as_slice()),
            // The device reports what is wrong with the text.
            None => (wgpu::ShaderSource::Wgsl(self.text.as_str().into()), constants),
        };
        let label = Some(self.label);
        PipelineModule {
            module: device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source }),
            constants,
        }
    }
}

/// What is left of a module for these entry points with these values of its overrides; `None` if they are not valid.
fn specialized(module: &Module, entries: &[&str], constants: &[(&str, f64)]) -> Option<Module> {
    let mut module = module.clone();
    module.entry_points.retain(|entry| entries.contains(&entry.name.as_str()));
    let constants = constants.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    // The information about a module is only returned where there is nothing to replace.
    let info = ModuleInfo::default();
    let mut module = process_overrides(&module, &info, None, &constants).ok()?.0.into_owned();
    let Module { functions, entry_points, constants, global_expressions, .. } = &mut module;
    let constants = Constants { constants, values: global_expressions };
    let functions = functions.iter_mut().map(|(_, function)| function);
    functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)).for_each(|it| prune(it, constants));
    compact(&mut module, KeepUnused::No);
    Some(module)
}

/// The constants of a module and their values.
#[derive(Clone, Copy)]
struct Constants<'a> {
    constants: &'a Arena<Constant>,
    values: &'a Arena<Expression>,
}

/// Removes the branches of a function whose conditions are constant.
fn prune(function: &mut Function, constants: Constants<'_>) {
    let mut is_changed = true;
    // A branch that is removed can make another condition constant.
    while is_changed {
        let stores = stores(&function.body, &function.expressions);
        let temporaries = |variable: Handle<LocalVariable>| {
            let LocalVariable { name, init, .. } = &function.local_variables[variable];
            stores.get(&variable).copied().flatten().filter(|_| name.is_none() && init.is_none())
        };
        let (expressions, found) = (&function.expressions, Cell::new(false));
        let known = Known { constants, expressions, temporaries: &temporaries, found: &found };
        function.body = known.without_dead_branches(take(&mut function.body));
        is_changed = found.get();
    }
    // A name would keep an expression that nothing needs any more.
    function.named_expressions.clear();
}

/// The value that is stored in each variable; `None` if there are several.
fn stores(body: &Block, expressions: &Arena<Expression>) -> HashMap<Handle<LocalVariable>, Option<Handle<Expression>>> {
    let (mut stores, mut blocks) = (HashMap::new(), vec![body]);
    while let Some(block) = blocks.pop() {
        for statement in block {
            match statement {
                Statement::Block(inner) => blocks.push(inner),
                Statement::If { accept, reject, .. } => blocks.extend([accept, reject]),
                Statement::Switch { cases, .. } => blocks.extend(cases.iter().map(|case| &case.body)),
                Statement::Loop { body, continuing, .. } => blocks.extend([body, continuing]),
                Statement::Store { pointer, value } => {
                    if let Expression::LocalVariable(variable) = expressions[*pointer] {
                        stores.entry(variable).and_modify(|stored| *stored = None).or_insert(Some(*value));
                    }
                }
                _ => {}
            }
        }
    }
    stores
}

/// What is known of the values in a function.
struct Known<'a, T> {
    constants: Constants<'a>,
    expressions: &'a Arena<Expression>,
    /// The only value that is stored in a variable which the compiler made for `&&` or `||`. It is stored before the
    /// variable is read.
    temporaries: &'a T,
    /// Whether any condition was constant.
    found: &'a Cell<bool>,
}

impl<T: Fn(Handle<LocalVariable>) -> Option<Handle<Expression>>> Known<'_, T> {
    /// The value of a condition, if it is constant.
    fn value(&self, of: Handle<Expression>) -> Option<bool> {
        match self.expressions[of] {
            Expression::Literal(Literal::Bool(value)) => Some(value),
            Expression::Constant(constant) => match self.constants.values[self.constants.constants[constant].init] {
                Expression::Literal(Literal::Bool(value)) => Some(value),
                _ => None,
            },
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } => self.value(expr).map(|value| !value),
            Expression::Binary { op: BinaryOperator::LogicalAnd, left, right } => {
                Some(self.value(left)? && self.value(right)?)
            }
            Expression::Binary { op: BinaryOperator::LogicalOr, left, right } => {
                Some(self.value(left)? || self.value(right)?)
            }
            Expression::Load { pointer } => match self.expressions[pointer] {
                Expression::LocalVariable(variable) => self.value((self.temporaries)(variable)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// A block in which what a constant condition selects takes the place of its branches.
    fn without_dead_branches(&self, block: Block) -> Block {
        let mut kept = Block::with_capacity(block.len());
        let pruned = |block| self.without_dead_branches(block);
        for (statement, span) in block.span_into_iter() {
            let statement = match statement {
                Statement::If { condition, accept, reject } => match self.value(condition) {
                    Some(is_true) => {
                        kept.extend_block(pruned(if is_true { accept } else { reject }));
                        self.found.set(true);
                        // What follows a jump is never reached.
                        if kept.last().is_some_and(is_jump) {
                            break;
                        }
                        continue;
                    }
                    None => Statement::If { condition, accept: pruned(accept), reject: pruned(reject) },
                },
                Statement::Block(inner) => Statement::Block(pruned(inner)),
                Statement::Switch { selector, mut cases } => {
                    cases.iter_mut().for_each(|case| case.body = pruned(take(&mut case.body)));
                    Statement::Switch { selector, cases }
                }
                Statement::Loop { body, continuing, break_if } => {
                    Statement::Loop { body: pruned(body), continuing: pruned(continuing), break_if }
                }
                other => other,
            };
            kept.push(statement, span);
        }
        kept
    }
}

fn is_jump(statement: &Statement) -> bool {
    matches!(statement, Statement::Return { .. } | Statement::Kill | Statement::Break | Statement::Continue)
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;
    use crate::render::shaders::surface_from_buffer;

    /// A module for values of overrides, which is valid.
    fn module(text: &str, entries: &[&str], constants: &[(&str, f64)]) -> Module {
        let parsed =
            naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        let module = specialized(&parsed, entries, constants).expect("valid values");
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        validator.validate(&module).unwrap_or_else(|error| panic!("{constants:?}: {}", error.emit_to_string(text)));
        module
    }

    fn functions(module: &Module) -> Vec<&str> {
        module.functions.iter().filter_map(|(_, function)| function.name.as_deref()).collect()
    }

    /// The number of branches of the only entry point.
    fn branches(text: &str, constants: &[(&str, f64)]) -> usize {
        let module = module(text, &["f"], constants);
        let statements = module.entry_points[0].function.body.iter();
        statements.filter(|statement| matches!(statement, Statement::If { .. } | Statement::Switch { .. })).count()
    }

    #[test]
    fn branches_that_values_exclude_are_removed() {
        let text = |condition: &str| {
            format!(
                "override A: bool; override B: bool = false; override N: u32 = 0u; override BOTH: bool = A && !B;
                 @fragment fn f(@location(0) x: f32) -> @location(0) vec4f {{
                     var sum = 1.0;
                     if {condition} {{ sum = 2.0; }} else {{ sum = x; }}
                     return vec4f(sum);
                 }}"
            )
        };
        for condition in
            ["A", "!A", "A && B", "A || x > 1.0", "!A && x > 1.0", "N == 2u || N == 0u", "BOTH", "(A || B) && N == 1u"]
        {
            assert_eq!(branches(&text(condition), &[("A", 1.0)]), 0, "{condition}");
        }
        assert_eq!(branches(&text("x > 1.0"), &[("A", 1.0)]), 1);
        assert_eq!(branches(&text("A && x > 1.0"), &[("A", 1.0)]), 1);
        assert_eq!(branches(&text("A"), &[("A", 0.0)]), 0);
    }

    #[test]
    fn what_follows_a_return_is_removed_and_variables_keep_what_is_stored_last() {
        let text = "override A: bool;
            fn g(x: f32) -> f32 { return x * x; }
            @fragment fn f(@location(0) x: f32) -> @location(0) vec4f {
                var is_first: bool;
                var sum = 0.0;
                for (var i = 0; i < 3; i++) {
                    if is_first { sum += g(x); }
                    is_first = true;
                }
                if A { return vec4f(sum); }
                return vec4f(g(x));
            }";
        let module = module(text, &["f"], &[("A", 1.0)]);
        let body = &module.entry_points[0].function.body;
        assert!(matches!(body.last(), Some(Statement::Return { value: Some(_) })));
        assert_eq!(body.iter().filter(|statement| matches!(statement, Statement::Return { .. })).count(), 1);
        assert_eq!(functions(&module), ["g"], "a variable of the text is not a temporary one");
    }

    #[test]
    fn the_surface_of_a_role_has_no_shading_of_others() {
        let text = surface_from_buffer(false);
        let of = |role: u32, is_refined: bool| {
            let fragment = if is_refined { "sample_fragment" } else { "fragment" };
            module(&text, &["vertex", fragment], &[("ROLE", f64::from(role)), ("REFINED", f64::from(is_refined))])
        };
        for role in 0..10 {
            for is_refined in [false, true] {
                of(role, is_refined);
            }
        }
        let (skin, hair) = (smirk_face::head::Role::Skin as u32, smirk_face::head::Role::Hair as u32);
        assert!(functions(&of(hair, false)).contains(&"shade_hair"));
        assert!(!functions(&of(skin, false)).contains(&"shade_hair"));
        assert!(functions(&of(skin, true)).contains(&"light_through_skin"));
        assert!(!functions(&of(skin, false)).contains(&"light_through_skin"));
        assert!(functions(&of(skin, false)).len() * 2 < naga::front::wgsl::parse_str(&text).unwrap().functions.len());
    }

    #[test]
    fn a_text_or_a_value_that_is_not_valid_makes_no_module() {
        let text = "override A: bool; @compute @workgroup_size(1) fn f() { if A { return; } }";
        let parsed = naga::front::wgsl::parse_str(text).unwrap();
        assert!(specialized(&parsed, &["f"], &[("A", 1.0)]).is_some());
        assert!(specialized(&parsed, &["f"], &[]).is_none(), "an override without a value");
        assert!(specialized(&parsed, &["f"], &[("B", 1.0)]).is_none(), "a value without an override");
    }
}
