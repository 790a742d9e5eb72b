// Adds a sample to the mean of the samples. The blend constant of the pass is 1 / number of samples: new mean = sample / number +
// old mean * (1 - 1 / number).

// [row][column]: `Sample` in sample.wgsl.
@group(0) @binding(0) var sample_scattered: texture_2d<f32>;
@group(0) @binding(1) var sample_other: texture_2d<f32>;
@group(0) @binding(2) var sample_skin_color: texture_2d<f32>;
@group(0) @binding(3) var sample_untoned: texture_2d<f32>;

struct Means {
    @location(0) scattered: vec4f,
    @location(1) other: vec4f,
    @location(2) skin_color: vec4f,
    @location(3) untoned: vec4f,
}

@fragment
fn accumulate(@builtin(position) position: vec4f) -> Means {
    let at = vec2i(position.xy);
    return Means(
        textureLoad(sample_scattered, at, 0), textureLoad(sample_other, at, 0),
        textureLoad(sample_skin_color, at, 0), textureLoad(sample_untoned, at, 0));
}
