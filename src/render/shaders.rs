//! The WGSL texts, joined by plain concatenation: WGSL lets declarations come in any order.

const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const PLACING_NODE: &str = include_str!("../../shaders/placing_node.wgsl");
const PLACING_SKIN: &str = include_str!("../../shaders/placing_skin.wgsl");
const LIGHT: &str = include_str!("../../shaders/light.wgsl");
const SHADOW: &str = include_str!("../../shaders/shadow.wgsl");
const LAYERS: &str = include_str!("../../shaders/layers.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const LAMPS: &str = include_str!("../../shaders/lamps.wgsl");
const TONE: &str = include_str!("../../shaders/tone.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const SURFACE_BUMPY: &str = include_str!("../../shaders/surface_bumpy.wgsl");
const SURFACE_BUFFER: &str = include_str!("../../shaders/surface_buffer.wgsl");
const SURFACE_MORPH: &str = include_str!("../../shaders/surface_morph.wgsl");
const BACKGROUND: &str = include_str!("../../shaders/background.wgsl");

/// A picture onto the window.
pub const BLIT: &str = include_str!("../../shaders/blit.wgsl");

/// What puts vertices into the world: the node their mesh stands on, or the joints they hang on.
pub fn placing(is_skinned: bool) -> String {
    [MESH, if is_skinned { PLACING_SKIN } else { PLACING_NODE }].join("\n")
}

/// The head's surface, fed from a vertex buffer that already holds the shape.
pub fn surface_from_buffer(is_skinned: bool) -> String {
    [FRAME, &placing(is_skinned), TONE, MATERIAL, LIGHT, SHADOW, LAMPS, LAYERS, SURFACE, SURFACE_BUMPY, SURFACE_BUFFER]
        .join("\n")
}

/// The head's surface, whose vertex stage sums the targets with the blender's `morph` text.
pub fn surface_from_morph(morph: &str, is_skinned: bool) -> String {
    [
        FRAME,
        &placing(is_skinned),
        TONE,
        MATERIAL,
        LIGHT,
        SHADOW,
        LAMPS,
        LAYERS,
        SURFACE,
        SURFACE_BUMPY,
        SURFACE_MORPH,
        morph,
    ]
    .join("\n")
}

/// What is behind the head.
pub fn background() -> String {
    [FRAME, BACKGROUND].join("\n")
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;
    use crate::render::lamps::LampUniforms;
    use crate::render::material_uniforms::{MaterialUniforms, PlacementUniforms};
    use crate::render::skins::JointRows;
    use crate::render::uniforms::{FrameUniforms, LightUniforms, MeshUniforms};

    /// The blender's side of the bargain, at its smallest.
    const MORPH: &str = "struct Vertex { position: vec3f, normal: vec3f, tangent: vec4f }
        fn morphed_vertex(vertex_index: u32, base: Vertex) -> Vertex { return base; }";

    fn parse(source: &str) -> naga::Module {
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
        }
        parse(&background());
        parse(BLIT);
    }

    #[test]
    fn structs_are_as_large_as_their_rust_twins() {
        let module = parse(&surface_from_buffer(true));
        assert_eq!(span_of(&module, "Frame"), size_of::<FrameUniforms>());
        assert_eq!(span_of(&module, "Light"), size_of::<LightUniforms>());
        assert_eq!(span_of(&module, "Lamp"), size_of::<LampUniforms>());
        assert_eq!(span_of(&module, "Mesh"), size_of::<MeshUniforms>());
        assert_eq!(span_of(&module, "Material"), size_of::<MaterialUniforms>());
        assert_eq!(span_of(&module, "Placement"), size_of::<PlacementUniforms>());
    }

    fn offset_of(module: &naga::Module, structure: &str, member: &str) -> usize {
        let (_, found) = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(structure)).unwrap();
        let naga::TypeInner::Struct { members, .. } = &found.inner else { panic!("{structure} is no struct") };
        members.iter().find(|of| of.name.as_deref() == Some(member)).unwrap().offset as usize
    }

    #[test]
    fn mesh_members_lie_where_rust_puts_them() {
        let module = parse(&surface_from_buffer(true));
        assert_eq!(offset_of(&module, "Mesh", "side"), MeshUniforms::SIDE_OFFSET);
        assert_eq!(offset_of(&module, "Mesh", "first_place"), MeshUniforms::SKIN_OFFSET);
        let joints = module.global_variables.iter().find(|(_, of)| of.name.as_deref() == Some("skin_joints")).unwrap();
        let stride = size_of::<JointRows>() as u32;
        assert!(
            matches!(module.types[joints.1.ty].inner, naga::TypeInner::Array { stride: found, .. } if found == stride)
        );
    }

    #[test]
    fn frame_members_lie_where_rust_puts_them() {
        let module = parse(&surface_from_buffer(true));
        let offset = |name: &str| offset_of(&module, "Frame", name);
        macro_rules! same { ($($field:ident),*) => { $(
            assert_eq!(offset(stringify!($field)), std::mem::offset_of!(FrameUniforms, $field), stringify!($field));
        )* } }
        same!(projection_from_world, shadow_from_world, eye_in_world, softness, key, fill, rim, sky, gloss, ground);
        same!(exposure, background, aspect, shadow_texel, shadow_slack, lamp_count, lamps);
    }
}
