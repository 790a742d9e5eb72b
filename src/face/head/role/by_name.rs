//! The role that the words of a name tell.

use super::Role;
use crate::head::channel::lowercase_words;

/// Words and their roles. The first row that has a word of the name decides, because names often have words of several: the shade
/// that an `eye occlusion` draws is no eye, and `skin head` no hair of the head. Words of English are compared whole; those in other
/// scripts are searched for, because they are not divided by spaces. The English ones are those of ICT FaceKit, Ready Player Me,
/// MetaHuman, Character Creator, Daz, VRoid and MakeHuman.
const WORDS: [(Role, &[&str]); 9] = [
    // Layers that darken or soften what is below them.
    (Role::Other, &["occlusion", "shade", "shadow", "blend", "glasses", "hide"]),
    (
        Role::Lash,
        &[
            "lash",
            "lashes",
            "eyelash",
            "eyelashes",
            "brow",
            "brows",
            "eyebrow",
            "eyebrows",
            "eyeline",
            "eyeliner",
            "wimper",
            "wimpern",
            "braue",
            "brauen",
            "cils",
            "sourcils",
            "pestañas",
            "cejas",
            "睫",
            "まつげ",
            "まつ毛",
            "眉",
            "ресницы",
            "брови",
        ],
    ),
    (
        Role::Cornea,
        &[
            "cornea",
            "tearline",
            "tear",
            "tears",
            "lacrimal",
            "moisture",
            "eyemoisture",
            "hornhaut",
            "refractive",
            "角膜",
        ],
    ),
    // The skin around an eye.
    (Role::Skin, &["eyesocket", "eyesockets", "socket", "eyelid", "eyelids", "lid", "lids"]),
    (
        Role::Eye,
        &[
            "eye",
            "eyes",
            "iris",
            "irises",
            "pupil",
            "pupils",
            "sclera",
            "eyeball",
            "eyeballs",
            "eyewhite",
            "auge",
            "augen",
            "yeux",
            "oeil",
            "ojo",
            "ojos",
            "目",
            "瞳",
            "眼",
            "глаз",
            "глаза",
        ],
    ),
    (Role::Teeth, &["teeth", "tooth", "molar", "molars", "zahn", "zähne", "dents", "dientes", "歯", "牙", "зубы"]),
    (
        Role::Tongue,
        &[
            "tongue",
            "gum",
            "gums",
            "gingiva",
            "mouth",
            "innermouth",
            "mouthbag",
            "zunge",
            "langue",
            "lengua",
            "舌",
            "口",
            "язык",
        ],
    ),
    (
        Role::Hair,
        &[
            "hair",
            "hairs",
            "haircap",
            "beard",
            "moustache",
            "mustache",
            "stubble",
            "peachfuzz",
            "fuzz",
            "scalp",
            "haar",
            "haare",
            "cheveux",
            "pelo",
            "cabello",
            "髪",
            "髮",
            "发",
            "волосы",
        ],
    ),
    (
        Role::Cloth,
        &[
            "cloth",
            "clothes",
            "clothing",
            "shirt",
            "tshirt",
            "sweater",
            "hoodie",
            "outfit",
            "top",
            "tops",
            "bottom",
            "bottoms",
            "pants",
            "trousers",
            "skirt",
            "dress",
            "jacket",
            "coat",
            "shoe",
            "shoes",
            "footwear",
            "sock",
            "socks",
            "hat",
            "cap",
            "kleidung",
            "hemd",
            "ropa",
            "服",
            "衣",
            "靴",
            "одежда",
        ],
    ),
];

/// Words of skin: the last row, because a name of anything on a head may have them.
const SKIN: &[&str] = &[
    "skin",
    "face",
    "head",
    "body",
    "ear",
    "ears",
    "neck",
    "torso",
    "arm",
    "arms",
    "leg",
    "legs",
    "hand",
    "hands",
    "lip",
    "lips",
    "nail",
    "nails",
    "fingernails",
    "toenails",
    "caucasian",
    "african",
    "asian",
    "haut",
    "peau",
    "piel",
    "肌",
    "顔",
    "体",
    "皮",
    "脸",
    "кожа",
    "лицо",
];

/// The role of something of that name, if its words tell.
pub(super) fn role_of(name: &str) -> Option<Role> {
    let words = lowercase_words(name);
    let has = |known: &&str| {
        let is_ascii = known.is_ascii();
        words.iter().any(|word| word == known || (!is_ascii && word.contains(known)))
    };
    let rows = WORDS.iter().chain([&(Role::Skin, SKIN)]);
    rows.filter(|(_, known)| known.iter().any(&has)).map(|(role, _)| *role).next()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(role_of(name), role, "{name}");
        }
    }
}
