// The irradiance of a surface with normal `n` by a panel, over pi. It is smooth where the panel sets behind the horizon.
fn panel_diffuse(panel: Panel, n: vec3f) -> vec3f {
    let cosine = dot(n, panel.axis);
    let above = clamp(cosine + panel.sin_radius, 0.0, 2.0 * panel.sin_radius);
    return panel.irradiance * (above * above * panel.per_four_sines + max(cosine - panel.sin_radius, 0.0));
}
