// A mesh without a skin: all its vertices have the transform of its node.

fn vertex_transform(place: u32) -> VertexTransform {
    return VertexTransform(mesh.world_from_mesh, mesh.world_from_mesh_normal, mesh.side);
}
