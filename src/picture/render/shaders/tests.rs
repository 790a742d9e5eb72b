//! The shaders are valid, and agree with the numbers and layouts of Rust.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::*;
use crate::render::frame_uniforms::FrameUniforms;
use crate::render::geometry::{JointRows, MeshUniforms};
use crate::render::light::{Dome, FileLightUniforms, LightUniforms, Panel};
use crate::render::refinement::{FinishLayout, SPREAD_TAPS};
use crate::render::strands::StrandUniforms;
use crate::render::surface::{EyesUniforms, Finish, MaterialUniforms, Relief, ToonUniforms, UvTransformUniforms};
use crate::render::views::OwnView;
use smirk_face::head::{FileLight, GrownStrands, Role};
use smirk_scene::{COOL_WARM, LashStyle, MARKED, NO_VALUE, VIRIDIS, WITHOUT_VALUE};

/// The declarations that the blender's text contains at least.
pub(super) const MORPH: &str = "struct Vertex { position: vec3f, normal: vec3f, tangent: vec4f }
    fn morphed_vertex(vertex_index: u32, base: Vertex) -> Vertex { return base; }";

pub(super) fn parse(source: &str) -> naga::Module {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).unwrap();
    module
}

fn span_of(module: &naga::Module, name: &str) -> usize {
    let found = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(name));
    match found.map(|(_, kind)| &kind.inner) {
        Some(naga::TypeInner::Struct { span, .. }) => *span as usize,
        other => panic!("no struct {name}: {other:?}"),
    }
}

#[test]
fn every_module_is_valid() {
    for is_skinned in [false, true] {
        parse(&surface_from_buffer(is_skinned));
        parse(&surface_from_morph(MORPH, is_skinned));
        parse(&view_from_buffer(is_skinned));
        parse(&view_from_morph(MORPH, is_skinned));
        parse(&toon_from_buffer(is_skinned));
        parse(&toon_from_morph(MORPH, is_skinned));
    }
    parse(&strands());
    parse(&background());
    parse(&accumulate());
    parse(&finish());
    parse(BLIT);
}

#[test]
fn structs_are_as_large_as_in_rust() {
    let module = parse(&surface_from_buffer(true));
    assert_eq!(span_of(&module, "Frame"), size_of::<FrameUniforms>());
    assert_eq!(span_of(&module, "Dome"), size_of::<Dome>());
    assert_eq!(span_of(&parse(&toon_from_buffer(true)), "ToonMaterial"), size_of::<ToonUniforms>());
    assert_eq!(span_of(&parse(&finish()), "Finish"), size_of::<FinishLayout>());
    assert_eq!(span_of(&module, "Light"), size_of::<LightUniforms>());
    assert_eq!(span_of(&module, "Panel"), size_of::<Panel>());
    assert_eq!(span_of(&module, "FileLight"), size_of::<FileLightUniforms>());
    assert_eq!(span_of(&module, "Mesh"), size_of::<MeshUniforms>());
    assert_eq!(span_of(&module, "Material"), size_of::<MaterialUniforms>());
    assert_eq!(span_of(&module, "Eyes"), size_of::<EyesUniforms>());
    assert_eq!(span_of(&module, "UvTransform"), size_of::<UvTransformUniforms>());
}

#[test]
fn strands_are_laid_out_as_in_rust() {
    let module = parse(&strands());
    assert_eq!(span_of(&module, "StrandSet"), size_of::<StrandUniforms>());
    let number = |name: &str| {
        let (_, constant) =
            module.constants.iter().find(|(_, constant)| constant.name.as_deref() == Some(name)).unwrap();
        match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(value)) => value,
            ref other => panic!("{name}: {other:?}"),
        }
    };
    assert_eq!(number("POINTS_PER_STRAND"), GrownStrands::POINTS as u32);
}

/// The constants that the shaders define and Rust does not.
const IN_SHADERS_ALONE: [&str; 59] = [
    "ALONG_EDGE",
    "BEND_MM",
    "BEND_PER_MM",
    "BRIGHTEST_SAMPLE",
    "BROAD_LOBE",
    "CELL_MM",
    "CLEARNESS",
    "CORNEA_CURVATURE",
    "COUNTING_ALPHA",
    "DIELECTRIC_F0",
    "EDGE",
    "FURROW_DEPTH_MM",
    "FURROW_SLOPE_SQUARED",
    "FURROW_WIDTH",
    "GLTF_F0",
    "HAIR_F0",
    "HULL_DEPTH",
    "INDEX_OF_EYE",
    "INNER_BAND_SHIFT",
    "INNER_BAND_WIDTH",
    "IRIS_DEPTH",
    "IRIS_LUMINANCE",
    "IRIS_PURITY",
    "LASH_HALF_WIDTH_MM",
    "LASH_SPACING_MM",
    "LEAST_BOUNDARY",
    "LEAST_POWER",
    "LEAST_ROUGHNESS",
    "LEAST_ROUGH_SKIN",
    "LIFT",
    "LIFT_OF_HAIR_MM",
    "LIP_FURROWS_PER_MM",
    "LIP_FURROW_DEPTH_MM",
    "LIP_FURROW_WIDTH_MM",
    "MATCAP_PART",
    "PORE_DEPTH_MM",
    "PORE_RADIUS",
    "PORE_SLOPE_SQUARED",
    "PORE_SPACING_MM",
    "ROUGHEST_SKIN",
    "SCLERA_LUMINANCE",
    "SHARP_LOBE",
    "SHARP_PART",
    "SOURCE_COS_RADIUS",
    "SOURCE_SIN_RADIUS",
    "STREAK_LENGTH_MM",
    "STREAK_WIDTH_MM",
    "SURFACE_BAND_SHIFT",
    "SURFACE_BAND_WIDTH",
    "TEARS_F0",
    "THROUGH_TEETH",
    "UNDULATION_HEIGHT_MM",
    "UNDULATION_MM",
    "UNDULATION_SLOPE_SQUARED",
    "WET_EDGE_MM",
    "WET_EDGE_ROUGHNESS",
    "WIDE_PORE_DEPTH_MM",
    "WIDE_PORE_RADIUS",
    "WIDE_PORE_SLOPE_SQUARED",
];

/// The constants whose value in the shader differs from that in Rust.
fn differing_constants(source: &str) -> Vec<String> {
    let in_rust = [("WET_ROUGHNESS", Finish::WET_ROUGHNESS), ("MATTE_ROUGHNESS", Finish::MATTE_ROUGHNESS)];
    let module = parse(source);
    let numbers = module.constants.iter().filter_map(|(_, constant)| {
        let naga::Expression::Literal(naga::Literal::F32(value)) = module.global_expressions[constant.init] else {
            return None;
        };
        Some((constant.name.clone()?, value))
    });
    let is_other = |(name, value): &(String, f32)| {
        !IN_SHADERS_ALONE.contains(&name.as_str()) && !in_rust.contains(&(name.as_str(), *value))
    };
    numbers.filter(is_other).map(|(name, _)| name).collect()
}

#[test]
fn constants_of_the_shaders_are_those_of_rust() {
    for source in [
        surface_from_buffer(false),
        surface_from_morph(MORPH, true),
        toon_from_buffer(true),
        background(),
        BLIT.to_owned(),
    ] {
        assert_eq!(differing_constants(&source), Vec::<String>::new());
    }
}

#[test]
fn a_constant_that_differs_is_seen() {
    let source = surface_from_buffer(false);
    let planted = source.replace("MATTE_ROUGHNESS: f32 = 0.85", "MATTE_ROUGHNESS: f32 = 0.8");
    assert_eq!(differing_constants(&planted), ["MATTE_ROUGHNESS"]);
    let planted = [&source, "const NEW_NUMBER: f32 = 0.5;"].concat();
    assert_eq!(differing_constants(&planted), ["NEW_NUMBER"], "a constant that is not compared");
}

/// The numbers of the roles, by the names of their constants.
fn roles_in_shader(source: &str) -> Vec<(String, u32)> {
    let module = parse(source);
    let roles = module.constants.iter().filter_map(|(_, constant)| {
        let name = constant.name.clone().filter(|name| name.starts_with("ROLE_"))?;
        match module.global_expressions[constant.init] {
            naga::Expression::Literal(naga::Literal::U32(value)) => Some((name, value)),
            _ => None,
        }
    });
    roles.collect()
}

#[test]
fn roles_have_the_numbers_of_rust() {
    let numbered = |&role: &Role| (format!("ROLE_{role:?}").to_uppercase(), role as u32);
    let in_rust: Vec<_> = Role::ALL.iter().map(numbered).collect();
    assert_eq!(roles_in_shader(&surface_from_buffer(false)), in_rust);
    assert_eq!(roles_in_shader(&surface_from_morph(MORPH, true)), in_rust);
}

#[test]
fn arrays_are_as_long_as_in_rust() {
    let length = |source: &str, name: &str| {
        let module = parse(source);
        let found = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap().1.init;
        match module.global_expressions[found] {
            naga::Expression::Literal(naga::Literal::U32(value)) => value as usize,
            ref other => panic!("{name} is {other:?}"),
        }
    };
    assert_eq!(length(&surface_from_buffer(false), "DOMES"), Dome::MOST);
    assert_eq!(length(&surface_from_buffer(false), "FILE_LIGHTS"), FileLight::MOST);
    assert_eq!(length(&finish(), "SPREAD_TAPS"), SPREAD_TAPS);
}

#[test]
fn choices_for_lashes_have_the_numbers_of_rust() {
    let module = parse(&surface_from_buffer(false));
    let choices = [
        ("LASHES_AS_LASHES", LashStyle::AsLashes),
        ("LASHES_HIDDEN", LashStyle::Hidden),
        ("LASHES_AS_IN_FILE", LashStyle::AsInFile),
    ];
    for (name, style) in choices {
        let constant = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap().1;
        let value = &module.global_expressions[constant.init];
        assert!(
            matches!(value, naga::Expression::Literal(naga::Literal::U32(value)) if *value == style as u32),
            "{name}"
        );
    }
}

#[test]
fn reliefs_have_the_numbers_of_rust() {
    let module = parse(&surface_from_buffer(false));
    let reliefs =
        [("RELIEF_NONE", Relief::None), ("RELIEF_FINE_PORES", Relief::FinePores), ("RELIEF_WHOLE", Relief::Whole)];
    for (name, relief) in reliefs {
        let constant = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap().1;
        let value = &module.global_expressions[constant.init];
        assert!(
            matches!(value, naga::Expression::Literal(naga::Literal::U32(value)) if *value == relief as u32),
            "{name}"
        );
    }
}

#[test]
fn views_have_the_numbers_of_rust() {
    let module = parse(&view_from_buffer(false));
    let views = [
        ("VIEW_PORCELAIN", OwnView::Porcelain),
        ("VIEW_RED_WAX", OwnView::RedWax),
        ("VIEW_CHROME", OwnView::Chrome),
        ("VIEW_ZEBRA", OwnView::Zebra),
        ("VIEW_NORMALS", OwnView::Normals),
        ("VIEW_UV_CHECKER", OwnView::UvChecker),
        ("VIEW_CURVATURE", OwnView::Curvature),
        ("VIEW_BACKFACES", OwnView::Backfaces),
        ("VIEW_HEAT", OwnView::Heat),
        ("VIEW_SIGNED_HEAT", OwnView::SignedHeat),
        ("VIEW_INTERSECTIONS", OwnView::Intersections),
    ];
    for (name, view) in views {
        let constant = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap().1;
        let value = &module.global_expressions[constant.init];
        assert!(
            matches!(value, naga::Expression::Literal(naga::Literal::U32(value)) if *value == view as u32),
            "{name}"
        );
    }
}

/// The numbers of an array of vectors, in their order.
fn numbers_of(module: &naga::Module, name: &str) -> Vec<f32> {
    let constant = module.constants.iter().find(|(_, of)| of.name.as_deref() == Some(name)).unwrap().1;
    fn add(module: &naga::Module, at: naga::Handle<naga::Expression>, numbers: &mut Vec<f32>) {
        match &module.global_expressions[at] {
            naga::Expression::Literal(naga::Literal::F32(value)) => numbers.push(*value),
            naga::Expression::Compose { components, .. } => {
                components.iter().for_each(|&component| add(module, component, numbers));
            }
            other => panic!("{other:?}"),
        }
    }
    let mut numbers = Vec::new();
    add(module, constant.init, &mut numbers);
    numbers
}

#[test]
fn color_scales_have_the_numbers_of_rust() {
    let module = parse(&view_from_buffer(false));
    assert_eq!(numbers_of(&module, "VIRIDIS"), VIRIDIS.as_flattened());
    assert_eq!(numbers_of(&module, "COOL_WARM"), COOL_WARM.as_flattened());
    assert_eq!(numbers_of(&module, "MARKED"), MARKED);
    assert_eq!(numbers_of(&module, "NO_VALUE"), [NO_VALUE]);
    assert_eq!(numbers_of(&module, "WITHOUT_VALUE"), WITHOUT_VALUE);
}

fn offset_of(module: &naga::Module, structure: &str, member: &str) -> usize {
    let (_, found) = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(structure)).unwrap();
    let naga::TypeInner::Struct { members, .. } = &found.inner else { panic!("{structure} is no struct") };
    members.iter().find(|of| of.name.as_deref() == Some(member)).unwrap().offset as usize
}

#[test]
fn mesh_members_have_the_offsets_of_rust() {
    let module = parse(&surface_from_buffer(true));
    assert_eq!(offset_of(&module, "Mesh", "side"), MeshUniforms::SIDE_OFFSET);
    assert_eq!(offset_of(&module, "Mesh", "first_place"), MeshUniforms::SKIN_OFFSET);
    let joints = module.global_variables.iter().find(|(_, of)| of.name.as_deref() == Some("skin_joints")).unwrap();
    let stride = size_of::<JointRows>() as u32;
    assert!(matches!(module.types[joints.1.ty].inner, naga::TypeInner::Array { stride: found, .. } if found == stride));
}

#[test]
fn frame_members_have_the_offsets_of_rust() {
    let module = parse(&surface_from_buffer(true));
    let offset = |name: &str| offset_of(&module, "Frame", name);
    macro_rules! same { ($($field:ident),*) => { $(
        assert_eq!(offset(stringify!($field)), std::mem::offset_of!(FrameUniforms, $field), stringify!($field));
    )* } }
    same!(projection_from_world, shadow_from_world, eye_in_world, softness, key, sky, gloss, ground);
    same!(
        exposure,
        background,
        aspect,
        studio_sh,
        drawn_sh,
        panels,
        domes,
        head_center,
        dome_count,
        millimetres_per_unit,
        shadow_texel,
        shadow_slack,
        file_light_count,
        tone,
        mouth_open,
        lashes,
        gives_iris,
        first_pixel,
        picture_size,
        background_cover,
        vertex_color_amount,
        view_height,
        ambient,
        to_middle_of_key,
        file_lights
    );
}
