//! The pass that draws the shadow map: the depth of the head as the key light sees it.

use crate::render::geometry::ShapeBuffers;
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::light::ShadowMap;
use crate::render::surface::Alpha;
use crate::render::target::depth_attachment;

/// Only opaque surfaces cast a shadow, because the shadow of hair with alpha would be that of its whole cards.
pub(crate) fn record(
    encoder: &mut wgpu::CommandEncoder,
    map: &ShadowMap,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[],
        depth_stencil_attachment: Some(depth_attachment(&map.view, wgpu::StoreOp::Store)),
        timestamp_writes,
        ..Default::default()
    });
    pass.set_bind_group(0, frame, &[]);
    if !head.draws.bind(&mut pass) {
        return;
    }
    let shape = ShapeBuffers::of(&head.blender);
    let mut bound = None;
    for draw in head.draws.opaque_and_masked().filter(|draw| draw.surface.alpha == Alpha::Opaque) {
        let (source, is_skinned) = (shape.source_of(draw), draw.surface.skinned);
        if bound != Some((source, is_skinned)) {
            let Some(pipeline) = head.pipelines.shadow(source, is_skinned) else { continue };
            pass.set_pipeline(pipeline);
            shape.bind(source, false, &mut pass);
            bound = Some((source, is_skinned));
        }
        head.meshes.bind(draw, &mut pass);
        pass.draw_indexed(draw.indices.clone(), 0, 0..1);
    }
}
