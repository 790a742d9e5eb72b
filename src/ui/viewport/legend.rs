//! The legends of views of the surface: the scale of the heat map and what it shows, and the colour of vertices that
//! were searched.

use egui::{
    Align, Color32, ComboBox, DragValue, Id, Label, Layout, Mesh, PopupCloseBehavior, Rect, RichText, Sense, Shape,
    UiBuilder, Vec2, pos2, vec2,
};

use smirk_analysis::Marked;
use smirk_analysis::measure::{Measure, rounded_up};
use smirk_face::head::Head;
use smirk_scene::{BlendMode, Compared, FaceValues, Heat, HeatAgainst, MARKED, SearchedView, ViewMode, WITHOUT_VALUE};
use smirk_session::Session;

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::text::{self, short_b_name};
use crate::widgets::{NumberField, TipSide, choice_ui, end_search, keep_tips_off, search_ui};

const WIDTH: f32 = 196.0;
const LEAST_WIDTH: f32 = 100.0;
const BAR: f32 = 8.0;
const LEAST_END: f32 = 1e-4;
const LINE: f32 = 18.0;
const SWATCH: f32 = 12.0;
/// The steps of colour of the bar: enough to look continuous.
const STEPS: usize = 48;

/// Shows the legend of the view that is shown, if it has one, at the lower left of the viewport.
pub(super) fn legend_ui(ui: &mut egui::Ui, viewport: Rect, cx: &mut PanelContext<'_>) {
    match cx.session.edits.look.view {
        ViewMode::Heat => heat_legend_ui(ui, viewport, cx.session, &mut cx.marks.face_values),
        view => {
            if let Some(searched) = view.searched() {
                searched_legend_ui(ui, viewport, &searched, cx.readings.marked);
            }
        }
    }
}

fn heat_legend_ui(ui: &mut egui::Ui, viewport: Rect, session: &mut Session, values: &mut FaceValues) {
    let head = session.head.clone();
    let heat = session.look().heat;
    let compared = if heat.against == HeatAgainst::Compared { session.b().compared() } else { None };
    let lacks_some = compared.as_ref().is_some_and(Compared::lacks_vertices);
    let height = 3.0 * theme::ROW_HEIGHT + BAR + 2.0 * theme::GAP + if lacks_some { LINE } else { 0.0 };
    // Above the row of buttons, which reaches it in a narrow viewport.
    let corner = viewport.left_bottom() + vec2(12.0, -20.0 - theme::BAR_HEIGHT - theme::GAP - height);
    let width = (viewport.width() - 24.0 - 2.0 * theme::GAP).clamp(LEAST_WIDTH, WIDTH);
    let card = Rect::from_min_size(corner, vec2(width + 2.0 * theme::GAP, height));
    ui.painter().rect_filled(card, theme::ROUNDING_LARGE, theme::OVERLAY);
    keep_tips_off(ui.ctx(), card, TipSide::Above);
    let mut child = ui.new_child(UiBuilder::new().max_rect(card.shrink(theme::GAP)).id_salt("heat map"));
    choices_ui(&mut child, session, &head, heat, width);
    let (_, bar) = child.allocate_space(vec2(width, BAR));
    bar_ui(&child, bar, heat);
    scale_ui(&mut child, session, values, heat, compared.as_ref(), width);
    let most = session.look().heat.most(&head, compared.as_ref());
    let described = format!("Scale from {} to {}", with_unit(least(heat, most), heat), with_unit(most, heat));
    let id = child.scope_id().with("scale");
    let response = child.interact(bar, id, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &described));
    if lacks_some {
        let line = Rect::from_min_size(pos2(bar.left(), card.bottom() - theme::GAP - LINE), vec2(width, LINE));
        without_value_ui(&mut child, line);
    }
}

fn choices_ui(ui: &mut egui::Ui, session: &mut Session, head: &Head, heat: Heat, width: f32) {
    let (has_b, against_b) = (session.b().exists(), against_b(session));
    let edits = &mut *session.edits;
    let combo = ComboBox::from_id_salt("measure").width(width).truncate().selected_text(heat.measure.label()).show_ui(
        ui,
        |ui| {
            for &measure in Measure::ALL {
                ui.selectable_value(&mut edits.look.heat.measure, measure, measure.label());
            }
        },
    );
    combo.response.accessible_name("Measured");
    let of = match (heat.against, heat.channel) {
        (HeatAgainst::Mode(mode), _) => format!("Against {}", mode.label()),
        (HeatAgainst::Compared, None) => against_b.clone(),
        (HeatAgainst::Compared, Some(channel)) => format!("{} against B", text::shown(&head.shown_name(channel))),
        (HeatAgainst::Rest, None) => "Whole face".to_owned(),
        (HeatAgainst::Rest, Some(channel)) => text::shown(&head.shown_name(channel)).into_owned(),
    };
    let search_id = Id::unique("search of the heat map's channel");
    let combo = ComboBox::from_id_salt("of").width(width).height(320.0).truncate().selected_text(of);
    let combo = combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show_ui(ui, |ui| {
        let search = search_ui(ui, search_id, "Search what is measured");
        let is_whole = heat.channel.is_none() && heat.against == HeatAgainst::Rest;
        let mut of_face = vec![(is_whole, "Whole face".to_owned(), HeatAgainst::Rest)];
        if has_b {
            of_face.push((heat.against == HeatAgainst::Compared, against_b, HeatAgainst::Compared));
        }
        for &mode in BlendMode::ALL {
            let against = HeatAgainst::Mode(mode);
            of_face.push((heat.against == against, format!("Against {}", mode.label()), against));
        }
        for (is_chosen, name, against) in of_face.into_iter().filter(|(_, name, _)| search.finds(name)) {
            if choice_ui(ui, is_chosen, text::shown(&name)) {
                (edits.heat_channel, edits.look.heat.against) = (None, against);
            }
        }
        ui.separator();
        for (index, channel) in head.channels.iter().enumerate() {
            let name = head.shown_name(index);
            if search.finds(&name) && choice_ui(ui, heat.channel == Some(index), text::shown(&name)) {
                edits.heat_channel = Some(channel.full_name.clone());
                edits.look.heat.is_whole = false;
                if let HeatAgainst::Mode(_) = heat.against {
                    edits.look.heat.against = HeatAgainst::Rest;
                }
            }
        }
    });
    if combo.inner.is_none() {
        end_search(ui, search_id);
    }
    combo.response.accessible_name("Measured of");
}

/// The value at the beginning of a scale that ends at `most`.
fn least(heat: Heat, most: f32) -> f32 {
    if heat.measure.is_signed() { -most } else { 0.0 }
}

fn with_unit(value: f32, heat: Heat) -> String {
    format!("{}{}", number_text(value), heat.measure.unit())
}

/// Where the scale begins and ends: at what the strongest shape does, at what this face does, or at a typed number.
fn scale_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    values: &mut FaceValues,
    heat: Heat,
    compared: Option<&Compared>,
    width: f32,
) {
    let head = session.head.clone();
    ui.horizontal(|ui| {
        let mut most = heat.most(&head, compared);
        // A narrow legend has no room for units, nor for the beginning of the scale.
        let is_narrow = width < WIDTH;
        let (end_width, unit) = if is_narrow { (34.0, "") } else { (56.0, heat.measure.unit()) };
        let begin_width = if is_narrow { 0.0 } else { ui.label(number_text(least(heat, most))).rect.width() };
        let shown = match (heat.most.is_some(), is_narrow) {
            (true, _) => "Fixed",
            (false, false) => "All shapes",
            (false, true) => "All",
        };
        // In a row, a list is as wide as its text.
        let spaces = if is_narrow { 1.0 } else { 2.0 } * ui.spacing().item_spacing.x;
        let list_width = width - begin_width - end_width - spaces;
        let combo = ComboBox::from_id_salt("scale").width(list_width).truncate().selected_text(shown);
        let combo = ui.allocate_ui(vec2(list_width, theme::BAR_HEIGHT), |ui| {
            combo.show_ui(ui, |ui| {
                if ui.selectable_label(heat.most.is_none(), "Strongest of all shapes").clicked() {
                    session.edits.look.heat.most = None;
                }
                // Only the device knows by how much two modes differ.
                let can_fit = !matches!(heat.against, HeatAgainst::Mode(_));
                let fit = ui.add_enabled(can_fit, egui::Button::selectable(false, "Fit to this face"));
                if fit
                    .on_hover_text("The largest value of the face as it is now. It stays until another is chosen")
                    .clicked()
                {
                    let sizes = values.measured(&session.scene([1; 2])).into_iter().flatten().flatten();
                    let sizes = sizes.map(|value| value.abs());
                    let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f32::max);
                    session.edits.look.heat.most = (largest > 0.0).then(|| rounded_up(largest));
                }
            })
        });
        combo.inner.response.accessible_name("Scale");
        let speed = most * 0.01;
        let end = DragValue::new(&mut most).range(LEAST_END..=f32::MAX).speed(speed).suffix(unit);
        let end =
            end.custom_formatter(|value, _| number_text(value as f32)).min_size(vec2(end_width, theme::BAR_HEIGHT));
        let end = ui.add(NumberField(end));
        if end.accessible_name("End of the scale").on_hover_text("Type or drag where the scale ends").changed() {
            session.edits.look.heat.most = Some(most);
        }
    });
}

fn against_b(session: &Session) -> String {
    if session.b().exists() {
        format!("Against B: {}", text::shown(&short_b_name(session)))
    } else {
        "Against B: none, so from rest".into()
    }
}

fn without_value_ui(ui: &mut egui::Ui, line: Rect) {
    let swatch = Rect::from_center_size(line.left_center() + vec2(SWATCH * 0.5, 0.0), Vec2::splat(SWATCH));
    ui.painter().rect_filled(swatch, theme::ROUNDING, theme::of_scale(WITHOUT_VALUE));
    let text = line.with_min_x(swatch.right() + theme::GAP_SMALL);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(text).layout(Layout::left_to_right(Align::Center)));
    ui.add(Label::new("Not in B").truncate())
        .on_hover_text("Parts of A that B lacks, so that there is nothing to measure");
}

fn bar_ui(ui: &egui::Ui, bar: Rect, heat: Heat) {
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let part = step as f32 / STEPS as f32;
        add_column(&mut mesh, bar.left() + part * bar.width(), bar, theme::of_scale(heat.scale().color(part)));
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Two vertices at the top and the bottom of the bar, joined with those before.
fn add_column(mesh: &mut Mesh, x: f32, bar: Rect, color: Color32) {
    let first = mesh.vertices.len() as u32;
    mesh.colored_vertex(pos2(x, bar.top()), color);
    mesh.colored_vertex(pos2(x, bar.bottom()), color);
    if first > 0 {
        mesh.add_triangle(first - 2, first - 1, first);
        mesh.add_triangle(first - 1, first, first + 1);
    }
}

fn number_text(value: f32) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

const SEARCHED_WIDTH: f32 = 216.0;

/// Shows the meaning of the colour in a view that is searched, and the latest that was found.
fn searched_legend_ui(ui: &mut egui::Ui, viewport: Rect, view: &SearchedView, marked: Option<&Marked>) {
    let searching = ["Searching…".to_owned()];
    let lines = marked.map_or(&searching[..], |marked| &marked.lines);
    let height = (lines.len() + 1) as f32 * LINE + 2.0 * theme::GAP;
    // Above the row of buttons, which reaches it in a narrow viewport.
    let corner = viewport.left_bottom() + vec2(12.0, -20.0 - theme::BAR_HEIGHT - theme::GAP - height);
    let width = (viewport.width() - 24.0 - 2.0 * theme::GAP).clamp(LEAST_WIDTH, SEARCHED_WIDTH);
    let card = Rect::from_min_size(corner, vec2(width + 2.0 * theme::GAP, height));
    ui.painter().rect_filled(card, theme::ROUNDING_LARGE, theme::OVERLAY);
    let mut child = ui.new_child(UiBuilder::new().max_rect(card.shrink(theme::GAP)).id_salt("marked"));
    child.spacing_mut().item_spacing = vec2(theme::GAP, 0.0);
    line_ui(&mut child, width, |ui| {
        let (swatch, _) = ui.allocate_exact_size(Vec2::splat(SWATCH), Sense::hover());
        ui.painter().rect_filled(swatch, theme::ROUNDING, theme::of_scale(MARKED));
        ui.add(Label::new(view.label).truncate().show_tooltip_when_elided(false)).on_hover_text(view.about);
    });
    for line in lines {
        line_ui(&mut child, width, |ui| ui.add(Label::new(RichText::new(line).color(theme::TEXT_WEAK)).truncate()));
    }
}

fn line_ui<R>(ui: &mut egui::Ui, width: f32, contents: impl FnOnce(&mut egui::Ui) -> R) {
    ui.allocate_ui(vec2(width, LINE), |ui| ui.horizontal_centered(contents));
}
