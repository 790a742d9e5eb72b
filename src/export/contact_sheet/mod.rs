//! A contact sheet: pictures of one size in rows and columns, each with its name beneath, under a heading.

mod content;
mod marks;
mod pdf;
mod sheet;
mod versions;

pub use content::{SheetContent, ShownUnit};
pub use versions::{SheetScale, version_sheet};

use std::sync::Arc;
use std::time::{Duration, Instant};

use image::RgbaImage;

use crate::drawn::UnseenPictures;
use crate::png::png_bytes;
use crate::{ExportError, save_png};
use content::SheetCell;
use pdf::pdf_bytes;
use sheet::{Sheet, SheetGrid};
use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_face::head::{Frame, Head, Role};
use smirk_picture::render::{DrawError, PendingPicture, Pixels, Renderer};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, View};
use smirk_session::{Session, SheetOf};

#[derive(Clone, Debug, PartialEq)]
pub struct SheetSettings {
    pub part: Frame,
    pub view: View,
    pub look: Look,
    /// What each material shows; empty for the head's own.
    pub roles: Arc<[Role]>,
    /// The blend mode; see [`Scene::mode`].
    pub mode: BlendMode,
    /// Width of a picture in pixels. Its height is a quarter more, as a face is higher than it is wide.
    pub cell_px: u32,
    /// Pictures per row; `None` chooses a number that gives the sheet the shape of a screen.
    pub columns: Option<usize>,
    pub quality: Quality,
}

impl Default for SheetSettings {
    fn default() -> Self {
        Self {
            part: Frame::Face,
            view: View::Front,
            look: Look::default(),
            roles: Arc::default(),
            mode: BlendMode::Compute,
            cell_px: 240,
            columns: None,
            quality: Quality::SMALL,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FinishedSheet {
    pub title: String,
    pub image: RgbaImage,
}

impl FinishedSheet {
    /// Writes the sheet: as a PDF of one page, if the name of the file ends in `.pdf`, else as a PNG.
    pub fn save(&self, output: &OutputPath) -> Result<(), WriteError> {
        if !output.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")) {
            return save_png(output, &self.image);
        }
        let png = png_bytes(&self.image, false).map_err(|error| WriteError::of_content(output.path(), error))?;
        output.write(&pdf_bytes(&png, self.image.dimensions(), &self.title))
    }
}

pub struct SheetWork {
    sheet: Sheet,
    /// The cells; those from index `done` on have not been drawn yet.
    cells: Vec<SheetCell>,
    done: usize,
    /// For cells without a camera and a look of their own.
    shot: (Camera, Look),
    scene: Scene,
    drawing: Option<PendingPicture>,
    unseen: UnseenPictures,
}

impl SheetWork {
    pub fn of_session(session: &Session, of: SheetOf) -> Result<Self, ExportError> {
        let content = match of {
            SheetOf::Poses => SheetContent::poses(session),
            SheetOf::Expressions => SheetContent::expressions(session, 1.0),
            SheetOf::Moments => SheetContent::moments(session, SheetContent::DEFAULT_MOMENTS),
            SheetOf::Notes => SheetContent::notes(session),
        };
        let (yaw_degrees, pitch_degrees) = (session.camera.yaw.to_degrees(), session.camera.pitch.to_degrees());
        let settings = SheetSettings {
            view: View::Angles { yaw_degrees, pitch_degrees },
            // The expressions on it are not compared with anything.
            look: session.look().without_comparison(),
            roles: session.roles(),
            mode: session.mode,
            ..SheetSettings::default()
        };
        Self::start(session.head.clone(), content, &settings)
    }

    pub fn start(head: Arc<Head>, content: SheetContent, settings: &SheetSettings) -> Result<Self, ExportError> {
        let size = [settings.cell_px, settings.cell_px.saturating_mul(5) / 4];
        let count = content.cells.len();
        let columns = settings.columns.unwrap_or_else(|| SheetGrid::columns_for(count, size));
        let grid = SheetGrid::new(count, columns, size)?;
        // Cells with a camera of their own are not seen from that of the sheet.
        let is_of_sheet = content.cells.iter().any(|cell| cell.shot.is_none());
        let view = if is_of_sheet { format!(" · {}", settings.view.label()) } else { String::new() };
        let facts = format!("{}{view} · {}×{} pixels a picture", content.what, size[0], size[1]);
        let poses = content.cells.iter().map(|cell| cell.world_from_nodes.as_slice());
        let camera = Camera::close_up_of(&head, settings.part, settings.view, size[0] as f32 / size[1] as f32, poses);
        let mut sheet = Sheet::new(grid, &head.name, &facts);
        sheet.fit_names(content.cells.iter().map(|cell| &cell.label));
        Ok(Self {
            sheet,
            cells: content.cells,
            done: 0,
            shot: (camera, settings.look),
            drawing: None,
            unseen: UnseenPictures::default(),
            scene: Scene {
                mode: settings.mode,
                roles: settings.roles.clone(),
                quality: settings.quality,
                ..Scene::at_rest(&head, &camera, &settings.look, size)
            },
        })
    }

    pub fn head(&self) -> &Arc<Head> {
        &self.scene.head
    }

    pub fn done(&self) -> usize {
        self.done
    }

    pub fn total(&self) -> usize {
        self.cells.len()
    }

    pub fn unseen(&self) -> Option<String> {
        self.unseen.in_words(self.total())
    }

    pub fn step(&mut self, renderer: &mut Renderer) -> Result<bool, DrawError> {
        self.step_for(renderer, Duration::MAX)
    }

    /// [`Self::step`] for about so long, at least one batch of the picture. The next call goes on with it.
    pub fn step_for(&mut self, renderer: &mut Renderer, most: Duration) -> Result<bool, DrawError> {
        if let Some(cell) = self.cells.get_mut(self.done) {
            let mut picture = self.drawing.take().unwrap_or_else(|| {
                self.scene.weights = std::mem::take(&mut cell.weights).into();
                self.scene.world_from_nodes = std::mem::take(&mut cell.world_from_nodes).into();
                self.scene.expression_outputs = std::mem::take(&mut cell.expression_outputs).into();
                (self.scene.camera, self.scene.look) = cell.shot.unwrap_or(self.shot);
                renderer.new_picture(&self.scene, Pixels::Screen)
            });
            let is_drawn = renderer.draw_picture(&mut picture, &self.scene, Instant::now().checked_add(most))?;
            if is_drawn {
                self.unseen.add(picture.unseen());
                let mut image = picture.into_image()?;
                cell.note.iter().for_each(|note| self.sheet.mark(&mut image, note));
                self.sheet.place(self.done, &cell.label, &image);
                self.done += 1;
            } else {
                self.drawing = Some(picture);
            }
        }
        Ok(self.done < self.cells.len())
    }

    pub fn finish(self) -> FinishedSheet {
        FinishedSheet { title: self.scene.head.name.clone(), image: self.sheet.into_image() }
    }
}
