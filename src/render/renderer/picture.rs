//! Separate pictures, which are read back: thumbnails, contact sheets, files.

use image::RgbaImage;

use super::resting::Refiner;
use super::{HeadNotUploaded, Renderer};
use crate::gpu::{Gpu, TextureReadback};
use crate::render::output::{RenderOutput, drawn_size};
use crate::render::pixels::Pixels;
use crate::render::refinement::Finisher;
use crate::render::region::{Region, Tile};
use crate::scene::Scene;

/// A picture that the adapter draws while the program goes on.
#[derive(Debug)]
pub struct PendingPicture {
    gpu: Gpu,
    size: [u32; 2],
    pixels: Pixels,
    tiles: Vec<(Region, TextureReadback)>,
}

impl PendingPicture {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Waits until the picture is drawn, and not for pictures that were begun later.
    pub fn wait(&self) {
        self.tiles.iter().for_each(|(_, readback)| self.gpu.wait_for(readback));
    }

    /// Waits for the picture, and not for pictures that were begun later. Returns its pixels, row by row from the top, without gaps;
    /// those of a device that is lost are 0.
    pub fn bytes(self) -> Vec<u8> {
        let per_pixel = self.pixels.bytes();
        let row = self.size[0] as usize * per_pixel;
        let mut bytes = vec![0; row * self.size[1] as usize];
        for (Region { min: [x, y], .. }, readback) in self.tiles {
            let first = y as usize * row + x as usize * per_pixel;
            self.gpu.finish_read(readback, |index, line| {
                let at = first + index * row;
                if let Some(into) = bytes.get_mut(at..at + line.len()) {
                    into.copy_from_slice(line);
                }
            });
        }
        bytes
    }

    /// [`Self::bytes`] of a picture of [`Pixels::Screen`].
    pub fn into_image(self) -> RgbaImage {
        let [width, height] = self.size;
        RgbaImage::from_raw(width, height, self.bytes()).unwrap_or_default()
    }
}

impl Renderer {
    /// Draws `scene` into an image of its own and reads it back, waiting for the GPU. [`Self::image`] and the measured
    /// times stay as they are, and the next [`Self::draw`] does what it would have done without this call.
    pub fn picture(&mut self, scene: &Scene<'_>) -> Result<RgbaImage, HeadNotUploaded> {
        Ok(self.begin_picture(scene, Pixels::Screen)?.into_image())
    }

    /// Like [`Self::picture`], without waiting: the adapter draws one picture while the program works on the one before.
    ///
    /// A picture that is larger than the adapter draws at once, or of more than some eight million pixels, is drawn in tiles. One of
    /// [`Pixels::Light`] is always refined, with one sample at least.
    pub fn begin_picture(&mut self, scene: &Scene<'_>, pixels: Pixels) -> Result<PendingPicture, HeadNotUploaded> {
        // An unfinished picture would go on with the vertices of this one.
        self.output.abandon();
        let mut quality = scene.quality;
        if pixels == Pixels::Light {
            quality.refinement = quality.refinement.max(1);
        }
        let scene = &Scene { quality, ..*scene };
        let mut head = self.take_head(scene)?;
        let size = drawn_size(scene);
        let mut tiles = Vec::new();
        for tile in Tile::of_picture(size, self.gpu.device.limits().max_texture_dimension_2d) {
            let mut encoder = self.new_encoder();
            head.blender.blend(&mut encoder, scene.weights, scene.mode, scene.look.normals, None);
            let output = self.side_output.get_or_insert_with(|| RenderOutput::new(&self.gpu.device));
            match pixels {
                Pixels::Screen => output.draw(&self.gpu, &mut encoder, &mut head, scene, tile, &self.background),
                Pixels::Light => output.begin_light(&self.gpu, tile),
            }
            self.gpu.queue.submit([encoder.finish()]);
            if scene.quality.refinement > 0 {
                let finisher = self.finisher.get_or_insert_with(|| Finisher::new(&self.gpu.device));
                Refiner { gpu: &self.gpu, finisher, head: &mut head, output }.add_all(scene);
            }
            if let Some(texture) = output.texture() {
                tiles.push((tile.region, self.gpu.begin_read(texture)));
            }
        }
        self.head = Some(head);
        Ok(PendingPicture { gpu: self.gpu.clone(), size, pixels, tiles })
    }
}
