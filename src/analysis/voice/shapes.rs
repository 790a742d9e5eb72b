//! The shapes of the mouth: what each phone looks like, and how strongly it wants to look like that.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How far each part of the mouth moves, in units of the ARKit weights that it becomes.
pub(crate) type Mouth = [f32; PARTS];
pub(crate) const PARTS: usize = 7;
pub(crate) const JAW: usize = 0;
/// Lips together and forward, as in *oo*.
pub(crate) const PUCKER: usize = 1;
/// Lips forward and open, as in *aw* and *sh*.
pub(crate) const FUNNEL: usize = 2;
/// Corners apart, as in *ee*.
pub(crate) const SPREAD: usize = 3;
pub(crate) const LOWER: usize = 4;
pub(crate) const UPPER: usize = 5;
pub(crate) const TONGUE: usize = 6;

/// What a shape does besides moving the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contact {
    None,
    /// The lips are closed, whatever is said before and after.
    Lips,
    /// The upper teeth are on the lower lip.
    Teeth,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub mouth: Mouth,
    /// How strongly the jaw and the lips go there against the neighbours: Cohen and Massaro's α.
    pub jaw_strength: f32,
    pub lip_strength: f32,
    pub contact: Contact,
    pub is_vowel: bool,
}

impl Shape {
    /// Nothing is said.
    pub(super) const REST: Self =
        Self { mouth: [0.0; PARTS], jaw_strength: 0.8, lip_strength: 0.8, contact: Contact::None, is_vowel: false };
}

/// The shapes by the symbols of the International Phonetic Alphabet that look alike: their amounts in hundredths (jaw,
/// pucker, funnel, spread, lower lip, upper lip, tongue), the strengths of jaw and lips in tenths, what they touch
/// (`m`: the lips each other, `f`: the teeth the lip), whether they are vowels (`v`), and the symbols.
///
/// The jaw follows the height of vowels in the chart of the IPA, pucker and funnel their rounding, spread their
/// frontness. Which consonants look alike follows the classes of visemes of MPEG-4 (ISO/IEC 14496-2, table of
/// *viseme_select*), which the reference of Meta's 15 visemes repeats. That vowels are strong, that rounding is strong
/// wherever it is, and that alveolar and velar consonants leave the lips to their neighbours is M. M. Cohen and D. W.
/// Massaro, "Modeling coarticulation in synthetic visual speech", 1993; that lips which must touch do is P. Edwards et
/// al., "JALI: an animator-centric viseme model for expressive lip synchronization", SIGGRAPH 2016.
const TABLE: &str = "
 0  0  0  0  0  0  0   5 3  m  m b p ɓ ʙ
 5  0  0  0  0 25  0   6 6  f  f v ɱ ʋ ⱱ
 6 20  5  0 10  5  0   6 6  -  ɸ β
14  0  0  5 20  5 25   6 4  -  θ ð
12  0  0  5 22  5  0   5 2  -  t d n ɗ ʈ ɖ ɳ ɾ ɽ ɺ
 5  0  0 22 30 15  0   9 6  -  s z ɕ ʑ ʦ ʣ
 7 15 55  0 20 15  0   9 9  -  ʃ ʒ ʂ ʐ ʧ ʤ ɧ
18  0  0  0 20  5  6   5 2  -  l ɫ ɭ ɬ ɮ ʎ
12 28 22  0  8  5  0   5 6  -  ɹ ɻ ɚ
16  0  0  0 12  5  0   3 1  -  r ʀ ʁ χ
15  0  0  0 10  5  0   3 1  -  k ɡ g ŋ x ɣ q ɢ ɴ c ɟ ɠ ʛ ɰ ħ ʕ
12  0  0  0  8  3  0   2 1  -  h ɦ ʔ
 6 85 10  0  0  0  0   7 9  -  w ɥ ʍ
12  0  0 25 20  5  0   5 5  -  j ɲ ç ʝ
 9  0  0 45 25  8  0  12 8  v  i ɨ
17  0  0 32 22  8  0  12 7  v  ɪ ɘ
26  0  0 32 24  8  0  12 7  v  e
37  0  0 24 26 10  0  14 7  v  ɛ
50  0  0 22 28 12  0  14 7  v  æ
56  0  0  4 22  8  0  14 7  v  a ɐ
57  0  6  0 18  6  0  14 7  v  ɑ
22  0  0  4 14  4  0  7 3  v  ə
33  0  4  0 18  5  0  12 5  v  ʌ
24  8 12  0 12  5  0  11 6  v  ɜ ɝ ɞ
45  8 38  0 10  5  0  14 8  v  ɔ
51  4 28  0 12  5  0  14 8  v  ɒ ɶ
29 45 30  0  0  0  0  12 9  v  o ɤ
16 52 20  0  0  0  0  12 9  v  ʊ ʉ
 9 80 10  0  0  0  0  12 9  v  u
12 12  4 12 10  3  0  12 5  v  ɯ
 9 72 12  0  0  0  0  12 9  v  y ʏ ɵ
25 48 20  0  0  0  0  12 9  v  ø
36 36 24  0  6  3  0  14 8  v  œ
";

static SHAPES: LazyLock<HashMap<char, Shape>> = LazyLock::new(|| {
    let mut shapes = HashMap::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        let mut fields = line.split_whitespace();
        let mut number =
            |unit: f32| fields.next().and_then(|field| field.parse::<f32>().ok()).map_or(0.0, |number| number / unit);
        let mouth = std::array::from_fn(|_| number(100.0));
        let [jaw_strength, lip_strength] = std::array::from_fn(|_| number(10.0));
        let mark = fields.next();
        let contact = match mark {
            Some("m") => Contact::Lips,
            Some("f") => Contact::Teeth,
            _ => Contact::None,
        };
        let shape = Shape { mouth, jaw_strength, lip_strength, contact, is_vowel: mark == Some("v") };
        shapes.extend(fields.filter_map(|symbol| symbol.chars().next()).map(|symbol| (symbol, shape)));
    }
    shapes
});

/// The shape of a symbol of the IPA.
pub(super) fn shape_of(symbol: char) -> Option<Shape> {
    SHAPES.get(&symbol).copied()
}
