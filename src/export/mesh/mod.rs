//! The face as it is at one moment, or over a range of frames, as meshes without targets and skins: OBJ, GLB and point
//! caches.

mod baked;
mod files;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use self::baked::{Moment, bake, positions_of};
use self::files::CacheFormat;
use super::glb::{StoredDeltas, glb_with};
use super::{ExportPlan, NumberedPath};
use crate::{ExportError, FrameSpan};
use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind::{self, FileKind};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Points};
use smirk_scene::Normals;
use smirk_session::Session;

#[derive(Debug)]
pub struct MeshExport {
    session: Session,
    settings: MeshSettings,
    output: OutputPath,
    meshes: Vec<usize>,
    points: Points,
}

impl MeshExport {
    /// Prepares an export of what a session shows. With several frames of OBJ, the name of the output is a
    /// [`NumberedPath`].
    pub fn new(session: &Session, settings: MeshSettings, output: OutputPath) -> Result<Self, ExportError> {
        let frames = settings.span.map_or(1, |span| span.count());
        let head = &session.head;
        match settings.format {
            MeshFormat::Glb if frames > 1 => {
                return Err(usage!(
                    "a .glb holds the mesh of one moment, not of {frames} frames: write .pc2, .mdd or a sequence of .obj"
                ));
            }
            MeshFormat::Obj => _ = NumberedPath::for_frames(output.path(), frames)?,
            MeshFormat::Glb | MeshFormat::Pc2 | MeshFormat::Mdd => {}
        }
        let meshes = if settings.only_visible { head.visible_meshes() } else { (0..head.meshes.len()).collect() };
        if meshes.is_empty() {
            return Err(failed!("{} has no mesh that can be seen; choose all meshes", head.name));
        }
        let points = Points::new(head, &meshes);
        // Point caches count points and frames in 31 bits.
        if i32::try_from(points.len()).is_err() {
            let (count, max) = (points.len(), i32::MAX);
            return Err(failed!("{count} points are too many for a point cache, which holds at most {max}"));
        }
        Ok(Self { session: session.clone(), settings, output, meshes, points })
    }

    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let span = self.settings.span.filter(|_| self.settings.format == MeshFormat::Obj);
        let path = NumberedPath::new(self.output.path());
        span.map_or(0..=0, |span| span.frames()).map(move |frame| match span {
            Some(_) => path.path_at(frame),
            None => self.output.path().to_owned(),
        })
    }

    pub fn plan(&self) -> ExportPlan {
        let frames = self.settings.span.map_or(1, |span| span.count());
        let files = if self.settings.format == MeshFormat::Obj { frames } else { 1 };
        ExportPlan { files, frames, bytes: self.size(frames) }
    }

    fn size(&self, frames: usize) -> u64 {
        let head = &self.session.head;
        let (points, frames) = (self.points.len() as u64, frames as u64);
        let (mut vertices, mut indices, mut uvs) = (0, 0, 0);
        for mesh in self.meshes.iter().map(|&mesh| &head.meshes[mesh]) {
            vertices += mesh.vertices.len() as u64;
            indices += mesh.indices.len() as u64;
            uvs += mesh.vertices.uvs.len() as u64;
        }
        match self.settings.format {
            // Lines of numbers take about ten characters each.
            MeshFormat::Obj => frames * (points * 36 + vertices * 36 + uvs * 26 + indices * 14),
            MeshFormat::Glb => vertices * 24 + uvs * 8 + indices * 4 + super::head::texture_bytes(head),
            MeshFormat::Pc2 => 32 + frames * points * 12,
            MeshFormat::Mdd => 8 + frames * (4 + points * 12),
        }
    }

    /// Writes the files. Returns their size in bytes.
    pub fn run(mut self, progress: Progress<'_>) -> Result<u64, ExportError> {
        // Before the first file is written: each may be an input.
        self.files().try_for_each(|path| self.output.with_path(path).check_place())?;
        let head = self.session.head.clone();
        match self.settings.format {
            MeshFormat::Glb => {
                if let Some(span) = self.settings.span {
                    span.show(&mut self.session, span.first);
                }
                let moment = Moment::from_session(&self.session);
                let baked = bake(&head, &self.meshes, &moment, self.settings.normals);
                let bytes = glb_with(&baked::baked_head(&head, baked, &moment), StoredDeltas::default(), progress)?;
                self.output.write(&bytes)?;
                Ok(bytes.len() as u64)
            }
            MeshFormat::Obj => self.write_objs(&head, progress),
            MeshFormat::Pc2 => self.write_cache(&head, CacheFormat::Pc2, progress),
            MeshFormat::Mdd => self.write_cache(&head, CacheFormat::Mdd, progress),
        }
    }

    fn write_objs(&mut self, head: &Head, progress: Progress<'_>) -> Result<u64, ExportError> {
        let (path, mut written) = (NumberedPath::new(self.output.path()), 0);
        for (done, frame) in self.frames().into_iter().enumerate() {
            let moment = self.moment(frame, done, progress)?;
            let baked = bake(head, &self.meshes, &moment, self.settings.normals);
            let text = files::obj(head, &baked, &moment, &self.points);
            let output = match frame {
                Some(frame) => self.output.with_path(path.path_at(frame)),
                None => self.output.clone(),
            };
            output.write(text.as_bytes())?;
            written += text.len() as u64;
        }
        Ok(written)
    }

    fn write_cache(&mut self, head: &Head, format: CacheFormat, progress: Progress<'_>) -> Result<u64, ExportError> {
        let (frames, span) = (self.frames(), self.settings.span);
        let first = span.map_or(0, |span| span.first);
        // A span has at most a million frames, and points were counted before.
        let header = format.header(self.points.len() as i32, frames.len() as i32, first, |sample| {
            span.map_or(0.0, |span| span.secs_of(first + i64::from(sample)))
        });
        let mut file = self.output.begin()?;
        let mut written = header.len() as u64;
        file.append(&header)?;
        for (done, frame) in frames.into_iter().enumerate() {
            let moment = self.moment(frame, done, progress)?;
            // A cache has no normals, so that none are recomputed.
            let baked = bake(head, &self.meshes, &moment, Normals::Authored);
            let sample = format.sample(positions_of(&self.points, &baked));
            file.append(&sample)?;
            written += sample.len() as u64;
        }
        file.finish()?;
        Ok(written)
    }

    fn frames(&self) -> Vec<Option<i64>> {
        self.settings.span.map_or_else(|| vec![None], |span| span.frames().map(Some).collect())
    }

    fn moment(&mut self, frame: Option<i64>, done: usize, progress: Progress<'_>) -> Result<Moment, ExportError> {
        if let Some((span, frame)) = self.settings.span.zip(frame) {
            let stage = format!("frame {frame} of {} to {}", span.first, span.last);
            progress.report(&stage, done as f32 / span.count() as f32)?;
            span.show(&mut self.session, frame);
        }
        Ok(Moment::from_session(&self.session))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
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
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn extension(self) -> &'static str {
        self.file_kind().extension()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Obj => "Wavefront OBJ",
            Self::Glb => "glTF binary",
            Self::Pc2 => "Point cache PC2",
            Self::Mdd => "Point cache MDD",
        }
    }

    pub fn file_kind(self) -> &'static FileKind {
        match self {
            Self::Obj => &file_kind::OBJ,
            Self::Glb => &file_kind::GLB,
            Self::Pc2 => &file_kind::PC2,
            Self::Mdd => &file_kind::MDD,
        }
    }

    pub fn from_path(path: &Path) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.file_kind().matches(path))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSettings {
    pub format: MeshFormat,
    pub normals: Normals,
    /// Whether meshes of which nothing can be seen, because their materials are wholly transparent, are left out.
    pub only_visible: bool,
    pub span: Option<FrameSpan>,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Vec2, Vec3, Vec4};

    use super::*;
    use smirk_face::head::{Asset, Mesh, Part, Target, UvColorDeltas, Vertices};
    use smirk_files::import;
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    #[test]
    fn baked_texture_coordinates_and_colours_are_those_of_the_moment() {
        let vertices = Vertices {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
            colors: vec![[0.5, 0.5, 0.5, 1.0]; 3],
            ..Vertices::default()
        };
        let uv_color_deltas = UvColorDeltas {
            rows: vec![1],
            uvs: vec![[Vec2::new(-0.5, 0.25), Vec2::ZERO]],
            colors: vec![Vec4::new(0.5, -0.25, 0.0, 0.0)],
        };
        let mesh = Mesh {
            vertices,
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets: vec![Target { name: "blush".into(), uv_color_deltas, ..Target::default() }],
            ..Mesh::default()
        };
        let head = Head::new(Asset { name: "a".into(), meshes: vec![mesh], ..Asset::default() });
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.channels_mut([0]).set(1.0);
        let folder = tempfile::tempdir().unwrap();
        let [glb, obj] = [MeshFormat::Glb, MeshFormat::Obj].map(|format| {
            let path = folder.path().join("a").with_extension(format.extension());
            let settings = MeshSettings { format, normals: Normals::Auto, only_visible: false, span: None };
            MeshExport::new(&session, settings, OutputPath::new(&path)).unwrap().run(Progress::NONE).unwrap();
            path
        });
        let written = import::open(&glb).unwrap();
        let vertices = &written.meshes[0].vertices;
        assert_eq!(vertices.uvs, [Vec2::ZERO, Vec2::new(0.5, 0.25), Vec2::Y]);
        assert_eq!(vertices.colors, [[0.5, 0.5, 0.5, 1.0], [1.0, 0.25, 0.5, 1.0], [0.5, 0.5, 0.5, 1.0]]);
        let text = std::fs::read_to_string(obj).unwrap();
        assert!(text.contains("vt 0 1\nvt 0.5 0.75\nvt 0 0\n"), "{text}");
    }

    #[test]
    fn the_format_follows_from_the_name() {
        assert_eq!(MeshFormat::from_path(Path::new("a.PC2")), Some(MeshFormat::Pc2));
        assert_eq!(MeshFormat::from_path(Path::new("a.fbx")), None);
        for &format in MeshFormat::ALL {
            assert_eq!(MeshFormat::from_path(&Path::new("a.b").with_extension(format.extension())), Some(format));
        }
    }
}
