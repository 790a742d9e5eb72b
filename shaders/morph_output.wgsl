// The base that is read and the vertices that are written, in sections: positions [place][3], normals [place][3], and, if
// the head has any, tangents [place][4]. Mesh space. What no delta moves is neither read nor written.

// Places, padding included.
override MORPH_PLACE_COUNT: u32 = 64u;

@group(0) @binding(2) var<storage, read> base_vertices: array<f32>;
// The vertex slots of the draw.
@group(0) @binding(3) var<storage, read_write> output_vertices: array<f32>;

fn base_vector(first: u32) -> vec3f {
    return vec3f(base_vertices[first], base_vertices[first + 1u], base_vertices[first + 2u]);
}

fn base_vertex(place: u32) -> Vertex {
    var vertex = Vertex(base_vector(place * 3u), vec3f(), vec4f());
    if MORPH_COMPONENTS > 3u {
        vertex.normal = base_vector((MORPH_PLACE_COUNT + place) * 3u);
    }
    if MORPH_COMPONENTS == 10u {
        vertex.tangent = vec4f(base_vector(MORPH_PLACE_COUNT * 6u + place * 4u), 0.0);
    }
    return vertex;
}

fn write_vector(first: u32, vector: vec3f) {
    output_vertices[first] = vector.x;
    output_vertices[first + 1u] = vector.y;
    output_vertices[first + 2u] = vector.z;
}

fn write_vertex(place: u32, vertex: Vertex) {
    write_vector(place * 3u, vertex.position);
    if MORPH_COMPONENTS > 3u {
        write_vector((MORPH_PLACE_COUNT + place) * 3u, vertex.normal);
    }
    if MORPH_COMPONENTS == 10u {
        // The side of the bitangent stays as it is.
        write_vector(MORPH_PLACE_COUNT * 6u + place * 4u, vertex.tangent.xyz);
    }
}
