// Recomputes normals from the deformed surface after the blend, one workgroup per listed block. The definition is in
// `blend/reference.rs`, the tables are made in `blend/normals/tables.rs`.

// What is precomputed for a vertex.
struct SmoothVertex {
    // The file's normal, unit length, mesh space.
    base_normal: vec3f,
    // 1 / twice the area of the fan around it at rest; negative if the file's normal points to the back of the fan.
    per_area: f32,
    // The file's normal minus the normal computed from the surface at rest.
    correction: vec3f,
    // The index of the ring around it; NO_RING if its normal is not recomputed.
    ring: u32,
}

// [0]: the number of listed blocks; then the blocks.
@group(0) @binding(0) var<storage, read> listed_blocks: array<u32>;
// [vertex], counted over the whole head, padding included. Directions without unit, per_area in 1/m² (the file's unit).
@group(0) @binding(1) var<storage, read> smooth_vertices: array<SmoothVertex>;
// [ring]: the index in ring_entries at which it begins, and, as a last element, the end of the last ring.
@group(0) @binding(2) var<storage, read> first_ring_entries: array<u32>;
// [entry]: a vertex of a ring, in winding order; the bit FAN is set where a fan begins.
@group(0) @binding(3) var<storage, read> ring_entries: array<u32>;
// Positions [vertex][3] in the file's unit, normals [vertex][3], tangents [vertex][4], one section after the other.
@group(0) @binding(4) var<storage, read_write> output_vertices: array<f32>;

// The same sections at rest.
@group(0) @binding(5) var<storage, read> base_vertices: array<f32>;

// The indices at which the sections begin, in floats. TANGENTS_FIRST is 0 if there are no tangents.
override NORMALS_FIRST: u32 = 192u;
override TANGENTS_FIRST: u32 = 0u;
// Whether the blend writes tangents; if no delta changes them, those at rest are read instead.
override TANGENTS_BLENDED: bool = false;

const NORMALS_BLOCK_SIZE: u32 = 64u;
const NO_RING: u32 = 0xffffffffu;
const FAN: u32 = 0x80000000u;
// The same constant as in `blend/reference.rs`.
const FADING_AREA: f32 = 0.1;
const VANISHING_LENGTH: f32 = 1e-6;

fn position_of(vertex: u32) -> vec3f {
    let first = vertex * 3u;
    return vec3f(output_vertices[first], output_vertices[first + 1u], output_vertices[first + 2u]);
}

// Twice the sum of the area vectors of the triangles around a vertex.
fn area_around(vertex: u32, ring: u32) -> vec3f {
    let center = position_of(vertex);
    let end = first_ring_entries[ring + 1u];
    var area = vec3f();
    var before = vec3f();
    for (var at = first_ring_entries[ring]; at < end; at++) {
        let entry = ring_entries[at];
        let edge = position_of(entry & ~FAN) - center;
        if (entry & FAN) == 0u {
            area += cross(before, edge);
        }
        before = edge;
    }
    return area;
}

fn recomputed_normal(vertex: u32, smooth_vertex: SmoothVertex) -> vec3f {
    let shown = area_around(vertex, smooth_vertex.ring) * smooth_vertex.per_area;
    let area = length(shown);
    let scale = 1.0 / max(area, FADING_AREA);
    let part = area * scale;
    let sum = shown * scale * part + mix(smooth_vertex.base_normal, smooth_vertex.correction, part * part);
    let size = length(sum);
    if size > VANISHING_LENGTH {
        return sum / size;
    }
    return smooth_vertex.base_normal;
}

// Makes a tangent perpendicular to the normal. A tangent parallel to the normal stays; so does w.
fn make_tangent_perpendicular(vertex: u32, normal: vec3f) {
    let first = TANGENTS_FIRST + vertex * 4u;
    var along = vec3f(base_vertices[first], base_vertices[first + 1u], base_vertices[first + 2u]);
    if TANGENTS_BLENDED {
        along = vec3f(output_vertices[first], output_vertices[first + 1u], output_vertices[first + 2u]);
    }
    let upright = along - normal * dot(normal, along);
    let size = length(upright);
    if size > VANISHING_LENGTH {
        along = upright / size;
    }
    output_vertices[first] = along.x;
    output_vertices[first + 1u] = along.y;
    output_vertices[first + 2u] = along.z;
}

@compute @workgroup_size(NORMALS_BLOCK_SIZE)
fn recompute_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let at = group.y * groups.x + group.x;
    if at >= listed_blocks[0] {
        return;
    }
    let vertex = listed_blocks[at + 1u] * NORMALS_BLOCK_SIZE + lane;
    let smooth_vertex = smooth_vertices[vertex];
    if smooth_vertex.ring == NO_RING {
        return;
    }
    let normal = recomputed_normal(vertex, smooth_vertex);
    let first = NORMALS_FIRST + vertex * 3u;
    output_vertices[first] = normal.x;
    output_vertices[first + 1u] = normal.y;
    output_vertices[first + 2u] = normal.z;
    if TANGENTS_FIRST > 0u {
        make_tangent_perpendicular(vertex, normal);
    }
}
