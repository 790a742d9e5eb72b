//! Bind groups and their layouts, and what else has a label and little more.

use std::num::NonZeroU64;

/// What a group has at one binding.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    /// A uniform buffer of so many bytes.
    Uniform(usize),
    /// A row of so many bytes of a uniform buffer, which a dynamic offset selects.
    UniformRow(usize),
    StorageRead,
    StorageWritten,
    Texture(wgpu::TextureSampleType, wgpu::TextureViewDimension),
    Sampler(wgpu::SamplerBindingType),
}

impl Binding {
    /// A texture that is filtered.
    pub const IMAGE: Self =
        Self::Texture(wgpu::TextureSampleType::Float { filterable: true }, wgpu::TextureViewDimension::D2);

    /// A texture that is read texel by texel.
    pub const TEXELS: Self =
        Self::Texture(wgpu::TextureSampleType::Float { filterable: false }, wgpu::TextureViewDimension::D2);

    pub fn at(self, binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
        let buffer = |ty, has_dynamic_offset, bytes: usize| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset,
            min_binding_size: NonZeroU64::new(bytes as u64),
        };
        let ty = match self {
            Self::Uniform(bytes) => buffer(wgpu::BufferBindingType::Uniform, false, bytes),
            Self::UniformRow(bytes) => buffer(wgpu::BufferBindingType::Uniform, true, bytes),
            Self::StorageRead => buffer(wgpu::BufferBindingType::Storage { read_only: true }, false, 0),
            Self::StorageWritten => buffer(wgpu::BufferBindingType::Storage { read_only: false }, false, 0),
            Self::Texture(sample_type, view_dimension) => {
                wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false }
            }
            Self::Sampler(kind) => wgpu::BindingType::Sampler(kind),
        };
        wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
    }
}

/// The layout of a group that has these bindings, from 0 on.
pub fn bind_group_layout(
    device: &wgpu::Device,
    label: &str,
    visibility: wgpu::ShaderStages,
    bindings: &[Binding],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..).zip(bindings).map(|(index, binding)| binding.at(index, visibility)).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// A group of these resources, from binding 0 on.
pub fn bind_group<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entries = (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
    let entries: Vec<_> = entries.collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// The first row of a buffer, for [`Binding::UniformRow`].
pub fn row(buffer: &wgpu::Buffer, bytes: usize) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: NonZeroU64::new(bytes as u64) })
}

pub fn shader_module(device: &wgpu::Device, label: &str, text: impl Into<String>) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(text.into().into());
    device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
}

/// The view of a whole texture.
pub fn view(texture: &wgpu::Texture, label: &str) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor { label: Some(label), ..Default::default() })
}
