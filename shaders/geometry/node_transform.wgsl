// A mesh that stands on a node: all its vertices alike.

fn vertex_transform(place: u32) -> VertexTransform {
    return VertexTransform(mesh.world_from_mesh, mesh.world_from_mesh_normal, mesh.side);
}
