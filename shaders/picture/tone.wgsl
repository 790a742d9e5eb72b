// Tone mapping: from scene light to display light, both linear. The sRGB format of the render target encodes the result.

// The numbers of `Tone` in `scene/look.rs`.
const TONE_AGX: u32 = 0u;
const TONE_NEUTRAL: u32 = 1u;
// The light of the scene as it is, for files of linear light: `Pixels::Light` in `render/target.rs`.
const TONE_NONE: u32 = 2u;

// AgX (T. Sobotka, 2022, https://github.com/sobotka/AgX), with contrast 1.3 and saturation 1.2. Bright colours go to white as they do
// on film, without changing their hue much. The numbers of the matrices are those that B. Wrensch gives in "Minimal AgX implementation"
// (2023, https://iolite-engine.com/blog_posts/minimal_agx_implementation).
fn agx(light: vec3f) -> vec3f {
    // The colours are mixed a little, so that bright saturated colours reach all three channels and become white.
    let inset = mat3x3f(
        0.842479062, 0.042328242, 0.042375655,
        0.0784336, 0.878468636, 0.0784336,
        0.079223745, 0.079166127, 0.879142974,
    );
    // The brightness in stops, 0..1 from 10 stops below middle grey to 6.5 above.
    let x = saturate(log2(max(inset * light, vec3f(1e-10))) * (1.0 / 16.5) + 12.47393 / 16.5);
    // Sobotka's S-shaped curve (slope 2 at middle grey, exponents 3 and 3.25) to the power 1.3, fitted by a polynomial; the largest
    // error is 0.0022.
    let curve = x * (-0.145368 + x * (3.34015 + x * (-21.537 + x * (59.58481 + x * (-61.605407 + x * 21.362815)))));
    // The inverse of the mixing, times a matrix that increases the saturation to 1.2.
    let outset = mat3x3f(
        1.3937421, -0.1059981, -0.1060885,
        -0.2606405, 1.2392373, -0.2607005,
        -0.1332732, -0.1331941, 1.3668476,
    );
    // From sRGB to linear, fitted by a polynomial within 0.7 of 255 steps: the format of the target encodes it again.
    let shown = saturate(outset * curve);
    return shown * (0.0595715 + shown * (0.361472 + shown * (0.9001 - shown * 0.3211435)));
}

// Khronos PBR Neutral (2024, https://github.com/KhronosGroup/ToneMapping): colours that are not brighter than white paper stay as they are, but for the reflection of dark
// surfaces; only highlights are compressed.
fn neutral(light: vec3f) -> vec3f {
    let start = 0.76;
    let least = min(light.r, min(light.g, light.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    let range = 1.0 - start;
    let compressed = 1.0 - range * range / max(peak + range - start, range);
    let bright = color * (compressed / max(peak, 1e-5));
    let to_white = 1.0 - 1.0 / (0.15 * (peak - compressed) + 1.0);
    return select(color, mix(bright, vec3f(compressed), to_white), peak > start);
}

fn tone_curve(light: vec3f) -> vec3f {
    let positive = max(light, vec3f());
    if frame.tone == TONE_NONE {
        return positive;
    }
    if frame.tone == TONE_NEUTRAL {
        return neutral(positive);
    }
    return agx(positive);
}
