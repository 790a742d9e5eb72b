// What the views paint on the surface: matcaps and the chequered pattern.

// The normal with x to the right of the picture, y up and z to the eye, as seen along the ray of the fragment.
fn normal_in_view(normal: vec3f, to_eye: vec3f) -> vec3f {
    let projection = frame.projection_from_world;
    // The rows of a projection are those of the camera; of a tile of the picture, the first is mixed with the direction of the view.
    let right = vec3f(projection[0].x, projection[1].x, projection[2].x);
    let across = normalize(right - to_eye * dot(right, to_eye));
    let up = cross(to_eye, across);
    return vec3f(dot(normal, across), dot(normal, up), dot(normal, to_eye));
}

// A material in a fixed light, linear RGB. `normal`: see `normal_in_view`.
fn matcap(normal: vec3f) -> vec3f {
    let lit = dot(normal, vec3f(-0.41, 0.57, 0.71));
    let edge = 1.0 - saturate(normal.z);
    // The direction that is seen in a mirror.
    let mirrored = vec3f(2.0 * normal.z * normal.xy, 2.0 * normal.z * normal.z - 1.0);
    if VIEW == VIEW_RED_WAX {
        let wrapped = saturate(lit * 0.7 + 0.3);
        let gloss = pow(saturate(dot(mirrored, vec3f(-0.41, 0.57, 0.71))), 24.0);
        return vec3f(0.34, 0.055, 0.035) * (0.12 + wrapped) + vec3f(0.45, 0.35, 0.3) * gloss + vec3f(0.05, 0.01, 0.01) * edge;
    }
    if VIEW == VIEW_CHROME {
        let sky = mix(vec3f(0.55, 0.6, 0.66), vec3f(0.95), smoothstep(0.0, 0.75, mirrored.y));
        let ground = mix(vec3f(0.22, 0.2, 0.18), vec3f(0.03), smoothstep(0.0, -0.8, mirrored.y));
        return mix(ground, sky, smoothstep(-0.06, 0.06, mirrored.y)) * (1.0 - 0.5 * edge * edge);
    }
    if VIEW == VIEW_ZEBRA {
        // Stripes of equal width in the angle of the reflected ray.
        let angle = acos(clamp(mirrored.y, -1.0, 1.0)) * 2.5;
        let width = max(fwidth(angle), 1e-4);
        let stripe = saturate((abs(fract(angle) - 0.5) - 0.25) / width + 0.5);
        return mix(vec3f(0.02), vec3f(0.8), stripe) * (0.6 + 0.4 * saturate(normal.z));
    }
    let wrapped = saturate(lit * 0.75 + 0.25);
    return mix(vec3f(0.05, 0.055, 0.065), vec3f(0.62, 0.6, 0.57), wrapped * wrapped * (1.6 - 0.6 * wrapped))
        + vec3f(0.1, 0.11, 0.12) * edge * edge;
}

// 32 by 32 squares in the texture coordinates 0..1, whose hue changes every four of them. `width`: what a pixel covers.
fn checker(uv: vec2f, width: vec2f) -> vec3f {
    let at = uv * 32.0;
    // The mean over the pixel (I. Quilez, "Filtering procedural checker pattern", 2017).
    let across = max(width * 32.0, vec2f(1e-4));
    let triangle = 2.0 * (abs(fract((at - 0.5 * across) * 0.5) - 0.5) - abs(fract((at + 0.5 * across) * 0.5) - 0.5)) / across;
    let bright = 0.5 - 0.5 * triangle.x * triangle.y;
    let patch_of = floor(uv * 8.0);
    let hue = fract((patch_of.x + 3.0 * patch_of.y) / 8.0) * 6.0;
    let tint = saturate(vec3f(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)));
    return mix(vec3f(0.08), mix(vec3f(0.75), tint, 0.45), bright);
}
