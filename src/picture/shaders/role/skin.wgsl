// Skin: pores, its uneven gloss, and where it is oily. Everything is computed from positions at rest in millimetres, so that it
// stays on the skin when the face moves.

// Pores are drawn. They cost as much as the light, so that a software adapter draws them while the picture rests only.
override PORES: bool = false;

// Skin as rough as chalk is a file without a better value; above this roughness, differences are compressed.
const ROUGHEST_SKIN: f32 = 0.48;
const LEAST_ROUGH_SKIN: f32 = 0.3;
// The edge of the cells of which each has a pore, in millimetres.
const PORE_SPACING_MM: f32 = 0.6;
// The radius of a pore, as a fraction of this edge.
const PORE_RADIUS: f32 = 0.42;
// The depth of the deepest pore, in millimetres.
const PORE_DEPTH_MM: f32 = 0.036;
// The mean square of the slope of pores, which makes skin rougher where a pixel is wider than a pore.
const PORE_SLOPE_SQUARED: f32 = 0.012;

// A rotation about no axis in particular.
const UNALIGNED: mat3x3f = mat3x3f(0.612, 0.5, 0.612, -0.7071, 0.7071, 0.0, -0.3536, -0.5, 0.7906);

// Three random numbers 0..1 of a cell (M. Jarzynski and M. Olano, "Hash functions for GPU rendering", 2020: pcg3d).
fn random_of_cell(cell: vec3f) -> vec3f {
    var bits = bitcast<vec3u>(vec3i(cell)) * 1664525u + 1013904223u;
    bits.x += bits.y * bits.z;
    bits.y += bits.z * bits.x;
    bits.z += bits.x * bits.y;
    bits ^= bits >> vec3u(16u);
    bits.x += bits.y * bits.z;
    bits.y += bits.z * bits.x;
    bits.z += bits.x * bits.y;
    return vec3f(bits >> vec3u(8u)) * (1.0 / 16777216.0);
}

// -1..1, smooth; `place` in cells.
fn smooth_noise(place: vec3f) -> f32 {
    let cell = floor(place);
    let part = place - cell;
    let weight = part * part * (3.0 - 2.0 * part);
    var sum = 0.0;
    for (var corner = 0u; corner < 8u; corner++) {
        let offset = vec3f(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u));
        let share = mix(1.0 - weight, weight, offset);
        sum += random_of_cell(cell + offset).x * share.x * share.y * share.z;
    }
    return 2.0 * sum - 1.0;
}

// The height of skin with one pit in each cell, and its gradient: x: -1..0, yzw: per cell. `place` in cells.
fn pits(place: vec3f) -> vec4f {
    let first = floor(place - 0.5);
    var sum = vec4f();
    for (var corner = 0u; corner < 8u; corner++) {
        let cell = first + vec3f(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u));
        let random = random_of_cell(cell);
        let from_center = place - (cell + 0.25 + 0.5 * random);
        let inside = saturate(1.0 - dot(from_center, from_center) * (1.0 / (PORE_RADIUS * PORE_RADIUS)));
        let depth = 0.25 + 0.75 * random.y * random.y;
        sum += depth * inside * vec4f(-inside, from_center * (4.0 / (PORE_RADIUS * PORE_RADIUS)));
    }
    return sum;
}

// 0..1: how oily the skin is: nose, brow and chin. `from_eyes`: from the point between the eyes, in millimetres.
fn oiliness(from_eyes: vec3f) -> f32 {
    let nose = (from_eyes - vec3f(0.0, -30.0, 15.0)) / vec3f(13.0, 24.0, 22.0);
    let brow = (from_eyes - vec3f(0.0, 30.0, 5.0)) / vec3f(36.0, 18.0, 20.0);
    let chin = (from_eyes - vec3f(0.0, -90.0, 8.0)) / vec3f(16.0, 13.0, 16.0);
    return saturate(exp2(-1.5 * dot(nose, nose)) + 0.7 * exp2(-1.5 * dot(brow, brow)) + 0.5 * exp2(-1.5 * dot(chin, chin)));
}

// 0..1: whether the colour is that of lips, much redder than skin.
fn lip_likeness(color: vec3f) -> f32 {
    return smoothstep(0.46, 0.66, (color.r - max(color.g, color.b * 0.8)) / max(color.r, 1e-3));
}

// How far the edges of the lids are wet with tears: from the eyeball, in millimetres.
const WET_EDGE_MM: f32 = 1.2;
const WET_EDGE_ROUGHNESS: f32 = 0.2;

// 0..1: how wet the edge of a lid is. `from_eyes`: from the point between the eyeballs, in millimetres.
fn lid_wetness(from_eyes: vec3f) -> f32 {
    let half_way = 0.5 * (material.eyes.left - material.eyes.right);
    let from_eye = from_eyes - half_way * sign(dot(from_eyes, half_way));
    return 1.0 - smoothstep(0.4, WET_EDGE_MM, length(from_eye) - material.eyes.radius);
}

// How skin shines at a place. x: 0..1, how oily it is; y: 0..1, 1 where lips can be; z: 0..1, how wet it is. `at_rest` in millimetres.
fn skin_gloss(at_rest: vec3f) -> vec3f {
    let eyes = material.eyes;
    let between_eyes = 0.5 * (eyes.right + eyes.left);
    let from_eyes = at_rest - between_eyes - eyes.forward * eyes.radius;
    let mouth = (from_eyes - vec3f(0.0, -68.0, 0.0)) / vec3f(34.0, 20.0, 40.0);
    let found = vec3f(oiliness(from_eyes), saturate(2.0 - dot(mouth, mouth)), lid_wetness(at_rest - between_eyes));
    // Without eyes, nothing is known of the face. No branch: see frame.wgsl.
    return select(found, vec3f(0.0, 1.0, 0.0), eyes.radius <= 0.0);
}

// A factor of the colour of plain skin: blood shows through skin in patches, and most in nose and cheeks.
fn blood_tint(at_rest: vec3f) -> vec3f {
    let place = at_rest * 0.05;
    let bent = sin(place + 1.8 * sin(place.yzx * 1.9 + 0.4));
    let blood = (bent.x + bent.y + bent.z) * 0.3333;
    return mix(vec3f(1.0), vec3f(0.97, 0.84, 0.8), 0.5 + 0.5 * blood);
}

// The roughness of skin whose file has the roughness `in_file`.
fn skin_roughness(in_file: f32) -> f32 {
    return min(in_file, ROUGHEST_SKIN + 0.15 * (in_file - ROUGHEST_SKIN));
}

struct Skin {
    normal: vec3f,
    roughness: f32,
    // A factor of the colour.
    tint: vec3f,
}

// The surface of skin. `normal` has unit length. `gloss`: see `skin_gloss`.
fn skin_at(sampled: MaterialSample, normal: vec3f, at_rest: vec3f, gloss: vec3f, steps: Steps) -> Skin {
    var skin = Skin(normal, sampled.roughness, vec3f(1.0));
    skin.roughness = skin_roughness(sampled.roughness);
    let lips = lip_likeness(sampled.color.rgb);
    let oil = max(gloss.x, lips * gloss.y);
    skin.roughness = mix(skin.roughness, skin.roughness * 0.86, oil);
    if PLAIN && !BY_VERTEX {
        skin.tint *= blood_tint(at_rest);
    }
    if PORES {
        let pixel_mm = sqrt(max(dot(steps.across_at_rest, steps.across_at_rest), dot(steps.down_at_rest, steps.down_at_rest)));
        // A pore that is narrower than a pixel would be noise; its slopes then make the highlight wider instead.
        let seen = saturate(1.5 - pixel_mm * (1.1 / (PORE_SPACING_MM * PORE_RADIUS)));
        // Cells that are turned and bent lie in no rows on any surface.
        let turned = at_rest * UNALIGNED;
        let bent = turned + 0.12 * sin(turned.yzx * 2.31 + 0.7);
        let pore = pits(bent * (1.0 / PORE_SPACING_MM));
        // Noise of several millimetres remains visible in every picture of a whole face.
        let patches = smooth_noise(at_rest * 0.22) + 0.5 * smooth_noise(at_rest * 0.9 + 40.0) * saturate(1.5 - pixel_mm);
        let depth = PORE_DEPTH_MM * seen * (1.0 - 0.7 * lips) * (0.75 + 0.25 * patches);
        skin.normal = bent_by_height(normal, (UNALIGNED * pore.yzw) * (depth / PORE_SPACING_MM), steps);
        skin.tint *= 1.0 + 0.09 * pore.x * seen + 0.02 * patches;
        let unseen = PORE_SLOPE_SQUARED * (1.0 - seen * seen);
        let alpha = skin.roughness * skin.roughness;
        skin.roughness = sqrt(sqrt(saturate(alpha * alpha + unseen * alpha))) * (1.0 + 0.09 * patches);
    }
    skin.roughness = mix(max(skin.roughness, LEAST_ROUGH_SKIN), WET_EDGE_ROUGHNESS, gloss.z);
    return skin;
}
