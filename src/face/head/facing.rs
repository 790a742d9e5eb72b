//! Which way a head looks. Assets of glTF look along +z (glTF 2.0 §3.4); those of some exporters look along -z.

use glam::Vec3;

use super::eyes::{Globes, iris_side};
use super::framed::Movements;
use super::{Bounds, Head, Note, PairKind, Region, Rig, Subject};

impl Head {
    /// The head, turned to look along +z if it looks along -z. A file whose format says which way it looks was turned
    /// by its importer; of other heads the place of the face, the nose, the sides of channels and the irises tell.
    #[must_use]
    pub fn turned_to_front(self) -> Self {
        if self.rig.world_from_format.is_some() || !self.looks_back() {
            return self;
        }
        let mut turned = self.turned_round();
        let message = "looks along −z: it is shown turned round, and saved as it was";
        turned.notes.push(Note::info(Subject::File, message));
        turned
    }

    /// The head, turned round about y: [`Rig::is_turned`](super::Rig::is_turned) says so.
    #[must_use]
    pub fn turned_round(&self) -> Self {
        let mut asset = self.to_asset();
        asset.rig.add_nodes_for(&mut asset.meshes);
        let turn = Rig::half_turn();
        asset.rig.world_from_file = turn * asset.rig.world_from_file;
        asset.rig.is_turned = !asset.rig.is_turned;
        asset.cameras.iter_mut().for_each(|camera| camera.world_from_camera = turn * camera.world_from_camera);
        asset.lights.iter_mut().for_each(|light| light.world_from_light = turn * light.world_from_light);
        Self::new(asset)
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
        const MOST_PAIRS: usize = 12;
        let movements = Movements::new(self);
        let sides = self.pairs.iter().filter(|pair| pair.kind == PairKind::Sides && pair.is_left_and_right);
        let count = self.target_channels().len();
        let apart = sides.take(MOST_PAIRS).filter_map(|pair| {
            let [left, right] = [pair.first, pair.second?];
            let is_of_targets = left.max(right) < count;
            is_of_targets.then_some(movements.middle_of(left)?.x - movements.middle_of(right)?.x)
        });
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

    use glam::Mat4;

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

    #[test]
    fn a_head_that_looks_back_is_turned_to_the_front_and_others_stay() {
        for is_mask in [false, true] {
            let front = Head::new(asset(is_mask, ["Left", "Right"]));
            let (places, turned) = (front.places().collect::<Vec<_>>(), front.turned_to_front());
            assert!(!turned.rig.is_turned && turned.places().eq(places.iter().copied()), "{is_mask}");
            let mut back = asset(is_mask, ["Left", "Right"]);
            back.meshes[0].world_from_mesh = Mat4::from_rotation_y(std::f32::consts::PI);
            let turned = Head::new(back).turned_to_front();
            assert!(turned.rig.is_turned, "{is_mask}");
            assert!(turned.places().zip(&places).all(|(a, b)| a.distance(*b) < 1e-5), "{is_mask}");
            assert!(turned.notes.iter().any(|note| note.message.contains("looks along −z")));
            assert!(!turned.turned_to_front().turned_round().rig.is_turned, "it is turned once");
        }
        // Sides that are named as the viewer sees them do not turn a head whose nose says otherwise.
        assert!(!Head::new(asset(false, ["Right", "Left"])).turned_to_front().rig.is_turned);
    }

    #[test]
    fn what_is_no_face_stays() {
        let mut nameless = asset(false, ["Left", "Right"]);
        nameless.meshes[0].world_from_mesh = Mat4::from_rotation_y(std::f32::consts::PI);
        for (index, target) in nameless.meshes[0].targets.iter_mut().enumerate() {
            target.name = format!("shape {index}");
        }
        assert!(!Head::new(nameless).turned_to_front().rig.is_turned);
        assert!(!Head::new(Asset::default()).turned_to_front().rig.is_turned);
    }
}
