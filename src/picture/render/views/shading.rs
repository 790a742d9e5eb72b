//! Which pipelines draw the surface.

use crate::scene::{Look, Matcap, ViewMode};

/// Which pipelines draw the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shading {
    /// Those of its materials.
    Materials,
    /// Those of its materials, all of them grey clay.
    Clay,
    /// Those of a view.
    Own(OwnView),
}

/// A view with pipelines of its own; its number is that of the `VIEW_` constant in `view.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum OwnView {
    Porcelain = 0,
    RedWax = 1,
    Chrome = 2,
    Zebra = 3,
    Normals = 4,
    UvChecker = 5,
    Curvature = 6,
    Backfaces = 7,
    Heat = 8,
    SignedHeat = 9,
    Crossings = 10,
}

impl Shading {
    /// That of a look.
    pub(crate) fn of(look: &Look) -> Self {
        match look.view {
            ViewMode::Shaded | ViewMode::Wireframe => Self::Materials,
            ViewMode::Clay => Self::Clay,
            ViewMode::Matcap => Self::Own(match look.matcap {
                Matcap::Porcelain => OwnView::Porcelain,
                Matcap::RedWax => OwnView::RedWax,
                Matcap::Chrome => OwnView::Chrome,
                Matcap::Zebra => OwnView::Zebra,
            }),
            ViewMode::Normals => Self::Own(OwnView::Normals),
            ViewMode::UvChecker => Self::Own(OwnView::UvChecker),
            ViewMode::Curvature => Self::Own(OwnView::Curvature),
            ViewMode::Backfaces => Self::Own(OwnView::Backfaces),
            ViewMode::Crossings => Self::Own(OwnView::Crossings),
            ViewMode::Heat if look.heat.measure.is_signed() => Self::Own(OwnView::SignedHeat),
            ViewMode::Heat => Self::Own(OwnView::Heat),
        }
    }
}
