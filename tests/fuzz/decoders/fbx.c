// Fuzzes ufbx, which reads FBX, with the options of `src/files/import/fbx/scene.rs` and the calls of `animation.rs` beside it. The source of
// the decoder is part of this file, so that clang's sanitizers watch all of it.
#include "ufbx.c"

static ufbx_allocator_opts limited(size_t bytes) {
    ufbx_allocator_opts options = {.memory_limit = bytes};
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    size_t limit = (16 << 20) + 16 * size;
    ufbx_load_opts options = {
        .temp_allocator = limited(limit),
        .result_allocator = limited(limit),
        .target_axes = ufbx_axes_right_handed_y_up,
        .target_unit_meters = 1.0,
        .space_conversion = UFBX_SPACE_CONVERSION_ADJUST_TRANSFORMS,
        .geometry_transform_handling = UFBX_GEOMETRY_TRANSFORM_HANDLING_HELPER_NODES,
        .inherit_mode_handling = UFBX_INHERIT_MODE_HANDLING_COMPENSATE,
        .geometry_transform_helper_name = {"geometry", 8},
        .scale_helper_name = {"scale", 5},
        .generate_missing_normals = true,
        .index_error_handling = UFBX_INDEX_ERROR_HANDLING_NO_INDEX,
        .use_blender_pbr_material = true,
    };
    ufbx_scene *scene = ufbx_load_memory(bytes, size, &options, NULL);
    if (!scene) {
        return 0;
    }
    for (size_t stack = 0; stack < scene->anim_stacks.count; stack++) {
        const ufbx_anim *anim = scene->anim_stacks.data[stack]->anim;
        ufbx_bake_opts bake = {
            .temp_allocator = limited(limit),
            .result_allocator = limited(limit),
            .resample_rate = 30.0,
            .key_reduction_enabled = true,
            .key_reduction_rotation = true,
        };
        ufbx_free_baked_anim(ufbx_bake_anim(scene, anim, &bake, NULL));
        for (size_t channel = 0; channel < scene->blend_channels.count; channel++) {
            ufbx_evaluate_blend_weight(anim, scene->blend_channels.data[channel], 0.5);
        }
    }
    ufbx_free_scene(scene);
    return 0;
}
