//! Meshes over time are solved into the weights that they were made with.

use std::f32::consts::PI;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use glam::{Quat, Vec3, Vec3Swizzles};
use smirk_analysis::measure::MeasuredHead;
use smirk_analysis::solve::SolveSettings;
use smirk_base::file_kind::Content;
use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_editor::document::Project;
use smirk_export::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationSettings, FrameSpan, MeshExport, MeshFormat,
    MeshSettings, OutputPath,
};
use smirk_face::head::{Curve, Head, Interpolation, Matching, Mesh, Part, Points, Target, Version, Vertices};
use smirk_face::motion::{FrameRate, Take, TakeColumn};
use smirk_files::import::{self, SolvedFrames};
use smirk_scene::{BlendMode, Heat, HeatAgainst, Look, Normals};
use smirk_session::{HeadSource, Session};
use smirk_support::synthetic::{self, Recipe};

/// The largest error of a weight.
const EXACT: f32 = 1e-4;
/// The same where points are missing: of jawLeft and jawRight, which nearly undo each other, less is known then.
const CLOSE: f32 = 1e-3;
const FRAMES: usize = 9;

fn bundled() -> Arc<Head> {
    static HEAD: LazyLock<Arc<Head>> = LazyLock::new(|| Arc::new(import::embedded().unwrap()));
    HEAD.clone()
}

/// The weight of a channel at a frame: at rest in the first, then some channels at once.
fn weight(frame: usize, channel: usize) -> f32 {
    let weight = random::signed(frame as u32, channel as u64);
    if frame == 0 || weight < 0.0 { 0.0 } else { weight.min(1.0) }
}

/// A take of these weights, in which the head turns if `turns`.
fn take(head: &Head, turns: bool) -> Take {
    let names = head.target_channels().iter().map(|channel| channel.full_name.clone());
    let names: Vec<String> = names.chain(turns.then(|| "HeadYaw".to_owned())).collect();
    let channels = head.target_channels().len();
    let value = |frame: usize, column: usize| match column < channels {
        true => weight(frame, column),
        false => 0.4 * (frame as f32 * PI / 4.0).sin(),
    };
    let values = (0..FRAMES).flat_map(|frame| (0..names.len()).map(move |column| (frame, column)));
    let values = values.map(|(frame, column)| value(frame, column)).collect();
    let times = (0..FRAMES).map(|frame| frame as f32 / 24.0).collect();
    let columns = names.iter().enumerate();
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(24.0),
        start_timecode: None,
        columns: columns.map(|(element, name)| TakeColumn { name: name.clone(), track: 0, element }).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, times, values, names.len()).unwrap()],
        body: None,
        duration_secs: (FRAMES - 1) as f32 / 24.0,
        notes: Vec::new(),
    }
}

fn session(head: &Arc<Head>, turns: bool) -> Session {
    let mut session = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    session.takes_mut().add(vec![take(head, turns)]);
    session
}

fn span() -> FrameSpan {
    FrameSpan::new(FrameRate::nearest(24.0), 0, FRAMES as i64 - 1).unwrap()
}

/// The frames of a take as meshes.
fn baked(session: &Session, path: &Path) {
    let format = MeshFormat::from_path(path).unwrap();
    let settings = MeshSettings { format, normals: Normals::Authored, only_visible: false, span: Some(span()) };
    MeshExport::new(session, settings, OutputPath::new(path)).unwrap().run(Progress::NONE).unwrap();
}

fn solve(head: &Head, path: &Path) -> Result<SolvedFrames, String> {
    let settings = SolveSettings::default();
    import::solve_frames(head, path, Matching::Auto, None, &settings, Progress::NONE).map_err(|it| it.to_string())
}

fn notes(solved: &SolvedFrames) -> String {
    solved.take.notes.iter().map(|note| format!("{note}\n")).collect()
}

/// The largest error of a weight in frames that are `meant`. jawLeft and jawRight of the bundled head undo each other but for a
/// thousandth, so that points in 32 bits tell their difference and hardly their sum: of these the difference counts.
fn error(solved: &SolvedFrames, meant: impl Fn(usize) -> bool) -> f32 {
    let solution = &solved.solution;
    let undone = ["jawLeft", "jawRight"].map(|name| bundled().channel_named(name));
    let of_frame = |frame: usize| {
        let off = |(&channel, value): (&usize, &f32)| (Some(channel), value - weight(frame, channel));
        let off: Vec<(Option<usize>, f32)> = solution.channels.iter().zip(solution.frame(frame)).map(off).collect();
        let [left, right] = undone.map(|channel| off.iter().find(|(of, _)| *of == channel).map_or(0.0, |it| it.1));
        let others = off.iter().filter(|(channel, _)| !undone.contains(channel)).map(|it| it.1);
        others.chain([left - right]).map(f32::abs).fold(0.0, f32::max)
    };
    (0..solution.frame_count()).filter(|&frame| meant(frame)).map(of_frame).fold(0.0, f32::max)
}

#[test]
fn what_is_exported_of_a_take_gives_the_take_back() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let session = session(&head, true);
    for name in ["a.pc2", "a.mdd", "obj/a.##.obj"] {
        std::fs::create_dir_all(folder.path().join("obj")).unwrap();
        let path = folder.path().join(name);
        baked(&session, &path);
        let paths = if name.contains('#') { vec![path.clone(), folder.path().join("obj")] } else { vec![path] };
        for path in paths {
            let solved = solve(&head, &path).unwrap();
            let wrong = error(&solved, |_| true);
            assert!(wrong < EXACT, "{}: {wrong}", path.display());
            let turns = &solved.solution.turns;
            for (frame, turn) in turns.iter().enumerate() {
                let expected = 0.4 * (frame as f32 * PI / 4.0).sin();
                assert!((turn.head.yaw - expected).abs() < 1e-3 && turn.head.pitch.abs() < 1e-3, "{name}: {turn:?}");
            }
            assert_eq!((turns.len(), solved.is_pose), (FRAMES, false), "{name}");
            let rate = if name == "a.mdd" { 24.0 } else { 30.0 };
            assert_eq!(solved.take.frames_per_sec, Some(rate), "{name}");
            assert!(solved.take.column_names().any(|column| column == "HeadYaw"));
        }
    }
}

#[test]
fn a_model_that_moves_and_one_mesh_alone_are_solved_too() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let session = session(&head, true);
    for format in [AnimationFormat::Gltf, AnimationFormat::Fbx] {
        let path = folder.path().join("moving").with_extension(format.file_kind().extension());
        let clip = AnimationClip::of_session(&session, span());
        let export = AnimationExport::new(vec![clip], AnimationSettings::new(format), OutputPath::new(&path));
        export.unwrap().run(Progress::NONE).unwrap();
        let solved = solve(&head, &path).unwrap();
        assert_eq!(solved.solution.frame_count(), FRAMES, "{format:?}");
        let wrong = error(&solved, |_| true);
        assert!(wrong < EXACT, "{format:?}: {wrong}");
    }
    for name in ["one.obj", "one.glb"] {
        let (path, mut session) = (folder.path().join(name), session.clone());
        session.seek(3.0 / 24.0);
        let format = MeshFormat::from_path(&path).unwrap();
        let settings = MeshSettings { format, normals: Normals::Authored, only_visible: false, span: None };
        MeshExport::new(&session, settings, OutputPath::new(&path)).unwrap().run(Progress::NONE).unwrap();
        let solved = solve(&head, &path).unwrap();
        assert!(solved.is_pose && solved.solution.frame_count() == 1, "{name}");
        let values = solved.solution.channels.iter().zip(solved.solution.frame(0));
        let wrong = values.map(|(&channel, value)| (value - weight(3, channel)).abs()).fold(0.0, f32::max);
        assert!(wrong < EXACT, "{name}: {wrong}");
    }
}

/// The positions of a cache, frame by frame.
fn positions(cache: &[u8]) -> Vec<Vec<Vec3>> {
    let number = |at: usize| i32::from_le_bytes(cache[at..at + 4].try_into().unwrap()) as usize;
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
    let position = |bytes: &[u8]| Vec3::new(float(&bytes[..4]), float(&bytes[4..8]), float(&bytes[8..]));
    cache[32..].chunks_exact(12 * number(16)).map(|frame| frame.chunks_exact(12).map(position).collect()).collect()
}

fn cache(frames: &[Vec<Vec3>]) -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend((frames.first().map_or(9, Vec::len) as i32).to_le_bytes());
    bytes.extend([0.0_f32, 1.0].into_iter().flat_map(f32::to_le_bytes));
    bytes.extend((frames.len() as i32).to_le_bytes());
    bytes.extend(frames.iter().flatten().flat_map(|at| at.to_array()).flat_map(f32::to_le_bytes));
    bytes
}

/// The bundled head's frames after a change, solved.
fn changed(turns: bool, change: impl FnOnce(&mut Vec<Vec<Vec3>>)) -> Result<SolvedFrames, String> {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let path: PathBuf = folder.path().join("a.pc2");
    baked(&session(&head, turns), &path);
    let mut frames = positions(&std::fs::read(&path).unwrap());
    change(&mut frames);
    std::fs::write(&path, cache(&frames)).unwrap();
    solve(&head, &path)
}

/// Puts the points of all frames into a random order, and keeps a part of them.
fn shuffle(frames: &mut [Vec<Vec3>], part: f32) {
    let mut order: Vec<usize> = (0..frames[0].len()).collect();
    order.sort_by_key(|&at| random::bits(7, at as u64));
    order.truncate((order.len() as f32 * part) as usize);
    frames.iter_mut().for_each(|frame| *frame = order.iter().map(|&at| frame[at]).collect());
}

#[test]
fn another_order_of_points_and_missing_ones_are_found_by_position() {
    for part in [1.0, 2.0 / 3.0] {
        let solved = changed(false, |frames| shuffle(frames, part)).unwrap();
        let wrong = error(&solved, |_| true);
        assert!(wrong < CLOSE, "{part}: {wrong}");
        assert!(notes(&solved).contains("matched by position"), "{}", notes(&solved));
    }
}

/// A mask of which no vertex is still: its jaw moves all of them, those of the chin farthest.
fn mask() -> Head {
    const SIDE: usize = 25;
    let along = |at: usize| at as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
    let position = |at: usize| {
        let (x, y) = (along(at % SIDE), along(at / SIDE));
        Vec3::new(0.075 * x, 0.11 * y, 0.07 * (1.0 - 0.8 * x * x - 0.4 * y * y))
    };
    let positions: Vec<Vec3> = (0..SIDE * SIDE).map(position).collect();
    let shape = |name: &str, delta: &dyn Fn(Vec3) -> Vec3| {
        Target::from_dense(name.into(), 0.0, &positions.iter().map(|at| delta(*at)).collect::<Vec<_>>(), &[], &[])
    };
    let jaw = |at: Vec3| Vec3::new(0.0, -0.06, -0.03) * (0.05 + 0.95 * ((0.02 - at.y) / 0.08).clamp(0.0, 1.0));
    let near = |at: Vec3, x: f32| (-(Vec3::new(x, -0.03, at.z).distance_squared(at)) / 8e-4).exp();
    let targets = vec![
        shape("jawOpen", &jaw),
        shape("mouthSmileLeft", &|at| Vec3::new(0.006, 0.012, -0.004) * near(at, 0.03)),
        shape("mouthSmileRight", &|at| Vec3::new(-0.006, 0.012, -0.004) * near(at, -0.03)),
        shape("jawForward", &|at| jaw(at).yzx() * 0.2),
    ];
    let corners = (0..(SIDE - 1) * SIDE).filter(|at| at % SIDE + 1 < SIDE);
    let quads = corners.flat_map(|at| [at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE]);
    let indices: Vec<u32> = quads.map(|at| at as u32).collect();
    let mesh = Mesh {
        name: "mask".into(),
        parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
        indices,
        targets,
        vertices: Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() },
        ..Mesh::default()
    };
    synthetic::head_of(vec![mesh])
}

#[test]
fn a_face_that_moves_far_as_a_whole_is_matched_in_order_and_solved_with_and_without_turns() {
    let (folder, head) = (tempfile::tempdir().unwrap(), mask());
    let points = Points::new(&head, &[0]);
    for weights in [[1.0, 0.0, 0.0, 0.0], [0.6, 0.5, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [2.0, 1.5, 0.3, 2.0]] {
        for degrees in [0.0_f32, 30.0] {
            let mut found = Vec::new();
            head.add_positions(&points, &weights, &head.rest_pose, &mut found);
            let turn = Quat::from_rotation_y(degrees.to_radians()) * Quat::from_rotation_x(0.5 * degrees.to_radians());
            found.iter_mut().for_each(|at| *at = turn * (*at - head.neck) + head.neck);
            let vertices = found.iter().map(|at| format!("v {} {} {}\n", at.x, at.y, at.z));
            let faces = head.meshes[0].indices.as_chunks::<3>().0.iter();
            let faces = faces.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
            std::fs::write(folder.path().join("a.obj"), vertices.chain(faces).collect::<String>()).unwrap();
            std::fs::write(folder.path().join("a.pc2"), cache(&[found])).unwrap();
            for name in ["a.obj", "a.pc2"] {
                for finds_motion in [true, false].into_iter().take(if degrees == 0.0 { 2 } else { 1 }) {
                    let settings = SolveSettings { bounds: [0.0, 2.0], finds_motion, ..SolveSettings::default() };
                    let path = folder.path().join(name);
                    let solved = import::solve_frames(&head, &path, Matching::Auto, None, &settings, Progress::NONE);
                    let solved = solved.unwrap();
                    let said = notes(&solved);
                    let what = format!("{name}, {weights:?}, {degrees}°: {said}");
                    assert!(["matched", "unit", "axes"].iter().all(|word| !said.contains(word)), "{what}");
                    let pairs = solved.solution.frame(0).iter().zip(weights);
                    let wrong = pairs.map(|(found, expected)| (found - expected).abs()).fold(0.0, f32::max);
                    assert!(wrong < EXACT, "{what}: {wrong}");
                }
            }
        }
    }
}

#[test]
fn other_units_and_axes_are_found_and_said() {
    type Change = fn(Vec3) -> Vec3;
    let changes: [(Change, &str); 4] = [
        (|at| at * 100.0, "its unit is smaller: 100 of it are 1 of the head"),
        (|at| at * 0.0254, "its unit is larger: 1 of it is 39.37 of the head"),
        (|at| Vec3::new(-at.x, at.y, at.z), "it is mirrored: x, y, z of the head are its −x, y, z"),
        (|at| Vec3::new(at.x, -at.z, at.y) * 1000.0, "its axes are others: x, y, z of the head are its x, z, −y"),
    ];
    for (change, words) in changes {
        let solved = changed(true, |frames| frames.iter_mut().flatten().for_each(|at| *at = change(*at))).unwrap();
        let wrong = error(&solved, |_| true);
        assert!(wrong < EXACT, "{words}: {wrong}");
        assert!(notes(&solved).contains(words), "{}", notes(&solved));
    }
    let both = changed(false, |frames| {
        frames.iter_mut().flatten().for_each(|at| *at = Vec3::new(at.x, -at.z, at.y) * 100.0);
        shuffle(frames, 1.0);
    });
    let solved = both.unwrap();
    assert!(error(&solved, |_| true) < CLOSE && notes(&solved).contains("its axes are others"), "{}", notes(&solved));
}

#[test]
fn frames_that_are_not_numbers_are_bridged_and_said() {
    let solved = changed(false, |frames| {
        frames[4].fill(Vec3::NAN);
        frames[6].iter_mut().step_by(5).for_each(|at| at.y = f32::NAN);
    });
    let solved = solved.unwrap();
    assert!(error(&solved, |frame| frame != 4) < EXACT);
    let notes = notes(&solved);
    assert!(notes.contains("frame 4: ") && notes.contains("1 have points that are not numbers"), "{notes}");
    let none = changed(false, |frames| frames.iter_mut().flatten().for_each(|at| *at = Vec3::NAN)).unwrap_err();
    assert!(none.contains("none of its 9 frames"), "{none}");
}

/// A movement that the head lacks, on some points, in some frames.
fn move_elsewhere(frames: &mut [Vec<Vec3>]) {
    for frame in &mut frames[5..8] {
        for (at, position) in frame.iter_mut().enumerate().filter(|(at, _)| at % 7 == 0) {
            position.x += 0.01 * random::signed(3, at as u64);
        }
    }
}

#[test]
fn one_point_far_away_neither_moves_the_face_nor_hides_what_the_rig_lacks() {
    let lacking = |solved: &SolvedFrames| solved.solution.lacking.clone().expect("a movement that the head lacks");
    let without = lacking(&changed(false, |frames| move_elsewhere(frames)).unwrap());
    for (far, frames_with_it) in [(1e20, 3..4), (1e20, 0..1), (-1e38, 0..FRAMES), (1e6, 6..7), (f32::INFINITY, 6..7)] {
        let solved = changed(false, |frames| {
            move_elsewhere(frames);
            frames[frames_with_it.clone()].iter_mut().for_each(|frame| frame[500].z = far);
        });
        let solved = solved.unwrap();
        assert!(error(&solved, |frame| frame < 5) < CLOSE, "{far} in {frames_with_it:?}");
        let lacking = lacking(&solved);
        assert!(
            (lacking.largest_mm - without.largest_mm).abs() < 0.05 * without.largest_mm,
            "{far}: {}",
            lacking.largest_mm
        );
        assert_eq!(lacking.frame, without.frame, "{far}");
        let said = format!("{} have points that are not numbers, or are far away", frames_with_it.len());
        assert!(notes(&solved).contains(&said), "{}", notes(&solved));
    }
}

/// Files with holes take no room on the disk, whatever size they have.
#[test]
fn caches_that_claim_more_than_the_memory_holds_are_refused() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let pc2 = |points: i32, frames: i32| {
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend([1, points].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend([0.0_f32, 1.0].into_iter().flat_map(f32::to_le_bytes));
        bytes.extend(frames.to_le_bytes());
        bytes
    };
    let mdd = |frames: i32, points: i32| [frames, points].map(i32::to_be_bytes).concat();
    for (name, bytes, size, words) in [
        ("points.pc2", pc2(i32::MAX, 1), 26_u64 << 30, "has 2147483647 points, more than the 16777216"),
        ("frames.pc2", pc2(1, i32::MAX), 26 << 30, "has 2147483647 frames, more than the 1000000"),
        ("frames.mdd", mdd(i32::MAX, 1), 100_000_000_000, "has 2147483647 frames, more than the 1000000"),
        ("long.mdd", mdd(1_000_000_000, 1), 10_000_000_000, "has 1000000000 frames"),
        ("points.mdd", mdd(1, i32::MAX), 26 << 30, "has 2147483647 points"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(size).unwrap();
        let refused = solve(&head, &path).unwrap_err();
        let is_clear = refused.starts_with(name) && refused.contains(words) && refused.lines().count() == 1;
        assert!(is_clear, "{refused}");
    }
    // A million frames of a few channels are fewer values than these.
    let (path, of_many_channels) = (folder.path().join("values.pc2"), synthetic::head(1, &[Recipe::new(30, 200)]));
    std::fs::write(&path, pc2(1, 400_000)).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_len(32 + 4_800_000).unwrap();
    let refused = solve(&of_many_channels, &path).unwrap_err();
    assert!(refused.contains("200 channels: more than 67108864 values together"), "{refused}");
    // What a header claims and the file does not have is cut off, as before.
    let path = folder.path().join("short.pc2");
    std::fs::write(&path, pc2(1, i32::MAX)).unwrap();
    assert!(solve(&head, &path).unwrap_err().contains("ends within its first frame"));
}

#[test]
fn what_is_no_cache_of_the_head_is_refused_in_a_line() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let refused = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let refused = solve(&head, &path).unwrap_err();
        assert!(refused.starts_with(name) && refused.lines().count() == 1, "{refused}");
        refused
    };
    let good = cache(&vec![vec![Vec3::ONE; 50]; 3]);
    assert!(refused("a.pc2", &[]).contains("ends within its header"));
    assert!(refused("a.pc2", &[&b"POINTCACHE3\0"[..], &good[12..]].concat()).contains("no Point Cache 2"));
    assert!(refused("a.pc2", &cache(&[])).contains("has no frames"));
    assert!(refused("a.pc2", &good[..100]).contains("its first frame of 50 points"));
    assert!(refused("a.pc2", &good).contains("its 50 points are not those of"));
    let mut other = good.clone();
    other[12] = 7;
    assert!(refused("a.pc2", &other).contains("version 7"));
    let mut many = good.clone();
    many[16..20].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(refused("a.pc2", &many).contains("ends within"));
    many[16..20].copy_from_slice(&(-1_i32).to_le_bytes());
    assert!(refused("a.pc2", &many).contains("-1 points"));
    assert!(refused("a.mdd", &[0, 0, 0]).contains("header"));
    assert!(refused("a.mdd", &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 9]).contains("the times of its 2147483647 frames"));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let refused = solve(&head, &folder.path().join("empty")).unwrap_err();
    assert!(refused.contains("a folder without .obj files"), "{refused}");
    let refused = solve(&head, &folder.path().join("face.##.obj")).unwrap_err();
    assert!(refused.contains("name of no file"), "{refused}");
    // As many points as the head has, of something else.
    let count = Points::new(&head, &(0..head.meshes.len()).collect::<Vec<_>>()).len();
    let noise = |at: usize| Vec3::from_array([0, 1, 2].map(|axis| random::signed(axis, at as u64)));
    let path = folder.path().join("noise.pc2");
    std::fs::write(&path, cache(&[(0..count).map(noise).collect()])).unwrap();
    let refused = solve(&head, &path).unwrap_err();
    assert!(refused.contains("are not those of"), "{refused}");
}

#[test]
fn a_cache_that_was_cut_off_and_an_obj_that_does_not_fit_leave_the_rest() {
    let (folder, head) = (tempfile::tempdir().unwrap(), Arc::new(synthetic::head(3, &[Recipe::new(300, 4)])));
    let session = session(&head, false);
    let path = folder.path().join("a.pc2");
    baked(&session, &path);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5000]).unwrap();
    let solved = solve(&head, &path).unwrap();
    assert!(notes(&solved).contains("7 of its 9 frames are there"), "{}", notes(&solved));
    assert!(error(&solved, |_| true) < EXACT);
    let path = folder.path().join("a.#.obj");
    baked(&session, &path);
    std::fs::write(folder.path().join("a.5.obj"), "v 0 0 0\n").unwrap();
    std::fs::write(folder.path().join("a.6.obj"), "v 0 x 0\n").unwrap();
    let solved = solve(&head, &path).unwrap();
    assert!(error(&solved, |frame| frame != 5 && frame != 6) < EXACT);
    std::fs::write(folder.path().join("a.7.obj"), "v 1 2 3\nv 0 0 0\n").unwrap();
    let said = notes(&solve(&head, &path).unwrap());
    assert!(said.contains("5, 7: the first has 1 vertices, and the first frame 300"), "{said}");
    assert!(said.contains("6: line 1: v has \"x\""), "{said}");
}

#[test]
fn recorded_frames_play_as_version_b_and_the_difference_is_what_is_left() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let mut session = session(&head, true);
    let path = folder.path().join("a.mdd");
    baked(&session, &path);
    let recorded = import::recorded_frames(&head, &path, None, Progress::NONE).unwrap();
    assert_eq!(recorded.times_secs.len(), FRAMES);
    let times = recorded.times_secs.clone();
    let version = Version::of_frames(&head, Arc::new(recorded.head), times);
    session.compare_with(Arc::new(version), HeadSource::File(path));
    session.clock.timeline.playing = false;
    let measured = MeasuredHead::new(&head);
    let heat = Heat { against: HeatAgainst::Compared, ..Heat::default() };
    let largest_mm = |session: &Session| {
        let values = heat.values(&head, &measured, &session.weights(), session.b().compared().as_ref()).unwrap();
        values.into_iter().flatten().filter(|value| !value.is_nan()).fold(0.0, f32::max)
    };
    for frame in [0, 3, 5] {
        session.seek(frame as f32 / 24.0);
        let b = session.b().scene([64; 2]).unwrap();
        let active: Vec<usize> = (0..b.weights.len()).filter(|&target| b.weights[target] > 0.99).collect();
        assert!(
            !active.is_empty()
                && active
                    .iter()
                    .all(|&target| b.head.meshes[b.head.mesh_of_target(target).unwrap()].targets[frame].name
                        == format!("frame {}", frame + 1))
        );
        // The head is turned in the frames too, which is no difference of the face.
        assert!(largest_mm(&session) < 0.02, "frame {frame}: {} mm", largest_mm(&session));
    }
    // A weight that the frames do not have shows where it moves the face.
    let jaw = head.channel_named("jawOpen").unwrap();
    session.channel_mut(jaw).set(weight(5, jaw) + 0.5);
    assert!(largest_mm(&session) > 5.0, "{} mm", largest_mm(&session));
}

#[test]
fn a_solved_take_is_in_a_project_with_what_is_left() {
    let (folder, head) = (tempfile::tempdir().unwrap(), bundled());
    let path = folder.path().join("a.mdd");
    baked(&session(&head, false), &path);
    let mut session = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.takes_mut().add_opened(vec![solve(&head, &path).unwrap().take_with_residual()], Content::Frames);
    let residual = session.take().unwrap().take.columns.last().unwrap().clone();
    assert_eq!(residual.name, "residual in mm");
    let project = serde_json::to_vec(&Project::from_session(&session)).unwrap();
    let file = folder.path().join("a.smirk");
    std::fs::write(&file, project).unwrap();
    let project = Project::read(&file).unwrap();
    let mut opened = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let takes = project.read_takes(&head);
    let notes = project.apply(&mut opened, &takes);
    assert!(notes.is_empty(), "{notes:?}");
    let [before, after] = [&session, &opened].map(|session| session.take().unwrap());
    assert!(after.is_solved && !after.is_missing());
    assert_eq!(before.take.columns, after.take.columns);
    assert_eq!(before.take.tracks, after.take.tracks);
    let recorded = (*after.take).clone();
    // The frames are gone: the take is missing, and everything that was made of it is kept.
    std::fs::remove_file(&path).unwrap();
    let takes = project.read_takes(&head);
    let notes = project.apply(&mut opened, &takes);
    assert!(notes.len() == 1 && opened.edits.takes[0].is_missing(), "{notes:?}");
    // A capture of that name takes its place, and is read as such from then on.
    let capture = Take { source: Some(folder.path().join("a.csv")), ..recorded };
    opened.takes_mut().add(vec![capture]);
    assert!(opened.edits.takes.len() == 1 && !opened.edits.takes[0].is_solved && !opened.edits.takes[0].is_missing());
}

#[test]
fn samples_of_a_cache_are_at_the_frames_that_it_says() {
    let (folder, head) = (tempfile::tempdir().unwrap(), Arc::new(synthetic::head(3, &[Recipe::new(300, 4)])));
    let path = folder.path().join("a.pc2");
    baked(&session(&head, false), &path);
    let bytes = std::fs::read(&path).unwrap();
    for (step, fps, rate, note) in [
        (1.0_f32, Some(24.0), 24.0, ""),
        (2.0, Some(24.0), 12.0, "a sample every 2 frames"),
        (0.5, Some(24.0), 48.0, "a sample every 0.5 frames"),
        (2.0, None, 15.0, "a sample every 2 frames"),
        (0.0, Some(24.0), 24.0, "a sample every 0 frames; taken as one for each frame"),
        (f32::NAN, Some(24.0), 24.0, "taken as one for each frame"),
        (-1.0, Some(24.0), 24.0, "taken as one for each frame"),
    ] {
        let mut bytes = bytes.clone();
        bytes[24..28].copy_from_slice(&step.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let settings = SolveSettings::default();
        let solved = import::solve_frames(&head, &path, Matching::Auto, fps, &settings, Progress::NONE).unwrap();
        assert!(notes(&solved).contains(note), "{step}: {}", notes(&solved));
        assert_eq!(solved.take.frames_per_sec, Some(rate), "{step}");
        let expected = (FRAMES - 1) as f32 / rate;
        assert!((solved.take.duration_secs - expected).abs() < 1e-5, "{step}: {} s", solved.take.duration_secs);
    }
}

#[test]
fn frames_that_are_missing_from_a_sequence_leave_the_others_at_their_times() {
    let (folder, head) = (tempfile::tempdir().unwrap(), Arc::new(synthetic::head(3, &[Recipe::new(300, 4)])));
    let path = folder.path().join("a.#.obj");
    baked(&session(&head, false), &path);
    for missing in [3, 4] {
        std::fs::remove_file(folder.path().join(format!("a.{missing}.obj"))).unwrap();
    }
    std::fs::write(folder.path().join("._a.5.obj"), [0; 9]).unwrap();
    std::fs::write(folder.path().join("a.6.obj"), "v 0 0 0\n").unwrap();
    let settings = SolveSettings::default();
    for frames in [folder.path(), &path] {
        let solved =
            import::solve_frames(&head, frames, Matching::Auto, Some(10.0), &settings, Progress::NONE).unwrap();
        let times: Vec<f32> = solved.take.tracks[0].times().iter().map(|secs| (secs * 10.0).round()).collect();
        assert_eq!(times, [0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 8.0]);
        let said = notes(&solved);
        assert!(said.contains("frame 2: followed by 2 missing frames; the others keep their times"), "{said}");
        assert!(said.contains("frame 6: has 1 vertices"), "by the number of the file: {said}");
    }
    let recorded = import::recorded_frames(&head, folder.path(), None, Progress::NONE).unwrap();
    assert_eq!(recorded.times_secs.len(), 6);
    let last = folder.path().join("a.7.obj");
    // The frames are solved before they are read again.
    let changed = import::recorded_frames(
        &head,
        folder.path(),
        None,
        Progress::new(&|stage, _| {
            if stage == "reading frames" {
                std::fs::write(&last, "v 0 0 0\n").unwrap();
            }
            Ok(())
        }),
    );
    let changed = changed.unwrap_err();
    assert!(changed.to_string().contains("a frame changed while the frames were read: has 1 vertices"), "{changed}");
    assert!(recorded.head.notes.iter().any(|note| note.message.contains("left out")), "{:?}", recorded.head.notes);
}
