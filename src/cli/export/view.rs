//! The options for what the pictures of an export show.

use clap::Args;

use crate::blend::BlendMode;
use crate::cli::values::{by_name_or_number, labels, size, view};
use crate::export::{Labels, PictureSettings};
use crate::scene::{Camera, View};
use crate::session::{ComparedWith, Session};

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
    /// Show side by side what plays and what it is compared with: the compared take of the project, or the take as it was recorded
    #[arg(long, value_name = "take|recording", value_parser = compared_with)]
    compare: Option<ComparedWith>,
}

impl ViewArgs {
    /// The pictures of a session. `is_project` says whether it has a view of its own.
    pub(super) fn settings(&self, session: &mut Session, is_project: bool) -> anyhow::Result<PictureSettings> {
        let head = session.head.clone();
        if let Some(with) = self.compare {
            session.compared_with = with;
        }
        let is_compared = self.compare.is_some();
        let aspect = PictureSettings::aspect(self.size, is_compared);
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
            is_compared,
        };
        settings.check(session)?;
        Ok(settings)
    }
}

fn turn_secs(text: &str) -> Result<f32, String> {
    let secs = text.parse().ok().filter(|secs: &f32| secs.is_finite() && *secs > 0.0);
    secs.ok_or_else(|| "a number of seconds above 0".into())
}

fn compared_with(text: &str) -> Result<ComparedWith, String> {
    match text {
        "take" => Ok(ComparedWith::Take),
        "recording" => Ok(ComparedWith::Recording),
        _ => Err("take or recording".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_take_some_time() {
        assert!(turn_secs("4").is_ok() && turn_secs("0").is_err() && turn_secs("inf").is_err());
    }
}
