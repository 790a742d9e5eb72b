//! Paints what egui and the renderer have drawn onto the window.
//!
//! A software adapter paints every pixel with the processor, and the panels of a large window take it as long as the
//! picture. There, the contents of the window are kept in a texture, of which only the parts that changed are painted
//! again.

use egui::epaint::ClippedShape;
use egui::{Color32, Rect, TextureId, pos2, vec2};
use egui_wgpu::ScreenDescriptor;

use super::damage::{Damage, bounds};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{Blit, PixelRect};

pub struct WindowPainter {
    shapes: egui_wgpu::Renderer,
    /// The painters of two images: the picture, and another beside it or over it.
    pictures: [Picture; 2],
    background: Background,
    format: wgpu::TextureFormat,
    keeps_contents: bool,
    kept: Option<Kept>,
}

/// The colour of the panels, where nothing else is painted.
struct Background {
    blit: Blit,
    texture: wgpu::Texture,
    color: Option<Color32>,
}

struct Picture {
    blit: Blit,
    view: Option<wgpu::TextureView>,
    placed: Placed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placed {
    /// A rectangle without a size is not drawn.
    pub rect: PixelRect,
    pub opacity: f32,
}

struct Kept {
    texture: wgpu::Texture,
    shapes: Vec<ClippedShape>,
    pixels_per_point: f32,
    /// What has to be painted again besides the shapes that changed.
    damage: Damage,
}

pub struct Contents<'a> {
    pub context: &'a egui::Context,
    pub shapes: Vec<ClippedShape>,
    pub screen: ScreenDescriptor,
}

impl WindowPainter {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = egui_wgpu::RendererOptions { dithering: !gpu.is_software(), ..Default::default() };
        let pictures = [(); 2].map(|()| Blit::new(&gpu.device, format));
        Self {
            shapes: egui_wgpu::Renderer::new(&gpu.device, format, options),
            pictures: pictures.map(|blit| Picture { blit, view: None, placed: Placed::default() }),
            background: Background::new(gpu, format),
            format,
            keeps_contents: gpu.is_software(),
            kept: None,
        }
    }

    pub fn update_texture(&mut self, gpu: &Gpu, id: TextureId, delta: &egui::epaint::ImageDelta) {
        self.shapes.update_texture(&gpu.device, &gpu.queue, id, delta);
        // Letters are added to the texture of the fonts, and nothing that is shown changes.
        let adds_letters = id == TextureId::default() && delta.pos.is_some();
        if let (Some(kept), false) = (&mut self.kept, adds_letters) {
            kept.damage.add_all();
        }
    }

    pub fn free_texture(&mut self, id: TextureId) {
        self.shapes.free_texture(&id);
    }

    /// Sets one of the two pictures that are drawn under egui's contents, and its place: the second one is beside the
    /// first or over it. `changed` is the part of its place in which the picture has changed since the last frame.
    pub fn show(
        &mut self,
        gpu: &Gpu,
        index: usize,
        view: Option<&wgpu::TextureView>,
        placed: Placed,
        changed: PixelRect,
    ) {
        let picture = &mut self.pictures[index];
        let is_in_place = picture.placed == placed && view.is_none_or(|view| picture.view.as_ref() == Some(view));
        if let Some(view) = view {
            picture.blit.show(&gpu.device, view);
            picture.view = Some(view.clone());
        }
        let before = std::mem::replace(&mut picture.placed, placed);
        let Some(kept) = &mut self.kept else { return };
        if is_in_place {
            let min = [0, 1].map(|axis| placed.rect.min[axis] + changed.min[axis]);
            let size = [0, 1].map(|axis| changed.size[axis].min(placed.rect.size[axis]));
            kept.damage.add(PixelRect { min, size });
        } else {
            kept.damage.add(before.rect);
            kept.damage.add(placed.rect);
        }
    }

    pub fn paint_all(&mut self, gpu: &Gpu, contents: &Contents<'_>, target: &wgpu::TextureView) {
        self.paint_parts(gpu, contents, &[whole(&contents.screen)], target);
    }

    /// Paints the window onto the texture of its surface. Returns the number of pixels that were painted.
    pub fn paint(&mut self, gpu: &Gpu, contents: Contents<'_>, surface: &wgpu::Texture) -> u64 {
        if !self.keeps_contents || !surface.usage().contains(wgpu::TextureUsages::COPY_DST) {
            self.paint_all(gpu, &contents, &view_of(surface, "window"));
            return area(&whole(&contents.screen));
        }
        let kept = self.kept.take().filter(|kept| kept.fits(&contents.screen));
        let mut kept = kept.unwrap_or_else(|| Kept::new(gpu, self.format, &contents.screen));
        kept.damage.add_changes(&kept.shapes, &contents.shapes, kept.pixels_per_point);
        let parts = kept.damage.take();
        if !parts.is_empty() {
            self.paint_parts(gpu, &contents, &parts, &view_of(&kept.texture, "contents of the window"));
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
        encoder.copy_texture_to_texture(kept.texture.as_image_copy(), surface.as_image_copy(), kept.texture.size());
        gpu.queue.submit([encoder.finish()]);
        kept.shapes = contents.shapes;
        self.kept = Some(kept);
        parts.iter().map(area).sum()
    }

    fn paint_parts(
        &mut self,
        gpu: &Gpu,
        Contents { context, shapes, screen }: &Contents<'_>,
        parts: &[PixelRect],
        target: &wgpu::TextureView,
    ) {
        let (size, whole) = (screen.size_in_pixels, whole(screen));
        let jobs = context.tessellate(clipped(shapes, parts, screen.pixels_per_point), screen.pixels_per_point);
        let panel = context.style_of(egui::Theme::Dark).visuals.panel_fill;
        let is_whole = parts == [whole];
        if !is_whole {
            self.background.set(gpu, panel);
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
        let uploads = self.shapes.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &jobs, screen);
        {
            let load = if is_whole { wgpu::LoadOp::Clear(clear_color(panel)) } else { wgpu::LoadOp::Load };
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("window"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            for &part in parts {
                if !is_whole {
                    for part in outside(part, self.pictures[0].placed) {
                        scissor(&mut pass, part);
                        self.background.blit.draw(&mut pass, whole, 1.0, size);
                    }
                }
                scissor(&mut pass, part);
                for Picture { blit, placed, .. } in &self.pictures {
                    blit.draw(&mut pass, placed.rect, placed.opacity, size);
                }
            }
            self.shapes.render(&mut pass.forget_lifetime(), &jobs, screen);
        }
        gpu.queue.submit(uploads.into_iter().chain([encoder.finish()]));
    }
}

impl Background {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let texture = gpu.texture(
            "background",
            [1, 1],
            wgpu::TextureFormat::Rgba8Unorm,
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        );
        let mut blit = Blit::new(&gpu.device, format);
        blit.show(&gpu.device, &view_of(&texture, "background"));
        Self { blit, texture, color: None }
    }

    fn set(&mut self, gpu: &Gpu, color: Color32) {
        if self.color.replace(color) != Some(color) {
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4), rows_per_image: None };
            gpu.queue.write_texture(self.texture.as_image_copy(), &color.to_array(), layout, self.texture.size());
        }
    }
}

impl Kept {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, screen: &ScreenDescriptor) -> Self {
        let texture = gpu.texture(
            "contents of the window",
            screen.size_in_pixels,
            format,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        );
        let mut damage = Damage::new(screen.size_in_pixels);
        damage.add(whole(screen));
        Self { texture, shapes: Vec::new(), pixels_per_point: screen.pixels_per_point, damage }
    }

    fn fits(&self, screen: &ScreenDescriptor) -> bool {
        let size = [self.texture.width(), self.texture.height()];
        size == screen.size_in_pixels && self.pixels_per_point == screen.pixels_per_point
    }
}

pub(super) fn view_of(texture: &wgpu::Texture, label: &str) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor { label: Some(label), ..Default::default() })
}

fn area(rect: &PixelRect) -> u64 {
    u64::from(rect.size[0]) * u64::from(rect.size[1])
}

fn whole(screen: &ScreenDescriptor) -> PixelRect {
    PixelRect { min: [0, 0], size: screen.size_in_pixels }
}

fn scissor(pass: &mut wgpu::RenderPass<'_>, PixelRect { min: [x, y], size: [width, height] }: PixelRect) {
    pass.set_scissor_rect(x, y, width, height);
}

/// Rectangles that together are the part that the picture does not cover.
fn outside(part: PixelRect, picture: Placed) -> Vec<PixelRect> {
    let [left, top] = part.min;
    let [[right, bottom], picture_end] =
        [part, picture.rect].map(|rect| [0, 1].map(|axis| rect.min[axis] + rect.size[axis]));
    let [inner_left, inner_top] = [0, 1].map(|axis| picture.rect.min[axis].max(part.min[axis]));
    let [inner_right, inner_bottom] = [picture_end[0].min(right), picture_end[1].min(bottom)];
    if picture.opacity < 1.0 || inner_left >= inner_right || inner_top >= inner_bottom {
        return vec![part];
    }
    let around = [
        [left, top, right, inner_top],
        [left, inner_top, inner_left, inner_bottom],
        [inner_right, inner_top, right, inner_bottom],
        [left, inner_bottom, right, bottom],
    ];
    let around = around.into_iter().filter(|[left, top, right, bottom]| left < right && top < bottom);
    around.map(|[x, y, right, bottom]| PixelRect { min: [x, y], size: [right - x, bottom - y] }).collect()
}

fn clipped(shapes: &[ClippedShape], parts: &[PixelRect], pixels_per_point: f32) -> Vec<ClippedShape> {
    let bounds: Vec<Rect> = shapes.iter().map(bounds).collect();
    let mut clipped = Vec::new();
    for part in parts {
        let [left, top] = part.min.map(|at| at as f32 / pixels_per_point);
        let [width, height] = part.size.map(|side| side as f32 / pixels_per_point);
        let part = Rect::from_min_size(pos2(left, top), vec2(width, height));
        // Edges are smoothed over a pixel.
        let seen = part.expand(1.0 / pixels_per_point);
        for (shape, _) in shapes.iter().zip(&bounds).filter(|(_, bounds)| seen.intersects(**bounds)) {
            let clip_rect = shape.clip_rect.intersect(part);
            if clip_rect.is_positive() {
                clipped.push(ClippedShape { clip_rect, ..shape.clone() });
            }
        }
    }
    clipped
}

fn clear_color(color: Color32) -> wgpu::Color {
    let [r, g, b, a] = color.to_array().map(|byte| f64::from(byte) / 255.0);
    wgpu::Color { r, g, b, a }
}

#[cfg(test)]
mod tests {
    use egui::{Event, PointerButton, RawInput, Vec2};

    use super::*;

    const SIZE: [u32; 2] = [640, 480];

    /// Panels around a picture, painted by parts and as a whole.
    struct Window {
        gpu: Gpu,
        context: egui::Context,
        painter: WindowPainter,
        surface: wgpu::Texture,
        values: [f32; 12],
    }

    impl Window {
        fn new() -> Self {
            let gpu = smirk_support::software_gpu();
            let context = egui::Context::default();
            context.all_styles_mut(|style| style.animation_time = 0.0);
            let painter = WindowPainter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm);
            let surface = texture(&gpu, SIZE);
            Self { gpu, context, painter, surface, values: [0.5; 12] }
        }

        /// A frame with these events. Returns the part of the pixels that was painted.
        fn frame(&mut self, pixels_per_point: f32, events: Vec<Event>) -> f64 {
            let size = SIZE.map(|side| side as f32 / pixels_per_point);
            let mut input = RawInput {
                screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), size.into())),
                events,
                ..RawInput::default()
            };
            input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(pixels_per_point);
            let values = &mut self.values;
            let mut output = self.context.run_ui(input, |ui| {
                egui::Panel::left("rows").exact_size(200.0).show(ui, |ui| {
                    egui::ScrollArea::vertical().show(ui, |ui| {
                        for value in values.iter_mut() {
                            ui.add(egui::Slider::new(value, 0.0..=1.0).text("weight"));
                        }
                        ui.menu_button("Menu", |ui| (0..20).for_each(|at| drop(ui.button(format!("{at}")))));
                    });
                });
                egui::CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| {
                    ui.label("over the picture");
                });
            });
            for (id, deltas) in output.textures_delta.set.drain() {
                deltas.iter().for_each(|delta| self.painter.update_texture(&self.gpu, id, delta));
            }
            let screen = || ScreenDescriptor { size_in_pixels: SIZE, pixels_per_point: output.pixels_per_point };
            let contents = || Contents { context: &self.context, shapes: output.shapes.clone(), screen: screen() };
            let painted = self.painter.paint(&self.gpu, contents(), &self.surface);
            let whole = texture(&self.gpu, SIZE);
            self.painter.paint_all(&self.gpu, &contents(), &whole.create_view(&Default::default()));
            let (parts, whole) =
                (self.gpu.read_texture(&self.surface).unwrap(), self.gpu.read_texture(&whole).unwrap());
            // Where an edge is smoothed, a triangle that is cut off may round the other way.
            let largest = parts.iter().zip(&whole).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(largest <= Some(1), "bytes differ by {largest:?} from a window that was painted as a whole");
            painted as f64 / f64::from(SIZE[0] * SIZE[1])
        }

        fn show(&mut self, color: [u8; 4], placed: Placed, changed: PixelRect) -> wgpu::TextureView {
            let picture = texture(&self.gpu, [64, 64]);
            let bytes = color.repeat(64 * 64);
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
            self.gpu.queue.write_texture(picture.as_image_copy(), &bytes, layout, picture.size());
            let view = picture.create_view(&Default::default());
            self.painter.show(&self.gpu, 0, Some(&view), placed, changed);
            view
        }
    }

    fn texture(gpu: &Gpu, size: [u32; 2]) -> wgpu::Texture {
        gpu.texture(
            "test",
            size,
            wgpu::TextureFormat::Rgba8Unorm,
            wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
        )
    }

    fn at(x: f32, y: f32) -> Event {
        Event::PointerMoved(pos2(x, y))
    }

    fn press(x: f32, y: f32, pressed: bool) -> Event {
        Event::PointerButton { pos: pos2(x, y), button: PointerButton::Primary, pressed, modifiers: Default::default() }
    }

    #[test]
    fn what_is_painted_by_parts_is_what_is_painted_as_a_whole() {
        for pixels_per_point in [1.0, 1.25, 2.0] {
            let mut window = Window::new();
            let placed = Placed { rect: PixelRect { min: [410, 20], size: [200, 301] }, opacity: 1.0 };
            let view = window.show([200, 100, 50, 255], placed, PixelRect::default());
            assert_eq!(window.frame(pixels_per_point, Vec::new()), 1.0);
            (0..3).for_each(|_| _ = window.frame(pixels_per_point, Vec::new()));
            assert_eq!(window.frame(pixels_per_point, Vec::new()), 0.0, "nothing has changed");
            window.values[3] = 0.25;
            let part = window.frame(pixels_per_point, Vec::new());
            assert!(part > 0.0 && part < 0.1 * f64::from(pixels_per_point * pixels_per_point), "{part}");
            let changed = PixelRect { min: [60, 70], size: [90, 110] };
            window.painter.show(&window.gpu, 0, Some(&view), placed, changed);
            let part = window.frame(pixels_per_point, Vec::new());
            assert!(part > 0.02 && part < 0.08, "{part}");
            window.show([0, 0, 255, 255], placed, PixelRect::default());
            let part = window.frame(pixels_per_point, Vec::new());
            assert!(part > 0.19 && part < 0.35, "{part}");
            let moved = Placed { rect: PixelRect { min: [430, 33], size: [100, 401] }, ..placed };
            window.show([0, 255, 0, 255], moved, PixelRect::default());
            window.frame(pixels_per_point, Vec::new());
            // The pointer passes over all rows, drags one of them, opens the menu and scrolls.
            for y in 0..16 {
                window.frame(pixels_per_point, vec![at(60.0, 24.0 * y as f32)]);
            }
            window.frame(pixels_per_point, vec![at(60.0, 60.0), press(60.0, 60.0, true)]);
            for x in 0..4 {
                window.frame(pixels_per_point, vec![at(60.0 + 5.0 * x as f32, 61.0)]);
            }
            window.frame(pixels_per_point, vec![press(110.0, 61.0, false)]);
            for y in 0..8 {
                let y = 150.0 + 30.0 * y as f32;
                window.frame(pixels_per_point, vec![at(30.0, y), press(30.0, y, true)]);
                window.frame(pixels_per_point, vec![press(30.0, y, false)]);
            }
            let scroll = Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: Vec2::new(0.0, -40.0),
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Wheel,
                modifiers: Default::default(),
            };
            (0..5).for_each(|_| _ = window.frame(pixels_per_point, vec![at(60.0, 60.0), scroll.clone()]));
        }
    }
}
