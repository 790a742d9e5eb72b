//! What the picture shows of the surface: the materials, or something that a shape is judged by.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use smirk_analysis::FaceSearch;
use smirk_analysis::judge::IntersectionFinder;
use smirk_face::head::Head;

/// What the picture shows of the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "kebab-case")]
pub enum ViewMode {
    /// The materials of the head, in its light.
    #[default]
    Shaded,
    /// One grey material in the same light, without textures.
    Clay,
    /// A material that is drawn from the direction of the normal towards the camera alone:
    /// [`Look::matcap`](super::Look::matcap).
    Matcap,
    /// The edges of the triangles over the materials.
    Wireframe,
    /// The normals of the surface in the world, as colours.
    Normals,
    /// A chequered pattern in the texture coordinates.
    #[strum(serialize = "uv")]
    UvChecker,
    /// How the surface is bent: hollows dark, ridges bright.
    Curvature,
    /// Red where the back of a triangle is seen.
    Backfaces,
    /// In colour over clay, what crosses something and does not at rest: lips, lids, eyes, teeth and tongue.
    #[serde(rename = "crossings")]
    #[strum(serialize = "crossings")]
    Intersections,
    /// What is measured of the shape, as colours: [`Look::heat`](super::Look::heat).
    Heat,
}

impl ViewMode {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Shaded => "Shaded",
            Self::Clay => "Clay",
            Self::Matcap => "Matcap",
            Self::Wireframe => "Wireframe",
            Self::Normals => "Normals",
            Self::UvChecker => "UV checker",
            Self::Curvature => "Curvature",
            Self::Backfaces => "Backfaces",
            Self::Intersections => "Crossings",
            Self::Heat => "Heat map",
        }
    }

    /// What it shows, in one sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Shaded => "The materials of the head, in its light",
            Self::Clay => "One grey material in the same light, without textures",
            Self::Matcap => "A material that does not depend on the lights and turns with the camera",
            Self::Wireframe => "The edges of the triangles over the materials",
            Self::Normals => {
                "The directions of the normals as colours: red to the left of the face, green up, blue to the front"
            }
            Self::UvChecker => {
                "A pattern of squares in the texture coordinates: stretched squares are stretched textures"
            }
            Self::Curvature => "How the surface is bent: ridges bright, hollows dark",
            Self::Backfaces => "Red where the back of a triangle is seen",
            Self::Intersections => {
                "In colour where lips, lids, eyes, teeth or tongue go through each other, and do not at rest"
            }
            Self::Heat => "How far the vertices have moved, how the surface stretches, turns or is bent, as colours",
        }
    }

    /// Of a view of vertices that have to be searched: how, and what its legend says.
    pub fn searched(self) -> Option<SearchedView> {
        match self {
            Self::Intersections => Some(SearchedView {
                search_of: |head| Box::new(IntersectionFinder::new(head)),
                label: "Goes through another part",
                about: "Lips, lids, eyes, teeth and tongue that go through each other, and do not at rest. Turns of joints are not counted",
            }),
            _ => None,
        }
    }

    /// The name on the command line.
    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// Whether the materials of the head are shown.
    pub fn shows_materials(self) -> bool {
        match self {
            Self::Shaded | Self::Wireframe => true,
            Self::Clay
            | Self::Matcap
            | Self::Normals
            | Self::UvChecker
            | Self::Curvature
            | Self::Backfaces
            | Self::Intersections
            | Self::Heat => false,
        }
    }

    /// The one that follows in [`Self::ALL`], or precedes it with -1, in a circle.
    pub fn step(self, by: isize) -> Self {
        let count = Self::ALL.len() as isize;
        let at = Self::ALL.iter().position(|&view| view == self).unwrap_or(0) as isize;
        Self::ALL[(at + by).rem_euclid(count) as usize]
    }
}

/// A view of vertices that have to be searched on a face first, which may take longer than a frame.
pub struct SearchedView {
    /// Collects what every search of a head needs again.
    pub search_of: fn(&Head) -> Box<dyn FaceSearch>,
    /// What vertices in colour are, in a few words and in more.
    pub label: &'static str,
    pub about: &'static str,
}

/// The material of [`ViewMode::Matcap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Matcap {
    /// Soft grey, as sculptors use it.
    #[default]
    Porcelain,
    /// Dark red and glossy: dents and bumps stand out.
    RedWax,
    /// Polished metal.
    Chrome,
    /// Black and white stripes: where they break, the surface is not smooth.
    Zebra,
}

impl Matcap {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Porcelain => "Porcelain",
            Self::RedWax => "Red wax",
            Self::Chrome => "Chrome",
            Self::Zebra => "Zebra stripes",
        }
    }

    /// The name on the command line.
    pub fn keyword(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stepping_goes_through_all_views_in_a_circle() {
        let mut view = ViewMode::Shaded;
        for expected in ViewMode::ALL.iter().copied().cycle().skip(1).take(ViewMode::ALL.len()) {
            view = view.step(1);
            assert_eq!(view, expected);
        }
        assert_eq!(view.step(-1), ViewMode::ALL[ViewMode::ALL.len() - 1]);
    }
}
