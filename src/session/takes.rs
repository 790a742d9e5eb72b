//! The takes of a session: add, select, remove, edit, map.

use std::sync::Arc;

use super::{Edits, HeadSource, Session, TakeEntry, TakeId, TimingOf};
use smirk_base::file_kind::Content;
use smirk_face::motion::{DrivenChannel, FrameRate, MatchKind, Take, TakeEdit, TakeMap};

/// The imported and recorded takes, and which one plays.
pub struct TakesMut<'a> {
    pub(crate) session: &'a mut Session,
}

impl Session {
    pub fn takes_mut(&mut self) -> TakesMut<'_> {
        TakesMut { session: self }
    }

    /// How the columns of the take that plays are mapped, else those of the live face.
    pub fn mapping(&self) -> Option<TakeMap> {
        let of_take = self.take().map(|entry| entry.map.clone());
        of_take.or_else(|| self.live_map().map(Arc::unwrap_or_clone))
    }
}

impl TakesMut<'_> {
    /// Adds imported takes, maps their columns by name, and plays the first one from its start. The timeline gets the
    /// frame rate of the first one that states it. A take whose data was missing gets it, and keeps its edits and its
    /// mapping. Returns which takes they are.
    pub fn add(&mut self, takes: Vec<Take>) -> Vec<TakeId> {
        if let Some(rate) = takes.iter().find_map(|take| take.frames_per_sec) {
            self.session.edits.timeline.rate = FrameRate::nearest(rate.into());
        }
        let ids: Vec<TakeId> = takes.into_iter().map(|take| self.list(take)).collect();
        if let Some(&first) = ids.first() {
            self.select(Some(first));
            self.session.clock.timeline.playing = true;
        }
        ids
    }

    /// Adds the takes of a file that the artist has opened as `content`, and plays the first. The clip of the bundled
    /// head only shows what Smirk can do: beside the first capture, it plays no longer, and the timeline is as long as
    /// the capture. Frames that were solved say all of a face: no clip plays beside them.
    pub fn add_opened(&mut self, takes: Vec<Take>, content: Content) -> Vec<TakeId> {
        let is_first = self.session.source == HeadSource::Embedded && self.session.edits.takes.is_empty();
        if is_first || content == Content::Frames {
            self.session.clips_mut().select_together([]);
        }
        let ids = self.add(takes);
        for entry in self.session.edits.takes.iter_mut().filter(|entry| ids.contains(&entry.id)) {
            entry.open_as(content);
        }
        ids
    }

    /// Gives a take whose data is missing that of a file that was opened as `content`: the take of its name, else the
    /// first. Other takes of the file are those that are missing by their names. Plays the take, and returns which have
    /// their data again. A take that is not missing any more stays as it is, and those of the file are added.
    pub fn locate(&mut self, id: TakeId, takes: Vec<Take>, content: Content) -> Vec<TakeId> {
        let missing = self.session.edits.takes.iter().find(|entry| entry.id == id && entry.is_missing());
        let Some(name) = missing.map(|entry| entry.name.clone()) else { return self.add_opened(takes, content) };
        let its = takes.iter().position(|take| take.name == name).unwrap_or(0);
        let mut located = Vec::new();
        for (index, take) in takes.into_iter().enumerate() {
            if let Some(id) = if index == its { Some(id) } else { self.missing_named(&take.name) } {
                self.fill(id, take, content);
                located.push(id);
            }
        }
        self.select(Some(id));
        self.session.clock.timeline.playing = true;
        located
    }

    /// Adds a take to the list, and maps its columns by name. What plays stays as it is.
    pub(super) fn list(&mut self, take: Take) -> TakeId {
        if let Some(id) = self.missing_named(&take.name) {
            self.fill(id, take, Content::Takes);
            return id;
        }
        let Edits { takes, matching, .. } = &mut *self.session.edits;
        let id = TakeId(takes.iter().map(|entry| entry.id.0 + 1).max().unwrap_or(0));
        let map = matching.map_of(take.column_names(), &self.session.head);
        takes.push(TakeEntry::new(id, Arc::new(take), map));
        id
    }

    fn missing_named(&self, name: &str) -> Option<TakeId> {
        let mut takes = self.session.edits.takes.iter();
        takes.find(|entry| entry.is_missing() && entry.name == name).map(|entry| entry.id)
    }

    /// Gives a take whose data is missing that of a file. Its edits and its mapping stay.
    fn fill(&mut self, id: TakeId, take: Take, content: Content) {
        let Edits { takes, matching, .. } = &mut *self.session.edits;
        let Some(entry) = takes.iter_mut().find(|entry| entry.id == id) else { return };
        entry.map = entry.map.fitted(take.column_names(), &self.session.head, matching);
        *entry = std::mem::take(entry).with_data(Arc::new(take));
        entry.open_as(content);
    }

    /// Selects the take that plays, and starts it from its beginning. With `None`, no take drives the head.
    /// A live face is held back while a take is chosen to play.
    pub fn select(&mut self, take: Option<TakeId>) {
        self.session.edits.take = take;
        self.session.set_live_drives(take.is_none());
        self.session.clock.timeline.time_secs = 0.0;
    }

    /// Removes a take with its keys, unless they are those of everything.
    pub fn remove(&mut self, id: TakeId) {
        let edits = &mut *self.session.edits;
        if edits.timing_for_all == Some(TimingOf::Take(id)) {
            let timing = edits.timing(&TimingOf::Take(id));
            edits.edit_timing(&TimingOf::Head, |of_head| *of_head = timing);
            edits.timing_for_all = Some(TimingOf::Head);
        }
        edits.takes.retain(|entry| entry.id != id);
        for chosen in [&mut edits.take, &mut edits.compared_take] {
            chosen.take_if(|chosen| *chosen == id);
        }
        self.session.stay_on_timeline();
    }

    /// Edits the mapping of a take. `edit` also gets the take with its edits.
    pub fn edit_map(&mut self, id: TakeId, edit: impl FnOnce(&mut TakeMap, &Take)) {
        if let Some(entry) = self.session.edits.take_mut(id) {
            let edited = entry.edited();
            edit(&mut entry.map, &edited);
        }
    }

    /// Changes the list of a take's edits. The play head stays on the timeline, which may have become shorter.
    pub fn change_edits(&mut self, id: TakeId, change: impl FnOnce(&mut Vec<TakeEdit>)) {
        if let Some(entry) = self.session.edits.take_mut(id) {
            change(&mut entry.edits);
            entry.edits.truncate(TakeEdit::MOST);
            self.session.stay_on_timeline();
        }
    }

    /// Maps columns as another mapping does, found by their names in any spelling: those of some takes, of live faces,
    /// and of all takes to come. A column whose channels the head lacks is matched by its name.
    pub fn use_mapping(&mut self, mapping: &TakeMap, takes: &[TakeId]) {
        for column in &mapping.columns {
            // Where it was saved, nothing was like the column, or nothing was wanted: then it is not used.
            if !column.channels.is_empty() {
                self.session.edits.matching.aliases.set(&column.column, column.channels.clone());
            }
            self.session.edits.live.edit(&column.column, |live| *live = column.numbers());
        }
        let edits = &mut *self.session.edits;
        for entry in edits.takes.iter_mut().filter(|entry| takes.contains(&entry.id)) {
            let matched = edits.matching.map_of(entry.take.column_names(), &self.session.head);
            for (column, new) in entry.map.columns.iter_mut().zip(matched.columns) {
                if let Some(known) = mapping.find(&column.column) {
                    *column = new.with_numbers(known);
                }
            }
        }
    }

    /// Lets columns whose movement the head lacks drive those that are most like it, or not. The columns of all takes
    /// follow, but for those whose channels were chosen.
    pub fn use_nearest(&mut self, uses_nearest: bool) {
        let edits = &mut *self.session.edits;
        edits.matching.uses_nearest = uses_nearest;
        for entry in &mut edits.takes {
            let matched = edits.matching.map_of(entry.take.column_names(), &self.session.head);
            for (column, new) in entry.map.columns.iter_mut().zip(matched.columns) {
                let kind = MatchKind::for_column(column, &self.session.head);
                if matches!(kind, None | Some(MatchKind::Nearest | MatchKind::Compound)) {
                    column.channels = new.channels;
                }
            }
        }
    }

    /// Maps a column of a take to other channels, and stores the choice for other takes.
    pub fn map_column(&mut self, id: TakeId, column: usize, channels: Vec<DrivenChannel>) {
        let edits = &mut *self.session.edits;
        let Some(entry) = edits.takes.iter_mut().find(|entry| entry.id == id) else { return };
        let (Some(map), Some(named)) = (entry.map.columns.get_mut(column), entry.take.columns.get(column)) else {
            return;
        };
        edits.matching.aliases.set(&named.name, channels.clone());
        map.channels = channels;
    }
}
