//! A head cut into draws: which indices, with which pipeline and material, in which order.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::head::{AlphaMode, Head, Material, Mesh, Part, Posture, TextureRef};

use super::transparency::{AlphaRange, Center, Layer, TextureAlphas};

/// What alpha does, without its numbers. In drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alpha {
    /// Nothing.
    Opaque,
    /// Drops fragments.
    Masked,
    /// Mixes with what is behind.
    Blended,
}

/// How much of the light is mirrored: what the shader can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finish {
    /// The lamps themselves, as in an eye.
    Wet,
    /// Highlights.
    Satin,
    /// Nothing.
    Matte,
}

impl Finish {
    /// Where the shader's highlights have faded to nothing (`light.wgsl`). A map may hold any roughness up to the
    /// material's, and metal: nothing can be left out. Varnish may be of any roughness.
    fn of(material: &Material, is_mapped: bool) -> Self {
        let mirrors_nothing = material.roughness >= 0.85 || material.specular <= 0.0;
        match material.roughness {
            _ if is_mapped || material.coat > 0.0 => Self::Wet,
            _ if mirrors_nothing && material.metallic <= 0.0 => Self::Matte,
            roughness if roughness < 0.22 => Self::Wet,
            _ => Self::Satin,
        }
    }
}

/// What a pipeline is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surface {
    /// What alpha does.
    pub alpha: Alpha,
    /// Fragments whose alpha is below a cutoff are dropped.
    pub masked: bool,
    /// Alpha says how much of it is there; else all of it is, and what is blended is the light that goes through.
    pub by_alpha: bool,
    /// Both sides are drawn.
    pub double_sided: bool,
    /// There is a texture, and coordinates to read it at.
    pub textured: bool,
    /// Shaded by triangle, not by vertex normals.
    pub flat: bool,
    /// Shown without light.
    pub unlit: bool,
    /// How much is mirrored.
    pub finish: Finish,
    /// A normal map bends the vertex normals.
    pub bumpy: bool,
    /// A texture tells roughness and metal.
    pub roughness_mapped: bool,
    /// A texture tells how much of the surrounding light arrives.
    pub occluded: bool,
    /// It shines by itself.
    pub emissive: bool,
    /// Where a texture says.
    pub emissive_mapped: bool,
    /// It mirrors more or less than other dielectrics.
    pub specular: bool,
    /// As much as a texture says.
    pub specular_mapped: bool,
    /// Varnish lies on it.
    pub coated: bool,
    /// Fibres stand up on it.
    pub sheen: bool,
    /// Light goes through it, past the highlights.
    pub transmissive: bool,
    /// Some texture is moved, turned, scaled or read at the second set.
    pub placed: bool,
    /// Its vertices hang on joints.
    pub skinned: bool,
}

/// One draw call.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Index into [`Head::meshes`].
    pub mesh: usize,
    /// Index into [`Head::materials`].
    pub material: usize,
    /// Which pipeline.
    pub surface: Surface,
    /// Into the head-wide index buffer.
    pub indices: Range<u32>,
    /// Whether some target can move it.
    pub morphs: bool,
    /// The passes that draw it.
    pub layers: Vec<Layer>,
    /// Index into the mesh's parts: which it draws, or the first of them.
    pub part: usize,
    /// The middle of its triangles, if it is blended: what such draws are sorted by.
    pub center: Center,
}

/// The kinds of surface a head can have, whatever it wears, the passes that draw each, and whether some target can move
/// it.
pub fn surfaces(head: &Head, alphas: &mut TextureAlphas) -> BTreeSet<(Surface, Layer, bool)> {
    let mut surfaces = BTreeSet::new();
    for variant in std::iter::once(None).chain((0..head.variants.len()).map(Some)) {
        for (index, mesh) in head.meshes.iter().enumerate() {
            for (part_index, part) in mesh.parts.iter().enumerate() {
                let material = &head.materials[head.material_of(index, part_index, variant)];
                let range = alphas.range(head, mesh, triangles_of(mesh, part), material);
                let surface = surface_of(head, mesh, part, material, range);
                surfaces
                    .extend(range.layers(material).into_iter().map(|layer| (surface, layer, !mesh.targets.is_empty())));
            }
        }
    }
    surfaces
}

/// The head's indices, as places of the head-wide array, and its draws in a variant: opaque, masked, then blended ones.
///
/// `place_of(mesh, vertex)` says where a mesh's vertex is. Triangles of meshes that `posture` mirrors are turned over, so that
/// "counter-clockwise is the front" holds for all of them.
pub fn indices_and_draws(
    head: &Head,
    posture: &Posture,
    variant: Option<usize>,
    alphas: &mut TextureAlphas,
    place_of: impl Fn(usize, usize) -> u32,
) -> (Vec<u32>, Vec<Draw>) {
    let mut indices = Vec::with_capacity(head.meshes.iter().map(|mesh| mesh.indices.len()).sum());
    let mut draws = Vec::<Draw>::new();
    for (mesh_index, mesh) in head.meshes.iter().enumerate() {
        let is_mirrored = posture.is_mirrored(mesh);
        for (part_index, part) in mesh.parts.iter().enumerate() {
            let triangles = triangles_of(mesh, part);
            if triangles.is_empty() {
                continue;
            }
            let first = indices.len() as u32;
            indices.extend(triangles.iter().map(|&vertex| place_of(mesh_index, vertex as usize)));
            let (triangles_in_head, _) = indices[first as usize..].as_chunks_mut::<3>();
            if is_mirrored {
                triangles_in_head.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            }
            let material = head.material_of(mesh_index, part_index, variant);
            let range = alphas.range(head, mesh, triangles, &head.materials[material]);
            let surface = surface_of(head, mesh, part, &head.materials[material], range);
            if surface.alpha != Alpha::Blended {
                // Neighbours one after another: their vertices are still in the cache (a third fewer vertex stages run on
                // a software adapter). Blended triangles stay in the file's order, which shows.
                triangles_in_head.sort_by_key(|triangle| triangle.iter().min().copied());
            }
            let draw = Draw {
                mesh: mesh_index,
                material,
                surface,
                indices: first..indices.len() as u32,
                morphs: !mesh.targets.is_empty(),
                layers: range.layers(&head.materials[material]),
                part: part_index,
                center: match surface.alpha {
                    Alpha::Blended => Center::of(mesh, triangles, posture),
                    Alpha::Opaque | Alpha::Masked => Center::default(),
                },
            };
            match draws.last_mut() {
                // Blended parts keep to themselves: each has its own place in the order from back to front.
                Some(last)
                    if last.mesh == draw.mesh
                        && last.material == draw.material
                        && last.surface == draw.surface
                        && draw.surface.alpha != Alpha::Blended =>
                {
                    last.indices.end = draw.indices.end;
                }
                _ => draws.push(draw),
            }
        }
    }
    draws.sort_by_key(|draw| draw.surface);
    (indices, draws)
}

/// The part's indices, less what reaches past the mesh's own (lenient in drawing).
fn triangles_of<'a>(mesh: &'a Mesh, part: &Part) -> &'a [u32] {
    let start = (part.first_index as usize).min(mesh.indices.len());
    let end = start.saturating_add(part.index_count as usize).min(mesh.indices.len());
    let whole = (end - start) / 3 * 3;
    &mesh.indices[start..start + whole]
}

fn surface_of(head: &Head, mesh: &Mesh, part: &Part, material: &Material, range: AlphaRange) -> Surface {
    let can_read = |map: &TextureRef| map.texture < head.textures.len() && !mesh.vertices.uv_set(map.uv_set).is_empty();
    let has = |map: Option<TextureRef>| map.as_ref().is_some_and(can_read);
    let is_lit = !material.unlit;
    let roughness_mapped = has(material.metallic_roughness_texture) && is_lit;
    let emissive = material.emissive != [0.0; 3] && is_lit;
    let specular_mapped = has(material.specular_texture) && is_lit;
    let alpha = range.alpha_of(material);
    Surface {
        alpha,
        masked: range.is_cut(material),
        by_alpha: alpha == Alpha::Blended && material.alpha == AlphaMode::Blend,
        double_sided: material.double_sided,
        textured: has(material.base_color_texture),
        flat: part.flat_shaded,
        unlit: material.unlit,
        finish: Finish::of(material, roughness_mapped),
        bumpy: has(material.normal_texture) && !mesh.vertices.tangents.is_empty() && !part.flat_shaded && is_lit,
        roughness_mapped,
        occluded: has(material.occlusion_texture) && is_lit,
        emissive,
        emissive_mapped: emissive && has(material.emissive_texture),
        specular: is_lit && (specular_mapped || material.specular != 1.0 || material.specular_color != [1.0; 3]),
        specular_mapped,
        coated: material.coat > 0.0 && is_lit,
        sheen: material.sheen_color != [0.0; 3] && is_lit,
        transmissive: material.transmission > 0.0 && is_lit,
        placed: material.textures().iter().flatten().any(|map| can_read(map) && !map.is_plain()),
        skinned: mesh.skin.is_some(),
    }
}

/// Moves the middles of blended draws to where `posture` has them.
pub fn recenter(draws: &mut [Draw], head: &Head, posture: &Posture) {
    for draw in draws.iter_mut().filter(|draw| draw.surface.alpha == Alpha::Blended) {
        let mesh = &head.meshes[draw.mesh];
        draw.center.place(mesh, triangles_of(mesh, &mesh.parts[draw.part]), posture);
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;
    use crate::head::{Asset, Target, Vertices};

    fn part(first_index: u32, index_count: u32, material: usize) -> Part {
        Part { first_index, index_count, material, flat_shaded: false }
    }

    fn head(world_from_mesh: Mat4, parts: Vec<Part>) -> Head {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
        let vertices = Vertices { normals: vec![Vec3::Z; 4], positions, ..Default::default() };
        let mesh = Mesh {
            name: "m".into(),
            world_from_mesh,
            vertices,
            indices: vec![0, 1, 2, 1, 3, 2, 0, 1, 3],
            parts,
            targets: vec![Target::default()],
            ..Mesh::default()
        };
        let opaque = Material { name: "opaque".into(), ..Material::default() };
        let blended = Material { alpha: AlphaMode::Blend, base_color: [0.5; 4], ..opaque.clone() };
        Head::new(Asset { name: "h".into(), meshes: vec![mesh], materials: vec![opaque, blended], ..Asset::default() })
    }

    fn cut(head: &Head, place_of: impl Fn(usize, usize) -> u32) -> (Vec<u32>, Vec<Draw>) {
        indices_and_draws(head, &head.rest, None, &mut TextureAlphas::default(), place_of)
    }

    #[test]
    fn neighbours_of_one_material_merge_and_blended_ones_come_last_and_alone() {
        let head = head(Mat4::IDENTITY, vec![part(0, 3, 1), part(3, 3, 0), part(6, 3, 0), part(9, 0, 0)]);
        let (indices, draws) = cut(&head, |_, vertex| 64 + vertex as u32);
        assert_eq!(indices, [64, 65, 66, 65, 67, 66, 64, 65, 67]);
        let drawn: Vec<_> = draws.iter().map(|draw| (draw.surface.alpha, draw.indices.clone())).collect();
        assert_eq!(drawn, [(Alpha::Opaque, 3..9), (Alpha::Blended, 0..3)]);
        assert!(draws.iter().all(|draw| draw.morphs));
        let two = self::head(Mat4::IDENTITY, vec![part(0, 3, 1), part(3, 3, 1)]);
        assert_eq!(cut(&two, |_, vertex| vertex as u32).1.len(), 2);
    }

    #[test]
    fn mirrored_meshes_are_turned_over() {
        let head = head(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)), vec![part(0, 3, 0)]);
        assert_eq!(cut(&head, |_, vertex| vertex as u32).0, [0, 2, 1]);
    }

    #[test]
    fn a_part_that_reaches_too_far_is_cut() {
        let head = head(Mat4::IDENTITY, vec![part(6, 300, 7), part(u32::MAX, u32::MAX, 0)]);
        let (indices, draws) = cut(&head, |_, vertex| vertex as u32);
        assert_eq!(indices.len(), 3);
        assert_eq!(draws.len(), 1);
        assert_eq!(draws[0].material, 1);
    }
}
