//! The expressions that changed most, drawn: before, now, and where they differ.

use std::sync::Arc;

use crate::blend::Precision;
use crate::cli::draw::renderer_of;
use crate::cli::progress_line::ProgressLine;
use crate::export::{ComparedSheet, FinishedSheet, SheetSettings};
use crate::head::{Head, HeadChanges, MatchedMesh, MovedTarget};
use crate::scene::Quality;

/// The most expressions that are drawn.
const MOST: usize = 10;

/// An expression that changed, with its targets on all meshes.
struct Changed<'a> {
    name: &'a str,
    targets: Vec<&'a MovedTarget>,
}

impl<'a> Changed<'a> {
    /// The expressions that changed most.
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

    /// The weights that show it on a head whose name for it is `name`.
    fn weights(&self, head: &Head, name: &str) -> Vec<f32> {
        let mut weights = head.default_weights();
        let channel = head.channels.iter().find(|channel| channel.name == name);
        for &target in channel.iter().flat_map(|channel| &channel.targets) {
            if let Some(weight) = weights.get_mut(target) {
                *weight = 1.0;
            }
        }
        head.resolve_expressions(&mut weights);
        weights
    }
}

/// Draws the sheet; none if no target has moved.
pub(super) fn sheet(
    [old, new]: [&Arc<Head>; 2],
    meshes: &[MatchedMesh],
    changes: &HeadChanges,
) -> anyhow::Result<Option<FinishedSheet>> {
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
    let progress = ProgressLine::new();
    let name_before = |name: &str| {
        let renamed = changes.renamed.iter().find(|renamed| renamed.new == name);
        renamed.map_or_else(|| name.to_owned(), |renamed| renamed.old.clone())
    };
    for (column, head) in [old, new, &painted].into_iter().enumerate() {
        progress.show(&format!("pictures of head {} of 3", column + 1));
        // One camera for all, so that what moves in the sheet is the face, unless the unit is another one.
        let is_own = column > 0 && changes.unit.is_some();
        let camera = sheet.camera_of(if is_own { new } else { old });
        let expression = |changed: &Changed<'_>| match column {
            0 => (format!("{} before", name_before(changed.name)), changed.weights(head, &name_before(changed.name))),
            1 => (format!("{} now", changed.name), changed.weights(head, changed.name)),
            _ => {
                let facts = format!("{:.1} mm, RMS {:.1} mm", changed.largest_mm(), changed.rms_mm());
                (facts, changed.weights(head, changed.name))
            }
        };
        let (gpu, mut renderer) = renderer_of(head, Precision::default())?;
        gpu.attempt(|| sheet.draw((column, head), camera, changed.iter().map(expression), &mut renderer))??;
    }
    progress.clear();
    Ok(Some(sheet.finish()))
}
