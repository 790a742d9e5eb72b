//! A reference beside the face: an image, numbered images, or a video. Its frames are decoded beside the window, and
//! only as many are kept as fit a bound.

mod packing;

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use image::imageops::thumbnail;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, RgbaImage};
use thiserror::Error;

use super::import::decode_image;
use super::video::{Video, VideoError};
use packing::{Packed, Packing};
use smirk_base::job::{Job, JobControl, OnDrop};
use smirk_base::names::{around_last_number, printable};
use smirk_base::regular_file::{self, folder_of, is_hidden};

/// The memory that the kept frames may take, and of that what the frames of a video take as JPEG images, which are many
/// more. There is always room for one.
const MOST_BYTES: usize = 192 << 20;
const MOST_PACKED_BYTES: usize = 144 << 20;
/// The longest side of a kept frame; larger images are made smaller.
const MOST_SIDE: u32 = 2048;
const MOST_FILE_BYTES: u64 = 256 << 20;
/// How many frames after the one that is shown are decoded before they are wanted.
const AHEAD: usize = 6;
/// The most kept frames, which bounds those that are only a message.
const MOST_KEPT: usize = 256;

/// One frame, or one line that says why there is none.
pub type Frame = Result<Arc<RgbaImage>, String>;

/// The frames of one sequence.
pub struct Frames {
    pub footage: Arc<Footage>,
    /// Decoded frames, those that were wanted or decoded last at the end.
    kept: VecDeque<(usize, Frame)>,
    /// Decodes the frames from one on.
    job: Option<(usize, Job<Vec<Frame>>)>,
    /// The frame that was wanted last.
    wanted: usize,
    /// Those of a video.
    packing: Packing,
}

impl Frames {
    pub fn new(footage: Footage) -> Self {
        let packing = Packing::default();
        Self { footage: Arc::new(footage), kept: VecDeque::new(), job: None, wanted: 0, packing }
    }

    /// Takes frames that were decoded, and begins to decode the wanted one or, if that is there and others will be
    /// wanted soon, the first of these that is missing. `notify` is called on a job's thread when there is more to
    /// take.
    pub fn follow(&mut self, wanted: usize, reads_ahead: bool, notify: impl Fn() + Clone + Send + 'static) {
        if let Some((first, result)) = self.job.as_mut().and_then(|(first, job)| Some((*first, job.poll()?))) {
            self.job = None;
            let decoded = result.unwrap_or_else(|error| vec![Err(error.to_string())]);
            decoded.into_iter().enumerate().for_each(|(index, frame)| self.keep(first + index, frame, wanted));
        }
        if let Some(at) = self.kept.iter().position(|(frame, _)| *frame == wanted)
            && let Some(kept) = self.kept.remove(at)
        {
            self.kept.push_back(kept);
        }
        if let Some(video) = &self.footage.video {
            self.packing.follow(video, wanted, reads_ahead, notify.clone());
        }
        let last = if reads_ahead { (wanted + AHEAD).min(self.footage.len() - 1) } else { wanted };
        let goes_on = (self.wanted..=self.wanted + AHEAD).contains(&wanted);
        self.wanted = wanted;
        let missing = (wanted..=last).find(|&frame| !self.keeps(frame) && self.source(frame).is_some());
        let Some(first) = missing.filter(|&frame| self.job.is_none() && (frame == wanted || self.has_room())) else {
            return;
        };
        // Frames of a video are decoded quickly, and several pass between two pictures of a slow window. After a jump
        // of the play head, the frame there comes alone, since it comes sooner.
        let most = if self.footage.video.is_some() && (goes_on || first > wanted) { AHEAD } else { 1 };
        let sources: Vec<Source> = (first..=last)
            .take(most)
            .take_while(|&frame| !self.keeps(frame))
            .map_while(|frame| self.source(frame))
            .collect();
        let decode = move |_: &JobControl| sources.into_iter().map(Source::decode).collect();
        self.job = Some((first, Job::spawn("reference", OnDrop::Detach, notify, decode)));
    }

    /// Waits for a frame, as films do, which want one after the other.
    pub fn wait_for(&mut self, frame: usize) -> Frame {
        let goes_on = !self.kept.is_empty() && (self.wanted..=self.wanted + AHEAD).contains(&frame);
        loop {
            self.follow(frame, goes_on, || {});
            if let Some((_, image)) = self.kept.iter().find(|(kept, _)| *kept == frame) {
                return image.clone();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn keeps(&self, frame: usize) -> bool {
        self.kept.iter().any(|(kept, _)| *kept == frame)
    }

    /// What a frame is decoded from, if that is there.
    fn source(&self, frame: usize) -> Option<Source> {
        let file = self.footage.file(frame).to_owned();
        Some(match self.footage.video {
            Some(_) => Source::Packed(file, self.packing.frames.get(&frame)?.clone()),
            None => Source::File(file),
        })
    }

    /// The wanted frame, or until it is decoded the nearest one that is.
    pub fn shown(&self, wanted: usize) -> Option<(usize, &Frame)> {
        let nearest = self.kept.iter().min_by_key(|(frame, _)| frame.abs_diff(wanted));
        nearest.map(|(frame, image)| (*frame, image))
    }

    pub fn bytes(&self) -> usize {
        self.kept.iter().map(|(_, frame)| bytes_of(frame)).sum()
    }

    fn most_bytes(&self) -> usize {
        MOST_BYTES - self.footage.video.as_ref().map_or(0, |_| MOST_PACKED_BYTES)
    }

    fn has_room(&self) -> bool {
        let largest = self.kept.iter().map(|(_, frame)| bytes_of(frame)).max().unwrap_or(0);
        self.bytes() + largest <= self.most_bytes()
    }

    /// Keeps a frame, and drops those that were wanted longest ago until all fit.
    fn keep(&mut self, frame: usize, image: Frame, wanted: usize) {
        self.kept.retain(|(kept, _)| *kept != frame);
        self.kept.push_back((frame, image));
        while self.bytes() > self.most_bytes() || self.kept.len() > MOST_KEPT {
            let oldest = self.kept.iter().position(|(kept, _)| *kept != wanted && *kept != frame);
            let Some(oldest) = oldest else { break };
            self.kept.remove(oldest);
        }
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.kept.iter().map(|(frame, _)| frame)).finish()
    }
}

fn bytes_of(frame: &Frame) -> usize {
    frame.as_ref().map_or(0, |image| image.as_raw().len())
}

/// An encoded frame.
enum Source {
    File(PathBuf),
    /// A frame of the video in a file.
    Packed(PathBuf, Packed),
}

impl Source {
    fn decode(self) -> Frame {
        match self {
            Self::File(file) => decode_frame(&file),
            Self::Packed(file, packed) => decode(&packed?, &file),
        }
    }
}

fn decode_frame(file: &Path) -> Frame {
    let bytes = regular_file::read(file, MOST_FILE_BYTES).map_err(|error| {
        failed(format!("the image cannot be read: {error}; put it back or open another reference"), file)
    })?;
    decode(&bytes, file)
}

/// The frame of the bytes of a file, upright and no larger than is kept.
fn decode(bytes: &[u8], file: &Path) -> Frame {
    let pixels = decode_image(bytes)
        .map_err(|problem| failed(format!("the image {problem}; write it again or open another reference"), file))?;
    let image = RgbaImage::from_raw(pixels.width, pixels.height, pixels.rgba);
    let image = image.ok_or_else(|| failed("the image is damaged; write it again".into(), file))?;
    let longest = image.width().max(image.height());
    let small = match longest {
        0..=MOST_SIDE => image,
        _ => thumbnail(&image, side(image.width(), longest), side(image.height(), longest)),
    };
    let mut upright = DynamicImage::from(small);
    upright.apply_orientation(orientation(bytes));
    Ok(Arc::new(upright.into_rgba8()))
}

fn side(side: u32, longest: u32) -> u32 {
    (u64::from(side) * u64::from(MOST_SIDE) / u64::from(longest)).max(1) as u32
}

fn failed(why: String, file: &Path) -> String {
    format!("{}: {why}", shown(file))
}

/// How an image has to be turned, as phones write it beside the pixels.
fn orientation(bytes: &[u8]) -> Orientation {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok();
    let orientation = reader.and_then(|reader| reader.into_decoder().ok()?.orientation().ok());
    orientation.unwrap_or(Orientation::NoTransforms)
}

/// Why a reference does not open.
#[derive(Debug, Error)]
pub enum ReferenceError {
    #[error(transparent)]
    Video(#[from] VideoError),
    #[error("{}: the folder cannot be read: {source}; open an image elsewhere", shown(path))]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("{}: the folder holds no PNG, JPEG or WebP images; open a video, or write its frames as numbered images", shown(.0))]
    NoImages(PathBuf),
    #[error("{}: more than {MOST_FRAMES} images are numbered like it; move those of one shot into a folder of their own", shown(.0))]
    TooMany(PathBuf),
}

/// The most frames of a sequence: an hour at 30 frames per second.
const MOST_FRAMES: usize = 108_000;

/// The pictures of a reference, in the order in which they are shown: images, or the frames of a video.
#[derive(Clone, Debug, PartialEq)]
pub struct Footage {
    /// The images, at least one; or the file of the video.
    files: Vec<PathBuf>,
    video: Option<Video>,
    /// The index of the image that was opened.
    opened: usize,
}

impl Footage {
    pub const IMAGES: [&str; 4] = ["png", "jpg", "jpeg", "webp"];

    /// Opens a video, or an image; with it all images of its folder whose names differ from its own only in their last
    /// number. Of a folder, the sequence of its first image. The images are not read yet.
    pub fn open(path: &Path) -> Result<Self, ReferenceError> {
        Self::open_while(path, || true)
    }

    /// The same while it is wanted, which is asked now and then.
    pub fn open_while(path: &Path, is_wanted: impl Fn() -> bool) -> Result<Self, ReferenceError> {
        if Video::is_video(path) {
            let video = Video::open(path, is_wanted)?;
            return Ok(Self { files: vec![path.to_owned()], video: Some(video), opened: 0 });
        }
        let image = if path.is_dir() { first_image(path)? } else { path.to_owned() };
        let Some((prefix, _, suffix)) = numbered(&image) else {
            return Ok(Self { files: vec![image], video: None, opened: 0 });
        };
        let mut found = Vec::new();
        for file in files_of(folder_of(&image))? {
            if let Some((other_prefix, number, other_suffix)) = numbered(&file)
                && (&other_prefix, &other_suffix) == (&prefix, &suffix)
            {
                found.push((number, file));
                if found.len() > MOST_FRAMES {
                    return Err(ReferenceError::TooMany(image));
                }
            }
        }
        found.sort();
        let mut files: Vec<PathBuf> = found.into_iter().map(|(_, file)| file).collect();
        let opened = files.iter().position(|file| file.file_name() == image.file_name());
        // An image that is gone keeps its place in the project: its picture is one line that says so.
        let opened = opened.unwrap_or_else(|| {
            files.insert(0, image);
            0
        });
        Ok(Self { files, video: None, opened })
    }

    pub fn opened(&self) -> usize {
        self.opened
    }

    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether a file, which need not exist, is one of the images.
    pub fn holds(&self, file: &Path) -> bool {
        self.files.iter().any(|image| image.file_name() == file.file_name())
            && canonical_folder(file) == canonical_folder(&self.files[0])
    }

    pub fn is_image(path: &Path) -> bool {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        extension.is_some_and(|extension| Self::IMAGES.contains(&extension.as_str()))
    }

    /// Whether a file is an image or a video.
    pub fn is_footage(path: &Path) -> bool {
        Self::is_image(path) || Video::is_video(path)
    }

    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.video.as_ref().map_or(self.files.len(), |video| video.frames)
    }

    pub fn video(&self) -> Option<&Video> {
        self.video.as_ref()
    }

    /// The file of a frame. A frame before the first or after the last one is that one.
    pub fn file(&self, frame: usize) -> &Path {
        &self.files[frame.min(self.files.len() - 1)]
    }

    /// Decodes an image, which is not of a video: that has [`Frames`].
    pub fn decode(&self, image: usize) -> Frame {
        debug_assert_eq!(self.video, None);
        decode_frame(self.file(image))
    }
}

fn canonical_folder(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(folder_of(path)).ok()
}

/// The parts of the name of an image around its last number: `shot2_0007_left.png` is `shot2_`, 7 and `_left.png`.
fn numbered(path: &Path) -> Option<(String, u64, String)> {
    if !Footage::is_image(path) {
        return None;
    }
    let (before, number, after) = around_last_number(path.file_name()?.to_str()?)?;
    Some((before.to_owned(), number, after.to_owned()))
}

fn files_of(folder: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>, ReferenceError> {
    let entries = std::fs::read_dir(folder).map_err(|source| ReferenceError::Folder { path: folder.into(), source })?;
    Ok(entries.flatten().map(|entry| entry.path()))
}

/// The image of a folder that comes first: by the name around its number, then by the number.
fn first_image(folder: &Path) -> Result<PathBuf, ReferenceError> {
    let images = files_of(folder)?.filter(|path| Footage::is_image(path) && !is_hidden(path));
    images.min_by_key(|path| (numbered(path), path.clone())).ok_or_else(|| ReferenceError::NoImages(folder.to_owned()))
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn wait_for(frames: &mut Frames, wanted: usize) -> Frame {
        let began = Instant::now();
        loop {
            frames.follow(wanted, true, || {});
            match frames.shown(wanted) {
                Some((frame, image)) if frame == wanted => return image.clone(),
                _ => assert!(began.elapsed() < Duration::from_secs(60), "frame {wanted} never came"),
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn sequence(folder: &Path, count: usize, size: [u32; 2]) -> Frames {
        for number in 0..count {
            let image = RgbaImage::from_pixel(size[0], size[1], image::Rgba([number as u8, 0, 0, 255]));
            image.save(folder.join(format!("frame_{number:03}.png"))).unwrap();
        }
        Frames::new(Footage::open(folder).unwrap())
    }

    #[test]
    fn frames_come_in_any_order_and_what_is_kept_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let mut frames = sequence(folder.path(), 20, [2048, 2048]);
        for wanted in [3, 0, 19, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 3] {
            let image = wait_for(&mut frames, wanted).unwrap();
            assert_eq!(image.get_pixel(5, 5).0, [wanted as u8, 0, 0, 255]);
            assert!(frames.bytes() <= MOST_BYTES, "{} MiB", frames.bytes() >> 20);
        }
        assert!(frames.bytes() > MOST_BYTES / 2, "frames are kept as long as there is room");
    }

    #[test]
    fn large_images_are_kept_smaller_in_the_same_proportion() {
        let folder = tempfile::tempdir().unwrap();
        let image = wait_for(&mut sequence(folder.path(), 1, [4096, 1024]), 0).unwrap();
        assert_eq!(image.dimensions(), (2048, 512));
    }

    #[test]
    fn an_image_that_is_damaged_or_gone_is_one_line_and_the_others_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let mut frames = sequence(folder.path(), 3, [8, 8]);
        std::fs::write(folder.path().join("frame_001.png"), b"\x89PNG but no more").unwrap();
        std::fs::remove_file(folder.path().join("frame_002.png")).unwrap();
        for wanted in [1, 2] {
            let problem = wait_for(&mut frames, wanted).unwrap_err();
            assert!(problem.contains(&format!("frame_00{wanted}.png")) && problem.lines().count() == 1, "{problem}");
            assert!(problem.contains(';'), "it says what to do: {problem}");
        }
        assert!(wait_for(&mut frames, 0).is_ok());
    }

    #[test]
    fn photos_are_shown_upright() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("photo.jpg");
        let mut jpeg = Vec::new();
        image::RgbImage::new(24, 8).write_to(&mut Cursor::new(&mut jpeg), image::ImageFormat::Jpeg).unwrap();
        // An EXIF segment whose only entry says that the right side of the pixels is the top: orientation 6.
        let tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let segment = [&b"\xff\xe1"[..], &(tiff.len() as u16 + 8).to_be_bytes(), b"Exif\0\0", tiff].concat();
        jpeg.splice(2..2, segment);
        std::fs::write(&file, jpeg).unwrap();
        let mut frames = Frames::new(Footage::open(&file).unwrap());
        assert_eq!(wait_for(&mut frames, 0).unwrap().dimensions(), (8, 24));
    }

    #[test]
    fn only_a_sequence_that_plays_is_read_ahead() {
        let folder = tempfile::tempdir().unwrap();
        let mut frames = sequence(folder.path(), 4, [8, 8]);
        let began = Instant::now();
        while frames.shown(2).is_none() {
            frames.follow(2, false, || {});
            assert!(began.elapsed() < Duration::from_secs(60));
        }
        frames.follow(2, false, || {});
        assert!(frames.job.is_none());
        frames.follow(2, true, || {});
        assert!(frames.job.is_some());
    }

    #[test]
    fn until_a_frame_is_decoded_the_nearest_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let mut frames = sequence(folder.path(), 40, [8, 8]);
        assert!(frames.shown(0).is_none());
        wait_for(&mut frames, 0).unwrap();
        wait_for(&mut frames, 20).unwrap();
        frames.follow(14, true, || {});
        assert_eq!(frames.shown(14).map(|(frame, _)| frame), Some(20));
    }

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), b"").unwrap());
        folder
    }

    fn names(sequence: &Footage) -> Vec<String> {
        sequence.files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn one_image_of_a_numbered_sequence_stands_for_all_of_it_and_no_others() {
        let folder =
            folder(&["a2_10.png", "a2_9.png", "a2_0011.png", "a3_1.png", "a2_12.jpg", "a2_.png", "notes1.txt"]);
        let sequence = Footage::open(&folder.path().join("a2_10.png")).unwrap();
        assert_eq!(names(&sequence), ["a2_9.png", "a2_10.png", "a2_0011.png"]);
        assert_eq!(sequence.opened(), 1);
        let alone = Footage::open(&folder.path().join("a2_.png"));
        assert_eq!(alone.unwrap().len(), 1, "the 2 is of another image's name");
        assert_eq!(Footage::open(folder.path()).unwrap().len(), 1, "a2_ comes before a2_9");
    }

    #[test]
    fn hidden_files_beside_the_images_are_passed_over() {
        let folder = folder(&["._f_1.png", "._f_2.png", ".DS_Store", "Thumbs.db", "f_1.png", "f_2.png"]);
        assert_eq!(names(&Footage::open(folder.path()).unwrap()), ["f_1.png", "f_2.png"]);
    }

    #[test]
    fn an_image_that_is_gone_is_still_the_one_that_was_opened() {
        let folder = folder(&["a_2.png", "a_3.png"]);
        let sequence = Footage::open(&folder.path().join("a_1.png")).unwrap();
        assert_eq!((names(&sequence).len(), sequence.opened()), (3, 0));
        assert_eq!(sequence.file(0), folder.path().join("a_1.png"));
    }

    #[test]
    fn a_sequence_holds_its_images_however_they_are_named() {
        let folder = folder(&["a_2.png", "a_3.png", "b.png"]);
        let sequence = Footage::open(&folder.path().join("a_2.png")).unwrap();
        assert!(sequence.holds(&folder.path().join("./a_3.png")));
        for other in ["a_4.png", "b.png"] {
            assert!(!sequence.holds(&folder.path().join(other)), "{other}");
        }
        assert!(!sequence.holds(Path::new("/a_3.png")));
    }

    #[test]
    fn a_folder_without_images_and_one_that_is_gone_are_errors_of_one_line() {
        let folder = folder(&["readme.txt"]);
        let error = Footage::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("holds no PNG") && error.lines().count() == 1, "{error}");
        let gone = folder.path().join("gone/frame_1.png");
        let error = Footage::open(&gone).unwrap_err().to_string();
        assert!(error.contains("cannot be read") && error.contains("gone"), "{error}");
    }

    #[test]
    fn a_frame_after_the_last_is_the_last() {
        let folder = folder(&["f1.png", "f2.png"]);
        let sequence = Footage::open(folder.path()).unwrap();
        assert_eq!(sequence.file(99), folder.path().join("f2.png"));
    }
}
