//! Functions of the shaders that need no bindings, computed on the software adapter and compared with what must hold
//! for them.

use std::f32::consts::{PI, TAU};

use glam::{Mat3, Vec3, Vec4};

use crate::render::shaders;
use smirk_graphics::gpu::{Gpu, Prefer};

/// The values of a WGSL expression of `inputs[index]`, a `vec4f`, for each input.
fn values(expression: &str, inputs: &[Vec4]) -> Vec<Vec4> {
    let gpu = Gpu::headless(Prefer::Software).unwrap();
    let measure = format!(
        "@group(0) @binding(100) var<storage, read> inputs: array<vec4f>;
        @group(0) @binding(101) var<storage, read_write> outputs: array<vec4f>;
        @compute @workgroup_size(64) fn measure(@builtin(global_invocation_id) id: vec3u) {{
            if id.x < arrayLength(&inputs) {{
                let input = inputs[id.x];
                outputs[id.x] = {expression};
            }}
        }}"
    );
    let source = [shaders::surface_from_buffer(false), measure].join("\n");
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("measure"),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("measure"),
        layout: None,
        module: &module,
        entry_point: Some("measure"),
        compilation_options: Default::default(),
        cache: None,
    });
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let bytes: Vec<u8> = inputs.iter().flat_map(|input| input.to_array()).flat_map(f32::to_le_bytes).collect();
    let [input, output] = ["inputs", "outputs"].map(|label| gpu.filled_buffer(label, &bytes, usage));
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("measure"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 100, resource: input.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 101, resource: output.as_entire_binding() },
        ],
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((inputs.len() as u32).div_ceil(64), 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    let read = gpu.read_buffer(&output).unwrap();
    let floats: Vec<f32> = read.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    floats.as_chunks::<4>().0.iter().map(|value| Vec4::from_array(*value)).collect()
}

/// Directions that are spread evenly over the sphere.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |index| {
        let z = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
        let around = TAU * (index as f32 * 0.618_034).fract();
        let radius = (1.0 - z * z).sqrt();
        Vec3::new(radius * around.cos(), radius * around.sin(), z)
    })
}

#[test]
fn white_hair_in_even_light_returns_no_more_than_arrives() {
    const COUNT: usize = 4096;
    for to_eye in [Vec3::Y, Vec3::new(0.0, 0.8, 0.6), Vec3::new(0.0, 0.3, 0.954)] {
        let eye = format!("vec3f({:?}, {:?}, {:?})", to_eye.x, to_eye.y, to_eye.z);
        let expression =
            format!("vec4f(hair_bands(vec3f(1.0), vec3f(0.0, 0.0, 1.0), 0.0, {eye}, input.xyz, 0.1), 0.0)");
        let lights: Vec<Vec4> = directions(COUNT).map(|direction| direction.extend(0.0)).collect();
        let sum: f32 = values(&expression, &lights).iter().map(|value| value.x).sum();
        // The functions of reflection are multiplied with pi.
        let albedo = sum * 4.0 * PI / COUNT as f32 / PI;
        assert!((0.3..1.0).contains(&albedo), "{to_eye}: {albedo}");
    }
}

#[test]
fn bands_of_hair_depend_on_the_strand_alone_and_not_on_how_the_head_is_turned() {
    let expression = "vec4f(hair_bands(vec3f(0.3, 0.2, 0.1), normalize(inputs[id.x / 3u * 3u].xyz), 0.02,
        normalize(inputs[id.x / 3u * 3u + 1u].xyz), normalize(inputs[id.x / 3u * 3u + 2u].xyz), 0.2), 0.0)";
    let vectors = [Vec3::new(0.2, 0.9, 0.1), Vec3::new(0.1, 0.2, 1.0), Vec3::new(-0.5, 0.7, 0.6)];
    let turned = |matrix: Mat3| vectors.map(|vector| (matrix * vector).extend(0.0));
    let turns = [Mat3::IDENTITY, Mat3::from_rotation_x(1.1), Mat3::from_rotation_y(2.0) * Mat3::from_rotation_z(0.7)];
    let found = values(expression, &turns.map(turned).concat());
    assert!(found[0].x > 0.0);
    assert!(found.iter().all(|value| value.abs_diff_eq(found[0], 1e-4)), "{found:?}");
}

#[test]
fn pores_are_smooth_pits_and_their_gradient_is_that_of_their_height() {
    const STEP: f32 = 1e-3;
    let places: Vec<Vec4> = directions(300).map(|direction| (direction * 3.7).extend(0.0)).collect();
    let pits =
        |offset: Vec3| values("pits(input.xyz)", &places.iter().map(|at| *at + offset.extend(0.0)).collect::<Vec<_>>());
    let here = pits(Vec3::ZERO);
    assert!(here.iter().all(|pit| (-1.6..=0.0).contains(&pit.x)), "pits are below the surface");
    assert!(here.iter().any(|pit| pit.x < -0.2) && here.iter().any(|pit| pit.x > -1e-3), "some places have none");
    for axis in 0..3 {
        let offset = Vec3::AXES[axis] * STEP;
        for ((more, less), pit) in pits(offset).iter().zip(pits(-offset)).zip(&here) {
            let slope = (more.x - less.x) / (2.0 * STEP);
            assert!((slope - pit[axis + 1]).abs() < 0.02, "{slope} is not {}", pit[axis + 1]);
        }
    }
}

/// The slopes of a function of a place, `vec4f(height, gradient)`, compared with differences of its heights: the part
/// of them that differs.
fn share_of_wrong_slopes(function: &str) -> f32 {
    const STEP: f32 = 1e-3;
    let places: Vec<Vec4> = directions(400).map(|direction| (direction * 5.3).extend(0.0)).collect();
    let at = |offset: Vec3| values(function, &places.iter().map(|at| *at + offset.extend(0.0)).collect::<Vec<_>>());
    let here = at(Vec3::ZERO);
    let mut wrong = 0;
    for axis in 0..3 {
        let offset = Vec3::AXES[axis] * STEP;
        for ((more, less), found) in at(offset).iter().zip(at(-offset)).zip(&here) {
            wrong += usize::from(((more.x - less.x) / (2.0 * STEP) - found[axis + 1]).abs() > 0.05);
        }
    }
    wrong as f32 / (3 * places.len()) as f32
}

#[test]
fn the_relief_of_skin_has_the_slopes_of_its_height() {
    assert_eq!(share_of_wrong_slopes("undulation(input.xyz)"), 0.0);
    assert_eq!(share_of_wrong_slopes("cells_of_skin(input.xyz).pores"), 0.0);
    // Where the second plateau changes, a furrow has an edge.
    assert!(share_of_wrong_slopes("cells_of_skin(input.xyz).furrows") < 0.02);
}

#[test]
fn relief_that_is_too_fine_for_a_pixel_makes_highlights_as_wide_as_its_slopes_do() {
    const COUNT: usize = 60_000;
    let places: Vec<Vec4> = directions(COUNT).map(|direction| (direction * 60.0).extend(0.0)).collect();
    for (function, number) in [
        ("cells_of_skin(input.xyz).furrows", "FURROW_SLOPE_SQUARED"),
        ("cells_of_skin(input.xyz).pores", "WIDE_PORE_SLOPE_SQUARED"),
        ("undulation(input.xyz)", "UNDULATION_SLOPE_SQUARED"),
    ] {
        // The slope across the surface of the ball on which the places are.
        let slope = |(place, found): (&Vec4, Vec4)| {
            let (outwards, gradient) = (place.truncate() / 60.0, Vec3::new(found.y, found.z, found.w));
            f64::from((gradient - outwards * gradient.dot(outwards)).length_squared())
        };
        let mean = places.iter().zip(values(function, &places)).map(slope).sum::<f64>() / COUNT as f64;
        let stated = f64::from(values(&format!("input * 0.0 + vec4f({number})"), &places[..1])[0].x);
        assert!((mean / stated - 1.0).abs() < 0.05, "{number} is {stated} and should be {mean}");
    }
}

#[test]
fn a_slope_bends_the_normal_away_from_its_rise_at_any_scale_and_on_either_side() {
    // One pixel is `input.x` world units and 0.1 mm wide; y runs down on the screen.
    let expression = "vec4f(bent_by_height(vec3f(0.0, 0.0, 1.0), vec3f(0.5, 0.25, 0.0), Steps(
        vec3f(input.x, 0.0, 0.0), vec3f(0.0, -input.x, 0.0) * input.y, vec3f(0.1, 0.0, 0.0), vec3f(0.0, -0.1, 0.0) * input.y,
        vec2f(), vec2f())), 0.0)";
    let inputs = [1e-4_f32, 0.1, 20.0].map(|scale| [1.0, -1.0].map(|side| Vec4::new(scale, side, 0.0, 0.0))).concat();
    let wanted = Vec3::new(-0.5, -0.25, 1.0).normalize_or(Vec3::Z);
    for normal in values(expression, &inputs) {
        assert!(normal.truncate().abs_diff_eq(wanted, 1e-3), "{normal} is not {wanted}");
    }
}
