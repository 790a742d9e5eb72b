// From scene light to display light, both linear; the target's sRGB format encodes it.

// Hill-shaped curve fitted to film (K. Narkowicz, "ACES filmic tone mapping curve", 2015).
fn film(x: vec3f) -> vec3f {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

// Per channel the curve turns bright skin yellow, by luminance alone it clips garishly: the mean of both keeps hue and
// still lets highlights go white.
fn tone_curve(light: vec3f) -> vec3f {
    let scaled = max(light, vec3f()) * 0.72;
    let luminance = dot(scaled, vec3f(0.2126, 0.7152, 0.0722));
    let per_channel = film(scaled);
    let by_luminance = scaled * (film(vec3f(luminance)).x / max(luminance, 1e-5));
    return mix(per_channel, min(by_luminance, vec3f(1.0)), 0.5 * (1.0 - per_channel));
}
