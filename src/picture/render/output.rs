//! An output of the renderer: the images that are drawn into, the uniforms of the frame, the shadow map, and copies of
//! the scenes that the image and the shadow map show. The window has one output and separate pictures have another, so
//! that drawing to one does not change the other. Both share the head with its blender and its pipelines.

use glam::Vec3;

use super::batch::Batch;
use super::frame_uniforms::{self, FrameUniforms};
use super::head_on_gpu::HeadOnGpu;
use super::light::{self, Dome, SHADOW_MAP_SIZE, ShadowMap, ShadowView};
use super::passes::{self, Background};
use super::pipelines::Tier;
use super::pixel_rect::{PixelRect, Tile};
use super::refinement::{Canvas, Finisher, RefinedPicture, Refinement, SamplePart, Step};
use super::target::Pixels;
use super::target::{self, RenderTarget, RenderTargets};
use super::timing::GpuTimer;
use smirk_face::head::Bounds;
use smirk_graphics::gpu::Gpu;
use smirk_scene::{Quality, Scene, Unseen};

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
    drawn: Option<Scene>,
    shadow_drawn: Option<Scene>,
    /// The key light's view of that scene.
    shadow_view: ShadowView,
    /// The picture that is being drawn.
    unfinished: Option<Unfinished>,
    /// The scene of the picture that is being drawn.
    next: Option<Scene>,
    /// The number of samples that the last scene asked for.
    wanted: u32,
    /// The number of samples that the newest image will have; 0 while it is the preview.
    begun: u32,
    /// The number of samples in the newest image; 0 while it is the preview, or turns into the refined picture.
    refined: u32,
    refinement: Option<Refinement>,
    /// The part of the picture that the newest image shows.
    tile: Tile,
    /// The part of the newest image that shows the head; none if the head is outside, and the whole image on hardware,
    /// where it is not needed.
    head_part: Option<PixelRect>,
    /// The part in which the newest image differs from the one before; none if it is the same.
    changed: Option<PixelRect>,
    /// Why nothing of the head is seen in the newest image.
    unseen: Option<Unseen>,
    /// The image of linear light, if the last picture is of [`Pixels::Light`].
    light: Option<(wgpu::Texture, wgpu::TextureView)>,
}

/// A picture that is being drawn, in one batch or in several.
#[derive(Debug)]
struct Unfinished {
    target: RenderTarget,
    /// How far the shadow map is drawn, until it is complete.
    shadow: Option<Batch>,
    picture: Batch,
    has_shadow_pass: bool,
    quality: Quality,
    head_part: Option<PixelRect>,
    unseen: Option<Unseen>,
}

impl RenderOutput {
    /// An output that shows nothing yet.
    pub(super) fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let shadow_map = ShadowMap::new(device, SHADOW_MAP_SIZE);
        let frame = frame_uniforms::frame_buffer(gpu);
        // A preview reads no domes, but its layout has them.
        let no_domes = light::layers_view(&light::depth_map(device, "no domes", 1, Dome::MOST as u32));
        let frame_group = frame_uniforms::frame_group(device, &frame, &shadow_map, &no_domes);
        let shadow_group = frame_uniforms::frame_alone_group(device, &frame);
        Self {
            targets: RenderTargets::default(),
            shadow_map,
            frame,
            frame_group,
            shadow_group,
            drawn: None,
            shadow_drawn: None,
            shadow_view: ShadowView::new(Bounds::EMPTY, Bounds::EMPTY, Vec3::Z, SHADOW_MAP_SIZE),
            unfinished: None,
            next: None,
            wanted: 0,
            begun: 0,
            refined: 0,
            refinement: None,
            tile: Tile::whole([0; 2]),
            head_part: None,
            changed: None,
            unseen: None,
            light: None,
        }
    }

    /// Why nothing of the head is seen in the newest image; none if something may be seen.
    pub(super) fn unseen(&self) -> Option<Unseen> {
        self.unseen
    }

    pub(super) fn drawn(&self) -> Option<&Scene> {
        self.drawn.as_ref()
    }

    /// Discards the copies of the drawn scenes, so that the next scene is drawn even if it is the same, and so that
    /// none of them keeps a closed head in memory.
    pub(super) fn forget(&mut self) {
        self.abandon();
        self.refinement.iter_mut().for_each(Refinement::abandon);
        (self.drawn, self.shadow_drawn, self.next) = (None, None, None);
    }

    /// Whether a picture is being drawn that needs further batches.
    pub(super) fn is_unfinished(&self) -> bool {
        self.unfinished.is_some()
    }

    /// The number of draws of the unfinished picture that are done, those of the shadow map included.
    pub(super) fn draws_done(&self) -> Option<usize> {
        self.unfinished.as_ref().map(|unfinished| unfinished.shadow.unwrap_or(unfinished.picture).draws_done())
    }

    /// Gives up an unfinished picture where one of `scene` is wanted instead. Whoever `waits` for it gets a picture of
    /// this scene and not the one begun before. Otherwise the one begun before is finished first, unless it is finer:
    /// then a coarse one of `scene` is quicker.
    pub(super) fn abandon_unless_wanted(&mut self, scene: &Scene, waits: bool) {
        let is_outdated = !self.next.as_ref().is_some_and(|next| next.shows(scene));
        let is_finer = self.unfinished.as_ref().is_some_and(|unfinished| unfinished.quality != scene.quality);
        if waits || (is_outdated && is_finer) {
            self.abandon();
        }
    }

    /// Gives up the unfinished picture.
    pub(super) fn abandon(&mut self) {
        if let Some(unfinished) = self.unfinished.take()
            && unfinished.shadow.is_some()
        {
            self.shadow_drawn = None;
        }
    }

    /// Whether the newest image shows a scene, or turns into it. One that is refined with fewer samples is refined
    /// further.
    pub(super) fn is_drawn(&self, scene: &Scene) -> bool {
        let wanted = Refinement::samples_of(scene);
        let fits = self.begun == 0 || self.begun == wanted || (self.refined == self.begun && self.begun < wanted);
        self.drawn().is_some_and(|drawn| drawn.equals(scene)) && fits
    }

    /// Whether samples have to be added to the newest image, which shows `scene`.
    pub(super) fn wants_samples(&mut self, scene: &Scene) -> bool {
        self.wanted = Refinement::samples_of(scene);
        self.refined < self.wanted
    }

    /// Whether the last scene asks for more samples than the newest image has.
    pub(super) fn is_refining(&self) -> bool {
        self.unfinished.is_none() && self.drawn.is_some() && self.refined < self.wanted
    }

    /// Adds a part of a sample of `scene`, which the newest image shows.
    pub(super) fn refine(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        head: &mut HeadOnGpu,
        scene: &Scene,
        finisher: &Finisher,
        part: SamplePart,
    ) -> Step {
        let bounds = head.place(gpu, scene);
        let refinement = self.refinement.get_or_insert_with(|| Refinement::new(gpu));
        let canvas = match (&self.light, self.targets.newest()) {
            (Some((_, view)), _) => Canvas { tile: self.tile, view, moving: None, pixels: Pixels::Light },
            (None, Some(target)) => {
                let (view, moving) = (&target.resolved, Some(&target.texture));
                Canvas { tile: self.tile, view, moving, pixels: Pixels::Screen }
            }
            (None, None) => unreachable!("samples are only added to a picture that is begun"),
        };
        if !head.build(gpu, scene, Tier::Accumulated, part.until) {
            return Step::Part;
        }
        head.choose_strands(scene, Tier::Accumulated);
        self.begun = Refinement::samples_of(scene);
        self.changed = Some(canvas.tile.region);
        let picture = RefinedPicture { scene, head, bounds, canvas, is_gradual: part.is_gradual };
        let step = refinement.advance(gpu, encoder, finisher, &picture, part.triangles);
        if step == Step::Done {
            refinement.abandon();
            self.refined = self.begun;
        }
        step
    }

    /// The texture of the picture drawn last, whatever its pixels are.
    pub(super) fn texture(&self) -> Option<&wgpu::Texture> {
        let light = self.light.as_ref().map(|(texture, _)| texture);
        light.or_else(|| self.targets.newest().map(|target| &target.texture))
    }

    /// The part in which the image drawn last differs from the one before, where it is shown in a rectangle of `size`
    /// pixels.
    pub(super) fn changed_part(&self, size: [u32; 2]) -> PixelRect {
        let (Some(changed), Some(image)) = (self.changed, self.image()) else { return PixelRect::default() };
        changed.enlarged(image.size, size)
    }

    /// The image drawn last.
    pub(super) fn image(&self) -> Option<&RenderTarget> {
        self.targets.newest()
    }

    /// Begins a tile of a picture of [`Pixels::Light`]: all of it is drawn by [`Self::refine`].
    pub(super) fn begin_light(&mut self, gpu: &Gpu, tile: Tile) {
        self.abandon();
        self.refinement.iter_mut().for_each(Refinement::abandon);
        (self.tile, self.begun, self.refined) = (tile, 0, 0);
        self.light.take_if(|(texture, _)| [texture.width(), texture.height()] != tile.region.size);
        self.light.get_or_insert_with(|| {
            const LABEL: &str = "picture, linear light";
            let texture = gpu.texture(
                LABEL,
                tile.region.size,
                Pixels::Light.format(),
                wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            );
            let view = texture.create_view(&wgpu::TextureViewDescriptor { label: Some(LABEL), ..Default::default() });
            (texture, view)
        });
    }

    /// Begins a tile of the picture of `scene`, in place of an unfinished one. The head's blender has already blended
    /// the scene's weights, and the head has the pipelines of the scene's [`preview_tier`]. If it is drawn
    /// `in_batches`, [`Self::image`] stays as it is until the picture is finished.
    pub(super) fn begin(&mut self, gpu: &Gpu, head: &mut HeadOnGpu, scene: &Scene, tile: Tile, in_batches: bool) {
        self.abandon();
        (self.tile, self.light) = (tile, None);
        self.refinement.iter_mut().for_each(Refinement::abandon);
        let msaa = preview_tier(scene).msaa();
        let full_size = [0, 1].map(|axis| scene.size[axis].max(tile.region.size[axis]));
        let target = self.targets.take(&gpu.device, tile.region.size, msaa, full_size, in_batches);
        let bounds = head.place(gpu, scene);
        let shadow = self.shadow_state(scene, msaa);
        let draws_shadow = shadow == ShadowState::Outdated;
        if draws_shadow {
            let to_light = scene.look.key.direction_to_light_in_world();
            self.shadow_view = ShadowView::new(scene.head.bounds, bounds, to_light, SHADOW_MAP_SIZE);
            self.shadow_drawn = Some(scene.clone());
        }
        let uniforms = FrameUniforms::new(
            scene,
            head.measures(bounds, &scene.weights),
            &self.shadow_view,
            shadow != ShadowState::OfAnotherShape,
            tile,
        );
        let head_part = if gpu.is_software() {
            head.part_of_picture(uniforms.projection_from_world, tile.picture)
        } else {
            Some(PixelRect::whole(tile.picture))
        };
        let projection_from_world = tile.clip_from_picture() * uniforms.projection_from_world;
        let uniforms = FrameUniforms { projection_from_world, ..uniforms };
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&uniforms));
        head.choose_preview(gpu, scene, preview_tier(scene), target.size);
        self.next = Some(scene.clone());
        self.wanted = Refinement::samples_of(scene);
        self.unfinished = Some(Unfinished {
            target,
            shadow: draws_shadow.then_some(Batch::ALL),
            picture: Batch::ALL,
            has_shadow_pass: draws_shadow,
            quality: scene.quality,
            head_part,
            unseen: head.unseen(scene),
        });
    }

    /// Places the head for the next batch of the picture of `scene`, after others of the same head may have been drawn.
    pub(super) fn resume(&self, gpu: &Gpu, head: &mut HeadOnGpu, scene: &Scene) {
        head.place(gpu, scene);
        if let Some(unfinished) = &self.unfinished {
            head.choose_preview(gpu, scene, preview_tier(scene), unfinished.target.size);
        }
    }

    /// Records the next batch of the picture, of about `triangles`, or all of it. Returns whether it is finished.
    pub(super) fn advance(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        head: &HeadOnGpu,
        background: &Background,
        timer: Option<&GpuTimer>,
        triangles: Option<u32>,
    ) -> bool {
        let Some(unfinished) = &mut self.unfinished else { return true };
        if let Some(batch) = unfinished.shadow {
            let mut batch = batch.next(triangles);
            let timestamps = timer.map(|timer| timer.draw_writes(true, false));
            let (map, group) = (&self.shadow_map, &self.shadow_group);
            let is_finished = passes::record_shadow(encoder, &map.view, group, head, timestamps, &mut batch);
            unfinished.shadow = (!is_finished).then_some(batch);
            if triangles.is_some() {
                return false;
            }
        }
        let mut batch = unfinished.picture.next(triangles);
        let timestamps = timer.map(|timer| timer.draw_writes(!unfinished.has_shadow_pass, true));
        let (target, group) = (&unfinished.target, &self.frame_group);
        let is_finished = passes::record_picture(encoder, target, group, head, background, timestamps, &mut batch);
        unfinished.picture = batch;
        if is_finished && let Some(unfinished) = self.unfinished.take() {
            let keeps_background = self.drawn.as_ref().zip(self.next.as_ref()).is_some_and(|(before, now)| {
                (before.look, before.size, before.quality) == (now.look, now.size, now.quality)
            });
            self.changed = if keeps_background {
                PixelRect::around([self.head_part, unfinished.head_part])
            } else {
                Some(PixelRect::whole(unfinished.target.size))
            };
            (self.head_part, self.unseen) = (unfinished.head_part, unfinished.unseen);
            self.targets.put(unfinished.target);
            (self.begun, self.refined) = (0, 0);
            self.drawn = self.next.take();
        }
        is_finished
    }

    fn shadow_state(&self, scene: &Scene, msaa: u32) -> ShadowState {
        match &self.shadow_drawn {
            Some(drawn) if drawn.has_light_of(scene) => {
                if drawn.has_shape_of(scene) {
                    ShadowState::Current
                } else if msaa > 1
                    || drawn.distance_of_head(scene) > FrameUniforms::stale_shadow_slack(&scene.head) / 3.0
                {
                    // A head that has turned away from its shadow would have patches of it on the face.
                    ShadowState::Outdated
                } else {
                    ShadowState::OfAnotherShape
                }
            }
            _ => ShadowState::Outdated,
        }
    }
}

pub(super) fn preview_tier(scene: &Scene) -> Tier {
    Tier::Preview { msaa: target::MSAA_COUNTS[usize::from(scene.quality.msaa > 1)] }
}

/// What the shadow map shows of a scene. It depends on the shape and the light, and not on the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShadowState {
    Current,
    /// The shadow of another shape of the same head. It is used for a picture of low quality while the head moves,
    /// because on a software adapter drawing the map takes as long as drawing the picture.
    OfAnotherShape,
    /// Another head or another light: the map has to be drawn.
    Outdated,
}

/// The size in which a scene is drawn: that of its picture times its scale.
pub(super) fn drawn_size(scene: &Scene) -> [u32; 2] {
    let (least, most) = (*Quality::SCALES.start(), *Quality::SCALES.end());
    let scale = if scene.quality.scale.is_finite() { scene.quality.scale.clamp(least, most) } else { most };
    scene.size.map(|pixels| ((pixels as f32 * scale).round() as u32).max(1))
}
