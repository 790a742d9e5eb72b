//! Errors that `cpal` reports while a stream runs.

use std::sync::mpsc::Receiver;

use cpal::{Error, ErrorKind};

/// The first error after which a stream goes on no more.
pub(in crate::audio) fn first_failure(failures: &Receiver<Error>) -> Option<Error> {
    let is_harmless =
        |error: &Error| matches!(error.kind(), ErrorKind::DeviceChanged | ErrorKind::Xrun | ErrorKind::RealtimeDenied);
    failures.try_iter().find(|error| !is_harmless(error))
}
