//! The key light's shadow: a depth map of the head as the light sees it (L. Williams, "Casting curved shadows on
//! curved surfaces", 1978).

use glam::camera::rh::{proj::directx::orthographic, view::look_to_mat4};
use glam::{Mat4, Vec3};

use smirk_face::head::Bounds;
use smirk_graphics::gpu::view;

/// The number of texels along each side of the preview's map. The edge of a shadow is about three texels wide, as that
/// of a large light source.
pub(crate) const SHADOW_MAP_SIZE: u32 = 384;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The number of steps in which the map grows to cover twice the size.
const STEPS_TO_DOUBLE: f32 = 3.0;

/// The key light's view of the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShadowView {
    /// The transform from world space to the clip space of the shadow map.
    pub shadow_from_world: Mat4,
    /// The size of one texel in world units.
    pub texel_in_world: f32,
}

impl ShadowView {
    /// A view whose box encloses a head's bounds at rest, with a margin for the vertices that expressions move. If the
    /// `deformed` bounds reach further, the box is larger. Its size changes in steps, because if it changed with every
    /// weight, the edge of the shadow would move visibly. The map has so many texels along each side.
    pub(crate) fn new(rest: Bounds, deformed: Bounds, to_light: Vec3, texels: u32) -> Self {
        let least_radius = rest.radius() * 1.1;
        let steps = ((deformed.reach_from(rest.center()) / least_radius).log2() * STEPS_TO_DOUBLE).ceil().max(0.0);
        // Logarithm and power are rounded; the factor keeps all corners inside in spite of that.
        let radius = if steps > 0.0 { least_radius * (steps / STEPS_TO_DOUBLE).exp2() * 1.001 } else { least_radius };
        let up = if to_light.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
        let view = look_to_mat4(rest.center() + to_light * radius, -to_light, up);
        Self {
            shadow_from_world: orthographic(-radius, radius, -radius, radius, 0.0, 2.0 * radius) * view,
            texel_in_world: 2.0 * radius / texels as f32,
        }
    }
}

#[derive(Debug)]
pub(crate) struct ShadowMap {
    /// The depth as seen from the light, 0 near … 1 far.
    pub view: wgpu::TextureView,
    /// Compares depths, then mixes 2×2 results.
    pub sampler: wgpu::Sampler,
}

impl ShadowMap {
    /// Creates an empty map, with so many texels along each side, and its sampler.
    pub(crate) fn new(device: &wgpu::Device, texels: u32) -> Self {
        let texture = depth_map(device, "shadow map", texels, 1);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Self { view: view(&texture, "shadow map"), sampler }
    }
}

/// An empty depth map of several layers.
pub(crate) fn depth_map(device: &wgpu::Device, label: &str, texels: u32, layers: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: texels, height: texels, depth_or_array_layers: layers },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}

/// The view of all layers of a depth map.
pub(crate) fn layers_view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("layers"),
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    })
}

/// Writes depths with an offset away from the light, larger where the surface is steep, so that a surface does not
/// shadow itself.
pub(crate) fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: Default::default(),
        bias: wgpu::DepthBiasState { constant: 2, slope_scale: 2.5, clamp: 0.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_within_the_margin_does_not_change_the_view() {
        let rest = Bounds { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) };
        let view = |grown: f32| ShadowView::new(rest, Bounds { min: rest.min, max: rest.max * grown }, Vec3::Z, 768);
        assert_eq!(view(1.0), view(1.09));
        assert_eq!(view(1.2), view(1.3), "one step");
        assert_ne!(view(1.0), view(1.2));
    }

    #[test]
    fn the_whole_head_is_in_the_map_from_every_side() {
        let bounds = Bounds { min: Vec3::new(-1.0, -2.0, 0.0), max: Vec3::new(1.0, 3.0, 2.0) };
        for to_light in [Vec3::X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::new(0.6, 0.64, -0.48)] {
            let shadow = ShadowView::new(bounds, bounds, to_light, 768);
            for corner in [bounds.min, bounds.max, Vec3::new(-1.0, 3.0, 2.0)] {
                let in_map = shadow.shadow_from_world.project_point3(corner);
                assert!(in_map.truncate().abs().max_element() < 1.0 && (0.0..1.0).contains(&in_map.z), "{in_map}");
            }
            for far in [4.0, 30.0, 1e12] {
                let deformed = Bounds { min: bounds.min, max: Vec3::new(1.0, far, 2.0) };
                let shadow = ShadowView::new(bounds, deformed, to_light, 768);
                let in_map = shadow.shadow_from_world.project_point3(deformed.max);
                assert!(in_map.truncate().abs().max_element() < 1.0 && (0.0..1.0).contains(&in_map.z), "{in_map}");
            }
            let (near, far) = (bounds.center() + to_light * 0.5, bounds.center());
            let depth = |point| shadow.shadow_from_world.project_point3(point).z;
            assert!(depth(near) < depth(far), "{to_light}");
        }
    }
}
