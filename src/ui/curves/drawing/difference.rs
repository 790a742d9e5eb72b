//! The difference of each row from the same row of what the face is compared with.

use smirk_face::head::canonical_name;
use smirk_session::Session;

use super::source::PointSource;
use super::sources::{CurveSources, LineStyle, sources};
use crate::curve_selection::CurveItem;

impl CurveSources {
    /// Adds the difference of each item from what the face is compared with, which is another take, the recording or
    /// the last save. Equal curves get none. Sliders, poses and automatic movement have no curves, so that no
    /// difference shows them.
    pub(crate) fn compare(&mut self, session: &Session) {
        session.b().with(|b| {
            let mut of_b = sources(b);
            self.end_secs = self.end_secs.max(of_b.end_secs);
            of_b.end_secs = self.end_secs;
            for channel in 0..session.head.channels.len() {
                let item = CurveItem::Channel(channel);
                let both = [self.solid(session, Some(item)), of_b.solid(b, Some(item))];
                self.add_difference(item, both, session.channel_default(channel));
            }
            for column in 0..session.take().map_or(0, |entry| entry.take.columns.len()) {
                let item = CurveItem::Column(column);
                let both = [self.solid(session, Some(item)), of_b.solid(b, same_column(session, column, b))];
                self.add_difference(item, both, 0.0);
            }
        });
    }

    fn add_difference(&mut self, item: CurveItem, [a, b]: [Option<PointSource>; 2], rest: f32) {
        if a != b {
            self.differences.insert(item, PointSource::difference(a, b, rest, self.end_secs));
        }
    }

    fn solid(&self, session: &Session, item: Option<CurveItem>) -> Option<PointSource> {
        let curves = self.curves_of(session, item?, false);
        curves.into_iter().rfind(|curve| curve.style == LineStyle::Solid).map(|curve| curve.source)
    }
}

/// The column of the same name in the take of `other`.
fn same_column(session: &Session, column: usize, other: &Session) -> Option<CurveItem> {
    let name = canonical_name(&session.take()?.take.columns.get(column)?.name);
    let columns = &other.take()?.take.columns;
    columns.iter().position(|column| canonical_name(&column.name) == name).map(CurveItem::Column)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::points::CurvePoints;
    use super::*;
    use crate::curve_selection::CurveSelection;
    use smirk_face::head::{Asset, Curve, Head, Interpolation, Mesh};
    use smirk_face::motion::{EditKind, Key, KeyMode, Take, TakeEdit};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::{ComparedWith, HeadSource};

    const NAMES: [&str; 2] = ["jawOpen", "mouthFunnel"];

    fn take(name: &str, end: f32) -> Take {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 0.5, end, 0.5], 2).unwrap();
        Take { name: name.into(), ..Take::of_curve(NAMES, curve) }
    }

    fn session() -> Session {
        let mesh = Mesh::with_targets(NAMES);
        let head = Head::new(Asset { name: "test".into(), meshes: vec![mesh], ..Asset::default() });
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.takes_mut().add(vec![take("first", 1.0), take("second", 0.25)]);
        session.clock.timeline.playing = false;
        session
    }

    /// The differences of the channels or columns: their indices, and their values at the end.
    fn differences(session: &Session, lists_columns: bool) -> Vec<(usize, f32)> {
        let mut sources = sources(session);
        sources.compare(session);
        let curves = sources.curves(session, &CurveSelection { lists_columns, ..CurveSelection::default() });
        let differences = curves.into_iter().filter(|curve| curve.style == LineStyle::Difference);
        let values = differences.map(|curve| {
            let (CurveItem::Channel(index) | CurveItem::Column(index)) = curve.item;
            (index, CurvePoints::compute(curve.source).line().at(2.0).unwrap())
        });
        values.collect()
    }

    #[test]
    fn a_take_differs_from_another_take() {
        let mut session = session();
        assert_eq!(differences(&session, false), [], "nothing is compared");
        session.edits.compared_take = Some(session.edits.takes[1].id);
        for lists_columns in [false, true] {
            // The other column has the same values in both takes, but comes from another file.
            assert_eq!(differences(&session, lists_columns), [(0, 0.75), (1, 0.0)]);
        }
    }

    #[test]
    fn an_edited_take_with_keys_differs_from_its_recording() {
        let mut session = session();
        session.compared_with = ComparedWith::Recording;
        assert_eq!(differences(&session, false), []);
        let edit = TakeEdit { kind: EditKind::Gain(0.5), columns: Some(vec!["jawOpen".into()]), ..TakeEdit::default() };
        let id = session.edits.takes[0].id;
        session.takes_mut().change_edits(id, |edits| edits.push(edit));
        assert_eq!(differences(&session, false), [(0, -0.5)]);
        assert_eq!(differences(&session, true), [(0, -0.5)]);
        session.keys_mut().edit(|keys| keys.set("mouthFunnel", Key::new(0.0, 0.125)));
        session.keys_mut().edit(|keys| keys.edit_curve("mouthFunnel", |curve| curve.mode = KeyMode::Add));
        assert_eq!(differences(&session, false), [(0, -0.5), (1, 0.125)]);
    }

    #[test]
    fn keys_that_were_deleted_since_the_last_save_are_a_difference_of_a_row_without_curves() {
        let mut session = session();
        session.takes_mut().select(None);
        session.compared_with = ComparedWith::Saved;
        session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(0.0, 0.25)));
        session.saved_edits = Some(session.edits.snapshot());
        assert_eq!(differences(&session, false), []);
        session.keys_mut().edit(|keys| keys.clear("jawOpen"));
        assert_eq!(differences(&session, false), [(0, -0.25)]);
    }
}
