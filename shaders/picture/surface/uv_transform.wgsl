// The affine transform of texture coordinates (KHR_texture_transform): each row gives one coordinate from (u, v, 1).
// to_u.w is 1 where the second set of coordinates is read, else 0.
struct UvTransform {
    to_u: vec4f,
    to_v: vec4f,
}
