//! The panels of the window, without the window.

use egui::{Event, Pos2, RawInput, Rect, vec2};
use smirk_base::job::JobStatus;
use smirk_editor::document::DocumentStatus;
use smirk_face::head::OfHead;
use smirk_graphics::blend::{Memory, Precision};
use smirk_scene::Quality;
use smirk_session::Session;
use smirk_ui::{Notice, Panels, Readings, Readout, UiState, theme};

/// The size of the window in points.
pub const SIZE: [u32; 2] = [1600, 1000];

/// The panels with their state.
pub struct PanelsAlone {
    pub ctx: egui::Context,
    pub panels: Panels,
    pub state: UiState,
    readout: Readout,
    time_secs: f64,
}

impl PanelsAlone {
    /// The panels as at the first start.
    pub fn new() -> Self {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let readout = Readout {
            adapter: String::new(),
            is_software: false,
            frame_ms: None,
            blend_ms: None,
            draw_ms: None,
            quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
            memory: Memory { precision: Precision::Packed, delta_bytes: 0, cpu_bytes: 0, gpu_bytes: 0 },
            error: None,
            measuring: JobStatus::Idle,
            unavailable_modes: Vec::new(),
        };
        Self { ctx, panels: Panels::default(), state: UiState::default(), readout, time_secs: 0.0 }
    }

    /// The panels a sixtieth of a second later.
    pub fn frame(&mut self, session: &mut Session, events: Vec<Event>) -> egui::FullOutput {
        self.time_secs += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(SIZE[0] as f32, SIZE[1] as f32))),
            time: Some(self.time_secs),
            events,
            ..RawInput::default()
        };
        let findings = OfHead::with(&session.head, Vec::new());
        let readings = Readings {
            readout: &self.readout,
            notice: &Notice::Idle,
            status: None,
            problem: None,
            sheet: None,
            export: &smirk_ui::ExportView::default(),
            prompt: None,
            marked: None,
            notifier: &|| Box::new(|| {}),
            version_sheet: None,
            document: &DocumentStatus::default(),
            recent: &[],
            thumbnails: &OfHead::default(),
            reference: None,
            findings: Some(&findings),
            is_file_hovering: false,
        };
        let (panels, state) = (&mut self.panels, &mut self.state);
        self.ctx.run_ui(input, |ui| drop(panels.show(ui, session, state, &readings)))
    }
}
