//! The pipelines of one head. What a picture needs is built before it is drawn; the rest is built while nothing else is drawn, so that
//! switching the blend mode or the number of samples takes one frame.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::render::geometry::VertexSource;
use smirk_face::head::Head;
use smirk_graphics::blend::LateBlender;
use smirk_graphics::gpu::{DeviceError, Gpu};

use super::kind::SurfaceKind;
use super::pipeline_builder::{Builder, Needs};
use super::tier::Tier;
use super::transparency::AlphaPass;

/// What a pipeline draws: a kind of surface in a pass, whose vertices have a source.
pub(crate) type Drawn = (SurfaceKind, AlphaPass, VertexSource);

/// The pipelines of one draw.
struct Made {
    surface: Arc<wgpu::RenderPipeline>,
    shadow: Arc<wgpu::RenderPipeline>,
}

impl Made {
    /// Builds those that nothing on the device has.
    fn new(gpu: &Gpu, builder: &Builder, drawn: Drawn, tier: Tier) -> Self {
        let (surface, pass, source) = drawn;
        let is_skinned = surface.skinned;
        let shared = |what: &dyn fmt::Debug, make: &dyn Fn() -> wgpu::RenderPipeline| {
            gpu.shared_pipeline(format!("{what:?} {}", builder.description(source, is_skinned)), make)
        };
        Self {
            surface: shared(&(drawn, tier), &|| builder.surface(surface, pass, source, tier)),
            shadow: shared(&("shadow", source, is_skinned), &|| builder.shadow(source, is_skinned)),
        }
    }
}

/// All pipelines of one head.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    surfaces: HashMap<(Drawn, Tier), Arc<wgpu::RenderPipeline>>,
    /// The pipelines of the shadow map, by the source of the shape and by whether the mesh has a skin.
    shadows: HashMap<(VertexSource, bool), Arc<wgpu::RenderPipeline>>,
    /// Builds the pipelines, while some are missing.
    builder: Option<Box<Builder>>,
    /// The pipelines of the head before, as long as some of this head are missing.
    of_head_before: Vec<Arc<wgpu::RenderPipeline>>,
}

impl Pipelines {
    /// Builds the pipelines of a tier that are missing for these draws: at least one, and more until some time. Returns whether all are
    /// there. Those that another head on the device has are shared: a software adapter takes a second to build the pipelines of a head,
    /// and a hundred megabytes to keep them.
    pub(crate) fn build(
        &mut self,
        gpu: &Gpu,
        of: (&LateBlender, &Head),
        draws: impl IntoIterator<Item = Drawn>,
        tier: Tier,
        until: Option<Instant>,
    ) -> bool {
        for (index, drawn) in self.missing(draws, tier).into_iter().enumerate() {
            if index > 0 && until.is_some_and(|until| Instant::now() >= until) {
                return false;
            }
            let made = Made::new(gpu, self.builder(gpu, of), drawn, tier);
            self.insert(made, drawn, tier);
        }
        true
    }

    /// The pipelines of a tier for these surfaces with vertices from a buffer, built on all cores, until `is_cancelled`.
    pub(crate) fn on_all_cores(
        gpu: &Gpu,
        head: &Head,
        surfaces: impl IntoIterator<Item = (SurfaceKind, AlphaPass)>,
        tier: Tier,
        is_cancelled: &AtomicBool,
    ) -> Result<Self, DeviceError> {
        let builder = Builder::new(&gpu.device, None, Needs::of(gpu, head));
        let surfaces: Vec<_> = surfaces.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let make = |(surface, pass)| {
            let drawn = (surface, pass, VertexSource::Buffer);
            // Errors of the device are found on the thread that caused them.
            let made = (!is_cancelled.load(Ordering::Relaxed))
                .then(|| gpu.attempt(|| (drawn, Made::new(gpu, &builder, drawn, tier))));
            made.transpose()
        };
        // One at a time, because some take three times as long as others.
        let made = surfaces.into_par_iter().with_max_len(1).map(make).collect::<Result<Vec<_>, _>>()?;
        let mut pipelines = Self::default();
        made.into_iter().flatten().for_each(|(drawn, made)| pipelines.insert(made, drawn, tier));
        Ok(pipelines)
    }

    fn missing(&self, draws: impl IntoIterator<Item = Drawn>, tier: Tier) -> Vec<Drawn> {
        let missing = draws.into_iter().filter(|&drawn| !self.surfaces.contains_key(&(drawn, tier)));
        missing.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn builder(&mut self, gpu: &Gpu, (blender, head): (&LateBlender, &Head)) -> &Builder {
        self.builder.get_or_insert_with(|| Box::new(Builder::new(&gpu.device, Some(blender), Needs::of(gpu, head))))
    }

    fn insert(&mut self, made: Made, drawn @ (surface, _, source): Drawn, tier: Tier) {
        self.surfaces.insert((drawn, tier), made.surface);
        self.shadows.insert((source, surface.skinned), made.shadow);
    }

    /// Forgets what pipelines are built from, which has changed.
    pub(crate) fn forget_builder(&mut self) {
        self.builder = None;
    }

    /// All pipelines of the head are there: what was kept to build them is dropped.
    pub(crate) fn complete(&mut self) {
        self.builder = None;
        self.of_head_before.clear();
    }

    /// Keeps the pipelines of the head before this one until those of this head are built, so that these can be shared: some drivers
    /// never give back all memory of a pipeline.
    pub(crate) fn follow(&mut self, before: Self) {
        self.of_head_before = before.surfaces.into_values().collect();
    }

    /// The pipeline that draws `surface` in a pass, if the head has such a surface.
    pub(crate) fn surface(&self, drawn: Drawn, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.get(&(drawn, tier)).map(AsRef::as_ref)
    }

    /// The pipeline that draws the shadow map, if the head has such a surface.
    pub(crate) fn shadow(&self, source: VertexSource, is_skinned: bool) -> Option<&wgpu::RenderPipeline> {
        self.shadows.get(&(source, is_skinned)).map(AsRef::as_ref)
    }
}
