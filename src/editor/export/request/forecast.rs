//! What an export will write, told before a place is chosen for it.

use super::{ExportError, ExportKind, ExportRequest, FrameSpan};
use crate::export::{ExportPlan, FilmError, HeadExport, NumberedPath, OutputPath, SheetContent, SheetSettings};
use crate::session::{Session, SheetOf};

/// What an export will write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportForecast {
    /// The number of files.
    pub files: usize,
    /// The frames; none of what does not move.
    pub span: Option<FrameSpan>,
    /// The number of frames of all clips; 1 of what does not move. Of a contact sheet, the number of its pictures.
    pub frames: usize,
    /// About how many bytes all files take; none if that is not known.
    pub bytes: Option<u64>,
    /// Millions of samples of pixels to draw: the time of pictures follows from it.
    pub megasamples: f64,
}

impl ExportForecast {
    /// The forecast of a request, or why nothing can be exported.
    pub fn of(session: &Session, request: &ExportRequest) -> Result<Self, ExportError> {
        let is_still = request.is_still(session);
        if !is_still && !request.moves(session) {
            return Err(ExportError::NothingMoves);
        }
        let span = (!is_still).then(|| request.span(session)).transpose()?;
        let frames = span.map_or(1, |span| span.count());
        let megasamples = request.megasamples() * frames as f64;
        let drawn = |files: usize, bytes: u64| Self { files, span, frames, bytes: Some(bytes), megasamples };
        let anywhere = || {
            let name = format!("export.{}", request.file_kind().extension());
            OutputPath::new(NumberedPath::with_place(name.as_ref()))
        };
        let planned = |plan: ExportPlan| Self {
            files: plan.files,
            span,
            frames: plan.frames,
            bytes: Some(plan.bytes),
            megasamples: 0.0,
        };
        match request.kind {
            ExportKind::Animation => Ok(planned(request.animation_export(session, anywhere())?.plan())),
            ExportKind::Head => Ok(planned(HeadExport::new(session.head.clone(), anywhere()).plan())),
            ExportKind::Mesh => Ok(planned(request.mesh_export(session, anywhere())?.plan())),
            ExportKind::Pictures => {
                let settings = request.sequence(session)?;
                settings.check(session, request.picture)?;
                Ok(drawn(frames, settings.estimated_bytes(request.picture, frames)))
            }
            ExportKind::Film => {
                let settings = request.film(session)?;
                settings.check()?;
                settings.pictures.check(session).map_err(FilmError::from)?;
                Ok(drawn(1, settings.estimated_bytes()))
            }
            ExportKind::Sheet => {
                let count = sheet_pictures(session, request.sheet)?;
                let cell = f64::from(SheetSettings::default().cell_px);
                let megasamples = count as f64 * cell * cell * 1.25 / 1e6;
                Ok(Self { files: 1, span: None, frames: count, bytes: None, megasamples })
            }
        }
    }
}

/// The number of pictures of a contact sheet.
fn sheet_pictures(session: &Session, of: SheetOf) -> Result<usize, ExportError> {
    let (count, missing) = match of {
        SheetOf::Expressions if session.head.channels.is_empty() => (0, "this head has no expressions"),
        SheetOf::Expressions => (session.head.channels.len() + 1, ""),
        SheetOf::Poses => (session.edits.poses.len(), "save a pose first"),
        SheetOf::Moments if session.timeline_secs() == 0.0 => return Err(ExportError::NothingMoves),
        SheetOf::Moments => (SheetContent::DEFAULT_MOMENTS, ""),
    };
    if count == 0 { Err(ExportError::EmptySheet(missing)) } else { Ok(count) }
}
