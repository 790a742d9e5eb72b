//! Where the head turns: an estimate of the upper end of the neck, for heads without a joint.

use glam::Vec3;

use super::{Eyes, Head};

/// The vertical and the horizontal distance of the eyes from the point that the head turns about, for eyes that are
/// [`EYES_APART`] apart, in metres. From the neck model of Google Cardboard (`neck_model.cc`: 0.075 and 0.080).
const BELOW_EYES: f32 = 0.075;
const BEHIND_EYES: f32 = 0.080;
/// The mean distance of two pupils in metres (Dodgson, Variation and extrema of human interpupillary distance, 2004).
const EYES_APART: f32 = 0.063;

impl Head {
    /// The point that the head turns about, in world space, near the bottom of the skull: as far below and behind the
    /// eyes as in a person whose eyes are as far apart. If the eyes are not known, it is estimated from the box around
    /// all that expressions move, which reaches from the chin to the brows: a fifth of its height above its bottom,
    /// three fifths of its height behind its front.
    ///
    /// A neck that the file names is that point.
    pub(super) fn estimate_neck(&self) -> Vec3 {
        let bone = self.rig.humanoid.neck.and_then(|neck| self.rest_pose.world_from_node().get(neck));
        if let Some(neck) = bone.map(|bone| bone.w_axis.truncate()).filter(|neck| neck.is_finite()) {
            return neck;
        }
        let estimate = Eyes::find(self, &self.roles).map_or_else(|| self.neck_below_face(), |eyes| neck_behind(&eyes));
        if estimate.is_finite() { estimate } else { Vec3::ZERO }
    }

    fn neck_below_face(&self) -> Vec3 {
        let (face, height) = (self.focus, self.focus.size().y);
        if face.is_empty() {
            return Vec3::ZERO;
        }
        Vec3::new(face.center().x, face.min.y + 0.2 * height, face.max.z - 0.6 * height)
    }
}

fn neck_behind(eyes: &Eyes) -> Vec3 {
    let [right, left] = eyes.centers;
    let per_metre = right.distance(left) / EYES_APART;
    (right + left) * 0.5 - Vec3::new(0.0, BELOW_EYES, BEHIND_EYES) * per_metre
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Mesh, Target, Vertices};

    #[test]
    fn without_eyes_the_neck_is_behind_the_chin() {
        let positions = vec![Vec3::new(-0.1, 1.5, -0.1), Vec3::new(0.1, 1.7, 0.1)];
        let vertices = Vertices { positions, ..Vertices::default() };
        let target = Target::from_dense("smile".into(), 0.0, &[Vec3::X; 2], &[], &[]);
        let mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        let neck = Head::from_meshes(vec![mesh]).neck;
        assert!(neck.distance(Vec3::new(0.0, 1.54, -0.02)) < 1e-6, "{neck}");
        assert_eq!(Head::new(Asset::default()).neck, Vec3::ZERO);
    }

    #[test]
    fn eyes_tell_the_size_of_the_head() {
        let eyes = Eyes {
            centers: [Vec3::new(-0.63, 1.0, 0.5), Vec3::new(0.63, 1.0, 0.5)],
            radius: 0.2,
            forward: Vec3::Z,
            iris_sine: None,
            iris_colors: None,
            are_plain: true,
            have_cornea: false,
        };
        assert!(neck_behind(&eyes).distance(Vec3::new(0.0, -0.5, -1.1)) < 1e-5);
    }
}
