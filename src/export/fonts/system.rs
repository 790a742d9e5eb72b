//! The fonts of the system, listed when the first letter is searched for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use egui::FontFamily;
use egui::epaint::text::{FallbackRequest, FontData, FontInsert, FontPriority, FontProvider, InsertFontFamily};
use fontique::{
    Collection, CollectionOptions, FallbackKey, GenericFamily, Language, QueryFamily, QueryFont, QueryStatus, Script,
    SourceCache, SourceCacheOptions,
};
use skrifa::MetadataProvider;
use unicode_script::UnicodeScript;

use super::language::han_languages;

#[derive(Default)]
pub struct FoundFonts {
    pub fonts: Vec<FontInsert>,
    pub missing: BTreeSet<char>,
}

/// The list is made once, by the window's search or by a contact sheet, whichever comes first.
static SYSTEM: Mutex<Option<SystemFonts>> = Mutex::new(None);

/// Finds fonts for letters. The first search lists the fonts of the system, which may take a second.
pub fn search(letters: &BTreeSet<char>) -> FoundFonts {
    let mut system = SYSTEM.lock().unwrap_or_else(PoisonError::into_inner);
    let system = system.get_or_insert_with(SystemFonts::list);
    let mut found = FoundFonts::default();
    let languages = han_languages(&system.locale, letters.iter().copied());
    for &letter in letters {
        match system.font_for(letter, &languages) {
            Some(font) if found.fonts.iter().any(|other| other.name == font.name) => {}
            Some(font) => found.fonts.push(font),
            None => drop(found.missing.insert(letter)),
        }
    }
    found
}

/// Searches while the text is laid out. For text outside the window.
pub fn searching_provider() -> Arc<dyn FontProvider> {
    Arc::new(|request: &FallbackRequest<'_>| {
        let letter = request.cluster.chars().next()?;
        search(&BTreeSet::from([letter])).fonts.pop()
    })
}

/// Whether a font has an outline for a letter. Fonts of coloured bitmaps have none, and egui cannot draw them.
pub(super) fn can_draw(data: &[u8], index: u32, letter: char) -> bool {
    let Ok(font) = skrifa::FontRef::from_index(data, index) else { return false };
    let glyph = font.charmap().map(letter).filter(|glyph| *glyph != skrifa::GlyphId::NOTDEF);
    glyph.is_some_and(|glyph| font.outline_glyphs().get(glyph).is_some())
}

struct SystemFonts {
    collection: Collection,
    cache: SourceCache,
    /// Such as `ja-JP`; empty if the system has none.
    locale: String,
    /// What was found before. It comes first, so that few fonts draw all names.
    found: Vec<FontInsert>,
}

impl SystemFonts {
    fn list() -> Self {
        let began = std::time::Instant::now();
        let collection = Collection::new(CollectionOptions { shared: false, system_fonts: true });
        log::debug!("listed the fonts of the system in {:.0} ms", began.elapsed().as_secs_f64() * 1000.0);
        Self {
            collection,
            cache: SourceCache::new(SourceCacheOptions::default()),
            locale: sys_locale::get_locale().unwrap_or_default(),
            found: Vec::new(),
        }
    }

    fn font_for(&mut self, letter: char, han_languages: &[&str]) -> Option<FontInsert> {
        if let Some(font) = self.found.iter().find(|font| can_draw(font.data.bytes(), font.data.index, letter)) {
            return Some(font.clone());
        }
        let script = letter.script();
        let languages = if script == unicode_script::Script::Han { han_languages } else { &[] };
        let languages = languages.iter().filter_map(|language| Language::parse(language).ok());
        let font = match script {
            // Punctuation, symbols and emoji belong to no script, so that no language has a font for them.
            unicode_script::Script::Common | unicode_script::Script::Inherited | unicode_script::Script::Unknown => {
                self.first(letter, None)
            }
            script => {
                let script = Script::parse(script.short_name()).ok()?;
                let keys = languages.map(|language| FallbackKey::new(script, Some(&language)));
                let keys: Vec<_> = keys.chain([FallbackKey::new(script, None)]).collect();
                keys.into_iter().find_map(|key| self.first(letter, Some(key))).or_else(|| self.first(letter, None))
            }
        }?;
        let insert = self.insert(font);
        log::debug!("{} draws {letter:?}", insert.name);
        self.found.push(insert.clone());
        Some(insert)
    }

    /// The first font with the letter among those that the system proposes.
    fn first(&mut self, letter: char, fallback: Option<FallbackKey>) -> Option<QueryFont> {
        use GenericFamily::{Emoji, Math, Monospace, SansSerif, Serif, SystemUi};
        let mut query = self.collection.query(&mut self.cache);
        match fallback {
            Some(key) => query.set_fallbacks(key),
            None => {
                query.set_families([SansSerif, SystemUi, Emoji, Math, Serif, Monospace].map(QueryFamily::Generic));
            }
        }
        let mut found = None;
        query.matches_with(|font| {
            if can_draw(font.blob.as_ref(), font.index, letter) {
                found = Some(font.clone());
                QueryStatus::Stop
            } else {
                QueryStatus::Continue
            }
        });
        found
    }

    fn insert(&mut self, font: QueryFont) -> FontInsert {
        let (family, face) = font.family;
        let family = self.collection.family_name(family).unwrap_or("a font").to_owned();
        // The file is mapped into memory, not copied.
        let (blob, _) = font.blob.into_raw_parts();
        FontInsert {
            name: format!("{family} {face} {}", font.index),
            data: FontData::from_blob(blob, font.index),
            families: vec![InsertFontFamily { family: FontFamily::Proportional, priority: FontPriority::Lowest }],
        }
    }
}
