//! Which language's forms of Chinese characters are preferred, and which package brings a font for a letter.

use unicode_script::{Script, UnicodeScript};

/// The languages that write Chinese characters in forms of their own, the preferred one first. Simplified Chinese is
/// that of Singapore because fontique takes that of China for no preference at all.
///
/// `locale` is the user's, such as `ja-JP`. If it is none of these, the letters beside the Chinese characters tell:
/// kana are Japanese, hangul Korean.
pub(super) fn han_languages(locale: &str, letters: impl Iterator<Item = char>) -> Vec<&'static str> {
    let locale = locale.replace('_', "-");
    let parts: Vec<&str> = locale.split(['-', '.', '@']).collect();
    let is_traditional = parts.iter().any(|part| ["Hant", "TW", "HK", "MO"].contains(part));
    let first = match parts[0] {
        "ja" => Some("ja"),
        "ko" => Some("ko"),
        "zh" if is_traditional => Some("zh-TW"),
        "zh" => Some("zh-SG"),
        _ => letters.map(|letter| letter.script()).find_map(|script| match script {
            Script::Hiragana | Script::Katakana => Some("ja"),
            Script::Hangul => Some("ko"),
            Script::Bopomofo => Some("zh-TW"),
            _ => None,
        }),
    };
    let all = ["zh-SG", "zh-TW", "ja", "ko"];
    first.into_iter().chain(all.into_iter().filter(|language| Some(*language) != first)).collect()
}

pub fn package_for(letter: char) -> &'static str {
    match letter.script() {
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo => "fonts-noto-cjk",
        Script::Common if ('\u{3000}'..='\u{ffef}').contains(&letter) => "fonts-noto-cjk",
        Script::Common => "fonts-symbola",
        _ => "fonts-noto-core",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_and_else_the_letters() {
        let first = |locale, letters: &str| han_languages(locale, letters.chars())[0];
        assert_eq!(first("ja-JP", "直"), "ja");
        assert_eq!(first("zh_TW.UTF-8", "直かな"), "zh-TW");
        assert_eq!(first("zh-Hans-CN", "直"), "zh-SG");
        assert_eq!(first("ko-KR", "直"), "ko");
        assert_eq!(first("en-GB", "口を"), "ja");
        assert_eq!(first("de-DE", "미소直"), "ko");
        assert_eq!(first("C", "直"), "zh-SG");
        assert_eq!(han_languages("ja", "".chars()), ["ja", "zh-SG", "zh-TW", "ko"], "the others fill the gaps");
    }

    #[test]
    fn a_package_is_known_for_every_script() {
        assert_eq!(['口', 'く', '미', '（', 'ا', 'ม'].map(package_for)[..4], ["fonts-noto-cjk"; 4]);
        assert_eq!(package_for('ا'), "fonts-noto-core");
    }
}
