// The background: a gradient that is brightest behind the head and darker towards the corners, as in a dark studio.

// One triangle over the whole picture at the far plane, so that it is drawn only where no part of the head covers it.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return vec4f(corner, 1.0, 1.0);
}

// Interleaved gradient noise (J. Jimenez, "Next generation post processing in Call of Duty", 2014), 0..1.
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return vec4f(background_color(position.xy + frame.first_pixel), 1.0) * frame.background_cover;
}

// `pixel`: of the whole picture.
fn background_color(pixel: vec2f) -> vec3f {
    // From the middle of the picture in picture heights, y up.
    let offset = (pixel / frame.picture_size - 0.5) * vec2f(frame.aspect, -1.0);
    // The pool is a little to the side on which the default lights leave the face in shade.
    let from_pool = (offset - vec2f(0.07, 0.03)) * vec2f(0.85, 1.0);
    let pool = 1.0 / (1.0 + 3.6 * dot(from_pool, from_pool));
    let light = frame.background * (pool * pool * 0.95 + 0.05);
    // Noise of about one step of the 8-bit sRGB target, in linear light, which hides the bands of a slow gradient.
    let grain = (noise(pixel) - 0.5) * (2.2 / 255.0);
    return max(light + grain * sqrt(max(light, vec3f())), vec3f());
}
