//! The resting tier: a picture that rests is refined by accumulating samples. Each sample is a picture with pixels, a point of the key
//! light and directions of the studio's light of its own, so that their mean has smooth edges, soft shadows, and is dark where light
//! does not get to.
//!
//! - `sequence`: the points of the samples. `canvas`: the image that is drawn into.
//! - `maps`: the depth maps of a sample. `targets`: the images of samples and means.
//! - `finisher`: the passes over pixels. `skin_spread`: how far light spreads in skin.

mod canvas;
mod finisher;
mod maps;
mod sequence;
mod skin_spread;
mod targets;

use bytemuck::bytes_of;
use glam::Vec3;

use crate::scene::Scene;
use smirk_face::head::Bounds;
use smirk_graphics::gpu::Gpu;

use super::Pixels;
use super::frame_uniforms::{self, FrameUniforms};
use super::head_on_gpu::HeadOnGpu;
use super::light::ShadowView;
use super::passes::{self, Portion};
use super::region::{Region, Tile};
use finisher::{FinishGroups, FinishUniforms};
use maps::SampleMaps;
use sequence::SamplePoint;
use targets::RefinementTargets;

pub(super) use canvas::Canvas;
pub(super) use finisher::Finisher;
#[cfg(test)]
pub(super) use {finisher::FinishUniforms as FinishLayout, skin_spread::TAPS as SPREAD_TAPS};

/// What a call of [`Refinement::advance`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A part of a sample.
    Part,
    /// A whole sample, which is in the picture now.
    Shown,
    /// The last sample.
    Done,
}

/// How a picture is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The number of samples.
    pub samples: u32,
    /// The picture of the moving tier turns into the refined one sample by sample. Otherwise only the mean of all samples is shown.
    pub is_gradual: bool,
}

/// The refinement of the pictures of one output.
#[derive(Debug)]
pub(super) struct Refinement {
    maps: SampleMaps,
    /// The buffer of [`FrameUniforms`] of the sample.
    frame: wgpu::Buffer,
    /// Bind group 0 of the pass that draws a sample.
    frame_group: wgpu::BindGroup,
    /// Bind group 0 of the finishing passes.
    finish_group: wgpu::BindGroup,
    domes_per_sample: u32,
    images: Option<(RefinementTargets, FinishGroups)>,
    progress: Option<Progress>,
}

/// A picture that is being refined.
#[derive(Debug)]
struct Progress {
    tiles: Vec<Region>,
    tile: usize,
    /// The samples of the tile that are complete.
    count: u32,
    /// The number of depth maps of this sample that are complete, and how many there are; `None` before the sample begins.
    maps: Option<[usize; 2]>,
    portion: Portion,
}

impl Refinement {
    /// The largest number of samples of a picture.
    const MOST_SAMPLES: u32 = 4096;
    /// The number of samples after which a picture of the moving tier has turned into the refined one.
    const GRADUAL_SAMPLES: f32 = 8.0;

    pub(super) fn new(gpu: &Gpu) -> Self {
        // On a software adapter, drawing a map takes as long as drawing the picture.
        let (domes_per_sample, key_size, dome_size) = if gpu.is_software() { (1, 640, 448) } else { (2, 1024, 768) };
        let maps = SampleMaps::new(&gpu.device, key_size, dome_size);
        let frame = frame_uniforms::frame_buffer(&gpu.device);
        Self {
            frame_group: frame_uniforms::frame_group(&gpu.device, &frame, &maps.key, &maps.domes),
            finish_group: frame_uniforms::shadow_group(&gpu.device, &frame),
            maps,
            frame,
            domes_per_sample,
            images: None,
            progress: None,
        }
    }

    /// The number of samples of a picture.
    pub(super) fn samples_of(scene: &Scene<'_>) -> u32 {
        scene.quality.refinement.min(Self::MOST_SAMPLES)
    }

    /// Gives up the picture that is being refined.
    pub(super) fn abandon(&mut self) {
        self.progress = None;
    }

    /// Draws the next part of a sample of `scene` over its picture in `canvas`: of about so many triangles, or a whole pass. The
    /// head's blender has already blended the scene's weights into a buffer. `bounds` are those of the blended shape.
    #[expect(clippy::too_many_arguments, reason = "all of them belong to one picture")]
    pub(super) fn advance(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        finisher: &Finisher,
        head: &HeadOnGpu,
        (scene, bounds): (&Scene<'_>, Bounds),
        canvas: Canvas<'_>,
        plan: Plan,
        triangles: Option<u32>,
    ) -> Step {
        let Canvas { tile, .. } = canvas;
        let picture = tile.picture;
        let whole = FrameUniforms::new(
            scene,
            head.measures(bounds, scene.weights),
            &ShadowView::new(bounds, bounds, Vec3::Z, 1),
            true,
            tile,
        );
        let whole = match canvas.pixels {
            Pixels::Screen => whole,
            Pixels::Light => FrameUniforms { tone: FrameUniforms::TONE_NONE, ..whole },
        };
        let progress = self.progress.get_or_insert_with(|| Progress {
            tiles: match canvas.pixels {
                Pixels::Screen => Region::showing(bounds, whole.projection_from_world, picture),
                // Nothing else draws the background.
                Pixels::Light => Some(tile.region),
            }
            .and_then(|region| region.within(tile.region))
            .map_or_else(Vec::new, |region| region.tiles(Region::MOST_REFINED, u32::MAX)),
            tile: 0,
            count: 0,
            maps: None,
            portion: Portion::ALL,
        });
        let Some(&inner) = progress.tiles.get(progress.tile) else { return Step::Done };
        let spread = Spread::new(scene, bounds, picture, whole.millimetres_per_unit);
        // Light also spreads from outside of a tile.
        let is_cut = progress.tiles.len() > 1 || tile != Tile::whole(picture);
        let region = if is_cut { inner.grown(spread.most_pixels, picture) } else { inner };
        let is_large_enough = |(targets, _): &(RefinementTargets, _)| targets.holds(region.size);
        if !self.images.as_ref().is_some_and(is_large_enough) {
            self.images = None;
            let targets = RefinementTargets::new(&gpu.device, region.size);
            let groups = finisher.groups(&gpu.device, &targets);
            self.images = Some((targets, groups));
        }
        let Some((targets, groups)) = &self.images else { return Step::Done };
        let [maps_done, maps] = *progress.maps.get_or_insert_with(|| {
            if progress.count == 0
                && plan.is_gradual
                && let Some(moving) = canvas.moving
            {
                targets.keep_before(encoder, moving, region);
            }
            let point = SamplePoint::new(progress.count, self.domes_per_sample);
            let sample = self.maps.place(scene, bounds, point, self.domes_per_sample, Self::samples_of(scene), whole);
            let in_region = region.clip_from_picture(picture, point.in_pixel) * whole.projection_from_world;
            let sample = FrameUniforms { projection_from_world: in_region, ..sample };
            gpu.queue.write_buffer(&self.frame, 0, bytes_of(&sample));
            [0, self.maps.write(&gpu.queue, &sample)]
        });
        // A picture in between may have written those of another size.
        head.strands.iter().for_each(|strands| strands.write(&gpu.queue, region.size, progress.count));
        let mut portion = triangles.map_or(progress.portion, |triangles| progress.portion.next(triangles));
        if maps_done < maps
            && let Some((view, frame)) = self.maps.target(maps_done)
        {
            let is_finished = passes::record_shadow(encoder, view, frame, head, None, &mut portion);
            progress.portion = if is_finished { Portion::ALL } else { portion };
            progress.maps = Some([maps_done + usize::from(is_finished), maps]);
            return Step::Part;
        }
        let is_finished =
            passes::record_sample(encoder, targets.attachments(), region.size, &self.frame_group, head, &mut portion);
        progress.portion = if is_finished { Portion::ALL } else { portion };
        if !is_finished {
            return Step::Part;
        }
        (progress.maps, progress.count) = (None, progress.count + 1);
        finisher.accumulate(encoder, targets, groups, region, progress.count);
        let is_last = progress.count >= plan.samples;
        if plan.is_gradual || is_last {
            let part = (progress.count as f32 / (plan.samples as f32).min(Self::GRADUAL_SAMPLES)).min(1.0);
            let uniforms = FinishUniforms {
                first_pixel: [0, 1].map(|axis| region.min[axis] as f32 - tile.region.min[axis] as f32),
                weight: if is_last { 1.0 } else { part * part * (3.0 - 2.0 * part) },
                pixels_per_millimetre: spread.pixels_per_millimetre,
                spread_count: spread.count,
                _pad: [0; 3],
                spread: skin_spread::taps(),
            };
            let images = (targets, groups);
            let min = [0, 1].map(|axis| inner.min[axis] - tile.region.min[axis]);
            let regions = [region, Region { min, ..inner }];
            finisher.finish(encoder, &gpu.queue, &self.finish_group, images, regions, canvas, uniforms);
        }
        if is_last {
            (progress.tile, progress.count) = (progress.tile + 1, 0);
        }
        if progress.tile < progress.tiles.len() { Step::Shown } else { Step::Done }
    }
}

/// How far light spreads in skin on the screen.
#[derive(Clone, Copy, Debug)]
struct Spread {
    /// At distance 1 along the view.
    pixels_per_millimetre: f32,
    /// The number of taps on each side; 0 where spreading would not be visible.
    count: u32,
    /// The largest number of pixels, at the part of the head that is next to the eye.
    most_pixels: u32,
}

impl Spread {
    /// Spreading by fewer pixels is not visible.
    const LEAST_PIXELS: f32 = 0.7;

    fn new(scene: &Scene<'_>, bounds: Bounds, picture: [u32; 2], millimetres_per_unit: f32) -> Self {
        let pixels_per_unit = picture[1] as f32 * 0.5 / (scene.camera.fov_y * 0.5).tan().max(1e-6);
        let pixels_per_millimetre = pixels_per_unit / millimetres_per_unit.max(1e-6);
        let nearest = scene.camera.eye_in_world().distance(bounds.center()) - bounds.radius();
        let nearest = nearest.max(bounds.radius() * 0.1).max(f32::MIN_POSITIVE);
        let most = pixels_per_millimetre / nearest * skin_spread::MOST_MM;
        Self {
            pixels_per_millimetre,
            count: if most > Self::LEAST_PIXELS { skin_spread::TAPS as u32 - 1 } else { 0 },
            most_pixels: most.ceil().clamp(0.0, 128.0) as u32,
        }
    }
}
