//! The kinds of files that Smirk opens and writes. The file dialogs, files dropped on the window, the command line, the
//! importer and the table in `docs/formats.md` all follow this one table. To add a format, add a row and list it in
//! [`ALL`]; the importer chooses a reader by the row, and the test of the documentation asks for its line.

use std::path::{Path, PathBuf};

use strum::VariantArray;

/// What a file can be opened as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Content {
    /// A head. Also a file of unknown content, so that the importer says what is wrong with it.
    Head,
    Project,
    /// A recorded performance, or the animations of a model.
    Takes,
    /// Meshes over time, from which weights are solved.
    Frames,
    Poses,
    /// Shapes of a head that is already open.
    Shapes,
    /// Which channels the columns of a capture drive.
    Mapping,
    Sound,
    /// Texts at times of the timeline.
    Markers,
}

/// What dialogs, menus and messages say of a content.
#[derive(Debug)]
pub struct ContentWords {
    /// The title of the dialog that asks for a file.
    pub dialog_title: &'static str,
    /// The name of the dialog's filter.
    pub filter: &'static str,
    /// The entry in *File › Import*; none if it is opened elsewhere.
    pub menu: Option<&'static str>,
    /// In the list of what the window opens.
    pub in_list: &'static str,
    /// What such a file is, and what to do with it, where a head is wanted.
    pub noun: &'static str,
    pub advice: &'static str,
}

impl Content {
    /// In the order of menus and lists.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn words(self) -> ContentWords {
        let (menu, [dialog_title, filter, in_list, noun], advice) = match self {
            Self::Head => (None, ["Open a head", "Heads", "a head", "a head"], "`smirk FILE` opens it"),
            Self::Project => (
                None,
                ["Open a project", "Projects", "a project", "a project"],
                "`smirk FILE` opens it, `smirk render FILE` and `smirk sheet FILE` draw it",
            ),
            Self::Takes => (
                Some("Takes…"),
                ["Import takes", "Captures, heads with clips", "captures", "a capture"],
                "`smirk HEAD FILE` opens it on a head, `smirk render HEAD --take FILE` draws it",
            ),
            Self::Frames => (
                Some("Meshes over time…"),
                [
                    "Solve the weights of meshes over time",
                    "Point caches, models that move, meshes",
                    "meshes over time",
                    "meshes over time",
                ],
                "`smirk solve HEAD FILE -o TAKE` finds their weights",
            ),
            Self::Poses => (
                Some("Poses…"),
                ["Import poses", "Poses", "poses", "a file of poses"],
                "`smirk HEAD FILE` opens it on a head",
            ),
            Self::Shapes => (
                Some("Shapes…"),
                ["Import shapes, one file per shape, named like its channel", "Meshes", "shapes", "a shape"],
                "`smirk convert HEAD FILE -o GLB` adds it to a head",
            ),
            Self::Mapping => (
                None,
                ["Open a mapping", "Mappings", "a mapping", "a mapping"],
                "`smirk render HEAD --take FILE --map FILE` uses it",
            ),
            Self::Sound => (
                Some("Sound…"),
                ["Choose a sound for what plays", "Sounds", "a sound", "a sound"],
                "`smirk HEAD FILE` plays it with the head",
            ),
            Self::Markers => (
                Some("Markers…"),
                ["Import markers", "Labels", "markers", "a file of markers"],
                "`smirk HEAD FILE` shows them on the timeline",
            ),
        };
        ContentWords { dialog_title, filter, menu, in_list, noun, advice }
    }

    /// Whether a file can be opened as it only for a head that has channels.
    pub fn needs_channels(self) -> bool {
        self == Self::Frames
    }

    /// What the names of files that can be opened as it end with.
    pub fn extensions(self) -> Vec<&'static str> {
        extensions(|kind| kind.opens(self))
    }
}

/// What Smirk writes into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Head,
    Project,
    Poses,
    /// Which channels the columns of a capture drive.
    Mapping,
    Picture,
    Animation,
    /// A mesh at one moment, or its points over time.
    Mesh,
    Film,
}

#[derive(Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The name that file dialogs and the documentation show.
    pub name: &'static str,
    /// What file names of this kind end with, in lower case and without the dot; the usual one first.
    pub extensions: &'static [&'static str],
    /// What it can be opened as; nothing if Smirk only writes it. The first is what it becomes when nothing else was
    /// requested.
    pub opens_as: &'static [Content],
    /// What Smirk writes into it; none if Smirk only reads it.
    pub writes: Option<Output>,
}

/// What models open as.
const MODEL: &[Content] = &[Content::Head, Content::Takes, Content::Frames, Content::Shapes];

pub static GLB: FileKind = kind("glTF binary", &["glb"], MODEL, Some(Output::Head));
/// glTF 2.0 with buffers and images in files of their own.
pub static GLTF: FileKind = kind("glTF", &["gltf"], MODEL, None);
pub static VRM: FileKind =
    kind("VRM avatar", &["vrm"], &[Content::Head, Content::Takes, Content::Frames], Some(Output::Head));
pub static VRM_ANIMATION: FileKind = kind("VRM animation", &["vrma"], &[Content::Takes], Some(Output::Animation));
pub static FBX: FileKind = kind("FBX", &["fbx"], MODEL, Some(Output::Animation));
pub static OBJ: FileKind =
    kind("Wavefront OBJ", &["obj"], &[Content::Head, Content::Frames, Content::Shapes], Some(Output::Mesh));
pub static PROJECT: FileKind = kind("Smirk project", &["smirk"], &[Content::Project], Some(Output::Project));
pub static CAPTURE_TABLE: FileKind = kind("Capture table", &["csv", "txt"], &[Content::Takes], Some(Output::Animation));
pub static CAPTURE_JSON: FileKind = kind("Capture JSON", &["json"], &[Content::Takes], Some(Output::Animation));
pub static POSES: FileKind = kind("Poses", &["json"], &[Content::Poses], Some(Output::Poses));
pub static MAPPING: FileKind = kind("Mapping", &["json"], &[Content::Mapping], Some(Output::Mapping));
pub static SOUND: FileKind =
    kind("Sound", &["wav", "flac", "mp3", "ogg", "m4a", "aac", "mp4", "mov"], &[Content::Sound], None);
pub static MARKERS: FileKind =
    kind("Markers", &["textgrid", "txt", "tsv", "xml", "dat", "json", "marks"], &[Content::Markers], None);
/// Universal Scene Description as text.
pub static USD: FileKind = kind("USD", &["usda"], &[], Some(Output::Animation));
pub static PNG: FileKind = kind("PNG picture", &["png"], &[], Some(Output::Picture));
/// Points over time, of 3ds Max.
pub static PC2: FileKind = kind("Point Cache 2", &["pc2"], &[Content::Frames], Some(Output::Mesh));
/// Points over time, of LightWave.
pub static MDD: FileKind = kind("MDD point cache", &["mdd"], &[Content::Frames], Some(Output::Mesh));
/// Arrays of points over time.
pub static NUMPY: FileKind = kind("NumPy array", &["npy", "npz"], &[Content::Frames], None);
/// Pictures of linear light.
pub static EXR: FileKind = kind("OpenEXR picture", &["exr"], &[], Some(Output::Picture));
/// Contact sheets for printing.
pub static PDF: FileKind = kind("PDF sheet", &["pdf"], &[], Some(Output::Picture));
/// Review notes. They are written and read on their own page and by their own command, so that this is no row of
/// [`ALL`].
pub static NOTES: FileKind = kind("Notes", &["html", "md", "csv", "json"], &[], None);
/// Lists of mends. They are written and read by their own command and page.
pub static MENDS: FileKind = kind("Mends", &["toml"], &[], None);
pub static FILM: FileKind = film("Film", &["webp", "apng", "gif", "mp4", "mov", "webm"]);

const fn kind(
    name: &'static str,
    extensions: &'static [&'static str],
    opens_as: &'static [Content],
    writes: Option<Output>,
) -> FileKind {
    FileKind { name, extensions, opens_as, writes }
}

/// Films of one format, for dialogs that save them; [`FILM`] is the row of all.
const fn film(name: &'static str, extensions: &'static [&'static str]) -> FileKind {
    kind(name, extensions, &[], Some(Output::Film))
}

pub static APNG_FILM: FileKind = film("APNG film", &["apng"]);
pub static GIF_FILM: FileKind = film("GIF film", &["gif"]);
pub static WEBP_FILM: FileKind = film("WebP film", &["webp"]);
/// H.264 in MP4.
pub static MP4_FILM: FileKind = film("MP4 film", &["mp4"]);
/// ProRes in MOV.
pub static MOV_FILM: FileKind = film("MOV film", &["mov"]);
/// VP9 in WebM.
pub static WEBM_FILM: FileKind = film("WebM film", &["webm"]);

/// Every kind, in the order in which dialogs and the documentation list them.
pub static ALL: [&FileKind; 21] = [
    &GLB,
    &GLTF,
    &VRM,
    &VRM_ANIMATION,
    &FBX,
    &OBJ,
    &PROJECT,
    &CAPTURE_TABLE,
    &CAPTURE_JSON,
    &POSES,
    &MAPPING,
    &SOUND,
    &MARKERS,
    &USD,
    &PNG,
    &PC2,
    &MDD,
    &NUMPY,
    &EXR,
    &PDF,
    &FILM,
];

impl FileKind {
    pub fn matches(&self, path: &Path) -> bool {
        path.extension().is_some_and(|extension| self.extensions.iter().any(|own| extension.eq_ignore_ascii_case(own)))
    }

    pub fn opens(&self, content: Content) -> bool {
        self.opens_as.contains(&content)
    }

    pub fn extension(&self) -> &'static str {
        self.extensions[0]
    }

    /// `path` with this kind's extension. The system's dialog asks before it replaces the file whose name was typed,
    /// not the file of that name with an extension added: if that file exists, it is left alone, and the new name gets
    /// a number.
    pub fn complete(&self, path: PathBuf) -> PathBuf {
        if self.matches(&path) { path } else { self.unused(&path) }
    }

    /// The path of a file that does not exist yet: `path`, which has no extension, with the kind's, and with a number
    /// if that one exists.
    pub fn unused(&self, path: &Path) -> PathBuf {
        // What follows the last dot may be part of the name, as in `head v1.2`: it stays.
        let numbered = |number: u32| {
            let mut name = path.as_os_str().to_owned();
            if number > 1 {
                name.push(format!(" {number}"));
            }
            name.push(".");
            name.push(self.extension());
            PathBuf::from(name)
        };
        (1..=u32::MAX).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(1))
    }
}

/// The kinds that a file may be of by its name. Several share `.json`: what is in the file decides between them.
pub fn kinds_of(path: &Path) -> impl Iterator<Item = &'static FileKind> {
    ALL.into_iter().filter(|kind| !kind.opens_as.is_empty() && kind.matches(path))
}

/// The extensions of the kinds that `is_wanted`, each once.
pub fn extensions(is_wanted: impl Fn(&FileKind) -> bool) -> Vec<&'static str> {
    let mut extensions = Vec::new();
    for &extension in ALL.iter().filter(|kind| is_wanted(kind)).flat_map(|kind| kind.extensions) {
        if !extensions.contains(&extension) {
            extensions.push(extension);
        }
    }
    extensions
}

/// The extensions of files that hold nothing but points over time.
pub fn point_caches() -> Vec<&'static str> {
    extensions(|kind| kind.opens_as.first() == Some(&Content::Frames))
}

/// Extensions as a list in a sentence: `.glb, .gltf, .vrm or .obj`.
pub fn in_words(extensions: &[&str]) -> String {
    let dotted: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
    match dotted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => dotted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_extension_gets_it_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let complete = |kind: &FileKind, typed: &str| {
            let path = kind.complete(folder.path().join(typed));
            path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned()
        };
        for (typed, completed) in [
            ("face", "face.png"),
            ("face.png", "face.png"),
            ("face.PNG", "face.PNG"),
            ("head v1.2", "head v1.2.png"),
            ("face.json", "face.json.png"),
        ] {
            assert_eq!(complete(&PNG, typed), completed);
        }
        assert_eq!(complete(&POSES, "poses"), "poses.json");
        std::fs::write(folder.path().join("face.png"), "there before").unwrap();
        assert_eq!(complete(&PNG, "face"), "face 2.png");
        assert_eq!(complete(&PNG, "face.png"), "face.png", "the system's dialog has asked about this one");
    }

    #[test]
    fn extensions_are_listed_once_and_in_the_order_of_the_table() {
        assert_eq!(
            extensions(|kind| kind.opens(Content::Takes)),
            ["glb", "gltf", "vrm", "vrma", "fbx", "csv", "txt", "json"]
        );
        assert_eq!(in_words(&extensions(|kind| kind.opens(Content::Head))), ".glb, .gltf, .vrm, .fbx or .obj");
        assert_eq!(in_words(&extensions(|kind| kind.writes == Some(Output::Project))), ".smirk");
        assert_eq!(kinds_of(Path::new("A.JSON")).count(), 4);
        assert_eq!(kinds_of(Path::new("a.png")).count(), 0, "pictures are written, not opened");
    }

    #[test]
    fn every_kind_is_read_or_written_and_says_as_what() {
        for FileKind { name, extensions, opens_as, writes, .. } in ALL {
            assert!(!opens_as.is_empty() || writes.is_some(), "{name}");
            assert!(extensions.iter().all(|extension| *extension == extension.to_ascii_lowercase()), "{name}");
        }
    }
}
