//! What the shaders read, laid out as WGSL lays it out (a test compares the two), and how it follows from a scene.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use crate::head::{Bounds, FileLight, Posture, normal_matrix};
use crate::scene::{Light, LitBy, Look, Scene};

use super::lamps::{self, LampUniforms};
use super::shadow::ShadowView;

/// `Light` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LightUniforms {
    direction: [f32; 3],
    shadow: f32,
    radiance: [f32; 3],
    _pad: f32,
}

impl LightUniforms {
    fn new(light: &Light, shadow: f32) -> Self {
        let radiance = (Vec3::from(light.color) * light.intensity.max(0.0)).to_array();
        Self { direction: light.direction_to_light_in_world().to_array(), shadow, radiance, _pad: 0.0 }
    }
}

/// `Frame` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct FrameUniforms {
    pub projection_from_world: Mat4,
    pub shadow_from_world: Mat4,
    pub eye_in_world: [f32; 3],
    pub softness: f32,
    pub key: LightUniforms,
    pub fill: LightUniforms,
    pub rim: LightUniforms,
    pub sky: [f32; 3],
    pub gloss: f32,
    pub ground: [f32; 3],
    pub exposure: f32,
    pub background: [f32; 3],
    pub aspect: f32,
    pub shadow_texel: f32,
    pub shadow_slack: f32,
    pub lamp_count: u32,
    _pad: f32,
    pub lamps: [LampUniforms; FileLight::MOST],
}

impl FrameUniforms {
    /// How much of the key a shadow takes away: real skin's shadows are never black.
    const KEY_SHADOW: f32 = 0.88;

    /// What a shape may have moved since its shadow was drawn without falling into it; of the head's radius.
    const STALE_SHADOW_SLACK: f32 = 0.06;

    /// What `scene` asks for. `bounds` are those of its shape; `shadow_is_current`: the map shows that shape.
    pub fn new(scene: &Scene<'_>, bounds: Bounds, shadow: &ShadowView, shadow_is_current: bool) -> Self {
        let look = scene.look;
        let aspect = scene.size[0].max(1) as f32 / scene.size[1].max(1) as f32;
        let is_lit_by_file = look.lit_by == LitBy::File && !scene.head.lights.is_empty();
        let (sky, ground) =
            if is_lit_by_file { (Vec3::splat(look.ambient), Vec3::splat(look.ambient)) } else { hemisphere(look) };
        let own = |light: &Light| Light { intensity: if is_lit_by_file { 0.0 } else { light.intensity }, ..*light };
        let (lamp_count, lamps) = if is_lit_by_file { lamps::of(scene.head) } else { Default::default() };
        Self {
            projection_from_world: scene.camera.projection_around(bounds, aspect) * scene.camera.view_from_world(),
            shadow_from_world: shadow.shadow_from_world,
            eye_in_world: scene.camera.eye_in_world().to_array(),
            softness: look.softness.clamp(0.0, 1.0),
            key: LightUniforms::new(&own(&look.key), Self::KEY_SHADOW),
            fill: LightUniforms::new(&own(&look.fill), 0.0),
            rim: LightUniforms::new(&own(&look.rim), 0.0),
            sky: sky.to_array(),
            gloss: look.gloss.max(0.0),
            ground: ground.to_array(),
            exposure: look.exposure.exp2(),
            background: look.background,
            aspect,
            shadow_texel: shadow.texel_in_world,
            shadow_slack: if shadow_is_current { 0.0 } else { scene.head.bounds.radius() * Self::STALE_SHADOW_SLACK },
            lamp_count,
            _pad: 0.0,
            lamps,
        }
    }
}

/// Ambient light from above and from below: the fill's cool above, the key's warmth bounced from below and dimmer.
fn hemisphere(look: &Look) -> (Vec3, Vec3) {
    let cool = Vec3::ONE.lerp(Vec3::from(look.fill.color), 0.6);
    let warm = Vec3::ONE.lerp(Vec3::from(look.key.color), 0.8);
    let ambient = look.ambient.max(0.0);
    (cool * ambient * 1.25, warm * ambient * 0.5)
}

/// Where a skinned mesh's pulls and joints are: the end of `Mesh` in `mesh.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinRow {
    /// Its first vertex's place in the head-wide array.
    pub first_place: u32,
    /// Where its pulls begin.
    pub first_pair: u32,
    /// How many pairs of pulls each vertex has.
    pub pairs_per_vertex: u32,
    /// Where its skin's joints begin.
    pub first_joint: u32,
}

/// `Mesh` in `mesh.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshUniforms {
    world_from_mesh: Mat4,
    /// Three columns, each padded to four numbers.
    world_from_mesh_normal: [[f32; 4]; 3],
    side: f32,
    /// 1 if so: a `bool` has no size in WGSL.
    are_directions_final: u32,
    skin: SkinRow,
    _pad: [f32; 2],
}

impl MeshUniforms {
    /// Where a mesh stands, or what its skin is, and whether its normals come recomputed.
    pub fn new(world_from_mesh: Mat4, skin: SkinRow, are_directions_final: bool) -> Self {
        let columns = normal_matrix(world_from_mesh).to_cols_array_2d();
        Self {
            world_from_mesh,
            world_from_mesh_normal: columns.map(|[x, y, z]| [x, y, z, 0.0]),
            side: if Posture::mirrors(&world_from_mesh) { -1.0 } else { 1.0 },
            are_directions_final: u32::from(are_directions_final),
            skin,
            _pad: [0.0; 2],
        }
    }

    #[cfg(test)]
    pub const SIDE_OFFSET: usize = std::mem::offset_of!(Self, side);
    #[cfg(test)]
    pub const SKIN_OFFSET: usize = std::mem::offset_of!(Self, skin);
}

/// Binding 0 of bind group 0.
pub fn frame_entry() -> wgpu::BindGroupLayoutEntry {
    uniform_entry::<FrameUniforms>(wgpu::ShaderStages::VERTEX_FRAGMENT, false)
}

/// Bind group 0: the frame, the shadow map and its sampler.
pub fn frame_bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry =
        |binding, ty| wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::FRAGMENT, ty, count: None };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("frame"),
        entries: &[
            frame_entry(),
            entry(
                1,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
        ],
    })
}

/// Bind group 2: one mesh out of an array, by dynamic offset; of skinned ones also all pulls and all joints.
pub fn mesh_bind_group_layout(device: &wgpu::Device, is_skinned: bool) -> wgpu::BindGroupLayout {
    let table = |binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let mut entries = vec![uniform_entry::<MeshUniforms>(wgpu::ShaderStages::VERTEX, true)];
    if is_skinned {
        entries.extend([table(1), table(2)]);
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("mesh"), entries: &entries })
}

fn uniform_entry<T>(visibility: wgpu::ShaderStages, has_dynamic_offset: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset,
            min_binding_size: wgpu::BufferSize::new(size_of::<T>() as u64),
        },
        count: None,
    }
}
