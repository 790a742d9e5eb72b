//! Diamonds that stand for keys. All of them are one mesh with two triangles each, because thousands can be visible.

use std::sync::Arc;

use egui::epaint::Vertex;
use egui::{Color32, ColorImage, Context, Id, Mesh, Painter, Pos2, Shape, TextureHandle, TextureOptions, Vec2};

/// Width and height of the picture of a diamond, in pixels.
const SIZE: usize = 32;
/// Width of its soft edge as a fraction of the distance from the middle to a corner.
const SOFT: f32 = 0.18;

#[derive(Debug, Default)]
pub(crate) struct Diamonds {
    mesh: Arc<Mesh>,
}

impl Diamonds {
    /// Replaces all diamonds by others, each with its middle, the distance from there to its corners, and its colour.
    pub(crate) fn replace(&mut self, ctx: &Context, diamonds: impl Iterator<Item = (Pos2, f32, Color32)>) {
        // The memory of the mesh is used again, unless it is still on its way to the screen.
        if Arc::get_mut(&mut self.mesh).is_none() {
            self.mesh = Arc::default();
        }
        let mesh = Arc::make_mut(&mut self.mesh);
        mesh.clear();
        mesh.texture_id = texture(ctx).id();
        for (at, reach, color) in diamonds {
            let first = mesh.vertices.len() as u32;
            for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                let pos = at + Vec2::new(2.0 * x - 1.0, 2.0 * y - 1.0) * reach;
                mesh.vertices.push(Vertex { pos, uv: Pos2::new(x, y), color });
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }

    pub(crate) fn paint(&self, painter: &Painter) {
        painter.add(Shape::Mesh(self.mesh.clone()));
    }
}

/// The picture of a white diamond, which is made once for each window.
fn texture(ctx: &Context) -> TextureHandle {
    let id = Id::unique("picture of a diamond");
    ctx.data(|data| data.get_temp(id)).unwrap_or_else(|| {
        let pixels = (0..SIZE * SIZE).map(|index| {
            // The distances from the middle, as parts of that of the edge.
            let [x, y] = [index % SIZE, index / SIZE].map(|at| ((at as f32 + 0.5) / (0.5 * SIZE as f32) - 1.0).abs());
            Color32::WHITE.gamma_multiply(((1.0 - x - y) / SOFT).clamp(0.0, 1.0))
        });
        let image = ColorImage::new([SIZE, SIZE], pixels.collect());
        let texture = ctx.load_texture("diamond", image, TextureOptions::LINEAR);
        ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
        texture
    })
}
