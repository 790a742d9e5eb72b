//! The content of a contact sheet: cells with their names, in groups.

use glam::Mat4;

use crate::what_plays;
use smirk_session::Session;

#[derive(Clone, Debug, PartialEq)]
pub struct SheetCell {
    pub label: String,
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// The output of each expression of the head; empty at rest.
    pub expression_outputs: Vec<f32>,
}

impl SheetCell {
    fn at_rest(label: String, weights: Vec<f32>, expression_outputs: Vec<f32>) -> Self {
        Self { label, weights, world_from_nodes: Vec::new(), expression_outputs }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SheetContent {
    pub what: String,
    /// The cells in order. If the number of columns is even, every group begins in an even column, so that the two
    /// pictures of a pair are next to each other.
    pub groups: Vec<Vec<SheetCell>>,
}

impl SheetContent {
    /// The head at rest, then every channel alone at `weight`, pair by pair, with the blend rule of a session. A
    /// channel that a corrective drives is shown by its drivers.
    pub fn expressions(session: &Session, weight: f32) -> Self {
        let (head, bound) = (&session.head, session.bound());
        let rest = SheetCell::at_rest("rest".into(), bound.rest.clone(), Vec::new());
        let pairs = head.pairs.iter().map(|pair| {
            [Some(pair.first), pair.second]
                .into_iter()
                .flatten()
                .map(|channel| {
                    let mut weights = rest.weights.clone();
                    head.show_channel(channel, weight, &bound.silent_correctives, &mut weights);
                    let outputs = session.edits.rule.apply(head, &mut weights, &bound.silent_correctives);
                    SheetCell::at_rest(head.channels[channel].name.clone(), weights, outputs)
                })
                .collect()
        });
        let groups = std::iter::once(vec![rest.clone()]).chain(pairs).collect();
        Self { what: format!("{} expressions, each alone at weight {weight}", head.channels.len()), groups }
    }

    pub fn from_pictures(what: String, pictures: impl IntoIterator<Item = (String, Vec<f32>)>) -> Self {
        let cells = pictures.into_iter().map(|(label, weights)| SheetCell::at_rest(label, weights, Vec::new()));
        Self { what, groups: vec![cells.collect()] }
    }

    pub fn poses(session: &Session) -> Self {
        let cells: Vec<SheetCell> = session
            .edits
            .poses
            .iter()
            .map(|pose| {
                let mut weights = pose.weights_on(&session.head, &session.bound().rest);
                let rule = session.edits.rule;
                let outputs = rule.apply(&session.head, &mut weights, &session.bound().silent_correctives);
                SheetCell::at_rest(pose.name.clone(), weights, outputs)
            })
            .collect();
        Self { what: format!("{} poses", cells.len()), groups: vec![cells] }
    }

    pub const DEFAULT_MOMENTS: usize = 24;

    /// `count` moments of what plays of a session's timeline, evenly spaced from its in to its out point.
    pub fn moments(session: &Session, count: usize) -> Self {
        let (mut session, [start_secs, end_secs]) = (session.clone(), session.range_secs());
        let name = what_plays(&session);
        let cells = (0..count)
            .map(|index| {
                let fraction = index as f32 / count.saturating_sub(1).max(1) as f32;
                let time_secs = start_secs + (end_secs - start_secs) * fraction;
                session.seek(time_secs);
                SheetCell {
                    label: format!("{time_secs:.2} s"),
                    weights: session.weights().to_vec(),
                    world_from_nodes: session.world_from_nodes(),
                    expression_outputs: session.expression_outputs().to_vec(),
                }
            })
            .collect();
        Self { what: format!("{name}, {count} moments of {:.2} s", end_secs - start_secs), groups: vec![cells] }
    }

    pub fn cells(&self) -> impl Iterator<Item = &SheetCell> {
        self.groups.iter().flatten()
    }

    pub fn slots(&self, columns: usize) -> Vec<usize> {
        let mut next: usize = 0;
        let mut slots = Vec::new();
        for group in &self.groups {
            if columns.is_multiple_of(2) {
                next = next.next_multiple_of(2);
            }
            slots.extend(next..next + group.len());
            next += group.len();
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, Head, Mesh, Target};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    fn head(names: &[&str]) -> Head {
        let target = |name: &&str| Target { name: (*name).to_owned(), default_weight: 0.25, ..Target::default() };
        let mesh = Mesh { name: "face".into(), targets: names.iter().map(target).collect(), ..Mesh::default() };
        Head::new(Asset { name: "head".into(), meshes: vec![mesh.clone(), mesh], ..Asset::default() })
    }

    fn session_of(head: Head) -> Session {
        Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
    }

    #[test]
    fn a_corrective_is_shown_with_what_drives_it() {
        let mut head = head(&["jawOpen", "pout", "mend"]);
        let driver = |name: &str| Driver { name: name.into(), full_weight: 0.5 };
        let drive = Drive::Combination(CombinationMethod::Product, vec![driver("jawOpen"), driver("pout")]);
        head.set_correctives(vec![Corrective { target: "mend".into(), drive }]);
        let mut session = session_of(head);
        let cell = |session: &Session| {
            let content = SheetContent::expressions(session, 1.0);
            content.cells().find(|cell| cell.label == "mend").unwrap().weights[..3].to_vec()
        };
        assert_eq!(cell(&session), [0.5, 0.5, 1.0]);
        session.edits.plays_correctives = false;
        assert_eq!(cell(&session), [0.25, 0.25, 1.0]);
    }

    #[test]
    fn rest_comes_first_then_each_channel_alone_on_every_mesh_pair_by_pair() {
        let mut session = session_of(head(&["smileRight", "jawOpen", "smileLeft"]));
        let content = SheetContent::expressions(&session, 0.75);
        let cells: Vec<_> = content.cells().map(|cell| (cell.label.as_str(), cell.weights.as_slice())).collect();
        let rest = 0.25;
        assert_eq!(
            cells,
            [
                ("rest", &[rest; 6][..]),
                ("smileLeft", &[rest, rest, 0.75, rest, rest, 0.75]),
                ("smileRight", &[0.75, rest, rest, 0.75, rest, rest]),
                ("jawOpen", &[rest, 0.75, rest, rest, 0.75, rest]),
            ]
        );
        assert!(content.what.contains("3 expressions") && content.what.contains("0.75"), "{}", content.what);
        session.edits.rests_at_zero = true;
        let content = SheetContent::expressions(&session, 0.75);
        assert_eq!(content.cells().nth(1).unwrap().weights, [0.0, 0.0, 0.75, 0.0, 0.0, 0.75]);
    }

    #[test]
    fn pairs_are_next_to_each_other_if_columns_are_even() {
        let session = session_of(head(&["aLeft", "aRight", "b", "cLeft", "cRight"]));
        let content = SheetContent::expressions(&session, 1.0);
        let labels: Vec<_> = content.cells().map(|cell| cell.label.as_str()).collect();
        let place = |columns: usize, label: &str| {
            content.slots(columns)[labels.iter().position(|other| *other == label).unwrap()]
        };
        for columns in [2, 4, 6] {
            for (left, right) in [("aLeft", "aRight"), ("cLeft", "cRight")] {
                assert_eq!((place(columns, left) % 2, place(columns, right)), (0, place(columns, left) + 1));
            }
        }
        assert_eq!(content.slots(3), (0..labels.len()).collect::<Vec<_>>(), "odd columns leave no slot free");
    }
}
