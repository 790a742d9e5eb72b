//! `smirk export animation`: writes what plays as weights over time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use super::view::SpanArgs;
use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::motion::{BlendRuleArg, TakeArgs, play_clip, report_take};
use crate::cli::text::{ProgressLine, counted};
use crate::cli::values::{keywords, number, one_of};
use crate::cli::voice::VoiceArgs;
use smirk_base::names::{printable, printable_path};
use smirk_base::progress::Progress;
use smirk_export::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationKeys, AnimationReport, AnimationSettings, OutputPath,
    bytes_in_words,
};
use smirk_face::head::listed;
use smirk_session::{Session, TakeId};

#[derive(Debug, Args)]
pub struct AnimationArgs {
    /// Head or project that plays; without it, the bundled head
    file: Option<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[arg(long, value_name = "FORMAT", value_parser = one_of(AnimationFormat::ALL, AnimationFormat::keyword), help = format_help())]
    format: Option<AnimationFormat>,
    /// Clip of the head to play, by number from 0 or by name
    #[arg(long, value_name = "N|NAME")]
    clip: Option<String>,
    /// Capture, or model with animations, to play; several become several clips of one file
    #[arg(id = "take", long = "take", value_name = "FILE")]
    takes: Vec<PathBuf>,
    #[command(flatten)]
    of_takes: TakeArgs,
    #[command(flatten)]
    voice: VoiceArgs,
    /// Write every take of the project as a clip of its own
    #[arg(long, conflicts_with = "take")]
    all_takes: bool,
    /// How several expressions at once are combined
    #[arg(long, value_enum)]
    rule: Option<BlendRuleArg>,
    #[command(flatten)]
    span: SpanArgs,
    #[arg(long, value_name = "WEIGHT", value_parser = number(0.0..=f32::MAX, "a weight of 0 or more, such as 0.001"), help = tolerance_help())]
    tolerance: Option<f32>,
    /// Write a key at every frame
    #[arg(long, conflicts_with = "tolerance")]
    sampled: bool,
    /// Leave out the head: the file has the names of targets, and their weights
    #[arg(long)]
    animation_only: bool,
    #[command(flatten)]
    axes: AxesArgs,
    /// Write the head upright, as it is shown, and not with the axes of its file
    #[arg(long, conflicts_with = "animation_only")]
    as_shown: bool,
}

pub(super) fn run(args: &AnimationArgs) -> anyhow::Result<()> {
    let output = OutputPath::new(&args.output).or_stream();
    output.check()?;
    let settings = settings(args)?;
    let Opened { mut session, .. } = open_session(args.file.as_ref())?;
    args.axes.apply(&mut session)?;
    session = if args.as_shown { session.written_upright() } else { session };
    if let Some(rule) = args.rule {
        session.edits.rule = rule.into();
    }
    if let Some(name) = &args.clip {
        play_clip(&mut session, name)?;
    }
    args.voice.apply(&mut session, None)?;
    let clips = clips(args, settings.format, &mut session)?;
    // All inputs are open now.
    output.check()?;
    let export = AnimationExport::new(clips, settings, output)?;
    let (progress, began) = (ProgressLine::new(), Instant::now());
    let report = export.run(Progress::new(&|stage, _| progress.show_stage(stage)))?;
    warn(&report, settings.format);
    let (file, size, secs) =
        (printable_path(&args.output), bytes_in_words(report.bytes as u64), began.elapsed().as_secs_f32());
    progress.end(&format!("{file}: {}, {size}, in {secs:.1} s", counted(report.frames, "frame")));
    Ok(())
}

/// The format that was asked for, else that of the name of the file.
pub(crate) fn format_of(chosen: Option<AnimationFormat>, output: &Path) -> anyhow::Result<AnimationFormat> {
    let Some(format) = chosen.or_else(|| AnimationFormat::of_path(output)) else {
        let formats = keywords(AnimationFormat::ALL, AnimationFormat::keyword);
        usage!(
            "-o {}: its name does not say which format is meant: give --format, one of {formats}",
            printable_path(output)
        );
    };
    Ok(format)
}

fn settings(args: &AnimationArgs) -> anyhow::Result<AnimationSettings> {
    let format = format_of(args.format, &args.output)?;
    if args.tolerance.is_some() && !format.can_hold_sparse_keys() {
        usage!("--format {} has a row for every frame: --tolerance means nothing for it", format.keyword());
    }
    if args.animation_only && !format.can_hold_head() {
        usage!("--format {} never holds the head: --animation-only means nothing for it", format.keyword());
    }
    let keys = match args.tolerance {
        _ if args.sampled => AnimationKeys::Sampled,
        Some(tolerance) => AnimationKeys::Within(tolerance),
        None => AnimationKeys::default(),
    };
    if args.as_shown && !format.can_hold_head() {
        usage!("--format {} never holds the head: --as-shown means nothing for it", format.keyword());
    }
    Ok(AnimationSettings { format, keys, with_head: !args.animation_only })
}

/// What is written as a clip each: the takes that were asked for, else what the session plays.
fn clips(args: &AnimationArgs, format: AnimationFormat, session: &mut Session) -> anyhow::Result<Vec<AnimationClip>> {
    let (rate, mut rates) = (session.edits.timeline.rate, HashMap::new());
    let mut of_files = Vec::with_capacity(args.takes.len());
    for path in &args.takes {
        // A take sets the frame rate of the timeline if it states one.
        session.edits.timeline.rate = rate;
        let added = args.of_takes.add(session, path)?;
        rates.extend(added.iter().map(|&take| (take, session.edits.timeline.rate)));
        of_files.push(added);
    }
    let mut takes = of_files.concat();
    args.of_takes.map(session, &takes)?;
    of_files.iter().filter_map(|added| added.first()).for_each(|&first| report_take(session, first));
    if args.all_takes {
        let takes: Vec<TakeId> = session.edits.playable_takes().map(|entry| entry.id).collect();
        if takes.is_empty() {
            bail!("--all-takes: there is no take; --take FILE adds one");
        }
        return AnimationClip::of_takes(session, &takes, |session| args.span.of_session(session));
    }
    if !takes.is_empty() {
        if args.takes.len() == 1 && !format.can_hold_clips() {
            // Of several takes in one file, the window plays the first too.
            takes.truncate(1);
        }
        return AnimationClip::of_takes(session, &takes, |session| {
            let played = session.edits.take.and_then(|take| rates.get(&take));
            session.edits.timeline.rate = played.copied().unwrap_or(rate);
            args.span.of_session(session)
        });
    }
    if session.timeline_secs() == 0.0 && !args.span.names_frames() {
        bail!("nothing is animated: give --take FILE or --clip N|NAME, or the frames to write with --frames A-B");
    }
    Ok(vec![AnimationClip::of_session(session, args.span.of_session(session)?)])
}

fn warn(report: &AnimationReport, format: AnimationFormat) {
    let unmapped = &report.unmapped_channels;
    if !unmapped.is_empty() {
        let names = listed(&unmapped.iter().map(|name| printable(name)).collect::<Vec<_>>(), 12);
        let channels = counted(unmapped.len(), "channel");
        log::warn!("{} has no column for {channels} that are not at rest: {names}", format.label());
    }
    if let Some(lost) = report.lost_motion {
        log::warn!("{}", lost.in_words());
    }
    if let Some(flattened) = &report.flattened {
        log::warn!("{}", printable(&flattened.in_words()));
    }
}

fn format_help() -> String {
    let format = |format: &AnimationFormat| format!("{} ({})", format.keyword(), format.label());
    let formats: Vec<String> = AnimationFormat::ALL.iter().map(format).collect();
    format!("Format of the file: {} [default: that of its extension]", formats.join(", "))
}

fn tolerance_help() -> String {
    let lossless = AnimationKeys::LOSSLESS;
    format!("Largest distance from the weights of any frame, so that fewer keys suffice [default: {lossless}]")
}
