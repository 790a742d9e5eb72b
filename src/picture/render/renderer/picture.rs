//! Separate pictures, which are read back: thumbnails, contact sheets, files.

use std::collections::VecDeque;
use std::time::Instant;

use image::RgbaImage;

use super::{DrawError, Refiner, Renderer};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::output::{RenderOutput, drawn_size, preview_tier};
use crate::render::pixel_rect::{PixelRect, Tile};
use crate::render::refinement::{Finisher, Step};
use crate::render::target::Pixels;
use smirk_graphics::gpu::{DeviceError, Gpu, TextureReadback};
use smirk_scene::{Scene, Unseen};

/// A picture that the adapter draws while the program goes on.
#[derive(Debug)]
pub struct PendingPicture {
    gpu: Gpu,
    size: [u32; 2],
    pixels: Pixels,
    /// The tiles that are not drawn, in order.
    left: VecDeque<Tile>,
    /// What the first of them is drawn into, once it is begun.
    output: Option<RenderOutput>,
    tiles: Vec<(PixelRect, TextureReadback)>,
    /// Why nothing of the head is seen, once all is drawn.
    unseen: Option<Unseen>,
}

impl PendingPicture {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Why nothing of the head is seen in the picture, if all of it is drawn; none if something may be seen.
    pub fn unseen(&self) -> Option<Unseen> {
        self.unseen
    }

    /// Waits until the picture is drawn, and not for pictures that were begun later.
    pub fn wait(&self) {
        self.tiles.iter().for_each(|(_, readback)| self.gpu.wait_for(readback));
    }

    /// Whether the picture is drawn and can be read without waiting.
    pub fn is_there(&self) -> bool {
        self.left.is_empty() && self.tiles.iter().all(|(_, readback)| self.gpu.is_there(readback))
    }

    /// Waits for the picture, and not for pictures that were begun later. Returns its pixels, row by row from the top,
    /// without gaps. An error if it cannot be read, as after the loss of the device.
    pub fn bytes(self) -> Result<Vec<u8>, DeviceError> {
        let per_pixel = self.pixels.bytes();
        let row = self.size[0] as usize * per_pixel;
        let mut bytes = vec![0; row * self.size[1] as usize];
        for (PixelRect { min: [x, y], .. }, readback) in self.tiles {
            let first = y as usize * row + x as usize * per_pixel;
            self.gpu.finish_read(readback, |index, line| {
                let at = first + index * row;
                bytes[at..at + line.len()].copy_from_slice(line);
            })?;
        }
        Ok(bytes)
    }

    /// [`Self::bytes`] of a picture of [`Pixels::Screen`].
    pub fn into_image(self) -> Result<RgbaImage, DeviceError> {
        let [width, height] = self.size;
        Ok(RgbaImage::from_raw(width, height, self.bytes()?).expect("there are four bytes per pixel"))
    }
}

impl Renderer {
    /// Draws `scene` into an image of its own and reads it back, waiting for the GPU. [`Self::image`] and the measured
    /// times stay as they are, and the next [`Self::draw`] does what it would have done without this call.
    pub fn picture(&mut self, scene: &Scene) -> Result<RgbaImage, DrawError> {
        Ok(self.begin_picture(scene, Pixels::Screen)?.into_image()?)
    }

    /// Like [`Self::picture`], without waiting: the adapter draws one picture while the program works on the one
    /// before.
    ///
    /// A picture that is larger than the adapter draws at once, or of more than some eight million pixels, is drawn in
    /// tiles. One of [`Pixels::Light`] is always refined, with one sample at least.
    pub fn begin_picture(&mut self, scene: &Scene, pixels: Pixels) -> Result<PendingPicture, DrawError> {
        let mut picture = self.new_picture(scene, pixels);
        self.draw_picture(&mut picture, scene, None)?;
        Ok(picture)
    }

    /// A picture of which nothing is drawn; see [`Self::draw_picture`].
    pub fn new_picture(&self, scene: &Scene, pixels: Pixels) -> PendingPicture {
        let size = drawn_size(scene);
        let left = Tile::of_picture(size, self.gpu.device.limits().max_texture_dimension_2d).into();
        PendingPicture { gpu: self.gpu.clone(), size, pixels, left, output: None, tiles: Vec::new(), unseen: None }
    }

    /// Goes on with a picture of `scene`, which is the same in every call. Returns whether all of it is drawn.
    ///
    /// Without `until`, everything that is left is submitted, and not waited for. With it, one pass of a sample is
    /// drawn and waited for after the other, at least one, until that time: the frames of a window come in between, and
    /// may blend other weights.
    pub fn draw_picture(
        &mut self,
        picture: &mut PendingPicture,
        scene: &Scene,
        until: Option<Instant>,
    ) -> Result<bool, DrawError> {
        // An unfinished picture would go on with the vertices of this one.
        self.output.abandon();
        let mut quality = scene.quality;
        if picture.pixels == Pixels::Light {
            quality.samples = quality.samples.max(1);
        }
        let scene = &Scene { quality, ..scene.clone() };
        let mut head = self.take_head(scene)?;
        while let Some(&tile) = picture.left.front() {
            let mut output = picture.output.take();
            let is_drawn = self.draw_tile(&mut output, &mut head, scene, tile, picture.pixels, until);
            picture.output = output;
            if is_drawn && let Some(output) = picture.output.take() {
                picture.left.pop_front();
                let texture = output.texture().expect("a tile that is drawn has a texture");
                picture.tiles.push((tile.region, self.gpu.begin_read(texture)));
                self.side_outputs.push(output);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        if picture.left.is_empty() {
            picture.unseen = head.unseen(scene);
        }
        self.head = Some(head);
        Ok(picture.left.is_empty())
    }

    /// Draws a tile, or the next pass of one with `until`. Returns whether it is complete.
    fn draw_tile(
        &mut self,
        output: &mut Option<RenderOutput>,
        head: &mut HeadOnGpu,
        scene: &Scene,
        tile: Tile,
        pixels: Pixels,
        until: Option<Instant>,
    ) -> bool {
        let is_begun = output.is_some();
        let is_preview = output.as_ref().is_none_or(RenderOutput::is_unfinished);
        let mut encoder = self.new_encoder();
        let gpu = &self.gpu;
        let began = Instant::now();
        if is_preview {
            head.blend(gpu, &mut encoder, scene, scene.mode, None);
            if pixels == Pixels::Screen && !head.build(gpu, scene, preview_tier(scene), until) {
                gpu.queue.submit([encoder.finish()]);
                return false;
            }
        }
        let output = output.get_or_insert_with(|| self.side_outputs.pop().unwrap_or_else(|| RenderOutput::new(gpu)));
        let mut batch_size = self.batch_size.as_mut().filter(|_| until.is_some());
        if is_preview {
            match (is_begun, pixels) {
                (true, _) => output.resume(gpu, head, scene),
                (false, Pixels::Screen) => output.begin(gpu, head, scene, tile, false),
                (false, Pixels::Light) => output.begin_light(gpu, tile),
            }
            let triangles = batch_size.as_ref().map(|batch_size| batch_size.triangles());
            let is_finished = output.advance(&mut encoder, head, &self.background, None, triangles);
            gpu.queue.submit([encoder.finish()]);
            if until.is_some() {
                gpu.wait();
                batch_size.into_iter().for_each(|batch_size| batch_size.learn(began.elapsed()));
                return is_finished && scene.quality.samples == 0;
            }
        }
        if scene.quality.samples == 0 {
            return true;
        }
        let finisher = self.finisher.get_or_insert_with(|| Finisher::new(&gpu.device));
        let mut refiner = Refiner { gpu, finisher, head, output, is_gradual: false };
        if until.is_some() {
            return refiner.step(scene, until, batch_size.take()) == Step::Done;
        }
        refiner.add_all(scene);
        true
    }
}
