//! Textures of several tiles, each in a file of its own (UDIM). A material with such a texture becomes one material for
//! each tile, and the triangles of a part become as many parts: the whole numbers of their texture coordinates say
//! which tile is theirs. As textures repeat, the coordinates stay as they are.

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec2;

use super::error::Fault;
use smirk_face::head::{Material, Mesh, Part};

/// A tile: a square of texture coordinates with sides of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Tile {
    /// From the bottom; first, so that tiles are in the order of their numbers.
    row: u32,
    column: u32,
}

impl Tile {
    pub(super) const FIRST: Self = Self { row: 0, column: 0 };

    /// The number of UDIM: 1001 for the first one, ten in a row.
    pub(super) fn number(self) -> u32 {
        1001 + self.row * COLUMNS + self.column
    }

    /// The tile that holds a point, with v downwards from the top of the first one; [`Self::FIRST`] if none does.
    fn at(uv: Vec2) -> Self {
        let cell = Vec2::new(uv.x, 1.0 - uv.y).floor();
        let is_tile = (0.0..COLUMNS as f32).contains(&cell.x) && (0.0..ROWS as f32).contains(&cell.y);
        if is_tile { Self { row: cell.y as u32, column: cell.x as u32 } } else { Self::FIRST }
    }

    /// The tile that holds the middle of a triangle.
    fn of_triangle(triangle: &[u32; 3], uvs: &[Vec2]) -> Self {
        let corners = triangle.iter().map(|&vertex| uvs.get(vertex as usize).copied().unwrap_or(Vec2::Y));
        Self::at(corners.sum::<Vec2>() / 3.0)
    }
}

/// UDIM has ten tiles in a row.
const COLUMNS: u32 = 10;
/// Numbers have four digits: 9999 is the last.
const ROWS: u32 = 899;

/// What stands for the number of a tile in the name of a file, in any capitals.
struct Mark {
    text: &'static str,
    written: fn(Tile) -> String,
}

const MARKS: [Mark; 2] = [
    Mark { text: "<udim>", written: |tile| tile.number().to_string() },
    Mark { text: "<uvtile>", written: |tile| format!("u{}_v{}", tile.column + 1, tile.row + 1) },
];

/// The path of the file of a tile; none if a path can only be that of one file. Some programs name the first tile for
/// all.
pub(super) fn path_of_tile(path: &str, tile: Tile) -> Option<String> {
    let marked = MARKS.iter().find_map(|mark| {
        let at = path.to_ascii_lowercase().find(mark.text)?;
        Some((at..at + mark.text.len(), (mark.written)(tile)))
    });
    let (range, number) = marked.or_else(|| Some((first_tile_in(path)?, tile.number().to_string())))?;
    Some(format!("{}{number}{}", &path[..range.start], &path[range.end..]))
}

/// Where the number of the first tile is in the name of a file, if it stands alone: `skin.1001.png`, `skin_1001.png`.
fn first_tile_in(path: &str) -> Option<Range<usize>> {
    const FIRST: &str = "1001";
    let name = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let at = name + path[name..].rfind(FIRST)?;
    let (before, after) = (path[name..at].chars().next_back(), path[at + FIRST.len()..].chars().next());
    (is_apart(before) && is_apart(after)).then_some(at..at + FIRST.len())
}

fn is_apart(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| !letter.is_alphanumeric())
}

/// Whether a path stands for the files of several tiles: by a mark in its name, or because it names the first tile and
/// another one is there too.
pub(super) fn is_tiled(path: &str, is_there: impl Fn(&str) -> bool) -> bool {
    /// The tiles beside the first one and above it.
    const NEAR: [Tile; 4] = [
        Tile { row: 0, column: 1 },
        Tile { row: 0, column: 2 },
        Tile { row: 1, column: 0 },
        Tile { row: 2, column: 0 },
    ];
    has_mark(path)
        || first_tile_in(path).is_some()
            && NEAR.into_iter().filter_map(|tile| path_of_tile(path, tile)).any(|path| is_there(&path))
}

pub(super) fn has_mark(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    MARKS.iter().any(|mark| path.contains(mark.text))
}

pub(super) fn name_of_material(name: &str, tile: Tile) -> String {
    if tile == Tile::FIRST { name.to_owned() } else { format!("{name} {}", tile.number()) }
}

/// The materials of a file that have tiles, by their indices, and the materials that their tiles have become.
#[derive(Default)]
pub(super) struct TiledMaterials(HashMap<usize, HashMap<Tile, usize>>);

impl TiledMaterials {
    pub(super) fn insert(&mut self, material: usize) {
        self.0.insert(material, HashMap::new());
    }

    /// Splits the parts of a mesh whose materials have tiles, and gives each the material of its tile, which is made
    /// where it is used first. The first tile of a material takes the place of the material.
    pub(super) fn split(
        &mut self,
        mesh: &mut Mesh,
        materials: &mut Vec<Material>,
        mut make: impl FnMut(usize, Tile) -> Result<Material, Fault>,
    ) -> Result<(), Fault> {
        let tiles = split_parts(mesh, |material| self.0.contains_key(&material));
        for (part, tile) in mesh.parts.iter_mut().zip(tiles) {
            let index = part.material;
            let (Some(tile), Some(known)) = (tile, self.0.get_mut(&index)) else { continue };
            if let Some(&material) = known.get(&tile) {
                part.material = material;
                continue;
            }
            let material = make(index, tile)?;
            if known.is_empty() {
                materials[index] = material;
            } else {
                part.material = materials.len();
                materials.push(material);
            }
            known.insert(tile, part.material);
        }
        Ok(())
    }
}

/// Splits the parts whose materials are tiled, so that each has the triangles of one tile. Returns the tile of each
/// part; none for those whose material is not tiled.
fn split_parts(mesh: &mut Mesh, is_tiled: impl Fn(usize) -> bool) -> Vec<Option<Tile>> {
    let mut tiles = Vec::with_capacity(mesh.parts.len());
    let mut parts = Vec::with_capacity(mesh.parts.len());
    for part in std::mem::take(&mut mesh.parts) {
        if !is_tiled(part.material) {
            parts.push(part);
            tiles.push(None);
            continue;
        }
        let range = part.first_index as usize..(part.first_index + part.index_count) as usize;
        let of_part = &mut mesh.indices[range];
        let uvs = &mesh.vertices.uvs;
        let (triangles, _) = of_part.as_chunks_mut::<3>();
        // Triangles of one tile stay in their order.
        triangles.sort_by_cached_key(|triangle| Tile::of_triangle(triangle, uvs));
        let mut first_index = part.first_index;
        for of_tile in triangles.chunk_by(|a, b| Tile::of_triangle(a, uvs) == Tile::of_triangle(b, uvs)) {
            let index_count = of_tile.as_flattened().len() as u32;
            parts.push(Part { first_index, index_count, ..part });
            tiles.push(Some(Tile::of_triangle(&of_tile[0], uvs)));
            first_index += index_count;
        }
    }
    mesh.parts = parts;
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Vertices;

    #[test]
    fn paths_name_tiles_in_the_ways_of_other_programs() {
        let tile = Tile { row: 1, column: 2 };
        for (path, expected) in [
            ("maps/skin.<UDIM>.png", Some("maps/skin.1013.png")),
            ("skin_<udim>.tif", Some("skin_1013.tif")),
            ("é<UVTILE>.png", Some("éu3_v2.png")),
            ("C:\\1001\\skin.1001.png", Some("C:\\1001\\skin.1013.png")),
            ("skin_1001_4k.png", Some("skin_1013_4k.png")),
            ("skin1001.png", None),
            ("skin.10010.png", None),
            ("a.1001/skin.png", None),
            ("", None),
        ] {
            assert_eq!(path_of_tile(path, tile).as_deref(), expected, "{path}");
        }
        assert_eq!(Tile::FIRST.number(), 1001);
        for (path, there, expected) in [
            ("skin.<UDIM>.png", "", true),
            ("skin.1001.png", "skin.1002.png", true),
            ("skin.1001.png", "skin.1011.png", true),
            ("skin.1001.png", "skin.1001.png", false),
            ("skin.png", "skin.png", false),
        ] {
            assert_eq!(is_tiled(path, |path| path == there), expected, "{path}, {there}");
        }
    }

    #[test]
    fn parts_are_split_by_the_tiles_of_their_triangles() {
        // Coordinates of the centres of triangles, with v upwards, as UDIM counts.
        let centers = [(0.5, 0.5), (1.5, 0.5), (0.25, 0.5), (9.5, 1.5), (-0.5, 0.5), (0.5, 1.5), (f32::NAN, 0.0)];
        let corner = |(u, v): (f32, f32)| [Vec2::new(u, 1.0 - v); 3];
        let part = |first_index, index_count, material| Part { first_index, index_count, material, flat_shaded: true };
        let mut mesh = Mesh {
            indices: (0..21).collect(),
            vertices: Vertices { uvs: centers.into_iter().flat_map(corner).collect(), ..Vertices::default() },
            parts: vec![part(0, 3, 0), part(3, 18, 1)],
            ..Mesh::default()
        };
        let tiles = split_parts(&mut mesh, |material| material == 1);
        let numbers: Vec<Option<u32>> = tiles.iter().map(|tile| tile.map(Tile::number)).collect();
        assert_eq!(numbers, [None, Some(1001), Some(1002), Some(1011), Some(1020)]);
        let expected = [part(0, 3, 0), part(3, 9, 1), part(12, 3, 1), part(15, 3, 1), part(18, 3, 1)];
        assert_eq!(mesh.parts, expected);
        assert_eq!(mesh.indices[3..], [6, 7, 8, 12, 13, 14, 18, 19, 20, 3, 4, 5, 15, 16, 17, 9, 10, 11]);
    }
}
