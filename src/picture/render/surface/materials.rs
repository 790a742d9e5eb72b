//! The materials of a head on the GPU: bind group 3.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::textures::TextureOnGpu;
use super::toon::ToonMaterials;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{AlphaMode, Eyes, Head, Material, TextureRef, UvSet};
use smirk_graphics::gpu::{Binding, Gpu, bind_group, row};

/// Layout of bind group 3: the uniforms of one material, which a dynamic offset selects, then for each of
/// [`Material::textures`] the texture (binding 1 + 2·n) and its sampler (binding 2 + 2·n). wgpu treats equal layouts as
/// interchangeable, so that this function can be called wherever the layout is needed.
pub(crate) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let row = Binding::UniformRow(size_of::<MaterialUniforms>());
    let mut entries = vec![row.at(0, wgpu::ShaderStages::VERTEX_FRAGMENT)];
    for slot in 0..Material::default().textures().len() as u32 {
        let sampler = Binding::Sampler(wgpu::SamplerBindingType::Filtering);
        entries.push(Binding::IMAGE.at(1 + 2 * slot, wgpu::ShaderStages::FRAGMENT));
        entries.push(sampler.at(2 + 2 * slot, wgpu::ShaderStages::FRAGMENT));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("material"), entries: &entries })
}

/// All materials of a head: their uniforms in one buffer, and one bind group for each set of textures, so that a file
/// of a hundred thousand plain materials needs one bind group.
#[derive(Debug)]
pub(crate) struct Materials {
    uniforms: wgpu::Buffer,
    /// The distance between the uniforms of two materials in bytes.
    stride: u32,
    groups: Vec<wgpu::BindGroup>,
    /// For each material, the index of its group and the offset of its uniforms in bytes.
    places: Vec<(usize, u32)>,
    /// Those with toon shading once more, if the head has any.
    toon: Option<ToonMaterials>,
    eyes: EyesUniforms,
    /// The outputs of the expressions under which the materials are.
    expression_outputs: Vec<f32>,
}

fn bytes_of(head: &Head, eyes: EyesUniforms, stride: u32) -> Vec<u8> {
    let mut bytes = vec![0; stride as usize * head.materials.len()];
    for (material, place) in head.materials.iter().zip(bytes.chunks_exact_mut(stride as usize)) {
        place[..size_of::<MaterialUniforms>()]
            .copy_from_slice(bytemuck::bytes_of(&MaterialUniforms::new(material, eyes)));
    }
    bytes
}

/// The texture that each slot of a material reads, if it is one of the head's.
type TextureSet = [Option<usize>; 6];

impl Materials {
    /// Uploads the materials of `head` and their textures. Reports the part of the textures that is uploaded.
    pub(crate) fn new(gpu: &Gpu, head: &Head, eyes: EyesUniforms, progress: Progress<'_>) -> Result<Self, Cancelled> {
        let alignment = gpu.device.limits().min_uniform_buffer_offset_alignment.max(16);
        let stride = (size_of::<MaterialUniforms>() as u32).next_multiple_of(alignment);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = gpu.filled_buffer("materials", &bytes_of(head, eyes, stride), usage);
        // This texture is bound if a material has no texture. No shader reads it, because the pipelines of such
        // materials are built without texture reads.
        let blank = TextureOnGpu::white(gpu);
        let textures = TextureOnGpu::all_of(gpu, head, progress)?;
        let layout = bind_group_layout(&gpu.device);
        let (mut groups, mut group_of) = (Vec::new(), HashMap::<TextureSet, usize>::new());
        let places = head.materials.iter().enumerate().map(|(index, material)| {
            let set = material.textures().map(|map| map.map(|map| map.texture).filter(|&it| it < textures.len()));
            let group = *group_of.entry(set).or_insert_with(|| {
                let of_slots = set.iter().flat_map(|texture| {
                    let TextureOnGpu { view, sampler } = texture.map_or(&blank, |texture| &textures[texture]);
                    [wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler)]
                });
                let resources = [row(&uniforms, size_of::<MaterialUniforms>())].into_iter().chain(of_slots);
                groups.push(bind_group(&gpu.device, "textures of a material", &layout, resources));
                groups.len() - 1
            });
            (group, index as u32 * stride)
        });
        let places = places.collect();
        let toon = ToonMaterials::new(gpu, head, &textures, &blank);
        Ok(Self { uniforms, stride, groups, places, toon, eyes, expression_outputs: Vec::new() })
    }

    /// Writes the uniforms again, for other eyes.
    pub(crate) fn set_eyes(&mut self, queue: &wgpu::Queue, head: &Head, eyes: EyesUniforms) {
        self.eyes = eyes;
        queue.write_buffer(&self.uniforms, 0, &bytes_of(head, eyes, self.stride));
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
            let uniforms = MaterialUniforms::new(&material, self.eyes);
            queue.write_buffer(&self.uniforms, index as u64 * u64::from(self.stride), bytemuck::bytes_of(&uniforms));
            self.toon.iter().for_each(|toon| toon.write(queue, index, &material));
        }
    }

    /// Binds a material as group 3: for a pipeline of toon surfaces, or for any other.
    pub(crate) fn bind(&self, material: usize, is_toon: bool, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(toon) = self.toon.as_ref().filter(|_| is_toon) {
            return toon.bind(material, pass);
        }
        let (group, offset) = self.places[material];
        pass.set_bind_group(3, &self.groups[group], &[offset]);
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
