//! The accumulated picture: a preview that rests is refined by accumulating samples. Each sample is a picture with
//! pixels, a point of the key light and directions of the studio's light of its own, so that their mean has smooth
//! edges, soft shadows, and is dark where light does not get to.
//!
//! The points at which a picture is sampled, in the pixel, on the key light and in the studio, are pairs of numbers.
//! Each pair is Sobol's sequence in two dimensions, whose first 2, 4, 8 … points are spread evenly. So that the pairs
//! of a sample do not depend on each other, each is shuffled and scrambled by a seed of its own (B. Burley, "Practical
//! hash-based Owen scrambling", 2020). The numbers are the same on every machine, and so are stored pictures.

mod finisher;
mod maps;

pub(super) use finisher::Finisher;
#[cfg(test)]
pub(super) use finisher::{FinishUniforms as FinishLayout, TAPS as SPREAD_TAPS};

use std::f32::consts::TAU;
use std::time::Instant;

use bytemuck::bytes_of;
use glam::{Mat4, Vec2, Vec3};

use super::batch::Batch;
use super::effort::Effort;
use super::frame_uniforms::{self, FrameUniforms};
use super::head_on_gpu::HeadOnGpu;
use super::light::ShadowView;
use super::pixel_rect::{PixelRect, Tile};
use super::{Pixels, passes};
use finisher::{FinishGroups, FinishUniforms, RefinementTargets};
use maps::SampleMaps;
use smirk_face::head::Bounds;
use smirk_graphics::gpu::Gpu;
use smirk_scene::Scene;

/// What a call of [`Refinement::advance`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Part,
    /// A whole sample, which is in the picture now.
    Shown,
    /// The last sample.
    Done,
}

/// What one call adds to a picture: a part of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct SamplePart {
    /// When the building of pipelines stops; none if it does not.
    pub until: Option<Instant>,
    /// About so many triangles; none for a whole pass.
    pub triangles: Option<u32>,
    /// The means of the first samples are shown too, so that the preview turns into the refined picture sample by
    /// sample. Otherwise only the mean of all samples is shown.
    pub is_gradual: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RefinedPicture<'a> {
    pub scene: &'a Scene,
    /// Its blender has already blended the scene's weights into a buffer.
    pub head: &'a HeadOnGpu,
    /// Those of the blended shape.
    pub bounds: Bounds,
    pub canvas: Canvas<'a>,
    /// See [`SamplePart::is_gradual`].
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
    tiles: Vec<PixelRect>,
    tile: usize,
    /// The samples of the tile that are complete.
    count: u32,
    /// The number of depth maps of this sample that are complete, and how many there are; `None` before the sample
    /// begins.
    maps: Option<[usize; 2]>,
    batch: Batch,
}

impl Refinement {
    /// The largest number of samples of a picture.
    const MOST_SAMPLES: u32 = 4096;
    /// The number of samples after which a preview has turned into the refined picture.
    const GRADUAL_SAMPLES: f32 = 8.0;

    pub(super) fn new(gpu: &Gpu) -> Self {
        let Effort { domes_per_sample, key_map_size, dome_map_size, .. } = Effort::for_adapter(gpu);
        let maps = SampleMaps::new(gpu, key_map_size, dome_map_size);
        let frame = frame_uniforms::frame_buffer(gpu);
        Self {
            frame_group: frame_uniforms::frame_group(&gpu.device, &frame, &maps.key, &maps.domes),
            finish_group: frame_uniforms::frame_alone_group(&gpu.device, &frame),
            maps,
            frame,
            domes_per_sample,
            images: None,
            progress: None,
        }
    }

    pub(super) fn samples_of(scene: &Scene) -> u32 {
        scene.quality.samples.min(Self::MOST_SAMPLES)
    }

    /// Gives up the picture that is being refined.
    pub(super) fn abandon(&mut self) {
        self.progress = None;
    }

    /// Draws the next part of a sample over a picture: of about so many triangles, or a whole pass.
    pub(super) fn advance(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        finisher: &Finisher,
        picture: &RefinedPicture<'_>,
        triangles: Option<u32>,
    ) -> Step {
        let RefinedPicture { scene, head, bounds, canvas, is_gradual } = *picture;
        let (tile, size, samples) = (canvas.tile, canvas.tile.picture, Self::samples_of(scene));
        let whole = picture.uniforms();
        let progress = self.progress.get_or_insert_with(|| Progress::new(picture, whole.projection_from_world));
        let Some(&inner) = progress.tiles.get(progress.tile) else { return Step::Done };
        let spread = Spread::new(scene, bounds, size, whole.millimetres_per_unit);
        // Light also spreads from outside of a tile.
        let is_cut = progress.tiles.len() > 1 || tile != Tile::whole(size);
        let region = if is_cut { inner.grown(spread.most_pixels, size) } else { inner };
        self.images.take_if(|(targets, _)| !targets.holds(region.size));
        let (targets, groups) = self.images.get_or_insert_with(|| {
            let targets = RefinementTargets::new(gpu, region.size);
            let groups = finisher.groups(gpu, &targets);
            (targets, groups)
        });
        if progress.maps.is_none() {
            if let (0, true, Some(moving)) = (progress.count, is_gradual, canvas.moving) {
                targets.keep_before(encoder, moving, region);
            }
            let point = SamplePoint::new(progress.count, self.domes_per_sample);
            let sample = self.maps.place(scene, bounds, point, self.domes_per_sample, samples, whole);
            let in_region = region.clip_from_picture(size, point.in_pixel) * whole.projection_from_world;
            let sample = FrameUniforms { projection_from_world: in_region, ..sample };
            gpu.queue.write_buffer(&self.frame, 0, bytes_of(&sample));
            progress.maps = Some([0, self.maps.write(&gpu.queue, &sample)]);
        }
        // A picture in between may have written those of another size.
        head.strands.iter().for_each(|strands| strands.write(&gpu.queue, region.size, progress.count));
        let mut batch = progress.batch.next(triangles);
        if let Some([done, all]) = progress.maps
            && done < all
            && let Some((view, frame)) = self.maps.target(done)
        {
            let is_finished = passes::record_shadow(encoder, view, frame, head, None, &mut batch);
            progress.batch = if is_finished { Batch::ALL } else { batch };
            progress.maps = Some([done + usize::from(is_finished), all]);
            return Step::Part;
        }
        let (sample, depth, frame) = (&targets.sample, &targets.depth, &self.frame_group);
        let is_finished = passes::record_sample(encoder, sample, depth, region.size, frame, head, &mut batch);
        progress.batch = if is_finished { Batch::ALL } else { batch };
        if !is_finished {
            return Step::Part;
        }
        (progress.maps, progress.count) = (None, progress.count + 1);
        finisher.accumulate(encoder, targets, groups, region, progress.count);
        let is_last = progress.count >= samples;
        if is_gradual || is_last {
            let part = (progress.count as f32 / (samples as f32).min(Self::GRADUAL_SAMPLES)).min(1.0);
            let uniforms = FinishUniforms {
                first_pixel: [0, 1].map(|axis| region.min[axis] as f32 - tile.region.min[axis] as f32),
                weight: if is_last { 1.0 } else { part * part * (3.0 - 2.0 * part) },
                pixels_per_millimetre: spread.pixels_per_millimetre,
                spread_count: spread.count,
                _pad: [0; 3],
                spread: finisher::taps(),
            };
            let min = [0, 1].map(|axis| inner.min[axis] - tile.region.min[axis]);
            let inner = PixelRect { min, ..inner };
            finisher.finish(encoder, &gpu.queue, &self.finish_group, targets, groups, region, inner, canvas, uniforms);
        }
        if is_last {
            (progress.tile, progress.count) = (progress.tile + 1, 0);
        }
        if progress.tile < progress.tiles.len() { Step::Shown } else { Step::Done }
    }
}

impl RefinedPicture<'_> {
    /// The uniforms of the whole picture, without those of a sample.
    fn uniforms(&self) -> FrameUniforms {
        let Self { scene, head, bounds, canvas, .. } = *self;
        let no_shadow = ShadowView::new(bounds, bounds, Vec3::Z, 1);
        let whole = FrameUniforms::new(scene, head.measures(bounds, &scene.weights), &no_shadow, true, canvas.tile);
        match canvas.pixels {
            Pixels::Screen => whole,
            Pixels::Light => FrameUniforms { tone: FrameUniforms::TONE_NONE, ..whole },
        }
    }
}

impl Progress {
    fn new(picture: &RefinedPicture<'_>, projection_from_world: Mat4) -> Self {
        let Canvas { tile, pixels, .. } = picture.canvas;
        let region = match pixels {
            Pixels::Screen => PixelRect::showing(picture.bounds, projection_from_world, tile.picture),
            // Nothing else draws the background.
            Pixels::Light => Some(tile.region),
        };
        let region = region.and_then(|region| region.within(tile.region));
        let tiles = region.map_or_else(Vec::new, |region| region.tiles(PixelRect::MOST_REFINED, u32::MAX));
        Self { tiles, tile: 0, count: 0, maps: None, batch: Batch::ALL }
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

    fn new(scene: &Scene, bounds: Bounds, picture: [u32; 2], millimetres_per_unit: f32) -> Self {
        let pixels_per_unit = picture[1] as f32 * 0.5 / (scene.camera.fov_y * 0.5).tan().max(1e-6);
        let pixels_per_millimetre = pixels_per_unit / millimetres_per_unit.max(1e-6);
        let nearest = scene.camera.eye_in_world().distance(bounds.center()) - bounds.radius();
        let nearest = nearest.max(bounds.radius() * 0.1).max(f32::MIN_POSITIVE);
        let most = pixels_per_millimetre / nearest * finisher::MOST_MM;
        Self {
            pixels_per_millimetre,
            count: if most > Self::LEAST_PIXELS { finisher::TAPS as u32 - 1 } else { 0 },
            most_pixels: most.ceil().clamp(0.0, 128.0) as u32,
        }
    }
}

/// The image that a refined picture is drawn into.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Canvas<'a> {
    /// The part of the picture that the image shows.
    pub tile: Tile,
    /// The view of the image that is drawn into.
    pub view: &'a wgpu::TextureView,
    /// The same image with the preview; none for [`Pixels::Light`], of which there is no such picture.
    pub moving: Option<&'a wgpu::Texture>,
    pub pixels: Pixels,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct SamplePoint {
    /// The offset from the middle of the pixel, in pixels, distributed as a tent.
    pub in_pixel: Vec2,
    /// A point of the unit disc: the part of the key light.
    pub on_key: Vec2,
    /// The place of the first direction of the studio in [`studio_point`].
    pub first_dome: u32,
}

impl SamplePoint {
    /// The half-width of the tent in pixels. A tent of 1 has no aliasing that can be seen, but is less sharp.
    const PIXEL_RADIUS: f32 = 0.9;

    /// Sample `index` of a picture with so many directions of the studio per sample.
    fn new(index: u32, domes: u32) -> Self {
        let [x, y] = pair(index, 0x68bc_21eb);
        let [u, v] = pair(index, 0x02e5_be93);
        let tent = [x, y].map(|x| if x < 0.5 { (2.0 * x).sqrt() - 1.0 } else { 1.0 - (2.0 - 2.0 * x).sqrt() });
        Self {
            in_pixel: Vec2::from(tent) * Self::PIXEL_RADIUS,
            on_key: Vec2::from_angle(v * TAU) * u.sqrt(),
            first_dome: index.wrapping_mul(domes),
        }
    }
}

/// Two evenly distributed numbers in 0..1 for the direction `index` of the studio's light: the R2 sequence (M. Roberts,
/// "The unreasonable effectiveness of quasirandom sequences", 2018). Few directions have to do for a picture, and any
/// number of its points is spread evenly, while Sobol's are so at powers of two.
fn studio_point(index: u32) -> [f32; 2] {
    // 1 / g and 1 / g² of the plastic number g, as binary fractions.
    const STEPS: [u32; 2] = [3_242_174_889, 2_447_445_414];
    STEPS.map(|step| ((1_u32 << 31).wrapping_add(index.wrapping_mul(step)) >> 8) as f32 / (1 << 24) as f32)
}

/// Point `index` of a sequence of evenly distributed points in the unit square.
fn pair(index: u32, seed: u32) -> [f32; 2] {
    // Bits are flipped by those above them, so that the first 2, 4, 8 … points stay together.
    let index = scrambled(index, seed);
    let first = scrambled(index.reverse_bits(), seed ^ 0xa511_e9b3);
    let second = scrambled(sobol_second(index), seed ^ 0x63d8_3595);
    [first, second].map(|bits| (bits >> 8) as f32 / (1 << 24) as f32)
}

/// The second dimension of Sobol's sequence, as a binary fraction.
fn sobol_second(index: u32) -> u32 {
    let mut direction = 1_u32 << 31;
    let mut sum = 0;
    for bit in 0..32 {
        if index >> bit & 1 == 1 {
            sum ^= direction;
        }
        direction ^= direction >> 1;
    }
    sum
}

/// Owen's scrambling of a binary fraction: each bit is flipped or not, depending on the seed and on the bits above it.
fn scrambled(fraction: u32, seed: u32) -> u32 {
    let mut bits = fraction.reverse_bits().wrapping_add(seed);
    bits ^= bits.wrapping_mul(0x6c50_b47c);
    bits ^= bits.wrapping_mul(0xb82f_1e52);
    bits ^= bits.wrapping_mul(0xc7af_e638);
    bits ^= bits.wrapping_mul(0x8d22_f6e6);
    bits.reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_of_each_pair_are_spread_evenly() {
        for seed in [0x68bc_21eb, 0x02e5_be93] {
            for power in [1, 2, 4, 6] {
                let count = 1_u32 << power;
                // One point in each column, in each row, and, for even powers, in each square.
                for (columns, rows) in [(count, 1), (1, count), (1 << (power / 2), 1 << (power - power / 2))] {
                    let mut cells: Vec<u32> = (0..count)
                        .map(|index| {
                            let [x, y] = pair(index, seed);
                            (x * columns as f32) as u32 + columns * (y * rows as f32) as u32
                        })
                        .collect();
                    cells.sort_unstable();
                    cells.dedup();
                    assert_eq!(cells.len() as u32, count, "{columns} × {rows} of {seed:x}");
                }
            }
        }
    }

    #[test]
    fn samples_stay_in_the_pixel_and_on_the_light_and_have_the_right_mean() {
        let points: Vec<SamplePoint> = (0..256).map(|index| SamplePoint::new(index, 1)).collect();
        let mean = |of: fn(&SamplePoint) -> Vec2| points.iter().map(of).sum::<Vec2>() / 256.0;
        assert!(mean(|point| point.in_pixel).length() < 0.01 && mean(|point| point.on_key).length() < 0.02);
        for point in points {
            assert!(point.in_pixel.abs().max_element() <= SamplePoint::PIXEL_RADIUS && point.on_key.length() <= 1.0);
        }
    }
}
