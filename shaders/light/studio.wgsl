// The studio around the head: all light but the key, as `render/light/studio.rs` defines it.

// The irradiance by a panel of irradiance 1, over pi. `cosine`: of the angle between the normal and the panel. It is smooth where the
// panel sets behind the horizon of the surface.
fn panel_diffuse(cosine: f32, sin_radius: f32) -> f32 {
    let above = clamp(cosine + sin_radius, 0.0, 2.0 * sin_radius);
    return above * above * 0.25 / sin_radius + max(cosine - sin_radius, 0.0);
}

// The irradiance of a surface with normal `n` by the whole studio, over pi, without shadows. The large light sources are
// spherical harmonics (R. Ramamoorthi and P. Hanrahan, "An efficient representation for irradiance environment maps", 2001). Rim
// and counter-rim are so small and bright that harmonics of order 2 would light the whole side of the face with them.
fn studio_diffuse(n: vec3f) -> vec3f {
    let irradiance = frame.studio_sh[0].rgb
        + frame.studio_sh[1].rgb * n.y + frame.studio_sh[2].rgb * n.z + frame.studio_sh[3].rgb * n.x
        + frame.studio_sh[4].rgb * (n.x * n.y) + frame.studio_sh[5].rgb * (n.y * n.z)
        + frame.studio_sh[6].rgb * (3.0 * n.z * n.z - 1.0) + frame.studio_sh[7].rgb * (n.x * n.z)
        + frame.studio_sh[8].rgb * (n.x * n.x - n.y * n.y);
    let rim = panel_diffuse(dot(n, frame.panels[RIM].axis), frame.panels[RIM].sin_radius);
    let counter_rim = panel_diffuse(dot(n, frame.panels[COUNTER_RIM].axis), frame.panels[COUNTER_RIM].sin_radius);
    return max(irradiance, vec3f()) + frame.panels[RIM].radiance * (frame.panels[RIM].sin_radius * frame.panels[RIM].sin_radius * rim) + frame.panels[COUNTER_RIM].radiance * (frame.panels[COUNTER_RIM].sin_radius * frame.panels[COUNTER_RIM].sin_radius * counter_rim);
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
    let inside = saturate((cosine - outer) / (inner - outer));
    return inside * inside * (3.0 - 2.0 * inside) * (1.0 - cos_radius) / (1.0 - 0.5 * (outer + inner));
}

// The mean radiance that a lobe of reflection around `r` receives from the whole studio. `alpha` is the square of the roughness.
fn studio_specular(r: vec3f, alpha: f32) -> vec3f {
    let lobe = lobe_of(alpha);
    var radiance = mix(frame.ground, frame.sky, r.y * 0.5 + 0.5);
    for (var index = 0u; index < PANELS; index++) {
        let panel = frame.panels[index];
        radiance += panel.radiance * widened_panel(dot(r, panel.axis), panel.cos_radius, panel.sin_radius, lobe);
    }
    return radiance;
}

// The diffuse light of the studio that arrives, irradiance over pi. `open` 0..1: the part of the dome that nothing blocks.
fn studio_light(in_world: vec3f, normal: vec3f, open: f32) -> vec3f {
    if REFINED {
        return studio_diffuse(normal) - blocked_studio_light(in_world, normal);
    }
    return studio_diffuse(normal) * open;
}
