//! The pass that draws the shadow map: the depth of the head as the key light sees it.

use crate::render::geometry::{DrawCall, ShapeBuffers};
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::surface::Alpha;
use crate::render::target::depth_attachment;

use super::portion::Portion;

/// Records a portion of the shadow map. Returns whether it was the last. Only opaque surfaces cast a shadow, because the shadow
/// of hair with alpha would be that of its whole cards.
pub(crate) fn record(
    encoder: &mut wgpu::CommandEncoder,
    map: &wgpu::TextureView,
    frame: &wgpu::BindGroup,
    head: &HeadOnGpu,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    portion: &mut Portion,
) -> bool {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[],
        depth_stencil_attachment: Some(depth_attachment(map, portion.is_first(), wgpu::StoreOp::Store)),
        timestamp_writes,
        ..Default::default()
    });
    pass.set_bind_group(0, frame, &[]);
    if !head.draws.bind(&mut pass) {
        return true;
    }
    let shape = ShapeBuffers::of(&head.blender);
    let mut bound = None;
    let casts = |draw: &&DrawCall| draw.surface.alpha == Alpha::Opaque;
    let draws = head.draws.opaque_and_masked().filter(casts).map(|draw| (draw.indices.clone(), draw));
    let is_finished = portion.draw(draws, |indices, draw| {
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
