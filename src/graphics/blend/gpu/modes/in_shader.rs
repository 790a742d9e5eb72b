//! Vertex mode: the vertex stage of the draw sums the targets (Dawn's "buffer template" method) by calling `morphed_vertex`. This
//! file has the bindings of that function, and reads the blended vertices back.

use std::ops::Range;

use super::super::bindings;
use super::super::shaders::{self, MAX_PAGES};
use super::super::tables::MorphTables;
use crate::blend::{Layout, MorphedVertex};
use crate::gpu::Gpu;

/// The number of points in a row of the read-back texture; the same constant as in `morph/read_back.wgsl`.
pub(in crate::blend) const READ_BACK_WIDTH: usize = 256;

/// The largest number of rows per attribute in one draw. Three times this many fit in a texture of every adapter.
const MAX_READ_BACK_ROWS: usize = 2048;

/// The bind group and the shader text of vertex mode.
#[derive(Debug)]
pub(in crate::blend) struct InShaderBlend {
    layout: wgpu::BindGroupLayout,
    group: wgpu::BindGroup,
    source: String,
}

/// The number of bindings for `page_count` pages of deltas.
pub(in crate::blend) fn bound_pages(page_count: usize) -> usize {
    if page_count == 1 { 1 } else { MAX_PAGES }
}

impl InShaderBlend {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout, tables: &MorphTables) -> Self {
        let page_count = tables.pages.len();
        let source = shaders::morph_one(layout.deltas().precision(), page_count);
        let layout = bindings::morph_layout(gpu, bound_pages(page_count));
        let group = bindings::all_pages_group(gpu, &layout, tables);
        Self { layout, group, source }
    }

    pub(crate) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    pub(crate) fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    pub(crate) fn source(&self) -> String {
        self.source.clone()
    }

    /// Draws every vertex as a point that writes its position, normal and tangent to a texture, and reads that back.
    pub(crate) fn read_back(&self, gpu: &Gpu, layout: &Layout, base: &wgpu::Buffer) -> Vec<MorphedVertex> {
        let vertex_count = layout.place_count();
        let rows = vertex_count.div_ceil(READ_BACK_WIDTH).clamp(1, MAX_READ_BACK_ROWS);
        let pipeline = self.read_back_pipeline(gpu, layout, rows);
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("vertex mode read back"),
            size: wgpu::Extent3d { width: READ_BACK_WIDTH as u32, height: 3 * rows as u32, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let mut vertices = Vec::with_capacity(vertex_count);
        for first in (0..vertex_count).step_by(rows * READ_BACK_WIDTH) {
            let end = vertex_count.min(first + rows * READ_BACK_WIDTH);
            self.draw_points(gpu, layout, &pipeline, &target, base, first as u32..end as u32);
            let texels: Vec<f32> = bytemuck::pod_collect_to_vec(&gpu.read_texture(&target));
            let attribute = |index: usize, point: usize| {
                texels.get((index * rows * READ_BACK_WIDTH + point) * 4..).and_then(|texel| texel.first_chunk::<4>())
            };
            let vector =
                |index, point| attribute(index, point).copied().map(glam::Vec4::from).unwrap_or(glam::Vec4::NAN);
            vertices.extend((0..end - first).map(|point| MorphedVertex {
                position: vector(0, point).truncate(),
                normal: vector(1, point).truncate(),
                tangent: if layout.has_tangents() { vector(2, point) } else { glam::Vec4::ZERO },
            }));
        }
        layout.in_file_order(&vertices).copied().collect()
    }

    fn draw_points(
        &self,
        gpu: &Gpu,
        layout: &Layout,
        pipeline: &wgpu::RenderPipeline,
        target: &wgpu::Texture,
        base: &wgpu::Buffer,
        vertices: Range<u32>,
    ) {
        let label = Some("vertex mode read back");
        let view = target.create_view(&wgpu::TextureViewDescriptor { label, ..Default::default() });
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &self.group, &[]);
        for (slot, section) in read_sections(layout).into_iter().enumerate() {
            pass.set_vertex_buffer(slot as u32, base.slice(section));
        }
        pass.draw(vertices, 0..3);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn read_back_pipeline(&self, gpu: &Gpu, layout: &Layout, rows: usize) -> wgpu::RenderPipeline {
        let label = Some("vertex mode read back");
        let source = [&self.source, shaders::READ_BACK].concat();
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[None, Some(&self.layout)],
            immediate_size: 0,
        });
        let mut constants = bindings::morph_constants(layout);
        constants.push(("READ_BACK_ROWS", rows as f64));
        let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let attributes: Vec<[wgpu::VertexAttribute; 1]> = [3, 3, 4]
            .into_iter()
            .zip(0..)
            .map(|(floats, shader_location)| {
                let format = if floats == 4 { wgpu::VertexFormat::Float32x4 } else { wgpu::VertexFormat::Float32x3 };
                [wgpu::VertexAttribute { format, offset: 0, shader_location }]
            })
            .collect();
        let buffers: Vec<_> = attributes
            .iter()
            .map(|attributes| {
                Some(wgpu::VertexBufferLayout {
                    array_stride: attributes[0].format.size(),
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes,
                })
            })
            .collect();
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("read_back_vertex"),
                compilation_options: compilation_options.clone(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::PointList, ..Default::default() },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("read_back_fragment"),
                compilation_options,
                targets: &[Some(wgpu::TextureFormat::Rgba32Float.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The sections that the three vertex buffers are bound to. If the head has no tangents, the third buffer is bound to other data,
/// which the shader does not use.
fn read_sections(layout: &Layout) -> [Range<u64>; 3] {
    let [positions, normals, tangents] = layout.section_bytes();
    let tangents = if layout.has_tangents() { tangents } else { 0..normals.end };
    [positions, normals, tangents]
}
