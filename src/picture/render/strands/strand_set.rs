//! The strands of one set of guides: bind group 1 of the strands' pipelines.

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};

use crate::render::geometry::MeshTable;
use crate::render::surface::Tier;
use crate::scene::Scene;
use smirk_face::head::GrownStrands;
use smirk_graphics::gpu::Gpu;

use super::amount::Amount;
use super::detail::{Detail, Purpose};
use super::points::strand_vertices;

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
    /// Index into [`smirk_face::head::Head::meshes`].
    mesh: usize,
    grown: u32,
    /// The width of a strand at its root, in the unit of the mesh.
    width: f32,
    amount: Amount,
    /// The number of strands that cast shadows.
    cast: u32,
    drawn: Detail,
    shadow: Detail,
    uniforms: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl StrandSet {
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
            cast: 0,
            drawn: Detail::of(Purpose::Picture(Tier::Resting), gpu.is_software()),
            shadow: Detail::of(Purpose::Shadow, gpu.is_software()),
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
        self.drawn = Detail::of(Purpose::Picture(tier), is_software);
        let look = scene.look;
        let is_shown = look.view.shows_materials() && !look.isolates_face && !look.hidden.contains(self.mesh);
        let amount = Amount::new(if is_shown { self.grown } else { 0 }, width_px, self.drawn.part);
        self.cast = amount.count / self.shadow.strands_per_drawn();
        self.amount = match tier {
            Tier::Moving { .. } => amount.of_a_pixel(width_px),
            // Other strands are left out of each sample.
            Tier::Resting => amount,
        };
    }

    /// Writes the uniforms.
    pub(super) fn write(&self, queue: &wgpu::Queue, size: [u32; 2], sample: u32) {
        let uniforms = StrandUniforms {
            size: size.map(|side| side as f32),
            width_factor: self.amount.width_factor,
            phase: (f64::from(sample) * 0.754_877_666_246_692_7).fract() as f32,
            strands_per_shadow: self.shadow.strands_per_drawn(),
            _pad: 0,
        };
        queue.write_buffer(&self.uniforms, 0, bytes_of(&uniforms));
    }

    /// Draws the strands.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.amount.count, self.drawn);
    }

    /// Draws the strands that cast shadows.
    pub(super) fn cast_shadow(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        self.draw_some(pass, meshes, self.cast, self.shadow);
    }

    fn draw_some(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable, count: u32, detail: Detail) {
        meshes.bind_mesh(self.mesh, pass);
        pass.set_bind_group(1, &self.group, &[]);
        pass.draw(0..count * detail.vertices(), 0..1);
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
