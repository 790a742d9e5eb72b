//! The studio around the head: all light but the key. Fill, rim, counter-rim and top light are round panels far away,
//! and a gradient from ground to sky fills the rest. `studio.wgsl` has the same light for the shaders.
//!
//! Light is measured so that a radiance of 1 from everywhere lights white paper to 1. The irradiance is therefore
//! always divided by pi.
//!
//! The irradiance is a function of the surface normal, stored as spherical harmonics of order 2 (R. Ramamoorthi and P.
//! Hanrahan, "An efficient representation for irradiance environment maps", 2001).

use std::f32::consts::{PI, TAU};

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, vec3};

use super::shadow::ShadowView;
use smirk_scene::{Light, LitBy, Look};

/// A round area light at infinity; `Panel` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Panel {
    /// Unit vector in world space, towards the middle of the panel.
    pub axis: [f32; 3],
    /// The cosine of the panel's angular radius.
    pub cos_radius: f32,
    /// Linear RGB.
    pub radiance: [f32; 3],
    /// The sine of the panel's angular radius.
    pub sin_radius: f32,
    /// Of a surface that faces the panel.
    irradiance: [f32; 3],
    per_four_sines: f32,
}

impl Panel {
    /// A panel that brings `irradiance` to a surface that faces it.
    fn new(axis: Vec3, radius: f32, irradiance: Vec3) -> Self {
        let (sin_radius, cos_radius) = radius.sin_cos();
        let radiance = irradiance / (sin_radius * sin_radius);
        Self {
            axis: axis.to_array(),
            cos_radius,
            radiance: radiance.to_array(),
            sin_radius,
            irradiance: irradiance.to_array(),
            per_four_sines: 0.25 / sin_radius,
        }
    }

    fn axis(&self) -> Vec3 {
        Vec3::from(self.axis)
    }

    fn radiance(&self) -> Vec3 {
        Vec3::from(self.radiance)
    }

    fn is_seen_at(&self, direction: Vec3) -> bool {
        self.axis().dot(direction) > self.cos_radius
    }

    /// The solid angle.
    fn steradians(&self) -> f32 {
        TAU * (1.0 - self.cos_radius)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Studio {
    /// The radiance of the gradient straight above.
    pub sky: Vec3,
    /// The radiance of the gradient straight below.
    pub ground: Vec3,
    /// Fill, rim, counter-rim and top.
    pub panels: [Panel; Self::PANELS],
}

/// The brightness of a colour, by which directions are drawn.
fn brightness(color: Vec3) -> f32 {
    color.dot(vec3(0.2126, 0.7152, 0.0722))
}

impl Studio {
    /// The number of panels; `frame.wgsl` has the same number.
    pub(crate) const PANELS: usize = 4;
    const RIM: usize = 1;
    const COUNTER_RIM: usize = 2;

    const FILL_RADIUS: f32 = 0.62;
    const RIM_RADIUS: f32 = 0.32;
    const COUNTER_RIM_RADIUS: f32 = 0.28;
    const TOP_RADIUS: f32 = 0.55;

    /// The brightness of the counter-rim relative to the rim.
    const COUNTER_RIM_PART: f32 = 0.3;
    /// The brightness of the top light relative to the ambient light.
    const TOP: f32 = 1.2;

    /// The studio of `look`. If the lights of a head's file shine instead of Smirk's, only ambient light remains.
    pub(crate) fn new(look: &Look, lit_by: LitBy) -> Self {
        let ambient = look.ambient.max(0.0);
        if lit_by == LitBy::File {
            let none = Panel::new(Vec3::Y, Self::TOP_RADIUS, Vec3::ZERO);
            return Self { sky: Vec3::splat(ambient), ground: Vec3::splat(ambient), panels: [none; Self::PANELS] };
        }
        let irradiance = |light: &Light| Vec3::from(light.color) * light.intensity.max(0.0);
        let rim = look.rim.direction_to_light_in_world();
        // Opposite the rim, but lower and further to the side, so that it draws the line of cheek and jaw. It moves
        // smoothly with the rim.
        let counter_rim = (rim * vec3(-2.2, 0.34, 0.45)).normalize_or(Vec3::NEG_Z);
        // The sky has the colour of the fill light. The ground is dimmer and has the colour of the key light, as if a
        // floor reflected it.
        let cool = Vec3::ONE.lerp(Vec3::from(look.fill.color), 0.6);
        let warm = Vec3::ONE.lerp(Vec3::from(look.key.color), 0.8);
        Self {
            sky: cool * ambient * 1.25,
            ground: warm * ambient * 0.5,
            panels: [
                Panel::new(look.fill.direction_to_light_in_world(), Self::FILL_RADIUS, irradiance(&look.fill)),
                Panel::new(rim, Self::RIM_RADIUS, irradiance(&look.rim)),
                Panel::new(counter_rim, Self::COUNTER_RIM_RADIUS, irradiance(&look.rim) * Self::COUNTER_RIM_PART),
                Panel::new(
                    vec3(0.0, 0.95, 0.31).normalize_or(Vec3::Y),
                    Self::TOP_RADIUS,
                    Vec3::splat(ambient * Self::TOP),
                ),
            ],
        }
    }

    /// Linear RGB radiance from a direction.
    pub(crate) fn radiance(&self, direction: Vec3) -> Vec3 {
        let panels: Vec3 = self.panels.iter().filter(|panel| panel.is_seen_at(direction)).map(Panel::radiance).sum();
        self.gradient(direction) + panels
    }

    fn gradient(&self, direction: Vec3) -> Vec3 {
        self.ground.lerp(self.sky, direction.y * 0.5 + 0.5)
    }

    /// The irradiance by everything but rim and counter-rim.
    pub(crate) fn spherical_harmonics(&self) -> Harmonics {
        let middle = (self.sky + self.ground) * 0.5;
        let mut sum = Harmonics::default();
        // A gradient that is linear in y.
        sum.add(Vec3::Y, middle, (self.sky - middle) * (2.0 / 3.0), Vec3::ZERO);
        let large = (0..Self::PANELS).filter(|index| ![Self::RIM, Self::COUNTER_RIM].contains(index));
        for panel in large.map(|index| &self.panels[index]) {
            // Integrals over the panel.
            let sin_squared = panel.sin_radius * panel.sin_radius;
            let constant = panel.radiance() * ((1.0 - panel.cos_radius) * 0.5);
            let linear = panel.radiance() * (sin_squared * 0.5);
            let quadratic = panel.radiance() * (sin_squared * panel.cos_radius * (5.0 / 16.0));
            sum.add(panel.axis(), constant, linear, quadratic);
        }
        sum
    }

    /// A direction drawn by brightness, and the radiance that it brings, divided by its probability density and by pi:
    /// the mean of `brought * max(dot(normal, direction), 0)` over many draws is the irradiance. `u` and `v` are evenly
    /// distributed in
    /// 0..1. All draws are equally bright.
    pub(crate) fn sample(&self, u: f32, v: f32) -> (Vec3, Vec3) {
        let middle = brightness(self.sky + self.ground) * 0.5;
        let slope = brightness(self.sky - self.ground) * 0.5;
        let gradient_flux = 2.0 * TAU * middle;
        let fluxes = self.panels.map(|panel| brightness(panel.radiance()) * panel.steradians());
        let total = gradient_flux + fluxes.iter().sum::<f32>();
        if total <= 0.0 {
            return (Vec3::Y, Vec3::ZERO);
        }
        let azimuth = v * TAU;
        let around = |axis: Vec3, cosine: f32| {
            let (right, up) = axis.any_orthonormal_pair();
            let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
            (axis * cosine + (right * azimuth.cos() + up * azimuth.sin()) * sine).normalize_or(axis)
        };
        let mut left = u * total;
        let panel = self.panels.iter().zip(fluxes).find(|&(_, flux)| {
            let is_chosen = left < flux;
            if !is_chosen {
                left -= flux;
            }
            is_chosen
        });
        let direction = match panel {
            Some((panel, flux)) => around(panel.axis(), 1.0 - left / flux * (1.0 - panel.cos_radius)),
            None => {
                // The height y whose share of the gradient's flux, the integral of middle + slope * y, is drawn.
                let share = (left / gradient_flux).clamp(0.0, 1.0);
                let rest = middle - slope * 0.5 - 2.0 * middle * share;
                let root = (middle * middle - 2.0 * slope * rest).max(0.0).sqrt();
                around(Vec3::Y, (-2.0 * rest / (middle + root).max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0))
            }
        };
        // Where panels overlap, each of them may have given the direction; the density is the sum, and so is the
        // radiance.
        let radiance = self.radiance(direction);
        let density = brightness(radiance) / total;
        (direction, radiance / (density * PI).max(f32::MIN_POSITIVE))
    }
}

/// `Dome` in `frame.wgsl`: a direction from which light of the studio comes, with the head's view from there.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Dome {
    pub map_from_world: Mat4,
    direction_to_light: [f32; 3],
    texel: f32,
    irradiance: [f32; 3],
    depth_range: f32,
}

impl Dome {
    /// The largest number per sample; `frame.wgsl` has the same number.
    pub(crate) const MOST: usize = 2;

    /// A direction that brings `irradiance`, divided by pi, to a surface that faces it. `view` is the view of a depth
    /// map with so many texels along each side.
    pub(crate) fn new(view: &ShadowView, to_light: Vec3, irradiance: Vec3, texels: u32) -> Self {
        Self {
            map_from_world: view.shadow_from_world,
            direction_to_light: to_light.to_array(),
            texel: view.texel_in_world,
            irradiance: irradiance.to_array(),
            depth_range: view.texel_in_world * texels as f32,
        }
    }
}

/// The coefficients (linear RGB; the fourth number is padding) of 1, y, z, x, xy, yz, 3z² − 1, xz and x² − y² of the
/// normal (x, y, z): the harmonics without their constants.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Harmonics(pub(super) [[f32; 4]; 9]);

impl Harmonics {
    /// Adds light that depends only on the cosine c of the angle from `axis`: the factors of the Legendre polynomials
    /// 1, c and (3c² − 1) / 2, multiplied with those of the clamped cosine.
    fn add(&mut self, axis: Vec3, constant: Vec3, linear: Vec3, quadratic: Vec3) {
        let Vec3 { x, y, z } = axis;
        let added = [
            constant,
            linear * y,
            linear * z,
            linear * x,
            quadratic * (3.0 * x * y),
            quadratic * (3.0 * y * z),
            quadratic * ((3.0 * z * z - 1.0) * 0.25),
            quadratic * (3.0 * x * z),
            quadratic * ((x * x - y * y) * 0.75),
        ];
        for (sum, added) in self.0.iter_mut().zip(added) {
            *sum = (Vec3::from_slice(&sum[..3]) + added).extend(0.0).to_array();
        }
    }

    /// Adds light from one direction, which brings `irradiance` to a surface that faces it.
    pub(crate) fn add_direction(&mut self, to_light: Vec3, irradiance: Vec3) {
        self.add(to_light, irradiance * 0.25, irradiance * 0.5, irradiance * (5.0 / 16.0));
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    #[test]
    fn light_from_one_direction_is_about_the_clamped_cosine() {
        let to_light = vec3(0.48, 0.6, 0.64);
        let mut harmonics = Harmonics::default();
        harmonics.add_direction(to_light, Vec3::ONE);
        let across = to_light.any_orthonormal_vector();
        for degrees in (0..=180).step_by(5) {
            let cosine = (degrees as f32).to_radians().cos();
            let n = to_light * cosine + across * (1.0 - cosine * cosine).max(0.0).sqrt();
            let basis =
                [1.0, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0 * n.z * n.z - 1.0, n.x * n.z, n.x * n.x - n.y * n.y];
            let sum: f32 = basis.iter().zip(harmonics.0).map(|(value, coefficient)| coefficient[0] * value).sum();
            // The error is greatest where the light is in the plane of the surface, 3/32.
            assert!((sum - cosine.max(0.0)).abs() < 0.0938, "{degrees}°: {sum}");
        }
    }

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
                // The functions of the basis are orthogonal: each coefficient is the integral with its own function,
                // over the integral of its square, times the factor of the clamped cosine.
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
                assert!(
                    (expected - actual).abs().max_element() < 0.03 * brightest,
                    "{normal}: {actual} is not {expected}"
                );
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
                let mean =
                    drawn.iter().map(|&(direction, brought)| brought * direction.dot(normal).max(0.0)).sum::<Vec3>()
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
}
