//! The material libraries of an OBJ file (`.mtl`): colour, roughness, alpha and the colour texture. None of it is
//! required: the head opens without materials that are missing or broken.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::statements::{Statement, Statements, text_of_name};
use crate::import::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use crate::import::sidecar::{ModelFolder, fetch_end_of_path, has_end_of_path};
use crate::import::tiles::{Tile, TiledMaterials, is_tiled, name_of_material, path_of_tile};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{AlphaMode, Encoding, Kind, Material, Mesh, Note, Notes, Sampler, Subject, Texture, listed};

/// The materials that a model uses, in its order, and their textures. The parts of `mesh` have, as materials, indices
/// into `names`, or their number for a part without a material; afterwards indices into the materials. A material whose
/// texture has several tiles becomes one for each tile, of which the first takes its place.
pub(super) fn read(
    libraries: &[String],
    names: &[String],
    mesh: &mut Mesh,
    folder: Option<&ModelFolder>,
    import: &mut Import<'_>,
) -> Result<(Vec<Material>, Vec<Texture>), Fault> {
    /// The largest number of words of a statement that are tried as names of files.
    const MAX_WORDS: usize = 256;
    import.begin("reading materials", 0.85);
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let (mut found, mut problems) = (HashMap::new(), Vec::new());
    for library in libraries {
        import.tick()?;
        // The statement contains one name with spaces, or several names, perhaps in quotation marks.
        let whole = read_library(unquoted(library), folder, &wanted);
        let words = words_of(library);
        match whole {
            Ok(materials) => found.extend(materials),
            Err(problem) if words.len() == 1 => problems.push(problem),
            Err(_) => {
                for word in words.into_iter().take(MAX_WORDS) {
                    import.tick()?;
                    match read_library(word, folder, &wanted) {
                        Ok(materials) => found.extend(materials),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
        }
    }
    for problem in &problems {
        import.notes.warn(Subject::All(Kind::ObjMaterialLibrary), format!("{problem}; shown without its materials"));
    }
    let missing: Vec<String> =
        names.iter().filter(|name| !found.contains_key(*name)).map(|name| quoted(name)).collect();
    if !missing.is_empty() && problems.is_empty() {
        let message = format!("{} are in no file of materials; shown plain", listed(&missing, 8));
        import.notes.push(if libraries.is_empty() {
            Note::info(Subject::All(Kind::ObjMaterialUse), message)
        } else {
            Note::warning(Subject::All(Kind::ObjMaterialUse), message)
        });
    }
    let mut textures = TextureCache::new(folder);
    let mut materials = Vec::with_capacity(names.len());
    let mut with_tiles: HashMap<usize, MtlMaterial> = HashMap::new();
    let mut tiled = TiledMaterials::default();
    for (index, name) in names.iter().enumerate() {
        import.tick()?;
        let plain = Material { name: name.clone(), ..Material::default() };
        materials.push(match found.remove(name) {
            // Materials with tiles follow from the parts that have them.
            Some(material) if material.is_tiled(folder) => {
                tiled.insert(index);
                with_tiles.insert(index, material);
                plain
            }
            Some(material) => material.into_material(name, &mut textures, &mut import.notes),
            None => plain,
        });
    }
    if mesh.parts.iter().any(|part| part.material == materials.len()) {
        materials.push(Material::default());
    }
    tiled.split(mesh, &mut materials, |index, tile| {
        import.tick()?;
        let (name, material) = (name_of_material(&names[index], tile), with_tiles[&index].of_tile(tile));
        Ok(material.into_material(&name, &mut textures, &mut import.notes))
    })?;
    Ok((materials, textures.textures))
}

fn read_library(
    name: &str,
    folder: Option<&ModelFolder>,
    wanted: &HashSet<&str>,
) -> Result<HashMap<String, MtlMaterial>, Fault> {
    const MAX_FILE_BYTES: u64 = 1 << 26;
    let bytes = fetch_end_of_path(name, folder, MAX_FILE_BYTES, &Subject::All(Kind::ObjMaterialLibrary))?;
    Ok(parse(&bytes, wanted))
}

fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// The names in a statement of several: those in quotation marks may have spaces.
fn words_of(names: &str) -> Vec<&str> {
    // Every second piece was between quotation marks.
    let pieces = names.split('"').enumerate();
    let words =
        pieces.flat_map(|(at, piece)| if at % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() });
    words.filter(|word| !word.is_empty()).collect()
}

#[derive(Clone, Debug, Default, PartialEq)]
struct MtlMaterial {
    color: Option<[f32; 3]>,
    alpha: Option<f32>,
    shininess: Option<f32>,
    roughness: Option<f32>,
    metallic: Option<f32>,
    color_map: Option<String>,
    alpha_map: Option<String>,
    /// Statements with a visible effect that is not supported.
    unsupported: BTreeSet<String>,
}

fn parse(text: &[u8], wanted: &HashSet<&str>) -> HashMap<String, MtlMaterial> {
    let mut materials = HashMap::new();
    let mut current: Option<(String, MtlMaterial)> = None;
    for statement in Statements::new(super::super::file::without_byte_order_mark(text)) {
        let Some(keyword) = statement.words().next() else { continue };
        if keyword.eq_ignore_ascii_case(b"newmtl") {
            materials.extend(current.take());
            let (name, _) = text_of_name(statement.argument());
            current = wanted.contains(name.as_str()).then(|| (name, MtlMaterial::default()));
        } else if let Some((_, material)) = &mut current {
            material.read(keyword, &statement);
        }
    }
    materials.extend(current);
    materials
}

impl MtlMaterial {
    fn read(&mut self, keyword: &[u8], statement: &Statement<'_>) {
        let mut numbers =
            statement.words().skip(1).map_while(|word| number_of(word).filter(|number| number.is_finite()));
        // Exporters differ in the capitals of keywords.
        match &keyword.to_ascii_lowercase()[..] {
            b"kd" => {
                let Some(r) = numbers.next() else { return };
                let (g, b) = (numbers.next().unwrap_or(r), numbers.next().unwrap_or(r));
                self.color = Some([r, g, b].map(|share| share.clamp(0.0, 1.0)));
            }
            b"d" => self.alpha = numbers.next().or(self.alpha),
            b"tr" => self.alpha = numbers.next().map(|transparency| 1.0 - transparency).or(self.alpha),
            b"ns" => self.shininess = numbers.next(),
            b"pr" => self.roughness = numbers.next(),
            b"pm" => self.metallic = numbers.next(),
            b"map_kd" => {
                self.color_map = map_name(statement);
                let ignored = ignored_options(statement);
                self.unsupported.extend(ignored.into_iter().map(|what| format!("{what} of its map_Kd")));
            }
            b"map_d" => self.alpha_map = map_name(statement),
            b"ke" if numbers.any(|number| number > 0.0) => drop(self.unsupported.insert("Ke".into())),
            b"map_bump" | b"bump" | b"norm" | b"map_kn" | b"disp" | b"map_ks" | b"map_ke" | b"map_ns" | b"map_pr"
            | b"map_pm" => drop(self.unsupported.insert(String::from_utf8_lossy(keyword).into_owned())),
            _ => {}
        }
    }

    fn is_tiled(&self, folder: Option<&ModelFolder>) -> bool {
        self.color_map.as_deref().is_some_and(|map| is_tiled(map, |path| has_end_of_path(path, folder)))
    }

    fn of_tile(&self, tile: Tile) -> Self {
        let [color_map, alpha_map] = [&self.color_map, &self.alpha_map]
            .map(|map| map.as_ref().map(|map| path_of_tile(map, tile).unwrap_or_else(|| map.clone())));
        Self { color_map, alpha_map, ..self.clone() }
    }

    fn into_material(self, name: &str, textures: &mut TextureCache<'_>, notes: &mut Notes) -> Material {
        let subject = Subject::named(Kind::Material, name);
        let plain = Material::default();
        let base_color_texture = self.color_map.as_ref().and_then(|map| match textures.find(map, &subject) {
            Ok(texture) => Some(texture.into()),
            Err(problem) => {
                notes.warn(&subject, format!("shown without its colour texture: {problem}"));
                None
            }
        });
        let alpha_in_texture = self.alpha_map.is_some() && self.alpha_map == self.color_map;
        if self.alpha_map.is_some() && !alpha_in_texture {
            notes.warn(&subject, "its map_d is not shown: alpha is read from the colour texture only");
        }
        if !self.unsupported.is_empty() {
            let unsupported: Vec<String> = self.unsupported.into_iter().collect();
            notes.warn(&subject, format!("shown without {}", unsupported.join(", ")));
        }
        // Exporters write a black colour where only the texture is meant.
        let color = self.color.filter(|color| base_color_texture.is_none() || *color != [0.0; 3]);
        let without_color = if base_color_texture.is_some() { [1.0; 3] } else { [0.8; 3] };
        let [r, g, b] = color.unwrap_or(without_color);
        let alpha = self.alpha.map_or(1.0, |alpha| alpha.clamp(0.0, 1.0));
        // The conversion from shininess to roughness is Blender's.
        Material {
            name: name.to_owned(),
            base_color: [r, g, b, alpha],
            base_color_texture,
            metallic: self.metallic.map_or(plain.metallic, |metallic| metallic.clamp(0.0, 1.0)),
            roughness: self
                .roughness
                .or(self.shininess.map(|shininess| 1.0 - (shininess.clamp(0.0, 1000.0) / 1000.0).sqrt()))
                .unwrap_or(plain.roughness)
                .clamp(0.0, 1.0),
            alpha: if alpha < 1.0 || alpha_in_texture { AlphaMode::Blend } else { AlphaMode::Opaque },
            ..plain
        }
    }
}

/// The numbers or words that an option of a texture statement has after it: at least one. Those of a translation, a
/// scale, a turbulence and a range may be fewer numbers.
fn most_values(option: &[u8]) -> usize {
    match &option.to_ascii_lowercase()[..] {
        b"-o" | b"-s" | b"-t" => 3,
        b"-mm" => 2,
        _ => 1,
    }
}

/// The file name in a texture statement, which follows the options (`-s 1 1 1`, `-clamp on` …).
fn map_name(statement: &Statement<'_>) -> Option<String> {
    let mut rest = statement.argument();
    while rest.first() == Some(&b'-') {
        let mut words = rest.splitn(2, u8::is_ascii_whitespace);
        let option = words.next()?;
        rest = words.next()?.trim_ascii_start();
        let most = most_values(option);
        for _ in 0..most {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if most > 1 && number_of(word).is_none() {
                break;
            }
            rest = after.trim_ascii_start();
        }
    }
    let (name, _) = text_of_name(rest);
    let name = unquoted(&name);
    (!name.is_empty()).then(|| name.to_owned())
}

fn number_of(word: &[u8]) -> Option<f32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// What the options of a texture statement ask for and is not shown.
fn ignored_options(statement: &Statement<'_>) -> BTreeSet<&'static str> {
    let words: Vec<&[u8]> = statement.words().collect();
    words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| {
            let mut values = words[at + 1..].iter().take(most_values(word)).map_while(|word| number_of(word));
            match &word.to_ascii_lowercase()[..] {
                b"-o" | b"-t" if values.any(|number| number != 0.0) => Some("the offset and scale"),
                b"-s" if values.any(|number| number != 1.0) => Some("the offset and scale"),
                b"-mm" if values.ne([0.0, 1.0]) => Some("the range (-mm)"),
                b"-imfchan" => Some("the choice of a channel (-imfchan)"),
                _ => None,
            }
        })
        .collect()
}

/// The textures decoded so far, by path: each file is decoded once.
struct TextureCache<'a> {
    folder: Option<&'a ModelFolder>,
    textures: Vec<Texture>,
    known: HashMap<String, Result<usize, Problem>>,
    budget: ImageBudget,
}

impl<'a> TextureCache<'a> {
    fn new(folder: Option<&'a ModelFolder>) -> Self {
        Self { folder, textures: Vec::new(), known: HashMap::new(), budget: ImageBudget::default() }
    }

    fn find(&mut self, path: &str, subject: &Subject) -> Result<usize, Problem> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = self.decode(path, subject).map(|texture| {
            self.textures.push(texture);
            self.textures.len() - 1
        });
        self.known.insert(path.to_owned(), found.clone());
        found
    }

    fn decode(&mut self, path: &str, subject: &Subject) -> Result<Texture, Problem> {
        let bytes = fetch_end_of_path(path, self.folder, MAX_IMAGE_FILE_BYTES, subject)?;
        let image = self.budget.decode(&bytes).map_err(|problem| format!("{} {problem}", quoted(path)))?;
        Ok(Texture { name: path.to_owned(), image, encoding: Encoding::Srgb, sampler: Sampler::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_textures_follow_the_options() {
        for (text, expected) in [
            ("map_Kd skin.png", Some("skin.png")),
            ("map_Kd -s 1 1 1 -o 0.5 my skin.png", Some("my skin.png")),
            ("map_Kd -clamp on -bm 0.3 a.png", Some("a.png")),
            ("map_Kd -s 2 2 a.png", Some("a.png")),
            ("map_Kd -mm 0 1 skin.png", Some("skin.png")),
            ("map_Kd -MM 0.5 skin.png", Some("skin.png")),
            ("map_Kd -imfchan r -blendu on -texres 512 skin.png", Some("skin.png")),
            ("map_kd -s 1 1 1 \"my skin.png\"", Some("my skin.png")),
            ("map_Kd \"", Some("\"")),
            ("map_Kd \"\"", None),
            ("map_Kd -s", None),
            ("map_Kd", None),
        ] {
            let statement = Statements::new(text.as_bytes()).next().unwrap();
            assert_eq!(map_name(&statement).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn statements_of_a_library_become_materials() {
        let text = b"Kd 9 9 9\nnewmtl lash\nKD 0.25\nns 250\nd 0.5\nNewMtl skin\nKd 0 0 0\nTr 0\n\
            MAP_kd -s 2 2 -mm 0 2 -imfchan g C:\\x\\gone.png\nmap_Bump -bm 1 b.png\nKe 0 0 0\n";
        let materials = parse(text, &HashSet::from(["lash", "skin"]));
        assert_eq!(materials.len(), 2);
        let (mut notes, mut textures) = (Notes::default(), TextureCache::new(None));
        let mut made = |name: &str| materials[name].clone().into_material(name, &mut textures, &mut notes);
        let lash = made("lash");
        assert_eq!((lash.base_color, lash.roughness, lash.alpha), ([0.25, 0.25, 0.25, 0.5], 0.5, AlphaMode::Blend));
        let skin = made("skin");
        assert_eq!((skin.base_color, skin.alpha), ([0.0, 0.0, 0.0, 1.0], AlphaMode::Opaque));
        let notes = notes.into_list();
        assert!(notes.len() == 2 && notes[0].message.contains("gone.png"), "{notes:?}");
        let ignored = "map_Bump, the choice of a channel (-imfchan) of its map_Kd, the offset and scale of its map_Kd, the range (-mm) of its map_Kd";
        assert_eq!(notes[1].message, format!("shown without {ignored}"));
    }

    #[test]
    fn options_that_change_nothing_are_not_noted() {
        for text in ["map_Kd -mm 0 1 -o 0 0 -s 1 1 1 a.png", "map_Kd -clamp on a.png"] {
            let statement = Statements::new(text.as_bytes()).next().unwrap();
            assert_eq!(ignored_options(&statement), BTreeSet::new(), "{text}");
        }
    }

    #[test]
    fn names_of_libraries_may_be_in_quotation_marks() {
        assert_eq!(words_of("a.mtl  b.mtl"), ["a.mtl", "b.mtl"]);
        assert_eq!(words_of("\"my a.mtl\" b.mtl \"c d.mtl\""), ["my a.mtl", "b.mtl", "c d.mtl"]);
        assert_eq!((unquoted("\"my a.mtl\""), unquoted("a\""), unquoted("\"")), ("my a.mtl", "a\"", "\""));
    }
}
