//! Executes the commands of the panels, and the answers of the file dialogs that some of them open.

use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::time::Instant;

use super::Viewer;
use crate::window::jobs::file_dialog::{Picked, Question, Save};
use smirk_analysis::mend::{Mend, Mends};
use smirk_base::file_kind::{self, Content};
use smirk_base::job::{Job, OnDrop};
use smirk_base::logging;
use smirk_editor::document::{LoadRequest, LoadStatus};
use smirk_export::{ExportRequest, NotesFormat, OutputPath, notes_text, read_notes, save_mapping, save_poses};
use smirk_files::reference::Footage;
use smirk_graphics::gpu::DeviceError;
use smirk_ui::{Command, OpenAs, Prompt};

impl Viewer {
    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Choose(opens_as) => self.ask(Question::Open(opens_as)),
            Command::Open(opens_as, path) => self.open_file(opens_as, path),
            Command::Load(request) => self.load(*request),
            Command::CancelLoad => {
                self.file_queue.clear();
                self.jobs.loader.cancel();
            }
            Command::ShowStatus(text) => self.notices.show_status(text, Instant::now()),
            Command::MakeLookDefault => {
                self.settings.look = self.document.session.edits.look.of_any_head().of_materials();
                self.document.session.default_look = self.settings.look;
                self.notices.show_status("New heads start with this look".into(), Instant::now());
            }
            Command::DismissNotice => self.dismiss_notice(),
            Command::ClearRecent => self.settings.recent.clear(),
            Command::SaveProject => self.save_project(),
            Command::ResolveFileChange => self.resolve_file_change(),
            Command::SaveProjectAs => self.ask_where_to_save(),
            Command::GoBack => {
                if let Some(project) = self.document.take_replaced() {
                    self.load(LoadRequest::Project(Box::new(project)));
                }
            }
            Command::CopyPicture => self.picture_copy.is_requested = true,
            Command::Work(command) => self.execute_work(command),
            Command::CloseVersion => self.close_version(),
            Command::VersionSheet(scale) => self.ask(Question::Save(Save::VersionSheet { scale, is_pdf: false })),
            Command::CancelVersionSheet => self.jobs.version_sheet.cancel(),
            Command::ExportPoses => self.ask(Question::Save(Save::Poses)),
            Command::ExportNotes => self.ask(Question::Save(Save::Notes)),
            Command::SaveMends => self.ask(Question::Save(Save::Mends)),
            Command::ExportMapping => self.ask(Question::Save(Save::Mapping)),
            Command::Export(request) => self.ask(Question::Save(Save::Export(request))),
            Command::CancelExport => self.jobs.exports.cancel(),
            Command::CancelSheet => self.jobs.exports.cancel_sheet(),
            Command::BakeVoice => self.bake_voice(),
            Command::MeasureError => match self.viewport.measure_error(&self.document.session) {
                // What draws the picture reports the loss of the device.
                Ok(()) | Err(DeviceError::Lost { .. }) => {}
                Err(error) => self.notices.fail("The blend mode could not be measured", error.to_string()),
            },
            Command::MeasureModes => {
                let precision = self.viewport.renderer.memory().precision;
                self.jobs.measure_modes(&self.document.session.head, &self.viewport.gpu, precision);
            }
            Command::CancelMeasuring => self.jobs.bench.cancel(),
            Command::ShowLogFile => self.show_log_file(),
            Command::Answer(answer) => self.answer(answer),
            Command::Quit => self.request_close(),
        }
        self.request_frame();
    }

    fn bake_voice(&mut self) {
        match self.document.bake_voice() {
            Ok(Some(name)) => self.notices.show_status(format!("The voice is the take {name} now"), Instant::now()),
            Ok(None) => {}
            Err(error) => self.notices.fail("The voice cannot be baked", error.to_string()),
        }
    }

    fn open_file(&mut self, opens_as: OpenAs, path: PathBuf) {
        match opens_as {
            // A head that is chosen where a project is asked for is opened as a head.
            OpenAs::File(None) if Footage::is_footage(&path) => self.open_reference(path),
            OpenAs::File(None) => self.load(LoadRequest::Dropped(path)),
            OpenAs::File(Some(Content::Project)) => self.load(LoadRequest::File(path, None)),
            OpenAs::File(Some(Content::Shapes)) => self.notices.ask_for_matching(vec![path]),
            OpenAs::File(content) => self.load(LoadRequest::File(path, content)),
            OpenAs::MissingTake(take, content) => {
                self.load(LoadRequest::MissingTake(Box::new(LoadRequest::File(path, Some(content))), take));
            }
            OpenAs::HeadOfProject => {
                if let Some(project) = self.document.project_without_head().cloned() {
                    self.load(LoadRequest::Project(Box::new(project.with_head(&path))));
                }
            }
            OpenAs::Reference => self.open_reference(path),
            OpenAs::Version => self.load_version(path),
            OpenAs::Notes => self.import_notes(&path),
            OpenAs::Mends => self.open_mends(&path),
        }
    }

    /// Starts to load, and hides a notice about something else and the question that this answers.
    pub(super) fn load(&mut self, request: LoadRequest) {
        self.notices.dismiss();
        self.prompt.take_if(|prompt| matches!(prompt, Prompt::Open(_)));
        self.jobs.load(request, &self.document.session, &self.viewport.gpu);
    }

    /// Dismisses the topmost notice: a message, a load that failed, or a project whose head is missing.
    fn dismiss_notice(&mut self) {
        if self.notices.dismiss() {
            return;
        }
        match self.jobs.loader.status() {
            LoadStatus::Failure { .. } => self.jobs.loader.dismiss_failure(),
            LoadStatus::Idle | LoadStatus::Loading { .. } => self.document.dismiss_project_without_head(),
        }
    }

    pub(super) fn ask(&mut self, question: Question) {
        let suggestion = self.suggested_path(question);
        self.jobs.ask(&self.window, question, &suggestion, self.document.opened());
    }

    /// A file to save, or a folder to look in: where a file of the kind was chosen last, else beside what is open.
    fn suggested_path(&self, question: Question) -> PathBuf {
        let (document, last) = (&self.document, self.settings.dialogs.last(question.kind()));
        let suffix = match question {
            Question::Save(Save::Project) => {
                return match &self.prompt {
                    // The artist keeps the project's file as it is.
                    Some(Prompt::ChangedOnDisk { file, .. }) => file_kind::PROJECT.unused(&file.with_extension("")),
                    _ => document.suggested_project_path(),
                };
            }
            Question::Save(Save::Poses) => " poses.json".into(),
            Question::Save(Save::Mapping) => " mapping.json".into(),
            Question::Save(Save::Notes) => " notes.html".into(),
            Question::Save(Save::Mends) => ".mends.toml".into(),
            Question::Save(Save::VersionSheet { .. }) => " changes.png".into(),
            Question::Save(Save::Export(request)) => request.suffix(&document.session),
            Question::Open(_) => String::new(),
        };
        let beside = document.suggested_path(&suffix);
        match (question, last) {
            (Question::Open(_), last) => last.or(beside.parent().map(PathBuf::from)).unwrap_or_default(),
            (Question::Save(_), Some(last)) => last.join(beside.file_name().unwrap_or_default()),
            (Question::Save(_), None) => beside,
        }
    }

    pub(super) fn take_answers(&mut self) {
        while let Some((question, opened, picked)) = self.jobs.take_answer() {
            match (picked, question) {
                (Picked::Cancelled, _) => {}
                // The artist has chosen a name for what was open, and other work would be written to it.
                (Picked::File(_) | Picked::NoDialog, Question::Save(_)) if opened != self.document.opened() => {
                    let message = "Another head or project was opened while the dialog was open. Save it again, under \
                                   its own name.";
                    self.notices.fail("Nothing was saved", message.into());
                }
                (Picked::File(path), _) => {
                    self.settings.dialogs.remember(question.kind(), &path);
                    self.use_answer(question, path);
                }
                (Picked::Files(files), _) => {
                    files.first().into_iter().for_each(|file| self.settings.dialogs.remember(question.kind(), file));
                    self.notices.ask_for_matching(files);
                }
                (Picked::NoDialog, Question::Save(save)) => {
                    // Without a dialog, work must still be saved somewhere.
                    let path = save.kind().unused(&self.suggested_path(question).with_extension(""));
                    if question == Question::Save(Save::Project) {
                        self.save_project_without_dialog(path);
                        continue;
                    }
                    let message = format!("This system has no file dialog. Saved to {}", path.display());
                    self.use_answer(question, path);
                    // What is exported is not there yet; a message will name the file when it is.
                    let is_job = matches!(question, Question::Save(Save::Export(_) | Save::VersionSheet { .. }));
                    if self.notices.shown().is_none() && !is_job {
                        self.notices.show_status(message, Instant::now());
                    }
                }
                (Picked::NoDialog, Question::Open(_)) => self.notices.fail(
                    "No file dialog",
                    "This system has no file dialog (install xdg-desktop-portal or zenity). Drop the file on the window \
                     instead, or name it on the command line."
                        .into(),
                ),
            }
        }
    }

    fn use_answer(&mut self, question: Question, path: PathBuf) {
        match question {
            Question::Open(opens_as) => self.open_file(opens_as, path),
            Question::Save(Save::VersionSheet { scale, .. }) => self.draw_version_sheet(scale, path),
            Question::Save(Save::Project) => self.save_project_as(&path),
            Question::Save(Save::Export(request)) => self.export(&request.named_as(&path), path),
            Question::Save(Save::Poses) => {
                let output = OutputPath::new(&path).protecting(self.document.files());
                match save_poses(&output, &self.document.session.edits.poses) {
                    Ok(()) => self.notices.show_status(format!("Poses exported to {}", path.display()), Instant::now()),
                    Err(error) => self.notices.fail("Cannot export the poses", error.to_string()),
                }
            }
            Question::Save(Save::Notes) => self.export_notes(&path),
            Question::Save(Save::Mends) => {
                let output = OutputPath::new(&path).protecting(self.document.files());
                let list = self.document.session.edits.mends.clone();
                match output.write(Mends { list }.to_toml().as_bytes()) {
                    Ok(()) => self.notices.show_status(format!("Mends saved to {}", path.display()), Instant::now()),
                    Err(error) => self.notices.fail("Cannot save the mends", error.to_string()),
                }
            }
            Question::Save(Save::Mapping) => {
                let output = OutputPath::new(&path).protecting(self.document.files());
                let session = &self.document.session;
                let map = session.mapping().unwrap_or_default();
                match save_mapping(&output, &map) {
                    Ok(()) => self.notices.show_status(format!("Mapping saved to {}", path.display()), Instant::now()),
                    Err(error) => self.notices.fail("Cannot save the mapping", error.to_string()),
                }
            }
        }
    }

    fn export_notes(&mut self, path: &Path) {
        let output = OutputPath::new(path).protecting(self.document.files());
        let session = &self.document.session;
        let title = self.document.suggested_path("");
        let title = title.file_name().unwrap_or_default().to_string_lossy();
        let text = notes_text(&session.edits, &title, NotesFormat::of_path(path).unwrap_or_default());
        match text.and_then(|text| Ok(output.write(text.as_bytes())?)) {
            Ok(()) => self.notices.show_status(format!("Notes exported to {}", path.display()), Instant::now()),
            Err(error) => self.notices.fail("Cannot export the notes", error.to_string()),
        }
    }

    /// Adds the mends of a file that are not in the list.
    fn open_mends(&mut self, path: &Path) {
        match Mends::read(path) {
            Ok(read) => {
                let [added, left_out] = self.document.session.add_mends(read.list);
                let more = if left_out > 0 { format!("; a list has at most {}", Mend::MOST) } else { String::new() };
                let what = if added == 1 { "mend" } else { "mends" };
                self.notices.show_status(format!("{added} {what} added{more}"), Instant::now());
            }
            Err(error) => self.notices.fail("Cannot open the mends", error.to_string()),
        }
    }

    fn import_notes(&mut self, path: &Path) {
        let notes = read_notes(path).map_err(|error| error.to_string());
        let mut own = self.document.session.notes_mut();
        match notes.and_then(|notes| own.merge(notes).map_err(|error| error.to_string())) {
            Ok(changed) => self.notices.show_status(format!("Notes imported: {changed}"), Instant::now()),
            Err(error) => self.notices.fail("Cannot import the notes", error),
        }
    }

    fn export(&mut self, request: &ExportRequest, path: PathBuf) {
        let output = OutputPath::new(&path).protecting(self.document.files());
        let session = &self.document.session;
        let (notify, jobs) = (self.jobs.events.job_notifier(), &mut self.jobs);
        let started = match request.start(session, output.clone()) {
            Ok(work) => jobs.exports.start(request, work, output, notify).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(text) = started {
            self.notices.fail(&format!("Cannot export {}", request.kind.in_sentence()), text);
        }
    }

    /// Opens the folder of the log file in the file manager of the system and names the file, which is all there is to
    /// see without a file manager.
    fn show_log_file(&mut self) {
        let Some(path) = logging::path() else {
            return self.notices.fail("There is no log file", "Smirk could not write one when it started.".to_owned());
        };
        match file_manager(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            // Some file managers run until they are closed.
            Ok(mut running) => drop(Job::spawn("file manager", OnDrop::Detach, || {}, move |_| running.wait())),
            Err(error) => log::info!("no file manager opens: {error}"),
        }
        let previous = logging::previous_path(path);
        let after_crash = if previous.exists() {
            format!(" After a crash, attach {}: it is of the run before.", previous.display())
        } else {
            String::new()
        };
        self.notices.inform("Log file", format!("Attach {} to a bug report.{after_crash}", path.display()));
    }
}

fn file_manager(file: &Path) -> process::Command {
    let folder = file.parent().unwrap_or(Path::new("."));
    if cfg!(target_os = "windows") {
        let mut select = std::ffi::OsString::from("/select,");
        select.push(file);
        command("explorer", &[select.as_ref()])
    } else if cfg!(target_os = "macos") {
        command("open", &["-R".as_ref(), file.as_ref()])
    } else {
        command("xdg-open", &[folder.as_ref()])
    }
}

fn command(program: &str, arguments: &[&std::ffi::OsStr]) -> process::Command {
    let mut command = process::Command::new(program);
    command.args(arguments);
    command
}
