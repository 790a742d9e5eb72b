//! `smirk export KIND`: one file for each kind, and what they share.

mod animation;
mod drawn;
mod film;
mod head;
mod mesh;
mod pictures;
mod view;

pub(super) use animation::format_of;
pub(super) use view::SpanArgs;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write what plays as an animation: weights over time
    Animation(animation::AnimationArgs),
    /// Save a head as one .glb, with the shapes that were imported
    Head(head::HeadArgs),
    /// Write the face as it is at a moment, or over a range, as meshes: .obj, .glb, or a point cache (.pc2, .mdd)
    Mesh(mesh::MeshArgs),
    /// Write what plays as numbered pictures
    Pictures(pictures::PicturesArgs),
    /// Write what plays as a film
    Film(film::FilmArgs),
}

impl ExportCommand {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Animation(args) => animation::run(args),
            Self::Head(args) => head::run(args),
            Self::Mesh(args) => mesh::run(args),
            Self::Pictures(args) => pictures::run(args),
            Self::Film(args) => film::run(args),
        }
    }
}
