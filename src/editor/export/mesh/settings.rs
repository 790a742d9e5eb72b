//! What is baked, and in which format it is written.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::export::FrameSpan;
use smirk_base::file_kind::{self, FileKind};
use smirk_graphics::blend::Normals;

/// A format of baked meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeshFormat {
    /// Wavefront OBJ; of several frames one file each.
    Obj,
    /// glTF binary, of one moment.
    Glb,
    /// 3ds Max Point Cache 2: positions alone.
    Pc2,
    /// LightWave point cache: positions alone.
    Mdd,
}

impl MeshFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Obj, Self::Glb, Self::Pc2, Self::Mdd];

    /// What names of files end with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Glb => "glb",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
        }
    }

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Obj => "Wavefront OBJ",
            Self::Glb => "glTF binary",
            Self::Pc2 => "Point cache PC2",
            Self::Mdd => "Point cache MDD",
        }
    }

    /// The kind of its files.
    pub fn file_kind(self) -> &'static FileKind {
        match self {
            Self::Obj => &file_kind::OBJ,
            Self::Glb => &file_kind::GLB,
            Self::Pc2 => &file_kind::PC2,
            Self::Mdd => &file_kind::MDD,
        }
    }

    /// The format of a file, by its name.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

/// What is baked, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSettings {
    /// The format.
    pub format: MeshFormat,
    /// Where normals come from.
    pub normals: Normals,
    /// Whether meshes of which nothing can be seen, because their materials are wholly transparent, are left out.
    pub only_visible: bool,
    /// The frames; none for what the session shows now.
    pub span: Option<FrameSpan>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_follows_from_the_name() {
        assert_eq!(MeshFormat::of(Path::new("a.PC2")), Some(MeshFormat::Pc2));
        assert_eq!(MeshFormat::of(Path::new("a.fbx")), None);
        for format in MeshFormat::ALL {
            assert_eq!(MeshFormat::of(&Path::new("a.b").with_extension(format.extension())), Some(format));
        }
    }
}
