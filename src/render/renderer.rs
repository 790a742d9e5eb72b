//! Draws scenes, and only when they differ from the one before.

use std::sync::Arc;
use std::time::Instant;

use image::RgbaImage;

use crate::blend::{BlendMode, Blender, Layout, Memory, Precision};
use crate::gpu::Gpu;
use crate::head::Head;
use crate::scene::Scene;

use super::frame_uniforms;
use super::head_on_gpu::HeadOnGpu;
use super::last_drawn::LastDrawn;
use super::output::RenderOutput;
use super::passes::Background;
use super::target::RenderTarget;
use super::timing::{GpuTimer, Timing, TimingClock, WaitTimer};

/// Everything that turns scenes into pictures.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    head: Option<HeadOnGpu>,
    background: Background,
    output: RenderOutput,
    /// Of [`Self::picture`], from its first call on.
    side_output: Option<RenderOutput>,
    gpu_timer: Option<GpuTimer>,
    wait_timer: WaitTimer,
    /// Of the last blend on the CPU for [`Self::draw`].
    cpu_ms: Option<f32>,
}

impl Renderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        Self {
            gpu: gpu.clone(),
            head: None,
            background: Background::new(device, &frame_uniforms::frame_bind_group_layout(device)),
            output: RenderOutput::new(device),
            side_output: None,
            gpu_timer: GpuTimer::new(gpu),
            wait_timer: WaitTimer::new(gpu),
            cpu_ms: None,
        }
    }

    /// Takes a head made ahead, on another thread perhaps.
    pub fn set_head(&mut self, head: HeadOnGpu) {
        self.head = Some(head);
        self.cpu_ms = None;
        self.forget_blend();
        self.output.forget();
        self.side_output.iter_mut().for_each(RenderOutput::forget);
    }

    /// The head on the GPU.
    pub fn head(&self) -> Option<&Arc<Head>> {
        self.head.as_ref().map(HeadOnGpu::head)
    }

    /// Draws `scene`, unless it is what was drawn last: then does nothing and returns false.
    ///
    /// A head not yet on the GPU is put there first, which takes longer, see [`Self::set_head`]; one that does not fit is not
    /// drawn.
    pub fn draw(&mut self, scene: &Scene<'_>) -> bool {
        // Collects timings that arrived meanwhile; never waits.
        self.gpu.poll();
        if self.output.drawn().is_some_and(|drawn| drawn.is(scene)) {
            return false;
        }
        let Some(mut head) = self.take_head(scene) else { return false };
        let mut encoder = self.blend(&mut head, scene);
        self.output.draw(&self.gpu, &mut encoder, &mut head, scene, &self.background, self.gpu_timer.as_ref());
        let has_blend = head.blender.did_work() && blends_in_passes(scene.mode);
        let answer = self.gpu_timer.as_mut().and_then(|gpu_timer| gpu_timer.resolve(&mut encoder, has_blend));
        self.gpu.queue.submit([encoder.finish()]);
        if let (Some(gpu_timer), Some(answer)) = (&mut self.gpu_timer, answer) {
            gpu_timer.read_back(answer);
        }
        self.head = Some(head);
        true
    }

    /// Whether the picture drawn last is one of `scene`, of whatever quality.
    pub fn shows(&self, scene: &Scene<'_>) -> bool {
        self.output.drawn().is_some_and(|drawn| drawn.shows(scene))
    }

    /// A picture of `scene` on the side, waiting for the GPU: [`Self::image`] and what was measured stay as they are,
    /// and the next [`Self::draw`] is none the wiser. Of the head on the GPU, or it takes as long as to put one there.
    pub fn picture(&mut self, scene: &Scene<'_>) -> RgbaImage {
        let Some(mut head) = self.take_head(scene) else { return RgbaImage::default() };
        let mut encoder = self.new_encoder();
        head.blender.blend(&mut encoder, scene.weights, scene.mode, scene.look.normals, None);
        let output = self.side_output.get_or_insert_with(|| RenderOutput::new(&self.gpu.device));
        output.draw(&self.gpu, &mut encoder, &mut head, scene, &self.background, None);
        self.gpu.queue.submit([encoder.finish()]);
        self.head = Some(head);
        self.side_output.as_ref().and_then(RenderOutput::image).map(|target| self.read(target)).unwrap_or_default()
    }

    fn take_head(&mut self, scene: &Scene<'_>) -> Option<HeadOnGpu> {
        match self.head.take() {
            Some(head) if Arc::ptr_eq(head.head(), scene.head) => Some(head),
            _ => {
                self.cpu_ms = None;
                self.forget_blend();
                let layout = Layout::new(scene.head, Precision::default());
                HeadOnGpu::new(&self.gpu, scene.head.clone(), Arc::new(layout)).ok()
            }
        }
    }

    /// What a blend on the GPU took is told of the head and the mode it was measured with, and of no other.
    fn forget_blend(&mut self) {
        self.gpu_timer.as_mut().into_iter().for_each(GpuTimer::forget_blend);
        self.wait_timer.forget();
    }

    /// Brings the head's shape up to the scene's weights, and measures that; what is left to submit.
    fn blend(&mut self, head: &mut HeadOnGpu, scene: &Scene<'_>) -> wgpu::CommandEncoder {
        let mut encoder = self.new_encoder();
        if self.output.drawn().is_some_and(|drawn| drawn.mode() != scene.mode) {
            self.forget_blend();
        }
        let writes = self.gpu_timer.as_ref().map(GpuTimer::blend_writes);
        let is_same = |drawn: &LastDrawn| drawn.mode() == scene.mode && drawn.has_blend_of(scene);
        let blends_anew = !self.output.drawn().is_some_and(is_same);
        if !(blends_in_passes(scene.mode) && blends_anew && self.wait_timer.is_due()) {
            head.blender.blend(&mut encoder, scene.weights, scene.mode, scene.look.normals, writes);
            self.cpu_ms = head.blender.cpu_ms().or(self.cpu_ms);
            return encoder;
        }
        // What is under way is not the blend's.
        self.gpu.wait();
        let began = Instant::now();
        head.blender.blend(&mut encoder, scene.weights, scene.mode, scene.look.normals, writes);
        if head.blender.did_work() {
            let blend = std::mem::replace(&mut encoder, self.new_encoder());
            self.gpu.queue.submit([blend.finish()]);
            self.gpu.wait();
            self.wait_timer.note(began.elapsed());
        }
        encoder
    }

    fn new_encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") })
    }

    /// The picture drawn last, of [`Quality::scale`](crate::scene::Quality::scale) times the scene's size, its bytes
    /// sRGB-encoded but read as they are (as egui wants it). Another view after a change of size or quality: compare, and
    /// tell egui.
    pub fn image(&self) -> Option<&wgpu::TextureView> {
        self.output.image().map(|target| &target.shown)
    }

    /// Reads the picture drawn last, waiting for the GPU. Empty before the first.
    pub fn read_pixels(&self) -> RgbaImage {
        self.output.image().map(|target| self.read(target)).unwrap_or_default()
    }

    fn read(&self, RenderTarget { texture, .. }: &RenderTarget) -> RgbaImage {
        RgbaImage::from_raw(texture.width(), texture.height(), self.gpu.read_texture(texture)).unwrap_or_default()
    }

    /// What the last blend and draw took, as far as the GPU has answered. Does not wait.
    pub fn timing(&mut self) -> Timing {
        self.gpu.poll();
        if let Some(gpu_timer) = &mut self.gpu_timer {
            gpu_timer.collect();
        }
        let blend = match self.output.drawn().map(LastDrawn::mode) {
            Some(BlendMode::Cpu) => self.cpu_ms.map(|ms| (ms, TimingClock::Cpu)),
            Some(BlendMode::Compute | BlendMode::Multipass) if self.wait_timer.is_needed() => {
                self.wait_timer.ms().map(|ms| (ms, TimingClock::Cpu))
            }
            Some(BlendMode::Compute | BlendMode::Multipass) => {
                self.gpu_timer.as_ref().and_then(GpuTimer::blend_ms).map(|ms| (ms, TimingClock::Gpu))
            }
            Some(BlendMode::Vertex) | None => None,
        };
        Timing { blend, draw_ms: self.gpu_timer.as_ref().and_then(GpuTimer::draw_ms) }
    }

    /// Why `mode` cannot be used with the head on the GPU; none when it can, or when there is no head.
    pub fn unavailable(&self, mode: BlendMode) -> Option<String> {
        self.head.as_ref().and_then(|head| head.blender.unavailable(mode)).map(str::to_owned)
    }

    /// What the blending of the head on the GPU takes; nothing without one.
    pub fn memory(&self) -> Memory {
        self.head.as_ref().map(|head| head.blender.memory()).unwrap_or_default()
    }

    /// The blender of the head on the GPU.
    pub fn blender_mut(&mut self) -> Option<&mut Blender> {
        self.head.as_mut().map(|head| &mut head.blender)
    }
}

/// Whether that mode's blend is a pass of its own, which can be timed.
fn blends_in_passes(mode: BlendMode) -> bool {
    matches!(mode, BlendMode::Compute | BlendMode::Multipass)
}
