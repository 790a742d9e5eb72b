//! The strands of one set of guides: bind group 1 of the strands' pipelines.

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};

use crate::gpu::Gpu;
use crate::head::GrownStrands;
use crate::render::geometry::MeshTable;
use crate::render::surface::Tier;
use crate::scene::Scene;

use super::amount::Amount;
use super::points::strand_vertices;

/// The number of vertices of a strand in the strip: two for each point, and the first and the last of them twice.
pub(crate) const VERTICES_PER_STRAND: u32 = 2 * GrownStrands::POINTS as u32 + 2;

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
pub(super) struct StrandSet {
    /// Index into [`crate::head::Head::meshes`].
    mesh: usize,
    grown: u32,
    /// The width of a strand at its root, in the unit of the mesh.
    width: f32,
    amount: Amount,
    /// One of so many strands casts a shadow.
    strands_per_shadow: u32,
    uniforms: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl StrandSet {
    /// The part of the strands that a software adapter draws: it transforms their points on one core.
    const SOFTWARE_PART: f32 = 0.2;
    /// The same for a sample of a head that rests.
    const SOFTWARE_PART_AT_REST: f32 = 0.45;

    /// Uploads grown strands.
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        mesh: usize,
        width: f32,
        grown: &GrownStrands,
    ) -> Self {
        let points = strand_vertices(grown);
        let points = gpu.filled_buffer("strands", cast_slice(&points), wgpu::BufferUsages::STORAGE);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = gpu.filled_buffer("strand set", bytes_of(&StrandUniforms::default()), usage);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("strands"),
            layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: points.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: uniforms.as_entire_binding() },
            ],
        });
        Self {
            mesh,
            grown: grown.count() as u32,
            width,
            amount: Amount::default(),
            strands_per_shadow: 4,
            uniforms,
            group,
        }
    }

    /// Chooses the strands of a picture.
    pub(super) fn choose(&mut self, scene: &Scene<'_>, tier: Tier, is_software: bool) {
        let head = scene.head;
        let Some(mesh) = head.meshes.get(self.mesh) else { return };
        let [width, height] = scene.size.map(|side| side.max(1) as f32);
        let distance = scene.camera.eye_in_world().distance(head.focus.center()).max(f32::MIN_POSITIVE);
        let zoom = scene.camera.projection_from_view(width / height).y_axis.y;
        let pixels = height * scene.quality.scale * 0.5;
        let width_px = self.width * head.rest_pose.largest_scale(mesh) * zoom * pixels / distance;
        let part = match (is_software, tier) {
            (false, _) => 1.0,
            (true, Tier::Moving { .. }) => Self::SOFTWARE_PART,
            (true, Tier::Resting) => Self::SOFTWARE_PART_AT_REST,
        };
        self.amount = Amount::new(self.grown, width_px, part);
        // Shadows need fewer strands, and each map of a software adapter has to be quick.
        self.strands_per_shadow = if is_software { 12 } else { 4 };
    }

    /// Writes the uniforms.
    pub(super) fn write(&self, queue: &wgpu::Queue, size: [u32; 2], sample: u32) {
        let uniforms = StrandUniforms {
            size: size.map(|side| side as f32),
            width_factor: self.amount.width_factor,
            phase: (f64::from(sample) * 0.754_877_666_246_692_7).fract() as f32,
            strands_per_shadow: self.strands_per_shadow,
            _pad: 0,
        };
        queue.write_buffer(&self.uniforms, 0, bytes_of(&uniforms));
    }

    /// Draws the strands.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.amount.count);
    }

    /// Draws the strands that cast shadows.
    pub(super) fn cast_shadow(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.amount.count / self.strands_per_shadow);
    }

    fn draw_some(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable, count: u32) {
        meshes.bind_mesh(self.mesh, pass);
        pass.set_bind_group(1, &self.group, &[]);
        pass.draw(0..count * VERTICES_PER_STRAND, 0..1);
    }
}

/// The layout of bind group 1: the points of the strands, and the uniforms of their set.
pub(super) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty, size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: wgpu::BufferSize::new(size) },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("strands"),
        entries: &[
            entry(0, wgpu::BufferBindingType::Storage { read_only: true }, 0),
            entry(1, wgpu::BufferBindingType::Uniform, size_of::<StrandUniforms>() as u64),
        ],
    })
}
