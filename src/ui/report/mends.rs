//! The section of the Report page about mends: the list with its numbers, and the remedy of a finding.

use egui::containers::menu::MenuButton;
use egui::{Button, Id, TextEdit};

use super::expression::{expression_of_face, expression_ui, face, is_of_file, mend_of};
use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{
    Bar, Choice, EditSelection, ListedEdit, checkbox_ui, edit_list_ui, options_ui, row_ui, setting_ui, shape_picker_ui,
    text, title_ui, wrapped_ui,
};
use smirk_analysis::lint::Finding;
use smirk_analysis::mend::{
    Change, ExpressionSet, Kind, Mask, MaskPoint, Mend, Noise, Parts, Pinch, Rebase, Rename, Scale, Smooth, Split,
    Together, remedy, safe_mends,
};
use smirk_editor::document::LoadRequest;
use smirk_face::head::{Dialect, Head};
use smirk_scene::{FaceValues, ViewMode};
use smirk_session::Session;

/// The list of mends, as the page remembers it.
#[derive(Debug, Default)]
pub(super) struct MendList {
    selection: EditSelection,
}

impl MendList {
    pub(super) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        if let Some(mend) = cx.marks.new_mend.take() {
            self.add(cx, mend);
        }
        title_ui(ui, "Mends", |ui| self.add_ui(ui, cx));
        let mends = cx.session.edits.mends.clone();
        self.selection.index.take_if(|index| *index >= mends.len());
        if mends.is_empty() {
            ui.weak("Repair what is found. The file stays as it is; File › Export › Head as .glb… or .vrm… writes the mended head.");
        } else {
            self.list_ui(ui, cx, &mends);
        }
        ui.horizontal_wrapped(|ui| {
            let tip = "Add the mends of a .toml that lies beside a head, as Save list and smirk mend write it";
            if ui.button("Open list…").on_hover_text(tip).clicked() {
                cx.commands.push(Command::Choose(OpenAs::Mends));
            }
            let findings = cx.readings.findings_of(&cx.session.head);
            let safe = Button::new("Mend all that is safe");
            let tip =
                "What cannot change what is seen: noise, empty shapes, exact duplicates, numbers that mean nothing";
            if ui.add_enabled(findings.is_some(), safe).on_hover_text(tip).clicked() {
                let safe = safe_mends(&cx.session.head, findings.unwrap_or_default());
                if cx.session.add_mends(safe) == [0, 0] {
                    cx.show_status("Nothing is left that is safe to mend");
                }
            }
            if mends.is_empty() {
                return;
            }
            let tip = "B is the head without mends: side by side, over each other, as a heat map";
            if ui.button("Compare with the file").on_hover_text(tip).clicked() {
                let version = LoadRequest::Version(cx.session.source.clone());
                cx.commands.push(Command::Load(Box::new(version)));
            }
            if ui.button("Save list…").on_hover_text("As a file for other heads and smirk mend").clicked() {
                cx.commands.push(Command::SaveMends);
            }
        });
    }

    /// Offers the remedy of a finding.
    pub(super) fn remedy_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, finding: &Finding) {
        let Some(mend) = remedy(&cx.session.head, finding) else { return };
        let tip = format!("Adds {} for these shapes to the mends above", mend.kind.label());
        let name = format!("Mend {}", finding.rule.title());
        if ui.button("Mend…").on_hover_text(tip).accessible_name(name).clicked() {
            self.add(cx, mend);
        }
    }

    /// Adds a mend, unless it is there, and shows its numbers.
    fn add(&mut self, cx: &mut PanelContext<'_>, mend: Mend) {
        // What changes an expression that the list makes is done where that is made.
        let made = match &mend.kind {
            Kind::Expression(set) if set.binds.is_none() => {
                mend_of(cx.session, &set.name).map(|made| (made, set.delete))
            }
            _ => None,
        };
        match made {
            Some((made, false)) => {
                self.selection = EditSelection { index: Some(made), is_new: true };
                return;
            }
            Some((made, true)) if !is_of_file(cx.session, mend_name(&cx.session.edits.mends[made])) => {
                self.selection = EditSelection::default();
                cx.session.edits.mends.remove(made);
                return;
            }
            _ => {}
        }
        let mends = &mut cx.session.edits.mends;
        let index = mends.iter().position(|other| *other == mend).unwrap_or(mends.len());
        if index == mends.len() && index < Mend::MOST {
            mends.push(mend);
        }
        self.selection = EditSelection { index: Some(index), is_new: true };
    }

    fn add_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let has_room = cx.session.edits.mends.len() < Mend::MOST;
        ui.add_enabled_ui(has_room, |ui| {
            let (button, _) = MenuButton::new("Add mend").ui(ui, |ui| {
                ui.set_min_width(180.0);
                for kind in Kind::all() {
                    if ui.button(kind.label()).on_hover_text(explained(&kind)).clicked() {
                        let shapes = moved_shapes(cx);
                        let needs_shapes = kind.needs_shapes();
                        let shapes = Some(shapes).filter(|shapes| needs_shapes || !shapes.is_empty());
                        let mend = match kind {
                            // What is moved is the face, and it is no longer moved once it is at rest.
                            Kind::Rebase(_) => {
                                let face = face(cx.session);
                                let channels = 0..cx.session.head.channels.len();
                                cx.session.channels_mut(channels).reset();
                                Kind::Rebase(Rebase { face }).into()
                            }
                            Kind::Rename(_) => Kind::Rename(Rename::to(Dialect::Arkit, &cx.session.head)).into(),
                            Kind::Expression(_) => expression_of_face(cx.session),
                            kind @ (Kind::Expressions(_) | Kind::Avatar(_)) => kind.into(),
                            kind => Mend { shapes, ..Mend::from(kind) },
                        };
                        self.add(cx, mend);
                    }
                }
            });
            button
                .on_hover_text("For the shapes that are moved now, else for all")
                .on_disabled_hover_text(format!("A head has at most {} mends", Mend::MOST));
        });
    }

    fn list_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, mends: &[Mend]) {
        let changes = cx.session.mend_changes().map(<[Option<Change>]>::to_vec);
        let listed: Vec<ListedEdit> = mends.iter().map(listed).collect();
        if let Some(change) = edit_list_ui(ui, "Mend", Id::unique("mends"), &listed, &mut self.selection) {
            change.apply(&mut cx.session.edits.mends, |mend| &mut mend.enabled);
            return;
        }
        cx.marks.masked_mend.take_if(|masked| Some(*masked) != self.selection.index);
        if let Some(selected) = self.selection.index {
            let mut new = mends[selected].clone();
            let change = changes.as_ref().and_then(|changes| changes.get(selected)?.as_ref());
            let shown = ui.indent("mend", |ui| {
                numbers_ui(ui, cx, selected, &mut new);
                match (change, new.enabled) {
                    (_, false) => _ = ui.weak("Switched off"),
                    (None, true) => _ = ui.weak("Mending…"),
                    (Some(change), true) => {
                        wrapped_ui(ui, text::shown_message(&change.in_words()), theme::TEXT);
                        for refusal in change.refusals().take(MOST_REFUSALS) {
                            wrapped_ui(ui, text::shown_message(&refusal), theme::WARNING);
                        }
                    }
                }
            });
            if std::mem::take(&mut self.selection.is_new) {
                shown.response.scroll_to_me(None);
            }
            if new != mends[selected] {
                cx.session.edits.mends[selected] = new;
            }
        }
        ui.add_space(theme::GAP_SMALL);
    }
}

/// How many refused shapes are listed.
const MOST_REFUSALS: usize = 8;

/// The mends that the menu of a shape offers.
pub(crate) fn mends_of_shape(head: &Head, channel: usize) -> Vec<Mend> {
    if head.expression_of(channel).is_some() {
        return Vec::new();
    }
    let mut kinds = Kind::all();
    let kinds = kinds.iter_mut().filter(|kind| match kind {
        Kind::Noise(_) | Kind::Split(_) | Kind::Symmetrise(_) | Kind::Swap(_) | Kind::Smooth(_) | Kind::Scale(_) => {
            true
        }
        Kind::Mirror(_) => head.mirror_of(channel) != channel,
        _ => false,
    });
    kinds.map(|kind| Mend::of_shapes(kind.clone(), [&head.channels[channel].full_name])).collect()
}

/// The shapes whose weight is not 0, by their names.
fn moved_shapes(cx: &PanelContext<'_>) -> Vec<String> {
    let channels = cx.session.head.target_channels().iter().enumerate();
    let moved = channels.filter(|(channel, _)| cx.session.head.is_active(*channel, &cx.mix.weights));
    moved.map(|(_, channel)| channel.full_name.clone()).collect()
}

fn listed(mend: &Mend) -> ListedEdit {
    let shapes = match mend.shapes.as_deref() {
        None if !mend.kind.is_of_shapes() => text::shown(mend_name(mend)).into_owned(),
        None => "all shapes".to_owned(),
        Some([name]) => text::shown(name).into_owned(),
        Some(names) => text::counted(names.len(), "shape"),
    };
    ListedEdit { label: mend.kind.label(), about: [shapes, String::new()], enabled: mend.enabled }
}

/// What a mend that is not done to shapes is done to.
fn mend_name(mend: &Mend) -> &str {
    match &mend.kind {
        Kind::Expression(set) => set.rename.as_ref().unwrap_or(&set.name),
        Kind::Expressions(made) => made.set.label(),
        Kind::Avatar(avatar) => &avatar.name,
        _ => "",
    }
}

fn numbers_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, index: usize, mend: &mut Mend) {
    let head = &*cx.session.unmended().clone();
    let bar = |name, label, most, unit, decimals| Bar {
        name,
        range: 0.0..=most,
        unit,
        decimals,
        open_ended: true,
        ..Bar::named(label)
    };
    match &mut mend.kind {
        Kind::Noise(Noise { below_mm, below_degrees }) => {
            let rest = Noise::default();
            setting_ui(ui, bar("Below", "Mend noise below", 0.1, " mm", 4), below_mm, rest.below_mm);
            let normals = bar("Normals below", "Mend normals below", 2.0, "°", 3);
            setting_ui(ui, normals, below_degrees, rest.below_degrees);
            (*below_mm, *below_degrees) = (below_mm.max(0.0), below_degrees.max(0.0));
        }
        Kind::Split(Split { by, falloff_mm, suffixes }) => {
            let before = *by;
            options_ui(ui, by, &[(Parts::Sides, "Left and right"), (Parts::Mask, "By a mask")]);
            if *by != before && *suffixes == before.suffixes() {
                *suffixes = by.suffixes();
            }
            let [first, second] = suffixes;
            match by {
                Parts::Sides => {
                    let bar = bar("Falloff", "Mend falloff", 60.0, " mm", 1);
                    setting_ui(ui, bar, falloff_mm, Split::default().falloff_mm);
                    *falloff_mm = falloff_mm.max(0.0);
                    name_ui(ui, "Ends with, left", "Mend left suffix", first);
                    name_ui(ui, "Ends with, right", "Mend right suffix", second);
                }
                Parts::Mask => {
                    name_ui(ui, "Ends with, inside", "Mend inside suffix", first);
                    name_ui(ui, "Ends with, outside", "Mend outside suffix", second);
                }
            }
        }
        Kind::Join(join) => name_ui(ui, "Into", "Mend joined name", &mut join.into),
        Kind::Pinch(pinch) => {
            let channels = mend.shapes.iter().flatten().filter_map(|name| head.channel_named(name));
            let usual = Pinch::usual_name(head, &channels.collect::<Vec<_>>());
            row_ui(ui, "Into", "", |ui| {
                let field = TextEdit::singleline(&mut pinch.into).hint_text(usual).desired_width(NAME_WIDTH);
                ui.add(field).accessible_name("Mend pinch name");
            });
        }
        Kind::Mirror(mirror) => {
            let mut onto = mirror.onto.clone().unwrap_or_default();
            name_ui(ui, "Onto, if no other side", "Mend mirrored name", &mut onto);
            mirror.onto = Some(onto).filter(|onto| !onto.is_empty());
        }
        Kind::Cracks(cracks) => {
            options_ui(
                ui,
                &mut cracks.to,
                &[(Together::Mean, "To the mean"), (Together::Larger, "To the larger piece")],
            );
        }
        Kind::Contained(contained) => {
            let chosen: Vec<String> =
                Some(contained.shape.clone()).filter(|name| !name.is_empty()).into_iter().collect();
            let new = shape_picker_ui(ui, head, &chosen, "Mend subtracts", "Choose what is subtracted");
            if let Some(last) = new.and_then(|new| new.into_iter().find(|name| !chosen.contains(name))) {
                contained.shape = last;
            }
            let mut is_found = contained.weight.is_none();
            checkbox_ui(ui, &mut is_found, "Find the weight").accessible_name("Mend finds the weight");
            contained.weight = (!is_found).then(|| contained.weight.unwrap_or(1.0));
            if let Some(weight) = &mut contained.weight {
                let weights = Bar { range: -1.0..=1.0, ..bar("Weight", "Mend weight", 1.0, "", 3) };
                setting_ui(ui, weights, weight, 1.0);
            }
        }
        Kind::Smooth(Smooth { strength, passes }) => {
            let strengths = Bar { open_ended: false, ..bar("Strength", "Mend strength", 1.0, "", 2) };
            setting_ui(ui, strengths, strength, 1.0);
            let mut count = *passes as f32;
            let range = 0.0..=Smooth::MOST_PASSES as f32;
            let counts = Bar { range, open_ended: false, ..bar("Passes", "Mend passes", 1.0, "", 0) };
            if setting_ui(ui, counts, &mut count, 5.0) {
                *passes = count.round().clamp(0.0, Smooth::MOST_PASSES as f32) as u32;
            }
        }
        Kind::Scale(scale) => {
            setting_ui(ui, bar("Factor", "Mend factor", 2.0, "", 2), &mut scale.factor, Scale::default().factor);
            scale.factor = scale.factor.max(0.0);
        }
        Kind::Normals(normals) => {
            checkbox_ui(ui, &mut normals.all, "Also of shapes that have some").accessible_name("Mend all normals");
        }
        Kind::Rebase(rebase) => {
            ui.weak(format!(
                "The weights of {} count from those of the face",
                text::counted(rebase.face.len(), "shape")
            ));
        }
        Kind::Rename(rename) => {
            ui.horizontal_wrapped(|ui| {
                ui.label("Names of");
                for &dialect in Dialect::ALL {
                    let button = ui.button(dialect.label());
                    if button.on_hover_text("Of shapes that mean one of its movements").clicked() {
                        *rename = Rename::to(dialect, head);
                    }
                }
            });
            let (names, shapes) = (rename.names.len(), rename.order.len());
            ui.weak(format!("{} for {}", text::counted(names, "new name"), text::counted(shapes, "known shape")));
        }
        Kind::Expression(set) => expression_ui(ui, cx, index, set),
        Kind::Expressions(made) => {
            let words = |set: ExpressionSet| (set.label().into(), "");
            let choice = Choice { width: 190.0, label: "Set", ..Choice::new("Expressions made", "") };
            choice.row_ui(ui, &mut made.set, ExpressionSet::ALL, words);
        }
        Kind::Avatar(avatar) => {
            name_ui(ui, "Name", "Avatar name", &mut avatar.name);
            let mut authors = avatar.authors.join(",");
            name_ui(ui, "Authors", "Avatar authors", &mut authors);
            avatar.authors = authors.split(',').map(str::to_owned).filter(|author| !author.is_empty()).collect();
            name_ui(ui, "Licence", "Avatar licence", &mut avatar.licence_url);
        }
        Kind::Symmetrise(_)
        | Kind::Swap(_)
        | Kind::ZeroRest(_)
        | Kind::Empty(_)
        | Kind::Duplicates(_)
        | Kind::Tidy(_) => {}
    }
    if mend.kind.uses_mask() {
        mask_ui(ui, cx, index, &mut mend.mask);
    }
    if !mend.kind.is_of_shapes() {
        return;
    }
    let none = if mend.kind.needs_shapes() { "Choose shapes" } else { "All shapes" };
    let chosen = mend.shapes.clone().unwrap_or_default();
    if let Some(new) = shape_picker_ui(ui, head, &chosen, "Mend shapes", none) {
        mend.shapes = Some(new).filter(|new| mend.kind.needs_shapes() || !new.is_empty());
    }
}

/// Where a mend works.
fn mask_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, index: usize, mask: &mut Option<Mask>) {
    ui.horizontal_wrapped(|ui| {
        let is_painted = cx.marks.masked_mend == Some(index);
        let paint = Button::selectable(is_painted, "Paint mask").frame_when_inactive(true);
        let tip = "A click on the face adds to where this mend works, a click on the middle of a circle takes that \
                   away; Esc ends it";
        if ui.add(paint).on_hover_text(tip).clicked() {
            cx.marks.masked_mend = (!is_painted).then_some(index);
        }
        let is_hot = cx.session.edits.look.view == ViewMode::Heat;
        let heat = ui.add_enabled(is_hot, Button::new("Mask from heat map"));
        let heat = heat.on_hover_text("Where the heat map has at least half of its largest value");
        if heat.on_disabled_hover_text("Show the heat map first (Ctrl+H)").clicked() {
            *mask = mask_of_heat(cx.session, &mut cx.marks.face_values, mask.as_ref());
        }
        if mask.is_some() && ui.button("Clear mask").clicked() {
            *mask = None;
        }
    });
    let Some(Mask(points)) = mask else {
        ui.weak("Everywhere: there is no mask");
        return;
    };
    ui.weak(format!("Near {}", text::counted(points.len(), "point")));
    let mut radius_mm = points.last().map_or(MaskPoint::USUAL_RADIUS_MM, |last| last.radius_mm);
    let bar = Bar { name: "Radius", range: 1.0..=60.0, unit: " mm", decimals: 1, ..Bar::named("Mend mask radius") };
    if setting_ui(ui, bar, &mut radius_mm, MaskPoint::USUAL_RADIUS_MM) {
        points.iter_mut().for_each(|point| point.radius_mm = radius_mm);
    }
}

/// The mask of what the heat map shows; none where it shows nothing.
fn mask_of_heat(session: &Session, values: &mut FaceValues, before: Option<&Mask>) -> Option<Mask> {
    let (head, values) = (&session.head, values.measured(&session.scene([1; 2]))?);
    let vertices = head.meshes.iter().zip(values).flat_map(|(mesh, values)| {
        let places = mesh.vertices.positions.iter().enumerate();
        let places = places.map(|(vertex, at)| head.rest_pose.world_from_vertex(mesh, vertex).transform_point3(*at));
        places.zip(values.iter().copied())
    });
    let last = before.and_then(|mask| mask.0.last());
    let radius_mm = last.map_or(MaskPoint::USUAL_RADIUS_MM, |last| last.radius_mm);
    Some(Mask::covering(vertices, radius_mm, head.mm_per_unit())).filter(|mask| !mask.0.is_empty())
}

const NAME_WIDTH: f32 = 120.0;

fn name_ui(ui: &mut egui::Ui, name: &str, label: &str, text: &mut String) {
    row_ui(ui, name, "", |ui| ui.add(TextEdit::singleline(text).desired_width(NAME_WIDTH)).accessible_name(label));
}

pub(crate) fn explained(kind: &Kind) -> &'static str {
    match kind {
        Kind::Noise(_) => "Movements too small to be seen go; what is left fades, so that no crack opens",
        Kind::Split(_) => "Two halves, or a region and the rest, which add up to the shape exactly",
        Kind::Join(_) => "Two shapes or more become one",
        Kind::Mirror(_) => "The shape of the other side becomes the mirror image",
        Kind::Symmetrise(_) => "Both sides become the mean of both",
        Kind::Swap(_) => "What is called left is called right; a shape of the middle becomes its mirror image",
        Kind::Smooth(_) => "The movement becomes even; borders, lids and lips stay",
        Kind::Scale(_) => "Shapes move more or less than in the file",
        Kind::Normals(_) => "Normals turn with the surface where a shape has none; hard edges stay hard",
        Kind::Cracks(_) => "What is closed at rest stays closed; lips and lids still open",
        Kind::Contained(_) => "Take a shape out that another one contains",
        Kind::Pinch(_) => {
            "Skin that crosses something while these shapes are on together is pushed out by a corrective"
        }
        Kind::ZeroRest(_) => "All weights at rest become 0",
        Kind::Rebase(_) => "The face that is shown becomes the neutral one; weights count from it",
        Kind::Rename(_) => {
            "The names of ARKit or another dialect, in its order, for shapes that mean one of its movements"
        }
        Kind::Empty(_) => "Shapes that move nothing are removed",
        Kind::Duplicates(_) => "Of shapes that are exactly equal, one stays",
        Kind::Expression(_) => "An expression of VRM that shows the face as it is now",
        Kind::Expressions(_) => "The presets of VRM or the 52 expressions of ARKit, of the shapes that the head has",
        Kind::Avatar(_) => "Name, author and licence of a VRM avatar, for a head with the bones of a body",
        Kind::Tidy(_) => "Negative zeros and vertices that do not move are not stored",
    }
}
