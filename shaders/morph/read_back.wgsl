// Reads the result of vertex mode back for comparisons (WebGPU has no transform feedback): every vertex is drawn as a point that writes one
// attribute to one texel. Instance 0 writes positions, 1 normals, 2 tangents, each into its own third of the texture.

// The number of texels in a row.
const READ_BACK_WIDTH: u32 = 256u;
// The number of rows for one attribute; a draw covers READ_BACK_WIDTH · READ_BACK_ROWS vertices.
override READ_BACK_ROWS: u32 = 1u;

struct Point {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat, either) value: vec4f,
}

@vertex
fn read_back_vertex(
    @builtin(vertex_index) vertex_index: u32,
    @builtin(instance_index) instance: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
) -> Point {
    let vertex = morphed_vertex(vertex_index, Vertex(position, normal, tangent));
    let point = vertex_index % (READ_BACK_WIDTH * READ_BACK_ROWS);
    let texel = vec2u(point % READ_BACK_WIDTH, point / READ_BACK_WIDTH + instance * READ_BACK_ROWS);
    let place = (vec2f(texel) + 0.5) / vec2f(f32(READ_BACK_WIDTH), f32(3u * READ_BACK_ROWS));

    var result: Point;
    result.position = vec4f(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0);
    switch instance {
        case 0u: { result.value = vec4f(vertex.position, 0.0); }
        case 1u: { result.value = vec4f(vertex.normal, 0.0); }
        default: { result.value = vertex.tangent; }
    }
    return result;
}

@fragment
fn read_back_fragment(point: Point) -> @location(0) vec4f {
    return point.value;
}
