// The bindings that all draws of a picture share: the camera, the lights, the background, and the shadow map.

// Smirk's own key light.
struct Light {
    // Unit vector in world space.
    direction_to_light: vec3f,
    // 0..1: the fraction of the light that a shadow removes.
    shadow: f32,
    // Linear RGB times intensity.
    radiance: vec3f,
    _pad: f32,
}

// A light of the head's file (KHR_lights_punctual), scaled to the brightness of Smirk's own lights.
struct FileLight {
    // In world space.
    position: vec3f,
    // 1 for a directional light, which has no position.
    is_directional: u32,
    // Linear RGB; for a light with a position, that at distance 1.
    radiance: vec3f,
    // 1 / the world distance at which the light ends; 0 if it has no limit.
    inverse_range: f32,
    // Unit vector in world space: the direction in which the light shines.
    direction: vec3f,
    // A spot's brightness is saturate(cosine * cone_scale + cone_offset), squared.
    cone_scale: f32,
    cone_offset: f32,
    // At world distances below this one, the brightness of the light no longer increases.
    nearest: f32,
}

// A round area light at infinity; fill, rim, counter-rim and top light of the studio.
struct Panel {
    // Unit vector in world space, towards the middle of the panel.
    axis: vec3f,
    // Cosine and sine of the panel's angular radius.
    cos_radius: f32,
    // Linear RGB.
    radiance: vec3f,
    sin_radius: f32,
    // Of a surface that faces the panel, over pi.
    irradiance: vec3f,
    // 1 / (4 sin_radius).
    per_four_sines: f32,
}

// `Studio` in `render/light/studio.rs` has the same numbers.
const PANELS: u32 = 4u;
const FILL: u32 = 0u;
const RIM: u32 = 1u;
const COUNTER_RIM: u32 = 2u;
const TOP: u32 = 3u;

// A direction from which light of the studio comes in one sample of an accumulated picture.
struct Dome {
    // Clip space of the depth map of the head as seen from there.
    map_from_world: mat4x4f,
    // Unit vector in world space.
    direction_to_light: vec3f,
    // The size of one texel of the map in world units.
    texel: f32,
    // Linear RGB: what the direction brings to a surface that faces it, irradiance over pi.
    irradiance: vec3f,
    // The world distance of depths 0 and 1 of the map.
    depth_range: f32,
}

const DOMES: u32 = 2u;

const FILE_LIGHTS: u32 = 8u;

// No vertex stage branches by a uniform value alone, be it one of these or of another buffer. Mesa's software adapter (22.3) builds
// such a stage anew for each picture, with the values in place of the uniforms, and never frees it. A test in src/picture/render/shaders
// looks for such branches.
struct Frame {
    projection_from_world: mat4x4f,
    // Clip space of the light; xy -1..1 over the shadow map, z 0..1.
    shadow_from_world: mat4x4f,
    eye_in_world: vec3f,
    // 0..1, how far light wraps around the surface.
    softness: f32,
    key: Light,
    // Ambient light from above and from below, linear RGB.
    sky: vec3f,
    // A factor of all highlights.
    gloss: f32,
    ground: vec3f,
    // A factor of all light: 2 to the power of the stops.
    exposure: f32,
    // The colour of the background at its brightest, linear RGB.
    background: vec3f,
    // The width of the picture divided by its height.
    aspect: f32,
    // The irradiance by the studio without rim and counter-rim; see `studio_diffuse`.
    studio_sh: array<vec4f, 9>,
    // The irradiance by the directions that are drawn in all samples of this picture together, if nothing is blocked.
    drawn_sh: array<vec4f, 9>,
    panels: array<Panel, PANELS>,
    domes: array<Dome, DOMES>,
    // The middle of the head in world space.
    head_center: vec3f,
    // The number of `domes` in use; 0 in a preview.
    dome_count: u32,
    // The head's size: millimetres of a human head per world unit.
    millimetres_per_unit: f32,
    // The size of one texel of the shadow map in world units.
    shadow_texel: f32,
    // The smallest world distance behind a surface at which a point is in its shadow.
    shadow_slack: f32,
    // The number of lights in `file_lights`; 0 if Smirk's own lights are used.
    file_light_count: u32,
    // TONE_AGX or TONE_NEUTRAL.
    tone: u32,
    // 0..1: how far the mouth is open.
    mouth_open: f32,
    // How cards of lashes without a texture are drawn: one of the LASHES_ constants.
    lashes: u32,
    // 1 if plain eyes are drawn with an iris, else 0.
    gives_iris: f32,
    // The pixel of the picture that is the first of the image that is drawn into; not 0 in a tile of a large picture.
    first_pixel: vec2f,
    // Width and height of the whole picture in pixels.
    picture_size: vec2f,
    // 1 if the background is drawn, 0 if the picture is transparent where no part of the head covers it.
    background_cover: f32,
    // 1 if the colours of vertices are shown, 0 if they are ignored.
    vertex_color_amount: f32,
    // The height of what the picture shows at distance 1 along the view, in world units.
    view_height: f32,
    // The brightness of the ambient light, which toon shading takes as the same from everywhere.
    ambient: f32,
    // The direction to the middle of the key light, also in a sample of an accumulated picture.
    to_middle_of_key: vec3f,
    file_lights: array<FileLight, FILE_LIGHTS>,
}

// [1]: one struct per picture.
@group(0) @binding(0) var<uniform> frame: Frame;
// [row][column]: depth as seen from the key light, 0 near .. 1 far.
@group(0) @binding(1) var shadow_map: texture_depth_2d;
// Compares depths, then interpolates 2x2 results.
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
// [dome][row][column]: depth as seen from there.
@group(0) @binding(3) var dome_maps: texture_depth_2d_array;
