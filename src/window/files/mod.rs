//! What the window does with files that are loaded: it shows a head or a project, and adds takes, poses and shapes.

mod file_queue;
mod hot_reload;
mod reference;
mod reloading;
mod shapes_message;
mod sound;
mod unsaved_work;
mod version;
mod version_files;

use std::path::PathBuf;
use std::time::Instant;

use super::viewer::Viewer;
use reference::is_reference;
use shapes_message::shapes_message;
use smirk_base::names::{natural_order, printable};
use smirk_base::watch::FilesRead;
use smirk_editor::document::{LoadRequest, LoadStatus, Loaded, PendingProject, TakeFiles};
use smirk_editor::session::{HeadSource, Session};
use smirk_face::head::{Head, Note, ShapeFile, listed};
use smirk_files::import::{ImportedPoses, NamedWeights, ShapesReport};
use smirk_picture::render::HeadOnGpu;

pub(crate) use file_queue::FileQueue;
pub(crate) use hot_reload::HotReload;
pub(crate) use version_files::VersionFiles;

impl Viewer {
    /// Takes what was loaded, and starts to load the next file of the queue. A failure is read before the next file may take its
    /// place.
    pub(super) fn take_loaded(&mut self) {
        if let Some(loaded) = self.jobs.loader.take() {
            let read = self.jobs.loader.files_read().clone();
            self.show_loaded(loaded, read);
        }
        if self.jobs.loader.status() != LoadStatus::Idle {
            return;
        }
        match self.file_queue.take_next() {
            Some(mut files) if is_reference(&files) => self.open_reference(files.remove(0)),
            Some(mut files) => {
                let request = match files.len() {
                    1 => LoadRequest::File(files.remove(0)),
                    _ => LoadRequest::MeshFiles(self.document.session.head.clone(), files),
                };
                self.jobs.load(request, &self.document.session, &self.viewport.gpu);
            }
            None => match self.version_files.take_wanted() {
                Some(path) => self.load_version(path),
                None => self.notices.show_pending(),
            },
        }
    }

    /// Shows or adds what was loaded from these files.
    fn show_loaded(&mut self, loaded: Loaded, read: FilesRead) {
        if let Loaded::Head(..) | Loaded::Project { .. } | Loaded::HeadWithShapes { .. } = loaded {
            self.hot_reload.set_read(read.clone());
        }
        match loaded {
            Loaded::Reloaded(reloaded) => self.hot_reload.take(reloaded, read),
            Loaded::NotReloaded(problem) => self.keep_head(&problem, &read),
            Loaded::Version(head, version, source) => self.show_version(*head, version, source, &read),
            Loaded::Head(head, source) => {
                self.show_head(*head, source);
            }
            Loaded::Project { head, source, project, takes, missing_shapes } => {
                self.show_project(*head, source, &project, &takes, missing_shapes);
            }
            Loaded::Shapes { head, shapes, report } => self.show_shapes(*head, shapes, &report, &read),
            Loaded::HeadWithShapes { head, source, shapes, report } => self.show_set(*head, source, shapes, &report),
            Loaded::ProjectWithoutHead(project, problem) => self.document.set_project_without_head(*project, problem),
            Loaded::Takes(takes, path, _) if takes.is_empty() => {
                let message = "The file has no blend-shape animation.".to_owned();
                self.notices.add_failure(format!("No takes in {}", HeadSource::File(path).name()), message);
            }
            Loaded::Takes(takes, _, sound) => self.import_takes(takes, sound),
            Loaded::Sound(sound, path) => self.import_sound(sound, &path),
            Loaded::Markers(markers, path) => self.import_markers(markers, path),
            Loaded::Poses(poses, path) => self.import_poses(poses, path),
        }
    }

    /// Shows another head. Returns false, and the head before stays, if its unsaved work cannot be set aside.
    fn show_head(&mut self, loaded: HeadOnGpu, source: HeadSource) -> bool {
        if let Err(error) = self.document.open_head(loaded.head().clone(), source.clone()) {
            self.notices.add_failure(format!("Cannot open {}", source.name()), error.to_string());
            return false;
        }
        if let HeadSource::File(path) = &source {
            self.settings.add_recent(path);
        }
        self.viewport.set_head(loaded);
        self.viewport.needs_framing = true;
        self.viewport.project_mode = None;
        self.choose_mode();
        true
    }

    fn show_project(
        &mut self,
        loaded: HeadOnGpu,
        source: HeadSource,
        project: &PendingProject,
        takes: &TakeFiles,
        missing_shapes: Vec<Note>,
    ) {
        let last = &self.document.session;
        let mut session = Session::new(loaded.head().clone(), source, project.project.look, last.mode)
            .with_aliases(last.edits.aliases.clone());
        session.default_look = last.default_look;
        let notes = match self.document.open_project(project, session, takes) {
            Ok(notes) => [missing_shapes, notes].concat(),
            Err(error) => {
                return self.notices.add_failure(format!("Cannot open {}", project.name()), error.to_string());
            }
        };
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
        self.document.session.retarget(loaded.head().clone(), shapes);
        self.hot_reload.follow_shapes(&self.document.session, read, Instant::now());
        self.viewport.set_head(loaded);
        self.choose_mode();
        self.add_shapes_message(report, None);
    }

    /// Shows a head that was made of separate meshes.
    fn show_set(&mut self, loaded: HeadOnGpu, source: HeadSource, shapes: Vec<ShapeFile>, report: &ShapesReport) {
        let neutral = source.name();
        if self.show_head(loaded, source) {
            self.document.set_shapes(shapes);
            self.add_shapes_message(report, Some(&neutral));
        }
    }

    fn add_shapes_message(&mut self, report: &ShapesReport, neutral: Option<&str>) {
        if let Some(message) = shapes_message(report, &self.document.session.head.name, neutral) {
            self.notices.add(message);
        }
    }

    fn import_poses(&mut self, imported: ImportedPoses, path: PathBuf) {
        let ImportedPoses { poses, notes } = imported;
        let unknown = unknown_names(&poses, &self.document.session.head);
        let (count, name) = (poses.len(), HeadSource::File(path).name());
        self.document.session.add_poses(poses);
        let mut texts = vec![lines(&notes)];
        if !unknown.is_empty() {
            texts.push(format!("Missing in this head: {unknown}. The poses keep these channels for other heads."));
        }
        texts.retain(|text| !text.is_empty());
        if !texts.is_empty() {
            let title = format!("{count} {} imported from {name}", if count == 1 { "pose" } else { "poses" });
            self.notices.add_information(title, texts.join("\n"));
        }
    }
}

/// The names of channels in imported poses that the head lacks, as one text.
fn unknown_names(poses: &[NamedWeights], head: &Head) -> String {
    let names = poses.iter().flat_map(|(_, weights)| weights.keys());
    let mut unknown: Vec<&str> = names.map(String::as_str).filter(|name| head.channel_alike(name).is_empty()).collect();
    unknown.sort_unstable_by(|a, b| natural_order(a, b));
    unknown.dedup();
    listed(&unknown.iter().map(|name| printable(name)).collect::<Vec<_>>(), 100)
}

fn lines(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("{note}.")).collect::<Vec<_>>().join("\n")
}
