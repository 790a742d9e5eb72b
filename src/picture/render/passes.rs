//! The render passes: into the shadow map, into the picture (opaque surfaces and strands of hair, then the background
//! behind them, then blended surfaces over both, and the edges of triangles over all), into a sample of the accumulated
//! picture (the same without the background, which is the same in every sample), and of a finished picture onto the
//! window.

use crate::render::batch::Batch;
use crate::render::geometry::{DrawCall, ShapeBuffers};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::pipelines::{DrawnSurface, Tier};
use crate::render::pixel_rect::PixelRect;
use crate::render::shaders;
use crate::render::surface::{Alpha, AlphaPass};
use crate::render::target::{self, PipelineParts, RenderTarget, depth_attachment};
use smirk_graphics::gpu::{Binding, bind_group, bind_group_layout, shader_module};

/// Records a batch of the picture. Returns whether it was the last.
pub(crate) fn record_picture(
    encoder: &mut wgpu::CommandEncoder,
    target: &RenderTarget,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    background: &Background,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    batch: &mut Batch,
) -> bool {
    let is_all = batch.is_all();
    let mut pass = begin(encoder, target, batch.is_first(), is_all, timestamp_writes);
    pass.set_bind_group(0, frame, &[]);
    let tier = Tier::Preview { msaa: target.msaa };
    let is_finished = draw(&mut pass, head, tier, Some(background), batch);
    drop(pass);
    if is_finished && !is_all {
        drop(begin(encoder, target, false, true, None));
    }
    is_finished
}

/// Begins a render pass. The last one resolves the samples of the target.
fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    target: &RenderTarget,
    is_first: bool,
    is_last: bool,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) -> wgpu::RenderPass<'e> {
    let discard = if is_last { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    let (view, resolve_target, store) = match &target.multisampled {
        Some(multisampled) => (multisampled, is_last.then_some(&target.resolved), discard),
        None => (&target.resolved, None, wgpu::StoreOp::Store),
    };
    let load = if is_first { wgpu::LoadOp::Clear(wgpu::Color::BLACK) } else { wgpu::LoadOp::Load };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        depth_stencil_attachment: Some(depth_attachment(&target.depth, is_first, discard)),
        timestamp_writes,
        ..Default::default()
    })
}

/// What is drawn into the picture, or into a sample of it.
enum Item<'d> {
    Surface(&'d DrawCall, AlphaPass),
    Strands,
    Background(&'d Background),
    Edges,
}

/// Draws a batch. The background is the same in every sample, and drawn in none.
fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    head: &HeadOnGpu,
    tier: Tier,
    background: Option<&Background>,
    batch: &mut Batch,
) -> bool {
    let has_draws = head.draws.bind(pass);
    let shape = ShapeBuffers::new(&head.blender);
    pass.set_vertex_buffer(2, head.static_vertices.slice(..));
    pass.set_vertex_buffer(3, head.third_buffer().slice(..));
    let opaque = head.draws.opaque_and_masked().map(|draw| Item::Surface(draw, AlphaPass::Opaque));
    let blended = head.draws.blended().map(|(draw, pass)| Item::Surface(draw, pass));
    let strands = head.strands.iter().map(|_| Item::Strands);
    let outlines = head.draws.outlines().map(|draw| Item::Surface(draw, AlphaPass::Outline));
    let items = opaque.chain(strands).chain(outlines).chain(background.map(Item::Background)).chain(blended);
    let items = items.chain(head.views.shows_edges().then_some(Item::Edges));
    let items = items.filter(|item| has_draws || matches!(item, Item::Background(_))).map(|item| match (&item, tier) {
        (Item::Surface(draw, _), Tier::Preview { .. }) => (head.preview_indices(draw), item),
        (Item::Surface(draw, _), Tier::Accumulated) => (draw.indices.clone(), item),
        (Item::Strands | Item::Background(_) | Item::Edges, _) => (0..0, item),
    });
    let mut bound = None;
    batch.draw(items, |indices, item| {
        let (draw, alpha_pass) = match item {
            Item::Surface(draw, alpha_pass) => (draw, alpha_pass),
            Item::Strands => {
                head.strands.iter().for_each(|strands| strands.draw(pass, tier, &head.meshes));
                bound = None;
                return;
            }
            Item::Background(background) => {
                background.draw(pass, tier.msaa());
                bound = None;
                return;
            }
            Item::Edges => {
                head.views.draw_edges(pass, &shape, &head.blender, &head.meshes, tier);
                return;
            }
        };
        let (source, is_recomputed) = (shape.source_of(draw.morphs), head.blender.is_recomputed(draw.mesh));
        let drawn = DrawnSurface { surface: draw.surface, pass: alpha_pass, source };
        if bound != Some((drawn, is_recomputed)) {
            let Some(pipeline) = head.pipeline(drawn, tier) else { return };
            pass.set_pipeline(pipeline);
            shape.bind(source, is_recomputed, pass);
            bound = Some((drawn, is_recomputed));
        }
        head.meshes.bind(draw.mesh, draw.surface.skinned, pass);
        head.materials.bind(draw.material, head.draws_toon(draw.surface), pass);
        pass.draw_indexed(indices, 0, 0..1);
    })
}

/// The pipelines that draw the background.
#[derive(Debug)]
pub(crate) struct Background {
    /// In the order of [`target::MSAA_COUNTS`].
    pipelines: [wgpu::RenderPipeline; 2],
}

impl Background {
    /// Creates the pipelines. `frame` is the layout of bind group 0.
    pub(crate) fn new(device: &wgpu::Device, frame: &wgpu::BindGroupLayout) -> Self {
        let module = shader_module(device, "background", shaders::background());
        let pipelines = target::MSAA_COUNTS.map(|msaa| {
            PipelineParts {
                label: "background",
                groups: &[Some(frame)],
                module: &module,
                constants: &[],
                vertex_entry: "vertex",
                buffers: &[],
                primitive: wgpu::PrimitiveState::default(),
                // Drawn after the head, at the far plane: only pixels without a head are shaded.
                depth: Some(target::depth_state(false)),
                multisample: wgpu::MultisampleState { count: msaa, ..Default::default() },
                fragment: Some(("fragment", &[Some(target::COLOR_FORMAT.into())])),
            }
            .pipeline(device)
        });
        Self { pipelines }
    }

    /// Draws the background in a pass in which bind group 0 is set and the opaque surfaces have been drawn.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, msaa: u32) {
        pass.set_pipeline(&self.pipelines[usize::from(msaa > 1)]);
        pass.draw(0..3, 0..1);
    }
}

/// Records a batch of a sample. Returns whether it was the last. The blended shape is in a buffer. Of the images
/// `colors` and `depth`, `size` is used.
pub(crate) fn record_sample(
    encoder: &mut wgpu::CommandEncoder,
    colors: &[wgpu::TextureView; 4],
    depth: &wgpu::TextureView,
    size: [u32; 2],
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    batch: &mut Batch,
) -> bool {
    let is_first = batch.is_first();
    let load = if is_first { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) } else { wgpu::LoadOp::Load };
    let attachments = colors.each_ref().map(|view| {
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    });
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("sample"),
        color_attachments: &attachments,
        depth_stencil_attachment: Some(depth_attachment(depth, is_first, wgpu::StoreOp::Store)),
        ..Default::default()
    });
    pass.set_viewport(0.0, 0.0, size[0] as f32, size[1] as f32, 0.0, 1.0);
    pass.set_bind_group(0, frame, &[]);
    draw(&mut pass, head, Tier::Accumulated, None, batch)
}

/// Records a batch of the shadow map. Returns whether it was the last. Only opaque surfaces cast a shadow, because the
/// shadow of hair with alpha would be that of its whole cards.
pub(crate) fn record_shadow(
    encoder: &mut wgpu::CommandEncoder,
    map: &wgpu::TextureView,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    batch: &mut Batch,
) -> bool {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[],
        depth_stencil_attachment: Some(depth_attachment(map, batch.is_first(), wgpu::StoreOp::Store)),
        timestamp_writes,
        ..Default::default()
    });
    pass.set_bind_group(0, frame, &[]);
    if !head.draws.bind(&mut pass) {
        return true;
    }
    let shape = ShapeBuffers::new(&head.blender);
    let mut bound = None;
    let casting = head.draws.opaque_and_masked().filter(|draw| draw.surface.alpha == Alpha::Opaque);
    let draws = casting.map(|draw| (draw.indices.clone(), draw));
    let is_finished = batch.draw(draws, |indices, draw| {
        let (source, is_skinned) = (shape.source_of(draw.morphs), draw.surface.skinned);
        if bound != Some((source, is_skinned)) {
            let Some(pipeline) = head.pipelines.shadow(source, is_skinned) else { return };
            pass.set_pipeline(pipeline);
            shape.bind(source, false, &mut pass);
            bound = Some((source, is_skinned));
        }
        head.meshes.bind(draw.mesh, draw.surface.skinned, &mut pass);
        pass.draw_indexed(indices, 0, 0..1);
    });
    if let Some(strands) = head.strands.as_ref().filter(|_| is_finished) {
        strands.cast_shadow(&mut pass, &head.meshes);
    }
    is_finished
}

/// The pipeline that draws a picture onto the window, and the picture that it draws.
///
/// egui could show the picture as an image, but egui's shader does much more work per pixel; on a software adapter this
/// one takes a tenth of the time.
#[derive(Debug)]
pub struct Blit {
    /// For a picture of the size of the rectangle, and for a smaller one; first opaque, then with an opacity.
    pipelines: [[wgpu::RenderPipeline; 2]; 2],
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    picture: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

impl Blit {
    /// Creates the pipeline for windows of a texture format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = shader_module(device, "blit", smirk_shaders::picture::BLIT);
        let bindings = [Binding::IMAGE, Binding::Sampler(wgpu::SamplerBindingType::Filtering)];
        let layout = bind_group_layout(device, "blit", wgpu::ShaderStages::FRAGMENT, &bindings);
        // The opacity is the constant of the pass.
        let by_opacity = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            dst_factor: wgpu::BlendFactor::OneMinusConstant,
            operation: wgpu::BlendOperation::Add,
        };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("blit"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let pipelines = [false, true].map(|has_opacity| {
            [false, true].map(|is_enlarged| {
                PipelineParts {
                    label: "blit",
                    groups: &[Some(&layout)],
                    module: &module,
                    constants: &[("ENLARGED", f64::from(is_enlarged))],
                    vertex_entry: "blit_vertex",
                    buffers: &[],
                    primitive: Default::default(),
                    depth: None,
                    multisample: Default::default(),
                    fragment: Some((
                        "blit_fragment",
                        &[Some(wgpu::ColorTargetState {
                            format,
                            blend: has_opacity.then_some(wgpu::BlendState { color: by_opacity, alpha: by_opacity }),
                            write_mask: wgpu::ColorWrites::ALL,
                        })],
                    )),
                }
                .pipeline(device)
            })
        });
        Self { pipelines, layout, sampler, picture: None }
    }

    /// Sets the picture for the next draws. `picture` must be a view that does not decode sRGB.
    pub fn show(&mut self, device: &wgpu::Device, picture: &wgpu::TextureView) {
        if self.picture.as_ref().is_some_and(|(shown, _)| shown == picture) {
            return;
        }
        let resources = [wgpu::BindingResource::TextureView(picture), wgpu::BindingResource::Sampler(&self.sampler)];
        let group = bind_group(device, "blit", &self.layout, resources);
        self.picture = Some((picture.clone(), group));
    }

    /// Draws the picture into `rect` with an opacity from 0 to 1, over what is there. Draws nothing if the window is
    /// smaller than `rect`, which happens for one frame while the window shrinks.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, rect: PixelRect, opacity: f32, window_size: [u32; 2]) {
        let Some((picture, group)) = &self.picture else { return };
        if (0..2).any(|axis| rect.size[axis] == 0 || rect.min[axis] + rect.size[axis] > window_size[axis]) {
            return;
        }
        let [x, y] = rect.min.map(|edge| edge as f32);
        let [width, height] = rect.size.map(|side| side as f32);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        let is_enlarged = picture.texture().width() < rect.size[0] || picture.texture().height() < rect.size[1];
        pass.set_pipeline(&self.pipelines[usize::from(opacity < 1.0)][usize::from(is_enlarged)]);
        pass.set_bind_group(0, group, &[]);
        let opacity = f64::from(opacity);
        pass.set_blend_constant(wgpu::Color { r: opacity, g: opacity, b: opacity, a: opacity });
        pass.draw(0..3, 0..1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_graphics::gpu::{Gpu, Prefer};

    /// A square picture of `side` texels of these greys, enlarged to twice its size.
    fn enlarged(side: u32, grey: impl Fn(f32, f32) -> u8) -> Vec<u8> {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let texels = (0..side * side).map(|index| grey((index % side) as f32 + 0.5, (index / side) as f32 + 0.5));
        let texels: Vec<u8> = texels.flat_map(|grey| [grey, grey, grey, u8::MAX]).collect();
        let texture = |side, usage| gpu.texture("test", [side; 2], wgpu::TextureFormat::Rgba8Unorm, usage);
        let source = texture(side, wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST);
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(side * 4), rows_per_image: None };
        gpu.queue.write_texture(source.as_image_copy(), &texels, layout, source.size());
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let shown = texture(2 * side, usage);
        let mut blit = Blit::new(&gpu.device, shown.format());
        blit.show(&gpu.device, &source.create_view(&Default::default()));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let view = shown.create_view(&Default::default());
            let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store };
            let attachment =
                wgpu::RenderPassColorAttachment { view: &view, depth_slice: None, resolve_target: None, ops };
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(attachment)],
                ..Default::default()
            });
            blit.draw(&mut pass, PixelRect { min: [0; 2], size: [2 * side; 2] }, 1.0, [2 * side; 2]);
        }
        gpu.queue.submit([encoder.finish()]);
        gpu.read_texture(&shown).unwrap().as_chunks::<4>().0.iter().map(|texel| texel[1]).collect()
    }

    #[test]
    fn an_enlarged_edge_is_a_straight_line_and_even_areas_stay_as_they_are() {
        const SIDE: u32 = 48;
        const WIDTH: usize = 2 * SIDE as usize;
        let (mut wobble, mut steps) = (0.0, 0.0);
        for degrees in [14.0_f32, 27.0, 34.0, 57.0, 75.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let distance = |x: f32, y: f32| (x - SIDE as f32 / 2.0) * cos + (y - SIDE as f32 / 2.0) * sin - 0.3;
            let stairs = |x: f32, y: f32| if distance(x, y) > 0.0 { 200 } else { 50 };
            let pixels = enlarged(SIDE, stairs);
            for (index, &grey) in pixels.iter().enumerate() {
                let (x, y) = ((index % WIDTH) as f32 + 0.5, (index / WIDTH) as f32 + 0.5);
                let away = distance(x / 2.0, y / 2.0).abs();
                assert!(
                    away < 4.0 || grey == stairs(x / 2.0, y / 2.0),
                    "{degrees}°: an even area at {x}, {y} is {grey}"
                );
            }
            // Where the middle of the edge crosses a row, in pixels from the line.
            let mut crossings = Vec::new();
            for (x, y) in (16..WIDTH - 16).flat_map(|y| (16..WIDTH - 16).map(move |x| (x, y))) {
                let [here, next] = [0, 1].map(|step| f32::from(pixels[y * WIDTH + x + step]) - 125.0);
                if here < 0.0 && next >= 0.0 {
                    let at = x as f32 + 0.5 + here / (here - next);
                    crossings.push(2.0 * distance(at / 2.0, (y as f32 + 0.5) / 2.0));
                }
                steps += f32::from(u8::from(here.abs() < 37.0)) / (WIDTH - 32) as f32 / 5.0;
            }
            let mean = crossings.iter().sum::<f32>() / crossings.len() as f32;
            let square = crossings.iter().map(|place| (place - mean).powi(2)).sum::<f32>() / crossings.len() as f32;
            wobble += square.sqrt() / 5.0;
        }
        // Linear filtering leaves stairs of 0.41 pixels, and a cubic B-spline 0.33, with an edge 3.3 pixels wide.
        assert!(wobble < 0.25, "the edge is off its line by {wobble} pixels");
        assert!(steps < 3.0, "the edge is {steps} pixels wide");
    }
}
