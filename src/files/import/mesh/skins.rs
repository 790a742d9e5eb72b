//! The skins of a file that were read, and the extra joints of vertices that no joint of their skin moves.

use std::collections::HashMap;

use glam::Mat4;

use crate::import::error::{Fault, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Joint, Kind, Notes, Skin, Subject};

/// The skins of a file, each read when the first mesh uses it.
#[derive(Default)]
pub(crate) struct Skins {
    skins: Vec<Skin>,
    /// Per skin: the number of the file's joints, and the number of meshes that use it.
    uses: Vec<(usize, usize)>,
    /// By index in the file: an index into `skins`, or why the skin cannot be used.
    known: HashMap<usize, Result<usize, Problem>>,
    /// By skin and node: the extra joint that follows the node, for vertices without a joint.
    node_joints: HashMap<(usize, usize), u32>,
}

/// What is wrong with a joint of a mesh's skin.
pub(crate) fn joint_problem(joint: usize, skin: &str, why: &str) -> Problem {
    format!("joint {joint} of its skin {} {why}", quoted(skin)).into()
}

/// A skin whose joints have finite transforms at rest.
pub(crate) fn with_finite_joints(skin: Skin, world_from_node: &[Mat4]) -> Result<Skin, Problem> {
    let broken = skin.palette(world_from_node).position(|matrix| !matrix.is_finite());
    match broken {
        Some(joint) => Err(joint_problem(joint, &skin.name, "is not finite")),
        None => Ok(skin),
    }
}

impl Skins {
    /// The index of the skin with a number in the file, or why it cannot be used. `read` reads it for the first mesh.
    pub(crate) fn find(
        &mut self,
        number: usize,
        read: impl FnOnce() -> Result<Result<Skin, Problem>, Fault>,
    ) -> Result<Result<usize, Problem>, Fault> {
        if let Some(known) = self.known.get(&number) {
            return Ok(known.clone());
        }
        let known = read()?.map(|skin| {
            self.uses.push((skin.joints.len(), 0));
            self.skins.push(skin);
            self.skins.len() - 1
        });
        self.known.insert(number, known.clone());
        Ok(known)
    }

    /// The joint that vertices of a mesh on `node` follow which no joint of the skin moves.
    pub(crate) fn node_joint(&self, skin: usize, node: usize) -> u32 {
        let next = self.skins[skin].joints.len() as u32;
        self.node_joints.get(&(skin, node)).copied().unwrap_or(next)
    }

    /// Counts a mesh on `node` that uses a skin, of which so many vertices are `unbound`: [`Self::node_joint`] moves
    /// them.
    pub(crate) fn count_use(&mut self, skin: usize, node: usize, unbound: usize, subject: &Subject, notes: &mut Notes) {
        self.uses[skin].1 += 1;
        if unbound == 0 {
            return;
        }
        let joint = self.node_joint(skin, node);
        if self.node_joints.insert((skin, node), joint).is_none() {
            self.skins[skin].joints.push(Joint { node, joint_from_mesh: Mat4::IDENTITY });
        }
        notes.warn(subject, format!("{unbound} vertices are bound to no joint of its skin; they follow its node"));
    }

    /// All skins that were read, with a note on how many meshes each moves.
    pub(crate) fn finish(self, notes: &mut Notes) -> Vec<Skin> {
        for (skin, (joints, meshes)) in self.skins.iter().zip(self.uses).filter(|(_, (_, meshes))| *meshes > 0) {
            notes.inform(Subject::named(Kind::Skin, &skin.name), format!("its {joints} joints skin {meshes} meshes"));
        }
        self.skins
    }
}
