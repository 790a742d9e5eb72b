//! Colours of numbers, in steps that look equally large.

/// A scale of colours for the numbers 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScale {
    /// From dark blue over green to yellow, ever brighter: viridis of matplotlib (S. van der Walt and N. Smith, 2015, CC0), in the
    /// polynomials of degree 6 that M. Zucker fitted to it (shadertoy.com/view/WlfXRN, CC0).
    Viridis,
    /// From blue over light grey, at 0.5, to red: the three colours of the cool-warm scale (K. Moreland, "Diverging color maps for
    /// scientific visualization", 2009), with straight lines between them.
    CoolWarm,
}

/// The coefficients of viridis, of the power 0 first.
pub(crate) const VIRIDIS: [[f32; 3]; 7] = [
    [0.277_727_33, 0.005_407_344_5, 0.334_099_8],
    [0.105_093_04, 1.404_613_5, 1.384_590_2],
    [-0.330_861_83, 0.214_847_56, 0.095_095_16],
    [-4.634_230_5, -5.799_101, -19.332_441],
    [6.228_27, 14.179_934, 56.690_55],
    [4.776_385, -13.745_145, -65.353_03],
    [-5.435_456, 4.645_852_6, 26.312_435],
];

/// The colours of 0, 0.5 and 1.
pub(crate) const COOL_WARM: [[f32; 3]; 3] = [[0.230, 0.299, 0.754], [0.865, 0.865, 0.865], [0.706, 0.016, 0.150]];

/// The colour of what crosses, sRGB, in [`ViewMode::Crossings`](super::ViewMode::Crossings).
pub const CROSSING: [f32; 3] = [0.93, 0.07, 0.22];

/// What stands for the value of a vertex that has none.
pub(crate) const NO_VALUE: f32 = -8.0;

/// The colour of what has no value, sRGB, in a heat map.
pub const WITHOUT_VALUE: [f32; 3] = [0.42, 0.42, 0.42];

impl ColorScale {
    /// The colour of a number, sRGB, 0..1. Numbers outside 0..1 have the colour of the nearest end.
    pub fn color(self, value: f32) -> [f32; 3] {
        let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        match self {
            Self::Viridis => std::array::from_fn(|channel| {
                let sum = VIRIDIS.iter().rev().fold(0.0, |sum, power| sum * value + power[channel]);
                sum.clamp(0.0, 1.0)
            }),
            Self::CoolWarm => {
                let (half, part) = if value < 0.5 { (0, value * 2.0) } else { (1, value * 2.0 - 1.0) };
                std::array::from_fn(|channel| {
                    COOL_WARM[half][channel] * (1.0 - part) + COOL_WARM[half + 1][channel] * part
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_is_that_of_matplotlib() {
        let known = [
            (0.0, [0.267_004, 0.004_874, 0.329_415]),
            (0.25, [0.229_739, 0.322_361, 0.545_706]),
            (0.5, [0.127_568, 0.566_949, 0.550_556]),
            (0.75, [0.360_741, 0.785_964, 0.387_814]),
            (1.0, [0.993_248, 0.906_157, 0.143_936]),
        ];
        for (value, expected) in known {
            let color = ColorScale::Viridis.color(value);
            let apart = color.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 0.02, "{value}: {color:?} is not {expected:?}");
        }
    }

    #[test]
    fn the_scales_go_on_in_one_direction_and_end_at_their_ends() {
        let luminance = |color: [f32; 3]| 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
        let of = |scale: ColorScale, step: usize| luminance(scale.color(step as f32 / 100.0));
        assert!((0..100).all(|step| of(ColorScale::Viridis, step) < of(ColorScale::Viridis, step + 1)));
        assert_eq!(ColorScale::CoolWarm.color(0.5), COOL_WARM[1]);
        for scale in [ColorScale::Viridis, ColorScale::CoolWarm] {
            assert_eq!(scale.color(-3.0), scale.color(0.0));
            assert_eq!(scale.color(7.0), scale.color(1.0));
            assert_eq!(scale.color(f32::NAN), scale.color(0.0));
        }
    }
}
