// Vertex stages over a vertex buffer that some blend mode has filled.

@vertex
fn vertex(vertex: SlotVertex) -> Surface {
    return to_world(vertex);
}

@vertex
fn vertex_bumpy(vertex: SlotVertex, @location(4) tangent: vec4f) -> BumpySurface {
    return to_world_bumpy(vertex, tangent);
}

@vertex
fn shadow_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.shadow_from_world * (mesh.world_from_mesh * vec4f(position, 1.0));
}
