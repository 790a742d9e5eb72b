//! `smirk listen`: says what arrives from face-capture apps, and records it, without a window.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;

use super::address;
use crate::cli::input::open_mapping;
use crate::cli::text::{ProgressLine, counted, print};
use crate::cli::values::{keywords, one_of, seconds};
use smirk_base::atomic_file::OutputPath;
use smirk_base::interrupt;
use smirk_base::names::{printable, printable_path, quoted};
use smirk_editor::document::growing_path;
use smirk_face::motion::{MappedColumns, TakeMap};
use smirk_files::live::{
    FrameTable, ListenSettings, LiveFrame, LiveStatus, Protocol, ReceivedFrame, Receiver, SenderChoice, SenderClock,
    SenderStatus,
};

/// How long nothing has to arrive before the status is looked at again.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often the status is shown, and the recording handed to the system.
const INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct ListenArgs {
    /// Protocols to listen for; without any, all
    #[arg(long, value_name = "PROTOCOL,…", value_delimiter = ',', value_parser = one_of(Protocol::ALL, Protocol::keyword), help = protocol_help())]
    protocol: Vec<Protocol>,
    /// Port to listen on instead of the usual ones; needs one --protocol
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Hear programs on other machines too, not only on this one
    #[arg(long)]
    network: bool,
    /// Phone to ask for data; needs --network and one --protocol (ifacialmocap or vtube-studio)
    #[arg(long, value_name = "ADDRESS", requires = "network")]
    phone: Option<String>,
    /// Hear only the sender at this address
    #[arg(long, value_name = "ADDRESS")]
    from: Option<IpAddr>,
    /// Hear only the performer or device of this name
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Write the frames of the sender that is heard to this table, which opens as a take
    #[arg(long, value_name = "CSV")]
    record: Option<PathBuf>,
    /// Write the channels that the columns drive by this mapping, which *Motion › Mapping › Save* writes, without its
    /// smoothing; columns that it does not list stay as they are
    #[arg(long, value_name = "FILE", requires = "record")]
    map: Option<PathBuf>,
    /// End after so many seconds instead of waiting to be interrupted
    #[arg(long, value_name = "SECONDS", value_parser = seconds())]
    seconds: Option<f32>,
}

fn protocol_help() -> String {
    format!("Protocols to listen for, without it all: {}", keywords(Protocol::ALL, Protocol::keyword))
}

/// Listens until it is interrupted.
pub(in crate::cli) fn run(args: &ListenArgs) -> anyhow::Result<()> {
    let settings = settings(args)?;
    // The mapping comes first: the recording must not replace it.
    let map = args.map.as_deref().map(open_mapping).transpose()?;
    let output = args.record.as_deref().map(table).transpose()?;
    // A wake-up that finds the channel full is not needed: after the one in it, everything is looked at.
    let (send, woken) = sync_channel(1);
    let wake = send.clone();
    let receiver = Receiver::listen(settings, move || wake.try_send(()).unwrap_or_default())?;
    let mut recording = output.map(|output| Recording::begin(output, map)).transpose()?;
    // A recording is completed when the command is interrupted.
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let interrupted = is_interrupted.clone();
    interrupt::set_window(
        move || {
            interrupted.store(true, Ordering::Release);
            send.try_send(()).unwrap_or_default();
        },
        || (),
    );
    print(&listening(&receiver.status()))?;
    let (progress, began, mut shown) = (ProgressLine::new(), Instant::now(), Instant::now());
    let (mut known, mut frames) = (HashSet::new(), 0_u64);
    while !is_interrupted.load(Ordering::Acquire)
        && args.seconds.is_none_or(|secs| began.elapsed().as_secs_f32() < secs)
    {
        // Whether it is woken or the time is over, the frames are taken.
        woken.recv_timeout(PATIENCE).unwrap_or_default();
        for frame in receiver.take_frames() {
            frames += 1;
            if let Some(recording) = &mut recording {
                recording.write(&frame)?;
            }
        }
        if shown.elapsed() >= INTERVAL {
            shown = Instant::now();
            let status = receiver.status();
            for sender in
                status.senders.iter().filter(|sender| known.insert((sender.id.address, sender.id.subject.clone())))
            {
                print(&first_words(sender))?;
            }
            progress.show(&status.senders.iter().map(in_words).collect::<Vec<_>>().join("; "));
            if let Some(recording) = &mut recording {
                recording.table.flush()?;
            }
        }
    }
    progress.clear();
    let status = receiver.status();
    for sender in &status.senders {
        print(&in_words(sender))?;
    }
    print(&format!("{} heard", counted(frames as usize, "frame")))?;
    recording.map_or(Ok(()), Recording::finish)
}

fn settings(args: &ListenArgs) -> anyhow::Result<ListenSettings> {
    // A protocol that is named twice is listened for once.
    let mut protocols = Protocol::ALL.to_vec();
    protocols.retain(|protocol| args.protocol.is_empty() || args.protocol.contains(protocol));
    let protocols = protocols.as_slice();
    let mut settings = ListenSettings::for_protocols(protocols);
    settings.is_open_to_network = args.network;
    settings.sender = SenderChoice { protocol: None, address: args.from, subject: args.subject.clone() };
    if let Some(port) = args.port {
        let [_] = protocols else { usage!("--port {port}: give one --protocol that it is for") };
        // Apps of some protocols connect to a port in one of two ways.
        settings.sockets.iter_mut().for_each(|socket| socket.port = port);
    }
    if let Some(phone) = &args.phone {
        let [protocol] = protocols else {
            usage!("--phone {}: give one --protocol that it is asked in", printable(phone))
        };
        let Some(port) = protocol.phone_port() else {
            usage!("--phone {}: apps of {} send without being asked", printable(phone), protocol.name())
        };
        settings.phones = vec![(*protocol, address("--phone", phone, port)?)];
    }
    Ok(settings)
}

fn table(path: &Path) -> anyhow::Result<OutputPath> {
    let output = OutputPath::new(path).or_stream();
    let name = path.to_string_lossy().to_lowercase();
    if !output.is_stream() && !name.ends_with(".csv") && !name.ends_with(".txt") {
        usage!("--record {}: a recording is a table; its name ends with .csv or .txt", printable_path(path));
    }
    output.check()?;
    Ok(output)
}

/// A recording. Frames are written at once, so that little is lost if the program is killed. Until it is complete, it
/// has another name, under which it stays after a kill, and what its own name stands for is unchanged.
struct Recording {
    table: FrameTable<BufWriter<File>>,
    /// When the first frame was received.
    first: Option<Instant>,
    clock: SenderClock,
    map: Option<TakeMap>,
    /// The columns that arrived last, and what they are by the map.
    mapped: Option<(Arc<[String]>, MappedColumns)>,
    output: OutputPath,
    /// Where it grows; none for a device or a pipe.
    growing: Option<PathBuf>,
}

impl Recording {
    fn begin(output: OutputPath, map: Option<TakeMap>) -> anyhow::Result<Self> {
        let path = output.path();
        let growing = (!output.is_stream()).then(|| growing_path(path));
        let file = match &growing {
            None => File::options().write(true).open(path),
            Some(growing) => File::options().write(true).create_new(true).open(growing),
        };
        let file = file.map_err(|error| match &growing {
            Some(growing) if error.kind() == ErrorKind::AlreadyExists => anyhow!(
                "cannot record {}: {} is a recording that another program writes, or one that was interrupted: to keep it, give it \
                 a name that ends with .csv; otherwise delete it",
                printable_path(path),
                printable_path(growing)
            ),
            _ => anyhow!(error).context(printable_path(path)),
        })?;
        if growing.is_some()
            && let Err(error) = file.try_lock()
        {
            // Where the file system has no locks, no window can ask for one either.
            log::debug!("{}: the recording is not locked: {error}", printable_path(path));
        }
        Ok(Self {
            table: FrameTable::new(BufWriter::new(file)),
            first: None,
            clock: SenderClock::default(),
            map,
            mapped: None,
            output,
            growing,
        })
    }

    /// Adds a frame. Without a face in view it has no row: a take goes over such gaps. The times are the sender's, if
    /// it sends any that can be used.
    fn write(&mut self, ReceivedFrame { frame, received, .. }: &ReceivedFrame) -> io::Result<()> {
        if !frame.is_tracked || frame.columns.is_empty() {
            return Ok(());
        }
        let first = *self.first.get_or_insert(*received);
        let arrived_secs = received.saturating_duration_since(first).as_secs_f64();
        let secs = self.clock.secs_of(frame.time_secs, arrived_secs);
        let Some(map) = &self.map else { return self.table.write(secs, frame) };
        self.mapped.take_if(|(columns, _)| !Arc::ptr_eq(columns, &frame.columns));
        let (_, mapped) = self.mapped.get_or_insert_with(|| (frame.columns.clone(), map.on_columns(&frame.columns)));
        let (columns, values) = (mapped.names.clone(), mapped.values(&frame.values));
        self.table.write(secs, &LiveFrame { columns, values, ..frame.clone() })
    }

    /// Puts the recording in its place, unless it has no rows: then what is there stays.
    fn finish(mut self) -> anyhow::Result<()> {
        self.table.flush()?;
        let path = printable_path(self.output.path());
        let left_out = self.table.left_out();
        if !left_out.is_empty() {
            let count = counted(left_out.len(), "name");
            log::warn!("{count} came after the first frame and have no column: {}", left_out.join(", "));
        }
        let dated_here = self.clock.set_count();
        if dated_here > 0 {
            let frames = counted(dated_here as usize, "frame");
            log::warn!(
                "the sender's clock stands still, jumps or runs backwards: {frames} have the time of their arrival"
            );
        }
        if let Some(growing) = &self.growing {
            if self.table.rows() > 0 {
                self.output.write(&std::fs::read(growing).with_context(|| printable_path(growing))?)?;
            }
            std::fs::remove_file(growing).with_context(|| printable_path(growing))?;
        }
        let rows = counted(self.table.rows(), "row");
        match self.table.rows() {
            0 => print(&format!("no rows: {path} is not written")),
            _ => print(&format!("{path}: {rows}")),
        }
    }
}

fn listening(status: &LiveStatus) -> String {
    let sockets = status
        .listening
        .iter()
        .map(|socket| format!("{}: {} {}", socket.protocol.name(), socket.transport.name(), socket.address_to_type()));
    sockets.chain(status.failures.iter().map(ToString::to_string)).collect::<Vec<_>>().join("\n")
}

fn name(sender: &SenderStatus) -> String {
    let subject =
        if sender.id.subject.is_empty() { String::new() } else { format!("{}, ", quoted(&sender.id.subject)) };
    format!("{subject}{} from {}", sender.id.protocol.name(), sender.id.address)
}

fn first_words(sender: &SenderStatus) -> String {
    let what = match &sender.last_refusal {
        Some(refusal) if sender.frames == 0 => format!("refused: {refusal}"),
        _ => counted(sender.columns.len(), "value"),
    };
    format!("{}: {what}", name(sender))
}

fn in_words(sender: &SenderStatus) -> String {
    let mut words = format!(
        "{}: {}, {:.1} a second, {} lost",
        name(sender),
        counted(sender.frames as usize, "frame"),
        sender.frames_per_sec,
        sender.lost_frames
    );
    if sender.refused_packets > 0 {
        words += &format!(", {} refused", counted(sender.refused_packets as usize, "packet"));
    }
    if !sender.is_heard {
        words += ", not heard";
    }
    words
}
