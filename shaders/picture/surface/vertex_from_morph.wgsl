// Vertex stages that sum the targets themselves. The vertex buffer holds the shape at rest. If normals and tangents are
// recomputed, those in the buffer are already those of the blended shape, and are used without change. `place` is the index of
// the vertex in the head-wide array.

// For surfaces whose shading needs no tangent, which is replaced by a constant.
fn morphed(place: u32, position: vec3f, normal: vec3f) -> Vertex {
    return morphed_vertex(place, Vertex(position, normal, vec4f(1.0, 0.0, 0.0, 1.0)));
}

@vertex
fn vertex(@builtin(vertex_index) place: u32, at_rest: SlotVertex) -> Surface {
    let blended = morphed(place, at_rest.position, at_rest.normal);
    var vertex = at_rest;
    vertex.position = blended.position;
    vertex.normal = select(blended.normal, at_rest.normal, mesh.are_directions_final == 1u);
    return to_world(vertex_transform(place), vertex);
}

@vertex
fn vertex_normal_mapped(
    @builtin(vertex_index) place: u32,
    at_rest: SlotVertex,
    @location(4) tangent_at_rest: vec4f,
) -> NormalMappedSurface {
    let blended = morphed_vertex(place, Vertex(at_rest.position, at_rest.normal, tangent_at_rest));
    var vertex = at_rest;
    vertex.position = blended.position;
    // No branch: see frame.wgsl.
    let is_final = mesh.are_directions_final == 1u;
    vertex.normal = select(blended.normal, at_rest.normal, is_final);
    return to_world_normal_mapped(vertex_transform(place), vertex, select(blended.tangent, tangent_at_rest, is_final));
}

@vertex
fn shadow_vertex(
    @builtin(vertex_index) place: u32,
    @location(0) position: vec3f,
) -> @builtin(position) vec4f {
    let vertex = morphed(place, position, vec3f());
    return frame.shadow_from_world * (vertex_transform(place).world_from_mesh * vec4f(vertex.position, 1.0));
}
