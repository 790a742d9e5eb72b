// What crosses something, drawn in front of what hides it: most intersections are inside the mouth.

// So deep below another surface, in millimetres, they are seen: the back of the head hides the mouth.
const SEEN_THROUGH_MM: f32 = 40.0;

struct IntersectionFragment {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

// A `Sample` with the depth.
struct IntersectionSample {
    @location(0) scattered: vec4f,
    @location(1) other: vec4f,
    @location(2) skin_color: vec4f,
    @location(3) untoned: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn intersection_fragment(surface: ViewSurface, @builtin(front_facing) is_front: bool) -> IntersectionFragment {
    return IntersectionFragment(vec4f(view_color(surface, is_front), 1.0), intersection_depth(surface));
}

@fragment
fn sample_intersection_fragment(surface: ViewSurface, @builtin(front_facing) is_front: bool) -> IntersectionSample {
    let color = vec4f(view_color(surface, is_front), 1.0);
    return IntersectionSample(vec4f(), vec4f(), vec4f(), color, intersection_depth(surface));
}

fn intersection_depth(surface: ViewSurface) -> f32 {
    let to_eye = frame.eye_in_world - surface.in_world;
    // Never behind the eye.
    let part = min(SEEN_THROUGH_MM / max(frame.millimetres_per_unit * length(to_eye), 1e-30), 0.5);
    let nearer = frame.projection_from_world * vec4f(surface.in_world + to_eye * part, 1.0);
    return select(surface.position.z, nearer.z / nearer.w, surface.value_and_alpha.x > 0.5);
}
