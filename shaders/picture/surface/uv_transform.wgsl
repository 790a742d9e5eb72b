// The affine transform of texture coordinates (KHR_texture_transform): each row gives one coordinate from (u, v, 1).
// to_u.w is 1 where the second set of coordinates is read, else 0.
struct UvTransform {
    to_u: vec4f,
    to_v: vec4f,
}

// At least one texture has a transform, or is read at the second set of coordinates.
override UV_TRANSFORMED: bool = false;

// The coordinates at which the texture with the index `texture` of a material is read. `uvs`: both sets.
fn uv_of(texture: u32, uvs: vec4f) -> vec2f {
    if !UV_TRANSFORMED {
        return uvs.xy;
    }
    let uv_transform = material.uv_transforms[texture];
    let uv = vec3f(select(uvs.xy, uvs.zw, uv_transform.to_u.w > 0.5), 1.0);
    return vec2f(dot(uv_transform.to_u.xyz, uv), dot(uv_transform.to_v.xyz, uv));
}
