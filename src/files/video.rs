//! Frames of a video, which ffmpeg decodes where it is installed: a program of its own, which is started for some
//! frames at a time and ended if it does not answer.

use std::cell::Cell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use thiserror::Error;

use smirk_base::file_kind::FileKind;
use smirk_base::names::printable;
use smirk_base::program::{self, Said};
use smirk_base::progress::Cancelled;

/// The longest side of a decoded frame; larger videos are made smaller.
const MOST_SIDE: f64 = 1280.0;
/// An ffmpeg gives its first frame in a second, and in some seconds where it is read from a network.
const LONGEST: Duration = Duration::from_secs(20);
/// The most frames: an hour at 30 frames per second.
const MOST_FRAMES: f64 = 108_000.0;

/// Why the frames of a video are not shown, as one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VideoError {
    #[error(
        "{0}: ffmpeg, which reads videos, is not in the PATH; install it (`apt install ffmpeg`), or write the frames as numbered images"
    )]
    NoFfmpeg(String),
    #[error("{0}: the file has no pictures; *File › Import › Sound…* opens its sound")]
    NoPictures(String),
    #[error("{file}: the video cannot be read: {problem}; write it again or open another reference")]
    Unreadable { file: String, problem: String },
    #[error("{0}: ffmpeg did not answer within {secs} seconds and was ended; open another reference", secs = LONGEST.as_secs())]
    Silent(String),
    #[error("{0}: it is no longer wanted")]
    Cancelled(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    pub path: PathBuf,
    ffmpeg: PathBuf,
    /// Width and height of its frames as they are decoded: upright, with square pixels, no larger than is kept.
    size: [u32; 2],
    pub frames_per_sec: f64,
    /// At least one.
    pub frames: usize,
    pub has_sound: bool,
}

impl Video {
    pub const EXTENSIONS: [&str; 3] = ["mp4", "mov", "webm"];

    pub fn is_video(path: &Path) -> bool {
        const ANY: FileKind = FileKind { name: "Video", extensions: &Video::EXTENSIONS, opens_as: &[], writes: None };
        ANY.matches(path)
    }

    /// Asks ffprobe what a video is. `is_wanted` is called now and then.
    pub fn open(path: &Path, is_wanted: impl Fn() -> bool) -> Result<Self, VideoError> {
        Self::open_with(&std::env::var_os("PATH").unwrap_or_default(), path, is_wanted)
    }

    /// The same with the programs in a list of folders, as in the PATH.
    pub fn open_with(programs: &OsStr, path: &Path, is_wanted: impl Fn() -> bool) -> Result<Self, VideoError> {
        let found = ["ffmpeg", "ffprobe"].map(|name| program::find_in(programs, name));
        let [Some(ffmpeg), Some(ffprobe)] = found else { return Err(VideoError::NoFfmpeg(shown(path))) };
        let mut command = Command::new(&ffprobe);
        command.args(["-v", "error", "-show_entries"]);
        command.arg(
            "stream=codec_type,width,height,avg_frame_rate,nb_frames,duration,sample_aspect_ratio:stream_tags=rotate:\
             stream_side_data=rotation:format=duration",
        );
        // A name that begins with a dash is no option.
        command.args(["-of", "json", "-i"]).arg(path);
        let mut facts = Vec::new();
        answer(&mut command, path, &is_wanted, |bytes| facts.extend_from_slice(bytes))?;
        let unreadable = |problem: &str| VideoError::Unreadable { file: shown(path), problem: problem.into() };
        let facts: Value =
            serde_json::from_slice(&facts).map_err(|_| unreadable("what ffprobe says of it is not understood"))?;
        let streams = facts["streams"].as_array().map_or(&[][..], Vec::as_slice);
        let first = |kind: &str| streams.iter().find(|stream| stream["codec_type"] == kind);
        let stream = first("video").ok_or_else(|| VideoError::NoPictures(shown(path)))?;
        let [width, height] = ["width", "height"].map(|side| number(&stream[side]).filter(|side| *side >= 1.0));
        let (Some(width), Some(height)) = (width, height) else { return Err(unreadable("it says no size")) };
        let stretch = ratio(&stream["sample_aspect_ratio"], ':').unwrap_or(1.0);
        let side_data = stream["side_data_list"].as_array().into_iter().flatten();
        let turned = side_data.filter_map(|data| number(&data["rotation"])).next();
        let turned = turned.or_else(|| number(&stream["tags"]["rotate"])).unwrap_or(0.0);
        let is_on_its_side = (turned / 90.0).round().rem_euclid(2.0) == 1.0;
        let upright = [width * stretch, height];
        let [width, height] = if is_on_its_side { [upright[1], upright[0]] } else { upright };
        let scale = (MOST_SIDE / width.max(height)).min(1.0);
        let rate = ratio(&stream["avg_frame_rate"], '/').map(in_range);
        let secs = number(&stream["duration"]).or_else(|| number(&facts["format"]["duration"]));
        let frames = number(&stream["nb_frames"]).or_else(|| Some(secs? * rate?));
        let (frames_per_sec, frames) = match rate.zip(frames) {
            Some(stated) => stated,
            // A program that writes a stream, such as a browser, does not know its length.
            None => counted(&ffprobe, path, is_wanted)?
                .ok_or_else(|| unreadable("it has no frames, or no times of them"))?,
        };
        Ok(Self {
            path: path.to_owned(),
            ffmpeg,
            size: [width, height].map(|side| (side * scale).round().max(1.0) as u32),
            frames_per_sec,
            frames: frames.round().clamp(1.0, MOST_FRAMES) as usize,
            has_sound: first("audio").is_some(),
        })
    }

    /// Gives frames from one on, each as a JPEG image and as soon as ffmpeg has made it. Those that the video lacks at
    /// its end are its last one.
    pub fn pack(
        &self,
        first: usize,
        count: usize,
        is_wanted: &dyn Fn() -> bool,
        give: &mut dyn FnMut(Arc<[u8]>),
    ) -> Result<(), VideoError> {
        let [width, height] = self.size;
        // A quarter of a frame earlier, since the times of frames are rounded in the file.
        let secs = ((first as f64 - 0.25) / self.frames_per_sec).max(0.0);
        let mut command = Command::new(&self.ffmpeg);
        command.args(["-hide_banner", "-v", "error", "-nostdin", "-ss", &format!("{secs:.6}"), "-i"]).arg(&self.path);
        // The matrix and the range that readers of JPEG expect.
        let colors = "out_color_matrix=bt601:out_range=full";
        let filter = format!("fps={:.6},scale={width}:{height}:{colors},setsar=1", self.frames_per_sec);
        command.args(["-map", "0:v:0", "-an", "-sn", "-vf", &filter, "-frames:v", &count.to_string()]);
        command.args(["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "-"]);
        let (mut images, mut given, mut last) = (Images::default(), 0, None);
        let said = answer(&mut command, &self.path, is_wanted, |bytes| {
            images.add(bytes, |image| {
                given += 1;
                last = Some(image.clone());
                give(image);
            });
        })?;
        // Some videos have fewer frames than they say: the one before the end stays.
        if last.is_none() && said.last_message.is_empty() && first > 0 && first + count >= self.frames {
            self.pack(first.saturating_sub(LAST_BEFORE_END), LAST_BEFORE_END, is_wanted, &mut |image| {
                last = Some(image);
            })?;
        }
        match last {
            Some(last) => (given..count).for_each(|_| give(last.clone())),
            None => {
                let problem =
                    if said.last_message.is_empty() { "a frame is missing".into() } else { said.last_message };
                return Err(VideoError::Unreadable { file: shown(&self.path), problem: text_of(&problem) });
            }
        }
        Ok(())
    }
}

/// The rate of a video, and the number of its frames at that rate, by the times of its packets. None if it states no
/// times.
fn counted(ffprobe: &Path, path: &Path, is_wanted: impl Fn() -> bool) -> Result<Option<(f64, f64)>, VideoError> {
    let mut command = Command::new(ffprobe);
    command.args(["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "-i"]);
    let mut text = Vec::new();
    answer(command.arg(path), path, is_wanted, |bytes| text.extend_from_slice(bytes))?;
    let text = String::from_utf8_lossy(&text);
    let times: Vec<f64> = text.lines().filter_map(|line| line.split(',').next()?.parse().ok()).collect();
    // Frames are decoded in another order than they are shown.
    let ends = [times.iter().copied().reduce(f64::min), times.iter().copied().reduce(f64::max)];
    let [Some(first), Some(last)] = ends else { return Ok(None) };
    let secs = last - first;
    let rate = in_range((times.len() - 1) as f64 / secs.max(f64::MIN_POSITIVE));
    Ok(Some((rate, secs * rate + 1.0)))
}

/// The nearest frame rate that is played.
fn in_range(frames_per_sec: f64) -> f64 {
    frames_per_sec.clamp(1.0, 240.0)
}

/// Divides a stream of JPEG images. Within an image of ffmpeg, the two bytes at its end are nowhere else: its tables
/// have no byte 0xff, and within the coefficients such a byte is followed by 0.
#[derive(Default)]
struct Images {
    bytes: Vec<u8>,
    searched: usize,
}

impl Images {
    const END: [u8; 2] = [0xff, 0xd9];

    fn add(&mut self, bytes: &[u8], mut give: impl FnMut(Arc<[u8]>)) {
        self.bytes.extend_from_slice(bytes);
        while let Some(at) = self.bytes[self.searched..].windows(2).position(|pair| pair == Self::END) {
            let rest = self.bytes.split_off(self.searched + at + 2);
            give(std::mem::replace(&mut self.bytes, rest).into());
            self.searched = 0;
        }
        self.searched = self.bytes.len().saturating_sub(1);
    }
}

/// How many frames before the end are searched for the last one.
const LAST_BEFORE_END: usize = 8;

/// Gives what a program writes; it is ended when it is silent for too long or no longer wanted.
fn answer(
    command: &mut Command,
    path: &Path,
    is_wanted: impl Fn() -> bool,
    mut take: impl FnMut(&[u8]),
) -> Result<Said, VideoError> {
    let heard = Cell::new(Instant::now());
    let take = |bytes: &[u8]| {
        heard.set(Instant::now());
        take(bytes);
    };
    let check = || if is_wanted() && heard.get().elapsed() < LONGEST { Ok(()) } else { Err(Cancelled) };
    let unreadable = |problem: &str| VideoError::Unreadable { file: shown(path), problem: text_of(problem) };
    match program::run(command, take, check) {
        Err(Cancelled) if is_wanted() => Err(VideoError::Silent(shown(path))),
        Err(Cancelled) => Err(VideoError::Cancelled(shown(path))),
        Ok(Err(error)) => Err(unreadable(&error.to_string())),
        Ok(Ok(said)) if said.status.success() => Ok(said),
        Ok(Ok(said)) if said.last_message.is_empty() => Err(unreadable(&said.status.to_string())),
        Ok(Ok(said)) => Err(unreadable(&said.last_message)),
    }
}

/// A message without the path that ffmpeg repeats in it, and without the period at its end.
fn text_of(message: &str) -> String {
    let told = message.rsplit_once(": ").map_or(message, |(_, told)| told);
    printable(told.trim_end_matches('.')).into_owned()
}

fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    number.is_finite().then_some(number)
}

/// A ratio as text, such as `30000/1001`.
fn ratio(value: &Value, sign: char) -> Option<f64> {
    let (a, b) = value.as_str()?.split_once(sign)?;
    let ratio = a.parse::<f64>().ok()? / b.parse::<f64>().ok()?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with programs that take the places of ffmpeg and ffprobe.
    fn programs(ffmpeg: &str, ffprobe: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in [("ffmpeg", ffmpeg), ("ffprobe", ffprobe)] {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    /// What ffprobe says of a film of a phone that was held upright: two by four pixels, six frames.
    const FACTS: &str = r#"echo '{"streams": [{"codec_type": "audio"}, {"codec_type": "video", "width": 4, "height": 2, "avg_frame_rate": "30000/1001",
        "nb_frames": "6", "side_data_list": [{"rotation": -90}]}]}'"#;
    /// Images of one grey each, as a stream.
    fn images(greys: &[u8]) -> tempfile::NamedTempFile {
        let mut stream = std::io::Cursor::new(Vec::new());
        for &grey in greys {
            let image = image::GrayImage::from_pixel(2, 4, image::Luma([grey]));
            image.write_to(&mut stream, image::ImageFormat::Jpeg).unwrap();
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), stream.into_inner()).unwrap();
        file
    }

    /// The greys of frames.
    fn pack(video: &Video, first: usize, count: usize) -> Result<Vec<u8>, VideoError> {
        let mut greys = Vec::new();
        let grey = |image: Arc<[u8]>| image::load_from_memory(&image).unwrap().into_luma8().get_pixel(1, 3).0[0];
        video.pack(first, count, &|| true, &mut |image| greys.push(grey(image)))?;
        Ok(greys)
    }

    fn open(programs: &tempfile::TempDir) -> Result<Video, VideoError> {
        Video::open_with(programs.path().as_os_str(), Path::new("/shots/a film.mp4"), || true)
    }

    #[test]
    fn frames_are_upright_and_at_the_rate_of_the_video() {
        let (noted, frames) = (tempfile::NamedTempFile::new().unwrap(), images(&[0, 255]));
        // The bytes come in pieces, and the marker at the end of the first image is divided.
        let script = format!(
            "echo \"$@\" > {noted}; exec < {frames}; head -c {}; sleep 0.05; cat",
            std::fs::metadata(images(&[0]).path()).unwrap().len() - 1,
            noted = noted.path().display(),
            frames = frames.path().display(),
        );
        let programs = programs(&script, FACTS);
        let video = open(&programs).unwrap();
        assert_eq!((video.size, video.frames, video.has_sound), ([2, 4], 6, true));
        assert!((video.frames_per_sec - 29.97).abs() < 0.001);
        assert_eq!(pack(&video, 3, 2).unwrap(), [0, 255]);
        let asked = std::fs::read_to_string(noted.path()).unwrap();
        assert!(asked.contains("-ss 0.091758 -i /shots/a film.mp4") && asked.contains("-frames:v 2"), "{asked}");
        assert!(asked.contains("scale=2:4:"), "{asked}");
    }

    #[test]
    fn frames_that_a_video_lacks_at_its_end_are_its_last() {
        let frames = images(&[0, 255]);
        let script = |reads: &str| format!("case \"$*\" in *{reads}*) cat {};; esac", frames.path().display());
        let from_the_fifth = programs(&script("-ss"), FACTS);
        assert_eq!(pack(&open(&from_the_fifth).unwrap(), 2, 4).unwrap(), [0, 255, 255, 255]);
        let only_from_the_first = programs(&script("'-ss 0.000000'"), FACTS);
        assert_eq!(pack(&open(&only_from_the_first).unwrap(), 5, 1).unwrap(), [255]);
    }

    #[test]
    fn the_frames_of_a_stream_that_states_no_length_are_counted() {
        let video = "{\"codec_type\": \"video\", \"width\": 4, \"height\": 2, \"avg_frame_rate\": \"1000/1\"}";
        let script = |times: &str| {
            format!("case \"$*\" in *packet*) printf '{times}';; *) echo '{{\"streams\": [{video}]}}';; esac")
        };
        let video = open(&programs("", &script("0.04\\n0.12\\n0.08\\n0.16,\\nN/A\\n"))).unwrap();
        assert_eq!((video.frames, video.frames_per_sec.round()), (4, 25.0));
        let problem = open(&programs("", &script(""))).unwrap_err().to_string();
        assert!(problem.contains("cannot be read: it has no frames, or no times of them; write it again"), "{problem}");
        let problem = open(&programs("", "echo nothing")).unwrap_err().to_string();
        assert!(problem.contains("what ffprobe says of it is not understood"), "{problem}");
    }

    #[test]
    fn what_is_wrong_is_one_line_that_says_what_to_do() {
        let empty = tempfile::tempdir().unwrap();
        let no_stream = programs("", "echo '{\"streams\": [{\"codec_type\": \"audio\"}]}'");
        let damaged = programs("", "echo 'moov atom not found' >&2; echo 'a film.mp4: Invalid data' >&2; exit 1");
        for (programs, words) in [
            (&empty, "not in the PATH; install it"),
            (&no_stream, "no pictures; *File › Import › Sound…*"),
            (&damaged, "Invalid data;"),
        ] {
            let problem = open(programs).unwrap_err().to_string();
            assert!(problem.contains(words) && problem.contains("a film.mp4: "), "{problem}");
            assert!(problem.lines().count() == 1 && problem.contains("; "), "{problem}");
        }
        let truncated = programs("echo 'partial file' >&2", FACTS);
        let problem = pack(&open(&truncated).unwrap(), 2, 1).unwrap_err().to_string();
        assert!(problem.contains("cannot be read: partial file; write it again"), "{problem}");
    }

    #[test]
    fn a_program_that_hangs_is_ended_when_it_is_no_longer_wanted() {
        let pid = tempfile::NamedTempFile::new().unwrap();
        let script = format!("echo $$ > {}; exec sleep 600", pid.path().display());
        let programs = programs(&script, FACTS);
        let process = || std::fs::read_to_string(pid.path()).unwrap();
        let video = open(&programs).unwrap();
        let failed = video.pack(0, 1, &|| !process().ends_with('\n'), &mut |_| {}).unwrap_err();
        assert!(matches!(failed, VideoError::Cancelled(_)), "{failed}");
        let runs = Command::new("kill").args(["-0", process().trim()]).stderr(std::process::Stdio::null()).status();
        assert!(!runs.unwrap().success(), "{} runs", process());
    }
}
