//! What a note or an error is about: an object of the file, identified by its kind and its number or name.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use super::listed;
use smirk_base::names::{one_line, printable, quoted};

/// The numbers that are printed of several objects.
const SEVERAL_PRINTED: usize = 3;

/// A kind of object in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of glTF, OBJ and capture files")]
pub enum Kind {
    Accessor,
    Animation,
    Buffer,
    BufferView,
    Camera,
    /// A channel of an animation (glTF).
    Channel,
    /// A column of a capture.
    Column,
    /// A target that follows others.
    Corrective,
    Expression,
    Frame,
    GlbChunk,
    Image,
    Light,
    Line,
    Material,
    Mesh,
    Node,
    Pose,
    Primitive,
    Sampler,
    Scene,
    /// A file that was added to a head as one of its targets.
    Shape,
    Skin,
    Take,
    Target,
    Texture,
    /// The column of a capture with the times.
    Time,
    /// The `f` statements of an OBJ file.
    ObjFace,
    /// The `mtllib` statements of an OBJ file.
    ObjMaterialLibrary,
    /// The `usemtl` statements of an OBJ file.
    ObjMaterialUse,
    /// The `vn` statements of an OBJ file.
    ObjNormal,
    /// The `v` statements of an OBJ file.
    ObjPosition,
    /// The `vt` statements of an OBJ file.
    ObjTextureCoordinate,
}

impl Kind {
    /// One object of the kind, and all of them. OBJ's statements are called by their keyword, and there is one scene.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Accessor => ("accessor", "accessors"),
            Self::Animation => ("animation", "animations"),
            Self::Buffer => ("buffer", "buffers"),
            Self::BufferView => ("bufferView", "bufferViews"),
            Self::Camera => ("camera", "cameras"),
            Self::Channel => ("channel", "channels"),
            Self::Column => ("column", "columns"),
            Self::Corrective => ("corrective", "correctives"),
            Self::Expression => ("expression", "expressions"),
            Self::Frame => ("frame", "frames"),
            Self::GlbChunk => ("GLB chunk", "GLB chunks"),
            Self::Image => ("image", "images"),
            Self::Light => ("light", "lights"),
            Self::Line => ("line", "lines"),
            Self::Material => ("material", "materials"),
            Self::Mesh => ("mesh", "meshes"),
            Self::Node => ("node", "nodes"),
            Self::Pose => ("pose", "poses"),
            Self::Primitive => ("primitive", "primitives"),
            Self::Sampler => ("sampler", "samplers"),
            Self::Scene => ("scene", "scene"),
            Self::Shape => ("shape", "shapes"),
            Self::Skin => ("skin", "skins"),
            Self::Take => ("take", "takes"),
            Self::Target => ("target", "targets"),
            Self::Texture => ("texture", "textures"),
            Self::Time => ("time", "times"),
            Self::ObjFace => ("f", "f"),
            Self::ObjMaterialLibrary => ("mtllib", "mtllib"),
            Self::ObjMaterialUse => ("usemtl", "usemtl"),
            Self::ObjNormal => ("vn", "vn"),
            Self::ObjPosition => ("v", "v"),
            Self::ObjTextureCoordinate => ("vt", "vt"),
        }
    }
}

/// What a note or an error is about. Its text is made by `Display` alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The file as a whole.
    File,
    /// One of several files, by its name.
    NamedFile(String),
    /// What the format calls by a fixed word: a field (`asset.version`), a section (`GLB header`) or an extension.
    Field(Cow<'static, str>),
    /// All objects of a kind.
    All(Kind),
    /// An object by its number, counted as the format counts.
    Numbered(Kind, usize),
    /// Several objects: the numbers of the first three, and how many there are.
    Several(Kind, Vec<usize>, usize),
    /// Some of many objects, and how many there are.
    Many(Vec<Subject>, usize),
    /// An object by its name.
    Named(Kind, String),
    /// An object by its number and its name.
    NumberedAndNamed(Kind, usize, String),
    /// An object by its number, stored by means of an extension of the format.
    NumberedWithExtension(Kind, usize, String),
    /// An object that belongs to another.
    Part(Box<Subject>, Box<Subject>),
    /// An object of a file other than the one that was opened.
    InFile(String, Box<Subject>),
}

impl Subject {
    /// What the format calls by a fixed word.
    pub fn field(word: impl Into<Cow<'static, str>>) -> Self {
        Self::Field(word.into())
    }

    /// An object by its name.
    pub fn named(kind: Kind, name: impl Into<String>) -> Self {
        Self::Named(kind, shortened(name.into()))
    }

    /// An object by its number and its name.
    pub fn numbered_and_named(kind: Kind, number: usize, name: &str) -> Self {
        Self::NumberedAndNamed(kind, number, shortened(name.to_owned()))
    }

    /// The object by its number, or several by theirs.
    pub fn numbered(kind: Kind, numbers: &[usize]) -> Self {
        match numbers {
            [number] => Self::Numbered(kind, *number),
            numbers => Self::Several(kind, numbers.iter().take(SEVERAL_PRINTED).copied().collect(), numbers.len()),
        }
    }

    /// An object that belongs to this one.
    #[must_use]
    pub fn part(&self, part: Self) -> Self {
        Self::Part(Box::new(self.clone()), Box::new(part))
    }

    /// The same object, in a file of that name.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        Self::InFile(file.to_owned(), Box::new(self))
    }

    /// The object that it belongs to, or itself.
    pub fn whole(&self) -> &Self {
        match self {
            Self::Part(whole, _) => whole.whole(),
            whole => whole,
        }
    }

    /// Whether it is `whole` or belongs to it.
    pub fn is_in(&self, whole: &Self) -> bool {
        self == whole || matches!(self, Self::Part(own, _) if own.is_in(whole))
    }

    /// The kind of the object; of a part, that of the whole.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::File | Self::NamedFile(_) | Self::Field(_) => None,
            Self::All(kind)
            | Self::Numbered(kind, _)
            | Self::Several(kind, ..)
            | Self::Named(kind, _)
            | Self::NumberedAndNamed(kind, ..)
            | Self::NumberedWithExtension(kind, ..) => Some(*kind),
            Self::Part(whole, _) => whole.kind(),
            Self::Many(some, _) => some.first()?.kind(),
            Self::InFile(_, subject) => subject.kind(),
        }
    }
}

impl From<&Subject> for Subject {
    fn from(subject: &Subject) -> Self {
        subject.clone()
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::NamedFile(name) => f.write_str(&printable(name)),
            Self::Field(word) => f.write_str(&one_line(word.clone().into_owned())),
            Self::All(kind) => f.write_str(kind.words().1),
            Self::Numbered(kind, number) => write!(f, "{} {number}", kind.words().0),
            Self::Several(kind, first, count) => {
                write!(f, "{} ", kind.words().1)?;
                write_some(f, first, *count)
            }
            Self::Many(some, count) => write_some(f, some, *count),
            Self::Named(kind, name) => write!(f, "{} {}", kind.words().0, quoted(name)),
            Self::NumberedAndNamed(kind, number, name) => write!(f, "{} {number} {}", kind.words().0, quoted(name)),
            Self::NumberedWithExtension(kind, number, name) => {
                write!(f, "{} {number} ({})", kind.words().0, printable(name))
            }
            Self::Part(whole, part) => write!(f, "{whole}, {part}"),
            Self::InFile(file, subject) => write!(f, "{}: {subject}", printable(file)),
        }
    }
}

/// Writes `some` of `count` things, and how many more there are.
fn write_some<T: fmt::Display>(f: &mut fmt::Formatter<'_>, some: &[T], count: usize) -> fmt::Result {
    f.write_str(&listed(some, some.len()))?;
    let more = count.saturating_sub(some.len());
    if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
}

/// A name as a subject stores it: the middle of a very long one, which is not printed, is left out. A file may have a name of many
/// megabytes, and thousands of objects in it.
fn shortened(name: String) -> String {
    const KEPT_CHARACTERS: usize = 200;
    if name.len() <= 2 * KEPT_CHARACTERS || name.chars().nth(2 * KEPT_CHARACTERS).is_none() {
        return name;
    }
    let end = name.char_indices().nth(KEPT_CHARACTERS).map_or(name.len(), |(at, _)| at);
    let begin = name.char_indices().rev().nth(KEPT_CHARACTERS - 1).map_or(0, |(at, _)| at);
    [&name[..end], &name[begin..]].concat()
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_printed_with_its_whole_and_its_file() {
        let mesh = Subject::named(Kind::Mesh, "face");
        let target = mesh.part(Subject::NumberedAndNamed(Kind::Target, 3, "jawOpen".into()));
        assert_eq!(target.to_string(), "mesh \"face\", target 3 \"jawOpen\"");
        assert_eq!(target.kind(), Some(Kind::Mesh));
        assert!(target.is_in(&mesh) && mesh.is_in(&mesh) && !mesh.is_in(&target));
        assert!(!target.is_in(&Subject::named(Kind::Mesh, "fac")));
        assert_eq!(target.in_file("a.glb").to_string(), "a.glb: mesh \"face\", target 3 \"jawOpen\"");
        assert_eq!(Subject::numbered(Kind::Line, &[4]).to_string(), "line 4");
        assert_eq!(Subject::numbered(Kind::Line, &[4, 5, 6, 7]).to_string(), "lines 4, 5, 6 and 1 more");
        assert_eq!(Subject::All(Kind::Light).to_string(), "lights");
    }
}
