//! Projects, poses and settings that hold very much of something: the memory they take is in proportion to the file.

use smirk_fuzz_checks::own_files;
use smirk_support::watch;

/// How large each file is.
const FILE_BYTES: usize = 12 << 20;

/// `head`, then `part` with increasing numbers in place of `#`, then `tail`.
fn filled(head: &str, part: &str, tail: &str) -> String {
    let mut text = head.to_owned();
    for number in 0.. {
        text.push_str(&part.replace('#', &number.to_string()));
        if text.len() > FILE_BYTES {
            break;
        }
        text.push(',');
    }
    text + tail
}

fn hostile() -> Vec<(&'static str, String)> {
    let with = |head: &str, part: &str, tail: &str| filled(&format!("{{\"smirk\":\"project\",{head}"), part, tail);
    vec![
        ("empty sliders", with("\"sliders\":{", "\"#\":{}", "}}")),
        ("sliders of one name", with("\"sliders\":{", "\"a\":{}", "}}")),
        ("sliders that are none", with("\"sliders\":{", "\"#\":[]", "}}")),
        ("empty poses", with("\"poses\":[", "{}", "]}")),
        ("poses that are none", with("\"poses\":[", "7", "]}")),
        ("weights", with("\"poses\":[{\"id\":1,\"name\":\"a\",\"weights\":{", "\"#\":1", "}}]}")),
        ("keys", with("\"keys\":{\"jawOpen\":[", "{\"time_secs\":#,\"value\":1}", "]}}")),
        ("channels with a key each", with("\"keys\":{", "\"#\":[{\"time_secs\":1,\"value\":1}]", "}}")),
        ("empty names", with("\"blink\":{\"channels\":[", "\"\"", "]}}")),
        ("lists of lists", with("\"linked\":[", "[[],[],[]]", "]}")),
        ("unknown fields", with("", "\"#\":{\"a\":[{}]}", "}")),
        ("one long name", format!(r#"{{"smirk":"project","variant":"{}"}}"#, "x".repeat(FILE_BYTES))),
        ("escapes", format!(r#"{{"smirk":"project","variant":"{}"}}"#, "\\u0000".repeat(FILE_BYTES / 6))),
        ("open brackets", "[".repeat(FILE_BYTES)),
        ("no text", "\u{0}".repeat(FILE_BYTES)),
        ("empty members", filled("{", "\"#\":{}", "}")),
        ("numbers", filled("{", "\"#\":0", "}")),
        ("poses of our own", filled(r#"{"smirk":"poses","poses":["#, "{}", "]}")),
    ]
}

#[test]
fn the_memory_of_a_project_of_poses_and_of_settings_is_in_proportion_to_the_file() {
    // The content is held by the file, by what is read, and by what is written and read again, each of which may take 67 MB and
    // four times the size of the file by the reader's own count.
    let most_bytes = 10 * FILE_BYTES + (300 << 20);
    for (name, text) in hostile() {
        for (kind, run) in [
            ("project", own_files::project as fn(&[u8])),
            ("poses", own_files::poses),
            ("settings", own_files::settings),
        ] {
            let ((), taken) = watch::peak_bytes(&watch::alone(), || run(text.as_bytes()));
            assert!(taken <= most_bytes, "{kind}: {name}: {} MiB, {} are justified", taken >> 20, most_bytes >> 20);
        }
    }
}
