//! Small pictures of faces: rendered by the window, shown on the cards of poses and looks, and in lists of
//! faces.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use egui::{Color32, ColorImage, Rect, Response, Stroke, StrokeKind, TextureHandle, TextureId, TextureOptions, pos2};
use image::RgbaImage;

use smirk_analysis::Marked;
use smirk_face::motion::PoseId;
use smirk_scene::{LightSetup, Look, ViewMode};
use smirk_session::NoteId;

use crate::theme;
use crate::widgets::Icon;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PictureOf {
    Pose(PoseId),
    /// The face with these channels of the head at full weight, as a view shows it.
    Channels(Vec<usize>, ViewMode),
    Look(LookId),
    /// The face of a review note as it is now.
    Note(NoteId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookId {
    Setup(LightSetup),
    Own(usize),
}

/// What is on the screen with a thumbnail; their thumbnails are drawn in this order.
#[derive(Clone, Debug, Default)]
pub struct VisiblePictures {
    pub poses: Vec<PoseId>,
    /// Faces with some channels at full weight as views show them, and what these would have to search.
    pub channels: Vec<(Vec<usize>, ViewMode, Option<Arc<Marked>>)>,
    pub looks: Vec<(LookId, Look)>,
    pub notes: Vec<NoteId>,
}

impl From<PoseId> for PictureOf {
    fn from(id: PoseId) -> Self {
        Self::Pose(id)
    }
}

impl From<LookId> for PictureOf {
    fn from(id: LookId) -> Self {
        Self::Look(id)
    }
}

/// The thumbnails rendered so far. An image is never changed, only replaced, so that comparing [`Arc`] pointers is
/// enough to notice a new one.
#[derive(Clone, Debug, Default)]
pub struct Thumbnails(HashMap<PictureOf, Arc<RgbaImage>>);

impl Thumbnails {
    /// Width and height of a thumbnail: almost twice that of the smallest card, for high-resolution displays.
    pub const SIDE_PX: u32 = 224;

    pub fn get(&self, of: &PictureOf) -> Option<&Arc<RgbaImage>> {
        self.0.get(of)
    }

    pub fn insert(&mut self, of: impl Into<PictureOf>, image: RgbaImage) {
        self.0.insert(of.into(), Arc::new(image));
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&PictureOf) -> bool) {
        self.0.retain(|of, _| keep(of));
    }
}

/// A texture for each thumbnail that was shown, with the image it was made from. It is created when the thumbnail is
/// first shown, and removed when that is replaced.
#[derive(Default)]
pub(crate) struct ThumbnailTextures(HashMap<PictureOf, (Arc<RgbaImage>, TextureHandle)>);

impl ThumbnailTextures {
    pub(crate) fn remove_outdated(&mut self, thumbnails: Option<&Thumbnails>) {
        self.0.retain(|of, (shown, _)| {
            let picture = thumbnails.and_then(|thumbnails| thumbnails.get(of));
            picture.is_some_and(|picture| Arc::ptr_eq(picture, shown))
        });
    }

    pub(crate) fn texture(
        &mut self,
        ctx: &egui::Context,
        of: impl Into<PictureOf>,
        thumbnails: Option<&Thumbnails>,
    ) -> Option<TextureId> {
        let of = of.into();
        let picture = thumbnails?.get(&of)?;
        let name = format!("{of:?}");
        let (_, texture) = self.0.entry(of).or_insert_with(|| {
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
            (picture.clone(), ctx.load_texture(name, pixels, TextureOptions::LINEAR))
        });
        Some(texture.id())
    }
}

impl fmt::Debug for ThumbnailTextures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

pub(crate) fn paint_thumbnail(painter: &egui::Painter, rect: Rect, texture: TextureId, opacity: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let tint = Color32::WHITE.gamma_multiply(opacity);
    painter.add(egui::epaint::RectShape::filled(rect, theme::ROUNDING, tint).with_texture(texture, whole));
}

/// Paints the thumbnail of a card: the colour of its outline if it is applied, and whether the card is being dragged.
pub(crate) fn thumbnail_ui(
    ui: &egui::Ui,
    response: &Response,
    rect: Rect,
    texture: Option<TextureId>,
    applied: Option<Color32>,
    is_dragged: bool,
) {
    let painter = ui.painter();
    let is_hovered = response.hovered() && !is_dragged;
    // A thumbnail covers it; to paint it nevertheless would cost a software adapter milliseconds.
    if texture.is_none() || is_dragged {
        painter.rect_filled(rect, theme::ROUNDING, if is_hovered { theme::WELL_HOVERED } else { theme::WELL });
    }
    match texture {
        Some(texture) => paint_thumbnail(painter, rect, texture, if is_dragged { 0.35 } else { 1.0 }),
        None => Icon::Face.paint(painter, rect, theme::ICON_FAINT),
    }
    let (width, color) = match (applied, is_hovered) {
        (Some(color), _) => (2.0, color),
        (None, true) => (1.0, theme::ICON_WEAK),
        (None, false) => return,
    };
    painter.rect_stroke(rect, theme::ROUNDING, Stroke::new(width, color), StrokeKind::Inside);
}
