//! What can be measured of a deformed surface.

use serde::{Deserialize, Serialize};

use smirk_face::head::{Head, Mesh, Target};

/// What is measured of each vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How far it has moved, in millimetres.
    #[default]
    Displacement,
    /// By which part of its length the edge at the vertex that has changed most is longer (positive) or shorter, in percent.
    EdgeLength,
    /// By which part the triangles around it are larger (positive) or smaller, in percent.
    Area,
    /// How far its normal has turned, in degrees.
    Normal,
    /// How the surface is bent there, in 1/mm: positive on ridges, negative in hollows. What it was before does not matter.
    Curvature,
}

impl Measure {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Displacement, Self::EdgeLength, Self::Area, Self::Normal, Self::Curvature];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Displacement => "Displacement",
            Self::EdgeLength => "Edge stretch",
            Self::Area => "Area change",
            Self::Normal => "Normal angle",
            Self::Curvature => "Curvature",
        }
    }

    /// The name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::EdgeLength => "stretch",
            Self::Area => "area",
            Self::Normal => "normals",
            Self::Curvature => "curvature",
        }
    }

    /// What follows a number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Displacement => " mm",
            Self::EdgeLength | Self::Area => " %",
            Self::Normal => "°",
            Self::Curvature => " /mm",
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        match self {
            Self::Displacement | Self::Normal => false,
            Self::EdgeLength | Self::Area | Self::Curvature => true,
        }
    }

    /// A value that a scale can end at, so that the colours mean the same for every expression of a head. For displacement it is that of
    /// the vertex that one of `targets` (head-wide indices) moves most at weight 1, rounded up to 1, 2 or 5.
    pub fn usual_most(self, head: &Head, targets: impl IntoIterator<Item = usize>) -> f32 {
        match self {
            Self::Displacement => {
                let reach = |(mesh, target): (&Mesh, &Target)| {
                    let longest = target.positions.iter().map(|delta| delta.length_squared());
                    longest.filter(|length| length.is_finite()).fold(0.0, f32::max).sqrt()
                        * head.rest_pose.largest_scale(mesh)
                };
                let most = targets.into_iter().filter_map(|target| head.target(target)).map(reach).fold(0.0, f32::max);
                rounded_up(most * head.mm_per_unit())
            }
            Self::EdgeLength | Self::Area => 50.0,
            Self::Normal => 45.0,
            Self::Curvature => 0.5,
        }
    }
}

/// The next number of 1, 2, 5, 10 … that is not smaller; 1 for what is no length.
pub fn rounded_up(value: f32) -> f32 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10.0_f32.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|&step| step >= value * 0.999).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        for (value, expected) in [(0.0, 1.0), (13.2, 20.0), (0.31, 0.5), (1.0, 1.0), (f32::NAN, 1.0), (5.1, 10.0)] {
            assert!((rounded_up(value) - expected).abs() < 1e-6, "{value}: {}", rounded_up(value));
        }
    }
}
