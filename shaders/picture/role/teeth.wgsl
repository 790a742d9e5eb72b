// The inside of the mouth: teeth, tongue and gums. It is lit by what the lips leave open.

// The tint of light in the mouth: what is not open to the studio is lit by light that flesh has scattered, which has the tint `scattered`.
// How much light arrives is no part of it; `shade` reduces it by ambient occlusion.
fn mouth_light(scattered: vec3f, ambient_occlusion: f32) -> vec3f {
    return mix(scattered, vec3f(1.0), saturate(ambient_occlusion));
}

// A tooth lets light in and scatters it: it is softer than its surface, and less white at its edge. The light that reaches it from the
// flesh has the colour of flesh in `shade`; within the tooth it becomes a little yellower.
fn tooth(sampled: MaterialSample, ambient_occlusion: f32) -> MaterialSample {
    var changed = sampled;
    let light = mouth_light(vec3f(1.0, 0.89, 0.82), ambient_occlusion);
    changed.color = vec4f(sampled.color.rgb * vec3f(0.9, 0.85, 0.8) * light, sampled.color.a);
    // Emission stands for scattered light in some files, and cannot be brighter than what arrives.
    changed.emissive *= ambient_occlusion * ambient_occlusion;
    changed.roughness = max(sampled.roughness, 0.22);
    changed.specular *= ambient_occlusion * ambient_occlusion;
    return changed;
}

// Tongue and gums: wet, and never bright.
fn tongue(sampled: MaterialSample, ambient_occlusion: f32) -> MaterialSample {
    var changed = sampled;
    let luminance = dot(sampled.color.rgb, vec3f(0.2126, 0.7152, 0.0722));
    // Flesh is paler than a colour that is painted as red.
    let pale = mix(sampled.color.rgb, vec3f(luminance) * vec3f(1.35, 0.92, 0.88), 0.3) * 0.8;
    changed.color = vec4f(pale * mouth_light(vec3f(0.95, 0.74, 0.68), ambient_occlusion), sampled.color.a);
    changed.roughness = clamp(sampled.roughness, 0.34, 0.6);
    changed.specular *= ambient_occlusion * ambient_occlusion;
    return changed;
}
