//! A mapping from the channels of one head to those of another, fitted to how far both move their vertices.

use glam::{Mat4, Vec3};

use super::{FrameFault, Frames, MatchedPoints, SolveError, SolveSettings, SolvedChannels, Solver};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Points, Version};
use smirk_face::motion::{ColumnMap, DrivenChannel, TakeMap};

/// A mapping that moves a head as another version of it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedMapping {
    /// A column for each channel of the other version that moves something.
    pub map: TakeMap,
    /// For each column what the head cannot show of it, in millimetres: the root of the mean square, and the largest
    /// distance.
    pub left_mm: Vec<[f32; 2]>,
}

/// A smaller weight is left out.
const LEAST_WEIGHT: f32 = 0.02;

/// Fits the channels of a head to those of another version of it: the columns are named after the channels of the other
/// version, of which `is_wanted` is asked by name. Each takes a solution of its own.
pub fn fit_mapping(
    head: &Head,
    version: &Version,
    is_wanted: impl Fn(&str) -> bool,
    progress: Progress<'_>,
) -> Result<FittedMapping, SolveError> {
    let other = &version.head;
    let (mut own, mut places) = (Vec::new(), Vec::new());
    let of_vertices = head.meshes.iter().enumerate().map(|(mesh, of)| {
        let point = |vertex: usize| {
            let (other_mesh, other_vertex) = version.counterpart(mesh, vertex)?;
            own.push((mesh, vertex as u32));
            places.push((other_mesh, other_vertex as u32));
            Some(own.len() as u32 - 1)
        };
        (0..of.vertices.len()).map(point).collect()
    });
    let of_vertices = of_vertices.collect();
    let matched = MatchedPoints { of_vertices, head_from_frames: Mat4::IDENTITY };
    let at_rest = |head: &Head, places: Vec<(usize, u32)>| {
        let (points, mut positions) = (Points { of_vertices: Vec::new(), places }, Vec::new());
        let mut weights = head.default_weights();
        head.resolve(&mut weights);
        head.add_positions(&points, &weights, &head.rest_pose, &mut positions);
        (points, positions)
    };
    let (_, own_rest) = at_rest(head, own);
    let (points, other_rest) = at_rest(other, places);
    let moving = (0..other.channels.len()).filter(|&channel| other.correctives.of_channel(channel).is_none());
    let wanted = moving.filter(|&channel| is_wanted(&other.channels[channel].name));
    let channels: Vec<usize> = wanted.filter(|&channel| other.moves_any(channel)).collect();
    let movements = Movements { other, channels, points, own_rest, other_rest, unit: version.unit() };
    // The columns of a take drive channels besides those that they are fitted to: small weights of many would add up.
    let settings = SolveSettings {
        channels: if head.target_channels().is_empty() { SolvedChannels::Expressions } else { SolvedChannels::Shapes },
        bounds: [-1.0, 2.0],
        ridge_mm2: 1e-6,
        finds_motion: false,
        ..SolveSettings::default()
    };
    let solver = Solver::new(head, &matched, &settings, progress.part(0.0..0.3))?;
    let solution = solver.solve(&movements, progress.part(0.3..1.0))?;
    let mut fitted = FittedMapping { map: TakeMap::default(), left_mm: Vec::new() };
    for (frame, &channel) in movements.channels.iter().enumerate() {
        let weights = solution.channels.iter().zip(solution.frame(frame));
        let driven = |(&own, &weight): (&usize, &f32)| DrivenChannel {
            channel: head.channels[own].full_name.clone(),
            weight: Some((weight * 1000.0).round() / 1000.0),
        };
        let driven: Vec<DrivenChannel> =
            weights.filter(|(_, weight)| weight.abs() >= LEAST_WEIGHT).map(driven).collect();
        let (Some(residual), false) = (solution.residuals[frame], driven.is_empty()) else { continue };
        let column = other.channels[channel].name.clone();
        fitted.map.columns.push(ColumnMap { column, channels: driven, ..ColumnMap::default() });
        fitted.left_mm.push([residual.rms_mm, residual.largest_mm]);
    }
    Ok(fitted)
}

impl FittedMapping {
    /// The movement of each column that the mapping does not show, in words; the column with the largest comes first.
    pub fn left_in_words(&self) -> Vec<String> {
        let mut columns: Vec<(&str, [f32; 2])> =
            self.map.columns.iter().map(|column| column.column.as_str()).zip(self.left_mm.iter().copied()).collect();
        columns.sort_by(|a, b| b.1[1].total_cmp(&a.1[1]));
        columns.into_iter().map(|(name, [_, largest])| format!("{name} {largest:.2} mm")).collect()
    }
}

/// The head at rest with the displacements that one channel of another version causes at weight 1, channel by channel.
struct Movements<'a> {
    other: &'a Head,
    channels: Vec<usize>,
    points: Points,
    own_rest: Vec<Vec3>,
    other_rest: Vec<Vec3>,
    /// Units of the head in one unit of the other version.
    unit: f32,
}

impl Frames for Movements<'_> {
    fn count(&self) -> usize {
        self.channels.len()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        let other = self.other;
        let mut weights = other.default_weights();
        other.show_channel(self.channels[frame], 1.0, &[], &mut weights);
        other.resolve(&mut weights);
        other.add_positions(&self.points, &weights, &other.rest_pose, positions);
        for (position, (own, rest)) in positions.iter_mut().zip(self.own_rest.iter().zip(&self.other_rest)) {
            *position = *own + (*position - *rest) * self.unit;
        }
        Ok(())
    }
}
