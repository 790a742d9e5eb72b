//! Names of movements in all dialects: what a capture with the names of one reaches on a head with those of another.

use std::collections::BTreeMap;

use glam::Vec3;
use smirk_face::head::{ARKIT_NAMES, Asset, Head, Mesh, Target, Vertices};
use smirk_face::motion::{ColumnMatching, MatchKind, TakeMap};

/// The dialects of the table: the name of the column, the name in the documentation, and how a left and a right side are written; none
/// where the names of the table are all.
const DIALECTS: [(&str, &str, Option<[&str; 2]>); 13] = [
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
