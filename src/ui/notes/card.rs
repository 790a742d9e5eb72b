//! A note in the list: one or two lines, or all of it while it is selected.

use egui::{
    Align, Button, Color32, ColorImage, Event, Frame, Id, Label, Layout, Margin, Rect, RichText, Role, Sense, Stroke,
    TextEdit, TextureHandle, TextureOptions, WidgetInfo, pos2, vec2,
};
use image::{ImageFormat, ImageReader, Limits};
use std::io::Cursor;

use super::{NotesPage, color_of, go_to, paint_badge, paint_stroke};
use crate::context::PanelContext;
use crate::notes_state::NoteTool;
use crate::theme;
use crate::thumbnails::{PictureOf, paint_thumbnail};
use crate::widgets::{channel_picker_ui, text, wrapped_ui};
use smirk_session::{NoteId, NotePicture, NoteState, NotedMoment, ReviewNote};

const BADGE: f32 = 24.0;
const STATE_BUTTON: f32 = 70.0;
/// Two pictures are beside each other if each is at least so wide.
const LEAST_PICTURE: f32 = 110.0;

/// The picture of the selected note, decoded; no texture if it could not be read.
pub(super) struct Before {
    of: NotePicture,
    texture: Option<TextureHandle>,
}

impl NotesPage {
    pub(super) fn card_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
        let is_selected = cx.state.notes.selected == Some(note.id);
        let edge = Stroke::new(1.0, if is_selected { theme::ACCENT_BRIGHT } else { theme::WELL_EDGE });
        let frame =
            Frame::new().fill(theme::RAISED).stroke(edge).corner_radius(theme::ROUNDING).inner_margin(Margin::same(8));
        let shown = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            head_ui(ui, cx, note, is_selected);
            if is_selected {
                self.whole_ui(ui, cx, note);
            }
        });
        if is_selected && std::mem::take(&mut cx.state.notes.reveals) {
            let align = std::mem::take(&mut cx.state.notes.steps).then_some(Align::Min);
            ui.scroll_to_rect(shown.response.rect, align);
        }
    }

    fn whole_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
        ui.spacing_mut().item_spacing.y = theme::GAP_SMALL;
        text_ui(ui, cx, note);
        // Above the pins, which are more after each use of a tool.
        tools_ui(ui, cx, note);
        pins_ui(ui, cx, note);
        self.pictures_ui(ui, cx, note);
        self.replies_ui(ui, cx, note);
        ui.horizontal(|ui| {
            let face = ui.add_enabled(note.moment.is_some(), Button::new("Show face"));
            if face.on_hover_text("Hold all channels as they were when the note was made").clicked() {
                cx.session.notes_mut().show_face(note.id);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let delete = ui.button("Delete").accessible_name(format!("Delete note {}", note.number));
                if delete.on_hover_text("Delete the note (undo brings it back)").clicked() {
                    cx.session.notes_mut().delete(note.id);
                    cx.state.notes.selected = None;
                }
            });
        });
    }

    /// The picture of the moment beside what the same face looks like now.
    fn pictures_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
        let Some(moment) = &note.moment else { return };
        let width = ui.available_width();
        let is_beside = width >= 2.0 * LEAST_PICTURE + theme::GAP_SMALL;
        let width = if is_beside { (width - theme::GAP_SMALL) * 0.5 } else { width };
        let [width_px, height_px] = moment.size_px();
        let size = vec2(width, (width * height_px as f32 / width_px as f32).round());
        cx.visible_pictures().notes.push(note.id);
        let before = self.before(ui.ctx(), note.id, note.picture.as_ref());
        let thumbnails = cx.readings.thumbnails_of(&cx.session.head);
        let now = cx.state.thumbnail_textures.texture(ui.ctx(), PictureOf::Note(note.id), thumbnails);
        let layout = if is_beside { Layout::left_to_right(Align::Min) } else { Layout::top_down(Align::Min) };
        ui.with_layout(layout, |ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
            for (name, texture) in [("Before", before), ("Now", now)] {
                let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
                let what = if texture.is_some() { name.to_owned() } else { format!("{name}, not drawn yet") };
                response
                    .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{what}: note {}", note.number)));
                paint_picture(&ui.painter().with_clip_rect(rect), rect, name, texture, moment, note);
                let response = response.on_hover_ui(|ui| {
                    // Both are in one place, so that the pointer goes from one to the other and shows what differs.
                    let pixels = vec2(width_px as f32, height_px as f32) / ui.pixels_per_point();
                    let scale = (ui.ctx().content_rect().size() * 0.6 / pixels).min_elem().min(1.0);
                    ui.set_max_width(pixels.x);
                    let (rect, _) = ui.allocate_exact_size(pixels * scale, Sense::hover());
                    paint_picture(&ui.painter().with_clip_rect(rect), rect, name, texture, moment, note);
                    ui.weak("Click: show this view");
                });
                if response.clicked() {
                    go_to(cx, note.id);
                }
            }
        });
    }

    /// The texture of a picture of a note. There is one, that of the selected note.
    fn before(&mut self, ctx: &egui::Context, id: NoteId, picture: Option<&NotePicture>) -> Option<egui::TextureId> {
        let Some(picture) = picture else {
            self.before = None;
            return None;
        };
        if self.before.as_ref().is_none_or(|before| before.of != *picture) {
            let texture = decoded(picture)
                .map(|image| ctx.load_texture(format!("before of note {id}"), image, TextureOptions::LINEAR));
            self.before = Some(Before { of: picture.clone(), texture });
        }
        self.before.as_ref().and_then(|before| before.texture.as_ref()).map(TextureHandle::id)
    }

    fn replies_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
        for reply in note.replies.iter().take(super::MOST) {
            let by = format!("{} · {}", text::shown(&reply.author), reply.date.local_text());
            ui.label(RichText::new(by).font(theme::small_font()).color(theme::TEXT_WEAK));
            wrapped_ui(ui, text::shown_message(&cut(&reply.text)), theme::TEXT);
        }
        let typed = self.replies.entry(note.id).or_default();
        ui.horizontal(|ui| {
            let width = ui.available_width() - 58.0;
            let field = TextEdit::singleline(typed).id_salt(note.id).hint_text("Reply").desired_width(width);
            let field = ui.add(field.char_limit(ReviewNote::LONGEST_TEXT)).accessible_name("Reply");
            let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let send = ui.add_enabled(!typed.trim().is_empty(), Button::new("Reply").min_size(vec2(48.0, 0.0)));
            if send.accessible_name("Send reply").clicked() || is_entered {
                let author = cx.state.author_name();
                cx.session.notes_mut().reply(note.id, &author, &std::mem::take(typed));
            }
        });
    }
}

/// The number, the first line, who and when. A click selects the note and shows its view.
fn head_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote, is_selected: bool) {
    let place = note.place_text(|secs| cx.session.edits.timeline.text(secs));
    let shown = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP;
        let (_, badge) = ui.allocate_space(vec2(BADGE, BADGE));
        paint_badge(ui.painter(), badge.center(), note, is_selected);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.set_max_width(ui.available_width() - if is_selected { STATE_BUTTON + theme::GAP_SMALL } else { 0.0 });
            if !is_selected {
                let title = if note.title().is_empty() { "No text" } else { note.title() };
                let color = if note.is_open() { theme::TEXT } else { theme::TEXT_WEAK };
                let title = RichText::new(shortened(title)).color(color);
                ui.add(Label::new(title).selectable(false).wrap());
            }
            let answers = match note.replies.len() {
                0 => String::new(),
                1 => " · 1 reply".to_owned(),
                count => format!(" · {count} replies"),
            };
            let state = if note.is_open() { "" } else { "Done · " };
            let by = format!("{state}{} · {}{answers}", text::shown(&note.author), note.created.local_text());
            let weak = |text: &str| RichText::new(text).font(theme::small_font()).color(theme::TEXT_WEAK);
            ui.add(Label::new(weak(&by)).selectable(false).truncate());
            if !is_selected && !place.is_empty() {
                ui.add(Label::new(weak(&text::shown_message(&cut(&place)))).selectable(false).truncate());
            }
        });
    });
    let rect = shown.response.rect.with_max_x(ui.max_rect().right());
    let rect = if is_selected { state_ui(ui, cx, note, rect) } else { rect };
    let response = ui.interact(rect, Id::unique(("note", note.id)), Sense::click());
    let state = if note.is_open() { "open" } else { "done" };
    response.widget_info(|| {
        let name = format!("Note {}, {state}: {}", note.number, text::shown(note.title()));
        WidgetInfo::selected(Role::Button, true, is_selected, name)
    });
    if response.clicked() {
        let was_selected = is_selected;
        go_to(cx, note.id);
        // Enter on a note that is selected, or a second click, edits its text.
        cx.state.notes.edits_text = was_selected;
    }
}

/// The button that says that a note is done, or open again, at the right end of `head`. It is there, and not below what
/// the note shows, so that it stays in its place when replies are added. Returns what is left of `head`.
fn state_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote, head: Rect) -> Rect {
    let (name, state) = if note.is_open() { ("Done", NoteState::Done) } else { ("Reopen", NoteState::Open) };
    let right_top = head.right_top() - vec2(STATE_BUTTON, 0.0);
    let button = ui.put(Rect::from_min_size(right_top, vec2(STATE_BUTTON, theme::BAR_HEIGHT)), Button::new(name));
    if button.accessible_name(format!("{name}: note {}", note.number)).clicked() {
        cx.session.notes_mut().set_state(note.id, state);
    }
    head.with_max_x(right_top.x - theme::GAP_SMALL)
}

fn text_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
    if note.text.chars().nth(ReviewNote::LONGEST_TEXT).is_some() {
        cx.state.notes.edits_text = false;
        wrapped_ui(ui, text::shown_message(&cut(&note.text)), theme::TEXT);
        return;
    }
    let id = Id::unique(("text of note", note.id));
    if cx.state.notes.edits_text {
        // A click in this frame, as on the button that adds a note, would take the focus from the field again.
        let waits = ui.input(|input| input.pointer.any_click());
        cx.state.notes.edits_text = waits;
        if waits {
            ui.request_repaint();
        } else {
            ui.memory_mut(|memory| memory.request_focus(id));
            let typed_ahead = std::mem::take(&mut cx.state.notes.typed_ahead);
            ui.input_mut(|input| {
                // The key that has led here, as Enter, is no text.
                input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
                input.events.extend(typed_ahead);
            });
        }
    }
    let mut typed = note.text.clone();
    let field = TextEdit::multiline(&mut typed)
        .id(id)
        .hint_text("What is to be changed?")
        .char_limit(ReviewNote::LONGEST_TEXT)
        .desired_rows(2)
        .desired_width(f32::INFINITY);
    let field = ui.add(field).accessible_name(format!("Text of note {}", note.number));
    cx.state.notes.is_typed = field.has_focus() || field.lost_focus();
    if field.changed() {
        cx.session.notes_mut().set_text(note.id, &typed);
    }
}

/// What the note is pinned to, each with a button that removes it.
fn pins_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
    let pins = &note.pinned_to;
    let mut chips: Vec<(String, Unpin)> = Vec::new();
    if let Some(point) = &pins.point {
        chips.push((format!("Point on {}", point.mesh), Unpin::Point));
    }
    chips.extend(pins.channels.iter().take(12).map(|name| (name.clone(), Unpin::Channel(name.clone()))));
    if let Some(time) = &pins.time {
        let session = &cx.session;
        let mut time = time.clone();
        // The name of another clip or take only: there is little room beside the two times.
        if session.plays_noted(&time) {
            time.plays.clear();
        }
        let pinned_to = smirk_session::PinnedTo { time: Some(time), ..Default::default() };
        let text = ReviewNote { pinned_to, ..note.clone() };
        chips.push((text.place_text(|secs| session.edits.timeline.text(secs)), Unpin::Time));
    }
    if let Some(finding) = &pins.finding {
        chips.push((format!("{}: {}", finding.rule, finding.of), Unpin::Finding));
    }
    if !note.strokes.is_empty() {
        chips.push((text::counted(note.strokes.len(), "stroke"), Unpin::Strokes));
    }
    let is_gone = pins.point.as_ref().is_some_and(|point| point.on(&cx.session.head).is_none());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme::GAP_SMALL, theme::GAP_SMALL);
        for (name, unpin) in chips {
            let shown = text::elide_middle(ui.painter(), &name, &theme::small_font(), 180.0);
            let chip = ui.add(Button::new(RichText::new(format!("{shown}  ×")).font(theme::small_font())).small());
            if chip
                .accessible_name(format!("Remove {}", text::shown(&name)))
                .on_hover_text("Remove it from the note")
                .clicked()
            {
                unpin.apply(cx, note.id);
            }
        }
    });
    if is_gone {
        let gone = "This head does not have the point: choose Pin, and click where it is now";
        wrapped_ui(ui, gone, theme::WARNING);
    }
    if let Some(finding) = &pins.finding
        && let Some(findings) = cx.readings.findings_of(&cx.session.head)
        && finding.rule != smirk_analysis::lint::Rule::Combination.keyword()
    {
        let is_there =
            findings.iter().any(|it| it.rule.keyword() == finding.rule && it.object(&cx.session.head) == finding.of);
        if !is_there {
            wrapped_ui(ui, "The check does not find this any more", theme::GOOD);
        }
    }
}

enum Unpin {
    Point,
    Channel(String),
    Time,
    Finding,
    Strokes,
}

impl Unpin {
    fn apply(self, cx: &mut PanelContext<'_>, id: NoteId) {
        let mut notes = cx.session.notes_mut();
        match self {
            Self::Strokes => notes.clear_strokes(id),
            unpin => notes.pin_to(id, |pins| match unpin {
                Self::Point => pins.point = None,
                Self::Channel(name) => pins.channels.retain(|other| *other != name),
                Self::Time => pins.time = None,
                Self::Finding => pins.finding = None,
                Self::Strokes => unreachable!("strokes are no pin"),
            }),
        }
    }
}

/// What the note can be pinned to, and what can be drawn.
fn tools_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, note: &ReviewNote) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        for (tool, name, tip) in [
            (NoteTool::Pin, "Pin", "Click the face to pin the note there (Esc: not)"),
            (NoteTool::Stroke, "Draw", "Draw over the picture (Esc: stop)"),
            (NoteTool::Arrow, "Arrow", "Drag an arrow over the picture (Esc: stop)"),
        ] {
            let is_chosen = cx.state.notes.tool == Some(tool);
            let button = ui.add(Button::selectable(is_chosen, name).frame_when_inactive(true));
            if button.on_hover_text(tip).clicked() {
                cx.state.notes.tool = (!is_chosen).then_some(tool);
            }
        }
        let time = cx.session.noted_time();
        let button = ui.add_enabled(time.is_some(), Button::new("Time")).accessible_name("Pin to the time");
        if button.on_hover_text("The frame at the play head; from in to out, if it is between them").clicked() {
            cx.session.notes_mut().pin_to(note.id, |pins| pins.time = time);
        }
    });
    let head = cx.session.head.clone();
    let chosen = channel_picker_ui(ui, &head, &note.pinned_to.channels, "Channels of the note", "Channels");
    if let Some(channels) = chosen {
        cx.session.notes_mut().pin_to(note.id, |pins| pins.channels = channels);
    }
}

fn paint_picture(
    painter: &egui::Painter,
    rect: Rect,
    name: &str,
    texture: Option<egui::TextureId>,
    moment: &NotedMoment,
    note: &ReviewNote,
) {
    match texture {
        Some(texture) => paint_thumbnail(painter, rect, texture, 1.0),
        None => drop(painter.rect_filled(rect, theme::ROUNDING, theme::WELL)),
    }
    if name == "Before" {
        note.strokes.iter().for_each(|stroke| paint_stroke(painter, rect, stroke, 1.0));
        paint_point(painter, rect, moment, note);
    }
    let galley = painter.layout_no_wrap(name.to_owned(), theme::small_font(), theme::TEXT);
    let label = Rect::from_min_size(rect.min + vec2(4.0, 4.0), galley.size()).expand2(vec2(4.0, 1.0));
    painter.rect_filled(label, theme::ROUNDING, theme::OVERLAY);
    painter.galley(label.min + vec2(4.0, 1.0), galley, theme::TEXT);
}

fn paint_point(painter: &egui::Painter, rect: Rect, moment: &NotedMoment, note: &ReviewNote) {
    if let Some([x, y]) = moment.point {
        let at = rect.center() + vec2(x, y) * rect.height();
        painter.circle(pos2(at.x, at.y), 4.0, color_of(note), Stroke::new(1.5, Color32::BLACK));
    }
}

/// What a note that is not selected shows of its first line: about three lines of the page.
fn shortened(title: &str) -> String {
    const MOST: usize = 140;
    let shown = text::shown_message(&title.chars().take(MOST).collect::<String>());
    if title.chars().nth(MOST).is_some() { shown + "…" } else { shown }
}

/// As much of a text as is shown of one that a file made longer than any that is typed.
fn cut(text: &str) -> String {
    text.chars().take(ReviewNote::LONGEST_TEXT).collect()
}

/// The pixels of a picture of a note; none if it is no PNG, or larger than any that is made.
fn decoded(picture: &NotePicture) -> Option<ColorImage> {
    const MOST_PX: u32 = 4096;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MOST_PX), Some(MOST_PX));
    let mut reader = ImageReader::with_format(Cursor::new(&*picture.0), ImageFormat::Png);
    reader.limits(limits);
    let image = reader.decode().ok()?.into_rgba8();
    Some(ColorImage::from_rgba_unmultiplied([image.width() as usize, image.height() as usize], image.as_raw()))
}
