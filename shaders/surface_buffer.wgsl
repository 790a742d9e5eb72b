// Vertex stages over a vertex buffer that some blend mode has filled.

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
) -> Surface {
    return to_world(position, normal, uv, color);
}

@vertex
fn vertex_bumpy(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
    @location(4) tangent: vec4f,
) -> BumpySurface {
    return to_world_bumpy(position, normal, tangent, uv, color);
}

@vertex
fn shadow_vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.shadow_from_world * (mesh.world_from_mesh * vec4f(position, 1.0));
}
