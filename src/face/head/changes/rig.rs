//! Whether the nodes and skins of two heads are the same. Formats store transforms and the order of nodes each in their
//! own way, so nodes are compared by their names and by where they are at rest.

use glam::{Mat4, Vec3};

use super::by_name;
use super::matched::{DeltasOfMesh, MatchedVertices};
use crate::head::{Clip, Curve, Head, Joint, Mesh, Rig};

/// Whether a node has come, has gone, is at another place or is below another node. A node without a name has none that
/// lasts.
pub(super) fn have_other_nodes(old: &Rig, new: &Rig) -> bool {
    let [old, new] = [old, new].map(|rig| {
        let nodes = rig.world_from_nodes_at_rest().into_iter().enumerate();
        let named = nodes.map(|(index, world)| (rig.nodes[index].name.clone(), (parent_name(rig, index), world)));
        named.filter(|(name, _)| !is_made_up(name)).collect::<Vec<NamedNode<'_>>>()
    });
    let [old, new] = [&old, &new].map(|nodes| by_name(nodes, |(name, _)| name));
    old.len() != new.len()
        || !old.iter().all(|(key, (_, (parent, world)))| {
            new.get(key).is_some_and(|(_, (other, now))| parent == other && !are_apart(*world, *now))
        })
}

/// The name of a node; that of the node above it; and its transform into the world.
type NamedNode<'a> = (String, (Option<&'a str>, Mat4));

/// The name of the nearest node above that has one.
fn parent_name(rig: &Rig, node: usize) -> Option<&str> {
    let above = std::iter::successors(rig.nodes[node].parent, |&parent| rig.nodes[parent].parent);
    above.map(|parent| rig.nodes[parent].name.as_str()).find(|name| !is_made_up(name))
}

/// Whether a name is one that importers give to a node without a name.
fn is_made_up(name: &str) -> bool {
    name.strip_prefix("node ").unwrap_or(name).bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether skins have other joints, or joints in another bind pose. The unit of mesh space does not matter: a mesh that
/// is stored within an error has steps of a grid.
pub(super) fn have_other_skins(old: &Rig, new: &Rig) -> bool {
    old.skins.len() != new.skins.len()
        || old.skins.iter().zip(&new.skins).any(|(before, now)| {
            let [was, is] = [before, now].map(|skin| skin.joints.first().map(|joint| joint.joint_from_mesh.x_axis));
            let ratio = was.zip(is).map_or(1.0, |(was, is)| was.length() / is.length());
            let in_old_unit = Mat4::from_scale(Vec3::splat(if ratio.is_normal() { ratio } else { 1.0 }));
            before.joints.len() != now.joints.len()
                || before.joints.iter().zip(&now.joints).any(|(before, now)| {
                    joint_name(old, before) != joint_name(new, now)
                        || are_apart(before.joint_from_mesh, now.joint_from_mesh * in_old_unit)
                })
        })
}

/// Whether vertices that both heads have follow joints by other weights.
pub(super) fn have_other_weights(heads: [&Head; 2], of_mesh: &DeltasOfMesh<'_>) -> bool {
    /// Files have weights of 8 bits.
    const SAME: f32 = 5e-3;
    let matched = of_mesh.matched();
    let meshes = [&heads[0].meshes[matched.old], &heads[1].meshes[matched.new]];
    let [old, new] = [0, 1].map(|which| joint_names(heads[which], meshes[which]));
    let [was, is] = meshes.map(|mesh| &mesh.vertices.influences);
    if matched.vertices == MatchedVertices::InOrder && old == new && was == is {
        return false;
    }
    let mut vertices = (0..meshes[1].vertices.len()).filter_map(|now| Some((of_mesh.old_vertex(now)?, now)));
    vertices.any(|(before, now)| {
        let mut joints = followed(meshes[0], &old, before).chain(followed(meshes[1], &new, now));
        joints.any(|joint| (weight(meshes[0], &old, before, joint) - weight(meshes[1], &new, now, joint)).abs() > SAME)
    })
}

fn joint_names<'a>(head: &'a Head, mesh: &Mesh) -> Vec<&'a str> {
    let skin = mesh.skin.and_then(|skin| head.rig.skins.get(skin));
    skin.iter().flat_map(|skin| &skin.joints).map(|joint| joint_name(&head.rig, joint)).collect()
}

fn followed<'a>(mesh: &Mesh, joints: &[&'a str], vertex: usize) -> impl Iterator<Item = &'a str> {
    let influences = mesh.vertices.influences.of_vertex(vertex).iter();
    influences.filter_map(|influence| joints.get(influence.joint as usize).copied())
}

fn weight(mesh: &Mesh, joints: &[&str], vertex: usize, joint: &str) -> f32 {
    let influences = mesh.vertices.influences.of_vertex(vertex).iter();
    influences.filter(|it| joints.get(it.joint as usize) == Some(&joint)).map(|it| it.weight).sum()
}

fn joint_name<'a>(rig: &'a Rig, joint: &Joint) -> &'a str {
    &rig.nodes[joint.node].name
}

/// Whether matrices differ by more than the rounding of exporters.
fn are_apart(old: Mat4, new: Mat4) -> bool {
    (0..4).any(|axis| {
        let (a, b) = (old.col(axis), new.col(axis));
        a.distance(b) > 1e-4 * a.length().max(b.length()).max(1e-3)
    })
}

/// Smaller differences of a weight, or of a part of a larger number, are the rounding of exporters.
pub(super) const SAME_WEIGHT: f32 = 1e-4;

/// Whether two clips move nodes of the same names alike, and have the same weights of the targets that both heads have.
pub(super) fn animates_the_same(heads: [&Head; 2], clips: [&Clip; 2], targets: &[[usize; 2]]) -> bool {
    let [old_weights, new_weights] = heads.map(Head::default_weights);
    (clips[0].duration_secs - clips[1].duration_secs).abs() <= SAME_WEIGHT
        && moves_nodes_alike(heads, clips)
        && targets.iter().all(|&[before, now]| {
            // Some formats animate all targets of a mesh or none, others each for itself.
            match (clips[0].curve_of(before), clips[1].curve_of(now)) {
                (None, None) => true,
                (Some(before), Some(now)) => is_same_curve(before, now),
                (Some(curve), None) => keys_rest_at(curve, new_weights[now]),
                (None, Some(curve)) => keys_rest_at(curve, old_weights[before]),
            }
        })
}

fn keys_rest_at((curve, element): (&Curve, usize), rest: f32) -> bool {
    (0..curve.times().len()).all(|key| (curve.key_value(key, element) - rest).abs() <= SAME_WEIGHT)
}

fn moves_nodes_alike(heads: [&Head; 2], clips: [&Clip; 2]) -> bool {
    let [old, new] = [0, 1].map(|which| {
        let tracks = clips[which].node_tracks.iter().map(|track| {
            let node = heads[which].rig.nodes.get(track.node).map_or("", |node| node.name.as_str());
            (format!("{node} {:?}", track.path), &track.curve)
        });
        tracks.collect::<Vec<(String, &Curve)>>()
    });
    let [old, new] = [&old, &new].map(|tracks| by_name(tracks, |(name, _)| name));
    old.len() == new.len()
        && old.iter().all(|(key, (_, before))| {
            new.get(key).is_some_and(|(_, now)| {
                before.width() == now.width() && (0..now.width()).all(|at| is_same_curve((before, at), (now, at)))
            })
        })
}

/// Whether two elements of curves have the same values at the keys of both, and between them.
fn is_same_curve((before, old): (&Curve, usize), (now, new): (&Curve, usize)) -> bool {
    let mut times = [before, now].into_iter().flat_map(|curve| {
        // Tangents that turn together leave the middle where it is.
        let between = curve.times().windows(2);
        let between = between.flat_map(|pair| [0.25, 0.75].map(|part| pair[0] + (pair[1] - pair[0]) * part));
        curve.times().iter().copied().chain(between)
    });
    (old == new && before == now)
        || times.all(|secs| {
            let (a, b) = (before.sample(secs, old), now.sample(secs, new));
            (a - b).abs() <= SAME_WEIGHT * a.abs().max(1.0)
        })
}
