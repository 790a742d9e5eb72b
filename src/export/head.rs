//! The head as a .glb, with everything that was added to it.

use std::sync::Arc;

use super::glb::{
    FlattenedInBetweens, Packing, Precision, SmallGlb, StoredDeltas, StoredShape, file_as_it_is, glb_with, small_glb,
};
use super::{ExportError, ExportPlan, bytes_in_words};
use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind;
use smirk_base::names::{printable, printable_path, quoted};
use smirk_base::progress::Progress;
use smirk_face::head::{ExpressionForm, Head, Image, Target, bones_by_name, listed, listed_bones, missing_bones};
use smirk_files::import;

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
fn left_out(head: &Head, is_vrm: bool) -> Vec<String> {
    let flattened = FlattenedInBetweens::in_head(head).map(|flattened| printable(&flattened.in_words()).into_owned());
    let count = head.expressions.len();
    let is_draft = head.expression_form == ExpressionForm::Khr;
    let is_in_part = !is_vrm && count > 0 && head.avatar.is_none() && !is_draft;
    let expressions = is_in_part.then(|| {
        let expressions = if count == 1 { "The expression is".into() } else { format!("{count} expressions are") };
        format!("{expressions} those of an incomplete VRM, which Smirk reads and others refuse: save the head as .vrm.")
    });
    let changed = if is_draft { of_draft(head) } else { lost_in_vrm(head) };
    flattened.into_iter().chain(expressions).chain(changed).collect()
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
        "{follow} nothing in the file, such as {}: glTF has the targets, not what drives them.",
        quoted(&printable(first))
    ))
}

/// An export of a head as .glb, or as .vrm if its file is named so, with its correctives in a file beside it: meshes,
/// targets, skins, nodes, expressions, materials with their textures and variants, clips, cameras and lights.
#[derive(Clone, Debug)]
pub struct HeadExport {
    head: Arc<Head>,
    output: OutputPath,
    stored: StoredDeltas,
}

/// What has been written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenHead {
    pub bytes: u64,
    /// What each shape takes and loses; empty unless an error was allowed.
    pub shapes: Vec<StoredShape>,
}

impl WrittenHead {
    /// What an allowed error has saved and cost, as a sentence; none if none was allowed.
    pub fn in_words(&self) -> Option<String> {
        let worst = self.shapes.iter().max_by(|a, b| a.worst_mm.total_cmp(&b.worst_mm))?;
        let [before, after] = [|shape: &StoredShape| shape.bytes_before, |shape: &StoredShape| shape.bytes]
            .map(|size| bytes_in_words(self.shapes.iter().map(size).sum::<usize>() as u64));
        Some(format!(
            "The shapes take {after} instead of {before}. Read back, {} is furthest off, by {:.4} mm.",
            printable(&worst.name),
            worst.worst_mm
        ))
    }
}

impl HeadExport {
    /// Prepares the export. The files that the head was read from are never replaced.
    pub fn new(head: Arc<Head>, output: OutputPath) -> Self {
        let output = output.protecting(head.side_files.iter().cloned());
        Self { head, output, stored: StoredDeltas::default() }
    }

    /// Has targets be written for all vertices, for programs that do not read sparse accessors.
    pub fn dense(self) -> Self {
        Self { stored: StoredDeltas::Dense, ..self }
    }

    /// Has the file be as small as it can be while no vertex of a shape is further off than this, in millimetres; and
    /// compressed, unless it is a VRM avatar.
    pub fn within(self, max_error_mm: f32, is_compressed: bool) -> Self {
        let packing = match (self.is_vrm(), is_compressed) {
            (true, _) => Packing::Floats,
            (false, false) => Packing::Quantised,
            (false, true) => Packing::Compressed,
        };
        Self { stored: StoredDeltas::Within(Precision { max_error_mm, packing }), ..self }
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
        let correctives =
            if self.output.is_stream() { left_out_correctives(&self.head) } else { self.correctives_of_others() };
        left_out(&self.head, self.is_vrm()).into_iter().chain(correctives).collect()
    }

    /// The file of correctives beside the head; none if there is nothing to write.
    fn correctives(&self) -> Option<OutputPath> {
        let (declared, path) = (&self.head.declared_correctives, self.output.path());
        let is_written =
            !declared.is_empty() && !self.output.is_stream() && !import::declares_correctives(path, declared);
        is_written.then(|| self.output.with_path(import::correctives_beside(path)))
    }

    /// That a file of correctives is there already beside a head that has none, as a sentence. It may be somebody's
    /// work, and stays.
    fn correctives_of_others(&self) -> Option<String> {
        let (declared, path) = (&self.head.declared_correctives, self.output.path());
        let is_there = declared.is_empty() && !import::declares_correctives(path, declared);
        let file = printable_path(&import::correctives_beside(path));
        is_there.then(|| {
            format!(
                "{file} declares correctives, of which the head has none: they apply to what was written until that \
                 file is deleted."
            )
        })
    }

    fn is_vrm(&self) -> bool {
        file_kind::VRM.matches(self.output.path())
    }

    pub fn run(&self, progress: Progress<'_>) -> Result<WrittenHead, ExportError> {
        self.output.check()?;
        let correctives = self.correctives();
        correctives.iter().try_for_each(OutputPath::check)?;
        if let Some(problem) = not_an_avatar(&self.head).filter(|_| self.is_vrm()) {
            return Err(failed!("{} cannot be a VRM avatar: {problem}", self.head.name));
        }
        let file = match self.stored {
            StoredDeltas::Within(precision) => small_glb(&self.head, precision, progress),
            stored @ (StoredDeltas::Smallest | StoredDeltas::Dense) => {
                glb_with(&self.head, stored, progress).map(|bytes| SmallGlb { bytes, shapes: Vec::new() })
            }
        };
        let SmallGlb { bytes, shapes } = file.map_err(|error| match error {
            ExportError::Cancelled(_) => error,
            error => failed!("cannot save {}: {error}", self.head.name),
        })?;
        self.output.write(&bytes)?;
        if let Some(output) = correctives {
            output.write(import::correctives_text(&self.head.declared_correctives).as_bytes())?;
        }
        Ok(WrittenHead { bytes: bytes.len() as u64, shapes })
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
