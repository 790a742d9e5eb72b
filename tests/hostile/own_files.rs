//! Projects, poses and settings that hold very much of something: the memory they take is in proportion to the file.

use smirk_fuzz_checks::own_files;
use smirk_support::watch;

/// `head`, then `part` with increasing numbers in place of `#` for so many bytes, then `tail`.
fn filled(bytes: usize, head: &str, part: &str, tail: &str) -> String {
    let mut text = head.to_owned();
    for number in 0.. {
        text.push_str(&part.replace('#', &number.to_string()));
        if text.len() > bytes {
            break;
        }
        text.push(',');
    }
    text + tail
}

/// Files of so many bytes each.
fn hostile(bytes: usize) -> Vec<(&'static str, String)> {
    let with =
        |head: &str, part: &str, tail: &str| filled(bytes, &format!("{{\"smirk\":\"project\",{head}"), part, tail);
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
        ("one long name", format!(r#"{{"smirk":"project","variant":"{}"}}"#, "x".repeat(bytes))),
        ("escapes", format!(r#"{{"smirk":"project","variant":"{}"}}"#, "\\u0000".repeat(bytes / 6))),
        ("open brackets", "[".repeat(bytes)),
        ("no text", "\u{0}".repeat(bytes)),
        ("empty members", filled(bytes, "{", "\"#\":{}", "}")),
        ("numbers", filled(bytes, "{", "\"#\":0", "}")),
        ("poses of our own", filled(bytes, r#"{"smirk":"poses","poses":["#, "{}", "]}")),
    ]
}

#[test]
fn the_memory_of_a_project_of_poses_and_of_settings_is_in_proportion_to_the_file() {
    read_hostile(2 << 20);
}

#[test]
#[ignore = "long: ./dev soak"]
fn the_memory_of_large_files_is_in_proportion_to_them() {
    read_hostile(12 << 20);
}

fn read_hostile(bytes: usize) {
    // The content is held by the file, by what is read, and by what is written and read again.
    let most_bytes = 10 * bytes + (300 << 20);
    for (name, text) in hostile(bytes) {
        for (kind, run) in [
            ("project", own_files::project as fn(&[u8])),
            ("poses", own_files::poses),
            ("settings", own_files::settings),
        ] {
            let ((), taken) = watch::peak_bytes(|| run(text.as_bytes()));
            assert!(taken <= most_bytes, "{kind}: {name}: {} MiB, {} are justified", taken >> 20, most_bytes >> 20);
        }
    }
}
