//! Files that Smirk writes: animation, heads, baked meshes, pictures, films, contact sheets and poses; what the Export page asks for;
//! also the queue of pictures that the window draws.

mod animation;
mod contact_sheet;
mod film;
mod generator;
mod glb;
mod head;
mod mesh;
mod node_motion;
mod numbered_path;
mod owned_scene;
mod performance;
mod picture_queue;
mod picture_work;
mod pictures;
mod plan;
mod png;
mod poses;
mod request;
mod span;

pub use animation::{
    AnimationClip, AnimationError, AnimationExport, AnimationFormat, AnimationKeys, AnimationReport, AnimationSettings,
    LostMotion,
};
pub use contact_sheet::{FinishedSheet, SheetContent, SheetError, SheetSettings, SheetWork, version_sheet};
pub use film::{Dither, Ffmpeg, FfmpegError, FilmError, FilmFormat, FilmPlan, FilmSettings, FilmSound, FilmWork};
pub use glb::{FlattenedInBetweens, GlbError, glb, save_glb};
pub use head::left_out_correctives;
pub use head::{HeadError, HeadExport};
pub use mesh::{MeshError, MeshExport, MeshFormat, MeshSettings};
pub use node_motion::NodeMotion;
pub use numbered_path::{NoNumber, NumberedPath};
pub use owned_scene::OwnedScene;
pub use performance::{Performance, PerformanceError};
pub use picture_queue::{PictureQueue, SheetFailure, SheetProgress};
pub use picture_work::{Drawing, Renderers};
pub use pictures::{
    FramePattern, Labels, LightPicture, PatternError, Picture, PictureDrawing, PictureError, PictureFormat,
    PictureSettings, SequenceError, SequencePlan, SequenceSettings, SequenceWork, TwoFaces, save_picture, sheet_style,
};
pub use plan::ExportPlan;
pub use plan::bytes_in_words;
pub use png::save_png;
pub use poses::poses_text;
pub use poses::save_poses;
pub use request::{
    DrawnExport, ExistingFiles, ExportError, ExportForecast, ExportKind, ExportReport, ExportRequest, ExportWork,
    FileExport, FrameChoice,
};
pub use smirk_base::atomic_file::{OutputPath, WriteError};
pub use span::{FrameSpan, SpanError};
