//! Connects egui to the window: passes window events to egui and paints its frames to the window's surface.

mod damage;
mod input_queue;
mod painter;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use egui::accesskit::TreeUpdate;
use egui::epaint::{ImageData, ImageDelta};
use egui::{ColorImage, TextureId};
use egui_wgpu::ScreenDescriptor;
use egui_winit::accesskit_winit;
use image::RgbaImage;
use input_queue::InputQueue;
use painter::view_of;
pub use painter::{Contents, Placed, WindowPainter};
use winit::event::WindowEvent;
use winit::window::Window;

use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::PixelRect;

/// A window with egui's context, its painter and the surface they are shown on.
pub(super) struct EguiWindow {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    context: egui::Context,
    input: egui_winit::State,
    input_queue: InputQueue,
    pub painter: WindowPainter,
    textures: EguiTextures,
    /// The accessible widgets of the last frame, if egui was asked to describe them.
    widgets: Option<TreeUpdate>,
    retry: Retry,
}

impl EguiWindow {
    /// Sets up egui for a window and a surface created by `instance`. `None` if the adapter cannot draw to the surface.
    pub(super) fn new(
        gpu: &Gpu,
        window: Arc<Window>,
        instance: wgpu::Instance,
        surface: wgpu::Surface<'static>,
        screen_readers: accesskit_winit::Adapter,
    ) -> Option<Self> {
        let configuration = configure(gpu, &window, &surface)?;
        let painter = WindowPainter::new(gpu, configuration.format);
        let context = egui::Context::default();
        let max_texture_side = gpu.device.limits().max_texture_dimension_2d as usize;
        let mut input = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            window.theme(),
            Some(max_texture_side),
        );
        input.accesskit = Some(screen_readers);
        Some(Self {
            window,
            instance,
            surface,
            configuration,
            context,
            input,
            input_queue: InputQueue::default(),
            painter,
            textures: EguiTextures::default(),
            widgets: None,
            retry: Retry::default(),
        })
    }

    /// Opens an adapter again after the device was lost, and uploads egui's textures to it. `watch` is called with the
    /// new device before anything else uses it.
    pub(super) fn reopen(&mut self, watch: impl FnOnce(&Gpu)) -> anyhow::Result<Gpu> {
        let surface = self.instance.create_surface(self.window.clone()).context("the window cannot be drawn to")?;
        let gpu = Gpu::open(&self.instance, Some(&surface), Prefer::Hardware)?;
        watch(&gpu);
        // The old surface must release the window before the new one is configured. wgpu-hal 30 panics while dropping a
        // surface that has a frame in flight, but has released the window by then.
        let old = std::mem::replace(&mut self.surface, surface);
        catch_unwind(AssertUnwindSafe(|| drop(old))).ok();
        self.configuration = configure(&gpu, &self.window, &self.surface)
            .with_context(|| format!("{} cannot show pictures in this window", gpu.info.name))?;
        self.painter = WindowPainter::new(&gpu, self.configuration.format);
        for (id, texture) in self.textures.all() {
            self.painter.update_texture(&gpu, id, texture);
        }
        self.input.set_max_texture_side(gpu.device.limits().max_texture_dimension_2d as usize);
        self.retry = Retry::default();
        Ok(gpu)
    }

    pub(super) fn context(&self) -> &egui::Context {
        &self.context
    }

    /// Passes an event to egui. Whether the window has to be redrawn.
    pub(super) fn on_window_event(&mut self, event: &WindowEvent) -> bool {
        self.input.on_window_event(&self.window, event).repaint
    }

    /// Begins or ends to describe the widgets to screen readers, or does what one asks for.
    pub(super) fn on_accessibility(&mut self, event: accesskit_winit::WindowEvent) {
        match event {
            accesskit_winit::WindowEvent::InitialTreeRequested => self.context.enable_accesskit(),
            accesskit_winit::WindowEvent::ActionRequested(request) => self.input.on_accesskit_action_request(request),
            accesskit_winit::WindowEvent::AccessibilityDeactivated => self.context.disable_accesskit(),
        }
    }

    pub(super) fn resize(&mut self, gpu: &Gpu) {
        let size = self.window.inner_size();
        if size.width > 0 && size.height > 0 && !gpu.is_lost() {
            (self.configuration.width, self.configuration.height) = (size.width, size.height);
            until_taken(gpu, || self.surface.configure(&gpu.device, &self.configuration));
        }
    }

    /// Runs `contents` with the input since the last frame, or the part of it that belongs into one frame.
    pub(super) fn run(&mut self, contents: impl FnMut(&mut egui::Ui)) -> egui::FullOutput {
        let mut input = self.input.take_egui_input(&self.window);
        input.events = self.input_queue.next_frame(input.events);
        let longest_click_secs = self.input_queue.longest_click_secs();
        self.context().options_mut(|options| options.input_options.max_click_duration = longest_click_secs);
        if self.input_queue.has_more() {
            self.context.request_repaint();
        }
        let mut output = self.context.run_ui(input, contents);
        let platform = std::mem::take(&mut output.platform_output);
        self.widgets.clone_from(&platform.accesskit_update);
        self.input.handle_platform_output(&self.window, platform);
        output
    }

    /// The accessible widgets of the last frame; `None` unless egui was asked to describe them.
    pub(super) fn widgets(&self) -> Option<&TreeUpdate> {
        self.widgets.as_ref()
    }

    /// Paints a frame. Returns how long egui can wait for the next one, and a screenshot if `take_screenshot`.
    pub(super) fn paint(
        &mut self,
        gpu: &Gpu,
        output: egui::FullOutput,
        take_screenshot: bool,
    ) -> (Duration, Option<RgbaImage>) {
        let delay = output
            .viewport_output
            .get(&egui::ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        let mut textures = output.textures_delta;
        for (id, deltas) in textures.set.drain() {
            for delta in deltas {
                self.painter.update_texture(gpu, id, &delta);
                self.textures.update(id, &delta);
            }
        }
        let screen = ScreenDescriptor {
            size_in_pixels: [self.configuration.width, self.configuration.height],
            pixels_per_point: output.pixels_per_point,
        };
        let context = self.context.clone();
        let contents = Contents { context: &context, shapes: output.shapes, screen };
        // egui-wgpu panics if the device is lost while it allocates its staging buffer.
        let painted = gpu.survive_loss(|| {
            let screenshot = if take_screenshot { self.take_screenshot(gpu, &contents) } else { None };
            self.present(gpu, contents);
            screenshot
        });
        for id in textures.free.drain() {
            self.painter.free_texture(id);
            self.textures.remove(id);
        }
        (delay, painted.flatten())
    }

    fn present(&mut self, gpu: &Gpu, contents: Contents<'_>) {
        use wgpu::CurrentSurfaceTexture as Current;
        if gpu.is_lost() {
            return;
        }
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            Current::Timeout | Current::Occluded => return,
            Current::Outdated | Current::Validation => return self.present_again(gpu),
            Current::Lost => {
                if let Ok(surface) = self.instance.create_surface(self.window.clone()) {
                    self.surface = surface;
                }
                return self.present_again(gpu);
            }
        };
        self.retry.succeeded();
        self.painter.paint(gpu, contents, &frame.texture);
        self.window.pre_present_notify();
        gpu.queue.present(frame);
    }

    fn present_again(&mut self, gpu: &Gpu) {
        self.resize(gpu);
        if self.retry.is_worthwhile(self.window.inner_size().into()) {
            self.window.request_redraw();
        }
    }

    /// The pictures within a rectangle of the window in physical pixels, without the panels and what is drawn over
    /// them.
    pub(super) fn pictures_in(&mut self, gpu: &Gpu, rect: PixelRect) -> Option<RgbaImage> {
        let screen = ScreenDescriptor {
            size_in_pixels: [self.configuration.width, self.configuration.height],
            pixels_per_point: self.context.pixels_per_point(),
        };
        let context = self.context.clone();
        let contents = Contents { context: &context, shapes: Vec::new(), screen };
        let window = gpu.survive_loss(|| self.take_screenshot(gpu, &contents)).flatten()?;
        let ([left, top], [width, height]) = (rect.min, rect.size);
        Some(image::imageops::crop_imm(&window, left, top, width, height).to_image())
    }

    /// Nothing if the device is lost, which what draws the picture reports.
    fn take_screenshot(&mut self, gpu: &Gpu, contents: &Contents<'_>) -> Option<RgbaImage> {
        let [width, height] = contents.screen.size_in_pixels;
        let texture = gpu.texture(
            "screenshot",
            [width, height],
            self.configuration.format,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        );
        self.painter.paint_all(gpu, contents, &view_of(&texture, "screenshot"));
        let mut rgba = gpu.read_texture(&texture).ok()?;
        let is_bgra =
            matches!(self.configuration.format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb);
        for pixel in rgba.chunks_exact_mut(4) {
            if is_bgra {
                pixel.swap(0, 2);
            }
            pixel[3] = 255;
        }
        RgbaImage::from_raw(width, height, rgba)
    }
}

/// Configures a surface for an adapter. `None` if the adapter cannot draw to it.
fn configure(gpu: &Gpu, window: &Window, surface: &wgpu::Surface<'_>) -> Option<wgpu::SurfaceConfiguration> {
    let capabilities = surface.get_capabilities(&gpu.adapter);
    let size = window.inner_size();
    let mut configuration = surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))?;
    // egui blends sRGB-encoded colours, so the surface must not encode them again.
    let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    configuration.format =
        plain.into_iter().find(|format| capabilities.formats.contains(format)).unwrap_or(configuration.format);
    // Waiting for the vertical blank would cost a software adapter time that it needs for drawing.
    configuration.present_mode =
        if gpu.is_software() { wgpu::PresentMode::AutoNoVsync } else { wgpu::PresentMode::AutoVsync };
    configuration.desired_maximum_frame_latency = 1;
    // The contents that are kept on a software adapter are copied to the surface.
    if gpu.is_software() && capabilities.usages.contains(wgpu::TextureUsages::COPY_DST) {
        configuration.usage |= wgpu::TextureUsages::COPY_DST;
    }
    until_taken(gpu, || surface.configure(&gpu.device, &configuration));
    Some(configuration)
}

/// Configures a surface, which wgpu refuses if another thread submits work while it waits for the device: then it is
/// tried again. Only the error of the last try is reported.
fn until_taken(gpu: &Gpu, mut configure: impl FnMut()) {
    const TRIES: u32 = 50;
    if !(1..TRIES).any(|_| gpu.attempt(&mut configure).is_ok() || gpu.is_lost()) {
        configure();
    }
}

/// Limits retries after a frame could not be shown: one at once, and the next after another event. Otherwise a lost
/// device or a window without a size would redraw forever.
#[derive(Clone, Copy, Debug, Default)]
struct Retry {
    is_pending: bool,
}

impl Retry {
    fn succeeded(&mut self) {
        self.is_pending = false;
    }

    fn is_worthwhile(&mut self, window_size: [u32; 2]) -> bool {
        !window_size.contains(&0) && !std::mem::replace(&mut self.is_pending, true)
    }
}

/// The complete image of every texture that egui has uploaded and still uses. After a device loss they are uploaded to
/// the new device, because egui itself only sends changes.
#[derive(Default)]
pub(super) struct EguiTextures(HashMap<TextureId, ImageDelta>);

impl EguiTextures {
    pub(super) fn update(&mut self, id: TextureId, delta: &ImageDelta) {
        let Some(corner) = delta.pos else {
            self.0.insert(id, delta.clone());
            return;
        };
        // A change to a texture that was freed already is ignored.
        let Some(whole) = self.0.get_mut(&id) else { return };
        let (ImageData::Color(whole), ImageData::Color(patch)) = (&mut whole.image, &delta.image);
        paste(Arc::make_mut(whole), patch, corner);
    }

    pub(super) fn remove(&mut self, id: TextureId) {
        self.0.remove(&id);
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (TextureId, &ImageDelta)> {
        self.0.iter().map(|(&id, texture)| (id, texture))
    }
}

fn paste(whole: &mut ColorImage, patch: &ColorImage, [left, top]: [usize; 2]) {
    let ([width, _], [patch_width, _]) = (whole.size, patch.size);
    for (row, texels) in patch.pixels.chunks_exact(patch_width.max(1)).enumerate() {
        let first = (top + row) * width + left;
        whole.pixels[first..first + patch_width].copy_from_slice(texels);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use egui::TextureOptions;

    use super::*;

    #[test]
    fn what_the_device_refuses_for_a_while_is_tried_again_and_not_reported() {
        let gpu = smirk_support::software_gpu();
        let tries = Cell::new(0);
        // An error that nobody catches ends the test.
        until_taken(&gpu, || {
            tries.set(tries.get() + 1);
            let usage = if tries.get() < 4 { wgpu::BufferUsages::empty() } else { wgpu::BufferUsages::COPY_DST };
            let _ = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 4,
                usage,
                mapped_at_creation: false,
            });
        });
        assert_eq!(tries.get(), 4);
    }

    #[test]
    fn a_failed_frame_is_retried_once() {
        let mut retry = Retry::default();
        let tries = |retry: &mut Retry| [[0, 9], [9, 9], [9, 9]].map(|size| retry.is_worthwhile(size));
        assert_eq!(tries(&mut retry), [false, true, false]);
        retry.succeeded();
        assert_eq!(tries(&mut retry), [false, true, false], "a later failure is retried again");
    }

    fn texels(textures: &EguiTextures, id: TextureId) -> Vec<u8> {
        let (_, whole) = textures.all().find(|(other, _)| *other == id).unwrap();
        assert_eq!(whole.pos, None, "the complete image");
        let ImageData::Color(image) = &whole.image;
        image.pixels.iter().map(|color| color.r()).collect()
    }

    fn delta(size: [usize; 2], gray: &[u8], pos: Option<[usize; 2]>) -> ImageDelta {
        ImageDelta { image: ColorImage::from_gray(size, gray).into(), options: TextureOptions::LINEAR, pos }
    }

    #[test]
    fn a_patch_changes_its_own_texels_and_no_others() {
        let (font, face) = (TextureId::Managed(0), TextureId::Managed(1));
        let mut textures = EguiTextures::default();
        textures.update(font, &delta([3, 3], &[1; 9], None));
        textures.update(face, &delta([1, 1], &[7], None));
        textures.update(font, &delta([2, 2], &[2, 3, 4, 5], Some([1, 1])));
        assert_eq!(texels(&textures, font), [1, 1, 1, 1, 2, 3, 1, 4, 5]);
        assert_eq!(texels(&textures, face), [7]);
        textures.update(font, &delta([2, 1], &[8, 9], None));
        assert_eq!(texels(&textures, font), [8, 9], "a texture of another size replaces the old one");
        textures.remove(face);
        textures.update(face, &delta([1, 1], &[7], Some([0, 0])));
        assert_eq!(textures.all().count(), 1);
    }
}
