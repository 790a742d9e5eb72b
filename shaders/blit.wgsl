// A picture onto a rectangle of the window, as it is: both hold encoded colours.

// [row][column] of the picture, RGBA 0..1.
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct Corner {
    @builtin(position) in_clip: vec4f,
    @location(0) uv: vec2f,
}

// One triangle that covers the viewport.
@vertex
fn blit_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4f(uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), uv);
}

@fragment
fn blit_fragment(corner: Corner) -> @location(0) vec4f {
    return textureSampleLevel(picture, picture_sampler, corner.uv, 0.0);
}
