//! What the session shows of a live face.

use std::cell::RefCell;
use std::sync::Arc;

use super::edits::LiveEdits;
use smirk_face::head::Head;
use smirk_face::motion::{ColumnMatching, LiveFace, TakeMap};

/// The live face that a session shows, if any.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveInput {
    /// None while nothing is heard.
    pub face: Option<Arc<LiveFace>>,
    /// Whether a take that is chosen takes its place, so that it does not drive the head.
    pub is_held_back: bool,
    map: RefCell<Option<(MapFrom, Arc<TakeMap>)>>,
}

#[derive(Clone, Debug)]
struct MapFrom {
    columns: Arc<[String]>,
    head: Arc<Head>,
    live: LiveEdits,
    matching: ColumnMatching,
}

impl LiveInput {
    pub(super) fn silence(&mut self) {
        self.face = None;
        *self.map.get_mut() = None;
    }

    /// The mapping of the columns. It looks up names, so it is made once.
    pub(super) fn map(&self, head: &Arc<Head>, live: &LiveEdits, matching: &ColumnMatching) -> Option<Arc<TakeMap>> {
        let columns = &self.face.as_ref()?.columns;
        let mut cached = self.map.borrow_mut();
        if let Some((from, map)) = &*cached
            && from.columns == *columns
            && Arc::ptr_eq(&from.head, head)
            && from.live == *live
            && from.matching == *matching
        {
            return Some(map.clone());
        }
        let map = Arc::new(live.map_of(columns, head, matching));
        let from =
            MapFrom { columns: columns.clone(), head: head.clone(), live: live.clone(), matching: matching.clone() };
        *cached = Some((from, map.clone()));
        Some(map)
    }
}
