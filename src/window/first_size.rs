//! How large the window opens.

use winit::dpi::LogicalSize;

/// What a title bar, a frame and the desktop's own bars may take of a screen.
const TAKEN: LogicalSize<f32> = LogicalSize::new(16.0, 80.0);
/// Below this, the panels leave no picture.
pub(super) const LEAST: LogicalSize<f32> = LogicalSize::new(960.0, 600.0);

/// The size that was wanted, as far as the screen goes, and whether the window fills it: one that only just fits would
/// have its title bar or its last row beyond the edge.
pub(super) fn first_size(wanted: [f32; 2], screen: Option<LogicalSize<f32>>) -> (LogicalSize<f32>, bool) {
    let [width, height] = wanted;
    let Some(screen) = screen else { return (LogicalSize::new(width, height), false) };
    let size = LogicalSize::new(width.min(screen.width), height.min(screen.height));
    let fits = width + TAKEN.width <= screen.width && height + TAKEN.height <= screen.height;
    (LogicalSize::new(size.width.max(LEAST.width), size.height.max(LEAST.height)), !fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_does_not_clearly_fit_fills_the_screen() {
        let on = |width, height| first_size([1600.0, 1000.0], Some(LogicalSize::new(width, height)));
        assert_eq!(on(1920.0, 1200.0), (LogicalSize::new(1600.0, 1000.0), false));
        assert_eq!(on(1600.0, 1000.0), (LogicalSize::new(1600.0, 1000.0), true), "no room for a title bar");
        assert_eq!(on(1280.0, 720.0), (LogicalSize::new(1280.0, 720.0), true));
        assert_eq!(on(800.0, 480.0), (LEAST, true));
        assert_eq!(first_size([1600.0, 1000.0], None), (LogicalSize::new(1600.0, 1000.0), false));
    }
}
