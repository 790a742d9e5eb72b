//! `smirk diff`: what has changed between two versions of a head.

mod report;

use std::path::PathBuf;

use clap::Args;

use super::input::open_head;
use super::text;
use super::values::matching;
use crate::head::{HeadChanges, Matching};
use crate::import::match_heads;
use report::Report;

/// Arguments of `smirk diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The earlier version of the head
    old: PathBuf,
    /// The later one
    new: PathBuf,
    /// How the vertices of both are matched; auto: in order if the topology is the same, else by texture coordinates and position
    #[arg(long = "match", value_name = "auto|order|uv|position", default_value = "auto", value_parser = matching)]
    matching: Matching,
    /// Write JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Compares the heads and writes the differences to standard output.
pub(super) fn run(args: &DiffArgs) -> anyhow::Result<()> {
    let (old, new) = (open_head(Some(&args.old))?, open_head(Some(&args.new))?);
    let meshes = match_heads(&old, &new, args.matching);
    let changes = HeadChanges::between_matched(&old, &new, &meshes);
    let report = Report::new([&args.old, &args.new], [&old, &new], &meshes, &changes);
    if args.json { text::print_json(&report) } else { text::print(&report.table()) }
}
