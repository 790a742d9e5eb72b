//! Weights that are known are found again.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec3Swizzles};

use super::*;
use smirk_base::random;
use smirk_face::head::{
    Asset, CombinationMethod, Corrective, Drive, Driver, Expression, InBetween, Mesh, Override, Preset, Region, Target,
    Vertices,
};

const SIZE: f32 = 0.2;

/// A ball whose shapes bulge parts of its front; its back is still unless `all_moves`.
fn ball(names: &[&str], all_moves: bool) -> Mesh {
    let count = 600;
    let positions: Vec<Vec3> = (0..count)
        .map(|at| {
            let (height, turn) = (1.0 - 2.0 * (at as f32 + 0.5) / count as f32, at as f32 * 2.399_963);
            let radius = (1.0 - height * height).sqrt();
            Vec3::new(radius * turn.sin() * 0.9, height, radius * turn.cos() * 0.8) * SIZE * 0.5
        })
        .collect();
    let target = |(number, name): (usize, &&str)| {
        let random = |index: u64| random::signed(number as u32 + 50, index);
        let center = Vec3::new(random(0), random(1), 0.4 + 0.5 * random(2).abs()).normalize_or_zero() * SIZE * 0.5;
        let along = Vec3::new(random(3), random(4), random(5)) * 0.02;
        let delta = |at: &Vec3| {
            let near = 1.0 - at.distance(center) / (SIZE * 0.45);
            let is_still = !all_moves && at.z < 0.0;
            let everywhere = if all_moves { along * 0.05 * (1.0 + at.y / SIZE) } else { Vec3::ZERO };
            if near > 0.0 && !is_still { along * near + everywhere } else { everywhere }
        };
        let deltas: Vec<Vec3> = positions.iter().map(delta).collect();
        Target::from_dense((*name).into(), 0.0, &deltas, &[], &[])
    };
    Mesh {
        name: "ball".into(),
        targets: names.iter().enumerate().map(target).collect(),
        vertices: Vertices { normals: vec![Vec3::Z; count], positions, ..Vertices::default() },
        ..Mesh::default()
    }
}

const NAMES: [&str; 8] = [
    "jawOpen",
    "mouthSmileLeft",
    "mouthSmileRight",
    "browInnerUp",
    "eyeBlinkLeft",
    "cheekPuff",
    "mouthPucker",
    "noseSneer",
];

fn head() -> Head {
    Head::new(Asset { meshes: vec![ball(&NAMES, false)], ..Asset::default() })
}

fn in_order(head: &Head) -> MatchedPoints {
    let mut next = 0..;
    let of_vertices = head.meshes.iter().map(|mesh| (0..mesh.vertices.len()).map(|_| next.next()).collect()).collect();
    MatchedPoints { of_vertices, head_from_frames: Mat4::IDENTITY }
}

/// Values from 0 to 1 that change slowly; some are 0 or 1 for a while.
fn value(frame: usize, channel: usize) -> f32 {
    let wave = ((frame as f32 * 0.11 * (1.0 + channel as f32 * 0.3)) + channel as f32).sin();
    (0.5 + 0.7 * wave).clamp(0.0, 1.0)
}

/// Frames in memory.
struct Recorded(Vec<Vec<Vec3>>);

impl Frames for Recorded {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        if self.0[frame].is_empty() {
            return Err(FrameFault::Unreadable("is empty".into()));
        }
        positions.extend_from_slice(&self.0[frame]);
        Ok(())
    }
}

/// The head at values of its channels, by the shapes that its targets show, as a frame.
fn shown(head: &Head, values: &BTreeMap<usize, f32>) -> Vec<Vec3> {
    let mut mix = head.default_weights();
    for (&channel, &value) in values {
        head.channels[channel].targets.iter().for_each(|&at| mix[at] = value);
    }
    head.resolve(&mut mix);
    let mut positions = Vec::new();
    for mesh in &head.meshes {
        let mut own: Vec<Vec3> = mesh.vertices.positions.clone();
        for (target, at) in mesh.targets.iter().zip(mesh.first_target..) {
            for (shape, weight) in target.shapes_at(mix[at]) {
                shape.rows.iter().zip(shape.positions).for_each(|(&row, delta)| own[row as usize] += *delta * weight);
            }
        }
        positions.extend(own.iter().map(|at| mesh.world_from_mesh.transform_point3(*at)));
    }
    positions
}

fn recorded(head: &Head, count: usize, of: impl Fn(usize, usize) -> f32) -> Recorded {
    let channels = 0..head.channels.len();
    let values = |frame: usize| channels.clone().map(|channel| (channel, of(frame, channel))).collect();
    Recorded((0..count).map(|frame| shown(head, &values(frame))).collect())
}

fn solve(head: &Head, frames: &Recorded, settings: &SolveSettings) -> Solution {
    let matched = in_order(head);
    let solver = Solver::new(head, &matched, settings, Progress::NONE).unwrap();
    solver.solve(frames, Progress::NONE).unwrap()
}

/// The largest error of the values of all frames.
fn error(solution: &Solution, of: impl Fn(usize, usize) -> f32) -> f32 {
    let frames = 0..solution.frame_count();
    let errors = frames.flat_map(|frame| {
        let values = solution.frame(frame).iter().zip(&solution.channels);
        values.map(|(value, &channel)| (value - of(frame, channel)).abs()).collect::<Vec<_>>()
    });
    errors.fold(0.0, f32::max)
}

#[test]
fn the_weights_of_a_take_are_found_again() {
    let head = head();
    let solution = solve(&head, &recorded(&head, 41, value), &SolveSettings::default());
    assert_eq!(solution.channels, (0..8).collect::<Vec<_>>());
    let error = error(&solution, value);
    assert!(error < 1e-4, "{error}");
    let residual = solution.residuals.iter().flatten().map(|it| it.largest_mm).fold(0.0, f32::max);
    assert!(residual < 1e-3 && solution.lacking.is_none() && solution.turns.is_empty(), "{residual}");
}

#[test]
fn the_motion_of_the_head_is_taken_out_whether_or_not_something_is_still() {
    for all_moves in [false, true] {
        let head = Head::new(Asset { meshes: vec![ball(&NAMES, all_moves)], ..Asset::default() });
        let mut frames = recorded(&head, 30, value);
        let turn = |frame: usize| Turn { yaw: 0.02 * frame as f32, pitch: -0.3, roll: 0.01 * frame as f32 };
        for (frame, positions) in frames.0.iter_mut().enumerate() {
            let rotation = turn(frame).rotation();
            positions.iter_mut().for_each(|at| *at = rotation * (*at - head.neck) + head.neck + Vec3::X * 0.05);
        }
        let solution = solve(&head, &frames, &SolveSettings::default());
        let error = error(&solution, value);
        assert!(error < 1e-4, "{all_moves}: {error}");
        for (frame, found) in solution.turns.iter().enumerate() {
            let (found, expected) = (found.head, turn(frame));
            for (found, expected) in
                [(found.yaw, expected.yaw), (found.pitch, expected.pitch), (found.roll, expected.roll)]
            {
                assert!((found - expected).abs() < 1e-4, "{all_moves}, {frame}: {found}, not {expected}");
            }
        }
        let shift = 0.05 * head.mm_per_unit();
        assert!((solution.largest_shift_mm - shift).abs() < 1e-2 * shift, "{}", solution.largest_shift_mm);
    }
}

/// A sheet that is bent as a face is, without a back: a scan that is cut at the neck, or what a phone tracks.
fn sheet(targets: impl Iterator<Item = (String, Box<dyn Fn(Vec3) -> Vec3>)>) -> Head {
    const SIDE: usize = 21;
    let along = |at: usize| at as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
    let position = |at: usize| {
        let (x, y) = (along(at % SIDE), along(at / SIDE));
        Vec3::new(0.075 * x, 0.11 * y, 0.07 * (1.0 - 0.8 * x * x - 0.4 * y * y))
    };
    let positions: Vec<Vec3> = (0..SIDE * SIDE).map(position).collect();
    let target = |(name, delta): (String, Box<dyn Fn(Vec3) -> Vec3>)| {
        Target::from_dense(name, 0.0, &positions.iter().map(|at| delta(*at)).collect::<Vec<_>>(), &[], &[])
    };
    let targets = targets.map(target).collect();
    let vertices = Vertices { normals: vec![Vec3::Z; SIDE * SIDE], positions, ..Vertices::default() };
    Head::new(Asset {
        meshes: vec![Mesh { name: "sheet".into(), targets, vertices, ..Mesh::default() }],
        ..Asset::default()
    })
}

/// A mask of whose shapes the jaw moves every vertex, the forehead by a twentieth of its way. The others move a part of
/// it.
fn mask() -> Head {
    let centers = [
        (0.0, -0.06),
        (-0.03, -0.035),
        (0.03, -0.035),
        (0.0, 0.07),
        (-0.03, 0.03),
        (0.05, -0.02),
        (0.0, -0.04),
        (0.0, 0.01),
    ];
    sheet(NAMES.iter().enumerate().map(|(number, name)| {
        let (x, y) = centers[number];
        let by = Vec3::from_array([0, 1, 2].map(|axis| random::signed(number as u32 + 70, axis))) * 0.012;
        let bump = move |at: Vec3| by * (-(at.xy() - Vec3::new(x, y, 0.0).xy()).length_squared() / 5e-4).exp();
        let jaw = |at: Vec3| {
            let share = 0.05 + 0.95 * ((0.02 - at.y) / 0.08).clamp(0.0, 1.0).powi(2);
            Vec3::new(0.0, -0.04, -0.02 + 0.15 * at.y) * share
        };
        let delta: Box<dyn Fn(Vec3) -> Vec3> = if number == 0 { Box::new(jaw) } else { Box::new(bump) };
        ((*name).to_owned(), delta)
    }))
}

/// A model like those of statistics: each shape is a wave over the whole face.
fn model() -> Head {
    sheet((0..16).map(|number: u32| {
        let wave = move |axis: u64, at: Vec3| {
            let random = |index: u64| random::signed(number + 90, axis * 10 + index);
            let phase = at.dot(Vec3::new(random(0), random(1), 0.7 * random(2))) * 30.0 + 3.0 * random(3);
            random(4) * phase.sin()
        };
        let delta = move |at: Vec3| {
            Vec3::from_array([0, 1, 2].map(|axis| wave(axis, at))) * 0.012 / (1.0 + 0.3 * number as f32)
        };
        let delta: Box<dyn Fn(Vec3) -> Vec3> = Box::new(delta);
        (format!("component{number}"), delta)
    }))
}

/// Turns the head of each frame about an axis of its own, and moves it.
fn turned(head: &Head, frames: &mut Recorded, degrees: f32) -> Vec<Quat> {
    let turn = |(frame, positions): (usize, &mut Vec<Vec3>)| {
        let number = |index: u64| random::signed(frame as u32 + 800, index);
        let axis = Vec3::new(number(0), number(1), number(2)).normalize_or(Vec3::Y);
        let rotation = Quat::from_axis_angle(axis, (degrees * number(3).signum()).to_radians());
        let by = Vec3::new(number(4), number(5), number(6)) * degrees * 1e-3;
        positions.iter_mut().for_each(|at| *at = rotation * (*at - head.neck) + head.neck + by);
        rotation
    };
    frames.0.iter_mut().enumerate().map(turn).collect()
}

#[test]
fn heads_of_which_no_vertex_is_still_give_back_weights_and_turns() {
    let ball = Head::new(Asset { meshes: vec![ball(&NAMES, true)], ..Asset::default() });
    for (what, head, bounds) in
        [("ball", ball, [0.0, 1.0]), ("mask", mask(), [0.0, 1.0]), ("model", model(), [-2.0, 2.0])]
    {
        let settings = SolveSettings { bounds, ..SolveSettings::default() };
        // In the first frames one channel after the other is at its end, then some channels are anywhere.
        let of = |frame: usize, channel: usize| match frame.checked_sub(head.channels.len()) {
            None => f32::from(u8::from(frame == channel)) * bounds[1],
            Some(_) => {
                let number = random::signed(frame as u32 + 600, channel as u64);
                if number > 0.0 { bounds[0] + (bounds[1] - bounds[0]) * number } else { 0.0 }
            }
        };
        for degrees in [0.0, 10.0, 20.0, 30.0] {
            let mut frames = recorded(&head, head.channels.len() + 12, of);
            let turns = turned(&head, &mut frames, degrees);
            let solution = solve(&head, &frames, &settings);
            let wrong = error(&solution, of);
            assert!(wrong < 1e-4, "{what}, {degrees}°: {wrong}");
            let left = solution.residuals.iter().flatten().map(|it| it.largest_mm).fold(0.0, f32::max);
            assert!(left < 1e-3, "{what}, {degrees}°: {left} mm");
            for (frame, expected) in turns.into_iter().enumerate() {
                let found = solution.turns.get(frame).map_or(Quat::IDENTITY, |turn| turn.head.rotation());
                let found = if found.dot(expected) < 0.0 { -found } else { found };
                assert!((found - expected).length() < 1e-4, "{what}, {degrees}°, {frame}: {found}, not {expected}");
            }
            // Each frame alone, as a mesh that becomes a pose.
            for frame in [0, 5, head.channels.len() + 3] {
                let alone = solve(&head, &Recorded(vec![frames.0[frame].clone()]), &settings);
                let wrong = error(&alone, |_, channel| of(frame, channel));
                assert!(wrong < 1e-4, "{what}, {degrees}°, {frame} alone: {wrong}");
            }
        }
    }
}

#[test]
fn a_turned_mask_is_solved_with_gaps_and_round_the_corners_of_in_betweens() {
    let head = mask();
    let mut frames = recorded(&head, 20, value);
    turned(&head, &mut frames, 25.0);
    for (frame, positions) in frames.0.iter_mut().enumerate() {
        positions.iter_mut().skip(frame % 3).step_by(3).for_each(|at| at.x = f32::NAN);
    }
    let solution = solve(&head, &frames, &SolveSettings::default());
    let wrong = error(&solution, value);
    assert!(wrong < 1e-4 && solution.with_gaps == 20, "{wrong}");

    let mut mesh = mask().meshes[0].clone();
    for (target, corner) in [(0, 0.5), (3, 0.25)] {
        let own = &mesh.targets[target];
        let mut dense = vec![Vec3::ZERO; mesh.vertices.len()];
        own.rows
            .iter()
            .zip(&own.positions)
            .for_each(|(&row, delta)| dense[row as usize] = *delta * corner + delta.zxy() * 0.3);
        let in_between = InBetween::from_dense(String::new(), corner, &dense, &[], &[]);
        assert!(mesh.targets[target].set_in_betweens(vec![in_between]).is_empty());
    }
    let head = Head::new(Asset { meshes: vec![mesh], ..Asset::default() });
    let mut frames = recorded(&head, 30, value);
    turned(&head, &mut frames, 25.0);
    let wrong = error(&solve(&head, &frames, &SolveSettings::default()), value);
    assert!(wrong < 1e-4, "{wrong}");
}

/// Speech of a model that is tracked with noise: no frame has more left than the noise, and none leaves those beside
/// it.
#[test]
fn a_tracked_sequence_of_which_no_vertex_is_still_is_consistent_over_time() {
    let head = model();
    let of = |frame: usize, channel: usize| {
        1.6 * (frame as f32 * 0.12 * (1.0 + 0.2 * (channel % 5) as f32) + channel as f32 * 1.7).sin()
    };
    let mut frames = recorded(&head, 60, of);
    let (noise, mut left) = (0.1 / head.mm_per_unit(), Vec::new());
    for (frame, positions) in frames.0.iter_mut().enumerate() {
        let rotation = Turn { yaw: 0.4 * (frame as f32 * 0.1).sin(), pitch: 0.1, roll: -0.2 }.rotation();
        let mut sum = 0.0;
        for (vertex, at) in positions.iter_mut().enumerate() {
            let number = |axis: u64| random::signed(frame as u32 + 40, vertex as u64 * 3 + axis);
            let by = Vec3::new(number(0), number(1), number(2)) * noise;
            sum += by.length_squared();
            *at = rotation * (*at - head.neck) + head.neck + by;
        }
        left.push((sum / positions.len() as f32).sqrt() * head.mm_per_unit());
    }
    let settings = SolveSettings { bounds: [-2.0, 2.0], ..SolveSettings::default() };
    let plain = solve(&head, &frames, &settings);
    for (frame, residual) in plain.residuals.iter().enumerate() {
        assert!(residual.unwrap().rms_mm < left[frame], "{frame}: {residual:?}, {}", left[frame]);
    }
    let wrong = error(&plain, of);
    assert!(wrong < 0.05, "{wrong}");
    let changes = |solution: &Solution| -> f32 {
        let pairs = (1..60).map(|frame| solution.frame(frame).iter().zip(solution.frame(frame - 1)));
        pairs.flat_map(|pair| pair.map(|(a, b)| (a - b).abs())).sum()
    };
    let smooth = solve(&head, &frames, &SolveSettings { temporal_mm2: 0.1, ..settings });
    assert!(changes(&smooth) < changes(&plain), "{} {}", changes(&smooth), changes(&plain));
}

#[test]
fn noise_of_a_tenth_of_a_millimetre_changes_little() {
    let head = head();
    let mut frames = recorded(&head, 24, value);
    let noise = 0.1 / head.mm_per_unit();
    for (frame, positions) in frames.0.iter_mut().enumerate() {
        for (vertex, at) in positions.iter_mut().enumerate() {
            let number = |axis: u64| random::signed(frame as u32, vertex as u64 * 3 + axis) * 3.0_f32.sqrt();
            *at += Vec3::new(number(0), number(1), number(2)) * noise;
        }
    }
    let solution = solve(&head, &frames, &SolveSettings::default());
    let (mut sum, mut count) = (0.0, 0);
    for frame in 0..24 {
        for (value_found, &channel) in solution.frame(frame).iter().zip(&solution.channels) {
            sum += (value_found - value(frame, channel)).powi(2);
            count += 1;
        }
    }
    let rms = (sum / count as f32).sqrt();
    assert!(rms < 0.02, "{rms}");
    let residual = solution.residuals[0].unwrap();
    assert!((0.1..0.2).contains(&residual.rms_mm), "{residual:?}");
}

#[test]
fn in_betweens_are_followed_round_their_corners() {
    let mut mesh = ball(&NAMES, false);
    let bulge = |mesh: &Mesh, target: usize, by: f32| -> Vec<Vec3> {
        let mut dense = vec![Vec3::ZERO; mesh.vertices.len()];
        let own = &mesh.targets[target];
        own.rows
            .iter()
            .zip(&own.positions)
            .for_each(|(&row, delta)| dense[row as usize] = *delta * by + delta.zxy() * 0.4);
        dense
    };
    for (target, corners) in [(0, &[0.5][..]), (4, &[0.25, 0.75]), (5, &[-0.5, 0.5, 1.5])] {
        let in_between = |&at: &f32| InBetween::from_dense(String::new(), at, &bulge(&mesh, target, at), &[], &[]);
        let in_betweens = corners.iter().map(in_between).collect();
        assert!(mesh.targets[target].set_in_betweens(in_betweens).is_empty());
    }
    let head = Head::new(Asset { meshes: vec![mesh], ..Asset::default() });
    // Cheeks go from below 0 to above 1.
    let of = |frame: usize, channel: usize| match channel {
        5 => value(frame, channel) * 2.0 - 0.5,
        _ => value(frame, channel),
    };
    let solution = solve(&head, &recorded(&head, 40, of), &SolveSettings::default());
    let error = error(&solution, of);
    assert!(error < 1e-4, "{error}");
}

#[test]
fn correctives_and_expressions_are_as_the_program_shows_them() {
    let driver = |name: &str| Driver { name: name.into(), full_weight: 1.0 };
    let correctives = vec![
        Corrective {
            target: "noseSneer".into(),
            drive: Drive::Combination(CombinationMethod::Product, vec![driver("jawOpen"), driver("mouthPucker")]),
        },
        Corrective { target: "cheekPuff".into(), drive: Drive::InBetween { of: "browInnerUp".into(), at: 0.5 } },
    ];
    let head =
        Head::new(Asset { meshes: vec![ball(&NAMES, false)], declared_correctives: correctives, ..Asset::default() });
    let solution = solve(&head, &recorded(&head, 40, value), &SolveSettings::default());
    assert_eq!(solution.channels, [0, 1, 2, 3, 4, 6], "what follows others is not solved for");
    let wrong = error(&solution, value);
    assert!(wrong < 1e-4, "{wrong}");

    let bind = |target: usize, weight: f32| smirk_face::head::Bind { target, weight };
    let expression =
        |name: &str, preset, binds| Expression { name: name.into(), preset, binds, ..Expression::default() };
    let mut happy = expression("happy", Some(Preset::Happy), vec![bind(1, 0.7), bind(2, 0.7)]);
    happy.override_blink = Override::Blend;
    let binary = Expression { is_binary: true, ..expression("on", None, vec![bind(7, 1.0)]) };
    let expressions = vec![
        happy,
        expression("aa", Some(Preset::Aa), vec![bind(0, 0.5)]),
        expression("blink", Some(Preset::Blink), vec![bind(4, 1.0)]),
        binary,
    ];
    let head = Head::new(Asset { meshes: vec![ball(&NAMES, false)], expressions, ..Asset::default() });
    let of = |frame: usize, channel: usize| match channel {
        8 => value(frame, channel) * 0.9,
        9 | 10 => value(frame, channel),
        _ => 0.0,
    };
    let settings = SolveSettings { channels: SolvedChannels::Expressions, ..SolveSettings::default() };
    let solution = solve(&head, &recorded(&head, 30, of), &settings);
    assert_eq!(solution.channels, [8, 9, 10]);
    let error = error(&solution, of);
    assert!(error < 1e-4, "{error}");
}

#[test]
fn what_cannot_be_known_is_named() {
    let mut mesh = ball(&NAMES, false);
    let sum = {
        let mut dense = vec![Vec3::ZERO; mesh.vertices.len()];
        for (target, weight) in [(1, 0.5), (2, 0.5)] {
            let own = &mesh.targets[target];
            own.rows.iter().zip(&own.positions).for_each(|(&row, delta)| dense[row as usize] += *delta * weight);
        }
        Target::from_dense("smile".into(), 0.0, &dense, &[], &[])
    };
    let empty = Target { name: "nothing".into(), ..Target::default() };
    mesh.targets.extend([sum, empty]);
    let head = Head::new(Asset { meshes: vec![mesh], ..Asset::default() });
    let (matched, settings) = (in_order(&head), SolveSettings::default());
    let solver = Solver::new(&head, &matched, &settings, Progress::NONE).unwrap();
    assert_eq!(channel_names(&head, &solver.unmoved), "nothing");
    let dependent: Vec<String> = solver.dependent.iter().map(|it| it.in_words(&head)).collect();
    assert_eq!(dependent, ["smile moves as 0.5 × mouthSmileLeft + 0.5 × mouthSmileRight"]);
    let of = |frame: usize, channel: usize| if channel < 8 { value(frame, channel) } else { 0.0 };
    let solution = solver.solve(&recorded(&head, 9, of), Progress::NONE).unwrap();
    let residual = solution.residuals.iter().flatten().map(|it| it.largest_mm).fold(0.0, f32::max);
    assert!(residual < 1e-2, "{residual}");
}

#[test]
fn frames_without_a_face_are_bridged_and_gaps_in_one_are_passed_over() {
    let head = head();
    let mut frames = recorded(&head, 12, value);
    frames.0[3] = Vec::new();
    frames.0[4].iter_mut().for_each(|at| *at = Vec3::NAN);
    frames.0[7].iter_mut().step_by(3).for_each(|at| at.x = f32::INFINITY);
    for at in frames.0[11].iter_mut().skip(30) {
        *at = Vec3::NAN;
    }
    let solution = solve(&head, &frames, &SolveSettings::default());
    let unread: Vec<usize> = solution.unread.iter().map(|(frame, _)| *frame).collect();
    assert_eq!((unread, solution.with_gaps), (vec![3, 4, 11], 1));
    let is_read = |frame: usize| ![3, 4, 11].contains(&frame);
    let wrong = error(&solution, |frame, channel| match is_read(frame) {
        true => value(frame, channel),
        false => solution.frame(frame)[channel],
    });
    assert!(wrong < 1e-4, "{wrong}");
    let between = |part: f32| value(2, 0) + (value(5, 0) - value(2, 0)) * part;
    assert!((solution.frame(3)[0] - between(1.0 / 3.0)).abs() < 1e-4);
    assert!((solution.frame(4)[0] - between(2.0 / 3.0)).abs() < 1e-4);
    assert_eq!(solution.frame(11), solution.frame(10));
    let none = solve(&head, &Recorded(vec![Vec::new(); 3]), &SolveSettings::default());
    assert!(none.values.iter().all(|value| *value == 0.0) && none.unread.len() == 3);
    assert_eq!(solve(&head, &Recorded(Vec::new()), &SolveSettings::default()).frame_count(), 0);
}

#[test]
fn what_the_head_lacks_is_measured_and_shown() {
    let with = |names: &[&str]| Head::new(Asset { meshes: vec![ball(names, false)], ..Asset::default() });
    let (head, more) = (with(&NAMES[..7]), with(&NAMES));
    let of = |frame: usize, channel: usize| if channel == 7 { frame as f32 / 9.0 } else { 0.3 };
    let solution = solve(&head, &recorded(&more, 10, of), &SolveSettings::default());
    let lacking = solution.lacking.as_ref().unwrap();
    assert!(lacking.share > 0.9 && lacking.frame == 9, "{lacking:?}");
    let worst = solution.residuals[9].unwrap();
    assert!(worst.largest_mm > 1.0 && (lacking.largest_mm / worst.largest_mm - 1.0).abs() < 0.05, "{worst:?}");
    assert_eq!(solution.beyond(worst.largest_mm * 0.95), [9]);
    let moved = &more.meshes[0].targets[7];
    assert!(moved.rows.contains(&(worst.vertex as u32)), "where the missing shape is");
}

#[test]
fn regularised_solutions_are_smaller_smoother_and_sparser() {
    let head = head();
    let mut frames = recorded(&head, 33, |_, channel| if channel < 2 { 0.6 } else { 0.0 });
    for (frame, positions) in frames.0.iter_mut().enumerate() {
        for (vertex, at) in positions.iter_mut().enumerate() {
            let number = |axis: u64| random::signed(frame as u32, vertex as u64 * 3 + axis);
            *at += Vec3::new(number(0), number(1), number(2)) * 1e-3;
        }
    }
    let plain = solve(&head, &frames, &SolveSettings::default());
    let changes = |solution: &Solution| -> f32 {
        (1..33)
            .map(|frame| {
                solution.frame(frame).iter().zip(solution.frame(frame - 1)).map(|(a, b)| (a - b).abs()).sum::<f32>()
            })
            .sum()
    };
    let smooth = solve(&head, &frames, &SolveSettings { temporal_mm2: 100.0, ..SolveSettings::default() });
    assert!(changes(&smooth) < 0.2 * changes(&plain), "{} {}", changes(&smooth), changes(&plain));
    assert!(smooth.residuals[5].unwrap().rms_mm > 0.0);
    let small = solve(&head, &frames, &SolveSettings { ridge_mm2: 1.0, ..SolveSettings::default() });
    assert!(small.values.iter().sum::<f32>() < plain.values.iter().sum::<f32>());
    let sparse = solve(&head, &frames, &SolveSettings { sparse_mm2: 0.05, ..SolveSettings::default() });
    let zeros = |solution: &Solution| solution.values.iter().filter(|value| **value == 0.0).count();
    assert!(zeros(&sparse) > zeros(&plain), "{} {}", zeros(&sparse), zeros(&plain));
}

#[test]
fn sides_can_be_tied_and_channels_and_bounds_chosen() {
    let head = head();
    let frames = recorded(&head, 10, value);
    let tied = solve(&head, &frames, &SolveSettings { ties_sides: true, ..SolveSettings::default() });
    assert!((0..10).all(|frame| tied.frame(frame)[1] == tied.frame(frame)[2]));
    let chosen = SolvedChannels::Chosen(vec![6, 0]);
    let some =
        solve(&head, &frames, &SolveSettings { channels: chosen, bounds: [0.25, 0.5], ..SolveSettings::default() });
    assert_eq!(some.channels, [0, 6]);
    assert!(some.values.iter().all(|value| (0.25..=0.5).contains(value)));
    let weights = vec![(Region::Mouth, 10.0)];
    let exact = solve(&head, &frames, &SolveSettings { region_weights: weights, ..SolveSettings::default() });
    assert!(error(&exact, value) < 1e-4, "weights change nothing where all is exact");
}

#[test]
fn it_can_be_cancelled_and_the_number_of_cores_changes_nothing() {
    let head = head();
    let frames = recorded(&head, 50, value);
    let (matched, settings) = (in_order(&head), SolveSettings { temporal_mm2: 0.01, ..SolveSettings::default() });
    let solver = Solver::new(&head, &matched, &settings, Progress::NONE).unwrap();
    let stop = |_: &str, fraction: f32| if fraction < 0.3 { Ok(()) } else { Err(Cancelled) };
    assert_eq!(solver.solve(&frames, Progress::new(&stop)), Err(Cancelled));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solver.solve(&frames, Progress::NONE).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_cache_of_something_else_is_refused() {
    let head = head();
    let nothing = MatchedPoints { of_vertices: vec![vec![None; 600]], head_from_frames: Mat4::IDENTITY };
    let refused = Solver::new(&head, &nothing, &SolveSettings::default(), Progress::NONE).unwrap_err().to_string();
    assert!(refused.contains("only 0 of the 600 vertices"), "{refused}");
    let still = Head::new(Asset { meshes: vec![ball(&[], false)], ..Asset::default() });
    let matched = in_order(&still);
    let refused = Solver::new(&still, &matched, &SolveSettings::default(), Progress::NONE).unwrap_err().to_string();
    assert!(refused.contains("no channel"), "{refused}");
}

#[test]
fn a_mapping_is_fitted_to_a_head_that_moves_otherwise() {
    use std::sync::Arc;

    use smirk_face::head::{MatchedMesh, Version};
    use smirk_face::motion::DrivenChannel;
    let this = Arc::new(head());
    let mut mesh = ball(&NAMES[..3], false);
    // A smile that is both sides in part, and one that the head has not.
    let mut dense = vec![Vec3::ZERO; mesh.vertices.len()];
    for (target, weight) in [(1, 0.7), (2, 0.4)] {
        let own = &mesh.targets[target];
        own.rows.iter().zip(&own.positions).for_each(|(&row, delta)| dense[row as usize] += *delta * weight);
    }
    mesh.targets[2] = Target::from_dense("smirk".into(), 0.0, &dense, &[], &[]);
    mesh.targets[0].positions.iter_mut().for_each(|delta| *delta *= 0.5);
    let other = Arc::new(Head::new(Asset { meshes: vec![mesh], ..Asset::default() }));
    let (meshes, back) = (MatchedMesh::in_order(&this, &other), MatchedMesh::in_order(&other, &this));
    let version = Version::new(&this, other, meshes, back);
    let fitted = fit_mapping(&this, &version, |_| true, Progress::NONE).unwrap();
    let driven = |channel: &str, weight: f32| DrivenChannel { channel: channel.into(), weight: Some(weight) };
    let found: Vec<(&str, &[DrivenChannel])> =
        fitted.map.columns.iter().map(|column| (column.column.as_str(), &column.channels[..])).collect();
    assert_eq!(
        found,
        [
            ("jawOpen", &[driven("jawOpen", 0.5)][..]),
            ("mouthSmileLeft", &[driven("mouthSmileLeft", 1.0)]),
            ("smirk", &[driven("mouthSmileLeft", 0.7), driven("mouthSmileRight", 0.4)]),
        ]
    );
    assert!(fitted.left_mm.iter().all(|left| left[1] < 0.05), "{:?}", fitted.left_in_words());
    let smirk = fit_mapping(&this, &version, |name| name == "smirk", Progress::NONE).unwrap();
    assert_eq!((&smirk.map.columns[..], &smirk.left_mm[..]), (&fitted.map.columns[2..], &fitted.left_mm[2..]));
}
