//! The shapes of one head on another that has none: both skins are laid onto each other, and what moves the one moves
//! the other.
//!
//! ```text
//! welded ─ landmarks (mouth) ─ skin ─► registration ─► carry ─► contact ─► parts ─► targets, checks
//! ```
//!
//! The result is a start to sculpt from: it is what the source's artist would do on this head, not what its own would.
//! Lengths inside are in units of the distance between the eyeballs. All is in 64 bits, and the same at each run.

mod carry;
mod checks;
mod closest;
mod contact;
mod correspondence;
mod landmarks;
mod mouth;
mod parts;
mod raster;
mod registration;
mod sheet;
mod skin;
mod sparse;
#[cfg(test)]
mod tests;
mod welded;

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

pub use checks::Check;
pub use correspondence::{Counterparts, counterparts};
pub use landmarks::{Edges, Landmarks};
pub use registration::Quality;

use crate::measure::deformed_positions;
use crate::mend::{Kind, Mend, Normals, apply};
use carry::{Carrier, PreparedTarget};
use contact::{Contact, keep_off_eyeballs};
use parts::{Followers, Motion, RigidMotions, VertexMotion, jaw_shares, motions, rigid_displacement, vertex_motions};
use registration::{Registration, UNIT_MM};
use skin::Skin;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{ARKIT_NAMES, Corrective, Drive, Driver, Head, Landmark, Target, canonical_name, side_in_name};
use welded::Welded;

/// Why shapes cannot be carried over.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TransferError {
    #[error(
        "no two eyeballs were found, which are round parts of one size, beside each other, and joined to nothing: \
         shapes are carried over to faces with such eyes"
    )]
    NoEyeballs,
    #[error("there are no lids about its {0} eye, of which the whole front is seen")]
    NoLids(&'static str),
    #[error("it has no skin before its eyes")]
    NoSkin,
    #[error("its {0} eye is closed or hidden at rest")]
    EyeClosed(&'static str),
    #[error("it has no slit between its lips: the mouth is closed for good, or painted")]
    NoMouth,
    #[error("left and right are swapped: {0} is on the other side")]
    Swapped(&'static str),
    #[error("it is mirrored: {0} is on the other side of the face; mirror it back where it was made")]
    Mirrored(String),
    #[error("it is mirrored by a negative scale; make the scale positive where it was made")]
    NegativeScale,
    #[error("its triangles wind inward, as those of a mirrored head do; flip them where it was made")]
    WindsInward,
    #[error("its features do not fit together")]
    Landmarks,
    #[error("{0}")]
    Refused(String),
    #[error("it has no shape {0}")]
    NoShape(String),
    #[error("it has no shapes")]
    NoShapes,
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// The shapes by their names; `None` for those that the target lacks.
    pub shapes: Option<Vec<String>>,
    /// How much of each shape is carried over: 1 for all of it.
    pub strength: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shapes: None, strength: 1.0 }
    }
}

/// Shapes for a head.
#[derive(Debug)]
pub struct Transferred {
    /// The mesh of the target and a target for it, in the order of the shapes.
    pub targets: Vec<(usize, Target)>,
    /// Those of the shapes that follow others.
    pub correctives: Vec<Corrective>,
    pub shapes: Vec<TransferredShape>,
    pub quality: Quality,
    pub checks: Vec<Check>,
    pub warnings: Vec<String>,
    pub landmarks: Landmarks,
}

#[derive(Clone, Debug, Serialize)]
pub struct TransferredShape {
    pub name: String,
    /// The largest movement, in millimetres where the eyeballs are 63 mm apart.
    pub largest_mm: f64,
    /// The share of the triangles of the face that it turns inside out.
    pub flipped: f64,
}

/// Displacements that are shorter, in millimetres, are dropped: no one sees them, and they fill the file.
const LEAST_MM: f64 = 0.01;

/// A shape of the tongue needs a tongue that is modelled as that of the source: it is left out unless it is named.
const TONGUE: &str = "tongueOut";

/// A head with what is found of its face.
pub struct Face<'a> {
    head: &'a Head,
    welded: Welded,
    skin: Skin,
    /// Per piece.
    motions: Vec<Motion>,
}

impl<'a> Face<'a> {
    /// `points` has features that are known, in the world of the head; the others are found.
    pub fn new(head: &'a Head, points: &BTreeMap<Landmark, DVec3>) -> Result<Self, TransferError> {
        let welded = Welded::new(head);
        let mut landmarks = Landmarks::find(&welded)?;
        points.iter().for_each(|(&landmark, &place)| landmarks.set(landmark, Some(place)));
        landmarks.check_sides()?;
        let motions = motions(&welded, &landmarks);
        let skin = Skin::new(&welded, landmarks);
        Ok(Self { head, welded, skin, motions })
    }
}

/// A head whose shapes are carried over.
pub struct Source<'a>(Face<'a>);

impl<'a> Source<'a> {
    pub fn new(head: &'a Head) -> Result<Self, TransferError> {
        if head.target_channels().is_empty() {
            return Err(TransferError::NoShapes);
        }
        let mut source = Self(Face::new(head, &BTreeMap::new())?);
        let channels: Vec<usize> = (0..head.target_channels().len()).collect();
        let is_near = source.near_the_face(&source.moves(&channels));
        source.0.skin = source.0.skin.cropped(&is_near);
        Ok(source)
    }

    /// Per point of the skin, whether it belongs to the face, or is near what shapes move: what is farther away, such
    /// as the back of the skull, would be laid onto the target in vain.
    fn near_the_face(&self, moves: &[bool]) -> Vec<bool> {
        /// In units, along the surface.
        const NEAR: f64 = 0.35;
        let Skin { points, graph, landmarks, .. } = &self.0.skin;
        let face = landmarks.face();
        let is_of_face = moves.iter().zip(points).map(|(&moves, point)| moves || face.contains(point.as_vec3()));
        let seeds = (0..).zip(is_of_face).filter(|(_, is_of_face)| *is_of_face).map(|(at, _)| at);
        graph.distances(seeds, NEAR * landmarks.unit).into_iter().map(f64::is_finite).collect()
    }

    /// The points that a channel moves, and their displacements at weight 1, in the world.
    fn moved(&self, channel: usize) -> impl Iterator<Item = (u32, DVec3)> {
        let Face { head, welded, .. } = &self.0;
        let of_targets = head.channels[channel].targets.iter().filter_map(move |&index| {
            let (mesh, (of, target)) = (head.mesh_of_target(index)?, head.target(index)?);
            let rows = target.rows.iter().zip(&target.positions);
            Some(rows.filter_map(move |(&row, &delta)| {
                let point = (*welded.point_of[mesh].get(row as usize)?)?;
                let world = DMat3::from_mat4(head.rest_pose.world_from_vertex(of, row as usize).as_dmat4());
                Some((point, world * delta.as_dvec3()))
            }))
        });
        of_targets.flatten()
    }

    /// The displacement of each point by a channel at weight 1, in the world.
    fn displacements(&self, channel: usize) -> Vec<DVec3> {
        let mut displacements = vec![DVec3::ZERO; self.0.welded.points.len()];
        self.moved(channel).for_each(|(point, delta)| displacements[point as usize] = delta);
        displacements
    }

    /// Per point of the skin, whether one of these channels moves it visibly.
    fn moves(&self, channels: &[usize]) -> Vec<bool> {
        let Face { welded, skin, .. } = &self.0;
        let least = 0.01 * skin.landmarks.unit;
        let mut of_points = vec![false; welded.points.len()];
        for (point, delta) in channels.iter().flat_map(|&channel| self.moved(channel)) {
            of_points[point as usize] |= delta.length() > least;
        }
        skin.of_head.iter().map(|&point| of_points[point as usize]).collect()
    }

    /// The channels that are wanted on a target, and the correctives among them as the target declares them.
    fn wanted(&self, target: &Head, shapes: Option<&[String]>) -> Result<(Vec<usize>, Vec<Corrective>), TransferError> {
        let head = self.0.head;
        if let Some(names) = shapes {
            let find = |name: &String| {
                let found = head.channel_named(name).or_else(|| head.channel_alike(name).first().copied());
                found.filter(|&it| it < head.target_channels().len())
            };
            let found = names.iter().map(|name| find(name).ok_or_else(|| TransferError::NoShape(name.clone())));
            return Ok((found.collect::<Result<_, _>>()?, Vec::new()));
        }
        // Where ARKit moves each side alone, one channel of both, such as `mouthSmile`, is not the same.
        let lacks = |name: &str| {
            let alike = target.channel_alike(name);
            let is_same = |&channel: &usize| side_in_name(&target.channels[channel].name) == side_in_name(name);
            let is_there = if ARKIT_NAMES.contains(&name) { alike.iter().any(is_same) } else { !alike.is_empty() };
            target.channel_named(name).is_none() && !is_there
        };
        let own = (0..head.target_channels().len()).filter(|&channel| {
            let name = &head.channels[channel].name;
            name != TONGUE && lacks(name) && head.correctives.of_channel(channel).is_none()
        });
        let mut wanted: Vec<usize> = own.collect();
        let mut correctives = Vec::new();
        for channel in head.correctives.driven().filter(|&channel| lacks(&head.channels[channel].name)) {
            let Some(corrective) = head.correctives.of_channel(channel) else { continue };
            if let Some(drive) = self.drive_on(target, &wanted, &corrective.drive) {
                correctives.push(Corrective { target: head.channels[channel].name.clone(), drive });
                wanted.push(channel);
            }
        }
        Ok((wanted, correctives))
    }

    /// The drive of a corrective by the names of a target that gets the `wanted` channels; none if it lacks a driver.
    fn drive_on(&self, target: &Head, wanted: &[usize], drive: &Drive) -> Option<Drive> {
        let on_target = |name: &String| {
            let channel = self.0.head.channel_named(name)?;
            let own = &self.0.head.channels[channel].name;
            if wanted.contains(&channel) {
                return Some(own.clone());
            }
            let alike = target.channel_alike(own);
            let found = target.channel_named(own).or_else(|| if let [only] = alike[..] { Some(only) } else { None })?;
            Some(target.channels[found].full_name.clone())
        };
        Some(match drive {
            Drive::Combination(method, drivers) => {
                let drivers =
                    drivers.iter().map(|driver| Some(Driver { name: on_target(&driver.name)?, ..driver.clone() }));
                Drive::Combination(*method, drivers.collect::<Option<_>>()?)
            }
            Drive::InBetween { of, at } => Drive::InBetween { of: on_target(of)?, at: *at },
        })
    }
}

/// The name that a shape gets on a target: that of the only shape of the same [`canonical_name`] there, such as
/// `eyeBlink_L` for `eyeBlinkLeft`, so that it is replaced; otherwise its own.
fn name_on(target: &Head, name: &str) -> String {
    let canonical = canonical_name(name);
    let mut same = target.target_channels().iter().filter(|channel| canonical_name(&channel.name) == canonical);
    match (same.next(), same.next()) {
        (Some(only), None) => only.full_name.clone(),
        _ => name.into(),
    }
}

/// The features of a head that has been found, for an artist to look at; an error names what is missing.
pub fn landmarks(head: &Head) -> Result<Landmarks, TransferError> {
    Landmarks::find(&Welded::new(head))
}

/// A head with one more shape, which is what these weights, one per target, make of it.
pub fn with_pose(head: &Head, name: &str, weights: &[f32]) -> Head {
    let shapes = head.meshes.iter().enumerate().map(|(index, mesh)| {
        let moved = deformed_positions(mesh, weights).into_iter().zip(&mesh.vertices.positions);
        let deltas: Vec<Vec3> = moved.map(|(moved, rest)| moved - *rest).collect();
        (index, Target::from_dense(name.into(), 0.0, &deltas, &[], &[]))
    });
    let shapes: Vec<(usize, Target)> = shapes.filter(|(_, target)| !target.rows.is_empty()).collect();
    head.with_targets(shapes, Vec::new())
}

/// Carries the shapes of a source over to another head.
pub fn transfer(
    source: &Source<'_>,
    target: &Face<'_>,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Transferred, TransferError> {
    let (channels, correctives) = source.wanted(target.head, settings.shapes.as_deref())?;
    if channels.is_empty() {
        return Err(TransferError::Refused("it has all of these shapes already".into()));
    }
    let moves = source.moves(&channels);
    let (from, Face { welded, skin, motions, .. }) = (&source.0.skin, target);
    let places = |mesh: usize, vertex: u32| place_of(target.head, mesh, vertex);
    let (mut vertices, mut shares, mut prepared) = (Vec::new(), Vec::new(), None);
    // What needs no registration is found beside it, as much of a registration runs on one thread.
    let registration = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let own = PreparedTarget::new(skin);
            let contact = Contact::new(from, skin, &own.laplacian);
            prepared = Some((own, contact));
        });
        scope.spawn(|_| {
            let followers = Followers::new(welded, skin, motions, places);
            vertices = vertex_motions(target.head, welded, followers, &skin.landmarks, places);
            shares = jaw_shares(welded, motions, &skin.landmarks);
        });
        Registration::new(from, skin, &moves, progress.part(0.0..0.6))
    })?;
    if let Some(reason) = registration.quality.refusal() {
        return Err(TransferError::Refused(reason));
    }
    progress.report("carrying the shapes over", 0.6)?;
    let Some((prepared, contact)) = prepared else { unreachable!("the scope ends when it is found") };
    let job = Job {
        source,
        target,
        carrier: Carrier::new(from, skin, &registration, prepared).ok_or(TransferError::Landmarks)?,
        contact,
        vertices,
        registration: &registration,
        jaw_shares: shares,
        strength: f64::from(settings.strength),
    };
    /// Shapes that are computed at once, between two reports.
    const AT_ONCE: usize = 8;
    let mut carried = Vec::with_capacity(channels.len());
    for (number, some) in channels.chunks(AT_ONCE).enumerate() {
        progress.part(0.6..0.95).step("carrying the shapes over", number * AT_ONCE, channels.len())?;
        carried.par_extend(some.par_iter().map(|&channel| job.carry(channel)));
    }
    let checks = job.checks(&carried);
    if let Some(reason) = checks.iter().find_map(Check::refusal) {
        return Err(TransferError::Refused(reason));
    }
    let warnings = registration.quality.warnings();
    let mut targets = Vec::new();
    let mut shapes = Vec::new();
    for shape in carried {
        shapes.push(shape.report);
        targets.extend(shape.targets);
    }
    let landmarks = target.skin.landmarks.clone();
    Ok(Transferred { targets, correctives, shapes, quality: registration.quality, checks, warnings, landmarks })
}

/// A head whose targets were carried over: with their correctives, and with normals, which other programs do not
/// compute.
pub fn completed<'n>(head: Head, correctives: Vec<Corrective>, shapes: impl IntoIterator<Item = &'n str>) -> Head {
    let head = if correctives.is_empty() { head } else { head.with_correctives(correctives) };
    apply(&head, &[Mend::of_shapes(Kind::Normals(Normals::default()), shapes)]).head.unwrap_or(head)
}

fn place_of(head: &Head, mesh: usize, vertex: u32) -> DVec3 {
    let of = &head.meshes[mesh];
    let place = of.vertices.positions[vertex as usize];
    head.rest_pose.world_from_vertex(of, vertex as usize).transform_point3(place).as_dvec3()
}

/// What is known of both heads once they are laid onto each other.
struct Job<'a> {
    source: &'a Source<'a>,
    target: &'a Face<'a>,
    carrier: Carrier<'a>,
    contact: Contact,
    registration: &'a Registration,
    /// Per mesh and vertex of the target.
    vertices: Vec<Vec<VertexMotion>>,
    /// Per point of the target.
    jaw_shares: Vec<f64>,
    strength: f64,
}

struct Carried {
    /// By the source; that on the target is in `report`.
    name: String,
    /// The displacements of the source's skin, and of the target's at full strength.
    of_source: Vec<DVec3>,
    of_skin: Vec<DVec3>,
    targets: Vec<(usize, Target)>,
    report: TransferredShape,
}

impl Job<'_> {
    fn carry(&self, channel: usize) -> Carried {
        let (Source(source), skin) = (self.source, &self.target.skin);
        let displacements = self.source.displacements(channel);
        let landmarks = &source.skin.landmarks;
        let rigid =
            RigidMotions::of_source(&source.welded, &source.motions, landmarks, |point| displacements[point as usize]);
        let rigid = rigid.onto(&self.registration.similarity);
        let of_source: Vec<DVec3> = source.skin.of_head.iter().map(|&point| displacements[point as usize]).collect();
        let mut of_skin = self.carrier.carry(&of_source, rigid.jaw);
        self.contact.correct(&of_source, &self.registration.similarity, skin, &mut of_skin);
        keep_off_eyeballs(skin, &mut of_skin);
        let name = source.head.channels[channel].name.clone();
        let name_on_target = name_on(self.target.head, &name);
        let largest = of_skin.iter().map(|delta| delta.length()).fold(0.0, f64::max);
        let report = TransferredShape {
            name: name_on_target.clone(),
            largest_mm: largest * UNIT_MM / skin.landmarks.unit * self.strength,
            flipped: registration::flipped(skin, &of_skin),
        };
        let targets = self.targets(&name_on_target, &of_skin, &rigid);
        Carried { name, of_source, of_skin, targets, report }
    }

    /// The displacements of a shape as targets of the meshes that it moves.
    fn targets(&self, name: &str, of_skin: &[DVec3], rigid: &RigidMotions) -> Vec<(usize, Target)> {
        let Face { head, welded, skin, motions } = self.target;
        let landmarks = &skin.landmarks;
        let mut of_points = vec![DVec3::ZERO; welded.points.len()];
        for (point, place) in welded.points.iter().enumerate() {
            let motion = motions[welded.piece_of[point] as usize];
            of_points[point] = rigid_displacement(motion, *place, self.jaw_shares[point], landmarks, rigid);
        }
        skin.of_head.iter().zip(of_skin).for_each(|(&point, delta)| of_points[point as usize] = *delta);
        let least = LEAST_MM * landmarks.unit / UNIT_MM;
        let meshes = head.meshes.iter().enumerate().filter_map(|(index, mesh)| {
            let inverse = |vertex: usize| {
                let pose = head.rest_pose.world_from_vertex(mesh, vertex);
                DMat3::from_mat4(pose.as_dmat4()).inverse()
            };
            // Without a skin, the vertices of a mesh are all moved by one matrix.
            let of_all = mesh.skin.is_none().then(|| inverse(0));
            let of_vertex = |vertex: u32| {
                let world = match &self.vertices[index][vertex as usize] {
                    VertexMotion::Rests => return Vec3::ZERO,
                    VertexMotion::Point(point) => of_points[*point as usize],
                    VertexMotion::Turns(eye, place) => {
                        rigid_displacement(Motion::Eye(*eye), *place, 0.0, landmarks, rigid)
                    }
                    VertexMotion::Follows(shares) => {
                        shares.iter().map(|&(point, share)| of_skin[point as usize] * share).sum()
                    }
                };
                let world = world * self.strength;
                if world.length() < least {
                    return Vec3::ZERO;
                }
                let delta = of_all.unwrap_or_else(|| inverse(vertex as usize)) * world;
                if delta.is_finite() { delta.as_vec3() } else { Vec3::ZERO }
            };
            let positions: Vec<Vec3> = (0..mesh.vertices.len() as u32).map(of_vertex).collect();
            let target = Target::from_dense(name.into(), 0.0, &positions, &[], &[]);
            (!target.rows.is_empty()).then_some((index, target))
        });
        meshes.collect()
    }

    fn checks(&self, carried: &[Carried]) -> Vec<Check> {
        let Face { welded, skin, .. } = self.target;
        let unit = skin.landmarks.unit;
        let find = |name: &str| carried.iter().find(|shape| shape.name == name);
        let sum = |shapes: &[&Carried], factor: f64| -> Vec<DVec3> {
            (0..skin.points.len()).map(|at| shapes.iter().map(|it| it.of_skin[at]).sum::<DVec3>() * factor).collect()
        };
        let mut checks = Vec::new();
        const BLINKS: [&str; 2] = ["eyeBlinkLeft", "eyeBlinkRight"];
        const SMILES: [&str; 2] = ["mouthSmileLeft", "mouthSmileRight"];
        /// The share of the triangles of the face that a shape may turn inside out, in percent.
        const FLIPPED: f64 = 0.3;
        if let [Some(left), Some(right)] = BLINKS.map(find) {
            let seen = |part: f64| checks::eyes_seen(welded, skin, &sum(&[left, right], part));
            let (closed, half) = rayon::join(|| seen(1.0), || seen(0.5));
            let eyes = [
                Check::new("eyeball seen at a blink", closed[0], " %", 0.0..1.0, 0.0..2.0),
                Check::new("eyeball seen at half a blink", half[0], " %", 35.0..55.0, 15.0..70.0),
                Check::new("eyeball through the skin at half a blink", half[1], " %", 0.0..0.5, 0.0..5.0),
            ];
            checks.extend(eyes.map(|check| check.about(BLINKS, "put the corners of the eyes where the lids meet")));
        }
        let gaps = |shapes: &[&Carried]| {
            let of_source: Vec<DVec3> = (0..self.source.0.skin.points.len())
                .map(|at| shapes.iter().map(|shape| shape.of_source[at]).sum())
                .collect();
            self.contact.lip_gaps(&of_source, &self.registration.similarity, &sum(shapes, 1.0))
        };
        let open = find("jawOpen").and_then(|open| gaps(&[open]));
        let closed = find("jawOpen").zip(find("mouthClose")).and_then(|(open, close)| gaps(&[open, close]));
        checks.extend(checks::lips(unit, open, closed));
        // mouthClose is made for an open jaw: alone it turns lips inside out on every head.
        let flipped = carried.iter().filter(|shape| shape.name != "mouthClose");
        let flipped: Vec<_> = flipped.map(|shape| (&shape.name, shape.report.flipped * 100.0)).collect();
        let worst = flipped.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let bad = flipped.iter().filter(|(_, share)| *share >= FLIPPED).map(|(name, _)| name.as_str());
        let name = "triangles of the face turned inside out, at most";
        checks
            .push(Check::new(name, worst, " %", 0.0..FLIPPED, 0.0..2.0).about(bad, "put its features in their places"));
        if let [Some(left), Some(right)] = SMILES.map(find) {
            let difference = checks::mirror_difference(skin, &left.of_skin, &right.of_skin);
            checks.extend(difference.map(|it| {
                Check::new("difference of the two smiles", it, " %", 0.0..10.0, 0.0..50.0)
                    .about(SMILES, "put the corners of the mouth where the lips end")
            }));
        }
        checks
    }
}
