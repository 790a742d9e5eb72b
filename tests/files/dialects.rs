//! Names of movements in all dialects: what a capture with the names of one reaches on a head with those of another.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use smirk_face::head::{ARKIT_NAMES, Asset, Curve, Head, Interpolation, Mesh, Target, Vertices};
use smirk_face::motion::{BoundStack, ColumnMatching, Layer, MatchKind, Moment, Sliders, Take, TakeMap};
use smirk_files::import::open_takes;
use smirk_support::test_files::real_heads;

/// The dialects of the table: the name of the column, the name in the documentation, and how a left and a right side are written; none
/// where the names of the table are all.
const DIALECTS: [(&str, &str, Option<[&str; 2]>); 14] = [
    ("arkit", "ARKit", None),
    ("faceshift", "faceshift", Some(["_L", "_R"])),
    ("facs", "FACS", Some(["_L", "_R"])),
    ("metahuman", "MetaHuman", Some(["L", "R"])),
    ("unified", "Unified", Some(["Left", "Right"])),
    ("sranipal", "SRanipal", Some(["_Left", "_Right"])),
    ("character_creator", "CC", Some(["_L", "_R"])),
    ("vrm", "VRM", None),
    ("vroid", "VRoid", None),
    ("mmd", "MMD", None),
    ("viseme", "visemes", None),
    ("daz", "Daz", Some(["L", "R"])),
    ("meta", "Meta", Some(["L", "R"])),
    ("mb_lab", "MB-Lab", Some(["L", "R"])),
];

/// The names of a dialect: of every movement its first name, on both sides where ARKit has the movement on both.
fn names(dialect: &str, sides: Option<[&str; 2]>) -> Vec<String> {
    if dialect == "arkit" {
        return ARKIT_NAMES.map(str::to_owned).to_vec();
    }
    let table =
        std::fs::read_to_string(smirk_support::repository().join("src/face/head/channel/dialects.csv")).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let column = lines.next().unwrap().split(',').position(|name| name == dialect).unwrap();
    let mut names = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let first = fields[column].split('|').next().unwrap_or_default();
        let has_sides = ARKIT_NAMES.contains(&format!("{}Left", fields[0]).as_str());
        for name in first.split('+').filter(|name| !name.is_empty()) {
            match sides.filter(|_| has_sides && !name.ends_with(['L', 'R'])) {
                Some(sides) => names.extend(sides.map(|side| format!("{name}{side}"))),
                None => names.push(name.to_owned()),
            }
        }
    }
    names
}

/// A head with a target of each name.
fn head(names: &[String]) -> Head {
    let target = |name: &String| Target::from_dense(name.clone(), 0.0, &[Vec3::X; 3], &[], &[]);
    let vertices =
        Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], normals: vec![Vec3::Z; 3], ..Vertices::default() };
    let mesh =
        Mesh { vertices, indices: vec![0, 1, 2], targets: names.iter().map(target).collect(), ..Mesh::default() };
    Head::new(Asset { meshes: vec![mesh], ..Asset::default() })
}

fn map_of(columns: &[String], head: &Head) -> TakeMap {
    ColumnMatching::default().map_of(columns.iter().map(String::as_str), head)
}

/// The number of columns that drive their own movement, that drive another one or a whole, and that drive nothing.
fn reached(columns: &[String], head: &Head) -> [usize; 3] {
    let mut counts = [0; 3];
    for column in &map_of(columns, head).columns {
        let kind = MatchKind::for_column(column, head);
        counts[kind.map_or(2, |kind| usize::from(kind.is_approximate()))] += 1;
    }
    counts
}

#[test]
fn the_table_of_pairs_in_the_documentation_is_what_is_reached() {
    let cell = |text: String, name: &str| format!("{text:>width$}", width = name.len().max(5) + 2);
    let mut table =
        format!("{:<15}{}\n", "from \\ to", DIALECTS.map(|(_, name, _)| cell(name.to_owned(), name)).concat());
    for (from, name, sides) in DIALECTS {
        let columns = names(from, sides);
        let cells = DIALECTS.map(|(to, name, sides)| {
            let [exact, nearest, _] = reached(&columns, &head(&names(to, sides)));
            cell(if nearest == 0 { exact.to_string() } else { format!("{exact}+{nearest}") }, name)
        });
        table += &format!("{:<15}{}\n", format!("{name} ({})", columns.len()), cells.concat());
    }
    let page = std::fs::read_to_string(smirk_support::repository().join("docs/dialects.md")).unwrap();
    assert!(page.contains(&table), "docs/dialects.md needs this table:\n{table}");
}

#[test]
fn every_dialect_reaches_itself_whatever_its_names_have_in_common() {
    type Scheme = fn(usize, &str) -> String;
    let schemes: [(&str, Scheme); 6] = [
        ("in front", |_, name| format!("head__{name}")),
        ("behind", |_, name| format!("{name}_Mesh")),
        ("numbers", |at, name| format!("A{at:02}_{name}")),
        ("copies", |_, name| format!("{name}.001")),
        ("brackets", |_, name| format!("[Face] {name}")),
        ("a path", |_, name| format!("Rig/Face/{name}")),
    ];
    for (dialect, _, sides) in DIALECTS {
        let columns = names(dialect, sides);
        let plain = reached(&columns, &head(&columns));
        assert_eq!(plain, [columns.len(), 0, 0], "{dialect}");
        for (scheme, named) in schemes {
            let targets: Vec<String> = columns.iter().enumerate().map(|(at, name)| named(at, name)).collect();
            let map = map_of(&columns, &head(&targets));
            let wrong: BTreeMap<&str, Vec<&str>> = map
                .columns
                .iter()
                .zip(&targets)
                .filter(|(column, target)| column.channels.iter().all(|drive| drive.channel != **target))
                .map(|(column, _)| {
                    (column.column.as_str(), column.channels.iter().map(|drive| drive.channel.as_str()).collect())
                })
                .collect();
            assert!(wrong.is_empty(), "{dialect}, {scheme}: {wrong:?}");
        }
    }
}

/// The value of every channel of a head at every frame of a take.
fn played(take: &Take, head: &Arc<Head>) -> Vec<Vec<f32>> {
    let map = map_of(&take.column_names().map(str::to_owned).collect::<Vec<_>>(), head);
    let sources = vec![(Layer::Take, Arc::new(take.clone()).source(head, &map, false))];
    let stack = BoundStack::new(head, sources, Sliders::at_rest(head, head.default_weights()));
    let times = take.tracks[0].times().iter();
    times.map(|&timeline_secs| stack.mix(&Moment { timeline_secs, ..Moment::default() }, &[]).weights).collect()
}

/// A take of what a head shows at the times of another one.
fn retaken(shown: &[Vec<f32>], head: &Head, times: &[f32]) -> Take {
    let curve = Curve::new(Interpolation::Linear, times.to_vec(), shown.concat(), head.channels.len()).unwrap();
    Take::of_curve(head.channels.iter().map(|channel| channel.name.clone()), curve)
}

/// The root mean square of the difference of each channel.
fn rms(shown: &[Vec<f32>], wanted: &[Vec<f32>]) -> Vec<f64> {
    let squares = |channel: usize| {
        let frames = shown.iter().zip(wanted);
        frames.map(|(shown, wanted)| f64::from(shown[channel] - wanted[channel]).powi(2)).sum::<f64>()
    };
    (0..shown[0].len()).map(|channel| (squares(channel) / shown.len() as f64).sqrt()).collect()
}

#[test]
fn the_losses_of_round_trips_in_the_documentation_are_those_of_a_real_take() {
    let Some(folder) = real_heads() else { return };
    let take = open_takes(&folder.join("mocap/MySlate_161_iPhone_cal.csv")).unwrap().remove(0);
    let arkit: Arc<Head> = head(&names("arkit", None)).into();
    let (own, times) = (played(&take, &arkit), take.tracks[0].times().to_vec());
    let mut table = String::from("through    ARKit to it  it to ARKit  RMS of 52  largest\n");
    let mut lost = String::new();
    for (dialect, name, sides) in DIALECTS.into_iter().filter(|(id, ..)| ["meta", "sranipal", "unified"].contains(id)) {
        let columns = names(dialect, sides);
        let other: Arc<Head> = head(&columns).into();
        let there = [reached(&names("arkit", None), &other), reached(&columns, &arkit)];
        let [there, back] = there.map(|[exact, nearest, _]| format!("{exact}+{nearest}"));
        let shown = played(&take, &other);
        let again = played(&retaken(&shown, &other, &times), &arkit);
        let off = rms(&again, &own);
        let all = (off.iter().map(|off| off * off).sum::<f64>() / off.len() as f64).sqrt();
        let largest = off.iter().copied().fold(0.0, f64::max);
        table += &format!("{name:<11}{there:>11}  {back:>11}  {all:>9.4}  {largest:>7.4}\n");
        let mut named: Vec<(f64, &str)> = off.iter().copied().zip(ARKIT_NAMES).filter(|(off, _)| *off > 0.01).collect();
        named.sort_by(|a, b| b.0.total_cmp(&a.0));
        let named: Vec<String> = named.iter().map(|(off, name)| format!("{name} {off:.3}")).collect();
        lost += &format!("{name}: {}\n", if named.is_empty() { "none".to_owned() } else { named.join(", ") });
    }
    let page = std::fs::read_to_string(smirk_support::repository().join("docs/dialects.md")).unwrap();
    assert!(page.contains(&(table.clone() + "\n" + &lost)), "docs/dialects.md needs this table:\n{table}\n{lost}");
}

/// The names of figures of Daz and of MB-Lab, and the shapes of ARKit that they have.
#[test]
fn genesis_and_mb_lab_are_reached_in_all_that_they_have() {
    let lower = |names: &str, sides: bool| -> Vec<String> {
        let parts = |name: &str| match sides && !name.ends_with(['t', 'd']) {
            true => vec![format!("{name}Left"), format!("{name}Right")],
            false => vec![name.to_owned()],
        };
        names.split(' ').flat_map(parts).collect()
    };
    let genesis_8_1 = "facs_jnt_JawOpen facs_jnt_JawForward facs_jnt_JawLeft facs_jnt_JawRight facs_bs_MouthFunnel_div2 \
        facs_bs_MouthPucker_div2 facs_bs_MouthLeft_div2 facs_bs_MouthRight_div2 facs_bs_MouthRollUpper_div2 \
        facs_bs_MouthRollLower_div2 facs_bs_MouthShrugUpper_div2 facs_bs_MouthShrugLower_div2 facs_bs_MouthClose_div2 \
        facs_bs_MouthSmileLeft_div2 facs_bs_MouthSmileRight_div2 facs_ctrl_BrowInnerUp facs_ctrl_CheekPuff \
        facs_bs_CheekSquintLeft_div2 facs_bs_NoseSneerRight_div2 facs_jnt_EyeBlinkLeft facs_bs_EyeLookInLeft_div2 \
        facs_jnt_EyesWideLeft facs_bs_TongueOut";
    let genesis_9 = "facs_bs_MouthPurseLower facs_bs_MouthPurseUpper facs_bs_MouthFunnelLower facs_bs_MouthFunnelUpper \
        facs_bs_MouthCloseLower facs_bs_MouthCloseUpper facs_bs_MouthPressLower facs_bs_MouthPressUpper \
        facs_bs_MouthRollLower facs_bs_MouthRollUpper facs_bs_MouthShrugLower facs_bs_MouthShrugUpper \
        facs_bs_EyelidOpenUpper facs_bs_EyelidOpenLower facs_bs_CheekPuff facs_bs_BrowInnerUp";
    let mb_lab = "Expressions_browOutVertL_max Expressions_browOutVertR_max Expressions_browSqueezeL_max \
        Expressions_browSqueezeR_max Expressions_browsMidVert_max Expressions_cheekSneerL_max Expressions_cheekSneerR_max \
        Expressions_eyeClosedL_max Expressions_eyeClosedL_min Expressions_eyeClosedR_max Expressions_eyeClosedR_min \
        Expressions_eyeSquintL_max Expressions_eyeSquintR_max Expressions_jawHoriz_max Expressions_jawHoriz_min \
        Expressions_jawOut_max Expressions_mouthHoriz_max Expressions_mouthHoriz_min Expressions_mouthInflated_max \
        Expressions_mouthLowerOut_min Expressions_mouthOpenLarge_max Expressions_mouthOpenLarge_min \
        Expressions_mouthOpenO_max Expressions_mouthSmile_min Expressions_mouthSmileL_max \
        Expressions_mouthSmileR_max Expressions_tongueOut_max";
    let arkit = head(&names("arkit", None));
    for (what, columns, exact) in [
        ("Genesis 8.1", lower(genesis_8_1, false), 23),
        ("Genesis 9", lower(genesis_9, true), 32),
        ("MB-Lab", lower(mb_lab, false), 27),
    ] {
        let found = map_of(&columns, &arkit);
        let unmapped: Vec<&str> = found
            .columns
            .iter()
            .filter(|column| column.channels.is_empty())
            .map(|column| column.column.as_str())
            .collect();
        assert_eq!((unmapped.as_slice(), columns.len()), (&[""; 0][..], exact), "{what}");
        // And a capture of ARKit's shapes drives every one of them.
        let figure = head(&columns);
        let map = map_of(&names("arkit", None), &figure);
        let driven: Vec<&str> =
            map.columns.iter().flat_map(|column| &column.channels).map(|drive| drive.channel.as_str()).collect();
        let still: Vec<&String> = columns.iter().filter(|name| !driven.contains(&name.as_str())).collect();
        assert!(still.is_empty(), "{what}: {still:?}");
    }
}

/// Names of shapes of real figures (animate1978/MB-Lab, a head of Character Creator 4, Diffeomorphic's Genesis 9).
#[test]
fn of_similar_names_a_capture_drives_those_that_it_means() {
    let mb_lab = "Expressions_eyeClosedL_max Expressions_eyeClosedL_min Expressions_eyeClosedPressureL_max \
        Expressions_eyeClosedPressureL_min Expressions_eyeSquintL_max Expressions_tongueOut_max Expressions_tongueOut_min \
        Expressions_tongueOutPressure_max Expressions_mouthOpenAggr_max Expressions_mouthOpen_max";
    let character_creator = "Mouth_Funnel_Up_L Mouth_Funnel_Up_R Mouth_Funnel_Down_L Mouth_Funnel_Down_R \
        Mouth_Pucker_Up_L Mouth_Pucker_Up_R Mouth_Pucker_Down_L Mouth_Pucker_Down_R Mouth_Up_Upper_L Mouth_Up Mouth_Down";
    let genesis_9 = "facs_ctrl_EyesBlink facs_ctrl_EyesSquint facs_ctrl_BrowUp facs_ctrl_EyeWide facs_ctrl_BrowDown";
    for (figure, column, driven) in [
        (mb_lab, "eyeBlinkLeft", "Expressions_eyeClosedL_max"),
        (mb_lab, "eyeWideLeft", "Expressions_eyeClosedL_min"),
        (mb_lab, "tongueOut", "Expressions_tongueOut_max"),
        (mb_lab, "jawOpen", "Expressions_mouthOpen_max"),
        (
            character_creator,
            "mouthFunnel",
            "Mouth_Funnel_Up_L Mouth_Funnel_Down_L Mouth_Funnel_Up_R Mouth_Funnel_Down_R",
        ),
        (
            character_creator,
            "mouthPucker",
            "Mouth_Pucker_Up_L Mouth_Pucker_Down_L Mouth_Pucker_Up_R Mouth_Pucker_Down_R",
        ),
        (character_creator, "mouthUpperUpLeft", "Mouth_Up_Upper_L"),
        (genesis_9, "eyeBlinkLeft", "facs_ctrl_EyesBlink"),
        (genesis_9, "eyeSquintRight", "facs_ctrl_EyesSquint"),
        (genesis_9, "browOuterUpLeft", "facs_ctrl_BrowUp"),
    ] {
        let figure: Vec<String> = figure.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let map = map_of(&[column.to_owned()], &head(&figure));
        let found: Vec<&str> = map.columns[0].channels.iter().map(|drive| drive.channel.as_str()).collect();
        assert_eq!(found, driven.split(' ').collect::<Vec<_>>(), "{column}");
    }
}

#[test]
fn brows_and_smiles_of_vroid_follow_a_capture() {
    let figure = head(&names("vroid", None));
    let map = map_of(&names("arkit", None), &figure);
    let drives = |column: &str| -> Vec<(&str, Option<f32>)> {
        let column = map.columns.iter().find(|other| other.column == column).unwrap();
        column.channels.iter().map(|drive| (drive.channel.as_str(), drive.weight)).collect()
    };
    assert_eq!(drives("browDownLeft"), [("Fcl_BRW_Angry", Some(0.4))]);
    assert_eq!(drives("mouthSmileLeft"), [("Fcl_MTH_Fun", Some(0.4))]);
    assert_eq!(drives("browInnerUp"), [("Fcl_BRW_Surprised", Some(0.3)), ("Fcl_BRW_Sorrow", Some(0.7))]);
}
