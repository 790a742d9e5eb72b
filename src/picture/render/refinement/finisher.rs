//! The passes over the pixels of a region: a sample is added to the mean, light is spread in skin, and the mean becomes a picture.
//! Their pipelines are made when the first picture is refined.

use bytemuck::{Pod, Zeroable};

use crate::render::region::Region;
use crate::render::{Pixels, frame_uniforms, shaders};

use super::canvas::Canvas;
use super::skin_spread::TAPS;
use super::targets::{MEAN_FORMAT, RefinementTargets};

/// `Finish` in `finish.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct FinishUniforms {
    pub first_pixel: [f32; 2],
    pub weight: f32,
    pub pixels_per_millimetre: f32,
    pub spread_count: u32,
    pub _pad: [u32; 3],
    pub spread: [[f32; 4]; TAPS],
}

/// The pipelines of the passes.
#[derive(Debug)]
pub(crate) struct Finisher {
    accumulate: wgpu::RenderPipeline,
    spread: [wgpu::RenderPipeline; 2],
    finish: wgpu::RenderPipeline,
    finish_light: wgpu::RenderPipeline,
    sample_layout: wgpu::BindGroupLayout,
    mean_layout: wgpu::BindGroupLayout,
}

/// The bind groups of the images of a region.
#[derive(Debug)]
pub(super) struct FinishGroups {
    uniforms: wgpu::Buffer,
    sample: wgpu::BindGroup,
    /// With the mean itself, with the light that is spread across, and with the light that is spread in both directions.
    means: [wgpu::BindGroup; 3],
}

impl Finisher {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let texture = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let sample_layout = layout("sample", &[0, 1, 2, 3].map(&texture));
        let uniforms = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: wgpu::BufferSize::new(size_of::<FinishUniforms>() as u64),
            },
            count: None,
        };
        let means = [1, 2, 3, 4, 5].map(&texture);
        let mean_layout = layout("means", &[&[uniforms][..], &means].concat());
        let frame = frame_uniforms::shadow_bind_group_layout(device);
        let module = |label, text: String| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            })
        };
        let accumulate = module("accumulate", shaders::accumulate());
        let finish = module("finish", shaders::finish());
        let pipeline = |module, entry, groups: &[Option<&wgpu::BindGroupLayout>], targets: &[_]| {
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(entry),
                bind_group_layouts: groups,
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some("region_vertex"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: Default::default(),
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: Some(entry),
                    compilation_options: Default::default(),
                    targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let share = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            dst_factor: wgpu::BlendFactor::OneMinusConstant,
            operation: wgpu::BlendOperation::Add,
        };
        let mean = Some(wgpu::ColorTargetState {
            format: MEAN_FORMAT,
            blend: Some(wgpu::BlendState { color: share, alpha: share }),
            write_mask: wgpu::ColorWrites::ALL,
        });
        let of_means = [Some(&frame), Some(&mean_layout)];
        Self {
            accumulate: pipeline(
                &accumulate,
                "accumulate",
                &[Some(&sample_layout)],
                &[mean.clone(), mean.clone(), mean.clone(), mean],
            ),
            spread: ["spread_across", "spread_down"]
                .map(|entry| pipeline(&finish, entry, &of_means, &[Some(MEAN_FORMAT.into())])),
            finish: pipeline(&finish, "finish", &of_means, &[Some(Pixels::Screen.format().into())]),
            finish_light: pipeline(&finish, "finish", &of_means, &[Some(Pixels::Light.format().into())]),
            sample_layout,
            mean_layout,
        }
    }

    /// The bind groups for the images of a region.
    pub(super) fn groups(&self, device: &wgpu::Device, targets: &RefinementTargets) -> FinishGroups {
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("finish"),
            size: size_of::<FinishUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let before = targets.before.create_view(&wgpu::TextureViewDescriptor {
            label: Some("picture before refinement"),
            ..Default::default()
        });
        let view = |binding, view| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) };
        let group = |label, layout, entries: &[wgpu::BindGroupEntry<'_>]| {
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries })
        };
        let [scattered, other, skin_color, untoned] = &targets.means;
        let of_means = |scattered| {
            let entries = [
                wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() },
                view(1, scattered),
                view(2, other),
                view(3, skin_color),
                view(4, untoned),
                view(5, &before),
            ];
            group("means", &self.mean_layout, &entries)
        };
        let [across, down] = &targets.spread;
        let sample = std::array::from_fn::<_, 4, _>(|index| view(index as u32, &targets.sample[index]));
        FinishGroups {
            means: [of_means(scattered), of_means(across), of_means(down)],
            sample: group("sample", &self.sample_layout, &sample),
            uniforms,
        }
    }

    /// Adds the sample to the mean of `count` samples, this one included.
    pub(super) fn accumulate(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &RefinementTargets,
        groups: &FinishGroups,
        region: Region,
        count: u32,
    ) {
        let load = if count <= 1 { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) } else { wgpu::LoadOp::Load };
        let means = targets.means.each_ref().map(|view| attachment(view, load));
        let mut pass = begin(encoder, "accumulate", &means);
        let [width, height] = region.size;
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
        let share = 1.0 / f64::from(count.max(1));
        pass.set_blend_constant(wgpu::Color { r: share, g: share, b: share, a: share });
        pass.set_pipeline(&self.accumulate);
        pass.set_bind_group(0, &groups.sample, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Draws the picture of the mean into `canvas`, within `inner`: the pixels of its image that show a part of `region`.
    #[expect(clippy::too_many_arguments, reason = "all of them belong to one picture")]
    pub(super) fn finish(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        queue: &wgpu::Queue,
        frame: &wgpu::BindGroup,
        images: (&RefinementTargets, &FinishGroups),
        [region, inner]: [Region; 2],
        canvas: Canvas<'_>,
        uniforms: FinishUniforms,
    ) {
        let (targets, groups) = images;
        let spreads = uniforms.spread_count > 0;
        queue.write_buffer(&groups.uniforms, 0, bytemuck::bytes_of(&uniforms));
        if spreads {
            let [width, height] = region.size.map(|side| side as f32);
            for (index, pipeline) in self.spread.iter().enumerate() {
                let target = attachment(&targets.spread[index], wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT));
                let mut pass = begin(encoder, "spread light in skin", &[target]);
                pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, frame, &[]);
                pass.set_bind_group(1, &groups.means[index], &[]);
                pass.draw(0..3, 0..1);
            }
        }
        let mut pass = begin(encoder, "finish", &[attachment(canvas.view, wgpu::LoadOp::Load)]);
        let [x, y, width, height] = [inner.min[0], inner.min[1], inner.size[0], inner.size[1]].map(|side| side as f32);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        pass.set_pipeline(match canvas.pixels {
            Pixels::Screen => &self.finish,
            Pixels::Light => &self.finish_light,
        });
        pass.set_bind_group(0, frame, &[]);
        pass.set_bind_group(1, &groups.means[if spreads { 2 } else { 0 }], &[]);
        pass.draw(0..3, 0..1);
    }
}

fn attachment(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> Option<wgpu::RenderPassColorAttachment<'_>> {
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
}

fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &'static str,
    targets: &[Option<wgpu::RenderPassColorAttachment<'_>>],
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: targets,
        ..Default::default()
    })
}
