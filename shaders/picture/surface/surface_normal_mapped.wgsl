// Surfaces with a normal map. The pipelines of other surfaces use other entry points, without this code.

// `Surface` with a tangent.
struct NormalMappedSurface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
    // w: the sign of the bitangent.
    @location(4) tangent: vec4f,
    @location(5) at_rest: vec3f,
    @location(6) ambient_occlusion: f32,
    @location(7) studio: vec3f,
    @location(8) gloss: vec3f,
    @location(9) in_shadow_map: vec3f,
    @location(10) mirrored: vec4f,
}

fn unit(vector: vec3f) -> vec3f {
    return vector * inverseSqrt(max(dot(vector, vector), 1e-30));
}

// At each vertex, normal and tangent are made perpendicular and of unit length, as MikkTSpace defines them (targets often have
// no deltas for tangents). Between vertices they are interpolated without normalisation, as programs that bake normal maps
// assume.
fn to_world_normal_mapped(transform: VertexTransform, vertex: SlotVertex, tangent: vec4f) -> NormalMappedSurface {
    let plain = to_world(transform, vertex);
    let upright = unit(plain.normal);
    let along = unit((transform.world_from_mesh * vec4f(tangent.xyz, 0.0)).xyz);
    // If the normal is 0, so is the tangent, and the fragment uses the triangle's normal.
    let across = unit(along - upright * dot(along, upright)) * dot(upright, upright);
    let side = tangent.w * transform.side;
    return NormalMappedSurface(
        plain.position, plain.in_world, upright, plain.color, plain.uvs, vec4f(across, side), plain.at_rest, plain.ambient_occlusion,
        plain.studio, plain.gloss, plain.in_shadow_map, plain.mirrored);
}

// The normal according to the normal map (glTF 2.0 §3.9.3); its length is not 1.
fn mapped_normal(normal: vec3f, tangent: vec4f, uvs: vec4f) -> vec3f {
    let scale = vec3f(material.normal_scale, material.normal_scale, 1.0);
    let direction = (textureSample(normal_texture, normal_sampler, uv_of(1, uvs)).xyz * 2.0 - 1.0) * scale;
    let bitangent = cross(normal, tangent.xyz) * tangent.w;
    return direction.x * tangent.xyz + direction.y * bitangent + direction.z * normal;
}

@fragment
fn fragment_normal_mapped(surface: NormalMappedSurface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    return shown(lit_normal_mapped(surface, is_front));
}

@fragment
fn sample_fragment_normal_mapped(surface: NormalMappedSurface, @builtin(front_facing) is_front: bool) -> Sample {
    return sample_of(lit_normal_mapped(surface, is_front), 1.0 / surface.position.w);
}

fn lit_normal_mapped(surface: NormalMappedSurface, is_front: bool) -> Shaded {
    let normal = mapped_normal(surface.normal, surface.tangent, surface.uvs);
    return lit(Unlit(
        surface.in_world, normal, surface.color, surface.uvs, surface.at_rest, surface.ambient_occlusion, is_front,
        Slow(surface.studio, surface.gloss, surface.in_shadow_map, surface.mirrored)));
}
