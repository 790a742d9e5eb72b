//! The pictures of poses, faces and looks that the window draws while the artist is not interacting.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use glam::Mat4;
use image::{DynamicImage, ImageFormat, RgbaImage};

use smirk_analysis::Marked;
use smirk_export::ThumbnailQueue;
use smirk_face::head::{Head, OfHead, Role};
use smirk_face::motion::Pose;
use smirk_picture::render::Renderer;
use smirk_scene::{Camera, Look, Quality, Scene, ViewMode};
use smirk_session::{NoteId, NotePicture, NotedFace, NotedMoment, Session};
use smirk_ui::{PictureOf, Thumbnails, VisiblePictures};

#[derive(Default)]
pub(crate) struct Pictures {
    queue: ThumbnailQueue,
    pub thumbnails: OfHead<Thumbnails>,
    requests: OfHead<Requests>,
}

#[derive(Default)]
struct Requests {
    /// The place in the list is the key in the queue.
    list: Vec<Requested>,
    camera: Option<Camera>,
}

struct Requested {
    of: PictureOf,
    /// What it shows, or will show once it is drawn; none if it was forgotten.
    inputs: Option<PictureInputs>,
}

/// What a picture depends on, besides what all pictures of a head have in common.
#[derive(Clone, Debug, PartialEq)]
struct PictureInputs {
    weights: Arc<[f32]>,
    expression_outputs: Arc<[f32]>,
    look: Look,
    roles: Arc<[Role]>,
    marked: Option<Arc<Marked>>,
    world_from_nodes: Arc<[Mat4]>,
    /// The camera and the size in pixels; none for those that small pictures of a head have in common.
    shot: Option<(Camera, [u32; 2])>,
}

impl Pictures {
    /// Requests the pictures that are missing on the screen, and draws for about this long, at least one batch of a
    /// picture.
    pub(crate) fn draw_next(
        &mut self,
        session: &mut Session,
        visible: Option<&VisiblePictures>,
        renderer: &mut Renderer,
        most: Duration,
    ) {
        self.update(session);
        let visible = visible.cloned().unwrap_or_default();
        // On a software adapter, every sample would block the window for some frames.
        let quality = if renderer.is_on_software() { Quality::FULL } else { Quality::SMALL };
        for pose in visible.poses.iter().filter_map(|&id| session.edits.pose(id)) {
            self.request(session, pose.id.into(), of_pose(session, pose), quality);
        }
        for (channels, view, marked) in visible.channels {
            let inputs = PictureInputs { marked, ..of_channels(session, &channels, view) };
            self.request(session, PictureOf::Channels(channels, view), inputs, quality);
        }
        for (id, look) in visible.looks {
            self.request(session, id.into(), at_rest(session, look), quality);
        }
        // A note gets its picture soon, seen or not. Few are without one at a time.
        let new = session.edits.notes.iter().filter(|note| note.picture.is_none() && note.moment.is_some());
        let new: Vec<NoteId> = new.map(|note| note.id).take(4).collect();
        for id in new.into_iter().chain(visible.notes) {
            let moment = session.edits.note(id).and_then(|note| note.moment.as_ref());
            if let Some(inputs) = moment.map(|moment| of_note(session, moment)) {
                self.request(session, PictureOf::Note(id), inputs, quality);
            }
        }
        self.queue.step_for(renderer, most);
        for (key, picture) in self.queue.take_finished() {
            let requests = self.requests.get_or_default(&session.head);
            let requested = usize::try_from(key).ok().and_then(|key| requests.list.get(key));
            if let Some(requested) = requested {
                if let PictureOf::Note(id) = requested.of {
                    keep_picture(session, id, requested.inputs.as_ref(), &picture);
                }
                self.thumbnails.get_or_default(&session.head).insert(requested.of.clone(), picture);
            }
        }
    }

    /// Requests all pictures of a head again after the device was lost.
    pub(crate) fn restart(&mut self, head: &Arc<Head>) {
        self.requests.get_or_default(head).list.iter_mut().for_each(|requested| requested.inputs = None);
        self.queue.begin_anew();
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.queue.is_busy()
    }

    /// Forgets the pictures of poses that were deleted, and all pictures of another head.
    fn update(&mut self, session: &Session) {
        self.thumbnails.get_or_default(&session.head).retain(|of| exists(session, of));
        let requests = self.requests.get_or_default(&session.head);
        for forgotten in requests.list.iter_mut().filter(|requested| !exists(session, &requested.of)) {
            forgotten.inputs = None;
        }
    }

    fn request(&mut self, session: &Session, of: PictureOf, inputs: PictureInputs, quality: Quality) {
        let Requests { list, camera } = self.requests.get_or_default(&session.head);
        let known = list.iter().position(|requested| requested.of == of);
        let key = known.unwrap_or_else(|| {
            list.push(Requested { of, inputs: None });
            list.len() - 1
        });
        if list[key].inputs.as_ref() == Some(&inputs) {
            return;
        }
        let usual = *camera.get_or_insert_with(|| Camera::eyes_and_mouth(&session.head, 1.0));
        let (camera, size) = inputs.shot.unwrap_or((usual, [Thumbnails::SIDE_PX; 2]));
        // But for notes, a face is shown with every node at rest, whatever the clip does with the neck.
        let shot = Scene {
            weights: inputs.weights.clone(),
            expression_outputs: inputs.expression_outputs.clone(),
            // In another mode, the whole head would be blended again for every picture, and once more for the window.
            mode: session.mode,
            roles: inputs.roles.clone(),
            marked: inputs.marked.clone(),
            world_from_nodes: inputs.world_from_nodes.clone(),
            quality,
            ..Scene::at_rest(&session.head, &camera, &inputs.look, size)
        };
        self.queue.request(key as u64, shot);
        list[key].inputs = Some(inputs);
    }
}

fn exists(session: &Session, of: &PictureOf) -> bool {
    match of {
        PictureOf::Pose(id) => session.edits.pose(*id).is_some(),
        PictureOf::Note(id) => session.edits.note(*id).is_some(),
        PictureOf::Channels(..) | PictureOf::Look(_) => true,
    }
}

fn of_pose(session: &Session, pose: &Pose) -> PictureInputs {
    let weights = pose.weights_on(&session.head, &session.bound().sliders.rest);
    of_weights(session, weights, session.look().of_materials())
}

fn at_rest(session: &Session, look: Look) -> PictureInputs {
    of_weights(session, session.bound().sliders.rest.clone(), session.look().styled_as(look).of_materials())
}

fn of_weights(session: &Session, mut weights: Vec<f32>, look: Look) -> PictureInputs {
    let expression_outputs =
        session.edits.rule.apply(&session.head, &mut weights, &session.bound().sliders.silent_correctives);
    let nodes = session.head.world_from_nodes_under(&expression_outputs);
    PictureInputs {
        weights: weights.into(),
        expression_outputs: expression_outputs.into(),
        look,
        roles: session.roles(),
        marked: None,
        world_from_nodes: nodes.into(),
        shot: None,
    }
}

fn of_note(session: &Session, moment: &NotedMoment) -> PictureInputs {
    let NotedFace { weights, expression_outputs, world_from_nodes, look, camera } = session.noted_face(moment);
    PictureInputs {
        weights: weights.into(),
        expression_outputs: expression_outputs.into(),
        look,
        roles: session.roles(),
        marked: None,
        world_from_nodes: world_from_nodes.into(),
        shot: Some((camera, moment.size_px())),
    }
}

/// Keeps the first picture of a note with it, as it was drawn, unless the note shows another moment by now.
fn keep_picture(session: &mut Session, id: NoteId, drawn: Option<&PictureInputs>, picture: &RgbaImage) {
    let Some(note) = session.edits.note(id).filter(|note| note.picture.is_none()) else { return };
    let Some(moment) = note.moment.clone().filter(|moment| {
        let inputs = of_note(session, moment);
        drawn.is_some_and(|drawn| drawn.shot == inputs.shot && drawn.weights == inputs.weights)
    }) else {
        return;
    };
    let mut png = Cursor::new(Vec::new());
    // Nothing of the picture is transparent.
    let opaque = DynamicImage::ImageRgba8(picture.clone()).into_rgb8();
    match opaque.write_to(&mut png, ImageFormat::Png) {
        Ok(()) => session.notes_mut().give_picture(id, &moment, &NotePicture(png.into_inner().into())),
        Err(error) => log::warn!("the picture of a note cannot be kept: {error}"),
    }
}

fn of_channels(session: &Session, channels: &[usize], view: ViewMode) -> PictureInputs {
    let mut weights = session.head.default_weights();
    for target in channels.iter().flat_map(|&channel| &session.head.channels[channel].targets) {
        weights[*target] = 1.0;
    }
    let expression_outputs = session.head.resolve(&mut weights);
    let nodes = session.head.world_from_nodes_under(&expression_outputs);
    PictureInputs {
        weights: weights.into(),
        expression_outputs: expression_outputs.into(),
        look: Look { view, isolates_face: true, ..session.look().of_materials() },
        roles: session.roles(),
        marked: None,
        world_from_nodes: nodes.into(),
        shot: None,
    }
}
