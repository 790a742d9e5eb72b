//! Skins and what they pull on (glTF 2.0 §3.7.3). Vertices and deltas stay as they were bound. A skin whose numbers do not
//! fit its mesh is left off, with a note; one whose numbers are not there, or lead nowhere, is the file's fault.

use std::collections::HashMap;

use glam::Mat4;
use gltf::json::{self, Index};

use super::meshes::Context;
use crate::head::{Influence, Influences, Joint, Mesh, Note, Skin};
use crate::import::Fault;
use crate::import::budget::Budget;
use crate::import::error::quoted;
use crate::import::gltf::read::lookup;

/// The joints that pull on a run of vertices, as the file has them.
#[derive(Clone)]
pub struct InfluenceRun {
    /// First vertex.
    pub first: usize,
    /// How many vertices.
    pub count: usize,
    /// None where nothing pulls.
    pub sets: Vec<InfluenceSet>,
}

impl InfluenceRun {
    /// What it takes in memory: four joints and four weights per set and vertex. [`Influences`] take as much, and where
    /// each vertex's end.
    pub fn bytes(&self) -> usize {
        self.count * self.sets.len() * size_of::<[Influence; 4]>()
    }

    /// Those of some of its vertices, given as indices into the mesh, for as many vertices from `first` on.
    pub fn of(&self, vertices: &[u32], first: usize) -> Self {
        let local = |&vertex: &u32| vertex as usize - self.first;
        let sets = self.sets.iter().map(|set| InfluenceSet {
            joints: vertices.iter().map(|vertex| set.joints[local(vertex)]).collect(),
            weights: vertices.iter().map(|vertex| set.weights[local(vertex)]).collect(),
        });
        Self { first, count: vertices.len(), sets: sets.collect() }
    }

    /// What pulls on its `vertex`-th vertex; weights as the file has them.
    fn pulls(&self, vertex: usize) -> impl Iterator<Item = Influence> + '_ {
        let pulls = self.sets.iter().flat_map(move |set| set.joints[vertex].iter().zip(&set.weights[vertex]));
        pulls.map(|(&joint, &weight)| Influence { joint, weight }).filter(|pull| pull.weight != 0.0)
    }
}

/// Four joints for each of a run of vertices; both lists are as long as the run.
#[derive(Clone)]
pub struct InfluenceSet {
    /// Into the skin's joints.
    pub joints: Vec<[u32; 4]>,
    /// How much each pulls.
    pub weights: Vec<[f32; 4]>,
}

/// The skins of a file, read as meshes ask for them.
#[derive(Default)]
pub struct Skins {
    skins: Vec<Skin>,
    /// Per skin: the file's joints, and on how many meshes they pull.
    uses: Vec<(usize, usize)>,
    /// By the file's number: a place in `skins`, or why it cannot be used.
    known: HashMap<usize, Result<usize, String>>,
    /// By skin and node: the joint that holds what nobody pulls where the node is.
    holding: HashMap<(usize, usize), u32>,
}

impl Skins {
    /// Hangs a mesh that stands on a node on a skin of the file. Leaves it where its node is, with a note, if the skin is
    /// unusable.
    pub fn hang(
        &mut self,
        context: &Context<'_>,
        index: Index<json::Skin>,
        runs: &[InfluenceRun],
        mesh: &mut Mesh,
        budget: &mut Budget,
        notes: &mut Vec<Note>,
    ) -> Result<(), Fault> {
        let object = &format!("mesh {}", quoted(&mesh.name));
        let known = match self.known.get(&index.value()) {
            Some(known) => known.clone(),
            None => {
                let read = read_skin(context, index, object)?;
                let known = read.map(|skin| {
                    self.uses.push((skin.joints.len(), 0));
                    self.skins.push(skin);
                    self.skins.len() - 1
                });
                self.known.insert(index.value(), known.clone());
                known
            }
        };
        if known.is_ok() {
            let bytes: usize = runs.iter().map(|run| run.bytes() + run.count * size_of::<u32>()).sum();
            budget.spend(bytes as u64, object)?;
        }
        let joint_count = context.document.skins[index.value()].joints.len();
        match known.and_then(|skin| Ok((skin, self.influences(skin, joint_count, runs, mesh, object, notes)?))) {
            Ok((skin, influences)) => {
                mesh.vertices.influences = influences;
                mesh.skin = Some(skin);
                self.uses[skin].1 += 1;
            }
            Err(why) => notes.push(Note::warning(object, format!("{why}; shown without its skin"))),
        }
        Ok(())
    }

    /// All skins that were asked for; says what hangs on them.
    pub fn finish(self, notes: &mut Vec<Note>) -> Vec<Skin> {
        for (skin, (joints, meshes)) in self.skins.iter().zip(self.uses).filter(|(_, (_, meshes))| *meshes > 0) {
            let message = format!("its {joints} joints pull on {meshes} meshes");
            notes.push(Note::info(format!("skin {}", quoted(&skin.name)), message));
        }
        self.skins
    }

    /// What pulls on each vertex of a mesh, or why that cannot be said.
    fn influences(
        &mut self,
        skin: usize,
        joint_count: usize,
        runs: &[InfluenceRun],
        mesh: &Mesh,
        object: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Influences, String> {
        if runs.iter().all(|run| run.sets.is_empty()) {
            return Err("has a skin and no JOINTS_0".into());
        }
        let Some(node) = mesh.node else { return Err("has a skin and no node".into()) };
        let joints = &mut self.skins[skin].joints;
        let known = self.holding.get(&(skin, node)).copied();
        let holding = known.unwrap_or(joints.len() as u32);
        let mut influences = Influences::default();
        let (mut unpulled, mut uneven) = (0, 0);
        for run in runs {
            for vertex in 0..run.count {
                if let Some(pull) = run.pulls(vertex).find(|pull| pull.joint as usize >= joint_count) {
                    let vertex = run.first + vertex;
                    return Err(format!("vertex {vertex} hangs on joint {}, its skin has {joint_count}", pull.joint));
                }
                let total: f64 = run.pulls(vertex).map(|pull| f64::from(pull.weight)).sum();
                let is_pulled = influences.push(run.pulls(vertex), holding);
                unpulled += usize::from(!is_pulled);
                uneven += usize::from(is_pulled && (total - 1.0).abs() > Self::ROUNDING);
            }
        }
        if unpulled > 0 {
            if known.is_none() {
                joints.push(Joint { node, joint_from_mesh: Mat4::IDENTITY });
                self.holding.insert((skin, node), holding);
            }
            let message = format!("{unpulled} vertices hang on no joint of its skin; they stay where its node is");
            notes.push(Note::warning(object, message));
        }
        if uneven > 0 {
            let message = format!("the weights of {uneven} vertices on their joints do not add up to 1; made to");
            notes.push(Note::info(object, message));
        }
        Ok(influences)
    }

    /// What eight weights in bytes may be off.
    const ROUNDING: f64 = 0.02;
}

/// A skin of the file, or why it cannot be used. Indices that lead nowhere are a fault.
fn read_skin(context: &Context<'_>, index: Index<json::Skin>, object: &str) -> Result<Result<Skin, String>, Fault> {
    let skin = lookup(&context.document.skins, index, object, "skin")?;
    let inverse_binds = match skin.inverse_bind_matrices {
        Some(accessor) => context.accessors.read::<16>(accessor, object)?,
        None => vec![Mat4::IDENTITY.to_cols_array(); skin.joints.len()],
    };
    if inverse_binds.len() < skin.joints.len() {
        let (found, needed) = (inverse_binds.len(), skin.joints.len());
        return Ok(Err(format!("its skin has {found} inverse bind matrices for {needed} joints")));
    }
    let mut joints = Vec::with_capacity(skin.joints.len());
    for (joint, inverse_bind) in skin.joints.iter().zip(&inverse_binds) {
        lookup(&context.document.nodes, *joint, object, "node (a joint of its skin)")?;
        let node = context.graph.place(joint.value()).unwrap_or_default();
        joints.push(Joint { node, joint_from_mesh: Mat4::from_cols_array(inverse_bind) });
    }
    let name = skin.name.clone().unwrap_or_else(|| format!("skin {}", index.value()));
    let skin = Skin { name, joints };
    if let Some(joint) = skin.palette(context.graph.world_from_node()).position(|matrix| !matrix.is_finite()) {
        return Ok(Err(format!("joint {joint} of its skin is not finite")));
    }
    Ok(Ok(skin))
}
