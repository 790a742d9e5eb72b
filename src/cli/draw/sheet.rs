//! `smirk sheet`: draws every expression of a head, every pose, or moments of a take side by side on one picture.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde_json::{Map, Value, json};

use super::draw_sheet;
use super::surface::SurfaceArgs;
use super::watch::draw_once_or_watch;
use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::motion::MotionArgs;
use crate::cli::text::ProgressLine;
use crate::cli::values::{number, one_of, optional_output, output, view};
use smirk_base::file_kind;
use smirk_base::names::{printable, printable_path};
use smirk_export::{OutputPath, SheetContent, SheetSettings, SheetWork, ShownUnit};
use smirk_face::head::{ACTION_UNITS, Frame, Head};
use smirk_graphics::blend::Precision;
use smirk_scene::{Quality, View};

#[derive(Debug, Args)]
pub struct SheetArgs {
    /// Head or project to draw; without it, the bundled head
    file: Option<PathBuf>,
    /// PNG file to write, or a PDF of one page
    #[arg(short, long, value_name = "PNG|PDF")]
    output: PathBuf,
    /// Draw poses instead of expressions
    #[arg(long, conflicts_with_all = ["clip", "take", "frames", "weight"])]
    poses: bool,
    /// Draw the faces of the review notes of a project instead, with their numbers and texts
    #[arg(long, conflicts_with_all = ["poses", "clip", "take", "frames", "weight", "view", "frame"])]
    notes: bool,
    /// Draw action units of the Facial Action Coding System instead: every one that the head can show, at --weight; or
    /// the named one, such as AU12, at the five intensities A to E
    #[arg(long, value_name = "AU", num_args = 0..=1, default_missing_value = "all", conflicts_with_all = ["poses", "notes", "clip", "take", "frames"])]
    aus: Option<String>,
    /// JSON file to write with the weights of every action unit that is drawn
    #[arg(long, value_name = "JSON", requires = "aus")]
    protocol: Option<PathBuf>,
    /// The moments of a clip or take to draw instead of expressions, evenly spaced from its start to its end.
    #[command(flatten)]
    motion: MotionArgs,
    /// Number of moments of the clip or take [default: 24]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=2000))]
    frames: Option<u16>,
    /// Pictures per row; without it, as many as give the sheet the shape of a screen
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    columns: Option<u16>,
    /// Width of a picture in pixels; its height is a quarter more
    #[arg(long, value_name = "PIXELS", default_value_t = 240, value_parser = clap::value_parser!(u32).range(48..=4096))]
    cell: u32,
    /// Weight that each expression is shown with
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, allow_hyphen_values = true, value_parser = number(f32::MIN..=f32::MAX, "a number, such as 1 or 0.5"))]
    weight: f32,
    /// Number of samples that are accumulated for soft shadows and smooth edges; with 0, pictures are drawn as while
    /// the head moves
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=4096))]
    samples: u32,
    #[command(flatten)]
    axes: AxesArgs,
    #[command(flatten)]
    surface: SurfaceArgs,
    /// What of the head each picture shows
    #[arg(long, value_name = "face|head|body|all", default_value = "face", value_parser = one_of(Frame::EACH, Frame::keyword))]
    frame: Frame,
    /// front, threequarter, left, right, or yaw,pitch in degrees
    #[arg(long, default_value = "front", value_parser = view, allow_hyphen_values = true)]
    view: View,
    /// Store deltas as 32-bit floats, as in the file, instead of packing them into half the bits
    #[arg(long)]
    exact: bool,
    /// Draw the sheet again whenever a file changes that it is made of, until the command is interrupted
    #[arg(long, requires = "file")]
    watch: bool,
}

pub(in crate::cli) fn run(args: &SheetArgs) -> anyhow::Result<()> {
    let named: Vec<PathBuf> = args.file.iter().chain(args.motion.files()).cloned().collect();
    let output = output(&args.output, &[&file_kind::PNG, &file_kind::PDF])?;
    let protocol = optional_output(args.protocol.as_ref(), &[&file_kind::CAPTURE_JSON])?;
    draw_once_or_watch(args.watch, named, |read| draw(args, &output, protocol.as_ref(), read))
}

/// The action units of `--aus`.
fn units_of(head: &Head, unit: &str, intensity: f32) -> anyhow::Result<Vec<ShownUnit>> {
    if unit == "all" {
        let all = ShownUnit::all(head, intensity);
        if all.is_empty() {
            bail!("{} has no channel that shows an action unit", head.name);
        }
        return Ok(all);
    }
    let number = unit.trim_start_matches(|c: char| !c.is_ascii_digit()).trim_start_matches('0');
    let known = ACTION_UNITS.into_iter().find(|(known, _)| known[2..].eq_ignore_ascii_case(number));
    let Some(known) = known else {
        let known = ACTION_UNITS.map(|(unit, _)| unit);
        bail!("--aus {}: it is one of {}, or without a name all of them", printable(unit), known.join(", "));
    };
    let steps = ShownUnit::steps(head, known);
    if steps.is_empty() {
        bail!("--aus {}: {} has no channel that shows it ({})", known.0, head.name, known.1);
    }
    Ok(steps)
}

fn unit_in_json(head: &Head, unit: &ShownUnit) -> Value {
    let weights =
        unit.weights.iter().map(|(&channel, &weight)| (head.channels[channel].full_name.clone(), weight.into()));
    json!({
        "unit": unit.unit,
        "name": unit.name,
        "intensity": unit.letter().to_string(),
        "weight": unit.intensity,
        "channels": weights.collect::<Map<String, Value>>(),
    })
}

/// Draws and writes once. Adds the files that are read to `read`, and returns a line about the sheet.
fn draw(
    args: &SheetArgs,
    output: &OutputPath,
    protocol: Option<&OutputPath>,
    read: &mut Vec<PathBuf>,
) -> anyhow::Result<String> {
    let Opened { mut session, files } = open_session(args.file.as_ref())?;
    read.extend(files);
    args.axes.apply(&mut session)?;
    args.motion.apply(&mut session)?;
    output.check()?;
    protocol.map(OutputPath::check).transpose()?;
    args.surface.apply(&mut session)?;
    let head = session.head.clone();
    if head.channels.is_empty() {
        bail!("{} has no expressions to show: none of its meshes has morph targets", head.name);
    }
    let units = args.aus.as_deref().map(|unit| units_of(&head, unit, args.weight)).transpose()?;
    let shows_moments = args.frames.is_some() || args.motion.is_some();
    let content = if let Some(units) = &units {
        SheetContent::action_units(&session, units)
    } else if args.notes {
        SheetContent::notes(&session)
    } else if args.poses {
        SheetContent::poses(&session)
    } else if shows_moments {
        SheetContent::moments(&session, args.frames.map_or(SheetContent::DEFAULT_MOMENTS, usize::from))
    } else {
        SheetContent::expressions(&session, args.weight)
    };
    if args.frames.is_some() && session.timeline_secs() == 0.0 {
        bail!("--frames is a number of moments of an animation, and needs --take FILE or --clip N|NAME");
    }
    if args.notes && content.cells.is_empty() {
        bail!("{} has no review notes with a face to show", session.source.name());
    }
    if content.cells.is_empty() {
        bail!("{} has no poses to show: it does not have ARKit's expressions", head.name);
    }
    let settings = SheetSettings {
        part: args.frame,
        view: args.view,
        cell_px: args.cell,
        columns: args.columns.map(usize::from),
        look: session.look(),
        roles: session.roles(),
        quality: Quality::refined(args.samples),
        ..SheetSettings::default()
    };
    let mut work = SheetWork::start(head.clone(), content, &settings)?;
    let (progress, began, total) = (ProgressLine::new(), Instant::now(), work.total());
    draw_sheet(&mut work, &head, Precision::exact_if(args.exact), &progress)?;
    let unseen = work.unseen();
    let sheet = work.finish();
    sheet.save(output)?;
    if let (Some(protocol), Some(units)) = (protocol, units) {
        let units: Vec<Value> = units.iter().map(|unit| unit_in_json(&head, unit)).collect();
        let text = json!({ "head": head.name, "picture": args.output, "cells": units });
        protocol.write(format!("{text:#}\n").as_bytes())?;
    }
    let (file, width, height) = (printable_path(&args.output), sheet.image.width(), sheet.image.height());
    let line = format!("{file}, {width}×{height} pixels");
    if let Some(unseen) = unseen {
        log::warn!("{file}: {unseen}");
    }
    if args.watch {
        progress.clear();
    } else {
        progress.end(&format!("{line}: {total} pictures in {:.1} s", began.elapsed().as_secs_f32()));
    }
    Ok(line)
}
