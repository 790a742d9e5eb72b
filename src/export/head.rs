//! The head as a .glb, with everything that was added to it.

use std::sync::Arc;

use super::glb::{FlattenedInBetweens, StoredDeltas, file_as_it_is, glb_with};
use super::{ExportError, ExportPlan};
use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind;
use smirk_base::names::{printable, quoted};
use smirk_base::progress::Progress;
use smirk_face::head::{ExpressionForm, Head, Image, Target, bones_by_name, listed, listed_bones, missing_bones};

/// Why a head cannot be saved as a VRM avatar, because other programs would refuse it; none if it can.
pub fn not_an_avatar(head: &Head) -> Option<String> {
    let Some(avatar) = &head.avatar else {
        let missing = missing_bones(&bones_by_name(&head.rig));
        return Some(match missing.is_empty() {
            true => "it does not say its name, author and licence, which VRM requires".into(),
            false => {
                format!("it has no {}, which a VRM avatar must have: it can be saved as .glb", listed_bones(&missing))
            }
        });
    };
    avatar.lacks()
}

/// What a file of a head does not have or has in part, as sentences.
pub fn left_out(head: &Head, is_vrm: bool) -> Vec<String> {
    let flattened = FlattenedInBetweens::in_head(head).map(|flattened| printable(&flattened.in_words()).into_owned());
    let count = head.expressions.len();
    let is_draft = head.expression_form == ExpressionForm::Khr;
    let is_in_part = !is_vrm && count > 0 && head.avatar.is_none() && !is_draft;
    let expressions = is_in_part.then(|| {
        let expressions = if count == 1 { "The expression is".into() } else { format!("{count} expressions are") };
        format!("{expressions} those of an incomplete VRM, which Smirk reads and others refuse: save the head as .vrm.")
    });
    let changed = if is_draft { of_draft(head) } else { lost_in_vrm(head) };
    flattened.into_iter().chain(left_out_correctives(head)).chain(expressions).chain(changed).collect()
}

/// What is to be said of expressions that are written as `KHR_character_expression`.
fn of_draft(head: &Head) -> Option<String> {
    let rest = head.default_weights();
    let idle = head.expressions.iter().filter(|each| each.to_response(&rest, &head.materials).is_none());
    let idle: Vec<String> = idle.map(|expression| quoted(&printable(&expression.name))).collect();
    let left_out = match idle.as_slice() {
        [] => String::new(),
        idle => format!(" It has no expressions that move nothing, such as {}.", listed(idle, 4)),
    };
    let draft = "KHR_character_expression is a draft: it may change, and few programs read it yet.";
    (!head.expressions.is_empty()).then(|| format!("{draft}{left_out}"))
}

/// The expressions of which VRM has no words for a part, as a sentence.
fn lost_in_vrm(head: &Head) -> Option<String> {
    let lost = head.expressions.iter().filter(|expression| expression.loses_in_vrm(&head.expressions));
    let lost: Vec<String> = lost.map(|expression| quoted(&printable(&expression.name))).collect();
    let said = "VRM has no joints, curves and single masks of expressions: what these do at 1 to shapes is written of";
    (!lost.is_empty()).then(|| format!("{said} {}. --expressions khr keeps them.", listed(&lost, 8)))
}

/// What a file of glTF does not have of a head's correctives, as a sentence; none if the head has none.
fn left_out_correctives(head: &Head) -> Option<String> {
    let count = head.correctives.driven().count();
    let first = &head.channels.get(head.correctives.driven().next()?)?.name;
    let follow = if count == 1 { "1 corrective follows".into() } else { format!("{count} correctives follow") };
    Some(format!(
        "{follow} nothing in the file, such as {}: glTF has the targets, not what drives them. Put a copy of \
         {}.correctives.json beside it, under its name.",
        quoted(&printable(first)),
        printable(&head.name)
    ))
}

/// An export of a head as .glb, or as .vrm if its file is named so: meshes, targets, skins, nodes, expressions,
/// materials with their textures and variants, clips, cameras and lights.
#[derive(Clone, Debug)]
pub struct HeadExport {
    head: Arc<Head>,
    output: OutputPath,
}

impl HeadExport {
    /// Prepares the export. The files that the head was read from are never replaced.
    pub fn new(head: Arc<Head>, output: OutputPath) -> Self {
        let output = output.protecting(head.side_files.iter().cloned());
        Self { head, output }
    }

    pub fn plan(&self) -> ExportPlan {
        let head = &self.head;
        let clips = head.clips.iter().flat_map(|clip| {
            let weights = clip.tracks.iter().map(|track| track.curve.bytes());
            weights.chain(clip.node_tracks.iter().map(|track| track.curve.bytes()))
        });
        ExportPlan {
            files: 1,
            frames: 1,
            bytes: head
                .meshes
                .iter()
                .map(|mesh| {
                    let vertices = mesh.vertices.len() * 48 + mesh.vertices.influences.bytes();
                    let shapes = mesh
                        .targets
                        .iter()
                        .flat_map(Target::shapes)
                        .map(|shape| {
                            (shape.positions.len() + shape.normals.len() + shape.tangents.len()) * 12
                                + shape.rows.len() * 2
                        })
                        .sum::<usize>();
                    let guides = mesh.strands.iter().map(|strands| strands.points.len() * 36).sum::<usize>();
                    (vertices + mesh.indices.len() * 4 + guides + shapes) as u64
                })
                .sum::<u64>()
                + clips.sum::<usize>() as u64
                + texture_bytes(head),
        }
    }

    pub fn left_out(&self) -> Vec<String> {
        left_out(&self.head, self.is_vrm())
    }

    fn is_vrm(&self) -> bool {
        file_kind::VRM.matches(self.output.path())
    }

    /// Writes the file. Returns its size in bytes.
    pub fn run(&self, progress: Progress<'_>) -> Result<u64, ExportError> {
        self.output.check()?;
        if let Some(problem) = not_an_avatar(&self.head).filter(|_| self.is_vrm()) {
            return Err(failed!("{} cannot be a VRM avatar: {problem}", self.head.name));
        }
        let bytes = glb_with(&self.head, StoredDeltas::default(), progress).map_err(|error| match error {
            ExportError::Cancelled(_) => error,
            error => failed!("cannot save {}: {error}", self.head.name),
        })?;
        self.output.write(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

/// The estimated size of a head's images: those that are written as they are, and PNG, which halves photographs.
pub(super) fn texture_bytes(head: &Head) -> u64 {
    let mut images: Vec<(*const Image, u64)> =
        head.textures.iter().map(|texture| (Arc::as_ptr(&texture.image), stored_bytes(&texture.image))).collect();
    images.sort_unstable();
    images.dedup();
    images.into_iter().map(|(_, bytes)| bytes).sum()
}

fn stored_bytes(image: &Image) -> u64 {
    match file_as_it_is(image) {
        Some((file, _)) => file.len() as u64,
        None => u64::from(image.width()) * u64::from(image.height()) * 2,
    }
}
