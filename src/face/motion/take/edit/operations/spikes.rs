//! Removes spikes with the decision of the Hampel filter: a sample is an outlier if it is far from the median of its
//! neighbours (Davies and Gather: The identification of multiple outliers, 1993). The distance is given by the user in
//! units of weight, because the spread of a face at rest is 0.

/// The longest spike in samples.
const MOST_SAMPLES: usize = 30;

/// Values in which runs of at most `most_samples` outliers are replaced by a line between the samples beside them.
pub(in crate::motion::take::edit) fn without_spikes(
    times: &[f32],
    values: &[f32],
    threshold: f32,
    most_samples: usize,
) -> Vec<f32> {
    let mut result = values.to_vec();
    let reach = most_samples.clamp(1, MOST_SAMPLES);
    if values.len() < 3 || threshold.is_nan() {
        return result;
    }
    let mut window = Vec::with_capacity(2 * reach + 1);
    let mut is_outlier = |at: usize| {
        window.clear();
        window.extend_from_slice(&values[at.saturating_sub(reach)..(at + reach + 1).min(values.len())]);
        let middle = window.len() / 2;
        let (_, median, _) = window.select_nth_unstable_by(middle, f32::total_cmp);
        (values[at] - *median).abs() > threshold.max(0.0)
    };
    let outliers: Vec<bool> = (0..values.len()).map(&mut is_outlier).collect();
    let mut at = 0;
    while at < values.len() {
        let run = outliers[at..].iter().take_while(|is_outlier| **is_outlier).count();
        let (before, after) = (at.checked_sub(1), Some(at + run).filter(|&after| after < values.len()));
        if (1..=reach).contains(&run) {
            for spike in at..at + run {
                result[spike] = match (before, after) {
                    (Some(a), Some(b)) => {
                        let part = (times[spike] - times[a]) / (times[b] - times[a]);
                        let part = if part.is_finite() { part } else { 0.5 };
                        values[a] + (values[b] - values[a]) * part
                    }
                    (Some(beside), None) | (None, Some(beside)) => values[beside],
                    (None, None) => values[spike],
                };
            }
        }
        at += run.max(1);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spikes_go_and_movements_stay() {
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 60.0).collect();
        let blink: Vec<f32> = times.iter().map(|time| (-((time - 0.5) / 0.06).powi(2)).exp()).collect();
        let mut spiky = blink.clone();
        (spiky[10], spiky[11], spiky[40], spiky[59]) = (0.9, 0.8, -0.7, 0.6);
        assert_eq!(without_spikes(&times, &blink, 0.25, 2), blink, "a blink is no spike");
        let clean = without_spikes(&times, &spiky, 0.25, 2);
        assert!(clean.iter().zip(&blink).all(|(a, b)| (a - b).abs() < 0.02), "{clean:?}");
    }

    #[test]
    fn odd_input_is_left_alone() {
        assert_eq!(without_spikes(&[0.0, 0.0], &[0.0, 9.0], 0.1, 2), [0.0, 9.0]);
        assert_eq!(without_spikes(&[0.0; 4], &[0.0, 9.0, 0.0, 0.0], f32::NAN, 2), [0.0, 9.0, 0.0, 0.0]);
        assert_eq!(without_spikes(&[0.0; 4], &[0.0, 9.0, 0.0, 0.0], -1.0, usize::MAX).len(), 4);
    }
}
