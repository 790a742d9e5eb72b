//! The weight animations of a glTF or FBX file as takes. Columns are named after targets and have the keys and the
//! interpolation of the file.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::CaptureFile;
use crate::import::fbx::{self, FbxFile};
use crate::import::gltf::{self, Animated, GltfFile};
use crate::import::sidecar::ModelFolder;
use crate::import::{Fault, Import};
use smirk_base::names::quoted;
use smirk_face::head::{Clip, Curve, Head, Kind, Note, Subject};
use smirk_face::motion::{FrameRate, Take, TakeColumn, TimecodeBase};

/// One take per clip of a glTF file that moves weights, or the takes that it holds itself.
pub(super) fn read_gltf(file: &CaptureFile<'_>, import: Import<'_>) -> Result<Vec<Take>, Fault> {
    let is_text = !file.bytes.starts_with(b"glTF");
    let gltf_file = GltfFile { bytes: file.bytes, is_text, folder: Some(&ModelFolder::containing(file.path)) };
    match gltf::read_animated(&gltf_file, file.path, file.name.to_owned(), import)? {
        Animated::Head(asset) => takes(&Head::new(*asset), file),
        Animated::Takes(takes) => Ok(takes),
    }
}

/// One take per clip of an FBX file that moves weights.
pub(super) fn read_fbx(file: &CaptureFile<'_>, import: Import<'_>) -> Result<Vec<Take>, Fault> {
    let fbx_file = FbxFile { bytes: file.bytes, folder: Some(&ModelFolder::containing(file.path)) };
    takes(&Head::new(fbx::read(&fbx_file, file.name.to_owned(), import)?), file)
}

fn takes(head: &Head, file: &CaptureFile<'_>) -> Result<Vec<Take>, Fault> {
    let clips: Vec<&Clip> = head.clips.iter().filter(|clip| !clip.tracks.is_empty()).collect();
    if clips.is_empty() {
        return Err(Fault::Unfit("holds no animation of weights; export it with its shape-key animation".into()));
    }
    let mut takes: Vec<Take> = clips.iter().map(|clip| take(clip, head, file)).collect();
    // Notes about animations that became no take are added to the first take.
    let subjects: HashSet<Subject> = clips.iter().map(|clip| subject_of(clip)).collect();
    let others = head
        .notes
        .iter()
        .filter(|note| note.subject.kind() == Some(Kind::Animation) && !subjects.contains(note.subject.whole()))
        .cloned();
    takes[0].notes.extend(others);
    Ok(takes)
}

fn take(clip: &Clip, head: &Head, file: &CaptureFile<'_>) -> Take {
    // Notes on the clip, or on a sampler or channel of it.
    let subject = subject_of(clip);
    let mut notes: Vec<Note> = head.notes.iter().filter(|note| note.subject.is_in(&subject)).cloned().collect();
    if clip.moves_nodes() {
        let moved: BTreeSet<usize> = clip.node_tracks.iter().map(|track| track.node).collect();
        let message = format!("also moves {} nodes; a take has only weights", moved.len());
        notes.push(Note::warning(subject, message));
    }
    let mut columns: Vec<TakeColumn> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (index, track) in clip.tracks.iter().enumerate() {
        for element in 0..track.curve.width() {
            let Some((mesh, target)) = head.target(track.first_target + element) else { continue };
            let Some(&first) = known.get(target.name.as_str()) else {
                known.insert(&target.name, columns.len());
                columns.push(TakeColumn { name: target.name.clone(), track: index, element });
                continue;
            };
            // Targets of one name on several meshes nearly always have the same keys. If they differ, the first that
            // moves is used.
            let column = &mut columns[first];
            let current = &clip.tracks[column.track].curve;
            if is_same(current, column.element, &track.curve, element) {
                continue;
            }
            let subject = Subject::named(Kind::Column, &target.name);
            let is_still = current.rests_at(current.key_value(0, column.element), column.element, f32::EPSILON);
            if is_still {
                (column.track, column.element) = (index, element);
                notes.push(Note::info(subject, format!("moves only on mesh {}", quoted(&mesh.name))));
            } else {
                let message = format!("moves differently on mesh {}; the first mesh's is taken", quoted(&mesh.name));
                notes.push(Note::warning(subject, message));
            }
        }
    }
    let tracks = clip.tracks.iter().map(|track| track.curve.clone()).collect();
    take_of_clip(clip, columns, tracks, notes, file)
}

pub(super) fn take_of_clip(
    clip: &Clip,
    columns: Vec<TakeColumn>,
    tracks: Vec<Curve>,
    notes: Vec<Note>,
    file: &CaptureFile<'_>,
) -> Take {
    let frames_per_sec = clip.frames_per_sec();
    let start_timecode = frames_per_sec
        .filter(|_| clip.start_secs > 0.0)
        .map(|rate| TimecodeBase::for_rate(FrameRate::nearest(rate.into())).text(clip.start_secs));
    Take {
        name: clip.name.clone(),
        source: Some(file.path.to_owned()),
        frames_per_sec,
        start_timecode,
        columns,
        tracks,
        duration_secs: clip.duration_secs,
        notes,
        ..Take::default()
    }
}

fn subject_of(clip: &Clip) -> Subject {
    Subject::named(Kind::Animation, &clip.name)
}

fn is_same(a: &Curve, a_element: usize, b: &Curve, b_element: usize) -> bool {
    a.interpolation() == b.interpolation()
        && a.times() == b.times()
        && (0..a.times().len()).all(|key| a.key_value(key, a_element) == b.key_value(key, b_element))
}
