// The irradiance of a surface with normal `n` by a panel, over pi. It is smooth where the panel sets behind the horizon.
fn panel_diffuse(panel: Panel, n: vec3f) -> vec3f {
    let cosine = dot(n, panel.axis);
    let above = clamp(cosine + panel.sin_radius, 0.0, 2.0 * panel.sin_radius);
    return panel.irradiance * (above * above * panel.per_four_sines + max(cosine - panel.sin_radius, 0.0));
}

// The light of avatars besides the key: it reaches a surface with normal `n` from everywhere, irradiance over pi.
fn light_from_everywhere(n: vec3f) -> vec3f {
    return vec3f(frame.ambient) + panel_diffuse(frame.panels[FILL], n)
        + panel_diffuse(frame.panels[RIM], n) + panel_diffuse(frame.panels[COUNTER_RIM], n);
}
