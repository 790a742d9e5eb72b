//! How a command ends: the exit codes on which scripts and builds act. 0 is success, 1 a failure.

use std::process::ExitCode;

use smirk_export::ExportError;
use smirk_files::live::ListenError;
use thiserror::Error;

/// Arguments that are unknown, or that do not go together, whatever is in the files that they name.
pub const WRONG_USAGE: u8 = 2;
/// A check found what has to be mended. The codes below say that nothing was checked.
pub(super) const CHECK_FAILED: u8 = 3;

/// Arguments that do not go together.
#[derive(Debug, Error)]
#[error("{0} (see smirk --help)")]
pub(super) struct WrongUsage(pub String);

/// The exit code of an error: that of wrong usage also for the name, the size and the samples of an output.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_usage = error.is::<WrongUsage>()
        || matches!(error.downcast_ref(), Some(ExportError::Usage(_)))
        || matches!(
            error.downcast_ref(),
            Some(ListenError::PhoneNeedsIpv4 { .. } | ListenError::PhoneNeedsNetwork { .. })
        );
    if is_usage { ExitCode::from(WRONG_USAGE) } else { ExitCode::FAILURE }
}
