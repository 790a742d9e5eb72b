//! The vertices that cross something, as values.

use std::sync::Arc;

use smirk_face::head::Head;
use smirk_face::judge::{CrossingFinder, FaceCrossings};

/// What crosses, where the scene does not say it. The last result is kept: a film is drawn in pieces, and the frames of the window between
/// them show something else.
#[derive(Debug, Default)]
pub(super) struct CrossingValues {
    finder: Option<CrossingFinder>,
    found: Option<(Vec<f32>, Arc<FaceCrossings>)>,
}

impl CrossingValues {
    /// For each mesh a value per vertex: 1 for vertices of triangles that cross something. Without `given` crossings, those of the weights are
    /// found first.
    pub(super) fn values(&mut self, head: &Head, weights: &[f32], given: Option<&Arc<FaceCrossings>>) -> Vec<Vec<f32>> {
        let crossings = given.cloned().unwrap_or_else(|| self.found(head, weights));
        let mut values: Vec<Vec<f32>> = head.meshes.iter().map(|mesh| vec![0.0; mesh.vertices.len()]).collect();
        for (values, vertices) in values.iter_mut().zip(&crossings.vertices) {
            for &vertex in vertices {
                if let Some(value) = values.get_mut(vertex as usize) {
                    *value = 1.0;
                }
            }
        }
        values
    }

    fn found(&mut self, head: &Head, weights: &[f32]) -> Arc<FaceCrossings> {
        if let Some((_, found)) = self.found.as_ref().filter(|(of, _)| of == weights) {
            return found.clone();
        }
        let finder = self.finder.get_or_insert_with(|| CrossingFinder::new(head));
        let found = Arc::new(finder.find(head, weights));
        self.found = Some((weights.to_vec(), found.clone()));
        found
    }
}
