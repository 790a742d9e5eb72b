// Makes a picture of the mean of the samples: light that is scattered in skin is spread, all light is toned, and what is not toned is
// added.

struct Finish {
    // The pixel of the image that is drawn into that is the first of the region; outside of a tile, where light spreads from there.
    first_pixel: vec2f,
    // 0..1: how much of the refined picture is shown; the rest is the picture before.
    weight: f32,
    // The number of pixels of one millimetre at distance 1 along the view.
    pixels_per_millimetre: f32,
    // The number of entries of `spread` on each side of the middle; 0 if light is not spread.
    spread_count: u32,
    // [distance]: how much of the light arrives from there, RGB; a: the distance in millimetres. [0] is the middle.
    spread: array<vec4f, SPREAD_TAPS>,
}

const SPREAD_TAPS: u32 = 8u;

// [1]: one struct per picture.
@group(1) @binding(0) var<uniform> finish_of: Finish;
// [row][column] of the region: the means of `Sample` in sample.wgsl; `mean_scattered` may be spread.
@group(1) @binding(1) var mean_scattered: texture_2d<f32>;
@group(1) @binding(2) var mean_other: texture_2d<f32>;
@group(1) @binding(3) var mean_skin_color: texture_2d<f32>;
@group(1) @binding(4) var mean_untoned: texture_2d<f32>;
// [row][column] of the region: linear RGB.
@group(1) @binding(5) var picture_before: texture_2d<f32>;

// A difference of depth of so many millimetres ends the spread of light: what is behind is another part of the head.
const SPREAD_DEPTH: f32 = 3.0;

// The mean of scattered light without noise below black: where little arrives, the mean of few samples may be negative. Below a part of
// the studio's light it falls ever more slowly, and has no edge.
fn above_noise(mean: vec4f) -> vec4f {
    let least = 0.25 * frame.studio_sh[0].rgb * frame.exposure;
    let light = mean.rgb / max(mean.a, 1e-3);
    return vec4f(select(least / (2.0 - light / max(least, vec3f(1e-6))), light, light > least) * mean.a, mean.a);
}

// Scattered light at a texel. `is_raw`: it is the mean of the samples, and not light that was spread.
fn scattered_at(at: vec2i, is_raw: bool) -> vec4f {
    let light = textureLoad(mean_scattered, at, 0);
    if is_raw {
        return above_noise(light);
    }
    return light;
}

// Light that is scattered in skin, spread along one axis (J. Jimenez and others, "Separable subsurface scattering", 2015). Where
// there is no skin, or skin at another depth, the light of the middle takes the place of what would come from there, so that
// outlines have no halo.
fn spread_along(position: vec2f, axis: vec2f, is_raw: bool) -> vec4f {
    let at = vec2i(position);
    let middle = scattered_at(at, is_raw);
    if middle.a <= 1e-3 {
        return middle;
    }
    let own = middle.rgb / middle.a;
    let away = textureLoad(mean_other, at, 0).a / middle.a;
    let scale = finish_of.pixels_per_millimetre / max(away, 1e-6);
    var sum = own * finish_of.spread[0].rgb;
    for (var index = 1u; index <= finish_of.spread_count; index++) {
        let tap = finish_of.spread[index];
        // Whole texels: the mean is as smooth as a filter would make it, and on a software adapter filters take most of the time.
        let offset = vec2i(round(axis * (tap.a * scale)));
        for (var side = -1; side < 2; side += 2) {
            let light = scattered_at(at + offset * side, is_raw);
            let depth = textureLoad(mean_other, at + offset * side, 0).a;
            let skin = max(light.a, 1e-3);
            let gap = (depth / skin - away) * frame.millimetres_per_unit;
            let follows = light.a * saturate(1.0 - abs(gap) / SPREAD_DEPTH);
            sum += tap.rgb * mix(own, light.rgb / skin, follows);
        }
    }
    return vec4f(sum * middle.a, middle.a);
}

@fragment
fn spread_across(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return spread_along(position.xy, vec2f(1.0, 0.0), true);
}

@fragment
fn spread_down(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return spread_along(position.xy, vec2f(0.0, 1.0), false);
}

@fragment
fn finish(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = floor(position.xy);
    let at = vec2i(pixel - finish_of.first_pixel);
    let scattered = scattered_at(at, finish_of.spread_count == 0u);
    let other = textureLoad(mean_other, at, 0);
    let skin_color = textureLoad(mean_skin_color, at, 0);
    let untoned = textureLoad(mean_untoned, at, 0);
    // Both means are multiplied with the coverage by skin.
    let skin = scattered.rgb * skin_color.rgb / max(scattered.a, 1e-3);
    let covers = skin_color.a;
    let light = (skin + max(other.rgb, vec3f())) / max(covers, 1e-3);
    let of_picture = position.xy + frame.first_pixel;
    let head_covers = saturate(covers + untoned.a);
    let behind = background_color(of_picture) * (frame.background_cover * (1.0 - head_covers));
    let refined = tone_curve(light) * covers + untoned.rgb + behind;
    let alpha = max(frame.background_cover, head_covers);
    if frame.tone == TONE_NONE {
        return vec4f(refined, alpha);
    }
    var color = mix(textureLoad(picture_before, at, 0).rgb, refined, finish_of.weight);
    // Noise of less than one step of the 8-bit sRGB target hides bands, and leaves colours that are exactly one of its steps.
    color += (noise(of_picture + 11.0) - 0.5) * (0.6 / 255.0) * max(2.2 * sqrt(color), vec3f(1.0 / 12.92)) * covers;
    // A screen's picture has straight alpha.
    return vec4f(max(color, vec3f()) / max(alpha, 1e-3), alpha);
}
