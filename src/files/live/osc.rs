//! Messages of Open Sound Control 1.0: an address, and arguments whose types are letters of a text. Every part takes a
//! multiple of four bytes; numbers are big-endian.

/// What begins a bundle; its time follows, then elements with their lengths.
pub(super) const BUNDLE: &[u8] = b"#bundle\0";
pub(super) const TIME_BYTES: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Int(i32),
    Float(f32),
    Text(String),
    /// One of a type that no protocol of faces uses: only its size is known.
    Other,
}

#[derive(Debug, PartialEq)]
pub(super) struct Message {
    pub(super) address: String,
    pub(super) arguments: Vec<Argument>,
}

impl Message {
    /// The message at the beginning of bytes, and what is left after it. `None` if there is none, or one with an array.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (address, bytes) = text(bytes)?;
        let (types, mut bytes) = text(bytes)?;
        let mut arguments = Vec::new();
        // A comma comes before the types.
        for kind in types.chars().skip(1) {
            let argument;
            (argument, bytes) = match kind {
                'i' => number(bytes).map(|(number, rest)| (Argument::Int(i32::from_be_bytes(number)), rest))?,
                'f' => number(bytes).map(|(number, rest)| (Argument::Float(f32::from_be_bytes(number)), rest))?,
                's' => text(bytes).map(|(text, rest)| (Argument::Text(text.to_owned()), rest))?,
                // Booleans, nothing and infinity are their type alone.
                'T' | 'F' | 'N' | 'I' => (Argument::Other, bytes),
                'r' | 'c' | 'm' => number::<4>(bytes).map(|(_, rest)| (Argument::Other, rest))?,
                'h' | 'd' | 't' => number::<8>(bytes).map(|(_, rest)| (Argument::Other, rest))?,
                'b' => {
                    let (length, rest) = number(bytes)?;
                    let length = (u32::from_be_bytes(length) as usize).checked_next_multiple_of(4)?;
                    (Argument::Other, rest.get(length..)?)
                }
                _ => return None,
            };
            arguments.push(argument);
        }
        Some((Self { address: address.to_owned(), arguments }, bytes))
    }
}

/// The bytes of a message. Arguments of other types cannot be written, and are left out.
pub(super) fn message(address: &str, arguments: &[Argument]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_text(&mut bytes, address);
    let types = arguments.iter().filter_map(|argument| match argument {
        Argument::Int(_) => Some('i'),
        Argument::Float(_) => Some('f'),
        Argument::Text(_) => Some('s'),
        Argument::Other => None,
    });
    write_text(&mut bytes, &std::iter::once(',').chain(types).collect::<String>());
    for argument in arguments {
        match argument {
            Argument::Int(number) => bytes.extend(number.to_be_bytes()),
            Argument::Float(number) => bytes.extend(number.to_be_bytes()),
            Argument::Text(text) => write_text(&mut bytes, text),
            Argument::Other => {}
        }
    }
    bytes
}

fn number<const N: usize>(bytes: &[u8]) -> Option<([u8; N], &[u8])> {
    bytes.split_first_chunk().map(|(number, rest)| (*number, rest))
}

/// A text ends with one to four zeros.
fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let rest = bytes.get((end + 1).next_multiple_of(4)..)?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, rest))
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(text.bytes());
    bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written_and_not_if_it_is_cut_off() {
        let arguments = [Argument::Text("Joy".into()), Argument::Float(0.5), Argument::Int(-7)];
        for count in 0..=arguments.len() {
            let written = message("/a/face", &arguments[..count]);
            let (read, left) = Message::read(&written).unwrap();
            assert_eq!((read.address.as_str(), &read.arguments[..], left), ("/a/face", &arguments[..count], &[][..]));
            for end in 0..written.len() {
                assert_eq!(Message::read(&written[..end]), None, "{end} of {} bytes", written.len());
            }
        }
    }

    #[test]
    fn arguments_of_other_types_are_passed_over_by_their_size() {
        let read = |types: &str, bytes: &[u8]| {
            let mut packet = Vec::new();
            write_text(&mut packet, "/a");
            write_text(&mut packet, types);
            packet.extend(bytes);
            Message::read(&packet).map(|(message, left)| (message.arguments, left.len()))
        };
        let (other, last) = (Argument::Other, Argument::Int(9));
        for (types, bytes) in [
            (",Ti", &[][..]),
            (",ci", &[0; 4]),
            (",ti", &[0; 8]),
            // Five bytes take eight.
            (",bi", &[0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0]),
        ] {
            let bytes = [bytes, &[0, 0, 0, 9, 1, 1, 1, 1]].concat();
            assert_eq!(read(types, &bytes), Some((vec![other.clone(), last.clone()], 4)), "{types}");
        }
        assert_eq!(read(",b", &[0xff; 8]), None);
        assert_eq!(read(",[i]", &[0; 4]), None);
        assert_eq!(read(",i", b"\0\0"), None);
        assert_eq!(read("", &[]), Some((vec![], 0)), "no arguments and no comma");
    }
}
