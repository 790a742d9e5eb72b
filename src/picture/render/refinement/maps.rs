//! The depth maps of one sample: the head as seen from a point of the key light, and from directions of the studio's
//! light.

use bytemuck::bytes_of;

use crate::render::frame_uniforms::{self, FrameUniforms};
use crate::render::light::{self, Dome, ShadowMap, ShadowView};
use smirk_face::head::Bounds;
use smirk_graphics::gpu::Gpu;
use smirk_scene::Scene;

use super::{SamplePoint, studio_point};

/// The depth maps, and a frame for each, with the transform to the clip space of the map.
#[derive(Debug)]
pub(super) struct SampleMaps {
    pub key: ShadowMap,
    key_size: u32,
    /// All layers.
    pub domes: wgpu::TextureView,
    dome_size: u32,
    /// By map: the key light, then the domes.
    views: Vec<wgpu::TextureView>,
    frames: Vec<(wgpu::Buffer, wgpu::BindGroup)>,
}

impl SampleMaps {
    /// The angular radius of the key light in radians, for a [softness](smirk_scene::Look::softness) of 0 and of 1.
    const KEY_RADIUS: [f32; 2] = [0.03, 0.19];

    /// Maps with so many texels along each side.
    pub(super) fn new(gpu: &Gpu, key_size: u32, dome_size: u32) -> Self {
        let device = &gpu.device;
        let key = ShadowMap::new(device, key_size);
        let texture = light::depth_map(device, "domes", dome_size, Dome::MOST as u32);
        let layer = |layer: usize| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("dome"),
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer as u32,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let views: Vec<_> = std::iter::once(key.view.clone()).chain((0..Dome::MOST).map(layer)).collect();
        let frames = views.iter().map(|_| {
            let buffer = frame_uniforms::frame_buffer(gpu);
            let group = frame_uniforms::frame_alone_group(device, &buffer);
            (buffer, group)
        });
        Self { frames: frames.collect(), domes: light::layers_view(&texture), key, key_size, dome_size, views }
    }

    /// The image of a map, and bind group 0 of the pass that draws it.
    pub(super) fn target(&self, map: usize) -> Option<(&wgpu::TextureView, &wgpu::BindGroup)> {
        Some((self.views.get(map)?, &self.frames.get(map)?.1))
    }

    /// The uniforms of a sample: `whole` with a point of the key light and `domes` directions of the studio's light.
    /// The picture has so many `samples`.
    pub(super) fn place(
        &self,
        scene: &Scene,
        bounds: Bounds,
        point: SamplePoint,
        domes: u32,
        samples: u32,
        whole: FrameUniforms,
    ) -> FrameUniforms {
        let rest = scene.head.bounds;
        let to_key = scene.look.key.direction_to_light_in_world();
        let (right, up) = to_key.any_orthonormal_pair();
        let [hard, soft] = Self::KEY_RADIUS;
        let on_key = point.on_key * (hard + (soft - hard) * scene.look.softness.clamp(0.0, 1.0));
        let to_key = (to_key + right * on_key.x + up * on_key.y).normalize_or(to_key);
        let key_view = ShadowView::new(rest, bounds, to_key, self.key_size);
        let studio = frame_uniforms::studio(scene);
        let mut sample = whole.with_key(to_key, &key_view);
        sample.dome_count = domes.min(Dome::MOST as u32);
        for (index, dome) in sample.domes.iter_mut().enumerate().take(domes as usize) {
            let [u, v] = studio_point(point.first_dome.wrapping_add(index as u32));
            let (to_light, irradiance) = studio.sample(u, v);
            let view = ShadowView::new(rest, bounds, to_light, self.dome_size);
            *dome = Dome::new(&view, to_light, irradiance / domes as f32, self.dome_size);
        }
        let drawn = samples * domes;
        for index in 0..drawn {
            let [u, v] = studio_point(index);
            let (to_light, irradiance) = studio.sample(u, v);
            sample.drawn_sh.add_direction(to_light, irradiance / drawn as f32);
        }
        sample
    }

    /// Writes the transforms for a sample. Returns the number of maps.
    pub(super) fn write(&self, queue: &wgpu::Queue, sample: &FrameUniforms) -> usize {
        let domes = sample.domes.iter().take(sample.dome_count as usize).map(|dome| dome.map_from_world);
        let views = std::iter::once(sample.shadow_from_world).chain(domes);
        let writes = views.zip(&self.frames).map(|(shadow_from_world, (buffer, _))| {
            queue.write_buffer(buffer, 0, bytes_of(&FrameUniforms { shadow_from_world, ..*sample }));
        });
        writes.count()
    }
}
