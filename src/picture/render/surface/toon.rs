//! Surfaces with toon shading: what their pipelines depend on, and their materials on the GPU.

use std::f64::consts::TAU;

use bytemuck::{Pod, Zeroable};

use super::kind::SurfaceKind;
use super::materials::UvTransformUniforms;
use super::rows::{self, MaterialRows};
use super::textures::TextureOnGpu;
use super::transparency::{Alpha, AlphaPass, AlphaRange};
use smirk_face::head::{AlphaMode, Head, Material, Mesh, OutlineWidth, Role, TextureRef, Toon, UvAnimation};
use smirk_graphics::gpu::Gpu;

/// What a pipeline of a toon surface depends on besides what every surface has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ToonKind {
    pub shade_mapped: bool,
    pub shift_mapped: bool,
    pub has_rim: bool,
    pub matcapped: bool,
    /// A texture scales rim and matcap.
    pub rim_mapped: bool,
    pub outline_mapped: bool,
    pub uv_animated: bool,
    /// A texture scales the animation.
    pub uv_masked: bool,
    /// If it is blended, it hides what is drawn after it.
    pub writes_depth: bool,
}

impl ToonKind {
    fn new(toon: &Toon, is_changed: bool, has: impl Fn(Option<TextureRef>) -> bool) -> Self {
        let has_color = |color: [f32; 3]| is_changed || color != [0.0; 3];
        let matcapped = toon.matcap_texture.is_some() && has_color(toon.matcap_color);
        let has_rim = has_color(toon.rim_color);
        let uv_animated = !toon.uv_animation.is_none();
        Self {
            shade_mapped: has(toon.shade_texture),
            shift_mapped: has(toon.shading_shift_texture),
            has_rim,
            matcapped,
            rim_mapped: (has_rim || matcapped) && has(toon.rim_texture),
            outline_mapped: !toon.outline.width.is_none() && has(toon.outline.width_texture),
            uv_animated,
            uv_masked: uv_animated && has(toon.uv_animation.mask_texture),
            writes_depth: toon.writes_depth,
        }
    }
}

impl SurfaceKind {
    /// The kind of a part of a mesh whose material has toon shading. Neither its role nor the rest of its material
    /// changes how it looks: its maker said all.
    pub(super) fn toon(self, head: &Head, mesh: &Mesh, material: &Material, toon: &Toon) -> Self {
        let can_read =
            |map: &TextureRef| map.texture < head.textures.len() && !mesh.vertices.uv_set(map.uv_set).is_empty();
        let changed = material.changed_by_expressions;
        let kind = ToonKind::new(toon, changed.toon, |map| map.as_ref().is_some_and(can_read));
        let of_matcap = toon.matcap_texture.filter(|_| kind.matcapped);
        let is_transformed = |map: &TextureRef| !map.is_plain() || changed.texture_transforms;
        Self {
            uv_transformed: material.uv_textures().filter(can_read).any(|map| is_transformed(&map))
                || of_matcap.is_some_and(|map| !map.is_plain()),
            role: Role::Other,
            toon: Some(kind),
            // The fields of other shading, so that like surfaces share a pipeline.
            roughness_mapped: false,
            occlusion_mapped: false,
            specular: false,
            specular_mapped: false,
            clearcoat: false,
            sheen: false,
            transmissive: false,
            plain: false,
            strands_in_texture: false,
            lash_card: false,
            finish: super::Finish::Matte,
            relief: super::relief::Relief::None,
            ..self
        }
    }

    /// The passes that draw any fragment of a toon surface.
    pub(super) fn toon_passes(self, range: AlphaRange, toon: &Toon) -> Vec<AlphaPass> {
        let surface = match self.alpha {
            Alpha::Opaque | Alpha::Masked => AlphaPass::Opaque,
            Alpha::Blended => AlphaPass::Toon,
        };
        let has_outline = !toon.outline.width.is_none() && range.most > 0.0;
        std::iter::once(surface).chain(has_outline.then_some(AlphaPass::Outline)).collect()
    }
}

/// The order in which blended surfaces are drawn: those that write depth before all others, and a higher offset later
/// (`VRMC_materials_mtoon`, Render Queue). Other materials have the offset 0 and write none.
pub(crate) fn queue_of(material: &Material) -> i32 {
    /// The largest offset of surfaces that write depth, and the least of the others.
    const MOST: i32 = 9;
    material.toon.as_ref().map_or(2 * MOST + 1, |toon| {
        let first = if toon.writes_depth { 0 } else { 2 * MOST + 1 };
        first + toon.queue_offset.clamp(-MOST, MOST)
    })
}

/// How far outlines of these materials can be from the surface: in world units, and as a part of the height of the
/// picture.
pub(crate) fn outline_reach(materials: &[Material]) -> [f32; 2] {
    let widths = materials.iter().filter_map(|material| Some(material.toon.as_ref()?.outline.width));
    widths.fold([0.0_f32; 2], |[world, screen], width| match width {
        OutlineWidth::None => [world, screen],
        OutlineWidth::World(width) => [world.max(width), screen],
        OutlineWidth::Screen(width) => [world, screen.max(width)],
    })
}

/// In the order of the constants in `toon/material.wgsl`.
fn textures_of(material: &Material, toon: &Toon) -> [Option<TextureRef>; TEXTURES] {
    [
        material.base_color_texture,
        material.normal_texture,
        material.emissive_texture,
        toon.shade_texture,
        toon.shading_shift_texture,
        toon.rim_texture,
        toon.outline.width_texture,
        toon.uv_animation.mask_texture,
        toon.matcap_texture,
    ]
}

const TEXTURES: usize = 9;

/// The layout of bind group 3 of toon surfaces. The vertex stage of outlines reads some of the textures.
pub(crate) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    rows::layout::<ToonUniforms>(device, "toon material", TEXTURES, wgpu::ShaderStages::VERTEX_FRAGMENT)
}

/// The toon materials of a head, as [`Materials`](super::Materials) has the others.
#[derive(Debug)]
pub(super) struct ToonMaterials {
    rows: MaterialRows<ToonUniforms>,
    /// The time of the animation of texture coordinates.
    seconds: f32,
    is_animated: bool,
}

impl ToonMaterials {
    /// None if the head has no such materials.
    pub(super) fn new(gpu: &Gpu, head: &Head, textures: (&[TextureOnGpu], &TextureOnGpu)) -> Option<Self> {
        if !head.has_toon() {
            return None;
        }
        let rows = MaterialRows::new(gpu, head, &bind_group_layout(&gpu.device), textures, |material| {
            let toon = material.toon.as_deref()?;
            Some((ToonUniforms::new(material, toon, 0.0), textures_of(material, toon)))
        });
        let is_animated = all_of(head).any(|(.., toon)| !toon.uv_animation.is_none());
        Some(Self { rows, seconds: 0.0, is_animated })
    }

    /// Writes what an expression has changed of a material.
    pub(super) fn write(&self, queue: &wgpu::Queue, index: usize, material: &Material) {
        if let Some(toon) = &material.toon {
            self.rows.write(queue, index, &ToonUniforms::new(material, toon, self.seconds));
        }
    }

    /// Takes the time of the picture. Returns whether materials that expressions change have to be written again.
    pub(super) fn set_seconds(&mut self, queue: &wgpu::Queue, head: &Head, seconds: f32) -> bool {
        if !self.is_animated || self.seconds.to_bits() == seconds.to_bits() {
            return false;
        }
        self.seconds = seconds;
        for (index, material, toon) in all_of(head) {
            if !toon.uv_animation.is_none() {
                self.write(queue, index, material);
            }
        }
        true
    }

    /// Binds a material as group 3.
    pub(super) fn bind(&self, material: usize, pass: &mut wgpu::RenderPass<'_>) {
        self.rows.bind(material, pass);
    }
}

fn all_of(head: &Head) -> impl Iterator<Item = (usize, &Material, &Toon)> {
    let materials = head.materials.iter().enumerate();
    materials.filter_map(|(index, material)| Some((index, material, material.toon.as_deref()?)))
}

/// `ToonMaterial` in `toon/material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ToonUniforms {
    base_color: [f32; 4],
    emissive: [f32; 3],
    alpha_cutoff: f32,
    shade_color: [f32; 3],
    shading_shift: f32,
    matcap_color: [f32; 3],
    shading_shift_scale: f32,
    rim_color: [f32; 3],
    shading_toony: f32,
    outline_color: [f32; 3],
    outline_lighting_mix: f32,
    rim_fresnel_power: f32,
    rim_lift: f32,
    rim_lighting_mix: f32,
    gi_equalization: f32,
    outline_in_world: f32,
    outline_on_screen: f32,
    normal_scale: f32,
    uv_angle: f32,
    uv_offset: [f32; 2],
    _pad: [f32; 2],
    uv_transforms: [UvTransformUniforms; TEXTURES],
}

impl ToonUniforms {
    /// The uniforms of a material at a time. The importer has left no number that is not finite.
    pub(super) fn new(material: &Material, toon: &Toon, seconds: f32) -> Self {
        let light = |color: [f32; 3]| color.map(|channel| channel.max(0.0));
        let [outline_in_world, outline_on_screen] = match toon.outline.width {
            OutlineWidth::None => [0.0; 2],
            OutlineWidth::World(width) => [width, 0.0],
            OutlineWidth::Screen(width) => [0.0, width],
        };
        let (uv_angle, uv_offset) = moved(&toon.uv_animation, seconds);
        Self {
            base_color: material.base_color,
            emissive: light(material.emissive),
            alpha_cutoff: if let AlphaMode::Mask { cutoff } = material.alpha { cutoff } else { 0.0 },
            shade_color: light(toon.shade_color),
            shading_shift: toon.shading_shift,
            matcap_color: light(toon.matcap_color),
            shading_shift_scale: toon.shading_shift_scale,
            rim_color: light(toon.rim_color),
            shading_toony: toon.shading_toony,
            outline_color: light(toon.outline.color),
            outline_lighting_mix: toon.outline.lighting_mix,
            rim_fresnel_power: toon.rim_fresnel_power,
            rim_lift: toon.rim_lift,
            rim_lighting_mix: toon.rim_lighting_mix,
            gi_equalization: toon.gi_equalization,
            outline_in_world,
            outline_on_screen,
            normal_scale: material.normal_scale,
            uv_angle,
            uv_offset,
            _pad: [0.0; 2],
            uv_transforms: textures_of(material, toon).map(UvTransformUniforms::new),
        }
    }
}

/// By how much the texture coordinates are turned and moved at a time. Textures repeat, mirrored ones after two
/// lengths, so that whole turns and lengths are left out: numbers stay small however long it runs.
fn moved(animation: &UvAnimation, seconds: f32) -> (f32, [f32; 2]) {
    let seconds = f64::from(seconds);
    let angle = (f64::from(animation.rotation) * seconds).rem_euclid(TAU);
    (angle as f32, animation.scroll.map(|speed| (f64::from(speed) * seconds).rem_euclid(2.0) as f32))
}
