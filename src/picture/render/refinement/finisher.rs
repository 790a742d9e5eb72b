//! The passes over the pixels of a region: a sample is added to the mean, light is spread in skin, and the mean becomes
//! a picture. Their pipelines are made when the first picture is refined.
//!
//! Light spreads in skin by the sum of two Gaussians per channel, red furthest (J. Jimenez and others, "Separable
//! subsurface scattering", 2015; the profile of skin is from E. d'Eon and D. Luebke, "Advanced techniques for realistic
//! real-time skin rendering", 2007).

use bytemuck::{Pod, Zeroable};

use super::Canvas;
use crate::render::pixel_rect::PixelRect;
use crate::render::target::{COLOR_FORMAT, DEPTH_FORMAT, PipelineParts, SAMPLE_FORMATS};
use crate::render::{Pixels, frame_uniforms, shaders};
use smirk_graphics::gpu::{Binding, Gpu, bind_group, bind_group_layout, shader_module, view};

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
    /// With the mean itself, with the light that is spread across, and with the light that is spread in both
    /// directions.
    means: [wgpu::BindGroup; 3],
}

impl Finisher {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let stage = wgpu::ShaderStages::FRAGMENT;
        let sample_layout = bind_group_layout(device, "sample", stage, &[Binding::TEXELS; 4]);
        let uniforms = Binding::Uniform(size_of::<FinishUniforms>());
        let means = [&[uniforms][..], &[Binding::TEXELS; 5]].concat();
        let mean_layout = bind_group_layout(device, "means", stage, &means);
        let frame = frame_uniforms::shadow_bind_group_layout(device);
        let accumulate = shader_module(device, "accumulate", shaders::accumulate());
        let finish = shader_module(device, "finish", shaders::finish());
        let pipeline = |module, entry, groups: &[Option<&wgpu::BindGroupLayout>], targets: &[_]| {
            PipelineParts {
                label: entry,
                groups,
                module,
                constants: &[],
                vertex_entry: "region_vertex",
                buffers: &[],
                primitive: Default::default(),
                depth: None,
                multisample: Default::default(),
                fragment: Some((entry, targets)),
            }
            .pipeline(device)
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
    pub(super) fn groups(&self, gpu: &Gpu, targets: &RefinementTargets) -> FinishGroups {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = gpu.buffer("finish", size_of::<FinishUniforms>() as u64, usage);
        let before = view(&targets.before, "picture before refinement");
        let [scattered, other, skin_color, untoned] = &targets.means;
        let [across, down] = &targets.spread;
        let means = [scattered, across, down].map(|scattered| {
            let textures = [scattered, other, skin_color, untoned, &before].map(wgpu::BindingResource::TextureView);
            let resources = [uniforms.as_entire_binding()].into_iter().chain(textures);
            bind_group(&gpu.device, "means", &self.mean_layout, resources)
        });
        let sample = targets.sample.each_ref().map(wgpu::BindingResource::TextureView);
        let sample = bind_group(&gpu.device, "sample", &self.sample_layout, sample);
        FinishGroups { means, sample, uniforms }
    }

    /// Adds the sample to the mean of `count` samples, this one included.
    pub(super) fn accumulate(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &RefinementTargets,
        groups: &FinishGroups,
        region: PixelRect,
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

    /// Draws the picture of the mean into `canvas`. It is limited to `inner`, the pixels of its image that show
    /// `region` of the whole picture.
    #[expect(clippy::too_many_arguments, reason = "all of them belong to one picture")]
    pub(super) fn finish(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        queue: &wgpu::Queue,
        frame: &wgpu::BindGroup,
        targets: &RefinementTargets,
        groups: &FinishGroups,
        region: PixelRect,
        inner: PixelRect,
        canvas: Canvas<'_>,
        uniforms: FinishUniforms,
    ) {
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

/// The number of distances; `finish.wgsl` has the same number.
pub(crate) const TAPS: usize = 8;

/// The standard deviations in millimetres: of the light that leaves close to where it arrived, and of the light that
/// goes far.
const NEAR_MM: [f32; 3] = [0.55, 0.34, 0.22];

const FAR_MM: [f32; 3] = [2.1, 1.2, 0.8];

/// The fraction of the light that goes far.
const FAR_SHARE: [f32; 3] = [0.44, 0.37, 0.32];

/// A factor of all widths: the whole width makes wax of a face that fills a screen.
const WIDTH: f32 = 0.65;

/// The largest distance, in millimetres before [`WIDTH`].
const REACH_MM: f32 = 5.6;

/// The largest distance in millimetres.
pub(super) const MOST_MM: f32 = REACH_MM * WIDTH;

/// The weights per channel and the distance in millimetres of each tap; the first is the middle, and the others count
/// on both sides. The weights of each channel add up to 1.
pub(super) fn taps() -> [[f32; 4]; TAPS] {
    let last = (TAPS - 1) as f32;
    // The distances grow with their square, because the profile is sharp in the middle.
    let distance = |at: f32| (at / last) * (at / last) * REACH_MM;
    let mut taps = [[0.0; 4]; TAPS];
    for channel in 0..3 {
        let far = FAR_SHARE[channel];
        let raw: [f32; TAPS] = std::array::from_fn(|index| {
            // Each tap stands for the distances nearer to it than to its neighbours.
            let begin = if index == 0 { 0.0 } else { distance(index as f32 - 0.5) };
            let end = if index == TAPS - 1 { REACH_MM * 1.5 } else { distance(index as f32 + 0.5) };
            let [near, far_part] = [NEAR_MM[channel], FAR_MM[channel]]
                .map(|sigma| (error_function(end / sigma) - error_function(begin / sigma)) * 0.5);
            (1.0 - far) * near + far * far_part
        });
        let sum: f32 = raw.iter().sum::<f32>() * 2.0;
        for (index, tap) in taps.iter_mut().enumerate() {
            // The middle is one tap with the weight of both its sides.
            tap[channel] = raw[index] / sum * if index == 0 { 2.0 } else { 1.0 };
            tap[3] = distance(index as f32) * WIDTH;
        }
    }
    taps
}

/// The part of a normal distribution with standard deviation 1 that is within ±x (M. Abramowitz and I. Stegun,
/// "Handbook of mathematical functions", 7.1.25).
fn error_function(x: f32) -> f32 {
    let x = x / std::f32::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.470_47 * x);
    1.0 - t * (0.348_024_2 + t * (-0.095_879_8 + t * 0.747_855_6)) * (-x * x).exp()
}

const MEAN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The images of a region.
#[derive(Debug)]
pub(super) struct RefinementTargets {
    /// Width and height.
    pub size: [u32; 2],
    /// One sample: `Sample` in `sample.wgsl`.
    pub sample: [wgpu::TextureView; 4],
    pub depth: wgpu::TextureView,
    /// The mean of the samples.
    pub means: [wgpu::TextureView; 4],
    /// The scattered light after it was spread across, and after it was spread down.
    pub spread: [wgpu::TextureView; 2],
    /// The preview, from which the refined picture emerges.
    pub before: wgpu::Texture,
}

impl RefinementTargets {
    /// Sizes are multiples of this, so that the images of another view of the head often fit.
    const STEP: u32 = 64;

    /// Whether a region of this size fits, and does not waste most of the memory.
    pub(super) fn holds(&self, size: [u32; 2]) -> bool {
        let [own, needed] = [self.size, size].map(|[width, height]| u64::from(width) * u64::from(height));
        (0..2).all(|axis| self.size[axis] >= size[axis]) && own <= 2 * needed + u64::from(4 * Self::STEP * Self::STEP)
    }

    /// Keeps the part of a picture that shows a region.
    pub(super) fn keep_before(&self, encoder: &mut wgpu::CommandEncoder, picture: &wgpu::Texture, region: PixelRect) {
        let origin = wgpu::Origin3d { x: region.min[0], y: region.min[1], z: 0 };
        encoder.copy_texture_to_texture(
            wgpu::TexelCopyTextureInfo { origin, ..picture.as_image_copy() },
            self.before.as_image_copy(),
            wgpu::Extent3d { width: region.size[0], height: region.size[1], depth_or_array_layers: 1 },
        );
    }

    /// The images of a region of this size.
    pub(super) fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let size = size.map(|side| side.next_multiple_of(Self::STEP));
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let image = |label, format, usage| view(&gpu.texture(label, size, format, usage), label);
        Self {
            size,
            sample: SAMPLE_FORMATS.map(|format| image("sample", format, drawn)),
            depth: image("depth of a sample", DEPTH_FORMAT, wgpu::TextureUsages::RENDER_ATTACHMENT),
            means: std::array::from_fn(|_| image("mean of the samples", MEAN_FORMAT, drawn)),
            spread: std::array::from_fn(|_| image("spread light", MEAN_FORMAT, drawn)),
            before: gpu.texture(
                "picture before",
                size,
                COLOR_FORMAT,
                wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::TEXTURE_BINDING,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_each_channel_add_up_to_1() {
        for channel in 0..3 {
            let sides: f32 = taps()[1..].iter().map(|tap| tap[channel]).sum();
            assert!((taps()[0][channel] + 2.0 * sides - 1.0).abs() < 1e-5, "channel {channel}");
        }
    }

    #[test]
    fn red_light_goes_furthest_and_the_width_is_that_of_the_two_gaussians() {
        let deviation =
            |channel: usize| taps()[1..].iter().map(|tap| 2.0 * tap[channel] * tap[3] * tap[3]).sum::<f32>().sqrt();
        assert!(deviation(0) > deviation(1) && deviation(1) > deviation(2));
        for channel in 0..3 {
            let far = FAR_SHARE[channel];
            let (near_mm, far_mm) = (NEAR_MM[channel], FAR_MM[channel]);
            let expected = ((1.0 - far) * near_mm * near_mm + far * far_mm * far_mm).sqrt() * WIDTH;
            assert!((deviation(channel) / expected - 1.0).abs() < 0.08, "{} of {expected}", deviation(channel));
        }
    }

    #[test]
    fn weights_fall_with_distance() {
        let per_mm = |index: usize| {
            let taps = taps();
            let width = (taps[index][3] - taps[index - 1][3]).max(1e-6);
            taps[index][0] / width
        };
        assert!((2..TAPS - 1).all(|index| per_mm(index) > per_mm(index + 1)));
    }
}
