//! The expressions that changed most, drawn: before, now, and where they differ.

use std::sync::Arc;

use super::sheet::{Sheet, SheetGrid};
use super::{FinishedSheet, SheetSettings};
use crate::{Drawing, ExportError};
use smirk_face::head::{Head, HeadChanges, MatchedMesh, MovedTarget, Role};
use smirk_picture::render::{HeadNotUploaded, Pixels, Renderer};
use smirk_scene::{Camera, Quality, Scene};

const MOST: usize = 10;

struct Changed<'a> {
    name: &'a str,
    targets: Vec<&'a MovedTarget>,
}

impl<'a> Changed<'a> {
    fn most(changes: &'a HeadChanges) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for moved in &changes.moved {
            match found.iter_mut().find(|changed| changed.name == moved.channel) {
                Some(changed) => changed.targets.push(moved),
                None => found.push(Self { name: &moved.channel, targets: vec![moved] }),
            }
        }
        found.sort_by(|a, b| b.largest_mm().total_cmp(&a.largest_mm()));
        found.truncate(MOST);
        found
    }

    fn largest_mm(&self) -> f32 {
        self.targets.iter().map(|moved| moved.largest_mm).fold(0.0, f32::max)
    }

    fn rms_mm(&self) -> f32 {
        self.targets.iter().map(|moved| moved.rms_mm).fold(0.0, f32::max)
    }

    fn weights(&self, head: &Head, name: &str) -> Vec<f32> {
        let mut weights = head.default_weights();
        if let Some(channel) = head.channels.iter().position(|channel| channel.name == name) {
            head.show_channel(channel, 1.0, &[], &mut weights);
        }
        head.resolve(&mut weights);
        weights
    }
}

/// Draws the sheet; none if no target has moved. `draw_with` does a drawing with a renderer of each of three heads,
/// counted from 0; its error ends the work.
pub fn version_sheet<E: From<ExportError>>(
    [old, new]: [&Arc<Head>; 2],
    meshes: &[MatchedMesh],
    changes: &HeadChanges,
    mut draw_with: impl FnMut(usize, &Arc<Head>, Drawing<'_>) -> Result<(), E>,
) -> Result<Option<FinishedSheet>, E> {
    let changed = Changed::most(changes);
    let Some(scale_mm) = changed.first().map(Changed::largest_mm) else { return Ok(None) };
    let values = changed.iter().flat_map(|changed| &changed.targets).filter_map(|moved| {
        let mut distances = moved.distances_mm(old, new, meshes)?;
        distances.values.iter_mut().for_each(|(_, value)| *value /= scale_mm);
        Some(distances)
    });
    let painted = Arc::new(new.painted(&values.collect::<Vec<_>>()));
    let title = format!("{} → {}", old.name, new.name);
    let facts = format!("{} · before, now, and the difference: red is {scale_mm:.1} mm", changes.summary());
    let settings = SheetSettings { quality: Quality::refined(4), ..SheetSettings::default() };
    let mut sheet = ComparedSheet::new(&title, &facts, changed.len(), 3, settings)?;
    let name_before = |name: &str| {
        let renamed = changes.renamed.iter().find(|renamed| renamed.new == name);
        renamed.map_or_else(|| name.to_owned(), |renamed| renamed.old.clone())
    };
    for (column, head) in [old, new, &painted].into_iter().enumerate() {
        // One camera for all, so that what moves in the sheet is the face, unless the unit is another one.
        let is_own = column > 0 && changes.unit.is_some();
        let camera = sheet.camera_of(if is_own { new } else { old });
        draw_with(column, head, &mut |renderer| {
            sheet.draw(
                (column, head),
                camera,
                changed.iter().map(|changed| match column {
                    0 => (
                        format!("{} before", name_before(changed.name)),
                        changed.weights(head, &name_before(changed.name)),
                    ),
                    1 => (format!("{} now", changed.name), changed.weights(head, changed.name)),
                    _ => {
                        let facts = format!("{:.1} mm, RMS {:.1} mm", changed.largest_mm(), changed.rms_mm());
                        (facts, changed.weights(head, changed.name))
                    }
                }),
                renderer,
            )
        })?;
    }
    Ok(Some(sheet.finish()))
}

/// A sheet with so many pictures of each expression; two expressions are side by side.
struct ComparedSheet {
    sheet: Sheet,
    title: String,
    heads: usize,
    size: [u32; 2],
    settings: SheetSettings,
}

impl ComparedSheet {
    pub(super) fn new(
        title: &str,
        facts: &str,
        expressions: usize,
        heads: usize,
        settings: SheetSettings,
    ) -> Result<Self, ExportError> {
        let size = [settings.cell_px, settings.cell_px.saturating_mul(5) / 4];
        let columns = if expressions > 1 { heads * 2 } else { heads };
        let grid = SheetGrid::new(expressions * heads, columns, size)?;
        Ok(Self { sheet: Sheet::new(grid, title, facts), title: title.to_owned(), heads, size, settings })
    }

    fn camera_of(&self, head: &Head) -> Camera {
        Camera::close_up_of(head, self.settings.part, self.settings.view, self.size[0] as f32 / self.size[1] as f32, [])
    }

    /// Draws the pictures of one head: the labels and the weights of each expression, one weight per target.
    fn draw(
        &mut self,
        (column, head): (usize, &Arc<Head>),
        camera: Camera,
        expressions: impl IntoIterator<Item = (String, Vec<f32>)>,
        renderer: &mut Renderer,
    ) -> Result<(), HeadNotUploaded> {
        for (row, (label, weights)) in expressions.into_iter().enumerate() {
            let scene = Scene {
                weights: weights.into(),
                mode: self.settings.mode,
                roles: self.roles_of(column, head),
                quality: self.settings.quality,
                ..Scene::at_rest(head, &camera, &self.settings.look, self.size)
            };
            let mut picture = renderer.new_picture(&scene, Pixels::Screen);
            renderer.draw_picture(&mut picture, &scene, None)?;
            self.sheet.place(row * self.heads + column, &label, &picture.into_image());
        }
        Ok(())
    }

    /// Materials of the last head show values: they are shaded as nothing in particular.
    fn roles_of(&self, column: usize, head: &Head) -> Arc<[Role]> {
        if column + 1 == self.heads { vec![Role::Other; head.materials.len()].into() } else { Arc::default() }
    }

    pub(super) fn finish(self) -> FinishedSheet {
        FinishedSheet { title: self.title, image: self.sheet.into_image() }
    }
}
