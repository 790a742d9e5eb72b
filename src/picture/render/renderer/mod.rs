//! The renderer: draws a scene if it differs from the scene drawn last.

mod picture;
#[cfg(test)]
mod tests;

pub use picture::PendingPicture;

use std::sync::Arc;
use std::time::{Duration, Instant};

use image::RgbaImage;
use thiserror::Error;

use crate::ambient_occlusion::AmbientOcclusion;
use crate::render::batch::{BatchSize, Pace};
use crate::render::frame_uniforms;
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::output::{RenderOutput, drawn_size, preview_tier};
use crate::render::passes::Background;
use crate::render::pipelines::Pipelines;
use crate::render::pixel_rect::{PixelRect, Tile};
use crate::render::refinement::{Finisher, SamplePart, Step};
use crate::render::target::RenderTarget;
use crate::render::timing::{GpuTimer, Timing, TimingClock, WaitTimer};
use smirk_face::head::Head;
use smirk_graphics::blend::{Blender, Memory, Unavailable};
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_scene::{BlendMode, Scene, Unseen};

/// Draws scenes into images.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    head: Option<HeadOnGpu>,
    background: Background,
    output: RenderOutput,
    /// The output of a second picture that is shown beside the first. The first call of [`Self::draw_beside_for`]
    /// creates it.
    beside: Option<RenderOutput>,
    /// The outputs of separate pictures, but for those that are being drawn into.
    side_outputs: Vec<RenderOutput>,
    gpu_timer: Option<GpuTimer>,
    wait_timer: WaitTimer,
    /// The duration of the last blend of [`Self::draw`], if it was done on the CPU.
    cpu_ms: Option<f32>,
    /// The size of the batches in which a head is drawn that takes long; none if it is drawn at once.
    batch_size: Option<BatchSize>,
    pace: Pace,
    /// The pipelines that accumulate samples, once a picture is refined.
    finisher: Option<Finisher>,
    /// Whether the last call of [`Self::draw_for`] built pipelines, and the next one goes on.
    is_building: bool,
}

/// What [`Renderer::draw_for`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Nothing: the image already shows the scene.
    Nothing,
    /// A part of a picture.
    Unfinished,
    /// The image shows a new picture.
    Finished,
}

/// Why a scene is not drawn.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DrawError {
    /// The scene's head, of this name, is not the one on the GPU.
    #[error("the head {head} cannot be drawn: it has not been uploaded to the graphics adapter")]
    HeadNotUploaded { head: String },
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl Renderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        Self {
            gpu: gpu.clone(),
            head: None,
            background: Background::new(device, &frame_uniforms::frame_bind_group_layout(device)),
            output: RenderOutput::new(gpu),
            beside: None,
            side_outputs: Vec::new(),
            gpu_timer: GpuTimer::new(gpu),
            wait_timer: WaitTimer::new(gpu),
            cpu_ms: None,
            batch_size: None,
            pace: Pace::default(),
            finisher: None,
            is_building: false,
        }
    }

    /// Replaces the head that can be drawn. [`HeadOnGpu::new`] uploads a head, and can run on a worker thread.
    pub fn set_head(&mut self, mut head: HeadOnGpu) {
        if let Some(before) = self.head.take() {
            head.pipelines.follow(before.pipelines);
        }
        self.batch_size = head.is_heavy().then(BatchSize::new);
        self.pace = Pace::default();
        self.head = Some(head);
        self.cpu_ms = None;
        self.forget_blend_times();
        self.forget_pictures();
    }

    /// Gives the vertices of the head their ambient occlusion, of which there is none until then; the next scene is
    /// drawn anew.
    pub fn set_ambient_occlusion(&mut self, ambient_occlusion: &AmbientOcclusion) {
        if let Some(head) = &mut self.head {
            head.set_ambient_occlusion(&self.gpu.queue, ambient_occlusion);
            self.forget_pictures();
        }
    }

    fn forget_pictures(&mut self) {
        self.output.forget();
        self.other_outputs().for_each(RenderOutput::forget);
    }

    fn other_outputs(&mut self) -> impl Iterator<Item = &mut RenderOutput> {
        self.beside.iter_mut().chain(&mut self.side_outputs)
    }

    /// Whether the vertices of the head have their ambient occlusion.
    pub fn has_ambient_occlusion(&self) -> bool {
        self.head.as_ref().is_some_and(HeadOnGpu::has_ambient_occlusion)
    }

    /// Whether [`Self::image`] shows the head.
    pub fn has_picture(&self) -> bool {
        self.output.drawn().is_some()
    }

    /// The head on the GPU.
    pub fn head(&self) -> Option<&Arc<Head>> {
        self.head.as_ref().map(HeadOnGpu::head)
    }

    /// Draws `scene` into [`Self::image`]. Returns false, and does nothing, if the image already shows it.
    pub fn draw(&mut self, scene: &Scene) -> Result<bool, DrawError> {
        Ok(self.draw_for(scene, Duration::MAX)? == Drawn::Finished)
    }

    /// Draws `scene` into [`Self::image`]. If that takes longer than `most`, the picture is unfinished, the image stays
    /// as it is, and the next calls go on with it. Only heads that take long are drawn in batches.
    pub fn draw_for(&mut self, scene: &Scene, most: Duration) -> Result<Drawn, DrawError> {
        // Collects timings that have arrived meanwhile, without waiting.
        self.gpu.poll();
        let until = (most != Duration::MAX).then(|| Instant::now() + most);
        self.is_building = false;
        self.output.abandon_unless_wanted(scene, until.is_none());
        if self.output.is_unfinished() {
            self.draw_batches(scene, until)
        } else if self.output.is_drawn(scene) {
            self.refine_or_build_ahead(scene, until)
        } else {
            self.draw_anew(scene, until)
        }
    }

    /// Adds samples to the picture of `scene`; once it has all, and while there is time, builds the pipelines of other
    /// pictures.
    fn refine_or_build_ahead(&mut self, scene: &Scene, until: Option<Instant>) -> Result<Drawn, DrawError> {
        let drawn = self.refine(scene, until)?;
        if drawn == Drawn::Nothing && until.is_some() {
            self.is_building = !self.head.as_mut().is_none_or(|head| head.build_ahead(&self.gpu, until));
        }
        Ok(drawn)
    }

    /// Blends `scene` and draws its preview, at once or in batches.
    fn draw_anew(&mut self, scene: &Scene, until: Option<Instant>) -> Result<Drawn, DrawError> {
        // What is left of another picture would be drawn from this blend.
        self.other_outputs().for_each(RenderOutput::abandon);
        let mut head = self.take_head(scene)?;
        let mut encoder = self.blend(&mut head, scene);
        if !head.build(&self.gpu, scene, preview_tier(scene), until) {
            self.gpu.queue.submit([encoder.finish()]);
            self.head = Some(head);
            self.is_building = true;
            return Ok(Drawn::Unfinished);
        }
        // A picture of the window is drawn at once. What is larger than the adapter can draw is shown smaller.
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let tile = Tile::whole(drawn_size(scene).map(|side| side.min(limit)));
        self.output.begin(&self.gpu, &mut head, scene, tile, self.batch_size.is_some());
        if self.batch_size.is_some() {
            self.pace.begins_picture();
            self.gpu.queue.submit([encoder.finish()]);
            self.gpu.wait();
            self.head = Some(head);
            return self.draw_batches(scene, until);
        }
        self.output.advance(&mut encoder, &head, &self.background, self.gpu_timer.as_ref(), None);
        let has_blend = head.blender.get().is_some_and(Blender::did_work);
        let answer = self.gpu_timer.as_mut().and_then(|timer| timer.resolve(&mut encoder, has_blend));
        self.gpu.queue.submit([encoder.finish()]);
        if let (Some(timer), Some(answer)) = (&mut self.gpu_timer, answer) {
            timer.read_back(answer);
            let took = Duration::try_from_secs_f32(timer.draw_ms().unwrap_or(0.0) / 1e3).unwrap_or_default();
            if self.pace.drew_at_once(took, drawn_size(scene)) {
                self.batch_size = Some(BatchSize::new());
            }
        }
        self.head = Some(head);
        self.finished(scene, until)
    }

    /// Draws batches of the unfinished preview of `scene`, at least one, until about some time; without one, all of
    /// them.
    fn draw_batches(&mut self, scene: &Scene, until: Option<Instant>) -> Result<Drawn, DrawError> {
        let (Some(head), Some(batch_size)) = (&self.head, &mut self.batch_size) else {
            unreachable!("only a head that is drawn in batches has an unfinished picture")
        };
        loop {
            let label = Some("batch of a picture");
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
            let began_batch = Instant::now();
            let triangles = Some(batch_size.triangles());
            let is_finished = self.output.advance(&mut encoder, head, &self.background, None, triangles);
            self.gpu.queue.submit([encoder.finish()]);
            // Without waiting, all batches would be submitted at once, and the window's own frame would come after
            // them.
            self.gpu.wait();
            let took = began_batch.elapsed();
            batch_size.learn(took);
            self.pace.drew_batch(took);
            if is_finished {
                if self.pace.drew_all_batches(drawn_size(scene)) && !head.is_heavy() {
                    self.batch_size = None;
                    self.gpu_timer.iter_mut().for_each(GpuTimer::forget_draw);
                }
                return self.finished(scene, until);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(Drawn::Unfinished);
            }
        }
    }

    /// The preview is drawn. Whoever waits for it gets all its samples too.
    fn finished(&mut self, scene: &Scene, until: Option<Instant>) -> Result<Drawn, DrawError> {
        if until.is_none() {
            self.refine(scene, None)?;
        }
        Ok(Drawn::Finished)
    }

    /// Adds samples to the picture of `scene`, of which the preview is drawn, until about some time. Without one, all
    /// samples are added, and only their mean is shown.
    fn refine(&mut self, scene: &Scene, until: Option<Instant>) -> Result<Drawn, DrawError> {
        if !self.output.wants_samples(scene) {
            return Ok(Drawn::Nothing);
        }
        self.other_outputs().for_each(RenderOutput::abandon);
        let mut head = self.take_head(scene)?;
        let finisher = self.finisher.get_or_insert_with(|| Finisher::new(&self.gpu.device));
        let (gpu, output) = (&self.gpu, &mut self.output);
        let mut refiner = Refiner { gpu, finisher, head: &mut head, output, is_gradual: until.is_some() };
        let drawn = loop {
            let step = refiner.step(scene, until, self.batch_size.as_mut());
            if step == Step::Done {
                break Drawn::Finished;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break Drawn::Unfinished;
            }
        };
        self.head = Some(head);
        Ok(drawn)
    }

    /// Whether the next call of [`Self::draw_for`] with the scene drawn last adds samples to its picture, or builds
    /// pipelines for other pictures.
    pub fn is_refining(&self) -> bool {
        self.is_building || self.output.is_refining() || self.beside.as_ref().is_some_and(RenderOutput::is_refining)
    }

    /// Whether the adapter is the processor.
    pub fn is_on_software(&self) -> bool {
        self.gpu.is_software()
    }

    /// Whether the head is drawn in batches: it is heavy, or the adapter has been slow.
    pub fn is_slow(&self) -> bool {
        self.batch_size.is_some()
    }

    /// Whether the head is drawn in batches on any adapter.
    pub fn is_heavy(&self) -> bool {
        self.head.as_ref().is_some_and(HeadOnGpu::is_heavy)
    }

    /// Whether the next call of [`Self::draw_for`] goes on with an unfinished picture.
    pub fn is_unfinished(&self) -> bool {
        self.output.is_unfinished() || self.beside.as_ref().is_some_and(RenderOutput::is_unfinished)
    }

    /// Why nothing of the head is seen in [`Self::image`]; none if something may be seen.
    pub fn unseen(&self) -> Option<Unseen> {
        self.output.unseen()
    }

    /// The part of the head's first picture that is drawn, while there is none of this head.
    pub fn first_picture(&self) -> Option<f32> {
        let (head, done) = (self.head.as_ref()?, self.output.draws_done()?);
        self.output.drawn().is_none().then(|| done as f32 / head.draws.len().max(1) as f32)
    }

    /// Whether [`Self::image`] shows `scene`, at any quality.
    pub fn shows(&self, scene: &Scene) -> bool {
        self.output.drawn().is_some_and(|drawn| drawn.shows(scene))
    }

    fn take_head(&mut self, scene: &Scene) -> Result<HeadOnGpu, DrawError> {
        let head = self.head.take_if(|head| Arc::ptr_eq(head.head(), &scene.head));
        head.ok_or_else(|| DrawError::HeadNotUploaded { head: scene.head.name.clone() })
    }

    /// Discards the measured durations of blends, because they are valid only for the head and the mode that they were
    /// measured with.
    fn forget_blend_times(&mut self) {
        self.gpu_timer.as_mut().into_iter().for_each(GpuTimer::forget_blend);
        self.wait_timer.forget();
    }

    /// Blends the scene's weights and measures how long that takes. Returns the encoder, whose commands are not
    /// submitted yet.
    fn blend(&mut self, head: &mut HeadOnGpu, scene: &Scene) -> wgpu::CommandEncoder {
        let mut encoder = self.new_encoder();
        if self.output.drawn().is_some_and(|drawn| drawn.mode != scene.mode) {
            self.forget_blend_times();
        }
        let writes = self.gpu_timer.as_ref().map(GpuTimer::blend_writes);
        let blends_anew =
            !self.output.drawn().is_some_and(|drawn| drawn.mode == scene.mode && drawn.has_blend_of(scene));
        if !(blends_in_passes(scene.mode) && blends_anew && self.wait_timer.is_due()) {
            head.blend(&self.gpu, &mut encoder, scene, scene.mode, writes);
            self.cpu_ms = head.blender.get().and_then(Blender::cpu_ms).or(self.cpu_ms);
            return encoder;
        }
        // Waits first, so that work submitted earlier is not counted as the blend's.
        self.gpu.wait();
        let began = Instant::now();
        head.blend(&self.gpu, &mut encoder, scene, scene.mode, writes);
        if head.blender.get().is_some_and(Blender::did_work) {
            let blend = std::mem::replace(&mut encoder, self.new_encoder());
            self.gpu.queue.submit([blend.finish()]);
            self.gpu.wait();
            self.wait_timer.record(began.elapsed());
        }
        encoder
    }

    fn new_encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") })
    }

    /// The image drawn last, of [`Quality::scale`](smirk_scene::Quality::scale) times the scene's size. Reading it
    /// returns the sRGB-encoded bytes without decoding, as egui expects. After a change of size or quality it may be
    /// another view: the caller has to compare, and to pass the new one to egui.
    pub fn image(&self) -> Option<&wgpu::TextureView> {
        self.output.image().map(|target| &target.shown)
    }

    /// The part in which [`Self::image`] differs from the image before it, where it is shown in a rectangle of `size`
    /// pixels.
    pub fn changed_part(&self, size: [u32; 2]) -> PixelRect {
        self.output.changed_part(size)
    }

    /// The pipelines of the head alone.
    pub(super) fn into_pipelines(self) -> Option<Pipelines> {
        let mut pipelines = self.head?.pipelines;
        pipelines.complete();
        Some(pipelines)
    }

    /// Reads back the image drawn last, waiting for the GPU. For tests.
    ///
    /// # Panics
    ///
    /// If nothing was drawn yet, and if the device is lost.
    pub fn read_pixels(&self) -> RgbaImage {
        self.read(self.output.image().expect("an image is drawn before it is read"))
    }

    fn read(&self, RenderTarget { texture, .. }: &RenderTarget) -> RgbaImage {
        let pixels = self.gpu.read_texture(texture).unwrap_or_else(|error| panic!("{error}"));
        RgbaImage::from_raw(texture.width(), texture.height(), pixels).expect("four bytes per texel")
    }

    /// How long the last blend and the last draw took, as far as results have arrived. Does not wait for the GPU.
    pub fn timing(&mut self) -> Timing {
        self.gpu.poll();
        if let Some(timer) = &mut self.gpu_timer {
            timer.collect();
        }
        let blend = match self.output.drawn().map(|drawn| drawn.mode) {
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
}

/// Whether blending in this mode is a compute pass of its own, which can be timed.
fn blends_in_passes(mode: BlendMode) -> bool {
    match mode {
        BlendMode::Compute | BlendMode::Multipass => true,
        BlendMode::Cpu | BlendMode::Vertex => false,
    }
}

impl Renderer {
    /// [`Self::draw_for`] for another scene of the same head, into [`Self::image_beside`]. Nothing is drawn while the
    /// other image is unfinished, since both are drawn from one blend.
    pub fn draw_beside_for(&mut self, scene: &Scene, most: Duration) -> Result<Drawn, DrawError> {
        if self.output.is_unfinished() {
            return Ok(Drawn::Nothing);
        }
        let beside = self.beside.take().unwrap_or_else(|| RenderOutput::new(&self.gpu));
        self.beside = Some(std::mem::replace(&mut self.output, beside));
        let drawn = self.draw_for(scene, most);
        self.beside.iter_mut().for_each(|beside| std::mem::swap(&mut self.output, beside));
        drawn
    }

    /// Drops the second picture.
    pub fn draw_alone(&mut self) {
        self.beside = None;
    }

    /// Whether [`Self::image_beside`] shows `scene`, at any quality.
    pub fn shows_beside(&self, scene: &Scene) -> bool {
        self.beside.as_ref().and_then(RenderOutput::drawn).is_some_and(|drawn| drawn.shows(scene))
    }

    /// Why nothing of the head is seen in the picture of [`Self::draw_beside_for`]; none if something may be seen.
    pub fn unseen_beside(&self) -> Option<Unseen> {
        self.beside.as_ref()?.unseen()
    }

    /// The image that [`Self::draw_beside_for`] has drawn last.
    pub fn image_beside(&self) -> Option<&wgpu::TextureView> {
        self.beside.as_ref().and_then(RenderOutput::image).map(|target| &target.shown)
    }
}

impl Renderer {
    /// Why `mode` cannot be used with the head on the GPU; `None` if it can be used, or if there is no head.
    pub fn unavailable(&self, mode: BlendMode) -> Option<&Unavailable> {
        self.head.as_ref().and_then(|head| head.blender.get()?.unavailable(mode))
    }

    /// The memory that blending the head on the GPU takes; zero without a head.
    pub fn memory(&self) -> Memory {
        self.head.as_ref().map(|head| head.blender.memory()).unwrap_or_default()
    }

    /// [`HeadOnGpu::work_ahead`] of the head of which there is a picture.
    pub fn work_ahead(&self) -> Option<impl FnOnce() + Send + use<>> {
        self.head.as_ref().filter(|_| self.has_picture())?.work_ahead()
    }

    /// Whether a scene with the head can only be drawn once [`Self::work_ahead`] is done.
    pub fn needs_work(&self, scene: &Scene) -> bool {
        self.head.as_ref().is_some_and(|head| head.blender.needs_work(&scene.weights, scene.look.normals))
    }

    /// Whether the head can be blended without further work.
    pub fn has_deltas(&self) -> bool {
        self.head.as_ref().is_some_and(HeadOnGpu::has_deltas)
    }

    /// Takes the deltas of the head that [`Self::work_ahead`] has uploaded.
    pub fn take_deltas(&mut self) {
        self.head.as_mut().into_iter().for_each(HeadOnGpu::take_deltas);
    }

    /// The blender of the head on the GPU. It is made if there is none yet.
    pub fn blender_mut(&mut self) -> Option<&mut Blender> {
        self.take_deltas();
        self.head.as_mut().map(|head| head.blender.get_mut())
    }
}

/// What a sample needs.
struct Refiner<'a> {
    pub gpu: &'a Gpu,
    pub finisher: &'a Finisher,
    pub head: &'a mut HeadOnGpu,
    pub output: &'a mut RenderOutput,
    /// The preview turns into the refined picture sample by sample.
    pub is_gradual: bool,
}

impl Refiner<'_> {
    /// So many passes are submitted before one waits for them, so that the queue of the driver does not grow without
    /// limit.
    const UNWAITED: usize = 64;

    /// Adds all samples to the picture of `scene`. When this returns, the adapter may still be drawing the last ones.
    fn add_all(&mut self, scene: &Scene) {
        for pass in 1.. {
            if !self.output.wants_samples(scene) || self.submit(scene, None, None) == Step::Done {
                break;
            }
            if pass % Self::UNWAITED == 0 {
                self.gpu.wait();
            }
        }
    }

    /// Draws one pass of a sample, or a part of one, and waits for it: input that arrives meanwhile must not wait
    /// longer.
    fn step(&mut self, scene: &Scene, until: Option<Instant>, batch_size: Option<&mut BatchSize>) -> Step {
        let began = Instant::now();
        let step = self.submit(scene, until, batch_size.as_ref().map(|batch_size| batch_size.triangles()));
        self.gpu.wait();
        if let Some(batch_size) = batch_size {
            batch_size.learn(began.elapsed());
        }
        step
    }

    /// Submits one pass of a sample, or a part of one of about so many triangles.
    fn submit(&mut self, scene: &Scene, until: Option<Instant>, triangles: Option<u32>) -> Step {
        let label = Some("sample");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        // Where the drawing blends, every pass of every sample would sum the targets again.
        let mode = if scene.mode.blends_while_drawing() { BlendMode::Compute } else { scene.mode };
        // A picture in between may have blended other weights; if there was none, nothing is done.
        self.head.blend(self.gpu, &mut encoder, scene, mode, None);
        let (gpu, head, finisher) = (self.gpu, &mut *self.head, self.finisher);
        let part = SamplePart { until, triangles, is_gradual: self.is_gradual };
        let step = self.output.refine(gpu, &mut encoder, head, scene, finisher, part);
        self.gpu.queue.submit([encoder.finish()]);
        step
    }
}
