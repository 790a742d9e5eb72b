// Deltas as the file has them: a pair is two 32-bit floats.

alias MorphLoad = vec2f;

fn morph_unpacked(pair: MorphLoad) -> vec2f {
    return pair;
}
