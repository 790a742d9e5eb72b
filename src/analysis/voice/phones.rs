//! How phones, visemes and words are spelled, and what they are in the symbols of the IPA.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::shapes::shape_of;

/// A way to write down what is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PhoneSet {
    /// Rhubarb Lip Sync's mouth shapes A to H and X, which are those of Hanna-Barbera.
    Rhubarb,
    /// The viseme IDs 0 to 21 of Azure's speech service.
    Azure,
    /// The 15 visemes of Meta's (Oculus') lip sync.
    Oculus,
    /// ARPABET, as in the CMU dictionary, TIMIT and MFA's English sets, with and without stress.
    Arpabet,
    /// Japanese in Latin letters, by phones as Julius and Open JTalk write them, or by morae.
    Romaji,
    /// The International Phonetic Alphabet, also with what MFA and espeak-ng add to it.
    Ipa,
    /// SAMPA and X-SAMPA. Amazon Polly's visemes are among them.
    Sampa,
    /// Kirshenbaum's ASCII-IPA and the mnemonics of espeak.
    Kirshenbaum,
    /// Words, of which the letters are read as rough shapes.
    Words,
}

impl PhoneSet {
    /// In the order in which they are tried: of two that fit all labels, the first counts.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Rhubarb => "Rhubarb A–X",
            Self::Azure => "Azure viseme IDs",
            Self::Oculus => "Oculus visemes",
            Self::Arpabet => "ARPABET",
            Self::Ipa => "IPA, MFA",
            Self::Sampa => "SAMPA, Polly",
            Self::Kirshenbaum => "Kirshenbaum, espeak",
            Self::Romaji => "Romaji",
            Self::Words => "Words",
        }
    }

    /// The name in options of commands.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Rhubarb => "rhubarb",
            Self::Azure => "azure",
            Self::Oculus => "oculus",
            Self::Arpabet => "arpabet",
            Self::Ipa => "ipa",
            Self::Sampa => "sampa",
            Self::Kirshenbaum => "kirshenbaum",
            Self::Romaji => "romaji",
            Self::Words => "words",
        }
    }

    /// Spellings, each followed by the symbols that it stands for; `_` for those that are nothing.
    fn spellings(self) -> &'static str {
        match self {
            // Rhubarb's documentation: A for m, b, p; B for most consonants and ee; C as in men, D as in father, E as
            // in off and bird, F as in you and how, G for f and v, H for a long l, X at rest.
            Self::Rhubarb => "A m B s C ɛ D ɑ E œ F u G f H l X _",
            // "Get facial position with viseme" in the documentation of Azure's speech service.
            Self::Azure => {
                "0 _ 1 ʌ 2 ɑ 3 ɔ 4 ɛ 5 ɝ 6 i 7 u 8 o 9 aʊ 10 ɔɪ 11 aɪ 12 h 13 ɹ 14 l 15 s 16 ʃ 17 ð 18 f 19 t 20 k 21 p"
            }
            // "Viseme reference" of Meta's documentation; the names as in Unity and in Ready Player Me.
            Self::Oculus => {
                "sil _ PP p FF f TH θ DD t kk k CH ʃ SS s nn n RR ɹ aa ɑ E ɛ ih ɪ oh o ou u I ɪ O o U u viseme_sil _ viseme_PP p \
                 viseme_FF f viseme_TH θ viseme_DD t viseme_kk k viseme_CH ʃ viseme_SS s viseme_nn n viseme_RR ɹ viseme_aa ɑ \
                 viseme_E ɛ viseme_I ɪ viseme_O o viseme_U u"
            }
            Self::Arpabet => {
                "AA ɑ AE æ AH ʌ AO ɔ AW aʊ AX ə AXR ɚ AY aɪ B b CH tʃ D d DH ð DX ɾ EH ɛ EL əl EM əm EN ən ER ɝ EY eɪ F f G ɡ \
                 HH h HV h IH ɪ IX ɨ IY i JH dʒ K k L l M m N n NG ŋ NX n OW oʊ OY ɔɪ P p Q ʔ R ɹ S s SH ʃ T t TH θ UH ʊ UW u \
                 UX ʉ V v W w WH ʍ Y j Z z ZH ʒ BCL b DCL d GCL ɡ PCL p TCL t KCL k ENG ŋ H h"
            }
            Self::Ipa => "",
            Self::Sampa => {
                "p p b b t t d d k k g ɡ f f v v s s z z h h l l m m n n r r j j w w i i e e a a o o u u y y T θ D ð S ʃ Z ʒ N ŋ \
                 R ʁ C ç x x G ɣ J ɲ L ʎ H ɥ B β ? ʔ P ʋ F ɱ X χ K ɬ q q c c A ɑ E ɛ I ɪ O ɔ U ʊ V ʌ Q ɒ { æ @ ə 3 ɜ 2 ø 9 œ 1 ɨ } ʉ \
                 M ɯ 7 ɤ 8 ɵ 6 ɐ Y ʏ & ɶ 4 ɾ 5 ɫ W ʍ r\\ ɹ R\\ ʀ h\\ ɦ p\\ ɸ s\\ ɕ z\\ ʑ l\\ ɺ j\\ ʝ"
            }
            // E. Kirshenbaum, "Representing IPA phonetics in ASCII"; the mnemonics of espeak-ng's docs/phonemes.md.
            Self::Kirshenbaum => {
                "p p b b t t d d k k g ɡ f f v v s s z z h h l l m m n n r ɹ j j w w i i e e a a o o u u y y T θ D ð S ʃ Z ʒ N ŋ \
                 R ʀ C ç x x Q ɣ X χ n^ ɲ l^ ʎ B β P ɸ ? ʔ * ɾ *r r q q c c A ɑ E ɛ I ɪ I2 ɪ O ɔ U ʊ V ʌ 0 ɒ & æ a# ɐ I# ɪ @ ə @L əl \
                 @r ɹ @2 ə @5 ə 3 ɝ R<umd> ɚ Y ø W œ i\" ɨ u\" ʉ o- ɤ u- ɯ t# ɾ r/ ɹ l/ l ; j i# i @- ə e# e EI eɪ"
            }
            Self::Romaji => {
                "a a i i u ɯ e e o o A a I i U ɯ E e O o k k g ɡ s s sh ʃ z z j dʒ t t ts ts ch tʃ d d n n N ŋ h h f ɸ b b p p \
                 m m y j r ɾ w w v v q ʔ cl ʔ ky kj gy ɡj ny nj hy hj by bj py pj my mj ry ɾj ty tj dy dj c k l ɾ"
            }
            // Rough, as letters are: vowels as on the continent, pairs of letters as in English, German and French.
            Self::Words => {
                "a a b b c k d d e ɛ f f g ɡ h h i ɪ j dʒ k k l l m m n n o o p p q k r ɹ s s t t u ʊ v v w w x ks y i z z \
                 ch tʃ sch ʃ sh ʃ th θ ph f wh w qu kw ck k ng ŋ gn ɲ ll l mm m nn n pp p bb b tt t ss s ff f rr ɹ dd d cc k gg ɡ \
                 oo u ou aʊ ow oʊ ee i ea i ie i ei aɪ ai eɪ ay eɪ au aʊ oi ɔɪ oy ɔɪ eu ø äu ɔɪ aw ɔ oa oʊ ue u ui i eau o \
                 ä ɛ ö ø ü y ß s á a à a â a ã a å ɔ æ æ é e è ɛ ê ɛ ë ɛ í i ì i î i ï i ó o ò o ô o õ o ø ø œ œ ú u ù u û y ñ ɲ ç s"
            }
        }
    }

    /// Whether labels with so many symbols each, on average, are phones of it and not words that it could spell too.
    pub(super) fn is_as_long_as(self, symbols: f32) -> bool {
        match self {
            Self::Rhubarb | Self::Azure | Self::Oculus | Self::Arpabet | Self::Words => true,
            Self::Romaji | Self::Ipa | Self::Sampa | Self::Kirshenbaum => symbols <= 2.4,
        }
    }

    /// Whether a label can show that a text is of this set. Single letters of romaji are phones of the IPA too.
    pub(super) fn is_sign(self, label: &str) -> bool {
        self != Self::Romaji || label.len() > 1 && !is_silence(label) || ["N", "q"].contains(&label)
    }

    fn table(self) -> &'static Spellings {
        static TABLES: LazyLock<HashMap<PhoneSet, Spellings>> =
            LazyLock::new(|| PhoneSet::ALL.iter().map(|&set| (set, Spellings::new(set.spellings()))).collect());
        &TABLES[&self]
    }

    /// The symbols of the IPA of a label; `None` if it is spelled otherwise, empty if nothing is said.
    pub(super) fn symbols(self, label: &str) -> Option<Vec<char>> {
        let label = label.trim();
        if is_silence(label) {
            return Some(Vec::new());
        }
        match self {
            Self::Rhubarb | Self::Azure | Self::Oculus => self.table().exact(label),
            Self::Arpabet => {
                let bare = label.trim_end_matches(|last: char| last.is_ascii_digit()).to_ascii_uppercase();
                self.table().exact(&bare)
            }
            Self::Ipa => ipa_symbols(label),
            Self::Sampa | Self::Kirshenbaum | Self::Romaji => {
                let bare: String = without_marks(label);
                self.table().greedy(&bare, false)
            }
            Self::Words => {
                let bare = label.to_lowercase();
                let symbols = self.table().greedy(&bare, true)?;
                (!symbols.is_empty()).then_some(symbols)
            }
        }
    }
}

/// Whether a label says that nothing is said.
fn is_silence(label: &str) -> bool {
    const NAMES: [&str; 18] = [
        "", "sil", "sp", "spn", "pau", "silence", "<eps>", "<sil>", "<p:>", "h#", "#", "##", "_", "_:", "eps", "epi",
        "br", "{sl}",
    ];
    NAMES.iter().any(|name| label.eq_ignore_ascii_case(name))
}

/// Whether a label marks stress: the digit 1 or 2 after a vowel of ARPABET, or the sign of the IPA.
pub(super) fn is_stressed(set: PhoneSet, label: &str) -> bool {
    match set {
        PhoneSet::Arpabet => label.ends_with(['1', '2']),
        PhoneSet::Ipa => label.contains('ˈ'),
        PhoneSet::Sampa => label.contains('"'),
        PhoneSet::Kirshenbaum => label.contains('\''),
        _ => false,
    }
}

/// The symbols of a text in the IPA, without stress, length, tones and everything else that does not show.
fn ipa_symbols(label: &str) -> Option<Vec<char>> {
    let mut symbols = Vec::new();
    for symbol in label.chars() {
        match symbol {
            'ˈ'
            | 'ˌ'
            | 'ː'
            | 'ˑ'
            | ':'
            | '.'
            | '-'
            | '\u{300}'..='\u{36f}'
            | '\u{2b0}'..='\u{2ff}'
            | 'ⁿ'
            | 'ᵊ'
            | 'ᵝ'
            | '0'..='9' => {}
            // What is said with rounded lips or a nasal sound as one letter.
            'ã' => symbols.push('a'),
            'õ' => symbols.push('o'),
            'ẽ' => symbols.push('e'),
            symbol => {
                shape_of(symbol)?;
                symbols.push(symbol);
            }
        }
    }
    (!symbols.is_empty()).then_some(symbols)
}

/// A label of SAMPA or of espeak without its marks of stress, length, tone and syllables.
fn without_marks(label: &str) -> String {
    let mut bare = String::new();
    let mut letters = label.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '%' | '\'' | ',' | ':' | '~' | '.' | '`' | '=' | '!' | '-' => {}
            // A diacritic of X-SAMPA is an underscore with what follows it.
            '_' => drop(letters.next()),
            letter => bare.push(letter),
        }
    }
    bare
}

/// The spellings of a set with the symbols that they stand for.
struct Spellings {
    symbols: HashMap<&'static str, Vec<char>>,
    longest: usize,
}

impl Spellings {
    fn new(text: &'static str) -> Self {
        let mut words = text.split_whitespace();
        let mut symbols = HashMap::new();
        while let (Some(spelling), Some(stands_for)) = (words.next(), words.next()) {
            symbols.insert(spelling, stands_for.chars().filter(|symbol| *symbol != '_').collect());
        }
        let longest = symbols.keys().map(|spelling: &&str| spelling.chars().count()).max().unwrap_or(0);
        Self { symbols, longest }
    }

    fn exact(&self, label: &str) -> Option<Vec<char>> {
        self.symbols.get(label).cloned()
    }

    /// The symbols of a text that is a row of spellings, the longest first. What is none of them is skipped or makes
    /// the text none.
    fn greedy(&self, text: &str, skips: bool) -> Option<Vec<char>> {
        let letters: Vec<(usize, char)> = text.char_indices().collect();
        let ends: Vec<usize> = letters.iter().map(|(start, _)| *start).chain([text.len()]).collect();
        let (mut symbols, mut at) = (Vec::new(), 0);
        while at < letters.len() {
            let lengths = (1..=self.longest.min(letters.len() - at)).rev();
            let found = lengths
                .filter_map(|length| Some((length, self.symbols.get(&text[ends[at]..ends[at + length]])?)))
                .next();
            match found {
                Some((length, own)) => {
                    symbols.extend(own);
                    at += length;
                }
                None if skips => at += 1,
                None => return None,
            }
        }
        Some(symbols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(set: PhoneSet, label: &str) -> Option<String> {
        set.symbols(label).map(|symbols| symbols.into_iter().collect())
    }

    #[test]
    fn every_spelling_of_every_set_stands_for_symbols_that_have_a_shape() {
        for &set in PhoneSet::ALL {
            assert!(set.spellings().split_whitespace().count().is_multiple_of(2), "{set:?}");
            for (spelling, symbols) in &set.table().symbols {
                assert!(symbols.iter().all(|symbol| shape_of(*symbol).is_some()), "{set:?} {spelling} {symbols:?}");
            }
        }
    }

    #[test]
    fn one_sound_is_the_same_in_every_set() {
        for (set, label, symbols) in [
            (PhoneSet::Arpabet, "AY1", "aɪ"),
            (PhoneSet::Arpabet, "hh", "h"),
            (PhoneSet::Ipa, "aɪ", "aɪ"),
            (PhoneSet::Ipa, "ˈt͡ʃʰ", "tʃ"),
            (PhoneSet::Ipa, "ɔ̃", "ɔ"),
            (PhoneSet::Ipa, "pʲ", "p"),
            (PhoneSet::Sampa, "aI", "aɪ"),
            (PhoneSet::Sampa, "t_h", "t"),
            (PhoneSet::Sampa, "r\\", "ɹ"),
            (PhoneSet::Kirshenbaum, "I2", "ɪ"),
            (PhoneSet::Kirshenbaum, "'tS", "tʃ"),
            (PhoneSet::Romaji, "kya", "kja"),
            (PhoneSet::Romaji, "shi", "ʃi"),
            (PhoneSet::Rhubarb, "G", "f"),
            (PhoneSet::Azure, "21", "p"),
            (PhoneSet::Oculus, "viseme_PP", "p"),
            (PhoneSet::Words, "Shampoo!", "ʃampu"),
        ] {
            assert_eq!(spelled(set, label).as_deref(), Some(symbols), "{set:?} {label}");
        }
        for (set, label) in [
            (PhoneSet::Arpabet, "aI"),
            (PhoneSet::Ipa, "AY1"),
            (PhoneSet::Rhubarb, "I"),
            (PhoneSet::Azure, "22"),
            (PhoneSet::Oculus, "ZZ"),
            (PhoneSet::Words, "123"),
            (PhoneSet::Romaji, "(str)"),
        ] {
            assert_eq!(spelled(set, label), None, "{set:?} {label}");
        }
        assert!(PhoneSet::ALL.iter().all(|set| spelled(*set, "sil").as_deref() == Some("")));
    }
}
