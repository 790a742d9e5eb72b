//! The joints and weights of vertices as the file has them (JOINTS_n and WEIGHTS_n), before a skin normalises them.

use smirk_face::head::Influence;

/// Joints and weights of consecutive vertices of a mesh.
#[derive(Clone)]
pub(super) struct InfluenceRun {
    /// Index of the first vertex in the mesh.
    pub first: usize,
    /// Number of vertices.
    pub count: usize,
    /// Empty for vertices without joints.
    pub sets: Vec<InfluenceSet>,
}

/// Four joints per vertex (JOINTS_n with WEIGHTS_n); both lists have one element per vertex.
#[derive(Clone)]
pub(super) struct InfluenceSet {
    /// Indices into the skin's joints.
    pub joints: Vec<[u32; 4]>,
    /// The weight of each of the joints.
    pub weights: Vec<[f32; 4]>,
}

impl InfluenceRun {
    /// The memory it takes: four joints and four weights per set and vertex. The head's
    /// [`Influences`](smirk_face::head::Influences) take as much, and one offset per vertex.
    pub(super) fn bytes(&self) -> usize {
        self.count * self.sets.len() * size_of::<[Influence; 4]>()
    }

    /// A copy of the influences of `vertices` (indices into the mesh) for as many vertices from `first` on.
    pub(super) fn copied(&self, vertices: &[u32], first: usize) -> Self {
        let local = |&vertex: &u32| vertex as usize - self.first;
        let sets = self.sets.iter().map(|set| InfluenceSet {
            joints: vertices.iter().map(|vertex| set.joints[local(vertex)]).collect(),
            weights: vertices.iter().map(|vertex| set.weights[local(vertex)]).collect(),
        });
        Self { first, count: vertices.len(), sets: sets.collect() }
    }

    /// The joints of the run's `vertex`-th vertex whose weight is not 0; weights are not normalised.
    pub(super) fn influences(&self, vertex: usize) -> impl Iterator<Item = Influence> + '_ {
        let influences = self.sets.iter().flat_map(move |set| set.joints[vertex].iter().zip(&set.weights[vertex]));
        influences.map(|(&joint, &weight)| Influence { joint, weight }).filter(|influence| influence.weight != 0.0)
    }
}
