//! Frame rates as fractions, and the times of frames in whole units.

use smirk_face::motion::FrameRate;

/// A frame rate as a fraction: frames, and the seconds that they take. The rates of NTSC are exact.
pub(super) fn fraction(rate: FrameRate) -> [u32; 2] {
    let frames_per_sec = rate.frames_per_sec();
    let is = |value: f64, whole: f64| (value - whole).abs() < 1e-6 * whole;
    let whole = frames_per_sec.round();
    if is(frames_per_sec, whole) {
        return [whole as u32, 1];
    }
    let ntsc = (frames_per_sec * 1.001).round();
    if is(frames_per_sec * 1.001, ntsc) {
        return [ntsc as u32 * 1000, 1001];
    }
    [(frames_per_sec * 1000.0).round() as u32, 1000]
}

/// How long frame `index` is shown, in units of which a second has so many. What is rounded away from one frame is added to the next,
/// so that a film takes as long as what it shows.
pub(super) fn duration(rate: FrameRate, index: usize, units_per_sec: f64) -> u32 {
    let end_of = |count: usize| (count as f64 / rate.frames_per_sec() * units_per_sec).round();
    (end_of(index + 1) - end_of(index)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let of = |rate| fraction(FrameRate::nearest(rate));
        assert_eq!(
            [of(24.0), of(29.97), of(59.94), of(12.5)],
            [[24, 1], [30_000, 1001], [60_000, 1001], [12_500, 1000]]
        );
        assert_eq!(of(24_000.0 / 1001.0), [24_000, 1001]);
    }

    #[test]
    fn durations_add_up() {
        for rate in [24.0, 29.97, 30.0, 50.0, 59.94].map(FrameRate::nearest) {
            for units in [100.0, 1000.0] {
                let sum: u32 = (0..700).map(|index| duration(rate, index, units)).sum();
                assert!((f64::from(sum) - 700.0 / rate.frames_per_sec() * units).abs() <= 0.5, "{rate:?} {units}");
            }
        }
    }
}
