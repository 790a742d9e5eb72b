// The studio around the head: all light but the key, as `render/light/studio.rs` defines it.

// Irradiance as a function of the normal `n`, by the coefficients of the spherical harmonics of order 2.
fn by_harmonics(sh: array<vec4f, 9>, n: vec3f) -> vec3f {
    return sh[0].rgb + sh[1].rgb * n.y + sh[2].rgb * n.z + sh[3].rgb * n.x
        + sh[4].rgb * (n.x * n.y) + sh[5].rgb * (n.y * n.z)
        + sh[6].rgb * (3.0 * n.z * n.z - 1.0) + sh[7].rgb * (n.x * n.z)
        + sh[8].rgb * (n.x * n.x - n.y * n.y);
}

// The irradiance of a surface with normal `n` by the whole studio, over pi, without shadows. The large light sources are
// spherical harmonics (R. Ramamoorthi and P. Hanrahan, "An efficient representation for irradiance environment maps", 2001). Rim
// and counter-rim are so small and bright that harmonics of order 2 would light the whole side of the face with them.
fn studio_diffuse(n: vec3f) -> vec3f {
    return max(by_harmonics(frame.studio_sh, n), vec3f()) + panel_diffuse(frame.panels[RIM], n) + panel_diffuse(frame.panels[COUNTER_RIM], n);
}

// Sine and cosine of the half-width of a lobe of reflection. That of GGX is about 1.1 alpha; `alpha` is the square of the roughness.
fn lobe_of(alpha: f32) -> vec2f {
    let half_tangent = 0.01 + 0.55 * alpha;
    let scale = 1.0 / (1.0 + half_tangent * half_tangent);
    return vec2f(2.0 * half_tangent * scale, 2.0 * scale - 1.0);
}

// The part of a lobe that a round panel fills: its edge is widened by the lobe, and it is dimmed so that it brings as much light as
// before. `cosine`: of the angle between the lobe and the middle of the panel.
fn widened_panel(cosine: f32, cos_radius: f32, sin_radius: f32, lobe: vec2f) -> f32 {
    let across = sin_radius * lobe.x;
    let along = cos_radius * lobe.y;
    let outer = along - across;
    // If the lobe is wider than the panel, the edge reaches the middle.
    let inner = min(along + across, 1.0);
    let width = inner - outer;
    let covered = 1.0 - 0.5 * (outer + inner);
    let per_both = 1.0 / (width * covered);
    let inside = saturate((cosine - outer) * covered * per_both);
    return inside * inside * (3.0 - 2.0 * inside) * (1.0 - cos_radius) * width * per_both;
}

fn panel_specular(panel: Panel, r: vec3f, lobe: vec2f) -> vec3f {
    return panel.radiance * widened_panel(dot(r, panel.axis), panel.cos_radius, panel.sin_radius, lobe);
}

// The mean radiance that a lobe of reflection around `r` receives from the whole studio. `alpha` is the square of the roughness.
fn studio_specular(r: vec3f, alpha: f32) -> vec3f {
    let lobe = lobe_of(alpha);
    return mix(frame.ground, frame.sky, r.y * 0.5 + 0.5)
        + panel_specular(frame.panels[FILL], r, lobe) + panel_specular(frame.panels[RIM], r, lobe)
        + panel_specular(frame.panels[COUNTER_RIM], r, lobe) + panel_specular(frame.panels[TOP], r, lobe);
}

// The part of the diffuse light `studio` that arrives, irradiance over pi. `open` 0..1: the part of the dome that nothing blocks.
fn studio_light(in_world: vec3f, normal: vec3f, studio: vec3f, open: f32) -> vec3f {
    if REFINED {
        return found_studio_light(in_world, normal, studio);
    }
    return studio * open;
}
