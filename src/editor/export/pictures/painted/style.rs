//! The colours of contact sheets and of labels on pictures. They equal those of the window, so that a sheet and a screenshot match on
//! one page.

use egui::Color32;

/// The background of the sheet.
pub(in crate::export) const BACKGROUND: Color32 = Color32::from_rgb(30, 30, 32);
/// What is behind a reference that does not fill its part.
pub(in crate::export) const BACKDROP: Color32 = Color32::from_rgb(20, 20, 21);
/// The line under the heading.
pub(in crate::export) const LINE: Color32 = Color32::from_rgb(58, 58, 62);
/// The frame of a slot that is left free.
pub(in crate::export) const FREE_SLOT: Color32 = Color32::from_rgb(46, 46, 50);
/// The title and the names under the pictures.
pub(in crate::export) const TEXT: Color32 = Color32::from_rgb(226, 226, 229);
/// The shade below text on a picture.
pub(in crate::export) const TEXT_SHADE: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 190);
/// The facts under the title.
pub(in crate::export) const TEXT_WEAK: Color32 = Color32::from_rgb(160, 160, 167);

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_ui::theme;

    #[test]
    fn a_sheet_has_the_colours_of_the_window() {
        let window = [theme::PANEL, theme::BACKDROP, theme::LINE, theme::WELL, theme::TEXT, theme::TEXT_WEAK];
        assert_eq!([BACKGROUND, BACKDROP, LINE, FREE_SLOT, TEXT, TEXT_WEAK], window);
    }
}
