//! The pass that draws the picture: opaque surfaces, then the background behind them, then blended surfaces over both.

use crate::render::geometry::{DrawCall, ShapeBuffers};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::surface::AlphaPass;
use crate::render::target::{RenderTarget, depth_attachment};

use super::background::Background;

pub(crate) fn record(
    encoder: &mut wgpu::CommandEncoder,
    target: &RenderTarget,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    background: &Background,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    let (view, resolve_target, store) = match &target.multisampled {
        Some(multisampled) => (multisampled, Some(&target.resolved), wgpu::StoreOp::Discard),
        None => (&target.resolved, None, wgpu::StoreOp::Store),
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
        })],
        depth_stencil_attachment: Some(depth_attachment(&target.depth, wgpu::StoreOp::Discard)),
        timestamp_writes,
        ..Default::default()
    });
    pass.set_bind_group(0, frame, &[]);
    draw(&mut pass, head, target.samples, head.draws.opaque_and_masked().map(|draw| (draw, AlphaPass::Opaque)));
    background.draw(&mut pass, target.samples);
    draw(&mut pass, head, target.samples, head.draws.blended());
}

fn draw<'d>(
    pass: &mut wgpu::RenderPass<'_>,
    head: &HeadOnGpu,
    samples: u32,
    draws: impl Iterator<Item = (&'d DrawCall, AlphaPass)>,
) {
    if !head.draws.bind(pass) {
        return;
    }
    let shape = ShapeBuffers::of(&head.blender);
    pass.set_vertex_buffer(2, head.static_vertices.slice(..));
    let mut bound = None;
    for (draw, alpha_pass) in draws {
        let (source, is_recomputed) = (shape.source_of(draw), head.blender.is_recomputed(draw.mesh));
        if bound != Some((draw.surface, alpha_pass, source, is_recomputed)) {
            let Some(pipeline) = head.pipelines.surface(draw.surface, alpha_pass, source, samples) else { continue };
            pass.set_pipeline(pipeline);
            shape.bind(source, is_recomputed, pass);
            bound = Some((draw.surface, alpha_pass, source, is_recomputed));
        }
        head.meshes.bind(draw, pass);
        head.materials.bind(draw.material, pass);
        pass.draw_indexed(draw.indices.clone(), 0, 0..1);
    }
}
