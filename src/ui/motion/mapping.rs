//! The mapping of a take or of live faces as a list: what each column drives, how sure that is, and its value.

use std::collections::HashSet;

use egui::{Align2, Button, CollapsingHeader, Id, Rect, Sense, WidgetInfo, pos2, vec2};

use smirk_base::file_kind::Content;
use smirk_editor::document::LoadRequest;
use smirk_face::head::{Head, side_in_name};
use smirk_face::motion::{Angle, ColumnMap, DrivenChannel, EditKind, LiveFace, MatchKind, TakeEdit, TakeMap};
use smirk_session::{Session, TakeEntry, TakeId};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::state::HeadMarks;
use crate::theme;
use crate::widgets::{ColumnEdit, checkbox_ui, close_row_ui, column_map_ui, context_menu_ui, text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MappedSource {
    Take(TakeId),
    Live,
}

/// The list of one source, and the columns whose numbers are shown. Another column that is opened closes none of them:
/// rows that are above the pointer would move it to another row.
#[derive(Debug, Default)]
pub(super) struct MappingList {
    open: HashSet<String>,
}

enum Columns<'a> {
    Take(&'a TakeEntry),
    Live(&'a TakeMap, LiveFace),
}

impl Columns<'_> {
    fn map(&self) -> &TakeMap {
        match self {
            Self::Take(entry) => &entry.map,
            Self::Live(map, _) => map,
        }
    }

    fn value(&self, column: usize, time_secs: f32) -> f32 {
        match self {
            Self::Take(entry) => entry.map.value(&entry.edited(), column, time_secs),
            Self::Live(map, face) => {
                let value = face.values.get(column).copied().unwrap_or(0.0);
                map.columns.get(column).map_or(value, |map| map.shape(value))
            }
        }
    }
}

impl MappingList {
    pub(super) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, source: MappedSource) {
        let session = &mut *cx.session;
        let (entry, live) = match source {
            MappedSource::Take(id) => (session.edits.take_entry(id).cloned(), None),
            MappedSource::Live => (None, session.live_map().zip(session.live_face().cloned())),
        };
        let columns = match (&entry, &live) {
            (Some(entry), _) => Columns::Take(entry),
            (_, Some((map, face))) => Columns::Live(map, face.clone()),
            _ => return,
        };
        let (map, head) = (columns.map(), session.head.clone());
        let unmapped = map.unmapped_names(map.columns.iter().map(|column| column.column.as_str())).len();
        let count = map.columns.len();
        let title = format!("Mapping: {} of {}", count - unmapped, text::counted(count, "column"));
        CollapsingHeader::new(title).id_salt(("mapping", source == MappedSource::Live)).show_unindented(ui, |ui| {
            let mut uses_nearest = session.edits.matching.uses_nearest;
            let label = "Move what is nearest";
            let tip =
                "Where the head lacks a movement, move the ones that are most like it, for all takes and live faces";
            if checkbox_ui(ui, &mut uses_nearest, label).on_hover_text(tip).changed() {
                let secs = session.edits.transition.duration_secs;
                session.glide(secs, |session| session.takes_mut().use_nearest(uses_nearest));
            }
            close_row_ui(ui, |ui| {
                let open = ui.button("Open…").accessible_name("Open a mapping");
                if open
                    .on_hover_text("Map the columns as a file says, which was saved for this or another head")
                    .clicked()
                {
                    cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Mapping))));
                }
                let save = ui.button("Save…").accessible_name("Save the mapping");
                if save.on_hover_text("Save it as a file, for other heads and for --map on the command line").clicked()
                {
                    cx.commands.push(Command::ExportMapping);
                }
                if let Some(open) = session.version() {
                    let tip = format!("Map the columns so that this head moves as {} does", open.source.name());
                    if ui.button("Fit to B").on_hover_text(tip).clicked() {
                        cx.commands.push(Command::Load(Box::new(LoadRequest::Fit(open.clone()))));
                    }
                }
            });
            let time_secs = session.clock.timeline.time_secs;
            for (index, column) in map.columns.iter().enumerate() {
                let is_open = self.open.contains(&column.column);
                let row = row_ui(ui, &head, column, columns.value(index, time_secs), is_open);
                if let (MappedSource::Take(id), Some(_)) = (source, side_in_name(&column.column)) {
                    context_menu_ui(&row, |ui| swap_ui(ui, session, id, &column.column));
                }
                if row.clicked() {
                    let first = column.channels.iter().find_map(|drive| head.channel_named(&drive.channel));
                    if is_open {
                        self.open.remove(&column.column);
                        cx.marks.hide_target(session);
                    } else {
                        self.open.insert(column.column.clone());
                        first.into_iter().for_each(|channel| cx.marks.show_target(session, channel));
                    }
                }
                if is_open {
                    ui.indent(("column", index), |ui| column_ui(ui, session, cx.marks, source, index, column));
                }
            }
        });
    }
}

/// Offers to exchange a column of a take with that of the other side, as an edit that a second click takes back.
fn swap_ui(ui: &mut egui::Ui, session: &mut Session, id: TakeId, column: &str) {
    let tip = "Exchange the column with that of the other side, as an edit of the take";
    if !ui.button("Swap left and right").on_hover_text(tip).clicked() {
        return;
    }
    let columns = Some(vec![column.to_owned()]);
    let swap = TakeEdit { kind: EditKind::Mirror, columns, ..TakeEdit::default() };
    session.takes_mut().change_edits(id, |edits| match edits.last() {
        Some(last) if *last == swap => _ = edits.pop(),
        _ => edits.extend((edits.len() < TakeEdit::MOST).then_some(swap)),
    });
}

fn row_ui(ui: &mut egui::Ui, head: &Head, column: &ColumnMap, value: f32, is_shown: bool) -> egui::Response {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT_THIN));
    let response = ui.interact(row, Id::unique(("mapped column", &column.column)), Sense::click());
    let kind = MatchKind::for_column(column, head);
    let turns = Angle::of_column(&column.column).map(Angle::label);
    let (drives, reason) = match (kind, turns) {
        (Some(kind), _) => (column.channels_in_words(head), kind.label()),
        (None, Some(turns)) => (turns.to_owned(), "an angle"),
        (None, None) => ("–".to_owned(), "drives nothing: click to choose"),
    };
    let name = match (kind, turns) {
        (None, Some(turns)) => format!("{} {turns}", column.column),
        _ => format!("{} drives {drives}", column.column),
    };
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_shown, &name));
    if !ui.is_rect_visible(row) {
        return response;
    }
    let painter = ui.painter();
    let background = match (is_shown, response.hovered()) {
        (true, _) => theme::ACCENT,
        (false, true) => theme::WELL_HOVERED,
        (false, false) => theme::WELL,
    };
    painter.rect_filled(row, theme::ROUNDING, background);
    let middle = row.left() + 0.46 * row.width();
    let bar = Rect::from_min_max(pos2(middle, row.top() + 6.0), pos2(middle + 28.0, row.bottom() - 6.0));
    painter.rect_filled(bar, 1.0, theme::PANEL);
    let filled = bar.with_max_x(bar.left() + bar.width() * value.abs().clamp(0.0, 1.0));
    painter.rect_filled(filled, 1.0, if column.enabled { theme::ACCENT_BRIGHT } else { theme::TEXT_WEAK });
    let font = theme::small_font();
    let left = row.left() + theme::GAP_SMALL;
    let shown = text::elide_middle(painter, &text::shown(&column.column), &font, middle - left - theme::GAP_SMALL);
    let color = if column.enabled { theme::TEXT } else { theme::TEXT_WEAK };
    painter.text(pos2(left, row.center().y), Align2::LEFT_CENTER, shown, font.clone(), color);
    let color = match kind {
        Some(kind) if kind.is_approximate() => theme::WARNING,
        None if turns.is_none() => theme::TEXT_WEAK,
        Some(_) | None => color,
    };
    let left = bar.right() + theme::GAP_SMALL;
    let shown = text::elide_middle(painter, &text::shown(&drives), &font, row.right() - left - theme::GAP_SMALL);
    painter.text(pos2(left, row.center().y), Align2::LEFT_CENTER, shown, font, color);
    response.on_hover_ui(|ui| {
        ui.label(text::shown(&name).into_owned());
        ui.weak(reason);
        ui.weak("Click: its numbers, and what it moves on the face");
    })
}

fn column_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    marks: &mut HeadMarks,
    source: MappedSource,
    index: usize,
    column: &ColumnMap,
) {
    let head = session.head.clone();
    let shown = marks.shown_target.as_ref().map(|shown| shown.name.as_str());
    let mut edit = column_map_ui(ui, &head, &[column], shown, matches!(source, MappedSource::Take(_)));
    if column.channels.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.weak("Perhaps");
            for channel in head.channels_spelled_nearly(&column.column) {
                let channel = &head.channels[channel];
                let button = ui.add(Button::new(text::shown(&channel.name).into_owned()).small());
                if button.accessible_name(format!("Map {} to {}", column.column, channel.name)).clicked() {
                    edit = Some(ColumnEdit::Channels(vec![DrivenChannel::new(&channel.full_name)]));
                }
            }
        });
    } else if let Some(kind) = MatchKind::for_column(column, &head) {
        ui.weak(kind.label());
    }
    match (edit, source) {
        (Some(ColumnEdit::Show(name)), _) => marks.toggle_target(session, &name),
        (Some(ColumnEdit::Channels(channels)), MappedSource::Take(id)) => {
            session.takes_mut().map_column(id, index, channels)
        }
        (Some(ColumnEdit::Channels(channels)), MappedSource::Live) => {
            session.edits.matching.aliases.set(&column.column, channels);
        }
        (Some(ColumnEdit::Numbers(change)), MappedSource::Take(id)) => session.takes_mut().edit_map(id, |map, _| {
            map.columns.get_mut(index).into_iter().for_each(change);
        }),
        (Some(ColumnEdit::Numbers(change)), MappedSource::Live) => {
            session.edits.live.edit(&column.column, change);
        }
        (None, _) => {}
    }
}
