//! `smirk send`: plays a take, a clip or a project in real time, as packets of a face-capture app.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;

use super::address;
use crate::cli::export::SpanArgs;
use crate::cli::input::{Opened, open_session, open_takes};
use crate::cli::motion::MotionArgs;
use crate::cli::text::{ProgressLine, counted};
use crate::cli::values::{keywords, one_of};
use smirk_base::file_kind::Content;
use smirk_base::names::printable;
use smirk_base::progress::Progress;
use smirk_export::Performance;
use smirk_face::head::FaceTurns;
use smirk_face::motion::{Angle, FrameRate};
use smirk_files::import;
use smirk_files::live::{SendFormat, SendSettings, Sender, SentFace};

/// The most frames of a capture: 19 hours at 60 per second.
const MAX_FRAMES: i64 = 1 << 22;

#[derive(Debug, Args)]
pub struct SendArgs {
    /// What plays: a capture, whose columns are sent as they are; or a head or project, whose channels are sent;
    /// without it, the bundled head
    file: Option<PathBuf>,
    /// Where to: an address or a name, with a port behind a colon unless it is the usual one of the protocol
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    #[arg(long, value_name = "PROTOCOL", default_value = "live-link", value_parser = one_of(SendFormat::ALL, SendFormat::keyword), help = format_help())]
    protocol: SendFormat,
    /// Name of the performer, for protocols that send one
    #[arg(long, value_name = "NAME", default_value = "Smirk")]
    subject: String,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    span: SpanArgs,
    /// Begin again at the end, until the command is interrupted
    #[arg(long = "loop")]
    repeats: bool,
}

fn format_help() -> String {
    format!("Form of the packets: {}", keywords(SendFormat::ALL, SendFormat::keyword))
}

/// The faces that are sent, at a constant rate.
struct Played {
    names: Vec<String>,
    rate: FrameRate,
    /// Per frame, a value per name, and the turns if they are known.
    frames: Vec<(Vec<f32>, Option<FaceTurns>)>,
}

pub(in crate::cli) fn run(args: &SendArgs) -> anyhow::Result<()> {
    let to = address("--to", &args.to, args.protocol.port())?;
    let played = played(args)?;
    let settings = SendSettings { format: args.protocol, to, subject: args.subject.clone() };
    let sender = Sender::open(&settings, &played.names)?;
    let (progress, began) = (ProgressLine::new(), Instant::now());
    let step = 1.0 / played.rate.frames_per_sec();
    let count = played.frames.len();
    let repetitions = if args.repeats { usize::MAX } else { 1 };
    for (frame, (values, turns)) in std::iter::repeat_n(&played.frames, repetitions).flatten().enumerate() {
        let time_secs = frame as f64 * step;
        // Each frame has a time of its own, so that a late one does not delay those after it.
        thread::sleep(Duration::from_secs_f64(time_secs).saturating_sub(began.elapsed()));
        let sent = sender.send(&SentFace { values, turns: *turns, time_secs });
        sent.with_context(|| format!("--to {}: the system sends nothing to {to}", printable(&args.to)))?;
        if frame % 30 == 0 {
            progress.show(&format!("sending to {to}: {time_secs:.1} s"));
        }
    }
    let frames = counted(count, "frame");
    progress.end(&format!("sent {frames} to {to} as {}, {} a second", args.protocol.name(), played.rate.label()));
    Ok(())
}

fn played(args: &SendArgs) -> anyhow::Result<Played> {
    match &args.file {
        Some(file) if import::content_of(file) == Content::Takes => of_capture(args, file),
        _ => of_session(args),
    }
}

/// The columns of a capture, without a head.
fn of_capture(args: &SendArgs, file: &Path) -> anyhow::Result<Played> {
    if args.motion.is_some() {
        bail!("{}: is a capture, which plays by itself; --clip and --take play on a head", file.display());
    }
    let takes = open_takes(file)?;
    let Some(take) = takes.first() else { bail!("{}: holds no take", file.display()) };
    let recorded = take.frames_per_sec.map_or(60.0, f64::from);
    let rate = args.span.rate().unwrap_or_else(|| FrameRate::nearest(recorded));
    let last = (f64::from(take.duration_secs) * rate.frames_per_sec() + 1e-3).floor() as i64;
    let [first, last] = args.span.frames().unwrap_or([0, last]);
    if last - first >= MAX_FRAMES {
        bail!(
            "{}: {} frames are more than the {MAX_FRAMES} that are sent; give fewer --frames",
            file.display(),
            last - first + 1
        );
    }
    let angles: Vec<Option<Angle>> = take.columns.iter().map(|column| Angle::of_column(&column.name)).collect();
    let is_turned = angles.iter().any(Option::is_some);
    let shapes: Vec<usize> = (0..angles.len()).filter(|&column| angles[column].is_none()).collect();
    let frames = (first..=last).map(|frame| {
        let secs = (frame as f64 / rate.frames_per_sec()) as f32;
        let mut turns = FaceTurns::NONE;
        for (column, angle) in angles.iter().enumerate() {
            if let Some(angle) = angle {
                angle.set(&mut turns, take.sample(column, secs));
            }
        }
        let values = shapes.iter().map(|&column| take.sample(column, secs)).collect();
        (values, is_turned.then_some(turns))
    });
    let names = shapes.iter().map(|&column| take.columns[column].name.clone()).collect();
    Ok(Played { names, rate, frames: frames.collect() })
}

/// The channels of a head that plays.
fn of_session(args: &SendArgs) -> anyhow::Result<Played> {
    let Opened { mut session, .. } = open_session(args.file.as_ref())?;
    args.motion.apply(&mut session)?;
    if session.timeline_secs() == 0.0 && !args.span.names_frames() {
        bail!("nothing plays; give --clip or --take, or a project with takes or keys");
    }
    let span = args.span.of_session(&session)?;
    let performance = Performance::evaluate(&session, span, Progress::NONE)?;
    let frames = (0..performance.frame_count())
        .map(|frame| (performance.frame(frame).to_vec(), Some(performance.turns[frame])))
        .collect();
    let names = session.head.channels.iter().map(|channel| channel.name.clone()).collect();
    Ok(Played { names, rate: span.rate, frames })
}
