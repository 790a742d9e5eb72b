//! The views of one head: which of them the picture shows, and the GPU objects that they need.

use std::time::Instant;

use crate::render::geometry::{Choices, MeshTable, ShapeBuffers, VertexSource};
use crate::render::surface::{Drawn, Tier};
use crate::scene::{Scene, ViewMode};
use smirk_face::head::Head;
use smirk_graphics::blend::{LateBlender, VertexPlaces};
use smirk_graphics::gpu::Gpu;

use super::edges::Edges;
use super::pipelines::ViewPipelines;
use super::shading::Shading;
use super::values::VertexValues;

/// What the picture shows of the surface, and the objects of the views that were shown.
#[derive(Debug)]
pub(crate) struct HeadViews {
    shading: Shading,
    shows_edges: bool,
    pipelines: ViewPipelines,
    edges: Option<Edges>,
    values: Option<VertexValues>,
}

impl Default for HeadViews {
    fn default() -> Self {
        let (pipelines, edges, values) = (ViewPipelines::default(), None, None);
        Self { shading: Shading::Materials, shows_edges: false, pipelines, edges, values }
    }
}

impl HeadViews {
    /// Which pipelines draw the surface.
    pub(crate) fn shading(&self) -> Shading {
        self.shading
    }

    /// Whether edges are drawn.
    pub(crate) fn shows_edges(&self) -> bool {
        self.shows_edges
    }

    /// Measures what the view of a scene shows, if it shows something that is measured. Afterwards the blender has to blend.
    pub(crate) fn measure(&mut self, gpu: &Gpu, head: &Head, blender: &mut LateBlender, scene: &Scene<'_>) {
        if VertexValues::are_shown_by(scene.look.view) {
            let places = blender.places().place_count();
            let values = self.values.get_or_insert_with(|| VertexValues::new(gpu, places));
            values.update(gpu, head, blender, scene);
        }
    }

    /// Chooses what a scene shows.
    pub(crate) fn choose(&mut self, gpu: &Gpu, head: &Head, places: &VertexPlaces, scene: &Scene<'_>) {
        self.shading = Shading::of(scene.look);
        self.shows_edges = scene.look.view == ViewMode::Wireframe;
        if self.shows_edges && self.edges.is_none() {
            self.edges = Some(Edges::new(gpu, head, places, Choices::of(scene)));
        }
    }

    /// Drops the edges, because other parts of the head are shown.
    pub(crate) fn forget_edges(&mut self) {
        self.edges = None;
    }

    /// Builds the pipelines that are missing for these draws, and for the edges of meshes whose targets have this source: at least one,
    /// and more until some time. Returns whether all are there.
    pub(crate) fn build(
        &mut self,
        gpu: &Gpu,
        blender: &LateBlender,
        draws: impl Iterator<Item = Drawn>,
        (source, tier): (VertexSource, Tier),
        until: Option<Instant>,
    ) -> bool {
        let of_edges = self.edges.iter().filter(|_| self.shows_edges).flat_map(|edges| &edges.meshes);
        let of_edges = of_edges.map(|of| (of.is_skinned, if of.morphs { source } else { VertexSource::Buffer }));
        if !self.pipelines.build_edges(gpu, blender, of_edges, tier, until) {
            return false;
        }
        match self.shading {
            Shading::Materials | Shading::Clay => true,
            Shading::Own(view) => self.pipelines.build(gpu, blender, draws, (view, tier), until),
        }
    }

    /// The pipeline of a draw; none where the view leaves it out.
    pub(crate) fn pipeline(&self, drawn: Drawn, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        match self.shading {
            Shading::Materials | Shading::Clay => None,
            Shading::Own(view) => self.pipelines.surface(view, drawn, tier),
        }
    }

    /// Vertex buffer 3 of views that show something measured, if there was one.
    pub(crate) fn values(&self) -> Option<&wgpu::Buffer> {
        self.values.as_ref().map(|values| &values.buffer)
    }

    /// Draws the edges, in a pass in which bind group 0 is set and the surface is drawn.
    pub(crate) fn draw_edges(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        shape: &ShapeBuffers<'_>,
        blender: &LateBlender,
        meshes: &MeshTable,
        tier: Tier,
    ) {
        let Some(edges) = self.edges.as_ref().filter(|_| self.shows_edges) else { return };
        pass.set_index_buffer(edges.indices.slice(..), wgpu::IndexFormat::Uint32);
        for of in &edges.meshes {
            let source = shape.source_of(of.morphs);
            let Some(pipeline) = self.pipelines.edges(of.is_skinned, source, tier) else { continue };
            pass.set_pipeline(pipeline);
            shape.bind(source, blender.is_recomputed(of.mesh), pass);
            meshes.bind(of.mesh, of.is_skinned, pass);
            pass.draw_indexed(of.indices.clone(), 0, 0..1);
        }
    }
}
