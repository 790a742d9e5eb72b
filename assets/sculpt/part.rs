//! A mesh of the file: vertices with all attributes, triangles by material, and targets.

use glam::{DVec2, DVec3, DVec4};

use super::skin::{mirrored, normals};

/// Surfaces, in the order of the file's materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Material {
    /// Textured skin.
    Skin,
    /// The inside of the mouth, matt.
    Mouth,
    /// Eyeballs, glossy and textured.
    Eye,
    /// Front teeth.
    Teeth,
    /// Back teeth, duller.
    Molars,
    /// Tongue.
    Tongue,
    /// Brow hairs and lashes.
    Fibre,
    /// Hair, textured.
    Hair,
    /// The strip at the hairline, alpha-blended.
    HairEdge,
    /// The shadow of the eyelids on the eyeballs, alpha-blended.
    LidShade,
    /// The line of tears along the lower eyelids, glossy and alpha-blended.
    Tears,
    /// Strands of hair.
    Strands,
}

/// The movement of a mesh in one expression.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Displacements in centimetres, one per vertex.
    pub positions: Vec<DVec3>,
    /// Change of the unit normals, one per vertex.
    pub normals: Vec<DVec3>,
}

/// One mesh.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The node's and mesh's name.
    pub name: &'static str,
    /// In centimetres.
    pub positions: Vec<DVec3>,
    /// Unit length.
    pub normals: Vec<DVec3>,
    /// Tangents: the direction of u, and in w the side of v; empty where no material has a normal map.
    pub tangents: Vec<DVec4>,
    /// Texture coordinates, v downwards; empty where no material has a texture.
    pub uvs: Vec<DVec2>,
    /// Linear colour.
    pub colors: Vec<DVec3>,
    /// 0..1; empty where everything is opaque.
    pub alphas: Vec<f64>,
    /// Triangles by material, counter-clockwise seen from outside.
    pub triangles: Vec<(Material, Vec<[usize; 3]>)>,
    /// One per expression, or none.
    pub targets: Vec<Target>,
    /// Hair that grows on it as strands.
    pub guides: Vec<Guides>,
}

/// Guide curves between which strands of hair are grown.
#[derive(Clone, Debug)]
pub struct Guides {
    /// The points of all guides, each from its root to its tip, without triangles.
    pub points: Box<Part>,
    /// Per guide, the end of its points.
    pub ends: Vec<usize>,
    /// How strands are grown, by the names in the file; lengths in metres.
    pub growth: [(&'static str, f64); 6],
}

impl Part {
    /// Adds a vertex; the caller or [`Part::smooth`] sets its normal.
    pub fn push(&mut self, position: DVec3, normal: DVec3, color: DVec3) -> usize {
        self.positions.push(position);
        self.normals.push(normal);
        self.colors.push(color);
        self.positions.len() - 1
    }

    /// The triangles of `material`.
    pub fn triangles_of(&mut self, material: Material) -> &mut Vec<[usize; 3]> {
        let found = self.triangles.iter().position(|(own, _)| *own == material);
        let index = found.unwrap_or_else(|| {
            self.triangles.push((material, Vec::new()));
            self.triangles.len() - 1
        });
        &mut self.triangles[index].1
    }

    /// Adds two triangles, cut along the shorter diagonal of a quad.
    pub fn quad(&mut self, material: Material, [a, b, c, d]: [usize; 4]) {
        let length = |a: usize, b: usize| self.positions[a].distance_squared(self.positions[b]);
        let cut = if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        self.triangles_of(material).extend(cut);
    }

    /// Joins consecutive rings of `ring_size` vertices, from the vertex `first` on; `is_round` also joins each ring's ends.
    pub fn loft(&mut self, material: Material, first: usize, ring_size: usize, is_round: bool) {
        let rings = (self.positions.len() - first) / ring_size;
        for ring in 1..rings {
            let (below, here) = (first + (ring - 1) * ring_size, first + ring * ring_size);
            for i in 0..if is_round { ring_size } else { ring_size - 1 } {
                let next = (i + 1) % ring_size;
                self.quad(material, [below + i, below + next, here + next, here + i]);
            }
        }
    }

    /// The corners of every triangle, of all materials.
    pub fn all_triangles(&self) -> Vec<[usize; 3]> {
        self.triangles.iter().flat_map(|(_, triangles)| triangles).copied().collect()
    }

    /// Removes triangles without area, which the poles of a lofted sphere have.
    pub fn drop_flat(&mut self) {
        let positions = &self.positions;
        let has_area =
            |&[a, b, c]: &[usize; 3]| (positions[b] - positions[a]).cross(positions[c] - positions[a]).length() > 1e-7;
        self.triangles.iter_mut().for_each(|(_, triangles)| triangles.retain(has_area));
    }

    /// Computes smooth normals from the triangles.
    pub fn smooth(&mut self) {
        self.normals = normals(&self.positions, &self.all_triangles());
    }

    /// Appends the vertices and triangles of another mesh.
    pub fn append(&mut self, other: &Part) {
        let first = self.positions.len();
        self.positions.extend(&other.positions);
        self.normals.extend(&other.normals);
        self.tangents.extend(&other.tangents);
        self.uvs.extend(&other.uvs);
        self.colors.extend(&other.colors);
        self.alphas.extend(&other.alphas);
        for (material, triangles) in &other.triangles {
            let shifted = triangles.iter().map(|corners| corners.map(|corner| corner + first));
            self.triangles_of(*material).extend(shifted);
        }
    }

    /// Its mirror image.
    pub fn mirrored(&self) -> Part {
        let mut other = self.clone();
        other.positions.iter_mut().chain(&mut other.normals).for_each(|p| *p = mirrored(*p));
        other.triangles.iter_mut().flat_map(|(_, triangles)| triangles).for_each(|corners| corners.swap(1, 2));
        other
    }

    /// Itself and its mirror image.
    pub fn both_sides(mut self) -> Part {
        let other = self.mirrored();
        self.append(&other);
        self
    }
}
