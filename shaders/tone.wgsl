// Tone mapping: from scene light to display light, both linear. The sRGB format of the render target encodes the result.

// S-shaped curve fitted to film (K. Narkowicz, "ACES filmic tone mapping curve", 2015).
fn aces_film(x: vec3f) -> vec3f {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

// Applied per channel, the curve turns bright skin yellow and pale; applied to the luminance alone, it clips bright colours
// visibly. A mix of both keeps the hue and still makes highlights white. The saturation is increased a little first, because
// the curve reduces it.
fn tone_curve(light: vec3f) -> vec3f {
    let weights = vec3f(0.2126, 0.7152, 0.0722);
    let grey = dot(light, weights);
    let scaled = max(mix(vec3f(grey), light, 1.09), vec3f()) * 0.68;
    let luminance = max(dot(scaled, weights), 1e-5);
    let per_channel = aces_film(scaled);
    let by_luminance = scaled * (aces_film(vec3f(luminance)).x / luminance);
    return mix(per_channel, min(by_luminance, vec3f(1.0)), 0.8 * (1.0 - per_channel));
}
