// Eyes: the cornea refracts the iris, and reflects the key light as a soft box. Positions at rest are in millimetres; they turn with
// the eyeball.

// The eyeballs of the head.
struct Eyes {
    // The centre of the eyeball with the smaller x, at rest.
    right: vec3f,
    // 0 if the eyeballs are not known.
    radius: f32,
    // The centre of the eyeball with the larger x, at rest.
    left: vec3f,
    // The sine of the angle between the axis and the edge of the iris; 0 if it is not known.
    iris_sine: f32,
    // The optical axis at rest, unit length: of both eyes, as if they looked at something far away.
    forward: vec3f,
    // 1 if a transparent cornea lies before the eyeballs, and reflects in their place.
    has_cornea: f32,
    // The colours of the irises of plain eyes, linear RGB.
    right_iris: vec3f,
    // 1 / the distance in millimetres of what eyes look at to which the shader gives an iris; 0 if the file has one.
    convergence: f32,
    left_iris: vec3f,
}

// The index of refraction of the aqueous humour and the cornea.
const INDEX_OF_EYE: f32 = 1.336;
// The reflectance of the film of tears at normal incidence.
const TEARS_F0: f32 = 0.025;
// The radius of an eyeball divided by that of the cornea, which is more curved.
const CORNEA_CURVATURE: f32 = 1.5;
// The depth of the iris below the top of the cornea, divided by the radius of the iris.
const IRIS_DEPTH: f32 = 0.5;
// The luminance of the sclera is reduced to this: living eyes are darker than paper.
const SCLERA_LUMINANCE: f32 = 0.4;
// The luminance at which an iris is shown half as bright as in its file, and how much is left of the purity of its colour.
const IRIS_LUMINANCE: f32 = 0.2;
const IRIS_PURITY: f32 = 0.75;

// A point on an eyeball.
struct OnEye {
    // From the axis, in millimetres; perpendicular to it.
    from_axis: vec3f,
    // 0 at the axis, 1 at the edge of the iris; large if the eyeballs are not known.
    reach: f32,
    // The sine of the angle to the axis.
    sine: f32,
    is_left: bool,
    // On the front of the eyeball, and not inside or behind it.
    is_before: bool,
}

fn on_eye(at_rest: vec3f) -> OnEye {
    let eyes = material.eyes;
    let from_right = at_rest - eyes.right;
    let from_left = at_rest - eyes.left;
    let is_left = dot(from_left, from_left) < dot(from_right, from_right);
    let from_center = select(from_right, from_left, is_left);
    let to_middle = select(0.5, -0.5, is_left) * (eyes.left - eyes.right);
    let converging = eyes.forward + to_middle * eyes.convergence;
    let axis = converging * inverseSqrt(max(dot(converging, converging), 1e-30));
    let along = dot(from_center, axis);
    let from_axis = from_center - axis * along;
    // The inside and the back of an eyeball are seen through holes in the iris, and continue it.
    let sine = length(from_axis) / max(eyes.radius, 1e-3);
    let is_known = eyes.radius * eyes.iris_sine > 0.0;
    return OnEye(from_axis, select(100.0, sine / max(eyes.iris_sine, 1e-3), is_known), sine, is_left,
        along > 0.0 && dot(from_center, from_center) > 0.7 * eyes.radius * eyes.radius);
}

// Where the ray from the eye of the viewer meets the iris below the cornea, in pixels from the fragment.
fn refracted(at_rest: vec3f, normal: vec3f, to_eye: vec3f, steps: Steps) -> vec2f {
    let on = on_eye(at_rest);
    let height = 1.0 - on.reach * on.reach;
    if height <= 0.0 || !on.is_before {
        return vec2f();
    }
    let depth = IRIS_DEPTH * material.eyes.iris_sine * material.eyes.radius * height * world_per_mm(steps);
    let bent = refract(-to_eye, normal, 1.0 / INDEX_OF_EYE);
    let way = bent * (depth / max(-dot(bent, normal), 0.3));
    return pixels_along(way, steps.across_in_world, steps.down_in_world);
}

// 0..1, periodic: `angle` is 0..1 for a full turn.
fn fibres(angle: f32, count: f32, seed: f32) -> f32 {
    let place = angle * count;
    let cell = floor(place);
    let part = place - cell;
    let here = random_of_cell(vec3f(cell, seed, 7.0)).x;
    let next = random_of_cell(vec3f((cell + 1.0) % count, seed, 7.0)).x;
    return mix(here, next, part * part * (3.0 - 2.0 * part));
}

// 0 where the inside of an eyeball is seen, through a hole in the iris, which is a pupil and therefore black; 1 elsewhere. The steps
// show to which side of the surface the viewer is.
fn outside_of_eye(at_rest: vec3f, steps: Steps) -> f32 {
    let eyes = material.eyes;
    let from_right = at_rest - eyes.right;
    let from_left = at_rest - eyes.left;
    let from_center = select(from_right, from_left, dot(from_left, from_left) < dot(from_right, from_right));
    let seen = dot(cross(steps.down_at_rest, steps.across_at_rest), from_center);
    return select(1.0, 0.0, seen < 0.0 && eyes.radius > 0.0);
}

// The colour of the surface of an eye: the colour of the file, with the dark ring at the edge of the iris; on plain eyes with the
// fibres of an iris, and an iris where the file has none.
fn eye_color(file_color: vec3f, on: OnEye) -> vec3f {
    var color = file_color;
    let reach = on.reach;
    let in_iris = 1.0 - smoothstep(0.93, 1.07, reach);
    if PLAIN {
        let side = normalize(cross(vec3f(0.0, 1.0, 0.0), material.eyes.forward));
        let angle = atan2(dot(on.from_axis, cross(material.eyes.forward, side)), dot(on.from_axis, side)) * 0.15915494 + 0.5;
        let fine = fibres(angle, 90.0, floor(reach * 1.6));
        let coarse = fibres(angle, 23.0, 3.0);
        let pattern = mix(0.62, 1.35, fine * 0.55 + coarse * 0.45) * mix(1.15, 0.9, smoothstep(0.35, 0.9, reach));
        // The iris has the colour of the file, less pure than a single colour is chosen, and is brown around the pupil.
        let own = select(material.eyes.right_iris, material.eyes.left_iris, on.is_left);
        let outer = mix(vec3f(dot(own, vec3f(0.2126, 0.7152, 0.0722))), own, 0.55) * 0.8;
        let inner = mix(outer, vec3f(0.19, 0.105, 0.045), 0.6);
        let iris = mix(inner, outer, smoothstep(0.36, 0.66, reach + 0.2 * (coarse - 0.5))) * pattern;
        let pupil = smoothstep(0.29, 0.34, reach);
        let whole = mix(vec3f(0.8, 0.77, 0.74), iris * pupil, in_iris);
        color = mix(color, whole, frame.gives_iris * f32(reach < 50.0));
    }
    let luminance = dot(color, vec3f(0.2126, 0.7152, 0.0722));
    let sclera = 1.0 - in_iris;
    // An iris lies in the shade of its own bowl; colours that are chosen or photographed without it are too bright and too pure.
    let iris_color = mix(vec3f(luminance), color, IRIS_PURITY) * (IRIS_LUMINANCE / (IRIS_LUMINANCE + luminance));
    color = mix(color, iris_color, in_iris * f32(reach < 50.0));
    // The sclera: less bright than paper.
    color *= mix(1.0, min(1.0, SCLERA_LUMINANCE / max(luminance, 1e-3)), sclera);
    // The iris darkens towards the limbus, where it becomes the sclera without an edge.
    color *= 1.0 - 0.6 * smoothstep(0.62, 0.97, reach) * (1.0 - smoothstep(0.97, 1.25, reach));
    // Towards the corners, the sclera is redder and lies deeper between the lids.
    let corner = smoothstep(0.5, 0.76, on.sine) * sclera * f32(material.eyes.radius > 0.0);
    color *= mix(vec3f(1.0), vec3f(0.66, 0.46, 0.41), corner);
    return color;
}

// The reflection of the key light, a square soft box with round corners, in a smooth surface: 0..1. `reflected`: unit length.
fn catchlight(reflected: vec3f) -> f32 {
    let to_light = frame.key.direction_to_light;
    let side = normalize(cross(vec3f(0.0, 1.0, 0.0), to_light) + vec3f(1e-4, 0.0, 0.0));
    let up = cross(to_light, side);
    let before = dot(reflected, to_light);
    let place = abs(vec2f(dot(reflected, side), dot(reflected, up))) / max(before, 0.05);
    let outside = length(max(place - vec2f(0.115), vec2f())) - 0.05;
    let width = max(fwidth(outside), 0.012);
    return saturate(0.5 - outside / width) * f32(before > 0.0);
}

// The share of the light that the brow and the upper lid leave to the eyeball: they stand out over its upper half.
fn below_upper_lid(normal: vec3f) -> f32 {
    return 1.0 - 0.8 * smoothstep(0.0, 0.42, normal.y);
}

// The light that an eye reflects. `ambient_occlusion`: 0..1.
fn shade_eye(sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, at_rest: vec3f, steps: Steps, ambient_occlusion: f32) -> Reflected {
    let on = on_eye(at_rest);
    let in_iris = 1.0 - smoothstep(0.85, 1.05, on.reach);
    // The direction away from the axis along the surface, in world space; its length is the sine of the angle to the axis.
    let pixels = pixels_along(on.from_axis, steps.across_at_rest, steps.down_at_rest);
    let outward = steps.across_in_world * pixels.x + steps.down_in_world * pixels.y;
    let flat = outward - normal * dot(outward, normal);
    let outward_part = flat * (on.sine * inverseSqrt(max(dot(flat, flat), 1e-30)) * f32(on.reach < 50.0));
    let shadowed = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    let lid = below_upper_lid(normal);
    // The iris is a bowl behind the cornea: the side away from the light is the bright one.
    let bowl = normalize(normal - outward_part * (1.7 * in_iris));
    let wrap = mix(0.25, 0.1, in_iris);
    let n_dot_l = (dot(bowl, frame.key.direction_to_light) + wrap) / ((1.0 + wrap) * (1.0 + wrap));
    // The studio comes from before the eye, and not from the lids around it.
    var diffuse = frame.key.radiance * (shadowed * saturate(n_dot_l)) * mix(lid, 1.0, 0.2)
        + studio_light(in_world, normal, studio_diffuse(normal), ambient_occlusion * sampled.occlusion) * lid
        + light_from_flesh(ambient_occlusion);
    var light = Reflected(vec3f(), sampled.color.rgb * diffuse + sampled.emissive, vec3f());
    if HAS_FILE_LIGHTS {
        let from_file = light_from_file(sampled, vec3f(wrap), in_world, bowl, to_eye);
        light.diffuse += sampled.color.rgb * from_file.irradiance;
        light.specular += from_file.specular;
    }
    // The cornea is more curved than the eyeball, so that what it reflects is smaller.
    let cornea = normalize(normal + outward_part * ((CORNEA_CURVATURE - 1.0) * in_iris));
    light.specular += tears(in_world, cornea, to_eye, shadowed, lid * ambient_occlusion) * (1.0 - material.eyes.has_cornea);
    return light;
}

// What a film of tears reflects. `shadowed`: the part of the key light that arrives; `open`: that of the studio.
fn tears(in_world: vec3f, normal: vec3f, to_eye: vec3f, shadowed: f32, open: f32) -> vec3f {
    let reflected = reflect(-to_eye, normal);
    let grazing = 1.0 - saturate(dot(normal, to_eye));
    let grazing_squared = grazing * grazing;
    let fresnel = TEARS_F0 + (1.0 - TEARS_F0) * grazing_squared * grazing_squared * grazing;
    // The radiance of the box: it is about 0.1 steradians large.
    let box = frame.key.radiance * (48.0 * catchlight(reflected));
    var arrives = open;
    if REFINED {
        arrives *= mirror_visibility(in_world, normal, reflected);
    }
    return frame.gloss * fresnel * (box + studio_specular(reflected, 0.004) * arrives);
}

// A transparent cornea, or tears: nothing but reflections.
fn shade_cornea(sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, ambient_occlusion: f32) -> Reflected {
    let shadowed = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    // Rough shells before eyes are no film of tears; they stand for shadow.
    let wet = 1.0 - smoothstep(0.3, 0.7, sampled.roughness);
    return Reflected(vec3f(), vec3f(), wet * tears(in_world, normal, to_eye, shadowed, below_upper_lid(normal) * ambient_occlusion));
}
