// Vertex stages that read the blended shape from the vertex buffer. `place` is the index of the vertex in the head-wide
// array.

@vertex
fn vertex(@builtin(vertex_index) place: u32, vertex: SlotVertex) -> Surface {
    return to_world(vertex_transform(place), vertex);
}

@vertex
fn vertex_normal_mapped(
    @builtin(vertex_index) place: u32,
    vertex: SlotVertex,
    @location(4) tangent: vec4f,
) -> NormalMappedSurface {
    return to_world_normal_mapped(vertex_transform(place), vertex, tangent);
}

@vertex
fn shadow_vertex(
    @builtin(vertex_index) place: u32,
    @location(0) position: vec3f,
) -> @builtin(position) vec4f {
    return frame.shadow_from_world * (vertex_transform(place).world_from_mesh * vec4f(position, 1.0));
}
