// The studio around the head: all light but the key, as `render/light/studio.rs` defines it.

// The irradiance of a surface with normal `n` by the whole studio, divided by pi, without shadows (R. Ramamoorthi and
// P. Hanrahan, "An efficient representation for irradiance environment maps", 2001).
fn studio_diffuse(n: vec3f) -> vec3f {
    let irradiance = frame.studio_sh[0].rgb
        + frame.studio_sh[1].rgb * n.y + frame.studio_sh[2].rgb * n.z + frame.studio_sh[3].rgb * n.x
        + frame.studio_sh[4].rgb * (n.x * n.y) + frame.studio_sh[5].rgb * (n.y * n.z)
        + frame.studio_sh[6].rgb * (3.0 * n.z * n.z - 1.0) + frame.studio_sh[7].rgb * (n.x * n.z)
        + frame.studio_sh[8].rgb * (n.x * n.x - n.y * n.y);
    return max(irradiance, vec3f());
}

// The mean radiance that a lobe of reflection around `r` receives from the whole studio. `alpha` is the square of the roughness.
// The edge of each panel is widened by the lobe, and the panel is dimmed so that it brings as much light as before.
fn studio_specular(r: vec3f, alpha: f32) -> vec3f {
    // Sine and cosine of the angle by which edges are widened, from the tangent of half of it. The half-width of a lobe of GGX is
    // about 1.1 alpha.
    let half_tangent = 0.01 + 0.55 * alpha;
    let scale = 1.0 / (1.0 + half_tangent * half_tangent);
    let sine = 2.0 * half_tangent * scale;
    let cosine = 2.0 * scale - 1.0;
    var radiance = mix(frame.ground, frame.sky, r.y * 0.5 + 0.5);
    for (var index = 0u; index < PANELS; index++) {
        let panel = frame.panels[index];
        let across = panel.sin_radius * sine;
        let along = panel.cos_radius * cosine;
        let outer = along - across;
        // Where the lobe is wider than the panel, nothing of the panel's middle stays as bright.
        let inner = min(along + across, 1.0);
        let inside = saturate((dot(r, panel.axis) - outer) / (inner - outer));
        let dimmed = (1.0 - panel.cos_radius) / (1.0 - 0.5 * (outer + inner));
        radiance += panel.radiance * (inside * inside * (3.0 - 2.0 * inside) * dimmed);
    }
    return radiance;
}
