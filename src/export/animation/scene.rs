//! What USD and FBX have in common: meshes in world space, and shapes that move targets of several meshes together.

use super::clip::Recording;
use super::gltf::without_shapes;
use smirk_face::head::Head;
use smirk_files::import::UniqueNames;

pub(super) struct ShapeScene {
    /// The head, with all meshes in world space at rest; or a stand-in with the same targets.
    pub head: Head,
    /// The shapes. Every target of the head is moved by exactly one.
    pub shapes: Vec<Shape>,
    /// Per target of the head, the index of its shape.
    pub shape_of_target: Vec<usize>,
}

/// Targets of one name that have the same weight at every frame.
pub(super) struct Shape {
    /// Unique.
    pub name: String,
    /// The first of its targets, whose weight is that of all.
    pub target: usize,
    pub default_weight: f32,
}

impl ShapeScene {
    /// The scene for clips of a head. Targets of one channel become one shape if all clips move them alike, else one
    /// each.
    pub(super) fn new(recordings: &[Recording], head: &Head, with_head: bool) -> Self {
        let written = if with_head { head.in_world_space() } else { without_shapes(head) };
        let rest = head.default_weights();
        let mut names = UniqueNames::default();
        let mut shapes: Vec<Shape> = Vec::new();
        let mut shape_of_target = vec![0; head.target_count()];
        for channel in head.target_channels() {
            let first_shape = shapes.len();
            for &target in &channel.targets {
                let known = (first_shape..shapes.len()).find(|&shape| {
                    rest[shapes[shape].target] == rest[target]
                        && recordings
                            .iter()
                            .all(|recording| recording.target(shapes[shape].target).eq(recording.target(target)))
                });
                shape_of_target[target] = known.unwrap_or_else(|| {
                    let is_first = shapes.len() == first_shape;
                    let mesh = if is_first { None } else { head.target(target).map(|(mesh, _)| mesh.name.as_str()) };
                    let name = unique_name(&channel.full_name, mesh, &mut names);
                    shapes.push(Shape { name, target, default_weight: rest[target] });
                    shapes.len() - 1
                });
            }
        }
        Self { head: written, shapes, shape_of_target }
    }

    pub(super) fn weights(&self, recording: &Recording) -> Vec<f32> {
        let frames = 0..recording.frame_count();
        frames
            .flat_map(|frame| {
                let weights = recording.performance.frame_of_targets(frame);
                self.shapes.iter().map(move |shape| weights[shape.target])
            })
            .collect()
    }
}

/// The name of a channel, of a mesh if there is one, and with a number if another shape has it. Characters that no name
/// may have are replaced by spaces.
fn unique_name(channel: &str, mesh: Option<&str>, names: &mut UniqueNames) -> String {
    let name = mesh.map_or_else(|| channel.to_owned(), |mesh| format!("{channel} {mesh}"));
    names.make_between(printable(&name), " ", "")
}

pub(super) fn printable(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
