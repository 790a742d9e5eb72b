// Vertex stages of toon shading that read the blended shape from the vertex buffer. `place` is the index of the vertex in the
// head-wide array.

@vertex
fn toon_vertex(@builtin(vertex_index) place: u32, vertex: ToonVertex) -> ToonSurface {
    return toon_surface(vertex_transform(place), vertex);
}

@vertex
fn toon_vertex_normal_mapped(
    @builtin(vertex_index) place: u32,
    vertex: ToonVertex,
    @location(4) tangent: vec4f,
) -> NormalMappedToonSurface {
    return normal_mapped_toon_surface(vertex_transform(place), vertex, tangent);
}
