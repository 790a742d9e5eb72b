//! What is measured of the vertices, as the view scales it: vertex buffer 3 of the views.

use std::sync::Arc;

use glam::Vec3;

use super::crossing_values::CrossingValues;
use crate::scene::{Compared, Heat, HeatAgainst, NO_VALUE, Scene, ViewMode};
use smirk_face::head::Head;
use smirk_face::judge::FaceCrossings;
use smirk_graphics::blend::{BlendMode, LateBlender};
use smirk_graphics::gpu::Gpu;
use smirk_graphics::measure::{Measure, MeasuredHead};

/// The values of all vertices, 0 until something is measured.
#[derive(Debug)]
pub(crate) struct VertexValues {
    /// One f32 per place of the head-wide array: 0..1, or -1..1 of a measure with negative values; [`NO_VALUE`] where
    /// there is none.
    pub buffer: wgpu::Buffer,
    /// Made when something is first measured.
    measured: Option<MeasuredHead>,
    crossings: CrossingValues,
    /// What the buffer holds.
    shown: Option<Shown>,
}

/// What values depend on.
#[derive(Debug, PartialEq)]
struct Shown {
    what: What,
    weights: Vec<f32>,
    /// The mode that the shape is blended in, if that matters.
    mode: Option<BlendMode>,
    /// What it is compared with, if that matters.
    compared: Option<Compared>,
}

/// What is measured, and how it is scaled.
#[derive(Clone, Debug, PartialEq)]
enum What {
    /// The curvature of the face as it is.
    Curvature,
    Heat(Heat),
    /// What crosses on the face; none where the scene does not say it.
    Crossings(Option<Arc<FaceCrossings>>),
}

/// Values below this have the same colour as this one.
const LEAST_VALUE: f32 = -2.0;

impl VertexValues {
    /// A curvature of so many per millimetre, as at the tip of a small nose, is shown half way between grey and white.
    const HALF_CURVATURE: f32 = 0.12;

    /// The values of a head, which every call needs again.
    pub(super) fn new(gpu: &Gpu, place_count: usize) -> Self {
        let zeros = vec![0.0_f32; place_count];
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.filled_buffer("values of vertices", bytemuck::cast_slice(&zeros), usage);
        Self { buffer, measured: None, crossings: CrossingValues::default(), shown: None }
    }

    /// Whether a view shows something that is measured.
    pub(crate) fn are_shown_by(view: ViewMode) -> bool {
        match view {
            ViewMode::Curvature | ViewMode::Crossings | ViewMode::Heat => true,
            ViewMode::Shaded
            | ViewMode::Clay
            | ViewMode::Matcap
            | ViewMode::Wireframe
            | ViewMode::Normals
            | ViewMode::UvChecker
            | ViewMode::Backfaces => false,
        }
    }

    /// Measures what a scene shows, if that has changed. Two blend modes are compared by what the blender really makes of the weights,
    /// which is read back; afterwards it has to blend again.
    pub(super) fn update(&mut self, gpu: &Gpu, head: &Head, blender: &mut LateBlender, scene: &Scene<'_>) {
        let heat = scene.look.heat;
        let (what, mode) = match (scene.look.view, heat.against) {
            (ViewMode::Heat, HeatAgainst::Mode(_)) => (What::Heat(heat), Some(scene.mode)),
            (ViewMode::Heat, HeatAgainst::Rest | HeatAgainst::Compared) => (What::Heat(heat), None),
            (ViewMode::Crossings, _) => (What::Crossings(scene.crossings.cloned()), None),
            _ => (What::Curvature, None),
        };
        let compared = scene.compared.filter(|_| scene.look.shows_comparison());
        let is_same = |shown: &Shown| {
            (&shown.what, shown.mode, shown.compared.as_ref()) == (&what, mode, compared)
                && shown.weights == scene.weights
        };
        if self.shown.as_ref().is_some_and(is_same) {
            return;
        }
        let values = match &what {
            What::Curvature => {
                let of = |curvature: f32| curvature / (curvature.abs() + Self::HALF_CURVATURE);
                scaled(self.measured(head).values(head, Measure::Curvature, &[], scene.weights), of)
            }
            What::Heat(heat) => {
                let most = heat.most(head, compared);
                let of = |value: f32| if value.is_nan() { NO_VALUE } else { (value / most).max(LEAST_VALUE) };
                scaled(self.heat_values(gpu, head, blender, scene), of)
            }
            What::Crossings(given) => self.crossings.values(head, scene.weights, given.as_ref()),
        };
        let places = blender.places();
        let mut at_places = vec![0.0_f32; places.place_count()];
        for (mesh, values) in values.iter().enumerate() {
            for (vertex, &value) in values.iter().enumerate() {
                at_places[places.place_of(mesh, vertex)] = value;
            }
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&at_places));
        self.shown = Some(Shown { what, weights: scene.weights.to_vec(), mode, compared: compared.cloned() });
    }

    fn measured(&mut self, head: &Head) -> &MeasuredHead {
        self.measured.get_or_insert_with(|| MeasuredHead::new(head))
    }

    fn heat_values(&mut self, gpu: &Gpu, head: &Head, blender: &mut LateBlender, scene: &Scene<'_>) -> Vec<Vec<f32>> {
        let heat = scene.look.heat;
        let measured = self.measured(head);
        if let Some(values) = heat.values(head, measured, scene.weights, scene.compared) {
            return values;
        }
        let other = if let HeatAgainst::Mode(other) = heat.against { other } else { scene.mode };
        let weights = heat.measured_weights(head, scene.weights);
        let mut of = |mode| {
            let vertices = blender.made().read_back(gpu, &weights, mode, scene.look.normals);
            let mut positions = vertices.iter().map(|vertex| vertex.position);
            let of_mesh = |count| positions.by_ref().take(count).collect::<Vec<Vec3>>();
            head.meshes.iter().map(|mesh| mesh.vertices.len()).map(of_mesh).collect::<Vec<_>>()
        };
        let (from, to) = (of(other), of(scene.mode));
        measured.between(head, heat.measure, &from, &to)
    }
}

fn scaled(mut values: Vec<Vec<f32>>, scale: impl Fn(f32) -> f32) -> Vec<Vec<f32>> {
    values.iter_mut().flatten().for_each(|value| *value = scale(*value));
    values
}
