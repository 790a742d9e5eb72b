// Vertex stages that sum the targets themselves: the vertex buffer is the base, but for recomputed normals and tangents,
// which are taken as they are.

// Where tangents light nothing, a constant stands in for them.
fn morphed(index: u32, position: vec3f, normal: vec3f) -> Vertex {
    return morphed_vertex(index, Vertex(position, normal, vec4f(1.0, 0.0, 0.0, 1.0)));
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
) -> Surface {
    let vertex = morphed(index, position, normal);
    return to_world(vertex.position, select(vertex.normal, normal, mesh.are_directions_final == 1u), uv, color);
}

@vertex
fn vertex_bumpy(
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
    @location(4) tangent: vec4f,
) -> BumpySurface {
    var vertex = morphed_vertex(index, Vertex(position, normal, tangent));
    if mesh.are_directions_final == 1u {
        vertex.normal = normal;
        vertex.tangent = tangent;
    }
    return to_world_bumpy(vertex.position, vertex.normal, vertex.tangent, uv, color);
}

@vertex
fn shadow_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3f,
) -> @builtin(position) vec4f {
    let vertex = morphed(index, position, vec3f());
    return frame.shadow_from_world * (mesh.world_from_mesh * vec4f(vertex.position, 1.0));
}
