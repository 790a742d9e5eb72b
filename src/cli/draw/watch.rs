//! `--watch`: draws a picture, and again whenever a file that it is made of has changed, until the command is
//! interrupted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use smirk_base::logging;
use smirk_base::watch::{FileWatch, Reading, before_reading};

/// How often files are looked at whose changes the system does not report, such as those on a network.
const INTERVAL: Duration = Duration::from_secs(1);

/// Calls `draw` once, or again and again. It adds the files that it reads to a list, as soon as they are known, and
/// returns a line about the picture, which is printed only while files are watched: standard output may be the picture.
/// Then an error is printed, and the next change is waited for. `named` are the files that the command line names.
pub(super) fn draw_once_or_watch(
    watches: bool,
    named: Vec<PathBuf>,
    draw: impl Fn(&mut Vec<PathBuf>) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    if !watches {
        return draw(&mut Vec::new()).map(drop);
    }
    let (send, events) = channel();
    let mut watch = FileWatch::new(move || {
        // The receiver lives as long as the watch, which ends with this function.
        send.send(()).ok();
    });
    let (mut files, mut is_limit_told) = (BTreeSet::new(), false);
    loop {
        let (reading, began, mut of_picture) = (Reading::begin(), Instant::now(), Vec::new());
        named.iter().for_each(|file| before_reading(file));
        let drawn = draw(&mut of_picture);
        let read = reading.end();
        let line = match &drawn {
            Ok(line) => format!("{line}, drawn in {:.1} s", began.elapsed().as_secs_f32()),
            Err(error) => format!("{error:#}"),
        };
        logging::print(&line);
        if drawn.is_ok() {
            files.clear();
        } else {
            // Which files the picture needs is not known. A change of any that it needed before, or that was read now,
            // may mend it.
            files.extend(read.paths().map(Path::to_owned));
        }
        files.extend(named.iter().cloned().chain(of_picture));
        let watched = watch.follow(files.iter().cloned().collect(), &read, Instant::now());
        if let (Err(problem), false) = (&watched, is_limit_told) {
            is_limit_told = true;
            logging::print(&format!("changes are looked for every second, not noticed at once: {problem}"));
        }
        while !watch.take_change(Instant::now()) {
            let due = watch.due_in(Instant::now());
            // Whether an event or the time has ended the wait, the files are looked at.
            match (due, &watched) {
                (None, Ok(())) => events.recv().ok(),
                (due, _) => events.recv_timeout(due.unwrap_or(INTERVAL)).ok(),
            };
            if due.is_none() && watched.is_err() {
                watch.look_soon(Instant::now());
            }
        }
    }
}
