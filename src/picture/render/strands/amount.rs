//! How many of the grown strands a picture is drawn with. Far away, many strands would lie within one pixel; then fewer are drawn,
//! and wider ones, which looks the same from there (R. Cook et al., "Stochastic simplification of aggregate detail", 2007).

/// The strands of a picture: the first `count` of those that are grown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Amount {
    pub count: u32,
    /// A factor of all widths, which makes up for the strands that are not drawn.
    pub width_factor: f32,
}

impl Amount {
    /// Strands are not drawn wider than this for those that are missing, because they would look like cords.
    const WIDEST: f32 = 1.7;
    /// The least part of the strands, however small the head is in the picture.
    const LEAST_PART: f32 = 0.12;

    /// The amount of `grown` strands whose roots are `width_px` pixels wide, where at most `part` of them may be drawn.
    pub(super) fn new(grown: u32, width_px: f32, part: f32) -> Self {
        // With so many strands each is 0.7 pixels wide.
        let wanted = (width_px / 0.7).clamp(Self::LEAST_PART, 1.0).min(part);
        let count = ((grown as f32 * wanted).ceil() as u32).min(grown);
        let missing = grown as f32 / count.max(1) as f32;
        Self { count, width_factor: missing.clamp(1.0, Self::WIDEST) }
    }

    /// As many strands as `strands.wgsl` draws of these in one picture, where roots are `width_px` pixels wide: of strands thinner than a
    /// pixel it draws a part, a pixel wide. Those that it would leave out are no work this way.
    pub(super) fn of_a_pixel(self, width_px: f32) -> Self {
        /// Some strands are left however small the head is.
        const LEAST_DRAWN: f32 = 1.0 / 16.0;
        let drawn = (width_px * self.width_factor).clamp(LEAST_DRAWN, 1.0);
        Self { count: (self.count as f32 * drawn).ceil() as u32, width_factor: self.width_factor / drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_heads_and_slow_adapters_have_fewer_and_wider_strands() {
        assert_eq!(Amount::new(14_000, 2.0, 1.0), Amount { count: 14_000, width_factor: 1.0 });
        let far = Amount::new(14_000, 0.35, 1.0);
        assert!((6_900..7_100).contains(&far.count) && (far.width_factor - Amount::WIDEST).abs() < 0.02, "{far:?}");
        let slow = Amount::new(14_000, 2.0, 0.2);
        assert_eq!((slow.count, slow.width_factor), (2_800, Amount::WIDEST));
        assert!(Amount::new(14_000, 0.0, 1.0).count > 1_000);
        assert_eq!(Amount::new(0, 1.0, 1.0).count, 0);
        assert!(Amount::new(14_000, f32::NAN, 1.0).count <= 14_000);
    }

    #[test]
    fn strands_thinner_than_a_pixel_are_as_many_as_are_drawn() {
        let thin = Amount { count: 2_800, width_factor: 2.0 };
        assert_eq!(thin.of_a_pixel(0.25), Amount { count: 1_400, width_factor: 4.0 });
        assert_eq!(thin.of_a_pixel(2.0), thin);
        assert_eq!(thin.of_a_pixel(0.0).count, 175);
        assert_eq!(thin.of_a_pixel(f32::NAN).count, 0);
        assert_eq!(Amount::default().of_a_pixel(0.5).count, 0);
    }
}
