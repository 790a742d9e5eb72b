//! What makes a head a VRM avatar besides its expressions: its version, what it says about itself, its bones and its
//! gaze.

use glam::{Mat4, Quat};
use serde_json::{Map, Value};

use super::channel::{lowercase_words, side_of};
use super::{Preset, Rig};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VrmVersion {
    /// 0.x: the extension `VRM`.
    V0,
    /// 1.0: the extension `VRMC_vrm`.
    V1,
}

impl VrmVersion {
    /// The transform that turns an avatar to face +z: VRM 0.x faces -z; VRM 1.0 faces +z, like glTF.
    pub fn world_from_file(self) -> Mat4 {
        match self {
            Self::V0 => Mat4::from_quat(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
            Self::V1 => Mat4::IDENTITY,
        }
    }
}

/// Its bones move the body and expressions may show its gaze. The rest is kept so that an avatar that is saved still
/// says who made it and under which licence.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    pub version: VrmVersion,
    /// Title, author, licence and the like, under the keys of its version; without its thumbnail, which is in
    /// [`Carried`](super::Carried).
    pub meta: Map<String, Value>,
    /// The bones of the body by VRM's names, such as `head`, as indices into [`Rig::nodes`](super::Rig::nodes).
    pub bones: Vec<(String, usize)>,
    /// How expressions show the gaze; none where bones turn the eyes.
    pub look_at: Option<LookAtExpressions>,
    /// Who sees a mesh (`firstPerson.meshAnnotations`).
    pub first_person: Vec<MeshAnnotation>,
}

/// Who sees a mesh of an avatar: its own eyes, others, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshAnnotation {
    /// Index into [`Asset::meshes`](super::Asset::meshes).
    pub mesh: usize,
    /// In the words of the avatar's version, such as `ThirdPersonOnly` or `thirdPersonOnly`.
    pub seen_by: String,
}

impl MeshAnnotation {
    /// Only the eyes of the avatar see the mesh: nobody who looks at it does.
    pub fn is_hidden_from_others(&self) -> bool {
        self.seen_by.eq_ignore_ascii_case("firstPersonOnly")
    }
}

/// The bones that an avatar must have (`VRMC_vrm.humanoid`; three-vrm refuses both versions without them), each with
/// one that it hangs below.
pub const REQUIRED_BONES: [(&str, &str); 15] = [
    ("hips", ""),
    ("spine", "hips"),
    ("head", "spine"),
    ("leftUpperLeg", "hips"),
    ("leftLowerLeg", "leftUpperLeg"),
    ("leftFoot", "leftLowerLeg"),
    ("rightUpperLeg", "hips"),
    ("rightLowerLeg", "rightUpperLeg"),
    ("rightFoot", "rightLowerLeg"),
    ("leftUpperArm", "spine"),
    ("leftLowerArm", "leftUpperArm"),
    ("leftHand", "leftLowerArm"),
    ("rightUpperArm", "spine"),
    ("rightLowerArm", "rightUpperArm"),
    ("rightHand", "rightLowerArm"),
];

/// The required bones that are not among these.
pub fn missing_bones(bones: &[(String, usize)]) -> Vec<&'static str> {
    let required = REQUIRED_BONES.iter().map(|(name, _)| *name);
    required.filter(|name| bones.iter().all(|(bone, _)| bone != name)).collect()
}

/// Bones with a side by VRM's names without it, and what other programs call them: Mixamo, Ready Player Me, VRoid,
/// Unreal, 3ds Max, Character Creator, Blender.
const LIMBS: [(&str, &[&str]); 9] = [
    ("Eye", &["eye", "eyeball"]),
    ("UpperLeg", &["upperleg", "upleg", "thigh"]),
    ("LowerLeg", &["lowerleg", "leg", "calf", "shin"]),
    ("Foot", &["foot"]),
    ("Toes", &["toes", "toe", "toebase", "ball"]),
    ("Shoulder", &["shoulder", "clavicle"]),
    ("UpperArm", &["upperarm", "arm"]),
    ("LowerArm", &["lowerarm", "forearm"]),
    ("Hand", &["hand"]),
];

/// Fingers by VRM's names, and what other programs call them.
const FINGERS: [(&str, &str); 6] = [
    ("Thumb", "thumb"),
    ("Index", "index"),
    ("Middle", "middle"),
    ("Ring", "ring"),
    ("Little", "pinky"),
    ("Little", "little"),
];

/// The bones of a body by VRM's names, as indices into [`Rig::nodes`], found by the names of its nodes. Of the spine,
/// only both ends are named: what is between them are its parts. A bone that does not hang below the one that it
/// belongs to is left out.
pub fn bones_by_name(rig: &Rig) -> Vec<(String, usize)> {
    const PREFIXES: &str = "armature base bip c cc def j mixamorig org rig";
    let named = |node: usize| {
        let name = &rig.nodes[node].name;
        let mut words = lowercase_words(name.rsplit(':').next().unwrap_or(name));
        let side = words.iter().position(|word| side_of(word).is_some()).filter(|_| words.len() > 1);
        let side = side.and_then(|at| side_of(&words.remove(at)));
        let is_prefix = |word: &String| PREFIXES.split(' ').any(|prefix| prefix == word) || word == "01";
        let from = words.iter().position(|word| !is_prefix(word)).unwrap_or(words.len());
        let words = words[from..].iter().map(|word| word.trim_start_matches('0'));
        (words.collect::<String>(), side)
    };
    let names: Vec<(String, Option<usize>)> = (0..rig.nodes.len()).map(named).collect();
    let find = |wanted: &[&str], side: Option<usize>| {
        wanted.iter().find_map(|wanted| names.iter().position(|(name, of)| name == wanted && *of == side))
    };
    let mut bones: Vec<(String, usize)> = Vec::new();
    let mut add = |name: String, node: Option<usize>| bones.extend(node.map(|node| (name, node)));
    let [hips, head, neck] =
        [&["hips", "hip", "pelvis"][..], &["head"], &["neck", "neck1", "necktwist1"]].map(|wanted| find(wanted, None));
    for (name, node) in [("hips", hips), ("head", head), ("neck", neck), ("jaw", find(&["jaw"], None))] {
        add(name.into(), node);
    }
    if let (Some(hips), Some(top)) = (hips, neck.or(head)) {
        let mut spine: Vec<usize> = ancestors(rig, top).take_while(|node| *node != hips).collect();
        spine.reverse();
        // A chain that ends without the hips is not that of the body.
        if is_below(rig, top, hips) {
            let parts = [spine.first(), spine.get(1), spine.last().filter(|_| spine.len() > 2)];
            for (name, node) in ["spine", "chest", "upperChest"].into_iter().zip(parts) {
                add(name.into(), node.copied());
            }
        }
    }
    for (side, prefix) in ["left", "right"].into_iter().enumerate() {
        for (limb, wanted) in LIMBS {
            add(format!("{prefix}{limb}"), find(wanted, Some(side)));
        }
        for (finger, wanted) in FINGERS {
            let segments = if finger == "Thumb" {
                ["Metacarpal", "Proximal", "Distal"]
            } else {
                ["Proximal", "Intermediate", "Distal"]
            };
            for (number, segment) in (1..).zip(segments) {
                let wanted = [format!("{wanted}{number}"), format!("hand{wanted}{number}")];
                add(format!("{prefix}{finger}{segment}"), find(&wanted.each_ref().map(String::as_str), Some(side)));
            }
        }
    }
    let found = bones.clone();
    let node_of = |name: &str| found.iter().find(|(bone, _)| bone == name).map(|(_, node)| *node);
    bones.retain(|(name, node)| {
        let above = REQUIRED_BONES.iter().find(|(bone, _)| bone == name).and_then(|(_, above)| node_of(above));
        above.is_none_or(|above| is_below(rig, *node, above))
    });
    bones
}

fn ancestors(rig: &Rig, node: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(rig.nodes[node].parent, |&node| rig.nodes[node].parent)
}

fn is_below(rig: &Rig, node: usize, above: usize) -> bool {
    ancestors(rig, node).any(|it| it == above)
}

impl Avatar {
    /// What the specification requires and the avatar lacks, so that other programs refuse it; none if it has all.
    pub fn lacks(&self) -> Option<String> {
        let bones = missing_bones(&self.bones);
        if !bones.is_empty() {
            return Some(format!("it has no {}, which VRM requires", listed_bones(&bones)));
        }
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
        let has = |key: &str| match self.meta.get(key) {
            Some(Value::Array(list)) => !list.is_empty() && list.iter().all(is_text),
            Some(value) => is_text(value),
            None => false,
        };
        let required = [("name", "a name"), ("authors", "an author"), ("licenseUrl", "the address of a licence")];
        let lacking = required.iter().filter(|(key, _)| self.version == VrmVersion::V1 && !has(key));
        let lacking: Vec<&str> = lacking.map(|(_, words)| *words).collect();
        (!lacking.is_empty()).then(|| format!("it does not say {}, which VRM requires", lacking.join(" and ")))
    }
}

/// Names of bones in a sentence: all of a few, else the number of them.
pub fn listed_bones(bones: &[&str]) -> String {
    match bones {
        [bone] => format!("bone {bone}"),
        bones if bones.len() <= 6 => format!("bones {}", bones.join(", ")),
        bones => format!("bones {} and {} more", bones[..5].join(", "), bones.len() - 5),
    }
}

/// The gaze of an avatar whose eyes are drawn by the expressions `lookUp`, `lookDown`, `lookLeft` and `lookRight`
/// (VRM's `lookAt` of the type `expression`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtExpressions {
    pub aside: RangeMap,
    pub down: RangeMap,
    pub up: RangeMap,
}

/// How an angle of the gaze becomes the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeMap {
    /// The angle from which on the value is the largest, in radians.
    pub most_radians: f32,
    pub most: f32,
}

impl RangeMap {
    /// The value at an angle; 0 at a negative one.
    fn value(self, angle: f32) -> f32 {
        if angle > 0.0 && self.most_radians > 0.0 { (angle / self.most_radians).min(1.0) * self.most } else { 0.0 }
    }
}

impl LookAtExpressions {
    /// The values of the expressions at angles of the gaze in radians, to the actor's own left and down.
    pub fn values(&self, to_left: f32, down: f32) -> [(Preset, f32); 4] {
        [
            (Preset::LookLeft, self.aside.value(to_left)),
            (Preset::LookRight, self.aside.value(-to_left)),
            (Preset::LookDown, self.down.value(down)),
            (Preset::LookUp, self.up.value(-down)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{LocalTransform, Node};

    /// A rig of nodes, each by its name and that of its parent.
    fn rig(nodes: &[(&str, &str)]) -> Rig {
        let place = |name: &str| nodes.iter().position(|(node, _)| *node == name);
        let node = |&(name, parent): &(&str, &str)| Node {
            name: name.into(),
            parent: place(parent),
            rest: LocalTransform::Matrix(Mat4::IDENTITY),
        };
        Rig { nodes: nodes.iter().map(node).collect(), ..Rig::default() }
    }

    /// The names of a body in the order of [`REQUIRED_BONES`], with a part of the spine more; each below the one that
    /// it belongs to.
    fn body(names: [&str; 16]) -> Rig {
        let above = |at: usize| names[[0, 0, 1, 2, 0, 4, 5, 0, 7, 8, 2, 10, 11, 2, 13, 14][at]];
        rig(&names
            .iter()
            .enumerate()
            .map(|(at, name)| (*name, if at == 0 { "" } else { above(at) }))
            .collect::<Vec<_>>())
    }

    #[test]
    fn bodies_of_usual_programs_have_all_bones() {
        let mixamo = [
            "Hips",
            "Spine",
            "Spine1",
            "Head",
            "LeftUpLeg",
            "LeftLeg",
            "LeftFoot",
            "RightUpLeg",
            "RightLeg",
            "RightFoot",
            "LeftArm",
            "LeftForeArm",
            "LeftHand",
            "RightArm",
            "RightForeArm",
            "RightHand",
        ];
        let prefixed = mixamo.map(|name| format!("mixamorig:{name}"));
        let unreal = [
            "pelvis",
            "spine_01",
            "spine_02",
            "head",
            "thigh_l",
            "calf_l",
            "foot_l",
            "thigh_r",
            "calf_r",
            "foot_r",
            "upperarm_l",
            "lowerarm_l",
            "hand_l",
            "upperarm_r",
            "lowerarm_r",
            "hand_r",
        ];
        let vroid = [
            "J_Bip_C_Hips",
            "J_Bip_C_Spine",
            "J_Bip_C_Chest",
            "J_Bip_C_Head",
            "J_Bip_L_UpperLeg",
            "J_Bip_L_LowerLeg",
            "J_Bip_L_Foot",
            "J_Bip_R_UpperLeg",
            "J_Bip_R_LowerLeg",
            "J_Bip_R_Foot",
            "J_Bip_L_UpperArm",
            "J_Bip_L_LowerArm",
            "J_Bip_L_Hand",
            "J_Bip_R_UpperArm",
            "J_Bip_R_LowerArm",
            "J_Bip_R_Hand",
        ];
        let max = [
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Spine1",
            "Bip01 Head",
            "Bip01 L Thigh",
            "Bip01 L Calf",
            "Bip01 L Foot",
            "Bip01 R Thigh",
            "Bip01 R Calf",
            "Bip01 R Foot",
            "Bip01 L UpperArm",
            "Bip01 L Forearm",
            "Bip01 L Hand",
            "Bip01 R UpperArm",
            "Bip01 R Forearm",
            "Bip01 R Hand",
        ];
        for names in [mixamo, prefixed.each_ref().map(String::as_str), unreal, vroid, max] {
            let bones = bones_by_name(&body(names));
            assert_eq!(missing_bones(&bones), [""; 0], "{}: {bones:?}", names[0]);
            assert_eq!(bones.iter().find(|(bone, _)| bone == "chest").map(|(_, node)| *node), Some(2), "{}", names[0]);
            assert_eq!(bones.iter().find(|(bone, _)| bone == "rightHand").map(|(_, node)| *node), Some(15));
        }
    }

    #[test]
    fn what_does_not_hang_together_is_no_body() {
        let mut apart = body([
            "Hips",
            "Spine",
            "Chest",
            "Head",
            "LeftUpLeg",
            "LeftLeg",
            "LeftFoot",
            "RightUpLeg",
            "RightLeg",
            "RightFoot",
            "LeftArm",
            "LeftForeArm",
            "LeftHand",
            "RightArm",
            "RightForeArm",
            "RightHand",
        ]);
        apart.nodes[12].parent = Some(9);
        assert_eq!(missing_bones(&bones_by_name(&apart)), ["leftHand"]);
        let face = rig(&[("root", ""), ("Head", "root"), ("LeftEye", "Head")]);
        let bones = bones_by_name(&face);
        assert!(missing_bones(&bones).len() == 14 && bones.contains(&("leftEye".into(), 2)), "{bones:?}");
        assert_eq!(
            listed_bones(&missing_bones(&bones)),
            "bones hips, spine, leftUpperLeg, leftLowerLeg, leftFoot and 9 more"
        );
    }

    #[test]
    fn an_avatar_says_what_other_programs_would_miss() {
        let bones: Vec<(String, usize)> = REQUIRED_BONES.iter().map(|(name, _)| ((*name).to_owned(), 0)).collect();
        let Value::Object(meta) = serde_json::json!({"name": "Ada", "authors": ["Eve"], "licenseUrl": " "}) else {
            panic!()
        };
        let avatar = Avatar { version: VrmVersion::V1, meta, bones, look_at: None, first_person: Vec::new() };
        assert_eq!(avatar.lacks().unwrap(), "it does not say the address of a licence, which VRM requires");
        let mut whole = avatar.clone();
        whole.meta.insert("licenseUrl".into(), "https://vrm.dev/licenses/1.0/".into());
        assert_eq!(whole.lacks(), None);
        assert_eq!(Avatar { version: VrmVersion::V0, ..avatar.clone() }.lacks(), None);
        whole.bones.remove(2);
        assert_eq!(whole.lacks().unwrap(), "it has no bone head, which VRM requires");
    }
}
