//! The fonts that the window has found so far, and the letters it still lacks.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider};

use super::system::{FoundFonts, can_draw};

/// Gives egui the fonts that were found, and remembers which letters were asked for in vain. Copies share what they
/// know.
#[derive(Clone, Default)]
pub struct FallbackFonts(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    fonts: Vec<FontInsert>,
    wanted: BTreeSet<char>,
    missing: BTreeSet<char>,
}

impl FallbackFonts {
    /// Has egui ask for fonts here. It forgets which letters it was refused before.
    pub fn install(&self, context: &egui::Context) {
        context.set_font_providers(vec![Arc::new(self.clone())]);
    }

    /// The letters that were drawn as boxes and not searched for yet.
    pub fn wanted(&self) -> BTreeSet<char> {
        self.known().wanted.clone()
    }

    /// Adds what a search has found. Letters that no font has are not searched for again.
    pub fn add(&self, found: FoundFonts) {
        let mut known = self.known();
        known.missing.extend(found.missing);
        known.fonts.extend(found.fonts);
        let Known { fonts, wanted, missing } = &mut *known;
        wanted.retain(|&letter| {
            !missing.contains(&letter) && !fonts.iter().any(|font| can_draw(font.data.bytes(), font.data.index, letter))
        });
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FontProvider for FallbackFonts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let letter = request.cluster.chars().next()?;
        let mut known = self.known();
        let font = known.fonts.iter().find(|font| can_draw(font.data.bytes(), font.data.index, letter)).cloned();
        if font.is_none() && !known.missing.contains(&letter) {
            known.wanted.insert(letter);
        }
        font
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::text::{FontData, FontDefinitions};

    /// A font of egui under a name as if it had been found: it has a schwa, as `context` below has not.
    fn schwa_font() -> FontInsert {
        let definitions = FontDefinitions::default();
        let data: FontData = (**definitions.font_data.get("Ubuntu-Light").unwrap()).clone();
        FontInsert::new("found", data, Vec::new())
    }

    /// A context whose only font is monospaced, and lacks schwa and hangul.
    fn context() -> egui::Context {
        let mut definitions = FontDefinitions::default();
        for family in definitions.families.values_mut() {
            *family = vec!["Hack".to_owned()];
        }
        let context = egui::Context::default();
        context.set_fonts(definitions);
        context
    }

    fn draw(context: &egui::Context, text: &str) -> bool {
        let mut is_drawn = false;
        let mut output = context.run_ui(egui::RawInput::default(), |ui| {
            ui.label(text);
            is_drawn = ui.fonts_mut(|fonts| fonts.has_glyphs(&egui::FontId::proportional(14.0), text));
        });
        // Nothing is drawn here; egui panics when textures are dropped unseen.
        output.textures_delta.clear();
        is_drawn
    }

    #[test]
    fn only_letters_that_no_font_has_are_wanted_and_each_is_searched_for_once() {
        let (context, fonts) = (context(), FallbackFonts::default());
        fonts.install(&context);
        assert!(draw(&context, "jawOpen (left) 0.5"));
        assert!(fonts.wanted().is_empty(), "nothing is searched for names that can be drawn");
        assert!(!draw(&context, "Ə한"));
        assert_eq!(fonts.wanted(), ['Ə', '한'].into());

        fonts.add(FoundFonts { fonts: vec![schwa_font()], missing: ['한'].into() });
        fonts.install(&context);
        assert!(draw(&context, "Ə"), "the font that was found is used");
        assert!(!draw(&context, "Ə한"));
        assert!(fonts.wanted().is_empty(), "what no font has is not searched for again");
    }
}
