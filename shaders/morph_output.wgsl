// The base that is read and the vertex buffer that is written.

// Floats per vertex: 6 (position, normal) or 10 (and tangent).
override MORPH_VERTEX_FLOATS: u32 = 6u;

// [vertex][float], mesh space.
@group(0) @binding(2) var<storage, read> base_vertices: array<f32>;
// [vertex][float], mesh space: slot 0 of the draw.
@group(0) @binding(3) var<storage, read_write> output_vertices: array<f32>;

fn base_vector(first: u32) -> vec3f {
    return vec3f(base_vertices[first], base_vertices[first + 1u], base_vertices[first + 2u]);
}

fn base_vertex(vertex_index: u32) -> Vertex {
    let first = vertex_index * MORPH_VERTEX_FLOATS;
    var tangent = vec4f();
    if MORPH_VERTEX_FLOATS == 10u {
        tangent = vec4f(base_vector(first + 6u), base_vertices[first + 9u]);
    }
    return Vertex(base_vector(first), base_vector(first + 3u), tangent);
}

fn write_vertex(vertex_index: u32, vertex: Vertex) {
    let first = vertex_index * MORPH_VERTEX_FLOATS;
    output_vertices[first] = vertex.position.x;
    output_vertices[first + 1u] = vertex.position.y;
    output_vertices[first + 2u] = vertex.position.z;
    output_vertices[first + 3u] = vertex.normal.x;
    output_vertices[first + 4u] = vertex.normal.y;
    output_vertices[first + 5u] = vertex.normal.z;
    if MORPH_VERTEX_FLOATS == 10u {
        output_vertices[first + 6u] = vertex.tangent.x;
        output_vertices[first + 7u] = vertex.tangent.y;
        output_vertices[first + 8u] = vertex.tangent.z;
        output_vertices[first + 9u] = vertex.tangent.w;
    }
}
