// What varies slowly over a surface: computed for its vertices and not for its fragments where time is short. A software adapter shades
// several times as many fragments as a dense mesh has vertices, because it shades blocks of pixels of which a small triangle covers a
// few, and every uniform that a fragment reads costs it as much as several operations.

// Only in a preview, and only where there is no time for pores. The vertices of surfaces with two sides, and of those that are
// shaded with the normals of their triangles, do not know the normal of the fragments.
override BY_VERTEX: bool = !REFINED && !PORES && !DOUBLE_SIDED && !FLAT && !SHOWN_AS_IT_IS && !CLEARCOAT && ROLE != ROLE_EYE && ROLE != ROLE_CORNEA;
// Skin mirrors the studio by vertex as well: its roughness, which blurs what it mirrors, is nearly the same everywhere.
override MIRRORS_BY_VERTEX: bool = BY_VERTEX && ROLE == ROLE_SKIN;

struct Slow {
    // See `studio_diffuse`.
    studio: vec3f,
    // See `skin_gloss`.
    gloss: vec3f,
    // See `place_in_shadow_map`.
    in_shadow_map: vec3f,
    // See `mirrored_studio`.
    mirrored: vec4f,
}

// Adds the slow parts to a vertex whose other members are set.
fn with_slow_parts(vertex: Surface) -> Surface {
    var surface = vertex;
    let normal = surface.normal;
    surface.studio = studio_diffuse(normal);
    surface.in_shadow_map = place_in_shadow_map(surface.in_world, normal);
    if ROLE == ROLE_SKIN {
        surface.gloss = skin_gloss(surface.at_rest);
        let reflected = reflect(normalize(surface.in_world - frame.eye_in_world), normal);
        surface.mirrored = mirrored_studio(surface.in_world, reflected, skin_roughness(material.roughness));
        if PLAIN {
            surface.color *= vec4f(blood_tint(surface.at_rest), 1.0);
        }
    }
    return surface;
}
