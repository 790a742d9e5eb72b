//! An output of the renderer: the images that are drawn into, the uniforms of the frame, the shadow map, and copies of the
//! scenes that the image and the shadow map show. The window has one output and separate pictures have another, so that
//! drawing to one does not change the other. Both share the head with its blender and its pipelines.

use glam::Vec3;

use crate::gpu::Gpu;
use crate::head::Bounds;
use crate::scene::{Quality, Scene};

use super::frame_uniforms::{self, FrameUniforms};
use super::head_on_gpu::HeadOnGpu;
use super::last_drawn::LastDrawn;
use super::light::{ShadowMap, ShadowView};
use super::passes::{self, Background};
use super::target::{self, RenderTarget, RenderTargets};
use super::timing::GpuTimer;

/// The images of the window, or of separate pictures, and the GPU objects that are needed to draw the next image.
#[derive(Debug)]
pub(super) struct RenderOutput {
    targets: RenderTargets,
    shadow_map: ShadowMap,
    /// The buffer of [`FrameUniforms`].
    frame: wgpu::Buffer,
    /// Bind group 0 of the pass that draws the picture.
    frame_group: wgpu::BindGroup,
    /// Bind group 0 of the pass that draws the shadow map.
    shadow_group: wgpu::BindGroup,
    /// The scene that the newest image shows.
    drawn: Option<LastDrawn>,
    /// The scene that the shadow map shows.
    shadow_drawn: Option<LastDrawn>,
    /// The key light's view of that scene.
    shadow_view: ShadowView,
}

impl RenderOutput {
    /// An output that shows nothing yet.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let shadow_map = ShadowMap::new(device);
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &frame_uniforms::frame_bind_group_layout(device),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&shadow_map.view) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&shadow_map.sampler) },
            ],
        });
        let shadow_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame of the shadow"),
            layout: &frame_uniforms::shadow_bind_group_layout(device),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() }],
        });
        Self {
            targets: RenderTargets::default(),
            shadow_map,
            frame,
            frame_group,
            shadow_group,
            drawn: None,
            shadow_drawn: None,
            shadow_view: ShadowView::new(Bounds::EMPTY, Bounds::EMPTY, Vec3::Z),
        }
    }

    /// The scene drawn last.
    pub(super) fn drawn(&self) -> Option<&LastDrawn> {
        self.drawn.as_ref()
    }

    /// Discards the copies of the drawn scenes, so that the next scene is drawn even if it is the same.
    pub(super) fn forget(&mut self) {
        (self.drawn, self.shadow_drawn) = (None, None);
    }

    /// The image drawn last.
    pub(super) fn image(&self) -> Option<&RenderTarget> {
        self.targets.newest()
    }

    /// Records the passes for `scene`. The head's blender has already blended the scene's weights.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        head: &mut HeadOnGpu,
        scene: &Scene<'_>,
        background: &Background,
        timer: Option<&GpuTimer>,
    ) {
        let samples = if scene.quality.samples > 1 { target::SAMPLE_COUNTS[1] } else { target::SAMPLE_COUNTS[0] };
        self.targets.select(&gpu.device, drawn_size(&gpu.device, scene), samples);
        let Some(target) = self.targets.newest() else { return };
        head.set_nodes(&gpu.queue, scene.world_from_nodes);
        let bounds = head.bounds.under(scene.weights);
        let shadow = self.shadow_state(scene, samples);
        let draws_shadow = shadow == ShadowState::Outdated;
        if draws_shadow {
            let to_light = scene.look.key.direction_to_light_in_world();
            self.shadow_view = ShadowView::new(scene.head.bounds, bounds, to_light);
        }
        let uniforms = FrameUniforms::new(scene, bounds, &self.shadow_view, shadow != ShadowState::OfAnotherShape);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&uniforms));
        head.update_meshes(&gpu.queue);
        head.update_uv_colors(&gpu.queue, scene.weights);
        head.update_draws(gpu, scene.look.variant, scene.camera.eye_in_world(), scene.weights);

        if draws_shadow {
            let timestamps = timer.map(|timer| timer.draw_writes(true, false));
            passes::record_shadow(encoder, &self.shadow_map, &self.shadow_group, head, timestamps);
            LastDrawn::replace(&mut self.shadow_drawn, scene);
        }
        let timestamps = timer.map(|timer| timer.draw_writes(!draws_shadow, true));
        passes::record_picture(encoder, target, &self.frame_group, head, background, timestamps);
        LastDrawn::replace(&mut self.drawn, scene);
    }

    fn shadow_state(&self, scene: &Scene<'_>, samples: u32) -> ShadowState {
        match &self.shadow_drawn {
            Some(drawn) if drawn.has_light_of(scene) => {
                if drawn.has_shape_of(scene) {
                    ShadowState::Current
                } else if samples > 1 {
                    ShadowState::Outdated
                } else {
                    ShadowState::OfAnotherShape
                }
            }
            _ => ShadowState::Outdated,
        }
    }
}

/// What the shadow map shows of a scene. It depends on the shape and the light, and not on the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShadowState {
    /// The shadow of this scene.
    Current,
    /// The shadow of another shape of the same head. It is used for a picture of low quality while the head moves, because
    /// on a software adapter drawing the map takes as long as drawing the picture.
    OfAnotherShape,
    /// Another head or another light: the map has to be drawn.
    Outdated,
}

fn drawn_size(device: &wgpu::Device, scene: &Scene<'_>) -> [u32; 2] {
    let limit = device.limits().max_texture_dimension_2d;
    let (least, most) = (*Quality::SCALES.start(), *Quality::SCALES.end());
    let scale = if scene.quality.scale.is_finite() { scene.quality.scale.clamp(least, most) } else { most };
    scene.size.map(|pixels| ((pixels as f32 * scale).round() as u32).clamp(1, limit))
}
