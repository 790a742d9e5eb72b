// Deltas as the file has them: 32-bit floats, two by two.

alias MorphPair = vec2f;

fn morph_unpacked(pair: MorphPair) -> vec2f {
    return pair;
}
