//! The process of the window: the display server it talks to, and the ends at which the window is not closed in order.

pub(super) mod abnormal_end;
pub(super) mod display_server;
