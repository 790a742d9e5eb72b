//! What is found out, remembered or queued for one head never meets another one: heads of all sizes take each other's place in every way that
//! the window knows, while an artist does anything and jobs end before, during and after the change.

use egui::{PointerButton, Rect};
use egui_kittest::kittest::{By, NodeT};
use smirk_analysis::judge::{Combination, FaceIntersections, Judged, Through};
use smirk_analysis::lint::{Measure, Rule, Settings, lint};
use smirk_face::head::{Level, Material, ShapeFile};
use smirk_files::import::version_of;
use smirk_scene::ViewMode;
use smirk_session::ComparedWith;
use smirk_support::random::Random;
use smirk_ui::{Page, PictureOf, ShownB};

use crate::harness::*;
use crate::takes::take_of;

const SIZE: Vec2 = Vec2::new(1280.0, 720.0);
/// What `./dev test` does; `SMIRK_SOAK_STEPS` and `SMIRK_SOAK_SEED` are those of the long form.
const STEPS: usize = 1500;
const COUNTS: [usize; 6] = [0, 1, 6, 52, 54, 300];

/// A head with this many channels in a random order, on one to three meshes, with materials and clips or without.
fn random_head(count: usize, random: &mut Random) -> Arc<Head> {
    let name = |index: usize| FACE.get(index).map_or_else(|| format!("shape{index}"), |name| (*name).to_owned());
    let mut names: Vec<String> = (0..count).map(name).collect();
    for index in 1..count {
        names.swap(index, random.below(index + 1));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut meshes = vec![mesh("face", &names)];
    for more in 0..random.below(3) {
        let from = random.below(count + 1);
        meshes.push(mesh(["teeth", "lashes"][more], &names[from..]));
    }
    let materials = (0..random.below(4)).map(|index| Material { name: format!("m{index}"), ..Material::default() });
    let targets: usize = names.len();
    let clip = |index: usize| {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 3.0], vec![0.5; 2 * targets], targets).unwrap();
        Clip::new(format!("clip{index}"), vec![Track { first_target: 0, curve }])
    };
    let clips = (0..if targets == 0 { 0 } else { random.below(3) }).map(clip).collect();
    let notes = vec![Note::info(Subject::named(Kind::Image, "skin"), "Converted.")];
    Arc::new(Head::new(Asset {
        name: format!("head of {count}"),
        meshes,
        materials: materials.collect(),
        clips,
        notes,
        ..Asset::default()
    }))
}

/// What the lint finds, and a finding about each of the last channels, so that their indices are the largest.
fn findings(head: &Arc<Head>) -> OfHead<Vec<Finding>> {
    let of_last = head.channels.len().checked_sub(1).map(|last| Finding {
        rule: Rule::Duplicate,
        level: Level::Warning,
        channels: (last.saturating_sub(20)..=last).rev().collect(),
        measure: Measure::Duplicate { error: 0.0 },
        message: "move every vertex alike".into(),
    });
    let found = if head.channels.len() > 60 { Vec::new() } else { lint(head, &Settings::default()) };
    OfHead::with(head, of_last.into_iter().chain(found).collect())
}

pub fn picture_of(judged: &Judged) -> PictureOf {
    PictureOf::Channels(judged.combination.channels.clone(), ViewMode::Intersections)
}

fn judged(head: &Arc<Head>, random: &mut Random) -> OfHead<Vec<Judged>> {
    let count = head.channels.len();
    let judged = |_| Judged {
        combination: Combination { channels: vec![random.below(count), count - 1] },
        intersections: Arc::new(FaceIntersections::new(vec![vec![0]], vec![(Through::Lips, 1, 3.0)])),
        added_mm: 20.0,
        stretch: 1.2,
        added_stretch: 1.0,
        lost_cm3: 0.0,
    };
    OfHead::with(head, (0..count.min(5)).map(judged).collect())
}

fn source(random: &mut Random) -> HeadSource {
    HeadSource::File(format!("/heads/{}.glb", random.below(4)).into())
}

/// A take of some of the first channels, and of a column that no head has.
fn take(random: &mut Random) -> Take {
    let names = ["jawOpen", "browInnerUp", "shape60", "nothing"];
    take_of("walk", &names[random.below(3)..], 2 + random.below(20))
}

/// The window, as far as heads are concerned.
struct Window {
    harness: Harness<'static, App>,
    /// Heads that were open, for jobs that end late.
    before: Vec<Arc<Head>>,
    random: Random,
}

impl Window {
    fn session(&mut self) -> &mut Session {
        &mut self.harness.state_mut().session
    }

    fn another_head(&mut self) -> Arc<Head> {
        let head = self.harness.state().session.head.clone();
        self.before.push(head);
        if self.before.len() > 4 {
            self.before.remove(0);
        }
        random_head(COUNTS[self.random.below(COUNTS.len())], &mut self.random)
    }

    /// Puts another head in the place of the open one, as the window does.
    fn change_head(&mut self) {
        let head = self.another_head();
        let source = source(&mut self.random);
        let way = self.random.below(5);
        let app = self.harness.state_mut();
        match way {
            0 | 1 => app.session.replace_head(head, source),
            2 => {
                let before = app.session.head.clone();
                app.session.reload(head.clone());
                app.panels.follow_reload(&before, &head);
            }
            3 => {
                let edits = (*app.session.edits).clone();
                app.session = Session::new(head, source, Look::default(), BlendMode::Compute);
                app.session.start_from(edits);
            }
            _ => {
                let path = format!("/shapes/{}.obj", app.session.shapes().len()).into();
                app.session.add_shapes(head, vec![ShapeFile::new(path, Default::default())]);
            }
        }
    }

    /// A job ends, whose head may be the open one or one that was open before.
    fn end_job(&mut self) {
        let open = self.harness.state().session.head.clone();
        let late = self.random.below(self.before.len() + 2);
        let head = self.before.get(late).cloned().unwrap_or(open);
        let which = self.random.below(5);
        let judged = judged(&head, &mut self.random);
        let app = self.harness.state_mut();
        match which {
            0 | 1 => app.findings = findings(&head),
            2 => {
                let open = HeadId::new(&app.session.head);
                app.tried().set(open, Arc::new(judged));
            }
            3 => {
                let pictures = judged.get(&head).unwrap().iter();
                let picture = || image::RgbaImage::new(4, 4);
                let mut thumbnails = Thumbnails::default();
                pictures.for_each(|judged| thumbnails.insert(picture_of(judged), picture()));
                let poses = app.session.edits.poses.iter();
                poses.for_each(|pose| thumbnails.insert(PictureOf::Pose(pose.id), picture()));
                app.thumbnails = OfHead::with(&head, thumbnails);
            }
            _ => app.marked = Some(Arc::default()),
        }
    }

    /// Something of the session changes that is not a click.
    fn change_session(&mut self) {
        let other = random_head(COUNTS[self.random.below(COUNTS.len())], &mut self.random);
        let (take, which) = (take(&mut self.random), self.random.below(12));
        let source = source(&mut self.random);
        let page = Page::ALL[self.random.below(Page::ALL.len())];
        let channel = self.random.below(300);
        let app = self.harness.state_mut();
        let session = &mut app.session;
        let channel = Some(channel).filter(|channel| *channel < session.head.channels.len());
        match which {
            0 => drop(session.undo()),
            1 => drop(session.redo()),
            2 => {
                let version = Arc::new(version_of(&session.head, other));
                session.compare_with(version, source);
                session.compared_with = ComparedWith::Version;
            }
            3 => drop(session.close_version()),
            4 => drop(session.takes_mut().add(vec![take])),
            5 => channel.into_iter().for_each(|channel| session.keys_mut().key(channel)),
            6 => channel.into_iter().for_each(|channel| session.edits.show_heat_of(&session.head, channel)),
            7 => session.edits.look.view = ViewMode::Heat,
            8 => app.state.comparison.shown = [ShownB::Held, ShownB::Beside, ShownB::Over][channel.unwrap_or(0) % 3],
            9 => app.state.panels.curves_open ^= true,
            10 => app.state.panels.left_open ^= true,
            _ => app.state.open_page(page),
        }
    }

    /// A click, a drag or a turn of the wheel on something that is on the screen, or a key.
    fn act(&mut self) {
        const KEYS: [(Modifiers, Key); 20] = [
            (Modifiers::NONE, Key::K),
            (Modifiers::NONE, Key::M),
            (Modifiers::NONE, Key::S),
            (Modifiers::NONE, Key::C),
            (Modifiers::NONE, Key::D),
            (Modifiers::NONE, Key::A),
            (Modifiers::NONE, Key::Delete),
            (Modifiers::NONE, Key::Enter),
            (Modifiers::NONE, Key::Tab),
            (Modifiers::NONE, Key::Escape),
            (Modifiers::NONE, Key::ArrowRight),
            (Modifiers::NONE, Key::ArrowDown),
            (Modifiers::NONE, Key::Num3),
            (Modifiers::NONE, Key::V),
            (Modifiers::COMMAND, Key::A),
            (Modifiers::COMMAND, Key::C),
            (Modifiers::COMMAND, Key::V),
            (Modifiers::COMMAND, Key::Z),
            (Modifiers::COMMAND, Key::F),
            (Modifiers::SHIFT, Key::B),
        ];
        let screen = Rect::from_min_size(Pos2::ZERO, SIZE);
        let nodes = self.harness.query_all(By::new());
        let rects: Vec<Rect> = nodes
            .filter(|node| !node.accesskit_node().is_hidden())
            .filter_map(|node| node.accesskit_node().raw_bounds().map(|_| node.rect()))
            .filter(|rect| rect.is_positive() && screen.contains(rect.center()))
            .collect();
        let Self { random, harness, .. } = self;
        let somewhere = |random: &mut Random| {
            let rect = if rects.is_empty() { screen } else { rects[random.below(rects.len())] };
            rect.lerp_inside(Vec2::new(random.unit(), random.unit()))
        };
        let (at, to) = (somewhere(random), somewhere(random));
        match random.below(8) {
            0..3 => click(harness, at),
            3 => right_click(harness, at),
            4 => drag(harness, at, to, if random.chance(0.5) { Modifiers::COMMAND } else { Modifiers::NONE }),
            5 => {
                harness.hover_at(at);
                let (modifiers, key) = KEYS[random.below(KEYS.len())];
                harness.key_press_modifiers(modifiers, key);
            }
            6 => {
                let (modifiers, key) = KEYS[random.below(KEYS.len())];
                harness.key_press_modifiers(modifiers, key);
            }
            _ => {
                // The button is still down in the next steps.
                harness.hover_at(at);
                let button = PointerButton::Primary;
                harness.event(Event::PointerButton { pos: at, button, pressed: true, modifiers: Modifiers::NONE });
            }
        }
    }

    fn step(&mut self) {
        match self.random.below(10) {
            0..2 => self.change_head(),
            2..4 => self.end_job(),
            4..6 => self.change_session(),
            _ => self.act(),
        }
        // One frame often: what was drawn in the frame before is what the next step is about.
        let frames = 1 + self.random.below(3);
        self.harness.run_steps(frames);
    }
}

/// The parts of the window that panicked.
fn faults(commands: &[Command]) -> Vec<&str> {
    let texts = commands.iter().filter_map(|command| match command {
        Command::ShowStatus(text) => Some(text.as_str()),
        _ => None,
    });
    texts.filter(|text| text.contains("stopped unexpectedly")).collect()
}

fn soak(seed: u32, steps: usize) {
    println!("SMIRK_SOAK_SEED={seed}");
    let mut random = Random::new(seed);
    let mut app = App::new(random_head(54, &mut random));
    app.state.open_page(Page::Report);
    app.findings = findings(&app.session.head);
    let mut window = Window { harness: window_of(SIZE, app), before: Vec::new(), random };
    for step in 0..steps {
        window.step();
        let app = window.harness.state_mut();
        let commands = std::mem::take(&mut app.commands);
        let found = faults(&commands);
        assert!(found.is_empty(), "seed {seed}, step {step}, page {:?}: {found:?}", app.state.panels.page);
        assert_eq!(app.session.mix().weights.len(), app.session.head.default_weights().len());
    }
    // All that was done has not left the window without its panels.
    window.session().commit();
    window.harness.run_steps(2);
}

#[test]
fn heads_take_each_others_place_in_every_state_of_the_panels() {
    soak(1, STEPS);
}

#[test]
#[ignore = "long: SMIRK_SOAK_STEPS steps"]
fn heads_take_each_others_place_for_long() {
    let number = |name: &str, usual: usize| std::env::var(name).map_or(usual, |value| value.parse().unwrap());
    soak(number("SMIRK_SOAK_SEED", std::process::id() as usize) as u32, number("SMIRK_SOAK_STEPS", 50_000));
}

#[test]
fn findings_of_another_head_are_not_shown() {
    let large = head();
    let mut app = App::new(large.clone());
    app.state.open_page(Page::Report);
    app.findings = findings(&large);
    let mut harness = window_of(SIZE, app);
    assert!(harness.query_by_label("move every vertex alike").is_some());
    let small = random_head(1, &mut Random::new(1));
    harness.state_mut().session.replace_head(small.clone(), HeadSource::File("/heads/small.glb".into()));
    harness.run_steps(1);
    assert!(harness.query_by_label("move every vertex alike").is_none());
    assert!(harness.query_by_label("Checking the shapes…").is_some());
    harness.state_mut().findings = findings(&small);
    harness.run_steps(1);
    assert!(harness.query_by_label("Checking the shapes…").is_none());
}

#[test]
fn a_panel_that_panics_costs_that_panel_until_it_is_asked_for_again() {
    let mut app = App::new(head());
    app.state.open_page(Page::Report);
    let mut wrong = findings(&app.session.head).get(&app.session.head).cloned().unwrap();
    wrong[0].channels = vec![usize::MAX];
    app.find(wrong);
    let mut harness = window_of(SIZE, app);
    let is_said = |harness: &Harness<'_, App>| harness.query_by_label_contains("The Report page stopped").is_some();
    assert!(is_said(&harness) && faults(&harness.state().commands).len() == 1, "{:?}", harness.state().commands);
    drag_slider(&mut harness, "browInnerUp", 0.1, 0.9);
    assert!(harness.state().weight("browInnerUp") > 0.5, "the other panels work");
    press(&mut harness, "Look");
    assert!(!is_said(&harness), "the other pages too");
    press(&mut harness, "Report");
    harness.state_mut().find(Vec::new());
    assert!(is_said(&harness));
    press(&mut harness, "Show it again");
    harness.run_steps(2);
    assert!(!is_said(&harness) && harness.query_by_label("No problems found.").is_some());
}
