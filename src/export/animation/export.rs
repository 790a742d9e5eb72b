//! An export of an animation: what it will write, and the writing of it.

use std::sync::Arc;

use super::clip::{AnimationClip, AnimationKeys, Recording};
use super::format::AnimationFormat;
use crate::glb::FlattenedInBetweens;
use crate::head::texture_bytes;
use crate::{ExportError, ExportPlan};
use smirk_base::atomic_file::OutputPath;
use smirk_base::progress::Progress;
use smirk_face::head::{FaceJoints, Head, Target};
use smirk_files::import::UniqueNames;
use smirk_session::Session;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationSettings {
    pub format: AnimationFormat,
    pub keys: AnimationKeys,
    /// Whether the head is written too. Without it, a file of a format that can hold one has the names of targets only.
    pub with_head: bool,
}

impl AnimationSettings {
    pub fn new(format: AnimationFormat) -> Self {
        Self { format, keys: AnimationKeys::default(), with_head: true }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnimationReport {
    pub frames: usize,
    pub bytes: usize,
    pub unmapped_channels: Vec<String>,
    pub lost_motion: Option<LostMotion>,
    pub flattened: Option<FlattenedInBetweens>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LostMotion {
    /// What is not a turn of the head or of an eye: the file has angles for these.
    OfOtherNodes,
    /// All of it: the file has weights only.
    All,
}

impl LostMotion {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::OfOtherNodes => {
                "The file has angles of the head and the eyes; other motion of nodes, such as that of the neck, is left out."
            }
            Self::All => {
                "The head, the eyes or other nodes move, and the file has weights only: that motion is left out."
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct AnimationExport {
    clips: Vec<AnimationClip>,
    settings: AnimationSettings,
    output: OutputPath,
    head: Arc<Head>,
}

const NO_CLIP: &str = "there is nothing to write: no take, clip or frames were chosen";

impl AnimationExport {
    /// The part of the work that is evaluating the frames; the rest is writing.
    const EVALUATION: f32 = 0.8;

    pub fn new(
        mut clips: Vec<AnimationClip>,
        settings: AnimationSettings,
        output: OutputPath,
    ) -> Result<Self, ExportError> {
        let Some(head) = clips.first().map(|clip| clip.session.head.clone()) else {
            return Err(failed!("{NO_CLIP}"));
        };
        if clips.iter().any(|clip| !Arc::ptr_eq(&clip.session.head, &head)) {
            return Err(failed!("the clips are of different heads: a file holds clips of one"));
        }
        let holds_motion = match settings.format {
            AnimationFormat::Gltf if head.target_count() == 0 => {
                settings.with_head && clips.iter().any(|clip| may_move_nodes(&clip.session))
            }
            format if format.can_hold_head() => head.target_count() > 0,
            _ => !head.channels.is_empty(),
        };
        if !holds_motion {
            let (label, name) = (settings.format.label(), &head.name);
            return Err(match head.channels.is_empty() {
                true => {
                    failed!("{name} has nothing that an animation could move: none of its meshes has morph targets")
                }
                false => failed!(
                    "{label} has the weights of morph targets, of which {name} has none: choose {} or {}",
                    AnimationFormat::Table.label(),
                    AnimationFormat::Vrma.label()
                ),
            });
        }
        if clips.len() > 1 && !settings.format.can_hold_clips() {
            return Err(failed!(
                "{} holds one animation, not {}: write them into files of their own, or as .{} or .{}",
                settings.format.label(),
                clips.len(),
                AnimationFormat::Gltf.file_kind().extension(),
                AnimationFormat::Fbx.file_kind().extension()
            ));
        }
        if let AnimationKeys::Within(tolerance) = settings.keys
            && !(tolerance.is_finite() && tolerance >= 0.0)
        {
            return Err(failed!("{tolerance} is no tolerance: it is a weight, such as 0.001"));
        }
        let mut names = UniqueNames::default();
        for AnimationClip { name, .. } in &mut clips {
            *name = names.make_between(std::mem::take(name), " ", "");
        }
        let output = output.protecting(head.side_files.iter().cloned());
        Ok(Self { clips, settings, output, head })
    }

    pub fn plan(&self) -> ExportPlan {
        let AnimationSettings { format, with_head, .. } = self.settings;
        let bytes = estimated_bytes(&self.clips, &self.head, format, with_head);
        ExportPlan { files: 1, frames: self.frame_count(), bytes }
    }

    fn frame_count(&self) -> usize {
        self.clips.iter().map(|clip| clip.span.count()).sum()
    }

    /// Evaluates the frames and writes the file, which is complete or is not there.
    pub fn run(&self, progress: Progress<'_>) -> Result<AnimationReport, ExportError> {
        self.output.check()?;
        let (mut recordings, mut before, total) = (Vec::with_capacity(self.clips.len()), 0, self.frame_count());
        for clip in &self.clips {
            let frames = clip.span.count();
            recordings.push(Recording::evaluate(
                clip,
                Progress::new(&|_: &str, part: f32| {
                    let done = before + (part * frames as f32).round() as usize;
                    progress
                        .report(&format!("frame {done} of {total}"), Self::EVALUATION * (done as f32 / total as f32))
                }),
            )?);
            before += frames;
        }
        let bytes = self.bytes(&recordings, progress)?;
        self.output.write(&bytes)?;
        let unmapped = self.settings.format.unmapped_channels(&recordings[0], &self.head);
        Ok(AnimationReport {
            frames: total,
            bytes: bytes.len(),
            unmapped_channels: unmapped.into_iter().map(str::to_owned).collect(),
            lost_motion: recordings.iter().filter_map(|recording| self.lost_motion(recording)).max(),
            flattened: (self.settings.format == AnimationFormat::Gltf)
                .then(|| FlattenedInBetweens::in_head(&self.head))
                .flatten(),
        })
    }

    fn lost_motion(&self, recording: &Recording) -> Option<LostMotion> {
        let performance = &recording.performance;
        match self.settings.format {
            AnimationFormat::Gltf if self.settings.with_head => None,
            format if format.has_turns() => performance.has_other_motion.then_some(LostMotion::OfOtherNodes),
            _ => (recording.has_turns() || !performance.nodes.is_empty()).then_some(LostMotion::All),
        }
    }

    fn bytes(&self, recordings: &[Recording], progress: Progress<'_>) -> Result<Vec<u8>, ExportError> {
        let AnimationSettings { format, keys, with_head } = self.settings;
        let progress = progress.part(Self::EVALUATION..1.0);
        format.bytes(recordings, &self.head, with_head, keys.tolerance(), progress)
    }
}

/// Whether what plays may move nodes: by clips, expressions or a body, or by turning the head and the eyes.
fn may_move_nodes(session: &Session) -> bool {
    session.moves_nodes() || session.edits.head_and_eyes.joints_of(&session.head) != FaceJoints::default()
}

/// About how large the file of clips of a head becomes; with sparse keys, it may be far smaller.
fn estimated_bytes(clips: &[AnimationClip], head: &Head, format: AnimationFormat, with_head: bool) -> u64 {
    let frames: usize = clips.iter().map(|clip| clip.span.count()).sum();
    let (channels, targets) = (head.channels.len() as u64, head.target_count() as u64);
    let [of_frame, of_names] = format.estimated_bytes(channels, targets);
    let of_head = match format {
        _ if !with_head => 0,
        AnimationFormat::Gltf => geometry(head, [60, 12, 28]) + texture_bytes(head),
        AnimationFormat::Fbx => geometry(head, [40, 120, 52]),
        AnimationFormat::Usd => geometry(head, [120, 30, 80]),
        _ => 0,
    };
    of_frame * frames as u64 + of_names + of_head + 1024
}

/// The bytes of a head's meshes, from those of a vertex, a triangle and a moved vertex of a target.
fn geometry(head: &Head, [of_vertex, of_triangle, of_row]: [u64; 3]) -> u64 {
    let shapes = head.meshes.iter().flat_map(|mesh| &mesh.targets).flat_map(Target::shapes);
    let rows: usize = shapes.map(|shape| shape.rows.len()).sum();
    head.vertex_count() as u64 * of_vertex + head.triangle_count() as u64 * of_triangle + rows as u64 * of_row
}
