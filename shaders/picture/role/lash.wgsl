// Lashes and brows on plain cards: bands without a texture. Strands are drawn on them, from the coordinates that
// `render/surface/lash_cards.rs` computes.

// The surface is a card without texture.
override LASH_CARD: bool = false;

// The distance between two strands of one row, in millimetres.
const LASH_SPACING_MM: f32 = 0.62;
// Half of the width of a strand at its root, in millimetres.
const LASH_HALF_WIDTH_MM: f32 = 0.11;
// Rows of strands that lie over each other.
const LASH_ROWS: u32 = 3u;

// The values of `frame.lashes`: `LashStyle` in `src/scene/look.rs`.
const LASHES_AS_LASHES: u32 = 0u;
const LASHES_HIDDEN: u32 = 1u;
const LASHES_AS_IN_FILE: u32 = 2u;

// 0..1: the coverage of a card, by the choice of the artist.
fn lash_alpha(place: vec2f) -> f32 {
    let chosen = select(0.0, 1.0, frame.lashes == LASHES_AS_IN_FILE);
    return select(chosen, lash_coverage(place), frame.lashes == LASHES_AS_LASHES);
}

// 0..1: the coverage by strands. `place`: x along the lid in millimetres, y from root (0) to tip (1).
fn lash_coverage(place: vec2f) -> f32 {
    // A pixel that is wider than the distance of two strands is covered as much as one that is just as wide.
    let pixel = clamp(fwidth(place.x), 1e-3, LASH_SPACING_MM);
    var bare = 1.0;
    for (var row = 0u; row < LASH_ROWS; row++) {
        let seed = f32(row);
        // Strands lean, each row by another angle, and bend on their way.
        let leaning = place.x / LASH_SPACING_MM + seed * 0.37 + (0.55 * seed - 0.5) * place.y * (0.5 + 0.5 * place.y);
        let cell = floor(leaning);
        let random = random_of_cell(vec3f(cell, seed, 5.0));
        let from_middle = abs(leaning - cell - (0.3 + 0.4 * random.x)) * LASH_SPACING_MM;
        // Lashes of the lower lid are shorter and fewer.
        let length = (0.6 + 0.4 * random.y) * select(1.0, 0.62 * step(0.35, random.z), place.x < 0.0);
        let thin = saturate(1.0 - place.y / max(length, 1e-3));
        let half_width = LASH_HALF_WIDTH_MM * sqrt(thin);
        // The samples of a picture find the part of the pixel that is covered.
        var edge = step(from_middle, half_width);
        if !REFINED {
            let ends = vec2f(from_middle - 0.5 * pixel, from_middle + 0.5 * pixel);
            edge = max(min(ends.y, half_width) - max(ends.x, -half_width), 0.0) / pixel;
        }
        bare *= 1.0 - edge * step(1e-3, thin);
    }
    return 1.0 - bare;
}
