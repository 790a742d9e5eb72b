// Draws a finished picture onto a rectangle of the window. Both contain sRGB-encoded colours, so that no conversion is needed.

// [row][column], RGBA 0..1, sRGB-encoded.
@group(0) @binding(0) var picture: texture_2d<f32>;
// Filters linearly, and clamps to the edge.
@group(0) @binding(1) var picture_sampler: sampler;

// The picture is smaller than the rectangle.
override ENLARGED: bool = false;

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

// A cubic B-spline through 4x4 texels, from four linear samples (C. Sigg and M. Hadwiger, "Fast third-order texture filtering",
// GPU Gems 2, 2005). Linear filtering alone shows the texels as squares.
fn enlarged(uv: vec2f) -> vec4f {
    let size = vec2f(textureDimensions(picture));
    let at = uv * size - 0.5;
    let first = floor(at);
    let f = at - first;
    let g = 1.0 - f;
    let w0 = g * g * g * (1.0 / 6.0);
    let w1 = (4.0 - 6.0 * f * f + 3.0 * f * f * f) * (1.0 / 6.0);
    let w3 = f * f * f * (1.0 / 6.0);
    let before = w0 + w1;
    let low = (first - 0.5 + w1 / before) / size;
    let high = (first + 1.5 + w3 / (1.0 - before)) / size;
    let top = mix(
        textureSampleLevel(picture, picture_sampler, high, 0.0),
        textureSampleLevel(picture, picture_sampler, vec2f(low.x, high.y), 0.0), before.x);
    let bottom = mix(
        textureSampleLevel(picture, picture_sampler, vec2f(high.x, low.y), 0.0),
        textureSampleLevel(picture, picture_sampler, low, 0.0), before.x);
    return mix(top, bottom, before.y);
}

@fragment
fn blit_fragment(blit: BlitVertex) -> @location(0) vec4f {
    if ENLARGED {
        return enlarged(blit.uv);
    }
    return textureSampleLevel(picture, picture_sampler, blit.uv, 0.0);
}
