// A material: its factors, and the textures that are multiplied with them.

struct Material {
    // Linear RGBA.
    base_color: vec4f,
    // Linear RGB, strength included.
    emissive: vec3f,
    roughness: f32,
    // A factor of the reflectance at normal incidence, linear RGB; 1 is a dielectric of index of refraction 1.5.
    specular_color: vec3f,
    metallic: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    specular: f32,
    alpha_cutoff: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    // 0..1: the strength of the clearcoat.
    coat: f32,
    coat_roughness: f32,
    // 0..1: the fraction of the light that goes through.
    transmission: f32,
    // Where the head's eyes are, for all of its materials.
    eyes: Eyes,
    // One transform per texture, in the order of the bindings.
    uv_transforms: array<UvTransform, 6>,
}

// [1]: one struct per material.
@group(3) @binding(0) var<uniform> material: Material;
// All textures: [row][column], 0..1, with mipmaps. Linear RGBA.
@group(3) @binding(1) var base_color_texture: texture_2d<f32>;
// Each sampler has the wrap and filter modes of the file.
@group(3) @binding(2) var base_color_sampler: sampler;
// RGB: a direction in tangent space, 0..1 for -1..1.
@group(3) @binding(3) var normal_texture: texture_2d<f32>;
@group(3) @binding(4) var normal_sampler: sampler;
// Green: roughness, blue: metallic.
@group(3) @binding(5) var metallic_roughness_texture: texture_2d<f32>;
@group(3) @binding(6) var metallic_roughness_sampler: sampler;
// Red: the fraction of the ambient light that arrives.
@group(3) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(3) @binding(8) var occlusion_sampler: sampler;
// Linear RGB.
@group(3) @binding(9) var emissive_texture: texture_2d<f32>;
@group(3) @binding(10) var emissive_sampler: sampler;
// Alpha: a factor of `specular`.
@group(3) @binding(11) var specular_texture: texture_2d<f32>;
@group(3) @binding(12) var specular_sampler: sampler;

// These are set when a pipeline is built, so that the shader contains only the features that the material uses.
override TEXTURED: bool = false;
override ROUGHNESS_MAPPED: bool = false;
override OCCLUSION_MAPPED: bool = false;
override EMISSIVE: bool = false;
override EMISSIVE_MAPPED: bool = false;
override SPECULAR: bool = false;
override SPECULAR_MAPPED: bool = false;
// It has one colour: neither a texture nor vertex colours.
override PLAIN: bool = false;

// The surface is shown in grey clay, with nothing of its material but alpha.
override CLAY: bool = false;

// The material at a fragment: factors times textures.
struct MaterialSample {
    color: vec4f,
    emissive: vec3f,
    roughness: f32,
    specular_color: vec3f,
    metallic: f32,
    occlusion: f32,
    specular: f32,
}

// `own_color`: the vertex colour times the base colour. `uvs`: both sets.
fn sample_material(own_color: vec4f, uvs: vec4f) -> MaterialSample {
    var sampled = MaterialSample(
        own_color, vec3f(), material.roughness, vec3f(1.0), material.metallic, 1.0, 1.0);
    if TEXTURED {
        sampled.color *= textureSample(base_color_texture, base_color_sampler, uv_of(0, uvs));
    }
    if ROUGHNESS_MAPPED {
        let texel = textureSample(metallic_roughness_texture, metallic_roughness_sampler, uv_of(2, uvs));
        sampled.roughness *= texel.g;
        sampled.metallic *= texel.b;
    }
    if OCCLUSION_MAPPED {
        let texel = textureSample(occlusion_texture, occlusion_sampler, uv_of(3, uvs));
        sampled.occlusion += material.occlusion_strength * (texel.r - 1.0);
    }
    if EMISSIVE {
        sampled.emissive = material.emissive;
    }
    if EMISSIVE_MAPPED {
        sampled.emissive *= textureSample(emissive_texture, emissive_sampler, uv_of(4, uvs)).rgb;
    }
    if SPECULAR {
        sampled.specular = material.specular;
        sampled.specular_color = material.specular_color;
    }
    if SPECULAR_MAPPED {
        sampled.specular *= textureSample(specular_texture, specular_sampler, uv_of(5, uvs)).a;
    }
    if CLAY {
        sampled.color = vec4f(vec3f(0.36), sampled.color.a);
        sampled.roughness = 0.6;
        sampled.metallic = 0.0;
    }
    return sampled;
}
