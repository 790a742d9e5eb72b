//! The base attributes and the triangles of one primitive (glTF 2.0 §3.7.2.1).

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::Index;
use gltf::json::accessor::Accessor;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::skins::InfluenceSet;
use crate::import::gltf::read::Accessors;
use crate::import::gltf::surface::UvSets;
use crate::import::{Fault, Import, Problem};
use smirk_face::head::{Notes, Subject};

/// A primitive's attributes per vertex, none for those it lacks; each list has one element per position. Normals and
/// tangents are not normalised yet: [`normalize_directions`](super::unit_directions::normalize_directions) does that
/// together with their deltas.
pub(super) struct Attributes {
    pub positions: Vec<Vec3>,
    pub normals: Option<Vec<Vec3>>,
    pub tangents: Option<Vec<Vec4>>,
    /// By [`UvSet`](smirk_face::head::UvSet): first, then second.
    pub uvs: [Option<Vec<Vec2>>; 2],
    pub colors: Option<Vec<[f32; 4]>>,
    /// JOINTS_n with WEIGHTS_n.
    pub influences: Vec<InfluenceSet>,
    /// Whether the file's position is not finite. Such a vertex has the position of another one, and no triangle may
    /// use it.
    pub is_broken: Vec<bool>,
}

pub(super) fn attribute(primitive: &json::mesh::Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    primitive.attributes.get(&Checked::Valid(semantic)).copied()
}

/// Reads a primitive's base attributes; none, with a note, if it has no positions.
pub(super) fn read_attributes(
    accessors: &Accessors<'_>,
    primitive: &json::mesh::Primitive,
    uv_sets: UvSets,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<Option<Attributes>, Fault> {
    let Some(positions) = attribute(primitive, Semantic::Positions) else {
        import.notes.warn(subject, "has no POSITION; skipped");
        return Ok(None);
    };
    let positions = accessors.read::<3>(positions, subject)?;
    let count = positions.len();
    if count == 0 {
        let problem = Problem::new("its POSITION accessor has 0 elements").advise("glTF needs at least 1");
        return Err(Fault::invalid(subject, problem));
    }
    let mut reader = AttributeReader { accessors, primitive, subject, count, notes: &mut import.notes };
    let is_broken: Vec<bool> = positions.iter().map(|position| !position.iter().all(|x| x.is_finite())).collect();
    let broken_count = is_broken.iter().filter(|broken| **broken).count();
    if broken_count > 0 {
        reader
            .warn(format!("{broken_count} of {count} positions are not finite; triangles that use them are left out"));
    }
    // Broken vertices get the first valid position, so that they do not widen the bounding box.
    let replacement =
        positions.iter().zip(&is_broken).find(|(_, broken)| !**broken).map_or([0.0; 3], |(&position, _)| position);
    let positions = positions
        .iter()
        .zip(&is_broken)
        .map(|(&position, &broken)| Vec3::from_array(if broken { replacement } else { position }))
        .collect();

    let normals = reader.read::<3>(Semantic::Normals)?;
    let normals = normals.map(|normals| normals.into_iter().map(Vec3::from_array).collect::<Vec<_>>());
    // Without normals, tangents are to be ignored (glTF 2.0 §3.7.2.1).
    let tangents = if normals.is_some() { reader.read::<4>(Semantic::Tangents)? } else { None };
    let mut uvs = [None, None];
    for (uvs, set) in uvs.iter_mut().zip(std::iter::once(uv_sets.first).chain(uv_sets.second)) {
        let of_file = reader.read::<2>(Semantic::TexCoords(set))?;
        *uvs = of_file.map(|uvs| uvs.into_iter().map(Vec2::from_array).collect::<Vec<_>>());
    }
    let colors = reader.read_colors()?;
    let mut influences = Vec::new();
    for set in 0.. {
        if attribute(primitive, Semantic::Joints(set)).is_none() {
            break;
        }
        let Some(joints) = reader.accessor(Semantic::Joints(set)) else { continue };
        // Any number of sets may name the same accessor.
        import.budget.spend((count * (size_of::<[u32; 4]>() + size_of::<[f32; 4]>())) as u64, subject)?;
        let joints = accessors.read_integers::<4>(joints, subject)?;
        let weights = reader.read::<4>(Semantic::Weights(set))?;
        match weights.filter(|weights| weights.len() == joints.len()) {
            Some(weights) => influences.push(InfluenceSet { joints, weights }),
            None => reader.warn(format!("JOINTS_{set} has no WEIGHTS_{set} of its length; ignored")),
        }
    }
    Ok(Some(Attributes {
        positions,
        normals,
        tangents: tangents.map(|tangents| tangents.into_iter().map(Vec4::from_array).collect()),
        uvs,
        colors,
        influences,
        is_broken,
    }))
}

struct AttributeReader<'a> {
    accessors: &'a Accessors<'a>,
    primitive: &'a json::mesh::Primitive,
    subject: &'a Subject,
    count: usize,
    notes: &'a mut Notes,
}

impl AttributeReader<'_> {
    fn warn(&mut self, message: String) {
        self.notes.warn(self.subject, message);
    }

    /// The accessor of an attribute that can be left out, if the primitive has it and the file has the accessor.
    fn accessor(&mut self, semantic: Semantic) -> Option<Index<Accessor>> {
        let index = attribute(self.primitive, semantic.clone())?;
        if !self.accessors.exists(index) {
            let (name, index, count) = (semantic.to_string(), index.value(), self.accessors.len());
            self.warn(format!("{name} refers to accessor {index}, the file has {count} of them; ignored"));
            return None;
        }
        Some(index)
    }

    /// An attribute with one value per vertex, if the primitive has it. Values that are not finite become 0, with a
    /// note.
    fn read<const N: usize>(&mut self, semantic: Semantic) -> Result<Option<Vec<[f32; N]>>, Fault> {
        let name = semantic.to_string();
        let Some(index) = self.accessor(semantic) else { return Ok(None) };
        let mut values = self.accessors.read::<N>(index, self.subject)?;
        if values.len() != self.count {
            self.warn(format!("{name} has {} elements for {} vertices; ignored", values.len(), self.count));
            return Ok(None);
        }
        let mut repaired = 0;
        for value in values.iter_mut().filter(|value| !value.iter().all(|x| x.is_finite())) {
            *value = [0.0; N];
            repaired += 1;
        }
        if repaired > 0 {
            self.warn(format!("{repaired} of {} values of {name} are not finite; set to 0", self.count));
        }
        Ok(Some(values))
    }

    fn read_colors(&mut self) -> Result<Option<Vec<[f32; 4]>>, Fault> {
        let Some(index) = self.accessor(Semantic::Colors(0)) else { return Ok(None) };
        let colors = if self.accessors.width(index, self.subject)? == 3 {
            self.read::<3>(Semantic::Colors(0))?
                .map(|colors| colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect::<Vec<_>>())
        } else {
            self.read::<4>(Semantic::Colors(0))?
        };
        Ok(colors.map(|colors| colors.into_iter().map(|color| color.map(|channel| channel.clamp(0.0, 1.0))).collect()))
    }
}

/// A primitive's triangles, as indices into its own `vertex_count` vertices; none, with a note, for points and lines.
pub(super) fn read_triangles(
    accessors: &Accessors<'_>,
    primitive: &json::mesh::Primitive,
    vertex_count: usize,
    subject: &Subject,
    notes: &mut Notes,
) -> Result<Option<Vec<u32>>, Fault> {
    let mode = match primitive.mode {
        Checked::Valid(mode) => mode,
        Checked::Invalid => return Err(Fault::invalid(subject, "its mode is none of glTF's 0 to 6")),
    };
    if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
        notes.warn(subject, format!("is drawn as {mode:?}, not as triangles; skipped"));
        return Ok(None);
    }
    let indices = read_indices(accessors, primitive, vertex_count, subject)?;
    Ok(Some(match mode {
        Mode::TriangleStrip => {
            // Every second triangle of a strip has the opposite winding order.
            indices
                .windows(3)
                .enumerate()
                .flat_map(|(at, w)| if at % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] })
                .collect()
        }
        Mode::TriangleFan => {
            indices.get(1..).unwrap_or_default().windows(2).flat_map(|w| [w[0], w[1], indices[0]]).collect()
        }
        _ => {
            let extra = indices.len() % 3;
            if extra > 0 {
                let count = indices.len();
                notes.warn(subject, format!("{count} indices are not a multiple of 3; the last {extra} are left out"));
            }
            indices[..indices.len() - extra].to_vec()
        }
    }))
}

/// A primitive's indices into its own `vertex_count` vertices.
pub(super) fn read_indices(
    accessors: &Accessors<'_>,
    primitive: &json::mesh::Primitive,
    vertex_count: usize,
    subject: &Subject,
) -> Result<Vec<u32>, Fault> {
    let indices = match primitive.indices {
        Some(indices) => accessors.read_integers::<1>(indices, subject)?.into_flattened(),
        None => (0..vertex_count as u32).collect(),
    };
    if let Some(at) = indices.iter().position(|&index| index as usize >= vertex_count) {
        return Err(Fault::invalid(
            subject,
            Problem::new(format!("index {at} is vertex {}, it has {vertex_count} vertices", indices[at]))
                .advise("export it again"),
        ));
    }
    Ok(indices)
}
