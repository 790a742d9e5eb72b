//! Which joints pull on which vertices (glTF 2.0 §3.7.3.3).

use bytemuck::{Pod, Zeroable};

/// How one joint pulls on one vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Influence {
    /// Index into [`super::Skin::joints`].
    pub joint: u32,
    /// Above 0; those of a vertex add up to 1.
    pub weight: f32,
}

/// The joints that pull on each vertex of a mesh, as many as it likes, the strongest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Where each vertex's pulls end.
    ends: Vec<u32>,
    pulls: Vec<Influence>,
}

impl Influences {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a vertex, pulled by joints as strongly as given: what is not above 0 is left out, the rest made to add up to 1.
    /// False, and `otherwise` pulls alone, if nothing is left.
    pub fn push(&mut self, pulls: impl IntoIterator<Item = Influence>, otherwise: u32) -> bool {
        let first = self.pulls.len();
        self.pulls.extend(pulls.into_iter().filter(|pull| pull.weight > 0.0 && pull.weight.is_finite()));
        // In f64: numbers that are finite have a finite sum.
        let total: f64 = self.pulls[first..].iter().map(|pull| f64::from(pull.weight)).sum();
        for pull in &mut self.pulls[first..] {
            pull.weight = (f64::from(pull.weight) / total) as f32;
        }
        self.pulls[first..].sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let is_pulled = self.pulls.len() > first;
        if !is_pulled {
            self.pulls.push(Influence { joint: otherwise, weight: 1.0 });
        }
        self.ends.push(self.pulls.len() as u32);
        is_pulled
    }

    /// What pulls on a vertex; nothing on one that is not there.
    pub fn of(&self, vertex: usize) -> &[Influence] {
        let Some(&end) = self.ends.get(vertex) else { return &[] };
        let first = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pulls[first as usize..end as usize]
    }

    /// The most joints that pull on one vertex.
    pub fn most(&self) -> usize {
        (0..self.len()).map(|vertex| self.of(vertex).len()).max().unwrap_or(0)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(self.ends.as_slice()) + size_of_val(self.pulls.as_slice())
    }

    /// The same vertices `times` over.
    pub fn repeat(&self, times: usize) -> Self {
        let whole = self.pulls.len() as u32;
        let ends = (0..times as u32).flat_map(|time| self.ends.iter().map(move |end| end + time * whole));
        Self { ends: ends.collect(), pulls: self.pulls.repeat(times) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(joint: u32, weight: f32) -> Influence {
        Influence { joint, weight }
    }

    #[test]
    fn pulls_add_up_to_one_and_nothing_pulls_by_nothing() {
        let mut influences = Influences::default();
        assert!(influences.push([pull(4, 1.0), pull(0, 0.0), pull(2, 3.0), pull(9, -1.0), pull(8, f32::NAN)], 7));
        assert!(!influences.push([pull(1, 0.0)], 7));
        assert!(influences.push([pull(1, f32::MAX), pull(2, f32::MAX)], 7));
        assert_eq!(influences.of(0), [pull(2, 0.75), pull(4, 0.25)]);
        assert_eq!(influences.of(1), [pull(7, 1.0)]);
        assert_eq!(influences.of(2), [pull(1, 0.5), pull(2, 0.5)]);
        assert!(influences.of(3).is_empty());
        assert_eq!((influences.len(), influences.most()), (3, 2));
        let twice = influences.repeat(2);
        assert_eq!((twice.len(), twice.of(3), twice.of(4)), (6, influences.of(0), influences.of(1)));
    }
}
