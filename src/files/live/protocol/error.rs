//! Why a packet is refused.

use thiserror::Error;

use smirk_base::names::quoted;

/// Why a packet is refused. A refused packet has no effect.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PacketError {
    /// It ends before a field is complete.
    #[error("the packet ends in {field}: {needed} bytes are needed, {left} are left")]
    Short {
        /// The field.
        field: &'static str,
        /// The bytes that the field has.
        needed: u64,
        /// The bytes that are left in the packet.
        left: usize,
    },
    /// It goes on after its last field.
    #[error("the packet has {bytes} bytes after its end")]
    Leftover {
        /// The bytes that nothing is known about.
        bytes: usize,
    },
    /// Its length is not one that the protocol has.
    #[error("the packet has {found} bytes, not a multiple of {unit}")]
    Length {
        /// The bytes of the packet.
        found: usize,
        /// The bytes of one record.
        unit: usize,
    },
    /// It begins with other bytes than packets of this protocol do.
    #[error("this is no packet of {protocol}")]
    Foreign {
        /// The name of the protocol.
        protocol: &'static str,
    },
    /// Its version is not one that Smirk reads.
    #[error("version {found}; Smirk reads {readable}")]
    Version {
        /// The version that the packet states.
        found: u32,
        /// The versions that are read, in words.
        readable: &'static str,
    },
    /// A number differs from the only one that it may be.
    #[error("{field} is {found}, not {expected}")]
    Number {
        /// The field.
        field: &'static str,
        /// Its number.
        found: u64,
        /// The number that it has to be.
        expected: u64,
    },
    /// A number is 0 or negative.
    #[error("{field} is {found}, not above 0")]
    NotPositive {
        /// The field.
        field: &'static str,
        /// Its number.
        found: i64,
    },
    /// A number is beyond a limit.
    #[error("{field} is {found}, the most is {most}")]
    Limit {
        /// The field.
        field: &'static str,
        /// Its number.
        found: u64,
        /// The largest number.
        most: u64,
    },
    /// A value is not a number that a face can have.
    #[error("{} is not a finite number", quoted(column))]
    NotFinite {
        /// The column of the value.
        column: String,
    },
    /// A text is not UTF-8.
    #[error("{field} is not UTF-8")]
    NotText {
        /// The field.
        field: &'static str,
    },
    /// A part of a text is not a name with values.
    #[error("part {index} of the text is not a name with its values")]
    TextPart {
        /// Its index, from 0.
        index: usize,
    },
    /// A text is not JSON, or its values are of other types than the protocol's.
    #[error("the JSON cannot be read at line {line}, column {column}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The JSON holds no face in any known form.
    #[error("the JSON has no blend shapes")]
    NoScores,
    /// Bytes are not an OSC message.
    #[error("byte {at} begins no OSC message or bundle")]
    NotOsc {
        /// Where the message should begin.
        at: usize,
    },
    /// The arguments of an OSC message are of other types than its address has.
    #[error("the arguments of {} are not {expected}", quoted(address))]
    OscArguments {
        /// The address of the message.
        address: String,
        /// The arguments that it should have, in words.
        expected: &'static str,
    },
    /// A word of the JSON is not the only one that is known.
    #[error("{field} is not {expected}")]
    Word {
        /// The field.
        field: &'static str,
        /// What it should be, in words.
        expected: &'static str,
    },
    /// A name of the list is empty, too long, there twice, or holds control characters.
    #[error("name {index} of the list is empty, too long, not the only one, or has control characters")]
    Name {
        /// Its index, from 0.
        index: usize,
    },
    /// A part contradicts the other parts of its message, or a message an earlier one of its number.
    #[error("part {part} of {parts} contradicts what came before")]
    Parts {
        /// The index of the part.
        part: u16,
        /// The number of parts.
        parts: u16,
    },
    /// A frame whose list of names has not arrived. A phone sends it again if it is asked.
    #[error("list of names {schema} has not arrived; type the phone's address, so that Smirk asks it for the list")]
    NoNames {
        /// The number of the list.
        schema: u32,
    },
    /// A message of the kind that phones receive.
    #[error("message {kind} is one that phones receive and do not send")]
    Direction {
        /// The kind of the message.
        kind: u8,
    },
    /// The stream was started for another program.
    #[error("the phone answers another program")]
    Greeting,
    /// The app is older than the first public version of its protocol.
    #[error("the app speaks revision {revision} of FMV3, which only test versions did; update the app")]
    Beta {
        /// The revision.
        revision: u32,
    },
    /// What the app itself says.
    #[error("the app says {}", quoted(text))]
    App {
        /// Its words.
        text: String,
    },
}

impl From<serde_json::Error> for PacketError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}
