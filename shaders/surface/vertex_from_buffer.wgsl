// Vertex stages over a vertex buffer that some blend mode has filled.

@vertex
fn vertex(@builtin(vertex_index) place: u32, vertex: SlotVertex) -> Surface {
    return to_world(placing_of(place), vertex);
}

@vertex
fn vertex_bumpy(
    @builtin(vertex_index) place: u32,
    vertex: SlotVertex,
    @location(4) tangent: vec4f,
) -> BumpySurface {
    return to_world_bumpy(placing_of(place), vertex, tangent);
}

@vertex
fn shadow_vertex(
    @builtin(vertex_index) place: u32,
    @location(0) position: vec3f,
) -> @builtin(position) vec4f {
    return frame.shadow_from_world * (placing_of(place).world_from_mesh * vec4f(position, 1.0));
}
