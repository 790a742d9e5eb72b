// What becomes of a shaded fragment in the two tiers of pictures. A preview shows it at once: exposure and tone mapping are done here.
// An accumulated picture is the mean of many samples, each a little different, and accumulate.wgsl and finish.wgsl make the
// picture of it.

// The pipeline draws a sample of an accumulated picture.
override REFINED: bool = false;

// The light of a fragment towards the eye, times exposure.
fn total_light(shaded: Shaded, diffuse_part: f32, specular_part: f32) -> vec3f {
    let diffuse = shaded.reflected.scattered * shaded.color + shaded.reflected.diffuse;
    return (diffuse * diffuse_part + shaded.reflected.specular * specular_part) * frame.exposure;
}

// In a preview: the colour and alpha of a fragment.
fn shown(shaded: Shaded) -> vec4f {
    if SHOWN_AS_IT_IS {
        return vec4f(shaded.color, shaded.alpha);
    }
    if TRANSMISSIVE || ROLE == ROLE_CORNEA {
        let toned = tone_curve(total_light(shaded, shaded.alpha, shaded.coverage));
        let covers = max(shaded.alpha, max(toned.r, max(toned.g, toned.b)));
        return vec4f(toned / max(covers, 1e-4), covers);
    }
    return vec4f(tone_curve(total_light(shaded, 1.0, 1.0)), shaded.alpha);
}

// `away` is the distance of the fragment from the eye along the view.
fn sample_of(shaded: Shaded, away: f32) -> Sample {
    if SHOWN_AS_IT_IS {
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
