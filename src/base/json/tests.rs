//! What is read from damaged JSON, and what the notes on it say.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::*;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct File {
    number: f32,
    whole: Option<u8>,
    flag: bool,
    text: String,
    color: [f32; 3],
    kind: Kind,
    keys: BTreeMap<String, Vec<Key>>,
    names: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Plain,
    Key(Key),
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Key {
    secs: f32,
    value: f32,
}

fn read_text<T: DeserializeOwned>(text: &str) -> (T, Vec<String>) {
    let (value, lost) = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(lost.listed.len(), lost.count.min(LostValues::MAX_LISTED), "{text}");
    (value, lost.listed.iter().map(ToString::to_string).collect())
}

fn key(secs: f32, value: f32) -> Key {
    Key { secs, value }
}

#[test]
fn a_value_that_does_not_fit_is_left_out_and_named_and_everything_else_is_read() {
    let sound = || File { number: 2.5, names: vec!["a".into()], ..File::default() };
    for (member, problem) in [
        (r#""flag":7"#, "flag (line 3): 7 is not true or false"),
        (r#""flag":null"#, "flag (line 3): null is not true or false"),
        (r#""whole":256"#, "whole (line 3): 256 is not a whole number from 0 to 255"),
        (r#""whole":-1"#, "whole (line 3): -1 is not a whole number from 0 to 255"),
        (r#""whole":"5""#, r#"whole (line 3): "5" is not a whole number from 0 to 255"#),
        (r#""text":[1]"#, "text (line 3): [1] is not a text"),
        (r#""text":"\ud800""#, r#"text (line 3): "\ud800" is not a text"#),
        (r#""color":[1,2]"#, "color (line 3): [1,2] is not a list of 3"),
        (r#""color":[1,"red",3]"#, r#"color (line 3): [1]: "red" is not a number"#),
        (r#""color":1e39"#, "color (line 3): 1e39 is not a list of 3"),
        (r#""kind":"magic""#, r#"kind (line 3): "magic" is not one of plain, key"#),
        (r#""kind":"key""#, r#"kind (line 3): invalid type: unit variant, expected newtype variant"#),
        (r#""kind":{"key":{"secs":1}}"#, r#"kind (line 3): key: has no value"#),
        (r#""keys":[]"#, "keys (line 3): [] is not an object"),
        (r#""names":{}"#, "names (line 3): {} is not a list"),
    ] {
        let text = format!("{{\"number\":2.5,\n\"names\":[\"a\"],\n{member}}}");
        let (mut read, problems) = read_text::<File>(&text);
        if member.contains("names") {
            // The last of two members of one name counts, and it is damaged.
            read.names = vec!["a".into()];
        }
        assert_eq!((read, problems), (sound(), vec![problem.to_owned()]), "{text}");
    }
}

#[test]
fn one_damaged_key_among_thousands_is_left_out_alone() {
    let list: Vec<String> = (0..5000)
        .map(|at| if at == 77 { r#"{"secs":77,"value":"x"}"#.into() } else { format!(r#"{{"secs":{at},"value":1}}"#) })
        .collect();
    let (file, problems) = read_text::<File>(&format!(r#"{{"keys":{{"jaw":[{}],"lid":[]}}}}"#, list.join(",\n")));
    assert_eq!(file.keys["jaw"].len(), 4999);
    assert!(file.keys["jaw"].iter().all(|key| key.secs != 77.0) && file.keys.contains_key("lid"));
    let expected = r#"keys.jaw[77] (line 78): value: "x" is not a number"#;
    assert_eq!(problems, [expected]);
}

#[test]
fn many_lost_values_are_counted_and_the_first_described() {
    let text = format!(r#"{{"names":[{}"good"]}}"#, "7,".repeat(100_000));
    let (file, lost): (File, _) = read(text.as_bytes()).unwrap();
    assert_eq!((file.names, lost.count, lost.listed.len()), (vec!["good".to_owned()], 100_000, LostValues::MAX_LISTED));
    assert_eq!(lost.listed[2].place, "names[2]");
    assert_eq!(lost.unlisted(), 100_000 - LostValues::MAX_LISTED);
}

#[test]
fn a_byte_order_mark_other_encodings_and_damaged_bytes_are_read() {
    let file = File { text: "顔 😀".into(), ..File::default() };
    let text = serde_json::to_string(&file).unwrap();
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let with_mark = |mark: &[u8], text: &[u8]| [mark, text].concat();
    for bytes in [
        with_mark(b"\xef\xbb\xbf", text.as_bytes()),
        with_mark(b"\xff\xfe", &utf16(u16::to_le_bytes)),
        with_mark(b"\xfe\xff", &utf16(u16::to_be_bytes)),
    ] {
        assert_eq!(read_all::<File>(&bytes).unwrap(), file);
    }
    let (damaged, lost): (File, _) = read(b"{\n\"text\":\"a\xffb\",\"number\":1}").unwrap();
    assert_eq!((damaged.text.as_str(), damaged.number), ("a\u{fffd}b", 1.0));
    assert!(lost.count == 1 && lost.listed[0].line == 2 && lost.listed[0].problem.contains("UTF-8"), "{lost:?}");
}

#[test]
fn every_finite_number_comes_back_and_the_others_are_lost_with_a_note() {
    for bits in (0..=u32::MAX).step_by(65_521).chain([f32::MAX, f32::MIN, f32::MIN_POSITIVE, -0.0].map(f32::to_bits)) {
        let number = f32::from_bits(bits);
        let text = serde_json::to_string(&File { number, ..File::default() }).unwrap();
        let (file, problems) = read_text::<File>(&text);
        let expected = if number.is_finite() { number } else { 0.0 };
        assert_eq!(file.number.to_bits(), expected.to_bits(), "{number:e} {text}");
        assert_eq!(problems.is_empty(), number.is_finite());
    }
}

#[test]
fn of_two_members_of_one_name_the_last_counts() {
    let (file, problems) = read_text::<File>(r#"{"number":1,"number":2,"keys":{"a":[{}],"a":[],"b":[]}}"#);
    assert_eq!((file.number, file.keys.len(), problems.len()), (2.0, 2, 1));
}

#[test]
fn broken_syntax_and_a_whole_of_another_type_are_errors() {
    for (text, words) in [
        ("", "line 1"),
        ("{\n\"number\": 1,\n", "line 3"),
        ("{\"number\": NaN}", "line 1 column 12"),
        ("{\"text\": \"\u{7}\"}", "line 1"),
        (&"[".repeat(100_000), "line 1 column 100000"),
        ("[]", "[] is not an object"),
        ("{}{}", "trailing"),
    ] {
        let error = read::<File>(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{text:.40}: {error}");
    }
    let error = read::<Key>(br#"{"secs":1}"#).unwrap_err().to_string();
    assert_eq!(error, "has no value");
    assert!(read_all::<File>(br#"{"names":[7]}"#).unwrap_err().to_string().contains("names[0]"));
}

#[test]
fn content_that_needs_much_more_memory_than_its_file_has_bytes_is_an_error() {
    let text = |count: usize| format!("{{\"names\":[{}\"\"]}}", "\"\",".repeat(count));
    assert_eq!(read_all::<File>(text(100_000).as_bytes()).unwrap().names.len(), 100_001);
    let text = text(2_000_000);
    let error = read::<File>(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("7 MB") && error.contains("92 MB"), "{error}");
}

#[test]
fn key_values_are_built_from_the_fields_that_are_there() {
    let (file, problems) =
        read_text::<File>(r#"{"kind":{"key":{"secs":1,"value":2}},"keys":{"a":[{"value":1,"secs":0}]}}"#);
    assert_eq!(
        (file.kind, file.keys["a"].as_slice(), problems.len()),
        (Kind::Key(key(1.0, 2.0)), &[key(0.0, 1.0)][..], 0)
    );
}
