//! A contact sheet that compares heads: for each expression a picture of every head, side by side.

use std::sync::Arc;

use super::grid::{SheetError, SheetGrid};
use super::sheet::Sheet;
use super::work::{FinishedSheet, SheetSettings};
use crate::export::OwnedScene;
use smirk_face::head::{Head, Role};
use smirk_picture::render::{HeadNotUploaded, Pixels, Renderer};
use smirk_picture::scene::Camera;

/// A sheet with so many pictures of each expression; two expressions are side by side.
pub(super) struct ComparedSheet {
    sheet: Sheet,
    title: String,
    heads: usize,
    size: [u32; 2],
    settings: SheetSettings,
}

impl ComparedSheet {
    /// An empty sheet of expressions on so many heads, with a heading.
    pub(super) fn new(
        title: &str,
        facts: &str,
        expressions: usize,
        heads: usize,
        settings: SheetSettings,
    ) -> Result<Self, SheetError> {
        let size = [settings.cell_px, settings.cell_px.saturating_mul(5) / 4];
        let columns = if expressions > 1 { heads * 2 } else { heads };
        let grid = SheetGrid::new(expressions * heads, columns, size)?;
        Ok(Self { sheet: Sheet::new(grid, title, facts), title: title.to_owned(), heads, size, settings })
    }

    /// The camera of a head, for pictures of this size.
    pub(super) fn camera_of(&self, head: &Head) -> Camera {
        Camera::close_up_of(head, self.settings.view, self.size[0] as f32 / self.size[1] as f32, [])
    }

    /// Draws the pictures of one head: the labels and the weights of each expression, one weight per target.
    pub(super) fn draw(
        &mut self,
        (column, head): (usize, &Arc<Head>),
        camera: Camera,
        expressions: impl IntoIterator<Item = (String, Vec<f32>)>,
        renderer: &mut Renderer,
    ) -> Result<(), HeadNotUploaded> {
        for (row, (label, weights)) in expressions.into_iter().enumerate() {
            let scene = OwnedScene {
                head: head.clone(),
                weights,
                world_from_nodes: Vec::new(),
                mode: self.settings.mode,
                camera,
                look: self.settings.look,
                roles: self.roles_of(column, head),
                intersections: None,
                compared: None,
                size: self.size,
                quality: self.settings.quality,
            };
            let mut picture = renderer.new_picture(&scene.scene(), Pixels::Screen);
            renderer.draw_picture(&mut picture, &scene.scene(), None)?;
            self.sheet.place(row * self.heads + column, &label, &picture.into_image());
        }
        Ok(())
    }

    /// Materials of the last head show values: they are shaded as nothing in particular.
    fn roles_of(&self, column: usize, head: &Head) -> Vec<Role> {
        if column + 1 == self.heads { vec![Role::Other; head.materials.len()] } else { Vec::new() }
    }

    /// The sheet with the pictures drawn so far.
    pub(super) fn finish(self) -> FinishedSheet {
        FinishedSheet { title: self.title, image: self.sheet.into_image() }
    }
}
