//! Diamonds that stand for keys. All of them are one mesh with two triangles each, because thousands can be visible.

use std::sync::Arc;

use egui::epaint::Vertex;
use egui::{Color32, ColorImage, Context, Id, Mesh, Painter, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2};

/// Width and height of the picture of a diamond, in pixels.
const SIZE: usize = 32;
/// Width of its soft edge as a fraction of the distance from the middle to a corner.
const SOFT: f32 = 0.18;

/// A mesh of diamonds.
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
            let rect = Rect::from_center_size(at, Vec2::splat(2.0 * reach));
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            let corners = |rect: Rect| [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
            mesh.vertices.extend(corners(rect).iter().zip(corners(whole)).map(|(&pos, uv)| Vertex { pos, uv, color }));
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
        let distance = |index: usize| ((index as f32 + 0.5) / (0.5 * SIZE as f32) - 1.0).abs();
        let alpha = |index: usize| (1.0 - distance(index % SIZE) - distance(index / SIZE)) / SOFT;
        let pixels = (0..SIZE * SIZE).map(|index| Color32::WHITE.gamma_multiply(alpha(index).clamp(0.0, 1.0)));
        let image = ColorImage::new([SIZE, SIZE], pixels.collect());
        let texture = ctx.load_texture("diamond", image, TextureOptions::LINEAR);
        ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
        texture
    })
}
