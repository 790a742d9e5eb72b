//! Arrays of NumPy: the positions of the points of a mesh at every frame, as research on talking heads keeps them.
//!
//! - **`.npy`**: `\x93NUMPY`, a version, the length of a header, the header, which is a dictionary of Python with the
//!   type of the numbers, their order and the shape of the array; then the numbers.
//! - **`.npz`**: a ZIP archive with an `.npy` file for each array. The path of one of them is that of the archive and
//!   the name of the array: `run.npz/vertices`.
//!
//! From the format's description in NumPy's `numpy/lib/format.py`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use glam::Vec3;
use zip::ZipArchive;

use super::MOST_FRAMES;
use crate::import::{Fault, Import};
use smirk_base::file_kind::NUMPY;
use smirk_base::names::quoted;
use smirk_base::regular_file;
use smirk_base::watch::before_reading;
use smirk_face::head::{Subject, listed};

/// The positions of all points, frame by frame.
#[derive(Debug)]
pub(super) struct PointArray {
    positions: Vec<Vec3>,
    pub points: usize,
}

/// What the header of an array says of its numbers.
#[derive(Debug, PartialEq)]
struct Header {
    is_double: bool,
    is_big_endian: bool,
    /// Whether the first index changes fastest.
    is_fortran: bool,
    shape: Vec<usize>,
}

const SIGNATURE: &[u8] = b"\x93NUMPY";
/// NumPy itself reads no longer header unless it is told to.
const LONGEST_HEADER: usize = 1 << 16;
/// An array with fewer points is none of a face.
const FEWEST_POINTS: usize = 12;

/// The file of a path, and the name of an array in it; none for a path that names no file of arrays.
fn file_and_array(path: &Path) -> Option<(&Path, Option<&str>)> {
    let file = path.ancestors().find(|file| NUMPY.matches(file) && file.is_file())?;
    let array = path.strip_prefix(file).ok()?.to_str()?;
    Some((file, Some(array).filter(|array| !array.is_empty())))
}

/// Whether a path names a file of arrays, or one of its arrays.
pub(in crate::import) fn is_of_arrays(path: &Path) -> bool {
    NUMPY.matches(path) || file_and_array(path).is_some()
}

/// The paths of the arrays of a file that may be points over time, each with its shape in words. An empty list if the
/// path names one of them, or if the file cannot be read, which opening it says.
pub fn arrays_in(path: &Path) -> Vec<(PathBuf, String)> {
    let Some((file, None)) = file_and_array(path) else { return Vec::new() };
    let Ok(mut archive) = open_archive(file) else { return Vec::new() };
    let names = names_in(&archive);
    let arrays = names.into_iter().filter_map(|name| {
        let header = read_header(&mut archive.by_name(&format!("{name}.npy")).ok()?).ok()?;
        let [frames, points] = header.frames_and_points()?;
        Some((file.join(name), format!("{frames} × {points} vertices")))
    });
    arrays.collect()
}

fn open_archive(file: &Path) -> Result<ZipArchive<std::fs::File>, Fault> {
    before_reading(file);
    regular_file::check(file)?;
    let archive = ZipArchive::new(regular_file::open(file)?);
    archive.map_err(|error| Fault::Unfit(format!("is no archive of NumPy arrays: {error}; save it again")))
}

/// The names of the arrays of an archive, in order.
fn names_in(archive: &ZipArchive<std::fs::File>) -> Vec<String> {
    let all = archive.file_names().filter_map(Result::ok);
    let mut names: Vec<String> = all.filter_map(|name| Some(name.strip_suffix(".npy")?.to_owned())).collect();
    names.sort();
    names
}

impl PointArray {
    pub(super) fn open(path: &Path, import: &mut Import<'_>) -> Result<Self, Fault> {
        let (file, array) = file_and_array(path).unwrap_or((path, None));
        let mut start = Vec::new();
        before_reading(file);
        regular_file::check(file)?;
        regular_file::open(file)?.take(SIGNATURE.len() as u64).read_to_end(&mut start)?;
        if start == SIGNATURE {
            if let Some(array) = array {
                return Err(Fault::Unfit(format!("holds one array, and none that is named {}", quoted(array))));
            }
            let file = regular_file::open(file)?;
            return Self::read(&mut io::BufReader::new(file), import);
        }
        let mut archive = open_archive(file)?;
        let found = arrays_in(file);
        let name = match (array, &found[..]) {
            (Some(array), _) => array.to_owned(),
            (None, [(path, _)]) => path.strip_prefix(file).unwrap_or(path).to_string_lossy().into_owned(),
            (None, []) => {
                let names: Vec<String> = names_in(&archive).iter().map(|name| quoted(name)).collect();
                let text =
                    format!("has no array of vertices over time (frames × vertices × 3); it has {}", listed(&names, 8));
                return Err(Fault::Unfit(text));
            }
            (None, several) => {
                let names: Vec<String> = several
                    .iter()
                    .map(|(path, shape)| format!("{} ({shape})", path.strip_prefix(file).unwrap_or(path).display()))
                    .collect();
                let text = format!(
                    "has several arrays of vertices: {}; name one after the file, as in {}",
                    listed(&names, 8),
                    several[0].0.display()
                );
                return Err(Fault::Unfit(text));
            }
        };
        let Ok(mut entry) = archive.by_name(&format!("{name}.npy")) else {
            return Err(Fault::Unfit(format!("has no array that is named {}", quoted(&name))));
        };
        Self::read(&mut entry, import)
    }

    fn read(from: &mut impl Read, import: &mut Import<'_>) -> Result<Self, Fault> {
        let header = read_header(from)?;
        let Some([frames, points]) = header.frames_and_points() else {
            let shape: Vec<String> = header.shape.iter().map(usize::to_string).collect();
            let shape = shape.join(" × ");
            let text = format!("has the shape {shape}; vertices over time are frames × vertices × 3");
            return Err(Fault::Unfit(text));
        };
        if frames > MOST_FRAMES {
            let text = format!("has {frames} frames, more than the {MOST_FRAMES} that are read; save it in parts");
            return Err(Fault::Unfit(text));
        }
        let count = frames.checked_mul(points * 3).ok_or_else(|| Fault::Unfit("is too large".into()))?;
        import.budget.spend(count as u64 * 4, &Subject::File)?;
        let mut numbers = header.read_numbers(from, count, import)?;
        if header.is_fortran && numbers.len() == count {
            numbers = in_c_order(&numbers, [frames, points]);
        }
        let there = numbers.len() / (points * 3);
        if there == 0 || (header.is_fortran && there < frames) {
            return Err(Fault::Unfit(format!(
                "was cut off: its {frames} frames of {points} vertices are not all there"
            )));
        }
        if there < frames {
            import.notes.warn(Subject::File, format!("was cut off: {there} of its {frames} frames are there"));
        }
        let positions = numbers.as_chunks::<3>().0[..there * points].iter().map(|&at| Vec3::from_array(at)).collect();
        Ok(Self { positions, points })
    }

    pub(super) fn frames(&self) -> usize {
        self.positions.len() / self.points
    }

    pub(super) fn positions(&self, frame: usize) -> &[Vec3] {
        &self.positions[frame * self.points..][..self.points]
    }
}

/// The same numbers with the last index changing fastest.
fn in_c_order(numbers: &[f32], [frames, points]: [usize; 2]) -> Vec<f32> {
    let mut ordered = Vec::with_capacity(numbers.len());
    for frame in 0..frames {
        for point in 0..points {
            ordered.extend((0..3).map(|axis| numbers[frame + frames * (point + points * axis)]));
        }
    }
    ordered
}

fn read_header(from: &mut impl Read) -> Result<Header, Fault> {
    let broken = || Fault::Unfit("is no NumPy array: its header is broken; save it again".into());
    let mut start = [0; 8];
    from.read_exact(&mut start).map_err(|_| broken())?;
    if !start.starts_with(SIGNATURE) {
        return Err(broken());
    }
    let mut length = [0; 4];
    let bytes = if start[6] == 1 { 2 } else { 4 };
    from.read_exact(&mut length[..bytes]).map_err(|_| broken())?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_HEADER {
        return Err(broken());
    }
    let mut header = vec![0; length];
    from.read_exact(&mut header).map_err(|_| broken())?;
    let header = String::from_utf8(header).map_err(|_| broken())?;
    let value = |key: &str| Some(header.split_once(&format!("'{key}':"))?.1.trim_start());
    let (order, shape) = (value("fortran_order").ok_or_else(broken)?, value("shape").ok_or_else(broken)?);
    let descr = value("descr").ok_or_else(broken)?;
    let kind = descr.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map_or(descr, |(kind, _)| kind);
    let (is_big_endian, kind) = match kind.strip_prefix('>') {
        Some(kind) => (true, kind),
        None => (false, kind.trim_start_matches(['<', '='])),
    };
    let is_double = match kind {
        "f4" => false,
        "f8" => true,
        _ => {
            let kind: String = kind.chars().take(40).collect();
            let advice = "save it as numbers: numpy.save('frames.npy', array.astype('float32'))";
            return Err(Fault::Unfit(format!(
                "has numbers of the type {}, and Smirk reads f4 and f8; {advice}",
                quoted(&kind)
            )));
        }
    };
    let shape = shape.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(broken)?.0;
    let shape = shape.split(',').map(str::trim).filter(|side| !side.is_empty()).map(str::parse);
    let shape = shape.collect::<Result<Vec<usize>, _>>().map_err(|_| broken())?;
    Ok(Header { is_double, is_big_endian, is_fortran: order.starts_with("True"), shape })
}

impl Header {
    /// The numbers of frames and points; `None` if the array is not of points.
    fn frames_and_points(&self) -> Option<[usize; 2]> {
        // An array of one sequence may have an index for it.
        let shape = match &self.shape[..] {
            [1, shape @ ..] if shape.len() == 3 => shape,
            shape => shape,
        };
        let found = match *shape {
            [frames, points, 3] => [frames, points],
            [points, 3] => [1, points],
            [frames, numbers] if numbers % 3 == 0 && !self.is_fortran => [frames, numbers / 3],
            _ => return None,
        };
        (found[0] > 0 && found[1] >= FEWEST_POINTS && found[1] < 1 << 24).then_some(found)
    }

    /// At most `count` numbers; fewer if the file was cut off.
    fn read_numbers(&self, from: &mut impl Read, count: usize, import: &Import<'_>) -> Result<Vec<f32>, Fault> {
        let bytes = if self.is_double { 8 } else { 4 };
        let mut numbers = Vec::new();
        let mut piece = vec![0; 1 << 20];
        while numbers.len() < count {
            import.progress.report("reading the array", numbers.len() as f32 / count as f32)?;
            let wanted = piece.len().min((count - numbers.len()) * bytes);
            let mut there = 0;
            while there < wanted {
                match from.read(&mut piece[there..wanted]) {
                    Ok(0) => break,
                    Ok(read) => there += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error.into()),
                }
            }
            let there = &piece[..there];
            match (self.is_double, self.is_big_endian) {
                (false, false) => numbers.extend(there.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it))),
                (false, true) => numbers.extend(there.as_chunks().0.iter().map(|it| f32::from_be_bytes(*it))),
                (true, false) => numbers.extend(there.as_chunks().0.iter().map(|it| f64::from_le_bytes(*it) as f32)),
                (true, true) => numbers.extend(there.as_chunks().0.iter().map(|it| f64::from_be_bytes(*it) as f32)),
            }
            if there.len() < wanted {
                break;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::import::budget::Budget;
    use smirk_base::progress::Progress;

    /// An `.npy` file of version 1.
    fn npy(descr: &str, fortran: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut bytes = [SIGNATURE, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        bytes.extend(numbers);
        bytes
    }

    fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in arrays {
            archive.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|at| at as f32 * 0.5).collect()
    }

    fn of_f4(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Opens a file of this content at a path below a folder, and says its notes.
    fn open_at(path: &str, content: &[u8]) -> Result<(PointArray, String), Fault> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(path);
        let file = path.ancestors().find(|file| NUMPY.matches(file)).unwrap();
        std::fs::write(file, content).unwrap();
        let mut import = Import::new(Budget::for_file(content.len() as u64), Progress::NONE);
        let array = PointArray::open(&path, &mut import)?;
        let notes = import.take_notes().iter().map(|note| format!("{note}\n")).collect();
        Ok((array, notes))
    }

    #[test]
    fn every_order_type_and_shape_gives_the_same_points() {
        let flat = numbers(2 * 12 * 3);
        let fortran: Vec<f32> = (0..72).map(|at| flat[(at % 2 * 12 + at / 2 % 12) * 3 + at / 24]).collect();
        let big: Vec<u8> = flat.iter().flat_map(|number| number.to_be_bytes()).collect();
        let doubles: Vec<u8> = flat.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect();
        for content in [
            npy("<f4", "False", "(2, 12, 3)", &of_f4(&flat)),
            npy("<f4", "False", "(1, 2, 12, 3)", &of_f4(&flat)),
            npy("<f4", "False", "(2, 36)", &of_f4(&flat)),
            npy("<f4", "True", "(2, 12, 3)", &of_f4(&fortran)),
            npy(">f4", "False", "(2, 12, 3)", &big),
            npy("<f8", "False", "(2, 12, 3)", &doubles),
        ] {
            let (array, notes) = open_at("a.npy", &content).unwrap();
            assert_eq!((array.frames(), array.points, notes.as_str()), (2, 12, ""));
            assert_eq!(array.positions(1)[2], Vec3::new(21.0, 21.5, 22.0));
        }
        let (still, _) = open_at("a.npy", &npy("<f4", "False", "(24, 3)", &of_f4(&flat))).unwrap();
        assert_eq!((still.frames(), still.points), (1, 24));
    }

    #[test]
    fn an_archive_is_opened_by_the_name_of_its_array() {
        let points = |frames: usize| npy("<f4", "False", &format!("({frames}, 12, 3)"), &of_f4(&numbers(frames * 36)));
        let other = || ("betas", npy("<f4", "False", "(10,)", &of_f4(&numbers(10))));
        let (array, _) = open_at("a.npz", &npz(&[other(), ("vertices", points(3))])).unwrap();
        assert_eq!(array.frames(), 3);
        let two = npz(&[other(), ("truth", points(2)), ("vertices", points(3))]);
        assert_eq!(open_at("a.npz/truth", &two).unwrap().0.frames(), 2);
        let problem = |path: &str, content: &[u8]| open_at(path, content).unwrap_err().to_string();
        let several = problem("a.npz", &two);
        assert!(several.contains("truth (2 × 12 vertices), vertices (3 × 12 vertices)"), "{several}");
        assert!(several.contains("a.npz/truth"), "{several}");
        assert!(problem("a.npz/nose", &two).contains("no array that is named \"nose\""));
        assert!(problem("a.npz", &npz(&[other()])).contains("it has \"betas\""));
    }

    #[test]
    fn broken_files_are_refused_and_cut_ones_are_read_as_far_as_they_go() {
        let whole = npy("<f4", "False", "(3, 12, 3)", &of_f4(&numbers(108)));
        let (array, notes) = open_at("a.npy", &whole[..whole.len() - 8]).unwrap();
        assert!(array.frames() == 2 && notes.contains("2 of its 3 frames"), "{notes}");
        for (content, part) in [
            (b"PK\x03\x04".to_vec(), "no archive"),
            (whole[..30].to_vec(), "header is broken"),
            (npy("|O", "False", "(3, 12, 3)", b""), "float32"),
            (npy("<f4", "False", "(3, 12, 4)", b""), "has the shape 3 × 12 × 4"),
            (npy("<f4", "False", "(99999999999999999, 12, 3)", b""), "frames"),
            (npy("<f4", "False", "(100000, 16000000, 3)", b""), "memory"),
            (npy("<f4", "False", "(2, 12, 3)", &[0; 40]), "cut off"),
            (npy("<f4", "False", "(-2, 12, 3)", b""), "broken"),
        ] {
            let problem = open_at("a.npy", &content).unwrap_err().to_string();
            assert!(problem.contains(part), "{part}: {problem}");
        }
    }
}
