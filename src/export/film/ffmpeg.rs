//! Films that ffmpeg makes. It is a program of its own, which gets the pictures through a pipe and writes a temporary
//! file.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::format::{FilmFormat, FilmQuality, fraction};
use super::settings::FilmSettings;
use crate::ExportError;
use smirk_base::atomic_file::Writer;
use smirk_base::program;
use smirk_base::progress::{Cancelled, Progress};
use smirk_base::regular_file;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ffmpeg {
    pub program: PathBuf,
    pub version: String,
    encoders: Vec<String>,
}

impl Ffmpeg {
    /// The first ffmpeg in the PATH that can make a format. The progress is asked now and then whether it is still
    /// wanted.
    pub fn find(format: FilmFormat, progress: Progress<'_>) -> Result<Self, ExportError> {
        Self::find_in(&std::env::var_os("PATH").unwrap_or_default(), format, progress)
    }

    /// The first ffmpeg in a list of folders, as in the PATH, that can make a format.
    pub fn find_in(path: &OsStr, format: FilmFormat, progress: Progress<'_>) -> Result<Self, ExportError> {
        let program = program::find_in(path, "ffmpeg").ok_or_else(|| missing(format))?;
        let version = answer(&program, "-version", progress)?;
        let version = version.strip_prefix("ffmpeg version ").and_then(|rest| rest.split_whitespace().next());
        let version = version.unwrap_or("of an unknown version").to_owned();
        // Each line is flags, the name and a description.
        let encoders = answer(&program, "-encoders", progress)?
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1))
            .map(str::to_owned)
            .collect();
        let ffmpeg = Self { program, version, encoders };
        ffmpeg.encoder(format)?;
        Ok(ffmpeg)
    }

    fn encoder(&self, format: FilmFormat) -> Result<&'static str, ExportError> {
        let wanted: &[&'static str] = match format {
            FilmFormat::Mp4 => &["libx264", "libopenh264", "h264_videotoolbox", "h264_mf"],
            FilmFormat::ProRes => &["prores_ks"],
            FilmFormat::WebM => &["libvpx-vp9"],
            FilmFormat::Apng | FilmFormat::Gif | FilmFormat::WebP => &[],
        };
        let found = wanted.iter().find(|name| self.encoders.iter().any(|encoder| encoder == *name));
        found.copied().ok_or_else(|| {
            let (program, version, wanted) = (self.program.display(), &self.version, wanted.join(" or "));
            let format = format.label();
            failed!("{program} {version} has no encoder for {format}: it needs {wanted}. Install a complete ffmpeg")
        })
    }

    /// The arguments that make a film of pictures in the standard input.
    fn arguments(&self, settings: &FilmSettings, file: &Path) -> Result<Vec<OsString>, ExportError> {
        let format = settings.format;
        let encoder = self.encoder(format)?;
        let ([width, height], [frames, secs]) = (settings.pictures.size, fraction(settings.span.rate));
        let is_transparent = settings.pictures.is_transparent;
        let quality = settings.quality;
        let (muxer, codec, pixels) = match format {
            FilmFormat::ProRes => {
                // Proxy, LT, HQ and 4444, which alone can be transparent.
                let (profile, pixels) = match (is_transparent, quality) {
                    (true, _) => ("4 -alpha_bits 16", "yuva444p10le"),
                    (false, FilmQuality::Highest) => ("4", "yuv444p10le"),
                    (false, quality) => (quality.of_four(["0", "1", "3", "4"]), "yuv422p10le"),
                };
                ("mov", format!("-vendor apl0 -profile:v {profile}"), pixels)
            }
            FilmFormat::WebM => {
                let codec = format!("-crf {} -b:v 0 -row-mt 1", quality.of_four([40, 30, 18, 8]));
                ("webm", codec, if is_transparent { "yuva420p" } else { "yuv420p" })
            }
            _ => {
                let rate = match encoder {
                    "libx264" => format!("-crf {} -preset medium", quality.of_four([28, 22, 16, 8])),
                    _ => format!("-b:v {}M", quality.of_four([2, 5, 12, 30])),
                };
                ("mp4", format!("{rate} -movflags +faststart"), "yuv420p")
            }
        };
        let pictures = format!(
            "-hide_banner -loglevel error -xerror -f rawvideo -pixel_format rgba -video_size {width}x{height} \
             -framerate {frames}/{secs} -i -"
        );
        // Colours of sRGB are those of BT.709, and players take the curve of one for that of the other.
        let film = format!(
            "-map 0:v -vf scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format={pixels} \
             -c:v {encoder} {codec} -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"
        );
        let (sound, sound_codec) = sound(settings);
        let to_file = format!("-f {muxer} -y");
        let file = vec![file.as_os_str().to_owned()];
        Ok([words(&pictures), sound, words(&film), sound_codec, words(&to_file), file].concat())
    }

    pub fn command_line(&self, settings: &FilmSettings, file: &Path) -> Result<String, ExportError> {
        let arguments = self.arguments(settings, file)?;
        let words = std::iter::once(self.program.as_os_str()).chain(arguments.iter().map(|word| word.as_os_str()));
        Ok(words
            .map(|word| {
                let word = word.to_string_lossy();
                if word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:=+,".contains(letter))
                    && !word.is_empty()
                {
                    word.into_owned()
                } else {
                    format!("'{}'", word.replace('\'', r"'\''"))
                }
            })
            .collect::<Vec<_>>()
            .join(" "))
    }

    /// Starts it. It writes `file`, and the pictures are passed to [`Running::add`].
    pub(super) fn start(&self, settings: &FilmSettings, file: &Path) -> Result<Running, ExportError> {
        let not_started = not_started(&self.program);
        let line = self.command_line(settings, file)?;
        log::info!("ffmpeg {}: {line}", self.version);
        let messages = tempfile::tempfile().map_err(not_started)?;
        let mut command = Command::new(&self.program);
        command.args(self.arguments(settings, file)?).stdout(Stdio::null());
        command.stderr(messages.try_clone().map_err(not_started)?);
        let (writer, input) = Writer::start(&mut command).map_err(not_started)?;
        Ok(Running {
            writer: Arc::new(writer),
            input: Some(input),
            messages,
            program: self.program.clone(),
            command: line,
            format: settings.format,
            file: file.to_owned(),
        })
    }
}

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

/// What an ffmpeg says when it is asked something about itself. It is ended when that is no longer wanted, or takes too
/// long.
fn answer(program: &Path, question: &str, progress: Progress<'_>) -> Result<String, ExportError> {
    /// An ffmpeg answers in a tenth of a second, and in some seconds where it is read from a network.
    const LONGEST: Duration = Duration::from_secs(30);
    let began = Instant::now();
    let mut answer = Vec::new();
    let take = |bytes: &[u8]| answer.extend_from_slice(bytes);
    let said = program::run(Command::new(program).args(["-hide_banner", question]), take, || {
        progress.report("looking for ffmpeg", 0.0)?;
        if began.elapsed() > LONGEST { Err(Cancelled) } else { Ok(()) }
    });
    match said {
        Err(Cancelled) if began.elapsed() > LONGEST => {
            let (program, secs) = (program.display(), LONGEST.as_secs());
            Err(failed!(
                "{program} was asked for {question}, and did not answer within {secs} seconds. Install it again"
            ))
        }
        said => {
            said?.map_err(not_started(program))?;
            Ok(String::from_utf8_lossy(&answer).into_owned())
        }
    }
}

/// Ends ffmpeg when it is dropped, also while another thread passes a picture to it, which then fails.
#[derive(Debug)]
pub(super) struct EndOnDrop(Arc<Writer>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The arguments that add the sound of a film, from its first to its last frame: the input, and how it is stored. Where
/// the sound ends before the film, the rest is silent.
fn sound(settings: &FilmSettings) -> (Vec<OsString>, Vec<OsString>) {
    let Some(track) = &settings.sound else { return (Vec::new(), vec!["-an".into()]) };
    let first_secs = settings.span.secs_of(*settings.span.frames().start()) - f64::from(track.offset_secs);
    let skipped = format!("{:.6}", first_secs.max(0.0));
    let input = ["-ss".into(), skipped.into(), "-i".into(), track.file.as_os_str().to_owned()];
    // A film that begins before its sound waits for it.
    let delay = if first_secs < 0.0 { format!("adelay={:.3}:all=1,", -1e3 * first_secs) } else { String::new() };
    let length = format!(
        "{delay}apad=whole_dur={secs:.6},atrim=end={secs:.6}",
        secs = settings.span.secs_of(settings.span.count() as i64)
    );
    let codec = match settings.format {
        FilmFormat::ProRes => "-c:a pcm_s16le",
        FilmFormat::WebM => "-c:a libopus -b:a 160k",
        _ => "-c:a aac -b:a 192k",
    };
    (input.to_vec(), words(&format!("-map 1:a -af {length} {codec}")))
}

/// A running ffmpeg. Dropped before [`Self::finish`], it is ended.
#[derive(Debug)]
pub(super) struct Running {
    writer: Arc<Writer>,
    /// Where it takes pictures from, until there are no more.
    input: Option<ChildStdin>,
    /// What it writes to its standard error.
    messages: File,
    program: PathBuf,
    command: String,
    format: FilmFormat,
    file: PathBuf,
}

impl Running {
    /// Passes a picture on: red, green, blue and alpha of each pixel.
    pub(super) fn add(&mut self, picture: &[u8]) -> Result<(), ExportError> {
        let Some(input) = &mut self.input else { return Err(self.failed("it took no more pictures")) };
        input.write_all(picture).map_err(|error| self.failed(&error.to_string()))
    }

    pub(super) fn end_on_drop(&self) -> EndOnDrop {
        EndOnDrop(self.writer.clone())
    }

    /// Waits until it has written its file. `check` is called now and then.
    pub(super) fn finish(&mut self, check: impl Fn() -> Result<(), Cancelled>) -> Result<(), ExportError> {
        self.input = None;
        match self.writer.wait(check)? {
            Ok(status) if status.success() && begins_as(&self.file, self.format) => Ok(()),
            Ok(status) if status.success() => Err(self.failed("it ended without an error, and wrote no film")),
            Ok(status) => Err(self.failed(&status.to_string())),
            Err(error) => Err(self.failed(&error.to_string())),
        }
    }

    /// The error with the last line that it has written, else with `otherwise`.
    fn failed(&mut self, otherwise: &str) -> ExportError {
        // It may still be writing its last words.
        self.input = None;
        let _ = self.writer.wait(|| Ok(()));
        let mut text = String::new();
        let _ = self.messages.rewind().and_then(|()| self.messages.read_to_string(&mut text));
        let said = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or(otherwise);
        let reason = said.trim_end_matches('.').to_owned();
        let (program, command) = (self.program.display(), &self.command);
        failed!("{program} gave up: {reason}. Its command was: {command}")
    }
}

/// Whether a file begins as one of a format does: with the type of a file of MPEG-4 or QuickTime, or with the header of
/// a Matroska file.
fn begins_as(file: &Path, format: FilmFormat) -> bool {
    let mut start = [0; 8];
    let is_read = regular_file::open_output(file).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    let is_it = match format {
        FilmFormat::WebM => start.starts_with(b"\x1a\x45\xdf\xa3"),
        FilmFormat::Mp4 | FilmFormat::ProRes => start.ends_with(b"ftyp"),
        FilmFormat::Apng | FilmFormat::Gif | FilmFormat::WebP => true,
    };
    is_read && is_it
}

fn missing(format: FilmFormat) -> ExportError {
    failed!(
        "{} is made by ffmpeg, which is not in the PATH. Install it: `apt install ffmpeg` (Debian, Ubuntu), `dnf install ffmpeg` \
         (Fedora), `brew install ffmpeg` (macOS), `winget install ffmpeg` (Windows). Without it: .webp, .apng or .gif; or pictures, \
         which every video program takes: `smirk export pictures -o NAME.####.png`",
        format.label()
    )
}

fn not_started(program: &Path) -> impl Fn(io::Error) -> ExportError + Copy {
    move |problem| failed!("{} does not start: {problem}", program.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_ffmpeg_it_is_said_what_to_do() {
        let empty = tempfile::tempdir().unwrap();
        let error = Ffmpeg::find_in(empty.path().as_os_str(), FilmFormat::Mp4, Progress::NONE).unwrap_err().to_string();
        for word in ["MP4", "not in the PATH", "apt install ffmpeg", "export pictures", ".webp"] {
            assert!(error.contains(word), "{word} is not in {error}");
        }
    }

    /// A program that takes the place of ffmpeg.
    #[cfg(unix)]
    fn stand_in(folder: &Path, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join("ffmpeg");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// It goes on for ever, and is not there any more when nobody wants its answer.
    #[cfg(unix)]
    #[test]
    fn an_ffmpeg_that_does_not_answer_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        stand_in(
            folder.path(),
            &format!("echo $$ > '{pid}.new'; mv '{pid}.new' '{pid}'; exec sleep 600", pid = pid.display()),
        );
        let until_started = |_: &str, _: f32| if pid.exists() { Err(Cancelled) } else { Ok(()) };
        let found = Ffmpeg::find_in(folder.path().as_os_str(), FilmFormat::Mp4, Progress::new(&until_started));
        assert!(matches!(found, Err(ExportError::Cancelled(_))), "{found:?}");
        let process = std::fs::read_to_string(&pid).unwrap();
        let runs = Command::new("kill").args(["-0", process.trim()]).stderr(Stdio::null()).status().unwrap();
        assert!(!runs.success(), "{process} runs");
    }

    #[test]
    fn a_film_is_known_by_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("film");
        for (bytes, formats) in [
            (&b""[..], [false, false, false]),
            (b"Error: a text instead of a film", [false, false, false]),
            (b"\0\0\0\x20ftypisom", [true, true, false]),
            (b"\x1a\x45\xdf\xa3\x01\0\0\0", [false, false, true]),
        ] {
            std::fs::write(&file, bytes).unwrap();
            let known = [FilmFormat::Mp4, FilmFormat::ProRes, FilmFormat::WebM].map(|format| begins_as(&file, format));
            assert_eq!(known, formats, "{bytes:?}");
        }
        assert!(!begins_as(&folder.path().join("none"), FilmFormat::Mp4));
    }

    #[cfg(unix)]
    #[test]
    fn an_incomplete_ffmpeg_is_named_with_its_version() {
        let folder = tempfile::tempdir().unwrap();
        stand_in(
            folder.path(),
            "case $2 in -version) echo ffmpeg version 7.2-tiny built;; *) echo ' V..... ffv1 FFV1';; esac",
        );
        let error =
            Ffmpeg::find_in(folder.path().as_os_str(), FilmFormat::Mp4, Progress::NONE).unwrap_err().to_string();
        for word in ["7.2-tiny", "libx264", "MP4"] {
            assert!(error.contains(word), "{word} is not in {error}");
        }
        stand_in(
            folder.path(),
            "case $2 in -version) echo ffmpeg version 5.1;; *) echo ' V..... libopenh264 H.264';; esac",
        );
        let found = Ffmpeg::find_in(folder.path().as_os_str(), FilmFormat::Mp4, Progress::NONE).unwrap();
        assert_eq!((found.version.as_str(), found.encoder(FilmFormat::Mp4).unwrap()), ("5.1", "libopenh264"));
    }
}
