//! All GPU objects of one head: those that never change while it is open, and the blender, which writes the others.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::blend::{Blender, DeformedBounds, Layout};
use crate::gpu::{DeviceError, Gpu};
use crate::head::{Head, RigPose};

use super::geometry::{DrawList, MeshTable, MorphedUvColors, static_vertices};
use super::surface::{Pipelines, TextureAlphas, bind_groups};

/// A head that is ready to be drawn. Create it on a worker thread, because uploading textures and building pipelines takes
/// a while.
#[derive(Debug)]
pub struct HeadOnGpu {
    pub(super) head: Arc<Head>,
    pub(super) blender: Blender,
    pub(super) bounds: DeformedBounds,
    pub(super) pipelines: Pipelines,
    pub(super) draws: DrawList,
    /// The contents of vertex buffer slot 2.
    pub(super) static_vertices: wgpu::Buffer,
    pub(super) meshes: MeshTable,
    /// Bind group 3 for each of the head's materials.
    pub(super) materials: Vec<wgpu::BindGroup>,
    rig_pose: RigPose,
    alphas: TextureAlphas,
    uv_colors: MorphedUvColors,
}

impl HeadOnGpu {
    /// Uploads `head`, if there is enough memory for it. `layout` is [`Layout::new`] of the same head.
    pub fn new(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Result<Self, DeviceError> {
        gpu.attempt(|| Self::upload(gpu, head, layout))
    }

    fn upload(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Self {
        let rig_pose = head.rest_pose.clone();
        let mut alphas = TextureAlphas::default();
        let draws = DrawList::new(gpu, &head, &layout, &rig_pose, None, &mut alphas);
        let vertices = static_vertices(&head, &layout);
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let static_vertices = gpu.filled_buffer("static vertices", bytemuck::cast_slice(&vertices), usage);
        let uv_colors = MorphedUvColors::new(&head, &layout, vertices);
        let meshes = MeshTable::new(gpu, &head, &layout, &rig_pose);
        let materials = bind_groups(gpu, &head);
        // The blender is created last, because it also works with less memory: if there is no room for the deltas, the CPU
        // blends.
        let blender = Blender::new(gpu, layout.clone()).with_surface(head.clone());
        let pipelines = Pipelines::new(&gpu.device, &blender, &head, &mut alphas);
        Self {
            static_vertices,
            uv_colors,
            materials,
            bounds: DeformedBounds::new(&head, &layout),
            head,
            blender,
            pipelines,
            rig_pose,
            draws,
            alphas,
            meshes,
        }
    }

    /// The head that these objects show.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// Moves the nodes, and all meshes and joints that depend on them, to the given matrices. A node that is missing
    /// from the list, or whose matrix is not finite, goes to its rest pose.
    pub(super) fn set_nodes(&mut self, queue: &wgpu::Queue, world_from_nodes: &[Mat4]) {
        let rest = self.head.rest_pose.world_from_node().iter().enumerate();
        let wanted: Vec<Mat4> = rest
            .map(|(node, rest)| world_from_nodes.get(node).filter(|world| world.is_finite()).unwrap_or(rest))
            .copied()
            .collect();
        if wanted == self.rig_pose.world_from_node() {
            return;
        }
        self.rig_pose = RigPose::new(&self.head.rig, wanted);
        self.bounds.set_rig_pose(&self.head, &self.rig_pose);
        self.meshes.set_joints(queue, &self.head, &self.rig_pose);
        self.draws.recenter(&self.head, &self.rig_pose);
    }

    /// Writes the transforms of the meshes, and which of them have recomputed normals, where either has changed.
    pub(super) fn update_meshes(&mut self, queue: &wgpu::Queue) {
        let blender = &self.blender;
        self.meshes.update(queue, &self.head, &self.rig_pose, |mesh| blender.is_recomputed(mesh));
    }

    /// Writes the texture coordinates and colours that targets change, if their weights have changed.
    pub(super) fn update_uv_colors(&mut self, queue: &wgpu::Queue, weights: &[f32]) {
        if self.uv_colors.is_any() {
            self.uv_colors.update(queue, &self.static_vertices, &self.head, self.blender.layout(), weights);
        }
    }

    /// Makes new draw calls if `variant` changes the materials, and sorts the blended draws back to front, by their positions
    /// at these weights.
    pub(super) fn update_draws(&mut self, gpu: &Gpu, variant: Option<usize>, eye_in_world: Vec3, weights: &[f32]) {
        if !self.draws.is_for(variant) {
            let layout = self.blender.layout();
            self.draws = DrawList::new(gpu, &self.head, layout, &self.rig_pose, variant, &mut self.alphas);
        }
        self.draws.sort_from(eye_in_world, weights);
    }
}
