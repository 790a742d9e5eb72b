//! Pictures in portions.

use glam::Vec3;

use super::*;
use crate::blend::{Layout, Precision};
use crate::gpu::Prefer;
use crate::head::{AlphaMode, Asset, Material, Mesh, Part, Vertices};
use crate::random;
use crate::scene::{Camera, Look, Quality, View};

/// In all parts together.
const TRIANGLES: u32 = 3000;

/// Triangles that cross each other, in three parts: opaque, masked and blended.
fn head() -> Arc<Head> {
    let number = |at: u32| random::signed(3, u64::from(at));
    let corner = |at: u32| Vec3::new(number(3 * at), number(3 * at + 1), number(3 * at + 2));
    let positions: Vec<Vec3> = (0..TRIANGLES * 3).map(corner).collect();
    let vertices = Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() };
    let part = |material: usize| Part {
        first_index: material as u32 * TRIANGLES,
        index_count: TRIANGLES,
        material,
        flat_shaded: false,
    };
    let parts = (0..3).map(part).collect();
    let mesh = Mesh { vertices, indices: (0..TRIANGLES * 3).collect(), parts, ..Mesh::default() };
    let material = |alpha, color| Material { alpha, base_color: color, double_sided: true, ..Material::default() };
    let materials = vec![
        material(AlphaMode::Opaque, [0.8, 0.2, 0.1, 1.0]),
        material(AlphaMode::Mask { cutoff: 0.5 }, [0.1, 0.8, 0.1, 0.7]),
        material(AlphaMode::Blend, [0.1, 0.2, 0.8, 0.5]),
    ];
    Arc::new(Head::new(Asset { name: "head".into(), meshes: vec![mesh], materials, ..Asset::default() }))
}

#[test]
fn a_picture_in_portions_is_the_same_and_is_shown_only_when_it_is_finished() {
    let (gpu, head) = (Gpu::headless(Prefer::Software).unwrap(), head());
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    for quality in [Quality::FULL, Quality { samples: 1, scale: 0.5, refinement: 0 }] {
        let scene = Scene {
            head: &head,
            weights: &[],
            world_from_nodes: &[],
            mode: BlendMode::Cpu,
            camera: &camera,
            roles: &[],
            look: &Look::default(),
            size: [96, 96],
            quality,
        };
        let picture = |pace: Option<Pace>| {
            let mut renderer = Renderer::new(&gpu);
            renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout.clone()).unwrap());
            renderer.pace = pace;
            let mut portions = 1;
            while renderer.draw_for(&scene, Duration::ZERO).unwrap() != Drawn::Finished {
                assert!(renderer.image().is_none() && renderer.first_picture().is_some());
                portions += 1;
            }
            assert!(!renderer.is_unfinished() && renderer.shows(&scene));
            (renderer.read_pixels(), portions)
        };
        let ((whole, one), (divided, several)) = (picture(None), picture(Some(Pace::new())));
        assert!(one == 1 && several > 3, "{several} portions");
        assert!(whole == divided, "at {quality:?}");
    }
}

#[test]
fn a_coarse_picture_takes_the_place_of_an_unfinished_fine_one() {
    let (gpu, head) = (Gpu::headless(Prefer::Software).unwrap(), head());
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let mut renderer = Renderer::new(&gpu);
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).unwrap());
    renderer.pace = Some(Pace::new());
    let mut camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let look = Look::default();
    let scene = |camera, quality| Scene {
        head: &head,
        weights: &[],
        world_from_nodes: &[],
        mode: BlendMode::Cpu,
        camera,
        roles: &[],
        look: &look,
        size: [64, 64],
        quality,
    };
    let before = camera;
    assert_eq!(renderer.draw_for(&scene(&before, Quality::FULL), Duration::ZERO).unwrap(), Drawn::Unfinished);
    camera.zoom(1.5, glam::Vec2::ZERO);
    let coarse = scene(&camera, Quality { samples: 1, scale: 0.5, refinement: 0 });
    assert!(renderer.draw(&coarse).unwrap() && renderer.shows(&coarse));
    renderer.pace = Some(Pace::new());
    assert_eq!(renderer.draw_for(&scene(&before, coarse.quality), Duration::ZERO).unwrap(), Drawn::Unfinished);
    assert!(renderer.draw(&coarse).is_ok_and(|has_drawn| !has_drawn) && renderer.shows(&coarse));
}
