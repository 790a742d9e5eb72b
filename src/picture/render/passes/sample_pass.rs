//! The pass that draws one sample in the resting tier: opaque surfaces and strands of hair, then blended surfaces, and the edges of triangles over all. There is no background behind them,
//! because it is the same in every sample.

use crate::render::geometry::{DrawCall, ShapeBuffers};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::surface::{AlphaPass, Tier};
use crate::render::target::depth_attachment;

use super::portion::Portion;

/// Records a portion of a sample. Returns whether it was the last. The blended shape is in a buffer. `images` are the colours and the
/// depth of the sample, of which `size` is used.
pub(crate) fn record(
    encoder: &mut wgpu::CommandEncoder,
    images: (&[wgpu::TextureView; 4], &wgpu::TextureView),
    size: [u32; 2],
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    portion: &mut Portion,
) -> bool {
    let (colors, depth) = images;
    let is_first = portion.is_first();
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
    if !head.draws.bind(&mut pass) {
        return true;
    }
    let shape = ShapeBuffers::of(&head.blender);
    pass.set_vertex_buffer(2, head.static_vertices.slice(..));
    pass.set_vertex_buffer(3, head.third_buffer().slice(..));
    let opaque = head.draws.opaque_and_masked().map(|draw| (draw, AlphaPass::Opaque));
    // Strands are between opaque and blended surfaces.
    let surface = |item: (_, AlphaPass)| Some(item);
    let strands = head.strands.iter().map(|_| None);
    let items = opaque.map(surface).chain(strands).chain(head.draws.blended().map(surface));
    let items = items.map(|item| (item.map_or(0..0, |(draw, _)| draw.indices.clone()), item));
    let mut bound = None;
    let is_finished = portion.draw(items, |indices, item: Option<(&DrawCall, AlphaPass)>| {
        let Some((draw, alpha_pass)) = item else {
            head.strands.iter().for_each(|strands| strands.draw(&mut pass, Tier::Resting, &head.meshes));
            bound = None;
            return;
        };
        let source = shape.source_of(draw.morphs);
        let is_recomputed = head.blender.is_recomputed(draw.mesh);
        let wanted = (draw.surface, alpha_pass, source, is_recomputed);
        if bound != Some(wanted) {
            let Some(pipeline) = head.pipeline((draw.surface, alpha_pass, source), Tier::Resting) else {
                return;
            };
            pass.set_pipeline(pipeline);
            shape.bind(source, is_recomputed, &mut pass);
            bound = Some(wanted);
        }
        head.meshes.bind(draw.mesh, draw.surface.skinned, &mut pass);
        head.materials.bind(draw.material, &mut pass);
        pass.draw_indexed(indices, 0, 0..1);
    });
    if is_finished {
        head.views.draw_edges(&mut pass, &shape, &head.blender, &head.meshes, Tier::Resting);
    }
    is_finished
}
