//! What the panels remember of live capture.

use smirk_editor::session::LiveSetup;

/// What the artist has set up for live capture. The setup is saved with the settings; whether it is on is not, so that no port is
/// open that the artist has not asked for in this run.
#[derive(Debug, Default)]
pub struct LivePanel {
    /// Whether Smirk listens.
    pub is_on: bool,
    /// Whether what is on the face is sent on.
    pub sends: bool,
    /// Where and how.
    pub setup: LiveSetup,
    /// The address of the phone while it is typed: it is not used before that has ended.
    pub(super) typed_phone: Option<String>,
    /// The address to send to while it is typed.
    pub(super) typed_to: Option<String>,
    /// The column whose numbers are shown.
    pub(super) shown_column: Option<String>,
}

impl LivePanel {
    /// Off, with the setup of an earlier run.
    pub fn new(setup: LiveSetup) -> Self {
        Self { setup, ..Self::default() }
    }
}
