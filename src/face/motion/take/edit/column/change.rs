//! Changes the values of a column in the span of an edit.

use super::curve::Column;
use super::keys::{ColumnKeys, SAME_SECS};
use super::place::Place;

impl Column {
    /// The column with other values at its keys in the span, blended in at eased ends. Outside of the span the curve
    /// stays as it is.
    pub(in crate::motion::take::edit) fn with_values(
        &self,
        place: Place,
        new: impl Fn(&ColumnKeys, usize) -> f32,
    ) -> Option<Self> {
        self.with_all_values(place, |keys, first, last| (first..=last).map(|key| new(keys, key)).collect())
    }

    /// [`Self::with_values`], with all new values at once; `new` gets the keys, and the first and the last in the span.
    pub(in crate::motion::take::edit) fn with_all_values(
        &self,
        place: Place,
        new: impl FnOnce(&ColumnKeys, usize, usize) -> Vec<f32>,
    ) -> Option<Self> {
        let (mut keys, inside) = ColumnKeys::opened(self, place.opening(self))?;
        let (first, last) = (*inside.start(), *inside.end());
        let values = new(&keys, first, last);
        let stays = [first, last].map(|end| {
            (!place.may_jump && (SAME_SECS..place.duration_secs - SAME_SECS).contains(&keys.times[end])).then_some(end)
        });
        keys.set(&inside, |key, time_secs, old| {
            let (new, amount) = (values[key - first], place.amount_at(time_secs));
            match amount {
                _ if stays.contains(&Some(key)) => old,
                _ if amount < 1.0 => old + (new - old) * amount,
                _ => new,
            }
        });
        keys.into_column()
    }
}
