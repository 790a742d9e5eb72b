//! What a material shows: skin, an eye, hair … The renderer shades each of them in its own way.
//!
//! A role is recognised by a name (of the material, a texture or a mesh), else by the motion of the surface (what turns
//! with the gaze is an eye, and what speech, brows and cheeks move is the skin of the face), else by the material's
//! colours.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::channel::Channel;
use super::{Material, Mesh, Part, Rig, Texture};
use crate::head::channel::{Region, lowercase_words};
use crate::head::{AlphaMode, ShapeDeltas};

impl Role {
    /// All roles, in the order of their numbers.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The role, with that of a cornea for films over an eye: parts of eyes that hide little of what is behind them.
    pub fn of_film(self, material: &Material) -> Self {
        if self == Self::Eye && is_clear(material) { Self::Cornea } else { self }
    }

    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// The role of each material of a head, found without the artist. The rules are asked one after the other, and the
/// first that has an answer decides: the name of the material, those of its textures and of its meshes, the motion of
/// its surface, and the material itself.
pub(super) fn roles(
    meshes: &[Mesh],
    rig: &Rig,
    (materials, textures): (&[Material], &[Texture]),
    channels: &[Channel],
) -> Vec<Role> {
    let target_count = meshes.iter().map(|mesh| mesh.targets.len()).sum();
    let mut channel_of_target = vec![None; target_count];
    for channel in channels {
        for &target in &channel.targets {
            if let Some(of_target) = channel_of_target.get_mut(target) {
                *of_target = Some(channel);
            }
        }
    }
    let mut uses = vec![Vec::new(); materials.len()];
    for (mesh, part) in meshes.iter().flat_map(|mesh| mesh.parts.iter().map(move |part| (mesh, part))) {
        if let Some(uses) = uses.get_mut(part.material) {
            uses.push((mesh, part));
        }
    }
    let input = RuleInput { uses, materials, textures, rig, channel_of_target };
    (0..materials.len()).map(|material| input.role_of(material)).collect()
}

impl RuleInput<'_> {
    fn role_of(&self, index: usize) -> Role {
        let (material, uses) = (&self.materials[index], &self.uses[index]);
        let textures = material.textures().into_iter().flatten().filter_map(|map| self.textures.get(map.texture));
        let has_face = self.channel_of_target.len() > Self::TARGETS_OF_A_FACE;
        let found = role_by_name(&material.name)
            .or_else(|| textures.into_iter().find_map(|texture| role_by_name(&texture.name)))
            .or_else(|| most_common(uses.iter().map(|(mesh, part)| (*part, role_by_name(&mesh.name)))))
            .or_else(|| most_common(uses.iter().map(|(mesh, part)| (*part, role_by_motion(self, mesh, part)))))
            .or_else(|| role_by_material(material, self.textures, has_face));
        found.unwrap_or_default().of_film(material)
    }

    /// With fewer targets, a file is no face, and its colours tell nothing.
    const TARGETS_OF_A_FACE: usize = 10;
}

/// The answer for most triangles, if it is one.
fn most_common<'p>(answers: impl Iterator<Item = (&'p Part, Option<Role>)>) -> Option<Role> {
    let mut counts = BTreeMap::<Option<Role>, u64>::new();
    for (part, answer) in answers {
        *counts.entry(answer).or_default() += u64::from(part.index_count);
    }
    counts.into_iter().max_by_key(|(_, count)| *count)?.0
}

/// What a material shows. The shaders have the same numbers, in `shaders/picture/role/roles.wgsl`.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
pub enum Role {
    /// Anything else: it is shaded by its material alone.
    #[default]
    Other = 0,
    Skin = 1,
    /// An eyeball, or an iris.
    Eye = 2,
    /// The clear layer before an iris, and the film of tears.
    Cornea = 3,
    Hair = 4,
    /// Eyelashes and eyebrows.
    #[strum(serialize = "Lashes")]
    Lash = 5,
    Teeth = 6,
    /// Tongue, gums and the inside of the mouth.
    Tongue = 7,
    Cloth = 8,
}

struct RuleInput<'a> {
    pub uses: Vec<Vec<(&'a Mesh, &'a Part)>>,
    pub materials: &'a [Material],
    pub textures: &'a [Texture],
    pub rig: &'a Rig,
    /// By the head-wide index of a target.
    pub channel_of_target: Vec<Option<&'a Channel>>,
}

/// How many texels of a texture are looked at.
const TEXELS: usize = 1024;

/// Whether light goes through most of a material, as through the layers before an iris.
fn is_clear(material: &Material) -> bool {
    let is_thin =
        material.alpha == AlphaMode::Blend && material.base_color[3] < 0.5 && material.base_color_texture.is_none();
    is_thin || material.transmission > 0.5
}

/// The role of a material, if it tells. Only cloth has a sheen (KHR_materials_sheen) and no other sign of what it is; a
/// warm, light colour is that of skin.
fn role_by_material(material: &Material, textures: &[Texture], is_of_face: bool) -> Option<Role> {
    if material.sheen_color != [0.0; 3] {
        return Some(Role::Cloth);
    }
    let is_lit = !material.is_shown_unlit() && material.metallic < 0.5;
    (is_of_face && is_lit && is_skin(mean_color(material, textures)?)).then_some(Role::Skin)
}

/// Whether a linear colour is one that skin has: red is strongest and blue weakest, from very light to very dark
/// people.
fn is_skin([red, green, blue]: [f32; 3]) -> bool {
    let (of_green, of_blue) = (green / red.max(1e-4), blue / red.max(1e-4));
    red > 0.03 && (0.35..0.9).contains(&of_green) && (0.2..0.8).contains(&of_blue) && of_blue < of_green
}

/// The mean of the linear colour, as far as it can be told.
fn mean_color(material: &Material, textures: &[Texture]) -> Option<[f32; 3]> {
    let [red, green, blue, _] = material.base_color;
    let Some(map) = material.base_color_texture else { return Some([red, green, blue]) };
    let rgba = textures.get(map.texture)?.image.rgba();
    let texels = rgba.as_chunks::<4>().0;
    let step = (texels.len() / TEXELS).max(1);
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for texel in texels.iter().step_by(step).filter(|texel| texel[3] > 127) {
        // The square is close enough to sRGB's curve.
        sum = std::array::from_fn(|part| sum[part] + (f32::from(texel[part]) / 255.0).powi(2));
        count += 1.0;
    }
    (count > 0.0).then(|| [red * sum[0] / count, green * sum[1] / count, blue * sum[2] / count])
}

/// Of the vertices of an eye, at least this fraction turns.
const MOST: f32 = 0.7;

/// So many regions of expressions move a face. An upper row of teeth is moved by none, a lower one by the jaw and the
/// mouth.
const REGIONS_OF_A_FACE: u32 = 4;

/// A mesh of more parts than a head has is not looked at: each part looks at all targets.
const MANY_PARTS: usize = 64;

fn role_by_motion(input: &RuleInput<'_>, mesh: &Mesh, part: &Part) -> Option<Role> {
    let triangles = mesh.triangles_of(part);
    if triangles.is_empty() || mesh.parts.len() > MANY_PARTS {
        return None;
    }
    let mut is_in_part = vec![false; mesh.vertices.len()];
    for &vertex in triangles {
        is_in_part.get_mut(vertex as usize).into_iter().for_each(|is_in_part| *is_in_part = true);
    }
    let count = is_in_part.iter().filter(|is_in_part| **is_in_part).count();
    let least = (count as f32 * MOST) as usize;
    if is_on_eye_node(input.rig, mesh) || count_on_eye_joints(input.rig, mesh, &is_in_part) > least {
        return Some(Role::Eye);
    }
    let targets = mesh.targets.par_iter().zip(mesh.first_target..mesh.first_target + mesh.targets.len());
    let moving = targets.filter_map(|(target, index)| Some((target, input.channel_of_target.get(index).copied()??)));
    let found = moving.flat_map_iter(|(target, channel)| {
        target.shapes().map(|shape| match (is_gaze(channel), bit_of(channel.region)) {
            (true, _) => ShapeEffect::WithGaze(moved_rows(shape, &is_in_part).collect()),
            (false, Some(bit)) if moved_rows(shape, &is_in_part).nth(count / 50).is_some() => {
                ShapeEffect::InRegion(bit)
            }
            _ => ShapeEffect::Little,
        })
    });
    let (mut turns_with_gaze, mut regions) = (vec![false; mesh.vertices.len()], 0_u32);
    for effect in found.collect::<Vec<_>>() {
        match effect {
            ShapeEffect::WithGaze(rows) => rows.into_iter().for_each(|row| turns_with_gaze[row as usize] = true),
            ShapeEffect::InRegion(bit) => regions |= bit,
            ShapeEffect::Little => {}
        }
    }
    let looks = turns_with_gaze.into_iter().filter(|turns| *turns).count();
    let moves_with_speech = regions & SPEECH != 0;
    if looks > least && !moves_with_speech {
        return Some(Role::Eye);
    }
    (regions.count_ones() >= REGIONS_OF_A_FACE).then_some(Role::Skin)
}

/// What a shape of a target moves of a part.
enum ShapeEffect {
    /// It turns with the gaze: these vertices.
    WithGaze(Vec<u32>),
    /// More than a few vertices, with an expression of this region.
    InRegion(u32),
    Little,
}

fn moved_rows<'a>(shape: ShapeDeltas<'a>, is_in_part: &'a [bool]) -> impl Iterator<Item = u32> + 'a {
    let largest = shape.positions.iter().map(|delta| delta.length_squared()).fold(0.0, f32::max);
    // Some programs store rounding errors as movement.
    let visible = largest * 1e-3;
    let rows = shape.rows.iter().zip(shape.positions);
    let moved = rows.filter(move |(row, delta)| delta.length_squared() > visible && is_in_part[**row as usize]);
    moved.map(|(row, _)| *row)
}

/// Mouth and jaw.
const SPEECH: u32 = 0b11;

fn bit_of(region: Region) -> Option<u32> {
    let bit = match region {
        Region::Mouth => 0,
        Region::Jaw => 1,
        Region::Brows => 2,
        Region::Eyes => 3,
        Region::Cheeks => 4,
        Region::Nose => 5,
        _ => return None,
    };
    Some(1 << bit)
}

fn is_gaze(channel: &Channel) -> bool {
    lowercase_words(&channel.name).iter().any(|word| matches!(word.as_str(), "look" | "gaze"))
}

fn is_eye(name: &str) -> bool {
    role_by_name(name) == Some(Role::Eye)
}

fn is_on_eye_node(rig: &Rig, mesh: &Mesh) -> bool {
    if mesh.skin.is_some() {
        return false;
    }
    // A file may have a circle of parents.
    let mut node = mesh.node.and_then(|node| rig.nodes.get(node));
    for _ in 0..3 {
        let Some(this) = node else { return false };
        if is_eye(&this.name) {
            return true;
        }
        node = this.parent.and_then(|parent| rig.nodes.get(parent));
    }
    false
}

/// The number of a part's vertices whose strongest joint is that of an eye.
fn count_on_eye_joints(rig: &Rig, mesh: &Mesh, is_in_part: &[bool]) -> usize {
    let Some(skin) = mesh.skin.and_then(|skin| rig.skins.get(skin)) else { return 0 };
    let is_of_eye = skin.joints.iter().map(|joint| rig.nodes.get(joint.node).is_some_and(|node| is_eye(&node.name)));
    let is_of_eye: Vec<bool> = is_of_eye.collect();
    let vertices = is_in_part.iter().enumerate().filter(|(_, is_in_part)| **is_in_part).map(|(vertex, _)| vertex);
    let strongest = vertices.filter_map(|vertex| mesh.vertices.influences.of_vertex(vertex).first());
    strongest.filter(|influence| is_of_eye.get(influence.joint as usize) == Some(&true)).count()
}

/// Words and their roles. The first row that has a word of the name decides, because names often have words of several:
/// the shade that an `eye occlusion` draws is no eye, and `skin head` no hair of the head. Words of English are
/// compared whole; those in other scripts are searched for, because they are not divided by spaces. The English ones
/// are those of ICT FaceKit, Ready Player Me, MetaHuman, Character Creator, Daz, VRoid and MakeHuman.
const WORDS: [(Role, &str); 11] = [
    // Layers that darken or soften what is below them.
    (Role::Other, "occlusion shade shadow blend glasses hide"),
    (Role::Lash, LASHES),
    (Role::Lash, BROWS),
    (Role::Cornea, "cornea tearline tear tears lacrimal moisture eyemoisture hornhaut refractive 角膜"),
    // The skin around an eye.
    (Role::Skin, "eyesocket eyesockets socket eyelid eyelids lid lids"),
    (
        Role::Eye,
        "eye eyes iris irises pupil pupils sclera eyeball eyeballs eyewhite auge augen yeux oeil ojo ojos \
         目 瞳 眼 глаз глаза",
    ),
    (Role::Teeth, "teeth tooth molar molars zahn zähne dents dientes 歯 牙 зубы"),
    (Role::Tongue, "tongue gum gums gingiva mouth innermouth mouthbag zunge langue lengua 舌 口 язык"),
    (
        Role::Hair,
        "hair hairs haircap beard moustache mustache stubble peachfuzz fuzz scalp haar haare cheveux pelo cabello \
         髪 髮 发 волосы",
    ),
    (
        Role::Cloth,
        "cloth clothes clothing shirt tshirt sweater hoodie outfit top tops bottom bottoms pants trousers skirt dress \
         jacket coat shoe shoes footwear sock socks hat cap kleidung hemd ropa 服 衣 靴 одежда",
    ),
    // The last row, because a name of anything on a head may have these words.
    (
        Role::Skin,
        "skin face head body ear ears neck torso arm arms leg legs hand hands lip lips nail nails fingernails toenails \
         caucasian african asian haut peau piel 肌 顔 体 皮 脸 кожа лицо",
    ),
];

/// Words of lashes, and of lines that are drawn along the lids.
const LASHES: &str =
    "lash lashes eyelash eyelashes eyeline eyeliner wimper wimpern cils pestañas 睫 まつげ まつ毛 ресницы";

const BROWS: &str = "brow brows eyebrow eyebrows braue brauen sourcils cejas 眉 брови";

/// The role of something of that name, if its words tell.
fn role_by_name(name: &str) -> Option<Role> {
    let words = lowercase_words(name);
    WORDS.iter().find(|(_, known)| has_any(&words, known)).map(|(role, _)| *role)
}

fn has_any(words: &[String], known: &str) -> bool {
    known.split_whitespace().any(|known| {
        let is_ascii = known.is_ascii();
        words.iter().any(|word| word == known || (!is_ascii && word.contains(known)))
    })
}

/// Whether something shows brows, not lashes, by the name of its mesh, or by that of its material where the mesh tells
/// neither.
pub(super) fn is_brow(mesh: &str, material: &str) -> bool {
    let told = [mesh, material].into_iter().find_map(|name| {
        let words = lowercase_words(name);
        match (has_any(&words, LASHES), has_any(&words, BROWS)) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        }
    });
    told.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_is_warm_and_neither_grey_nor_red() {
        for skin in [[0.8, 0.58, 0.47], [0.78, 0.57, 0.46], [0.1, 0.05, 0.03], [0.35, 0.2, 0.13]] {
            assert!(is_skin(skin), "{skin:?}");
        }
        for other in [
            [0.8, 0.8, 0.8],
            [0.9, 0.1, 0.1],
            [0.92, 0.92, 0.94],
            [0.1, 0.3, 0.55],
            [0.01, 0.01, 0.01],
            [0.93, 0.9, 0.8],
        ] {
            assert!(!is_skin(other), "{other:?}");
        }
    }

    #[test]
    fn sheen_tells_cloth_and_a_thin_blend_is_clear() {
        let cloth = Material { sheen_color: [0.5; 3], ..Material::default() };
        assert_eq!(role_by_material(&cloth, &[], false), Some(Role::Cloth));
        assert_eq!(role_by_material(&Material::default(), &[], true), None);
        let skin = Material { base_color: [0.8, 0.58, 0.47, 1.0], ..Material::default() };
        assert_eq!(role_by_material(&skin, &[], true), Some(Role::Skin));
        assert_eq!(role_by_material(&skin, &[], false), None, "a wooden box");
        let film = Material { alpha: AlphaMode::Blend, base_color: [1.0, 1.0, 1.0, 0.1], ..Material::default() };
        assert!(is_clear(&film) && !is_clear(&skin));
    }

    #[test]
    fn names_of_every_tool_tell_the_role() {
        use Role::*;
        for (name, role) in [
            // Ready Player Me
            ("Wolf3D_Eye", Some(Eye)),
            ("Wolf3D_Skin", Some(Skin)),
            ("Wolf3D_Hair", Some(Hair)),
            ("Wolf3D_Outfit_Footwear", Some(Cloth)),
            ("Wolf3D_Glasses", Some(Other)),
            // ICT FaceKit
            ("M_BackHead", Some(Skin)),
            ("M_GumsTongue", Some(Tongue)),
            ("M_IrisLeft", Some(Eye)),
            ("M_LacrimalFluid", Some(Cornea)),
            ("M_EyeOcclusion", Some(Other)),
            ("M_EyeLashes", Some(Lash)),
            // VRoid
            ("N00_000_00_FaceMouth_00_FACE (Instance)", Some(Tongue)),
            ("N00_000_00_EyeIris_00_EYE", Some(Eye)),
            ("N00_000_00_FaceBrow_00_FACE", Some(Lash)),
            ("N00_000_00_FaceEyeline_00_FACE", Some(Lash)),
            ("N00_000_00_Face_00_SKIN", Some(Skin)),
            ("N00_000_00_HairBack_00_HAIR", Some(Hair)),
            ("N00_002_03_Tops_01_CLOTH", Some(Cloth)),
            // MetaHuman
            ("MI_HeadSynthesized_Baked", Some(Skin)),
            ("MI_EyeRefractive_Inst_L", Some(Cornea)),
            ("MI_Teeth_Baked", Some(Teeth)),
            ("M_EyelashLowerLODs_Inst", Some(Lash)),
            ("MI_Peachfuzz", Some(Hair)),
            // Character Creator
            ("Std_Skin_Head", Some(Skin)),
            ("Std_Cornea_L", Some(Cornea)),
            ("Std_Tearline_R", Some(Cornea)),
            ("Std_Eye_Occlusion_L", Some(Other)),
            ("Std_Upper_Teeth", Some(Teeth)),
            ("Scalp_Transparency", Some(Hair)),
            // Daz
            ("EyeSocket", Some(Skin)),
            ("Irises", Some(Eye)),
            ("EyeMoisture-1", Some(Cornea)),
            ("Fingernails", Some(Skin)),
            // MakeHuman
            ("Human-eyebrow001", Some(Lash)),
            ("middleage_caucasian_male", Some(Skin)),
            // Other languages
            ("Wimpern", Some(Lash)),
            ("cheveux", Some(Hair)),
            ("前髪01", Some(Hair)),
            ("白目", Some(Eye)),
            ("口内", Some(Tongue)),
            // Nothing
            ("lambert5", None),
            ("Surface", None),
            ("chair", None),
            ("Material.001", None),
            ("", None),
        ] {
            assert_eq!(role_by_name(name), role, "{name}");
        }
    }
}
