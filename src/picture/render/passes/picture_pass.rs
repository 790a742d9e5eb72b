//! The pass that draws the picture: opaque surfaces and strands of hair, then the background behind them, then blended surfaces over both,
//! and the edges of triangles over all.

use std::iter::once;

use crate::render::geometry::{DrawCall, ShapeBuffers};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::surface::{AlphaPass, Tier};
use crate::render::target::{RenderTarget, depth_attachment};

use super::background::Background;
use super::portion::Portion;

/// Records a portion of the picture. Returns whether it was the last.
pub(crate) fn record(
    encoder: &mut wgpu::CommandEncoder,
    target: &RenderTarget,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    background: &Background,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    portion: &mut Portion,
) -> bool {
    let is_all = portion.is_all();
    let mut pass = begin(encoder, target, portion.is_first(), is_all, timestamp_writes);
    pass.set_bind_group(0, frame, &[]);
    let is_finished = draw(&mut pass, head, target.samples, background, portion);
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

/// What is drawn into the picture.
enum Item<'d> {
    Surface(&'d DrawCall, AlphaPass),
    Strands,
    Background,
    Edges,
}

fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    head: &HeadOnGpu,
    samples: u32,
    background: &Background,
    portion: &mut Portion,
) -> bool {
    let has_draws = head.draws.bind(pass);
    let shape = ShapeBuffers::of(&head.blender);
    pass.set_vertex_buffer(2, head.static_vertices.slice(..));
    pass.set_vertex_buffer(3, head.third_buffer().slice(..));
    let surface = |(draw, pass): (_, AlphaPass)| Item::Surface(draw, pass);
    let opaque = head.draws.opaque_and_masked().map(|draw| surface((draw, AlphaPass::Opaque)));
    let strands = head.strands.iter().map(|_| Item::Strands);
    let items = opaque.chain(strands).chain(once(Item::Background)).chain(head.draws.blended().map(surface));
    let items = items.chain(head.views.shows_edges().then_some(Item::Edges));
    let items = items.filter(|item| has_draws || matches!(item, Item::Background)).map(|item| match item {
        Item::Surface(draw, _) => (draw.indices.clone(), item),
        Item::Strands | Item::Background | Item::Edges => (0..0, item),
    });
    let tier = Tier::Moving { samples };
    let mut bound = None;
    portion.draw(items, |indices, item| {
        let (draw, alpha_pass) = match item {
            Item::Surface(draw, alpha_pass) => (draw, alpha_pass),
            Item::Strands => {
                head.strands.iter().for_each(|strands| strands.draw(pass, tier, &head.meshes));
                bound = None;
                return;
            }
            Item::Background => {
                background.draw(pass, samples);
                bound = None;
                return;
            }
            Item::Edges => {
                head.views.draw_edges(pass, &shape, &head.blender, &head.meshes, tier);
                return;
            }
        };
        let (source, is_recomputed) = (shape.source_of(draw.morphs), head.blender.is_recomputed(draw.mesh));
        if bound != Some((draw.surface, alpha_pass, source, is_recomputed)) {
            let Some(pipeline) = head.pipeline((draw.surface, alpha_pass, source), tier) else {
                return;
            };
            pass.set_pipeline(pipeline);
            shape.bind(source, is_recomputed, pass);
            bound = Some((draw.surface, alpha_pass, source, is_recomputed));
        }
        head.meshes.bind(draw.mesh, draw.surface.skinned, pass);
        head.materials.bind(draw.material, pass);
        pass.draw_indexed(indices, 0, 0..1);
    })
}
