//! The size that the window opens with.

use winit::dpi::LogicalSize;

/// The space that a title bar, a window frame and the desktop's own bars may take from a screen.
const DECORATIONS: LogicalSize<f32> = LogicalSize::new(16.0, 80.0);
/// In a smaller window, the panels would leave no room for the picture.
pub(super) const MIN_SIZE: LogicalSize<f32> = LogicalSize::new(960.0, 600.0);

/// The size of the last run, as far as the screen allows, and whether the window is to be maximized: one that only just fits
/// would have its title bar or its last row beyond the edge of the screen.
pub(super) fn initial_size(last: [f32; 2], screen: Option<LogicalSize<f32>>) -> (LogicalSize<f32>, bool) {
    let [width, height] = last;
    let Some(screen) = screen else { return (LogicalSize::new(width, height), false) };
    let size = LogicalSize::new(width.min(screen.width), height.min(screen.height));
    let fits = width + DECORATIONS.width <= screen.width && height + DECORATIONS.height <= screen.height;
    (LogicalSize::new(size.width.max(MIN_SIZE.width), size.height.max(MIN_SIZE.height)), !fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_does_not_clearly_fit_is_maximized() {
        let on = |width, height| initial_size([1600.0, 1000.0], Some(LogicalSize::new(width, height)));
        assert_eq!(on(1920.0, 1200.0), (LogicalSize::new(1600.0, 1000.0), false));
        assert_eq!(on(1600.0, 1000.0), (LogicalSize::new(1600.0, 1000.0), true), "no room for a title bar");
        assert_eq!(on(1280.0, 720.0), (LogicalSize::new(1280.0, 720.0), true));
        assert_eq!(on(800.0, 480.0), (MIN_SIZE, true));
        assert_eq!(initial_size([1600.0, 1000.0], None), (LogicalSize::new(1600.0, 1000.0), false));
    }
}
