//! The options for what the pictures of an export show.

use std::path::PathBuf;

use clap::Args;

use crate::cli::draw::compare::CompareArgs;
use crate::cli::draw::reference::ReferenceArgs;
use crate::cli::draw::surface::SurfaceArgs;
use crate::cli::values::{by_name_or_number, labels, size, view};
use smirk_editor::export::{Labels, PictureSettings};
use smirk_editor::session::Session;
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::{Camera, View};

/// The options for what the pictures of an export show.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = size)]
    pub size: [u32; 2],
    /// Number of samples that are accumulated for soft shadows and smooth edges; with 0, pictures are drawn as while the head moves
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=4096))]
    samples: u32,
    /// front, threequarter, left, right, or yaw,pitch in degrees [default: the view of the project, else front]
    #[arg(long, value_parser = view, allow_hyphen_values = true)]
    view: Option<View>,
    /// Camera of the head's file to look through, by number from 0 or by name
    #[arg(long, value_name = "N|NAME", conflicts_with = "view")]
    camera: Option<String>,
    /// Make the camera go around the head once in so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = turn_secs)]
    turntable: Option<f32>,
    /// Leave out the background
    #[arg(long)]
    transparent: bool,
    /// Write on the pictures: the names of the head and of what plays, timecode and frame, channels that are not at rest
    #[arg(long, value_name = "name,time,rows", num_args = 0..=1, require_equals = true, default_missing_value = "name,time,rows", value_parser = labels)]
    labels: Option<Labels>,
    /// What is shown of the surface.
    #[command(flatten)]
    surface: SurfaceArgs,
    /// What is compared with what plays.
    #[command(flatten)]
    pub compare: CompareArgs,
    /// The reference.
    #[command(flatten)]
    reference: ReferenceArgs,
}

impl ViewArgs {
    /// The pictures of a session, and the files that were read for them. `is_project` says whether it has a view of its own.
    pub(super) fn settings(
        &self,
        session: &mut Session,
        is_project: bool,
    ) -> anyhow::Result<(PictureSettings, Vec<PathBuf>)> {
        let head = session.head.clone();
        self.surface.apply(session)?;
        let files = self.compare.apply(session)?;
        // Whether an image of the reference would be replaced is seen where the names of the pictures are known.
        self.reference.apply(session)?;
        let (compared, with_reference) = (self.compare.faces(), self.reference.is_some());
        let aspect = PictureSettings::aspect(self.size, PictureSettings::parts(session, compared, with_reference));
        let framed = |view| Camera::framing(head.focus, head.bounds, view, aspect);
        let camera = match (&self.camera, self.view) {
            (Some(wanted), _) => {
                let names: Vec<&str> = head.cameras.iter().map(|camera| camera.name.as_str()).collect();
                let index = by_name_or_number("--camera", wanted, &head.name, "cameras", &names)?;
                let mut camera = framed(View::Front);
                camera.look_through(&head.cameras[index]);
                camera
            }
            (None, Some(view)) => framed(view),
            (None, None) if is_project => session.camera,
            (None, None) => framed(View::Front),
        };
        let settings = PictureSettings {
            size: self.size,
            samples: self.samples,
            camera,
            turn_secs: self.turntable,
            mode: BlendMode::Compute,
            is_transparent: self.transparent,
            labels: self.labels.unwrap_or_default(),
            compared,
            with_reference,
        };
        settings.check(session)?;
        Ok((settings, files))
    }
}

fn turn_secs(text: &str) -> Result<f32, String> {
    let secs = text.parse().ok().filter(|secs: &f32| secs.is_finite() && *secs > 0.0);
    secs.ok_or_else(|| "a number of seconds above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_take_some_time() {
        assert!(turn_secs("4").is_ok() && turn_secs("0").is_err() && turn_secs("inf").is_err());
    }
}
