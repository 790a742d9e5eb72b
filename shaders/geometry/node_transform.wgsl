// A mesh that stands on a node: all its vertices alike.

fn placing_of(place: u32) -> Placing {
    return Placing(mesh.world_from_mesh, mesh.world_from_mesh_normal, mesh.side);
}
