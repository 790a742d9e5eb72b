//! The pipelines of one head. What a picture needs is built before it is drawn; the rest is built while nothing else is drawn, so that
//! switching the blend mode or the number of samples takes one frame.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::blend::Blender;
use crate::gpu::{DeviceError, Gpu};
use crate::head::Head;
use crate::render::advance::Advance;
use crate::render::geometry::VertexSource;
use crate::render::head_on_gpu::UploadError;

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
        of: (&Blender, &Head),
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

    /// [`Self::build`] of all that are missing, on all cores.
    pub(crate) fn build_on_all_cores(
        &mut self,
        gpu: &Gpu,
        of: (&Blender, &Head),
        draws: impl IntoIterator<Item = Drawn>,
        tier: Tier,
        advance: &Advance<'_>,
    ) -> Result<(), UploadError> {
        let missing = self.missing(draws, tier);
        for (index, some) in missing.chunks(Self::AT_ONCE).enumerate() {
            if advance((index * Self::AT_ONCE) as f32 / missing.len() as f32).is_break() {
                return Err(UploadError::Cancelled);
            }
            let builder = self.builder(gpu, of);
            // Errors of the device are found on the thread that caused them.
            let make = |&drawn: &Drawn| Ok((drawn, gpu.attempt(|| Made::new(gpu, builder, drawn, tier))?));
            let made: Vec<_> = some.par_iter().map(make).collect::<Result<_, DeviceError>>()?;
            made.into_iter().for_each(|(drawn, made)| self.insert(made, drawn, tier));
        }
        Ok(())
    }

    /// So many pipelines are built before the progress is reported.
    const AT_ONCE: usize = 64;

    fn missing(&self, draws: impl IntoIterator<Item = Drawn>, tier: Tier) -> Vec<Drawn> {
        let missing = draws.into_iter().filter(|&drawn| !self.surfaces.contains_key(&(drawn, tier)));
        missing.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn builder(&mut self, gpu: &Gpu, (blender, head): (&Blender, &Head)) -> &Builder {
        self.builder.get_or_insert_with(|| {
            let needs = Needs {
                skins: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
                file_lights: !head.lights.is_empty(),
                pores_in_motion: !gpu.is_software(),
            };
            Box::new(Builder::new(&gpu.device, blender, needs))
        })
    }

    fn insert(&mut self, made: Made, drawn @ (surface, _, source): Drawn, tier: Tier) {
        self.surfaces.insert((drawn, tier), made.surface);
        self.shadows.insert((source, surface.skinned), made.shadow);
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
