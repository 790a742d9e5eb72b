//! Which way a head stands and looks. Assets of glTF stand along +y and look along +z (glTF 2.0 §3.4); those of some
//! exporters look along -z, and scans often stand along +z.

use std::collections::HashSet;

use glam::Vec3;

use super::eyes::{Globes, iris_side};
use super::framed::Movements;
use super::standing::{Axis, ChosenAxes, Standing};
use super::{Bounds, Head, Note, PairKind, Region, Subject};

impl Head {
    /// The head, turned to stand along +y and to look along +z. A file whose format says which way it looks was turned
    /// by its importer; of other heads the places of eyes and mouth, the sides, the nose and the irises tell.
    #[must_use]
    pub fn turned_as_found(self) -> Self {
        if self.rig.world_from_format.is_some() {
            let mut head = self;
            head.asset.rig.found = Some(head.rig.stands);
            return head;
        }
        let signs = self.standing_by_signs();
        let mut head = match signs {
            Some(standing) if standing != Standing::UPRIGHT => self.turned_to(standing),
            _ => self,
        };
        let looks_back = head.looks_back();
        if looks_back {
            head = head.turned_to(head.rig.stands.turned_round());
        }
        head.asset.rig.found = (looks_back || signs.is_some()).then_some(head.rig.stands);
        head
    }

    /// How the head stands in its file if an artist chooses these axes.
    pub fn standing_as(&self, chosen: ChosenAxes) -> Standing {
        chosen.standing(self.rig.found.unwrap_or_default())
    }

    /// The head, turned as an artist chooses.
    #[must_use]
    pub fn turned_as_chosen(self, chosen: ChosenAxes) -> Self {
        let standing = self.standing_as(chosen);
        if standing == self.rig.stands { self } else { self.turned_to(standing) }
    }

    /// The head, turned as an artist has chosen for another one, which is the same read again or another version of it.
    #[must_use]
    pub fn turned_like(self, other: &Self) -> Self {
        let is_chosen = other.rig.stands != other.rig.found.unwrap_or_default();
        if is_chosen && other.rig.stands != self.rig.stands { self.turned_to(other.rig.stands) } else { self }
    }

    /// A copy of the head of which what is written stands as it is shown, and not as in its file.
    #[must_use]
    pub fn written_upright(&self) -> Self {
        let mut asset = self.to_asset();
        asset.rig.stands = Standing::UPRIGHT;
        Self::new(asset)
    }

    /// A copy of the head that is shown upright if it stands so in its file.
    #[must_use]
    pub fn turned_to(&self, standing: Standing) -> Self {
        let mut asset = self.to_asset();
        let before = asset.rig.stands;
        let turn = standing.upright_from_file() * before.upright_from_file().transpose();
        asset.rig.add_nodes_for(&mut asset.meshes);
        asset.rig.world_from_file = turn * asset.rig.world_from_file;
        asset.rig.stands = standing;
        asset.cameras.iter_mut().for_each(|camera| camera.world_from_camera = turn * camera.world_from_camera);
        asset.lights.iter_mut().for_each(|light| light.world_from_light = turn * light.world_from_light);
        let note = |standing: Standing| standing.message().map(|message| Note::info(Subject::File, message));
        let said = note(before);
        asset.notes.retain(|note| Some(note) != said.as_ref());
        asset.notes.extend(note(standing));
        Self::new(asset)
    }

    /// How the head stands by the places of its eyes, mouth and sides; `None` if they do not tell. One that stands
    /// along +y may look along -z.
    fn standing_by_signs(&self) -> Option<Standing> {
        /// The channels of each part that are looked at, spread over the list.
        const MOST: usize = 12;
        let movements = Movements::new(self);
        let middle = |is_of_part: &dyn Fn(Region) -> bool| {
            let channels = self.target_channels().iter().enumerate();
            let of_part: Vec<usize> =
                channels.filter(|(_, channel)| is_of_part(channel.region)).map(|(index, _)| index).collect();
            let looked_at = of_part.iter().step_by(of_part.len() / MOST + 1);
            let middles: Vec<Vec3> = looked_at.filter_map(|channel| movements.middle_of(*channel)).collect();
            (!middles.is_empty()).then(|| middles.iter().sum::<Vec3>() / middles.len() as f32)
        };
        let is_upper = |region| matches!(region, Region::Eyes | Region::Brows);
        let by_names = (middle(&is_upper), middle(&|region| matches!(region, Region::Mouth | Region::Jaw)));
        let mut left = self.left_by_names(&movements);
        let is_complete = by_names.0.is_some() && by_names.1.is_some() && left != Vec3::ZERO;
        let globes = if is_complete { None } else { (0..3).find_map(|axis| Globes::find_along(self, axis)) };
        let [eyes, mouth] = match (by_names, globes) {
            ((Some(eyes), Some(mouth)), _) => [eyes, mouth],
            // Most of what moves a face moves the mouth.
            ((eyes, mouth), Some(globes)) => {
                let [right, left] = globes.centers;
                let (eyes, apart) = (eyes.unwrap_or((right + left) * 0.5), right.distance(left));
                let mouth = mouth.or_else(|| middle(&|region| !is_upper(region)))?;
                (eyes.distance(mouth) > 0.4 * apart).then_some([eyes, mouth])?
            }
            _ => return None,
        };
        let up = Axis::near(eyes - mouth)?;
        if left == Vec3::ZERO {
            left = globes.map_or(Vec3::ZERO, |globes| globes.centers[1] - globes.centers[0]);
        }
        let left = Axis::near(left).filter(|left| left.is_across(up)).or_else(|| self.symmetric_axis(up));
        let is_about_y = up == Axis::PlusY && left.is_none_or(|left| left.direction().x != 0.0);
        Some(if is_about_y { Standing::UPRIGHT } else { Standing::from_up_and_left(up, left) })
    }

    /// The sum of the ways from what channels of the right move to what those of the left do.
    fn left_by_names(&self, movements: &Movements<'_>) -> Vec3 {
        self.sides().filter_map(|[left, right]| Some(movements.middle_of(left)? - movements.middle_of(right)?)).sum()
    }

    /// The left and right channels of pairs, of as many as are looked at.
    fn sides(&self) -> impl Iterator<Item = [usize; 2]> {
        const MOST_PAIRS: usize = 12;
        let sides = self.pairs.iter().filter(|pair| pair.kind == PairKind::Sides && pair.is_left_and_right);
        let count = self.target_channels().len();
        let of_targets = sides.take(MOST_PAIRS).filter_map(|pair| Some([pair.first, pair.second?]));
        of_targets.filter(move |sides| sides.iter().all(|side| *side < count))
    }

    /// The axis across `up` about which the meshes with targets are symmetric, if they are so about one of the two
    /// alone.
    fn symmetric_axis(&self, up: Axis) -> Option<Axis> {
        /// The size of a cell, in sizes of the box around all points.
        const CELL: f32 = 0.02;
        const MOST_POINTS: usize = 20_000;
        let meshes = self.meshes.iter().filter(|mesh| !mesh.targets.is_empty());
        let points: Vec<Vec3> = meshes.flat_map(|mesh| self.rest_pose.positions_in_world(mesh)).collect();
        let bounds = Bounds::around(points.iter().copied());
        let (middle, cell) = (bounds.center(), bounds.size().max_element() * CELL);
        let points = points.iter().step_by(points.len() / MOST_POINTS + 1).filter(|point| point.is_finite());
        let points: Vec<Vec3> = points.map(|point| (*point - middle) / cell).collect();
        let taken: HashSet<[i32; 3]> = points.iter().map(|point| point.floor().as_ivec3().to_array()).collect();
        let share = |axis: Axis| {
            let across = axis.direction();
            let has_mirrored = |point: &&Vec3| {
                let mirrored = **point - 2.0 * point.dot(across) * across;
                let steps = [Vec3::ZERO, across, -across, up.direction(), -up.direction()];
                steps.iter().any(|step| taken.contains(&(mirrored + *step).floor().as_ivec3().to_array()))
            };
            points.iter().filter(has_mirrored).count() as f32 / points.len().max(1) as f32
        };
        let axes = [Axis::PlusX, Axis::PlusY, Axis::PlusZ].into_iter().filter(|axis| axis.is_across(up));
        let shares: Vec<(Axis, f32)> = axes.map(|axis| (axis, share(axis))).collect();
        let is_clear = |at: usize| shares[at].1 > 0.85 && shares[1 - at].1 < 0.75 * shares[at].1;
        (0..2).find(|at| is_clear(*at)).map(|at| shares[at].0)
    }

    /// Whether the signs of a face say that it looks along -z. What has no eyes and no mouth looks along +z.
    fn looks_back(&self) -> bool {
        let globes = Globes::find(self, &self.roles);
        let moves_eyes_and_mouth = [[Region::Eyes, Region::Brows], [Region::Mouth, Region::Jaw]]
            .iter()
            .all(|regions| self.target_channels().iter().any(|channel| regions.contains(&channel.region)));
        if globes.is_none() && !moves_eyes_and_mouth {
            return false;
        }
        let middle = globes.map_or_else(|| self.focus.center(), |globes| (globes.centers[0] + globes.centers[1]) * 0.5);
        let shape = 2 * self.depth_sign(middle) + self.nose_sign();
        // The names of sides and the colours of the eyes take longer to look at.
        shape <= 0 && shape + self.sides_sign() + 3 * iris_side(self, &self.roles) < 0
    }

    /// 1 if the face is at the +z side of the head, -1 if it is at the other, 0 for a mask.
    fn depth_sign(&self, face: Vec3) -> i32 {
        const MUCH: f32 = 1.8;
        let size = self.focus.size();
        let band = Bounds::around(self.places().filter(|point| {
            let from = (*point - face).abs();
            from.y < 0.25 * size.y && from.x < 0.6 * size.x && from.z < 2.0 * size.max_element()
        }));
        let (before, behind) = (band.max.z - face.z, face.z - band.min.z);
        i32::from(behind > MUCH * before) - i32::from(before > MUCH * behind)
    }

    /// 1 if a nose stands out towards +z from between the cheeks, -1 if towards -z.
    fn nose_sign(&self) -> i32 {
        const LEAST: f32 = 0.1;
        let (face, size) = (self.focus, self.focus.size());
        let center = face.center();
        let height = face.min.y + 0.3 * size.y..face.min.y + 0.75 * size.y;
        let reach = 2.0 * size.max_element();
        let points = self.places();
        let between = points.filter(|point| height.contains(&point.y) && (point.z - center.z).abs() < reach);
        let points: Vec<Vec3> = between.collect();
        let [middle, cheeks] = [0.0..0.12, 0.3..0.48].map(|aside| {
            let points = points.iter().copied();
            Bounds::around(points.filter(|point| aside.contains(&((point.x - center.x).abs() / size.x))))
        });
        let (front, back) = (middle.max.z - cheeks.max.z, cheeks.min.z - middle.min.z);
        let difference = (front - back) / size.x;
        i32::from(difference > LEAST) - i32::from(difference < -LEAST)
    }

    /// 1 if channels of the actor's own left move what is at +x, as on a face that looks along +z; -1 if they move what
    /// is at -x.
    fn sides_sign(&self) -> i32 {
        let movements = Movements::new(self);
        let apart =
            self.sides().filter_map(|[left, right]| Some(movements.middle_of(left)?.x - movements.middle_of(right)?.x));
        let signs: i32 = apart.map(|apart| i32::from(apart > 0.0) - i32::from(apart < 0.0)).sum();
        signs.signum()
    }

    fn places(&self) -> impl Iterator<Item = Vec3> {
        self.meshes.iter().flat_map(move |mesh| self.rest_pose.positions_in_world(mesh))
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;
    use crate::head::{Asset, Mesh, Target, Vertices};

    /// A head 0.14 m wide that looks along +z: a cylinder with a nose, half of it without a back if it is a mask.
    fn asset(is_mask: bool, sides: [&str; 2]) -> Asset {
        let around = |ring: u32, at: u32| {
            let (y, angle) = (1.5 + 0.005 * ring as f32, TAU * at as f32 / 64.0);
            let is_nose = angle.cos() > 0.98 && (1.56..1.6).contains(&y);
            // The face is before the axis of the skull.
            Vec3::new(0.07 * angle.sin(), y, 0.08 * angle.cos() + if is_nose { 0.03 } else { 0.0 })
        };
        let all = (0..50).flat_map(|ring| (0..64).map(move |at| around(ring, at)));
        let positions: Vec<Vec3> = all.filter(|point| !is_mask || point.z > 0.0).collect();
        let target = |name: &str, is_moved: &dyn Fn(Vec3) -> bool| {
            let delta = |point: &Vec3| if point.z > 0.03 && is_moved(*point) { Vec3::Y * 0.01 } else { Vec3::ZERO };
            Target::from_dense(name.into(), 0.0, &positions.iter().map(delta).collect::<Vec<_>>(), &[], &[])
        };
        let is_eye = |point: Vec3| (1.61..1.64).contains(&point.y);
        let targets = vec![
            target(&format!("eyeBlink{}", sides[0]), &|point| is_eye(point) && point.x > 0.02),
            target(&format!("eyeBlink{}", sides[1]), &|point| is_eye(point) && point.x < -0.02),
            target("jawOpen", &|point| point.y < 1.55),
        ];
        let mesh = Mesh { vertices: Vertices { positions, ..Vertices::default() }, targets, ..Mesh::default() };
        Asset { meshes: vec![mesh], ..Asset::default() }
    }

    /// The asset as it is if its head stands so in its file.
    fn stood(asset: Asset, standing: Standing) -> Head {
        let mut asset = asset;
        asset.meshes[0].world_from_mesh = standing.upright_from_file().transpose();
        Head::new(asset)
    }

    fn every_standing() -> impl Iterator<Item = Standing> {
        Axis::EACH.iter().flat_map(|up| Axis::EACH.iter().filter_map(|front| Standing::new(*up, *front)))
    }

    fn apart(a: &[Vec3], b: impl Iterator<Item = Vec3>) -> f32 {
        a.iter().zip(b).map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
    }

    #[test]
    fn a_head_is_shown_upright_and_from_the_front_however_it_stands_and_written_as_it_was() {
        for (is_mask, standing) in [false, true].into_iter().flat_map(|mask| every_standing().map(move |it| (mask, it)))
        {
            let upright: Vec<Vec3> = Head::new(asset(is_mask, ["Left", "Right"])).places().collect();
            let in_file = stood(asset(is_mask, ["Left", "Right"]), standing);
            let places: Vec<Vec3> = in_file.places().collect();
            let head = in_file.turned_as_found();
            assert_eq!((head.rig.stands, head.rig.found), (standing, Some(standing)), "{is_mask}");
            assert!(apart(&upright, head.places()) < 1e-5, "{is_mask}, {standing:?}");
            assert!(apart(&places, head.in_world_space().places()) < 1e-5, "{is_mask}, {standing:?}");
            let said: Vec<&str> = head.notes.iter().map(|note| note.message.as_ref()).collect();
            assert_eq!(said, Vec::from_iter(standing.message().as_deref()), "one line says so");
            let again = head.turned_as_found();
            assert_eq!(again.rig.stands, standing, "it is turned once");
        }
        // Sides that are named as the viewer sees them do not turn a head whose nose says otherwise.
        assert!(!Head::new(asset(false, ["Right", "Left"])).turned_as_found().rig.is_turned());
    }

    #[test]
    fn what_an_artist_chooses_comes_before_what_is_found() {
        let up = |up| ChosenAxes { up: Some(up), front: None };
        let lying = stood(asset(false, ["Left", "Right"]), Standing::new(Axis::PlusZ, Axis::MinusY).unwrap());
        let places: Vec<Vec3> = lying.places().collect();
        let as_in_file = lying.turned_as_found().turned_as_chosen(up(Axis::PlusY));
        assert!(apart(&places, as_in_file.places()) < 1e-5 && as_in_file.notes.is_empty());
        let back = as_in_file.turned_as_chosen(ChosenAxes::default());
        assert_eq!(Some(back.rig.stands), back.rig.found);
        assert_eq!(back.notes.len(), 1);
    }

    #[test]
    fn what_is_no_face_stays() {
        for standing in every_standing() {
            let mut nameless = asset(false, ["Left", "Right"]);
            for (index, target) in nameless.meshes[0].targets.iter_mut().enumerate() {
                target.name = format!("shape {index}");
            }
            let head = stood(nameless, standing).turned_as_found();
            assert!(!head.rig.is_turned() && head.rig.found.is_none(), "{standing:?}");
        }
        assert!(!Head::new(Asset::default()).turned_as_found().rig.is_turned());
    }
}
