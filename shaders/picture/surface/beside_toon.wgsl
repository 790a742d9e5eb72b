// Surfaces without toon shading on a head that also has toon materials: clothes and tools of an avatar. They are lit as those are,
// by the key and by light from everywhere, without shadows, ambient occlusion, the reflected studio and tone mapping: programs for
// avatars show both so. What they reflect is what glTF 2.0 says (appendix B).

// The surface is one of these.
override BESIDE_TOON: bool = false;

// The reflectance at normal incidence of an index of refraction of 1.5.
const GLTF_F0: f32 = 0.04;
// A smoother surface would show a light that is a point as less than a pixel.
const LEAST_ROUGHNESS: f32 = 0.045;

// What the surface reflects of a light in the direction `to_light` whose radiance is 1.
fn reflected_as_gltf(sampled: MaterialSample, normal: vec3f, to_eye: vec3f, to_light: vec3f) -> Reflected {
    let dielectric = min(GLTF_F0 * sampled.specular_color, vec3f(1.0)) * sampled.specular;
    let f0 = mix(dielectric, sampled.color.rgb, sampled.metallic);
    let f90 = mix(sampled.specular, 1.0, sampled.metallic);
    let roughness = clamp(sampled.roughness, LEAST_ROUGHNESS, 1.0);
    let v_dot_l = dot(to_eye, to_light);
    let n_dot_light = dot(normal, to_light);
    let n_dot_eye = dot(normal, to_eye);
    let per_length = inverseSqrt(max(2.0 + 2.0 * v_dot_l, 1e-4));
    let grazing = 1.0 - saturate((1.0 + v_dot_l) * per_length);
    let grazing_squared = grazing * grazing;
    let towards_f90 = grazing_squared * grazing_squared * grazing;
    // Metal has no diffuse light, so that only the dielectric part of a mixture takes some away.
    let entering = 1.0 - mix(dielectric, vec3f(sampled.specular), towards_f90);
    let fresnel = mix(f0, vec3f(f90), towards_f90);
    let n_dot_l = saturate(n_dot_light);
    let n_dot_h = saturate((n_dot_light + n_dot_eye) * per_length);
    let lobe = ggx(n_dot_h, n_dot_l, max(n_dot_eye, 0.02), roughness * roughness);
    // Light that a rough surface reflects several times is not in the lobe (E. Turquin, "Practical multiple scattering compensation
    // for microfacet models", 2019). What is lost per what is kept is fitted to the integral of the lobe, within 0.09.
    let facing = saturate(n_dot_eye);
    let with_lost = 1.0 + f0 * (pow(roughness, 0.851 + 3.935 * facing) * (0.07 + 2.213 * facing));
    let color = sampled.color.rgb * (1.0 - sampled.metallic);
    return Reflected(vec3f(), color * entering * n_dot_l, frame.gloss * fresnel * with_lost * (lobe * n_dot_l));
}

// The colour that is shown, linear RGB. Light brighter than white is taken as white, as for toon materials.
fn color_beside_toon(from_material: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> vec3f {
    var sampled = from_material;
    sampled.roughness = roughness_over_pixel(sampled.roughness, normal);
    let from_everywhere = light_from_everywhere(normal);
    let key = frame.key.radiance;
    var received = key + from_everywhere;
    let of_key = reflected_as_gltf(sampled, normal, to_eye, frame.to_middle_of_key);
    let color = sampled.color.rgb * (1.0 - sampled.metallic);
    var light = Reflected(vec3f(), key * of_key.diffuse + from_everywhere * color * sampled.occlusion, key * of_key.specular);
    if HAS_FILE_LIGHTS {
        for (var index = 0u; index < frame.file_light_count; index++) {
            let file_light = frame.file_lights[index];
            let arrives = arriving(file_light, in_world);
            let radiance = file_light.radiance * arrives.w;
            let of_file = reflected_as_gltf(sampled, normal, to_eye, arrives.xyz);
            received += radiance;
            light.diffuse += radiance * of_file.diffuse;
            light.specular += radiance * of_file.specular;
        }
    }
    if SHEEN {
        light = with_sheen(light, in_world, normal, to_eye, key, sampled.occlusion);
    }
    if CLEARCOAT {
        light = with_clearcoat(light, in_world, normal, to_eye, key, sampled.occlusion);
    }
    let excess = max(1.0, max(received.r, max(received.g, received.b)));
    let shown = ((light.diffuse + light.specular) / excess + sampled.emissive) * frame.exposure;
    // A sample that is brighter than white would make the edge of its pixel too bright.
    return clamp(shown, vec3f(), vec3f(select(1.0, BRIGHTEST_SAMPLE, frame.tone == TONE_NONE)));
}
