//! The pipelines of toon surfaces and their outlines.

use super::{Builder, NORMAL, POSITION, STATIC, TANGENT, Tier, color_targets, slot};
use crate::render::geometry::{StaticVertex, VertexSource};
use crate::render::shaders::PipelineModule;
use crate::render::surface::{Alpha, AlphaPass, SurfaceKind, ToonKind, toon_bind_group_layout};
use crate::render::target::{self, PipelineParts};

impl Builder {
    /// The pipeline of a toon surface, or of its outline.
    pub(super) fn toon(
        &self,
        (surface, kind): (SurfaceKind, ToonKind),
        pass: AlphaPass,
        source: VertexSource,
        tier: Tier,
    ) -> wgpu::RenderPipeline {
        let stage = self.vertex_stage(surface.skinned);
        let Some(templates) = &stage.toon else { unreachable!("a head with toon surfaces has their texts") };
        let (template, morph, mut constants) = self.template(templates, source);
        let (flag, msaa, is_outline) = (f64::from, tier.msaa(), pass == AlphaPass::Outline);
        let uses_alpha_to_coverage = surface.alpha == Alpha::Masked && msaa > 1;
        let is_blended = surface.alpha == Alpha::Blended;
        let [least_alpha, _] = AlphaPass::Toon.alphas(false).map(f64::from);
        constants.extend([
            ("TEXTURED", flag(surface.textured)),
            ("EMISSIVE", flag(surface.emissive)),
            ("EMISSIVE_MAPPED", flag(surface.emissive_mapped)),
            ("SHADE_MAPPED", flag(kind.shade_mapped)),
            ("SHIFT_MAPPED", flag(kind.shift_mapped)),
            ("HAS_RIM", flag(kind.has_rim)),
            ("RIM_MAPPED", flag(kind.rim_mapped)),
            ("MATCAPPED", flag(kind.matcapped)),
            ("WIDTH_MAPPED", flag(kind.outline_mapped)),
            ("UV_ANIMATED", flag(kind.uv_animated)),
            ("UV_MASKED", flag(kind.uv_masked)),
            ("UV_TRANSFORMED", flag(surface.uv_transformed)),
            ("ALPHA_TESTED", flag(surface.alpha_tested)),
            ("ALPHA_TO_COVERAGE", flag(uses_alpha_to_coverage)),
            ("BLENDED", flag(is_blended)),
            ("LEAST_ALPHA", least_alpha),
            ("DOUBLE_SIDED", flag(surface.double_sided)),
            ("FLAT", flag(surface.flat)),
            ("OUTLINE", flag(is_outline)),
            ("HAS_FILE_LIGHTS", flag(self.has_file_lights)),
        ]);
        let (vertex_entry, fragment_entry) = match (surface.normal_mapped, tier) {
            (true, Tier::Preview { .. }) => ("toon_vertex_normal_mapped", "toon_fragment_normal_mapped"),
            (true, Tier::Accumulated) => ("toon_vertex_normal_mapped", "sample_toon_fragment_normal_mapped"),
            (false, Tier::Preview { .. }) => ("toon_vertex", "toon_fragment"),
            (false, Tier::Accumulated) => ("toon_vertex", "sample_toon_fragment"),
        };
        let mut slots = vec![
            Some(slot(size_of::<[f32; 3]>(), &POSITION)),
            Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
            Some(slot(size_of::<StaticVertex>(), &STATIC)),
        ];
        if surface.normal_mapped {
            slots.extend([None, Some(slot(size_of::<[f32; 4]>(), &TANGENT))]);
        }
        let PipelineModule { module, constants } =
            template.module(&self.device, &[vertex_entry, fragment_entry], &constants);
        PipelineParts {
            label: &format!("{surface:?}, {pass:?}, from {source:?}, {tier:?}"),
            groups: &[Some(&self.frame), morph, Some(&stage.mesh), Some(&toon_bind_group_layout(&self.device))],
            module: &module,
            constants,
            vertex_entry,
            buffers: &slots,
            primitive: wgpu::PrimitiveState {
                cull_mode: match (is_outline, surface.double_sided) {
                    (true, _) => Some(wgpu::Face::Front),
                    (false, true) => None,
                    (false, false) => Some(wgpu::Face::Back),
                },
                ..Default::default()
            },
            depth: Some(target::depth_state(!is_blended || kind.writes_depth)),
            multisample: wgpu::MultisampleState {
                count: msaa,
                alpha_to_coverage_enabled: uses_alpha_to_coverage,
                ..Default::default()
            },
            fragment: Some((fragment_entry, &color_targets(tier, is_blended, true, uses_alpha_to_coverage))),
        }
        .pipeline(&self.device)
    }
}
