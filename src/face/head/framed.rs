//! The parts of a head that a camera frames: the face, the whole head, the character, and everything.
//!
//! What shapes move is not yet the face: many characters have shapes for the body, or shapes that move the body too.
//! The face is where eyes, brows and mouth move, as the names of the channels tell, else where most channels move.

use glam::Vec3;
use rayon::prelude::*;
use strum::{IntoStaticStr, VariantArray};

use super::eyes::Globes;
use super::{Bounds, Head, Mesh, Region};

/// What of a head a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Frame {
    /// The face: brows to chin, as a portrait shows it.
    #[default]
    Face,
    /// The head from the crown to the neck, with ears and the back of the head.
    Head,
    /// The character, without what stands around it, such as a floor.
    Body,
    All,
}

impl Frame {
    /// All of them, from the nearest to the farthest.
    pub const EACH: &'static [Self] = Self::VARIANTS;

    /// The word for it on the command line.
    pub fn keyword(self) -> &'static str {
        self.into()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Face => "Face",
            Self::Head => "Head",
            Self::Body => "Body",
            Self::All => "All",
        }
    }
}

impl Head {
    /// The box of a part of the head at rest, in world space.
    pub fn framed(&self, frame: Frame) -> Bounds {
        match frame {
            Frame::Face => self.focus,
            Frame::Head => head_around(self),
            Frame::Body => self.character,
            Frame::All => self.bounds,
        }
    }
}

/// The face of a head of which targets move `moved`, and the character. `of_meshes` has the bounds of each mesh at
/// rest. Without targets, the eyeballs tell where the face is; without both, it is all that there is.
pub(super) fn face_and_character(head: &Head, of_meshes: &[Bounds], moved: Bounds) -> [Bounds; 2] {
    let face = match moved.is_empty() {
        true => between_eyes(head).and_then(|(eyes, apart)| face_about(eyes, apart).intersection(head.bounds)),
        false => Some(face_in(head, moved)),
    };
    let Some(face) = face else { return [head.bounds; 2] };
    [face, character_around(head, of_meshes, face)]
}

/// The middle between the eyeballs, and how far they are apart.
fn between_eyes(head: &Head) -> Option<(Vec3, f32)> {
    let Globes { centers: [right, left], .. } = Globes::find(head, &head.roles)?;
    Some(((right + left) * 0.5, right.distance(left)))
}

/// The face of eyes in a place, so far apart, from brows to chin.
///
/// The proportions are those of an adult, in distances between the eyes: the face is 2.2 wide at the cheekbones, the
/// chin 1.9 below the eyes, the mouth 1.0, and the crown 1.8 above them (L. G. Farkas, Anthropometry of the Head and
/// Face, 1994).
fn face_about(eyes: Vec3, apart: f32) -> Bounds {
    Bounds { min: eyes + Vec3::new(-1.1, -1.9, -0.6) * apart, max: eyes + Vec3::new(1.1, 0.75, 0.5) * apart }
}

/// Around the part that eyes, brows and mouth move, what else moves within this part of its size belongs to the face:
/// the cheekbones, the skin below the chin.
const AROUND: f32 = 0.5;

/// The same for a character of which shapes move more than that.
const CLOSE_AROUND: f32 = 0.12;

/// How much below the face a portrait shows, in sizes of the face.
const BELOW_FACE: f32 = 0.1;

fn face_in(head: &Head, moved: Bounds) -> Bounds {
    let Some(core) = Core::find(head) else { return moved };
    let size = core.whole.size().max_element();
    let [around, close_around] = [AROUND, CLOSE_AROUND].map(|part| moved.intersection(core.whole.grown(size * part)));
    let mut face = if around == Some(moved) {
        Bounds::union([moved, core.added])
    } else {
        // Beside what moves the body far, movements of the face may be too small to count as visible.
        Bounds::union([core.whole, close_around.unwrap_or(core.whole)])
    };
    // A portrait shows a little below the chin. An open jaw may reach farther down.
    let margin = 0.8 * BELOW_FACE * face.size().max_element();
    if let Some(open) = core.lowest_open.filter(|open| *open < face.min.y - margin) {
        face.min.y = open + margin;
    }
    face
}

/// The part of the face that eyes, brows and mouth move.
#[derive(Debug)]
struct Core {
    /// Around what is moved, at rest, and around `added`.
    whole: Bounds,
    /// The face from brows to chin where shapes move only a part of it, such as the lids; else empty.
    added: Bounds,
    /// How far down the open mouth reaches.
    lowest_open: Option<f32>,
}

/// What a channel moves strongly.
#[derive(Clone, Copy, Debug)]
struct Moved {
    group: Group,
    at_rest: Bounds,
    /// The lowest point at weight 1.
    lowest: f32,
    most: f32,
}

impl Moved {
    fn size(&self) -> f32 {
        self.at_rest.size().max_element()
    }

    /// The box around what several channels move, at rest.
    fn bounds(moved: &[Self]) -> Bounds {
        Bounds::union(moved.iter().map(|it| it.at_rest))
    }

    /// The usual movements of the upper, middle and lower face, and those of which the name tells nothing.
    fn by_group(moved: &[Self]) -> [Vec<Self>; 4] {
        [Group::Upper, Group::Middle, Group::Lower, Group::Unknown]
            .map(|group| usual(moved.iter().filter(|it| it.group == group).copied().collect()))
    }
}

/// The parts of the face to which the regions of channels belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Eyes and brows.
    Upper,
    /// Nose and cheeks.
    Middle,
    /// Mouth and jaw.
    Lower,
    Unknown,
}

impl From<Region> for Group {
    fn from(region: Region) -> Self {
        match region {
            Region::Eyes | Region::Brows => Self::Upper,
            Region::Nose | Region::Cheeks => Self::Middle,
            Region::Mouth | Region::Jaw | Region::Tongue => Self::Lower,
            Region::Other | Region::Expressions | Region::Group(_) => Self::Unknown,
        }
    }
}

impl Core {
    fn find(head: &Head) -> Option<Self> {
        let mut movements = Movements::new(head);
        let mut moved = movements.moved();
        // A joint of the head that carries little of what channels move is none.
        let on_head = head.face_joints.head.map(|joint| movements.only(|mesh| head.rig.carried_vertices(joint, mesh)));
        if let Some(on_head) = on_head {
            let carried = on_head.moved();
            if 2 * carried.len() > moved.len() {
                (movements, moved) = (on_head, carried);
            }
        }
        let mut groups = Moved::by_group(&moved);
        let (upper, lower) = (Moved::bounds(&groups[0]), Moved::bounds(&groups[2]));
        // Eyes and mouth do not move the same: what both move is the body, which the shapes of some files shift.
        if upper.min.y < lower.center().y || lower.max.y > upper.center().y {
            movements = movements.without_common();
            moved = movements.moved();
            groups = Moved::by_group(&moved);
        }
        // A shape that moves the body more than the face is looked at again where the others move the face.
        let named = Bounds::union(groups[..3].iter().map(|moved| Moved::bounds(moved)));
        let named_count = moved.iter().filter(|it| it.group != Group::Unknown).count();
        if named_count > groups[..3].iter().map(Vec::len).sum() {
            let near = named.grown(named.size().max_element() * AROUND);
            groups = Moved::by_group(&movements.within(near).moved());
        }
        let [upper, middle, lower, unknown] = groups.each_ref().map(|moved| Moved::bounds(moved));
        let named = Bounds::union([upper, middle, lower]);
        let moved = if named.is_empty() { unknown } else { named };
        if moved.is_empty() {
            return None;
        }
        let added = rest_of_face(head, upper, lower, moved).and_then(|face| face.intersection(head.bounds));
        let added = added.unwrap_or(Bounds::EMPTY);
        let lowest_open = groups[2].iter().map(|it| it.lowest).reduce(f32::min);
        Some(Self { whole: Bounds::union([moved, added]), added, lowest_open })
    }
}

/// Which vertices the channels of a head move, of those that are looked at.
pub(super) struct Movements<'a> {
    head: &'a Head,
    groups: Vec<Group>,
    /// The scale of each mesh from its space to the world.
    scales: Vec<f32>,
    /// Per mesh, which of its vertices are looked at; `None` for all.
    is_looked_at: Vec<Option<Vec<bool>>>,
}

impl<'a> Movements<'a> {
    /// A vertex is moved strongly by more than this part of the largest movement. The rest of a movement fades out over
    /// cheeks and neck.
    const STRONG: f32 = 0.5;

    /// Several channels of a group: more than this part of them.
    const SEVERAL: f32 = 0.1;

    pub(super) fn new(head: &'a Head) -> Self {
        let mut groups: Vec<Group> = head.target_channels().iter().map(|channel| Group::from(channel.region)).collect();
        // The targets of a VRM avatar may have any names; its expressions say what they do.
        for expression in &head.expressions {
            let Some(preset) = expression.preset else { continue };
            let group = Group::from(Region::of_name(preset.name()));
            for bind in &expression.binds {
                let channel = head.target_channels().iter().position(|channel| channel.targets.contains(&bind.target));
                let of_channel = channel.map(|channel| &mut groups[channel]).filter(|it| **it == Group::Unknown);
                of_channel.into_iter().for_each(|of_channel| *of_channel = group);
            }
        }
        let scales = head.meshes.iter().map(|mesh| head.rest_pose.largest_scale(mesh)).collect();
        Self { head, groups, scales, is_looked_at: vec![None; head.meshes.len()] }
    }

    fn only(&self, mut is_looked_at: impl FnMut(&Mesh) -> Vec<bool>) -> Self {
        let is_looked_at = self.head.meshes.iter().map(|mesh| Some(is_looked_at(mesh))).collect();
        Self { groups: self.groups.clone(), scales: self.scales.clone(), is_looked_at, ..*self }
    }

    /// The same, of the vertices in a box only.
    fn within(&self, bounds: Bounds) -> Self {
        let rest = &self.head.rest_pose;
        let mut before = self.is_looked_at.iter();
        self.only(|mesh| {
            let before = before.next().and_then(Option::as_ref);
            let is_near = rest.positions_in_world(mesh).map(|point| bounds.contains(point)).enumerate();
            is_near.map(|(vertex, is_near)| is_near && before.is_none_or(|before| before[vertex])).collect()
        })
    }

    /// The same without the vertices that several channels of the upper face move strongly, and several of the lower
    /// face too.
    fn without_common(&self) -> Self {
        let mut votes: Vec<Vec<[u16; 2]>> =
            self.head.meshes.iter().map(|mesh| vec![[0; 2]; mesh.vertices.len()]).collect();
        let mut counts = [0_u16; 2];
        for (channel, group) in self.groups.iter().enumerate() {
            let side = match group {
                Group::Upper => 0,
                Group::Lower => 1,
                Group::Middle | Group::Unknown => continue,
            };
            let mut of_channel: Vec<(usize, usize)> =
                self.strong(channel).1.into_iter().map(|(mesh, row, _)| (mesh, row)).collect();
            of_channel.sort_unstable();
            of_channel.dedup();
            counts[side] = counts[side].saturating_add(u16::from(!of_channel.is_empty()));
            for (mesh, row) in of_channel {
                let vote = &mut votes[mesh][row][side];
                *vote = vote.saturating_add(1);
            }
        }
        let is_looked_at = votes.iter().zip(&self.is_looked_at).map(|(votes, before)| {
            let is_looked_at = votes.iter().enumerate().map(|(vertex, vote)| {
                let is_common = (0..2).all(|side| f32::from(vote[side]) > f32::from(counts[side]) * Self::SEVERAL);
                !is_common && before.as_ref().is_none_or(|before| before[vertex])
            });
            Some(is_looked_at.collect())
        });
        Self { groups: self.groups.clone(), scales: self.scales.clone(), is_looked_at: is_looked_at.collect(), ..*self }
    }

    fn moved(&self) -> Vec<Moved> {
        let moved: Vec<Moved> = (0..self.groups.len()).into_par_iter().filter_map(|at| self.moved_by(at)).collect();
        let visible = moved.iter().map(|it| it.most).fold(0.0, f32::max) * 1e-3;
        moved.into_iter().filter(|it| it.most > visible).collect()
    }

    /// The middle of what a channel moves strongly, at rest.
    pub(super) fn middle_of(&self, channel: usize) -> Option<Vec3> {
        self.moved_by(channel).map(|moved| moved.at_rest.center())
    }

    fn moved_by(&self, channel: usize) -> Option<Moved> {
        let (most, strong) = self.strong(channel);
        let places = strong.iter().map(|&(mesh, row, delta)| {
            let mesh = &self.head.meshes[mesh];
            let world_from_vertex = self.head.rest_pose.world_from_vertex(mesh, row);
            let position = mesh.vertices.positions[row];
            [position, position + delta].map(|point| world_from_vertex.transform_point3(point))
        });
        let places: Vec<[Vec3; 2]> = places.collect();
        let at_rest = Bounds::around(places.iter().map(|[rest, _]| *rest));
        let lowest = places.iter().map(|[_, moved]| moved.y).filter(|y| y.is_finite()).fold(f32::INFINITY, f32::min);
        (!at_rest.is_empty()).then_some(Moved { group: self.groups[channel], at_rest, lowest, most })
    }

    /// The largest movement of a channel in world space, and the vertices that it moves strongly: mesh, vertex and
    /// delta.
    fn strong(&self, channel: usize) -> (f32, Vec<(usize, usize, Vec3)>) {
        let targets = &self.head.channels[channel].targets;
        let of_meshes = targets.iter().filter_map(|&index| {
            let mesh = self.head.mesh_of_target(index)?;
            Some((mesh, &self.head.meshes[mesh].targets[index - self.head.meshes[mesh].first_target]))
        });
        let rows = of_meshes.flat_map(|(mesh, target)| {
            let (is_looked_at, scale) = (self.is_looked_at[mesh].as_deref(), self.scales[mesh]);
            let rows = target.shapes().flat_map(|shape| shape.rows.iter().zip(shape.positions));
            let rows = rows.map(|(&row, &delta)| (row as usize, delta));
            let rows = rows.filter(move |(row, _)| is_looked_at.is_none_or(|is_looked_at| is_looked_at[*row]));
            rows.map(move |(row, delta)| (delta.length() * scale, (mesh, row, delta)))
        });
        let most = rows.clone().map(|(length, _)| length).filter(|length| length.is_finite()).fold(0.0, f32::max);
        if most <= 0.0 {
            return (0.0, Vec::new());
        }
        (most, rows.filter(|(length, _)| *length > most * Self::STRONG).map(|(_, row)| row).collect())
    }
}

/// The movements of a group without those that are far from most of the small ones, or much larger: these move the body
/// too.
fn usual(moved: Vec<Moved>) -> Vec<Moved> {
    /// Fewer than this have no majority.
    const FEWEST: usize = 3;
    if moved.len() < FEWEST {
        return moved;
    }
    let size = quantile(moved.iter().map(Moved::size), 0.25);
    let small: Vec<Vec3> = moved.iter().filter(|it| it.size() <= 2.0 * size).map(|it| it.at_rest.center()).collect();
    let middle = [0, 1, 2].map(|axis| quantile(small.iter().map(|center| center[axis]), 0.5));
    let middle = Vec3::from_array(middle);
    let reach = 3.0 * quantile(small.iter().map(|center| center.distance(middle)), 0.5).max(size);
    let usual = moved
        .into_iter()
        .filter(|it| it.at_rest.center().distance(middle) <= reach && it.size() <= reach.max(4.0 * size));
    usual.collect()
}

/// The value below which this part of some values is.
fn quantile(values: impl Iterator<Item = f32>, part: f32) -> f32 {
    let mut values: Vec<f32> = values.collect();
    let at = (values.len().saturating_sub(1) as f32 * part) as usize;
    *values.select_nth_unstable_by(at, f32::total_cmp).1
}

/// Where the face is from brows to chin, if `moved` is only a part of it: the lids, or the mouth. Without eyeballs its
/// size follows from that of the part.
fn rest_of_face(head: &Head, upper: Bounds, lower: Bounds, moved: Bounds) -> Option<Bounds> {
    let of_globes = between_eyes(head);
    let (eyes, apart) = match (upper.is_empty(), lower.is_empty()) {
        (false, true) => of_globes.unwrap_or_else(|| {
            // Lids and brows of both sides are about 1.5 wide. Those of one side tell half of it.
            let middle = middle_of_targets(head).unwrap_or(upper.center().x);
            let half = (upper.min.x - middle).abs().max((upper.max.x - middle).abs());
            (upper.center().with_x(middle), 2.0 * half / 1.5)
        }),
        (true, false) => of_globes.unwrap_or_else(|| {
            let width = lower.size().x.max(lower.size().y);
            let crown = crown_above(head, lower.center(), width);
            // The crown is 2.8 above the mouth, which alone is about 0.8 wide, and with the jaw 1.4.
            let apart = crown.map_or(width, |crown| (crown - lower.center().y) / 2.8);
            (lower.center() + Vec3::Y * apart, apart)
        }),
        // All of the face moves, or nothing of it has a name.
        _ => of_globes.filter(|(_, apart)| moved.size().y < 1.4 * apart)?,
    };
    Some(face_about(eyes, apart))
}

/// The middle between the sides of the meshes that have targets.
fn middle_of_targets(head: &Head) -> Option<f32> {
    let meshes = head.meshes.iter().filter(|mesh| !mesh.targets.is_empty());
    let bounds = Bounds::union(meshes.map(|mesh| head.rest_pose.bounds_in_world(mesh)));
    (!bounds.is_empty()).then(|| bounds.center().x)
}

/// The height of the highest vertex above a mouth of some width, if there is a head above it.
fn crown_above(head: &Head, mouth: Vec3, width: f32) -> Option<f32> {
    let points = head.meshes.iter().flat_map(|mesh| head.rest_pose.positions_in_world(mesh));
    let above = points.filter(|point| {
        let from_mouth = *point - mouth;
        from_mouth.x.abs() < width && from_mouth.z.abs() < 4.0 * width && (0.0..5.0 * width).contains(&from_mouth.y)
    });
    above.map(|point| point.y).reduce(f32::max).filter(|crown| *crown > mouth.y + width)
}

/// The box around what belongs to a face: not a floor, a stage or a background, which are many times as large.
fn character_around(head: &Head, of_meshes: &[Bounds], face: Bounds) -> Bounds {
    /// A grown person is nine faces high; one of a game, or with a prop, may be larger.
    const MOST: f32 = 16.0;
    let size = face.size().max_element();
    let near = face.grown(MOST * size);
    // A face without extent tells nothing about the size of a character.
    if size <= head.bounds.size().max_element() * 1e-3 || near.encloses(&head.bounds) {
        return head.bounds;
    }
    let of_character = head.meshes.iter().zip(of_meshes).map(|(mesh, bounds)| {
        if bounds.is_empty() || near.encloses(bounds) {
            *bounds
        } else if mesh.targets.is_empty() && mesh.skin.is_none() {
            Bounds::EMPTY
        } else {
            // The floor may be a part of the mesh.
            Bounds::around(head.rest_pose.positions_in_world(mesh).filter(|point| near.contains(*point)))
        }
    });
    Bounds::union(of_character.chain([face]))
}

/// The box around the head: what is around the face, up to the crown, to both ears, to the back of the head and down to
/// the neck.
fn head_around(head: &Head) -> Bounds {
    let (face, size) = (head.focus, head.focus.size().max_element());
    // Of a single vertex that moves, it is not known what of a face it is.
    if size <= head.character.size().max_element() * 0.02 {
        return head.character;
    }
    let around =
        Bounds { min: face.min - Vec3::new(0.5, 0.35, 1.5) * size, max: face.max + Vec3::new(0.5, 0.9, 0.35) * size };
    let points = head.meshes.iter().flat_map(|mesh| head.rest_pose.positions_in_world(mesh));
    Bounds::union([face, Bounds::around(points.filter(|point| around.contains(*point)))])
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::head::{
        Asset, Humanoid, Influence, Influences, Joint, LocalTransform, Material, Node, Part, Rig, Skin, Target, Trs,
        Vertices,
    };

    /// The face of the character below: 0.14 m wide, from the chin at 1.5 m to the brows at 1.65 m.
    const EYES: f32 = 1.62;
    const MOUTH: f32 = 1.55;
    const CHIN: f32 = 1.5;
    const CROWN: f32 = 1.74;

    /// A shape: its name, and how it moves a vertex of the face or of the body.
    type Shape<'s> = (&'s str, &'s dyn Fn(Vec3) -> Vec3);

    /// A column of points 0.2 m wide from the ground to the neck, with a head on top of it that looks to +z.
    fn points() -> Vec<Vec3> {
        let rings = |low: f32, high: f32, half: f32, step: f32| {
            let count = ((high - low) / step).round() as usize;
            (0..=count).flat_map(move |ring| {
                let y = low + (high - low) * ring as f32 / count as f32;
                (0..24).map(move |around| {
                    let angle = std::f32::consts::TAU * around as f32 / 24.0;
                    Vec3::new(angle.sin() * half, y, angle.cos() * half)
                })
            })
        };
        rings(0.0, 1.4, 0.2, 0.02).chain(rings(CHIN, CROWN, 0.07, 0.005)).collect()
    }

    fn character(shapes: &[Shape<'_>], others: Vec<Mesh>) -> Head {
        let positions = points();
        let target = |(name, delta): &Shape<'_>| {
            let deltas: Vec<Vec3> = positions.iter().map(|&point| delta(point)).collect();
            Target::from_dense((*name).into(), 0.0, &deltas, &[], &[])
        };
        let targets = shapes.iter().map(target).collect();
        let mesh = Mesh { vertices: Vertices { positions, ..Vertices::default() }, targets, ..Mesh::default() };
        Head::from_meshes([vec![mesh], others].concat())
    }

    /// Moves what is in front of the head within `reach` of a height, by `by`.
    fn around(point: Vec3, height: f32, reach: f32, by: Vec3) -> Vec3 {
        let is_there = (point.y - height).abs() < reach && point.z > 0.02 && point.y >= CHIN;
        if is_there { by } else { Vec3::ZERO }
    }

    fn of_body(point: Vec3, by: f32) -> Vec3 {
        if point.y < 1.45 { Vec3::Z * by } else { Vec3::ZERO }
    }

    fn blink(point: Vec3) -> Vec3 {
        around(point, EYES, 0.012, Vec3::NEG_Y * 0.008)
    }

    fn brow(point: Vec3) -> Vec3 {
        around(point, EYES + 0.03, 0.01, Vec3::Y * 0.008)
    }

    fn smile(point: Vec3) -> Vec3 {
        around(point, MOUTH, 0.012, Vec3::X * 0.01)
    }

    fn jaw(point: Vec3) -> Vec3 {
        around(point, 1.52, 0.025, Vec3::NEG_Y * 0.03)
    }

    /// Checks that a box is that of the face, and of no more than the head.
    fn check(head: &Head, what: &str) {
        let face = head.focus;
        assert!(face.min.y > CHIN - 0.06 && face.min.y <= CHIN + 0.02, "{what}: {face:?}");
        assert!(face.max.y > EYES && face.max.y <= CROWN + 1e-3, "{what}: {face:?}");
        assert!(face.size().x <= 0.2, "{what}: {face:?}");
    }

    #[test]
    fn the_face_is_found_whatever_moves_the_body_too() {
        let face: [Shape<'_>; 4] =
            [("eyeBlink", &blink), ("browInnerUp", &brow), ("mouthSmile", &smile), ("jawOpen", &jaw)];
        check(&character(&face, vec![]), "no body moves");
        let alone = character(&face, vec![]).focus;
        let belly = |point: Vec3| of_body(point, 0.2);
        let breath = |point: Vec3| of_body(point, 0.05);
        let with_body = [&face[..], &[("belly", &belly), ("breathe", &breath)]].concat();
        check(&character(&with_body, vec![]), "some shapes move the body");
        for by in [0.001, 0.004, 0.02, 0.3] {
            let all: Vec<Box<dyn Fn(Vec3) -> Vec3>> = face
                .iter()
                .map(|(_, delta)| -> Box<dyn Fn(Vec3) -> Vec3 + '_> {
                    Box::new(move |point| delta(point) + of_body(point, by))
                })
                .collect();
            let shapes: Vec<Shape<'_>> = face.iter().zip(&all).map(|((name, _), delta)| (*name, &**delta)).collect();
            let head = character(&shapes, vec![]);
            check(&head, &format!("each shape moves the body by {by}"));
            assert!((head.focus.max.y - alone.max.y).abs() < 0.03, "{by}: {:?} {alone:?}", head.focus);
        }
    }

    #[test]
    fn without_names_the_face_is_where_most_channels_move() {
        let belly = |point: Vec3| of_body(point, 0.2);
        let shapes: [Shape<'_>; 5] =
            [("Key 1", &blink), ("Key 2", &brow), ("Key 3", &smile), ("Key 4", &belly), ("Key 5", &jaw)];
        check(&character(&shapes, vec![]), "unnamed");
        // The joint of the head tells, even if most shapes are of the body.
        let shapes: [Shape<'_>; 3] = [
            ("Key 1", &|point| blink(point) + of_body(point, 0.3)),
            ("Key 2", &|point| jaw(point) + of_body(point, 0.1)),
            ("Key 3", &brow),
        ];
        let mut mesh = character(&shapes, vec![]).asset.meshes.remove(0);
        let mut influences = Influences::default();
        for point in &mesh.vertices.positions {
            influences.push([Influence { joint: u32::from(point.y > 1.45), weight: 1.0 }], 0);
        }
        (mesh.vertices.influences, mesh.skin) = (influences, Some(0));
        let node = |name: &str, parent| Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs::IDENTITY) };
        let joints = (0..2).map(|node| Joint { node, joint_from_mesh: Mat4::IDENTITY }).collect();
        let humanoid = Humanoid { head: Some(1), ..Humanoid::default() };
        let rig = Rig {
            nodes: vec![node("hips", None), node("top", Some(0))],
            skins: vec![Skin { name: "skin".into(), joints }],
            humanoid,
            ..Rig::default()
        };
        check(&Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() }), "with a joint");
    }

    #[test]
    fn a_blink_or_a_mouth_alone_leaves_crown_and_chin_in_the_picture() {
        let left = |point: Vec3| if point.x > 0.0 { blink(point) } else { Vec3::ZERO };
        for (name, delta) in [
            ("eyeBlink", &blink as &dyn Fn(Vec3) -> Vec3),
            ("eyeBlinkLeft", &left),
            ("mouthSmile", &smile),
            ("jawOpen", &jaw),
        ] {
            let head = character(&[(name, delta)], vec![]);
            let (face, size) = (head.focus, head.focus.size().max_element());
            // A portrait shows half of the size above the face and a tenth below it.
            assert!(face.max.y + 0.5 * size >= CROWN, "{name}: {face:?}");
            assert!(face.min.y - 0.1 * size <= CHIN, "{name}: {face:?}");
            assert!(size < 0.35, "{name}: {face:?}");
        }
    }

    #[test]
    fn without_shapes_the_eyes_tell_where_the_face_is() {
        let bare = character(&[], vec![]);
        assert_eq!(bare.focus, bare.bounds, "nothing tells");
        let mut asset = bare.to_asset();
        let ball = |side: f32| {
            let directions = (0..12).flat_map(|row| (0..12).map(move |column| (row as f32, column as f32)));
            directions.map(move |(row, column)| {
                let (polar, around) = ((row + 0.5) / 12.0 * std::f32::consts::PI, column / 6.0 * std::f32::consts::PI);
                let direction = Vec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin());
                Vec3::new(side * 0.03, EYES, 0.06) + direction * 0.012
            })
        };
        let positions: Vec<Vec3> = ball(-1.0).chain(ball(1.0)).collect();
        let indices: Vec<u32> = (0..positions.len() as u32).collect();
        let part = Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false };
        let vertices = Vertices { positions, ..Vertices::default() };
        asset.meshes.push(Mesh { vertices, indices, parts: vec![part], ..Mesh::default() });
        asset.materials = vec![Material { name: "eye".into(), ..Material::default() }];
        let head = Head::new(asset);
        check(&head, "eyes");
        assert!(head.character.min.y <= 0.0, "the body is a part of the character: {:?}", head.character);
    }

    #[test]
    fn an_open_jaw_stays_in_the_picture() {
        let wide = |point: Vec3| jaw(point) * 2.5;
        let head = character(&[("eyeBlink", &blink), ("browInnerUp", &brow), ("jawOpen", &wide)], vec![]);
        let size = head.focus.size().max_element();
        assert!(head.focus.min.y - 0.1 * size < CHIN - 0.075, "{:?}", head.focus);
        let small = |point: Vec3| jaw(point) * 0.1;
        let head = character(&[("eyeBlink", &blink), ("browInnerUp", &brow), ("jawOpen", &small)], vec![]);
        assert_eq!(head.focus.min.y, CHIN, "a jaw that opens little changes nothing");
    }

    #[test]
    fn a_floor_or_a_stage_is_no_part_of_the_character() {
        let face: [Shape<'_>; 3] = [("eyeBlink", &blink), ("browInnerUp", &brow), ("jawOpen", &jaw)];
        let stage = |y: f32, half: f32| {
            let positions = Bounds { min: Vec3::new(-half, y, -half), max: Vec3::new(half, y + 0.1, half) }.corners();
            Mesh { vertices: Vertices { positions: positions.into(), ..Vertices::default() }, ..Mesh::default() }
        };
        let alone = character(&face, vec![]);
        assert_eq!(alone.character, alone.bounds);
        let head = character(&face, vec![stage(-0.1, 20.0), stage(6.0, 30.0), stage(0.3, 0.1)]);
        assert_eq!((head.focus, head.character), (alone.focus, alone.bounds));
        assert_eq!(head.framed(Frame::All), head.bounds);
        assert!(head.bounds.size().x >= 60.0);
        let [face, of_head] = [Frame::Face, Frame::Head].map(|part| head.framed(part));
        assert!(of_head.contains(face.min) && of_head.contains(face.max), "{face:?} {of_head:?}");
        assert!((of_head.max.y - CROWN).abs() < 1e-3 && of_head.min.y > 1.3, "{of_head:?}");
    }
}
