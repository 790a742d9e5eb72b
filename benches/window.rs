//! All of a frame that is not the picture of the face, on a software adapter, while the bundled head plays its clip: the panels of
//! a window of 1600×1000 pixels, their triangles, and painting them. By parts as the window does it, and as a whole.
//! `cargo bench -p smirk-benches --bench window`.

mod panels;

use std::sync::Arc;

use divan::Bencher;
use egui_wgpu::ScreenDescriptor;
use panels::{PanelsAlone, SIZE};
use smirk::window::{Contents, Placed, WindowPainter};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::PixelRect;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Bgra8Unorm;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

struct Window {
    gpu: Gpu,
    session: Session,
    ui: PanelsAlone,
    painter: WindowPainter,
    surface: wgpu::Texture,
    /// At half the size of the viewport.
    picture: Option<wgpu::TextureView>,
}

impl Window {
    fn new() -> Self {
        let gpu = smirk_support::software_gpu();
        let head = Arc::new(smirk_files::import::embedded().expect("the head inside the program"));
        let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Compute);
        session.clock.timeline.playing = true;
        let (painter, surface) = (WindowPainter::new(&gpu, FORMAT), texture(&gpu, SIZE));
        let mut window = Self { gpu, session, ui: PanelsAlone::new(), painter, surface, picture: None };
        // What appears gradually is there.
        (0..60).for_each(|_| window.frame(true, true));
        let picture = texture(&window.gpu, window.ui.state.viewport_size_px.map(|side| side / 2));
        window.picture = Some(picture.create_view(&Default::default()));
        window
    }

    fn frame(&mut self, by_parts: bool, is_new: bool) {
        self.session.advance(1.0 / 30.0);
        let mut output = self.ui.frame(&mut self.session, Vec::new());
        let (gpu, painter) = (&self.gpu, &mut self.painter);
        for (id, deltas) in output.textures_delta.set.drain() {
            deltas.iter().for_each(|delta| painter.update_texture(gpu, id, delta));
        }
        if let Some(picture) = &self.picture {
            let state = &self.ui.state;
            let rect = PixelRect { min: state.viewport_min_px, size: state.viewport_size_px };
            let changed = if is_new { PixelRect { min: [0; 2], ..rect } } else { PixelRect::default() };
            painter.show(gpu, 0, Some(picture), Placed { rect, opacity: 1.0 }, changed);
        }
        let screen = ScreenDescriptor { size_in_pixels: SIZE, pixels_per_point: output.pixels_per_point };
        let contents = Contents { context: &self.ui.ctx, shapes: output.shapes, screen };
        if by_parts {
            painter.paint(gpu, contents, &self.surface);
        } else {
            painter.paint_all(gpu, &contents, &self.surface.create_view(&Default::default()));
        }
        gpu.wait();
    }
}

fn texture(gpu: &Gpu, size: [u32; 2]) -> wgpu::Texture {
    gpu.texture(
        "test",
        size,
        FORMAT,
        wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    )
}

/// The panels change as the weights move, and the picture does not.
#[divan::bench]
fn panels_by_parts(bencher: Bencher) {
    let mut window = Window::new();
    bencher.bench_local(|| window.frame(true, false));
}

/// A picture of half the size is enlarged onto the window as well.
#[divan::bench]
fn panels_and_picture_by_parts(bencher: Bencher) {
    let mut window = Window::new();
    bencher.bench_local(|| window.frame(true, true));
}

#[divan::bench]
fn panels_and_picture_as_a_whole(bencher: Bencher) {
    let mut window = Window::new();
    bencher.bench_local(|| window.frame(false, true));
}
