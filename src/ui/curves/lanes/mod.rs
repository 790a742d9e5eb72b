//! Lanes between the ruler and the plot: the waveform of the sound, and the markers.

mod markers;
mod waveform;

use egui::Rect;

use smirk_editor::session::Session;
use smirk_files::audio::Sound;

use super::extent::Extent;
use super::state::CurvesState;

pub(super) use markers::MarkerLane;

/// The least height of what is below the lanes; with less, there are none.
const LEAST_BELOW: f32 = 60.0;

/// Where the lanes are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    waveform: Option<Rect>,
    markers: Option<Rect>,
}

impl Lanes {
    /// The lanes at the top of `area`, and what is left of it. Each lane is there while it has something to show.
    pub(super) fn at_top_of(area: Rect, session: &Session) -> (Self, Rect) {
        let mut left = area;
        let mut take = |height: f32, has_content: bool| {
            if !has_content || left.height() - height < LEAST_BELOW {
                return None;
            }
            let lane = left.with_max_y(left.top() + height);
            left.set_top(lane.bottom());
            Some(lane)
        };
        let waveform = take(waveform::HEIGHT, session.sound().is_some());
        let markers = take(markers::HEIGHT, !session.edits.markers.is_empty());
        (Self { waveform, markers }, left)
    }

    /// Shows the lanes, and lets markers be edited.
    pub(super) fn show_ui(
        &self,
        ui: &mut egui::Ui,
        extent: &Extent,
        session: &mut Session,
        curves: &mut CurvesState,
        sound: Option<&Sound>,
    ) {
        if let Some(lane) = self.waveform {
            waveform::paint_ui(ui, lane, extent, session, sound);
        }
        if let Some(lane) = self.markers {
            markers::markers_ui(ui, lane, extent, session, &mut curves.markers);
        }
    }
}
