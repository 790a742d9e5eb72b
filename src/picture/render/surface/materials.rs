//! The materials of a head on the GPU: bind group 3.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::rows::{self, MaterialRows};
use super::textures::TextureOnGpu;
use super::toon::ToonMaterials;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{AlphaMode, Eyes, Head, Material, TextureRef, UvSet};
use smirk_graphics::gpu::Gpu;

/// The layout of bind group 3, for [`Material::textures`].
pub(crate) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let textures = Material::default().textures().len();
    rows::layout::<MaterialUniforms>(device, "material", textures, wgpu::ShaderStages::FRAGMENT)
}

/// All materials of a head.
#[derive(Debug)]
pub(crate) struct Materials {
    rows: MaterialRows<MaterialUniforms>,
    /// Those with toon shading once more, if the head has any.
    toon: Option<ToonMaterials>,
    eyes: EyesUniforms,
    /// The outputs of the expressions under which the materials are.
    expression_outputs: Vec<f32>,
}

impl Materials {
    /// Uploads the materials of `head` and their textures. Reports the part of the textures that is uploaded.
    pub(crate) fn new(gpu: &Gpu, head: &Head, eyes: EyesUniforms, progress: Progress<'_>) -> Result<Self, Cancelled> {
        let blank = TextureOnGpu::white(gpu);
        let textures = TextureOnGpu::all_of(gpu, head, progress)?;
        let rows = MaterialRows::new(gpu, head, &bind_group_layout(&gpu.device), (&textures, &blank), |material| {
            Some((MaterialUniforms::new(material, eyes), material.textures()))
        });
        let toon = ToonMaterials::new(gpu, head, (&textures, &blank));
        Ok(Self { rows, toon, eyes, expression_outputs: Vec::new() })
    }

    /// Writes the uniforms again, for other eyes.
    pub(crate) fn set_eyes(&mut self, queue: &wgpu::Queue, head: &Head, eyes: EyesUniforms) {
        self.eyes = eyes;
        self.rows.write_all(queue, head.materials.iter().map(|material| MaterialUniforms::new(material, eyes)));
        self.write_changed(queue, head);
    }

    /// Changes the materials as the expressions of the head do at these outputs, and as the animation of their texture
    /// coordinates does at a time.
    pub(crate) fn follow(&mut self, queue: &wgpu::Queue, head: &Head, expression_outputs: &[f32], seconds: f32) {
        let has_moved = self.toon.as_mut().is_some_and(|toon| toon.set_seconds(queue, head, seconds));
        if self.expression_outputs != expression_outputs || has_moved {
            expression_outputs.clone_into(&mut self.expression_outputs);
            self.write_changed(queue, head);
        }
    }

    fn write_changed(&self, queue: &wgpu::Queue, head: &Head) {
        for (index, material) in head.materials_under(&self.expression_outputs) {
            self.rows.write(queue, index, &MaterialUniforms::new(&material, self.eyes));
            self.toon.iter().for_each(|toon| toon.write(queue, index, &material));
        }
    }

    /// Binds a material as group 3: for a pipeline of toon surfaces, or for any other.
    pub(crate) fn bind(&self, material: usize, is_toon: bool, pass: &mut wgpu::RenderPass<'_>) {
        match self.toon.as_ref().filter(|_| is_toon) {
            Some(toon) => toon.bind(material, pass),
            None => self.rows.bind(material, pass),
        }
    }
}

/// `UvTransform` in `material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct UvTransformUniforms {
    to_u: [f32; 4],
    to_v: [f32; 4],
}

impl UvTransformUniforms {
    /// The transform of a texture; the identity where there is none.
    pub(super) fn new(map: Option<TextureRef>) -> Self {
        let map = map.unwrap_or(TextureRef::from(0));
        let [x, y] = [map.texture_from_uv.matrix2.x_axis, map.texture_from_uv.matrix2.y_axis];
        let offset = map.texture_from_uv.translation;
        let set = if map.uv_set == UvSet::Second { 1.0 } else { 0.0 };
        Self { to_u: [x.x, y.x, offset.x, set], to_v: [x.y, y.y, offset.y, 0.0] }
    }
}

/// `Eyes` in `eye.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct EyesUniforms {
    right: [f32; 3],
    radius: f32,
    left: [f32; 3],
    iris_sine: f32,
    forward: [f32; 3],
    has_cornea: f32,
    right_iris: [f32; 3],
    convergence: f32,
    left_iris: [f32; 3],
    _pad: f32,
}

impl EyesUniforms {
    const IRIS_RADIUS_MM: f32 = 5.9;
    /// The colour of an iris that a file lacks, linear RGB.
    const HAZEL: Vec3 = Vec3::new(0.13, 0.115, 0.065);
    /// How far before them eyes look whose file has no iris: at somebody who talks to the face.
    const LOOKED_AT_MM: f32 = 900.0;

    /// The eyes of a head of which a world unit has this many millimetres, from its `middle`.
    pub(crate) fn new(eyes: &Eyes, middle: Vec3, mm_per_unit: f32) -> Self {
        let [right, left] = eyes.centers.map(|center| ((center - middle) * mm_per_unit).to_array());
        let radius = eyes.radius * mm_per_unit;
        let given = if eyes.are_plain { (Self::IRIS_RADIUS_MM / radius).clamp(0.25, 0.6) } else { 0.0 };
        let [right_iris, left_iris] = eyes.iris_colors.unwrap_or([Self::HAZEL; 2]).map(|color| color.to_array());
        Self {
            right,
            radius,
            left,
            iris_sine: eyes.iris_sine.unwrap_or(given),
            forward: eyes.forward.to_array(),
            has_cornea: f32::from(u8::from(eyes.have_cornea)),
            right_iris,
            convergence: if eyes.iris_sine.is_none() { 1.0 / Self::LOOKED_AT_MM } else { 0.0 },
            left_iris,
            _pad: 0.0,
        }
    }
}

/// `Material` in `material.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct MaterialUniforms {
    base_color: [f32; 4],
    emissive: [f32; 3],
    roughness: f32,
    specular_color: [f32; 3],
    metallic: f32,
    sheen_color: [f32; 3],
    sheen_roughness: f32,
    specular: f32,
    alpha_cutoff: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    coat: f32,
    coat_roughness: f32,
    transmission: f32,
    _pad: f32,
    eyes: EyesUniforms,
    uv_transforms: [UvTransformUniforms; 6],
}

impl MaterialUniforms {
    /// The uniforms of `material` of a head with these eyes, with all factors in the ranges that glTF allows.
    pub(super) fn new(material: &Material, eyes: EyesUniforms) -> Self {
        let share = |factor: f32| factor.clamp(0.0, 1.0);
        Self {
            base_color: material.base_color,
            emissive: material.emissive.map(|channel| channel.max(0.0)),
            roughness: share(material.roughness),
            specular_color: material.specular_color.map(|channel| channel.max(0.0)),
            metallic: share(material.metallic),
            sheen_color: material.sheen_color.map(share),
            sheen_roughness: share(material.sheen_roughness),
            specular: share(material.specular),
            alpha_cutoff: if let AlphaMode::Mask { cutoff } = material.alpha { cutoff } else { 0.0 },
            normal_scale: material.normal_scale,
            occlusion_strength: share(material.occlusion_strength),
            coat: share(material.coat),
            coat_roughness: share(material.coat_roughness),
            transmission: share(material.transmission),
            _pad: 0.0,
            eyes,
            uv_transforms: material.textures().map(UvTransformUniforms::new),
        }
    }
}
