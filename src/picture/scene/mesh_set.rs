//! A set of meshes of a head.

/// A set of the first [`MeshSet::MOST`] meshes of a head, by their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshSet([u64; Self::MOST / 64]);

impl MeshSet {
    /// So many meshes can be in a set; no head has as many. Those with a higher index are in none.
    pub const MOST: usize = 256;

    /// Whether the mesh is in the set.
    pub fn contains(&self, mesh: usize) -> bool {
        self.0.get(mesh / 64).is_some_and(|word| word >> (mesh % 64) & 1 == 1)
    }
}

impl FromIterator<usize> for MeshSet {
    fn from_iter<I: IntoIterator<Item = usize>>(meshes: I) -> Self {
        let mut set = Self::default();
        for mesh in meshes {
            if let Some(word) = set.0.get_mut(mesh / 64) {
                *word |= 1 << (mesh % 64);
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_it_was_made_of() {
        let set: MeshSet = [0, 63, 64, 255, 256, usize::MAX].into_iter().collect();
        let found: Vec<usize> = (0..600).filter(|&mesh| set.contains(mesh)).collect();
        assert_eq!(found, [0, 63, 64, 255]);
        assert!(!set.contains(usize::MAX));
    }
}
