//! The colours of contact sheets and of labels on pictures. They equal those of the window, so that a sheet and a
//! screenshot match on one page.

use egui::Color32;

pub const BACKGROUND: Color32 = Color32::from_rgb(30, 30, 32);
/// What is behind a reference that does not fill its part.
pub const BACKDROP: Color32 = Color32::from_rgb(20, 20, 21);
pub const LINE: Color32 = Color32::from_rgb(58, 58, 62);
pub const TEXT: Color32 = Color32::from_rgb(226, 226, 229);
/// The shade below text on a picture.
pub const TEXT_SHADE: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 190);
pub const TEXT_WEAK: Color32 = Color32::from_rgb(160, 160, 167);
