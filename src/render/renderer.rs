//! Draws scenes, and only when they differ from the one before.

use std::sync::Arc;
use std::time::Instant;

use image::RgbaImage;

use crate::blend::{BlendMode, Blender, Layout};
use crate::gpu::Gpu;
use crate::head::Head;
use crate::readout::Clock;
use crate::scene::{Camera, Look, Quality, Scene};

use super::head_on_gpu::{HeadOnGpu, Shape};
use super::shadow::{ShadowMap, ShadowView};
use super::stopwatch::Stopwatch;
use super::target::{self, Target, Targets};
use super::timing::{Timer, Timing};
use super::uniforms::{self, FrameUniforms};
use super::{shaders, shadow};

/// Everything that turns scenes into pictures.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    head: Option<HeadOnGpu>,
    targets: Targets,
    shadow_map: ShadowMap,
    frame: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    shadow_group: wgpu::BindGroup,
    /// By [`target::SAMPLE_COUNTS`].
    backgrounds: [wgpu::RenderPipeline; 2],
    timer: Option<Timer>,
    stopwatch: Stopwatch,
    drawn: Option<Drawn>,
    /// The scene whose shadow is in the map.
    cast: Option<Drawn>,
}

impl Renderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let shadow_map = ShadowMap::new(device);
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_layout = uniforms::frame_bind_group_layout(device);
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &frame_layout,
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
            gpu: gpu.clone(),
            head: None,
            targets: Targets::default(),
            shadow_map,
            frame,
            frame_group,
            shadow_group,
            backgrounds: background_pipelines(device, &frame_layout),
            timer: Timer::new(gpu),
            stopwatch: Stopwatch::new(gpu),
            drawn: None,
            cast: None,
        }
    }

    /// Takes a head made ahead, on another thread perhaps.
    pub fn set_head(&mut self, head: HeadOnGpu) {
        self.head = Some(head);
        self.drawn = None;
    }

    /// Draws `scene`, unless it is what was drawn last: then does nothing and returns false.
    ///
    /// A head not yet on the GPU is put there first, which takes longer; see [`Self::set_head`].
    pub fn draw(&mut self, scene: &Scene<'_>) -> bool {
        // Collects timings that arrived meanwhile; never waits.
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        if self.drawn.as_ref().is_some_and(|drawn| drawn.is(scene)) {
            return false;
        }
        let mut head = match self.head.take() {
            Some(head) if Arc::ptr_eq(head.head(), scene.head) => head,
            _ => HeadOnGpu::new(&self.gpu, scene.head.clone(), Arc::new(Layout::new(scene.head))),
        };
        self.draw_head(&mut head, scene);
        self.head = Some(head);
        Drawn::note(&mut self.drawn, scene);
        true
    }

    fn draw_head(&mut self, head: &mut HeadOnGpu, scene: &Scene<'_>) {
        let samples = if scene.quality.samples > 1 { target::SAMPLE_COUNTS[1] } else { target::SAMPLE_COUNTS[0] };
        self.targets.select(&self.gpu.device, self.drawn_size(scene), samples);
        let Some(target) = self.targets.newest() else { return };
        let shadow = ShadowView::new(scene.head.bounds, scene.look.key.direction_to_light_in_world());
        let cast = match &self.cast {
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
        };
        let uniforms = FrameUniforms::new(scene, &shadow, cast != Cast::Stale);
        self.gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&uniforms));

        let mut encoder = self.new_encoder();
        if self.drawn.as_ref().is_some_and(|drawn| drawn.mode != scene.mode) {
            self.timer.as_mut().into_iter().for_each(Timer::forget_blend);
            self.stopwatch.forget();
        }
        let blend_writes = self.timer.as_ref().map(Timer::blend_writes);
        let blends_in_passes = matches!(scene.mode, BlendMode::Compute | BlendMode::Multipass);
        let blends_anew =
            !self.drawn.as_ref().is_some_and(|drawn| drawn.mode == scene.mode && drawn.has_shape_of(scene));
        if blends_in_passes && blends_anew && self.stopwatch.is_due() {
            // What is under way is not the blend's.
            self.gpu.wait();
            let began = Instant::now();
            head.blender.blend(&mut encoder, scene.weights, scene.mode, blend_writes);
            if head.blender.did_work() {
                let blend = std::mem::replace(&mut encoder, self.new_encoder());
                self.gpu.queue.submit([blend.finish()]);
                self.gpu.wait();
                self.stopwatch.note(began.elapsed());
            }
        } else {
            head.blender.blend(&mut encoder, scene.weights, scene.mode, blend_writes);
        }
        head.sort_from(scene.camera.eye_in_world());
        let shape = Shape::of(&head.blender);

        if cast == Cast::Anew {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                color_attachments: &[],
                depth_stencil_attachment: Some(depth_attachment(&self.shadow_map.view, wgpu::StoreOp::Store)),
                timestamp_writes: self.timer.as_ref().map(|timer| timer.draw_writes(true, false)),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.shadow_group, &[]);
            head.draw_shadow(&mut pass, shape);
            Drawn::note(&mut self.cast, scene);
        }
        self.draw_picture(&mut encoder, head, shape, target, samples, cast != Cast::Anew);

        let has_blend = head.blender.did_work() && blends_in_passes;
        let answer = self.timer.as_mut().and_then(|timer| timer.resolve(&mut encoder, has_blend));
        self.gpu.queue.submit([encoder.finish()]);
        if let (Some(timer), Some(answer)) = (&mut self.timer, answer) {
            timer.read_back(answer);
        }
    }

    fn new_encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") })
    }

    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        head: &HeadOnGpu,
        shape: Shape<'_>,
        target: &Target,
        samples: u32,
        is_first: bool,
    ) {
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
            timestamp_writes: self.timer.as_ref().map(|timer| timer.draw_writes(is_first, true)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        head.draw_opaque(&mut pass, shape, samples);
        pass.set_pipeline(&self.backgrounds[usize::from(samples > 1)]);
        pass.draw(0..3, 0..1);
        head.draw_blended(&mut pass, shape, samples);
    }

    fn drawn_size(&self, scene: &Scene<'_>) -> [u32; 2] {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let scale = if scene.quality.scale.is_finite() { scene.quality.scale.clamp(0.05, 1.0) } else { 1.0 };
        scene.size.map(|pixels| ((pixels as f32 * scale).round() as u32).clamp(1, limit))
    }

    /// The picture drawn last, of [`Quality::scale`] times the scene's size, its bytes sRGB-encoded but read as they
    /// are (as egui wants it). Another view after a change of size or quality: compare, and tell egui.
    pub fn image(&self) -> Option<&wgpu::TextureView> {
        self.targets.newest().map(|target| &target.shown)
    }

    /// Reads the picture drawn last, waiting for the GPU. Empty before the first.
    pub fn read_pixels(&self) -> RgbaImage {
        self.targets
            .newest()
            .and_then(|Target { texture, .. }| {
                RgbaImage::from_raw(texture.width(), texture.height(), self.gpu.read_texture(texture))
            })
            .unwrap_or_default()
    }

    /// What the last blend and draw took, as far as the GPU has answered. Does not wait.
    pub fn timing(&mut self) -> Timing {
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        if let Some(timer) = &mut self.timer {
            timer.collect();
        }
        let blend = match self.drawn.as_ref().map(|drawn| drawn.mode) {
            Some(BlendMode::Cpu) => {
                self.head.as_ref().and_then(|head| head.blender.cpu_ms()).map(|ms| (ms, Clock::Cpu))
            }
            Some(BlendMode::Compute | BlendMode::Multipass) => {
                let on_gpu = || self.timer.as_ref().and_then(Timer::blend_ms).map(|ms| (ms, Clock::Gpu));
                self.stopwatch.ms().map(|ms| (ms, Clock::Cpu)).or_else(on_gpu)
            }
            Some(BlendMode::Vertex) | None => None,
        };
        Timing { blend, draw_ms: self.timer.as_ref().and_then(Timer::draw_ms) }
    }

    /// Why `mode` cannot be used with the head on the GPU; none when it can, or when there is no head.
    pub fn unavailable(&self, mode: BlendMode) -> Option<String> {
        self.head.as_ref().and_then(|head| head.blender.unavailable(mode)).map(str::to_owned)
    }

    /// Bytes of deltas on the GPU.
    pub fn delta_bytes(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.blender.delta_bytes())
    }

    /// The blender of the head on the GPU.
    pub fn blender_mut(&mut self) -> Option<&mut Blender> {
        self.head.as_mut().map(|head| &mut head.blender)
    }
}

fn depth_attachment(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}

fn background_pipelines(device: &wgpu::Device, frame: &wgpu::BindGroupLayout) -> [wgpu::RenderPipeline; 2] {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("background"),
        source: wgpu::ShaderSource::Wgsl(shaders::background().into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("background"),
        bind_group_layouts: &[Some(frame)],
        immediate_size: 0,
    });
    target::SAMPLE_COUNTS.map(|samples| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("background"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            // Drawn after the head, at the far plane: only pixels without a head are shaded.
            depth_stencil: Some(wgpu::DepthStencilState {
                format: target::DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(target::COLOR_FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
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

/// What was drawn last: a scene that owns what it holds.
#[derive(Debug)]
struct Drawn {
    /// Held, so that no other head can take its address.
    head: Arc<Head>,
    weights: Vec<f32>,
    mode: BlendMode,
    camera: Camera,
    look: Look,
    size: [u32; 2],
    quality: Quality,
}

impl Drawn {
    /// Notes `scene` in the place of another, whose memory it takes over.
    fn note(noted: &mut Option<Self>, scene: &Scene<'_>) {
        let mut weights = noted.take().map(|noted| noted.weights).unwrap_or_default();
        weights.clear();
        weights.extend_from_slice(scene.weights);
        *noted = Some(Self {
            head: scene.head.clone(),
            weights,
            mode: scene.mode,
            camera: *scene.camera,
            look: *scene.look,
            size: scene.size,
            quality: scene.quality,
        });
    }

    fn is(&self, scene: &Scene<'_>) -> bool {
        self.has_shape_of(scene)
            && self.mode == scene.mode
            && self.camera == *scene.camera
            && self.look == *scene.look
            && self.size == scene.size
            && self.quality == scene.quality
    }

    fn has_light_of(&self, scene: &Scene<'_>) -> bool {
        let direction = |look: &Look| look.key.direction_to_light_in_world();
        Arc::ptr_eq(&self.head, scene.head) && direction(&self.look) == direction(scene.look)
    }

    fn has_shape_of(&self, scene: &Scene<'_>) -> bool {
        // By bits: a weight that is not a number equals itself here, or it would be drawn for ever.
        let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
        Arc::ptr_eq(&self.head, scene.head)
            && self.weights.len() == scene.weights.len()
            && self.weights.iter().zip(scene.weights).all(same)
    }
}
