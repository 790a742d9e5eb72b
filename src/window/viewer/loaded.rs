//! What the window does with files that are loaded: it shows a head or a project, and adds takes, poses, shapes,
//! sounds, markers and references.

mod sound;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::{Closing, ReadHead, Viewer};
use crate::window::hot_reload::{Busy, NextStep};
use crate::window::notices::Message;
use smirk_base::date::clock_time;
use smirk_base::file_kind::Content;
use smirk_base::names::{natural_order, printable};
use smirk_base::watch::FilesRead;
use smirk_editor::document::{LoadRequest, LoadStatus, Loaded, PendingProject, Reloaded, TakeFiles};
use smirk_face::head::{Head, Note, OfHead, ShapeFile, listed};
use smirk_face::motion::{Take, TakeMap};
use smirk_files::audio::Sound;
use smirk_files::import::{CarriedShapes, ImportedMarkers, NamedWeights, ShapesReport};
use smirk_files::reference::Footage;
use smirk_picture::render::HeadOnGpu;
use smirk_scene::View;
use smirk_session::{HeadSource, Mending, Reference, Session, TakeEntry, TakeId, TimingOf};
use smirk_ui::{FeaturePlacing, Prompt};

impl Viewer {
    /// Takes what was loaded, and starts to load the next file of the queue. A failure is read and a question is answered
    /// before the next file may take its place.
    pub(super) fn take_loaded(&mut self) {
        if let Some(loaded) = self.jobs.loader.take() {
            let read = self.jobs.loader.files_read().clone();
            self.show_loaded(loaded, read);
        }
        let asks = matches!(self.prompt, Some(Prompt::OpenHead { .. }));
        self.asked_head.take_if(|_| !asks);
        // Nobody answers in a run that only takes a screenshot.
        let waits = self.prompt.is_some() && self.screenshot.is_none();
        if waits || self.jobs.loader.status() != LoadStatus::Idle {
            return;
        }
        match self.file_queue.take_next() {
            Some(mut files) if is_reference(&files) => self.open_reference(files.remove(0)),
            Some(mut files) => {
                let request = match files.len() {
                    1 => LoadRequest::Dropped(files.remove(0)),
                    _ => LoadRequest::MeshFiles(files),
                };
                self.jobs.load(request, &self.document.session, &self.viewport.gpu);
            }
            None => {
                if let Some(path) = self.jobs.reference.sound.take() {
                    self.load_sound_of_reference(path);
                } else if let Some(path) = self.version_files.wanted.take() {
                    self.load_version(path);
                } else {
                    self.notices.show_pending();
                }
            }
        }
    }

    fn show_loaded(&mut self, loaded: Loaded, read: FilesRead) {
        match loaded {
            Loaded::Reloaded(reloaded) => self.hot_reload.take(reloaded, read),
            Loaded::Turned(head) => self.show_turned(*head),
            Loaded::Mended(head, mending) => self.show_mended(head, mending),
            Loaded::WithShapes(head, shapes) => self.show_with_shapes(*head, shapes, read),
            Loaded::Features(Ok(found), source) => {
                let session = &mut self.document.session;
                session.camera.look_from(View::Front);
                session.camera.frame(found.face(), self.ui.aspect());
                self.ui.placing = Some(OfHead::with(&session.head, FeaturePlacing::new(source, *found)));
            }
            Loaded::Features(Err(problem), _) => {
                let title = format!("No shapes can be carried over to {}", self.document.session.head.name);
                self.notices.add_failure(title, problem.to_string());
            }
            Loaded::NotReloaded(problem) => self.keep_head(&problem, &read),
            Loaded::Version(head, version, source) => self.show_version(*head, version, source, &read),
            Loaded::Head(head, source) => self.show_or_ask(ReadHead { head: *head, source, shapes: None, read }),
            Loaded::New(head) => {
                self.show_read(ReadHead { head: *head, source: HeadSource::Embedded, shapes: None, read }, false);
            }
            Loaded::Project { head, source, project, takes, missing_shapes } => {
                self.show_project(
                    ReadHead { head: *head, source, shapes: None, read },
                    &project,
                    &takes,
                    missing_shapes,
                );
            }
            // Those of another head, or of this one read again, are applied in the next frame.
            Loaded::ForHead { head, loaded, .. }
                if matches!(*loaded, Loaded::Mended(..)) && !head.is_of(&self.document.session.head) => {}
            Loaded::ForHead { head, failure, .. } if !head.is_of(&self.document.session.head) => {
                let message = "Another head was opened meanwhile, or this one was read again. Open the file once more.";
                self.notices.add_failure(failure.into(), message.into());
            }
            Loaded::ForHead { loaded, title, notes, .. } => {
                self.show_loaded(*loaded, read);
                if !notes.is_empty() {
                    self.notices.add_information(title, lines(&notes));
                } else if !title.is_empty() {
                    self.notices.show_status(title, Instant::now());
                }
            }
            Loaded::Shapes { head, shapes, report } => self.show_shapes(*head, shapes, &report, &read),
            Loaded::HeadWithShapes { head, source, shapes, report } => {
                self.show_or_ask(ReadHead { head: *head, source, shapes: Some((shapes, report)), read });
            }
            Loaded::ProjectWithoutHead(project, problem) => self.document.set_project_without_head(*project, problem),
            Loaded::Takes { takes, file, .. } if takes.is_empty() => {
                let message = "The file has no blend-shape animation.".to_owned();
                self.notices.add_failure(format!("No takes in {}", HeadSource::File(file).name()), message);
            }
            Loaded::Takes { takes, content, missing, sound, .. } => {
                self.import_takes(takes, content, missing, sound);
            }
            Loaded::Question(question) => self.ask_instead(Prompt::Open(question)),
            Loaded::Sound(sound, path) => self.import_sound(sound, &path),
            Loaded::Markers(markers, path) => self.import_markers(markers, path),
            Loaded::Poses(poses, path) => self.import_poses(poses, path),
            Loaded::Mapping(map, notes, path) => self.import_mapping(&map, &notes, path),
        }
    }

    /// Shows a head. If the work in the window would play on it, and it is not the head of that work read again, it is
    /// asked first what becomes of the work.
    fn show_or_ask(&mut self, read: ReadHead) {
        let session = &self.document.session;
        let work = session.work_in_words();
        let asks = read.source != session.source && !work.is_empty() && self.screenshot.is_none();
        if !asks {
            return self.show_read(read, true);
        }
        let status = self.document.status();
        let (project, is_unsaved) = (status.project, status.is_unsaved);
        self.ask_instead(Prompt::OpenHead { name: read.source.name(), work, project, is_unsaved });
        self.asked_head = Some(read);
    }

    /// Asks a question in the place of the one before. If that was about closing the window, it stays open.
    fn ask_instead(&mut self, prompt: Prompt) {
        (self.prompt, self.closing) = (Some(prompt), Closing::No);
    }

    /// Forgets what was asked and chosen about the work that was replaced.
    fn forget_questions(&mut self) {
        self.prompt.take_if(|prompt| matches!(prompt, Prompt::ChangedOnDisk { .. } | Prompt::Quit { .. }));
        self.closing = Closing::No;
    }

    /// Shows a head, with the work on the one before or without. That one stays if its unsaved work cannot be set
    /// aside.
    pub(super) fn show_read(&mut self, read: ReadHead, keeps_work: bool) {
        let ReadHead { head: loaded, source, shapes, read } = read;
        let (head, name) = (loaded.head().clone(), source.name());
        let (before, is_other) = (self.document.name(), self.document.session.source != source);
        let kept = if keeps_work { self.document.session.work_in_words().join(", ") } else { String::new() };
        let opened = match keeps_work {
            true => self.document.open_head(head, source.clone()),
            false => self.document.open_head_anew(head, source.clone()),
        };
        if let Err(error) = opened {
            return self.notices.add_failure(format!("Cannot open {name}"), error.to_string());
        }
        self.hot_reload.set_read(read);
        if is_other || !keeps_work {
            self.forget_questions();
        }
        if let HeadSource::File(path) = &source {
            self.settings.add_recent(path);
        }
        self.viewport.set_head(loaded);
        self.viewport.needs_framing = true;
        self.viewport.project_mode = None;
        self.choose_mode();
        if !kept.is_empty() && is_other {
            let lacking = self.document.session.keys_without_channel();
            let lacking = lacking.map_or(String::new(), |names| format!(". Without a channel here: {names}"));
            let alone = match self.document.session.timing_of() {
                TimingOf::Clip(clip) if clip.index_on(&self.document.session.head).is_none() => {
                    format!(". The keys of {} play alone: {name} lacks this clip", printable(&clip.name))
                }
                TimingOf::Head | TimingOf::Clip(_) | TimingOf::Take(_) => String::new(),
            };
            let text = format!("Kept on {name}: {kept}{lacking}{alone}. Ctrl+Z goes back to {before}");
            self.notices.show_status(text, Instant::now());
        } else if !keeps_work {
            self.notices.show_status(format!("Started anew. Ctrl+Z goes back to {before}"), Instant::now());
        }
        if let Some((shapes, report)) = shapes {
            self.document.set_shapes(shapes);
            self.add_shapes_message(&report, Some(&name));
        }
    }

    fn show_project(&mut self, read: ReadHead, project: &PendingProject, takes: &TakeFiles, missing_shapes: Vec<Note>) {
        let ReadHead { head: loaded, source, read, .. } = read;
        let last = &self.document.session;
        let session = Session::new(loaded.head().clone(), source, last.default_look, last.mode)
            .with_habits(last.edits.matching.clone(), self.ui.panels.links_sides);
        let notes = match self.document.open_project(project, session, takes) {
            Ok(notes) => [missing_shapes, notes].concat(),
            Err(error) => {
                return self.notices.add_failure(format!("Cannot open {}", project.name()), error.to_string());
            }
        };
        self.hot_reload.set_read(read);
        self.forget_questions();
        if let Some(file) = &project.file {
            self.settings.add_recent(file);
        }
        self.viewport.set_head(loaded);
        self.viewport.needs_framing = project.project.needs_framing(&self.document.session.head);
        self.viewport.project_mode = project.project.mode;
        self.choose_mode();
        if !notes.is_empty() {
            self.notices.add_information(format!("Parts of {} could not be restored", project.name()), lines(&notes));
        }
    }

    /// Shows the head with the shapes that were added to it, and that were read from these files.
    fn show_shapes(&mut self, loaded: HeadOnGpu, shapes: Vec<ShapeFile>, report: &ShapesReport, read: &FilesRead) {
        let before = self.document.session.head.clone();
        self.document.add_shapes(loaded.head().clone(), shapes);
        self.show_again(&before, loaded);
        self.hot_reload.follow_shapes(&self.document.session, read, Instant::now());
        self.add_shapes_message(report, None);
    }

    fn add_shapes_message(&mut self, report: &ShapesReport, neutral: Option<&str>) {
        if let Some(message) = shapes_message(report, &self.document.session.head.name, neutral) {
            self.notices.add(message);
        }
    }

    fn import_poses(&mut self, poses: Vec<NamedWeights>, path: PathBuf) {
        let unknown = unknown_names(&poses, &self.document.session.head);
        let (count, name) = (poses.len(), HeadSource::File(path).name());
        self.document.session.poses_mut().add(poses);
        if !unknown.is_empty() {
            let title = format!("{count} {} imported from {name}", if count == 1 { "pose" } else { "poses" });
            let text = format!("Missing in this head: {unknown}. The poses keep these channels for other heads.");
            self.notices.add_information(title, text);
        }
    }

    fn import_mapping(&mut self, map: &TakeMap, notes: &[Note], path: PathBuf) {
        let session = &mut self.document.session;
        let playing: Vec<TakeId> = session.edits.take.into_iter().collect();
        session.glide(session.edits.transition.duration_secs, |session| session.takes_mut().use_mapping(map, &playing));
        let missing = map.missing_channels(&session.head);
        let name = HeadSource::File(path).name();
        let title = format!("{name} maps {} columns", map.columns.len());
        let mut texts = vec![lines(notes)];
        if !missing.is_empty() {
            texts.push(format!("Missing in this head: {}. Their columns are matched by name.", listed(&missing, 12)));
        }
        texts.retain(|text| !text.is_empty());
        match &texts[..] {
            [] => self.notices.show_status(title, Instant::now()),
            _ => self.notices.add_information(title, texts.join("\n")),
        }
    }

    /// Adds the takes of a file, or those that were `missing`. The sound beside it belongs to the one that plays.
    fn import_takes(
        &mut self,
        takes: Vec<Take>,
        content: Content,
        missing: Option<TakeId>,
        sound: Option<(Arc<Sound>, PathBuf)>,
    ) {
        let mut takes_mut = self.document.session.takes_mut();
        let ids = match missing {
            Some(id) => takes_mut.locate(id, takes, content),
            None => takes_mut.add_opened(takes, content),
        };
        let session = &self.document.session;
        let added: Vec<&TakeEntry> = ids.iter().filter_map(|&id| session.edits.take_entry(id)).collect();
        if let Some(message) = unmatched_message(&added, &session.head) {
            self.notices.add(message);
        }
        let has_own = self.document.session.take().is_some_and(|entry| entry.sound.is_some());
        if let Some((sound, path)) = sound.filter(|_| !has_own) {
            self.import_sound(sound, &path);
        }
    }

    fn import_markers(&mut self, imported: ImportedMarkers, path: PathBuf) {
        let ImportedMarkers { markers, notes } = imported;
        let count = markers.len();
        self.document.session.timeline_mut().add_markers(markers);
        if !notes.is_empty() {
            let title = format!("{count} markers imported from {}", HeadSource::File(path).name());
            self.notices.add_information(title, lines(&notes));
        }
    }

    /// Opens an image, or the sequence that it or a folder holds, as the reference.
    pub(super) fn open_reference(&mut self, path: PathBuf) {
        let path = std::path::absolute(&path).unwrap_or(path);
        self.jobs.reference.choose(path, self.jobs.events.job_notifier());
    }

    /// Shows a reference that was opened. It takes the place and the opacity of the one before.
    pub(super) fn take_reference(&mut self) {
        match self.jobs.reference.take_chosen() {
            None => {}
            Some(Err(problem)) => self.notices.fail("The reference does not open", problem.to_string()),
            Some(Ok((path, rate))) => {
                let edits = &mut self.document.session.edits;
                let mut new = Reference::new(&path);
                if let Some(before) = &edits.reference {
                    (new.place, new.opacity) = (before.place, before.opacity);
                }
                new.frames_per_sec = rate.unwrap_or(new.frames_per_sec);
                edits.reference = Some(new.within_reason());
                self.document.session.commit();
                self.request_frame();
            }
        }
    }
}

/// Whether files that were dropped together are one image, one video or one folder of images.
fn is_reference(files: &[PathBuf]) -> bool {
    matches!(files, [file] if Footage::is_footage(file) || (file.is_dir() && Footage::open(file).is_ok()))
}

fn unknown_names(poses: &[NamedWeights], head: &Head) -> String {
    let names = poses.iter().flat_map(|(_, weights)| weights.keys());
    let mut unknown: Vec<&str> = names.map(String::as_str).filter(|name| head.channel_alike(name).is_empty()).collect();
    unknown.sort_unstable_by(|a, b| natural_order(a, b));
    unknown.dedup();
    listed(&unknown.iter().map(|name| printable(name)).collect::<Vec<_>>(), 100)
}

pub(super) fn lines(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("{note}.")).collect::<Vec<_>>().join("\n")
}

/// A message about takes of which no column moves a channel of the head; `None` if one does, or if they only turn it.
fn unmatched_message(takes: &[&TakeEntry], head: &Head) -> Option<Message> {
    let moves_nothing = |entry: &TakeEntry| entry.take.body.is_none() && !entry.map.drives_any(head);
    let unmatched =
        takes.iter().map(|entry| entry.map.unmapped_columns(&entry.take)).find(|names| !names.is_empty())?;
    if head.channels.is_empty() || !takes.iter().all(|entry| moves_nothing(entry)) {
        return None;
    }
    let in_words = |names: &[&str]| listed(&names.iter().map(|name| printable(name)).collect::<Vec<_>>(), 4);
    let channels: Vec<&str> = head.channels.iter().map(|channel| channel.name.as_str()).collect();
    let all = takes.first()?.take.columns.len();
    let turns = if unmatched.len() < all { "It only turns the head and the eyes. " } else { "" };
    let text = format!(
        "{turns}{} has no channel that is named as its columns are: {}. It has {}. Motion › Mapping says what each \
         column drives, and opens a mapping from a file.",
        printable(&head.name),
        in_words(&unmatched),
        in_words(&channels)
    );
    let name = &takes.first()?.name;
    Some(Message { title: format!("No column of {} moves a channel", printable(name)), text, is_failure: false })
}

/// A message about shapes that were added to `head`; `None` if there is nothing unusual to report. `neutral` is the
/// file that was taken for the neutral face, where several files were opened together.
fn shapes_message(report: &ShapesReport, head: &str, neutral: Option<&str>) -> Option<Message> {
    let names: BTreeSet<(&str, &str)> =
        report.added.iter().map(|shape| (shape.file.as_str(), shape.name.as_str())).collect();
    let count = match names.len() {
        1 => "1 shape".to_owned(),
        count => format!("{count} shapes"),
    };
    let mut lines = Vec::new();
    if let Some(neutral) = neutral {
        lines.push(format!("{neutral} is the neutral face, by its name; the other files are shapes of it."));
    }
    for CarriedShapes { file, count, warnings } in &report.carried {
        lines.push(format!("{count} shapes of {file} were carried over: a start to sculpt from."));
        lines.extend(warnings.iter().map(|warning| format!("Look at it: {warning}.")));
    }
    let odd = report.added.iter().filter(|shape| !shape.is_plain());
    lines.extend(odd.map(|shape| format!("{}: {}.", shape.name, shape.text())));
    lines.extend(report.refused.iter().map(|refused| format!("Skipped: {}.", refused.problem)));
    // A file that is refused while others are added is a line of the message: its title is what was done.
    let message = Message {
        title: format!("{count} added to {head}"),
        text: lines.join("\n"),
        is_failure: report.added.is_empty(),
    };
    (!lines.is_empty()).then_some(message)
}

impl Viewer {
    /// Reads the head again if its files have changed, and shows it once it is read.
    pub(super) fn follow_files(&mut self, now: Instant) {
        if !self.ui.reloads_head {
            self.hot_reload.stop();
            self.notices.clear_problem();
            return;
        }
        let session = &self.document.session;
        if !self.hot_reload.is_following(&session.head) {
            self.notices.clear_problem();
            if let Err(problem) = self.hot_reload.follow(session, now) {
                let name = session.source.name();
                let text =
                    format!("Changes of {name} are noticed when this window gets the focus, not at once: {problem}");
                self.notices.show_status(text, now);
            }
        }
        let reloads = self.jobs.loader.is_reloading();
        let busy = Busy {
            loads: (self.jobs.loader.is_busy() && !reloads)
                || !self.file_queue.is_empty()
                || self.viewport.gpu.is_lost(),
            reloads,
            interacts: self.ui.is_interacting,
        };
        match self.hot_reload.step(session, busy, now) {
            NextStep::Wait => {}
            NextStep::Read(request) => self.jobs.load(request, session, &self.viewport.gpu),
            NextStep::Show(reloaded) => self.show_reloaded(*reloaded, now),
        }
    }

    /// Whether a head may still be replaced by what is loaded, or cannot be uploaded.
    fn is_opening(&self) -> bool {
        self.jobs.loader.is_busy() || !self.file_queue.is_empty() || self.viewport.gpu.is_lost()
    }

    /// Turns the head once the artist has chosen other axes.
    pub(super) fn follow_axes(&mut self) {
        let session = &self.document.session;
        let standing = session.head.standing_as(session.edits.axes);
        if standing != session.head.rig.stands && !self.is_opening() && self.jobs.loader.status() == LoadStatus::Idle {
            self.jobs.load(LoadRequest::Turn(standing), session, &self.viewport.gpu);
        }
    }

    /// Reads the head again with other shapes added once undo has changed which they are. If that fails or is
    /// cancelled, the head keeps those that it has.
    pub(super) fn follow_shapes(&mut self) {
        let is_busy = self.is_opening();
        let session = &mut self.document.session;
        if !session.needs_shapes() {
            self.asked_shapes = None;
        } else if self.asked_shapes.as_ref().is_some_and(|asked| *asked == session.edits.shapes) && !is_busy {
            session.keep_shapes();
            self.notices.show_status("The shapes of the head stay as they are".into(), Instant::now());
        } else if !is_busy && self.jobs.loader.status() == LoadStatus::Idle {
            let shapes = session.edits.shapes.clone();
            self.asked_shapes = Some(shapes.clone());
            let request = LoadRequest::WithShapes(session.source.clone(), shapes);
            self.jobs.load(request, session, &self.viewport.gpu);
        }
    }

    fn show_with_shapes(&mut self, loaded: HeadOnGpu, shapes: Vec<ShapeFile>, read: FilesRead) {
        let before = self.document.session.head.clone();
        self.document.show_with_shapes(loaded.head().clone(), shapes);
        self.notices.dismiss_information();
        self.show_again(&before, loaded);
        self.hot_reload.set_read(read);
    }

    /// Replaces the head with the same head in another state.
    fn replace_same_head(&mut self, loaded: HeadOnGpu) {
        let before = self.document.session.head.clone();
        self.document.reload_head(loaded.head().clone());
        self.show_again(&before, loaded);
    }

    /// Shows the head of the document, which was `before` in another state.
    fn show_again(&mut self, before: &Arc<Head>, loaded: HeadOnGpu) {
        self.panels.follow_reload(before, loaded.head());
        self.viewport.set_head(loaded);
        self.choose_mode();
    }

    fn show_turned(&mut self, loaded: HeadOnGpu) {
        self.viewport.needs_framing = true;
        self.replace_same_head(loaded);
        // The version is turned like the head.
        if let Some(open) = &self.document.session.open_version {
            self.load(LoadRequest::Version(open.source.clone()));
        }
    }

    /// Mends the head once the artist has changed the mends, or it was read again.
    pub(super) fn follow_mends(&mut self) {
        let session = &self.document.session;
        if session.needs_mending() && !self.is_opening() && self.jobs.loader.status() == LoadStatus::Idle {
            let mends = session.edits.mends.clone();
            self.jobs.load(LoadRequest::Mend(mends), session, &self.viewport.gpu);
        }
    }

    fn show_mended(&mut self, loaded: Option<Box<HeadOnGpu>>, mending: Mending) {
        if let Some(loaded) = loaded {
            self.replace_same_head(*loaded);
        }
        self.document.session.set_mending(mending);
        self.request_frame();
    }

    /// Reports why the head could not be read again from these files.
    pub(super) fn keep_head(&mut self, problem: &str, read: &FilesRead) {
        self.hot_reload.fail(read, Instant::now());
        let (name, time) = (self.document.session.source.name(), clock_time(self.hot_reload.read_at()));
        let line = format!("{name} is being written or broken: {problem}; the head on screen is the one from {time}");
        log::info!("{line}");
        self.notices.set_problem(line);
    }

    fn show_reloaded(&mut self, reloaded: Reloaded, now: Instant) {
        let Reloaded { head: loaded, before, changes } = reloaded;
        self.replace_same_head(loaded);
        let session = &self.document.session;
        // The files beside it may have changed. If they cannot be watched, that was reported when the head was opened.
        self.hot_reload.follow(session, now).ok();
        self.notices.clear_problem();
        let line = format!("{} reloaded: {}", session.source.name(), changes.summary());
        log::info!("{line}");
        let mut lines = vec![line];
        lines.extend(Some(changes.details()).filter(|details| !details.is_empty()));
        let kept = kept_for(&before, session);
        if !kept.is_empty() {
            lines.push(format!("Sliders and keys are kept until the target is there again: {}", listed(&kept, 12)));
        }
        self.notices.show_status(lines.join("\n"), now);
    }
}

/// The names of channels that the head has lost, and that the artist has moved or keyed.
fn kept_for(before: &Head, session: &Session) -> Vec<String> {
    let kept = before.channels.iter().filter(|channel| {
        let name = &channel.full_name;
        session.head.channel_named(name).is_none()
            && (session.edits.sliders.contains_key(name) || session.edits.has_keys_of(name))
    });
    kept.map(|channel| printable(&channel.name).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Curve, Interpolation, Mesh, Target};
    use smirk_face::motion::{ColumnMatching, TakeColumn};

    #[test]
    fn a_take_that_moves_nothing_says_so_with_its_names_and_those_of_the_head() {
        let target = Target::from_dense("jawOpen".into(), 0.0, &[glam::Vec3::ONE; 3], &[], &[]);
        let mesh = Mesh { name: "face".into(), targets: vec![target], ..Mesh::default() };
        let head = Head::new(Asset { name: "ada".into(), meshes: vec![mesh], ..Asset::default() });
        let entry = |names: &[&str]| {
            let columns = names.iter().map(|name| TakeColumn { name: (*name).into(), track: 0, element: 0 }).collect();
            let tracks = vec![Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0; 2], 1).unwrap()];
            let take = Take { name: "walk".into(), columns, tracks, duration_secs: 1.0, ..Take::default() };
            let map = ColumnMatching::default().map_of(take.column_names(), &head);
            TakeEntry::new(TakeId(0), Arc::new(take), map)
        };
        let message = unmatched_message(&[&entry(&["nose_1", "nose_2", "HeadYaw"])], &head).unwrap();
        assert_eq!((message.title.as_str(), message.is_failure), ("No column of walk moves a channel", false));
        for part in ["only turns the head", "ada has no channel", "nose_1", "nose_2", "jawOpen", "Mapping"] {
            assert!(message.text.contains(part), "{part}: {}", message.text);
        }
        for names in [&["nose", "jawOpen"][..], &["HeadYaw"], &[]] {
            assert_eq!(unmatched_message(&[&entry(names)], &head), None, "{names:?}");
        }
    }
    use smirk_files::import::{AddedShape, RefusedShape};

    #[test]
    fn a_file_that_is_refused_among_others_does_not_make_a_failure() {
        let added = AddedShape { name: "smile".into(), file: "smile.obj".into(), moved: 3, ..AddedShape::default() };
        let refused = RefusedShape { file: "bad.obj".into(), problem: "bad.obj: it is empty".into() };
        let both =
            ShapesReport { added: vec![added.clone()], refused: vec![refused.clone()], ..ShapesReport::default() };
        let expected = Message {
            title: "1 shape added to ada".into(),
            text: "Skipped: bad.obj: it is empty.".into(),
            is_failure: false,
        };
        assert_eq!(shapes_message(&both, "ada", None), Some(expected));
        let none = ShapesReport { refused: vec![refused], ..ShapesReport::default() };
        assert!(shapes_message(&none, "ada", None).unwrap().is_failure);
        assert_eq!(shapes_message(&ShapesReport { added: vec![added], ..ShapesReport::default() }, "ada", None), None);
    }
}
