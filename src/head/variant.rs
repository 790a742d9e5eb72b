//! Variants: the same head in other materials (`KHR_materials_variants`).

use std::collections::HashMap;

/// One choice of materials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The file's name for it.
    pub name: String,
    /// By mesh and part, the index into [`super::Head::materials`]; parts it does not name keep their own.
    pub materials: HashMap<(usize, usize), usize>,
}
