//! The expressions that changed most, drawn: before, now, and where they differ.

use std::sync::Arc;

use super::sheet::{Sheet, SheetGrid};
use super::{FinishedSheet, SheetSettings};
use crate::{Drawing, ExportError};
use smirk_face::head::{Head, HeadChanges, MatchedMesh, MovedTarget, Role};
use smirk_picture::render::Pixels;
use smirk_scene::{Camera, Quality, Scene};

/// The most expressions.
const MOST: usize = 10;
/// The pictures of an expression: before, now and the difference.
const HEADS: usize = 3;

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
}

fn weights(head: &Head, channel: &str) -> Vec<f32> {
    let mut weights = head.default_weights();
    if let Some(channel) = head.channels.iter().position(|other| other.name == channel) {
        head.show_channel(channel, 1.0, &[], &mut weights);
    }
    head.resolve(&mut weights);
    weights
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
    let size = [settings.cell_px, settings.cell_px * 5 / 4];
    // Two expressions are side by side.
    let columns = if changed.len() > 1 { HEADS * 2 } else { HEADS };
    let mut sheet = Sheet::new(SheetGrid::new(changed.len() * HEADS, columns, size)?, &title, &facts);
    for (column, head) in [old, new, &painted].into_iter().enumerate() {
        // One camera for all, so that what moves in the sheet is the face, unless the unit is another one.
        let of_camera = if column > 0 && changes.unit.is_some() { new } else { old };
        let aspect = size[0] as f32 / size[1] as f32;
        let camera = Camera::close_up_of(of_camera, settings.part, settings.view, aspect, []);
        // Materials of the last head show values: they are shaded as nothing in particular.
        let roles: Arc<[Role]> =
            if column == 2 { vec![Role::Other; head.materials.len()].into() } else { Arc::default() };
        draw_with(column, head, &mut |renderer| {
            for (row, changed) in changed.iter().enumerate() {
                let renamed = changes.renamed.iter().find(|renamed| column == 0 && renamed.new == changed.name);
                let name = renamed.map_or(changed.name, |renamed| renamed.old.as_str());
                let label = match column {
                    0 => format!("{name} before"),
                    1 => format!("{name} now"),
                    _ => format!("{:.1} mm, RMS {:.1} mm", changed.largest_mm(), changed.rms_mm()),
                };
                let scene = Scene {
                    weights: weights(head, name).into(),
                    mode: settings.mode,
                    roles: Arc::clone(&roles),
                    quality: settings.quality,
                    ..Scene::at_rest(head, &camera, &settings.look, size)
                };
                let mut picture = renderer.new_picture(&scene, Pixels::Screen);
                renderer.draw_picture(&mut picture, &scene, None)?;
                sheet.place(row * HEADS + column, &label, &picture.into_image());
            }
            Ok(())
        })?;
    }
    Ok(Some(FinishedSheet { title, image: sheet.into_image() }))
}
