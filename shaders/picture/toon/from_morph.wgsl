// Vertex stages of toon shading that sum the targets themselves; see vertex_from_morph.wgsl.

@vertex
fn toon_vertex(@builtin(vertex_index) place: u32, at_rest: ToonVertex) -> ToonSurface {
    let blended = morphed_vertex(place, Vertex(at_rest.position, at_rest.normal, vec4f(1.0, 0.0, 0.0, 1.0)));
    let normal = select(blended.normal, at_rest.normal, mesh.are_directions_final == 1u);
    return toon_surface(vertex_transform(place), ToonVertex(blended.position, normal, at_rest.uvs));
}

@vertex
fn toon_vertex_normal_mapped(
    @builtin(vertex_index) place: u32,
    at_rest: ToonVertex,
    @location(4) tangent_at_rest: vec4f,
) -> NormalMappedToonSurface {
    let blended = morphed_vertex(place, Vertex(at_rest.position, at_rest.normal, tangent_at_rest));
    // No branch: see frame.wgsl.
    let is_final = mesh.are_directions_final == 1u;
    let vertex = ToonVertex(blended.position, select(blended.normal, at_rest.normal, is_final), at_rest.uvs);
    return normal_mapped_toon_surface(vertex_transform(place), vertex, select(blended.tangent, tangent_at_rest, is_final));
}
