//! The blend channels of a mesh as targets.

use std::collections::HashMap;

use super::shapes::{PointVertices, ShapeSum, deltas_of};
use crate::import::mesh::TARGET_BYTES;
use crate::import::{Fault, Import, UniqueNames};
use smirk_face::head::{InBetween, Kind, Mesh, Notes, Subject, Target};

/// The blend channels of a mesh, in the order of its targets.
pub(super) fn channels_of(mesh: &ufbx::Mesh) -> impl Iterator<Item = &ufbx::BlendChannel> {
    mesh.blend_deformers.into_iter().flat_map(|deformer| &deformer.channels)
}

pub(super) fn read(
    file_mesh: &ufbx::Mesh,
    mesh: &Mesh,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<Vec<Target>, Fault> {
    let names = names(file_mesh, subject, &mut import.notes);
    import.budget.spend((names.len() * TARGET_BYTES) as u64, subject)?;
    let vertices = PointVertices::new(&mesh.vertices.control_points, file_mesh.num_vertices);
    let mut targets = Vec::with_capacity(names.len());
    for (index, (channel, name)) in channels_of(file_mesh).zip(names).enumerate() {
        import.tick()?;
        let subject = subject.part(Subject::numbered_and_named(Kind::Target, index, &name));
        let mut target = target_of(channel, &vertices, &subject, import)?;
        target.name = name;
        let weight = channel.weight as f32;
        target.default_weight = if weight.is_finite() { weight } else { 0.0 };
        targets.push(target);
    }
    Ok(targets)
}

/// The names of the channels, each once. Maya puts the name of the deformer before that of the channel, with a point
/// between them. It is left out, unless another channel of the mesh has the same name without it. A channel without a
/// name, such as ZBrush writes, has that of its last shape.
fn names(mesh: &ufbx::Mesh, subject: &Subject, notes: &mut Notes) -> Vec<String> {
    let mut names = Vec::new();
    for deformer in &mesh.blend_deformers {
        for channel in &deformer.channels {
            let of_shape = channel.keyframes.last().map(|key| &*key.shape.element.name);
            let mut candidates = std::iter::once(&*channel.element.name).chain(of_shape);
            let full =
                candidates.find(|full| !without_prefix(full, &deformer.element.name).is_empty()).unwrap_or_default();
            names.push((full, without_prefix(full, &deformer.element.name)));
        }
    }
    let mut uses: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|(_, own)| *uses.entry(own).or_default() += 1);
    let mut unique = UniqueNames::default();
    let mut channels = Vec::with_capacity(names.len());
    for (index, (full, own)) in names.iter().enumerate() {
        let wanted = if uses.get(own) == Some(&1) { *own } else { *full };
        let wanted = if wanted.is_empty() { format!("target {index}") } else { wanted.to_owned() };
        let name = unique.make(wanted.clone());
        if name != wanted {
            let subject = subject.part(Subject::numbered_and_named(Kind::Target, index, &name));
            notes.inform(subject, "was renamed: another target has the same name");
        }
        channels.push(name);
    }
    channels
}

fn without_prefix<'a>(full: &'a str, deformer: &str) -> &'a str {
    full.strip_prefix(deformer).and_then(|rest| rest.strip_prefix('.')).unwrap_or(full)
}

/// The target of a channel, without its name. A channel is piecewise linear in its weight, through its shapes at their
/// full weights and through the base at 0. The same function with a corner at 1, which need not be a full weight, is a
/// target with in-betweens.
fn target_of(
    channel: &ufbx::BlendChannel,
    vertices: &PointVertices,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<Target, Fault> {
    // Closer to 0 or to another shape than this, the line between the two has no usable direction.
    let least = f64::from(InBetween::SMALLEST_STEP);
    let mut keys: Vec<_> = channel
        .keyframes
        .iter()
        .filter(|key| key.target_weight.is_finite() && key.target_weight.abs() >= least)
        .collect();
    keys.sort_by(|a, b| a.target_weight.total_cmp(&b.target_weight));
    keys.dedup_by(|next, first| next.target_weight - first.target_weight < least);
    if keys.len() < channel.keyframes.len() {
        let count = channel.keyframes.len() - keys.len();
        let message = format!("{count} of its shapes have the full weight 0, that of another shape, or none; left out");
        import.notes.warn(subject, message);
    }
    let mut target = Target::default();
    let own = corners_at_one(&keys);
    let deltas = deltas_of(&own, vertices, subject, import)?;
    (target.rows, target.positions, target.normals) = (deltas.rows, deltas.positions, deltas.normals);
    if let [_] = keys[..] {
        return Ok(target);
    }
    let mut in_betweens = Vec::new();
    for key in keys.iter().filter(|key| key.target_weight != 1.0) {
        let deltas = deltas_of(&[ShapeSum { shape: &key.shape, share: 1.0 }], vertices, subject, import)?;
        in_betweens.push(InBetween {
            name: key.shape.element.name.to_string(),
            full_weight: key.target_weight as f32,
            rows: deltas.rows,
            positions: deltas.positions,
            normals: deltas.normals,
            ..InBetween::default()
        });
    }
    for rejected in target.set_in_betweens(in_betweens) {
        let message = format!("has another shape at or next to weight {}; left out", rejected.full_weight);
        import.notes.warn(subject, message);
    }
    Ok(target)
}

/// The shapes that a channel shows at weight 1, and the share of each. `keys` are in the order of their full weights.
fn corners_at_one<'a>(keys: &[&'a ufbx::BlendKeyframe]) -> Vec<ShapeSum<'a>> {
    let mut corners: Vec<(f64, Option<&'a ufbx::BlendShape>)> =
        keys.iter().map(|key| (key.target_weight, Some(key.shape.as_ref()))).collect();
    corners.push((0.0, None));
    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The corners around 1, or the last two, whose line continues.
    let next = corners.partition_point(|(weight, _)| *weight < 1.0).clamp(1, corners.len().max(2) - 1);
    let [from, to] = [corners.get(next - 1), corners.get(next)];
    let (Some(&(from_weight, from)), Some(&(to_weight, to))) = (from, to) else { return Vec::new() };
    let share = (1.0 - from_weight) / (to_weight - from_weight);
    let shapes = [(from, 1.0 - share), (to, share)];
    shapes.into_iter().filter_map(|(shape, share)| Some(ShapeSum { shape: shape?, share })).collect()
}
