// Draws a finished picture onto a rectangle of the window. Both contain sRGB-encoded colours, so that no conversion is needed.

// [row][column], RGBA 0..1, sRGB-encoded.
@group(0) @binding(0) var picture: texture_2d<f32>;
// Filters linearly, and clamps to the edge.
@group(0) @binding(1) var picture_sampler: sampler;

struct BlitVertex {
    @builtin(position) in_clip: vec4f,
    @location(0) uv: vec2f,
}

// One triangle that covers the viewport.
@vertex
fn blit_vertex(@builtin(vertex_index) index: u32) -> BlitVertex {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return BlitVertex(vec4f(uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), uv);
}

@fragment
fn blit_fragment(blit: BlitVertex) -> @location(0) vec4f {
    return textureSampleLevel(picture, picture_sampler, blit.uv, 0.0);
}
