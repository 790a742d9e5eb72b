//! The pipelines of one head, built ahead for every kind of surface it has, so that switching the blend mode or the
//! number of samples takes one frame.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::blend::Blender;
use crate::gpu::Gpu;
use crate::head::{Head, Role};
use crate::render::advance::Advance;
use crate::render::geometry::{VertexSource, surfaces};
use crate::render::target;

use super::kind::SurfaceKind;
use super::pipeline_builder::{Builder, Needs};
use super::tier::Tier;
use super::transparency::{AlphaPass, TextureAlphas};

/// All pipelines of one head.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    surfaces: HashMap<(SurfaceKind, AlphaPass, VertexSource, Tier), Arc<wgpu::RenderPipeline>>,
    /// The pipelines of the shadow map, by the source of the shape and by whether the mesh has a skin.
    shadows: HashMap<(VertexSource, bool), Arc<wgpu::RenderPipeline>>,
    /// Builds the pipelines of the resting tier while some are missing.
    of_resting_tier: Option<Box<Builder>>,
    /// The pipelines of the resting tier of the head before, as long as some of this head are missing.
    of_head_before: Vec<Arc<wgpu::RenderPipeline>>,
}

impl Pipelines {
    /// Builds the pipelines that are still missing for all draws of a head in all its variants, with these roles of its materials,
    /// and shares those that another head on the device has: a software adapter takes a second to build the pipelines of a head,
    /// and a hundred megabytes to keep them. `None` if `advance`, which is called before each of them, breaks.
    pub(crate) fn build(
        &mut self,
        gpu: &Gpu,
        blender: &Blender,
        (head, roles): (&Head, &[Role]),
        alphas: &mut TextureAlphas,
        advance: &Advance<'_>,
    ) -> Option<()> {
        let mut wanted = surfaces(head, roles, alphas);
        let builder = Builder::new(
            &gpu.device,
            blender,
            Needs {
                skins: wanted.iter().any(|(surface, _, _)| surface.skinned),
                file_lights: !head.lights.is_empty(),
                pores_in_motion: !gpu.is_software(),
            },
        );
        wanted.extend(wanted.clone().into_iter().map(|(surface, pass, _)| (surface, pass, false)));
        // If vertex mode is unavailable, no draw uses the pipelines whose vertex stage sums the targets, and building them
        // would be an error.
        wanted.retain(|&(_, _, morphs)| !morphs || builder.morph.is_some());
        let count = wanted.len() as f32;
        for (index, (surface, pass, morphs)) in wanted.into_iter().enumerate() {
            if advance(index as f32 / count).is_break() {
                return None;
            }
            let source = if morphs { VertexSource::MorphShader } else { VertexSource::Buffer };
            let is_skinned = surface.skinned;
            let shared = |what: &dyn fmt::Debug, make: &dyn Fn() -> wgpu::RenderPipeline| {
                gpu.shared_pipeline(format!("{what:?} {}", builder.description(source, is_skinned)), make)
            };
            self.shadows
                .entry((source, is_skinned))
                .or_insert_with(|| shared(&("shadow", source, is_skinned), &|| builder.shadow(source, is_skinned)));
            for samples in target::SAMPLE_COUNTS {
                let tier = Tier::Moving { samples };
                let key = (surface, pass, source, tier);
                let make = || shared(&key, &|| builder.surface(surface, pass, source, tier));
                self.surfaces.entry(key).or_insert_with(make);
            }
        }
        Some(())
    }

    /// Builds the pipelines of the resting tier that are missing for these draws, which read their shape from a buffer: at least one,
    /// and more until some time, so that the first picture need not wait for them. Returns whether all are there.
    pub(crate) fn build_resting(
        &mut self,
        gpu: &Gpu,
        blender: &Blender,
        head: &Head,
        draws: impl Iterator<Item = (SurfaceKind, AlphaPass)>,
        until: Option<Instant>,
    ) -> bool {
        let (source, tier) = (VertexSource::Buffer, Tier::Resting);
        let mut has_built = false;
        for (surface, pass) in draws {
            let key = (surface, pass, source, tier);
            if self.surfaces.contains_key(&key) {
                continue;
            }
            if std::mem::replace(&mut has_built, true) && until.is_some_and(|until| Instant::now() >= until) {
                return false;
            }
            let has_skins = || head.meshes.iter().any(|mesh| mesh.skin.is_some());
            let needs = || Needs {
                skins: has_skins(),
                file_lights: !head.lights.is_empty(),
                pores_in_motion: !gpu.is_software(),
            };
            let builder =
                self.of_resting_tier.get_or_insert_with(|| Box::new(Builder::new(&gpu.device, blender, needs())));
            let description = format!("{key:?} {}", builder.description(source, surface.skinned));
            let pipeline = gpu.shared_pipeline(description, || builder.surface(surface, pass, source, tier));
            self.surfaces.insert(key, pipeline);
        }
        self.of_resting_tier = None;
        self.of_head_before.clear();
        true
    }

    /// Keeps the pipelines of the resting tier of the head before this one until those of this head are built, so that these can be
    /// shared: some drivers never give back all memory of a pipeline. Those of the moving tier are shared already.
    pub(crate) fn follow(&mut self, before: Self) {
        let is_resting = |(_, _, _, tier): &(SurfaceKind, AlphaPass, VertexSource, Tier)| *tier == Tier::Resting;
        self.of_head_before = before.of_head_before;
        let surfaces = before.surfaces.into_iter();
        self.of_head_before.extend(surfaces.filter(|(key, _)| is_resting(key)).map(|(_, pipeline)| pipeline));
    }

    /// The pipeline that draws `surface` in a pass, if the head has such a surface.
    pub(crate) fn surface(
        &self,
        surface: SurfaceKind,
        pass: AlphaPass,
        source: VertexSource,
        tier: Tier,
    ) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.get(&(surface, pass, source, tier)).map(AsRef::as_ref)
    }

    /// The pipeline that draws the shadow map, if the head has such a surface.
    pub(crate) fn shadow(&self, source: VertexSource, is_skinned: bool) -> Option<&wgpu::RenderPipeline> {
        self.shadows.get(&(source, is_skinned)).map(AsRef::as_ref)
    }
}
