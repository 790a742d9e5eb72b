//! A point of the face that is dragged: which channels move it that way, and how far each has to go.
//!
//! Of the channels that move the point, those win that move it along the drag with the least movement elsewhere. Their
//! changes `u ≥ 0` are those that minimise
//!
//! ```text
//! ½ |Σ u way − drag|²  +  reach · Σ u cost
//! ```
//!
//! where `way` is how a channel moves the point in the picture, and `cost` how much it moves in all, of the point and
//! elsewhere, together with how far the strongest channel would move the point: weak ones cost more. At most two
//! channels have a change that is not 0, and it is a continuous function of the drag: nothing jumps on or off.

use glam::{DVec2, Vec2, Vec3};

use crate::pick::{Hit, Mover};
use smirk_face::head::{Head, Region, Role};
use smirk_face::motion::Gaze;
use smirk_scene::Camera;

/// What moves less than this many picture heights at weight 1 is moved along the line of sight, and cannot be dragged.
const SHORTEST_WAY: f32 = 0.0025;
/// How near to the point is at the point, in millimetres: the standard deviation of a bell curve.
const NEAR_MM: f32 = 12.0;
/// The cost of moving what is dragged back to rest, which changes the face less than anything new, as a part of its
/// own.
const COST_OF_REST: f64 = 0.5;
/// The cost of a shape of speech, which moves all of the mouth as several others do, as a part of its own.
const COST_OF_SPEECH: f64 = 2.0;
/// The cost of the channels that a drag has begun with, as a part of their own: others have to fit clearly better.
const COST_OF_FAVOURED: f64 = 0.35;
/// The cosines between a drag and the way of a channel from which on the channel moves at all, and in full: two
/// channels that go against each other, such as an eye that opens and closes, do not add up to a movement across.
const ALONG: [f64; 2] = [0.3, 0.7];
/// A channel joins the one that fits best if what that leaves fits it so well, as a part of how well the best fits: at
/// first only equals, such as both sides of a lip; then so that others come and go slowly while the drag turns.
const JOINS: [f64; 2] = [0.95, 0.4];

/// Whether a channel is a shape of the mouth in speech: a viseme, or the rounded lips of an O.
fn is_speech(head: &Head, channel: usize) -> bool {
    Region::is_viseme(&head.channels[channel].name) || head.channel_alike("mouthFunnel").contains(&channel)
}

/// A drag of a point of a face of one head, from where the point was.
#[derive(Clone, Debug)]
pub struct FaceDrag {
    movements: Vec<Movement>,
    /// The value of each channel of the head at the start.
    at_start: Vec<f32>,
    /// The channels that the drag has moved, ascending.
    moved: Vec<usize>,
}

/// A channel, or both sides of a pair, that grows or goes back to rest.
#[derive(Clone, Debug)]
struct Movement {
    channels: Vec<usize>,
    /// The sign of the change of its value.
    sign: f32,
    /// How far the value can change.
    room: f32,
    /// How the point moves at a change of 1, in picture heights (x right, y down).
    way: DVec2,
    /// In picture heights at the point, at a change of 1.
    cost: f64,
}

impl FaceDrag {
    /// The channels of `movers` that `may_move`, with their values at the start. `moves_pair` says of which pairs of
    /// the head both channels move together.
    pub fn new(
        head: &Head,
        (hit, movers): (&Hit, &[Mover]),
        camera: &Camera,
        value: impl Fn(usize) -> f32,
        may_move: impl Fn(usize) -> bool,
        moves_pair: impl Fn(usize) -> bool,
    ) -> Self {
        let role = head.roles[head.material_of(hit.mesh, hit.part, None)];
        let at_start: Vec<f32> = (0..head.channels.len()).map(value).collect();
        let surroundings = Surroundings::new(head, hit);
        let in_picture = |way: Vec3| Some(camera.in_picture(hit.point + way)? - camera.in_picture(hit.point)?);
        let depth = (camera.eye_in_world() - hit.point).length();
        let height_per_unit = f64::from(2.0 * (camera.fov_y * 0.5).tan() * depth).recip();
        let closes = head.channel_alike("mouthClose");
        let gaze: Vec<usize> = Gaze::channels_of(head).iter().map(|it| it.channel).collect();
        // What the tongue and the gaze take along is not dragged by them.
        let is_usable = |mover: &&Mover| {
            let is_of_tongue = head.channels[mover.channel].region == Region::Tongue;
            let is_taken_along = (is_of_tongue && role != Role::Tongue)
                || (gaze.contains(&mover.channel) && !matches!(role, Role::Eye | Role::Cornea));
            may_move(mover.channel) && !is_taken_along
        };
        let mut movements: Vec<Movement> = Vec::new();
        let usable: Vec<&Mover> = movers.iter().filter(is_usable).collect();
        for mover in &usable {
            let pair = head.pair_of(mover.channel).filter(|&pair| moves_pair(pair)).map(|pair| &head.pairs[pair]);
            let partner = pair.and_then(|pair| pair.second.map(|second| pair.first + second - mover.channel));
            let other = partner.and_then(|partner| usable.iter().find(|other| other.channel == partner));
            if other.is_some_and(|other| other.channel < mover.channel) {
                continue;
            }
            let channels: Vec<usize> =
                [Some(mover.channel), partner.filter(|&it| may_move(it))].into_iter().flatten().collect();
            let whole = mover.whole + other.map_or(Vec3::ZERO, |other| other.whole);
            let Some(way) = in_picture(whole).filter(|way| way.length() >= SHORTEST_WAY) else { continue };
            let elsewhere: f64 = channels.iter().map(|&channel| surroundings.moved_elsewhere(head, channel)).sum();
            let cost = (elsewhere + f64::from(whole.length_squared())).sqrt() * height_per_unit;
            let start = at_start[mover.channel];
            // What closes the mouth over an open jaw breaks the lips of any other: it only goes back to rest.
            let room = if closes.contains(&mover.channel) { 0.0 } else { 1.0 - start };
            let way = way.as_dvec2();
            let movement = Movement { channels, sign: 1.0, room, way, cost };
            if start > 0.0 {
                let back =
                    Movement { sign: -1.0, room: start, way: -way, cost: cost * COST_OF_REST, ..movement.clone() };
                movements.push(back);
            }
            movements.push(movement);
        }
        movements.retain(|movement| movement.room > 0.0);
        let strongest = movements.iter().map(|movement| movement.way.length()).fold(0.0, f64::max);
        for movement in &mut movements {
            movement.cost = movement.cost.hypot(strongest);
            if is_speech(head, movement.channels[0]) {
                movement.cost *= COST_OF_SPEECH;
            }
            if movement.sign < 0.0 {
                movement.cost *= COST_OF_REST;
            }
        }
        Self { movements, at_start, moved: Vec::new() }
    }

    /// The values of the channels that the drag moves, or has moved before, when the pointer is so far from where it
    /// began, in picture heights (x right, y down). The channels of the first call are favoured in those that follow.
    pub fn values(&mut self, drag: Vec2) -> Vec<(usize, f32)> {
        let drag = drag.as_dvec2();
        let is_first = self.moved.is_empty();
        let joins = JOINS[usize::from(!is_first)];
        let mut changes = fitting(&self.movements, drag, joins);
        // What goes back to rest stops there; the rest of the way is left to what grows.
        let mut left = 0.0;
        for (change, movement) in changes.iter_mut().zip(&self.movements) {
            let possible = change.min(f64::from(movement.room));
            if movement.sign < 0.0 {
                left += (movement.way * (*change - possible)).dot(drag) / drag.length_squared();
            }
            *change = possible;
        }
        if left > 0.0 {
            let growing: Vec<Movement> = self.movements.iter().filter(|it| it.sign > 0.0).cloned().collect();
            let mut further = fitting(&growing, drag * left, joins).into_iter();
            for (change, _) in changes.iter_mut().zip(&self.movements).filter(|(_, it)| it.sign > 0.0) {
                *change += further.next().unwrap_or_default();
            }
        }
        let mut values = Vec::new();
        for (change, movement) in changes.iter().zip(&mut self.movements).filter(|(change, _)| **change > 0.0) {
            if is_first {
                movement.cost *= COST_OF_FAVOURED;
            }
            for &channel in &movement.channels {
                let value = self.at_start[channel] + movement.sign * change.min(f64::from(movement.room)) as f32;
                values.push((
                    channel,
                    value.clamp(0.0_f32.min(self.at_start[channel]), 1.0_f32.max(self.at_start[channel])),
                ));
            }
        }
        for &channel in &self.moved {
            if values.iter().all(|(other, _)| *other != channel) {
                values.push((channel, self.at_start[channel]));
            }
        }
        values.sort_by_key(|(channel, _)| *channel);
        values.dedup_by_key(|(channel, _)| *channel);
        self.moved = values.iter().map(|(channel, _)| *channel).collect();
        values
    }
}

/// How far each movement goes, whatever its room: at most two are not 0.
///
/// The dual of the least squares says that what is left of the drag is the point nearest to it of the polygon of all
/// `r` with `way · r ≤ reach · cost` for every movement. The sides that the point lies on are those that move.
fn fitting(movements: &[Movement], drag: DVec2, joins: f64) -> Vec<f64> {
    let mut changes = vec![0.0; movements.len()];
    let best = movements.iter().map(|movement| movement.way.dot(drag) / movement.cost).fold(0.0, f64::max);
    if best <= 0.0 || !best.is_finite() {
        return changes;
    }
    let limit = |at: usize| joins * best * movements[at].cost;
    let way = |at: usize| movements[at].way;
    let beyond = |at: usize, left: DVec2| (way(at).dot(left) - limit(at)) / way(at).length();
    let tolerance = 1e-9 * drag.length();
    let mut sides: Vec<(usize, f64)> = Vec::new();
    let mut left = drag;
    // Every round leads further away from the drag, so that no two have the same sides; rounding could let them.
    for _ in 0..movements.len() {
        let Some(worst) = (0..movements.len()).max_by(|&a, &b| beyond(a, left).total_cmp(&beyond(b, left))) else {
            break;
        };
        if beyond(worst, left) <= tolerance {
            break;
        }
        let alone = vec![(worst, beyond(worst, drag) / way(worst).length())];
        let with_another = sides.iter().filter_map(|&(other, _)| {
            let (a, b) = (way(worst), way(other));
            let determinant = a.perp_dot(b);
            let at_corner =
                DVec2::new(limit(worst) * b.y - limit(other) * a.y, limit(other) * a.x - limit(worst) * b.x);
            let moved = drag - at_corner / determinant;
            let changes = [moved.perp_dot(b) / determinant, a.perp_dot(moved) / determinant];
            (changes.iter().all(|change| *change >= 0.0)).then(|| vec![(worst, changes[0]), (other, changes[1])])
        });
        let left_by = |found: &[(usize, f64)]| drag - found.iter().map(|&(at, change)| way(at) * change).sum::<DVec2>();
        let known: Vec<usize> = sides.iter().map(|(at, _)| *at).chain([worst]).collect();
        let found = std::iter::once(alone)
            .chain(with_another)
            .filter(|found| found.iter().all(|(_, change)| *change >= 0.0))
            .filter(|found| known.iter().all(|&at| beyond(at, left_by(found)) <= tolerance))
            .min_by(|a, b| (drag - left_by(a)).length().total_cmp(&(drag - left_by(b)).length()));
        let Some(found) = found else { break };
        left = left_by(&found);
        sides = found;
    }
    // The costs hold the point back; it goes as near to the pointer as its way leads.
    let moved = drag - left;
    let scale = if moved == DVec2::ZERO { 0.0 } else { moved.dot(drag) / moved.length_squared() };
    for (at, change) in sides {
        let cosine = way(at).dot(drag) / (way(at).length() * drag.length());
        let part = ((cosine - ALONG[0]) / (ALONG[1] - ALONG[0])).clamp(0.0, 1.0);
        changes[at] = change * scale * part * part * (3.0 - 2.0 * part);
    }
    changes
}

/// The surface of a head at rest, seen from a point of it.
struct Surroundings {
    /// Per mesh and vertex, the part of the area at the point that it is and that is not at the point.
    shares: Vec<Vec<f32>>,
}

impl Surroundings {
    fn new(head: &Head, hit: &Hit) -> Self {
        let near = NEAR_MM / head.mm_per_unit();
        let placed: Vec<Vec<Vec3>> =
            head.meshes.iter().map(|mesh| head.rest_pose.positions_in_world(mesh).collect()).collect();
        let corners = hit.vertices.iter().zip(hit.weights.to_array());
        let point: Vec3 = corners.map(|(&vertex, share)| placed[hit.mesh][vertex as usize] * share).sum();
        let whole = std::f32::consts::TAU * near * near;
        let shares = head.meshes.iter().zip(&placed).map(|(mesh, placed)| {
            let mut shares = vec![0.0; placed.len()];
            for corners in mesh.indices.as_chunks::<3>().0 {
                let [a, b, c] = corners.map(|corner| corner as usize);
                let (Some(&at), Some(&to_b), Some(&to_c)) = (placed.get(a), placed.get(b), placed.get(c)) else {
                    continue;
                };
                let area = (to_b - at).cross(to_c - at).length() / 6.0;
                [a, b, c].into_iter().for_each(|corner| shares[corner] += area / whole);
            }
            for (share, place) in shares.iter_mut().zip(placed) {
                *share *= 1.0 - (-0.5 * place.distance_squared(point) / (near * near)).exp();
            }
            shares
        });
        Self { shares: shares.collect() }
    }

    /// The square of how far a channel moves what is not at the point, as the length that all of the area at the point
    /// would have to move for as much, in world units.
    fn moved_elsewhere(&self, head: &Head, channel: usize) -> f64 {
        let targets = head.channels[channel].targets.iter().filter_map(|&target| {
            let mesh = head.mesh_of_target(target)?;
            Some((mesh, &head.meshes[mesh].targets[target - head.meshes[mesh].first_target]))
        });
        let moved = targets.map(|(mesh, target)| {
            let scale = f64::from(head.rest_pose.largest_scale(&head.meshes[mesh]));
            let rows = target.rows.iter().zip(&target.positions);
            let moved = rows.map(|(&row, delta)| {
                let share = self.shares[mesh].get(row as usize).copied().unwrap_or_default();
                f64::from(delta.length_squared() * share)
            });
            moved.sum::<f64>() * scale * scale
        });
        moved.sum()
    }
}
