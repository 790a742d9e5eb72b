//! The nodes that turn the head and the eyes: those that the file names, or found by their names and by what they
//! carry.

use glam::{EulerRot, Quat};

use super::{Rig, RigPose};
use crate::head::channel::{canonical_name, lowercase_words, side_of};
use crate::head::{Bounds, Mesh, Target};

/// The nodes that turn the head and the eyes, as indices into [`Rig::nodes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaceJoints {
    pub head: Option<usize>,
    /// The actor's own left eye, then the right one.
    pub eyes: [Option<usize>; 2],
}

/// Words of nodes that are not the joint itself: ends of chains, targets to look at, controls, and parts around an eye.
const OTHER_PARTS: &str = "aim at bag band blink brow brows control corner ctrl effector end fore highlight ik inner lash \
                           lashes leaf lid lids look lower master nub outer parallel pole socket target tip top upper";

/// Of nodes with the right names, the best ones are looked at. A file may give one name to all of its nodes.
const MOST_CANDIDATES: usize = 8;

impl FaceJoints {
    /// The joints of a head. Bones that the file names come first. Else a node is a joint if a skin says so. Else its
    /// origin has to lie within the meshes that it carries, and for the head, it has to be a group that carries all
    /// meshes in its place: a file may call the mesh of the face `head` and keep the eyes beside it. An eye that the
    /// head's `eyeLook` targets turn has no joint.
    pub(in crate::head) fn find(rig: &Rig, meshes: &[Mesh], rest_pose: &RigPose) -> Self {
        let mut is_of_skin = vec![false; rig.nodes.len()];
        for joint in rig.skins.iter().flat_map(|skin| &skin.joints) {
            is_of_skin.get_mut(joint.node).into_iter().for_each(|is| *is = true);
        }
        let bones = &rig.humanoid;
        let head = bones.head.or_else(|| {
            let mut named = nodes_named(rig, &is_of_skin, &["head"], None).into_iter();
            named.find(|&node| is_of_skin[node] || is_group_of_head(rig, meshes, rest_pose, node))
        });
        let eyes = [0, 1].map(|side| {
            let joint = bones.eyes[side].or_else(|| {
                let mut named = nodes_named(rig, &is_of_skin, &["eye", "eyeball"], Some(side)).into_iter();
                named.find(|&node| is_of_skin[node] || is_within_its_meshes(rig, meshes, rest_pose, node))
            });
            joint.filter(|&joint| !is_turned_by_targets(rig, meshes, joint))
        });
        Self { head, eyes }
    }
}

/// The nodes whose names have one of these words, and the side if one is wanted. A node of a skin comes first, then the
/// one with the fewest other words, then the one that the others hang from.
fn nodes_named(rig: &Rig, is_of_skin: &[bool], words: &[&str], side: Option<usize>) -> Vec<usize> {
    let ranked = rig.nodes.iter().enumerate().filter_map(|(node, of)| {
        let extra = extra_words(&of.name, words, side)?;
        Some((!is_of_skin[node], extra, node))
    });
    let mut ranked: Vec<(bool, usize, usize)> = ranked.collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(.., node)| node).take(MOST_CANDIDATES).collect()
}

/// The number of words of a name besides the wanted one and, if one is wanted, the side; none if the name lacks either
/// or says that the node is something else.
fn extra_words(name: &str, wanted: &[&str], side: Option<usize>) -> Option<usize> {
    let mut words = lowercase_words(name);
    words.remove(words.iter().position(|word| wanted.contains(&word.as_str()))?);
    if let Some(side) = side {
        words.remove(words.iter().position(|word| side_of(word) == Some(side))?);
    }
    (!words.iter().any(|word| OTHER_PARTS.split_whitespace().any(|part| part == word))).then_some(words.len())
}

fn is_below(rig: &Rig, mut node: usize, above: usize) -> bool {
    // Parents come before their children.
    while node > above {
        let Some(parent) = rig.nodes[node].parent else { return false };
        node = parent;
    }
    node == above
}

fn bounds_below(rig: &Rig, meshes: &[Mesh], rest_pose: &RigPose, node: usize) -> Bounds {
    let below = meshes.iter().filter(|mesh| mesh.node.is_some_and(|of| is_below(rig, of, node)));
    Bounds::union(below.map(|mesh| rest_pose.bounds_in_world(mesh)))
}

/// Whether a node carries others, lies within the meshes that it carries, and carries all meshes that have their
/// centres there.
fn is_group_of_head(rig: &Rig, meshes: &[Mesh], rest_pose: &RigPose, node: usize) -> bool {
    let is_group = rig.nodes.iter().any(|other| other.parent == Some(node));
    let bounds = bounds_below(rig, meshes, rest_pose, node);
    let others = meshes.iter().filter(|mesh| !mesh.node.is_some_and(|of| is_below(rig, of, node)));
    let mut bounds_of_others = others.map(|mesh| rest_pose.bounds_in_world(mesh)).filter(|other| !other.is_empty());
    is_group
        && is_within_its_meshes(rig, meshes, rest_pose, node)
        && !bounds_of_others.any(|other| bounds.contains(other.center()))
}

fn is_within_its_meshes(rig: &Rig, meshes: &[Mesh], rest_pose: &RigPose, node: usize) -> bool {
    let origin = rest_pose.world_from_node()[node].w_axis.truncate();
    bounds_below(rig, meshes, rest_pose, node).contains(origin)
}

/// Whether targets that look somewhere move vertices that a joint carries.
fn is_turned_by_targets(rig: &Rig, meshes: &[Mesh], joint: usize) -> bool {
    meshes.iter().any(|mesh| {
        let least = Bounds::around(mesh.vertices.positions.iter().copied()).radius() * 1e-3;
        let looks = mesh.targets.iter().filter(|target| canonical_name(&target.name).starts_with("eyelook"));
        looks.flat_map(Target::shapes).any(|shape| {
            let moved = shape.rows.iter().zip(shape.positions).filter(|(_, delta)| delta.length() > least);
            moved.into_iter().any(|(&row, _)| carries(rig, joint, mesh, row as usize))
        })
    })
}

/// Whether a joint carries a vertex, or most of its weight.
fn carries(rig: &Rig, joint: usize, mesh: &Mesh, vertex: usize) -> bool {
    let Some(skin) = mesh.skin.and_then(|skin| rig.skins.get(skin)) else {
        return mesh.node.is_some_and(|node| is_below(rig, node, joint));
    };
    let strongest = mesh.vertices.influences.of_vertex(vertex).first();
    strongest.is_some_and(|each| skin.joints.get(each.joint as usize).is_some_and(|of| of.node == joint))
}

impl Rig {
    /// Which vertices of a mesh a node carries, with all that hangs from it: at least half of each.
    pub(in crate::head) fn carried_vertices(&self, node: usize, mesh: &Mesh) -> Vec<bool> {
        (0..mesh.vertices.len()).map(|vertex| self.carried_part(node, mesh, vertex) >= 0.5).collect()
    }

    /// How much of a vertex a node carries, with all that hangs from it: from 0 to 1.
    pub fn carried_part(&self, node: usize, mesh: &Mesh, vertex: usize) -> f32 {
        let influences = mesh.vertices.influences.of_vertex(vertex);
        let Some(skin) = mesh.skin.and_then(|skin| self.skins.get(skin)).filter(|_| !influences.is_empty()) else {
            return f32::from(u8::from(mesh.node.is_some_and(|of| is_below(self, of, node))));
        };
        let carried = influences.iter().filter(|each| {
            let joint = skin.joints.get(each.joint as usize);
            joint.is_some_and(|joint| is_below(self, joint.node, node))
        });
        carried.map(|each| each.weight).sum()
    }
}

/// The bones of the head that a file names itself, as indices into [`super::Rig::nodes`]. They need not be searched for
/// by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Humanoid {
    pub head: Option<usize>,
    /// The neck, which carries the head.
    pub neck: Option<usize>,
    /// The actor's own left eye, then the right one.
    pub eyes: [Option<usize>; 2],
    /// How far these eyes turn at most; none if the file does not say.
    pub eye_range: Option<EyeRange>,
}

/// How far the eyes turn at most from looking straight ahead, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeRange {
    /// Towards the nose.
    pub inwards: f32,
    /// Away from the nose.
    pub outwards: f32,
    pub down: f32,
    pub up: f32,
}

impl EyeRange {
    /// A turn of an eye within the range: of the actor's own left eye with `side` 0, of the right one with 1.
    pub(in crate::head) fn limited(self, side: usize, turn: Turn) -> Turn {
        let [to_right, to_left] = if side == 0 { [self.inwards, self.outwards] } else { [self.outwards, self.inwards] };
        // `max` and `min` also replace an angle that is not a number.
        Turn { yaw: turn.yaw.max(-to_right).min(to_left), pitch: turn.pitch.max(-self.up).min(self.down), ..turn }
    }
}

/// A rotation away from rest, in radians. The axes are those of an actor who looks along +z: x to the actor's own left,
/// y up. Every angle is right-handed about its axis, as in the coordinates of ARKit's face anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// About y: positive is towards the actor's own left.
    pub yaw: f32,
    /// About x: positive is down.
    pub pitch: f32,
    /// About z: positive tilts the top of the head towards the actor's own right shoulder.
    pub roll: f32,
}

impl Turn {
    pub const NONE: Self = Self { yaw: 0.0, pitch: 0.0, roll: 0.0 };

    /// The rotation: first the roll, then the pitch, then the yaw, all about axes that do not turn. An angle that is
    /// not finite is 0.
    pub fn rotation(self) -> Quat {
        let [yaw, pitch, roll] =
            [self.yaw, self.pitch, self.roll].map(|angle| if angle.is_finite() { angle } else { 0.0 });
        Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll)
    }

    /// The angles of a rotation: the inverse of [`Self::rotation`].
    pub fn of_rotation(rotation: Quat) -> Self {
        let (yaw, pitch, roll) = rotation.to_euler(EulerRot::YXZ);
        Self { yaw, pitch, roll }
    }
}

/// The turns of the head and of both eyes. The eyes are turned relative to the head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceTurns {
    pub head: Turn,
    /// The actor's own left eye, then the right one.
    pub eyes: [Turn; 2],
}

impl FaceTurns {
    pub const NONE: Self = Self { head: Turn::NONE, eyes: [Turn::NONE; 2] };
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::{Mat4, Vec3};

    use crate::head::{Asset, Head, Humanoid, Influence, Influences, Joint, LocalTransform, Node, Skin, Trs, Vertices};

    use super::*;

    fn rig(nodes: &[(&str, Option<usize>, Vec3)]) -> Rig {
        let node = |&(name, parent, translation): &(&str, Option<usize>, Vec3)| Node {
            name: name.into(),
            parent,
            rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
        };
        Rig { nodes: nodes.iter().map(node).collect(), ..Rig::default() }
    }

    fn globe(node: usize) -> Mesh {
        let positions = vec![Vec3::NEG_ONE, Vec3::ONE];
        Mesh { node: Some(node), vertices: Vertices { positions, ..Vertices::default() }, ..Mesh::default() }
    }

    fn found(rig: Rig, meshes: Vec<Mesh>) -> FaceJoints {
        Head::new(Asset { meshes, rig, ..Asset::default() }).face_joints
    }

    #[test]
    fn joints_of_a_skin_are_found_by_the_words_of_their_names() {
        for [head, left, right, other] in [
            ["Head", "LeftEye", "RightEye", "HeadTop_End"],
            ["J_Bip_C_Head", "J_Adj_L_FaceEye", "J_Adj_R_FaceEye", "J_Opt_L_EyeLid"],
            ["mixamorig:Head", "mixamorig:LeftEye", "mixamorig:RightEye", "mixamorig:HeadTop_End"],
            ["head", "eye.L", "eye.R", "forehead"],
            ["CC_Base_Head", "CC_Base_L_Eye", "CC_Base_R_Eye", "CC_Base_L_EyeTarget"],
            ["c_head.x", "c_eye.l", "c_eye.r", "c_eyelid.l"],
            ["FACIAL_C_Head", "FACIAL_L_Eye", "FACIAL_R_Eye", "FACIAL_L_EyeParallel"],
        ] {
            let names = [other, "Neck", right, left, head];
            let mut rig = rig(&names.map(|name| (name, None, Vec3::ZERO)));
            let joints = (0..5).map(|node| Joint { node, joint_from_mesh: Mat4::IDENTITY }).collect();
            rig.skins.push(Skin { name: "all".into(), joints });
            assert_eq!(found(rig, vec![]), FaceJoints { head: Some(4), eyes: [Some(3), Some(2)] }, "{head}");
        }
    }

    #[test]
    fn a_mesh_of_that_name_is_no_joint_and_a_group_around_its_globe_is() {
        let nodes = [
            ("whole", None, Vec3::ZERO),
            ("head", Some(0), Vec3::ZERO),
            ("face", Some(1), Vec3::ZERO),
            ("grp_eyeLeft", Some(0), Vec3::X * 0.5),
            ("ball", Some(3), Vec3::ZERO),
            ("eyeRight", Some(0), Vec3::ZERO),
            ("ball", Some(5), Vec3::X * -3.0),
        ];
        let joints = found(rig(&nodes), vec![globe(2), globe(4), globe(6)]);
        assert_eq!(joints, FaceJoints { head: None, eyes: [Some(3), None] }, "the right group is outside of its globe");
        let nodes = [("Head", None, Vec3::ZERO), ("face", Some(0), Vec3::ZERO), ("body", None, Vec3::Y * -3.0)];
        assert_eq!(found(rig(&nodes), vec![globe(1), globe(2)]).head, Some(0));
        let below = [("Head", None, Vec3::Y * -3.0), ("face", Some(0), Vec3::Y * 3.0)];
        assert_eq!(found(rig(&below), vec![globe(1)]).head, None, "its origin is far below the face");
        assert_eq!(found(rig(&[("Head", None, Vec3::ZERO)]), vec![globe(0)]).head, None, "a mesh");
    }

    #[test]
    fn eyes_that_targets_turn_have_no_joint() {
        let eyes = |target: &str, joint: u32| {
            let mut rig = rig(&[("LeftEye", None, Vec3::ZERO), ("RightEye", None, Vec3::ZERO)]);
            let joints = (0..2).map(|node| Joint { node, joint_from_mesh: Mat4::IDENTITY }).collect();
            rig.skins.push(Skin { name: "all".into(), joints });
            let mut mesh = Mesh { skin: Some(0), ..globe(0) };
            let mut influences = Influences::default();
            (0..2).for_each(|_| assert!(influences.push([Influence { joint, weight: 1.0 }], 0)));
            mesh.vertices.influences = influences;
            mesh.targets = vec![Target::from_dense(target.into(), 0.0, &[Vec3::X, Vec3::ZERO], &[], &[])];
            found(rig, vec![mesh]).eyes
        };
        assert_eq!(eyes("eyeLookInLeft", 0), [None, Some(1)]);
        assert_eq!(eyes("EyeLookIn_R", 1), [Some(0), None]);
        assert_eq!(eyes("eyeBlinkLeft", 0), [Some(0), Some(1)]);
    }

    #[test]
    fn bones_that_the_file_names_come_before_nodes_with_the_right_names() {
        let mut rig = rig(&["Head", "LeftEye", "RightEye", "bone 7", "bone 8"].map(|name| (name, None, Vec3::ZERO)));
        let joints = (0..5).map(|node| Joint { node, joint_from_mesh: Mat4::IDENTITY }).collect();
        rig.skins.push(Skin { name: "all".into(), joints });
        rig.humanoid = Humanoid { head: Some(3), eyes: [Some(4), None], ..Humanoid::default() };
        assert_eq!(found(rig, vec![]), FaceJoints { head: Some(3), eyes: [Some(4), Some(2)] });
    }

    #[test]
    fn eyes_turn_further_out_than_in_on_either_side() {
        let range = EyeRange { inwards: 0.1, outwards: 0.2, down: 0.3, up: 0.4 };
        let far = |yaw: f32, pitch: f32| Turn { yaw, pitch, roll: 0.0 };
        let limited = |side: usize, turn: Turn| range.limited(side, turn);
        assert_eq!((limited(0, far(1.0, 1.0)), limited(0, far(-1.0, -1.0))), (far(0.2, 0.3), far(-0.1, -0.4)));
        assert_eq!((limited(1, far(1.0, 1.0)), limited(1, far(-1.0, -1.0))), (far(0.1, 0.3), far(-0.2, -0.4)));
        assert_eq!(limited(0, far(0.05, -0.05)), far(0.05, -0.05));
    }

    #[test]
    fn positive_angles_turn_left_down_and_to_the_right_shoulder() {
        let turned = |turn: Turn, point: Vec3| turn.rotation() * point;
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-6, "{a} is not {b}");
        near(turned(Turn { yaw: FRAC_PI_2, ..Turn::NONE }, Vec3::Z), Vec3::X);
        near(turned(Turn { pitch: FRAC_PI_2, ..Turn::NONE }, Vec3::Z), Vec3::NEG_Y);
        near(turned(Turn { roll: FRAC_PI_2, ..Turn::NONE }, Vec3::Y), Vec3::NEG_X);
        // The yaw comes last: a face that looks straight up still does so after it.
        near(turned(Turn { yaw: 1.0, pitch: -FRAC_PI_2, roll: 0.0 }, Vec3::Z), Vec3::Y);
    }

    #[test]
    fn the_angles_of_a_rotation_are_those_that_it_was_made_of() {
        let turn = Turn { yaw: 0.7, pitch: -0.4, roll: 0.2 };
        let found = Turn::of_rotation(turn.rotation());
        for (is, should) in [(found.yaw, turn.yaw), (found.pitch, turn.pitch), (found.roll, turn.roll)] {
            assert!((is - should).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn bad_angles_turn_nothing() {
        let turn = Turn { yaw: f32::NAN, pitch: f32::INFINITY, roll: 0.5 };
        assert_eq!(turn.rotation(), Turn { roll: 0.5, ..Turn::NONE }.rotation());
        assert!(Turn { yaw: f32::MAX, ..Turn::NONE }.rotation().is_normalized());
    }
}
