//! What the window does about unsaved work of earlier runs, and the picture of the work that is about to be written.

use std::time::Instant;

use super::Viewer;
use smirk_editor::document::{LoadRequest, WorkPicture};
use smirk_editor::session::WorkCommand;
use smirk_picture::scene::{Quality, Scene};

impl Viewer {
    pub(super) fn execute_work(&mut self, command: WorkCommand) {
        if let Err(error) = self.document.change_works(command) {
            return self.fail_work(error.to_string());
        }
        match command {
            WorkCommand::List => {
                let problems = self.document.refresh_works();
                self.panels.work_list.open(self.document.works());
                if !problems.is_empty() {
                    self.fail_work(problems.join("\n"));
                }
            }
            WorkCommand::Restore(id) => match self.document.unsaved_project(id) {
                Ok(project) => {
                    self.panels.work_list.close();
                    self.load(LoadRequest::Project(Box::new(project)));
                }
                Err(error) => self.fail_work(error.to_string()),
            },
            _ => self.panels.work_list.problem = None,
        }
    }

    /// Shows why something cannot be done with unsaved work: in the list, which covers the notices, if it is open.
    fn fail_work(&mut self, problem: String) {
        if self.panels.work_list.is_open {
            self.panels.work_list.problem = Some(problem);
        } else {
            self.fail("Unsaved work", problem);
        }
    }

    /// Draws a small picture of unsaved work that is about to be written, unless the artist is dragging: a picture of low
    /// resolution takes less time than a frame, but it would come on top of one.
    pub(super) fn draw_work_picture(&mut self, now: Instant) {
        let Self { document, viewport, ui, .. } = self;
        if ui.is_interacting || viewport.gpu.is_lost() || !document.wants_picture(now) {
            return;
        }
        let session = &document.session;
        let (weights, world_from_nodes, roles) = (session.weights(), session.world_from_nodes(), session.roles());
        let scene = Scene {
            head: &session.head,
            weights: &weights,
            world_from_nodes: &world_from_nodes,
            mode: session.mode,
            camera: &session.camera,
            roles: &roles,
            look: &session.look().of_materials(),
            intersections: None,
            compared: None,
            size: WorkPicture::SIZE_PX,
            quality: Quality::FULL,
        };
        if let Ok(picture) = viewport.renderer.picture(&scene) {
            document.set_picture(&picture);
        }
    }
}
