//! Parses the statements of an OBJ file to a [`Model`]. A malformed statement is an error with its line; statements
//! without a meaning for polygons are ignored.

use std::borrow::Cow;
use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::statements::{Ignored, IgnoredStatements, Statement, Statements, text_of_name};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Subject};

pub(super) fn parse(text: &[u8], import: &mut Import<'_>) -> Result<Model, Fault> {
    let mut parser = Parser::default();
    let mut statements = Statements::new(text);
    import.begin("reading lines", 0.05);
    while let Some(statement) = statements.next() {
        let share = 1.0 - statements.bytes_left() as f32 / text.len() as f32;
        import.tick_at(0.05 + 0.6 * share)?;
        parser.read(&statement, import)?;
    }
    parser.finish(import)
}

/// The positions of the `v` statements alone, in their order.
pub(super) fn positions(text: &[u8]) -> Result<Vec<Vec3>, Fault> {
    let mut positions = Vec::new();
    for statement in Statements::new(text) {
        let mut words = statement.words();
        if words.next() == Some(b"v") {
            let ([x, y, z], _) = numbers(words, statement.line, "v", 3)?;
            positions.push(Vec3::new(x, y, z));
        }
    }
    Ok(positions)
}

const MAX_PARTS_BY_OBJECT: usize = 256;
const MAX_PARTS: usize = 4096;
const MAX_OBJECTS: usize = 4096;
const MAX_LIBRARIES: usize = 256;

#[derive(Default)]
struct Parser {
    model: Model,
    /// The index of the part of the next face; none until the first face after a change of object or material.
    part: Option<u32>,
    key: PartKey,
    part_of_key: HashMap<PartKey, u32>,
    smoothing: Option<u32>,
    ignored: IgnoredStatements,
}

impl Parser {
    fn read(&mut self, statement: &Statement<'_>, import: &mut Import<'_>) -> Result<(), Fault> {
        let mut words = statement.words();
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => self.read_position(words, statement.line)?,
            b"vt" => {
                let [u, v] = numbers(words, statement.line, "vt", 1)?.0;
                self.model.uvs.push(Vec2::new(u, v));
            }
            b"vn" => {
                let ([x, y, z], _) = numbers(words, statement.line, "vn", 3)?;
                self.model.normals.push(Vec3::new(x, y, z));
            }
            b"f" | b"fo" => self.read_face(words, statement.line, import)?,
            b"o" => {
                let object = self.name(statement).and_then(|name| self.model.objects.index_of(name, MAX_OBJECTS));
                self.change_part(|key| key.object = object);
            }
            b"usemtl" => {
                let material = self.name(statement).and_then(|name| self.model.materials.index_of(name, MAX_PARTS));
                if material.is_none() && !statement.argument().is_empty() {
                    self.ignored.count(Ignored::Material, statement.line);
                }
                self.change_part(|key| key.material = material);
            }
            b"mtllib" => {
                let (name, _) = text_of_name(statement.argument());
                let libraries = &mut self.model.libraries;
                if libraries.len() == MAX_LIBRARIES {
                    self.ignored.count(Ignored::Library, statement.line);
                } else if !libraries.contains(&name) && !name.is_empty() {
                    libraries.push(name);
                }
            }
            b"s" => {
                self.smoothing = Some(match words.next() {
                    None | Some(b"off") => 0,
                    Some(b"on") => 1,
                    // Groups are identified by number; a name counts as group 1.
                    Some(group) => text(group).parse().unwrap_or(1),
                });
            }
            b"p" | b"l" => self.ignored.count(Ignored::PointOrLine, statement.line),
            b"curv" | b"curv2" | b"surf" => self.ignored.count(Ignored::FreeForm, statement.line),
            b"g" | b"mg" | b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"parm" | b"trim" | b"hole" | b"scrv"
            | b"sp" | b"end" | b"con" | b"bevel" | b"c_interp" | b"d_interp" | b"lod" | b"maplib" | b"usemap"
            | b"shadow_obj" | b"trace_obj" | b"ctech" | b"stech" => {}
            _ => self.ignored.count(Ignored::Unknown, statement.line),
        }
        Ok(())
    }

    fn read_position<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>, line: usize) -> Result<(), Fault> {
        let ([x, y, z, w, g, b], count) = numbers(words, line, "v", 3)?;
        let position = Vec3::new(x, y, z);
        if !position.is_finite() {
            self.ignored.count(Ignored::Position, line);
        }
        if count >= 6 {
            self.model.colors.resize(self.model.positions.len(), [1.0; 3]);
            self.model.colors.push([w, g, b]);
        } else if !self.model.colors.is_empty() {
            self.model.colors.push([1.0; 3]);
        }
        self.model.positions.push(position);
        Ok(())
    }

    fn read_face<'w>(
        &mut self,
        words: impl Iterator<Item = &'w [u8]>,
        line: usize,
        import: &mut Import<'_>,
    ) -> Result<(), Fault> {
        let model = &mut self.model;
        let first_corner = model.corners.len();
        for (number, word) in words.enumerate() {
            // A face may be longer than the rest of the file.
            if number % 1024 == 1023 {
                import.tick()?;
            }
            let mut indices = word.split(|&byte| byte == b'/').map(|index| (!index.is_empty()).then_some(index));
            let [point, uv, normal] = [model.positions.len(), model.uvs.len(), model.normals.len()]
                .map(|count| indices.next().flatten().map(|index| index_of(index, count)));
            let point = match point {
                Some(point) => point.map_err(|problem| {
                    let problem = problem.of_part(&format!("the vertex of corner {}", quoted(&text(word))));
                    Fault::invalid(Subject::Numbered(Kind::Line, line), problem)
                })?,
                None => {
                    let problem = format!("{} is no corner of a face: it names no vertex", quoted(&text(word)));
                    return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), problem));
                }
            };
            // Without its texture coordinate or its normal, the corner is still one of the face.
            for (index, lacking) in [(&uv, Ignored::CornerUv), (&normal, Ignored::CornerNormal)] {
                if matches!(index, Some(Err(_))) {
                    self.ignored.count(lacking, line);
                }
            }
            let [uv, normal] = [uv, normal].map(|index| index.and_then(Result::ok).unwrap_or(NONE));
            model.corners.push(Corner { point, uv, normal });
        }
        if model.corners.len() - first_corner < 3 {
            model.corners.truncate(first_corner);
            self.ignored.count(Ignored::SmallFace, line);
            return Ok(());
        }
        let part = self.part(line);
        self.model.faces.push(Face {
            first_corner: first_corner as u32,
            part,
            smoothing: self.smoothing.unwrap_or(1),
            line: u32::try_from(line).unwrap_or(u32::MAX),
        });
        Ok(())
    }

    /// The name that a statement contains; none for an empty one.
    fn name(&mut self, statement: &Statement<'_>) -> Option<String> {
        let (name, was_repaired) = text_of_name(statement.argument());
        if was_repaired {
            self.ignored.count(Ignored::Name, statement.line);
        }
        (!name.is_empty()).then_some(name)
    }

    fn change_part(&mut self, change: impl FnOnce(&mut PartKey)) {
        change(&mut self.key);
        self.part = None;
    }

    /// The index of the part of the next face. Each part is a draw call, and a file may have thousands of objects:
    /// above a limit objects are merged, and above a higher limit materials too.
    fn part(&mut self, line: usize) -> u32 {
        if let Some(part) = self.part {
            return part;
        }
        let mut key = self.key;
        if self.model.parts.len() >= MAX_PARTS_BY_OBJECT && !self.part_of_key.contains_key(&key) {
            key.object = None;
        }
        let is_full = self.model.parts.len() >= MAX_PARTS && !self.part_of_key.contains_key(&key);
        if is_full && key.material.take().is_some() {
            self.ignored.count(Ignored::Material, line);
        }
        let parts = &mut self.model.parts;
        let part = *self.part_of_key.entry(key).or_insert_with(|| {
            parts.push(key);
            parts.len() as u32 - 1
        });
        self.part = Some(part);
        part
    }

    fn finish(mut self, import: &mut Import<'_>) -> Result<Model, Fault> {
        if !self.model.colors.is_empty() {
            self.model.colors.resize(self.model.positions.len(), [1.0; 3]);
        }
        self.check_indices(import)?;
        self.ignored.note(self.model.positions.len(), &mut import.notes);
        Ok(self.model)
    }

    /// Checked at the end, because a face may refer to vertices of later lines. Texture coordinates and normals that
    /// the file does not have are left out.
    fn check_indices(&mut self, import: &mut Import<'_>) -> Result<(), Fault> {
        let Self { model, ignored, .. } = self;
        let counts = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let mut ends = model.faces.iter().skip(1).map(|face| face.first_corner as usize);
        for face in &model.faces {
            import.tick()?;
            let end = ends.next().unwrap_or(model.corners.len());
            for (at, corner) in model.corners[face.first_corner as usize..end].iter_mut().enumerate() {
                if corner.point as usize >= counts[0] {
                    let (corner, index) = (at + 1, u64::from(corner.point) + 1);
                    let text = format!("corner {corner} of the face wants v {index}, the file has {}", counts[0]);
                    let problem = Problem::new(text).advise("it was cut off, or export it again");
                    return Err(Fault::invalid(Subject::Numbered(Kind::Line, face.line as usize), problem));
                }
                for (index, count, lacking) in [
                    (&mut corner.uv, counts[1], Ignored::CornerUv),
                    (&mut corner.normal, counts[2], Ignored::CornerNormal),
                ] {
                    if *index != NONE && *index as usize >= count {
                        *index = NONE;
                        ignored.count(lacking, face.line as usize);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Stands for the texture coordinate or normal of a corner that has none.
pub(super) const NONE: u32 = u32::MAX;

/// A corner of a face. Indices into the lists of [`Model`], checked; or [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// Into [`Model::positions`].
    pub point: u32,
    /// Into [`Model::uvs`].
    pub uv: u32,
    /// Into [`Model::normals`].
    pub normal: u32,
}

/// A polygon. Its corners end where those of the next face begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    /// Into [`Model::corners`].
    pub first_corner: u32,
    /// Into [`Model::parts`].
    pub part: u32,
    /// Its smoothing group: edges between faces of one group are smooth; 0 is no group.
    pub smoothing: u32,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartKey {
    /// Into [`Model::objects`].
    pub object: Option<u32>,
    /// Into [`Model::materials`].
    pub material: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Model {
    /// `v`, unchecked: some may not be finite.
    pub positions: Vec<Vec3>,
    /// sRGB colours, one per position; empty if no vertex has a colour.
    pub colors: Vec<[f32; 3]>,
    pub uvs: Vec<Vec2>,
    pub normals: Vec<Vec3>,
    pub corners: Vec<Corner>,
    /// Each has at least three corners.
    pub faces: Vec<Face>,
    /// In order of first use.
    pub parts: Vec<PartKey>,
    pub objects: Names,
    pub materials: Names,
    pub libraries: Vec<String>,
}

/// Names, each once, in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub list: Vec<String>,
    index_of: HashMap<String, u32>,
}

impl Names {
    /// The index of a name, which is added if it is new; none if there are `most` others.
    fn index_of(&mut self, name: String, most: usize) -> Option<u32> {
        if self.list.len() >= most && !self.index_of.contains_key(&name) {
            return None;
        }
        Some(*self.index_of.entry(name).or_insert_with_key(|name| {
            self.list.push(name.clone());
            self.list.len() as u32 - 1
        }))
    }
}

impl Model {
    pub(super) fn corners_of(&self, face: usize) -> &[Corner] {
        let first = self.faces[face].first_corner as usize;
        let end = self.faces.get(face + 1).map_or(self.corners.len(), |next| next.first_corner as usize);
        &self.corners[first..end]
    }
}

/// Parses up to `N` numbers, and returns how many there were. Missing ones are 0; fewer than `least` are an error.
pub(super) fn numbers<'w, const N: usize>(
    words: impl Iterator<Item = &'w [u8]>,
    line: usize,
    what: &str,
    least: usize,
) -> Result<([f32; N], usize), Fault> {
    let mut found = [0.0; N];
    let mut count = 0;
    for (slot, word) in found.iter_mut().zip(words) {
        let word = text(word);
        *slot = word.parse().map_err(|_| {
            let problem = Problem::new(format!("{what} has {} for a number", quoted(&word)));
            let has_comma = word.contains(',');
            let problem =
                if has_comma { problem.advise("numbers need a point, not a comma: export it again") } else { problem };
            Fault::invalid(Subject::Numbered(Kind::Line, line), problem)
        })?;
        count += 1;
    }
    if count < least {
        let problem = Problem::new(format!("{what} has {count} numbers, it needs {least}"))
            .advise("the file was cut off, or export it again");
        return Err(Fault::invalid(Subject::Numbered(Kind::Line, line), problem));
    }
    Ok((found, count))
}

/// Converts an index of OBJ, which counts from 1, or backwards from the end of the list if negative.
pub(super) fn index_of(word: &[u8], count: usize) -> Result<u32, Problem> {
    let index: i64 = text(word).parse().map_err(|_| Problem::new("is not a whole number"))?;
    let from_start = match index {
        0 => return Err(Problem::new("is 0").advise("OBJ counts from 1")),
        1.. => index - 1,
        _ => count as i64 + index,
    };
    if from_start < 0 {
        return Err(Problem::new(format!("counts back further than the {count} before it")));
    }
    u32::try_from(from_start).ok().filter(|&index| index != NONE).ok_or_else(|| Problem::new("is beyond any list"))
}

/// A word as text; bytes that are not UTF-8 are replaced.
pub(super) fn text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::budget::Budget;
    use smirk_base::progress::Progress;

    fn parse(text: &str) -> Result<(Model, Vec<smirk_face::head::Note>), Fault> {
        let mut import = Import::new(Budget::for_file(0), Progress::NONE);
        let model = super::parse(text.as_bytes(), &mut import);
        Ok((model?, import.take_notes()))
    }

    const THREE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

    #[test]
    fn indices_count_from_the_start_or_backwards() {
        let text = format!("{THREE}vt 0 0\nvn 0 0 1\nf -3/1/-1 2//1 3/-1 # a comment\nv 9 9 9\nf -1 1 5\nv 8 8 8\n");
        let (model, notes) = parse(&text).unwrap();
        let corner = |point, uv, normal| Corner { point, uv, normal };
        assert_eq!(model.corners_of(0), [corner(0, 0, 0), corner(1, NONE, 0), corner(2, 0, NONE)]);
        assert_eq!(model.corners_of(1), [corner(3, NONE, NONE), corner(0, NONE, NONE), corner(4, NONE, NONE)]);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn errors_contain_the_line() {
        for (text, words) in [
            ("v 0 0,5 0", &["line 1", "0,5", "comma"][..]),
            ("\nv 1 2", &["line 2", "v has 2 numbers, it needs 3"]),
            ("v 1 2 3\nvn 1 x 2", &["line 2", "\"x\""]),
            ("v 0 0 0\nf 1 1 2", &["line 2", "corner 3", "wants v 2, the file has 1"]),
            ("v 0 0 0\nf 0 1 1", &["line 2", "counts from 1"]),
            ("v 0 0 0\nf -2 1 1", &["line 2", "counts back further than the 1 before it"]),
            ("v 0 0 0\nf 99999999999 1 1", &["line 2", "beyond any list"]),
            ("v 0 0 0\nf 1 1 1e9", &["line 2", "not a whole number"]),
            ("v 0 0 0\nf 1 1 /1", &["line 2", "names no vertex"]),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(words.iter().all(|word| message.contains(word)), "{text}: {message}");
        }
    }

    #[test]
    fn texture_coordinates_and_normals_that_are_not_there_are_left_out() {
        for (corners, kept, words) in [
            ("1/1/0 2/1/1 3/1/4", [(0, NONE), (0, 0), (0, NONE)], &["2 corners name a vn"][..]),
            ("1/0/1 2/9/1 3/1/1", [(NONE, 0), (NONE, 0), (0, 0)], &["2 corners name a vt"]),
            (
                "1/-2/1 2/x/1 3//1e9",
                [(NONE, 0), (NONE, 0), (NONE, NONE)],
                &["2 corners name a vt", "1 corners name a vn"],
            ),
            ("1/99999999999/1 2/1/-9 3", [(NONE, 0), (0, NONE), (NONE, NONE)], &["vt", "vn"]),
        ] {
            let (model, notes) = parse(&format!("{THREE}vt 0 0\nvn 0 0 1\nf {corners}\n")).unwrap();
            let found: Vec<_> = model.corners_of(0).iter().map(|corner| (corner.uv, corner.normal)).collect();
            assert_eq!(found, kept, "{corners}");
            assert_eq!(notes.len(), words.len(), "{corners}: {notes:?}");
            for (note, words) in notes.iter().zip(words) {
                assert!(note.message.contains(words) && note.message.contains("line 6"), "{corners}: {note:?}");
            }
        }
        let (model, notes) =
            parse(&format!("{THREE}f 1/1/1 2/2/2 3/1/1\nf 1//1 2//1 3//2\nvt 0 0\nvn 0 0 1\n")).unwrap();
        assert_eq!((model.corners_of(0)[1].uv, model.corners_of(1)[1].normal), (NONE, 0));
        assert!(notes.len() == 2 && notes[1].message.contains("2 corners"), "later lines are known: {notes:?}");
    }

    #[test]
    fn ignored_statements_are_noted_with_their_line() {
        let text = format!("{THREE}v nan 0 0\nf 1 2\nl 1 2\nsurf x\nthis is no obj\nusemtl \u{fffd}\nf 1 2 3\n");
        let mut bytes = text.into_bytes();
        let at = bytes.windows(3).position(|bytes| bytes == "\u{fffd}".as_bytes()).unwrap();
        bytes.splice(at..at + 3, [0xE9]);
        let mut import = Import::new(Budget::for_file(0), Progress::NONE);
        let model = super::parse(&bytes, &mut import).unwrap();
        assert_eq!((model.faces.len(), model.materials.list[0].as_str()), (1, "\u{fffd}"));
        let notes = import.take_notes();
        let said: Vec<_> = notes.iter().map(|note| note.message.rsplit_once('(').unwrap().1).collect();
        assert_eq!(said, ["line 4)", "line 5)", "line 6)", "line 7)", "line 8)", "line 9)"]);
    }

    #[test]
    fn objects_and_materials_make_parts_in_order_of_use() {
        let text = format!(
            "{THREE}f 1 2 3\no eye\nusemtl white\nf 1 2 3\nusemtl black\nf 1 2 3\nusemtl white\ns off\nf 1 2 3"
        );
        let (model, _) = parse(&text).unwrap();
        let parts: Vec<u32> = model.faces.iter().map(|face| face.part).collect();
        assert_eq!((parts, model.materials.list), (vec![0, 1, 2, 1], vec!["white".to_owned(), "black".to_owned()]));
        assert_eq!(model.faces.iter().map(|face| face.smoothing).collect::<Vec<_>>(), [1, 1, 1, 0]);
    }
}
