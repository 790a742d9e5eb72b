//! The live face as a source of weights.

use std::sync::Arc;

use super::live_face::{LiveFace, ShownFace};
use crate::head::{FaceTurns, Head};
use crate::motion::take::{BoundColumn, BoundColumns, TakeMap};
use crate::motion::{Moment, StackWeights, WeightSource};

/// The live face, with its columns bound to the channels of a head as those of a take are. While the face is lost, it fades to what
/// the layers below give: the neutral face, unless a clip or a take plays.
#[derive(Debug)]
pub(in crate::motion) struct BoundLive {
    face: ShownFace,
    names: Arc<[String]>,
    columns: BoundColumns,
}

impl BoundLive {
    pub(in crate::motion) fn bind(
        head: &Head,
        face: &ShownFace,
        names: &Arc<[String]>,
        map: &TakeMap,
    ) -> Option<Box<dyn WeightSource>> {
        let columns = BoundColumns::bind(head, names.iter().map(String::as_str), map);
        Some(Box::new(Self { face: face.clone(), names: names.clone(), columns }))
    }

    /// Calls `then` with the face, if any of it is shown and it still has the columns that were bound.
    fn with_face(&self, then: impl FnOnce(&LiveFace)) {
        self.face.look(|face| {
            if face.presence > 0.0 && face.columns == self.names {
                then(face);
            }
        });
    }
}

/// The value of a column after calibration, gain, offset and clamp. Smoothing was done when the frame arrived.
fn value(face: &LiveFace, column: &BoundColumn) -> f32 {
    column.map.shape(face.values.get(column.index).copied().unwrap_or(column.map.neutral))
}

impl WeightSource for BoundLive {
    fn apply(&self, _: Moment, weights: &mut StackWeights<'_>) {
        self.with_face(|face| self.columns.apply(weights, face.presence, |column| value(face, column)));
    }

    fn turn(&self, _: Moment, turns: &mut FaceTurns) {
        self.with_face(|face| self.columns.turn(turns, face.presence, |column| value(face, column)));
    }
}
