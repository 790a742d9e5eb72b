//! The options for what a picture shows, and from where.

use std::path::PathBuf;

use clap::Args;

use super::compare::CompareArgs;
use super::reference::ReferenceArgs;
use super::surface::SurfaceArgs;
use crate::cli::values::{by_name_or_number, labels, one_of, size, view};
use smirk_export::{Labels, PictureSettings};
use smirk_face::head::Frame;
use smirk_scene::{BlendMode, Camera, View};
use smirk_session::Session;

#[derive(Debug, Args)]
pub(in crate::cli) struct PictureArgs {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = size)]
    pub size: [u32; 2],
    /// Number of samples that are accumulated for soft shadows and smooth edges; with 0, pictures are drawn as while
    /// the head moves
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=4096))]
    samples: u32,
    /// front, threequarter, left, right, or yaw,pitch in degrees [default: front; of exports the view of the project,
    /// if it is one]
    #[arg(long, value_parser = view, allow_hyphen_values = true)]
    view: Option<View>,
    /// What of the head fills the picture [default: face]
    #[arg(long, value_name = "face|head|body|all", value_parser = one_of(Frame::EACH, Frame::keyword))]
    frame: Option<Frame>,
    /// Camera of the head's file to look through, by number from 0 or by name
    #[arg(long, value_name = "N|NAME", conflicts_with_all = ["view", "frame"])]
    camera: Option<String>,
    /// Leave out the background
    #[arg(long)]
    transparent: bool,
    /// Write on the picture: the names of the head and of what plays, timecode and frame, channels that are not at rest
    #[arg(long, value_name = "name,time,rows", num_args = 0..=1, require_equals = true, default_missing_value = "name,time,rows", value_parser = labels)]
    labels: Option<Labels>,
    #[command(flatten)]
    surface: SurfaceArgs,
    #[command(flatten)]
    pub compare: CompareArgs,
    #[command(flatten)]
    reference: ReferenceArgs,
}

pub(in crate::cli) struct AskedPicture {
    pub settings: PictureSettings,
    /// The files that were read for what is compared and for the reference.
    pub files: Vec<PathBuf>,
}

impl PictureArgs {
    /// The picture of a session in a mode, to which the options are applied. Without an option for it, the camera is
    /// `usual`, or else in front.
    pub(in crate::cli) fn apply(
        &self,
        session: &mut Session,
        usual: Option<Camera>,
        mode: BlendMode,
    ) -> anyhow::Result<AskedPicture> {
        let head = session.head.clone();
        self.surface.apply(session)?;
        let mut files = self.compare.apply(session)?;
        files.extend(self.reference.apply(session)?);
        let (compared, with_reference) = (self.compare.faces(), self.reference.is_some());
        let aspect = PictureSettings::aspect(self.size, PictureSettings::parts(session, compared, with_reference));
        let mut camera = Camera::framing(head.focus, head.character, self.view.unwrap_or(View::Front), aspect);
        camera.frame_part(&head, self.frame.unwrap_or_default(), aspect);
        if let Some(wanted) = &self.camera {
            let names: Vec<&str> = head.cameras.iter().map(|camera| camera.name.as_str()).collect();
            let index = by_name_or_number("--camera", wanted, &head.name, "cameras", &names)?;
            camera.look_through(&head.cameras[index]);
        } else if self.view.is_none()
            && self.frame.is_none()
            && let Some(usual) = usual
        {
            camera = usual;
        }
        let settings = PictureSettings {
            size: self.size,
            samples: self.samples,
            camera,
            turn_secs: None,
            mode,
            is_transparent: self.transparent,
            labels: self.labels.unwrap_or_default(),
            compared,
            with_reference,
        };
        Ok(AskedPicture { settings, files })
    }
}
