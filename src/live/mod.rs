//! Live capture: the face of a performer, sent over the network by an app, as frames of named values.

mod frame;

pub use frame::LiveFrame;
