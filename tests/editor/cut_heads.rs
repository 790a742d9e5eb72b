//! Heads of which only the places are known that shapes move, so that motion and weights have to be found together: the weights come back
//! as exactly as positions in 32 bits hold them.

use std::path::Path;

use glam::{DMat3, DVec3, Mat4, Vec3};
use smirk_analysis::solve::{FrameFault, Frames, MatchedPoints, SolveSettings, Solver};
use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_face::head::{Head, Mesh, Target, Vertices};
use smirk_files::import;
use smirk_support::synthetic;
use smirk_support::test_files::real_heads;

/// Weights that are known better than this are exact.
const EXACT: f32 = 1e-4;
/// What rounding does once differs from what it does another time, of the largest in some hundred frames by less than this factor.
const CHANCE: f32 = 4.0;
/// What the weights leave of the distances is nothing that is seen.
const MOST_LEFT_MM: f32 = 1e-3;
const DEGREES: [f64; 3] = [0.0, 10.0, 30.0];

/// Frames in memory.
struct Recorded(Vec<Vec<Vec3>>);

impl Frames for Recorded {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        positions.extend_from_slice(&self.0[frame]);
        Ok(())
    }
}

/// The places of a head that a shape moves far enough.
struct Cut<'a> {
    head: &'a Head,
    matched: MatchedPoints,
    /// Per place, where it is at rest, and how each channel that moves it does.
    places: Vec<(DVec3, Vec<(usize, DVec3)>)>,
}

impl<'a> Cut<'a> {
    /// Those that a shape moves by at least a part of the head's size.
    fn new(head: &'a Head, part: f32) -> Self {
        let mut channel_of = vec![None; head.target_count()];
        for (channel, of) in head.target_channels().iter().enumerate() {
            of.targets.iter().for_each(|&target| channel_of[target] = Some(channel));
        }
        let least = f64::from(part * head.bounds.size().max_element());
        let (mut places, mut of_vertices) = (Vec::new(), Vec::new());
        for mesh in &head.meshes {
            let mut deltas: Vec<Vec<(usize, DVec3)>> = vec![Vec::new(); mesh.vertices.len()];
            for (target, at) in mesh.targets.iter().zip(mesh.first_target..) {
                let Some(channel) = channel_of[at] else { continue };
                for (&row, delta) in target.rows.iter().zip(&target.positions) {
                    let world = head.rest_pose.world_from_vertex(mesh, row as usize).as_dmat4();
                    deltas[row as usize].push((channel, world.transform_vector3(delta.as_dvec3())));
                }
            }
            let points = deltas.into_iter().enumerate().map(|(vertex, deltas)| {
                let is_known = deltas.iter().any(|(_, delta)| delta.length() >= least);
                let world = head.rest_pose.world_from_vertex(mesh, vertex).as_dmat4();
                let rest = world.transform_point3(mesh.vertices.positions[vertex].as_dvec3());
                is_known.then(|| {
                    places.push((rest, deltas));
                    places.len() as u32 - 1
                })
            });
            of_vertices.push(points.collect());
        }
        Self { head, matched: MatchedPoints { of_vertices, head_from_frames: Mat4::IDENTITY }, places }
    }

    /// The places at the weights of frames, each turned about an axis of its own and moved, and then off by up to so many times the last
    /// bit of their coordinates.
    fn frames(&self, weights: &[Vec<f32>], degrees: f64, off_by: f64, seed: u32) -> Recorded {
        let neck = self.head.neck.as_dvec3();
        let frames = weights.iter().enumerate().map(|(frame, weights)| {
            let number = |index: u64| f64::from(random::signed(frame as u32 + 800, index));
            let axis = DVec3::new(number(0), number(1), number(2)).normalize_or(DVec3::Y);
            let rotation = DMat3::from_axis_angle(axis, degrees.to_radians());
            let along = DVec3::new(number(4), number(5), number(6)) * degrees * 5e-3;
            let along = along * f64::from(self.head.bounds.size().max_element());
            let places = self.places.iter().enumerate().map(|(place, (rest, deltas))| {
                let by = |&(channel, delta): &(usize, DVec3)| f64::from(weights[channel]) * delta;
                let at = rest + deltas.iter().map(by).sum::<DVec3>();
                let at = (rotation * (at - neck) + neck + along).to_array();
                Vec3::from_array(std::array::from_fn(|axis| {
                    let last_bit = f64::from((at[axis] as f32).abs().next_up() - (at[axis] as f32).abs());
                    let chance = random::signed(seed + frame as u32, (place * 3 + axis) as u64);
                    (at[axis] + off_by * f64::from(chance) * last_bit) as f32
                }))
            });
            places.collect()
        });
        Recorded(frames.collect())
    }
}

/// One shape after the other, some shapes, and half of the shapes at weights within the bounds.
fn weights(channels: usize, [low, high]: [f32; 2]) -> Vec<Vec<f32>> {
    let single = (0..channels).map(|at| (0..channels).map(|it| if it == at { high } else { 0.0 }).collect());
    let some = [0.15, 0.5].into_iter().flat_map(|part| (0..12).map(move |frame| (part, frame)));
    let some = some.map(|(part, frame): (f32, u32)| {
        let seed = frame + 600 + (part * 1000.0) as u32;
        let weight = |channel: u64| {
            let is_used = random::signed(seed, 2 * channel).abs() < part;
            let weight = low + (high - low) * random::signed(seed, 2 * channel + 1).abs();
            if is_used { weight } else { 0.0 }
        };
        (0..channels as u64).map(weight).collect()
    });
    single.chain(some).collect()
}

/// Solves a cut head, and demands that its weights are exact or as exact as rounded positions tell: as much as other weights come out if
/// positions are off by half of their last bit.
fn check(name: &str, head: &Head, part: f32, bounds: [f32; 2]) {
    let cut = Cut::new(head, part);
    let settings = SolveSettings { bounds, ..SolveSettings::default() };
    let solver = Solver::new(head, &cut.matched, &settings, Progress::NONE).unwrap();
    let meant = weights(head.target_channels().len(), bounds);
    let (mut wrong, mut by_rounding, mut left) = (0.0_f32, 0.0_f32, 0.0_f32);
    for degrees in DEGREES {
        let solve =
            |off_by: f64, seed: u32| solver.solve(&cut.frames(&meant, degrees, off_by, seed), Progress::NONE).unwrap();
        let (found, other) = (solve(0.0, 0), solve(0.5, 50_000));
        for (frame, meant) in meant.iter().enumerate() {
            let values = found.channels.iter().zip(found.frame(frame)).zip(other.frame(frame));
            for ((&channel, value), other) in values.filter(|((channel, _), _)| !solver.unmoved.contains(channel)) {
                wrong = wrong.max((value - meant[channel]).abs());
                by_rounding = by_rounding.max((value - other).abs());
            }
        }
        left = found.residuals.iter().flatten().map(|it| it.largest_mm).fold(left, f32::max);
    }
    let frames = meant.len() * DEGREES.len();
    let places = cut.places.len();
    println!(
        "{name}, {part}: {places} places, {frames} frames, off {wrong:.1e}, rounding {by_rounding:.1e}, left {left:.1e} mm"
    );
    assert!(wrong < EXACT || wrong < CHANCE * by_rounding, "{name}, {part}: {wrong}, by rounding {by_rounding}");
    assert!(left < MOST_LEFT_MM, "{name}, {part}: {left} mm");
}

/// A bent sheet whose shapes are waves over all of it, later ones smaller.
fn waves(shapes: u32) -> Head {
    const SIDE: usize = 33;
    let along = |at: usize| at as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
    let position = |at: usize| {
        let (x, y) = (along(at % SIDE), along(at / SIDE));
        Vec3::new(0.075 * x, 0.11 * y, 0.07 * (1.0 - 0.8 * x * x - 0.4 * y * y))
    };
    let positions: Vec<Vec3> = (0..SIDE * SIDE).map(position).collect();
    let target = |number: u32| {
        let wave = |axis: u64, at: Vec3| {
            let random = |index: u64| random::signed(number + 90, axis * 10 + index);
            let phase = at.dot(Vec3::new(random(0), random(1), 0.7 * random(2))) * 30.0 + 3.0 * random(3);
            random(4) * phase.sin()
        };
        let delta =
            |at: &Vec3| Vec3::from_array([0, 1, 2].map(|axis| wave(axis, *at))) * 0.012 / (1.0 + 0.3 * number as f32);
        Target::from_dense(format!("wave{number}"), 0.0, &positions.iter().map(delta).collect::<Vec<_>>(), &[], &[])
    };
    let vertices =
        Vertices { normals: vec![Vec3::Z; SIDE * SIDE], positions: positions.clone(), ..Vertices::default() };
    synthetic::head_of(vec![Mesh { targets: (0..shapes).map(target).collect(), vertices, ..Mesh::default() }])
}

#[test]
fn weights_of_cut_heads_come_back_as_exactly_as_positions_hold_them() {
    check("20 waves", &waves(20), 0.0, [-2.0, 2.0]);
    check("60 waves", &waves(60), 0.0, [0.0, 1.0]);
    check("the bundled head", &import::embedded().unwrap(), 0.03, [0.0, 1.0]);
}

#[test]
#[ignore = "long: ./dev soak"]
fn weights_of_all_cut_heads_come_back_as_exactly_as_positions_hold_them() {
    let heads = real_heads().expect("SMIRK_HEADS names the folder of heads");
    let open = |path: &str| import::open(&heads.join(Path::new(path))).unwrap();
    const PARTS: [f32; 3] = [0.003, 0.01, 0.03];
    let all = [
        ("the bundled head", import::embedded().unwrap(), &PARTS[..]),
        ("ICT FaceKit", open("ict/ict_facekit.glb"), &PARTS),
        ("facecap", open("threejs/facecap.glb"), &PARTS),
        // Whole bodies, of whose size no shape moves a vertex by 3 %.
        ("MakeHuman", open("makehuman/mh_expressions.glb"), &PARTS[..2]),
        ("an avatar", open("avatars/rpm_brunette-t.glb"), &PARTS[..2]),
    ];
    for (name, head, parts) in all {
        for &part in parts {
            check(name, &head, part, [0.0, 1.0]);
        }
    }
}
