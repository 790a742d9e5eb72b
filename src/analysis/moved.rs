//! How far channels move each point of a surface.

use smirk_face::head::Head;

/// What moves the upper lip, the lower one or both more than what is around them, by the names of ARKit.
pub(crate) const UPPER_LIP: [&str; 3] = ["mouthUpperUp", "mouthRollUpper", "mouthShrugUpper"];
pub(crate) const LOWER_LIP: [&str; 3] = ["mouthLowerDown", "mouthRollLower", "mouthShrugLower"];
pub(crate) const BOTH_LIPS: [&str; 3] = ["mouthClose", "mouthFunnel", "mouthPucker"];
/// A point belongs to the lips that is moved by so much of what their shapes move the point that they move most.
pub(crate) const LEAST_OF_LIPS: f32 = 0.3;

/// Per point, how far it is moved by one of these channels, as a part of how far that moves any point: the largest part
/// of all. `moved_mm` gives how far a target (head-wide index) moves the points that it moves. Expressions, which move
/// what other channels do, are left out.
pub(crate) fn moved_by(
    head: &Head,
    channels: &[usize],
    points: usize,
    moved_mm: &impl Fn(usize) -> Vec<(u32, f32)>,
) -> Vec<f32> {
    let mut parts = vec![0.0_f32; points];
    for &channel in channels.iter().filter(|&&channel| head.expression_of(channel).is_none()) {
        let of_channel: Vec<(u32, f32)> =
            head.channels[channel].targets.iter().flat_map(|&target| moved_mm(target)).collect();
        let most = of_channel.iter().map(|(_, length)| *length).fold(f32::MIN_POSITIVE, f32::max);
        for (point, length) in of_channel {
            let part = &mut parts[point as usize];
            *part = part.max(length / most);
        }
    }
    parts
}
