// Vertex stages of the views that read the blended shape from the vertex buffer. `place` is the index of the vertex in the head-wide
// array.

@vertex
fn view_vertex(@builtin(vertex_index) place: u32, vertex: ViewVertex) -> ViewSurface {
    return view_surface(vertex_transform(place), vertex);
}

@vertex
fn edge_vertex(
    @builtin(vertex_index) place: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
) -> @builtin(position) vec4f {
    return edge_position(vertex_transform(place), position, normal);
}
