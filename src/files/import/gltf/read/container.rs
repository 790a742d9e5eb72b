//! From bytes to the JSON text and the binary chunk (glTF 2.0 §4, "GLB File Format Specification").

use crate::import::{Fault, Problem, file};
use smirk_face::head::{Kind, Notes, Subject};

const GLB_MAGIC: &[u8] = b"glTF";
const CHUNK_JSON: u32 = 0x4E4F_534A;
const CHUNK_BIN: u32 = 0x004E_4942;
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

#[derive(Debug)]
pub(crate) struct Container<'a> {
    /// Expected to be UTF-8; not checked yet.
    pub json: &'a [u8],
    /// The binary chunk of a GLB, if it has one.
    pub bin: Option<&'a [u8]>,
}

const CUT_OFF: &str = "it was cut off, copy or export it again";

/// Splits a GLB into its chunks; all other bytes are taken for JSON. `is_text`: the file's name ends in `.gltf`.
pub(crate) fn split<'a>(bytes: &'a [u8], is_text: bool, notes: &mut Notes) -> Result<Container<'a>, Fault> {
    if bytes.is_empty() {
        return Err(Fault::Unfit("is empty (0 bytes); export it again".into()));
    }
    if bytes.starts_with(GLB_MAGIC) {
        return split_glb(bytes, notes);
    }
    let text = crate::import::without_byte_order_mark(bytes);
    let looks_like_json = text.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|&byte| byte == b'{');
    if looks_like_json || (is_text && std::str::from_utf8(text).is_ok()) {
        return Ok(Container { json: without_mark(bytes, notes), bin: None });
    }
    let what = file::kind_of(bytes).unwrap_or_else(|| "begins with neither \"glTF\" nor \"{\"".into());
    Err(Fault::Unfit(format!("is not a glTF file: it {what}; export it as .glb or .gltf")))
}

fn without_mark<'a>(json: &'a [u8], notes: &mut Notes) -> &'a [u8] {
    let text = crate::import::without_byte_order_mark(json);
    if text.len() < json.len() {
        notes.inform(Subject::field("JSON"), "begins with a byte order mark, which glTF forbids; it was ignored");
    }
    text
}

fn split_glb<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Container<'a>, Fault> {
    let (Some(version), Some(declared)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(Fault::invalid(
            Subject::field("GLB header"),
            Problem::new(format!("the file has {} bytes, a header needs {HEADER_BYTES}", bytes.len())).advise(CUT_OFF),
        ));
    };
    if version != 2 {
        let problem = Problem::new(format!("version {version}, Smirk reads 2")).advise("export it as glTF 2.0");
        return Err(Fault::invalid(Subject::field("GLB header"), problem));
    }
    let declared = declared as usize;
    if declared > bytes.len() {
        let problem = Problem::new(format!("says {declared} bytes, the file has {}", bytes.len())).advise(CUT_OFF);
        return Err(Fault::invalid(Subject::field("GLB header"), problem));
    }
    if declared < bytes.len() {
        let message = format!("{} bytes after the declared length of {declared} were ignored", bytes.len() - declared);
        notes.warn(Subject::field("GLB header"), message);
    }
    let (mut json, mut bin) = (None, None);
    let mut rest = &bytes[HEADER_BYTES.min(declared)..declared];
    let mut number = 0;
    while !rest.is_empty() {
        let (Some(length), Some(kind)) = (u32_at(rest, 0), u32_at(rest, 4)) else {
            let problem = format!("{} bytes left, its header needs {CHUNK_HEADER_BYTES}", rest.len());
            return Err(Fault::invalid(Subject::Numbered(Kind::GlbChunk, number), problem));
        };
        let body = &rest[CHUNK_HEADER_BYTES..];
        let Some(data) = body.get(..length as usize) else {
            return Err(Fault::invalid(
                Subject::Numbered(Kind::GlbChunk, number),
                Problem::new(format!("says {length} bytes, {} are left in the file", body.len())).advise(CUT_OFF),
            ));
        };
        match kind {
            CHUNK_JSON if number == 0 => json = Some(data),
            CHUNK_BIN if json.is_some() && bin.is_none() => bin = Some(data),
            CHUNK_JSON | CHUNK_BIN => {
                let kind = if kind == CHUNK_BIN { "binary" } else { "JSON" };
                let message = format!("is another {kind} chunk; a file has one, and the first is read");
                notes.warn(Subject::Numbered(Kind::GlbChunk, number), message);
            }
            // The specification says that chunks of an unknown kind are to be ignored.
            _ => notes.inform(Subject::Numbered(Kind::GlbChunk, number), format!("unknown kind {kind:#010x}, ignored")),
        }
        rest = &body[length as usize..];
        number += 1;
    }
    let json = json.ok_or_else(|| {
        let problem = if number == 0 { "has a header and no chunks" } else { "its first chunk is not JSON" };
        Fault::invalid(Subject::field("GLB"), Problem::new(problem).advise("export it again"))
    })?;
    Ok(Container { json: without_mark(json, notes), bin })
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let four = bytes.get(offset..offset + 4)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data) in chunks {
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(*data);
        }
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        split(bytes, false, &mut Notes::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_glb_is_split_into_both_chunks() {
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (CHUNK_BIN, b"abcd")]);
        let container = split(&bytes, false, &mut Notes::default()).unwrap();
        assert_eq!((container.json, container.bin), (&b"{}  "[..], Some(&b"abcd"[..])));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let in_glb = glb(&[(CHUNK_JSON, b"\xEF\xBB\xBF{}   ")]);
        for (bytes, text) in [(&b"\xEF\xBB\xBF{}"[..], &b"{}"[..]), (&in_glb, b"{}   ")] {
            let mut notes = Notes::default();
            assert_eq!(split(bytes, false, &mut notes).unwrap().json, text);
            assert!(notes.into_list()[0].to_string().contains("byte order mark"));
        }
    }

    #[test]
    fn unknown_chunks_may_be_anywhere_after_the_json_and_only_the_first_binary_chunk_is_read() {
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (7, b"abcd"), (CHUNK_BIN, b"efgh"), (CHUNK_BIN, b"ijkl")]);
        let mut notes = Notes::default();
        assert_eq!(split(&bytes, false, &mut notes).unwrap().bin, Some(&b"efgh"[..]));
        let notes: Vec<String> = notes.into_list().iter().map(ToString::to_string).collect();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("GLB chunk 1: unknown kind 0x00000007"), "{notes:?}");
        assert!(notes[1].contains("GLB chunk 3: is another binary chunk"), "{notes:?}");
        assert!(message(&glb(&[])).contains("a header and no chunks"));
        assert!(message(&glb(&[(CHUNK_BIN, b"abcd")])).contains("first chunk is not JSON"));
    }

    #[test]
    fn a_file_cut_off_anywhere_is_an_error_with_numbers() {
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (CHUNK_BIN, b"abcd")]);
        for length in 0..bytes.len() {
            let text = message(&bytes[..length]);
            assert!(text.contains("bytes") || text.contains("neither"), "{length}: {text}");
        }
    }

    #[test]
    fn a_chunk_longer_than_the_file_is_refused() {
        let mut bytes = glb(&[(CHUNK_JSON, b"{}  ")]);
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            message(&bytes),
            "GLB chunk 0: says 4294967295 bytes, 4 are left in the file; it was cut off, copy or export it again"
        );
    }

    #[test]
    fn another_kind_of_file_is_named() {
        assert!(message(b"\x89PNG\r\n").contains("PNG image"));
        assert!(message(b"Kaydara FBX Binary").contains("FBX"));
    }
}
