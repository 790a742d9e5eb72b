//! The pipelines of surfaces that many heads have, so that the first picture of such a head does not wait for them.
//!
//! They are built, and drawn once because software adapters compile a shader when it is drawn for the first time. Heads
//! with the same surfaces share them. The surfaces are those of the avatars of Ready Player Me, which have a skin and
//! textures.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::effort::Effort;
use super::head_on_gpu::HeadOnGpu;
use super::pipelines::Pipelines;
use super::renderer::Renderer;
use smirk_base::progress::Progress;
use smirk_face::head::{
    Asset, Encoding, Head, Image, Influence, Influences, Joint, LocalTransform, Material, Mesh, Node, Part, Rig, Role,
    Sampler, Skin, Texture, TextureRef, Vertices,
};
use smirk_graphics::blend::{Precision, VertexOrder};
use smirk_graphics::gpu::Gpu;
use smirk_scene::{Camera, Look, Quality, Scene, View};

/// A surface with a skin and a base colour texture.
struct Surface {
    role: Role,
    roughness: f32,
    is_double_sided: bool,
    is_normal_mapped: bool,
    is_roughness_mapped: bool,
}

const PLAIN: Surface = Surface {
    role: Role::Other,
    roughness: 1.0,
    is_double_sided: false,
    is_normal_mapped: false,
    is_roughness_mapped: false,
};

/// Eyes, face, teeth, hair, glasses, body and clothes.
const SURFACES: [Surface; 7] = [
    Surface { role: Role::Eye, ..PLAIN },
    Surface { role: Role::Skin, roughness: 0.7, ..PLAIN },
    Surface { role: Role::Teeth, is_double_sided: true, ..PLAIN },
    Surface { role: Role::Hair, roughness: 0.8, is_double_sided: true, is_normal_mapped: true, ..PLAIN },
    Surface { roughness: 0.45, ..PLAIN },
    Surface { role: Role::Skin, is_double_sided: true, is_normal_mapped: true, ..PLAIN },
    Surface { role: Role::Cloth, is_double_sided: true, is_normal_mapped: true, is_roughness_mapped: true, ..PLAIN },
];

/// The pipelines, as long as this is kept.
#[derive(Debug)]
pub struct UsualSurfaces {
    _pipelines: Pipelines,
}

impl UsualSurfaces {
    /// Builds and draws them, which takes some tenths of a second on a software adapter. `None` if the adapter has no
    /// memory for it.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let head = Arc::new(head());
        let order = Arc::new(VertexOrder::new(&head));
        let mut renderer = Renderer::new(gpu);
        renderer.set_head(HeadOnGpu::for_window(gpu, head.clone(), order, Precision::default(), Progress::NONE).ok()?);
        let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
        let look = Look::default();
        let scene = Scene {
            quality: Quality { msaa: Effort::for_adapter(gpu).first_msaa, scale: 1.0, samples: 0 },
            ..Scene::at_rest(&head, &camera, &look, [64; 2])
        };
        gpu.attempt(|| renderer.draw(&scene)).ok()?.ok()?;
        Some(Self { _pipelines: renderer.into_pipelines()? })
    }
}

/// A head of one triangle for each surface.
fn head() -> Head {
    let texture = |encoding| {
        // Hair shows strands if its texture is larger; that of these avatars is one colour.
        const SIDE: u32 = 16;
        let texels = vec![u8::MAX; (SIDE * SIDE * 4) as usize];
        let image = Arc::new(Image::new(SIDE, SIDE, texels));
        Texture { name: String::new(), image, encoding, sampler: Sampler::default() }
    };
    let [colors, numbers] = [0, 1].map(TextureRef::from);
    let (mut meshes, mut materials) = (Vec::new(), Vec::new());
    for (index, surface) in SURFACES.iter().enumerate() {
        materials.push(Material {
            base_color_texture: Some(colors),
            roughness: surface.roughness,
            metallic: 0.0,
            normal_texture: surface.is_normal_mapped.then_some(numbers),
            metallic_roughness_texture: surface.is_roughness_mapped.then_some(numbers),
            double_sided: surface.is_double_sided,
            ..Material::default()
        });
        let corner = Vec3::X * index as f32;
        let mut influences = Influences::default();
        (0..3).for_each(|_| _ = influences.push([Influence { joint: 0, weight: 1.0 }], 0));
        let vertices = Vertices {
            positions: vec![corner, corner + Vec3::X, corner + Vec3::Y],
            normals: vec![Vec3::Z; 3],
            tangents: if surface.is_normal_mapped { vec![Vec3::X.extend(1.0); 3] } else { Vec::<Vec4>::new() },
            uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
            influences,
            ..Vertices::default()
        };
        let part = Part { first_index: 0, index_count: 3, material: index, flat_shaded: false };
        meshes.push(Mesh { vertices, indices: vec![0, 1, 2], parts: vec![part], skin: Some(0), ..Mesh::default() });
    }
    let joint = Joint { node: 0, joint_from_mesh: Mat4::IDENTITY };
    let mut head = Head::new(Asset {
        meshes,
        materials,
        textures: vec![texture(Encoding::Srgb), texture(Encoding::Linear)],
        rig: Rig {
            nodes: vec![Node { name: String::new(), parent: None, rest: LocalTransform::Matrix(Mat4::IDENTITY) }],
            skins: vec![Skin { name: String::new(), joints: vec![joint] }],
            ..Rig::default()
        },
        ..Asset::default()
    });
    head.roles = SURFACES.iter().map(|surface| surface.role).collect();
    head
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::render::geometry::{VertexSource, surfaces};
    use crate::render::pipelines::{DrawnSurface, Tier};
    use smirk_files::import;
    use smirk_graphics::gpu::Prefer;

    #[test]
    fn heads_with_the_same_surfaces_share_their_pipelines() {
        let (gpu, head) = (Gpu::headless(Prefer::Software).unwrap(), Arc::new(head()));
        let drawn: BTreeSet<_> = surfaces(&head, &head.roles).into_iter().map(|(kind, pass, _)| (kind, pass)).collect();
        assert_eq!(drawn.len(), SURFACES.len());
        let pipelines = |head: &HeadOnGpu| -> Vec<wgpu::RenderPipeline> {
            let tier = Tier::Preview { msaa: Effort::for_adapter(&gpu).first_msaa };
            let of = |&(surface, pass)| {
                let drawn = DrawnSurface { surface, pass, source: VertexSource::Buffer };
                head.pipelines.surface(drawn, tier).clone()
            };
            drawn.iter().map(of).collect()
        };
        let kept = UsualSurfaces::new(&gpu).unwrap();
        let later = || {
            let order = Arc::new(VertexOrder::new(&head));
            HeadOnGpu::for_window(&gpu, head.clone(), order, Precision::Exact, Progress::NONE).unwrap()
        };
        let shared = pipelines(&later());
        assert_eq!(pipelines(&later()), shared);
        drop(kept);
        assert_ne!(pipelines(&later()), shared, "they are no longer kept");
    }

    #[test]
    fn they_are_the_surfaces_of_an_avatar() {
        let is_skipped = std::env::var_os("SMIRK_SKIP_HEADS").is_some();
        let Some(folder) = std::env::var_os("SMIRK_HEADS").filter(|_| !is_skipped) else { return };
        let path = Path::new(&folder).join("avatars/rpm_brunette-t.glb");
        if path.exists() {
            let kinds = |head: &Head| -> BTreeSet<_> {
                surfaces(head, &head.roles).into_iter().map(|(kind, pass, _)| (kind, pass)).collect()
            };
            assert_eq!(kinds(&import::open(&path).unwrap()), kinds(&head()));
        }
    }
}
