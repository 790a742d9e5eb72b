//! The numbers that some views show as colours: what is measured at each vertex of a face, or what was found there.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::{BlendMode, Compared, Heat, HeatAgainst, NO_VALUE, Scene, ViewMode};
use smirk_analysis::measure::{Measure, MeasuredHead};
use smirk_analysis::{FaceSearch, Marked};
use smirk_face::head::Head;

/// A curvature of so many per millimetre, as at the tip of a small nose, is shown half way between grey and white.
const HALF_CURVATURE: f32 = 0.12;
/// Shown values below this have the same colour as this one.
const LEAST_VALUE: f32 = -2.0;

/// The values of faces of one head, which every call needs again.
#[derive(Debug, Default)]
pub struct FaceValues {
    measured: Option<MeasuredHead>,
    searches: HashMap<ViewMode, Search>,
    /// The values of the last face, for each mesh one per vertex.
    last: Option<(Inputs, Vec<Vec<f32>>)>,
}

/// What values depend on. Of a scene, it has only what its view shows.
#[derive(Debug, PartialEq)]
struct Inputs {
    view: ViewMode,
    /// What is measured; none where vertices are searched.
    heat: Option<Heat>,
    mode: Option<BlendMode>,
    compared: Option<Compared>,
    marked: Option<Arc<Marked>>,
    weights: Arc<[f32]>,
}

impl Inputs {
    fn new(scene: &Scene) -> Option<Self> {
        let look = &scene.look;
        let (heat, marked) = match look.view {
            ViewMode::Heat => (Some(look.heat), None),
            ViewMode::Curvature => {
                (Some(Heat { measure: Measure::Curvature, rests_at_zero: true, ..Heat::default() }), None)
            }
            ViewMode::Intersections => (None, scene.marked.clone()),
            ViewMode::Shaded
            | ViewMode::Clay
            | ViewMode::Matcap
            | ViewMode::Wireframe
            | ViewMode::Normals
            | ViewMode::UvChecker
            | ViewMode::Backfaces => return None,
        };
        Some(Self {
            view: look.view,
            heat,
            mode: heat.filter(|heat| matches!(heat.against, HeatAgainst::Mode(_))).map(|_| scene.mode),
            compared: scene.compared.clone().filter(|_| look.shows_comparison()),
            marked,
            weights: scene.weights.clone(),
        })
    }

    /// How the picture shows a value.
    fn shown(&self, head: &Head) -> impl Fn(f32) -> f32 + use<> {
        let most = self.heat.map_or(1.0, |heat| heat.most(head, self.compared.as_ref()));
        let is_curvature = self.view == ViewMode::Curvature;
        move |value| match value {
            _ if is_curvature => value / (value.abs() + HALF_CURVATURE),
            _ if value.is_nan() => NO_VALUE,
            _ => (value / most).max(LEAST_VALUE),
        }
    }
}

impl FaceValues {
    /// What the picture of a scene shows, if it shows values, and others than the last: for each mesh one per vertex,
    /// 0..1, or -1..1 of a measure with negative values; [`NO_VALUE`] where there is none. Two blend modes are compared
    /// by the positions that `blended` gives of weights and a mode, for each mesh one per vertex; where it has none to
    /// give, the picture keeps what it showed.
    pub fn follow(
        &mut self,
        scene: &Scene,
        mut blended: impl FnMut(&[f32], BlendMode) -> Option<Vec<Vec<Vec3>>>,
    ) -> Option<Vec<Vec<f32>>> {
        let inputs = Inputs::new(scene).filter(|inputs| self.last.as_ref().is_none_or(|(last, _)| last != inputs))?;
        let values = match (inputs.heat, &inputs.marked) {
            (Some(heat), _) => {
                let (head, weights) = (&*scene.head, &*scene.weights);
                let measured = self.measured.get_or_insert_with(|| MeasuredHead::new(head));
                match heat.values(head, measured, weights, inputs.compared.as_ref()) {
                    Some(values) => values,
                    None => {
                        let other = if let HeatAgainst::Mode(other) = heat.against { other } else { scene.mode };
                        let weights = heat.measured_weights(head, weights);
                        let [from, to] = [blended(&weights, other)?, blended(&weights, scene.mode)?];
                        measured.between(head, heat.measure, &from, &to)
                    }
                }
            }
            (None, Some(marked)) => marks(&scene.head, marked),
            (None, None) => marks(&scene.head, &self.found(scene)),
        };
        let shown = inputs.shown(&scene.head);
        let all = values.iter().map(|values| values.iter().map(|&value| shown(value)).collect()).collect();
        self.last = Some((inputs, values));
        Some(all)
    }

    /// The values of the face of a scene in the unit of the measure, NaN where there is none: for each mesh one per
    /// vertex. None of a view that shows none, nor where two blend modes are compared, which only the device knows.
    pub fn measured(&mut self, scene: &Scene) -> Option<&[Vec<f32>]> {
        if Inputs::new(scene)?.mode.is_some() {
            return None;
        }
        self.follow(scene, |_, mode| unreachable!("nothing is compared with {mode:?}"));
        self.last.as_ref().map(|(_, values)| &**values)
    }

    /// What is found on the face of a scene, for a view that has to be searched.
    fn found(&mut self, scene: &Scene) -> Arc<Marked> {
        let view = scene.look.view;
        let Some(searched) = view.searched() else { unreachable!("nothing marks the vertices of other views") };
        let begin = || Search { search: (searched.search_of)(&scene.head), found: None };
        self.searches.entry(view).or_insert_with(begin).found(scene)
    }
}

/// For each mesh a value per vertex: 1 for those that are marked.
fn marks(head: &Head, marked: &Marked) -> Vec<Vec<f32>> {
    let mut values: Vec<Vec<f32>> = head.meshes.iter().map(|mesh| vec![0.0; mesh.vertices.len()]).collect();
    for (values, vertices) in values.iter_mut().zip(&marked.vertices) {
        for &vertex in vertices {
            if let Some(value) = values.get_mut(vertex as usize) {
                *value = 1.0;
            }
        }
    }
    values
}

/// A search, and the last result with its weights: a film is drawn in pieces, and the frames of the window between them
/// show something else.
#[derive(Debug)]
struct Search {
    search: Box<dyn FaceSearch>,
    found: Option<(Arc<[f32]>, Arc<Marked>)>,
}

impl Search {
    fn found(&mut self, scene: &Scene) -> Arc<Marked> {
        if let Some((_, found)) = self.found.as_ref().filter(|(weights, _)| *weights == scene.weights) {
            return found.clone();
        }
        let found = self.search.marked(&scene.head, &scene.weights);
        self.found = Some((scene.weights.clone(), found.clone()));
        found
    }
}
