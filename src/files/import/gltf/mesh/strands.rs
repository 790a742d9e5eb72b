//! Guide curves of hair: a primitive of lines whose `extras.strands` says how strands are grown between them. glTF has
//! no curves; other programs show the guides as lines, or leave them out.

use glam::Vec3;
use gltf::json;
use gltf::json::mesh::Mode;
use gltf::json::validation::Checked;
use serde_json::Value;

use super::primitive::{Attributes, read_attributes, read_indices};
use crate::import::gltf::read::Accessors;
use crate::import::gltf::surface::UvSets;
use crate::import::{Fault, Import};
use smirk_face::head::{Growth, GuidePoint, Strands, Subject};

/// How strands grow between the lines of a primitive; none if it is no primitive of guides.
pub(super) fn growth_of(primitive: &json::mesh::Primitive) -> Option<Growth> {
    let is_lines = matches!(primitive.mode, Checked::Valid(Mode::Lines | Mode::LineStrip));
    let extras: Value = serde_json::from_str(primitive.extras.as_ref().filter(|_| is_lines)?.get()).ok()?;
    let strands = extras.get("strands")?.as_object()?;
    Some(Growth::from_named(|name| strands.get(name).and_then(Value::as_f64).map(|number| number as f32)))
}

/// Reads the guides of a primitive; none, with a note, if it has none that can be used.
pub(super) fn read_strands(
    accessors: &Accessors<'_>,
    primitive: &json::mesh::Primitive,
    (material, growth): (usize, Growth),
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<Option<Strands>, Fault> {
    let uv_sets = UvSets { first: 0, second: None };
    let Some(attributes) = read_attributes(accessors, primitive, uv_sets, subject, import)? else {
        return Ok(None);
    };
    let indices = read_indices(accessors, primitive, attributes.positions.len(), subject)?;
    import.budget.spend((indices.len() * size_of::<GuidePoint>()) as u64, subject)?;
    let is_strip = matches!(primitive.mode, Checked::Valid(Mode::LineStrip));
    let mut strands = Strands { material, growth, ..Strands::default() };
    let mut left_out = 0;
    for line in lines(&indices, is_strip) {
        let is_usable = (2..=Strands::MOST_POINTS).contains(&line.len())
            && line.iter().all(|&vertex| !attributes.is_broken[vertex as usize])
            && strands.guide_count() < Strands::MOST_GUIDES;
        if is_usable {
            strands.push(line.iter().map(|&vertex| point(&attributes, vertex as usize)));
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        let (most, points) = (Strands::MOST_GUIDES, Strands::MOST_POINTS);
        let limits = format!("at most {most} guides of 2 to {points} points are used");
        import.notes.warn(subject, format!("{left_out} guides of its hair are left out; {limits}"));
    }
    if attributes.normals.is_none() {
        point_outwards(&mut strands);
    }
    Ok((strands.guide_count() > 0).then_some(strands))
}

fn point(attributes: &Attributes, vertex: usize) -> GuidePoint {
    let normal = attributes.normals.as_ref().map_or(Vec3::Y, |normals| normals[vertex]);
    // Normals of unit length stay as they are, bit for bit.
    let normal = if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or(Vec3::Y) };
    let [r, g, b, _] = attributes.colors.as_ref().map_or([1.0; 4], |colors| colors[vertex]);
    GuidePoint { position: attributes.positions[vertex], normal, color: [r, g, b] }
}

fn lines(indices: &[u32], is_strip: bool) -> Vec<Vec<u32>> {
    if is_strip {
        return vec![indices.to_vec()];
    }
    // Pairs (a, b), (b, c), (c, d) are one run.
    let runs = indices.as_chunks::<2>().0.chunk_by(|before, after| before[1] == after[0]);
    let vertices =
        |run: &[[u32; 2]]| run.first().map(|pair| pair[0]).into_iter().chain(run.iter().map(|pair| pair[1])).collect();
    runs.map(vertices).collect()
}

/// Sets the normals of guides without any: away from the middle of the roots.
fn point_outwards(strands: &mut Strands) {
    let roots = (0..strands.guide_count()).filter_map(|guide| strands.guide(guide).first());
    let middle = roots.map(|root| root.position).sum::<Vec3>() / strands.guide_count().max(1) as f32;
    for point in &mut strands.points {
        point.normal = (point.position - middle).normalize_or(Vec3::Y);
    }
}
