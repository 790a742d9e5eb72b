// The base that is read and the vertices that are written, in sections: positions [place][3], normals [place][3], and, if
// the head has any, tangents [place][4]. A quad has three vectors in a section, or four of tangents. All are in mesh space. Attributes that no delta
// changes are neither read nor written.

// The number of places of the head-wide array, padding included.
override MORPH_PLACE_COUNT: u32 = 64u;

// The indices at which the sections begin, in vectors of four.
override NORMALS_FIRST: u32 = MORPH_PLACE_COUNT * 3u / 4u;
override TANGENTS_FIRST: u32 = MORPH_PLACE_COUNT * 6u / 4u;

// The sections at rest, positions in metres (the file's unit).
@group(0) @binding(2) var<storage, read> base_vertices: array<vec4f>;
// The blended vertices in the same sections, which the draw binds as vertex buffers.
@group(0) @binding(3) var<storage, read_write> output_vertices: array<vec4f>;

fn base_vector(first: u32) -> Vector {
    // x, y, z of the first vertex, x of the second, and so on.
    let a = base_vertices[first];
    let b = base_vertices[first + 1u];
    let c = base_vertices[first + 2u];
    return Vector(vec4f(a.x, a.w, b.z, c.y), vec4f(a.y, b.x, b.w, c.z), vec4f(a.z, b.y, c.x, c.w));
}

fn base_tangent(first: u32) -> Vector {
    let rows = mat4x4f(
        base_vertices[first],
        base_vertices[first + 1u],
        base_vertices[first + 2u],
        base_vertices[first + 3u],
    );
    let columns = transpose(rows);
    return Vector(columns[0], columns[1], columns[2]);
}

// The base of a quad. `quad` is counted over the whole head.
fn base_quad(quad: u32) -> Attributes {
    var base = Attributes();
    base.position = base_vector(quad * 3u);
    if MORPH_COMPONENTS > 3u {
        base.normal = base_vector(NORMALS_FIRST + quad * 3u);
    }
    if MORPH_COMPONENTS == 10u {
        base.tangent = base_tangent(TANGENTS_FIRST + quad * 4u);
    }
    return base;
}

fn write_vector(first: u32, vector: Vector) {
    let x = vector.x;
    let y = vector.y;
    let z = vector.z;
    output_vertices[first] = vec4f(x.x, y.x, z.x, x.y);
    output_vertices[first + 1u] = vec4f(y.y, z.y, x.z, y.z);
    output_vertices[first + 2u] = vec4f(z.z, x.w, y.w, z.w);
}

// The sign of the bitangent stays as it is at rest.
fn write_tangent(first: u32, tangent: Vector) {
    for (var lane = 0u; lane < 4u; lane++) {
        let at = first + lane;
        output_vertices[at] = vec4f(tangent.x[lane], tangent.y[lane], tangent.z[lane], base_vertices[at].w);
    }
}

fn write_quad(quad: u32, vertices: Attributes) {
    write_vector(quad * 3u, vertices.position);
    if MORPH_COMPONENTS > 3u {
        write_vector(NORMALS_FIRST + quad * 3u, vertices.normal);
    }
    if MORPH_COMPONENTS == 10u {
        write_tangent(TANGENTS_FIRST + quad * 4u, vertices.tangent);
    }
}
