//! What the window says of itself in the file that `SMIRK_STATE_FILE` names.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What the window showed in its last frame that changed any of it.
#[derive(Clone, Debug, Deserialize)]
pub struct State {
    /// Number of frames so far.
    pub frame: u64,
    pub title: String,
    /// The picture is as fine as it becomes, and no job is running that would change it or the panels.
    pub is_at_rest: bool,
    pub is_focused: bool,
    pub pointer: Option<[f32; 2]>,
    pub mode: String,
    pub is_playing: bool,
    pub play_head_secs: f32,
    pub channels: BTreeMap<String, f32>,
    pub poses: Vec<String>,
    pub keys: BTreeMap<String, Vec<[f32; 2]>>,
    pub selected_keys: usize,
    pub widgets: Vec<Widget>,
}

/// A widget as screen readers know it.
#[derive(Clone, Debug, Deserialize)]
pub struct Widget {
    pub role: String,
    pub name: String,
    pub text: Option<String>,
    pub number: Option<f64>,
    /// Left, top, right and bottom, in pixels.
    pub rect: [f32; 4],
    pub is_focused: bool,
    pub is_disabled: bool,
}

impl State {
    /// The widget of this name, if there is one. Of a text and a control, the control.
    pub fn widget(&self, name: &str) -> Option<&Widget> {
        let mut named = self.widgets.iter().filter(|widget| widget.name == name);
        let first = named.next()?;
        Some(if first.role == "Label" { named.next().unwrap_or(first) } else { first })
    }

    /// Whether a widget of this name is shown.
    pub fn shows(&self, name: &str) -> bool {
        self.widget(name).is_some()
    }

    /// Whether a text is shown somewhere that contains this.
    pub fn says(&self, part: &str) -> bool {
        self.widgets.iter().any(|widget| widget.name.contains(part))
    }

    /// The value of a channel on the screen.
    pub fn value(&self, channel: &str) -> f32 {
        *self.channels.get(channel).unwrap_or_else(|| panic!("no channel {channel}"))
    }

    /// Poses of the artist, beyond those that the bundled head comes with.
    pub fn own_poses(&self) -> usize {
        self.poses.iter().filter(|name| name.starts_with("Pose ")).count()
    }
}

impl Widget {
    /// The pixel at these fractions of its width and height.
    pub fn at(&self, [x, y]: [f32; 2]) -> [i32; 2] {
        let [left, top, right, bottom] = self.rect;
        [left + (right - left) * x, top + (bottom - top) * y].map(|position| position.round() as i32)
    }

    pub fn middle(&self) -> [i32; 2] {
        self.at([0.5, 0.5])
    }
}
