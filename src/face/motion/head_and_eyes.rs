//! Which nodes the angles of a take or of a live source turn.

use serde::{Deserialize, Serialize};

use crate::head::{FaceJoints, FaceTurns, Head};

/// Whether the head, the eyes and the body are turned, and by which nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeadAndEyes {
    pub head: bool,
    pub eyes: bool,
    /// Whether the body of an avatar moves. It is saved where it does not.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub body: bool,
    /// The node that turns the head; with [`JointChoice::None`], the whole head turns about its neck.
    pub head_joint: JointChoice,
    /// The node that turns the actor's own left eye, then the right one; with [`JointChoice::None`], it is not turned.
    pub eye_joints: [JointChoice; 2],
}

/// The node that turns a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JointChoice {
    #[default]
    Found,
    None,
    /// The node of that name; if the head has none, the one that is found.
    Node(String),
}
impl JointChoice {
    /// The node on a head, where `found` is the one that is found by its name.
    fn node(&self, head: &Head, found: Option<usize>) -> Option<usize> {
        match self {
            Self::Found => found,
            Self::None => None,
            Self::Node(name) => head.rig.nodes.iter().position(|node| node.name == *name).or(found),
        }
    }
}

impl Default for HeadAndEyes {
    fn default() -> Self {
        Self { head: true, eyes: true, body: true, ..Self::OFF }
    }
}

impl HeadAndEyes {
    /// Nothing is turned: what projects mean that were saved before there were turns.
    pub const OFF: Self = Self {
        head: false,
        eyes: false,
        body: false,
        head_joint: JointChoice::Found,
        eye_joints: [const { JointChoice::Found }; 2],
    };

    pub fn joints_of(&self, head: &Head) -> FaceJoints {
        FaceJoints {
            head: self.head_joint.node(head, head.face_joints.head),
            eyes: [0, 1].map(|side| self.eye_joints[side].node(head, head.face_joints.eyes[side])),
        }
    }

    pub fn switched_on(&self, turns: FaceTurns) -> FaceTurns {
        let none = FaceTurns::NONE;
        FaceTurns {
            head: if self.head { turns.head } else { none.head },
            eyes: if self.eyes { turns.eyes } else { none.eyes },
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::head::{Asset, LocalTransform, Mesh, Node, Rig, Trs, Turn, Vertices};

    #[test]
    fn a_chosen_node_comes_before_the_one_that_is_found() {
        let node = |name: &str, parent| Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs::IDENTITY) };
        let nodes = vec![node("Neck", None), node("Head", Some(0)), node("face", Some(1))];
        let vertices = Vertices { positions: vec![Vec3::ZERO], ..Vertices::default() };
        let meshes = vec![Mesh { node: Some(2), vertices, ..Mesh::default() }];
        let head = Head::new(Asset { meshes, rig: Rig { nodes, ..Rig::default() }, ..Asset::default() });
        let joint = |choice| HeadAndEyes { head_joint: choice, ..HeadAndEyes::default() }.joints_of(&head).head;
        assert_eq!(joint(JointChoice::Found), Some(1));
        assert_eq!(joint(JointChoice::None), None);
        assert_eq!(joint(JointChoice::Node("Neck".into())), Some(0));
        assert_eq!(joint(JointChoice::Node("gone".into())), Some(1));
    }

    #[test]
    fn what_is_switched_off_is_not_turned() {
        let turn = Turn { yaw: 0.5, ..Turn::NONE };
        let turns = FaceTurns { head: turn, eyes: [turn; 2] };
        let head_only = HeadAndEyes { eyes: false, ..HeadAndEyes::default() }.switched_on(turns);
        assert_eq!(head_only, FaceTurns { head: turn, ..FaceTurns::NONE });
        assert_eq!(HeadAndEyes::OFF.switched_on(turns), FaceTurns::NONE);
    }

    #[test]
    fn choices_are_readable_in_a_file() {
        let choices = HeadAndEyes { head_joint: JointChoice::Node("Neck".into()), ..HeadAndEyes::OFF };
        let text = serde_json::to_string(&choices).unwrap();
        assert!(text.contains(r#""head_joint":{"node":"Neck"}"#) && text.contains(r#"["found","found"]"#), "{text}");
        assert_eq!(serde_json::from_str::<HeadAndEyes>(&text).unwrap(), choices);
    }
}
