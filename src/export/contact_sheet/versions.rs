//! The expressions that changed most, drawn: before, now, and where they differ.

use std::sync::Arc;

use super::sheet::{Sheet, SheetGrid};
use super::{FinishedSheet, SheetSettings};
use crate::{Drawing, ExportError};
use smirk_face::head::{Head, HeadChanges, MatchedMesh, MovedTarget, Role};
use smirk_picture::render::Pixels;
use smirk_scene::{Camera, Quality, Scene};
use strum::{IntoStaticStr, VariantArray};

/// The most expressions.
const MOST: usize = 10;
/// The pictures of an expression: before, now and the difference.
const HEADS: usize = 3;

/// Which value is red in the pictures of what differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum SheetScale {
    /// The largest of all: what changed little beside it is hardly seen.
    #[default]
    All,
    /// The largest of each expression.
    Row,
    /// The largest of all, on a logarithmic scale, on which a tenth of a millimetre is seen.
    Log,
}

impl SheetScale {
    pub const ALL: &'static [Self] = Self::VARIANTS;
    /// On a logarithmic scale, this many millimetres are as good as none.
    const LEAST_MM: f32 = 0.05;

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::All => "One scale for all",
            Self::Row => "A scale for each expression",
            Self::Log => "One logarithmic scale",
        }
    }

    /// Where a value is on the scale, from 0 to 1, with the largest of all and of its expression.
    fn place(self, value_mm: f32, [of_all, of_row]: [f32; 2]) -> f32 {
        match self {
            Self::All => value_mm / of_all,
            Self::Row => value_mm / of_row.max(f32::MIN_POSITIVE),
            Self::Log => (1.0 + value_mm / Self::LEAST_MM).ln() / (1.0 + of_all / Self::LEAST_MM).ln(),
        }
    }

    fn legend(self, of_all: f32) -> String {
        match self {
            Self::All => format!("red is {of_all:.1} mm"),
            Self::Row => "a scale for each: red is its largest".into(),
            Self::Log => {
                let half = Self::LEAST_MM * ((1.0 + of_all / Self::LEAST_MM).sqrt() - 1.0);
                format!("logarithmic: red is {of_all:.1} mm, half of the scale {half:.1} mm")
            }
        }
    }
}

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
    scale: SheetScale,
    mut draw_with: impl FnMut(usize, &Arc<Head>, Drawing<'_>) -> Result<(), E>,
) -> Result<Option<FinishedSheet>, E> {
    let changed = Changed::most(changes);
    let Some(scale_mm) = changed.first().map(Changed::largest_mm) else { return Ok(None) };
    let values = changed.iter().flat_map(|changed| {
        let largest = [scale_mm, changed.largest_mm()];
        changed.targets.iter().filter_map(move |moved| {
            let mut distances = moved.distances_mm(old, new, meshes)?;
            distances.values.iter_mut().for_each(|(_, value)| *value = scale.place(*value, largest));
            Some(distances)
        })
    });
    let painted = Arc::new(new.painted(&values.collect::<Vec<_>>()));
    let title = format!("{} → {}", old.name, new.name);
    let facts = format!("{} · before, now, and the difference: {}", changes.summary(), scale.legend(scale_mm));
    let settings = SheetSettings { quality: Quality::refined(4), ..SheetSettings::default() };
    let size = [settings.cell_px, settings.cell_px * 5 / 4];
    // Two expressions are side by side.
    let columns = if changed.len() > 1 { HEADS * 2 } else { HEADS };
    let mut sheet = Sheet::new(SheetGrid::new(changed.len() * HEADS, columns, size)?, &title, &facts);
    sheet.fit_names(changed.iter().map(|changed| format!("{} before", changed.name)));
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
                sheet.place(row * HEADS + column, &label, &picture.into_image()?);
            }
            Ok(())
        })?;
    }
    Ok(Some(FinishedSheet { title, image: sheet.into_image() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_change_beside_a_large_one_is_seen_on_the_scales_that_are_chosen() {
        let (large, small) = (45.8, 2.9);
        let place = |scale: SheetScale| scale.place(small, [large, small]);
        assert!(place(SheetScale::All) < 0.07);
        assert_eq!(place(SheetScale::Row), 1.0);
        assert!(place(SheetScale::Log) > 0.5);
        for scale in SheetScale::ALL {
            let ends = [0.0, large].map(|value| scale.place(value, [large, large]));
            assert!(ends[0] == 0.0 && (ends[1] - 1.0).abs() < 1e-6, "{scale:?}: {ends:?}");
        }
        assert_eq!(SheetScale::All.legend(large), "red is 45.8 mm");
        assert_eq!(SheetScale::Log.legend(large), "logarithmic: red is 45.8 mm, half of the scale 1.5 mm");
    }
}
