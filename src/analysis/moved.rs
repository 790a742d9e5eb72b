//! How far channels move each point of a surface.

use smirk_face::head::Head;

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
