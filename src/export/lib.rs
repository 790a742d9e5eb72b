//! Files that Smirk writes: animation, heads, baked meshes, pictures, films, contact sheets, poses and notes; what the
//! Export page asks for; also the queue of pictures that the window draws.
//!
//! [`fonts`]: fonts of the system, for what is written on pictures and in the window.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

#[macro_use]
mod error;

mod animation;
mod contact_sheet;
mod drawn;
mod film;
pub mod fonts;
mod glb;
mod head;
mod mesh;
mod node_motion;
mod notes;
mod numbered_path;
mod performance;
mod pictures;
mod png;
mod poses;
mod request;
mod span;

pub use animation::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationKeys, AnimationReport, AnimationSettings, LostMotion,
};
pub use contact_sheet::{FinishedSheet, SheetContent, SheetScale, SheetSettings, SheetWork, ShownUnit, version_sheet};
pub use drawn::{Drawing, Renderers, ThumbnailQueue};
pub use error::ExportError;
pub use film::{Dither, Ffmpeg, FilmFormat, FilmPlan, FilmQuality, FilmSettings, FilmSound};
pub use glb::{FlattenedInBetweens, Packing, Precision, SmallGlb, StoredDeltas, StoredShape, glb, glb_with, small_glb};
pub use head::{HeadExport, WrittenHead, not_an_avatar};
pub use mesh::{MeshExport, MeshFormat, MeshSettings};
pub use node_motion::NodeMotion;
pub use notes::{NotesFormat, NotesTableError, notes_text, read_notes};
pub use numbered_path::NumberedPath;
pub use performance::Performance;
pub use pictures::{
    FinishedPicture, FramePattern, FrameWork, Labels, LightPicture, PictureDrawing, PictureFormat, PictureSettings,
    SequencePlan, SequenceSettings, TwoFaces, save_picture, sheet_style,
};
pub use png::save_png;
pub use poses::{poses_text, save_mapping, save_poses};
pub use request::{
    DrawnWork, ExistingFiles, ExportForecast, ExportKind, ExportReport, ExportRequest, ExportWork, FileExport,
    FrameChoice,
};
pub use smirk_base::atomic_file::{OutputPath, WriteError};
pub use span::{FrameSpan, show_at};

use smirk_session::Session;

/// The name of the take that plays, else those of the clips; empty if nothing plays.
fn what_plays(session: &Session) -> String {
    let take = session.take().map(|entry| entry.take.name.clone());
    take.unwrap_or_else(|| session.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>().join(" + "))
}

fn generator() -> String {
    format!("Smirk {}", env!("CARGO_PKG_VERSION"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportPlan {
    pub files: usize,
    /// The number of frames; 1 for what does not move.
    pub frames: usize,
    /// The size of all files in bytes, as far as it can be told without writing them.
    pub bytes: u64,
}

/// A size of files in words: `96 KB`, `3.2 GB`.
pub fn bytes_in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1000)),
        1_000_000..100_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        100_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_round() {
        let words = [0, 999, 45_600_000, 345_600_000, 3_210_000_000].map(bytes_in_words);
        assert_eq!(words, ["0 KB", "1 KB", "45.6 MB", "346 MB", "3.2 GB"]);
    }
}
