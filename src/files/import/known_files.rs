//! Recognises files of other kinds by their first bytes, for the errors of readers.

const FBX_BINARY: &[u8] = b"Kaydara FBX";
const FBX_TEXT: &[u8] = b"; FBX";

/// Whether a file is FBX, binary or as text.
pub(super) fn is_fbx(bytes: &[u8]) -> bool {
    bytes.starts_with(FBX_BINARY) || bytes.starts_with(FBX_TEXT)
}

/// What a file is, in words that follow "it": `is a PNG image`. None if it is not known.
pub(super) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 10] = [
        (b"glTF", "is a glTF binary"),
        (b"\x89PNG", "is a PNG image"),
        (b"\xFF\xD8\xFF", "is a JPEG image"),
        (FBX_BINARY, "is an FBX scene"),
        (FBX_TEXT, "is an FBX scene"),
        (b"BLENDER", "is a Blender file"),
        (b"PK\x03\x04", "is a ZIP archive"),
        (b"PXR-USDC", "is a USD scene"),
        (b"#usda", "is a USD scene"),
        (b"solid ", "looks like an STL mesh"),
    ];
    KNOWN.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what)
}
