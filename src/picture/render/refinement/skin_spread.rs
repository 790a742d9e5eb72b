//! How far light spreads in skin: the sum of two Gaussians per channel, red furthest (J. Jimenez and others, "Separable subsurface
//! scattering", 2015; the profile of skin is from E. d'Eon and D. Luebke, "Advanced techniques for realistic real-time skin
//! rendering", 2007).

/// The number of distances; `finish.wgsl` has the same number.
pub(crate) const TAPS: usize = 8;

/// The standard deviations in millimetres: of the light that leaves close to where it arrived, and of the light that goes far.
const NEAR_MM: [f32; 3] = [0.55, 0.34, 0.22];
const FAR_MM: [f32; 3] = [2.3, 1.05, 0.6];
/// The fraction of the light that goes far.
const FAR_SHARE: [f32; 3] = [0.52, 0.38, 0.3];
/// A factor of all widths: the whole width makes wax of a face that fills a screen.
const WIDTH: f32 = 0.65;
/// The largest distance, in millimetres before [`WIDTH`].
const REACH_MM: f32 = 5.6;

/// The largest distance in millimetres.
pub(super) const MOST_MM: f32 = REACH_MM * WIDTH;

/// The weights per channel and the distance in millimetres of each tap; the first is the middle, and the others count on both sides.
/// The weights of each channel add up to 1.
pub(super) fn taps() -> [[f32; 4]; TAPS] {
    let last = (TAPS - 1) as f32;
    // The distances grow with their square, because the profile is sharp in the middle.
    let distance = |at: f32| (at / last) * (at / last) * REACH_MM;
    let weights = |channel: usize, index: usize| {
        // Each tap stands for the distances nearer to it than to its neighbours.
        let begin = if index == 0 { 0.0 } else { distance(index as f32 - 0.5) };
        let end = if index == TAPS - 1 { REACH_MM * 1.5 } else { distance(index as f32 + 0.5) };
        let part = |sigma: f32| (error_function(end / sigma) - error_function(begin / sigma)) * 0.5;
        let far = FAR_SHARE[channel];
        (1.0 - far) * part(NEAR_MM[channel]) + far * part(FAR_MM[channel])
    };
    let mut taps = [[0.0; 4]; TAPS];
    for channel in 0..3 {
        let raw: [f32; TAPS] = std::array::from_fn(|index| weights(channel, index));
        let sum: f32 = raw.iter().sum::<f32>() * 2.0;
        for (index, tap) in taps.iter_mut().enumerate() {
            // The middle is one tap with the weight of both its sides.
            tap[channel] = raw[index] / sum * if index == 0 { 2.0 } else { 1.0 };
            tap[3] = distance(index as f32) * WIDTH;
        }
    }
    taps
}

/// The part of a normal distribution with standard deviation 1 that is within ±x (M. Abramowitz and I. Stegun, "Handbook of
/// mathematical functions", 7.1.25).
fn error_function(x: f32) -> f32 {
    let x = x / std::f32::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.470_47 * x);
    1.0 - t * (0.348_024_2 + t * (-0.095_879_8 + t * 0.747_855_6)) * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_each_channel_add_up_to_1() {
        for channel in 0..3 {
            let sides: f32 = taps()[1..].iter().map(|tap| tap[channel]).sum();
            assert!((taps()[0][channel] + 2.0 * sides - 1.0).abs() < 1e-5, "channel {channel}");
        }
    }

    #[test]
    fn red_light_goes_furthest_and_the_width_is_that_of_the_two_gaussians() {
        let deviation =
            |channel: usize| taps()[1..].iter().map(|tap| 2.0 * tap[channel] * tap[3] * tap[3]).sum::<f32>().sqrt();
        assert!(deviation(0) > deviation(1) && deviation(1) > deviation(2));
        for channel in 0..3 {
            let far = FAR_SHARE[channel];
            let (near_mm, far_mm) = (NEAR_MM[channel], FAR_MM[channel]);
            let expected = ((1.0 - far) * near_mm * near_mm + far * far_mm * far_mm).sqrt() * WIDTH;
            assert!((deviation(channel) / expected - 1.0).abs() < 0.08, "{} of {expected}", deviation(channel));
        }
    }

    #[test]
    fn weights_fall_with_distance() {
        let per_mm = |index: usize| {
            let taps = taps();
            let width = (taps[index][3] - taps[index - 1][3]).max(1e-6);
            taps[index][0] / width
        };
        assert!((2..TAPS - 1).all(|index| per_mm(index) > per_mm(index + 1)));
    }
}
