//! The weight animations of a glTF file as takes: columns named by targets, their own keys and interpolation kept.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use super::super::{Fault, folder_of, read_head};
use super::File;
use crate::head::{Clip, Curve, Head, Kind, Note, Subject, quoted};
use crate::motion::{Column, Take};

/// One take per clip that moves weights.
pub fn read(file: &File<'_>) -> Result<Vec<Take>, Fault> {
    let (folder, name) = (Some(folder_of(file.path)), file.name.to_owned());
    let head = read_head(file.bytes, file.path, folder, name, &|_, _| ControlFlow::Continue(()))?;
    let clips: Vec<&Clip> = head.clips.iter().filter(|clip| !clip.tracks.is_empty()).collect();
    if clips.is_empty() {
        return Err(Fault::Unfit("holds no animation of weights; export it with its shape-key animation".into()));
    }
    let mut takes: Vec<Take> = clips.iter().map(|clip| take(clip, &head, file)).collect();
    // What was left out altogether is told once.
    let is_told = |note: &&Note| clips.iter().any(|clip| is_about(note, clip));
    let untold =
        head.notes.iter().filter(|note| note.subject.kind() == Some(Kind::Animation) && !is_told(note)).cloned();
    takes[0].notes.extend(untold);
    Ok(takes)
}

fn take(clip: &Clip, head: &Head, file: &File<'_>) -> Take {
    let mut notes: Vec<Note> = head.notes.iter().filter(|note| is_about(note, clip)).cloned().collect();
    if clip.moves_nodes() {
        let moved: BTreeSet<usize> = clip.node_tracks.iter().map(|track| track.node).collect();
        let message = format!("also moves {} nodes; a take holds weights alone", moved.len());
        notes.push(Note::warning(subject_of(clip), message));
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (track, of) in clip.tracks.iter().enumerate() {
        for element in 0..of.curve.width() {
            let Some((mesh, target)) = head.target(of.first_target + element) else { continue };
            let Some(&first) = known.get(target.name.as_str()) else {
                known.insert(&target.name, columns.len());
                columns.push(Column { name: target.name.clone(), track, element });
                continue;
            };
            // Meshes that share a name nearly always move as one. Where one does not, the one that moves counts.
            let column = &mut columns[first];
            let kept = &clip.tracks[column.track].curve;
            if is_same(kept, column.element, &of.curve, element) {
                continue;
            }
            let subject = Subject::named(Kind::Column, &target.name);
            let is_still = kept.rests_at(kept.key_value(0, column.element), column.element, f32::EPSILON);
            if is_still {
                (column.track, column.element) = (track, element);
                notes.push(Note::info(subject, format!("moves on mesh {} alone", quoted(&mesh.name))));
            } else {
                let message = format!("moves differently on mesh {}; the first mesh's is taken", quoted(&mesh.name));
                notes.push(Note::warning(subject, message));
            }
        }
    }
    Take {
        name: clip.name.clone(),
        source: Some(file.path.to_owned()),
        frames_per_sec: None,
        start_timecode: None,
        columns,
        tracks: clip.tracks.iter().map(|track| track.curve.clone()).collect(),
        duration_secs: clip.duration_secs,
        notes,
    }
}

/// The clip as the subject of the importer's notes.
fn subject_of(clip: &Clip) -> Subject {
    Subject::named(Kind::Animation, &clip.name)
}

/// Whether a note is about a clip or something in it.
fn is_about(note: &Note, clip: &Clip) -> bool {
    note.subject.is_in(&subject_of(clip))
}

/// Whether an element of one curve has the keys of an element of another.
fn is_same(a: &Curve, a_element: usize, b: &Curve, b_element: usize) -> bool {
    a.interpolation() == b.interpolation()
        && a.times() == b.times()
        && (0..a.times().len()).all(|key| a.key_value(key, a_element) == b.key_value(key, b_element))
}
