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

// How far along an edge the two samples are from the point, in texels.
const ALONG_EDGE: f32 = 1.0;
// From this difference of neighbouring texels on, there is an edge; where they differ less, the samples are closer.
const EDGE: f32 = 0.125;

// The picture, enlarged. Where its texels have one sample each, edges are stairs, which linear filtering alone shows as such. Texels
// are therefore averaged along edges and not across them, as in anisotropic diffusion (J. Weickert, "Anisotropic diffusion in image
// processing", 1998): stairs become lines, edges stay as sharp as linear filtering leaves them, and even areas stay as they are.
fn enlarged(uv: vec2f) -> vec4f {
    let size = vec2f(textureDimensions(picture));
    let at = uv * size - 0.5;
    let first = floor(at);
    let f = at - first;
    let g = 1.0 - f;
    // The green of 4x4 texels around the point: four squares of 2x2, each from the lower left corner counter-clockwise.
    let middle = (first + 1.0) / size;
    let top_left = textureGather(1, picture, picture_sampler, middle, vec2i(-1, -1));
    let top_right = textureGather(1, picture, picture_sampler, middle, vec2i(1, -1));
    let low_left = textureGather(1, picture, picture_sampler, middle, vec2i(-1, 1));
    let low_right = textureGather(1, picture, picture_sampler, middle, vec2i(1, 1));
    let rows = mat4x4f(
        vec4f(top_left.wz, top_right.wz), vec4f(top_left.xy, top_right.xy),
        vec4f(low_left.wz, low_right.wz), vec4f(low_left.xy, low_right.xy));
    // Central differences at the four nearest texels, interpolated, over the mean of three rows or columns (J. Prewitt, 1970).
    let smooth_x = vec4f(g.x, 1.0, 1.0, f.x) / 3.0;
    let smooth_y = vec4f(g.y, 1.0, 1.0, f.y) / 3.0;
    let change_x = vec4f(-g.x, -f.x, g.x, f.x);
    let change_y = vec4f(-g.y, -f.y, g.y, f.y);
    let change = vec2f(dot(change_x, rows * smooth_y), dot(smooth_x, rows * change_y));
    let steepness = length(change);
    let along = vec2f(-change.y, change.x) * (ALONG_EDGE * min(steepness / EDGE, 1.0) / max(steepness, 1e-6)) / size;
    return 0.5 * (textureSampleLevel(picture, picture_sampler, uv - along, 0.0) + textureSampleLevel(picture, picture_sampler, uv + along, 0.0));
}

@fragment
fn blit_fragment(blit: BlitVertex) -> @location(0) vec4f {
    if ENLARGED {
        return enlarged(blit.uv);
    }
    return textureSampleLevel(picture, picture_sampler, blit.uv, 0.0);
}
