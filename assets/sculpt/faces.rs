//! The skin split into the two meshes that are written: the face, which morphs, and the bust around it.

use std::collections::BTreeMap;

use super::bake;
use super::numbers::Rgb;
use super::paint;
use super::part::{Material, Part};
use super::rings::Chart;
use super::skin::Skin;
use super::tangents::{self, Tangents};
use super::texels;

/// A mesh and, per vertex, the skin's vertex it was made from.
pub struct Split {
    /// The mesh with its attributes.
    pub part: Part,
    /// Index into the skin's vertices.
    pub sources: Vec<usize>,
}

/// The face (`is_face`) or the bust.
pub fn split(skin: &Skin, tangents: &Tangents, name: &'static str, is_face: bool) -> Split {
    let mut part = Part { name, ..Part::default() };
    let mut sources = Vec::new();
    let mut known: BTreeMap<(usize, bool, bool), usize> = BTreeMap::new();
    for triangle in skin.triangles.iter().filter(|triangle| triangle.is_face == is_face) {
        let is_textured = triangle.chart == Chart::Grid;
        let is_right = tangents::is_right(skin, triangle.corners);
        let corners = triangle.corners.map(|source| {
            // A textured vertex in the middle has a tangent for each half.
            *known.entry((source, is_textured, is_textured && is_right)).or_insert_with(|| {
                sources.push(source);
                part.tangents.push(tangents.at(source, is_textured && is_right, skin.normals[source]));
                add(skin, &mut part, source, is_textured)
            })
        });
        let material = if triangle.chart == Chart::Bag { Material::Mouth } else { Material::Skin };
        part.triangles_of(material).push(corners);
    }
    Split { part, sources }
}

fn add(skin: &Skin, part: &mut Part, source: usize, is_textured: bool) -> usize {
    let vertex = &skin.vertices[source];
    let normal = skin.normals[source];
    let place = vertex.place.filter(|_| is_textured);
    part.uvs.push(place.map_or_else(|| texels::strip_uv(vertex.tissue), |place| texels::uv(skin, place)));
    let color = match place {
        Some(_) => Rgb::ONE,
        None => {
            let line = bake::lid_line(skin, vertex.position);
            paint::color(vertex.position, normal, vertex.tissue, skin.openness[source], line)
        }
    };
    let color = color * paint::unlike(vertex.position);
    part.push(vertex.position, normal, color)
}
