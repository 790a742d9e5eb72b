//! The parts of a head that show the same thing.

use crate::head::{Head, Role};

/// The parts of a head whose material has a role: the index of the mesh, and its triangles.
pub(super) fn parts_of<'a>(
    head: &'a Head,
    roles: &'a [Role],
    role: Role,
) -> impl Iterator<Item = (usize, usize, &'a [u32])> {
    let parts =
        head.meshes.iter().enumerate().flat_map(|(index, mesh)| {
            mesh.parts.iter().map(move |part| (index, part.material, mesh.triangles_of(part)))
        });
    parts.filter(move |(_, material, _)| {
        let shown =
            roles.get(*material).zip(head.materials.get(*material)).map(|(role, material)| role.of_film(material));
        shown == Some(role)
    })
}
