//! Skins, and the joints that move a mesh's vertices (glTF 2.0 §3.7.3). Vertices and deltas are not changed: they stay
//! in the space of the bind pose. A skin that does not exist, whose joints do not exist, or whose numbers do not fit
//! its mesh is left out, with a note; one whose bytes are missing is an error.

use glam::Mat4;
use gltf::json::{self, Index};

use crate::import::gltf::Context;
use crate::import::mesh::{Skins, joint_problem, with_finite_joints};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Influence, Influences, Joint, Kind, Mesh, Skin, Subject};

/// Binds a mesh that has a node to a skin of the file. If the skin is unusable the mesh follows its node, with a note.
pub(super) fn bind(
    skins: &mut Skins,
    context: &Context<'_>,
    index: Index<json::Skin>,
    runs: &[InfluenceRun],
    mesh: &mut Mesh,
    import: &mut Import<'_>,
) -> Result<(), Fault> {
    let subject = &Subject::named(Kind::Mesh, &mesh.name);
    let known = skins.find(index.value(), || read_skin(context, index, subject))?;
    if known.is_ok() {
        let bytes: usize = runs.iter().map(|run| run.bytes() + run.count * size_of::<u32>()).sum();
        import.budget.spend(bytes as u64, subject)?;
    }
    let joint_count = context.document.skins.get(index.value()).map_or(0, |skin| skin.joints.len());
    let bound = known.and_then(|skin| {
        let node = mesh.node.ok_or("has a skin and no node")?;
        Ok((skin, node, influences(runs, joint_count, skins.node_joint(skin, node))?))
    });
    match bound {
        Ok((skin, node, Bound { influences, unbound, uneven })) => {
            mesh.vertices.influences = influences;
            mesh.skin = Some(skin);
            skins.count_use(skin, node, unbound, subject, &mut import.notes);
            if uneven > 0 {
                let message =
                    format!("the joint weights of {uneven} vertices do not add up to 1; they were normalised");
                import.notes.inform(subject, message);
            }
        }
        Err(why) => import.notes.warn(subject, format!("{why}; shown without its skin")),
    }
    Ok(())
}

/// The joints of a mesh's vertices, with normalised weights.
struct Bound {
    influences: Influences,
    unbound: usize,
    /// Of how many vertices the weights in the file do not add up to 1.
    uneven: usize,
}

/// The joints of the vertices of a mesh, of a skin with so many joints, or why the skin does not fit the mesh. Vertices
/// without a joint have `node_joint`.
fn influences(runs: &[InfluenceRun], joint_count: usize, node_joint: u32) -> Result<Bound, Problem> {
    /// Sums of weights this close to 1 are not reported: eight weights of 8 bits may be off by as much.
    const ROUNDING: f64 = 0.02;
    if runs.iter().all(|run| run.sets.is_empty()) {
        return Err("has a skin and no JOINTS_0".into());
    }
    let mut bound = Bound { influences: Influences::default(), unbound: 0, uneven: 0 };
    for run in runs {
        for vertex in 0..run.count {
            if let Some(influence) = run.influences(vertex).find(|influence| influence.joint as usize >= joint_count) {
                let vertex = run.first + vertex;
                return Err(format!(
                    "vertex {vertex} is bound to joint {}, its skin has {joint_count}",
                    influence.joint
                )
                .into());
            }
            let total: f64 = run.influences(vertex).map(|influence| f64::from(influence.weight)).sum();
            let is_bound = bound.influences.push(run.influences(vertex), node_joint);
            bound.unbound += usize::from(!is_bound);
            bound.uneven += usize::from(is_bound && (total - 1.0).abs() > ROUNDING);
        }
    }
    Ok(bound)
}

/// A skin of the file, or why it cannot be used. Missing bytes are an error.
fn read_skin(
    context: &Context<'_>,
    index: Index<json::Skin>,
    subject: &Subject,
) -> Result<Result<Skin, Problem>, Fault> {
    let Some(skin) = context.document.skins.get(index.value()) else {
        return Ok(Err(of_missing("skin", index.value(), context.document.skins.len())));
    };
    let name = skin.name.clone().unwrap_or_else(|| format!("skin {}", index.value()));
    let inverse_binds = match skin.inverse_bind_matrices {
        Some(accessor) if !context.accessors.exists(accessor) => {
            return Ok(Err(of_missing("accessor", accessor.value(), context.document.accessors.len())));
        }
        Some(accessor) => context.accessors.read::<16>(accessor, subject)?,
        None => vec![Mat4::IDENTITY.to_cols_array(); skin.joints.len()],
    };
    if inverse_binds.len() < skin.joints.len() {
        let (found, needed) = (inverse_binds.len(), skin.joints.len());
        let name = quoted(&name);
        return Ok(Err(format!("its skin {name} has {found} inverse bind matrices for {needed} joints").into()));
    }
    let mut joints = Vec::with_capacity(skin.joints.len());
    for (joint, inverse_bind) in skin.joints.iter().zip(&inverse_binds) {
        let Some(node) = context.graph.rig_index(joint.value()) else {
            let (node, count) = (joint.value(), context.document.nodes.len());
            let why = format!("is node {node}, the file has {count} of them");
            return Ok(Err(joint_problem(joints.len(), &name, &why)));
        };
        joints.push(Joint { node, joint_from_mesh: Mat4::from_cols_array(inverse_bind) });
    }
    Ok(with_finite_joints(Skin { name, joints }, context.graph.world_from_node()))
}

fn of_missing(kind: &str, index: usize, count: usize) -> Problem {
    format!("refers to {kind} {index}, the file has {count} of them").into()
}

/// Joints and weights of consecutive vertices of a mesh.
#[derive(Clone)]
pub(super) struct InfluenceRun {
    pub first: usize,
    pub count: usize,
    /// Empty for vertices without joints.
    pub sets: Vec<InfluenceSet>,
}

/// Four joints per vertex (JOINTS_n with WEIGHTS_n); both lists have one element per vertex.
#[derive(Clone)]
pub(super) struct InfluenceSet {
    /// Indices into the skin's joints.
    pub joints: Vec<[u32; 4]>,
    pub weights: Vec<[f32; 4]>,
}

impl InfluenceRun {
    /// The memory it takes: four joints and four weights per set and vertex. The head's
    /// [`Influences`] take as much, and one offset per vertex.
    pub(super) fn bytes(&self) -> usize {
        self.count * self.sets.len() * size_of::<[Influence; 4]>()
    }

    /// A copy of the influences of `vertices` (indices into the mesh) for as many vertices from `first` on.
    pub(super) fn copied(&self, vertices: &[u32], first: usize) -> Self {
        let sets = self.sets.iter().map(|set| InfluenceSet {
            joints: vertices.iter().map(|&vertex| set.joints[vertex as usize - self.first]).collect(),
            weights: vertices.iter().map(|&vertex| set.weights[vertex as usize - self.first]).collect(),
        });
        Self { first, count: vertices.len(), sets: sets.collect() }
    }

    /// The joints of the run's `vertex`-th vertex whose weight is not 0; weights are not normalised.
    pub(super) fn influences(&self, vertex: usize) -> impl Iterator<Item = Influence> + '_ {
        let influences = self.sets.iter().flat_map(move |set| set.joints[vertex].iter().zip(&set.weights[vertex]));
        influences.map(|(&joint, &weight)| Influence { joint, weight }).filter(|influence| influence.weight != 0.0)
    }
}
