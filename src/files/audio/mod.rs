//! Sound: files decoded to samples, their waveform, and an output that says what is heard.
//!
//! A sound is decoded as a whole in a job, and is plain data from then on. What plays of it is decided by the window
//! once a frame; the output renders it on a thread of its own, which is started when a sound is first played and ends
//! when none has been for a while. [`listen`] hands over what a microphone hears, and [`WavWriter`] keeps it.

mod decode;
mod device;
mod heard;
mod input;
mod mixer;
mod mp4_edit;
mod output;
mod player;
mod sound;
mod wav;

pub use decode::{SoundError, open, open_bytes};
pub use device::DeviceError;
pub use input::{Microphone, Piece, listen, microphones};
pub use player::{Loudness, Playback, Player};
pub use sound::{Sound, Waveform};
pub use wav::{WavWriter, complete_wav};
