//! What is baked, and in which format it is written.

use std::path::Path;

use crate::blend::Normals;
use crate::export::FrameSpan;

/// A format of baked meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
