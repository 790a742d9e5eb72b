//! The bundled head, sculpted by code: a signed distance field, a grid of quads laid onto it, 54 displacement fields, and
//! the parts around the face. Everything is deterministic; lengths are centimetres until the file is written.
//!
//! `numbers` and `field` are the tools; `anatomy` and `ear` the shape; `layout`, `membrane`, `grid`, `rings`, `skin` and
//! `faces` the surface; `paint`, `hairline`, `relief`, `texels`, `tangents` and `bake` its pictures; `eyes`, `teeth`, `tongue`, `blades`, `brows`,
//! `hair` and `hair_picture` the parts;
//! `expressions`, `site`, `lids`, `muscles_upper`, `muscles_lower` and `follow` what moves; `part`, `clip`, `writer` and `glb` the file.

pub mod anatomy;
pub mod bake;
pub mod blades;
pub mod brows;
pub mod clip;
pub mod ear;
pub mod expressions;
pub mod eyes;
pub mod faces;
pub mod field;
pub mod follow;
pub mod glb;
pub mod grid;
pub mod hair;
pub mod hair_picture;
pub mod hairline;
pub mod layout;
pub mod lids;
pub mod membrane;
pub mod muscles_lower;
pub mod muscles_upper;
pub mod numbers;
pub mod paint;
pub mod part;
pub mod relief;
pub mod rings;
pub mod site;
pub mod skin;
pub mod tangents;
pub mod teeth;
pub mod texels;
pub mod tongue;
pub mod writer;

use glam::DVec3;
use glb::{Image, Look};
use lids::Lids;
use part::{Material, Part};
use rayon::prelude::*;
use rings::Tissue;
use site::Site;
use tangents::Tangents;

/// Surfaces of the head; pictures by their place in [`build`]'s list.
const LOOKS: [Look; 10] = [
    look(Material::Skin, "skin", 1.0, Some(0)).with_maps(1, 2),
    look(Material::Mouth, "mouth", 1.0, None).double_sided(),
    look(Material::Eye, "eye", 0.07, Some(3)),
    look(Material::Teeth, "teeth", 0.28, None).lit_within(0.20, 0.160, 0.115),
    look(Material::Molars, "molars", 0.75, None).lit_within(0.075, 0.051, 0.034),
    look(Material::Tongue, "tongue", 0.80, None),
    look(Material::Fibre, "fibre", 0.86, None).double_sided(),
    look(Material::Hair, "hair", 0.76, Some(4)),
    look(Material::HairEdge, "hair_edge", 0.78, Some(5)).see_through(),
    look(Material::LidShade, "lid_shade", 0.9, None).see_through(),
];

const fn look(material: Material, name: &'static str, roughness: f64, image: Option<usize>) -> Look {
    Look {
        material,
        name,
        roughness,
        is_double_sided: false,
        is_see_through: false,
        image,
        maps: None,
        emissive: [0.0; 3],
    }
}

/// All meshes with their targets, in the file's order.
fn parts(skin: &skin::Skin) -> Vec<Part> {
    let expressions = expressions::all();
    let lids = Lids::new(&skin.lids);
    let tangents = Tangents::new(skin);
    let mut face = faces::split(skin, &tangents, "face", true);
    let bust = faces::split(skin, &tangents, "bust", false).part;
    let positions: Vec<DVec3> = skin.vertices.iter().map(|vertex| vertex.position).collect();
    let triangles: Vec<[usize; 3]> = skin.triangles.iter().map(|triangle| triangle.corners).collect();
    let sites: Vec<Site> = skin
        .vertices
        .par_iter()
        .map(|vertex| match vertex.tissue {
            Tissue::Skin | Tissue::Ear => Site::new(vertex.position, site::skin_normal(vertex.position), vertex.lip),
            _ => Site::new(vertex.position, DVec3::ZERO, vertex.lip),
        })
        .collect();
    follow::with_skin(&mut face.part, &sites, &lids, &expressions, (&positions, &triangles, &face.sources));

    let mut eyes = eyes::eyes();
    follow::with_eyes(&mut eyes, &expressions);
    let (mut shade, roots) = eyes::lid_shade(skin);
    follow::with_roots(&mut shade, &roots, true, &lids, &expressions);
    let mut lower_teeth = teeth::lower();
    follow::with_jaw(&mut lower_teeth, false, &expressions);
    let mut tongue = tongue::tongue();
    follow::with_jaw(&mut tongue, true, &expressions);
    let (mut brows, roots) = brows::brows();
    follow::with_roots(&mut brows, &roots, false, &lids, &expressions);
    let (mut lashes, roots) = brows::lashes(skin);
    follow::with_roots(&mut lashes, &roots, true, &lids, &expressions);
    vec![face.part, bust, eyes, shade, teeth::upper(), lower_teeth, tongue, brows, lashes, hair::hair()]
}

/// The bytes of the bundled head's file.
pub fn build() -> image::ImageResult<Vec<u8>> {
    let skin = skin::build();
    let parts = parts(&skin);
    let jpeg = |name, bytes| Image { name, mime_type: "image/jpeg", bytes };
    let images = [
        jpeg("skin", bake::base_color(&skin)?),
        jpeg("skin_normal", bake::normals(&skin)?),
        jpeg("skin_roughness", bake::roughness(&skin)?),
        jpeg("eye", eyes::picture()?),
        jpeg("hair", hair_picture::shell()?),
        Image { name: "hair_edge", mime_type: "image/png", bytes: hair_picture::edge()? },
    ];
    let expressions = expressions::all();
    Ok(glb::write(&parts, &LOOKS, &images, &expressions, &clip::clip(&expressions)))
}
