//! Large pictures are drawn in tiles.

use std::sync::Arc;

use glam::Vec2;
use image::RgbaImage;
use smirk_face::head::Head;
use smirk_files::import;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::{HeadOnGpu, Pixels, Renderer};
use smirk_scene::{Camera, Look, Quality, Scene, View};
use smirk_support::small_head;

use crate::drawn_exports::difference;

/// The largest side of an image on an adapter here; the depth maps need that much.
const MOST_SIDE: u32 = 2048;

fn renderer(gpu: &Gpu, head: &Arc<Head>) -> Renderer {
    let mut renderer = Renderer::new(gpu);
    let layout = Layout::new(head, Precision::default());
    renderer.set_head(HeadOnGpu::new(gpu, head.clone(), Arc::new(layout)).unwrap());
    renderer
}

#[test]
fn tiles_fit_together() {
    let folder = tempfile::tempdir().unwrap();
    let head = import::open(&small_head::write(folder.path())).unwrap();
    check_tiles(head, &[(false, 2), (true, 2), (false, 0)]);
}

#[test]
#[ignore = "long: ./dev soak"]
fn tiles_of_many_samples_fit_together() {
    check_tiles(import::embedded().unwrap(), &[(false, 16)]);
}

/// Compares pictures that are drawn whole with those drawn in tiles, each transparent or not and with a number of samples.
fn check_tiles(head: Head, pictures: &[(bool, u32)]) {
    let head = Arc::new(head);
    let whole = Gpu::headless(Prefer::Software).unwrap();
    let limits = wgpu::Limits { max_texture_dimension_2d: MOST_SIDE, ..whole.device.limits() };
    let limited = Gpu::with_limits(whole.adapter.clone(), limits).unwrap();
    let mut renderers = [renderer(&whole, &head), renderer(&limited, &head)];
    // A band across the eyes, which is cut between them.
    let size = [2300, 90];
    let aspect = size[0] as f32 / size[1] as f32;
    let mut camera = Camera::framing(head.focus, head.bounds, View::Front, aspect);
    camera.zoom(12.0, Vec2::ZERO);
    for &(is_transparent, samples) in pictures {
        let look = Look { is_transparent, ..Look::default() };
        let scene = Scene {
            weights: head.default_weights().into(),
            quality: Quality::refined(samples),
            ..Scene::at_rest(&head, &camera, &look, size)
        };
        let [expected, tiled] = renderers.each_mut().map(|renderer| renderer.picture(&scene).unwrap());
        assert_eq!(tiled.dimensions(), (size[0], size[1]));
        assert!(difference(&expected, &tiled) < 0.3, "{samples}: {}", difference(&expected, &tiled));
        // Nothing is to be seen where they meet.
        let columns =
            |picture: &RgbaImage| image::imageops::crop_imm(picture, size[0] / 2 - 4, 0, 8, size[1]).to_image();
        let seam = difference(&columns(&expected), &columns(&tiled));
        assert!(seam < 1.0, "{samples}: {seam}");
        let [expected, tiled] = renderers
            .each_mut()
            .map(|renderer| renderer.begin_picture(&scene, Pixels::Light).unwrap().bytes().unwrap());
        assert_eq!((expected.len(), tiled.len()), (2300 * 90 * 8, 2300 * 90 * 8));
        let differing = expected.iter().zip(&tiled).filter(|(a, b)| a != b).count();
        assert!(differing < expected.len() / 3, "{differing} bytes of linear light differ");
    }
}
