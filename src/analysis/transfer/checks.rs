//! What an artist sees first, measured without the truth: whether lids close, lips part and meet, and nothing turns
//! inside out.

use std::ops::Range;

use glam::{DMat3, DVec3};
use serde::Serialize;

use super::landmarks::SYMMETRIC;
use super::raster::{Raster, View};
use super::registration::{Quality, UNIT_MM};
use super::skin::Skin;
use super::welded::Welded;

/// A number that is measured, and whether it is as it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub wanted: Range<f64>,
    /// Beyond it, the shapes are refused.
    pub accepted: Range<f64>,
    /// What to do then.
    #[serde(skip)]
    pub advice: &'static str,
    /// The shapes that it is about.
    #[serde(skip)]
    pub shapes: Vec<String>,
}

impl Check {
    pub fn is_passed(&self) -> bool {
        self.wanted.contains(&self.value)
    }

    pub(super) fn new(
        name: &'static str,
        value: f64,
        unit: &'static str,
        wanted: Range<f64>,
        accepted: Range<f64>,
    ) -> Self {
        Self { name, value, unit, wanted, accepted, advice: "", shapes: Vec::new() }
    }

    pub(super) fn about<S: Into<String>>(self, shapes: impl IntoIterator<Item = S>, advice: &'static str) -> Self {
        Self { shapes: shapes.into_iter().map(Into::into).collect(), advice, ..self }
    }

    /// Why the shapes are refused, in one sentence; none if they are not.
    pub fn refusal(&self) -> Option<String> {
        let Self { name, value, unit, accepted, advice, .. } = self;
        let limit = if *value < accepted.start { accepted.start } else { accepted.end };
        let word = if *value < accepted.start { "at least" } else { "at most" };
        let reason = format!("{name}: {value:.1}{unit}, where {word} {limit}{unit} is accepted; {advice}");
        (!accepted.contains(value)).then_some(reason)
    }

    /// One sentence.
    pub fn in_words(&self) -> String {
        let Self { name, value, unit, wanted, .. } = self;
        let wanted = match (wanted.start > 0.0, wanted.end.is_finite()) {
            (true, true) => format!("{} to {}", wanted.start, wanted.end),
            (true, false) => format!("at least {}", wanted.start),
            _ => format!("less than {}", wanted.end),
        };
        format!("{name}: {value:.2}{unit} (wanted: {wanted}{unit})")
    }
}

impl Quality {
    /// Why shapes carried over by this registration would be wrong, in one sentence; none if they would not be.
    pub fn refusal(&self) -> Option<String> {
        let Self { distance_mm, without_counterpart, stretch, stretch_in_places, landmarks_mm, .. } = *self;
        let reasons = [
            (distance_mm > 2.0, format!("the two faces stay {distance_mm:.1} mm apart")),
            (
                without_counterpart > 0.25,
                format!("{:.0} % of the moving skin has no counterpart", without_counterpart * 100.0),
            ),
            (
                stretch > 0.7 || stretch_in_places > 0.35,
                format!("the skin would be stretched by {:.0} %", (stretch.exp() - 1.0) * 100.0),
            ),
            (landmarks_mm > 10.0, format!("the features of the faces are {landmarks_mm:.1} mm apart")),
        ];
        reasons.into_iter().find(|(is_bad, _)| *is_bad).map(|(_, reason)| reason)
    }

    /// What may be wrong, each in one sentence.
    pub fn warnings(&self) -> Vec<String> {
        let Self { distance_mm, without_counterpart, stretch, landmarks_mm, is_lopsided, slit, .. } = *self;
        let warnings = [
            (distance_mm > 1.0, format!("the faces stay {distance_mm:.1} mm apart in places")),
            (
                without_counterpart > 0.02,
                format!("{:.0} % of the moving skin has no counterpart", without_counterpart * 100.0),
            ),
            (stretch > 0.22, format!("the skin is stretched by {:.0} % in places", (stretch.exp() - 1.0) * 100.0)),
            (landmarks_mm > 6.0, format!("the features of the faces are {landmarks_mm:.1} mm apart")),
            (is_lopsided, "a feature is not where its mirror image is: look at the points".into()),
            (slit < 0.5, "the lips hardly part at rest: look at the corners of the mouth".into()),
        ];
        warnings.into_iter().filter(|(is_so, _)| *is_so).map(|(_, warning)| warning).collect()
    }
}

/// Of both eyes: the part of the opening at rest in which the eyeball is still seen with these displacements, and the
/// part beside it in which the eyeball comes through the skin; both in percent of the opening.
pub(super) fn eyes_seen(head: &Welded, skin: &Skin, displacements: &[DVec3]) -> [f64; 2] {
    let landmarks = &skin.landmarks;
    let is_eye = |piece: u32| landmarks.eyes.iter().any(|eye| eye.pieces.contains(&piece));
    let shown: Vec<[u32; 3]> = head
        .triangles
        .iter()
        .copied()
        .filter(|triangle| head.piece(*triangle) == landmarks.skin || is_eye(head.piece(*triangle)))
        .collect();
    let mut moved = head.points.clone();
    for (&point, displacement) in skin.of_head.iter().zip(displacements) {
        moved[point as usize] += *displacement;
    }
    let mut sums = [0.0; 2];
    for eye in &landmarks.eyes {
        let reach = 0.4 * landmarks.unit;
        let seen = [&head.points, &moved].map(|points| {
            let view = View {
                rotation: DMat3::IDENTITY,
                x: eye.center.x - reach..eye.center.x + reach,
                y: eye.center.y - reach..eye.center.y + reach,
                pixel: landmarks.unit / 200.0,
            };
            let triangles = Raster::new(points, &shown, view).triangles;
            triangles.into_iter().map(|it| it.is_some_and(|it| is_eye(head.piece(shown[it as usize])))).collect()
        });
        let [before, after]: [Vec<bool>; 2] = seen;
        let opening = before.iter().filter(|seen| **seen).count().max(1) as f64;
        let both = before.iter().zip(&after);
        sums[0] += both.clone().filter(|(before, after)| **before && **after).count() as f64 / opening;
        sums[1] += both.filter(|(before, after)| !**before && **after).count() as f64 / opening;
    }
    sums.map(|sum| sum / 2.0 * 100.0)
}

/// How far a movement of one side is from the mirrored one of the other, relative to it, in percent; none if the skin
/// is not its own mirror image.
pub(super) fn mirror_difference(skin: &Skin, left: &[DVec3], right: &[DVec3]) -> Option<f64> {
    let landmarks = &skin.landmarks;
    if landmarks.mirror_distance > SYMMETRIC {
        return None;
    }
    let nearest = skin.nearest_seen();
    let (mut difference, mut whole) = (0.0, 0.0);
    for (at, &moved) in left.iter().enumerate().filter(|(at, _)| skin.is_seen[*at]) {
        let image = landmarks.mirrored(skin.points[at]);
        let Some(other) = nearest.find(image, 0.02 * landmarks.unit) else { continue };
        let mirrored = landmarks.mirrored(right[other as usize] + landmarks.origin) - landmarks.origin;
        difference += skin.areas[at] * moved.distance_squared(mirrored);
        whole += skin.areas[at] * moved.length_squared();
    }
    (whole > 0.0).then(|| (difference / whole).sqrt() * 100.0)
}

/// The checks of lips, from how far they part in their middle by the source's shapes and by the carried ones: with
/// jawOpen, and with jawOpen and mouthClose.
pub(super) fn lips(unit: f64, open: Option<[f64; 2]>, closed: Option<[f64; 2]>) -> Vec<Check> {
    const LIPS: &str = "put the corners of the mouth where the lips end";
    let mm = UNIT_MM / unit;
    let open = open.map(|[source, own]| {
        Check::new("lips parted by jawOpen, of the source's", own / source * 100.0, " %", 90.0..110.0, 50.0..150.0)
            .about(["jawOpen"], LIPS)
    });
    let closed = closed.map(|[_, own]| {
        Check::new("lips parted by jawOpen and mouthClose", own.abs() * mm, " mm", 0.0..1.0, 0.0..5.0)
            .about(["jawOpen", "mouthClose"], LIPS)
    });
    open.into_iter().chain(closed).collect()
}
