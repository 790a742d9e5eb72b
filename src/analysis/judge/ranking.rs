//! All combinations measured, the worst first.

use std::collections::HashMap;
use std::sync::Arc;

use super::combinations::{Combination, combinations};
use super::face_intersections::FaceIntersections;
use super::surface::{Skin, Surface};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::Head;

/// What a combination does that its channels do not do alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub combination: Combination,
    /// What crosses and does not at rest.
    pub intersections: Arc<FaceIntersections>,
    /// How much longer these lines are than those of its channels alone, in millimetres.
    pub added_mm: f32,
    /// How many times as long as at rest the most stretched skin is.
    pub stretch: f32,
    /// The same by the most that one of its channels stretches it; 1 if it is no more.
    pub added_stretch: f32,
    /// The volume under the skin that is lost beside what its channels change alone, in cubic centimetres.
    pub lost_cm3: f32,
}

impl Judged {
    /// How bad it is: 1 is 10 millimetres of intersection lines, skin that is stretched twice as far, or two cubic
    /// centimetres of volume.
    pub fn severity(&self) -> f32 {
        self.added_mm / 10.0 + (self.added_stretch - 1.0) + self.lost_cm3 / 2.0
    }

    /// What crosses, how much of it is new, how far skin is stretched and how much volume is lost, in words; empty if
    /// there is nothing.
    pub fn facts(&self) -> String {
        let mut facts: Vec<String> = Vec::new();
        let kinds = &self.intersections.kinds;
        if !kinds.is_empty() {
            let crossed = kinds.iter().map(|(through, pairs, length)| {
                format!("{} along {length:.0} mm ({pairs} pairs of triangles)", through.label())
            });
            facts.push(crossed.collect::<Vec<_>>().join(", "));
        }
        if self.combination.channels.len() > 1 && !kinds.is_empty() {
            facts.push(format!("{:.0} mm more than alone", self.added_mm));
        }
        if self.added_stretch > 1.1 {
            facts.push(format!("skin stretched to {:.1} times its length", self.stretch));
        }
        if self.lost_cm3 > 0.1 {
            facts.push(format!("{:.1} cm³ lost", self.lost_cm3));
        }
        facts.join("; ")
    }
}

/// What the surface does with some weights.
struct Measured {
    intersections: Arc<FaceIntersections>,
    stretch: f32,
    volume_cm3: f32,
}

impl Measured {
    fn new(head: &Head, surface: &Surface, skin: &Skin, combination: &Combination) -> Self {
        let points = surface.deformed(head, &combination.weights(head));
        Self {
            intersections: Arc::new(FaceIntersections::find(surface, &points)),
            stretch: skin.stretch(&points),
            volume_cm3: skin.volume_cm3(&points),
        }
    }
}

/// The judged [`combinations`] of a head, the worst first. It reports each.
pub fn judge(head: &Head, progress: Progress<'_>) -> Result<Vec<Judged>, Cancelled> {
    let tried = combinations(head);
    if tried.is_empty() {
        return Ok(Vec::new());
    }
    progress.report(&format!("Combination 1 of {}", tried.len()), 0.0)?;
    let surface = Surface::new(head);
    let skin = Skin::new(&surface);
    let rest_cm3 = skin.volume_cm3(&surface.deformed(head, &head.default_weights()));
    let mut alone: HashMap<usize, Measured> = HashMap::new();
    let mut judged = Vec::new();
    for (done, combination) in tried.iter().enumerate() {
        let stage = format!("Combination {} of {}", done + 1, tried.len());
        progress.report(&stage, done as f32 / tried.len() as f32)?;
        for &channel in &combination.channels {
            let alone = alone.entry(channel);
            alone.or_insert_with(|| Measured::new(head, &surface, &skin, &Combination { channels: vec![channel] }));
        }
        let measured = Measured::new(head, &surface, &skin, combination);
        judged.push(judged_by(combination, &measured, &alone, rest_cm3));
    }
    judged.sort_by(|a, b| b.severity().total_cmp(&a.severity()));
    Ok(judged)
}

fn judged_by(
    combination: &Combination,
    measured: &Measured,
    alone: &HashMap<usize, Measured>,
    rest_cm3: f32,
) -> Judged {
    let members: Vec<&Measured> = combination.channels.iter().map(|channel| &alone[channel]).collect();
    let expected_mm: f32 = members.iter().map(|member| member.intersections.length_mm()).sum();
    let most_stretch = members.iter().map(|member| member.stretch).fold(1.0, f32::max);
    let expected_cm3 = members.iter().map(|member| member.volume_cm3 - rest_cm3).sum::<f32>();
    let lost_cm3 = expected_cm3 - (measured.volume_cm3 - rest_cm3);
    Judged {
        combination: combination.clone(),
        intersections: measured.intersections.clone(),
        added_mm: (measured.intersections.length_mm() - expected_mm).max(0.0),
        stretch: measured.stretch,
        added_stretch: (measured.stretch / most_stretch).max(1.0),
        lost_cm3: lost_cm3.max(0.0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use glam::Vec3;

    use smirk_face::head::{Asset, Material, Mesh, Part, Target, Vertices};

    use super::*;
    use crate::judge::Through;

    /// A square sheet of skin in the plane z, with `size` millimetres a side and so many cells.
    fn sheet(cells: u32, size: f32, z: f32) -> (Vec<Vec3>, Vec<u32>) {
        let row = cells + 1;
        let at = |index: u32| (index as f32 / cells as f32 - 0.5) * size;
        let positions = (0..row * row).map(|index| Vec3::new(at(index % row), at(index / row), z)).collect();
        let cell = |index: u32| {
            let a = index / cells * row + index % cells;
            [a, a + 1, a + row + 1, a, a + row + 1, a + row]
        };
        (positions, (0..cells * cells).flat_map(cell).collect())
    }

    /// Two sheets 10 mm apart, 140 mm wide: `push` bulges the upper one down by 6 mm, `lift` the lower one up by 6 mm,
    /// `grow` widens the lower one. Each is harmless alone.
    pub(crate) fn head() -> Head {
        let (mut positions, mut indices) = sheet(48, 140.0, 0.0);
        let (lower, of_lower) = sheet(56, 140.0, -10.0);
        let first = positions.len() as u32;
        positions.extend(lower);
        indices.extend(of_lower.iter().map(|vertex| vertex + first));
        let shape = |name: &str, delta: &dyn Fn(usize, Vec3) -> Vec3| {
            let deltas: Vec<Vec3> = positions.iter().enumerate().map(|(at, place)| delta(at, *place)).collect();
            Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
        };
        let bulge = |place: Vec3| (1.0 - place.truncate().length() / 50.0).max(0.0);
        let is_upper = |at: usize| at < first as usize;
        let targets = vec![
            shape("push", &|at, place| Vec3::NEG_Z * if is_upper(at) { 6.0 * bulge(place) } else { 0.0 }),
            shape("lift", &|at, place| Vec3::Z * if is_upper(at) { 0.0 } else { 6.0 * bulge(place) }),
            shape("grow", &|at, place| if is_upper(at) { Vec3::ZERO } else { place.with_z(0.0) * 0.5 }),
        ];
        let part = Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false };
        let mesh = Mesh {
            name: "skin".into(),
            vertices: Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() },
            indices,
            parts: vec![part],
            targets,
            ..Mesh::default()
        };
        let materials = vec![Material { name: "skin".into(), ..Material::default() }];
        Head::new(Asset { meshes: vec![mesh], materials, ..Asset::default() })
    }

    #[test]
    fn what_channels_do_only_together_is_ranked_first() {
        let head = head();
        let judged = judge(&head, Progress::NONE).unwrap();
        let worst = &judged[0];
        assert_eq!(worst.combination.name(&head), "push + lift");
        let (through, pairs, length) = worst.intersections.kinds[0];
        assert!(through == Through::Skin && pairs > 20, "{worst:?}");
        // The bulges meet where each is 5 of its 6 mm high: along a circle of 50 / 6 mm.
        let circle = std::f32::consts::TAU * 50.0 / 6.0;
        // Triangles that are in each other by less than 0.15 mm are left out, which is about a third of those along the
        // circle.
        assert!((0.6..1.01).contains(&(length / circle)), "{length} is not within {circle}");
        assert_eq!(worst.added_mm, length, "neither crosses alone");
        let of = |name: &str| judged.iter().find(|it| it.combination.name(&head) == name).unwrap();
        assert_eq!(judged.len(), 3);
        let grown = of("push + grow");
        assert!(
            grown.intersections.kinds.is_empty() && (grown.stretch - 1.5).abs() < 1e-3 && grown.added_stretch < 1.01,
            "{grown:?}"
        );
    }

    #[test]
    fn it_ends_when_it_is_no_longer_wanted() {
        let head = head();
        let third = |stage: &str, _: f32| if stage.starts_with("Combination 3 ") { Err(Cancelled) } else { Ok(()) };
        assert_eq!(judge(&head, Progress::new(&third)), Err(Cancelled));
        assert_eq!(judge(&head, Progress::NONE), judge(&head, Progress::NONE));
    }

    #[test]
    fn surfaces_that_cross_at_rest_are_no_fault_of_a_combination() {
        let mut mesh = head().meshes[0].clone();
        // The upper sheet is tilted through the lower one.
        mesh.vertices.positions[..49 * 49].iter_mut().for_each(|place| place.z = place.x * 0.4 - 10.0);
        let head = Head::from_meshes(vec![mesh]);
        let surface = Surface::new(&head);
        let rest = surface.deformed(&head, &head.default_weights());
        assert_eq!(surface.triangles.new_intersections(&rest), []);
    }
}
