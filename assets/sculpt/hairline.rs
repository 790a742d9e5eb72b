//! Where hair begins: an angle around the axis that runs through the head from front to back, per direction.

use std::sync::LazyLock;

use glam::DVec3;

use super::numbers::{Table, atan2, cos, hypot, sin, v};

/// The origin of the directions around the axis.
pub const CENTER: DVec3 = v(0.0, 4.5, 0.0);

/// Direction around the axis (0 up, 180 down), then the hairline's angle from the front; degrees.
static EDGE: LazyLock<Table<1>> = LazyLock::new(|| {
    Table::new(&[
        (0.0, [34.2]),
        (12.0, [34.7]),
        (25.0, [36.6]),
        (38.0, [40.2]),
        (52.0, [44.8]),
        (64.0, [49.0]),
        (76.0, [53.6]),
        (86.0, [58.4]),
        (94.0, [63.8]),
        (99.0, [70.0]),
        (103.0, [76.0]),
        (108.0, [93.0]),
        (116.0, [106.0]),
        (130.0, [118.0]),
        (150.0, [126.0]),
        (180.0, [128.0]),
    ])
});

/// The hairline's angle from the front, radians, in the direction `around` (radians, 0 up).
pub fn edge(around: f64) -> f64 {
    let around = around.abs();
    // Makes the hairline irregular.
    let ragged =
        0.45 * cos(around * 13.0 + 1.1 * cos(around * 5.0)) + 0.35 * cos(around * 29.0 + 1.7 * cos(around * 8.0));
    (EDGE.at(around.to_degrees())[0] + ragged).to_radians()
}

/// A unit direction from the centre: `around` the axis, `away` from the front.
pub fn direction(around: f64, away: f64) -> DVec3 {
    v(sin(away) * sin(around), sin(away) * cos(around), cos(away))
}

/// The distance of a point from the hairline in units of 8 degrees: positive in the hair, negative on bare skin.
pub fn inside(p: DVec3) -> f64 {
    let d = p - CENTER;
    let away = atan2(hypot(d.x, d.y), d.z);
    (away - edge(atan2(d.x.abs(), d.y))).to_degrees() / 8.0
}
