//! Why a packet is refused.

use thiserror::Error;

use smirk_base::names::quoted;

/// Why a packet is refused. A refused packet has no effect.
#[derive(Clone, Debug, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PacketError {
    #[error("the packet ends in {field}: {needed} bytes are needed, {left} are left")]
    Short { field: &'static str, needed: u64, left: usize },
    #[error("the packet has {bytes} bytes after its end")]
    Leftover { bytes: usize },
    #[error("the packet has {found} bytes, not a multiple of {unit}")]
    Length { found: usize, unit: usize },
    #[error("this is no packet of {protocol}")]
    Foreign { protocol: &'static str },
    #[error("version {found}; Smirk reads {readable}")]
    Version { found: u32, readable: &'static str },
    #[error("{field} is {found}, not {expected}")]
    Number { field: &'static str, found: u64, expected: u64 },
    #[error("{field} is {found}, not above 0")]
    NotPositive { field: &'static str, found: i64 },
    #[error("{field} is {found}, the most is {most}")]
    Limit { field: &'static str, found: u64, most: u64 },
    #[error("{} is not a finite number", quoted(column))]
    NotFinite { column: String },
    #[error("{field} is not UTF-8")]
    NotText { field: &'static str },
    #[error("part {index} of the text is not a name with its values")]
    TextPart {
        /// Its index, from 0.
        index: usize,
    },
    #[error("the JSON cannot be read at line {line}, column {column}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    #[error("the JSON has no blend shapes")]
    NoScores,
    #[error("byte {at} begins no OSC message or bundle")]
    NotOsc { at: usize },
    #[error("the arguments of {} are not {expected}", quoted(address))]
    OscArguments { address: String, expected: &'static str },
    #[error("{field} is not {expected}")]
    Word { field: &'static str, expected: &'static str },
    #[error("name {index} of the list is empty, too long, not the only one, or has control characters")]
    Name {
        /// Its index, from 0.
        index: usize,
    },
    #[error("part {part} of {parts} contradicts what came before")]
    Parts { part: u16, parts: u16 },
    /// A frame whose list of names has not arrived. A phone sends it again if it is asked.
    #[error("list of names {schema} has not arrived; type the phone's address, so that Smirk asks it for the list")]
    NoNames { schema: u32 },
    #[error("message {kind} is one that phones receive and do not send")]
    Direction { kind: u8 },
    #[error("the phone answers another program")]
    Greeting,
    #[error("the app speaks revision {revision} of FMV3, which only test versions did; update the app")]
    Beta { revision: u32 },
    #[error("the app says {}", quoted(text))]
    App { text: String },
}

impl From<serde_json::Error> for PacketError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}
