//! The features of a face that an artist looks over before shapes of another head are carried over.

use std::collections::BTreeMap;

use glam::DVec3;

use smirk_analysis::transfer::{Edges, Landmarks};
use smirk_editor::document::LoadRequest;
use smirk_face::head::{Head, HeadSource, Landmark, ShapeFile, SurfacePoint};

/// The features of a head that an artist looks over, for the shapes of another one.
#[derive(Debug)]
pub struct FeaturePlacing {
    pub(crate) source: HeadSource,
    pub(crate) found: Landmarks,
    /// Those that the artist has dragged elsewhere.
    pub(crate) moved: BTreeMap<Landmark, SurfacePoint>,
}

impl FeaturePlacing {
    pub fn new(source: HeadSource, found: Landmarks) -> Self {
        Self { source, found, moved: BTreeMap::new() }
    }

    /// Where a feature is at rest, in the world.
    pub(crate) fn place(&self, landmark: Landmark, head: &Head) -> Option<DVec3> {
        let moved = self.moved.get(&landmark).and_then(|point| Some(point.on(head)?.at_rest(head).as_dvec3()));
        moved.or_else(|| self.found.point(landmark))
    }

    /// The edges of the opening between two corners, each as one line.
    pub(crate) fn lines(&self, corners: [Landmark; 2], edges: &Edges, head: &Head) -> [Vec<DVec3>; 2] {
        let [first, last] = corners.map(|corner| self.place(corner, head));
        [&edges.upper, &edges.lower].map(|edge| first.into_iter().chain(edge.iter().copied()).chain(last).collect())
    }

    /// What carries the shapes over.
    pub(crate) fn request(&self) -> LoadRequest {
        let (source, points) = (self.source.clone(), self.moved.clone());
        LoadRequest::Shapes(vec![ShapeFile { points, ..ShapeFile::of_face(source) }])
    }
}
