// What becomes of a shaded fragment in the two tiers of pictures. A preview shows it at once: exposure and tone mapping are done here.
// An accumulated picture is the mean of many samples, each a little different, and accumulate.wgsl and finish.wgsl make the
// picture of it.

// The pipeline draws a sample of an accumulated picture.
override REFINED: bool = false;

// No single sample may be so bright that it is still visible as a speck in the mean.
const BRIGHTEST_SAMPLE: f32 = 24.0;

// The light of a fragment towards the eye, times exposure.
fn total_light(shaded: Shaded, diffuse_part: f32, specular_part: f32) -> vec3f {
    let diffuse = shaded.reflected.scattered * shaded.color + shaded.reflected.diffuse;
    return (diffuse * diffuse_part + shaded.reflected.specular * specular_part) * frame.exposure;
}

// In a preview: the colour and alpha of a fragment.
fn shown(shaded: Shaded) -> vec4f {
    if UNLIT {
        return vec4f(shaded.color, shaded.alpha);
    }
    if TRANSMISSIVE || ROLE == ROLE_CORNEA {
        let toned = tone_curve(total_light(shaded, shaded.alpha, shaded.coverage));
        let covers = max(shaded.alpha, max(toned.r, max(toned.g, toned.b)));
        return vec4f(toned / max(covers, 1e-4), covers);
    }
    return vec4f(tone_curve(total_light(shaded, 1.0, 1.0)), shaded.alpha);
}

// In an accumulated picture: one sample of a pixel. All colours are multiplied with their coverage, and blended as such.
struct Sample {
    // Light that is scattered within skin, times exposure; a: the coverage by opaque skin.
    @location(0) scattered: vec4f,
    // All other light of lit surfaces, times exposure; a: the distance of opaque skin from the eye along the view.
    @location(1) other: vec4f,
    // The colour of opaque skin; a: the coverage by lit surfaces.
    @location(2) skin_color: vec4f,
    // Colours of unlit surfaces, which are shown without tone mapping; a: the coverage by them.
    @location(3) untoned: vec4f,
}

// Light without NaN and without specks. Light may be negative in a single sample: blocked light is subtracted from the mean of
// the light that could arrive.
fn within_limits(light: vec3f) -> vec3f {
    return max(min(light, vec3f(BRIGHTEST_SAMPLE)), vec3f(-BRIGHTEST_SAMPLE));
}

// `away` is the distance of the fragment from the eye along the view.
fn sample_of(shaded: Shaded, away: f32) -> Sample {
    if UNLIT {
        if BLENDED {
            let hides = vec4f(0.0, 0.0, 0.0, shaded.alpha);
            return Sample(hides, hides, hides, vec4f(shaded.color * shaded.alpha, shaded.alpha));
        }
        return Sample(vec4f(), vec4f(), vec4f(), vec4f(shaded.color, 1.0));
    }
    if BLENDED {
        var covers = shaded.alpha;
        var light = total_light(shaded, shaded.alpha, shaded.alpha);
        if TRANSMISSIVE || ROLE == ROLE_CORNEA {
            light = total_light(shaded, shaded.alpha, shaded.coverage);
            covers = saturate(max(shaded.alpha, max(light.r, max(light.g, light.b))));
        }
        let hides = vec4f(0.0, 0.0, 0.0, covers);
        return Sample(hides, vec4f(within_limits(light), covers), hides, hides);
    }
    let reflected = shaded.reflected;
    if ROLE == ROLE_SKIN {
        let other = within_limits((reflected.diffuse + reflected.specular) * frame.exposure);
        let scattered = within_limits(reflected.scattered * frame.exposure);
        return Sample(vec4f(scattered, 1.0), vec4f(other, away), vec4f(shaded.color, 1.0), vec4f());
    }
    let other = within_limits(total_light(shaded, 1.0, 1.0));
    return Sample(vec4f(), vec4f(other, 0.0), vec4f(0.0, 0.0, 0.0, 1.0), vec4f());
}
