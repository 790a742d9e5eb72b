//! The content of a recovery file.

use std::fmt;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::Project;
use crate::document::on_disk::Fingerprint;
use crate::document::project::HeadRef;
use smirk_base::{json, regular_file};

/// A larger file was not written by Smirk.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// Unsaved work, and how it is described to the artist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecoveryRecord {
    /// The name of the project, else of the head.
    #[serde(default = "unnamed")]
    pub name: String,
    #[serde(default)]
    pub head: String,
    /// The project file that it is to be saved in, if it has one.
    #[serde(default, with = "json::optional_path")]
    pub project_file: Option<PathBuf>,
    /// What that file held when this run of the program read it or saved it last.
    #[serde(default)]
    pub known: Option<Fingerprint>,
    /// When it was written, in seconds since 1970, by the clock of that time.
    #[serde(default, rename = "kept_unix_secs")]
    pub written_unix_secs: u64,
    /// Larger than that of all work that was known when it was written, even if the clock has been set back.
    #[serde(default)]
    pub sequence: u64,
    #[serde(default)]
    pub picture: Option<WorkPicture>,
    #[serde(skip_deserializing)]
    pub project: Project,
}

/// What is listed of a record. The work itself is read when it is restored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct WorkSummary {
    /// The name of the project it belongs to, else of the head.
    pub name: String,
    pub head: String,
    /// The project file it is to be saved in, if it has one.
    #[serde(with = "json::optional_path")]
    pub project_file: Option<PathBuf>,
    /// When it was written, in seconds since 1970, by the clock of that time.
    #[serde(rename = "kept_unix_secs")]
    pub written_unix_secs: u64,
    pub sequence: u64,
    pub picture: Option<WorkPicture>,
    #[serde(skip)]
    pub bytes: u64,
}

#[derive(Deserialize)]
struct Header {
    project: HeaderOfProject,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HeaderOfProject {
    version: Option<u64>,
    head: HeadRef,
}

impl Header {
    /// None if a later version of the program wrote the record, which can read it.
    fn read(bytes: &[u8]) -> io::Result<Option<Self>> {
        let header: Self = json::read_header(bytes).map_err(io::Error::other)?;
        let is_readable = header.project.version.is_none_or(|version| version <= u64::from(Project::VERSION));
        Ok(is_readable.then_some(header))
    }
}

fn unnamed() -> String {
    "unsaved work".into()
}

/// The largest sequence number that was given or read.
static LAST_SEQUENCE: AtomicU64 = AtomicU64::new(0);

/// The next number: the time in milliseconds, unless the clock is behind an earlier number.
fn next_sequence() -> u64 {
    let now = now().as_millis() as u64;
    let last = LAST_SEQUENCE.fetch_max(now, Ordering::Relaxed);
    if last < now { now } else { LAST_SEQUENCE.fetch_add(1, Ordering::Relaxed) + 1 }
}

impl RecoveryRecord {
    pub fn new(name: String, project_file: Option<PathBuf>, project: Project) -> Self {
        Self {
            head: name.clone(),
            name,
            project_file,
            known: None,
            written_unix_secs: now().as_secs(),
            sequence: next_sequence(),
            picture: None,
            project,
        }
    }

    /// Reads a recovery file. None if a later version of the program wrote it, which can read it.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let bytes = regular_file::read(path, MAX_FILE_BYTES)?;
        // The version is read first, since a later format may look damaged to this version.
        if Header::read(&bytes)?.is_none() {
            return Ok(None);
        }
        let mut record: Self = json::read(&bytes).map_err(io::Error::other)?;
        record.project = Project::within_json(&bytes).map_err(io::Error::other)?;
        Ok(Some(record))
    }
}

impl WorkSummary {
    /// Reads what is listed of a recovery file. None if a later version of the program wrote it.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let bytes = regular_file::read(path, MAX_FILE_BYTES)?;
        let Some(header) = Header::read(&bytes)? else { return Ok(None) };
        let mut summary: Self = json::read(&bytes).map_err(io::Error::other)?;
        if summary.head.is_empty() {
            summary.head = header.project.head.source().name();
        }
        if summary.name.is_empty() {
            summary.name = summary.head.clone();
        }
        // Earlier versions wrote no sequence number.
        summary.sequence = summary.sequence.max(summary.written_unix_secs.saturating_mul(1000));
        LAST_SEQUENCE.fetch_max(summary.sequence, Ordering::Relaxed);
        Ok(Some(Self { bytes: bytes.len() as u64, ..summary }))
    }

    /// What is listed of a record that was written into `path`.
    pub(super) fn new(record: &RecoveryRecord, path: &Path) -> Self {
        Self {
            name: record.name.clone(),
            head: record.head.clone(),
            project_file: record.project_file.clone(),
            written_unix_secs: record.written_unix_secs,
            sequence: record.sequence,
            picture: record.picture.clone(),
            bytes: std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        }
    }
}

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A small PNG. Clones share its bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct WorkPicture(Arc<[u8]>);

impl WorkPicture {
    /// Width and height, for high-resolution displays twice those in the list.
    pub const SIZE_PX: [u32; 2] = [192, 144];
    /// A larger picture was not made by Smirk.
    const MAX_SIDE_PX: u32 = 1024;

    /// Encodes a picture; `None` if it is empty.
    pub fn encode(picture: &RgbaImage) -> Option<Self> {
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).ok()?;
        Some(Self(png.into_inner().into()))
    }

    /// The picture; `None` if it is damaged.
    pub fn decode(&self) -> Option<RgbaImage> {
        let mut reader = ImageReader::with_format(Cursor::new(&self.0), ImageFormat::Png);
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(Self::MAX_SIDE_PX), Some(Self::MAX_SIDE_PX));
        reader.limits(limits);
        Some(reader.decode().ok()?.to_rgba8())
    }
}

impl Serialize for WorkPicture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for WorkPicture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let png = STANDARD.decode(String::deserialize(deserializer)?).map_err(de::Error::custom)?;
        Ok(Self(png.into()))
    }
}

impl fmt::Debug for WorkPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkPicture({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_numbered_in_their_order_even_if_the_clock_is_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work.json");
        let from_the_future = now().as_secs() + 1_000_000;
        let text = format!(r#"{{"name":"ada","project_file":null,"kept_unix_secs":{from_the_future},"project":{{}}}}"#);
        std::fs::write(&path, text).unwrap();
        let summary = WorkSummary::read(&path).unwrap().unwrap();
        let (first, second) = (next_sequence(), next_sequence());
        assert!(summary.sequence < first && first < second);
    }

    #[cfg(unix)]
    #[test]
    fn a_record_of_any_name_and_path_comes_back() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work.json");
        let project_file = PathBuf::from(std::ffi::OsStr::from_bytes(b"/caf\xe9/walk.smirk"));
        let record = RecoveryRecord::new("\0\u{202e}顔 😀".into(), Some(project_file), Project::default());
        let text = serde_json::to_string(&record).unwrap();
        std::fs::write(&path, &text).unwrap();
        let read = RecoveryRecord::read(&path).unwrap().unwrap();
        assert_eq!((serde_json::to_string(&read).unwrap(), read), (text, record));
    }

    #[test]
    fn a_record_of_an_earlier_version_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work.json");
        let earlier = r#"{"name":"walk","project_file":"/a/walk.smirk","kept_unix_secs":1700000000,
            "project":{"smirk":"project","version":1,"head":{"file":{"path":"/heads/ada.glb"}}}}"#;
        std::fs::write(&path, earlier).unwrap();
        let summary = WorkSummary::read(&path).unwrap().unwrap();
        assert_eq!((summary.name.as_str(), summary.head.as_str()), ("walk", "ada.glb"));
        assert_eq!((summary.project_file, summary.written_unix_secs), (Some("/a/walk.smirk".into()), 1_700_000_000));
        assert!(RecoveryRecord::read(&path).unwrap().is_some());
    }

    #[test]
    fn a_picture_comes_back_and_a_damaged_one_is_none() {
        let picture = RgbaImage::from_fn(8, 6, |x, y| image::Rgba([x as u8 * 30, y as u8 * 40, 7, 255]));
        let stored = serde_json::to_string(&WorkPicture::encode(&picture).unwrap()).unwrap();
        let read: WorkPicture = serde_json::from_str(&stored).unwrap();
        assert_eq!(read.decode().unwrap(), picture);
        assert_eq!(WorkPicture(read.0[..40].into()).decode(), None);
        let wide = WorkPicture::encode(&RgbaImage::new(WorkPicture::MAX_SIDE_PX + 1, 1)).unwrap();
        assert_eq!(wide.decode(), None, "too large");
    }
}
