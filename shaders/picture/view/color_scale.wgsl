// Colours of numbers 0..1, sRGB; the numbers are those of `scene/heat.rs`.

// From dark blue over green to yellow: viridis of matplotlib (S. van der Walt and N. Smith, 2015), by M. Zucker's polynomials.
const VIRIDIS: array<vec3f, 7> = array(
    vec3f(0.27772733, 0.0054073445, 0.3340998),
    vec3f(0.10509304, 1.4046135, 1.3845902),
    vec3f(-0.33086183, 0.21484756, 0.09509516),
    vec3f(-4.6342305, -5.799101, -19.332441),
    vec3f(6.22827, 14.179934, 56.69055),
    vec3f(4.776385, -13.745145, -65.35303),
    vec3f(-5.435456, 4.6458526, 26.312435),
);

// The colours of 0, 0.5 and 1: blue, light grey and red (K. Moreland, "Diverging color maps for scientific visualization", 2009).
const COOL_WARM: array<vec3f, 3> = array(vec3f(0.230, 0.299, 0.754), vec3f(0.865, 0.865, 0.865), vec3f(0.706, 0.016, 0.150));

// The colour of what crosses.
const MARKED: vec3f = vec3f(0.93, 0.07, 0.22);

// What stands for the value of a vertex that has none, and its colour.
const NO_VALUE: f32 = -8.0;
const WITHOUT_VALUE: vec3f = vec3f(0.42, 0.42, 0.42);

fn heat_color(value: f32, is_signed: bool) -> vec3f {
    if value < 0.5 * NO_VALUE {
        return WITHOUT_VALUE;
    }
    return select(viridis(saturate(value)), cool_warm(saturate(value * 0.5 + 0.5)), is_signed);
}

fn viridis(t: f32) -> vec3f {
    return saturate(VIRIDIS[0] + t * (VIRIDIS[1] + t * (VIRIDIS[2] + t * (VIRIDIS[3]
        + t * (VIRIDIS[4] + t * (VIRIDIS[5] + t * VIRIDIS[6]))))));
}

fn cool_warm(t: f32) -> vec3f {
    let cool = mix(COOL_WARM[0], COOL_WARM[1], t * 2.0);
    return select(mix(COOL_WARM[1], COOL_WARM[2], t * 2.0 - 1.0), cool, t < 0.5);
}

fn from_srgb(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((max(encoded, vec3f(0.0)) + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}
