//! Bind group 0: the uniforms of a picture, with the memory layout of WGSL (a test compares the two), and the shadow
//! map.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use smirk_face::head::{Bounds, FileLight, Head};
use smirk_graphics::gpu::{Binding, Gpu, bind_group, bind_group_layout};
use smirk_scene::{Light, LitBy, Scene, VertexColors};

use super::light::{
    Dome, FileLightUniforms, Harmonics, LightUniforms, Panel, ShadowMap, ShadowView, Studio, file_lights,
};
use super::pixel_rect::Tile;

/// `Frame` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct FrameUniforms {
    pub projection_from_world: Mat4,
    pub shadow_from_world: Mat4,
    pub eye_in_world: [f32; 3],
    pub softness: f32,
    pub key: LightUniforms,
    pub sky: [f32; 3],
    pub gloss: f32,
    pub ground: [f32; 3],
    pub exposure: f32,
    pub background: [f32; 3],
    pub aspect: f32,
    pub studio_sh: Harmonics,
    pub drawn_sh: Harmonics,
    pub panels: [Panel; Studio::PANELS],
    pub domes: [Dome; Dome::MOST],
    pub head_center: [f32; 3],
    pub dome_count: u32,
    pub millimetres_per_unit: f32,
    pub shadow_texel: f32,
    pub shadow_slack: f32,
    pub file_light_count: u32,
    pub tone: u32,
    pub mouth_open: f32,
    pub lashes: u32,
    pub gives_iris: f32,
    pub first_pixel: [f32; 2],
    pub picture_size: [f32; 2],
    pub background_cover: f32,
    pub vertex_color_amount: f32,
    pub view_height: f32,
    pub ambient: f32,
    pub to_middle_of_key: [f32; 3],
    pub _pad: f32,
    pub file_lights: [FileLightUniforms; FileLight::MOST],
}

/// What the uniforms need to know of a blended shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeMeasures {
    /// In the world.
    pub bounds: Bounds,
    /// 0..1: how far the mouth is open.
    pub mouth_open: f32,
    /// Millimetres of a human head per world unit.
    pub millimetres_per_unit: f32,
}

impl FrameUniforms {
    /// The fraction of the key light that a shadow removes. It is less than 1, because shadows on real skin are never
    /// black.
    const KEY_SHADOW: f32 = 0.88;

    /// See [`Self::stale_shadow_slack`], as a fraction of the head's radius.
    const STALE_SHADOW_SLACK: f32 = 0.06;

    /// The number of `TONE_NONE` in `tone.wgsl`, beside those of [`Tone`](smirk_scene::Tone).
    pub(super) const TONE_NONE: u32 = 2;

    /// The uniforms of `scene`. `shape` is its blended shape; `shadow_is_current` is true if the shadow map shows that
    /// shape. The projection is that of the whole picture, of which `tile` is drawn.
    pub(super) fn new(
        scene: &Scene,
        shape: ShapeMeasures,
        shadow: &ShadowView,
        shadow_is_current: bool,
        tile: Tile,
    ) -> Self {
        let look = &scene.look;
        let aspect = scene.size[0].max(1) as f32 / scene.size[1].max(1) as f32;
        let is_lit_by_file = is_lit_by_file(scene);
        let studio = studio(scene);
        let key = Light { intensity: if is_lit_by_file { 0.0 } else { look.key.intensity }, ..look.key };
        let (file_light_count, file_lights) =
            if is_lit_by_file { file_lights(&scene.head) } else { Default::default() };
        Self {
            projection_from_world: scene.camera.projection_around(shape.bounds, aspect)
                * scene.camera.view_from_world(),
            shadow_from_world: shadow.shadow_from_world,
            eye_in_world: scene.camera.eye_in_world().to_array(),
            softness: look.softness.clamp(0.0, 1.0),
            key: LightUniforms::new(&key, Self::KEY_SHADOW),
            sky: studio.sky.to_array(),
            gloss: look.gloss.max(0.0),
            ground: studio.ground.to_array(),
            exposure: look.exposure.exp2(),
            background: look.background,
            aspect,
            studio_sh: studio.spherical_harmonics(),
            drawn_sh: Harmonics::default(),
            panels: studio.panels,
            domes: Default::default(),
            head_center: head_center(&scene.head).to_array(),
            dome_count: 0,
            millimetres_per_unit: shape.millimetres_per_unit,
            shadow_texel: shadow.texel_in_world,
            shadow_slack: if shadow_is_current { 0.0 } else { Self::stale_shadow_slack(&scene.head) },
            file_light_count,
            tone: look.tone as u32,
            mouth_open: shape.mouth_open,
            lashes: look.lashes as u32,
            gives_iris: f32::from(u8::from(look.gives_iris)),
            first_pixel: tile.region.min.map(|edge| edge as f32),
            picture_size: tile.picture.map(|side| side.max(1) as f32),
            background_cover: f32::from(u8::from(!look.is_transparent)),
            vertex_color_amount: f32::from(u8::from(look.vertex_colors == VertexColors::AsInFile)),
            view_height: 2.0 * (scene.camera.fov_y * 0.5).tan(),
            ambient: look.ambient.max(0.0),
            to_middle_of_key: look.key.direction_to_light_in_world().to_array(),
            _pad: 0.0,
            file_lights,
        }
    }

    /// If the shadow map shows an earlier shape, a point of the surface may have moved by this world distance without
    /// shadowing itself.
    pub(super) fn stale_shadow_slack(head: &Head) -> f32 {
        head.bounds.radius() * Self::STALE_SHADOW_SLACK
    }

    /// The same picture with the key light from another direction.
    pub(super) fn with_key(self, to_light: Vec3, shadow: &ShadowView) -> Self {
        Self {
            shadow_from_world: shadow.shadow_from_world,
            shadow_texel: shadow.texel_in_world,
            key: self.key.with_direction(to_light),
            ..self
        }
    }
}

fn is_lit_by_file(scene: &Scene) -> bool {
    scene.look.lit_by == LitBy::File && !scene.head.lights.is_empty()
}

pub(super) fn studio(scene: &Scene) -> Studio {
    Studio::new(&scene.look, if is_lit_by_file(scene) { LitBy::File } else { LitBy::Smirk })
}

/// A buffer of [`FrameUniforms`].
pub(super) fn frame_buffer(gpu: &Gpu) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    gpu.buffer("frame", size_of::<FrameUniforms>() as u64, usage)
}

/// Bind group 0 of a pass that draws a picture. `domes` has all layers of the depth maps of [`Dome`]s.
pub(super) fn frame_group(
    device: &wgpu::Device,
    frame: &wgpu::Buffer,
    shadow_map: &ShadowMap,
    domes: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let resources = [
        frame.as_entire_binding(),
        wgpu::BindingResource::TextureView(&shadow_map.view),
        wgpu::BindingResource::Sampler(&shadow_map.sampler),
        wgpu::BindingResource::TextureView(domes),
    ];
    bind_group(device, "frame", &frame_bind_group_layout(device), resources)
}

/// Bind group 0 with the frame alone, without the maps of shadows: of passes that draw such a map, and of those that
/// make a picture of samples.
pub(super) fn frame_alone_group(device: &wgpu::Device, frame: &wgpu::Buffer) -> wgpu::BindGroup {
    bind_group(device, "frame alone", &shadow_bind_group_layout(device), [frame.as_entire_binding()])
}

/// The middle of the head in world space. What the targets move is often the face alone, so the middle lies three
/// quarters of its width behind its foremost point.
fn head_center(head: &Head) -> Vec3 {
    let (face, middle) = (head.focus, head.focus.center());
    let behind = face.max.z - 0.75 * (face.max.x - face.min.x);
    Vec3 { z: behind.min(middle.z).max(head.bounds.center().z.min(middle.z)), ..middle }
}

const FRAME: Binding = Binding::Uniform(size_of::<FrameUniforms>());

/// The layout of bind group 0: the frame, the shadow map and its sampler, and the depth maps of the domes.
pub(super) fn frame_bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let [map, domes] = [wgpu::TextureViewDimension::D2, wgpu::TextureViewDimension::D2Array]
        .map(|dimension| Binding::Texture(wgpu::TextureSampleType::Depth, dimension));
    let bindings = [FRAME, map, Binding::Sampler(wgpu::SamplerBindingType::Comparison), domes];
    bind_group_layout(device, "frame", wgpu::ShaderStages::VERTEX_FRAGMENT, &bindings)
}

/// The layout of bind group 0 in the pass that draws the shadow map: the frame alone, without that map.
pub(super) fn shadow_bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    bind_group_layout(device, "frame of the shadow", wgpu::ShaderStages::VERTEX_FRAGMENT, &[FRAME])
}
