//! The joints that influence each vertex of a skinned mesh, and their weights (glTF 2.0 §3.7.3.3).

use bytemuck::{Pod, Zeroable};

/// The influence of one joint on one vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Influence {
    /// Index into [`crate::head::Skin::joints`].
    pub joint: u32,
    /// Above 0; the weights of a vertex add up to 1.
    pub weight: f32,
}

/// The influences on each vertex of a mesh, any number per vertex, the strongest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Per vertex, the end of its influences in `all`.
    ends: Vec<u32>,
    all: Vec<Influence>,
}

impl Influences {
    /// How far a sum of weights may be from 1 by rounding to 32 bits.
    const ROUNDING: f64 = 1e-6;

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends a vertex. Influences that are not above 0 are dropped, and the weights of the others are scaled to add
    /// up to 1. Returns false if none is left; then the joint `otherwise` gets the weight 1.
    pub fn push(&mut self, influences: impl IntoIterator<Item = Influence>, otherwise: u32) -> bool {
        let first = self.all.len();
        self.all.extend(influences.into_iter().filter(|each| each.weight > 0.0 && each.weight.is_finite()));
        // In f64, where the sum of finite f32 is finite.
        let total: f64 = self.all[first..].iter().map(|influence| f64::from(influence.weight)).sum();
        // Weights that add up to 1 but for rounding stay as they are, bit for bit.
        let scaled = if (total - 1.0).abs() < Self::ROUNDING { &mut [] } else { &mut self.all[first..] };
        for influence in scaled {
            influence.weight = (f64::from(influence.weight) / total) as f32;
        }
        self.all[first..].sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let has_any = self.all.len() > first;
        if !has_any {
            self.all.push(Influence { joint: otherwise, weight: 1.0 });
        }
        self.ends.push(self.all.len() as u32);
        has_any
    }

    /// The influences on a vertex; empty for a vertex that does not exist.
    pub fn of_vertex(&self, vertex: usize) -> &[Influence] {
        let Some(&end) = self.ends.get(vertex) else { return &[] };
        let first = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[first as usize..end as usize]
    }

    /// The largest number of influences on one vertex.
    pub fn most(&self) -> usize {
        (0..self.len()).map(|vertex| self.of_vertex(vertex).len()).max().unwrap_or(0)
    }

    pub fn bytes(&self) -> usize {
        size_of_val(self.ends.as_slice()) + size_of_val(self.all.as_slice())
    }

    pub fn repeat(&self, times: usize) -> Self {
        let whole = self.all.len() as u32;
        let ends = (0..times as u32).flat_map(|time| self.ends.iter().map(move |end| end + time * whole));
        Self { ends: ends.collect(), all: self.all.repeat(times) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influence(joint: u32, weight: f32) -> Influence {
        Influence { joint, weight }
    }

    #[test]
    fn weights_add_up_to_one_and_weights_of_zero_are_dropped() {
        let mut influences = Influences::default();
        assert!(influences.push(
            [influence(4, 1.0), influence(0, 0.0), influence(2, 3.0), influence(9, -1.0), influence(8, f32::NAN)],
            7
        ));
        assert!(!influences.push([influence(1, 0.0)], 7));
        assert!(influences.push([influence(1, f32::MAX), influence(2, f32::MAX)], 7));
        assert_eq!(influences.of_vertex(0), [influence(2, 0.75), influence(4, 0.25)]);
        assert_eq!(influences.of_vertex(1), [influence(7, 1.0)]);
        assert_eq!(influences.of_vertex(2), [influence(1, 0.5), influence(2, 0.5)]);
        assert!(influences.of_vertex(3).is_empty());
        assert_eq!((influences.len(), influences.most()), (3, 2));
        let twice = influences.repeat(2);
        assert_eq!(
            (twice.len(), twice.of_vertex(3), twice.of_vertex(4)),
            (6, influences.of_vertex(0), influences.of_vertex(1))
        );
    }
}
