//! Sidecar files, which a model refers to by a relative path or a URI, and bytes in `data:` URIs.
//!
//! A model from the internet must not be able to read the artist's disk: only regular files inside the folder of the
//! model are read.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use super::error::{Fault, Problem};
use super::file::read_file;
use super::tiles::has_mark;
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_base::regular_file::{self, folder_of};
use smirk_base::watch::before_reading;
use smirk_face::head::Subject;

#[derive(Debug)]
pub(crate) struct ModelFolder {
    path: PathBuf,
    /// The files that were found, in the order in which they were read.
    found: Mutex<Vec<PathBuf>>,
}

impl ModelFolder {
    pub(crate) fn containing(path: &Path) -> Self {
        Self { path: folder_of(path).to_owned(), found: Mutex::default() }
    }

    pub(crate) fn into_files(self) -> Vec<PathBuf> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, file: &Path) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if !found.iter().any(|other| other == file) {
            found.push(file.to_owned());
        }
    }
}

/// Accepts base64 with and without the padding `=`: exporters write both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The scheme of URIs that contain the bytes of the file. The case of a scheme has no meaning.
const DATA: &str = "data:";

pub(crate) fn fetch(
    uri: &str,
    folder: Option<&ModelFolder>,
    max_bytes: u64,
    subject: &Subject,
) -> Result<Vec<u8>, Fault> {
    if is_data(uri) {
        let Some((kind, text)) = uri[DATA.len()..].split_once(',') else {
            return Err(Fault::invalid(subject, Problem::new("its data: URI has no comma").advise("export it again")));
        };
        // RFC 2397: what is not marked as base64 is percent-encoded.
        let bytes = Cow::from(percent_decode_str(text));
        if !kind.to_ascii_lowercase().ends_with(";base64") {
            return Ok(bytes.into_owned());
        }
        return BASE64
            .decode(bytes)
            .map_err(|error| Fault::invalid(subject, format!("its base64 does not decode: {error}")));
    }
    fetch_path(&path_of(uri, subject)?, folder, max_bytes, subject)
}

pub(crate) fn is_data(uri: &str) -> bool {
    uri.get(..DATA.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(DATA))
}

/// The canonical path of the file that a URI refers to.
pub(super) fn locate(uri: &str, folder: Option<&ModelFolder>, subject: &Subject) -> Result<PathBuf, Fault> {
    resolve(&path_of(uri, subject)?, folder, subject)
}

fn path_of<'a>(uri: &'a str, subject: &Subject) -> Result<Cow<'a, str>, Fault> {
    percent_decode_str(uri).decode_utf8().map_err(|_| refusal(uri, "does not decode to UTF-8", subject))
}

pub(crate) fn fetch_path(
    path: &str,
    folder: Option<&ModelFolder>,
    max_bytes: u64,
    subject: &Subject,
) -> Result<Vec<u8>, Fault> {
    let file = resolve(path, folder, subject)?;
    regular_file::check(&file).map_err(|error| {
        let problem = Problem::new(format!("{} cannot be read: {error}", quoted(path)));
        Fault::invalid(subject, problem.advise("put the file there"))
    })?;
    read_file(&file, max_bytes, "a file", Progress::NONE).map_err(|fault| Fault::Invalid {
        subject: subject.clone(),
        problem: Problem::new(format!("{} {fault}", quoted(path))),
    })
}

/// Like [`fetch_path`] for a path that may be one of the machine on which the model was made, or that has other
/// capitals than the file: if nothing can be read there, the longest end of the path at which the folder of the model
/// has a file is read. The error is about the whole path.
pub(crate) fn fetch_end_of_path(
    path: &str,
    folder: Option<&ModelFolder>,
    max_bytes: u64,
    subject: &Subject,
) -> Result<Vec<u8>, Fault> {
    let fault = match fetch_path(path, folder, max_bytes, subject) {
        Ok(bytes) => return Ok(bytes),
        Err(fault) => fault,
    };
    for end in ends_of_path(path, folder) {
        if let Ok(bytes) = fetch_path(&end, folder, max_bytes, subject) {
            return Ok(bytes);
        }
    }
    Err(match (fault, parts_of(path).last()) {
        (Fault::Invalid { subject, problem }, Some(name)) if leads_out(path).is_some() => {
            let folder = "Smirk reads only files in the model's own folder";
            let advice = format!("{folder}: copy {} there", quoted(name));
            Fault::Invalid { subject, problem: problem.advise(advice) }
        }
        (fault, _) => fault,
    })
}

pub(crate) fn has_end_of_path(path: &str, folder: Option<&ModelFolder>) -> bool {
    ends_of_path(path, folder).next().is_some()
}

/// The ends of a path at which the folder of the model has something, with its capitals, from the longest on.
fn ends_of_path(path: &str, folder: Option<&ModelFolder>) -> impl Iterator<Item = String> {
    /// Folders of a path that are tried as the first one of its end.
    const MOST_FOLDERS: usize = 16;
    let parts = parts_of(path);
    let firsts = parts.len().saturating_sub(MOST_FOLDERS)..parts.len();
    firsts.filter_map(move |first| with_capitals_of(&folder?.path, &parts[first..]))
}

fn parts_of(path: &str) -> Vec<&str> {
    path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect()
}

/// A path in `folder` with the capitals of the files there; none if there is no such file.
fn with_capitals_of(folder: &Path, parts: &[&str]) -> Option<String> {
    /// A folder with more files is not searched further.
    const MOST_FILES: usize = 10_000;
    let mut found = folder.to_owned();
    let mut names = Vec::with_capacity(parts.len());
    for part in parts {
        let is_there = found.join(part).exists();
        let name = if is_there {
            (*part).to_owned()
        } else {
            let wanted = part.to_lowercase();
            let files = std::fs::read_dir(&found).ok()?.take(MOST_FILES).flatten();
            let mut files = files.filter_map(|file| file.file_name().into_string().ok());
            files.find(|name| name.to_lowercase() == wanted)?
        };
        found.push(&name);
        names.push(name);
    }
    Some(names.join("/"))
}

fn refusal(path: &str, why: &str, subject: &Subject) -> Fault {
    let problem = Problem::new(format!("{} {why}", quoted(path)));
    Fault::invalid(subject, problem.advise("Smirk reads only files in the model's own folder"))
}

/// Why a path is not one below a folder; none if it is.
fn leads_out(path: &str) -> Option<&'static str> {
    let path = path.replace('\\', "/");
    if path.split('/').next().unwrap_or_default().contains(':') {
        return Some("has a scheme or a drive");
    }
    let relative = Path::new(&path);
    let is_below = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (!is_below).then_some(if relative.has_root() { "is an absolute path" } else { "climbs out with \"..\"" })
}

/// The canonical path of a file given by a relative path, if it is inside `folder` after all links are followed.
fn resolve(path: &str, folder: Option<&ModelFolder>, subject: &Subject) -> Result<PathBuf, Fault> {
    if path.is_empty() {
        return Err(Fault::invalid(subject, "its URI is empty"));
    }
    let model_folder = folder.ok_or_else(|| refusal(path, "is a file beside a model that is in memory", subject))?;
    if let Some(why) = leads_out(path) {
        return Err(refusal(path, why, subject));
    }
    let folder = model_folder.path.canonicalize()?;
    let named = folder.join(path.replace('\\', "/"));
    before_reading(&named);
    let file = named.canonicalize().map_err(|error| {
        let (text, advice) = if has_mark(path) {
            let text = "stands for the tiles of a UDIM texture, which is read for OBJ and FBX".to_owned();
            (text, "name the file of one tile, or export the head as .fbx")
        } else {
            (format!("was not found in {} ({error})", folder.display()), "put it there")
        };
        Fault::invalid(subject, Problem::new(format!("{} {text}", quoted(path))).advise(advice))
    })?;
    if !file.starts_with(&folder) {
        return Err(refusal(path, "is a link that leads out", subject));
    }
    model_folder.add(&file);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Kind;

    const BUFFER: Subject = Subject::Numbered(Kind::Buffer, 0);

    fn inside(folder: &tempfile::TempDir) -> ModelFolder {
        ModelFolder::containing(&folder.path().join("model.gltf"))
    }

    fn message(uri: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        fetch(uri, Some(&inside(&folder)), 100, &BUFFER).unwrap_err().to_string()
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        for (uri, why) in [
            ("../x.bin", ".."),
            ("a/%2E%2e/../x.bin", ".."),
            ("%2Fetc%2Fpasswd", "absolute"),
            ("/dev/zero", "absolute"),
            ("\\\\server\\x", "absolute"),
            ("file:///etc/passwd", "scheme"),
            ("http://localhost/x", "scheme"),
            ("C:\\x", "drive"),
            ("nope.bin", "not found"),
            ("skin.%3CUDIM%3E.png", "tiles of a UDIM texture"),
        ] {
            let message = message(uri);
            assert!(message.contains(why), "{uri}: {message}");
        }
    }

    #[test]
    fn the_end_of_a_path_is_found_in_the_folder_whatever_its_capitals() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("model/Maps")).unwrap();
        std::fs::write(folder.path().join("model/Maps/Skin É.PNG"), b"skin").unwrap();
        std::fs::write(folder.path().join("secret.png"), b"secret").unwrap();
        let model = ModelFolder::containing(&folder.path().join("model/head.fbx"));
        let fetch = |path: &str| fetch_end_of_path(path, Some(&model), 100, &BUFFER);
        for path in ["Maps/Skin É.PNG", "maps\\skin é.png", "C:\\work\\Maps\\skin é.png", "../../maps/./SKIN É.png"]
        {
            assert_eq!(fetch(path).unwrap(), b"skin", "{path}");
        }
        for path in ["../secret.png", "secret.png", "maps/../../secret.png", "skin é.png", "", ".."] {
            let message = fetch(path).unwrap_err().to_string();
            assert!(message.starts_with("buffer 0: "), "{path}: {message}");
        }
        let absolute = folder.path().join("secret.png").display().to_string();
        assert!(fetch(&absolute).unwrap_err().to_string().contains("absolute"));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_and_folders_are_refused() {
        let outside = tempfile::NamedTempFile::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link.bin")).unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let fetch = |uri| fetch(uri, Some(&inside(&folder)), 100, &BUFFER).unwrap_err().to_string();
        assert!(fetch("link.bin").contains("leads out"));
        assert!(fetch("sub").contains("folder"));
    }

    #[test]
    fn percent_encoding_and_base64_decode() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a é.bin"), b"xyz").unwrap();
        assert_eq!(fetch("a%20%C3%A9.bin", Some(&inside(&folder)), 100, &BUFFER).unwrap(), b"xyz");
        assert_eq!(fetch("data:x/y;base64,eHl6IQ", None, 100, &BUFFER).unwrap(), b"xyz!");
        assert_eq!(fetch("data:x/y;base64,eHl6IQ==", None, 100, &BUFFER).unwrap(), b"xyz!");
        assert!(fetch("data:x/y;base64,?", None, 100, &BUFFER).is_err());
        for (uri, bytes) in [
            ("DATA:x/y;BASE64,eHl6IQ%3D%3D", &b"xyz!"[..]),
            ("data:,a%20b%FF", b"a b\xFF"),
            ("data:text/plain;charset=utf-8,x,y", b"x,y"),
        ] {
            assert_eq!(fetch(uri, None, 100, &BUFFER).unwrap(), bytes, "{uri}");
        }
        assert!(fetch("data:", None, 100, &BUFFER).unwrap_err().to_string().contains("comma"));
        assert!(message("").contains("its URI is empty"));
    }
}
