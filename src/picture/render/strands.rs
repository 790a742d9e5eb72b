//! Hair as strands on the GPU: the points of all strands, the pipelines that draw them as ribbons, and how many of them
//! a picture is drawn with.
//!
//! Far away, many strands would lie within one pixel; then fewer are drawn, and wider ones, which looks the same from
//! there (R. Cook et al., "Stochastic simplification of aggregate detail", 2007). A software adapter transforms the
//! points of strands on one core, so that it draws fewer strands with fewer points.

use std::sync::{Arc, OnceLock};

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};
use glam::{Vec2, Vec3};

use super::effort::{Effort, StrandEffort};
use super::geometry::MeshTable;
use super::pipelines::Tier;
use crate::render::geometry::mesh_bind_group_layout;
use crate::render::pipelines::sample_targets;
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::target::{self, PipelineParts};
use crate::render::{frame_uniforms, light};
use smirk_face::head::{Bounds, GrownStrands, Head, StrandPoint};
use smirk_graphics::gpu::{Binding, Gpu, bind_group, bind_group_layout};
use smirk_scene::Scene;

/// The largest number of strands of a head.
const MOST: usize = 60_000;

/// The strands of one head. They are grown when the head is uploaded, beside the window.
#[derive(Debug)]
pub(crate) struct StrandsOnGpu {
    sets: Vec<StrandSet>,
    pipelines: StrandPipelines,
    effort: Effort,
}

impl StrandsOnGpu {
    /// Grows the strands of a head; none if it has no guides.
    pub(super) fn new(gpu: &Gpu, head: &Head) -> Option<Self> {
        if head.meshes.iter().all(|mesh| mesh.strands.is_empty()) {
            return None;
        }
        let layout = layout_of_strands(&gpu.device);
        let (mut sets, mut left) = (Vec::new(), MOST);
        for (index, mesh) in head.meshes.iter().enumerate() {
            for strands in &mesh.strands {
                let mut grown = GrownStrands::new(strands);
                grown.points.truncate(left * GrownStrands::POINTS);
                left -= grown.count();
                if grown.count() > 0 {
                    sets.push(StrandSet::new(gpu, &layout, index, strands.growth.width, &grown));
                }
            }
        }
        let pipelines = StrandPipelines::new(gpu, layout, !head.lights.is_empty());
        Some(Self { sets, pipelines, effort: Effort::for_adapter(gpu) })
    }

    /// Boxes that together contain all strands, each in the space of a mesh, with the index of the mesh.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (usize, Bounds)> + Clone {
        self.sets.iter().flat_map(|set| set.boxes.iter().map(|bounds| (set.mesh, *bounds)))
    }

    pub(super) fn choose(&mut self, scene: &Scene, tier: Tier) {
        for set in &mut self.sets {
            set.choose(scene, tier, &self.effort);
        }
    }

    /// Writes the uniforms for a viewport of `size` pixels and for the sample with a number.
    pub(super) fn write(&self, queue: &wgpu::Queue, size: [u32; 2], sample: u32) {
        self.sets.iter().for_each(|set| set.write(queue, size, sample));
    }

    /// Builds the pipelines of a tier that are missing.
    pub(super) fn build(&self, tier: Tier) {
        self.pipelines.build(tier);
    }

    /// Draws the strands, in a pass in which bind group 0 is set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, tier: Tier, meshes: &MeshTable) {
        pass.set_pipeline(self.pipelines.for_tier(tier));
        self.sets.iter().for_each(|set| set.draw(pass, meshes));
    }

    /// Draws the strands that cast shadows into a shadow map, in a pass in which bind group 0 is set.
    pub(super) fn cast_shadow(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        pass.set_pipeline(self.pipelines.shadow());
        self.sets.iter().for_each(|set| set.cast_shadow(pass, meshes));
    }
}

/// `StrandSet` in `strands.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct StrandUniforms {
    size: [f32; 2],
    width_factor: f32,
    phase: f32,
    strands_per_shadow: u32,
    _pad: u32,
}

#[derive(Debug)]
struct StrandSet {
    /// Index into [`smirk_face::head::Asset::meshes`].
    mesh: usize,
    grown: u32,
    /// The width of a strand at its root, in the unit of the mesh.
    width: f32,
    /// Around the points of [`Self::STRANDS_PER_BOX`] strands each, in the space of the mesh.
    boxes: Vec<Bounds>,
    amount: Amount,
    cast: u32,
    drawn: StrandEffort,
    shadow: StrandEffort,
    uniforms: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl StrandSet {
    const STRANDS_PER_BOX: usize = 64;

    /// Uploads grown strands.
    fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout, mesh: usize, width: f32, grown: &GrownStrands) -> Self {
        let boxes = grown.points.chunks(Self::STRANDS_PER_BOX * GrownStrands::POINTS);
        let boxes = boxes.map(|points| Bounds::around(points.iter().map(|point| point.position))).collect();
        let points = strand_vertices(grown);
        let points = gpu.filled_buffer("strands", cast_slice(&points), wgpu::BufferUsages::STORAGE);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = gpu.filled_buffer("strand set", bytes_of(&StrandUniforms::default()), usage);
        let group =
            bind_group(&gpu.device, "strands", layout, [&points, &uniforms].map(wgpu::Buffer::as_entire_binding));
        Self {
            mesh,
            grown: grown.count() as u32,
            width,
            boxes,
            amount: Amount::default(),
            cast: 0,
            drawn: Effort::for_adapter(gpu).strands_of_accumulated,
            shadow: Effort::for_adapter(gpu).strands_of_shadow,
            uniforms,
            group,
        }
    }

    fn choose(&mut self, scene: &Scene, tier: Tier, effort: &Effort) {
        let head = &scene.head;
        let Some(mesh) = head.meshes.get(self.mesh) else { return };
        let width_px = self.width * head.rest_pose.largest_scale(mesh) * scene.pixels_per_unit();
        self.drawn = effort.strands(Purpose::Picture(tier));
        let look = &scene.look;
        let is_shown = look.view.shows_materials() && !look.isolates_face && !look.hidden.contains(self.mesh);
        let amount = Amount::new(if is_shown { self.grown } else { 0 }, width_px, self.drawn.part);
        self.cast = amount.count / self.shadow.strands_per_drawn();
        self.amount = match tier {
            Tier::Preview { .. } => amount.of_a_pixel(width_px),
            // Other strands are left out of each sample.
            Tier::Accumulated => amount,
        };
    }

    fn write(&self, queue: &wgpu::Queue, size: [u32; 2], sample: u32) {
        let uniforms = StrandUniforms {
            size: size.map(|side| side as f32),
            width_factor: self.amount.width_factor,
            phase: (f64::from(sample) * 0.754_877_666_246_692_7).fract() as f32,
            strands_per_shadow: self.shadow.strands_per_drawn(),
            _pad: 0,
        };
        queue.write_buffer(&self.uniforms, 0, bytes_of(&uniforms));
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.amount.count, self.drawn);
    }

    fn cast_shadow(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.cast, self.shadow);
    }

    fn draw_some(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable, count: u32, detail: StrandEffort) {
        meshes.bind_mesh(self.mesh, pass);
        pass.set_bind_group(1, &self.group, &[]);
        pass.draw(0..count * detail.vertices(), 0..1);
    }
}

/// The layout of bind group 1: the points of the strands, and the uniforms of their set.
fn layout_of_strands(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let bindings = [Binding::StorageRead, Binding::Uniform(size_of::<StrandUniforms>())];
    bind_group_layout(device, "strands", wgpu::ShaderStages::VERTEX, &bindings)
}

/// The strands of a picture: the first `count` of those that are grown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Amount {
    pub count: u32,
    /// A factor of all widths, which makes up for the strands that are not drawn.
    pub width_factor: f32,
}

impl Amount {
    /// Strands are not drawn wider than this for those that are missing, because they would look like cords.
    const WIDEST: f32 = 1.7;
    /// The least part of the strands, however small the head is in the picture.
    const LEAST_PART: f32 = 0.12;

    /// The amount of `grown` strands whose roots are `width_px` pixels wide, where at most `part` of them may be drawn.
    fn new(grown: u32, width_px: f32, part: f32) -> Self {
        // With so many strands each is 0.7 pixels wide.
        let wanted = (width_px / 0.7).clamp(Self::LEAST_PART, 1.0).min(part);
        let count = ((grown as f32 * wanted).ceil() as u32).min(grown);
        let missing = grown as f32 / count.max(1) as f32;
        Self { count, width_factor: missing.clamp(1.0, Self::WIDEST) }
    }

    /// As many strands as `strands.wgsl` draws of these in one picture, where roots are `width_px` pixels wide: of
    /// strands thinner than a pixel it draws a part, a pixel wide. Those that it would leave out are no work this way.
    fn of_a_pixel(self, width_px: f32) -> Self {
        /// Some strands are left however small the head is.
        const LEAST_DRAWN: f32 = 1.0 / 16.0;
        let drawn = (width_px * self.width_factor).clamp(LEAST_DRAWN, 1.0);
        Self { count: (self.count as f32 * drawn).ceil() as u32, width_factor: self.width_factor / drawn }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Picture(Tier),
    Shadow,
}

impl Effort {
    /// How exactly strands are drawn for a purpose.
    fn strands(&self, purpose: Purpose) -> StrandEffort {
        match purpose {
            Purpose::Picture(Tier::Preview { .. }) => self.strands_of_preview,
            Purpose::Picture(Tier::Accumulated) => self.strands_of_accumulated,
            Purpose::Shadow => self.strands_of_shadow,
        }
    }
}

impl StrandEffort {
    /// The number of vertices of a strand in the strip: two for each point, and the first and the last of them twice.
    fn vertices(self) -> u32 {
        2 * self.points + 2
    }

    fn strands_per_drawn(self) -> u32 {
        (1.0 / self.part).round() as u32
    }
}

/// A point of a strand: two elements of `strand_points` in `strands.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct StrandVertex {
    position: [f32; 3],
    width: f32,
    /// The direction towards the tip and the direction away from the body, each folded into two numbers of 16 bits.
    along: [i16; 2],
    outwards: [i16; 2],
    /// The square roots of linear RGB.
    color: [u8; 4],
    /// 0..1, one number per strand.
    random: f32,
}

fn strand_vertices(grown: &GrownStrands) -> Vec<StrandVertex> {
    let strands = grown.points.chunks_exact(GrownStrands::POINTS).enumerate();
    strands.flat_map(|(strand, points)| vertices_of(points, random_of(strand))).collect()
}

fn vertices_of(points: &[StrandPoint], random: f32) -> impl Iterator<Item = StrandVertex> {
    let last = points.len() - 1;
    points.iter().enumerate().map(move |(at, point)| {
        let along = points[(at + 1).min(last)].position - points[at.saturating_sub(1)].position;
        let [r, g, b] = point.color.to_array().map(|part| (part.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8);
        StrandVertex {
            position: point.position.to_array(),
            width: point.width,
            along: folded(along.normalize_or(Vec3::Z)),
            outwards: folded(point.normal.normalize_or(Vec3::Y)),
            color: [r, g, b, 255],
            random,
        }
    })
}

/// A number of a sequence that is spread evenly, however many of its numbers are used (the golden ratio's multiples).
fn random_of(strand: usize) -> f32 {
    (strand as f64 * 0.618_033_988_749_894_9).fract() as f32
}

/// A unit vector, folded as an octahedron into a square.
fn folded(unit: Vec3) -> [i16; 2] {
    let on_octahedron = unit / (unit.x.abs() + unit.y.abs() + unit.z.abs());
    let above = Vec2::new(on_octahedron.x, on_octahedron.y);
    let sign = |x: f32| if x >= 0.0 { 1.0 } else { -1.0 };
    let place = if unit.z >= 0.0 {
        above
    } else {
        Vec2::new((1.0 - above.y.abs()) * sign(above.x), (1.0 - above.x.abs()) * sign(above.y))
    };
    place.to_array().map(|part| (part.clamp(-1.0, 1.0) * 32767.0).round() as i16)
}

type Pipeline = OnceLock<Arc<wgpu::RenderPipeline>>;

#[derive(Debug)]
struct StrandPipelines {
    gpu: Gpu,
    strands: wgpu::BindGroupLayout,
    has_file_lights: bool,
    shader: OnceLock<Template>,
    /// In the order of [`target::MSAA_COUNTS`].
    previews: [Pipeline; 2],
    accumulated: Pipeline,
    shadow: Pipeline,
}

impl StrandPipelines {
    /// No pipelines yet. `strands` is the layout of bind group 1.
    fn new(gpu: &Gpu, strands: wgpu::BindGroupLayout, has_file_lights: bool) -> Self {
        Self {
            gpu: gpu.clone(),
            strands,
            has_file_lights,
            shader: OnceLock::new(),
            previews: Default::default(),
            accumulated: Pipeline::new(),
            shadow: Pipeline::new(),
        }
    }

    /// Builds what pictures of a tier need, and is missing.
    fn build(&self, tier: Tier) {
        self.for_tier(tier);
        self.shadow();
    }

    /// The pipeline that draws strands in a tier.
    fn for_tier(&self, tier: Tier) -> &wgpu::RenderPipeline {
        let pipeline = match tier {
            Tier::Preview { msaa } => &self.previews[usize::from(msaa > 1)],
            Tier::Accumulated => &self.accumulated,
        };
        pipeline.get_or_init(|| {
            let description = format!("strands {tier:?} {}", self.has_file_lights);
            self.gpu.shared_pipeline(description, || self.picture_pipeline(tier))
        })
    }

    /// The pipeline that draws strands into a shadow map.
    fn shadow(&self) -> &wgpu::RenderPipeline {
        self.shadow.get_or_init(|| self.gpu.shared_pipeline("shadow of strands".into(), || self.shadow_pipeline()))
    }

    fn picture_pipeline(&self, tier: Tier) -> wgpu::RenderPipeline {
        let device = &self.gpu.device;
        let constants = [
            ("REFINED", f64::from(tier == Tier::Accumulated)),
            ("HAS_FILE_LIGHTS", f64::from(self.has_file_lights)),
            self.points(Purpose::Picture(tier)),
        ];
        let (entry, targets) = match tier {
            Tier::Preview { .. } => ("strand_fragment", vec![Some(target::COLOR_FORMAT.into())]),
            Tier::Accumulated => ("sample_strand_fragment", sample_targets(false, false).map(Some).to_vec()),
        };
        let PipelineModule { module, constants } = self.shader().module(device, &["strand_vertex", entry], &constants);
        PipelineParts {
            label: &format!("strands, {tier:?}"),
            groups: &[
                Some(&frame_uniforms::frame_bind_group_layout(device)),
                Some(&self.strands),
                Some(&mesh_bind_group_layout(device, false)),
            ],
            module: &module,
            constants,
            vertex_entry: "strand_vertex",
            buffers: &[],
            primitive: strip(),
            depth: Some(target::depth_state(true)),
            multisample: wgpu::MultisampleState { count: tier.msaa(), ..Default::default() },
            fragment: Some((entry, &targets)),
        }
        .pipeline(device)
    }

    fn shadow_pipeline(&self) -> wgpu::RenderPipeline {
        let device = &self.gpu.device;
        let (entry, constants) = ("strand_shadow_vertex", [self.points(Purpose::Shadow)]);
        let PipelineModule { module, constants } = self.shader().module(device, &[entry], &constants);
        PipelineParts {
            label: "shadow of strands",
            groups: &[
                Some(&frame_uniforms::shadow_bind_group_layout(device)),
                Some(&self.strands),
                Some(&mesh_bind_group_layout(device, false)),
            ],
            module: &module,
            constants,
            vertex_entry: entry,
            buffers: &[],
            primitive: strip(),
            depth: Some(light::depth_state()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
        }
        .pipeline(device)
    }

    fn shader(&self) -> &Template {
        self.shader.get_or_init(|| Template::new("strands", shaders::strands()))
    }

    fn points(&self, purpose: Purpose) -> (&'static str, f64) {
        ("DRAWN_POINTS", f64::from(Effort::for_adapter(&self.gpu).strands(purpose).points))
    }
}

/// Ribbons are seen from both sides.
fn strip() -> wgpu::PrimitiveState {
    wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_heads_and_slow_adapters_have_fewer_and_wider_strands() {
        assert_eq!(Amount::new(14_000, 2.0, 1.0), Amount { count: 14_000, width_factor: 1.0 });
        let far = Amount::new(14_000, 0.35, 1.0);
        assert!((6_900..7_100).contains(&far.count) && (far.width_factor - Amount::WIDEST).abs() < 0.02, "{far:?}");
        let slow = Amount::new(14_000, 2.0, 0.2);
        assert_eq!((slow.count, slow.width_factor), (2_800, Amount::WIDEST));
        assert!(Amount::new(14_000, 0.0, 1.0).count > 1_000);
        assert_eq!(Amount::new(0, 1.0, 1.0).count, 0);
        assert!(Amount::new(14_000, f32::NAN, 1.0).count <= 14_000);
    }

    #[test]
    fn strands_thinner_than_a_pixel_are_as_many_as_are_drawn() {
        let thin = Amount { count: 2_800, width_factor: 2.0 };
        assert_eq!(thin.of_a_pixel(0.25), Amount { count: 1_400, width_factor: 4.0 });
        assert_eq!(thin.of_a_pixel(2.0), thin);
        assert_eq!(thin.of_a_pixel(0.0).count, 175);
        assert_eq!(thin.of_a_pixel(f32::NAN).count, 0);
        assert_eq!(Amount::default().of_a_pixel(0.5).count, 0);
    }

    /// `unit_vector` of `strands.wgsl`.
    fn unfolded([x, y]: [i16; 2]) -> Vec3 {
        let (x, y) = (f32::from(x) / 32767.0, f32::from(y) / 32767.0);
        let z = 1.0 - x.abs() - y.abs();
        let under = (-z).max(0.0);
        let back = |part: f32| if part >= 0.0 { part - under } else { part + under };
        Vec3::new(back(x), back(y), z).normalize_or(Vec3::Z)
    }

    #[test]
    fn directions_survive_folding() {
        for index in 0..500 {
            let angle = index as f32 * 2.4;
            let z = index as f32 / 249.5 - 1.0;
            let across = (1.0 - z * z).max(0.0).sqrt();
            let unit = Vec3::new(across * angle.cos(), across * angle.sin(), z).normalize_or(Vec3::Z);
            let off = unit.angle_between(unfolded(folded(unit)));
            assert!(off < 1e-3, "{unit}: {off}");
        }
    }

    #[test]
    fn a_vertex_is_two_elements() {
        assert_eq!(size_of::<StrandVertex>(), 32);
    }
}
