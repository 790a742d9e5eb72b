//! The studio around the head: all light but the key. Fill, rim, counter-rim and top light are round panels far away, and a
//! gradient from ground to sky fills the rest. `studio.wgsl` has the same light for the shaders.
//!
//! Light is measured so that a radiance of 1 from everywhere lights white paper to 1. The irradiance is therefore always divided by
//! pi.

use std::f32::consts::{PI, TAU};

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, vec3};

use super::harmonics::Harmonics;
use crate::scene::{Light, LitBy, Look};

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

/// The studio of a look.
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
    /// The indices of the rims.
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
        // Opposite the rim, but lower and further to the side, so that it draws the line of cheek and jaw. It moves smoothly with
        // the rim.
        let counter_rim = (rim * vec3(-2.2, 0.34, 0.45)).normalize_or(Vec3::NEG_Z);
        // The sky has the colour of the fill light. The ground is dimmer and has the colour of the key light, as if a floor
        // reflected it.
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
        let large = |index: &usize| ![Self::RIM, Self::COUNTER_RIM].contains(index);
        for panel in (0..Self::PANELS).filter(large).map(|index| &self.panels[index]) {
            // Integrals over the panel.
            let sin_squared = panel.sin_radius * panel.sin_radius;
            let constant = panel.radiance() * ((1.0 - panel.cos_radius) * 0.5);
            let linear = panel.radiance() * (sin_squared * 0.5);
            let quadratic = panel.radiance() * (sin_squared * panel.cos_radius * (5.0 / 16.0));
            sum.add(panel.axis(), constant, linear, quadratic);
        }
        sum
    }

    /// A direction drawn by brightness, and the radiance that it brings, divided by its probability density and by pi: the mean
    /// of `brought * max(dot(normal, direction), 0)` over many draws is the irradiance. `u` and `v` are evenly distributed in
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
        // Where panels overlap, each of them may have given the direction; the density is the sum, and so is the radiance.
        let radiance = self.radiance(direction);
        let density = brightness(radiance) / total;
        (direction, radiance / (density * PI).max(f32::MIN_POSITIVE))
    }
}

#[cfg(test)]
#[path = "studio_tests.rs"]
mod tests;
