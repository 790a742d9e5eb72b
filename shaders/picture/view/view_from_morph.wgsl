// Vertex stages of the views that sum the targets themselves; see vertex_from_morph.wgsl. `place` is the index of the vertex in the
// head-wide array.

fn blended_in_view(place: u32, position: vec3f, normal: vec3f) -> Vertex {
    var vertex = morphed_vertex(place, Vertex(position, normal, vec4f(1.0, 0.0, 0.0, 1.0)));
    vertex.normal = select(vertex.normal, normal, mesh.are_directions_final == 1u);
    return vertex;
}

@vertex
fn view_vertex(@builtin(vertex_index) place: u32, at_rest: ViewVertex) -> ViewSurface {
    let blended = blended_in_view(place, at_rest.position, at_rest.normal);
    var vertex = at_rest;
    vertex.position = blended.position;
    vertex.normal = blended.normal;
    return view_surface(vertex_transform(place), vertex);
}

@vertex
fn edge_vertex(
    @builtin(vertex_index) place: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
) -> @builtin(position) vec4f {
    let blended = blended_in_view(place, position, normal);
    return edge_position(vertex_transform(place), blended.position, blended.normal);
}
