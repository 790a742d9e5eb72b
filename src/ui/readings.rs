//! What the panels show besides the session: data that the window has read, measured or derived.

use std::path::PathBuf;
use std::sync::Arc;

use image::RgbaImage;

use smirk_analysis::Marked;
use smirk_analysis::lint::Finding;
use smirk_base::job::JobStatus;
use smirk_editor::bench::Report;
use smirk_editor::document::{DocumentStatus, Found, LoadStatus, OpenQuestion};
use smirk_export::ExportKind;
use smirk_face::head::{Head, OfHead};
use smirk_graphics::blend::Memory;
use smirk_picture::render::TimingClock;
use smirk_scene::{BlendMode, Quality};

use crate::thumbnails::Thumbnails;

/// Read-only data that the panels show besides the session.
#[derive(Clone, Copy)]
pub struct Readings<'a> {
    pub readout: &'a Readout,
    /// The notice in the viewport: progress, a message or a question.
    pub notice: &'a Notice,
    /// What was done last, shown in the top row for some seconds.
    pub status: Option<&'a str>,
    /// What is wrong, until that is corrected; shown in the top row while there is no status text.
    pub problem: Option<&'a str>,
    /// The progress of contact sheets, shown below the notice; `None` if there are none.
    pub sheet: Option<SheetStatus>,
    /// The progress of the sheet of what differs most between two versions: what is drawn, and the completed part from
    /// 0 to 1.
    pub version_sheet: Option<(&'a str, f32)>,
    pub export: &'a ExportView,
    /// A question that covers the window until it is answered.
    pub prompt: Option<&'a Prompt>,
    pub document: &'a DocumentStatus,
    pub recent: &'a [PathBuf],
    pub thumbnails: &'a OfHead<Thumbnails>,
    pub reference: Option<&'a ReferenceView<'a>>,
    /// What the lint found in a head; `None` while it is running.
    pub findings: Option<&'a OfHead<Vec<Finding>>>,
    /// What a view that is searched shows of the face in the viewport; `None` until it is found.
    pub marked: Option<&'a Marked>,
    /// A function that a job of a panel calls when it has ended or begins its next step.
    pub notifier: &'a dyn Fn() -> Box<dyn Fn() + Send>,
    pub is_file_hovering: bool,
}

impl<'a> Readings<'a> {
    /// What the lint found in this head; `None` until that is known.
    pub(crate) fn findings_of(&self, head: &Arc<Head>) -> Option<&'a [Finding]> {
        self.findings?.get(head).map(Vec::as_slice)
    }

    /// The thumbnails of this head; `None` before any was drawn.
    pub(crate) fn thumbnails_of(&self, head: &Arc<Head>) -> Option<&'a Thumbnails> {
        self.thumbnails.get(head)
    }
}

/// How far a mode was from the f64 reference when it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorReading {
    pub mode: BlendMode,
    pub max_distance: f64,
    pub max_normal_degrees: f64,
    /// Largest extent of the head, in world units.
    pub head_size: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    pub adapter: String,
    pub is_software: bool,
    /// Smoothed time from frame to frame in milliseconds; `None` while nothing moves.
    pub frame_ms: Option<f32>,
    /// Time of the last blend in milliseconds; `None` in vertex mode, which blends while drawing.
    pub blend_ms: Option<(f32, TimingClock)>,
    pub draw_ms: Option<f32>,
    /// Samples and size of the last rendered image.
    pub quality: Quality,
    pub memory: Memory,
    pub error: Option<ErrorReading>,
    pub measuring: JobStatus<Report>,
    /// Modes that the adapter cannot run with this head, with the reason.
    pub unavailable_modes: Vec<(BlendMode, String)>,
}

impl Readout {
    pub fn why_unavailable(&self, mode: BlendMode) -> Option<&str> {
        let mut modes = self.unavailable_modes.iter();
        modes.find(|(other, _)| *other == mode).map(|(_, reason)| reason.as_str())
    }

    pub fn frame_text(&self) -> Option<String> {
        self.frame_ms.map(|ms| format!("{ms:.1} ms, {:.0} fps", 1000.0 / ms.max(1e-3)))
    }

    /// Time of the last blend, and the clock it was measured with.
    pub fn blend_text(&self, mode: BlendMode) -> String {
        match self.blend_ms {
            Some((ms, TimingClock::Gpu)) => format!("{ms:.2} ms GPU"),
            Some((ms, TimingClock::Cpu)) => format!("{ms:.2} ms CPU"),
            None if mode.blends_while_drawing() => "within draw".into(),
            None => "–".into(),
        }
    }
}

/// The notice on top of the picture: progress, a question, or a message about files.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    Idle,
    Loading {
        name: String,
        stage: String,
        fraction: f32,
    },
    /// The first picture of a head that takes long to draw is not finished yet.
    Drawing {
        name: String,
        fraction: f32,
    },
    /// A question: how the shapes of these files are to be matched with the head.
    MatchShapes {
        files: Vec<PathBuf>,
    },
    Info {
        title: String,
        message: String,
    },
    /// A message that something went wrong. A load that failed leaves the head before on screen.
    Failure {
        title: String,
        message: String,
    },
}

impl From<LoadStatus> for Notice {
    fn from(status: LoadStatus) -> Self {
        match status {
            LoadStatus::Idle => Self::Idle,
            LoadStatus::Loading { name, stage, fraction } => Self::Loading { name, stage, fraction },
            LoadStatus::Failure { title, message } => Self::Failure { title, message },
        }
    }
}

/// The progress of contact sheets, which is shown below the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetStatus {
    /// How many pictures are drawn, and how many there will be; `None` while the file is written.
    pub drawing: Option<(usize, usize)>,
    /// The number of contact sheets that are drawn after this one.
    pub waiting: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// The window is to be closed, and there is unsaved work.
    Quit {
        name: String,
        /// The project file, which does not have the work.
        project: Option<PathBuf>,
        /// Why the work is not kept for the next start, if it is not.
        problem: Option<String>,
        /// Why the last attempt to save it failed.
        failure: Option<String>,
    },
    /// The project was saved while the window is to be closed, but not where the artist has chosen.
    SavedElsewhere { file: PathBuf },
    /// The project is to be saved over a file that another window or program has changed.
    ChangedOnDisk { file: PathBuf, found: Found, failure: Option<String> },
    /// It depends on the artist what is opened.
    Open(OpenQuestion),
    /// Another head was read: whether the work on the one before goes along.
    OpenHead {
        name: String,
        /// What would play on it.
        work: Vec<String>,
        /// The project that has the work; none if it was never saved.
        project: Option<String>,
        is_unsaved: bool,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportView {
    /// The export that is running; the first, if there are several.
    pub running: Option<ExportStatus>,
    /// The version of the ffmpeg for the format that the page shows, or why there is none; `None` while it is not
    /// known.
    pub ffmpeg: Option<Result<String, String>>,
    /// The speed of the last export that was drawn, if there was any: pixels times samples in a second, in millions.
    pub megasamples_per_sec: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExportStatus {
    pub kind: ExportKind,
    /// The current step, in a few words; empty before the first.
    pub stage: String,
    pub fraction: f32,
    pub secs_left: Option<f64>,
    pub waiting: usize,
    /// Whether it was cancelled and is finishing its current step.
    pub is_cancelled: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceView<'a> {
    /// The number of images that follow the play head or could; 0 until it is opened.
    pub count: usize,
    pub frame: usize,
    /// The image that is shown: that at the play head or, until it is decoded, one that was shown before.
    pub image: Option<&'a Arc<RgbaImage>>,
    pub problem: Option<&'a str>,
}
