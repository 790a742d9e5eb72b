//! Requests of the panels about live capture.

use super::calibration::CalibrationKind;

/// A request about live capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveCommand {
    /// Begin a recording, or end the one under way.
    Record,
    /// Look for microphones.
    FindMicrophones,
    /// Collect faces for a calibration; none ends it without a change.
    Calibrate(Option<CalibrationKind>),
}
