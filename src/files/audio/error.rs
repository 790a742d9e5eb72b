//! Why a sound does not open.

use std::io;

use smirk_base::progress::Cancelled;

/// Why a sound does not open. The words follow the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum SoundError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The operating system cannot read the file.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The file has no sound of a known format.
    #[error("is no sound that Smirk reads ({reason}): save it as WAV, FLAC, MP3, OGG Vorbis or M4A (AAC)")]
    Unknown {
        /// What the decoder says.
        reason: String,
    },
    /// The file states no rate, or one that no sound has.
    #[error("states {rate} samples per second; from {} to {} are possible", super::Sound::RATES[0], super::Sound::RATES[1])]
    Rate {
        /// Samples per second.
        rate: u32,
    },
    /// The format changes within the file.
    #[error("changes its sample rate or its channels after {secs:.1} s: save it as one WAV file")]
    Changes {
        /// Where it changes.
        secs: f64,
    },
    /// Nothing in it can be decoded.
    #[error("holds nothing that can be decoded ({reason}): it is damaged or empty; save it again")]
    Empty {
        /// What the decoder says of the first part, if there is one.
        reason: String,
    },
    /// It would need too much memory.
    #[error("is longer than {} minutes, the most that Smirk keeps in memory: cut it", .secs / 60.0)]
    TooLong {
        /// The longest sound at its rate and number of channels.
        secs: f64,
    },
    /// The decoder has a fault.
    #[error("cannot be decoded: the decoder stopped on it. Save it as a WAV file")]
    Panicked,
}
