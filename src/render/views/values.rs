//! What is measured of the vertices, as the view scales it: vertex buffer 4 of the views.

use std::sync::Arc;

use crate::blend::Layout;
use crate::gpu::Gpu;
use crate::head::Head;
use crate::measure::MeasuredHead;

use super::shading::OwnView;

/// The values of all vertices, 0 until something is measured.
#[derive(Debug)]
pub(crate) struct VertexValues {
    /// One f32 per place of the head-wide array.
    pub buffer: wgpu::Buffer,
    layout: Arc<Layout>,
    /// The head, once something is measured of it.
    measured: Option<MeasuredHead>,
    /// What the buffer holds, at the weights of the last measurement.
    shown: Option<OwnView>,
}

impl VertexValues {
    /// A curvature of so many per millimetre, as at the tip of a small nose, is shown half way between grey and white.
    const HALF_CURVATURE: f32 = 0.12;

    pub(crate) fn new(gpu: &Gpu, layout: Arc<Layout>) -> Self {
        let zeros = vec![0.0_f32; layout.place_count()];
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.filled_buffer("values of vertices", bytemuck::cast_slice(&zeros), usage);
        Self { buffer, layout, measured: None, shown: None }
    }

    /// Measures what a view shows, if that has changed.
    pub(crate) fn update(&mut self, queue: &wgpu::Queue, head: &Head, weights: &[f32], view: OwnView) {
        let of_curvature = |curvature: f32| curvature / (curvature.abs() + Self::HALF_CURVATURE);
        match view {
            OwnView::Curvature => {
                let measured = self.measured.get_or_insert_with(|| MeasuredHead::new(head, self.layout.clone()));
                let is_changed = measured.set_weights(weights);
                if is_changed || self.shown != Some(view) {
                    let values: Vec<f32> = measured.curvature().into_iter().map(of_curvature).collect();
                    queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&values));
                    self.shown = Some(view);
                }
            }
            OwnView::Porcelain
            | OwnView::RedWax
            | OwnView::Chrome
            | OwnView::Zebra
            | OwnView::Normals
            | OwnView::UvChecker
            | OwnView::Backfaces => {}
        }
    }
}
