//! The material libraries of an OBJ file (`.mtl`): colour, roughness, alpha and the colour texture. None of it is required: the
//! head opens without materials that are missing or broken.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::error::Fault;
use super::super::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use super::super::sidecar::{ModelFolder, fetch_end_of_path};
use super::statements::{Statement, Statements, text_of_name};
use crate::import::Import;
use smirk_base::names::quoted;
use smirk_face::head::{AlphaMode, Encoding, Kind, Material, Note, Notes, Sampler, Subject, Texture, listed};

/// The materials that a model uses, in its order, and their textures.
pub(super) fn read(
    libraries: &[String],
    names: &[String],
    folder: Option<&ModelFolder>,
    import: &mut Import<'_>,
) -> Result<(Vec<Material>, Vec<Texture>), Fault> {
    const MAX_FILE_BYTES: u64 = 1 << 26;
    /// The largest number of words of a statement that are tried as names of files.
    const MAX_WORDS: usize = 256;
    import.begin("reading materials", 0.85);
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let (mut found, mut is_lost) = (HashMap::new(), false);
    let mut fetch = |name: &str| {
        fetch_end_of_path(name, folder, MAX_FILE_BYTES, &Subject::All(Kind::ObjMaterialLibrary))
            .map(|bytes| found.extend(parse(&bytes, &wanted)))
            .map_err(|fault| fault.to_string())
    };
    let mut lost = |problem: String, notes: &mut Notes| {
        is_lost = true;
        let message = format!("{problem}; shown without its materials");
        notes.push(Note::warning(Subject::All(Kind::ObjMaterialLibrary), message));
    };
    for library in libraries {
        import.tick()?;
        let Err(problem) = fetch(library) else { continue };
        // The statement contains one name with spaces, or several names.
        if library.split_whitespace().nth(1).is_none() {
            lost(problem, &mut import.notes);
            continue;
        }
        for word in library.split_whitespace().take(MAX_WORDS) {
            import.tick()?;
            if let Err(problem) = fetch(word) {
                lost(problem, &mut import.notes);
            }
        }
    }
    let missing: Vec<String> =
        names.iter().filter(|name| !found.contains_key(*name)).map(|name| quoted(name)).collect();
    if !(missing.is_empty() || is_lost) {
        let message = format!("{} are in no file of materials; shown plain", listed(&missing, 8));
        import.notes.push(if libraries.is_empty() {
            Note::info(Subject::All(Kind::ObjMaterialUse), message)
        } else {
            Note::warning(Subject::All(Kind::ObjMaterialUse), message)
        });
    }
    let mut textures = TextureCache::new(folder);
    let mut materials = Vec::with_capacity(names.len());
    for name in names {
        import.tick()?;
        let plain = Material { name: name.clone(), ..Material::default() };
        let material: Option<MtlMaterial> = found.remove(name);
        materials
            .push(material.map_or(plain, |material| material.into_material(name, &mut textures, &mut import.notes)));
    }
    Ok((materials, textures.into_textures()))
}

/// The statements of one material.
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

/// The materials of a library that are wanted, by name.
fn parse(text: &[u8], wanted: &HashSet<&str>) -> HashMap<String, MtlMaterial> {
    let mut materials = HashMap::new();
    let mut current: Option<(String, MtlMaterial)> = None;
    for statement in Statements::of(super::super::file::without_byte_order_mark(text)) {
        let Some(keyword) = statement.words().next() else { continue };
        if keyword == b"newmtl" {
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
    /// Reads a statement; unknown ones are ignored.
    fn read(&mut self, keyword: &[u8], statement: &Statement<'_>) {
        let mut numbers = statement.words().skip(1).map_while(|word| {
            let number: f32 = std::str::from_utf8(word).ok()?.parse().ok()?;
            number.is_finite().then_some(number)
        });
        match keyword {
            b"Kd" => {
                let Some(r) = numbers.next() else { return };
                let (g, b) = (numbers.next().unwrap_or(r), numbers.next().unwrap_or(r));
                self.color = Some([r, g, b].map(|share| share.clamp(0.0, 1.0)));
            }
            b"d" => self.alpha = numbers.next().or(self.alpha),
            b"Tr" => self.alpha = numbers.next().map(|transparency| 1.0 - transparency).or(self.alpha),
            b"Ns" => self.shininess = numbers.next(),
            b"Pr" => self.roughness = numbers.next(),
            b"Pm" => self.metallic = numbers.next(),
            b"map_Kd" => {
                self.color_map = map_name(statement);
                if is_transformed(statement) {
                    self.unsupported.insert("the offset and scale of its map_Kd".into());
                }
            }
            b"map_d" => self.alpha_map = map_name(statement),
            b"Ke" if numbers.any(|number| number > 0.0) => drop(self.unsupported.insert("Ke".into())),
            b"map_Bump" | b"map_bump" | b"bump" | b"norm" | b"map_Kn" | b"disp" | b"map_Ks" | b"map_Ke" | b"map_Ns"
            | b"map_Pr" | b"map_Pm" => drop(self.unsupported.insert(String::from_utf8_lossy(keyword).into_owned())),
            _ => {}
        }
    }

    fn into_material(self, name: &str, textures: &mut TextureCache<'_>, notes: &mut Notes) -> Material {
        let subject = Subject::named(Kind::Material, name);
        let plain = Material::default();
        let base_color_texture = self.color_map.as_ref().and_then(|map| match textures.find(map, &subject) {
            Ok(texture) => Some(texture.into()),
            Err(problem) => {
                notes.push(Note::warning(&subject, format!("shown without its colour texture: {problem}")));
                None
            }
        });
        let alpha_in_texture = self.alpha_map.is_some() && self.alpha_map == self.color_map;
        if self.alpha_map.is_some() && !alpha_in_texture {
            notes.push(Note::warning(&subject, "its map_d is not shown: alpha is read from the colour texture only"));
        }
        if !self.unsupported.is_empty() {
            let unsupported: Vec<String> = self.unsupported.into_iter().collect();
            notes.push(Note::warning(&subject, format!("shown without {}", unsupported.join(", "))));
        }
        // Exporters write a black colour where only the texture is meant.
        let color = self.color.filter(|color| base_color_texture.is_none() || *color != [0.0; 3]);
        let without_color = if base_color_texture.is_some() { [1.0; 3] } else { [0.8; 3] };
        let [r, g, b] = color.unwrap_or(without_color);
        let alpha = self.alpha.map_or(1.0, |alpha| alpha.clamp(0.0, 1.0));
        // The conversion from shininess to roughness is Blender's.
        let of_shininess = |shininess: f32| 1.0 - (shininess.clamp(0.0, 1000.0) / 1000.0).sqrt();
        Material {
            name: name.to_owned(),
            base_color: [r, g, b, alpha],
            base_color_texture,
            metallic: self.metallic.map_or(plain.metallic, |metallic| metallic.clamp(0.0, 1.0)),
            roughness: self.roughness.or(self.shininess.map(of_shininess)).unwrap_or(plain.roughness).clamp(0.0, 1.0),
            alpha: if alpha < 1.0 || alpha_in_texture { AlphaMode::Blend } else { AlphaMode::Opaque },
            ..plain
        }
    }
}

/// The file name in a texture statement, which follows the options (`-s 1 1 1`, `-clamp on` …).
fn map_name(statement: &Statement<'_>) -> Option<String> {
    let mut rest = statement.argument();
    while rest.first() == Some(&b'-') {
        let mut words = rest.splitn(2, u8::is_ascii_whitespace);
        let option = words.next()?;
        rest = words.next()?.trim_ascii_start();
        // These three options have up to three numbers, the others one word.
        let takes_numbers = matches!(option, b"-o" | b"-s" | b"-t");
        for _ in 0..if takes_numbers { 3 } else { 1 } {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let is_number = std::str::from_utf8(word).is_ok_and(|word| word.parse::<f32>().is_ok());
            if takes_numbers && !is_number {
                break;
            }
            rest = after.trim_ascii_start();
        }
    }
    let (name, _) = text_of_name(rest);
    (!name.is_empty()).then_some(name)
}

/// Whether the options of a texture statement translate or scale the texture.
fn is_transformed(statement: &Statement<'_>) -> bool {
    let words: Vec<&[u8]> = statement.words().collect();
    let number = |word: &&[u8]| std::str::from_utf8(word).ok().and_then(|word| word.parse::<f32>().ok());
    words.iter().enumerate().any(|(at, word)| {
        let identity = match *word {
            b"-o" | b"-t" => 0.0,
            b"-s" => 1.0,
            _ => return false,
        };
        words[at + 1..].iter().take(3).map_while(number).any(|number| number != identity)
    })
}

/// The textures decoded so far, by path: each file is decoded once.
pub(super) struct TextureCache<'a> {
    folder: Option<&'a ModelFolder>,
    textures: Vec<Texture>,
    known: HashMap<String, Result<usize, String>>,
    budget: ImageBudget,
}

impl<'a> TextureCache<'a> {
    /// An empty cache.
    pub(super) fn new(folder: Option<&'a ModelFolder>) -> Self {
        Self { folder, textures: Vec::new(), known: HashMap::new(), budget: ImageBudget::default() }
    }

    /// The index of the texture of a file, or why there is none.
    pub(super) fn find(&mut self, path: &str, subject: &Subject) -> Result<usize, String> {
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

    /// All decoded textures.
    pub(super) fn into_textures(self) -> Vec<Texture> {
        self.textures
    }

    fn decode(&mut self, path: &str, subject: &Subject) -> Result<Texture, String> {
        let bytes =
            fetch_end_of_path(path, self.folder, MAX_IMAGE_FILE_BYTES, subject).map_err(|fault| fault.to_string())?;
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
            ("map_Kd -s", None),
            ("map_Kd", None),
        ] {
            let statement = Statements::of(text.as_bytes()).next().unwrap();
            assert_eq!(map_name(&statement).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn statements_of_a_library_become_materials() {
        let text = b"Kd 9 9 9\nnewmtl lash\nKd 0.25\nNs 250\nd 0.5\nnewmtl skin\nKd 0 0 0\nTr 0\n\
            map_Kd -s 2 2 C:\\x\\gone.png\nmap_Bump -bm 1 b.png\nKe 0 0 0\n";
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
        assert_eq!(notes[1].message, "shown without map_Bump, the offset and scale of its map_Kd");
    }
}
