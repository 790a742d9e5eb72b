// Surfaces with a normal map. Others pay for none of this: their pipelines enter elsewhere.

// `Surface`, and its tangent.
struct NormalMappedSurface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
    // w: the bitangent's side.
    @location(4) tangent: vec4f,
}

fn unit(vector: vec3f) -> vec3f {
    return vector * inverseSqrt(max(dot(vector, vector), 1e-30));
}

// Normal and tangent leave each vertex unit and at right angles, as MikkTSpace has them (targets often bring no deltas
// for tangents); between vertices they are mixed and left as they are, as the bakers of normal maps assume.
fn to_world_normal_mapped(transform: VertexTransform, vertex: SlotVertex, tangent: vec4f) -> NormalMappedSurface {
    let plain = to_world(transform, vertex);
    let upright = unit(plain.normal);
    let along = unit((transform.world_from_mesh * vec4f(tangent.xyz, 0.0)).xyz);
    // A vanished normal takes its tangent with it: the fragment then falls back on the triangle's own.
    let across = unit(along - upright * dot(along, upright)) * dot(upright, upright);
    return NormalMappedSurface(
        plain.position, plain.in_world, upright, plain.color, plain.uvs, vec4f(across, tangent.w * transform.side));
}

// The normal that the map asks for (glTF 2.0 §3.9.3); of no particular length.
fn bent(normal: vec3f, tangent: vec4f, uvs: vec4f) -> vec3f {
    let scale = vec3f(material.normal_scale, material.normal_scale, 1.0);
    let direction = (textureSample(normal_texture, normal_sampler, uv_of(1, uvs)).xyz * 2.0 - 1.0) * scale;
    let bitangent = cross(normal, tangent.xyz) * tangent.w;
    return direction.x * tangent.xyz + direction.y * bitangent + direction.z * normal;
}

@fragment
fn fragment_normal_mapped(surface: NormalMappedSurface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let normal = bent(surface.normal, surface.tangent, surface.uvs);
    return lit(surface.in_world, normal, surface.color, surface.uvs, is_front);
}
