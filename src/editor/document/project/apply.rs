//! A project applied to a session of its head.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::format::Project;
use crate::document::recording::{self, growing_path};
use smirk_base::file_kind::Content;
use smirk_base::names::{natural_order, printable};
use smirk_base::progress::Progress;
use smirk_base::regular_file;
use smirk_face::head::{Head, Kind, Note, Subject};
use smirk_face::motion::{FIRST_OWN_POSE, FrameRate, PlayHead, Pose, PoseId, Take, TakeEdit, starter_poses};
use smirk_files::import::{self, ImportError};
use smirk_session::{Edits, Session, SoundTrack, TakeEntry, pair_named};

/// Larger ids in a file are replaced, which leaves room for the ids of new poses.
const LAST_POSE_ID: u32 = 1 << 30;
/// How many missing things of a kind the notes name; the others are counted.
const SHOWN: usize = 12;

impl Project {
    /// Sets a session of the project's head to what was saved; undo does not go back beyond this. Returns notes on what
    /// the head or the disk does not have, which stays in the session and is saved again.
    pub fn apply(&self, session: &mut Session, files: &TakeFiles) -> Vec<Note> {
        let head = session.head.clone();
        let mut edits = self.edits.clone().within_reason();
        edits.matching.clone_from(&session.edits.matching);
        if self.lacks.poses {
            edits.poses = starter_poses(&head).into_iter().map(Arc::new).collect();
        }
        make_consistent(&mut edits, &head);
        let mut notes = Vec::new();
        note_lacking(&mut notes, "sliders", lacking_sliders(&edits, &head));
        note_lacking(&mut notes, "linked pairs", lacking_pairs(&edits, &head));
        note_lacking(&mut notes, "poses", lacking_in_poses(&edits, &head));
        load_takes(&mut edits, files, &head, &mut notes);
        if self.lacks.timeline {
            let of_take = edits.playable_takes().find_map(|entry| entry.take.frames_per_sec);
            edits.timeline.rate = of_take.map_or_else(FrameRate::default, |rate| FrameRate::nearest(rate.into()));
        }
        let materials: HashSet<&String> = head.materials.iter().map(|material| &material.name).collect();
        let lacking = edits.roles.keys().filter(|name| !materials.contains(name));
        note_lacking(&mut notes, "materials", lacking.cloned().collect());
        let meshes: HashSet<&String> = head.meshes.iter().map(|mesh| &mesh.name).collect();
        let lacking = edits.hidden_meshes.iter().filter(|name| !meshes.contains(name));
        note_lacking(&mut notes, "hidden meshes", lacking.cloned().collect());
        let lacks_variant = edits.variant_of(&head).is_none();
        note_lacking(&mut notes, "variant", edits.variant.iter().filter(|_| lacks_variant).cloned().collect());
        note_missing_sounds(&mut notes, &edits);
        session.start_from(edits);
        session.set_shapes(self.shape_files());
        session.mode = self.mode.unwrap_or(session.mode);
        if let Some(viewpoint) = &self.camera {
            viewpoint.apply(&mut session.camera);
        }
        if let Some(timeline) = &self.playback {
            session.clips_mut().select_named(timeline.clips());
            let lacking = session.clip_names().iter().filter(|clip| clip.index_on(&session.head).is_none());
            let lacking: Vec<String> = lacking.map(|clip| clip.name.clone()).collect();
            note_lacking(&mut notes, if lacking.len() > 1 { "clips" } else { "clip" }, lacking);
            let speed = if timeline.speed.is_finite() { timeline.speed.clamp(0.1, 2.0) } else { 1.0 };
            let looping = timeline.looping;
            session.clock.timeline = PlayHead { looping, speed, time_secs: 0.0, playing: false };
        }
        notes
    }
}

/// Brings what a file may hold into the form that the session keeps: numbers within reason, an id for each pose, keys
/// in order, and the head's spelling of the names of its channels.
fn make_consistent(edits: &mut Edits, head: &Head) {
    edits.spell_sliders_as(head);
    edits.edit_each_timing(|timing| *timing = timing.within_reason(head));
    give_ids(&mut edits.poses);
    let ids: HashSet<PoseId> = edits.poses.iter().map(|pose| pose.id).collect();
    edits.applied_poses.retain(|applied| ids.contains(&applied.pose) && applied.amount.is_finite());
    edits.sequence.steps.retain(|step| ids.contains(&step.pose));
    edits.settle_pose_keys();
}

fn give_ids(poses: &mut [Arc<Pose>]) {
    let mut used = HashSet::new();
    let last = poses.iter().map(|pose| pose.id.0).filter(|&id| id <= LAST_POSE_ID).max().unwrap_or(0);
    let mut next = last.max(FIRST_OWN_POSE);
    for pose in poses {
        if pose.id.0 > LAST_POSE_ID || !used.insert(pose.id) {
            next += 1;
            Arc::make_mut(pose).id = PoseId(next);
        }
    }
}

/// Gives takes their recorded data, or says why there is none.
fn load_takes(edits: &mut Edits, files: &TakeFiles, head: &Head, notes: &mut Vec<Note>) {
    let mut missing = 0;
    let mut takes = Vec::with_capacity(edits.takes.len());
    for (index, entry) in edits.takes.iter().enumerate() {
        let entry = entry.clone();
        takes.push(match files.find(&edits.takes, index) {
            Ok(take) => {
                let (given, most) = (entry.edits.len(), TakeEdit::MOST);
                if given > most {
                    let message = format!("only the first {most} of its {given} edits are used");
                    notes.push(Note::warning(Subject::named(Kind::Take, &entry.name), message));
                }
                let map = entry.map.fitted(take.column_names(), head, &edits.matching);
                let (edits, sound) = (entry.edits.iter().take(most).cloned().collect(), files.sound(&entry));
                TakeEntry { edits, map, sound, ..entry }.with_data(take)
            }
            Err(problem) => {
                let problem = problem.to_string();
                missing += 1;
                if missing <= SHOWN {
                    let message = format!("{problem}. Its mapping is kept: import the take again to use it");
                    notes.push(Note::warning(Subject::named(Kind::Take, &entry.name), message));
                }
                entry.without_data(Some(problem))
            }
        });
    }
    edits.takes = takes;
    if missing > SHOWN {
        let message = format!("{} more could not be read. Their mappings are kept", missing - SHOWN);
        notes.push(Note::warning(Subject::All(Kind::Take), message));
    }
    for chosen in [&mut edits.take, &mut edits.compared_take] {
        chosen.take_if(|id| edits.takes.iter().all(|entry| entry.id != *id));
    }
}

fn lacking_sliders(edits: &Edits, head: &Head) -> Vec<String> {
    edits.sliders.iter().filter(|(name, slider)| !slider.is_on(head, name)).map(|(name, _)| name.clone()).collect()
}

fn lacking_pairs(edits: &Edits, head: &Head) -> Vec<String> {
    let lacking = edits.linked.iter().filter(|names| pair_named(head, names).is_none());
    lacking.map(|names| names.join(" + ")).collect()
}

fn lacking_in_poses(edits: &Edits, head: &Head) -> Vec<String> {
    let mut unknown: Vec<&str> = edits.poses.iter().flat_map(|pose| pose.unknown_names(head)).collect();
    unknown.sort_unstable_by(|a, b| natural_order(a, b));
    unknown.dedup();
    unknown.into_iter().map(str::to_owned).collect()
}

fn note_lacking(notes: &mut Vec<Note>, what: &'static str, names: Vec<String>) {
    if !names.is_empty() {
        let message = format!("this head lacks {}. They are kept, and saved again", list(&names));
        notes.push(Note::warning(Subject::field(what), message));
    }
}

fn note_missing_sounds(notes: &mut Vec<Note>, edits: &Edits) {
    let sounds = edits.playable_takes().filter_map(|entry| entry.sound.as_ref()).chain(&edits.sound);
    let unread =
        sounds.filter_map(|sound| Some((sound.file.display().to_string(), regular_file::check(&sound.file).err()?)));
    let (missing, others): (Vec<_>, Vec<_>) = unread.partition(|(_, error)| error.kind() == ErrorKind::NotFound);
    let mut missing: Vec<String> = missing.into_iter().map(|(path, _)| path).collect();
    missing.dedup();
    let mut problems: Vec<String> =
        others.into_iter().map(|(path, error)| format!("{} cannot be read: {error}", printable(&path))).collect();
    problems.dedup();
    if !missing.is_empty() {
        problems.insert(0, format!("{} was not found", list(&missing)));
    }
    for problem in problems {
        let message = format!("{problem}. Its offset is kept: locate it on the Motion page");
        notes.push(Note::warning(Subject::field("sound"), message));
    }
}

/// `a, b, c and 12 more`.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).map(|name| printable(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl Project {
    pub fn read_takes(&self, head: &Head) -> TakeFiles {
        TakeFiles::read(&self.edits.takes, head)
    }
}

/// The takes of a capture, or why it could not be read.
type ReadTakes = Result<Vec<Arc<Take>>, ImportError>;

/// Why a take of a project is not there.
#[derive(Debug, Error)]
pub(super) enum TakeMissing<'a> {
    #[error("it came from no file")]
    NoFile,
    #[error("{} was not read", .0.display())]
    NotRead(&'a Path),
    #[error("{problem} ({})", file.display())]
    Unreadable { file: &'a Path, problem: &'a ImportError },
    #[error("{} holds no take of that name any more", .0.display())]
    NoTakeOfThatName(&'a Path),
}

/// The takes in the captures of a project, or why a capture could not be read. Reading takes time, so it is done in a
/// job.
#[derive(Debug, Default)]
pub struct TakeFiles {
    /// By file and what it was opened as.
    takes: BTreeMap<(PathBuf, Content), ReadTakes>,
    /// The lengths of sounds that were being recorded when the project was written, in seconds.
    recorded_secs: BTreeMap<PathBuf, f32>,
}

impl TakeFiles {
    fn read(entries: &[TakeEntry], head: &Head) -> Self {
        let mut takes = BTreeMap::new();
        for entry in entries {
            let Some(file) = entry.file.as_deref() else { continue };
            recording::complete(file);
            let content = entry.content();
            let read = takes.entry((file.to_owned(), content));
            read.or_insert_with(|| {
                let takes = import::open_takes_as(content, file, head, Progress::NONE)?;
                Ok(takes.into_iter().map(Arc::new).collect())
            });
        }
        let growing = entries.iter().filter_map(|entry| entry.sound.as_ref().filter(|sound| sound.is_growing));
        let recorded_secs = growing.filter_map(|sound| {
            let secs = recording::complete_sound(&sound.file)?;
            Some((sound.file.to_path_buf(), secs as f32))
        });
        Self { takes, recorded_secs: recorded_secs.collect() }
    }

    pub(super) fn sound(&self, entry: &TakeEntry) -> Option<SoundTrack> {
        let sound = entry.sound.clone()?;
        match self.recorded_secs.get(&*sound.file) {
            Some(&secs) if sound.is_growing => Some(SoundTrack::new(&sound.file, secs)),
            // Nothing was heard.
            None if sound.is_growing && !sound.file.exists() && !growing_path(&sound.file).exists() => None,
            // A recording that could not be completed counts as missing.
            _ => Some(sound.within_reason()),
        }
    }

    /// The recorded data of the take at `index`. Where a capture has several takes of one name, the entries of that
    /// name get them in their order.
    pub(super) fn find<'a>(&'a self, entries: &'a [TakeEntry], index: usize) -> Result<Arc<Take>, TakeMissing<'a>> {
        let entry = &entries[index];
        let file: &Path = entry.file.as_deref().ok_or(TakeMissing::NoFile)?;
        let takes = match self.takes.get(&(file.to_owned(), entry.content())) {
            None => return Err(TakeMissing::NotRead(file)),
            Some(Err(problem)) => return Err(TakeMissing::Unreadable { file, problem }),
            Some(Ok(takes)) => takes,
        };
        let of_name: Vec<&Arc<Take>> = takes.iter().filter(|take| take.name == entry.name).collect();
        let alike = entries[..index]
            .iter()
            .filter(|other| (&other.name, &other.file, other.content()) == (&entry.name, &entry.file, entry.content()));
        let nth = alike.count().checked_rem(of_name.len());
        let nth = nth.ok_or(TakeMissing::NoTakeOfThatName(file))?;
        Ok(of_name[nth].clone())
    }
}
