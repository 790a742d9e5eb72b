//! Where pictures of one kind are taken: all that a picture leaves behind for the next one. The window has a stage,
//! pictures on the side have another, so that neither loses its image, its shadow or its account of what it shows to the
//! other. The head, its blender and its pipelines are shared.

use glam::Vec3;

use crate::gpu::Gpu;
use crate::head::Bounds;
use crate::scene::Scene;

use super::background::Background;
use super::drawn::Drawn;
use super::head_on_gpu::{HeadOnGpu, Shape};
use super::shadow::{self, ShadowMap, ShadowView};
use super::target::{self, Target, Targets};
use super::timing::Timer;
use super::uniforms::{self, FrameUniforms};

/// The image drawn to, the frame's uniforms and the key light's shadow.
#[derive(Debug)]
pub struct Stage {
    targets: Targets,
    shadow_map: ShadowMap,
    frame: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    shadow_group: wgpu::BindGroup,
    drawn: Option<Drawn>,
    /// The scene whose shadow is in the map.
    cast: Option<Drawn>,
    /// How the light saw it.
    shadow_view: ShadowView,
}

impl Stage {
    /// An empty one.
    pub fn new(device: &wgpu::Device) -> Self {
        let shadow_map = ShadowMap::new(device);
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &uniforms::frame_bind_group_layout(device),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&shadow_map.view) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&shadow_map.sampler) },
            ],
        });
        let shadow_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow"),
            layout: &shadow::bind_group_layout(device),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() }],
        });
        Self {
            targets: Targets::default(),
            shadow_map,
            frame,
            frame_group,
            shadow_group,
            drawn: None,
            cast: None,
            shadow_view: ShadowView::new(Bounds::EMPTY, Bounds::EMPTY, Vec3::Z),
        }
    }

    /// What was drawn last.
    pub fn drawn(&self) -> Option<&Drawn> {
        self.drawn.as_ref()
    }

    /// Forgets what was drawn: whatever comes next is drawn anew.
    pub fn forget(&mut self) {
        (self.drawn, self.cast) = (None, None);
    }

    /// The image drawn last.
    pub fn image(&self) -> Option<&Target> {
        self.targets.newest()
    }

    /// Records the passes for `scene`, whose shape the head's blender has been brought to.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        head: &mut HeadOnGpu,
        scene: &Scene<'_>,
        background: &Background,
        timer: Option<&Timer>,
    ) {
        let samples = if scene.quality.samples > 1 { target::SAMPLE_COUNTS[1] } else { target::SAMPLE_COUNTS[0] };
        self.targets.select(&gpu.device, drawn_size(&gpu.device, scene), samples);
        let Some(target) = self.targets.newest() else { return };
        head.stand(&gpu.queue, scene.world_from_nodes);
        let bounds = head.bounds.under(scene.weights);
        let cast = self.cast_for(scene, samples);
        if cast == Cast::Anew {
            let to_light = scene.look.key.direction_to_light_in_world();
            self.shadow_view = ShadowView::new(scene.head.bounds, bounds, to_light);
        }
        let uniforms = FrameUniforms::new(scene, bounds, &self.shadow_view, cast != Cast::Stale);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&uniforms));
        head.update_meshes(&gpu.queue);
        head.repaint(&gpu.queue, scene.weights);
        head.dress(gpu, scene.look.variant, scene.camera.eye_in_world(), scene.weights);
        let shape = Shape::of(&head.blender);

        if cast == Cast::Anew {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                color_attachments: &[],
                depth_stencil_attachment: Some(depth_attachment(&self.shadow_map.view, wgpu::StoreOp::Store)),
                timestamp_writes: timer.map(|timer| timer.draw_writes(true, false)),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.shadow_group, &[]);
            head.draw_shadow(&mut pass, shape);
            Drawn::note(&mut self.cast, scene);
        }

        let (view, resolve_target, store) = match &target.multisampled {
            Some(samples) => (samples, Some(&target.resolved), wgpu::StoreOp::Discard),
            None => (&target.resolved, None, wgpu::StoreOp::Store),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(depth_attachment(&target.depth, wgpu::StoreOp::Discard)),
            timestamp_writes: timer.map(|timer| timer.draw_writes(cast != Cast::Anew, true)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        head.draw_opaque(&mut pass, shape, samples);
        background.draw(&mut pass, samples);
        head.draw_blended(&mut pass, shape, samples);
        drop(pass);
        Drawn::note(&mut self.drawn, scene);
    }

    fn cast_for(&self, scene: &Scene<'_>, samples: u32) -> Cast {
        match &self.cast {
            Some(cast) if cast.has_light_of(scene) => {
                if cast.has_shape_of(scene) {
                    Cast::Current
                } else if samples > 1 {
                    Cast::Anew
                } else {
                    Cast::Stale
                }
            }
            _ => Cast::Anew,
        }
    }
}

/// What the shadow map shows of a scene. What the light sees changes with the shape and the light, not with the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cast {
    /// Its shadow.
    Current,
    /// That of another shape, good enough for a coarse picture of something that moves: drawing the map costs a
    /// software adapter as much as the picture.
    Stale,
    /// Nothing of use: it is drawn now.
    Anew,
}

fn drawn_size(device: &wgpu::Device, scene: &Scene<'_>) -> [u32; 2] {
    let limit = device.limits().max_texture_dimension_2d;
    let scale = if scene.quality.scale.is_finite() { scene.quality.scale.clamp(0.05, 1.0) } else { 1.0 };
    scene.size.map(|pixels| ((pixels as f32 * scale).round() as u32).clamp(1, limit))
}

fn depth_attachment(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}
