// Skin: its relief, its uneven gloss, and where it is oily. Everything is computed from positions at rest in millimetres, so that it
// stays on the skin when the face moves.

// The relief is drawn. It costs as much as the light, so that a software adapter draws it while the picture rests only.
override PORES: bool = false;
// Which relief the shader adds to the surface: one of the RELIEF_ constants, with the numbers of `Relief` in `render/surface/relief.rs`.
override RELIEF: u32 = 0u;

const RELIEF_NONE: u32 = 0u;
// The surface has a normal map that shows furrows; only fine pores are added.
const RELIEF_FINE_PORES: u32 = 1u;
// The surface has no relief of its own, or none that is as fine as this one.
const RELIEF_WHOLE: u32 = 2u;

// Skin as rough as chalk is a file without a better value; above this roughness, differences are compressed.
const ROUGHEST_SKIN: f32 = 0.48;
const LEAST_ROUGH_SKIN: f32 = 0.26;

// Fine pores, which are added to a normal map. The edge of the cells of which each has a pore, in millimetres.
const PORE_SPACING_MM: f32 = 0.6;
// The radius of a pore, as a fraction of this edge.
const PORE_RADIUS: f32 = 0.42;
// The depth of the deepest pore, in millimetres.
const PORE_DEPTH_MM: f32 = 0.036;
// The mean square of the slope of pores, which makes skin rougher where a pixel is wider than a pore.
const PORE_SLOPE_SQUARED: f32 = 0.012;

// The whole relief: plateaus between furrows, and wider pores (A. Haro and others, "Real-time, photo-realistic, physically based rendering of
// fine scale human skin structure", 2001). The edge of the cells of which each has a plateau and a pore, in millimetres.
const CELL_MM: f32 = 1.1;
// The difference of the distances to the middles of two plateaus at which a furrow ends, as a fraction of the edge of a cell.
const FURROW_WIDTH: f32 = 0.3;
const FURROW_DEPTH_MM: f32 = 0.034;
// The radius of a pore, as a fraction of the edge of a cell.
const WIDE_PORE_RADIUS: f32 = 0.27;
const WIDE_PORE_DEPTH_MM: f32 = 0.15;
// The flesh below skin makes its surface undulate: half of the distance of two crests, and the greatest height, in millimetres.
const UNDULATION_MM: f32 = 2.6;
const UNDULATION_HEIGHT_MM: f32 = 0.045;
// Cells are bent, so that they lie in no rows: by so many millimetres, in waves of so many radians per millimetre.
const BEND_MM: f32 = 0.35;
const BEND_PER_MM: f32 = 1.7;
// The mean square of the slopes of furrows and pores of depth 1, and of the undulation of height 1, on a surface, per cell.
const FURROW_SLOPE_SQUARED: f32 = 17.0;
const WIDE_PORE_SLOPE_SQUARED: f32 = 0.42;
const UNDULATION_SLOPE_SQUARED: f32 = 0.88;

// The furrows of lips run from the mouth outwards. Their number per millimetre along the lips, times pi, and their greatest depth.
const LIP_FURROWS_PER_MM: f32 = 2.9;
const LIP_FURROW_DEPTH_MM: f32 = 0.07;
const LIP_FURROW_WIDTH_MM: f32 = 0.5;

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

// The height of skin at a place in cells, and its gradient: x: -1..0, yzw: per cell.
struct Cells {
    furrows: vec4f,
    pores: vec4f,
}

// Plateaus between furrows are the cells of a Voronoi diagram (S. Worley, "A cellular texture basis function", 1996); of the points around
// a place, only those of eight cells are looked at, which lie so close to the middles of their cells that it is seldom seen.
fn cells_of_skin(place: vec3f) -> Cells {
    let first = floor(place - 0.5);
    // xyz: from the middle of a plateau, w: the square of the distance.
    var nearest = vec4f(0.0, 0.0, 0.0, 16.0);
    var second = nearest;
    var pores = vec4f();
    for (var corner = 0u; corner < 8u; corner++) {
        let cell = first + vec3f(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u));
        let random = random_of_cell(cell);
        let from_plateau = place - (cell + 0.25 + 0.5 * random);
        let to_compare = vec4f(from_plateau, dot(from_plateau, from_plateau));
        let farther = select(nearest, to_compare, to_compare.w > nearest.w);
        nearest = select(nearest, to_compare, to_compare.w < nearest.w);
        second = select(second, farther, farther.w < second.w);
        // The same numbers in another order are another place.
        let from_pore = place - (cell + 0.25 + 0.5 * random.zxy);
        let inside = saturate(1.0 - dot(from_pore, from_pore) * (1.0 / (WIDE_PORE_RADIUS * WIDE_PORE_RADIUS)));
        let depth = 0.3 + 0.7 * random.y;
        pores += depth * inside * vec4f(-inside, from_pore * (4.0 / (WIDE_PORE_RADIUS * WIDE_PORE_RADIUS)));
    }
    let distances = sqrt(vec2f(nearest.w, second.w));
    let across = saturate((distances.y - distances.x) * (1.0 / FURROW_WIDTH));
    let slope = 6.0 * across * (1.0 - across) / FURROW_WIDTH;
    let away = second.xyz / max(distances.y, 1e-3) - nearest.xyz / max(distances.x, 1e-3);
    return Cells(vec4f(across * across * (3.0 - 2.0 * across) - 1.0, away * slope), pores);
}

// A smooth height, x: -1..1, and its gradient, yzw: per cell. `place` in cells.
fn undulation(place: vec3f) -> vec4f {
    let cell = floor(place);
    let part = place - cell;
    let weight = part * part * (3.0 - 2.0 * part);
    let change = 6.0 * part * (1.0 - part);
    var sum = vec4f();
    for (var corner = 0u; corner < 8u; corner++) {
        let offset = vec3f(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u));
        let share = mix(1.0 - weight, weight, offset);
        let slope = mix(-change, change, offset);
        sum += random_of_cell(cell + offset).x
            * vec4f(share.x * share.y * share.z, slope.x * share.y * share.z, share.x * slope.y * share.z, share.x * share.y * slope.z);
    }
    return 2.0 * sum - vec4f(1.0, 0.0, 0.0, 0.0);
}

// The furrows of lips, which lie at unequal distances and are unequally deep. x: the height, -1..0, yzw: its gradient per millimetre,
// in which slow changes are left out. `from_eyes`: see `oiliness`.
fn furrows_of_lips(from_eyes: vec3f) -> vec4f {
    let along = from_eyes.x;
    let angle = along * LIP_FURROWS_PER_MM + 0.9 * sin(along * 1.13 + 0.4) + 0.7 * sin(from_eyes.y * 0.45 + along * 0.21);
    let angle_per_mm = LIP_FURROWS_PER_MM + 1.017 * cos(along * 1.13 + 0.4);
    let depth = 0.65 + 0.35 * sin(along * 0.71 + from_eyes.y * 0.3 + 1.7);
    let cosine = cos(angle);
    let squared = cosine * cosine;
    let height = squared * squared * squared;
    return depth * vec4f(-height, 6.0 * squared * squared * cosine * sin(angle) * angle_per_mm, 0.0, 0.0);
}

// -1..1: patches some millimetres wide. `place` in radians of waves, which are bent, so that they form no lattice.
fn patches_of_skin(place: vec3f) -> f32 {
    let waves = sin(place + 1.6 * sin(place.yzx * 0.8 + 1.3));
    return (waves.x + waves.y + waves.z) * 0.3333;
}

// 0..1: how oily the skin is: nose, brow and chin. `from_eyes`: from the point between the eyes, in millimetres.
fn oiliness(from_eyes: vec3f) -> f32 {
    let nose = (from_eyes - vec3f(0.0, -30.0, 15.0)) / vec3f(13.0, 24.0, 22.0);
    let brow = (from_eyes - vec3f(0.0, 30.0, 5.0)) / vec3f(36.0, 18.0, 20.0);
    let chin = (from_eyes - vec3f(0.0, -90.0, 8.0)) / vec3f(16.0, 13.0, 16.0);
    return saturate(exp2(-1.5 * dot(nose, nose)) + 0.7 * exp2(-1.5 * dot(brow, brow)) + 0.5 * exp2(-1.5 * dot(chin, chin)));
}

// 0..1: how wide pores are open: most on nose and cheeks. `from_eyes`: see `oiliness`, and `oil` its result.
fn pore_openness(from_eyes: vec3f, oil: f32) -> f32 {
    let cheek = (vec3f(abs(from_eyes.x), from_eyes.yz) - vec3f(17.0, -33.0, 3.0)) / vec3f(20.0, 17.0, 25.0);
    return saturate(0.3 + 0.5 * oil + 0.7 * exp2(-1.5 * dot(cheek, cheek)));
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

// The width of a pixel on the surface at rest, in millimetres.
fn pixel_width(steps: Steps) -> f32 {
    return sqrt(max(dot(steps.across_at_rest, steps.across_at_rest), dot(steps.down_at_rest, steps.down_at_rest)));
}

// Adds pores between the furrows that a normal map shows.
fn with_fine_pores(skin: Skin, at_rest: vec3f, lips: f32, steps: Steps) -> Skin {
    var changed = skin;
    let pixel_mm = pixel_width(steps);
    // A pore that is narrower than a pixel would be noise; its slopes then make the highlight wider instead.
    let seen = saturate(1.5 - pixel_mm * (1.1 / (PORE_SPACING_MM * PORE_RADIUS)));
    // Cells that are turned and bent lie in no rows on any surface.
    let turned = at_rest * UNALIGNED;
    let bent = turned + 0.12 * sin(turned.yzx * 2.31 + 0.7);
    let pore = pits(bent * (1.0 / PORE_SPACING_MM));
    // Noise of several millimetres remains visible in every picture of a whole face.
    let patches = smooth_noise(at_rest * 0.22) + 0.5 * smooth_noise(at_rest * 0.9 + 40.0) * saturate(1.5 - pixel_mm);
    let depth = PORE_DEPTH_MM * seen * (1.0 - 0.7 * lips) * (0.75 + 0.25 * patches);
    changed.normal = bent_by_height(skin.normal, (UNALIGNED * pore.yzw) * (depth / PORE_SPACING_MM), steps);
    changed.tint *= 1.0 + 0.09 * pore.x * seen + 0.02 * patches;
    let unseen = PORE_SLOPE_SQUARED * (1.0 - seen * seen);
    let alpha = skin.roughness * skin.roughness;
    changed.roughness = sqrt(sqrt(saturate(alpha * alpha + unseen * alpha))) * (1.0 + 0.09 * patches);
    return changed;
}

// 0..1: how much is seen of a relief whose parts are so wide, in millimetres. What is narrower than a pixel would be noise.
fn seen_of(width_mm: f32, pixel_mm: f32) -> f32 {
    return saturate(1.5 - pixel_mm * (1.1 / width_mm));
}

// Adds the whole relief. What a pixel does not show of it makes the highlight wider instead: the square of GGX's alpha is the mean square
// of the slopes of a surface (M. Olano and D. Baker, "LEAN mapping", 2010). `facing`: the cosine of the angle between normal and view.
fn with_relief(skin: Skin, facing: f32, at_rest: vec3f, gloss: vec3f, lips: f32, steps: Steps) -> Skin {
    var changed = skin;
    var pixel_mm = pixel_width(steps);
    if REFINED {
        // The samples of a picture are spread over each of its pixels.
        pixel_mm *= 0.6;
    }
    // Seen from the side, what is high hides what is low.
    let open = smoothstep(0.15, 0.75, facing);
    let furrows_seen = open * seen_of(FURROW_WIDTH * CELL_MM, pixel_mm);
    let pores_seen = open * seen_of(WIDE_PORE_RADIUS * CELL_MM, pixel_mm);
    let undulation_seen = open * seen_of(0.5 * UNDULATION_MM, pixel_mm);
    let turned = at_rest * UNALIGNED;
    let bend = turned.yzx * BEND_PER_MM + 0.7;
    let cells = cells_of_skin((turned + BEND_MM * sin(bend)) * (1.0 / CELL_MM));
    let waves = undulation(turned * (1.0 / UNDULATION_MM));
    let eyes = material.eyes;
    let from_eyes = at_rest - 0.5 * (eyes.right + eyes.left) - eyes.forward * eyes.radius;
    // Without eyes, nothing is known of the face.
    let openness = select(0.5, pore_openness(from_eyes, gloss.x), eyes.radius > 0.0);
    let patches = patches_of_skin(turned * 0.7) + 0.6 * patches_of_skin(turned.zxy * 2.3 + turned * 0.9 + 5.0);
    // Lips have furrows of their own, and the edges of lids are smooth.
    let share = (1.0 - 0.7 * lips) * (1.0 - gloss.z);
    // The slopes of a depth or height of 1 per cell.
    let furrows = share * (0.6 + 0.3 * patches) * FURROW_DEPTH_MM / CELL_MM;
    let pores = share * openness * WIDE_PORE_DEPTH_MM / CELL_MM;
    let flesh = share * UNDULATION_HEIGHT_MM / UNDULATION_MM;
    let of_cells = cells.furrows.yzw * (furrows * furrows_seen) + cells.pores.yzw * (pores * pores_seen);
    let unbent = of_cells + (BEND_MM * BEND_PER_MM) * (of_cells * cos(bend)).zxy;
    let on_lips = furrows_of_lips(from_eyes) * (lips * gloss.y * open * seen_of(LIP_FURROW_WIDTH_MM, pixel_mm));
    let gradient = UNALIGNED * (unbent + waves.yzw * (flesh * undulation_seen)) + on_lips.yzw * LIP_FURROW_DEPTH_MM;
    changed.normal = bent_by_height(skin.normal, gradient, steps);
    let unseen = furrows * furrows * FURROW_SLOPE_SQUARED * (1.0 - furrows_seen * furrows_seen)
        + pores * pores * WIDE_PORE_SLOPE_SQUARED * (1.0 - pores_seen * pores_seen)
        + flesh * flesh * UNDULATION_SLOPE_SQUARED * (1.0 - undulation_seen * undulation_seen);
    let pit = cells.pores.x * openness * pores_seen;
    let roughness = skin.roughness * (1.0 + 0.1 * patches) - 0.12 * pit;
    changed.roughness = sqrt(sqrt(saturate(roughness * roughness * roughness * roughness + unseen)));
    // Little light finds its way out of a pore or a furrow, and most of it is red; so is what blood adds in patches.
    let sunk = pit + 0.2 * share * cells.furrows.x * furrows_seen + 0.35 * on_lips.x;
    changed.tint *= 1.0 + vec3f(0.025, 0.055, 0.06) * patches + vec3f(0.27, 0.37, 0.42) * sunk;
    return changed;
}

// The surface of skin. `normal` and `to_eye` have unit length. `gloss`: see `skin_gloss`.
fn skin_at(sampled: MaterialSample, normal: vec3f, to_eye: vec3f, at_rest: vec3f, gloss: vec3f, steps: Steps) -> Skin {
    var skin = Skin(normal, sampled.roughness, vec3f(1.0));
    skin.roughness = skin_roughness(sampled.roughness);
    let lips = lip_likeness(sampled.color.rgb);
    let oil = max(gloss.x, lips * gloss.y);
    skin.roughness *= mix(1.06, 0.75, oil);
    if PLAIN && !BY_VERTEX {
        skin.tint *= blood_tint(at_rest);
    }
    if PORES && RELIEF == RELIEF_FINE_PORES {
        skin = with_fine_pores(skin, at_rest, lips, steps);
    }
    if PORES && RELIEF == RELIEF_WHOLE {
        skin = with_relief(skin, saturate(dot(normal, to_eye)), at_rest, gloss, lips, steps);
    }
    skin.roughness = mix(max(skin.roughness, LEAST_ROUGH_SKIN), WET_EDGE_ROUGHNESS, gloss.z);
    return skin;
}
