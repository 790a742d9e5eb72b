//! The content of a contact sheet: cells with their names.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Mat4;

use crate::{show_at, what_plays};
use smirk_face::head::{ACTION_UNITS, Head};
use smirk_scene::{Camera, Look};
use smirk_session::{NotedFace, ReviewNote, Session};

#[derive(Clone, Debug, PartialEq)]
pub struct SheetCell {
    pub label: String,
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// The output of each expression of the head; empty at rest.
    pub expression_outputs: Vec<f32>,
    /// Instead of the camera and the look of the sheet.
    pub shot: Option<(Camera, Look)>,
    /// The note whose strokes and pin are drawn over the picture.
    pub note: Option<Arc<ReviewNote>>,
}

impl SheetCell {
    fn at_rest(label: String, weights: Vec<f32>) -> Self {
        Self { label, weights, world_from_nodes: Vec::new(), expression_outputs: Vec::new(), shot: None, note: None }
    }

    /// A mix of motion on the head of a session, by its blend rule.
    fn of_mix(session: &Session, label: String, mut weights: Vec<f32>) -> Self {
        let (head, silent) = (&session.head, &session.bound().sliders.silent_correctives);
        let expression_outputs = session.edits.rule.apply(head, &mut weights, silent);
        let world_from_nodes = head.world_from_nodes_under(&expression_outputs);
        Self { world_from_nodes, expression_outputs, ..Self::at_rest(label, weights) }
    }
}

/// An action unit of the Facial Action Coding System at an intensity, as a head shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownUnit {
    /// `AU12`.
    pub unit: &'static str,
    /// Its name in the manual.
    pub name: &'static str,
    /// 0 to 1, of which a fifth is a step of the manual's A to E.
    pub intensity: f32,
    /// The weights of the channels that show it, by their indices.
    pub weights: BTreeMap<usize, f32>,
}

impl ShownUnit {
    /// Every action unit that a head can show, at `intensity`.
    pub fn all(head: &Head, intensity: f32) -> Vec<Self> {
        ACTION_UNITS.into_iter().filter_map(|unit| Self::new(head, unit, intensity)).collect()
    }

    /// One action unit at each of the manual's intensities; none if the head has no channel that shows it.
    pub fn steps(head: &Head, unit: (&'static str, &'static str)) -> Vec<Self> {
        (1..=5).filter_map(|step| Self::new(head, unit, step as f32 / 5.0)).collect()
    }

    fn new(head: &Head, (unit, name): (&'static str, &'static str), intensity: f32) -> Option<Self> {
        let weights = head.channels_showing(unit).into_iter().map(|(channel, part)| (channel, part * intensity));
        Some(Self { unit, name, intensity, weights: weights.collect() }).filter(|unit| !unit.weights.is_empty())
    }

    /// The letter of the manual's nearest intensity: A is a trace, E the strongest.
    pub fn letter(&self) -> char {
        let step = (self.intensity * 5.0).round().clamp(1.0, 5.0) as u8;
        char::from(b'A' + step - 1)
    }

    fn label(&self) -> String {
        format!("{}{} {}", self.unit, self.letter(), self.name)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SheetContent {
    pub what: String,
    pub cells: Vec<SheetCell>,
}

impl SheetContent {
    /// The head at rest, then every channel alone at `weight`, with the blend rule of a session. If the number of
    /// columns is even, left and right are side by side. A channel that a corrective drives is shown by its
    /// drivers.
    pub fn expressions(session: &Session, weight: f32) -> Self {
        let (head, bound) = (&session.head, session.bound());
        let rest = SheetCell::at_rest("rest".into(), bound.sliders.rest.clone());
        let alone = |channel: usize| {
            let mut weights = rest.weights.clone();
            head.show_channel(channel, weight, &bound.sliders.silent_correctives, &mut weights);
            SheetCell::of_mix(session, head.channels[channel].name.clone(), weights)
        };
        let pairs = head.pairs.iter().flat_map(|pair| match pair.second {
            Some(second) if pair.is_left_and_right => vec![vec![alone(pair.first), alone(second)]],
            second => [Some(pair.first), second].into_iter().flatten().map(|channel| vec![alone(channel)]).collect(),
        });
        let cells = in_places_of_two(std::iter::once(vec![rest.clone()]).chain(pairs));
        Self { what: format!("{} expressions, each alone at weight {weight}", head.channels.len()), cells }
    }

    pub fn from_pictures(what: String, pictures: impl IntoIterator<Item = (String, Vec<f32>)>) -> Self {
        let cells = pictures.into_iter().map(|(label, weights)| SheetCell::at_rest(label, weights));
        Self { what, cells: cells.collect() }
    }

    pub fn poses(session: &Session) -> Self {
        let cells: Vec<SheetCell> = session
            .edits
            .poses
            .iter()
            .map(|pose| {
                let weights = pose.weights_on(&session.head, &session.bound().sliders.rest);
                SheetCell::of_mix(session, pose.name.clone(), weights)
            })
            .collect();
        Self { what: format!("{} poses", cells.len()), cells }
    }

    /// The head at rest, then action units.
    pub fn action_units(session: &Session, units: &[ShownUnit]) -> Self {
        let (head, bound) = (&session.head, session.bound());
        let faces = units.iter().map(|unit| {
            let mut weights = bound.sliders.rest.clone();
            for (&channel, &weight) in &unit.weights {
                head.show_channel(channel, weight, &bound.sliders.silent_correctives, &mut weights);
            }
            SheetCell::of_mix(session, unit.label(), weights)
        });
        let rest = SheetCell::at_rest("rest".into(), bound.sliders.rest.clone());
        Self { what: "action units".into(), cells: std::iter::once(rest).chain(faces).collect() }
    }

    /// The face of every review note that has one, with its number and its text.
    pub fn notes(session: &Session) -> Self {
        let notes = session.edits.notes.iter().filter_map(|note| {
            let moment = note.moment.as_ref()?;
            let NotedFace { weights, expression_outputs, world_from_nodes, look, camera } = session.noted_face(moment);
            let done = if note.is_open() { "" } else { " (done)" };
            let label = format!("{}{done} · {}", note.number, note.title());
            let (shot, note) = (Some((camera, look)), Some(note.clone()));
            Some(SheetCell { label, weights, world_from_nodes, expression_outputs, shot, note })
        });
        let cells: Vec<SheetCell> = notes.collect();
        Self { what: format!("{} open of {} review notes", session.edits.open_notes(), cells.len()), cells }
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
                show_at(&mut session, time_secs.into());
                SheetCell {
                    label: format!("{time_secs:.2} s"),
                    weights: session.weights().to_vec(),
                    world_from_nodes: session.world_from_nodes(),
                    expression_outputs: session.expression_outputs().to_vec(),
                    shot: None,
                    note: None,
                }
            })
            .collect();
        Self { what: format!("{name}, {count} moments of {:.2} s", end_secs - start_secs), cells }
    }
}

/// Puts cells that belong together, one or two, into places of two, so that none is left blank: a single cell is
/// followed by the next single one. If their number is odd, the one that is left is the last of all.
fn in_places_of_two(groups: impl IntoIterator<Item = Vec<SheetCell>>) -> Vec<SheetCell> {
    let (mut places, mut half_full): (Vec<Vec<SheetCell>>, Option<usize>) = (Vec::new(), None);
    for group in groups {
        match half_full.take_if(|_| group.len() == 1) {
            Some(place) => places[place].extend(group),
            None => {
                if group.len() == 1 {
                    half_full = Some(places.len());
                }
                places.push(group);
            }
        }
    }
    if let Some(place) = half_full {
        places[place..].rotate_left(1);
    }
    places.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrameSpan;
    use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, Head, Mesh, Target};
    use smirk_face::motion::{FrameRate, Key};
    use smirk_scene::BlendMode;
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
    fn moments_are_those_of_the_frames_at_their_times() {
        let mut session = session_of(head(&["eyeBlinkLeft", "jawOpen"]));
        for (secs, value) in [(0.0, 0.0), (10.0, 1.0)] {
            session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(secs, value)));
        }
        session.edits.blink.enabled = true;
        session.advance(0.3);
        let cells = SheetContent::moments(&session, 41).cells;
        let span = FrameSpan::new(FrameRate::nearest(4.0), 0, 40).unwrap();
        for (cell, frame) in cells.iter().zip(span.frames()) {
            span.show(&mut session, frame);
            assert_eq!(cell.weights, session.weights()[..], "frame {frame}");
        }
        assert!(cells.len() == 41 && cells.iter().any(|cell| cell.weights[0] > 0.5), "no blink");
    }

    #[test]
    fn a_corrective_is_shown_with_what_drives_it() {
        let driver = |name: &str| Driver { name: name.into(), full_weight: 0.5 };
        let drive = Drive::Combination(CombinationMethod::Product, vec![driver("jawOpen"), driver("pout")]);
        let head = head(&["jawOpen", "pout", "mend"]);
        let mut session = session_of(head.with_correctives([Corrective { target: "mend".into(), drive }]));
        let cell = |session: &Session| {
            let content = SheetContent::expressions(session, 1.0);
            content.cells.iter().find(|cell| cell.label == "mend").unwrap().weights[..3].to_vec()
        };
        assert_eq!(cell(&session), [0.5, 0.5, 1.0]);
        session.edits.plays_correctives = false;
        assert_eq!(cell(&session), [0.25, 0.25, 1.0]);
    }

    #[test]
    fn each_channel_is_alone_on_every_mesh_beside_its_counterpart() {
        let mut session = session_of(head(&["smileRight", "jawOpen", "smileLeft"]));
        let content = SheetContent::expressions(&session, 0.75);
        let cells: Vec<_> = content.cells.iter().map(|cell| (cell.label.as_str(), cell.weights.as_slice())).collect();
        let rest = 0.25;
        assert_eq!(
            cells,
            [
                ("rest", &[rest; 6][..]),
                ("jawOpen", &[rest, 0.75, rest, rest, 0.75, rest]),
                ("smileLeft", &[rest, rest, 0.75, rest, rest, 0.75]),
                ("smileRight", &[0.75, rest, rest, 0.75, rest, rest]),
            ]
        );
        assert!(content.what.contains("3 expressions") && content.what.contains("0.75"), "{}", content.what);
        session.edits.rests_at_zero = true;
        let content = SheetContent::expressions(&session, 0.75);
        assert_eq!(content.cells[2].weights, [0.0, 0.0, 0.75, 0.0, 0.0, 0.75]);
    }

    #[test]
    fn pairs_are_side_by_side_in_even_columns_and_no_cell_is_blank() {
        let order = |names: &[&str]| {
            let content = SheetContent::expressions(&session_of(head(names)), 1.0);
            content.cells.into_iter().map(|cell| cell.label).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order(&["aLeft", "aRight", "b", "cLeft", "cRight"]), "rest b aLeft aRight cLeft cRight");
        assert_eq!(order(&["a", "bLeft", "bRight", "c", "dLeft", "dRight"]), "rest a bLeft bRight dLeft dRight c");
        assert_eq!(order(&["a", "bLeft", "bRight", "c", "d"]), "rest a bLeft bRight c d");
        assert_eq!(order(&["aLeft", "aRight"]), "aLeft aRight rest");
    }
}
