//! The light of the studio, compared with numeric integration.

use glam::{Vec3, vec3};

use super::*;

/// A studio with the panels of the default look, brighter ambient light, and panels that overlap.
fn studios() -> [Studio; 3] {
    let look = Look::default();
    let overlapping = Look { fill: look.rim, ambient: 0.3, ..look };
    [
        Studio::new(&look, LitBy::Smirk),
        Studio::new(&overlapping, LitBy::Smirk),
        Studio::new(&Look { ambient: 0.4, ..look }, LitBy::File),
    ]
}

/// Directions evenly over the sphere, on a spiral.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    let golden = PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |index| {
        let y = 1.0 - (2.0 * index as f32 + 1.0) / count as f32;
        let (sin, cos) = (golden * index as f32).rem_euclid(TAU).sin_cos();
        let radius = (1.0 - y * y).sqrt();
        vec3(cos * radius, y, sin * radius)
    })
}

const MANY: usize = 100_000;

/// The integral over the sphere.
fn integral(of: impl Fn(Vec3) -> Vec3) -> Vec3 {
    directions(MANY).map(of).sum::<Vec3>() * (2.0 * TAU / MANY as f32)
}

fn irradiance(studio: &Studio, normal: Vec3) -> Vec3 {
    integral(|direction| studio.radiance(direction) * direction.dot(normal).max(0.0)) / PI
}

/// The same studio without rim and counter-rim, which are no part of the harmonics.
fn without_rims(studio: &Studio) -> Studio {
    let mut large = *studio;
    large.panels[Studio::RIM].radiance = [0.0; 3];
    large.panels[Studio::COUNTER_RIM].radiance = [0.0; 3];
    large
}

/// `studio_diffuse` of `studio.wgsl`.
fn studio_diffuse(studio: &Studio, n: Vec3) -> Vec3 {
    let rims = [Studio::RIM, Studio::COUNTER_RIM].map(|index| {
        let panel = &studio.panels[index];
        let (cosine, sine) = (panel.axis().dot(n), panel.sin_radius);
        let above = (cosine + sine).clamp(0.0, 2.0 * sine);
        Vec3::from(panel.irradiance) * (above * above * panel.per_four_sines + (cosine - sine).max(0.0))
    });
    by_harmonics(studio, n).max(Vec3::ZERO) + rims[0] + rims[1]
}

fn by_harmonics(studio: &Studio, n: Vec3) -> Vec3 {
    let basis = [1.0, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0 * n.z * n.z - 1.0, n.x * n.z, n.x * n.x - n.y * n.y];
    let coefficients = studio.spherical_harmonics();
    basis.iter().zip(coefficients.0).map(|(value, coefficient)| Vec3::from_slice(&coefficient[..3]) * *value).sum()
}

#[test]
fn harmonics_are_the_projection_of_the_large_light_sources() {
    for studio in studios().map(|studio| without_rims(&studio)) {
        for (index, coefficient) in studio.spherical_harmonics().0.into_iter().enumerate() {
            // The functions of the basis are orthogonal: each coefficient is the integral with its own function, over the
            // integral of its square, times the factor of the clamped cosine.
            let function = |n: Vec3| {
                [1.0, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0 * n.z * n.z - 1.0, n.x * n.z, n.x * n.x - n.y * n.y]
                    [index]
            };
            let cosine = [1.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 0.25, 0.25, 0.25, 0.25, 0.25][index];
            let square = integral(|direction| Vec3::splat(function(direction).powi(2))).x;
            let expected = integral(|direction| studio.radiance(direction) * function(direction)) / square * cosine;
            let actual = Vec3::from_slice(&coefficient[..3]);
            assert!((actual - expected).length() < 0.003, "{index}: {actual} is not {expected}");
        }
    }
}

#[test]
fn diffuse_light_is_that_of_the_clamped_cosine() {
    for studio in studios() {
        let brightest = directions(200).map(|normal| brightness(irradiance(&studio, normal))).fold(0.0, f32::max);
        for normal in directions(60) {
            let (expected, actual) = (irradiance(&studio, normal), studio_diffuse(&studio, normal));
            // Harmonics of order 2 describe the clamped cosine of a panel to some hundredths.
            assert!((expected - actual).abs().max_element() < 0.03 * brightest, "{normal}: {actual} is not {expected}");
        }
    }
}

#[test]
fn a_panel_brings_its_irradiance_to_a_surface_that_faces_it() {
    let panel = Panel::new(Vec3::Z, 0.5, vec3(0.7, 0.5, 0.2));
    let brought =
        integral(|direction| if panel.is_seen_at(direction) { panel.radiance() * direction.z } else { Vec3::ZERO })
            / PI;
    assert!((brought - vec3(0.7, 0.5, 0.2)).length() < 0.002, "{brought}");
}

#[test]
fn directions_drawn_by_brightness_bring_the_irradiance_of_the_studio() {
    for studio in studios() {
        const DRAWS: usize = 40_000;
        let draw = |index: usize| {
            let at = |step: f64| (0.5 + index as f64 * step).fract() as f32;
            studio.sample(at(0.754_877_666_246_693), at(0.569_840_290_998_053))
        };
        let drawn: Vec<_> = (0..DRAWS).map(draw).collect();
        let first = brightness(drawn[0].1);
        for &(direction, brought) in &drawn {
            assert!((direction.length() - 1.0).abs() < 1e-3);
            assert!((brightness(brought) / first - 1.0).abs() < 1e-3, "all draws are equally bright: {brought}");
        }
        for normal in directions(20) {
            let mean = drawn.iter().map(|&(direction, brought)| brought * direction.dot(normal).max(0.0)).sum::<Vec3>()
                / DRAWS as f32;
            let expected = irradiance(&studio, normal);
            assert!((mean - expected).length() < 0.01 * first.max(1.0), "{normal}: {mean} is not {expected}");
        }
    }
}

#[test]
fn a_studio_without_light_brings_none() {
    let dark = Light { intensity: 0.0, ..Light::default() };
    let look = Look { fill: dark, rim: dark, ambient: 0.0, ..Look::default() };
    assert_eq!(Studio::new(&look, LitBy::Smirk).sample(0.3, 0.7).1, Vec3::ZERO);
}
