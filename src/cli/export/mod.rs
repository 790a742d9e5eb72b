//! `smirk export KIND`: one file for each kind, and what they share.

mod animation;
mod span;

use clap::Subcommand;

/// What is exported.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write what plays as an animation: weights over time
    Animation(animation::AnimationArgs),
}

impl ExportCommand {
    /// Runs the command.
    pub(super) fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Animation(args) => animation::run(args),
        }
    }
}
