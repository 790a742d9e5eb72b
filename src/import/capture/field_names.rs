//! Names of columns and JSON keys, which programs write in different ways.

/// Whether a name is `key`, compared without case and without anything but letters and digits. `key` is in lower case and has
/// only those.
pub fn is_key(name: &str, key: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).eq(key.chars())
}
