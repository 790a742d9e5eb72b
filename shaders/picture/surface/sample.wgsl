// A sample of an accumulated picture, which is the mean of many: accumulate.wgsl and finish.wgsl make the picture of it.

// No single sample may be so bright that it is still visible as a speck in the mean.
const BRIGHTEST_SAMPLE: f32 = 24.0;

// In an accumulated picture: one sample of a pixel. All colours are multiplied with their coverage, and blended as such.
struct Sample {
    // Light that is scattered within skin, times exposure; a: the coverage by opaque skin.
    @location(0) scattered: vec4f,
    // All other light of lit surfaces, times exposure; a: the distance of opaque skin from the eye along the view.
    @location(1) other: vec4f,
    // The colour of opaque skin; a: the coverage by lit surfaces.
    @location(2) skin_color: vec4f,
    // Colours that are shown as they are, without tone mapping; a: the coverage by them.
    @location(3) untoned: vec4f,
}

// Light without NaN and without specks. Light may be negative in a single sample: blocked light is subtracted from the mean of
// the light that could arrive.
fn within_limits(light: vec3f) -> vec3f {
    return max(min(light, vec3f(BRIGHTEST_SAMPLE)), vec3f(-BRIGHTEST_SAMPLE));
}
